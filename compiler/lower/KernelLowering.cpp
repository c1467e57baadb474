// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lower/KernelLowering.h"
#include "ir/KernelAttributes.h"
#include "ir/TileText.h"
#include "support/Registers.h"
#include "support/Target.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace mlir;

namespace tegula::lower {

// No access is wider than 16 elements (bytes); longer vectors would only be taken apart again.
static constexpr int64_t maxLanes = 16;

TileRegisters::TileRegisters(RankedTensorType type)
    : type(type), placement(tile::placementOf(type)),
      lanes(type.getRank() == 0 ? 1 : std::min(placement.contiguousVector(type.getRank() - 1), maxLanes)) {}

const TileRegisters &KernelLowering::registersOf(Type type) {
  return registerCache.try_emplace(type, cast<RankedTensorType>(type)).first->second;
}

LogicalResult KernelLowering::checkLaidOut(Operation *op) {
  auto lacks = [&](Type type) {
    auto tile = dyn_cast<RankedTensorType>(type);
    if (!tile)
      return false;
    auto encoding = dyn_cast_or_null<tile::LayoutAttr>(tile.getEncoding());
    return !encoding || encoding.getLayout().groupThreads() != kernel.getGroup();
  };
  auto isTable = [](Type type) { return isa<tile::RefType>(type) && cast<tile::RefType>(type).isTable(); };
  if (!isa<tile::SliceOp, tile::DimOp>(op) && llvm::any_of(op->getOperandTypes(), isTable))
    return op->emitOpError("takes all arrays of a table, which lie anywhere");
  for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (lacks(type))
        return op->emitError() << "this has " << tile::inWords(cast<RankedTensorType>(type))
                               << ", which is not laid out for thread groups of " << kernel.getGroup() << " threads";
  return success();
}

// ---- The function ---------------------------------------------------------------------------------------------------

/// The source line behind a location: of the innermost function where helpers were inlined.
static FileLineColLoc lineOf(Location loc) {
  if (auto line = dyn_cast<FileLineColLoc>(loc))
    return line;
  if (auto name = dyn_cast<NameLoc>(loc))
    return lineOf(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc)) {
    FileLineColLoc callee = lineOf(call.getCallee());
    return callee ? callee : lineOf(call.getCaller());
  }
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (FileLineColLoc line = lineOf(part))
        return line;
  return {};
}

/// ptxas knows nothing that quotes a character of a file's name.
static LLVM::DIFileAttr fileOf(FileLineColLoc line) {
  std::string path = line.getFilename().str();
  auto isQuoted = [](unsigned char c) { return c < 0x20 || c == 0x7f || c == '"' || c == '\\'; };
  std::replace_if(path.begin(), path.end(), isQuoted, '_');
  return LLVM::DIFileAttr::get(line.getContext(), llvm::sys::path::filename(path), llvm::sys::path::parent_path(path));
}

/// What makes LLVM write `.loc` lines, and nothing else: full debug info would keep ptxas from optimising.
static LLVM::DISubprogramAttr makeSubprogram(StringRef name, FileLineColLoc line) {
  MLIRContext *context = line.getContext();
  LLVM::DIFileAttr file = fileOf(line);
  auto unit = LLVM::DICompileUnitAttr::get(
      DistinctAttr::create(UnitAttr::get(context)), llvm::dwarf::DW_LANG_C_plus_plus_14, file,
      StringAttr::get(context, "tegulac"), /*isOptimized=*/true, LLVM::DIEmissionKind::DebugDirectivesOnly);
  auto type = LLVM::DISubroutineTypeAttr::get(context, {});
  return LLVM::DISubprogramAttr::get(DistinctAttr::create(UnitAttr::get(context)), unit, file, name, name, file,
                                     line.getLine(), line.getLine(),
                                     LLVM::DISubprogramFlags::Definition | LLVM::DISubprogramFlags::Optimized, type);
}

Location KernelLowering::locationOf(Operation *op) {
  FileLineColLoc line = lineOf(op->getLoc());
  if (!line || !subprogram)
    return function.getLoc();
  LLVM::DIFileAttr file = fileOf(line);
  if (file == subprogram.getFile())
    return line;
  auto scope = LLVM::DILexicalBlockFileAttr::get(builder.getContext(), subprogram, file, /*discriminator=*/0);
  return FusedLoc::get(builder.getContext(), {line}, scope);
}

/// How many registers a lane begins with, where that is said.
void KernelLowering::setRegisters(int64_t threads) {
  auto limit = kernel->getAttrOfType<IntegerAttr>(tile::maxRegisters);
  bool trades = kernel.walk([](tile::SetMaxRegistersOp) { return WalkResult::interrupt(); }).wasInterrupted();
  if (!limit && !trades)
    return;
  int64_t registers = limit ? limit.getInt() : mostRegisters;
  if (trades) // Threads trade registers that the block has: it begins with all that it may have.
    registers = registersAtLaunch(threads / lanesOfWarpgroup, registers);
  function->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(),
                    builder.getI32IntegerAttr(static_cast<int32_t>(registers)));
}

LogicalResult KernelLowering::run() {
  MLIRContext *context = builder.getContext();
  SmallVector<Type> parameters;
  for (Type type : kernel.getArgumentTypes()) {
    auto ref = dyn_cast<tile::RefType>(type);
    parameters.push_back(ref                              ? Type(LLVM::LLVMPointerType::get(context, 1))
                         : isa<tile::TensorMapType>(type) ? Type(LLVM::LLVMPointerType::get(context))
                                                          : builder.getI64Type());
    if (ref)
      parameters.append(2 * ref.getRank(), builder.getI64Type());
  }
  Location loc = builder.getUnknownLoc();
  if (FileLineColLoc line = lineOf(kernel.getLoc())) {
    subprogram = makeSubprogram(kernel.getSymName(), line);
    loc = FusedLoc::get(context, {line}, subprogram);
  }
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), parameters);
  function = builder.create<LLVM::LLVMFuncOp>(loc, kernel.getSymName(), type);
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  int32_t threads = static_cast<int32_t>(kernel.getThreads());
  function->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), builder.getDenseI32ArrayAttr({threads, 1, 1}));
  setRegisters(threads);
  SmallVector<Attribute> attributes;
  if (std::optional<ArrayAttr> classes = kernel.getClasses()) {
    std::string names = llvm::join(classes->getAsValueRange<StringAttr>(), ",");
    attributes.push_back(builder.getStrArrayAttr({classesAttribute, names}));
  }
  callsDivisions = hasManyDivisions();
  if (callsDivisions)
    attributes.push_back(builder.getStringAttr(callsDivisionsAttribute));
  if (!attributes.empty())
    function.setPassthroughAttr(builder.getArrayAttr(attributes));

  OpBuilder::InsertionGuard guard(builder);
  entry = function.addEntryBlock(builder);
  constants.emplace(entry);
  builder.setInsertionPointToStart(entry);
  here = loc;
  findWritten();
  if (failed(reserveScratch()))
    return failure();
  if (auto ctas = kernel->getAttrOfType<IntegerAttr>(tile::ctasPerMultiprocessor))
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      builder.getI32IntegerAttr(static_cast<int32_t>(ctas.getInt())));
  lowerParameters(*entry);
  initializeBarriers();
  beginClusterExchange();
  return lowerBlock(kernel.getBody().front());
}

/// A tensor map lies in the kernel's parameters: TMA reads it there.
void KernelLowering::passByValue(unsigned parameter) {
  auto words = LLVM::LLVMArrayType::get(builder.getI64Type(), 16);
  function.setArgAttr(parameter, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(words));
  function.setArgAttr(parameter, LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(64));
  function.setArgAttr(parameter, NVVM::NVVMDialect::getGridConstantAttrName(), builder.getUnitAttr());
}

void KernelLowering::lowerParameters(Block &block) {
  ScalarBuilder b = scalars();
  ValueRange variables = block.getArguments();
  auto take = [&] {
    Value variable = variables.front();
    variables = variables.drop_front();
    return variable;
  };
  Value row; // Of the arrays with even rows, which are equally long unless tile.loads_around says that they are whole.
  for (BlockArgument argument : kernel.getArguments()) {
    if (auto type = dyn_cast<tile::RefType>(argument.getType())) {
      LoweredRef ref{take(), {}, {}, argument};
      for (int64_t i = 0; i < type.getRank(); ++i) {
        Value dim = take();
        if (type.getIsEven() && i + 1 == type.getRank() && !kernel->hasAttr(tile::loadsAround))
          dim = row = row ? row : dim;
        ref.dims.push_back(type.isExact(i) ? i64(type.getBound(i)) : dim);
      }
      for (int64_t i = 0; i < type.getRank(); ++i)
        ref.strides.push_back(take());
      if (type.getRank() > 0 && (type.getAlignment() || isPacked(type.getElementType())))
        ref.strides.back() = i64(1);
      refs[argument] = ref;
      continue;
    }
    Type type = argument.getType();
    Value value = take();
    if (isa<tile::TensorMapType>(type)) {
      passByValue(cast<BlockArgument>(value).getArgNumber());
      values.map(argument, value);
      continue;
    }
    unsigned width = type.getIntOrFloatBitWidth();
    if (width < 64)
      value = b.create<arith::TruncIOp>(builder.getIntegerType(width), value);
    if (isa<FloatType>(type))
      value = b.create<arith::BitcastOp>(type, value);
    values.map(argument, value);
  }
  if (!block.empty())
    lastOnce = &block.back();
}

// ---- Threads --------------------------------------------------------------------------------------------------------

/// Runs `body` with the builder where values that are computed once go: behind the constants and those before.
void KernelLowering::computeOnce(llvm::function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(builder);
  Block::iterator point = lastOnce ? std::next(lastOnce->getIterator()) : entry->begin();
  while (!lastOnce && point != entry->end() && isa<arith::ConstantOp>(*point))
    ++point;
  builder.setInsertionPoint(entry, point);
  body();
  if (point != entry->begin())
    lastOnce = &*std::prev(point);
}

Value KernelLowering::specialRegister(StringRef name) {
  Value &cached = specialRegisters[name];
  if (!cached)
    computeOnce([&] {
      Type type = builder.getI32Type();
      cached = name == "tid"     ? Value(builder.create<NVVM::ThreadIdXOp>(here, type))
               : name == "ctaid" ? Value(builder.create<NVVM::BlockIdXOp>(here, type))
                                 : scalars().assembly("mov.u32 $0, %" + name.str() + ";", "=r", type, {});
    });
  return cached;
}

Value KernelLowering::threadInGroup() {
  if (!threadInGroupCache) {
    Value tid = specialRegister("tid");
    computeOnce([&] {
      threadInGroupCache = kernel.getGroup() == kernel.getThreads()
                               ? tid
                               : builder.create<arith::AndIOp>(here, tid, i32(kernel.getGroup() - 1));
    });
  }
  return threadInGroupCache;
}

ArrayRef<Value> KernelLowering::threadCoordinates(const TileRegisters &registers) {
  SmallVector<Value> &cached = coordinateCache[registers.type];
  if (!cached.empty() || registers.placement.rank() == 0)
    return cached;
  std::vector<layout::ThreadField> fields = registers.placement.threadFields();
  Value thread = fields.empty() ? Value() : threadInGroup();
  computeOnce([&] {
    ScalarBuilder b = scalars();
    cached.assign(registers.placement.rank(), Value());
    for (const layout::ThreadField &field : fields) {
      Value part = thread;
      if (field.threadBit != 0)
        part = b.create<arith::ShRUIOp>(part, i32(field.threadBit));
      if ((int64_t(1) << (field.threadBit + field.width)) != kernel.getGroup())
        part = b.create<arith::AndIOp>(part, i32((int64_t(1) << field.width) - 1));
      if (field.coordinateBit != 0)
        part = b.create<arith::ShLIOp>(part, i32(field.coordinateBit));
      Value &sum = cached[field.dim];
      sum = sum ? b.create<arith::OrIOp>(sum, part) : part;
    }
    for (Value &coordinate : cached)
      if (!coordinate)
        coordinate = i32(0);
  });
  return cached;
}

LogicalResult KernelLowering::lowerThreadGroup(tile::ThreadGroupOp op) {
  ScalarBuilder b = scalars(op);
  Type type = builder.getI64Type();
  Value group = b.create<arith::ExtUIOp>(type, specialRegister("ctaid"));
  int64_t groups = kernel.getThreads() / kernel.getGroup();
  if (groups > 1) {
    Value within = b.create<arith::ShRUIOp>(specialRegister("tid"), i32(llvm::Log2_64(kernel.getGroup())));
    group = b.create<arith::MulIOp>(group, i64(groups));
    group = b.create<arith::AddIOp>(group, b.create<arith::ExtUIOp>(type, within));
  }
  values.map(op.getResult(), group);
  return success();
}

// ---- The body -------------------------------------------------------------------------------------------------------

LogicalResult KernelLowering::lowerBlock(Block &block) {
  for (Operation &op : block) {
    here = locationOf(&op);
    if (failed(lower(&op)))
      return failure();
  }
  return success();
}

LogicalResult KernelLowering::lower(Operation *op) {
  if (failed(checkLaidOut(op)))
    return failure();
  if (tile::isElementwise(op))
    return lowerElementwise(op);
  for (auto family : {&KernelLowering::lowerSharedOp, &KernelLowering::lowerClusterOp, &KernelLowering::lowerBarrierOp,
                      &KernelLowering::lowerStepOp, &KernelLowering::lowerCopyOp, &KernelLowering::lowerSemaphoreOp,
                      &KernelLowering::lowerTraceOp, &KernelLowering::lowerWgmmaOp, &KernelLowering::lowerMmaOp})
    if (std::optional<LogicalResult> lowered = (this->*family)(op))
      return *lowered;
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](tile::ReturnOp) {
        if (kernel.getCluster() && clusterScratch < 0) // Others may still reach into this block's shared memory.
          clusterBarrier();
        builder.create<LLVM::ReturnOp>(here, ValueRange());
        return success();
      })
      .Case([&](tile::ThreadGroupOp group) { return lowerThreadGroup(group); })
      .Case(
          [&](tile::SliceOp slice) { return slice.getType().isShared() ? lowerSharedSlice(slice) : lowerSlice(slice); })
      .Case([&](tile::StridedSliceOp slice) { return lowerStridedSlice(slice); })
      .Case([&](tile::DimOp dim) { return lowerDim(dim); })
      .Case([&](tile::LoadOp load) {
        return load.getRef().getType().isShared() ? lowerSharedLoad(load) : lowerLoad(load);
      })
      .Case([&](tile::StoreOp store) {
        return store.getRef().getType().isShared() ? lowerSharedStore(store) : lowerStore(store);
      })
      .Case([&](tile::GatherOp gather) { return lowerGather(gather); })
      .Case([&](tile::TakeOp take) { return lowerTake(take); })
      .Case([&](tile::ScatterOp scatter) { return lowerScatter(scatter); })
      .Case([&](tile::AtomicOp atomic) { return lowerAtomic(atomic); })
      .Case([&](tile::PrivateOpenOp open) { return lowerPrivateOpen(open); })
      .Case([&](tile::PrivateFlushOp flush) { return lowerPrivateFlush(flush); })
      .Case([&](tile::FullOp full) { return lowerFull(full); })
      .Case([&](tile::IotaOp iota) { return lowerIota(iota); })
      .Case([&](tile::BroadcastOp broadcast) { return lowerBroadcast(broadcast); })
      .Case([&](tile::MultipleOfOp promise) {
        values.map(promise.getResult(), values.lookup(promise.getValue()));
        return success();
      })
      .Case([&](tile::ExtractOp extract) {
        values.map(extract.getResult(), tiles.find(extract.getTile())->second.front());
        return success();
      })
      .Case([&](tile::ReduceOp reduce) { return lowerReduce(reduce); })
      .Case([&](tile::SortOp sort) { return lowerSort(sort); })
      .Case([&](tile::RadixCountOp count) { return lowerRadixCount(count); })
      .Case([&](tile::RadixPassOp pass) { return lowerRadixPass(pass); })
      .Case([&](tile::CombineOp combine) { return lowerCombine(combine); })
      .Case([&](tile::InlinePtxOp instructions) { return lowerInlinePtx(instructions); })
      .Case([&](tile::ScanOp scan) { return lowerScan(scan); })
      .Case([&](tile::ScanTotalOp total) { return lowerScanTotal(total); })
      .Case([&](tile::CombineLanesOp parts) { return lowerCombineLanes(parts); })
      .Case([&](tile::WarpAllOp all) { return lowerWarpAll(all); })
      .Case([&](tile::DotOp dot) { return lowerDot(dot); })
      .Case([&](tile::PermuteOp permute) { return lowerPermute(permute); })
      .Case([&](tile::RelayoutOp relayout) { return lowerRelayout(relayout); })
      .Case([&](tile::OpaqueOp opaque) { return lowerOpaque(opaque); })
      .Case([&](tile::BarrierOp) {
        groupBarrier();
        return success();
      })
      .Case([&](tile::WarpBarrierOp) {
        builder.create<NVVM::SyncWarpOp>(here, i32(-1));
        return success();
      })
      .Case([&](tile::DebugPrintOp print) { return lowerDebugPrint(print); })
      .Case([&](scf::IfOp branch) { return lowerIf(branch); })
      .Case([&](scf::ForOp loop) { return lowerFor(loop); })
      .Case([&](scf::WhileOp loop) { return lowerWhile(loop); })
      .Case<scf::YieldOp, scf::ConditionOp>([&](auto) { return success(); }) // Their regions' ops make them.
      .Case([&](ub::PoisonOp poison) {
        // A variable that is read before it is set. Zero keeps its further use defined.
        SmallVector<Type> types;
        appendTypes(poison.getType(), types);
        SmallVector<Value> zeros;
        for (Type type : types)
          zeros.push_back(scalars().zero(type));
        ValueRange flat = zeros;
        bind(poison.getResult(), flat);
        return success();
      })
      .Default([&](Operation *other) { return lowerScalar(other); });
}

LogicalResult KernelLowering::lowerScalar(Operation *op) {
  ScalarBuilder b = scalars(op);
  auto operand = [&](unsigned i) { return values.lookup(op->getOperand(i)); };
  auto isKnown = [&](Value value) { return values.contains(value); };
  bool isScalar = op->getNumRegions() == 0 && llvm::all_of(op->getOperands(), isKnown) &&
                  llvm::none_of(op->getResultTypes(), [](Type type) { return isa<ShapedType>(type); });
  if (!isScalar || !isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    return op->emitOpError("is not supported within a kernel");
  auto asUnsigned = [](Type type) {
    unsigned width = type.getIntOrFloatBitWidth();
    return IntegerType::get(type.getContext(), width, width == 1 ? IntegerType::Signless : IntegerType::Unsigned);
  };
  // What is undefined in arith, or rounds twice in LLVM, has the meaning here that the language gives it.
  Value result = llvm::TypeSwitch<Operation *, Value>(op)
                     .Case([&](arith::DivSIOp) { return b.divide(operand(0), operand(1), true); })
                     .Case([&](arith::DivUIOp) { return b.divide(operand(0), operand(1), false); })
                     .Case([&](arith::RemSIOp) { return b.remainder(operand(0), operand(1), true); })
                     .Case([&](arith::RemUIOp) { return b.remainder(operand(0), operand(1), false); })
                     .Case([&](arith::FloorDivSIOp) { return b.floorDivide(operand(0), operand(1)); })
                     .Case([&](arith::CeilDivSIOp) { return b.ceilDivide(operand(0), operand(1)); })
                     .Case([&](arith::ShLIOp) { return b.shiftLeft(operand(0), operand(1)); })
                     .Case([&](arith::ShRUIOp) { return b.shiftRight(operand(0), operand(1), false); })
                     .Case([&](arith::ShRSIOp) { return b.shiftRight(operand(0), operand(1), true); })
                     .Case<arith::FPToSIOp, arith::SIToFPOp, arith::TruncFOp>([&](auto cast) -> Value {
                       if (cast.getIn().getType().isInteger(1)) // A signed bit is 0 or -1, no bool.
                         return {};
                       return b.cast(operand(0), cast.getIn().getType(), cast.getType());
                     })
                     .Case([&](arith::FPToUIOp cast) {
                       return b.cast(operand(0), cast.getIn().getType(), asUnsigned(cast.getType()));
                     })
                     .Case([&](arith::UIToFPOp cast) {
                       return b.cast(operand(0), asUnsigned(cast.getIn().getType()), cast.getType());
                     })
                     .Default([](Operation *) { return Value(); });
  if (result) {
    values.map(op->getResult(0), result);
    return success();
  }
  Operation *clone = builder.clone(*op, values);
  clone->setLoc(here);
  return success();
}

// ---- Control flow ---------------------------------------------------------------------------------------------------

/// LLVM keeps vectors of two bytes that blocks pass on in local memory: these are passed on by elements.
static bool isPassedByElements(const TileRegisters &registers) {
  constexpr unsigned bitsOfRegister = 32;
  return registers.lanes > 1 && registers.lanes * registers.elementType().getIntOrFloatBitWidth() < bitsOfRegister;
}

void KernelLowering::append(Value value, SmallVectorImpl<Value> &flat) {
  if (!isa<RankedTensorType>(value.getType())) {
    flat.push_back(values.lookup(value));
    return;
  }
  const TileRegisters &registers = registersOf(value.getType());
  for (Value vector : tiles.find(value)->second)
    if (isPassedByElements(registers))
      for (int64_t lane = 0; lane < registers.lanes; ++lane)
        flat.push_back(scalars().extract(vector, lane));
    else
      flat.push_back(vector);
}

void KernelLowering::appendTypes(Type type, SmallVectorImpl<Type> &flat) {
  if (!isa<RankedTensorType>(type)) {
    flat.push_back(type);
    return;
  }
  const TileRegisters &registers = registersOf(type);
  if (isPassedByElements(registers))
    flat.append(registers.count() * registers.lanes, registers.elementType());
  else
    flat.append(registers.count(), registers.vectorType());
}

void KernelLowering::bind(Value value, ValueRange &flat) {
  auto take = [&](int64_t count) {
    ValueRange taken = flat.take_front(count);
    flat = flat.drop_front(count);
    return taken;
  };
  if (!isa<RankedTensorType>(value.getType())) {
    values.map(value, take(1).front());
    return;
  }
  const TileRegisters &registers = registersOf(value.getType());
  Registers bound;
  for (int64_t i = 0; i < registers.count(); ++i)
    bound.push_back(isPassedByElements(registers) ? scalars().gather(llvm::to_vector(take(registers.lanes)))
                                                  : take(1).front());
  tiles[value] = std::move(bound);
}

/// Lowers a region's block into another one, up to its terminator, whose operands become those of a new one.
LogicalResult KernelLowering::lowerNested(Block &from, Block &to, ValueRange arguments) {
  OpBuilder::InsertionGuard guard(builder);
  if (!to.empty() && to.back().hasTrait<OpTrait::IsTerminator>())
    to.back().erase();
  builder.setInsertionPointToEnd(&to);
  for (Value argument : from.getArguments())
    bind(argument, arguments);
  if (failed(lowerBlock(from)))
    return failure();
  Operation *terminator = from.getTerminator();
  SmallVector<Value> operands;
  for (Value operand : terminator->getOperands())
    append(operand, operands);
  if (isa<scf::ConditionOp>(terminator))
    builder.create<scf::ConditionOp>(here, operands.front(), ArrayRef(operands).drop_front());
  else
    builder.create<scf::YieldOp>(here, operands);
  return success();
}

static LogicalResult checkCarried(Operation *op) {
  auto isRef = [](Type type) { return isa<tile::RefType>(type); };
  if (llvm::any_of(op->getOperandTypes(), isRef) || llvm::any_of(op->getResultTypes(), isRef))
    return op->emitOpError("chooses a ref at run time, which is not supported");
  return success();
}

LogicalResult KernelLowering::lowerIf(scf::IfOp op) {
  SmallVector<Type> types;
  if (failed(checkCarried(op)))
    return failure();
  for (Type type : op.getResultTypes())
    appendTypes(type, types);
  bool hasElse = !op.getElseRegion().empty();
  auto lowered = builder.create<scf::IfOp>(here, types, values.lookup(op.getCondition()), hasElse);
  auto lowerBranch = [&](Block &from, Block &to) {
    return isCopyingRole(from.getParent()) ? lowerCopyingRole(from, to) : lowerNested(from, to, {});
  };
  if (failed(lowerBranch(*op.thenBlock(), *lowered.thenBlock())))
    return failure();
  if (hasElse && failed(lowerBranch(*op.elseBlock(), *lowered.elseBlock())))
    return failure();
  ValueRange flat = lowered.getResults();
  for (Value result : op.getResults())
    bind(result, flat);
  return success();
}

LogicalResult KernelLowering::lowerFor(scf::ForOp op) {
  SmallVector<Value> inits;
  if (failed(checkCarried(op)))
    return failure();
  for (Value init : op.getInitArgs())
    append(init, inits);
  auto lowered = builder.create<scf::ForOp>(here, values.lookup(op.getLowerBound()), values.lookup(op.getUpperBound()),
                                            values.lookup(op.getStep()), inits);
  if (failed(lowerNested(*op.getBody(), *lowered.getBody(), lowered.getBody()->getArguments())))
    return failure();
  ValueRange flat = lowered.getResults();
  for (Value result : op.getResults())
    bind(result, flat);
  return success();
}

LogicalResult KernelLowering::lowerWhile(scf::WhileOp op) {
  SmallVector<Value> inits;
  SmallVector<Type> types;
  if (failed(checkCarried(op)))
    return failure();
  for (Value init : op.getInits())
    append(init, inits);
  for (Type type : op.getResultTypes())
    appendTypes(type, types);
  auto lowered = builder.create<scf::WhileOp>(here, types, inits);
  Block *before = &lowered.getBefore().emplaceBlock(), *after = &lowered.getAfter().emplaceBlock();
  for (Value init : inits)
    before->addArgument(init.getType(), here);
  for (Type type : types)
    after->addArgument(type, here);
  if (failed(lowerNested(*op.getBeforeBody(), *before, before->getArguments())) ||
      failed(lowerNested(*op.getAfterBody(), *after, after->getArguments())))
    return failure();
  ValueRange flat = lowered.getResults();
  for (Value result : op.getResults())
    bind(result, flat);
  return success();
}

} // namespace tegula::lower
