// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile dialect: whole-tile programs and the host code that launches them.

#ifndef TEGULA_IR_TILEDIALECT_TD
#define TEGULA_IR_TILEDIALECT_TD

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::tegula::tile";
  let summary = "Tile programs, the arrays they work on, and the host code that launches them";
  let description = [{
    A module holds one `tile.entry` per kernel entry: host code in `arith`, `scf` and the host ops below, with a
    `tile.launch` for every `pallas_call`. The body of a launch is one program: refs into global memory are narrowed by
    `tile.slice`, read by `tile.load` into values of tensor type, computed on by elementwise ops, and written by
    `tile.store`.

    **Scalars** are signless and computed by `arith`. **Tiles** are ranked tensors whose element type carries the sign
    of unsigned integers (`ui8`); rank 0 is a tile too (`tensor<f32>`), and `tile.full` and `tile.extract` convert
    between it and the scalar.

    **Extents.** The shape of a tile's type bounds it; what is there at run time is its *extent*. A ref says per
    dimension whether it is exact (`512`), may extend past the end of its array (`512?`, at most 512), or is known at run time
    (`?`). A tile loaded from a `512?` dimension has type `tensor<512x...>` and the extent of the ref. Every op works on
    the extent; what lies beyond has no defined value and is never stored. `full`, `iota` and new broadcast dimensions
    conform to the extent of what they are combined with. That extents agree is proved before splitting (`tile-check-extents`).

    The same ops serve before and after splitting. After it, the program is a `tile.kernel` whose tiles are small and
    static, and the `plan` region of the launch says which kernels run, how many blocks, under which condition.
  }];
  let hasCanonicalizer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
  private:
    /// Gives ops of this dialect and of those it is used with the names that printed values have.
    void printVariableNames();
    /// Gives ops of other dialects that make tiles the interfaces of those of this one.
    void describeForeignOps();
  }];
}

#endif // TEGULA_IR_TILEDIALECT_TD
