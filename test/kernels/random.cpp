// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers by counters.
#include <tegula/tegula.h>
namespace tg = tegula;

constexpr auto window = [](auto i) { return tg::index(i); };
constexpr auto columns = [](auto i) { return tg::index(0, i); };

/// The words of both generators for counters and keys from arrays: a column each.
TEGULA_KERNEL tg::array<tg::u32, 2> philox_words(tg::array<const tg::u32, 2> counters, tg::u32 key_x, tg::u32 key_y) {
  tg::check(counters.dim(0) == 4, "a counter has four words");
  auto o = tg::empty<tg::u32>(4, counters.dim(1));
  tg::pallas_call(
      [=](auto n, auto o) {
        const auto words = tg::philox4x32(n[0], n[1], n[2], n[3], key_x, key_y);
        o[0] = words.x;
        o[1] = words.y;
        o[2] = words.z;
        o[3] = words.w;
      },
      tg::in(counters), tg::out(o));
  return o;
}
TEGULA_KERNEL tg::array<tg::u32, 2> threefry_words(tg::array<const tg::u32, 2> counters, tg::u32 key_x, tg::u32 key_y) {
  tg::check(counters.dim(0) == 2, "a counter has two words");
  auto o = tg::empty<tg::u32>(2, counters.dim(1));
  tg::pallas_call(
      [=](auto n, auto o) {
        const auto [x, y] = tg::threefry2x32(n[0], n[1], key_x, key_y);
        o[0] = x;
        o[1] = y;
      },
      tg::in(counters), tg::out(o));
  return o;
}

struct Philox {
  tg::array<tg::u32, 1> bits;
  tg::array<float, 2> uniform;
  tg::array<float, 2> normal;
  tg::array<float, 1> first_uniform, first_normal;
};
/// Numbers as Triton has them, of n elements from offset `first` on, in blocks.
TEGULA_KERNEL Philox as_triton(tg::u64 seed, tg::s64 first, tg::s64 n) {
  Philox o{tg::empty<tg::u32>(n), tg::empty<float>(4, n), tg::empty<float>(4, n), tg::empty<float>(n),
           tg::empty<float>(n)};
  tg::pallas_call(
      {.grid = {tg::cdiv(n, 256)}},
      [=](auto bits, auto uniform, auto normal, auto first_uniform, auto first_normal) {
        const auto offset = first + tg::program_id(0) * 256 + tg::iota<tg::s64, 256>();
        bits[tg::all] = tg::randint(seed, offset);
        first_uniform[tg::all] = tg::rand(seed, offset);
        first_normal[tg::all] = tg::randn(seed, offset);
        const auto u = tg::rand4x(seed, offset);
        uniform[0] = u.x;
        uniform[1] = u.y;
        uniform[2] = u.z;
        uniform[3] = u.w;
        const auto g = tg::randn4x(seed, offset);
        normal[0] = g.x;
        normal[1] = g.y;
        normal[2] = g.z;
        normal[3] = g.w;
      },
      tg::out<256>(o.bits, window), tg::out<4, 256>(o.uniform, columns), tg::out<4, 256>(o.normal, columns),
      tg::out<256>(o.first_uniform, window), tg::out<256>(o.first_normal, window));
  return o;
}

template <class T> struct Threefry {
  tg::array<T, 1> uniform, normal;
};
/// Numbers as JAX has them: the key is split on the host, and folded in the kernel.
template <class T> TEGULA_KERNEL Threefry<T> as_jax(tg::u64 seed, tg::s64 n) {
  Threefry<T> o{tg::empty<T>(n), tg::empty<T>(n)};
  const auto [first, second] = tg::random::split(tg::random::key(seed));
  tg::pallas_call(
      {.grid = {tg::cdiv(n, 256)}},
      [=](auto uniform, auto normal) {
        const auto counter = tg::astype<int>(tg::program_id(0)) * 256 + tg::iota<int, 256>();
        uniform[tg::all] = tg::random::uniform<T>(first, counter);
        normal[tg::all] = tg::random::normal<T>(tg::random::fold_in(second, 7), counter);
      },
      tg::out<256>(o.uniform, window), tg::out<256>(o.normal, window));
  return o;
}
TEGULA_INSTANTIATE("as_jax_f16", as_jax<tg::f16>);
TEGULA_INSTANTIATE("as_jax_bf16", as_jax<tg::bf16>);
TEGULA_INSTANTIATE("as_jax_f32", as_jax<tg::f32>);
TEGULA_INSTANTIATE("as_jax_f64", as_jax<tg::f64>);

template <class T> TEGULA_KERNEL tg::array<T, 1> random_bits(tg::u64 seed, tg::s64 first, tg::s64 n) {
  auto o = tg::empty<T>(n);
  tg::pallas_call(
      {.grid = {tg::cdiv(n, 256)}},
      [=](auto o) {
        const auto counter = first + tg::program_id(0) * 256 + tg::iota<tg::s64, 256>();
        o[tg::all] = tg::random::bits<T>(tg::random::key(seed), counter);
      },
      tg::out<256>(o, window));
  return o;
}
TEGULA_INSTANTIATE("random_bits_u8", random_bits<tg::u8>);
TEGULA_INSTANTIATE("random_bits_u32", random_bits<tg::u32>);
TEGULA_INSTANTIATE("random_bits_u64", random_bits<tg::u64>);
