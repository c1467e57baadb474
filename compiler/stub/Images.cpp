// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Images.h"

#include "stub/Expr.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tegula::stub {

static std::string byteRows(StringRef bytes) {
  static constexpr size_t perRow = 24;
  static constexpr StringLiteral hex = "0123456789abcdef";
  std::string rows;
  for (size_t i = 0; i < bytes.size(); ++i) {
    unsigned char byte = bytes[i];
    rows += i % perRow == 0 ? "\n   " : "";
    rows += {' ', '0', 'x', hex[byte >> 4], hex[byte & 15], ','};
  }
  return rows;
}

/// A raw string literal whose delimiter does not occur in the text.
static std::string rawString(StringRef text) {
  std::string delimiter = "ptx";
  while (text.contains(")" + delimiter + "\""))
    delimiter += "x";
  return "R\"" + delimiter + "(" + text.str() + ")" + delimiter + "\"";
}

void printImages(Writer &out, ArrayRef<Image> images, const std::string &setName, Names &names) {
  SmallVector<std::string> arrays;
  out.verbatim("// clang-format off");
  for (const Image &image : images) {
    bool isPtx = image.kind == ImageKind::ptx;
    std::string arch = std::to_string(image.arch) + (image.feature ? std::string(1, image.feature) : "");
    arrays.push_back(names.unique((isPtx ? "ptx_sm_" : "cubin_sm_") + arch));
    std::string head = "alignas(64) constexpr unsigned char " + arrays.back() + "[] = ";
    out.verbatim(head + (isPtx ? rawString(image.bytes) + ";" : "{" + byteRows(image.bytes) + "\n};"));
  }
  out.verbatim("// clang-format on");
  out.blank();
  std::string list = names.unique(setName + "_list");
  out.line("constexpr abi::image " + list + "[] = {");
  for (auto [image, array] : llvm::zip(images, arrays))
    out.verbatim("    {" + std::to_string(image.arch) + ", " +
                 (image.feature ? "'" + std::string(1, image.feature) + "'" : "0") + ", abi::image_kind::" +
                 (image.kind == ImageKind::ptx ? "ptx" : "cubin") + ", " + array + ", sizeof " + array + "},");
  out.line("};");
  out.line("abi::image_set " + setName + "(" + list + ");");
}

} // namespace tegula::stub
