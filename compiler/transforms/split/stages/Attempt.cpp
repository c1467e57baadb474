// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/stages/Attempt.h"

#include "transforms/split/HostPasses.h"

using namespace mlir;

namespace tegula::split {

Attempt::Attempt(tile::LaunchOp launch)
    : launch(launch), module(launch->getParentOfType<ModuleOp>()), front(launch->getPrevNode()),
      attributes(launch->getDiscardableAttrDictionary()) {
  for (tile::KernelOp kernel : module.getOps<tile::KernelOp>())
    kernels.insert(kernel);
}

LogicalResult Attempt::run(function_ref<LogicalResult()> split) {
  ScopedDiagnosticHandler listening(launch.getContext(), [&](Diagnostic &diagnostic) {
    said.push_back(std::move(diagnostic));
    return success();
  });
  return split();
}

void Attempt::tell() {
  for (Diagnostic &diagnostic : said)
    launch.getContext()->getDiagEngine().emit(std::move(diagnostic));
  said.clear();
}

const Diagnostic *Attempt::firstError() const {
  const auto *found = llvm::find_if(
      said, [](const Diagnostic &diagnostic) { return diagnostic.getSeverity() == DiagnosticSeverity::Error; });
  return found == said.end() ? nullptr : found;
}

void Attempt::undo() {
  for (tile::KernelOp kernel : llvm::to_vector(module.getOps<tile::KernelOp>()))
    if (!kernels.contains(kernel))
      kernel.erase();
  launch.getPlan().dropAllReferences();
  launch.getPlan().getBlocks().clear();
  launch->setDiscardableAttrs(attributes);
  eraseBetween(front, launch);
}

} // namespace tegula::split
