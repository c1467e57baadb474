// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays that a caller may leave out: a launch is made for each that is there or not.
#include "analysis/Conditions.h"
#include "frontend/Importer.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace clang;

namespace tegula::frontend {

bool Importer::isOptional(mlir::Value array) const {
  auto argument = dyn_cast<mlir::BlockArgument>(batches.baseOf(array)); // A slice is there if its array is.
  auto entry = argument ? dyn_cast<tile::EntryOp>(argument.getOwner()->getParentOp()) : tile::EntryOp();
  return entry && entry.getArgAttr(argument.getArgNumber(), "tile.optional");
}

std::optional<bool> Importer::isKnownPresent(mlir::Value array) {
  if (!isOptional(array))
    return true;
  return Conditions(builder.getInsertionBlock(), builder.getInsertionPoint()).isPresent(batches.baseOf(array));
}

namespace {
/// Finds the objects among a callable's captures of whose arrays its code asks whether they are there.
class AskedObjects {
public:
  AskedObjects(const ASTContext &ast, const TypeMap &types, const Object &callable) : types(types), callable(callable) {
    llvm::SmallVector<const FunctionDecl *> operators;
    callOperators(ast, callable, operators);
    for (const FunctionDecl *each : operators) {
      for (const ParmVarDecl *parameter : each->parameters()) // Blocks, of which the launch itself asks.
        bindings[parameter] = nullptr;
      run(each, &callable);
    }
  }

  llvm::ArrayRef<const Object *> all() const { return asked.getArrayRef(); }

private:
  /// What an expression names: null for what is not captured, nothing if it is not known.
  using Named = std::optional<const Object *>;

  void run(const FunctionDecl *function, Named self);
  void visit(const Stmt *statement);
  void call(const CallExpr *call, const FunctionDecl *callee);
  void askOf(const Expr *array);
  Named named(const Expr *expr) const;
  static Named fieldOf(Named base, const FieldDecl *field);

  const TypeMap &types;
  const Object &callable;
  llvm::DenseMap<const ValueDecl *, Named> bindings; ///< of parameters, and of what lambdas capture
  Named self = nullptr;                              ///< what `this` is
  llvm::SmallPtrSet<const FunctionDecl *, 8> running;
  llvm::SmallPtrSet<const FunctionDecl *, 16> unbound; ///< visited already, with nothing that is captured
  llvm::SetVector<const Object *> asked;
};
} // namespace

AskedObjects::Named AskedObjects::fieldOf(Named base, const FieldDecl *field) {
  if (!base || !*base)
    return base;
  unsigned at = cast<CXXRecordDecl>(field->getParent())->getNumBases() + field->getFieldIndex();
  if (at >= (*base)->parts.size())
    return std::nullopt;
  const Object *part = (*base)->parts[at];
  return part->referent.object ? part->referent.object : part;
}

AskedObjects::Named AskedObjects::named(const Expr *expr) const {
  expr = expr->IgnoreUnlessSpelledInSource(); // Without copies.
  if (isa<CXXThisExpr>(expr))
    return self;
  if (const auto *member = dyn_cast<MemberExpr>(expr))
    if (const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl()))
      return fieldOf(named(member->getBase()), field);
  const auto *reference = dyn_cast<DeclRefExpr>(expr);
  if (!reference)
    return std::nullopt;
  if (auto found = bindings.find(reference->getDecl()); found != bindings.end())
    return found->second;
  const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
  if (!variable || isa<ParmVarDecl>(variable) || !variable->getInit())
    return std::nullopt;
  Known known = types.known(variable->getType().getNonReferenceType().getUnqualifiedType());
  bool isFixed = variable->getType()->isReferenceType() || variable->getType().isConstQualified() ||
                 known == Known::Array || known == Known::Ref; // Which programs do not assign.
  return isFixed ? named(variable->getInit()) : std::nullopt;
}

void AskedObjects::askOf(const Expr *array) {
  Named object = named(array);
  if (!object)
    asked.insert(&callable); // Any of them.
  else if (*object)
    asked.insert(*object);
}

void AskedObjects::visit(const Stmt *statement) {
  if (!statement)
    return;
  if (const auto *expr = dyn_cast<CallExpr>(statement))
    if (const FunctionDecl *callee = expr->getDirectCallee())
      call(expr, callee);
  for (const Stmt *child : statement->children())
    visit(child);
}

void AskedObjects::call(const CallExpr *call, const FunctionDecl *callee) {
  const auto *ofMember = dyn_cast<CXXMemberCallExpr>(call);
  const Expr *object = ofMember ? ofMember->getImplicitObjectArgument() : nullptr;
  if (const auto *conversion = dyn_cast<CXXConversionDecl>(callee)) {
    Known owner = types.known(conversion->getFunctionObjectParameterType());
    if (owner == Known::Ref || owner == Known::Array)
      return askOf(object);
  }
  const FunctionDecl *definition = nullptr;
  if (!callee->hasBody(definition))
    return;
  llvm::ArrayRef<const Expr *> arguments(call->getArgs(), call->getNumArgs());
  const auto *method = dyn_cast<CXXMethodDecl>(definition);
  if (!object && method && method->isImplicitObjectMemberFunction() && !arguments.empty()) { // Of an operator.
    object = arguments.front();
    arguments = arguments.drop_front();
  }
  // A lambda that is declared inside has the names of the function around it.
  bool isInside = method && method->getParent()->isLambda();
  Named itself = isInside ? self : object ? named(object) : nullptr;
  bool isBound = !isInside && itself.value_or(&callable) != nullptr;
  llvm::SmallVector<std::pair<const ParmVarDecl *, Named>> bound;
  for (auto [parameter, argument] : llvm::zip(definition->parameters(), arguments)) {
    QualType type = parameter->getType().getNonReferenceType().getUnqualifiedType();
    bool isArray = types.known(type) == Known::Array || types.known(type) == Known::Ref;
    bool mayHoldArrays = isArray || (type->isRecordType() && !types.isLeaf(type));
    bound.push_back({parameter, mayHoldArrays ? named(argument) : nullptr});
    isBound |= bound.back().second.value_or(&callable) != nullptr;
  }
  if (!isBound && !unbound.insert(definition).second)
    return;
  for (auto [parameter, value] : bound)
    bindings[parameter] = value;
  run(definition, itself);
}

void AskedObjects::run(const FunctionDecl *function, Named object) {
  if (!running.insert(function).second)
    return;
  Named caller = std::exchange(self, object);
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  if (method && method->getParent()->isLambda() && object && *object == &callable) {
    llvm::DenseMap<const ValueDecl *, FieldDecl *> captures;
    FieldDecl *capturedThis = nullptr;
    method->getParent()->getCaptureFields(captures, capturedThis);
    for (auto [variable, field] : captures)
      bindings[variable] = fieldOf(object, field);
    self = capturedThis ? fieldOf(object, capturedThis) : nullptr;
  }
  visit(function->getBody());
  self = caller;
  running.erase(function);
}

/// Calls `visit` with the values of all leaves of an object, and of those that it refers to.
static void visitLeaves(const Object *object, llvm::SmallPtrSetImpl<const Object *> &seen,
                        llvm::function_ref<void(mlir::Value)> visit) {
  if (!object || !seen.insert(object).second)
    return;
  if (mlir::Value value = object->leaf.value())
    visit(value);
  visitLeaves(object->referent.object, seen, visit);
  for (const Object *part : object->parts)
    visitLeaves(part, seen, visit);
}

void Importer::findAskedFor(const Object &callable, llvm::SmallVectorImpl<OptionalArray> &found) {
  llvm::SmallPtrSet<const Object *, 16> seen;
  AskedObjects asked(ast, types, callable);
  for (const Object *object : asked.all())
    visitLeaves(object, seen, [&](mlir::Value value) {
      if (isa<tile::ArrayType>(value.getType()) && !isKnownPresent(value) &&
          llvm::none_of(found, [&](const OptionalArray &each) {
            return !each.spec && batches.baseOf(each.array) == batches.baseOf(value);
          }))
        found.push_back({value, /*spec=*/nullptr});
    });
}

void Importer::importVersions(ArrayRef<OptionalArray> optional, Launch &current,
                              llvm::SmallPtrSetImpl<const Spec *> &absent, SourceLocation where,
                              llvm::function_ref<void(Launch &)> import) {
  constexpr int64_t many = 5;
  int64_t unknown =
      llvm::count_if(optional, [&](const OptionalArray &each) { return !isKnownPresent(each.array).has_value(); });
  if (unknown >= many)
    report(DiagnosticKind::LaunchVersions, where) << unknown;
  launchWithGiven(optional, current, absent, locate(where), import);
}

void Importer::launchWithGiven(ArrayRef<OptionalArray> optional, Launch &current,
                               llvm::SmallPtrSetImpl<const Spec *> &absent, mlir::Location at,
                               llvm::function_ref<void(Launch &)> import) {
  if (optional.empty()) {
    Launch version = current;
    return import(version);
  }
  OptionalArray first = optional.front();
  auto with = [&] { launchWithGiven(optional.drop_front(), current, absent, at, import); };
  auto without = [&] {
    if (first.spec)
      absent.insert(first.spec);
    with();
    if (first.spec)
      absent.erase(first.spec);
  };
  if (std::optional<bool> known = isKnownPresent(first.array))
    return *known ? with() : without();
  mlir::Value condition = builder.create<tile::IsPresentOp>(at, batches.baseOf(first.array));
  auto branch = builder.create<mlir::scf::IfOp>(at, condition, /*withElseRegion=*/true);
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  with();
  builder.setInsertionPoint(branch.elseBlock()->getTerminator());
  without();
}

/// `if (bias)`: in a body it is known, on the host the caller says.
CallResult Importer::isPresent(const IntrinsicCall &call) {
  auto truth = [](bool value) { return Leaf(llvm::APSInt(llvm::APInt(1, value), /*isUnsigned=*/true)); };
  LValue array = evaluateOperand(call.arguments[0]);
  if (!array || (array.object && array.object->isPoisoned))
    return {};
  if (array.object && array.object->isAbsent)
    return {truth(false), {}};
  mlir::Value whole = array.object ? array.object->leaf.value() : mlir::Value();
  bool isOfHost = whole && isa<tile::ArrayType>(whole.getType()); // A body need not get what it only asks of.
  if (!isOfHost)
    whole = array.object && !array.object->variable ? read(array, array.object->type, call.where()).value() : nullptr;
  if (whole && isOnDevice() && !isOfHost) // The array of the host of which the body's place is a part.
    whole = hostArrayOf(whole);
  if (!whole || !isOptional(whole)) {
    report(DiagnosticKind::AlwaysPresent, call.where());
    return {};
  }
  if (std::optional<bool> known = isKnownPresent(whole))
    return {truth(*known), {}};
  return {Leaf(builder.create<tile::IsPresentOp>(locate(call.where()), batches.baseOf(whole))), {}};
}

mlir::Value Importer::hostArrayOf(mlir::Value ref) {
  auto argument = dyn_cast_or_null<mlir::BlockArgument>(tile::arrayOf(ref));
  if (argument)
    for (auto [array, inside] : launch->inside)
      if (inside == argument)
        return array;
  return {};
}

} // namespace tegula::frontend
