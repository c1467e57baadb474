// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of the explicit level: software pipelines, which prefetch the blocks of later steps, persistent loops, and
// dynamic scheduling.
#pragma once

#include "blocks.h"
#include "kernel.h"
#include "shared.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// The buffers and barriers of warp-specialised pipelines that run back to back without draining: declare it outside
/// the loop around them, and pass .allocations = &it.
struct pipeline_allocations {};

/// Options of emit_pipeline, its first argument: {.grid = {steps}, .max_concurrent_steps = 4}.
struct pipeline_options {
  /// {m, n}: one step for every point, the last axis fastest. Without a grid, one step.
  grid_shape grid = {};
  /// The number of buffers (stages) of each block, a constant. A spec may override it for its block: {.buffers = 2}.
  int max_concurrent_steps = 1;
  /// How many further steps the inputs of a step stay valid, a constant: operations in flight may still read them. A
  /// spec may override it.
  int delay_release = 0;
};

/// Options of emit_pipeline_warp_specialized, its first argument. Members without a comment are as in pipeline_options.
struct warp_specialized_options {
  grid_shape grid = {};
  /// The axis of the kernel's warpgroups.
  axis wg_axis = "";
  /// The number of compute warpgroups: all warpgroups of the CTA but the last one, which copies.
  int num_compute_wgs = 1;
  /// The registers per CUDA thread of the copying warpgroup; the compute warpgroups share the rest. 0: registers are
  /// not redistributed.
  int memory_registers = 0;
  int max_concurrent_steps = 2;
  int delay_release = 0;
  /// The body itself waits for each block of a tg::in, in every step: tg::barrier_wait(a.ready()). Another block may
  /// still be in flight. A constant.
  bool manual_ready_barriers = false;
  /// The body itself releases each block of a tg::in, once in every step: tg::barrier_arrive(a.consumed()). By default
  /// all blocks are released delay_release steps after the body has ended. A constant.
  bool manual_consumed_barriers = false;
  pipeline_allocations *allocations = nullptr;
};

namespace detail {
// Instantiates the body with every number of indices that it takes before its blocks. tegulac checks that they are the
// axes of the grid.
template <class... Blocks, class Body, class... I> constexpr void call_with_blocks(Body &body, I... i) {
  if constexpr (requires { body(i..., some<Blocks>()...); })
    (void)body(i..., some<Blocks>()...);
  if constexpr (sizeof...(I) < max_rank)
    call_with_blocks<Blocks...>(body, i..., s64{});
}
template <class... Specs> consteval bool are_staged() {
  if constexpr (have_blocks<Specs...>)
    return (Specs::is_static && ...);
  return false;
}
template <class... Specs> inline constexpr bool have_static_extents = !have_blocks<Specs...> || are_staged<Specs...>();
template <class... Specs> constexpr void check_specs() {
  static_assert(are_specs<Specs...>,
                "an argument of a pipeline is not a block spec: wrap each array in tg::in, tg::out or tg::inout");
  static_assert(have_static_extents<Specs...>, "a block of a pipeline has run-time extents, but is buffered in shared "
                                               "memory: give static ones, tg::in<64, 64>(x, map)");
}
// The object that a compute warpgroup calls: pipeline(body).
template <class... Blocks> struct pipeline {
  template <class Body> constexpr void operator()(Body body) const { call_with_blocks<Blocks...>(body); }
};
} // namespace detail

/// One warpgroup both prefetches and computes: body(indices..., blocks...). In a CTA of several warpgroups, one of them
/// calls it. Blocks are refs to shared memory, from tg::in, tg::out and tg::inout. A tg::in block that is the same in
/// all steps is copied once. A tg::out block may be the same for several consecutive steps: they can accumulate into
/// it, and it is copied to the array after the last of them. A tg::inout block must differ in every step.
///   tg::emit_pipeline({.grid = {steps}, .max_concurrent_steps = 4},
///                     [](auto, auto a, auto o) { o[tg::all] = 2.0f * a[tg::all]; }, tg::in<64, 64>(x, map),
///                     tg::out<64, 64>(y, map, {.buffers = 2, .l2_eviction = tg::evict_first}));
/// Cost: max_concurrent_steps buffers of each block in shared memory, or as many as its spec says; one TMA copy per
/// block and step, issued ahead by a CUDA thread of the warpgroup; one barrier wait per step, and one more for each
/// further distinct .buffers or .delay_release among the specs.
template <class Body, class... Specs>
constexpr void emit_pipeline(const pipeline_options &, Body body, const Specs &...) {
  detail::check_specs<Specs...>();
  if constexpr (detail::are_staged<Specs...>())
    detail::call_with_blocks<typename Specs::smem_view...>(body);
}

/// The last warpgroup of the CTA prefetches (the producer), the others compute: compute(pipeline) runs on each of them,
/// does its setup, calls pipeline(body) once, and finishes. For a spec with {.collective_axes = {"cn"}}, the CTAs of
/// the cluster along these axes use the same block, and share the copy. A tg::out block is shared by all compute
/// warpgroups: each stores its part, and when all have reached the end of the step, the first one copies it to the
/// array.
///   tg::emit_pipeline_warp_specialized({.grid = {steps}, .wg_axis = "wg", .num_compute_wgs = 2},
///                                      [&](auto pipeline) { pipeline([&](auto, auto a, auto b) { ... }); }, ...);
/// Cost: buffers and copies as for emit_pipeline, and a producer warpgroup with memory_registers per CUDA thread; two
/// barriers per buffer, one of which each compute warpgroup arrives at when it releases the buffer. With tg::out,
/// several compute warpgroups synchronize once per step, with a single buffer twice (a named barrier of the CTA).
template <class Compute, class... Specs>
constexpr void emit_pipeline_warp_specialized(const warp_specialized_options &, Compute compute, const Specs &...) {
  detail::check_specs<Specs...>();
  if constexpr (detail::are_staged<Specs...>())
    compute(detail::pipeline<typename Specs::smem_view...>{});
}

/// One iteration of nd_loop: `auto [m, n] = step.index;`
template <int Rank> struct loop_step {
  s64 index[Rank];
  /// The number of this iteration among this program's own, and how many it has.
  s64 local_index, num_local_steps;
};
/// Options of nd_loop: the axes that share its iterations, and their order.
struct nd_loop_options {
  axis_names collective_axes = {};
  /// {4, 8}, constants, one per axis of the grid: iterations visit one tile of the grid after the other, and within a
  /// tile the last axis varies fastest. Tiles at the end of an axis may be smaller. Consecutive iterations thus share
  /// rows and columns in L2.
  s64 tiling[max_rank] = {};
};
/// Distributes the points of a grid cyclically over the programs along collective_axes (a persistent loop):
/// tg::nd_loop({m, n}, {.collective_axes = {"clusters"}}, [&](auto step) { ... });
/// Cost: a loop, and one division per grid axis and iteration, two with a tiling. Persistent programs save launches,
/// and may prefetch for the next iteration during the epilogue of this one.
template <int Rank, class Body> constexpr void nd_loop(const s64 (&)[Rank], const nd_loop_options &, Body body) {
  body(loop_step<Rank>{});
}

/// One iteration of dynamic_scheduling_loop.
template <int Rank> struct dynamic_step {
  s64 index[Rank];
  /// The number of this iteration among this cluster's own.
  s64 local_index;
};
/// Options of dynamic_scheduling_loop: the order of its steps.
struct dynamic_loop_options {
  /// As in nd_loop_options.
  s64 tiling[max_rank] = {};
};
/// Distributes the points of the kernel's grid dynamically: each cluster takes the next step when it is free, so that
/// all SMs stay busy even if steps differ in length. The axes are all axes of the grid; they determine the order of the
/// steps, the last one fastest. All warpgroups of the CTA must reach the loop, once, and execute each of its steps
/// together; so must the CTAs of a cluster.
///   tg::kernel({.grid = {{"m", m}, {"n", n}}, .threads = {"wg", 3}}, [=] {
///     tg::dynamic_scheduling_loop({"m", "n"}, {.tiling = {8, 8}}, [&](auto step) {
///       const auto [i, j] = step.index;
///       ...
///     });
///   });
/// Only about as many CTAs are launched as can be resident, and they have no index along the grid's axes. The CTA that
/// executes a step may differ from run to run. On the CPU the steps run in an arbitrary order, which TEGULA_CPU_SEED
/// selects.
/// Cost: one atomic add per step, by one CUDA thread of a cluster, whose result is used one step later; the CTA's
/// warpgroups wait for one barrier per step. The launch allocates 8 bytes of device memory for each loop and zeroes
/// them first.
template <int Rank, class Body>
constexpr void dynamic_scheduling_loop(const axis (&)[Rank], const dynamic_loop_options &, Body body) {
  body(dynamic_step<Rank>{});
}

/// The result of planar_snake.
struct planar_index {
  s64 i, j;
};
/// Maps a step to (i, j) in a serpentine order over shape: strips that are tile_width wide along minor_dim, every other
/// strip backwards. Consecutive steps share rows and columns.
///   const auto [m, n] = tg::planar_snake(step, {rows, columns}, 1, 12);
/// Cost: two integer divisions; it reduces L2 misses of consecutive steps.
constexpr planar_index planar_snake(s64 step, const s64 (&shape)[2], int minor_dim, s64 tile_width) {
  const s64 minor = minor_dim == 0 ? shape[0] : shape[1], major = minor_dim == 0 ? shape[1] : shape[0];
  const s64 full = minor / tile_width, strip = step / (tile_width * major);
  // The last strip may be narrower.
  const bool is_last = strip >= full;
  const s64 begin = is_last ? full : strip;
  const s64 width = is_last ? minor - full * tile_width : tile_width;
  const s64 inside = step - begin * tile_width * major;
  const s64 along = inside / width, across = begin * tile_width + (inside - along * width);
  const s64 ahead = begin % 2 == 0 ? along : major - 1 - along;
  const s64 i = minor_dim == 0 ? across : ahead, j = minor_dim == 0 ? ahead : across;
  return {i, j};
}

} // namespace tegula
