// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Indexed.h"

namespace tegula::frontend {

mlir::Value IndexedPlaces::add(mlir::OpBuilder &builder, mlir::Location at, IndexedPlace place) {
  auto type = cast<tile::RefType>(place.ref.getType());
  llvm::SmallVector<int64_t> dims;
  for (auto [dim, size] : llvm::enumerate(type.getDims()))
    if (!llvm::is_contained(place.dims, static_cast<int64_t>(dim)))
      dims.push_back(size);
  llvm::ArrayRef<int64_t> shape = cast<mlir::RankedTensorType>(place.indices.front().getType()).getShape();
  dims.insert(dims.begin() + place.position, shape.begin(), shape.end());
  auto indexed = tile::RefType::get(type.getElementType(), dims);
  mlir::Value value = builder.create<mlir::UnrealizedConversionCastOp>(at, indexed, place.ref).getResult(0);
  places[value] = std::move(place);
  return value;
}

void IndexedPlaces::finish() {
  for (auto &[value, place] : llvm::reverse(places))
    if (value.use_empty()) // What is left of an entry in error stays.
      value.getDefiningOp()->erase();
  places.clear();
}

} // namespace tegula::frontend
