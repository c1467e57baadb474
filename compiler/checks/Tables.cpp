// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of arrays (tg::arrays): a program takes one array of a list at a time.
//
//   o[i, all] = x[i, all] + 1      ->      %x: ref<f32, [?, ?], table>
//                                          %row = slice %x [element %i, whole] : ref<f32, [?]>
//
// In IR, a list is a ref with one more dimension, in memory space `table`; its base is a table of pointers. The slice
// that takes one array loads the pointer (KernelLowering::lowerTableSlice in lower/LowerMemory.cpp), and is a window
// like any other from there on. `align` holds for each array. Nothing but slices and dims is made of a table, which
// this pass checks. So what would take the array as a whole leaves tables out: TMA, rows of contiguous arrays, private
// updates, and radix sorts in place.
//
// On the host a list is an `abi::array_list`, whose table a kernel of the runtime fills (runtime/list.cpp). On the CPU
// it is a `cpu::table`.
#include "analysis/Symbols.h"
#include "checks/Passes.h"
#include "ir/Locations.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILECHECKTABLES
#include "checks/Passes.h.inc"

namespace {

bool isTable(Value value) {
  auto ref = dyn_cast<tile::RefType>(value.getType());
  return ref && ref.isTable();
}

/// What the user calls the list behind a ref.
std::string nameOf(tile::LaunchOp launch, Value ref) {
  return nameOfArray(launch.getArguments()[tile::arrayOf(ref).getArgNumber()]);
}

LogicalResult checkExplicit(tile::LaunchOp launch) {
  for (Value argument : launch.getArguments())
    if (auto array = dyn_cast<tile::ArrayType>(argument.getType()); array && array.getIsTable())
      return emitError(tile::withoutName(launch.getLoc()))
             << nameOfArray(argument) << " is a list of arrays, which TMA cannot copy and a tg::kernel cannot take: "
             << "use tg::pallas_call, or pass the kernel one array at a time";
  return success();
}

LogicalResult checkPortable(tile::LaunchOp launch) {
  bool isRefused = false;
  launch.getBody().walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (!isTable(operand) || isa<tile::SliceOp, tile::DimOp>(op))
        continue;
      isRefused = true;
      std::string name = nameOf(launch, operand);
      emitError(tile::withoutName(op->getLoc()))
          << name << " is a list of separately allocated arrays, and this takes several of them at once: take "
          << "one, " << name << "[i, tg::all] or " << name << ".at(i), or blocks of one, tg::in<tg::squeezed, ...>("
          << name << ", map)";
    }
  });
  return failure(isRefused);
}

struct TileCheckTables : impl::TileCheckTablesBase<TileCheckTables> {
  void runOnOperation() override {
    bool isRefused = false;
    getOperation().walk([&](tile::LaunchOp launch) {
      isRefused |= failed(launch.isExplicit() ? checkExplicit(launch) : checkPortable(launch));
    });
    if (isRefused)
      signalPassFailure();
  }
};

} // namespace
} // namespace tegula
