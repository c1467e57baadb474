// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The explicit level: where a program stands, its warps, shared memory, barriers, layouts. Part of TileOps.td.

#ifndef TEGULA_IR_TILEEXPLICIT_TD
#define TEGULA_IR_TILEEXPLICIT_TD

// ---- Where a program stands -----------------------------------------------------------------------------------------

def Tile_ClusterIndexOp : Tile_Op<"cluster_index", [Pure]> {
  let summary = "where this block stands along an axis of its cluster";
  let arguments = (ins I64Attr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$axis attr-dict";
}

def Tile_ClusterIdOp : Tile_Op<"cluster_id", [Pure]> {
  let summary = "which cluster of the launch this is, counted through the grid";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_ClusterRankOp : Tile_Op<"cluster_rank", [Pure]> {
  let summary = "which block of its cluster this is, counted through the axes";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_ThreadIndexOp : Tile_Op<"thread_index", [Pure]> {
  let summary = "which of the block's threads, that is warpgroups, runs this";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_OneThreadOp : Tile_Op<"one_thread", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "what stands here is for one thread of the block: `tile-check-threads` sees to it";
  let assemblyFormat = "attr-dict";
}

// ---- Warps ----------------------------------------------------------------------------------------------------------

def Tile_WarpMapOp : Tile_Op<"warp_map", [Tile_SynchronizesThreadGroup, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>, SingleBlock]> {
  let summary = "the warps of the thread run the body each by itself";
  let description = [{
    The thread synchronizes before and after. The arguments of the body are the number of the warp, 0 to 3, and what the
    lanes of the warp have of `inits`; of a result they have what the body ended with for their warp. These are the phases
    of barriers, which warps wait for by themselves.

    `tile.barrier` in the body is for the lanes of a warp; its leader issues what is issued once. What warps do to memory
    is ordered by the program.
  }];
  let arguments = (ins Variadic<AnySignlessInteger>:$inits);
  let results = (outs Variadic<AnySignlessInteger>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "($inits^ `:` type($inits) `->` type($results))? $body attr-dict";
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$inits)>];
  let skipDefaultBuilders = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::BlockArgument getWarp() { return getBody().getArgument(0); }
    ::mlir::Block::BlockArgListType getCarried() { return getBody().getArguments().drop_front(); }
  }];
}

def Tile_WarpDoneOp : Tile_Op<"warp_done", [Terminator, ReturnLike, Pure, HasParent<"WarpMapOp">]> {
  let summary = "ends the body of `tile.warp_map`";
  let arguments = (ins Variadic<AnySignlessInteger>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

def Tile_SetMaxRegistersOp : Tile_Op<"set_max_registers", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "changes how many registers each lane of this thread has";
  let arguments = (ins I64Attr:$count, UnitAttr:$increase);
  let assemblyFormat = "(`increase` $increase^)? $count attr-dict";
  let hasVerifier = 1;
}

// ---- The grid before and the one after ------------------------------------------------------------------------------

def Tile_WaitForGridsOp : Tile_Op<"wait_for_grids", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits for the grids before this one, whose writes are seen after";
  let description = [{
    A kernel without it waits for them as it begins (PTX ISA, griddepcontrol.wait). A kernel with it waits there, and
    `tile-outline` adds one at its end unless all threads come by: a grid is not done before those that it follows.
    Targets without programmatic launches begin no grid before the last one has ended.
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_LaunchDependentsOp : Tile_Op<"launch_dependents", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "blocks of the next grid may be placed once all of this one's have come here, or have ended";
  let assemblyFormat = "attr-dict";
}

// ---- Shared memory --------------------------------------------------------------------------------------------------

def Tile_AllocOp : Tile_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "shared memory of a block, contents undefined";
  let description = [{
    It is there until a `tile.free` of it in its block, or until the end of the block. `offset`, in bytes, is where
    `tile-assign-shared` puts it. TMA copies to and from a `padded` allocation: what one box cannot hold, rows of more
    than 256 elements or planes of more than 256 rows, begins at multiples of 128 bytes.

    `group [u, g]` says that it is in group g of union u, further pairs of numbers, in which groups of unions within
    that group. Groups of one union share memory. The program uses one after the other, and sees to it that what it
    began with the one before is done.
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset, UnitAttr:$padded, OptionalAttr<DenseI64ArrayAttr>:$group);
  let results = (outs Tile_RefType:$result);
  let assemblyFormat = "(`at` $offset^)? (`padded` $padded^)? (`group` $group^)? attr-dict `:` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::mlir::IntegerAttr":$offset, CArg<"bool", "false">:$padded), [{
    build($_builder, $_state, type, offset, padded, ::mlir::DenseI64ArrayAttr());
  }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether both are of one union, and in different groups of it.
    bool alternatesWith(AllocOp other);
  }];
}

def Tile_FreeOp : Tile_Op<"free", [MemoryEffects<[MemFree]>]> {
  let summary = "the end of the scope that shared memory was declared in: other allocations may lie where it lay";
  let arguments = (ins Variadic<Tile_RefType>:$allocations);
  let assemblyFormat = "$allocations attr-dict `:` type($allocations)";
  let hasVerifier = 1;
}

def Tile_ReuseSharedOp : Tile_Op<"reuse_shared", [Tile_SynchronizesThreadGroup, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all threads of the block synchronize: shared memory that they are done with gets another use";
  let description = [{
    Before, each waits for the matrix products (`products`) and the copies to global memory (`copies`) that it began and
    that may still read the memory. With `cluster` all blocks of the cluster synchronize, for copies that go to several.
  }];
  let arguments = (ins UnitAttr:$products, UnitAttr:$copies, UnitAttr:$cluster);
  let assemblyFormat = "(`products` $products^)? (`copies` $copies^)? (`cluster` $cluster^)? attr-dict";
}

def Tile_TransposeOp : Tile_Op<"transpose", [Pure, Tile_IndexedBy<["getIndexingMap"]>]> {
  let summary = "a view of a ref with its dimensions in another order; no data moves";
  let arguments = (ins Tile_RefType:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_RefType:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = "bool isRearrangement() { return true; }";
}

def Tile_ClusterRefOp : Tile_Op<"cluster_ref", [Pure, Tile_Indexed, AllTypesMatch<["source", "result"]>]> {
  let summary = "the window of shared memory that another block of the cluster has at the same place";
  let description = [{
    The block that stands at `index` along this axis of the cluster, and along the others where this one stands (PTX ISA,
    mapa). Threads load, store and update what is there; copies and products take memory of their own block.
  }];
  let arguments = (ins Tile_RefType:$source, I64Attr:$axis, I64:$index);
  let results = (outs Tile_RefType:$result);
  let assemblyFormat = "$source `axis` $axis `at` $index attr-dict `:` type($source)";
  let hasVerifier = 1;
  let extraClassDeclaration = "bool isRearrangement() { return true; }";
}

def Tile_ReshapeRefOp : Tile_Op<"reshape_ref", [Pure, Tile_IndexedBy<["getIndexingMap"]>]> {
  let summary = "a view of a ref with other extents: its elements in their order, row by row; no data moves";
  let description = [{
    Dimensions are split into several, and several are folded into one where they lie so that strides describe the
    result: of arrays, of which nothing is known, none are. `tile-assign-shared` refuses what its arrangement of shared
    memory forbids.
  }];
  let arguments = (ins Tile_RefType:$source);
  let results = (outs Tile_RefType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isRearrangement() { return true; }
    /// The most closely related dimension of the source: the innermost of those that the dimension is the innermost
    /// part of.
    int64_t getSourceDim(int64_t resultDim);
  }];
}

def Tile_BitcastRefOp : Tile_Op<"bitcast_ref", [Pure, Tile_Indexed]> {
  let summary = "a view of a ref whose bytes are elements of another type; no data moves";
  let description = [{
    The last dimension has as many as its bytes hold. Of an array that has other elements than these bytes are wide, the
    last dimension is its own last one, along which elements lie side by side: the host looks (`tile.dense`).
  }];
  let arguments = (ins Tile_RefType:$source);
  let results = (outs Tile_RefType:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isRearrangement() { return true; }
    bool changesWidth();
  }];
}

def Tile_FenceSharedOp : Tile_Op<"fence_shared", [Tile_OfWarps, Tile_SynchronizesThreadGroup, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "what the thread wrote to shared memory is seen by the copies and matrix products issued after";
  let description = "The warps of the thread wait for one another, too. (PTX ISA, async proxy: fence.proxy.async.)";
  let assemblyFormat = "attr-dict";
}

// ---- Barriers -------------------------------------------------------------------------------------------------------

def Tile_AllocBarriersOp : Tile_Op<"alloc_barriers", [MemoryEffects<[MemAlloc]>]> {
  let summary = "mbarriers in shared memory, ready before any thread of the block, or cluster, goes on";
  let description = [{
    Each completes a phase after `arrivals` arrivals and the bytes that its copies announced. With `cluster_axes` an
    arrival counts at the barriers of all blocks that differ from this one along one of these axes only, its own
    included, or with `everywhere` along any of them; `arrivals` counts those of all of them. With `leader`, of one axis,
    it counts at the block that stands at 0 along it alone, whose threads wait.

    With `frees`, arrivals only say that shared memory may be overwritten by copies: they pass on nothing that was
    written. To other blocks that would take a fence of the whole GPU.
  }];
  let arguments = (ins I64Attr:$arrivals, OptionalAttr<DenseI64ArrayAttr>:$cluster_axes, OptionalAttr<I64Attr>:$offset,
      UnitAttr:$frees, UnitAttr:$everywhere, UnitAttr:$leader);
  let results = (outs Tile_BarriersType:$result);
  let assemblyFormat = [{
    (`frees` $frees^)? `arrivals` $arrivals (`cluster` $cluster_axes^)? (`everywhere` $everywhere^)?
    (`leader` $leader^)? (`at` $offset^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether each warp of a thread arrives for itself, so that its warps need not wait for each other: where all that
    /// arrives are threads of this block.
    bool countsWarps();
  }];
}

def Tile_BarrierArriveOp : Tile_Op<"barrier_arrive", [Tile_OfWarps, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one arrival of this thread; what it did before is seen by those that wait";
  let arguments = (ins Tile_BarriersType:$barriers, I64:$index);
  let assemblyFormat = "$barriers `[` $index `]` attr-dict `:` type($barriers)";
}

def Tile_BarrierWaitOp : Tile_Op<"barrier_wait", [Tile_OfWarps, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until the phase of this parity is complete";
  let description = "The first phase has parity 0. The program keeps count of the phases that it waited for.";
  let arguments = (ins Tile_BarriersType:$barriers, I64:$index, I1:$parity);
  let assemblyFormat = "$barriers `[` $index `]` `parity` $parity attr-dict `:` type($barriers)";
}

def Tile_BarrierTestOp : Tile_Op<"barrier_test", [Tile_OfWarps, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "whether the phase of this parity is complete; if so, what `tile.barrier_wait` gives";
  let description = "All lanes of the thread get one answer.";
  let arguments = (ins Tile_BarriersType:$barriers, I64:$index, I1:$parity);
  let results = (outs I1:$result);
  let assemblyFormat = "$barriers `[` $index `]` `parity` $parity attr-dict `:` type($barriers)";
}

def Tile_AllocNamedBarriersOp : Tile_Op<"alloc_named_barriers", [MemoryEffects<[MemAlloc]>]> {
  let summary = "barriers of the block in hardware, for `threads` of its threads";
  let description = [{
    `first` is the number of the first one (PTX ISA, barrier.cta: a block has 16).
  }];
  let arguments = (ins I64Attr:$threads, I64Attr:$first);
  let results = (outs Tile_BarriersType:$result);
  let assemblyFormat = "`threads` $threads `first` $first attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_NamedBarrierOp : Tile_Op<"named_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one of the threads that a named barrier is for arrives; with `wait`, it waits until all have";
  let description = [{
    What they did to shared memory before is seen by those that wait. The lanes of the thread synchronize only with
    `wait`.
  }];
  let arguments = (ins Tile_BarriersType:$barriers, I64:$index, UnitAttr:$wait);
  let assemblyFormat = "(`wait` $wait^)? $barriers `[` $index `]` attr-dict `:` type($barriers)";
  let hasVerifier = 1;
}

// ---- Steps that the blocks of a launch take in turn -----------------------------------------------------------------

def Tile_TakeStepOp : Tile_Op<"take_step", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "begins to count a step of the launch for this cluster";
  let description = [{
    `counter`, in global memory, is zero before the launch. The result is there in one lane of the thread, which goes on
    until it is used: by a `tile.announce_step`.
  }];
  let arguments = (ins Tile_RefType:$counter);
  let results = (outs I64:$result);
  let assemblyFormat = "$counter attr-dict `:` type($counter)";
}

def Tile_AnnounceStepOp : Tile_Op<"announce_step", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "tells all blocks of the cluster the step that was taken";
  let description = [{
    Stores `step` to element `index` of `slots`, and arrives at barrier `index`, of each block of the cluster: who waits
    there sees it.
  }];
  let arguments = (ins I64:$step, Tile_RefType:$slots, Tile_BarriersType:$barriers, I64:$index);
  let assemblyFormat = "$step `,` $slots `,` $barriers `[` $index `]` attr-dict `:` type($slots) `,` type($barriers)";
}

def Tile_ReadStepOp : Tile_Op<"read_step", [Tile_SynchronizesThreadGroup, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the step that was announced in element `index`, behind a wait for its barrier";
  let arguments = (ins Tile_RefType:$slots, I64:$index);
  let results = (outs I64:$result);
  let assemblyFormat = "$slots `[` $index `]` attr-dict `:` type($slots)";
}

// ---- Layouts that a program asks for --------------------------------------------------------------------------------

def Tile_LayoutCastOp : Tile_Op<"layout_cast", [Pure, Tile_Indexed, AllTypesMatch<["source", "result"]>]> {
  let summary = "the same tile, in a layout";
  let description = [{
    `tile-assign-layouts` gives the result this layout, and the source, too, if nothing else says where that is; else a
    `tile.relayout` takes the op's place.
  }];
  let arguments = (ins Tile_Tile:$source, Tile_LayoutAttr:$layout);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source $layout attr-dict `:` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = "bool isRearrangement() { return true; }";
}

/// Who asks is there, whatever becomes of what is asked about.
def Tile_Questions : Resource<"::tegula::tile::Questions">;

def Tile_PrintLayoutOp : Tile_Op<"print_layout", [MemoryEffects<[MemWrite<Tile_Questions>]>]> {
  let summary = "a remark that says which layout a tile has, or how shared memory is arranged";
  let description = "`{}` in the format stands for that. `tile-assign-layouts` makes the remark of it.";
  let arguments = (ins StrAttr:$format, AnyTypeOf<[Tile_Tile, Tile_RefType]>:$value);
  let assemblyFormat = "$format $value attr-dict `:` type($value)";
}

// ---- Instructions of the program's own ------------------------------------------------------------------------------

def Tile_InlinePtxOp : Tile_Op<"inline_ptx", [Pure, Tile_Indexed, IsolatedFromAbove]> {
  let summary = "what instructions of PTX make of elements, one of each operand";
  let description = [{
    In `text`, $0 is the result and $1, $2... are the elements of the operands, which have one shape. `meaning` has the
    same for the CPU: its arguments are these elements.

        %r = tile.inline_ptx "ex2.approx.f32 $0, $1;" %x {
        ^bb0(%a: f32):
          %e = math.exp2 %a : f32
          tile.combined %e : f32
        } : (tensor<64xf32>) -> tensor<64xf32>
  }];
  let arguments = (ins StrAttr:$text, Variadic<Tile_TileOf<Tile_Computed>>:$operands);
  let results = (outs Tile_TileOf<Tile_Computed>:$result);
  let regions = (region AnyRegion:$meaning);
  let assemblyFormat = "$text $operands $meaning attr-dict `:` functional-type($operands, $result)";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

#endif // TEGULA_IR_TILEEXPLICIT_TD
