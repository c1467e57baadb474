// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of PTX that kernels name themselves, at both levels: what they make is what the CPU makes by their
// meaning.
#include <tegula/tegula.h>
namespace tg = tegula;

// One operand of each kind of register, in tiles of any length.
template <class T> TEGULA_KERNEL void absolute(tg::array<const T, 1> x, tg::array<T, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o do not fit");
  tg::pallas_call(
      [](auto x, auto o) {
        constexpr const char *text = __is_same(T, float)      ? "abs.f32 $0, $1;"
                                     : __is_same(T, double)   ? "abs.f64 $0, $1;"
                                     : __is_same(T, tg::f16)  ? "abs.f16 $0, $1;"
                                     : __is_same(T, tg::bf16) ? "abs.bf16 $0, $1;"
                                     : sizeof(T) == 8         ? "abs.s64 $0, $1;"
                                     : sizeof(T) == 4         ? "abs.s32 $0, $1;"
                                                              : "abs.s16 $0, $1;";
        o[tg::all] = tg::inline_ptx<T>(text, [](T a) { return tg::abs(a); }, x[tg::all]);
      },
      tg::in(x), tg::out(o));
}
TEGULA_INSTANTIATE("absolute_f32", absolute<float>);
TEGULA_INSTANTIATE("absolute_f64", absolute<double>);
TEGULA_INSTANTIATE("absolute_f16", absolute<tg::f16>);
TEGULA_INSTANTIATE("absolute_bf16", absolute<tg::bf16>);
TEGULA_INSTANTIATE("absolute_s64", absolute<tg::s64>);
TEGULA_INSTANTIATE("absolute_s32", absolute<tg::s32>);
TEGULA_INSTANTIATE("absolute_s16", absolute<tg::s16>);

// Operands and a result of different types, a scalar among them, and registers of its own: bytes of two words.
TEGULA_KERNEL void permuted(tg::array<const tg::u32, 2> x, tg::array<const tg::u32, 2> y, tg::array<tg::u64, 2> o,
                            tg::u32 selector) {
  tg::check(x.dim(0) == y.dim(0) && x.dim(1) == y.dim(1), "x and y differ");
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ");
  tg::pallas_call(
      [=](auto x, auto y, auto o) {
        o[tg::all] = tg::inline_ptx<tg::u64>(
            "{ .reg .b32 low; prmt.b32 low, $1, $2, $3; mov.b64 $0, {low, $1}; }",
            [](tg::u32 a, tg::u32 b, tg::u32 s) {
              const tg::u64 both = static_cast<tg::u64>(b) << 32 | a;
              const auto byte = [&](tg::u32 i) { return both >> (8 * (s >> (4 * i) & 7)) & 255; };
              return static_cast<tg::u64>(a) << 32 | byte(3) << 24 | byte(2) << 16 | byte(1) << 8 | byte(0);
            },
            x[tg::all], y[tg::all], selector);
      },
      tg::in(x), tg::in(y), tg::out(o));
}

// In a reduction, and of scalars alone.
TEGULA_KERNEL void counted(tg::array<const tg::u32, 2> x, tg::array<tg::s32, 1> o, int n) {
  tg::pallas_call(
      {.grid = {x.dim(0)}},
      [=](auto x, auto o) {
        const auto bits = tg::inline_ptx<tg::s32>(
            "popc.b32 $0, $1;", [](auto a) { return static_cast<tg::s32>(tg::popcount(a)); }, x[0]);
        o[] = tg::sum(bits) +
              tg::inline_ptx<tg::s32>("mad.lo.s32 $0, $1, $1, $2;", [](int a, int b) { return a * a + b; }, n, 3);
      },
      tg::in<1, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
      tg::out<tg::squeezed>(o, [](auto i) { return tg::index(i); }));
}

// At the explicit level, on what lies in shared memory.
TEGULA_KERNEL void explicit_words(tg::array<const tg::u32, 2> x, tg::array<tg::u32, 2> o) {
  tg::kernel([=] {
    tg::smem<tg::u32, 64, 32> window;
    tg::barrier here;
    tg::copy_gmem_to_smem(x.at(tg::ds<64>(0), tg::ds<32>(0)), window, here);
    tg::barrier_wait(here);
    o[tg::ds<64>(0), tg::ds<32>(0)] = tg::inline_ptx<tg::u32>(
        "lop3.b32 $0, $1, $2, 255, 0x96;", [](tg::u32 a, tg::u32 b) { return a ^ b ^ 255u; }, window[tg::all],
        tg::u32(7));
  });
}
