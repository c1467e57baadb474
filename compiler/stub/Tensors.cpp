// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Tensors.h"

#include "ir/Elements.h"
#include "stub/Types.h"

#include "llvm/ADT/StringExtras.h"

#include <charconv>

using namespace mlir;

namespace tegula::stub {

ScalarKind kindOf(Type scalar) {
  switch (elementOf(scalar)->kind) {
  case Element::Kind::boolean:
    return ScalarKind::boolean;
  case Element::Kind::signed_integer:
  case Element::Kind::unsigned_integer:
    return ScalarKind::integer;
  default:
    return ScalarKind::floating;
  }
}

TensorEntry::TensorEntry(tile::EntryOp entry) : entry(entry), signature(entry) {
  for (auto [i, parameter] : llvm::enumerate(signature.parameters)) {
    TensorParameter &made = parameters.emplace_back();
    made.name = made.publicName = made.argument = parameter;
    made.array = dyn_cast<tile::ArrayType>(entry.getFunctionType().getInput(i));
    if (!made.array)
      made.scalar = parameterTypeOf(entry, i);
    made.isOptional = made.array && entry.getArgAttr(i, "tile.optional");
    made.value = entry.getArgAttr(i, "tile.default");
  }
}

std::string kindArguments(tile::ArrayType array, bool withConst) {
  return typeName(array.getElementType(), withConst && array.getReadOnly()) + ", " +
         std::to_string(array.getRank() - int64_t(array.getIsTable()));
}

/// The shortest decimal that is read as this number.
static std::string shortest(const APFloat &value) {
  char text[64];
  bool isDouble = &value.getSemantics() == &APFloat::IEEEdouble();
  APFloat wide = value;
  bool losesInfo = false;
  if (!isDouble)
    wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &losesInfo);
  auto [end, error] = isDouble ? std::to_chars(text, text + sizeof text, value.convertToDouble())
                               : std::to_chars(text, text + sizeof text, wide.convertToFloat());
  StringRef digits(text, end - text);
  return (digits + (digits.find_first_of(".e") == StringRef::npos ? ".0" : "")).str();
}

std::optional<std::string> pythonDefault(Attribute value, Type type) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValue().isFinite() ? std::optional(shortest(number.getValue())) : std::nullopt;
  APInt number = cast<IntegerAttr>(value).getValue();
  if (kindOf(type) == ScalarKind::boolean)
    return number.isZero() ? "False" : "True";
  if (kindOf(type) == ScalarKind::floating || (isUnsigned(type) && number.getActiveBits() > 63))
    return std::nullopt;
  return llvm::toString(number, 10, /*Signed=*/!isUnsigned(type));
}

// ---- Functions ------------------------------------------------------------------------------------------------------

/// Whether two entries take tensors of the same types, so that no call could tell which is meant.
static bool areAlike(const TensorEntry &a, const TensorEntry &b) {
  return llvm::all_of(llvm::zip_equal(a.parameters, b.parameters), [](auto pair) {
    tile::ArrayType one = std::get<0>(pair).array, other = std::get<1>(pair).array;
    return !one || (one.getElementType() == other.getElementType() && one.getRank() == other.getRank());
  });
}

FailureOr<std::vector<TensorFunction>> functionsOf(ArrayRef<TensorEntry> entries, StringRef interface,
                                                   StringRef separator) {
  std::vector<TensorFunction> functions;
  bool isGood = true;
  for (const TensorEntry &entry : entries) {
    bool isKnown = false, isTaken = false;
    for (TensorFunction &function : functions) {
      const TensorEntry &first = *function.entries.front();
      isTaken |= first.name == entry.name;
      if (first.name != entry.name || first.schema != entry.schema)
        continue;
      for (const TensorEntry *other : function.entries)
        if (areAlike(*other, entry)) {
          entry.entry.emitError() << "entries '" << other->signature.name.text() << "' and '"
                                  << entry.signature.name.text() << "' cannot both be the " << interface << " '"
                                  << entry.name << "': they take tensors of the same types; rename one";
          isGood = false;
        }
      function.entries.push_back(&entry);
      isKnown = true;
    }
    if (isKnown)
      continue;
    std::string name = entry.name;
    if (isTaken)
      name += (separator + llvm::join(entry.signature.parameters, "_")).str();
    unsigned same = llvm::count_if(functions, [&](const TensorFunction &other) {
      return other.entries.front()->name == entry.name && other.name == name;
    });
    functions.push_back({{&entry}, same == 0 ? name : name + "_" + std::to_string(same + 1)});
  }
  if (!isGood)
    return failure();
  return functions;
}

void printChoice(Writer &out, ArrayRef<const TensorEntry *> entries, Names &names, const std::string &callName,
                 const std::string &space, const PrintsEntry &print) {
  if (entries.size() == 1)
    return print(*entries.front());
  for (const TensorEntry *entry : entries) {
    SmallVector<std::string> fits;
    for (const TensorParameter &parameter : entry->parameters)
      if (parameter.array)
        fits.push_back(space + "::fits<" + kindArguments(parameter.array, /*withConst=*/false) + ">(" +
                       parameter.argument + ")");
    out.open("if (" + llvm::join(fits, " && ") + ")");
    Names::Block inner(names);
    print(*entry);
    out.close();
  }
  SmallVector<std::string> refused;
  for (auto [i, parameter] : llvm::enumerate(entries.front()->parameters)) {
    if (!parameter.array)
      continue;
    SmallVector<std::string> kinds;
    for (const TensorEntry *entry : entries)
      kinds.push_back(space + "::kind_of<" + kindArguments(entry->parameters[i].array, /*withConst=*/false) + ">");
    std::string given = parameter.isList() ? space + "::first_of(" + parameter.argument + ")" : parameter.argument;
    refused.push_back("{" + quoted(parameter.publicName) + ", " + given + ", {" + llvm::join(kinds, ", ") + "}}");
  }
  out.line(callName + ".refuse({" + llvm::join(refused, ", ") + "});");
}

void printEntryCall(Writer &out, const TensorEntry &entry, Names &names, ArrayRef<Expr> arguments,
                    llvm::function_ref<void(ArrayRef<std::string> results)> give) {
  std::string made = call("::" + entry.signature.name.text(), arguments).text;
  ArrayRef<Type> types = entry.entry.getFunctionType().getResults();
  if (types.empty()) {
    out.line(made + ";");
    return give({});
  }
  if (types.size() == 1)
    return give({made + (entry.signature.returnsStruct ? "." + entry.signature.resultNames[0] : "")});
  std::string results = names.unique("results");
  out.line("auto " + results + " = " + made + ";");
  std::vector<std::string> fields;
  for (auto [type, name] : llvm::zip(types, entry.signature.resultNames)) {
    std::string field = results + "." + name;
    fields.push_back(isa<tile::ArrayType>(type) ? "std::move(" + field + ")" : field);
  }
  give(fields);
}

} // namespace tegula::stub
