// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that go through memory a box at a time, where all of it would take more than there is:
//
//   a tile of 4 x 8 in boxes of 4 x 4:   0 0 0 0 1 1 1 1     box 1 starts at (0, 4)
//                                        0 0 0 0 1 1 1 1
//
// Along a dimension that is cut, boxes have a power of two of elements, so that bits of a coordinate say which box it
// is in, and the others where. A register's part of the coordinate and the thread's have no bit in common: the bits
// that are the registers' decide when the code is made, those that are the thread's when it runs.

#ifndef TEGULA_LAYOUT_BOXES_H
#define TEGULA_LAYOUT_BOXES_H

#include "layout/Placement.h"

namespace tegula::layout {

/// Who has elements of a box: these registers of the threads whose part of the coordinate has the bits `threadValue`
/// among `threadBits`. Where no bit is a thread's, that is all threads.
struct BoxShare {
  std::vector<bool> registers;
  Coordinate threadBits, threadValue;
};

class Boxes {
public:
  /// All of the tile in one box.
  explicit Boxes(std::vector<int64_t> tile = {}) : tile(tile), box(std::move(tile)) {}
  /// Extents of a box that are not the tile's are powers of two.
  Boxes(std::vector<int64_t> tile, std::vector<int64_t> box);

  const std::vector<int64_t> &shape() const { return box; }
  int64_t count() const;
  /// The elements of a box.
  int64_t elements() const;
  /// Where a box starts: the last dimension counts fastest.
  Coordinate start(int64_t number) const;

  bool isCut(unsigned dim) const { return box[dim] != tile[dim]; }
  /// Boxes of half as much along a dimension.
  void halve(unsigned dim);
  /// Where an element is in its box, or a part of its coordinate's bits.
  Coordinate within(Coordinate part) const;
  BoxShare share(const Placement &placement, const Coordinate &start) const;
  /// The bits of a thread's number that tell boxes apart.
  unsigned threadBits(const Placement &placement) const;

private:
  std::vector<int64_t> tile, box;
};

} // namespace tegula::layout

#endif // TEGULA_LAYOUT_BOXES_H
