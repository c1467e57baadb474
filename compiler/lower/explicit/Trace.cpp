// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads note of when they do what (tegula/trace.h): a lane of the first warp reads clocks and stores them.
#include "tegula/trace.h"
#include "ir/GridOps.h"
#include "lower/KernelLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::lower {

static constexpr int64_t bytesOfWord = 8;

/// The row of this thread, which knows its number among all of the launch: those of a block are neighbours.
Value KernelLowering::traceRow(Value trace) {
  if (traceRowCache)
    return traceRowCache;
  Value cluster = specialRegister("ctaid"), rank = clusterRank(), tid = specialRegister("tid");
  const LoweredRef &ref = refs.find(trace)->second;
  computeOnce([&] {
    ScalarBuilder b = scalars();
    Type i64Type = builder.getI64Type();
    Value block =
        b.create<arith::MulIOp>(b.create<arith::ExtUIOp>(i64Type, cluster), i64(kernel.getCluster().value_or(1)));
    block = b.create<arith::AddIOp>(block, b.create<arith::ExtUIOp>(i64Type, rank));
    Value thread = b.create<arith::ShRUIOp>(tid, i32(llvm::Log2_64(kernel.getGroup())));
    Value number = b.create<arith::MulIOp>(block, i64(static_cast<int64_t>(kernel.getThreads() / kernel.getGroup())));
    number = b.create<arith::AddIOp>(number, b.create<arith::ExtUIOp>(i64Type, thread));
    Value words = b.create<arith::MulIOp>(number, ref.strides.front());
    traceRowCache = builder.create<LLVM::GEPOp>(here, ref.base.getType(), i64Type, ref.base, words);
  });
  return traceRowCache;
}

LogicalResult KernelLowering::lowerTraceThread(tile::TraceThreadOp op) {
  here = locationOf(op);
  Value row = traceRow(op.getTrace());
  auto at = [](int64_t word) { return "[$0 + " + std::to_string(word * bytesOfWord) + "]"; };
  std::string read = "{\n\t.reg .b64 time, clock, other;\n\t.reg .b32 number;\n\tmov.u64 time, %globaltimer;\n\t"
                     "mov.u64 clock, %clock64;\n\t";
  if (op.getCount()) {
    effect(read + "cvt.u64.u32 other, $2;\n\t@$1 st.global.v2.b64 " + at(trace::end_time) +
               ", {time, clock};\n\t@$1 st.global.b64 " + at(trace::count) + ", other;\n\t}",
           "l,b,r", {row, isLeader(), values.lookup(op.getCount())});
    return success();
  }
  effect(read + "mov.u32 number, %smid;\n\tcvt.u64.u32 other, number;\n\t@$1 st.global.v2.b64 " +
             at(trace::begin_time) + ", {time, clock};\n\t@$1 st.global.b64 " + at(trace::multiprocessor) +
             ", other;\n\t}",
         "l,b", {row, isLeader()});
  return success();
}

LogicalResult KernelLowering::lowerTraceEvent(tile::TraceEventOp op) {
  ScalarBuilder b = scalars(op);
  Value number = values.lookup(op.getNumber());
  Value isThere = b.compare(arith::CmpIPredicate::ult, number, i32(static_cast<int64_t>(op.getEvents())));
  Value offset = b.create<arith::MulIOp>(number, i32(trace::words_of_event * bytesOfWord));
  Value row = traceRow(op.getTrace());
  Value place = builder.create<LLVM::GEPOp>(here, row.getType(), builder.getI8Type(), row, offset);
  int64_t what = 2 * static_cast<int64_t>(op.getScope()) + (op.getEnd() ? 1 : 0);
  effect("{\n\t.reg .b64 clock, what;\n\tmov.u64 clock, %clock64;\n\tmov.u64 what, " + Twine(what) +
             ";\n\t@$1 st.global.v2.b64 [$0 + " + Twine(trace::words * bytesOfWord) + "], {what, clock};\n\t}",
         "l,b", {place, b.create<arith::AndIOp>(isLeader(), isThere)});
  return success();
}

std::optional<LogicalResult> KernelLowering::lowerTraceOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](tile::TraceThreadOp thread) { return lowerTraceThread(thread); })
      .Case([&](tile::TraceEventOp event) { return lowerTraceEvent(event); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tegula::lower
