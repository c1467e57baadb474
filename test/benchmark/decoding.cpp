// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoding (samples/hopper_decoding) against a device copy: bytes of keys and values, which are read once, by the time
// of all launches. Needs a GPU.

#include "bandwidth.h"
#include "kernels.h"

#include <numeric>

namespace {

using namespace benchmark;

constexpr std::int64_t heads = 16, key_heads = 8;

/// Rows of pages out of so many, in random order, each once as long as they last.
buffer<int, 2> random_pages(std::int64_t sequences, std::int64_t columns, std::int64_t count) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::minstd_rand(5));
  auto values = buffer<int, 2>::empty({sequences, columns}, device::cpu());
  for (std::int64_t i = 0; i < values.size(); ++i)
    values.data()[i] = order[static_cast<std::size_t>(i % count)];
  return values.to(device::gpu(0));
}

/// What all cases read: more than the L2 cache holds by far.
constexpr std::int64_t cached = std::int64_t{1} << 29;

/// Sequences of so many keys each, or, on average, of random lengths.
struct lengths_of {
  std::int64_t sequences, keys;
  bool are_random = false;
};

template <class T> struct cache {
  buffer<T, 1> k, v;
};

/// Random numbers, which repeat after so many that no cache holds them.
template <class T> cache<T> random_cache() {
  constexpr std::int64_t part = std::int64_t{1} << 25;
  const auto numbers = random_array<T, 1>({part}).to(device::cpu());
  auto values = buffer<T, 1>::empty({cached}, device::cpu());
  for (std::int64_t i = 0; i < cached; i += part)
    std::copy_n(numbers.data(), part, values.data() + i);
  return {values.to(device::gpu(0)), values.to(device::gpu(0))};
}

template <class T, class Entry>
void race_lengths(const std::string &name, const cache<T> &given, std::int64_t dim, std::int64_t page,
                  const lengths_of &lengths, const std::vector<std::int64_t> &splits, Entry entry,
                  bool is_by_head = false) {
  const auto gpu = device::gpu(0);
  auto counts = buffer<int, 1>::empty({lengths.sequences}, device::cpu());
  std::minstd_rand bits(3);
  std::int64_t columns = 0, keys = 0;
  for (std::int64_t i = 0; i < lengths.sequences; ++i) {
    counts(i) = static_cast<int>(lengths.are_random ? 1 + static_cast<std::int64_t>(bits()) % (2 * lengths.keys - 1)
                                                    : lengths.keys);
    keys += counts(i);
    columns = std::max(columns, (counts(i) + page - 1) / page);
  }
  const auto counts_there = counts.to(gpu);
  const std::int64_t count = cached / (page * key_heads * dim);
  const auto pages = random_pages(lengths.sequences, columns, count);
  const shape<4> dims{count, page, key_heads, dim},
      strides{page * key_heads * dim, is_by_head ? dim : key_heads * dim, is_by_head ? page * dim : dim, 1};
  const array<const T, 4> k(given.k.data(), dims, strides, gpu), v(given.v.data(), dims, strides, gpu);
  const double bytes = 2.0 * static_cast<double>(keys * key_heads * dim) * sizeof(T);
  // The copy reads and writes about as many bytes in all.
  const std::int64_t copied = std::min(keys * key_heads * dim, cached);
  const array<const T, 1> half(given.k.data(), {copied}, gpu);
  std::vector<work> works = {{"copy", 2.0 * static_cast<double>(copied) * sizeof(T), [&] { (void)to(half, gpu); }, {}}};
  std::vector<buffer<T, 4>> q, o;
  std::vector<buffer<float, 3>> sums;
  for (const std::int64_t queries : {1, 8}) {
    q.push_back(random_array<T, 4>({lengths.sequences, queries, heads, dim}));
    o.push_back(q.back().to(gpu));
    sums.push_back(random_array<float, 3>({lengths.sequences, heads, queries}));
  }
  for (const std::size_t many : {0U, 1U})
    for (const std::int64_t split : splits)
      works.push_back({std::string(many == 0 ? "1 query" : "8 queries") + ", splits of " + std::to_string(split),
                       bytes,
                       [&, many, split] {
                         entry(q[many], k, v, o[many], sums[many], pages, counts_there, 0.08838834764F, split,
                               multiprocessors(gpu), {});
                       },
                       {}});
  race((name + ", " + std::to_string(lengths.sequences) + " sequences of " + (lengths.are_random ? "about " : "") +
        std::to_string(lengths.keys))
           .c_str(),
       works);
}

} // namespace

int main() {
  if (device_count() == 0) {
    std::puts("no GPU: nothing measured");
    return 77;
  }
  std::printf("Decoding on %s: medians of %d samples of %d calls, interleaved\n", device_name(device::gpu(0)).c_str(),
              benchmark::samples, calls_per_sample);

  using namespace ::samples;
  const auto f16s = random_cache<f16>();
  const std::vector<std::int64_t> few = {512, 1024, 2048}, many = {128, 256, 512, 1024};
  race_lengths("f16 d128, pages of 64", f16s, 128, 64, {64, 8192}, few, decode_f16_d128);
  race_lengths("f16 d128, pages of 64 by head", f16s, 128, 64, {64, 8192}, few, decode_f16_d128, true);
  race_lengths("f16 d128, pages of 16", f16s, 128, 16, {64, 8192}, few, decode_f16_d128_small_pages);
  race_lengths("f16 d64, pages of 64", f16s, 64, 64, {64, 16384}, few, decode_f16_d64);
  race_lengths("f16 d256, pages of 64", f16s, 256, 64, {64, 4096}, few, decode_f16_d256);
  race_lengths("f16 d128, pages of 64", f16s, 128, 64, {64, 8192, true}, few, decode_f16_d128);
  race_lengths("f16 d128, pages of 64", f16s, 128, 64, {8, 8192}, many, decode_f16_d128);
  race_lengths("f16 d128, pages of 64", f16s, 128, 64, {1, 131072}, many, decode_f16_d128);
}
