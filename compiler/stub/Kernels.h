// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ functions for the programs of a module.
#pragma once

#include "ir/TileDialect.h"
#include "stub/Names.h"
#include "stub/Writer.h"

namespace tegula::stub {

/// What the kernels of a module are called in C++, by the names that the IR has for launches and kernels.
class KernelNames {
public:
  /// Takes names for all of a module from `names`. They are declared in the namespace tegula::`space`.
  KernelNames(mlir::ModuleOp module, Names &names, std::string space = "kernels");

  /// Differs between the stubs of a program, so that a unity build compiles several as one.
  const std::string &getSpace() const { return space; }
  /// One of the names, as code outside the namespace refers to it.
  std::string qualified(llvm::StringRef name) const { return "tegula::" + space + "::" + name.str(); }

  /// The function that runs a program on the CPU.
  const std::string &onCpu(llvm::StringRef kernel) const { return cpu.find(kernel)->second; }
  /// The abi::kernel that stands for the GPU's.
  const std::string &onGpu(llvm::StringRef kernel) const { return gpu.find(kernel)->second; }
  /// The function of a launch's body.
  const std::string &ofLaunch(mlir::Operation *launch) const { return launches.find(launch)->second; }

private:
  std::string space;
  llvm::StringMap<std::string> cpu, gpu;
  llvm::DenseMap<mlir::Operation *, std::string> launches;
};

/// `void add_vectors_0_cpu(std::int64_t grid_0, cpu::ref<const float, 1> x, ...)`: the body for every point of the
/// grid. At the explicit level it is run by threads that wait for one another: `cpu::launch{...}.run(...)`.
mlir::LogicalResult printLaunchFunction(Writer &out, tile::LaunchOp launch, const std::string &name, SourceFiles &files,
                                        Names names);
/// The same for a kernel, run by all thread groups in turn: `(std::int64_t blocks, cpu::ref<const float, 1> x, ...)`.
mlir::LogicalResult printKernelFunction(Writer &out, tile::KernelOp kernel, const std::string &name, SourceFiles &files,
                                        Names names);

} // namespace tegula::stub
