// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value or the reason why there is none. The layout library knows neither LLVM nor exceptions, and std::expected
// is C++23, so this is the small part of it that the library needs.

#ifndef TEGULA_LAYOUT_EXPECTED_H
#define TEGULA_LAYOUT_EXPECTED_H

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace tegula::layout {

struct Failure {
  std::string message;
};

template <class T> class [[nodiscard]] Expected {
public:
  Expected(T value) : state(std::in_place_index<0>, std::move(value)) {}
  Expected(Failure failure) : state(std::in_place_index<1>, std::move(failure)) {}

  explicit operator bool() const { return state.index() == 0; }

  /// The value; only where there is one.
  const T &operator*() const & { return *value(); }
  T &&operator*() && { return std::move(*const_cast<T *>(value())); }
  const T *operator->() const { return value(); }

  /// Why there is no value; only where there is none.
  const std::string &message() const {
    const Failure *failure = std::get_if<1>(&state);
    assert(failure && "there is a value");
    return failure->message;
  }

private:
  const T *value() const {
    const T *result = std::get_if<0>(&state);
    assert(result && "the failure was not looked at");
    return result;
  }

  std::variant<T, Failure> state;
};

} // namespace tegula::layout

#endif // TEGULA_LAYOUT_EXPECTED_H
