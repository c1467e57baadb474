// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness.h"

#include <tegula/cpu/explicit.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <regex>

namespace fuzz {
namespace {

using tegula::dtype;

/// Bytes around what an array may touch: who writes here is out of bounds.
constexpr std::size_t guard = 64;
constexpr unsigned char poison = 0xa5;

/// Exit status where a GPU may have lost its context: what comes next runs in a new process, --after this case.
constexpr int context_lost = 4;

struct options {
  std::uint64_t seed = 1;
  std::string only, after;
  std::string filter; ///< a regular expression that names contain
  std::size_t every = 1;
  bool hand_over = true;
  tegula::device second;
};

// ===== Inputs
// ==========================================================================================================

struct format {
  int bits, mantissa;
  std::uint64_t infinity;
};

format format_of(dtype type) {
  switch (type) {
  case dtype::f16:
    return {16, 10, 0x7c00};
  case dtype::bf16:
    return {16, 7, 0x7f80};
  case dtype::f32:
    return {32, 23, 0x7f800000};
  case dtype::f64:
    return {64, 52, 0x7ff0000000000000};
  default:
    return {static_cast<int>(8 * size_of(type)), 0, 0};
  }
}

double to_double(dtype type, std::uint64_t bits) {
  switch (type) {
  case dtype::f16:
    return tegula::f16::from_bits(static_cast<std::uint16_t>(bits));
  case dtype::bf16:
    return tegula::bf16::from_bits(static_cast<std::uint16_t>(bits));
  case dtype::f32:
    return tegula::detail::bit_cast<float>(static_cast<std::uint32_t>(bits));
  default:
    return tegula::detail::bit_cast<double>(bits);
  }
}

std::uint64_t from_double(dtype type, double value) {
  switch (type) {
  case dtype::f16:
    return tegula::f16(value).bits;
  case dtype::bf16:
    return tegula::bf16(value).bits;
  case dtype::f32:
    return tegula::detail::bit_cast<std::uint32_t>(static_cast<float>(value));
  case dtype::e4m3:
    return tegula::e4m3(static_cast<float>(value)).bits;
  case dtype::e5m2:
    return tegula::e5m2(static_cast<float>(value)).bits;
  case dtype::f64:
    return tegula::detail::bit_cast<std::uint64_t>(value);
  default:
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
}

/// The bits of a random element. A wild one may be anything that the type holds.
std::uint64_t random_bits(dtype type, bool is_wild, std::mt19937_64 &random) {
  const std::uint64_t number = random();
  const format how = format_of(type);
  if (type == dtype::boolean)
    return number & 1;
  const std::uint64_t top = std::uint64_t{1} << (how.bits - 1);
  const bool is_float = how.infinity != 0;
  // Of few products, so that sums of them are exact where the tensor cores keep 14 bits.
  if (!is_wild && (type == dtype::e4m3 || type == dtype::e5m2))
    return from_double(type, static_cast<double>(static_cast<int>(number % 7) - 3));
  if (!is_wild)
    return is_float ? from_double(type, static_cast<double>(static_cast<int>(number % 257) - 128) / 8)
                    : (number % 100) - (number % 7 == 0 ? 50 : 0);
  switch (number % 8) {
  case 0:
    return 0;
  case 1: // -0, or the least integer
    return top;
  case 2: // infinity, or the greatest integer
    return is_float ? how.infinity : top - 1;
  case 3: // NaN, or -1
    return is_float ? how.infinity | (std::uint64_t{1} << (how.mantissa - 1)) : ~std::uint64_t{0};
  case 4: // denormal
    return random() & ((std::uint64_t{1} << (is_float ? how.mantissa : 3)) - 1);
  case 5: // about the width, and small
    return is_float ? from_double(type, static_cast<double>(static_cast<std::int64_t>(random()) >> 40))
                    : random() % static_cast<std::uint64_t>(2 * how.bits);
  default:
    return random();
  }
}

/// The memory of an array before a call: random where it is read, poison elsewhere, guards at both ends.
bytes memory_before(const array &a, std::mt19937_64 &random) {
  const std::size_t element = size_of(a.type);
  bytes memory(2 * guard + static_cast<std::size_t>(a.size) * element, poison);
  if (!a.is_read)
    return memory;
  const bool is_wild = random() % 2 == 0;
  for (std::int64_t i = 0; i < a.size; ++i) {
    const std::uint64_t bits = a.is_tame ? from_double(a.type, static_cast<double>(static_cast<int>(random() % 9) - 4))
                                         : random_bits(a.type, is_wild, random);
    std::memcpy(&memory[guard + static_cast<std::size_t>(i) * element], &bits, element); // little-endian
  }
  return memory;
}

/// The memory of all arrays as a table has it, dense.
std::vector<bytes> memory_from(const std::vector<array> &arrays, const unsigned char *data) {
  std::vector<bytes> memory;
  for (const array &a : arrays) {
    const std::size_t size = static_cast<std::size_t>(a.size) * size_of(a.type);
    memory.emplace_back(2 * guard + size, poison);
    if (size > 0)
      std::memcpy(&memory.back()[guard], data, size);
    data += size;
  }
  return memory;
}

// ===== Running
// =========================================================================================================

struct outcome {
  std::vector<bytes> memory;
  std::vector<bytes> results;
  std::string error;
};

/// What an entry left behind, on the CPU or on a GPU. On the CPU, the two forms take turns in different orders.
outcome run(const test_case &test, const std::vector<bytes> &before, bool second, tegula::device where) {
  tegula::cpu::set_seed(second ? 1 : 0);
  outcome after{before, {}, {}};
  std::vector<tegula::buffer<std::uint8_t, 1>> there;
  std::vector<void *> memory;
  for (bytes &host : after.memory) {
    unsigned char *start = host.data();
    if (where.is_gpu()) {
      const tegula::array<std::uint8_t, 1> view(host.data(), {host.size()});
      there.push_back(tegula::to(view, where));
      start = there.back().data();
    }
    memory.push_back(start + guard);
  }
  call arguments(test.arrays, std::move(memory), where);
  try {
    test.run(arguments, second);
    if (where.is_gpu())
      tegula::synchronize(where);
    for (std::size_t i = 0; i < there.size(); ++i) {
      const auto back = there[i].to_host();
      std::memcpy(after.memory[i].data(), back.data(), after.memory[i].size());
    }
  } catch (const std::exception &error) {
    after.error = error.what();
  }
  after.results = std::move(arguments.results);
  return after;
}

// ===== Comparing
// =======================================================================================================

std::uint64_t bits_at(const bytes &memory, std::size_t at, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &memory[at], size);
  return bits;
}

bool is_nan(const format &how, std::uint64_t bits) {
  const std::uint64_t magnitude = bits & ~(std::uint64_t{1} << (how.bits - 1));
  return how.infinity != 0 && magnitude > how.infinity;
}

/// Floats counted from the most negative to the most positive.
std::int64_t place_of(const format &how, std::uint64_t bits) {
  const std::uint64_t top = std::uint64_t{1} << (how.bits - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & ~top);
  return (bits & top) != 0 ? -magnitude : magnitude;
}

bool agree(dtype type, std::uint64_t a, std::uint64_t b, int units) {
  const format how = format_of(type);
  if (a == b || (is_nan(how, a) && is_nan(how, b)))
    return true;
  if (units == 0 || how.infinity == 0 || is_nan(how, a) || is_nan(how, b))
    return false;
  if (units < 0)
    return place_of(how, a) == 0 && place_of(how, b) == 0;
  // A last place of 16 bits is worth many of f32.
  return std::abs(place_of(how, a) - place_of(how, b)) <= (how.bits == 16 ? 1 + units / 1024 : units);
}

std::string shown(dtype type, std::uint64_t bits) {
  char text[64];
  const format how = format_of(type);
  if (how.infinity != 0)
    std::snprintf(text, sizeof text, "%.17g (0x%llx)", to_double(type, bits), static_cast<unsigned long long>(bits));
  else
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(bits));
  return text;
}

/// The first element that differs, in words; empty if none does.
std::string difference(const std::string &what, dtype type, const bytes &a, const bytes &b, std::size_t from,
                       int units) {
  const std::size_t element = size_of(type);
  if (a.size() != b.size())
    return what + " has " + std::to_string(a.size()) + " and " + std::to_string(b.size()) + " bytes";
  const std::size_t end = a.size() - from;
  for (std::size_t i = 0; i < a.size(); ++i)
    if ((i < from || i >= end) && a[i] != b[i])
      return what + ": a byte outside the array was written, " +
             std::to_string(static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(from)) + " from its start";
  for (std::size_t at = from; at < end; at += element) {
    const std::uint64_t x = bits_at(a, at, element), y = bits_at(b, at, element);
    if (!agree(type, x, y, units))
      return what + " of " + name(type) + ", element " + std::to_string((at - from) / element) + ": " + shown(type, x) +
             " and " + shown(type, y);
  }
  return {};
}

std::string difference(const test_case &test, const outcome &a, const outcome &b) {
  if (a.error != b.error)
    return "one throws: '" + a.error + "' and '" + b.error + "'";
  if (!a.error.empty())
    return "both throw: " + a.error;
  for (std::size_t i = 0; i < test.arrays.size(); ++i) {
    const std::string found = difference("array " + std::to_string(i), test.arrays[i].type, a.memory[i], b.memory[i],
                                         guard, test.arrays[i].is_written ? test.units : 0);
    if (!found.empty())
      return found;
  }
  for (std::size_t i = 0; i < test.results.size(); ++i) {
    const std::string found =
        difference("result " + std::to_string(i), test.results[i].type, a.results[i], b.results[i], 0, test.units);
    if (!found.empty())
      return found;
  }
  return {};
}

enum class verdict { passed, failed, context_lost };

/// Where what there is to be afterwards is known: on the CPU by the first form, and by the second one on the device.
verdict check_known(const test_case &test, const options &how) {
  const std::vector<bytes> before = memory_from(test.arrays, test.before);
  const outcome known{memory_from(test.arrays, test.after), {}, {}};
  for (const bool second : {false, true}) {
    const outcome found = run(test, before, second, second ? how.second : tegula::device::cpu());
    const std::string why = found.error.empty() ? difference(test, known, found) : "it throws: " + found.error;
    if (why.empty())
      continue;
    const char *form = !second ? "on the CPU" : how.second.is_gpu() ? "on the GPU" : "split, on the CPU";
    std::printf("DIFFER %s: %s: %s\n", test.name, form, why.c_str());
    std::fflush(stdout);
    return second && how.second.is_gpu() && !found.error.empty() ? verdict::context_lost : verdict::failed;
  }
  return verdict::passed;
}

verdict check(const test_case &test, const options &how) {
  if (test.after != nullptr)
    return check_known(test, how);
  // Variants of a case, "NAME__N", have its inputs.
  const char *end = std::strstr(test.name, "__");
  std::seed_seq seeds(test.name, end ? end : test.name + std::strlen(test.name));
  std::mt19937_64 random(seeds);
  random.discard(how.seed);
  std::vector<bytes> before;
  for (const array &a : test.arrays)
    before.push_back(memory_before(a, random));
  const outcome first = run(test, before, false, {});
  const outcome second = run(test, before, true, how.second);
  const std::string found = difference(test, first, second);
  if (found.empty())
    return verdict::passed;
  std::printf("DIFFER %s: %s\n", test.name, found.c_str());
  std::fflush(stdout);
  return how.second.is_gpu() && !second.error.empty() ? verdict::context_lost : verdict::failed;
}

bool parse(options &how, int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i], value = argv[i + 1];
    if (option == "--seed")
      how.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (option == "--only")
      how.only = value;
    else if (option == "--after")
      how.after = value;
    else if (option == "--filter")
      how.filter = value;
    else if (option == "--every")
      how.every = std::max<std::size_t>(1, std::strtoull(value.c_str(), nullptr, 10));
    else if (option == "--hand-over" && (value == "yes" || value == "no"))
      how.hand_over = value == "yes";
    else if (option == "--device" && (value == "gpu" || value == "cpu"))
      how.second = value == "gpu" ? tegula::device::gpu() : tegula::device::cpu();
    else
      return false;
  }
  return argc % 2 == 1;
}

} // namespace

int main(const std::vector<test_case> &cases, int argc, char **argv, tegula::device device) {
  options how;
  how.second = device;
  if (!parse(how, argc, argv)) {
    std::fprintf(stderr,
                 "usage: %s [--seed N] [--only NAME] [--after NAME] [--filter REGEX] [--every N] "
                 "[--hand-over yes|no] [--device cpu|gpu]\n",
                 argv[0]);
    return 2;
  }
  if (how.second.is_gpu() && tegula::device_count() == 0) {
    std::fprintf(stderr, "%s: there is no GPU here\n", argv[0]);
    return 3;
  }
  int passed = 0, failed = 0;
  bool is_after = how.after.empty();
  const std::regex filter(how.filter);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const test_case &test = cases[i];
    const bool is_wanted = is_after && i % how.every == 0 && (how.only.empty() || how.only == test.name) &&
                           (how.hand_over || !test.hands_over) && std::regex_search(test.name, filter);
    is_after |= how.after == test.name;
    if (!is_wanted)
      continue;
    std::printf("RUN %s\n", test.name); // Who starts it learns what crashed.
    std::fflush(stdout);
    const verdict result = check(test, how);
    if (result == verdict::context_lost)
      return context_lost;
    ++(result == verdict::passed ? passed : failed);
  }
  std::printf("[  PASSED  ] %d tests.\n", passed);
  if (failed > 0)
    std::printf("[  FAILED  ] %d tests.\n", failed);
  return failed > 0 ? 1 : 0;
}

} // namespace fuzz
