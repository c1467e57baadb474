// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled for a processor with FMA: see contraction_test.cpp. Internal linkage and inlining keep FMA code out of other
// files.

#include "contraction.h"

#include "tegula/cpu/scalar.h"

namespace tegula::test {

namespace {

template <class T> void chain(const T *a, const T *b, const T *c, T *sum, T *difference, T *squared, int n) {
  for (int i = 0; i < n; ++i) {
    sum[i] = cpu::add(cpu::mul(a[i], b[i]), c[i]);
    difference[i] = cpu::sub(c[i], cpu::mul(a[i], b[i]));
    squared[i] = cpu::sub(cpu::square(a[i]), c[i]);
  }
}

} // namespace

void chain_f32(const float *a, const float *b, const float *c, float *sum, float *difference, float *squared, int n) {
  chain(a, b, c, sum, difference, squared, n);
}
void chain_f64(const double *a, const double *b, const double *c, double *sum, double *difference, double *squared,
               int n) {
  chain(a, b, c, sum, difference, squared, n);
}

} // namespace tegula::test
