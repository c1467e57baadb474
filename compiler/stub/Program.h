// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the body of a launch or of a kernel: loops over the elements that it stores.
#pragma once

#include "stub/Body.h"
#include "stub/KeptTiles.h"

#include "analysis/Extents.h"
#include "ir/TileDialect.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula::stub {

class ProgramPrinter : public BodyPrinter {
public:
  ProgramPrinter(Writer &out, Names &names, SourceFiles &files, mlir::Region &program, Form form = Form::Written);

  /// What the programs of a launch share.
  void declareRaces();
  /// The whole program of a launch.
  void printProgram(mlir::Block &block);
  /// Behind one: others need not run where nothing that they could store to is there.
  void printEndOfEmpty(tile::LaunchOp launch);
  /// What tells, in a handler, of too little memory.
  std::string explanation(tile::LaunchOp launch);
  /// What a handler around one program does with an access out of bounds: adds the indices of the program.
  static std::string explanation(tile::LaunchOp launch, llvm::StringRef access, llvm::ArrayRef<std::string> program);
  /// Whether the program marks what it stores of an argument: an output that it may leave partly unwritten.
  bool isMarked(mlir::BlockArgument argument) const {
    return llvm::any_of(marked, [&](const MarkedBlock &known) { return known.argument == argument; });
  }

  /// What the programs' indices and numbers along each axis of the grid are called.
  void nameGrid(llvm::ArrayRef<std::string> indices, llvm::ArrayRef<std::string> counts) {
    indexNames.assign(indices.begin(), indices.end());
    countNames.assign(counts.begin(), counts.end());
  }

protected:
  std::optional<Expr> leaf(mlir::Operation *op) override;
  void printStatement(mlir::Operation *op) override;
  bool isGlue(mlir::Operation *op) override;
  void declareCarried(const std::string &name, mlir::Value variable, mlir::Value init) override;
  void bindCarried(mlir::Value value, const std::string &name) override;
  Expr carried(mlir::Value value, mlir::Value target) override;
  /// A tile computed now, into a variable that its later uses read.
  void keep(mlir::Value value);
  /// `cpu::tile<float, 2> name({n, 16});` and the loops that fill it.
  /// If it goes into the variable of `target`, it has that one's extents where it conforms.
  void declareTile(const std::string &name, mlir::Value value, bool isConst = false, mlir::Value target = {});
  /// Loops that write a value to a place.
  void printStore(tile::StoreOp op, const std::string &place);
  void printScatter(tile::ScatterOp op);
  void printAtomic(tile::AtomicOp op);
  /// An element that is updated; as elementOf.
  virtual Expr elementOfUpdate(tile::AtomicOp op, llvm::ArrayRef<Expr> index, llvm::ArrayRef<Expr> values);
  /// `cpu::element(site, place, {i0, row, i1})`, or `place(i0, i1)` where nothing is indexed.
  template <class IndirectOp> Expr elementOf(IndirectOp op, llvm::ArrayRef<Expr> index, llvm::ArrayRef<Expr> values);
  /// The indices in the ref of an element at `index`; `values` are those of the tiles of indices.
  template <class IndirectOp> Expr placeOf(IndirectOp op, llvm::ArrayRef<Expr> index, llvm::ArrayRef<Expr> values);
  /// With the name of the array that `ref` is of.
  Expr site(mlir::Location location, mlir::Value ref = nullptr);
  bool isNeeded(mlir::Value value);

  bool isExplicit, isSplit;
  llvm::DenseSet<mlir::Value> kept;
  /// The tiles that have a place: a ref for a load, else a variable.
  llvm::DenseMap<mlir::Value, std::string> places;
  /// Those that are plain C++ scalars, being of rank 0; and those that are of type cpu::tile.
  llvm::DenseSet<mlir::Value> scalars, tiles;

private:
  friend class Nest;

  // ---- Outputs: a `cpu::written` for the program's own block of each of which nothing proves that all is stored.
  /// The block of an output, and what its marks are called.
  struct MarkedBlock {
    mlir::BlockArgument argument;
    mlir::Value block;
    mlir::Location where; ///< Of the first store, or of what describes the block.
    std::string name;
  };
  void findMarked(tile::LaunchOp launch);
  bool isMarkedBlock(mlir::Value block) const {
    return llvm::any_of(marked, [&](const MarkedBlock &known) { return known.block == block; });
  }
  void declareMarks(mlir::Value block);
  void printMarks(tile::StoreOp op, const std::string &place);
  void printChecks();

  // ---- Races: a `cpu::races` for each array of which a program may load what another one stores.
  struct TrackedArray {
    mlir::BlockArgument argument;
    llvm::SmallVector<mlir::Operation *> accesses;
    std::string name;
  };
  void findTracked(tile::LaunchOp launch);
  void printAccess(mlir::Operation *access, llvm::StringRef method, mlir::Value ref, mlir::Value mask);
  void printGatherAccess(tile::GatherOp gather);
  /// Tells of an element, in the loops that access it.
  void tellElement(mlir::Operation *access, llvm::StringRef method, mlir::Value ref, const Expr &element);

  // ---- Memory: every one of these names a place that elements are read from by `name(i, j)`.
  template <class SlicingOp> void printSlice(SlicingOp op, const std::string &source);
  void printStridedSlice(tile::StridedSliceOp op);
  void printDebugPrint(tile::DebugPrintOp op);
  llvm::SmallVector<Expr> extentsOfSources(mlir::ValueRange sources);
  void printReduction(tile::ReduceOp op, const std::string &declaration, const std::string &name);
  /// Declares the results of a reduction of several tiles, and computes them.
  void keepResults(tile::ReduceOp op);
  void printSort(tile::SortOp op);
  /// Of what is told about a part of a shared scan: state, parts, part before or this one, word.
  llvm::SmallVector<Expr> aboutPart(tile::ScanOp op, unsigned source, bool isBefore);
  void tellTotals(tile::ScanOp op);
  void printCustomReduction(tile::ReduceOp op, llvm::ArrayRef<std::string> names);
  void keepScan(tile::ScanOp op);
  void keepScanTotal(tile::ScanTotalOp op);
  /// `const auto combine = [&](float a, int b, float a_2, int b_2) {...};`; the result is its name.
  std::string printCombiner(mlir::Block &combiner);
  /// The same of a reduction or a scan, where programs are as written: it looks at its identity on the way, and takes
  /// the index of the element first.
  template <class ReducingOp> std::string printCheckedCombiner(ReducingOp op);
  bool checksIdentity(mlir::Operation *op) const;
  /// `combined = combine(combined, x(i0))`
  std::string combination(mlir::Operation *op, llvm::StringRef combine, llvm::ArrayRef<Expr> accumulators,
                          llvm::ArrayRef<Expr> index, llvm::ArrayRef<Expr> elements);
  /// One result of a combination of two tuples, whose elements these are.
  Expr combined(mlir::Operation *op, unsigned result, llvm::ArrayRef<Expr> elements);
  Expr wholeOf(mlir::Value tile);
  void fill(mlir::Value value, llvm::ArrayRef<Expr> extents, const std::string &into);

  Expr extentOf(mlir::Value tile, unsigned axis);
  /// As the program computes it, whether or not a variable holds the tile already.
  Expr computedExtent(mlir::Value tile, unsigned axis);
  Expr extentExpr(const Extent *extent, mlir::RankedTensorType type, unsigned axis, mlir::Operation *at);
  /// How much a scatter or an update changes.
  llvm::SmallVector<Expr> extentsOfRoot(tile::RootOpInterface root);
  Expr dimOfRef(mlir::Value ref, unsigned axis);
  llvm::SmallVector<Expr> extentsOf(mlir::Value tile, mlir::Value target = {});
  /// Whether it conforms along a dimension in which the variable that it goes into does not.
  bool isConformingTo(mlir::Value tile, mlir::Value target);

  SourceFiles &files;
  llvm::DenseMap<mlir::Operation *, std::string> combiners;
  llvm::SmallVector<std::string> indexNames, countNames;
  llvm::SmallVector<MarkedBlock> marked;
  llvm::SmallVector<TrackedArray> tracked;
  /// What is there of each tile; at the explicit level and after splitting, all of it is.
  std::optional<Extents> extents;
};

template <class IndirectOp>
Expr ProgramPrinter::placeOf(IndirectOp op, llvm::ArrayRef<Expr> index, llvm::ArrayRef<Expr> values) {
  llvm::SmallVector<Expr> place;
  for (int64_t dim = 0; dim < op.getRef().getType().getRank(); ++dim) {
    if (int64_t iterated = op.getIteratedDim(dim); iterated >= 0) {
      place.push_back(index[iterated]);
      continue;
    }
    unsigned which = llvm::find(op.getDims(), dim) - op.getDims().begin();
    mlir::Type type = mlir::cast<mlir::RankedTensorType>(op.getIndices()[which].getType()).getElementType();
    place.push_back(type.isSignlessInteger(64) ? values[which] : staticCast("std::int64_t", values[which]));
  }
  return {"{" + commaSeparated(place) + "}"};
}

/// `cpu::tile<float, 2>`; of rank 0, `float`.
std::string tileTypeName(mlir::RankedTensorType type);
/// `tegula::shape<2>{rows, columns}`.
std::string shapeOf(llvm::ArrayRef<Expr> extents);
/// The extents that a reduction of such a tile keeps.
llvm::SmallVector<Expr> keptOf(tile::ReduceOp op, llvm::ArrayRef<Expr> extents);
/// `cpu::ref<const float, 2>`; of a list `cpu::table<const float, 2>`.
std::string refTypeName(tile::RefType type, bool isConst);
/// Whether a program may write through an argument.
bool isWritten(mlir::Value ref);

} // namespace tegula::stub
