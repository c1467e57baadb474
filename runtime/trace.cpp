// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timelines in the Trace Event Format, which ui.perfetto.dev and chrome://tracing read.

#include "trace.h"

#include "tegula/number.h"
#include "tegula/runtime.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <vector>

namespace tegula {

namespace {

/// A track: a thread of a block, or a warp of one, on a multiprocessor. The CPU is multiprocessor -1; the warp of a
/// thread as a whole is -1.
struct track {
  std::int64_t multiprocessor, block;
  int thread, warp;
  bool operator<(const track &other) const noexcept {
    return std::tie(multiprocessor, block, thread, warp) <
           std::tie(other.multiprocessor, other.block, other.thread, other.warp);
  }
  std::string name() const {
    return "block " + std::to_string(block) + ", thread " + std::to_string(thread) +
           (warp < 0 ? "" : ", warp " + std::to_string(warp));
  }
};

struct event {
  std::string name, launch;
  track where;
  double begin, end; // In nanoseconds.
};

struct timeline {
  std::mutex lock;
  std::vector<event> events;
  std::int64_t dropped = 0;
  std::int64_t origins[2] = {-1, -1}; ///< When the first launch on GPUs began, and on the CPU, whose clocks differ.
  std::string path_at_exit;           ///< The environment's, when it was seen first: the program may change it.
};

/// Never destroyed: it is written at exit.
timeline &all() {
  static auto *const made = new timeline;
  return *made;
}

/// From cycles of a multiprocessor to nanoseconds since the first launch. Times since 1970 would be too large for a
/// double: they are subtracted as integers.
class clock_rate {
public:
  /// All threads have read time and clock together, twice. The time is coarse, so that one pair says little: the rate
  /// is that of all of them, and when a multiprocessor's clock stood where it is counted from is the average of its
  /// own.
  clock_rate(const runtime::trace_rows &rows, std::int64_t origin) {
    using namespace trace;
    const std::int64_t *const end = rows.first + rows.count * rows.width;
    const std::int64_t step = rows.of_thread * rows.width;
    double times = 0, clocks = 0;
    for (const std::int64_t *row = rows.first; row != end; row += step) {
      times += static_cast<double>(row[end_time] - row[begin_time]);
      clocks += static_cast<double>(row[end_clock] - row[begin_clock]);
    }
    if (times > 0 && clocks > 0)
      scale_ = times / clocks;
    for (const std::int64_t *row = rows.first; row != end; row += step) {
      if (row[begin_time] == 0) // Blocks that take steps by themselves are fewer than the grid has.
        continue;
      for (const auto &[time, clock] :
           {std::pair{row[begin_time], row[begin_clock]}, {row[end_time], row[end_clock]}}) {
        counter &of = counters_.try_emplace(row[multiprocessor], counter{clock}).first->second;
        const double start = static_cast<double>(time - origin) - static_cast<double>(clock - of.first) * scale_;
        of.start += (start - of.start) / ++of.pairs;
      }
    }
  }
  double time_of(std::int64_t multiprocessor, std::int64_t clock) const {
    const counter &of = counters_.at(multiprocessor);
    return of.start + static_cast<double>(clock - of.first) * scale_;
  }

private:
  struct counter {
    std::int64_t first; ///< It is counted from here,
    double start = 0;   ///< when so many nanoseconds had passed:
    int pairs = 0;      ///< an average.
  };
  double scale_ = 1;
  std::map<std::int64_t, counter> counters_;
};

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text) {
    char escaped[8];
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      result += (std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c)), escaped);
    else
      result += c;
  }
  return result + "\"";
}

constexpr int most_threads = 8; // Of a block.

/// "pid":12,"tid":40
std::string ids_of(const track &of) {
  return "\"pid\":" + std::to_string(of.multiprocessor + 1) +
         ",\"tid\":" + std::to_string((of.block * most_threads + of.thread) * trace::rows_with_warps + of.warp + 1);
}

void write_name(std::FILE *file, const char *what, const track &of, const std::string &name) {
  std::fprintf(file, "{\"ph\":\"M\",\"name\":\"%s\",%s,\"args\":{\"name\":%s}},\n", what, ids_of(of).c_str(),
               quoted(name).c_str());
}

bool write(std::FILE *file, const timeline &of) {
  double first = of.events.empty() ? 0 : of.events.front().begin;
  std::map<std::int64_t, track> multiprocessors;
  std::set<track> tracks;
  for (const event &each : of.events) {
    first = std::min(first, each.begin);
    multiprocessors.emplace(each.where.multiprocessor, each.where);
    tracks.insert(each.where);
  }
  std::fprintf(file, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"dropped_events\":\"%lld\"},\"traceEvents\":[\n",
               static_cast<long long>(of.dropped));
  for (const auto &[number, where] : multiprocessors)
    write_name(file, "process_name", where, number < 0 ? "CPU" : "SM " + std::to_string(number));
  for (const track &where : tracks)
    write_name(file, "thread_name", where, where.name());
  const char *separator = "";
  for (const event &each : of.events) {
    std::fprintf(file, "%s{\"ph\":\"X\",\"name\":%s,\"cat\":%s,%s,\"ts\":%s,\"dur\":%s}", separator,
                 quoted(each.name).c_str(), quoted(each.launch).c_str(), ids_of(each.where).c_str(),
                 detail::number_text("%.3f", (each.begin - first) / 1000).c_str(),
                 detail::number_text("%.3f", (each.end - each.begin) / 1000).c_str());
    separator = ",\n";
  }
  std::fprintf(file, "\n]}\n");
  return std::ferror(file) == 0;
}

void write_at_exit() {
  try {
    write_trace(all().path_at_exit);
  } catch (const error &problem) {
    std::fprintf(stderr, "%s\n", problem.what());
  }
}

} // namespace

void runtime::keep_trace(const char *launch, const trace_rows &rows, std::initializer_list<const char *> scopes,
                         int threads_of_block, bool is_cpu) {
  using namespace trace;
  const std::int64_t room = (rows.width - words) / words_of_event;
  timeline &into = all();
  const std::lock_guard<std::mutex> lock(into.lock);
  std::int64_t &origin = into.origins[is_cpu ? 1 : 0];
  if (origin < 0)
    origin = rows.first[begin_time];
  const clock_rate rate(rows, origin);
  for (std::int64_t i = 0; i < rows.count; ++i) {
    const std::int64_t thread = i / rows.of_thread, warp = i % rows.of_thread - 1;
    const std::int64_t *const row = rows.first + i * rows.width, there = std::min(row[count], room);
    const std::int64_t *const head = rows.first + thread * rows.of_thread * rows.width;
    const track where{is_cpu ? -1 : head[multiprocessor], thread / threads_of_block,
                      static_cast<int>(thread % threads_of_block), static_cast<int>(warp)};
    const auto time = [&](std::int64_t clock) { return rate.time_of(head[multiprocessor], clock); };
    std::vector<std::pair<std::int64_t, double>> open; // Scopes and when they began.
    const auto close = [&](double end) {
      into.events.push_back({scopes.begin()[open.back().first], launch, where, open.back().second, end});
      open.pop_back();
    };
    for (std::int64_t number = 0; number < there; ++number) {
      const std::int64_t *const noted = row + words + number * words_of_event;
      if (noted[0] % 2 == 0)
        open.emplace_back(noted[0] / 2, time(noted[1]));
      else if (!open.empty())
        close(time(noted[1]));
    }
    while (!open.empty()) // Their ends had no room: they lasted as long as the thread, at most.
      close(time(head[end_clock]));
    into.dropped += row[count] - there;
  }
  if (const char *path = std::getenv("TEGULA_TRACE"); path != nullptr && path[0] != '\0' && into.path_at_exit.empty()) {
    into.path_at_exit = path;
    std::atexit(write_at_exit);
  }
}

void write_trace(const std::string &path) {
  timeline &of = all();
  const std::lock_guard<std::mutex> lock(of.lock);
  std::FILE *const file = std::fopen(path.c_str(), "w");
  const bool is_written = file != nullptr && write(file, of);
  if (file == nullptr || std::fclose(file) != 0 || !is_written)
    throw error("write_trace: cannot write '" + path + "'");
}

} // namespace tegula
