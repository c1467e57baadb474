// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of the explicit level: pipelines, which copy the blocks of coming steps while a step computes, and the shares
// of programs that stay.
#pragma once

#include "blocks.h"
#include "kernel.h"
#include "shared.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// Buffers and barriers of warp-specialised pipelines that run on into one another: declare it outside the loop around
/// them, and pass .allocations = &it.
struct pipeline_allocations {};

/// In front of emit_pipeline's body: {.grid = {steps}, .max_concurrent_steps = 4}.
struct pipeline_options {
  /// {m, n}: one step for every point, the last axis fastest. No grid: one step.
  grid_shape grid = {};
  /// For how many steps there are buffers, a constant. A spec may say otherwise for its block: {.buffers = 2}.
  int max_concurrent_steps = 1;
  /// For how many steps more a step's inputs stay, a constant: products in flight may read them. A spec may say
  /// otherwise.
  int delay_release = 0;
};

/// In front of emit_pipeline_warp_specialized's body. What is not said here is as in pipeline_options.
struct warp_specialized_options {
  grid_shape grid = {};
  /// The axis of the kernel's threads.
  axis wg_axis = "";
  /// All threads but the last one compute; that one copies.
  int num_compute_wgs = 1;
  /// The registers of a lane that copies; those that compute share the rest. 0: nothing changes.
  int memory_registers = 0;
  int max_concurrent_steps = 2;
  int delay_release = 0;
  /// The body waits for each block of a tg::in itself, in every step: tg::barrier_wait(a.ready()). Another block may
  /// still be on its way. A constant.
  bool manual_ready_barriers = false;
  /// The body says when it is done with each block of a tg::in, once in every step: tg::barrier_arrive(a.consumed()).
  /// Without it, it is done with all of them when it ends, and delay_release steps after. A constant.
  bool manual_consumed_barriers = false;
  pipeline_allocations *allocations = nullptr;
};

namespace detail {
// Instantiates the body with as many indices as it takes before its blocks. Whether these are the axes of the grid,
// tegulac says.
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
  static_assert(are_specs<Specs...>, "a pipeline takes its arrays through tg::in, tg::out or tg::inout");
  static_assert(have_static_extents<Specs...>,
                "the blocks of a pipeline lie in shared memory: their extents are static");
}
// What a compute thread calls: pipeline(body).
template <class... Blocks> struct pipeline {
  template <class Body> constexpr void operator()(Body body) const { call_with_blocks<Blocks...>(body); }
};
} // namespace detail

/// One thread copies ahead and computes: body(indices..., blocks...). In a block of several threads, one of them calls
/// it. Blocks are refs into shared memory, of tg::in, tg::out and tg::inout. A block of tg::in that is the same in all
/// steps is copied once. A block of tg::out may be the same for steps in a row: what they store adds up there, and goes
/// to its array after the last of them. The block of a tg::inout is another one in every step.
///   tg::emit_pipeline({.grid = {steps}, .max_concurrent_steps = 4},
///                     [](auto, auto a, auto o) { o[tg::all] = 2.0f * a[tg::all]; }, tg::in<64, 64>(x, map),
///                     tg::out<64, 64>(y, map, {.buffers = 2, .l2_eviction = tg::evict_first}));
/// Cost: max_concurrent_steps buffers of each block in shared memory, or as many as its spec says; a TMA copy for each
/// block and step, issued ahead by a lane of the computing thread; a wait for a barrier a step, and one more for each
/// other number of buffers, or steps that blocks stay.
template <class Body, class... Specs>
constexpr void emit_pipeline(const pipeline_options &, Body body, const Specs &...) {
  detail::check_specs<Specs...>();
  if constexpr (detail::are_staged<Specs...>())
    detail::call_with_blocks<typename Specs::smem_view...>(body);
}

/// The last thread of the block copies ahead, the others compute: compute(pipeline) runs on each of them, sets up,
/// calls pipeline(body) once, and finishes. A spec with {.collective_axes = {"cn"}} is the same block for the blocks of
/// the cluster along these axes: they share the copying. A block of tg::out is that of all threads that compute: each
/// stores its part, and when all have come to the end of the step, the first one copies it to the array.
///   tg::emit_pipeline_warp_specialized({.grid = {steps}, .wg_axis = "wg", .num_compute_wgs = 2},
///                                      [&](auto pipeline) { pipeline([&](auto, auto a, auto b) { ... }); }, ...);
/// Cost: buffers and copies as emit_pipeline, and one warpgroup, which only copies, with memory_registers for each
/// lane; two barriers a buffer, one of which each computing thread arrives at when it is done with the buffer. With
/// tg::out, several threads that compute synchronize once a step, with one buffer twice (a named barrier of the block).
template <class Compute, class... Specs>
constexpr void emit_pipeline_warp_specialized(const warp_specialized_options &, Compute compute, const Specs &...) {
  detail::check_specs<Specs...>();
  if constexpr (detail::are_staged<Specs...>())
    compute(detail::pipeline<typename Specs::smem_view...>{});
}

/// One iteration of nd_loop: `auto [m, n] = step.index;`
template <int Rank> struct loop_step {
  s64 index[Rank];
  /// Counts this program's own iterations.
  s64 local_index, num_local_steps;
};
/// Which axes share the iterations of nd_loop, and in which order they come.
struct nd_loop_options {
  axis_names collective_axes = {};
  /// {4, 8}, constants, one for each axis of the grid: the steps do one tile of the grid after the other, and within it
  /// the last axis runs fastest. Tiles at the end of an axis may be smaller. Steps near in time share rows and columns.
  s64 tiling[max_rank] = {};
};
/// The iterations of a grid, dealt to the programs along the axes in turn: tg::nd_loop({m, n}, {.collective_axes =
/// {"clusters"}}, [&](auto step) { ... });
/// Cost: a loop, and a division for each axis of the grid and iteration, two with a tiling. Programs that stay save
/// launches of their own, and may copy for the next iteration while one ends.
template <int Rank, class Body> constexpr void nd_loop(const s64 (&)[Rank], const nd_loop_options &, Body body) {
  body(loop_step<Rank>{});
}

/// One iteration of dynamic_scheduling_loop.
template <int Rank> struct dynamic_step {
  s64 index[Rank];
  /// Counts this cluster's own iterations.
  s64 local_index;
};
/// In which order the steps of dynamic_scheduling_loop are taken.
struct dynamic_loop_options {
  /// As in nd_loop_options.
  s64 tiling[max_rank] = {};
};
/// The points of the kernel's grid, each of which is done by whichever cluster is free: with long steps and short ones,
/// all multiprocessors are busy to the end. The axes are all of the grid's; they say in which order the steps are
/// taken, the last one fastest. All threads of the block come to the loop, once, and do each of its steps together; so
/// do the blocks of a cluster.
///   tg::kernel({.grid = {{"m", m}, {"n", n}}, .threads = {"wg", 3}}, [=] {
///     tg::dynamic_scheduling_loop({"m", "n"}, {.tiling = {8, 8}}, [&](auto step) {
///       const auto [i, j] = step.index;
///       ...
///     });
///   });
/// About as many blocks are launched as run at once, and they have no index along the grid's axes themselves. Which
/// block does a step may change from run to run. On the CPU the steps come in any order, which TEGULA_CPU_SEED decides.
/// Cost: an atomic addition a step, by one lane of a cluster, whose result is used a step later; the block's threads
/// wait for one barrier a step. The launch takes 8 bytes of device memory for each loop and sets them to zero before.
template <int Rank, class Body>
constexpr void dynamic_scheduling_loop(const axis (&)[Rank], const dynamic_loop_options &, Body body) {
  body(dynamic_step<Rank>{});
}

/// What planar_snake returns.
struct planar_index {
  s64 i, j;
};
/// Step -> (i, j) of a walk over shape in strips that are tile_width wide along minor_dim, every other strip backwards:
/// steps that are near in time share rows and columns.
///   const auto [m, n] = tg::planar_snake(step, {rows, columns}, 1, 12);
/// Cost: two divisions of integers; what L2 is asked for by steps near in time becomes less.
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
