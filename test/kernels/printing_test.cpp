// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "printing.h"

#include "support.h"

#include <algorithm>
#include <sstream>

using namespace tegula::test;

namespace {

/// The lines that the body prints on the device, sorted: programs run in any order.
template <class Body> std::vector<std::string> printed(tegula::device where, Body body) {
  testing::internal::CaptureStdout();
  body();
  tegula::synchronize(where);
  std::fflush(stdout);
  std::istringstream text(testing::internal::GetCapturedStdout());
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);)
    lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

} // namespace

TEST(Printing, OfScalars) {
  const auto x = make<float, 1>({3}, [](auto i) { return static_cast<float>(i) * 0.25F - 0.25F; });
  const auto n = make<std::uint8_t, 1>({3}, [](auto i) { return static_cast<std::uint8_t>(255 - i); });
  on_every_device([&](auto where) {
    const auto x_there = x.to(where);
    const auto n_there = n.to(where);
    const auto lines = printed(where, [&] { print_scalars(x_there, n_there); });
    EXPECT_EQ(lines, (std::vector<std::string>{"program 0 of 3: -0.25, 255 false%", "program 1 of 3: 0, 254 false%",
                                               "program 2 of 3: 0.25, 253 true%"}));
  });
}

TEST(Printing, WhereAConditionHolds) {
  const auto x = make<std::int32_t, 1>({129}, [](auto i) { return static_cast<std::int32_t>(i % 50); });
  on_every_device([&](auto where) {
    const auto x_there = x.to(where);
    EXPECT_EQ(printed(where, [&] { print_sometimes(x_there); }), std::vector<std::string>(3, "seven"));
  });
}

TEST(Printing, OfThreadsAndWarps) {
  std::vector<std::string> expected;
  for (const std::string block : {"0", "1", "2"})
    for (const std::string thread : {"0", "1"}) {
      expected.push_back("block " + block + ", thread " + thread);
      for (const std::string warp : {"0", "1", "3"})
        expected.push_back(expected.back().substr(0, 17) + ", warp " + warp);
    }
  on_every_device([&](auto where) { EXPECT_EQ(printed(where, [&] { print_threads(3, where); }), expected); });
}

TEST(DebugChecks, NameLineProgramAndValues) {
  const auto x = make<float, 2>({5, 130}, [](auto i) { return static_cast<float>(i / 130); });
  const auto index = [](std::initializer_list<std::int32_t> list) {
    return make<std::int32_t, 1>({static_cast<std::int64_t>(list.size())}, [&](auto i) { return list.begin()[i]; });
  };
  on_every_device([&](auto where) {
    const auto there = x.to(where);
    const auto right = index({4, 0, 2}), wrong = index({1, 3, -7, 0, 5});
    expect_same("rows", checked_rows(there, right.to(where), 0), [&](auto i) { return x(right(i[0]), i[1]); });
    EXPECT_EQ(message_of([&] { return checked_rows(there, wrong.to(where), 0); }),
              "checked_rows: printing.cpp:37: program (2): index -7 is not below 5");
    EXPECT_EQ(message_of([&] { return checked_rows(there, right.to(where), 1); }),
              "checked_rows: printing.cpp:41: program (1): the row has the sum 0, positive: false");
    auto o = poisoned<std::int32_t, 2>({3, 4}, where);
    EXPECT_EQ(message_of([&] { checked_steps(o, 15); }), "(nothing)");
    EXPECT_EQ(message_of([&] { checked_steps(o, 9); }), "checked_steps: printing.cpp:57: program (0, 2): step 4");
  });
}

TEST(DebugChecks, OfAllElements) {
  const auto x = make<float, 2>({3, 130}, [](auto i) { return static_cast<float>(i == 200 ? 0 : i + 1); });
  on_every_device([&](auto where) {
    const auto there = x.to(where);
    auto o = poisoned<float, 2>({3, 130}, where), first = poisoned<float, 2>({1, 130}, where);
    EXPECT_EQ(message_of([&] { checked_signs(there.view().slice(0, 0, 1), first); }), "(nothing)");
    EXPECT_EQ(message_of([&] { checked_signs(there, o); }),
              "checked_signs: printing.cpp:84: program (1): an element is not positive");
  });
}
