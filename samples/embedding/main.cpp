// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../common/sample.h"
#include "kernels.h"

namespace {

using tegula::bf16;

std::int64_t below(sample::random &random, std::int64_t end) {
  return static_cast<std::int64_t>(random.bits() % static_cast<std::uint64_t>(end));
}

bool embedding(std::int64_t count, std::int64_t rows, std::int64_t columns, sample::device where,
               sample::random &random) {
  auto table = tegula::buffer<bf16, 2>::empty({rows, columns});
  sample::fill(table, [&] { return bf16(random.number()); });
  auto tokens = tegula::buffer<std::int32_t, 1>::empty({count});
  sample::fill(tokens, [&] { return static_cast<std::int32_t>(below(random, rows + 1) - 1); }); // Some are padding.
  auto gradients = tegula::buffer<float, 2>::empty({count, columns});
  sample::fill(gradients, [&] { return static_cast<float>(below(random, 9) - 4); });
  auto sum = tegula::buffer<float, 2>::empty({rows, columns});
  sample::fill(sum, [] { return 0.0F; });

  const auto there = table.to(where);
  const auto tokens_there = tokens.to(where);
  const auto gradients_there = gradients.to(where);
  tegula::buffer<float, 2> sum_there;
  tegula::buffer<bf16, 2> embedded;
  const double seconds = sample::seconds(
      where, [&] { sum_there = sum.to(where); },
      [&] {
        embedded = embed(there, tokens_there);
        add_gradient(sum_there, tokens_there, gradients_there);
      });
  const auto result = embedded.to_host();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      const bool is_padding = tokens(i) < 0;
      const float expected = is_padding ? 0.0F : static_cast<float>(table(tokens(i), j));
      wrong += static_cast<float>(result(i, j)) == expected ? 0 : 1;
      if (!is_padding)
        sum(tokens(i), j) += gradients(i, j);
    }
  const auto sums = sum_there.to_host();
  for (std::int64_t i = 0; i < sum.size(); ++i)
    wrong += sums.data()[i] == sum.data()[i] ? 0 : 1;
  return sample::report("embedding of " + std::to_string(count) + " tokens by " + std::to_string(rows) + " x " +
                            std::to_string(columns) + " and its gradient",
                        where, seconds, "every element", wrong,
                        sample::bytes(embedded, embedded, gradients, gradients));
}

bool bytes(std::int64_t count, sample::device where, sample::random &random) {
  auto text = tegula::buffer<std::uint8_t, 1>::empty({count});
  sample::fill(text, [&] { return static_cast<std::uint8_t>(random.bits() & random.bits() & 255); });
  auto counters = tegula::buffer<std::int32_t, 1>::empty({256});
  sample::fill(counters, [] { return 0; });
  const auto there = text.to(where);
  tegula::buffer<std::int32_t, 1> counters_there;
  const double seconds =
      sample::seconds(where, [&] { counters_there = counters.to(where); }, [&] { count_bytes(counters_there, there); });
  for (std::int64_t i = 0; i < count; ++i)
    ++counters(text(i));
  const auto result = counters_there.to_host();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < 256; ++i)
    wrong += result(i) == counters(i) ? 0 : 1;
  return sample::report("bytes of " + std::to_string(count), where, seconds, "every count", wrong, sample::bytes(text));
}

bool paged(std::int64_t count, std::int64_t columns, sample::device where, sample::random &random) {
  auto pages = tegula::buffer<bf16, 3>::empty({2 * count, 16, columns});
  sample::fill(pages, [&] { return bf16(random.number()); });
  auto table = tegula::buffer<std::int32_t, 1>::empty({count});
  sample::fill(table, [&] { return static_cast<std::int32_t>(below(random, 2 * count)); });
  const auto there = pages.to(where);
  const auto table_there = table.to(where);
  tegula::buffer<bf16, 2> copied;
  const double seconds = sample::seconds(where, [&] { copied = copy_pages(there, table_there); });
  const auto result = copied.to_host();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < 16 * count; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      wrong += static_cast<float>(result(i, j)) == static_cast<float>(pages(table(i / 16), i % 16, j)) ? 0 : 1;
  return sample::report(std::to_string(count) + " pages of 16 x " + std::to_string(columns), where, seconds,
                        "every element", wrong, sample::bytes(copied, copied));
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    const auto options = sample::parse(count, arguments, {"tokens", "rows", "columns"});
    sample::random random(21);
    bool passed = true;
    for (const auto where : options.devices) {
      constexpr std::int64_t shapes[][3] = {{0, 5, 8}, {1, 1, 1}, {33, 7, 129}, {2000, 500, 256}, {3000, 40, 1000}};
      for (const auto &[tokens, rows, columns] : options.cases(shapes))
        passed &= embedding(tokens, rows, columns, where, random);
      for (const auto &[n, rows, columns] : options.cases({{0, 1, 1}, {1, 1, 1}, {4097, 1, 1}, {1000003, 1, 1}}))
        passed &= bytes(n, where, random);
      for (const auto &[tokens, rows, columns] : options.cases({{16, 1, 7}, {1600, 1, 128}}))
        passed &= paged((tokens + 15) / 16, columns, where, random);
      if (options.huge && where.is_gpu())
        passed &= embedding(std::int64_t{1} << 20, 50000, 256, where, random);
    }
    return passed;
  });
}
