// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of 4 bits, two to a byte: moved, converted, selected and exchanged.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> using matrix = tg::array<T, 2>;

template <class T> TEGULA_KERNEL void copy(matrix<const T> x, matrix<T> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o));
}

/// Rows by blocks, which extend past both ends of the array.
template <class T> TEGULA_KERNEL void widen(matrix<const T> x, matrix<float> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  const auto block = [](auto i, auto j) { return tg::index(i, j); };
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 16), tg::cdiv(x.dim(1), 64)}},
      [](auto x, auto o) { o[tg::all] = tg::astype<float>(x[tg::all]); }, tg::in<16, 64>(x, block),
      tg::out<16, 64>(o, block));
}
template <class T> TEGULA_KERNEL void narrow(matrix<const float> x, matrix<T> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  const auto block = [](auto i, auto j) { return tg::index(i, j); };
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 16), tg::cdiv(x.dim(1), 64)}},
      [](auto x, auto o) { o[tg::all] = tg::astype<T>(x[tg::all]); }, tg::in<16, 64>(x, block),
      tg::out<16, 64>(o, block));
}

/// What the mask leaves out of the output stays.
template <class T> TEGULA_KERNEL void masked(matrix<const T> x, matrix<const bool> wanted, matrix<T> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::check(wanted.dim(0) == o.dim(0) && wanted.dim(1) == o.dim(1), "the mask differs in shape");
  tg::pallas_call(
      [](auto x, auto wanted, auto o) {
        const auto mask = wanted[tg::all];
        tg::store(o, tg::load(x, mask), mask);
      },
      tg::in(x), tg::in(wanted), tg::inout(o));
}

/// Sums of rows by chunks of columns; as elements of 4 bits, which threads have one each of, too.
template <class T> TEGULA_KERNEL void sums(matrix<const T> x, tg::array<float, 1> o, tg::array<T, 1> p) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(0) == p.dim(0), "a sum for each row");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 32)}},
      [](auto x, auto o, auto p) {
        auto sum = tg::zeros<float, 32>();
        for (tg::s64 k = 0; k < x.dim(1); k += 64)
          sum += tg::sum<1>(tg::astype<float>(tg::load(x.at(tg::all, tg::ds<64>(k)), true)));
        o[tg::all] = sum;
        p[tg::all] = tg::astype<T>(sum);
      },
      tg::in<32, tg::any>(x, [](auto i) { return tg::index(i, 0); }),
      tg::out<32>(o, [](auto i) { return tg::index(i); }), tg::out<32>(p, [](auto i) { return tg::index(i); }));
}

template <class T> TEGULA_KERNEL void transposed(matrix<const T> x, matrix<T> o) {
  tg::check(x.dim(0) == o.dim(1) && x.dim(1) == o.dim(0), "o is not x transposed");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 32), tg::cdiv(x.dim(1), 64)}},
      [](auto x, auto o) { o[tg::all] = tg::transpose(x[tg::all]); },
      tg::in<32, 64>(x, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<64, 32>(o, [](auto i, auto j) { return tg::index(j, i); }));
}

/// Rows by indices, from there and back.
template <class T>
TEGULA_KERNEL void rows(matrix<const T> x, tg::array<const int, 1> index, matrix<T> taken, matrix<T> put) {
  tg::check(taken.dim(0) == index.dim(0) && put.dim(0) == index.dim(0) && x.dim(0) == index.dim(0), "rows differ");
  tg::check(taken.dim(1) == x.dim(1) && put.dim(1) == x.dim(1), "columns differ");
  tg::pallas_call(
      [](auto x, auto index, auto taken, auto put) {
        const auto i = index[tg::all];
        taken[tg::all] = x[i];
        put[i] = x[tg::all];
      },
      tg::in(x), tg::in(index), tg::out(taken), tg::inout(put));
}

/// Elements of a loaded tile: in reverse, and from an odd one on.
template <class T> TEGULA_KERNEL void parts(matrix<const T> x, matrix<T> reversed, matrix<float> odd) {
  tg::check(x.dim(1) == 64 && reversed.dim(1) == 64 && odd.dim(1) == 16, "rows of 64");
  tg::check(x.dim(0) == reversed.dim(0) && x.dim(0) == odd.dim(0), "rows differ");
  const auto row = [](auto i) { return tg::index(i, 0); };
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto reversed, auto odd) {
        const auto t = x[tg::all];
        reversed[tg::all] = tg::flip<1>(t);
        odd[tg::all] = tg::astype<float>(t[tg::all, tg::ds<16>(7)]);
      },
      tg::in<1, 64>(x, row), tg::out<1, 64>(reversed, row), tg::out<1, 16>(odd, row));
}

TEGULA_KERNEL void patterns(matrix<const tg::s4> x, matrix<tg::u4> o, matrix<tg::e2m1> p, matrix<tg::s4> q) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(0) == p.dim(0) && x.dim(1) == p.dim(1), "shapes");
  tg::check(x.dim(0) == q.dim(0) && x.dim(1) == q.dim(1), "shapes");
  tg::pallas_call(
      [](auto x, auto o, auto p, auto q) {
        const auto bits = tg::bitcast<tg::u4>(x[tg::all]);
        o[tg::all] = bits;
        p[tg::all] = tg::bitcast<tg::e2m1>(x[tg::all]);
        q[tg::all] = tg::where(tg::astype<int>(bits) < 4, tg::bitcast<tg::s4>(bits),
                               tg::astype<tg::s4>(tg::astype<int>(bits) + 1));
      },
      tg::in(x), tg::out(o), tg::out(p), tg::out(q));
}

TEGULA_KERNEL void copy_of_rank_3(tg::array<const tg::s4, 3> x, tg::array<tg::s4, 3> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && x.dim(2) == o.dim(2), "x and o differ in shape");
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(o));
}

/// Rows in numbers of 4 bits, and what each is a multiple of: arrays that the entry makes.
TEGULA_KERNEL tg::array<tg::s4, 2> quantise(matrix<const float> x, tg::array<tg::e8m0, 1> scales) {
  tg::check(x.dim(0) == scales.dim(0), "a scale for each row");
  auto o = tg::empty<tg::s4>(x.dim(0), x.dim(1));
  tg::pallas_call(
      [](auto x, auto o, auto scales) {
        const auto largest = tg::max<1>(tg::abs(x[tg::all]));
        const auto scale = tg::astype<tg::e8m0>(largest / 4);
        scales[tg::all] = scale;
        o[tg::all] = tg::astype<tg::s4>(tg::rint(x[tg::all] / tg::astype<float>(scale)[tg::all, tg::newaxis]));
      },
      tg::in(x), tg::out(o), tg::out(scales));
  return o;
}

/// Reductions that are divided among programs: of all, and of columns.
TEGULA_KERNEL void divided(matrix<const tg::s4> x, tg::array<float, 1> of_all, tg::array<float, 1> of_columns) {
  tg::check(of_all.dim(0) == 1 && of_columns.dim(0) == x.dim(1), "a sum for each column, and one");
  tg::pallas_call([](auto x, auto o) { o[0] = tg::sum(tg::astype<float>(x[tg::all])); }, tg::in(x), tg::out(of_all));
  tg::pallas_call([](auto x, auto o) { o[tg::all] = tg::sum<0>(tg::astype<float>(x[tg::all])); }, tg::in(x),
                  tg::out(of_columns));
}

/// Rows of any length, each read twice.
TEGULA_KERNEL void below_largest(matrix<const tg::e2m1> x, matrix<tg::e2m1> o) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  const auto row = [](auto i) { return tg::index(i, 0); };
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto t = tg::astype<float>(x[tg::all]);
        o[tg::all] = tg::astype<tg::e2m1>(t - tg::max<1>(t)[tg::all, tg::newaxis]);
      },
      tg::in<1, tg::any>(x, row), tg::out<1, tg::any>(o, row));
}

/// Counts and one number everywhere, in extents known at run time; rows with padding before and behind.
template <class T> TEGULA_KERNEL void made(matrix<const T> x, tg::array<T, 1> counts, matrix<T> numbers, matrix<T> o) {
  tg::check(o.dim(0) == x.dim(0) + 3 && o.dim(1) == x.dim(1), "o has three rows more");
  tg::pallas_call(
      [](auto x, auto counts, auto numbers, auto o) {
        counts[tg::all] = tg::iota<T>(counts.dim(0));
        numbers[tg::all] = tg::astype<T>(tg::full<int>(-3, numbers.dim(0), numbers.dim(1)));
        o[tg::all] = tg::pad<0, 1, 2>(x[tg::all], 3);
      },
      tg::in(x), tg::out(counts), tg::out(numbers), tg::out(o));
}

#define OF_EACH(T)                                                                                                     \
  TEGULA_INSTANTIATE("copy_" #T, copy<tg::T>);                                                                         \
  TEGULA_INSTANTIATE("widen_" #T, widen<tg::T>);                                                                       \
  TEGULA_INSTANTIATE("narrow_" #T, narrow<tg::T>);                                                                     \
  TEGULA_INSTANTIATE("masked_" #T, masked<tg::T>);                                                                     \
  TEGULA_INSTANTIATE("sums_" #T, sums<tg::T>);                                                                         \
  TEGULA_INSTANTIATE("transposed_" #T, transposed<tg::T>);                                                             \
  TEGULA_INSTANTIATE("rows_" #T, rows<tg::T>);                                                                         \
  TEGULA_INSTANTIATE("made_" #T, made<tg::T>);                                                                         \
  TEGULA_INSTANTIATE("parts_" #T, parts<tg::T>)
OF_EACH(s4);
OF_EACH(u4);
OF_EACH(e2m1);
