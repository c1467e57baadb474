// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

#include "scaling/kernels.h"
#include "shifts/kernels.h"

int main() {
  const float value = 4;
  const tegula::array<const float, 1> x(&value, {1});
  std::printf("%g %g\n", double(doubled(x)(0)), double(shifted(x)(0)));
}
