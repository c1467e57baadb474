// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What generated entries do: check their arrays and launch.

#include "overlap.h"
#include "platform.h"
#include "tensor_map.h"
#include "trace.h"

#include "tegula/abi.h"
#include "tegula/number.h"

#include <algorithm>
#include <cstring>

namespace tegula::abi {

namespace {

using runtime::gpu;
using runtime::platform;
using runtime::use_context;

constexpr std::int64_t max_blocks = 0x7fffffff;
/// In the messages of failed debug_checks: a number that is a bool.
constexpr const char *bool_hole = "{bool}";

std::string list(const std::int64_t *values, int count) {
  std::string text = "(";
  for (int i = 0; i < count; ++i)
    text += (i > 0 ? ", " : "") + std::to_string(values[i]);
  return text + ")";
}

/// Whether the extents above 0 multiply to more than max_elements.
bool has_too_many(const std::int64_t *dims, int rank) {
  std::int64_t size = 1;
  for (int i = 0; i < rank; ++i)
    if (dims[i] > 0 && __builtin_mul_overflow(size, dims[i], &size))
      return true;
  return size > max_elements;
}

/// How many blocks of a launch a GPU runs at once; 0 if it does not say.
std::int64_t most_resident(const platform &on, const gpu &where, const driver::launch_config &config, CUfunc_st *code,
                           unsigned blocks_in_cluster) {
  int count = 0;
  if (blocks_in_cluster > 1)
    return on.api.cuOccupancyMaxActiveClusters(&count, code, &config) == driver::success
               ? std::int64_t{count} * blocks_in_cluster
               : 0;
  const driver::result result = on.api.cuOccupancyMaxActiveBlocksPerMultiprocessor(
      &count, code, static_cast<int>(config.block_x), config.shared_bytes);
  return result == driver::success ? std::int64_t{count} * where.multiprocessors : 0;
}

} // namespace

bool elements_are_distinct(const view &v) noexcept {
  return runtime::distinctness_of(v) == runtime::distinctness::distinct;
}

void call::fail(const std::string &message) const { throw error(std::string(entry_) + ": " + message); }

void call::fail(std::string message, std::initializer_list<std::int64_t> numbers) const {
  std::size_t from = 0;
  for (const std::int64_t number : numbers) {
    const std::size_t hole = message.find("{}", from);
    if (hole == std::string::npos)
      break;
    const std::string text = std::to_string(number);
    message.replace(hole, 2, text);
    from = hole + text.size();
  }
  fail(message);
}

void call::clear(void *memory, std::size_t bytes) const {
  if (device_.is_meta())
    return;
  if (on_cpu()) {
    std::memset(memory, 0, bytes);
    return;
  }
  platform &on = platform::current();
  const gpu &where = on.use(entry_, device_.ordinal());
  runtime::check_stream(stream_, device_, entry_);
  const use_context context(on, where, entry_);
  on.check(on.api.cuMemsetD8Async(reinterpret_cast<std::uintptr_t>(memory), 0, bytes, stream_.handle()), entry_,
           "clearing memory failed");
}

buffer<double, 2> call::record(std::int64_t programs, std::int64_t width) const {
  auto host = buffer<double, 2>::empty({programs, width});
  std::fill_n(host.data(), host.size(), -1.0);
  return on_cpu() ? std::move(host) : host.to(device_, stream_);
}

void call::report(const buffer<double, 2> &record, std::initializer_list<const char *> messages,
                  std::initializer_list<std::int64_t> grid) const {
  if (device_.is_meta())
    return;
  const auto rows = record.to_host(stream_);
  std::int64_t program = 0;
  while (program < rows.dim(0) && rows(program, 0) < 0)
    ++program;
  if (program == rows.dim(0))
    return;
  std::string place, message = messages.begin()[static_cast<std::size_t>(rows(program, 0))];
  std::int64_t rest = program;
  for (const std::int64_t *size = grid.end(); size != grid.begin();) { // The last axis runs fastest.
    --size;
    place = std::to_string(rest % *size) + (place.empty() ? "" : ", ") + place;
    rest /= *size;
  }
  std::size_t from = 0;
  for (std::int64_t i = 1; i < rows.dim(1); ++i) {
    from = std::min(message.find("{}", from), message.find(bool_hole, from));
    if (from == std::string::npos)
      break;
    const bool is_bool = message.compare(from, std::strlen(bool_hole), bool_hole) == 0;
    const double value = rows(program, i);
    const std::string text = !is_bool ? detail::number_text("%.17g", value) : value != 0 ? "true" : "false";
    message.replace(from, is_bool ? std::strlen(bool_hole) : 2, text);
    from += text.size();
  }
  if (!place.empty())
    message.insert(message.find(": ") + 2, "program (" + place + "): ");
  fail(message);
}

buffer<std::int64_t, 2> call::trace(std::int64_t rows, std::int64_t events) const {
  return zeros<std::int64_t, 2>(nullptr, {max(rows, 0), trace::words + trace::words_of_event * events});
}

void call::keep_trace(const buffer<std::int64_t, 2> &trace, const char *launch,
                      std::initializer_list<const char *> scopes, int threads, int rows) const {
  if (device_.is_meta() || trace.dim(0) == 0)
    return;
  const auto noted = trace.to_host(stream_);
  runtime::keep_trace(launch, {noted.data(), noted.dim(0), noted.dim(1), rows}, scopes, threads, on_cpu());
}

void call::refuse(const char *name, const view &v, bool too_large) const {
  const auto because = [&](const std::string &why) { fail("'" + std::string(name) + "' " + why); };
  if (v.where != device_)
    because("is on " + to_string(v.where) + " and '" + first_array_ + "' on " + to_string(device_) +
            ": the arrays of a call must be on one device, copy one with to(array, device)");
  for (int i = 0; i < v.rank; ++i)
    if (v.dims[i] < 0)
      because("has the negative extent " + std::to_string(v.dims[i]) + " in dimension " + std::to_string(i));
  for (int i = 0; i < v.rank; ++i)
    if (v.dims[i] > 1 && v.strides[i] < 0)
      because("has the negative stride " + std::to_string(v.strides[i]) + " in dimension " + std::to_string(i) +
              ": strides must not be negative, copy it in the order of its memory");
  const std::string dims = list(v.dims, v.rank), strides = list(v.strides, v.rank);
  if (has_too_many(v.dims, v.rank))
    because("of shape " + dims + " has more than 2^56 elements");
  if (too_large)
    because("of shape " + dims + " and strides " + strides + " has more than 2^63 - 1 bytes");
  if (v.data == nullptr)
    because("of shape " + dims + " has no memory: its pointer is null");
  if (!starts_at_element(v))
    because("starts at an address that is not a multiple of its elements' " + std::to_string(v.element_size) +
            " bytes: copy it to memory of its type");
  if (!has_rows_of_bytes(v))
    because("of shape " + dims + " and strides " + strides +
            " packs two elements per byte, but its rows do not begin at whole bytes: the last stride must be 1, the "
            "others even, and a slice of the last dimension must begin at an even index");
  const char *const what = runtime::distinctness_of(v) == runtime::distinctness::repeated
                               ? " several indices refer to one element: give it memory of its own"
                               : " it takes too long to find out whether several indices refer to one element: give it "
                                 "strides each of which exceeds the span of all smaller ones";
  fail("'" + std::string(name) + "' is written, but with shape " + dims + " and strides " + strides + what);
}

void call::fail_overlap(const std::string &written, const std::string &other) const {
  fail("'" + written + "' is written and shares memory with '" + other +
       "': an array that a launch writes must not overlap its other arrays, copy one of the two");
}

void call::no_overlap(std::initializer_list<access> accesses) const {
  if (device_.is_meta()) // Pointers to nothing may be alike.
    return;
  if (std::any_of(accesses.begin(), accesses.end(), [](const access &each) { return each.members != nullptr; }))
    return no_overlap_of_lists(accesses);
  for (const access &written : accesses) {
    if (!written.written)
      continue;
    for (const access &other : accesses)
      if (&other != &written && written.begin < other.end && other.begin < written.end &&
          runtime::share_memory(written.source, other.source))
        fail_overlap(written.name, other.name);
  }
}

void call::check_copied(const char *name, const view &v, bool is_written, const int *order) const {
  runtime::check_copyable(entry_, name, {v, order, is_written});
}

bool call::is_class(any_image_set &images, std::initializer_list<int> classes) const {
  const gpu &where = platform::current().use(entry_, device_.ordinal());
  const image *code = images.chosen(where.ordinal, where.arch);
  if (code == nullptr)
    return false; // The launch says what is missing.
  for (const int each : classes)
    if (each == code->arch_class)
      return true;
  return false;
}

std::int64_t call::multiprocessors() const {
  return !on_gpu() ? 1 : platform::current().use(entry_, device_.ordinal()).multiprocessors;
}

std::int64_t call::resident_clusters(kernel &function, int threads, std::int64_t cluster) const {
  platform &on = platform::current();
  const gpu &where = on.use(entry_, device_.ordinal());
  std::atomic<kernel::resident> &known = function.resident_clusters(where.ordinal);
  const auto blocks = static_cast<std::int32_t>(cluster);
  if (const kernel::resident last = known.load(std::memory_order_relaxed); last.cluster == blocks)
    return last.count;
  const use_context context(on, where, entry_);
  auto *const code = static_cast<CUfunc_st *>(function.function(entry_, where.ordinal));
  driver::launch_attribute shape{driver::launch_cluster, {}, {1, static_cast<unsigned>(blocks), 1}};
  const driver::launch_config config{1,
                                     static_cast<unsigned>(blocks),
                                     1,
                                     static_cast<unsigned>(threads),
                                     1,
                                     1,
                                     static_cast<unsigned>(function.shared_bytes()),
                                     nullptr,
                                     &shape,
                                     1};
  const std::int64_t count =
      std::max<std::int64_t>(1, most_resident(on, where, config, code, static_cast<unsigned>(blocks)) / blocks);
  known.store({blocks, static_cast<std::int32_t>(count)}, std::memory_order_relaxed);
  return count;
}

void call::launch_slots(kernel &function, launch_shape shape, const packing::parameters &parameters) const {
  if (shape.blocks <= 0)
    return;
  if (shape.blocks > max_blocks)
    fail("kernel '" + std::string(function.name()) + "' needs " + std::to_string(shape.blocks) +
         " CTAs, but a launch has at most " + std::to_string(max_blocks) +
         ": split the call into several over parts of the arrays");
  platform &on = platform::current();
  const gpu &where = on.use(entry_, device_.ordinal());
  runtime::check_stream(stream_, device_, entry_);
  const use_context context(on, where, entry_);
  auto *const code = static_cast<CUfunc_st *>(function.function(entry_, where.ordinal));
  for (int i = 0; i < parameters.map_count; ++i) {
    const packing::map_request &wanted = parameters.maps[i];
    runtime::make_tensor_map(entry_, *wanted.map, on, where, parameters.slots + wanted.slot);
  }
  const auto blocks_in_cluster = static_cast<unsigned>(shape.cluster > 0 ? shape.cluster : function.cluster());
  // Clusters are numbered along x and their blocks along y: a block knows both without a division.
  driver::launch_attribute attributes[3];
  unsigned attribute_count = 0;
  if (shape.cluster > 0 || blocks_in_cluster > 1) // A cluster of one block is one, too.
    attributes[attribute_count++] = {driver::launch_cluster, {}, {1, blocks_in_cluster, 1}};
  // Blocks are placed while the grid before ends (CUDA C++ Programming Guide, "Programmatic Dependent Launch").
  if (shape.overlaps && function.waits_for_grids(where.ordinal, where.arch))
    attributes[attribute_count++] = {driver::launch_programmatic, {}, {1}};
  if (shape.is_resident)
    attributes[attribute_count++] = {driver::launch_cooperative, {}, {1}};
  const driver::launch_config config{static_cast<unsigned>(shape.blocks) / blocks_in_cluster,
                                     blocks_in_cluster,
                                     1,
                                     static_cast<unsigned>(shape.threads),
                                     1,
                                     1,
                                     static_cast<unsigned>(function.shared_bytes()),
                                     stream_.handle(),
                                     attribute_count > 0 ? attributes : nullptr,
                                     attribute_count};
  std::size_t bytes = static_cast<std::size_t>(parameters.count) * sizeof *parameters.slots;
  void *extra[] = {reinterpret_cast<void *>(driver::param_pointer), parameters.slots,
                   reinterpret_cast<void *>(driver::param_size), &bytes, reinterpret_cast<void *>(driver::param_end)};
  const bool has_maps = parameters.map_count > 0;
  const driver::result result = on.api.cuLaunchKernelEx(&config, code, has_maps ? parameters.pointers : nullptr,
                                                        has_maps || parameters.count == 0 ? nullptr : extra);
  if (result == driver::too_many_blocks)
    fail("kernel '" + std::string(function.name()) + "' has " + std::to_string(shape.blocks) +
         " CTAs that synchronize, but " + runtime::to_string(where) + " runs " +
         std::to_string(most_resident(on, where, config, code, blocks_in_cluster)) +
         " of them at once: give it fewer CTAs, each of which does more of the work, by tg::nd_loop; if CTAs wait only "
         "for earlier ones, set .waiting_for = tg::earlier_blocks");
  if (result != driver::success)
    fail("launching kernel '" + std::string(function.name()) + "' on " + runtime::to_string(where) +
         " failed: " + driver::explain(on.api, result));
}

void divided_by_zero(const char *where) { throw error(std::string(where) + ": division by zero in host code"); }

void overflowed(const char *where, std::int64_t a, const char *sign, std::int64_t b) {
  throw error(std::string(where) + ": " + std::to_string(a) + " " + sign + " " + std::to_string(b) +
              " does not fit into 64 bits");
}

[[noreturn]] static void fail_to_fit(const char *where, const std::string &value, int bits, bool is_signed) {
  throw error(std::string(where) + ": " + value + " does not fit into an " + (is_signed ? "" : "unsigned ") +
              "integer of " + std::to_string(bits) + " bits");
}

void does_not_fit(const char *where, std::int64_t value, int bits) {
  fail_to_fit(where, std::to_string(value), bits, /*is_signed=*/true);
}

void does_not_fit(const char *where, double value, int bits, bool is_signed) {
  char number[32];
  std::snprintf(number, sizeof number, "%.17g", value);
  fail_to_fit(where, number, bits, is_signed);
}

void shifted_too_far(const char *where, std::int64_t amount, int bits) {
  throw error(std::string(where) + ": an integer of " + std::to_string(bits) + " bits can be shifted by 0 to " +
              std::to_string(bits - 1) + ", not by " + std::to_string(amount));
}

void negative_grid(const char *where, std::int64_t size) {
  throw error(std::string(where) + ": the sizes of a grid must be 0 or more, not " + std::to_string(size));
}

} // namespace tegula::abi
