// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/NativeTargets.h"

#include <algorithm>
#include <dlfcn.h>

namespace tegula::driver {

const Target *targetFor(int capability) {
  const Target *found = nullptr;
  for (const Target &target : knownTargets()) // In ascending order.
    if (target.number == capability || (target.isPortable() && target.number < capability))
      found = &target;
  return found;
}

/// What cuDeviceGetAttribute calls the compute capability (cuda.h, CUdevice_attribute).
static constexpr int majorAttribute = 75, minorAttribute = 76;

std::vector<const Target *> nativeTargets(std::string &why) {
  std::vector<const Target *> targets;
  why = "name the architecture, as in --arch sm_90a";
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  if (!library) {
    why = "NVIDIA's driver, libcuda.so.1, is not installed; " + why;
    return targets;
  }
  auto initialize = reinterpret_cast<int (*)(unsigned)>(dlsym(library, "cuInit"));
  auto count = reinterpret_cast<int (*)(int *)>(dlsym(library, "cuDeviceGetCount"));
  auto get = reinterpret_cast<int (*)(int *, int)>(dlsym(library, "cuDeviceGet"));
  auto attribute = reinterpret_cast<int (*)(int *, int, int)>(dlsym(library, "cuDeviceGetAttribute"));
  int devices = 0;
  if (!initialize || !count || !get || !attribute || initialize(0) != 0 || count(&devices) != 0 || devices == 0) {
    why = "the driver lists no GPU; " + why;
    return targets;
  }
  for (int i = 0; i < devices; ++i) {
    int device = 0, major = 0, minor = 0;
    if (get(&device, i) != 0 || attribute(&major, majorAttribute, device) != 0 ||
        attribute(&minor, minorAttribute, device) != 0)
      continue;
    const Target *target = targetFor(10 * major + minor);
    if (target && std::find(targets.begin(), targets.end(), target) == targets.end())
      targets.push_back(target);
  }
  if (targets.empty())
    why = "the GPUs here are older than sm_75; " + why;
  return targets;
}

} // namespace tegula::driver
