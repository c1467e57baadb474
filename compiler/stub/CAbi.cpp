// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/CAbi.h"

#include "ir/Elements.h"
#include "stub/Tensors.h"
#include "stub/Types.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace tegula::stub {

namespace {
/// An entry, and the C names of what its function takes and gives beyond the entry's own parameters.
struct CNames {
  llvm::StringMap<std::string> counts; ///< Of lists, by parameter.
  std::vector<std::string> results;
  std::string device, stream;
};
} // namespace

/// Functions beside the entries.
static constexpr llvm::StringLiteral lastError = "last_error", signatures = "signatures", unversioned = "unversioned",
                                     synchronize = "synchronize";

/// A name that C and the header leave to a parameter.
static std::string cName(StringRef name, Names &names) {
  static constexpr llvm::StringLiteral taken[] = {"restrict", "DLDevice", "DLManagedTensorVersioned", "DLTensor"};
  return llvm::is_contained(taken, name) ? names.unique((name + "_").str()) : name.str();
}

/// `float`, `int32_t`, `bool`.
static std::string cType(Type scalar) {
  switch (kindOf(scalar)) {
  case ScalarKind::boolean:
    return "bool";
  case ScalarKind::integer:
    return (isUnsigned(scalar) ? "uint" : "int") + std::to_string(scalar.getIntOrFloatBitWidth()) + "_t";
  case ScalarKind::floating:
    break;
  }
  return scalar.isF64() ? "double" : "float";
}

// ---- Declarations ---------------------------------------------------------------------------------------------------

/// Names everything that the function of an entry takes, in `names`, so that overloads agree on it.
static CNames nameAll(TensorEntry &entry) {
  CNames result;
  Names &names = entry.signature.names;
  for (TensorParameter &parameter : entry.parameters) {
    parameter.publicName = parameter.argument = cName(parameter.name, names);
    if (!parameter.isList())
      continue;
    std::string count = names.unique(parameter.publicName + "_count");
    result.counts[parameter.name] = count;
    parameter.argument = "tegula::c_abi::list{" + parameter.publicName + ", " + count + "}";
  }
  result.device = entry.signature.device;
  result.stream = entry.signature.stream;
  ArrayRef<std::string> fields = entry.signature.resultNames;
  bool isUnnamed = fields.size() == 1 && !entry.signature.returnsStruct;
  for (const std::string &field : fields)
    result.results.push_back(cName(names.unique(isUnnamed ? "result" : field), names));
  return result;
}

/// `(const DLTensor *x, void *stream, DLManagedTensorVersioned **result)`.
static std::string parametersOf(const TensorEntry &entry, const CNames &names) {
  SmallVector<std::string> parts;
  for (const TensorParameter &parameter : entry.parameters) {
    std::string tensor = parameter.array && parameter.array.getReadOnly() ? "const DLTensor *" : "DLTensor *";
    parts.push_back((parameter.isList() ? tensor + "const *"
                     : parameter.array  ? tensor
                                        : cType(parameter.scalar) + " ") +
                    parameter.publicName);
    if (parameter.isList())
      parts.push_back("int64_t " + names.counts.lookup(parameter.name));
  }
  if (!names.device.empty())
    parts.push_back("DLDevice " + names.device);
  parts.push_back("void *" + names.stream);
  for (auto [i, type] : llvm::enumerate(entry.entry.getFunctionType().getResults()))
    parts.push_back(
        (isa<tile::ArrayType>(type) ? "DLManagedTensorVersioned **" : cType(resultTypeOf(entry.entry, i)) + " *") +
        names.results[i]);
  return "(" + llvm::join(parts, ", ") + ")";
}

// ---- Signatures -----------------------------------------------------------------------------------------------------

/// `f32[2]`; of several entries, `f32[2]|bf16[2]`.
static std::string kindsOf(ArrayRef<tile::ArrayType> arrays) {
  std::vector<std::string> kinds;
  for (tile::ArrayType array : arrays) {
    std::string kind = elementOf(array.getElementType())->name.str() + "[" +
                       std::to_string(array.getRank() - int64_t(array.getIsTable())) + "]";
    if (!llvm::is_contained(kinds, kind))
      kinds.push_back(kind);
  }
  return llvm::join(kinds, "|");
}

/// The default of a scalar as Python reads it, by float() if it is not finite; "" if there is none, or it is of a
/// stored element.
static std::string defaultOf(const TensorParameter &parameter) {
  if (!parameter.value)
    return "";
  if (std::optional<std::string> text = pythonDefault(parameter.value, parameter.scalar))
    return *text;
  if (auto number = dyn_cast<FloatAttr>(parameter.value))
    return number.getValue().isNaN() ? "nan" : number.getValue().isNegative() ? "-inf" : "inf";
  bool isInteger = kindOf(parameter.scalar) == ScalarKind::integer;
  return isInteger ? llvm::toString(cast<IntegerAttr>(parameter.value).getValue(), 10, /*Signed=*/false) : "";
}

/// `both(x: const f32[2], shift: const f32[1]?, eps: f32 = 1e-05) -> sum: f32[1]`: what a binding has to know, for
/// those who call functions without a C compiler.
static std::string signatureOf(const TensorFunction &function, StringRef name, const CNames &names) {
  const TensorEntry &first = *function.entries.front();
  SmallVector<std::string> parameters, results;
  for (auto [i, parameter] : llvm::enumerate(first.parameters)) {
    std::string text = parameter.publicName + ": ";
    if (!parameter.array) {
      std::string value = defaultOf(parameter);
      parameters.push_back(text + elementOf(parameter.scalar)->name.str() + (value.empty() ? "" : " = " + value));
      continue;
    }
    SmallVector<tile::ArrayType> arrays;
    for (const TensorEntry *entry : function.entries)
      arrays.push_back(entry->parameters[i].array);
    parameters.push_back(text + (parameter.array.getReadOnly() ? "const " : "") + kindsOf(arrays) +
                         (parameter.isList()     ? "*"
                          : parameter.isOptional ? "?"
                                                 : ""));
  }
  if (!names.device.empty())
    parameters.push_back(names.device + ": device");
  for (auto [i, result] : llvm::enumerate(names.results)) {
    SmallVector<tile::ArrayType> arrays;
    for (const TensorEntry *entry : function.entries)
      if (auto array = dyn_cast<tile::ArrayType>(entry->entry.getFunctionType().getResult(i)))
        arrays.push_back(array);
    results.push_back(result + ": " +
                      (arrays.empty() ? elementOf(resultTypeOf(first.entry, i))->name.str() : kindsOf(arrays)));
  }
  return (name + "(" + llvm::join(parameters, ", ") + ")" + (results.empty() ? "" : " -> ") + llvm::join(results, ", "))
      .str();
}

// ---- Definitions ----------------------------------------------------------------------------------------------------

/// A parameter as the entry takes it.
static Expr argumentOf(const TensorParameter &parameter, const std::string &callName) {
  if (parameter.array)
    return Expr(callName +
                (parameter.isList()     ? ".arrays<"
                 : parameter.isOptional ? ".optional<"
                                        : ".array<") +
                kindArguments(parameter.array, /*withConst=*/true) + ">(" + quoted(parameter.publicName) + ", " +
                parameter.argument + ")");
  if (kindOf(parameter.scalar) == ScalarKind::floating && !parameter.scalar.isF32() && !parameter.scalar.isF64())
    return Expr("static_cast<" + typeName(parameter.scalar) + ">(" + parameter.argument + ")");
  return Expr(parameter.argument);
}

static void printCall(Writer &out, const TensorEntry &entry, const CNames &cNames, Names &names,
                      const std::string &callName) {
  SmallVector<Expr> arguments;
  for (const TensorParameter &parameter : entry.parameters)
    arguments.push_back(argumentOf(parameter, callName));
  if (!cNames.device.empty())
    arguments.push_back(Expr(callName + ".device()"));
  arguments.push_back(Expr(callName + ".stream()"));
  printEntryCall(out, entry, names, arguments, [&](ArrayRef<std::string> results) {
    for (auto [to, value] : llvm::zip(cNames.results, results))
      out.line("tegula::c_abi::give(" + to + ", " + value + ");");
  });
}

static void printFunction(Writer &out, const TensorFunction &function, const CNames &cNames) {
  const TensorEntry &first = *function.entries.front();
  Names names = first.signature.names;
  out.open("TEGULA_EXPORT int " + function.name + parametersOf(first, cNames));
  SmallVector<std::string> tensors, results;
  for (const TensorParameter &parameter : first.parameters)
    if (parameter.array)
      tensors.push_back(parameter.isList() ? "tegula::c_abi::first_of(" + parameter.argument + ")"
                                           : parameter.argument);
  for (auto [name, type] : llvm::zip(cNames.results, first.entry.getFunctionType().getResults()))
    if (isa<tile::ArrayType>(type))
      results.push_back(name);
  std::string callName = names.unique("call");
  std::string where = cNames.device.empty() ? "{" + llvm::join(tensors, ", ") + "}" : cNames.device;
  out.open("return tegula::c_abi::run(" + quoted(function.name) + ", " + where + ", " + cNames.stream + ", {" +
           llvm::join(results, ", ") + "}, [&](const tegula::c_abi::call &" + callName + ")");
  printChoice(out, function.entries, names, callName, "tegula::c_abi", [&](const TensorEntry &entry) {
    printCall(out, entry, cNames, names, callName);
    if (function.entries.size() > 1)
      out.line("return;");
  });
  out.close(");");
  out.close();
}

// ---- Files ----------------------------------------------------------------------------------------------------------

namespace {
struct Entries {
  std::vector<TensorEntry> all;
  std::vector<CNames> names; ///< Of each.
  const CNames &of(const TensorFunction &function) const { return names[function.entries.front() - all.data()]; }
};
} // namespace

static Entries entriesOf(ModuleOp module, const std::string &prefix) {
  Entries result;
  for (auto each : module.getOps<tile::EntryOp>()) {
    TensorEntry &entry = result.all.emplace_back(each);
    std::string name = entry.signature.name.text();
    entry.name = prefix + llvm::join(llvm::split(name, "::"), "_");
    result.names.push_back(nameAll(entry));
    entry.schema = parametersOf(entry, result.names.back());
  }
  return result;
}

/// Whether every function has a name of its own.
static LogicalResult checkNames(ArrayRef<TensorFunction> functions, const std::string &prefix) {
  bool isGood = true;
  llvm::StringMap<const TensorEntry *> known;
  for (const TensorFunction &function : functions) {
    const TensorEntry &entry = *function.entries.front();
    auto refuse = [&](const Twine &why) {
      entry.entry.emitError() << "entry '" << entry.signature.name.text() << "' cannot be the C function '"
                              << function.name << "': " << why << ": rename it";
      isGood = false;
    };
    if (llvm::is_contained({lastError, signatures, unversioned, synchronize},
                           StringRef(function.name).drop_front(prefix.size())))
      refuse("that is a function of the header for all entries");
    else if (auto [other, isNew] = known.try_emplace(function.name, &entry); !isNew)
      refuse("entry '" + other->second->signature.name.text() + "' has this name");
  }
  return success(isGood);
}

static std::string printHeader(ArrayRef<TensorFunction> functions, const Entries &entries, const CAbiOptions &options) {
  Writer out(/*lineDirectives=*/false);
  const std::string &prefix = options.prefix;
  printNotice(out, options.kernelSource);
  out.line("//");
  out.line("// C functions of entries. tegula/dlpack_c.h says what they take and return.");
  out.line("#pragma once");
  out.blank();
  out.line("#include \"tegula/dlpack_c.h\"");
  out.blank();
  for (StringRef line : {"#ifdef __cplusplus", "extern \"C\" {", "#endif"})
    out.verbatim(line.str());
  out.blank();
  for (const TensorFunction &function : functions) {
    const TensorEntry &first = *function.entries.front();
    const CNames &names = entries.of(function);
    printDoc(out, first.entry.getDoc());
    if (first.entry.getDoc())
      out.line("///");
    out.verbatim("/// " + signatureOf(function, StringRef(function.name).drop_front(prefix.size()), names));
    out.line("int " + function.name + parametersOf(first, names) + ";");
    out.blank();
  }
  auto declare = [&](std::initializer_list<const char *> doc, const Twine &declaration) {
    for (StringRef line : doc)
      out.verbatim(("/// " + line).str());
    out.line((declaration + ";").str());
  };
  declare({"The message of the call of this thread that failed last, until the next one fails; \"\" if none has."},
          "const char *" + prefix + lastError + "(void)");
  declare({"A line for each function, as above it here: for bindings that are made at run time."},
          "const char *" + prefix + signatures + "(void)");
  declare(
      {"A result, which is gone then, as those take it who know DLPack from before 1.0: what a \"dltensor\" capsule",
       "holds. NULL if `tensor` is NULL or read-only, and as it was."},
      "DLManagedTensor *" + prefix + unversioned + "(DLManagedTensorVersioned *tensor)");
  declare({"Waits for the work of a stream or, if it is NULL, of the device. A kernel that failed is reported here."},
          "int " + prefix + synchronize + "(DLDevice device, void *stream)");
  out.blank();
  for (StringRef line : {"#ifdef __cplusplus", "}", "#endif"})
    out.verbatim(line.str());
  return out.finish("");
}

static std::string printSource(ArrayRef<TensorFunction> functions, const Entries &entries, const CAbiOptions &options) {
  Writer out(/*lineDirectives=*/false);
  const std::string &prefix = options.prefix;
  printNotice(out, options.kernelSource);
  out.line("#include \"" + options.cHeaderName + "\"");
  out.blank();
  out.line("#include \"" + options.headerName + "\"");
  out.blank();
  out.line("#include \"tegula/c_abi.h\"");
  out.blank();
  for (const TensorFunction &function : functions) {
    printFunction(out, function, entries.of(function));
    out.blank();
  }
  out.line("TEGULA_EXPORT const char *" + prefix + lastError.str() + "() { return tegula::c_abi::last_error(); }");
  out.open("TEGULA_EXPORT const char *" + prefix + signatures.str() + "()");
  out.verbatim(functions.empty() ? "  return \"\";" : "  return");
  for (const TensorFunction &function : functions) {
    std::string text = signatureOf(function, StringRef(function.name).drop_front(prefix.size()), entries.of(function));
    out.verbatim("      " + quoted(text + "\n") + (&function == &functions.back() ? ";" : ""));
  }
  out.close();
  out.open("TEGULA_EXPORT DLManagedTensor *" + prefix + unversioned.str() + "(DLManagedTensorVersioned *tensor)");
  out.line("return tegula::c_abi::unversioned(tensor);");
  out.close();
  out.open("TEGULA_EXPORT int " + prefix + synchronize.str() + "(DLDevice device, void *stream)");
  out.line("return tegula::c_abi::synchronize(device, stream);");
  out.close();
  return out.finish("");
}

FailureOr<CAbi> printCAbi(ModuleOp module, const CAbiOptions &options) {
  Entries entries = entriesOf(module, options.prefix);
  FailureOr<std::vector<TensorFunction>> functions = functionsOf(entries.all, "C function", "_");
  if (failed(functions) || failed(checkNames(*functions, options.prefix)))
    return failure();
  return CAbi{printHeader(*functions, entries, options), printSource(*functions, entries, options)};
}

} // namespace tegula::stub
