// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Outputs.h"

#include "ir/ControlFlow.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace tegula {

SmallVector<tile::RootOpInterface> storesTo(tile::LaunchOp launch, BlockArgument argument) {
  SmallVector<tile::RootOpInterface> stores;
  launch.getBody().walk<WalkOrder::PreOrder>([&](tile::RootOpInterface store) {
    if (!isa<tile::AtomicOp>(store.getOperation()) && tile::arrayOf(store.getRootRef()) == argument)
      stores.push_back(store);
  });
  return stores;
}

llvm::SetVector<Value> originsOf(Value array) {
  llvm::SetVector<Value> all, origins;
  all.insert(array);
  for (size_t i = 0; i < all.size(); ++i) {
    SmallVector<Value> sources = tile::carriedSources(all[i]);
    if (auto select = all[i].getDefiningOp<arith::SelectOp>())
      sources = {select.getTrueValue(), select.getFalseValue()};
    if (auto same = all[i].getDefiningOp<tile::AsConstOp>())
      sources = {same.getArray()};
    if (sources.empty() && !all[i].getDefiningOp<ub::PoisonOp>())
      origins.insert(all[i]);
    all.insert(sources.begin(), sources.end());
  }
  return origins;
}

// ---- Blocks ---------------------------------------------------------------------------------------------------------

/// The axes of the grid that an index grows with. Programs that share what is divided by share a block, as with i / 2.
static void addAxes(Value index, llvm::SmallBitVector &axes) {
  Operation *op = index.getDefiningOp();
  if (auto id = dyn_cast_or_null<tile::ProgramIdOp>(op))
    axes.set(id.getAxis());
  else if (isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ExtSIOp>(op))
    for (Value operand : op->getOperands())
      addAxes(operand, axes);
}

Value ownBlockOf(tile::LaunchOp launch, BlockArgument argument) {
  tile::SliceOp spec;
  bool isWhole = false;
  for (Operation *user : argument.getUsers()) {
    auto slice = dyn_cast<tile::SliceOp>(user);
    if (slice && slice.getSpec() && !spec && slice->getBlock() == &launch.getBody().front())
      spec = slice;
    else if (!isa<tile::DimOp>(user))
      isWhole = true;
  }
  if (spec && isWhole) // The program does not keep to its block.
    return {};
  llvm::SmallBitVector axes(launch.getGrid().size());
  if (spec)
    for (Value offset : spec.getOffsets())
      addAxes(offset, axes);
  for (auto [axis, size] : llvm::enumerate(launch.getGrid()))
    if (!axes[axis] && !matchPattern(size, m_One()))
      return {};
  return spec ? spec.getResult() : Value(argument);
}

// ---- Covers ---------------------------------------------------------------------------------------------------------

namespace {
/// Elements of a dimension: `size` of them from `first` on, or from where the program finds `moving`.
struct Span {
  static constexpr int64_t toEnd = std::numeric_limits<int64_t>::max();
  int64_t first = 0, size = toEnd;
  Value moving;

  static Span whole() { return {}; }
  bool isWhole() const { return !moving && first == 0 && size == toEnd; }
  int64_t end() const { return size == toEnd ? toEnd : first + size; }
};

/// A span of each dimension of the block.
using Box = SmallVector<Span>;
using Boxes = SmallVector<Box>;

class Covers {
public:
  Covers(Value block, Extents &extents) : block(block), extents(extents) {}

  bool isFull(Block &program) {
    Boxes boxes = of(program);
    llvm::erase_if(
        boxes, [](const Box &box) { return llvm::any_of(box, [](const Span &span) { return bool(span.moving); }); });
    return isFull(boxes, 0);
  }

private:
  /// More boxes than people write are not looked at.
  static constexpr size_t mostBoxes = 64;

  Boxes of(Block &code);
  Boxes ofBoth(const Boxes &left, const Boxes &right);
  Boxes ofLoop(scf::ForOp loop);
  std::optional<Span> both(const Span &left, const Span &right);
  std::optional<Box> boxOf(Value ref);
  bool narrow(tile::SliceOp slice, unsigned dim, int64_t ofBlock, Span &span);
  bool isFull(ArrayRef<Box> boxes, unsigned dim);
  bool isFollowed(const Span &span, scf::ForOp loop, unsigned dim);
  bool reachesEnd(Value bound, int64_t factor, Symbol extent);
  bool reachesEnd(Linear sum, Symbol extent);
  Linear linear(Value value);

  unsigned rank() { return cast<tile::RefType>(block.getType()).getRank(); }
  Symbol extentOf(unsigned dim) { return *extents.of(block, dim).symbol; }

  Value block;
  Extents &extents;
};
} // namespace

/// What every way through the code stores to.
Boxes Covers::of(Block &code) {
  Boxes boxes;
  for (Operation &op : code) {
    if (auto store = dyn_cast<tile::StoreOp>(op)) {
      if (std::optional<Box> box = boxOf(store.getRef()))
        boxes.push_back(*box);
    } else if (auto branch = dyn_cast<scf::IfOp>(op); branch && branch.elseBlock()) {
      llvm::append_range(boxes, ofBoth(of(*branch.thenBlock()), of(*branch.elseBlock())));
    } else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      llvm::append_range(boxes, ofLoop(loop));
    }
    boxes.truncate(std::min(boxes.size(), mostBoxes));
  }
  return boxes;
}

Boxes Covers::ofBoth(const Boxes &left, const Boxes &right) {
  Boxes boxes;
  for (const Box &a : left)
    for (const Box &b : right) {
      Box box;
      for (auto [x, y] : llvm::zip_equal(a, b))
        if (std::optional<Span> span = both(x, y))
          box.push_back(*span);
      if (box.size() == a.size())
        boxes.push_back(std::move(box));
    }
  return boxes;
}

std::optional<Span> Covers::both(const Span &left, const Span &right) {
  if (left.isWhole() || right.isWhole())
    return left.isWhole() ? right : left;
  if (left.moving || right.moving) {
    if (!left.moving || !right.moving || extents.symbols().of(left.moving) != extents.symbols().of(right.moving))
      return std::nullopt;
    return Span{0, std::min(left.size, right.size), left.moving};
  }
  int64_t first = std::max(left.first, right.first), end = std::min(left.end(), right.end());
  if (first >= end)
    return std::nullopt;
  return Span{first, end == Span::toEnd ? end : end - first, {}};
}

/// Of what moves with the loop's index, all that its iterations store to together; of the rest, what one does, if there
/// is one.
Boxes Covers::ofLoop(scf::ForOp loop) {
  APInt lower, upper;
  bool runs = matchPattern(loop.getLowerBound(), m_ConstantInt(&lower)) &&
              matchPattern(loop.getUpperBound(), m_ConstantInt(&upper)) && lower.slt(upper);
  Boxes boxes;
  for (Box &box : of(*loop.getBody())) {
    unsigned followed = 0;
    bool isKnown = true;
    for (auto [dim, span] : llvm::enumerate(box)) {
      if (!span.moving || !loop->isAncestor(span.moving.getParentBlock()->getParentOp()))
        continue;
      isKnown &= isFollowed(span, loop, dim);
      ++followed;
      span = Span::whole();
    }
    // A loop that stores along a dimension to its end does not run only if that has no elements.
    if (isKnown && (followed == 1 || (followed == 0 && runs)))
      boxes.push_back(std::move(box));
  }
  return boxes;
}

/// Whether the iterations of a loop cover all of a dimension by a span: from 0 on, each begins where the last one ends,
/// or before.
bool Covers::isFollowed(const Span &span, scf::ForOp loop, unsigned dim) {
  APInt step, constant;
  if (!matchPattern(loop.getLowerBound(), m_Zero()) || !matchPattern(loop.getStep(), m_ConstantInt(&step)))
    return false;
  int64_t factor = 1;
  Value index = span.moving;
  while (Operation *op = index.getDefiningOp()) {
    if (isa<arith::MulIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
      factor *= constant.getSExtValue();
    else if (!isa<arith::ExtSIOp>(op))
      return false;
    index = op->getOperand(0);
  }
  return index == loop.getInductionVar() && factor > 0 && span.size >= factor * step.getSExtValue() &&
         reachesEnd(loop.getUpperBound(), factor, extentOf(dim));
}

/// Whether `factor` times a loop's bound is an extent or more.
bool Covers::reachesEnd(Value bound, int64_t factor, Symbol extent) {
  Linear reached;
  reached.add(linear(bound), factor);
  if (reachesEnd(reached, extent))
    return true;
  // cdiv(a, n) * n = (a + n - 1) / n * n >= a
  APInt divisor;
  auto quotient = bound.getDefiningOp<arith::DivSIOp>();
  if (!quotient || !matchPattern(quotient.getRhs(), m_ConstantInt(&divisor)) || divisor != factor)
    return false;
  reached = linear(quotient.getLhs());
  reached.constant -= factor - 1;
  return reachesEnd(reached, extent);
}

/// Whether a sum is an extent or more. A window has at most the elements that its size says.
bool Covers::reachesEnd(Linear sum, Symbol extent) {
  Symbols &symbols = extents.symbols();
  Linear rest = sum;
  rest.add(symbols.linear(extent), -1);
  if (symbols.isAtLeastZero(rest))
    return true;
  if (std::optional<int64_t> most = symbols.mostOf(extent); most && sum.factors.empty() && sum.constant >= *most)
    return true;
  std::optional<Symbols::Window> window = symbols.windowOf(extent);
  return window && reachesEnd(std::move(sum), window->size);
}

Linear Covers::linear(Value value) {
  Symbols &symbols = extents.symbols();
  Linear sum;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
    sum = linear(op->getOperand(0));
    sum.add(linear(op->getOperand(1)), isa<arith::SubIOp>(op) ? -1 : 1);
    return sum;
  }
  if (auto dim = dyn_cast_or_null<tile::DimOp>(op); dim && extents.has(dim.getSource()))
    if (const Extent &extent = extents.of(dim.getSource(), dim.getAxis()); extent.symbol)
      return symbols.linear(*extent.symbol);
  return symbols.linear(symbols.of(value));
}

/// The elements of the block that a window of it has; none if that is not known.
std::optional<Box> Covers::boxOf(Value ref) {
  SmallVector<Operation *> views;
  for (; ref != block; ref = views.back()->getOperand(0)) {
    Operation *op = ref.getDefiningOp();
    if (!isa_and_nonnull<tile::SliceOp, tile::TransposeOp>(op))
      return std::nullopt;
    views.push_back(op);
  }
  Box box(rank());
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(rank())); // The block's, of the view so far.
  for (Operation *op : llvm::reverse(views)) {
    SmallVector<int64_t> next;
    if (auto view = dyn_cast<tile::TransposeOp>(op)) {
      for (int64_t dim : view.getPermutation())
        next.push_back(dims[dim]);
    } else {
      auto slice = cast<tile::SliceOp>(op);
      for (auto [dim, ofBlock] : llvm::enumerate(dims)) {
        if (slice.getMode(dim) != tile::SliceMode::Whole && !narrow(slice, dim, ofBlock, box[ofBlock]))
          return std::nullopt;
        if (slice.getMode(dim) != tile::SliceMode::Element)
          next.push_back(ofBlock);
      }
    }
    dims = std::move(next);
  }
  return box;
}

/// Makes a span that of a window in it.
bool Covers::narrow(tile::SliceOp slice, unsigned dim, int64_t ofBlock, Span &span) {
  APInt constant;
  bool isFixed = matchPattern(slice.getOffset(dim), m_ConstantInt(&constant));
  if (Value size = slice.getSize(dim)) // Known to be all of it, or not at all.
    return span.isWhole() && isFixed && constant.isZero() && reachesEnd(size, 1, extentOf(ofBlock));
  int64_t size = slice.getBound(dim);
  if (!isFixed) {
    bool isWhole = span.isWhole();
    span = {0, size, slice.getOffset(dim)};
    return isWhole;
  }
  int64_t from = constant.getSExtValue(), to = 0;
  if (span.moving || __builtin_add_overflow(from, size, &to))
    return false;
  // What lies before the window that this is one of, a mask leaves out.
  from = std::max<int64_t>(from, 0), to = std::min(to, span.size);
  span = {span.first + from, to - from, {}};
  std::optional<int64_t> most = extents.symbols().mostOf(extentOf(ofBlock));
  if (most && span.first == 0 && span.size >= *most)
    span = Span::whole();
  return from < to;
}

/// Whether boxes that share all of a span of each dimension before `dim` have the block's elements there.
bool Covers::isFull(ArrayRef<Box> boxes, unsigned dim) {
  if (boxes.empty())
    return false;
  if (dim == rank())
    return true;
  int64_t end = extents.symbols().mostOf(extentOf(dim)).value_or(Span::toEnd);
  SmallVector<int64_t> cuts = {0, end};
  for (const Box &box : boxes)
    for (int64_t cut : {box[dim].first, box[dim].end()})
      if (cut > 0 && cut < end)
        cuts.push_back(cut);
  llvm::sort(cuts);
  for (auto [from, to] : llvm::zip(cuts, llvm::drop_begin(cuts))) {
    Boxes there;
    for (const Box &box : boxes)
      if (box[dim].first <= from && to <= box[dim].end())
        there.push_back(box);
    if (from < to && !isFull(there, dim + 1))
      return false;
  }
  return true;
}

bool storesAllOf(tile::LaunchOp launch, Value block, Extents &extents) {
  return Covers(block, extents).isFull(launch.getBody().front());
}

} // namespace tegula
