// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of other libraries, and for them, without a copy: DLPack tensors, of version 1.x and before. Header-only; it
// needs no other library, and takes the structs of <dlpack/dlpack.h> where that is found (dlpack_types.h).
//
//     tegula::dlpack_owner x(managed);                       // a DLManagedTensorVersioned *, or a DLManagedTensor *
//     auto y = scale(x.view<const float, 2>(), 0.5f);        // an entry
//     return tegula::to_dlpack(std::move(y));                // owns what the entry returned
//
// What a tensor is, is checked against the element type and the rank that it is to have: every function here throws a
// tegula::error that names the fact and what to do.
//
// Elements: bool, integers of 8 to 64 bits, float16, bfloat16, float32, float64, float8_e4m3fn (e4m3), float8_e5m2
// (e5m2), float8_e8m0fnu (e8m0), and, two to a byte, int4, uint4 and float4_e2m1fn (e2m1). Complex numbers are not:
// give a view of their real and imaginary parts.
//
// Devices: kDLCPU and kDLCUDAHost are the CPU; kDLCUDA and kDLCUDAManaged are the GPU of their device_id.
//
// Streams: a tensor does not say when its elements are written. DLPack leaves that to whoever asks for a tensor: in
// Python, x.__dlpack__(stream=s) orders the producer's work before what comes next in the stream s. Give that stream to
// the entry (stream::wrap). Of a tensor that to_dlpack made, the elements are there for the stream of the entry that
// made it: others wait for it (stream::synchronize, or an event of the CUDA driver). Its memory goes in the order of
// that stream when its deleter is called, so work in other streams is done by then, and the stream still exists.
//
// A deleter may be called on any thread, once.

#ifndef TEGULA_DLPACK_H
#define TEGULA_DLPACK_H

#include "tegula/dlpack_types.h"
#include "tegula/runtime.h"

#include <memory>
#include <type_traits>
#include <utility>

namespace tegula {

namespace dlpack {

/// Of the tensors that to_dlpack makes.
inline constexpr std::uint32_t major_version = 1, minor_version = 1;

/// Bits of DLManagedTensorVersioned::flags.
inline constexpr std::uint64_t is_read_only = 1, is_padded = 4;

/// The data type of elements.
constexpr DLDataType data_type(dtype type) noexcept {
  std::uint8_t code = 0;
  switch (type) {
  case dtype::s4:
  case dtype::s8:
  case dtype::s16:
  case dtype::s32:
  case dtype::s64:
    code = 0;
    break;
  case dtype::u4:
  case dtype::u8:
  case dtype::u16:
  case dtype::u32:
  case dtype::u64:
    code = 1;
    break;
  case dtype::f16:
  case dtype::f32:
  case dtype::f64:
    code = 2;
    break;
  case dtype::bf16:
    code = 4;
    break;
  case dtype::boolean:
    code = 6;
    break;
  case dtype::e4m3:
    code = 10;
    break;
  case dtype::e5m2:
    code = 12;
    break;
  case dtype::e8m0:
    code = 14;
    break;
  case dtype::e2m1:
    code = 17;
    break;
  }
  return {code, static_cast<std::uint8_t>(bits_of(type)), 1};
}

/// "float32", "bfloat16", "float8_e4m3fn", "float32x4".
inline std::string name(DLDataType type) {
  constexpr const char *stems[] = {"int", "uint", "float", "handle", "bfloat", "complex"};
  constexpr const char *names[] = {"bool",           "float8_e3m4",     "float8_e4m3",   "float8_e4m3b11fnuz",
                                   "float8_e4m3fn",  "float8_e4m3fnuz", "float8_e5m2",   "float8_e5m2fnuz",
                                   "float8_e8m0fnu", "float6_e2m3fn",   "float6_e3m2fn", "float4_e2m1fn"};
  constexpr std::size_t stem_count = std::size(stems), count = stem_count + std::size(names);
  std::string text;
  if (type.code < stem_count)
    text = stems[type.code] + std::to_string(int{type.bits});
  else if (type.code < count)
    text = names[type.code - stem_count];
  else
    text = "type code " + std::to_string(int{type.code}) + " of " + std::to_string(int{type.bits}) + " bits";
  return type.lanes == 1 ? text : text + "x" + std::to_string(int{type.lanes});
}

/// Where a tensor lives. Throws for another device than the CPU and those of CUDA.
inline device device_of(DLDevice where, const tegula::detail::purpose &what = {"from_dlpack"});
/// The other way. Throws for meta.
inline DLDevice device_of(device where);

namespace detail {

using tegula::detail::purpose;

[[noreturn]] inline void refuse(const purpose &what, const std::string &why) {
  throw error(std::string(what.function) + ": " +
              (what.name != nullptr ? "'" + std::string(what.name) + "'" : "the tensor") + " " + why);
}

inline std::string list(const std::int64_t *values, int count) {
  std::string text = "(";
  for (int i = 0; i < count; ++i)
    text += (i > 0 ? ", " : "") + std::to_string(values[i]);
  return text + ")";
}

constexpr bool is_same(DLDataType a, DLDataType b) noexcept {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

[[noreturn, gnu::noinline]] inline void refuse_type(const purpose &what, DLDataType given, DLDataType wanted) {
  const std::string begin = "has elements of " + name(given) + ", and ";
  if (given.lanes != 1 && given.code == wanted.code && given.bits == wanted.bits)
    refuse(what, begin + "elements of one lane are expected: give a view whose last dimension has " +
                     std::to_string(int{given.lanes}) + " times as many");
  constexpr std::uint8_t complex = 5;
  if (given.code == complex)
    refuse(what, begin + "Tegula has no complex numbers: give a view of their real and imaginary parts, which has a "
                         "dimension of 2 more, the last (torch.view_as_real)");
  refuse(what, begin + name(wanted) + " is expected: convert it");
}

/// What is refused whatever the element type; returns the address of the first element.
inline char *check(const purpose &what, const DLTensor &tensor, DLDataType wanted, int rank, std::size_t element_size) {
  if (!is_same(tensor.dtype, wanted))
    refuse_type(what, tensor.dtype, wanted);
  if (tensor.ndim != rank) {
    const bool has_shape = tensor.ndim > 0 && tensor.shape != nullptr;
    refuse(what, "has " + std::to_string(tensor.ndim) + (tensor.ndim == 1 ? " dimension" : " dimensions") +
                     (has_shape ? ", its shape is " + list(tensor.shape, tensor.ndim) : "") + ", and " +
                     std::to_string(rank) + (rank == 1 ? " is" : " are") + " expected: reshape it");
  }
  if (rank > 0 && tensor.shape == nullptr)
    refuse(what, "has no shape: the pointer to its extents is null");
  bool is_empty = false;
  for (int i = 0; i < rank; ++i) {
    if (tensor.shape[i] < 0)
      refuse(what, "has the shape " + list(tensor.shape, rank) + ", of which an extent is negative");
    is_empty |= tensor.shape[i] == 0;
  }
  if (tensor.data == nullptr) {
    if (!is_empty)
      refuse(what, "of shape " + list(tensor.shape, rank) + " has no memory: its pointer is null");
    return nullptr;
  }
  char *const first = static_cast<char *>(tensor.data) + tensor.byte_offset;
  if (!is_empty && reinterpret_cast<std::uintptr_t>(first) % element_size != 0)
    refuse(what, "starts at an address that is no multiple of its elements' " + std::to_string(element_size) +
                     " bytes: copy it");
  return first;
}

/// The array of a tensor.
template <class T, int Rank> array<T, Rank> array_of(const purpose &what, const DLTensor &tensor) {
  using element = std::remove_const_t<T>;
  char *const first = check(what, tensor, data_type(dtype_of<element>), Rank, sizeof(element));
  const device where = device_of(tensor.device, what);
  shape<Rank> dims, strides;
  for (int i = 0; i < Rank; ++i)
    dims[i] = tensor.shape[i];
  if (tensor.strides == nullptr)
    strides = dense_strides(dims); // Without padding, of elements of 4 bits, too.
  else
    for (int i = 0; i < Rank; ++i)
      strides[i] = tensor.strides[i];
  return {pointer_t<T>(pointer_at<element>(first)), dims, strides, where};
}

/// Whether arrays can be there.
inline bool find_device(DLDevice where, device &result) noexcept {
  const auto type = static_cast<std::int32_t>(where.device_type);
  const bool is_cpu = type == 1 || type == 3, is_gpu = type == 2 || type == 13; // kDLCPU, kDLCUDAHost...
  result = is_gpu ? device::gpu(where.device_id) : device::cpu();
  return is_cpu || is_gpu;
}

/// A managed tensor, what it keeps alive, and what it points to.
template <class Managed, class Kept, int Rank> struct holder {
  explicit holder(Kept &&keeps) : kept(std::move(keeps)) {}
  Managed managed{};
  Kept kept;
  shape<Rank> dims, strides;
};
struct nothing {};

template <class Managed, class T, int Rank, class Kept> Managed *make(const array<T, Rank> &of, Kept &&kept) {
  const DLDevice where = device_of(of.device());
  if constexpr (is_packed<T>)
    if (of.data().is_upper())
      throw error("to_dlpack: the array begins with the second element of a byte, and a tensor begins with a byte: "
                  "slice its last dimension at an even index");
  using holds = holder<Managed, std::decay_t<Kept>, Rank>;
  auto made = std::make_unique<holds>(std::forward<Kept>(kept));
  made->dims = of.dims();
  made->strides = of.strides();
  Managed &managed = made->managed;
  DLTensor &tensor = managed.dl_tensor;
  tensor.data = const_cast<void *>(static_cast<const void *>(address_of(of.data())));
  tensor.device = where;
  tensor.ndim = Rank;
  tensor.dtype = data_type(dtype_of<T>);
  // An array has room for one extent at least, so that the pointers are never null.
  tensor.shape = const_cast<std::int64_t *>(made->dims.data());
  tensor.strides = const_cast<std::int64_t *>(made->strides.data());
  tensor.byte_offset = 0;
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>) {
    managed.version.major = major_version;
    managed.version.minor = minor_version;
    managed.flags = std::is_const_v<T> ? is_read_only : 0;
  }
  managed.manager_ctx = made.get();
  managed.deleter = [](Managed *self) { delete static_cast<holds *>(self->manager_ctx); };
  return &made.release()->managed;
}

} // namespace detail

inline device device_of(DLDevice where, const tegula::detail::purpose &what) {
  device result;
  if (!detail::find_device(where, result))
    detail::refuse(what, "has the device type " + std::to_string(static_cast<std::int32_t>(where.device_type)) +
                             " of DLPack, and kernels run on the CPU (1) and on CUDA devices (2): move it there");
  return result;
}

inline DLDevice device_of(device where) {
  if (where.is_meta())
    throw error("to_dlpack: the array is on meta, which DLPack does not have: make it of one on the CPU or a GPU");
  DLDevice result{};
  result.device_type = static_cast<DLDeviceType>(where.is_gpu() ? 2 : 1);
  result.device_id = where.is_gpu() ? where.ordinal() : 0;
  return result;
}

} // namespace dlpack

/// The array of a tensor, of const T to read or of T to write. It owns nothing: the tensor's memory outlives it. Null
/// strides are those of a dense array. Throws if the tensor has other elements, another rank, elements without memory
/// or off their alignment, or is on another device than the CPU and those of CUDA.
template <class T, int Rank> array<T, Rank> from_dlpack(const dlpack::DLTensor &tensor) {
  return dlpack::detail::array_of<T, Rank>({"from_dlpack"}, tensor);
}

/// A tensor that another library gave away. Calls its deleter, once, when it goes. Move-only.
class dlpack_owner {
public:
  /// No tensor.
  dlpack_owner() noexcept = default;
  /// Takes the tensor, which must not be null. One of another major version than 1 is given back, and refused.
  explicit dlpack_owner(dlpack::DLManagedTensorVersioned *managed) {
    take(managed);
    if (managed->version.major != dlpack::major_version) {
      const std::string version = std::to_string(managed->version.major) + "." + std::to_string(managed->version.minor);
      *this = {};
      throw error("from_dlpack: the tensor is of DLPack " + version +
                  ", and Tegula knows DLPack 1: ask for one, __dlpack__(max_version=(1, 1))");
    }
    tensor_ = &managed->dl_tensor;
    flags_ = managed->flags;
  }
  /// The same of a tensor from before DLPack 1.0, which does not say whether it may be written.
  explicit dlpack_owner(dlpack::DLManagedTensor *managed) {
    take(managed);
    tensor_ = &managed->dl_tensor;
  }
  ~dlpack_owner() {
    if (managed_ != nullptr)
      free_(managed_);
  }
  dlpack_owner(dlpack_owner &&other) noexcept
      : managed_(std::exchange(other.managed_, nullptr)), free_(other.free_),
        tensor_(std::exchange(other.tensor_, nullptr)), flags_(other.flags_) {}
  dlpack_owner &operator=(dlpack_owner &&other) noexcept {
    dlpack_owner(std::move(other)).swap(*this);
    return *this;
  }

  /// Whether there is a tensor.
  explicit operator bool() const noexcept { return managed_ != nullptr; }
  const dlpack::DLTensor &tensor() const noexcept { return *tensor_; }
  /// Whether its elements must not be written.
  bool is_read_only() const noexcept { return (flags_ & dlpack::is_read_only) != 0; }

  /// The array of the tensor, which must not outlive this. Throws what from_dlpack throws; if there is no tensor; and
  /// for elements that are not const if the tensor is read-only.
  template <class T, int Rank> array<T, Rank> view() const {
    const dlpack::detail::purpose what{"from_dlpack"};
    if (tensor_ == nullptr)
      throw error("from_dlpack: there is no tensor: it was moved, or never given");
    if (!std::is_const_v<T> && is_read_only())
      dlpack::detail::refuse(what, "is read-only, and would be written: take an array of const elements, or copy it");
    if (is_packed<T> && (flags_ & dlpack::is_padded) != 0)
      dlpack::detail::refuse(what, "has an element of 4 bits in each byte, and arrays have two: pack it");
    return dlpack::detail::array_of<T, Rank>(what, *tensor_);
  }

private:
  template <class Managed> void take(Managed *managed) {
    if (managed == nullptr)
      throw error("from_dlpack: the pointer to the tensor is null");
    managed_ = managed;
    free_ = [](void *self) {
      auto *const given = static_cast<Managed *>(self);
      if (given->deleter != nullptr)
        given->deleter(given);
    };
  }
  void swap(dlpack_owner &other) noexcept {
    std::swap(managed_, other.managed_);
    std::swap(free_, other.free_);
    std::swap(tensor_, other.tensor_);
    std::swap(flags_, other.flags_);
  }

  void *managed_ = nullptr;
  void (*free_)(void *managed) = nullptr;
  const dlpack::DLTensor *tensor_ = nullptr;
  std::uint64_t flags_ = 0;
};

/// A tensor that owns a buffer: its deleter gives the memory back. The buffer has no memory afterwards.
template <class T, int Rank> dlpack::DLManagedTensorVersioned *to_dlpack(buffer<T, Rank> &&from) {
  const array<T, Rank> view = from.view();
  return dlpack::detail::make<dlpack::DLManagedTensorVersioned>(view, std::move(from));
}
/// A tensor of an array's memory, which has to outlive it: its deleter frees what the tensor itself takes. It is
/// read-only if the elements are const.
template <class T, int Rank> dlpack::DLManagedTensorVersioned *to_dlpack(const array<T, Rank> &from) {
  return dlpack::detail::make<dlpack::DLManagedTensorVersioned>(from, dlpack::detail::nothing{});
}

/// The same for those who know DLPack from before 1.0, such as numpy before 2.1: a "dltensor" capsule holds one. It
/// cannot say that it is read-only: there is none of const elements.
template <class T, int Rank> dlpack::DLManagedTensor *to_dlpack_unversioned(buffer<T, Rank> &&from) {
  const array<T, Rank> view = from.view();
  return dlpack::detail::make<dlpack::DLManagedTensor>(view, std::move(from));
}
template <class T, int Rank> dlpack::DLManagedTensor *to_dlpack_unversioned(const array<T, Rank> &from) {
  static_assert(!std::is_const_v<T>, "a DLManagedTensor cannot say that it is read-only: use to_dlpack");
  return dlpack::detail::make<dlpack::DLManagedTensor>(from, dlpack::detail::nothing{});
}
/// The same of a tensor that is owned already. Throws, and leaves the owner as it is, if that is empty or read-only.
inline dlpack::DLManagedTensor *to_dlpack_unversioned(dlpack_owner &&from) {
  if (!from)
    throw error("to_dlpack: there is no tensor: it was moved, or never given");
  if (from.is_read_only())
    throw error("to_dlpack: the tensor is read-only, which a DLManagedTensor cannot say: copy it");
  using holds = dlpack::detail::holder<dlpack::DLManagedTensor, dlpack_owner, 0>;
  auto made = std::make_unique<holds>(std::move(from));
  made->managed.dl_tensor = made->kept.tensor();
  made->managed.manager_ctx = made.get();
  made->managed.deleter = [](dlpack::DLManagedTensor *self) { delete static_cast<holds *>(self->manager_ctx); };
  return &made.release()->managed;
}

} // namespace tegula

#endif // TEGULA_DLPACK_H
