// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/LongSorts.h"

#include "ir/Cluster.h"
#include "ir/RadixSort.h"
#include "transforms/split/ChooseKernels.h"
#include "transforms/split/HostPasses.h"
#include "transforms/split/Plan.h"

using namespace mlir;

namespace tegula::split {
namespace {

/// The CTAs of a multiprocessor that move elements: some wait while others rank.
constexpr int64_t ctasOfPass = 3;

/// Whether all of the GPU sorts the rows: their extent is not known to be short.
bool isLong(tile::SortOp sort, const Extents &extents, const Symbols &symbols) {
  auto axis = static_cast<int64_t>(sort.getAxis());
  if (!sort.getType().isDynamicDim(axis))
    return !sort.isExchanged();
  std::optional<Symbol> symbol = extents.of(extents.sourceThatTells(sort.getSources(), axis), axis).symbol;
  return !symbol || !symbols.mostOf(*symbol);
}

/// The places along the axis: they need no memory.
bool isIndex(Value source, tile::SortOp sort) {
  auto iota = source.getDefiningOp<tile::IotaOp>();
  return iota && iota.getAxis() == sort.getAxis() && !iota.getOffset() &&
         iota.getType().getElementType().isSignlessInteger(32);
}

/// The argument of which a ref is, program for program, all that there is: its dimensions are the axes of the grid, and
/// then those of the ref. That they are as long, the host sees. Null if it is not such a ref.
BlockArgument wholeArgument(Value ref, tile::LaunchOp launch) {
  size_t axes = launch.getGrid().size();
  auto slice = ref.getDefiningOp<tile::SliceOp>();
  if (!slice)
    return axes == 0 ? dyn_cast<BlockArgument>(ref) : BlockArgument();
  auto rank = static_cast<unsigned>(slice.getSource().getType().getRank());
  for (unsigned dim = 0; dim < rank; ++dim) {
    Value offset = slice.getOffset(dim);
    auto program = offset ? offset.getDefiningOp<tile::ProgramIdOp>() : tile::ProgramIdOp();
    bool isOfGrid = slice.getMode(dim) == tile::SliceMode::Element && program && program.getAxis() == dim;
    bool isWhole = slice.getMode(dim) == tile::SliceMode::Whole || (offset && matchPattern(offset, m_Zero()));
    if (dim < axes ? !isOfGrid : !isWhole || slice.getMode(dim) == tile::SliceMode::Element)
      return {};
  }
  return rank > axes ? dyn_cast<BlockArgument>(slice.getSource()) : BlockArgument();
}

/// A sort, and where its rows come from and go to, as far as that is an array as it stands.
struct LongSort {
  tile::SortOp op;
  /// Of each source; null of indices, too.
  SmallVector<BlockArgument> from;
  /// Of each result.
  SmallVector<BlockArgument> to;
  /// In the program: the extent along each dimension; null where it is what the type says.
  SmallVector<Value> there;

  int64_t axis() { return static_cast<int64_t>(op.getAxis()); }
  Type keyType() { return elementOf(0); }
  Type elementOf(unsigned i) { return getElementTypeOrSelf(op.getSources()[i].getType()); }
  bool carries() { return op.getSources().size() > 1; }
  bool carriesIndices() { return carries() && isIndex(op.getSources()[1], op); }
  int64_t passes() { return radix::passesOf(tile::bytesOf(keyType())); }
};

/// What the host computes of a call.
struct Call {
  /// Of an array that has the rows of all programs: the programs, unless there is no grid, other dimensions, the axis.
  SmallVector<Value> dims;
  /// The same, but for the programs: the axes of the grid.
  SmallVector<Value> fullDims;
  Value rows, length;
};

class LongSorts {
public:
  LongSorts(tile::LaunchOp launch, const GroupShape &shape)
      : launch(launch), shape(shape), extents(launch), loc(launch.getLoc()), builder(launch) {}

  LogicalResult run(bool remarks);

private:
  using Arrays = SmallVector<SmallVector<Value>>;

  LogicalResult find();
  LogicalResult refuse(tile::SortOp sort, const Twine &why);
  LogicalResult check(tile::SortOp sort);
  void findArguments(LongSort &sort);

  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  template <class Op> Value make(Value a, Value b) { return builder.createOrFold<Op>(loc, a, b); }
  Value ceilDiv(Value value, int64_t divisor) {
    return make<arith::DivSIOp>(make<arith::AddIOp>(value, constant(divisor - 1)), constant(divisor));
  }
  std::optional<Value> lengthOf(LongSort &sort, HostValues &host);
  std::optional<Call> describe(LongSort &sort, ValueRange grid, ValueRange arguments);
  SmallVector<Value> emptyArrays(LongSort &sort, const Call &call, bool ofSources);

  Value window(Value array, LongSort &sort, IRMapping &mapping);
  tile::LaunchOp createRows(const Arrays &rows);
  tile::LaunchOp createRest(const Arrays &sorted);

  Value flat(Value array);
  Value emptyLike(Value array);
  tile::KernelOp kernelOf(StringRef suffix, ValueRange arrays, function_ref<void(OpBuilder &, ValueRange)> body);
  void launchKernel(tile::KernelOp kernel, Value blocks, ValueRange arguments);
  void count(LongSort &sort, const Call &call, Value keys, Value state);
  void move(LongSort &sort, const Call &call, ValueRange from, ValueRange to, Value state, int64_t pass);
  void sortRows(LongSort &sort, const Call &call, ValueRange from, ValueRange to);
  Value areWhole(ArrayRef<Call> calls, ValueRange arguments);
  void writePlan(tile::LaunchOp rows, const Arrays &unsorted, tile::LaunchOp rest, const Arrays &sorted);

  tile::LaunchOp launch;
  const GroupShape &shape;
  Extents extents;
  SmallVector<LongSort, 2> sorts;
  /// All that is sorted comes from arrays as they stand; and nothing is done with it but to store it to such arrays.
  bool readsWhole = true, storesWhole = true;
  Location loc;
  OpBuilder builder;
  llvm::StringMap<tile::KernelOp> kernels;
};

// ---- What there is --------------------------------------------------------------------------------------------------

LogicalResult LongSorts::refuse(tile::SortOp sort, const Twine &why) {
  InFlightDiagnostic diagnostic = sort.emitError()
                                  << "all of dimension " << sort.getAxis() << " is sorted together, and may be more "
                                  << "than a thread group can hold; all of the GPU sorts such rows, but not " << why;
  diagnostic.attachNote() << "use static blocks of at most " << shape.mostElements()
                          << " elements along it: what is sorted of one ends where its array does";
  return failure();
}

static bool changesMemory(Operation &op) {
  return op
      .walk([](Operation *inner) {
        return isa<tile::RootOpInterface, tile::DebugPrintOp>(inner) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// What the launch in front does not have: what changes memory, or is made of what is sorted, or of either.
static llvm::SmallPtrSet<Operation *, 16> opsOfRest(tile::LaunchOp launch, ArrayRef<LongSort> sorts) {
  llvm::SmallPtrSet<Operation *, 16> rest;
  for (Operation &op : launch.getBody().front()) {
    bool isSort = llvm::any_of(sorts, [&](const LongSort &sort) { return sort.op == &op; });
    bool isLater = op.walk([&](Operation *inner) {
                       for (Value operand : inner->getOperands())
                         if (rest.contains(operand.getDefiningOp()))
                           return WalkResult::interrupt();
                       return WalkResult::advance();
                     }).wasInterrupted();
    if (isSort || isLater || changesMemory(op))
      rest.insert(&op);
  }
  return rest;
}

LogicalResult LongSorts::check(tile::SortOp sort) {
  if (sort->getParentOp() != launch)
    return refuse(sort, "in loops and branches: store them to an array, and sort that in a launch of its own");
  if (sort.getKeys() > 1)
    return refuse(sort, "by several keys: sort by the last one first, each in a launch of its own");
  if (sort.getSources().size() > 2)
    return refuse(sort, "several tiles with a key: sort the places, tg::argsort, and gather the others in a launch "
                        "behind");
  return success();
}

void LongSorts::findArguments(LongSort &sort) {
  for (int64_t dim = 0; dim < sort.op.getType().getRank(); ++dim)
    sort.there.push_back(extents.valueOf(extents.of(extents.sourceThatTells(sort.op.getSources(), dim), dim), sort.op));
  bool isInnermost = sort.axis() + 1 == sort.op.getType().getRank();
  for (Value source : sort.op.getSources()) {
    auto load = source.getDefiningOp<tile::LoadOp>();
    bool isPlain = isInnermost && load && !load.getMask();
    sort.from.push_back(isPlain ? wholeArgument(load.getRef(), launch) : BlockArgument());
    readsWhole &= isIndex(source, sort.op) || sort.from.back();
  }
  for (Value result : sort.op.getResults()) {
    auto store = result.hasOneUse() ? dyn_cast<tile::StoreOp>(*result.user_begin()) : tile::StoreOp();
    bool isPlain = isInnermost && store && !store.getMask() && store.getValue() == result;
    BlockArgument to = isPlain ? wholeArgument(store.getRef(), launch) : BlockArgument();
    // One pass does not write where it reads.
    bool isInPlace = to && sort.passes() == 1 && llvm::is_contained(sort.from, to);
    sort.to.push_back(isInPlace ? BlockArgument() : to);
    storesWhole &= result.use_empty() || sort.to.back();
  }
}

LogicalResult LongSorts::find() {
  LogicalResult result = success();
  launch.getBody().walk([&](tile::SortOp sort) {
    if (!isLong(sort, extents, extents.symbols()))
      return;
    if (failed(check(sort)))
      result = failure();
    else
      sorts.push_back({sort, {}, {}, {}});
  });
  if (failed(result))
    return failure();
  llvm::SmallPtrSet<Operation *, 16> rest = opsOfRest(launch, sorts);
  size_t stores = 0;
  for (LongSort &sort : sorts) {
    for (Value source : sort.op.getSources())
      if (rest.contains(source.getDefiningOp()))
        return refuse(sort.op, "what is made of what the program sorts, stores or updates: do that in a launch before");
    findArguments(sort);
    stores += llvm::count_if(sort.op.getResults(), [](Value result) { return !result.use_empty(); });
  }
  for (LongSort &sort : sorts) // One sort does not write what another one is still to read.
    for (LongSort &other : sorts)
      for (BlockArgument to : sort.to)
        storesWhole &= &sort == &other || !to || !llvm::is_contained(other.from, to);
  storesWhole &= stores == static_cast<size_t>(llvm::count_if(launch.getBody().front(), changesMemory));
  return success();
}

// ---- The host's numbers ---------------------------------------------------------------------------------------------

/// How long rows are, where that is the same in all programs.
std::optional<Value> LongSorts::lengthOf(LongSort &sort, HostValues &host) {
  int64_t axis = sort.axis();
  Value telling = extents.sourceThatTells(sort.op.getSources(), axis);
  Extent extent = extents.of(telling, axis);
  if (!extent.symbol)
    return std::nullopt;
  if (std::optional<int64_t> known = extents.symbols().constantOf(*extent.symbol))
    return constant(*known);
  while (auto slice = extent.origin ? extent.origin.getDefiningOp<tile::SliceOp>() : tile::SliceOp()) {
    unsigned from = slice.getSourceDim(static_cast<unsigned>(extent.dim));
    if (slice.getMode(from) != tile::SliceMode::Whole)
      return std::nullopt;
    extent.origin = slice.getSource(), extent.dim = from;
  }
  return isa_and_nonnull<BlockArgument>(extent.origin) ? std::optional(host.most(extent)) : std::nullopt;
}

std::optional<Call> LongSorts::describe(LongSort &sort, ValueRange grid, ValueRange arguments) {
  HostValues host(launch, builder, grid, arguments);
  Call call{{}, llvm::to_vector(grid), constant(1), {}};
  for (Value size : grid)
    call.rows = make<arith::MulIOp>(call.rows, size);
  if (!grid.empty())
    call.dims.push_back(call.rows);
  RankedTensorType type = sort.op.getType();
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim == sort.axis())
      continue;
    Value telling = extents.sourceThatTells(sort.op.getSources(), dim);
    Value size = type.isDynamicDim(dim) ? host.most(extents.of(telling, dim)) : constant(type.getDimSize(dim));
    if (!size)
      return std::nullopt;
    call.dims.push_back(size);
    call.fullDims.push_back(size);
    call.rows = make<arith::MulIOp>(call.rows, size);
  }
  std::optional<Value> length = lengthOf(sort, host);
  if (!length)
    return std::nullopt;
  call.length = *length;
  call.dims.push_back(call.length);
  call.fullDims.push_back(call.length);
  return call;
}

/// Arrays for rows; null for what is not wanted, or needs none.
SmallVector<Value> LongSorts::emptyArrays(LongSort &sort, const Call &call, bool ofSources) {
  SmallVector<Value> arrays;
  for (auto [source, result] : llvm::zip_equal(sort.op.getSources(), sort.op.getResults())) {
    bool isWanted = ofSources ? !isIndex(source, sort.op) : !result.use_empty();
    auto type = tile::ArrayType::get(builder.getContext(), getElementTypeOrSelf(source.getType()), call.dims.size(),
                                     /*readOnly=*/false);
    auto name = NameLoc::get(builder.getStringAttr(ofSources ? "rows" : "sorted"), loc);
    arrays.push_back(isWanted ? builder.create<tile::EmptyOp>(name, type, call.dims) : Value());
  }
  return arrays;
}

// ---- What makes rows, and what is made of them ----------------------------------------------------------------------

/// The rows of this program in an array of all, at the builder's place.
Value LongSorts::window(Value array, LongSort &sort, IRMapping &mapping) {
  auto type = cast<tile::RefType>(array.getType());
  SmallVector<Value> offsets, sizes;
  SmallVector<int64_t> dims, order;
  SmallVector<int32_t> modes;
  if (!launch.getGrid().empty()) {
    offsets.push_back(numberOfProgram(builder, loc, launch.getGrid().size()));
    modes.push_back(static_cast<int32_t>(tile::SliceMode::Element));
  }
  RankedTensorType tileType = sort.op.getType();
  for (int64_t dim = 0; dim < tileType.getRank(); ++dim)
    if (dim != sort.axis())
      order.push_back(dim);
  order.push_back(sort.axis());
  for (int64_t dim : order) {
    Value there = sort.there[dim] ? mapping.lookup(sort.there[dim]) : constant(tileType.getDimSize(dim));
    modes.push_back(static_cast<int32_t>(tile::SliceMode::Window));
    if (tileType.isDynamicDim(dim)) {
      dims.push_back(ShapedType::kDynamic);
      offsets.push_back(constant(0));
      sizes.push_back(there);
    } else { // What is there lies at the end: where the array ends, so does the window.
      dims.push_back(tile::RefType::atMost(tileType.getDimSize(dim)));
      offsets.push_back(make<arith::SubIOp>(constant(tileType.getDimSize(dim)), there));
    }
  }
  Value window = builder.create<tile::SliceOp>(loc, tile::RefType::get(type.getElementType(), dims), array, offsets,
                                               sizes, modes, /*spec=*/false);
  if (sort.axis() + 1 == tileType.getRank())
    return window;
  SmallVector<int64_t> permutation(order.size()), permuted(order.size());
  for (auto [at, dim] : llvm::enumerate(order))
    permutation[dim] = static_cast<int64_t>(at), permuted[dim] = dims[at];
  return builder.create<tile::TransposeOp>(loc, tile::RefType::get(type.getElementType(), permuted), window,
                                           permutation);
}

/// The launch in front: stores what is sorted.
tile::LaunchOp LongSorts::createRows(const Arrays &rows) {
  llvm::SmallPtrSet<Operation *, 16> rest = opsOfRest(launch, sorts);
  SmallVector<Value> found;
  for (const auto &arrays : rows)
    llvm::copy_if(arrays, std::back_inserter(found), [](Value array) { return array != nullptr; });
  size_t next = 0;
  auto replace = [&](Operation &op, ValueRange refs, IRMapping &mapping) {
    auto *sort = llvm::find_if(sorts, [&](const LongSort &each) { return each.op == &op; });
    if (sort == sorts.end())
      return rest.contains(&op);
    for (auto [source, array] : llvm::zip_equal(sort->op.getSources(), rows[sort - sorts.begin()]))
      if (array)
        builder.create<tile::StoreOp>(loc, mapping.lookup(source), window(refs[next++], *sort, mapping));
    return true;
  };
  tile::LaunchOp pass = cloneProgram(builder, launch, "_rows", found, replace);
  SmallVector<Attribute> access(pass.getAccess().begin(), pass.getAccess().end());
  std::fill(access.end() - static_cast<std::ptrdiff_t>(found.size()), access.end(),
            tile::AccessAttr::get(builder.getContext(), tile::Access::Out));
  pass.setAccessAttr(builder.getArrayAttr(access));
  dropUnusedInputs(pass);
  return pass;
}

/// The launch behind: loads what has been sorted.
tile::LaunchOp LongSorts::createRest(const Arrays &sorted) {
  SmallVector<Value> found;
  for (const auto &arrays : sorted)
    llvm::copy_if(arrays, std::back_inserter(found), [](Value array) { return array != nullptr; });
  size_t next = 0;
  auto replace = [&](Operation &op, ValueRange refs, IRMapping &mapping) {
    auto *sort = llvm::find_if(sorts, [&](const LongSort &each) { return each.op == &op; });
    if (sort == sorts.end())
      return false;
    for (auto [result, array] : llvm::zip_equal(sort->op.getResults(), sorted[sort - sorts.begin()]))
      if (array)
        mapping.map(result, builder.create<tile::LoadOp>(loc, result.getType(), window(refs[next++], *sort, mapping)));
    return true;
  };
  tile::LaunchOp pass = cloneProgram(builder, launch, "_rest", found, replace);
  dropUnusedInputs(pass);
  return pass;
}

// ---- The plan -------------------------------------------------------------------------------------------------------

Value LongSorts::flat(Value array) {
  auto type = array ? cast<tile::ArrayType>(array.getType()) : tile::ArrayType();
  if (!array || type.getRank() == 1)
    return array;
  auto row = tile::ArrayType::get(builder.getContext(), type.getElementType(), 1, type.getReadOnly());
  return builder.create<tile::FlattenOp>(loc, row, array);
}

/// A kernel of some arrays and numbers, made when it is first wanted.
tile::KernelOp LongSorts::kernelOf(StringRef suffix, ValueRange arguments,
                                   function_ref<void(OpBuilder &, ValueRange)> body) {
  tile::KernelOp &kernel = kernels[suffix];
  if (kernel)
    return kernel;
  SmallVector<Type> types;
  for (Value argument : arguments) {
    auto array = dyn_cast<tile::ArrayType>(argument.getType());
    types.push_back(array ? Type(tile::RefType::get(array.getElementType(), {ShapedType::kDynamic}))
                          : argument.getType());
  }
  OpBuilder inside(builder.getContext());
  inside.setInsertionPointToEnd(launch->getParentOfType<ModuleOp>().getBody());
  kernel = inside.create<tile::KernelOp>(loc, (launch.getName() + suffix).str(), inside.getFunctionType(types, {}),
                                         radix::threads, radix::threads);
  mlir::Block &block = kernel.getBody().emplaceBlock();
  for (Type type : types)
    block.addArgument(type, loc);
  inside.setInsertionPointToEnd(&block);
  body(inside, block.getArguments());
  inside.create<tile::ReturnOp>(loc, ValueRange());
  return kernel;
}

void LongSorts::count(LongSort &sort, const Call &call, Value keys, Value state) {
  SmallVector<Value> arguments{keys, state, call.length};
  std::string suffix = "_count" + std::to_string(&sort - sorts.begin());
  tile::KernelOp kernel = kernelOf(suffix, arguments, [&](OpBuilder &inside, ValueRange own) {
    inside.create<tile::RadixCountOp>(sort.op.getLoc(), own[0], own[1], own[2], sort.op.getDescending());
  });
  Value blocks = make<arith::MulIOp>(call.rows, ceilDiv(call.length, radix::counted));
  builder.create<tile::LaunchKernelOp>(loc, kernel.getSymName(), blocks, Value(), arguments);
}

/// A pass: keys, and elements that go with them, from and to arrays, of which some are null.
void LongSorts::move(LongSort &sort, const Call &call, ValueRange from, ValueRange to, Value state, int64_t pass) {
  SmallVector<Value> arguments;
  std::string suffix = "_move" + std::to_string(&sort - sorts.begin());
  bool hasCarried = sort.carries() && from[1], hasKeys = to[0] != nullptr, goes = sort.carries() && to[1];
  arguments.push_back(from[0]);
  if (hasCarried)
    arguments.push_back(from[1]);
  else if (goes)
    suffix += "_places";
  if (hasKeys)
    arguments.push_back(to[0]);
  else
    suffix += "_last";
  if (goes)
    arguments.push_back(to[1]);
  llvm::append_range(arguments, ValueRange{state, call.rows, call.length, constant(pass)});
  tile::KernelOp kernel = kernelOf(suffix, arguments, [&](OpBuilder &inside, ValueRange own) {
    size_t next = 1;
    Value carried = hasCarried ? own[next++] : Value(), keysTo = hasKeys ? own[next++] : Value();
    Value carriedTo = goes ? own[next++] : Value();
    inside.create<tile::RadixPassOp>(sort.op.getLoc(), own[0], carried, keysTo, carriedTo, own[next], own[next + 1],
                                     own[next + 2], own[next + 3], sort.op.getDescending());
  });
  kernel->setAttr(tile::ctasPerMultiprocessor, builder.getI64IntegerAttr(ctasOfPass));
  int64_t widest = tile::bytesOf(sort.keyType());
  if (goes)
    widest = std::max(widest, tile::bytesOf(sort.elementOf(1)));
  Value blocks = make<arith::MulIOp>(call.rows, ceilDiv(call.length, radix::partOf(widest)));
  builder.create<tile::LaunchKernelOp>(loc, kernel.getSymName(), blocks, Value(), arguments);
}

/// Sorts rows that lie one behind the other. The last pass writes to `to`, every other one before it, too; those
/// between write to arrays of their own.
void LongSorts::sortRows(LongSort &sort, const Call &call, ValueRange from, ValueRange to) {
  auto empty = [&](Type element, Value size, StringRef name, bool zeroed) -> Value {
    auto type = tile::ArrayType::get(builder.getContext(), element, 1, /*readOnly=*/false);
    return builder.create<tile::EmptyOp>(NameLoc::get(builder.getStringAttr(name), loc), type, size, zeroed);
  };
  Value elements = make<arith::MulIOp>(call.rows, call.length);
  int64_t passes = sort.passes(), widest = tile::bytesOf(sort.keyType());
  bool carries = sort.carries() && to[1];
  if (carries)
    widest = std::max(widest, tile::bytesOf(sort.elementOf(1)));
  // Counts of digits, then those of parts.
  Value words = make<arith::AddIOp>(constant(passes), ceilDiv(call.length, radix::partOf(widest)));
  words = make<arith::MulIOp>(make<arith::MulIOp>(words, call.rows), constant(radix::values));
  words = make<arith::AddIOp>(words, constant(radix::header));
  Value state = empty(builder.getI64Type(), words, "parts", /*zeroed=*/true);
  count(sort, call, from[0], state);

  SmallVector<Value> source(from), other(to.size()), last(to);
  if (!carries && sort.carries())
    source[1] = Value();
  if (passes > 1)
    other[0] = empty(sort.keyType(), elements, "keys", /*zeroed=*/false);
  if (passes > 1 && carries)
    other[1] = empty(sort.elementOf(1), elements, "carried", /*zeroed=*/false);
  if (passes > 2 && !to[0])
    last[0] = empty(sort.keyType(), elements, "keys", /*zeroed=*/false);
  for (int64_t pass = 0; pass < passes; ++pass) {
    bool toLast = (passes - pass) % 2 == 1;
    SmallVector<Value> target = toLast ? last : other;
    if (pass + 1 == passes)
      target = llvm::to_vector(to);
    move(sort, call, source, target, state, pass);
    source = target;
  }
}

/// Whether the arrays that are read or written as they stand have the rows of all programs, one behind the other.
Value LongSorts::areWhole(ArrayRef<Call> calls, ValueRange arguments) {
  SmallVector<Value> arrays;
  Value all;
  auto consider = [&](BlockArgument argument, const Call &call) {
    Value array = arguments[argument.getArgNumber()];
    arrays.push_back(flat(array));
    for (auto [dim, size] : llvm::enumerate(call.fullDims)) {
      Value own = builder.createOrFold<tile::DimOp>(loc, builder.getI64Type(), array, builder.getI64IntegerAttr(dim));
      Value isSame = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::eq, own, size);
      all = all ? make<arith::AndIOp>(all, isSame) : isSame;
    }
  };
  for (auto [sort, call] : llvm::zip_equal(sorts, calls)) {
    for (BlockArgument argument : sort.from)
      if (readsWhole && argument)
        consider(argument, call);
    for (BlockArgument argument : sort.to)
      if (storesWhole && argument)
        consider(argument, call);
  }
  Value areDense = builder.create<tile::DenseOp>(loc, arrays, /*bytes=*/1, /*contiguous=*/false);
  return make<arith::AndIOp>(areDense, all);
}

void LongSorts::writePlan(tile::LaunchOp rows, const Arrays &unsorted, tile::LaunchOp rest, const Arrays &sorted) {
  PlanBuilder plan(launch);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&launch.getPlan().front());
  SmallVector<Call> calls;
  for (LongSort &sort : sorts)
    calls.push_back(*describe(sort, plan.grid(), plan.arguments()));
  auto write = [&](bool reads, bool stores) {
    IRMapping host;
    host.map(launch.getGrid(), plan.grid());
    host.map(launch.getArguments(), plan.arguments());
    auto arraysOf = [&](const Arrays &outside, bool ofSources, bool areThere) {
      Arrays inside;
      for (auto [i, sort] : llvm::enumerate(sorts)) {
        if (!areThere) {
          inside.push_back(emptyArrays(sort, calls[i], ofSources));
          for (auto [from, to] : llvm::zip_equal(outside[i], inside.back()))
            if (from)
              host.map(from, to);
          continue;
        }
        SmallVector<Value> &own = inside.emplace_back();
        for (BlockArgument argument : ofSources ? sort.from : sort.to)
          own.push_back(argument ? plan.arguments()[argument.getArgNumber()] : Value());
      }
      return inside;
    };
    Arrays from = arraysOf(unsorted, /*ofSources=*/true, reads), to = arraysOf(sorted, /*ofSources=*/false, stores);
    if (!reads)
      inlinePlan(builder, rows, host);
    for (auto [i, sort] : llvm::enumerate(sorts)) {
      auto flatten = [&](Value array) { return flat(array); };
      sortRows(sort, calls[i], llvm::map_to_vector(from[i], flatten), llvm::map_to_vector(to[i], flatten));
    }
    if (!stores)
      inlinePlan(builder, rest, host);
  };
  if (readsWhole || storesWhole) {
    auto branch = builder.create<scf::IfOp>(loc, areWhole(calls, plan.arguments()), /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    write(readsWhole, storesWhole);
    builder.setInsertionPointToStart(branch.elseBlock());
  }
  write(/*reads=*/false, /*stores=*/false);
  plan.finish();
}

LogicalResult LongSorts::run(bool remarks) {
  if (failed(find()))
    return failure();
  Operation *before = launch->getPrevNode();
  Arrays unsorted, sorted;
  for (LongSort &sort : sorts) {
    std::optional<Call> call = describe(sort, launch.getGrid(), launch.getArguments());
    if (!call) {
      eraseBetween(before, launch);
      return refuse(sort.op, "rows that end elsewhere in each program: take whole dimensions of arrays, tg::whole, or "
                             "fill what is missing by a masked load");
    }
    unsorted.push_back(emptyArrays(sort, *call, /*ofSources=*/true));
    sorted.push_back(emptyArrays(sort, *call, /*ofSources=*/false));
  }
  tile::LaunchOp rows = createRows(unsorted), rest = createRest(sorted);
  if (failed(splitLaunch(rows, shape, /*remarks=*/false)) || failed(splitLaunch(rest, shape, /*remarks=*/false)))
    return failure();
  writePlan(rows, unsorted, rest, sorted);
  if (remarks)
    launch.emitRemark()
        << "rows that a thread group may not hold are sorted by all of the GPU, in a launch that counts "
           "digits, and one for each byte of a key"
        << (readsWhole ? "" : ", from a copy of them")
        << (storesWhole ? "" : ", and what is made of them is made in one more");
  eraseBetween(before, launch);
  return success();
}

} // namespace

bool hasLongSorts(tile::LaunchOp launch) {
  SmallVector<tile::SortOp> sorts;
  launch.getBody().walk([&](tile::SortOp sort) { sorts.push_back(sort); });
  if (sorts.empty())
    return false;
  Extents extents(launch);
  return llvm::any_of(sorts, [&](tile::SortOp sort) { return isLong(sort, extents, extents.symbols()); });
}

LogicalResult splitLongSorts(tile::LaunchOp launch, const GroupShape &shape, bool remarks) {
  return LongSorts(launch, shape).run(remarks);
}

} // namespace tegula::split
