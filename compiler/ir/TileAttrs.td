// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_TILEATTRS_TD
#define TEGULA_IR_TILEATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "TileDialect.td"

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

#endif // TEGULA_IR_TILEATTRS_TD
