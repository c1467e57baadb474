// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What threads note of when they do what (tegula/trace.h): a lane of the first warp reads clocks and stores them, in
// tile.warp_map one of each warp.
#include "tegula/trace.h"
#include "ir/GridOps.h"
#include "ir/KernelAttributes.h"
#include "lower/KernelLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::lower {

static constexpr int64_t bytesOfWord = 8;

/// How many rows a thread has: its own, and those of its warps.
static int64_t rowsOfThread(tile::KernelOp kernel) {
  return kernel->getAttrOfType<IntegerAttr>(tile::isTraced).getInt();
}

/// The thread knows its number among all of the launch: those of a block are neighbours.
const KernelLowering::TraceRow &KernelLowering::traceRow(Value trace, bool isOfWarp) {
  TraceRow &known = isOfWarp ? traceRowOfWarpCache : traceRowCache;
  if (known.row)
    return known;
  Value cluster = specialRegister("ctaid"), rank = clusterRank(), tid = specialRegister("tid");
  Value warp = isOfWarp ? warpInGroup() : Value();
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
    number = b.create<arith::MulIOp>(number, i64(rowsOfThread(kernel)));
    if (isOfWarp)
      number =
          b.create<arith::AddIOp>(number, b.create<arith::ExtUIOp>(i64Type, b.create<arith::AddIOp>(warp, i32(1))));
    Value words = b.create<arith::MulIOp>(number, ref.strides.front());
    known.row = builder.create<LLVM::GEPOp>(here, ref.base.getType(), i64Type, ref.base, words);
    known.count = builder.create<LLVM::AllocaOp>(here, LLVM::LLVMPointerType::get(builder.getContext()),
                                                 builder.getI32Type(), i32(1));
    builder.create<LLVM::StoreOp>(here, i32(0), known.count);
  });
  return known;
}

LogicalResult KernelLowering::lowerTraceThread(tile::TraceThreadOp op) {
  here = locationOf(op);
  const auto [row, count] = traceRow(op.getTrace(), /*isOfWarp=*/false);
  auto at = [](int64_t word) { return "[$0 + " + std::to_string(word * bytesOfWord) + "]"; };
  std::string read = "{\n\t.reg .b64 time, clock, other;\n\t.reg .b32 number;\n\tmov.u64 time, %globaltimer;\n\t"
                     "mov.u64 clock, %clock64;\n\t";
  if (op.getEnd()) {
    auto countOf = [&](Value variable) { return builder.create<LLVM::LoadOp>(here, builder.getI32Type(), variable); };
    effect(read + "cvt.u64.u32 other, $2;\n\t@$1 st.global.v2.b64 " + at(trace::end_time) +
               ", {time, clock};\n\t@$1 st.global.b64 " + at(trace::count) + ", other;\n\t}",
           "l,b,r", {row, isLeader(), countOf(count)});
    if (rowsOfThread(kernel) > 1) {
      const TraceRow &ofWarp = traceRow(op.getTrace(), /*isOfWarp=*/true);
      effect("{\n\t.reg .b64 count;\n\tcvt.u64.u32 count, $2;\n\t@$1 st.global.b64 " + at(trace::count) +
                 ", count;\n\t}",
             "l,b,r", {ofWarp.row, isElected(), countOf(ofWarp.count)});
    }
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
  const auto [row, count] = traceRow(op.getTrace(), isInWarps);
  Value number = builder.create<LLVM::LoadOp>(here, builder.getI32Type(), count);
  builder.create<LLVM::StoreOp>(here, b.create<arith::AddIOp>(number, i32(1)), count);
  Value isThere = b.compare(arith::CmpIPredicate::ult, number, i32(static_cast<int64_t>(op.getEvents())));
  Value offset = b.create<arith::MulIOp>(number, i32(trace::words_of_event * bytesOfWord));
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
