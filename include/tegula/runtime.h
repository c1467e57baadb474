// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host library: arrays, buffers, streams, events, devices. It needs C++17, and no CUDA: the driver (libcuda.so.1)
// is loaded when a GPU is first used, and programs that stay on the CPU run without it. All functions are thread-safe;
// one object must not be modified by two threads at once. Every failure is a tegula::error.

#ifndef TEGULA_RUNTIME_H
#define TEGULA_RUNTIME_H

#include "tegula/array.h"

#include <memory>
#include <utility>

struct CUstream_st; // CUstream and cudaStream_t are pointers to it.
struct CUevent_st;

namespace tegula {

// ----- Devices -----

/// The number of GPUs; 0 without a driver. Never throws.
int device_count() noexcept;
/// The device's name: "NVIDIA H200", for example; "CPU" for the CPU, "meta" for meta. Throws if there is no such
/// device.
std::string device_name(device where);
/// The number of SMs, which is the number of resident CTAs of a persistent kernel with one CTA per SM: 132 on an H200.
/// The CPU and meta have 1. Throws if there is no such device.
int multiprocessors(device where);
/// Waits for all work on a device. A kernel that failed after its launch is reported here. Does nothing for the CPU.
void synchronize(device where);

/// Writes the timeline so far of this process's launches that were compiled with tegulac --profile (language/profile.h)
/// to a file, which ui.perfetto.dev and chrome://tracing show. In it, a process is an SM, or the CPU, and a track is a
/// warpgroup of a CTA. "otherData" has the number of events that did not fit. If the environment variable TEGULA_TRACE
/// names a file, it is written at exit.
void write_trace(const std::string &path);

// ----- Streams and events -----

/// An ordered queue of work on a GPU: a cheap handle, shared by its copies. The default is the null stream of the GPU
/// that the work is on. Calls on CPU arrays ignore their stream: they are finished when they return.
class stream {
public:
  /// The null stream: ordered with every stream made by create().
  stream() noexcept = default;
  /// Creates a stream of a GPU, which is destroyed with the last copy of this handle.
  static stream create(tegula::device where = tegula::device::gpu(0));
  /// Wraps a CUstream or cudaStream_t of the caller, on the primary context of `where`. The caller keeps ownership.
  static stream wrap(CUstream_st *handle, tegula::device where) noexcept;

  /// Waits for the work of this stream. The null stream waits for the work of the GPU that the calling thread used
  /// last; synchronize(device) names it explicitly. A kernel that failed after its launch is reported here.
  void synchronize() const;

  CUstream_st *handle() const noexcept { return handle_; }
  /// The GPU of a stream made by create() or wrap(); for a default stream the CPU, which means "any".
  tegula::device device() const noexcept { return device_; }

private:
  CUstream_st *handle_ = nullptr;
  tegula::device device_;
  std::shared_ptr<void> owner_;
};

/// A point in the work of a stream. Move-only.
class event {
public:
  explicit event(tegula::device where = tegula::device::gpu(0));
  ~event();
  event(event &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)), device_(other.device_) {}
  event &operator=(event &&other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(device_, other.device_);
    return *this;
  }

  /// Records the point after all work submitted to the stream so far. The stream must be of the same device.
  void record(const stream &on = {});
  /// Waits until that work is finished.
  void synchronize() const;
  /// The milliseconds of GPU time from `start` to this event. Both must be recorded; waits for this one.
  float milliseconds_since(const event &start) const;

private:
  CUevent_st *handle_ = nullptr;
  tegula::device device_;
};

// ----- Buffers -----

namespace abi {
class call;
}

/// Memory and its deleter: free(owner) is called once, on any thread; never if `free` is null.
struct allocation {
  void *data = nullptr;
  void *owner = nullptr;
  void (*free)(void *owner) = nullptr;
};

/// The interface of memory allocation: derive from it to take results and scratch from your own pool, or from another
/// framework's (tegula/torch.h is an example). It must outlive the scopes that use it.
class allocator {
public:
  virtual ~allocator() = default;
  /// Allocates `bytes` bytes, at least 1, of the CPU or a GPU, aligned to 64 bytes, for use by work of the stream. They
  /// are returned by the result's `free` when all work that uses them has been submitted to the stream; that work may
  /// not have finished. It may throw any exception if there is no memory: the caller of the entry gets it.
  virtual allocation allocate(std::size_t bytes, tegula::device where, const stream &on) = 0;
};

/// During its lifetime, this thread's buffers, those of entries (results and scratch) and the user's own, take their
/// memory from an allocator. Scopes nest, and end in reverse order. Buffers may outlive them. Costs a thread-local
/// variable.
class allocator_scope {
public:
  explicit allocator_scope(allocator &from) noexcept;
  ~allocator_scope();
  allocator_scope(const allocator_scope &) = delete;
  allocator_scope &operator=(const allocator_scope &) = delete;

private:
  allocator *before_;
};

namespace detail {

/// The purpose of an allocation, for messages: "<function>: " and the name of the array if it has one.
struct purpose {
  const char *function;
  const char *name = nullptr;
};

/// Owned memory of one device. GPU memory is allocated and freed in the order of its stream. On device::meta() there is
/// no memory: data() is meta_pointer.
class memory {
public:
  memory() noexcept = default;
  /// Throws if there is too little memory or no such device. For 0 bytes data() is null, and the device is not
  /// accessed.
  memory(const purpose &what, std::size_t bytes, tegula::device where, const stream &on);
  ~memory();
  memory(memory &&other) noexcept
      : data_(std::exchange(other.data_, nullptr)), owner_(other.owner_), free_(other.free_), device_(other.device_),
        stream_(std::move(other.stream_)) {}
  memory &operator=(memory &&other) noexcept {
    std::swap(data_, other.data_);
    std::swap(owner_, other.owner_);
    std::swap(free_, other.free_);
    std::swap(device_, other.device_);
    std::swap(stream_, other.stream_);
    return *this;
  }
  /// Releases ownership. The result has nothing to free if there was no memory.
  allocation release();

  void *data() const noexcept { return data_; }
  tegula::device device() const noexcept { return device_; }

private:
  void *data_ = nullptr;
  void *owner_ = nullptr;
  void (*free_)(void *owner) = nullptr; // of an allocator's memory
  tegula::device device_;
  stream stream_; // of the runtime's own memory
};

/// A type-erased array. It points to the extents and strides of that array.
struct view {
  const void *data;
  const std::int64_t *dims;
  const std::int64_t *strides;
  int rank;
  int element_size;
  device where;
  /// The number of elements per byte, and whether the first element is not the first of its byte (packed.h).
  int per_byte = 1;
  bool starts_within_byte = false;
};

template <class Pointer, int Rank>
view view_of_elements(Pointer data, const shape<Rank> &dims, const shape<Rank> &strides, device where) noexcept {
  using element = pointed_t<Pointer>;
  view made{address_of(data), dims.data(), strides.data(), Rank, static_cast<int>(sizeof(element)), where};
  if constexpr (is_packed<element>) {
    made.per_byte = 2;
    made.starts_within_byte = data.is_upper();
  }
  return made;
}
template <class T, int Rank> view view_of(const array<T, Rank> &a) noexcept {
  return view_of_elements(a.data(), a.dims(), a.strides(), a.device());
}
template <class T, int Rank> view view_of(array<T, Rank> &&) = delete;

/// The bytes of a contiguous array. Throws if an extent is negative or the size overflows.
std::size_t checked_bytes(const purpose &what, const std::int64_t *dims, int rank, std::size_t element_size,
                          int per_byte = 1);
/// Copies a view into contiguous memory of its size on `where`.
void copy_dense(void *to, device where, const view &from, const stream &on);

} // namespace detail

/// An array that owns its memory: contiguous, row-major, move-only. It converts to array<T, Rank> and array<const T,
/// Rank>, and must outlive those views. GPU memory is allocated and freed in the order of its stream: work on other
/// streams must have finished before the buffer is destroyed. An allocator_scope supplies the memory if there is one.
template <class T, int Rank> class buffer {
  static_assert(!std::is_const_v<T>,
                "a buffer cannot own const elements: write buffer<float, 1>, which converts to array<const float, 1>");

public:
  using element = T;
  static constexpr int rank = Rank;

  /// No memory: all extents are 0.
  buffer() noexcept = default;
  /// Uninitialised elements. Throws if an extent is negative, memory is short or there is no such device.
  static buffer empty(const shape<Rank> &dims, tegula::device where = {}, const stream &on = {}) {
    return buffer({"buffer::empty"}, dims, where, on);
  }
  buffer(buffer &&other) noexcept : memory_(std::move(other.memory_)), view_(std::exchange(other.view_, {})) {}
  buffer &operator=(buffer &&other) noexcept {
    memory_ = std::move(other.memory_);
    std::swap(view_, other.view_);
    return *this;
  }

  const array<T, Rank> &view() noexcept { return view_; }
  array<const T, Rank> view() const noexcept { return view_; }
  operator array<T, Rank>() noexcept { return view_; }
  operator array<const T, Rank>() const noexcept { return view_; }

  pointer_t<T> data() noexcept { return view_.data(); }
  pointer_t<const T> data() const noexcept { return view_.data(); }
  const shape<Rank> &dims() const noexcept { return view_.dims(); }
  const shape<Rank> &strides() const noexcept { return view_.strides(); }
  std::int64_t dim(int axis) const noexcept { return view_.dim(axis); }
  std::int64_t size() const noexcept { return view_.size(); }
  tegula::device device() const noexcept { return view_.device(); }

  /// The element at one index per dimension. Unchecked; CPU buffers only.
  template <class... I> reference_t<T> operator()(I... index) noexcept { return view_(index...); }
  template <class... I> reference_t<const T> operator()(I... index) const noexcept { return view_(index...); }

  /// Releases ownership, so that another library can take the memory without a copy: the data, null if there are no
  /// elements, and its deleter. Afterwards the buffer has no memory, and extents 0.
  allocation release() {
    view_ = {};
    return memory_.release();
  }

  /// A copy on another device, or on the same; see tegula::to.
  buffer to(tegula::device where, const stream &on = {}) const;
  buffer to_device(int ordinal = 0, const stream &on = {}) const { return to(tegula::device::gpu(ordinal), on); }
  buffer to_host(const stream &on = {}) const { return to(tegula::device::cpu(), on); }

private:
  friend class abi::call;
  template <class U, int R>
  friend buffer<std::remove_const_t<U>, R> to(const array<U, R> &, tegula::device, const stream &);
  buffer(const detail::purpose &what, const shape<Rank> &dims, tegula::device where, const stream &on)
      : memory_(what, detail::checked_bytes(what, dims.data(), Rank, sizeof(T), is_packed<T> ? 2 : 1), where, on),
        view_(pointer_at<T>(memory_.data()), dims, where) {}

  detail::memory memory_;
  array<T, Rank> view_;
};

/// Copies an array (any strides except negative ones; rows of packed elements start at bytes) into a new contiguous
/// buffer on `where`. A copy within one GPU is work of the stream; a copy from or to the CPU has finished when this
/// returns. The stream belongs to the GPU that takes part; between two GPUs it must be the null stream.
template <class T, int Rank>
buffer<std::remove_const_t<T>, Rank> to(const array<T, Rank> &from, device where, const stream &on = {}) {
  buffer<std::remove_const_t<T>, Rank> result({"to"}, from.dims(), where, on);
  detail::copy_dense(address_of(result.data()), where, detail::view_of(from), on);
  return result;
}

template <class T, int Rank> buffer<T, Rank> buffer<T, Rank>::to(tegula::device where, const stream &on) const {
  return tegula::to(view(), where, on);
}

} // namespace tegula

#endif // TEGULA_RUNTIME_H
