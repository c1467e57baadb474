// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/NamedLayouts.h"

#include "layout/MmaLayouts.h"

#include <algorithm>
#include <bit>

namespace tegula::layout {
namespace {

constexpr int64_t warpgroupThreads = 128;

using Basis = std::vector<uint64_t>;
using InputBases = std::vector<Basis>;

/// A layout from the images of the bits of register, lane and warp. Its base tile reaches as far as these do.
DistributedLayout made(InputBases registers, InputBases lanes, InputBases warps) {
  std::vector<uint64_t> reach(2, 1);
  for (const InputBases *input : {&registers, &lanes, &warps})
    for (const Basis &basis : *input)
      for (size_t dim = 0; dim < reach.size(); ++dim)
        reach[dim] += basis[dim];
  std::vector<Dim> ins = {{"register", static_cast<unsigned>(registers.size())},
                          {"lane", static_cast<unsigned>(lanes.size())},
                          {"warp", static_cast<unsigned>(warps.size())}};
  std::vector<Dim> outs;
  for (size_t dim = 0; dim < reach.size(); ++dim)
    outs.push_back({"d" + std::to_string(dim), static_cast<unsigned>(std::countr_zero(reach[dim]))});
  return *DistributedLayout::create(
      *LinearMap::create(std::move(ins), std::move(outs), {std::move(registers), std::move(lanes), std::move(warps)}));
}

/// Each warp has 16 rows of 64.
InputBases rowsOfWarps() { return {{16, 0}, {32, 0}}; }

/// Of wgmma's tiles, where 4 lanes share a row: what these 4 have, and a lane's neighbours along the row. Two such
/// tiles side by side are what ldmatrix loads.
DistributedLayout ofQuads(uint64_t neighbours, const InputBases &quad, bool isPair = false) {
  InputBases registers, lanes = quad;
  for (uint64_t element = 1; element < neighbours; element *= 2)
    registers.push_back({0, element});
  registers.push_back({8, 0});
  if (isPair)
    registers.push_back({0, 4 * neighbours});
  for (uint64_t row : {1, 2, 4})
    lanes.push_back({row, 0});
  return made(std::move(registers), std::move(lanes), rowsOfWarps());
}

DistributedLayout rightFactor(uint64_t elements) {
  InputBases registers;
  for (uint64_t element = 1; element < elements; element *= 2)
    registers.push_back({element, 0});
  registers.push_back({4 * elements, 0});
  return made(std::move(registers), {{elements, 0}, {2 * elements, 0}, {0, 1}, {0, 2}, {0, 4}}, {{0, 0}, {0, 0}});
}

/// A tile of 8 rows as wide as the swizzle, or more, for each warp in turn: side by side as far as the rows go.
Expected<DistributedLayout> copied(std::span<const int64_t> shape, int64_t elementBits, int64_t swizzle) {
  if (swizzle != 64 && swizzle != 128)
    return Failure{"rows are copied in chunks of 64 or 128 bytes, not of " + std::to_string(swizzle)};
  auto columns = static_cast<uint64_t>(swizzle * 8 / elementBits), vector = static_cast<uint64_t>(128 / elementBits);
  if (shape[1] % static_cast<int64_t>(columns) != 0)
    return Failure{"rows of " + std::to_string(shape[1]) + " elements do not divide into chunks of " +
                   std::to_string(swizzle) + " bytes"};
  InputBases registers, lanes, warps;
  for (uint64_t element = 1; element < vector; element *= 2)
    registers.push_back({0, element});
  for (uint64_t column = vector; column < columns; column *= 2)
    lanes.push_back({0, column});
  uint64_t row = 1;
  for (; lanes.size() < 5; row *= 2)
    lanes.push_back({row, 0});
  for (; row < 8; row *= 2)
    registers.push_back({row, 0});
  int64_t across = shape[1] / static_cast<int64_t>(columns);
  for (; warps.size() < 2 && across % 2 == 0; across /= 2, columns *= 2)
    warps.push_back({0, columns});
  for (; warps.size() < 2; row *= 2)
    warps.push_back({row, 0});
  return made(std::move(registers), std::move(lanes), std::move(warps));
}

Expected<DistributedLayout> strided(std::span<const int64_t> shape, int64_t elementBits, int64_t vector) {
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  if (vector == 0)
    vector = std::max<int64_t>(1, std::min<int64_t>(64 / elementBits, size / warpgroupThreads));
  if (vector < 1 || !std::has_single_bit(static_cast<uint64_t>(vector)))
    return Failure{"the number of contiguous elements of each lane must be a power of two, not " +
                   std::to_string(vector)};
  if (size % (vector * warpgroupThreads) != 0)
    return Failure{"the number of elements, " + std::to_string(size) + ", is not a multiple of the " +
                   std::to_string(vector * warpgroupThreads) + " that " + std::to_string(warpgroupThreads) +
                   " lanes have with " + std::to_string(vector) + " each"};
  return DistributedLayout::blocked(shape, warpgroupThreads, vector);
}

struct Name {
  LayoutName name;
  const char *text;
};
/// Those that a layout tells by itself: the first that fits is what it is called.
constexpr Name described[] = {{LayoutName::wgmma, "wgmma"},
                              {LayoutName::wgmma8Bit, "wgmma_8bit"},
                              {LayoutName::wgmmaUpcast2x, "wgmma_upcast_2x"},
                              {LayoutName::wgmmaUpcast4x, "wgmma_upcast_4x"},
                              {LayoutName::wgmmaTransposed, "wgmma_transposed"},
                              {LayoutName::mmaLeft, "mma_lhs"},
                              {LayoutName::mmaRight, "mma_rhs"}};

Expected<DistributedLayout> layoutNamed(LayoutName name, std::span<const int64_t> shape, int64_t elementBits,
                                        int64_t parameter) {
  auto perRegister = static_cast<uint64_t>(std::max<int64_t>(1, 32 / elementBits));
  switch (name) {
  case LayoutName::wgmma:
  case LayoutName::mmaAccumulator:
    return DistributedLayout::wgmmaAccumulator();
  case LayoutName::wgmma8Bit:
    return ofQuads(4, {{0, 4}, {0, 8}}, shape[1] % 32 == 0);
  case LayoutName::wgmmaUpcast2x:
    return ofQuads(4, {{0, 8}, {0, 4}});
  case LayoutName::wgmmaUpcast4x:
    return ofQuads(8, {{0, 8}, {0, 16}});
  case LayoutName::wgmmaTransposed:
    return made({{1, 0}, {8, 0}}, {{0, 2}, {0, 4}, {0, 1}, {2, 0}, {4, 0}}, rowsOfWarps());
  case LayoutName::wgStrided:
    return strided(shape, elementBits, parameter);
  case LayoutName::mmaLeft:
    return shape[1] % static_cast<int64_t>(8 * perRegister) == 0
               ? wgmmaFactor(elementBits / 8)
               : ofQuads(perRegister, {{0, perRegister}, {0, 2 * perRegister}});
  case LayoutName::mmaRight:
    return rightFactor(perRegister);
  case LayoutName::sharedGlobalCopy:
    return copied(shape, elementBits, parameter);
  }
  return Failure{"there is no such layout"};
}

} // namespace

DistributedLayout wgmmaFactor(int64_t elementBytes) {
  auto elements = static_cast<uint64_t>(std::max<int64_t>(1, 4 / elementBytes));
  return ofQuads(elements, {{0, elements}, {0, 2 * elements}}, /*isPair=*/elementBytes != 2);
}

Expected<DistributedLayout> namedLayout(LayoutName name, std::span<const int64_t> shape, int64_t elementBits,
                                        int64_t parameter) {
  bool hasFactor = name == LayoutName::mmaLeft || name == LayoutName::mmaRight;
  if (shape.size() != 2 && name != LayoutName::wgStrided)
    return Failure{"this is a layout of matrices only"};
  if (elementBits < 8 || (hasFactor && elementBits > 32))
    return Failure{"elements of " + std::to_string(elementBits) + " bits do not have this layout"};
  Expected<DistributedLayout> layout = layoutNamed(name, shape, elementBits, parameter);
  return layout ? fitting(*layout, shape) : layout;
}

/// Smaller tiles would leave copies in several threads, which no tensor core takes.
Expected<DistributedLayout> fitting(const DistributedLayout &layout, std::span<const int64_t> shape) {
  for (unsigned dim = 0; dim < shape.size(); ++dim)
    if (int64_t base = int64_t(1) << layout.map().outs()[dim].bits; shape[dim] % base != 0)
      return Failure{"dimension " + std::to_string(dim) + " has " + std::to_string(shape[dim]) +
                     " elements, not a multiple of " + std::to_string(base)};
  return layout;
}

std::string describe(const DistributedLayout &layout, int64_t elementBits) {
  for (const auto &[name, text] : described)
    for (int64_t columns : {64, 48, 4}) { // In pairs, and alone.
      const int64_t shape[] = {64, columns};
      Expected<DistributedLayout> known = namedLayout(name, shape, std::max<int64_t>(8, elementBits), 0);
      if (!known)
        continue;
      if (*known == layout)
        return text;
      for (unsigned dim : {0U, 1U})
        if (known->withoutDim(dim) == layout)
          return std::string(text) + ".reduce(" + std::to_string(dim) + ")";
    }
  return layout.str();
}

} // namespace tegula::layout
