// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

namespace {

constexpr std::int64_t beyond_32_bits = (std::int64_t{1} << 31) + 3;

/// The double of a sum of two floats rounds to the float that one rounding gives: the check is exact.
float expected(float x, float y) { return static_cast<float>(static_cast<double>(x) + static_cast<double>(y)); }
std::uint8_t expected(std::uint8_t x, std::uint8_t y) { return static_cast<std::uint8_t>(x + y); }

/// Adds two random vectors on a device and checks every element.
template <class T, class Add, class Make>
bool add(const char *name, Add entry, std::int64_t n, sample::device where, Make make) {
  auto x = tegula::buffer<T, 1>::empty({n}), y = tegula::buffer<T, 1>::empty({n});
  sample::fill(x, make);
  sample::fill(y, make);
  auto x_there = where.is_cpu() ? tegula::buffer<T, 1>() : x.to(where);
  auto y_there = where.is_cpu() ? tegula::buffer<T, 1>() : y.to(where);
  tegula::buffer<T, 1> o;
  const double seconds =
      sample::seconds(where, [&] { o = where.is_cpu() ? entry(x, y, {}) : entry(x_there, y_there, {}); });
  const auto result = where.is_cpu() ? std::move(o) : o.to_host();
  std::int64_t wrong = result.size() == n ? 0 : 1;
  for (std::int64_t i = 0; i < result.size(); ++i)
    wrong += result(i) != expected(x(i), y(i)) ? 1 : 0;
  return sample::report(std::string(name) + " of " + std::to_string(n), where, seconds, "every sum against float64",
                        wrong, sample::bytes(x, y, result));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    const auto options = sample::parse(count, arguments, {"size"});
    sample::random random(1);
    const auto number = [&] { return random.number(); };
    const auto byte = [&] { return static_cast<std::uint8_t>(random.bits()); };
    bool passed = true;
    for (const auto where : options.devices) {
      for (const std::int64_t n : options.cases({0, 1, 8, 1000003})) {
        passed &= add<float>("add_vectors", add_vectors, n, where, number);
        passed &= add<std::uint8_t>("add_bytes", add_bytes, n, where, byte);
      }
      if (options.huge && where.is_gpu())
        passed &= add<float>("add_vectors", add_vectors, beyond_32_bits, where, number);
      if (options.huge && where.is_cpu())
        passed &= add<std::uint8_t>("add_bytes", add_bytes, beyond_32_bits, where, byte);
    }
    return passed;
  });
}
