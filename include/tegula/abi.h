// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface between generated host code and the runtime. Users call the generated functions and need only
// runtime.h.
//
// A generated entry makes one `call`, registers the arrays, checks shapes, allocates results and launches. Every error
// that can be detected is thrown before the launch, as a tegula::error of the form "<entry>: <message>".

#ifndef TEGULA_ABI_H
#define TEGULA_ABI_H

#include "tegula/abi_version.h"
#include "tegula/host_arithmetic.h"
#include "tegula/runtime.h"

#include <atomic>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <mutex>

namespace tegula::abi {

// ----- Machine code -----

enum class image_kind : unsigned char { cubin, ptx };

/// Code for one architecture: {90, 'a', ...} is sm_90a, {80, 0, ...} is sm_80. `arch_class` is tegulac's number of the
/// class of architectures whose plans launch it. If `waits_for_grids`, its kernels start by waiting for the previous
/// grids (PTX ISA, griddepcontrol), so they may be launched before these end. `kernels` is a null-terminated list of
/// the image's kernels, if several images make up the code for the architecture; without it, the image has all kernels.
struct image {
  int arch;
  char feature;
  image_kind kind;
  const unsigned char *data;
  std::size_t size;
  int arch_class = 0;
  bool waits_for_grids = false;
  const char *const *kernels = nullptr;
};

inline constexpr int max_devices = 64;

/// The images of one kernel source, and the modules loaded from them.
class any_image_set {
public:
  any_image_set(const any_image_set &) = delete;
  any_image_set &operator=(const any_image_set &) = delete;

  const image *begin() const noexcept { return images_; }
  const image *end() const noexcept { return images_ + count_; }
  /// The best image for a GPU of this architecture, or one of several that make it up; null if none runs there.
  const image *chosen(int ordinal, int arch) {
    const image *known = chosen_[ordinal].value.load(std::memory_order_acquire);
    return known != nullptr ? known : choose(ordinal, arch);
  }

protected:
  /// The module of an image on each GPU that has loaded it.
  struct loaded {
    void *modules[max_devices];
  };
  constexpr any_image_set(const image *images, std::size_t count, loaded *of_images) noexcept
      : images_(images), count_(count), loaded_(of_images) {}

private:
  friend class kernel;
  const image *choose(int ordinal, int arch);

  struct choice {
    std::atomic<const image *> value{nullptr};
  };
  const image *images_;
  std::size_t count_;
  choice chosen_[max_devices];
  std::mutex loading_;
  loaded *loaded_; // one for each image; guarded by loading_
};

/// An image set with storage for the loaded modules. A constant-initialised static of the generated file. `image_set
/// none;` has no code: its kernels run only on the CPU.
template <std::size_t N = 0> class image_set : public any_image_set {
public:
  constexpr explicit image_set(const image (&images)[N]) noexcept : any_image_set(images, N, room_) {}

private:
  loaded room_[N] = {};
};
template <> class image_set<0> : public any_image_set {
public:
  constexpr image_set() noexcept : any_image_set(nullptr, 0, nullptr) {}
};
image_set() -> image_set<0>;

/// One kernel of an image set. A constant-initialised static of the generated file.
class kernel {
public:
  /// Every CTA has `shared_bytes` of dynamic shared memory; `cluster` CTAs form a cluster.
  constexpr kernel(any_image_set &images, const char *name, int shared_bytes = 0, int cluster = 1) noexcept
      : images_(images), name_(name), shared_bytes_(shared_bytes), cluster_(cluster) {}
  kernel(const kernel &) = delete;
  kernel &operator=(const kernel &) = delete;

  const char *name() const noexcept { return name_; }
  int shared_bytes() const noexcept { return shared_bytes_; }
  int cluster() const noexcept { return cluster_; }
  /// That of the image that a GPU of this architecture runs.
  bool waits_for_grids(int ordinal, int arch) const noexcept {
    const image *code = images_.chosen(ordinal, arch);
    return code != nullptr && code->waits_for_grids;
  }
  /// The driver's function on a GPU, loaded on first use. `entry` is the prefix of error messages. The GPU's context
  /// must be current.
  void *function(const char *entry, int ordinal) {
    void *known = functions_[ordinal].value.load(std::memory_order_acquire);
    return known != nullptr ? known : load(entry, ordinal);
  }

  /// The number of resident clusters of a given size.
  struct resident {
    std::int32_t cluster = 0, count = 0;
  };
  /// The latest query for this kernel on a GPU, cached because the driver takes microseconds for it.
  std::atomic<resident> &resident_clusters(int ordinal) noexcept { return functions_[ordinal].clusters; }

private:
  void *load(const char *entry, int ordinal);
  [[noreturn]] void refuse(const char *entry, int ordinal) const;

  struct slot {
    std::atomic<void *> value{nullptr};
    std::atomic<resident> clusters{};
  };
  any_image_set &images_;
  const char *name_;
  int shared_bytes_, cluster_;
  slot functions_[max_devices];
};

// ----- Arguments -----

using detail::view;
using detail::view_of;
template <class T, int Rank> view view_of(const buffer<T, Rank> &b) noexcept {
  return detail::view_of_elements(b.data(), b.dims(), b.strides(), b.device());
}

/// The addresses of a list's arrays, and the GPU table of them that launches read.
class any_list {
public:
  any_list(void *const *pointers, std::int64_t count) noexcept : pointers_(pointers), count_(count) {
    for (std::int64_t i = 0; i < count; ++i)
      address_bits_ |= reinterpret_cast<std::uintptr_t>(pointers[i]);
  }

  void *const *pointers() const noexcept { return pointers_; }
  std::int64_t count() const noexcept { return count_; }
  /// The OR of all addresses: aligned to a power of two exactly if each of them is.
  std::uintptr_t address_bits() const noexcept { return address_bits_; }
  /// Null before the first launch on a GPU.
  const void *table() const noexcept { return table_; }

private:
  friend class call;
  void *const *pointers_;
  std::int64_t count_;
  std::uintptr_t address_bits_ = 0;
  mutable const void *table_ = nullptr;
  /// One of the lists whose tables were allocated together owns the allocation: the lists of a call are destroyed when
  /// it ends.
  mutable detail::memory owned_;
};

/// A list of arrays as an argument of launches: an array with an additional dimension 0 that counts them. A table has
/// their addresses; the stride is 0. It refers to the caller's tegula::arrays.
template <class T, int Rank> class array_list : public any_list {
public:
  using element = std::remove_const_t<T>;

  explicit array_list(const arrays<T, Rank - 1> &from) noexcept
      : any_list(from.pointers(), from.size()), device_(from.device()) {
    dims_[0] = from.size();
    for (int i = 1; i < Rank; ++i) {
      dims_[i] = from.dims()[i - 1];
      strides_[i] = from.strides()[i - 1];
    }
  }

  const shape<Rank> &dims() const noexcept { return dims_; }
  const shape<Rank> &strides() const noexcept { return strides_; }
  std::int64_t dim(int axis) const noexcept { return dims_[axis]; }
  tegula::device device() const noexcept { return device_; }
  /// One of its arrays.
  view member(const void *data) const noexcept {
    return {data, dims_.data() + 1, strides_.data() + 1, Rank - 1, static_cast<int>(sizeof(T)), device_};
  }

private:
  shape<Rank> dims_, strides_;
  tegula::device device_;
};
/// The view of a list: its data is the table.
template <class T, int Rank> view view_of(const array_list<T, Rank> &l) noexcept {
  return {l.table(), l.dims().data(), l.strides().data(), Rank, static_cast<int>(sizeof(T)), l.device()};
}

namespace packing {

template <class A> struct array_rank {
  static constexpr int value = -1;
}; // a scalar
template <class T, int Rank> struct array_rank<array_list<T, Rank>> {
  static constexpr int value = Rank;
};
template <class T, int Rank> struct array_rank<array<T, Rank>> {
  static constexpr int value = Rank;
};
template <class T, int Rank> struct array_rank<buffer<T, Rank>> {
  static constexpr int value = Rank;
};

} // namespace packing

/// A kernel parameter of 128 bytes, the tensor map by which TMA copies boxes of an array. The launch encodes it.
struct tensor_map {
  const char *name; // of the array
  view source;      // whose dims and strides are those of an array that outlives the launch
  dtype element;
  bool is_written;
  int swizzle;                    // bytes; 16 is none
  int box[5];                     // elements per dimension of the map; of packed ones, bytes
  int order[5] = {0, 1, 2, 3, 4}; // the array's dimension for each of the map's
  bool is_optional = false;       // zeros where TMA cannot copy the array
  bool fills_with_nan = false;    // for elements outside the array, instead of 0
};

/// A tensor map of the array's rank, for copies from it. A copy moves `box` elements, arranged in shared memory by a
/// swizzle of 32, 64 or 128 bytes, in which case the innermost extent of the box is as wide, or of 16 for none.
/// Elements outside the array are read as 0, also for an array without elements.
template <class A>
tensor_map read_map(const char *name, const A &a, int swizzle,
                    const int (&box)[packing::array_rank<A>::value]) noexcept {
  constexpr int rank = packing::array_rank<A>::value;
  static_assert(rank <= 5, "the rank is out of range: tensor maps have rank 1 to 5");
  tensor_map made{name, view_of(a), dtype_of<typename A::element>, false, swizzle, {}};
  for (int i = 0; i < rank; ++i)
    made.box[i] = box[i];
  return made;
}
/// The same for copies to the array as well. Elements outside are not written.
template <class A>
tensor_map write_map(const char *name, const A &a, int swizzle,
                     const int (&box)[packing::array_rank<A>::value]) noexcept {
  tensor_map made = read_map(name, a, swizzle, box);
  made.is_written = true;
  return made;
}
/// The map of a transposed view: its dimension i, with extent box[i] in a box, is the array's dimension order[i]. The
/// last one has the stride 1.
template <std::size_t Rank> tensor_map permuted(tensor_map map, const int (&order)[Rank]) noexcept {
  for (std::size_t i = 0; i < Rank; ++i)
    map.order[i] = order[i];
  return map;
}
/// The map with boxes clipped along its dimension `dim` to the array's extent, rounded up to a multiple of `unit`.
inline tensor_map clipped(tensor_map map, int dim, int unit) noexcept {
  const std::int64_t length = map.source.dims[map.order[dim]];
  const std::int64_t units = length < unit ? 1 : (length - 1) / unit + 1;
  if (units * unit < map.box[dim])
    map.box[dim] = static_cast<int>(units * unit);
  return map;
}
/// The map, or zeros if TMA cannot copy the array: the kernel must not use it then.
inline tensor_map optional(tensor_map map) noexcept {
  map.is_optional = true;
  return map;
}
/// The map with NaN for elements outside the array.
inline tensor_map nan_outside(tensor_map map) noexcept {
  map.fills_with_nan = true;
  return map;
}
/// The map with signed integers of 32 and 64 bits declared as unsigned.
inline tensor_map as_unsigned(tensor_map map) noexcept {
  map.element = map.element == dtype::s32 ? dtype::u32 : map.element == dtype::s64 ? dtype::u64 : map.element;
  return map;
}
/// Whether TMA can copy the array, or its view; a launch throws for a map of which this is false. The answer for a CPU
/// array is that for the same array on a GPU. Costs a few comparisons.
bool can_map(const tensor_map &map) noexcept;

namespace packing {

/// The number of 8-byte slots of a kernel parameter: a pointer, extents and strides for an array, the bytes of a
/// scalar.
template <class A> inline constexpr int slots_of = array_rank<A>::value >= 0 ? 1 + 2 * array_rank<A>::value : 1;
template <> inline constexpr int slots_of<tensor_map> = 16;

/// The first slot of a parameter if slots from this one on are free: tensor maps start at multiples of 64 bytes.
template <class A> constexpr int begin_of(int slot) noexcept {
  return std::is_same_v<A, tensor_map> ? (slot + 7) / 8 * 8 : slot;
}
template <class... A> constexpr int count_slots() noexcept {
  int slot = 0;
  ((slot = begin_of<A>(slot) + slots_of<A>), ...);
  return slot;
}

/// A tensor map that the launch encodes into a slot.
struct map_request {
  const tensor_map *map;
  int slot;
};

struct parameters {
  std::uint64_t *slots = nullptr;
  int count = 0;
  // With tensor maps, one pointer per parameter, because drivers misplace parameters at multiples of 64 bytes in a
  // packed buffer.
  const map_request *maps = nullptr;
  int map_count = 0;
  void **pointers = nullptr;
};

/// Writes the arguments of a launch to consecutive slots.
template <int Slots, int Maps> class packer {
public:
  template <class A> void add(const A &argument) noexcept {
    constexpr int rank = array_rank<A>::value;
    if constexpr (std::is_same_v<A, tensor_map>) {
      slot_ = begin_of<A>(slot_);
      requests_[map_count_++] = {&argument, slot_};
      pointers_[pointer_count_++] = slots_ + slot_;
      slot_ += slots_of<A>;
    } else if constexpr (rank >= 0) {
      const view v = view_of(argument);
      put(reinterpret_cast<std::uintptr_t>(v.data));
      for (int i = 0; i < rank; ++i)
        put(static_cast<std::uint64_t>(v.dims[i]));
      for (int i = 0; i < rank; ++i)
        put(static_cast<std::uint64_t>(v.strides[i]));
    } else {
      static_assert(static_cast<int>(dtype_of<A>) >= 0,
                    "this is not an element type of Tegula: a scalar kernel argument has one");
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, &argument, sizeof argument); // The machine is little-endian: the bytes are the low end.
      put(bytes);
    }
  }
  parameters packed() noexcept { return {slots_, Slots, requests_, Maps, pointers_}; }

private:
  void put(std::uint64_t value) noexcept {
    slots_[slot_] = value;
    if constexpr (Maps > 0)
      pointers_[pointer_count_++] = slots_ + slot_;
    ++slot_;
  }

  alignas(Maps > 0 ? 64 : 8) std::uint64_t slots_[static_cast<std::size_t>(Slots)];
  map_request requests_[static_cast<std::size_t>(Maps > 0 ? Maps : 1)];
  void *pointers_[static_cast<std::size_t>(Maps > 0 ? Slots : 1)];
  int slot_ = 0, map_count_ = 0, pointer_count_ = 0;
};

} // namespace packing

// The following runs in every call, for every array: specialised for the rank.

/// Properties of an array's extents and strides that a launch checks.
struct extent {
  std::int64_t bytes; // from the first element to the end of the last
  bool empty;
  bool negative;  // an extent, or a stride that is used
  bool too_large; // the bytes or the elements are more than 63 bits count
  bool too_many;  // the extents above 0 multiply to more than max_elements
};

template <int Rank> [[gnu::always_inline]] inline extent measure(const view &v) noexcept {
  std::int64_t size = 1, last = 0, bytes = 0;
  bool empty = false, negative = false, too_large = false, too_many = false;
  for (int i = 0; i < Rank; ++i) {
    const std::int64_t dim = v.dims[i], stride = v.strides[i];
    empty |= dim == 0;
    negative |= dim < 0;
    if (dim <= 1)
      continue;
    std::int64_t reach = 0;
    negative |= stride < 0;
    if constexpr (Rank > 1)
      too_many |= __builtin_mul_overflow(size, dim, &size);
    else
      size = dim;
    too_large |= __builtin_mul_overflow(dim - 1, stride, &reach);
    too_large |= __builtin_add_overflow(last, reach, &last);
  }
  too_large |= last == INT64_MAX || __builtin_mul_overflow(last + 1, std::int64_t{v.element_size}, &bytes);
  if (v.per_byte == 2)
    bytes = bytes / 2 + bytes % 2;
  too_many |= size > max_elements;
  return {bytes, empty, negative, too_large || too_many, too_many};
}

/// True if different indices are provably different elements: strides are nested, each stepping over all that the
/// smaller ones reach, or do not collide for another reason, as for shape (3, 2) and strides (2, 3)
/// (runtime/overlap.h).
bool elements_are_distinct(const view &v) noexcept;

/// Whether the first element is aligned to its size, a power of two.
inline bool starts_at_element(const view &v) noexcept {
  return (reinterpret_cast<std::uintptr_t>(v.data) & (static_cast<std::uintptr_t>(v.element_size) - 1)) == 0;
}

/// Whether each row of packed elements starts at a byte and consists of bytes.
inline bool has_rows_of_bytes(const view &v) noexcept {
  if (v.per_byte == 1)
    return true;
  bool result = !v.starts_within_byte;
  for (int i = 0; i < v.rank; ++i)
    result &= v.dims[i] <= 1 || (i == v.rank - 1 ? v.strides[i] == 1 : v.strides[i] % 2 == 0);
  return result;
}

inline bool is_empty(const view &v) noexcept {
  for (int i = 0; i < v.rank; ++i)
    if (v.dims[i] == 0)
      return true;
  return false;
}

template <int Rank> bool dense_view(std::size_t align, const view &v) noexcept {
  std::uintptr_t bits = reinterpret_cast<std::uintptr_t>(v.data);
  bool adjacent = true;
  for (int i = 0; i < Rank; ++i)
    if (v.dims[i] > 1) {
      if (i == Rank - 1)
        adjacent = v.strides[i] == 1;
      else
        bits |= static_cast<std::uintptr_t>(v.strides[i]) * static_cast<std::uintptr_t>(v.element_size) /
                static_cast<std::uintptr_t>(v.per_byte);
    }
  return adjacent && (bits & (align - 1)) == 0;
}

/// The array for dense_view: a list has the alignment that all of its arrays have.
template <class A> view view_of_alignment(const A &a) noexcept {
  view v = view_of(a);
  if constexpr (std::is_base_of_v<any_list, A>)
    v.data = reinterpret_cast<const void *>(a.address_bits());
  return v;
}

/// True if every array can be accessed in vectors of `align` bytes (a power of two) along its last dimension: its
/// elements are contiguous there, and the base and every other stride (of dimensions longer than 1) are multiples of
/// `align` bytes. For a list, each array must satisfy this.
template <class... A> bool dense(std::size_t align, const A &...arrays) noexcept {
  return (dense_view<packing::array_rank<A>::value>(align, view_of_alignment(arrays)) && ...);
}

/// An array as a single row, with its elements in memory order. If the array has gaps, the row gets stride 0, so that
/// dense() is false for it.
template <class A> auto flat(A &&a) noexcept {
  std::int64_t size = 1;
  bool adjacent = true;
  for (int i = packing::array_rank<std::decay_t<A>>::value - 1; i >= 0; --i) {
    adjacent &= a.dims()[i] == 1 || a.strides()[i] == size;
    // Modulo 2^64: if it overflows, the array is empty, because another extent is 0.
    size = static_cast<std::int64_t>(static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(a.dims()[i]));
  }
  using element = detail::pointed_t<decltype(a.data())>;
  return array<element, 1>(a.data(), {size}, {adjacent || size == 0 ? 1 : 0}, a.device());
}

/// The memory that a launch may access through one array: some of the bytes from the lowest to the highest element.
/// Made by reads() and writes() from arrays that the call has checked, and views of them.
struct access {
  const char *name;
  std::uintptr_t begin, end;
  bool written;
  view source; // whose dims and strides are those of an array that outlives the access
  // For a list, each of whose arrays is as large as the first, at `source`.
  const any_list *members = nullptr;
};
template <int Rank> access access_of(const char *name, const view &v, bool written) noexcept {
  const extent size = measure<Rank>(v);
  const auto begin = reinterpret_cast<std::uintptr_t>(v.data);
  if (size.empty)
    return {name, 0, 0, written, v};
  return {name, begin, begin + static_cast<std::uintptr_t>(size.bytes), written, v};
}
template <class T, int Rank> access access_of(const char *name, const array_list<T, Rank> &l, bool written) noexcept {
  access made = access_of<Rank - 1>(name, l.member(l.count() > 0 ? l.pointers()[0] : nullptr), written);
  made.members = &l;
  return made;
}
template <class A> access access_of(const char *name, const A &a, bool written) noexcept {
  return access_of<packing::array_rank<A>::value>(name, view_of(a), written);
}
template <class A> access reads(const char *name, const A &a) noexcept { return access_of(name, a, false); }
template <class A> access writes(const char *name, const A &a) noexcept { return access_of(name, a, true); }

// ----- Calls -----

/// A one-dimensional grid of CTAs, a multiple of the kernel's cluster.
struct launch_shape {
  std::int64_t blocks;
  int threads;
  /// CTAs of a cluster; 0: the kernel's own number.
  std::int64_t cluster = 0;
  /// Whether CTAs may be scheduled before the previous grid ends, for a kernel that waits for it.
  bool overlaps = true;
  /// Whether all CTAs must be co-resident, because they synchronize.
  bool is_resident = false;
};

/// One call of an entry.
class call {
public:
  /// The device is that of the arrays; an entry without array arguments has it as a parameter and passes it here. Both
  /// references are kept.
  call(const char *entry, const stream &on, tegula::device where = {}) noexcept
      : entry_(entry), stream_(on), device_(where) {}
  call(const call &) = delete;
  call &operator=(const call &) = delete;

  /// Registers an array argument that is only read. Throws for a null pointer with elements, an address that is not a
  /// multiple of the element size, negative extents and strides, sizes beyond 64 bits, a device other than that of the
  /// arrays before, and rows of packed elements that do not start at a byte.
  template <class A> void input(const char *name, const A &a) {
    admit<packing::array_rank<A>::value>(name, view_of(a), false);
  }
  /// Registers an array that is written: also throws for strides by which two indices reach one element (as 0 does).
  template <class A> void output(const char *name, const A &a) {
    admit<packing::array_rank<A>::value>(name, view_of(a), true);
  }
  template <class A> void inout(const char *name, const A &a) {
    admit<packing::array_rank<A>::value>(name, view_of(a), true);
  }

  /// Registers a list of arrays, each of which is checked as an array argument. An empty one may be on any device.
  template <class T, int Rank> array_list<T, Rank + 1> inputs(const char *name, const arrays<T, Rank> &all) {
    return admit_list(name, all, false);
  }
  /// Registers a list that is written.
  template <class T, int Rank> array_list<T, Rank + 1> outputs(const char *name, const arrays<T, Rank> &all) {
    return admit_list(name, all, true);
  }
  template <class T, int Rank> array_list<T, Rank + 1> inouts(const char *name, const arrays<T, Rank> &all) {
    return admit_list(name, all, true);
  }

  /// Throws "<entry>: <message>" unless the condition holds.
  void check(bool condition, const char *message) const {
    if (!condition)
      fail(message);
  }
  /// The same, with a number for each {} of the message.
  void check(bool condition, const char *message, std::initializer_list<std::int64_t> numbers) const {
    if (!condition)
      fail(message, numbers);
  }
  [[noreturn]] void fail(const std::string &message) const;
  /// Sets memory of the call's device to 0, in stream order.
  void clear(void *memory, std::size_t bytes) const;
  [[noreturn]] void fail(std::string message, std::initializer_list<std::int64_t> numbers) const;

  tegula::device device() const noexcept { return device_; }
  bool on_cpu() const noexcept { return device_.is_cpu(); }
  /// A call on device::meta() is on neither: it launches nothing.
  bool on_gpu() const noexcept { return device_.is_gpu(); }

  /// Allocates memory for a result or a temporary, on the call's device, in stream order. On a GPU it is uninitialised;
  /// on the CPU all bits are 1, NaN in each float type, to expose elements that were not stored. A bool is true.
  template <class T, int Rank> buffer<T, Rank> empty(const char *name, const shape<Rank> &dims) const {
    buffer<T, Rank> made({entry_, name}, dims, device_, stream_);
    if (on_cpu() && made.data() != nullptr)
      std::memset(static_cast<void *>(address_of(made.data())), std::is_same_v<T, bool> ? 1 : 0xff,
                  static_cast<std::size_t>(bytes_of<T>(made.dims())));
    return made;
  }

  /// The same, with all bits 0.
  template <class T, int Rank> buffer<T, Rank> zeros(const char *name, const shape<Rank> &dims) const {
    buffer<T, Rank> made({entry_, name}, dims, device_, stream_);
    if (made.size() > 0)
      clear(address_of(made.data()), static_cast<std::size_t>(bytes_of<T>(made.dims())));
    return made;
  }

  /// Allocates the record of failed debug_checks of a launch: a row for each program, initially -1.
  buffer<double, 2> record(std::int64_t programs, std::int64_t width) const;
  /// Waits for the launch, and throws for the first program with a failed check: "<entry>: <message>", where each {} is
  /// a value of the row, and each {bool} one that is a bool, with the program's index in the grid.
  void report(const buffer<double, 2> &record, std::initializer_list<const char *> messages,
              std::initializer_list<std::int64_t> grid) const;

  /// Allocates the timeline of a launch (trace.h): rows with room for `events` events each.
  buffer<std::int64_t, 2> trace(std::int64_t rows, std::int64_t events) const;
  /// Waits for the launch, and keeps its timeline for write_trace. The last arguments are the number of warpgroups per
  /// CTA, and of rows per warpgroup.
  void keep_trace(const buffer<std::int64_t, 2> &trace, const char *launch, std::initializer_list<const char *> scopes,
                  int threads, int rows) const;

  /// Throws if memory written through one array may be accessed through another. Arrays whose ranges from first to last
  /// byte overlap may still have no byte in common, as even and odd elements of one buffer: their strides decide.
  void no_overlap(std::initializer_list<access> accesses) const;

  /// Throws for an array that TMA cannot copy, as launch() does for its tensor map: a call that succeeds on the CPU
  /// then succeeds on a GPU.
  template <class A> void copied(const char *name, const A &a, bool is_written) const {
    constexpr int order[] = {0, 1, 2, 3, 4, 5};
    static_assert(sizeof order == max_rank * sizeof(int), "the order of an array of any rank");
    check_copied(name, view_of(a), is_written, order);
  }
  /// The same for copies of a view whose dimension i is the array's dimension order[i].
  template <class A>
  void copied(const char *name, const A &a, bool is_written, const int (&order)[packing::array_rank<A>::value]) const {
    check_copied(name, view_of(a), is_written, order);
  }

  /// Whether the code that the call's GPU runs is for one of these classes of architectures. Costs a few comparisons.
  bool is_class(any_image_set &images, std::initializer_list<int> classes) const;

  /// The number of SMs of the call's GPU; elsewhere 1.
  std::int64_t multiprocessors() const;

  /// The number of resident clusters of this size on the call's GPU for a kernel; 1 if the driver does not know. Costs
  /// microseconds the first time, and whenever the cluster size differs from that of the previous call.
  std::int64_t resident_clusters(kernel &function, int threads, std::int64_t cluster) const;

  /// Launches on the call's GPU: arrays, scalars and tensor maps in the order of the kernel's parameters, with exactly
  /// its types. An empty grid launches nothing. Throws for more than 2^31 - 1 CTAs, for more than can be co-resident
  /// where that is required, for arrays that TMA cannot copy, and for a GPU for which there is no code or that has too
  /// little shared memory. Costs what cuLaunchKernelEx costs; no locks and no heap allocation after the first launch of
  /// a kernel. The first launch that takes lists makes their tables.
  template <class... A> void launch(kernel &function, launch_shape shape, const A &...arguments) const {
    if constexpr ((std::is_base_of_v<any_list, A> || ...))
      if (shape.blocks > 0)
        fill_tables({list_in(arguments)...});
    constexpr int count = packing::count_slots<A...>(), map_count = (0 + ... + int{std::is_same_v<A, tensor_map>});
    static_assert(count <= 512, "the kernel has too many parameters: they are limited to 4096 bytes");
    if constexpr (count == 0) {
      launch_slots(function, shape, {});
    } else {
      packing::packer<count, map_count> packer;
      (packer.add(arguments), ...);
      launch_slots(function, shape, packer.packed());
    }
  }

private:
  template <int Rank> void admit(const char *name, const view &v, bool written) {
    if (first_array_ == nullptr) {
      first_array_ = name;
      device_ = v.where;
    }
    const extent size = measure<Rank>(v);
    const bool good = size.empty || (!size.too_large && v.data != nullptr && starts_at_element(v) &&
                                     has_rows_of_bytes(v) && (!written || elements_are_distinct(v)));
    if (v.where != device_ || size.negative || size.too_many || !good)
      refuse(name, v, size.too_large);
  }
  template <class T, int Rank>
  array_list<T, Rank + 1> admit_list(const char *name, const arrays<T, Rank> &all, bool written) {
    array_list<T, Rank + 1> made(all);
    if (all.size() > 0) {
      const view first = made.member(all.pointers()[0]);
      admit<Rank>(name, first, written);
      check_members(name, made, first);
    }
    return made;
  }
  template <class A> static const any_list *list_in([[maybe_unused]] const A &argument) noexcept {
    if constexpr (std::is_base_of_v<any_list, A>)
      return &argument;
    else
      return nullptr;
  }
  [[noreturn]] void refuse(const char *name, const view &v, bool too_large) const;
  void check_members(const char *name, const any_list &members, const view &first) const;
  void fill_tables(std::initializer_list<const any_list *> lists) const;
  [[noreturn]] void fail_overlap(const std::string &written, const std::string &other) const;
  void no_overlap_of_lists(std::initializer_list<access> accesses) const;
  void check_copied(const char *name, const view &v, bool is_written, const int *order) const;
  void launch_slots(kernel &function, launch_shape shape, const packing::parameters &parameters) const;

  const char *entry_;
  const stream &stream_;
  tegula::device device_;
  const char *first_array_ = nullptr;
};

// ----- Variables -----

/// An array that a call allocated, and whether the call has returned it.
template <class T, int Rank> struct made_array {
  buffer<T, Rank> memory;
  bool is_taken;
};

/// An array variable of an entry's host code: it can be assigned, and owns memory if the call allocated it. Copies
/// refer to the same array.
template <class T, int Rank> class variable {
public:
  using element = std::remove_const_t<T>;

  variable() noexcept = default;
  variable(const array<T, Rank> &a) noexcept : view_(a) {}
  variable(buffer<element, Rank> memory)
      : view_(static_cast<array<element, Rank>>(memory)),
        made_(std::make_shared<made_array<element, Rank>>(made_array<element, Rank>{std::move(memory), false})) {}
  /// A variable of mutable elements converts to one of const elements.
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  variable(const variable<U, Rank> &other) noexcept : view_(other.view()), made_(other.made_) {}

  const array<T, Rank> &view() const noexcept { return view_; }
  /// Takes the array as a result of the entry. Throws if the entry returns one array twice.
  buffer<element, Rank> take(const call &by) const {
    if (made_ == nullptr || made_->is_taken)
      by.fail("returns the same array twice");
    made_->is_taken = true;
    return std::move(made_->memory);
  }

private:
  template <class, int> friend class variable;
  array<T, Rank> view_;
  std::shared_ptr<made_array<element, Rank>> made_;
};

} // namespace tegula::abi

#endif // TEGULA_ABI_H
