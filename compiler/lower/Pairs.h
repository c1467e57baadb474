// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Combines values in pairs, so that chains are short: of a, b, c, d, e ((a b) (c d)) e.
#pragma once

#include "mlir/Support/LLVM.h"

namespace tegula::lower {

/// What `combine` makes of two values, it makes of all. Pairs are combined as soon as both of their parts are there:
/// few are held at a time.
template <class T, class F> mlir::FailureOr<T> combineInPairs(llvm::SmallVector<T> all, F combine) {
  llvm::SmallVector<std::pair<T, size_t>> parts; ///< and of how many values each is; ever fewer
  auto combineLast = [&]() -> mlir::LogicalResult {
    auto [second, ofSecond] = parts.pop_back_val();
    auto &[first, ofFirst] = parts.back();
    mlir::FailureOr<T> both = combine(first, second);
    if (failed(both))
      return mlir::failure();
    first = std::move(*both);
    ofFirst += ofSecond;
    return mlir::success();
  };
  for (T &each : all) {
    parts.emplace_back(std::move(each), 1);
    while (parts.size() > 1 && parts[parts.size() - 2].second == parts.back().second)
      if (failed(combineLast()))
        return mlir::failure();
  }
  while (parts.size() > 1)
    if (failed(combineLast()))
      return mlir::failure();
  return std::move(parts.front().first);
}

} // namespace tegula::lower
