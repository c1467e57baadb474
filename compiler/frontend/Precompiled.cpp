// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/Precompiled.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace tegula::frontend {

static constexpr llvm::StringLiteral languageHeader = "tegula/tegula.h";

/// Drops spaces, comments and `#pragma once`.
static StringRef skipSilence(StringRef text) {
  while (true) {
    text = text.ltrim();
    if (text.starts_with("//"))
      text = text.drop_until([](char c) { return c == '\n'; });
    else if (text.consume_front("/*"))
      text = text.split("*/").second;
    else if (!text.consume_front("#pragma once"))
      return text;
  }
}

/// Whether the first thing that the file says is to include the language, or a file beside it that says so, and so on.
static bool includesLanguageFirst(StringRef path, StringRef contents, int depth) {
  StringRef text = skipSilence(contents);
  auto skip = [&](StringRef token) {
    text = text.ltrim(" \t");
    return text.consume_front(token);
  };
  if (!skip("#") || !skip("include"))
    return false;
  if (skip("<"))
    return text.consume_front(languageHeader) && text.starts_with(">");
  if (!skip("\""))
    return false;
  llvm::SmallString<128> included(llvm::sys::path::parent_path(path));
  llvm::sys::path::append(included, text.take_until([](char c) { return c == '"' || c == '\n'; }));
  auto file = llvm::MemoryBuffer::getFile(included);
  return file && depth > 0 && includesLanguageFirst(included, (*file)->getBuffer(), depth - 1);
}

bool canUsePrecompiled(const FrontendOptions &options, const CompilerInvocation &invocation) {
  const PreprocessorOptions &preprocessor = invocation.getPreprocessorOpts();
  if (options.precompiled.empty() || !preprocessor.Includes.empty() || !preprocessor.ImplicitPCHInclude.empty() ||
      !llvm::sys::fs::exists(options.precompiled))
    return false;
  // It is of the language, in whatever folder that was, and no other copy of the language would be found first.
  llvm::SmallString<128> own(options.includeDir);
  llvm::sys::path::append(own, languageHeader);
  FileManager files({});
  DiagnosticsEngine silent(new DiagnosticIDs(), new DiagnosticOptions(), new IgnoringDiagConsumer());
  if (ASTReader::getOriginalSourceFile(options.precompiled, files, RawPCHContainerReader(), silent) != languageHeader)
    return false;
  for (const HeaderSearchOptions::Entry &entry : invocation.getHeaderSearchOpts().UserEntries) {
    llvm::SmallString<128> header(entry.Path);
    llvm::sys::path::append(header, languageHeader);
    if (llvm::sys::fs::exists(header) && !llvm::sys::fs::equivalent(header, own))
      return false;
  }
  constexpr int mostIncludes = 8;
  if (options.contents)
    return includesLanguageFirst(options.input, *options.contents, mostIncludes);
  auto file = llvm::MemoryBuffer::getFile(options.input);
  return file && includesLanguageFirst(options.input, (*file)->getBuffer(), mostIncludes);
}

} // namespace tegula::frontend
