// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/split/RadixSort.h"

#include "ir/KernelAttributes.h"
#include "ir/RadixSort.h"

using namespace mlir;

namespace tegula::split {

/// The CTAs of a multiprocessor that move elements: some wait while others rank.
static constexpr int64_t ctasOfPass = 3;

namespace {
struct HostMath {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) { return builder.create<arith::ConstantOp>(loc, builder.getI64IntegerAttr(value)); }
  Value sum(Value a, Value b) { return builder.createOrFold<arith::AddIOp>(loc, a, b); }
  Value product(Value a, Value b) { return builder.createOrFold<arith::MulIOp>(loc, a, b); }
  Value ceilDiv(Value value, int64_t divisor) {
    return builder.createOrFold<arith::DivSIOp>(loc, sum(value, constant(divisor - 1)), constant(divisor));
  }
  Value empty(Type element, Value size, StringRef name, bool zeroed = false) {
    auto type = tile::ArrayType::get(builder.getContext(), element, 1, /*readOnly=*/false);
    return builder.create<tile::EmptyOp>(NameLoc::get(builder.getStringAttr(name), loc), type, size, zeroed);
  }
};
} // namespace

bool RadixSort::isPlaces(Value source) {
  auto iota = source.getDefiningOp<tile::IotaOp>();
  return iota && iota.getAxis() == sort.getAxis() && !iota.getOffset() &&
         iota.getType().getElementType().isSignlessInteger(32);
}

int64_t RadixSort::passes() { return radix::passesOf(tile::bytesOf(elementOf(0))); }

int64_t RadixSort::bytesOfWidest(bool carries) {
  int64_t bytes = tile::bytesOf(elementOf(0));
  return carries ? std::max(bytes, tile::bytesOf(elementOf(1))) : bytes;
}

tile::KernelOp RadixSort::kernelOf(StringRef suffix, ValueRange arguments,
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
  OpBuilder builder(launch.getContext());
  builder.setInsertionPointToEnd(launch->getParentOfType<ModuleOp>().getBody());
  kernel = builder.create<tile::KernelOp>(loc, (launch.getName() + suffix + number).str(),
                                          builder.getFunctionType(types, {}), radix::threads, radix::threads);
  mlir::Block &block = kernel.getBody().emplaceBlock();
  for (Type type : types)
    block.addArgument(type, loc);
  builder.setInsertionPointToEnd(&block);
  body(builder, block.getArguments());
  builder.create<tile::ReturnOp>(loc, ValueRange());
  return kernel;
}

void RadixSort::count(OpBuilder &builder, const Rows &rows, Value keys, Value state) {
  SmallVector<Value> arguments{keys, state, rows.length};
  tile::KernelOp kernel = kernelOf("_count", arguments, [&](OpBuilder &inside, ValueRange own) {
    inside.create<tile::RadixCountOp>(sort.getLoc(), own[0], own[1], own[2], sort.getDescending());
  });
  HostMath host{builder, loc};
  Value blocks = host.product(rows.count, host.ceilDiv(rows.length, radix::counted));
  builder.create<tile::LaunchKernelOp>(loc, kernel.getSymName(), blocks, Value(), arguments);
}

/// A pass: keys, and what goes with them.
void RadixSort::move(OpBuilder &builder, const Rows &rows, ValueRange from, ValueRange to, Value state, int64_t pass) {
  HostMath host{builder, loc};
  bool isLast = !to[0], carries = to.size() > 1 && to[1], hasCarried = carries && from[1];
  std::string suffix = !carries || hasCarried ? "_move" : "_place";
  if (isLast)
    suffix += "_last";
  SmallVector<Value> arguments{from[0]};
  if (hasCarried)
    arguments.push_back(from[1]);
  if (!isLast)
    arguments.push_back(to[0]);
  if (carries)
    arguments.push_back(to[1]);
  llvm::append_range(arguments, ValueRange{state, rows.count, rows.length, host.constant(pass)});
  tile::KernelOp kernel = kernelOf(suffix, arguments, [&](OpBuilder &inside, ValueRange own) {
    size_t next = 1;
    Value carried = hasCarried ? own[next++] : Value(), keysTo = isLast ? Value() : own[next++];
    Value carriedTo = carries ? own[next++] : Value();
    ValueRange rest = own.drop_front(next);
    inside.create<tile::RadixPassOp>(sort.getLoc(), own[0], carried, keysTo, carriedTo, rest[0], rest[1], rest[2],
                                     rest[3], sort.getDescending());
  });
  kernel->setAttr(tile::ctasPerMultiprocessor, builder.getI64IntegerAttr(ctasOfPass));
  Value parts = host.ceilDiv(rows.length, radix::partOf(bytesOfWidest(carries)));
  builder.create<tile::LaunchKernelOp>(loc, kernel.getSymName(), host.product(rows.count, parts), Value(), arguments);
}

void RadixSort::write(OpBuilder &builder, const Rows &rows, ValueRange from, ValueRange to) {
  HostMath host{builder, loc};
  Value most = host.constant(radix::mostElements);
  Value fits = builder.create<arith::CmpIOp>(loc, arith::CmpIPredicate::sle, rows.length, most);
  builder.create<tile::CheckOp>(loc, fits, "a row that is sorted has {} elements, of at most {}",
                                ValueRange{rows.length, most});
  bool carries = to.size() > 1 && to[1];
  // Counts of digits, then those of parts.
  Value blocks = host.sum(host.constant(passes()), host.ceilDiv(rows.length, radix::partOf(bytesOfWidest(carries))));
  Value words = host.product(host.product(blocks, rows.count), host.constant(radix::values));
  Value state = host.empty(builder.getI64Type(), host.sum(words, host.constant(radix::header)), "parts",
                           /*zeroed=*/true);
  count(builder, rows, from[0], state);

  Value elements = host.product(rows.count, rows.length);
  SmallVector<Value> source(from), other(to.size()), last(to);
  if (passes() > 1)
    other[0] = host.empty(elementOf(0), elements, "keys");
  if (passes() > 1 && carries)
    other[1] = host.empty(elementOf(1), elements, "carried");
  if (passes() > 2 && !to[0])
    last[0] = host.empty(elementOf(0), elements, "keys");
  for (int64_t pass = 0; pass < passes(); ++pass) {
    bool isLast = pass + 1 == passes(), goesToLast = (passes() - pass) % 2 == 1;
    SmallVector<Value> target = isLast ? SmallVector<Value>(to) : goesToLast ? last : other;
    move(builder, rows, source, target, state, pass);
    source = target;
  }
}

} // namespace tegula::split
