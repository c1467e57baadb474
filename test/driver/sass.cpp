// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code as nvdisasm prints it, which is no part of what Tegula needs: here a program that shows what it is given.
// DEFINE: %{status} = %python %S/Inputs/status.py
// RUN: rm -rf %t && mkdir %t && cd %t && printf '#!/bin/sh\necho "$1 $2"; head -c 4 "$3" | tail -c 3; exit $STATUS\n' > fake && chmod +x fake
// DEFINE: %{run} = tegulac %s --emit=sass --arch sm_80
// RUN: env STATUS=0 %{run} --nvdisasm ./fake | FileCheck %s
// RUN: env STATUS=0 TEGULA_NVDISASM=./fake %{run} -o k.sass && FileCheck %s < k.sass
// CHECK: -g -c
// CHECK-NEXT: ELF
// RUN: env STATUS=1 %{status} 3 %{run} --nvdisasm ./fake 2>&1 | FileCheck %s --check-prefix=FAILS
// FAILS: tegulac: error: nvdisasm ('./fake') failed: -g -c
// RUN: %{status} 3 %{run} --nvdisasm /nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: tegulac: error: nvdisasm ('/nowhere') cannot be run: {{.*}}; install nvdisasm of a CUDA toolkit (PyPI: nvidia-cuda-nvdisasm), or name it in TEGULA_NVDISASM
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 1; }, tg::out(o));
}
