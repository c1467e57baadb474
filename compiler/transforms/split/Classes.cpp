// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/Classes.h"

#include "transforms/Kernels.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::split {
namespace {

using SplitFunction = function_ref<LogicalResult(tile::LaunchOp, const ClassGroup &)>;

bool areSame(Region &a, Region &b) {
  return OperationEquivalence::isRegionEquivalentTo(&a, &b, OperationEquivalence::IgnoreLocations);
}

class Fork {
public:
  Fork(tile::LaunchOp launch, ArrayRef<ClassGroup> groups) : launch(launch), groups(groups), builder(launch) {}

  LogicalResult run(SplitFunction split);

private:
  /// The plan of some classes, in a copy of the launch.
  struct Plan {
    ClassGroup classes;
    tile::LaunchOp launch;
  };

  LogicalResult makePlan(const ClassGroup &group, SplitFunction split);
  void shareKernels(Plan &plan, ArrayRef<tile::KernelOp> made);
  void join();
  ArrayAttr namesOf(const ClassGroup &group);

  tile::LaunchOp launch;
  ArrayRef<ClassGroup> groups;
  OpBuilder builder;
  SmallVector<Plan> plans;
  /// The kernels so far, and the classes that launch them.
  SmallVector<std::pair<tile::KernelOp, ClassGroup>> kernels;
};

ArrayAttr Fork::namesOf(const ClassGroup &group) {
  ClassGroup sorted = group;
  llvm::sort(sorted, [](const ArchClass *a, const ArchClass *b) { return numberOf(*a) < numberOf(*b); });
  return builder.getStrArrayAttr(llvm::map_to_vector(
      sorted, [](const ArchClass *each) { return StringRef(each->name.data(), each->name.size()); }));
}

LogicalResult Fork::makePlan(const ClassGroup &group, SplitFunction split) {
  auto module = launch->getParentOfType<ModuleOp>();
  Plan plan{group, cast<tile::LaunchOp>(builder.clone(*launch))};
  llvm::DenseSet<Operation *> before;
  for (tile::KernelOp kernel : module.getOps<tile::KernelOp>())
    before.insert(kernel);
  // Names are apart until it is known which kernels are one. The newest classes come first, and have the plain ones.
  if (!plans.empty())
    plan.launch.setName((launch.getName() + "_of_class" + Twine(plans.size())).str());
  if (failed(split(plan.launch, group)))
    return failure();
  SmallVector<tile::KernelOp> made;
  for (tile::KernelOp kernel : module.getOps<tile::KernelOp>())
    if (!before.contains(kernel))
      made.push_back(kernel);
  shareKernels(plan, made);
  // Classes whose plans are alike have one.
  for (Plan &known : plans)
    if (areSame(known.launch.getPlan(), plan.launch.getPlan())) {
      llvm::append_range(known.classes, group);
      plan.launch.erase();
      return success();
    }
  plans.push_back(plan);
  return success();
}

/// Kernels that another plan has, too, are its. The rest get the names that they have without classes, or, where these
/// are taken, with theirs.
void Fork::shareKernels(Plan &plan, ArrayRef<tile::KernelOp> made) {
  auto module = launch->getParentOfType<ModuleOp>();
  for (tile::KernelOp kernel : made) {
    std::string own = kernel.getSymName().str();
    std::string name = launch.getName().str() + own.substr(plan.launch.getName().size());
    auto *same = llvm::find_if(kernels, [&](auto &known) { return tegula::areSame(known.first, kernel); });
    if (same != kernels.end()) {
      llvm::append_range(same->second, plan.classes);
      name = same->first.getSymName().str();
      kernel.erase();
    } else {
      if (name != own && SymbolTable::lookupSymbolIn(module, name)) {
        name += "_sm";
        llvm::copy_if(plan.classes.front()->name, std::back_inserter(name), [](char c) { return c != '.'; });
      }
      kernel.setSymName(name);
      kernels.emplace_back(kernel, plan.classes);
    }
    plan.launch.getPlan().walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op).Case<tile::LaunchKernelOp, tile::ResidentClustersOp>([&](auto use) {
        if (use.getKernel() == own)
          use.setKernel(name);
      });
    });
  }
}

/// A branch for each plan but the last, that of the oldest classes, which serves all others.
void Fork::join() {
  if (plans.size() == 1)
    return launch.getPlan().takeBody(plans.front().launch.getPlan());
  Location loc = launch.getLoc();
  Block &block = launch.getPlan().emplaceBlock();
  for (BlockArgument argument : plans.front().launch.getPlan().getArguments())
    block.addArgument(argument.getType(), argument.getLoc());
  builder.setInsertionPointToEnd(&block);
  builder.create<tile::YieldOp>(loc);
  builder.setInsertionPointToStart(&block);
  for (Plan &plan : plans) {
    scf::IfOp branch;
    if (&plan != &plans.back()) {
      branch = builder.create<scf::IfOp>(loc, builder.create<tile::IsClassOp>(loc, namesOf(plan.classes)),
                                         /*withElseRegion=*/true);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    IRMapping mapping;
    for (auto [from, to] : llvm::zip(plan.launch.getPlan().getArguments(), block.getArguments()))
      mapping.map(from, to);
    for (Operation &op : plan.launch.getPlan().front().without_terminator())
      builder.clone(op, mapping);
    if (branch)
      builder.setInsertionPointToStart(branch.elseBlock());
  }
}

LogicalResult Fork::run(SplitFunction split) {
  if (groups.size() == 1)
    return split(launch, groups.front());
  size_t classes = 0;
  for (const ClassGroup &group : llvm::reverse(groups)) {
    classes += group.size();
    if (failed(makePlan(group, split)))
      return failure();
  }
  join();
  for (Plan &plan : plans)
    plan.launch.erase();
  for (auto &[kernel, users] : kernels)
    if (users.size() < classes)
      kernel.setClassesAttr(namesOf(users));
  return success();
}
} // namespace

LogicalResult planByClass(tile::LaunchOp launch, ArrayRef<ClassGroup> groups, SplitFunction split) {
  return Fork(launch, groups).run(split);
}

} // namespace tegula::split
