// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the programs of a grid of which one reads what another stores. On a GPU they run at the same time; here, one
// after another, such a kernel would give the same result every time.

#ifndef TEGULA_CPU_RACES_H
#define TEGULA_CPU_RACES_H

#include "tegula/cpu/elements.h"

#include <vector>

namespace tegula::cpu {

/// For each element of an array, the first program that reads it and the first that stores to it. Since programs run
/// in order, the others are found by these: whoever comes later than the first is another one.
///
/// Stores of several programs to one element are not looked at: which of them differ, their author knows.
template <class T, int Rank> class races {
public:
  /// `accesses` are the places in the source of all loads and stores that are told of.
  races(const ref<T, Rank> &array, const char *entry, const char *name, std::vector<std::int64_t> grid,
        std::vector<site> accesses)
      : elements_(array), entry_(entry), name_(name), grid_(std::move(grid)), accesses_(std::move(accesses)),
        first_(static_cast<std::size_t>(elements_.size())) {}

  /// The next program of the grid begins, in row-major order.
  void begin_program() noexcept { ++program_; }

  /// The program loads a window, or an element of one with a mask. Throws if another program has stored to it.
  template <int R> void load(std::size_t access, const ref<T, R> &window) {
    elements_.for_each(window, [&](std::int64_t number) { load_number(access, number); });
  }
  void load(std::size_t access, const T &element) { load_number(access, elements_.number_of(element)); }

  /// The program stores to a window, or to an element. Throws if another program has loaded it.
  template <int R> void store(std::size_t access, const ref<T, R> &window) {
    elements_.for_each(window, [&](std::int64_t number) { store_number(access, number); });
  }
  void store(std::size_t access, const T &element) { store_number(access, elements_.number_of(element)); }

private:
  /// An access of a program: both in one number, since there are two of these for each element.
  using mark = std::int64_t;
  static constexpr mark none = -1;
  struct marks {
    mark reader = none, writer = none;
  };

  mark now(std::size_t access) const noexcept {
    return program_ * static_cast<mark>(accesses_.size()) + static_cast<mark>(access);
  }
  std::int64_t program_of(mark of) const noexcept { return of / static_cast<mark>(accesses_.size()); }
  const site &site_of(mark of) const { return accesses_[static_cast<std::size_t>(of) % accesses_.size()]; }

  void load_number(std::size_t access, std::int64_t number) {
    marks &known = first_[static_cast<std::size_t>(number)];
    if (known.reader == none)
      known.reader = now(access);
    if (known.writer != none && program_of(known.writer) != program_)
      report(number, now(access), known.writer);
  }
  void store_number(std::size_t access, std::int64_t number) {
    marks &known = first_[static_cast<std::size_t>(number)];
    if (known.writer == none)
      known.writer = now(access);
    if (known.reader != none && program_of(known.reader) != program_)
      report(number, known.reader, now(access));
  }

  std::string describe(mark of) const { return describe_program(unravel(program_of(of), grid_)); }

  [[noreturn]] void report(std::int64_t number, mark reader, mark writer) const {
    const site &stored = site_of(writer);
    fail(site_of(reader), describe(reader) + " of " + entry_ + " reads " + elements_.describe(name_, number) +
                              ", which " + describe(writer) + " stores to at " + stored.file + ":" +
                              std::to_string(stored.line) + ":" + std::to_string(stored.column) +
                              ", and programs run at the same time: it finds the old value or the new one; read from " +
                              "one array and store to another: tg::in(" + name_ + ") and tg::out(result)");
  }

  elements<T, Rank> elements_;
  const char *entry_, *name_;
  std::vector<std::int64_t> grid_;
  std::vector<site> accesses_;
  std::int64_t program_ = -1;
  std::vector<marks> first_;
};

template <class T, int Rank>
races(const ref<T, Rank> &, const char *, const char *, std::vector<std::int64_t>, std::vector<site>) -> races<T, Rank>;

} // namespace tegula::cpu

#endif // TEGULA_CPU_RACES_H
