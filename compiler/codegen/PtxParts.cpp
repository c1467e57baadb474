// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PTX by kernels. What stands between kernels belongs to all of them.
#include "codegen/Codegen.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula::codegen {

// Less, and the head of every part costs more than parts save; more, and what shares a part with a kernel that spills
// is assembled again with it.
static constexpr size_t bytesOfPart = 128 << 10;

/// How long ptxas takes for a kernel, in bytes of others: where to keep what mma.sync multiplies it seeks for long.
static size_t weightOf(llvm::StringRef text) { return text.contains("mma.sync.") ? 4 * text.size() : text.size(); }

namespace {
/// The text of a kernel, or what stands between two, which has no name.
struct Section {
  llvm::StringRef text, kernel;
};
} // namespace

static std::vector<Section> sectionsOf(llvm::StringRef ptx) {
  std::vector<Section> sections;
  llvm::StringRef rest = ptx, kernel;
  size_t begin = 0;
  auto endAt = [&](size_t end) {
    if (end > begin)
      sections.push_back({ptx.slice(begin, end), kernel});
    begin = end;
    kernel = {};
  };
  while (!rest.empty()) {
    size_t at = ptx.size() - rest.size();
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line.starts_with(".visible .entry ")) {
      endAt(at);
      kernel = line.drop_front(16).take_until([](char c) { return c == '('; });
    } else if (line == "}" && !kernel.empty()) {
      endAt(ptx.size() - rest.size());
    }
  }
  endAt(ptx.size());
  return sections;
}

static std::string join(llvm::ArrayRef<Section> sections, llvm::function_ref<bool(llvm::StringRef)> isWanted) {
  std::string text;
  for (const Section &section : sections)
    if (section.kernel.empty() || isWanted(section.kernel))
      text += section.text;
  return text;
}

std::string onlyKernels(llvm::StringRef ptx, const llvm::StringMap<unsigned> &wanted) {
  return join(sectionsOf(ptx), [&](llvm::StringRef kernel) { return wanted.contains(kernel); });
}

std::vector<PtxPart> splitPtx(llvm::StringRef ptx) {
  std::vector<Section> sections = sectionsOf(ptx);
  llvm::StringMap<size_t> partOf;
  std::vector<PtxPart> parts;
  size_t bytes = 0;
  for (const Section &section : sections)
    if (!section.kernel.empty()) {
      size_t weight = weightOf(section.text);
      bytes += weight;
      if (parts.empty() || bytes > bytesOfPart) {
        parts.emplace_back();
        bytes = weight;
      }
      parts.back().kernels.push_back(section.kernel.str());
      partOf[section.kernel] = parts.size() - 1;
    }
  if (parts.size() <= 1)
    parts.assign(1, {ptx.str(), {}});
  else
    for (size_t i = 0; i < parts.size(); ++i)
      parts[i].text = join(sections, [&](llvm::StringRef kernel) { return partOf.lookup(kernel) == i; });
  return parts;
}

} // namespace tegula::codegen
