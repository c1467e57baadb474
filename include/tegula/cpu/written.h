// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program has stored of its block of an output. An output is undefined where nothing is stored, and the block is
// the program's alone: what it leaves out, nobody writes.

#ifndef TEGULA_CPU_WRITTEN_H
#define TEGULA_CPU_WRITTEN_H

#include "tegula/cpu/reach.h"
#include "tegula/cpu/tile.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <numeric>

namespace tegula::cpu {

/// A mark for each element of one block. Different indices of an output are different elements (call::output), so that
/// an address says which element it is of, through whichever windows and transposes it was found.
template <class T, int Rank> class written {
public:
  explicit written(const ref<T, Rank> &block)
      : first_(block.data()), strides_(block.strides()), marks_(block.dims(), false) {
    std::iota(by_stride_.begin(), by_stride_.end(), 0);
    std::sort(by_stride_.begin(), by_stride_.end(), [&](int a, int b) { return strides_[a] > strides_[b]; });
  }
  explicit written(const reach<T, Rank> &block) : written(block.inside()) {
    if (!block.is_somewhere())
      marks_ = tile<bool, Rank>(marks_.dims(), true);
  }

  /// The program has stored to a window of the block.
  template <int R> void add(const ref<T, R> &window) {
    if (size_of(window.dims()) == 0)
      return;
    shape<R> steps, index;
    for (int axis = 0; axis < R; ++axis)
      steps[axis] = window.dim(axis) > 1 ? mark_of(window.strides()[axis]) : 0;
    const ref<bool, R> marks(marks_.view().data() + mark_of(window.data() - first_), window.dims(), steps);
    for (int axis = R; axis >= 0;) {
      marks.at(index) = true;
      for (axis = R - 1; axis >= 0 && ++index[axis] == window.dim(axis); --axis)
        index[axis] = 0;
    }
  }
  /// With a mask. The author says with it which elements stay as they are: all of the window counts.
  template <int R> void add(const reach<T, R> &window) {
    if (window.is_somewhere())
      add(window.inside());
  }

  /// At the end of the program: throws if elements of the block are missing.
  void check(const site &where, const char *entry, const char *name,
             std::initializer_list<std::int64_t> program) const {
    const bool *begin = marks_.view().data(), *end = begin + marks_.size();
    if (const std::int64_t missing = std::count(begin, end, false); missing > 0)
      report(where, entry, name, program, missing, std::find(begin, end, false) - begin);
  }

private:
  /// How many marks lie between those of two elements that are `offset` elements of memory apart. A stride steps over
  /// all that the smaller ones reach.
  std::int64_t mark_of(std::int64_t offset) const {
    const shape<Rank> steps = dense_strides(marks_.dims());
    std::int64_t mark = 0;
    for (int axis : by_stride_)
      if (marks_.dim(axis) > 1) {
        mark += offset / strides_[axis] * steps[axis];
        offset %= strides_[axis];
      }
    return mark;
  }

  [[noreturn]] void report(const site &where, const char *entry, const char *name,
                           std::initializer_list<std::int64_t> program, std::int64_t missing, std::int64_t mark) const {
    std::string ids, index;
    for (std::int64_t id : program)
      ids += (ids.empty() ? "" : ", ") + std::to_string(id);
    const shape<Rank> steps = dense_strides(marks_.dims());
    for (int axis = 0; axis < Rank; mark %= steps[axis++])
      index += (axis > 0 ? ", " : "") + std::to_string(mark / steps[axis]);
    fail(where, (ids.empty() ? "the program" : "program (" + ids + ")") + " of " + entry + " stores nothing to " +
                    std::to_string(missing) + " of the " + std::to_string(marks_.size()) +
                    " elements of its block of " + name + ", which is tg::out; the first of them is " + name + "[" +
                    index + "]: store to all of the block, store with a mask where elements are left out on purpose, " +
                    "or let the array keep what it holds: tg::inout");
  }

  const T *first_;
  shape<Rank> strides_;
  std::array<int, static_cast<std::size_t>(Rank)> by_stride_; ///< the axes, from the largest stride on
  tile<bool, Rank> marks_;
};

template <class T, int Rank> written(const ref<T, Rank> &) -> written<T, Rank>;
template <class T, int Rank> written(const reach<T, Rank> &) -> written<T, Rank>;

} // namespace tegula::cpu

#endif // TEGULA_CPU_WRITTEN_H
