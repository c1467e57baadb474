// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpositions. One program over whole arrays each: tegulac cuts it into squares, whose rows it loads and whose
// columns it stores as whole sectors of memory, through shared memory.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> TEGULA_KERNEL tg::array<T, 2> transposed(tg::array<const T, 2> x) {
  auto o = tg::empty<T>(x.dim(1), x.dim(0));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::transpose(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("transposed", transposed<tg::u8>);
TEGULA_INSTANTIATE("transposed", transposed<tg::bf16>);
TEGULA_INSTANTIATE("transposed", transposed<float>);

/// From images whose channels are neighbours to images whose columns are: (n, h, w, c) to (n, c, h, w).
template <class T> TEGULA_KERNEL tg::array<T, 4> channels_first(tg::array<const T, 4> x) {
  auto o = tg::empty<T>(x.dim(0), x.dim(3), x.dim(1), x.dim(2));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::transpose<0, 3, 1, 2>(x[tg::all]); }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("channels_first", channels_first<tg::bf16>);
TEGULA_INSTANTIATE("channels_first", channels_first<float>);
