// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Explicit.h"

#include "ir/GridOps.h"
#include "ir/Locations.h"
#include "stub/Nest.h"
#include "stub/Types.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::stub {

ExplicitPrinter::ExplicitPrinter(Writer &out, Names &names, SourceFiles &files, tile::LaunchOp launch,
                                 ArrayRef<std::string> grid)
    : ProgramPrinter(out, names, files, launch.getBody(), Form::Explicit), launch(launch), grid(grid),
      self(names.unique("self")) {
  findAccumulators();
  findUnions();
}

static Expr number(int64_t value) { return {std::to_string(value), Binds::Primary, /*isLiteral=*/true}; }

/// Whether the op is printed as something that the thread does.
static bool isDone(Operation *op) {
  return isa<tile::FenceSharedOp, tile::BarrierArriveOp, tile::BarrierWaitOp, tile::BarrierTestOp, tile::NamedBarrierOp,
             tile::CopyToSharedOp, tile::CopyToGlobalOp, tile::BulkLoadOp, tile::BulkStoreOp, tile::CpAsyncOp,
             tile::CpAsyncCommitOp, tile::CpAsyncWaitOp, tile::PrefetchOp, tile::CommitGroupOp, tile::WaitGroupOp,
             tile::TakeStepOp, tile::AnnounceStepOp, tile::ReadStepOp, tile::WgmmaOp, tile::WgmmaWaitOp,
             tile::SemaphoreSignalOp, tile::SemaphoreWaitOp, tile::SemaphoreReadOp, tile::GridBarrierOp,
             tile::WarpMapOp, tile::TraceThreadOp, tile::TraceEventOp, tile::LoadOp, tile::StoreOp, tile::AtomicOp,
             tile::AsyncStoreOp>(op) &&
         (op->getNumResults() == 0 || !op->use_empty() ||
          isa<tile::WarpMapOp, tile::WgmmaOp, tile::BarrierTestOp, tile::TakeStepOp, tile::SemaphoreReadOp,
              tile::AtomicOp>(op));
}

static bool isDoneIn(Region &region) {
  return region.walk([](Operation *op) { return isDone(op) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

void ExplicitPrinter::print() {
  auto entry = launch->getParentOfType<tile::EntryOp>();
  std::string shape = quoted(entry.getQualifiedName()) + ", {" + llvm::join(grid, ", ") + "}, " +
                      std::to_string(*launch.getWarpgroups());
  int64_t shared = sharedBytes();
  bool isLarge = shared > 1 << 20; // What cpu::launch has unless it is told.
  // Of blocks that synchronize, several are there at a time, with no more memory than they need.
  bool isTogether = launch->hasAttr(tile::residentAtOnce), isSome = launch->hasAttr(tile::waitsForEarlier);
  bool saysMemory = isLarge || isTogether || isSome;
  if (launch.getClusterSize() > 1 || saysMemory)
    shape += ", " + list(launch.getClusterSize() > 1 ? *launch.getCluster() : ArrayRef<int64_t>()).text;
  if (saysMemory)
    shape += ", " + std::to_string(shared);
  if (isTogether || isSome)
    shape += isTogether ? ", cpu::residency::all" : ", cpu::residency::some";
  Names::Block inner(names);
  std::string head = "cpu::launch{" + shape + "}.run([&](";
  if (launch.getBody().front().without_terminator().empty())
    return out.line(head + "cpu::thread &) {});");
  out.open(head + (isDoneIn(launch.getBody()) ? "" : "[[maybe_unused]] ") + "cpu::thread &" + self + ")");
  printBlock(launch.getBody().front());
  out.close(");");
}

Expr ExplicitPrinter::onSelf(Operation *op, StringRef member, std::vector<Expr> arguments) {
  arguments.insert(arguments.begin(), site(op->getLoc()));
  return method({self}, member, arguments);
}

void ExplicitPrinter::printOnSelf(Operation *op, StringRef member, std::vector<Expr> arguments) {
  out.line(onSelf(op, member, std::move(arguments)).text + ";");
}

void ExplicitPrinter::declare(Value result, const std::string &name, const Expr &value) {
  out.line("const auto " + name + " = " + value.text + ";");
  bind(result, name);
}

std::optional<Expr> ExplicitPrinter::leaf(Operation *op) {
  auto ask = [&](StringRef member, std::optional<int64_t> axis = {}) -> std::optional<Expr> {
    SmallVector<Expr, 1> arguments;
    if (axis)
      arguments.push_back(number(*axis));
    return method({self}, member, arguments);
  };
  return llvm::TypeSwitch<Operation *, std::optional<Expr>>(op)
      .Case([&](tile::ProgramIdOp id) { return ask("program", id.getAxis()); })
      .Case([&](tile::NumProgramsOp count) { return Expr(grid[count.getAxis()]); })
      .Case([&](tile::ClusterIndexOp index) { return ask("cluster_index", index.getAxis()); })
      .Case([&](tile::ClusterIdOp) { return ask("cluster_id"); })
      .Case([&](tile::ClusterRankOp) { return ask("cluster_rank"); })
      .Case([&](tile::ThreadIndexOp) { return ask("index"); })
      .Default([&](Operation *other) { return ProgramPrinter::leaf(other); });
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

/// Windows of arrays, which may extend past their edges, and refs to shared memory.
Expr ExplicitPrinter::placeOf(Value ref) {
  Expr name = use(ref);
  return isa<BlockArgument>(ref) ? call("cpu::window", name) : name;
}

/// What the source calls a new place, or the name of what it is made of and a suffix.
std::string ExplicitPrinter::nameFor(Operation *op, const Expr &source, StringRef suffix) {
  StringRef named = tile::nameIn(op->getLoc());
  bool isView = isa<tile::SliceOp, tile::TransposeOp, tile::ClusterRefOp, tile::ReshapeRefOp, tile::BitcastRefOp>(op);
  if (isView && !named.empty() && !names.isTaken(named))
    return names.unique(named);
  bool isName = llvm::all_of(source.text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return names.unique(isName ? source.text + "_" + suffix.str() : suffix.str());
}

std::string ExplicitPrinter::access(Operation *op, StringRef member, Value ref) {
  Expr place = placeOf(ref);
  std::string name = nameFor(op, use(ref), member == "read" ? "read" : member == "update" ? "updated" : "written");
  out.line("const auto " + name + " = " + onSelf(op, member, {place}).text + ";");
  return name;
}

/// One element, which is looked for by itself: `self.write(site, place.select(0, i0).select(0, i1))()`.
Expr ExplicitPrinter::elementAt(Operation *op, StringRef member, Value ref, ArrayRef<Expr> index) {
  Expr place = placeOf(ref);
  bool isShared = cast<tile::RefType>(ref.getType()).isShared();
  for (const Expr &each : index) {
    SmallVector<Expr> arguments = {number(0), each};
    if (isShared)
      arguments.insert(arguments.begin(), site(op->getLoc()));
    place = method(place, "select", arguments);
  }
  return {onSelf(op, member, {place}).text + "()"};
}

Expr ExplicitPrinter::elementOfUpdate(tile::AtomicOp op, ArrayRef<Expr> index, ArrayRef<Expr>) {
  return op.getMask() ? elementAt(op, "update", op.getRef(), index) : call(updated, index);
}

/// The window may extend past the array, and begin before it: each element that is stored is looked for by itself.
void ExplicitPrinter::printMaskedStore(tile::StoreOp op) {
  SmallVector<Expr> extents;
  for (int64_t extent : op.getValue().getType().getShape())
    extents.push_back(number(extent));
  auto assign = [&](ArrayRef<Expr> index, const Expr &value) {
    return elementAt(op, "write", op.getRef(), index).text + " = " + value.text;
  };
  Nest(*this, op.getValue(), op.getLoc()).print(extents, assign, op.getMask());
}

void ExplicitPrinter::printSliceOf(tile::SliceOp op) {
  Expr source = use(op.getSource()), result = placeOf(op.getSource());
  bool isShared = op.getType().isShared();
  unsigned axis = 0; // Of what the calls so far have made.
  for (unsigned dim = 0; dim < op.getModes().size(); ++dim) {
    if (op.getMode(dim) == tile::SliceMode::Whole) {
      ++axis;
      continue;
    }
    SmallVector<Expr> arguments = {number(axis), use(op.getOffset(dim))};
    if (isShared)
      arguments.insert(arguments.begin(), site(op.getLoc()));
    if (op.getMode(dim) == tile::SliceMode::Element) {
      result = method(result, "select", arguments);
      continue;
    }
    Value size = op.getSize(dim);
    arguments.push_back(size ? use(size) : number(op.getType().getBound(axis)));
    result = method(result, "part", arguments);
    ++axis;
  }
  declare(op.getResult(), nameFor(op, source, op.getType().getRank() == 0 ? "at" : "block"), result);
}

void ExplicitPrinter::printAlloc(tile::AllocOp op) {
  tile::RefType type = op.getType();
  if (op.getGroup()) {
    Expr member = memberOfUnion(op); // Which may print a line before.
    return declare(op.getResult(), names.forValue(op.getResult(), "shared"), member);
  }
  std::string what = "shared<" + typeName(type.getElementType()) + ", " + std::to_string(type.getRank()) + ">";
  allocations[op] = allocationCount++;
  declare(op.getResult(), names.forValue(op.getResult(), "shared"),
          onSelf(op, what, {number(allocations[op]), list(type.getDims())}));
}

/// Places members of a union, or of unions within it: those of a group side by side. Returns the bytes that they take.
static int64_t placeMembers(MutableArrayRef<tile::AllocOp> members, size_t depth, int64_t start,
                            llvm::DenseMap<Operation *, int64_t> &offsets) {
  int64_t bytes = 0, next = 0;
  for (size_t i = 0; i < members.size();) {
    ArrayRef<int64_t> group = *members[i].getGroup();
    if (i == 0 || group[depth + 1] != (*members[i - 1].getGroup())[depth + 1])
      next = 0;
    size_t count = 1;
    int64_t size = members[i].getType().getSizeInBytes();
    offsets[members[i]] = start + next;
    if (group.size() > depth + 2) { // A union within the group.
      auto isOfIt = [&](tile::AllocOp other) {
        ArrayRef<int64_t> its = *other.getGroup();
        return its.size() > depth + 2 && its.take_front(depth + 3) == group.take_front(depth + 3);
      };
      while (i + count < members.size() && isOfIt(members[i + count]))
        ++count;
      size = placeMembers(members.slice(i, count), depth + 2, start + next, offsets);
    }
    next += static_cast<int64_t>(llvm::alignTo(size, 128));
    bytes = std::max(bytes, next);
    i += count;
  }
  return bytes;
}

void ExplicitPrinter::findUnions() {
  llvm::MapVector<int64_t, SmallVector<tile::AllocOp>> members;
  launch.getBody().walk([&](tile::AllocOp op) {
    if (op.getGroup())
      members[op.getGroup()->front()].push_back(op);
  });
  for (auto &[which, all] : members)
    unions[which].bytes = placeMembers(all, 0, 0, unions[which].offsets);
}

/// `self.member<float, 2>(shared, 1024, {64, 32})`, of memory that all members have together.
Expr ExplicitPrinter::memberOfUnion(tile::AllocOp op) {
  Union &whole = unions[op.getGroup()->front()];
  tile::RefType type = op.getType();
  if (whole.number < 0)
    whole.number = allocationCount++;
  allocations[op] = whole.number;
  if (whole.scope != op->getBlock()) {
    whole.scope = op->getBlock();
    whole.name = names.unique("shared");
    out.line("std::byte *const " + whole.name + " = " +
             onSelf(op, "shared_bytes", {number(whole.number), number(whole.bytes)}).text + ";");
  }
  std::string what = "member<" + typeName(type.getElementType()) + ", " + std::to_string(type.getRank()) + ">";
  return method({self}, what, {{whole.name}, number(whole.offsets[op]), list(type.getDims())});
}

/// Of all that the kernel allocates, one beside the other.
int64_t ExplicitPrinter::sharedBytes() {
  int64_t bytes = 0;
  launch.getBody().walk([&](tile::AllocOp op) { bytes += llvm::alignTo(op.getType().getSizeInBytes(), 128); });
  return bytes;
}

void ExplicitPrinter::printFree(tile::FreeOp op) {
  llvm::SmallSet<int64_t, 4> ended; // Members of a union are one allocation.
  for (Value allocation : op.getAllocations())
    if (auto known = allocations.find(allocation.getDefiningOp());
        known != allocations.end() && ended.insert(known->second).second)
      printOnSelf(op, "free", {number(known->second)});
}

void ExplicitPrinter::printAllocBarriers(tile::AllocBarriersOp op) {
  StringRef name = tile::nameIn(op.getLoc());
  std::vector<Expr> arguments = {{quoted(name.empty() ? "barriers" : name)},
                                 number(barrierAllocations++),
                                 number(op.getType().getCount()),
                                 number(op.getArrivals())};
  if (auto axes = op.getClusterAxes(); axes && !axes->empty())
    arguments.push_back(list(*axes));
  if (op.getEverywhere() || op.getLeader())
    arguments.push_back({op.getLeader() ? "cpu::counts_at::leader" : "cpu::counts_at::all"});
  declare(op.getResult(), names.forValue(op.getResult(), "barriers"), onSelf(op, "alloc_barriers", arguments));
}

void ExplicitPrinter::printAllocNamedBarriers(tile::AllocNamedBarriersOp op) {
  StringRef name = tile::nameIn(op.getLoc());
  declare(op.getResult(), names.forValue(op.getResult(), "barriers"),
          onSelf(op, "alloc_named_barriers",
                 {{quoted(name.empty() ? "barriers" : name)},
                  number(barrierAllocations++),
                  number(op.getType().getCount()),
                  number(op.getThreads())}));
}

/// Of cpu::copy_reduction.
static Expr nameOf(std::optional<tile::CopyReduction> reduction) {
  if (!reduction)
    return {"cpu::copy_reduction::none"};
  bool isBitwise = *reduction >= tile::CopyReduction::And;
  return {std::string("cpu::copy_reduction::") + (isBitwise ? "bitwise_" : "") +
          tile::stringifyCopyReduction(*reduction).str()};
}

/// A copy to shared memory: where its predicate is false, it arrives without bytes.
template <class Copy> void ExplicitPrinter::printLoad(Copy op, StringRef member, ArrayRef<Expr> more) {
  std::vector<Expr> arguments = {placeOf(op.getSource()), placeOf(op.getTarget()), use(op.getBarriers()),
                                 use(op.getIndex())};
  arguments.insert(arguments.end(), more.begin(), more.end());
  if (!op.getPredicate())
    return printOnSelf(op, member, arguments);
  out.open("if (" + use(op.getPredicate()).text + ")");
  printOnSelf(op, member, arguments);
  out.reopen("else");
  printOnSelf(op, "copy_nothing", {use(op.getBarriers()), use(op.getIndex())});
  out.close();
}

void ExplicitPrinter::printCopy(tile::CopyToSharedOp op) {
  auto axes = op.getMulticast();
  bool isShared = axes && !axes->empty();
  SmallVector<Expr> more;
  if (isShared || op.getOutside())
    more.push_back(list(isShared ? *axes : ArrayRef<int64_t>()));
  if (op.getOutside())
    more.push_back({"cpu::outside::" + tile::stringifyOutside(*op.getOutside()).str()});
  printLoad(op, "copy_to_shared", more);
}

/// A copy to global memory. Waits count groups, also those without a copy.
template <class Copy> void ExplicitPrinter::printStoreBy(Copy op, StringRef member, bool isInside) {
  std::vector<Expr> arguments = {placeOf(op.getSource()), placeOf(op.getTarget())};
  bool commits = op.getCommit() && !op.getPredicate();
  if (commits || op.getReduction() || isInside)
    arguments.push_back({commits ? "/*commit=*/true" : "/*commit=*/false"});
  if (op.getReduction() || isInside)
    arguments.push_back(nameOf(op.getReduction()));
  if (isInside)
    arguments.push_back({"/*is_inside=*/true"});
  if (!op.getPredicate())
    return printOnSelf(op, member, arguments);
  out.open("if (" + use(op.getPredicate()).text + ")");
  printOnSelf(op, member, arguments);
  out.close();
  if (op.getCommit())
    printOnSelf(op, "commit_group", {});
}

void ExplicitPrinter::printCopy(tile::CpAsyncOp op) {
  if (op.getPredicate())
    out.open("if (" + use(op.getPredicate()).text + ")");
  printOnSelf(op, "cp_async", {placeOf(op.getSource()), placeOf(op.getTarget())});
  if (op.getPredicate())
    out.close();
}

/// Of an array, what is inside: `cpu::window(cpu::reshaped(site, x.inside(site), {4, 16}))`.
void ExplicitPrinter::printView(Operation *op, const Expr &function, ArrayRef<Expr> more) {
  Value source = op->getOperand(0);
  bool isShared = cast<tile::RefType>(source.getType()).isShared();
  Expr place = isShared ? use(source) : method(placeOf(source), "inside", site(op->getLoc()));
  SmallVector<Expr> arguments = {site(op->getLoc()), place};
  llvm::append_range(arguments, more);
  Expr view = call(function.text, arguments);
  declare(op->getResult(0), nameFor(op, use(source), "view"), isShared ? view : call("cpu::window", view));
}

/// Without other blocks, the place itself.
void ExplicitPrinter::printClusterRef(tile::ClusterRefOp op) {
  if (launch.getClusterSize() == 1)
    return bind(op.getResult(), use(op.getSource()));
  Expr source = use(op.getSource());
  declare(op.getResult(), nameFor(op, source, "there"),
          onSelf(op, "cluster_ref", {source, number(op.getAxis()), use(op.getIndex())}));
}

/// `self.warps(site, [&](cpu::thread &warp_self, std::int64_t warp) { ... });`. The phases that warps are given are
/// those that the thread has waited for: which of them they have waited for by themselves, the runtime knows.
void ExplicitPrinter::printWarpMap(tile::WarpMapOp op) {
  for (auto [init, argument, result] : llvm::zip_equal(op.getInits(), op.getCarried(), op.getResults())) {
    Expr phases = use(init);
    bind(argument, phases);
    bind(result, phases);
  }
  Names::Block inner(names);
  std::string ofThread = std::exchange(self, names.unique("warp_self")), index = names.forValue(op.getWarp(), "warp");
  bind(op.getWarp(), index);
  auto maybeUnused = [](bool isUsed) { return isUsed ? "" : "[[maybe_unused]] "; };
  out.open(ofThread + ".warps(" + site(op.getLoc()).text + ", [&](" + maybeUnused(isDoneIn(op.getBody())) +
           "cpu::thread &" + self + ", " + maybeUnused(!op.getWarp().use_empty()) + "std::int64_t " + index + ")");
  printBlock(op.getBody().front());
  out.close(");");
  self = ofThread;
}

void ExplicitPrinter::printAsyncStore(tile::AsyncStoreOp op) {
  std::vector<Expr> arguments = {inMemory(op.getValue(), "sent"), use(op.getTarget()), use(op.getBarriers()),
                                 use(op.getIndex())};
  if (op.getReduction())
    arguments.push_back(nameOf(op.getReduction()));
  printOnSelf(op, "async_store", arguments);
}

// ---- Accumulators ---------------------------------------------------------------------------------------------------

/// What products add to, and what control flow carries of it.
void ExplicitPrinter::findAccumulators() {
  bool changes = true;
  auto add = [&](Value value) { changes |= accumulators.insert(value).second; };
  auto isCarried = [](Value value) { return !value.getDefiningOp() || value.getDefiningOp()->getNumRegions() > 0; };
  // Values of which control flow makes one variable are accumulators if one of them is.
  auto unite = [&](std::initializer_list<Value> values) {
    if (llvm::none_of(values, [&](Value value) { return accumulators.contains(value); }))
      return;
    for (Value value : values)
      if (isCarried(value))
        add(value);
  };
  while (std::exchange(changes, false))
    launch.getBody().walk([&](Operation *op) {
      if (auto product = dyn_cast<tile::WgmmaOp>(op)) {
        add(product.getResult());
        if (isCarried(product.getAccumulator()))
          add(product.getAccumulator());
      } else if (auto wait = dyn_cast<tile::WgmmaWaitOp>(op)) {
        for (auto [operand, result] : llvm::zip(wait.getAccumulators(), wait.getResults()))
          if (accumulators.contains(operand))
            add(result);
      } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
        for (auto [i, argument] : llvm::enumerate(loop.getRegionIterArgs()))
          unite({argument, loop.getResult(i), loop.getInitArgs()[i], loop.getYieldedValues()[i]});
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        for (OpResult result : branch.getResults())
          unite({result, branch.thenYield().getOperand(result.getResultNumber()),
                 branch.elseYield().getOperand(result.getResultNumber())});
      } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
        for (auto [i, argument] : llvm::enumerate(loop.getBeforeArguments()))
          unite({argument, loop.getInits()[i], loop.getYieldOp().getOperand(i)});
        for (auto [i, passed] : llvm::enumerate(loop.getConditionOp().getArgs()))
          unite({passed, loop.getAfterArguments()[i], loop.getResult(i)});
      }
    });
}

void ExplicitPrinter::declareAccumulator(const std::string &name, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Type element = type.getElementType();
  std::string declaration = "cpu::accumulator<" + typeName(element) + "> " + name;
  Attribute constant;
  if (accumulators.contains(value)) {
    out.line(declaration + " = " + places[value] + ";");
  } else if (tiles.contains(value)) {
    out.line(declaration + "(" + places[value] + ");");
  } else if (auto full = value.getDefiningOp<tile::FullOp>()) {
    Expr init = matchPattern(full.getValue(), m_Constant(&constant)) ? literal(constant, element)
                                                                     : asElement(use(full.getValue()), element);
    out.line(declaration + "(" + list(type.getShape()).text + ", " + init.text + ");");
  } else {
    std::string initial = names.unique("initial_" + name);
    declareTile(initial, value);
    out.line(declaration + "(" + initial + ");");
  }
}

void ExplicitPrinter::declareCarried(const std::string &name, Value variable, Value init) {
  if (!accumulators.contains(variable))
    return ProgramPrinter::declareCarried(name, variable, init);
  if (init)
    return declareAccumulator(name, init);
  Type element = cast<RankedTensorType>(variable.getType()).getElementType();
  out.line("cpu::accumulator<" + typeName(element) + "> " + name + ";");
}

Expr ExplicitPrinter::carried(Value value, Value target) {
  return accumulators.contains(value) ? Expr(places[value]) : ProgramPrinter::carried(value, target);
}

/// Whether nothing reads the variable of an accumulator after its only user.
static bool isLastUse(Value accumulator) {
  while (true) {
    if (!accumulator.hasOneUse() || accumulator.getParentBlock() != accumulator.getUsers().begin()->getBlock())
      return false;
    if (auto wait = accumulator.getDefiningOp<tile::WgmmaWaitOp>())
      accumulator = wait.getAccumulators()[cast<OpResult>(accumulator).getResultNumber()];
    else if (auto product = accumulator.getDefiningOp<tile::WgmmaOp>())
      accumulator = product.getAccumulator();
    else
      return true;
  }
}

std::string ExplicitPrinter::accumulatorFor(tile::WgmmaOp op) {
  Value value = op.getAccumulator();
  if (accumulators.contains(value) && isLastUse(value))
    return places[value];
  std::string name = names.forValue(op.getResult(), "sum");
  declareAccumulator(name, value);
  return name;
}

Expr ExplicitPrinter::inMemory(Value value, StringRef name) {
  if (accumulators.contains(value))
    return method({places[value]}, "value", {});
  if (tiles.contains(value))
    return {places[value]};
  Expr declared{names.unique(name)};
  declareTile(declared.text, value);
  return declared;
}

void ExplicitPrinter::printProduct(tile::WgmmaOp op) {
  Value a = op.getA();
  Expr left = isa<tile::RefType>(a.getType()) ? use(a) : inMemory(a, "left");
  std::string sum = accumulatorFor(op);
  std::vector<Expr> arguments = {{sum}, left, use(op.getB())};
  if (op.getAccumulate())
    arguments.push_back(use(op.getAccumulate()));
  else if (op.getAt())
    arguments.push_back({"/*accumulate=*/true"});
  if (op.getAt())
    arguments.push_back(list(*op.getAt()));
  printOnSelf(op, "wgmma", arguments);
  places[op.getResult()] = sum;
  tiles.insert(op.getResult());
}

// ---- Statements -----------------------------------------------------------------------------------------------------

/// The CPU's threads have the registers that they need, and its launches do not overlap.
bool ExplicitPrinter::isSilent(Operation *op) {
  return isa<tile::SetMaxRegistersOp, tile::WaitForGridsOp, tile::LaunchDependentsOp, tile::PrintLayoutOp>(op);
}

/// The runtime knows which phases warps have waited for.
bool ExplicitPrinter::isUnused(Value result) {
  return llvm::all_of(result.getUses(), [&](OpOperand &use) {
    auto branch = isa<scf::YieldOp>(use.getOwner()) ? dyn_cast<scf::IfOp>(use.getOwner()->getParentOp()) : scf::IfOp();
    return isa<tile::WarpDoneOp>(use.getOwner()) || (branch && isUnused(branch.getResult(use.getOperandNumber())));
  });
}

void ExplicitPrinter::printStatement(Operation *op) {
  auto onBarrier = [&](StringRef member, Value barriers, Value index, Value parity = {}) {
    std::vector<Expr> arguments = {use(barriers), use(index)};
    if (parity)
      arguments.push_back(use(parity));
    printOnSelf(op, member, arguments);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::AllocOp alloc) {
        if (isNeeded(alloc))
          printAlloc(alloc);
      })
      .Case([&](tile::FreeOp free) { printFree(free); })
      .Case([&](tile::AllocBarriersOp alloc) {
        if (!alloc->use_empty())
          printAllocBarriers(alloc);
      })
      .Case([&](tile::SliceOp slice) {
        if (isNeeded(slice))
          printSliceOf(slice);
      })
      .Case([&](tile::TransposeOp view) {
        if (isNeeded(view))
          declare(view.getResult(), nameFor(view, use(view.getSource()), "transposed"),
                  method(placeOf(view.getSource()), "transpose", list(view.getPermutation())));
      })
      .Case([&](tile::ReshapeRefOp view) {
        std::string function = "cpu::reshaped<" + std::to_string(view.getType().getRank()) + ">";
        if (isNeeded(view))
          printView(view, {function}, {list(view.getType().getDims())});
      })
      .Case([&](tile::BitcastRefOp view) {
        if (isNeeded(view))
          printView(view, {"cpu::bitcast_ref<" + typeName(view.getType().getElementType()) + ">"}, {});
      })
      .Case([&](tile::ClusterRefOp ref) {
        if (isNeeded(ref))
          printClusterRef(ref);
      })
      .Case([&](tile::AsyncStoreOp store) { printAsyncStore(store); })
      .Case([&](tile::WarpMapOp map) { printWarpMap(map); })
      .Case([&](tile::LoadOp load) {
        places[load.getResult()] = access(load, "read", load.getRef());
        if (kept.contains(load.getResult()) && isNeeded(load))
          keep(load.getResult());
      })
      .Case([&](tile::StoreOp store) {
        if (store.getMask())
          printMaskedStore(store);
        else
          printStore(store, access(store, "write", store.getRef()));
      })
      .Case([&](tile::AtomicOp atomic) {
        if (!atomic.getMask())
          updated = access(atomic, "update", atomic.getRef());
        printAtomic(atomic);
      })
      .Case([&](tile::FenceSharedOp) { printOnSelf(op, "fence_shared", {}); })
      .Case([&](tile::BarrierArriveOp arrive) { onBarrier("barrier_arrive", arrive.getBarriers(), arrive.getIndex()); })
      .Case([&](tile::BarrierWaitOp wait) {
        onBarrier("barrier_wait", wait.getBarriers(), wait.getIndex(), wait.getParity());
      })
      .Case([&](tile::BarrierTestOp test) {
        std::string name = names.forValue(test.getResult(), "ended");
        declare(test.getResult(), name,
                onSelf(op, "barrier_test", {use(test.getBarriers()), use(test.getIndex()), use(test.getParity())}));
      })
      .Case([&](tile::AllocNamedBarriersOp alloc) {
        if (!alloc->use_empty())
          printAllocNamedBarriers(alloc);
      })
      .Case([&](tile::NamedBarrierOp named) {
        printOnSelf(op, "named_barrier",
                    {use(named.getBarriers()),
                     use(named.getIndex()),
                     {named.getWait() ? "/*waits=*/true" : "/*waits=*/false"}});
      })
      .Case([&](tile::CopyToSharedOp copy) { printCopy(copy); })
      .Case([&](tile::CopyToGlobalOp copy) { printStoreBy(copy, "copy_to_global", copy.getInside()); })
      .Case([&](tile::BulkLoadOp copy) { printLoad(copy, "bulk_load", {}); })
      .Case([&](tile::BulkStoreOp copy) { printStoreBy(copy, "bulk_store"); })
      .Case([&](tile::CpAsyncOp copy) { printCopy(copy); })
      .Case([&](tile::CpAsyncCommitOp) { printOnSelf(op, "cp_async_commit", {}); })
      .Case([&](tile::CpAsyncWaitOp wait) { printOnSelf(op, "cp_async_wait", {number(wait.getPending())}); })
      .Case([&](tile::CommitGroupOp) { printOnSelf(op, "commit_group", {}); })
      .Case([&](tile::WaitGroupOp wait) {
        printOnSelf(op, wait.getRead() ? "wait_group_read" : "wait_group", {number(wait.getPending())});
      })
      .Case([&](tile::TakeStepOp take) {
        declare(take.getResult(), names.forValue(take.getResult(), "taken"),
                onSelf(op, "take_step", {use(take.getCounter())}));
      })
      .Case([&](tile::AnnounceStepOp announce) {
        printOnSelf(
            op, "announce_step",
            {use(announce.getStep()), use(announce.getSlots()), use(announce.getBarriers()), use(announce.getIndex())});
      })
      .Case([&](tile::ReadStepOp read) {
        declare(read.getResult(), names.forValue(read.getResult(), "step"),
                onSelf(op, "read_step", {use(read.getSlots()), use(read.getIndex())}));
      })
      .Case([&](tile::WgmmaOp product) { printProduct(product); })
      .Case([&](tile::WgmmaWaitOp wait) {
        printOnSelf(op, "wgmma_wait", {number(wait.getPending())});
        for (auto [operand, result] : llvm::zip(wait.getAccumulators(), wait.getResults())) {
          places[result] = tiles.contains(operand) ? places[operand] : names.forValue(result, "passed");
          if (!tiles.contains(operand))
            declareTile(places[result], operand);
          tiles.insert(result);
        }
      })
      .Case([&](tile::SemaphoreSignalOp signal) {
        for (auto [semaphore, increment] : llvm::zip(signal.getSemaphores(), signal.getIncrements()))
          printOnSelf(op, "semaphore_signal", {placeOf(semaphore), use(increment)});
      })
      .Case([&](tile::SemaphoreWaitOp wait) {
        printOnSelf(op, "semaphore_wait",
                    {placeOf(wait.getSemaphore()),
                     use(wait.getValue()),
                     {wait.getDecrement() ? "/*decrement=*/true" : "/*decrement=*/false"}});
      })
      .Case([&](tile::SemaphoreReadOp read) {
        if (read->use_empty())
          return printOnSelf(op, "semaphore_read", {placeOf(read.getSemaphore())});
        std::string name = names.forValue(read.getResult(), "count");
        declare(read.getResult(), name, onSelf(op, "semaphore_read", {placeOf(read.getSemaphore())}));
      })
      .Case([&](tile::GridBarrierOp) { printOnSelf(op, "grid_barrier", {}); })
      .Case([&](tile::TraceThreadOp thread) {
        out.line(method({self}, thread.getEnd() ? "trace_end" : "trace_begin", {use(thread.getTrace())}).text + ";");
      })
      .Case([&](tile::TraceEventOp event) {
        std::vector<Expr> arguments = {use(event.getTrace()),
                                       number(2 * static_cast<int64_t>(event.getScope()) + event.getEnd())};
        out.line(method({self}, "trace_event", arguments).text + ";");
      })
      .Case([&](tile::PrefetchOp prefetch) {
        std::vector<Expr> arguments = {placeOf(prefetch.getSource())};
        if (prefetch.getPredicate())
          arguments.push_back(use(prefetch.getPredicate()));
        printOnSelf(op, "prefetch", arguments);
      })
      .Case<tile::SetMaxRegistersOp, tile::WaitForGridsOp, tile::LaunchDependentsOp, tile::PrintLayoutOp>([](auto) {})
      .Default([&](Operation *other) { ProgramPrinter::printStatement(other); });
}

} // namespace tegula::stub
