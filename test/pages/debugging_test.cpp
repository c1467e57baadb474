// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What samples/debugging.md says that the CPU target finds. The page shows whole messages, at lines of bugs.cpp.
#include "debugging.h"

#include "support.h"

using namespace tegula::test;

namespace {

template <class Call> void expect_message(Call call, const std::string &part) {
  const std::string message = message_of(call);
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

tegula::buffer<std::int32_t, 1> five(std::int32_t (*place)(std::int32_t)) {
  auto places = tegula::buffer<std::int32_t, 1>::empty({5});
  for (std::int32_t i = 0; i < 5; ++i)
    places(i) = place(i);
  return places;
}

TEST(Debugging, Shift) {
  auto x = random<float>(tegula::shape<1>{200});
  expect_message([&] { shift(x); }, "program (0) of shift reads x[64], which program (1) stores to at ");
}

TEST(Debugging, Reorder) {
  const auto x = random<float>(tegula::shape<1>{5});
  const auto places = five([](std::int32_t i) { return i / 2; });
  expect_message(
      [&] { return reorder(x, places); },
      "the program of reorder stores nothing to 2 of the 5 elements of its block of o, which is tg::out; the "
      "first of them is o[3]");
}

TEST(Debugging, Barriers) {
  const auto x = random<float>(tegula::shape<2>{128, 64});
  expect_message([&] { return first_tile(x); },
                 "deadlock in cluster 0: warpgroups wait, and nothing in flight can end a wait:");
  expect_message([&] { return first_tile(x); },
                 "warpgroup 0 waits for phase 0 of barrier 'full', which lacks 1 of 2 arrivals");
  expect_message([&] { return sum_of_two_tiles(x); },
                 "one arrival more than the 1 that phase 0 of barrier 'full' takes");
}

TEST(Debugging, Pick) {
  const auto x = random<float>(tegula::shape<1>{200});
  const auto places = five([](std::int32_t i) { return 60 * i; });
  testing::internal::CaptureStdout();
  expect_message([&] { return pick(x, places); }, ": program (4): index 240 is not below 200");
  EXPECT_EQ(
      testing::internal::GetCapturedStdout(),
      "program 0: index 0\nprogram 1: index 60\nprogram 2: index 120\nprogram 3: index 180\nprogram 4: index 240\n");
}

TEST(Debugging, Sums) {
  const auto x = random<float>(tegula::shape<2>{640, 64});
  on_every_device([&](auto where) {
    expect_agrees("sums", sums(x.to(where)), [&](auto i) {
      return inner_product<float>(640, [&](auto j) { return x(j, i[0]); }, [](auto) { return 1.0F; });
    });
  });
}

} // namespace
