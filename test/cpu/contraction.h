// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_TEST_CPU_CONTRACTION_H
#define TEGULA_TEST_CPU_CONTRACTION_H

namespace tegula::test {

/// a * b + c, c - a * b and a * a - c by the reference semantics.
void chain_f32(const float *a, const float *b, const float *c, float *sum, float *difference, float *squared, int n);
void chain_f64(const double *a, const double *b, const double *c, double *sum, double *difference, double *squared,
               int n);

} // namespace tegula::test

#endif // TEGULA_TEST_CPU_CONTRACTION_H
