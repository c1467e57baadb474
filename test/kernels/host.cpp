// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host part of entries.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };

namespace shapes {
/// What the host computes of shapes and scalars:
/// one number per program of a launch.
TEGULA_KERNEL tg::array<tg::s64, 1> arithmetic(tg::array<const float, 2> x, tg::s64 a, int b) {
  const auto rows = x.dim(0), columns = x.dim(1);
  const tg::s64 values[] = {rows * columns - a, a / b, a % b, -a, tg::cdiv(rows, 8) << 2, x.size()};
  auto o = tg::empty<tg::s64>(8);
  tg::pallas_call(
      [=](auto o) {
        o[0] = values[0];
        o[1] = values[1];
        o[2] = values[2];
        o[3] = values[3];
        o[4] = values[4];
        o[5] = values[5];
        o[6] = rows > columns && a != 0 ? rows : columns;
        o[7] = tg::maximum(rows, columns) - tg::minimum(rows, 3);
      },
      tg::out(o));
  return o;
}
} // namespace shapes

/// A branch on a shape chooses the launch.
TEGULA_KERNEL tg::array<int, 1> choose(tg::array<const int, 1> x) {
  auto o = tg::empty_like(x);
  if (x.dim(0) > 100)
    tg::pallas_call([](auto x, auto o) { o[tg::all] = 2 * x[tg::all]; }, tg::in(x), tg::out(o));
  else if (x.dim(0) % 2 == 1)
    tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all] + 1; }, tg::in(x), tg::out(o));
  else
    tg::pallas_call(
        {.grid = {x.dim(0)}}, [](auto x, auto o) { o[0] = -x[0]; }, tg::in<1>(x, same), tg::out<1>(o, same));
  return o;
}

/// Launches in a loop, each on the result of the one before; their number is a scalar argument. A temporary.
TEGULA_KERNEL void repeat(tg::array<float, 1> x, int times, double factor) {
  auto copy = tg::empty_like(x);
  const auto f = static_cast<float>(factor);
  for (int i = 0; i < times; ++i) {
    tg::pallas_call([](auto x, auto copy) { copy[tg::all] = x[tg::all] + 1; }, tg::in(x), tg::out(copy));
    tg::pallas_call([=](auto copy, auto x) { x[tg::all] = f * copy[tg::all]; }, tg::in(copy), tg::out(x));
  }
}

namespace several {
/// Results of different types and ranks, and scalars beside them.
struct Results {
  tg::array<float, 1> sum;
  tg::array<bool, 1> less;
  tg::array<tg::s64, 0> count;
};
namespace inner {
TEGULA_KERNEL Results results(tg::array<const float, 1> x, tg::array<const float, 1> y, bool flip) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ in length");
  Results r{tg::empty_like(x), tg::empty<bool>(x.dim(0)), tg::empty<tg::s64>()};
  tg::pallas_call(
      [=](auto x, auto y, auto sum, auto less, auto count) {
        sum[tg::all] = x[tg::all] + y[tg::all];
        less[tg::all] = (x[tg::all] < y[tg::all]) ^ flip;
        count[] = x.dim(0);
      },
      tg::in(x), tg::in(y), tg::out(r.sum), tg::out(r.less), tg::out(r.count));
  return r;
}
} // namespace inner
} // namespace several

/// A host function that launches, called twice; a struct of host values.
struct Affine {
  float scale, shift;
};
template <class In, class Out> void transform(In x, Out o, Affine by) {
  tg::pallas_call([=](auto x, auto o) { o[tg::all] = by.scale * x[tg::all] + by.shift; }, tg::in(x), tg::out(o));
}
TEGULA_KERNEL tg::array<float, 1> twice(tg::array<const float, 1> x, float scale, float shift) {
  auto middle = tg::empty_like(x), o = tg::empty_like(x);
  const Affine by{scale, shift};
  transform(x, middle, by);
  transform(middle, o, {.scale = by.shift, .shift = 1});
  return o;
}

/// No array: the caller says where the result is to be.
TEGULA_KERNEL tg::array<float, 2> constant(tg::s64 rows, tg::s64 columns, float value) {
  tg::check(rows >= 0 && columns >= 0, "an extent is negative");
  auto o = tg::empty<float>(rows, columns);
  tg::pallas_call([=](auto o) { o[tg::all] = value; }, tg::out(o));
  return o;
}

/// 20 arguments.
TEGULA_KERNEL void many(tg::array<const int, 1> a, tg::array<const int, 1> b, tg::array<const int, 1> c,
                        tg::array<const int, 1> d, tg::array<const int, 1> e, tg::array<const int, 1> f,
                        tg::array<const int, 1> g, tg::array<const int, 1> h, tg::array<const int, 1> i, int j, int k,
                        int l, int m, int n, int p, int q, int r, int s, int t, tg::array<int, 1> o) {
  tg::check(a.dim(0) == b.dim(0) && a.dim(0) == c.dim(0) && a.dim(0) == d.dim(0) && a.dim(0) == e.dim(0) &&
                a.dim(0) == f.dim(0) && a.dim(0) == g.dim(0) && a.dim(0) == h.dim(0) && a.dim(0) == i.dim(0) &&
                a.dim(0) == o.dim(0),
            "the arrays differ in length");
  tg::pallas_call(
      [=](auto a, auto b, auto c, auto d, auto e, auto f, auto g, auto h, auto i, auto o) {
        o[tg::all] = a[tg::all] * j + b[tg::all] * k + c[tg::all] * l + d[tg::all] * m + e[tg::all] * n +
                     f[tg::all] * p + g[tg::all] * q + h[tg::all] * r + i[tg::all] * s + t;
      },
      tg::in(a), tg::in(b), tg::in(c), tg::in(d), tg::in(e), tg::in(f), tg::in(g), tg::in(h), tg::in(i), tg::out(o));
}

namespace variables {
/// Two arrays that change places in each iteration.
TEGULA_KERNEL tg::array<float, 1> ping_pong(tg::array<const float, 1> x, int times) {
  auto from = tg::empty_like(x), to = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(from));
  for (int i = 0; i < times; ++i) {
    tg::pallas_call([](auto x, auto o) { o[tg::all] = 2 * x[tg::all] + 1; }, tg::in(from), tg::out(to));
    tg::swap(from, to);
  }
  return from;
}

/// Arrays of another length in each iteration, until one is left: the sum of 2^k elements.
TEGULA_KERNEL tg::array<float, 1> pyramid(tg::array<const float, 1> x) {
  auto level = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(level));
  while (level.dim(0) > 1) {
    auto next = tg::empty<float>(level.dim(0) / 2);
    tg::pallas_call(
        [](auto x, auto o) {
          const auto n = o.dim(0);
          o[tg::all] = x[tg::ds(0, n)] + x[tg::ds(n, n)];
        },
        tg::in(level), tg::out(next));
    level = next;
  }
  return level;
}

struct Pair {
  tg::array<float, 1> first, second;
  int factor;
};
Pair make_pair(tg::array<const float, 1> x, int factor) { return {tg::empty_like(x), tg::empty_like(x), factor}; }

/// Arrays in a struct, one of which is assigned in one branch; returned from either.
TEGULA_KERNEL tg::array<float, 1> either(tg::array<const float, 1> x, bool early, bool second) {
  Pair pair = make_pair(x, 3);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all]; }, tg::in(x), tg::out(pair.first));
  if (early)
    return pair.first;
  if (second) {
    const auto factor = static_cast<float>(pair.factor);
    tg::pallas_call([=](auto x, auto o) { o[tg::all] = factor * x[tg::all]; }, tg::in(pair.first),
                    tg::out(pair.second));
  } else {
    pair.second = pair.first;
  }
  return pair.second;
}

struct Two {
  tg::array<float, 1> a, b;
};
/// Both are returned, the same one if the caller says so: an error of the call.
TEGULA_KERNEL Two both(tg::array<const float, 1> x, bool same) {
  auto a = tg::empty_like(x), b = tg::empty_like(x);
  tg::pallas_call(
      [](auto x, auto a, auto b) {
        a[tg::all] = x[tg::all];
        b[tg::all] = -x[tg::all];
      },
      tg::in(x), tg::out(a), tg::out(b));
  if (same)
    b = a;
  return {a, b};
}
} // namespace variables

/// A switch on the host and one in the body, with cases that fall through, ranges of the same, and a return.
TEGULA_KERNEL tg::array<int, 1> switched(tg::array<const int, 1> x, int which) {
  auto o = tg::empty_like(x);
  int step = 0;
  switch (which) {
  case 0:
    step = 1;
    break;
  case 1:
  case 2:
    step = 10;
    [[fallthrough]];
  case 7:
    step += 100;
    break;
  case -3:
    tg::pallas_call([](auto x, auto o) { o[tg::all] = -x[tg::all]; }, tg::in(x), tg::out(o));
    return o;
  default:
    step = -1;
  }
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto o) {
        const int value = x[];
        switch (value & 3) {
        case 0:
          o[] = step;
          return;
        case 1:
          o[] = value;
          break;
        default:
          o[] = value * step;
        }
      },
      tg::in<tg::squeezed>(x, same), tg::out<tg::squeezed>(o, same));
  return o;
}

/// Entries of one name.
TEGULA_KERNEL tg::array<float, 1> overloaded(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = 2 * x[tg::all]; }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_KERNEL tg::array<double, 1> overloaded(tg::array<const double, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = 3 * x[tg::all]; }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_KERNEL tg::array<float, 1> overloaded(tg::array<const float, 1> x, float y) {
  auto o = tg::empty_like(x);
  tg::pallas_call([=](auto x, auto o) { o[tg::all] = x[tg::all] + y; }, tg::in(x), tg::out(o));
  return o;
}

namespace optional {
/// x * weight + bias, both of which the caller may leave out: a launch for each case.
TEGULA_KERNEL tg::array<float, 2> affine(tg::array<const float, 2> x, tg::array<const float, 1> weight = {},
                                         tg::array<const float, 1> bias = {}, float scale = 1) {
  tg::check(!weight || weight.dim(0) == x.dim(1), "weight has one for each column of x");
  tg::check(!bias || bias.dim(0) == x.dim(1), "bias has one for each column of x");
  auto o = tg::empty_like(x);
  const auto row = [](auto i) { return tg::index(i, 0); };
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto weight, auto bias, auto o) {
        auto t = x[tg::all] * scale;
        if (weight)
          t *= weight[tg::all];
        if (!bias)
          o[tg::all] = t;
        else
          o[tg::all] = t + bias[tg::all];
      },
      tg::in<tg::squeezed, tg::whole>(x, row), tg::in(weight), tg::in(bias), tg::out<tg::squeezed, tg::whole>(o, row));
  return o;
}
/// The host asks, too, and an entry that is called without an array has none.
TEGULA_KERNEL tg::array<float, 2> twice(tg::array<const float, 2> x, tg::array<const float, 1> bias = {}) {
  if (bias)
    return affine(affine(x, {}, bias), {}, bias);
  return affine(affine(x, {}, {}, 2));
}
/// Rows in any order, and what lambdas captured: the body and the index map ask of it.
TEGULA_KERNEL tg::array<float, 2> captured(tg::array<const float, 2> x, tg::array<const int, 1> order = {},
                                           tg::array<const float, 1> weight = {}, tg::array<const float, 1> bias = {},
                                           bool is_scaled = true) {
  tg::check((!weight || weight.dim(0) == x.dim(1)) && (!bias || bias.dim(0) == x.dim(1)), "one for each column of x");
  tg::check(!order || order.dim(0) == x.dim(0), "order has one for each row of x");
  auto o = tg::empty_like(x);
  const auto row = [](auto i) { return tg::index(i, 0); };
  const auto in_order = [=](auto i) { return order ? tg::index(order[i], 0) : tg::index(i, 0); };
  const auto scaled = tg::in<tg::squeezed, tg::whole>(x, in_order);
  if (weight && is_scaled)
    tg::pallas_call(
        {.grid = {x.dim(0)}},
        [=](auto x, auto weight, auto o) {
          const auto t = x[tg::all] * weight[tg::all];
          if (bias)
            o[tg::all] = t + bias[tg::all];
          else
            o[tg::all] = t;
        },
        scaled, tg::in(weight), tg::out<tg::squeezed, tg::whole>(o, row));
  if (!weight || !is_scaled)
    tg::pallas_call(
        {.grid = {x.dim(0)}},
        [&](auto x, auto o) {
          auto t = x[tg::all];
          if (weight && bias)
            t += weight[tg::all] - bias[tg::all];
          else if (weight || bias)
            t += 1.0f;
          o[tg::all] = t;
        },
        scaled, tg::out<tg::squeezed, tg::whole>(o, row));
  return o;
}
} // namespace optional

/// What is only read is a variable, too: the result of one step is the input of the next.
TEGULA_KERNEL tg::array<float, 1> layers(tg::array<const float, 1> x, int count) {
  tg::array<const float, 1> input = x;
  auto output = tg::empty_like(x);
  tg::pallas_call([](auto o) { o[tg::all] = 0.0f; }, tg::out(output));
  for (int i = 0; i < count; ++i) {
    output = tg::empty_like(x);
    tg::pallas_call([](auto x, auto o) { o[tg::all] = 2 * x[tg::all] + 1; }, tg::in(input), tg::out(output));
    input = output;
  }
  return output;
}
