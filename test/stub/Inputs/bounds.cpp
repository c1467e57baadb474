// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the kernels of cpu-bounds.mlir on an array of 2 rows and 3 columns that lies inside a larger one, which must not
// change outside it.
#include <cstdio>
#include <vector>

namespace {

using kernel = void (*)(tegula::cpu::ref<float, 2>, std::int64_t);

bool run(const char *name, kernel function, std::int64_t at) {
  constexpr std::int64_t rows = 2, columns = 3, stride = 7, before = 20;
  std::vector<float> memory(64, 1.0F);
  std::printf("%s %d: ", name, static_cast<int>(at));
  try {
    function(tegula::array<float, 2>(memory.data() + before, {rows, columns}, {stride, 1}), at);
    std::puts("nothing");
  } catch (const tegula::error &e) {
    std::puts(e.what());
  }
  for (std::int64_t i = 0; i < 64; ++i) {
    const std::int64_t from = i - before;
    const bool inside = from >= 0 && from / stride < rows && from % stride < columns;
    if (!inside && memory[static_cast<std::size_t>(i)] < 1.0F)
      return false;
  }
  return true;
}

} // namespace

int main() {
  bool right = true;
  for (const std::int64_t i : {3, -1, 2})
    right &= run("element", tegula::kernels::element_0_cpu, i);
  for (const std::int64_t i : {-2, 1, 5})
    right &= run("window", tegula::kernels::window_0_cpu, i);
  for (const std::int64_t i : {2, 1})
    right &= run("part", tegula::kernels::part_0_cpu, i);
  for (const std::int64_t i : {3, -1, 2})
    right &= run("masked", tegula::kernels::masked_0_cpu, i);
  for (const std::int64_t i : {-2, -1, 5})
    right &= run("halo", tegula::kernels::halo_0_cpu, i);
  return right ? 0 : 1;
}
