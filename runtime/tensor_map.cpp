// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tensor_map.h"

#include <algorithm>

namespace tegula::runtime {

namespace {

// Boxes are found by 32-bit signed coordinates, so that nothing is reached beyond this.
constexpr std::int64_t longest_dim = std::int64_t{1} << 31;
constexpr std::int64_t stride_limit = std::int64_t{1} << 40; // bytes

/// CUtensorMapDataType.
int type_code(dtype type) {
  constexpr int codes[] = {
#define TEGULA_ELEMENT(NAME, KIND, BITS, CXX, TENSOR_MAP) TENSOR_MAP,
#include "tegula/elements.def"
  };
  return codes[static_cast<std::size_t>(type)];
}

/// CUtensorMapSwizzle.
int swizzle_code(int bytes) { return bytes == 128 ? 3 : bytes == 64 ? 2 : bytes == 32 ? 1 : 0; }

bool is_empty(const abi::view &v) { return std::find(v.dims, v.dims + v.rank, 0) != v.dims + v.rank; }

[[noreturn]] void refuse(const char *entry, const abi::tensor_map &map, const std::string &why) {
  throw error(std::string(entry) + ": TMA cannot copy '" + map.name + "': " + why);
}

} // namespace

map_encoding encode(const char *entry, const abi::tensor_map &map) {
  const abi::view &source = map.source;
  const int last = source.rank - 1;
  map_encoding made{};
  made.type = type_code(map.element);
  made.rank = static_cast<unsigned>(source.rank);
  made.base = reinterpret_cast<std::uintptr_t>(source.data);
  made.swizzle = swizzle_code(map.swizzle);
  const bool empty = is_empty(source);
  if (!empty && made.base % 16 != 0)
    refuse(entry, map,
           "it begins " + std::to_string(made.base % 16) +
               " bytes after a multiple of 16; copy it with to(array, device)");
  for (int i = 0; i <= last; ++i) {
    const int axis = last - i;
    made.box[i] = static_cast<std::uint32_t>(map.box[axis]);
    // An array without elements is one element of other memory. The stride of a single one is never used, and may be
    // what no map holds.
    const std::int64_t dim = empty ? 1 : source.dims[axis];
    const std::int64_t step = dim == 1 ? 16 : source.strides[axis] * source.element_size;
    if (dim > longest_dim)
      refuse(entry, map,
             "dimension " + std::to_string(axis) +
                 " is longer than 2^31; split the call into several over slices of it");
    if (i == 0 && dim > 1 && source.strides[axis] != 1)
      refuse(entry, map,
             "its last dimension has the stride " + std::to_string(source.strides[axis]) +
                 ", not 1; copy it with to(array, device)");
    if (i > 0 && step % 16 != 0)
      refuse(entry, map,
             "the stride of dimension " + std::to_string(axis) + " is " + std::to_string(step) +
                 " bytes, not a multiple of 16; make its rows longer, and pass a slice of them");
    if (i > 0 && step >= stride_limit)
      refuse(entry, map,
             "the stride of dimension " + std::to_string(axis) +
                 " is 2^40 bytes or more; copy it with to(array, device)");
    if (const std::int64_t row = dim * source.element_size; i == 0 && map.is_written && !empty && row % 16 != 0)
      refuse(
          entry, map,
          "it is written, and its rows of " + std::to_string(row) +
              " bytes end inside a 16-byte unit, of which TMA would write all; make its last dimension a multiple of " +
              std::to_string(16 / source.element_size) + " long");
    made.dims[i] = static_cast<std::uint64_t>(dim);
    if (i > 0)
      made.strides[i - 1] = static_cast<std::uint64_t>(step);
  }
  return made;
}

void make_tensor_map(const char *entry, const abi::tensor_map &map, platform &on, const gpu &where, void *into) {
  constexpr std::uint32_t every_element[5] = {1, 1, 1, 1, 1};
  constexpr int not_interleaved = 0, promote_to_128_bytes = 2, fill_with_zeros = 0;
  map_encoding wanted = encode(entry, map);
  if (is_empty(map.source))
    wanted.base = on.spare_memory(entry, where) + (map.is_written ? 64 : 0);
  const driver::result result = on.api.cuTensorMapEncodeTiled(
      static_cast<driver::tensor_map *>(into), wanted.type, wanted.rank,
      reinterpret_cast<void *>(static_cast<std::uintptr_t>(wanted.base)), wanted.dims, wanted.strides, wanted.box,
      every_element, not_interleaved, wanted.swizzle, promote_to_128_bytes, fill_with_zeros);
  if (result != driver::success)
    refuse(entry, map, "the driver makes no tensor map for it: " + driver::explain(on.api, result));
}

} // namespace tegula::runtime
