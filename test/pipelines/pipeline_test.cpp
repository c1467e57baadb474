// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines over IR values alone, as a pass builds them. What the loops compute, test/frontend/explicit and the kernels
// of test/kernels show.
#include "pipelines/PipelineBuilder.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tegula;

namespace {

constexpr const char *emptyKernel = R"(
  tile.entry @e(%x: !tile.array<bf16, 2>, %o: !tile.array<bf16, 2>, %n: i64) attributes {qualified_name = "e"} {
    tile.launch "e_0" grid(%n) args(in %a = %x : !tile.array<bf16, 2>, out %b = %o : !tile.array<bf16, 2>)
        attributes {warpgroups = 2 : i64} {
      %p = tile.num_programs 0
      tile.yield
    }
    tile.return
  })";

class Pipelines : public testing::Test {
protected:
  Pipelines() : builder(&context) {
    context.loadDialect<tile::TileDialect, arith::ArithDialect, scf::SCFDialect>();
    module = parseSourceString<ModuleOp>(emptyKernel, &context);
    module->walk([&](tile::LaunchOp op) { launch = op; });
    builder.setInsertionPoint(launch.getBody().front().getTerminator());
  }

  /// A ring of depth 3, for one bf16 block in, or one in and one out.
  Ring ringOf(bool hasOutput, int64_t releases) {
    Ring ring;
    ring.depth = 3;
    ring.operands.push_back({tile::Access::In, builder.getBF16Type(), {16, 20}, 0, {}});
    if (hasOutput)
      ring.operands.push_back({tile::Access::Out, builder.getBF16Type(), {16, 20}, 0, {}});
    Location loc = builder.getUnknownLoc();
    auto allocate = [&](unsigned operand, ArrayRef<int64_t> dims) -> Value {
      auto type = tile::RefType::inShared(ring.operands[operand].element, dims);
      return builder.create<tile::AllocOp>(loc, type, IntegerAttr());
    };
    auto barriers = [&](int64_t count, int64_t arrivals, ArrayRef<int64_t>, StringRef) -> Value {
      return builder.create<tile::AllocBarriersOp>(loc, tile::BarriersType::get(&context, count), arrivals,
                                                   DenseI64ArrayAttr(), IntegerAttr());
    };
    auto variable = [&](Type type, int64_t value) -> Value {
      Value made = builder.create<tile::VariableOp>(loc, tile::VariableType::get(&context, type));
      Value start = builder.create<arith::ConstantOp>(loc, builder.getIntegerAttr(type, value));
      builder.create<tile::SetOp>(loc, start, made);
      return made;
    };
    EXPECT_TRUE(succeeded(makeRing(ring, {allocate, barriers, variable}, builder, releases, {})));
    return ring;
  }

  void build(const Ring &ring, void (PipelineBuilder::*build)(), bool movesOutput = true) {
    Block &body = launch.getBody().front();
    Value steps = *body.getOps<tile::NumProgramsOp>().begin();
    PipelineGrid grid{{steps}, steps, {}};
    auto window = [&](unsigned operand, ArrayRef<Value> point) -> Value {
      Value zero = builder.create<arith::ConstantOp>(builder.getUnknownLoc(), builder.getI64IntegerAttr(0));
      bool moves = operand == 0 || movesOutput;
      auto mode = static_cast<int32_t>(tile::SliceMode::Window);
      return builder.create<tile::SliceOp>(builder.getUnknownLoc(), tile::RefType::get(builder.getBF16Type(), {16, 20}),
                                           body.getArgument(operand), ValueRange{moves ? point[0] : zero, zero},
                                           ValueRange(), ArrayRef{mode, mode},
                                           /*spec=*/false);
    };
    auto run = [&](ArrayRef<Value> point, ArrayRef<Value> blocks) {
      points.push_back(point.size());
      for (Value block : blocks)
        blockTypes.emplace_back(cast<tile::RefType>(block.getType()).getDims());
    };
    auto drain = [&] { ++drains; };
    auto refuse = [&](unsigned operand, size_t axis) { refused = {operand, axis}; };
    PipelineBody callbacks{window, run, drain, refuse};
    PipelineRing use = PipelineRing::ofAll(ring, /*delay=*/1);
    PipelineBuilder pipeline(builder, builder.getUnknownLoc(), use, grid, callbacks);
    (pipeline.*build)();
    EXPECT_TRUE(succeeded(verify(*module)));
  }

  template <class Op> int count() {
    int found = 0;
    launch.walk([&](Op) { ++found; });
    return found;
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  tile::LaunchOp launch;
  SmallVector<size_t> points;
  SmallVector<SmallVector<int64_t>> blockTypes;
  int drains = 0;
  std::pair<unsigned, size_t> refused = {~0u, 0};
};

TEST_F(Pipelines, AStageBeginsWhereTmaDoes) {
  for (int64_t rows : {1, 2, 7, 16, 127})
    for (int64_t columns : {1, 3, 20, 64, 129})
      for (Type type : {Type(builder.getF32Type()), Type(builder.getBF16Type()), Type(builder.getI8Type())}) {
        RingOperand operand{tile::Access::In, type, {rows, columns}, 0, {}};
        SmallVector<int64_t> shape = operand.stageShape();
        EXPECT_EQ(shape[0], rows);
        EXPECT_GE(shape[1], columns);
        EXPECT_EQ(shape[0] * shape[1] * tile::bytesOf(type) % 128, 0);
        EXPECT_LT((shape[1] - columns) * tile::bytesOf(type), 128);
      }
}

TEST_F(Pipelines, AProducerWaitsForTheReleaseAndCopies) {
  Ring ring = ringOf(/*hasOutput=*/false, /*releases=*/1);
  build(ring, &PipelineBuilder::buildProducer);
  EXPECT_EQ(count<tile::CopyToSharedOp>(), 1);
  EXPECT_EQ(count<tile::BarrierWaitOp>(), 1);
  launch.walk([&](tile::BarrierWaitOp wait) { EXPECT_EQ(wait.getBarriers(), ring.empty); });
  EXPECT_TRUE(points.empty()) << "it computes nothing";
}

TEST_F(Pipelines, AConsumerReleasesLateAndDrains) {
  Ring ring = ringOf(/*hasOutput=*/false, /*releases=*/1);
  build(ring, &PipelineBuilder::buildConsumer);
  EXPECT_EQ(count<tile::CopyToSharedOp>(), 0);
  launch.walk([&](tile::BarrierWaitOp wait) { EXPECT_EQ(wait.getBarriers(), ring.full); });
  EXPECT_EQ(count<tile::BarrierArriveOp>(), 2) << "in the loop, and of the last step behind it";
  EXPECT_EQ(drains, 1);
  EXPECT_EQ(points, SmallVector<size_t>{1});
  EXPECT_EQ(blockTypes[0], (SmallVector<int64_t>{16, 20})) << "a block, without what pads its stage";
}

TEST_F(Pipelines, AnOutputThatStaysCountsItsStages) {
  Ring ring = ringOf(/*hasOutput=*/true, /*releases=*/0);
  int before = count<tile::VariableOp>();
  build(ring, &PipelineBuilder::buildAlone, /*movesOutput=*/true);
  int moving = count<tile::VariableOp>() - before;
  build(ring, &PipelineBuilder::buildAlone, /*movesOutput=*/false);
  EXPECT_EQ(count<tile::VariableOp>() - before - moving, moving + 1);
  EXPECT_EQ(refused.first, ~0u);
}

TEST_F(Pipelines, ABlockInThatStaysIsFetchedAnewAndRefused) {
  Ring ring = ringOf(/*hasOutput=*/true, /*releases=*/0);
  ring.operands[1].access = tile::Access::InOut;
  build(ring, &PipelineBuilder::buildAlone, /*movesOutput=*/false);
  EXPECT_EQ(refused, (std::pair<unsigned, size_t>(1, 0)));
}

TEST_F(Pipelines, WindowsOfAllSteps) {
  Location loc = builder.getUnknownLoc();
  Block &body = launch.getBody().front();
  Value steps = body.front().getResult(0), other = builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(7));
  PipelineGrid grid{{steps, steps}, steps, {}};
  auto window = [&](unsigned operand, ArrayRef<Value> point) -> Value {
    auto mode = static_cast<int32_t>(tile::SliceMode::Window);
    Value offset = operand == 0   ? builder.create<arith::AddIOp>(loc, other, steps).getResult()
                   : operand == 1 ? builder.create<arith::AddIOp>(loc, other, point[0]).getResult()
                                  : builder.create<arith::DivSIOp>(loc, point[1], other).getResult();
    return builder.create<tile::SliceOp>(loc, tile::RefType::get(builder.getBF16Type(), {16, 20}), body.getArgument(0),
                                         ValueRange{offset, other}, ValueRange(), ArrayRef{mode, mode}, /*spec=*/false);
  };
  EXPECT_EQ(findConstantWindows(builder, loc, grid, 3, window), (SmallVector<bool>{true, false, false}));
  EXPECT_EQ(count<tile::SliceOp>(), 0) << "nothing of the search is left";
}

TEST_F(Pipelines, ARingServesWhatWouldMakeTheSame) {
  Ring ring = ringOf(/*hasOutput=*/true, /*releases=*/0);
  SmallVector<RingOperand> wanted = ring.operands;
  EXPECT_TRUE(ring.serves(wanted, 3));
  EXPECT_FALSE(ring.serves(wanted, 4));
  wanted[1].multicast = {0};
  EXPECT_FALSE(ring.serves(wanted, 3)) << "its barriers count other arrivals";
}

} // namespace
