// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_TILEATTRS_TD
#define TEGULA_IR_TILEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "TileDialect.td"

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Tile_LayoutAttr : Tile_Attr<"Layout", "layout", [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "how the elements of a tile are spread over the threads of its thread group";
  let description = [{
    The encoding of a tile's type within a laid-out `tile.kernel`. What it says, and its text, are those of
    `compiler/layout`; the number of threads is the kernel's `group`.

    Example: `tensor<8x128xf32, #tile.layout<blocked<[1, 4], lanes [1, 32], warps [8, 1]>>>`.
  }];
  let parameters = (ins "::tegula::layout::DistributedLayout":$layout);
  let hasCustomAssemblyFormat = 1;
}

#endif // TEGULA_IR_TILEATTRS_TD
