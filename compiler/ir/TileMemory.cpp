// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops read and write.
#include "ir/TileDialect.h"

using namespace mlir;
using namespace tegula::tile;

using Accesses = SmallVector<MemoryAccess>;
using Kind = MemoryAccess::Kind;

Accesses LoadOp::getMemoryAccesses() { return {{getRef(), getResult(), Kind::read, Proxy::generic}}; }

Accesses StoreOp::getMemoryAccesses() { return {{getRef(), getValue(), Kind::write, Proxy::generic}}; }

Accesses CopyToSharedOp::getMemoryAccesses() {
  return {{getSource(), {}, Kind::read, Proxy::async}, {getTarget(), {}, Kind::write, Proxy::async}};
}

Accesses CopyToGlobalOp::getMemoryAccesses() {
  return {{getSource(), {}, Kind::read, Proxy::async}, {getTarget(), {}, Kind::write, Proxy::async}};
}

Accesses TmaLoadOp::getMemoryAccesses() {
  return {{getMap(), {}, Kind::read, Proxy::async}, {getTarget(), {}, Kind::write, Proxy::async}};
}

Accesses TmaStoreOp::getMemoryAccesses() {
  return {{getSource(), {}, Kind::read, Proxy::async}, {getMap(), {}, Kind::write, Proxy::async}};
}

Accesses WgmmaOp::getMemoryAccesses() {
  Accesses result = {{getB(), {}, Kind::read, Proxy::async}};
  if (isa<RefType>(getA().getType()))
    result.push_back({getA(), {}, Kind::read, Proxy::async});
  return result;
}
