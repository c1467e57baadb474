// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory of other blocks of the cluster (PTX ISA, "State Spaces": .shared::cluster). Addresses are computed as
// those of this block's own memory, and `mapa` tells where another block has the same, for each access: ptxas folds
// constants of sums into accesses of 64 bits, and an address of the cluster's window from which more is subtracted
// than is added before that would leave the window.
#include "ir/Cluster.h"
#include "lower/KernelLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::lower {

/// The rank of the block that stands at an index along an axis, and along the others where this one stands.
Value KernelLowering::rankAlong(int64_t axis, Value index) {
  ScalarBuilder b = scalars();
  tile::ClusterShape cluster(kernel.getClusterShapeAttr());
  int64_t stride = cluster.stride(axis), size = cluster.size(axis);
  Value own = clusterRank(), along = own;
  if (stride > 1)
    along = b.create<arith::DivUIOp>(along, i32(stride));
  if (stride * size < static_cast<int64_t>(*kernel.getCluster()))
    along = b.create<arith::RemUIOp>(along, i32(size));
  if (along == own) // The only axis.
    return index;
  Value distance = b.create<arith::SubIOp>(index, along);
  return b.create<arith::AddIOp>(own, b.create<arith::MulIOp>(distance, i32(stride)));
}

SmallVector<Value> KernelLowering::placesOf(const SharedRef &ref, const TileRegisters &registers, int64_t width) {
  SmallVector<Value> places = chunkAddresses(ref, threadCoordinates(registers), partsOf(registers, width));
  if (ref.isOfCluster())
    for (Value &address : places)
      address = inBlock(address, ref.block);
  return places;
}

/// The place that another block has at the address of this one's.
Value KernelLowering::inBlock(Value address, Value block) {
  return scalars().assembly("mapa.shared::cluster.u32 $0, $1, $2;", "=r,r,r", builder.getI32Type(), {address, block});
}

LogicalResult KernelLowering::lowerClusterRef(tile::ClusterRefOp op) {
  ScalarBuilder b = scalars(op);
  SharedRef ref = shared.find(op.getSource())->second;
  if (kernel.getCluster()) // Else there is this block alone.
    ref.block = rankAlong(op.getAxis(), b.create<arith::TruncIOp>(builder.getI32Type(), values.lookup(op.getIndex())));
  shared[op.getResult()] = std::move(ref);
  return success();
}

// ---- Accesses -------------------------------------------------------------------------------------------------------

namespace {
/// The registers that an instruction moves so many bytes by.
struct ClusterWords {
  int64_t count, bits;

  static ClusterWords of(int64_t bytes) { return bytes < 4 ? ClusterWords{1, 8 * bytes} : ClusterWords{bytes / 4, 32}; }
  /// A byte travels in a register of 16 bits.
  unsigned registerBits() const { return bits < 32 ? 16 : 32; }
  const char *constraint() const { return bits < 32 ? "h" : "r"; }
  /// `.v4.b32`
  std::string type() const {
    return (count > 1 ? ".v" + std::to_string(count) : std::string()) + ".b" + std::to_string(bits);
  }
  /// `{$2, $3}`, or `$2`
  std::string list(size_t first) const { return count > 1 ? operandList(first, count) : "$" + std::to_string(first); }
  std::string constraints(StringRef prefix) const {
    std::string all;
    for (int64_t i = 0; i < count; ++i)
      all += (i ? "," : "") + (prefix + constraint()).str();
    return all;
  }
};
} // namespace

/// Neighbours as words, which are vectors of as many bits.
static SmallVector<Value> toWords(ScalarBuilder b, Value chunk, const ClusterWords &words) {
  Type word = b.builder.getIntegerType(words.registerBits());
  if (words.bits == 8)
    return {b.create<arith::ExtUIOp>(word, b.create<LLVM::BitcastOp>(b.builder.getI8Type(), chunk))};
  Type type = words.count == 1 ? word : Type(VectorType::get(words.count, word));
  Value all = b.create<LLVM::BitcastOp>(type, chunk);
  SmallVector<Value> result;
  for (int64_t i = 0; i < words.count; ++i)
    result.push_back(b.extract(all, i));
  return result;
}

LogicalResult KernelLowering::loadFromCluster(tile::LoadOp op, const SharedRef &ref, const TileRegisters &registers) {
  ScalarBuilder b = scalars(op);
  int64_t width = accessWidth(ref, registers);
  ClusterWords words = ClusterWords::of(width * ref.elementBytes);
  bool isBool = registers.elementType().isInteger(1);
  Type element = isBool ? builder.getI8Type() : registers.elementType();
  Type word = builder.getIntegerType(words.registerBits());
  Type loadedType = word;
  if (words.count > 1)
    loadedType = LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(words.count, word));
  SmallVector<Value> elements;
  for (Value address : placesOf(ref, registers, width)) {
    Value loaded =
        effect("ld.shared::cluster" + words.type() + " " + words.list(0) + ", [$" + Twine(words.count) + "];",
               words.constraints("=") + ",r", address, loadedType)
            .getRes();
    if (words.count > 1) {
      SmallVector<Value> each;
      for (int64_t i = 0; i < words.count; ++i)
        each.push_back(builder.create<LLVM::ExtractValueOp>(here, loaded, i));
      loaded = b.gather(each);
    } else if (words.bits == 8) {
      loaded = b.create<arith::TruncIOp>(builder.getI8Type(), loaded);
    }
    Value chunk = b.create<LLVM::BitcastOp>(width == 1 ? element : Type(VectorType::get(width, element)), loaded);
    for (int64_t i = 0; i < width; ++i) {
      Value each = b.extract(chunk, i);
      elements.push_back(isBool ? b.create<arith::TruncIOp>(builder.getI1Type(), each) : each);
    }
  }
  Registers result;
  for (int64_t i = 0; i < registers.count(); ++i)
    result.push_back(b.gather(ArrayRef(elements).slice(i * registers.lanes, registers.lanes)));
  tiles[op.getResult()] = std::move(result);
  return success();
}

/// The elements of a tile by chunks of so many neighbours.
SmallVector<Value> KernelLowering::chunksOf(Value tile, int64_t width) {
  ScalarBuilder b = scalars();
  const TileRegisters &registers = registersOf(tile.getType());
  bool isBool = registers.elementType().isInteger(1);
  SmallVector<Value> elements, chunks;
  for (Value vector : tiles.find(tile)->second)
    for (int64_t lane = 0; lane < registers.lanes; ++lane) {
      Value each = b.extract(vector, lane);
      elements.push_back(isBool ? b.create<arith::ExtUIOp>(builder.getI8Type(), each) : each);
    }
  for (size_t first = 0; first < elements.size(); first += width)
    chunks.push_back(b.gather(ArrayRef(elements).slice(first, width)));
  return chunks;
}

void KernelLowering::storeToCluster(tile::StoreOp op, const SharedRef &ref, const TileRegisters &registers) {
  ScalarBuilder b = scalars(op);
  int64_t width = accessWidth(ref, registers);
  ClusterWords words = ClusterWords::of(width * ref.elementBytes);
  SmallVector<Value> chunks = chunksOf(op.getValue(), width);
  for (auto [chunk, address] : llvm::zip_equal(chunks, placesOf(ref, registers, width))) {
    SmallVector<Value> operands = {address};
    llvm::append_range(operands, toWords(b, chunk, words));
    effect("st.shared::cluster" + words.type() + " [$0], " + words.list(1) + ";", "r," + words.constraints(""),
           operands);
  }
}

// ---- Stores that a barrier counts -----------------------------------------------------------------------------------

/// `.add.u32`: what red.async says of operation and type.
static std::string reductionName(tile::CopyReduction kind, Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  bool isBitwise = kind >= tile::CopyReduction::And,
       isOrdered = kind == tile::CopyReduction::Min || kind == tile::CopyReduction::Max;
  StringRef type = isBitwise ? "b" : isOrdered && !element.isUnsignedInteger() ? "s" : "u";
  return ("." + tile::stringifyCopyReduction(kind) + "." + type + Twine(bits)).str();
}

/// A block without others stores to its own memory, and arrives when all is there: without a cluster the instructions
/// below are illegal.
void KernelLowering::storeAlone(tile::AsyncStoreOp op) {
  ScalarBuilder b = scalars(op);
  const SharedRef &ref = shared.find(op.getTarget())->second;
  const TileRegisters &registers = registersOf(op.getValue().getType());
  int64_t width = op.getReduction() ? 1 : accessWidth(ref, registers);
  ClusterWords words = ClusterWords::of(width * ref.elementBytes);
  bool isWide = op.getReduction() && ref.elementBytes == 8;
  std::string name = "st.shared::cta" + words.type(), constraints = words.constraints("");
  if (op.getReduction())
    name = "red.relaxed.cta.shared::cta" + reductionName(*op.getReduction(), op.getTarget().getType().getElementType());
  Value guard = isStoring(registers);
  for (auto [chunk, address] : llvm::zip_equal(chunksOf(op.getValue(), width), placesOf(ref, registers, width))) {
    SmallVector<Value> operands = {address};
    if (isWide)
      operands.push_back(chunk);
    else
      llvm::append_range(operands, toWords(b, chunk, words));
    std::string list = isWide ? "$1" : words.list(1);
    std::string each = "r," + (isWide ? std::string("l") : constraints), when;
    if (guard) {
      operands.push_back(guard);
      each += ",b";
      when = "@$" + std::to_string(operands.size() - 1) + " ";
    }
    effect(when + name + " [$0], " + list + ";", each, operands);
  }
  groupBarrier();
  effect("@$1 mbarrier.arrive.shared::cta.b64 _, [$0];", "r,b",
         {barrierAddress(op.getBarriers(), op.getIndex()), isLeader()});
}

/// Every lane stores what it has, and one announces the bytes of all: until both are there, the phase does not end (PTX
/// ISA, st.async and red.async).
LogicalResult KernelLowering::lowerAsyncStore(tile::AsyncStoreOp op) {
  if (!kernel.getCluster()) {
    storeAlone(op);
    return success();
  }
  ScalarBuilder b = scalars(op);
  const SharedRef &ref = shared.find(op.getTarget())->second;
  const TileRegisters &registers = registersOf(op.getValue().getType());
  int64_t width = op.getReduction() ? 1 : accessWidth(ref, registers), bytes = width * ref.elementBytes;
  constexpr int64_t bytesOfWord = 4;
  if (bytes < bytesOfWord)
    return op.emitError() << "tg::async_store_smem stores words of 4 bytes, but a thread has only " << bytes
                          << " contiguous bytes of this tile: store elements of 32 bits, tg::astype<float>(x), or "
                             "write shared memory by [...] and let the other CTA read it, tg::cluster_ref";
  Value guard = isStoring(registers), barrier = barrierAddress(op.getBarriers(), op.getIndex());
  if (ref.isOfCluster())
    barrier = inBlock(barrier, ref.block);
  if (guard) // No warp that stores nothing stays so far behind that it misses a phase.
    groupBarrier();
  effect("@$2 mbarrier.arrive.expect_tx.shared::cluster.b64 _, [$0], $1;", "r,r,b",
         {barrier, i32(op.getTarget().getType().getSizeInBytes()), isLeader()});
  bool isWide = op.getReduction() && bytes == 2 * bytesOfWord;
  ClusterWords words = isWide ? ClusterWords{1, 64} : ClusterWords::of(bytes);
  std::string name = op.getReduction() ? "red.async.relaxed.cluster" : "st.async";
  name += ".shared::cluster.mbarrier::complete_tx::bytes";
  name +=
      op.getReduction() ? reductionName(*op.getReduction(), op.getTarget().getType().getElementType()) : words.type();
  SmallVector<Value> chunks = chunksOf(op.getValue(), width);
  for (auto [chunk, address] : llvm::zip_equal(chunks, placesOf(ref, registers, width))) {
    SmallVector<Value> operands = {address, barrier};
    if (isWide)
      operands.push_back(chunk);
    else
      llvm::append_range(operands, toWords(b, chunk, words));
    std::string constraints = std::string("r,r,") + (isWide ? "l" : words.constraints("")), when;
    if (guard) {
      operands.push_back(guard);
      constraints += ",b";
      when = "@$" + std::to_string(operands.size() - 1) + " ";
    }
    effect(when + name + " [$0], " + words.list(2) + ", [$1];", constraints, operands);
  }
  return success();
}

std::optional<LogicalResult> KernelLowering::lowerClusterOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<LogicalResult>>(op)
      .Case([&](tile::ClusterRefOp ref) { return lowerClusterRef(ref); })
      .Case([&](tile::AsyncStoreOp store) { return lowerAsyncStore(store); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace tegula::lower
