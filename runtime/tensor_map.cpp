// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tensor_map.h"

#include "packed_view.h"

#include <cstring>

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

[[noreturn]] void refuse(const char *entry, const char *name, const std::string &why) {
  throw error(std::string(entry) + ": TMA cannot copy '" + name + "': " + why);
}

/// Bytes from one index of a dimension to the next. The stride of a single one is never used, and may be what no map
/// holds.
std::int64_t step_of(const abi::view &v, int axis) { return v.dims[axis] == 1 ? 16 : v.strides[axis] * v.element_size; }

std::int64_t row_bytes(const copied_view &copied) {
  return copied.array.dims[copied.innermost()] * copied.array.element_size;
}

/// `bytes` is a view of the map's source: TMA copies the bytes of packed elements.
copied_view copied_by(const abi::tensor_map &map, const byte_view &bytes) {
  return {bytes.get(), map.order, map.is_written};
}

/// What stands in the way, and what to do about it.
std::string explain(const obstacle &found, const copied_view &copied) {
  const abi::view &array = copied.array;
  const int axis = found.axis;
  const std::string dimension = "dimension " + std::to_string(axis);
  const bool is_last = axis == array.rank - 1;
  // What to() makes has its last dimension innermost.
  const std::string copy_it =
      copied.innermost() == array.rank - 1 ? "copy it with to(array, device)" : "copy it in the order of its memory";
  switch (found.why) {
  case obstacle::none:
    break;
  case obstacle::start:
    return "it begins " + std::to_string(reinterpret_cast<std::uintptr_t>(array.data) % 16) +
           " bytes after a multiple of 16; " + copy_it;
  case obstacle::length:
    return dimension + " is longer than 2^31; split the call into several over slices of it";
  case obstacle::innermost_stride:
    return (is_last ? "its last dimension" : dimension + ", the last of the view that is copied,") +
           " has the stride " + std::to_string(array.strides[axis]) + ", not 1; " +
           (is_last ? copy_it : "pass an array that is contiguous along it");
  case obstacle::written_row:
    return "it is written, and its rows of " + std::to_string(row_bytes(copied)) +
           " bytes end inside a 16-byte unit, which TMA would write as a whole; make " +
           (is_last ? "its last dimension" : dimension) + " a multiple of " + std::to_string(16 / array.element_size) +
           " long";
  case obstacle::uneven_stride:
    return "the stride of " + dimension + " is " + std::to_string(step_of(array, axis)) +
           " bytes, not a multiple of 16; make its rows longer, and pass a slice of them";
  case obstacle::far_stride:
    return "the stride of " + dimension + " is 2^40 bytes or more; " + copy_it;
  }
  return "";
}

} // namespace

obstacle obstacle_of(const copied_view &copied) noexcept {
  const abi::view &array = copied.array;
  if (abi::is_empty(array)) // It is one element of other memory.
    return {};
  if (reinterpret_cast<std::uintptr_t>(array.data) % 16 != 0)
    return {obstacle::start, 0};
  for (int i = array.rank - 1; i >= 0; --i) {
    const int axis = copied.order[i];
    if (array.dims[axis] > longest_dim)
      return {obstacle::length, axis};
    if (i == array.rank - 1) {
      if (array.dims[axis] > 1 && array.strides[axis] != 1)
        return {obstacle::innermost_stride, axis};
      if (copied.is_written && row_bytes(copied) % 16 != 0)
        return {obstacle::written_row, axis};
      continue;
    }
    const std::int64_t step = step_of(array, axis);
    if (step % 16 != 0)
      return {obstacle::uneven_stride, axis};
    if (step >= stride_limit)
      return {obstacle::far_stride, axis};
  }
  return {};
}

void check_copyable(const char *entry, const char *name, const copied_view &copied) {
  if (const obstacle found = obstacle_of(copied); found.why != obstacle::none)
    refuse(entry, name, explain(found, copied));
}

map_encoding encode(const char *entry, const abi::tensor_map &map) {
  const byte_view bytes(map.source);
  const abi::view &source = bytes.get();
  check_copyable(entry, map.name, copied_by(map, bytes));
  const int last = source.rank - 1;
  const bool empty = abi::is_empty(source);
  map_encoding made{};
  made.type = type_code(map.element);
  made.rank = static_cast<unsigned>(source.rank);
  made.base = reinterpret_cast<std::uintptr_t>(source.data);
  made.swizzle = swizzle_code(map.swizzle);
  for (int i = 0; i <= last; ++i) {
    const int axis = map.order[last - i];
    made.box[i] = static_cast<std::uint32_t>(map.box[last - i]);
    made.dims[i] = static_cast<std::uint64_t>(empty ? 1 : source.dims[axis]);
    if (i > 0)
      made.strides[i - 1] = static_cast<std::uint64_t>(empty ? 16 : step_of(source, axis));
  }
  return made;
}

void make_tensor_map(const char *entry, const abi::tensor_map &map, platform &on, const gpu &where, void *into) {
  constexpr std::uint32_t every_element[5] = {1, 1, 1, 1, 1};
  constexpr int not_interleaved = 0, promote_to_128_bytes = 2;
  if (map.is_optional && !abi::can_map(map)) {
    std::memset(into, 0, sizeof(std::uint64_t) * abi::packing::slots_of<abi::tensor_map>);
    return;
  }
  map_encoding wanted = encode(entry, map);
  if (abi::is_empty(map.source))
    wanted.base = on.spare_memory(entry, where) + (map.is_written ? 64 : 0);
  const driver::result result = on.api.cuTensorMapEncodeTiled(
      static_cast<driver::tensor_map *>(into), wanted.type, wanted.rank,
      reinterpret_cast<void *>(static_cast<std::uintptr_t>(wanted.base)), wanted.dims, wanted.strides, wanted.box,
      every_element, not_interleaved, wanted.swizzle, promote_to_128_bytes, map.fills_with_nan ? 1 : 0);
  if (result != driver::success)
    refuse(entry, map.name, "the driver cannot make a tensor map for it: " + driver::explain(on.api, result));
}

} // namespace tegula::runtime

namespace tegula::abi {

bool can_map(const tensor_map &map) noexcept {
  const runtime::byte_view bytes(map.source);
  return has_rows_of_bytes(map.source) &&
         runtime::obstacle_of(runtime::copied_by(map, bytes)).why == runtime::obstacle::none;
}

} // namespace tegula::abi
