// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of tile IR, in the order in which the compiler runs them. They report, and add checks that the host makes
// before a launch; they change no program.

#ifndef TEGULA_CHECKS_PASSES_TD
#define TEGULA_CHECKS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileCheckExtents : Pass<"tile-check-extents", "::mlir::ModuleOp"> {
  let summary = "Proves that tiles that are combined have equal extents";
  let description = [{
    Two extents are equal if they are computed alike from dims that are equal, or that a `tile.check` before the launch
    compares. Anything else is an error. `tile.dim` of a tile becomes that of the ref it comes from. A `tile.check` of
    constants that fails in every call is refused.
  }];
}

def TileCheckCoverage : Pass<"tile-check-coverage", "::mlir::ModuleOp"> {
  let summary = "Makes the host refuse a grid that leaves parts of an output unwritten";
  let description = [{
    Where a block spec of an `out` array is affine in the program ids, the host compares what the grid reaches with the
    dims of the array, before the launch. A grid without programs is refused, too.
  }];
}

def TileCheckOutputs : Pass<"tile-check-outputs", "::mlir::ModuleOp"> {
  let summary = "Refuses what reads an output before anything is in it";
  let description = [{
    An `out` array is undefined until the program stores to it. A load is refused if no store to its array comes before
    it, in the text or in another iteration of a loop. An output that nothing is stored to gets a warning, as do stores
    that fill less than its block, or none of it in programs that skip them. What only a run tells, the CPU target finds.
    An array that an entry makes and returns, and that no launch takes to write to, gets a warning, too.
  }];
}

def TileCheckOverwrites : Pass<"tile-check-overwrites", "::mlir::ModuleOp"> {
  let summary = "Refuses what several programs write to one place";
  let description = [{
    Programs of a grid run at the same time, in no order. A store is refused if neither its place nor a condition around
    it depends on an axis of the grid, but what it stores does, or is what the array held before; and if it updates an
    element that is found by an index that is loaded.
  }];
}

def TileCheckReads : Pass<"tile-check-reads", "::mlir::ModuleOp"> {
  let summary = "Warns of programs that read what others store";
  let description = [{
    Programs of a grid run at the same time, in no order. A load gets a warning if its window and that of a store to the
    same array are, for two programs that are some way apart along an axis of the grid, known to have elements in common.
    What is not known, the CPU code looks at while it runs (tegula/cpu/races.h).
  }];
}

def TileCheckPacked : Pass<"tile-check-packed", "::mlir::ModuleOp"> {
  let summary = "Refuses what elements that are packed to bytes cannot do";
  let description = [{
    Two elements of 4 bits share a byte of an array, neighbours along its last dimension. Windows of that begin and end
    with bytes; it stays the last one, and nothing is selected or indexed along it. Launches of the explicit level take
    no such arrays, and have none in shared memory.
  }];
}

def TileCheckTables : Pass<"tile-check-tables", "::mlir::ModuleOp"> {
  let summary = "Refuses what takes several arrays of a list at once";
  let description = [{
    The arrays of a table lie anywhere: slices take one of them, and all else is done with that. Launches of the explicit
    level take no tables.
  }];
}

def TileCheckThreads : Pass<"tile-check-threads", "::mlir::ModuleOp"> {
  let summary = "Refuses what the threads of a block cannot do together";
  let description = [{
    What is for one thread (`tile.one_thread`) is reached by one. The registers that threads ask for are those that the
    block has.
  }];
}

#endif
