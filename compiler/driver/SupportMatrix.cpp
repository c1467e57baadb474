// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/SupportMatrix.h"

#include "support/Target.h"

#include <algorithm>
#include <vector>

namespace tegula::driver {

using Cell = std::string (*)(const Target &);

static std::string yesIf(bool has) { return has ? "yes" : "-"; }

/// The unit that tg::dot of the portable level takes for factors of 16 bits.
static std::string unitOf(const Target &target) {
  const ArchClass &archClass = *target.archClass;
  if (archClass.hasWgmma())
    return "wgmma";
  return archClass.hasShortMma() ? "mma.sync (f16)" : "mma.sync";
}

static constexpr struct {
  const char *name;
  Cell cell;
} rows[] = {
    {"`tg::dot` of f16, bf16", unitOf},
    {"`tg::mma`", [](const Target &target) { return yesIf(!target.archClass->hasShortMma()); }},
    {"`tg::mma` of 8-bit floats",
     [](const Target &target) { return yesIf(!target.archClass->hasShortMma() && target.hasFloat8Mma()); }},
    {"`tg::wgmma`", [](const Target &target) { return yesIf(target.archClass->hasWgmma()); }},
    {"`tg::cp_async`", [](const Target &target) { return yesIf(target.archClass->hasCpAsync()); }},
    {"TMA copies, `tg::barrier`", [](const Target &target) { return yesIf(target.archClass->hasTma()); }},
    {"`.cluster`: at most CTAs",
     [](const Target &target) {
       return target.archClass->hasClusters() ? std::to_string(target.archClass->mostInCluster) : "-";
     }},
    {"`tg::griddepcontrol_wait`", [](const Target &target) { return yesIf(target.hasGridDependencies()); }},
    {"shared memory of a CTA, KiB",
     [](const Target &target) { return std::to_string(target.archClass->sharedBytes >> 10); }},
    {"casts of 8-bit floats by one instruction", [](const Target &target) { return yesIf(target.hasFloat8Casts); }},
    {"its PTX runs on later chips", [](const Target &target) { return yesIf(target.isPortable()); }},
};

std::string supportMatrix() {
  std::vector<std::vector<std::string>> table = {{""}};
  for (const Target &target : knownTargets())
    table.front().emplace_back(target.name);
  for (const auto &[name, cell] : rows) {
    table.push_back({name});
    for (const Target &target : knownTargets())
      table.back().push_back(cell(target));
  }
  std::vector<size_t> widths(table.front().size(), 3);
  for (const auto &row : table)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  auto line = [&](const std::vector<std::string> &row) {
    std::string text = "|";
    for (size_t i = 0; i < row.size(); ++i)
      text += " " + row[i] + std::string(widths[i] - row[i].size(), ' ') + " |";
    return text + "\n";
  };
  std::string text = line(table.front()) + "|";
  for (size_t width : widths)
    text += std::string(width + 2, '-') + "|";
  text += "\n";
  for (size_t i = 1; i < table.size(); ++i)
    text += line(table[i]);
  return text;
}

} // namespace tegula::driver
