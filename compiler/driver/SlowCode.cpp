// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/SlowCode.h"

#include "ir/Locations.h"
#include "ir/TileDialect.h"
#include "support/Warnings.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace tegula::driver {

KernelLocations locationsOfKernels(ModuleOp module) {
  KernelLocations found;
  for (tile::KernelOp kernel : module.getOps<tile::KernelOp>())
    found.try_emplace(kernel.getSymName(), tile::withoutName(kernel.getLoc()));
  return found;
}

/// The kernel and the reason of "... instructions are serialized due to <reason> in the function '<kernel>'"; empty if
/// it is no such message.
static std::pair<StringRef, StringRef> serialized(StringRef message) {
  static constexpr StringRef before = "serialized due to ";
  size_t at = message.find(before);
  auto [text, kernel] =
      message.substr(at == StringRef::npos ? message.size() : at + before.size()).split(" function '");
  for (StringRef word : {" in the", " for the", " in", " for"})
    if (text.consume_back(word))
      break;
  return {kernel.split('\'').first, text};
}

void warnOfSlowCode(const codegen::Cubin &cubin, const Target &target, KernelLocations &kernels) {
  auto warn = [&](Warning group, StringRef kernel, const Twine &what) {
    auto known = kernels.find(kernel);
    if (known == kernels.end())
      return;
    emitWarning(known->second) << what << " (" << StringRef(target.name) << ", " << kernel << ")" << markOf(group);
    kernels.erase(known);
  };
  for (const codegen::AssemblerRemark &remark : cubin.remarks)
    if (auto [kernel, reason] = serialized(remark.message); !kernel.empty())
      warn(Warning::SerializedProduct, kernel,
           "the products of this launch are serialized, which makes it slow: ptxas serializes wgmma due to " + reason +
               ". Use smaller blocks or steps, which need fewer registers");
  // What few registers cost is not worth a word, nor what kernels for arrays of any alignment do.
  constexpr unsigned fewBytes = 128;
  for (const codegen::KernelResources &kernel : cubin.kernels)
    if (unsigned bytes = kernel.spillStoreBytes + kernel.spillLoadBytes;
        bytes > fewBytes && StringRef(kernel.name).contains("_tensor") &&
        !StringRef(kernel.name).contains("_tensor_any"))
      warn(Warning::Spill, kernel.name,
           "this launch spills registers to memory, " + Twine(bytes) +
               " bytes of loads and stores: take smaller blocks or steps, or fewer consumers");
}

} // namespace tegula::driver
