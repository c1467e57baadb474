// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/Mainloop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {
namespace {

/// A wgmma sums 32 bytes of a row at a time (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions").
constexpr int64_t bytesAtATime = 32;

class Finder {
public:
  Finder(tile::KernelOp kernel, std::string &obstacle) : kernel(kernel), obstacle(obstacle) {}

  std::optional<Mainloop> find();

private:
  /// Says what is in the way, and is false.
  bool no(const Twine &why) {
    obstacle = why.str();
    return false;
  }
  bool findLoop();
  bool findFactor(Value tile, Factor &factor, unsigned depthDim, unsigned &side, StringRef name);
  bool dependsOnMember(Value value);
  bool checkMembers();
  bool endsWithArray(tile::SliceOp slice, unsigned dim, int64_t depth);
  bool checkBody();

  tile::KernelOp kernel;
  std::string &obstacle;
  Mainloop found;
};

/// The one loop with a product, in the kernel's outermost block.
bool Finder::findLoop() {
  SmallVector<tile::DotOp> dots;
  kernel.walk([&](tile::DotOp dot) { dots.push_back(dot); });
  if (dots.size() != 1)
    return no("the program has several products");
  found.dot = dots.front();
  found.loop = dyn_cast<scf::ForOp>(found.dot->getParentOp());
  if (!found.loop)
    return no("the product is no sum over a loop");
  if (found.loop->getBlock() != &kernel.getBody().front())
    return no("the loop of the product is inside of another loop or a branch");
  bool isCarried = found.loop.getNumRegionIterArgs() == 1 && found.dot.getAcc() == found.loop.getRegionIterArg(0) &&
                   found.loop.getYieldedValues().front() == found.dot.getResult();
  return isCarried || no("the loop does more than to add up the product");
}

/// Beyond the end of the array TMA fills in zeros. Elsewhere there is something else, and it must not be summed: the
/// window of this dimension ends where its array does, or it is one of whole steps of the loop.
bool Finder::endsWithArray(tile::SliceOp slice, unsigned dim, int64_t depth) {
  return slice.getMode(dim) == tile::SliceMode::Window && !slice.getSize(dim) && slice.getBound(dim) == depth;
}

bool Finder::findFactor(Value tile, Factor &factor, unsigned depthDim, unsigned &side, StringRef name) {
  factor.load = tile.getDefiningOp<tile::LoadOp>();
  if (!factor.load || factor.load->getParentOp() != found.loop)
    return no(name + " is not loaded as it stands");
  if (factor.load.getMask())
    return no(name + " is loaded with a mask");
  Value ref = factor.load.getRef();
  auto tileType = factor.load.getType();
  SmallVector<tile::SliceOp> slices;
  for (; auto slice = ref.getDefiningOp<tile::SliceOp>(); ref = slice.getSource())
    slices.push_back(slice);
  factor.array = dyn_cast<BlockArgument>(ref);
  if (!factor.array || factor.array.getOwner() != &kernel.getBody().front())
    return no(name + " is a view with its dimensions in another order");
  unsigned rank = cast<tile::RefType>(ref.getType()).getRank();
  factor.offsets.resize(rank);
  factor.extents.assign(rank, 0);
  SmallVector<unsigned> windows(rank);
  SmallVector<bool> isExact(rank, true);
  for (tile::SliceOp slice : llvm::reverse(slices))
    for (auto [dim, ofArray] : llvm::enumerate(tile::arrayDimsOf(slice.getSource())))
      if (slice.getMode(dim) != tile::SliceMode::Whole) {
        factor.offsets[ofArray].push_back(slice.getOffset(dim));
        ++windows[ofArray];
        isExact[ofArray] = isExact[ofArray] && endsWithArray(slice, dim, tileType.getDimSize(depthDim));
      }
  SmallVector<int64_t> dims = tile::arrayDimsOf(factor.load.getRef());
  for (auto [dim, ofArray] : llvm::enumerate(dims))
    factor.extents[ofArray] = tileType.getDimSize(dim);
  unsigned depth = dims[depthDim];
  side = dims[1 - depthDim];
  if (windows[depth] > 1 || !isExact[depth])
    return no(name + " is a window that ends before its array, along the dimension that is summed over");
  return true;
}

bool Finder::dependsOnMember(Value value) {
  Value member = positionIn(kernel).member;
  if (value == member)
    return true;
  Operation *op = value.getDefiningOp();
  return op && llvm::any_of(op->getOperands(), [&](Value operand) { return dependsOnMember(operand); });
}

/// The consumers of a CTA have neighbouring rows of the left factor, and the right one together.
bool Finder::checkMembers() {
  if (!positionIn(kernel).member)
    return true;
  for (const Factor *factor : {&found.a, &found.b})
    for (auto [dim, sum] : llvm::enumerate(factor->offsets)) {
      bool isRows = factor == &found.a && dim == found.rows;
      if (llvm::any_of(sum, [&](Value offset) { return dependsOnMember(offset); }) != isRows)
        return no("the product is stored with its dimensions in another order");
    }
  return true;
}

/// Whether an integer is computed without tiles, so that all warpgroups can.
static bool isComputedByAll(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return true;
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 && llvm::all_of(op->getOperands(), [](Value operand) {
           return !isa<RankedTensorType>(operand.getType()) && isComputedByAll(operand);
         });
}

/// What else the loop does finds addresses, which the producer can do, too.
bool Finder::checkBody() {
  for (Operation &op : found.loop.getBody()->without_terminator())
    if (&op != found.dot && &op != found.a.load && &op != found.b.load &&
        (!isMemoryEffectFree(&op) || op.getNumRegions() > 0 ||
         llvm::any_of(op.getResultTypes(), [](Type type) { return isa<RankedTensorType>(type); })))
      return no("the loop computes with tiles beside the product");
  SmallVector<Value> integers = {found.loop.getLowerBound(), found.loop.getUpperBound(), found.loop.getStep()};
  for (const Factor *factor : {&found.a, &found.b})
    for (ArrayRef<Value> sum : factor->offsets)
      llvm::append_range(integers, sum);
  if (!llvm::all_of(integers, isComputedByAll))
    return no("where the factors are is loaded, or computed in a branch");
  bool isOverwritten = false;
  kernel.walk([&](tile::StoreOp store) {
    Value array = tile::arrayOf(store.getRef());
    isOverwritten |= array == found.a.array || array == found.b.array;
  });
  return !isOverwritten || no("the program stores to a factor");
}

std::optional<Mainloop> Finder::find() {
  if (!findLoop())
    return std::nullopt;
  RankedTensorType a = found.dot.getA().getType(), b = found.dot.getB().getType();
  bool is16Bit = a.getElementType().isBF16() || a.getElementType().isF16();
  bool isKnown = is16Bit && a.getElementType() == b.getElementType() && found.dot.getType().getElementType().isF32();
  if (!isKnown) {
    no("wgmma multiplies f16 or bf16 here, to f32");
    return std::nullopt;
  }
  if (a.getRank() != 2) {
    no("the product is of several matrices");
    return std::nullopt;
  }
  if (a.getDimSize(1) * tile::bytesOf(a.getElementType()) % bytesAtATime != 0) {
    no("a step of the loop sums " + Twine(a.getDimSize(1)) + " elements, and wgmma takes a multiple of " +
       Twine(bytesAtATime / tile::bytesOf(a.getElementType())));
    return std::nullopt;
  }
  if (!findFactor(found.dot.getA(), found.a, 1, found.rows, "the left factor") ||
      !findFactor(found.dot.getB(), found.b, 0, found.columns, "the right factor") || !checkMembers() || !checkBody())
    return std::nullopt;
  return found;
}
} // namespace

TeamPosition positionIn(tile::KernelOp kernel) {
  TeamPosition position;
  kernel.walk([&](tile::ThreadGroupOp group) {
    position.team = group;
    for (Operation *user : group->getUsers())
      if (isa<arith::RemUIOp>(user))
        position.member = user->getResult(0);
      else if (isa<arith::DivUIOp>(user))
        position.team = user->getResult(0);
    if (!position.member)
      position.team = group;
  });
  return position;
}

std::optional<Mainloop> findMainloop(tile::KernelOp kernel, std::string &obstacle) {
  return Finder(kernel, obstacle).find();
}

} // namespace tegula
