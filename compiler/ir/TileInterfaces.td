// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops say of themselves, so that passes need not name them. The structs that the methods speak in are in
// Interfaces.h.

#ifndef TEGULA_IR_TILEINTERFACES_TD
#define TEGULA_IR_TILEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_MemoryAccessOpInterface : OpInterface<"MemoryAccessOpInterface"> {
  let cppNamespace = "::tegula::tile";
  let description = [{
    An op that reads or writes memory through refs or tensor maps: arrays, shared memory. Its side effects say the same
    to MLIR's own passes, without the tile and the proxy.
  }];
  let methods = [
    InterfaceMethod<"What the op reads and writes.", "::llvm::SmallVector<::tegula::tile::MemoryAccess>",
                    "getMemoryAccesses">
  ];
}

/// All threads of the thread group that runs the op wait for one another there: what each did to memory before is seen
/// by the others after.
def Tile_SynchronizesThreadGroup : NativeOpTrait<"SynchronizesThreadGroup"> { let cppNamespace = "::tegula::tile"; }

#endif // TEGULA_IR_TILEINTERFACES_TD
