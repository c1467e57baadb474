// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/diagnostics/LanguageNames.h"

#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using llvm::StringRef;

namespace tegula::frontend {

DeclContext::lookup_result inLanguage(StringRef name, const ASTContext &ast) {
  for (NamedDecl *space : ast.getTranslationUnitDecl()->lookup(&ast.Idents.get("tegula")))
    if (auto *language = dyn_cast<NamespaceDecl>(space))
      return language->lookup(&ast.Idents.get(name));
  return {};
}

bool hasLanguage(const ASTContext &ast) { return !inLanguage("pallas_call", ast).empty(); }

static bool isFunction(const NamedDecl *found) { return found->getAsFunction() != nullptr; }

std::string functionFor(StringRef name, const ASTContext &ast) {
  auto find = [&](StringRef base) -> std::string {
    StringRef ours = llvm::StringSwitch<StringRef>(base) // What has the name of a reduction there, or another name.
                         .Case("max", "maximum")
                         .Case("min", "minimum")
                         .Cases("fabs", "labs", "abs")
                         .Case("nearbyint", "rint")
                         .Case("popc", "popcount")
                         .Default(base);
    return llvm::any_of(inLanguage(ours, ast), isFunction) ? "tg::" + ours.str() : "";
  };
  name.consume_front("__"); // CUDA: __expf, __popc
  if (name.empty())
    return "";
  std::string ours = find(name);
  return ours.empty() && name.size() > 1 && name.consume_back("f") ? find(name) : ours; // C: sqrtf
}

} // namespace tegula::frontend
