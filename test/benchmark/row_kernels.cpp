// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The samples' kernels over rows, each file in a namespace of its own.
#include <tegula/tegula.h>

namespace softmaxes {
#include "softmax/kernels.cpp"
}
namespace cross_entropies {
#include "cross_entropy/kernels.cpp"
}
namespace norms {
#include "norms/forward.cpp"
}
namespace norms_backward {
#include "norms/backward.cpp"
}
namespace rotations {
#include "rotary/kernels.cpp"
}
namespace dropouts {
#include "dropout/kernels.cpp"
}
namespace gates {
#include "gated/kernels.cpp"
}
