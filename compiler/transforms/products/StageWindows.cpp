// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/products/StageWindows.h"

#include "ir/Expressions.h"

using namespace mlir;

namespace tegula {

/// What one cp.async copies.
static constexpr int64_t unitBytes = 16;

int64_t depthDimOf(const Factor &factor) {
  SmallVector<int64_t> dims = tile::arrayDimsOf(tile::LoadOp(factor.load).getRef());
  return dims[0] == static_cast<int64_t>(factor.side) ? dims[1] : dims[0];
}

/// Whether a step loads what a factor's window is found by.
static bool loadsPlace(const Factor &factor, scf::ForOp loop) {
  llvm::SetVector<Value> values;
  values.insert(tile::LoadOp(factor.load).getRef());
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op || !loop->isProperAncestor(op))
      continue;
    if (isa<tile::LoadOp>(op))
      return true;
    values.insert(op->operand_begin(), op->operand_end());
  }
  return false;
}

StageWindows::StageWindows(OpBuilder &builder, tile::KernelOp kernel, const Mainloop &mainloop)
    : builder(builder), loc(scf::ForOp(mainloop.loop).getLoc()), kernel(kernel), loop(mainloop.loop),
      consumers(*kernel.getConsumers()), position(positionIn(kernel)),
      hasLoads(llvm::any_of(mainloop.factors, [&](const Factor &factor) { return loadsPlace(factor, loop); })) {}

/// An integer in the step that `clones` has, from the first consumer's rows on.
Value StageWindows::copyOf(Value value, IRMapping &clones) {
  return cloneExpression(builder, value, clones, [&](Value each) -> std::optional<Value> {
    Operation *op = each.getDefiningOp();
    if (!op || (!loop->isProperAncestor(op) && !(position.member && dependsOn(each, position.member))))
      return each;
    return std::nullopt;
  });
}

/// A window of an array, for all consumers: as many times larger where they have parts of it.
Value StageWindows::windowOf(Value ref, IRMapping &clones) {
  Operation *view = ref.getDefiningOp();
  if (!view)
    return ref;
  if (auto slice = dyn_cast<tile::SliceOp>(view))
    return windowOf(slice, clones);
  auto transpose = cast<tile::TransposeOp>(view);
  Value source = windowOf(transpose.getSource(), clones);
  auto type = cast<tile::RefType>(source.getType());
  SmallVector<int64_t> dims;
  for (int64_t from : transpose.getPermutation())
    dims.push_back(type.getDims()[from]);
  return builder.create<tile::TransposeOp>(loc, tile::RefType::get(type.getElementType(), dims), source,
                                           transpose.getPermutation());
}

Value StageWindows::windowOf(tile::SliceOp slice, IRMapping &clones) {
  SmallVector<int64_t> ofArray = tile::arrayDimsOf(slice.getSource());
  // The window that is closest to the product is the step.
  Value inStep;
  auto isStep = [&](unsigned dim) {
    return ofArray[dim] == depthDim && slice.getMode(dim) == tile::SliceMode::Window && !slice.getSize(dim) &&
           slice.getBound(dim) == stepDepth;
  };
  if (llvm::any_of(llvm::seq<unsigned>(0, ofArray.size()), isStep))
    inStep = std::exchange(within, Value());
  Value source = windowOf(slice.getSource(), clones);
  ArrayRef<int64_t> before = slice.getSource().getType().getDims(),
                    after = cast<tile::RefType>(source.getType()).getDims();
  tile::RefType type = slice.getType();
  SmallVector<int64_t> dims(type.getDims());
  SmallVector<Value> offsets, sizes;
  for (unsigned dim = 0, kept = 0; dim < ofArray.size(); ++dim) {
    Value offset = slice.getOffset(dim);
    bool isOfMember = offset && position.member && dependsOn(offset, position.member);
    if (offset)
      offsets.push_back(copyOf(offset, clones));
    if (slice.getSize(dim))
      sizes.push_back(copyOf(slice.getSize(dim), clones));
    if (slice.getMode(dim) == tile::SliceMode::Element)
      continue;
    if (slice.getMode(dim) == tile::SliceMode::Whole)
      dims[kept] = after[dim];
    else if (isOfMember || before[dim] != after[dim])
      dims[kept] *= consumers;
    if (inStep && isStep(dim)) {
      offsets.back() = builder.create<arith::AddIOp>(loc, offsets.back(), inStep);
      dims[kept] = tile::RefType::atMost(depth);
    }
    ++kept;
  }
  auto window = tile::RefType::get(type.getElementType(), dims, type.getAlignment(), type.getIsEven());
  return builder.create<tile::SliceOp>(loc, window, source, offsets, sizes, slice.getModes(), /*spec=*/false);
}

/// A part of the depth of a matrix in global memory.
Value StageWindows::cut(Value matrix, bool isDepthFirst) {
  auto type = cast<tile::RefType>(matrix.getType());
  SmallVector<int64_t> dims(type.getDims());
  SmallVector<int32_t> modes(2, static_cast<int32_t>(tile::SliceMode::Whole));
  unsigned dim = isDepthFirst ? 0 : 1;
  dims[dim] = tile::RefType::atMost(depth);
  modes[dim] = static_cast<int32_t>(tile::SliceMode::Window);
  return builder.create<tile::SliceOp>(loc, tile::RefType::get(type.getElementType(), dims, type.getAlignment()),
                                       matrix, within, ValueRange(), modes, /*spec=*/false);
}

Value StageWindows::of(const Factor &factor, Value step, Value start, int64_t size) {
  tile::LoadOp load = factor.load;
  SmallVector<int64_t> dims = tile::arrayDimsOf(load.getRef());
  depthDim = depthDimOf(factor);
  stepDepth = factor.extents[depthDim];
  within = start;
  depth = size;
  IRMapping clones;
  Value index = builder.createOrFold<arith::MulIOp>(loc, step, loop.getStep());
  clones.map(loop.getInductionVar(), builder.createOrFold<arith::AddIOp>(loc, index, loop.getLowerBound()));
  if (position.member)
    clones.map(position.member, builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(0)).getResult());
  Value window = windowOf(load.getRef(), clones);
  if (dims[0] > dims[1]) {
    auto type = cast<tile::RefType>(window.getType());
    int64_t turned[] = {type.getDims()[1], type.getDims()[0]};
    window = builder.create<tile::TransposeOp>(loc, tile::RefType::get(type.getElementType(), turned), window,
                                               ArrayRef<int64_t>{1, 0});
  }
  if (within) // The step is not the last window.
    window = cut(window, depthDim < static_cast<int64_t>(factor.side));
  if (kernel.getArgAttr(factor.array.getArgNumber(), hasEvenRows)) {
    auto type = cast<tile::RefType>(window.getType());
    window.setType(tile::RefType::get(type.getElementType(), type.getDims(), unitBytes, /*isEven=*/true));
  }
  return window;
}

} // namespace tegula
