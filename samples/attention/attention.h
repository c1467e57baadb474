// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forward pass of attention as one writes it on paper: softmax(scale Q K^T) V, for every query head of every batch,
// in one plain loop over blocks of keys. What is known so far of the softmax is carried, and corrected when a greater
// score turns up. On Hopper the compiler makes of it the program that samples/hopper_attention writes by hand.
#pragma once

#include <tegula/tegula.h>
namespace tg = tegula;

namespace samples {

/// Which keys a query sees. Query i of M stands at key i + (N - M) of N: the last query at the last key.
enum class Sees {
  all,
  causal, ///< those up to where it stands
  window, ///< those from `left` before where it stands to `right` behind
};

struct AttentionConfig {
  int head_dim = 128, queries = 128, keys = 128; // of a block
  Sees sees = Sees::all;
  bool has_softcap = false; // scores become softcap tanh(score / softcap)
  bool is_tf32 = false;     // f32 is multiplied as tf32
};

struct Window {
  tg::s64 left = 0, right = 0;
  float softcap = 0;
};

template <class T> void check(const T &q, const T &k, const T &v, int head_dim, float scale) {
  tg::check(scale > 0.0f, "a scale is greater than 0: the greatest score is found before they are scaled");
  tg::check(q.dim(3) == head_dim && k.dim(3) == head_dim && v.dim(3) == head_dim,
            "this instance is for another head dimension");
  tg::check(k.dim(1) == v.dim(1) && k.dim(2) == v.dim(2), "k and v differ");
  tg::check(k.dim(2) > 0 && q.dim(2) % k.dim(2) == 0, "the query heads are a multiple of the key heads");
}
template <class Q, class O> void check_results(const Q &q, const O &o, tg::array<float, 3> log_sum_exp) {
  tg::check(o.dim(0) == q.dim(0) && o.dim(1) == q.dim(1) && o.dim(2) == q.dim(2) && o.dim(3) == q.dim(3),
            "o is as q is");
  tg::check(log_sum_exp.dim(0) == q.dim(0) && log_sum_exp.dim(1) == q.dim(2) && log_sum_exp.dim(2) == q.dim(1),
            "log_sum_exp is (batch, heads, queries)");
}

/// What a block of queries knows of its keys so far.
template <AttentionConfig C, class T> class Softmax {
public:
  explicit Softmax(float scale) : scale(scale), scale2(scale * 1.44269504f) {} // exp(x) is exp2(x log2(e))

  /// Takes in a block of keys: their scores, not scaled, and their values.
  template <class Scores, class Values> void add(const Scores &scores, const Values &values) {
    auto next = tg::maximum(greatest, tg::max<1>(scores));
    // What is exceeded by little stays: weights of up to 2^8 are as exact, and warps skip corrections by exp2(0). For
    // heads of 64 there is too little to skip.
    if constexpr (C.head_dim > 64)
      next = tg::where((next - greatest) * scale2 <= 8.0f, greatest, next);
    const auto taken = tg::where(next == -tg::inf, 0.0f, next); // -inf - -inf is NaN
    const auto correction = tg::exp2((greatest - taken) * scale2);
    const auto weights = tg::exp2(scores * scale2 - (taken * scale2)[tg::all, tg::newaxis]);
    total = total * correction + tg::sum<1>(weights);
    sum = sum * correction[tg::all, tg::newaxis] + dot(tg::astype<T>(weights), values);
    greatest = next;
  }
  template <class A, class B> static auto dot(const A &a, const B &b) {
    if constexpr (C.is_tf32)
      return tg::dot(a, b, {.precision = tg::precision::tf32});
    else
      return tg::dot(a, b);
  }

  /// A query without keys gives 0, and -inf.
  auto result() const {
    const auto inverse = tg::where(total > 0.0f, 1.0f / total, 0.0f);
    return tg::astype<T>(sum * inverse[tg::all, tg::newaxis]);
  }
  auto log_sum_exp() const {
    return tg::where(total > 0.0f, greatest * scale + tg::log2(total) * 0.69314718f, -tg::inf); // by ln(2)
  }

private:
  float scale, scale2;
  tg::tile<float, C.queries> greatest = tg::full<float, C.queries>(-tg::inf); // of the scores, not scaled
  tg::tile<float, C.queries> total = tg::zeros<float, C.queries>();           // of the weights
  tg::tile<float, C.queries, C.head_dim> sum = tg::zeros<float, C.queries, C.head_dim>();
};

template <AttentionConfig C, class T>
void attend(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v, tg::array<T, 4> o,
            tg::array<float, 3> log_sum_exp, float scale, Window window) {
  check(q, k, v, C.head_dim, scale);
  check_results(q, o, log_sum_exp);
  tg::check(q.dim(0) == k.dim(0) && q.dim(0) == v.dim(0), "q, k and v differ in the number of batches");
  const auto heads_per_key_head = q.dim(2) / k.dim(2), behind = k.dim(1) - q.dim(1);
  const auto of_queries = [](auto batch, auto head, auto block) { return tg::index(batch, block, head, 0); };
  const auto of_keys = [=](auto batch, auto head, auto) { return tg::index(batch, 0, head / heads_per_key_head, 0); };
  tg::pallas_call(
      {.grid = {q.dim(0), q.dim(2), tg::cdiv(q.dim(1), C.queries)}, .approx_math = true},
      [=](auto q, auto k, auto v, auto o, auto log_sum_exp) {
        // The keys that some query of the block sees.
        const auto stands = tg::program_id(2) * C.queries + behind; // the first query
        tg::s64 begin = 0, end = k.dim(0);
        if constexpr (C.sees == Sees::causal)
          end = tg::minimum(end, stands + C.queries);
        if constexpr (C.sees == Sees::window) {
          begin = tg::maximum(stands - window.left, 0) / C.keys * C.keys;
          end = tg::minimum(end, stands + C.queries + window.right);
        }
        Softmax<C, T> softmax(scale);
        for (tg::s64 i = begin; i < end; i += C.keys) { // The last keys may be fewer: only they count.
          auto scores = softmax.dot(q[tg::all], tg::transpose(k[tg::ds<C.keys>(i)]));
          if constexpr (C.has_softcap)
            scores = tg::tanh(scores * (scale / window.softcap)) * (window.softcap / scale);
          const auto key = (tg::iota<int, C.keys>() + static_cast<int>(i))[tg::newaxis, tg::all];
          const auto stand = (tg::iota<int, C.queries>() + static_cast<int>(stands))[tg::all, tg::newaxis];
          if constexpr (C.sees == Sees::causal)
            scores = tg::where(key <= stand, scores, -tg::inf);
          if constexpr (C.sees == Sees::window)
            scores = tg::where((key <= stand + static_cast<int>(window.right)) &
                                   (key >= stand - static_cast<int>(window.left)),
                               scores, -tg::inf);
          softmax.add(scores, v[tg::ds<C.keys>(i)]);
        }
        o[tg::all] = softmax.result();
        log_sum_exp[tg::all] = softmax.log_sum_exp();
      },
      tg::in<tg::squeezed, C.queries, tg::squeezed, C.head_dim>(q, of_queries),
      tg::in<tg::squeezed, tg::whole, tg::squeezed, C.head_dim>(k, of_keys),
      tg::in<tg::squeezed, tg::whole, tg::squeezed, C.head_dim>(v, of_keys),
      tg::out<tg::squeezed, C.queries, tg::squeezed, C.head_dim>(o, of_queries),
      tg::out<tg::squeezed, tg::squeezed, C.queries>(
          log_sum_exp, [](auto batch, auto head, auto block) { return tg::index(batch, head, block); }));
}

/// q is (batch, queries, heads, head_dim), k and v are (batch, keys, key heads, head_dim): so many query heads in a row
/// share a key head. log_sum_exp is (batch, heads, queries), of the scaled scores. A query without keys gives 0, and
/// -inf.
template <AttentionConfig C, class T>
TEGULA_KERNEL void attention(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v,
                             tg::array<T, 4> o, tg::array<float, 3> log_sum_exp, float scale) {
  attend<C>(q, k, v, o, log_sum_exp, scale, {});
}

/// The same for Sees::window and softcap.
template <AttentionConfig C, class T>
TEGULA_KERNEL void windowed_attention(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v,
                                      tg::array<T, 4> o, tg::array<float, 3> log_sum_exp, float scale, tg::s64 left,
                                      tg::s64 right, float softcap) {
  tg::check(left >= 0 && right >= 0, "a window has no negative sides");
  tg::check(softcap > 0.0f, "softcap is a bound of scores");
  // A side of so many is no limit, and what it is added to has room in an int.
  const auto most = q.dim(1) + k.dim(1);
  attend<C>(q, k, v, o, log_sum_exp, scale,
            {.left = tg::minimum(left, most), .right = tg::minimum(right, most), .softcap = softcap});
}

/// Of sequences of several lengths, in arrays of one batch: sequence i is queries q_begins[i] to q_begins[i + 1], of at
/// most `longest`, and likewise keys. Values behind the last key, those of the next sequence, are multiplied by 0
/// within a block: a NaN or an infinity there makes NaN.
template <AttentionConfig C, class T>
TEGULA_KERNEL void packed_attention(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v,
                                    tg::array<T, 4> o, tg::array<float, 3> log_sum_exp,
                                    tg::array<const int, 1> q_begins, tg::array<const int, 1> k_begins, tg::s64 longest,
                                    float scale) {
  check(q, k, v, C.head_dim, scale);
  check_results(q, o, log_sum_exp);
  tg::check(q.dim(0) == 1 && k.dim(0) == 1 && v.dim(0) == 1, "packed sequences are one batch");
  tg::check(q_begins.dim(0) == k_begins.dim(0) && q_begins.dim(0) > 0, "q_begins and k_begins differ in length");
  const auto heads_per_key_head = q.dim(2) / k.dim(2);
  const auto of_head = [](auto, auto head, auto) { return tg::index(0, 0, head, 0); };
  const auto of_key_head = [=](auto, auto head, auto) { return tg::index(0, 0, head / heads_per_key_head, 0); };
  tg::pallas_call(
      {.grid = {q_begins.dim(0) - 1, q.dim(2), tg::cdiv(longest, C.queries)}, .approx_math = true},
      [=](auto q, auto k, auto v, auto q_begins, auto k_begins, auto o, auto log_sum_exp) {
        const auto sequence = tg::program_id(0);
        const int q_begin = q_begins[sequence], k_begin = k_begins[sequence];
        const int queries = q_begins[sequence + 1] - q_begin, keys = k_begins[sequence + 1] - k_begin;
        const int first = static_cast<int>(tg::program_id(2)) * C.queries, stands = first + keys - queries;
        int end = first < queries ? keys : 0;
        if constexpr (C.sees == Sees::causal)
          end = tg::minimum(end, stands + C.queries);
        const auto mine = tg::ds<C.queries>(q_begin + first);
        Softmax<C, T> softmax(scale);
        for (int i = 0; i < end; i += C.keys) {
          const auto part = tg::ds<C.keys>(k_begin + i);
          const auto key = (tg::iota<int, C.keys>() + i)[tg::newaxis, tg::all];
          const auto stand = (tg::iota<int, C.queries>() + stands)[tg::all, tg::newaxis];
          auto scores = softmax.dot(q[mine], tg::transpose(k[part]));
          if constexpr (C.sees == Sees::causal)
            scores = tg::where(key <= stand, scores, -tg::inf);
          softmax.add(tg::where(key < keys, scores, -tg::inf), v[part]); // The next sequence follows.
        }
        const auto is_there = tg::iota<int, C.queries>() < queries - first;
        tg::store(o.at(mine), softmax.result(), is_there[tg::all, tg::newaxis]);
        tg::store(log_sum_exp.at(mine), softmax.log_sum_exp(), is_there);
      },
      tg::in<tg::squeezed, tg::whole, tg::squeezed, C.head_dim>(q, of_head),
      tg::in<tg::squeezed, tg::whole, tg::squeezed, C.head_dim>(k, of_key_head),
      tg::in<tg::squeezed, tg::whole, tg::squeezed, C.head_dim>(v, of_key_head), tg::in(q_begins), tg::in(k_begins),
      tg::out<tg::squeezed, tg::whole, tg::squeezed, C.head_dim>(o, of_head),
      tg::out<tg::squeezed, tg::squeezed, tg::whole>(log_sum_exp,
                                                     [](auto, auto head, auto) { return tg::index(0, head, 0); }));
}

/// Keys and values in pages, of C.keys each: block i of the keys of batch b is page pages(b, i), and lengths(b) keys
/// there are. k and v are (pages, C.keys, key heads, head_dim). Values behind the last key of a page are multiplied by
/// 0: a NaN or an infinity there makes NaN.
template <AttentionConfig C, class T>
TEGULA_KERNEL void paged_attention(tg::array<const T, 4> q, tg::array<const T, 4> k, tg::array<const T, 4> v,
                                   tg::array<T, 4> o, tg::array<float, 3> log_sum_exp, tg::array<const int, 2> pages,
                                   tg::array<const int, 1> lengths, float scale) {
  check(q, k, v, C.head_dim, scale);
  check_results(q, o, log_sum_exp);
  tg::check(k.dim(0) == v.dim(0) && k.dim(1) == C.keys, "pages are of another size");
  tg::check(pages.dim(0) == q.dim(0) && lengths.dim(0) == q.dim(0), "pages and lengths have a row per batch");
  const auto heads_per_key_head = q.dim(2) / k.dim(2), queries = q.dim(1);
  const auto of_queries = [](auto batch, auto head, auto block) { return tg::index(batch, block, head, 0); };
  const auto of_key_head = [=](auto, auto head, auto) { return tg::index(0, 0, head / heads_per_key_head, 0); };
  tg::pallas_call(
      {.grid = {q.dim(0), q.dim(2), tg::cdiv(q.dim(1), C.queries)}, .approx_math = true},
      [=](auto q, auto k, auto v, auto pages, auto length, auto o, auto log_sum_exp) {
        const int keys = length[0];
        const int stands = static_cast<int>(tg::program_id(2)) * C.queries + keys - static_cast<int>(queries);
        int end = keys;
        if constexpr (C.sees == Sees::causal)
          end = tg::minimum(end, stands + C.queries);
        Softmax<C, T> softmax(scale);
        for (int i = 0; i < end; i += C.keys) {
          const int page = pages[i / C.keys];
          const auto key = (tg::iota<int, C.keys>() + i)[tg::newaxis, tg::all];
          const auto stand = (tg::iota<int, C.queries>() + stands)[tg::all, tg::newaxis];
          auto scores = softmax.dot(q[tg::all], tg::transpose(k[page, tg::all, tg::all]));
          if constexpr (C.sees == Sees::causal)
            scores = tg::where(key <= stand, scores, -tg::inf);
          softmax.add(tg::where(key < keys, scores, -tg::inf), v[page, tg::all, tg::all]);
        }
        o[tg::all] = softmax.result();
        log_sum_exp[tg::all] = softmax.log_sum_exp();
      },
      tg::in<tg::squeezed, C.queries, tg::squeezed, C.head_dim>(q, of_queries),
      tg::in<tg::whole, C.keys, tg::squeezed, C.head_dim>(k, of_key_head),
      tg::in<tg::whole, C.keys, tg::squeezed, C.head_dim>(v, of_key_head),
      tg::in<tg::squeezed, tg::whole>(pages, [](auto batch, auto, auto) { return tg::index(batch, 0); }),
      tg::in<1>(lengths, [](auto batch, auto, auto) { return tg::index(batch); }),
      tg::out<tg::squeezed, C.queries, tg::squeezed, C.head_dim>(o, of_queries),
      tg::out<tg::squeezed, tg::squeezed, C.queries>(
          log_sum_exp, [](auto batch, auto head, auto block) { return tg::index(batch, head, block); }));
}

} // namespace samples
