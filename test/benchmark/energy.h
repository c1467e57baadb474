// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "products.h"

namespace benchmark {

/// Multiplies 8192 x 8192 matrices of bf16 each way in turn, and prints the energy that a product
/// takes.
void measure_energy(const cublas_lt *peer);

} // namespace benchmark
