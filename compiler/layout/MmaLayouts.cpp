// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/MmaLayouts.h"

#include <algorithm>
#include <bit>

namespace tegula::layout {
namespace {

/// The result of an instruction.
constexpr int64_t blockRows = 16, blockColumns = 8;

using Basis = std::vector<uint64_t>;
using InputBases = std::vector<Basis>;
enum Input : size_t { ofRegisters, ofLanes, ofWarps };

uint64_t lowestBit(int64_t number) { return uint64_t(1) << std::countr_zero(static_cast<uint64_t>(number)); }

/// Of a map with these bases, whose outputs are as large as they reach.
Expected<DistributedLayout> layoutOf(InputBases registers, InputBases lanes, InputBases warps) {
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
  Expected<LinearMap> map =
      LinearMap::create(std::move(ins), std::move(outs), {std::move(registers), std::move(lanes), std::move(warps)});
  if (!map)
    return Failure{map.message()};
  return DistributedLayout::create(*map);
}

InputBases basesOfInput(const LinearMap &map, size_t in) {
  InputBases bases;
  for (unsigned bit = 0; bit < map.ins()[in].bits; ++bit)
    bases.push_back(map.basis(in, bit));
  return bases;
}

/// Four lanes share a row of 16 bytes, `elements` each; a warp has 8 rows.
InputBases lanesOfMatrix(uint64_t elements) { return {{0, elements}, {0, 2 * elements}, {1, 0}, {2, 0}, {4, 0}}; }

} // namespace

Expected<DistributedLayout> mmaAccumulator(int64_t rows, int64_t columns, int64_t groupThreads) {
  int64_t warps = groupThreads / DistributedLayout::maxLanes;
  if (warps < 1 || rows < 1 || columns < 1 || rows % blockRows != 0 || columns % blockColumns != 0)
    return Failure{"warps multiply blocks of 16 rows by 8 columns, of which a tile of " + std::to_string(rows) + " x " +
                   std::to_string(columns) + " does not consist"};
  int64_t alongRows = 0, least = 0;
  for (int64_t along = 1; along <= warps; along *= 2) {
    int64_t across = warps / along;
    if (rows % (along * blockRows) != 0 || columns % (across * blockColumns) != 0)
      continue;
    int64_t read = rows / along + columns / across;
    if (alongRows == 0 || read < least)
      alongRows = along, least = read;
  }
  if (alongRows == 0)
    return Failure{std::to_string(warps) + " warps cannot share a tile of " + std::to_string(rows) + " x " +
                   std::to_string(columns) + " in blocks of 16 rows by 8 columns"};
  InputBases registers = {{0, 1}, {8, 0}}, owners;
  int64_t across = warps / alongRows;
  uint64_t own = lowestBit(columns / across);
  for (uint64_t column = blockColumns; column < own; column *= 2)
    registers.push_back({0, column});
  for (int64_t warp = 1; warp < across; warp *= 2)
    owners.push_back({0, own * static_cast<uint64_t>(warp)});
  for (int64_t warp = 1; warp < alongRows; warp *= 2)
    owners.push_back({static_cast<uint64_t>(blockRows * warp), 0});
  return layoutOf(std::move(registers), lanesOfMatrix(2), std::move(owners));
}

Expected<DistributedLayout> mmaAccumulatorOfRows(int64_t rows, int64_t columns, int64_t groupThreads) {
  int64_t warps = groupThreads / DistributedLayout::maxLanes;
  if (warps < 1 || rows < 1 || columns < 1 || rows % (warps * blockRows) != 0 || columns % (2 * blockColumns) != 0)
    return Failure{std::to_string(warps) + " warps cannot share the rows of a tile of " + std::to_string(rows) + " x " +
                   std::to_string(columns) + " in blocks of 16 by 16"};
  InputBases registers = {{0, 1}, {8, 0}, {0, blockColumns}}, owners;
  for (int64_t warp = 1; warp < warps; warp *= 2)
    owners.push_back({static_cast<uint64_t>(blockRows * warp), 0});
  return layoutOf(std::move(registers), lanesOfMatrix(2), std::move(owners));
}

DistributedLayout mmaFactor(MmaFactor factor, const DistributedLayout &accumulator, int64_t elementBytes) {
  size_t side = factor == MmaFactor::left ? 0 : 1;
  auto elements = static_cast<uint64_t>(std::max<int64_t>(1, 4 / elementBytes));
  InputBases registers, owners;
  for (uint64_t element = 1; element < elements; element *= 2)
    registers.push_back({0, element});
  if (factor == MmaFactor::left)
    registers.push_back({8, 0});
  registers.push_back({0, 4 * elements});
  for (const Basis &basis : basesOfInput(accumulator.map(), ofRegisters))
    if (factor == MmaFactor::right && basis[side] >= blockColumns)
      registers.push_back({basis[side], 0});
  for (const Basis &basis : basesOfInput(accumulator.map(), ofWarps))
    owners.push_back({basis[side], 0});
  return *layoutOf(std::move(registers), lanesOfMatrix(elements), std::move(owners));
}

bool isOfMatrices(const LinearMap &map, int64_t elementBytes) {
  if (map.outs().size() != 2 || elementBytes > 4)
    return false;
  auto elements = static_cast<uint64_t>(4 / elementBytes);
  InputBases registers = basesOfInput(map, ofRegisters);
  auto within = static_cast<size_t>(std::countr_zero(elements));
  if (basesOfInput(map, ofLanes) != lanesOfMatrix(elements) || registers.size() < within + 2)
    return false;
  for (size_t bit = 0; bit < within; ++bit)
    if (registers[bit] != Basis{0, uint64_t(1) << bit})
      return false;
  return true;
}

bool isStoredByMatrices(const DistributedLayout &layout, int64_t elementBytes) {
  static const DistributedLayout wgmma = DistributedLayout::wgmmaAccumulator();
  return elementBytes == 2 && layout == wgmma;
}

} // namespace tegula::layout
