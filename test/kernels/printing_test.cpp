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
