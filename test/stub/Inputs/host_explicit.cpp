// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls what host-explicit.mlir declares, on the CPU.
#include <cstdio>
#include <vector>

namespace {

template <class F> void refused(F f) {
  try {
    f();
    std::puts("done");
  } catch (const tegula::error &e) {
    std::puts(e.what());
  }
}

} // namespace

int main() {
  using tegula::bf16;
  std::vector<bf16> memory(64 * 64);
  std::vector<float> out(64 * 64);
  const tegula::array<const bf16, 2> a(memory.data(), {64, 64});
  const tegula::array<const bf16, 3> b(memory.data(), {1, 64, 64}), narrow(memory.data(), {1, 64, 32});
  const tegula::array<float, 2> c(out.data(), {64, 64});
  const tegula::array<float, 2> within_a(reinterpret_cast<float *>(memory.data()), {32, 32});
  refused([&] { multiply(a, narrow, c); });
  refused([&] { multiply(a, b, within_a); });
  refused([&] { multiply(a, b, c); });
}
