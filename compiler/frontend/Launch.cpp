// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tg::pallas_call: the grid, the blocks, and the body as the region of a tile.launch.
#include "frontend/Importer.h"

#include "ir/ApproxMath.h"
#include "ir/GridOps.h"
#include "ir/KernelAttributes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace tegula::frontend {

// ---- What a launch brings into its body -----------------------------------------------------------------------------

mlir::Value Importer::argumentOf(mlir::Value array, tile::Access access) {
  array = batches.baseOf(array);
  auto found = llvm::find(launch->arrays, array);
  if (found != launch->arrays.end()) {
    tile::Access &known = launch->accesses[found - launch->arrays.begin()];
    if (known != access)
      known = tile::Access::InOut;
    return launch->inside[array];
  }
  auto type = cast<tile::ArrayType>(array.getType());
  mlir::Block &body = launch->op.getBody().front();
  mlir::Value inside = body.insertArgument(launch->arrays.size(), tile::RefType::ofArray(type), array.getLoc());
  launch->arrays.push_back(array);
  launch->accesses.push_back(access);
  return launch->inside[array] = inside;
}

mlir::Value Importer::captured(mlir::Value value) {
  if (auto type = dyn_cast<tile::ArrayType>(value.getType())) {
    bool isKnown = launch->inside.contains(batches.baseOf(value));
    auto found = llvm::find(launch->arrays, batches.baseOf(value));
    // A captured array that is a block of the launch, too, keeps its use: the same places are meant.
    tile::Access access = type.getReadOnly() ? tile::Access::In
                          : isKnown && launch->accesses[found - launch->arrays.begin()] != tile::Access::In
                              ? launch->accesses[found - launch->arrays.begin()]
                              : tile::Access::InOut;
    mlir::Value inside = argumentOf(value, access);
    const BatchedArray *batched = batches.find(value);
    if (!batched)
      return inside;
    mlir::Value &slice = launch->inside[value];
    if (!slice)
      slice = sliceInside(*batched, inside);
    return slice;
  }
  if (mlir::Value inside = launch->inside.lookup(value))
    return inside;
  mlir::Attribute constant;
  if (mlir::matchPattern(value, mlir::m_Constant(&constant)))
    return constantOf(cast<mlir::TypedAttr>(constant));
  launch->scalars.push_back(value);
  return launch->inside[value] = launch->op.getBody().front().addArgument(value.getType(), value.getLoc());
}

mlir::Value Importer::batchIndex(unsigned level, mlir::Location at) {
  return builder.create<tile::ProgramIdOp>(at, builder.getI64Type(), level);
}

mlir::Value Importer::sliceInside(const BatchedArray &batched, mlir::Value inside) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&launch->op.getBody().front());
  mlir::Location at = launch->op.getLoc();
  mlir::SmallVector<mlir::Value> offsets;
  mlir::SmallVector<int32_t> modes;
  auto type = cast<tile::RefType>(inside.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    const BatchedArray::Axis *axis = batched.axisAt(dim);
    if (axis)
      offsets.push_back(batchIndex(axis->level, at));
    modes.push_back(static_cast<int32_t>(axis ? tile::SliceMode::Element : tile::SliceMode::Whole));
  }
  mlir::SmallVector<int64_t> dims(type.getRank() - static_cast<int64_t>(batched.axes.size()),
                                  mlir::ShapedType::kDynamic);
  return builder.create<tile::SliceOp>(at, tile::RefType::get(type.getElementType(), dims), inside, offsets,
                                       mlir::ValueRange(), modes, /*spec=*/true);
}

void Importer::finishLaunch(Launch &finished) {
  mlir::SmallVector<mlir::Value> arguments(finished.arrays);
  llvm::append_range(arguments, finished.scalars);
  mlir::SmallVector<mlir::Attribute> accesses;
  for (tile::Access access : finished.accesses)
    accesses.push_back(tile::AccessAttr::get(builder.getContext(), access));
  accesses.append(finished.scalars.size(), tile::AccessAttr::get(builder.getContext(), tile::Access::Scalar));
  finished.op.getArgumentsMutable().assign(arguments);
  finished.op.setAccessAttr(builder.getArrayAttr(accesses));
}

// ---- Options --------------------------------------------------------------------------------------------------------

std::optional<SmallVector<Leaf>> Importer::gridOf(Object *grid, SourceLocation where) {
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  SmallVector<Leaf> sizes;
  bool hasEnded = false;
  for (auto [i, axis] : llvm::enumerate(grid->parts)) {
    Leaf size = read(axis, s64, where);
    if (!size)
      return std::nullopt;
    std::optional<int64_t> constant = constantInt(size);
    if (constant == absentSize) {
      hasEnded = true;
    } else if (hasEnded || (constant && *constant < 0)) {
      std::string given = constant ? std::to_string(*constant) : "a run-time value";
      report(DiagnosticKind::Grid, where)
          << int64_t(i) << given + (hasEnded ? ", and a size before it is missing" : "");
      return std::nullopt;
    } else {
      sizes.push_back(size);
    }
  }
  return sizes;
}

bool Importer::productOptions(const LValue &options, SourceLocation where, ProductOptions &products) {
  struct Option {
    const char *name;
    int64_t &value;
    int64_t least, most, step;
    const char *rule;
  };
  const Option all[] = {
      {"num_consumers", products.consumers, 1, 3, 1, "the number of consumer warpgroups is 1 to 3"},
      {"tile_n", products.columns, 64, 256, 64, "a sub-tile has a multiple of 64 columns, at most 256"},
      {"tile_k", products.depth, 16, 256, 16, "a step contracts a multiple of 16 elements, at most 256"},
      {"num_stages", products.stages, 2, 8, 1, "the ring in shared memory has 2 to 8 stages"},
      {"cluster", products.cluster, 1, 2, 1, "a cluster has 1 or 2 CTAs"},
  };
  for (const Option &option : all) {
    std::optional<int64_t> value = constantOption(options, option.name, where);
    if (!value)
      return false;
    option.value = *value;
    if (*value == 0 || (*value >= option.least && *value <= option.most && *value % option.step == 0))
      continue;
    report(DiagnosticKind::ProductOption, where) << option.name << *value << option.rule;
    return false;
  }
  return true;
}

bool Importer::approxMathOption(const LValue &options, SourceLocation where, Launch &launch) {
  std::optional<int64_t> value = constantOption(options, "approx_math", where);
  launch.hasApproxMath = value.value_or(0) != 0;
  return value.has_value();
}

bool Importer::launchOptions(const Expr *options, Launch &launch, mlir::SmallVectorImpl<mlir::Value> &grid) {
  LValue lvalue = evaluateOperand(options);
  SourceLocation where = options->getExprLoc();
  if (!lvalue.object || lvalue.object->isPoisoned || !approxMathOption(lvalue, where, launch) ||
      !productOptions(lvalue, where, launch.products))
    return false;
  std::optional<SmallVector<Leaf>> sizes = gridOf(lvalue.object->parts.front(), where);
  if (!sizes)
    return false;
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  for (const Leaf &size : *sizes)
    launch.programAxes.push_back({false, indexOf(size, s64, where), {}});
  if (!axesOption(lvalue, where, launch))
    return false;
  for (const Launch::ProgramAxis &axis : launch.programAxes)
    if (!axis.isSequential)
      grid.push_back(axis.size);
  return true;
}

// ---- Blocks ---------------------------------------------------------------------------------------------------------

void callOperators(const ASTContext &ast, const Object &map, SmallVectorImpl<const FunctionDecl *> &found) {
  if (const FunctionDecl *function = map.leaf.function()) {
    found.push_back(function);
    return;
  }
  const CXXRecordDecl *record = map.type->getAsCXXRecordDecl();
  if (!record)
    return;
  for (const NamedDecl *member : record->lookup(ast.DeclarationNames.getCXXOperatorName(OO_Call))) {
    if (const auto *generic = dyn_cast<FunctionTemplateDecl>(member))
      llvm::append_range(found, generic->specializations());
    else if (const auto *method = dyn_cast<CXXMethodDecl>(member))
      found.push_back(method);
  }
}

/// The instance of the map that takes one index per axis of the grid.
const FunctionDecl *Importer::mapOf(const Spec &spec, int64_t gridRank) {
  SmallVector<const FunctionDecl *> found;
  callOperators(ast, *spec.map, found);
  const FunctionDecl *other = nullptr;
  for (const FunctionDecl *function : found) {
    bool takesIntegers = llvm::all_of(function->parameters(), [](const ParmVarDecl *parameter) {
      return parameter->getType().getNonReferenceType()->isIntegerType();
    });
    if (takesIntegers && function->getNumParams() == gridRank)
      return function;
    other = function;
  }
  report(DiagnosticKind::MapArity, spec.where) << int64_t(other ? other->getNumParams() : 0) << gridRank;
  return nullptr;
}

bool Importer::blockIndex(const Spec &spec, ArrayRef<mlir::Value> indices, SmallVectorImpl<Object *> &index) {
  const FunctionDecl *map = mapOf(spec, indices.size());
  if (!map)
    return false;
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  SmallVector<Argument> arguments;
  for (mlir::Value id : indices)
    arguments.push_back({nullptr, holding(id, s64)});
  CallResult result = run(map, spec.map, arguments, nullptr, spec.where);
  if (!result.lvalue.object || result.lvalue.object->isPoisoned)
    return false;
  index.assign(result.lvalue.object->parts);
  if (index.size() == spec.block.size())
    return true;
  report(DiagnosticKind::MapRank, spec.where) << int64_t(index.size()) << int64_t(spec.block.size());
  return false;
}

/// The part of the array that a program sees.
Leaf Importer::blockOf(const Spec &spec, ArrayRef<mlir::Value> programIds) {
  return windowOf(spec, argumentOf(spec.array, spec.access), programIds, /*isSpec=*/true);
}

Leaf Importer::windowOf(const Spec &spec, mlir::Value array, ArrayRef<mlir::Value> indices, bool isSpec) {
  const BatchedArray *batched = batches.find(spec.array);
  if (!spec.map)
    return batched ? sliceInside(*batched, array) : array;
  SmallVector<Object *> index;
  if (!blockIndex(spec, indices, index))
    return {};
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  mlir::Location at = locate(spec.where);
  mlir::SmallVector<mlir::Value> offsets, sizes;
  mlir::SmallVector<int32_t> modes;
  mlir::SmallVector<int64_t> dims;
  int64_t arrayDim = 0; // Of the whole array, batches included.
  auto passBatches = [&] {
    for (; batched && batched->axisAt(arrayDim); ++arrayDim) {
      offsets.push_back(batchIndex(batched->axisAt(arrayDim)->level, at));
      modes.push_back(static_cast<int32_t>(tile::SliceMode::Element));
    }
    ++arrayDim;
  };
  for (auto [i, coordinate] : llvm::enumerate(index)) {
    passBatches();
    bool countsElements = types.is(coordinate->type, Known::Element);
    Object *number = countsElements ? coordinate->parts.front() : coordinate;
    Leaf leaf = read(number, number->type, spec.where);
    if (!leaf)
      return {};
    bool isRunTime = !spec.sizes.empty();
    int64_t block = spec.block[i];
    if (!isRunTime && block < 0) { // tg::whole
      if (countsElements || !leaf.isConstant() || *constantInt(leaf) != 0) {
        std::string given = countsElements      ? "a tg::element"
                            : leaf.isConstant() ? std::to_string(*constantInt(leaf))
                                                : "a run-time value";
        report(DiagnosticKind::MapOfWhole, spec.where) << int64_t(i) << given;
        return {};
      }
      modes.push_back(static_cast<int32_t>(tile::SliceMode::Whole));
      dims.push_back(mlir::ShapedType::kDynamic);
      continue;
    }
    mlir::Value size = isRunTime ? captured(spec.sizes[i]) : mlir::Value();
    if (!isRunTime && block > 0 && !countsElements)
      size = constantOf(builder.getI64Type(), block);
    Leaf offset = convert(leaf, number->type, s64, spec.where);
    if (size && !countsElements)
      offset = binary(BO_Mul, offset, s64, Leaf(size), s64, spec.where);
    offsets.push_back(materialize(offset, s64, spec.where));
    bool isSqueezed = !isRunTime && block == 0;
    modes.push_back(static_cast<int32_t>(isSqueezed ? tile::SliceMode::Element : tile::SliceMode::Window));
    if (isRunTime)
      sizes.push_back(size);
    if (!isSqueezed)
      dims.push_back(isRunTime ? mlir::ShapedType::kDynamic : tile::RefType::atMost(block));
  }
  passBatches();
  bool takesElement = !modes.empty() && static_cast<tile::SliceMode>(modes.front()) == tile::SliceMode::Element;
  auto type = cast<tile::RefType>(array.getType()).sliced(takesElement, dims);
  return Leaf(builder.create<tile::SliceOp>(at, type, array, offsets, sizes, modes, isSpec));
}

// ---- The launch -----------------------------------------------------------------------------------------------------

const CallExpr *bodyCall(const Stmt *statement) {
  if (!statement)
    return nullptr;
  if (const auto *call = dyn_cast<CallExpr>(statement)) {
    const FunctionDecl *callee = call->getDirectCallee();
    return callee && isInLanguage(callee->getDeclContext()) ? nullptr : call;
  }
  for (const Stmt *child : statement->children())
    if (const CallExpr *call = bodyCall(child))
      return call;
  return nullptr;
}

/// An array that a launch writes appears in it once.
bool Importer::checkArrays(ArrayRef<const Spec *> blocks) {
  llvm::DenseMap<mlir::Value, const Spec *> seen;
  for (const Spec *block : blocks) {
    if (!block->array)
      continue;
    auto [entry, isNew] = seen.try_emplace(batches.baseOf(block->array), block);
    if (isNew || (block->access == tile::Access::In && entry->second->access == tile::Access::In))
      continue;
    report(DiagnosticKind::ArrayTwice, block->where);
    return false;
  }
  return true;
}

CallResult Importer::pallasCall(const IntrinsicCall &call) {
  ArrayRef<const Expr *> arguments = call.arguments;
  Launch current;
  mlir::SmallVector<mlir::Value> grid;
  bool isValid = true;
  if (types.is(arguments.front()->getType(), Known::PallasOptions)) {
    isValid = launchOptions(arguments.front(), current, grid);
    arguments = arguments.drop_front();
  }
  const Expr *bodyExpr = arguments.front();
  Object *body = temporary(bodyExpr);
  SmallVector<const Spec *> blocks;
  for (const Expr *argument : arguments.drop_front()) {
    LValue lvalue = evaluateOperand(argument);
    isValid &= lvalue.object && lvalue.object->spec;
    if (isValid)
      blocks.push_back(lvalue.object->spec);
    if (isValid && blocks.back()->hasPipelineOptions())
      report(DiagnosticKind::SpecOptions, argument->getExprLoc());
  }
  if (!isValid || body->isPoisoned || !checkArrays(blocks))
    return {};
  const CallExpr *inner = bodyCall(call.callee->getBody());
  const FunctionDecl *function = inner ? inner->getDirectCallee() : nullptr;
  if (!function)
    function = body->leaf.function();
  if (!function) {
    report(DiagnosticKind::UnsupportedExpression, bodyExpr->getExprLoc()) << bodyExpr->getSourceRange();
    return {};
  }

  SmallVector<OptionalArray> optional;
  llvm::SmallPtrSet<const Spec *, 4> absent;
  for (const Spec *block : blocks) {
    if (block->array && !isKnownPresent(block->array).value_or(false))
      optional.push_back({block->array, block});
    if (block->isAbsent)
      absent.insert(block);
  }
  importVersions(optional, current, absent, call.where(), [&](Launch &version) {
    importLaunch(call, version, grid, [&] { runProgram(call, function, *body, blocks, absent); });
  });
  return {};
}

void Importer::importLaunch(const IntrinsicCall &call, Launch &current, ArrayRef<mlir::Value> grid,
                            llvm::function_ref<void()> program) {
  current.gridRank = current.isExplicit ? grid.size() : current.programAxes.size();
  mlir::SmallVector<mlir::Value> axes(batches.sizes());
  llvm::append_range(axes, grid);
  constexpr size_t most = 6;
  if (axes.size() > most) {
    report(DiagnosticKind::VmapGrid, call.where()) << int64_t(axes.size());
    return;
  }
  current.op = builder.create<tile::LaunchOp>(
      locate(call.where()), axes, mlir::ValueRange(), builder.getArrayAttr({}),
      builder.getStringAttr(entryName + "_" + std::to_string(launches++)),
      current.isExplicit ? builder.getI64IntegerAttr(current.threads) : mlir::IntegerAttr(),
      current.cluster.empty() ? mlir::DenseI64ArrayAttr() : builder.getDenseI64ArrayAttr(current.cluster));
  current.products.setOn(current.op);
  if (current.hasApproxMath)
    setApproxMath(current.op);
  if (current.maxRegisters > 0)
    current.op->setAttr(tile::maxRegisters, builder.getI64IntegerAttr(current.maxRegisters));
  if (current.hasNoAutoBarriers)
    current.op->setAttr(tile::noAutoBarriers, builder.getUnitAttr());
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&current.op.getBody());
  launch = &current;
  program();
  endTrace();
  builder.create<tile::YieldOp>(current.op.getLoc());
  launch = nullptr;
  if (current.waits)
    current.op->setAttr(current.waitsForEarlier ? tile::waitsForEarlier : tile::residentAtOnce, builder.getUnitAttr());
  finishLaunch(current);
  reportTrace(current);
  if (!current.recordOnHost)
    return;
  builder.setInsertionPointAfter(current.op);
  SmallVector<StringRef> messages(current.failures.begin(), current.failures.end());
  builder.create<tile::ReportOp>(current.op.getLoc(), current.recordOnHost, builder.getStrArrayAttr(messages), axes);
}

void Importer::runProgram(const IntrinsicCall &call, const FunctionDecl *function, Object &body,
                          ArrayRef<const Spec *> blocks, const llvm::SmallPtrSetImpl<const Spec *> &absent) {
  InLanguage scope(*this, call.callee, call.where());
  Frame &header = scope.frame;
  mlir::OpBuilder::InsertionGuard guard(builder);
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  bool namesObject = method && method->isExplicitObjectMemberFunction();
  auto parameters = function->parameters().drop_front(namesObject);
  SmallVector<Object *> scratch;
  for (auto [block, parameter] : llvm::zip(blocks, parameters))
    scratch.push_back(block->isScratch ? makeScratch(*block, parameter) : nullptr);
  beginSequentialAxes(*header.callLocation);
  mlir::SmallVector<mlir::Value> ids;
  if (llvm::any_of(blocks, [](const Spec *block) { return block->map; }))
    for (int64_t i = 0; i < launch->gridRank; ++i)
      ids.push_back(programIndex(i, *header.callLocation));
  SmallVector<Argument> arguments;
  for (auto [block, parameter, tile] : llvm::zip(blocks, parameters, scratch)) {
    header.callSite = block->where;
    if (tile) {
      arguments.push_back({nullptr, tile});
      continue;
    }
    if (absent.contains(block)) {
      Object *none = holding({}, parameter->getType());
      none->isPoisoned = false;
      none->isAbsent = true;
      arguments.push_back({nullptr, none});
      continue;
    }
    Leaf ref = blockOf(*block, ids);
    if (!ref)
      return;
    name(ref.value(), parameter->getName());
    arguments.push_back({nullptr, holding(ref, parameter->getType())});
  }
  hoistBlocks(launch->op, builder.getInsertionBlock());
  header.callSite = call.where();
  if (method && !namesObject && !method->isConst()) // A mutable lambda: every program has its own.
    makeMutable(body, call.where());
  run(function, &body, arguments, nullptr, call.where());
}

} // namespace tegula::frontend
