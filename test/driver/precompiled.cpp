// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The language's header, precompiled, changes nothing but the time: neither the IR, nor messages, nor what a dependency file names.
// RUN: rm -rf %t && mkdir -p %t
// RUN: tegulac --emit=pch -DFROM_PRECOMPILED -o %t/language.pch %include/tegula/tegula.h
// RUN: tegulac --pch %t/language.pch --emit=tile %s -o - | FileCheck %s --check-prefix=USED
// RUN: tegulac --pch none --emit=tile %s -o - | FileCheck %s --check-prefix=PARSED
// USED: tile.entry @precompiled(
// PARSED: tile.entry @parsed(

// RUN: tegulac --emit=tile %samples/saxpy_chain/kernels.cpp -o %t/default.mlir -MD -MF %t/default.d -MT x
// RUN: tegulac --pch none --emit=tile %samples/saxpy_chain/kernels.cpp -o %t/parsed.mlir -MD -MF %t/parsed.d -MT x
// RUN: diff %t/default.mlir %t/parsed.mlir
// RUN: tr -d '\\' < %t/parsed.d | sort > %t/parsed.sorted
// RUN: tr -d '\\' < %t/default.d | grep -v language.pch | sort | diff -b - %t/parsed.sorted
// RUN: not tegulac -DMISTAKE --emit=tile %s 2> %t/default.txt
// RUN: not tegulac -DMISTAKE --pch none --emit=tile %s 2> %t/parsed.txt
// RUN: diff %t/default.txt %t/parsed.txt && FileCheck %s --check-prefix=MISTAKE --input-file=%t/parsed.txt
// MISTAKE: precompiled.cpp:[[#@LINE + 43]]:{{.*}} error: the shapes do not broadcast

// The file's own headers may include the language in its stead. Something before it, and it is parsed.
// RUN: printf '#pragma once\n// one\n#include "two.h"\n' > %t/one.h
// RUN: printf '/* two */ #include <tegula/tegula.h>\n' > %t/two.h
// RUN: printf '#include "one.h"\n#include "%s"\n' > %t/behind.cpp
// RUN: tegulac --pch %t/language.pch --emit=tile %t/behind.cpp -o - | FileCheck %s --check-prefix=USED
// RUN: printf 'int before;\n#include "%s"\n' > %t/before.cpp
// RUN: tegulac --pch %t/language.pch --emit=tile %t/before.cpp -o - | FileCheck %s --check-prefix=PARSED
// RUN: printf '#include "endless.h"\n' > %t/endless.h
// RUN: not tegulac --pch %t/language.pch --emit=tile %t/endless.h 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: error: #include nested too deeply

// The same copy by another name is the same.
// RUN: ln -s %include %t/same
// RUN: tegulac --pch %t/language.pch -I%t/same --emit=tile %s -o - | FileCheck %s --check-prefix=USED
// RUN: cd %t/same && tegulac --emit=pch -DFROM_PRECOMPILED -o %t/relative.pch ./tegula/../tegula/tegula.h
// RUN: tegulac --pch %t/relative.pch --emit=tile %s -o - | FileCheck %s --check-prefix=USED

// Another copy of the language, other options, or a file that is none: the header is parsed, without a word.
// RUN: mkdir -p %t/copy && cp -r %include/tegula %t/copy
// RUN: tegulac --pch %t/language.pch -I%t/copy --emit=tile %s -o - 2>&1 | FileCheck %s --check-prefix=PARSED --implicit-check-not=error
// RUN: echo '// A copy with another text.' >> %t/copy/tegula/language/tile.h
// RUN: tegulac --emit=pch -DFROM_PRECOMPILED -o %t/copy.pch %t/copy/tegula/tegula.h
// RUN: tegulac --pch %t/copy.pch --emit=tile %s -o - 2>&1 | FileCheck %s --check-prefix=PARSED --implicit-check-not=error
// RUN: tegulac --pch %t/language.pch -std=c++26 --emit=tile %s -o - 2>&1 | FileCheck %s --check-prefix=PARSED --implicit-check-not=error
// RUN: tegulac --pch %s --emit=tile %s -o - 2>&1 | FileCheck %s --check-prefix=PARSED --implicit-check-not=error

// RUN: not tegulac --emit=pch %include/tegula/tegula.h 2>&1 | FileCheck %s --check-prefix=NAMELESS
// NAMELESS: tegulac: error: --emit=pch needs a name for its file: -o language.pch
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void
#ifdef FROM_PRECOMPILED
precompiled
#else
parsed
#endif
(tg::array<float, 1> x) { tg::pallas_call([](auto x) { x[tg::all] = 2 * x[tg::all]; }, tg::inout(x)); }

#ifdef MISTAKE
TEGULA_KERNEL void mistake(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = tg::zeros<float, 3>() + tg::zeros<float, 2>(); }, tg::inout(x));
}
#endif
