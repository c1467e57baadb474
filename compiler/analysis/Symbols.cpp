// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Symbols.h"

#include "ir/Expressions.h"
#include "ir/HostAttributes.h"
#include "ir/Locations.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;

namespace tegula {
std::string nameOfArray(Value array) {
  StringRef name = tile::nameOf(array);
  return name.empty() ? "an array" : name.str();
}

// What holds at the launch is assumed before anything is named, so that names of larger expressions already see it.
Symbols::Symbols(tile::LaunchOp launch) : launch(launch), given(launch->getBlock(), launch->getIterator()) {
  for (auto [condition, holds] : given.all())
    if (auto compare = condition.getDefiningOp<arith::CmpIOp>()) {
      arith::CmpIPredicate predicate = compare.getPredicate();
      assumeCompare(holds ? predicate : arith::invertPredicate(predicate), compare.getLhs(), compare.getRhs());
    }
  closeUnderCongruence();
  findQuotients();
  equateCarriedDims();
  numbered.clear();
}

void Symbols::assumeCompare(arith::CmpIPredicate predicate, Value left, Value right) {
  APInt constant;
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    if (auto remainder = left.getDefiningOp<arith::RemSIOp>();
        remainder && matchPattern(right, m_Zero()) && matchPattern(remainder.getRhs(), m_ConstantInt(&constant)))
      assumeMultiple(of(remainder.getLhs()), constant.getSExtValue());
    else
      equate(of(left), of(right));
    break;
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::sgt: // Canonical form has constants on the right.
    if (!matchPattern(right, m_ConstantInt(&constant)))
      differences.push_back({of(left), of(right), predicate == arith::CmpIPredicate::sgt});
    else if (!constant.isMaxSignedValue())
      assumeAtLeast(of(left), constant.getSExtValue() + (predicate == arith::CmpIPredicate::sgt));
    break;
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::slt:
    differences.push_back({of(right), of(left), predicate == arith::CmpIPredicate::slt});
    break;
  default:
    break; // The rest says nothing that extents need.
  }
}

void Symbols::assumeAtLeast(Symbol symbol, int64_t bound) {
  auto [known, isNew] = atLeast.try_emplace(symbol, bound);
  known->second = std::max(known->second, bound);
}

void Symbols::assumeMultiple(Symbol symbol, int64_t divisor) {
  // Of no use: everything is a multiple of one of them, and only 0 of the other.
  if (divisor == 0 || divisor == std::numeric_limits<int64_t>::min())
    return;
  divisor = std::abs(divisor);
  auto [known, isNew] = multiples.try_emplace(symbol, divisor);
  int64_t common;
  if (llvm::MulOverflow(known->second / std::gcd(known->second, divisor), divisor, common))
    common = std::max(known->second, divisor);
  known->second = common;
}

void Symbols::equate(Symbol a, Symbol b) {
  a = find(a), b = find(b);
  if (a == b)
    return;
  Linear left = linear(a), right = linear(b);
  if (left.factors.size() + right.factors.size() > 2 && (left.factors.contains(b) || right.factors.contains(a))) {
    left.add(right, -1);
    return equateNested(left);
  }
  // Constants stay the representatives, so that a dim checked to be 512 is 512; and expressions, so that one checked to
  // be 2 * n is that.
  auto isLeaf = [&](Symbol symbol) { return definitions[symbol].operands.empty(); };
  bool keepsA = constantOf(a) || (!constantOf(b) && isLeaf(b) && !isLeaf(a));
  merge(keepsA ? b : a, keepsA ? a : b);
}

void Symbols::merge(Symbol merged, Symbol kept) {
  parents[merged] = kept;
  if (auto known = atLeast.find(merged); known != atLeast.end())
    assumeAtLeast(kept, known->second);
  if (auto known = multiples.find(merged); known != multiples.end())
    assumeMultiple(kept, known->second);
  if (auto known = products.find(merged); known != products.end())
    products.try_emplace(kept, Multiple(known->second));
}

void Symbols::equateNested(const Linear &difference) {
  if (difference.constant != 0 || difference.factors.size() != 2)
    return; // Extents of windows need no other sums.
  auto [one, other] = std::pair(difference.factors.front(), difference.factors.back());
  if (std::abs(one.second) != 1)
    std::swap(one, other);
  if (int64_t factor = -one.second * other.second; std::abs(one.second) == 1 && factor > 1) {
    products[one.first] = {factor, other.first};
    assumeMultiple(one.first, factor);
  }
}

void Symbols::findQuotients() {
  launch.walk([&](arith::DivSIOp op) {
    if (matchPattern(op.getRhs(), m_Constant()))
      of(op.getResult());
  });
  // The least common multiple of all divisors has a quotient that all others are multiples of.
  llvm::MapVector<Symbol, int64_t> divisors;
  for (Symbol symbol = 0; symbol < definitions.size(); ++symbol) {
    const Term &term = definitions[symbol];
    std::optional<int64_t> by = term.head == "arith.divsi" ? constantOf(term.operands[1]) : std::nullopt;
    if (!by || *by < 2)
      continue;
    Symbol whole = find(term.operands[0]);
    auto divisor = multiples.find(whole);
    if (!definitions[whole].operands.empty() || divisor == multiples.end() || divisor->second % *by != 0)
      continue;
    auto known = products.find(whole);
    const Term *of = known != products.end() ? &definitions[find(known->second.of)] : nullptr;
    if (of && (of->head != "arith.divsi" || find(of->operands[0]) != whole))
      continue; // A check says already what it is made of.
    int64_t &common = divisors.try_emplace(whole, 1).first->second;
    common = std::lcm(common, *by); // It divides the integer, too.
  }
  for (auto [whole, by] : divisors) {
    Symbol quotient = intern({"arith.divsi", {whole, ofConstant(by)}});
    products[whole] = {by, quotient};
    if (auto least = atLeast.find(whole); least != atLeast.end())
      assumeAtLeast(quotient, least->second > 0 ? llvm::divideCeil(least->second, by) : -(-least->second / by));
  }
  if (products.empty())
    return;
  sums.clear();
  for (Symbol symbol = 0, count = definitions.size(); symbol < count; ++symbol)
    if (Symbol same = find(simplified(symbol)); same != find(symbol))
      merge(find(symbol), same);
  closeUnderCongruence();
}

void Symbols::closeUnderCongruence() {
  for (bool changed = true; changed;) {
    changed = false;
    terms.clear();
    sums.clear();
    windows.clear();
    for (Symbol symbol = 0; symbol < definitions.size(); ++symbol) {
      definitions[symbol] = normalized(std::move(definitions[symbol]));
      auto [same, isNew] = terms.try_emplace(definitions[symbol], symbol);
      if (!isNew && find(same->second) != find(symbol)) {
        equate(same->second, symbol);
        changed = true;
      }
    }
  }
  for (Symbol symbol = 0; symbol < definitions.size(); ++symbol)
    if (find(symbol) == symbol && StringRef(definitions[symbol].head).starts_with("arith."))
      simplified(symbol); // Enters its sum into `sums`.
  for (Symbol symbol = 0; symbol < definitions.size(); ++symbol)
    if (std::optional<Window> window = find(symbol) == symbol ? windowOf(symbol) : std::nullopt)
      windows.try_emplace(keyOf(*window), symbol);
}

std::optional<int64_t> Symbols::constantOf(Symbol symbol) const {
  const std::string &head = definitions[find(symbol)].head;
  return head.starts_with("=") ? std::optional(std::stoll(head.substr(1))) : std::nullopt;
}

bool Symbols::isMultiple(Symbol symbol, int64_t divisor, unsigned depth) const {
  symbol = find(symbol);
  if (std::optional<int64_t> constant = constantOf(symbol))
    return *constant % divisor == 0;
  if (auto known = multiples.find(symbol); known != multiples.end() && known->second % divisor == 0)
    return true;
  if (depth == 0)
    return false;
  const Term &term = definitions[symbol];
  auto divides = [&](Symbol operand) { return isMultiple(operand, divisor, depth - 1); };
  if (term.head == "arith.muli")
    return llvm::any_of(term.operands, divides);
  if (term.head == "arith.addi" || term.head == "arith.subi" || term.head == "window")
    return llvm::all_of(term.operands, divides);
  if (term.head == "arith.divsi")
    if (std::optional<int64_t> by = constantOf(term.operands[1]); by && *by > 0 && divisor <= mostDivided / *by)
      return isMultiple(term.operands[0], divisor * *by, depth - 1);
  return false;
}

Symbol Symbols::find(Symbol symbol) const {
  while (parents[symbol] != symbol)
    symbol = parents[symbol] = parents[parents[symbol]];
  return symbol;
}

Symbols::Term Symbols::normalized(Term term) const {
  for (Symbol &operand : term.operands)
    operand = find(operand);
  if (term.isCommutative)
    llvm::sort(term.operands);
  return term;
}

Symbol Symbols::intern(Term term) {
  term = normalized(std::move(term));
  auto [at, isNew] = terms.try_emplace(term, Symbol(parents.size()));
  if (isNew) {
    parents.push_back(at->second);
    definitions.push_back(std::move(term));
  }
  return find(at->second);
}

Symbol Symbols::ofConstant(int64_t value) { return intern({"=" + std::to_string(value), {}}); }

Symbol Symbols::ofArrayDim(Value array, int64_t dim) {
  if (auto empty = array.getDefiningOp<tile::EmptyOp>())
    return of(empty.getDims()[dim]);
  if (auto same = array.getDefiningOp<tile::AsConstOp>())
    return ofArrayDim(same.getArray(), dim);
  if (auto flatten = array.getDefiningOp<tile::FlattenOp>()) {
    Term elements{flatten->getName().getStringRef().str(), {}};
    for (int64_t i = 0; i < flatten.getArray().getType().getRank(); ++i)
      elements.operands.push_back(ofArrayDim(flatten.getArray(), i));
    Symbol symbol = intern(elements);
    atLeast.try_emplace(symbol, 0);
    return symbol;
  }
  // The address keeps arrays of one name apart; the rest is for the reader.
  Symbol symbol = intern({"#" + std::to_string(reinterpret_cast<uintptr_t>(array.getAsOpaquePointer())) + "#" +
                              nameOfArray(array) + ".dim(" + std::to_string(dim) + ")",
                          {}});
  atLeast.try_emplace(symbol, 0);
  return symbol;
}

Symbol Symbols::ofBlock(Symbol dim, Symbol start, Symbol size) {
  std::optional<int64_t> from = constantOf(start), most = constantOf(size);
  if (most && *most > 0 && isMultiple(dim, *most) && isMultiple(start, *most)) {
    // Two elements do not hold the block of two at 8.
    bool isWithin = !from || (*from >= 0 && *from < mostDivided && isMultiple(dim, *from + *most));
    if (isWithin)
      return find(size);
  }
  return ofWindow(dim, start, size);
}

Symbol Symbols::ofWindow(Symbol dim, Symbol start, Symbol size) {
  dim = find(dim), start = find(start), size = find(size);
  const Term &sizeTerm = definitions[size];
  bool isRest =
      sizeTerm.head == "arith.subi" && find(sizeTerm.operands[0]) == dim && find(sizeTerm.operands[1]) == start;
  if (isRest || (dim == size && constantOf(start) == 0))
    return size;
  std::optional<int64_t> length = constantOf(dim), from = constantOf(start), most = constantOf(size);
  if (length && from && most)
    return ofConstant(std::clamp<int64_t>(*length - *from, 0, *most));
  if (std::optional<int64_t> bound = mostOf(size); length && from && bound && *bound <= *length - *from)
    return size; // As many as a block has, of a place that is as long.
  if (auto known = atLeast.find(dim); known != atLeast.end() && from && most && *from + *most <= known->second)
    return size;
  if (const Term &whole = definitions[dim]; whole.head == "window" && from == 0 && most)
    if (std::optional<int64_t> bound = constantOf(whole.operands[2]); bound && *bound <= *most)
      return dim; // All of a window.
  Linear rest = linear(dim);
  rest.add(linear(start), -1);
  rest.add(linear(size), -1);
  if (isAtLeastZero(rest))
    return size;
  Symbol window = intern({"window", {dim, start, size}});
  return find(windows.try_emplace(keyOf({dim, start, size}), window).first->second);
}

/// The window of x from 50 is that of x - 50 from 0.
Symbols::WindowKey Symbols::keyOf(const Window &window) const {
  Linear left = linear(window.dim);
  left.add(linear(window.start), -1);
  auto parts = left.factors.takeVector();
  llvm::sort(parts);
  return {left.constant, {parts.begin(), parts.end()}, find(window.size)};
}

Symbol Symbols::ofStrided(Symbol dim, Symbol start, Symbol step, Symbol size) {
  dim = find(dim), start = find(start), step = find(step), size = find(size);
  std::optional<int64_t> length = constantOf(dim), from = constantOf(start), by = constantOf(step);
  if (by == 1)
    return ofWindow(dim, start, size);
  if (by && *by > 1) {
    if (length && from)
      return ofWindow(ofConstant(std::max<int64_t>(0, (*length - *from + *by - 1) / *by)), ofConstant(0), size);
    Linear rest = linear(dim); // Of dim elements, the last one that is taken lies at start + (size - 1) * step.
    rest.add(linear(start), -1);
    rest.add(linear(size), -*by);
    rest.constant += *by - 1;
    if (isAtLeastZero(rest))
      return size;
    // Of a block at a multiple of the step: ceil((window(d, s, k) - i) / n) = window(ceil((d - i) / n), s / n, k / n).
    if (std::optional<Window> block = windowOf(dim); block && from && *from >= 0 && *from < *by) {
      Linear first = linear(block->start), most = linear(block->size), all = linear(block->dim);
      if (first.divide(*by) && most.divide(*by)) {
        if (Linear exact = all; !exact.divide(*by) && !isMultiple(block->dim, *by)) // Else d / n, for all i < n.
          all.constant += *by - 1 - *from;
        return ofWindow(ofWindow(ofQuotient(all, *by), ofLinear(first), ofLinear(most)), ofConstant(0), size);
      }
    }
    if (from && *from > 0 && *from < *by && isMultiple(dim, *by)) // As many as from 0 on.
      start = ofConstant(0);
  }
  return ofWindow(intern({"strided", {dim, start, step}}), ofConstant(0), size);
}

std::optional<Symbols::Window> Symbols::windowOf(Symbol symbol) const {
  const Term &term = definitions[find(symbol)];
  if (term.head != "window")
    return std::nullopt;
  return Window{term.operands[0], term.operands[1], term.operands[2]};
}

bool Symbols::isStrided(Symbol symbol) const {
  std::optional<Window> window = windowOf(symbol);
  return definitions[find(window ? window->dim : symbol)].head == "strided";
}

std::optional<int64_t> Symbols::mostOf(Symbol symbol) const {
  std::optional<int64_t> least;
  for (std::optional<Window> window; (window = windowOf(symbol)); symbol = window->dim)
    if (std::optional<int64_t> size = constantOf(window->size); size && (!least || *size < *least))
      least = std::max<int64_t>(*size, 0);
  std::optional<int64_t> whole = constantOf(symbol);
  return !whole || (least && *least < *whole) ? least : whole;
}

Symbol Symbols::leaf(Value value) {
  StringRef name = tile::nameOf(value);
  Symbol symbol = intern({"#" + std::to_string(reinterpret_cast<uintptr_t>(value.getAsOpaquePointer())) + "#" +
                              (name.empty() ? "a run-time value" : name.str()),
                          {}});
  leaves[symbol] = value;
  return symbol;
}

bool Symbols::isKnownOutside(Symbol symbol, Operation *op) const {
  llvm::SetVector<Symbol> parts; // Each once: expressions share them.
  parts.insert(find(symbol));
  for (size_t i = 0; i < parts.size(); ++i) {
    if (auto leaf = leaves.find(parts[i]); leaf != leaves.end())
      if (op->isAncestor(Value(leaf->second).getParentBlock()->getParentOp()))
        return false;
    for (Symbol operand : definitions[parts[i]].operands)
      parts.insert(find(operand));
  }
  return true;
}

Symbol Symbols::of(Value value) {
  if (auto known = numbered.find(value); known != numbered.end())
    return find(known->second);
  Symbol symbol = number(value);
  numbered[value] = symbol;
  return symbol;
}

Symbol Symbols::number(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return ofConstant(constant.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value))
    return numberArgument(argument);
  return numberOperation(value.getDefiningOp(), value);
}

Symbol Symbols::numberArgument(BlockArgument argument) {
  // A scalar of the launch is the host's value.
  if (argument.getOwner()->getParentOp() == launch && argument.getParentRegion() == &launch.getBody())
    return of(launch.getArguments()[argument.getArgNumber()]);
  Symbol symbol = leaf(argument);
  if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      loop && argument == loop.getInductionVar()) {
    Range range{of(loop.getLowerBound()), of(loop.getUpperBound())};
    counters[symbol] = range;
  }
  return symbol;
}

/// clamp(ceil((dim - start) / step), 0, size), as parts of tiles with a step say it.
std::optional<Symbol> Symbols::stridedOf(Operation *op) {
  auto least = dyn_cast<arith::MinSIOp>(op);
  auto most = least ? least.getLhs().getDefiningOp<arith::MaxSIOp>() : arith::MaxSIOp();
  auto count = most ? most.getLhs().getDefiningOp<arith::CeilDivSIOp>() : arith::CeilDivSIOp();
  if (!count || !matchPattern(most.getRhs(), m_Zero()) || !matchPattern(least.getRhs(), m_Constant()))
    return std::nullopt;
  auto rest = count.getLhs().getDefiningOp<arith::SubIOp>();
  Symbol dim = of(rest ? rest.getLhs() : count.getLhs()), start = rest ? of(rest.getRhs()) : ofConstant(0);
  APInt moved; // x - 1 is x + (-1).
  auto sum = count.getLhs().getDefiningOp<arith::AddIOp>();
  if (sum && matchPattern(sum.getRhs(), m_ConstantInt(&moved)))
    dim = of(sum.getLhs()), start = ofConstant(-moved.getSExtValue());
  return ofStrided(dim, start, of(count.getRhs()), of(least.getRhs()));
}

/// min(size, max(dim - start, 0)), and min(size, dim) of what is not negative: what Extents makes of windows, and
/// authors write.
std::optional<Symbol> Symbols::clampedOf(Operation *op) {
  auto least = dyn_cast<arith::MinSIOp>(op);
  if (!least)
    return std::nullopt;
  auto isClamp = [](Value value) {
    auto most = value.getDefiningOp<arith::MaxSIOp>();
    return most && matchPattern(most.getRhs(), m_Zero());
  };
  Value rest = least.getLhs(), size = least.getRhs();
  if (isClamp(size) || matchPattern(rest, m_Constant()))
    std::swap(rest, size);
  auto isNegative = [&](Value value) { return !isAtLeastZero(linear(of(value))); };
  if (isNegative(size) || (!isClamp(rest) && (!constantOf(of(size)) || isNegative(rest))))
    return std::nullopt;
  if (isClamp(rest))
    rest = rest.getDefiningOp<arith::MaxSIOp>().getLhs();
  if (auto difference = rest.getDefiningOp<arith::SubIOp>();
      difference && !isNegative(difference.getLhs()) && !isNegative(difference.getRhs()))
    return ofWindow(of(difference.getLhs()), of(difference.getRhs()), of(size));
  Linear all = linear(of(rest)), dim, start; // x + (-69) is x - 69.
  (all.constant > 0 ? dim : start).constant = std::abs(all.constant);
  for (auto [symbol, factor] : all.factors)
    (factor > 0 ? dim : start).factors[symbol] = std::abs(factor);
  if (!isAtLeastZero(dim) || !isAtLeastZero(start))
    return std::nullopt;
  return ofWindow(ofLinear(dim), ofLinear(start), of(size));
}

Symbol Symbols::numberOperation(Operation *op, Value value) {
  if (auto dim = dyn_cast<tile::DimOp>(op)) {
    if (isa<tile::ArrayType>(dim.getSource().getType()))
      return ofArrayDim(dim.getSource(), dim.getAxis());
    auto argument = dyn_cast<BlockArgument>(dim.getSource());
    if (argument && argument.getOwner()->getParentOp() == launch)
      return ofArrayDim(launch.getArguments()[argument.getArgNumber()], dim.getAxis());
  }
  if (auto id = dyn_cast<tile::ProgramIdOp>(op); id && matchPattern(launch.getGrid()[id.getAxis()], m_One()))
    return ofConstant(0);
  if (auto id = dyn_cast<tile::ProgramIdOp>(op)) {
    Symbol symbol = intern({"program_id(" + std::to_string(id.getAxis()) + ")", {}});
    Range range{ofConstant(0), of(launch.getGrid()[id.getAxis()])};
    counters[symbol] = range;
    return symbol;
  }
  if (auto count = dyn_cast<tile::NumProgramsOp>(op))
    return of(launch.getGrid()[count.getAxis()]);
  bool isSame = isa<tile::MultipleOfOp>(op) ||
                (isa<arith::ExtSIOp, arith::IndexCastOp>(op) && !op->getOperand(0).getType().isInteger(1));
  if (isSame) // The same integer.
    return of(op->getOperand(0));
  if (std::optional<Symbol> strided = stridedOf(op))
    return *strided;
  if (std::optional<Symbol> clamped = clampedOf(op))
    return *clamped;
  bool isExpression = op->getNumRegions() == 0 && op->getNumResults() == 1 && op->getNumOperands() > 0 && isPure(op) &&
                      op->getDialect()->getNamespace() == "arith";
  if (!isExpression)
    return leaf(value);
  NamedAttrList attributes(op->getAttrDictionary());
  attributes.erase(tile::wraps); // Programs compute the same without the mark.
  Term term{op->getName().getStringRef().str(),
            {},
            attributes.getDictionary(op->getContext()).getAsOpaquePointer(),
            value.getType().getAsOpaquePointer(),
            op->hasTrait<OpTrait::IsCommutative>()};
  SmallVector<Attribute> constants;
  for (Value operand : op->getOperands()) {
    term.operands.push_back(of(operand));
    std::optional<int64_t> constant = constantOf(term.operands.back());
    constants.push_back(constant && operand.getType().isIntOrIndex() ? IntegerAttr::get(operand.getType(), *constant)
                                                                     : Attribute());
  }
  // Symbols of operands may be constants where the operands are not, as dims of tiles: the op folds with them.
  SmallVector<OpFoldResult> folded;
  APInt result;
  if (llvm::all_of(constants, [](Attribute each) { return each != nullptr; }) &&
      succeeded(op->fold(constants, folded)) && folded.size() == 1 && isa<Attribute>(folded.front()) &&
      matchPattern(cast<Attribute>(folded.front()), m_ConstantInt(&result)))
    return ofConstant(result.getSExtValue());
  return simplified(intern(std::move(term)));
}

/// The symbol that numberOperation gives the op on these operands.
Symbol Symbols::ofArithmetic(StringRef op, Symbol left, Symbol right) {
  MLIRContext *context = tile::LaunchOp(launch).getContext();
  bool isDivision = op == "arith.divsi";
  NamedAttribute flags(StringAttr::get(context, "overflowFlags"),
                       arith::IntegerOverflowFlagsAttr::get(context, arith::IntegerOverflowFlags::none));
  auto attributes = isDivision ? DictionaryAttr::get(context) : DictionaryAttr::get(context, flags);
  return simplified(intern({op.str(),
                            {left, right},
                            attributes.getAsOpaquePointer(),
                            IntegerType::get(context, 64).getAsOpaquePointer(),
                            /*isCommutative=*/!isDivision}));
}

Symbol Symbols::ofLinear(const Linear &sum) {
  std::optional<Symbol> all;
  auto add = [&](Symbol part) { all = all ? ofArithmetic("arith.addi", *all, part) : part; };
  for (auto [symbol, factor] : sum.factors)
    add(factor == 1 ? symbol : ofArithmetic("arith.muli", symbol, ofConstant(factor)));
  if (!all || sum.constant != 0)
    add(ofConstant(sum.constant));
  return *all;
}

Symbol Symbols::ofQuotient(Linear sum, int64_t by) {
  if (sum.divide(by))
    return ofLinear(sum);
  return ofArithmetic("arith.divsi", ofLinear(sum), ofConstant(by));
}

bool Symbols::joinWindows(Linear &sum) {
  for (auto [first, factor] : sum.factors)
    for (auto [second, other] : sum.factors) {
      std::optional<Window> front = windowOf(first), behind = windowOf(second);
      if (factor != other || !front || !behind || find(front->dim) != find(behind->dim))
        continue;
      std::optional<int64_t> length = constantOf(front->size), more = constantOf(behind->size);
      Linear between = linear(behind->start);
      between.add(linear(front->start), -1);
      if (!length || !more || !between.factors.empty() || between.constant != *length)
        continue;
      Linear whole = linear(ofWindow(front->dim, front->start, ofConstant(*length + *more)));
      int64_t times = factor;
      sum.factors.erase(first);
      sum.factors.erase(second);
      sum.add(whole, times);
      return true;
    }
  return false;
}

/// Sums that come to the same have one name: (n + 1) - 1 is n, and so is 2 * n / 2; m - (n - 1) is (m - n) + 1.
Symbol Symbols::simplified(Symbol symbol) {
  Linear sum = linear(symbol);
  while (joinWindows(sum))
    ;
  if (sum.factors.empty())
    return ofConstant(sum.constant);
  if (sum.factors.size() == 1 && sum.constant == 0) {
    auto [single, times] = sum.factors.front();
    if (times == 1)
      return single;
    // n * window(d, s, a) = window(n * d, n * s, n * a): a block whose elements are repeated n times.
    if (std::optional<Window> window = windowOf(single); window && times > 1) {
      auto multiple = [&, times = times](Symbol of) {
        Linear scaled;
        scaled.add(linear(of), times);
        return ofLinear(scaled);
      };
      return ofWindow(multiple(window->dim), multiple(window->start), multiple(window->size));
    }
  }
  auto parts = sum.factors.takeVector();
  llvm::sort(parts);
  return sums.try_emplace({sum.constant, {parts.begin(), parts.end()}}, symbol).first->second;
}

std::string Symbols::describe(Symbol symbol, unsigned depth) const {
  const Term &term = definitions[find(symbol)];
  if (term.head.starts_with("="))
    return term.head.substr(1);
  if (term.head.starts_with("#"))
    return term.head.substr(term.head.find('#', 1) + 1);
  auto part = [&](Symbol operand) {
    std::string text = depth > 0 ? describe(operand, depth - 1) : "a run-time value";
    return windowOf(operand) ? "(" + text + ")" : text;
  };
  if (isStrided(symbol)) {
    std::optional<Window> window = windowOf(symbol);
    const std::vector<Symbol> &strided = definitions[find(window ? window->dim : symbol)].operands;
    return (window ? "at most " + part(window->size) + " of " : "all of ") + part(strided[0]) + " from " +
           part(strided[1]) + " by " + part(strided[2]);
  }
  if (std::optional<Window> window = windowOf(symbol))
    return "at most " + part(window->size) + " of " + part(window->dim) + " from " + part(window->start);
  if (term.head == "arith.extui" || term.head == "arith.trunci")
    return part(term.operands[0]);
  if (term.head == "arith.minsi" || term.head == "arith.maxsi")
    return (term.head == "arith.minsi" ? "tg::minimum(" : "tg::maximum(") + part(term.operands[0]) + ", " +
           part(term.operands[1]) + ")";
  static const std::pair<llvm::StringRef, const char *> infix[] = {{"arith.addi", " + "},
                                                                   {"arith.subi", " - "},
                                                                   {"arith.muli", " * "},
                                                                   {"arith.divsi", " / "},
                                                                   {"arith.remsi", " % "}};
  for (auto [head, sign] : infix)
    if (term.head == head && term.operands.size() == 2)
      return "(" + part(term.operands[0]) + sign + part(term.operands[1]) + ")";
  return term.operands.empty() ? term.head : "a run-time value";
}

} // namespace tegula
