// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of a view are at base + sum of index * stride + byte in the element, every variable from 0 to a bound. That
// one byte of a is one of b is thus a linear equation. Variables of b are counted from their other end, which makes
// all factors positive: sum of factor * variable == target.

#include "overlap.h"

#include "packed_view.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace tegula::runtime {

namespace {

constexpr int most_searched = 4096;
constexpr std::int64_t size_limit = std::int64_t{1} << 61; // bytes: sums of two do not overflow

struct term {
  std::int64_t factor, bound;
};

class equation {
public:
  void add(std::int64_t factor, std::int64_t bound) noexcept {
    if (factor == 0 || bound == 0)
      return;
    for (int i = 0; i < count_; ++i)
      if (terms_[i].factor == factor) {
        terms_[i].bound += bound;
        return;
      }
    int at = count_++;
    for (; at > 0 && terms_[at - 1].factor < factor; --at)
      terms_[at] = terms_[at - 1];
    terms_[at] = {factor, bound};
  }

  bool has_solution(std::int64_t target) noexcept {
    join();
    std::int64_t reach = 0, divisor = 0;
    for (int i = count_; i-- > 0;) {
      reach_[i] = reach += terms_[i].factor * terms_[i].bound;
      divisor_[i] = divisor = std::gcd(divisor, terms_[i].factor);
    }
    return search(0, target);
  }

private:
  /// Multiples of a factor that fill all that lies between multiples of a larger one are one variable with it: rows
  /// that follow each other without gaps.
  void join() noexcept {
    for (int i = count_ - 1; i > 0; --i) {
      const term &fine = terms_[i], &coarse = terms_[i - 1];
      if (coarse.factor % fine.factor != 0 || fine.bound < coarse.factor / fine.factor - 1)
        continue;
      terms_[i - 1] = {fine.factor, fine.bound + coarse.factor / fine.factor * coarse.bound};
      std::copy(terms_ + i + 1, terms_ + count_, terms_ + i);
      --count_;
    }
  }

  bool search(int from, std::int64_t target) noexcept {
    if (from == count_)
      return target == 0;
    if (target < 0 || target > reach_[from] || target % divisor_[from] != 0)
      return false;
    if (++searched_ > most_searched)
      return true;
    const std::int64_t factor = terms_[from].factor, rest = from + 1 < count_ ? reach_[from + 1] : 0;
    const std::int64_t least = target > rest ? (target - rest + factor - 1) / factor : 0;
    for (std::int64_t value = std::min(terms_[from].bound, target / factor); value >= least; --value)
      if (search(from + 1, target - value * factor))
        return true;
    return false;
  }

  term terms_[2 * max_rank + 1]; // by falling factors, which differ
  /// Of a term and all behind it: the largest sum, and the greatest common divisor of the factors.
  std::int64_t reach_[2 * max_rank + 1], divisor_[2 * max_rank + 1];
  int count_ = 0, searched_ = 0;
};

/// Bytes from the first element to the last.
std::int64_t reach_of(const abi::view &v) noexcept {
  std::int64_t reach = 0;
  for (int i = 0; i < v.rank; ++i)
    if (v.dims[i] > 1)
      reach += (v.dims[i] - 1) * v.strides[i] * v.element_size;
  return reach;
}

} // namespace

bool share_memory(const abi::view &elements_a, const abi::view &elements_b) noexcept {
  const byte_view bytes_a(elements_a), bytes_b(elements_b);
  const abi::view &a = bytes_a.get(), &b = bytes_b.get();
  if (abi::is_empty(a) || abi::is_empty(b))
    return false;
  const std::int64_t reach_a = reach_of(a), reach_b = reach_of(b);
  const auto begin_a = reinterpret_cast<std::uintptr_t>(a.data), begin_b = reinterpret_cast<std::uintptr_t>(b.data);
  const auto end_a = begin_a + static_cast<std::uintptr_t>(reach_a + a.element_size),
             end_b = begin_b + static_cast<std::uintptr_t>(reach_b + b.element_size);
  if (begin_a >= end_b || begin_b >= end_a)
    return false;
  if (reach_a >= size_limit || reach_b >= size_limit)
    return true;
  equation same_byte;
  for (const abi::view *v : {&a, &b}) {
    for (int i = 0; i < v->rank; ++i)
      if (v->dims[i] > 1)
        same_byte.add(v->strides[i] * v->element_size, v->dims[i] - 1);
    same_byte.add(1, v->element_size - 1);
  }
  // From the first byte of a to the last one of b.
  return same_byte.has_solution(static_cast<std::int64_t>(end_b - 1 - begin_a));
}

// ---- The elements of one view ---------------------------------------------------------------------------------------
//
// Two indices are one element if their difference d, which is not zero, has sum of d * stride == 0, where |d| is at
// most the last index of its dimension.

namespace {

using wide = __int128;

struct dimension {
  std::int64_t stride, last;
};

constexpr wide floor_of(wide a, wide b) noexcept { return a / b - (a % b < 0 ? 1 : 0); } // b is positive
constexpr wide ceiling_of(wide a, wide b) noexcept { return -floor_of(-a, b); }

/// x with a * x == 1 modulo m, for a and m without a common divisor.
wide inverse(wide a, wide m) noexcept {
  wide x = 1, next_x = 0, rest = a, next = m;
  while (next != 0) {
    const wide quotient = rest / next;
    std::tie(x, next_x) = std::pair(next_x, x - quotient * next_x);
    std::tie(rest, next) = std::pair(next, rest - quotient * next);
  }
  return x;
}

class differences {
public:
  explicit differences(const abi::view &v) noexcept {
    for (int i = 0; i < v.rank; ++i)
      if (v.dims[i] > 1) {
        int at = count_++;
        for (; at > 0 && of_[at - 1].stride > v.strides[i]; --at)
          of_[at] = of_[at - 1];
        of_[at] = {v.strides[i], v.dims[i] - 1};
      }
  }

  /// The usual case, in which each stride steps over all that the smaller ones reach.
  bool are_nested() const noexcept {
    std::int64_t reached = 0;
    for (int i = 0; i < count_; ++i) {
      if (of_[i].stride <= reached)
        return false;
      reached += of_[i].last * of_[i].stride;
    }
    return true;
  }

  distinctness search() noexcept {
    if (count_ > 0 && of_[0].stride == 0)
      return distinctness::repeated;
    join();
    std::int64_t reach = 0;
    for (int i = 0; i < count_; ++i)
      reach_[i] = reach += of_[i].last * of_[i].stride;
    // d and -d are alike: that of the largest stride which counts is positive.
    if (count_ > 1) {
      const std::int64_t divisor = std::gcd(of_[0].stride, of_[1].stride);
      if (of_[0].stride / divisor <= of_[1].last && of_[1].stride / divisor <= of_[0].last)
        return distinctness::repeated;
    }
    for (int top = 2; top < count_; ++top)
      for (wide d = 1; d <= std::min<wide>(of_[top].last, reach_[top - 1] / of_[top].stride); ++d) {
        const bool is_solved = solves(top - 1, -d * of_[top].stride);
        if (searched_ > most_differences)
          return distinctness::unknown;
        if (is_solved)
          return distinctness::repeated;
      }
    return distinctness::distinct;
  }

private:
  /// Dimensions that continue each other are one.
  void join() noexcept {
    for (int i = count_ - 1; i > 0; --i) {
      dimension &fine = of_[i - 1];
      const dimension &coarse = of_[i];
      if (wide{fine.stride} * (wide{fine.last} + 1) != coarse.stride)
        continue;
      fine.last += (fine.last + 1) * coarse.last;
      std::copy(of_ + i + 1, of_ + count_, of_ + i);
      --count_;
    }
  }

  /// Whether the dimensions up to this one have differences that come to the target.
  bool solves(int top, wide target) noexcept {
    if (++searched_ > most_differences || target > reach_[top] || target < -wide{reach_[top]})
      return false;
    const dimension &of = of_[top];
    if (top == 0)
      return target % of.stride == 0;
    const wide rest = reach_[top - 1];
    const wide least = std::max<wide>(-of.last, ceiling_of(target - rest, of.stride)),
               most = std::min<wide>(of.last, floor_of(target + rest, of.stride));
    if (top == 1) { // Those that leave a multiple of the other stride are a residue class.
      const wide other = of_[0].stride, divisor = std::gcd(of.stride, of_[0].stride);
      if (target % divisor != 0)
        return false;
      const wide modulus = other / divisor;
      const wide first = target / divisor % modulus * inverse(of.stride / divisor % modulus, modulus) % modulus;
      return first + ceiling_of(least - first, modulus) * modulus <= most;
    }
    for (wide d = least; d <= most; ++d)
      if (solves(top - 1, target - d * of.stride))
        return true;
    return false;
  }

  static constexpr int most_differences = 1 << 16;
  dimension of_[max_rank]; // by rising strides
  std::int64_t reach_[max_rank];
  int count_ = 0, searched_ = 0;
};

} // namespace

distinctness distinctness_of(const abi::view &v) noexcept {
  differences all(v);
  return all.are_nested() ? distinctness::distinct : all.search();
}

} // namespace tegula::runtime
