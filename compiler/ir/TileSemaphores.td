// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The explicit level: how blocks of a launch synchronize. Part of TileOps.td.

#ifndef TEGULA_IR_TILESEMAPHORES_TD
#define TEGULA_IR_TILESEMAPHORES_TD

/// A place of one s32 in global memory, which nothing but these ops accesses: so they are no accesses of a memory that
/// `tile-order-accesses` knows, but order all others.
class Tile_OfSemaphore<string name, list<Trait> traits = []> :
    Tile_Op<name, !listconcat(traits, [MemoryEffects<[MemRead, MemWrite]>])> { let hasVerifier = 1; }

def Tile_SemaphoreSignalOp : Tile_OfSemaphore<"semaphore_signal",
    [Tile_OfWarps, Tile_SynchronizesThreadGroup, SameVariadicOperandSize]> {
  let summary = "adds to semaphores; what the thread did before is seen by those that wait for them";
  let description = "Each increment goes to the semaphore of its number.";
  let arguments = (ins Variadic<Tile_RefType>:$semaphores, Variadic<I64>:$increments,
      DefaultValuedAttr<Tile_MemoryScopeAttr, "MemoryScope::Gpu">:$scope);
  let assemblyFormat = "$semaphores `by` $increments (`scope` $scope^)? attr-dict `:` type($semaphores)";
}

def Tile_SemaphoreWaitOp : Tile_OfSemaphore<"semaphore_wait", [Tile_OfWarps, Tile_SynchronizesThreadGroup]> {
  let summary = "waits until a semaphore is as large as the value, and with `decrement` takes it away";
  let arguments = (ins Tile_RefType:$semaphore, I64:$value, UnitAttr:$decrement,
      DefaultValuedAttr<Tile_MemoryScopeAttr, "MemoryScope::Gpu">:$scope);
  let assemblyFormat = "(`decrement` $decrement^)? $semaphore `for` $value (`scope` $scope^)? attr-dict `:` type($semaphore)";
}

def Tile_SemaphoreReadOp : Tile_OfSemaphore<"semaphore_read", [Tile_OfWarps]> {
  let summary = "what a semaphore is now, which orders nothing";
  let description = "All lanes of the thread get one answer.";
  let arguments = (ins Tile_RefType:$semaphore);
  let results = (outs I32:$result);
  let assemblyFormat = "$semaphore attr-dict `:` type($semaphore)";
}

def Tile_GridBarrierOp : Tile_OfSemaphore<"grid_barrier", [Tile_SynchronizesThreadGroup]> {
  let summary = "all threads of all blocks of the launch synchronize";
  let description = [{
    All barriers of a launch have one semaphore: each turns its highest bit round, and adds 0 to the others.
  }];
  let arguments = (ins Tile_RefType:$semaphore);
  let assemblyFormat = "$semaphore attr-dict `:` type($semaphore)";
}

#endif // TEGULA_IR_TILESEMAPHORES_TD
