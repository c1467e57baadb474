// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Float8.h"

#include "support/Float8.h"
#include "support/Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using llvm::Value;

namespace tegula::codegen {

namespace {

/// How a type of 8 bits lies beside an f32 (include/tegula/types.h has the same in C++).
struct Format {
  llvm::StringLiteral name;
  /// Fraction bits of an f32 that it lacks.
  unsigned dropped;
  /// Bits of f32s: from where on everything is the largest number, the least normal one, and one whose unit in the last
  /// place is that of the subnormals.
  uint32_t saturated, normal, subnormalUnit;
  /// What the exponents' biases differ by, in place in an f32, and the bits of the largest number.
  uint32_t bias, largest;
};

constexpr Format formats[] = {
    {"e4m3", 20, 0x43e00000, 0x3c800000, 0x46800000, 0x3c000000, 0x7e},
    {"e5m2", 21, 0x47600000, 0x38800000, 0x43000000, 0x38000000, 0x7b},
};

/// One float, rounded to nearest even: 8 bits, in 32.
Value *roundOne(llvm::IRBuilder<> &b, const Format &format, Value *number) {
  Value *bits = b.CreateBitCast(number, b.getInt32Ty());
  Value *sign = b.CreateAnd(b.CreateLShr(bits, 24), 0x80);
  Value *magnitude = b.CreateAnd(bits, 0x7fffffff);
  // Below the least normal number the adder rounds.
  Value *unit = b.CreateBitCast(b.getInt32(format.subnormalUnit), b.getFloatTy());
  Value *sum = b.CreateFAdd(b.CreateBitCast(magnitude, b.getFloatTy()), unit);
  Value *subnormal = b.CreateSub(b.CreateBitCast(sum, b.getInt32Ty()), b.getInt32(format.subnormalUnit));
  Value *odd = b.CreateAnd(b.CreateLShr(magnitude, format.dropped), 1);
  Value *rounded = b.CreateAdd(b.CreateAdd(magnitude, odd), b.getInt32((1U << (format.dropped - 1)) - 1));
  Value *normal = b.CreateLShr(b.CreateSub(rounded, b.getInt32(format.bias)), format.dropped);
  Value *result = b.CreateSelect(b.CreateICmpULT(magnitude, b.getInt32(format.normal)), subnormal, normal);
  Value *isLarge = b.CreateICmpUGE(magnitude, b.getInt32(format.saturated));
  result = b.CreateSelect(isLarge, b.getInt32(format.largest), result);
  Value *isNan = b.CreateICmpUGT(magnitude, b.getInt32(0x7f800000));
  return b.CreateOr(b.CreateSelect(isNan, b.getInt32(0x7f), result), sign);
}

/// Both in the halves of a word. e5m2 is the upper half of an f16. e4m3 has a fraction of 3 bits in the place of an
/// f16's upper ones, and an exponent that is 8 less: 256 times that is exact, also of subnormals.
Value *widen(llvm::IRBuilder<> &b, const Format &format, Value *pair) {
  auto *halves = llvm::FixedVectorType::get(b.getHalfTy(), 2);
  auto both = [&](uint32_t value) { return b.getInt32(value << 16 | value); };
  Value *bytes = b.CreateZExt(pair, b.getInt32Ty());
  Value *spread = b.CreateOr(b.CreateAnd(bytes, 0xff), b.CreateShl(b.CreateAnd(bytes, 0xff00), 8));
  if (format.name == "e5m2")
    return b.CreateBitCast(b.CreateShl(spread, 8), halves);
  Value *magnitude = b.CreateAnd(spread, both(0x7f));
  Value *small = b.CreateBitCast(b.CreateShl(magnitude, 7), halves);
  Value *number = b.CreateBitCast(b.CreateFMul(small, llvm::ConstantFP::get(halves, 256.0)), b.getInt32Ty());
  Value *isNan = b.CreateLShr(b.CreateAnd(b.CreateAdd(magnitude, both(1)), both(0x80)), 7);
  number = b.CreateOr(number, b.CreateMul(isNan, b.getInt32(0x7e00)));
  Value *sign = b.CreateShl(b.CreateAnd(spread, both(0x80)), 8);
  return b.CreateBitCast(b.CreateOr(number, sign), halves);
}

Value *assembly(llvm::IRBuilder<> &b, const llvm::Twine &text, llvm::StringRef constraints, llvm::Type *result,
                llvm::ArrayRef<Value *> operands) {
  auto types = llvm::map_to_vector(operands, [](Value *operand) { return operand->getType(); });
  auto *type = llvm::FunctionType::get(result, types, /*isVarArg=*/false);
  llvm::CallInst *call =
      b.CreateCall(llvm::InlineAsm::get(type, text.str(), constraints, /*hasSideEffects=*/false), operands);
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  return call;
}

/// PTX ISA, cvt: of the two operands of a pair, the first is the upper one.
Value *byInstruction(llvm::IRBuilder<> &b, const Format &format, llvm::Function &function, bool isToHalf) {
  if (!isToHalf)
    return assembly(b, "cvt.rn.satfinite." + format.name + "x2.f32 $0, $1, $2;", "=h,f,f", b.getInt16Ty(),
                    {function.getArg(1), function.getArg(0)});
  Value *halves =
      assembly(b, "cvt.rn.f16x2." + format.name + "x2 $0, $1;", "=r,h", b.getInt32Ty(), {function.getArg(0)});
  return b.CreateBitCast(halves, function.getReturnType());
}

Value *byArithmetic(llvm::IRBuilder<> &b, const Format &format, llvm::Function &function, bool isToHalf) {
  if (isToHalf)
    return widen(b, format, function.getArg(0));
  Value *lower = roundOne(b, format, function.getArg(0)), *upper = roundOne(b, format, function.getArg(1));
  return b.CreateTrunc(b.CreateOr(b.CreateShl(upper, 8), lower), b.getInt16Ty());
}

} // namespace

Value *widenFloat8(llvm::IRBuilder<> &builder, llvm::StringRef type, Value *pair) {
  return widen(builder, *llvm::find_if(formats, [&](const Format &format) { return format.name == type; }), pair);
}

void defineFloat8Casts(llvm::Module &module, const Target &target) {
  for (const Format &format : formats)
    for (bool isToHalf : {true, false}) {
      llvm::StringRef prefix = isToHalf ? float8ToHalfPrefix : floatToFloat8Prefix;
      llvm::Function *function = module.getFunction((prefix + format.name).str());
      if (!function)
        continue;
      llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", function));
      builder.CreateRet(target.hasFloat8Casts ? byInstruction(builder, format, *function, isToHalf)
                                              : byArithmetic(builder, format, *function, isToHalf));
      function->setLinkage(llvm::GlobalValue::InternalLinkage);
      function->addFnAttr(llvm::Attribute::AlwaysInline);
    }
}

} // namespace tegula::codegen
