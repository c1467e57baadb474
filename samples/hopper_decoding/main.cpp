// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "choose.h"
#include "kernels.h"

#include "../common/attention.h"

namespace {

using namespace sample::attention;

// Splits of so many keys, shared by so many blocks: few, so that a block has several splits, and of all that there are;
// with sizes on the command line, what choose.h says, and all blocks.
template <class T, class Entry>
bool decodes(const std::string &name, std::int64_t dim, paging how, Entry entry,
             const std::vector<std::int64_t> &lengths, const std::vector<std::int64_t> &sizes, sample::device where,
             sample::random &random) {
  bool passed = true;
  std::vector<std::int64_t> counts = {1, 2, 8}, splits = {128, 1024};
  const std::int64_t blocks = sizes.empty() ? 3 : std::max<std::int64_t>(3, tegula::multiprocessors(where));
  if (!sizes.empty()) {
    const std::int64_t rows = sizes[1] * how.heads / how.key_heads;
    counts = {sizes[1]};
    splits = {samples::choose_split_keys(sizes[0], sizes[2], how.key_heads, rows, blocks)};
  }
  for (const std::int64_t queries : counts)
    for (const std::int64_t split_keys : splits) {
      how.queries = queries;
      const auto call = [&](const auto &...arguments) { entry(arguments..., split_keys, blocks, {}); };
      passed &= paged<T>(name, dim, how, causal, call, lengths, where, random);
    }
  return passed;
}

} // namespace

int main(int count, char **arguments) {
  return sample::run([&] {
    using namespace samples;
    sample::random random(7);
    bool passed = true;
    const auto options = sample::parse(count, arguments, {"sequences", "queries", "keys"});
    for (const auto where : options.devices) {
      std::vector<std::int64_t> lengths = {300, 1, 0, 7, 127, 128, 129, 5};
      if (!options.sizes.empty())
        lengths.assign(static_cast<std::size_t>(options.sizes[0]), options.sizes[2]);
      else if (where.is_gpu())
        lengths.insert(lengths.end(), {1000, 0, 640});
      const auto run = [&](const std::string &name, std::int64_t dim, const paging &how, auto entry, auto zero) {
        passed &= decodes<decltype(zero)>(name, dim, how, entry, lengths, options.sizes, where, random);
      };
      const tegula::f16 f16{};
      const tegula::bf16 bf16{};
      for (const bool is_by_head : {false, true}) {
        const paging pairs{64, 1, 4, 2, is_by_head, true};
        run("f16 d64", 64, pairs, decode_f16_d64, f16);
        run("f16 d128", 128, pairs, decode_f16_d128, f16);
        run("f16 d256", 256, pairs, decode_f16_d256, f16);
        run("bf16 d64", 64, pairs, decode_bf16_d64, bf16);
        run("bf16 d128", 128, pairs, decode_bf16_d128, bf16);
        run("bf16 d256", 256, pairs, decode_bf16_d256, bf16);
        run("f16 d128", 128, {16, 1, 4, 2, is_by_head, true}, decode_f16_d128_small_pages, f16);
        run("bf16 d128", 128, {128, 1, 4, 2, is_by_head, true}, decode_bf16_d128_large_pages, bf16);
        run("bf16 d128, 8 heads,", 128, {64, 1, 16, 2, is_by_head, true}, decode_bf16_d128_large_groups, bf16);
        run("f16 d128, a head,", 128, {64, 1, 3, 3, is_by_head, true}, decode_f16_d128_no_groups, f16);
      }
    }
    return passed;
  });
}
