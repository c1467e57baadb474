// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The explicit level (TMA, mbarriers and clusters: sm_90a and later): a program is a CTA of one or several warpgroups
// (option .threads). A warpgroup is 128 CUDA threads that compute on tiles together. The compiler does what is written:
// it neither splits nor reorders programs.
//   * Arrays are captured by [=] and are refs to global memory.
//   * Scratch is a local variable: shared memory (shared.h), barriers (barrier.h), accumulators (wgmma.h).
//   * Every warpgroup runs the whole body. Roles are plain C++: if (tg::axis_index("wg") == 0) { ... }
//   * Tiles have static extents, and accesses to global memory must be in bounds; copies (shared.h) handle array edges.
// Pipelined loops over copies and products: pipeline.h.
#pragma once

#include "axes.h"
#include "launch.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// Which CTAs of the launch a CTA may wait for, by semaphores (semaphore.h).
enum class waiting {
  /// Any CTA. All CTAs must be co-resident: a grid that does not fit on the GPU is a tegula::error of the call.
  any_block,
  /// Only CTAs with lower numbers, counted through the grid and then the cluster, the last axis fastest. GPUs start
  /// CTAs in the order of their numbers, so these have started, whatever the size of the grid.
  earlier_blocks
};
inline constexpr waiting any_block = waiting::any_block, earlier_blocks = waiting::earlier_blocks;

/// Options of tg::kernel, its first argument: {.grid = {{"m", 8}}, .threads = {"wg", 3}}.
struct kernel_options {
  /// {{"m", m}, {"n", n}}: one cluster per point. Without a grid, one cluster.
  named_grid grid = {};
  /// The CTAs of a cluster, constants: {{"cm", 2}, {"cn", 1}}. Their product is at most 16. Without it, one CTA.
  named_grid cluster = {};
  /// {"wg", 3}: the number of warpgroups of a CTA, a constant of at most 8. Without it, 1.
  sized_axis threads = {};
  /// Approximate float functions and divisions, and fused multiply-adds: math.h states the accuracy. A constant.
  bool approx_math = false;
  /// The maximal number of registers per CUDA thread at the start, a constant: a multiple of 8 from 24 to 248, and at
  /// most the CTA's share per thread: 168 with three warpgroups, 128 with four, 64 with eight. 0: as many as the code
  /// takes. Fewer registers let more CTAs share an SM, but may cause spills.
  int max_registers = 0;
  /// Leaves out the barriers that the compiler otherwise inserts between the warps of a warpgroup around accesses of
  /// shared memory by [...]. The program must then order what one warp writes and another one reads, by commit_smem or
  /// a barrier. A constant. It has no effect on the CPU, which therefore does not detect a missing barrier.
  bool unsafe_no_auto_barriers = false;
  /// Which CTAs others wait for, if any do; a constant. On the CPU, a wait for a CTA that has not started is a
  /// deadlock.
  waiting waiting_for = any_block;
};

/// Runs the body, which has no parameters, in every warpgroup of every CTA of every cluster of the grid:
///   tg::kernel({.grid = {{"m", tg::cdiv(x.dim(0), 64)}}, .threads = {"wg", 2}}, [=] { ... });
/// Cost: one launch of a CUDA kernel, 0.04 to 0.15 us over the driver's own cost on the host, and one tensor map per
/// array that TMA copies, which the host encodes.
template <class Body> constexpr void kernel(const kernel_options &, Body body) { body(), detail::no_result(); }
template <class Body>
  requires(!__is_convertible(Body, kernel_options))
constexpr void kernel(Body body) {
  body(), detail::no_result();
}

/// The direction of set_max_registers.
enum class register_change { increase, decrease };
inline constexpr register_change increase = register_change::increase, decrease = register_change::decrease;
/// set_max_registers<N> changes the number of registers per CUDA thread of this warpgroup to N from here on: warpgroups
/// that only copy release registers for those that compute. A thread starts with its share of the CTA's registers, at
/// most 240, or with .max_registers. An increase must raise the count, a decrease must lower it; the CTA's total never
/// exceeds that at the start.
/// Cost: one instruction of all four warps (PTX ISA, setmaxnreg); an increase blocks until registers are free.
template <int N> constexpr void set_max_registers(register_change) {
  static_assert(N >= 24 && N <= 256 && N % 8 == 0,
                "this number of registers per CUDA thread is not valid: write a multiple of 8 from 24 to 256");
}

/// Waits until the grids before this one in the stream have ended and their writes are visible: launches of one stream
/// overlap (CUDA, programmatic dependent launch). By default, every kernel waits when it starts. A kernel that calls
/// this function waits here instead: the code before the call overlaps the end of the previous grid, and must not touch
/// global memory that earlier calls read or write; barriers, shared memory and registers are safe.
///   tg::barrier_arrive(...); tg::griddepcontrol_wait(); tg::copy_gmem_to_smem(x.at(...), ...);
/// A warpgroup that does not call it may touch such arrays only after a barrier with one that did; the kernel waits at
/// its end in any case. Before sm_90 and on the CPU, launches do not overlap, and the call does nothing.
/// Cost: one instruction (PTX ISA, griddepcontrol.wait), and the waiting time.
void griddepcontrol_wait();
/// Allows the next launch of the stream to schedule its CTAs when all CTAs of this launch have called it or ended; that
/// launch still waits for the end of this one before it reads what this one writes. Without this call, a kernel of more
/// than 1024 CTAs allows it when it starts, others when they end.
/// Cost: one instruction (PTX ISA, griddepcontrol.launch_dependents).
void griddepcontrol_launch_dependents();

/// Runs the body concurrently in each of the four warps of this warpgroup, with the warp's number, 0 to 3:
///   tg::warp_map([&](auto warp) {                     // Four copies, each with its own barrier.
///     tg::copy_gmem_to_smem(x.at(warp), rows.at(warp), full.at(warp));
///     tg::barrier_wait(full.at(warp));
///     sums[warp] = rows[warp, 0] + rows[warp, 1];
///   });
/// A warp can compute scalars, load, store and atomically update single elements, issue copies and wait for its own
/// groups of them, arrive at barriers, and wait for barriers, semaphores and the other warps of its warpgroup. It can
/// print lines, and a tg::profile_scope is an event of the warp. An operation that a warpgroup executes once is
/// executed once by each warp that reaches it; a warp's arrival counts as one. A warp that waits for a barrier at all
/// must wait for every phase. The warpgroup as a whole may wait for a barrier if its warps have waited for the same
/// phases. The body has no tiles, and declares no objects of the warpgroup: shared memory, barriers and accumulators
/// are declared outside. What one warp writes, another one may read after a barrier or after warp_map, which returns
/// when all four warps have ended.
/// Cost: two barriers of the warpgroup. Warps that take different branches run concurrently.
template <class Body> constexpr void warp_map(Body body) { body(s64{}), detail::no_result(); }

} // namespace tegula
