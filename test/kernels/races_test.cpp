// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that reads what another one stores is an error on the CPU, at the read. On a GPU it is a race.
#include "races.h"

#include "support.h"

#include <algorithm>

using namespace tegula::test;

namespace {

/// Without the places in races.cpp and what to do.
template <class F> std::string complaint_of(F f) {
  const std::string message = message_of(f);
  const auto place = message.find("races.cpp:"), begin = message.find(": ", place) + 2,
             end = message.find(" stores to at ");
  return place == std::string::npos || end == std::string::npos ? message : message.substr(begin, end - begin);
}

std::string race(const std::string &entry, const std::string &reader, const std::string &element,
                 const std::string &writer) {
  return "program (" + reader + ") of " + entry + " reads " + element + ", which program (" + writer + ")";
}

using vector = tegula::buffer<float, 1>;

/// What a kernel makes of x, on every device, is what `reference` makes of it.
template <class Entry, class Reference> void check_in_place(const vector &x, Entry entry, Reference reference) {
  vector wanted = x.to_host();
  reference(wanted);
  on_every_device([&](auto where) {
    auto y = x.to(where);
    EXPECT_EQ(message_of([&] { entry(y); }), "(nothing)");
    const auto result = y.to_host();
    for (std::int64_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(result(i), wanted(i)) << i << " of " << x.size();
  });
}

} // namespace

TEST(Races, SayWhereAndWhatToWriteInstead) {
  auto x = random<float, 1>({10});
  const std::string message = message_of([&] { reverse(x); });
  EXPECT_NE(message.find("races.cpp:14:16: program (5) of reverse reads x[4], which program (4) stores to at "),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("races.cpp:14:14, and programs run at the same time: it may read the old value or the new "
                         "one; read from one array and store to another: tg::in(x) and tg::out(result)"),
            std::string::npos)
      << message;
}

TEST(Races, OfReversals) {
  auto one = random<float, 1>({1});
  EXPECT_NO_THROW(reverse(one)); // Its own element.
  for (const std::int64_t size : odd_sizes)
    check_in_place(
        random<float, 1>({size}), [](vector &x) { reverse_by_swaps(x); },
        [](vector &x) { std::reverse(x.data(), x.data() + x.size()); });
}

TEST(Races, OfRotations) {
  for (const std::int64_t size : {3, 7, 129}) {
    auto x = random<float, 1>({size});
    EXPECT_EQ(complaint_of([&] { rotate(x); }), race("rotate", "0", "x[1]", "1"));
  }
}

TEST(Races, OfIndicesThatAreLoaded) {
  auto x = random<float, 1>({6});
  auto from = tegula::buffer<std::int64_t, 1>::empty({6});
  for (std::int64_t i = 0; i < 6; ++i)
    from(i) = i;
  EXPECT_NO_THROW(gather(x, from));
  from(5) = 3;
  EXPECT_EQ(complaint_of([&] { gather(x, from); }), race("gather", "5", "x[3]", "3"));
}

TEST(Races, OfTransposes) {
  for (const std::int64_t size : {7, 16, 33, 127}) {
    const auto x = random<float, 2>({size, size});
    on_every_device([&](auto where) {
      auto y = x.to(where);
      EXPECT_EQ(message_of([&] { transpose(y, true); }), "(nothing)");
      const auto result = y.to_host();
      for (std::int64_t i = 0; i < size; ++i)
        for (std::int64_t j = 0; j < size; ++j)
          EXPECT_EQ(result(i, j), x(j, i)) << i << ", " << j;
    });
    auto y = x.to_host();
    EXPECT_EQ(complaint_of([&] { transpose(y, false); }),
              size <= 16 ? "(nothing)" : race("transpose", "1, 0", "x[0, 16]", "0, 1"));
  }
}

TEST(Races, WithMasks) {
  for (const std::int64_t size : odd_sizes)
    check_in_place(
        random<float, 1>({size}), [](vector &x) { relax(x, false); },
        [](vector &x) {
          for (std::int64_t i = 0; i < x.size(); i += 2)
            x(i) = x(i) + (i > 0 ? x(i - 1) : 0) + (i + 1 < x.size() ? x(i + 1) : 0);
        });
  auto alone = random<float, 1>({32}), two = random<float, 1>({33});
  EXPECT_NO_THROW(relax(alone, true));
  EXPECT_EQ(complaint_of([&] { relax(two, true); }), race("relax", "1", "x[31]", "0"));
}

TEST(Races, WithMasksThatTheStoreChanges) {
  for (const std::int64_t length : {1, 5, 64})
    check_in_place(
        random<float, 1>({129}), [&](vector &x) { negate_positive(x, length); },
        [](vector &x) {
          for (std::int64_t i = 0; i < x.size(); ++i)
            x(i) = x(i) > 0 ? -x(i) : x(i);
        });
}

TEST(Races, OfGridsOfTwoAxes) {
  EXPECT_EQ(complaint_of([] { static_cast<void>(read_above(2, 5)); }), "(nothing)");
  EXPECT_EQ(complaint_of([] { static_cast<void>(read_above(5, 3)); }), race("read_above", "0, 2", "o[4, 0]", "0, 4"));
  EXPECT_EQ(complaint_of([] { static_cast<void>(read_above(4, 3)); }), race("read_above", "0, 2", "o[0, 0]", "0, 0"));
}
