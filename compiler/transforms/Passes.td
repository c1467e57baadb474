// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that rewrite tile IR, in the order in which the compiler runs them.

#ifndef TEGULA_TRANSFORMS_PASSES_TD
#define TEGULA_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TilePromoteVariables : Pass<"tile-promote-variables", "::mlir::ModuleOp"> {
  let summary = "Turns mutable variables into SSA values";
  let description = [{
    Variables become iteration arguments and results of `scf.while`, `scf.for` and `scf.if`. Variables of refs cannot be
    chosen at run time.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

def TileUpliftLoops : Pass<"tile-uplift-loops", "::mlir::ModuleOp"> {
  let summary = "Turns loops that count into scf.for";
  let description = [{
    An `scf.while` whose counter grows by a constant up to a bound that the loop does not change becomes an `scf.for`.
    What the condition computes from values outside is hoisted, loads of arrays that the launch does not store to
    included; `<=` counts to one more; an `int` that is compared with
    an extent counts in 64 bits.
  }];
}

def TileSinkLastStep : Pass<"tile-sink-last-step", "::mlir::ModuleOp"> {
  let summary = "Moves what a loop does in its last step alone behind it";
  let description = [{
    An `scf.if` at the end of the body whose condition is `k == n - 1` runs once, behind the loop, if what it needs is
    what the loop passes on, or numbers and places that are computed once more.
  }];
}

def TileUnrollLoops : Pass<"tile-unroll-loops", "::mlir::ModuleOp"> {
  let summary = "Unrolls short loops over neighbours in memory";
  let description = [{
    Loops of up to eight steps that load tiles, and do nothing but compute element by element beside that. Programs of
    the explicit level are left as they are.
  }];
}

def TileSinkTakes : Pass<"tile-sink-takes", "::mlir::ModuleOp"> {
  let summary = "Takes elements of tiles where the tiles come from";
  let description = [{
    A `tile.take` of a load becomes a `tile.gather`, and what is computed element by element is computed of taken
    elements. Takes are left of what is made as a whole: reductions, products, tiles of loops and branches, and loads of
    arrays that the program stores to.
  }];
}

def TileSplit : Pass<"tile-split", "::mlir::ModuleOp"> {
  let summary = "Cuts programs into sub-tiles that thread groups hold in registers";
  let description = [{
    Adds to every `tile.launch` a plan, and to the module the kernels that it launches; several plans where classes of
    architectures differ, of which `tile.is_class` chooses. The body of the launch stays as it is: the CPU runs it.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "256", "threads of a CUDA block">,
    Option<"perThread", "per-thread", "int64_t", "1", "accesses of 16 bytes that each thread makes per array">,
    Option<"mostPerThread", "most-per-thread", "int64_t", "0",
           "elements of one tile that a thread holds; 0: an eighth of the class's registers">,
    Option<"productSide", "product-side", "int64_t", "128", "sides of the sub-tiles of products">,
    Option<"productDepth", "product-depth", "int64_t", "16", "how much of a product is summed at a time">,
    Option<"columns", "columns", "int64_t", "128", "columns of the sub-tiles of reductions">,
    ListOption<"classes", "classes", "std::string",
               "classes of architectures (support/Target.h), oldest first: each gets a plan [the oldest]">,
    ListOption<"variants", "variants", "std::string",
               "kernels to make beside the general one: vector, warp, half, block, cluster, small, tensor, split-k, private, "
               "or none [all]">,
    Option<"stages", "stages", "bool", "true", "cut what cannot be split at once into launches that run one after the other">,
    Option<"remarks", "remarks", "bool", "false", "say how every launch is split">
  ];
}

def TileMergeReductions : Pass<"tile-merge-reductions", "::mlir::ModuleOp"> {
  let summary = "Adds up two sums of a cluster at a time, where one does not depend on the other";
  let description = [{
    They become a custom reduction of two sources, so that the CTAs wait for each other once.
  }];
}

def TileRecompute : Pass<"tile-recompute", "::mlir::ModuleOp"> {
  let summary = "Computes again what would wait in registers for a cluster's reduction";
  let description = [{
    In kernels that say how many CTAs a multiprocessor is to hold, where tiles that are needed before and after a
    reduction take more registers than that leaves, and what they are computed from takes fewer.
  }];
}

def TileMaskExtents : Pass<"tile-mask-extents", "::mlir::ModuleOp"> {
  let summary = "Masks what reductions and products would read beyond their extents";
  let description = [{
    Sub-tiles at an edge are as large as any other: what lies beyond an extent is undefined. Where threads compute, it
    becomes what changes nothing, an identity or 0. Stores need no masks: their refs say where the array ends.
  }];
}

def TileSpecializeProducts : Pass<"tile-specialize-products", "::mlir::ModuleOp"> {
  let summary = "Gives the products of split kernels to tensor cores";
  let description = [{
    A kernel that splitting made for consumers (`consumers`) gets a producer: a warpgroup that copies, by TMA, what the
    loop of the product loads, into a ring of buffers in shared memory. The loads go, and the product becomes `tile.wgmma`.
    Results for arrays that the host has found TMA can copy to (`tile.can_be_copied`) leave through shared memory.

    In a kernel for `mma_sync`, all threads copy by `tile.cp_async` into a ring of stages, the next ones while they multiply,
    and the product becomes `tile.mma` of tiles that are loaded from shared memory one step ahead.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
  let options = [Option<"arch", "arch", "std::string", "\"sm_90a\"", "whose shared memory holds the ring">];
}

def TileOutline : Pass<"tile-outline", "::mlir::ModuleOp"> {
  let summary = "Makes kernels of the launches of the explicit level";
  let description = [{
    A launch with warpgroups gets a plan of one kernel, whose body is its own: what is written happens. The axes of the
    grid and of the cluster become arithmetic.
  }];
}

def TileAssignShared : Pass<"tile-assign-shared", "::mlir::ModuleOp"> {
  let summary = "Arranges shared memory for its uses, and places it";
  let description = [{
    What copies and tensor cores touch takes the widest swizzle that its rows allow, anything else plain row-major
    order. Then all that a block allocates gets its offset. Allocations whose scopes do not overlap may lie in the same
    place, with a `tile.reuse_shared` between them. More than a CTA can have is an error that lists what takes how much.
  }];
  let options = [
    Option<"arch", "arch", "std::string", "\"sm_90a\"", "an architecture whose CTAs have most">
  ];
}

def TileSpecializeThreads : Pass<"tile-specialize-threads", "::mlir::ModuleOp"> {
  let summary = "Gives each role of a kernel its own code";
  let description = [{
    After a branch in which threads change how many registers they have, both sides go on by themselves: what follows is
    there twice, and folding leaves of it what the role does.
  }];
}

def TileTensorMaps : Pass<"tile-tensor-maps", "::mlir::ModuleOp"> {
  let summary = "Turns copies between windows into TMA copies through tensor maps";
  let description = [{
    Every array and box that a kernel copies becomes a `tile.tensor_map` in the plan and an argument of the kernel; one
    that is copied through `tile.transpose` becomes a map with its dimensions in the order of that view. A copy of more
    than TMA moves at once becomes several, and a multicast one the part that this block fetches.
  }];
}

def TileSinkEpilogue : Pass<"tile-sink-epilogue", "::mlir::ModuleOp"> {
  let summary = "Computes what is wanted after a loop of products while the last ones are in flight";
  let description = [{
    Moves operations without effects that stand before an innermost loop with `tile.wgmma`, and that nothing uses before its end,
    behind it: before the wait for its products.
  }];
}

def TileStartProducts : Pass<"tile-start-products", "::mlir::ModuleOp"> {
  let summary = "Lets the first product overwrite an accumulator that is zero";
  let description = [{
    The tensor core can leave out what an accumulator holds: its registers need not be zeroed then. In a loop, that is
    its first iteration. A loop that does not run leaves zero.
  }];
}

def TileAssignLayouts : Pass<"tile-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "Says for each tile of a kernel which thread holds what";
  let description = [{
    Every tile in a `tile.kernel` gets a `#tile.layout`. Elementwise work takes blocked layouts, one for each shape, in
    which a thread holds as many neighbours as the widest access moves that any ref of this shape proves aligned.
  }];
}

def TileDelayLaneSums : Pass<"tile-delay-lane-sums", "::mlir::ModuleOp"> {
  let summary = "Sums what lanes have once behind a loop, not in each of its steps";
  let description = [{
    In kernels with approx_math, where sums may be rounded in another order. A loop that adds a sum over lanes to a
    variable, which it may multiply before by what all lanes know, leaves each lane the sum of what it has itself: the
    reductions become `partial`, and a `tile.combine_lanes` stands where the sum is wanted. If that is in the loop, all
    stays as it is. A part may be zero where the sum is not, and times an infinity is NaN then.
  }];
}

def TileSkipScales : Pass<"tile-skip-scales", "::mlir::ModuleOp"> {
  let summary = "Lets warps leave out multiplications by 1";
  let description = [{
    A loop that scales the rows of a matrix by exponentials, as attention corrects its sums when a greater score turns
    up, mostly scales by exp(0). Warps of which all rows do skip that; the result has the same bits.
  }];
}

def TileOrderAccesses : Pass<"tile-order-accesses", "::mlir::ModuleOp"> {
  let summary = "Puts barriers between accesses whose order matters to the threads of a group";
  let description = [{
    Layouts say which thread has which element. Two accesses of one memory, one of them a store, keep the order of the
    program by themselves if every thread accesses its own elements alone; else a `tile.barrier` stands between them on
    every path that leads from one to the other. By ldmatrix lanes load what others of their warp have stored, and by
    stmatrix they store what others load: a `tile.warp_barrier` stands between.
  }];
}

#endif // TEGULA_TRANSFORMS_PASSES_TD
