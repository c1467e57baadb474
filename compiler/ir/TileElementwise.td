// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementwise family. An op's mnemonic is also the name of its scalar meaning in include/tegula/cpu, and of the
// intrinsic in the language where that is a function. Adding one: a record here, with its weight
// (ElementwiseOpInterface), a scalar function there, a row in one of compiler/lower's tables.

#ifndef TEGULA_IR_TILEELEMENTWISE_TD
#define TEGULA_IR_TILEELEMENTWISE_TD

/// All operands and results have one shape; element i of the result depends on element i of the operands alone.
class Tile_ElementwiseOp<string name, int weight, list<Trait> traits = []> :
    Tile_Op<name, [Pure, Tile_ElementwiseOpInterface, Tile_Indexed, SameOperandsAndResultShape] # traits> {
  let extraClassDeclaration = "static int64_t getWeight() { return " # !cast<string>(weight) # "; }";
}

class Tile_UnaryOp<string name, int weight, Type element, string what> :
    Tile_ElementwiseOp<name, weight, [SameOperandsAndResultType]> {
  let summary = what;
  let arguments = (ins Tile_TileOf<element>:$operand);
  let results = (outs Tile_TileOf<element>:$result);
  let assemblyFormat = "$operand attr-dict `:` type($result)";
}

class Tile_BinaryOp<string name, int weight, Type element, string what, list<Trait> traits = []> :
    Tile_ElementwiseOp<name, weight, [SameOperandsAndResultType] # traits> {
  let summary = what;
  let arguments = (ins Tile_TileOf<element>:$lhs, Tile_TileOf<element>:$rhs);
  let results = (outs Tile_TileOf<element>:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($result)";
}

class Tile_TernaryOp<string name, int weight, Type element, string what> :
    Tile_ElementwiseOp<name, weight, [SameOperandsAndResultType]> {
  let summary = what;
  let arguments = (ins Tile_TileOf<element>:$a, Tile_TileOf<element>:$b, Tile_TileOf<element>:$c);
  let results = (outs Tile_TileOf<element>:$result);
  let assemblyFormat = "$a `,` $b `,` $c attr-dict `:` type($result)";
}

class Tile_CompareOp<string name, Type element, string what, list<Trait> traits = []> :
    Tile_ElementwiseOp<name, 1, [SameTypeOperands] # traits> {
  let summary = what;
  let arguments = (ins Tile_TileOf<element>:$lhs, Tile_TileOf<element>:$rhs);
  let results = (outs Tile_BoolTile:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)";
}

/// From elements of one type to those of another.
class Tile_ConversionOp<string name, int weight, string what> : Tile_ElementwiseOp<name, weight> {
  let summary = what;
  let arguments = (ins Tile_Tile:$operand);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let hasFolder = 1;
}

// Arithmetic is C++'s: integers wrap, division truncates. f16 and bf16 compute in f32 and round once per op.
def Tile_AddOp : Tile_BinaryOp<"add", 1, Tile_Number, "x + y", [Commutative]>;
def Tile_SubOp : Tile_BinaryOp<"sub", 1, Tile_Number, "x - y">;
def Tile_MulOp : Tile_BinaryOp<"mul", 1, Tile_Number, "x * y", [Commutative]>;
def Tile_DivOp : Tile_BinaryOp<"div", 16, Tile_Number, "x / y; integers truncate, and a division by zero gives 0">;
def Tile_RemOp : Tile_BinaryOp<"rem", 16, Tile_Int, "x % y, with the sign of x; by zero gives 0">;
def Tile_FloorDivideOp : Tile_BinaryOp<"floor_divide", 24, Tile_Number, "x / y, rounded towards minus infinity; of integers by zero 0">;
def Tile_FloorModOp : Tile_BinaryOp<"floor_mod", 24, Tile_Number, "x - y floor(x / y), with the sign of y; of integers by zero 0">;
def Tile_FmodOp : Tile_BinaryOp<"fmod", 24, Tile_Float, "x - y trunc(x / y), exact, with the sign of x">;
def Tile_FmaOp : Tile_TernaryOp<"fma", 1, Tile_Float, "a * b + c, rounded once">;
def Tile_MaximumOp : Tile_BinaryOp<"maximum", 1, Tile_Number, "the larger; NaN if either is, and -0 < +0", [Commutative]>;
def Tile_MinimumOp : Tile_BinaryOp<"minimum", 1, Tile_Number, "the smaller; NaN if either is, and -0 < +0", [Commutative]>;
def Tile_FmaxOp : Tile_BinaryOp<"fmax", 1, Tile_Float, "the larger; the other one if one is NaN, and -0 < +0", [Commutative]>;
def Tile_FminOp : Tile_BinaryOp<"fmin", 1, Tile_Float, "the smaller; the other one if one is NaN, and -0 < +0", [Commutative]>;
def Tile_NegOp : Tile_UnaryOp<"neg", 1, Tile_Number, "-x">;
def Tile_AbsOp : Tile_UnaryOp<"abs", 1, Tile_Number, "|x|; the least signed integer is its own">;
def Tile_SquareOp : Tile_UnaryOp<"square", 1, Tile_Number, "x * x">;
def Tile_CopysignOp : Tile_BinaryOp<"copysign", 2, Tile_Float, "|x| with the sign of y">;

// Bits and logic.
def Tile_BitAndOp : Tile_BinaryOp<"bit_and", 1, Tile_Integral, "x & y", [Commutative]>;
def Tile_BitOrOp : Tile_BinaryOp<"bit_or", 1, Tile_Integral, "x | y", [Commutative]>;
def Tile_BitXorOp : Tile_BinaryOp<"bit_xor", 1, Tile_Integral, "x ^ y", [Commutative]>;
def Tile_BitNotOp : Tile_UnaryOp<"bit_not", 1, Tile_Int, "~x">;
def Tile_ShiftLeftOp : Tile_BinaryOp<"shift_left", 1, Tile_Int, "x << y; by the width or more gives 0">;
def Tile_ShiftRightOp : Tile_BinaryOp<"shift_right", 1, Tile_Int, "x >> y; copies the sign; by the width or more gives 0 or the sign">;
def Tile_LogicalAndOp : Tile_BinaryOp<"logical_and", 1, Tile_Bool, "x && y", [Commutative]>;
def Tile_LogicalOrOp : Tile_BinaryOp<"logical_or", 1, Tile_Bool, "x || y", [Commutative]>;
def Tile_LogicalNotOp : Tile_UnaryOp<"logical_not", 1, Tile_Bool, "!x">;
def Tile_ClzOp : Tile_UnaryOp<"clz", 1, Tile_Int, "how many bits are 0 above the highest 1; of 0 the width">;
def Tile_CtzOp : Tile_UnaryOp<"ctz", 3, Tile_Int, "how many bits are 0 below the lowest 1; of 0 the width">;
def Tile_PopcountOp : Tile_UnaryOp<"popcount", 1, Tile_Int, "how many bits are 1">;
def Tile_BitReverseOp : Tile_UnaryOp<"bit_reverse", 1, Tile_Int, "the bits in reverse order">;
def Tile_MulHiOp : Tile_BinaryOp<"mul_hi", 1, Tile_Int, "the upper half of the product of twice the width", [Commutative]>;
def Tile_AddSatOp : Tile_BinaryOp<"add_sat", 3, Tile_Int, "x + y, or the nearest that the type holds", [Commutative]>;
def Tile_SubSatOp : Tile_BinaryOp<"sub_sat", 3, Tile_Int, "x - y, or the nearest that the type holds">;

def Tile_EqOp : Tile_CompareOp<"eq", Tile_Computed, "x == y", [Commutative]>;
def Tile_NeOp : Tile_CompareOp<"ne", Tile_Computed, "x != y", [Commutative]>;
def Tile_LtOp : Tile_CompareOp<"lt", Tile_Computed, "x < y">;
def Tile_LeOp : Tile_CompareOp<"le", Tile_Computed, "x <= y">;
def Tile_GtOp : Tile_CompareOp<"gt", Tile_Computed, "x > y">;
def Tile_GeOp : Tile_CompareOp<"ge", Tile_Computed, "x >= y">;

// To an integer, which is a float.
def Tile_FloorOp : Tile_UnaryOp<"floor", 1, Tile_Float, "the greatest integer that is not greater">;
def Tile_CeilOp : Tile_UnaryOp<"ceil", 1, Tile_Float, "the least integer that is not less">;
def Tile_TruncOp : Tile_UnaryOp<"trunc", 1, Tile_Float, "the nearest integer towards zero">;
def Tile_RoundOp : Tile_UnaryOp<"round", 6, Tile_Float, "the nearest integer; of two, that away from zero">;
def Tile_RintOp : Tile_UnaryOp<"rint", 1, Tile_Float, "the nearest integer; of two, the even one">;

// Functions.
def Tile_ExpOp : Tile_UnaryOp<"exp", 16, Tile_Float, "e to the x">;
def Tile_Exp2Op : Tile_UnaryOp<"exp2", 16, Tile_Float, "2 to the x">;
def Tile_Expm1Op : Tile_UnaryOp<"expm1", 24, Tile_Float, "exp(x) - 1">;
def Tile_LogOp : Tile_UnaryOp<"log", 16, Tile_Float, "the natural logarithm">;
def Tile_Log2Op : Tile_UnaryOp<"log2", 16, Tile_Float, "the logarithm to base 2">;
def Tile_Log1pOp : Tile_UnaryOp<"log1p", 24, Tile_Float, "log(1 + x)">;
def Tile_PowOp : Tile_BinaryOp<"pow", 96, Tile_Float, "x to the y">;
def Tile_SinOp : Tile_UnaryOp<"sin", 16, Tile_Float, "the sine">;
def Tile_CosOp : Tile_UnaryOp<"cos", 16, Tile_Float, "the cosine">;
def Tile_TanOp : Tile_UnaryOp<"tan", 24, Tile_Float, "the tangent">;
def Tile_AsinOp : Tile_UnaryOp<"asin", 24, Tile_Float, "the angle of a sine">;
def Tile_AcosOp : Tile_UnaryOp<"acos", 24, Tile_Float, "the angle of a cosine">;
def Tile_AtanOp : Tile_UnaryOp<"atan", 24, Tile_Float, "the angle of a tangent">;
def Tile_Atan2Op : Tile_BinaryOp<"atan2", 32, Tile_Float, "the angle of the point (y, x), of which x is on the left here">;
def Tile_SinhOp : Tile_UnaryOp<"sinh", 32, Tile_Float, "the hyperbolic sine">;
def Tile_CoshOp : Tile_UnaryOp<"cosh", 24, Tile_Float, "the hyperbolic cosine">;
def Tile_TanhOp : Tile_UnaryOp<"tanh", 16, Tile_Float, "the hyperbolic tangent">;
def Tile_LogisticOp : Tile_UnaryOp<"logistic", 16, Tile_Float, "1 / (1 + exp(-x))">;
def Tile_SiluOp : Tile_UnaryOp<"silu", 16, Tile_Float, "x times its sigmoid">;
def Tile_GeluOp : Tile_UnaryOp<"gelu", 20, Tile_Float, "x times the probability that a normal variable is less">;
def Tile_GeluTanhOp : Tile_UnaryOp<"gelu_tanh", 18, Tile_Float, "the gelu of tanh: x times the sigmoid of 2 sqrt(2 / pi) (x + 0.044715 x^3)">;
def Tile_ErfOp : Tile_UnaryOp<"erf", 16, Tile_Float, "the error function">;
def Tile_ErfcOp : Tile_UnaryOp<"erfc", 32, Tile_Float, "1 less the error function">;
def Tile_ErfinvOp : Tile_UnaryOp<"erfinv", 40, Tile_Float, "the inverse of the error function">;
def Tile_SqrtOp : Tile_UnaryOp<"sqrt", 16, Tile_Float, "the square root">;
def Tile_RsqrtOp : Tile_UnaryOp<"rsqrt", 1, Tile_Float, "1 / sqrt(x)">;
def Tile_CbrtOp : Tile_UnaryOp<"cbrt", 24, Tile_Float, "the cube root">;
def Tile_HypotOp : Tile_BinaryOp<"hypot", 24, Tile_Float, "sqrt(x x + y y), without overflow on the way", [Commutative]>;
def Tile_AsTf32Op : Tile_UnaryOp<"as_tf32", 1, F32, "without the lower 13 bits of the fraction: what tensor cores read as tf32">;

def Tile_WhereOp : Tile_ElementwiseOp<"where", 1, [AllTypesMatch<["lhs", "rhs", "result"]>]> {
  let summary = "x where the condition holds, else y";
  let arguments = (ins Tile_BoolTile:$condition, Tile_Tile:$lhs, Tile_Tile:$rhs);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$condition `,` $lhs `,` $rhs attr-dict `:` type($condition) `,` type($result)";
}

def Tile_CastOp : Tile_ConversionOp<"cast", 1, "converts elements"> {
  let description = [{
    Floats round to nearest even, and f16 and bf16 overflow to infinity; those of 8 bits become the largest finite
    number of its sign, infinities too. Floats to integers truncate and saturate, NaN
    gives 0. Integers wrap. To bool: not equal to zero.
  }];
}

def Tile_BitcastOp : Tile_ConversionOp<"bitcast", 0, "the same bits as elements of another type of that width"> {
  let hasVerifier = 1;
}

def Tile_StochasticCastOp : Tile_ElementwiseOp<"stochastic_cast", 8> {
  let summary = "rounds f32 up or down, as random bits decide";
  let description = [{
    The result is one of the two numbers of the type between which the operand lies; it is the one away from zero if the
    fraction of their distance by which the operand exceeds the other one, as an integer of as many bits as are cut off,
    and that many lower bits of the random number have a carry when they are added. With bits of equal probability the
    result is the operand in the mean. What the type holds, infinities and NaN are converted as by `tile.cast`; numbers of
    8 bits saturate, others overflow to infinity.
  }];
  let arguments = (ins Tile_TileOf<F32>:$operand, Tile_TileOf<UI32>:$bits);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$operand `,` $bits attr-dict `:` type($operand) `,` type($bits) `->` type($result)";
  let hasVerifier = 1;
}

#endif // TEGULA_IR_TILEELEMENTWISE_TD
