// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of few results and long sums, in namespaces of their own for each set of variants.
#include <tegula/tegula.h>
namespace tg = tegula;

namespace TEGULA_VARIANTS {

using matrix = tg::array<const tg::bf16, 2>;

/// Of whole arrays, in sub-tiles of so many columns, or of as many as the compiler chooses.
template <int Columns> TEGULA_KERNEL void of_arrays(matrix a, matrix b, tg::array<tg::bf16, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call(
      {.tile_n = Columns},
      [](auto a, auto b, auto o) { o[tg::all] = tg::astype<tg::bf16>(tg::dot(a[tg::all], b[tg::all])); }, tg::in(a),
      tg::in(b), tg::out(o));
}
TEGULA_INSTANTIATE("whole", of_arrays<0>);
TEGULA_INSTANTIATE("whole_64", of_arrays<64>);
TEGULA_INSTANTIATE("whole_128", of_arrays<128>);

TEGULA_KERNEL void by_steps(matrix a, matrix b, tg::array<tg::bf16, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 256)}},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<float, 128, 256>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k)
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
        o[tg::all] = tg::astype<tg::bf16>(sum);
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 256>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 256>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

/// The gradient of weights: a is K x M.
TEGULA_KERNEL void gradient(matrix a, matrix b, tg::array<tg::bf16, 2> o) {
  tg::check(a.dim(0) == b.dim(0) && o.dim(0) == a.dim(1) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call(
      [](auto a, auto b, auto o) { o[tg::all] = tg::astype<tg::bf16>(tg::dot(tg::transpose(a[tg::all]), b[tg::all])); },
      tg::in(a), tg::in(b), tg::out(o));
}

} // namespace TEGULA_VARIANTS
