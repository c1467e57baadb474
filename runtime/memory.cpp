// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of buffers, and copies.

#include "packed_view.h"
#include "platform.h"

#include "tegula/number.h"
#include "tegula/runtime.h"

#include <new>
#include <unistd.h>

namespace tegula {

namespace detail {

using runtime::gpu;
using runtime::platform;
using runtime::use_context;

namespace {

constexpr std::align_val_t cpu_alignment{64};

/// Of the scopes of this thread, the innermost one's.
thread_local allocator *current_allocator = nullptr;

std::string begin(const purpose &what) {
  return std::string(what.function) + ": " + (what.name != nullptr ? "'" + std::string(what.name) + "': " : "");
}

std::string dims_text(const std::int64_t *dims, int rank) {
  std::string text = "(";
  for (int i = 0; i < rank; ++i)
    text += (i > 0 ? ", " : "") + std::to_string(dims[i]);
  return text + ")";
}

/// "12345 bytes (1.2 GiB)".
std::string bytes_text(std::size_t bytes) {
  const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::string text = std::to_string(bytes) + " bytes";
  if (bytes < 1024)
    return text;
  int unit = 0;
  double scaled = static_cast<double>(bytes) / 1024;
  for (; scaled >= 1024; scaled /= 1024)
    ++unit;
  return text + " (" + detail::number_text("%.1f", scaled) + " " + units[unit] + ")";
}

[[noreturn]] void too_little_memory(const purpose &what, const std::string &where, std::size_t asked,
                                    std::size_t free) {
  throw error(begin(what) + "not enough memory on " + where + ": " + bytes_text(asked) + " requested, " +
              bytes_text(free) + " free");
}

std::size_t free_cpu_memory() {
  const long pages = sysconf(_SC_AVPHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) : 0;
}

std::int64_t element_count(const view &v) {
  std::int64_t count = 1;
  for (int i = 0; i < v.rank; ++i)
    count *= v.dims[i];
  return count;
}

/// How many of the last dimensions are dense together, and how many elements that are.
struct run {
  int outer_rank;
  std::int64_t elements;
};
run longest_run(const view &v) {
  run found{v.rank, 1};
  while (found.outer_rank > 0) {
    const int axis = found.outer_rank - 1;
    if (v.dims[axis] != 1 && v.strides[axis] != found.elements)
      break;
    found.elements *= v.dims[axis];
    --found.outer_rank;
  }
  return found;
}

/// Calls f(offset of the run in the view, in elements; its number) for every dense run, in row-major order.
template <class F> void for_each_run(const view &v, const run &r, F f) {
  std::int64_t index[max_rank] = {};
  std::int64_t offset = 0;
  for (std::int64_t number = 0;; ++number) {
    f(offset, number);
    int axis = r.outer_rank - 1;
    for (; axis >= 0; --axis) {
      offset += v.strides[axis];
      if (++index[axis] < v.dims[axis])
        break;
      offset -= v.strides[axis] * v.dims[axis];
      index[axis] = 0;
    }
    if (axis < 0)
      return;
  }
}

/// Copies a view whose first element is at `base` on the CPU into dense memory.
void gather(std::byte *to, const std::byte *base, const view &v, const run &r) {
  const auto size = static_cast<std::int64_t>(v.element_size);
  const std::int64_t bytes = r.elements * size;
  for_each_run(v, r, [&](std::int64_t offset, std::int64_t number) {
    std::memcpy(to + number * bytes, base + offset * size, static_cast<std::size_t>(bytes));
  });
}

driver::address address_of(const void *memory) { return reinterpret_cast<std::uintptr_t>(memory); }

/// Copies on a stream of one GPU; one side may be the CPU.
class copier {
public:
  copier(device where, const stream &on)
      : platform_(platform::current()), context_(platform_, platform_.use("to", where.ordinal()), "to"), stream_(on) {
    runtime::check_stream(on, where, "to");
  }
  void copy(void *to, const void *from, std::size_t bytes) {
    platform_.check(platform_.api.cuMemcpyAsync(address_of(to), address_of(from), bytes, stream_.handle()), "to",
                    "the copy failed");
  }
  void wait() { platform_.check(platform_.api.cuStreamSynchronize(stream_.handle()), "to", "the copy failed"); }

private:
  platform &platform_;
  use_context context_;
  const stream &stream_;
};

/// From a GPU to dense memory on the same GPU or the CPU.
void copy_from_gpu(std::byte *to, device where, const view &from, const stream &on) {
  copier gpu_copier(from.where, on);
  const auto *base = static_cast<const std::byte *>(from.data);
  const auto size = static_cast<std::int64_t>(from.element_size);
  const run r = longest_run(from);
  const std::int64_t runs = element_count(from) / r.elements;
  std::int64_t span = 1;
  for (int i = 0; i < from.rank; ++i)
    span += (from.dims[i] - 1) * from.strides[i];

  // One copy costs some microseconds, in which about 32 KiB cross to the CPU: copy run by run unless the runs are many
  // and near each other.
  constexpr std::int64_t copy_cost = 32 * 1024;
  if (runs == 1 || runs < span * size / copy_cost) {
    const std::int64_t bytes = r.elements * size;
    for_each_run(from, r, [&](std::int64_t offset, std::int64_t number) {
      gpu_copier.copy(to + number * bytes, base + offset * size, static_cast<std::size_t>(bytes));
    });
    if (where.is_cpu())
      gpu_copier.wait();
    return;
  }
  const auto span_bytes = static_cast<std::size_t>(span * size),
             bytes = static_cast<std::size_t>(element_count(from) * size);
  const memory staged({"to"}, span_bytes, device::cpu(), {});
  gpu_copier.copy(staged.data(), base, span_bytes);
  gpu_copier.wait();
  const auto *staged_bytes = static_cast<const std::byte *>(staged.data());
  if (where.is_cpu()) {
    gather(to, staged_bytes, from, r);
    return;
  }
  const memory dense({"to"}, bytes, device::cpu(), {});
  gather(static_cast<std::byte *>(dense.data()), staged_bytes, from, r);
  gpu_copier.copy(to, dense.data(), bytes);
  gpu_copier.wait();
}

/// From the CPU to dense memory on a GPU.
void copy_to_gpu(std::byte *to, device where, const view &from, const stream &on) {
  copier gpu_copier(where, on);
  const run r = longest_run(from);
  const auto bytes = static_cast<std::size_t>(element_count(from) * from.element_size);
  const bool dense = r.outer_rank == 0;
  const memory staged({"to"}, dense ? 0 : bytes, device::cpu(), {});
  if (!dense)
    gather(static_cast<std::byte *>(staged.data()), static_cast<const std::byte *>(from.data), from, r);
  gpu_copier.copy(to, dense ? from.data : staged.data(), bytes);
  gpu_copier.wait();
}

} // namespace

std::size_t checked_bytes(const purpose &what, const std::int64_t *dims, int rank, std::size_t element_size,
                          int per_byte) {
  std::size_t bytes = element_size;
  bool empty = false, overflows = false;
  for (int i = 0; i < rank; ++i) {
    if (dims[i] < 0)
      throw error(begin(what) + "the shape " + dims_text(dims, rank) + " has a negative extent");
    empty = empty || dims[i] == 0;
    const std::int64_t extent = i == rank - 1 && per_byte == 2 ? dims[i] / 2 + dims[i] % 2 : dims[i];
    overflows = __builtin_mul_overflow(bytes, static_cast<std::size_t>(extent), &bytes) || overflows;
  }
  if (empty)
    return 0;
  if (overflows || bytes > static_cast<std::size_t>(INT64_MAX))
    throw error(begin(what) + "the shape " + dims_text(dims, rank) + " has more than 2^63 - 1 bytes");
  return bytes;
}

memory::memory(const purpose &what, std::size_t bytes, tegula::device where, const stream &on) : device_(where) {
  if (bytes == 0)
    return;
  if (where.is_meta()) {
    data_ = meta_address();
    return;
  }
  // Kernels change half of a byte by an atomic update of the aligned word around it: the last one is there as a whole.
  const std::size_t whole_words = (bytes + 3) / 4 * 4;
  if (current_allocator != nullptr) {
    const allocation made = current_allocator->allocate(whole_words, where, on);
    if (made.data == nullptr)
      throw error(begin(what) + "the allocator returned no memory: it must throw, or return the requested " +
                  bytes_text(bytes));
    data_ = made.data;
    owner_ = made.owner;
    free_ = made.free != nullptr ? made.free : [](void *) {}; // Its own memory would be freed otherwise.
    return;
  }
  if (where.is_cpu()) {
    data_ = ::operator new(bytes, cpu_alignment, std::nothrow);
    if (data_ == nullptr)
      too_little_memory(what, "the CPU", bytes, free_cpu_memory());
    return;
  }
  platform &at = platform::current();
  const gpu &owner = at.use(what.function, where.ordinal());
  runtime::check_stream(on, where, what.function);
  const use_context context(at, owner, what.function);
  driver::address allocated = 0;
  const driver::result code = at.api.cuMemAllocAsync(&allocated, whole_words, on.handle());
  if (code == driver::out_of_memory) {
    std::size_t free = 0, total = 0;
    at.api.cuMemGetInfo(&free, &total);
    too_little_memory(what, to_string(owner), bytes, free);
  }
  if (code != driver::success)
    throw error(begin(what) + "allocating " + bytes_text(bytes) + " on " + to_string(owner) +
                " failed: " + driver::explain(at.api, code));
  data_ = reinterpret_cast<void *>(static_cast<std::uintptr_t>(allocated));
  stream_ = on;
}

memory::~memory() {
  if (data_ == nullptr || device_.is_meta())
    return;
  if (free_ != nullptr) {
    free_(owner_);
    return;
  }
  if (device_.is_cpu()) {
    ::operator delete(data_, cpu_alignment);
    return;
  }
  try {
    platform &at = platform::current();
    const use_context context(at, at.use("buffer", device_.ordinal()), "buffer");
    at.api.cuMemFreeAsync(address_of(data_), stream_.handle());
  } catch (const error &) { // The GPU has failed, or the process ends: nothing is left to give back.
  }
}

allocation memory::release() {
  if (data_ == nullptr || device_.is_meta())
    return {};
  if (free_ != nullptr)
    return {std::exchange(data_, nullptr), owner_, free_};
  void *const data = data_;
  return {data, new memory(std::move(*this)), [](void *owner) { delete static_cast<memory *>(owner); }};
}

void copy_dense(void *to, device where, const view &elements, const stream &on) {
  const runtime::byte_view bytes_of(elements);
  const view &from = bytes_of.get();
  if (element_count(from) == 0 || where.is_meta())
    return;
  if (from.where.is_meta())
    throw error("to: the array of shape " + dims_text(elements.dims, from.rank) +
                " is on meta: it has no elements to copy");
  if (from.data == nullptr)
    throw error("to: the array has the shape " + dims_text(elements.dims, from.rank) +
                ", but no memory: its pointer is null");
  for (int i = 0; i < from.rank; ++i)
    if (from.dims[i] > 1 && from.strides[i] < 0)
      throw error("to: the array has the negative stride " + std::to_string(from.strides[i]) + " in dimension " +
                  std::to_string(i) + ": strides must not be negative");
  if (!abi::has_rows_of_bytes(elements))
    throw error("to: the array of shape " + dims_text(elements.dims, from.rank) + " and strides " +
                dims_text(elements.strides, from.rank) +
                " packs two elements per byte, but its rows do not begin at whole bytes: the last stride must be 1, "
                "the others even, and a slice of the last dimension must begin at an even index");
  auto *target = static_cast<std::byte *>(to);
  if (from.where.is_cpu() && where.is_cpu())
    gather(target, static_cast<const std::byte *>(from.data), from, longest_run(from));
  else if (from.where.is_cpu())
    copy_to_gpu(target, where, from, on);
  else if (where.is_cpu() || where == from.where)
    copy_from_gpu(target, where, from, on);
  else { // Memory of the pools is not visible to other GPUs: go through the CPU.
    const auto bytes = static_cast<std::size_t>(element_count(from) * from.element_size);
    const memory staged({"to"}, bytes, device::cpu(), {});
    copy_from_gpu(static_cast<std::byte *>(staged.data()), device::cpu(), from, on);
    view dense = from;
    std::int64_t strides[max_rank];
    for (std::int64_t i = from.rank - 1, step = 1; i >= 0; step *= from.dims[i--])
      strides[i] = step;
    dense.data = staged.data();
    dense.strides = strides;
    dense.where = device::cpu();
    copy_to_gpu(target, where, dense, on);
  }
}

} // namespace detail

allocator_scope::allocator_scope(allocator &from) noexcept : before_(std::exchange(detail::current_allocator, &from)) {}
allocator_scope::~allocator_scope() { detail::current_allocator = before_; }

} // namespace tegula
