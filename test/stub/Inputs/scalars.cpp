// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the kernel of scalars.mlir and compares what it prints with arithmetic done here in wider types.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <vector>

namespace {

using tegula::cpu::format;

__extension__ using wide = __int128;

wide truncated(wide a, wide b) { return b == 0 ? 0 : a / b; }
wide floored(wide a, wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
wide ceiled(wide a, wide b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); }
std::int32_t to_s32(wide a) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(a)); }
std::int64_t to_s64(wide a) { return static_cast<std::int64_t>(static_cast<std::uint64_t>(a)); }
template <class To> To saturated(float value) {
  const auto low = static_cast<double>(std::numeric_limits<To>::min()),
             high = static_cast<double>(std::numeric_limits<To>::max());
  return std::isnan(value) ? To{0} : static_cast<To>(std::fmin(std::fmax(static_cast<double>(value), low), high));
}

std::vector<std::string> expected(std::int32_t a, std::int32_t b, float f) {
  const auto ua = static_cast<std::uint32_t>(a), ub = static_cast<std::uint32_t>(b);
  const wide nonzero = ub | 1U;
  const auto as_float = static_cast<float>(a);
  const float product = as_float * f;
  const bool slt = a < b, ult = ua < ub, unordered = std::isnan(f);
  const tegula::f16 half(as_float), halves(static_cast<float>(half) + static_cast<float>(half));
  const float larger = unordered ? f : as_float > f || (!(as_float < f) && std::signbit(f)) ? as_float : f;
  std::int32_t bits = 0;
  std::memcpy(&bits, &f, sizeof bits);
  const char *eight = "{} {} {} {} {} {} {} {}";
  return {
      format(eight, to_s32(wide{a} + b), to_s32(wide{a} - b), to_s32(wide{a} * b), to_s32(truncated(a, b)),
             to_s32(b == 0 ? 0 : wide{a} % b), static_cast<std::uint32_t>(truncated(ua, ub)), ub == 0 ? 0U : ua % ub,
             static_cast<std::uint32_t>(ub == 0 ? 0 : ceiled(ua, ub))),
      format(eight, to_s64(ceiled(a, nonzero)), to_s64(floored(a, nonzero)), a & b, a | b, a ^ b,
             ub >= 32 ? 0 : to_s32(wide{a} * (wide{1} << ub)), ub >= 32 ? (a < 0 ? -1 : 0) : a >> ub,
             ub >= 32 ? 0U : ua >> ub),
      format(eight, std::min(a, b), std::max(ua, ub), static_cast<std::int8_t>(static_cast<std::uint8_t>(ua * ub)),
             ub >= 64 ? std::int64_t{0} : to_s64(wide{a} * (wide{1} << ub)), to_s64(wide{a} * wide{ub}), slt, ult,
             slt && ult),
      format(eight, slt != ult, !slt, ult ? a : 7, as_float, static_cast<double>(ua), as_float + f, product,
             as_float / f),
      format(eight, saturated<std::int32_t>(product), saturated<std::uint16_t>(product), half, halves,
             static_cast<double>(static_cast<float>(halves)), as_float >= f, !(as_float <= f && as_float >= f),
             !(as_float >= f)),
      format("{} {} {} {} {}", unordered || (as_float <= f && as_float >= f), !unordered, larger, -f, bits),
  };
}

} // namespace

int main() {
  const std::int32_t least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
  const std::int32_t integers[] = {0, 1, -1, 2, 3, -7, 31, 32, 63, 64, 1000003, most, least, least + 1};
  const float inf = std::numeric_limits<float>::infinity();
  const float floats[] = {0.0F, -0.0F,  1.0F, -2.5F, 7.0F,
                          3e9F, -1e-3F, inf,  -inf,  std::numeric_limits<float>::quiet_NaN()};
  std::vector<std::string> lines;
  const char *file = "scalars.out";
  std::FILE *out = std::freopen(file, "w", stdout);
  for (const std::int32_t a : integers)
    for (const std::int32_t b : integers)
      for (const float f : floats) {
        tegula::kernels::scalars_0_cpu(a, b, f);
        for (const std::string &line : expected(a, b, f))
          lines.push_back(line);
      }
  std::fclose(out);
  std::ifstream printed(file);
  std::size_t wrong = 0;
  for (const std::string &line : lines) {
    std::string got;
    if (std::getline(printed, got) && got == line)
      continue;
    if (++wrong < 10)
      std::fprintf(stderr, "printed  %s\nexpected %s\n", got.c_str(), line.c_str());
  }
  std::remove(file);
  std::fprintf(stderr, "%zu of %zu lines differ\n", wrong, lines.size());
  return wrong != 0;
}
