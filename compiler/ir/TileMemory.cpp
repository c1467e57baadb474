// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops read and write.
#include "ir/TileDialect.h"

using namespace mlir;
using namespace tegula::tile;

using Accesses = SmallVector<MemoryAccess>;
using Kind = MemoryAccess::Kind;

static Scope scopeOf(Value ref) { return isOfCluster(ref) ? Scope::cluster : Scope::cta; }

Accesses LoadOp::getMemoryAccesses() {
  return {{getRef(), getResult(), Kind::read, Proxy::generic, Completion::inOrder, scopeOf(getRef())}};
}

Accesses StoreOp::getMemoryAccesses() {
  return {{getRef(), getValue(), Kind::write, Proxy::generic, Completion::inOrder, scopeOf(getRef())}};
}

/// Of words one by one where they are combined with what is there: lanes side by side have neighbours.
Accesses AsyncStoreOp::getMemoryAccesses() {
  return {{getTarget(), getReduction() ? Value() : Value(getValue()), Kind::write, Proxy::generic, Completion::barrier,
           Scope::cluster}};
}

/// A tile lies along the innermost dimension of memory if that is its own last one.
template <class IndirectOp> static MemoryAccess indirect(IndirectOp op, Value tile, Kind kind) {
  auto ref = cast<RefType>(op.getRef().getType());
  int64_t rank = cast<RankedTensorType>(tile.getType()).getRank();
  bool isAlong = ref.getRank() > 0 && op.getIteratedDim(ref.getRank() - 1) == rank - 1;
  // Updates of shared memory are of single elements: lanes side by side have neighbours.
  MemoryAccess access{op.getRef(), isAlong && !ref.isShared() ? tile : Value(), kind};
  access.isIndirect = !op.getIndices().empty();
  return access;
}

Accesses GatherOp::getMemoryAccesses() { return {indirect(*this, getResult(), Kind::read)}; }
Accesses ScatterOp::getMemoryAccesses() { return {indirect(*this, getValue(), Kind::write)}; }
Accesses AtomicOp::getMemoryAccesses() {
  MemoryAccess access = indirect(*this, getValue(), Kind::update);
  access.isAtomic = true;
  access.scope = scopeOf(getRef());
  return {access};
}

Accesses PrivateFlushOp::getMemoryAccesses() {
  MemoryAccess access{getRef(), {}, Kind::update};
  access.isIndirect = access.isAtomic = true;
  return {access};
}

/// What a copy to shared memory reads and writes; the barrier counts its bytes.
static Accesses loadedByTma(Value source, Value target, bool isMulticast) {
  return {{source, {}, Kind::read, Proxy::async, Completion::barrier},
          {target, {}, Kind::write, Proxy::async, Completion::barrier, isMulticast ? Scope::cluster : Scope::cta}};
}

/// What a copy of shared memory reads and writes.
static Accesses storedByTma(Value source, Value target) {
  return {{source, {}, Kind::read, Proxy::async, Completion::copyGroup},
          {target, {}, Kind::write, Proxy::async, Completion::copyGroup}};
}

Accesses CopyToSharedOp::getMemoryAccesses() {
  return loadedByTma(getSource(), getTarget(), getMulticast() && !getMulticast()->empty());
}

Accesses CopyToGlobalOp::getMemoryAccesses() { return storedByTma(getSource(), getTarget()); }

Accesses BulkLoadOp::getMemoryAccesses() { return loadedByTma(getSource(), getTarget(), /*isMulticast=*/false); }

Accesses BulkStoreOp::getMemoryAccesses() { return storedByTma(getSource(), getTarget()); }

Accesses CpAsyncOp::getMemoryAccesses() {
  return {{getSource(), {}, Kind::read, Proxy::generic, Completion::cpAsyncGroup},
          {getTarget(), {}, Kind::write, Proxy::generic, Completion::cpAsyncGroup}};
}

Accesses TmaLoadOp::getMemoryAccesses() { return loadedByTma(getMap(), getTarget(), getMask() != nullptr); }

Accesses TmaStoreOp::getMemoryAccesses() { return storedByTma(getSource(), getMap()); }

Accesses WgmmaOp::getMemoryAccesses() {
  Accesses result;
  for (Value factor : {Value(getA()), Value(getB())})
    if (isa<RefType>(factor.getType()))
      result.push_back({factor, {}, Kind::read, Proxy::async, Completion::wgmmaGroup});
  return result;
}
