// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A nest of loops over the elements of one tile, with the scalar code that computes an element inside. What several
// elements share is computed in an outer loop, what an element uses twice is computed once.
#pragma once

#include "stub/Program.h"

namespace tegula::stub {

class Nest {
public:
  /// What to do with an element: the statement, given the indices and the value.
  using Statement = llvm::function_ref<std::string(llvm::ArrayRef<Expr> index, const Expr &value)>;

  /// With `isVariable`, the tile is about to have a variable of its own, and its elements need no names.
  Nest(ProgramPrinter &program, mlir::Value value, mlir::Location location, bool isVariable = false)
      : program(program), value(value), location(location), isVariable(isVariable) {}

  /// The same of several elements, one of each tile that is given.
  using Update = llvm::function_ref<std::string(llvm::ArrayRef<Expr> index, llvm::ArrayRef<Expr> values)>;
  /// A tile, and which of the loops its dimensions follow.
  struct Followed {
    mlir::Value tile;
    int64_t first = 0;
  };

  /// Loops over all elements. Extents that are the literal 1 need no loop. With a mask, the statement is for those
  /// where it holds.
  void print(llvm::ArrayRef<Expr> extents, Statement statement, mlir::Value mask = {});
  /// Loops with an element of each of the tiles.
  void printUpdate(llvm::ArrayRef<Expr> extents, llvm::ArrayRef<Followed> tiles, Update statement,
                   mlir::Value mask = {});
  /// The statements of a reduction: what declares accumulators, and gives their names, what takes elements of the
  /// sources at an index, and what stores the results at the indices that stay.
  struct Reduction {
    llvm::function_ref<llvm::SmallVector<std::string>()> begin;
    llvm::function_ref<std::string(llvm::ArrayRef<Expr> index, llvm::ArrayRef<Expr> elements)> add;
    llvm::function_ref<llvm::SmallVector<std::string>(llvm::ArrayRef<Expr> index)> end;
  };
  /// The same of a scan.
  struct Scan {
    llvm::function_ref<llvm::SmallVector<std::string>(llvm::ArrayRef<Expr> row)> begin;
    llvm::function_ref<llvm::SmallVector<std::string>(llvm::ArrayRef<Expr> index, llvm::ArrayRef<Expr> elements)> add;
  };
  /// Of sources of one shape: loops over all dimensions, `axis` the innermost, which may run backward.
  void printScan(llvm::ArrayRef<Expr> extents, int64_t axis, bool isReversed, mlir::ValueRange sources,
                 const Scan &statements);
  /// Of sources of one shape, the value the first: loops over the dimensions that stay, inside them loops over `axes`.
  void printReduction(llvm::ArrayRef<Expr> extents, llvm::ArrayRef<int64_t> axes, mlir::ValueRange sources,
                      const Reduction &statements);
  /// The element of a tile of rank 0, computed here.
  Expr printScalar();

private:
  /// One scalar computation: an op, or a place in memory, at certain indices.
  struct Node {
    mlir::Value value;
    llvm::SmallVector<Expr> index;
    llvm::SmallVector<unsigned> operands;
    Expr expr;          ///< Unless it has operands.
    int level = -1;     ///< Of the innermost loop that it depends on.
    bool isSafe = true; ///< Nothing is read that an empty loop would not have read.
    unsigned uses = 0;
    std::string name;
  };
  unsigned nodeFor(mlir::Value tile, llvm::SmallVector<Expr> index);
  unsigned nodeForIndirect(mlir::Operation *op, Node node);
  Expr gathered(const Node &node, llvm::ArrayRef<Expr> operands) const;
  Expr takenFrom(const Node &node, llvm::ArrayRef<Expr> operands) const;
  llvm::SmallVector<Expr> indicesInSource(tile::IndexedOpInterface op, llvm::ArrayRef<Expr> index);
  unsigned add(Node node);
  int levelOf(const Expr &index) const;
  void readPlace(Node &node);
  bool wantsName(const Node &node, const Expr &expr) const;
  Expr exprOf(const Node &node) const;
  /// Declares what belongs to a loop level.
  void declareLevel(int level);
  /// Gives the dimensions index variables, from the outermost loop in: `order` are the dimensions.
  llvm::SmallVector<Expr> indicesOf(llvm::ArrayRef<Expr> extents, llvm::ArrayRef<int64_t> order);
  /// The same with the loops of `axes` inside those of all others, whose indices are `staying`.
  llvm::SmallVector<Expr> indicesAround(llvm::ArrayRef<Expr> extents, llvm::ArrayRef<int64_t> axes,
                                        llvm::SmallVectorImpl<Expr> &staying);
  /// Statements before, in and behind the inner loops. The first ones declare variables, and give their names.
  using Statements = llvm::function_ref<llvm::SmallVector<std::string>()>;
  void printCombination(llvm::ArrayRef<Expr> index, mlir::ValueRange sources, bool isReversed, Statements begin,
                        llvm::function_ref<llvm::SmallVector<std::string>(llvm::ArrayRef<Expr> elements)> add,
                        Statements end);
  void openLoop(size_t level, bool isReversed = false);

  ProgramPrinter &program;
  mlir::Value value;
  mlir::Location location;
  bool isVariable;
  llvm::SmallVector<std::string> loops;  ///< The index variables.
  llvm::SmallVector<Expr> bounds;        ///< How far they count.
  llvm::SmallVector<std::string> inside; ///< All names inside the loops.
  std::vector<Node> nodes;               ///< Operands first.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<unsigned, 1>> nodesOf;
  int innermost = -1;
  size_t outer = 0; ///< Loops around those that combine.
};

} // namespace tegula::stub
