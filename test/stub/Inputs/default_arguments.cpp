// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls the entries of default-arguments.cpp without what has a default.
#include "defaults.h"

int main() {
  const float x[5] = {};
  const tegula::array<const float, 1> a(x, {5});
  const numbers all_of_them = all();
  const bool right = one(a, 4) == 11 && one(a, 4, 2.0F) == 13 && all_of_them.b == UINT64_MAX &&
                     all_of_them.a == 0.1 && declared() == 7 && instance() == 4;
  return right ? 0 : 1;
}
