// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structs of the interfaces that ops implement (TileInterfaces.td), and their traits.
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace tegula::tile {

/// Which path an access of memory takes (PTX ISA, "Proxies"): loads and stores of threads are generic, TMA copies and
/// the operands of tensor cores in shared memory asynchronous.
enum class Proxy { generic, async };

/// One access of memory by an op.
struct MemoryAccess {
  enum class Kind { read, write, update };

  /// A ref or a tensor map.
  mlir::Value ref;
  /// What a thread group reads into registers or writes from them; null where no register takes part.
  mlir::Value tile;
  Kind kind = Kind::read;
  Proxy proxy = Proxy::generic;

  bool isRead() const { return kind != Kind::write; }
  bool isWrite() const { return kind != Kind::read; }
};

template <class ConcreteType>
class SynchronizesThreadGroup : public mlir::OpTrait::TraitBase<ConcreteType, SynchronizesThreadGroup> {};

} // namespace tegula::tile
