// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Target.h"

#include <algorithm>
#include <limits>

namespace tegula {

static constexpr ArchClass classes[] = {
    {"7.5", 64 << 10, SharedCopies::none, TensorCores::shortMma},
    {"8.x", 99 << 10, SharedCopies::cpAsync, TensorCores::mma},
    {"9.0a", 227 << 10, SharedCopies::tma, TensorCores::wgmma, /*mostInCluster=*/16},
    {"10.x", 227 << 10, SharedCopies::tma, TensorCores::tcgen05, /*mostInCluster=*/16},
    {"12.x", 99 << 10, SharedCopies::tma, TensorCores::mma, /*mostInCluster=*/8},
};

static constexpr const ArchClass *turing = &classes[0], *ampere = &classes[1], *hopper = &classes[2],
                                 *blackwell = &classes[3], *blackwellRtx = &classes[4];

// LLVM 19 ends at sm_90a and PTX 8.5. What it writes for sm_90 is valid PTX for what came after. PTX 8.4 is the first
// that has wgmma of s8 by u8, and mma.sync of 8-bit floats.
static constexpr Target targets[] = {
    {"sm_75", 75, 0, "sm_75", "+ptx70", "", turing, /*hasHalfExtrema=*/false},
    {"sm_80", 80, 0, "sm_80", "+ptx70", "", ampere},
    {"sm_86", 86, 0, "sm_86", "+ptx71", "", ampere},
    {"sm_89", 89, 0, "sm_89", "+ptx84", "", ampere, /*hasHalfExtrema=*/true, /*hasFloat8Casts=*/true},
    {"sm_90a", 90, 'a', "sm_90a", "+ptx84", "", hopper, /*hasHalfExtrema=*/true, /*hasFloat8Casts=*/true},
    {"sm_100a", 100, 'a', "sm_90", "+ptx85", "8.6", blackwell, /*hasHalfExtrema=*/true, /*hasFloat8Casts=*/true},
    {"sm_103a", 103, 'a', "sm_90", "+ptx85", "8.8", blackwell, /*hasHalfExtrema=*/true, /*hasFloat8Casts=*/true},
    {"sm_120a", 120, 'a', "sm_90", "+ptx85", "8.7", blackwellRtx, /*hasHalfExtrema=*/true, /*hasFloat8Casts=*/true},
};

std::span<const Target> knownTargets() { return targets; }

std::span<const ArchClass> knownClasses() { return classes; }

int sharedBytesForMmaSync() {
  int least = std::numeric_limits<int>::max();
  for (const ArchClass &archClass : classes)
    if (archClass.takesMmaSync() && archClass.hasCpAsync())
      least = std::min(least, archClass.sharedBytes);
  return least;
}

const ArchClass *findClass(std::string_view name) {
  for (const ArchClass &archClass : classes)
    if (archClass.name == name)
      return &archClass;
  return nullptr;
}

int numberOf(const ArchClass &archClass) { return static_cast<int>(&archClass - classes); }

const Target *findTarget(std::string_view name) {
  for (const Target &target : targets)
    if (target.name == name)
      return &target;
  return nullptr;
}

std::string unknownTargetMessage(std::string_view name) {
  std::string message = "unknown architecture '" + std::string(name) + "'";
  for (const Target &target : targets)
    if (target.name == std::string(name) + target.feature)
      return message + "; write " + std::string(target.name) + ", whose code runs on this chip";
  message += "; known are ";
  for (const Target &target : targets)
    message += (&target == targets ? "" : ", ") + std::string(target.name);
  return message;
}

} // namespace tegula
