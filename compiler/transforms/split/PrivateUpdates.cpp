// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/PrivateUpdates.h"

#include "ir/KernelAttributes.h"
#include "transforms/split/LaunchBuilder.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tegula::split {

/// What a CTA has for all of its private copies: 8192 elements of 32 bits, or 256 for each lane of a warp. With what
/// the system takes, a multiprocessor of sm_90 has room for six such CTAs.
static constexpr int64_t bytesOfBlock = 32 * 1024;
/// The CTAs that stay on a multiprocessor.
static constexpr int64_t ctasOfMultiprocessor = 4;
/// Accesses of 16 bytes that a thread has in flight, of each array.
static constexpr int64_t accessesInFlight = 2;
/// The updates of an element by a CTA that pay for making, combining and flushing its copies.
static constexpr int64_t leastUpdates = 2;

/// Whether the shared memory of all chips takes such updates. (ptxas makes loops of sums of floats, which are short:
/// threads seldom meet in one copy.)
static bool hasInstruction(tile::Atomic kind, Type element) {
  if (isa<FloatType>(element))
    return kind == tile::Atomic::Add && (element.isF32() || element.isF64());
  return tile::isCombining(kind);
}

static bool isPrivatisable(tile::AtomicOp atomic) {
  return atomic.getResult().use_empty() && hasInstruction(atomic.getKind(), atomic.getType().getElementType()) &&
         !atomic.getDims().empty() && !cast<tile::RefType>(tile::arrayOf(atomic.getRef()).getType()).isTable() &&
         static_cast<int64_t>(atomic.getDims().size()) == atomic.getRef().getType().getRank() &&
         atomic.getOrder() == tile::MemoryOrder::Relaxed && atomic.getScope() != tile::MemoryScope::Sys;
}

SmallVector<PrivateArray> privateArrays(const Program &program) {
  tile::LaunchOp launch = program.launch;
  bool contracts = !program.scalars.contractions().empty() || llvm::any_of(program.domains, [](const Domain &domain) {
    return !domain.demand.contractions().empty() || domain.isScalar();
  });
  if (program.ordered || contracts)
    return {};
  llvm::SmallMapVector<unsigned, std::optional<tile::Atomic>, 4> kinds;
  launch.getBody().walk([&](tile::MemoryAccessOpInterface op) {
    auto atomic = dyn_cast<tile::AtomicOp>(op.getOperation());
    for (const tile::MemoryAccess &access : op.getMemoryAccesses()) {
      unsigned argument = tile::arrayOf(access.ref).getArgNumber();
      bool isPrivate = atomic && isPrivatisable(atomic);
      auto [known, isNew] = kinds.insert({argument, isPrivate ? std::optional(atomic.getKind()) : std::nullopt});
      if (!isNew && (!isPrivate || known->second != atomic.getKind()))
        known->second.reset();
    }
  });
  SmallVector<PrivateArray> arrays;
  for (auto [argument, kind] : kinds)
    if (kind)
      arrays.push_back({argument, *kind});
  return arrays;
}

int64_t privateBytes(size_t arrays) { return bytesOfBlock / static_cast<int64_t>(llvm::PowerOf2Ceil(arrays)); }

LogicalResult KernelBuilder::buildPrivately(Value group, function_ref<LogicalResult(Value)> work) {
  SmallVector<PrivateArray> arrays = privateArrays(program);
  for (const PrivateArray &array : arrays)
    builder.create<tile::PrivateOpenOp>(loc, array.kind, kernel.getArgument(array.argument),
                                        privateBytes(arrays.size()));
  if (failed(buildPersistent(group, work)))
    return failure();
  for (const PrivateArray &array : arrays)
    builder.create<tile::PrivateFlushOp>(loc, array.kind, kernel.getArgument(array.argument));
  kernel.walk([&](tile::AtomicOp atomic) {
    unsigned argument = tile::arrayOf(atomic.getRef()).getArgNumber();
    if (llvm::any_of(arrays, [&](const PrivateArray &array) { return array.argument == argument; }))
      atomic.setPrivately(true);
  });
  kernel->setAttr(tile::ctasPerMultiprocessor, builder.getI64IntegerAttr(ctasOfMultiprocessor));
  return success();
}

Value LaunchBuilder::stayingBlocks(const Program &program, Value groups) {
  return plan.staying(plan.ceilDiv(groups, program.shape.threads / program.group), ctasOfMultiprocessor);
}

/// Whether shared memory holds the arrays, whose elements are neighbours, and each element gets several updates from a
/// CTA.
Value LaunchBuilder::combineMuch(const Program &program, ArrayRef<PrivateArray> arrays) {
  OpBuilder &builder = plan.get();
  Location loc = launch.getLoc();
  SmallVector<Value> copied;
  Value together = plan.constant(0), holds;
  for (const PrivateArray &array : arrays) {
    auto type = cast<tile::ArrayType>(plan.arguments()[array.argument].getType());
    Value elements = plan.elementsOf(array.argument);
    Value fits = compare(arith::CmpIPredicate::sle, elements,
                         privateBytes(arrays.size()) / tile::bytesOf(type.getElementType()));
    holds = holds ? builder.create<arith::AndIOp>(loc, holds, fits).getResult() : fits;
    together = builder.createOrFold<arith::AddIOp>(loc, together, elements);
    auto row = tile::ArrayType::get(builder.getContext(), type.getElementType(), 1, type.getReadOnly());
    copied.push_back(builder.create<tile::FlattenOp>(loc, row, plan.arguments()[array.argument]));
  }
  Value areRows = builder.create<tile::DenseOp>(loc, copied, /*bytes=*/1, /*contiguous=*/false);
  holds = builder.create<arith::AndIOp>(loc, holds, areRows);
  int64_t perGroup = 1;
  for (const Domain &domain : program.domains)
    perGroup = std::max(perGroup, domain.subTileElements());
  Value groups = plan.groups(program), blocks = stayingBlocks(program, groups);
  auto multiply = [&](Value a, Value b) { return builder.createOrFold<arith::MulIOp>(loc, a, b); };
  Value updates = multiply(groups, plan.constant(perGroup));
  Value least = multiply(multiply(together, plan.constant(leastUpdates)), blocks);
  Value areMany = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sge, updates, least);
  return builder.create<arith::AndIOp>(loc, holds, areMany);
}

LogicalResult LaunchBuilder::runPrivate(const Program &general) {
  SmallVector<PrivateArray> arrays = privateArrays(general);
  if (!general.shape.variants.isPrivate || arrays.empty())
    return success();
  GroupShape shape = general.shape;
  shape.perThread *= accessesInFlight / (launch.getGrid().empty() ? 1 : 2); // Of a grid, Domain.cpp doubles them.
  shape.combinesPrivately = true;
  FailureOr<Program> program = analyse(launch, extents, shape, ResidentDims());
  if (failed(program))
    return failure();
  bool gains = false;
  FailureOr<tile::KernelOp> aligned = build(*program, "_private", Rows::aligned, &gains);
  FailureOr<tile::KernelOp> contiguous = build(*program, "_private", Rows::contiguous);
  if (failed(aligned) || failed(contiguous))
    return failure();
  remark("arrays of at most " + Twine(privateBytes(arrays.size())) + " bytes that get many updates an element",
         "CTAs combine these in shared memory (" + contiguous->getSymName() + ")");
  scf::IfOp isServed =
      branch(plan.get().create<arith::AndIOp>(launch.getLoc(), isContiguous(), combineMuch(*program, arrays)));
  if (gains) {
    scf::IfOp dense = branch(isDense());
    launchKernel(*program, *aligned);
    otherwise(dense);
  } else {
    aligned->erase();
  }
  launchKernel(*program, *contiguous);
  otherwise(isServed);
  return success();
}

} // namespace tegula::split
