// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of arrays, each of which lies anywhere.
#include <tegula/tegula.h>
namespace tg = tegula;

// Blocks of one array of a list, of vectors.
template <class T> TEGULA_KERNEL void increment(tg::arrays<const T, 1> x, tg::arrays<T, 1> o) {
  tg::check(x.size() == o.size() && x.dim(1) == o.dim(1), "x and o differ in number or length");
  const auto map = [](auto i, auto j) { return tg::index(i, j); };
  tg::pallas_call(
      {.grid = {x.size(), tg::cdiv(x.dim(1), 1024)}},
      [](auto x, auto o) { o[tg::all] = x[tg::all] + tg::astype<T>(1); }, tg::in<tg::squeezed, 1024>(x, map),
      tg::out<tg::squeezed, 1024>(o, map));
}
TEGULA_INSTANTIATE("increment_f32", increment<float>);
TEGULA_INSTANTIATE("increment_bf16", increment<tg::bf16>);
TEGULA_INSTANTIATE("increment_u8", increment<tg::u8>);
TEGULA_INSTANTIATE("increment_f64", increment<double>);

// A step of gradient descent with momentum, in place: blocks of 1 array, of matrices.
TEGULA_KERNEL void descend(tg::arrays<float, 2> p, tg::arrays<const float, 2> g, tg::arrays<float, 2> v, float rate,
                           float decay) {
  tg::check(p.size() == g.size() && p.dim(1) == g.dim(1) && p.dim(2) == g.dim(2), "p and g differ");
  tg::check(p.size() == v.size() && p.dim(1) == v.dim(1) && p.dim(2) == v.dim(2), "p and v differ");
  const auto map = [](auto i, auto j, auto k) { return tg::index(i, j, k); };
  tg::pallas_call(
      {.grid = {p.size(), tg::cdiv(p.dim(1), 16), tg::cdiv(p.dim(2), 64)}},
      [=](auto p, auto g, auto v) {
        v[tg::all] = decay * v[tg::all] + g[tg::all];
        p[tg::all] -= rate * v[tg::all];
      },
      tg::inout<1, 16, 64>(p, map), tg::in<1, 16, 64>(g, map), tg::inout<1, 16, 64>(v, map));
}

// The sum of all arrays of a list: a program has its columns of each.
TEGULA_KERNEL tg::array<float, 1> add_up(tg::arrays<const float, 1> x) {
  auto o = tg::empty<float>(x.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(1), 256)}},
      [](auto x, auto o) {
        auto sum = tg::zeros<float, 256>();
        for (int i = 0; i < x.dim(0); ++i)
          sum += tg::load(x.at(i), true, 0);
        o[tg::all] = sum;
      },
      tg::in<tg::whole, 256>(x, [](auto j) { return tg::index(0, j); }),
      tg::out<256>(o, [](auto j) { return tg::index(j); }));
  return o;
}

// The norm of each row of each matrix; the list is captured.
TEGULA_KERNEL tg::array<float, 2> norms(tg::arrays<const float, 2> x) {
  auto o = tg::empty<float>(x.dim(0), x.dim(1));
  tg::pallas_call(
      {.grid = {x.dim(0), x.dim(1)}},
      [=](auto o) {
        const auto row = x[tg::program_id(0), tg::program_id(1)];
        o[tg::program_id(0), tg::program_id(1)] = tg::sqrt(tg::sum(row * row));
      },
      tg::out(o));
  return o;
}

// The softmax of each row, in place.
TEGULA_KERNEL void softmax_all(tg::arrays<float, 2> x) {
  tg::pallas_call(
      {.grid = {x.dim(0), x.dim(1)}},
      [](auto x) {
        const auto row = x[tg::program_id(0), tg::program_id(1)];
        const auto e = tg::exp(row - tg::max(row));
        x[tg::program_id(0), tg::program_id(1)] = e / tg::sum(e);
      },
      tg::inout(x));
}

// One array of a list for each program, by numbers that are data, and some of its columns from a place on.
TEGULA_KERNEL void choose(tg::arrays<const float, 1> x, tg::array<const int, 1> which, tg::array<float, 2> o,
                          int start) {
  tg::check(which.dim(0) == o.dim(0), "which and o differ");
  tg::pallas_call(
      {.grid = {which.dim(0)}},
      [=](auto x, auto which, auto o) {
        const auto i = tg::program_id(0);
        o[i, tg::all] = tg::load(x.at(which[i], tg::ds<32>(start)), true, -1.0f);
      },
      tg::in(x), tg::in(which), tg::out<tg::whole, 32>(o, [](auto) { return tg::index(0, 0); }));
}

// Numbers, each at a place of its own.
TEGULA_KERNEL void scatter_numbers(tg::array<const float, 1> x, tg::arrays<float, 0> o) {
  tg::check(x.dim(0) == o.size(), "x and o differ in number");
  tg::pallas_call(
      {.grid = {o.size()}}, [](auto x, auto o) { o[tg::program_id(0)] = x[tg::program_id(0)]; }, tg::in(x), tg::out(o));
}

// Counts of each list's own array.
TEGULA_KERNEL void count(tg::arrays<const int, 1> x, tg::arrays<int, 1> o) {
  tg::check(x.size() == o.size(), "x and o differ in number");
  tg::pallas_call(
      {.grid = {x.size(), tg::cdiv(x.dim(1), 512)}},
      [](auto x, auto o) { tg::atomic_add(o.at(tg::program_id(0), x[tg::all]), 1); },
      tg::in<tg::squeezed, 512>(x, [](auto i, auto j) { return tg::index(i, j); }), tg::inout(o));
}

// Moves each array in place, which takes several kernels where it is long.
TEGULA_KERNEL void shift(tg::arrays<float, 1> x) {
  tg::pallas_call(
      {.grid = {x.size()}},
      [](auto x) {
        const auto i = tg::program_id(0), n = x.dim(1);
        x[i, tg::ds(0, n - 1)] = x[i, tg::ds(1, n - 1)];
      },
      tg::inout(x));
}

// Prefix sums of rows of any length, and sorted rows.
TEGULA_KERNEL void accumulate_all(tg::arrays<const float, 1> x, tg::arrays<float, 1> o) {
  tg::check(x.size() == o.size() && x.dim(1) == o.dim(1), "x and o differ in number or length");
  tg::pallas_call(
      {.grid = {x.size()}}, [](auto x, auto o) { o[tg::program_id(0)] = tg::cumsum<0>(x[tg::program_id(0)]); },
      tg::in(x), tg::out(o));
}
TEGULA_KERNEL void sort_all(tg::arrays<const int, 1> x, tg::arrays<int, 1> o) {
  tg::check(x.size() == o.size() && x.dim(1) == o.dim(1), "x and o differ in number or length");
  tg::pallas_call(
      {.grid = {x.size()}}, [](auto x, auto o) { o[tg::program_id(0)] = tg::sort(x[tg::program_id(0)]); }, tg::in(x),
      tg::out(o));
}

// Products of the matrices of two lists, in one launch.
template <class T>
TEGULA_KERNEL void multiply_all(tg::arrays<const T, 2> a, tg::arrays<const T, 2> b, tg::arrays<float, 2> c) {
  tg::check(a.size() == b.size() && a.size() == c.size(), "a, b and c differ in number");
  tg::check(a.dim(2) == b.dim(1) && c.dim(1) == a.dim(1) && c.dim(2) == b.dim(2), "a b is not of c's shape");
  tg::pallas_call(
      {.grid = {c.size(), tg::cdiv(c.dim(1), 128), tg::cdiv(c.dim(2), 128)}},
      [](auto a, auto b, auto c) { c[tg::all] = tg::dot(a[tg::all], b[tg::all]); },
      tg::in<tg::squeezed, 128, tg::whole>(a, [](auto i, auto m, auto) { return tg::index(i, m, 0); }),
      tg::in<tg::squeezed, tg::whole, 128>(b, [](auto i, auto, auto n) { return tg::index(i, 0, n); }),
      tg::out<tg::squeezed, 128, 128>(c, [](auto i, auto m, auto n) { return tg::index(i, m, n); }));
}
TEGULA_INSTANTIATE("multiply_all_f32", multiply_all<float>);
TEGULA_INSTANTIATE("multiply_all_bf16", multiply_all<tg::bf16>);

// By weights of fewer bits, each matrix with scales of its own.
TEGULA_KERNEL void multiply_weights(tg::arrays<const tg::bf16, 2> a, tg::arrays<const tg::s8, 2> w,
                                    tg::arrays<const float, 1> scale, tg::arrays<float, 2> c) {
  tg::check(a.size() == w.size() && a.size() == c.size() && a.size() == scale.size(), "the lists differ in number");
  tg::check(a.dim(2) == w.dim(2) && c.dim(1) == a.dim(1) && c.dim(2) == w.dim(1), "a w^T is not of c's shape");
  tg::check(scale.dim(1) == c.dim(2), "scales and columns differ in number");
  tg::pallas_call(
      {.grid = {c.size(), tg::cdiv(c.dim(1), 64), tg::cdiv(c.dim(2), 64)}},
      [](auto a, auto w, auto scale, auto c) {
        const auto sums = tg::dot(a[tg::all], tg::transpose(tg::astype<tg::bf16>(w[tg::all])));
        c[tg::all] = sums * scale[tg::newaxis, tg::all];
      },
      tg::in<tg::squeezed, 64, tg::whole>(a, [](auto i, auto m, auto) { return tg::index(i, m, 0); }),
      tg::in<tg::squeezed, 64, tg::whole>(w, [](auto i, auto, auto n) { return tg::index(i, n, 0); }),
      tg::in<tg::squeezed, 64>(scale, [](auto i, auto, auto n) { return tg::index(i, n); }),
      tg::out<tg::squeezed, 64, 64>(c, [](auto i, auto m, auto n) { return tg::index(i, m, n); }));
}

// Rows with what they share: a weight for each matrix.
TEGULA_KERNEL void normalise_all(tg::arrays<const float, 2> x, tg::arrays<const float, 1> weight,
                                 tg::arrays<float, 2> o) {
  tg::check(x.size() == o.size() && x.dim(1) == o.dim(1) && x.dim(2) == o.dim(2), "x and o differ");
  tg::check(x.size() == weight.size() && x.dim(2) == weight.dim(1), "x and weight differ");
  tg::pallas_call(
      {.grid = {x.dim(0), x.dim(1)}},
      [](auto x, auto weight, auto o) {
        const auto row = x[tg::all];
        o[tg::all] = row / tg::sqrt(tg::mean(row * row)) * weight[tg::all];
      },
      tg::in<tg::squeezed, tg::squeezed, tg::whole>(x, [](auto i, auto j) { return tg::index(i, j, 0); }),
      tg::in<tg::squeezed, tg::whole>(weight, [](auto i, auto) { return tg::index(i, 0); }),
      tg::out<tg::squeezed, tg::squeezed, tg::whole>(o, [](auto i, auto j) { return tg::index(i, j, 0); }));
}

// Views of lists: of some arrays, of one column of each.
TEGULA_KERNEL tg::array<float, 2> add_columns(tg::arrays<const float, 2> x, int from) {
  tg::check(from >= 0 && from <= x.size(), "x has so many arrays");
  auto o = tg::empty<float>(x.dim(0) - from, x.dim(2));
  tg::pallas_call(
      {.grid = {o.dim(0), o.dim(1)}},
      [=](auto x, auto o) {
        const auto i = tg::program_id(0), j = tg::program_id(1);
        const auto later = x.at(tg::ds(from, x.dim(0) - from));
        const auto column = later.at(tg::all, tg::all, j);
        o[i, j] = tg::sum(column[i]);
      },
      tg::in(x), tg::out(o));
  return o;
}

// Blocks of one array, also behind the last one.
TEGULA_KERNEL void copy_blocks(tg::arrays<const float, 1> x, tg::arrays<float, 1> o) {
  tg::check(x.size() == o.size() && x.dim(1) == o.dim(1), "x and o differ in number or length");
  const auto map = [](auto i, auto j) { return tg::index(i, j); };
  tg::pallas_call(
      {.grid = {x.size() + 2, tg::cdiv(x.dim(1), 64) + 1}}, [](auto x, auto o) { o[tg::all] = x[tg::all]; },
      tg::in<1, 64>(x, map), tg::out<1, 64>(o, map));
}

// Reductions that take several passes: of each array, of its columns, and of all of them in one program.
TEGULA_KERNEL tg::array<float, 1> totals(tg::arrays<const float, 2> x) {
  auto o = tg::empty<float>(x.size());
  tg::pallas_call(
      {.grid = {x.size()}}, [](auto x, auto o) { o[tg::program_id(0)] = tg::sum(x[tg::program_id(0)]); }, tg::in(x),
      tg::out(o));
  return o;
}
TEGULA_KERNEL tg::array<float, 2> column_totals(tg::arrays<const float, 2> x) {
  auto o = tg::empty<float>(x.size(), x.dim(2));
  tg::pallas_call(
      {.grid = {x.size()}}, [](auto x, auto o) { o[tg::program_id(0)] = tg::sum<0>(x[tg::program_id(0)]); }, tg::in(x),
      tg::out(o));
  return o;
}
TEGULA_KERNEL tg::array<float, 1> grand_total(tg::arrays<const float, 2> x) {
  auto o = tg::empty<float>(1);
  tg::pallas_call(
      [](auto x, auto o) {
        float sum = 0;
        for (int i = 0; i < x.dim(0); ++i)
          sum += tg::sum(x[i]);
        o[0] = sum;
      },
      tg::in(x), tg::out(o));
  return o;
}

// Rows and columns of each array at a step, from places on that the caller says.
TEGULA_KERNEL void halve_some(tg::arrays<float, 2> x, tg::s64 row, tg::s64 by, tg::s64 column, tg::s64 step) {
  tg::pallas_call(
      {.grid = {x.size()}},
      [=](auto x) {
        const auto i = tg::program_id(0);
        const auto rows = tg::ds(row, tg::cdiv(x.dim(1) - row, by), by);
        const auto columns = tg::ds(column, tg::cdiv(x.dim(2) - column, step), step);
        x[i, rows, columns] = x[i, rows, columns] * 0.5f;
      },
      tg::inout(x));
}

// Every third element of one array of a list, from the fourth on, as far as there are.
TEGULA_KERNEL void every_third(tg::arrays<const float, 1> x, tg::array<float, 2> o) {
  tg::check(x.size() == o.dim(0), "x and o differ");
  tg::pallas_call(
      {.grid = {x.size()}},
      [](auto x, auto o) { o[tg::all] = tg::load(x.at(tg::program_id(0), tg::ds<16>(4, 3)), true, -1); }, tg::in(x),
      tg::out<tg::squeezed, 16>(o, [](auto i) { return tg::index(i, 0); }));
}

// What a run on the CPU finds: of programs that leave out an array, and that read what others store.
TEGULA_KERNEL void leave_out(tg::arrays<float, 1> o, tg::array<const int, 1> stored) {
  tg::check(stored.dim(0) == o.size(), "stored and o differ");
  tg::pallas_call(
      {.grid = {o.size()}},
      [](auto o, auto stored) {
        if (stored[tg::program_id(0)] != 0)
          o[tg::all] = tg::full<float>(1.0f, o.dim(0));
      },
      tg::out<tg::squeezed, tg::whole>(o, [](auto i) { return tg::index(i, 0); }), tg::in(stored));
}
TEGULA_KERNEL void copy_from(tg::arrays<float, 1> x, tg::array<const int, 1> which) {
  tg::check(which.dim(0) == x.size(), "which and x differ");
  tg::pallas_call(
      {.grid = {x.size()}}, [](auto x, auto which) { x[tg::program_id(0)] = x[which[tg::program_id(0)]]; },
      tg::inout(x), tg::in(which));
}
