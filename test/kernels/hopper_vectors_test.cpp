// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_vectors.h"

#include "hopper.h"

using namespace tegula::test;
using tegula::array;
using tegula::buffer;

namespace {

/// `rows` of a buffer's rows, from column `first` on: aligned to no more than this says.
template <class T> array<T, 2> part(buffer<T, 2> &of, std::int64_t first, std::int64_t columns) {
  return {of.data() + first, {of.dim(0), columns}, of.strides(), of.device()};
}

/// With rows of this pitch, from this element of them on.
template <class T, class Call> void check_doubled(Call call, std::int64_t pitch, std::int64_t first) {
  SCOPED_TRACE("rows of " + std::to_string(pitch) + " from " + std::to_string(first));
  constexpr std::int64_t rows = 5, columns = 1700, start = 1125;
  const auto x = random<T, 2>({rows, pitch});
  everywhere([&](auto where) {
    auto there = x.to(where);
    auto o = poisoned<T, 2>({rows, pitch}, where);
    const auto before = o.to_host();
    const auto view = part(there, first, columns);
    call(array<const T, 2>(view.data(), view.dims(), view.strides(), view.device()), part(o, first, columns), start);
    expect_same("doubled", o, [&](auto index) {
      const std::int64_t c = index[1] - first;
      const bool is_stored = (c >= 0 && c < 1024) || (c >= start && c < start + 512);
      if (!is_stored)
        return before(index[0], index[1]);
      if constexpr (std::is_same_v<T, std::int64_t>)
        return static_cast<T>(2 * static_cast<std::uint64_t>(x(index[0], index[1])));
      else
        return static_cast<T>(static_cast<float>(x(index[0], index[1])) * 2);
    });
  });
}

template <class T, class Call> void check_alignments(Call call) {
  for (const std::int64_t pitch : {2048, 2040, 2041})
    for (const std::int64_t first : {0, 1, 2, 8})
      check_doubled<T>(call, pitch, first);
}

} // namespace

TEST(HopperVectors, RowsOfAnyAlignment) {
  check_alignments<float>([](auto... arguments) { doubled_f32(arguments...); });
  check_alignments<tegula::f16>([](auto... arguments) { doubled_f16(arguments...); });
  check_alignments<std::int64_t>([](auto... arguments) { doubled_s64(arguments...); });
}

TEST(HopperVectors, ColumnsThatAreNoNeighbours) {
  const auto x = random<float, 2>({1700, 4});
  everywhere([&](auto where) {
    const auto there = x.to(where);
    auto o = poisoned<float, 2>({1700, 4}, where);
    const auto before = o.to_host();
    doubled_f32(array<const float, 2>(there.data(), {4, 1700}, {1, 4}, where),
                array<float, 2>(o.data(), {4, 1700}, {1, 4}, where), 1100);
    expect_same("doubled", o, [&](auto index) {
      const bool is_stored = index[0] < 1024 || (index[0] >= 1100 && index[0] < 1612);
      return is_stored ? x(index[0], index[1]) * 2 : before(index[0], index[1]);
    });
  });
}

TEST(HopperVectors, SumsFromRegisters) {
  const auto a =
      make<tegula::f16, 2>({64, 64}, [](std::int64_t i) { return static_cast<tegula::f16>(float(i % 7) - 3); });
  const auto b =
      make<tegula::f16, 2>({64, 32}, [](std::int64_t i) { return static_cast<tegula::f16>(float(i % 5) - 2); });
  for (const std::int64_t pitch : {32, 33, 36, 38})
    for (const std::int64_t first : {0, 1, 2})
      everywhere([&](auto where) {
        auto o = poisoned<float, 2>({64, pitch + 2}, where);
        const auto before = o.to_host();
        stored(a.to(where), b.to(where), part(o, first, 32));
        expect_same("sums", o, [&](auto index) {
          const std::int64_t c = index[1] - first;
          if (c < 0 || c >= 32)
            return before(index[0], index[1]);
          float sum = 0;
          for (std::int64_t k = 0; k < 64; ++k)
            sum += static_cast<float>(a(index[0], k)) * static_cast<float>(b(k, c));
          return sum;
        });
      });
}

TEST(HopperVectors, WhatIsCopiedIsDense) {
  const auto x = random<float, 2>({3, 516});
  everywhere([&](auto where) {
    auto there = x.to(where);
    halved(there);
    expect_same("halved", there, [&](auto index) {
      const float value = x(index[0], index[1]);
      return index[1] < 512 ? value * 0.5f : value;
    });
    EXPECT_NE(message_of([&] { halved(part(there, 1, 512)); }), "(nothing)");
  });
}

namespace {

/// Adds to so many rows of such pitches, from such elements of them on: `add` gets their columns, and what is there
/// before and what is to be added says the sum.
template <class T, class Add, class Sum>
void check_sums(std::int64_t rows, std::int64_t columns, std::initializer_list<std::int64_t> pitches,
                std::initializer_list<std::int64_t> firsts, Add add, Sum added) {
  for (const std::int64_t pitch : pitches)
    for (const std::int64_t first : firsts) {
      SCOPED_TRACE("rows of " + std::to_string(pitch) + " from " + std::to_string(first));
      const auto before = small_numbers<T, 2>({rows, pitch});
      everywhere([&](auto where) {
        auto o = before.to(where);
        add(where, part(o, first, columns));
        expect_same("sums", o, [&](auto i) {
          return static_cast<T>(static_cast<float>(before(i[0], i[1])) + added(i[0], i[1] - first));
        });
      });
    }
}

template <class T, class Call> void check_added(Call call) {
  constexpr std::int64_t programs = 3, count = 701;
  constexpr std::int64_t starts[] = {0, 4, 2, 1, 8, 0}, sizes[] = {1024, 1024, 1024, 1024, 1001, count};
  const auto x = small_numbers<T, 2>({programs, 1024});
  check_sums<T>(
      6, 1030, {1040, 1034, 1033}, {0, 1, 2}, [&](auto where, auto o) { call(x.to(where), o, count); },
      [&](std::int64_t row, std::int64_t column) {
        const std::int64_t c = column - starts[row];
        float sum = 0;
        for (std::int64_t m = 0; m < programs && c >= 0 && c < sizes[row]; ++m)
          sum += static_cast<float>(x(m, c));
        return sum;
      });
}

template <class T, class Call> void check_added_blocks(Call call) {
  constexpr std::int64_t programs = 4;
  const auto x = small_numbers<T, 3>({programs, 33, 64});
  check_sums<T>(
      40, 80, {88, 86, 85}, {0, 1, 4}, [&](auto where, auto o) { call(x.to(where), o); },
      [&](std::int64_t row, std::int64_t c) {
        float sum = 0;
        for (std::int64_t m = 0; m < programs; ++m) {
          if (row < 32 && c >= 0 && c < 64)
            sum += static_cast<float>(x(m, row, c));
          if (row >= 7 && c >= 64 && c < 77)
            sum += static_cast<float>(x(m, row - 7, c - 64));
        }
        return sum;
      });
}

} // namespace

TEST(HopperVectors, NeighboursAreAddedTogether) {
  check_added<float>([](auto... all) { added_f32_x2(all...); });
  check_added<float>([](auto... all) { added_f32_x4(all...); });
  check_added<tegula::f16>([](auto... all) { added_f16_x4(all...); });
  check_added<tegula::f16>([](auto... all) { added_f16_x8(all...); });
  check_added<tegula::bf16>([](auto... all) { added_bf16_x8(all...); });
}

TEST(HopperVectors, BlocksAreAdded) {
  check_added_blocks<float>([](auto... all) { added_blocks_f32(all...); });
  check_added_blocks<tegula::f16>([](auto... all) { added_blocks_f16(all...); });
  check_added_blocks<tegula::bf16>([](auto... all) { added_blocks_bf16(all...); });
}
