// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel, from laid-out tile IR to a function of what one thread does. A walk over the structured body: scalars map
// to scalars, refs to pointers with dims and strides, tiles to this thread's registers.
//
//   KernelLowering.cpp  the function, its parameters, control flow, scalars
//   LowerMemory.cpp     refs, loads, stores
//   LowerGather.cpp     gathers and scatters, elements of tiles at indices
//   Atomics.cpp         atomic updates
//   LowerTiles.cpp      what makes and shapes tiles, and prints
//   Exchange.cpp        what threads exchange: shuffles, scratch in shared memory
//   Reductions.cpp      reductions, which take both
//   Combiners.cpp       reductions by combiners of the program's own
//   Scans.cpp           scans
//   LookBack.cpp        scans of rows that thread groups share
//   Prefetch.cpp        what later CTAs load, into L2
//   Sorting.cpp         rows that are sorted in shared memory
//   RadixSort.cpp       rows that all of the GPU sorts
//   Relayouts.cpp       tiles in other layouts
//   Products.cpp        matrix products by FMA
//   Divisions.cpp       divisions of f32
//   Cluster.cpp         what the blocks of a cluster combine
//   explicit/           shared memory, barriers, TMA, tensor cores
#pragma once

#include "ir/ApproxMath.h"
#include "ir/Arrangement.h"
#include "ir/Elements.h"
#include "ir/GridOps.h"
#include "layout/Relayout.h"
#include "lower/Packed.h"
#include "lower/ScalarBuilder.h"
#include "support/Target.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

#include <array>

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

/// A window into global memory. `dims` are extents: clamped where the window extends past.
struct LoweredRef {
  Value base;
  llvm::SmallVector<Value> dims, strides;
  /// The kernel argument behind it.
  Value root;
  /// Of packed elements, an i64: whether the window begins with the second one of a byte. Null if it does not.
  Value half = {};
  /// Where the window would begin without the constants that it begins at: windows that are neighbours, as a stencil's,
  /// then compute addresses alike, and LLVM loads what they share once. Null and empty: `base` and zeros.
  Value common = {};
  llvm::SmallVector<int64_t> constants = {};
  /// Of a table, which `base` is: the number of the window's first array, and where the window begins in each of its
  /// arrays, in elements; i64, null for 0.
  Value first = {}, offset = {};

  Value commonBase() const { return common ? common : base; }
  int64_t constantOf(size_t dim) const { return constants.empty() ? 0 : constants[dim]; }
};

/// A window into shared memory. Its addresses are those of the arrangement without its swizzle: units change places
/// within 8 rows by the bits of the address (see tile.ref).
struct SharedRef : tile::Arrangement {
  Value address; ///< i32
  /// The rank of the block of the cluster whose memory it is, i32: that block has it at this block's address. Null:
  /// this block's own.
  Value block = {};
  llvm::SmallVector<int64_t> extents;
  int64_t swizzle = 16;
  /// Where a window that may cross from one panel to the next begins along `inner`, i32; the address leaves it out.
  /// Null if it does not.
  Value innerStart;
  /// The window begins with 8 rows; and a multiple of so many bytes, a power of two, behind the start of the rows.
  bool beginsWithRows = true;
  int64_t innerAlignment = int64_t(1) << 30;

  /// The bytes by which `address` is behind the start of a panel, where that is known and the window a part of its
  /// rows.
  int64_t withinRow = 0;

  bool isOfCluster() const { return block != nullptr; }

  /// The window begins with 8 rows and a panel.
  bool isAligned() const { return beginsWithRows && innerAlignment >= swizzle; }

  /// The period of the swizzle: 8 rows.
  int64_t atomBytes() const { return tile::rowsOfAtom * swizzle; }
  bool hasPanels() const { return inner != none && panelElements < extents[inner]; }
};

inline constexpr int64_t lanesOfWarp = 32;
/// The widest access of shared memory, the unit that a swizzle moves, and what one cp.async copies.
inline constexpr int64_t unitBytes = 16;
/// Shared memory that needs no opt-in by the launch (CUDA programming guide, "Technical Specifications per Compute
/// Capability"): what a block has as scratch.
inline constexpr int64_t mostScratch = 48 * 1024;
/// Of a kernel's dynamic shared memory: 8 rows of 128 bytes, the period of the widest swizzle.
inline constexpr unsigned sharedAlignment = 1024;

/// Where a thread's elements of a box lie in scratch.
struct BoxPlaces {
  const layout::MemoryRelayout *swizzled = nullptr;
  Value start, ofThread;
  /// Those that `ofThread` may have: a register is xored with these, and added to the others.
  int64_t threadBits = 0;
  llvm::SmallDenseMap<int64_t, Value> bases;
};

int64_t dotProduct(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);
/// The strides of rows that lie `pitch` elements apart.
llvm::SmallVector<int64_t> rowMajor(llvm::ArrayRef<int64_t> shape, int64_t pitch);
/// Operands of inline assembly in a row: `{$4, $5, $6}`.
std::string operandList(size_t first, size_t count);
/// How many elements one access of shared memory moves.
int64_t accessWidth(const SharedRef &ref, const TileRegisters &registers);
/// The elements of a thread's registers that one access each moves, of so many neighbours.
llvm::SmallVector<layout::Coordinate> partsOf(const TileRegisters &registers, int64_t width);

/// What instructions of tensor cores call elements of factors. The language has PTX's names, but for what a unit reads
/// of an f32.
llvm::StringRef nameOfFactor(const Element &factor);

struct FactorsInScratch;

/// An unsigned number whose order is that of the keys. NaN is the greatest.
Value orderedBits(ScalarBuilder &b, Value key, Type element, bool isDescending);

/// The elementwise op that combines two elements.
llvm::StringRef mnemonicOf(tile::Reduction kind);

class KernelLowering {
public:
  /// `smallest` is the target whose blocks have the least shared memory.
  KernelLowering(tile::KernelOp kernel, const Target &smallest, mlir::OpBuilder &builder)
      : kernel(kernel), smallest(smallest), builder(builder) {}

  /// Creates the function at the builder's insertion point.
  mlir::LogicalResult run();

private:
  // KernelLowering.cpp
  void setRegisters(int64_t threads);
  void lowerParameters(mlir::Block &entry);
  void passByValue(unsigned parameter);
  mlir::LogicalResult lowerBlock(mlir::Block &block);
  mlir::LogicalResult lower(mlir::Operation *op);
  mlir::LogicalResult lowerScalar(mlir::Operation *op);
  mlir::LogicalResult lowerIf(mlir::scf::IfOp op);
  mlir::LogicalResult lowerFor(mlir::scf::ForOp op);
  mlir::LogicalResult lowerWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult lowerNested(mlir::Block &from, mlir::Block &to, ValueRange arguments);
  mlir::LogicalResult lowerThreadGroup(tile::ThreadGroupOp op);
  mlir::Location locationOf(mlir::Operation *op);

  /// What a value became, as plain values, and back: refs cannot be carried.
  void append(Value value, llvm::SmallVectorImpl<Value> &flat);
  void appendTypes(Type type, llvm::SmallVectorImpl<Type> &flat);
  void bind(Value value, ValueRange &flat);

  // LowerMemory.cpp
  mlir::LogicalResult lowerSlice(tile::SliceOp op);
  Value extentOf(tile::SliceOp op, unsigned dim, unsigned kept, Value ofSource);
  mlir::LogicalResult lowerTableSlice(tile::SliceOp op);
  mlir::LogicalResult lowerStridedSlice(tile::StridedSliceOp op);
  mlir::LogicalResult lowerArrayTranspose(tile::TransposeOp op);
  mlir::LogicalResult lowerArrayReshape(tile::ReshapeRefOp op);
  mlir::LogicalResult lowerArrayBitcast(tile::BitcastRefOp op);
  mlir::LogicalResult lowerDim(tile::DimOp op);
  mlir::LogicalResult lowerLoad(tile::LoadOp op);
  mlir::LogicalResult lowerStore(tile::StoreOp op);
  void findWritten();
  void groupBarrier();
  /// Whether this thread is the one of those that hold copies of a tile's elements that stores them; null: all are.
  Value isStoring(const TileRegisters &registers);

  // LowerGather.cpp
  template <class IndirectOp>
  std::optional<struct IndirectAccess> accessOf(IndirectOp op, const TileRegisters &registers, bool isGuarded);
  bool maskRows(struct IndirectAccess &access, llvm::ArrayRef<Value> mask, const TileRegisters &registers);
  mlir::LogicalResult lowerGather(tile::GatherOp op);
  mlir::LogicalResult lowerScatter(tile::ScatterOp op);
  mlir::LogicalResult lowerTake(tile::TakeOp op);

  // Atomics.cpp
  int64_t scratchOfAtomic(tile::AtomicOp op);
  mlir::LogicalResult lowerAtomic(tile::AtomicOp op);
  void updateShared(tile::AtomicOp op);
  void updateElements(tile::AtomicOp op, const struct AtomicSpace &space, llvm::ArrayRef<struct ElementPlace> places,
                      const TileRegisters &registers);
  Value updateInLoop(tile::AtomicOp op, const struct AtomicSpace &space, Value pointer, Value value);
  void addTogether(tile::AtomicOp op, const class TileAccess &access, llvm::ArrayRef<struct ElementPlace> places,
                   const TileRegisters &registers);
  Registers passToCopies(llvm::ArrayRef<Value> vectors, const TileRegisters &registers);

  // PrivateUpdates.cpp
  struct PrivateCopies {
    /// Where they begin, and where this thread's copy of the first element is; addresses in shared memory, i32.
    Value begin, own;
    /// Of an element: how many there are, and how many bytes they take.
    Value log2Copies, bytes;
    /// Of the array.
    Value elements;
  };
  void forEachOfBlock(Value count, llvm::function_ref<void(Value)> body);
  void reduceInto(Value address, Value value, Value isWanted, tile::Atomic kind, Type element, llvm::StringRef where);
  void updatePrivately(tile::AtomicOp op, llvm::ArrayRef<struct ElementPlace> places, const TileRegisters &registers);
  mlir::LogicalResult lowerPrivateOpen(tile::PrivateOpenOp op);
  mlir::LogicalResult lowerPrivateFlush(tile::PrivateFlushOp op);

  // LowerTiles.cpp
  mlir::LogicalResult lowerFull(tile::FullOp op);
  mlir::LogicalResult lowerIota(tile::IotaOp op);
  mlir::LogicalResult lowerBroadcast(tile::BroadcastOp op);
  mlir::LogicalResult lowerElementwise(mlir::Operation *op);
  mlir::LogicalResult lowerDebugPrint(tile::DebugPrintOp op);

  // Exchange.cpp
  int64_t scratchOf(mlir::Operation *op);
  mlir::LogicalResult reserveScratch();
  mlir::LogicalResult checkShared(mlir::Operation *greediest);
  Value sharedMemory(const llvm::Twine &suffix, int64_t bytes, int64_t alignment);
  Value scratch();
  Value atByte(Value pointer, Value offset);
  Value atByte(Value pointer, int64_t offset);
  /// The scratch that each thread group may have.
  int64_t mostOfGroup() { return (mostScratch - privateBytes) / (kernel.getThreads() / kernel.getGroup()); }
  Value threadOffset(const TileRegisters &registers, llvm::ArrayRef<int64_t> strides, int64_t bytes,
                     const layout::Boxes &boxes);
  Value isInBox(const TileRegisters &registers, const layout::BoxShare &share);
  BoxPlaces placesInBox(Value start, const TileRegisters &registers, llvm::ArrayRef<int64_t> strides, int64_t bytes,
                        const layout::Boxes &boxes, const layout::MemoryRelayout *swizzled);
  Value placeInBox(BoxPlaces &places, int64_t byte);
  void writeScratch(Value start, llvm::ArrayRef<Value> vectors, const TileRegisters &registers,
                    llvm::ArrayRef<int64_t> strides, const layout::Boxes &boxes, const layout::Coordinate &box,
                    const layout::MemoryRelayout *swizzled = nullptr);
  void writeExisting(Value start, llvm::ArrayRef<Value> vectors, const TileRegisters &registers,
                     llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<int64_t> extents);
  Value shuffled(Value value, mlir::NVVM::ShflKind kind, Value lane);

  // Reductions.cpp
  /// Combines several values of one element into one.
  using Combine = std::function<Value(llvm::SmallVector<Value>)>;
  int64_t scratchOfReduction(tile::ReduceOp op);
  Value isUpper(int64_t laneBit);
  llvm::SmallVector<int64_t> combineLanes(llvm::SmallVector<Value> &values, int64_t lanes, bool scatters,
                                          const Combine &combine);
  void collectLanes(llvm::SmallVector<Value> &values, llvm::ArrayRef<int64_t> scatteredBy);
  void combineWarps(llvm::SmallVector<Value> &values, int64_t lanes, llvm::ArrayRef<int64_t> scatteredBy, int64_t warps,
                    const Combine &combine);
  Combine combinerOf(tile::Reduction kind, Type element);
  llvm::SmallVector<Value> conditionsOfVectors(tile::ReduceOp op);
  mlir::LogicalResult lowerReduce(tile::ReduceOp op);
  static std::pair<int64_t, int64_t> reducedThreads(tile::ReduceOp op, const TileRegisters &source);
  bool isOfAllThreads(tile::ReduceOp op, const TileRegisters &source);
  static std::optional<int64_t> registerOfResult(tile::ReduceOp op, const TileRegisters &source,
                                                 const TileRegisters &result, int64_t sourceRegister);
  mlir::LogicalResult lowerCombineLanes(tile::CombineLanesOp op);
  mlir::LogicalResult lowerWarpAll(tile::WarpAllOp op);

  // Combiners.cpp
  /// An element of each source of a reduction.
  using Tuple = llvm::SmallVector<Value, 2>;
  mlir::FailureOr<Tuple> combineTuples(mlir::Block &combiner, const Tuple &a, const Tuple &b);
  mlir::FailureOr<Tuple> combineAll(mlir::Block &combiner, llvm::SmallVector<Tuple> tuples);
  Tuple tupleAt(ValueRange tuple, int64_t vector, int64_t lane);
  void setTuples(ValueRange results, llvm::ArrayRef<Tuple> tuples);
  int64_t scratchOfTuples(mlir::TypeRange tiles, int64_t tuples);
  mlir::LogicalResult combineTuplesOfLanes(mlir::Block &combiner, llvm::MutableArrayRef<Tuple> tuples, int64_t lanes);
  using UseTuples = llvm::function_ref<mlir::LogicalResult(size_t number, llvm::SmallVector<Tuple> all)>;
  mlir::LogicalResult exchangeTuples(llvm::ArrayRef<Tuple> tuples, Value reader, int64_t warps, UseTuples use);
  mlir::LogicalResult combineTuplesOfWarps(mlir::Block &combiner, llvm::MutableArrayRef<Tuple> tuples, int64_t lanes,
                                           int64_t warps);
  mlir::LogicalResult lowerCombine(tile::CombineOp op);
  mlir::LogicalResult lowerInlinePtx(tile::InlinePtxOp op);
  mlir::LogicalResult lowerCustomReduce(tile::ReduceOp op);

  // Scans.cpp
  class Scanner;
  int64_t scratchOfScan(tile::ScanOp op);
  mlir::LogicalResult lowerScan(tile::ScanOp op);
  mlir::LogicalResult lowerScanTotal(tile::ScanTotalOp op);
  // Prefetch.cpp
  Value lastOf(ScalarBuilder &b, const LoweredRef &root, mlir::Type element);
  void prefetchLine(Value address, Value last, Value condition);
  void prefetchLaterPart(tile::LoadOp op, const LoweredRef &ref, int64_t elements);
  void prefetchLaterWindow(tile::LoadOp op, const LoweredRef &ref, int64_t elements);
  void prefetchLater(tile::LoadOp op, const LoweredRef &ref);
  llvm::SmallDenseSet<Value> prefetched; ///< arrays
  // Sorting.cpp
  /// Rows that are sorted together in scratch: a box of the tile, and the strides of its elements.
  struct SortedRows {
    layout::Boxes boxes;
    layout::Coordinate start;
    llvm::SmallVector<int64_t> strides;

    int64_t count() const;
  };
  layout::Boxes boxesOfSort(tile::SortOp op);
  int64_t scratchOfSort(tile::SortOp op);
  void storeElements(llvm::ArrayRef<Value> elements, const TileRegisters &registers, const SortedRows &rows);
  llvm::SmallVector<Value> placesOfWords(const TileRegisters &registers, const SortedRows &rows, int64_t offset,
                                         int64_t bytes);
  void loopFrom(Value from, Value to, Value step, llvm::function_ref<void(Value)> body);
  void storeWords(tile::SortOp op, const SortedRows &rows);
  void exchangeWords(tile::SortOp op, const SortedRows &rows, Value stage, Value low, int64_t bits);
  void sortWords(tile::SortOp op, const SortedRows &rows);
  void takeSorted(tile::SortOp op, const SortedRows &rows, std::vector<llvm::SmallVector<Value>> &results);
  mlir::LogicalResult lowerSort(tile::SortOp op);

  // RadixSort.cpp
  struct RadixPart;
  class RadixCount;
  class RadixPass;
  Value takeTicket(Value counter, Value place);
  Value inRows(Value ref, const RadixPart &place, int64_t bytes, bool ofPart);
  Value wordOfState(Value state, Value number);
  mlir::LogicalResult lowerRadixCount(tile::RadixCountOp op);
  mlir::LogicalResult lowerRadixPass(tile::RadixPassOp op);

  // Relayouts.cpp
  const layout::Relayout &planOf(tile::RelayoutOp op);
  Value sourceLane(const layout::WarpRelayout &plan);
  Registers relayoutInWarp(const layout::WarpRelayout &plan, llvm::ArrayRef<Value> vectors, const TileRegisters &from,
                           const TileRegisters &to);
  Registers relayoutThroughMemory(const layout::MemoryRelayout &plan, llvm::ArrayRef<Value> vectors,
                                  const TileRegisters &from, const TileRegisters &to);
  mlir::LogicalResult lowerRelayout(tile::RelayoutOp op);
  mlir::LogicalResult lowerOpaque(tile::OpaqueOp op);
  mlir::LogicalResult lowerPermute(tile::PermuteOp op);

  // Products.cpp
  int64_t scratchOfProduct(tile::DotOp dot);
  mlir::LogicalResult lowerDot(tile::DotOp op);
  void putFactor(tile::DotOp product, Value tile, Value start, int64_t pitch, const layout::Boxes &boxes,
                 const layout::Coordinate &box);
  void multiply(tile::DotOp op, const FactorsInScratch &place, const layout::Coordinate &box, int64_t depth,
                Registers &sums);

  // Divisions.cpp
  bool hasManyDivisions();
  bool dividesTogether(tile::DivOp op);
  Value areNumeratorsSafe(tile::DivOp op, llvm::ArrayRef<Value> numerators);
  Registers divideTogether(tile::DivOp op);
  Registers divideTogether(tile::DivOp op, llvm::ArrayRef<Value> numerators, llvm::ArrayRef<Value> denominators);
  Registers divideInLoop(llvm::ArrayRef<Value> numerators, llvm::ArrayRef<Value> denominators);

  // Cluster.cpp
  void reserveClusterScratch();
  void beginClusterExchange();
  void waitForCluster();
  llvm::SmallVector<Tuple> exchangeBlocks(const Tuple &tuple, const Tuple &identities);
  Value combineBlocks(Value value, tile::ReduceOp op, mlir::Type type);
  mlir::LogicalResult combineTupleOfBlocks(tile::ReduceOp op, Tuple &tuple);

  // explicit/Shared.cpp
  std::optional<mlir::LogicalResult> lowerSharedOp(mlir::Operation *op);
  mlir::LogicalResult lowerAlloc(tile::AllocOp op);
  mlir::LogicalResult lowerTranspose(tile::TransposeOp op);
  mlir::LogicalResult lowerReshape(tile::ReshapeRefOp op);
  mlir::LogicalResult lowerBitcast(tile::BitcastRefOp op);
  mlir::LogicalResult lowerSharedSlice(tile::SliceOp op);
  Value sharedBase();
  Value sharedAddress(int64_t offset);
  Value offsetInShared(const SharedRef &ref, unsigned dim, Value index);
  Value panelOffset(const SharedRef &ref, Value index);
  Value startInShared(const SharedRef &ref);
  llvm::SmallVector<Value> chunkAddresses(const SharedRef &ref, llvm::ArrayRef<Value> thread,
                                          llvm::ArrayRef<layout::Coordinate> parts);

  // explicit/SharedAccesses.cpp
  mlir::LogicalResult lowerSharedLoad(tile::LoadOp op);
  mlir::LogicalResult lowerSharedStore(tile::StoreOp op);
  void storeToShared(tile::StoreOp op);
  mlir::LogicalResult lowerSubtile(tile::SubtileOp op);

  // explicit/Matrices.cpp
  bool loadMatrices(tile::LoadOp op, const SharedRef &ref, const TileRegisters &registers);
  bool storeMatrices(tile::StoreOp op, const SharedRef &ref, const TileRegisters &registers);

  // explicit/ClusterMemory.cpp
  std::optional<mlir::LogicalResult> lowerClusterOp(mlir::Operation *op);
  Value rankAlong(int64_t axis, Value index);
  Value inBlock(Value address, Value block);
  /// The addresses of a thread's accesses of `width` elements each, in the cluster's window where the ref is of that.
  llvm::SmallVector<Value> placesOf(const SharedRef &ref, const TileRegisters &registers, int64_t width);
  mlir::LogicalResult lowerClusterRef(tile::ClusterRefOp op);
  mlir::LogicalResult loadFromCluster(tile::LoadOp op, const SharedRef &ref, const TileRegisters &registers);
  llvm::SmallVector<Value> chunksOf(Value tile, int64_t width);
  void storeToCluster(tile::StoreOp op, const SharedRef &ref, const TileRegisters &registers);
  mlir::LogicalResult lowerAsyncStore(tile::AsyncStoreOp op);
  void storeAlone(tile::AsyncStoreOp op);

  // explicit/NarrowLoads.cpp
  bool loadNarrow(tile::LoadOp op, const SharedRef &ref, const TileRegisters &registers);
  bool castNarrow(tile::CastOp op);

  // explicit/Barriers.cpp
  std::optional<mlir::LogicalResult> lowerBarrierOp(mlir::Operation *op);
  std::optional<mlir::LogicalResult> lowerStepOp(mlir::Operation *op);
  mlir::LogicalResult lowerTakeStep(tile::TakeStepOp op);
  mlir::LogicalResult lowerAnnounceStep(tile::AnnounceStepOp op);
  mlir::LogicalResult lowerReadStep(tile::ReadStepOp op);
  void meetForStep(mlir::Operation *op);
  /// Of an element of the slots in which steps are announced.
  mlir::Value stepAddress(mlir::Value slots, mlir::Value index);
  void initializeBarriers();
  mlir::LogicalResult lowerArrive(tile::BarrierArriveOp op);
  bool arrivesFromCluster(Value barriers);
  mlir::LogicalResult lowerWait(tile::BarrierWaitOp op);
  mlir::LogicalResult lowerTest(tile::BarrierTestOp op);
  mlir::LogicalResult lowerNamed(tile::NamedBarrierOp op);
  mlir::LogicalResult lowerWarpMap(tile::WarpMapOp op);
  void waitForPhase(Value address, Value parity);
  Value barrierAddress(Value barriers, Value index);
  Value arrivalMask(tile::AllocBarriersOp barriers);
  void blockBarrier();
  void clusterBarrier();
  mlir::LogicalResult lowerReuse(tile::ReuseSharedOp op);
  mlir::LogicalResult lowerPlace(mlir::Operation *op);
  Value clusterRank();

  // explicit/Semaphores.cpp
  std::optional<mlir::LogicalResult> lowerSemaphoreOp(mlir::Operation *op);
  mlir::LogicalResult lowerSignal(tile::SemaphoreSignalOp op);
  mlir::LogicalResult lowerSemaphoreWait(tile::SemaphoreWaitOp op);
  mlir::LogicalResult lowerSemaphoreRead(tile::SemaphoreReadOp op);
  mlir::LogicalResult lowerGridBarrier(tile::GridBarrierOp op);
  void fenceForCopies();

  // explicit/Trace.cpp
  std::optional<mlir::LogicalResult> lowerTraceOp(mlir::Operation *op);
  mlir::LogicalResult lowerTraceThread(tile::TraceThreadOp op);
  mlir::LogicalResult lowerTraceEvent(tile::TraceEventOp op);
  /// Where something notes events, and how many it has had, a variable.
  struct TraceRow {
    Value row, count;
  };
  /// That of the thread, or of the warp that the lane is in.
  const TraceRow &traceRow(Value trace, bool isOfWarp);

  // explicit/Copies.cpp
  std::optional<mlir::LogicalResult> lowerCopyOp(mlir::Operation *op);
  /// The address in shared memory of a copy's part, and whether this lane issues it.
  std::pair<Value, Value> placeOfCopy(Value ref, Value offset, Value predicate);
  void expectBytes(Value barrier, Value bytes, Value predicate);
  void meetBeforeCopy(mlir::Operation *op);
  Value startInArray(Value ref);
  mlir::LogicalResult lowerBulkLoad(tile::BulkLoadOp op);
  mlir::LogicalResult lowerBulkStore(tile::BulkStoreOp op);
  mlir::LogicalResult lowerTmaLoad(tile::TmaLoadOp op);
  mlir::LogicalResult lowerTmaStore(tile::TmaStoreOp op);
  mlir::LogicalResult lowerWaitGroup(tile::WaitGroupOp op);
  void fenceShared();

  // explicit/Wgmma.cpp
  std::optional<mlir::LogicalResult> lowerWgmmaOp(mlir::Operation *op);
  mlir::LogicalResult lowerWgmma(tile::WgmmaOp op);
  mlir::LogicalResult lowerWgmmaWait(tile::WgmmaWaitOp op);
  mlir::LogicalResult lowerUndefined(tile::UndefinedOp op);
  mlir::LogicalResult lowerZeroIf(tile::ZeroIfOp op);
  llvm::SmallVector<Value> fragmentsOf(Value tile);
  void setFragments(Value tile, llvm::ArrayRef<Value> fragments);
  llvm::SmallVector<Value> passThrough(const llvm::Twine &text, ValueRange through, ValueRange operands);

  // explicit/Mma.cpp
  std::optional<mlir::LogicalResult> lowerMmaOp(mlir::Operation *op);
  mlir::LogicalResult lowerMma(tile::MmaOp op);
  llvm::SmallVector<Value> factorBits(Value tile);
  mlir::LogicalResult lowerCpAsync(tile::CpAsyncOp op);
  Value endOf(Value window, unsigned dim);
  void copyRow(tile::CpAsyncOp op);
  void copyUnit(Value address, Value from, Value isWanted, Value bytes, Value copies);

  /// Whether the region is a role, a branch of the kernel's body, that waits and copies and does nothing else: its
  /// first warp does that alone, so that no warp of it can fall behind.
  bool isCopyingRole(mlir::Region *region);
  bool onlyCopies(mlir::Operation *op);
  mlir::LogicalResult lowerCopyingRole(mlir::Block &from, mlir::Block &to);
  Value cachePolicy(tile::Eviction eviction);
  /// The operand that says which lane copies; a hint for the cache; and what stands behind that in the instruction's
  /// name.
  struct CopyOptions {
    llvm::StringRef predicate;
    std::optional<tile::Eviction> eviction;
    llvm::StringRef type = "";
  };
  /// One instruction that copies between `places`, as it names its operands.
  void issueCopy(const llvm::Twine &name, const llvm::Twine &places, const CopyOptions &options,
                 std::string constraints, llvm::SmallVector<Value> operands);
  /// Whether this is the lane of its thread, or of its warp in a body of tile.warp_map, that issues what is issued
  /// once. It is one that elect.sync names: ptxas then knows that it is one lane, and needs no loop over those that
  /// might issue a copy.
  Value isLeader();
  Value isElected();
  /// The number of this lane's warp in its thread, and whether it is the first. All lanes of a warp take the answer
  /// from one of them: that it is the same for all, ptxas sees by this alone, and then branches without masks.
  Value warpInGroup();
  Value isFirstWarp();
  /// Inline assembly with effects.
  mlir::LLVM::InlineAsmOp effect(const llvm::Twine &text, llvm::StringRef constraints, ValueRange operands,
                                 Type result = {});

  ScalarBuilder scalars(mlir::Operation *op) {
    return ScalarBuilder(builder, locationOf(op), *constants, hasApproxMath(kernel));
  }
  ScalarBuilder scalars() { return ScalarBuilder(builder, here, *constants, hasApproxMath(kernel)); }
  Value i32(int64_t value) { return scalars().integer(builder.getI32Type(), value); }
  Value i64(int64_t value) { return scalars().integer(builder.getI64Type(), value); }

  /// Says at the tile op in question that tiles of this type have no layout; checked before registersOf.
  mlir::LogicalResult checkLaidOut(mlir::Operation *op);
  const TileRegisters &registersOf(Type type);

  /// The number of this thread within its thread group, and the parts of coordinates that it determines, one i32 for
  /// each dimension. Computed once, at the start of the function.
  Value threadInGroup();
  llvm::ArrayRef<Value> threadCoordinates(const TileRegisters &registers);
  Value specialRegister(llvm::StringRef name);
  void computeOnce(llvm::function_ref<void()> body);

  tile::KernelOp kernel;
  const Target &smallest;
  mlir::OpBuilder &builder;
  mlir::Location here = mlir::UnknownLoc::get(kernel.getContext());
  mlir::LLVM::LLVMFuncOp function;
  mlir::LLVM::DISubprogramAttr subprogram;
  mlir::Block *entry = nullptr;
  std::optional<Constants> constants;
  bool callsDivisions = false;
  /// Where the next value that is computed once goes: behind the others at the start of the function.
  mlir::Operation *lastOnce = nullptr;

  mlir::IRMapping values;
  llvm::DenseMap<Value, Registers> tiles;
  /// What the rows of scans come to.
  llvm::DenseMap<mlir::Operation *, std::vector<std::pair<layout::Coordinate, Tuple>>> scanTotals;
  llvm::DenseMap<Value, LoweredRef> refs;
  llvm::DenseMap<Value, SharedRef> shared;
  /// Elements of 4 or 8 bits that are taken from where they lie when it is known what becomes of them.
  llvm::DenseMap<Value, llvm::SmallVector<NarrowPair>> narrowPairs;
  std::map<Type, TileRegisters, bool (*)(Type, Type)> registerCache{
      [](Type a, Type b) { return a.getAsOpaquePointer() < b.getAsOpaquePointer(); }};
  llvm::DenseMap<Type, llvm::SmallVector<Value>> coordinateCache;
  llvm::StringMap<Value> specialRegisters;
  Value threadInGroupCache, isElectedCache, isLeaderCache, warpInGroupCache, isFirstWarpCache, sharedBaseCache,
      scratchCache;
  TraceRow traceRowCache, traceRowOfWarpCache;
  /// Shared memory that the CTA has for private copies of arrays.
  int64_t privateBytes = 0;
  llvm::DenseMap<Value, PrivateCopies> privateCopies;
  /// Shared memory that each thread group has for exchanges.
  int64_t scratchBytes = 0;
  /// Where in it the blocks of a cluster put what they tell each other; -1 without. How often they have, a variable.
  int64_t clusterScratch = -1;
  /// The bytes of a place, of which there are two.
  int64_t clusterPlace = 0;
  Value exchangeCount;
  bool hasMetCluster = false;
  llvm::DenseMap<mlir::Operation *, layout::Relayout> relayouts;
  llvm::DenseMap<Value, Value> arrivalMasks;
  /// By tile::Eviction.
  std::array<Value, 3> cachePolicies;
  llvm::DenseMap<mlir::Region *, bool> copyingRoles;
  /// In the body of tile.warp_map.
  bool isInWarps = false;

  /// The memory that the kernel writes to: all other may be read through the read-only cache.
  llvm::DenseSet<Value> written;
};

} // namespace tegula::lower
