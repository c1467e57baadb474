// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile %s | FileCheck %s
// What constexpr code computes; what a constant condition leaves out.
#include <tegula/tegula.h>
namespace tg = tegula;

struct Config {
  int rows;
  float factors[2];
  constexpr int cells() const { return rows * 4; }
};
constexpr Config config{3, {0.5f, 2.0f}};
enum class Mode { first, second, third };
constexpr int gauss(int n) {
  int sum = 0;
  for (int i = 1; i <= n; ++i)
    sum += i;
  return sum;
}
struct Tables {
  static constexpr int primes[] = {2, 3, 5};
};
template <Config C, Mode M> TEGULA_KERNEL void constants(tg::array<float, 1> o) {
  tg::pallas_call(
      [](auto o) {
        constexpr int local = gauss(4);
        const int sum = local + Tables::primes[2] + static_cast<int>(sizeof(float)) + C.cells();
        o[sum] = config.factors[1];
        switch (M) {
        case Mode::first:
          o[0] = 1.0f;
          [[fallthrough]];
        case Mode::second:
          o[0] = 2.0f;
        default:
          o[0] = 3.0f;
          break;
        case Mode::third:
          o[0] = 4.0f;
        }
        if (M == Mode::first)
          o[1] = 5.0f;
        if constexpr (M == Mode::third)
          o[1] = "discarded";
      },
      tg::out(o));
}
TEGULA_INSTANTIATE("second", constants<config, Mode::second>);

// CHECK-LABEL: tile.entry @second
// CHECK: tile.launch "second_0" grid() args(out [[V0:%[0-9A-Za-z_.]+]] = [[V1:%[0-9A-Za-z_.]+]] : !tile.array<f32, 1>) {
// CHECK: %cst = arith.constant 3.000000e+00 : f32
// CHECK: [[CST_0:%[0-9A-Za-z_.]+]] = arith.constant 2.000000e+00 : f32
// CHECK: [[V2:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c31_i64] : <f32, [?]> -> <f32, []>
// CHECK: [[V3:%[0-9A-Za-z_.]+]] = tile.full [[CST_0]] : f32 -> tensor<f32>
// CHECK: tile.store [[V3]], [[V2]] : tensor<f32>, <f32, []>
// CHECK: [[V4:%[0-9A-Za-z_.]+]] = tile.slice [[V0]][element %c0_i64] : <f32, [?]> -> <f32, []>
// CHECK: tile.store [[V3]], [[V4]] : tensor<f32>, <f32, []>
// CHECK: [[V5:%[0-9A-Za-z_.]+]] = tile.full %cst : f32 -> tensor<f32>
// CHECK: tile.store [[V5]], [[V4]] : tensor<f32>, <f32, []>

// References to constants of namespaces: to what has no name of its own, and to what has.
constexpr const auto &twice = [](auto x) { return x * 2; };
constexpr const int &seven = 7;
constexpr const int &prime = Tables::primes[1];
TEGULA_KERNEL void references(tg::array<int, 1> o) {
  static constexpr const auto &here = seven;
  tg::pallas_call([](auto o) { o[prime] = twice(seven) + here; }, tg::out(o));
}

// CHECK-LABEL: tile.entry @references
// CHECK-DAG: [[SUM:%[0-9A-Za-z_.]+]] = arith.constant 21 : i32
// CHECK-DAG: [[AT:%[0-9A-Za-z_.]+]] = arith.constant 3 : i64
// CHECK: tile.slice {{.*}}[element [[AT]]]
// CHECK: tile.full [[SUM]] : i32 -> tensor<i32>

// A struct that has a reference; characters of text; a lambda as a function.
struct Referring {
  const int &value;
};
constexpr Referring referring{Tables::primes[2]};
TEGULA_KERNEL void parts(tg::array<int, 1> o) {
  tg::pallas_call(
      [](auto o) {
        int (*plain)(int) = [](int x) { return x + 1; };
        auto *generic = +[](int x) { return 2 * x; };
        int (*of_any)(int) = [](auto x) { return x - 3; };
        o[0] = referring.value;
        o[1] = "abc"[1];
        o[2] = of_any(generic(plain(10)));
      },
      tg::out(o));
}

// CHECK-LABEL: tile.entry @parts
// CHECK-DAG: [[FIVE:%[0-9A-Za-z_.]+]] = arith.constant 5 : i32
// CHECK-DAG: [[LETTER:%[0-9A-Za-z_.]+]] = arith.constant 98 : i32
// CHECK-DAG: [[RESULT:%[0-9A-Za-z_.]+]] = arith.constant 19 : i32
// CHECK: tile.full [[FIVE]] : i32 -> tensor<i32>
// CHECK: tile.full [[LETTER]] : i32 -> tensor<i32>
// CHECK: tile.full [[RESULT]] : i32 -> tensor<i32>
