// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of a view are at base + sum of index * stride + byte in the element, every variable from 0 to a bound. That
// one byte of a is one of b is thus a linear equation. Variables of b are counted from their other end, which makes
// all factors positive: sum of factor * variable == target.

#include "overlap.h"

#include "packed_view.h"

#include <algorithm>
#include <numeric>

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

} // namespace tegula::runtime
