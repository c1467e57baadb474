// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "images.h"

#include "environment.h"
#include "platform.h"

#include <cstring>

namespace tegula::runtime {

namespace {

constexpr int oldest_arch = 75; // what tegulac compiles for

/// The newest architecture whose code is taken, as the environment says; 0 sets no limit.
int max_arch_in_environment() { return static_cast<int>(number_in_environment("TEGULA_MAX_ARCH", /*most=*/999)); }

bool runs_on(const abi::image &code, int arch) {
  if (code.feature != 0)
    return code.arch == arch;
  if (code.kind == abi::image_kind::cubin)
    return code.arch / 10 == arch / 10 && code.arch <= arch;
  return code.arch <= arch;
}

/// Larger is better, among images that run.
int rank(const abi::image &code) {
  return (code.kind == abi::image_kind::cubin ? 1'000'000 : 0) + code.arch * 10 + (code.feature != 0 ? 1 : 0);
}

std::string sm(int arch, char feature) {
  return "sm_" + std::to_string(arch) + (feature != 0 ? std::string(1, feature) : std::string());
}

[[noreturn]] void no_image(const char *entry, const abi::any_image_set &images, const gpu &where) {
  std::string held, last;
  for (const abi::image &code : images)
    if (std::string name = to_string(code); name != last) { // Parts stand in a row.
      held += (held.empty() ? "" : ", ") + name;
      last = std::move(name);
    }
  std::string text = std::string(entry) + ": no code for " + to_string(where) + ", which is " + sm(where.arch, 0) +
                     ": the program holds " + (held.empty() ? "code for the CPU only" : held) + "; ";
  if (const int limit = max_arch_in_environment(); limit != 0 && limit < where.arch)
    throw error(text + "the environment variable TEGULA_MAX_ARCH is " + std::to_string(limit) +
                ", which passes over newer code: unset it, or pass --arch=" + target_for(limit) + " to tegulac, too");
  if (where.arch < oldest_arch)
    throw error(text + "Tegula's GPUs start at " + sm(oldest_arch, 0) + ", keep the arrays on the CPU");
  throw error(text + "pass --arch=" + target_for(where.arch) + " to tegulac");
}

bool holds(const abi::image &code, const char *kernel) {
  if (code.kernels == nullptr)
    return true;
  const char *const *name = code.kernels;
  while (*name != nullptr && std::strcmp(*name, kernel) != 0)
    ++name;
  return *name != nullptr;
}

/// The image with a kernel among those that make up the same code as `one`, or null.
const abi::image *image_with(const char *kernel, const abi::any_image_set &images, const abi::image &one) {
  for (const abi::image &code : images)
    if (code.arch == one.arch && code.feature == one.feature && code.kind == one.kind && holds(code, kernel))
      return &code;
  return nullptr;
}

/// Loads code into the current context. The driver keeps it until the process ends.
CUmod_st *load_module(const char *entry, const abi::image &code, const platform &on, const gpu &where) {
  char log[8192] = {};
  int options[] = {driver::jit_error_log, driver::jit_error_log_bytes};
  void *values[] = {log, reinterpret_cast<void *>(std::uintptr_t{sizeof log - 1})};
  const bool is_ptx = code.kind == abi::image_kind::ptx;
  const std::string text =
      is_ptx ? std::string(reinterpret_cast<const char *>(code.data), code.size) : std::string(); // 0 at its end
  CUmod_st *module = nullptr;
  const driver::result result = on.api.cuModuleLoadDataEx(
      &module, is_ptx ? static_cast<const void *>(text.c_str()) : code.data, 2, options, values);
  if (result == driver::success)
    return module;
  std::string message = std::string(entry) + ": the driver does not " + (is_ptx ? "compile" : "load") + " the " +
                        to_string(code) + " for " + to_string(where) + ": " + driver::explain(on.api, result);
  if (result == driver::unsupported_ptx_version || result == driver::jit_compiler_not_found)
    message += "; update the driver, or pass --arch=" + target_for(where.arch) +
               " to tegulac, for code that needs no compiling";
  if (log[0] != '\0')
    message += std::string("\n") + log;
  throw error(message);
}

/// What the driver wants to know of a kernel before its first launch.
void set_attributes(const char *entry, const abi::kernel &code, CUfunc_st *function, const platform &on,
                    const gpu &where) {
  const std::string kernel = std::string(entry) + ": kernel '" + code.name() + "'";
  if (code.shared_bytes() > where.shared_bytes)
    throw error(kernel + " takes " + std::to_string(code.shared_bytes()) + " bytes of shared memory in a CTA, but " +
                to_string(where) + " has " + std::to_string(where.shared_bytes) +
                ": use smaller tiles or fewer pipeline stages");
  driver::result result = driver::success;
  if (code.shared_bytes() > 0)
    result = on.api.cuFuncSetAttribute(function, driver::function_shared_bytes, code.shared_bytes());
  if (result == driver::success && code.cluster() > 8) // More is not portable between GPUs, and asked for by name.
    result = on.api.cuFuncSetAttribute(function, driver::function_large_cluster, 1);
  if (result != driver::success)
    throw error(kernel + " cannot have " + std::to_string(code.shared_bytes()) +
                " bytes of shared memory in clusters of " + std::to_string(code.cluster()) + " on " + to_string(where) +
                ": " + driver::explain(on.api, result));
}

} // namespace

const abi::image *select_image(const abi::image *begin, const abi::image *end, int arch, bool ptx_only,
                               int max_arch) noexcept {
  const abi::image *best = nullptr;
  for (const abi::image *code = begin; code != end; ++code)
    if (runs_on(*code, arch) && (!ptx_only || code->kind == abi::image_kind::ptx) &&
        (max_arch == 0 || code->arch <= max_arch) && (best == nullptr || rank(*code) > rank(*best)))
      best = code;
  return best;
}

std::string to_string(const abi::image &code) {
  return sm(code.arch, code.feature) + (code.kind == abi::image_kind::cubin ? " cubin" : " PTX");
}

std::string target_for(int arch) { return sm(arch, arch >= 90 ? 'a' : '\0'); }

} // namespace tegula::runtime

namespace tegula::abi {

const image *any_image_set::choose(int ordinal, int arch) {
  // A GPU tests code that others get.
  const bool is_ptx_only = runtime::number_in_environment("TEGULA_PTX_ONLY", /*most=*/1) == 1;
  const image *best = runtime::select_image(begin(), end(), arch, is_ptx_only, runtime::max_arch_in_environment());
  chosen_[ordinal].value.store(best, std::memory_order_release);
  return best;
}

void *kernel::load(const char *entry, int ordinal) {
  using namespace runtime;
  platform &on = platform::current();
  const gpu &where = on.use(entry, ordinal);
  const std::lock_guard<std::mutex> lock(images_.loading_);
  if (void *loaded = functions_[ordinal].value.load(std::memory_order_relaxed)) // by a thread that was faster
    return loaded;
  const image *code = images_.chosen(ordinal, where.arch);
  if (code == nullptr)
    no_image(entry, images_, where);
  code = image_with(name_, images_, *code);
  if (code == nullptr)
    refuse(entry, ordinal);
  void *&module = images_.loaded_[code - images_.begin()].modules[ordinal];
  if (module == nullptr)
    module = load_module(entry, *code, on, where);
  CUfunc_st *function = nullptr;
  const driver::result result = on.api.cuModuleGetFunction(&function, static_cast<CUmod_st *>(module), name_);
  if (result == driver::not_found)
    refuse(entry, ordinal);
  if (result != driver::success)
    throw error(std::string(entry) + ": kernel '" + name_ + "' does not load on " + runtime::to_string(where) + ": " +
                driver::explain(on.api, result));
  set_attributes(entry, *this, function, on, where);
  functions_[ordinal].value.store(function, std::memory_order_release);
  return function;
}

void kernel::refuse(const char *entry, int ordinal) const {
  using namespace runtime;
  throw error(std::string(entry) + ": the code for " + runtime::to_string(platform::current().use(entry, ordinal)) +
              " has no kernel '" + name_ +
              "': the generated code and its image come from different runs of tegulac, build again");
}

} // namespace tegula::abi
