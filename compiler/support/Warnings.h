// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The groups of tegulac's own warnings, and which of them the command line turns off or into errors.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

enum class Warning {
#define TEGULA_WARNING(enumerator, group, text, advice) enumerator,
#include "support/Warnings.def"
#undef TEGULA_WARNING
};

struct WarningGroup {
  std::string_view name, text;
  std::string_view advice; ///< why it matters and what to write instead; empty if Explanations.def has it
};
/// All groups, in the order of the enumeration.
std::span<const WarningGroup> warningGroups();
std::string_view nameOf(Warning warning);

enum class WarningLevel { ignored, warning, error };

/// The flags -w, -Werror, -Wno-error, -W<group>, -Wno-<group>, -Werror=<group> and -Wno-error=<group>, with the meaning
/// that they have for Clang: the last flag that names a group decides.
class WarningLevels {
public:
  WarningLevels();
  /// False if the flag names no group of tegulac's: it is Clang's.
  bool apply(std::string_view flag);
  /// The level of a group's warnings; that of an unknown group is `warning`.
  WarningLevel levelOf(std::string_view group) const;

private:
  struct State {
    bool isOn = true, isError = false, isNeverError = false;
  };
  State *find(std::string_view group);

  std::vector<State> states;
  bool areAllOff = false, areAllErrors = false;
};

/// What ends the text of a warning: " [-Wspill]".
std::string markOf(Warning warning);
/// The group that a text with such an end names, which is taken off; "" if it has none.
std::string takeMark(std::string &text);
/// The end of the printed message: " [-Wspill]", or " [-Werror,-Wspill]".
std::string printedMark(std::string_view group, WarningLevel level);

} // namespace tegula
