// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto row_of = [](auto i) { return tg::index(i, 0); };
constexpr auto element_of = [](auto i) { return tg::index(i); };

/// What normalize returns: the rows, and the mean and the factor of each.
struct Normalized {
  tg::array<float, 2> rows;
  tg::array<float, 1> mean, scale;
};

/// (x - mean) * scale, where scale is 1 / sqrt(variance + epsilon) of the row.
TEGULA_KERNEL Normalized normalize(tg::array<const float, 2> x, float epsilon = 1e-5f) {
  Normalized o{tg::empty_like(x), tg::empty<float>(x.dim(0)), tg::empty<float>(x.dim(0))};
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto rows, auto mean, auto scale) {
        const auto row = x[tg::all];
        const auto m = tg::mean(row);
        const auto s = tg::rsqrt(tg::mean(tg::square(row - m)) + epsilon);
        rows[tg::all] = (row - m) * s;
        mean[] = m;
        scale[] = s;
      },
      tg::in<tg::squeezed, tg::whole>(x, row_of), tg::out<tg::squeezed, tg::whole>(o.rows, row_of),
      tg::out<tg::squeezed>(o.mean, element_of), tg::out<tg::squeezed>(o.scale, element_of));
  return o;
}
