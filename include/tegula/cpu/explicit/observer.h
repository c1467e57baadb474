// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of checkers of the explicit level: they see every access, wait and completion of a launch, in order.

#ifndef TEGULA_CPU_EXPLICIT_OBSERVER_H
#define TEGULA_CPU_EXPLICIT_OBSERVER_H

#include "tegula/cpu/explicit/region.h"

namespace tegula::cpu {

enum class event_kind {
  thread_begin,
  thread_end,
  read, ///< The thread's own accesses, of shared or global memory, by `memory`.
  write,
  update,     ///< Of single elements, each in one step.
  fence,      ///< What the thread wrote to shared memory is now seen by copies and products.
  arrive,     ///< At `barrier` of block `target`; once for each block.
  phase_end,  ///< `barrier` of block `target` completes phase `number`.
  wait_begin, ///< For phase `number` of `barrier`.
  wait_end,
  load_begin, ///< A copy to shared memory; `memory` is its target in the block, `array` its source.
  load_end,   ///< A part of it is in block `target`: `memory`, there.
  send_begin, ///< A store to shared memory that a barrier counts; `memory` is its target, in block `target`.
  send_end,
  store_begin, ///< A copy to global memory: `memory` is its source, `array` its target.
  store_read,  ///< It has read its source.
  store_end,
  commit,
  group_wait_begin, ///< Until `number` groups of copies to global memory are in flight.
  group_wait_end,
  read_wait_begin, ///< Until `number` groups of them have not read their sources.
  read_wait_end,
  product_begin, ///< `memory` and `other` are its operands; the first has no data if it is in registers.
  product_end,
  product_wait_begin, ///< Until `number` products are in flight.
  product_wait_end,
  copy_begin, ///< A copy to shared memory by the thread itself; `memory` is its target, `array` its source.
  copy_end,
  copy_commit,
  copy_wait_begin, ///< Until `number` groups of these are in flight.
  copy_wait_end,
  signal,          ///< `number` is added to a semaphore.
  signal_wait_end, ///< A semaphore is as large as `number`.
  grid_arrive,     ///< At the barrier of all blocks, for phase `number`.
  grid_wait_end
};

struct event {
  event_kind kind;
  std::int64_t cluster;        ///< Counted through the grid.
  int block, thread;           ///< Who does it, or has begun it.
  site where;                  ///< Of the access, or of what began it.
  std::int64_t operation = -1; ///< The copy or product, numbered through the cluster.
  int target = -1, barrier = -1;
  std::int64_t number = 0;
  const region *memory = nullptr, *other = nullptr;
  const box *array = nullptr;
};

/// Receives events. It may throw an error to end the launch, except while an operation completes: kinds *_end and
/// store_read.
class observer {
public:
  virtual ~observer() = default;
  virtual void on(const event &) = 0;
};

/// Sets the observer of later launches; null for none. It is called by the OS thread that launches.
void set_observer(observer *) noexcept;

} // namespace tegula::cpu

#endif // TEGULA_CPU_EXPLICIT_OBSERVER_H
