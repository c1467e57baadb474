// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops whose elements are made of many: reductions, scans, sorted tiles and matrix products.

#ifndef TEGULA_IR_TILEREDUCTIONS_TD
#define TEGULA_IR_TILEREDUCTIONS_TD

/// Ops that combine elements by a region: what is made of two tuples of elements, the arguments one after the other.
class Tile_CombiningOp<string name, list<Trait> traits> : Tile_Op<name, traits> {
  code combiningMethods = [{
    /// Takes as many elements as there are tiles, twice.
    ::mlir::Block &getCombinerBlock() { return getOperation()->getRegion(0).front(); }
  }];
  /// Of those that say how by a name, or `custom`.
  code namedMethods = combiningMethods # [{
    bool isCustom() { return getKind() == Reduction::Custom; }
    /// The first source; they are alike but for their elements.
    ::mlir::TypedValue<::mlir::RankedTensorType> getSource() {
      return ::mlir::cast<::mlir::TypedValue<::mlir::RankedTensorType>>(getSources().front());
    }
    /// What changes nothing in a combination, of the elements of a source, in the type that these are combined in.
    ::mlir::TypedAttr identityOf(unsigned source, ::mlir::Type element);
  }];
}

def Tile_ReduceOp : Tile_CombiningOp<"reduce", [Pure, AttrSizedOperandSegments, Tile_IndexedBy<["getIndexingMap"]>]> {
  let summary = "combines the elements along some dimensions, which go";
  let description = [{
    `axes` are ascending. Sums and products of integers wrap; those of f16 and bf16 are taken in f32 and rounded once. A
    maximum or minimum is NaN if an element is. `any` and `all` are of bools. Where nothing is there, the result is the
    identity: 0, 1, the lowest or the highest value (an infinity), false, true. The order of combination is the
    target's, and always the same.

    `custom` combines tuples of elements, one of each source, by the region, which is associative, commutative and
    without effects: its arguments are the scalars of one tuple, then those of another, and what it yields is their
    combination. `identities` has the scalars that change nothing.

        %greatest, %index = tile.reduce custom %x, %i [1] identities [0xFF800000 : f32, 2147483647 : i32] {
        ^bb0(%a: f32, %m: i32, %b: f32, %n: i32):
          ...
          tile.combined %r, %k : f32, i32
        } : tensor<8x64xf32>, tensor<8x64xi32> -> tensor<8xf32>, tensor<8xi32>

    `extents`, in kernels, say for each axis how many of the source's elements are there; absent, all are. What lies
    beyond is undefined and is not combined (`tile-mask-extents`).

    With `cluster`, every block of a cluster comes by here with a source of its own, and goes on with one element: the
    combination of all that they have, the same in every block.

    With `partial`, of a sum of floats whose elements are those of one warp's lanes, each thread has the sum of what it
    has itself: lanes that hold copies of an element of the result have different parts of it, which
    `tile.combine_lanes` adds up.
  }];
  let arguments = (ins Tile_ReductionAttr:$kind, Variadic<Tile_TileOf<Tile_Computed>>:$sources,
      DenseI64ArrayAttr:$axes, Variadic<I64>:$extents, OptionalAttr<ArrayAttr>:$identities, UnitAttr:$cluster,
      UnitAttr:$partial);
  let results = (outs Variadic<Tile_TileOf<Tile_Computed>>:$results);
  // None of a named reduction.
  let regions = (region VariadicRegion<AnyRegion>:$combiner);
  // An enum's own text begins with a space.
  let assemblyFormat = [{
    `` $kind $sources $axes (`extents` `(` $extents^ `)`)? (`identities` $identities^)? (`cluster` $cluster^)?
    (`partial` $partial^)? ($combiner^)? attr-dict `:` type($sources) `->` type($results)
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::tegula::tile::Reduction":$kind, "::mlir::Value":$source,
                   "::llvm::ArrayRef<int64_t>":$axes, CArg<"::mlir::ValueRange", "{}">:$extents,
                   CArg<"bool", "false">:$cluster), [{
      build($_builder, $_state, ::mlir::TypeRange(result), kind, ::mlir::ValueRange(source), axes, extents,
            ::mlir::ArrayAttr(), cluster, /*partial=*/false, /*combinerCount=*/0);
    }]>
  ];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = namedMethods # [{
    bool isReduced(int64_t dim) { return ::llvm::is_contained(getAxes(), dim); }
    /// The dimension of the sources behind a dimension of the results.
    int64_t getSourceDim(int64_t resultDim);
    int64_t getNumReductionDims() { return getAxes().size(); }
    ::mlir::OpOperand &getSourceMutable() { return getOperation()->getOpOperand(0); }
    /// Of the first source.
    ::mlir::Value getResult() { return getResults().front(); }
    ::mlir::RankedTensorType getType() { return ::mlir::cast<::mlir::RankedTensorType>(getResult().getType()); }
    /// Of tiles with layouts: whether an element of the result is made of what several lanes have, which are those
    /// of a warp that hold copies of it.
    bool isWithinLanes();
  }];
}

def Tile_CombineOp : Tile_CombiningOp<"combine", [Pure, Tile_Indexed]> {
  let summary = "combines two tuples of tiles element by element, by the region";
  let description = [{
    The first half of the operands is one tuple. Reductions that a thread group does chunk by chunk go on by it.
  }];
  let arguments = (ins Variadic<Tile_TileOf<Tile_Computed>>:$operands);
  let results = (outs Variadic<Tile_TileOf<Tile_Computed>>:$results);
  let regions = (region AnyRegion:$combiner);
  let assemblyFormat = "$operands $combiner attr-dict `:` type($operands) `->` type($results)";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = combiningMethods;
}

def Tile_ScanOp : Tile_CombiningOp<"scan", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    Tile_IndexedBy<["getIndexingMap", "getScannedDim"]>]> {
  let summary = "combines each element along a dimension with all that are before it";
  let description = [{
    Element i of the result is x[0] combined with x[1], and so on up to x[i]; with `reverse`, it is x[n - 1] combined with
    x[n - 2], down to x[i]. Kinds and types are those of `tile.reduce`, but for `any` and `all`. `custom` combines tuples by
    the region, which is associative and need not be commutative: what comes first in the order of the scan is its first
    tuple.

        %r = tile.scan sum %x [1] : tensor<?x?xf32> -> tensor<?x?xf32>

    `inits`, in kernels, are combined with what comes first: a tile for each source, without the dimension. So a thread
    group goes on from chunk to chunk, with what `tile.scan_total` gives of the one before.

    Where thread groups share the rows of a scan, `across` is memory in which they tell each other what their parts come
    to (ir/LookBack.h), zero in the beginning. In kernels, `at` says which part this is, in the order of the scan and
    through all rows, how many parts a row has, and how many there are. Thread groups begin in the order of their parts:
    one waits for those before it.
  }];
  let arguments = (ins Tile_ReductionAttr:$kind, Variadic<Tile_TileOf<Tile_Computed>>:$sources, I64Attr:$axis,
      Variadic<Tile_TileOf<Tile_Computed>>:$inits, Optional<Tile_RefType>:$state, Variadic<I64>:$position,
      OptionalAttr<ArrayAttr>:$identities, UnitAttr:$reverse);
  let results = (outs Variadic<Tile_TileOf<Tile_Computed>>:$results);
  // None of a named scan.
  let regions = (region VariadicRegion<AnyRegion>:$combiner);
  let assemblyFormat = [{
    `` $kind $sources `[` $axis `]` (`reverse` $reverse^)? (`init` `(` $inits^ `:` type($inits) `)`)?
    (`across` $state^ `:` type($state))? (`at` `(` $position^ `)`)?
    (`identities` $identities^)? ($combiner^)? attr-dict `:` type($sources) `->` type($results)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = namedMethods;
}

def Tile_ScanTotalOp : Tile_Op<"scan_total", [Pure, Tile_IndexedBy<["getIndexingMap", "getNumReductionDims"]>]> {
  let summary = "what a scan comes to: the last element along its axis";
  let description = [{
    `source` is a result of `tile.scan`, whose dimension goes. Of a reversed one, that is its first element.
  }];
  let arguments = (ins Tile_TileOf<Tile_Computed>:$source);
  let results = (outs Tile_TileOf<Tile_Computed>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ScanOp getScan() { return getSource().getDefiningOp<ScanOp>(); }
  }];
}

def Tile_CombinedOp : Tile_Op<"combined", [Terminator, ReturnLike, Pure,
    ParentOneOf<["ReduceOp", "CombineOp", "ScanOp", "InlinePtxOp"]>]> {
  let summary = "ends a combiner, with the combination, or what an instruction means, with the result";
  let arguments = (ins Variadic<Tile_Scalar>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def Tile_CombineLanesOp : Tile_Op<"combine_lanes", [Pure, Tile_Indexed, AllTypesMatch<["source", "result"]>]> {
  let summary = "adds up the parts of an element that lanes have";
  let description = [{
    The lanes of a warp that hold copies of an element of the source, by its layout, have parts of it (`tile.reduce ...
    partial`). All of them get the sum.
  }];
  let arguments = (ins Tile_TileOf<Tile_Float>:$source);
  let results = (outs Tile_TileOf<Tile_Float>:$result);
  let assemblyFormat = "$source attr-dict `:` type($result)";
}

def Tile_WarpAllOp : Tile_Op<"warp_all", [Pure]> {
  let summary = "whether all elements that a warp has are true";
  let description = [{
    By the tile's layout; warps may differ. What a warp does by it leaves all other warps alone: a branch that
    synchronizes nothing.
  }];
  let arguments = (ins Tile_TileOf<I1>:$source);
  let results = (outs I1:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Tile_SortOp : Tile_Op<"sort", [Pure, AttrSizedOperandSegments, Tile_Indexed]> {
  let summary = "puts the elements along a dimension in order";
  let description = [{
    The first `keys` sources say in which: by the first of them, and where that is equal by the next. All sources are put
    into the same order. It is ascending or `descending`; elements with equal keys stay in their order. NaN is behind
    all others in both, and -0 is equal to +0.

        %values, %where = tile.sort %x, %i along 1 by 1
            : tensor<8x64xf32>, tensor<8x64xi32> -> tensor<8x64xf32>, tensor<8x64xi32>

    `extent`, in kernels, says how many elements are there along the dimension, which is a power of two there; absent,
    all are. What lies beyond is undefined, before and after.
  }];
  let arguments = (ins Variadic<Tile_Tile>:$sources, I64Attr:$axis, I64Attr:$keys, UnitAttr:$descending,
      Optional<I64>:$extent);
  let results = (outs Variadic<Tile_Tile>:$results);
  let assemblyFormat = [{
    $sources `along` $axis `by` $keys (`descending` $descending^)? (`extent` `(` $extent^ `)`)? attr-dict `:` type($sources) `->` type($results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Along the dimension, each element of the result is made of all of the source.
    int64_t getNumReductionDims() { return 1; }
    ::mlir::RankedTensorType getType() {
      return ::mlir::cast<::mlir::RankedTensorType>(getSources().front().getType());
    }
    /// Keys of so few bits share a word with the index.
    bool isPacked();
    /// The shared memory in which elements are exchanged: what an element takes, and the most that there is.
    int64_t getExchangedBytes();
    static constexpr int64_t mostBytes = 48 * 1024;
    /// Whether rows of so many elements, counted as the next power of two, are exchanged in it.
    bool isExchanged(int64_t length);
  }];
}

def Tile_RadixCountOp : Tile_Op<"radix_count", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "counts the digits of keys that a radix sort puts in order";
  let description = [{
    `keys` has rows of `length` elements, one behind the other. A CTA counts all digits of a part of a row, and adds them up
    in `state` (`ir/RadixSort.h`).
  }];
  let arguments = (ins Tile_RefType:$keys, Tile_RefType:$state, I64:$length, UnitAttr:$descending);
  let assemblyFormat = "$keys `in` $state `length` $length (`descending` $descending^)? attr-dict `:` type($keys) `,` type($state)";
}

def Tile_RadixPassOp : Tile_Op<"radix_pass", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "puts the elements of rows into the order of a digit of their keys";
  let description = [{
    Those of equal digits stay in their order. A CTA moves a part of a row, behind what the parts before it tell by `state`
    (`ir/RadixSort.h`). There are `rows` rows of `length` elements, one behind the other. With the keys go elements that are
    `carried`; without these, `carried_to` gets the places of the keys in their rows. Keys go nowhere without `keys_to`.
  }];
  let arguments = (ins Tile_RefType:$keys, Optional<Tile_RefType>:$carried, Optional<Tile_RefType>:$keys_to,
      Optional<Tile_RefType>:$carried_to, Tile_RefType:$state, I64:$rows, I64:$length, I64:$digit, UnitAttr:$descending);
  let assemblyFormat = [{
    $keys (`carry` $carried^ `:` type($carried))? (`keys_to` $keys_to^ `:` type($keys_to))?
    (`carried_to` $carried_to^ `:` type($carried_to))? `in` $state `rows` $rows `length` $length `digit` $digit
    (`descending` $descending^)? attr-dict `:` type($keys) `,` type($state)
  }];
}

def Tile_DotOp : Tile_Op<"dot", [Pure, AttrSizedOperandSegments, Tile_IndexedBy<["getIndexingMap"]>]> {
  let summary = "a matrix product over the last two dimensions, for each of the dimensions before";
  let description = [{
    a is [batch..., M, K], b is [batch..., K, N], the result [batch..., M, N]. Products of floats of 8 bits, of one type
    or of two, of f16 and of bf16 are summed in f32, of 8- and 16-bit integers in s32; all others in their own type, each product and addition fused (FMA). With `acc`,
    the result is that plus the product. `precision tf32`, of f32, takes the factors without the lower 13 bits of their
    fractions, as tensor cores do.

    `extent`, in kernels, says how much of K is there; absent, all is. What the factors hold beyond is undefined and is
    not summed (`tile-mask-extents`; tensor cores may read zeros there).
  }];
  let arguments = (ins Tile_Tile:$a, Tile_Tile:$b, Optional<Tile_Tile>:$acc, Optional<I64>:$extent,
      DefaultValuedAttr<Tile_PrecisionAttr, "Precision::Ieee">:$precision);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $a `,` $b (`precision` $precision^)? (`extent` `(` $extent^ `)`)? (`acc` $acc^ `:` type($acc) `,`)? attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimensions before M, N and K.
    int64_t getBatchRank() { return getType().getRank() - 2; }
    int64_t getNumReductionDims() { return 1; }
  }];
}

#endif // TEGULA_IR_TILEREDUCTIONS_TD
