// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cluster while it runs: its blocks, their threads, and what is in flight.

#ifndef TEGULA_RUNTIME_CPU_CLUSTER_H
#define TEGULA_RUNTIME_CPU_CLUSTER_H

#include "cpu/fiber.h"
#include "cpu/operations.h"
#include "cpu/random.h"
#include "cpu/shared_memory.h"
#include "tegula/cpu/explicit/launch.h"
#include "tegula/cpu/explicit/observer.h"

#include <algorithm>
#include <map>

namespace tegula::cpu::detail {

/// "kernels.cpp:12:5".
std::string to_text(const site &where);

/// PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
struct barrier {
  std::string name; ///< For messages: "full", or "full[1]" of several.
  std::int64_t arrivals = 1, missing = 1;
  std::int64_t bytes = 0; ///< That are announced and have not come; less than 0 if they came first.
  std::int64_t phase = 0;
  std::vector<int> cluster_axes = {};
  counts_at where_counted = counts_at::crossing;

  bool has_ended(bool parity) const noexcept { return (phase % 2 != 0) != parity; }
};

/// PTX ISA, barrier.cta.
struct named_barrier {
  std::string name;
  int threads = 1, missing = 1;
  std::int64_t phase = 0;
};

struct block {
  explicit block(std::int64_t shared_bytes) : memory(shared_bytes) {}

  shared_memory memory;
  byte_set incoming; ///< What other blocks wrote to it since a thread of this one's last fence.
  std::vector<barrier> barriers;
  std::vector<named_barrier> named;
  std::vector<std::int64_t> index; ///< In the cluster.
};

/// What all clusters of a launch share: the barrier of all their threads, and how far the launch is.
struct grid_state {
  std::int64_t threads, missing = threads;
  std::int64_t phase = 0;
  std::int64_t steps = 0;    ///< What happened that may end a wait or a poll, counted.
  bool may_be_stuck = false; ///< A thread has polled often enough to ask whether all do.
};

class cluster;

class warpgroup {
public:
  warpgroup(cluster &of, int block_rank, int index, int which_warp = -1)
      : owner(of), block(block_rank), number(index), warp(which_warp), self(*this) {}

  cluster &owner;
  int block, number;
  int warp = -1; ///< Of the thread of this number, or the thread itself.
  thread self;
  std::unique_ptr<fiber> program;
  byte_set unfenced; ///< What it wrote to shared memory since its last fence.
  group open;
  std::deque<group> groups; ///< Committed, and not waited for.
  lane_copies open_copies;
  std::deque<lane_copies> copy_groups; ///< Likewise.
  std::deque<product> products;

  int awaited = -1; ///< The barrier that it waits at, if any.
  bool awaited_parity = false;
  int awaited_named = -1; ///< Likewise, and the phase of it that has to end.
  std::int64_t awaited_phase = 0;
  const std::int32_t *awaited_semaphore = nullptr; ///< Likewise, and what it has to be.
  std::int64_t awaited_value = 0;
  std::int64_t awaited_grid = -1; ///< The phase of the grid's barrier that has to end.
  site awaited_where = {"", 0, 0};
  int polled = -1;                                ///< The barrier that it tested last, before its phase had ended,
  const std::int32_t *polled_semaphore = nullptr; ///< or the semaphore that it read last, and where.
  site polled_where = {"", 0, 0};
  std::int64_t polls = 0; ///< How often it did either since the launch's step `polls_since`.
  std::int64_t polls_since = 0;

  std::vector<std::unique_ptr<warpgroup>> warps; ///< Made when they first run by themselves.
  bool runs_warps = false;
  /// Of each barrier, whether this warp has waited for an odd number of phases by itself; and since its thread's warps
  /// began, whose program counts these.
  std::vector<bool> phases_before, phases_now;

  bool waits() const noexcept {
    return awaited >= 0 || awaited_named >= 0 || awaited_semaphore != nullptr || awaited_grid >= 0;
  }
  /// The parity of the phase to wait for, where the program says this one.
  bool parity_of(int barrier, bool parity) const noexcept {
    const auto i = static_cast<std::size_t>(barrier);
    return parity != (i < phases_before.size() && phases_before[i]);
  }
  void count_phase(int barrier) {
    const auto i = static_cast<std::size_t>(barrier);
    phases_now.resize(std::max(phases_now.size(), i + 1));
    phases_now[i] = !phases_now[i];
  }
  void remember_phases() {
    phases_before.resize(std::max(phases_before.size(), phases_now.size()));
    for (std::size_t i = 0; i < phases_now.size(); ++i)
      phases_before[i] = phases_before[i] != phases_now[i];
    phases_now.clear();
  }
  bool has_running_warps() const noexcept {
    return runs_warps &&
           !std::all_of(warps.begin(), warps.end(), [](const auto &w) { return w->program->has_ended(); });
  }
  /// The others of its block have the same.
  inline std::vector<barrier> &barriers() const noexcept;
  inline named_barrier &named(int barrier) const noexcept;
  inline const grid_state &grid() const noexcept;
  bool can_run() const noexcept {
    return !program->has_ended() && !has_running_warps() &&
           (awaited < 0 || barriers()[static_cast<std::size_t>(awaited)].has_ended(awaited_parity)) &&
           (awaited_named < 0 || named(awaited_named).phase != awaited_phase) &&
           (awaited_semaphore == nullptr || *awaited_semaphore >= awaited_value) &&
           (awaited_grid < 0 || grid().phase != awaited_grid);
  }
};

class cluster {
public:
  cluster(const launch &shape, std::uint64_t seed, observer *watching, grid_state &grid);
  cluster(const cluster &) = delete;
  cluster &operator=(const cluster &) = delete;

  /// Begins the cluster of this number, counted through the grid, in the memory of the one before. The program is there
  /// until its end.
  void start(std::int64_t number, const std::function<void(thread &)> &program);
  /// Lets a thread go on, or something complete. False if all threads wait, and nothing is in flight that could end it.
  bool step();
  bool is_running() const;
  /// Whether every thread has ended, waits, or only polls, and nothing is in flight. If something is, completes some of
  /// it.
  bool is_stuck();
  /// The end of the blocks: their memory goes to others.
  void finish();
  /// Where its threads wait, and what for, each in a line.
  std::string waiting_threads(bool names_cluster) const;
  [[noreturn]] void deadlock() const;
  /// Where the first of them waits.
  site first_wait() const;

  /// Every operation of a thread begins with this: others may go on first, and something may complete.
  void take_turn(warpgroup &);
  /// Before a look at a semaphore, or after a test of a barrier whose phase has not ended, either of which a thread may
  /// repeat again and again: lets another one go on, or something complete.
  void poll(warpgroup &, const site &where, const std::int32_t *semaphore);
  void poll(warpgroup &, const site &where, int barrier);
  void wait_at(warpgroup &, const site &where, int barrier, bool parity);
  void come_to(warpgroup &, const site &where, int named_barrier, bool waits);
  void wait_for(warpgroup &, const site &where, const std::int32_t *semaphore, std::int64_t value);
  void run_warps(warpgroup &, const std::function<void(thread &, std::int64_t)> &body);
  void come_to_grid(warpgroup &, const site &where);
  void tell(event what) const;
  event about(event_kind kind, const warpgroup &who, const site &where) const;
  event about(event_kind kind, const origin &from) const;

  std::int64_t allocate(const warpgroup &who, const site &where, int allocation, std::int64_t bytes);
  void free(const warpgroup &who, const site &where, int allocation);
  barriers allocate_barriers(int allocation, int count, const barrier &like);
  named_barriers allocate_named_barriers(int allocation, int count, const named_barrier &like);
  void arrive(const warpgroup &who, const site &where, int block, int barrier);
  void announce(int block, int barrier, std::int64_t bytes) { blocks[at(block)].barriers[at(barrier)].bytes += bytes; }

  void begin(const load &what) {
    ++grid.steps;
    loads_.push_back(what);
  }
  void begin(send what) {
    ++grid.steps;
    sends_.push_back(std::move(what));
  }
  void begin(std::shared_ptr<store> what) {
    ++grid.steps;
    stores_.push_back(std::move(what));
  }
  void begin(std::shared_ptr<lane_copy> what) {
    ++grid.steps;
    copies_.push_back(std::move(what));
  }
  void complete(lane_copy &);
  void read_source(store &);
  void write_target(store &);
  /// The first product of a thread that is not done.
  void multiply(product &);

  /// The block whose shared memory a place is in; -1 for none.
  int block_of(const std::byte *place) const noexcept;
  /// The blocks that differ from this one along these axes: along any number of them, or along one at most.
  std::vector<int> along(int block, const std::vector<int> &axes, bool one_at_most) const;
  /// Those at which an arrival counts.
  std::vector<int> counting(int block, const barrier &) const;

  std::uint64_t seed() const noexcept { return seed_; }
  static std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

  const launch &shape;
  std::vector<std::int64_t> program_index;
  std::int64_t number = 0, operations = 0;
  std::vector<block> blocks;
  class random random;
  grid_state &grid;

private:
  stack_pool stacks_; // Before the threads, which run on them to their end.

public:
  std::deque<warpgroup> threads;

private:
  void reset(std::int64_t to);
  /// Completes something, or a stage of it. False if nothing is in flight.
  bool complete_something();
  void complete(load);
  void complete(const send &);
  /// Writes to shared memory that a thread has not fenced are not ordered before `write`, a copy's: they come last.
  template <class Write> void before_unfenced(int block, Write write);
  void end_phase_if_complete(int block, int barrier, const origin &from);
  /// Whether this thread has polled many times since something last happened in the launch.
  bool only_polls(const warpgroup &) const noexcept;
  void poll(warpgroup &, const site &where);

  std::uint64_t seed_;
  std::vector<warpgroup *> ready_; ///< In step().
  observer *watching_;
  /// Shared memory of every block, and how often each thread of the cluster has begun and ended its scope.
  struct allocation {
    std::int64_t offset, bytes;
    std::vector<int> begun = {}, ended = {};
  };
  /// Whether a place of the block's memory is in the allocation.
  bool holds(const allocation &, int block, const region &place) const noexcept;
  /// Completes what reads the allocation; nothing may be in flight that writes it.
  void finish_uses(const allocation &, int block, const site &where);
  std::size_t place_of(const warpgroup &w) const noexcept { return at(w.block * shape.threads + w.number); }

  std::map<int, allocation> allocations_;
  std::map<int, barriers> barrier_allocations_;
  std::map<int, named_barriers> named_allocations_;
  std::int64_t allocated_ = 0;
  std::vector<load> loads_;
  std::vector<send> sends_;
  std::vector<std::shared_ptr<store>> stores_;
  lane_copies copies_;
  /// Times in 16 that an operation of a thread lets others go on, or something complete.
  int eagerness_to_switch_ = 0, eagerness_to_complete_ = 0;
};

inline std::vector<barrier> &warpgroup::barriers() const noexcept {
  return owner.blocks[static_cast<std::size_t>(block)].barriers;
}
inline named_barrier &warpgroup::named(int barrier) const noexcept {
  return owner.blocks[static_cast<std::size_t>(block)].named[static_cast<std::size_t>(barrier)];
}

inline const grid_state &warpgroup::grid() const noexcept { return owner.grid; }

} // namespace tegula::cpu::detail

#endif // TEGULA_RUNTIME_CPU_CLUSTER_H
