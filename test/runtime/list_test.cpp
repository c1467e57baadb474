// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of arrays: what makes them, what calls refuse of them, and their tables.

#include "fake_driver.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

template <class Call> std::string message_of(Call call) {
  try {
    call();
  } catch (const error &thrown) {
    return thrown.what();
  }
  return "(nothing)";
}

TEST(Lists, AreOfOneShape) {
  float data[64] = {};
  const array<float, 2> a(data, {2, 3}), b(data + 8, {2, 3}), taller(data, {3, 3}), wider(data, {2, 3}, {4, 1});
  const arrays<float, 2> list{a, b};
  EXPECT_EQ(list.size(), 2);
  EXPECT_EQ(list.dims(), shape<2>(2, 3));
  EXPECT_EQ(list.strides(), shape<2>(3, 1));
  EXPECT_EQ(list[1].data(), data + 8);
  EXPECT_EQ((arrays<const float, 2>(list)[0].data()), data);
  EXPECT_EQ(message_of([&] { arrays<float, 2>{a, b, taller}; }),
            "arrays: array 2 has the shape (3, 3), and array 0 (2, 3): the arrays of a list must have one shape, the "
            "same strides and one device; make a list of each kind");
  EXPECT_EQ(message_of([&] { arrays<float, 2>{a, wider}; }),
            "arrays: array 1 has the strides (4, 1), and array 0 (3, 1): the arrays of a list must have one shape, the "
            "same strides and one device; make a list of each kind");
  const array<float, 2> there(data, {2, 3}, device::gpu(0));
  EXPECT_EQ(message_of([&] { arrays<float, 2>{a, there}; }),
            "arrays: array 1 is on gpu:0, and array 0 cpu: the arrays of a list must have one shape, the same strides "
            "and one device; make a list of each kind");
  // A stride of one element is never used.
  EXPECT_EQ((arrays<float, 2>{array<float, 2>(data, {1, 3}, {7, 1}), array<float, 2>(data, {1, 3}, {9, 1})}.size()), 2);
}

TEST(Lists, AreMadeOfWhatHoldsArrays) {
  std::vector<buffer<float, 1>> buffers;
  buffers.push_back(buffer<float, 1>::empty({5}));
  buffers.push_back(buffer<float, 1>::empty({5}));
  const std::vector<buffer<float, 1>> &constant = buffers;
  EXPECT_EQ((arrays<float, 1>(buffers)[1].data()), buffers[1].data());
  EXPECT_EQ((arrays<const float, 1>(constant)[1].data()), buffers[1].data());
  const array<float, 1> plain[] = {buffers[1], buffers[0]};
  EXPECT_EQ((arrays<float, 1>(plain)[0].data()), buffers[1].data());
  EXPECT_EQ((arrays<float, 1>{buffers[0]}.size()), 1);
  static_assert(!std::is_convertible_v<const std::vector<buffer<float, 1>> &, arrays<float, 1>>);
}

TEST(Lists, MayBeEmpty) {
  EXPECT_EQ((arrays<float, 2>{}.size()), 0);
  EXPECT_EQ((arrays<float, 2>{}.dims()), shape<2>(0, 0));
  const arrays<float, 2> none(shape<2>(4, 5));
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(none.dims(), shape<2>(4, 5));
}

class ListCalls : public testing::Test {
protected:
  stream null_stream;
  alignas(16) float data[256] = {};
  array<float, 1> at(std::int64_t start, std::int64_t size = 8) { return {data + start, {size}}; }
  array<float, 1> evens(std::int64_t start) { return {data + start, {8}, {2}}; }
};

TEST_F(ListCalls, RefuseArraysByTheirNumber) {
  abi::call call("entry", null_stream);
  EXPECT_EQ(message_of([&] { (void)call.inputs("x", arrays<float, 1>{at(0), {nullptr, {8}}}); }),
            "entry: 'x[1]' of shape (8) has no memory: its pointer is null");
  auto *const odd = reinterpret_cast<float *>(reinterpret_cast<char *>(data) + 2);
  EXPECT_EQ(
      message_of([&] { (void)call.inputs("x", arrays<float, 1>{at(0), at(8), {odd, {8}}}); }),
      "entry: 'x[2]' starts at an address that is not a multiple of its elements' 4 bytes: copy it to memory of its "
      "type");
  EXPECT_EQ(message_of([&] { (void)call.outputs("o", arrays<float, 1>{{data, {8}, {0}}}); }),
            "entry: 'o' is written, but with shape (8) and strides (0) several indices refer to one element: give it "
            "memory of its own");
  EXPECT_EQ(message_of([&] { (void)call.inputs("x", arrays<float, 1>{{nullptr, {0}}, {nullptr, {0}}}); }), "(nothing)");
}

TEST_F(ListCalls, OverlapNowhereTheyAreWritten) {
  abi::call call("entry", null_stream);
  const arrays<float, 1> apart{at(64), at(0), at(32)}, meeting{at(64), at(0), at(7)}, between{evens(0), evens(1)};
  const arrays<float, 1> inside{at(128), at(34, 8)};
  const auto checks = [&](const arrays<float, 1> &written, const arrays<float, 1> &read) {
    const auto o = call.outputs("o", written), x = call.inputs("x", read);
    return message_of([&] { call.no_overlap({abi::reads("x", x), abi::writes("o", o)}); });
  };
  EXPECT_EQ(checks(apart, {at(128), at(128)}), "(nothing)");
  EXPECT_EQ(checks(meeting, {at(128)}), "entry: 'o[1]' is written and shares memory with 'o[2]': an array that a "
                                        "launch writes must not overlap its other arrays, copy one of the two");
  EXPECT_EQ(checks(between, {at(128)}), "(nothing)");
  EXPECT_EQ(checks(apart, inside), "entry: 'o[2]' is written and shares memory with 'x[1]': an array that a launch "
                                   "writes must not overlap its other arrays, copy one of the two");
  EXPECT_EQ(checks(apart, {}), "(nothing)");
  const auto x = call.inputs("x", apart);
  const array<float, 1> o = at(30);
  EXPECT_EQ(message_of([&] { call.no_overlap({abi::reads("x", x), abi::writes("o", o)}); }),
            "entry: 'o' is written and shares memory with 'x[2]': an array that a launch writes must not overlap its "
            "other arrays, copy one of the two");
}

TEST_F(ListCalls, AreAlignedAsTheLeastOfThem) {
  abi::call call("entry", null_stream);
  EXPECT_TRUE(abi::dense(16, call.inputs("x", arrays<float, 1>{at(0), at(32), at(12)})));
  EXPECT_FALSE(abi::dense(16, call.inputs("x", arrays<float, 1>{at(0), at(32), at(13)})));
  EXPECT_FALSE(abi::dense(4, call.inputs("x", arrays<float, 1>{evens(0)})));
}

TEST(ListTables, AreFilledOnceByKernelParameters) {
  fake_driver fake{{{90, "Hopper"}}};
  static constexpr unsigned char code_bytes[] = {'x', 0};
  static constexpr abi::image hopper[] = {{90, 'a', abi::image_kind::cubin, code_bytes, 1}};
  abi::image_set<1> images{hopper};
  abi::kernel code{images, "code"};
  stream null_stream;
  std::vector<array<float, 2>> all;
  for (std::int64_t i = 0; i < 1000; ++i)
    all.emplace_back(reinterpret_cast<float *>(0x10000 + 0x100 * i), shape<2>{3, 5}, device::gpu(0));
  const arrays<float, 2> given(all);
  abi::call call("entry", null_stream);
  const auto x = call.inputs("x", given), none = call.inputs("none", arrays<float, 2>(shape<2>(2, 2)));
  EXPECT_EQ(x.table(), nullptr);
  call.launch(code, {1, 32}, x, std::int64_t{9});
  call.launch(code, {1, 32}, x);
  call.launch(code, {1, 32}, none);
  ASSERT_EQ(fake.launches.size(), 6U);
  const auto table = reinterpret_cast<std::uintptr_t>(x.table());
  for (const std::size_t i : {0U, 1U}) { // 510 pointers at a time.
    const launch_record &fill = fake.launches[i];
    EXPECT_EQ(fill.function, "tegula_fill_table");
    EXPECT_EQ(fill.config.grid_x, 1U);
    EXPECT_EQ(fill.config.block_x, 512U);
    ASSERT_EQ(fill.slots.size(), 512U);
    EXPECT_EQ(fill.slots[0], table + i * 510 * 8);
    EXPECT_EQ(fill.slots[1], i == 0 ? 510U : 490U);
    EXPECT_EQ(fill.slots[2], 0x10000 + i * 510 * 0x100);
    EXPECT_EQ(fill.slots[491], 0x10000 + (i * 510 + 489) * 0x100);
  }
  EXPECT_EQ(fake.launches[2].slots, (std::vector<std::uint64_t>{table, 1000, 3, 5, 0, 5, 1, 9}));
  EXPECT_EQ(fake.launches[3].slots, (std::vector<std::uint64_t>{table, 1000, 3, 5, 0, 5, 1}));
  // One without arrays has a pointer, which is null.
  EXPECT_EQ(fake.launches[4].slots[1], 1U);
  EXPECT_EQ(fake.launches[4].slots[2], 0U);
  EXPECT_EQ(fake.launches[5].slots[1], 0U);
  // Those of one launch are made together, and some may be there already.
  const arrays<float, 2> few{all[3], all[4]}, others{all[7]};
  const auto y = call.inputs("y", few), z = call.outputs("z", others);
  call.launch(code, {0, 32}, x, y, z); // No programs: no tables.
  ASSERT_EQ(fake.launches.size(), 6U);
  call.launch(code, {1, 32}, x, y, std::int64_t{9}, z);
  ASSERT_EQ(fake.launches.size(), 8U);
  const launch_record &both = fake.launches[6];
  const auto of_y = reinterpret_cast<std::uintptr_t>(y.table());
  EXPECT_EQ(std::vector<std::uint64_t>(both.slots.begin(), both.slots.begin() + 6),
            (std::vector<std::uint64_t>{of_y, 3, 0x10300, 0x10400, 0x10700, 0}));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(z.table()), of_y + 16);
}

} // namespace
} // namespace tegula::test
