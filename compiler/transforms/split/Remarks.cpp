// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/Remarks.h"

using namespace mlir;

namespace tegula::split {

static std::string describe(const DomainDim &dim) {
  std::string size = std::to_string(dim.subTile);
  switch (dim.mode) {
  case Mode::Parallel:
    return dim.isCut() ? "parallel, in sub-tiles of " + size : "one sub-tile of " + size;
  case Mode::Sequential:
    return "sequential in one thread group, in chunks of " + size;
  case Mode::Resident:
    return "register-resident in one thread group, in " + size;
  }
  llvm_unreachable("all modes are covered");
}

void remark(const Program &program) {
  tile::LaunchOp launch = program.launch;
  std::string group = std::to_string(program.group) + (program.group == 1 ? " thread" : " threads");
  launch.emitRemark() << "a thread group of " << group
                      << (program.isWhole()
                              ? " takes a program"
                              : " takes a sub-tile of a program, and other thread groups take the others");
  for (const Domain &domain : program.domains) {
    if (domain.roots.empty())
      continue;
    tile::RootOpInterface root = domain.roots.front();
    if (domain.isScalar()) {
      root->emitRemark() << "this number is stored once a program";
      continue;
    }
    InFlightDiagnostic diagnostic = root->emitRemark() << "what is stored here is cut:";
    for (auto [i, dim] : llvm::enumerate(domain.dims))
      diagnostic << (i ? ", " : " ") << "dimension " << i << " " << describe(dim);
    for (auto [i, dim] : llvm::enumerate(domain.dims)) {
      if (dim.mode == Mode::Parallel)
        continue;
      if (!program.scalars.contractions().empty())
        diagnostic.attachNote(program.scalars.contractions().front().value.getLoc())
            << "this number is wanted before, by every thread group";
      for (const Demand::Contraction &contraction : domain.demand.contractions())
        if (!contraction.follows(static_cast<int>(i))) {
          diagnostic.attachNote(contraction.value.getLoc())
              << "this does not vary along dimension " << i
              << ": thread groups that shared it would each do this again";
          break;
        }
    }
  }
}

} // namespace tegula::split
