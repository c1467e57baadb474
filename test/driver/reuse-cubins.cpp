// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code is kept beside the stub and taken again as long as the kernels, their architecture and ptxas are the same.
// RUN: rm -rf %t && mkdir -p %t
// RUN: printf '#!/bin/sh\necho run >> %t/runs\nexec %ptxas "$@"\n' > %t/ptxas && chmod +x %t/ptxas
// RUN: tegulac %s -o %t/plain --arch=sm_80 --arch=sm_90a --ptxas %ptxas && not ls %t/plain.cubins
// RUN: tegulac %s -o %t/k --arch=sm_80 --arch=sm_90a --ptxas %t/ptxas --reuse-cubins && wc -l < %t/runs | FileCheck %s --check-prefix=TWO
// RUN: sed 's/plain/k/' %t/plain.cpp | diff - %t/k.cpp
// RUN: tegulac %s -o %t/k --arch=sm_80 --arch=sm_90a --ptxas %t/ptxas --reuse-cubins && wc -l < %t/runs | FileCheck %s --check-prefix=TWO
// RUN: sed 's/plain/k/' %t/plain.cpp | diff - %t/k.cpp
// TWO: {{^ *2$}}
// LLVM has nothing to do, either, until a kernel changes.
// RUN: tegulac %s -o %t/k --arch=sm_80 --arch=sm_90a --ptxas %t/ptxas --reuse-cubins --time-report 2>&1 | FileCheck %s --check-prefix=KEPT
// KEPT-NOT: LLVM IR to PTX
// RUN: tegulac -DFACTOR=5 %s -o %t/other --arch=sm_80 --ptxas %ptxas --reuse-cubins --time-report 2>&1 | FileCheck %s --check-prefix=CHANGED
// RUN: tegulac -DFACTOR=6 %s -o %t/other --arch=sm_80 --ptxas %ptxas --reuse-cubins --time-report 2>&1 | FileCheck %s --check-prefix=CHANGED
// CHANGED: LLVM IR to PTX
// Another kernel, for one of the architectures, and back: each time there is one cubin to make.
// RUN: tegulac -DFACTOR=3 %s -o %t/k --arch=sm_80 --ptxas %t/ptxas --reuse-cubins && wc -l < %t/runs | FileCheck %s --check-prefix=THREE
// RUN: tegulac -DFACTOR=3 %s -o %t/k --arch=sm_80 --arch=sm_90a --ptxas %t/ptxas --reuse-cubins && wc -l < %t/runs | FileCheck %s --check-prefix=FOUR
// THREE: {{^ *3$}}
// FOUR: {{^ *4$}}
// What is damaged counts as absent: here the last entry, then all of them.
// RUN: truncate -s -1 %t/k.cubins && tegulac -DFACTOR=3 %s -o %t/k --arch=sm_80 --arch=sm_90a --ptxas %t/ptxas --reuse-cubins
// RUN: tegulac -DFACTOR=3 %s -o %t/plain --arch=sm_80 --arch=sm_90a --ptxas %ptxas && sed 's/plain/k/' %t/plain.cpp | diff - %t/k.cpp
// RUN: cp %s %t/k.cubins && rm %t/runs
// RUN: tegulac -DFACTOR=3 %s -o %t/k --arch=sm_80 --arch=sm_90a --ptxas %t/ptxas --reuse-cubins && wc -l < %t/runs | FileCheck %s --check-prefix=TWO
// So does code that stands under the key of other code: what is embedded is the kernels' own.
// RUN: %python %S/Inputs/swap_code.py %t/k.cubins && rm %t/runs
// RUN: tegulac -DFACTOR=3 %s -o %t/k --arch=sm_80 --arch=sm_90a --ptxas %t/ptxas --reuse-cubins && sed 's/plain/k/' %t/plain.cpp | diff - %t/k.cpp
// RUN: ls %t/runs
// A pipe of that name has nobody who writes to it.
// RUN: rm %t/k.cubins && mkfifo %t/k.cubins
// RUN: %python %S/Inputs/status.py 3 tegulac %s -o %t/k --arch=sm_80 --ptxas %ptxas --reuse-cubins 2>&1 | FileCheck %s --check-prefix=PIPE
// PIPE: error: '{{.*}}k.cubins', where --reuse-cubins keeps code, is not a file: remove it, or give -o another name
// RUN: rm %t/k.cubins && tegulac -DFACTOR=3 %s -o %t/k --arch=sm_80 --arch=sm_90a --ptxas %t/ptxas --reuse-cubins
// Another ptxas makes its own.
// RUN: touch -d 2001-01-01 %t/ptxas && rm %t/runs
// RUN: tegulac -DFACTOR=3 %s -o %t/k --arch=sm_80 --arch=sm_90a --ptxas %t/ptxas --reuse-cubins && wc -l < %t/runs | FileCheck %s --check-prefix=TWO
// RUN: tegulac -DFACTOR=3 %s -o %t/plain --arch=sm_80 --arch=sm_90a --ptxas %ptxas && sed 's/plain/k/' %t/plain.cpp | diff - %t/k.cpp
#include <tegula/tegula.h>
namespace tg = tegula;

#ifndef FACTOR
#define FACTOR 2
#endif
TEGULA_KERNEL void scale(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = FACTOR * x[tg::all]; }, tg::inout(x));
}
