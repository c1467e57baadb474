// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a tile comes from one layout into another.
//
// 1. Each bit of a coordinate is a bit of the register, the lane or the warp, before and after. A thread that has bit 1
//    of a column in its registers and gets bit 0 there instead finds both in the same place:
//
//      blocked<[4], ...>  ->  another order of the same four: no element leaves its thread
//
// 2. What was in registers and is to be in lanes is *selected*: where all lanes hold copies of a row and each is to
//    have one element, lane l keeps its own. That takes no exchange, either.
// 3. What was in lanes comes by a *shuffle*, by which each lane reads a register of another. Which lane that is, is
//    a linear function of the bits of the reader's number, plus a constant for each register. In a transposition of
//    2 x 2, register r of lane l is to have what register l of lane r has. Lane l can give only one register at a time,
//    so in round q it gives register l xor q and reads from lane l xor q: both know without asking. The reader puts
//    it into register l xor q. For q = 0 it is its own, and one shuffle is enough, with selects on both sides.
//    Where no bit of the giver's number tells what the reader wants, all that it may want is read, and it selects.
// 4. What leaves its warp goes through shared memory, as does what costs less there: a long way, but one that each
//    element takes but once. Rows may lie in shared memory with a gap, or with their units of 16 bytes in another order
//    in each, so that few accesses conflict in a bank.

#ifndef TEGULA_LAYOUT_RELAYOUT_H
#define TEGULA_LAYOUT_RELAYOUT_H

#include "layout/Boxes.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tegula::layout {

/// One value that a thread makes of others. Values are numbered: first the words of the source, then the results of the
/// steps before.
struct RelayoutStep {
  enum class Kind { Select, Shuffle };
  Kind kind;
  /// Select: `first` where this bit of the thread's number is 0, else `second`.
  unsigned threadBit;
  int64_t first, second;
  /// Shuffle: `first` of the lane sourceLane(thread) xor this.
  uint64_t lane;

  bool operator==(const RelayoutStep &) const = default;
};

/// A relayout within warps, by words: neighbouring registers that stay together.
struct WarpRelayout {
  int64_t wordElements = 1;
  /// What each bit of a thread's number adds (xor) to the lane that it reads from.
  std::vector<uint64_t> sourceLanes;
  std::vector<RelayoutStep> steps;
  /// The value that each word of the result is.
  std::vector<int64_t> results;

  uint64_t sourceLane(uint64_t thread) const;
  /// Whether lanes read from their own number xor a constant.
  bool isButterfly(int64_t lanes) const;
  int64_t shuffles() const { return count(RelayoutStep::Kind::Shuffle); }
  int64_t selects() const { return count(RelayoutStep::Kind::Select); }

private:
  int64_t count(RelayoutStep::Kind kind) const;
};

/// A relayout through shared memory, where the tile, or a box of it at a time, lies in row-major order.
struct MemoryRelayout {
  Boxes boxes;
  /// The elements from one row to the next: those of a row, and perhaps a gap.
  int64_t pitch = 1;
  /// The elements that a box takes, gaps included.
  int64_t elements = 1;
  /// Where rows are swizzled: these bits of a unit's number are xored with as many from `swizzleShift` on of its byte.
  int64_t swizzleMask = 0;
  unsigned swizzleShift = 0;
  /// The neighbours along the last dimension that one access moves, going there and coming back.
  int64_t storeVector = 1, loadVector = 1;
  /// How often each warp gets the banks for it (in one cycle, each bank has one word of 4 bytes for all lanes).
  int64_t wavefronts = 0;

  static constexpr int64_t unitBytes = 16;
  /// Where a byte of the box lies that would lie here. Linear: swizzled(a ^ b) is swizzled(a) ^ swizzled(b).
  int64_t swizzled(int64_t byte) const { return byte ^ ((byte >> swizzleShift) & swizzleMask) * unitBytes; }
};

enum class RelayoutRoute { Registers, Shuffles, Memory };

struct Relayout {
  RelayoutRoute route = RelayoutRoute::Memory;
  /// Set where no element leaves its warp, even if memory costs less.
  std::optional<WarpRelayout> warp;
  MemoryRelayout memory;
};

/// The layouts are those of one tile, on the same thread group, which may have so many bytes of shared memory. Elements
/// of one bit take a byte there. A tile that takes more goes in boxes; warps exchange it by shuffles if they can.
Relayout planRelayout(const Placement &from, const Placement &to, int64_t elementBits, int64_t memoryBytes);

} // namespace tegula::layout

#endif // TEGULA_LAYOUT_RELAYOUT_H
