// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Warnings.h"

#include <algorithm>

namespace tegula {

static constexpr WarningGroup groups[] = {
#define TEGULA_WARNING(enumerator, group, text, advice) {group, text, advice},
#include "support/Warnings.def"
#undef TEGULA_WARNING
};

std::span<const WarningGroup> warningGroups() { return groups; }

std::string_view nameOf(Warning warning) { return groups[static_cast<int>(warning)].name; }

WarningLevels::WarningLevels() : states(std::size(groups)) {}

WarningLevels::State *WarningLevels::find(std::string_view group) {
  for (size_t i = 0; i < std::size(groups); ++i)
    if (groups[i].name == group)
      return &states[i];
  return nullptr;
}

bool WarningLevels::apply(std::string_view flag) {
  if (flag == "-w") {
    areAllOff = true;
    return true;
  }
  if (flag == "-Werror" || flag == "-Wno-error") {
    areAllErrors = flag == "-Werror";
    return true;
  }
  std::string_view name = flag.substr(2);
  auto take = [&](std::string_view prefix) {
    bool has = name.starts_with(prefix);
    if (has)
      name.remove_prefix(prefix.size());
    return has;
  };
  if (take("error=")) {
    State *state = find(name);
    if (state)
      *state = {/*isOn=*/true, /*isError=*/true, /*isNeverError=*/false};
    return state;
  }
  if (take("no-error=")) {
    State *state = find(name);
    if (state)
      *state = {state->isOn, /*isError=*/false, /*isNeverError=*/true};
    return state;
  }
  bool isOff = take("no-");
  State *state = find(name);
  if (state)
    state->isOn = !isOff;
  return state;
}

WarningLevel WarningLevels::levelOf(std::string_view group) const {
  const State *state = const_cast<WarningLevels *>(this)->find(group);
  if (areAllOff || (state && !state->isOn))
    return WarningLevel::ignored;
  bool isError = areAllErrors;
  if (state)
    isError = state->isError || (areAllErrors && !state->isNeverError);
  return isError ? WarningLevel::error : WarningLevel::warning;
}

std::string markOf(Warning warning) { return " [-W" + std::string(nameOf(warning)) + "]"; }

std::string takeMark(std::string &text) {
  size_t at = text.rfind(" [-W");
  if (at == std::string::npos || !text.ends_with("]"))
    return "";
  std::string group = text.substr(at + 4, text.size() - at - 5);
  bool isKnown =
      std::any_of(std::begin(groups), std::end(groups), [&](const WarningGroup &each) { return each.name == group; });
  if (!isKnown)
    return "";
  text.resize(at);
  return group;
}

std::string printedMark(std::string_view group, WarningLevel level) {
  return std::string(level == WarningLevel::error ? " [-Werror,-W" : " [-W") + std::string(group) + "]";
}

} // namespace tegula
