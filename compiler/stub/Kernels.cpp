// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Kernels.h"

#include "ir/GridOps.h"
#include "ir/Locations.h"
#include "stub/Explicit.h"
#include "stub/Program.h"
#include "stub/Types.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tegula::stub {

KernelNames::KernelNames(ModuleOp module, Names &names, std::string space) : space(std::move(space)) {
  module.walk([&](tile::LaunchOp launch) { launches[launch] = names.unique(launch.getName().str() + "_cpu"); });
  module.walk([&](tile::KernelOp kernel) {
    gpu[kernel.getSymName()] = names.unique(kernel.getSymName());
    cpu[kernel.getSymName()] = names.unique(kernel.getSymName().str() + "_split_cpu");
  });
}

bool isWritten(Value ref) {
  return llvm::any_of(ref.getUsers(), [&](Operation *user) {
    if (auto root = dyn_cast<tile::RootOpInterface>(user))
      return root.getRootRef() == ref;
    if (isa<tile::TakeStepOp, tile::ScanOp, tile::SemaphoreSignalOp, tile::SemaphoreWaitOp, tile::SemaphoreReadOp,
            tile::GridBarrierOp, tile::TraceThreadOp, tile::TraceEventOp>(
            user)) // What thread groups, and blocks, tell each other.
      return true;
    if (isa<tile::CopyToGlobalOp, tile::BulkStoreOp>(user))
      return cast<tile::MemoryAccessOpInterface>(user).getMemoryAccesses().back().ref == ref;
    return isa<tile::SliceOp, tile::StridedSliceOp, tile::TransposeOp, tile::ReshapeRefOp, tile::BitcastRefOp>(user) &&
           isWritten(user->getResult(0));
  });
}

/// Declares a parameter, and binds the argument to it. One that is not used has no name in C++.
static std::string parameter(ProgramPrinter &program, Names &names, BlockArgument argument) {
  std::string type;
  if (auto ref = dyn_cast<tile::RefType>(argument.getType()))
    type = refTypeName(ref, !isWritten(argument));
  else
    type = typeName(argument.getType());
  if (argument.use_empty() && !program.isMarked(argument))
    return type;
  std::string unique = names.forValue(argument);
  program.bind(argument, unique);
  // Of extents that are equal, one is printed for all; barriers of the grid need no memory on the CPU.
  bool isOptional =
      llvm::all_of(argument.getUsers(), [](Operation *user) { return isa<tile::DimOp, tile::GridBarrierOp>(user); }) ||
      mayGoUnused(argument);
  return (isOptional ? "[[maybe_unused]] " : "") + type + " " + unique;
}

/// With a handler, what `body` throws goes there.
static void printFunction(Writer &out, const std::string &name, ArrayRef<std::string> parameters,
                          llvm::function_ref<void()> body, const std::string &handler = "") {
  out.open("void " + name + "(" + llvm::join(parameters, ", ") + ")" + (handler.empty() ? "" : " try"));
  body();
  if (!handler.empty()) {
    out.reopen("catch (...)");
    out.line(handler + ";");
  }
  out.close();
  out.generated();
  out.blank();
}

static LogicalResult printExplicitFunction(Writer &out, tile::LaunchOp launch, const std::string &name,
                                           SourceFiles &files, Names names) {
  SmallVector<std::string> grid, parameters;
  for (unsigned axis = 0; axis < launch.getGrid().size(); ++axis) {
    grid.push_back(names.unique("grid_" + std::to_string(axis)));
    parameters.push_back("std::int64_t " + grid.back());
  }
  ExplicitPrinter program(out, names, files, launch, grid);
  for (BlockArgument argument : launch.getBody().getArguments())
    parameters.push_back(parameter(program, names, argument));
  printFunction(out, name, parameters, [&] { program.print(); }, program.explanation(launch));
  return failure(program.hasFailed());
}

LogicalResult printLaunchFunction(Writer &out, tile::LaunchOp launch, const std::string &name, SourceFiles &files,
                                  Names names) {
  if (launch.isExplicit())
    return printExplicitFunction(out, launch, name, files, std::move(names));
  Region &body = launch.getBody();
  ProgramPrinter program(out, names, files, body);
  unsigned rank = launch.getGrid().size();
  SmallVector<std::string> grid, indices(rank), parameters;
  for (unsigned axis = 0; axis < rank; ++axis) {
    grid.push_back(names.unique("grid_" + std::to_string(axis)));
    parameters.push_back("std::int64_t " + grid.back());
  }
  for (BlockArgument argument : body.getArguments())
    parameters.push_back(parameter(program, names, argument));

  // The loop over an axis is called what the program calls its index.
  body.walk([&](tile::ProgramIdOp id) {
    std::string &index = indices[id.getAxis()];
    if (index.empty() && !tile::nameIn(id.getLoc()).empty())
      index = names.forValue(id);
  });
  for (auto [axis, index] : llvm::enumerate(indices))
    if (index.empty())
      index = names.unique("program_" + std::to_string(axis));
  program.nameGrid(indices, grid);

  printFunction(
      out, name, parameters,
      [&] {
        program.declareRaces();
        for (unsigned axis = 0; axis < rank; ++axis)
          out.open("for (std::int64_t " + indices[axis] + " = 0; " + indices[axis] + " < " + grid[axis] + "; ++" +
                   indices[axis] + ")" + (axis + 1 == rank ? " try" : ""));
        program.printProgram(body.front());
        if (rank > 0) {
          program.printEndOfEmpty(launch);
          std::string access = names.unique("access");
          out.reopen("catch (const cpu::out_of_bounds &" + access + ")");
          out.line(program.explanation(launch, access, indices) + ";");
        }
        for (unsigned axis = 0; axis < rank; ++axis)
          out.close();
      },
      program.explanation(launch));
  return failure(program.hasFailed());
}

LogicalResult printKernelFunction(Writer &out, tile::KernelOp kernel, const std::string &name, SourceFiles &files,
                                  Names names) {
  ProgramPrinter program(out, names, files, kernel.getBody(), Form::Split);
  std::string blocks = names.unique("blocks"), group = names.unique("group");
  SmallVector<std::string> parameters = {"std::int64_t " + blocks};
  for (BlockArgument argument : kernel.getArguments())
    parameters.push_back(parameter(program, names, argument));
  kernel.walk([&](tile::ThreadGroupOp op) { program.bind(op, group); });
  int64_t perBlock = kernel.getThreads() / kernel.getGroup();
  Expr groups = perBlock == 1 ? Expr(blocks) : binary({blocks}, "*", {std::to_string(perBlock)});
  printFunction(out, name, parameters, [&] {
    out.open("for (std::int64_t " + group + " = 0; " + group + " < " + groups.text + "; ++" + group + ")");
    program.printBlock(kernel.getBody().front());
    out.close();
  });
  return failure(program.hasFailed());
}

} // namespace tegula::stub
