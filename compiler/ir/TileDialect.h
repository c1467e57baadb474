// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile dialect: its types, attributes and ops. See TileDialect.td for what they mean.
#pragma once

#include "ir/Interfaces.h"
#include "layout/Placement.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace tegula::layout {
/// Attributes are uniqued by the hash of what they hold.
inline llvm::hash_code hash_value(const DistributedLayout &layout) { return llvm::hash_code(layout.hash()); }
} // namespace tegula::layout

namespace tegula::tile {

/// The type in which `arith` computes on a scalar of this element: unsigned integers lose their sign.
mlir::Type scalarTypeOf(mlir::Type element);

/// The bytes of an element in registers and shared memory: a bool takes one.
int64_t bytesOf(mlir::Type element);

/// How many elements of an array so many bytes hold, and the other way round: some are packed, two to a byte.
int64_t elementsIn(int64_t bytes, mlir::Type element);
int64_t bytesIn(int64_t elements, mlir::Type element);

/// Which thread has which element of a tile that has a layout.
layout::Placement placementOf(mlir::RankedTensorType type);

/// What products of the explicit level are in flight in.
struct MatrixUnit : mlir::SideEffects::Resource::Base<MatrixUnit> {
  llvm::StringRef getName() final { return "tensor core"; }
};

/// What a program asks of the compiler.
struct Questions : mlir::SideEffects::Resource::Base<Questions> {
  llvm::StringRef getName() final { return "questions to the compiler"; }
};

} // namespace tegula::tile

#include "ir/TileDialect.h.inc"
#include "ir/TileEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/TileTypes.h.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/TileAttrs.h.inc"
#include "ir/TileInterfaces.h.inc"
#define GET_OP_CLASSES
#include "ir/TileOps.h.inc"

namespace tegula::tile {

/// Whether the op is of the elementwise family.
inline bool isElementwise(mlir::Operation *op) { return mlir::isa<ElementwiseOpInterface>(op); }

/// Whether the op makes one element of many: what it makes is not made twice, nor a part of it of the same part.
bool isContraction(mlir::Operation *op);

/// The argument of the program that a ref is a window of, perhaps with its dimensions in another order. Null: of none,
/// it is memory that the program allocates.
mlir::BlockArgument arrayOf(mlir::Value ref);

/// What the memory behind a ref begins as: an argument of the program or kernel, or an allocation.
mlir::Value memoryOf(mlir::Value ref);

/// Dimensions [begin, end) of a reshaped view that hold the elements of these of its source.
struct ReshapeGroup {
  unsigned sourceBegin, sourceEnd, resultBegin, resultEnd;
};
/// The smallest such groups; both have as many elements.
llvm::SmallVector<ReshapeGroup> reshapeGroups(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to);

/// Whether a ref may be to shared memory of another block of the cluster.
bool isOfCluster(mlir::Value ref);

/// The dimension of an op's first operand that a dimension of the result is a window of, and the window.
struct WindowOf {
  unsigned sourceDim;
  DimIndex index;
};
WindowOf windowOf(IndexedOpInterface op, int64_t resultDim);

/// The dimension of the array behind each of a ref's.
llvm::SmallVector<int64_t> arrayDimsOf(mlir::Value ref);

/// The order in which the tensor map for copies of a ref has the array's dimensions: their own, or those of a
/// transposed view. There, dimensions of which it takes one index come first: its last one is the innermost.
llvm::SmallVector<int64_t> copyOrderOf(mlir::Value ref);

/// Whether copies to shared memory can make NaN of elements outside the array.
bool canFillWithNan(mlir::Type element);
/// Whether copies to an array combine such elements.
bool hasCopyReduction(CopyReduction kind, mlir::Type element);
/// Whether asynchronous stores combine such elements with those that are there.
bool hasAsyncReduction(CopyReduction kind, mlir::Type element);
/// Whether a window of an array and one of shared memory are runs of elements that lie side by side in either.
bool areRuns(mlir::Value global, mlir::Value shared);

/// On a product of the explicit level: warps multiply, by tile.mma.
inline constexpr char isByMma[] = "tile.is_by_mma";

/// Whether two refs are the same elements at the same positions, as far as `isSame` knows of the integers that they
/// begin at and span.
bool isSameWindow(mlir::Value a, mlir::Value b, llvm::function_ref<bool(mlir::Value, mlir::Value)> isSame);

/// The tile whose dimensions an op iterates over, before those that it reduces: its result, or what a root stores.
mlir::Value iteratedTile(mlir::Operation *op);

/// Where the elements of a part of a gather, scatter or atomic update lie.
struct IndirectPlace {
  mlir::Value ref;
  llvm::SmallVector<int64_t> dims;
  int64_t position;
  /// Whether an element is there, where dimensions of which the part takes one index may end before; null: it is.
  mlir::Value isThere;
};

/// Makes the window of a part of what `op` accesses in `ref`, which is the op's ref where the part is made. With
/// `isMasked`, what lies beyond the end of the array counts.
template <class IndirectOp>
IndirectPlace makePlace(mlir::OpBuilder &builder, IndirectOp op, mlir::Value ref, llvm::ArrayRef<Part> parts,
                        bool isMasked);

/// The root on a part of its tile, under this mask. `operands` are as those of IndexedOpInterface::makePart.
mlir::Operation *makeRootPart(mlir::OpBuilder &builder, RootOpInterface root, llvm::ArrayRef<Part> parts,
                              mlir::ValueRange operands, mlir::Value mask);

/// Whether updates of this kind can be combined before memory is updated by what comes of them, in any order.
bool isCombining(Atomic kind);

/// The value that changes nothing in a reduction of such elements: 0, 1, the lowest or the highest.
mlir::TypedAttr identityOf(Reduction kind, mlir::Type element);

} // namespace tegula::tile
