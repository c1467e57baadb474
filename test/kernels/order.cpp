// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of which one part depends on another one through memory, of any size: they are cut into stages.
#include <tegula/tegula.h>
namespace tg = tegula;

/// Each element takes the place of the one before it.
template <class T> TEGULA_KERNEL void shift_left(tg::array<T, 1> x) {
  tg::pallas_call(
      [](auto x) {
        const auto n = x.dim(0);
        x[tg::ds(0, n - 1)] = x[tg::ds(1, n - 1)];
      },
      tg::inout(x));
}
TEGULA_INSTANTIATE("shift_left_f32", shift_left<float>);
TEGULA_INSTANTIATE("shift_left_bf16", shift_left<tg::bf16>);
TEGULA_INSTANTIATE("shift_left_s8", shift_left<tg::s8>);
TEGULA_INSTANTIATE("shift_left_bool", shift_left<bool>);
TEGULA_INSTANTIATE("shift_left_f64", shift_left<double>);

/// The first half, in twos, takes the place of the second one: windows that do not overlap.
TEGULA_KERNEL void copy_down(tg::array<int, 1> x) {
  tg::pallas_call(
      [](auto x) {
        const auto half = x.dim(0) / 2;
        x[tg::ds(half, half)] = x[tg::ds(0, half)];
      },
      tg::inout(x));
}

template <class T> TEGULA_KERNEL void transpose_in_place(tg::array<T, 2> x) {
  tg::check(x.dim(0) == x.dim(1), "x is not a square");
  tg::pallas_call([](auto x) { x[tg::all] = tg::transpose(x[tg::all]); }, tg::inout(x));
}
TEGULA_INSTANTIATE("transpose_in_place_f32", transpose_in_place<float>);
TEGULA_INSTANTIATE("transpose_in_place_f16", transpose_in_place<tg::f16>);

/// Two steps of a stencil: the second one reads what its neighbours have stored.
TEGULA_KERNEL tg::array<int, 1> stencil_twice(tg::array<const int, 1> x, tg::array<int, 1> t) {
  tg::check(x.dim(0) == t.dim(0), "x and t differ in length");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto t, auto o) {
        const auto n = x.dim(0);
        t[tg::all] = x[tg::all];
        t[tg::ds(1, n - 2)] = x[tg::ds(0, n - 2)] + x[tg::ds(1, n - 2)] * 2 + x[tg::ds(2, n - 2)];
        o[tg::all] = t[tg::all];
        o[tg::ds(1, n - 2)] = t[tg::ds(0, n - 2)] + t[tg::ds(1, n - 2)] * 2 + t[tg::ds(2, n - 2)];
      },
      tg::in(x), tg::inout(t), tg::out(o));
  return o;
}

/// Three stores, of which the last one wins.
TEGULA_KERNEL tg::array<int, 1> last_store_wins(tg::array<const int, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o) {
        const auto n = x.dim(0);
        o[tg::all] = x[tg::all];
        o[tg::ds(n / 3, n - n / 3)] = 2 * x[tg::ds(0, n - n / 3)];
        o[tg::ds(n / 2, n - n / 2)] = 3 * x[tg::ds(0, n - n / 2)];
      },
      tg::in(x), tg::out(o));
  return o;
}

/// A value is combined in front of a store to where it was read, and behind.
TEGULA_KERNEL tg::array<int, 1> use_after_store(tg::array<int, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto o) {
        const auto t = x[tg::all];
        x[tg::all] = t * 2 + tg::sum(t);
        o[tg::all] = t - x[tg::all] + tg::max(t);
      },
      tg::inout(x), tg::out(o));
  return o;
}

/// Sums along rows, of which columns are divided by theirs: all of it is combined along both dimensions.
TEGULA_KERNEL void subtract_twice(tg::array<int, 2> x) {
  tg::pallas_call(
      [](auto x) {
        const auto t = x[tg::all];
        const auto r = t - tg::max<1>(t, tg::keepdims);
        x[tg::all] = r - tg::min<0>(r);
      },
      tg::inout(x));
}

/// A softmax along rows, and of that one along columns.
TEGULA_KERNEL void softmax_twice(tg::array<float, 2> x) {
  tg::pallas_call(
      [](auto x) {
        const auto t = x[tg::all];
        const auto e = tg::exp(t - tg::max<1>(t, tg::keepdims));
        const auto p = e / tg::sum<1>(e, tg::keepdims);
        const auto f = tg::exp(p - tg::max<0>(p));
        x[tg::all] = f / tg::sum<0>(f);
      },
      tg::inout(x));
}

/// A table of sums of all that is above and to the left.
TEGULA_KERNEL void summed_areas(tg::array<int, 2> x) {
  tg::pallas_call([](auto x) { x[tg::all] = tg::cumsum<0>(tg::cumsum<1>(x[tg::all])); }, tg::inout(x));
}

/// The elements above 0, in their order, and how many they are.
TEGULA_KERNEL void compact(tg::array<const int, 1> x, tg::array<int, 1> o, tg::array<int, 1> count) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  tg::pallas_call(
      [](auto x, auto o, auto count) {
        const auto v = x[tg::all];
        const auto keep = v > 0;
        const auto behind = tg::cumsum<0>(tg::astype<int>(keep));
        tg::store(o.at(behind - 1), v, keep);
        count[0] = tg::sum(tg::astype<int>(keep));
      },
      tg::in(x), tg::inout(o), tg::inout(count));
}

/// The same in place: what is behind the last one stays as it was.
TEGULA_KERNEL void compact_in_place(tg::array<int, 1> x) {
  tg::pallas_call(
      [](auto x) {
        const auto v = x[tg::all];
        const auto keep = v > 0;
        tg::store(x.at(tg::cumsum<0>(tg::astype<int>(keep)) - 1), v, keep);
      },
      tg::inout(x));
}

/// What a store writes is gathered behind it, and a number of that decides what is added.
TEGULA_KERNEL tg::array<int, 1> gather_behind(tg::array<const int, 1> x, tg::array<int, 1> t,
                                              tg::array<const int, 1> at) {
  tg::check(x.dim(0) == t.dim(0) && x.dim(0) == at.dim(0), "x, t and at differ in length");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto t, auto at, auto o) {
        t[tg::all] = x[tg::all] * 3;
        const auto first = t[0];
        o[tg::all] = t[at[tg::all]] + first;
      },
      tg::in(x), tg::inout(t), tg::in(at), tg::out(o));
  return o;
}

/// Several programs, each of which combines its own rows along both dimensions: blocks of run-time sizes, of which the
/// last one is smaller.
TEGULA_KERNEL void subtract_in_blocks(tg::array<int, 2> x, tg::s64 rows) {
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), rows)}},
      [](auto x) {
        x[tg::all] = x[tg::all] - tg::max<1>(x[tg::all], tg::keepdims);
        x[tg::all] = x[tg::all] * 2 - tg::min<0>(x[tg::all]);
      },
      tg::inout(x, {rows, x.dim(1)}, [](auto i) { return tg::index(i, 0); }));
}

/// The same of rows in blocks that are as large as their type says, and too large for a thread group.
TEGULA_KERNEL void combine_in_blocks(tg::array<int, 2> x) {
  tg::pallas_call(
      {.grid = {x.dim(0), tg::cdiv(x.dim(1), 16384)}},
      [](auto x) {
        const auto t = x[tg::all];
        x[tg::all] = t + tg::max(t) - tg::min(t);
        x[tg::all] = x[tg::all] * 2 - tg::max(x[tg::all]);
      },
      tg::inout<tg::squeezed, 16384>(x, [](auto i, auto j) { return tg::index(i, j); }));
}

/// Scans of such blocks in both directions, of which the last one of a row is smaller than its type says.
TEGULA_KERNEL void scan_both_ways(tg::array<int, 2> x) {
  tg::pallas_call(
      {.grid = {x.dim(0), tg::cdiv(x.dim(1), 16384)}},
      [](auto x) {
        const auto t = x[tg::all];
        x[tg::all] = tg::cumsum<0>(t) - 2 * tg::cumsum<0>(t, tg::reverse);
      },
      tg::inout<tg::squeezed, 16384>(x, [](auto i, auto j) { return tg::index(i, j); }));
}

// ---- Loops and branches
// -----------------------------------------------------------------------------------------------

/// Each step reads what its neighbours have stored in the step before.
TEGULA_KERNEL void jacobi(tg::array<int, 1> x, int steps) {
  tg::pallas_call(
      [=](auto x) {
        const auto n = x.dim(0);
        for (int i = 0; i < steps; ++i)
          x[tg::ds(1, n - 2)] = x[tg::ds(0, n - 2)] * 3 - x[tg::ds(2, n - 2)];
      },
      tg::inout(x));
}

/// A tile that a loop carries is combined in each step, along another dimension in turns.
TEGULA_KERNEL tg::array<int, 2> subtract_in_turns(tg::array<const int, 2> x, int steps) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [=](auto x, auto o) {
        auto t = x[tg::all];
        for (int i = 0; i < steps; ++i) {
          t = t - tg::max<1>(t, tg::keepdims);
          t = t * 2 - tg::min<0>(t);
        }
        o[tg::all] = t;
      },
      tg::in(x), tg::out(o));
  return o;
}

/// A loop that carries two tiles, which change places, and a number.
TEGULA_KERNEL tg::array<int, 1> fibonacci(tg::array<const int, 1> x, tg::array<const int, 1> y, int steps) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [=](auto x, auto y, auto o) {
        auto a = x[tg::all], b = y[tg::all];
        int most = 0;
        for (int i = 0; i < steps; ++i) {
          const auto next = a + b + most;
          a = b;
          b = next;
          most = tg::max(next) % 7;
        }
        o[tg::all] = b * 2 + most;
      },
      tg::in(x), tg::in(y), tg::out(o));
  return o;
}

/// A matrix to a power.
TEGULA_KERNEL tg::array<float, 2> power(tg::array<const float, 2> x, int steps) {
  tg::check(x.dim(0) == x.dim(1), "x is not a square");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [=](auto x, auto o) {
        auto t = x[tg::all];
        for (int i = 0; i < steps; ++i)
          t = tg::dot(t, x[tg::all]);
        o[tg::all] = t;
      },
      tg::in(x), tg::out(o));
  return o;
}

/// What a loop carries is wanted at two places, and an element of it.
TEGULA_KERNEL tg::array<int, 2> antisymmetric(tg::array<const int, 2> x, int steps) {
  tg::check(x.dim(0) == x.dim(1), "x is not a square");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [=](auto x, auto o) {
        auto t = x[tg::all];
        for (int i = 0; i < steps; ++i)
          t = t - tg::transpose(t) + t[0, 0];
        o[tg::all] = t;
      },
      tg::in(x), tg::out(o));
  return o;
}

/// A branch of the host, and one that what is computed decides.
TEGULA_KERNEL tg::array<int, 2> branches(tg::array<const int, 2> x, tg::array<const int, 2> y, bool other, int bound) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1), "x and y differ in shape");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      [=](auto x, auto y, auto o) {
        auto t = x[tg::all];
        if (other)
          t = y[tg::all] - tg::max<0>(y[tg::all]);
        t = t - tg::max<1>(t, tg::keepdims);
        if (tg::min(t) < bound)
          t = t * 2 + tg::sum<0>(t);
        o[tg::all] = t;
      },
      tg::in(x), tg::in(y), tg::out(o));
  return o;
}

/// Until nothing changes: how many steps that takes, the program alone finds out.
TEGULA_KERNEL void spread_until(tg::array<int, 1> x, tg::array<int, 1> steps) {
  tg::pallas_call(
      [](auto x, auto steps) {
        const auto n = x.dim(0);
        int before = tg::sum(x[tg::all]), count = 0;
        while (count < 64) {
          x[tg::ds(0, n - 1)] = tg::maximum(x[tg::ds(0, n - 1)], x[tg::ds(1, n - 1)]);
          const int now = tg::sum(x[tg::all]);
          ++count;
          if (now == before)
            break;
          before = now;
        }
        steps[0] = count;
      },
      tg::inout(x), tg::inout(steps));
}

/// The same of a tile that the loop carries, by each program for a block of its own.
TEGULA_KERNEL tg::array<float, 2> roots_until(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 3)}},
      [](auto x, auto o) {
        const auto a = x[tg::all];
        auto y = a;
        for (int i = 0; i < 40; ++i) {
          const auto next = (y + a / y) * 0.5f;
          const float change = tg::max(tg::abs(next - y) / next);
          y = next;
          if (change < 1e-7f)
            break;
        }
        o[tg::all] = y;
      },
      tg::in(x, {3, x.dim(1)}, [](auto i) { return tg::index(i, 0); }),
      tg::out(o, {3, x.dim(1)}, [](auto i) { return tg::index(i, 0); }));
  return o;
}

/// Windows of a loop that overlap: the last one wins.
TEGULA_KERNEL void sliding(tg::array<int, 1> x, tg::s64 n, int steps) {
  tg::pallas_call(
      [=](auto x) {
        for (int i = 0; i < steps; ++i)
          x[tg::ds(i, n)] = i * 10;
      },
      tg::inout(x));
}

/// A loop in a loop, the inner one's bound the outer one's number.
TEGULA_KERNEL void triangle(tg::array<int, 1> x, int steps) {
  tg::pallas_call(
      [=](auto x) {
        const auto n = x.dim(0);
        for (int i = 0; i < steps; ++i) {
          for (int j = 0; j < i; ++j)
            x[tg::ds(0, n - 1)] = x[tg::ds(1, n - 1)] + j;
          x[tg::all] = x[tg::all] - tg::min(x[tg::all]);
        }
      },
      tg::inout(x));
}

/// Distances along edges, until no edge shortens any: what an update finds says whether it did.
TEGULA_KERNEL void shorten(tg::array<const int, 1> from, tg::array<const int, 1> to, tg::array<int, 1> distance) {
  tg::check(from.dim(0) == to.dim(0), "an edge goes from one node to another");
  tg::pallas_call(
      [](auto from, auto to, auto distance) {
        bool changes = true;
        while (changes) {
          const auto by_edge = distance[from[tg::all]] + 1;
          const auto found = tg::atomic_min(distance.at(to[tg::all]), by_edge);
          changes = tg::any_of(by_edge < found);
        }
      },
      tg::in(from), tg::in(to), tg::inout(distance));
}

/// Adds until all of what it found was large enough, which it keeps.
TEGULA_KERNEL void fill_up(tg::array<const int, 1> place, tg::array<int, 1> x, tg::array<int, 1> found) {
  tg::check(place.dim(0) == found.dim(0), "one for each place");
  tg::pallas_call(
      [](auto place, auto x, auto found) {
        bool goes_on = true;
        while (goes_on) {
          found[tg::all] = tg::atomic_add(x.at(place[tg::all]), 1);
          goes_on = tg::any_of(found[tg::all] < 20);
        }
      },
      tg::in(place), tg::inout(x), tg::inout(found));
}

/// All updates come first, then all that they found is stored: what lies at another place.
TEGULA_KERNEL void found_in_place(tg::array<const int, 1> place, tg::array<int, 1> x) {
  tg::check(place.dim(0) == x.dim(0), "one for each place");
  tg::pallas_call(
      [](auto place, auto x) {
        bool goes_on = true;
        while (goes_on) {
          x[tg::all] = tg::atomic_add(x.at(place[tg::all]), 1);
          goes_on = tg::any_of(x[tg::all] < 0);
        }
      },
      tg::in(place), tg::inout(x));
}
/// The mask is of x before it is updated.
TEGULA_KERNEL void found_where(tg::array<const int, 1> place, tg::array<int, 1> x, tg::array<int, 1> found) {
  tg::check(place.dim(0) == x.dim(0) && place.dim(0) == found.dim(0), "one for each place");
  tg::pallas_call(
      [](auto place, auto x, auto found) {
        bool goes_on = true;
        while (goes_on) {
          const auto is_small = x[tg::all] < 10;
          tg::store(found.at(tg::all), tg::atomic_add(x.at(place[tg::all]), 10), is_small);
          goes_on = tg::any_of(x[tg::all] < 0);
        }
      },
      tg::in(place), tg::inout(x), tg::inout(found));
}
