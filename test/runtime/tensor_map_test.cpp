// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tensor_map.h"

#include "fake_driver.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

using runtime::encode;
using runtime::map_encoding;

template <class T> T *at(std::uintptr_t address) { return reinterpret_cast<T *>(address); }

/// The numbers of an encoding in one list: type, base, swizzle; dims; strides; box.
using numbers = std::vector<std::vector<std::uint64_t>>;
numbers encoded(const abi::tensor_map &map) {
  const map_encoding made = encode("entry", map);
  const unsigned rank = made.rank;
  return {{static_cast<std::uint64_t>(made.type), made.base, static_cast<std::uint64_t>(made.swizzle)},
          {made.dims, made.dims + rank},
          {made.strides, made.strides + (rank - 1)},
          {made.box, made.box + rank}};
}
/// What the launch says; asking first gives the same answer.
std::string refusal(const abi::tensor_map &map) {
  std::string message = message_of([&] { (void)encode("entry", map); });
  EXPECT_EQ(abi::can_map(map), message == "(nothing)");
  return message;
}

TEST(TensorMap, TheInnermostDimensionIsTheFirst) {
  const array<const bf16, 2> matrix(at<const bf16>(0x1000), {300, 1000});
  EXPECT_EQ(encoded(abi::read_map("a", matrix, 128, {128, 64})),
            (numbers{{9, 0x1000, 3}, {1000, 300}, {2000}, {64, 128}}));
  const array<float, 5> large(at<float>(0x40), {2, 3, 5, 7, 8});
  EXPECT_EQ(encoded(abi::read_map("a", large, 16, {1, 2, 3, 4, 8})),
            (numbers{{7, 0x40, 0}, {8, 7, 5, 3, 2}, {32, 224, 1120, 3360}, {8, 4, 3, 2, 1}}));
  const array<const double, 1> vector(at<const double>(0x20), {3}, {1});
  EXPECT_EQ(encoded(abi::read_map("a", vector, 32, {4})), (numbers{{8, 0x20, 1}, {3}, {}, {4}}));
}

TEST(TensorMap, StridesAreTheArrays) {
  // Rows of a larger matrix; then a transposed batch, and one row for all, which is read only.
  const array<const f16, 2> part(at<const f16>(0x80), {10, 20}, {512, 1});
  EXPECT_EQ(encoded(abi::read_map("a", part, 64, {8, 32})), (numbers{{6, 0x80, 2}, {20, 10}, {1024}, {32, 8}}));
  const array<const f16, 3> batch(at<const f16>(0x80), {4, 5, 8}, {8, 32, 1});
  EXPECT_EQ(encoded(abi::read_map("a", batch, 16, {1, 5, 8})), (numbers{{6, 0x80, 0}, {8, 5, 4}, {64, 16}, {8, 5, 1}}));
  const array<const f16, 2> same(at<const f16>(0x80), {10, 20}, {0, 1});
  EXPECT_EQ(encoded(abi::read_map("a", same, 16, {8, 8})), (numbers{{6, 0x80, 0}, {20, 10}, {0}, {8, 8}}));
}

TEST(TensorMap, PackedElementsAreCopiedAsBytes) {
  const packed_pointer<const s4> begin(at<const std::uint8_t>(0x40));
  EXPECT_EQ(encoded(abi::read_map("a", array<const s4, 2>(begin, {10, 64}, {96, 1}), 32, {8, 32})),
            (numbers{{0, 0x40, 1}, {32, 10}, {48}, {32, 8}}));
  const array<const s4, 2> odd(begin, {10, 63}, {64, 1}), narrow(begin, {10, 48}), inside(begin + 1, {1, 2}, {64, 1});
  EXPECT_EQ(encoded(abi::read_map("a", odd, 16, {8, 16})), (numbers{{0, 0x40, 0}, {32, 10}, {32}, {16, 8}}));
  EXPECT_TRUE(abi::can_map(abi::read_map("a", odd, 16, {8, 16})));
  EXPECT_EQ(
      refusal(abi::read_map("a", narrow, 16, {8, 16})),
      "entry: TMA cannot copy 'a': the stride of dimension 0 is 24 bytes, not a multiple of 16; make its rows longer, "
      "and pass a slice of them");
  EXPECT_FALSE(abi::can_map(abi::read_map("a", inside, 16, {8, 16})));
}

TEST(TensorMap, TheStrideOfASingleElementDoesNotMatter) {
  const array<const float, 3> odd(at<const float>(0x10), {1, 3, 1}, {std::int64_t{1} << 61, 4, -7});
  EXPECT_EQ(encoded(abi::read_map("a", odd, 16, {1, 2, 4})), (numbers{{7, 0x10, 0}, {1, 3, 1}, {16, 16}, {4, 2, 1}}));
}

TEST(TensorMap, ElementTypes) {
  const auto code_of = [](auto element) {
    const array<decltype(element), 1> a(at<decltype(element)>(0x10), {64});
    return encode("entry", abi::read_map("a", a, 16, {16})).type;
  };
  EXPECT_EQ((std::vector<int>{code_of(false), code_of(std::int8_t{}), code_of(std::uint8_t{}), code_of(std::int16_t{}),
                              code_of(std::uint16_t{}), code_of(std::int32_t{}), code_of(std::uint32_t{}),
                              code_of(std::int64_t{}), code_of(std::uint64_t{}), code_of(f16{}), code_of(bf16{}),
                              code_of(1.0F), code_of(1.0)}),
            (std::vector<int>{0, 0, 0, 1, 1, 3, 2, 5, 4, 6, 9, 7, 8}));
  const auto unsigned_code_of = [](auto element) {
    const array<const decltype(element), 1> a(at<const decltype(element)>(0x10), {64});
    return encode("entry", abi::as_unsigned(abi::read_map("a", a, 16, {16}))).type;
  };
  EXPECT_EQ((std::vector<int>{unsigned_code_of(std::int32_t{}), unsigned_code_of(std::int64_t{}),
                              unsigned_code_of(std::uint32_t{}), unsigned_code_of(1.0F)}),
            (std::vector<int>{2, 4, 2, 7}));
}

TEST(TensorMap, Refusals) {
  using matrix = array<const float, 2>;
  const auto of = [](const matrix &m) { return refusal(abi::read_map("a", m, 16, {8, 8})); };
  EXPECT_EQ(of(matrix(at<float>(0x1008), {4, 8})),
            "entry: TMA cannot copy 'a': it begins 8 bytes after a multiple of 16; copy it with to(array, device)");
  EXPECT_EQ(of(matrix(at<float>(0x1000), {4, 8}, {1, 4})),
            "entry: TMA cannot copy 'a': its last dimension has the stride 4, not 1; copy it with to(array, device)");
  EXPECT_EQ(of(matrix(at<float>(0x1000), {4, 8}, {4, 0})),
            "entry: TMA cannot copy 'a': its last dimension has the stride 0, not 1; copy it with to(array, device)");
  EXPECT_EQ(of(matrix(at<float>(0x1000), {4, 6})),
            "entry: TMA cannot copy 'a': the stride of dimension 0 is 24 bytes, not a multiple of 16; make its rows "
            "longer, and pass a slice of them");
  EXPECT_EQ(of(matrix(at<float>(0x1000), {4, 8}, {std::int64_t{1} << 38, 1})),
            "entry: TMA cannot copy 'a': the stride of dimension 0 is 2^40 bytes or more; copy it with to(array, "
            "device)");
  EXPECT_EQ(of(matrix(at<float>(0x1000), {4, 8}, {(std::int64_t{1} << 38) - 4, 1})), "(nothing)");
  EXPECT_EQ(of(matrix(at<float>(0x1000), {(std::int64_t{1} << 31) + 1, 4})),
            "entry: TMA cannot copy 'a': dimension 0 is longer than 2^31; split the call into several over slices of "
            "it");
  EXPECT_EQ(of(matrix(at<float>(0x1000), {std::int64_t{1} << 31, 4})), "(nothing)");
  EXPECT_EQ(of(matrix(at<float>(0x1004), {0, 6})), "(nothing)"); // Nothing of it is ever copied.
  // Copies to an array write 16 bytes at a time.
  const auto of_written = [](const matrix &m) { return refusal(abi::write_map("o", m, 16, {8, 8})); };
  EXPECT_EQ(of_written(matrix(at<float>(0x1000), {4, 6}, {8, 1})),
            "entry: TMA cannot copy 'o': it is written, and its rows of 24 bytes end inside a 16-byte unit, which TMA "
            "would write as a whole; make its last dimension a multiple of 4 long");
  EXPECT_EQ(of(matrix(at<float>(0x1000), {4, 6}, {8, 1})), "(nothing)");
  EXPECT_EQ(of_written(matrix(at<float>(0x1000), {4, 8})), "(nothing)");
  EXPECT_EQ(of_written(matrix(at<float>(0x1000), {0, 6})), "(nothing)");
}

TEST(TensorMap, ViewsHaveTheirOwnOrder) {
  // The rows of each head; the columns of a matrix that is stored column by column.
  const array<const bf16, 3> rows_first(at<const bf16>(0x1000), {300, 7, 64});
  EXPECT_EQ(encoded(abi::permuted(abi::read_map("a", rows_first, 128, {1, 128, 64}), {1, 0, 2})),
            (numbers{{9, 0x1000, 3}, {64, 300, 7}, {896, 128}, {64, 128, 1}}));
  const array<float, 2> by_columns(at<float>(0x40), {10, 20}, {1, 12});
  EXPECT_EQ(encoded(abi::permuted(abi::read_map("a", by_columns, 16, {20, 8}), {1, 0})),
            (numbers{{7, 0x40, 0}, {10, 20}, {48}, {8, 20}}));
}

// Rows outside the array take TMA longer than others: boxes have few of them.
TEST(TensorMap, BoxesAreClippedAtTheArray) {
  const auto rows_of = [](std::int64_t rows) {
    const array<const bf16, 2> a(at<const bf16>(0x1000), {rows, 64});
    return encode("entry", abi::clipped(abi::read_map("a", a, 128, {128, 64}), 0, 8)).box[1];
  };
  const std::int64_t rows[] = {0, 1, 7, 8, 9, 120, 121, 128, 129, 1000, std::int64_t{1} << 31};
  const unsigned expected[] = {8, 8, 8, 8, 16, 120, 128, 128, 128, 128, 128};
  for (std::size_t i = 0; i < std::size(rows); ++i)
    EXPECT_EQ(rows_of(rows[i]), expected[i]) << rows[i];
  const array<const bf16, 3> batch(at<const bf16>(0x1000), {3, 20, 64});
  EXPECT_EQ(encoded(abi::clipped(abi::permuted(abi::read_map("a", batch, 128, {128, 1, 64}), {1, 0, 2}), 0, 8)).back(),
            (std::vector<std::uint64_t>{64, 1, 24}));
}

// Messages count the array's dimensions.
TEST(TensorMap, RefusalsOfViews) {
  using matrix = array<const float, 2>;
  const auto of = [](const matrix &m) { return refusal(abi::permuted(abi::read_map("a", m, 16, {8, 8}), {1, 0})); };
  EXPECT_EQ(of(matrix(at<float>(0x1000), {8, 4}, {1, 8})), "(nothing)");
  EXPECT_EQ(of(matrix(at<float>(0x1000), {8, 4})),
            "entry: TMA cannot copy 'a': dimension 0, the last of the view that is copied, has the stride 4, not 1; "
            "pass an array that is contiguous along it");
  EXPECT_EQ(of(matrix(at<float>(0x1004), {8, 4}, {1, 8})),
            "entry: TMA cannot copy 'a': it begins 4 bytes after a multiple of 16; copy it in the order of its memory");
  EXPECT_EQ(of(matrix(at<float>(0x1000), {8, 4}, {1, 9})),
            "entry: TMA cannot copy 'a': the stride of dimension 1 is 36 bytes, not a multiple of 16; make its rows "
            "longer, and pass a slice of them");
  EXPECT_EQ(of(matrix(at<float>(0x1000), {8, (std::int64_t{1} << 31) + 1}, {1, 8})),
            "entry: TMA cannot copy 'a': dimension 1 is longer than 2^31; split the call into several over slices of "
            "it");
  EXPECT_EQ(refusal(abi::permuted(abi::write_map("o", matrix(at<float>(0x1000), {6, 4}, {1, 8}), 16, {8, 8}), {1, 0})),
            "entry: TMA cannot copy 'o': it is written, and its rows of 24 bytes end inside a 16-byte unit, which TMA "
            "would write as a whole; make dimension 0 a multiple of 4 long");
}

constexpr unsigned char code_bytes[] = {'x', 0};
constexpr abi::image hopper[] = {{90, 'a', abi::image_kind::cubin, code_bytes, 1}};

class TensorMapLaunch : public testing::Test {
protected:
  fake_driver fake{{{90, "Hopper"}, {80, "Ampere"}}};
  abi::image_set<1> images{hopper};
  abi::kernel code{images, "code", 1024, 2};
  stream null_stream;
  abi::call call{"entry", null_stream, device::gpu(0)};
};

TEST_F(TensorMapLaunch, MapsAreParametersOf128Bytes) {
  const array<const float, 2> a(at<const float>(0x1000), {5, 8}, device::gpu(0));
  auto o = call.empty<bf16, 1>("o", {72});
  fake.parameter_slots = {1, 16, 16, 1, 1, 1, 16};
  call.launch(code, {2, 128}, std::int32_t{7}, abi::read_map("a", a, 32, {4, 8}), abi::write_map("o", o, 128, {64}), o,
              abi::nan_outside(abi::read_map("a", a, 16, {1, 4})));
  ASSERT_EQ(fake.maps.size(), 3U);
  const map_record &first = fake.maps[0];
  EXPECT_EQ(first.type, 7);
  EXPECT_EQ(first.base, a.data());
  EXPECT_EQ(first.dims, (std::vector<std::uint64_t>{8, 5}));
  EXPECT_EQ(first.strides, (std::vector<std::uint64_t>{32}));
  EXPECT_EQ(first.box, (std::vector<std::uint32_t>{8, 4}));
  EXPECT_EQ(first.steps, (std::vector<std::uint32_t>{1, 1}));
  EXPECT_EQ(first.interleave, 0);
  EXPECT_EQ(first.swizzle, 1);
  EXPECT_EQ(first.promotion, 2);
  EXPECT_EQ(first.fill, 0);
  EXPECT_EQ(fake.maps[1].base, o.data());
  EXPECT_EQ(fake.maps[2].box, (std::vector<std::uint32_t>{4, 1}));
  EXPECT_EQ(fake.maps[2].fill, 1); // CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
  std::vector<std::uint64_t> expected{7};
  expected.insert(expected.end(), 16, 1);
  expected.insert(expected.end(), 16, 2);
  expected.insert(expected.end(), {reinterpret_cast<std::uintptr_t>(o.data()), 72, 1});
  expected.insert(expected.end(), 16, 3);
  ASSERT_EQ(fake.launches.size(), 1U);
  EXPECT_EQ(fake.launches[0].slots, expected);
}

TEST_F(TensorMapLaunch, OfArraysWithoutElementsPointSomewhereElse) {
  const array<const float, 2> read(nullptr, {5, 0}, device::gpu(0));
  const array<float, 2> written(nullptr, {0, 8}, device::gpu(0));
  call.launch(code, {0, 128}, abi::read_map("r", read, 32, {4, 8})); // Without blocks there is no need for a map.
  EXPECT_TRUE(fake.maps.empty());
  fake.parameter_slots = {16, 16};
  for (int i = 0; i < 2; ++i)
    call.launch(code, {2, 128}, abi::read_map("r", read, 32, {4, 8}), abi::write_map("w", written, 32, {4, 8}));
  ASSERT_EQ(fake.maps.size(), 4U);
  ASSERT_EQ(fake.allocations.size(), 1U); // once per GPU
  const auto *memory = reinterpret_cast<const std::byte *>(fake.allocations.begin()->first);
  EXPECT_EQ(fake.allocations.begin()->second, 128U);
  EXPECT_EQ(std::count(memory, memory + 128, std::byte{0}), 128);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(fake.maps[i].base, memory + 64 * (i % 2));
    EXPECT_EQ(fake.maps[i].dims, (std::vector<std::uint64_t>{1, 1}));
    EXPECT_EQ(fake.maps[i].strides, (std::vector<std::uint64_t>{16}));
    EXPECT_EQ(fake.maps[i].box, (std::vector<std::uint32_t>{8, 4}));
  }
}

TEST_F(TensorMapLaunch, NothingIsLaunchedWithAMapThatCannotBe) {
  const array<const float, 2> good(at<const float>(0x1000), {5, 8}, device::gpu(0));
  const array<const float, 2> bad(at<const float>(0x1000), {5, 7}, device::gpu(0));
  EXPECT_EQ(message_of([&] {
              call.launch(code, {2, 128}, abi::read_map("a", good, 32, {4, 8}), abi::read_map("b", bad, 32, {4, 8}));
            }),
            "entry: TMA cannot copy 'b': the stride of dimension 0 is 28 bytes, not a multiple of 16; make its rows "
            "longer, and pass a slice of them");
  fake.failing["cuTensorMapEncodeTiled"] = 1;
  EXPECT_EQ(message_of([&] { call.launch(code, {2, 128}, abi::read_map("a", good, 32, {4, 8})); }),
            "entry: TMA cannot copy 'a': the driver cannot make a tensor map for it: CUDA_ERROR_INVALID_VALUE (the "
            "driver's words)");
  EXPECT_TRUE(fake.launches.empty());
}

// What runs on the CPU runs on a GPU.
TEST(TensorMap, LaunchesOnTheCpuRefuseTheSame) {
  stream null_stream;
  const abi::call call("entry", null_stream);
  alignas(16) float memory[64] = {};
  const auto copied = [&](const float *data, const shape<2> &dims, const shape<2> &strides, bool is_written) {
    const array<const float, 2> a(data, dims, strides);
    return message_of([&] { call.copied("a", a, is_written); });
  };
  EXPECT_EQ(copied(memory, {4, 8}, {8, 1}, true), "(nothing)");
  EXPECT_EQ(copied(memory + 1, {4, 8}, {8, 1}, false),
            "entry: TMA cannot copy 'a': it begins 4 bytes after a multiple of 16; copy it with to(array, device)");
  EXPECT_EQ(copied(memory, {4, 7}, {7, 1}, false),
            "entry: TMA cannot copy 'a': the stride of dimension 0 is 28 bytes, not a multiple of 16; make its rows "
            "longer, and pass a slice of them");
  EXPECT_EQ(copied(memory, {4, 6}, {8, 1}, false), "(nothing)");
  EXPECT_EQ(copied(memory, {4, 6}, {8, 1}, true),
            "entry: TMA cannot copy 'a': it is written, and its rows of 24 bytes end inside a 16-byte unit, which TMA "
            "would write as a whole; make its last dimension a multiple of 4 long");
  EXPECT_EQ(copied(nullptr, {4, 0}, {7, 1}, true), "(nothing)");
  const array<const float, 2> by_columns(memory, {8, 4}, {1, 8}), by_rows(memory, {8, 4});
  EXPECT_EQ(message_of([&] { call.copied("a", by_columns, true, {1, 0}); }), "(nothing)");
  EXPECT_EQ(message_of([&] { call.copied("a", by_rows, false, {1, 0}); }),
            "entry: TMA cannot copy 'a': dimension 0, the last of the view that is copied, has the stride 4, not 1; "
            "pass an array that is contiguous along it");
}

// A GPU without TMA says that it is the wrong one before it says that the driver makes no maps for it.
TEST_F(TensorMapLaunch, TheCodeIsMissingFirst) {
  const array<const float, 2> bad(at<const float>(0x1000), {5, 7}, device::gpu(1));
  const abi::call older("entry", null_stream, device::gpu(1));
  EXPECT_EQ(message_of([&] { older.launch(code, {2, 128}, abi::read_map("b", bad, 32, {4, 8})); }),
            "entry: no code for gpu:1 (Ampere), which is sm_80: the program holds sm_90a cubin; pass --arch=sm_80 to "
            "tegulac");
  EXPECT_TRUE(fake.maps.empty());
}

} // namespace
} // namespace tegula::test
