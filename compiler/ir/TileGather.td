// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses of memory at places that data says: gathers, scatters, and atomic updates of these or of a window.

#ifndef TEGULA_IR_TILEGATHER_TD
#define TEGULA_IR_TILEGATHER_TD

/// `dims` are the dimensions of the ref that the tiles of indices are of, one each. The tiles have one shape, whose
/// dimensions stand from `position` on among those of the ref that are not indexed:
///
///     %x[%i, %j] [0, 2] at 0       r[a, b, k] = x[i[a, b], k, j[a, b]]
class Tile_IndirectOp<string name, list<Trait> traits = []> :
    Tile_Op<name, [AttrSizedOperandSegments, Tile_AccessesMemory] # traits> {
  let hasVerifier = 1;
  code indirectMethods = [{
    /// The dimensions of the tiles of indices.
    int64_t getIndexRank() {
      return getIndices().empty() ? 0 : ::mlir::cast<::mlir::RankedTensorType>(getIndices().front().getType()).getRank();
    }
    /// The dimension of the iteration space behind one of the ref; -1 of one that is indexed.
    int64_t getIteratedDim(int64_t refDim) {
      return detail::iteratedDim(getDims(), getPosition(), getIndexRank(), refDim);
    }
  }];
}

def Tile_GatherOp : Tile_IndirectOp<"gather", [Tile_IndexedBy<["getIndexingMap", "makePart"]>]> {
  let summary = "elements of a window at indices that tiles hold";
  let description = [{
    An index lies inside the window. With a mask, an element is `other` where the mask is false and where a dimension
    that is not indexed extends past the end of its array: neither the index nor the element is looked at.

    `guarded`, in kernels: elements may be asked for whose index is undefined, since they lie beyond the extent of what
    is made. They are undefined, too: nothing outside the window is read for them.
  }];
  let arguments = (ins Arg<Tile_RefType, "the window", [MemRead]>:$ref, Variadic<Tile_TileOf<Tile_Int>>:$indices,
      DenseI64ArrayAttr:$dims, I64Attr:$position, Optional<Tile_Tile>:$mask, Optional<Tile_Tile>:$other,
      UnitAttr:$guarded);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $ref `[` $indices `:` type($indices) `]` $dims `at` $position (`guarded` $guarded^)?
    (`mask` $mask^ `:` type($mask) `other` $other `:` type($other))? attr-dict `:` type($ref) `->` type($result)
  }];
  let extraClassDeclaration = indirectMethods;
}

def Tile_TakeOp : Tile_Op<"take", [Pure, Tile_IndexedBy<["getIndexingMap", "makePart"]>]> {
  let summary = "elements of a tile at indices that tiles hold";
  let description = [{
    As `tile.gather`, of a value. An index lies inside the tile. `tile-sink-takes` puts the indices where the tile comes
    from: a load becomes a gather, and what is computed element by element is computed of taken elements. What is left
    are elements of what is made as a whole, which a thread group has together: they are exchanged in
    shared memory.
  }];
  let arguments = (ins Tile_Tile:$source, Variadic<Tile_TileOf<Tile_Int>>:$indices, DenseI64ArrayAttr:$dims,
      I64Attr:$position);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $indices `:` type($indices) `]` $dims `at` $position attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getIndexRank() {
      return ::mlir::cast<::mlir::RankedTensorType>(getIndices().front().getType()).getRank();
    }
    /// The dimension of the result behind one of the source; -1 of one that is indexed.
    int64_t getIteratedDim(int64_t sourceDim) {
      return detail::iteratedDim(getDims(), getPosition(), getIndexRank(), sourceDim);
    }
  }];
}

def Tile_ScatterOp : Tile_IndirectOp<"scatter", [Tile_IndexedBy<["getIndexingMap"]>, Tile_Root]> {
  let summary = "writes the elements of a tile to a window at indices that tiles hold";
  let description = [{
    As far as dimensions that are not indexed extend; with a mask, only where that is true. Of several elements with one
    place, one is there afterwards, and which is not said.
  }];
  let arguments = (ins Tile_Tile:$value, Arg<Tile_RefType, "the window", [MemWrite]>:$ref,
      Variadic<Tile_TileOf<Tile_Int>>:$indices, DenseI64ArrayAttr:$dims, I64Attr:$position, Optional<Tile_Tile>:$mask);
  let assemblyFormat = [{
    $value `,` $ref `[` $indices `:` type($indices) `]` $dims `at` $position (`mask` $mask^ `:` type($mask))? attr-dict
    `:` type($value) `,` type($ref)
  }];
  let extraClassDeclaration = indirectMethods;
}

def Tile_AtomicOp : Tile_IndirectOp<"atomic",
    [Tile_OfWarps, Tile_IndexedBy<["getIndexingMap"]>, Tile_Root, AllTypesMatch<["value", "result"]>]> {
  let summary = "updates elements of a window, each at once as far as other threads see";
  let description = [{
    The elements at the indices, or all of the window where there are none, become `kind` of what they are and the value:
    the sum, which wraps, the larger, the smaller (NaN if either is), the bits combined, or the value itself (`exch`;
    `cas` if the element is equal to `compare`, bit by bit). The result is what each was before, 0 where the mask is
    false. Elements with one place are combined one after the other, in no order.

    `privately`, in kernels: the update goes to the CTA's private copy of the array (`tile.private_open`).
  }];
  let arguments = (ins Tile_AtomicAttr:$kind, Tile_TileOf<Tile_Number>:$value,
      Arg<Tile_RefType, "the window", [MemRead, MemWrite]>:$ref, Variadic<Tile_TileOf<Tile_Int>>:$indices,
      DenseI64ArrayAttr:$dims, I64Attr:$position, Optional<Tile_TileOf<Tile_Number>>:$compare, Optional<Tile_Tile>:$mask,
      DefaultValuedAttr<Tile_MemoryOrderAttr, "MemoryOrder::Relaxed">:$order,
      DefaultValuedAttr<Tile_MemoryScopeAttr, "MemoryScope::Gpu">:$scope, UnitAttr:$privately);
  let results = (outs Tile_TileOf<Tile_Number>:$result);
  let assemblyFormat = [{
    `` $kind $value `,` $ref (`indices` `(` $indices^ `:` type($indices) `)`)? $dims `at` $position
    (`privately` $privately^)? (`compare` $compare^ `:` type($compare))? (`mask` $mask^ `:` type($mask))? (`order` $order^)? (`scope` $scope^)?
    attr-dict `:` type($value) `,` type($ref)
  }];
  let extraClassDeclaration = indirectMethods;
}

def Tile_PrivateOpenOp : Tile_Op<"private_open", [Tile_SynchronizesThreadGroup]> {
  let summary = "makes a private copy of an array that updates are combined in, in the CTA's shared memory";
  let description = [{
    Of a contiguous array, an argument of the kernel, whose elements fit into `bytes`. Each element begins as the identity
    of `kind`. There are as many copies as `bytes` have room for, a power of two up to the lanes of a warp, which the
    lanes share evenly: an element's copies are neighbours, so that with one for each lane no two lanes of a warp ever
    meet in a bank. All threads of the CTA come by here together, and by `tile.private_flush` later.
  }];
  let arguments = (ins Tile_AtomicAttr:$kind, Tile_RefType:$ref, I64Attr:$bytes);
  let assemblyFormat = "`` $kind $ref `in` $bytes attr-dict `:` type($ref)";
  let hasVerifier = 1;
}

def Tile_PrivateFlushOp : Tile_Op<"private_flush", [Tile_SynchronizesThreadGroup, Tile_AccessesMemory]> {
  let summary = "updates an array by what its private copy has combined";
  let description = "Of an array of a `tile.private_open`: an update of each element whose copies have changed.";
  let arguments = (ins Tile_AtomicAttr:$kind, Arg<Tile_RefType, "the array", [MemRead, MemWrite]>:$ref);
  let assemblyFormat = "`` $kind $ref attr-dict `:` type($ref)";
}

#endif // TEGULA_IR_TILEGATHER_TD
