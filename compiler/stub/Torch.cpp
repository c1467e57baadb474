// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Torch.h"

#include "ir/Elements.h"
#include "stub/Tensors.h"
#include "stub/TorchShapes.h"
#include "stub/Types.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tegula::stub {

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

/// What a schema calls the memory of a mutable tensor: a to z, then a0, a1...
static std::string aliasName(unsigned number) {
  return number < 26 ? std::string(1, static_cast<char>('a' + number)) : "a" + std::to_string(number - 26);
}

/// `Tensor(a!) x`, `float eps=1e-05`.
static std::string schemaOf(const TensorParameter &parameter, unsigned &mutableCount) {
  if (!parameter.array) {
    std::string type = schemaType(kindOf(parameter.scalar)).str();
    if (!parameter.value)
      return type + " " + parameter.publicName;
    std::optional<std::string> text = pythonDefault(parameter.value, parameter.scalar);
    return text ? type + " " + parameter.publicName + "=" + *text : type + "? " + parameter.publicName + "=None";
  }
  std::string text = "Tensor";
  if (!parameter.array.getReadOnly())
    text += "(" + aliasName(mutableCount++) + "!)";
  if (parameter.isList())
    text += "[]";
  return text + (parameter.isOptional ? "? " : " ") + parameter.publicName + (parameter.isOptional ? "=None" : "");
}

/// The default of a scalar where a schema can only say None for it; else "".
static std::string defaultOfNone(const TensorParameter &parameter) {
  if (parameter.array || !parameter.value || pythonDefault(parameter.value, parameter.scalar))
    return "";
  return literal(parameter.value, parameter.scalar).text;
}

static std::string resultsOf(const TensorEntry &op) {
  ArrayRef<Type> types = op.entry.getFunctionType().getResults();
  SmallVector<std::string> parts;
  for (unsigned i = 0; i < types.size(); ++i) {
    std::string type = isa<tile::ArrayType>(types[i]) ? "Tensor" : schemaType(kindOf(resultTypeOf(op.entry, i))).str();
    parts.push_back(types.size() == 1 ? type : type + " " + pythonName(op.signature.resultNames[i]));
  }
  return parts.size() == 1 ? parts.front() : "(" + llvm::join(parts, ", ") + ")";
}

/// Says why PyTorch cannot have an entry, if so.
static LogicalResult check(const TensorEntry &op) {
  auto refuse = [&](const Twine &why) {
    return op.entry.emitError() << "entry '" << op.signature.name.text() << "' cannot be a PyTorch operator: " << why;
  };
  for (const TensorParameter &parameter : op.parameters)
    if (Type type = parameter.array ? parameter.array.getElementType() : parameter.scalar; isPacked(type))
      return refuse(
          "'" + parameter.name + "' has elements of " + elementOf(type)->name +
          ", packed two per byte, and PyTorch has no such dtype: take bytes (u8) and unpack them in the kernel");
  for (auto [i, type] : llvm::enumerate(op.entry.getFunctionType().getResults()))
    if (auto array = dyn_cast<tile::ArrayType>(type); array && isPacked(array.getElementType()))
      return refuse("its result has elements of " + elementOf(array.getElementType())->name +
                    ", packed two per byte, and PyTorch has no such dtype: return bytes (u8) that the kernel packs");
  if (llvm::none_of(op.parameters, [](const TensorParameter &each) { return each.array && !each.isOptional; }))
    return refuse(
        "it has no array parameter that is always present, and PyTorch selects CPU or GPU by a tensor: take one, such "
        "as the array that the result is made like, or keep the entry in a file of tegula_add_kernels");
  return success();
}

static TensorEntry operatorOf(tile::EntryOp entry) {
  TensorEntry result(entry);
  result.name = pythonName(result.signature.name.name);
  unsigned mutableCount = 0;
  SmallVector<std::string> parts;
  for (TensorParameter &parameter : result.parameters) {
    parameter.publicName = pythonName(parameter.name);
    parts.push_back(schemaOf(parameter, mutableCount));
  }
  result.schema = "(" + llvm::join(parts, ", ") + ") -> " + resultsOf(result);
  return result;
}

/// Of an operator's results, where they have a form.
static std::optional<Shapes> shapesOf(const TensorEntry &op) {
  std::vector<std::string> usable;
  for (const TensorParameter &parameter : op.parameters)
    usable.push_back(defaultOfNone(parameter).empty() ? parameter.name : "");
  return shapesOf(op.entry, usable);
}

// ---- Functions ------------------------------------------------------------------------------------------------------

static std::string torchParameter(const TensorParameter &parameter) {
  if (parameter.isList())
    return "at::TensorList " + parameter.name;
  if (parameter.array)
    return (parameter.isOptional ? "const std::optional<at::Tensor> &" : "const at::Tensor &") + parameter.name;
  std::string type = torchType(kindOf(parameter.scalar));
  return (defaultOfNone(parameter).empty() ? type : "std::optional<" + type + ">") + " " + parameter.name;
}

static std::string torchResult(const TensorEntry &op) {
  ArrayRef<Type> types = op.entry.getFunctionType().getResults();
  SmallVector<std::string> parts;
  for (unsigned i = 0; i < types.size(); ++i)
    parts.push_back(isa<tile::ArrayType>(types[i]) ? "at::Tensor" : torchType(kindOf(resultTypeOf(op.entry, i))));
  return parts.empty() ? "void" : parts.size() == 1 ? parts.front() : "std::tuple<" + llvm::join(parts, ", ") + ">";
}

/// A parameter as the entry takes it.
static Expr torchArgument(const TensorParameter &parameter, const std::string &callName) {
  std::string name = quoted(parameter.publicName);
  if (parameter.array)
    return Expr(callName + (parameter.isList() ? ".arrays<" : ".array<") +
                kindArguments(parameter.array, /*withConst=*/true) + ">(" + name + ", " + parameter.name + ")");
  std::string otherwise = defaultOfNone(parameter), value = otherwise.empty() ? parameter.name : "*" + parameter.name,
              type = typeName(parameter.scalar);
  ScalarKind kind = kindOf(parameter.scalar);
  if (kind == ScalarKind::integer && !parameter.scalar.isSignlessInteger(64))
    value = callName + ".integer<" + type + ">(" + name + ", " + value + ")";
  else if (kind == ScalarKind::floating && !parameter.scalar.isF64())
    value = "static_cast<" + type + ">(" + value + ")";
  return Expr(otherwise.empty() ? value : parameter.name + " ? " + value + " : " + otherwise);
}

/// The call of an entry, and what is made of its results.
static void printCall(Writer &out, const TensorEntry &op, Names &names, const std::string &callName) {
  SmallVector<Expr> arguments;
  for (const TensorParameter &parameter : op.parameters)
    arguments.push_back(torchArgument(parameter, callName));
  arguments.push_back(Expr(callName + ".stream()"));
  ArrayRef<Type> types = op.entry.getFunctionType().getResults();
  printEntryCall(out, op, names, arguments, [&](ArrayRef<std::string> results) {
    SmallVector<std::string> parts;
    for (auto [i, value] : llvm::enumerate(results))
      parts.push_back(isa<tile::ArrayType>(types[i])
                          ? callName + ".give(" + value + ")"
                          : "static_cast<" + torchType(kindOf(resultTypeOf(op.entry, i))) + ">(" + value + ")");
    if (!parts.empty())
      out.line("return " + (parts.size() == 1 ? parts.front() : "{" + llvm::join(parts, ", ") + "}") + ";");
  });
}

/// The shapes of an entry's results, as PyTorch asks for them while some extents are symbols.
static void printShapes(Writer &out, const TensorEntry &op, Names & /*names*/, const std::string &callName) {
  std::optional<Shapes> shapes = shapesOf(op);
  for (const Shapes::Check &check : shapes->checks) {
    std::string numbers = check.numbers.empty() ? "" : ", {" + llvm::join(check.numbers, ", ") + "}";
    out.line(callName + ".check(" + check.condition + ", " + quoted(check.message) + numbers + ");");
  }
  SmallVector<std::string> made;
  for (auto [type, dims] : llvm::zip(op.entry.getFunctionType().getResults(), shapes->results))
    made.push_back(callName + ".shaped<" + typeName(cast<tile::ArrayType>(type).getElementType()) + ">({" +
                   llvm::join(dims, ", ") + "})");
  if (!made.empty())
    out.line("return " + (made.size() == 1 ? made.front() : "{" + llvm::join(made, ", ") + "}") + ";");
}

/// Does it for the entry that takes the tensors.
static void printForEach(Writer &out, ArrayRef<const TensorEntry *> entries, Names &names, const std::string &callName,
                         void (*print)(Writer &, const TensorEntry &, Names &, const std::string &)) {
  printChoice(out, entries, names, callName, "pytorch", [&](const TensorEntry &op) {
    print(out, op, names, callName);
    if (entries.size() > 1 && op.entry.getFunctionType().getNumResults() == 0)
      out.line("return;");
  });
}

static std::string declarationOf(const TensorEntry &op, const std::string &function, StringRef beforeScalars = "") {
  SmallVector<std::string> parameters;
  for (const TensorParameter &parameter : op.parameters)
    parameters.push_back((parameter.array ? "" : beforeScalars.str()) + torchParameter(parameter));
  return torchResult(op) + " " + function + "(" + llvm::join(parameters, ", ") + ")";
}

/// Declares the call of an operator's function, and returns its name.
static std::string printBegin(Writer &out, const TensorEntry &op, Names &names, const std::string &space) {
  const TensorParameter *chooses = nullptr; // A list may have no tensors.
  for (const TensorParameter &each : op.parameters)
    if (each.array && !each.isOptional && (!chooses || (chooses->isList() && !each.isList())))
      chooses = &each;
  std::string callName = names.unique("call");
  out.line("pytorch::call " + callName + "(" + quoted(space + "::" + op.name) + ", " + chooses->name + ");");
  return callName;
}

/// The function of an operator, which calls the one of its entries that takes the tensors.
static void printFunction(Writer &out, ArrayRef<const TensorEntry *> entries, const std::string &function,
                          const std::string &space) {
  const TensorEntry &first = *entries.front();
  Names names = first.signature.names;
  out.open(declarationOf(first, function));
  std::string callName = printBegin(out, first, names, space);
  printForEach(out, entries, names, callName, printCall);
  out.close();
}

/// The function for meta tensors: `function` does it where all extents are numbers.
static void printShapesFunction(Writer &out, ArrayRef<const TensorEntry *> entries, const std::string &name,
                                const std::string &function, const std::string &space) {
  const TensorEntry &first = *entries.front();
  Names names = first.signature.names;
  out.open(declarationOf(first, name, "[[maybe_unused]] "));
  SmallVector<std::string> tensors, all;
  for (const TensorParameter &parameter : first.parameters) {
    all.push_back(parameter.name);
    if (parameter.array)
      tensors.push_back(parameter.name);
  }
  out.line("if (!pytorch::is_symbolic(" + llvm::join(tensors, ", ") + "))");
  out.line("  return " + function + "(" + llvm::join(all, ", ") + ");");
  std::string callName = printBegin(out, first, names, space);
  if (entries.size() == 1)
    for (const TensorParameter &parameter : first.parameters)
      if (parameter.array)
        out.line(callName + ".expect<" + kindArguments(parameter.array, /*withConst=*/false) + ">(" +
                 quoted(parameter.publicName) + ", " + parameter.name + ");");
  printForEach(out, entries, names, callName, printShapes);
  out.close();
}

// ---- Files ----------------------------------------------------------------------------------------------------------

namespace {
/// One operator, or one overload of it.
struct Overload : TensorFunction {
  std::string function;
  std::string shapes; ///< The function for meta tensors.
};
} // namespace

static FailureOr<std::vector<Overload>> overloadsOf(ArrayRef<TensorEntry> operators) {
  FailureOr<std::vector<TensorFunction>> functions = functionsOf(operators, "PyTorch operator", ".");
  if (failed(functions))
    return failure();
  std::vector<Overload> overloads;
  Names names;
  for (TensorFunction &each : *functions) {
    std::string function = names.unique(each.entries.front()->name + "_operator");
    overloads.push_back({std::move(each), function, function});
  }
  for (Overload &overload : overloads)
    if (llvm::all_of(overload.entries, [](const TensorEntry *op) { return shapesOf(*op).has_value(); }))
      overload.shapes = names.unique(overload.entries.front()->name + "_shapes");
  return overloads;
}

FailureOr<std::string> printTorch(ModuleOp module, const TorchOptions &options) {
  std::vector<TensorEntry> operators;
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
    const TensorEntry &first = *overload.entries.front();
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
