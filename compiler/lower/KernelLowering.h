// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel, from laid-out tile IR to a function of what one thread does. A walk over the structured body: scalars map
// to scalars, refs to pointers with dims and strides, tiles to this thread's registers.
//
//   KernelLowering.cpp  the function, its parameters, control flow, scalars
//   LowerMemory.cpp     refs, loads, stores
//   LowerTiles.cpp      what makes and shapes tiles, and prints
#pragma once

#include "ir/TileDialect.h"
#include "lower/ScalarBuilder.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

namespace tegula::lower {

/// A thread's registers of a tile: one vector for each run of neighbouring elements, in the order of the placement's
/// registers. Vectors of one element are scalars.
using Registers = llvm::SmallVector<Value>;

/// How the tiles of a type lie in registers.
struct TileRegisters {
  mlir::RankedTensorType type;
  layout::Placement placement;
  /// The elements of each vector.
  int64_t lanes;

  explicit TileRegisters(mlir::RankedTensorType type);

  int64_t count() const { return placement.registersPerThread() / lanes; }
  Type elementType() const { return registerType(type.getElementType()); }
  Type vectorType() const { return lanes == 1 ? elementType() : mlir::VectorType::get(lanes, elementType()); }
};

/// A window into global memory. `dims` are extents: clamped where the window hangs over.
struct LoweredRef {
  Value base;
  llvm::SmallVector<Value> dims, strides;
  /// The kernel argument behind it.
  Value root;
};

class KernelLowering {
public:
  KernelLowering(tile::KernelOp kernel, mlir::OpBuilder &builder) : kernel(kernel), builder(builder) {}

  /// Creates the function at the builder's insertion point.
  mlir::LogicalResult run();

private:
  // KernelLowering.cpp
  void lowerParameters(mlir::Block &entry);
  mlir::LogicalResult lowerBlock(mlir::Block &block);
  mlir::LogicalResult lower(mlir::Operation *op);
  mlir::LogicalResult lowerScalar(mlir::Operation *op);
  mlir::LogicalResult lowerIf(mlir::scf::IfOp op);
  mlir::LogicalResult lowerFor(mlir::scf::ForOp op);
  mlir::LogicalResult lowerWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult lowerNested(mlir::Block &from, mlir::Block &to, ValueRange arguments);
  mlir::LogicalResult lowerTeam(tile::TeamOp op);
  mlir::Location locationOf(mlir::Operation *op);

  /// What a value became, as plain values, and back: refs cannot be carried.
  void append(Value value, llvm::SmallVectorImpl<Value> &flat);
  void appendTypes(Type type, llvm::SmallVectorImpl<Type> &flat);
  void bind(Value value, ValueRange &flat);

  // LowerMemory.cpp
  mlir::LogicalResult lowerSlice(tile::SliceOp op);
  mlir::LogicalResult lowerDim(tile::DimOp op);
  mlir::LogicalResult lowerLoad(tile::LoadOp op);
  mlir::LogicalResult lowerStore(tile::StoreOp op);
  void findHazards();
  void teamBarrier();

  // LowerTiles.cpp
  mlir::LogicalResult lowerFull(tile::FullOp op);
  mlir::LogicalResult lowerIota(tile::IotaOp op);
  mlir::LogicalResult lowerBroadcast(tile::BroadcastOp op);
  mlir::LogicalResult lowerElementwise(mlir::Operation *op);
  mlir::LogicalResult lowerDebugPrint(tile::DebugPrintOp op);

  ScalarBuilder scalars(mlir::Operation *op) { return ScalarBuilder(builder, locationOf(op), *constants); }
  ScalarBuilder scalars() { return ScalarBuilder(builder, here, *constants); }
  Value i32(int64_t value) { return scalars().integer(builder.getI32Type(), value); }
  Value i64(int64_t value) { return scalars().integer(builder.getI64Type(), value); }

  /// Says at the tile op in question that tiles of this type have no layout; checked before registersOf.
  mlir::LogicalResult checkLaidOut(mlir::Operation *op);
  const TileRegisters &registersOf(Type type);

  /// The number of this thread within its team, and the parts of coordinates that it determines, one i32 for each
  /// dimension. Computed once, at the start of the function.
  Value threadInTeam();
  llvm::ArrayRef<Value> threadCoordinates(const TileRegisters &registers);
  Value specialRegister(llvm::StringRef name);
  void computeOnce(llvm::function_ref<void()> body);

  tile::KernelOp kernel;
  mlir::OpBuilder &builder;
  mlir::Location here = mlir::UnknownLoc::get(kernel.getContext());
  mlir::LLVM::LLVMFuncOp function;
  mlir::LLVM::DISubprogramAttr subprogram;
  mlir::Block *entry = nullptr;
  std::optional<Constants> constants;
  /// Where the next value that is computed once goes: behind the others at the start of the function.
  mlir::Operation *lastOnce = nullptr;

  mlir::IRMapping values;
  llvm::DenseMap<Value, Registers> tiles;
  llvm::DenseMap<Value, LoweredRef> refs;
  std::map<Type, TileRegisters, bool (*)(Type, Type)> registerCache{
      [](Type a, Type b) { return a.getAsOpaquePointer() < b.getAsOpaquePointer(); }};
  llvm::DenseMap<Type, llvm::SmallVector<Value>> coordinateCache;
  llvm::StringMap<Value> specialRegisters;
  Value threadInTeamCache;

  /// Arguments that the kernel stores to, and those of which threads may read what other threads of the team write.
  llvm::DenseSet<Value> stored, hazardous;
};

} // namespace tegula::lower
