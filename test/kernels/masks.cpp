// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Masked loads and stores: what is outside, or masked, is neither read nor written.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };
constexpr auto by_row = [](auto i) { return tg::index(i, 0); };

/// The sum of each block of 64 with 1 in place of what lies beyond the end or is negative.
TEGULA_KERNEL tg::array<float, 1> padded_sums(tg::array<const float, 1> x) {
  auto o = tg::empty<float>(tg::cdiv(x.dim(0), 64));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 64)}},
      [](auto x, auto o) {
        const auto there = tg::load(x, true, 0);
        o[] = tg::sum(tg::load(x, there >= 0, 1.0f));
      },
      tg::in<64>(x, same), tg::out<tg::squeezed>(o, same));
  return o;
}

/// Each row's first `counts` elements, and `fill` elsewhere.
template <class T>
TEGULA_KERNEL tg::array<T, 2> first_ones(tg::array<const T, 2> x, tg::array<const int, 1> counts, T fill) {
  tg::check(x.dim(0) == counts.dim(0), "there is one count per row");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 4), tg::cdiv(x.dim(1), 32)}},
      [=](auto x, auto counts, auto o) {
        const auto column = tg::broadcasted_iota<int, 1, 4, 32>() + tg::astype<int>(tg::program_id(1) * 32);
        const auto limit = tg::load(counts, true, 0)[tg::all, tg::newaxis];
        o[tg::all] = tg::load(x, column < limit, fill);
      },
      tg::in<4, 32>(x, same), tg::in<4>(counts, [](auto i, auto) { return tg::index(i); }), tg::out<4, 32>(o, same));
  return o;
}
TEGULA_INSTANTIATE("first_ones_bool", first_ones<bool>);
TEGULA_INSTANTIATE("first_ones_u8", first_ones<tg::u8>);
TEGULA_INSTANTIATE("first_ones_s16", first_ones<tg::s16>);
TEGULA_INSTANTIATE("first_ones_s64", first_ones<tg::s64>);
TEGULA_INSTANTIATE("first_ones_f16", first_ones<tg::f16>);
TEGULA_INSTANTIATE("first_ones_bf16", first_ones<tg::bf16>);
TEGULA_INSTANTIATE("first_ones_f32", first_ones<float>);
TEGULA_INSTANTIATE("first_ones_f64", first_ones<double>);

/// Stores where an element is above the limit alone; whole blocks and a number.
TEGULA_KERNEL void raise(tg::array<float, 2> o, tg::array<const float, 2> x, float limit, tg::array<int, 1> any) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1) && any.dim(0) == o.dim(0), "the arrays differ in shape");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto o, auto x, auto any) {
        const auto row = x[tg::all];
        tg::store(o, row * 2, row > limit);
        tg::store(any, 1, tg::any_of(row > limit));
      },
      tg::inout<tg::squeezed, tg::whole>(o, by_row), tg::in<tg::squeezed, tg::whole>(x, by_row),
      tg::inout<tg::squeezed>(any, same));
}

/// A product of blocks that are padded with zeros; the whole block is stored as far as there is room.
TEGULA_KERNEL tg::array<float, 2> padded_product(tg::array<const float, 2> a, tg::array<const float, 2> b) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions of a and b differ");
  auto c = tg::empty<float>(a.dim(0), b.dim(1));
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 16), tg::cdiv(b.dim(1), 16)}},
      [](auto a, auto b, auto c) {
        auto sum = tg::zeros<float, 16, 16>();
        for (tg::s64 k = 0; k < a.dim(1); k += 8)
          sum += tg::dot(tg::load(a.at(tg::all, tg::ds<8>(k)), true, 0), tg::load(b.at(tg::ds<8>(k)), true, 0));
        c[tg::all] = sum;
      },
      tg::in<16, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 16>(b, [](auto, auto j) { return tg::index(0, j); }), tg::out<16, 16>(c, same));
  return c;
}

/// In place: what was loaded under a mask stays what it was, whatever is stored then. Odd elements become 0.
TEGULA_KERNEL void spread(tg::array<int, 1> x) {
  tg::pallas_call(
      [](auto x) {
        for (tg::s64 i = 0; i < x.dim(0); i += 32) {
          const auto is_odd = tg::iota<int, 32>() % 2 == 1;
          const auto place = x.at(tg::ds<32>(i));
          const auto before = tg::load(place, !is_odd, 0);
          tg::store(place, before + 100, !is_odd);
          tg::store(place, -before, is_odd);
        }
      },
      tg::inout(x));
}

/// What a mask read from memory wants of x, `other` of the same place where it does not; o keeps the rest.
template <class T>
TEGULA_KERNEL void choose(tg::array<T, 1> o, tg::array<const T, 1> x, tg::array<const T, 1> other,
                          tg::array<const bool, 1> wanted, tg::array<const bool, 1> kept) {
  tg::check(x.dim(0) == o.dim(0) && other.dim(0) == o.dim(0) && wanted.dim(0) == o.dim(0) && kept.dim(0) == o.dim(0),
            "the arrays differ in length");
  tg::pallas_call([](auto o, auto x, auto other, auto wanted,
                     auto kept) { tg::store(o, tg::load(x, wanted[tg::all], other[tg::all]), !kept[tg::all]); },
                  tg::inout(o), tg::in(x), tg::in(other), tg::in(wanted), tg::in(kept));
}
TEGULA_INSTANTIATE("choose_bool", choose<bool>);
TEGULA_INSTANTIATE("choose_s8", choose<tg::s8>);
TEGULA_INSTANTIATE("choose_u16", choose<tg::u16>);
TEGULA_INSTANTIATE("choose_s32", choose<tg::s32>);
TEGULA_INSTANTIATE("choose_u64", choose<tg::u64>);
TEGULA_INSTANTIATE("choose_f16", choose<tg::f16>);
TEGULA_INSTANTIATE("choose_bf16", choose<tg::bf16>);
TEGULA_INSTANTIATE("choose_f32", choose<float>);
TEGULA_INSTANTIATE("choose_f64", choose<double>);

/// Each element with its neighbours: windows that begin before the array and end behind it.
TEGULA_KERNEL tg::array<float, 1> smooth(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 100)}},
      [](auto x, auto o) {
        const auto start = tg::program_id(0) * 100;
        const auto i = tg::iota<tg::s64, 100>() + start;
        o[tg::all] = tg::load(x.at(tg::ds<100>(start - 1)), i > 0) + tg::load(x.at(tg::ds<100>(start)), true, 0) +
                     tg::load(x.at(tg::ds<100>(start + 1)), i >= 0);
      },
      tg::in(x), tg::out<100>(o, same));
  return o;
}

/// The element before each row's first one of the next column, one by one: the mask says where there is none.
TEGULA_KERNEL tg::array<int, 1> before(tg::array<const int, 2> x) {
  auto o = tg::empty<int>(x.dim(0));
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [](auto x, auto o) {
        const auto i = tg::program_id(0);
        o[] = tg::load(x.at(i - 1, i), i > 0 && i < x.dim(1), -1);
      },
      tg::in(x), tg::out<tg::squeezed>(o, same));
  return o;
}

/// An element that the mask wants, be it there or not.
TEGULA_KERNEL tg::array<float, 0> one_before(tg::array<const float, 1> x, tg::s64 at) {
  auto o = tg::empty<float>();
  tg::pallas_call([=](auto x, auto o) { o[] = tg::load(x.at(at - 1), at >= 0); }, tg::in(x), tg::out(o));
  return o;
}

/// Rows of any length: the sum, the greatest and the number of elements above a limit; then the row, less its mean,
/// where it is above its mean.
TEGULA_KERNEL void above(tg::array<const float, 2> x, float limit, tg::array<float, 1> sums, tg::array<float, 1> most,
                         tg::array<int, 1> counts, tg::array<float, 2> o) {
  tg::check(x.dim(0) == sums.dim(0) && x.dim(0) == most.dim(0) && x.dim(0) == counts.dim(0) && x.dim(0) == o.dim(0) &&
                x.dim(1) == o.dim(1),
            "the arrays differ in shape");
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto sums, auto most, auto counts, auto o) {
        const auto row = x[tg::all];
        const auto kept = tg::load(x, row > limit, 0);
        sums[] = tg::sum(kept);
        most[] = tg::max(tg::load(x, row > limit, limit));
        counts[] = tg::sum(tg::astype<int>(row > limit));
        const auto mean = tg::sum(row) / tg::astype<float>(x.dim(0));
        tg::store(o, tg::load(x, row > mean, mean) - mean, row >= 0);
      },
      tg::in<tg::squeezed, tg::whole>(x, by_row), tg::out<tg::squeezed>(sums, same), tg::out<tg::squeezed>(most, same),
      tg::out<tg::squeezed>(counts, same), tg::inout<tg::squeezed, tg::whole>(o, by_row));
}

/// All of an array, of any size: what is above 0 at even indices.
TEGULA_KERNEL tg::array<tg::s64, 0> total(tg::array<const int, 1> x, tg::array<const bool, 1> wanted) {
  tg::check(x.dim(0) == wanted.dim(0), "x and wanted differ in length");
  auto o = tg::empty<tg::s64>();
  tg::pallas_call([](auto x, auto wanted,
                     auto o) { o[] = tg::sum(tg::astype<tg::s64>(tg::load(x, wanted[tg::all] && x[tg::all] > 0, 3))); },
                  tg::in(x), tg::in(wanted), tg::out(o));
  return o;
}

/// Steps of a loop whose mask the loop carries: what was above `limit` once is not asked for again.
TEGULA_KERNEL tg::array<int, 1> first_above(tg::array<const float, 2> x, float limit) {
  auto o = tg::empty<int>(x.dim(0));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 96)}},
      [=](auto x, auto o) {
        auto searching = tg::zeros<int, 96>() == 0;
        auto found = tg::full<int, 96>(-1);
        for (tg::s64 k = 0; k < x.dim(1); ++k) {
          const auto hit = tg::load(x.at(tg::all, k), searching, limit) > limit;
          found = tg::where(hit, tg::astype<int>(k), found);
          searching = searching && !hit;
        }
        o[tg::all] = found;
      },
      tg::in<96, tg::whole>(x, by_row), tg::out<96>(o, same));
  return o;
}

/// Elements of a padded tile: the last ones that a full block would have.
TEGULA_KERNEL tg::array<int, 1> lasts(tg::array<const int, 2> x) {
  auto o = tg::empty<int>(tg::cdiv(x.dim(0), 8));
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 8)}},
      [](auto x, auto o) {
        const auto block = tg::load(x, true, -3);
        o[] = block[7, 15] + tg::sum(block[tg::all, 12]) + tg::sum(tg::transpose(block)[3, tg::all]);
      },
      tg::in<8, 16>(x, by_row), tg::out<tg::squeezed>(o, same));
  return o;
}

/// A masked load and store of each slice.
TEGULA_KERNEL void clear(tg::array<float, 1> x, tg::array<const float, 1> limit) {
  tg::check(limit.dim(0) == 1, "there is one limit");
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 32)}},
      [](auto x, auto limit) {
        const auto t = tg::load(x, true, 0);
        tg::store(x, t - tg::sum(t), t > limit[0]);
      },
      tg::inout<32>(x, same), tg::in(limit));
}
TEGULA_KERNEL void clear_columns(tg::array<float, 2> x, tg::array<const float, 2> limits) {
  tg::vmap(clear, tg::over(x, 1), tg::over(limits, 0));
}

/// Windows at constants that begin before their blocks of 100 and end behind them; masks leave out what is outside.
TEGULA_KERNEL tg::array<float, 1> before_and_behind(tg::array<const float, 1> x, tg::array<int, 1> count) {
  tg::check(count.dim(0) == x.dim(0), "there is one count per element");
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 100)}},
      [](auto x, auto o, auto count) {
        tg::static_for<4>([&](auto i) {
          const auto place = tg::iota<int, 32>() + (32 * i - 1);
          const auto left = tg::load(x.at(tg::ds<32>(32 * i - 1)), place >= 0 && place < 100, -1);
          tg::store(o.at(tg::ds<32>(32 * i)), left, place + 1 < 100);
          tg::atomic_add(count.at(tg::ds<32>(32 * i - 1)), 1, place >= 0 && place < 100);
        });
        // Every third one; one element.
        const auto third = 3 * tg::iota<int, 40>() - 9;
        tg::atomic_add(count.at(tg::ds<40>(-9, 3)), 10, third >= 0 && third < 100);
        tg::atomic_add(count.at(-1), 100, tg::program_id(0) < 0);
        tg::atomic_add(count.at(100), 100, tg::program_id(0) < 0);
      },
      tg::in<100>(x, same), tg::out<100>(o, same), tg::inout<100>(count, same));
  return o;
}

/// The same in two dimensions, in each of which the window is outside on another side; rows are gathered.
TEGULA_KERNEL tg::array<float, 2> corner(tg::array<const float, 2> x) {
  auto o = tg::empty<float>(16, 16);
  tg::pallas_call(
      [](auto x, auto o) {
        const auto row = tg::iota<int, 16>() - 3, column = tg::iota<int, 16>() + 10;
        const auto exists = (row >= 0)[tg::all, tg::newaxis] && (column < 20)[tg::newaxis, tg::all];
        const auto window = tg::load(x.at(tg::ds<16>(-3), tg::ds<16>(10)), exists, 5);
        // What a window lacks at its end, a load that masks nothing has as well.
        const auto behind = tg::load(x.at(tg::ds<16>(0), tg::ds<16>(10)), true, 7);
        const auto gathered =
            tg::load(x.at(tg::iota<int, 16>(), tg::ds<16>(-4)), (tg::iota<int, 16>() >= 4)[tg::newaxis, tg::all], 3);
        o[tg::all] = window + 100 * behind + 10000 * gathered;
      },
      tg::in<20, 20>(x, [] { return tg::index(0, 0); }), tg::out<16, 16>(o, [] { return tg::index(0, 0); }));
  return o;
}

/// Masked blocks, which go on behind the end of an array, in another order: each element is looked up.
TEGULA_KERNEL tg::array<int, 2> moved_blocks(tg::array<const int, 3> x) {
  auto o = tg::empty<int>(64, 32);
  tg::pallas_call(
      [](auto x, auto o) {
        const auto block = tg::load(x, tg::iota<int, 16>() >= 3, -1);
        o[tg::all] =
            tg::reshape<64, 32>(tg::flip<1>(block)) + 1000 * tg::reshape<64, 32>(tg::transpose<2, 1, 0>(block));
      },
      tg::in<1, 128, 16>(x, [] { return tg::index(0, 0, 0); }), tg::out<64, 32>(o, [] { return tg::index(0, 0); }));
  return o;
}
