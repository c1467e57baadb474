// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries of two namespaces that would be one PyTorch operator, of which no call says which is meant.
// RUN: not tegulac --emit=torch %s -o - 2>&1 | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;

namespace one {
TEGULA_KERNEL void clear(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = 0.0f; }, tg::out(x));
}
} // namespace one
namespace other {
// CHECK: torch-errors-alike.cpp:[[@LINE+1]]:{{[0-9]+}}: error: entries 'one::clear' and 'other::clear' cannot both be the PyTorch operator 'clear': they take tensors of the same types; rename one
TEGULA_KERNEL void clear(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = 1.0f; }, tg::out(x));
}
} // namespace other
