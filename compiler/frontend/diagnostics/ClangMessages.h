// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang's messages in our words: overloads, concepts and assertions are how the header is written, not what the user
// wants to hear of.
#pragma once

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tegula::frontend {

struct ClangMessage {
  llvm::StringRef text;
  /// The place is inside the language's header, or a system's.
  bool isOfHeader;
  /// The user's text: of the line up to the place, and from the place on.
  llvm::StringRef before, source;
  /// Which of the language's functions was called, if that is inside of it.
  llvm::StringRef caller;
  /// The functions that do not match are the language's.
  bool isOfLanguage = false;
  /// The message or a note speaks of tiles or refs.
  bool isOfTiles = false;
  /// An argument is a pointer.
  bool isOfPointer = false;
  /// A parameter has another type than what is given.
  bool isOfParameterType = false;
  /// The file, as far as it is read; null before that.
  const clang::ASTContext *ast = nullptr;
  /// <tegula/tegula.h> is part of the file.
  bool hasLanguage = true;
  /// What to say of an option that does not exist, if there is one (Options.h).
  std::string misspelt = {};
};

/// Clang's own text if there is nothing better to say.
std::string inOurWords(const ClangMessage &message);

/// Whether the language is unknown from here on, so that further errors say nothing: a header or `tg` is missing, or
/// headers are there that exclude each other.
bool losesLanguage(const ClangMessage &message);

/// The notes of such a message that say again what it says.
bool saysAgain(llvm::StringRef note);

} // namespace tegula::frontend
