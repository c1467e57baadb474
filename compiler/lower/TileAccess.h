// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses by which a thread moves its registers of one tile from or to global memory.
#pragma once

#include "lower/KernelLowering.h"

#include <map>

namespace tegula::lower {

/// Where the rows of a tile lie if data says so (TileGather.td). Both are of each register of the thread: where its row
/// begins, and whether there is one; empty: there is.
struct IndirectRows {
  llvm::SmallVector<Value> starts, exist;
};

/// An element of a tile in memory, and whether it is wanted there; null: it is.
struct ElementPlace {
  Value pointer, isWanted;
};

/// The registers are cut into *chunks*, each moved by one access that is as wide as the window's alignment allows. At
/// the edge of an array an access is predicated on its chunk being inside. Of the chunks of a thread that lie in one
/// row of the window, at most one is partly inside: it is moved element by element.
class TileAccess {
public:
  /// `thread`: the coordinates that the thread contributes. `guard`: whether this thread stores; null if all do.
  /// `rows`: where rows begin, if not at multiples of strides; dimensions that they are numbered by have none.
  TileAccess(ScalarBuilder b, const TileRegisters &registers, tile::RefType type, const LoweredRef &ref,
             llvm::ArrayRef<Value> thread, Value guard, const IndirectRows *rows = nullptr);

  /// The elements that one access moves.
  static int64_t widthOf(const TileRegisters &registers, tile::RefType type);

  /// `readOnly`: nothing in the kernel writes to the array. `mayBranch`: full windows may get code of their own.
  Registers load(bool readOnly, bool mayBranch);
  /// Of a window that has all of its elements: chunks that begin within aligned accesses are taken from those around
  /// them. The type says how accesses are aligned that begin without the window's constants.
  Registers loadAround(bool readOnly);
  void store(llvm::ArrayRef<Value> registers);

  // Of windows without a promised alignment, whose chunks are single elements.
  /// For each element, whether the mask holds, the window reaches there, and this thread takes part.
  llvm::SmallVector<Value> conditions(llvm::ArrayRef<Value> mask);
  /// `other` where a condition does not hold.
  Registers loadWhere(llvm::ArrayRef<Value> conditions, llvm::ArrayRef<Value> other, bool readOnly);
  void storeWhere(llvm::ArrayRef<Value> conditions, llvm::ArrayRef<Value> registers);
  /// The places of chunks. With a mask, these are single elements; it may be empty.
  llvm::SmallVector<ElementPlace> places(llvm::ArrayRef<Value> mask);
  int64_t getWidth() const { return width; }
  /// Whether a chunk may be partly inside.
  bool isRagged() const {
    return width > 1 && !isEven && isMasked() && maskedDims.back() + 1 == registers.placement.rank();
  }

private:
  struct Chunk {
    Value pointer;
    /// Whether all of it is inside, and whether some but not all of it is. Null if always, or never.
    Value inside, partial;
    /// Which row it is in; only if there is `partial`.
    size_t row = 0;
    /// Of one packed element, where in its byte it is: 0 or 4, an i8.
    Value shift = {};
  };

  /// The chunks that differ in the last coordinate only.
  struct Row {
    llvm::SmallVector<size_t> chunks;
    /// The chunk that is partly inside, and whether this thread has it.
    Value pointer, hasPartial;
  };

  bool isMasked() const { return !maskedDims.empty(); }
  bool isPredicated() const { return isMasked() || hasGaps(); }
  /// Rows may be missing.
  bool hasGaps() const { return rowsOfData && !rowsOfData->exist.empty(); }
  int64_t chunkBytes() const { return tile::bytesIn(width, element); }
  Type chunkType() const;
  Value offsetOf(llvm::ArrayRef<int64_t> part);
  Value address(Value from, llvm::ArrayRef<int64_t> part);
  Value isInside(layout::Coordinate part);
  Value isInsideOuter(llvm::ArrayRef<int64_t> part);
  Value guarded(Value condition);
  Value rowStart(int64_t reg);
  Value both(Value a, Value b);
  void makeChunks();
  void makePartial(size_t chunk, int64_t reg);
  /// Whether a row's partial chunk reaches to this lane.
  Value hasLane(const Row &row, int64_t lane);
  Value lanePointer(const Row &row, int64_t lane);

  Value toMemory(Value registers);
  Value fromMemory(Value memory);
  /// A packed element that is moved alone: the half of a byte.
  /// Addresses begin where neighbouring windows' do (LoweredRef::common).
  bool hasConstants() const { return !rowsOfData && !isPacked; }
  bool areHalves() const { return isPacked && width == 1; }
  void placeHalf(Chunk &chunk, int64_t reg, llvm::ArrayRef<int64_t> part);
  Value fromChunk(const Chunk &chunk, Value memory);
  void storeElement(const Chunk &chunk, Value element, Value predicate);
  Value plainLoad(Value pointer, bool readOnly);
  void plainStore(Value pointer, Value value);
  /// `otherwise`, an element, or zeros.
  Value predicatedLoad(Value pointer, Value predicate, Type type, bool readOnly, Value otherwise = {});
  /// `predicate` may be null.
  void assemblyStore(Value pointer, Value predicate, Value value);
  llvm::SmallVector<Value> loadChunks(bool readOnly, bool mayBranch);
  void loadPartial(const Row &row, llvm::SmallVectorImpl<Value> &values, bool readOnly);
  void storePartial(const Row &row, llvm::ArrayRef<Value> values);
  void storePackedPartial(const Row &row, Value tail);

  ScalarBuilder b;
  const TileRegisters &registers;
  const LoweredRef &ref;
  Value guard;
  Type element;
  /// As in memory: a bool is a byte, and so are two packed elements.
  Type memoryElement;
  bool isPacked;
  /// Elements of a chunk.
  int64_t width;
  /// The window ends where a chunk does.
  bool isEven;
  const IndirectRows *rowsOfData;
  /// Where the thread's elements begin; its offset in each row, in elements, null if that is 0.
  Value threadPointer, threadOffset;
  llvm::SmallVector<unsigned> maskedDims;
  /// For each masked dim, how many elements there are from the thread's coordinate on.
  llvm::SmallVector<Value> room;
  /// Of the last dim, where the chunk that is partly inside begins, and how many of its elements are.
  Value tailStart, tailLength;
  llvm::SmallVector<Chunk> chunks;
  llvm::SmallVector<Row> rows;
  std::map<layout::Coordinate, size_t> rowAt;
  /// A thread's chunks of a row: how many, and how much of the row's extent is left at the thread's place, 0 for a row
  /// outside. By the row's coordinate.
  struct RowChunks {
    int64_t count = 0;
    Value room;
  };
  std::map<layout::Coordinate, RowChunks> chunksOf;
};

/// Accesses under a mask, with a bool for each element. A thread of which all elements are there and wanted moves them
/// as it does without one, and any other thread one by one: no address is used where the mask is false.
class MaskedAccess {
public:
  MaskedAccess(ScalarBuilder b, const TileRegisters &registers, tile::RefType type, const LoweredRef &ref,
               llvm::ArrayRef<Value> thread, Value guard, llvm::ArrayRef<Value> mask,
               const IndirectRows *rows = nullptr);

  Registers load(llvm::ArrayRef<Value> other, bool readOnly);
  void store(llvm::ArrayRef<Value> registers);

private:
  bool isWide() const { return TileAccess::widthOf(registers, type) > 1; }
  /// Every thread has them all, whatever the program does.
  bool isPlain() const;
  /// The elements of a thread that has them all.
  TileAccess together();
  Value hasAll();

  ScalarBuilder b;
  const TileRegisters &registers;
  tile::RefType type;
  const LoweredRef &ref;
  llvm::ArrayRef<Value> thread;
  const IndirectRows *rows;
  /// All rows exist that are wanted together.
  IndirectRows existing;
  TileAccess oneByOne;
  llvm::SmallVector<Value> conditions;
};

} // namespace tegula::lower
