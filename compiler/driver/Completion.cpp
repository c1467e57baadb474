// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Completion.h"

#include "driver/Spelling.h"
#include "support/Target.h"
#include "support/Warnings.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace tegula::driver {

std::vector<std::string> optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options()) {
    if (option->get_positional() || option->get_group().empty())
      continue;
    for (const std::string &name : option->get_snames())
      names.push_back("-" + name);
    for (const std::string &name : option->get_lnames())
      names.push_back(hasOneDash(name) ? "-" + name : "--" + name);
  }
  return names;
}

static std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string completion(const std::string &shell, const CLI::App &app, const std::vector<std::string> &forms) {
  std::vector<std::string> options = optionNames(app), archs = {"native", "all"};
  for (const Target &target : knownTargets())
    archs.emplace_back(target.name);
  for (const WarningGroup &group : warningGroups())
    options.push_back("-Wno-" + std::string(group.name));
  if (shell == "fish") {
    std::string text;
    for (const std::string &option : options) {
      bool isLong = option.starts_with("--"), isShort = option.size() == 2;
      text += "complete -c tegulac " +
              std::string(isLong    ? "-l "
                          : isShort ? "-s "
                                    : "-o ") +
              option.substr(isLong ? 2 : 1) +
              (option == "--arch"   ? " -x -a '" + joined(archs) + "'"
               : option == "--emit" ? " -x -a '" + joined(forms) + "'"
                                    : "") +
              "\n";
    }
    return text;
  }
  std::string text = shell == "zsh" ? "autoload -Uz bashcompinit && bashcompinit\n" : "";
  text += "_tegulac() {\n"
          "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
          "  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "  [[ $word == = ]] && word=\n"
          "  case $before in\n"
          "    --arch) COMPREPLY=($(compgen -W '" +
          joined(archs) +
          "' -- \"$word\")); return ;;\n"
          "    --emit) COMPREPLY=($(compgen -W '" +
          joined(forms) +
          "' -- \"$word\")); return ;;\n"
          "  esac\n"
          "  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '" +
          joined(options) +
          "' -- \"$word\")); else COMPREPLY=($(compgen -f -- \"$word\")); fi\n"
          "}\n"
          "complete -o filenames -F _tegulac tegulac\n";
  return text;
}

} // namespace tegula::driver
