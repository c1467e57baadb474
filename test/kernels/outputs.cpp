// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs of which a run tells whether a program stores to all of its block.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto same = [](auto... i) { return tg::index(i...); };

/// As many elements of each block of 64 as the caller says.
TEGULA_KERNEL tg::array<float, 1> first_elements(tg::s64 length, tg::s64 count) {
  auto o = tg::empty<float>(length);
  tg::pallas_call({.grid = {tg::cdiv(length, 64)}}, [=](auto o) { o[tg::ds(0, count)] = 1; }, tg::out<64>(o, same));
  return o;
}

/// The first half of each block, and the second half unless an element of x is negative.
TEGULA_KERNEL tg::array<float, 1> stop_halfway(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 8)}},
      [](auto x, auto o) {
        o[tg::ds<4>(0)] = x[tg::ds<4>(0)];
        for (tg::s64 i = 0; i < x.dim(0); ++i)
          if (x[i] < 0)
            return;
        o[tg::ds<4>(4)] = x[tg::ds<4>(4)];
      },
      tg::in<8>(x, same), tg::out<8>(o, same));
  return o;
}

/// Row after row until one begins with a negative number, which a loop in a loop finds.
TEGULA_KERNEL tg::array<float, 3> stop_in_loop(tg::array<const float, 3> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {x.dim(0), tg::cdiv(x.dim(1), 4)}},
      [](auto x, auto o) {
        for (tg::s64 i = 0; i < x.dim(0); ++i) {
          if (x[i, 0] < 0)
            return;
          for (tg::s64 j = 0; j < x.dim(1); ++j)
            o[i, j] = x[i, j];
        }
      },
      tg::in<tg::squeezed, 4, tg::whole>(x, [](auto i, auto j) { return tg::index(i, j, 0); }),
      tg::out<tg::squeezed, 4, tg::whole>(o, [](auto i, auto j) { return tg::index(i, j, 0); }));
  return o;
}

/// Chunks of 16 columns, without the last if it is not full.
TEGULA_KERNEL tg::array<float, 2> full_chunks(tg::array<const float, 2> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 4)}},
      [](auto x, auto o) {
        for (tg::s64 k = 0; k < x.dim(1) / 16; ++k)
          o[tg::all, tg::ds<16>(16 * k)] = x[tg::all, tg::ds<16>(16 * k)];
      },
      tg::in<4, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
      tg::out<4, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
  return o;
}

/// As many chunks as the caller says.
TEGULA_KERNEL tg::array<float, 2> first_chunks(tg::array<const float, 2> x, tg::s64 count) {
  auto o = tg::empty_like(x);
  tg::pallas_call(
      {.grid = {tg::cdiv(x.dim(0), 4)}},
      [=](auto x, auto o) {
        for (tg::s64 k = 0; k < count; ++k)
          o[tg::all, tg::ds<16>(16 * k)] = x[tg::all, tg::ds<16>(16 * k)];
      },
      tg::in<4, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
      tg::out<4, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
  return o;
}

/// The first rows of each block of 8, or the first columns.
TEGULA_KERNEL void first_lines(tg::array<float, 2> o, tg::s64 lines, bool are_columns) {
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 8), tg::cdiv(o.dim(1), 8)}},
      [=](auto o) {
        for (tg::s64 i = 0; i < lines; ++i)
          if (are_columns)
            o[tg::all, i] = 1;
          else
            o[i] = 2;
      },
      tg::out<8, 8>(o, same));
}

/// The upper half or the lower half, and never both.
TEGULA_KERNEL tg::array<int, 1> either_half(bool is_upper) {
  auto o = tg::empty<int>(16);
  tg::pallas_call(
      [=](auto o) {
        if (is_upper)
          o[tg::ds<8>(8)] = 1;
        else
          o[tg::ds<8>(0)] = 2;
      },
      tg::out<16>(o, [] { return tg::index(0); }));
  return o;
}

/// As often as the caller says; a number for each program.
TEGULA_KERNEL tg::array<tg::s64, 1> numbers(tg::s64 programs, tg::s64 times) {
  auto o = tg::empty<tg::s64>(programs);
  tg::pallas_call(
      {.grid = {programs}},
      [=](auto o) {
        for (tg::s64 i = 0; i < times; ++i)
          o[] = i;
      },
      tg::out<tg::squeezed>(o, same));
  return o;
}

/// Two launches, of which the second has two outputs. Each stores `counts` elements.
struct three_arrays {
  tg::array<float, 1> p, q, r;
};
TEGULA_KERNEL three_arrays three_outputs(tg::s64 of_p, tg::s64 of_q, tg::s64 of_r) {
  auto p = tg::empty<float>(10), q = tg::empty<float>(10), r = tg::empty<float>(10);
  tg::pallas_call([=](auto p) { p[tg::ds(0, of_p)] = 1; }, tg::out(p));
  tg::pallas_call(
      [=](auto q, auto r) {
        q[tg::ds(0, of_q)] = 2;
        r[tg::ds(0, of_r)] = 3;
      },
      tg::out(q), tg::out(r));
  return {p, q, r};
}

/// Where a mask holds, in two windows; what it leaves out stays as `empty` made it.
TEGULA_KERNEL tg::array<float, 1> masked_halves(tg::array<const bool, 1> mask, tg::s64 middle) {
  auto o = tg::empty<float>(mask.dim(0));
  tg::pallas_call(
      [=](auto mask, auto o) {
        tg::store(o.at(tg::ds(0, middle)), 1.0f, mask[tg::ds(0, middle)]);
        tg::store(o.at(tg::ds(middle, o.dim(0) - middle)), 2.0f, mask[tg::ds(middle, mask.dim(0) - middle)]);
      },
      tg::in(mask), tg::out(o));
  return o;
}

/// Elements that each program finds in x: all programs have all of o, and nobody counts.
TEGULA_KERNEL tg::array<float, 1> scattered(tg::array<const tg::s64, 1> x, tg::s64 length) {
  auto o = tg::empty<float>(length);
  tg::pallas_call({.grid = {x.dim(0)}}, [](auto x, auto o) { o[x[]] = 1; }, tg::in<tg::squeezed>(x, same), tg::out(o));
  return o;
}

/// Two programs share a block, and store to half of it each.
TEGULA_KERNEL tg::array<float, 1> shared_blocks(tg::s64 blocks) {
  auto o = tg::empty<float>(8 * blocks);
  tg::pallas_call(
      {.grid = {2 * blocks}},
      [](auto o) {
        const auto half = tg::program_id(0) % 2;
        o[tg::ds<4>(4 * half)] = tg::full<float, 4>(static_cast<float>(half));
      },
      tg::out<8>(o, [](auto i) { return tg::index(i / 2); }));
  return o;
}

/// As many elements of each row as the caller says.
TEGULA_KERNEL tg::array<float, 2> mapped(tg::array<const float, 2> x, tg::s64 count) {
  const auto of_row = [=](auto x) {
    auto o = tg::empty_like(x);
    tg::pallas_call([=](auto x, auto o) { o[tg::ds(0, count)] = x[tg::ds(0, count)]; }, tg::in(x), tg::out(o));
    return o;
  };
  return tg::vmap(of_row, tg::over(x, 0));
}

/// What is not stored to stays.
TEGULA_KERNEL void waived(tg::array<float, 1> o, tg::s64 count) {
  tg::pallas_call([=](auto o) { o[tg::ds(0, count)] = 1; }, tg::partial_out(o));
}

/// Blocks that the grid does not reach stay, too, and those of programs that return.
TEGULA_KERNEL void some_blocks(tg::array<float, 1> o, tg::array<const bool, 1> wanted) {
  tg::pallas_call(
      {.grid = {wanted.dim(0)}},
      [](auto o, auto wanted) {
        if (wanted[])
          o[tg::all] = 1;
      },
      tg::partial_out<8>(o, same), tg::in<tg::squeezed>(wanted, same));
}

/// The elements that are not 0, one behind the other, and how many there are.
TEGULA_KERNEL void compact(tg::array<const float, 1> x, tg::array<float, 1> o, tg::array<int, 1> count) {
  tg::check(x.dim(0) == o.dim(0) && count.dim(0) == 1, "o is as long as x, and there is one count");
  tg::pallas_call(
      [](auto x, auto o, auto count) {
        const auto wanted = x[tg::all] != 0;
        const auto ordinal = tg::cumsum<0>(tg::astype<int>(wanted));
        tg::store(o.at(ordinal - 1), x[tg::all], wanted);
        count[0] = tg::sum<0>(tg::astype<int>(wanted));
      },
      tg::in(x), tg::partial_out(o), tg::out(count));
}

/// The same to an output of which all is promised.
TEGULA_KERNEL void compact_all(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "o is as long as x");
  tg::pallas_call(
      [](auto x, auto o) {
        const auto wanted = x[tg::all] != 0;
        tg::store(o.at(tg::cumsum<0>(tg::astype<int>(wanted)) - 1), x[tg::all], wanted);
      },
      tg::in(x), tg::out(o));
}
