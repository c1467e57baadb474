// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layout/LinearMap.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <unordered_set>

using namespace tegula::layout;

namespace {

LinearMap parsed(std::string_view text) {
  Expected<LinearMap> map = LinearMap::parse(text);
  EXPECT_TRUE(map) << map.message();
  return map ? *map : LinearMap();
}

std::string parseError(std::string_view text) {
  Expected<LinearMap> map = LinearMap::parse(text);
  EXPECT_FALSE(map) << map->str();
  return map ? "" : map.message();
}

std::vector<uint64_t> at(const LinearMap &map, std::vector<uint64_t> in) { return map.apply(in); }

using Values = std::vector<uint64_t>;

/// Random maps of up to 8 bits on each side, in up to 3 dims on each side, of sizes from 1.
class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}

  uint64_t below(uint64_t limit) { return std::uniform_int_distribution<uint64_t>(0, limit - 1)(engine); }

  std::vector<Dim> dims(const std::string &prefix, unsigned bits) {
    std::vector<Dim> result;
    unsigned count = 1 + static_cast<unsigned>(below(3));
    for (unsigned i = 0; i < count; ++i) {
      unsigned part = i + 1 == count ? bits : static_cast<unsigned>(below(bits + 1));
      result.push_back({prefix + std::to_string(i), part});
      bits -= part;
    }
    return result;
  }

  LinearMap map(std::vector<Dim> ins, std::vector<Dim> outs) {
    std::vector<std::vector<Values>> bases(ins.size());
    for (size_t i = 0; i < ins.size(); ++i)
      for (unsigned bit = 0; bit < ins[i].bits; ++bit) {
        Values basis;
        for (const Dim &out : outs)
          basis.push_back(below(out.size()));
        bases[i].push_back(basis);
      }
    Expected<LinearMap> result = LinearMap::create(std::move(ins), std::move(outs), bases);
    EXPECT_TRUE(result) << result.message();
    return result ? *result : LinearMap();
  }

private:
  std::mt19937 engine;
};

TEST(LinearMap, HeaderExamples) {
  LinearMap rows = parsed("lane [(0, 1), (1, 0), (2, 0)] -> (d0 4, d1 2)");
  EXPECT_EQ(at(rows, {5}), (Values{2, 1}));
  EXPECT_TRUE(rows.isInjective() && rows.isSurjective());

  LinearMap copies = parsed("lane [(1), (2), (0)] -> (d0 4)");
  EXPECT_FALSE(copies.isInjective());
  EXPECT_TRUE(copies.isSurjective());
  EXPECT_EQ(at(copies, {7}), (Values{3}));

  LinearMap product = LinearMap::identity("register", "d0", 1) * LinearMap::identity("lane", "d0", 2);
  EXPECT_EQ(product, parsed("register [(1)], lane [(2), (4)] -> (d0 8)"));

  LinearMap missing = parsed("lane [(1), (4)] -> (d0 8)");
  EXPECT_TRUE(missing.isInjective());
  EXPECT_FALSE(missing.isSurjective());
}

TEST(LinearMap, ByteSwizzlesAreLinear) {
  // offset ^= ((offset >> 7) & (S/16 - 1)) << 4, for the three sizes S that the hardware has.
  for (uint64_t size : {32u, 64u, 128u}) {
    auto swizzle = [&](uint64_t offset) { return offset ^ (((offset >> 7) & (size / 16 - 1)) << 4); };
    std::vector<Values> bases;
    for (unsigned bit = 0; bit < 10; ++bit)
      bases.push_back({swizzle(uint64_t(1) << bit)});
    Expected<LinearMap> map = LinearMap::create({{"offset", 10}}, {{"address", 10}}, {bases});
    ASSERT_TRUE(map) << map.message();
    for (uint64_t offset = 0; offset < 1024; ++offset)
      ASSERT_EQ(map->applyFlat(offset), swizzle(offset));
    Expected<LinearMap> back = map->inverse();
    ASSERT_TRUE(back);
    // A swizzle undoes itself.
    for (uint64_t offset = 0; offset < 1024; ++offset)
      ASSERT_EQ(back->applyFlat(offset), swizzle(offset));
  }
}

TEST(LinearMap, ConflictFreeColumnsByComposition) {
  // 8 rows of 8 units, as in the header: lanes that read a column hit 8 different units of a row of banks.
  LinearMap swizzle = parsed("unit [(1), (2), (4)], row [(9), (18), (36)] -> (offset 64)");
  LinearMap column = LinearMap::identity("lane", "row", 3) * parsed("-> (unit 8)");
  Expected<LinearMap> found = column.then(swizzle);
  ASSERT_TRUE(found) << found.message();
  EXPECT_EQ(*found, parsed("lane [(9), (18), (36)] -> (offset 64)"));
  std::set<uint64_t> units;
  for (uint64_t lane = 0; lane < 8; ++lane)
    units.insert(found->applyFlat(lane) % 8);
  EXPECT_EQ(units.size(), 8u);
}

TEST(LinearMap, RandomMapsAreLinear) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    LinearMap map = random.map(random.dims("i", round % 9), random.dims("o", round * 7 % 9));
    std::set<uint64_t> image;
    for (uint64_t a = 0; a < (uint64_t(1) << map.inBits()); ++a) {
      uint64_t b = random.below(uint64_t(1) << map.inBits());
      ASSERT_EQ(map.applyFlat(a ^ b), map.applyFlat(a) ^ map.applyFlat(b));
      image.insert(map.applyFlat(a));

      // Flat numbers have the first dim lowest.
      Values split;
      uint64_t rest = a;
      for (const Dim &dim : map.ins()) {
        split.push_back(rest % dim.size());
        rest /= dim.size();
      }
      Values out = map.apply(split);
      uint64_t flat = 0;
      for (size_t o = out.size(); o-- > 0;)
        flat = flat * map.outs()[o].size() + out[o];
      ASSERT_EQ(flat, map.applyFlat(a));
    }
    ASSERT_EQ(image.size(), uint64_t(1) << map.rank()) << map.str();
    ASSERT_EQ(map.isInjective(), image.size() == uint64_t(1) << map.inBits());
    ASSERT_EQ(map.isSurjective(), image.size() == uint64_t(1) << map.outBits());
  }
}

TEST(LinearMap, RandomCompositions) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    std::vector<Dim> middle = random.dims("m", round % 7);
    LinearMap first = random.map(random.dims("i", round * 5 % 8), middle);
    // The order of the middle dims does not matter, their names do.
    std::vector<Dim> reversed(middle.rbegin(), middle.rend());
    LinearMap second = random.map(reversed, random.dims("o", round * 3 % 8));
    Expected<LinearMap> both = first.then(second);
    ASSERT_TRUE(both) << both.message();
    ASSERT_EQ(both->ins(), first.ins());
    ASSERT_EQ(both->outs(), second.outs());
    for (int probe = 0; probe < 20; ++probe) {
      Values in;
      for (const Dim &dim : first.ins())
        in.push_back(random.below(dim.size()));
      Values between = first.apply(in);
      ASSERT_EQ(both->apply(in), second.apply(Values(between.rbegin(), between.rend())));
    }
  }
}

TEST(LinearMap, RandomInverses) {
  Random random(3);
  int bijections = 0, surjections = 0;
  for (int round = 0; round < 600; ++round) {
    unsigned outBits = round % 7;
    LinearMap map = random.map(random.dims("i", outBits + round % 3), random.dims("o", outBits));
    Expected<LinearMap> right = map.rightInverse(), exact = map.inverse();
    ASSERT_EQ(bool(right), map.isSurjective()) << map.str();
    ASSERT_EQ(bool(exact), map.isSurjective() && map.isInjective()) << map.str();
    if (right) {
      ++surjections;
      ASSERT_EQ(right->ins(), map.outs());
      ASSERT_EQ(right->outs(), map.ins());
      for (uint64_t out = 0; out < (uint64_t(1) << outBits); ++out) {
        uint64_t in = right->applyFlat(out);
        ASSERT_EQ(map.applyFlat(in), out);
        // The smallest of all the inputs that lead here, and so the one without later bits.
        for (uint64_t other = 0; other < in; ++other)
          ASSERT_NE(map.applyFlat(other), out) << map.str();
      }
    }
    if (exact) {
      ++bijections;
      Expected<LinearMap> round1 = map.then(*exact);
      ASSERT_TRUE(round1) << round1.message();
      for (uint64_t in = 0; in < (uint64_t(1) << map.inBits()); ++in)
        ASSERT_EQ(round1->applyFlat(in), in);
    }
  }
  EXPECT_GT(bijections, 30);
  EXPECT_GT(surjections, 150);
}

TEST(LinearMap, RandomProducts) {
  Random random(4);
  for (int round = 0; round < 300; ++round) {
    // Shared names (i0, o0 are always there), and now and then one that only one side has.
    LinearMap low = random.map(random.dims("i", round % 5), random.dims("o", round % 6));
    LinearMap high = random.map(random.dims("i", round % 4), random.dims("o", round % 3));
    LinearMap both = low * high;
    ASSERT_EQ(both.inBits(), low.inBits() + high.inBits());
    ASSERT_EQ(both.outBits(), low.outBits() + high.outBits());
    for (int probe = 0; probe < 20; ++probe) {
      Values lowIn, highIn, bothIn(both.ins().size(), 0);
      for (const Dim &dim : low.ins())
        lowIn.push_back(random.below(dim.size()));
      for (const Dim &dim : high.ins())
        highIn.push_back(random.below(dim.size()));
      for (size_t i = 0; i < both.ins().size(); ++i) {
        std::optional<size_t> a = low.findIn(both.ins()[i].name), b = high.findIn(both.ins()[i].name);
        bothIn[i] = (a ? lowIn[*a] : 0) + (b ? highIn[*b] * (a ? low.ins()[*a].size() : 1) : 0);
      }
      Values lowOut = low.apply(lowIn), highOut = high.apply(highIn), bothOut = both.apply(bothIn);
      for (size_t o = 0; o < both.outs().size(); ++o) {
        std::optional<size_t> a = low.findOut(both.outs()[o].name), b = high.findOut(both.outs()[o].name);
        ASSERT_EQ(bothOut[o], (a ? lowOut[*a] : 0) + (b ? highOut[*b] * (a ? low.outs()[*a].size() : 1) : 0));
      }
    }
    ASSERT_EQ(LinearMap() * low, low);
    ASSERT_EQ(low * LinearMap(), low);
  }
}

TEST(LinearMap, SubMaps) {
  LinearMap map = parsed("register [(0, 1), (8, 0)], lane [(0, 2), (0, 4), (1, 0), (2, 0), (4, 0)] -> (d0 16, d1 8)");
  std::vector<std::string> lane = {"lane"}, both = {"lane", "register"}, d1 = {"d1"}, none;
  EXPECT_EQ(map.sub(lane, d1)->str(), "lane [(2), (4), (0), (0), (0)] -> (d1 8)");
  EXPECT_EQ(map.sub(both, d1)->str(), "lane [(2), (4), (0), (0), (0)], register [(1), (0)] -> (d1 8)");
  EXPECT_EQ(map.sub(none, d1)->str(), "-> (d1 8)");
  EXPECT_EQ(map.sub(d1, d1).message(), "'" + map.str() + "' has no input 'd1'");
  EXPECT_EQ(map.sub(lane, lane).message(), "'" + map.str() + "' has no output 'lane'");
  std::vector<std::string> twice = {"lane", "lane"};
  EXPECT_EQ(map.sub(twice, d1).message(), "input 'lane' appears twice");
}

TEST(LinearMap, TextRoundTrip) {
  Random random(5);
  std::unordered_set<LinearMap> seen;
  for (int round = 0; round < 500; ++round) {
    LinearMap map = random.map(random.dims("i", round % 9), random.dims("o", round * 7 % 9));
    ASSERT_EQ(parsed(map.str()), map) << map.str();
    seen.insert(map);
    ASSERT_TRUE(seen.contains(parsed(map.str())));
  }
  EXPECT_GT(seen.size(), 300u);
  for (const char *text : {"-> ()", "-> (d0 4)", "lane [] -> ()", "lane [(), ()] -> ()", "a [(1)], b [] -> (x_1 2)"})
    EXPECT_EQ(parsed(text).str(), text);
  EXPECT_EQ(parsed("  lane[ (1) ,(2)]->( d0  4 ) ").str(), "lane [(1), (2)] -> (d0 4)");
}

TEST(LinearMap, EqualityLooksAtEverything) {
  LinearMap map = parsed("a [(1)], b [(2)] -> (o 4)");
  for (const char *other : {"b [(1)], a [(2)] -> (o 4)", "a [(2)], b [(1)] -> (o 4)", "a [(1)], b [(2)] -> (o 8)",
                            "a [(1)], b [(2)] -> (p 4)", "a [(1), (2)], b [] -> (o 4)"}) {
    EXPECT_NE(map, parsed(other));
    EXPECT_NE(map.hash(), parsed(other).hash()) << other;
  }
}

TEST(LinearMap, Errors) {
  EXPECT_EQ(parseError("lane [(1)] -> (d0 3)"), "size 3 of output 'd0' is not a power of two");
  EXPECT_EQ(parseError("lane [(1)] -> (d0 0)"), "size 0 of output 'd0' is not a power of two");
  EXPECT_EQ(parseError("lane [(4)] -> (d0 4)"), "basis (4) of 'lane' lies outside of output 'd0' of size 4");
  EXPECT_EQ(parseError("lane [(1, 0)] -> (d0 4)"), "basis (1, 0) of 'lane' has 2 entries; outputs: 1");
  EXPECT_EQ(parseError("lane [], lane [] -> ()"), "input 'lane' appears twice");
  EXPECT_EQ(parseError("-> (d0 2, d0 2)"), "output 'd0' appears twice");
  EXPECT_EQ(parseError("lane [(1)] (d0 2)"), "expected '->' at offset 11 of 'lane [(1)] (d0 2)'");
  EXPECT_EQ(parseError("lane (1)"), "expected '[' at offset 5 of 'lane (1)'");
  EXPECT_EQ(parseError("lane [(1)"), "expected ']' at offset 9 of 'lane [(1)'");
  EXPECT_EQ(parseError("lane [(x)] -> (d0 2)"), "expected a number at offset 7 of 'lane [(x)] -> (d0 2)'");
  EXPECT_EQ(parseError("7 [] -> ()"), "expected a name at offset 0 of '7 [] -> ()'");
  EXPECT_EQ(parseError("-> () x"), "expected the end at offset 6 of '-> () x'");
  EXPECT_EQ(parseError(""), "expected a name at offset 0 of ''");
  EXPECT_EQ(parseError("-> (d0 99999999999999999999)"),
            "the number is too large at offset 26 of '-> (d0 99999999999999999999)'");
  EXPECT_EQ(parseError("-> (d0 1152921504606846976, d1 2)"), "outputs have 61 bits together; at most 60 are supported");

  EXPECT_EQ(LinearMap::create({{"a b", 0}}, {}, {{}}).message(), "input 'a b' is not an identifier");
  EXPECT_EQ(LinearMap::create({}, {{"", 0}}, {}).message(), "output '' is not an identifier");
  EXPECT_EQ(LinearMap::create({{"a", 0}}, {}, {}).message(), "bases for 0 inputs; inputs: 1");
  EXPECT_EQ(LinearMap::create({{"a", 2}}, {}, {{{}}}).message(), "input 'a' has 2 bits, but 1 bases");

  LinearMap map = parsed("a [(1)] -> (o 4)");
  EXPECT_EQ(map.then(parsed("p [(1), (2)] -> (q 4)")).message(),
            "cannot compose: output 'o' of size 4 has no input of this name");
  EXPECT_EQ(map.then(parsed("o [(1)] -> (q 4)")).message(),
            "cannot compose: output 'o' of size 4 is followed by an input of size 2");
  EXPECT_EQ(map.then(parsed("o [(1), (2)], r [] -> (q 4)")).message(),
            "cannot compose: 1 outputs are followed by 2 inputs");
  EXPECT_EQ(map.rightInverse().message(), "cannot invert 'a [(1)] -> (o 4)': it reaches 2^1 of 2^2 outputs");
  EXPECT_EQ(parsed("a [(1), (1)] -> (o 2)").inverse().message(),
            "cannot invert 'a [(1), (1)] -> (o 2)': several inputs lead to one output");
}

} // namespace
