// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/OutsidePlaces.h"

#include "frontend/Importer.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tegula::frontend {

static constexpr llvm::StringLiteral outsideMark = "tile.outside";

void OutsideIndex::report(Importer &importer) const {
  if (isBefore)
    importer.report(DiagnosticKind::NegativeIndex, position) << index;
  else
    importer.report(DiagnosticKind::IndexOutside, position) << index << extent;
}

void OutsidePlaces::note(mlir::Value place, std::optional<OutsideIndex> &outside) {
  if (!outside)
    return;
  mlir::Operation *op = place.getDefiningOp();
  op->setAttr(outsideMark, mlir::Builder(op->getContext()).getI64IntegerAttr(static_cast<int64_t>(indices.size())));
  indices.push_back(std::move(*outside));
}

/// Whether a mask is the constant `true`, which leaves out nothing.
static bool isAlwaysTrue(mlir::Value mask) {
  auto full = mask.getDefiningOp<tile::FullOp>();
  return full && mlir::matchPattern(full.getValue(), mlir::m_One());
}

/// The mask by which an op takes elements of the place, null without one.
static mlir::Value maskOf(mlir::Operation *op) {
  return llvm::TypeSwitch<mlir::Operation *, mlir::Value>(op)
      .Case<tile::LoadOp, tile::StoreOp, tile::GatherOp, tile::ScatterOp, tile::AtomicOp>(
          [](auto access) { return access.getMask(); })
      .Default(mlir::Value());
}

/// Whether all that is done with the place is right, though the constant lies outside.
static bool isOnlyMasked(mlir::Value place, const OutsideIndex &outside) {
  return llvm::all_of(place.getUsers(), [&](mlir::Operation *user) {
    if (isa<tile::DimOp>(user))
      return true;
    bool isPlace = user->getNumResults() == 1 && isa<tile::RefType>(user->getResult(0).getType());
    if (isPlace) // A part of the place, or another view of it.
      return isOnlyMasked(user->getResult(0), outside);
    mlir::Value mask = maskOf(user);
    if (!mask || !isAlwaysTrue(mask))
      return mask != nullptr;
    // A masked load is `other` where a window extends past the end.
    return outside.isWindow && !outside.isBefore && isa<tile::LoadOp, tile::GatherOp>(user);
  });
}

void OutsidePlaces::finish(Importer &importer, tile::EntryOp entry) {
  if (indices.empty())
    return;
  entry->walk([&](mlir::Operation *op) {
    auto number = llvm::dyn_cast_or_null<mlir::IntegerAttr>(op->removeAttr(outsideMark));
    if (!number)
      return;
    const OutsideIndex &outside = indices[static_cast<size_t>(number.getInt())];
    if (!isOnlyMasked(op->getResult(0), outside))
      outside.report(importer);
  });
  indices.clear();
}

} // namespace tegula::frontend
