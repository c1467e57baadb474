// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU architectures that code is made for: the one table of what each is called and how its code comes about.
#pragma once

#include "support/Registers.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tegula {

/// What functions of LLVM carry that are not for all classes of the module: the names of theirs, with commas between.
inline constexpr char classesAttribute[] = "tegula-classes";
/// What kernels carry that divide so often that divisions are calls.
inline constexpr char callsDivisionsAttribute[] = "tegula-calls-divisions";

/// How operands come to shared memory without passing through registers.
enum class SharedCopies { none, cpAsync, tma };

/// The tensor-core instructions (PTX ISA: mma.sync, wgmma.mma_async, tcgen05.mma; mma.sync runs everywhere, but for f16
/// alone and 8 deep, `shortMma`, before sm_80).
enum class TensorCores { shortMma, mma, wgmma, tcgen05 };

/// What the chips of a class have in common. Launches are planned once for each class: plans read this record, and
/// never an architecture's number. Numbers are the least that any chip of the class has (CUDA C++ Programming Guide,
/// "Compute Capabilities").
struct ArchClass {
  /// "9.0a", as in `tile-split=classes=...`.
  std::string_view name;
  /// Bytes of shared memory that a CTA can have.
  int sharedBytes;
  SharedCopies copies;
  TensorCores tensorCores;
  /// The most CTAs of a cluster: those that may be more than is portable to other classes (the runtime asks for them);
  /// 1 where there are no clusters.
  int mostInCluster = 1;
  /// Registers of 32 bits that a CTA can have.
  int64_t registers = registersOfMultiprocessor;

  bool hasTma() const { return copies == SharedCopies::tma; }
  bool hasClusters() const { return mostInCluster > 1; }
  bool hasWgmma() const { return tensorCores == TensorCores::wgmma; }
  bool hasCpAsync() const { return copies != SharedCopies::none; }
  bool hasShortMma() const { return tensorCores == TensorCores::shortMma; }
  /// Whether products of the portable level take mma.sync.
  bool takesMmaSync() const { return !hasWgmma(); }
};

struct Target {
  /// As in `--arch` and in ptxas' `-arch`: "sm_90a".
  std::string_view name;
  /// 90 and 'a'; 0 for an architecture whose PTX runs on every later one.
  int number;
  char feature;
  /// What LLVM generates code for. Later architectures than it knows take the code of its last one.
  std::string_view llvmCpu;
  std::string_view llvmFeatures;
  /// The `.version` that the PTX gets instead of LLVM's, where `.target` is not LLVM's either; else empty.
  std::string_view ptxVersion;
  const ArchClass *archClass;
  /// Greatest and least of f16 and bf16 by one instruction (PTX ISA, max.bf16).
  bool hasHalfExtrema = true;
  /// Conversions of 8-bit floats by one instruction (PTX ISA, cvt.rn.satfinite.e4m3x2: sm_89 and later, from PTX 8.1
  /// on).
  bool hasFloat8Casts = false;
  /// mma.sync of 8-bit floats (PTX ISA: sm_89 and later, from PTX 8.4 on).
  bool hasFloat8Mma() const { return number >= 89; }
  /// mma.sync of f64 of more than 8 rows (PTX ISA: sm_90 and later).
  bool hasTallDoubleMma() const { return number >= 90; }
  /// Kernels that are launched while the grid before ends, and wait for it (PTX ISA, griddepcontrol: sm_90 and later).
  bool hasGridDependencies() const { return number >= 90; }
  /// Whether the PTX can be loaded by later architectures.
  bool isPortable() const { return feature == 0; }
};

/// All of them, in ascending order.
std::span<const Target> knownTargets();
std::span<const ArchClass> knownClasses();

/// The shared memory that a CTA can have on all chips whose products take mma.sync on what cp.async copies.
int sharedBytesForMmaSync();

/// The class of this name; null if there is none.
const ArchClass *findClass(std::string_view name);
/// Where a class is among all.
int numberOf(const ArchClass &archClass);

/// The target of this name; null if there is none.
const Target *findTarget(std::string_view name);

/// What to tell a user who asked for an architecture that findTarget does not know.
std::string unknownTargetMessage(std::string_view name);

} // namespace tegula
