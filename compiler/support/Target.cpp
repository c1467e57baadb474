// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Target.h"

namespace tegula {

// LLVM 19 ends at sm_90a and PTX 8.5. What it writes for sm_90 is valid PTX for what came after.
static constexpr Target targets[] = {
    {"sm_75", 75, 0, "sm_75", "+ptx70", "", /*hasHalfExtrema=*/false},
    {"sm_80", 80, 0, "sm_80", "+ptx70", ""},
    {"sm_86", 86, 0, "sm_86", "+ptx71", ""},
    {"sm_89", 89, 0, "sm_89", "+ptx78", ""},
    {"sm_90a", 90, 'a', "sm_90a", "+ptx81", "", /*hasHalfExtrema=*/true, /*hasTma=*/true, /*hasWgmma=*/true,
     /*sharedKib=*/227},
    {"sm_100a", 100, 'a', "sm_90", "+ptx85", "8.6", /*hasHalfExtrema=*/true, /*hasTma=*/true, /*hasWgmma=*/false,
     /*sharedKib=*/227},
    {"sm_103a", 103, 'a', "sm_90", "+ptx85", "8.8", /*hasHalfExtrema=*/true, /*hasTma=*/true, /*hasWgmma=*/false,
     /*sharedKib=*/227},
    {"sm_120a", 120, 'a', "sm_90", "+ptx85", "8.7", /*hasHalfExtrema=*/true, /*hasTma=*/true, /*hasWgmma=*/false,
     /*sharedKib=*/99},
};

std::span<const Target> knownTargets() { return targets; }

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
      return message + "; say " + std::string(target.name) + ", whose code runs on this chip";
  message += "; known are ";
  for (const Target &target : targets)
    message += (&target == targets ? "" : ", ") + std::string(target.name);
  return message;
}

} // namespace tegula
