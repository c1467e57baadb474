// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of groups of rows (samples/hopper_ragged_dot) against cuBLASLt's product of all rows by one matrix, which
// computes as much. Needs a GPU.

#include "kernels.h"
#include "products.h"

#include <numeric>

namespace {

using namespace benchmark;
using lt = cublas_lt;

constexpr std::int64_t rows = 16384, depth = 2048, columns = 16384, groups = 16;

/// Groups that end at random multiples of a unit.
std::vector<int> random_sizes(int unit, unsigned seed) {
  std::minstd_rand bits(seed);
  std::vector<int> ends;
  for (std::int64_t i = 1; i < groups; ++i)
    ends.push_back(static_cast<int>(bits() % static_cast<unsigned>(rows / unit)) * unit);
  ends.push_back(static_cast<int>(rows));
  std::sort(ends.begin(), ends.end());
  std::adjacent_difference(ends.begin(), ends.end(), ends.begin());
  return ends;
}

} // namespace

int main() {
  if (device_count() == 0) {
    std::puts("no GPU: nothing measured");
    return 77;
  }
  const auto gpu = device::gpu(0);
  std::printf("Products of groups of rows on %s: medians of %d samples, interleaved\n", device_name(gpu).c_str(),
              rounds);
  const std::unique_ptr<cublas_lt> peer = find_peer();
  const std::int64_t processors = multiprocessors(gpu);
  const auto x = random_matrix<f16>(rows, depth, 1), w = random_matrix<f16>(groups * depth, columns, 2);
  const array<const f16, 3> matrices(w.data(), {groups, depth, columns}, gpu);
  const array<const f16, 2> first(w.data(), {depth, columns}, gpu);
  auto o = buffer<f16, 2>::empty({rows, columns}, gpu);
  std::vector<buffer<int, 1>> sizes;
  std::vector<racer> racers;
  const auto add = [&](const std::string &name, const std::vector<int> &of) {
    sizes.push_back(to(array<const int, 1>(of.data(), {groups}), gpu));
    const array<const int, 1> there(sizes.back());
    racers.push_back({name, [&, there] { samples::ragged_dot_f16(x, matrices, there, o, processors, {}); }});
  };
  add("16 groups of 1024", std::vector<int>(groups, rows / groups));
  std::vector<int> halves(groups, 0);
  halves.front() = halves.back() = rows / 2;
  add("2 of 8192, 14 of none", halves);
  add("random, of 64 rows", random_sizes(64, 1));
  add("random, of any rows", random_sizes(1, 1));
  add("random, others", random_sizes(1, 2));
  const lt::problem what{rows, columns, depth, lt::f16, lt::f16};
  if (peer != nullptr)
    racers.push_back({"cuBLASLt, one matrix", fastest_of(*peer, what, x.data(), first.data(), o.data())});
  race(peer != nullptr ? "cuBLASLt" : nullptr, operations(what), std::move(racers));
}
