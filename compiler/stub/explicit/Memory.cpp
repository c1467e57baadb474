// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory, views of it and of arrays, and what a thread loads, stores and updates there.
#include "stub/Explicit.h"

#include "ir/Locations.h"
#include "stub/Nest.h"
#include "stub/Types.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::stub {

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

bool ExplicitPrinter::printMemory(Operation *op) {
  bool isKnown = true;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::AllocOp alloc) {
        if (isNeeded(alloc))
          printAlloc(alloc);
      })
      .Case([&](tile::FreeOp free) { printFree(free); })
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
      .Default([&](Operation *) { isKnown = false; });
  return isKnown;
}

} // namespace tegula::stub
