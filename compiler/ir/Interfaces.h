// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes ask of ops, so that they name only the ops that they are about. These are the structs of the interfaces
// (TileInterfaces.td), and traits.
//
//   IndexedOpInterface        which elements of its operands an op takes: demand, parts, extents, layouts and the loops
//                             of the CPU code are derived from it
//   ElementwiseOpInterface    the elementwise family
//   MemoryAccessOpInterface   what an op reads and writes
//   RootOpInterface           what an op changes in memory, element by element: splitting cuts programs along it
//   TmaOpInterface            which window an op moves by TMA
//   MLIR's region interfaces  what control flow carries (ControlFlow.h)
//
// `tile-check-extents` refuses an op that makes a tile and does not say of which elements.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace tegula::tile {

/// Which path an access of memory takes (PTX ISA, "Proxies"): loads and stores of threads are generic, TMA copies and
/// the operands of tensor cores in shared memory asynchronous.
enum class Proxy { generic, async };

/// Whose memory an access touches: that of the CTA that runs the op, or of others of its cluster, too.
enum class Scope { cta, cluster };

/// How a thread knows that an access is done (PTX ISA, "Completion Mechanisms for Asynchronous Operations" and
/// wgmma.wait_group): by program order, or it waits for what it began.
enum class Completion { inOrder, barrier, copyGroup, cpAsyncGroup, wgmmaGroup };

/// One access of memory by an op.
struct MemoryAccess {
  enum class Kind { read, write, update };

  /// A ref or a tensor map.
  mlir::Value ref;
  /// What a thread group reads into registers or writes from them; null where no register takes part.
  mlir::Value tile;
  Kind kind = Kind::read;
  Proxy proxy = Proxy::generic;
  Completion completion = Completion::inOrder;
  Scope scope = Scope::cta;
  /// Which elements of the window it touches, data says.
  bool isIndirect = false;
  /// It is one of updates that need no order among themselves.
  bool isAtomic = false;

  bool isRead() const { return kind != Kind::write; }
  bool isWrite() const { return kind != Kind::read; }
};

/// The index that an iteration of an op reads along one dimension of an operand (IndexedOpInterface).
struct DimIndex {
  enum class Kind {
    Iterated, ///< that of iteration dimension `dim`
    Window,   ///< that of iteration dimension `dim`, from `offset` on
    Element,  ///< `offset` itself: the iteration space does not have this dimension
    Unit,     ///< 0: the operand has extent 1 there, and is repeated along iteration dimension `dim`
    Indirect, ///< an index that data says
  };
  Kind kind;
  int64_t dim = -1;
  mlir::Value offset = {};
  /// The run-time size of a window; null if it is static.
  mlir::Value size = {};
  /// From one element of a window to the next, in elements of the operand; null: 1.
  mlir::Value step = {};

  static DimIndex iterated(int64_t dim) { return {Kind::Iterated, dim}; }
  static DimIndex unit(int64_t dim) { return {Kind::Unit, dim}; }
  static DimIndex indirect() { return {Kind::Indirect}; }
  bool isIterated() const { return kind == Kind::Iterated; }
  bool isWindow() const { return kind == Kind::Window; }
  bool isElement() const { return kind == Kind::Element; }
  bool isUnit() const { return kind == Kind::Unit; }
  bool isIndirect() const { return kind == Kind::Indirect; }
};
/// One for each dimension of an operand.
using IndexingMap = llvm::SmallVector<DimIndex, 4>;

/// Which part of a tile is wanted along one of its dimensions.
struct Part {
  mlir::Value offset;   ///< null: 0
  int64_t size = 1;     ///< static
  bool dropped = false; ///< one element, without the dimension
  bool full = false;    ///< all of it is there, nothing needs clamping
  /// The same elements. (What is known of them tells nothing apart.)
  bool operator==(const Part &other) const {
    return offset == other.offset && size == other.size && dropped == other.dropped;
  }
};
using Parts = llvm::SmallVector<Part>;

/// The type of the part of a tile.
mlir::RankedTensorType partType(mlir::Type element, llvm::ArrayRef<Part> parts);

/// Where dimension `dim` of a tile is in a part of it, or, if the part drops the dimension, the one behind.
int64_t positionIn(llvm::ArrayRef<Part> parts, int64_t dim);
llvm::SmallVector<int64_t> positionsIn(llvm::ArrayRef<Part> parts, llvm::ArrayRef<int64_t> dims);

namespace detail {
IndexingMap identityMap(mlir::OpOperand &operand);
/// The op again, on other operands.
mlir::Value makeAgain(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Type type, mlir::ValueRange operands);
/// Of gathers and scatters (TileGather.td).
int64_t iteratedDim(llvm::ArrayRef<int64_t> indexedDims, int64_t position, int64_t indexRank, int64_t refDim);
} // namespace detail

template <class ConcreteType>
class SynchronizesThreadGroup : public mlir::OpTrait::TraitBase<ConcreteType, SynchronizesThreadGroup> {};
template <class ConcreteType> class OfWarps : public mlir::OpTrait::TraitBase<ConcreteType, OfWarps> {};

} // namespace tegula::tile
