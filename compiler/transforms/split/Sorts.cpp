// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorted rows (`tile.sort`): a thread group has all of a row. Along that dimension no result follows the store
// (Demand::contractions), though elements have the same layout before and after. Rows of a static block are
// register-resident, of a power of two elements; `extent` says how many exist. If less of a sorted row is wanted, such
// as the greatest few elements, all of it is sorted, once, and these are taken. lower/Sorting.cpp sorts keys and
// indices in shared memory, and then permutes one tile after another through the same memory.
#include "ir/ExchangedExtents.h"
#include "ir/Parts.h"
#include "transforms/split/Body.h"
#include "transforms/split/Exchanges.h"

using namespace mlir;

namespace tegula::split {

FailureOr<SmallVector<Value>> BodyBuilder::makeSort(tile::SortOp sort, const Parts &parts) {
  Location loc = sort.getLoc();
  auto axis = static_cast<int64_t>(sort.getAxis());
  int64_t size = sort.getType().getDimSize(axis);
  Value telling = sort.getSources().front();
  for (Value source : sort.getSources())
    if (!extents.of(telling, axis).symbol)
      telling = source;
  std::optional<Resident> resident = program.residentFor(size, extents.of(telling, axis));
  if (!resident || resident->isShared)
    return refuseSort(sort);
  Parts row = parts;
  row[axis] = size == 1 ? Part{{}, 1, /*dropped=*/false, /*full=*/true} : residentPart(*resident);
  Values made;
  if (parts[axis] == row[axis]) {
    for (Value source : sort.getSources()) {
      FailureOr<Value> part = materialise(source, row);
      if (failed(part))
        return failure();
      made.push_back(*part);
    }
    Value extent = row[axis].full ? Value() : extentOf(loc, telling, axis, row[axis]);
    auto sorted = builder.create<tile::SortOp>(loc, ValueRange(made).getTypes(), made, tile::positionIn(row, axis),
                                               sort.getKeys(), sort.getDescending(), extent);
    tile::noteExchangedExtents(sorted, extentsOfPart(program, extents, telling, row));
    return llvm::to_vector_of<Value>(sorted.getResults());
  }
  return takeOfWhole(sort, row, parts, axis);
}

} // namespace tegula::split
