// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace.h"

#include "tegula/number.h"
#include "tegula/runtime.h"

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

using namespace tegula;

namespace {

constexpr std::int64_t width = trace::words + 2 * trace::words_of_event;

/// A row of a thread that ran for 1000 ns, from 5000 ns on, a cycle each; it had an event of 50 ns.
std::vector<std::int64_t> row_of(std::int64_t multiprocessor, std::int64_t clock, std::int64_t event_after) {
  std::vector<std::int64_t> row(width);
  row[trace::count] = 2;
  row[trace::multiprocessor] = multiprocessor;
  row[trace::begin_time] = 5000;
  row[trace::begin_clock] = clock;
  row[trace::end_time] = 6000;
  row[trace::end_clock] = clock + 1000;
  row[trace::words] = 0;
  row[trace::words + 1] = clock + event_after;
  row[trace::words + 2] = 1;
  row[trace::words + 3] = clock + event_after + 50;
  return row;
}

std::string written() {
  const std::string path = testing::TempDir() + "tegula_trace_test.json";
  write_trace(path);
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  return text;
}

} // namespace

// Where a clock stood is known by the threads that ran, not by rows of blocks that the launch did without.
TEST(Trace, RowsWithoutAThreadSayNothing) {
  std::vector<std::int64_t> rows = row_of(0, 700, 100);
  for (const auto &row : {row_of(1, 900000, 300), std::vector<std::int64_t>(width)})
    rows.insert(rows.end(), row.begin(), row.end());
  runtime::keep_trace("launch", {rows.data(), 3, width, 1}, {"scope"}, 1, false);
  const std::string text = written();
  for (const char *event : {R"("name":"scope","cat":"launch","pid":1,"tid":0,"ts":0.000,"dur":0.050)",
                            R"("name":"scope","cat":"launch","pid":2,"tid":40,"ts":0.200,"dur":0.050)"})
    EXPECT_NE(text.find(event), std::string::npos) << text;
}

// JSON has points.
TEST(Trace, NumbersAreTheSameInEveryLocale) {
  EXPECT_EQ(detail::with_point("1234,500"), "1234.500");
  EXPECT_EQ(detail::with_point("-1\u066b5e+10"), "-1.5e+10"); // Two bytes of UTF-8.
  for (const char *same : {"-0.250", "17", "1e-05", "nan", "-inf"})
    EXPECT_EQ(detail::with_point(same), same);
  EXPECT_EQ(detail::number_text("%.3f", -1e308).size(), 314U);
  for (const char *name : {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"}) // Where one is installed.
    if (std::setlocale(LC_NUMERIC, name) != nullptr)
      break;
  const std::string text = detail::number_text("%.3f", 1.5);
  std::setlocale(LC_NUMERIC, "C");
  EXPECT_EQ(text, "1.500");
}

// The environment says where to, and may change until then.
TEST(Trace, IsWrittenAtExitToWhatTheEnvironmentSaidAtFirst) {
  const std::string path = testing::TempDir() + "tegula_trace_at_exit.json";
  std::remove(path.c_str());
  EXPECT_EXIT(
      {
        setenv("TEGULA_TRACE", path.c_str(), 1);
        const std::vector<std::int64_t> rows = row_of(0, 700, 100);
        runtime::keep_trace("launch", {rows.data(), 1, width, 1}, {"scope"}, 1, false);
        unsetenv("TEGULA_TRACE");
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find(R"("name":"scope","cat":"launch")"), std::string::npos) << text;
  std::remove(path.c_str());
}

TEST(Trace, WarpsHaveTracksOfTheirOwn) {
  std::vector<std::int64_t> rows = row_of(3, 700, 100);
  rows.resize(trace::rows_with_warps * width);
  const std::vector<std::int64_t> warp = row_of(0, 700, 120); // Of its header the count alone is used.
  std::copy(warp.begin(), warp.end(), rows.begin() + 3 * width);
  std::fill_n(rows.begin() + 3 * width + 1, trace::words - 1, 0);
  runtime::keep_trace("warps", {rows.data(), trace::rows_with_warps, width, trace::rows_with_warps}, {"scope"}, 1,
                      false);
  const std::string text = written();
  for (const char *event : {R"("name":"scope","cat":"warps","pid":4,"tid":0,)", R"("cat":"warps","pid":4,"tid":3,)",
                            R"("pid":4,"tid":3,"args":{"name":"block 0, thread 0, warp 2"})"})
    EXPECT_NE(text.find(event), std::string::npos) << text;
}
