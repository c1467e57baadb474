// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The explicit level: products on tensor cores. Part of TileOps.td.

#ifndef TEGULA_IR_TILETENSORCORES_TD
#define TEGULA_IR_TILETENSORCORES_TD

// ---- Hopper's tensor cores --------------------------------------------------------------------------------------

/// Waits count products: each is one, whatever becomes of its result.
def Tile_MatrixUnit : Resource<"::tegula::tile::MatrixUnit">;

def Tile_WgmmaOp : Tile_Op<"wgmma", [AllTypesMatch<["accumulator", "result"]>, Tile_AccessesMemory,
    MemoryEffects<[MemWrite<Tile_MatrixUnit>]>]> {
  let summary = "begins accumulator + a @ b";
  let description = [{
    `a` is M x K, in shared memory or registers, `b` is K x N in shared memory, of types that `include/tegula/wgmma.def`
    lists: f32 is read as tf32. In shared memory operands of 16 bits may lie either way round; K runs along the rows of
    all others, so that `b` is a transposed view. The result is there after a `tile.wgmma_wait`; until then only further products may add to it.
    Where `accumulate` is false, the result is a @ b alone, whatever the accumulator holds. `at` is a row and a column
    of the accumulator: the product is that of a part of it, M x N, which begins there, and the rest stays.
  }];
  let arguments = (ins Tile_Tile:$accumulator, AnyTypeOf<[Tile_RefType, Tile_Tile]>:$a,
      Arg<Tile_RefType, "b", [MemRead]>:$b, Optional<I1>:$accumulate, OptionalAttr<DenseI64ArrayAttr>:$at);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $accumulator (`at` $at^)? (`if` $accumulate^)? `,` $a `,` $b attr-dict `:` type($a) `,` type($b) `->` type($result)
  }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$accumulator, "::mlir::Value":$a, "::mlir::Value":$b,
                                 "::mlir::Value":$accumulate), [{
    build($_builder, $_state, accumulator, a, b, accumulate, ::mlir::DenseI64ArrayAttr());
  }]>];
  let extraClassDeclaration = [{
    /// Of the part that the product adds to: where it begins, and its extents.
    int64_t getFirst(unsigned dim) { return getAt() ? (*getAt())[dim] : 0; }
    int64_t getRows();
    int64_t getColumns();
  }];
}

def Tile_UndefinedOp : Tile_Op<"undefined", [Pure, Tile_Indexed]> {
  let summary = "a tile in registers as they are, for a product that does not read it";
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Tile_ZeroIfOp : Tile_Op<"zero_if", [Pure, Tile_Indexed, AllTypesMatch<["source", "result"]>]> {
  let summary = "zero where the condition is true, else the source";
  let description = "For accumulators that begin as `tile.undefined`: where no product came.";
  let arguments = (ins I1:$condition, Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$condition `,` $source attr-dict `:` type($result)";
}

def Tile_WgmmaWaitOp : Tile_Op<"wgmma_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until at most `pending` products of this thread are in flight";
  let description = "The accumulators pass through: with `pending` 0 the results are there.";
  let arguments = (ins I64Attr:$pending, Variadic<Tile_Tile>:$accumulators);
  let results = (outs Variadic<Tile_Tile>:$results);
  let hasCanonicalizeMethod = 1;
  let assemblyFormat = "$pending `(` $accumulators `)` attr-dict `:` functional-type($accumulators, $results)";
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "int64_t":$pending, "::mlir::ValueRange":$accumulators), [{
    build($_builder, $_state, accumulators.getTypes(), pending, accumulators);
  }]>];
}

// ---- Tensor cores of a warp -----------------------------------------------------------------------------------------

def Tile_MmaOp : Tile_Op<"mma", [Pure, AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "accumulator + a @ transpose(b), all in registers";
  let description = [{
    `a` is M x K, `b` is N x K: each thread has neighbours along K of both, as mma.sync takes them (PTX ISA, "Matrix
    Fragments for mma.m16n8k16"). A load from shared memory, or from a transposed view of it, makes such tiles by
    `ldmatrix`. With `rows`, each warp of the thread group has whole rows of the result.
  }];
  let arguments = (ins Tile_Tile:$accumulator, Tile_Tile:$a, Tile_Tile:$b, UnitAttr:$rows);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "(`rows` $rows^)? $accumulator `,` $a `,` $b attr-dict `:` type($a) `,` type($b) `->` type($result)";
  let hasVerifier = 1;
}

#endif // TEGULA_IR_TILETENSORCORES_TD
