// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch operators of entries: the support code of tegulac's <stem>.torch.cpp. Only this header needs PyTorch's
// headers. Users call the operators, torch.ops.<namespace>.<entry>, and do not use this header directly:
//
//     tegula_add_torch_ops(my_kernels SOURCES kernels.cpp)       # CMake; my_kernels is a library
//
//     torch.ops.load_library("libmy_kernels.so")                 # Python
//     z = torch.ops.my_kernels.add_vectors(x, y)
//
// An array parameter is a Tensor of its element type and rank, with any strides, except that strides of written arrays
// are not 0; it is not copied. An optional array is `Tensor?`, a mutable one `Tensor(a!)`; a list of arrays is
// `Tensor[]`, a mutable one `Tensor(a!)[]`; the call needs at least one tensor to determine the device. Integers are
// `int`, floating-point numbers `float`. A returned array is a new Tensor, several are a tuple. Entries of one name for
// several types are one operator.
//
// Results and scratch come from PyTorch's allocators, and launches go to its current stream: CUDA graphs capture them.
// On meta tensors the entry computes only shapes, as torch.compile requires. Symbolic extents stay symbolic if the host
// code of the entry is only arithmetic; otherwise they become constants of the graph, which is recompiled for other
// extents. Gradients: torch.library.register_autograd.

#ifndef TEGULA_TORCH_H
#define TEGULA_TORCH_H

#include "tegula/runtime.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <c10/core/Allocator.h>
#include <c10/core/DeviceGuard.h>
#include <torch/library.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// From libtorch_cuda (shim.h), if present: PyTorch may be built without CUDA.
extern "C" [[gnu::weak]] std::int32_t aoti_torch_get_current_cuda_stream(std::int32_t device_index, void **ret_stream);

namespace tegula::pytorch {

// ----- Types -----

template <class T> constexpr at::ScalarType scalar_type() noexcept {
  constexpr dtype type = dtype_of<T>;
  static_assert(
      !is_packed<T>,
      "PyTorch has no strided tensors of 4-bit elements: take bytes (std::uint8_t), and unpack them in the kernel");
  constexpr auto missing = at::ScalarType::Undefined;
  constexpr at::ScalarType result = type == dtype::boolean ? at::ScalarType::Bool
                                    : type == dtype::s8    ? at::ScalarType::Char
                                    : type == dtype::s16   ? at::ScalarType::Short
                                    : type == dtype::s32   ? at::ScalarType::Int
                                    : type == dtype::s64   ? at::ScalarType::Long
                                    : type == dtype::u8    ? at::ScalarType::Byte
                                    : type == dtype::u16   ? at::ScalarType::UInt16
                                    : type == dtype::u32   ? at::ScalarType::UInt32
                                    : type == dtype::u64   ? at::ScalarType::UInt64
                                    : type == dtype::f16   ? at::ScalarType::Half
                                    : type == dtype::bf16  ? at::ScalarType::BFloat16
                                    : type == dtype::f32   ? at::ScalarType::Float
                                    : type == dtype::f64   ? at::ScalarType::Double
                                    : type == dtype::e4m3  ? at::ScalarType::Float8_e4m3fn
                                    : type == dtype::e5m2  ? at::ScalarType::Float8_e5m2
                                    : type == dtype::e8m0  ? at::ScalarType::Float8_e8m0fnu
                                                           : missing;
  static_assert(is_packed<T> || result != missing,
                "PyTorch has no tensors of this element type: use another type for the parameter");
  return result;
}

/// The element type and rank of a parameter.
struct kind {
  at::ScalarType type;
  int rank;
  bool fits(const at::Tensor &tensor) const { return tensor.scalar_type() == type && tensor.dim() == rank; }
  bool fits(const std::optional<at::Tensor> &tensor) const { return !tensor || fits(*tensor); }
  bool fits(at::TensorList tensors) const {
    return std::all_of(tensors.begin(), tensors.end(), [this](const at::Tensor &each) { return fits(each); });
  }
};
template <class T, int Rank> inline constexpr kind kind_of{scalar_type<T>(), Rank};

template <class T, int Rank, class Tensor> bool fits(const Tensor &tensor) { return kind_of<T, Rank>.fits(tensor); }

inline std::optional<at::Tensor> first_of(at::TensorList tensors) {
  return tensors.empty() ? std::nullopt : std::optional<at::Tensor>(tensors.front());
}

/// Whether an extent or a stride of a tensor is symbolic, in a graph for many sizes.
inline bool is_symbolic(const at::Tensor &tensor) { return tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides(); }
inline bool is_symbolic(const std::optional<at::Tensor> &tensor) { return tensor && is_symbolic(*tensor); }
inline bool is_symbolic(at::TensorList tensors) {
  return std::any_of(tensors.begin(), tensors.end(), [](const at::Tensor &each) { return is_symbolic(each); });
}
template <class... Tensors> bool is_symbolic(const Tensors &...tensors) { return (is_symbolic(tensors) || ...); }

inline c10::SymInt extent(const at::Tensor &tensor, int axis) { return tensor.sym_size(axis); }
inline c10::SymInt extent(const std::optional<at::Tensor> &tensor, int axis) {
  return tensor ? tensor->sym_size(axis) : c10::SymInt(0);
}
/// The extent of a list, whose tensors have one shape: axis 0 counts them.
inline c10::SymInt extent(at::TensorList tensors, int axis) {
  if (axis == 0)
    return c10::SymInt(static_cast<std::int64_t>(tensors.size()));
  return tensors.empty() ? c10::SymInt(0) : tensors.front().sym_size(axis - 1);
}
inline c10::SymBool is_present(const at::Tensor & /*always*/) { return c10::SymBool(true); }
inline c10::SymBool is_present(const std::optional<at::Tensor> &tensor) { return c10::SymBool(tensor.has_value()); }

/// A parameter of several entries, and the kinds that they take.
struct alternatives {
  const char *name;
  std::optional<at::Tensor> given;
  std::initializer_list<kind> taken;
};

// ----- Memory -----

inline device device_of(c10::Device where) {
  return where.is_cuda() ? device::gpu(where.index()) : where.is_meta() ? device::meta() : device::cpu();
}
inline c10::Device device_of(device where) {
  return where.is_gpu() ? c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(where.ordinal()))
                        : c10::Device(c10::kCPU);
}

/// PyTorch's allocators.
class torch_allocator final : public allocator {
public:
  allocation allocate(std::size_t bytes, device where, const stream & /*current*/) override {
    const c10::Device on = device_of(where);
    c10::OptionalDeviceGuard guard;
    if (where.is_gpu()) // It allocates on the current device, for its current stream.
      guard.reset_device(on);
    c10::DataPtr made = c10::GetAllocator(on.type())->allocate(bytes);
    allocation result{made.get(), nullptr, made.get_deleter()};
    result.owner = made.release_context();
    return result;
  }
};

/// A tensor that takes over a buffer's memory.
template <class T, int Rank> at::Tensor tensor_of(buffer<T, Rank> from) {
  const shape<Rank> dims = from.dims();
  const c10::IntArrayRef sizes(dims.data(), std::size_t{Rank});
  const at::ScalarType type = scalar_type<T>();
  if (from.device().is_meta())
    return at::empty(sizes, at::TensorOptions().dtype(type).device(c10::kMeta));
  const c10::Device on = device_of(from.device());
  const auto bytes = static_cast<std::size_t>(bytes_of<T>(dims));
  const allocation memory = from.release();
  auto storage = c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), bytes,
                                                       c10::DataPtr(memory.data, memory.owner, memory.free, on),
                                                       c10::GetAllocator(on.type()), /*resizable=*/true);
  auto result = at::detail::make_tensor<c10::TensorImpl>(
      std::move(storage), c10::DispatchKeySet(on.is_cuda() ? c10::DispatchKey::CUDA : c10::DispatchKey::CPU),
      c10::scalarTypeToTypeMeta(type));
  result.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return result;
}

// ----- Calls -----

/// One call of an operator. During its lifetime, this thread's buffers use PyTorch's memory.
class call {
public:
  /// The tensor determines the device.
  call(const char *name, const at::Tensor &tensor) : name_(name), device_(tensor.device()), scope_(memory()) {}
  call(const char *name, at::TensorList tensors)
      : name_(name), device_(tensors.empty() ? c10::Device(c10::kCPU) : tensors.front().device()), scope_(memory()) {}

  /// Refuses a tensor of another type or device.
  template <class T, int Rank> void expect(const char *argument, const at::Tensor &tensor) const {
    if (!kind_of<T, Rank>.fits(tensor) || tensor.device() != device_)
      refuse(argument, tensor, kind_of<T, Rank>);
  }
  template <class T, int Rank> void expect(const char *argument, const std::optional<at::Tensor> &tensor) const {
    if (tensor)
      expect<T, Rank>(argument, *tensor);
  }
  template <class T, int Rank> void expect(const char *argument, at::TensorList tensors) const {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (!kind_of<T, Rank>.fits(tensors[i]) || tensors[i].device() != device_)
        refuse((argument + ("[" + std::to_string(i) + "]")).c_str(), tensors[i], kind_of<T, Rank>);
  }

  /// The array of a tensor: of const T to read, of T to write.
  template <class T, int Rank> tegula::array<T, Rank> array(const char *argument, const at::Tensor &tensor) const {
    expect<std::remove_const_t<T>, Rank>(argument, tensor);
    const device where = device_of(device_);
    shape<Rank> dims, strides;
    if (where.is_meta()) {
      for (int i = 0; i < Rank; ++i) {
        dims[i] = tensor.sym_size(i).guard_int(__FILE__, __LINE__);
        strides[i] = tensor.sym_stride(i).guard_int(__FILE__, __LINE__);
      }
      return {meta_pointer<T>(), dims, strides, where};
    }
    const std::int64_t *const sizes = tensor.sizes().data(), *const steps = tensor.strides().data();
    for (int i = 0; i < Rank; ++i) {
      dims[i] = sizes[i];
      strides[i] = steps[i];
    }
    if constexpr (std::is_const_v<T>) {
      return {static_cast<T *>(tensor.const_data_ptr()), dims, strides, where};
    } else {
      tensor.unsafeGetTensorImpl()->bump_version(); // What autograd has kept of it is stale.
      return {static_cast<T *>(tensor.mutable_data_ptr()), dims, strides, where};
    }
  }
  template <class T, int Rank>
  tegula::array<T, Rank> array(const char *argument, const std::optional<at::Tensor> &tensor) const {
    return tensor ? array<T, Rank>(argument, *tensor) : tegula::array<T, Rank>();
  }

  /// The list of the arrays of tensors.
  template <class T, int Rank> tegula::arrays<T, Rank> arrays(const char *argument, at::TensorList tensors) const {
    std::vector<tegula::array<T, Rank>> all;
    all.reserve(tensors.size());
    expect<std::remove_const_t<T>, Rank>(argument, tensors);
    for (const at::Tensor &tensor : tensors)
      all.push_back(array<T, Rank>(argument, tensor));
    return all;
  }

  /// An integer, converted to the type of the entry's parameter.
  template <class T> T integer(const char *argument, std::int64_t value) const {
    bool is_there = static_cast<std::int64_t>(static_cast<T>(value)) == value;
    if constexpr (!std::is_signed_v<T>)
      is_there = is_there && value >= 0;
    TORCH_CHECK(is_there, name_, ": '", argument, "' is ", value, ", and the kernel takes ", tegula::name(dtype_of<T>));
    return static_cast<T>(value);
  }

  /// PyTorch's current stream of the call's device.
  tegula::stream stream() const {
    if (!device_.is_cuda())
      return {};
    void *current = nullptr;
    TORCH_CHECK(aoti_torch_get_current_cuda_stream != nullptr &&
                    aoti_torch_get_current_cuda_stream(device_.index(), &current) == 0,
                name_, ": this PyTorch has no current stream of ", device_);
    return tegula::stream::wrap(static_cast<CUstream_st *>(current), device_of(device_));
  }

  template <class T, int Rank> static at::Tensor give(buffer<T, Rank> &&from) { return tensor_of(std::move(from)); }

  /// As abi::call::check, for extents that may be symbolic.
  void check(const c10::SymBool &condition, std::string message,
             std::initializer_list<c10::SymInt> numbers = {}) const {
    if (condition.expect_true(__FILE__, __LINE__))
      return;
    for (const c10::SymInt &number : numbers)
      if (const std::size_t hole = message.find("{}"); hole != std::string::npos)
        message.replace(hole, 2, c10::str(number));
    TORCH_CHECK(false, name_, ": ", message);
  }
  /// A result on meta.
  template <class T> static at::Tensor shaped(std::initializer_list<c10::SymInt> dims) {
    return at::empty_symint(c10::SymIntArrayRef(dims.begin(), dims.size()),
                            at::TensorOptions().dtype(scalar_type<T>()).device(c10::kMeta));
  }

  /// Reports that none of several entries takes these tensors.
  [[noreturn]] void refuse(std::initializer_list<alternatives> arguments) const {
    std::string given, taken;
    for (const alternatives &each : arguments)
      if (each.given)
        given += (given.empty() ? "" : ", ") + described(each.name, {each.given->scalar_type(), rank_of(*each.given)});
    for (std::size_t i = 0; i < arguments.begin()->taken.size(); ++i) {
      std::string one;
      for (const alternatives &each : arguments)
        one += (one.empty() ? "" : ", ") + described(each.name, each.taken.begin()[i]);
      taken += (taken.empty() ? "(" : "; (") + one + ")";
    }
    TORCH_CHECK(false, name_, ": there is no kernel for (", given, "), only for ", taken);
  }

private:
  static allocator &memory() {
    static torch_allocator made;
    return made;
  }
  static int rank_of(const at::Tensor &tensor) { return static_cast<int>(tensor.dim()); }
  static std::string described(const char *name, kind what) {
    return std::string(name) + ": torch." + c10::getDtypeNames(what.type).first + " of " + std::to_string(what.rank) +
           (what.rank == 1 ? " dimension" : " dimensions");
  }

  [[noreturn, gnu::noinline]] void refuse(const char *argument, const at::Tensor &tensor, const kind &wanted) const {
    const std::string type = "torch." + c10::getDtypeNames(wanted.type).first;
    TORCH_CHECK(tensor.scalar_type() == wanted.type, name_, ": expected '", argument, "' to be of ", type,
                ", but it is of torch.", c10::getDtypeNames(tensor.scalar_type()).first, ": convert it, ", argument,
                ".to(", type, ")");
    TORCH_CHECK(tensor.dim() == wanted.rank, name_, ": expected '", argument, "' to have ", wanted.rank,
                wanted.rank == 1 ? " dimension" : " dimensions", ", but its shape is ", tensor.sym_sizes(),
                ": change it by reshape or unsqueeze");
    TORCH_CHECK(false, name_, ": expected all tensors to be on ", device_, ", but '", argument, "' is on ",
                tensor.device(), ": move it, ", argument, ".to(\"", device_, "\")");
  }

  const char *name_;
  c10::Device device_;
  allocator_scope scope_;
};

/// The operator tags: there is an implementation for fake tensors.
inline const std::vector<at::Tag> &tags() {
  static const std::vector<at::Tag> all = {at::Tag::pt2_compliant_tag};
  return all;
}

} // namespace tegula::pytorch

#endif // TEGULA_TORCH_H
