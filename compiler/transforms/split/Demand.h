// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part of every tile a sub-tile of a root takes. Going back from a root, each dimension of a tile either
// *follows* a dimension of the root's domain, so that only the part for the sub-tile is needed, or is needed *whole*:
// it is reduced, summed over by a product, or wanted at several places.
#pragma once

#include "ir/Parts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace tegula::split {

/// The dimension of the domain that each dimension of a tile follows, or Demand::whole.
using Roles = llvm::SmallVector<int>;

using tile::isTile;

using tile::isContraction;

/// Whether the value is what an atomic update found in memory: it is made once.
inline bool isOfAtomic(mlir::Value value) { return value.getDefiningOp<tile::AtomicOp>() != nullptr; }

/// The type in which elements are combined: sums and products of f16 and bf16 in f32, so that they are rounded once.
mlir::Type combinedIn(tile::Reduction kind, mlir::Type element);
/// The same of a source of a reduction or scan.
template <class Op> mlir::Type combinedIn(Op op, unsigned source = 0) {
  return combinedIn(op.getKind(), mlir::getElementTypeOrSelf(op.getSources()[source].getType()));
}

/// What combines the elements of tiles along some dimensions, and keeps what the program makes of them: a reduction, or
/// a scan.
struct Combining {
  mlir::ValueRange sources;
  llvm::SmallVector<int64_t, 2> axes;
  mlir::RankedTensorType type() const { return mlir::cast<mlir::RankedTensorType>(sources.front().getType()); }
};
std::optional<Combining> combiningOf(mlir::Operation *op);

/// What the tiles of some roots need.
class Demand {
public:
  static constexpr int whole = -1;

  /// Adds what `tile` needs if it is wanted in these roles.
  void add(mlir::Value tile, const Roles &roles);
  /// Adds what a root needs whose domain this is: what it stores, its mask and its indices.
  void addRoot(tile::RootOpInterface root);

  /// The roles in which a tile is needed: none if it is not, and one at most for what control flow carries.
  llvm::ArrayRef<Roles> of(mlir::Value tile) const;

  /// A contraction, or a loop that contains one, in one of its roles: of a scan, the axis is whole.
  struct Contraction {
    mlir::Value value;
    Roles roles;
    /// Whether it varies along a dimension of the domain: one that it does not follow cannot be spread without doing it
    /// again.
    bool follows(int dim) const { return llvm::is_contained(roles, dim); }
  };
  llvm::SmallVector<Contraction> contractions() const;

private:
  void visit(mlir::Value tile, const Roles &roles);

  llvm::MapVector<mlir::Value, llvm::SmallVector<Roles, 1>> needed;
  llvm::SmallVector<std::pair<mlir::Value, Roles>> work;
};

} // namespace tegula::split
