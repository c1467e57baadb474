// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu/cluster.h"

#include "cpu/product.h"
#include "cpu/transfer.h"

#include <algorithm>
#include <utility>

namespace tegula::cpu::detail {

/// The index at which the last axis runs fastest.
static std::vector<std::int64_t> index_of(std::int64_t number, const std::vector<std::int64_t> &sizes) {
  std::vector<std::int64_t> index(sizes.size());
  for (std::size_t axis = sizes.size(); axis-- > 0;) {
    index[axis] = number % sizes[axis];
    number /= sizes[axis];
  }
  return index;
}

/// Calls it for each thread, and for each of its warps that run by themselves.
template <class Threads, class Function> static void for_each_runner(Threads &threads, Function function) {
  for (auto &w : threads) {
    function(w);
    if (w.runs_warps)
      for (auto &warp : w.warps)
        function(*warp);
  }
}

cluster::cluster(const launch &of, std::uint64_t with_seed, observer *watched_by, grid_state &of_launch)
    : shape(of), random(0, 0), grid(of_launch), seed_(with_seed), watching_(watched_by) {
  std::int64_t count = 1;
  for (std::int64_t size : shape.cluster)
    count *= size;
  blocks.reserve(static_cast<std::size_t>(count));
  for (int rank = 0; rank < static_cast<int>(count); ++rank) {
    blocks.emplace_back(shape.shared_bytes);
    blocks[at(rank)].index = index_of(rank, shape.cluster);
    for (int i = 0; i < shape.threads; ++i)
      threads.emplace_back(*this, rank, i);
  }
}

void cluster::reset(std::int64_t to) {
  number = to;
  program_index = index_of(number, shape.grid);
  operations = 0;
  allocations_.clear();
  barrier_allocations_.clear();
  named_allocations_.clear();
  allocated_ = 0;
  random = detail::random(seed_, static_cast<std::uint64_t>(number));
  // Some clusters run as late as can be, others early: both find errors.
  constexpr int completions[] = {0, 0, 0, 1, 4, 12}, switches[] = {1, 4, 12};
  eagerness_to_complete_ = completions[random.below(std::size(completions))];
  eagerness_to_switch_ = switches[random.below(std::size(switches))];
  for (block &b : blocks) {
    b.barriers.clear();
    b.named.clear();
  }
}

// ----- running

void cluster::start(std::int64_t which, const std::function<void(thread &)> &program) {
  reset(which);
  for (warpgroup &w : threads)
    w.program = std::make_unique<fiber>(stacks_, [this, &w, &program] {
      const site begin = {"", 0, 0};
      tell(about(event_kind::thread_begin, w, begin));
      program(w.self);
      ++grid.steps;
      tell(about(event_kind::thread_end, w, begin));
    });
}

bool cluster::is_running() const {
  return std::any_of(threads.begin(), threads.end(), [](const warpgroup &w) { return !w.program->has_ended(); });
}

bool cluster::step() {
  ready_.clear();
  for_each_runner(threads, [this](warpgroup &w) {
    if (w.can_run())
      ready_.push_back(&w);
  });
  if (ready_.empty())
    return complete_something();
  ready_[random.below(ready_.size())]->program->resume();
  return true;
}

void cluster::finish() {
  if (!loads_.empty())
    fail(loads_.front().from.where, "this copy to shared memory is still in flight at the end of its CTA: the memory "
                                    "then belongs to another CTA, so wait at the copy's barrier");
  if (!sends_.empty())
    fail(sends_.front().from.where,
         "this store to shared memory is still in flight at the end of its CTA: the memory then belongs to another "
         "CTA, so let the CTA that it stores to wait at the barrier");
  while (!copies_.empty())
    complete(*std::shared_ptr<lane_copy>(copies_.back()));
  for (warpgroup &w : threads) {
    for (product &p : w.products)
      multiply(p);
    w.products.clear();
    w.copy_groups.clear();
    w.open_copies.clear();
    w.groups.clear();
    w.open.clear();
    w.unfenced.clear();
    w.warps.clear();
    w.program.reset();
  }
  for (block &b : blocks) {
    b.memory.poison(0, allocated_);
    b.incoming.clear();
  }
  while (complete_something()) {
  }
}

void cluster::take_turn(warpgroup &w) {
  if (random.happens(eagerness_to_complete_))
    complete_something();
  if (random.happens(eagerness_to_switch_))
    w.program->pause();
}

bool cluster::only_polls(const warpgroup &w) const noexcept {
  const std::int64_t many = std::max<std::int64_t>(1000, (1 << 16) / grid.threads);
  return w.polls_since == grid.steps && w.polls >= many;
}

bool cluster::is_stuck() {
  bool are_over = true;
  for_each_runner(threads, [&](const warpgroup &w) { are_over = are_over && (!w.can_run() || only_polls(w)); });
  return are_over && !complete_something();
}

void cluster::poll(warpgroup &w, const site &where, const std::int32_t *semaphore) {
  w.polled = -1;
  w.polled_semaphore = semaphore;
  poll(w, where);
}

void cluster::poll(warpgroup &w, const site &where, int barrier) {
  w.polled = barrier;
  w.polled_semaphore = nullptr;
  poll(w, where);
}

void cluster::poll(warpgroup &w, const site &where) {
  w.polled_where = where;
  if (std::exchange(w.polls_since, grid.steps) != grid.steps)
    w.polls = 0;
  ++w.polls;
  if (random.happens(8))
    complete_something();
  grid.may_be_stuck |= only_polls(w);
  w.program->pause();
}

void cluster::come_to(warpgroup &w, const site &where, int barrier, bool waits) {
  named_barrier &b = w.named(barrier);
  const std::int64_t phase = b.phase;
  ++grid.steps;
  if (--b.missing == 0) {
    ++b.phase;
    b.missing = b.threads;
  }
  if (!waits)
    return;
  w.awaited_named = barrier;
  w.awaited_phase = phase;
  w.awaited_where = where;
  while (!w.can_run())
    w.program->pause();
  w.awaited_named = -1;
}

void cluster::wait_at(warpgroup &w, const site &where, int barrier, bool parity) {
  ++grid.steps;
  w.awaited = barrier;
  w.awaited_parity = parity;
  w.awaited_where = where;
  while (!w.can_run())
    w.program->pause();
  w.awaited = -1;
}

void cluster::wait_for(warpgroup &w, const site &where, const std::int32_t *semaphore, std::int64_t value) {
  w.awaited_semaphore = semaphore;
  w.awaited_value = value;
  w.awaited_where = where;
  while (!w.can_run())
    w.program->pause();
  w.awaited_semaphore = nullptr;
  ++grid.steps;
}

/// A warp has the groups of copies that its lanes have committed, the first one those of its thread.
void cluster::run_warps(warpgroup &w, const std::function<void(thread &, std::int64_t)> &body) {
  take_turn(w);
  for (int i = static_cast<int>(w.warps.size()); i < warps_of_thread; ++i)
    w.warps.push_back(std::make_unique<warpgroup>(*this, w.block, w.number, i));
  const auto exchange_groups = [&w] {
    std::swap(w.groups, w.warps[0]->groups);
    std::swap(w.open, w.warps[0]->open);
  };
  exchange_groups();
  for (const auto &warp : w.warps)
    warp->program = std::make_unique<fiber>(stacks_, [this, &body, &one = *warp] {
      body(one.self, one.warp);
      ++grid.steps;
    });
  w.runs_warps = true;
  while (!w.can_run())
    w.program->pause();
  w.runs_warps = false;
  exchange_groups();
  for (const auto &warp : w.warps) {
    warp->unfenced.for_each_run([&](std::int64_t offset, std::int64_t count) { w.unfenced.add(offset, count); });
    warp->unfenced.clear();
    warp->remember_phases();
  }
}

void cluster::come_to_grid(warpgroup &w, const site &where) {
  ++grid.steps;
  w.awaited_grid = grid.phase;
  w.awaited_where = where;
  if (--grid.missing == 0) {
    ++grid.phase;
    grid.missing = grid.threads;
  }
  while (!w.can_run())
    w.program->pause();
  w.awaited_grid = -1;
}

/// "warpgroup 1 of CTA 0".
static std::string name_of(const warpgroup &w, bool has_blocks) {
  return (w.warp < 0 ? "" : "warp " + std::to_string(w.warp) + " of ") + "warpgroup " + std::to_string(w.number) +
         (has_blocks ? " of CTA " + std::to_string(w.block) : "");
}

/// What a phase of a barrier still lacks.
static std::string missing_of(const barrier &b) {
  std::string lacks, more;
  if (b.missing > 0)
    lacks = std::to_string(b.missing) + " of " + std::to_string(b.arrivals) + " arrivals";
  if (b.bytes > 0)
    lacks += (lacks.empty() ? "" : " and ") + std::to_string(b.bytes) + " bytes of copies";
  if (b.bytes < 0) // A multicast of another block's threads.
    more = "has " + std::to_string(-b.bytes) + " bytes of copies that its own CTA never began";
  return (lacks.empty() ? "" : "lacks " + lacks) + (lacks.empty() || more.empty() ? "" : " and ") + more;
}

/// Where a thread waits, or polls.
static const site &place_of_wait(const warpgroup &w) { return w.waits() ? w.awaited_where : w.polled_where; }

/// Whether it has not ended; a thread whose warps run waits for nothing else.
static bool waits_itself(const warpgroup &w) { return !w.program->has_ended() && !w.has_running_warps(); }

site cluster::first_wait() const {
  const warpgroup *first = nullptr;
  for_each_runner(threads, [&](const warpgroup &w) {
    if (first == nullptr && waits_itself(w))
      first = &w;
  });
  return place_of_wait(*first);
}

std::string cluster::waiting_threads(bool names_cluster) const {
  std::string waiting;
  for_each_runner(threads, [&](const warpgroup &w) {
    if (!waits_itself(w))
      return;
    waiting += "\n  " + to_text(place_of_wait(w)) + ": " + name_of(w, blocks.size() > 1) +
               (names_cluster ? " of cluster " + std::to_string(number) : "");
    if (!w.waits() && w.polled_semaphore != nullptr) {
      waiting += " polls a semaphore, which is " + std::to_string(*w.polled_semaphore);
      return;
    }
    waiting += w.waits() ? " waits " : " tests ";
    if (w.awaited_semaphore != nullptr) {
      waiting += "until a semaphore is " + std::to_string(w.awaited_value) + ", which is " +
                 std::to_string(*w.awaited_semaphore);
    } else if (w.awaited_grid >= 0) {
      waiting += "at the barrier of the grid for " + std::to_string(grid.missing) + " of " +
                 std::to_string(grid.threads) + " warpgroups";
    } else if (w.awaited_named >= 0) {
      const named_barrier &b = w.named(w.awaited_named);
      waiting += "at the named barrier '" + b.name + "' for " + std::to_string(b.missing) + " of " +
                 std::to_string(b.threads) + " warpgroups";
    } else {
      const barrier &b = w.barriers()[at(w.waits() ? w.awaited : w.polled)];
      waiting += "for phase " + std::to_string(b.phase) + " of barrier '" + b.name + "', which " + missing_of(b);
    }
  });
  return waiting;
}

void cluster::deadlock() const {
  fail(first_wait(),
       "deadlock in cluster " + std::to_string(number) +
           ": warpgroups wait, and nothing in flight can end a wait:" + waiting_threads(/*names_cluster=*/false));
}

// ----- memory and barriers

std::int64_t cluster::allocate(const warpgroup &who, const site &where, int number_of, std::int64_t bytes) {
  const auto [known, is_new] = allocations_.try_emplace(number_of, allocation{allocated_, bytes});
  allocation &made = known->second;
  if (is_new) {
    if (bytes > shape.shared_bytes - allocated_)
      fail(where, "internal error: the shared memory of the block is larger than " +
                      std::to_string(shape.shared_bytes) + " bytes");
    constexpr std::int64_t alignment = 128; // As TMA wants it.
    allocated_ += std::min((bytes + alignment - 1) / alignment * alignment, shape.shared_bytes - allocated_);
    made.begun.resize(threads.size());
    made.ended.resize(threads.size());
    for (block &b : blocks)
      b.memory.poison(made.offset, bytes);
  }
  ++made.begun[place_of(who)];
  return made.offset;
}

void cluster::free(const warpgroup &who, const site &where, int number_of) {
  allocation &ended = allocations_.at(number_of);
  const int times = ++ended.ended[place_of(who)];
  // The last one of the block, if none has begun it again: a thread of another block may already copy into this one.
  for (const warpgroup &w : threads)
    if (ended.begun[place_of(w)] > times || (w.block == who.block && ended.ended[place_of(w)] != times))
      return;
  finish_uses(ended, who.block, where);
  blocks[at(who.block)].memory.poison(ended.offset, ended.bytes);
}

bool cluster::holds(const allocation &of, int block, const region &place) const noexcept {
  const shared_memory &memory = blocks[at(block)].memory;
  const std::int64_t offset = memory.contains(place.data) ? memory.offset_of(place.data) : -1;
  return offset >= of.offset && offset < of.offset + of.bytes;
}

void cluster::finish_uses(const allocation &of, int block, const site &where) {
  for (const load &l : loads_)
    if (l.block == block && holds(of, l.from.block, l.target))
      fail(l.from.where, "this copy to shared memory is still in flight at the end of the scope of its target, " +
                             to_text(where) + ": the memory may then be reused, so wait at the copy's barrier");
  for (const send &s : sends_)
    if (s.block == block && holds(of, block, s.target))
      fail(s.from.where, "this store to shared memory is still in flight at the end of the scope of its target, " +
                             to_text(where) + ": the memory may then be reused, so wait at the store's barrier");
  for (const std::shared_ptr<lane_copy> &c : copies_)
    if (c->from.block == block && holds(of, block, c->target))
      fail(c->from.where, "this copy to shared memory is still in flight at the end of the scope of its target, " +
                              to_text(where) + ": the memory may then be reused, so wait by cp_async_wait");
  const std::vector<std::shared_ptr<store>> pending = stores_;
  for (const std::shared_ptr<store> &s : pending)
    if (s->from.block == block && holds(of, block, s->source))
      read_source(*s);
  for (warpgroup &w : threads) {
    if (w.block != block)
      continue;
    std::size_t count = 0; // They complete in order.
    for (std::size_t i = 0; i < w.products.size(); ++i)
      if (holds(of, block, w.products[i].b) || holds(of, block, w.products[i].a))
        count = i + 1;
    for (std::size_t i = 0; i < count; ++i)
      multiply(w.products[i]);
  }
}

barriers cluster::allocate_barriers(int allocation, int count, const barrier &like) {
  const barriers fresh = {static_cast<int>(blocks[0].barriers.size()), count};
  const auto [known, is_new] = barrier_allocations_.try_emplace(allocation, fresh);
  if (is_new) // In all blocks: an arrival may come from another one before this one's threads are here.
    for (block &b : blocks)
      for (int i = 0; i < count; ++i) {
        b.barriers.push_back(like);
        if (count > 1)
          b.barriers.back().name += "[" + std::to_string(i) + "]";
      }
  return known->second;
}

named_barriers cluster::allocate_named_barriers(int allocation, int count, const named_barrier &like) {
  const named_barriers fresh = {static_cast<int>(blocks[0].named.size()), count};
  const auto [known, is_new] = named_allocations_.try_emplace(allocation, fresh);
  if (is_new)
    for (block &b : blocks)
      for (int i = 0; i < count; ++i) {
        b.named.push_back(like);
        if (count > 1)
          b.named.back().name += "[" + std::to_string(i) + "]";
      }
  return known->second;
}

void cluster::arrive(const warpgroup &who, const site &where, int block, int barrier) {
  detail::barrier &b = blocks[at(block)].barriers[at(barrier)];
  if (b.missing == 0)
    fail(where, "one arrival more than the " + std::to_string(b.arrivals) + " that phase " + std::to_string(b.phase) +
                    " of barrier '" + b.name + "'" + (blocks.size() > 1 ? " of CTA " + std::to_string(block) : "") +
                    " takes: " + std::to_string(b.bytes) +
                    " bytes of copies must arrive before the next phase; wait for it first");
  --b.missing;
  ++grid.steps;
  event arrival = about(event_kind::arrive, who, where);
  arrival.target = block;
  arrival.barrier = barrier;
  tell(arrival);
  end_phase_if_complete(block, barrier, {where, who.block, who.number, -1});
}

void cluster::end_phase_if_complete(int block, int barrier, const origin &from) {
  detail::barrier &b = blocks[at(block)].barriers[at(barrier)];
  if (b.missing != 0 || b.bytes != 0)
    return;
  event end = about(event_kind::phase_end, from);
  end.target = block;
  end.barrier = barrier;
  end.number = b.phase;
  ++b.phase;
  b.missing = b.arrivals;
  tell(end);
}

int cluster::block_of(const std::byte *place) const noexcept {
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i].memory.contains(place))
      return static_cast<int>(i);
  return -1;
}

std::vector<int> cluster::along(int block, const std::vector<int> &axes, bool one_at_most) const {
  std::vector<int> result;
  const std::vector<std::int64_t> &own = blocks[at(block)].index;
  for (int rank = 0; rank < static_cast<int>(blocks.size()); ++rank) {
    int differing = 0;
    bool is_along = true;
    for (int axis = 0; axis < static_cast<int>(own.size()); ++axis) {
      const bool differs = blocks[at(rank)].index[at(axis)] != own[at(axis)];
      differing += differs;
      is_along &= !differs || std::find(axes.begin(), axes.end(), axis) != axes.end();
    }
    if (is_along && (!one_at_most || differing <= 1))
      result.push_back(rank);
  }
  return result;
}

std::vector<int> cluster::counting(int block, const barrier &of) const {
  std::vector<int> result = along(block, of.cluster_axes, of.where_counted != counts_at::all);
  if (of.where_counted == counts_at::leader)
    result.resize(1); // Ranks ascend along the axis.
  return result;
}

// ----- what is in flight

bool cluster::complete_something() {
  std::vector<product *> products; // Those of one thread complete in order.
  for (warpgroup &w : threads) {
    const auto next = std::find_if(w.products.begin(), w.products.end(), [](const product &p) { return !p.is_done; });
    if (next != w.products.end())
      products.push_back(&*next);
  }
  const std::size_t count = loads_.size() + sends_.size() + stores_.size() + copies_.size() + products.size();
  if (count == 0)
    return false;
  ++grid.steps;
  std::size_t chosen = random.below(count);
  if (chosen < loads_.size()) {
    std::swap(loads_[chosen], loads_.back());
    const load what = loads_.back();
    loads_.pop_back();
    complete(what);
    return true;
  }
  chosen -= loads_.size();
  if (chosen < sends_.size()) {
    std::swap(sends_[chosen], sends_.back());
    const send what = std::move(sends_.back());
    sends_.pop_back();
    complete(what);
    return true;
  }
  chosen -= sends_.size();
  if (chosen < stores_.size()) {
    const std::shared_ptr<store> what = stores_[chosen];
    what->is_read ? write_target(*what) : read_source(*what);
    return true;
  }
  chosen -= stores_.size();
  if (chosen < copies_.size()) {
    const std::shared_ptr<lane_copy> what = copies_[chosen];
    complete(*what);
    return true;
  }
  multiply(*products[chosen - copies_.size()]);
  return true;
}

template <class Write> void cluster::before_unfenced(int block, Write write) {
  shared_memory &memory = blocks[at(block)].memory;
  std::vector<std::byte> held;
  for_each_runner(threads, [&](const warpgroup &w) {
    if (w.block == block && !w.unfenced.is_empty())
      w.unfenced.for_each_run([&](std::int64_t offset, std::int64_t count) {
        held.insert(held.end(), memory.at(offset), memory.at(offset) + count);
      });
  });
  write();
  const std::byte *next = held.data();
  for_each_runner(threads, [&](const warpgroup &w) {
    if (w.block == block && !w.unfenced.is_empty())
      w.unfenced.for_each_run([&](std::int64_t offset, std::int64_t count) {
        std::copy_n(next, count, memory.at(offset));
        next += count;
      });
  });
}

void cluster::complete(load what) {
  shared_memory &own = blocks[at(what.from.block)].memory, &theirs = blocks[at(what.block)].memory;
  const std::int64_t size = (what.end - what.begin) * what.source.array.element_size();
  std::vector<std::byte> held(static_cast<std::size_t>(size));
  gather(what.source, what.begin, what.end, held.data(), what.fill);
  const region target = own.in(what.target, theirs);
  before_unfenced(what.block, [&] { // Who waits for the copy sees it without a fence.
    scatter(held.data(), what.begin, what.end, theirs.as_async(target));
    scatter(held.data(), what.begin, what.end, target);
  });
  event end = about(event_kind::load_end, what.from);
  end.target = what.block;
  end.barrier = what.barrier;
  end.memory = &target;
  end.array = &what.source;
  tell(end);
  announce(what.block, what.barrier, -size);
  end_phase_if_complete(what.block, what.barrier, what.from);
}

/// As if another block had written it: threads see it, and copies and products after a fence.
void cluster::complete(const send &what) {
  if (what.reduction == copy_reduction::none)
    scatter(what.held.data(), 0, what.target.size(), what.target);
  else
    combine(what.held.data(), what.target, what.reduction);
  block &there = blocks[at(what.block)];
  there.memory.add_to(there.incoming, what.target);
  event end = about(event_kind::send_end, what.from);
  end.target = what.block;
  end.barrier = what.barrier;
  end.memory = &what.target;
  tell(end);
  announce(what.block, what.barrier, -what.target.bytes());
  end_phase_if_complete(what.block, what.barrier, what.from);
}

/// As if the thread had written it: products of other units see it after a fence.
void cluster::complete(lane_copy &what) {
  if (what.is_done)
    return;
  std::vector<std::byte> held(static_cast<std::size_t>(what.target.bytes()));
  gather(what.source, 0, what.target.size(), held.data());
  scatter(held.data(), 0, what.target.size(), what.target);
  for (warpgroup &w : threads)
    if (w.block == what.from.block && w.number == what.from.thread)
      blocks[at(w.block)].memory.add_to(w.unfenced, what.target);
  what.is_done = true;
  event end = about(event_kind::copy_end, what.from);
  end.memory = &what.target;
  end.array = &what.source;
  tell(end);
  copies_.erase(std::find_if(copies_.begin(), copies_.end(), [&](const auto &c) { return c.get() == &what; }));
}

void cluster::read_source(store &what) {
  if (what.is_read)
    return;
  const region source = blocks[at(what.from.block)].memory.as_async(what.source);
  what.held.resize(static_cast<std::size_t>(source.bytes()));
  gather(source, 0, source.size(), what.held.data());
  what.is_read = true;
  event read = about(event_kind::store_read, what.from);
  read.memory = &what.source;
  tell(read);
}

void cluster::write_target(store &what) {
  if (what.is_written)
    return;
  read_source(what);
  if (what.reduction == copy_reduction::none)
    scatter(what.held.data(), 0, size_of(what.target), what.target);
  else
    combine(what.held.data(), what.target, what.reduction);
  what.is_written = true;
  event end = about(event_kind::store_end, what.from);
  end.array = &what.target;
  tell(end);
  stores_.erase(std::find_if(stores_.begin(), stores_.end(), [&](const auto &s) { return s.get() == &what; }));
}

void cluster::multiply(product &what) {
  if (what.is_done)
    return;
  const shared_memory &memory = blocks[at(what.from.block)].memory;
  accumulation &sum = *what.sum;
  const part &changed = what.changed;
  if (what.before != what.sum)
    std::copy_n(what.before->values.get(), sum.bytes(), sum.values.get());
  if (!what.accumulates)
    for (std::int64_t i = 0; i < changed.rows; ++i)
      std::fill_n(sum.values.get() + offset_of(sum, changed.row + i, changed.column),
                  static_cast<std::size_t>(changed.columns) * size_of(sum.type), std::byte{0});
  detail::multiply(what.a_in_registers ? what.a : memory.as_async(what.a), memory.as_async(what.b), sum, changed.row,
                   changed.column);
  what.is_done = true;
  tell(about(event_kind::product_end, what.from));
}

// ----- what observers see

event cluster::about(event_kind kind, const warpgroup &who, const site &where) const {
  return {kind, number, who.block, who.number, where};
}

event cluster::about(event_kind kind, const origin &from) const {
  return {kind, number, from.block, from.thread, from.where, from.number};
}

void cluster::tell(event what) const {
  if (watching_ != nullptr)
    watching_->on(what);
}

} // namespace tegula::cpu::detail
