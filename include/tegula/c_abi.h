// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C functions of entries: what tegulac's <stem>.c.cpp is written in. Users call the functions that <stem>.c.h declares;
// dlpack_c.h says what these take and return.

#ifndef TEGULA_C_ABI_H
#define TEGULA_C_ABI_H

#include "tegula/dlpack.h"
#include "tegula/dlpack_c.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace tegula::c_abi {

// ===== Errors ========================================================================================================

namespace detail {
inline std::string &message() noexcept {
  thread_local std::string text;
  return text;
}
inline int failed(tegula_status status, const char *what) noexcept {
  try {
    message() = what;
  } catch (...) { // There is no memory for it either.
    message().clear();
  }
  return status;
}
} // namespace detail

/// The message of the call of this thread that failed last, until the next one fails; "" if none has.
inline const char *last_error() noexcept { return detail::message().c_str(); }

/// Calls f, and returns the status of it.
template <class F> int guard(F &&f) noexcept {
  try {
    f();
    return TEGULA_SUCCESS;
  } catch (const error &why) {
    return detail::failed(TEGULA_ERROR, why.what());
  } catch (const std::exception &why) {
    return detail::failed(TEGULA_OTHER_ERROR, why.what());
  } catch (...) {
    return detail::failed(TEGULA_OTHER_ERROR, "an exception that is no std::exception");
  }
}

// ===== Types =========================================================================================================

/// The tensors of a list.
struct list {
  const DLTensor *const *tensors;
  std::int64_t count;
  const DLTensor *begin_or_null() const noexcept { return count > 0 && tensors != nullptr ? tensors[0] : nullptr; }
};

inline const DLTensor *first_of(const DLTensor *tensor) noexcept { return tensor; }
inline const DLTensor *first_of(const list &all) noexcept { return all.begin_or_null(); }

/// What a parameter takes.
struct kind {
  dtype type;
  int rank;
  bool fits(const DLTensor *tensor) const noexcept {
    return tensor == nullptr ||
           (tensor->ndim == rank && dlpack::detail::is_same(tensor->dtype, dlpack::data_type(type)));
  }
  bool fits(const list &all) const noexcept {
    return all.tensors == nullptr || std::all_of(all.tensors, all.tensors + std::max<std::int64_t>(all.count, 0),
                                                 [this](const DLTensor *each) { return fits(each); });
  }
};
template <class T, int Rank> inline constexpr kind kind_of{dtype_of<T>, Rank};

template <class T, int Rank, class Tensor> bool fits(const Tensor &tensor) noexcept {
  return kind_of<T, Rank>.fits(tensor);
}

/// A parameter of several entries, and what each of them takes.
struct alternatives {
  const char *name;
  const DLTensor *given;
  std::initializer_list<kind> taken;
};

// ===== Calls =========================================================================================================

/// One call of a C function.
class call {
public:
  call(const char *name, device where, void *stream) noexcept
      : name_(name), device_(where),
        stream_(where.is_gpu() && stream != nullptr ? tegula::stream::wrap(static_cast<CUstream_st *>(stream), where)
                                                    : tegula::stream()) {}

  /// The array of a tensor: of const T to read, of T to write.
  template <class T, int Rank> tegula::array<T, Rank> array(const char *argument, const DLTensor *tensor) const {
    if (tensor == nullptr)
      dlpack::detail::refuse({name_, argument}, "is NULL, and the array is not optional: give a tensor");
    return dlpack::detail::array_of<T, Rank>({name_, argument}, *tensor);
  }
  template <class T, int Rank> tegula::array<T, Rank> optional(const char *argument, const DLTensor *tensor) const {
    return tensor != nullptr ? array<T, Rank>(argument, tensor) : tegula::array<T, Rank>();
  }
  /// The list of the arrays of tensors.
  template <class T, int Rank> tegula::arrays<T, Rank> arrays(const char *argument, const list &tensors) const {
    if (tensors.count < 0 || (tensors.count > 0 && tensors.tensors == nullptr))
      dlpack::detail::refuse({name_, argument}, "is a list of " + std::to_string(tensors.count) +
                                                    " tensors, whose pointers are at " +
                                                    (tensors.tensors == nullptr ? "NULL" : "an address"));
    std::vector<tegula::array<T, Rank>> all;
    all.reserve(static_cast<std::size_t>(tensors.count));
    for (std::int64_t i = 0; i < tensors.count; ++i)
      all.push_back(array<T, Rank>((argument + ("[" + std::to_string(i) + "]")).c_str(), tensors.tensors[i]));
    return all;
  }

  tegula::device device() const noexcept { return device_; }
  const tegula::stream &stream() const noexcept { return stream_; }

  /// None of several entries takes these tensors.
  [[noreturn]] void refuse(std::initializer_list<alternatives> arguments) const {
    std::string given, taken;
    for (const alternatives &each : arguments)
      if (each.given != nullptr)
        given += (given.empty() ? "" : ", ") + described(each.name, dlpack::name(each.given->dtype), each.given->ndim);
    for (std::size_t i = 0; i < arguments.begin()->taken.size(); ++i) {
      std::string one;
      for (const alternatives &each : arguments) {
        const kind &what = each.taken.begin()[i];
        one += (one.empty() ? "" : ", ") + described(each.name, dlpack::name(dlpack::data_type(what.type)), what.rank);
      }
      taken += (taken.empty() ? "(" : "; (") + one + ")";
    }
    throw error(std::string(name_) + ": there is no kernel for (" + given + "), only for " + taken);
  }

private:
  static std::string described(const char *name, const std::string &type, int rank) {
    return std::string(name) + ": " + type + " of " + std::to_string(rank) + (rank == 1 ? " dimension" : " dimensions");
  }

  const char *name_;
  tegula::device device_;
  tegula::stream stream_;
};

/// Gives a result away, if it is wanted.
template <class T, int Rank> void give(DLManagedTensorVersioned **to, buffer<T, Rank> &&from) {
  if (to != nullptr)
    *to = to_dlpack(std::move(from));
}
template <class To, class From> void give(To *to, From value) {
  if (to != nullptr)
    *to = static_cast<To>(value);
}

namespace detail {
/// Runs f; if it fails, there are no results.
template <class F> int run(std::initializer_list<DLManagedTensorVersioned **> results, F &&f) noexcept {
  for (DLManagedTensorVersioned **const result : results)
    if (result != nullptr)
      *result = nullptr;
  const int status = guard(f);
  if (status != TEGULA_SUCCESS)
    for (DLManagedTensorVersioned **const result : results)
      if (result != nullptr && *result != nullptr) {
        (*result)->deleter(*result);
        *result = nullptr;
      }
  return status;
}
} // namespace detail

/// Runs f(call), and returns the status. The first of the tensors that is there says the device.
template <class F>
int run(const char *name, std::initializer_list<const DLTensor *> tensors, void *stream,
        std::initializer_list<DLManagedTensorVersioned **> results, F &&f) noexcept {
  return detail::run(results, [&] {
    const auto *const found = std::find_if(tensors.begin(), tensors.end(), [](auto *each) { return each != nullptr; });
    device where;
    if (found != tensors.end()) // Where there are no kernels, the array is refused by its name.
      dlpack::detail::find_device((*found)->device, where);
    f(call(name, where, stream));
  });
}
/// The same of an entry without arrays.
template <class F>
int run(const char *name, DLDevice where, void *stream, std::initializer_list<DLManagedTensorVersioned **> results,
        F &&f) noexcept {
  return detail::run(results, [&] { f(call(name, dlpack::device_of(where, {name, "device"}), stream)); });
}

// ===== Functions beside the entries ==================================================================================

/// The tensor, which is gone then, as those take it who know DLPack from before 1.0. NULL if it is NULL or read-only,
/// and as it was.
inline DLManagedTensor *unversioned(DLManagedTensorVersioned *from) noexcept {
  DLManagedTensor *result = nullptr;
  guard([&] {
    if (from != nullptr && (from->flags & dlpack::is_read_only) != 0)
      throw error("unversioned: the tensor is read-only, which a DLManagedTensor cannot say: copy it");
    result = to_dlpack_unversioned(dlpack_owner(from));
  });
  return result;
}

/// Waits for the work of a stream, or, if it is NULL, for all work of the device.
inline int synchronize(DLDevice device, void *stream) noexcept {
  return guard([&] {
    const tegula::device where = dlpack::device_of(device, {"synchronize", "device"});
    if (where.is_gpu() && stream != nullptr)
      tegula::stream::wrap(static_cast<CUstream_st *>(stream), where).synchronize();
    else
      tegula::synchronize(where);
  });
}

} // namespace tegula::c_abi

#endif // TEGULA_C_ABI_H
