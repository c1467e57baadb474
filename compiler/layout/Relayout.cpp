// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layout/Relayout.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>

namespace tegula::layout {
namespace {

/// In half cycles of what warps share: of 32 lanes, a multiprocessor shuffles one word or reaches each bank once in a
/// cycle, and selects two words (CUDA programming guide, "Throughput of Native Arithmetic Instructions").
constexpr int64_t shuffleCost = 2, selectCost = 1, wavefrontCost = 2;
/// What a warp waits for others or, in thread groups within a warp, for memory: two barriers.
constexpr int64_t blockBarriersCost = 64, warpBarriersCost = 16;

constexpr int64_t bytesOfBank = 4, banks = 32, widestAccess = 16;

unsigned log2(int64_t power) { return static_cast<unsigned>(std::countr_zero(static_cast<uint64_t>(power))); }

// ---- Within a warp --------------------------------------------------------------------------------------------------

/// A bit of a coordinate that is in the thread's number before or after.
struct MovedBit {
  unsigned dim;
  int64_t value;
  /// The bits of the thread's number that it is; none: a register's.
  std::optional<unsigned> before, after;
};

std::vector<MovedBit> movedBits(const Placement &from, const Placement &to) {
  std::vector<MovedBit> bits;
  auto add = [&](const Placement &placement, std::optional<unsigned> MovedBit::*side) {
    for (const ThreadField &field : placement.threadFields())
      for (unsigned i = 0; i < field.width; ++i) {
        int64_t value = int64_t(1) << (field.coordinateBit + i);
        auto found = std::find_if(bits.begin(), bits.end(),
                                  [&](const MovedBit &bit) { return bit.dim == field.dim && bit.value == value; });
        if (found == bits.end())
          found = bits.insert(bits.end(), {field.dim, value, {}, {}});
        (*found).*side = field.threadBit + i;
      }
  };
  add(from, &MovedBit::before);
  add(to, &MovedBit::after);
  return bits;
}

/// Makes the steps: equal ones are one.
class Scheduler {
public:
  Scheduler(const Placement &from, const Placement &to, int64_t wordElements)
      : from(from), to(to), laneBits(log2(from.lanes())), bits(movedBits(from, to)) {
    plan.wordElements = wordElements;
  }

  std::optional<WarpRelayout> run();

private:
  /// A bit of the coordinate by which a thread selects.
  struct Choice {
    const MovedBit *bit;
    unsigned threadBit;
    /// The giver's bit `threadBit` is this bit of the reader's xor the round's.
    const MovedBit *round;
  };

  bool staysInWarp() const;
  void pair();
  int64_t step(const RelayoutStep &step);
  int64_t select(unsigned threadBit, int64_t whenClear, int64_t whenSet);
  int64_t sent(Coordinate element, const Coordinate &round, size_t choice);
  int64_t received(Coordinate element, Coordinate round, size_t choice);

  static bool has(const Coordinate &at, const MovedBit &bit) { return (at[bit.dim] & bit.value) != 0; }
  static void set(Coordinate &at, const MovedBit &bit, bool value) {
    at[bit.dim] = value ? at[bit.dim] | bit.value : at[bit.dim] & ~bit.value;
  }

  const Placement &from, &to;
  unsigned laneBits;
  std::vector<MovedBit> bits;
  /// What the giver and the reader select by.
  std::vector<Choice> giver, reader;
  std::map<std::tuple<RelayoutStep::Kind, unsigned, int64_t, int64_t, uint64_t>, int64_t> known;
  /// What comes from a lane, by the bits of the element that the giver does not choose.
  std::map<std::pair<Coordinate, uint64_t>, int64_t> exchanged;
  WarpRelayout plan;
};

/// What is in the warp's number before is needed by just this warp after.
bool Scheduler::staysInWarp() const {
  return std::all_of(bits.begin(), bits.end(), [&](const MovedBit &bit) {
    return !bit.before || *bit.before < laneBits || bit.before == bit.after;
  });
}

/// Decides, for each bit that lanes select, who does it: the giver, if a bit of its number can say what the reader
/// wants. That is one that holds copies, or one whose coordinate comes into registers, where the round may differ from
/// reader to reader.
void Scheduler::pair() {
  std::vector<const MovedBit *> holderOf(laneBits, nullptr), pending;
  for (const MovedBit &bit : bits)
    if (bit.before && *bit.before < laneBits)
      holderOf[*bit.before] = &bit;
  std::vector<bool> isTaken(laneBits, false);
  auto isFree = [&](unsigned lane) { return !isTaken[lane] && (!holderOf[lane] || !holderOf[lane]->after); };
  auto take = [&](const MovedBit &bit, unsigned lane) {
    isTaken[lane] = true;
    plan.sourceLanes[*bit.after] |= uint64_t(1) << lane;
    giver.push_back({&bit, lane, holderOf[lane]});
    if (holderOf[lane])
      reader.push_back({holderOf[lane], *bit.after, holderOf[lane]});
  };
  for (const MovedBit &bit : bits) {
    if (bit.before) {
      if (bit.after && *bit.before < laneBits)
        plan.sourceLanes[*bit.after] |= uint64_t(1) << *bit.before;
    } else if (*bit.after >= laneBits) {
      giver.push_back({&bit, *bit.after, nullptr}); // Both are of one warp.
    } else if (isFree(*bit.after)) {
      take(bit, *bit.after);
    } else {
      pending.push_back(&bit);
    }
  }
  for (const MovedBit *bit : pending) {
    unsigned lane = 0;
    while (lane < laneBits && !isFree(lane))
      ++lane;
    if (lane < laneBits)
      take(*bit, lane);
    else
      reader.push_back({bit, *bit->after, nullptr});
  }
  // Of other copies, the own one.
  for (unsigned lane = 0; lane < laneBits; ++lane)
    if (!isTaken[lane] && !holderOf[lane])
      plan.sourceLanes[lane] |= uint64_t(1) << lane;
}

int64_t Scheduler::step(const RelayoutStep &step) {
  auto key = std::tuple(step.kind, step.threadBit, step.first, step.second, step.lane);
  int64_t next = from.registersPerThread() / plan.wordElements + static_cast<int64_t>(plan.steps.size());
  auto [entry, isNew] = known.try_emplace(key, next);
  if (isNew)
    plan.steps.push_back(step);
  return entry->second;
}

int64_t Scheduler::select(unsigned threadBit, int64_t whenClear, int64_t whenSet) {
  if (whenClear == whenSet)
    return whenClear;
  return step({RelayoutStep::Kind::Select, threadBit, whenClear, whenSet, 0});
}

/// What the giver gives in a round of the elements that differ in what it chooses, from `choice` on.
int64_t Scheduler::sent(Coordinate element, const Coordinate &round, size_t choice) {
  if (choice < giver.size()) {
    const Choice &by = giver[choice];
    bool isTurned = by.round && has(round, *by.round);
    set(element, *by.bit, isTurned);
    int64_t whenClear = sent(element, round, choice + 1);
    set(element, *by.bit, !isTurned);
    return select(by.threadBit, whenClear, sent(element, round, choice + 1));
  }
  std::optional<int64_t> reg = from.findRegister(element);
  assert(reg && "a coordinate without the bits of its thread is a register's");
  return *reg / plan.wordElements;
}

/// What the reader has for the element in the end. `element` and `round` agree but for what was chosen.
int64_t Scheduler::received(Coordinate element, Coordinate round, size_t choice) {
  if (choice < reader.size()) {
    const Choice &by = reader[choice];
    bool own = by.round && has(element, *by.round);
    set(by.round ? round : element, *by.bit, own);
    int64_t whenClear = received(element, round, choice + 1);
    set(by.round ? round : element, *by.bit, !own);
    return select(by.threadBit, whenClear, received(element, round, choice + 1));
  }
  uint64_t lane = 0;
  for (const MovedBit &bit : bits) {
    if (bit.before && *bit.before < laneBits && !bit.after && has(round, bit))
      lane |= uint64_t(1) << *bit.before;
    if (bit.before)
      set(element, bit, false);
  }
  for (const Choice &choice : giver)
    set(element, *choice.bit, false);
  auto [entry, isNew] = exchanged.try_emplace({element, lane}, 0);
  if (isNew) {
    int64_t value = sent(element, round, 0);
    bool isOwn = lane == 0 && plan.isButterfly(from.lanes());
    entry->second = isOwn ? value : step({RelayoutStep::Kind::Shuffle, 0, value, value, lane});
  }
  return entry->second;
}

std::optional<WarpRelayout> Scheduler::run() {
  if (!staysInWarp())
    return std::nullopt;
  plan.sourceLanes.assign(log2(from.threads()), 0);
  pair();
  for (int64_t reg = 0; reg < to.registersPerThread(); reg += plan.wordElements) {
    Coordinate element = to.registerPart(reg);
    plan.results.push_back(received(element, element, 0));
  }
  return plan;
}

/// As many elements as make a word of 4 bytes and stay neighbours.
int64_t wordElements(const Placement &from, const Placement &to, int64_t elementBits) {
  if (from.rank() == 0 || elementBits < 8)
    return 1;
  unsigned last = from.rank() - 1;
  int64_t together = std::min(from.contiguousVector(last), to.contiguousVector(last));
  return std::min(together, std::max<int64_t>(1, bytesOfBank * 8 / elementBits));
}

// ---- Through memory -------------------------------------------------------------------------------------------------

/// The neighbours that one access can move where rows begin at multiples of them.
int64_t accessVector(const Placement &placement, const Boxes &boxes, int64_t pitch, int64_t bytes) {
  if (placement.rank() == 0)
    return 1;
  unsigned last = placement.rank() - 1;
  int64_t vector = std::min(placement.contiguousVector(last), std::max<int64_t>(1, widestAccess / bytes));
  if (boxes.isCut(last))
    vector = std::min(vector, boxes.shape()[last]);
  while (placement.rank() > 1 && pitch % vector != 0)
    vector /= 2;
  return vector;
}

/// The wavefronts of one access of the first warp: the most words that lanes want from one bank.
int64_t wavefronts(const Placement &placement, const MemoryRelayout &plan, const std::vector<int64_t> &strides,
                   int64_t bytes, int64_t vector) {
  std::vector<int64_t> words;
  for (int64_t lane = 0; lane < placement.lanes(); ++lane) {
    Coordinate at = plan.boxes.within(placement.threadPart(lane));
    int64_t element = 0;
    for (unsigned dim = 0; dim < placement.rank(); ++dim)
      element += at[dim] * strides[dim];
    for (int64_t byte = element * bytes; byte < (element + vector) * bytes; byte += std::min(bytes, bytesOfBank))
      words.push_back(plan.swizzled(byte) / bytesOfBank);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  std::vector<int64_t> perBank(banks, 0);
  for (int64_t word : words)
    ++perBank[static_cast<size_t>(word % banks)];
  return *std::max_element(perBank.begin(), perBank.end());
}

/// How rows lie in shared memory.
struct Rows {
  int64_t gap = 0;
  int64_t swizzleMask = 0;
  unsigned swizzleShift = 0;
};

MemoryRelayout throughMemory(const Placement &from, const Placement &to, const Boxes &boxes, int64_t elementBits,
                             const Rows &rows) {
  int64_t bytes = std::max<int64_t>(1, elementBits / 8);
  MemoryRelayout plan;
  plan.boxes = boxes;
  plan.swizzleMask = rows.swizzleMask;
  plan.swizzleShift = rows.swizzleShift;
  const std::vector<int64_t> &shape = boxes.shape();
  std::vector<int64_t> strides(from.rank(), 1);
  if (from.rank() > 0)
    plan.pitch = shape.back() + rows.gap;
  plan.elements = plan.pitch;
  for (unsigned dim = from.rank(); dim-- > 1;) {
    strides[dim - 1] = plan.elements;
    plan.elements *= shape[dim - 1];
  }
  // Bytes are stored one by one, and loaded in words; predicates one by one both ways.
  plan.storeVector = bytes == 1 ? 1 : accessVector(from, boxes, plan.pitch, bytes);
  plan.loadVector = elementBits < 8 ? 1 : accessVector(to, boxes, plan.pitch, bytes);
  if (bytes == 1 && plan.loadVector < bytesOfBank)
    plan.loadVector = 1;
  plan.wavefronts =
      from.registersPerThread() / plan.storeVector * wavefronts(from, plan, strides, bytes, plan.storeVector) +
      to.registersPerThread() / plan.loadVector * wavefronts(to, plan, strides, bytes, plan.loadVector);
  return plan;
}

/// Whether bits of a byte's number tell its row and its place there.
bool canSwizzle(const Boxes &boxes, int64_t bytes) {
  const std::vector<int64_t> &shape = boxes.shape();
  auto isPower = [](int64_t extent) { return std::has_single_bit(static_cast<uint64_t>(extent)); };
  return shape.size() > 1 && std::all_of(shape.begin(), shape.end(), isPower) &&
         shape.back() * bytes > MemoryRelayout::unitBytes;
}

/// The arrangement in which warps get the banks least often, the simplest of several.
MemoryRelayout bestThroughMemory(const Placement &from, const Placement &to, const Boxes &boxes, int64_t elementBits,
                                 int64_t memoryBytes) {
  int64_t bytes = std::max<int64_t>(1, elementBits / 8);
  MemoryRelayout best = throughMemory(from, to, boxes, elementBits, {});
  auto consider = [&](const Rows &rows) {
    MemoryRelayout plan = throughMemory(from, to, boxes, elementBits, rows);
    if (plan.wavefronts < best.wavefronts && plan.elements * bytes <= memoryBytes)
      best = plan;
  };
  if (from.rank() > 1) // Vectors stay aligned behind a gap of the widest access.
    consider({widestAccess / bytes});
  if (canSwizzle(boxes, bytes)) {
    int64_t rowBytes = boxes.shape().back() * bytes, all = best.elements * bytes;
    int64_t units = std::min(rowBytes, banks * bytesOfBank) / MemoryRelayout::unitBytes;
    for (unsigned shift = log2(rowBytes); int64_t(1) << shift < all; ++shift)
      consider({0, units - 1, shift});
  }
  return best;
}

/// The largest boxes that fit, or single elements, cut where the fewest threads have to ask which box is theirs.
Boxes boxesThatFit(const Placement &from, const Placement &to, int64_t bytes, int64_t memoryBytes) {
  Boxes boxes(from.shape());
  auto size = [&] {
    return std::accumulate(boxes.shape().begin(), boxes.shape().end(), bytes, std::multiplies<int64_t>());
  };
  while (size() > memoryBytes && size() > bytes) {
    std::optional<Boxes> best;
    unsigned fewest = 0;
    for (unsigned dim = 0; dim < from.rank(); ++dim) {
      if (boxes.shape()[dim] == 1)
        continue;
      Boxes halves = boxes;
      halves.halve(dim);
      unsigned bits = halves.threadBits(from) + halves.threadBits(to);
      if (best && bits >= fewest)
        continue;
      best = halves;
      fewest = bits;
    }
    boxes = *best;
  }
  return boxes;
}

} // namespace

uint64_t WarpRelayout::sourceLane(uint64_t thread) const {
  uint64_t lane = 0;
  for (size_t bit = 0; bit < sourceLanes.size(); ++bit)
    if ((thread >> bit) & 1)
      lane ^= sourceLanes[bit];
  return lane;
}

bool WarpRelayout::isButterfly(int64_t lanes) const {
  for (size_t bit = 0; bit < sourceLanes.size(); ++bit)
    if (sourceLanes[bit] != (bit < log2(lanes) ? uint64_t(1) << bit : 0))
      return false;
  return true;
}

int64_t WarpRelayout::count(RelayoutStep::Kind kind) const {
  return std::count_if(steps.begin(), steps.end(), [&](const RelayoutStep &step) { return step.kind == kind; });
}

Relayout planRelayout(const Placement &from, const Placement &to, int64_t elementBits, int64_t memoryBytes) {
  assert(from.shape() == to.shape() && from.threads() == to.threads() && "layouts of one tile");
  Relayout plan;
  Boxes boxes = boxesThatFit(from, to, std::max<int64_t>(1, elementBits / 8), memoryBytes);
  plan.memory = bestThroughMemory(from, to, boxes, elementBits, memoryBytes);
  plan.warp = Scheduler(from, to, wordElements(from, to, elementBits)).run();
  if (!plan.warp)
    return plan;
  int64_t barriers = from.threads() > from.lanes() ? blockBarriersCost : warpBarriersCost;
  int64_t wordsOf32 = std::max<int64_t>(1, elementBits / (bytesOfBank * 8));
  int64_t inWarp = (plan.warp->shuffles() * shuffleCost + plan.warp->selects() * selectCost) * wordsOf32;
  if (plan.warp->shuffles() == 0)
    plan.route = RelayoutRoute::Registers;
  else if (inWarp <= plan.memory.wavefronts * wavefrontCost + barriers || boxes.count() > 1)
    plan.route = RelayoutRoute::Shuffles;
  return plan;
}

} // namespace tegula::layout
