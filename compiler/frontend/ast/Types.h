// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ types as the frontend sees them: the language's own classes, elements, and their types in IR.
#pragma once

#include "mlir/IR/BuiltinTypes.h"

#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace clang {
class ASTContext;
class CXXRecordDecl;
class DeclContext;
} // namespace clang

namespace tegula::frontend {

/// The classes that the language declares.
enum class Known {
  None,
  Tile,
  Ref,
  Array,
  Arrays,
  NarrowFloat, ///< f16, bf16: a record that computes as float
  StoredElement,
  Slice,
  All,
  NewAxis,
  Constant,
  Element,
  BlockSpec,
  ScratchSpec,
  BlockIndex,
  Extents,
  GridShape,
  PallasOptions,
  KernelOptions,
  Smem,
  Acc,
  Barrier,
  ClusterBarrier,
  NamedBarrier,
  BarrierRef,
  Allocations,
  Pipeline,
  ProfileScope,
  Batched,
  Transforms,
  LoadOptions,
};

/// The element and the extents of a tile, a ref or an array; -1 is an extent known at run time.
struct ShapedClass {
  clang::QualType element;
  llvm::SmallVector<int64_t, 4> extents;
};

class TypeMap {
public:
  TypeMap(clang::ASTContext &ast, mlir::MLIRContext *context) : ast(ast), context(context) {}

  Known known(clang::QualType type) const;
  bool is(clang::QualType type, Known what) const { return known(type) == what; }
  bool isTile(clang::QualType type) const { return is(type, Known::Tile); }
  /// A ref, an array, a list of arrays or shared memory.
  bool isRef(clang::QualType type) const {
    Known kind = known(type);
    return kind == Known::Ref || kind == Known::Array || kind == Known::Arrays || kind == Known::Smem;
  }
  /// An array of barriers, of any kind.
  bool isBarrier(clang::QualType type) const {
    Known kind = known(type);
    return kind == Known::Barrier || kind == Known::ClusterBarrier || kind == Known::NamedBarrier;
  }
  /// An accumulator, or what C++ sees of it as a ref.
  bool isAccumulator(clang::QualType type) const;
  /// Whether objects of the type are leaves: numbers, tiles, refs, arrays of the host, functions.
  bool isLeaf(clang::QualType type) const;
  bool isScalar(clang::QualType type) const;
  bool isFloating(clang::QualType type) const;
  /// Of a floating-point scalar.
  const llvm::fltSemantics &semantics(clang::QualType type) const;
  bool isUnsigned(clang::QualType type) const;

  ShapedClass shaped(clang::QualType type) const;
  llvm::SmallVector<int64_t, 4> tileShape(clang::QualType type) const;
  /// The element of a tile or a ref in IR: unsigned integers say so. Null if there is none.
  mlir::Type element(clang::QualType type) const;
  /// A number in arith. Null if there is none.
  mlir::Type scalar(clang::QualType type) const;
  mlir::RankedTensorType tile(clang::QualType type) const;
  mlir::RankedTensorType tile(clang::QualType element, llvm::ArrayRef<int64_t> shape) const;
  /// What holds a leaf of the type in IR. Null for refs and functions, which no variable may change.
  mlir::Type stored(clang::QualType type) const;
  /// f32, s64, bool...: how the language names an element.
  llvm::StringRef name(clang::QualType element) const;
  /// The integer template argument of constant<V>, slice<N>, block_index<R>.
  int64_t integerArgument(clang::QualType type) const;

private:
  clang::ASTContext &ast;
  mlir::MLIRContext *context;
  mutable llvm::DenseMap<const clang::CXXRecordDecl *, Known> records;
};

/// Whether the declaration is directly in namespace tegula (or in tegula::detail, or a member of a class there).
bool isInLanguage(const clang::DeclContext *context);

} // namespace tegula::frontend
