// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch of the explicit level: local variables that are shared memory, barriers, accumulators, or rings of pipelines.
#include "frontend/Importer.h"
#include "ir/Cluster.h"
#include "support/Barriers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include "clang/AST/DeclTemplate.h"

#include <numeric>

using namespace clang;

namespace tegula::frontend {

void Importer::goToLaunchStart() {
  if (launch->hoisted)
    return builder.setInsertionPointAfter(launch->hoisted);
  auto isConstant = [](mlir::Operation &op) { return op.hasTrait<mlir::OpTrait::ConstantLike>(); };
  mlir::Block &body = launch->op.getBody().front();
  builder.setInsertionPoint(&body, llvm::find_if_not(body, isConstant));
}

mlir::Value Importer::hoisted(mlir::Operation *op) {
  launch->hoisted = op;
  return op->getNumResults() ? op->getResult(0) : mlir::Value();
}

mlir::Value Importer::makeState(mlir::Type type, int64_t value, mlir::Location where) {
  mlir::Value constant = constantOf(type, value);
  mlir::OpBuilder::InsertionGuard guard(builder);
  goToLaunchStart();
  mlir::Value variable =
      hoisted(builder.create<tile::VariableOp>(where, tile::VariableType::get(builder.getContext(), type)));
  hoisted(builder.create<tile::SetOp>(where, constant, variable));
  return variable;
}

mlir::Value Importer::makeBarriers(int64_t count, int64_t arrivals, ArrayRef<int64_t> clusterAxes, SourceLocation where,
                                   bool isLeaderTracked) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Location at = locate(where);
  goToLaunchStart();
  return hoisted(builder.create<tile::AllocBarriersOp>(
      at, tile::BarriersType::get(builder.getContext(), count), arrivals,
      clusterAxes.empty() ? mlir::DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(clusterAxes), mlir::IntegerAttr(),
      /*frees=*/false, /*everywhere=*/false, isLeaderTracked && !clusterAxes.empty()));
}

/// The extents of an array of barriers.
static SmallVector<int64_t, 2> shapeOf(QualType barriers) {
  const auto *record = cast<ClassTemplateSpecializationDecl>(barriers->getAsCXXRecordDecl());
  SmallVector<int64_t, 2> shape;
  for (const TemplateArgument &extent : record->getTemplateArgs()[0].pack_elements())
    shape.push_back(extent.getAsIntegral().getSExtValue());
  return shape;
}

static int64_t countOf(ArrayRef<int64_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

void Importer::allocateNamedBarriers(Object &object, SourceLocation where) {
  int64_t threads = launch->threads;
  Object *option = this->option(&object, "num_threads");
  Leaf value = option ? read(option, option->type, where) : Leaf();
  int64_t many = constantInt(value).value_or(0);
  object.isPoisoned = true;
  if (!value)
    return;
  if (many < 1 || many > threads) {
    report(DiagnosticKind::NamedThreads, where)
        << threads << (value.isConstant() ? std::to_string(many) : "a run-time value");
    return;
  }
  Barriers &made = barriers.emplace_back();
  made.shape = shapeOf(object.type);
  object.barriers = &made;
  made.barriers = makeNamedBarriers(countOf(made.shape), many, where);
  object.isPoisoned = !made.barriers;
  if (object.isPoisoned)
    object.barriers = nullptr;
}

mlir::Value Importer::makeNamedBarriers(int64_t count, int64_t many, SourceLocation where) {
  int64_t threads = launch->threads;
  int64_t first = threads + launch->namedBarriers, free = freeBarriers(threads);
  launch->namedBarriers += count;
  if (launch->namedBarriers > free) {
    report(DiagnosticKind::NamedBarriers, where) << threads << free << launch->namedBarriers;
    return {};
  }
  mlir::OpBuilder::InsertionGuard guard(builder);
  goToLaunchStart();
  return hoisted(builder.create<tile::AllocNamedBarriersOp>(
      locate(where), tile::BarriersType::get(builder.getContext(), count), many, first));
}

bool Importer::makePipelineMeeting(int64_t threads, SourceLocation where) {
  if (!launch->pipelineMeeting) {
    launch->pipelineMeeting = makeNamedBarriers(1, threads, where);
    if (launch->pipelineMeeting)
      name(launch->pipelineMeeting, "stored");
  }
  return static_cast<bool>(launch->pipelineMeeting);
}

Barriers *Importer::makeBlockBarriers(mlir::Value made, Barriers::Use use) {
  Barriers &block = barriers.emplace_back();
  block.barriers = made;
  block.use = use;
  return &block;
}

void Importer::allocateBarriers(Object &object, SourceLocation where) {
  std::optional<int64_t> arrivals = constantOption(&object, "num_arrivals", where);
  SmallVector<int64_t> axes;
  bool isCluster = types.is(object.type, Known::ClusterBarrier);
  if (!arrivals || (isCluster && !clusterAxesOf(option(&object, "collective_axes"), where, axes))) {
    object.isPoisoned = true;
    return;
  }
  std::optional<int64_t> isLeaderTracked = isCluster ? constantOption(&object, "leader_tracked", where) : 0;
  object.isPoisoned = !isLeaderTracked;
  if (!isLeaderTracked)
    return;
  SmallVector<const LaunchAxis *> named;
  if (*isLeaderTracked && (!axesOf(option(&object, "collective_axes"), where, named) || named.size() != 1)) {
    report(DiagnosticKind::LeaderTracked, where) << static_cast<int64_t>(named.size());
    object.isPoisoned = true;
    return;
  }
  *arrivals *= tile::ClusterShape(launch->cluster).countCrossing(axes);
  constexpr int64_t most = (1 << 20) - 1; // PTX ISA, mbarrier.init
  if (*arrivals < 1 || *arrivals > most) {
    report(DiagnosticKind::Arrivals, where) << most << *arrivals;
    object.isPoisoned = true;
    return;
  }
  Barriers &made = barriers.emplace_back();
  made.shape = shapeOf(object.type);
  int64_t count = countOf(made.shape);
  made.barriers = makeBarriers(count, *arrivals, axes, where, *isLeaderTracked != 0);
  made.phases = makeState(count == 1 ? builder.getI1Type() : builder.getI32Type(), 0, locate(where));
  object.barriers = &made;
}

std::optional<int64_t> Importer::pinnedSwizzle(Object *transforms, SourceLocation where) {
  Object *pinned = transforms && !transforms->isPoisoned ? transforms->parts.front()->parts.front() : nullptr;
  Leaf value = pinned ? read(pinned, pinned->type, where) : Leaf();
  if (value && !value.integer())
    report(DiagnosticKind::ArgumentNotConstant, where) << ".transforms";
  return constantInt(value);
}

mlir::Value Importer::allocateShared(mlir::Type element, ArrayRef<int64_t> dims, int64_t swizzle,
                                     SourceLocation where) {
  // Units of 16 bytes change places within 8 rows of the swizzle's width.
  bool isSwizzle = swizzle == 0 || swizzle == 16 || swizzle == 32 || swizzle == 64 || swizzle == 128;
  int64_t rowBytes = (dims.empty() ? 1 : dims.back()) * tile::bytesOf(element);
  int64_t rows = dims.size() < 2 ? 1 : dims[dims.size() - 2];
  if (!isSwizzle || (swizzle > 16 && (rowBytes % swizzle != 0 || rows % 8 != 0))) {
    report(DiagnosticKind::Swizzle, where) << swizzle << rows << rowBytes;
    return {};
  }
  auto made = builder.create<tile::AllocOp>(locate(where), tile::RefType::inShared(element, dims, swizzle),
                                            mlir::IntegerAttr());
  if (!launch->groups.empty())
    made.setGroup(launch->groups);
  return made;
}

void Importer::allocateParts(Object &object, SourceLocation where) {
  bool isUnion = launch && !object.type->isArrayType() && object.type->isUnionType();
  int64_t number = isUnion ? launch->unions++ : 0;
  for (auto [i, part] : llvm::enumerate(object.parts)) {
    if (isUnion)
      launch->groups.append({number, static_cast<int64_t>(i)});
    allocate(*part, where);
    if (isUnion)
      launch->groups.pop_back_n(2);
  }
}

void Importer::free(ArrayRef<mlir::Value> memory, mlir::Location where) {
  // What a branch allocated is there to the end of the branch.
  mlir::SmallVector<mlir::Value> known;
  llvm::copy_if(memory, std::back_inserter(known),
                [&](mlir::Value value) { return value.getParentBlock() == builder.getInsertionBlock(); });
  if (!known.empty())
    builder.create<tile::FreeOp>(where, known);
}

void Importer::allocate(Object &object, SourceLocation where) {
  if (object.isPoisoned || object.type.isNull())
    return;
  Known kind = types.known(object.type);
  bool isScratch = kind == Known::Smem || kind == Known::Acc || kind == Known::Allocations ||
                   kind == Known::ProfileScope || types.isBarrier(object.type);
  if (!isScratch) {
    if (kind == Known::None && !types.isLeaf(object.type))
      allocateParts(object, where);
    return;
  }
  // A copy is another name for what it was copied from.
  if (object.leaf || object.barriers || object.allocations)
    return;
  if (!isExplicit()) {
    report(DiagnosticKind::ExplicitOnly, where) << ("tg::" + object.type->getAsCXXRecordDecl()->getName()).str();
    object.isPoisoned = true;
    return;
  }
  if (launch->warps && kind != Known::ProfileScope) {
    report(DiagnosticKind::WarpDeclaration, where) << ("tg::" + object.type->getAsCXXRecordDecl()->getName()).str();
    object.isPoisoned = true;
    return;
  }
  mlir::Location at = locate(where);
  switch (kind) {
  case Known::Smem: {
    ShapedClass shaped = types.shaped(object.type);
    object.leaf = Leaf(allocateShared(types.element(shaped.element), shaped.extents, object.swizzle, where));
    object.isPoisoned = !object.leaf;
    if (object.leaf)
      launch->scratch.push_back({object.leaf.value()});
    return;
  }
  case Known::Acc: {
    auto type = types.tile(object.type);
    if (object.variable.use_empty()) { // Nothing initialised it: zero.
      mlir::Value zero = constantOf(builder.getZeroAttr(type.getElementType()));
      mlir::Value tile = builder.create<tile::FullOp>(at, type, zero, mlir::ValueRange());
      builder.create<tile::SetOp>(at, tile, object.variable);
    }
    launch->accumulators.push_back(&object);
    return;
  }
  case Known::Allocations: {
    Allocations &made = allocations.emplace_back();
    // Marks the place: what the ring consists of, the first pipeline says.
    auto type = tile::VariableType::get(builder.getContext(), builder.getI1Type());
    made.declared = builder.create<tile::VariableOp>(at, type);
    made.where = where;
    object.allocations = &made;
    launch->scratch.push_back({{}, &made});
    return;
  }
  case Known::ProfileScope:
    return beginProfile(object, where);
  case Known::NamedBarrier:
    return allocateNamedBarriers(object, where);
  default:
    return allocateBarriers(object, where);
  }
}

} // namespace tegula::frontend
