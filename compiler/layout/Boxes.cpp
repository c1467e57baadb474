// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layout/Boxes.h"

#include <bit>
#include <cassert>

namespace tegula::layout {

Boxes::Boxes(std::vector<int64_t> tile, std::vector<int64_t> box) : tile(std::move(tile)), box(std::move(box)) {
  assert(this->tile.size() == this->box.size() && "a box has the dimensions of its tile");
  for (unsigned dim = 0; dim < this->box.size(); ++dim)
    assert((!isCut(dim) || std::has_single_bit(static_cast<uint64_t>(this->box[dim]))) && "boxes are cut by bits");
}

int64_t Boxes::count() const {
  int64_t count = 1;
  for (size_t dim = 0; dim < tile.size(); ++dim)
    count *= (tile[dim] + box[dim] - 1) / box[dim];
  return count;
}

int64_t Boxes::elements() const {
  int64_t elements = 1;
  for (int64_t extent : box)
    elements *= extent;
  return elements;
}

Coordinate Boxes::start(int64_t number) const {
  Coordinate start(tile.size(), 0);
  for (size_t dim = tile.size(); dim-- > 0;) {
    int64_t along = (tile[dim] + box[dim] - 1) / box[dim];
    start[dim] = number % along * box[dim];
    number /= along;
  }
  return start;
}

void Boxes::halve(unsigned dim) {
  assert(box[dim] > 1 && "one element has no half");
  box[dim] = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(box[dim])) / 2);
}

Coordinate Boxes::within(Coordinate part) const {
  for (unsigned dim = 0; dim < part.size(); ++dim)
    if (isCut(dim))
      part[dim] &= box[dim] - 1;
  return part;
}

BoxShare Boxes::share(const Placement &placement, const Coordinate &start) const {
  BoxShare share{std::vector<bool>(static_cast<size_t>(placement.registersPerThread()), true),
                 Coordinate(tile.size(), 0), Coordinate(tile.size(), 0)};
  for (const ThreadField &field : placement.threadFields())
    if (isCut(field.dim))
      share.threadBits[field.dim] |= (((int64_t(1) << field.width) - 1) << field.coordinateBit) & -box[field.dim];
  for (unsigned dim = 0; dim < tile.size(); ++dim)
    share.threadValue[dim] = start[dim] & share.threadBits[dim];
  for (int64_t reg = 0; reg < placement.registersPerThread(); ++reg) {
    Coordinate part = placement.registerPart(reg);
    for (unsigned dim = 0; dim < tile.size(); ++dim)
      if (isCut(dim) && (part[dim] & -box[dim]) != (start[dim] & ~share.threadBits[dim]))
        share.registers[static_cast<size_t>(reg)] = false;
  }
  return share;
}

unsigned Boxes::threadBits(const Placement &placement) const {
  unsigned count = 0;
  for (int64_t bits : share(placement, start(0)).threadBits)
    count += static_cast<unsigned>(std::popcount(static_cast<uint64_t>(bits)));
  return count;
}

} // namespace tegula::layout
