// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

#include "more.h" // No other library has one of this name.
#include "scaling/kernels.h"
#include "shifts/kernels.h"

float shifted_once(float x);

int main() {
  const float values[] = {1, 2, 3};
  const tegula::array<const float, 1> x(values, {3});
  const auto a = doubled(x), b = tripled(x), c = shifted(x);
  std::printf("%g %g %g %g\n", double(a(2)), double(b(2)), double(c(2)), double(shifted_once(7)));
  try {
    (void)doubled(tegula::array<const float, 1>(values, {0}));
  } catch (const tegula::error &error) { // From the shared library.
    std::printf("%s\n", error.what());
  }
}
