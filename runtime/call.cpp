// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What generated entries do: check their arrays and launch.

#include "platform.h"

#include "tegula/abi.h"

#include <algorithm>

namespace tegula::abi {

namespace {

using runtime::gpu;
using runtime::platform;
using runtime::use_context;

constexpr std::int64_t max_blocks = 0x7fffffff;

std::string list(const std::int64_t *values, int count) {
  std::string text = "(";
  for (int i = 0; i < count; ++i)
    text += (i > 0 ? ", " : "") + std::to_string(values[i]);
  return text + ")";
}

bool is_empty(const view &v) {
  return std::any_of(v.dims, v.dims + v.rank, [](std::int64_t dim) { return dim == 0; });
}

/// The bytes from the first element to the end of the last. False if that does not fit 63 bits. Strides are not
/// negative, no extent is 0.
bool extent_in_bytes(const view &v, std::int64_t &bytes) {
  std::int64_t last = 0;
  for (int i = 0; i < v.rank; ++i) {
    std::int64_t reach = 0;
    if (__builtin_mul_overflow(v.dims[i] - 1, v.strides[i], &reach) || __builtin_add_overflow(last, reach, &last))
      return false;
  }
  return !__builtin_add_overflow(last, std::int64_t{1}, &last) &&
         !__builtin_mul_overflow(last, std::int64_t{v.element_size}, &bytes);
}

/// True if different indices are surely different elements: each stride steps over all that the smaller ones reach.
bool elements_are_distinct(const view &v) {
  int order[max_rank]; // the dimensions that matter, by stride
  int count = 0;
  for (int i = 0; i < v.rank; ++i) {
    if (v.dims[i] <= 1)
      continue;
    int at = count++;
    for (; at > 0 && v.strides[order[at - 1]] > v.strides[i]; --at)
      order[at] = order[at - 1];
    order[at] = i;
  }
  std::int64_t reached = 0;
  for (int i = 0; i < count; ++i) {
    if (v.strides[order[i]] <= reached)
      return false;
    reached += (v.dims[order[i]] - 1) * v.strides[order[i]];
  }
  return true;
}

} // namespace

bool dense_view(std::size_t align, const view &v) noexcept {
  const std::uintptr_t mask = align - 1;
  if ((reinterpret_cast<std::uintptr_t>(v.data) & mask) != 0)
    return false;
  for (int i = 0; i < v.rank; ++i) {
    if (v.dims[i] <= 1)
      continue;
    if (i == v.rank - 1
            ? v.strides[i] != 1
            : (static_cast<std::uintptr_t>(v.strides[i]) * static_cast<std::uintptr_t>(v.element_size) & mask) != 0)
      return false;
  }
  return true;
}

access access_of(const char *name, const view &v, bool written) noexcept {
  std::int64_t bytes = 0;
  if (is_empty(v) || !extent_in_bytes(v, bytes))
    return {name, 0, 0, written};
  const auto begin = reinterpret_cast<std::uintptr_t>(v.data);
  return {name, begin, begin + static_cast<std::uintptr_t>(bytes), written};
}

void call::fail(const std::string &message) const { throw error(std::string(entry_) + ": " + message); }

void call::admit(const char *name, const view &v, bool written) {
  const auto refuse = [&](const std::string &why) { fail("'" + std::string(name) + "' " + why); };
  if (first_array_ == nullptr) {
    first_array_ = name;
    device_ = v.where;
  } else if (v.where != device_)
    refuse("is on " + to_string(v.where) + " and '" + first_array_ + "' on " + to_string(device_) +
           ": the arrays of a call are on one device, copy one with to(array, device)");
  for (int i = 0; i < v.rank; ++i)
    if (v.dims[i] < 0)
      refuse("has the negative extent " + std::to_string(v.dims[i]) + " in dimension " + std::to_string(i));
  std::int64_t size = 1;
  bool too_large = false;
  for (int i = 0; i < v.rank; ++i) {
    if (v.dims[i] > 1 && v.strides[i] < 0)
      refuse("has the negative stride " + std::to_string(v.strides[i]) + " in dimension " + std::to_string(i) +
             ": arrays go forward, copy it in the order of its memory");
    too_large = __builtin_mul_overflow(size, v.dims[i], &size) || too_large;
  }
  if (is_empty(v))
    return;
  std::int64_t bytes = 0;
  if (too_large || !extent_in_bytes(v, bytes))
    refuse("of shape " + list(v.dims, v.rank) + " and strides " + list(v.strides, v.rank) +
           " is larger than 63 bits count");
  if (v.data == nullptr)
    refuse("of shape " + list(v.dims, v.rank) + " has no memory: its pointer is null");
  if (written && !elements_are_distinct(v))
    refuse("is written, but with shape " + list(v.dims, v.rank) + " and strides " + list(v.strides, v.rank) +
           " several indices are one element: give it memory of its own");
}

void call::no_overlap(std::initializer_list<access> accesses) const {
  for (const access *a = accesses.begin(); a != accesses.end(); ++a)
    for (const access *b = accesses.begin(); b != a; ++b)
      if ((a->written || b->written) && a->begin < b->end && b->begin < a->end) {
        const access &written = a->written ? *a : *b, &other = a->written ? *b : *a;
        fail("'" + std::string(written.name) + "' is written and shares memory with '" + other.name +
             "': what a launch writes overlaps nothing else of it, copy one of the two");
      }
}

void call::launch_slots(kernel &function, launch_shape shape, const std::uint64_t *slots, int count) const {
  if (shape.blocks <= 0)
    return;
  if (shape.blocks > max_blocks)
    fail("kernel '" + std::string(function.name()) + "' needs " + std::to_string(shape.blocks) +
         " blocks, and a launch has at most " + std::to_string(max_blocks) +
         ": split the call into several over parts of the arrays");
  platform &on = platform::current();
  const gpu &where = on.use(entry_, device_.ordinal());
  runtime::check_stream(stream_, device_, entry_);
  const use_context context(on, where, entry_);
  std::size_t bytes = static_cast<std::size_t>(count) * sizeof *slots;
  void *extra[] = {reinterpret_cast<void *>(driver::param_pointer), const_cast<std::uint64_t *>(slots),
                   reinterpret_cast<void *>(driver::param_size), &bytes, reinterpret_cast<void *>(driver::param_end)};
  const driver::launch_config config{static_cast<unsigned>(shape.blocks),
                                     1,
                                     1,
                                     static_cast<unsigned>(shape.threads),
                                     1,
                                     1,
                                     0,
                                     stream_.handle(),
                                     nullptr,
                                     0};
  auto *const code = static_cast<CUfunc_st *>(function.function(entry_, where.ordinal));
  const driver::result result = on.api.cuLaunchKernelEx(&config, code, nullptr, count > 0 ? extra : nullptr);
  if (result != driver::success)
    fail("launching kernel '" + std::string(function.name()) + "' on " + runtime::to_string(where) +
         " failed: " + driver::explain(on.api, result));
}

void divided_by_zero() { throw error("division by zero in the host part of a kernel"); }

} // namespace tegula::abi
