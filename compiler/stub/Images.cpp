// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Images.h"

#include "stub/Expr.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace tegula::stub {

/// `{90, 'a', ...` of "sm_90a".
static std::string archFields(StringRef arch) {
  StringRef number = arch.substr(arch.find('_') + 1);
  StringRef digits = number.take_while(isDigit), feature = number.drop_front(digits.size());
  return digits.str() + ", " + (feature.empty() ? "0" : "'" + feature.take_front(1).str() + "'");
}

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
    arrays.push_back(names.unique((image.isPtx ? "ptx_" : "cubin_") + image.arch));
    std::string head = "alignas(64) constexpr unsigned char " + arrays.back() + "[] = ";
    out.verbatim(head + (image.isPtx ? rawString(image.bytes) + ";" : "{" + byteRows(image.bytes) + "\n};"));
  }
  out.verbatim("// clang-format on");
  out.blank();
  std::string list = names.unique(setName + "_list");
  out.line("constexpr abi::image " + list + "[] = {");
  for (auto [image, array] : llvm::zip(images, arrays))
    out.verbatim("    {" + archFields(image.arch) + ", abi::image_kind::" + (image.isPtx ? "ptx" : "cubin") + ", " +
                 array + ", sizeof " + array + "},");
  out.line("};");
  out.line("abi::image_set " + setName + "(" + list + ");");
}

} // namespace tegula::stub
