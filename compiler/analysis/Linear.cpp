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
  Linear single;
  single.factors[symbol] = 1;
  sum.add(single, factor);
}

bool Symbols::isAtLeastZero(const Linear &sum) const {
  if (isAtLeastZeroByBounds(sum))
    return true;
  for (const Difference &known : differences) {
    Linear rest = sum;
    rest.add(linear(known.greater), -1);
    rest.add(linear(known.less), 1);
    rest.constant += known.by;
    if (isAtLeastZeroByBounds(rest))
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
