// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops whose elements are made of many: reductions and matrix products.

#ifndef TEGULA_IR_TILEREDUCTIONS_TD
#define TEGULA_IR_TILEREDUCTIONS_TD

def Tile_ReduceOp : Tile_Op<"reduce", [Pure, Tile_IndexedBy<["getIndexingMap"]>]> {
  let summary = "combines the elements along some dimensions, which go";
  let description = [{
    `axes` are ascending. Sums and products of integers wrap; those of f16 and bf16 are taken in f32 and rounded once. A
    maximum or minimum is NaN if an element is. `any` and `all` are of bools. Where nothing is there, the result is the
    identity: 0, 1, the lowest or the highest value (an infinity), false, true. The order of combination is the
    target's, and always the same.

    `extents`, in kernels, say for each axis how many of the source's elements are there; absent, all are. What lies
    beyond is undefined and is not combined (`tile-mask-extents`).

    With `cluster`, every block of a cluster comes by here with a source of its own, and goes on with one element: the
    combination of all that they have, the same in every block.

    With `partial`, of a sum of floats whose elements are those of one warp's lanes, each thread has the sum of what it
    has itself: lanes that hold copies of an element of the result have different parts of it, which
    `tile.combine_lanes` adds up.
  }];
  let arguments = (ins Tile_ReductionAttr:$kind, Tile_TileOf<Tile_Computed>:$source, DenseI64ArrayAttr:$axes,
      Variadic<I64>:$extents, UnitAttr:$cluster, UnitAttr:$partial);
  let results = (outs Tile_TileOf<Tile_Computed>:$result);
  // An enum's own text begins with a space.
  let assemblyFormat = [{
    `` $kind $source $axes (`extents` `(` $extents^ `)`)? (`cluster` $cluster^)? (`partial` $partial^)? attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let extraClassDeclaration = [{
    bool isReduced(int64_t dim) { return ::llvm::is_contained(getAxes(), dim); }
    /// The dimension of the source behind a dimension of the result.
    int64_t getSourceDim(int64_t resultDim);
    int64_t getNumReductionDims() { return getAxes().size(); }
    /// Of tiles with layouts: whether an element of the result is made of what several lanes have, which are those
    /// of a warp that hold copies of it.
    bool isWithinLanes();
  }];
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
