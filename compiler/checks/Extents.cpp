// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proves that tiles that are combined have equal extents, and replaces the dims of tiles by those of the refs they come
// from.
#include "analysis/Extents.h"
#include "checks/MadeExtents.h"
#include "checks/Passes.h"
#include "ir/Locations.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_TILECHECKEXTENTS
#include "checks/Passes.h.inc"

namespace {

/// The reduction that an operand of an op is made of, element by element, before it is aligned with more dimensions.
tile::ReduceOp findReduction(Value operand) {
  auto broadcast = operand.getDefiningOp<tile::BroadcastOp>();
  if (!broadcast || broadcast.getSource().getType().getRank() == broadcast.getType().getRank())
    return {};
  SmallVector<Value> sources{broadcast.getSource()};
  for (size_t i = 0; i < sources.size(); ++i) {
    Operation *op = sources[i].getDefiningOp();
    if (auto reduce = dyn_cast_or_null<tile::ReduceOp>(op))
      return reduce;
    if (op && tile::isElementwise(op))
      llvm::append_range(sources, op->getOperands());
  }
  return {};
}

/// A tile before its dimensions were aligned with those of an operand, and where they lie there.
struct Aligned {
  Value tile;
  SmallVector<int64_t> dims;
};
std::optional<Aligned> alignedIn(Value operand) {
  auto broadcast = operand.getDefiningOp<tile::BroadcastOp>();
  if (!broadcast)
    return std::nullopt;
  Aligned result{broadcast.getSource(), llvm::to_vector(broadcast.getDims())};
  while (auto inner = result.tile.getDefiningOp<tile::BroadcastOp>()) {
    SmallVector<int64_t> dims;
    for (int64_t dim : inner.getDims())
      dims.push_back(result.dims[dim]);
    result = {inner.getSource(), std::move(dims)};
  }
  return result;
}

/// A tile of fewer dimensions that an operand has along some of its dimensions, and that has the extents of others:
/// those that a reduction left, or those that come first.
struct Misaligned {
  tile::ReduceOp reduce;       ///< null: the tile is no reduction of a tile with the operand's rank
  SmallVector<int64_t> dims;   ///< where the tile lies
  SmallVector<int64_t> wanted; ///< where it has the same extents
  Symbol have, want;
};

/// The first dimensions of an operand, in order, whose extents are those of a tile; empty if there are none.
SmallVector<int64_t> dimsThatMatch(Value tile, Value operand, const Extents &extents) {
  SmallVector<int64_t> result;
  int64_t rank = extents.of(operand).size();
  for (const Extent &extent : extents.of(tile)) {
    int64_t dim = result.empty() ? 0 : result.back() + 1;
    while (dim < rank && (!extent.symbol || extents.of(operand, dim).symbol != extent.symbol))
      ++dim;
    if (dim == rank)
      return {};
    result.push_back(dim);
  }
  return result;
}

std::optional<Misaligned> findMisaligned(const ExtentConflict &conflict, Extents &extents) {
  for (Value operand : conflict.op->getOperands()) {
    std::optional<Aligned> aligned = alignedIn(operand);
    if (!aligned || !extents.has(aligned->tile))
      continue;
    int64_t rank = extents.of(operand).size();
    tile::ReduceOp reduce = findReduction(operand);
    if (reduce && reduce.getSource().getType().getRank() != rank)
      reduce = {};
    for (Value other : conflict.op->getOperands()) {
      if (other == operand || !extents.has(other) || int64_t(extents.of(other).size()) != rank)
        continue;
      SmallVector<int64_t> wanted = dimsThatMatch(aligned->tile, other, extents);
      if (reduce && !wanted.empty()) {
        wanted.clear();
        for (size_t i = 0; i < aligned->dims.size(); ++i)
          wanted.push_back(reduce.getSourceDim(i));
        bool wouldMeet = llvm::all_of(llvm::enumerate(wanted), [&](auto at) {
          return extents.of(aligned->tile, at.index()).symbol == extents.of(other, at.value()).symbol;
        });
        if (!wouldMeet)
          continue;
      }
      std::optional<Symbol> have = extents.of(operand, conflict.dim).symbol;
      std::optional<Symbol> want = extents.of(other, conflict.dim).symbol;
      if (!wanted.empty() && wanted != aligned->dims && have && want)
        return Misaligned{reduce, aligned->dims, wanted, *have, *want};
    }
  }
  return std::nullopt;
}

/// What a program can write in tg::check: x.dim(0) of an array that has a name.
bool isDim(StringRef text) {
  return text.contains(".dim(") && !text.starts_with("at most") && !text.starts_with("an array") && text.ends_with(")");
}

/// The dims of two arrays whose windows, and windows of these, begin alike and are as large: they can be combined if
/// these are equal.
std::optional<std::pair<std::string, std::string>> dimsOfWindows(const ExtentConflict &conflict,
                                                                 const Symbols &symbols) {
  Symbol left = conflict.left, right = conflict.right;
  for (;;) {
    std::optional<Symbols::Window> mine = symbols.windowOf(left), other = symbols.windowOf(right);
    if (!mine || !other || mine->start != other->start || mine->size != other->size)
      break;
    left = mine->dim;
    right = other->dim;
  }
  std::pair dims(symbols.describe(left), symbols.describe(right));
  if (dims.first == dims.second || !isDim(dims.first) || !isDim(dims.second))
    return std::nullopt;
  return dims;
}

/// Whether extents are those of static windows that begin at different places: at the end of an array, one has less.
bool areMoved(const ExtentConflict &conflict, const Symbols &symbols) {
  std::optional<Symbols::Window> one = symbols.windowOf(conflict.left), other = symbols.windowOf(conflict.right);
  return one && other && one->size == other->size && one->start != other->start && symbols.constantOf(one->size);
}

/// The size of a window, if it is known at run time.
std::optional<Symbol> runTimeSizeOf(Symbol extent, const Symbols &symbols) {
  std::optional<Symbols::Window> window = symbols.windowOf(extent);
  return window && !symbols.constantOf(window->size) ? std::optional(window->size) : std::nullopt;
}

/// Whether an extent is the size of the slice of which the other is the extent.
bool isSizeOf(Symbol size, Symbol slice, const Symbols &symbols) { return runTimeSizeOf(slice, symbols) == size; }

/// What to write instead of a slice of run-time size that ends with its array, where all of its elements are wanted.
constexpr llvm::StringLiteral maskedSlice =
    "a slice of run-time size is clipped at the end of its array: take a static one with a mask, as in "
    "tg::load(x.at(tg::ds<64>(start)), tg::iota<tg::s64, 64>() < size, other), or for any extent n, with i = "
    "tg::iota<tg::s64>(n), tg::load(x.at(start + i), i < size, other)";

/// What is put in order and then taken apart on its way to an op: the first of all elements, as top_k takes.
tile::SortOp sortedFor(Operation *op) {
  for (Value operand : op->getOperands()) {
    Operation *made = operand.getDefiningOp();
    while (made && made->getNumOperands() == 1 && !isa<tile::SubtileOp>(made))
      made = made->getOperand(0).getDefiningOp();
    if (auto part = dyn_cast_or_null<tile::SubtileOp>(made))
      if (auto sort = part.getSource().getDefiningOp<tile::SortOp>())
        return sort;
  }
  return {};
}

/// What to write where parts with a step may end with their array.
constexpr llvm::StringLiteral stridedSlice =
    "a slice with a step may be clipped at the end of its array: check in host code that it is not, tg::check(x.dim(0) "
    "== 2 * n, \"...\") or tg::check(x.dim(0) % 2 == 0, \"...\"), or load all elements of a static one, "
    "tg::load(x.at(tg::ds<64>(start, 2)), true, other)";

/// The condition under which a slice of run-time size is as long as it says, in terms of the host; empty if the host
/// does not know it.
std::string conditionOfSlice(Symbol extent, const Symbols &symbols, tile::LaunchOp launch) {
  Symbols::Window window = *symbols.windowOf(extent);
  std::string dim = symbols.describe(window.dim), start = symbols.describe(window.start),
              size = symbols.describe(window.size);
  for (StringRef text : {StringRef(start), StringRef(size)})
    if (text.contains("program_id(") || text.contains("a run-time value") || text.contains("at most"))
      return "";
  bool isOfHost = symbols.isKnownOutside(window.start, launch) && symbols.isKnownOutside(window.size, launch);
  if (!isDim(dim) || !isOfHost)
    return "";
  if (start == "0")
    return size + " <= " + dim;
  // Not `start + size <= dim`, where the sum may be more than 64 bits hold: the call should say what the check says.
  bool isNatural = symbols.isAtLeastZero(symbols.linear(window.start));
  return (isNatural ? "" : start + " >= 0 && ") + size + " <= " + dim + " - " + start;
}

/// The condition under which a static block or window, which may end early, lies within its array, in terms of the
/// host; empty if the host does not know it.
std::string conditionOfStatic(const ExtentConflict &conflict, const Symbols &symbols) {
  for (Symbol part : {conflict.left, conflict.right}) {
    std::optional<Symbols::Window> window = symbols.windowOf(part);
    std::optional<int64_t> size = window ? symbols.constantOf(window->size) : std::nullopt;
    if (!size || *size < 1 || !isDim(symbols.describe(window->dim)))
      continue;
    std::string dim = symbols.describe(window->dim), number = std::to_string(*size);
    std::optional<int64_t> start = symbols.constantOf(window->start);
    if (start == 0)
      return dim + " == " + number;
    if (start)
      return *start > 0 && *start <= std::numeric_limits<int32_t>::max() ? dim + " >= " + std::to_string(*start + *size)
                                                                         : "";
    if (symbols.isMultiple(window->start, *size))
      return dim + " % " + number + " == 0";
  }
  return "";
}

/// What the host can check so that slices of one run-time size can be combined, or that size; empty if it cannot.
std::string conditionOfSlices(const ExtentConflict &conflict, const Symbols &symbols) {
  auto sizeOf = [&](Symbol extent) { return runTimeSizeOf(extent, symbols).value_or(extent); };
  if (sizeOf(conflict.left) != sizeOf(conflict.right))
    return "";
  std::string both;
  for (Symbol side : {conflict.left, conflict.right}) {
    if (!runTimeSizeOf(side, symbols))
      continue;
    std::string one = conditionOfSlice(side, symbols, conflict.op->getParentOfType<tile::LaunchOp>());
    if (one.empty())
      return "";
    both += (both.empty() ? "" : " && ") + one;
  }
  return both;
}

/// What the host can check so that a slice is as long as a part of another array, whose extent is its size; empty if
/// that does not help.
std::string conditionOfWhole(const ExtentConflict &conflict, const Symbols &symbols) {
  for (auto [slice, part] : {std::pair(conflict.left, conflict.right), std::pair(conflict.right, conflict.left)}) {
    std::optional<Symbols::Window> inner = symbols.windowOf(part), outer = symbols.windowOf(slice);
    if (!inner || !isSizeOf(part, slice, symbols) || symbols.constantOf(outer->start) != 0)
      continue;
    std::string dim = symbols.describe(inner->dim), whole = symbols.describe(outer->dim);
    if (isDim(dim) && isDim(whole))
      return dim + " <= " + whole;
  }
  return "";
}

/// The condition under which rows of run-time extent, which no mask makes longer, have the elements that are taken of
/// them in order; empty if there are none, or if the host does not know it.
std::string conditionOfFirst(const ExtentConflict &conflict, const Symbols &symbols) {
  tile::SortOp sort = sortedFor(conflict.op);
  if (!sort || !cast<RankedTensorType>(sort.getSources().front().getType()).isDynamicDim(sort.getAxis()))
    return "";
  Symbol part = symbols.windowOf(conflict.left) ? conflict.left : conflict.right;
  return conditionOfSlice(part, symbols, conflict.op->getParentOfType<tile::LaunchOp>());
}

/// An integer in terms of the host; empty if the host does not know it.
std::string textOnHost(Symbol symbol, const Symbols &symbols, tile::LaunchOp launch) {
  std::string text = symbols.describe(symbol);
  for (StringRef unknown : {"program_id(", "a run-time value", "at most", "an array"})
    if (StringRef(text).contains(unknown))
      return "";
  return symbols.isKnownOutside(symbol, launch) ? text : "";
}

/// The condition under which two extents are one, in terms of the host; empty if the host does not know both.
std::string conditionOfBoth(const ExtentConflict &conflict, const Symbols &symbols) {
  auto launch = conflict.op->getParentOfType<tile::LaunchOp>();
  std::string left = textOnHost(conflict.left, symbols, launch), right = textOnHost(conflict.right, symbols, launch);
  return left.empty() || right.empty() ? "" : left + " == " + right;
}

/// The condition under which a static block has all of its elements, and what it meets as many, in terms of the host;
/// empty if the host does not know it.
std::string conditionOfStaticAndDim(const ExtentConflict &conflict, const Symbols &symbols) {
  for (auto [part, other] : {std::pair(conflict.left, conflict.right), std::pair(conflict.right, conflict.left)}) {
    std::optional<Symbols::Window> window = symbols.windowOf(part);
    std::optional<int64_t> size = window ? symbols.constantOf(window->size) : std::nullopt;
    std::string text = textOnHost(other, symbols, conflict.op->getParentOfType<tile::LaunchOp>());
    std::string whole = size && isDim(text) ? conditionOfStatic(conflict, symbols) : "";
    if (!whole.empty())
      return whole + " && " + text + " == " + std::to_string(*size);
  }
  return "";
}

/// What combines the tiles: where an op bounds a tile first, that which takes it then.
Operation *combiner(Operation *op) {
  while (isa<tile::BroadcastOp>(op) && op->hasOneUse())
    op = *op->user_begin();
  return op;
}

/// Whether tiles of fewer dimensions are combined with others.
bool hasFewerDimensions(Operation *op) {
  return llvm::any_of(op->getOperands(), [](Value operand) {
    auto broadcast = operand.getDefiningOp<tile::BroadcastOp>();
    return broadcast && broadcast.getSource().getType().getRank() < broadcast.getType().getRank();
  });
}

/// Whether what is combined has a dimension whose type does not say how long it is.
bool isDynamic(const ExtentConflict &conflict) {
  return llvm::any_of(conflict.op->getOperandTypes(), [&](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    return tile && conflict.dim < tile.getRank() && tile.isDynamicDim(conflict.dim);
  });
}

/// Whether the op computes with what an earlier conflict is about, and conflicts for the same reason.
bool follows(const ExtentConflict &conflict, const ExtentConflict &earlier) {
  if (std::minmax(conflict.left, conflict.right) != std::minmax(earlier.left, earlier.right))
    return false;
  llvm::SetVector<Operation *> reached;
  auto reach = [&](ValueRange values) {
    for (Value value : values)
      if (Operation *op = value.getDefiningOp())
        reached.insert(op);
      else if (Operation *loop = value.getParentBlock()->getParentOp(); !isa<tile::LaunchOp>(loop))
        reached.insert(loop);
  };
  reached.insert(conflict.op);
  for (size_t i = 0; i < reached.size(); ++i) {
    reach(reached[i]->getOperands());
    if (reached[i] != conflict.op)
      for (Region &region : reached[i]->getRegions())
        for (Block &block : region)
          reach(block.getTerminator()->getOperands());
  }
  return reached.contains(earlier.op);
}

/// Calls `visit` with the name of each array that callers may leave out and whose dims a text names.
void forEachOptional(Operation *op, StringRef text, llvm::function_ref<void(StringRef, Value)> visit) {
  auto entry = op->getParentOfType<tile::EntryOp>();
  for (unsigned i = 0; entry && i < entry.getNumArguments(); ++i)
    if (auto name = entry.getArgAttrOfType<StringAttr>(i, "tile.name");
        name && entry.getArgAttr(i, "tile.optional") && text.contains(name.str() + ".dim("))
      visit(name, entry.getArgument(i));
}

/// A condition on extents, which does not ask those of arrays that callers may leave out.
std::string unlessAbsent(Operation *op, std::string condition) {
  std::string whole = condition;
  forEachOptional(op, condition, [&](StringRef name, Value) { whole = "!" + name.str() + " || " + whole; });
  return whole;
}

/// The array of a text of which nothing says that the caller did not leave it out; empty if there is none.
StringRef usedUnasked(Operation *op, StringRef text) {
  StringRef unasked;
  forEachOptional(op, text, [&](StringRef name, Value array) {
    if (!Conditions(op->getBlock(), op->getIterator()).isPresent(array))
      unasked = name;
  });
  return unasked;
}

struct CheckExtents : impl::TileCheckExtentsBase<CheckExtents> {
  void runOnOperation() override {
    bool failed = false;
    getOperation().walk([&](tile::CheckOp check) {
      if (!isa<tile::EntryOp>(check->getParentOp()) || !matchPattern(check.getCondition(), m_Zero()))
        return;
      check.emitError() << "this check fails in every call, because its condition is a compile-time constant: "
                        << check.getMessage();
      failed = true;
    });
    getOperation().walk([&](tile::LaunchOp launch) { failed |= mlir::failed(check(launch)); });
    if (failed)
      signalPassFailure();
  }

  LogicalResult check(tile::LaunchOp launch) {
    if (launch.isExplicit())
      return resolveStatic(launch);
    Extents extents(launch);
    for (Operation *op : extents.unknown())
      op->emitOpError("makes a tile, but has no IndexedOpInterface, which says of which elements of its operands");
    if (!extents.unknown().empty())
      return failure();
    SmallVector<std::pair<Location, int64_t>> places;
    for (auto [i, conflict] : llvm::enumerate(extents.conflicts())) {
      // Of another instance of its function, or another version of its launch, it has been said.
      std::pair place(tile::withoutName(conflict.op->getLoc()), conflict.dim);
      places.push_back(place);
      if (reported.contains(place))
        continue;
      auto isCause = [&](const ExtentConflict &earlier) {
        return follows(conflict, earlier) || (earlier.op == conflict.op && findMisaligned(earlier, extents));
      };
      if (llvm::any_of(extents.conflicts().take_front(i), isCause))
        continue;
      // What combines the tiles says it better.
      auto isSaidBy = [&](const ExtentConflict &later) {
        return isa<tile::BroadcastOp>(conflict.op) && later.op == combiner(conflict.op) &&
               findMisaligned(later, extents);
      };
      if (llvm::any_of(extents.conflicts().drop_front(i + 1), isSaidBy))
        continue;
      if (!reportMisaligned(conflict, extents))
        report(conflict, extents.symbols());
    }
    reported.insert(places.begin(), places.end());
    if (!extents.conflicts().empty())
      return failure();
    // While all that tells extents is there. What a variable keeps may be unknown until it is dropped.
    auto isAsked = [](tile::DimOp dim) {
      return llvm::any_of(dim->getUsers(), [](Operation *user) { return !isa<tile::ConformOp>(user); });
    };
    LogicalResult result = resolveDims(launch, extents, isAsked);
    dropMadeExtents(launch, extents);
    if (failed(resolveDims(launch, extents, [](tile::DimOp) { return true; })))
      result = failure();
    return result;
  }

  /// Where launches before have conflicts, and along which dimension.
  llvm::DenseSet<std::pair<Location, int64_t>> reported;

  static bool reportMisaligned(const ExtentConflict &conflict, Extents &extents) {
    std::optional<Misaligned> found = findMisaligned(conflict, extents);
    if (!found)
      return false;
    const Symbols &symbols = extents.symbols();
    std::string have = symbols.describe(found->have), want = symbols.describe(found->want);
    InFlightDiagnostic diagnostic = conflict.op->emitError();
    if (!found->reduce) {
      diagnostic << "this tile is aligned with dimension" << (found->dims.size() > 1 ? "s " : " ")
                 << listOf(found->dims) << " of the other operand, and may differ in extent along dimension "
                 << conflict.dim << ": " << have << " and " << want;
      std::string indices;
      int64_t rank = extents.of(conflict.op->getOperand(0)).size();
      for (int64_t dim = 0; dim < rank; ++dim)
        indices += (dim ? ", " : "") + std::string(llvm::is_contained(found->wanted, dim) ? "tg::all" : "tg::newaxis");
      diagnostic.attachNote() << "it has the extent"
                              << (found->wanted.size() > 1 ? "s of dimensions " : " of dimension ")
                              << listOf(found->wanted) << ": to align it there, write t[" << indices << "]";
      return true;
    }
    StringRef kind = tile::stringifyReduction(found->reduce.getKind());
    std::string name = "tg::" + kind.str() + (kind == "any" || kind == "all" ? "_of<" : "<");
    name += listOf(found->reduce.getAxes()) + ">";
    bool isOne = found->reduce.getAxes().size() == 1;
    diagnostic << "a reduction drops the " << (isOne ? "axis" : "axes")
               << " that it reduces, so its result is aligned with dimension" << (found->dims.size() > 1 ? "s " : " ")
               << listOf(found->dims) << " of the other operand, and may differ in extent along dimension "
               << conflict.dim << ": " << have << " and " << want;
    diagnostic.attachNote() << "keep the " << (isOne ? "axis" : "axes") << ", as in " << name << "(x, tg::keepdims): "
                            << (isOne ? "it then has extent 1 and broadcasts"
                                      : "they then have extent 1 and broadcast");
    return true;
  }

  /// Numbers as a user writes them: 0, 1.
  static std::string listOf(ArrayRef<int64_t> numbers) {
    std::string result;
    llvm::raw_string_ostream text(result);
    llvm::interleaveComma(numbers, text);
    return result;
  }

  /// At the explicit level tiles are whole.
  static LogicalResult resolveStatic(tile::LaunchOp launch) {
    launch.getBody().walk([](tile::DimOp dim) {
      auto tile = dyn_cast<RankedTensorType>(dim.getSource().getType());
      if (!tile)
        return;
      OpBuilder builder(dim);
      dim.replaceAllUsesWith(Value(
          builder.create<arith::ConstantOp>(dim.getLoc(), builder.getI64IntegerAttr(tile.getDimSize(dim.getAxis())))));
      dim.erase();
    });
    return success();
  }

  /// A check in front of a loop is of the arrays that the first launch has, if the iterations exchange them.
  static StringRef whereArraysChange(Operation *op) {
    auto launch = op->getParentOfType<tile::LaunchOp>();
    bool change = launch && llvm::any_of(launch.getArguments(), [](Value argument) {
                    auto carried = dyn_cast<BlockArgument>(argument);
                    return carried && isa<tile::ArrayType>(argument.getType()) &&
                           isa<scf::ForOp, scf::WhileOp>(carried.getOwner()->getParentOp());
                  });
    return change ? ", in the loop, whose iterations exchange the arrays" : "";
  }

  static void report(const ExtentConflict &conflict, const Symbols &symbols) {
    std::string left = symbols.describe(conflict.left), right = symbols.describe(conflict.right);
    if (conflict.isInner)
      return reportInner(conflict, symbols);
    Operation *op = combiner(conflict.op);
    StringRef what = isa<tile::AtomicOp>(op)          ? "the tile and the ref that it updates"
                     : isa<tile::RootOpInterface>(op) ? "the tile and the ref that it is stored to"
                     : isa<tile::GatherOp>(op)
                         ? "the indices, the block, its mask and the value where the mask is false"
                     : isa<tile::LoadOp>(op)       ? "the block, its mask and the value where the mask is false"
                     : isa<tile::DotOp>(op)        ? "the operands of this product"
                     : isa<scf::IfOp>(conflict.op) ? "the tiles from the two sides of this branch"
                     : isa<scf::ForOp, scf::WhileOp>(conflict.op) ? "a tile before and after an iteration of this loop"
                                                                  : "these tiles";
    InFlightDiagnostic diagnostic = conflict.op->emitError();
    diagnostic << what << " may differ in extent along dimension " << conflict.dim << ": " << left << " and " << right;
    // All of a block, and what lies inside the array of one.
    auto isPartOf = [&](Symbol part, Symbol whole) {
      std::optional<Symbols::Window> window = symbols.windowOf(part);
      return window && window->size == whole;
    };
    if (isa<tile::BroadcastOp>(conflict.op) && hasFewerDimensions(op))
      diagnostic.attachNote() << "a tile of lower rank aligns with the last dimensions of the other operand: keep the "
                                 "axis of a reduction by tg::keepdims, or insert one, t[tg::all, tg::newaxis]";
    bool isPart = isPartOf(conflict.left, conflict.right) || isPartOf(conflict.right, conflict.left);
    bool isSlice = runTimeSizeOf(conflict.left, symbols) || runTimeSizeOf(conflict.right, symbols);
    bool isBounded = llvm::any_of(conflict.op->getOperands(), [](Value operand) {
      return isa_and_nonnull<tile::BroadcastOp>(operand.getDefiningOp());
    });
    if (StringRef array = usedUnasked(conflict.op, left + " " + right); !array.empty())
      diagnostic.attachNote() << "a caller may omit " << array << ": use it inside if (" << array
                              << ") { ... }, or refuse calls without it before the launch, tg::check(bool(" << array
                              << "), \"...\")";
    else if (symbols.isStrided(conflict.left) || symbols.isStrided(conflict.right))
      diagnostic.attachNote() << stridedSlice;
    else if (std::string check = isPart ? conditionOfFirst(conflict, symbols) : ""; !check.empty())
      diagnostic.attachNote() << "refuse other calls before the launch: tg::check(" << check << ", \"...\")";
    else if (auto sort = isPart ? sortedFor(conflict.op) : tile::SortOp())
      diagnostic.attachNote() << "a block at the edge of its array may have fewer elements than are taken of the "
                                 "sorted ones: pad it with values that sort last, tg::load(x, true, "
                              << (sort.getDescending() ? "-" : "") << "tg::inf), or for integers the "
                              << (sort.getDescending() ? "least" : "greatest");
    else if (isPart && !isSlice && isDynamic(conflict) && !isBounded)
      diagnostic.attachNote() << "write the constant size of a slice in angle brackets, tg::ds<64>(start); "
                                 "tg::load(slice, true, other) then has all of its elements";
    else if (areMoved(conflict, symbols))
      diagnostic.attachNote()
          << "blocks that begin at different indices have different extents at the end of an array: load all elements "
             "of each, tg::load(block, true, other), or of a window tg::load(x.at(tg::ds<64>(i)), true, other)";
    else if (std::string check = isPart && !isSlice ? conditionOfStatic(conflict, symbols) : ""; !check.empty())
      diagnostic.attachNote()
          << "refuse other calls before the launch: tg::check(" << unlessAbsent(conflict.op, check)
          << ", \"...\"); or, if the block may be partial, load all of its elements, tg::load(block, true, other)";
    else if (isPart && !isSlice)
      diagnostic.attachNote() << "a block at the edge of its array has fewer elements than its type says: load all of "
                                 "them, tg::load(block, true, other)";
    else if (auto dims = dimsOfWindows(conflict, symbols))
      diagnostic.attachNote() << "refuse other calls before the launch" << whereArraysChange(conflict.op)
                              << ": tg::check(" << unlessAbsent(conflict.op, dims->first + " == " + dims->second)
                              << ", \"...\")";
    else if (std::string condition = conditionOfSlices(conflict, symbols); !condition.empty())
      diagnostic.attachNote() << "refuse other calls before the launch: tg::check(" << condition << ", \"...\")";
    else if (std::string condition = conditionOfWhole(conflict, symbols); !condition.empty())
      diagnostic.attachNote() << "refuse other calls before the launch: tg::check("
                              << unlessAbsent(conflict.op, condition) << ", \"...\")";
    else if (runTimeSizeOf(conflict.left, symbols) && runTimeSizeOf(conflict.right, symbols) &&
             (isSizeOf(conflict.left, conflict.right, symbols) || isSizeOf(conflict.right, conflict.left, symbols)))
      diagnostic.attachNote()
          << "a slice of run-time size is clipped at the end of its array: limit both sizes to what each of the arrays "
             "has, tg::minimum(tg::minimum(size, x.dim(0) - start), y.dim(0) - first)";
    else if ((isSizeOf(conflict.left, conflict.right, symbols) || isSizeOf(conflict.right, conflict.left, symbols)) &&
             isa<tile::LaunchOp>(conflict.op->getParentOp()))
      diagnostic.attachNote()
          << "a slice of run-time size is clipped at the end of its array: take the extent from the slice itself, "
             "t.dim(0), or limit the size to the rest of the array, tg::minimum(size, x.dim(0) - start)";
    else if (isSlice)
      diagnostic.attachNote() << maskedSlice;
    else if (std::string condition = conditionOfBoth(conflict, symbols);
             !condition.empty() && left != "1" && right != "1")
      diagnostic.attachNote() << "refuse other calls before the launch" << whereArraysChange(conflict.op)
                              << ": tg::check(" << condition << ", \"...\")";
    else if (left == "1" || right == "1")
      diagnostic.attachNote() << "an extent of 1 broadcasts only if it is static: a block tg::in<1, ...>, a slice "
                                 "tg::ds<1>(i), tg::full<float, 1>(value)";
    else if (std::string condition = conditionOfStaticAndDim(conflict, symbols); !condition.empty())
      diagnostic.attachNote() << "refuse other calls before the launch: tg::check("
                              << unlessAbsent(conflict.op, condition) << ", \"...\")";
    else
      diagnostic.attachNote() << "tiles can be combined if their blocks are alike: the same block shape, the same "
                                 "index map, and arrays whose dims tg::check compares before the launch";
  }

  static void reportInner(const ExtentConflict &conflict, const Symbols &symbols) {
    InFlightDiagnostic diagnostic = conflict.op->emitError();
    diagnostic << "a tile that this " << (isa<scf::IfOp>(conflict.op) ? "branch makes" : "loop carries")
               << " has an extent along dimension " << conflict.dim
               << " that is known only inside: " << symbols.describe(conflict.left);
    std::string check;
    if (std::optional<Symbols::Window> window = symbols.windowOf(conflict.left))
      if (std::optional<int64_t> size = symbols.constantOf(window->size);
          size && *size > 0 && symbols.isMultiple(window->start, *size))
        if (std::string length = symbols.describe(window->dim); StringRef(length).contains(".dim("))
          check = "; or refuse partial blocks before the launch: tg::check(" + length + " % " + std::to_string(*size) +
                  " == 0, \"...\")";
    if (runTimeSizeOf(conflict.left, symbols))
      diagnostic.attachNote() << maskedSlice;
    else
      diagnostic.attachNote()
          << "carry full blocks: tg::load(block, true, other) has all elements of one at the edge, too" << check;
  }

  /// Dims of tiles become values. Those that nobody asks for may stay as they are.
  static LogicalResult resolveDims(tile::LaunchOp launch, Extents &extents,
                                   llvm::function_ref<bool(tile::DimOp)> isAsked) {
    SmallVector<tile::DimOp> dims;
    launch.getBody().walk([&](tile::DimOp dim) {
      if (isa<RankedTensorType>(dim.getSource().getType()))
        dims.push_back(dim);
    });
    LogicalResult result = success();
    for (tile::DimOp dim : dims)
      if (Value value = valueOf(dim, extents)) {
        dim.replaceAllUsesWith(value);
        dim.erase();
      } else if (isAsked(dim)) {
        result = dim.emitError()
                 << (extents.of(dim.getSource(), dim.getAxis()).symbol
                         ? "the extent of this tile is not known here: use the extent of the ref that it comes from"
                         : "this tile has no extent of its own, but takes that of the tiles that it is combined with: "
                           "use the extent of a ref or of such a tile");
      }
    return result;
  }

  /// Null if it is not known there.
  static Value valueOf(tile::DimOp dim, Extents &extents) {
    const Extent &extent = extents.of(dim.getSource(), dim.getAxis());
    if (extent.symbol)
      return extents.valueOf(extent, dim);
    int64_t size = cast<RankedTensorType>(dim.getSource().getType()).getDimSize(dim.getAxis());
    if (ShapedType::isDynamic(size) && !extent.made)
      return {};
    if (ShapedType::isDynamic(size))
      size = *extent.made;
    return OpBuilder(dim).create<arith::ConstantOp>(dim.getLoc(), OpBuilder(dim).getI64IntegerAttr(size));
  }
};
} // namespace
} // namespace tegula
