// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdio>
#include <limits>

template <class F> void show(const char *what, double of, F compute) {
  std::printf("%s of %g: ", what, of);
  try {
    std::printf("%.2g\n", compute());
  } catch (const tegula::error &problem) {
    std::printf("%s\n", problem.what());
  }
}

int main() {
  for (float given : {1.0F, std::nanf(""), -0.0F, -2.0F}) {
    float x[6] = {1, 2, 3, 1, 3, given}, o[2] = {};
    show("greatest", given, [&] {
      tegula::kernels::greatest_0_cpu(tegula::array<const float, 2>(x, {2, 3}), tegula::array<float, 1>(o, {2}));
      return o[1];
    });
  }
  int n[4] = {2, 3, 4, 5}, p[4] = {};
  show("last", 5, [&] {
    tegula::kernels::last_0_cpu(tegula::array<const int, 1>(n, {4}), tegula::array<int, 1>(p, {4}));
    return double(p[0]);
  });
  for (float given : {0.3F, 500.0F}) {
    float x[4] = {0.1F, 0.2F, 0.3F, given}, o[4] = {};
    show("sums", given, [&] {
      tegula::kernels::sums_0_cpu(tegula::array<const float, 1>(x, {4}), tegula::array<float, 1>(o, {4}));
      return o[3];
    });
  }
  const float inf = std::numeric_limits<float>::infinity();
  float x[3] = {-inf, inf, 0}, o[3] = {};
  int at[1] = {};
  tegula::kernels::named_0_cpu(tegula::array<const float, 1>(x, {3}), tegula::array<float, 1>(o, {3}),
                               tegula::array<int, 1>(at, {1}));
  std::printf("named: %g at %d\n", static_cast<double>(o[2]), at[0]);
}
