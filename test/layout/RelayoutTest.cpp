// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of relayouts are carried out for every thread, and their routes compared with who holds what.

#include "layout/Relayout.h"
#include "LayoutTestSupport.h"

#include <random>
#include <set>

using namespace tegula::layout;

namespace {

/// The elements of each thread, register by register.
std::vector<std::vector<int64_t>> elementsOf(const Placement &placement) {
  std::vector<std::vector<int64_t>> result(static_cast<size_t>(placement.threads()));
  for (int64_t thread = 0; thread < placement.threads(); ++thread)
    for (int64_t reg = 0; reg < placement.registersPerThread(); ++reg)
      result[static_cast<size_t>(thread)].push_back(rowMajor(placement.coordinate(reg, thread), placement.shape()));
  return result;
}

std::vector<std::vector<std::vector<int64_t>>> wordsOf(const Placement &placement, int64_t wordElements) {
  std::vector<std::vector<std::vector<int64_t>>> result;
  for (const std::vector<int64_t> &elements : elementsOf(placement)) {
    result.emplace_back();
    for (auto at = elements.begin(); at != elements.end(); at += wordElements)
      result.back().emplace_back(at, at + wordElements);
  }
  return result;
}

/// Carries out the steps for all threads at once, as lanes do.
std::vector<std::vector<std::vector<int64_t>>> carriedOut(const WarpRelayout &plan, const Placement &from) {
  auto values = wordsOf(from, plan.wordElements);
  for (const RelayoutStep &step : plan.steps) {
    std::vector<std::vector<int64_t>> made;
    for (size_t thread = 0; thread < values.size(); ++thread) {
      size_t lanes = static_cast<size_t>(from.lanes());
      if (step.kind == RelayoutStep::Kind::Shuffle) {
        size_t lane = plan.sourceLane(thread) ^ step.lane;
        EXPECT_LT(lane, lanes);
        made.push_back(values[thread / lanes * lanes + lane][static_cast<size_t>(step.first)]);
      } else {
        bool isSet = (thread >> step.threadBit) & 1;
        made.push_back(values[thread][static_cast<size_t>(isSet ? step.second : step.first)]);
      }
    }
    for (size_t thread = 0; thread < values.size(); ++thread)
      values[thread].push_back(made[thread]);
  }
  for (std::vector<std::vector<int64_t>> &mine : values) {
    std::vector<std::vector<int64_t>> results;
    for (int64_t result : plan.results)
      results.push_back(mine[static_cast<size_t>(result)]);
    mine = std::move(results);
  }
  return values;
}

/// The most elements that a thread wants and does not have; none if one of them is not in its warp.
std::optional<int64_t> wantedFromOthers(const Placement &from, const Placement &to) {
  std::vector<std::vector<int64_t>> before = elementsOf(from), after = elementsOf(to);
  size_t lanes = static_cast<size_t>(from.lanes());
  int64_t most = 0;
  for (size_t first = 0; first < before.size(); first += lanes) {
    std::set<int64_t> inWarp;
    for (size_t thread = first; thread < first + lanes; ++thread)
      inWarp.insert(before[thread].begin(), before[thread].end());
    for (size_t thread = first; thread < first + lanes; ++thread) {
      std::set<int64_t> own(before[thread].begin(), before[thread].end());
      int64_t missing = 0;
      for (int64_t element : after[thread]) {
        if (!inWarp.count(element))
          return std::nullopt;
        missing += !own.count(element);
      }
      most = std::max(most, missing);
    }
  }
  return most;
}

/// Enough for all tiles here.
constexpr int64_t memory = 48 * 1024;

void checkRelayout(const Placement &from, const Placement &to, int64_t elementBits) {
  SCOPED_TRACE(text(from.shape()) + " from " + from.base().str() + " to " + to.base().str());
  Relayout plan = planRelayout(from, to, elementBits, memory);
  std::optional<int64_t> wanted = wantedFromOthers(from, to);
  ASSERT_EQ(plan.warp.has_value(), wanted.has_value());
  if (!wanted) {
    ASSERT_EQ(plan.route, RelayoutRoute::Memory);
    return;
  }
  ASSERT_EQ(carriedOut(*plan.warp, from), wordsOf(to, plan.warp->wordElements));
  // Registers just where no thread wants anything of another.
  ASSERT_EQ(plan.route == RelayoutRoute::Registers, *wanted == 0);
  ASSERT_EQ(plan.warp->shuffles() == 0, *wanted == 0);
  // A shuffle brings each thread a word.
  ASSERT_GE(plan.warp->shuffles() * plan.warp->wordElements, *wanted);
}

/// Every layout of a tile whose coordinates have so many bits, on so many lanes: each lane bit is a coordinate's or
/// holds copies, the registers are the others in any order.
std::vector<DistributedLayout> allLayouts(const std::vector<unsigned> &dimBits, unsigned laneBits) {
  struct Bit {
    size_t dim;
    uint64_t value;
  };
  std::vector<Bit> bits;
  std::vector<Dim> outs;
  for (size_t dim = 0; dim < dimBits.size(); ++dim) {
    outs.push_back({"d" + std::to_string(dim), dimBits[dim]});
    for (unsigned bit = 0; bit < dimBits[dim]; ++bit)
      bits.push_back({dim, uint64_t(1) << bit});
  }
  // The order of all bits, of which the first are the lanes'; -1 is a copy.
  std::set<std::vector<int>> arrangements;
  std::vector<int> order;
  for (unsigned copy = 0; copy < laneBits; ++copy)
    order.push_back(-1);
  for (size_t bit = 0; bit < bits.size(); ++bit)
    order.push_back(static_cast<int>(bit));
  do {
    // Copies that are registers would be the same twice: they are left out, in front.
    std::vector<int> arrangement(order.begin(), order.begin() + laneBits);
    std::copy_if(order.begin() + laneBits, order.end(), std::back_inserter(arrangement),
                 [](int bit) { return bit >= 0; });
    arrangements.insert(arrangement);
  } while (std::next_permutation(order.begin(), order.end()));
  std::vector<DistributedLayout> layouts;
  for (const std::vector<int> &arrangement : arrangements) {
    std::vector<std::vector<std::vector<uint64_t>>> bases(3);
    for (size_t i = 0; i < arrangement.size(); ++i) {
      std::vector<uint64_t> basis(dimBits.size(), 0);
      if (arrangement[i] >= 0)
        basis[bits[static_cast<size_t>(arrangement[i])].dim] = bits[static_cast<size_t>(arrangement[i])].value;
      bases[i < laneBits ? 1 : 0].push_back(basis);
    }
    Expected<LinearMap> map = LinearMap::create(
        {{"register", static_cast<unsigned>(bases[0].size())}, {"lane", laneBits}, {"warp", 0}}, outs, bases);
    EXPECT_TRUE(map) << map.message();
    Expected<DistributedLayout> layout = DistributedLayout::create(*map);
    EXPECT_TRUE(layout) << layout.message();
    layouts.push_back(*layout);
  }
  return layouts;
}

TEST(Relayout, BetweenAllLayoutsOfSmallTiles) {
  struct Case {
    std::vector<unsigned> dimBits;
    unsigned laneBits;
    size_t layouts;
  };
  for (const Case &each : {Case{{2, 1}, 2, 1 * 6 + 6 * 2 + 6 * 1}, Case{{3}, 3, 6 + 3 * 3 * 2 + 3 * 6 * 1 + 6},
                           Case{{1, 2}, 1, 6 + 3 * 2}, Case{{2}, 0, 2}}) {
    std::vector<DistributedLayout> layouts = allLayouts(each.dimBits, each.laneBits);
    ASSERT_EQ(layouts.size(), each.layouts);
    Shape shape;
    for (unsigned bits : each.dimBits)
      shape.push_back(int64_t(1) << bits);
    for (const DistributedLayout &from : layouts)
      for (const DistributedLayout &to : layouts)
        for (int64_t elementBits : {16, 32})
          ASSERT_NO_FATAL_FAILURE(checkRelayout(placed(from, shape), placed(to, shape), elementBits));
  }
}

/// A layout of a tile of 2^bits x 2^bits whose thread bits are random coordinate bits or copies; often bits that
/// another layout has as well, so that data stays in warps and lanes.
DistributedLayout randomLayout(std::mt19937 &random, unsigned bits, unsigned warpBits, const DistributedLayout *like) {
  std::vector<std::pair<size_t, uint64_t>> all;
  for (size_t dim = 0; dim < 2; ++dim)
    for (unsigned bit = 0; bit < bits; ++bit)
      all.emplace_back(dim, uint64_t(1) << bit);
  std::shuffle(all.begin(), all.end(), random);
  std::vector<std::vector<std::vector<uint64_t>>> bases(3);
  auto take = [&](const std::vector<uint64_t> &basis) {
    auto found = std::find_if(all.begin(), all.end(), [&](auto bit) { return basis[bit.first] == bit.second; });
    bool isThere = found != all.end();
    if (isThere)
      all.erase(found);
    return isThere;
  };
  for (size_t in : {2u, 1u})
    for (unsigned bit = 0; bit < (in == 1 ? 5 : warpBits); ++bit) {
      std::vector<uint64_t> basis(2, 0);
      if (like && random() % 4 != 0)
        basis = like->map().basis(in, bit);
      else if (random() % 4 != 0 && !all.empty())
        basis[all.back().first] = all.back().second;
      if (!take(basis))
        basis = {0, 0};
      bases[in].push_back(basis);
    }
  for (auto [dim, value] : all) {
    bases[0].emplace_back(2, 0);
    bases[0].back()[dim] = value;
  }
  Expected<LinearMap> map = LinearMap::create({{"register", static_cast<unsigned>(bases[0].size())},
                                               {"lane", 5},
                                               {"warp", static_cast<unsigned>(bases[2].size())}},
                                              {{"d0", bits}, {"d1", bits}}, bases);
  EXPECT_TRUE(map) << map.message();
  return *DistributedLayout::create(*map);
}

TEST(Relayout, BetweenRandomLayoutsOfSeveralWarps) {
  std::mt19937 random(20);
  int64_t routes[3] = {};
  for (int i = 0; i < 500; ++i) {
    unsigned bits = 2 + random() % 3, warpBits = random() % 3;
    DistributedLayout from = randomLayout(random, bits, warpBits, nullptr);
    DistributedLayout to = randomLayout(random, bits, warpBits, &from);
    // Cut to less along a dimension (more copies), or repeated.
    Shape shape = {int64_t(1) << bits, int64_t(1) << bits};
    int64_t extents[] = {1, 2, shape[0], 3 * shape[0]};
    shape[random() % 2] = extents[random() % 4];
    int64_t elementBits = int64_t(8) << random() % 4;
    ASSERT_NO_FATAL_FAILURE(checkRelayout(placed(from, shape), placed(to, shape), elementBits));
    ++routes[static_cast<size_t>(planRelayout(placed(from, shape), placed(to, shape), elementBits, memory).route)];
  }
  for (int64_t count : routes)
    EXPECT_GE(count, 30);
}

Relayout planned(const std::string &from, const std::string &to, const Shape &shape, int64_t elementBits) {
  Placement before = placed(parsedLayout(from), shape), after = placed(parsedLayout(to), shape);
  checkRelayout(before, after, elementBits);
  return planRelayout(before, after, elementBits, memory);
}

TEST(Relayout, RegistersChangePlaces) {
  std::string lanes = ", lane [(0, 4), (0, 8), (0, 16), (0, 32), (0, 64)], warp [] -> (d0 2, d1 128)>";
  Relayout plan = planned("linear<register [(0, 1), (0, 2), (1, 0)]" + lanes,
                          "linear<register [(1, 0), (0, 2), (0, 1)]" + lanes, {2, 128}, 32);
  EXPECT_EQ(plan.route, RelayoutRoute::Registers);
  EXPECT_TRUE(plan.warp->steps.empty());
  EXPECT_EQ(plan.warp->results, (std::vector<int64_t>{0, 4, 2, 6, 1, 5, 3, 7}));
}

TEST(Relayout, CopiesAreSelected) {
  // All threads have the row; each then has one of it. A tree of 127 selects, halved with each bit.
  Relayout plan = planned("linear<register [(1), (2), (4), (8), (16), (32), (64)], lane [(0), (0), (0), (0), (0)], "
                          "warp [(0), (0)] -> (d0 128)>",
                          "blocked<[1], lanes [32], warps [4]>", {128}, 32);
  EXPECT_EQ(plan.route, RelayoutRoute::Registers);
  EXPECT_EQ(plan.warp->selects(), 127);
}

TEST(Relayout, Transpositions) {
  // Two by two: one shuffle; each side selects what it gives and where it puts it.
  Relayout two = planned("linear<register [(1, 0)], lane [(0, 1)], warp [] -> (d0 2, d1 2)>",
                         "linear<register [(0, 1)], lane [(1, 0)], warp [] -> (d0 2, d1 2)>", {2, 2}, 32);
  EXPECT_EQ(two.route, RelayoutRoute::Shuffles);
  EXPECT_EQ(two.warp->shuffles(), 1);
  EXPECT_EQ(two.warp->selects(), 4);
  EXPECT_TRUE(two.warp->isButterfly(2));
  // A whole warp could do it by 31 shuffles and ten selects for each register: memory with a gap takes less.
  std::string rows = "blocked<[1, 32], lanes [32, 1]>", columns = "blocked<[32, 1], lanes [1, 32]>";
  Relayout all = planned(rows, columns, {32, 32}, 32);
  EXPECT_EQ(all.route, RelayoutRoute::Memory);
  EXPECT_EQ(all.warp->shuffles(), 31);
  EXPECT_EQ(all.warp->selects(), 2 * 5 * 32);
  EXPECT_EQ(all.memory.pitch, 36);
  EXPECT_EQ(all.memory.elements, 32 * 36);
  EXPECT_EQ(all.memory.storeVector, 4);
  EXPECT_EQ(all.memory.loadVector, 1);
  EXPECT_EQ(all.memory.wavefronts, 8 * 4 + 32);
}

TEST(Relayout, WhereMemoryIsShort) {
  Placement rows = placed(parsedLayout("blocked<[1, 32], lanes [32, 1]>"), {32, 32});
  Placement columns = placed(parsedLayout("blocked<[32, 1], lanes [1, 32]>"), {32, 32});
  // There is no room for gaps: rows are swizzled.
  Relayout dense = planRelayout(rows, columns, 32, 32 * 32 * 4);
  EXPECT_EQ(dense.memory.pitch, 32);
  EXPECT_EQ(dense.memory.swizzleMask, 7);
  EXPECT_EQ(dense.memory.swizzleShift, 7);
  EXPECT_EQ(dense.memory.wavefronts, 8 * 4 + 32);
  EXPECT_EQ(dense.route, RelayoutRoute::Memory);
  EXPECT_EQ(planRelayout(rows, columns, 32, 0).route, RelayoutRoute::Shuffles);
}

TEST(Relayout, NarrowTranspositions) {
  // A thread stores its neighbours to rows that are 8 or 16 apart from those of the next lane, and loads whole units.
  Shape square = {64, 64};
  Relayout halves =
      planned("blocked<[8, 1], lanes [8, 4], warps [1, 8]>", "blocked<[1, 8], lanes [4, 8], warps [8, 1]>", square, 16);
  EXPECT_EQ(halves.route, RelayoutRoute::Memory);
  EXPECT_EQ(halves.memory.pitch, 64);
  EXPECT_EQ(halves.memory.swizzleMask, 7);
  EXPECT_EQ(halves.memory.swizzleShift, 7 + 3);
  EXPECT_EQ(halves.memory.wavefronts, 16 * 1 + 2 * 4);
  Shape large = {128, 128};
  Relayout bytes =
      planned("blocked<[16, 1], lanes [8, 4], warps [1, 8]>", "blocked<[1, 16], lanes [4, 8], warps [8, 1]>", large, 8);
  EXPECT_EQ(bytes.memory.swizzleShift, 7 + 4);
  EXPECT_EQ(bytes.memory.storeVector, 1);
  EXPECT_EQ(bytes.memory.loadVector, 16);
  EXPECT_EQ(bytes.memory.wavefronts, 64 * 1 + 4 * 4);
}

TEST(Relayout, HalvesOfAWordStayTogether) {
  std::string rows = "blocked<[1, 8], lanes [8, 4]>", columns = "blocked<[1, 2], lanes [2, 16]>";
  Relayout narrow = planned(rows, columns, {8, 32}, 16), wide = planned(rows, columns, {8, 32}, 32);
  EXPECT_EQ(narrow.warp->wordElements, 2);
  EXPECT_EQ(wide.warp->wordElements, 1);
  EXPECT_EQ(wide.warp->shuffles(), 2 * narrow.warp->shuffles());
  // Bits are not packed.
  EXPECT_EQ(planned(rows, columns, {8, 32}, 1).warp->wordElements, 1);
}

TEST(Relayout, WhereThereIsNothing) {
  Relayout scalar = planned("blocked<[], lanes [] x32, warps [] x4>", "blocked<[], lanes [] x32, warps [] x4>", {}, 64);
  EXPECT_EQ(scalar.route, RelayoutRoute::Registers);
  EXPECT_EQ(scalar.warp->results, std::vector<int64_t>{0});
  Relayout alone = planned("linear<register [(1), (2)], lane [], warp [] -> (d0 4)>",
                           "linear<register [(2), (1)], lane [], warp [] -> (d0 4)>", {4}, 8);
  EXPECT_EQ(alone.route, RelayoutRoute::Registers);
}

TEST(Relayout, WavefrontsAreThoseOfEachAccess) {
  // Access by access, where the plan looks at one.
  auto counted = [](const Placement &placement, const MemoryRelayout &plan, int64_t vector) {
    int64_t sum = 0;
    for (int64_t reg = 0; reg < placement.registersPerThread(); reg += vector) {
      std::vector<std::set<int64_t>> banks(32);
      for (int64_t lane = 0; lane < placement.lanes(); ++lane) {
        Coordinate at = placement.coordinate(reg, lane);
        for (int64_t i = 0; i < vector; ++i) {
          int64_t word = plan.swizzled(4 * (at[0] * plan.pitch + at[1] + i)) / 4;
          banks[static_cast<size_t>(word % 32)].insert(word);
        }
      }
      size_t most = 0;
      for (const std::set<int64_t> &bank : banks)
        most = std::max(most, bank.size());
      sum += static_cast<int64_t>(most);
    }
    return sum;
  };
  std::mt19937 random(21);
  int64_t gaps = 0, swizzles = 0;
  for (int i = 0; i < 300; ++i) {
    unsigned bits = 3 + random() % 3;
    Shape shape = {int64_t(1) << bits, int64_t(1) << bits};
    Placement from = placed(randomLayout(random, bits, 1, nullptr), shape);
    Placement to = placed(randomLayout(random, bits, 1, nullptr), shape);
    MemoryRelayout plan = planRelayout(from, to, 32, memory).memory;
    ASSERT_EQ(plan.storeVector, std::min<int64_t>(4, from.contiguousVector(1)));
    ASSERT_EQ(plan.loadVector, std::min<int64_t>(4, to.contiguousVector(1)));
    ASSERT_EQ(plan.elements, plan.pitch * shape[0]);
    auto countedBoth = [&](const MemoryRelayout &other) {
      return counted(from, other, plan.storeVector) + counted(to, other, plan.loadVector);
    };
    ASSERT_EQ(plan.wavefronts, countedBoth(plan));
    MemoryRelayout other;
    for (int64_t gap : {0, 4}) {
      other.pitch = shape[1] + gap;
      ASSERT_LE(plan.wavefronts, countedBoth(other));
    }
    other.pitch = shape[1];
    other.swizzleMask = shape[1] / 4 - 1;
    for (unsigned shift = bits + 2; shift < 2 * bits + 2; ++shift) {
      other.swizzleShift = shift;
      ASSERT_LE(plan.wavefronts, countedBoth(other));
    }
    // Each word has a place of its own, within the box.
    std::set<int64_t> places;
    for (int64_t word = 0; word < plan.elements; ++word)
      places.insert(plan.swizzled(4 * word));
    ASSERT_EQ(places.size(), static_cast<size_t>(plan.elements));
    ASSERT_EQ(*places.rbegin(), 4 * (plan.elements - 1));
    gaps += plan.pitch != shape[1];
    swizzles += plan.swizzleMask != 0;
  }
  EXPECT_GE(gaps, 20);
  EXPECT_GE(swizzles, 20);
  EXPECT_LE(gaps + swizzles, 280);
}

} // namespace
