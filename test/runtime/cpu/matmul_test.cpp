// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole kernels: right ones are right under every seed, and one that lacks any of its waits goes wrong.
#include "support.h"

namespace explicit_level {
namespace {

constexpr int tile_m = 64, tile_n = 32, tile_k = 16, stages = 2;

/// What a kernel leaves out.
enum class lacks { nothing, wait_for_copy, wait_for_stage, wait_for_product, fence, wait_for_store };

struct operands {
  matrix<bf16> a, b;
  exact_product reference;
  matrix<float> c;

  operands(std::int64_t m, std::int64_t n, std::int64_t k)
      : a(random_matrix<bf16>(m, k, 1)), b(random_matrix<bf16>(k, n, 2)), reference(a, b), c(m, n, 1e30F) {}
  /// Of what a launch computes; 1 if it ends with an error.
  template <class Program> double error(const launch &shape, Program program) {
    c = matrix<float>(c.rows, c.columns, 1e30F);
    return error_of(shape, program).empty() ? reference.error_of(c) : 1;
  }
};

/// One thread copies, the other computes; a ring of stages between them.
void multiply(thread &self, operands &o, lacks what) {
  const auto a = window(ref<const bf16, 2>(o.a.view())), b = window(ref<const bf16, 2>(o.b.view()));
  const std::int64_t row = self.program(0) * tile_m, column = self.program(1) * tile_n;
  const std::int64_t steps = (o.a.columns + tile_k - 1) / tile_k;
  const auto as = self.shared<bf16, 3>(at(1), 0, {stages, tile_m, tile_k});
  const auto bs = self.shared<bf16, 3>(at(2), 1, {stages, tile_k, tile_n});
  const auto cs = self.shared<float, 2>(at(3), 2, {tile_m, tile_n});
  const auto full = self.alloc_barriers(at(4), "full", 0, stages, 2),
             empty = self.alloc_barriers(at(5), "empty", 1, stages, 1);
  if (self.index() == 1) {
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::int64_t stage = step % stages;
      if (what != lacks::wait_for_stage)
        self.barrier_wait(at(6), empty, stage, (step / stages + 1) % 2 != 0);
      self.copy_to_shared(at(7), a.part(0, row, tile_m).part(1, step * tile_k, tile_k), as.select(at(7), 0, stage),
                          full, stage);
      self.copy_to_shared(at(8), b.part(0, step * tile_k, tile_k).part(1, column, tile_n), bs.select(at(8), 0, stage),
                          full, stage);
    }
    return;
  }
  tegula::cpu::accumulator<float> sum({tile_m, tile_n}, 0.0F);
  for (std::int64_t step = 0; step < steps; ++step) {
    const std::int64_t stage = step % stages;
    if (what != lacks::wait_for_copy)
      self.barrier_wait(at(9), full, stage, step / stages % 2 != 0);
    self.wgmma(at(10), sum, as.select(at(10), 0, stage), bs.select(at(10), 0, stage));
    self.wgmma_wait(at(11), 1);
    if (step > 0) // The product before has read its stage.
      self.barrier_arrive(at(12), empty, (step - 1) % stages);
  }
  if (what != lacks::wait_for_product)
    self.wgmma_wait(at(13), 0);
  const auto out = self.write(at(14), cs);
  for (std::int64_t i = 0; i < tile_m; ++i)
    for (std::int64_t j = 0; j < tile_n; ++j)
      out(i, j) = sum(i, j);
  if (what != lacks::fence)
    self.fence_shared(at(15));
  self.copy_to_global(at(16), cs, window(o.c.view()).part(0, row, tile_m).part(1, column, tile_n), /*commit=*/true);
  if (what != lacks::wait_for_store)
    self.wait_group(at(17), 0);
}

double error_of_kernel(operands &o, lacks what) {
  return o.error({"multiply", {2, 3}, 2}, [&](thread &self) { multiply(self, o, what); });
}

TEST(ExplicitMatmul, IsRightUnderEverySeed) {
  operands o(100, 70, 150); // Edges on all sides.
  under_all_seeds([&] { EXPECT_LT(error_of_kernel(o, lacks::nothing), 1e-6); });
}

TEST(ExplicitMatmul, LackingAWaitOrFenceItGoesWrong) {
  operands o(100, 70, 150);
  const auto wrong = [&](lacks what) { return count_seeds([&] { return !(error_of_kernel(o, what) < 1e-6); }); };
  EXPECT_GE(wrong(lacks::wait_for_copy), seed_count * 9 / 10);
  EXPECT_GE(wrong(lacks::wait_for_stage), seed_count * 9 / 10);
  EXPECT_EQ(wrong(lacks::wait_for_product), seed_count);
  EXPECT_EQ(wrong(lacks::fence), seed_count);
  EXPECT_GE(wrong(lacks::wait_for_store), seed_count / 2);
}

// ---- Clusters: A is shared along axis 1, B along axis 0.

constexpr int cluster_m = 2, cluster_n = 2;

/// One thread that does it all: each stage is free again when the products of all blocks that it is shared with are
/// done.
void multiply_in_cluster(thread &self, operands &o) {
  const auto a = window(ref<const bf16, 2>(o.a.view())), b = window(ref<const bf16, 2>(o.b.view()));
  const std::int64_t row = (self.program(0) * cluster_m + self.cluster_index(0)) * tile_m;
  const std::int64_t column = (self.program(1) * cluster_n + self.cluster_index(1)) * tile_n;
  const std::int64_t steps = (o.a.columns + tile_k - 1) / tile_k;
  const auto as = self.shared<bf16, 2>(at(1), 0, {tile_m, tile_k});
  const auto bs = self.shared<bf16, 2>(at(2), 1, {tile_k, tile_n});
  const auto full = self.alloc_barriers(at(3), "full", 0, 1, 2);
  const auto empty = self.alloc_barriers(at(4), "empty", 1, 1, cluster_m + cluster_n - 1, {0, 1});
  tegula::cpu::accumulator<float> sum({tile_m, tile_n}, 0.0F);
  for (std::int64_t step = 0; step < steps; ++step) {
    self.barrier_wait(at(5), empty, 0, step % 2 == 0);
    self.copy_to_shared(at(6), a.part(0, row, tile_m).part(1, step * tile_k, tile_k), as, full, 0, {1});
    self.copy_to_shared(at(7), b.part(0, step * tile_k, tile_k).part(1, column, tile_n), bs, full, 0, {0});
    self.barrier_wait(at(8), full, 0, step % 2 != 0);
    self.wgmma(at(9), sum, as, bs);
    self.wgmma_wait(at(10), 0);
    self.barrier_arrive(at(11), empty, 0);
  }
  const auto out = window(o.c.view());
  for (std::int64_t i = 0; i < tile_m && row + i < o.c.rows; ++i)
    for (std::int64_t j = 0; j < tile_n && column + j < o.c.columns; ++j)
      self.write(at(12), out.select(0, row + i).select(0, column + j))() = sum(i, j);
}

TEST(ExplicitMatmul, InClustersIsRightUnderEverySeed) {
  operands o(150, 70, 50);
  const launch shape = {"multiply", {2, 2}, 1, {cluster_m, cluster_n}};
  under_all_seeds([&] { EXPECT_LT(o.error(shape, [&](thread &self) { multiply_in_cluster(self, o); }), 1e-6); });
}

} // namespace
} // namespace explicit_level
