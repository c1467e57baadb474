// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// samples/hopper_matmul, and products of the portable level, against cuBLASLt's best heuristic: one process,
// interleaved samples, random normal data, medians. Needs a Hopper GPU; without cuBLASLt it times Tegula alone.
//   matmul-benchmark [bf16] [chosen] [gated] [others] [plus] [computed]     (default: all)
//   matmul-benchmark energy   (joules per product: 45 seconds)
//   matmul-benchmark tune     (prints the table of samples/hopper_matmul/choose.h anew)

#include "../../samples/hopper_matmul/choose.h"
#include "computed_kernels.h"
#include "energy.h"
#include "matmul_kernels.h"
#include "matmul_kernels_sm80.h"
#include "products.h"
#include "tune.h"

using namespace benchmark;
using lt = cublas_lt;

namespace {

void race_bf16(const cublas_lt *peer, std::int64_t processors) {
  constexpr std::int64_t shapes[][3] = {{1024, 1024, 1024}, {1536, 1536, 1536}, {2048, 2048, 2048}, {16, 8192, 8192},
                                        {128, 8192, 8192},  {4096, 4096, 512},  {4096, 8192, 4096}, {8192, 8192, 8192}};
  for (const auto &[m, n, k] : shapes) {
    const auto a = random_matrix<bf16>(m, k, 1), b = random_matrix<bf16>(k, n, 2),
               longer = random_matrix<bf16>(k, n + 1, 2);
    // Rows that TMA cannot copy: they begin at odd elements.
    const array<const bf16, 2> uneven(longer.data(), {k, n}, {n + 1, 1}, device::gpu(0));
    auto d = buffer<bf16, 2>::empty({m, n}, device::gpu(0));
    const auto with = [&](const char *name, auto entry) {
      return racer{name, [&a, &b, &d, entry, processors] { entry(a, b, d, processors, {}); }};
    };
    race(peer, {m, n, k, lt::bf16, lt::bf16},
         {{"bf16, chosen", [&] { samples::matmul<bf16>(a, b, d); }},
          with("bf16 128x256", samples::matmul_bf16_128x256),
          with("bf16 128x256, cluster 2x1", samples::matmul_bf16_pair_128x256),
          with("bf16 128x128", samples::matmul_bf16_128x128),
          {"portable, a loop", [&] { portable::matmul_bf16(a, b, d, {}); }},
          {"portable, a loop, clusters", [&] { portable::matmul_bf16_pairs(a, b, d, {}); }},
          {"portable, (2, 2), clusters", [&] { portable::quarters_bf16_pairs(a, b, d, {}); }},
          {"portable, uneven rows", [&] { portable::matmul_bf16(a, uneven, d, {}); }},
          {"portable, (2, 2)", [&] { portable::quarters_bf16(a, b, d, {}); }},
          {"sm_80, a loop", [&] { portable_sm80::matmul_bf16(a, b, d, {}); }},
          {"sm_80, (2, 2)", [&] { portable_sm80::quarters_bf16(a, b, d, {}); }}},
         a, b, d);
  }
}

/// Of elements whose rows lie along what is summed over: b is N x K.
template <class A, class B, class Result, class Programs>
void race_rows(const cublas_lt *peer, lt::element left, lt::element right, lt::element result, Programs programs) {
  const std::int64_t m = 4096, n = 8192, k = 4096;
  const auto a = random_matrix<A>(m, k, 1);
  const auto b = random_matrix<B>(n, k, 2);
  auto d = buffer<Result, 2>::empty({m, n}, device::gpu(0));
  race(peer, {m, n, k, left, result, false, true, right}, programs(a, b, d), a, b, d);
}

void race_others(const cublas_lt *peer, std::int64_t processors) {
  using racers = std::vector<racer>;
  race_rows<e4m3, e4m3, bf16>(peer, lt::e4m3, lt::e4m3, lt::bf16, [&](auto &a, auto &b, auto &d) {
    return racers{{"e4m3 128x256", [&, processors] { samples::matmul_e4m3(a, b, d, processors, {}); }},
                  {"portable, e4m3", [&] { portable::matmul_e4m3(a, b, d, {}); }},
                  {"clusters", [&] { portable::matmul_e4m3_pairs(a, b, d, {}); }}};
  });
  race_rows<e4m3, e5m2, bf16>(peer, lt::e4m3, lt::e5m2, lt::bf16, [&](auto &a, auto &b, auto &d) {
    return racers{{"e4m3 by e5m2", [&, processors] { samples::matmul_e4m3_e5m2(a, b, d, processors, {}); }}};
  });
  race_rows<bf16, bf16, bf16>(peer, lt::bf16, lt::bf16, lt::bf16, [](auto &a, auto &b, auto &d) {
    return racers{{"portable, bf16", [&] { portable::matmul_bf16_nk(a, b, d, {}); }},
                  {"clusters", [&] { portable::matmul_bf16_nk_pairs(a, b, d, {}); }}};
  });
  race_rows<float, float, float>(peer, lt::f32, lt::f32, lt::f32, [&](auto &a, auto &b, auto &d) {
    return racers{{"tf32 128x256", [&, processors] { samples::matmul_tf32(a, b, d, processors, {}); }},
                  {"portable, tf32", [&] { portable::matmul_tf32(a, b, d, {}); }},
                  {"clusters", [&] { portable::matmul_tf32_pairs(a, b, d, {}); }}};
  });
  race_rows<std::int8_t, std::int8_t, std::int32_t>(peer, lt::s8, lt::s8, lt::s32, [&](auto &a, auto &b, auto &d) {
    return racers{{"s8 128x256", [&, processors] { samples::matmul_s8(a, b, d, processors, {}); }},
                  {"portable, s8", [&] { portable::matmul_s8(a, b, d, {}); }},
                  {"clusters", [&] { portable::matmul_s8_pairs(a, b, d, {}); }}};
  });
}

/// Products to which a matrix is added, and a row.
void race_plus(const cublas_lt *peer, std::int64_t processors) {
  for (const std::int64_t k : {4096, 512}) {
    const std::int64_t m = 4096, n = 8192;
    const auto a = random_matrix<bf16>(m, k, 1), b = random_matrix<bf16>(k, n, 2), c = random_matrix<bf16>(m, n, 3);
    const array<const bf16, 1> row(c.data(), {n}, {1}, device::gpu(0));
    auto d = buffer<bf16, 2>::empty({m, n}, device::gpu(0));
    std::printf("plus C: ");
    race(peer, {m, n, k, lt::bf16, lt::bf16},
         {{"bf16, plus C", [&] { samples::matmul_bf16_plus(a, b, c, d, processors, {}); }},
          {"without C", [&] { samples::matmul_bf16_128x256(a, b, d, processors, {}); }}},
         a, b, d, c.data());
    std::printf("plus a row: ");
    race(peer, {m, n, k, lt::bf16, lt::bf16, false, false, {}, c.data()},
         {{"bf16, plus a row", [&] { samples::matmul_bf16_bias(a, b, row, d, processors, {}); }}}, a, b, d);
  }
}

/// The explicit level's choice by shape, and the tile that is best for large products.
template <class T>
void race_chosen(const cublas_lt *peer, lt::element type, bool b_is_transposed, std::int64_t processors,
                 samples::product<T> *wide) {
  constexpr std::int64_t shapes[][3] = {{4096, 8192, 4096}, {8192, 8192, 8192}, {1024, 1024, 1024}, {1536, 1536, 1536},
                                        {2048, 2048, 2048}, {3072, 3072, 3072}, {5000, 5000, 5000}, {4096, 4096, 512},
                                        {64, 8192, 8192},   {128, 8192, 8192}};
  for (const auto &[m, n, k] : shapes) {
    const auto a = random_matrix<T>(m, k, 1),
               b = b_is_transposed ? random_matrix<T>(n, k, 2) : random_matrix<T>(k, n, 2);
    auto d = buffer<T, 2>::empty({m, n}, device::gpu(0));
    std::printf("%s, b as %s: ", type == lt::f16 ? "f16" : "bf16", b_is_transposed ? "N x K" : "K x N");
    race(peer, {m, n, k, type, type, false, b_is_transposed},
         {{"chosen", [&] { samples::matmul<T>(a, b, d, b_is_transposed); }},
          {"128x256", [&] { wide(a, b, d, processors, {}); }}},
         a, b, d);
  }
}

/// silu(x w) * (x v), against two products of cuBLASLt and a kernel that combines them.
void race_gated(const cublas_lt *peer) {
  const std::int64_t m = 4096, n = 14336, k = 4096;
  const auto x = random_matrix<bf16>(m, k, 1), w = random_matrix<bf16>(k, n, 2), v = random_matrix<bf16>(k, n, 3);
  const auto empty = [&] { return buffer<bf16, 2>::empty({m, n}, device::gpu(0)); };
  auto gate = empty(), up = empty(), o = empty();
  std::vector<racer> racers = {{"portable, a loop", [&] { portable::gated_bf16(x, w, v, o, {}); }},
                               {"clusters", [&] { portable::gated_bf16_pairs(x, w, v, o, {}); }},
                               {"portable, whole rows", [&] { portable::gated_of_rows_bf16(x, w, v, o, {}); }}};
  const lt::problem half = {m, n, k, lt::bf16, lt::bf16};
  if (peer != nullptr) {
    const auto first = fastest_of(*peer, half, x.data(), w.data(), gate.data()),
               second = fastest_of(*peer, half, x.data(), v.data(), up.data());
    racers.push_back({"cuBLASLt twice, a kernel", [=, &gate, &up, &o] {
                        first();
                        second();
                        portable::combine_bf16(gate, up, o, {});
                      }});
  }
  std::printf("gated, %lld x %lld x %lld\n", static_cast<long long>(m), static_cast<long long>(n),
              static_cast<long long>(k));
  race(peer != nullptr ? "three calls" : nullptr, 2 * operations(half), std::move(racers));
}

/// Factors that are computed on their way, against the product of those that need not be.
void race_computed() {
  const std::int64_t m = 4096, n = 8192, k = 4096;
  const auto a = random_matrix<bf16>(m, k, 1), b = random_matrix<bf16>(k, n, 2);
  const auto a_f32 = random_matrix<float>(m, k, 1), b_f32 = random_matrix<float>(k, n, 2),
             s = random_matrix<float>(k / 64, n, 3);
  const auto a_s8 = random_matrix<std::int8_t>(m, k, 1), b_s8 = random_matrix<std::int8_t>(k, n, 2),
             rows_s8 = random_matrix<std::int8_t>(n, k, 2);
  const auto a_e4m3 = random_matrix<e4m3>(m, k, 1), b_e4m3 = random_matrix<e4m3>(k, n, 2);
  auto d = buffer<bf16, 2>::empty({m, n}, device::gpu(0));
  auto d_f32 = buffer<float, 2>::empty({m, n}, device::gpu(0));
  auto d_s32 = buffer<std::int32_t, 2>::empty({m, n}, device::gpu(0));
  std::printf("computed, %lld x %lld x %lld\n", static_cast<long long>(m), static_cast<long long>(n),
              static_cast<long long>(k));
  race("bf16", operations({m, n, k, lt::bf16, lt::bf16}),
       {{"f32 to bf16, left", [&] { computed::left_f32(a_f32, b, d, {}); }},
        {"s8 to bf16, left", [&] { computed::left_s8(a_s8, b, d, {}); }},
        {"f32 to bf16, right", [&] { computed::right_f32(a, b_f32, d, {}); }},
        {"s8 to bf16, right", [&] { computed::right_s8(a, b_s8, d, {}); }},
        {"s8 with scales, right", [&] { computed::quantized(a, rows_s8, s, d, {}); }},
        {"f32 to bf16, both", [&] { computed::both_f32(a_f32, b_f32, d, {}); }},
        {"s8, b as K x N", [&] { computed::columns_s8(a_s8, b_s8, d_s32, {}); }},
        {"e4m3, b as K x N", [&] { computed::columns_e4m3(a_e4m3, b_e4m3, d, {}); }},
        {"tf32, b as K x N", [&] { computed::columns_tf32(a_f32, b_f32, d_f32, {}); }},
        {"tf32x3, b as K x N", [&] { computed::tf32x3(a_f32, b_f32, d_f32, {}); }},
        {"bf16x3, b as K x N", [&] { computed::bf16x3(a_f32, b_f32, d_f32, {}); }},
        {"bf16", [&] { computed::none(a, b, d, {}); }}});
}

} // namespace

int main(int argc, char **argv) {
  std::printf("Matmul on %s: medians of %d samples, interleaved\n", device_name(device::gpu(0)).c_str(), rounds);
  const std::unique_ptr<cublas_lt> peer = find_peer();
  const std::int64_t processors = multiprocessors(device::gpu(0));
  const std::vector<std::string> chosen(argv + 1, argv + argc);
  if (chosen == std::vector<std::string>{"tune"}) {
    tune();
    return 0;
  }
  if (chosen == std::vector<std::string>{"energy"}) {
    measure_energy(peer.get());
    return 0;
  }
  const auto is_chosen = [&](const char *part) {
    return chosen.empty() || std::find(chosen.begin(), chosen.end(), part) != chosen.end();
  };
  if (is_chosen("bf16"))
    race_bf16(peer.get(), processors);
  if (is_chosen("chosen")) {
    race_chosen<bf16>(peer.get(), lt::bf16, false, processors, samples::matmul_bf16_128x256);
    race_chosen<bf16>(peer.get(), lt::bf16, true, processors, samples::matmul_bf16_128x256_nk);
    race_chosen<f16>(peer.get(), lt::f16, false, processors, samples::matmul_f16_128x256);
    race_chosen<f16>(peer.get(), lt::f16, true, processors, samples::matmul_f16_128x256_nk);
  }
  if (is_chosen("gated"))
    race_gated(peer.get());
  if (is_chosen("others"))
    race_others(peer.get(), processors);
  if (is_chosen("plus"))
    race_plus(peer.get(), processors);
  if (is_chosen("computed"))
    race_computed();
}
