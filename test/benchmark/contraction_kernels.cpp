// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The samples' kernels, each file in a namespace of its own.
#include <tegula/tegula.h>

namespace softmaxes {
#include "softmax/kernels.cpp"
}
namespace layernorms {
#include "layernorm/kernels.cpp"
}
namespace sums {
#include "sums/kernels.cpp"
}
namespace matmuls {
#include "matmul/kernels.cpp"
}
