// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hopper_profile.h"

#include "hopper.h"

#include <cstdio>
#include <cstdlib>

using namespace tegula::test;
using tegula::buffer;

namespace {

/// Whether a Python program says that the trace so far is right. It has the file as `trace`, and the events of the last
/// launches, `since` of them left out, as `events`.
bool is_right(const std::string &checks, std::size_t since) {
  const std::string path = testing::TempDir() + "tegula_trace.json";
  tegula::write_trace(path);
  const std::string program = "import json\n"
                              "trace = json.load(open('" +
                              path +
                              "'))\n"
                              "names = {(e['pid'], e['tid'], e['name']): e['args']['name'] for e in trace['traceEvents'] if e['ph'] == 'M'}\n"
                              "events = [e for e in trace['traceEvents'] if e['ph'] == 'X'][" +
                              std::to_string(since) + ":]\n" + checks;
  const std::string script = testing::TempDir() + "tegula_trace.py";
  std::FILE *const file = std::fopen(script.c_str(), "w");
  std::fputs(program.c_str(), file);
  std::fclose(file);
  const int code = std::system(("python3 " + script).c_str());
  std::remove(script.c_str());
  std::remove(path.c_str());
  return code == 0;
}

std::size_t events_so_far = 0;
std::int64_t dropped_so_far = 0;

} // namespace

TEST(HopperProfile, EachScopeIsAnEvent) {
  if (std::system("python3 -c pass") != 0)
    GTEST_SKIP() << "there is no python3 to read traces";
  for (const auto &[blocks, steps] : {std::array<std::int64_t, 2>{1, 0}, {3, 2}, {5, 9}}) {
    const auto x = random<float, 2>({7, 128});
    everywhere([&, blocks = blocks, steps = steps](auto where) {
      auto o = poisoned<float, 1>({128 * blocks}, where);
      timed(x.to(where), o, blocks, steps);
      if (steps > 0)
        expect_same("sums", o, [&](auto index) {
          float sum = 0;
          for (std::int64_t i = 0; i < steps; ++i) {
            sum += x((index[0] / 128 + i) % 7, index[0] % 128);
            sum *= i % 2 == 0 ? 1.0f : 0.5f;
          }
          return sum;
        });
      // Each thread has room for 16 begins and ends.
      std::int64_t copies = 0, sums = 0, dropped = 0;
      for (const auto &[notes, events] : {std::pair{2 * steps, &copies}, {2 + 4 * steps + 2 * (steps / 2), &sums}})
        dropped += blocks * std::max<std::int64_t>(0, notes - 16);
      copies = blocks * std::min<std::int64_t>(steps, 8);
      const bool is_whole = 2 + 4 * steps + 2 * (steps / 2) <= 16;
      dropped_so_far += dropped;
      const std::string checks =
          "blocks, steps = " + std::to_string(blocks) + ", " + std::to_string(steps) +
          "\n"
          "assert trace['otherData']['dropped_events'] == '" +
          std::to_string(dropped_so_far) +
          "', trace['otherData']\n"
          "count = lambda name: sum(e['name'] == name for e in events)\n"
          "assert count('copy') == " +
          std::to_string(copies) +
          ", count('copy')\n"
          "assert count('all \"steps\"') == blocks\n" +
          (is_whole ? "assert count('step') == count('wait') == blocks * steps and count('odd') == blocks * (steps // 2)\n"
                    : "assert count('step') > 0 and count('wait') > 0\n") +
          "assert all(e['cat'] == 'timed_0' and e['ts'] >= 0 and e['dur'] >= 0 for e in events)\n"
          "assert {e['tid'] // 8 for e in events} == set(range(blocks))\n"
          "assert all((e['name'] == 'copy') == (e['tid'] % 8 == 1) for e in events)\n"
          "for e in events:\n"
          "  assert names[e['pid'], e['tid'], 'thread_name'] == f\"block {e['tid'] // 8}, thread {e['tid'] % 8}\"\n"
          "  if e['name'] in ('step', 'wait', 'odd'):\n"
          "    outer = 'all \"steps\"' if e['name'] == 'step' else 'step'\n"
          "    assert any(o['tid'] == e['tid'] and o['name'] == outer and o['ts'] - 0.002 <= e['ts'] and\n"
          "               e['ts'] + e['dur'] <= o['ts'] + o['dur'] + 0.002 for o in events), e\n"
          "where = {n for (p, t, k), n in names.items() if k == 'process_name'}\n" +
          (where.is_cpu() ? "assert 'CPU' in where\n" : "assert any(n.startswith('SM ') for n in where), where\n");
      EXPECT_TRUE(is_right(checks, events_so_far));
      // What is open when room ends lasts to the end of its thread: no event is lost that has begun.
      const std::int64_t begun_sums = is_whole ? 1 + 2 * steps + steps / 2 : -1;
      if (begun_sums >= 0)
        events_so_far += static_cast<std::size_t>(copies + blocks * begun_sums);
      else
        events_so_far += static_cast<std::size_t>(copies + blocks * 9);
    });
  }
}

TEST(HopperProfile, AFileThatCannotBeWrittenIsAnError) {
  EXPECT_EQ(message_of([] { tegula::write_trace("/nowhere/trace.json"); }),
            "write_trace: cannot write '/nowhere/trace.json'");
}
