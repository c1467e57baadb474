// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Batches.h"

#include "frontend/Importer.h"
#include "ir/Locations.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace clang;

namespace tegula::frontend {

llvm::SmallVector<int64_t> BatchedArray::dims() const {
  llvm::SmallVector<int64_t> dims;
  for (int64_t dim = 0; dim < cast<tile::ArrayType>(base.getType()).getRank(); ++dim)
    if (!axisAt(dim))
      dims.push_back(dim);
  return dims;
}

mlir::Value Batches::slice(mlir::OpBuilder &builder, mlir::Location at, BatchedArray array) {
  auto type = cast<tile::ArrayType>(array.base.getType());
  if (array.axes.empty())
    return array.base;
  int64_t rank = type.getRank() - static_cast<int64_t>(array.axes.size());
  auto sliced = tile::ArrayType::get(builder.getContext(), type.getElementType(), rank, type.getReadOnly());
  mlir::Value value = builder.create<mlir::UnrealizedConversionCastOp>(at, sliced, array.base).getResult(0);
  arrays[value] = std::move(array);
  return value;
}

/// Takes an element out of a list and puts it back elsewhere.
template <class List> static void moveElement(List &list, int64_t from, int64_t to) {
  if (from < to)
    std::rotate(list.begin() + from, list.begin() + from + 1, list.begin() + to + 1);
  else
    std::rotate(list.begin() + to, list.begin() + from, list.begin() + from + 1);
}

/// The dimensions of the ref stand in another order: those that are kept, in the old one.
static void moveModes(tile::SliceOp slice, int64_t from, int64_t to) {
  mlir::SmallVector<mlir::Value> offsets; // One per dimension, null where it is whole.
  for (unsigned dim = 0; dim < slice.getModes().size(); ++dim)
    offsets.push_back(slice.getMode(dim) == tile::SliceMode::Whole ? mlir::Value() : slice.getOffset(dim));
  mlir::SmallVector<int32_t> modes(slice.getModes());
  moveElement(offsets, from, to);
  moveElement(modes, from, to);
  llvm::erase(offsets, mlir::Value());
  slice.getOffsetsMutable().assign(offsets);
  slice.setModes(modes);
}

void Batches::move(tile::EmptyOp base, int64_t from, int64_t to) {
  if (from == to)
    return;
  mlir::SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(base.getDims().size()));
  moveElement(order, from, to);
  auto placeOf = [&](int64_t dim) { return llvm::find(order, dim) - order.begin(); };
  mlir::SmallVector<mlir::Value> dims(base.getDims());
  moveElement(dims, from, to);
  base.getDimsMutable().assign(dims);
  for (mlir::OpOperand &use : base->getUses()) {
    if (auto dim = dyn_cast<tile::DimOp>(use.getOwner()))
      dim.setAxis(placeOf(dim.getAxis()));
    else if (auto launch = dyn_cast<tile::LaunchOp>(use.getOwner()))
      // A program sees nothing but its slice.
      for (mlir::Operation *user :
           launch.getBody().getArgument(use.getOperandNumber() - launch.getGrid().size()).getUsers())
        moveModes(cast<tile::SliceOp>(user), from, to);
  }
  for (auto &[value, array] : arrays)
    if (array.base == base.getResult())
      for (BatchedArray::Axis &axis : array.axes)
        axis.dim = placeOf(axis.dim);
}

std::optional<SourceLocation> Batches::finish() {
  std::optional<SourceLocation> used;
  for (auto &[value, array] : arrays) {
    if (value.use_empty())
      value.getDefiningOp()->erase();
    else if (!used || array.where < *used)
      used = array.where;
  }
  arrays.clear();
  return used;
}

// ---- vmap -----------------------------------------------------------------------------------------------------------

mlir::Value Importer::dimOf(mlir::Value source, int64_t axis, mlir::Location at) {
  if (const BatchedArray *batched = batches.find(source)) {
    axis = batched->dims()[axis];
    source = batched->base;
  }
  return builder.create<tile::DimOp>(at, builder.getI64Type(), source, axis);
}

Leaf Importer::emptyArray(QualType type, ArrayRef<mlir::Value> dims, SourceLocation where) {
  auto array = cast<tile::ArrayType>(types.stored(type));
  ArrayRef<mlir::Value> sizes = batches.sizes();
  BatchedArray batched{{}, {}, where};
  for (unsigned level = 0; level < sizes.size(); ++level)
    batched.axes.push_back({level, level});
  constexpr size_t most = 6;
  if (sizes.size() + dims.size() > most) {
    report(DiagnosticKind::VmapRank, where) << int64_t(sizes.size() + dims.size());
    return {};
  }
  mlir::SmallVector<mlir::Value> all(sizes);
  llvm::append_range(all, dims);
  auto whole = tile::ArrayType::get(builder.getContext(), array.getElementType(), int64_t(all.size()), false);
  batched.base = builder.create<tile::EmptyOp>(locate(where), whole, all);
  return Leaf(batches.slice(builder, locate(where), batched));
}

bool Importer::refuseSliceOfBatch(const Leaf &value) {
  const BatchedArray *batched = value.value() ? batches.find(value.value()) : nullptr;
  if (batched)
    report(DiagnosticKind::VmapVariable, batched->where);
  return batched;
}

/// detail::slice_of: what an argument of vmap is inside.
CallResult Importer::sliceOf(const IntrinsicCall &call) {
  LValue argument = evaluateOperand(call.arguments[0]);
  QualType type = call.callee->getReturnType().getNonReferenceType();
  if (!argument.object || argument.object->isPoisoned || !types.is(argument.object->type, Known::Batched))
    return {{}, argument};
  Object *array = argument.object->parts[0];
  Leaf whole = read(array, array->type, call.where());
  std::optional<int64_t> axis = axisOfBatch(*argument.object, call.where());
  if (!whole || !axis)
    return {};
  const BatchedArray *outer = batches.find(whole.value());
  SourceLocation where = call.where();
  for (const Frame *inner = frame; inner->isInHeader && inner->caller; inner = inner->caller)
    where = inner->callSite;
  BatchedArray batched = outer ? *outer : BatchedArray{whole.value(), {}, where};
  int64_t dim = outer ? outer->dims()[*axis] : *axis;
  batched.axes.push_back({static_cast<unsigned>(batches.sizes().size() - 1), dim});
  return {{}, holding(Leaf(batches.slice(builder, locate(call.where()), batched)), type)};
}

/// The axis of a tg::over, which is a constant dimension of its array.
std::optional<int64_t> Importer::axisOfBatch(const Object &over, SourceLocation where) {
  int64_t rank = types.shaped(over.parts[0]->type).extents.size();
  std::optional<int64_t> axis = constantInt(read(over.parts[1], over.parts[1]->type, where));
  if (!axis)
    report(DiagnosticKind::ArgumentNotConstant, where) << "the axis of tg::over";
  else if (*axis < 0 || *axis >= rank)
    report(DiagnosticKind::NoSuchDimension, where) << *axis << rank;
  return axis && *axis >= 0 && *axis < rank ? axis : std::nullopt;
}

/// A dim of an array, as the source calls it.
static std::string describeDim(mlir::Value value) {
  auto dim = value.getDefiningOp<tile::DimOp>();
  StringRef name = tile::nameOf(dim.getSource());
  return (name.empty() ? "an array" : name.str()) + ".dim(" + std::to_string(dim.getAxis()) + ")";
}

/// The one size of all that vmap goes over; null if an argument is in error. An array that the caller left out has
/// none.
mlir::Value Importer::batchSize(ArrayRef<const Expr *> arguments, SourceLocation where) {
  mlir::Location at = locate(where);
  SmallVector<mlir::Value> sizes, optional;
  for (const Expr *argument : arguments) {
    QualType type = argument->getType().getNonReferenceType();
    if (!types.is(type, Known::Batched))
      continue;
    LValue over = evaluateOperand(argument);
    if (!over.object || over.object->isPoisoned)
      return {};
    std::optional<int64_t> axis = axisOfBatch(*over.object, where);
    Leaf array = read(over.object->parts[0], over.object->parts[0]->type, where);
    if (!axis || !array)
      return {};
    bool isGiven = isKnownPresent(array.value()).value_or(false);
    (isGiven ? sizes : optional).push_back(dimOf(array.value(), *axis, at));
  }
  if (sizes.empty()) {
    report(DiagnosticKind::VmapOptional, where);
    return {};
  }
  size_t given = sizes.size();
  llvm::append_range(sizes, optional);
  for (auto [i, other] : llvm::enumerate(ArrayRef(sizes).drop_front())) {
    mlir::Value holds = builder.create<mlir::arith::CmpIOp>(at, mlir::arith::CmpIPredicate::eq, sizes.front(), other);
    if (i + 1 >= given) {
      mlir::Value isThere = builder.create<tile::IsPresentOp>(at, other.getDefiningOp<tile::DimOp>().getSource());
      mlir::Value isAbsent = builder.create<mlir::arith::XOrIOp>(
          at, isThere, builder.create<mlir::arith::ConstantOp>(at, builder.getBoolAttr(true)));
      holds = builder.create<mlir::arith::OrIOp>(at, isAbsent, holds);
    }
    std::string message =
        describeDim(sizes.front()) + " and " + describeDim(other) + " differ, {} and {}, but tg::vmap maps over both";
    builder.create<tile::CheckOp>(at, holds, message, mlir::ValueRange{sizes.front(), other});
  }
  return sizes.front();
}

/// detail::batch: the call of the function, with the batch as another axis of its launches.
CallResult Importer::batch(const IntrinsicCall &call) {
  SourceLocation where = call.where();
  if (isOnDevice()) {
    report(DiagnosticKind::HostOnly, where) << "tg::vmap";
    return {};
  }
  const Expr *function = call.arguments[1];
  LValue options = evaluateOperand(call.arguments[0]);
  std::optional<int64_t> outAxis = constantOption(options, "out_axis", where);
  mlir::Value size = batchSize(ArrayRef(call.arguments).drop_front(2), where);
  if (!outAxis || !size)
    return {};
  batches.enter(size);
  if (types.is(function->getType(), Known::Array)) {
    Leaf result = evaluate(function);
    Leaf stacked = result ? stack(result.value(), *outAxis, where) : Leaf();
    batches.leave();
    return {stacked, {}};
  }
  Object *result = evaluateOperand(function).object, *stacked = temporary(call.type(), where);
  stacked->isPoisoned |= !result || result->isPoisoned;
  for (unsigned i = 0; i < stacked->parts.size() && !stacked->isPoisoned; ++i) { // Of a struct, array by array.
    Leaf array = read(result->parts[i], result->parts[i]->type, where);
    Leaf whole = array ? stack(array.value(), *outAxis, where) : Leaf();
    initialize(*stacked->parts[i], whole, where);
  }
  batches.leave();
  return {{}, stacked};
}

/// The array of which the function under vmap returned a slice.
Leaf Importer::stack(mlir::Value result, int64_t outAxis, SourceLocation where) {
  const BatchedArray *found = batches.find(result);
  auto level = static_cast<unsigned>(batches.sizes().size() - 1);
  auto base = found ? found->base.getDefiningOp<tile::EmptyOp>() : tile::EmptyOp();
  if (!base || !found->isTakenBy(level)) {
    report(DiagnosticKind::VmapResult, where);
    return {};
  }
  llvm::SmallVector<int64_t> dims = found->dims();
  auto rank = static_cast<int64_t>(dims.size());
  if (outAxis < 0 || outAxis > rank) {
    report(DiagnosticKind::VmapOutAxis, where) << outAxis << rank;
    return {};
  }
  const auto *mine = llvm::find_if(found->axes, [&](const auto &axis) { return axis.level == level; });
  int64_t from = mine->dim, to = outAxis == rank ? int64_t(base.getDims().size()) : dims[outAxis];
  batches.move(base, from, to > from ? to - 1 : to);
  BatchedArray stacked = *batches.find(result);
  llvm::erase_if(stacked.axes, [&](const auto &axis) { return axis.level == level; });
  return Leaf(batches.slice(builder, locate(where), stacked));
}

} // namespace tegula::frontend
