// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

int main(int count, char **arguments) {
  return sample::run([&] {
    const auto options = sample::parse(count, arguments, {"size"});
    bool passed = true;
    for (const auto where : options.devices)
      for (const std::int64_t n : options.cases({0, 1, 127, 129, 1000003})) {
        tegula::buffer<std::int32_t, 1> o;
        const double seconds = sample::seconds(where, [&] { o = iota(n, where); });
        const auto result = o.to_host();
        std::int64_t wrong = result.size() == n ? 0 : 1;
        for (std::int64_t i = 0; i < result.size(); ++i)
          wrong += result(i) != i ? 1 : 0;
        passed &= sample::report("iota of " + std::to_string(n), where, seconds, "every element is its index", wrong,
                                 sample::bytes(result));
      }
    return passed;
  });
}
