// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prefetches to L2 of what later CTAs load (PTX ISA, prefetch): memory is busy also while those that run wait or
// compute.
#include "ir/KernelAttributes.h"
#include "lower/KernelLowering.h"
#include "lower/TileAccess.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula::lower {

static constexpr int64_t lineBytes = 128;

/// The elements of a window, if it has all of them wherever it is, and begins in an array that there is one of: what is
/// behind an array of a table may be anything.
static std::optional<int64_t> elementsOf(tile::LoadOp op, const LoweredRef &ref) {
  tile::RefType type = op.getRef().getType();
  int64_t elements = 1;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    elements *= type.isExact(dim) ? type.getBound(dim) : 0;
  bool isThere = elements > 0 && type.getRank() > 0 && !cast<tile::RefType>(ref.root.getType()).isTable();
  return isThere ? std::optional(elements) : std::nullopt;
}

/// Behind the last element of an array, nothing is asked for.
Value KernelLowering::lastOf(ScalarBuilder &b, const LoweredRef &root, Type element) {
  Value last = root.base;
  for (auto [dim, stride] : llvm::zip(root.dims, root.strides))
    last = elementAt(b, last, b.create<arith::MulIOp>(b.create<arith::SubIOp>(dim, i64(1)), stride), element);
  return last;
}

void KernelLowering::prefetchLine(Value address, Value last, Value condition) {
  effect("{ .reg .pred %there; setp.le.and.u64 %there, $0, $1, $2; @%there prefetch.global.L2 [$0]; }", "l,l,b",
         {address, last, condition});
}

/// Whether thread groups of a kernel wait for others (LookBack.cpp).
static bool sharesScan(tile::KernelOp kernel) {
  return kernel
      .walk([](tile::ScanOp scan) { return scan.getState() ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// The part of a later thread group. The distance keeps memory busy and fits in L2 (test/benchmark/RESULTS.md).
void KernelLowering::prefetchLaterPart(tile::LoadOp op, const LoweredRef &ref, int64_t elements) {
  constexpr int64_t partsAhead = 192;
  Type element = op.getRef().getType().getElementType();
  int64_t bytes = elements * tile::bytesOf(element);
  if (bytes < lineBytes || op.getRef().getType().getAlignment() < 16)
    return;
  ScalarBuilder b = scalars(op);
  Value last = lastOf(b, refs.find(ref.root)->second, element);
  Value thread = b.create<arith::ExtUIOp>(builder.getI64Type(), threadInGroup());
  Value ofThread = b.create<arith::MulIOp>(thread, i64(lineBytes));
  Value isInPart = b.compare(arith::CmpIPredicate::slt, ofThread, i64(bytes));
  for (int64_t at = 0; at < bytes; at += lineBytes * static_cast<int64_t>(kernel.getGroup())) {
    Value offset = b.create<arith::AddIOp>(ofThread, i64(partsAhead * bytes + at));
    Value address =
        b.create<LLVM::GEPOp>(ref.base.getType(), builder.getI8Type(), ref.base, ArrayRef<LLVM::GEPArg>{offset});
    prefetchLine(address, last, isInPart);
  }
}

/// The window so far ahead along the rows of the array as those CTAs reach that run at a time: at least as many bytes,
/// and less than twice as many. The rows are a power of two, which takes no division.
void KernelLowering::prefetchLaterWindow(tile::LoadOp op, const LoweredRef &ref, int64_t elements) {
  constexpr int64_t bytesAhead = 4 << 20;
  tile::RefType type = op.getRef().getType();
  Type element = type.getElementType(), i64Type = builder.getI64Type();
  int64_t rank = type.getRank(), bytes = tile::bytesOf(element), perLine = lineBytes / bytes;
  bool areRows = rank > 1 && type.getBound(rank - 1) % perLine == 0 && matchPattern(ref.strides.back(), m_One());
  if (!areRows || !prefetched.insert(ref.root).second)
    return;
  ScalarBuilder b = scalars(op);
  Value row = ref.strides[rank - 2];
  Value zeros = b.create<LLVM::CountLeadingZerosOp>(i64Type, b.create<arith::OrIOp>(row, i64(1)), false);
  Value log = b.create<arith::SubIOp>(i64(63), zeros);
  Value ahead = b.create<arith::MulIOp>(b.create<arith::ShRUIOp>(i64(bytesAhead / bytes), log), row);
  Value last = lastOf(b, refs.find(ref.root)->second, element);
  int64_t group = static_cast<int64_t>(kernel.getGroup()), lines = elements / perLine;
  for (int64_t at = 0; at < lines; at += group) {
    Value line = b.create<arith::AddIOp>(threadInGroup(), i32(at));
    Value isThere = b.compare(arith::CmpIPredicate::ult, line, i32(lines)), place = ahead;
    for (int64_t dim = rank - 1; dim >= 0; --dim) {
      int64_t count = type.getBound(dim) / (dim + 1 == rank ? perLine : 1);
      Value index = b.create<arith::ExtUIOp>(i64Type, b.create<arith::RemUIOp>(line, i32(count)));
      Value stride = dim + 1 == rank ? i64(perLine) : ref.strides[dim];
      place = b.create<arith::AddIOp>(place, b.create<arith::MulIOp>(index, stride));
      line = b.create<arith::DivUIOp>(line, i32(count));
    }
    prefetchLine(elementAt(b, ref.base, place, element), last, isThere);
  }
}

void KernelLowering::prefetchLater(tile::LoadOp op, const LoweredRef &ref) {
  std::optional<int64_t> elements = elementsOf(op, ref);
  if (!elements)
    return;
  if (sharesScan(kernel))
    prefetchLaterPart(op, ref, *elements);
  else if (kernel->hasAttr(tile::prefetchesWindows))
    prefetchLaterWindow(op, ref, *elements);
}

} // namespace tegula::lower
