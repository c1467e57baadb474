// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TEGULA_IR_TILETYPES_TD
#define TEGULA_IR_TILETYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "TileDialect.td"

class Tile_Type<string name, string typeMnemonic, list<Trait> traits = []> : TypeDef<Tile_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Tile_ArrayType : Tile_Type<"Array", "array"> {
  let summary = "an array argument or result of host code";
  let description = [{
    A view of an array in some device's memory: pointer, dims, strides, device. `const` arrays are not written.

    A `table` is a list of arrays of one shape: its first dimension counts them, and each lies where a table of
    pointers says.

    Example: `!tile.array<f32, 2>`, `!tile.array<f32, 2, const>`, `!tile.array<f32, 3, const, table>`.
  }];
  let parameters = (ins "::mlir::Type":$elementType, "int64_t":$rank, "bool":$readOnly, "bool":$isTable);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilder<(ins "::mlir::Type":$elementType, "int64_t":$rank, "bool":$readOnly), [{
      return $_get($_ctxt, elementType, rank, readOnly, /*isTable=*/false);
    }]>
  ];
}

def Tile_RefType : Tile_Type<"Ref", "ref"> {
  let summary = "a typed window into memory";
  let description = [{
    In the device's global memory, or with `smem` in the CTA's own shared memory, where all extents are exact.

    Per dimension an extent: `512` exactly, `512?` at most (the window may extend past the end of its array), or `?`
    (known at run time, also clamped at the end of the array).

    `align N` promises that the innermost stride is 1 and that the window's base and its outer strides are multiples of
    N bytes, so that accesses of N bytes along the innermost dimension are aligned. `align N even` also promises that
    the innermost extent is a multiple of N bytes: no such access crosses the end of the window. The arguments of a
    kernel of which that is promised have one innermost extent, unless it has `tile.loads_around`.

    `swizzle S` says how the elements of shared memory are arranged, for S of 32, 64 or 128 bytes: the innermost
    dimension is cut into panels of S bytes, a panel holds all rows of the second innermost one, and within each 8 rows
    the 16-byte units change places as TMA and the tensor cores expect. `swizzle 16` is plain row-major order. Without
    it the arrangement is still to be chosen (`tile-assign-shared`).

    `table` is a list of arrays, in global memory, of which dimension 0 counts the arrays: a slice that has one of them,
    `element %i` or a window of at most one, is a window of that array. Nothing else but slices is made of it. `align`
    holds for each array of the list.

    Example: `!tile.ref<f32, [?, 16, 512?]>`, `!tile.ref<bf16, [2048?], align 16 even>`, `!tile.ref<f32, []>`,
    `!tile.ref<bf16, [4, 128, 64], smem swizzle 128>`, `!tile.ref<f32, [?, ?], align 16 even, table>`.
  }];
  // The bound of each dimension: n exact, -n at most n, ShapedType::kDynamic unknown.
  let parameters = (ins "::mlir::Type":$elementType, ArrayRefParameter<"int64_t">:$dims, "int64_t":$alignment,
      "bool":$isEven, "::tegula::tile::MemorySpace":$space, "int64_t":$swizzle);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [
    TypeBuilderWithInferredContext<(ins "::mlir::Type":$elementType, "::llvm::ArrayRef<int64_t>":$dims,
                                        CArg<"int64_t", "0">:$alignment, CArg<"bool", "false">:$isEven,
                                        CArg<"MemorySpace", "MemorySpace::Gmem">:$space), [{
      return $_get(elementType.getContext(), elementType, dims, alignment, isEven, space, /*swizzle=*/0);
    }]>
  ];
  let extraClassDeclaration = [{
    /// A dimension that holds at most `bound` elements.
    static int64_t atMost(int64_t bound) { return -bound; }

    int64_t getRank() const { return getDims().size(); }
    /// The most elements that dimension `i` holds, or ShapedType::kDynamic.
    int64_t getBound(int64_t i) const;
    /// True if dimension `i` may hold fewer elements than its bound, or has none.
    bool isExact(int64_t i) const { return getDims()[i] > 0; }
    bool isShared() const { return getSpace() == MemorySpace::Smem; }
    /// A list of arrays, each of which lies anywhere.
    bool isTable() const { return getSpace() == MemorySpace::Table; }
    /// Whether a slice of a table has one of its arrays, or none: if it takes an element of dimension 0, or what it
    /// keeps, `dims`, begins with a window of at most one.
    static bool isOfOneArray(bool takesElement, ::llvm::ArrayRef<int64_t> dims) {
      return takesElement || dims.front() == 1 || dims.front() == atMost(1);
    }
    /// The type of a slice in global memory, of which nothing but the extents is known.
    RefType sliced(bool takesElement, ::llvm::ArrayRef<int64_t> dims) const;
    /// The type of the tile that a load of this window gives.
    ::mlir::RankedTensorType getTileType() const;

    /// What a launch or a kernel sees of an array: all of it.
    static RefType ofArray(ArrayType array);
    /// A window into shared memory. `swizzle` 0: still to be chosen.
    static RefType inShared(::mlir::Type elementType, ::llvm::ArrayRef<int64_t> dims, int64_t swizzle = 0);
    /// The bytes of a window into shared memory.
    int64_t getSizeInBytes() const;
  }];
}

def Tile_BarriersType : Tile_Type<"Barriers", "barriers"> {
  let summary = "mbarriers in shared memory";
  let parameters = (ins "int64_t":$count);
  let assemblyFormat = "`<` $count `>`";
}

def Tile_TensorMapType : Tile_Type<"TensorMap", "tensor_map"> {
  let summary = "how TMA sees an array, an argument of a kernel";
}

def Tile_VariableType : Tile_Type<"Variable", "variable"> {
  let summary = "a mutable local variable of the program, until `tile-promote-variables` turns it into SSA values";
  let parameters = (ins "::mlir::Type":$valueType);
  let assemblyFormat = "`<` $valueType `>`";
}

def Tile_StoredType : Tile_Type<"Stored", "stored"> {
  let summary = "an element that is moved and converted, and has no arithmetic of its own";
  let description = [{
    One of the table of element types (`include/tegula/elements.def`) that MLIR has no type for. In registers it is a
    byte, and so is its scalar: of integers the number, of others the bits.

    Example: `!tile.stored<e8m0>`.
  }];
  let parameters = (ins StringRefParameter<"in the language">:$name);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// ---- Constraints ------------------------------------------------------------------------------------------------

def Tile_Bool : I<1>;
def Tile_SignedInt : SignlessIntOfWidths<[8, 16, 32, 64]>;
def Tile_UnsignedInt : UnsignedIntOfWidths<[8, 16, 32, 64]>;
def Tile_Int : AnyTypeOf<[Tile_SignedInt, Tile_UnsignedInt], "integer">;
def Tile_Float : AnyTypeOf<[F16, BF16, F32, F64], "float">;
def Tile_Number : AnyTypeOf<[Tile_SignedInt, Tile_UnsignedInt, F16, BF16, F32, F64], "number">;
def Tile_Integral : AnyTypeOf<[Tile_Bool, Tile_SignedInt, Tile_UnsignedInt], "bool or integer">;
/// What ops compute on.
def Tile_Computed : AnyTypeOf<[Tile_Bool, Tile_SignedInt, Tile_UnsignedInt, F16, BF16, F32, F64], "bool or number">;
/// Floats of 8 bits are moved, converted and multiplied, stored types moved and converted: they have no arithmetic of
/// their own.
def Tile_Element : AnyTypeOf<[Tile_Bool, Tile_SignedInt, Tile_UnsignedInt, F16, BF16, F32, F64, F8E4M3FN, F8E5M2,
    Tile_StoredType], "element">;
/// A scalar is signless, and one of an element without arithmetic a byte: arith computes on it.
def Tile_Scalar : AnyTypeOf<[Tile_Bool, Tile_SignedInt, F16, BF16, F32, F64], "scalar">;

class Tile_TileOf<Type element> : RankedTensorOf<[element]>;
def Tile_Tile : Tile_TileOf<Tile_Element>;
def Tile_BoolTile : Tile_TileOf<Tile_Bool>;

def Tile_ScalarOrTile : AnyTypeOf<[Tile_Scalar, Tile_Tile], "scalar or tile">;

// ---- Enums ------------------------------------------------------------------------------------------------------

def Tile_AccessEnum : I32EnumAttr<"Access", "how a launch uses an argument", [
    I32EnumAttrCase<"Scalar", 0, "scalar">,
    I32EnumAttrCase<"In", 1, "in">,
    I32EnumAttrCase<"Out", 2, "out">,
    I32EnumAttrCase<"InOut", 3, "inout">,
    I32EnumAttrCase<"PartialOut", 4, "partial_out">]> {
  let cppNamespace = "::tegula::tile";
  let genSpecializedAttr = 0;
}
def Tile_AccessAttr : EnumAttr<Tile_Dialect, Tile_AccessEnum, "access"> {
  let assemblyFormat = "$value";
}
def Tile_AccessArrayAttr : TypedArrayAttrBase<Tile_AccessAttr, "how each argument is used">;

def Tile_MemorySpaceEnum : I32EnumAttr<"MemorySpace", "where memory is and whose", [
    I32EnumAttrCase<"Gmem", 0, "gmem">,
    I32EnumAttrCase<"Smem", 1, "smem">,
    I32EnumAttrCase<"Table", 2, "table">]> {
  let cppNamespace = "::tegula::tile";
  let genSpecializedAttr = 0;
}

def Tile_SliceModeEnum : I32EnumAttr<"SliceMode", "what a slice does with a dimension of its source", [
    I32EnumAttrCase<"Whole", 0, "whole">,
    I32EnumAttrCase<"Window", 1, "window">,
    I32EnumAttrCase<"Element", 2, "element">]> {
  let cppNamespace = "::tegula::tile";
  let genSpecializedAttr = 0;
}

def Tile_ReductionEnum : I32EnumAttr<"Reduction", "how a reduction combines two elements", [
    I32EnumAttrCase<"Sum", 0, "sum">,
    I32EnumAttrCase<"Prod", 1, "prod">,
    I32EnumAttrCase<"Max", 2, "max">,
    I32EnumAttrCase<"Min", 3, "min">,
    I32EnumAttrCase<"Any", 4, "any">,
    I32EnumAttrCase<"All", 5, "all">,
    I32EnumAttrCase<"Custom", 6, "custom">]> {
  let cppNamespace = "::tegula::tile";
  let genSpecializedAttr = 0;
}
def Tile_ReductionAttr : EnumAttr<Tile_Dialect, Tile_ReductionEnum, "reduction"> {
  let assemblyFormat = "$value";
}

def Tile_AtomicEnum : I32EnumAttr<"Atomic", "what becomes of an element and a value", [
    I32EnumAttrCase<"Add", 0, "add">,
    I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">,
    I32EnumAttrCase<"And", 3, "and">,
    I32EnumAttrCase<"Or", 4, "or">,
    I32EnumAttrCase<"Xor", 5, "xor">,
    I32EnumAttrCase<"Exch", 6, "exch">,
    I32EnumAttrCase<"Cas", 7, "cas">]> {
  let cppNamespace = "::tegula::tile";
  let genSpecializedAttr = 0;
}
def Tile_AtomicAttr : EnumAttr<Tile_Dialect, Tile_AtomicEnum, "atomic_kind"> {
  let assemblyFormat = "$value";
}

def Tile_MemoryOrderEnum : I32EnumAttr<"MemoryOrder", "how an atomic update orders accesses, as tegula::memory_order", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">,
    I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">,
    I32EnumAttrCase<"AcqRel", 3, "acq_rel">]> {
  let cppNamespace = "::tegula::tile";
  let genSpecializedAttr = 0;
}
def Tile_MemoryOrderAttr : EnumAttr<Tile_Dialect, Tile_MemoryOrderEnum, "memory_order"> {
  let assemblyFormat = "$value";
}

def Tile_MemoryScopeEnum : I32EnumAttr<"MemoryScope", "to whom an update is one step, as tegula::memory_scope", [
    I32EnumAttrCase<"Cta", 0, "cta">,
    I32EnumAttrCase<"Gpu", 1, "gpu">,
    I32EnumAttrCase<"Sys", 2, "sys">]> {
  let cppNamespace = "::tegula::tile";
  let genSpecializedAttr = 0;
}
def Tile_MemoryScopeAttr : EnumAttr<Tile_Dialect, Tile_MemoryScopeEnum, "memory_scope"> {
  let assemblyFormat = "$value";
}

def Tile_OutsideEnum : I32EnumAttr<"Outside", "what a copy brings of elements outside the array, as tegula::oob_fill", [
    I32EnumAttrCase<"Zeros", 0, "zeros">,
    I32EnumAttrCase<"Nan", 1, "nan">,
    I32EnumAttrCase<"Undefined", 2, "undefined">,
    I32EnumAttrCase<"None", 3, "none">]> {
  let cppNamespace = "::tegula::tile";
  let genSpecializedAttr = 0;
}
def Tile_OutsideAttr : EnumAttr<Tile_Dialect, Tile_OutsideEnum, "outside"> {
  let assemblyFormat = "$value";
}

def Tile_EvictionEnum : I32EnumAttr<"Eviction", "when L2 evicts what a copy moves, as tegula::eviction", [
    I32EnumAttrCase<"Normal", 0, "normal">,
    I32EnumAttrCase<"First", 1, "first">,
    I32EnumAttrCase<"Last", 2, "last">]> {
  let cppNamespace = "::tegula::tile";
  let genSpecializedAttr = 0;
}
def Tile_EvictionAttr : EnumAttr<Tile_Dialect, Tile_EvictionEnum, "eviction"> {
  let assemblyFormat = "$value";
}

def Tile_CopyReductionEnum : I32EnumAttr<"CopyReduction", "how a copy combines with the array, as tegula::reduction_op", [
    I32EnumAttrCase<"Add", 1, "add">,
    I32EnumAttrCase<"Min", 2, "min">,
    I32EnumAttrCase<"Max", 3, "max">,
    I32EnumAttrCase<"Inc", 4, "inc">,
    I32EnumAttrCase<"Dec", 5, "dec">,
    I32EnumAttrCase<"And", 6, "and">,
    I32EnumAttrCase<"Or", 7, "or">,
    I32EnumAttrCase<"Xor", 8, "xor">]> {
  let cppNamespace = "::tegula::tile";
  let genSpecializedAttr = 0;
}
def Tile_CopyReductionAttr : EnumAttr<Tile_Dialect, Tile_CopyReductionEnum, "copy_reduction"> {
  let assemblyFormat = "$value";
}

def Tile_PrecisionEnum : I32EnumAttr<"Precision", "what a product takes of its factors, as tegula::precision", [
    I32EnumAttrCase<"Ieee", 0, "ieee">,
    I32EnumAttrCase<"Tf32", 1, "tf32">]> {
  let cppNamespace = "::tegula::tile";
  let genSpecializedAttr = 0;
}
def Tile_PrecisionAttr : EnumAttr<Tile_Dialect, Tile_PrecisionEnum, "precision"> {
  let assemblyFormat = "$value";
}

#endif // TEGULA_IR_TILETYPES_TD
