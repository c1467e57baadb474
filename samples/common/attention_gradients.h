// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of attention in float64, and what the samples' entries are called with and compared by.
#pragma once

#include "attention.h"

namespace sample::attention {

/// What a backward pass reads beside q, k and v, on the CPU: the results of the forward pass, and the gradient of one.
template <class T> struct backward_problem {
  const problem<T> &forward;
  buffer<T, 4> o, d_o;
  buffer<float, 3> log_sum_exp;
};

/// A sum, and what it may differ by from one whose terms have been rounded to T.
template <class T> struct bounded {
  double value = 0, magnitudes = 0, others = 0;
  void add(double weight, double factor, double error = 0) {
    value += weight * factor;
    magnitudes += std::abs(weight * factor);
    others += std::abs(factor) * (error + (std::is_same_v<T, tegula::f16> ? 0x1p-24 : 1e-7));
  }
  /// Weights are rounded to T, and so is the sum; the least numbers of f16 are 2^-24 apart.
  double tolerance() const {
    const bool is_f16 = std::is_same_v<T, tegula::f16>;
    return (is_f16 ? 0x1p-10 : 0x1p-7) * (std::abs(value) + magnitudes) + others + (is_f16 ? 0x1p-24 : 0);
  }
};

/// What rows of gradients are made of: the weight of a key for a query, and the gradient of its score.
template <class T> class backward_reference {
public:
  backward_reference(const backward_problem<T> &given, const sequence &of, const limits &sees)
      : given_(given), of_(of), sees_(sees), group_(given.forward.q.dim(2) / given.forward.k.dim(2)) {}

  /// A row of dq.
  std::vector<bounded<T>> of_query(std::int64_t query, std::int64_t head) const {
    std::vector<bounded<T>> row(static_cast<std::size_t>(dim()));
    const auto delta = delta_of(query, head);
    for (std::int64_t key = 0; key < of_.keys; ++key)
      if (is_seen(query, key)) {
        const auto [weight, gradient, error] = of_score(query, head, key, delta);
        for (std::int64_t d = 0; d < dim(); ++d)
          row[static_cast<std::size_t>(d)].add(gradient, k(key, head / group_, d), error);
      }
    return row;
  }
  /// A row of dk and one of dv.
  std::pair<std::vector<bounded<T>>, std::vector<bounded<T>>> of_key(std::int64_t key, std::int64_t key_head) const {
    std::vector<bounded<T>> dk(static_cast<std::size_t>(dim())), dv = dk;
    for (std::int64_t head = key_head * group_; head < (key_head + 1) * group_; ++head)
      for (std::int64_t query = 0; query < of_.queries; ++query)
        if (is_seen(query, key)) {
          const auto [weight, gradient, error] = of_score(query, head, key, delta_of(query, head));
          for (std::int64_t d = 0; d < dim(); ++d) {
            dk[static_cast<std::size_t>(d)].add(gradient, q(query, head, d), error);
            dv[static_cast<std::size_t>(d)].add(weight, d_o(query, head, d));
          }
        }
    return {dk, dv};
  }

private:
  struct score {
    double weight, gradient, error;
  };
  std::int64_t dim() const { return given_.forward.q.dim(3); }
  double q(std::int64_t query, std::int64_t head, std::int64_t d) const {
    return wide(given_.forward.q(of_.batch, of_.q_begin + query, head, d));
  }
  double d_o(std::int64_t query, std::int64_t head, std::int64_t d) const {
    return wide(given_.d_o(of_.batch, of_.q_begin + query, head, d));
  }
  double k(std::int64_t key, std::int64_t head, std::int64_t d) const {
    return wide(given_.forward.k(of_.batch, of_.k_begin + key, head, d));
  }
  bool is_seen(std::int64_t query, std::int64_t key) const {
    const std::int64_t stands = query + of_.keys - of_.queries;
    return key >= stands - sees_.left && key <= stands + sees_.right;
  }
  /// The sum of d_o o, and of its terms' magnitudes.
  std::pair<double, double> delta_of(std::int64_t query, std::int64_t head) const {
    double sum = 0, magnitudes = 0;
    for (std::int64_t d = 0; d < dim(); ++d) {
      const double term = d_o(query, head, d) * wide(given_.o(of_.batch, of_.q_begin + query, head, d));
      sum += term, magnitudes += std::abs(term);
    }
    return {sum, magnitudes};
  }
  score of_score(std::int64_t query, std::int64_t head, std::int64_t key, std::pair<double, double> delta) const {
    double value = 0, gradient = 0, magnitudes = delta.second;
    for (std::int64_t d = 0; d < dim(); ++d) {
      value += q(query, head, d) * k(key, head / group_, d);
      const double term = d_o(query, head, d) * wide(given_.forward.v(of_.batch, of_.k_begin + key, head / group_, d));
      gradient += term, magnitudes += std::abs(term);
    }
    value *= given_.forward.scale;
    double slope = 1;
    if (sees_.softcap > 0) {
      const double capped = std::tanh(value / sees_.softcap);
      value = sees_.softcap * capped, slope = 1 - capped * capped;
    }
    const double weight =
        std::exp(value - static_cast<double>(given_.log_sum_exp(of_.batch, head, of_.q_begin + query)));
    const double factor = weight * slope * given_.forward.scale;
    return {weight, factor * (gradient - delta.first), factor * magnitudes * 0x1p-18};
  }

  const backward_problem<T> &given_;
  sequence of_;
  limits sees_;
  std::int64_t group_;
};

/// Calls both passes with arrays of a device, forward(q, k, v, o, log_sum_exp, scale) and backward(q, k, v, o,
/// log_sum_exp, d_o, dq, dk, dv, scale), and compares rows of the gradients, some 200 of many. `twice`: a second call
/// of backward gives the same bits.
template <class T, class Forward, class Backward>
bool check_backward(const std::string &name, const problem<T> &inputs, const std::vector<sequence> &sequences,
                    const limits &sees, Forward forward, Backward backward, device where, sample::random &random,
                    bool twice = false) {
  const auto &[q, k, v, scale] = inputs;
  auto d_o = buffer<T, 4>::empty(q.dims());
  sample::fill(d_o, [&] { return static_cast<T>(random.number()); });
  // What is not stored is NaN.
  const auto nothing = [&](const auto &model) {
    auto none = buffer<T, 4>::empty(model.dims());
    sample::fill(none, [] { return static_cast<T>(std::numeric_limits<float>::quiet_NaN()); });
    return none.to(where);
  };
  const auto q_there = q.to(where), k_there = k.to(where), v_there = v.to(where), d_o_there = d_o.to(where);
  auto o = nothing(q), dq = nothing(q), dk = nothing(k), dv = nothing(k);
  auto lse = buffer<float, 3>::empty({q.dim(0), q.dim(2), q.dim(1)}).to(where);
  const auto call = [&](auto entry, auto... more) {
    entry(array<const T, 4>(q_there), array<const T, 4>(k_there), array<const T, 4>(v_there), more...,
          static_cast<float>(scale));
  };
  call(forward, array<T, 4>(o), array<float, 3>(lse));
  const auto differentiate = [&](auto &to_q, auto &to_k, auto &to_v) {
    call(backward, array<const T, 4>(o), array<const float, 3>(lse), array<const T, 4>(d_o_there), array<T, 4>(to_q),
         array<T, 4>(to_k), array<T, 4>(to_v));
  };
  const double seconds = sample::seconds(where, [&] { differentiate(dq, dk, dv); });
  const backward_problem<T> given{inputs, o.to_host(), std::move(d_o), lse.to_host()};
  const auto dq_here = dq.to_host(), dk_here = dk.to_host(), dv_here = dv.to_host();
  std::int64_t wrong = 0, rows = 0, at = 0;
  const auto compare = [&](const std::vector<bounded<T>> &exact, const buffer<T, 4> &result, std::int64_t batch,
                           std::int64_t row, std::int64_t head) {
    for (std::size_t d = 0; d < exact.size(); ++d)
      wrong += std::abs(wide(result(batch, row, head, static_cast<std::int64_t>(d))) - exact[d].value) <=
                       exact[d].tolerance()
                   ? 0
                   : 1;
  };
  if (twice) {
    auto dq_again = nothing(q), dk_again = nothing(k), dv_again = nothing(k);
    differentiate(dq_again, dk_again, dv_again);
    const auto differ = [](const buffer<T, 4> &a, const buffer<T, 4> &b) {
      return std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(T)) == 0 ? 0 : 1;
    };
    wrong +=
        differ(dq_here, dq_again.to_host()) + differ(dk_here, dk_again.to_host()) + differ(dv_here, dv_again.to_host());
  }
  for (const sequence &each : sequences)
    rows += q.dim(2) * each.queries + k.dim(2) * each.keys;
  const std::int64_t every = std::max<std::int64_t>(1, rows / 200);
  for (const sequence &each : sequences) {
    const backward_reference<T> reference(given, each, sees);
    for (std::int64_t head = 0; head < q.dim(2); ++head)
      for (std::int64_t query = 0; query < each.queries; ++query)
        if (at++ % every == 0)
          compare(reference.of_query(query, head), dq_here, each.batch, each.q_begin + query, head);
    for (std::int64_t head = 0; head < k.dim(2); ++head)
      for (std::int64_t key = 0; key < each.keys; ++key)
        if (at++ % every == 0) {
          const auto [of_k, of_v] = reference.of_key(key, head);
          compare(of_k, dk_here, each.batch, each.k_begin + key, head);
          compare(of_v, dv_here, each.batch, each.k_begin + key, head);
        }
  }
  // Five products for each key that a query sees, where the forward pass has two.
  const work done{0, 2.5 * work_of(inputs, sequences, sees).flops};
  return sample::report(name, where, seconds,
                        every == 1 ? "every row against float64" : "some 200 rows against float64", wrong, done);
}

template <class T, class Forward, class Backward>
bool run_backward(const std::string &name, std::int64_t dim, const shape &size, const limits &sees, Forward forward,
                  Backward backward, device where, sample::random &random, bool twice = false) {
  const problem<T> given(size, dim, kind::random, random);
  return check_backward<T>(name + " of " + described(size), given, batches_of(size), sees, forward, backward, where,
                           random, twice);
}

template <class T, class Forward, class Backward>
bool windows_backward(const std::string &name, std::int64_t dim, bool has_softcap, Forward forward, Backward backward,
                      const std::vector<shape> &sizes, device where, sample::random &random, bool twice = false) {
  bool passed = true;
  for (const shape &size : sizes)
    for (const limits &sees : window_limits(has_softcap))
      passed &= run_backward<T>(name + described(sees), dim, size, sees, in_window(forward, sees),
                                in_window(backward, sees), where, random, twice);
  return passed;
}

template <class T, class Forward, class Backward>
bool packed_backward(const std::string &name, std::int64_t dim, const limits &sees, Forward forward, Backward backward,
                     const lengths &of, device where, sample::random &random, bool twice = false) {
  const packing all(of);
  const problem<T> given(all.size, dim, kind::random, random);
  const auto q_there = packing::there(all.q_begins, where), k_there = packing::there(all.k_begins, where);
  const auto call_forward = [&](const auto &q, const auto &k, const auto &v, const auto &o, const auto &lse,
                                float scale) { forward(q, k, v, o, lse, q_there, k_there, all.longest, scale, {}); };
  const auto call_backward = [&](const auto &q, const auto &k, const auto &v, const auto &o, const auto &lse,
                                 const auto &d_o, const auto &dq, const auto &dk, const auto &dv, float scale) {
    backward(q, k, v, o, lse, d_o, dq, dk, dv, q_there, k_there, all.longest, all.longest_keys, scale, {});
  };
  return check_backward<T>(name + " of " + std::to_string(of.keys.size()) + " packed sequences", given, all.sequences,
                           sees, call_forward, call_backward, where, random, twice);
}

} // namespace sample::attention
