// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "driver.h"

#include <dlfcn.h>

namespace tegula::driver {

namespace {

// What a kernel leaves behind in its context when it fails: every later call returns it.
bool is_kernel_failure(result code) {
  return code == 700    // illegal address
         || code == 702 // timeout
         || code == 710 // assert
         || (code >= 714 &&
             code <= 719); // hardware stack, illegal instruction, misaligned address, address space, pc, launch failed
}

} // namespace

std::string load(const char *library, table &functions) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    return dlerror();
#define TEGULA_DRIVER_LOOKUP(name, symbol, parameters)                                                                 \
  functions.name = reinterpret_cast<decltype(functions.name)>(dlsym(handle, symbol));                                  \
  if (functions.name == nullptr)                                                                                       \
    return std::string(library) + " has no " symbol ", it is older than CUDA 12.0 (driver 525)";
  TEGULA_DRIVER_FUNCTIONS(TEGULA_DRIVER_LOOKUP)
#undef TEGULA_DRIVER_LOOKUP
  return {};
}

std::string describe(const table &api, result code) {
  const char *name = nullptr;
  const char *text = nullptr;
  if (api.cuGetErrorName(code, &name) != success || name == nullptr)
    return "CUDA error " + std::to_string(code);
  if (api.cuGetErrorString(code, &text) != success || text == nullptr)
    return name;
  return std::string(name) + " (" + text + ")";
}

std::string explain(const table &api, result code) {
  std::string text = describe(api, code);
  if (is_kernel_failure(code))
    text += ": a kernel launched before failed on the GPU, and the process cannot use this GPU any more; run the same "
            "call on CPU arrays, or the program under compute-sanitizer, to find out where";
  return text;
}

} // namespace tegula::driver
