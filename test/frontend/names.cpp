// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printed values are called what the source calls them, in the IR and in the CPU's code: arguments, locals, what loops
// carry. Text that is read back has the names of its arguments.
// RUN: tegulac --emit=tile %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tegula-opt %t.mlir | FileCheck %s --check-prefix=AGAIN
// RUN: tegulac --emit=cpu %s -o - | FileCheck %s --check-prefix=CPU
#include <tegula/tegula.h>
namespace tg = tegula;

struct Pair {
  int first, second;
};

TEGULA_KERNEL tg::array<int, 1> walk(tg::array<const int, 1> x, int limit) {
  auto result = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [&](auto x, auto o) {
        const auto i = tg::program_id(0);
        const int start = x[i];
        Pair pair{start, start};
        int sum = 0;
        for (int step = 0; step < limit; ++step)
          sum += step * start;
        while (pair.first < limit) {
          pair.first += sum;
          pair.second -= 1;
        }
        o[i] = pair.second;
      },
      tg::in(x), tg::out(result));
  return result;
}

// CHECK: tile.entry @walk(%x: !tile.array<i32, 1, const> {tile.name = "x"}, %limit: i32 {tile.name = "limit"})
// CHECK: %result = tile.empty
// CHECK: tile.launch "walk_0" {{.*}} args(in %[[X:x_[0-9]+]] = %x : {{.*}}, out %{{result_[0-9]+}} = %result : {{.*}}, scalar %[[LIMIT:limit_[0-9]+]] = %limit : i32)
// CHECK: %i = tile.program_id 0
// CHECK: %start = tile.extract
// CHECK: %sum = scf.for %step = {{.*}} to %[[LIMIT]] {{.*}} iter_args(%[[SUM:sum_[0-9]+]] = {{.*}})
// CHECK: arith.addi %[[SUM]],
// CHECK: %pair.first, %pair.second = scf.while (%[[FIRST:pair.first_[0-9]+]] = %start, %{{pair.second_[0-9]+}} = %start)
// CHECK: arith.cmpi slt, %[[FIRST]], %[[LIMIT]]
// CHECK: tile.full %pair.second

// AGAIN: tile.entry @walk(%x: {{.*}}, %limit: i32 {{.*}})
// AGAIN: args(in %{{x_[0-9]+}} = %x : {{.*}}, scalar %{{limit_[0-9]+}} = %limit : i32)

// CPU: void walk_0_cpu(std::int64_t grid_0, cpu::ref<const std::int32_t, 1> x, cpu::ref<std::int32_t, 1> result,
// CPU: for (std::int32_t step = 0; step < limit; ++step)
// CPU: sum = cpu::add(sum,
// CPU: while (pair_first < limit)
