// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compute.h"
#include "kernels.h"
#include <cstdio>
#include <random>
#include <vector>

int main() {
  std::mt19937 random(1);
  long different = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<int> x(51);
    for (int &value : x)
      value = static_cast<int>(random() % 5000) - 1000;
    const int n = static_cast<int>(random() % 300) - 100;
    const bool flag = random() % 2;
    const auto u = static_cast<unsigned char>(random());
    const auto w = static_cast<short>(random());
    const auto computed = run(tegula::array<const int, 1>(x.data(), tegula::shape<1>{51}), n, flag, u, w);
    for (int i = 0; i < 51; ++i) {
      const long expected = compute(x[i], n, flag, u, w);
      if (computed.data()[i] != expected && different++ < 5)
        std::printf("compute(%d, %d, %d, %d, %d) is %ld, not %ld\n", x[i], n, flag, u, w, expected,
                    static_cast<long>(computed.data()[i]));
    }
  }
  std::printf("%ld of %d differ\n", different, 200 * 51);
  return different != 0;
}
