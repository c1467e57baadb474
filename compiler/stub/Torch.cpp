// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Torch.h"

#include "ir/Elements.h"
#include "stub/Host.h"
#include "stub/TorchShapes.h"
#include "stub/Types.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <charconv>

using namespace mlir;

namespace tegula::stub {

namespace {

enum class ScalarKind { boolean, integer, floating };

/// What an entry takes.
struct Parameter {
  std::string name;   ///< In C++.
  std::string schema; ///< Its part of the schema: `Tensor(a!) x`, `float eps=1e-05`.
  tile::ArrayType array;
  bool isOptional = false; ///< An optional array.
  bool isList() const { return array && array.getIsTable(); }
  Type scalar;
  /// The default of a scalar where a schema can only say None for it.
  std::string otherwise;
};

/// An entry and what its operator is.
struct Operator {
  mutable tile::EntryOp entry; ///< A handle, whose members are not const.
  Signature signature;
  std::string name, schema;
  std::vector<Parameter> parameters;
  std::optional<Shapes> shapes; ///< Of its results, where they have a form.
};

} // namespace

static ScalarKind kindOf(Type scalar) {
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

static StringRef schemaType(ScalarKind kind) {
  return kind == ScalarKind::boolean ? "bool" : kind == ScalarKind::integer ? "int" : "float";
}
static std::string torchType(ScalarKind kind) {
  return kind == ScalarKind::boolean ? "bool" : kind == ScalarKind::integer ? "std::int64_t" : "double";
}

/// A name that Python takes as that of an argument.
static std::string pythonName(StringRef name) {
  bool isKeyword =
      llvm::StringSwitch<bool>(name)
          .Cases("and", "as", "assert", "async", "await", "class", "def", "del", "elif", "except", true)
          .Cases("finally", "from", "global", "import", "in", "is", "lambda", "nonlocal", "not", "or", true)
          .Cases("pass", "raise", "with", "yield", "None", "True", "False", true)
          .Default(false);
  return (isKeyword ? name + "_" : name).str();
}

// ---- Schemas --------------------------------------------------------------------------------------------------------

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

/// A default as schemas write it; none if they cannot.
static std::optional<std::string> schemaDefault(Attribute value, Type type) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValue().isFinite() ? std::optional(shortest(number.getValue())) : std::nullopt;
  APInt number = cast<IntegerAttr>(value).getValue();
  if (kindOf(type) == ScalarKind::boolean)
    return number.isZero() ? "False" : "True";
  if (kindOf(type) == ScalarKind::floating || (isUnsigned(type) && number.getActiveBits() > 63))
    return std::nullopt;
  return llvm::toString(number, 10, /*Signed=*/!isUnsigned(type));
}

/// What a schema calls the memory of a mutable tensor: a to z, then a0, a1...
static std::string aliasName(unsigned number) {
  return number < 26 ? std::string(1, static_cast<char>('a' + number)) : "a" + std::to_string(number - 26);
}

static Parameter arrayParameter(tile::EntryOp entry, unsigned i, const std::string &name, unsigned &mutableCount) {
  Parameter result;
  result.name = name;
  result.array = cast<tile::ArrayType>(entry.getFunctionType().getInput(i));
  result.isOptional = static_cast<bool>(entry.getArgAttr(i, "tile.optional"));
  result.schema = "Tensor";
  if (!result.array.getReadOnly())
    result.schema += "(" + aliasName(mutableCount++) + "!)";
  if (result.array.getIsTable())
    result.schema += "[]";
  result.schema += (result.isOptional ? "? " : " ") + pythonName(name) + (result.isOptional ? "=None" : "");
  return result;
}

static Parameter scalarParameter(tile::EntryOp entry, unsigned i, const std::string &name) {
  Parameter result;
  result.name = name;
  result.scalar = parameterTypeOf(entry, i);
  std::string type = schemaType(kindOf(result.scalar)).str(), pythons = pythonName(name);
  Attribute value = entry.getArgAttr(i, "tile.default");
  std::optional<std::string> text = value ? schemaDefault(value, result.scalar) : std::nullopt;
  if (value && !text)
    result.otherwise = literal(value, result.scalar).text;
  result.schema = !value ? type + " " + pythons
                  : text ? type + " " + pythons + "=" + *text
                         : type + "? " + pythons + "=None";
  return result;
}

static std::string resultsOf(const Operator &op) {
  ArrayRef<Type> types = op.entry.getFunctionType().getResults();
  SmallVector<std::string> parts;
  for (unsigned i = 0; i < types.size(); ++i) {
    std::string type = isa<tile::ArrayType>(types[i]) ? "Tensor" : schemaType(kindOf(resultTypeOf(op.entry, i))).str();
    parts.push_back(types.size() == 1 ? type : type + " " + pythonName(op.signature.resultNames[i]));
  }
  return parts.size() == 1 ? parts.front() : "(" + llvm::join(parts, ", ") + ")";
}

/// Says why PyTorch cannot have an entry, if so.
static LogicalResult check(const Operator &op) {
  auto refuse = [&](const Twine &why) {
    return op.entry.emitError() << "entry '" << op.signature.name.text() << "' cannot be a PyTorch operator: " << why;
  };
  for (const Parameter &parameter : op.parameters)
    if (Type type = parameter.array ? parameter.array.getElementType() : parameter.scalar; isPacked(type))
      return refuse(
          "'" + parameter.name + "' has elements of " + elementOf(type)->name +
          ", packed two per byte, and PyTorch has no such dtype: take bytes (u8) and unpack them in the kernel");
  for (auto [i, type] : llvm::enumerate(op.entry.getFunctionType().getResults()))
    if (auto array = dyn_cast<tile::ArrayType>(type); array && isPacked(array.getElementType()))
      return refuse("its result has elements of " + elementOf(array.getElementType())->name +
                    ", packed two per byte, and PyTorch has no such dtype: return bytes (u8) that the kernel packs");
  if (llvm::none_of(op.parameters, [](const Parameter &each) { return each.array && !each.isOptional; }))
    return refuse(
        "it has no array parameter that is always present, and PyTorch selects CPU or GPU by a tensor: take one, such "
        "as the array that the result is made like, or keep the entry in a file of tegula_add_kernels");
  return success();
}

static Operator operatorOf(tile::EntryOp entry) {
  Operator result{entry, Signature(entry), "", "", {}, std::nullopt};
  const Signature &signature = result.signature;
  result.name = pythonName(signature.name.name);
  unsigned mutableCount = 0;
  SmallVector<std::string> parts;
  for (auto [i, name] : llvm::enumerate(signature.parameters)) {
    bool isArray = isa<tile::ArrayType>(entry.getFunctionType().getInput(i));
    result.parameters.push_back(isArray ? arrayParameter(entry, i, name, mutableCount)
                                        : scalarParameter(entry, i, name));
    parts.push_back(result.parameters.back().schema);
  }
  result.schema = "(" + llvm::join(parts, ", ") + ") -> " + resultsOf(result);
  std::vector<std::string> usable;
  for (const Parameter &parameter : result.parameters)
    usable.push_back(parameter.otherwise.empty() ? parameter.name : "");
  result.shapes = shapesOf(entry, usable);
  return result;
}

// ---- Functions ------------------------------------------------------------------------------------------------------

/// `float, 2`; of a list, what its arrays are.
static std::string kindArguments(tile::ArrayType array, bool withConst) {
  return typeName(array.getElementType(), withConst && array.getReadOnly()) + ", " +
         std::to_string(array.getRank() - int64_t(array.getIsTable()));
}

static std::string torchParameter(const Parameter &parameter) {
  if (parameter.isList())
    return "at::TensorList " + parameter.name;
  if (parameter.array)
    return (parameter.isOptional ? "const std::optional<at::Tensor> &" : "const at::Tensor &") + parameter.name;
  std::string type = torchType(kindOf(parameter.scalar));
  return (parameter.otherwise.empty() ? type : "std::optional<" + type + ">") + " " + parameter.name;
}

static std::string torchResult(const Operator &op) {
  ArrayRef<Type> types = op.entry.getFunctionType().getResults();
  SmallVector<std::string> parts;
  for (unsigned i = 0; i < types.size(); ++i)
    parts.push_back(isa<tile::ArrayType>(types[i]) ? "at::Tensor" : torchType(kindOf(resultTypeOf(op.entry, i))));
  return parts.empty() ? "void" : parts.size() == 1 ? parts.front() : "std::tuple<" + llvm::join(parts, ", ") + ">";
}

/// A parameter as the entry takes it.
static Expr argumentOf(const Parameter &parameter, const std::string &callName) {
  std::string name = quoted(pythonName(parameter.name));
  if (parameter.array)
    return Expr(callName + (parameter.isList() ? ".arrays<" : ".array<") +
                kindArguments(parameter.array, /*withConst=*/true) + ">(" + name + ", " + parameter.name + ")");
  std::string value = parameter.otherwise.empty() ? parameter.name : "*" + parameter.name,
              type = typeName(parameter.scalar);
  ScalarKind kind = kindOf(parameter.scalar);
  if (kind == ScalarKind::integer && !parameter.scalar.isSignlessInteger(64))
    value = callName + ".integer<" + type + ">(" + name + ", " + value + ")";
  else if (kind == ScalarKind::floating && !parameter.scalar.isF64())
    value = "static_cast<" + type + ">(" + value + ")";
  return Expr(parameter.otherwise.empty() ? value : parameter.name + " ? " + value + " : " + parameter.otherwise);
}

/// The call of an entry, and what is made of its results.
static void printCall(Writer &out, const Operator &op, Names &names, const std::string &callName) {
  SmallVector<Expr> arguments;
  for (const Parameter &parameter : op.parameters)
    arguments.push_back(argumentOf(parameter, callName));
  arguments.push_back(Expr(callName + ".stream()"));
  std::string made = call("::" + op.signature.name.text(), arguments).text;
  ArrayRef<Type> types = op.entry.getFunctionType().getResults();
  auto give = [&](unsigned i, const std::string &value) {
    return isa<tile::ArrayType>(types[i])
               ? callName + ".give(" + value + ")"
               : "static_cast<" + torchType(kindOf(resultTypeOf(op.entry, i))) + ">(" + value + ")";
  };
  if (types.size() <= 1) {
    std::string field = op.signature.returnsStruct && !types.empty() ? "." + op.signature.resultNames[0] : "";
    out.line((types.empty() ? made : "return " + give(0, made + field)) + ";");
    return;
  }
  std::string results = names.unique("results");
  out.line("auto " + results + " = " + made + ";");
  SmallVector<std::string> parts;
  for (unsigned i = 0; i < types.size(); ++i) {
    std::string field = results + "." + op.signature.resultNames[i];
    parts.push_back(give(i, isa<tile::ArrayType>(types[i]) ? "std::move(" + field + ")" : field));
  }
  out.line("return {" + llvm::join(parts, ", ") + "};");
}

/// The shapes of an entry's results, as PyTorch asks for them while some extents are symbols.
static void printShapes(Writer &out, const Operator &op, Names & /*names*/, const std::string &callName) {
  for (const Shapes::Check &check : op.shapes->checks) {
    std::string numbers = check.numbers.empty() ? "" : ", {" + llvm::join(check.numbers, ", ") + "}";
    out.line(callName + ".check(" + check.condition + ", " + quoted(check.message) + numbers + ");");
  }
  SmallVector<std::string> made;
  for (auto [type, dims] : llvm::zip(op.entry.getFunctionType().getResults(), op.shapes->results))
    made.push_back(callName + ".shaped<" + typeName(cast<tile::ArrayType>(type).getElementType()) + ">({" +
                   llvm::join(dims, ", ") + "})");
  if (!made.empty())
    out.line("return " + (made.size() == 1 ? made.front() : "{" + llvm::join(made, ", ") + "}") + ";");
}

/// What an operator does once it is known which of its entries takes the tensors.
using PrintsEntry = void (*)(Writer &out, const Operator &op, Names &names, const std::string &callName);

/// Chooses the entry that takes the tensors.
static void printChoice(Writer &out, ArrayRef<const Operator *> entries, Names &names, const std::string &callName,
                        PrintsEntry print) {
  for (const Operator *op : entries) {
    SmallVector<std::string> fits;
    for (const Parameter &parameter : op->parameters)
      if (parameter.array)
        fits.push_back("pytorch::fits<" + kindArguments(parameter.array, /*withConst=*/false) + ">(" + parameter.name +
                       ")");
    out.open("if (" + llvm::join(fits, " && ") + ")");
    Names::Block inner(names);
    print(out, *op, names, callName);
    if (op->entry.getFunctionType().getNumResults() == 0)
      out.line("return;");
    out.close();
  }
  SmallVector<std::string> refused;
  for (auto [i, parameter] : llvm::enumerate(entries.front()->parameters)) {
    if (!parameter.array)
      continue;
    SmallVector<std::string> kinds;
    for (const Operator *op : entries)
      kinds.push_back("pytorch::kind_of<" + kindArguments(op->parameters[i].array, /*withConst=*/false) + ">");
    std::string given = parameter.isList() ? "pytorch::first_of(" + parameter.name + ")" : parameter.name;
    refused.push_back("{" + quoted(pythonName(parameter.name)) + ", " + given + ", {" + llvm::join(kinds, ", ") + "}}");
  }
  out.line(callName + ".refuse({" + llvm::join(refused, ", ") + "});");
}

static std::string declarationOf(const Operator &op, const std::string &function, StringRef beforeScalars = "") {
  SmallVector<std::string> parameters;
  for (const Parameter &parameter : op.parameters)
    parameters.push_back((parameter.array ? "" : beforeScalars.str()) + torchParameter(parameter));
  return torchResult(op) + " " + function + "(" + llvm::join(parameters, ", ") + ")";
}

/// Declares the call of an operator's function, and returns its name.
static std::string printBegin(Writer &out, const Operator &op, Names &names, const std::string &space) {
  const Parameter *chooses = nullptr; // A list may have no tensors.
  for (const Parameter &each : op.parameters)
    if (each.array && !each.isOptional && (!chooses || (chooses->isList() && !each.isList())))
      chooses = &each;
  std::string callName = names.unique("call");
  out.line("pytorch::call " + callName + "(" + quoted(space + "::" + op.name) + ", " + chooses->name + ");");
  return callName;
}

/// The function of an operator, which calls the one of its entries that takes the tensors.
static void printFunction(Writer &out, ArrayRef<const Operator *> entries, const std::string &function,
                          const std::string &space) {
  const Operator &first = *entries.front();
  Names names = first.signature.names;
  out.open(declarationOf(first, function));
  std::string callName = printBegin(out, first, names, space);
  if (entries.size() == 1)
    printCall(out, first, names, callName);
  else
    printChoice(out, entries, names, callName, printCall);
  out.close();
}

/// The function for meta tensors: `function` does it where all extents are numbers.
static void printShapesFunction(Writer &out, ArrayRef<const Operator *> entries, const std::string &name,
                                const std::string &function, const std::string &space) {
  const Operator &first = *entries.front();
  Names names = first.signature.names;
  out.open(declarationOf(first, name, "[[maybe_unused]] "));
  SmallVector<std::string> tensors, all;
  for (const Parameter &parameter : first.parameters) {
    all.push_back(parameter.name);
    if (parameter.array)
      tensors.push_back(parameter.name);
  }
  out.line("if (!pytorch::is_symbolic(" + llvm::join(tensors, ", ") + "))");
  out.line("  return " + function + "(" + llvm::join(all, ", ") + ");");
  std::string callName = printBegin(out, first, names, space);
  if (entries.size() == 1) {
    for (const Parameter &parameter : first.parameters)
      if (parameter.array)
        out.line(callName + ".expect<" + kindArguments(parameter.array, /*withConst=*/false) + ">(" +
                 quoted(pythonName(parameter.name)) + ", " + parameter.name + ");");
    printShapes(out, first, names, callName);
  } else {
    printChoice(out, entries, names, callName, printShapes);
  }
  out.close();
}

// ---- Files ----------------------------------------------------------------------------------------------------------

namespace {
/// One operator, or one overload of it.
struct Overload {
  SmallVector<const Operator *> entries;
  std::string name, function;
  std::string shapes; ///< The function for meta tensors.
};
} // namespace

/// Whether two entries take tensors of the same types, so that no call could tell which is meant.
static bool areAlike(const Operator &a, const Operator &b) {
  return llvm::all_of(llvm::zip_equal(a.parameters, b.parameters), [](auto pair) {
    tile::ArrayType one = std::get<0>(pair).array, other = std::get<1>(pair).array;
    return !one || (one.getElementType() == other.getElementType() && one.getRank() == other.getRank());
  });
}

static FailureOr<std::vector<Overload>> overloadsOf(ArrayRef<Operator> operators) {
  std::vector<Overload> overloads;
  Names names;
  bool isGood = true;
  for (const Operator &op : operators) {
    bool isKnown = false, isTaken = false;
    for (Overload &overload : overloads) {
      const Operator &first = *overload.entries.front();
      isTaken |= first.name == op.name;
      if (first.name != op.name || first.schema != op.schema)
        continue;
      for (const Operator *other : overload.entries)
        if (areAlike(*other, op)) {
          op.entry.emitError() << "entries '" << other->signature.name.text() << "' and '" << op.signature.name.text()
                               << "' cannot both be the PyTorch operator '" << op.name
                               << "': they take tensors of the same types; rename one";
          isGood = false;
        }
      overload.entries.push_back(&op);
      isKnown = true;
    }
    if (isKnown)
      continue;
    std::string name = op.name;
    if (isTaken)
      name += "." + llvm::join(op.signature.parameters, "_");
    unsigned same = llvm::count_if(overloads, [&](const Overload &other) { return other.name == name; });
    std::string function = names.unique(op.name + "_operator");
    overloads.push_back({{&op}, same == 0 ? name : name + "_" + std::to_string(same + 1), function, function});
  }
  if (!isGood)
    return failure();
  for (Overload &overload : overloads)
    if (llvm::all_of(overload.entries, [](const Operator *op) { return op->shapes.has_value(); }))
      overload.shapes = names.unique(overload.entries.front()->name + "_shapes");
  return overloads;
}

FailureOr<std::string> printTorch(ModuleOp module, const TorchOptions &options) {
  std::vector<Operator> operators;
  bool isGood = true;
  for (auto entry : module.getOps<tile::EntryOp>()) {
    operators.push_back(operatorOf(entry));
    isGood &= succeeded(check(operators.back()));
  }
  if (!isGood)
    return failure();
  FailureOr<std::vector<Overload>> overloads = overloadsOf(operators);
  if (failed(overloads))
    return failure();

  Writer out(/*lineDirectives=*/false);
  printNotice(out, options.kernelSource);
  out.line("#include \"" + options.headerName + "\"");
  out.blank();
  out.line("#include \"tegula/torch.h\"");
  out.blank();
  out.line("namespace tegula {");
  out.line("namespace {");
  out.blank();
  for (const Overload &overload : *overloads) {
    printFunction(out, overload.entries, overload.function, options.space);
    out.blank();
    if (overload.shapes == overload.function)
      continue;
    printShapesFunction(out, overload.entries, overload.shapes, overload.function, options.space);
    out.blank();
  }
  out.open("void implement(::torch::Library &library)");
  for (const Overload &overload : *overloads)
    out.line("library.impl(" + quoted(overload.name) + ", TORCH_FN(" + overload.function + "));");
  out.close();
  out.blank();
  out.open("TORCH_LIBRARY_FRAGMENT(" + options.space + ", library)");
  for (const Overload &overload : *overloads) {
    const Operator &first = *overload.entries.front();
    printDoc(out, first.entry.getDoc(), "  //");
    out.line("library.def(" + quoted(overload.name + first.schema) + ", pytorch::tags());");
  }
  out.close();
  for (StringRef key : {"CPU", "CUDA"})
    out.line("TORCH_LIBRARY_IMPL(" + options.space + ", " + key.str() + ", library) { implement(library); }");
  out.open("TORCH_LIBRARY_IMPL(" + options.space + ", Meta, library)");
  for (const Overload &overload : *overloads)
    out.line("library.impl(" + quoted(overload.name) + ", TORCH_FN(" + overload.shapes + "));");
  out.close();
  out.blank();
  out.line("} // namespace");
  out.line("} // namespace tegula");
  return out.finish("");
}

} // namespace tegula::stub
