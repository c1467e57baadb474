// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx -D__TEGULA__ -std=c++23 -fsyntax-only %s
// What the types say: pinned results of indexing, broadcasting, converting, and every form of a spec.
#include <tegula/tegula.h>
#ifndef TEGULA_LANGUAGE_HEADER
#error "the kernel language says that it is there"
#endif
namespace tg = tegula;

template <class A, class B> constexpr bool is = __is_same(A, B);
#define EXPECT(value, ...) static_assert(is<decltype(value), __VA_ARGS__>)
template <int... N> using floats = tg::tile<float, N...>;
template <int... N> using bools = tg::tile<bool, N...>;

static_assert(sizeof(tg::s8) == 1 && sizeof(tg::u16) == 2 && sizeof(tg::s32) == 4 && sizeof(tg::u64) == 8);
static_assert(sizeof(tg::f16) == 2 && sizeof(tg::bf16) == 2 && sizeof(tg::f32) == 4 && sizeof(tg::f64) == 8);

// Constants of the narrow types are rounded once, to nearest even.
constexpr tg::bf16 third = 1.0f / 3, tie_down = 257.0f, tie_up = 259.0f;
static_assert(float(third) == 0.333984375f && float(tie_down) == 256.0f && float(tie_up) == 260.0f);
constexpr tg::f16 half_third = 1.0f / 3, huge = 65520.0f, largest = 65519.0f;
static_assert(float(half_third) == 0.333251953125f && float(huge) == tg::inf && float(largest) == 65504.0f);
static_assert(tg::nan != tg::nan);

static_assert(tg::cdiv(0, 8) == 0 && tg::cdiv(1, 8) == 1 && tg::cdiv(8, 8) == 1 && tg::cdiv(9, 8) == 2);
static_assert(is<decltype(tg::cdiv(tg::s64{1}, 2)), tg::s64>);

void indexing(tg::gmem<const float, 64, 128, tg::any> x, tg::gmem<float, 8> o, tg::gmem<int> scalar, tg::s64 i) {
  EXPECT((x[tg::all, 0, 0]), const floats<64> &);
  EXPECT((x[0, 1, i]), const float &);
  EXPECT(o[i], float &);
  EXPECT(scalar[], int &);
  EXPECT(tg::load(scalar), int);
  EXPECT(x[i], const floats<128, tg::any> &);
  EXPECT(x[], const floats<64, 128, tg::any> &);
  EXPECT((x[tg::ds<4>(i), tg::newaxis]), const floats<4, 1, 128, tg::any> &);
  EXPECT((x[tg::all, tg::ds(1, i)]), const floats<64, tg::any, tg::any> &);
  EXPECT((x.at(tg::ds<16>(8), tg::constant<3>{})), tg::gmem<const float, 16, tg::any>);
  EXPECT(tg::load(x), floats<64, 128, tg::any>);
  EXPECT(tg::load(x, true), floats<64, 128, tg::any>);
  EXPECT((tg::load(x, x[] > 0, i)), floats<64, 128, tg::any>);
  EXPECT((tg::load(x, x[tg::all, tg::ds<1>(0)] > 0, x[0, 0])), floats<64, 128, tg::any>);
  EXPECT((tg::load(x.at(i, i, i), i > 0, 1)), float);
  EXPECT(tg::load(scalar, i > 0), int);
  EXPECT(tg::store(o, 1, o[] > 0), void);
  EXPECT(x.dim(2), tg::s64);
  const floats<4, 8> t = tg::zeros<float, 4, 8>();
  EXPECT(t[1], floats<8>);
  EXPECT((t[1, 2]), float);
  EXPECT((t[tg::all, tg::newaxis]), floats<4, 1, 8>);
  EXPECT((t[tg::newaxis, tg::all, tg::all, tg::newaxis]), floats<1, 4, 8, 1>);
  EXPECT((t[3, tg::ds<2>(4)]), floats<2>);
}

void arithmetic(floats<4, 8> a, floats<8> row, floats<4, 1> column, floats<tg::any> unknown,
                tg::tile<tg::bf16, 8> narrow, tg::tile<tg::u8, 8> bytes, bools<8> mask) {
  EXPECT(a + row, floats<4, 8>);
  EXPECT(column * row, floats<4, 8>);
  EXPECT(unknown - a, floats<4, 8>);
  EXPECT(unknown + row, floats<8>);
  EXPECT(unknown + 1, floats<tg::any>);
  EXPECT(column / unknown, floats<4, tg::any>);
  EXPECT(narrow * 2.0, tg::tile<tg::bf16, 8>);
  EXPECT(2 - narrow, tg::tile<tg::bf16, 8>);
  EXPECT(narrow + tg::bf16(1.0f), tg::tile<tg::bf16, 8>);
  EXPECT(narrow * tg::inf, tg::tile<tg::bf16, 8>);
  EXPECT(bytes % 3 + (bytes << 1), tg::tile<tg::u8, 8>);
  EXPECT(bytes + tg::constant<1>{}, tg::tile<tg::u8, 8>);
  EXPECT(~bytes & -bytes, tg::tile<tg::u8, 8>);
  EXPECT(a < row, bools<4, 8>);
  EXPECT(bytes == 3, bools<8>);
  EXPECT(!mask || (mask && true), bools<8>);
  EXPECT((mask ^ mask) | true, bools<8>);
  a += row;
  a *= 2.0f;
  bytes <<= 1;
  bytes %= 7;
  mask &= row > 0;
  EXPECT(a -= column, floats<4, 8> &);
}

void functions(floats<4, 8> a, floats<8> row, tg::tile<tg::s16, 8> n, tg::bf16 b, tg::s64 i) {
  EXPECT(tg::exp(a), floats<4, 8>);
  EXPECT(tg::exp(b), tg::bf16);
  EXPECT(tg::sqrt(2.0), double);
  EXPECT(tg::square(b), tg::bf16);
  EXPECT(tg::square(n), tg::tile<tg::s16, 8>);
  EXPECT(tg::square(static_cast<tg::s8>(3)), signed char);
  EXPECT(tg::abs(n), tg::tile<tg::s16, 8>);
  EXPECT(tg::maximum(a, row), floats<4, 8>);
  EXPECT(tg::minimum(0, row), floats<8>);
  EXPECT(tg::maximum(i, 1), tg::s64);
  EXPECT((tg::maximum(static_cast<tg::s8>(3), static_cast<tg::s8>(4))), signed char);
  EXPECT(tg::maximum(tg::constant<2>{}, 1), tg::s64);
  EXPECT(tg::where(row > 0, a, 0), floats<4, 8>);
  EXPECT(tg::where(row > 0, 1.0f, 0.0f), floats<8>);
  EXPECT(tg::where(true, a, row), floats<4, 8>);
  EXPECT(tg::where(true, 1.0f, 2.0f), float);
  EXPECT(tg::pow(a, row), floats<4, 8>);
  EXPECT(tg::pow(row, 2), floats<8>);
  EXPECT(tg::pow(2.0f, 3), float);
  EXPECT(tg::fma(2, row, a), floats<4, 8>);
  EXPECT(tg::fma(b, b, b), tg::bf16);
  EXPECT(tg::gelu(b), tg::bf16);
  EXPECT(tg::softplus(a), floats<4, 8>);
  EXPECT(tg::isnan(a), bools<4, 8>);
  EXPECT(tg::isfinite(b), bool);
  EXPECT(tg::clamp(n, -1, 1), tg::tile<tg::s16, 8>);
  EXPECT(tg::clamp(i, 0, 7), tg::s64);
  EXPECT(tg::sign(n), tg::tile<tg::s16, 8>);
  EXPECT(tg::floor_divide(n, 3), tg::tile<tg::s16, 8>);
  EXPECT(tg::floor_mod(i, 3), tg::s64);
  EXPECT(tg::nextafter(a, row), floats<4, 8>);
  EXPECT(tg::nextafter(b, 1), tg::bf16);
  EXPECT(tg::clz(n), tg::tile<tg::s16, 8>);
  EXPECT(tg::popcount(3U), unsigned);
  EXPECT(tg::mul_hi(n, 3), tg::tile<tg::s16, 8>);
  EXPECT(tg::bitcast<tg::u32>(a), tg::tile<tg::u32, 4, 8>);
  EXPECT(tg::bitcast<tg::bf16>(n), tg::tile<tg::bf16, 8>);
  EXPECT(tg::bitcast<tg::u16>(b), tg::u16);
  EXPECT(tg::rand(7, n), floats<8>);
  EXPECT(tg::randint4x(7, i).w, unsigned);
  EXPECT(tg::random::normal<tg::f16>(tg::random::key(7), n), tg::tile<tg::f16, 8>);
  EXPECT(tg::random::bits<tg::u8>(tg::random::key(7), i), tg::u8);
  EXPECT(tg::astype<tg::e4m3>(a, tg::bitcast<tg::u32>(row)), tg::tile<tg::e4m3, 4, 8>);
  EXPECT(tg::astype<tg::f16>(a), tg::tile<tg::f16, 4, 8>);
  EXPECT(tg::astype<bool>(3), bool);
  EXPECT((tg::full<tg::f16, 2, 3>(0.5)), tg::tile<tg::f16, 2, 3>);
  EXPECT(tg::zeros<int>(i, 3), tg::tile<int, tg::any, tg::any>);
  EXPECT(tg::full_like(a, 1), floats<4, 8>);
  EXPECT(tg::zeros_like(n), tg::tile<tg::s16, 8>);
  EXPECT((tg::iota<tg::u8, 16>()), tg::tile<tg::u8, 16>);
  EXPECT((tg::broadcasted_iota<int, 1, 2, 16>()), tg::tile<int, 2, 16>);
}

void reductions(floats<4, 8> a, floats<2, tg::any, 8> b, tg::tile<tg::bf16, 8> narrow, tg::tile<tg::s8, 8, 4> bytes,
                bools<4, tg::any> mask) {
  EXPECT(tg::sum(a), float);
  EXPECT(tg::max<0>(a), floats<8>);
  EXPECT(tg::min<-1>(a), floats<4>);
  EXPECT((tg::prod<0, -1>(b)), floats<tg::any>);
  EXPECT((tg::prod<-1, 0>(b)), floats<tg::any>);
  EXPECT((tg::sum<0, 1, 2>(b)), float);
  EXPECT(tg::sum(b, tg::keepdims), floats<1, 1, 1>);
  EXPECT((tg::max<1>(b, tg::keepdims)), floats<2, 1, 8>);
  EXPECT(tg::max(narrow), tg::bf16);
  EXPECT(tg::sum<1>(bytes), tg::tile<tg::s8, 8>);
  EXPECT(tg::any_of<0>(mask), bools<tg::any>);
  EXPECT(tg::all_of(mask), bool);
  EXPECT(a / tg::sum<1>(a, tg::keepdims), floats<4, 8>);
}

void matrices(floats<4, 8> a, floats<8, 16> b, floats<tg::any, 4, 8> batch, floats<3, 8, tg::any> batch2,
              tg::tile<tg::bf16, 4, tg::any> narrow, tg::tile<tg::u8, 8, 4> bytes, tg::tile<tg::u32, 4, 4> words,
              floats<4, 16> c) {
  EXPECT(tg::dot(a, b), floats<4, 16>);
  EXPECT(tg::dot(batch, batch2), floats<3, 4, tg::any>);
  EXPECT(tg::dot(batch, b), floats<tg::any, 4, 16>);
  EXPECT(tg::dot(a, batch2), floats<3, 4, tg::any>);
  EXPECT(tg::dot(narrow, tg::transpose(narrow)), floats<4, 4>);
  EXPECT(tg::dot(tg::transpose(bytes), bytes), tg::tile<tg::s32, 4, 4>);
  EXPECT(tg::dot(words, words), tg::tile<tg::u32, 4, 4>);
  EXPECT(c += tg::dot(a, b), floats<4, 16> &);
  EXPECT(tg::transpose(batch), floats<tg::any, 8, 4>);
  EXPECT((tg::transpose<2, 0, 1>(batch2)), floats<tg::any, 3, 8>);
}

// What the body of a launch sees of each form of a spec.
TEGULA_KERNEL void blocks(tg::array<const float, 3> x, tg::array<float, 3> y, tg::array<tg::bf16, 0> scalar) {
  const auto origin = [](auto...) { return tg::index(0, 0, 0); };
  tg::pallas_call(
      {.grid = {x.dim(0), 2}},
      [](auto whole, auto cut, auto squeezed, auto run_time, auto none) {
        EXPECT(whole, tg::gmem<const float, tg::any, tg::any, tg::any>);
        EXPECT(cut, tg::gmem<float, 64, tg::any, 8>);
        EXPECT(squeezed, tg::gmem<float, tg::any>);
        EXPECT(run_time, tg::gmem<const float, tg::any, tg::any, tg::any>);
        EXPECT(none, tg::gmem<tg::bf16>);
      },
      tg::in(x), tg::out<64, tg::whole, 8>(y, origin),
      tg::inout<tg::squeezed, tg::whole, tg::squeezed>(y, [](auto i, auto j) { return tg::index(i, 0, j); }),
      tg::in(x, {x.dim(0), 3, 4}, [](auto i, auto) { return tg::index(tg::element(i), 0, tg::constant<1>{}); }),
      tg::out(scalar));
  // A named type of a parameter, functions in place of lambdas, no index at all.
  tg::pallas_call([](tg::gmem<const float, 2, 2, 2>) {}, tg::in<2, 2, 2>(x, [] { return tg::index(0, 0, 0); }));
  EXPECT(tg::empty_like(x), tg::array<float, 3>);
  EXPECT((tg::empty<tg::u8>(x.dim(0), 3)), tg::array<tg::u8, 2>);
  EXPECT(tg::empty<int>(), tg::array<int, 0>);
  EXPECT(x.size(), tg::s64);
  EXPECT(tg::vmap([](auto slice) { return tg::empty_like(slice); }, tg::over(x, 1)), tg::array<float, 3>);
  EXPECT((tg::vmap({.out_axis = 1}, [](auto a, auto b, auto) { EXPECT(a, tg::array<const float, 2>); EXPECT(b, tg::array<float, 3>); return tg::empty<int>(); }, tg::over(x, 0), y, x.dim(0))), tg::array<int, 1>);
}

void body_function(tg::gmem<const float, tg::any> x, tg::gmem<float, tg::any> o) { o[tg::all] = x[tg::all]; }
tg::block_index<1> map_function(tg::s64 i) { return tg::index(i); }
TEGULA_KERNEL void functions_as_bodies(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::pallas_call(body_function, tg::in(x), tg::out(o));
  tg::pallas_call(
      {.grid = {1, 2, 3, 4, 5, 6}}, [](auto) {}, tg::in<4>(x, [](auto a, auto...) { return tg::index(a); }));
  tg::pallas_call({.grid = {4}}, [](auto) {}, tg::in<4>(x, map_function));
}

static_assert([] {
  tg::s64 sum = 0;
  tg::static_for<4>([&](auto i) { sum = 10 * sum + i; });
  return sum;
}() == 123);

template <class T, int N> TEGULA_KERNEL tg::array<T, 1> scaled(tg::array<const T, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all] * N; }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_INSTANTIATE("scaled_bf16", scaled<tg::bf16, 3>);
TEGULA_INSTANTIATE("scaled_u8", scaled<tg::u8, 3>);

// Views of shared memory, and what other blocks have.
void views(tg::smem<float, 4, 64> s, tg::gmem<const tg::f16, 16, 32> x, tg::s64 i) {
  using other = tg::ref<float, tg::memory_space::cluster, 4, 64>;
  EXPECT((tg::cluster_ref(s, {"c", i})), other);
  EXPECT((tg::cluster_ref(s.at(1), {"c", i})), tg::ref<float, tg::memory_space::cluster, 64>);
  EXPECT((tg::cluster_ref(s, {"c", i})[1]), floats<64> &);
  EXPECT((tg::load(tg::cluster_ref(s, {"c", i}))), floats<4, 64>);
  EXPECT((tg::atomic_add(tg::cluster_ref(s, {"c", i}).at(2, 3), 1.0f)), float);
  EXPECT((tg::atomic_max(s, 1.0f)), floats<4, 64>);
  EXPECT((tg::reshape_ref<2, 2, 64>(s)), tg::ref<float, tg::memory_space::smem, 2, 2, 64>);
  EXPECT((tg::reshape_ref<16, 4, 8>(x)), tg::gmem<const tg::f16, 16, 4, 8>);
  EXPECT((tg::bitcast_ref<tg::u32>(x)), tg::gmem<const tg::u32, 16, 16>);
  EXPECT((tg::bitcast_ref<tg::bf16>(s)), tg::ref<tg::bf16, tg::memory_space::smem, 4, 128>);
  EXPECT((tg::bitcast_ref<tg::s32>(tg::cluster_ref(s, {"c", i}))), tg::ref<tg::s32, tg::memory_space::cluster, 4, 64>);
  EXPECT(tg::multiple_of<8>(i), tg::s64);
  EXPECT((tg::async_store_smem(s[tg::all], s, tg::barrier_ref(), {"c", i}, tg::reduction_op::add)), void);
}
