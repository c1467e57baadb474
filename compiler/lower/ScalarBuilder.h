// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language's arithmetic on what a thread holds: scalars, and vectors of its neighbouring registers, alike.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tegula::lower {

using mlir::Type;
using mlir::Value;
using mlir::ValueRange;

/// The classes by which operations differ. The sign of an integer is its tile's; registers are signless.
enum class ElementClass { Bool, Signed, Unsigned, Float };
ElementClass classOf(Type element);

/// The type of one register: integers are signless, and what has no arithmetic of its own is a byte.
Type registerType(Type element);
/// `like` with other elements.
Type withElement(Type like, Type element);

/// The constants of a function, each once, at its start: they would be a third of all operations.
class Constants {
public:
  explicit Constants(mlir::Block *entry) : entry(entry) {}
  Value get(mlir::OpBuilder &builder, mlir::TypedAttr value);

private:
  mlir::Block *entry;
  llvm::DenseMap<mlir::Attribute, Value> known;
};

class ScalarBuilder {
public:
  ScalarBuilder(mlir::OpBuilder &builder, mlir::Location loc, Constants &constants, bool isApproximate = false)
      : builder(builder), loc(loc), isApproximate(isApproximate), constants(constants) {}

  template <class Op, class... Args> Value create(Args &&...args) {
    return builder.createOrFold<Op>(loc, std::forward<Args>(args)...);
  }

  // Constants of a type, which may be a vector's.
  Value integer(Type type, int64_t value);
  Value real(Type type, double value);
  Value zero(Type type) { return constants.get(builder, builder.getZeroAttr(type)); }

  Value compare(mlir::arith::CmpIPredicate predicate, Value a, Value b) {
    return create<mlir::arith::CmpIOp>(predicate, a, b);
  }
  Value compare(mlir::arith::CmpFPredicate predicate, Value a, Value b) {
    return create<mlir::arith::CmpFOp>(predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) { return create<mlir::arith::SelectOp>(condition, a, b); }

  // Total integer arithmetic: by zero gives 0, the least number by -1 wraps, shifts by the width or more shift it out.
  Value divide(Value a, Value b, bool isSigned);
  Value remainder(Value a, Value b, bool isSigned);
  /// Division that rounds towards minus infinity, or plus infinity.
  Value floorDivide(Value a, Value b);
  Value ceilDivide(Value a, Value b);
  Value shiftLeft(Value a, Value b);
  Value shiftRight(Value a, Value b, bool isSigned);

  /// Elements of one type as another, as tile.cast does.
  Value cast(Value value, Type from, Type to);
  /// The same bits, as tile.bitcast gives them.
  Value bitcast(Value value, Type to);
  /// f32 with random bits, as tile.stochastic_cast rounds it.
  Value stochasticCast(Value value, Value bits, Type to);
  /// f16 or bf16 to f32.
  Value halfToFloat(Value value);
  Value selectedBefore(Value converted);

  /// A vector of `lanes` copies; the scalar itself if that is 1.
  Value splat(Value scalar, int64_t lanes);
  /// What all lanes are copies of, as far as `splat` made them; null if it did not.
  static Value copied(Value vector);
  Value extract(Value vector, int64_t lane);
  /// A vector of these scalars; the scalar itself if it is the only one.
  Value gather(llvm::ArrayRef<Value> scalars);
  /// Neighbouring lanes of a vector, and vectors of one type end to end.
  Value slice(Value vector, int64_t first, int64_t lanes);
  Value concat(llvm::ArrayRef<Value> vectors);
  /// Applies a function of scalars to each lane; null if it gives null.
  Value forEachLane(ValueRange operands, llvm::function_ref<Value(ValueRange)> function);

  /// What tensor cores read of floats as tf32: the lower bits of their fractions count as zero.
  Value asTf32(Value floats);

  /// A call of an LLVM intrinsic without effects.
  Value intrinsic(llvm::StringRef name, Type result, ValueRange operands);
  /// Inline assembly without effects.
  Value assembly(llvm::StringRef text, llvm::StringRef constraints, Type result, ValueRange operands);
  /// A call of a function that is defined later.
  Value call(llvm::StringRef name, Type result, ValueRange operands);
  /// A call of a function of libdevice, on scalars of the type that it gives.
  Value libdevice(llvm::StringRef name, ValueRange operands) {
    return call(name, operands.front().getType(), operands);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// Elementwise operations are those of `approx_math`.
  bool isApproximate;

private:
  Constants &constants;

  Value float8ToHalf(Value value, Type from);
  Value floatToFloat8(Value value, Type to);
  Value fromPowerOfTwo(Value value);
  Value toPowerOfTwo(Value value);
  Value halfFromE2m1(Value value);
  Value toE2m1(Value value);
  Type unsignedByte() { return mlir::IntegerType::get(builder.getContext(), 8, mlir::IntegerType::Unsigned); }
  Value wrapped(Value bytes, bool isSigned);
  Value integer4ToFloat(Value value, bool isSigned);
  Value toInteger4(Value value, Type from, bool isSigned);
  /// From and to elements that have no arithmetic of their own.
  Value castStored(Value value, Type from, Type to);
  Value floatToInteger(Value value, Type to, unsigned width);
  Value bytesToFloat(Value value, bool isSigned, Type to);
  Value integerToFloat(Value value, Type from, Type to);
  Value toOddFloat(Value value, Type from);
};

/// The operation of this mnemonic on registers of `element`s (those of the operands, the condition of `where` apart).
/// Null if the table has none.
Value buildElementwise(ScalarBuilder &builder, llvm::StringRef mnemonic, ValueRange operands, Type element);

} // namespace tegula::lower
