// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops say of themselves, so that passes need not name them. The structs that the methods speak in are in
// Interfaces.h.

#ifndef TEGULA_IR_TILEINTERFACES_TD
#define TEGULA_IR_TILEINTERFACES_TD

include "mlir/IR/OpBase.td"

def Tile_IndexedOpInterface : OpInterface<"IndexedOpInterface"> {
  let cppNamespace = "::tegula::tile";
  let description = [{
    An op that makes a tile (or a view of a ref) element by element. Its iteration space has the dimensions of the
    result (of a root, RootOpInterface, those of what it stores), then those that it reduces; an indexing map says which element of each operand an iteration reads:

        reduce sum [1]     r[i] += x[i, j]               iteration (i, j), j is reduced; x: iterated 0, iterated 1
        dot                c[m, n] += a[m, k] * b[k, n]  iteration (m, n, k);            b: iterated 2, iterated 1
        broadcast [1]      r[i, j] = x[j]                                                x: iterated 1
        subtile [3, ds(o)] r[i] = x[3, o + i]                                            x: element 3, window 0 from o

    From it follows which part of an operand a part of the result takes, what extent the result has, and which layouts
    move no data between threads. The defaults are those of elementwise ops. An op that makes a tile and has not got the
    interface is refused where any of this is asked for; branches and loops have MLIR's own (ControlFlow.h).
  }];
  let methods = [
    InterfaceMethod<"How many dimensions of the iteration space are reduced.", "int64_t", "getNumReductionDims",
                    (ins), "", "return 0;">,
    InterfaceMethod<[{
      The dimension along which an element of the result is made of many of the operands, from one end up to it: a
      scan's. -1 if there is none.
    }], "int64_t", "getScannedDim", (ins), "", "return -1;">,
    InterfaceMethod<"Which element of a tile or ref an iteration reads.", "::tegula::tile::IndexingMap",
                    "getIndexingMap", (ins "::mlir::OpOperand &":$operand), "",
                    "return ::tegula::tile::detail::identityMap(operand);">,
    InterfaceMethod<"Whether elements of the first operand are passed on as they are, to other places.", "bool",
                    "isRearrangement", (ins), "", "return false;">,
    InterfaceMethod<"Whether a window of the result lies within the operand: nothing is clamped.", "bool",
                    "hasWindowsInBounds", (ins), "", "return false;">,
    InterfaceMethod<"The run-time extents of a result that no operand tells, one for each `?` of its type.",
                    "::mlir::ValueRange", "getResultExtents", (ins), "", "return {};">,
    InterfaceMethod<[{
      A part of the result. `operands` stand for those of the op: of tiles, the parts that the indexing maps ask for. Ops
      that reduce are made by who decides how much they reduce at a time.
    }], "::mlir::Value", "makePart",
        (ins "::mlir::OpBuilder &":$builder, "::llvm::ArrayRef<::tegula::tile::Part>":$parts,
             "::mlir::ValueRange":$operands), "", [{
      auto type = ::mlir::cast<::mlir::RankedTensorType>($_op->getResult(0).getType());
      return ::tegula::tile::detail::makeAgain(
          builder, $_op, ::tegula::tile::partType(type.getElementType(), parts), operands);
    }]>
  ];
}

def Tile_ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::tegula::tile";
  let description = [{
    An op of the elementwise family (TileElementwise.td): all operands and results have one shape, and it acts element by
    element.
  }];
  let methods = [
    StaticInterfaceMethod<"About how many instructions it takes for one element (transforms/split/Cost.h).", "int64_t",
                          "getWeight">
  ];
}

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

def Tile_RootOpInterface : OpInterface<"RootOpInterface"> {
  let cppNamespace = "::tegula::tile";
  let description = [{
    An op that changes memory element by element of a tile, whatever it does there: a root, along whose dimensions
    splitting cuts what the program does. It has IndexedOpInterface, too: its iteration space is that of the value.
  }];
  let methods = [
    InterfaceMethod<"The tile that goes to memory.", "::mlir::Value", "getRootValue", (ins), "",
                    "return $_op.getValue();">,
    InterfaceMethod<"Where it goes there; null: everywhere.", "::mlir::Value", "getRootMask", (ins), "",
                    "return $_op.getMask();">,
    InterfaceMethod<"The window of memory.", "::mlir::Value", "getRootRef", (ins), "", "return $_op.getRef();">
  ];
}

def Tile_TmaOpInterface : OpInterface<"TmaOpInterface"> {
  let cppNamespace = "::tegula::tile";
  let description = [{
    An op that moves a window of an array by TMA. It needs a tensor map of the array, which cannot be made of every one.
  }];
  let methods = [
    InterfaceMethod<"The window, a ref to global memory.", "::mlir::Value", "getWindow">
  ];
}

/// All threads of the thread group that runs the op synchronize there: what each did to memory before is visible to the
/// others after.
def Tile_SynchronizesThreadGroup : NativeOpTrait<"SynchronizesThreadGroup"> { let cppNamespace = "::tegula::tile"; }

/// A warp can do the op without the others of its thread, in `tile.warp_map`, as it can do what has no effects. Of
/// elements it takes one at a time.
def Tile_OfWarps : NativeOpTrait<"OfWarps"> { let cppNamespace = "::tegula::tile"; }

#endif // TEGULA_IR_TILEINTERFACES_TD
