// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracks which elements of its output block a program has stored. An output is undefined where nothing is stored, and
// only this program stores to its block.

#ifndef TEGULA_CPU_WRITTEN_H
#define TEGULA_CPU_WRITTEN_H

#include "tegula/cpu/elements.h"
#include "tegula/cpu/reach.h"

#include <algorithm>
#include <vector>

namespace tegula::cpu {

/// A mark for each element of one block.
template <class T, int Rank> class written {
public:
  explicit written(const ref<T, Rank> &block)
      : indices_(block), marks_(static_cast<std::size_t>(indices_.size()), false) {}
  explicit written(const table<T, Rank> &block)
      : indices_(block), marks_(static_cast<std::size_t>(indices_.size()), false) {}
  /// A block out of bounds has no elements that could be missing.
  explicit written(const reach<T, Rank> &block) : written(block.inside()) {
    if (!block.is_somewhere())
      marks_.assign(marks_.size(), true);
  }

  /// The program has stored to a window of the block.
  template <int R> void add(const ref<T, R> &window) {
    indices_.for_each(window, [&](std::int64_t linear) { marks_[static_cast<std::size_t>(linear)] = true; });
  }
  /// The program has stored to an element of the block, or of its surroundings.
  void add(reference_t<const T> element) { marks_[static_cast<std::size_t>(indices_.of(element))] = true; }
  /// A masked store counts for its whole window: the mask states which elements keep their values.
  template <int R> void add(const reach<T, R> &window) {
    if (window.is_somewhere())
      add(window.inside());
  }

  /// At the end of the program: throws if elements of the block were not stored.
  void check(const site &where, const char *entry, const char *name, const std::vector<std::int64_t> &program) const {
    if (const std::int64_t missing = std::count(marks_.begin(), marks_.end(), false); missing > 0)
      report(where, entry, name, program, missing, std::find(marks_.begin(), marks_.end(), false) - marks_.begin());
  }

private:
  [[noreturn]] void report(const site &where, const char *entry, const char *name,
                           const std::vector<std::int64_t> &program, std::int64_t missing, std::int64_t first) const {
    fail(where, describe_program(program) + " of " + entry + " stores nothing to " + std::to_string(missing) +
                    " of the " + std::to_string(indices_.size()) + " elements of its block of " + name +
                    ", which is tg::out; the first of them is " + indices_.describe(name, first) +
                    ": store to all of the block, or, if elements are left out on purpose, let them keep " +
                    "their values: tg::partial_out");
  }

  linear_indices<T, Rank> indices_;
  std::vector<bool> marks_;
};

template <class T, int Rank> written(const ref<T, Rank> &) -> written<T, Rank>;
template <class T, int Rank> written(const reach<T, Rank> &) -> written<T, Rank>;
template <class T, int Rank> written(const table<T, Rank> &) -> written<T, Rank>;

} // namespace tegula::cpu

#endif // TEGULA_CPU_WRITTEN_H
