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
place_of = lambda e: divmod(e['tid'] // 5, 8)
assert {place_of(e)[0] for e in events} == set(range(blocks))
assert all((e['name'] == 'copy') == (place_of(e)[1] == 1) for e in events)
slack = 0.002  # Times are rounded to nanoseconds.
for e in events:
    track = 'block {}, thread {}'.format(*place_of(e))
    assert names[e['pid'], e['tid'], 'thread_name'] == track, track
    process = names[e['pid'], min(t for p, t, n in names if p == e['pid'] and n == 'process_name'), 'process_name']
    assert process == 'CPU' if place == 'cpu' else process.startswith('SM '), process
    outer = {'step': whole, 'wait': 'step', 'odd': 'step'}.get(e['name'])
    assert outer is None or any(
        o['pid'] == e['pid'] and o['tid'] == e['tid'] and o['name'] == outer and o['ts'] - slack <= e['ts']
        and e['ts'] + e['dur'] <= o['ts'] + o['dur'] + slack for o in events), e
)py";

/// The same of `timed_warps`.
constexpr char checker_of_warps[] = R"py(
import json, sys
path = sys.argv[1]
blocks, steps, before = map(int, sys.argv[2:5])
with open(path) as file:
    trace = json.load(file)
names = {(e['pid'], e['tid']): e['args']['name'] for e in trace['traceEvents'] if e['name'] == 'thread_name'}
events = [e for e in trace['traceEvents'] if e['ph'] == 'X' and e['cat'] == 'timed_warps_0'][before:]
tracks = {}
for e in events:
    tracks.setdefault(names[e['pid'], e['tid']], []).append(e)
within = lambda e, outer: outer['ts'] - 0.002 <= e['ts'] and e['ts'] + e['dur'] <= outer['ts'] + outer['dur'] + 0.002
named = lambda track, name: [e for e in tracks[track] if e['name'] == name]
for block in range(blocks):
    for thread in range(2):
        name = f'block {block}, thread {thread}'
        whole, = tracks.pop(name)
        assert whole['name'] == 'all', whole
        for warp in range(4):
            track = f'{name}, warp {warp}'
            turns, inner = named(track, 'turn'), named(track, 'step')
            there = steps if warp == 3 else min(steps, 4)  # There is room for 16 begins and ends.
            assert len(turns) == there and len(inner) == (0 if warp == 3 else there), tracks[track]
            assert all(within(e, whole) for e in turns)
            assert all(any(within(e, turn) for turn in turns) for e in inner)
            del tracks[track]
assert not tracks, tracks
)py";

/// Whether a checker agrees with these arguments.
bool is_right(const char *checker, const std::string &arguments) {
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
      EXPECT_TRUE(is_right(checker, arguments)) << arguments;
      events += copies + sums;
    });
  }
}

TEST(HopperProfile, WarpsHaveEvents) {
  if (std::system("python3 -c pass") != 0)
    GTEST_SKIP() << "there is no python3 to read traces";
  std::int64_t events = 0; // So far.
  for (const auto &[blocks, steps] : {std::array<std::int64_t, 2>{1, 1}, {3, 4}, {2, 7}})
    everywhere([&, blocks = blocks, steps = steps](auto where) {
      auto o = poisoned<float, 2>({blocks, 8}, where);
      timed_warps(o, steps);
      expect_same("numbers", o, [&](auto index) {
        const std::int64_t warp = index[1] % 4;
        return static_cast<float>(steps - 1 + (warp == 3 ? 0 : warp));
      });
      std::string arguments;
      for (const std::int64_t number : {blocks, steps, events})
        arguments += std::to_string(number) + " ";
      EXPECT_TRUE(is_right(checker_of_warps, arguments)) << arguments;
      events += blocks * 2 * (1 + 3 * 2 * std::min<std::int64_t>(steps, 4) + steps);
    });
}

TEST(HopperProfile, AFileThatCannotBeWrittenIsAnError) {
  EXPECT_EQ(message_of([] { tegula::write_trace("/nowhere/trace.json"); }),
            "write_trace: cannot write '/nowhere/trace.json'");
}
