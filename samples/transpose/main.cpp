// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/rows.h"
#include "kernels.h"

namespace {

using tegula::bf16;

template <class T>
bool matrices(const char *type, std::int64_t rows, std::int64_t columns, sample::device where, sample::random &random) {
  const auto x = sample::random_array<T, 2>({rows, columns}, random, 100, 100);
  const auto there = x.to(where);
  tegula::buffer<T, 2> result;
  const double seconds = sample::seconds(where, [&] { result = transposed(there); });
  const auto o = result.to_host();
  std::int64_t wrong = o.dim(0) == columns && o.dim(1) == rows ? 0 : 1;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      wrong += x(i, j) == o(j, i) ? 0 : 1;
  return sample::report("transposition of " + std::to_string(rows) + " x " + std::to_string(columns) + " " + type,
                        where, seconds, "every element", wrong, sample::bytes(x, o));
}

template <class T> bool images(const tegula::shape<4> &dims, sample::device where, sample::random &random) {
  const auto x = sample::random_array<T, 4>(dims, random);
  const auto there = x.to(where);
  tegula::buffer<T, 4> result;
  const double seconds = sample::seconds(where, [&] { result = channels_first(there); });
  const auto o = result.to_host();
  std::int64_t wrong = 0;
  for (std::int64_t n = 0; n < dims[0]; ++n)
    for (std::int64_t i = 0; i < dims[1]; ++i)
      for (std::int64_t j = 0; j < dims[2]; ++j)
        for (std::int64_t c = 0; c < dims[3]; ++c)
          wrong += x(n, i, j, c) == o(n, c, i, j) ? 0 : 1;
  return sample::report("channels first, of " + std::to_string(dims[0]) + " images of " +
                            sample::shape_name<T>(dims[1], dims[2]) + " and " + std::to_string(dims[3]) + " channels",
                        where, seconds, "every element", wrong, sample::bytes(x, o));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    sample::random random(21);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"rows", "columns"});
    for (const auto where : options.devices) {
      constexpr std::int64_t shapes[][2] = {{1, 1}, {1, 70000}, {127, 129}, {2048, 1024}, {1000, 1504}};
      for (const auto &[rows, columns] : options.cases(shapes)) {
        passed &= matrices<std::uint8_t>("u8", rows, columns, where, random);
        passed &= matrices<bf16>("bf16", rows, columns, where, random);
        passed &= matrices<float>("f32", rows, columns, where, random);
      }
      if (!options.sizes.empty()) {
        passed &= images<float>({1, options.sizes[0], options.sizes[1], 3}, where, random);
        continue;
      }
      passed &= images<bf16>({2, 56, 56, 64}, where, random);
      passed &= images<float>({3, 31, 17, 3}, where, random);
    }
    return passed;
  });
}
