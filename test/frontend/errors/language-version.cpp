// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The header of another tegulac, of one before headers said their version, and one of another project.
// RUN: rm -rf %t && mkdir -p %t/new %t/old %t/other/tegula
// RUN: cp -r %include/tegula %t/new && sed -i 's/language_version = .*;/language_version = 9991;/' %t/new/tegula/language/version.h
// RUN: not tegulac -I%t/new --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: -DSAYS="is of language version 9991"
// RUN: cp -r %include/tegula %t/old && echo > %t/old/tegula/language/version.h
// RUN: not tegulac -I%t/old --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: -DSAYS="states no language version"
// RUN: cp %S/Inputs/another_tegula.h %t/other/tegula/tegula.h
// RUN: not tegulac -I%t/other --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: -DSAYS="states no language version"
// CHECK: language-version.cpp:[[@LINE+1]]:10: error: the included header [[SAYS]], but this tegulac is for language version [[#]]: remove the folder of the header from the include paths, and tegulac finds its own <tegula/tegula.h> [tegula-language-version]
#include <tegula/tegula.h>

TEGULA_KERNEL void f(tegula::array<float, 1> o) {}
