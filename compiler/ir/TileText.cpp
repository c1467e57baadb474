// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/TileText.h"

#include "ir/Elements.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tegula::tile {

std::string inWords(RankedTensorType tile) {
  std::string text = "a tile of ";
  llvm::raw_string_ostream out(text);
  llvm::interleave(
      tile.getShape(), out, [&](int64_t extent) { ShapedType::isDynamic(extent) ? out << '?' : out << extent; }, " x ");
  out << (tile.getRank() == 0 ? "one element of " : " elements of ");
  if (const Element *element = elementOf(tile.getElementType()))
    out << element->name;
  else
    out << tile.getElementType();
  return text;
}

} // namespace tegula::tile
