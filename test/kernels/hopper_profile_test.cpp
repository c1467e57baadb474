// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_profile.h"

#include "hopper.h"

#include <cstdio>
#include <cstdlib>

using namespace tegula::test;
using tegula::buffer;

namespace {

/// Looks at the trace so far: at the events of the launch of `timed` that came last, behind the first `before` ones.
constexpr char checker[] = R"py(
import json, sys
path, place = sys.argv[1:3]
blocks, steps, before, copies, dropped = map(int, sys.argv[3:8])
with open(path) as file:
    trace = json.load(file)
names = {(e['pid'], e['tid'], e['name']): e['args']['name'] for e in trace['traceEvents'] if e['ph'] == 'M'}
events = [e for e in trace['traceEvents'] if e['ph'] == 'X'][before:]
count = lambda name: sum(e['name'] == name for e in events)
whole = 'all "steps"'
assert trace['otherData']['dropped_events'] == str(dropped), trace['otherData']
assert count('copy') == copies, count('copy')
assert count(whole) == blocks
if 2 + 4 * steps + 2 * (steps // 2) <= 16:
    assert count('step') == count('wait') == blocks * steps and count('odd') == blocks * (steps // 2)
assert all(e['cat'] == 'timed_0' and e['ts'] >= 0 and e['dur'] >= 0 for e in events)
assert {e['tid'] // 8 for e in events} == set(range(blocks))
assert all((e['name'] == 'copy') == (e['tid'] % 8 == 1) for e in events)
slack = 0.002  # Times are rounded to nanoseconds.
for e in events:
    track = f"block {e['tid'] // 8}, thread {e['tid'] % 8}"
    assert names[e['pid'], e['tid'], 'thread_name'] == track, track
    process = names[e['pid'], min(t for p, t, n in names if p == e['pid'] and n == 'process_name'), 'process_name']
    assert process == 'CPU' if place == 'cpu' else process.startswith('SM '), process
    outer = {'step': whole, 'wait': 'step', 'odd': 'step'}.get(e['name'])
    assert outer is None or any(
        o['pid'] == e['pid'] and o['tid'] == e['tid'] and o['name'] == outer and o['ts'] - slack <= e['ts']
        and e['ts'] + e['dur'] <= o['ts'] + o['dur'] + slack for o in events), e
)py";

/// Whether the checker agrees with these arguments.
bool is_right(const std::string &arguments) {
  const std::string trace = testing::TempDir() + "tegula_trace.json", script = testing::TempDir() + "tegula_trace.py";
  tegula::write_trace(trace);
  std::FILE *const file = std::fopen(script.c_str(), "w");
  std::fputs(checker, file);
  std::fclose(file);
  const int code = std::system(("python3 " + script + " " + trace + " " + arguments).c_str());
  std::remove(script.c_str());
  std::remove(trace.c_str());
  return code == 0;
}

float expected_sum(const buffer<float, 2> &x, std::int64_t block, std::int64_t steps, std::int64_t column) {
  float sum = 0;
  for (std::int64_t i = 0; i < steps; ++i)
    sum = (sum + x((block + i) % x.dim(0), column)) * (i % 2 == 0 ? 1.0f : 0.5f);
  return sum;
}

} // namespace

TEST(HopperProfile, EachScopeIsAnEvent) {
  if (std::system("python3 -c pass") != 0)
    GTEST_SKIP() << "there is no python3 to read traces";
  std::int64_t events = 0, dropped = 0; // So far.
  for (const auto &[blocks, steps] : {std::array<std::int64_t, 2>{1, 0}, {3, 2}, {5, 9}}) {
    const auto x = random<float, 2>({7, 128});
    // A thread has room for 16 begins and ends. What has begun by then is an event, which lasts as long as the thread.
    const std::int64_t notes_of_copies = 2 * steps, notes_of_sums = 2 + 4 * steps + 2 * (steps / 2);
    const std::int64_t copies = blocks * std::min<std::int64_t>(steps, 8);
    const std::int64_t sums = blocks * (notes_of_sums <= 16 ? notes_of_sums / 2 : 9);
    everywhere([&, blocks = blocks, steps = steps](auto where) {
      auto o = poisoned<float, 1>({128 * blocks}, where);
      timed(x.to(where), o, blocks, steps);
      if (steps > 0)
        expect_same("sums", o, [&](auto index) { return expected_sum(x, index[0] / 128, steps, index[0] % 128); });
      for (const std::int64_t notes : {notes_of_copies, notes_of_sums})
        dropped += blocks * std::max<std::int64_t>(0, notes - 16);
      std::string arguments = where.is_cpu() ? "cpu" : "gpu";
      for (const std::int64_t number : {blocks, steps, events, copies, dropped})
        arguments += " " + std::to_string(number);
      EXPECT_TRUE(is_right(arguments)) << arguments;
      events += copies + sums;
    });
  }
}

TEST(HopperProfile, AFileThatCannotBeWrittenIsAnError) {
  EXPECT_EQ(message_of([] { tegula::write_trace("/nowhere/trace.json"); }),
            "write_trace: cannot write '/nowhere/trace.json'");
}
