// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: echo 'TEGULA_KERNEL void f(tegula::array<float, 1> o) {}' > %t.cpp
// RUN: not tegulac --emit=tile %t.cpp 2>&1 | FileCheck %s --check-prefix=MARK --implicit-check-not=error:
// RUN: echo '#include <tegula/tegula.h>' > %t.cpp
// RUN: echo 'TEGULA_KERNEL void f(tg::array<float, 1> o) {}' >> %t.cpp
// RUN: not tegulac --emit=tile %t.cpp 2>&1 | FileCheck %s --check-prefix=TG --implicit-check-not=error:
// MARK: :1:1: error: the kernel language is not included: begin the file with #include <tegula/tegula.h>
// TG: :2:22: error: there is no tg: write namespace tg = tegula; after #include <tegula/tegula.h>
// A kernel file without the language: one message, whatever is used first.
// CHECK: missing-include.cpp:[[@LINE+1]]:16: error: the kernel language is not included: begin the file with #include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 1.0f; }, tg::out(o));
}
