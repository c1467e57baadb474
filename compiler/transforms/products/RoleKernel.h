// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel for the consumers of a CTA on its way to one with a producer beside them: what chained products and others
// have in common. pipelines/RingAccess.h has what threads do with a ring.
#pragma once

#include "ir/ProductOptions.h"
#include "pipelines/Ring.h"
#include "transforms/products/Mainloop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tegula {

class RoleKernel {
public:
  /// `slices` consumers have the same rows each.
  RoleKernel(mlir::OpBuilder &builder, tile::KernelOp kernel, const Mainloop &mainloop, int64_t slices = 1)
      : builder(builder), kernel(kernel), mainloop(mainloop), loc(mlir::scf::ForOp(mainloop.loop).getLoc()),
        consumers(*kernel.getConsumers()), slices(slices), cluster(clusterSizeOf(kernel)) {}

  /// The kernel asks which CTA and which warpgroup it is, no longer which thread group.
  void replacePosition();
  /// The number in the cluster of this CTA's first consumer.
  mlir::Value firstMember();
  /// Of what consumers and the producer do, the latter first.
  mlir::scf::IfOp makeRoles();
  /// The kernel now has threads for both.
  void finish();

  /// In front of the loop over sub-tiles.
  mlir::Value allocate(mlir::Type element, llvm::ArrayRef<int64_t> dims, int64_t swizzle = 0);
  mlir::Value allocateBarriers(int64_t count, int64_t arrivals, llvm::ArrayRef<int64_t> axes, llvm::StringRef name);
  /// A variable that has this value, of an integer type, when the kernel begins.
  mlir::Value makeVariable(mlir::Type type, int64_t value);
  void makeRing(Ring &ring);

  mlir::Value constant(int64_t value) {
    return builder.create<mlir::arith::ConstantOp>(loc, builder.getI64IntegerAttr(value));
  }

  mlir::OpBuilder &builder;
  tile::KernelOp kernel;
  const Mainloop &mainloop;
  mlir::Location loc;
  int64_t consumers; ///< that have rows of their own
  int64_t slices, cluster;
  mlir::Value warpgroup; ///< of the CTA
  mlir::Value member;    ///< of the cluster, if it is a consumer
};

} // namespace tegula
