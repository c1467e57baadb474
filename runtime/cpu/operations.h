// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and products that have begun and are not complete.

#ifndef TEGULA_RUNTIME_CPU_OPERATIONS_H
#define TEGULA_RUNTIME_CPU_OPERATIONS_H

#include "tegula/cpu/explicit/thread.h"

#include <deque>
#include <memory>
#include <vector>

namespace tegula::cpu::detail {

/// Who began it, for messages and observers.
struct origin {
  site where;
  int block, thread;
  std::int64_t number;
};

/// The part of a copy to shared memory that goes to one block.
struct load {
  origin from;
  box source;
  region target;           ///< All of the copy's, in the memory of the block that began it.
  std::int64_t begin, end; ///< The elements of the part.
  int block, barrier;      ///< Where it goes.
  std::byte fill;          ///< Of each byte of what is outside the array.
};

/// A tile on its way to shared memory of a block.
struct send {
  origin from;
  region target; ///< In that block's memory.
  copy_reduction reduction;
  int block, barrier; ///< Where it goes.
  std::vector<std::byte> held;
};

/// A copy to global memory.
struct store {
  origin from;
  region source;
  box target;
  copy_reduction reduction = copy_reduction::none;
  bool is_read = false, is_written = false;
  std::vector<std::byte> held; ///< What it has read.
};

/// The copies to global memory between two commits of a thread.
using group = std::vector<std::shared_ptr<store>>;

/// A copy to shared memory that the lanes of a thread make (PTX ISA, cp.async).
struct lane_copy {
  origin from;
  box source;
  region target;
  bool is_done = false;
};
using lane_copies = std::vector<std::shared_ptr<lane_copy>>;

struct product {
  origin from;
  region a, b;
  std::shared_ptr<void> a_in_registers;      ///< Null if `a` is in shared memory.
  std::shared_ptr<accumulation> before, sum; ///< sum = before + a @ b; they may be the same.
  bool accumulates = true;                   ///< Else sum = a @ b.
  part changed;                              ///< What of the sum it adds to; the rest is as before.
  bool is_done = false;
};

} // namespace tegula::cpu::detail

#endif // TEGULA_RUNTIME_CPU_OPERATIONS_H
