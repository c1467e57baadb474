// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the compact texts of this library. Private to compiler/layout.

#ifndef TEGULA_LAYOUT_TEXTSCANNER_H
#define TEGULA_LAYOUT_TEXTSCANNER_H

#include "layout/Expected.h"

#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::layout {

/// The first error sticks and every later step does nothing, so a grammar reads straight through and asks once, at its
/// end, how it went. Loops must ask failed() to terminate.
class TextScanner {
public:
  explicit TextScanner(std::string_view text) : text(text) {}

  bool failed() const { return !error.empty(); }
  Failure failure() const { return {error}; }

  /// Takes `token` if it comes next.
  bool consume(std::string_view token) {
    skipSpace();
    if (failed() || text.substr(position, token.size()) != token)
      return false;
    position += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!consume(token))
      fail("expected '" + std::string(token) + "'");
  }

  void expectEnd() {
    skipSpace();
    if (position != text.size())
      fail("expected the end");
  }

  /// True if a name comes next, which it leaves there.
  bool atName() {
    skipSpace();
    return !failed() && position < text.size() && (isalpha(byte()) || byte() == '_');
  }

  std::string name() {
    if (!atName()) {
      fail("expected a name");
      return {};
    }
    size_t begin = position;
    while (position < text.size() && (isalnum(byte()) || byte() == '_'))
      ++position;
    return std::string(text.substr(begin, position - begin));
  }

  uint64_t number() {
    skipSpace();
    size_t begin = position;
    uint64_t value = 0;
    while (!failed() && position < text.size() && isdigit(byte())) {
      uint64_t digit = static_cast<uint64_t>(byte() - '0');
      if (value > (UINT64_MAX - digit) / 10)
        fail("the number is too large");
      value = value * 10 + digit;
      ++position;
    }
    if (position == begin)
      fail("expected a number");
    return value;
  }

  /// `open n, n, ... close`, empty too.
  std::vector<uint64_t> numbers(std::string_view open, std::string_view close) {
    std::vector<uint64_t> values;
    expect(open);
    if (consume(close))
      return values;
    do
      values.push_back(number());
    while (consume(","));
    expect(close);
    return values;
  }

private:
  int byte() const { return static_cast<unsigned char>(text[position]); }

  void skipSpace() {
    while (position < text.size() && isspace(byte()))
      ++position;
  }

  void fail(std::string what) {
    if (!failed())
      error = std::move(what) + " at offset " + std::to_string(position) + " of '" + std::string(text) + "'";
  }

  std::string_view text;
  size_t position = 0;
  std::string error;
};

} // namespace tegula::layout

#endif // TEGULA_LAYOUT_TEXTSCANNER_H
