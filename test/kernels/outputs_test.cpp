// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program leaves out of its block of an output is an error on the CPU. On a GPU it is undefined.
#include "outputs.h"

#include "support.h"

#include <algorithm>
#include <cmath>

using namespace tegula::test;

namespace {

/// Without the place in outputs.cpp and what to do.
template <class F> std::string complaint_of(F f) {
  const std::string message = message_of(f);
  const auto place = message.find("outputs.cpp:"), begin = message.find(": ", place) + 2,
             end = message.find(": store to all of the block, ");
  return place == std::string::npos || end == std::string::npos ? message : message.substr(begin, end - begin);
}

std::string missing(const std::string &program, const std::string &entry, int count, int all, const std::string &array,
                    const std::string &index) {
  return program + " of " + entry + " stores nothing to " + std::to_string(count) + " of the " + std::to_string(all) +
         " elements of its block of " + array + ", which is tg::out; the first of them is " + array + "[" + index + "]";
}

template <class Entry> void run_everywhere(Entry entry) {
  on_every_device([&](auto where) { EXPECT_EQ(message_of([&] { return entry(where); }), "(nothing)"); });
}

} // namespace

TEST(Outputs, SayWhatToWriteInstead) {
  const std::string message = message_of([] { return first_elements(64, 63, {}); });
  EXPECT_NE(message.find("outputs.cpp:11:"), std::string::npos) << message;
  const std::string advice = "; the first of them is o[63]: store to all of the block, or, if elements are left out on "
                             "purpose, let them keep their values: tg::partial_out";
  EXPECT_NE(message.find(advice), std::string::npos) << message;
}

TEST(Outputs, OfWindowsOfRunTimeSize) {
  EXPECT_EQ(complaint_of([] { return first_elements(256, 40, {}); }),
            missing("program (0)", "first_elements", 24, 64, "o", "40"));
  EXPECT_EQ(complaint_of([] { return first_elements(1, 0, {}); }),
            missing("program (0)", "first_elements", 1, 1, "o", "0"));
  for (const std::int64_t length : {0, 1, 64, 100, 130}) // At the edge, what the array has.
    run_everywhere([&](auto where) { return first_elements(length, 64, where); });
  run_everywhere([&](auto where) { return first_elements(40, 40, where); });
}

TEST(Outputs, OfProgramsThatReturn) {
  auto x = random<float, 1>({29});
  std::transform(x.data(), x.data() + 29, x.data(), [](float element) { return std::abs(element); });
  run_everywhere([&](auto where) { return stop_halfway(x.to(where)); });
  x(28) = -1; // The block of 5 ends before what the program would store then.
  EXPECT_EQ(complaint_of([&] { return stop_halfway(x); }), missing("program (3)", "stop_halfway", 1, 5, "o", "4"));
  x(8) = -1;
  EXPECT_EQ(complaint_of([&] { return stop_halfway(x); }), missing("program (1)", "stop_halfway", 4, 8, "o", "4"));
}

TEST(Outputs, OfLoopsThatEndEarly) {
  auto x = tegula::buffer<float, 3>::empty({3, 10, 5});
  std::fill_n(x.data(), x.size(), 1.0F);
  run_everywhere([&](auto where) { return stop_in_loop(x.to(where)); });
  x(2, 9, 0) = -1;
  EXPECT_EQ(complaint_of([&] { return stop_in_loop(x); }),
            missing("program (2, 2)", "stop_in_loop", 5, 10, "o", "1, 0"));
  x(1, 4, 0) = -1;
  EXPECT_EQ(complaint_of([&] { return stop_in_loop(x); }),
            missing("program (1, 1)", "stop_in_loop", 20, 20, "o", "0, 0"));
}

TEST(Outputs, OfLoopsThatMissTheRest) {
  for (const std::int64_t columns : {0, 16, 64})
    run_everywhere([&](auto where) { return full_chunks(random<float, 2>({6, columns}).to(where)); });
  EXPECT_EQ(complaint_of([] { return full_chunks(random<float, 2>({6, 35})); }),
            missing("program (0)", "full_chunks", 12, 140, "o", "0, 32"));
  for (const std::int64_t count : {3, 7})
    run_everywhere([&](auto where) { return first_chunks(random<float, 2>({6, 35}).to(where), count); });
  EXPECT_EQ(complaint_of([] { return first_chunks(random<float, 2>({6, 35}), 1); }),
            missing("program (0)", "first_chunks", 76, 140, "o", "0, 16"));
}

TEST(Outputs, OfRowsAndColumns) {
  for (const bool are_columns : {false, true}) {
    on_every_device([&](auto where) {
      auto o = tegula::buffer<float, 2>::empty({16, 24}, where);
      EXPECT_NO_THROW(first_lines(o, 8, are_columns));
    });
    // Of every second column of every third row.
    auto memory = tegula::buffer<float, 2>::empty({48, 48});
    const tegula::array<float, 2> o(memory.data(), {16, 24}, {3 * 48, 2});
    EXPECT_NO_THROW(first_lines(o, 8, are_columns));
    EXPECT_EQ(complaint_of([&] { return first_lines(o, 7, are_columns), 0; }),
              missing("program (0, 0)", "first_lines", 8, 64, "o", are_columns ? "0, 7" : "7, 0"));
  }
}

TEST(Outputs, OfBranchesWithOneHalfEach) {
  EXPECT_EQ(complaint_of([] { return either_half(true); }), missing("the program", "either_half", 8, 16, "o", "0"));
  EXPECT_EQ(complaint_of([] { return either_half(false); }), missing("the program", "either_half", 8, 16, "o", "8"));
}

TEST(Outputs, OfRank0) {
  run_everywhere([](auto where) { return numbers(3, 2, where); });
  run_everywhere([](auto where) { return numbers(0, 0, where); });
  EXPECT_EQ(complaint_of([] { return numbers(3, 0); }), missing("program (0)", "numbers", 1, 1, "o", ""));
}

TEST(Outputs, OfSeveralLaunches) {
  run_everywhere([](auto where) { return three_outputs(10, 10, 10, where); });
  EXPECT_EQ(complaint_of([] { return three_outputs(9, 10, 10); }),
            missing("the program", "three_outputs", 1, 10, "p", "9"));
  EXPECT_EQ(complaint_of([] { return three_outputs(10, 8, 10); }),
            missing("the program", "three_outputs", 2, 10, "q", "8"));
  EXPECT_EQ(complaint_of([] { return three_outputs(10, 10, 7); }),
            missing("the program", "three_outputs", 3, 10, "r", "7"));
}

// A mask says which elements are left out, and on the CPU a new array shows them.
TEST(Outputs, WithMasks) {
  auto mask = tegula::buffer<bool, 1>::empty({100});
  for (std::int64_t i = 0; i < 100; ++i)
    mask(i) = i % 3 == 0;
  run_everywhere([&](auto where) { return masked_halves(mask.to(where), 40); });
  const auto o = masked_halves(mask, 40);
  for (std::int64_t i = 0; i < 100; ++i)
    if (i % 3 == 0)
      EXPECT_EQ(o(i), i < 40 ? 1 : 2) << i;
    else
      EXPECT_TRUE(std::isnan(o(i))) << i;
}

TEST(Outputs, OfAllProgramsAreNotCounted) {
  auto x = tegula::buffer<std::int64_t, 1>::empty({2});
  x(0) = 1, x(1) = 3;
  run_everywhere([&](auto where) { return scattered(x.to(where), 5); });
  const auto o = scattered(x, 5);
  for (std::int64_t i = 0; i < 5; ++i)
    EXPECT_EQ(std::isnan(o(i)), i != 1 && i != 3) << i;
}

TEST(Outputs, OfBlocksThatProgramsShareAreNotCounted) {
  on_every_device([&](auto where) {
    const auto o = shared_blocks(3, where).to_host();
    for (std::int64_t i = 0; i < o.size(); ++i)
      EXPECT_EQ(o(i), i % 8 < 4 ? 0 : 1) << i;
  });
}

TEST(Outputs, OfVmap) {
  const auto x = random<float, 2>({3, 20});
  run_everywhere([&](auto where) { return mapped(x.to(where), 20); });
  EXPECT_EQ(complaint_of([&] { return mapped(x, 15); }), missing("program (0)", "mapped", 5, 20, "o", "15"));
}

TEST(Outputs, ThatAreInputsToo) {
  on_every_device([](auto where) {
    const auto before = random<float, 1>({10});
    auto o = before.to(where);
    waived(o, 4);
    const auto after = o.to_host();
    for (std::int64_t i = 0; i < 10; ++i)
      EXPECT_EQ(after(i), i < 4 ? 1 : before(i)) << i;
  });
}

TEST(Outputs, PartialOnesKeepTheRest) {
  on_every_device([](auto where) {
    const auto before = random<float, 1>({60});
    const auto wanted = make<bool, 1>({4}, [](std::int64_t i) { return i % 2 == 1; });
    auto o = before.to(where);
    some_blocks(o, wanted.to(where));
    expect_same("o", o, [&](auto i) { return i[0] < 32 && i[0] / 8 % 2 == 1 ? 1.0f : before(i[0]); });
  });
}

TEST(Outputs, Compact) {
  for (const std::int64_t n : {1, 7, 127, 129, 5000, 100003}) {
    const auto x = make<float, 1>({n}, [](std::int64_t i) { return static_cast<float>(i * i % 3 == 0 ? 0 : i + 1); });
    std::vector<float> kept;
    std::copy_if(x.data(), x.data() + n, std::back_inserter(kept), [](float element) { return element != 0; });
    const auto length = static_cast<std::int64_t>(kept.size());
    on_every_device([&](auto where) {
      auto o = make<float, 1>({n}, [](std::int64_t) { return -1.0f; }).to(where);
      auto count = poisoned<std::int32_t, 1>({1}, where);
      compact(x.to(where), o, count);
      expect_same("o", o, [&](auto i) { return i[0] < length ? kept[static_cast<std::size_t>(i[0])] : -1.0f; });
      expect_same("count", count, [&](auto) { return static_cast<std::int32_t>(length); });
    });
  }
  const auto x = make<float, 1>({5}, [](std::int64_t i) { return static_cast<float>(i % 2); });
  auto o = random<float, 1>({5});
  EXPECT_EQ(complaint_of([&] { compact_all(x, o); }), missing("the program", "compact_all", 3, 5, "o", "2"));
}
