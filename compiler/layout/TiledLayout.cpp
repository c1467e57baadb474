// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout/TiledLayout.h"

#include <bit>
#include <limits>

namespace tegula::layout {
namespace {

using Basis = std::vector<uint64_t>;

bool isPowerOfTwo(int64_t number) { return number > 0 && std::has_single_bit(static_cast<uint64_t>(number)); }

/// A dimension of tiles: its step along one of the base tile's, how many there are, and who has it.
struct Part {
  unsigned dim;
  int64_t step, size;
  const char *owner = nullptr;
};

class Tiler {
public:
  explicit Tiler(const Tiling &tiling) : tiling(tiling) {}

  Expected<DistributedLayout> run() {
    if (tiling.tiles.empty() || tiling.tiles.front().empty())
      return Failure{"it has no tile"};
    rank = static_cast<unsigned>(tiling.tiles.front().size());
    for (unsigned dim = 0; dim < rank; ++dim)
      parts.push_back({dim, 1, tiling.tiles.front()[dim]});
    for (const Part &part : parts)
      if (!isPowerOfTwo(part.size))
        return Failure{"an extent of a tile is a power of two, not " + std::to_string(part.size)};
    for (size_t i = 1; i < tiling.tiles.size(); ++i)
      divide(tiling.tiles[i]);
    std::vector<Basis> registers = basesOf({{tiling.vector, 0}}, ".vector_dim", 0),
                       lanes = basesOf(tiling.lanes, ".lane_dims", 32), warps = basesOf(tiling.warps, ".warp_dims", 4);
    for (size_t i = parts.size(); i-- > 0;)
      if (!parts[i].owner)
        append(registers, parts[i]);
    if (!failure.empty())
      return Failure{failure};
    std::vector<Dim> ins = {{"register", static_cast<unsigned>(registers.size())}, {"lane", 5}, {"warp", 2}}, outs;
    for (unsigned dim = 0; dim < rank; ++dim)
      outs.push_back({"d" + std::to_string(dim),
                      static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(tiling.tiles.front()[dim])))});
    Expected<LinearMap> map =
        LinearMap::create(std::move(ins), std::move(outs), {std::move(registers), std::move(lanes), std::move(warps)});
    if (!map)
      return Failure{map.message()};
    return DistributedLayout::create(*map);
  }

private:
  void fail(const std::string &why) {
    if (failure.empty())
      failure = why;
  }

  /// The last dimensions, into tiles of these extents.
  void divide(const std::vector<int64_t> &tile) {
    if (tile.empty() || tile.size() > parts.size())
      return fail("a tile of " + std::to_string(tile.size()) + " dimensions divides " + std::to_string(parts.size()));
    size_t first = parts.size() - tile.size();
    std::vector<Part> within;
    for (size_t i = 0; i < tile.size(); ++i) {
      Part &part = parts[first + i];
      if (!isPowerOfTwo(tile[i]) || part.size % tile[i] != 0)
        return fail("a tile of " + std::to_string(tile[i]) + " does not divide one of " + std::to_string(part.size));
      within.push_back({part.dim, part.step, tile[i]});
      part.step *= tile[i];
      part.size /= tile[i];
    }
    parts.insert(parts.end(), within.begin(), within.end());
  }

  void append(std::vector<Basis> &bases, const Part &part) const {
    for (int64_t i = 1; i < part.size; i *= 2) {
      Basis basis(rank);
      basis[part.dim] = static_cast<uint64_t>(i * part.step);
      bases.push_back(basis);
    }
  }

  /// What the bits of a number count that has these dimensions, the last one fastest: `count` of them in all, or any
  /// number for 0.
  std::vector<Basis> basesOf(const std::vector<Tiling::Dim> &dims, const char *owner, int64_t count) {
    std::vector<Basis> bases;
    auto all = static_cast<int64_t>(parts.size());
    for (size_t i = dims.size(); i-- > 0;) {
      const auto [number, copies] = dims[i];
      if (copies) {
        if (!isPowerOfTwo(copies))
          fail("a number of copies is a power of two, not " + std::to_string(copies));
        for (int64_t copy = 1; copy < copies && copy < std::numeric_limits<int32_t>::max(); copy *= 2)
          bases.push_back(Basis(rank));
        continue;
      }
      if (number >= 0 || number < -all) {
        fail(std::string(owner) + " names " + std::to_string(number) + ": the " + std::to_string(all) +
             " dimensions of the tiling count back from the last, -1 to -" + std::to_string(all));
        continue;
      }
      Part &part = parts[static_cast<size_t>(all + number)];
      if (part.owner)
        fail(std::string(owner) + " names " + std::to_string(number) + ", which " + part.owner + " names, too");
      part.owner = owner;
      append(bases, part);
    }
    if (int64_t made = int64_t(1) << std::min<size_t>(bases.size(), 62); count && made != count)
      fail(std::string(owner) + " has " + std::to_string(made) + " places in all, and needs " + std::to_string(count));
    return bases;
  }

  const Tiling &tiling;
  unsigned rank = 0;
  std::vector<Part> parts;
  std::string failure;
};

} // namespace

Expected<DistributedLayout> tiledLayout(const Tiling &tiling) { return Tiler(tiling).run(); }

} // namespace tegula::layout
