// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir/Elements.h"

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
  if (!isFloat())
    return IntegerType::get(context, bits);
  return llvm::StringSwitch<Type>(name)
      .Case("f16", Float16Type::get(context))
      .Case("bf16", BFloat16Type::get(context))
      .Case("f32", Float32Type::get(context))
      .Case("f64", Float64Type::get(context))
      .Case("e4m3", Float8E4M3FNType::get(context))
      .Case("e5m2", Float8E5M2Type::get(context));
}

const Element *elementOf(Type type) {
  for (const Element &each : table)
    if (each.type(type.getContext()) == type)
      return &each;
  return nullptr;
}

bool isFloat8(Type type) {
  const Element *element = isa<FloatType>(type) ? elementOf(type) : nullptr;
  return element && element->kind == Element::Kind::stored;
}

const Element *findElement(StringRef name) {
  for (const Element &each : table)
    if (each.name == name)
      return &each;
  return nullptr;
}

} // namespace tegula
