// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models of layouts by division and remainder, which share nothing with the library's bits.

#ifndef TEGULA_TEST_LAYOUT_LAYOUTTESTSUPPORT_H
#define TEGULA_TEST_LAYOUT_LAYOUTTESTSUPPORT_H

#include "layout/Placement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tegula::layout {

using Shape = std::vector<int64_t>;

inline std::string text(const Shape &shape) {
  std::string result = "[";
  for (int64_t extent : shape)
    result += std::to_string(extent) + " ";
  return result + "]";
}

inline int64_t product(const Shape &shape) {
  int64_t result = 1;
  for (int64_t extent : shape)
    result *= extent;
  return result;
}

inline int64_t rowMajor(const Coordinate &at, const Shape &shape) {
  int64_t index = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    index = index * shape[dim] + at[dim];
  return index;
}

inline Coordinate fromRowMajor(int64_t index, const Shape &shape) {
  Coordinate at(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    at[dim] = index % shape[dim];
    index /= shape[dim];
  }
  return at;
}

inline Shape denseStrides(const Shape &shape) {
  Shape strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

inline DistributedLayout parsedLayout(std::string_view text) {
  Expected<DistributedLayout> layout = DistributedLayout::parse(text);
  EXPECT_TRUE(layout) << layout.message();
  return layout ? *layout : *DistributedLayout::parse("blocked<[], lanes []>");
}

/// What every placement promises, found by looking at every register of every thread.
inline void checkPlacement(const Placement &placement) {
  const Shape &shape = placement.shape();
  SCOPED_TRACE(text(shape) + " in " + placement.base().str());
  std::vector<int64_t> owners(static_cast<size_t>(product(shape)), 0);
  std::vector<ThreadField> fields = placement.threadFields();
  std::vector<Coordinate> registerParts;
  for (int64_t reg = 0; reg < placement.registersPerThread(); ++reg) {
    registerParts.push_back(placement.registerPart(reg));
    ASSERT_EQ(placement.findRegister(registerParts.back()), reg);
  }
  for (int64_t thread = 0; thread < placement.threads(); ++thread) {
    Coordinate threadPart = placement.threadPart(thread), byFields(shape.size(), 0);
    for (const ThreadField &field : fields)
      byFields[field.dim] |= ((thread >> field.threadBit) & ((int64_t(1) << field.width) - 1)) << field.coordinateBit;
    ASSERT_EQ(byFields, threadPart);
    bool isPrimary = (static_cast<uint64_t>(thread) & placement.copyMask()) == 0;
    ASSERT_EQ(placement.isPrimary(thread), isPrimary);
    for (int64_t reg = 0; reg < placement.registersPerThread(); ++reg) {
      Coordinate at = placement.coordinate(reg, thread);
      const Coordinate &registerPart = registerParts[static_cast<size_t>(reg)];
      for (size_t dim = 0; dim < shape.size(); ++dim) {
        ASSERT_EQ(at[dim], registerPart[dim] + threadPart[dim]);
        ASSERT_EQ(at[dim], registerPart[dim] | threadPart[dim]) << "a carry";
        ASSERT_TRUE(at[dim] >= 0 && at[dim] < shape[dim]);
      }
      ++owners[static_cast<size_t>(rowMajor(at, shape))];
      if (isPrimary)
        ASSERT_EQ(placement.primaryOwner(at), (Placement::Owner{reg, thread}));
      else
        ASSERT_EQ(at, placement.coordinate(reg, thread & ~static_cast<int64_t>(placement.copyMask())));
    }
  }
  // Each element has the same number of owners, which makes no thread hold an element twice.
  for (int64_t count : owners)
    ASSERT_EQ(count, placement.replication());
  ASSERT_EQ(placement.isReplicated(), placement.replication() > 1);
  ASSERT_EQ(placement.registersPerThread() * placement.threads(), product(shape) * placement.replication());
  for (size_t bit = 1; bit < fields.size(); ++bit)
    ASSERT_LT(fields[bit - 1].threadBit, fields[bit].threadBit);
}

/// The width of vectors along `dim`, by the words of its definition.
inline int64_t contiguousByDefinition(const Placement &placement, unsigned dim) {
  auto holds = [&](int64_t vector) {
    if (placement.registersPerThread() % vector)
      return false;
    for (int64_t reg = 0; reg < placement.registersPerThread(); ++reg) {
      Coordinate expected = placement.registerPart(reg - reg % vector);
      if (expected[dim] % vector)
        return false;
      expected[dim] += reg % vector;
      if (placement.registerPart(reg) != expected)
        return false;
    }
    // Threads start at multiples, too.
    for (int64_t thread = 0; thread < placement.threads(); ++thread)
      if (placement.threadPart(thread)[dim] % vector)
        return false;
    return true;
  };
  int64_t vector = 1;
  while (holds(vector * 2))
    vector *= 2;
  return vector;
}

/// Repetition can happen to put neighbours into neighbouring registers; it is the base tile that promises.
inline void checkContiguousVectors(const Placement &placement) {
  Shape base;
  for (const Dim &out : placement.base().outs())
    base.push_back(static_cast<int64_t>(out.size()));
  Expected<Placement> once = parsedLayout("linear<" + placement.base().str() + ">").on(base);
  ASSERT_TRUE(once) << once.message();
  for (unsigned dim = 0; dim < placement.rank(); ++dim) {
    ASSERT_EQ(placement.contiguousVector(dim), contiguousByDefinition(*once, dim)) << placement.base().str();
    ASSERT_LE(placement.contiguousVector(dim), contiguousByDefinition(placement, dim)) << placement.base().str();
  }
}

inline Placement placed(const DistributedLayout &layout, const Shape &shape) {
  Expected<Placement> placement = layout.on(shape);
  EXPECT_TRUE(placement) << placement.message();
  return placement ? *placement : *parsedLayout("blocked<[], lanes []>").on({});
}

} // namespace tegula::layout

#endif // TEGULA_TEST_LAYOUT_LAYOUTTESTSUPPORT_H
