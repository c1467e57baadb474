// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layout/DistributedLayout.h"

#include "layout/Placement.h"
#include "layout/TextScanner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace tegula::layout {
namespace {

constexpr std::array<const char *, 3> inputNames = {"register", "lane", "warp"};
constexpr size_t registerInput = 0, laneInput = 1, warpInput = 2;

std::string dimName(size_t dim) { return "d" + std::to_string(dim); }

unsigned log2(uint64_t powerOfTwo) { return static_cast<unsigned>(std::countr_zero(powerOfTwo)); }

std::string list(std::span<const uint64_t> values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + "]";
}

/// An empty map with all the inputs and outputs of a layout, in their order.
LinearMap noBits(size_t rank) {
  LinearMap map;
  for (const char *input : inputNames)
    map = map * LinearMap::zero(input, 0);
  std::vector<Dim> outs;
  for (size_t dim = 0; dim < rank; ++dim)
    outs.push_back({dimName(dim), 0});
  Expected<LinearMap> outputs = LinearMap::create({}, std::move(outs), {});
  assert(outputs && "distinct names");
  return map * *outputs;
}

using Bases = std::vector<std::vector<std::vector<uint64_t>>>;

Bases basesOf(const LinearMap &map) {
  Bases bases(map.ins().size());
  for (size_t in = 0; in < bases.size(); ++in)
    for (unsigned bit = 0; bit < map.ins()[in].bits; ++bit)
      bases[in].push_back(map.basis(in, bit));
  return bases;
}

/// The map with these inputs, in which equal registers are one, and outputs named anew by their order.
LinearMap rebuild(Bases bases, std::vector<unsigned> outBits) {
  std::erase_if(bases[registerInput], [](const std::vector<uint64_t> &basis) {
    return std::all_of(basis.begin(), basis.end(), [](uint64_t entry) { return entry == 0; });
  });
  std::vector<Dim> ins, outs;
  for (size_t in = 0; in < bases.size(); ++in)
    ins.push_back({inputNames[in], static_cast<unsigned>(bases[in].size())});
  for (size_t dim = 0; dim < outBits.size(); ++dim)
    outs.push_back({dimName(dim), outBits[dim]});
  Expected<LinearMap> map = LinearMap::create(std::move(ins), std::move(outs), bases);
  assert(map && "part of a valid layout");
  return *map;
}

std::vector<unsigned> outBitsOf(const LinearMap &map) {
  std::vector<unsigned> bits;
  for (const Dim &dim : map.outs())
    bits.push_back(dim.bits);
  return bits;
}

/// Empty if lanes and warps make a thread group, else what is wrong.
std::string checkGroup(uint64_t lanes, uint64_t warps) {
  if (lanes > DistributedLayout::maxLanes)
    return "a warp has 32 lanes, not " + std::to_string(lanes);
  if (warps > DistributedLayout::maxWarps)
    return "a thread group has at most 32 warps, not " + std::to_string(warps);
  if (warps > 1 && lanes < DistributedLayout::maxLanes)
    return "a thread group of " + std::to_string(warps) + " warps has 32 lanes in each of them, not " +
           std::to_string(lanes);
  return {};
}

std::string checkNames(const LinearMap &map) {
  bool fits = map.ins().size() == inputNames.size();
  for (size_t in = 0; fits && in < inputNames.size(); ++in)
    fits = map.ins()[in].name == inputNames[in];
  if (!fits)
    return "a layout has the inputs register, lane, warp";
  for (size_t dim = 0; dim < map.outs().size(); ++dim)
    if (map.outs()[dim].name != dimName(dim))
      return "output " + std::to_string(dim) + " of a layout is named '" + dimName(dim) + "', not '" +
             map.outs()[dim].name + "'";
  if (map.outs().size() > DistributedLayout::maxRank)
    return "a tile has at most " + std::to_string(DistributedLayout::maxRank) + " dimensions, not " +
           std::to_string(map.outs().size());
  return {};
}

/// Empty if each basis moves a bit of its own, and together they make all coordinates.
std::string checkBases(const LinearMap &map) {
  uint64_t seen = 0;
  for (size_t in = 0; in < map.ins().size(); ++in)
    for (unsigned bit = 0; bit < map.ins()[in].bits; ++bit) {
      uint64_t basis = map.flatBasis(in, bit);
      std::string which = "basis " + std::to_string(bit) + " of '" + map.ins()[in].name + "'";
      if (!basis && in == registerInput)
        return which + " is zero: a thread holds an element once";
      if (basis && !std::has_single_bit(basis))
        return which + " is not one power of two along one dimension";
      if (basis & seen)
        return which + " is an earlier basis again";
      seen |= basis;
    }
  if (static_cast<unsigned>(std::popcount(seen)) != map.outBits())
    return "some elements of the base tile belong to no thread";
  return {};
}

/// Takes up to `count` of what is left of the extents, innermost first; a power of two for each.
std::vector<uint64_t> takeInnermost(std::vector<uint64_t> &left, uint64_t &count) {
  std::vector<uint64_t> taken(left.size(), 1);
  for (size_t dim = left.size(); dim-- > 0;) {
    taken[dim] = std::min(count, left[dim]);
    left[dim] /= taken[dim];
    count /= taken[dim];
  }
  return taken;
}

} // namespace

unsigned DistributedLayout::lanes() const { return static_cast<unsigned>(base.ins()[laneInput].size()); }
unsigned DistributedLayout::warps() const { return static_cast<unsigned>(base.ins()[warpInput].size()); }

Expected<DistributedLayout> DistributedLayout::create(LinearMap map) {
  if (std::string error = checkNames(map); !error.empty())
    return Failure{error};
  if (std::string error = checkGroup(map.ins()[laneInput].size(), map.ins()[warpInput].size()); !error.empty())
    return Failure{error};
  if (std::string error = checkBases(map); !error.empty())
    return Failure{error};
  if (map.ins()[registerInput].size() > maxBaseRegisters)
    return Failure{"a thread has at most " + std::to_string(maxBaseRegisters) + " registers of a base tile, not " +
                   std::to_string(map.ins()[registerInput].size())};
  return DistributedLayout(std::move(map));
}

Expected<DistributedLayout> DistributedLayout::create(const BlockedSpec &spec) {
  return create(spec, std::vector<uint64_t>(spec.vector.size(), 1));
}

Expected<DistributedLayout> DistributedLayout::create(const BlockedSpec &spec, const std::vector<uint64_t> &repeats) {
  size_t rank = spec.vector.size();
  if (spec.lanes.size() != rank || spec.warps.size() != rank)
    return Failure{"vector " + list(spec.vector) + ", lanes " + list(spec.lanes) + " and warps " + list(spec.warps) +
                   " differ in rank"};
  LinearMap map = noBits(rank);
  if (repeats.size() != rank)
    return Failure{"vector " + list(spec.vector) + " and repeats " + list(repeats) + " differ in rank"};
  struct Box {
    size_t in;
    const std::vector<uint64_t> &counts;
    uint64_t copies;
    uint64_t limit;
  };
  const Box boxes[] = {{0, spec.vector, 1, maxBaseRegisters},
                       {1, spec.lanes, spec.laneCopies, maxLanes},
                       {0, repeats, 1, maxBaseRegisters},
                       {2, spec.warps, spec.warpCopies, maxWarps}};
  std::array<uint64_t, inputNames.size()> totals;
  totals.fill(1);
  for (const Box &box : boxes) {
    size_t in = box.in;
    uint64_t &total = totals[in];
    auto grow = [&](uint64_t count) -> std::string {
      if (!std::has_single_bit(count))
        return std::to_string(count) + " of '" + inputNames[in] + "' is not a power of two";
      if (count > box.limit / total)
        return list(box.counts) + (box.copies > 1 ? " x" + std::to_string(box.copies) : "") + " of '" + inputNames[in] +
               "' are more than " + std::to_string(box.limit);
      total *= count;
      return {};
    };
    for (size_t dim = rank; dim-- > 0;) {
      if (std::string error = grow(box.counts[dim]); !error.empty())
        return Failure{error};
      map = map * LinearMap::identity(inputNames[in], dimName(dim), log2(box.counts[dim]));
    }
    if (std::string error = grow(box.copies); !error.empty())
      return Failure{error};
    map = map * LinearMap::zero(inputNames[in], log2(box.copies));
  }
  return create(std::move(map));
}

Expected<DistributedLayout> DistributedLayout::blocked(std::span<const int64_t> shape, int64_t groupThreads,
                                                       int64_t vector) {
  if (groupThreads < 1 || groupThreads > int64_t(maxLanes) * maxWarps ||
      !std::has_single_bit(static_cast<uint64_t>(groupThreads)))
    return Failure{"a thread group has a power of two of threads from 1 to 1024, not " + std::to_string(groupThreads)};
  if (vector < 1 || vector > maxBaseRegisters || !std::has_single_bit(static_cast<uint64_t>(vector)))
    return Failure{"a vector is a power of two from 1 to 4096, not " + std::to_string(vector)};
  std::vector<uint64_t> left;
  for (int64_t extent : shape) {
    if (extent < 1)
      return Failure{"a tile has extents of at least 1, not " + std::to_string(extent)};
    left.push_back(uint64_t(1) << std::countr_zero(static_cast<uint64_t>(extent)));
  }
  BlockedSpec spec;
  uint64_t registers = static_cast<uint64_t>(vector);
  spec.vector = takeInnermost(left, registers);
  spec.laneCopies = static_cast<uint64_t>(std::min<int64_t>(groupThreads, maxLanes));
  spec.warpCopies = static_cast<uint64_t>(groupThreads) / spec.laneCopies;
  spec.lanes = takeInnermost(left, spec.laneCopies);
  spec.warps = takeInnermost(left, spec.warpCopies);
  return create(spec);
}

std::optional<BlockedSpec> DistributedLayout::asBlocked() const {
  // Count what each input has of each dimension, and see whether the blocked layout with these counts is this one.
  BlockedSpec spec;
  std::vector<uint64_t> *counts[] = {&spec.vector, &spec.lanes, &spec.warps};
  uint64_t noCopies = 1;
  uint64_t *copies[] = {&noCopies, &spec.laneCopies, &spec.warpCopies};
  for (size_t in = 0; in < inputNames.size(); ++in) {
    counts[in]->assign(rank(), 1);
    for (unsigned bit = 0; bit < base.ins()[in].bits; ++bit) {
      std::vector<uint64_t> basis = base.basis(in, bit);
      auto dim = std::find_if(basis.begin(), basis.end(), [](uint64_t entry) { return entry != 0; });
      if (dim == basis.end())
        *copies[in] *= 2;
      else
        (*counts[in])[static_cast<size_t>(dim - basis.begin())] *= 2;
    }
  }
  Expected<DistributedLayout> rebuilt = create(spec);
  assert(rebuilt && "counts of a valid layout");
  if (*rebuilt != *this)
    return std::nullopt;
  return spec;
}

DistributedLayout DistributedLayout::withoutDim(unsigned dim) const {
  assert(dim < rank());
  Bases bases = basesOf(base);
  for (auto &input : bases)
    for (auto &basis : input)
      basis.erase(basis.begin() + dim);
  std::vector<unsigned> bits = outBitsOf(base);
  bits.erase(bits.begin() + dim);
  return DistributedLayout(rebuild(std::move(bases), std::move(bits)));
}

DistributedLayout DistributedLayout::permuted(std::span<const int64_t> permutation) const {
  assert(permutation.size() == rank());
  auto permute = [&](const auto &values) {
    auto result = values;
    for (size_t dim = 0; dim < permutation.size(); ++dim)
      result[dim] = values[static_cast<size_t>(permutation[dim])];
    return result;
  };
  Bases bases = basesOf(base);
  for (auto &input : bases)
    for (auto &basis : input)
      basis = permute(basis);
  return DistributedLayout(rebuild(std::move(bases), permute(outBitsOf(base))));
}

Expected<DistributedLayout> DistributedLayout::withUnitDim(unsigned dim) const {
  assert(dim <= rank());
  Bases bases = basesOf(base);
  for (auto &input : bases)
    for (auto &basis : input)
      basis.insert(basis.begin() + dim, 0);
  std::vector<unsigned> bits = outBitsOf(base);
  bits.insert(bits.begin() + dim, 0);
  return create(rebuild(std::move(bases), std::move(bits)));
}

Expected<DistributedLayout> DistributedLayout::product(std::span<const int64_t> shape, int64_t groupThreads) {
  if (shape.size() < 2)
    return Failure{"a matrix product has two dimensions at least, not " + std::to_string(shape.size())};
  if (groupThreads < 1 || groupThreads > int64_t(maxLanes) * maxWarps ||
      !std::has_single_bit(static_cast<uint64_t>(groupThreads)))
    return Failure{"a thread group has a power of two of threads from 1 to 1024, not " + std::to_string(groupThreads)};
  size_t row = shape.size() - 2, column = row + 1;
  std::vector<uint64_t> left(shape.size(), 1);
  for (size_t dim : {row, column}) {
    if (shape[dim] < 1)
      return Failure{"a tile has extents of at least 1, not " + std::to_string(shape[dim])};
    left[dim] = uint64_t(1) << std::countr_zero(static_cast<uint64_t>(shape[dim]));
  }
  BlockedSpec spec;
  spec.vector = spec.lanes = spec.warps = std::vector<uint64_t>(shape.size(), 1);
  auto take = [&](std::vector<uint64_t> &box, size_t dim, uint64_t most) {
    uint64_t taken = std::min(most, left[dim]);
    box[dim] *= taken;
    left[dim] /= taken;
    return taken;
  };
  take(spec.vector, column, 4);
  uint64_t lanes = std::min<uint64_t>(static_cast<uint64_t>(groupThreads), maxLanes);
  uint64_t warps = static_cast<uint64_t>(groupThreads) / lanes;
  lanes /= take(spec.lanes, column, std::min<uint64_t>(lanes, 8));
  lanes /= take(spec.lanes, row, lanes);
  lanes /= take(spec.lanes, column, lanes);
  // Rows first: a thread has a chunk of each of its rows while it loops over columns, and four are enough to use
  // what it reads of the columns often.
  while (warps > 1 && (left[row] > 1 || left[column] > 1))
    warps /= take(spec.warps, left[row] > 4 || left[column] == 1 ? row : column, 2);
  spec.laneCopies = lanes;
  spec.warpCopies = warps;
  return create(spec);
}

DistributedLayout DistributedLayout::wgmmaAccumulator() {
  static const DistributedLayout layout =
      *parse("linear<register [(0, 1), (8, 0)], lane [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)], "
             "warp [(16, 0), (32, 0)] -> (d0 64, d1 8)>");
  return layout;
}

Expected<Placement> DistributedLayout::on(std::span<const int64_t> shape) const {
  if (shape.size() != rank())
    return Failure{"a layout of rank " + std::to_string(rank()) + " cannot hold a tile of rank " +
                   std::to_string(shape.size())};
  // Far more than registers hold, and far less than what overflows.
  constexpr int64_t maxElements = int64_t(1) << 40;
  int64_t elements = 1;
  std::vector<unsigned> bits;
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    int64_t extent = shape[dim];
    int64_t baseExtent = static_cast<int64_t>(base.outs()[dim].size());
    bool repeats = extent >= 1 && extent % baseExtent == 0;
    bool folds = extent >= 1 && extent < baseExtent && baseExtent % extent == 0;
    if (!repeats && !folds)
      return Failure{"extent " + std::to_string(extent) + " of dimension " + std::to_string(dim) +
                     " is neither a multiple of the layout's " + std::to_string(baseExtent) +
                     " nor a smaller power of two"};
    if (extent > maxElements / elements)
      return Failure{"a tile of more than 2^40 elements cannot be held in registers"};
    elements *= extent;
    bits.push_back(repeats ? base.outs()[dim].bits : log2(static_cast<uint64_t>(extent)));
  }
  Bases bases = basesOf(base);
  for (auto &input : bases)
    for (auto &basis : input)
      for (size_t dim = 0; dim < basis.size(); ++dim)
        basis[dim] &= (uint64_t(1) << bits[dim]) - 1;
  return Placement(rebuild(std::move(bases), std::move(bits)), {shape.begin(), shape.end()});
}

std::string DistributedLayout::str() const {
  std::optional<BlockedSpec> spec = asBlocked();
  if (!spec && *this == wgmmaAccumulator())
    return "wgmma";
  if (!spec)
    return "linear<" + base.str() + ">";
  auto copies = [](uint64_t count) { return count > 1 ? " x" + std::to_string(count) : std::string(); };
  std::string text = "blocked<" + list(spec->vector) + ", lanes " + list(spec->lanes) + copies(spec->laneCopies);
  if (warps() > 1)
    text += ", warps " + list(spec->warps) + copies(spec->warpCopies);
  return text + ">";
}

Expected<DistributedLayout> DistributedLayout::parse(std::string_view text) {
  TextScanner scanner(text);
  if (scanner.consume("wgmma")) {
    scanner.expectEnd();
    if (scanner.failed())
      return scanner.failure();
    return wgmmaAccumulator();
  }
  if (scanner.consume("linear")) {
    scanner.expect("<");
    Expected<LinearMap> map = LinearMap::parse(scanner);
    if (!map)
      return Failure{map.message()};
    scanner.expect(">");
    scanner.expectEnd();
    if (scanner.failed())
      return scanner.failure();
    return create(*map);
  }
  BlockedSpec spec;
  scanner.expect("blocked");
  scanner.expect("<");
  spec.vector = scanner.numbers("[", "]");
  scanner.expect(",");
  scanner.expect("lanes");
  spec.lanes = scanner.numbers("[", "]");
  if (scanner.consume("x"))
    spec.laneCopies = scanner.number();
  if (scanner.consume(",")) {
    scanner.expect("warps");
    spec.warps = scanner.numbers("[", "]");
    if (scanner.consume("x"))
      spec.warpCopies = scanner.number();
  } else {
    spec.warps.assign(spec.vector.size(), 1);
  }
  scanner.expect(">");
  scanner.expectEnd();
  if (scanner.failed())
    return scanner.failure();
  return create(spec);
}

} // namespace tegula::layout
