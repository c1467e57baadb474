// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How two-pass reductions cut columns (TwoPass.h): by the bytes that thread groups have in flight. What was measured is
// in RESULTS.md of test/benchmark.
#pragma once

#include "transforms/split/GroupShape.h"
#include "transforms/split/two_pass/DividedReductions.h"

namespace tegula::split {

/// How the columns of some reductions are cut, which have the same sources.
class ColumnCut {
public:
  ColumnCut(llvm::ArrayRef<DividedReduction> targets, const GroupShape &shape);

  /// Columns of partial results that a thread group combines: there are thread groups for all multiprocessors even of
  /// 1000 columns, and each access takes whole sectors.
  static constexpr int64_t ofRest = 16;
  /// Partial results have few rows, and those behind the last full chunk are taken by so many for each thread.
  static constexpr int64_t restOfPartials = 2;

  /// Bytes of the smallest element that is loaded.
  int64_t smallestElement() const { return smallest; }
  /// Columns of a sub-tile: of one pass, and of the first of two, for many columns and for few.
  int64_t inOnePass() const { return std::min(shape.columns, 128 / smallest); }
  int64_t wide() const { return wideBytes / smallest; }
  int64_t narrow() const { return 32 / smallest; }
  /// So many or fewer columns are few: wide sub-tiles would be mostly empty.
  int64_t few(bool isAligned) const { return wide() / (isAligned ? 4 : 2); }

  /// The chunks of a pass over arrays that are, or are not, known to allow accesses of 16 bytes.
  GroupShape shapeOf(bool isAligned) const;
  /// Thread groups of the first pass that have enough in flight.
  int64_t wantedGroups(bool isAligned) const;

private:
  /// Rows are read fastest in long stretches.
  static constexpr int64_t wideBytes = 512;

  GroupShape shape;
  int64_t smallest = 8;
  /// Of all arrays with columns: how many they are, and the bytes of an element of each.
  int64_t arrays = 0, bytesOfElements = 0;
};

} // namespace tegula::split
