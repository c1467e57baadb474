// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids with axes along which programs run one after the other.
#include <tegula/tegula.h>
namespace tg = tegula;

/// Sums of blocks of columns: the block of the output stays, and is added to.
TEGULA_KERNEL tg::array<float, 2> add_columns(tg::array<const float, 2> x) {
  auto o = tg::empty<float>(x.dim(0), 32);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 16), tg::cdiv(x.dim(1), 32)}, .dimension_semantics = {tg::parallel, tg::sequential}},
      [](auto x, auto o) {
        if (tg::program_id(1) == 0)
          o[tg::all] = tg::zeros<float, 16, 32>();
        tg::store(o, tg::load(o, true, 0.0f) + tg::load(x, true, 0.0f));
      },
      tg::in<16, 32>(x, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<16, 32>(o, [](auto i, auto) { return tg::index(i, 0); }));
  return o;
}

/// Running sums along the first axis, which is the sequential one: what a step passes on is a tile. The blocks of the
/// output move with it.
TEGULA_KERNEL tg::array<float, 2> running_sums(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  constexpr auto block = [](auto i, auto j) { return tg::index(i, j); };
  tg::pallas_call(
      {.grid = {x.dim(0), tg::cdiv(x.dim(1), 64)}, .dimension_semantics = {tg::sequential}},
      [](auto x, auto o, auto &sum) {
        sum += tg::load(x, true, 0.0f);
        tg::store(o, sum);
      },
      tg::in<tg::squeezed, 64>(x, block), tg::out<tg::squeezed, 64>(o, block), tg::scratch<float, 64>());
  return o;
}

/// A product whose depth is the last axis of the grid, and sequential.
TEGULA_KERNEL tg::array<float, 2> product(tg::array<const tg::bf16, 2> x, tg::array<const tg::bf16, 2> y) {
  tg::check(x.dim(1) == y.dim(0), "x and y differ in depth");
  auto o = tg::empty<float>(x.dim(0), y.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 128), tg::cdiv(y.dim(1), 128), tg::cdiv(x.dim(1), 64)},
       .dimension_semantics = {tg::parallel, tg::parallel, tg::sequential}},
      [](auto x, auto y, auto o, auto &sum) {
        sum += tg::dot(x[tg::all], y[tg::all]);
        if (tg::program_id(2) == tg::num_programs(2) - 1)
          tg::store(o, sum);
      },
      tg::in<128, 64>(x, [](auto i, auto, auto k) { return tg::index(i, k); }),
      tg::in<64, 128>(y, [](auto, auto j, auto k) { return tg::index(k, j); }),
      tg::out<128, 128>(o, [](auto i, auto j, auto) { return tg::index(i, j); }), tg::scratch<float, 128, 128>());
  return o;
}

/// Two sequential axes, the last one fastest, and all numbers of a program: the order of the steps, which a number
/// tells. What lies in the array before is read.
TEGULA_KERNEL void in_order(tg::array<tg::s64, 1> o, tg::s64 m, tg::s64 n) {
  tg::pallas_call(
      {.grid = {m, o.dim(0), n}, .dimension_semantics = {tg::sequential, tg::parallel, tg::sequential}},
      [](auto o) {
        const auto step = tg::program_id(0) * tg::num_programs(2) + tg::program_id(2);
        if (step % 3 == 2)
          return;
        o[] = 3 * o[] + step + tg::program_id(1);
      },
      tg::inout<tg::squeezed>(o, [](auto, auto i, auto) { return tg::index(i); }));
}

/// Gradients of a layer's weights: rows in groups, each a program that walks its rows.
TEGULA_KERNEL tg::array<float, 1> weight_gradient(tg::array<const float, 2> x, tg::array<const float, 2> dy,
                                                  tg::array<float, 2> dx, tg::s64 groups) {
  tg::check(x.dim(0) == dy.dim(0) && x.dim(1) == dy.dim(1) && dx.dim(0) == x.dim(0) && dx.dim(1) == x.dim(1),
            "x, dy and dx differ in shape");
  constexpr int rows = 4;
  auto partial = tg::empty<float>(groups, x.dim(1));
  auto dw = tg::empty<float>(x.dim(1));
  const auto steps = tg::cdiv(x.dim(0), rows * groups);
  const auto block = [=](auto group, auto step) { return tg::index(group * steps + step, 0); };
  tg::pallas_call(
      {.grid = {groups, steps}, .dimension_semantics = {tg::parallel, tg::sequential}},
      [](auto x, auto dy, auto dx, auto dw) {
        if (tg::program_id(1) == 0)
          dw[tg::all] = 0.0f;
        const auto g = dy[tg::all] * x[tg::all];
        dx[tg::all] = dy[tg::all] - tg::sum<1>(g, tg::keepdims);
        dw[tg::all] += tg::sum<0>(g);
      },
      tg::in<rows, tg::whole>(x, block), tg::in<rows, tg::whole>(dy, block), tg::inout<rows, tg::whole>(dx, block),
      tg::out<tg::squeezed, tg::whole>(partial, [](auto group, auto) { return tg::index(group, 0); }));
  tg::pallas_call([](auto partial, auto dw) { dw[tg::all] = tg::sum<0>(partial[tg::all]); }, tg::in(partial),
                  tg::out(dw));
  return dw;
}
