// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementwise family. An op's mnemonic is also the name of its scalar meaning in include/tegula/cpu, and of the
// intrinsic in the language where that is a function. Adding one: a record here, a scalar function there, a row in
// compiler/lower's table.

#ifndef TEGULA_IR_TILEELEMENTWISE_TD
#define TEGULA_IR_TILEELEMENTWISE_TD

/// All operands and results have one shape; element i of the result depends on element i of the operands alone.
def Tile_Elementwise : NativeOpTrait<"ElementwiseTile"> { let cppNamespace = "::tegula::tile"; }

class Tile_ElementwiseOp<string name, list<Trait> traits = []> :
    Tile_Op<name, [Pure, Tile_Elementwise, Tile_Indexed, SameOperandsAndResultShape] # traits>;

class Tile_UnaryOp<string name, Type element, string what> :
    Tile_ElementwiseOp<name, [SameOperandsAndResultType]> {
  let summary = what;
  let arguments = (ins Tile_TileOf<element>:$operand);
  let results = (outs Tile_TileOf<element>:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

class Tile_BinaryOp<string name, Type element, string what, list<Trait> traits = []> :
    Tile_ElementwiseOp<name, [SameOperandsAndResultType] # traits> {
  let summary = what;
  let arguments = (ins Tile_TileOf<element>:$lhs, Tile_TileOf<element>:$rhs);
  let results = (outs Tile_TileOf<element>:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

class Tile_CompareOp<string name, Type element, string what, list<Trait> traits = []> :
    Tile_ElementwiseOp<name, [SameTypeOperands] # traits> {
  let summary = what;
  let arguments = (ins Tile_TileOf<element>:$lhs, Tile_TileOf<element>:$rhs);
  let results = (outs Tile_BoolTile:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
}

// Arithmetic is C++'s: integers wrap, division truncates. f16 and bf16 compute in f32 and round once per op.
def Tile_AddOp : Tile_BinaryOp<"add", Tile_Number, "x + y", [Commutative]>;
def Tile_SubOp : Tile_BinaryOp<"sub", Tile_Number, "x - y">;
def Tile_MulOp : Tile_BinaryOp<"mul", Tile_Number, "x * y", [Commutative]>;
def Tile_DivOp : Tile_BinaryOp<"div", Tile_Number, "x / y; integers truncate, and a division by zero gives 0">;
def Tile_RemOp : Tile_BinaryOp<"rem", Tile_Int, "x % y, with the sign of x; by zero gives 0">;
def Tile_MaximumOp : Tile_BinaryOp<"maximum", Tile_Number, "the larger; NaN if either is, and -0 < +0", [Commutative]>;
def Tile_MinimumOp : Tile_BinaryOp<"minimum", Tile_Number, "the smaller; NaN if either is, and -0 < +0", [Commutative]>;
def Tile_BitAndOp : Tile_BinaryOp<"bit_and", Tile_Integral, "x & y", [Commutative]>;
def Tile_BitOrOp : Tile_BinaryOp<"bit_or", Tile_Integral, "x | y", [Commutative]>;
def Tile_BitXorOp : Tile_BinaryOp<"bit_xor", Tile_Integral, "x ^ y", [Commutative]>;
def Tile_ShiftLeftOp : Tile_BinaryOp<"shift_left", Tile_Int, "x << y; by the width or more gives 0">;
def Tile_ShiftRightOp : Tile_BinaryOp<"shift_right", Tile_Int, "x >> y; copies the sign; by the width or more gives 0 or the sign">;
def Tile_LogicalAndOp : Tile_BinaryOp<"logical_and", Tile_Bool, "x && y", [Commutative]>;
def Tile_LogicalOrOp : Tile_BinaryOp<"logical_or", Tile_Bool, "x || y", [Commutative]>;

def Tile_EqOp : Tile_CompareOp<"eq", Tile_Computed, "x == y", [Commutative]>;
def Tile_NeOp : Tile_CompareOp<"ne", Tile_Computed, "x != y", [Commutative]>;
def Tile_LtOp : Tile_CompareOp<"lt", Tile_Computed, "x < y">;
def Tile_LeOp : Tile_CompareOp<"le", Tile_Computed, "x <= y">;
def Tile_GtOp : Tile_CompareOp<"gt", Tile_Computed, "x > y">;
def Tile_GeOp : Tile_CompareOp<"ge", Tile_Computed, "x >= y">;

def Tile_NegOp : Tile_UnaryOp<"neg", Tile_Number, "-x">;
def Tile_AbsOp : Tile_UnaryOp<"abs", Tile_Number, "|x|; the least signed integer is its own">;
def Tile_SquareOp : Tile_UnaryOp<"square", Tile_Number, "x * x">;
def Tile_BitNotOp : Tile_UnaryOp<"bit_not", Tile_Int, "~x">;
def Tile_LogicalNotOp : Tile_UnaryOp<"logical_not", Tile_Bool, "!x">;
def Tile_ExpOp : Tile_UnaryOp<"exp", Tile_Float, "e to the x">;
def Tile_Exp2Op : Tile_UnaryOp<"exp2", Tile_Float, "2 to the x">;
def Tile_LogOp : Tile_UnaryOp<"log", Tile_Float, "the natural logarithm">;
def Tile_Log2Op : Tile_UnaryOp<"log2", Tile_Float, "the logarithm to base 2">;
def Tile_SinOp : Tile_UnaryOp<"sin", Tile_Float, "the sine">;
def Tile_CosOp : Tile_UnaryOp<"cos", Tile_Float, "the cosine">;
def Tile_TanhOp : Tile_UnaryOp<"tanh", Tile_Float, "the hyperbolic tangent">;
def Tile_LogisticOp : Tile_UnaryOp<"logistic", Tile_Float, "1 / (1 + exp(-x))">;
def Tile_ErfOp : Tile_UnaryOp<"erf", Tile_Float, "the error function">;
def Tile_SqrtOp : Tile_UnaryOp<"sqrt", Tile_Float, "the square root">;
def Tile_AsTf32Op : Tile_UnaryOp<"as_tf32", F32, "without the lower 13 bits of the fraction: what tensor cores read as tf32">;
def Tile_RsqrtOp : Tile_UnaryOp<"rsqrt", Tile_Float, "1 / sqrt(x)">;

def Tile_WhereOp : Tile_ElementwiseOp<"where", [AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "x where the condition holds, else y";
  let arguments = (ins Tile_BoolTile:$condition, Tile_Tile:$lhs, Tile_Tile:$rhs);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$condition `,` $lhs `,` $rhs attr-dict `:` type($condition) `,` type($result)";
}

def Tile_CastOp : Tile_ElementwiseOp<"cast"> {
  let summary = "converts elements";
  let description = [{
    Floats round to nearest even, and f16 and bf16 overflow to infinity; those of 8 bits become the largest finite
    number of its sign, infinities too. Floats to integers truncate and saturate, NaN
    gives 0. Integers wrap. To bool: not equal to zero.
  }];
  let arguments = (ins Tile_Tile:$operand);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
}

#endif // TEGULA_IR_TILEELEMENTWISE_TD
