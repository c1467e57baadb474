// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The explicit level (Hopper and later): a program is a CUDA block of one or several threads, and a thread is a
// warpgroup, 128 lanes that compute on tiles together. What is written happens: nothing is split or moved.
//   * Arrays are captured by [=] and are refs into global memory.
//   * Scratch is a local variable: shared memory (shared.h), barriers (barrier.h), accumulators (wgmma.h).
//   * Every thread runs the whole body. Roles are plain C++: if (tg::axis_index("wg") == 0) { ... }
//   * Tiles are static, and accesses to global memory lie inside the array; copies (shared.h) take care of its edges.
// Loops over copies and products: pipeline.h.
#pragma once

#include "axes.h"
#include "launch.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// Which blocks of the launch a block may wait for, by semaphores (semaphore.h).
enum class waiting {
  /// All of them run at once: a grid for which the GPU has no room is a tegula::error of the call.
  any_block,
  /// Those with lower numbers, counted through the grid and the cluster, its last axis fastest. GPUs begin blocks in
  /// the
  /// order of their numbers, so that these have begun, whatever the size of the grid.
  earlier_blocks
};
inline constexpr waiting any_block = waiting::any_block, earlier_blocks = waiting::earlier_blocks;

/// In front of a kernel's body: {.grid = {{"m", 8}}, .threads = {"wg", 3}}.
struct kernel_options {
  /// {{"m", m}, {"n", n}}: a cluster for every point. No grid: one.
  named_grid grid = {};
  /// The blocks of a cluster, constants: {{"cm", 2}, {"cn", 1}}. Their product is 16 at most. No cluster: one block.
  named_grid cluster = {};
  /// {"wg", 3}: how many threads a block has, a constant of 8 at most. Not given: 1.
  sized_axis threads = {};
  /// Fast functions and divisions of float, and fused multiply-adds: math.h says how accurate. A constant.
  bool approx_math = false;
  /// How many registers each lane begins with at most, a constant: a multiple of 8 from 24 to 248, and no more than a
  /// block has for each: 168 of three threads, 128 of four, 64 of eight. 0: as many as the code takes. Fewer let more
  /// blocks share a multiprocessor, and may spill to memory.
  int max_registers = 0;
  /// The warps of a thread do not wait for each other between accesses of shared memory by [...]: what one warp writes
  /// and another one reads is the program's to order, by commit_smem or a barrier. A constant. On the CPU nothing
  /// changes: it does not find what is missing.
  bool unsafe_no_auto_barriers = false;
  /// Whom blocks wait for, where they do: a constant. On the CPU a wait for a block that has not begun is a deadlock.
  waiting waiting_for = any_block;
};

/// Runs the body, which has no parameters, in every thread of every block of every cluster of the grid:
///   tg::kernel({.grid = {{"m", tg::cdiv(x.dim(0), 64)}}, .threads = {"wg", 2}}, [=] { ... });
/// Cost: one launch of a CUDA kernel, 0.04 to 0.15 us over the driver's own on the host, and a tensor map for each
/// array that TMA copies, which the host makes.
template <class Body> constexpr void kernel(const kernel_options &, Body body) { body(), detail::no_result(); }
template <class Body>
  requires(!__is_convertible(Body, kernel_options))
constexpr void kernel(Body body) {
  body(), detail::no_result();
}

/// What set_max_registers does.
enum class register_change { increase, decrease };
inline constexpr register_change increase = register_change::increase, decrease = register_change::decrease;
/// How many registers each lane of this thread has from here on: threads that only copy give theirs to those that
/// compute. A lane begins with as many as the block has for it, 240 at most, or with .max_registers. An increase gives
/// it more than it has, a decrease fewer; together, lanes never have more than at first.
/// Cost: an instruction of all four warps (PTX ISA, setmaxnreg); an increase waits until registers are free.
template <int N> constexpr void set_max_registers(register_change) {
  static_assert(N >= 24 && N <= 256 && N % 8 == 0, "a lane has 24 to 256 registers, a multiple of 8");
}

/// Waits until the grids before this one have ended, and what they wrote can be read: launches of one stream overlap
/// (CUDA, programmatic dependent launch), and Tegula lets every kernel wait as it begins. One that calls this waits
/// here instead: what comes before overlaps the end of the grid before, and touches nothing that calls before this one
/// read or write, in arrays; barriers, shared memory and registers are its own.
///   tg::barrier_arrive(...); tg::griddepcontrol_wait(); tg::copy_gmem_to_smem(x.at(...), ...);
/// Threads that do not come by touch such arrays only after one that did, and a barrier; at its end the kernel waits in
/// any case. Before sm_90 and on the CPU, launches do not overlap: it is there, and does nothing.
/// Cost: an instruction (PTX ISA, griddepcontrol.wait), and the time until that is so.
void griddepcontrol_wait();
/// The next launch of the stream may place its blocks when all blocks of this one have come here or have ended; it
/// waits for the end of this one before it reads what this one writes. A kernel without it allows that as it begins, if
/// it has more than 1024 blocks, and else at its end.
/// Cost: an instruction (PTX ISA, griddepcontrol.launch_dependents).
void griddepcontrol_launch_dependents();

/// Runs the body in each of the four warps of this thread, 32 lanes each, at the same time, with the number of the
/// warp, 0 to 3:
///   tg::warp_map([&](auto warp) {                     // Four copies, each with a barrier of its own.
///     tg::copy_gmem_to_smem(x.at(warp), rows.at(warp), full.at(warp));
///     tg::barrier_wait(full.at(warp));
///     sums[warp] = rows[warp, 0] + rows[warp, 1];
///   });
/// A warp computes numbers, reads, writes and updates single elements, issues copies and waits for its groups of them,
/// arrives at barriers, and waits for these, for semaphores, and for others of its thread; it prints lines, and a
/// tg::profile_scope is an event of the warp. What a thread does once, each warp does that comes there; its arrival is
/// one. Each warp that waits for a barrier at all waits for every phase; a thread waits for one as a whole where its
/// warps have waited for the same phases. There are no tiles here, and what belongs to a thread is declared outside.
/// What one warp writes another one reads behind a barrier, or behind the end: the thread goes on when all of its warps
/// have ended.
/// Cost: two barriers of the thread. Warps that take different ways run side by side.
template <class Body> constexpr void warp_map(Body body) { body(s64{}), detail::no_result(); }

} // namespace tegula
