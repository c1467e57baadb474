// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The explicit level: copies between global and shared memory, and from registers to that of other blocks. Part of TileOps.td.

#ifndef TEGULA_IR_TILECOPIES_TD
#define TEGULA_IR_TILECOPIES_TD

// ---- Copies ---------------------------------------------------------------------------------------------------------

def Tile_CopyToSharedOp : Tile_Op<"copy_to_shared", [Tile_OfWarps, Tile_AccessesMemory, Tile_TmaOpInterface]> {
  let summary = "begins a copy of a window of global memory, by TMA";
  let description = [{
    Counts as one arrival at the barrier, which also waits for all of the copy's bytes. Elements outside the array, also
    before its start, are 0. With `multicast`, the blocks along these axes of the cluster copy the same window: each
    fetches a part of it for all, and every block's barrier sees all bytes. Where `predicate` is false it arrives without
    bytes. Along the dimension `unfilled` elements outside the array may stay as they are: TMA takes longer to fill in a
    row of zeros than to copy one. `outside` says what else they become, `none` that there are none.
  }];
  let arguments = (ins Arg<Tile_RefType, "global", [MemRead]>:$source, Arg<Tile_RefType, "shared", [MemWrite]>:$target,
      Tile_BarriersType:$barriers, I64:$index, Optional<I1>:$predicate, OptionalAttr<DenseI64ArrayAttr>:$multicast,
      OptionalAttr<I64Attr>:$unfilled, OptionalAttr<Tile_OutsideAttr>:$outside,
      OptionalAttr<Tile_EvictionAttr>:$eviction);
  let assemblyFormat = [{
    $source `,` $target `,` $barriers `[` $index `]` (`if` $predicate^)? (`multicast` $multicast^)?
    (`unfilled` $unfilled^)? (`outside` $outside^)? (`evict` $eviction^)? attr-dict
    `:` type($source) `,` type($target) `,` type($barriers)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$target, "::mlir::Value":$barriers,
      "::mlir::Value":$index, "::mlir::Value":$predicate, "::mlir::DenseI64ArrayAttr":$multicast,
      "::mlir::IntegerAttr":$unfilled), [{
    build($_builder, $_state, source, target, barriers, index, predicate, multicast, unfilled, OutsideAttr(),
          EvictionAttr());
  }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = "::mlir::Value getWindow() { return getSource(); }";
}

def Tile_CopyToGlobalOp : Tile_Op<"copy_to_global", [Tile_OfWarps, Tile_AccessesMemory, Tile_TmaOpInterface]> {
  let summary = "begins a copy of shared memory to a window of global memory, by TMA";
  let description = [{
    What lies behind the array's end is not written; the window does not begin before it. With `inside` nothing of it is
    outside, which the CPU checks. With `commit` it is a group of its own to wait for. With `reduction` each element of
    the array becomes the combination of what it was and what is copied, as one step (PTX ISA, cp.reduce.async.bulk).
  }];
  let arguments = (ins Arg<Tile_RefType, "shared", [MemRead]>:$source, Arg<Tile_RefType, "global", [MemWrite]>:$target,
      Optional<I1>:$predicate, UnitAttr:$commit, OptionalAttr<Tile_CopyReductionAttr>:$reduction,
      OptionalAttr<Tile_EvictionAttr>:$eviction, UnitAttr:$inside);
  let assemblyFormat = [{
    (`commit` $commit^)? (`reduce` $reduction^)? $source `,` $target (`inside` $inside^)? (`if` $predicate^)?
    (`evict` $eviction^)? attr-dict `:` type($source) `,` type($target)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$target, "::mlir::Value":$predicate,
      "bool":$commit), [{
    build($_builder, $_state, source, target, predicate, commit, CopyReductionAttr(), EvictionAttr(),
          /*inside=*/false);
  }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = "::mlir::Value getWindow() { return getTarget(); }";
}

def Tile_PrefetchOp : Tile_Op<"prefetch", [Tile_OfWarps, Tile_TmaOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "begins to bring a window of global memory into the L2 cache, by TMA";
  let arguments = (ins Tile_RefType:$source, Optional<I1>:$predicate, OptionalAttr<Tile_EvictionAttr>:$eviction);
  let assemblyFormat = "$source (`if` $predicate^)? (`evict` $eviction^)? attr-dict `:` type($source)";
  let extraClassDeclaration = "::mlir::Value getWindow() { return getSource(); }";
}

/// Copies of a run of elements that lie side by side in an array, and so in shared memory. They need no tensor map.
class Tile_CopiesRun<string name> : Tile_Op<name, [Tile_OfWarps, Tile_AccessesMemory]> { let hasVerifier = 1; }

def Tile_BulkLoadOp : Tile_CopiesRun<"bulk_load"> {
  let summary = "begins a contiguous copy of an array, all of it inside, to shared memory";
  let description = [{
    PTX ISA, cp.async.bulk. The run begins at a multiple of 16 bytes of memory, and is one long. Barrier and predicate
    are as in `tile.copy_to_shared`.
  }];
  let arguments = (ins Arg<Tile_RefType, "global", [MemRead]>:$source, Arg<Tile_RefType, "shared", [MemWrite]>:$target,
      Tile_BarriersType:$barriers, I64:$index, Optional<I1>:$predicate, OptionalAttr<Tile_EvictionAttr>:$eviction);
  let assemblyFormat = [{
    $source `,` $target `,` $barriers `[` $index `]` (`if` $predicate^)? (`evict` $eviction^)? attr-dict
    `:` type($source) `,` type($target) `,` type($barriers)
  }];
}

def Tile_BulkStoreOp : Tile_CopiesRun<"bulk_store"> {
  let summary = "begins a copy of shared memory to a run of an array, all of it inside";
  let description = "As `tile.bulk_load`; groups and reductions are as in `tile.copy_to_global`.";
  let arguments = (ins Arg<Tile_RefType, "shared", [MemRead]>:$source, Arg<Tile_RefType, "global", [MemWrite]>:$target,
      Optional<I1>:$predicate, UnitAttr:$commit, OptionalAttr<Tile_CopyReductionAttr>:$reduction,
      OptionalAttr<Tile_EvictionAttr>:$eviction);
  let assemblyFormat = [{
    (`commit` $commit^)? (`reduce` $reduction^)? $source `,` $target (`if` $predicate^)? (`evict` $eviction^)? attr-dict
    `:` type($source) `,` type($target)
  }];
}

def Tile_CommitGroupOp : Tile_Op<"commit_group", [Tile_OfWarps, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "makes the copies to global memory since the last group a group to wait for";
  let assemblyFormat = "attr-dict";
}

def Tile_WaitGroupOp : Tile_Op<"wait_group", [Tile_OfWarps, Tile_SynchronizesThreadGroup, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until at most `pending` groups of copies to global memory are in flight";
  let description = "With `read`, until they have read their sources: the shared memory may be written again.";
  let arguments = (ins I64Attr:$pending, UnitAttr:$read);
  let assemblyFormat = "$pending (`read` $read^)? attr-dict";
}

// ---- Registers to shared memory -------------------------------------------------------------------------------------

def Tile_AsyncStoreOp : Tile_Op<"async_store", [Tile_AccessesMemory]> {
  let summary = "begins to store a tile to shared memory, mostly of another block of the cluster";
  let description = [{
    Counts as one arrival at the barrier of the block whose memory it is, which also waits for all of the bytes (PTX ISA,
    st.async). With `reduction` each element there is combined with the one that comes, in one step (red.async).
  }];
  let arguments = (ins Tile_Tile:$value, Arg<Tile_RefType, "shared", [MemWrite]>:$target, Tile_BarriersType:$barriers,
      I64:$index, OptionalAttr<Tile_CopyReductionAttr>:$reduction);
  let assemblyFormat = [{
    (`reduce` $reduction^)? $value `,` $target `,` $barriers `[` $index `]` attr-dict
    `:` type($value) `,` type($target) `,` type($barriers)
  }];
  let hasVerifier = 1;
}

// ---- Copies without TMA ---------------------------------------------------------------------------------------------

def Tile_CpAsyncOp : Tile_Op<"cp_async", [Tile_AccessesMemory]> {
  let summary = "begins a copy of a window of global memory to shared memory, by all threads of the block";
  let description = [{
    Each thread of the block, or with `group` of the thread group, copies some units of 16 bytes (PTX ISA, cp.async). The
    array is aligned for that (`tile.dense 16`), and the window begins at a multiple of 16 bytes of a row. Where the
    window ends before the target does, the rest of the target becomes 0. Where `predicate` is false nothing is copied.
  }];
  let arguments = (ins Arg<Tile_RefType, "global", [MemRead]>:$source, Arg<Tile_RefType, "shared", [MemWrite]>:$target,
      Optional<I1>:$predicate, UnitAttr:$group);
  let assemblyFormat = [{
    $source `,` $target (`if` $predicate^)? (`group` $group^)? attr-dict `:` type($source) `,` type($target)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$source, "::mlir::Value":$target, "::mlir::Value":$predicate), [{
    build($_builder, $_state, source, target, predicate, /*group=*/false);
  }]>];
  let hasVerifier = 1;
}

def Tile_CpAsyncCommitOp : Tile_Op<"cp_async_commit", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "makes the copies by `tile.cp_async` since the last group a group to wait for";
  let assemblyFormat = "attr-dict";
}

def Tile_CpAsyncWaitOp : Tile_Op<"cp_async_wait", [Tile_SynchronizesThreadGroup, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until at most `pending` groups of copies by `tile.cp_async` are in flight, of any thread of the block";
  let description = [{
    All threads of the block synchronize: each sees what the others copied, and none still reads what it read before.
    With `group`, those of the thread group do.
  }];
  let arguments = (ins I64Attr:$pending, UnitAttr:$group);
  let assemblyFormat = "$pending (`group` $group^)? attr-dict";
  let builders = [OpBuilder<(ins "int64_t":$pending), "build($_builder, $_state, pending, /*group=*/false);">];
}

// ---- Tensor maps ----------------------------------------------------------------------------------------------------

/// About the tensor map of an array, or of a transposed view of it, for copies of such boxes.
class Tile_OfTensorMap<string name, dag more = (ins), string format = ""> : Tile_Op<name, [Pure]> {
  let arguments = !con((ins Tile_ArrayType:$array, OptionalAttr<DenseI64ArrayAttr>:$permutation,
      DenseI64ArrayAttr:$box, I64Attr:$swizzle), more);
  let assemblyFormat = "$array (`permutation` $permutation^)? `box` $box `swizzle` $swizzle " # format #
      "attr-dict `:` type($array)";
  let hasVerifier = 1;
}

def Tile_TensorMapOp : Tile_OfTensorMap<"tensor_map",
    (ins OptionalAttr<I64Attr>:$clipped, UnitAttr:$optional, UnitAttr:$nan, UnitAttr:$as_unsigned),
    "(`clipped` $clipped^)? (`optional` $optional^)? (`nan` $nan^)? (`unsigned` $as_unsigned^)? "> {
  let summary = "how TMA sees an array: made by the host before the launch";
  let description = [{
    The map has the array's rank, 1 to 5. Its dimensions are those of the array, or with a `permutation` those of a
    transposed view: dimension i is the array's dimension `permutation[i]`. `box` is, per dimension of the map, how many
    elements one copy moves, at most 256. With a swizzle of 32, 64 or 128 bytes the box is that many bytes wide, one
    panel: wider windows take a copy for each. `swizzle 16` is none, and the box any multiple of 16 bytes wide. Along
    the dimension `clipped` a box is no longer than the array, rounded up to a multiple of 8, the rows that a swizzle permutes.

    The host refuses arrays that are not aligned for TMA, and those whose elements do not lie next to each other along
    the map's last dimension. Copies to an array write whole units of 16 bytes, so it also refuses arrays that the
    launch writes and whose rows end inside one. An `optional` map is none then, and the kernel does not copy by it.

    Elements outside the array are 0, or with `nan` NaN. With `unsigned`, signed integers are unsigned ones to the map.
  }];
  let results = (outs Tile_TensorMapType:$result);
}

def Tile_CanMapOp : Tile_OfTensorMap<"can_map"> {
  let summary = "whether the host can make a tensor map, asked before the launch";
  let description = [{
    False for what `tile.tensor_map` refuses. A plan chooses by it between a kernel that copies by TMA and one that does
    not.
  }];
  let results = (outs I1:$result);
}

def Tile_TmaLoadOp : Tile_Op<"tma_load", [AttrSizedOperandSegments, Tile_AccessesMemory,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a copy from the place in a tensor map to shared memory";
  let description = [{
    The coordinates count elements of the array, one per dimension of the map. With `bytes`, it counts as an arrival at
    the barrier, which also waits for so many bytes: those of several copies, and with a multicast those of all blocks.
    `mask` says to which blocks of the cluster this one's part goes, and `offset`, in bytes, where in the target it
    lies.
  }];
  let arguments = (ins Tile_TensorMapType:$map, Variadic<I64>:$coordinates, Tile_RefType:$target,
      Tile_BarriersType:$barriers, I64:$index, Optional<I1>:$predicate, Optional<I64>:$mask, Optional<I64>:$offset,
      Optional<I64>:$bytes, OptionalAttr<Tile_EvictionAttr>:$eviction);
  let assemblyFormat = [{
    $map `[` $coordinates `]` `,` $target (`offset` $offset^)? `,` $barriers `[` $index `]` (`bytes` $bytes^)?
    (`if` $predicate^)? (`mask` $mask^)? (`evict` $eviction^)? attr-dict `:` type($target) `,` type($barriers)
  }];
}

def Tile_TmaStoreOp : Tile_Op<"tma_store", [AttrSizedOperandSegments, Tile_AccessesMemory,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a copy from shared memory to the place in a tensor map";
  let description = "From `offset`, in bytes, in the source.";
  let arguments = (ins Tile_RefType:$source, Optional<I64>:$offset, Tile_TensorMapType:$map, Variadic<I64>:$coordinates,
      Optional<I1>:$predicate, UnitAttr:$commit, OptionalAttr<Tile_CopyReductionAttr>:$reduction,
      OptionalAttr<Tile_EvictionAttr>:$eviction);
  let assemblyFormat = [{
    (`commit` $commit^)? (`reduce` $reduction^)? $source (`offset` $offset^)? `,` $map `[` $coordinates `]`
    (`if` $predicate^)? (`evict` $eviction^)? attr-dict `:` type($source)
  }];
}

def Tile_TmaPrefetchOp : Tile_Op<"tma_prefetch", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "brings the place in a tensor map into the L2 cache";
  let arguments = (ins Tile_TensorMapType:$map, Variadic<I64>:$coordinates, Optional<I1>:$predicate,
      OptionalAttr<Tile_EvictionAttr>:$eviction);
  let assemblyFormat = "$map `[` $coordinates `]` (`if` $predicate^)? (`evict` $eviction^)? attr-dict";
}

#endif // TEGULA_IR_TILECOPIES_TD
