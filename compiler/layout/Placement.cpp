// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layout/Placement.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tegula::layout {
namespace {

int64_t countDistinct(std::vector<int64_t> &values) {
  std::sort(values.begin(), values.end());
  return std::unique(values.begin(), values.end()) - values.begin();
}

} // namespace

Placement::Placement(LinearMap folded, std::vector<int64_t> shape) : map(std::move(folded)), extents(std::move(shape)) {
  Expected<LinearMap> back = map.rightInverse();
  assert(back && "the bases of a layout reach each element");
  owners = *back;
  // The thread number's low bits are the lane, its high bits the warp, which is the order of the inputs.
  for (size_t in = 0; in < map.ins().size(); ++in)
    for (unsigned bit = 0; bit < map.ins()[in].bits; ++bit) {
      CoordinateBit target;
      std::vector<uint64_t> basis = map.basis(in, bit);
      for (unsigned dim = 0; dim < rank(); ++dim)
        if (basis[dim])
          target = {dim, static_cast<int64_t>(basis[dim])};
      if (in > 0 && !target.value)
        copies |= uint64_t(1) << threadBits.size();
      (in == 0 ? registerBits : threadBits).push_back(target);
    }
  registerCount <<= registerBits.size();
  for (unsigned dim = 0; dim < rank(); ++dim) {
    repeats.push_back(extents[dim] / static_cast<int64_t>(map.outs()[dim].size()));
    registerCount *= repeats.back();
  }
}

Coordinate Placement::gather(std::span<const CoordinateBit> bits, int64_t number) const {
  Coordinate result(rank(), 0);
  for (size_t bit = 0; bit < bits.size(); ++bit)
    if (bits[bit].value && (number >> bit) & 1)
      result[bits[bit].dim] |= bits[bit].value;
  return result;
}

Coordinate Placement::threadPart(int64_t thread) const {
  assert(thread >= 0 && thread < threads());
  return gather(threadBits, thread);
}

Coordinate Placement::registerPart(int64_t reg) const {
  assert(reg >= 0 && reg < registerCount);
  Coordinate result = gather(registerBits, reg);
  int64_t repetition = reg >> registerBits.size();
  for (unsigned dim = rank(); dim-- > 0;) {
    result[dim] += repetition % repeats[dim] * static_cast<int64_t>(map.outs()[dim].size());
    repetition /= repeats[dim];
  }
  return result;
}

Coordinate Placement::coordinate(int64_t reg, int64_t thread) const {
  Coordinate result = registerPart(reg);
  Coordinate rest = threadPart(thread);
  for (unsigned dim = 0; dim < rank(); ++dim)
    result[dim] += rest[dim];
  return result;
}

std::vector<ThreadField> Placement::threadFields() const {
  std::vector<ThreadField> fields;
  for (unsigned bit = 0; bit < threadBits.size(); ++bit) {
    const CoordinateBit &target = threadBits[bit];
    if (!target.value)
      continue;
    unsigned coordinateBit = static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(target.value)));
    if (!fields.empty()) {
      ThreadField &last = fields.back();
      if (last.dim == target.dim && last.threadBit + last.width == bit &&
          last.coordinateBit + last.width == coordinateBit) {
        ++last.width;
        continue;
      }
    }
    fields.push_back({bit, 1, target.dim, coordinateBit});
  }
  return fields;
}

uint64_t Placement::threadBitsAlong(std::span<const int64_t> dims) const {
  uint64_t bits = 0;
  for (const ThreadField &field : threadFields())
    if (std::find(dims.begin(), dims.end(), field.dim) != dims.end())
      bits |= ((uint64_t(1) << field.width) - 1) << field.threadBit;
  return bits;
}

Placement::Owner Placement::primaryOwner(std::span<const int64_t> coordinate) const {
  assert(coordinate.size() == rank());
  std::vector<uint64_t> within;
  int64_t repetition = 0;
  for (unsigned dim = 0; dim < rank(); ++dim) {
    assert(coordinate[dim] >= 0 && coordinate[dim] < extents[dim]);
    int64_t size = static_cast<int64_t>(map.outs()[dim].size());
    within.push_back(static_cast<uint64_t>(coordinate[dim] % size));
    repetition = repetition * repeats[dim] + coordinate[dim] / size;
  }
  std::vector<uint64_t> owner = owners.apply(within);
  int64_t reg = (repetition << registerBits.size()) | static_cast<int64_t>(owner[0]);
  int64_t thread = static_cast<int64_t>(owner[1] | owner[2] << map.ins()[1].bits);
  return {reg, thread};
}

std::optional<int64_t> Placement::findRegister(std::span<const int64_t> registerPart) const {
  if (registerPart.size() != rank())
    return std::nullopt;
  for (unsigned dim = 0; dim < rank(); ++dim)
    if (registerPart[dim] < 0 || registerPart[dim] >= extents[dim])
      return std::nullopt;
  // Thread 0 has no part of its own, so it is the owner of just the coordinates that are register parts.
  Owner owner = primaryOwner(registerPart);
  if (owner.thread != 0)
    return std::nullopt;
  return owner.reg;
}

int64_t Placement::replication() const { return int64_t(1) << std::popcount(copies); }

int64_t Placement::contiguousVector(unsigned dim) const {
  assert(dim < rank());
  int64_t vector = 1;
  for (const CoordinateBit &target : registerBits) {
    if (target.dim != dim || target.value != vector)
      break;
    vector *= 2;
  }
  return vector;
}

AccessCost Placement::accessCost(std::span<const int64_t> strides, int64_t elementBytes, int64_t vector,
                                 int64_t segmentBytes) const {
  assert(strides.size() == rank() && elementBytes > 0 && vector > 0 && segmentBytes > 0);
  AccessCost cost;
  for (int64_t warp = 0; warp < threads() / lanes(); ++warp)
    for (int64_t first = 0; first < registerCount; first += vector) {
      std::vector<int64_t> elements, segments;
      for (int64_t lane = 0; lane < lanes(); ++lane)
        for (int64_t reg = first; reg < std::min(first + vector, registerCount); ++reg) {
          Coordinate at = coordinate(reg, warp * lanes() + lane);
          int64_t element = 0;
          for (unsigned dim = 0; dim < rank(); ++dim)
            element += at[dim] * strides[dim];
          elements.push_back(element);
          int64_t last = ((element + 1) * elementBytes - 1) / segmentBytes;
          for (int64_t segment = element * elementBytes / segmentBytes; segment <= last; ++segment)
            segments.push_back(segment);
        }
      ++cost.accesses;
      cost.segments += countDistinct(segments);
      cost.leastSegments += (countDistinct(elements) * elementBytes + segmentBytes - 1) / segmentBytes;
    }
  return cost;
}

} // namespace tegula::layout
