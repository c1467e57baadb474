// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of a launch, and the plan, which chooses among them: as they are made.
#pragma once

#include "ir/ProductOptions.h"
#include "transforms/products/Mainloop.h"
#include "transforms/split/Cost.h"
#include "transforms/split/KernelBuilder.h"
#include "transforms/split/Plan.h"
#include "transforms/split/PrivateUpdates.h"

#include "llvm/ADT/Twine.h"

namespace tegula::split {

/// The products of a program, whose results go to a matrix; none if it has none, or, with an obstacle, if there is more
/// to it.
llvm::SmallVector<tile::DotOp> productsOf(const Program &program, std::string &obstacle);
/// What keeps tensor cores from the types of a program's products; empty if nothing does.
std::string refusalOfTypes(const Program &program);
/// On a launch: why a product that tensor cores could take runs on FMA units.
inline constexpr char keptFromTensorCores[] = "tile.kept_from_tensor_cores";
/// The sub-tile of a CTA for products: rows of 128 bytes in shared memory, 256 columns, which they share, and as many
/// rows as two warpgroups keep in registers.
TensorTile tileFor(llvm::ArrayRef<tile::DotOp> products, const Program &program);

/// The same for products that are made of others, which have all of their columns and depth.
TensorTile chainTileFor(llvm::ArrayRef<tile::DotOp> products, const Program &program);

/// What the program has no room for; empty if these options can be had as far as it tells.
std::string refusalOf(const ProductOptions &options, llvm::ArrayRef<tile::DotOp> products, const Program &program);
/// The columns of sub-tiles for calls that have few of them.
inline constexpr int64_t narrowColumns = 64;

inline constexpr char cannotBeCut[] = "the program cannot be cut into sub-tiles for them";
inline constexpr char noRoom[] = "the factors of the steps that are kept take more shared memory than there is";

/// The kernels of one launch, and the code that launches them, at the plan's place.
class LaunchBuilder {
public:
  LaunchBuilder(tile::LaunchOp launch, Extents &extents, bool remarks)
      : launch(launch), extents(extents), plan(launch), remarks(remarks) {}

  /// A kernel for tensor cores, its program, and the loop that they run.
  struct TensorKernel {
    Program program;
    tile::KernelOp kernel;
    Mainloop mainloop;
  };

  /// Writes all of the plan: `program` serves every call, variants of it may be faster for some.
  mlir::LogicalResult run(const Program &program);
  /// Writes a plan of one kernel, whose results go to arrays of the plan's own, aligned and of even rows. It is
  /// launched in a branch, on a condition of what the program reads. Returns what it is cut into; fails, and leaves
  /// nothing behind but the plan, if there is no kernel that would be fast.
  mlir::FailureOr<Program> runAlone(const Program &program);

private:
  mlir::FailureOr<tile::KernelOp> build(const Program &program, const llvm::Twine &suffix, Rows rows,
                                        bool *gains = nullptr);
  /// Leaves nothing behind where it fails.
  mlir::FailureOr<tile::KernelOp> tryBuild(const Program &program, const llvm::Twine &suffix, Rows rows);
  void launchKernel(const Program &program, tile::KernelOp kernel, mlir::Value cluster = {}, mlir::Value canCopy = {});
  mlir::LogicalResult runVariants(const Program &program, tile::KernelOp kernel, Rows rows);
  mlir::LogicalResult runResident(const Program &program, tile::KernelOp general, const Extent &row, Rows rows);
  /// What serves arrays that are not aligned; `contiguous` is null if there is none.
  struct ByElements {
    Program program;
    tile::KernelOp contiguous, any;
  };
  mlir::FailureOr<ByElements> buildByElements(const Program &general);
  void launchByElements(const ByElements &made);
  mlir::Value isDense();
  mlir::Value isContiguous();
  /// Whether a kernel with register-resident rows would be long.
  bool isLong(const GroupShape &shape) { return weightOf(launch) * shape.mostPerThread > longCode; }
  void runCluster(const Program &program, const Extent &row);
  mlir::FailureOr<tile::KernelOp> buildCluster(Program &program, const Extent &row);
  // PrivateUpdates.cpp
  mlir::LogicalResult runPrivate(const Program &general);
  mlir::Value stayingBlocks(const Program &program, mlir::Value groups);
  mlir::Value combineMuch(const Program &program, llvm::ArrayRef<PrivateArray> arrays);
  mlir::LogicalResult runSmaller(const Program &program, Rows rows);

  // StencilKernels.cpp
  mlir::FailureOr<mlir::scf::IfOp> runStencil(const Program &general);
  mlir::Value haveWholeRows(const Program &program);

  // TensorKernels.cpp
  std::optional<TensorKernel> buildTensor(const Program &general, const TensorTile &tile, const llvm::Twine &suffix,
                                          std::string &obstacle, bool aligned = false);
  mlir::Value suits(const TensorKernel &wide, const TensorKernel &narrow);
  mlir::Value areEven(mlir::Value condition, llvm::ArrayRef<mlir::BlockArgument> even, mlir::Type element);
  mlir::Value areFew(mlir::Value condition, const Program &program);
  /// Whether arguments of a kernel are the launch's: the host can look at them.
  bool isPassed(llvm::ArrayRef<mlir::BlockArgument> arguments) {
    return llvm::all_of(arguments,
                        [&](mlir::BlockArgument each) { return each.getArgNumber() < plan.arguments().size(); });
  }

  // WgmmaKernels.cpp
  mlir::LogicalResult runTensor(const Program &general);
  void runWgmma(const Program &general, TensorKernel wide);
  mlir::LogicalResult refuseOptions(const llvm::Twine &why);
  std::optional<TensorKernel> buildWide(const Program &general, llvm::ArrayRef<tile::DotOp> products,
                                        std::string &obstacle);
  mlir::Value copyResults(TensorKernel &tensor);
  mlir::Value canCopyFactors(const TensorKernel &tensor);
  std::pair<mlir::Value, std::string> alignOthers(TensorKernel &tensor);
  std::string describeRoles(const TensorKernel &tensor);
  mlir::Value canMap(const Factor &factor);
  mlir::Value canMap(mlir::BlockArgument array, llvm::ArrayRef<int64_t> box, int64_t swizzle,
                     llvm::ArrayRef<mlir::BlockArgument> even);

  // ChainKernels.cpp
  llvm::SmallVector<unsigned> rightFactors();
  mlir::FailureOr<bool> runChain(const Program &general, llvm::ArrayRef<tile::DotOp> products, std::string &obstacle);
  std::optional<TensorKernel> buildChainForWarps(const Program &general, llvm::ArrayRef<tile::DotOp> products,
                                                 std::string &obstacle);
  void runChainForWarps(TensorKernel made);

  // PartialKernels.cpp
  mlir::FailureOr<std::optional<TensorKernel>> buildAlone(const Program &general, mlir::Value &serves);
  std::optional<TensorKernel> buildAloneByTma(const Program &general, mlir::Value &serves);
  mlir::FailureOr<std::optional<TensorKernel>> buildAloneForWarps(const Program &general, mlir::Value &serves);
  /// Arrays that the launch gets, and not those that are its plan's own.
  bool isGiven(unsigned argument) { return !ownsResults || launch.getAccessOf(argument) != tile::Access::Out; }

  // MmaKernels.cpp
  mlir::LogicalResult runMmaSync(const Program &general, llvm::StringRef refused);
  std::optional<TensorKernel> buildMmaSync(const Program &general, TensorTile tile, const llvm::Twine &suffix,
                                           std::string &obstacle, bool aligned, bool isAsync);
  void runCopied(const Program &general, TensorKernel wide);
  void runThroughRegisters(const Program &general);
  void runThroughRegisters(const Program &general, int64_t mostColumns, bool aligned);
  mlir::Value areAligned(const TensorKernel &tensor, bool all);
  mlir::Value haveEvenRows(TensorKernel &tensor);
  static void markCopied(const TensorKernel &made);
  mlir::Value areAlignedAndEven(TensorKernel &tensor);
  mlir::Value canCopyAsync(TensorKernel &tensor);

  /// What follows is for calls that satisfy the condition, until `otherwise` puts the builder into the other branch.
  mlir::scf::IfOp branch(mlir::Value condition) {
    auto op = plan.get().create<mlir::scf::IfOp>(launch.getLoc(), condition, /*withElseRegion=*/true);
    plan.get().setInsertionPointToStart(op.thenBlock());
    return op;
  }
  void otherwise(mlir::scf::IfOp op) { plan.get().setInsertionPointToStart(op.elseBlock()); }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value value, int64_t constant) {
    return plan.get().create<mlir::arith::CmpIOp>(launch.getLoc(), predicate, value, plan.constant(constant));
  }

  /// Tells the author which calls another kernel serves.
  void remark(const llvm::Twine &calls, const llvm::Twine &how) {
    if (remarks)
      launch.emitRemark() << calls.str() << ": " << how.str();
  }

  /// Tells what keeps a product from better instructions, at its place.
  void remarkProduct(const llvm::Twine &what) {
    if (!remarks)
      return;
    launch.getBody().walk([&](tile::DotOp dot) {
      dot.emitRemark() << "all calls: " << what.str() << " (" << launch.getName() << ")";
      return mlir::WalkResult::interrupt();
    });
  }

  tile::LaunchOp launch;
  Extents &extents;
  PlanBuilder plan;
  bool remarks;
  /// Calls with arrays that TMA can copy are served: for the others, one kernel is enough.
  bool isOnTensorCores = false;
  /// Nothing is left to serve.
  bool isAllServed = false;
  /// What is stored goes to arrays of the plan's own.
  bool ownsResults = false;
  /// The row that variants are for, if there is one.
  std::optional<Extent> row;
  /// What is a multiple of all accesses in kernels for aligned arrays: the row, or what rows end in that none reduces.
  std::optional<Extent> even;
};

} // namespace tegula::split
