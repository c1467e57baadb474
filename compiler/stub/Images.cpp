// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Images.h"

#include "stub/Expr.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tegula::stub {

/// Bytes as string literals, which compilers read twenty times as fast as lists of numbers.
static std::string byteRows(StringRef bytes) {
  static constexpr size_t perRow = 32;
  std::string rows;
  for (size_t begin = 0; begin < bytes.size(); begin += perRow) {
    StringRef row = bytes.substr(begin, perRow);
    rows += "\n    \"";
    for (size_t i = 0; i < row.size(); ++i) {
      unsigned char byte = row[i];
      if (llvm::isPrint(byte) && byte != '"' && byte != '\\' && byte != '?') {
        rows += row[i];
        continue;
      }
      // As few octal digits as the next character allows.
      bool digitFollows = i + 1 < row.size() && llvm::isDigit(row[i + 1]);
      rows += '\\';
      if (byte >= 64 || digitFollows)
        rows += static_cast<char>('0' + byte / 64);
      if (byte >= 8 || digitFollows)
        rows += static_cast<char>('0' + byte / 8 % 8);
      rows += static_cast<char>('0' + byte % 8);
    }
    rows += '"';
  }
  return bytes.empty() ? " \"\"" : rows;
}

/// A raw string literal whose delimiter does not occur in the text.
static std::string rawString(StringRef text) {
  std::string delimiter = "ptx";
  while (text.contains(")" + delimiter + "\""))
    delimiter += "x";
  return "R\"" + delimiter + "(" + text.str() + ")" + delimiter + "\"";
}

void printImages(Writer &out, ArrayRef<Image> images, const std::string &setName, Names &names) {
  SmallVector<std::string> arrays, kernels;
  out.verbatim("// clang-format off");
  for (const Image &image : images) {
    bool isPtx = image.kind == ImageKind::ptx;
    std::string arch = std::to_string(image.arch) + (image.feature ? std::string(1, image.feature) : "");
    arrays.push_back(names.unique((isPtx ? "ptx_sm_" : "cubin_sm_") + arch));
    out.verbatim("alignas(64) constexpr unsigned char " + arrays.back() +
                 "[] =" + (isPtx ? " " + rawString(image.bytes) : byteRows(image.bytes)) + ";");
    kernels.push_back(image.kernels.empty() ? "" : names.unique("kernels_of_" + arrays.back()));
    if (!image.kernels.empty())
      out.verbatim("constexpr const char *" + kernels.back() + "[] = {\"" + llvm::join(image.kernels, "\", \"") +
                   "\", nullptr};");
  }
  out.verbatim("// clang-format on");
  out.blank();
  std::string list = names.unique(setName + "_list");
  out.line("// The size leaves out the 0 that ends a string literal.");
  out.line("constexpr abi::image " + list + "[] = {");
  for (auto [image, array, held] : llvm::zip(images, arrays, kernels))
    out.verbatim("    {" + std::to_string(image.arch) + ", " +
                 (image.feature ? "'" + std::string(1, image.feature) + "'" : "0") +
                 ", abi::image_kind::" + (image.kind == ImageKind::ptx ? "ptx" : "cubin") + ", " + array + ", sizeof " +
                 array + " - 1, " + std::to_string(image.archClass) + (image.waitsForGrids ? ", true" : ", false") +
                 (held.empty() ? "" : ", " + held) + "},");
  out.line("};");
  out.line("abi::image_set<" + std::to_string(images.size()) + "> " + setName + "(" + list + ");");
}

} // namespace tegula::stub
