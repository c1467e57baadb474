// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h" // Its own library's.

float shifted_once(float x) { return shifted(tegula::array<const float, 1>(&x, {1}))(0); }
