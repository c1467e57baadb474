// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/dlpack.h"

#include "fake_driver.h"
#include "tegula/c_abi.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace tegula::test {
namespace {

// ---- Layout
// ----------------------------------------------------------------------------------------------------------

TEST(Dlpack, HasTheLayoutOfTheSpecification) {
  static_assert(sizeof(DLDevice) == 8 && sizeof(DLDataType) == 4 && sizeof(DLTensor) == 48);
  static_assert(offsetof(DLTensor, device) == 8 && offsetof(DLTensor, ndim) == 16 && offsetof(DLTensor, dtype) == 20 &&
                offsetof(DLTensor, shape) == 24 && offsetof(DLTensor, strides) == 32 &&
                offsetof(DLTensor, byte_offset) == 40);
  static_assert(sizeof(DLManagedTensor) == 64 && offsetof(DLManagedTensor, manager_ctx) == 48);
  static_assert(sizeof(DLManagedTensorVersioned) == 80 && offsetof(DLManagedTensorVersioned, manager_ctx) == 8 &&
                offsetof(DLManagedTensorVersioned, deleter) == 16 && offsetof(DLManagedTensorVersioned, flags) == 24 &&
                offsetof(DLManagedTensorVersioned, dl_tensor) == 32);
}

// ---- Views
// -----------------------------------------------------------------------------------------------------------

/// A tensor on the CPU, and what it points to.
struct tensor : DLTensor {
  tensor(void *memory, std::uint8_t code, std::uint8_t bits, std::vector<std::int64_t> dims,
         std::vector<std::int64_t> steps = {})
      : DLTensor{}, extents(std::move(dims)), steps(std::move(steps)) {
    data = memory;
    device = {kDLCPU, 0};
    ndim = static_cast<std::int32_t>(extents.size());
    dtype = {code, bits, 1};
    shape = extents.empty() ? nullptr : extents.data();
    strides = this->steps.empty() ? nullptr : this->steps.data();
  }
  tensor(const tensor &) = delete;
  tensor &operator=(const tensor &) = delete;
  std::vector<std::int64_t> extents, steps;
};

template <class F> std::string message_of(F &&f) {
  try {
    f();
  } catch (const error &why) {
    return why.what();
  }
  return "nothing was refused";
}

template <class T> void takes(std::uint8_t code, std::uint8_t bits) {
  alignas(8) std::byte memory[64] = {};
  const tensor given(memory, code, bits, {2, 4});
  const array<T, 2> taken = from_dlpack<T, 2>(given);
  EXPECT_EQ(static_cast<const void *>(address_of(taken.data())), memory);
  EXPECT_EQ(taken.dims(), (shape<2>{2, 4}));
  EXPECT_EQ(taken.strides(), (shape<2>{4, 1}));
  EXPECT_TRUE(taken.device().is_cpu());
  const DLDataType type = dlpack::data_type(dtype_of<T>);
  EXPECT_EQ(type.code, code) << dlpack::name(type);
  EXPECT_EQ(type.bits, bits) << dlpack::name(type);
  const tensor other(memory, code, static_cast<std::uint8_t>(bits * 2), {2, 4});
  EXPECT_THROW((from_dlpack<T, 2>(other)), error);
}

TEST(Dlpack, HasEveryElementType) {
  takes<bool>(kDLBool, 8);
  takes<std::int8_t>(kDLInt, 8);
  takes<std::int16_t>(kDLInt, 16);
  takes<std::int32_t>(kDLInt, 32);
  takes<std::int64_t>(kDLInt, 64);
  takes<std::uint8_t>(kDLUInt, 8);
  takes<std::uint16_t>(kDLUInt, 16);
  takes<std::uint32_t>(kDLUInt, 32);
  takes<std::uint64_t>(kDLUInt, 64);
  takes<f16>(kDLFloat, 16);
  takes<bf16>(kDLBfloat, 16);
  takes<float>(kDLFloat, 32);
  takes<double>(kDLFloat, 64);
  takes<e4m3>(kDLFloat8_e4m3fn, 8);
  takes<e5m2>(kDLFloat8_e5m2, 8);
  takes<e8m0>(kDLFloat8_e8m0fnu, 8);
  takes<s4>(kDLInt, 4);
  takes<u4>(kDLUInt, 4);
  takes<e2m1>(kDLFloat4_e2m1fn, 4);
}

template <int Rank> void takes_rank(const std::vector<float> &memory) {
  std::vector<std::int64_t> dims, backwards;
  shape<Rank> expected, steps;
  std::int64_t step = 1;
  for (int i = 0; i < Rank; ++i) {
    dims.push_back(i % 2 + 2);
    expected[i] = dims.back();
    backwards.push_back(step);
    steps[i] = step;
    step *= dims.back();
  }
  const tensor dense(const_cast<float *>(memory.data()), kDLFloat, 32, dims);
  const auto taken = from_dlpack<const float, Rank>(dense);
  EXPECT_EQ(taken.dims(), expected);
  EXPECT_EQ(taken.strides(), dense_strides(expected));
  EXPECT_EQ(taken.size(), step);
  const tensor strided(const_cast<float *>(memory.data()), kDLFloat, 32, dims, backwards);
  EXPECT_EQ((from_dlpack<const float, Rank>(strided).strides()), steps);
}

TEST(Dlpack, HasRanks0To6) {
  const std::vector<float> memory(216, 1.5F);
  takes_rank<0>(memory);
  takes_rank<1>(memory);
  takes_rank<2>(memory);
  takes_rank<3>(memory);
  takes_rank<4>(memory);
  takes_rank<5>(memory);
  takes_rank<6>(memory);
  const tensor scalar(const_cast<float *>(memory.data()), kDLFloat, 32, {});
  EXPECT_EQ((from_dlpack<const float, 0>(scalar)()), 1.5F);
}

TEST(Dlpack, HasStridesAndOffsets) {
  float memory[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  tensor given(memory, kDLFloat, 32, {2, 3}, {-6, 2});
  given.byte_offset = 6 * sizeof(float);
  const auto taken = from_dlpack<float, 2>(given);
  EXPECT_EQ(taken.data(), memory + 6);
  EXPECT_EQ(taken(1, 2), 4);
  taken(0, 1) = 80;
  EXPECT_EQ(memory[8], 80);
  const tensor repeated(memory, kDLFloat, 32, {2, 3}, {0, 1});
  EXPECT_EQ((from_dlpack<float, 2>(repeated)(1, 2)), 2);
}

TEST(Dlpack, HasDevices) {
  float memory[1] = {};
  const std::pair<DLDevice, device> devices[] = {{{kDLCPU, 0}, device::cpu()},
                                                 {{kDLCUDAHost, 0}, device::cpu()},
                                                 {{kDLCUDA, 3}, device::gpu(3)},
                                                 {{kDLCUDAManaged, 1}, device::gpu(1)}};
  for (const auto &[where, expected] : devices) {
    tensor given(memory, kDLFloat, 32, {1});
    given.device = where;
    EXPECT_EQ((from_dlpack<float, 1>(given).device()), expected);
  }
}

TEST(Dlpack, TakesTensorsWithoutElements) {
  const tensor empty(nullptr, kDLFloat, 32, {3, 0});
  EXPECT_EQ((from_dlpack<float, 2>(empty).dims()), (shape<2>{3, 0}));
  tensor offset(nullptr, kDLFloat, 32, {0});
  offset.byte_offset = 16;
  EXPECT_EQ((from_dlpack<float, 1>(offset).data()), nullptr);
}

TEST(Dlpack, RefusesWhatAnArrayIsNot) {
  alignas(8) std::byte memory[64] = {};
  const auto refusal = [&](auto change) {
    tensor given(memory, kDLFloat, 32, {2, 3});
    change(given);
    return message_of([&] { from_dlpack<const float, 2>(given); });
  };
  EXPECT_EQ(refusal([](tensor &t) { t.dtype = {kDLFloat, 64, 1}; }),
            "from_dlpack: the tensor has elements of float64, and float32 is expected: convert it");
  EXPECT_EQ(refusal([](tensor &t) { t.dtype = {kDLBfloat, 16, 1}; }),
            "from_dlpack: the tensor has elements of bfloat16, and float32 is expected: convert it");
  EXPECT_EQ(refusal([](tensor &t) { t.dtype = {99, 7, 1}; }),
            "from_dlpack: the tensor has elements of type code 99 of 7 bits, and float32 is expected: convert it");
  EXPECT_EQ(
      refusal([](tensor &t) { t.dtype = {kDLComplex, 64, 1}; }),
      "from_dlpack: the tensor has elements of complex64, and Tegula has no complex numbers: give a view of their "
      "real and imaginary parts, which has a dimension of 2 more, the last (torch.view_as_real)");
  EXPECT_EQ(
      refusal([](tensor &t) { t.dtype = {kDLFloat, 32, 4}; }),
      "from_dlpack: the tensor has elements of float32x4, and elements of one lane are expected: give a view whose "
      "last dimension has 4 times as many");
  EXPECT_EQ(refusal([](tensor &t) { t.ndim = 1; }),
            "from_dlpack: the tensor has 1 dimension, its shape is (2), and 2 are expected: reshape it");
  EXPECT_EQ(refusal([](tensor &t) { t.ndim = 0; }),
            "from_dlpack: the tensor has 0 dimensions, and 2 are expected: reshape it");
  EXPECT_EQ(refusal([](tensor &t) { t.shape = nullptr; }),
            "from_dlpack: the tensor has no shape: the pointer to its extents is null");
  EXPECT_EQ(refusal([](tensor &t) { t.shape[1] = -1; }),
            "from_dlpack: the tensor has the shape (2, -1), of which an extent is negative");
  EXPECT_EQ(refusal([](tensor &t) { t.data = nullptr; }),
            "from_dlpack: the tensor of shape (2, 3) has no memory: its pointer is null");
  EXPECT_EQ(refusal([](tensor &t) { t.byte_offset = 2; }),
            "from_dlpack: the tensor starts at an address that is no multiple of its elements' 4 bytes: copy it");
  EXPECT_EQ(
      refusal([](tensor &t) { t.device.device_type = kDLROCM; }),
      "from_dlpack: the tensor has the device type 10 of DLPack, and kernels run on the CPU (1) and on CUDA devices "
      "(2): move it there");
  EXPECT_EQ(refusal([](tensor &) {}), "nothing was refused");
}

// ---- Tensors of others
// -------------------------------------------------------------------------------------------------

/// What deleters were called for.
int deleted = 0;

template <class Managed> struct owned {
  explicit owned(std::uint64_t flags = 0) {
    managed.dl_tensor.data = memory;
    managed.dl_tensor.device = {kDLCPU, 0};
    managed.dl_tensor.ndim = 1;
    managed.dl_tensor.dtype = {kDLFloat, 32, 1};
    managed.dl_tensor.shape = extents;
    managed.deleter = [](Managed *) { ++deleted; };
    if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>) {
      managed.version = {1, 0};
      managed.flags = flags;
    }
    deleted = 0;
  }
  Managed managed{};
  float memory[4] = {1, 2, 3, 4};
  std::int64_t extents[1] = {4};
};

template <class Managed> void owns() {
  owned<Managed> given;
  {
    dlpack_owner owner(&given.managed);
    EXPECT_TRUE(owner);
    EXPECT_FALSE(owner.is_read_only());
    EXPECT_EQ(owner.tensor().data, given.memory);
    EXPECT_EQ((owner.view<float, 1>()(3)), 4);
    EXPECT_EQ((owner.view<const float, 1>()(0)), 1);
    EXPECT_EQ(message_of([&] { owner.view<int, 1>(); }),
              "from_dlpack: the tensor has elements of float32, and int32 is expected: convert it");
    dlpack_owner moved = std::move(owner);
    EXPECT_FALSE(owner);
    EXPECT_EQ(message_of([&] { owner.view<float, 1>(); }),
              "from_dlpack: there is no tensor: it was moved, or never given");
    dlpack_owner assigned;
    assigned = std::move(moved);
    EXPECT_EQ(deleted, 0);
  }
  EXPECT_EQ(deleted, 1);
  {
    owned<Managed> other;
    dlpack_owner owner(&given.managed);
    owner = dlpack_owner(&other.managed);
    EXPECT_EQ(deleted, 1);
  }
  EXPECT_EQ(deleted, 2);
  given.managed.deleter = nullptr;
  dlpack_owner(&given.managed);
}

TEST(DlpackOwner, CallsTheDeleterOnce) {
  owns<DLManagedTensor>();
  owns<DLManagedTensorVersioned>();
}

TEST(DlpackOwner, RespectsFlagsAndVersions) {
  owned<DLManagedTensorVersioned> given(DLPACK_FLAG_BITMASK_READ_ONLY);
  {
    const dlpack_owner owner(&given.managed);
    EXPECT_TRUE(owner.is_read_only());
    EXPECT_EQ((owner.view<const float, 1>()(1)), 2);
    EXPECT_EQ(
        message_of([&] { owner.view<float, 1>(); }),
        "from_dlpack: the tensor is read-only, and would be written: take an array of const elements, or copy it");
  }
  owned<DLManagedTensorVersioned> padded(4);
  padded.managed.dl_tensor.dtype = {kDLInt, 4, 1};
  EXPECT_EQ(message_of([&] { dlpack_owner(&padded.managed).view<const s4, 1>(); }),
            "from_dlpack: the tensor has an element of 4 bits in each byte, and arrays have two: pack it");
  owned<DLManagedTensorVersioned> newer;
  newer.managed.version = {2, 3};
  EXPECT_EQ(message_of([&] { dlpack_owner owner(&newer.managed); }),
            "from_dlpack: the tensor is of DLPack 2.3, and Tegula knows DLPack 1: ask for one, "
            "__dlpack__(max_version=(1, 1))");
  EXPECT_EQ(deleted, 1);
  EXPECT_EQ(message_of([] { dlpack_owner owner(static_cast<DLManagedTensor *>(nullptr)); }),
            "from_dlpack: the pointer to the tensor is null");
}

// ---- Tensors of buffers and arrays
// -------------------------------------------------------------------------------------

TEST(Dlpack, BuffersBecomeTensors) {
  auto b = buffer<bf16, 2>::empty({3, 5});
  void *const memory = b.data();
  DLManagedTensorVersioned *const made = to_dlpack(std::move(b));
  EXPECT_EQ(b.data(), nullptr);
  const DLTensor &t = made->dl_tensor;
  EXPECT_EQ(t.data, memory);
  EXPECT_EQ(t.device.device_type, kDLCPU);
  EXPECT_EQ(t.device.device_id, 0);
  EXPECT_EQ(t.ndim, 2);
  EXPECT_EQ(dlpack::name(t.dtype), "bfloat16");
  EXPECT_EQ((std::vector<std::int64_t>(t.shape, t.shape + 2)), (std::vector<std::int64_t>{3, 5}));
  EXPECT_EQ((std::vector<std::int64_t>(t.strides, t.strides + 2)), (std::vector<std::int64_t>{5, 1}));
  EXPECT_EQ(t.byte_offset, 0U);
  EXPECT_EQ(made->version.major, 1U);
  EXPECT_EQ(made->version.minor, 1U);
  EXPECT_EQ(made->flags, 0U);
  const dlpack_owner back(made); // and its deleter frees everything, as sanitizers see
  EXPECT_EQ(static_cast<void *>(back.view<bf16, 2>().data()), memory);
}

TEST(Dlpack, BuffersOfGpusAreFreedByTheDeleter) {
  fake_driver fake{{{90, "Hopper"}, {80, "Ampere"}}};
  DLManagedTensor *const made = to_dlpack_unversioned(buffer<float, 0>::empty({}, device::gpu(1)));
  EXPECT_EQ(made->dl_tensor.device.device_type, kDLCUDA);
  EXPECT_EQ(made->dl_tensor.device.device_id, 1);
  EXPECT_EQ(made->dl_tensor.ndim, 0);
  EXPECT_EQ(fake.allocations.size(), 1U);
  made->deleter(made);
  EXPECT_TRUE(fake.allocations.empty());
  EXPECT_EQ(fake.frees.size(), 1U);
}

TEST(Dlpack, ArraysBecomeTensors) {
  float memory[6] = {};
  const array<float, 2> a(memory, {2, 3}, {1, 2});
  const dlpack_owner tensor(to_dlpack(a)), old(to_dlpack_unversioned(a)), constant(to_dlpack(array<const float, 2>(a)));
  for (const dlpack_owner *each : {&tensor, &old, &constant}) {
    EXPECT_EQ((each->view<const float, 2>().data()), memory);
    EXPECT_EQ((each->view<const float, 2>().strides()), (shape<2>{1, 2}));
  }
  EXPECT_FALSE(tensor.is_read_only());
  EXPECT_TRUE(constant.is_read_only());
  EXPECT_EQ(message_of([] { to_dlpack(array<float, 1>(meta_pointer<float>(), {3}, device::meta())); }),
            "to_dlpack: the array is on meta, which DLPack does not have: make it of one on the CPU or a GPU");
}

TEST(Dlpack, PackedRowsBeginWithBytes) {
  auto b = buffer<s4, 2>::empty({2, 3});
  b(1, 2) = s4(-3);
  const dlpack_owner made(to_dlpack(std::move(b)));
  EXPECT_EQ(dlpack::name(made.tensor().dtype), "int4");
  EXPECT_EQ(made.tensor().strides[0], 4);
  const auto back = made.view<const s4, 2>();
  EXPECT_EQ(static_cast<int>(static_cast<s4>(back(1, 2))), -3);
  EXPECT_EQ(message_of([&] { to_dlpack(back.slice(1, 1, 2)); }),
            "to_dlpack: the array begins with the second element of a byte, and a tensor begins with a byte: slice its "
            "last dimension at an even index");
}

TEST(Dlpack, VersionedTensorsBecomeUnversioned) {
  owned<DLManagedTensorVersioned> given;
  DLManagedTensor *const made = to_dlpack_unversioned(dlpack_owner(&given.managed));
  EXPECT_EQ(made->dl_tensor.data, given.memory);
  EXPECT_EQ(deleted, 0);
  made->deleter(made);
  EXPECT_EQ(deleted, 1);
  owned<DLManagedTensorVersioned> constant(DLPACK_FLAG_BITMASK_READ_ONLY);
  dlpack_owner owner(&constant.managed);
  EXPECT_EQ(message_of([&] { to_dlpack_unversioned(std::move(owner)); }),
            "to_dlpack: the tensor is read-only, which a DLManagedTensor cannot say: copy it");
  EXPECT_TRUE(owner);
}

// ---- C functions
// -------------------------------------------------------------------------------------------------------

TEST(CAbi, FailuresAreAStatusAMessageAndNoResults) {
  EXPECT_STREQ(c_abi::last_error(), "");
  DLManagedTensorVersioned *first = nullptr, *second = reinterpret_cast<DLManagedTensorVersioned *>(8);
  const auto fails = [&](auto throws) {
    return c_abi::run("f", {}, nullptr, {&first, &second, nullptr}, [&](const c_abi::call &) {
      c_abi::give(&first, buffer<float, 1>::empty({4}));
      throws();
    });
  };
  EXPECT_EQ(fails([] { throw error("f: no"); }), TEGULA_ERROR);
  EXPECT_STREQ(c_abi::last_error(), "f: no");
  EXPECT_EQ(first, nullptr);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(fails([] { throw std::bad_alloc(); }), TEGULA_OTHER_ERROR);
  EXPECT_EQ(fails([] { throw 1; }), TEGULA_OTHER_ERROR);
  EXPECT_STREQ(c_abi::last_error(), "an exception that is no std::exception");
  EXPECT_EQ(fails([] {}), TEGULA_SUCCESS);
  ASSERT_NE(first, nullptr);
  first->deleter(first);
}

TEST(CAbi, ResultsThatNobodyWantsAreDropped) {
  float number = 0;
  c_abi::give(static_cast<DLManagedTensorVersioned **>(nullptr), buffer<float, 1>::empty({4}));
  c_abi::give(static_cast<float *>(nullptr), f16(1.5));
  c_abi::give(&number, f16(1.5));
  EXPECT_EQ(number, 1.5F);
}

TEST(CAbi, TakesTensorsAndLists) {
  float memory[6] = {};
  tensor a(memory, kDLFloat, 32, {3}), b(memory + 3, kDLFloat, 32, {3}), c(memory, kDLFloat, 64, {3});
  c.device = {kDLCUDA, 2};
  const DLTensor *const both[] = {&a, &b}, *const unlike[] = {&a, &c}, *const missing[] = {&a, nullptr};
  const c_abi::call call("f", device::cpu(), nullptr);
  EXPECT_EQ((call.arrays<float, 1>("p", {both, 2}).size()), 2);
  EXPECT_EQ((call.arrays<float, 1>("p", {nullptr, 0}).size()), 0);
  EXPECT_EQ((call.optional<float, 1>("x", nullptr).data()), nullptr);
  EXPECT_EQ((call.optional<float, 1>("x", &a).data()), memory);
  EXPECT_EQ(message_of([&] { call.array<float, 1>("x", nullptr); }),
            "f: 'x' is NULL, and the array is not optional: give a tensor");
  EXPECT_EQ(message_of([&] { call.arrays<float, 1>("p", {missing, 2}); }),
            "f: 'p[1]' is NULL, and the array is not optional: give a tensor");
  EXPECT_EQ(message_of([&] { call.arrays<float, 1>("p", {unlike, 2}); }),
            "f: 'p[1]' has elements of float64, and float32 is expected: convert it");
  EXPECT_EQ(message_of([&] { call.arrays<float, 1>("p", {nullptr, 2}); }),
            "f: 'p' is a list of 2 tensors, whose pointers are at NULL");
  EXPECT_TRUE((c_abi::fits<float, 1>(c_abi::list{both, 2})));
  EXPECT_FALSE((c_abi::fits<float, 1>(c_abi::list{unlike, 2})));
  EXPECT_EQ(c_abi::run("f", {nullptr, &c}, reinterpret_cast<void *>(16), {},
                       [](const c_abi::call &made) {
                         EXPECT_EQ(made.device(), device::gpu(2));
                         EXPECT_EQ(made.stream().handle(), reinterpret_cast<CUstream_st *>(16));
                         EXPECT_EQ(made.stream().device(), device::gpu(2));
                       }),
            TEGULA_SUCCESS);
  EXPECT_EQ(c_abi::run("f", DLDevice{kDLVulkan, 0}, nullptr, {}, [](const c_abi::call &) {}), TEGULA_ERROR);
  EXPECT_STREQ(c_abi::last_error(),
               "f: 'device' has the device type 7 of DLPack, and kernels run on the CPU (1) and on "
               "CUDA devices (2): move it there");
}

TEST(CAbi, HasFunctionsBesideTheEntries) {
  owned<DLManagedTensorVersioned> constant(DLPACK_FLAG_BITMASK_READ_ONLY);
  EXPECT_EQ(c_abi::unversioned(&constant.managed), nullptr);
  EXPECT_EQ(deleted, 0);
  EXPECT_STREQ(c_abi::last_error(),
               "unversioned: the tensor is read-only, which a DLManagedTensor cannot say: copy it");
  EXPECT_EQ(c_abi::unversioned(nullptr), nullptr);
  owned<DLManagedTensorVersioned> given;
  DLManagedTensor *const made = c_abi::unversioned(&given.managed);
  made->deleter(made);
  EXPECT_EQ(deleted, 1);
  EXPECT_EQ(c_abi::synchronize({kDLCPU, 0}, nullptr), TEGULA_SUCCESS);
}

} // namespace
} // namespace tegula::test
