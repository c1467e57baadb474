// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options, as compilers have them, and what their misuse is told. Exit status 2: the command line; 3: what is outside.
// RUN: rm -rf %t && mkdir -p %t/include %t/folder.cpp "%t/two words" && cp %s %t/k.cpp
// RUN: echo '#define OFFSET 40' > %t/include/offset.h && echo '#define MORE 2' > %t/first.h
//
// RUN: tegulac %t/k.cpp --emit=tile -isystem %t/include -include %t/first.h -D NAME=f -std=c++23 -o - | FileCheck %s
// RUN: tegulac %t/k.cpp --emit=tile -I%t/include -include %t/first.h -DNAME=f -std c++26 -o - | FileCheck %s
// CHECK: tile.entry @f(
// CHECK: 4.200000e+01 : f32
//
// RUN: tegulac %t/k.cpp --emit=tile -I%t/include -D MORE=2 -D NAME=f -MD -MT 'a $ b' -MT c -o "%t/two words/k.mlir"
// RUN: FileCheck %s --check-prefix=RULE --input-file "%t/two words/k.d"
// RULE: a\ $$\ b c:
// RULE: include/offset.h
//
// One of the architectures that nobody named goes to the standard output.
// RUN: tegulac %t/k.cpp --emit=ptx -I%t/include -D MORE=2 -D NAME=f -o - | FileCheck %s --check-prefix=PTX
// PTX: .target sm_90a
// PTX-NOT: .target
// RUN: %python %S/Inputs/status.py 2 tegulac %t/k.cpp --emit=ptx --arch sm_80 --arch sm_90a -o - 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: the code of several architectures is several files: ask for one --arch, or give -o a name
//
// RUN: %python %S/Inputs/status.py 3 tegulac %t/missing.cpp --emit=tile 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: tegulac: error: '{{.*}}missing.cpp' cannot be read: No such file or directory
// RUN: %python %S/Inputs/status.py 3 tegulac %t/folder.cpp --emit=tile 2>&1 | FileCheck %s --check-prefix=NOFILE
// NOFILE: tegulac: error: '{{.*}}folder.cpp' cannot be read: Is a directory
//
// RUN: tegulac --dump-ir %t/k.cpp --emit=tile -I%t/include -D MORE=2 -D NAME=f -o /dev/null 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: IR Dump After TilePromoteVariables
//
// Nothing of the caller's is replaced, and nothing is left behind by a run that fails.
// DEFINE: %{run} = tegulac %t/k.cpp --arch sm_80 -I%t/include -D MORE=2 -D NAME=f
// DEFINE: %{status} = %python %S/Inputs/status.py
// RUN: %{status} 2 %{run} -o %t/include/offset 2>&1 | FileCheck %s --check-prefix=HEADER
// HEADER: error: the output would replace its own input, {{.*}}offset.h: give -o another name
// RUN: %{status} 2 %{run} -o %t/twice -MD -MF %t/twice.h 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: two outputs would be one file, {{.*}}twice.h: give -MF another name
// RUN: %{status} 3 %{run} -o %t/folder 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER: error: cannot write {{.*}}folder.cpp: Is a directory
// RUN: %{status} 3 %{run} -o %t/nowhere/k 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: error: cannot write {{.*}}nowhere/k.h: No such file or directory
// RUN: %{status} 3 %{run} --ptxas /nowhere -o %t/out 2>&1 | FileCheck %s --check-prefix=PTXAS
// PTXAS: error: ptxas is needed for cubins, and there is no program '/nowhere'
// RUN: %{status} 3 %{run} --ptxas /bin/true -o %t/out 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: error: '/bin/true' wrote no cubin: name the ptxas of a CUDA toolkit in TEGULA_PTXAS
// RUN: ls %t | FileCheck %s --check-prefix=LEFT
// LEFT: first.h
// LEFT-NEXT: folder.cpp
// LEFT-NEXT: include
// LEFT-NEXT: k.cpp
// LEFT-NEXT: two words
// LEFT-NOT: {{.}}
//
// RUN: %{status} 2 %{run} --arch sm_1 -o %t/out 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: unknown architecture 'sm_1'; known are
// RUN: %{status} 2 %{run} -std=c++20 -o %t/out 2>&1 | FileCheck %s --check-prefix=STD
// STD: error: kernels must be C++23 or later, not 'c++20': remove -std
// RUN: %{status} 2 %{run} -MF %t/out.d -o %t/out 2>&1 | FileCheck %s --check-prefix=MF
// MF: error: -MF and -MT name the file of -MD and its targets: give -MD, too
#include <tegula/tegula.h>
#include "offset.h"
namespace tg = tegula;

TEGULA_KERNEL void NAME(tg::array<float, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = OFFSET + MORE; }, tg::out(o));
}
