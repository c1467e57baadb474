// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches: the grid and its options, what a program can query about its position, loops unrolled at compile time,
// printing and checks.
#pragma once

#include "blocks.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// The sizes of a grid's axes, up to 6; the last axis varies fastest. One program runs for every point; no program runs
/// if an axis has size 0.
struct grid_shape {
  s64 first = detail::absent;
  s64 second = detail::absent;
  s64 third = detail::absent;
  s64 fourth = detail::absent;
  s64 fifth = detail::absent;
  s64 sixth = detail::absent;
};

/// How the programs along a grid axis run: concurrently in no order (parallel), or one after the other (sequential).
enum class dimension { parallel, sequential };
inline constexpr dimension parallel = dimension::parallel, sequential = dimension::sequential;

/// Options of pallas_call, its first argument: {.grid = {m, n}, .approx_math = true}.
struct pallas_options {
  /// {m, n}: programs (0, 0) to (m - 1, n - 1). They are independent and run in any order, except along sequential
  /// axes. Without a grid, one program runs.
  grid_shape grid = {};
  /// {tg::parallel, tg::sequential}: one entry per grid axis; axes without an entry are parallel. All entries are
  /// constants. Programs whose indices differ only along sequential axes run one after the other, the last axis
  /// fastest, and each sees what the previous ones stored. An output whose block does not depend on a sequential axis
  /// can be accumulated into, and a tg::scratch keeps its value from one program to the next:
  ///   tg::pallas_call({.grid = {m, n}, .dimension_semantics = {tg::parallel, tg::sequential}},
  ///                   [](auto x, auto sum) {
  ///                     if (tg::program_id(1) == 0)
  ///                       sum[tg::all] = 0.0f;
  ///                     sum[tg::all] += x[tg::all];
  ///                   },
  ///                   tg::in<64, 64>(x, [](auto i, auto j) { return tg::index(i, j); }),
  ///                   tg::out<64, 64>(sum, [](auto i, auto) { return tg::index(i, 0); }));
  /// A sequential axis becomes a loop in the body, and costs what that loop costs.
  dimension dimension_semantics[6] = {};
  /// Approximate float functions and divisions, and fused multiply-adds: math.h states the accuracy. A constant.
  bool approx_math = false;

  // Tiling of products on the tensor cores of sm_90a. The compiler chooses what is not given (-Rsplit reports it); all
  // are constants. A launch whose resources do not suffice for the given values is refused. On other architectures, and
  // where a call needs another kernel, they are ignored.
  /// The number of consumer warpgroups of a CTA, 1 or 2; each multiplies 64 rows of a sub-tile. Chained products, whose
  /// factors are results of other products, as in attention, also take 3, which leaves 160 registers per CUDA thread
  /// instead of 240. If not given, the compiler may let 2 or 4 consumers sum the same 64 rows, taking the steps of the
  /// loop in turn (sliced-K), where a left factor is computed.
  int num_consumers = 0;
  /// The columns of a sub-tile, at most those of the block: a multiple of 64, up to 256. tile_n, tile_k and cluster do
  /// not apply to chained products: these use the columns and the steps of the program.
  int tile_n = 0;
  /// The extent of K per step, where the program itself does not divide K: a multiple of 16, up to 256. Shared memory
  /// is fastest with rows of up to 128 bytes.
  int tile_k = 0;
  /// The number of stages of the shared-memory ring, each a step of tile_k or of the program's loop: 2 to 8.
  int num_stages = 0;
  /// The CTAs of a cluster, 1 or 2: their sub-tiles are vertical neighbours, and each fetches half of the columns of
  /// the right factor for both (TMA multicast; PTX ISA, "cp.async.bulk.tensor"). This reduces L2 reads.
  int cluster = 0;
};

namespace detail {
template <class E, int... N> struct scratch_spec {
  using view = tile<E, N...>;
};
} // namespace detail
/// Takes the place of a block spec: a tile that the programs along sequential axes pass on from one to the next. It is
/// zero in the first program. The body takes it by reference: [](auto x, auto &sum) { sum += x[tg::all]; }.
/// Cost: that of a loop-carried variable: registers, and spills if there are not enough.
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

// The right operand of the comma after a call: a result of the call selects the refused operator; void selects the
// built-in one.
struct no_result {};
template <class R>
void operator,(const R &, no_result)
    TEGULA_REFUSED("the body of a launch cannot return a value: store it, o[tg::all] = value");
} // namespace detail

/// Runs the body for every point of the grid. The body gets one ref per spec: the program's block of that array.
///   tg::pallas_call({.grid = {tg::cdiv(x.dim(0), 512)}}, [=](auto x, auto o) { o[tg::all] = scale * x[tg::all]; },
///                   tg::in<512>(x, map), tg::out<512>(o, map));
/// The body captures run-time scalars and constants by value.
/// Cost: one launch of a CUDA kernel, 0.04 to 0.15 us over the driver's own cost on the host; two launches for
/// reductions of whole arrays or of columns, and for products with few results and long sums (split-K). Programs with
/// small blocks share a CTA; large blocks are divided into sub-tiles for several CTAs. What a program stores is
/// computed in one pass, without intermediate arrays.
template <class Body, class... Specs> constexpr void pallas_call(const pallas_options &, Body body, const Specs &...) {
  static_assert(detail::are_specs<Specs...>,
                "an argument of pallas_call is not a block spec: wrap each array in tg::in, tg::out or tg::inout");
  if constexpr (detail::have_blocks<Specs...>)
    body(detail::some<typename Specs::view>()...), detail::no_result();
}
template <class Body, class... Specs>
  requires(!__is_convertible(Body, pallas_options) && !detail::is_spec<Body>)
constexpr void pallas_call(Body body, const Specs &...) {
  static_assert(detail::are_specs<Specs...>,
                "an argument of pallas_call is not a block spec: wrap each array in tg::in, tg::out or tg::inout");
  if constexpr (detail::have_blocks<Specs...>)
    body(detail::some<typename Specs::view>()...), detail::no_result();
}

/// program_id(0) is this program's index along grid axis 0; num_programs(0) is the size of that axis. The axis is a
/// constant.
/// Cost: program_id: integer arithmetic on the CTA's index, once a program; num_programs: a kernel parameter.
s64 program_id(int axis);
s64 num_programs(int axis);

namespace detail {
constexpr void check_block_size(s64) {}
} // namespace detail

/// a / b rounded up, for a >= 0 and b > 0: tg::cdiv(x.dim(0), 512) blocks of 512 cover x. On the host, b < 1 is an
/// error of the call, and so is a sum a + b that overflows 64 bits.
/// Cost: an integer division, on the host where an entry calls it; none for constants.
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
/// Calls body with constant<0>{} ... constant<N - 1>{}, N up to 4096: a loop whose index can be a template argument.
///   tg::static_for<4>([&](auto i) { sum += x[tg::ds<16>(16 * i)]; });
/// Cost: the code of the body is emitted N times; an ordinary for loop stays a loop.
template <int N, class Body> constexpr void static_for(Body body) {
  static_assert(N >= 0, "the count of static_for<N> is negative: N is 0 or more");
  static_assert(N <= detail::most_static_iterations, "static_for unrolls at most 4096 iterations: for a loop that runs "
                                                     "on the device, write for (int i = 0; i < n; ++i)");
  if constexpr (N >= 0 && N <= detail::most_static_iterations)
    detail::call_each<N>(body, detail::sequence_to<(N + detail::calls_per_fold - 1) / detail::calls_per_fold>{});
}

/// Prints a line from a kernel: once per program in a tg::pallas_call, once per warpgroup in a tg::kernel, once per
/// warp in a tg::warp_map. Each {} of the format, a string literal, is replaced by the next value. bool prints as true
/// or false, f64 with up to 15 significant digits, narrower floats with up to 6.
///   tg::debug_print("program {}: sum {}", tg::program_id(0), tg::sum(x[tg::all]));
/// Cost: a call of the device's printf (vprintf), which takes registers and memory: for debugging only.
template <detail::printed... V> constexpr void debug_print(const char *format, const V &...values) {
  static_assert((!ref_like<V> && ...), TEGULA_A_PLACE);
  static_assert((!tile_like<V> && ...), "debug_print takes scalars, not tiles: print an element, tile[0]");
}

/// A check of a program, compiled with tegulac --debug-checks. If the condition is false in a program, the entry throws
/// an error when the launch has ended. The error names the line, the program and the message, in which each {} is
/// replaced by the next value: "gather: kernels.cpp:12: program (3): index 70 is not below 64". If several checks fail
/// in one program, the last one is reported. With this option the entry waits for each launch. Without it, debug_check
/// does nothing, and its arguments are not computed.
///     tg::debug_check(i >= 0 && i < x.dim(0), "index {} is not below {}", i, x.dim(0));
///     tg::debug_check(tg::all_of(x[tg::all] > 0), "an element is not positive");
///
/// Cost: with the option a comparison, and a store where it fails; the host waits for the launch. Without the option
/// none.
template <detail::printed... V> constexpr void debug_check(bool condition, const char *format, const V &...values) {
  static_assert((!ref_like<V> && ...), TEGULA_A_PLACE);
  static_assert((!tile_like<V> && ...), "debug_check takes scalars, not tiles: pass an element, tile[0]");
}
template <tile_like C, class... V>
void debug_check(const C &condition, const V &...values)
    TEGULA_REFUSED("debug_check takes one bool, not a tile: reduce it, tg::debug_check(tg::all_of(x > 0), \"...\")");
template <ref_like C, class... V>
void debug_check(const C &condition, const V &...values) TEGULA_REFUSED(
    "debug_check takes one bool, not a ref: load and reduce it, tg::debug_check(tg::all_of(x[tg::all]), \"...\")");

} // namespace tegula
