// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Elements.h"

#include "ir/TileDialect.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tegula {

static constexpr Element table[] = {
#define TEGULA_ELEMENT(NAME, KIND, BITS, CXX, TENSOR_MAP)                                                              \
  {Element::Kind::KIND == Element::Kind::boolean ? llvm::StringLiteral("bool") : llvm::StringLiteral(#NAME),           \
   Element::Kind::KIND, BITS, #CXX},
#include "tegula/elements.def"
};

std::span<const Element> elements() { return table; }

Type Element::type(MLIRContext *context) const {
  if (kind == Kind::unsigned_integer)
    return IntegerType::get(context, bits, IntegerType::Unsigned);
  if (kind != Kind::floating && kind != Kind::stored)
    return IntegerType::get(context, bits);
  auto known = llvm::StringSwitch<Type>(name)
                   .Case("f16", Float16Type::get(context))
                   .Case("bf16", BFloat16Type::get(context))
                   .Case("f32", Float32Type::get(context))
                   .Case("f64", Float64Type::get(context))
                   .Case("e4m3", Float8E4M3FNType::get(context))
                   .Case("e5m2", Float8E5M2Type::get(context))
                   .Default(Type());
  return known ? known : tile::StoredType::get(context, name);
}

const Element *elementOf(Type type) {
  for (const Element &each : table)
    if (each.type(type.getContext()) == type)
      return &each;
  return nullptr;
}

bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

bool isPacked(Type type) { return isa<tile::StoredType>(type) && elementOf(type)->bits == 4; }

bool isStored(Type type) { return isFloat8(type) || isa<tile::StoredType>(type); }

const Element *findElement(StringRef name) {
  for (const Element &each : table)
    if (each.name == name)
      return &each;
  return nullptr;
}

} // namespace tegula
