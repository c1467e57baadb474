// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches, and what a program can ask and say.
#pragma once

#include "blocks.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// The sizes of a grid's axes, of up to 6; the last one runs fastest. A program runs for every point; none if an axis
/// is 0.
struct grid_shape {
  s64 first = detail::absent;
  s64 second = detail::absent;
  s64 third = detail::absent;
  s64 fourth = detail::absent;
  s64 fifth = detail::absent;
  s64 sixth = detail::absent;
};

/// How the programs along an axis of a grid run: at the same time and in no order, or one after the other.
enum class dimension { parallel, sequential };
inline constexpr dimension parallel = dimension::parallel, sequential = dimension::sequential;

/// In front of a launch's body: {.grid = {m, n}, .approx_math = true}.
struct pallas_options {
  /// {m, n}: programs (0, 0) to (m - 1, n - 1). They are independent and run in any order, but along axes that are
  /// sequential. No grid: one program.
  grid_shape grid = {};
  /// {tg::parallel, tg::sequential}: one for each axis of the grid; axes that are not named are parallel, and all are
  /// constants. The programs that differ along sequential axes alone run one after the other, the last axis fastest: a
  /// program finds what those before it stored. An output whose block does not depend on such an axis is accumulated,
  /// and tg::scratch stays from one program to the next:
  ///   tg::pallas_call({.grid = {m, n}, .dimension_semantics = {tg::parallel, tg::sequential}},
  ///                   [](auto x, auto sum) {
  ///                     if (tg::program_id(1) == 0)
  ///                       sum[tg::all] = 0.0f;
  ///                     sum[tg::all] += x[tg::all];
  ///                   },
  ///                   tg::in<64, 64>(x, [](auto i, auto j) { return tg::index(i, j); }),
  ///                   tg::out<64, 64>(sum, [](auto i, auto) { return tg::index(i, 0); }));
  /// It costs what the loop over the axis costs in the body, which is what it becomes.
  dimension dimension_semantics[6] = {};
  /// Fast functions and divisions of float, and fused multiply-adds: math.h says how accurate. A constant.
  bool approx_math = false;

  // Of products on the tensor cores of sm_90a: how they are cut. What is not given the compiler chooses (-Rsplit tells
  // how); constants. A program that has no room for them is refused; on other chips, and where calls need other
  // kernels, they mean nothing.
  /// How many warpgroups of a CTA multiply, 1 or 2: each has 64 rows of a sub-tile. Products that are made of others,
  /// as in attention, take 3, too, of which a thread has 160 registers instead of 240. Not given, 2 or 4 may sum 64
  /// rows together, by turns (sliced-K), where a left factor is computed.
  int num_consumers = 0;
  /// The columns of a sub-tile, which at most are the block's: a multiple of 64, up to 256. Not of products that are
  /// made of others, nor are tile_k and cluster: they have the columns and the steps of the program.
  int tile_n = 0;
  /// How much is summed at a time, of a depth that the program does not cut itself: a multiple of 16, up to 256. In
  /// shared memory, rows of up to 128 bytes are fastest.
  int tile_k = 0;
  /// How many steps of tile_k, or of the program's loop, shared memory holds at a time: 2 to 8.
  int num_stages = 0;
  /// How many CTAs form a cluster, 1 or 2: their sub-tiles stand one above the other, and each fetches a half of the
  /// columns that both multiply by (TMA multicast; PTX ISA, "cp.async.bulk.tensor"). Less is read from L2.
  int cluster = 0;
};

namespace detail {
template <class E, int... N> struct scratch_spec {
  using view = tile<E, N...>;
};
} // namespace detail
/// In place of a block, a tile that the programs along sequential axes pass on from one to the next: zeros in the
/// first. The body takes it by reference: [](auto x, auto &sum) { sum += x[tg::all]; }.
/// Cost: what a variable of a loop costs: registers, as far as they last.
template <class E, int... N>
  requires(sizeof...(N) > 0 && ((N > 0) && ...))
constexpr detail::scratch_spec<E, N...> scratch() {
  return {};
}

namespace detail {
template <class S> inline constexpr bool is_spec = false;
template <class E, int... Block> inline constexpr bool is_spec<block_spec<E, Block...>> = true;
template <class E, int... N> inline constexpr bool is_spec<scratch_spec<E, N...>> = true;
template <> inline constexpr bool is_spec<refused_spec> = true;
template <class... Specs> inline constexpr bool are_specs = (is_spec<Specs> && ...);
template <class... Specs> inline constexpr bool have_blocks = are_specs<Specs...> && !one_of<refused_spec, Specs...>;

// Behind the comma of a call: nothing, if the call has no result.
struct no_result {};
template <class R>
void operator,(const R &, no_result)
    TEGULA_REFUSED("the body of a launch returns nothing: it stores, o[tg::all] = value");
} // namespace detail

/// Runs the body for every point of the grid, with one ref per spec: to the program's block of that array.
///   tg::pallas_call({.grid = {tg::cdiv(x.dim(0), 512)}}, [=](auto x, auto o) { o[tg::all] = scale * x[tg::all]; },
///                   tg::in<512>(x, map), tg::out<512>(o, map));
/// The body captures run-time scalars and constants by value.
/// Cost: one launch of a CUDA kernel, 0.04 to 0.15 us over the driver's own on the host; two for reductions of whole
/// arrays, of columns, and for products with few results and long sums. Programs with small blocks share a CTA; large
/// ones are cut into sub-tiles for several. What a program stores is computed in one pass, without intermediate arrays.
template <class Body, class... Specs> constexpr void pallas_call(const pallas_options &, Body body, const Specs &...) {
  static_assert(detail::are_specs<Specs...>, "pallas_call takes its arrays through tg::in, tg::out or tg::inout");
  if constexpr (detail::have_blocks<Specs...>)
    body(detail::some<typename Specs::view>()...), detail::no_result();
}
template <class Body, class... Specs>
  requires(!__is_convertible(Body, pallas_options) && !detail::is_spec<Body>)
constexpr void pallas_call(Body body, const Specs &...) {
  static_assert(detail::are_specs<Specs...>, "pallas_call takes its arrays through tg::in, tg::out or tg::inout");
  if constexpr (detail::have_blocks<Specs...>)
    body(detail::some<typename Specs::view>()...), detail::no_result();
}

/// Where this program stands along a grid axis, which is a constant: program_id(0). num_programs(0) is the axis's
/// size.
/// Cost: integer arithmetic on the number of the CTA, once a program; a parameter of the kernel.
s64 program_id(int axis);
s64 num_programs(int axis);

namespace detail {
constexpr void check_block_size(s64) {}
} // namespace detail

/// a / b, rounded up: for a >= 0 and b > 0. Blocks of 512 that cover x are tg::cdiv(x.dim(0), 512). On the host, b < 1
/// is an error of the call, and so is a sum a + b that is more than 64 bits hold.
/// Cost: an integer division, on the host where an entry calls it; none of constants.
template <class A, class B> constexpr auto cdiv(A a, B b) {
  detail::check_block_size(b);
  return (a + b - 1) / b;
}

namespace detail {
template <class V>
concept printed = value<V> || ref_like<V>;

// Compilers limit the operands of a fold expression: the calls are folded in chunks.
inline constexpr int calls_per_fold = 64, most_static_iterations = 4096;
template <int First, class Body, int... I> constexpr void call_chunk(Body &body, sequence<int, I...>) {
  (body(constant<First + I>{}), ...);
}
template <int N, class Body, int... Chunk> constexpr void call_each(Body &body, sequence<int, Chunk...>) {
  (call_chunk<Chunk * calls_per_fold>(
       body,
       sequence_to<(N - Chunk * calls_per_fold < calls_per_fold ? N - Chunk * calls_per_fold : calls_per_fold)>{}),
   ...);
}
} // namespace detail
/// Calls body with constant<0>{} ... constant<N - 1>{}, N up to 4096: a loop whose index may stand in angle brackets.
///   tg::static_for<4>([&](auto i) { sum += x[tg::ds<16>(16 * i)]; });
/// Cost: the code stands there N times; an ordinary for loop stays a loop.
template <int N, class Body> constexpr void static_for(Body body) {
  static_assert(N >= 0, "static_for<N> calls its body N times, 0 or more");
  static_assert(
      N <= detail::most_static_iterations,
      "static_for unrolls up to 4096 iterations: a loop that runs on the device is for (int i = 0; i < n; ++i)");
  if constexpr (N >= 0 && N <= detail::most_static_iterations)
    detail::call_each<N>(body, detail::sequence_to<(N + detail::calls_per_fold - 1) / detail::calls_per_fold>{});
}

/// Prints a line from a kernel, once per program: in a tg::kernel each of its threads prints one, and in tg::warp_map
/// each warp. Each {} of the format, a literal, stands for the next value. bool prints as true or false, f64 with up to
/// 15 significant digits, narrower floats with up to 6.
///   tg::debug_print("program {}: sum {}", tg::program_id(0), tg::sum(x[tg::all]));
/// Cost: a call of the device's printf (vprintf), which takes registers and memory: for debugging alone.
template <detail::printed... V> constexpr void debug_print(const char *format, const V &...values) {
  static_assert((!ref_like<V> && ...), TEGULA_A_PLACE);
  static_assert((!tile_like<V> && ...), "debug_print takes scalars: print an element, tile[0]");
}

/// Compiled with tegulac --debug-checks: if the condition does not hold in a program, the entry throws an error, once
/// the launch has ended, that names the line, the program and the message, in which each {} stands for the next value:
/// "gather: kernels.cpp:12: program (3): index 70 is not below 64". Of several in one program it is the last. The entry
/// waits for each launch then. Without the option it is nothing, and what it is given is not computed.
///     tg::debug_check(i >= 0 && i < x.dim(0), "index {} is not below {}", i, x.dim(0));
///     tg::debug_check(tg::all_of(x[tg::all] > 0), "an element is not positive");
///
/// Cost: with the option a comparison, and a store where it fails; the host waits for the launch. Without it none.
template <detail::printed... V> constexpr void debug_check(bool condition, const char *format, const V &...values) {
  static_assert((!ref_like<V> && ...), TEGULA_A_PLACE);
  static_assert((!tile_like<V> && ...), "debug_check takes scalars: give an element, tile[0]");
}
template <tile_like C, class... V>
void debug_check(const C &condition, const V &...values)
    TEGULA_REFUSED("debug_check takes one truth value: of a tile, tg::debug_check(tg::all_of(x > 0), \"...\")");
template <ref_like C, class... V>
void debug_check(const C &condition, const V &...values)
    TEGULA_REFUSED("debug_check takes one truth value: of a place, tg::debug_check(tg::all_of(x[tg::all]), \"...\")");

} // namespace tegula
