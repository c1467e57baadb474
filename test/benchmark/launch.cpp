// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host cost of a launch: an entry as tegulac generates it against raw cuLaunchKernelEx of the same kernel with the
// same arguments, for 1, 5 and 20 arguments. Medians of samples that alternate between the two, in one process and one
// thread. Needs a GPU.

#include "platform.h"

#include "tegula/abi.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace tegula;

/// A kernel of `slots` parameters of 8 bytes that returns at once.
std::string empty_kernel(const std::string &name, int slots) {
  std::string text = ".visible .entry " + name + "(";
  for (int i = 0; i < slots; ++i)
    text += (i > 0 ? ", " : "") + std::string(".param .u64 p") + std::to_string(i);
  return text + ") { ret; }\n";
}

// N arrays of rank 1 are N arguments of three slots each; `scalars` are N arguments of one slot.
const std::string ptx = ".version 7.0\n.target sm_75\n.address_size 64\n" + empty_kernel("arrays_1", 3) +
                        empty_kernel("arrays_5", 15) + empty_kernel("arrays_20", 60) + empty_kernel("scalars_1", 1) +
                        empty_kernel("scalars_5", 5) + empty_kernel("scalars_20", 20);
const abi::image image_list[] = {
    {75, 0, abi::image_kind::ptx, reinterpret_cast<const unsigned char *>(ptx.data()), ptx.size()}};
abi::image_set images(image_list);

using clock_type = std::chrono::steady_clock;
constexpr int samples = 200, launches_per_sample = 50;

double microseconds(clock_type::duration time) { return std::chrono::duration<double, std::micro>(time).count(); }

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// The time of one call of f, over a sample short enough for the launch queue of the GPU.
template <class F> double sample(F f) {
  const auto start = clock_type::now();
  for (int i = 0; i < launches_per_sample; ++i)
    f();
  return microseconds(clock_type::now() - start) / launches_per_sample;
}

struct row {
  std::string name;
  double raw, generated, launch_only;
};

/// Takes turns: raw, the generated entry, its launch alone.
template <class Raw, class Entry, class Launch>
row measure(const std::string &name, Raw raw, Entry entry, Launch launch) {
  std::vector<double> of_raw, of_entry, of_launch;
  for (int i = 0; i < samples + 5; ++i) {
    const double a = sample(raw);
    synchronize(device::gpu(0));
    const double b = sample(entry);
    synchronize(device::gpu(0));
    const double c = sample(launch);
    synchronize(device::gpu(0));
    if (i < 5)
      continue; // warming up
    of_raw.push_back(a);
    of_entry.push_back(b);
    of_launch.push_back(c);
  }
  return {name, median(of_raw), median(of_entry), median(of_launch)};
}

constexpr const char *names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j",
                                 "k", "l", "m", "n", "o", "p", "q", "r", "s", "t"};

/// What a generated entry does for arrays: check each, no overlap, aligned or not, launch. The last one is written.
template <std::size_t... I>
void arrays_entry(abi::kernel &kernel, const std::vector<array<float, 1>> &a, const stream &on,
                  std::index_sequence<I...>) {
  constexpr std::size_t last = sizeof...(I) - 1;
  abi::call call("arrays", on);
  ((I == last ? call.output(names[I], a[I]) : call.input(names[I], a[I])), ...);
  call.no_overlap({(I == last ? abi::writes(names[I], a[I]) : abi::reads(names[I], a[I]))...});
  call.check(abi::dense(16, a[I]...), "the benchmark's arrays are dense");
  call.launch(kernel, {1, 32}, a[I]...);
}

struct raw_launcher {
  const runtime::platform &on;
  CUfunc_st *function;
  const stream &to;

  /// With the packed buffer, as every argument by pointer costs the driver more.
  void operator()(const std::uint64_t *slots, std::size_t count) const {
    std::size_t bytes = count * 8;
    void *extra[] = {reinterpret_cast<void *>(driver::param_pointer), const_cast<std::uint64_t *>(slots),
                     reinterpret_cast<void *>(driver::param_size), &bytes, nullptr};
    const driver::launch_config config{1, 1, 1, 32, 1, 1, 0, to.handle(), nullptr, 0};
    on.check(on.api.cuLaunchKernelEx(&config, function, nullptr, extra), "benchmark", "the launch failed");
  }
};

template <std::size_t N>
void run(const stream &on, const std::vector<array<float, 1>> &arrays, std::vector<row> &table) {
  const auto indices = std::make_index_sequence<N>();
  runtime::platform &driver_of = runtime::platform::current();
  const std::string arrays_name = "arrays_" + std::to_string(N), scalars_name = "scalars_" + std::to_string(N);
  abi::kernel of_arrays(images, arrays_name.c_str()), of_scalars(images, scalars_name.c_str());

  std::uint64_t slots[3 * N];
  for (std::size_t i = 0; i < N; ++i) {
    slots[3 * i] = reinterpret_cast<std::uintptr_t>(arrays[i].data());
    slots[3 * i + 1] = static_cast<std::uint64_t>(arrays[i].dim(0));
    slots[3 * i + 2] = 1;
  }
  arrays_entry(of_arrays, arrays, on, indices); // loads
  const raw_launcher raw_arrays{driver_of, static_cast<CUfunc_st *>(of_arrays.function("benchmark", 0)), on};
  const auto launch_arrays = [&](auto... i) {
    abi::call call("arrays", on, device::gpu(0));
    call.launch(of_arrays, {1, 32}, arrays[i]...);
  };
  const auto expand = [&](auto f, auto sequence) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { f(std::integral_constant<std::size_t, I>()...); }(sequence);
  };
  table.push_back(measure(
      std::to_string(N) + " arrays", [&] { raw_arrays(slots, 3 * N); },
      [&] { arrays_entry(of_arrays, arrays, on, indices); }, [&] { expand(launch_arrays, indices); }));

  const auto launch_scalars = [&](auto... i) {
    abi::call call("scalars", on, device::gpu(0));
    call.launch(of_scalars, {1, 32}, static_cast<std::int64_t>(i)...);
  };
  expand(launch_scalars, indices);
  const raw_launcher raw_scalars{driver_of, static_cast<CUfunc_st *>(of_scalars.function("benchmark", 0)), on};
  table.push_back(measure(
      std::to_string(N) + " scalars", [&] { raw_scalars(slots, N); }, [&] { expand(launch_scalars, indices); },
      [&] { expand(launch_scalars, indices); }));
}

int benchmark() {
  if (device_count() == 0) {
    std::puts("launch: no GPU here, nothing measured");
    return 77;
  }
  const stream on = stream::create();
  const auto memory = buffer<float, 1>::empty({20 * 1024}, device::gpu(0), on);
  std::vector<array<float, 1>> arrays;
  for (int i = 0; i < 20; ++i)
    arrays.emplace_back(const_cast<float *>(memory.data()) + i * 1024, shape<1>{1024}, device::gpu(0));
  std::vector<row> table;
  run<1>(on, arrays, table);
  run<5>(on, arrays, table);
  run<20>(on, arrays, table);

  std::printf("Host cost of a launch on %s, microseconds: medians of %d samples of %d launches, interleaved\n",
              device_name(device::gpu(0)).c_str(), samples, launches_per_sample);
  std::printf("%-12s %18s %16s %14s %12s\n", "arguments", "cuLaunchKernelEx", "generated entry", "launch alone",
              "entry - raw");
  double worst = 0;
  for (const row &r : table) {
    std::printf("%-12s %18.2f %16.2f %14.2f %12.2f\n", r.name.c_str(), r.raw, r.generated, r.launch_only,
                r.generated - r.raw);
    worst = std::max(worst, r.generated - r.raw);
  }
  std::printf("the most over raw: %.2f us (the bar is 0.50)\n", worst);
  return 0;
}

} // namespace

int main() {
  try {
    return benchmark();
  } catch (const tegula::error &thrown) {
    std::fprintf(stderr, "%s\n", thrown.what());
    return 1;
  }
}
