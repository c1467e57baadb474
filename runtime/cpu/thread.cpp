// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread can do: what is issued at once, and what is left to complete later.
#include "cpu/cluster.h"
#include "cpu/product.h"
#include "cpu/transfer.h"
#include "tegula/trace.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>

namespace tegula::cpu {

using namespace detail;

static std::size_t at(int i) { return static_cast<std::size_t>(i); }

// ----- where it stands

std::int64_t thread::index() const noexcept { return self_.number; }
std::int64_t thread::program(int axis) const noexcept { return self_.owner.program_index[at(axis)]; }
std::int64_t thread::programs(int axis) const noexcept { return self_.owner.shape.grid[at(axis)]; }
std::int64_t thread::cluster_index(int axis) const noexcept {
  return self_.owner.blocks[at(self_.block)].index[at(axis)];
}
std::int64_t thread::cluster_rank() const noexcept { return self_.block; }
std::int64_t thread::cluster_id() const noexcept { return self_.owner.number; }

static int barrier_at(const site &where, barriers of, std::int64_t index) {
  if (index < 0 || index >= of.count)
    fail(where, "barrier " + std::to_string(index) + " is out of bounds: there are " + std::to_string(of.count));
  return of.first + static_cast<int>(index);
}

// ----- shared memory

static shared_memory &memory_of(const warpgroup &w) { return w.owner.blocks[at(w.block)].memory; }

/// Copies and products take shared memory of their own block.
static void check_shared(const warpgroup &w, const site &where, const region &place) {
  if (!memory_of(w).contains(place.data))
    fail(where, "internal error: this place is not in the shared memory of the block");
}

void *thread::allocate(const site &where, int number, std::int64_t bytes) {
  return memory_of(self_).at(self_.owner.allocate(self_, where, number, bytes));
}

void thread::free(const site &where, int number) { self_.owner.free(self_, where, number); }

void thread::access(const site &where, const region &place, access_kind kind) {
  self_.owner.take_turn(self_);
  const bool is_write = kind != access_kind::read;
  event what = self_.owner.about(kind == access_kind::read    ? event_kind::read
                                 : kind == access_kind::write ? event_kind::write
                                                              : event_kind::update,
                                 self_, where);
  what.memory = &place;
  self_.owner.tell(what);
  if (!is_write)
    return;
  ++self_.owner.grid.steps;
  const int block = self_.owner.block_of(place.data);
  if (block < 0)
    return;
  detail::block &there = self_.owner.blocks[at(block)];
  there.memory.add_to(block == self_.block ? self_.unfenced : there.incoming, place);
}

std::byte *thread::in_block(const site &where, std::byte *place, int axis, std::int64_t index) {
  const cluster &owner = self_.owner;
  if (index < 0 || index >= owner.shape.cluster[at(axis)])
    fail(where, "CTA " + std::to_string(index) + " is out of bounds: there are " +
                    std::to_string(owner.shape.cluster[at(axis)]) + " along this axis of the cluster");
  region own;
  own.data = place;
  check_shared(self_, where, own);
  for (int block : owner.along(self_.block, {axis}, /*one_at_most=*/true))
    if (owner.blocks[at(block)].index[at(axis)] == index)
      return self_.owner.blocks[at(block)].memory.at(memory_of(self_).offset_of(place));
  return nullptr;
}

void thread::send(const site &where, const region &value, const region &target, barriers of, std::int64_t index,
                  copy_reduction reduction) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  const int block = owner.block_of(target.data), barrier = barrier_at(where, of, index);
  if (block < 0)
    fail(where, "internal error: this place is not in the shared memory of a block");
  const origin from = {where, self_.block, self_.number, owner.operations++};
  event what = owner.about(event_kind::send_begin, from);
  what.target = block;
  what.barrier = barrier;
  what.memory = &target;
  owner.tell(what);
  std::vector<std::byte> held(static_cast<std::size_t>(value.bytes()));
  gather(value, 0, value.size(), held.data());
  owner.begin(detail::send{from, target, reduction, block, barrier, std::move(held)});
  owner.announce(block, barrier, target.bytes());
  owner.arrive(self_, where, block, barrier);
}

void thread::fence_shared(const site &where) {
  self_.owner.take_turn(self_);
  byte_set &incoming = self_.owner.blocks[at(self_.block)].incoming;
  memory_of(self_).publish(self_.unfenced);
  memory_of(self_).publish(incoming);
  self_.unfenced.clear();
  incoming.clear();
  self_.owner.tell(self_.owner.about(event_kind::fence, self_, where));
}

// ----- barriers

barriers thread::alloc_barriers(const site &, const char *name, int number, int count, int arrivals,
                                std::initializer_list<int> cluster_axes, counts_at where_counted) {
  barrier like;
  like.name = name;
  like.arrivals = like.missing = arrivals;
  like.cluster_axes = cluster_axes;
  like.where_counted = where_counted;
  return self_.owner.allocate_barriers(number, count, like);
}

void thread::barrier_arrive(const site &where, barriers of, std::int64_t index) {
  self_.owner.take_turn(self_);
  const int number = barrier_at(where, of, index);
  const barrier &own = self_.barriers()[at(number)];
  for (int block : self_.owner.counting(self_.block, own))
    self_.owner.arrive(self_, where, block, number);
}

static void check_waits_here(const warpgroup &w, const site &where, int number) {
  const barrier &own = w.barriers()[at(number)];
  if (own.where_counted == counts_at::leader && w.owner.counting(w.block, own).front() != w.block)
    fail(where, "this CTA waits at the leader-tracked barrier '" + own.name +
                    "', whose arrivals are counted only in the CTA at 0 along its axis: let that CTA wait");
}

/// The parity that is waited for, where the program says this one: that of a thread is the same for all of its warps.
static bool parity_of(const warpgroup &w, const site &where, int number, bool parity) {
  if (w.warps.empty())
    return w.parity_of(number, parity);
  const bool first = w.warps.front()->parity_of(number, parity);
  for (const auto &warp : w.warps)
    if (warp->parity_of(number, parity) != first)
      fail(where, "this warpgroup waits at barrier '" + w.barriers()[at(number)].name +
                      "', but its warps have waited for different phases of it: let each warp wait for all of them");
  return first;
}

void thread::barrier_wait(const site &where, barriers of, std::int64_t index, bool said) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  const int number = barrier_at(where, of, index);
  check_waits_here(self_, where, number);
  const bool parity = parity_of(self_, where, number, said);
  if (self_.warp >= 0)
    self_.count_phase(number);
  event what = owner.about(event_kind::wait_begin, self_, where);
  what.target = self_.block;
  what.barrier = number;
  // The phase of this parity that is in flight, or the one before it.
  const barrier &now = self_.barriers()[at(number)];
  what.number = now.has_ended(parity) ? now.phase - 1 : now.phase;
  owner.tell(what);
  owner.wait_at(self_, where, number, parity);
  what.kind = event_kind::wait_end;
  owner.tell(what);
}

bool thread::barrier_test(const site &where, barriers of, std::int64_t index, bool parity) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  const int number = barrier_at(where, of, index);
  check_waits_here(self_, where, number);
  if (!self_.barriers()[at(number)].has_ended(parity_of(self_, where, number, parity))) {
    owner.poll(self_, where, number); // Threads that test again and again keep nobody waiting.
    return false;
  }
  barrier_wait(where, of, index, parity);
  return true;
}

named_barriers thread::alloc_named_barriers(const site &, const char *name, int number, int count, int threads) {
  detail::named_barrier like;
  like.name = name;
  like.threads = like.missing = threads;
  return self_.owner.allocate_named_barriers(number, count, like);
}

void thread::named_barrier(const site &where, named_barriers of, std::int64_t index, bool waits) {
  self_.owner.take_turn(self_);
  if (index < 0 || index >= of.count)
    fail(where, "named barrier " + std::to_string(index) + " is out of bounds: there are " + std::to_string(of.count));
  self_.owner.come_to(self_, where, of.first + static_cast<int>(index), waits);
}

// ----- warps

void thread::warps(const site &, const std::function<void(thread &, std::int64_t)> &body) {
  self_.owner.run_warps(self_, body);
}

// ----- semaphores

void thread::signal(const site &where, std::int32_t *semaphore, std::int64_t by) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  *semaphore = static_cast<std::int32_t>(static_cast<std::uint32_t>(*semaphore) + static_cast<std::uint32_t>(by));
  ++owner.grid.steps;
  event what = owner.about(event_kind::signal, self_, where);
  what.number = by;
  owner.tell(what);
}

void thread::wait_for(const site &where, std::int32_t *semaphore, std::int64_t value, bool decrement) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  owner.wait_for(self_, where, semaphore, value);
  if (decrement)
    *semaphore = static_cast<std::int32_t>(static_cast<std::uint32_t>(*semaphore) - static_cast<std::uint32_t>(value));
  event what = owner.about(event_kind::signal_wait_end, self_, where);
  what.number = value;
  owner.tell(what);
}

std::int32_t thread::look_at(const site &where, const std::int32_t *semaphore) {
  self_.owner.poll(self_, where, semaphore);
  return *semaphore;
}

void thread::grid_barrier(const site &where) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  event what = owner.about(event_kind::grid_arrive, self_, where);
  what.number = owner.grid.phase;
  owner.tell(what);
  owner.come_to_grid(self_, where);
  what.kind = event_kind::grid_wait_end;
  owner.tell(what);
}

// ----- traces

static std::int64_t nanoseconds() {
  using namespace std::chrono;
  return duration_cast<std::chrono::nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

/// The row of this thread, or of this warp of one: a thread's own row comes first, then those of its warps.
static std::int64_t *row_of(const warpgroup &self, const ref<std::int64_t, 2> &trace) {
  const cluster &owner = self.owner;
  const auto blocks = static_cast<std::int64_t>(owner.blocks.size());
  std::int64_t threads = blocks * owner.shape.threads;
  for (const std::int64_t size : owner.shape.grid)
    threads *= size;
  const std::int64_t block = owner.number * blocks + self.block, thread = block * owner.shape.threads + self.number;
  return trace.data() + (thread * (trace.dim(0) / threads) + self.warp + 1) * trace.strides()[0];
}

void thread::trace_begin(const ref<std::int64_t, 2> &trace) {
  std::int64_t *const row = row_of(self_, trace);
  row[trace::begin_time] = row[trace::begin_clock] = nanoseconds();
}

void thread::trace_event(const ref<std::int64_t, 2> &trace, std::int64_t what) {
  std::int64_t *const row = row_of(self_, trace);
  const std::int64_t at = trace::words + trace::words_of_event * row[trace::count]++;
  if (at >= trace.dim(1))
    return;
  std::int64_t *const event = row + at;
  event[0] = what;
  event[1] = nanoseconds();
}

void thread::trace_end(const ref<std::int64_t, 2> &trace) {
  std::int64_t *const row = row_of(self_, trace);
  row[trace::end_time] = row[trace::end_clock] = nanoseconds();
}

// ----- steps that clusters take

/// Clusters run one after the other: all but the last one leave some steps to those behind them. A step's number is
/// stirred: which one comes when says nothing.
std::int64_t thread::take_step(const site &, const ref<std::int64_t, 1> &counter) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  std::int64_t steps = 1;
  for (const std::int64_t size : owner.shape.grid)
    steps *= size;
  if (owner.number + 1 != steps && owner.random.happens(6))
    return steps;
  const std::int64_t number = (*counter.data())++;
  if (number >= steps)
    return steps;
  // A factor without a common divisor gives each step once. (Factors of products below 2^64.)
  detail::random choices(owner.seed(), static_cast<std::uint64_t>(steps));
  const auto count = static_cast<std::uint64_t>(steps);
  const std::size_t most = static_cast<std::size_t>(std::min<std::uint64_t>(count, std::uint64_t{1} << 30));
  std::uint64_t factor = 1 + choices.below(most);
  while (std::gcd(factor, count) != 1)
    ++factor;
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(number) * factor + choices.below(most)) % count);
}

void thread::announce_step(const site &where, std::int64_t step, const ref<std::int64_t, 1> &slots, barriers of,
                           std::int64_t index) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  const auto *slot = reinterpret_cast<const std::byte *>(slots.data() + index);
  const std::int64_t offset = memory_of(self_).offset_of(slot);
  const int barrier = barrier_at(where, of, index);
  for (std::size_t block = 0; block < owner.blocks.size(); ++block) {
    std::memcpy(owner.blocks[block].memory.at(offset), &step, sizeof step);
    owner.arrive(self_, where, static_cast<int>(block), barrier);
  }
}

std::int64_t thread::read_step(const site &, const ref<std::int64_t, 1> &slots, std::int64_t index) {
  self_.owner.take_turn(self_);
  return slots.data()[index];
}

// ----- copies

/// TMA begins at multiples of 16 bytes of a row, also before it: a GPU ends the kernel otherwise. It counts in 32 bits.
static void check_start(const site &where, const box &place) {
  for (int axis = 0; axis < place.array.rank; ++axis)
    if (place.offsets[axis] != static_cast<std::int32_t>(place.offsets[axis]))
      fail(where, "a copy begins at index " + std::to_string(place.offsets[axis]) + " of axis " + std::to_string(axis) +
                      ": TMA coordinates have 32 bits, from -2^31 to 2^31 - 1");
  const int last = place.array.rank - 1;
  const std::int64_t units = last < 0 ? 1 : 16 / std::min<std::int64_t>(16, place.array.element_size());
  if (last >= 0 && place.array.strides[last] == 1 && place.offsets[last] % units != 0)
    fail(where, "a copy begins at element " + std::to_string(place.offsets[last]) +
                    " of a row: TMA copies begin at multiples of 16 bytes, here of " + std::to_string(units) +
                    " elements");
}

/// TMA reads windows that begin before an array, but writes none.
static void check_target(const site &where, const box &place) {
  check_start(where, place);
  for (int axis = 0; axis < place.array.rank; ++axis)
    if (place.offsets[axis] < 0)
      fail(where, "a copy to an array begins at index " + std::to_string(place.offsets[axis]) + " of axis " +
                      std::to_string(axis) + ": TMA cannot write a window that begins before the array");
}

/// What is promised of a window; and of a run, that it begins at a multiple of 16 bytes of memory.
static void check_inside(const site &where, const box &place, bool is_run) {
  const region &array = place.array;
  std::int64_t offset = 0;
  for (int axis = 0; axis < array.rank; ++axis) {
    const std::int64_t begin = place.offsets[axis], size = place.sizes[axis];
    if (begin < 0 || begin > array.dims[axis] - size)
      fail(where, "elements " + std::to_string(begin) + " to " + std::to_string(begin + size - 1) + " of axis " +
                      std::to_string(axis) + " are copied, which has " + std::to_string(array.dims[axis]) +
                      ": .oob_mode promises that none is out of bounds");
    offset += begin * array.strides[axis];
  }
  const auto address =
      reinterpret_cast<std::uintptr_t>(array.data) + static_cast<std::uintptr_t>(offset * array.element_size());
  if (is_run && address % 16 != 0)
    fail(where, "a contiguous copy begins " + std::to_string(address % 16) +
                    " bytes after a multiple of 16: it copies units of 16 bytes");
  if (is_run && array.rank > 0 && place.sizes[array.rank - 1] > 1 && array.strides[array.rank - 1] != 1)
    fail(where, "a contiguous copy takes contiguous elements, but those of the last axis are " +
                    std::to_string(array.strides[array.rank - 1]) + " apart");
}

void thread::load(const site &where, const box &source, const region &target, barriers of, std::int64_t index,
                  std::initializer_list<int> multicast, outside fill, bool is_run) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  check_shared(self_, where, target);
  if (fill == outside::none)
    check_inside(where, source, is_run);
  if (!is_run)
    check_start(where, source);
  const int barrier = barrier_at(where, of, index);
  event what = owner.about(event_kind::load_begin, {where, self_.block, self_.number, owner.operations++});
  what.target = self_.block;
  what.barrier = barrier;
  what.memory = &target;
  what.array = &source;
  owner.tell(what);

  const std::vector<int> sharers = owner.along(self_.block, multicast, /*one_at_most=*/false);
  std::int64_t own = 0;
  while (sharers[static_cast<std::size_t>(own)] != self_.block)
    ++own;
  const std::int64_t size = target.size(), count = static_cast<std::int64_t>(sharers.size());
  const origin from = {where, self_.block, self_.number, what.operation};
  const std::byte outer{fill == outside::zeros ? std::uint8_t{0} : std::uint8_t{0xFF}};
  for (int block : sharers)
    owner.begin(
        detail::load{from, source, target, own * size / count, (own + 1) * size / count, block, barrier, outer});
  owner.announce(self_.block, barrier, target.bytes());
  owner.arrive(self_, where, self_.block, barrier);
}

void thread::copy_nothing(const site &where, barriers of, std::int64_t index) {
  self_.owner.take_turn(self_);
  self_.owner.arrive(self_, where, self_.block, barrier_at(where, of, index));
}

void thread::store(const site &where, const region &source, const box &target, copy_reduction reduction, bool is_inside,
                   bool is_run) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  check_shared(self_, where, source);
  if (is_inside)
    check_inside(where, target, is_run);
  if (!is_run)
    check_target(where, target);
  const origin from = {where, self_.block, self_.number, owner.operations++};
  event what = owner.about(event_kind::store_begin, from);
  what.memory = &source;
  what.array = &target;
  owner.tell(what);
  auto begun = std::make_shared<detail::store>(detail::store{from, source, target, reduction, false, false, {}});
  self_.open.push_back(begun);
  owner.begin(std::move(begun));
}

/// Lanes copy units of 16 bytes of rows, which begin at multiples of that.
static void check_units(const site &where, const box &place) {
  for (int axis = 0; axis < place.array.rank; ++axis)
    if (place.offsets[axis] < 0)
      fail(where, "a copy by cp_async begins at index " + std::to_string(place.offsets[axis]) + " of axis " +
                      std::to_string(axis) + ": it cannot begin before the array");
  const int last = place.array.rank - 1;
  const std::int64_t units = 16 / std::min<std::int64_t>(16, place.array.element_size());
  if (place.offsets[last] % units != 0)
    fail(where, "a copy by cp_async begins at element " + std::to_string(place.offsets[last]) +
                    " of a row: it must begin at a multiple of 16 bytes, here of " + std::to_string(units) +
                    " elements");
}

void thread::copy(const site &where, const box &source, const region &target) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  check_shared(self_, where, target);
  check_units(where, source);
  const origin from = {where, self_.block, self_.number, owner.operations++};
  event what = owner.about(event_kind::copy_begin, from);
  what.memory = &target;
  what.array = &source;
  owner.tell(what);
  auto begun = std::make_shared<lane_copy>(lane_copy{from, source, target});
  self_.open_copies.push_back(begun);
  owner.begin(std::move(begun));
}

void thread::cp_async_commit(const site &where) {
  self_.copy_groups.push_back(std::exchange(self_.open_copies, {}));
  self_.owner.tell(self_.owner.about(event_kind::copy_commit, self_, where));
}

void thread::cp_async_wait(const site &where, std::int64_t pending) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  event what = owner.about(event_kind::copy_wait_begin, self_, where);
  what.number = pending;
  owner.tell(what);
  for (; static_cast<std::int64_t>(self_.copy_groups.size()) > pending; self_.copy_groups.pop_front())
    for (const std::shared_ptr<lane_copy> &each : self_.copy_groups.front())
      owner.complete(*each);
  what.kind = event_kind::copy_wait_end;
  owner.tell(what);
}

/// Each lane has groups of its own: what a thread commits or waits for, each of its warps does. Those of the first one
/// are the thread's.
template <class Function> static void for_each_with_groups(warpgroup &w, Function function) {
  function(w);
  for (std::size_t i = 1; i < w.warps.size(); ++i)
    function(*w.warps[i]);
}

void thread::commit_group(const site &where) {
  for_each_with_groups(self_, [](warpgroup &w) { w.groups.push_back(std::exchange(w.open, {})); });
  self_.owner.tell(self_.owner.about(event_kind::commit, self_, where));
}

/// Waits, as kinds `begin` and `end` of events say, for the copies of all groups but the `pending` last ones.
template <class Wait>
static void wait_for_groups(warpgroup &self, const site &where, std::int64_t pending, event_kind begin, event_kind end,
                            Wait wait) {
  self.owner.take_turn(self);
  event what = self.owner.about(begin, self, where);
  what.number = pending;
  self.owner.tell(what);
  for_each_with_groups(self, [&](warpgroup &w) {
    const auto count = static_cast<std::int64_t>(w.groups.size());
    for (std::int64_t i = 0; i < count - pending; ++i)
      for (const auto &copy : w.groups[static_cast<std::size_t>(i)])
        wait(*copy);
  });
  what.kind = end;
  self.owner.tell(what);
}

void thread::wait_group(const site &where, std::int64_t pending) {
  wait_for_groups(self_, where, pending, event_kind::group_wait_begin, event_kind::group_wait_end,
                  [this](detail::store &copy) { self_.owner.write_target(copy); });
  for_each_with_groups(self_, [&](warpgroup &w) {
    while (static_cast<std::int64_t>(w.groups.size()) > pending)
      w.groups.pop_front();
  });
}

void thread::wait_group_read(const site &where, std::int64_t pending) {
  wait_for_groups(self_, where, pending, event_kind::read_wait_begin, event_kind::read_wait_end,
                  [this](detail::store &copy) { self_.owner.read_source(copy); });
}

// ----- products

/// The elements that a product will change: those of the value if nobody else holds it, else new ones.
static std::shared_ptr<accumulation> to_change(const std::shared_ptr<accumulation> &value) {
  if (value.use_count() - value->references == 1)
    return value;
  return std::make_shared<accumulation>(value->type, value->rows, value->columns);
}

/// Makes what the thread reads: the values, but NaN or -1 where products are pending.
static void show(accumulation &sum) {
  if (sum.pending == 0) {
    sum.visible = sum.values.get();
    return;
  }
  if (sum.partial == nullptr)
    sum.partial.reset(new std::byte[sum.bytes()]);
  std::copy_n(sum.values.get(), sum.bytes(), sum.partial.get());
  for (const part &hidden : sum.pending_parts)
    for (std::int64_t i = 0; i < hidden.rows; ++i)
      std::fill_n(sum.partial.get() + offset_of(sum, hidden.row + i, hidden.column),
                  static_cast<std::size_t>(hidden.columns) * size_of(sum.type), std::byte{0xFF});
  sum.visible = sum.partial.get();
}

void thread::multiply(const site &where, std::shared_ptr<accumulation> &sum, const region &a,
                      std::shared_ptr<void> held, const region &b, bool accumulate, const shape<2> &begin) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  if (held == nullptr)
    check_shared(self_, where, a);
  check_shared(self_, where, b);
  const part changed = {begin[0], begin[1], a.dims[0], b.dims[1]};
  const bool fits = begin[0] + a.dims[0] <= sum->rows && begin[1] + b.dims[1] <= sum->columns && a.dims[1] == b.dims[0];
  if (!fits || !can_multiply(sum->type, a.type, b.type))
    fail(where, "internal error: these matrices cannot be multiplied");
  const origin from = {where, self_.block, self_.number, owner.operations++};
  event what = owner.about(event_kind::product_begin, from);
  region first = a;
  if (held != nullptr)
    first.data = nullptr;
  what.memory = &first;
  what.other = &b;
  owner.tell(what);

  const std::shared_ptr<accumulation> before = std::move(sum);
  sum = to_change(before);
  ++before->references;
  ++sum->references;
  ++sum->pending;
  // Values that are pending, or that are yet to be copied, are not there either.
  const bool is_copied = before != sum && before->pending > 0;
  sum->pending_parts.push_back(is_copied ? part{0, 0, sum->rows, sum->columns} : changed);
  if (before != sum && !is_copied)
    std::copy_n(before->values.get(), sum->bytes(), sum->values.get());
  show(*sum);
  self_.products.push_back({from, a, b, std::move(held), before, sum, accumulate, changed});
}

void thread::wgmma_wait(const site &where, std::int64_t pending) {
  cluster &owner = self_.owner;
  owner.take_turn(self_);
  event what = owner.about(event_kind::product_wait_begin, self_, where);
  what.number = pending;
  owner.tell(what);
  while (static_cast<std::int64_t>(self_.products.size()) > pending) {
    product &next = self_.products.front();
    owner.multiply(next);
    --next.before->references;
    --next.sum->references;
    --next.sum->pending;
    next.sum->pending_parts.erase(next.sum->pending_parts.begin()); // They end in order.
    show(*next.sum);
    self_.products.pop_front();
  }
  what.kind = event_kind::product_wait_end;
  owner.tell(what);
}

} // namespace tegula::cpu
