// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of the dialect but for the elementwise family (TileElementwise.td), gathers, scatters and atomics
// (TileGather.td), reductions and products (TileReductions.td) and the explicit level (TileExplicit.td,
// TileCopies.td, TileTensorCores.td, TileSemaphores.td, TileTrace.td).

#ifndef TEGULA_IR_TILEOPS_TD
#define TEGULA_IR_TILEOPS_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "TileAttrs.td"
include "TileInterfaces.td"
include "TileTypes.td"

class Tile_Op<string name, list<Trait> traits = []> : Op<Tile_Dialect, name, traits>;

def Tile_AccessesMemory : DeclareOpInterfaceMethods<Tile_MemoryAccessOpInterface>;
def Tile_Root : DeclareOpInterfaceMethods<Tile_RootOpInterface>;
def Tile_Indexed : DeclareOpInterfaceMethods<Tile_IndexedOpInterface>;
/// One that moves elements, or whose parts take more than new operands.
class Tile_IndexedBy<list<string> methods> : DeclareOpInterfaceMethods<Tile_IndexedOpInterface, methods>;

// ---- Functions ----------------------------------------------------------------------------------------------------

class Tile_FunctionOp<string name> : Tile_Op<name, [IsolatedFromAbove, Symbol, FunctionOpInterface,
    AffineScope, AutomaticAllocationScope]> {
  let regions = (region AnyRegion:$body);
  let hasCustomAssemblyFormat = 1;
  code functionMethods = [{
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def Tile_EntryOp : Tile_FunctionOp<"entry"> {
  let summary = "a host function of the user's";
  let description = [{
    `qualified_name` is the C++ name in the generated header and `doc` its doc comment. Arguments are arrays and scalars
    named by the argument attribute `tile.name`, with `tile.type` where the C++ type of a scalar is unsigned, and
    `tile.default` where it has a default argument, as all that follow it then do; of an array, that is `tile.optional`:
    none. Several
    results are the fields of a struct: `result_struct` is its name and `result_names` names the fields.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type, StrAttr:$qualified_name,
      OptionalAttr<StrAttr>:$doc, OptionalAttr<StrAttr>:$result_struct, OptionalAttr<StrArrayAttr>:$result_names,
      OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let hasVerifier = 1;
  let extraClassDeclaration = functionMethods;
}

def Tile_KernelOp : Tile_FunctionOp<"kernel"> {
  let summary = "device code for one kind of launch, after splitting";
  let description = [{
    Runs in CUDA blocks of `threads` threads. A *thread group* of `group` threads (a power of two) runs the body once, as if it
    were one program on whole tiles; `tile.thread_group` says which. Arguments are refs, scalars and tensor maps.

    With `cluster`, up to so many blocks form a cluster: `tile.launch_kernel` may say how many, and they are one thread group's,
    each with a part of what it has. At the explicit level a thread group is a warpgroup of 128 threads, there are always so many
    blocks, along the axes of `cluster_shape`, and a block takes `shared_bytes` of shared memory.

    With `consumers`, the thread groups of a block are so many warpgroups, which share the rows of a sub-tile of a matrix
    product: `tile-specialize-products` gives them a warpgroup more, which copies what they multiply. With `mma_sync` they
    copy it themselves, and multiply by the tensor-core instructions of a warp.

    `classes` names the classes of architectures that launch it (`support/Target.h`); without, all that the module is
    compiled for do.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type, I64Attr:$threads, I64Attr:$group,
      OptionalAttr<I64Attr>:$cluster, OptionalAttr<DenseI64ArrayAttr>:$cluster_shape,
      OptionalAttr<I64Attr>:$shared_bytes, OptionalAttr<I64Attr>:$consumers, UnitAttr:$mma_sync, OptionalAttr<StrArrayAttr>:$classes,
      OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type, "int64_t":$threads,
                                 "int64_t":$group), [{
    $_state.addRegion();
    $_state.addAttribute(getSymNameAttrName($_state.name), $_builder.getStringAttr(name));
    $_state.addAttribute(getFunctionTypeAttrName($_state.name), ::mlir::TypeAttr::get(type));
    $_state.addAttribute(getThreadsAttrName($_state.name), $_builder.getI64IntegerAttr(threads));
    $_state.addAttribute(getGroupAttrName($_state.name), $_builder.getI64IntegerAttr(group));
  }]>];
  let extraClassDeclaration = functionMethods;
}

def Tile_ReturnOp : Tile_Op<"return", [Terminator, ReturnLike, Pure, ParentOneOf<["EntryOp", "KernelOp"]>]> {
  let summary = "ends an entry or a kernel";
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let hasVerifier = 1;
}

// ---- Host -----------------------------------------------------------------------------------------------------------

def Tile_CheckOp : Tile_Op<"check"> {
  let summary = "refuses the call with a message unless the condition holds";
  let description = "Every `{}` in the message stands for the next of the numbers, if there are any.";
  let arguments = (ins I1:$condition, StrAttr:$message, Variadic<I64>:$numbers);
  let assemblyFormat = "$condition `,` $message (`(` $numbers^ `)`)? attr-dict";
  let hasVerifier = 1;
}

def Tile_EmptyOp : Tile_Op<"empty", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a new array on the device of the call, contents undefined, or zero";
  let arguments = (ins Variadic<I64>:$dims, UnitAttr:$zeroed);
  let results = (outs Tile_ArrayType:$result);
  let assemblyFormat = "(`zeroed` $zeroed^)? `(` $dims `)` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_RecordOp : Tile_Op<"record", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a new array in which each program of a launch notes a check that failed";
  let description = [{
    A row of f64 for each of `programs`: which check, as a number of `tile.report`'s list, and the values of its message.
    It begins with -1 everywhere: none.
  }];
  let arguments = (ins I64:$programs, I64Attr:$width);
  let results = (outs Tile_ArrayType:$result);
  let assemblyFormat = "$programs `,` $width attr-dict `:` type($result)";
}

def Tile_ReportOp : Tile_Op<"report"> {
  let summary = "waits for a launch, and refuses the call if a check of one of its programs has failed";
  let description = "Every `{}` in a message stands for the next value of the row. `grid` is that of the launch.";
  let arguments = (ins Tile_ArrayType:$record, StrArrayAttr:$messages, Variadic<I64>:$grid);
  let assemblyFormat = "$record `,` $messages `grid` `(` $grid `)` attr-dict `:` type($record)";
}

def Tile_DenseOp : Tile_Op<"dense", [Pure]> {
  let summary = "whether arrays can be accessed in aligned vectors";
  let description = [{
    True if for every array the innermost stride is 1 and the base and the outer strides are multiples of `bytes` bytes.
    With `contiguous`, the arrays are also dense as a whole, rows following rows without gaps.
  }];
  let arguments = (ins Variadic<Tile_ArrayType>:$arrays, I64Attr:$bytes, UnitAttr:$contiguous);
  let results = (outs I1:$result);
  let assemblyFormat = "(`contiguous` $contiguous^)? $bytes `,` $arrays attr-dict `:` type($arrays)";
}

def Tile_AsConstOp : Tile_Op<"as_const", [Pure]> {
  let summary = "the same array, only to be read";
  let arguments = (ins Tile_ArrayType:$array);
  let results = (outs Tile_ArrayType:$result);
  let assemblyFormat = "$array attr-dict `:` type($array) `->` type($result)";
}

def Tile_IsPresentOp : Tile_Op<"is_present", [Pure]> {
  let summary = "whether the caller gave an array that it may leave out";
  let description = "Of an argument of the entry with the attribute `tile.optional`.";
  let arguments = (ins Tile_ArrayType:$array);
  let results = (outs I1:$result);
  let assemblyFormat = "$array attr-dict `:` type($array)";
}

def Tile_FlattenOp : Tile_Op<"flatten", [Pure]> {
  let summary = "an array as one row, its elements in the order of memory";
  let description = [{
    One with gaps between its rows has no such row: `tile.dense` is false of what this makes of it. In plans alone.
  }];
  let arguments = (ins Tile_ArrayType:$array);
  let results = (outs Tile_ArrayType:$result);
  let assemblyFormat = "$array attr-dict `:` type($array) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_LaunchOp : Tile_Op<"launch", [IsolatedFromAbove, AttrSizedOperandSegments]> {
  let summary = "runs a program at every point of a grid";
  let description = [{
    The body is one program. Its arguments are those of the launch: a ref of run-time extents per array, and scalars as
    they are. Arrays of one launch do not overlap unless they are read only, which the host checks. An array appears
    once among the arguments.

    `plan` is empty until splitting. Then it is host code, with the arguments of the launch as its own, that launches
    kernels by `tile.launch_kernel`.

    With `warpgroups` the program is of the explicit level: it is a CUDA block of that many threads of 128 lanes each,
    every thread runs the body, and nothing is split. `cluster` has the sizes of the axes of its cluster, and the grid
    counts clusters.
  }];
  let arguments = (ins Variadic<I64>:$grid, Variadic<AnyType>:$arguments, Tile_AccessArrayAttr:$access, StrAttr:$name,
      OptionalAttr<I64Attr>:$warpgroups, OptionalAttr<DenseI64ArrayAttr>:$cluster);
  let regions = (region SizedRegion<1>:$body, AnyRegion:$plan);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    Access getAccessOf(unsigned argument) {
      return ::mlir::cast<AccessAttr>(getAccess()[argument]).getValue();
    }
    bool isExplicit() { return getWarpgroups().has_value(); }
    /// The blocks of a cluster.
    int64_t getClusterSize();
  }];
}

def Tile_YieldOp : Tile_Op<"yield", [Terminator, ReturnLike, Pure, HasParent<"LaunchOp">]> {
  let summary = "ends the body or the plan of a launch";
  let assemblyFormat = "attr-dict";
}

def Tile_LaunchKernelOp : Tile_Op<"launch_kernel", [AttrSizedOperandSegments]> {
  let summary = "runs a kernel in `blocks` CUDA blocks";
  let description = "`cluster` of them form a cluster; without it, as many as the kernel says.";
  let arguments = (ins FlatSymbolRefAttr:$kernel, I64:$blocks, Optional<I64>:$cluster, Variadic<AnyType>:$arguments);
  let assemblyFormat = [{
    $kernel `blocks` `(` $blocks `)` (`cluster` `(` $cluster^ `)`)? `(` $arguments `)` attr-dict (`:` type($arguments)^)?
  }];
}

def Tile_IsClassOp : Tile_Op<"is_class", [Pure]> {
  let summary = "whether the code that the launch's device loads is for one of these classes of architectures";
  let description = [{
    A plan chooses by the class of the image, not of the device: PTX for sm_80 on a later chip takes the plan of 8.x,
    whose kernels it holds. The classes are those of `support/Target.h`.
  }];
  let arguments = (ins StrArrayAttr:$classes);
  let results = (outs I1:$result);
  let assemblyFormat = "$classes attr-dict";
  let hasVerifier = 1;
}

def Tile_MultiprocessorsOp : Tile_Op<"multiprocessors", [Pure]> {
  let summary = "how many multiprocessors the launch's device has; on the CPU 1";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_ResidentClustersOp : Tile_Op<"resident_clusters", [Pure]> {
  let summary = "how many clusters of so many CTAs the launch's device runs of a kernel at once, 1 at least";
  let description = [{
    A driver knows it: clusters take the multiprocessors of one GPC, of which some are left over. In plans for GPUs
    alone.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, I64:$cluster);
  let results = (outs I64:$result);
  let assemblyFormat = "$kernel `of` $cluster attr-dict";
}

// ---- Programs -------------------------------------------------------------------------------------------------------

def Tile_ProgramIdOp : Tile_Op<"program_id", [Pure]> {
  let summary = "where this program stands along a grid axis";
  let arguments = (ins I64Attr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$axis attr-dict";
}

def Tile_MultipleOfOp : Tile_Op<"multiple_of", [Pure]> {
  let summary = "an integer of which the program promises that it is a multiple of a constant";
  let description = "What follows for alignment is `tile::divisorOf`'s to know; on the CPU a broken promise is an error.";
  let arguments = (ins I64:$value, I64Attr:$multiple);
  let results = (outs I64:$result);
  let assemblyFormat = "$value `of` $multiple attr-dict";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_NumProgramsOp : Tile_Op<"num_programs", [Pure]> {
  let summary = "the size of a grid axis";
  let arguments = (ins I64Attr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$axis attr-dict";
}

def Tile_ThreadGroupOp : Tile_Op<"thread_group", [Pure]> {
  let summary = "which thread group of the launch runs this kernel, counted through all CUDA blocks";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_BarrierOp : Tile_Op<"barrier", [Tile_SynchronizesThreadGroup, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "orders the memory accesses of a thread group: what its threads did before is seen by all of them after";
  let assemblyFormat = "attr-dict";
}

def Tile_WarpBarrierOp : Tile_Op<"warp_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "orders the memory accesses of each warp: what its lanes did before is seen by all of them after";
  let assemblyFormat = "attr-dict";
}

def Tile_DimOp : Tile_Op<"dim", [Pure]> {
  let summary = "the size of an array along a dimension, or the extent of a ref or tile";
  let arguments = (ins AnyTypeOf<[Tile_ArrayType, Tile_RefType, Tile_Tile]>:$source, I64Attr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$source `,` $axis attr-dict `:` type($source)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_DebugPrintOp : Tile_Op<"debug_print", [Tile_OfWarps]> {
  let summary = "prints a line, once a program, at the explicit level once a thread, or in `tile.warp_map` once a warp";
  let description = "Every `{}` in the format stands for the next operand.";
  let arguments = (ins StrAttr:$format, Variadic<Tile_Scalar>:$operands, OptionalAttr<BoolArrayAttr>:$is_unsigned);
  let assemblyFormat = "$format (`,` $operands^ `:` type($operands))? attr-dict";
  let hasVerifier = 1;
}

// ---- Memory ---------------------------------------------------------------------------------------------------------

class Tile_SlicingOp<string name, Type type, list<string> indexing> :
    Tile_Op<name, [Pure, AttrSizedOperandSegments, Tile_IndexedBy<["getIndexingMap"] # indexing>]> {
  let arguments = (ins type:$source, Variadic<I64>:$offsets, Variadic<I64>:$sizes, DenseI32ArrayAttr:$modes);
  let results = (outs type:$result);
  let hasVerifier = 1;
  code slicingMethods = [{
    SliceMode getMode(unsigned sourceDim) { return static_cast<SliceMode>(getModes()[sourceDim]); }
    /// The offset along a source dimension that is a window or an element; null if it is whole.
    ::mlir::Value getOffset(unsigned sourceDim);
    /// The run-time size of a window; null if its size is static.
    ::mlir::Value getSize(unsigned sourceDim);
    /// The source dimension behind a dimension of the result.
    unsigned getSourceDim(unsigned resultDim);
    bool isRearrangement() { return true; }
  }];
  let assemblyFormat = [{
    $source `[` custom<Slices>($offsets, $sizes, $modes) `]` attr-dict `:` type($source) `->` type($result)
  }];
}

def Tile_SliceOp : Tile_SlicingOp<"slice", Tile_RefType, []> {
  let summary = "a smaller window";
  let description = [{
    Per dimension of the source: `whole` keeps it, `window %start` or `window %start size %n` takes a window (its static
    size is the bound in the result type), `element %i` takes one index and drops the dimension. A window is clamped at
    the end of the array: extent = clamp(dim - start, 0, size). One that starts below 0 is the author's error.

    `spec` marks the window that a block spec describes. `in_bounds` promises that nothing is clamped.
  }];
  let arguments = (ins Tile_RefType:$source, Variadic<I64>:$offsets, Variadic<I64>:$sizes, DenseI32ArrayAttr:$modes,
      UnitAttr:$spec, UnitAttr:$in_bounds);
  let extraClassDeclaration = slicingMethods # [{
    /// The most elements that a window along a source dimension holds: 1 for an element, ShapedType::kDynamic if only
    /// the program knows.
    int64_t getBound(unsigned sourceDim);
    bool hasWindowsInBounds() { return getInBounds(); }
  }];
}

def Tile_StridedSliceOp : Tile_Op<"strided_slice", [Pure, Tile_IndexedBy<["getIndexingMap"]>]> {
  let summary = "every `step`-th element of a dimension of an array, from an offset on";
  let description = [{
    At most `size` of them, or, without it, as many as the bound in the result type says. The window is clamped at the
    end of the array: extent = clamp(ceil((dim - offset) / step), 0, size). An offset below 0 and a step below 1 are the
    author's errors.
  }];
  let arguments = (ins Tile_RefType:$source, I64Attr:$axis, I64:$offset, I64:$step, Optional<I64>:$size);
  let results = (outs Tile_RefType:$result);
  let assemblyFormat = [{
    $source `axis` $axis `from` $offset `step` $step (`size` $size^)? attr-dict `:` type($source) `->` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isRearrangement() { return true; }
    /// The constant step that both have along one axis.
    std::optional<int64_t> stepSharedWith(StridedSliceOp other);
  }];
}

def Tile_SubtileOp : Tile_SlicingOp<"subtile", Tile_Tile, ["makePart"]> {
  let summary = "a part of a tile";
  let description = "As `tile.slice`, on a value.";
  let extraClassDeclaration = slicingMethods;
}

def Tile_LoadOp : Tile_Op<"load", [Tile_OfWarps, AttrSizedOperandSegments, Tile_AccessesMemory, Tile_Indexed]> {
  let summary = "the value in a window";
  let description = [{
    With a mask, an element is `other` where the mask is false and where the window extends past the end of its array:
    neither is read. The tile then has all elements that a static window may have, whatever is there.
  }];
  let arguments = (ins Arg<Tile_RefType, "the window", [MemRead]>:$ref, Optional<Tile_Tile>:$mask,
      Optional<Tile_Tile>:$other);
  let results = (outs Tile_Tile:$result);
  let builders = [OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$ref), [{
    build($_builder, $_state, result, ref, ::mlir::Value(), ::mlir::Value());
  }]>];
  let assemblyFormat = [{
    $ref (`mask` $mask^ `:` type($mask) `other` $other `:` type($other))? attr-dict `:` type($ref) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_Op<"store", [Tile_OfWarps, Tile_AccessesMemory, Tile_Indexed, Tile_Root]> {
  let summary = "writes a value to a window, as far as the window extends";
  let description = "With a mask, only where that is true.";
  let arguments = (ins Tile_Tile:$value, Arg<Tile_RefType, "the window", [MemWrite]>:$ref, Optional<Tile_Tile>:$mask);
  let builders = [OpBuilder<(ins "::mlir::Value":$value, "::mlir::Value":$ref), [{
    build($_builder, $_state, value, ref, ::mlir::Value());
  }]>];
  let assemblyFormat = "$value `,` $ref (`mask` $mask^ `:` type($mask))? attr-dict `:` type($value) `,` type($ref)";
  let hasVerifier = 1;
}

// ---- Variables ----------------------------------------------------------------------------------------------------------

def Tile_VariableOp : Tile_Op<"variable", [Tile_OfWarps, MemoryEffects<[MemAlloc]>]> {
  let summary = "a mutable variable, without a value until it is set";
  let results = (outs Tile_VariableType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Tile_GetOp : Tile_Op<"get", [Tile_OfWarps, TypesMatchWith<"the value has the variable's type", "variable", "result",
                                                "::mlir::cast<VariableType>($_self).getValueType()">]> {
  let summary = "reads a variable";
  let arguments = (ins Arg<Tile_VariableType, "the variable", [MemRead]>:$variable);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$variable attr-dict `:` type($variable)";
}

def Tile_SetOp : Tile_Op<"set", [Tile_OfWarps, TypesMatchWith<"the value has the variable's type", "variable", "value",
                                                "::mlir::cast<VariableType>($_self).getValueType()">]> {
  let summary = "writes a variable";
  let arguments = (ins AnyType:$value, Arg<Tile_VariableType, "the variable", [MemWrite]>:$variable);
  let assemblyFormat = "$value `,` $variable attr-dict `:` type($variable)";
}

// ---- Making and shaping tiles ---------------------------------------------------------------------------------------

def Tile_FullOp : Tile_Op<"full", [Pure, Tile_IndexedBy<["makePart"]>]> {
  let summary = "a tile of one value";
  let description = [{
    The scalar is the signless form of the element, or the bits of an 8-bit float. Without `extents` the tile conforms to what it is combined with; with them, one
    per `?` of the type, it has those. One per dimension says of static ones how much is there, as of the tile that it is made like.
  }];
  let arguments = (ins Tile_Scalar:$value, Variadic<I64>:$extents);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$value (`extents` `(` $extents^ `)`)? attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
  let extraClassDeclaration = "::mlir::ValueRange getResultExtents() { return getExtents(); }";
}

def Tile_IotaOp : Tile_Op<"iota", [Pure, AttrSizedOperandSegments, Tile_IndexedBy<["makePart"]>]> {
  let summary = "each element's index along an axis, in the element type";
  let description = "`offset` is added to the index (a sub-tile of a larger iota). Extents as in `tile.full`.";
  let arguments = (ins I64Attr:$axis, Optional<I64>:$offset, Variadic<I64>:$extents);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $axis (`offset` `(` $offset^ `)`)? (`extents` `(` $extents^ `)`)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = "::mlir::ValueRange getResultExtents() { return getExtents(); }";
}

def Tile_ConformOp : Tile_Op<"conform", [Pure, Tile_IndexedBy<["makePart"]>,
    TypesMatchWith<"the result has the type of the source", "source", "result", "$_self">]> {
  let summary = "the same tile, with these extents where it has none of its own";
  let description = [{
    One extent per dimension. A variable keeps the extents of the tile that it holds: what is assigned to it and conforms
    (`full`, `iota`, new dimensions of a broadcast) has them from there on. `tile-check-extents` drops those that say
    nothing that others do not say.
  }];
  let arguments = (ins Tile_Tile:$source, Variadic<I64>:$extents);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source `extents` `(` $extents `)` attr-dict `:` type($source)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::ValueRange getResultExtents() { return getExtents(); }
    bool isRearrangement() { return true; }
  }];
}

def Tile_ExtractOp : Tile_Op<"extract", [Pure]> {
  let summary = "the scalar in a tile of rank 0";
  let arguments = (ins Tile_Tile:$tile);
  let results = (outs Tile_Scalar:$result);
  let assemblyFormat = "$tile attr-dict `:` type($tile) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure, Tile_IndexedBy<["getIndexingMap", "makePart"]>]> {
  let summary = "repeats a tile along new dimensions and along those of extent 1";
  let description = [{
    `dims[i]` is the dimension of the result that dimension i of the source becomes, ascending. A source dimension is a
    static 1 or that of the result; other result dimensions are new, and conform to what the tile is combined with.
    Where the type of one side bounds a dimension and that of the other does not, nothing is repeated: the dimension
    keeps its extent, and `tile-check-extents` proves that it is within the bound.
  }];
  let arguments = (ins Tile_Tile:$source, DenseI64ArrayAttr:$dims);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source $dims attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = [{
    bool isRearrangement() { return true; }
    /// Whether one side alone bounds a dimension of the source by its type.
    bool isBound(unsigned sourceDim);
  }];
}

def Tile_PermuteOp : Tile_Op<"permute", [Pure, Tile_IndexedBy<["getIndexingMap", "makePart"]>]> {
  let summary = "a tile with its dimensions in another order: dimension i of the result is `permutation[i]` of the source";
  let arguments = (ins Tile_Tile:$source, DenseI64ArrayAttr:$permutation);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source $permutation attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
  let extraClassDeclaration = "bool isRearrangement() { return true; }";
}

def Tile_OpaqueOp : Tile_Op<"opaque", [Pure, Tile_Indexed, SameOperandsAndResultType]> {
  let summary = "the same tile, of which compilers do not know that it is the same";
  let description = [{
    What is computed from it is computed there: nothing finds that it has been computed before (`tile-recompute`). It
    takes an instruction for each register; what does not fill registers of 32 bits is known to be the same.
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def Tile_RelayoutOp : Tile_Op<"relayout", [Pure]> {
  let summary = "the same tile in another layout";
  let description = [{
    Elements come into other registers of their thread, by shuffles to other lanes of their warp, or through shared
    memory to any thread of their thread group, whichever is possible and costs least (`layout/Relayout.h`).
  }];
  let arguments = (ins Tile_Tile:$source);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

include "TileElementwise.td"
include "TileGather.td"
include "TileReductions.td"
include "TileExplicit.td"
include "TileCopies.td"
include "TileTensorCores.td"
include "TileSemaphores.td"
include "TileTrace.td"

#endif // TEGULA_IR_TILEOPS_TD
