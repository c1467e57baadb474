// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What generated host code is written in. Users call the generated functions and need runtime.h only.
//
// A generated entry makes one `call`, tells it the arrays, checks shapes, allocates results and launches. Everything
// that can be refused is refused before the launch by a tegula::error of the form "<entry>: <message>".

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
/// class of architectures whose plans launch it. Where `waits_for_grids`, its kernels begin by waiting for the grids
/// before (PTX ISA, griddepcontrol), so that they may be launched while those end. `kernels` ends with a null and names
/// what is in it, where several images make up the code for the architecture; without it, the image is all of that.
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

/// The images of one kernel source, and what is loaded of them.
class any_image_set {
public:
  any_image_set(const any_image_set &) = delete;
  any_image_set &operator=(const any_image_set &) = delete;

  const image *begin() const noexcept { return images_; }
  const image *end() const noexcept { return images_ + count_; }
  /// The best image for a GPU of this architecture, or one of several that make it up; null if none runs there.
  const image *chosen(int ordinal, int arch) noexcept {
    const image *known = chosen_[ordinal].value.load(std::memory_order_acquire);
    return known != nullptr ? known : choose(ordinal, arch);
  }

protected:
  /// What an image is on each GPU that has loaded it.
  struct loaded {
    void *modules[max_devices];
  };
  constexpr any_image_set(const image *images, std::size_t count, loaded *of_images) noexcept
      : images_(images), count_(count), loaded_(of_images) {}

private:
  friend class kernel;
  const image *choose(int ordinal, int arch) noexcept;

  struct choice {
    std::atomic<const image *> value{nullptr};
  };
  const image *images_;
  std::size_t count_;
  choice chosen_[max_devices];
  std::mutex loading_;
  loaded *loaded_; // one for each image; under loading_
};

/// With room for what is loaded. A constant-initialised static of the generated file. `image_set none;` has no code at
/// all: kernels for the CPU alone.
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
  /// Every block has `shared_bytes` of shared memory, all of it dynamic; `cluster` blocks form a cluster.
  constexpr kernel(any_image_set &images, const char *name, int shared_bytes = 0, int cluster = 1) noexcept
      : images_(images), name_(name), shared_bytes_(shared_bytes), cluster_(cluster) {}
  kernel(const kernel &) = delete;
  kernel &operator=(const kernel &) = delete;

  const char *name() const noexcept { return name_; }
  int shared_bytes() const noexcept { return shared_bytes_; }
  int cluster() const noexcept { return cluster_; }
  /// Of the code that a GPU of this architecture runs.
  bool waits_for_grids(int ordinal, int arch) const noexcept {
    const image *code = images_.chosen(ordinal, arch);
    return code != nullptr && code->waits_for_grids;
  }
  /// The driver's function on a GPU, loaded on first use. `entry` begins error messages. The GPU's context is current.
  void *function(const char *entry, int ordinal) {
    void *known = functions_[ordinal].value.load(std::memory_order_acquire);
    return known != nullptr ? known : load(entry, ordinal);
  }

  /// How many clusters of a size a GPU runs at once.
  struct resident {
    std::int32_t cluster = 0, count = 0;
  };
  /// What was asked for last, on a GPU, of this kernel: drivers take microseconds for it.
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

/// Where the arrays of a list begin, and the table of that which launches read on a GPU.
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
  /// One of the lists whose tables were made together owns them all: the lists of a call go when it ends.
  mutable detail::memory owned_;
};

/// A list of arrays as launches take it: as an array with a dimension more, the first, that counts them. A table says
/// where they lie; the stride is 0. It refers to the tegula::arrays that the caller gave.
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

/// A kernel parameter of 128 bytes by which TMA copies boxes of an array. The launch makes it.
struct tensor_map {
  const char *name; // of the array
  view source;      // whose dims and strides are those of an array that outlives the launch
  dtype element;
  bool is_written;
  int swizzle;                    // bytes; 16 is none
  int box[5];                     // elements per dimension of the map; of packed ones, bytes
  int order[5] = {0, 1, 2, 3, 4}; // the array's dimension behind each of the map's
  bool is_optional = false;       // zeros where TMA cannot copy the array
  bool fills_with_nan = false;    // what lies outside the array
};

/// A tensor map of the array's rank, for copies from it. A copy moves `box` elements, arranged in shared memory by a
/// swizzle of 32, 64 or 128 bytes, to which the innermost extent of the box adds up then, or of 16 for none. What lies
/// outside the array is read as 0; this holds for an array without elements, too.
template <class A>
tensor_map read_map(const char *name, const A &a, int swizzle,
                    const int (&box)[packing::array_rank<A>::value]) noexcept {
  constexpr int rank = packing::array_rank<A>::value;
  static_assert(rank <= 5, "tensor maps have rank 1 to 5");
  tensor_map made{name, view_of(a), dtype_of<typename A::element>, false, swizzle, {}};
  for (int i = 0; i < rank; ++i)
    made.box[i] = box[i];
  return made;
}
/// The same for copies to the array as well. What lies outside is not written.
template <class A>
tensor_map write_map(const char *name, const A &a, int swizzle,
                     const int (&box)[packing::array_rank<A>::value]) noexcept {
  tensor_map made = read_map(name, a, swizzle, box);
  made.is_written = true;
  return made;
}
/// The map of a transposed view: its dimension i, of which box[i] is in a box, is the array's dimension order[i]. The
/// last one has the stride 1.
template <std::size_t Rank> tensor_map permuted(tensor_map map, const int (&order)[Rank]) noexcept {
  for (std::size_t i = 0; i < Rank; ++i)
    map.order[i] = order[i];
  return map;
}
/// The map with boxes that are no longer along its dimension `dim` than the array is, rounded up to a multiple of
/// `unit`.
inline tensor_map clipped(tensor_map map, int dim, int unit) noexcept {
  const std::int64_t length = map.source.dims[map.order[dim]];
  const std::int64_t units = length < unit ? 1 : (length - 1) / unit + 1;
  if (units * unit < map.box[dim])
    map.box[dim] = static_cast<int>(units * unit);
  return map;
}
/// The map, or zeros where TMA cannot copy the array: the kernel knows that it is not to use it.
inline tensor_map optional(tensor_map map) noexcept {
  map.is_optional = true;
  return map;
}
/// The map, but that elements outside the array are read as NaN.
inline tensor_map nan_outside(tensor_map map) noexcept {
  map.fills_with_nan = true;
  return map;
}
/// The map, but that signed integers of 32 and 64 bits are unsigned ones to it.
inline tensor_map as_unsigned(tensor_map map) noexcept {
  map.element = map.element == dtype::s32 ? dtype::u32 : map.element == dtype::s64 ? dtype::u64 : map.element;
  return map;
}
/// Whether TMA can copy the array, or its view: a launch throws for a map of which this is false. An array on the CPU
/// gets the answer of one on a GPU. Costs a few comparisons.
bool can_map(const tensor_map &map) noexcept;

namespace packing {

/// The 8-byte slots of a kernel parameter: a pointer, extents and strides for an array, its bytes for a scalar.
template <class A> inline constexpr int slots_of = array_rank<A>::value >= 0 ? 1 + 2 * array_rank<A>::value : 1;
template <> inline constexpr int slots_of<tensor_map> = 16;

/// Where a parameter begins if slots are free from this one on: tensor maps at multiples of 64 bytes.
template <class A> constexpr int begin_of(int slot) noexcept {
  return std::is_same_v<A, tensor_map> ? (slot + 7) / 8 * 8 : slot;
}
template <class... A> constexpr int count_slots() noexcept {
  int slot = 0;
  ((slot = begin_of<A>(slot) + slots_of<A>), ...);
  return slot;
}

/// A tensor map that the launch makes in a slot.
struct map_request {
  const tensor_map *map;
  int slot;
};

struct parameters {
  std::uint64_t *slots = nullptr;
  int count = 0;
  // With maps: a pointer per parameter, since drivers misplace parameters at multiples of 64 bytes in a packed buffer.
  const map_request *maps = nullptr;
  int map_count = 0;
  void **pointers = nullptr;
};

/// Fills slots with the arguments of a launch, in turn.
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
      static_assert(static_cast<int>(dtype_of<A>) >= 0, "a scalar kernel argument");
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

  alignas(Maps > 0 ? 64 : 8) std::uint64_t slots_[Slots];
  map_request requests_[Maps > 0 ? Maps : 1];
  void *pointers_[Maps > 0 ? Slots : 1];
  int slot_ = 0, map_count_ = 0, pointer_count_ = 0;
};

} // namespace packing

// What follows runs in every call, for every array: specialised for the rank.

/// What a launch asks of an array's extents and strides.
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

/// True if different indices are surely different elements: strides are nested, each stepping over all that the smaller
/// ones reach, or do not meet otherwise, as those of shape (3, 2) and strides (2, 3) (runtime/overlap.h).
bool elements_are_distinct(const view &v) noexcept;

/// Whether the first element lies where its type wants it: at a multiple of its size, a power of two.
inline bool starts_at_element(const view &v) noexcept {
  return (reinterpret_cast<std::uintptr_t>(v.data) & (static_cast<std::uintptr_t>(v.element_size) - 1)) == 0;
}

/// Whether each row of packed elements is a row of bytes.
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

/// The array as dense_view wants it: a list has the alignment that all of its arrays have.
template <class A> view view_of_alignment(const A &a) noexcept {
  view v = view_of(a);
  if constexpr (std::is_base_of_v<any_list, A>)
    v.data = reinterpret_cast<const void *>(a.address_bits());
  return v;
}

/// True if every array can be accessed in vectors of `align` bytes (a power of two) along its last dimension: its
/// elements are adjacent there, and the base and every other stride (of dimensions longer than 1) are multiples of
/// `align` bytes. Of a list, this holds for each array.
template <class... A> bool dense(std::size_t align, const A &...arrays) noexcept {
  return (dense_view<packing::array_rank<A>::value>(align, view_of_alignment(arrays)) && ...);
}

/// An array as one row, its elements in the order of memory. One with gaps has no such row: its elements are nowhere
/// adjacent then.
template <class A> auto flat(A &&a) noexcept {
  std::int64_t size = 1;
  bool adjacent = true;
  for (int i = packing::array_rank<std::decay_t<A>>::value - 1; i >= 0; --i) {
    adjacent &= a.dims()[i] == 1 || a.strides()[i] == size;
    // Modulo 2^64: where it is more, the array is empty, and another extent 0.
    size = static_cast<std::int64_t>(static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(a.dims()[i]));
  }
  using element = detail::pointed_t<decltype(a.data())>;
  return array<element, 1>(a.data(), {size}, {adjacent || size == 0 ? 1 : 0}, a.device());
}

/// The memory that a launch may touch through one array: some of the bytes from the lowest to the highest element. Made
/// by reads() and writes() of arrays that the call has admitted, and views of them.
struct access {
  const char *name;
  std::uintptr_t begin, end;
  bool written;
  view source; // whose dims and strides are those of an array that outlives the access
  // Of a list, each of whose arrays is as large as the first, at `source`.
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

/// A one-dimensional grid of CUDA blocks, a multiple of the kernel's cluster.
struct launch_shape {
  std::int64_t blocks;
  int threads;
  /// Blocks of a cluster; 0: as many as the kernel has.
  std::int64_t cluster = 0;
  /// Whether blocks may be placed while the grid before ends, of a kernel that waits for it.
  bool overlaps = true;
  /// Whether all blocks run at once, since they synchronize.
  bool is_resident = false;
};

/// One call of an entry.
class call {
public:
  /// The device is that of the arrays; an entry without array arguments takes it as a parameter and gives it here. Both
  /// references are kept.
  call(const char *entry, const stream &on, tegula::device where = {}) noexcept
      : entry_(entry), stream_(on), device_(where) {}
  call(const call &) = delete;
  call &operator=(const call &) = delete;

  /// An array argument that is only read. Refuses a null pointer with elements behind it, one that is no multiple of
  /// the elements' size, negative extents and strides, sizes beyond 64 bits, and a device other than that of the arrays
  /// before; of packed elements, rows that do not begin with a byte.
  template <class A> void input(const char *name, const A &a) {
    admit<packing::array_rank<A>::value>(name, view_of(a), false);
  }
  /// One that is written: refuses as well strides by which two indices reach one element (0 is such a stride).
  template <class A> void output(const char *name, const A &a) {
    admit<packing::array_rank<A>::value>(name, view_of(a), true);
  }
  template <class A> void inout(const char *name, const A &a) {
    admit<packing::array_rank<A>::value>(name, view_of(a), true);
  }

  /// A list of arrays, of which each is looked at as an array argument is. An empty one may be on any device.
  template <class T, int Rank> array_list<T, Rank + 1> inputs(const char *name, const arrays<T, Rank> &all) {
    return admit_list(name, all, false);
  }
  /// One that is written.
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
  /// Sets memory of the call's device to 0, in the order of its stream.
  void clear(void *memory, std::size_t bytes) const;
  [[noreturn]] void fail(std::string message, std::initializer_list<std::int64_t> numbers) const;

  tegula::device device() const noexcept { return device_; }
  bool on_cpu() const noexcept { return device_.is_cpu(); }
  /// Neither is a call on device::meta(), which launches nothing.
  bool on_gpu() const noexcept { return device_.is_gpu(); }

  /// Memory for a result or a temporary, on the call's device, in the order of its stream. On a GPU it is
  /// uninitialised; on the CPU all bits are 1, NaN in each float type, so that what nothing has stored to shows. A bool
  /// is true.
  template <class T, int Rank> buffer<T, Rank> empty(const char *name, const shape<Rank> &dims) const {
    buffer<T, Rank> made({entry_, name}, dims, device_, stream_);
    if (on_cpu() && made.data() != nullptr)
      std::memset(static_cast<void *>(address_of(made.data())), std::is_same_v<T, bool> ? 1 : 0xff,
                  static_cast<std::size_t>(bytes_of<T>(made.dims())));
    return made;
  }

  /// The same, of which all bits are 0.
  template <class T, int Rank> buffer<T, Rank> zeros(const char *name, const shape<Rank> &dims) const {
    buffer<T, Rank> made({entry_, name}, dims, device_, stream_);
    if (made.size() > 0)
      clear(address_of(made.data()), static_cast<std::size_t>(bytes_of<T>(made.dims())));
    return made;
  }

  /// What programs of a launch note of debug_checks that fail: a row for each, of -1 in the beginning.
  buffer<double, 2> record(std::int64_t programs, std::int64_t width) const;
  /// Waits for the launch, and throws for the first program that has noted one: "<entry>: <message>", where each {} is
  /// a value of the row, and each {bool} one that is a bool, in the program's place of the grid.
  void report(const buffer<double, 2> &record, std::initializer_list<const char *> messages,
              std::initializer_list<std::int64_t> grid) const;

  /// What threads of a launch note of when they do what (trace.h): rows with room for so many events.
  buffer<std::int64_t, 2> trace(std::int64_t rows, std::int64_t events) const;
  /// Waits for the launch, and keeps it for write_trace. A block has so many threads, each of which has so many rows.
  void keep_trace(const buffer<std::int64_t, 2> &trace, const char *launch, std::initializer_list<const char *> scopes,
                  int threads, int rows) const;

  /// Throws if memory written through one array may be touched through another. Arrays whose ranges from first to last
  /// byte meet may still have no byte in common, even and odd elements of one buffer: their strides tell.
  void no_overlap(std::initializer_list<access> accesses) const;

  /// Throws for an array that TMA cannot copy, as launch() does for its tensor map: what runs on the CPU runs on a GPU.
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

  /// Of the call's GPU; elsewhere 1.
  std::int64_t multiprocessors() const;

  /// How many clusters of so many blocks the call's GPU runs of a kernel at once; 1 if the driver does not say. Costs
  /// microseconds the first time, and where the size of clusters differs from that of the call before.
  std::int64_t resident_clusters(kernel &function, int threads, std::int64_t cluster) const;

  /// Launches on the GPU of the call: arrays, scalars and tensor maps in the order of the kernel's parameters, of
  /// exactly its types. No blocks: no launch. Refuses more than 2^31 - 1 blocks, more than run at once where they have
  /// to, arrays that TMA cannot copy, and a GPU for which there is no code or that has too little shared memory. Costs
  /// what cuLaunchKernelEx costs; no locks and no heap after the first launch of a kernel. The first launch that takes
  /// lists makes their tables.
  template <class... A> void launch(kernel &function, launch_shape shape, const A &...arguments) const {
    if constexpr ((std::is_base_of_v<any_list, A> || ...))
      if (shape.blocks > 0)
        fill_tables({list_in(arguments)...});
    constexpr int count = packing::count_slots<A...>(), map_count = (0 + ... + int{std::is_same_v<A, tensor_map>});
    static_assert(count <= 512, "kernel parameters are limited to 4096 bytes");
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

/// Memory that a call made, and whether it has returned it.
template <class T, int Rank> struct made_array {
  buffer<T, Rank> memory;
  bool is_taken;
};

/// An array that the host part of an entry assigns: one of several, with its memory if the call made it. Copies are the
/// same array.
template <class T, int Rank> class variable {
public:
  using element = std::remove_const_t<T>;

  variable() noexcept = default;
  variable(const array<T, Rank> &a) noexcept : view_(a) {}
  variable(buffer<element, Rank> memory)
      : view_(static_cast<array<element, Rank>>(memory)),
        made_(std::make_shared<made_array<element, Rank>>(made_array<element, Rank>{std::move(memory), false})) {}
  /// Of mutable elements, to be read.
  template <class U, class = std::enable_if_t<std::is_same_v<const U, T>>>
  variable(const variable<U, Rank> &other) noexcept : view_(other.view()), made_(other.made_) {}

  const array<T, Rank> &view() const noexcept { return view_; }
  /// What the entry returns. Throws if it returns the same array twice.
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
