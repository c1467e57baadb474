// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Writer.h"

#include "ir/Locations.h"
#include "stub/Expr.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tegula::stub {

static constexpr size_t columns = 120;

std::vector<Position> positionsOf(Location location) {
  std::vector<Position> positions;
  for (FileLineColLoc line : tile::linesOf(location))
    positions.push_back({line.getFilename().str(), line.getLine(), line.getColumn()});
  return positions;
}

void Writer::at(Location location) {
  isGenerated = false;
  std::vector<Position> found = positionsOf(location);
  source = found.empty() ? std::nullopt : std::optional(found.front());
}

void Writer::generated() {
  isGenerated = true;
  source.reset();
}

namespace {
/// A place where a long line may be broken.
struct Break {
  size_t end;     ///< Of what stays on the line.
  size_t begin;   ///< Of what moves to the next.
  size_t bracket; ///< What that is aligned to; 0 if nothing is open.
  unsigned depth; ///< Of brackets around it.
};
} // namespace

/// After commas and logical operators; not inside string literals. `calls`: where the calls of a chain begin.
static SmallVector<Break> breaksOf(StringRef text, SmallVector<size_t> &calls) {
  SmallVector<Break> breaks;
  SmallVector<size_t> open; // Columns after the brackets around.
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
    } else if (c == '(' || c == '{' || c == '[' || (c == '<' && i > 0 && llvm::isAlnum(text[i - 1]))) {
      open.push_back(i + 1); // Operators have a space before them: this < opens template arguments.
    } else if ((c == ')' || c == '}' || c == ']' || (c == '>' && text[i - 1] != ' ')) && !open.empty()) {
      open.pop_back();
    } else if (c == ' ' && i > 0) {
      StringRef before = text.take_front(i);
      if (before.ends_with(",") || before.ends_with("&&") || before.ends_with("||") ||
          (open.empty() && before.ends_with(" =")))
        breaks.push_back({i, i + 1, open.empty() ? 0 : open.back(), static_cast<unsigned>(open.size())});
    } else if (c == '.' && open.empty() && text[i - 1] == ')') {
      calls.push_back(i);
    }
  }
  return breaks;
}

/// `x = a.f().g()` with every call on a line of its own.
static std::string wrappedChain(StringRef text, size_t indent, ArrayRef<size_t> calls) {
  size_t begin = text.find(" = ") + 3;
  std::string head(indent, ' ');
  std::string result = head + text.take_front(calls.front()).str();
  for (auto [i, call] : llvm::enumerate(calls)) {
    size_t end = i + 1 < calls.size() ? calls[i + 1] : text.size();
    result += "\n" + head + std::string(begin + 4, ' ') + text.slice(call, end).str();
  }
  return result;
}

namespace {
/// The rows that a long line is broken into; `fits` tells whether all do.
struct Rows {
  SmallVector<std::string> rows;
  bool fits = true;
};
} // namespace

/// Breaks as far out of brackets, and as late, as it can be; the rest is aligned to its bracket.
static Rows broken(StringRef text, size_t indent, ArrayRef<Break> breaks) {
  Rows result;
  SmallVector<std::pair<size_t, size_t>> begins = {{0, indent}}; // Where each row begins in the text, and its column.
  auto columnOf = [&](size_t position) {
    auto row = llvm::find_if(llvm::reverse(begins), [&](auto row) { return row.first <= position; });
    return row->second + position - row->first;
  };
  auto put = [&](size_t end) {
    result.rows.push_back(std::string(begins.back().second, ' ') + text.slice(begins.back().first, end).str());
  };
  while (columnOf(text.size()) > columns) {
    const Break *best = nullptr;
    for (const Break &candidate : breaks)
      if (candidate.begin > begins.back().first && columnOf(candidate.end) <= columns &&
          (!best || candidate.depth <= best->depth))
        best = &candidate;
    if (!best) {
      result.fits = false;
      break;
    }
    put(best->end);
    begins.push_back({best->begin, best->bracket == 0 ? indent + 4 : columnOf(best->bracket)});
  }
  put(text.size());
  return result;
}

static std::string wrapped(StringRef text, size_t indent) {
  if (indent + text.size() <= columns)
    return std::string(indent, ' ') + text.str();
  SmallVector<size_t> calls;
  SmallVector<Break> breaks = breaksOf(text, calls), others;
  auto isAssignment = [&](const Break &b) { return text.take_front(b.end).ends_with(" ="); };
  llvm::copy_if(breaks, std::back_inserter(others), [&](const Break &b) { return !isAssignment(b); });
  const auto *assignment = llvm::find_if(breaks, isAssignment);
  if (assignment == breaks.end())
    return llvm::join(broken(text, indent, breaks).rows, "\n");
  // What is assigned goes to the next line if it fits there, or if it takes fewer lines from there.
  if (indent + 4 + text.size() - assignment->begin <= columns)
    return llvm::join(broken(text, indent, *assignment).rows, "\n");
  if (!calls.empty())
    return wrappedChain(text, indent, calls);
  Rows here = broken(text, indent, others), below = broken(text, indent, breaks);
  return llvm::join((here.fits && here.rows.size() <= below.rows.size() ? here : below).rows, "\n");
}

void Writer::add(std::string text) {
  lines.push_back({std::move(text), isGenerated ? std::nullopt : source, isGenerated});
}
void Writer::line(const std::string &text) { add(wrapped(text, 2 * depth)); }
void Writer::open(const std::string &head) {
  line(head + " {");
  ++depth;
}
void Writer::anywhere(const std::string &text) {
  line(text);
  lines.back().source.reset();
}
void Writer::close(const std::string &tail) {
  --depth;
  anywhere("}" + tail);
}
void Writer::reopen(const std::string &between) {
  --depth;
  anywhere("} " + between + " {");
  ++depth;
}
void Writer::blank() { add(""); }
void Writer::verbatim(std::string text) { add(std::move(text)); }

void Writer::insert(size_t position, const std::string &text) {
  lines.insert(lines.begin() + position, {text, std::nullopt, /*isGenerated=*/true});
}

bool Writer::mentionsSince(size_t position, StringRef text) const {
  return llvm::any_of(ArrayRef(lines).drop_front(position),
                      [&](const Line &line) { return StringRef(line.text).contains(text); });
}

std::string Writer::finish(StringRef fileName) const {
  std::string result;
  size_t physical = 1; // The line about to be written.
  auto put = [&](StringRef text) {
    result += text;
    result += '\n';
    physical += text.count('\n') + 1;
  };
  Position assumed{fileName.str(), 1, 0}; // What the compiler takes the next line for.
  ArrayRef<Line> shown = lines;
  while (!shown.empty() && shown.back().text.empty())
    shown = shown.drop_back();
  for (const Line &line : shown) {
    std::optional<Position> wanted = line.source;
    if (line.isGenerated)
      wanted = Position{fileName.str(), 0, 0};
    if (wanted && lineDirectives) {
      bool sameFile = wanted->file == assumed.file;
      if (line.isGenerated ? !sameFile : !sameFile || wanted->line != assumed.line) {
        unsigned number = line.isGenerated ? static_cast<unsigned>(physical + 1) : wanted->line;
        put("#line " + std::to_string(number) + (sameFile ? "" : " " + quoted(wanted->file)));
        assumed = {wanted->file, number, 0};
      }
    }
    put(line.text);
    assumed.line += static_cast<unsigned>(StringRef(line.text).count('\n') + 1);
  }
  return result;
}

} // namespace tegula::stub
