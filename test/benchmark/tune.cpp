// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tiles cost, for samples/hopper_matmul/choose.h: every configuration is timed at full rounds of tiles, of few and
// of many steps along k. Then all of them at a list of shapes, to tell what the choice by these costs is worth.
#include "tune.h"

#include "../../samples/hopper_matmul/choose.h"
#include "products.h"

#include <array>

namespace benchmark {

namespace {

using samples::configuration;
using samples::problem;

constexpr std::array<std::int64_t, 3> shapes[] = {{512, 512, 512},
                                                  {1024, 1024, 1024},
                                                  {1536, 1536, 1536},
                                                  {2048, 2048, 2048},
                                                  {2560, 2560, 2560},
                                                  {3072, 3072, 3072},
                                                  {4096, 4096, 4096},
                                                  {4096, 8192, 4096},
                                                  {8192, 8192, 8192},
                                                  {4096, 14336, 4096},
                                                  {4096, 4096, 512},
                                                  {8192, 8192, 1024},
                                                  {64, 8192, 8192},
                                                  {128, 8192, 8192},
                                                  {256, 8192, 8192},
                                                  {512, 4096, 4096},
                                                  {1024, 4096, 1024},
                                                  // Of uneven rows:
                                                  {1000, 1000, 1000},
                                                  {3000, 5000, 1000},
                                                  {5000, 5000, 5000},
                                                  {200, 8200, 8200}};

struct timing {
  const configuration *how;
  double microseconds;
};
struct measured {
  problem what;
  std::vector<timing> timings;
};

bool is_sooner(const timing &x, const timing &y) { return x.microseconds < y.microseconds; }

/// Microseconds, in the racers' order. Each round has another order, since the clock depends on what ran before.
std::vector<double> medians(std::vector<racer> &racers, int calls) {
  constexpr int tuning_rounds = 11;
  std::vector<racer *> order;
  for (racer &r : racers)
    order.push_back(&r);
  std::minstd_rand bits(1);
  for (int round = 0; round < tuning_rounds; ++round) {
    std::shuffle(order.begin(), order.end(), bits);
    for (racer *r : order)
      r->milliseconds.push_back(sample(r->run, calls));
  }
  std::vector<double> result;
  for (racer &r : racers) {
    std::sort(r.milliseconds.begin(), r.milliseconds.end());
    result.push_back(r.milliseconds[tuning_rounds / 2] * 1e3);
  }
  return result;
}

measured time_all(const problem &what, std::int64_t processors) {
  const auto a = random_matrix<bf16>(what.m, what.k, 1);
  const auto b = what.b_is_transposed ? random_matrix<bf16>(what.n, what.k, 2) : random_matrix<bf16>(what.k, what.n, 2);
  auto d = buffer<bf16, 2>::empty({what.m, what.n}, device::gpu(0));
  measured result = {what, {}};
  std::vector<racer> racers;
  for (const configuration &how : samples::configurations)
    if (how.b_is_transposed == what.b_is_transposed) {
      result.timings.push_back({&how, 0});
      racers.push_back({how.name, [&, run = how.bf16] { run(a, b, d, processors, {}); }});
    }
  const auto times =
      medians(racers, calls_of(2.0 * static_cast<double>(what.m) * static_cast<double>(what.n * what.k)));
  for (std::size_t i = 0; i < times.size(); ++i)
    result.timings[i].microseconds = times[i];
  return result;
}

/// Microseconds of a round, where each multiprocessor makes one tile, by configuration: of four full rounds.
std::vector<double> time_rounds(std::int64_t k, bool uneven, double launch, std::int64_t processors) {
  constexpr std::int64_t down = 24;
  const auto a = random_matrix<bf16>(k, 8192, 1), b = random_matrix<bf16>(k, 8192, 2);
  auto d = buffer<bf16, 2>::empty({8192, 8192}, device::gpu(0));
  std::vector<racer> racers;
  std::vector<double> rounds_of_tiles;
  double flops = 0;
  for (const configuration &how : samples::configurations) {
    const std::int64_t m = down * how.rows, across = processors / how.blocks / (down / 4) * how.columns,
                       n = uneven ? across - 8 : across;
    const array<const bf16, 2> left(a.data(), {m, k}, device::gpu(0)),
        right(b.data(), how.b_is_transposed ? shape<2>{n, k} : shape<2>{k, n}, device::gpu(0));
    const array<bf16, 2> result(d.data(), {m, n}, device::gpu(0));
    racers.push_back({how.name, [=, run = how.bf16] { run(left, right, result, processors, {}); }});
    rounds_of_tiles.push_back(samples::amount_of(how, {m, n, k, how.b_is_transposed, uneven}, processors).tiles);
    flops = std::max(flops, 2.0 * static_cast<double>(m) * static_cast<double>(n * k));
  }
  std::vector<double> result = medians(racers, calls_of(flops));
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = (result[i] - launch) / rounds_of_tiles[i];
  return result;
}

/// The table with what its tiles cost on this GPU.
std::vector<configuration> measure_costs(std::int64_t processors) {
  const auto smallest = time_all({64, 64, 64, false, false}, processors).timings;
  const double launch = std::min_element(smallest.begin(), smallest.end(), is_sooner)->microseconds;
  constexpr std::int64_t shallow = 512, deep = 4096;
  const auto few = time_rounds(shallow, false, launch, processors), many = time_rounds(deep, false, launch, processors),
             uneven = time_rounds(deep + 8, true, launch, processors);
  std::vector<configuration> table(std::begin(samples::configurations), std::end(samples::configurations));
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i].step = (many[i] - few[i]) * 64 / (deep - shallow);
    table[i].tile = few[i] - table[i].step * shallow / 64;
    table[i].uneven_step = (uneven[i] - table[i].tile) / (deep / 64 + 1);
  }
  return table;
}

void print_choice(const measured &shape, const std::vector<configuration> &table, std::int64_t processors) {
  const auto &[what, timings] = shape;
  const auto best = std::min_element(timings.begin(), timings.end(), is_sooner);
  const std::string chosen = samples::choose(table, what, processors)->name;
  const auto time =
      std::find_if(timings.begin(), timings.end(), [&](const timing &t) { return t.how->name == chosen; });
  std::printf("%6lld x %5lld x %5lld: chosen %-14s %8.1f us, best %-14s %8.1f us, %.3f\n",
              static_cast<long long>(what.m), static_cast<long long>(what.n), static_cast<long long>(what.k),
              chosen.c_str(), time->microseconds, best->how->name, best->microseconds,
              best->microseconds / time->microseconds);
}

} // namespace

void tune() {
  const std::int64_t processors = multiprocessors(device::gpu(0));
  const auto table = measure_costs(processors);
  for (const configuration &how : table)
    std::printf("    {\"%s\", %s, %d, %d, %d, %.3f, %.3f, %.3f, matmul_bf16_%s, matmul_f16_%s},\n", how.name,
                how.b_is_transposed ? "true" : "false", how.rows, how.columns, how.blocks, how.tile, how.step,
                how.uneven_step, how.name, how.name);
  for (const bool b_is_transposed : {false, true})
    for (const auto &[m, n, k] : shapes)
      print_choice(time_all({m, n, k, b_is_transposed, n % 64 != 0 || k % 64 != 0}, processors), table, processors);
}

} // namespace benchmark
