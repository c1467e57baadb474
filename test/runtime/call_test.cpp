// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fake_driver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace tegula::test {
namespace {

using abi::dense;
using abi::flat;
using abi::reads;
using abi::writes;

float *at(std::uintptr_t address) { return reinterpret_cast<float *>(address); }

/// What a call says of one array.
template <class A> std::string verdict_on_input(const A &a) {
  const stream on;
  return message_of([&] { abi::call("entry", on).input("x", a); });
}
template <class A> std::string verdict_on_output(const A &a) {
  const stream on;
  return message_of([&] { abi::call("entry", on).output("x", a); });
}
template <class A> std::string verdict_on_inout(const A &a) {
  const stream on;
  return message_of([&] { abi::call("entry", on).inout("x", a); });
}

TEST(Call, AdmitsWhatIsGood) {
  float data[24] = {};
  using matrix = array<float, 2>;
  EXPECT_EQ(verdict_on_input(matrix(data, {4, 6})), "(nothing)");
  EXPECT_EQ(verdict_on_output(matrix(data, {4, 6})), "(nothing)");
  EXPECT_EQ(verdict_on_output(matrix(data, {4, 6}).transpose()), "(nothing)");
  EXPECT_EQ(verdict_on_inout(matrix(data, {4, 6}).slice(0, 0, 2, 2).slice(1, 1, 3)), "(nothing)");
  EXPECT_EQ(verdict_on_input(matrix(data, {4, 6}, {0, 0})), "(nothing)"); // broadcast
  EXPECT_EQ(verdict_on_output(matrix(data, {1, 6}, {0, 1})), "(nothing)");
  EXPECT_EQ(verdict_on_output(matrix(nullptr, {0, 6})), "(nothing)");
  EXPECT_EQ(verdict_on_output(matrix(nullptr, {0, 6}, {0, 0})), "(nothing)");
  EXPECT_EQ(verdict_on_output(matrix(data, {1, 1}, {-1, -7})), "(nothing)"); // no step is ever taken
  EXPECT_EQ(verdict_on_input(array<const float, 0>(data, {})), "(nothing)");
  EXPECT_EQ(verdict_on_input(buffer<float, 1>()), "(nothing)");
}

TEST(Call, NullData) {
  EXPECT_EQ(verdict_on_input(array<float, 2>(nullptr, {4, 6})),
            "entry: 'x' of shape (4, 6) has no memory: its pointer is null");
  EXPECT_EQ(verdict_on_input(array<const float, 0>()), "entry: 'x' of shape () has no memory: its pointer is null");
}

TEST(Call, AddressOfNoElement) {
  for (std::uintptr_t offset : {1U, 2U, 3U})
    EXPECT_EQ(
        verdict_on_input(array<const float, 1>(at(0x1000 + offset), {4})),
        "entry: 'x' starts at an address that is not a multiple of its elements' 4 bytes: copy it to memory of its "
        "type");
  EXPECT_EQ(verdict_on_output(array<double, 1>(reinterpret_cast<double *>(0x1004), {4})),
            "entry: 'x' starts at an address that is not a multiple of its elements' 8 bytes: copy it to memory of its "
            "type");
  EXPECT_EQ(verdict_on_output(array<float, 1>(at(0x1004), {4})), "(nothing)");
  EXPECT_EQ(verdict_on_input(array<const std::uint8_t, 1>(reinterpret_cast<std::uint8_t *>(0x1001), {4})), "(nothing)");
  EXPECT_EQ(verdict_on_input(array<const float, 1>(at(0x1001), {0})), "(nothing)"); // never read
}

TEST(Call, NegativeExtentsAndStrides) {
  float data[4] = {};
  EXPECT_EQ(verdict_on_input(array<float, 2>(data, {4, -1})), "entry: 'x' has the negative extent -1 in dimension 1");
  EXPECT_EQ(verdict_on_input(array<float, 2>(data, {0, -1})), "entry: 'x' has the negative extent -1 in dimension 1");
  EXPECT_EQ(verdict_on_input(array<float, 1>(data + 3, {4}, {-1})),
            "entry: 'x' has the negative stride -1 in dimension 0: strides must not be negative, copy it in the order "
            "of its memory");
}

TEST(Call, SizesBeyond63Bits) {
  float data[1] = {};
  constexpr std::int64_t big = std::int64_t{1} << 32;
  EXPECT_EQ(verdict_on_input(array<float, 2>(data, {big, big}, {0, 0})),
            "entry: 'x' of shape (4294967296, 4294967296) has more than 2^56 elements");
  EXPECT_EQ(verdict_on_input(array<float, 1>(data, {abi::max_elements + 1}, {0})),
            "entry: 'x' of shape (72057594037927937) has more than 2^56 elements");
  EXPECT_EQ(verdict_on_input(array<float, 1>(data, {abi::max_elements}, {0})), "(nothing)");
  // Host code multiplies the extents of empty arrays, too.
  EXPECT_EQ(verdict_on_input(array<float, 3>(data, {0, big, big})),
            "entry: 'x' of shape (0, 4294967296, 4294967296) has more than 2^56 elements");
  EXPECT_EQ(verdict_on_input(array<float, 2>(data, {2, 2}, {INT64_MAX, 1})),
            "entry: 'x' of shape (2, 2) and strides (9223372036854775807, 1) has more than 2^63 - 1 bytes");
  EXPECT_EQ(verdict_on_input(array<float, 1>(data, {2}, {INT64_MAX / 4})),
            "entry: 'x' of shape (2) and strides (2305843009213693951) has more than 2^63 - 1 bytes");
  EXPECT_EQ(verdict_on_input(array<float, 1>(data, {2}, {INT64_MAX / 4 - 1})), "(nothing)");
}

TEST(Call, WritesThatMeetThemselves) {
  float data[64] = {};
  EXPECT_EQ(verdict_on_output(array<float, 1>(data, {4}, {0})),
            "entry: 'x' is written, but with shape (4) and strides (0) several indices refer to one element: give it "
            "memory of its own");
  EXPECT_EQ(verdict_on_inout(array<float, 2>(data, {4, 6}, {5, 1})),
            "entry: 'x' is written, but with shape (4, 6) and strides (5, 1) several indices refer to one element: "
            "give it memory of its own");
  EXPECT_EQ(verdict_on_input(array<float, 2>(data, {4, 6}, {5, 1})), "(nothing)"); // sliding windows may be read
}

TEST(Call, WritesThatPassEachOther) {
  float data[64] = {};
  EXPECT_EQ(verdict_on_output(array<float, 2>(data, {3, 2}, {2, 3})), "(nothing)");
  EXPECT_EQ(verdict_on_output(array<float, 2>(data, {2, 3}, {3, 2})), "(nothing)");
  EXPECT_EQ(verdict_on_output(array<float, 2>(data, {4, 2}, {2, 3})), "(nothing)");
  // (3, 0) and (0, 2) are element 6.
  EXPECT_NE(verdict_on_output(array<float, 2>(data, {4, 3}, {2, 3})), "(nothing)");
  // Of any size, in two dimensions: the first meeting is at index (1000003, 0) and (0, 1000000).
  EXPECT_EQ(verdict_on_output(array<float, 2>(data, {1000003, 1000000}, {1000000, 1000003})), "(nothing)");
  EXPECT_NE(verdict_on_output(array<float, 2>(data, {1000004, 1000001}, {1000000, 1000003})), "(nothing)");
  // Of three such, which are distinct, a search takes too long.
  EXPECT_EQ(verdict_on_output(array<float, 3>(data, {2, 131072, 131072}, {1, 524287, 524289})),
            "entry: 'x' is written, but with shape (2, 131072, 131072) and strides (1, 524287, 524289) it takes too "
            "long to find out whether several indices refer to one element: give it strides each of which exceeds the "
            "span of all smaller ones");
}

// What is admitted as an output has distinct elements, and what has is; so are slices and permutations of dense arrays.
TEST(Call, WritesThatMeetThemselvesAtRandom) {
  std::mt19937 random(7);
  const auto below = [&](std::int64_t n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  int admitted = 0, refused = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const std::int64_t most = trial % 2 == 0 ? 14 : 40;
    const shape<4> dims{1 + below(4), 1 + below(4), 1 + below(4), 1 + below(3)},
        strides{below(most), below(most), below(most), below(most)};
    std::set<std::int64_t> offsets;
    for (std::int64_t i = 0; i < size_of(dims); ++i) {
      std::int64_t rest = i, offset = 0;
      for (int axis = 0; axis < 4; rest /= dims[axis++])
        offset += rest % dims[axis] * strides[axis];
      offsets.insert(offset);
    }
    const bool distinct = static_cast<std::int64_t>(offsets.size()) == size_of(dims);
    const bool good = verdict_on_output(array<float, 4>(at(64), dims, strides)) == "(nothing)";
    EXPECT_EQ(distinct, good) << to_string(dims) << to_string(strides);
    admitted += good ? 1 : 0;
    refused += good ? 0 : 1;
  }
  EXPECT_GT(admitted, 200);
  EXPECT_GT(refused, 200);
  for (int trial = 0; trial < 200; ++trial) {
    const array<float, 3> whole(at(64), {6, 5, 8});
    const auto part = whole.slice(0, below(3), 3).slice(1, below(2), 2, 2).slice(2, below(4), 2, 3);
    EXPECT_EQ(verdict_on_output(part.permuted(2, 0, 1)), "(nothing)");
    EXPECT_EQ(verdict_on_output(part.permuted(1, 0, 2)), "(nothing)");
  }
}

TEST(Call, AllArraysOnOneDevice) {
  const stream on;
  float data[4] = {};
  const array<float, 1> host(data, {4}), first(data, {4}, device::gpu(0)), second(data, {4}, device::gpu(1));
  abi::call call("entry", on);
  call.input("x", host);
  EXPECT_TRUE(call.on_cpu());
  EXPECT_EQ(message_of([&] { call.output("y", second); }),
            "entry: 'y' is on gpu:1 and 'x' on cpu: the arrays of a call must be on one device, copy one with "
            "to(array, device)");
  abi::call other("entry", on);
  other.inout("x", first);
  EXPECT_FALSE(other.on_cpu());
  EXPECT_EQ(other.device(), device::gpu(0));
  EXPECT_EQ(message_of([&] { other.input("z", second); }),
            "entry: 'z' is on gpu:1 and 'x' on gpu:0: the arrays of a call must be on one device, copy one with "
            "to(array, device)");
  EXPECT_EQ(message_of([&] { other.input("z", array<float, 1>(nullptr, {0})); }),
            "entry: 'z' is on cpu and 'x' on gpu:0: the arrays of a call must be on one device, copy one with "
            "to(array, device)");
}

TEST(Call, Check) {
  const stream on;
  const abi::call call("ns::entry", on);
  EXPECT_EQ(message_of([&] { call.check(true, "never"); }), "(nothing)");
  EXPECT_EQ(message_of([&] { call.check(false, "x and y differ in length"); }), "ns::entry: x and y differ in length");
  EXPECT_EQ(message_of([&] { call.check(false, "{} reaches {}", {-3, 40}); }), "ns::entry: -3 reaches 40");
  EXPECT_EQ(message_of([&] { call.check(false, "tell of {}"); }), "ns::entry: tell of {}");
}

TEST(Call, EmptyOnTheCpu) {
  const stream on;
  const abi::call call("entry", on);
  auto o = call.empty<float, 2>("o", {3, 5});
  EXPECT_EQ(o.dims(), (shape<2>{3, 5}));
  EXPECT_EQ(o.device(), device::cpu());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(o.data()) % 64, 0U);
  o(2, 4) = 1;
  EXPECT_EQ((call.empty<float, 2>("o", {0, 5}).data()), nullptr);
  EXPECT_EQ(message_of([&] { (void)call.empty<float, 2>("o", {3, -5}); }),
            "entry: 'o': the shape (3, -5) has a negative extent");
  EXPECT_EQ(message_of([&] { (void)call.empty<float, 2>("o", {std::int64_t{1} << 31, std::int64_t{1} << 31}); }),
            "entry: 'o': the shape (2147483648, 2147483648) has more than 2^63 - 1 bytes");
  EXPECT_EQ(message_of([&] { (void)call.empty<double, 2>("o", {std::int64_t{1} << 40, std::int64_t{1} << 40}); }),
            "entry: 'o': the shape (1099511627776, 1099511627776) has more than 2^63 - 1 bytes");
  EXPECT_EQ((call.empty<float, 3>("o", {std::int64_t{1} << 40, std::int64_t{1} << 40, 0}).data()), nullptr);
}

// What nothing is stored to shows.
TEST(Call, EmptyOnTheCpuIsNoNumber) {
  const stream on;
  const abi::call call("entry", on);
  auto floats = call.empty<float, 1>("o", {1000});
  EXPECT_TRUE(std::all_of(floats.data(), floats.data() + 1000, [](float f) { return std::isnan(f); }));
  EXPECT_TRUE(std::isnan(static_cast<float>(call.empty<bf16, 0>("o", {}).data()[0])));
  EXPECT_TRUE(std::isnan(static_cast<float>(call.empty<f16, 0>("o", {}).data()[0])));
  EXPECT_TRUE(std::isnan(call.empty<double, 0>("o", {}).data()[0]));
  EXPECT_TRUE(std::isnan(static_cast<float>(call.empty<e4m3, 0>("o", {}).data()[0])));
  EXPECT_EQ((call.empty<std::int16_t, 0>("o", {}).data()[0]), -1);
  EXPECT_EQ((call.empty<std::uint8_t, 0>("o", {}).data()[0]), 255);
  EXPECT_TRUE((call.empty<bool, 0>("o", {}).data()[0]));
}

TEST(Call, Overlap) {
  const stream on;
  const abi::call call("entry", on);
  const array<const float, 1> x(at(0x1000), {16}), y(at(0x1040), {16}), z(at(0x103c), {16}), none(at(0x1008), {0});
  const array<float, 1> o(at(0x1040), {16}), inside(at(0x1004), {2}, {8});
  EXPECT_EQ(message_of([&] { call.no_overlap({reads("x", x), reads("y", x), writes("o", o)}); }),
            "(nothing)"); // neighbours
  EXPECT_EQ(message_of([&] { call.no_overlap({writes("x", inside), writes("none", none)}); }), "(nothing)");
  EXPECT_EQ(message_of([&] { call.no_overlap({reads("x", x), reads("y", y), writes("o", o)}); }),
            "entry: 'o' is written and shares memory with 'y': an array that a launch writes must not overlap its "
            "other arrays, copy one of the two");
  EXPECT_EQ(message_of([&] { call.no_overlap({writes("o", o), reads("z", z)}); }),
            "entry: 'o' is written and shares memory with 'z': an array that a launch writes must not overlap its "
            "other arrays, copy one of the two");
  EXPECT_EQ(message_of([&] { call.no_overlap({writes("a", inside), reads("x", x)}); }),
            "entry: 'a' is written and shares memory with 'x': an array that a launch writes must not overlap its "
            "other arrays, copy one of the two");
  EXPECT_EQ(message_of([&] { call.no_overlap({writes("a", o), writes("b", o)}); }),
            "entry: 'a' is written and shares memory with 'b': an array that a launch writes must not overlap its "
            "other arrays, copy one of the two");
}

// The byte ranges against a set of bytes.
TEST(Call, AccessIsTheRangeOfBytes) {
  std::mt19937 random(3);
  const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
  for (int trial = 0; trial < 500; ++trial) {
    const shape<3> dims{below(4), 1 + below(3), 1 + below(3)}, strides{below(9), below(9), below(9)};
    const array<std::int16_t, 3> a(reinterpret_cast<std::int16_t *>(std::uintptr_t{0x100}), dims, strides);
    std::set<std::uintptr_t> bytes;
    for (std::int64_t i = 0; i < dims[0]; ++i)
      for (std::int64_t j = 0; j < dims[1]; ++j)
        for (std::int64_t k = 0; k < dims[2]; ++k)
          for (int b = 0; b < 2; ++b)
            bytes.insert(0x100 +
                         static_cast<std::uintptr_t>(2 * (i * strides[0] + j * strides[1] + k * strides[2]) + b));
    const abi::access range = reads("a", a);
    EXPECT_EQ(range.begin, bytes.empty() ? 0 : *bytes.begin());
    EXPECT_EQ(range.end, bytes.empty() ? 0 : *bytes.rbegin() + 1);
  }
}

TEST(Call, Dense) {
  const array<float, 1> x(at(0x1000), {5});
  EXPECT_TRUE(dense(16, x));
  EXPECT_FALSE(dense(16, array<float, 1>(at(0x1004), {5})));
  EXPECT_TRUE(dense(4, array<float, 1>(at(0x1004), {5})));
  EXPECT_FALSE(dense(16, array<float, 1>(at(0x1000), {5}, {2})));
  EXPECT_TRUE(dense(16, array<float, 1>(at(0x1000), {1}, {2})));
  EXPECT_TRUE(dense(16, array<float, 1>(at(0x1000), {0}, {2})));
  EXPECT_TRUE(dense(16, array<float, 2>(at(0x1000), {3, 8})));
  EXPECT_FALSE(dense(16, array<float, 2>(at(0x1000), {3, 6})));
  EXPECT_TRUE(dense(8, array<float, 2>(at(0x1000), {3, 6})));
  EXPECT_TRUE(dense(16, array<float, 2>(at(0x1000), {1, 6})));
  EXPECT_TRUE(dense(16, array<float, 2>(at(0x1000), {3, 6}, {8, 1})));
  EXPECT_FALSE(dense(16, array<float, 2>(at(0x1000), {8, 3}).transpose()));
  EXPECT_TRUE(dense(16, array<float, 2>(at(0x1000), {3, 8}, {0, 1}))); // a broadcast row
  EXPECT_TRUE(dense(16, array<f16, 2>(reinterpret_cast<f16 *>(std::uintptr_t{0x1010}), {3, 8})));
  EXPECT_FALSE(dense(16, array<f16, 2>(reinterpret_cast<f16 *>(std::uintptr_t{0x1010}), {3, 12})));
  EXPECT_TRUE(dense(16, array<const float, 0>(at(0x1000), {})));
  EXPECT_FALSE(dense(16, x, array<float, 1>(at(0x1008), {5})));
  EXPECT_TRUE(dense(16, x, buffer<float, 2>::empty({3, 4})));
  EXPECT_FALSE(dense(16, x, buffer<float, 2>::empty({3, 3})));
}

TEST(Call, RowOfAnArray) {
  const auto strides = [](const array<float, 1> &row) { return std::pair(row.dim(0), row.strides()[0]); };
  const std::pair<std::int64_t, std::int64_t> together(18, 1), gaps(18, 0);
  EXPECT_EQ(strides(flat(array<float, 2>(at(0x1000), {3, 6}))), together);
  EXPECT_EQ(flat(array<float, 2>(at(0x1000), {3, 6})).data(), at(0x1000));
  EXPECT_EQ(strides(flat(array<float, 2>(at(0x1000), {3, 6}, {8, 1}))), gaps);
  EXPECT_EQ(strides(flat(array<float, 2>(at(0x1000), {3, 6}, {1, 3}))), gaps);
  EXPECT_EQ(strides(flat(array<float, 3>(at(0x1000), {3, 1, 6}, {6, 77, 1}))), together);
  EXPECT_EQ(strides(flat(array<float, 3>(at(0x1000), {3, 2, 3}, {7, 3, 1}))), gaps);
  EXPECT_EQ(strides(flat(array<float, 2>(at(0x1000), {3, 0}, {8, 1}))), (std::pair<std::int64_t, std::int64_t>(0, 1)));
  EXPECT_FALSE(dense(4, flat(array<float, 2>(at(0x1000), {3, 6}, {8, 1}))));
}

TEST(HostArithmetic, DividesLikeTheNamesSay) {
  for (std::int64_t a = -20; a <= 20; ++a)
    for (std::int64_t b = -7; b <= 7; ++b) {
      if (b == 0)
        continue;
      const double exact = static_cast<double>(a) / static_cast<double>(b);
      EXPECT_EQ(abi::div(a, b), a / b);
      EXPECT_EQ(abi::rem(a, b), a % b);
      EXPECT_EQ(abi::floor_div(a, b), static_cast<std::int64_t>(std::floor(exact))) << a << " " << b;
      EXPECT_EQ(abi::ceil_div(a, b), static_cast<std::int64_t>(std::ceil(exact))) << a << " " << b;
    }
  EXPECT_EQ(message_of([] { abi::div(INT64_MIN, -1, "f (kernels.cpp:7)"); }),
            "f (kernels.cpp:7): 0 - -9223372036854775808 does not fit into 64 bits");
  EXPECT_EQ(abi::rem(INT64_MIN, -1), 0);
  EXPECT_EQ(abi::ceil_div(INT64_MAX, 2), INT64_MAX / 2 + 1);
  EXPECT_EQ(abi::unsigned_div(UINT64_MAX, 2, "f"), UINT64_MAX / 2);
  EXPECT_EQ(abi::unsigned_rem(UINT64_MAX, 16, "f"), 15U);
  const std::string message = "f (kernels.cpp:7): division by zero in host code";
  for (const auto divide : {abi::div, abi::rem, abi::floor_div, abi::ceil_div})
    EXPECT_EQ(message_of([&] { divide(1, 0, "f (kernels.cpp:7)"); }), message);
  for (const auto divide : {abi::unsigned_div, abi::unsigned_rem})
    EXPECT_EQ(message_of([&] { divide(1, 0, "f (kernels.cpp:7)"); }), message);
}

TEST(HostArithmetic, Limits) {
  EXPECT_EQ(abi::min(3, -2), -2);
  EXPECT_EQ(abi::max(3, -2), 3);
  EXPECT_EQ(abi::clamp(5, 0, 3), 3);
  EXPECT_EQ(abi::clamp(-5, 0, 3), 0);
  EXPECT_EQ(abi::clamp(2, 0, 3), 2);
  EXPECT_EQ(abi::clamp(2, 0, -1), 0);
}

TEST(Call, OnMetaChecksAndMakesShapes) {
  const stream on;
  abi::call call("entry", on);
  const array<float, 2> x(meta_pointer<float>(), {4, 6}, device::meta());
  call.input("x", x);
  call.output("y", x);
  EXPECT_FALSE(call.on_cpu() || call.on_gpu());
  call.no_overlap({reads("x", x), writes("y", x)}); // Pointers to nothing are alike.
  EXPECT_EQ((call.empty<float, 1>("o", {7}).dims()), (shape<1>{7}));
  EXPECT_EQ((call.zeros<float, 1>("o", {7}).device()), device::meta());
  EXPECT_EQ(call.multiprocessors(), 1);
  call.report(call.record(3, 2), {"entry: failed {}"}, {3});
  float data = 0;
  EXPECT_EQ(message_of([&] { call.input("z", array<float, 1>(&data, {1})); }),
            "entry: 'z' is on cpu and 'x' on meta: the arrays of a call must be on one device, copy one with to(array, "
            "device)");
  EXPECT_EQ(verdict_on_output(array<float, 2>(meta_pointer<float>(), {4, 6}, {0, 1}, device::meta())),
            "entry: 'x' is written, but with shape (4, 6) and strides (0, 1) several indices refer to one element: "
            "give it memory of its own");
  EXPECT_EQ(verdict_on_input(array<float, 1>(nullptr, {4}, device::meta())),
            "entry: 'x' of shape (4) has no memory: its pointer is null");
}

} // namespace
} // namespace tegula::test
