// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Names of the user's own beside those of the language.
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: foreign-namespace.cpp:[[@LINE+1]]:11: error: namespace tegula is reserved for the language: declare this in a namespace of another name [tegula-foreign-namespace]
namespace tegula::mine {
template <class T> struct ref {
  T value;
};
} // namespace tegula::mine

TEGULA_KERNEL void f(tg::array<float, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = tg::mine::ref<float>{1}.value; }, tg::out(o));
}
