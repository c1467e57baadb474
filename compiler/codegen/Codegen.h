// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the LLVM dialect to machine code, one function for each step:
//
//   translateToLlvm   LLVM dialect -> LLVM IR
//   linkKernels       adds the functions of libdevice that it calls
//   compileToPtx      -> PTX for each target: optimize, then emitPtx, for parts of the module in parallel
//   splitPtx          -> parts of the PTX: a long kernel, or several short ones (PtxParts.cpp)
//   assemble          -> cubins, by ptxas. Kernels that spill are assembled again, told another occupancy, into cubins
//                     of their own (Ptxas.cpp)
//   disassemble       -> SASS, by nvdisasm
//
// A stub holds one or several cubins for each part. The runtime loads one when one of its kernels is launched first.
// --emit=cubin makes one cubin of all. Long functions of libdevice, divisions and square roots are inlined, or called
// where a kernel has many. LLVM runs only those of its passes that pay (Ptx.cpp). What targets have different
// instructions for is a call until the target is known: conversions of 8-bit floats (Float8.h), products of warps
// (Mma.h) and atomic updates (Atomics.h).
#pragma once

#include "support/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace tegula::codegen {

/// The module of kernels that `tile-lower-to-llvm` made. Null after an error, which has been reported. `verify` has
/// LLVM check what comes out.
std::unique_ptr<llvm::Module> translateToLlvm(mlir::ModuleOp module, llvm::LLVMContext &context, bool verify);

/// Makes it a module for NVIDIA's GPUs, of whatever chip, that has what it calls of libdevice. `libdevice` is read only
/// if the module calls it.
llvm::Error link(llvm::Module &module, const Target &target, llvm::StringRef libdevice);

/// Makes a linked module ready for emitPtx, in place.
llvm::Error optimize(llvm::Module &module, const Target &target);

llvm::Expected<std::string> emitPtx(llvm::Module &module, const Target &target);

/// emitPtx leaves out some of LLVM's passes, by name. The names among them that LLVM gives no pass for this target:
/// none, as long as LLVM renames none.
std::vector<std::string> unknownPassesLeftOut(const Target &target);

/// PTX of `from` for another target that is generated from the same LLVM processor: only its head differs.
std::string reheadPtx(llvm::StringRef ptx, const Target &target);

/// Linked kernels on their way through LLVM, which goes by parts: a context of LLVM serves one thread.
struct LinkedKernels {
  llvm::SmallVector<char, 0> bitcode;
  llvm::StringMap<unsigned> partOf;
  size_t parts = 1;
  /// The classes of architectures that kernels are for, as in the classesAttribute; those of all classes are not named.
  llvm::StringMap<std::string> classesOf;
};

/// What is linked is the same for every chip.
llvm::Expected<LinkedKernels> linkKernels(llvm::Module &module, const Target &anyTarget, llvm::StringRef libdevice);

/// The PTX for each target, in their order. Code is generated once for targets that share an LLVM processor.
llvm::Expected<std::vector<std::string>> compileToPtx(const LinkedKernels &kernels,
                                                      llvm::ArrayRef<const Target *> targets);

/// What ptxas tells of a kernel.
struct KernelResources {
  std::string name;
  unsigned registers = 0;
  unsigned stackBytes = 0;
  unsigned spillStoreBytes = 0;
  unsigned spillLoadBytes = 0;
};

/// A hazard that ptxas repaired at the cost of speed, and reports as mere information: "C7510".
struct AssemblerRemark {
  std::string code;
  std::string message;
};

struct Cubin {
  std::string image;
  std::vector<KernelResources> kernels;
  std::vector<AssemblerRemark> remarks;
};

struct AssemblyJob {
  llvm::StringRef ptx;
  const Target *target;
  /// Whether kernels that are assembled again may have cubins of their own.
  bool mayDivide = false;
};

/// A line of PTX that ptxas refuses, the kernel that it is in, and why.
struct RefusedLine {
  std::string kernel, text, why;
};

/// ptxas refuses code for a target.
class RefusedCode : public llvm::ErrorInfo<RefusedCode> {
public:
  static char ID;
  RefusedCode(std::string arch, std::vector<RefusedLine> lines, std::string log)
      : arch(std::move(arch)), lines(std::move(lines)), text(std::move(log)) {}

  void log(llvm::raw_ostream &stream) const override;
  std::error_code convertToErrorCode() const override { return std::make_error_code(std::errc::invalid_argument); }

  std::string arch;
  /// In the order of the PTX, each once.
  std::vector<RefusedLine> lines;

private:
  std::string text;
};

/// What ptxas refuses of `ptx`, as it wrote.
std::vector<RefusedLine> readRefusedLines(llvm::StringRef log, llvm::StringRef ptx);

/// Of one job: a cubin, or several, each of which is for the kernels that it tells of.
using Cubins = std::vector<Cubin>;

/// Runs ptxas for each job, as many at a time as there are processors. An error is about the first target whose code
/// was refused.
llvm::Expected<std::vector<Cubins>> assemble(llvm::ArrayRef<AssemblyJob> jobs, llvm::StringRef ptxas);

/// SASS of a cubin, as nvdisasm prints it, with source lines where the cubin has them.
llvm::Expected<std::string> disassemble(llvm::StringRef cubin, llvm::StringRef nvdisasm);

/// A part of PTX, which can be assembled on its own.
struct PtxPart {
  std::string text;
  /// The kernels in it. Empty: all there are.
  std::vector<std::string> kernels;
};

/// PTX in parts of some length; a long kernel is alone in its part. A kernel that spills is assembled several times,
/// and so is its part: that of others is not, nor is it after a change of another part's kernels.
std::vector<PtxPart> splitPtx(llvm::StringRef ptx);

/// PTX whose kernels say how many of their blocks a multiprocessor shall hold at least: those that are named here.
std::string withLeastBlocks(llvm::StringRef ptx, const llvm::StringMap<unsigned> &blocks);

/// PTX without the kernels that are not wanted.
std::string onlyKernels(llvm::StringRef ptx, const llvm::StringMap<unsigned> &wanted);

/// Adds what ptxas -v wrote: the resources of each kernel, and the remarks.
void readAssemblerLog(llvm::StringRef log, Cubin &cubin);

} // namespace tegula::codegen
