// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detects programs of a grid that read what another one stores. On a GPU they run concurrently; here, one after
// another, such a kernel would give the same result every time.

#ifndef TEGULA_CPU_RACES_H
#define TEGULA_CPU_RACES_H

#include "tegula/cpu/elements.h"

#include <memory>
#include <vector>

namespace tegula::cpu {

/// For each element of an array, the first program that reads it, the first that stores it and the first that updates
/// it. Programs run in order, so the first ones suffice: if any program other than the current one has read an element,
/// the first reader is another program. Updates do not race with each other, but with other programs' loads and stores.
///
/// A load counts for its whole window; a masked load counts where the mask is true. Stores of several programs to one
/// element are not checked: the values may be equal.
template <class T, int Rank> class races {
public:
  /// `accesses` are the source locations of all loads and stores that are reported.
  template <class Place>
  races(const Place &array, const char *entry, const char *name, std::vector<std::int64_t> grid,
        std::vector<site> accesses)
      : indices_(array), entry_(entry), name_(name), grid_(std::move(grid)), accesses_(std::move(accesses)),
        pages_(static_cast<std::size_t>((indices_.size() + page_size - 1) / page_size)) {}

  /// Starts the next program of the grid, in row-major order.
  void begin_program() noexcept { ++program_; }

  /// The program loads a window, or an element of one with a mask. Throws if another program has stored to it.
  template <int R> void load(std::size_t access, const ref<T, R> &window) {
    indices_.for_each(window, [&](std::int64_t linear) { load_at(access, linear); });
  }
  void load(std::size_t access, reference_t<const T> element) { load_at(access, indices_.of(element)); }

  /// The program stores to a window, or to an element. Throws if another program has loaded it.
  template <int R> void store(std::size_t access, const ref<T, R> &window) {
    indices_.for_each(window, [&](std::int64_t linear) { store_at(access, linear); });
  }
  void store(std::size_t access, reference_t<const T> element) { store_at(access, indices_.of(element)); }

  /// The program updates a window or an element. Throws if another program has loaded it, or stored to it.
  template <int R> void update(std::size_t access, const ref<T, R> &window) {
    indices_.for_each(window, [&](std::int64_t linear) { update_at(access, linear); });
  }
  void update(std::size_t access, reference_t<const T> element) { update_at(access, indices_.of(element)); }

private:
  /// An access and its program, packed into one number, because each element has several.
  using mark = std::int64_t;
  static constexpr mark none = -1;
  struct marks {
    mark reader = none, writer = none, updater = none;
  };
  /// Marks are allocated by page on first access, because a launch may access little of a large array.
  static constexpr std::int64_t page_size = 1024;
  using page = std::unique_ptr<marks[]>;

  marks &at(std::int64_t linear) {
    page &here = pages_[static_cast<std::size_t>(linear / page_size)];
    if (!here)
      here = std::make_unique<marks[]>(page_size);
    return here[static_cast<std::size_t>(linear % page_size)];
  }
  mark now(std::size_t access) const noexcept {
    return program_ * static_cast<mark>(accesses_.size()) + static_cast<mark>(access);
  }
  std::int64_t program_of(mark of) const noexcept { return of / static_cast<mark>(accesses_.size()); }
  const site &site_of(mark of) const { return accesses_[static_cast<std::size_t>(of) % accesses_.size()]; }

  void load_at(std::size_t access, std::int64_t linear) {
    marks &known = at(linear);
    if (known.reader == none)
      known.reader = now(access);
    if (known.writer != none && program_of(known.writer) != program_)
      report(linear, now(access), known.writer);
    if (known.updater != none && program_of(known.updater) != program_)
      report_update(linear, known.updater, now(access), "reads");
  }
  void store_at(std::size_t access, std::int64_t linear) {
    marks &known = at(linear);
    if (known.writer == none)
      known.writer = now(access);
    if (known.reader != none && program_of(known.reader) != program_)
      report(linear, known.reader, now(access));
    if (known.updater != none && program_of(known.updater) != program_)
      report_update(linear, known.updater, now(access), "stores to");
  }
  void update_at(std::size_t access, std::int64_t linear) {
    marks &known = at(linear);
    if (known.updater == none)
      known.updater = now(access);
    if (known.reader != none && program_of(known.reader) != program_)
      report_update(linear, now(access), known.reader, "reads");
    if (known.writer != none && program_of(known.writer) != program_)
      report_update(linear, now(access), known.writer, "stores to");
  }

  std::string describe(mark of) const { return describe_program(unravel(program_of(of), grid_)); }

  [[noreturn]] void report(std::int64_t linear, mark reader, mark writer) const {
    fail(site_of(reader),
         describe(reader) + " of " + entry_ + " reads " + indices_.describe(name_, linear) + ", which " +
             describe(writer) + " stores to at " + to_string(site_of(writer)) +
             ", and programs run at the same time: it may read the old value or the new one; read from " +
             "one array and store to another: tg::in(" + name_ + ") and tg::out(result)");
  }

  [[noreturn]] void report_update(std::int64_t linear, mark updater, mark other, const char *how) const {
    fail(site_of(updater),
         describe(updater) + " of " + entry_ + " updates " + indices_.describe(name_, linear) + ", which " +
             describe(other) + " " + how + " at " + to_string(site_of(other)) +
             ", and programs run at the same time: only atomic updates do not race with each other; " +
             "read or store it in an earlier or a later launch");
  }

  linear_indices<T, Rank> indices_;
  const char *entry_, *name_;
  std::vector<std::int64_t> grid_;
  std::vector<site> accesses_;
  std::int64_t program_ = -1;
  std::vector<page> pages_;
};

template <class T, int Rank>
races(const ref<T, Rank> &, const char *, const char *, std::vector<std::int64_t>, std::vector<site>) -> races<T, Rank>;
template <class T, int Rank>
races(const table<T, Rank> &, const char *, const char *, std::vector<std::int64_t>, std::vector<site>)
    -> races<T, Rank>;

} // namespace tegula::cpu

#endif // TEGULA_CPU_RACES_H
