// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entries of a file: what it exports, and the host function that each becomes.
#include "frontend/Importer.h"

#include "ir/HostAttributes.h"
#include "support/CxxNames.h"

#include "tegula/language/version.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RawCommentList.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace tegula::frontend {

/// The annotation of this name, or null.
static const AnnotateAttr *annotation(const Decl *declaration, StringRef name) {
  for (const auto *attribute : declaration->specific_attrs<AnnotateAttr>())
    if (attribute->getAnnotation() == name)
      return attribute;
  return nullptr;
}

/// Whether a statement launches something: it names tg::pallas_call or tg::kernel.
static bool hasLaunch(const Stmt *statement) {
  if (!statement)
    return false;
  auto isLaunch = [](const NamedDecl *declaration) {
    return declaration->getIdentifier() && isInLanguage(declaration->getDeclContext()) &&
           (declaration->getName() == "pallas_call" || declaration->getName() == "kernel");
  };
  if (const auto *name = dyn_cast<DeclRefExpr>(statement))
    return isLaunch(name->getDecl());
  if (const auto *overloads = dyn_cast<OverloadExpr>(statement))
    return llvm::any_of(overloads->decls(), isLaunch);
  return llvm::any_of(statement->children(), hasLaunch);
}

/// The namespace of this name in another; null if there is none.
static const NamespaceDecl *findNamespace(const DeclContext *context, IdentifierInfo &name) {
  for (const NamedDecl *found : context->lookup(&name))
    if (const auto *space = dyn_cast<NamespaceDecl>(found))
      return space;
  return nullptr;
}

bool Importer::checkLanguage() {
  const SourceManager &sources = ast.getSourceManager();
  const NamespaceDecl *language = findNamespace(ast.getTranslationUnitDecl(), ast.Idents.get("tegula"));
  if (!language)
    return true; // Nothing is marked as an entry.
  for (const NamespaceDecl *space : language->redecls())
    if (!sources.isInSystemHeader(sources.getExpansionLoc(space->getLocation()))) {
      report(DiagnosticKind::ForeignNamespace, space->getLocation());
      return false;
    }
  std::optional<int64_t> version;
  if (const NamespaceDecl *details = findNamespace(language, ast.Idents.get("detail")))
    for (const NamedDecl *found : details->lookup(&ast.Idents.get("language_version")))
      if (const auto *variable = dyn_cast<VarDecl>(found); variable && variable->getInit())
        if (std::optional<APValue> value = evaluateConstant(variable->getInit()); value && value->isInt())
          version = value->getInt().getExtValue();
  if (version == detail::language_version)
    return true;
  // The line of the file that includes it.
  SourceLocation where = sources.getExpansionLoc(language->getLocation());
  while (where.isValid() && !sources.isInMainFile(where))
    where = sources.getIncludeLoc(sources.getFileID(where));
  report(DiagnosticKind::LanguageVersion,
         where.isValid() ? where : sources.getLocForStartOfFile(sources.getMainFileID()))
      << (version ? "is of language version " + std::to_string(*version) : std::string("states no language version"))
      << int64_t(detail::language_version);
  return false;
}

void Importer::importEntries() {
  if (!checkLanguage())
    return;
  importDeclarations(ast.getTranslationUnitDecl());
  if (ast.getDiagnostics().hasErrorOccurred())
    return;
  const SourceManager &sources = ast.getSourceManager();
  bool exportsNothing = module.getBody()->empty();
  for (const FunctionTemplateDecl *pattern : uninstantiated)
    report(exportsNothing ? DiagnosticKind::NotInstantiated : DiagnosticKind::NeverInstantiated, pattern->getLocation())
        << pattern << pattern->getName();
  if (!exportsNothing || !uninstantiated.empty())
    return;
  if (unmarked)
    report(DiagnosticKind::NotMarked, unmarked->getLocation()) << unmarked;
  else
    report(DiagnosticKind::NoEntries, sources.getLocForStartOfFile(sources.getMainFileID()));
}

void Importer::importDeclarations(const DeclContext *context) {
  const SourceManager &sources = ast.getSourceManager();
  for (const Decl *declaration : context->decls()) {
    if (declaration->isImplicit() || sources.isInSystemHeader(declaration->getLocation()))
      continue;
    if (const auto *space = dyn_cast<NamespaceDecl>(declaration)) {
      importDeclarations(space);
    } else if (const auto *record = dyn_cast<CXXRecordDecl>(declaration)) {
      for (const CXXMethodDecl *method : record->methods())
        if (annotation(method, "tegula.kernel"))
          report(DiagnosticKind::EntryScope, method->getLocation()) << method;
    } else if (const FunctionDecl *function = declaration->getAsFunction()) {
      importFunction(function);
    } else if (const auto *variable = dyn_cast<VarDecl>(declaration)) {
      if (const AnnotateAttr *attribute = annotation(variable, "tegula.instantiate"))
        importInstance(variable, attribute);
    }
  }
}

/// An entry, or a template of entries; or what may have been meant as one.
void Importer::importFunction(const FunctionDecl *function) {
  bool isMarked = annotation(function, "tegula.kernel");
  const FunctionTemplateDecl *pattern = function->getDescribedFunctionTemplate();
  bool isOfThisFile = ast.getSourceManager().isInMainFile(function->getLocation());
  if (!function->isThisDeclarationADefinition()) {
    bool isInstantiated = pattern && !pattern->specializations().empty(); // Where that is, it is an error.
    if (isMarked && isOfThisFile && !function->isDefined() && !function->getPreviousDecl() && !isInstantiated)
      report(DiagnosticKind::EntryNotDefined, function->getLocation()) << function;
    return;
  }
  if (isMarked && !pattern)
    importEntry(function, function->getNameAsString(), function->getLocation());
  else if (isMarked && isOfThisFile && pattern->specializations().empty())
    uninstantiated.push_back(pattern);
  else if (!isMarked && isOfThisFile && !unmarked && hasLaunch(function->getBody()))
    unmarked = function;
}

/// TEGULA_INSTANTIATE("name", f<...>) is a variable that points to the function.
void Importer::importInstance(const VarDecl *instance, const AnnotateAttr *attribute) {
  SourceLocation where = ast.getSourceManager().getExpansionLoc(instance->getLocation());
  const Expr *init = instance->getInit();
  const auto *address = init ? dyn_cast<UnaryOperator>(init->IgnoreParenImpCasts()) : nullptr;
  const auto *named = address ? dyn_cast<DeclRefExpr>(address->getSubExpr()->IgnoreParenImpCasts()) : nullptr;
  const auto *function = named ? dyn_cast<FunctionDecl>(named->getDecl()) : nullptr;
  std::optional<APValue> name = attribute->args_size() ? evaluateConstant(*attribute->args_begin()) : std::nullopt;
  const auto *text = name ? leafOf(*name, ast.VoidPtrTy).text() : nullptr;
  const FunctionDecl *definition = nullptr;
  if (!function || !text || !function->hasBody(definition)) {
    report(DiagnosticKind::InstanceOfNoKernel, where);
    return;
  }
  if (!annotation(definition, "tegula.kernel")) {
    report(DiagnosticKind::InstanceNotMarked, definition->getLocation()) << function;
    return;
  }
  StringRef entry = text->getString();
  importEntry(definition, entry, where);
}

bool Importer::checkName(StringRef name, StringRef kind, bool isGlobal, SourceLocation where) {
  std::string_view text(name.data(), name.size());
  auto isLetter = [](char c) { return llvm::isAlnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; };
  const char *why = nullptr;
  if (name.empty() || llvm::isDigit(name.front()) || !llvm::all_of(name, isLetter))
    why = "names consist of letters, digits and _";
  else if (isCxxKeyword(text))
    why = "it is a keyword of C++";
  else if (isHeaderMacro(text))
    why = "it is a macro of headers that generated files include";
  else if (isReservedInCxx(text, isGlobal))
    why = isReservedInCxx(text, /*isGlobal=*/false)
              ? "names that contain __, or begin with _ and a capital letter, are reserved for compilers and their "
                "libraries"
              : "outside of namespaces, names that begin with _ are reserved for compilers and their libraries";
  else if (name == "std" || name == "tegula")
    why = "generated files use the namespace of this name";
  else if (isGlobal && name == "main")
    why = "it is the entry point of programs";
  else if (isGlobal && (isGlobalOfC(text) || (kind != "a function" && isFunctionOfC(text))))
    why = "the C library declares this name, and generated files need it (a namespace of your own avoids the conflict, "
          "too)";
  if (why)
    report(DiagnosticKind::EntryName, where) << name << kind << why;
  return !why;
}

bool Importer::checkNames(const FunctionDecl *function, const EntrySignature &signature, SourceLocation where) {
  bool isGlobal = true, isValid = true;
  for (const DeclContext *context = function->getDeclContext(); context; context = context->getParent())
    if (const auto *space = dyn_cast<NamespaceDecl>(context)) {
      isGlobal &= space->isInline();
      bool isOutermost = space->getParent()->getRedeclContext()->isTranslationUnit();
      isValid &= space->isInline() || checkName(space->getName(), "a namespace", isOutermost, space->getLocation());
    }
  isValid &= checkName(signature.name, "a function", isGlobal, where);
  if (!signature.resultRecord)
    return isValid;
  if (!isa<ClassTemplateSpecializationDecl>(signature.resultRecord))
    isValid &=
        checkName(signature.resultRecord->getName(), "a struct", isGlobal, signature.resultRecord->getLocation());
  for (const FieldDecl *field : signature.resultRecord->fields())
    isValid &= checkName(field->getName(), "a member", /*isGlobal=*/false, field->getLocation());
  return isValid;
}

mlir::StringAttr Importer::docOf(const Decl *declaration) {
  const RawComment *comment = ast.getRawCommentForAnyRedecl(declaration);
  if (!comment)
    return {};
  return builder.getStringAttr(
      StringRef(comment->getFormattedText(ast.getSourceManager(), ast.getDiagnostics())).trim());
}

/// A name with what PTX does not have in names, letters beyond ASCII, as hexadecimal digits.
static std::string symbolOf(StringRef name) {
  std::string symbol;
  for (char c : name)
    symbol += llvm::isAlnum(c) || c == '_' ? std::string(1, c) : llvm::toHex(StringRef(&c, 1));
  return symbol;
}

/// Whether a kernel may be called so, which is in the same table of symbols: f_0 or f_0_dense, of the first launch of
/// f.
static bool mayNameKernel(StringRef symbol) {
  for (size_t at = symbol.find('_'); at != StringRef::npos; at = symbol.find('_', at + 1))
    if (at + 1 < symbol.size() && llvm::isDigit(symbol[at + 1]))
      return true;
  return false;
}

/// The namespaces around a function, outermost first.
static SmallVector<StringRef> namespacesOf(const FunctionDecl *function) {
  SmallVector<StringRef> names;
  for (const DeclContext *context = function->getDeclContext(); context; context = context->getParent())
    if (const auto *space = dyn_cast<NamespaceDecl>(context); space && !space->isInline())
      names.push_back(space->getName());
  std::reverse(names.begin(), names.end());
  return names;
}

/// Whether C++ cannot tell the calls of two entries of one name apart: the types of the parameters are the same.
static bool takesTheSame(tile::EntryOp entry, ArrayRef<mlir::Type> inputs, ArrayRef<mlir::Attribute> attributes) {
  if (ArrayRef(entry.getFunctionType().getInputs()) != inputs)
    return false;
  for (unsigned i = 0; i < inputs.size(); ++i)
    if (entry.getArgAttr(i, "tile.type") != cast<mlir::DictionaryAttr>(attributes[i]).get("tile.type"))
      return false;
  return true;
}

bool Importer::entryParameters(const FunctionDecl *function, EntrySignature &signature) {
  bool isValid = true;
  for (const ParmVarDecl *parameter : function->parameters()) {
    QualType type = parameter->getType().getNonReferenceType().getCanonicalType();
    bool isReference = parameter->getType()->isReferenceType();
    bool isPlain = !isReference || (parameter->getType()->isLValueReferenceType() && type.isConstQualified());
    type = type.getUnqualifiedType();
    bool isKnown =
        types.is(type, Known::Array) || types.is(type, Known::Arrays) || (types.isScalar(type) && types.scalar(type));
    if (!isPlain || !isKnown) {
      report(DiagnosticKind::EntryParameter, parameter->getLocation()) << parameter << parameter->getType();
      isValid = false;
      continue;
    }
    mlir::NamedAttrList attributes(attributesOf(parameter->getName(), type));
    isValid &= defaultArgument(function, parameter, type, attributes);
    signature.inputs.push_back(types.stored(type));
    signature.inputAttributes.push_back(attributes.getDictionary(builder.getContext()));
  }
  return isValid;
}

bool Importer::defaultArgument(const FunctionDecl *function, const ParmVarDecl *parameter, QualType type,
                               mlir::NamedAttrList &attributes) {
  // A redeclaration behind the definition may add it.
  parameter = function->getMostRecentDecl()->getParamDecl(parameter->getFunctionScopeIndex());
  if (!parameter->hasDefaultArg())
    return true;
  const Expr *expr =
      parameter->hasUninstantiatedDefaultArg() ? parameter->getUninstantiatedDefaultArg() : parameter->getDefaultArg();
  if (types.is(type, Known::Array) && isNothing(expr)) {
    attributes.append("tile.optional", builder.getUnitAttr());
    return true;
  }
  std::optional<APValue> constant = types.isScalar(type) ? evaluateConstant(expr) : std::nullopt;
  Leaf value = constant ? leafOf(*constant, expr->getType()) : Leaf();
  if (value.isConstant() && !ast.hasSameUnqualifiedType(expr->getType(), type)) // Of an instance: not yet converted.
    value = convert(value, expr->getType(), type, parameter->getLocation());
  if (!value.isConstant()) {
    report(DiagnosticKind::EntryDefault, expr->getExprLoc()) << parameter;
    return false;
  }
  attributes.append("tile.default", attributeOf(value, types.scalar(type)));
  return true;
}

mlir::DictionaryAttr Importer::attributesOf(StringRef name, QualType type) {
  mlir::NamedAttrList attributes;
  if (!name.empty())
    attributes.append("tile.name", builder.getStringAttr(name));
  if (types.isScalar(type) && types.isUnsigned(type))
    attributes.append("tile.type", builder.getStringAttr(types.name(type)));
  return attributes.getDictionary(builder.getContext());
}

bool Importer::entryResults(const FunctionDecl *function, EntrySignature &signature) {
  QualType type = function->getReturnType().getCanonicalType().getUnqualifiedType();
  QualType constArray;
  auto add = [&](QualType result) {
    QualType written = result;
    result = result.getCanonicalType().getUnqualifiedType();
    bool isArray = types.is(result, Known::Array);
    if (isArray && types.shaped(result).element.isConstQualified())
      constArray = written;
    if (!isArray && !(types.isScalar(result) && types.scalar(result)))
      return false;
    signature.results.push_back(types.stored(result));
    signature.resultAttributes.push_back(attributesOf("", result));
    return true;
  };
  auto returnsNoConst = [&] {
    if (!constArray.isNull())
      report(DiagnosticKind::EntryResultConst, function->getLocation()) << constArray;
    return constArray.isNull();
  };
  if (type->isVoidType() || add(function->getReturnType()))
    return returnsNoConst();
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  bool isStruct = record && types.known(type) == Known::None && !record->isLambda() && !record->isUnion() &&
                  record->getNumBases() == 0 && !record->field_empty() && record->getIdentifier();
  if (isStruct)
    for (const FieldDecl *field : record->fields()) {
      isStruct &= add(field->getType());
      signature.resultNames.push_back(builder.getStringAttr(field->getName()));
    }
  if (!isStruct) {
    report(DiagnosticKind::EntryResult, function->getLocation()) << function->getReturnType();
    return false;
  }
  // The generated header spells no template arguments: an instance has a struct of its own.
  signature.resultStruct = record->getName().str();
  signature.resultRecord = record;
  if (isa<ClassTemplateSpecializationDecl>(record))
    signature.resultStruct = signature.name + "_result";
  return returnsNoConst();
}

/// The comments of a struct that an entry returns, and of its members: those are "" where there is none.
static void noteDocs(tile::EntryOp entry, mlir::StringAttr doc, ArrayRef<mlir::Attribute> ofMembers) {
  if (doc)
    entry->setAttr(tile::resultDoc, doc);
  if (llvm::any_of(ofMembers, [](mlir::Attribute each) { return !cast<mlir::StringAttr>(each).empty(); }))
    entry->setAttr(tile::resultMemberDocs, mlir::ArrayAttr::get(entry.getContext(), ofMembers));
}

void Importer::importEntry(const FunctionDecl *function, StringRef name, SourceLocation named) {
  SmallVector<StringRef> scope = namespacesOf(function);
  SourceLocation where = function->getLocation();
  if (isa<CXXMethodDecl>(function) || llvm::is_contained(scope, "")) {
    report(DiagnosticKind::EntryScope, where) << function;
    return;
  }
  EntrySignature signature;
  signature.name = name.str();
  bool isValid = entryParameters(function, signature);
  isValid &= entryResults(function, signature) && checkNames(function, signature, named);
  if (!isValid)
    return;
  scope.push_back(name);
  std::string symbol = llvm::join(scope, ".");
  if (mayNameKernel(symbol))
    symbol += '.';
  auto type = builder.getFunctionType(signature.inputs, signature.results);
  std::string first = symbol;
  for (unsigned overloads = 2; auto other = module.lookupSymbol<tile::EntryOp>(symbol); ++overloads) {
    if (takesTheSame(other, signature.inputs, signature.inputAttributes)) {
      report(DiagnosticKind::EntryTwice, where) << llvm::join(scope, "::");
      return;
    }
    symbol = first + "." + std::to_string(overloads);
    // The struct of an instance is of its name, and of its own type.
    if (other.getResultStruct() == signature.resultStruct && other.getFunctionType().getResults() != type.getResults())
      signature.resultStruct += "_" + std::to_string(overloads);
  }
  auto attributes = [&](ArrayRef<mlir::Attribute> list) {
    bool isEmpty = llvm::all_of(list, [](mlir::Attribute entry) { return cast<mlir::DictionaryAttr>(entry).empty(); });
    return isEmpty ? mlir::ArrayAttr() : builder.getArrayAttr(list);
  };
  builder.setInsertionPointToEnd(module.getBody());
  auto entry = builder.create<tile::EntryOp>(
      locate(where), builder.getStringAttr(symbol), mlir::TypeAttr::get(type),
      builder.getStringAttr(llvm::join(scope, "::")), docOf(function),
      signature.resultStruct.empty() ? mlir::StringAttr() : builder.getStringAttr(signature.resultStruct),
      signature.resultStruct.empty() ? mlir::ArrayAttr() : builder.getArrayAttr(signature.resultNames),
      attributes(signature.inputAttributes), attributes(signature.resultAttributes));
  if (const CXXRecordDecl *record = signature.resultRecord) {
    SmallVector<mlir::Attribute> ofMembers;
    for (const FieldDecl *field : record->fields())
      ofMembers.push_back(docOf(field) ? docOf(field) : builder.getStringAttr(""));
    noteDocs(entry, docOf(record), ofMembers);
  }
  // Kernels are named after their entry, in one namespace for the whole file, and without a dot for PTX's sake.
  entryName = symbolOf(llvm::join(scope, "_"));
  while (!entryNames.insert(entryName).second) // n::f and n_f
    entryName += '_';
  launches = 0;
  isAborted = false;
  runEntry(function, entry);
}

void Importer::leavesOf(const LValue &lvalue, SourceLocation where, mlir::SmallVectorImpl<mlir::Value> &values) {
  if (lvalue.object->parts.empty() || types.isLeaf(lvalue.object->type)) {
    if (lvalue.object->isPoisoned)
      return;
    QualType type = lvalue.object->type;
    if (mlir::Value value = materialize(read(lvalue, type, where), type, where))
      values.push_back(value);
    return;
  }
  for (Object *part : lvalue.object->parts)
    leavesOf(part, where, values);
}

void Importer::runEntry(const FunctionDecl *function, tile::EntryOp entry) {
  mlir::Block *body = builder.createBlock(&entry.getBody());
  entryBody = body;
  constants.clear();
  Frame host;
  host.function = function;
  frame = &host;
  auto restore = llvm::make_scope_exit([&] { frame = nullptr; });
  for (auto [parameter, type] : llvm::zip(function->parameters(), entry.getFunctionType().getInputs())) {
    SourceLocation where = parameter->getLocation();
    mlir::Location named = mlir::NameLoc::get(builder.getStringAttr(parameter->getName()), locate(where));
    mlir::Value argument = body->addArgument(type, named);
    QualType plain = parameter->getType().getNonReferenceType();
    Object *object = makeObject(plain, isModified(parameter, function), where);
    initialize(*object, argument, where);
    nameLeaves(*object, parameter->getName());
    host.variables[parameter] = object;
  }
  QualType type = function->getReturnType();
  SourceLocation end = function->getBody()->getEndLoc();
  if (!type->isVoidType())
    host.result = makeObject(type, false, end);
  host.returns = beginExit();
  run(function->getBody());
  mlir::SmallVector<mlir::Value> results;
  if (host.result && !isAborted)
    leavesOf(host.result, end, results);
  if (results.size() != entry.getFunctionType().getNumResults())
    lose(end);
  builder.create<tile::ReturnOp>(locate(end), results);
  if (std::optional<SourceLocation> used = batches.finish())
    report(DiagnosticKind::VmapVariable, *used);
  indexedPlaces.finish();
  outsidePlaces.finish(*this, entry);
  if (lost.isValid() && !ast.getDiagnostics().hasErrorOccurred())
    report(DiagnosticKind::ValueLost, lost);
}

} // namespace tegula::frontend
