// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layout/LinearMap.h"

#include "layout/TextScanner.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tegula::layout {
namespace {

unsigned totalBits(std::span<const Dim> dims) {
  unsigned sum = 0;
  for (const Dim &dim : dims)
    sum += dim.bits;
  return sum;
}

/// The place of dims[index]'s lowest bit in the flat number.
unsigned firstBit(std::span<const Dim> dims, size_t index) { return totalBits(dims.first(index)); }

std::optional<size_t> find(std::span<const Dim> dims, std::string_view name) {
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i].name == name)
      return i;
  return std::nullopt;
}

bool isName(std::string_view text) {
  TextScanner scanner(text);
  return scanner.atName() && scanner.name() == text;
}

/// Empty if the dims are well formed, else what is wrong with them.
std::string checkDims(std::span<const Dim> dims, const char *side) {
  uint64_t bits = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!isName(dims[i].name))
      return std::string(side) + " '" + dims[i].name + "' is not an identifier";
    if (*find(dims, dims[i].name) != i)
      return std::string(side) + " '" + dims[i].name + "' appears twice";
    bits += dims[i].bits;
  }
  if (bits > LinearMap::maxBits)
    return std::string(side) + "s have " + std::to_string(bits) + " bits together; at most " +
           std::to_string(LinearMap::maxBits) + " are supported";
  return {};
}

std::string tuple(std::span<const uint64_t> values) {
  std::string text = "(";
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "") + std::to_string(values[i]);
  return text + ")";
}

/// The span of vectors over GF(2), kept so that every member knows by which of the inserted vectors it is made.
class Span {
public:
  /// Adds vector number `index`; false if the earlier ones already make it.
  bool insert(uint64_t vector, unsigned index) {
    uint64_t recipe = reduce(vector) ^ (uint64_t(1) << index);
    if (!vector)
      return false;
    members.push_back({vector, recipe});
    return true;
  }

  /// The set of inserted vectors that sum to `vector`, which must lie in the span.
  uint64_t recipeOf(uint64_t vector) const {
    uint64_t recipe = reduce(vector);
    assert(!vector && "outside the span");
    return recipe;
  }

private:
  struct Member {
    uint64_t vector, recipe;
  };

  /// Takes members away from `vector` while their leading bits are set in it; returns what was taken.
  uint64_t reduce(uint64_t &vector) const {
    uint64_t recipe = 0;
    for (const Member &member : members)
      if (vector & std::bit_floor(member.vector)) {
        vector ^= member.vector;
        recipe ^= member.recipe;
      }
    return recipe;
  }

  /// No member has the leading bit of an earlier one, so one pass in order of insertion clears every leading bit.
  std::vector<Member> members;
};

} // namespace

LinearMap::LinearMap(std::vector<Dim> ins, std::vector<Dim> outs, std::vector<uint64_t> columns)
    : inDims(std::move(ins)), outDims(std::move(outs)), columns(std::move(columns)) {
  assert(this->columns.size() == totalBits(inDims) && "one column per input bit");
}

Expected<LinearMap> LinearMap::create(std::vector<Dim> ins, std::vector<Dim> outs,
                                      const std::vector<std::vector<std::vector<uint64_t>>> &bases) {
  if (std::string error = checkDims(ins, "input"); !error.empty())
    return Failure{error};
  if (std::string error = checkDims(outs, "output"); !error.empty())
    return Failure{error};
  if (bases.size() != ins.size())
    return Failure{"bases for " + std::to_string(bases.size()) + " inputs; inputs: " + std::to_string(ins.size())};
  std::vector<uint64_t> columns;
  for (size_t i = 0; i < ins.size(); ++i) {
    if (bases[i].size() != ins[i].bits)
      return Failure{"input '" + ins[i].name + "' has " + std::to_string(ins[i].bits) + " bits, but " +
                     std::to_string(bases[i].size()) + " bases"};
    for (const std::vector<uint64_t> &basis : bases[i]) {
      if (basis.size() != outs.size())
        return Failure{"basis " + tuple(basis) + " of '" + ins[i].name + "' has " + std::to_string(basis.size()) +
                       " entries; outputs: " + std::to_string(outs.size())};
      uint64_t column = 0;
      for (size_t o = 0; o < outs.size(); ++o) {
        if (basis[o] >= outs[o].size())
          return Failure{"basis " + tuple(basis) + " of '" + ins[i].name + "' lies outside of output '" + outs[o].name +
                         "' of size " + std::to_string(outs[o].size())};
        column |= basis[o] << firstBit(outs, o);
      }
      columns.push_back(column);
    }
  }
  return LinearMap(std::move(ins), std::move(outs), std::move(columns));
}

LinearMap LinearMap::identity(std::string in, std::string out, unsigned bits) {
  assert(bits <= maxBits);
  std::vector<uint64_t> columns;
  for (unsigned bit = 0; bit < bits; ++bit)
    columns.push_back(uint64_t(1) << bit);
  return LinearMap({{std::move(in), bits}}, {{std::move(out), bits}}, std::move(columns));
}

LinearMap LinearMap::zero(std::string in, unsigned bits) {
  assert(bits <= maxBits);
  return LinearMap({{std::move(in), bits}}, {}, std::vector<uint64_t>(bits, 0));
}

unsigned LinearMap::outBits() const { return totalBits(outDims); }
std::optional<size_t> LinearMap::findIn(std::string_view name) const { return find(inDims, name); }
std::optional<size_t> LinearMap::findOut(std::string_view name) const { return find(outDims, name); }

uint64_t LinearMap::flatBasis(size_t in, unsigned bit) const {
  assert(in < inDims.size() && bit < inDims[in].bits);
  return columns[firstBit(inDims, in) + bit];
}

std::vector<uint64_t> LinearMap::splitOut(uint64_t flat) const {
  std::vector<uint64_t> values;
  for (const Dim &dim : outDims) {
    values.push_back(flat & (dim.size() - 1));
    flat >>= dim.bits;
  }
  return values;
}

std::vector<uint64_t> LinearMap::apply(std::span<const uint64_t> in) const {
  assert(in.size() == inDims.size() && "one number per input");
  uint64_t flat = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    assert(in[i] < inDims[i].size() && "the number is outside of its input");
    flat |= in[i] << firstBit(inDims, i);
  }
  return splitOut(applyFlat(flat));
}

uint64_t LinearMap::applyFlat(uint64_t in) const {
  assert(in < (uint64_t(1) << inBits()));
  uint64_t out = 0;
  for (; in; in &= in - 1)
    out ^= columns[static_cast<size_t>(std::countr_zero(in))];
  return out;
}

unsigned LinearMap::rank() const {
  Span span;
  unsigned rank = 0;
  for (unsigned i = 0; i < inBits(); ++i)
    rank += span.insert(columns[i], i);
  return rank;
}

Expected<LinearMap> LinearMap::then(const LinearMap &next) const {
  // Where each flat output bit of this map enters `next`.
  std::vector<uint64_t> images;
  for (const Dim &dim : outDims) {
    std::optional<size_t> in = next.findIn(dim.name);
    if (!in || next.inDims[*in].bits != dim.bits)
      return Failure{"cannot compose: output '" + dim.name + "' of size " + std::to_string(dim.size()) +
                     (in ? " is followed by an input of size " + std::to_string(next.inDims[*in].size())
                         : std::string(" has no input of this name"))};
    for (unsigned bit = 0; bit < dim.bits; ++bit)
      images.push_back(next.flatBasis(*in, bit));
  }
  if (next.inDims.size() != outDims.size())
    return Failure{"cannot compose: " + std::to_string(outDims.size()) + " outputs are followed by " +
                   std::to_string(next.inDims.size()) + " inputs"};
  LinearMap middle({{"all", outBits()}}, next.outDims, std::move(images));
  std::vector<uint64_t> composed;
  for (uint64_t column : columns)
    composed.push_back(middle.applyFlat(column));
  return LinearMap(inDims, next.outDims, std::move(composed));
}

Expected<LinearMap> LinearMap::rightInverse() const {
  Span span;
  unsigned rank = 0;
  for (unsigned i = 0; i < inBits(); ++i)
    rank += span.insert(columns[i], i);
  if (rank != outBits())
    return Failure{"cannot invert '" + str() + "': it reaches 2^" + std::to_string(rank) + " of 2^" +
                   std::to_string(outBits()) + " outputs"};
  std::vector<uint64_t> back;
  for (unsigned bit = 0; bit < outBits(); ++bit)
    back.push_back(span.recipeOf(uint64_t(1) << bit));
  return LinearMap(outDims, inDims, std::move(back));
}

Expected<LinearMap> LinearMap::inverse() const {
  if (!isInjective())
    return Failure{"cannot invert '" + str() + "': several inputs lead to one output"};
  return rightInverse();
}

Expected<LinearMap> LinearMap::sub(std::span<const std::string> inNames, std::span<const std::string> outNames) const {
  std::vector<Dim> ins, outs;
  std::vector<size_t> inIndices, outIndices;
  for (const std::string &name : inNames) {
    std::optional<size_t> in = findIn(name);
    if (!in)
      return Failure{"'" + str() + "' has no input '" + name + "'"};
    ins.push_back(inDims[*in]);
    inIndices.push_back(*in);
  }
  for (const std::string &name : outNames) {
    std::optional<size_t> out = findOut(name);
    if (!out)
      return Failure{"'" + str() + "' has no output '" + name + "'"};
    outs.push_back(outDims[*out]);
    outIndices.push_back(*out);
  }
  std::vector<std::vector<std::vector<uint64_t>>> bases(ins.size());
  for (size_t i = 0; i < ins.size(); ++i)
    for (unsigned bit = 0; bit < ins[i].bits; ++bit) {
      std::vector<uint64_t> whole = basis(inIndices[i], bit), part;
      for (size_t out : outIndices)
        part.push_back(whole[out]);
      bases[i].push_back(std::move(part));
    }
  // create() also refuses a name given twice.
  return create(std::move(ins), std::move(outs), bases);
}

LinearMap LinearMap::operator*(const LinearMap &high) const {
  // The dims of both, and for those that both have, low bits first.
  auto stack = [](const std::vector<Dim> &low, const std::vector<Dim> &above) {
    std::vector<Dim> dims = low;
    for (const Dim &dim : above)
      if (std::optional<size_t> known = find(dims, dim.name))
        dims[*known].bits += dim.bits;
      else
        dims.push_back(dim);
    return dims;
  };
  std::vector<Dim> ins = stack(inDims, high.inDims), outs = stack(outDims, high.outDims);
  assert(totalBits(ins) <= maxBits && totalBits(outs) <= maxBits);

  auto lift = [&](const LinearMap &map, uint64_t column, bool isHigh) {
    std::vector<uint64_t> parts = map.splitOut(column);
    uint64_t lifted = 0;
    for (size_t o = 0; o < parts.size(); ++o) {
      const std::string &name = map.outDims[o].name;
      std::optional<size_t> below = isHigh ? findOut(name) : std::nullopt;
      lifted |= parts[o] << (firstBit(outs, *find(outs, name)) + (below ? outDims[*below].bits : 0));
    }
    return lifted;
  };
  std::vector<uint64_t> product;
  for (const Dim &dim : ins) {
    if (std::optional<size_t> in = findIn(dim.name))
      for (unsigned bit = 0; bit < inDims[*in].bits; ++bit)
        product.push_back(lift(*this, flatBasis(*in, bit), false));
    if (std::optional<size_t> in = high.findIn(dim.name))
      for (unsigned bit = 0; bit < high.inDims[*in].bits; ++bit)
        product.push_back(lift(high, high.flatBasis(*in, bit), true));
  }
  return LinearMap(std::move(ins), std::move(outs), std::move(product));
}

size_t LinearMap::hash() const {
  // FNV-1a over names, sizes and bases: stable within a process, which is all that uniquing needs.
  uint64_t state = 0xcbf29ce484222325u;
  auto mix = [&](uint64_t value) { state = (state ^ value) * 0x100000001b3u; };
  for (const std::vector<Dim> *dims : {&inDims, &outDims}) {
    mix(dims->size());
    for (const Dim &dim : *dims) {
      mix(std::hash<std::string>()(dim.name));
      mix(dim.bits);
    }
  }
  for (uint64_t column : columns)
    mix(column ^ (column >> 32));
  return static_cast<size_t>(state ^ (state >> 29));
}

std::string LinearMap::str() const {
  std::string text;
  for (size_t i = 0; i < inDims.size(); ++i) {
    text += (i ? ", " : "") + inDims[i].name + " [";
    for (unsigned bit = 0; bit < inDims[i].bits; ++bit)
      text += (bit ? ", " : "") + tuple(basis(i, bit));
    text += "]";
  }
  text += inDims.empty() ? "-> (" : " -> (";
  for (size_t o = 0; o < outDims.size(); ++o)
    text += (o ? ", " : "") + outDims[o].name + " " + std::to_string(outDims[o].size());
  return text + ")";
}

Expected<LinearMap> LinearMap::parse(std::string_view text) {
  TextScanner scanner(text);
  Expected<LinearMap> map = parse(scanner);
  scanner.expectEnd();
  if (map && scanner.failed())
    return scanner.failure();
  return map;
}

Expected<LinearMap> LinearMap::parse(TextScanner &scanner) {
  std::vector<Dim> ins, outs;
  std::vector<std::vector<std::vector<uint64_t>>> bases;
  if (!scanner.consume("->")) {
    do {
      ins.push_back({scanner.name(), 0});
      bases.emplace_back();
      scanner.expect("[");
      if (scanner.consume("]"))
        continue;
      do
        bases.back().push_back(scanner.numbers("(", ")"));
      while (scanner.consume(","));
      scanner.expect("]");
      ins.back().bits = static_cast<unsigned>(bases.back().size());
    } while (scanner.consume(","));
    scanner.expect("->");
  }
  scanner.expect("(");
  if (!scanner.consume(")")) {
    do {
      std::string name = scanner.name();
      uint64_t size = scanner.number();
      if (!scanner.failed() && !std::has_single_bit(size))
        return Failure{"size " + std::to_string(size) + " of output '" + name + "' is not a power of two"};
      outs.push_back({std::move(name), static_cast<unsigned>(std::bit_width(size)) - 1});
    } while (scanner.consume(","));
    scanner.expect(")");
  }
  if (scanner.failed())
    return scanner.failure();
  return create(std::move(ins), std::move(outs), bases);
}

} // namespace tegula::layout
