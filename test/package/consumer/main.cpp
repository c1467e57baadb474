// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

#include "scale.h"

int main() {
  const float values[] = {1, 2, 3, 4, 5};
  const auto scaled = scale(tegula::array<const float, 1>(values, {5}));
  for (int i = 0; i < 5; ++i)
    std::printf("%g%c", static_cast<double>(scaled(i)), i < 4 ? ' ' : '\n');
}
