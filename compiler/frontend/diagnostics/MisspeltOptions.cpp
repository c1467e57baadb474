// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/diagnostics/MisspeltOptions.h"

#include "frontend/diagnostics/LanguageNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::SmallVector;
using llvm::StringRef;

namespace tegula::frontend {

// ---- The options that exist -----------------------------------------------------------------------------------------

static void addFields(const CXXRecordDecl *record, SmallVector<StringRef> &fields) {
  if (record && (record = record->getDefinition()))
    for (const FieldDecl *field : record->fields())
      if (!llvm::is_contained(fields, field->getName()))
        fields.push_back(field->getName());
}

/// The options of all overloads.
static SmallVector<StringRef> optionsOf(StringRef function, const ASTContext &ast) {
  SmallVector<StringRef> options;
  for (const NamedDecl *overload : inLanguage(function, ast))
    if (const FunctionDecl *callee = overload->getAsFunction())
      for (const ParmVarDecl *parameter : callee->parameters()) {
        const CXXRecordDecl *record = parameter->getType().getNonReferenceType()->getAsCXXRecordDecl();
        if (record && record->getName().ends_with("options"))
          addFields(record, options);
      }
  return options;
}

static std::string messageOf(StringRef owner, StringRef wrong, ArrayRef<StringRef> options) {
  StringRef nearest;
  unsigned least = std::max<unsigned>(2, wrong.size() / 3) + 1;
  for (StringRef option : options)
    if (unsigned distance = wrong.edit_distance(option, /*AllowReplacements=*/true, least); distance < least) {
      least = distance;
      nearest = option;
    }
  std::string message = owner.str() + " has no option ." + wrong.str() + ": ";
  if (!nearest.empty())
    return message + "did you mean ." + nearest.str() + "?";
  return message + "it has ." + llvm::join(options, ", .");
}

// ---- The options that are written -----------------------------------------------------------------------------------

/// The designators of the arguments that are lists in braces: f(x, {.here = 1, .and_here = {.but_not_here = 2}}).
static SmallVector<StringRef> designatorsOf(StringRef function, StringRef call, const ASTContext &ast) {
  SmallVector<StringRef> found;
  size_t at = call.find(function);
  if (at == StringRef::npos)
    return found;
  StringRef rest = call.drop_front(at + function.size());
  Lexer lexer(SourceLocation(), ast.getLangOpts(), rest.begin(), rest.begin(), rest.end());
  int parens = 0, braces = 0;
  bool isOptions = false, isAfterPeriod = false;
  tok::TokenKind last = tok::unknown;
  Token token;
  while (!lexer.LexFromRawLexer(token) || token.isNot(tok::eof)) {
    bool isStart = last == tok::l_paren || last == tok::comma;
    switch (token.getKind()) {
    case tok::l_paren:
      ++parens;
      break;
    case tok::r_paren:
      if (--parens == 0)
        return found;
      break;
    case tok::l_brace:
      isOptions |= parens == 1 && braces == 0 && isStart;
      ++braces;
      break;
    case tok::r_brace:
      isOptions &= --braces != 0;
      break;
    case tok::semi:
      if (parens == 0)
        return found;
      break;
    case tok::raw_identifier:
      if (isAfterPeriod)
        found.push_back(token.getRawIdentifier());
      break;
    default:
      break;
    }
    isAfterPeriod = token.is(tok::period) && isOptions && parens == 1 && braces == 1 &&
                    (last == tok::l_brace || last == tok::comma);
    last = token.getKind();
    if (token.is(tok::eof))
      break;
  }
  return found;
}

std::string misspeltOption(StringRef function, StringRef call, const ASTContext &ast) {
  SmallVector<StringRef> options = optionsOf(function, ast);
  if (!options.empty())
    for (StringRef written : designatorsOf(function, call, ast))
      if (!llvm::is_contained(options, written))
        return messageOf(("tg::" + function).str(), written, options);
  return "";
}

std::string misspeltField(StringRef field, StringRef type, const ASTContext &ast) {
  StringRef name = type.take_until([](char c) { return c == '<'; });
  name = name.substr(name.rfind(':') + 1);
  SmallVector<StringRef> fields;
  for (const NamedDecl *found : inLanguage(name, ast)) {
    const auto *pattern = dyn_cast<ClassTemplateDecl>(found);
    addFields(pattern ? pattern->getTemplatedDecl() : dyn_cast<CXXRecordDecl>(found), fields);
  }
  return fields.empty() ? "" : messageOf(("tg::" + name).str(), field, fields);
}

} // namespace tegula::frontend
