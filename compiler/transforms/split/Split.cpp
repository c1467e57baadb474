// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass: from a launch to kernels and a plan. Domain.h explains how programs are cut.
#include "transforms/Passes.h"
#include "transforms/SinkTakes.h"
#include "transforms/split/ChooseKernels.h"
#include "transforms/split/Classes.h"
#include "transforms/split/Collapse.h"
#include "transforms/split/LaunchBuilder.h"
#include "transforms/split/SumsOfProducts.h"
#include "transforms/split/TransposedProducts.h"
#include "transforms/split/stages/Attempt.h"
#include "transforms/split/stages/Stages.h"
#include "transforms/split/two_pass/TwoPass.h"

#include "ir/Locations.h"
#include "support/Warnings.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILESPLIT
#include "transforms/Passes.h.inc"

namespace {
struct Split : impl::TileSplitBase<Split> {
  using TileSplitBase::TileSplitBase;

  void runOnOperation() override {
    SmallVector<tile::LaunchOp> launches;
    getOperation().walk([&](tile::LaunchOp launch) {
      if (!launch.isExplicit())
        launches.push_back(launch);
    });
    if (failed(checkSizes()))
      return signalPassFailure();
    split::GroupShape shape;
    shape.threads = threads;
    shape.perThread = perThread;
    shape.mostPerThread = mostPerThread;
    shape.productSide = productSide;
    shape.productDepth = productDepth;
    shape.columns = columns;
    if (!variants.empty()) {
      std::optional<split::Variants> wanted =
          split::Variants::of(SmallVector<std::string>(variants.begin(), variants.end()));
      if (!wanted) {
        getOperation().emitError() << "no variant of a kernel is called '" << llvm::join(variants, ",")
                                   << "': there are " << split::Variants::names();
        return signalPassFailure();
      }
      shape.variants = *wanted;
    }
    FailureOr<SmallVector<split::ClassGroup>> groups = groupClasses();
    if (failed(groups))
      return signalPassFailure();
    bool isWarned = false; // The newest class that falls behind is told of.
    auto splitFor = [&](tile::LaunchOp launch, const split::ClassGroup &group) {
      split::GroupShape ofClass = shape;
      ofClass.takeBudgets(*group.front());
      bool isNewest = group == groups->back(), remarksHere = remarks && isNewest; // Of the newest chips: told once.
      if (ofClass.hasWgmma && ofClass.variants.tensor && split::transposeProducts(launch) && remarksHere)
        launch.emitRemark() << "products by weights of few bits are computed transposed: what is made of these is then "
                               "the left factor, which wgmma takes from registers";
      auto splitOnce = [&] {
        return split::splitCollapsed(launch, ofClass, remarksHere, [&] {
          return stages ? split::splitOrCut(launch, ofClass, remarksHere)
                        : split::splitInPasses(launch, ofClass, remarksHere);
        });
      };
      LogicalResult result = splitOrRecompute(launch, splitOnce, isNewest);
      if (auto why = dyn_cast_or_null<StringAttr>(launch->removeAttr(split::keptFromTensorCores));
          why && !isWarned && (isNewest || !group.front()->hasShortMma())) {
        warn(launch, isNewest ? "" : ", on GPUs of class " + std::string(group.front()->name), why.getValue());
        isWarned = true;
      }
      return result;
    };
    for (tile::LaunchOp launch : launches) {
      split::addProductsInTurn(launch);
      split::subtractSums(launch);
    }
    for (tile::LaunchOp launch : launches) { // All that is to be refused is told at once.
      isWarned = false;
      if (failed(split::planByClass(launch, *groups, splitFor)))
        signalPassFailure();
    }
  }

  /// Where tiles that elements are taken of cannot be made once, they are made again for each place.
  static LogicalResult splitOrRecompute(tile::LaunchOp launch, function_ref<LogicalResult()> splitOnce, bool isTold) {
    if (!takesOfTilesMadeOnce(launch))
      return splitOnce();
    split::Attempt attempt(launch);
    LogicalResult result = attempt.run(splitOnce);
    if (failed(result)) {
      attempt.undo();
      if (recomputeTaken(launch, isTold))
        return splitOnce();
    }
    attempt.tell();
    return result;
  }

  /// Of factors of up to 16 bits, for which most authors count on tensor cores, and of those that are to be tf32. Chips
  /// before sm_80, which take few products, are told of where there are no others.
  static void warn(tile::LaunchOp launch, const Twine &where, StringRef why) {
    launch.getBody().walk([&](tile::DotOp dot) {
      if (dot.getA().getType().getElementTypeBitWidth() > 16 && dot.getPrecision() != tile::Precision::Tf32)
        return WalkResult::advance();
      emitWarning(tile::withoutName(dot.getLoc()))
          << "this product runs on FMA units, some 30 times slower than on tensor cores" << where << ": " << why
          << markOf(Warning::SlowProduct);
      return WalkResult::interrupt();
    });
  }

  LogicalResult checkSizes() {
    auto refuse = [&](StringRef option, int64_t value, const Twine &what) {
      return getOperation().emitError() << "tile-split takes " << what << " for " << option << ", not " << value;
    };
    if (threads < split::lanesOfWarp || threads > 1024 || !llvm::isPowerOf2_64(threads))
      return refuse("threads", threads, "a power of two from 32 to 1024");
    if (mostPerThread < 0 || (mostPerThread > 0 && !llvm::isPowerOf2_64(mostPerThread)))
      return refuse("most-per-thread", mostPerThread, "a power of two, or 0");
    for (auto [option, value] : {std::pair("per-thread", int64_t(perThread)), std::pair("columns", int64_t(columns)),
                                 std::pair("product-depth", int64_t(productDepth))})
      if (value < 1)
        return refuse(option, value, "1 or more");
    if (productSide < 2)
      return refuse("product-side", productSide, "2 or more");
    return success();
  }

  /// Classes whose records are the same to splitting are split together.
  FailureOr<SmallVector<split::ClassGroup>> groupClasses() {
    SmallVector<split::ClassGroup> groups;
    for (const std::string &name : classes) {
      const ArchClass *archClass = findClass(name);
      if (!archClass)
        return getOperation().emitError() << "unknown class of architectures '" << name << "'";
      auto *same = llvm::find_if(groups, [&](const split::ClassGroup &group) {
        return split::GroupShape::haveSameBudgets(*group.front(), *archClass);
      });
      same == groups.end() ? groups.push_back({archClass}) : same->push_back(archClass);
    }
    if (groups.empty())
      groups.push_back({&knownClasses().front()});
    return groups;
  }
};
} // namespace
} // namespace tegula
