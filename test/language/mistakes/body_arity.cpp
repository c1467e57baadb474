// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not %clangxx -D__TEGULA__ -std=c++23 -w -fsyntax-only %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tegula/tegula.h>
namespace tg = tegula;

// The body takes one ref per spec.
void f(tg::array<const float, 2> a) {
  // CHECK: error: no matching function for call to object of type '(lambda at
  // CHECK: body_arity.cpp:[[@LINE+1]]:{{.*}} note: in instantiation of function template specialization 'tegula::pallas_call<
  tg::pallas_call([](auto x, auto o) { (void)x, (void)o; }, tg::in(a));
}
