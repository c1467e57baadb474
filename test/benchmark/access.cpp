// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transpositions, stencils, sums along either axis and random numbers against a device copy of the bytes that must
// move. Needs a GPU.

#include "access_kernels.h"
#include "bandwidth.h"

namespace {

using namespace benchmark;

template <class T> void race_transpositions(const char *type) {
  const auto x = random_array<T, 2>({8192, 8192});
  const double bytes = 2.0 * static_cast<double>(x.size()) * sizeof(T);
  race(("8192 x 8192 " + std::string(type)).c_str(),
       {{"copy", bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"transposed", bytes, [&] { (void)transposes::transposed(x); }, {}}});
}

void race_images() {
  const auto x = random_array<bf16, 4>({256, 56, 56, 64});
  const double bytes = 2.0 * static_cast<double>(x.size()) * sizeof(bf16);
  race("256 images of 56 x 56, 64 channels of bf16",
       {{"copy", bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"channels_first", bytes, [&] { (void)transposes::channels_first(x); }, {}}});
}

template <class T> void race_stencils(const char *type) {
  const auto x = random_array<T, 2>({8192, 8192}), odd = random_array<T, 2>({8194, 8194});
  const auto weights = random_array<float, 2>({3, 3});
  const double bytes = 2.0 * static_cast<double>(x.size()) * sizeof(T);
  race(("3 x 3 neighbourhoods of 8192 x 8192 " + std::string(type)).c_str(),
       {{"copy", bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
        {"to 8190 x 8190", bytes, [&] { (void)stencils::correlate(x, weights); }, {}},
        {"from 8194 x 8194", bytes, [&] { (void)stencils::correlate(odd, weights); }, {}}});
}

void race_heat() {
  const auto u = random_array<float, 3>({512, 512, 512});
  const double bytes = 8.0 * static_cast<double>(u.size());
  race("512 x 512 x 512 f32", {{"copy", bytes, [&] { (void)to(u.view(), device::gpu(0)); }, {}},
                               {"heat", bytes, [&] { (void)stencils::heat(u, 0.1F); }, {}}});
}

void race_sums() {
  const auto x = random_array<float, 2>({8192, 8192});
  const double bytes = 4.0 * static_cast<double>(x.size());
  race("sums of 8192 x 8192 f32", {{"copy", 2 * bytes, [&] { (void)to(x.view(), device::gpu(0)); }, {}},
                                   {"of rows", bytes, [&] { (void)sums::sums_of_rows(x); }, {}},
                                   {"of columns", bytes, [&] { (void)sums::sums_of_columns(x); }, {}}});
}

void race_random() {
  const std::int64_t size = std::int64_t{1} << 28;
  const auto x = random_array<float, 1>({size});
  const double bytes = 4.0 * static_cast<double>(size);
  const auto gpu = device::gpu(0);
  race("random numbers, 2^28 of 32 bits, against a write: half of the copy's bytes",
       {{"copy", 2 * bytes, [&] { (void)to(x.view(), gpu); }, {}},
        {"ones", bytes, [&] { (void)randoms::ones(size, gpu); }, {}},
        {"random_bits", bytes, [&] { (void)randoms::random_bits(1, size, gpu); }, {}},
        {"uniform", bytes, [&] { (void)randoms::uniform(1, size, gpu); }, {}},
        {"normal", bytes, [&] { (void)randoms::normal(1, size, gpu); }, {}}});
}

} // namespace

int main() {
  if (device_count() == 0) {
    std::puts("no GPU: nothing measured");
    return 77;
  }
  std::printf("Accesses on %s: medians of %d samples of %d calls, interleaved\n", device_name(device::gpu(0)).c_str(),
              samples, calls_per_sample);
  race_transpositions<std::uint8_t>("u8");
  race_transpositions<bf16>("bf16");
  race_transpositions<float>("f32");
  race_images();
  race_stencils<float>("f32");
  race_stencils<bf16>("bf16");
  race_heat();
  race_sums();
  race_random();
}
