// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear maps over bits: the algebra under every register layout and every swizzle.
//
// 1. A thread has a number, an element of a tile has a coordinate, and both are short strings of bits. Let 8 threads
//    own 8 elements, thread t element t. Say instead where each *bit* of t goes: bit 0 to coordinate 1, bit 1 to
//    coordinate 2, bit 2 to coordinate 4. The rest follows, for the owner of 5 = 4 + 1 is made of two of them:
//
//      lane [(1), (2), (4)] -> (d0 8)
//
//    Each entry is the *basis* of one bit: the image of the number in which only this bit is set. A number's image is
//    the exclusive or of the bases of its bits. This is linear algebra over the field with two elements.
//
// 2. Two coordinates instead of one: every basis has an entry per dimension. Here lanes 0, 1 take a row of 2 and the
//    next bits of the lane number step down the rows of a 4 x 2 tile:
//
//      lane [(0, 1), (1, 0), (2, 0)] -> (d0 4, d1 2)             lane 5 = 101b is at (2, 0) xor (0, 1) = (2, 1)
//
// 3. Several inputs: a thread keeps more than one element, in numbered registers. With two neighbours in each of them
//    (what one vector access moves) the tile grows to 4 x 4:
//
//      register [(0, 1)], lane [(0, 2), (1, 0), (2, 0)] -> (d0 4, d1 4)
//
//    One row of registers below another is one more basis: register [(0, 1), (4, 0)] makes the tile 8 x 4.
//
// 4. A zero basis says that the bit does not matter: both of its values lead to the same element. Lanes that hold
//    copies look like this: lane [(1), (2), (0)] -> (d0 4): lanes 4 to 7 repeat lanes 0 to 3. Such a map is not
//    injective; a map that misses elements is not surjective. A map that is both has an inverse.
//
// 5. A basis with several bits set permutes. The swizzle of shared memory moves 16-byte unit u of row r to unit
//    u xor r; in units, for 8 rows of 8:
//
//      unit [(1), (2), (4)], row [(9), (18), (36)] -> (offset 64)
//
//    Row bit 0 advances the offset by one row (8) *and* flips bit 0 of the unit (1).
//
// 6. Maps compose. If `a` says which element a thread holds and `s` where shared memory keeps an element, a.then(s)
// says
//    where the thread finds it: bank conflicts are read off its bases. If `b` is another layout of the same tile,
//    a.then(b's inverse) says which thread of `b` gets what a thread of `a` has: the plan of a relayout.
//
// 7. Maps multiply: a * b keeps a on the low bits and puts b on the bits above, input by input and output by output.
//    identity("register", "d0", 1) * identity("lane", "d0", 2) is register [(1)], lane [(2), (4)] -> (d0 8).
//
// Sizes are powers of two, because bits are. DistributedLayout.h repeats such a map over tiles that are not.

#ifndef TEGULA_LAYOUT_LINEARMAP_H
#define TEGULA_LAYOUT_LINEARMAP_H

#include "layout/Expected.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::layout {

class TextScanner;

/// One input or output of a map: a number of `bits` bits.
struct Dim {
  std::string name;
  unsigned bits = 0;

  uint64_t size() const { return uint64_t(1) << bits; }
  bool operator==(const Dim &) const = default;
};

/// Inputs and outputs are ordered. Where all of one side are taken as one number ("flat"), the first has the low bits.
class LinearMap {
public:
  /// The inputs, and likewise the outputs, have at most this many bits together.
  static constexpr unsigned maxBits = 60;

  /// The map without inputs and outputs: the unit of the product.
  LinearMap() = default;

  /// `bases[i][b][o]`: what bit b of input i adds to output o. Fails if names are no identifiers or repeat, if counts
  /// do not match or a basis does not fit its output.
  static Expected<LinearMap> create(std::vector<Dim> ins, std::vector<Dim> outs,
                                    const std::vector<std::vector<std::vector<uint64_t>>> &bases);

  /// in -> out, bit by bit.
  static LinearMap identity(std::string in, std::string out, unsigned bits);

  /// `bits` bits that do not matter.
  static LinearMap zero(std::string in, unsigned bits);

  const std::vector<Dim> &ins() const { return inDims; }
  const std::vector<Dim> &outs() const { return outDims; }
  unsigned inBits() const { return static_cast<unsigned>(columns.size()); }
  unsigned outBits() const;
  std::optional<size_t> findIn(std::string_view name) const;
  std::optional<size_t> findOut(std::string_view name) const;

  /// The image of one input bit: flat, and per output.
  uint64_t flatBasis(size_t in, unsigned bit) const;
  std::vector<uint64_t> basis(size_t in, unsigned bit) const { return splitOut(flatBasis(in, bit)); }

  /// `in` has one number per input, each below its size; the result has one per output.
  std::vector<uint64_t> apply(std::span<const uint64_t> in) const;
  uint64_t applyFlat(uint64_t in) const;

  /// The number of independent bases.
  unsigned rank() const;
  bool isInjective() const { return rank() == inBits(); }
  bool isSurjective() const { return rank() == outBits(); }

  /// First this, then `next`, whose inputs are matched with the outputs here by name.
  Expected<LinearMap> then(const LinearMap &next) const;

  /// A map back: outputs to inputs, such that going there and on with this map is the identity. Where several inputs
  /// lead to an output, it gives the one whose later bits are zero: bases that depend on earlier ones are not used.
  /// Fails unless surjective.
  Expected<LinearMap> rightInverse() const;

  /// The rightInverse, of a bijection only.
  Expected<LinearMap> inverse() const;

  /// The part of the map from some of its inputs to some of its outputs, in the order given.
  Expected<LinearMap> sub(std::span<const std::string> inNames, std::span<const std::string> outNames) const;

  /// See 7 above. The sums of bits must stay within maxBits.
  LinearMap operator*(const LinearMap &high) const;

  bool operator==(const LinearMap &) const = default;
  size_t hash() const;

  /// `register [(0, 1)], lane [(0, 2), (1, 0), (2, 0)] -> (d0 4, d1 4)`; parse reads what str writes.
  std::string str() const;
  static Expected<LinearMap> parse(std::string_view text);
  /// The same within a larger text.
  static Expected<LinearMap> parse(TextScanner &scanner);

private:
  LinearMap(std::vector<Dim> ins, std::vector<Dim> outs, std::vector<uint64_t> columns);

  std::vector<uint64_t> splitOut(uint64_t flat) const;

  std::vector<Dim> inDims, outDims;
  /// The flat image of every flat input bit.
  std::vector<uint64_t> columns;
};

} // namespace tegula::layout

template <> struct std::hash<tegula::layout::LinearMap> {
  size_t operator()(const tegula::layout::LinearMap &map) const noexcept { return map.hash(); }
};

#endif // TEGULA_LAYOUT_LINEARMAP_H
