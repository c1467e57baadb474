// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls what host-can-map.mlir declares, and says what it launches.
#include "fake_driver.h"

#include <cstdio>

int main() {
  tegula::test::fake_driver fake({{90, "Hopper"}});
  fake.parameter_slots = {16, 16};
  const auto call = [&](const char *what, std::uintptr_t from, tegula::shape<2> dims, tegula::shape<2> strides,
                        tegula::shape<2> to_dims, tegula::shape<2> to_strides) {
    const auto on = tegula::device::gpu(0);
    fake.launches.clear();
    fake.maps.clear();
    zero({reinterpret_cast<const float *>(from), dims, strides, on},
         {reinterpret_cast<float *>(std::uintptr_t{0x10000}), to_dims, to_strides, on});
    std::printf("%s: %s", what, fake.launches.at(0).function.c_str());
    if (!fake.maps.empty())
      std::printf(", %zu maps", fake.maps.size());
    std::puts("");
  };
  call("dense", 0x1000, {5, 8}, {8, 1}, {8, 5}, {1, 8});
  call("x begins 4 bytes later", 0x1004, {5, 8}, {8, 1}, {8, 5}, {1, 8});
  call("rows of x are 36 bytes", 0x1000, {5, 8}, {9, 1}, {8, 5}, {1, 8});
  call("columns of y are 36 bytes", 0x1000, {5, 8}, {8, 1}, {8, 5}, {1, 9});
  call("y is stored row by row", 0x1000, {5, 8}, {8, 1}, {8, 4}, {4, 1});
  call("y ends inside 16 bytes", 0x1000, {5, 8}, {8, 1}, {7, 5}, {1, 8});
  call("no elements", 0x1000, {5, 0}, {8, 1}, {0, 5}, {1, 8});
}
