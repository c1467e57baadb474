// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers as sums of others.
#include "analysis/Symbols.h"

using namespace mlir;

namespace tegula {

void Linear::add(const Linear &other, int64_t factor) {
  constant += other.constant * factor;
  for (auto [symbol, times] : other.factors) {
    int64_t &total = factors[symbol];
    total += times * factor;
    if (total == 0)
      factors.erase(symbol);
  }
}

bool Linear::divide(int64_t divisor) {
  if (constant % divisor != 0 || llvm::any_of(factors, [&](auto &part) { return part.second % divisor != 0; }))
    return false;
  constant /= divisor;
  for (auto &part : factors)
    part.second /= divisor;
  return true;
}

Linear Symbols::linear(Symbol symbol) const {
  Linear sum;
  addLinear(sum, symbol, 1, 0);
  return sum;
}

void Symbols::addLinear(Linear &sum, Symbol symbol, int64_t factor, unsigned depth) const {
  constexpr unsigned deepest = 8; // Of what people write; a sum may use the same one twice, over and over.
  symbol = find(symbol);
  const Term &term = definitions[symbol];
  llvm::StringRef head = term.head;
  if (std::optional<int64_t> constant = constantOf(symbol)) {
    sum.constant += *constant * factor;
    return;
  }
  Linear single;
  if (auto product = products.find(symbol); product != products.end()) {
    Symbol of = find(product->second.of); // It may be a quotient of this integer, and is followed no further.
    if (std::optional<int64_t> constant = constantOf(of))
      single.constant = product->second.factor * *constant;
    else
      single.factors[of] = product->second.factor;
    return sum.add(single, factor);
  }
  if (depth < deepest && (head == "arith.addi" || head == "arith.subi")) {
    addLinear(sum, term.operands[0], factor, depth + 1);
    addLinear(sum, term.operands[1], head == "arith.subi" ? -factor : factor, depth + 1);
    return;
  }
  if (depth < deepest && head == "arith.muli")
    for (auto [times, other] :
         {std::pair(term.operands[0], term.operands[1]), std::pair(term.operands[1], term.operands[0])})
      if (std::optional<int64_t> constant = constantOf(times))
        return addLinear(sum, other, factor * *constant, depth + 1);
  if (std::optional<int64_t> by = head == "arith.divsi" ? constantOf(term.operands[1]) : std::nullopt;
      depth < deepest && by && *by > 1) {
    Linear whole;
    addLinear(whole, term.operands[0], 1, depth + 1);
    if (whole.divide(*by))
      return sum.add(whole, factor);
  }
  single.factors[symbol] = 1;
  sum.add(single, factor);
}

bool Symbols::isAtLeastZero(const Linear &sum) const {
  constexpr unsigned deepest = 4; // Each level tries all terms.
  if (isAtLeastZeroByTerms(sum, deepest))
    return true;
  for (const Difference &known : differences) {
    Linear rest = sum;
    rest.add(linear(known.greater), -1);
    rest.add(linear(known.less), 1);
    rest.constant += known.by;
    if (isAtLeastZeroByTerms(rest, deepest))
      return true;
  }
  return false;
}

/// What a term does not exceed, where `isUpper`, else what it does not fall below.
SmallVector<Linear> Symbols::boundsOf(Symbol symbol, bool isUpper) const {
  const Term &term = definitions[find(symbol)];
  llvm::StringRef head = term.head;
  SmallVector<Linear> bounds;
  if (head == (isUpper ? "arith.minsi" : "arith.maxsi"))
    for (Symbol operand : term.operands)
      bounds.push_back(linear(operand));
  if (head == "window") { // It begins in its array.
    bounds.emplace_back();
    if (isUpper) {
      bounds.back() = linear(term.operands[0]);
      bounds.push_back(linear(term.operands[2]));
    }
  }
  if (auto counter = counters.find(find(symbol)); counter != counters.end()) {
    bounds.push_back(linear(isUpper ? counter->second.end : counter->second.first));
    bounds.back().constant -= isUpper ? 1 : 0;
  } else if (auto range = constantRange(symbol, mostNested)) {
    bounds.emplace_back().constant = isUpper ? range->second : range->first;
  }
  return bounds;
}

/// The least and the greatest value of what is computed of counters of loops with constant bounds: small, so that no
/// sum or product wraps, whatever its width.
std::optional<std::pair<int64_t, int64_t>> Symbols::constantRange(Symbol symbol, unsigned depth) const {
  using Range = std::optional<std::pair<int64_t, int64_t>>;
  constexpr int64_t most = int64_t(1) << 30;
  symbol = find(symbol);
  const Term &term = definitions[symbol];
  llvm::StringRef head = term.head;
  auto small = [](int64_t least, int64_t greatest) -> Range {
    return least >= -most && greatest <= most ? Range({least, greatest}) : std::nullopt;
  };
  if (std::optional<int64_t> constant = constantOf(symbol))
    return small(*constant, *constant);
  if (auto counter = counters.find(symbol); counter != counters.end()) {
    std::optional<int64_t> first = constantOf(counter->second.first), end = constantOf(counter->second.end);
    return first && end ? small(*first, *end - 1) : std::nullopt;
  }
  if (depth == 0 || term.operands.empty() || !head.starts_with("arith."))
    return std::nullopt;
  Range x = constantRange(term.operands[0], depth - 1);
  if (!x)
    return x;
  Range y = term.operands.size() == 2 ? constantRange(term.operands[1], depth - 1) : std::nullopt;
  if (!y)
    return std::nullopt;
  auto [least, greatest] = *x;
  if (head == "arith.addi")
    return small(least + y->first, greatest + y->second);
  if (head == "arith.subi")
    return small(least - y->second, greatest - y->first);
  if (head == "arith.muli") {
    const int64_t corners[] = {least * y->first, least * y->second, greatest * y->first, greatest * y->second};
    return small(*llvm::min_element(corners), *llvm::max_element(corners));
  }
  bool isPlainDivision = y->first == y->second && y->first > 0 && least >= 0;
  if (isPlainDivision && head == "arith.divsi")
    return small(least / y->first, greatest / y->first);
  if (isPlainDivision && head == "arith.remsi")
    return small(0, std::min(greatest, y->first - 1));
  return std::nullopt;
}

bool Symbols::isAtLeastZeroByTerms(const Linear &sum, unsigned depth) const {
  if (isAtLeastZeroByBounds(sum))
    return true;
  if (depth == 0)
    return false;
  auto without = [&](Symbol symbol, int64_t factor) {
    Linear rest = sum;
    Linear one;
    one.factors[symbol] = 1;
    rest.add(one, -factor);
    return rest;
  };
  for (auto [symbol, factor] : sum.factors) {
    for (const Linear &bound : boundsOf(symbol, factor < 0)) {
      Linear rest = without(symbol, factor);
      rest.add(bound, factor);
      if (isAtLeastZeroByTerms(rest, depth - 1))
        return true;
    }
    const Term &term = definitions[find(symbol)];
    bool isShift = term.head == "arith.shrsi", isRest = term.head == "arith.remsi";
    std::optional<int64_t> divisor =
        isShift || isRest || term.head == "arith.divsi" ? constantOf(term.operands[1]) : std::nullopt;
    if (!divisor || *divisor <= 0 || *divisor > (isShift ? 40 : mostDivided))
      continue;
    if (isShift)
      divisor = int64_t(1) << *divisor;
    Linear dividend = linear(term.operands[0]);
    if (!isAtLeastZeroByTerms(dividend, depth - 1))
      continue;
    // 0 <= n % c <= c - 1 and <= n; n - (c - 1) <= c (n / c) <= n.
    Linear rest = without(symbol, factor);
    if (isRest) {
      if (factor < 0)
        rest.constant += factor * (*divisor - 1);
    } else if (factor < 0) {
      rest.add(dividend, factor / *divisor + factor % *divisor);
    } else if (factor % *divisor == 0) {
      rest.add(dividend, factor / *divisor);
      rest.constant -= factor / *divisor * (*divisor - 1);
      if (isAtLeastZeroByTerms(rest, depth - 1))
        return true;
      rest = without(symbol, factor);
    }
    if (isAtLeastZeroByTerms(rest, depth - 1))
      return true;
  }
  return false;
}

bool Symbols::isAtLeastZeroByBounds(const Linear &sum) const {
  int64_t least = sum.constant;
  for (auto [symbol, factor] : sum.factors) {
    auto known = atLeast.find(symbol);
    if (factor < 0 || known == atLeast.end())
      return false;
    least += factor * known->second;
  }
  return least >= 0;
}

} // namespace tegula
