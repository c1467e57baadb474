// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which kernels a launch gets besides the one that serves every call. Each variant costs compile time and code, so only
// those are made that pay on shapes that occur (test/benchmark/variants.cpp measures what each gains).
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tegula::split {

/// A launch has at most 6 kernels for each class. One of rows has the general one with and without vectors, and rows of
/// four lengths; one of updates those of any strides, of neighbours and of vectors, and two whose CTAs combine them.
/// (Rows that are just as long as what holds them gain nothing by kernels without masks: test/benchmark/RESULTS.md.)
struct Variants {
  /// Accesses of 16 bytes, where arrays allow them.
  bool vector = true;
  /// Rows that a warp holds, those that half a CTA and a whole one hold, and those that the CTAs of a cluster hold
  /// together.
  bool warp = true, half = true, block = true, cluster = true;
  /// Smaller sub-tiles for small products.
  bool small = true;
  /// Products on tensor cores.
  bool tensor = true;
  /// Few sub-tiles of products, long sums: partial sums, and what combines them.
  bool splitK = true;
  /// Updates of few elements: a copy of these in the shared memory of each CTA.
  bool isPrivate = true;

  /// The variants of these names and no others; none if a name is unknown.
  static std::optional<Variants> of(llvm::ArrayRef<std::string> names);
  /// All names, with commas between.
  static std::string names();
};

} // namespace tegula::split
