// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU architectures that code is made for: the one table of what each is called and how its code comes about.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tegula {

/// What functions of LLVM carry that only chips with clusters can run.
inline constexpr char clusterAttribute[] = "tegula-cluster";

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
  /// Greatest and least of f16 and bf16 by one instruction (PTX ISA, max.bf16).
  bool hasHalfExtrema = true;
  /// Copies between global and shared memory by tensor maps, and clusters of blocks.
  bool hasTma = false;
  /// Hopper's matrix unit, which nothing later has.
  bool hasWgmma = false;
  /// The shared memory that a block of the explicit level can have, in KiB (CUDA C++ Programming Guide, compute
  /// capabilities).
  int sharedKib = 0;

  /// Whether the PTX can be loaded by later architectures.
  bool isPortable() const { return feature == 0; }
};

/// All of them, in ascending order.
std::span<const Target> knownTargets();

/// The target of this name; null if there is none.
const Target *findTarget(std::string_view name);

/// What to tell a user who asked for an architecture that findTarget does not know.
std::string unknownTargetMessage(std::string_view name);

} // namespace tegula
