// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/PtxText.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tegula::tile {

namespace {
enum class Token { Text, Space, Comment, String, Open, Close, Place, Dollar, Unclosed };

/// Takes the tokens of a text one after the other (PTX ISA, "Lexical elements").
class Scanner {
public:
  explicit Scanner(StringRef text) : rest(text) {}

  bool isAtEnd() const { return rest.empty(); }
  Token take() {
    if (rest.starts_with("//"))
      return cut(rest.find('\n'), Token::Comment);
    if (rest.starts_with("/*"))
      return cutBehind("*/", 2, Token::Comment);
    if (rest.starts_with("\""))
      return cutBehind("\"", 1, Token::String);
    if (llvm::isSpace(rest[0]))
      return cut(rest.find_if_not([](char c) { return llvm::isSpace(c); }), Token::Space);
    if (rest[0] == '$')
      return takeDollar();
    if (StringRef("{([").contains(rest[0]))
      return cut(1, Token::Open);
    if (StringRef("})]").contains(rest[0]))
      return cut(1, Token::Close);
    return cut(1, Token::Text);
  }

  /// The last token.
  StringRef token;
  /// Of a place, its number.
  unsigned number = 0;

private:
  Token cut(size_t size, Token kind) {
    token = rest.take_front(size);
    rest = rest.drop_front(token.size());
    return kind;
  }
  Token cutBehind(StringRef end, size_t from, Token kind) {
    size_t at = rest.find(end, from);
    return at == StringRef::npos ? cut(rest.size(), Token::Unclosed) : cut(at + end.size(), kind);
  }
  Token takeDollar() {
    if (rest.starts_with("$$")) // One $.
      return cut(2, Token::Text);
    StringRef digits = rest.drop_front().take_while([](char c) { return llvm::isDigit(c); });
    return cut(1 + digits.size(), !digits.empty() && !digits.getAsInteger(10, number) ? Token::Place : Token::Dollar);
  }

  StringRef rest;
};
} // namespace

static std::string quote(StringRef text) { return ("'" + text + "'").str(); }

/// The bracket that closes this one.
static char closing(char open) { return open == '{' ? '}' : open == '(' ? ')' : ']'; }

std::optional<std::string> flawOfPtx(StringRef text, unsigned operands) {
  std::string open;
  char last = 0;
  llvm::BitVector named(operands + 1);
  for (Scanner scanner(text); !scanner.isAtEnd();) {
    Token kind = scanner.take();
    StringRef token = scanner.token;
    switch (kind) {
    case Token::Open:
      open += token[0];
      break;
    case Token::Close:
      if (open.empty())
        return "has a " + quote(token) + " that closes nothing";
      if (closing(open.back()) != token[0])
        return "closes a " + quote(StringRef(&open.back(), 1)) + " by a " + quote(token);
      open.pop_back();
      break;
    case Token::Unclosed:
      return std::string("does not close a ") + (token[0] == '"' ? "string" : "comment, /*");
    case Token::String: // LLVM would look for operands in it.
      if (!token.contains('$'))
        break;
      [[fallthrough]];
    case Token::Dollar:
      return std::string("has a $ without a number: $0 is the result, $1, $2... are the operands, and $$ is a $");
    case Token::Place:
      if (scanner.number > operands)
        return ("names " + token + ", and there " +
                (operands == 1 ? "is one operand, $1"
                               : "are " + Twine(operands) + " operands, $1 to $" + Twine(operands)))
            .str();
      named.set(scanner.number);
      break;
    default:
      break;
    }
    if (kind != Token::Space && kind != Token::Comment)
      last = token.back();
  }
  if (!open.empty())
    return "does not close a " + quote(StringRef(&open.back(), 1));
  for (unsigned number = 0; number <= operands; ++number)
    if (!named[number])
      return "does not name $" + std::to_string(number) +
             (number == 0 ? ", its result" : ": give what the instructions take alone");
  if (last != ';' && last != '}')
    return std::string("does not end with a semicolon");
  return std::nullopt;
}

std::string onOneLine(StringRef text) {
  std::string line;
  for (Scanner scanner(text); !scanner.isAtEnd();) {
    Token kind = scanner.take();
    if (kind != Token::Space && kind != Token::Comment)
      line += scanner.token;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  return StringRef(line).rtrim().str();
}

bool isPtxOf(StringRef line, StringRef text) {
  std::string pattern = onOneLine(text);
  line = line.trim();
  for (Scanner scanner(pattern); !scanner.isAtEnd();) {
    if (scanner.take() == Token::Place) {
      StringRef taken = line.take_while([](char c) { return llvm::isAlnum(c) || StringRef("%_.$").contains(c); });
      if (taken.empty())
        return false;
      line = line.drop_front(taken.size());
    } else if (!line.consume_front(scanner.token == "$$" ? "$" : scanner.token)) {
      return false;
    }
  }
  return line.empty();
}

} // namespace tegula::tile
