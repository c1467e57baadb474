// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which ops stand where: in host code, in programs, in those of the explicit level, in kernels. Passes and printers of
// each know only what may be there. The frontend makes nothing else; IR that was read may hold anything.
#include "ir/TilePlaces.h"
#include "ir/Elements.h"
#include "ir/GridOps.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::tile;

/// What entries and plans do.
static bool isOfHost(Operation *op) {
  return isa<CheckOp, EmptyOp, RecordOp, ReportOp, DenseOp, AsConstOp, IsPresentOp, FlattenOp, LaunchOp, LaunchKernelOp,
             IsClassOp, MultiprocessorsOp, ResidentClustersOp, TensorMapOp, CanMapOp, TraceOp, TraceReportOp, ReturnOp>(
      op);
}

/// What host code does as programs do.
static bool isOfBoth(Operation *op) { return isa<DimOp, MultipleOfOp, VariableOp, GetOp, SetOp, YieldOp>(op); }

/// Whether an op takes or makes something of this type.
template <class T> static bool handles(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<T>) || llvm::any_of(op->getResultTypes(), llvm::IsaPred<T>);
}

/// What passes make for kernels.
static bool isOfKernel(Operation *op) {
  return handles<TensorMapType>(op) ||
         isa<ThreadGroupOp, WarpBarrierOp, RelayoutOp, CombineOp, CombineLanesOp, WarpAllOp, PrivateOpenOp,
             PrivateFlushOp, RadixCountOp, RadixPassOp, MmaOp>(op);
}

/// What a program does as a CUDA block of threads.
static bool isExplicit(Operation *op) {
  return handles<BarriersType>(op) ||
         isa<TmaOpInterface, ClusterIndexOp, ClusterIdOp, ClusterRankOp, ThreadIndexOp, OneThreadOp, WarpMapOp,
             SetMaxRegistersOp, WaitForGridsOp, LaunchDependentsOp, AllocOp, FreeOp, ReuseSharedOp, ClusterRefOp,
             FenceSharedOp, TakeStepOp, ReadStepOp, BulkStoreOp, CommitGroupOp, WaitGroupOp, CpAsyncOp, CpAsyncCommitOp,
             CpAsyncWaitOp, WgmmaOp, WgmmaWaitOp, SemaphoreSignalOp, SemaphoreWaitOp, SemaphoreReadOp, GridBarrierOp,
             TraceThreadOp, TraceEventOp>(op);
}

/// Ops of other dialects that have a form in C++ and in PTX.
static bool isKnownForeign(Operation *op) {
  if (isa<arith::RemFOp, arith::MaxNumFOp, arith::MinNumFOp, arith::IndexCastOp, arith::IndexCastUIOp,
          arith::MulSIExtendedOp, arith::MulUIExtendedOp, arith::AddUIExtendedOp>(op))
    return false;
  if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    return isa<arith::SelectOp>(op) || !isa<ShapedType>(op->getResult(0).getType());
  return isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::ConditionOp, scf::YieldOp, scf::IndexSwitchOp, ub::PoisonOp>(op);
}

static bool isNumber(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  return integer ? integer.isSignless() && llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth())
                 : type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

/// A tile has elements, and not more than what can be counted.
static bool isTile(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile || !tegula::elementOf(tile.getElementType()))
    return false;
  constexpr int64_t most = int64_t(1) << 40;
  int64_t count = 1;
  for (int64_t size : tile.getShape()) {
    if (ShapedType::isDynamic(size))
      continue;
    if (size < 1 || size > most / count)
      return false;
    count *= size;
  }
  return true;
}

static LogicalResult verifyTypes(Operation *op) {
  auto isUnknown = [](Type type) {
    if (auto variable = dyn_cast<VariableType>(type))
      type = variable.getValueType();
    return !isNumber(type) && !isTile(type) && !isa<ArrayType, RefType, BarriersType, TensorMapType>(type);
  };
  SmallVector<Type> types(op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  if (auto unknown = llvm::find_if(types, isUnknown); unknown != types.end())
    return op->emitOpError("makes a value of type ")
           << *unknown << ": there are numbers of 1 to 64 bits, and tiles of at most 2^40 elements";
  return success();
}

/// The axes of a program's grid, and those of its cluster.
static LogicalResult verifyAxis(Operation *op, StringRef what, int64_t axis, size_t count) {
  if (axis >= 0 && axis < static_cast<int64_t>(count))
    return success();
  return op->emitOpError("asks for axis ") << axis << " of a " << what << " of " << count << " axes";
}

static LogicalResult verifyAxes(Operation *op, LaunchOp launch) {
  size_t grid = launch.getGrid().size(), cluster = launch.getCluster().value_or(ArrayRef<int64_t>()).size();
  auto ofCluster = [&](std::optional<ArrayRef<int64_t>> axes) {
    for (int64_t axis : axes.value_or(ArrayRef<int64_t>()))
      if (failed(verifyAxis(op, "cluster", axis, cluster)))
        return failure();
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ProgramIdOp, NumProgramsOp>([&](auto id) { return verifyAxis(op, "grid", id.getAxis(), grid); })
      .Case<ClusterIndexOp, ClusterRefOp>([&](auto at) { return verifyAxis(op, "cluster", at.getAxis(), cluster); })
      .Case([&](AllocBarriersOp barriers) { return ofCluster(barriers.getClusterAxes()); })
      .Case([&](CopyToSharedOp copy) { return ofCluster(copy.getMulticast()); })
      .Default([](Operation *) { return success(); });
}

/// Whose attributes are asked for here.
static bool isAskedByPlaces(Operation *op) {
  return isa<LaunchOp, LaunchKernelOp, ProgramIdOp, NumProgramsOp, ClusterIndexOp, ClusterRefOp, AllocBarriersOp,
             CopyToSharedOp>(op);
}

/// A plan's kernel takes what is passed.
static LogicalResult verifyKernelCall(LaunchKernelOp call) {
  Operation *symbol = SymbolTable::lookupNearestSymbolFrom(call, call.getKernelAttr());
  if (!symbol)
    return call.emitOpError("calls a kernel that does not exist: ") << call.getKernelAttr();
  auto kernel = dyn_cast<KernelOp>(symbol);
  if (!kernel || !kernel.getFunctionTypeAttr()) // It has become code, or says itself what it lacks.
    return success();
  ArrayRef<Type> taken = kernel.getFunctionType().getInputs();
  auto fits = [](Type given, Type asked) {
    auto array = dyn_cast<ArrayType>(given);
    auto ref = dyn_cast<RefType>(asked);
    return array && ref ? array.getElementType() == ref.getElementType() && array.getRank() == ref.getRank() &&
                              array.getIsTable() == ref.isTable()
                        : given == asked;
  };
  if (taken.size() != call.getArguments().size() || !llvm::equal(call.getArguments().getTypes(), taken, fits))
    return call.emitOpError("passes operands that kernel ") << call.getKernelAttr() << " does not take";
  return success();
}

static LogicalResult verifyHostOp(Operation *op) {
  if (auto call = dyn_cast<LaunchKernelOp>(op); call && failed(verifyKernelCall(call)))
    return failure();
  if (isa_and_nonnull<TileDialect>(op->getDialect()) && !isOfHost(op) && !isOfBoth(op))
    return op->emitOpError("is allowed only in the body of a launch, not in host code");
  return success();
}

static LogicalResult verifyProgramOp(Operation *op, LaunchOp launch) {
  if (isOfHost(op))
    return op->emitOpError("is allowed only in host code, not in the body of a launch");
  if (isOfKernel(op))
    return op->emitOpError("is allowed only in kernels, not in the body of a launch");
  if (isExplicit(op) && !launch.isExplicit())
    return op->emitOpError("is allowed only in launches with warpgroups, those of the explicit level");
  return verifyAxes(op, launch);
}

/// The program whose body has the op; null: none has, it is the host's.
static LaunchOp programOf(Operation *op) {
  auto launch = op->getParentOfType<LaunchOp>();
  return launch && launch.getBody().isAncestor(op->getParentRegion()) ? launch : LaunchOp();
}

/// What the op says of itself is there, and is right: functions are verified before what is in them.
static LogicalResult verifyAlone(Operation *op) { return op->getName().verifyInvariants(op); }

LogicalResult tegula::tile::verifyPlaces(EntryOp entry) {
  if (!isa_and_nonnull<ModuleOp>(entry->getParentOp()) || !entry.getBody().hasOneBlock())
    return entry.emitOpError("is a function of a module, with a body of one block");
  WalkResult walked = entry.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    // The meaning of instructions is scalar code of its own.
    bool isKnown = isa_and_nonnull<TileDialect>(op->getDialect()) || isKnownForeign(op) ||
                   (isa_and_nonnull<math::MathDialect>(op->getDialect()) && op->getParentOfType<InlinePtxOp>());
    if (!isKnown)
      return op->emitOpError("is not allowed in an entry");
    if (failed(verifyTypes(op)) || (isAskedByPlaces(op) && failed(verifyAlone(op))))
      return failure();
    LaunchOp launch = programOf(op);
    return launch ? verifyProgramOp(op, launch) : verifyHostOp(op);
  });
  return failure(walked.wasInterrupted());
}

LogicalResult tegula::tile::verifyPlaces(KernelOp kernel) {
  if (kernel.getBody().empty())
    return kernel.emitOpError("has no body");
  WalkResult walked = kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
    if ((isOfHost(op) && !isa<ReturnOp>(op)) || isa<ProgramIdOp, NumProgramsOp>(op))
      return op->emitOpError("is not allowed in a kernel");
    if (isa_and_nonnull<TileDialect>(op->getDialect()))
      return verifyTypes(op);
    return success();
  });
  return failure(walked.wasInterrupted());
}
