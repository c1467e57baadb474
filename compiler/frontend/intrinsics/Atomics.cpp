// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic updates of windows and of places at indices.
#include "frontend/intrinsics/Rows.h"

#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace tegula::frontend {

/// atomic_cas(place, compare, value, mask, options), of which the mask may be absent; others compare nothing.
CallResult Importer::atomic(const IntrinsicCall &call) {
  std::optional<tile::Atomic> kind = tile::symbolizeAtomic(call.callee->getName().drop_front(strlen("atomic_")));
  ArrayRef<const Expr *> arguments = call.arguments;
  const Expr *place = arguments.front(), *options = arguments.back();
  bool compares = kind == tile::Atomic::Cas;
  arguments = arguments.drop_front().drop_back();
  Leaf ref = evaluate(place);
  if (!ref || !isHeld(ref.value(), call.where()))
    return {};
  LValue chosen = evaluateOperand(options);
  std::optional<int64_t> order = constantOption(chosen, "order", call.where());
  std::optional<int64_t> scope = constantOption(chosen, "scope", call.where());
  mlir::RankedTensorType type = cast<tile::RefType>(ref.value().getType()).getTileType();
  mlir::SmallVector<int64_t> shape(type.getShape());
  QualType element = types.shaped(place->getType()).element.getUnqualifiedType();
  mlir::Value compare, mask;
  if (compares) {
    compare = broadcastArgument(arguments.front(), element, shape);
    arguments = arguments.drop_front();
  }
  mlir::Value value = broadcastArgument(arguments.front(), element, shape);
  if (arguments.size() > 1)
    mask = broadcastArgument(arguments[1], ast.BoolTy, shape);
  if (!value || !order || !scope || (compares && !compare) || (arguments.size() > 1 && !mask))
    return {};
  IndexedPlace window{ref.value(), {}, {}, 0};
  if (const IndexedPlace *indexed = indexedPlaces.find(ref.value()))
    window = *indexed;
  mlir::Location at = locate(call.where());
  mlir::Value old = builder.create<tile::AtomicOp>(
      at, type, *kind, value, window.ref, window.indices, window.dims, window.position, compare, mask,
      static_cast<tile::MemoryOrder>(*order), static_cast<tile::MemoryScope>(*scope));
  return {types.isTile(call.type()) ? Leaf(old) : scalarOf(old, at), {}};
}

ArrayRef<IntrinsicRow> atomicRows() {
  static constexpr IntrinsicRow rows[] = {
      {Known::None, "atomic_add", Side::Device, member<&Importer::atomic>},
      {Known::None, "atomic_and", Side::Device, member<&Importer::atomic>},
      {Known::None, "atomic_cas", Side::Device, member<&Importer::atomic>},
      {Known::None, "atomic_exch", Side::Device, member<&Importer::atomic>},
      {Known::None, "atomic_max", Side::Device, member<&Importer::atomic>},
      {Known::None, "atomic_min", Side::Device, member<&Importer::atomic>},
      {Known::None, "atomic_or", Side::Device, member<&Importer::atomic>},
      {Known::None, "atomic_xor", Side::Device, member<&Importer::atomic>},
  };
  return rows;
}

} // namespace tegula::frontend
