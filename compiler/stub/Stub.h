// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ that tegulac writes: kernels as loops for the CPU, and the host functions that users call. All text goes
// through one structured emitter (Writer.h, Expr.h, Names.h).
//
// CPU kernels are printed from `tile` IR before splitting (Program.h). A launch of the explicit level becomes the
// program of one warpgroup, in calls of tegula/cpu/explicit.h, which the runtime runs as fibers (Explicit.h). Host code
// holds the plan of every launch (Host.h). Signed arithmetic of the host is checked for overflow unless HostRanges.h
// excludes it; the frontend marks what is unsigned (ir/HostAttributes.h). What the compiler cannot prove, CPU code
// checks as it runs (RunTimeChecks.cpp).
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/LogicalResult.h"

#include <string>
#include <vector>

namespace tegula::stub {

enum class ImageKind { cubin, ptx };

/// Machine code for one architecture: {90, 'a', ...} is for sm_90a, {80, 0, ...} for sm_80.
struct Image {
  int arch = 0;
  char feature = 0;
  ImageKind kind = ImageKind::cubin;
  std::string bytes;
  /// The class of architectures whose plans launch it, by number.
  int archClass = 0;
  /// Its kernels may be launched while the grid before ends.
  bool waitsForGrids = false;
  /// The kernels in it. Empty: all that there are for the architecture.
  std::vector<std::string> kernels;
};

struct StubOptions {
  /// The kernel source, as comments name it.
  std::string kernelSource;
  /// How the generated source includes the generated header.
  std::string headerName;
  /// How `#line` names the generated source; if empty, that is the header's name with .cpp at its end.
  std::string sourceName;
  /// `#line` before what stands for a line of the kernel source, so that debuggers step there.
  bool lineDirectives = true;
  /// Entries are visible outside a shared library that hides its symbols by default.
  bool exportEntries = false;
  /// Launches on the CPU run the plan, by kernels printed from their split form: the same program in another way.
  bool splitOnCpu = false;
};

struct Stub {
  std::string header;
  std::string source;
};

/// How every file that tegulac writes in C++ begins.
inline constexpr llvm::StringLiteral notice = "// Made by tegulac";

/// The CPU kernels of a module: the bodies of its launches and, with `splitOnCpu`, its kernels.
mlir::FailureOr<std::string> printCpu(mlir::ModuleOp module, const StubOptions &options);

/// Header and source of a module's entries, CPU kernels and images included.
mlir::FailureOr<Stub> printStub(mlir::ModuleOp module, llvm::ArrayRef<Image> images, const StubOptions &options);

} // namespace tegula::stub
