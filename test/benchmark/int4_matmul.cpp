// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// samples/int4_matmul, activations of 16 bits by weights of 4 with scales, against cuBLASLt's product of weights that
// are bf16 already: one process, interleaved samples, random data, medians. Weights come from memory: calls take
// copies of them in turn, which together are larger than the cache.
//   int4-matmul-benchmark
#include "../../samples/int4_matmul/choose.h"
#include "products.h"

using namespace benchmark;
using lt = cublas_lt;

namespace {

constexpr std::int64_t group = 128;

/// Copies of a matrix, each the next one.
template <class T> class rotation {
public:
  rotation(buffer<T, 2> first, std::int64_t bytes) {
    constexpr std::int64_t cached = std::int64_t{256} << 20; // A few times what caches hold.
    for (std::int64_t i = 1; i < std::max<std::int64_t>(2, cached / bytes); ++i)
      copies_.push_back(first.to(device::gpu(0)));
    copies_.push_back(std::move(first));
  }
  const buffer<T, 2> &next() { return copies_[turn_++ % copies_.size()]; }

private:
  std::vector<buffer<T, 2>> copies_;
  std::size_t turn_ = 0;
};

buffer<s4, 2> random_weights(std::int64_t n, std::int64_t k) {
  auto values = buffer<s4, 2>::empty({n, k}, device::cpu());
  std::minstd_rand bits(3);
  for (std::int64_t i = 0; i < values.size(); ++i)
    values.data()[i] = s4(static_cast<int>(bits() >> 8 & 15) - 8);
  return values.to(device::gpu(0));
}

/// By the fastest way that cuBLASLt proposes.
std::function<void()> fastest_of(const cublas_lt &peer, const lt::problem &what, const buffer<bf16, 2> &x,
                                 rotation<bf16> &w, buffer<bf16, 2> &o) {
  auto plan = std::make_shared<lt::plan>(peer, what);
  auto workspace = std::make_shared<buffer<std::uint8_t, 1>>(
      buffer<std::uint8_t, 1>::empty({static_cast<std::int64_t>(workspace_bytes)}, device::gpu(0)));
  double best = INFINITY;
  std::function<void()> fastest;
  for (const auto &how : plan->algorithms(workspace_bytes)) {
    const auto run = [=, &x, &w, &o] { plan->run(x.data(), w.next().data(), o.data(), how, workspace->data()); };
    sample(run, 3);
    if (const double time = sample(run, calls_of(operations(what))); time < best) {
      best = time;
      fastest = run;
    }
  }
  return fastest;
}

void race(const cublas_lt *peer, std::int64_t m, std::int64_t n, std::int64_t k) {
  const auto x = random_matrix<bf16>(m, k, 1), scales = random_matrix<bf16>(k / group, n, 2);
  rotation<s4> w(random_weights(n, k), n * k / 2);
  rotation<bf16> wide(random_matrix<bf16>(n, k, 3), 2 * n * k);
  auto o = buffer<bf16, 2>::empty({m, n}, device::gpu(0));
  std::vector<racer> racers;
  const auto add = [&](const char *name, auto entry) {
    racers.push_back({name, [&, entry] { entry(x, w.next(), scales, o); }});
  };
  add("chosen", [](auto &...all) { samples::int4_matmul<bf16>(all...); });
  add("blocks of 16 rows", [](auto &...all) { int4_matmul_16(all..., {}); });
  add("blocks of 32 rows", [](auto &...all) { int4_matmul_32(all..., {}); });
  add("blocks of 64 rows", [](auto &...all) { int4_matmul_64(all..., {}); });
  add("blocks of 128 rows", [](auto &...all) { int4_matmul_128(all..., {}); });
  add("blocks of 256 rows", [](auto &...all) { int4_matmul_256(all..., {}); });
  const lt::problem what = {m, n, k, lt::bf16, lt::bf16, false, true};
  if (peer != nullptr)
    racers.push_back({"cuBLASLt, bf16", fastest_of(*peer, what, x, wide, o)});
  std::printf("%lld x %lld x %lld\n", static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k));
  benchmark::race(peer != nullptr ? "cuBLASLt" : nullptr, operations(what), std::move(racers));
}

} // namespace

int main() {
  std::printf("Weights of 4 bits on %s: medians of %d samples, interleaved\n", device_name(device::gpu(0)).c_str(),
              rounds);
  const std::unique_ptr<cublas_lt> peer = find_peer();
  constexpr std::int64_t shapes[][3] = {{4096, 8192, 8192}, {16, 8192, 8192},  {1, 8192, 8192},  {32, 8192, 8192},
                                        {64, 8192, 8192},   {128, 8192, 8192}, {256, 8192, 8192}};
  for (const auto &[m, n, k] : shapes)
    race(peer.get(), m, n, k);
}
