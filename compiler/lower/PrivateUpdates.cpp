// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private copies of an array that is updated, in shared memory. An element's copies are neighbours, a power of two of
// them; a thread updates the one of its lane. With as many copies as a warp has lanes, each lane has a bank of shared
// memory for itself, whichever elements it updates:
//
//   bank       0      1           31     0      1
//   element    0      0    ...    0      1      1    ...
//   copy       0      1           31     0      1
#include "lower/AtomicInstructions.h"
#include "lower/TileAccess.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula::lower {

/// What an update by it leaves as it is. (Of floats, -0: adding it keeps the sign of a zero.)
static TypedAttr identityOf(Builder &builder, tile::Atomic kind, Type element) {
  Type type = registerType(element);
  if (auto real = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, APFloat::getZero(real.getFloatSemantics(), /*Negative=*/true));
  if (kind == tile::Atomic::Max || kind == tile::Atomic::Min)
    return tile::identityOf(kind == tile::Atomic::Max ? tile::Reduction::Max : tile::Reduction::Min, element);
  return builder.getIntegerAttr(type, kind == tile::Atomic::And ? -1 : 0);
}

static StringRef mnemonicOf(tile::Atomic kind) {
  switch (kind) {
  case tile::Atomic::Add:
    return "add";
  case tile::Atomic::Max:
    return "maximum";
  case tile::Atomic::Min:
    return "minimum";
  case tile::Atomic::And:
    return "bit_and";
  case tile::Atomic::Or:
    return "bit_or";
  case tile::Atomic::Xor:
    return "bit_xor";
  case tile::Atomic::Exch:
  case tile::Atomic::Cas:
    break;
  }
  llvm_unreachable("a private copy combines updates");
}

/// An update of which nobody asks what was there, in the memory that `where` names.
void KernelLowering::reduceInto(Value address, Value value, Value isWanted, tile::Atomic kind, Type element,
                                StringRef where) {
  std::string operation = operationOf(kind, element);
  AtomicWord word = wordOf(builder, operation, value.getType());
  SmallVector<Value> operands{address, scalars().create<LLVM::BitcastOp>(word.type, value)};
  std::string inputs = (isa<IntegerType>(address.getType()) ? "r," : "l,") + std::string(word.constraint);
  if (isWanted) {
    operands.push_back(isWanted);
    inputs += ",b";
  }
  effect(Twine(isWanted ? "@$2 " : "") + "red.relaxed." + where + "." + operation + " [$0], $1;", inputs, operands);
}

/// The threads of the CTA share the numbers below `count`, an i32.
void KernelLowering::forEachOfBlock(Value count, function_ref<void(Value)> body) {
  auto loop = builder.create<scf::ForOp>(here, specialRegister("tid"), count, i32(kernel.getThreads()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loop.getBody()->getTerminator());
  body(loop.getInductionVar());
}

/// A pointer to shared memory by its address.
static Value inShared(OpBuilder &builder, Location loc, Value address) {
  return builder.create<LLVM::IntToPtrOp>(loc, LLVM::LLVMPointerType::get(builder.getContext(), 3), address);
}

LogicalResult KernelLowering::lowerPrivateOpen(tile::PrivateOpenOp op) {
  ScalarBuilder b = scalars(op);
  const LoweredRef &ref = refs.find(op.getRef())->second;
  Type element = op.getRef().getType().getElementType();
  int64_t bytes = tile::bytesOf(element), room = static_cast<int64_t>(op.getBytes()) / bytes;
  PrivateCopies copies;
  Value elements = i64(1);
  for (Value dim : ref.dims)
    elements = b.create<arith::MulIOp>(elements, dim);
  copies.elements = b.create<arith::TruncIOp>(builder.getI32Type(), elements);
  Value most = b.create<arith::DivUIOp>(i32(room), b.create<arith::MaxUIOp>(copies.elements, i32(1)));
  most = b.create<arith::MinUIOp>(most, i32(lanesOfWarp));
  Value zeros = builder.create<LLVM::CountLeadingZerosOp>(here, builder.getI32Type(), most, /*is_zero_poison=*/false);
  copies.log2Copies = b.create<arith::SubIOp>(i32(31), zeros);
  Value start = sharedMemory("_private" + Twine(privateCopies.size()), static_cast<int64_t>(op.getBytes()),
                             /*alignment=*/128);
  copies.begin = builder.create<LLVM::PtrToIntOp>(here, builder.getI32Type(), start);
  Value count = b.create<arith::ShLIOp>(i32(1), copies.log2Copies);
  Value copy = b.create<arith::AndIOp>(specialRegister("tid"), b.create<arith::SubIOp>(count, i32(1)));
  copies.bytes = b.create<arith::MulIOp>(count, i32(bytes));
  copies.own = b.create<arith::AddIOp>(copies.begin, b.create<arith::MulIOp>(copy, i32(bytes)));

  Value identity = builder.create<LLVM::ConstantOp>(here, identityOf(builder, op.getKind(), element));
  forEachOfBlock(b.create<arith::ShLIOp>(copies.elements, copies.log2Copies), [&](Value number) {
    builder.create<LLVM::StoreOp>(here, identity, atByte(start, b.create<arith::MulIOp>(number, i32(bytes))),
                                  static_cast<unsigned>(bytes));
  });
  blockBarrier();
  privateCopies[op.getRef()] = copies;
  return success();
}

void KernelLowering::updatePrivately(tile::AtomicOp op, ArrayRef<ElementPlace> places, const TileRegisters &registers) {
  ScalarBuilder b = scalars(op);
  const LoweredRef &ref = refs.find(op.getRef())->second;
  const PrivateCopies &copies = privateCopies.find(ref.root)->second;
  Value array = b.create<LLVM::PtrToIntOp>(builder.getI64Type(), refs.find(ref.root)->second.base);
  const Registers &values = tiles.find(op.getValue())->second;
  int64_t log2Bytes = llvm::Log2_64(tile::bytesOf(op.getType().getElementType()));
  for (auto [i, place] : llvm::enumerate(places)) {
    Value at = b.create<LLVM::PtrToIntOp>(builder.getI64Type(), place.pointer);
    Value number =
        b.create<arith::ShRSIOp>(b.create<arith::SubIOp>(at, array), i64(log2Bytes)); // LLVM finds the index.
    number = b.create<arith::TruncIOp>(builder.getI32Type(), number);
    Value address = b.create<arith::AddIOp>(copies.own, b.create<arith::MulIOp>(number, copies.bytes));
    reduceInto(address, b.extract(values[i / registers.lanes], i % registers.lanes), place.isWanted, op.getKind(),
               op.getType().getElementType(), "cta.shared");
  }
}

LogicalResult KernelLowering::lowerPrivateFlush(tile::PrivateFlushOp op) {
  ScalarBuilder b = scalars(op);
  const LoweredRef &ref = refs.find(op.getRef())->second;
  const PrivateCopies &copies = privateCopies.find(op.getRef())->second;
  Type element = op.getRef().getType().getElementType(), type = registerType(element);
  Type bitsType = builder.getIntegerType(type.getIntOrFloatBitWidth());
  int64_t bytes = tile::bytesOf(element);
  Value identity = builder.create<LLVM::ConstantOp>(here, identityOf(builder, op.getKind(), element));
  Value count = b.create<arith::ShLIOp>(i32(1), copies.log2Copies), last = b.create<arith::SubIOp>(count, i32(1));
  blockBarrier();
  forEachOfBlock(copies.elements, [&](Value number) {
    Value first = b.create<arith::ShLIOp>(number, copies.log2Copies);
    auto loop = builder.create<scf::ForOp>(here, i32(0), count, i32(1), identity);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      // Each lane begins with another copy: those of one number, of all lanes, are in one bank.
      Value copy = b.create<arith::AddIOp>(loop.getInductionVar(), specialRegister("tid"));
      copy = b.create<arith::OrIOp>(first, b.create<arith::AndIOp>(copy, last));
      Value address = b.create<arith::AddIOp>(copies.begin, b.create<arith::MulIOp>(copy, i32(bytes)));
      Value each =
          builder.create<LLVM::LoadOp>(here, type, inShared(builder, here, address), static_cast<unsigned>(bytes));
      Value combined = buildElementwise(b, mnemonicOf(op.getKind()), {loop.getRegionIterArg(0), each}, element);
      builder.create<scf::YieldOp>(here, combined);
    }
    Value all = loop.getResult(0);
    Value isChanged = b.compare(arith::CmpIPredicate::ne, b.create<LLVM::BitcastOp>(bitsType, all),
                                b.create<LLVM::BitcastOp>(bitsType, identity));
    Value offset = b.create<arith::MulIOp>(b.create<arith::ExtUIOp>(builder.getI64Type(), number), i64(bytes));
    reduceInto(atByte(ref.base, offset), all, isChanged, op.getKind(), element, "gpu.global");
  });
  return success();
}

} // namespace tegula::lower
