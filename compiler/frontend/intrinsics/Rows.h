// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of intrinsics: each family has the rows of its functions beside what imports them, and Dispatch.cpp looks
// them up. A new intrinsic is a row and a function in its family's file.
#pragma once

#include "frontend/Importer.h"

namespace tegula::frontend {

/// Where an intrinsic may be called. Explicit: in the body of tg::kernel.
enum class Side { Host, Device, Both, Explicit, HostOrExplicit };

struct IntrinsicRow {
  /// The class of a member, or nothing.
  Known owner;
  llvm::StringLiteral name;
  Side side;
  CallResult (*import)(Importer &, const IntrinsicCall &);
};

/// A handler that is a member of Importer.
template <auto Member> CallResult member(Importer &importer, const IntrinsicCall &call) {
  return (importer.*Member)(call);
}

llvm::ArrayRef<IntrinsicRow> accessRows();
llvm::ArrayRef<IntrinsicRow> atomicRows();
llvm::ArrayRef<IntrinsicRow> conversionRows();
llvm::ArrayRef<IntrinsicRow> extentRows();
llvm::ArrayRef<IntrinsicRow> hostRows();
llvm::ArrayRef<IntrinsicRow> indexingRows();
llvm::ArrayRef<IntrinsicRow> inlineRows();
llvm::ArrayRef<IntrinsicRow> layoutRows();
llvm::ArrayRef<IntrinsicRow> mmaRows();
llvm::ArrayRef<IntrinsicRow> programRows();
llvm::ArrayRef<IntrinsicRow> reductionRows();
llvm::ArrayRef<IntrinsicRow> semaphoreRows();
llvm::ArrayRef<IntrinsicRow> sharedRows();
llvm::ArrayRef<IntrinsicRow> sliceRows();
llvm::ArrayRef<IntrinsicRow> viewRows();
llvm::ArrayRef<IntrinsicRow> wgmmaRows();

} // namespace tegula::frontend
