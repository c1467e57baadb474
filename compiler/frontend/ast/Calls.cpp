// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: the language's own functions are ops, constant ones are computed by Clang, all others run inline.
#include "frontend/Importer.h"
#include "frontend/ast/ChangedVariables.h"
#include "frontend/diagnostics/LanguageNames.h"

#include "clang/AST/APValue.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace tegula::frontend {

bool Importer::isModified(const ValueDecl *variable, const FunctionDecl *function) {
  if (variable->getType().isConstQualified())
    return false;
  auto [entry, isNew] = changed.try_emplace(function);
  if (isNew)
    entry->second = changedVariables(function);
  return changed[function].contains(variable);
}

StringRef replacementOfPrinting(bool isOnDevice) {
  return isOnDevice ? "tg::debug_print(\"x is {}\", x)" : "it in the program that calls the entry";
}

/// What the language has for a function of the standard library.
static std::string replacementOf(StringRef name, bool isOnDevice) {
  if (name == "printf" || name == "puts" || name == "fprintf")
    return replacementOfPrinting(isOnDevice).str();
  if (name == "__assert_fail" && isOnDevice)
    return "tg::debug_check(condition, \"message\"), compiled with --debug-checks, or in host code "
           "tg::check(condition, \"message\")";
  if (name == "__assert_fail" || name == "abort" || name == "exit")
    return isOnDevice ? "tg::check(condition, \"message\") in host code" : "tg::check(condition, \"message\")";
  return "";
}

/// A named function of the C or C++ library.
static bool isStandard(const FunctionDecl *function) {
  if (!function->getIdentifier())
    return false;
  return function->isInStdNamespace() ||
         (function->isExternC() &&
          function->getASTContext().getSourceManager().isInSystemHeader(function->getLocation()));
}

/// std::move and its like: the argument, as another kind of reference.
static bool isIdentity(const FunctionDecl *function) {
  StringRef name = function->getName();
  return name == "move" || name == "forward" || name == "as_const" || name == "move_if_noexcept";
}

void Importer::refuseCall(const FunctionDecl *callee, SourceLocation where) {
  StringRef name = callee->getIdentifier() ? callee->getName() : "";
  std::string replacement = replacementOf(name, isOnDevice());
  if (replacement.empty() && (callee->isInStdNamespace() || callee->isExternC()))
    replacement = functionFor(name, callee->getASTContext());
  if (isInLanguage(callee->getDeclContext()))
    report(DiagnosticKind::UnsupportedIntrinsic, where) << spelled(callee);
  else if (!replacement.empty())
    report(DiagnosticKind::StandardFunction, where) << (name == "__assert_fail" ? "assert" : name) << replacement;
  else
    report(DiagnosticKind::NoBody, where) << callee;
}

/// Whether Clang may compute the call: its result is a number or an object of the user's.
static bool mayBeConstant(const FunctionDecl *callee, const TypeMap &types, QualType type) {
  if (!callee->isConstexpr() || type->isVoidType() || callee->getReturnType()->isReferenceType())
    return false;
  return types.isScalar(type) || (type->isRecordType() && types.known(type) == Known::None);
}

/// What a lambda without captures is converted to a pointer to: its call operator, which needs no object.
static const FunctionDecl *pointedTo(const FunctionDecl *callee) {
  const auto *conversion = dyn_cast<CXXConversionDecl>(callee);
  if (!conversion || !conversion->getParent()->isLambda() || !conversion->getConversionType()->isFunctionPointerType())
    return nullptr;
  const CXXMethodDecl *called = conversion->getParent()->getLambdaCallOperator();
  FunctionTemplateDecl *generic = called->getDescribedFunctionTemplate();
  if (!generic)
    return called;
  void *place = nullptr;
  const TemplateArgumentList *arguments = conversion->getTemplateSpecializationArgs();
  return arguments ? generic->findSpecialization(arguments->asArray(), place) : nullptr;
}

CallResult Importer::call(const CallExpr *expr, Object *target) {
  const FunctionDecl *callee = expr->getDirectCallee();
  if (!callee) {
    if (isa<CXXPseudoDestructorExpr>(expr->getCallee()->IgnoreParens()))
      return {};
    if (const auto *member = dyn_cast<BinaryOperator>(expr->getCallee()->IgnoreParens());
        member && member->isPtrMemOp()) {
      report(DiagnosticKind::UnsupportedExpression, expr->getExprLoc()) << expr->getSourceRange();
      return {};
    }
    Leaf function = evaluate(expr->getCallee());
    callee = function.function();
    if (!callee) {
      if (function)
        report(DiagnosticKind::UnsupportedExpression, expr->getExprLoc()) << expr->getSourceRange();
      return {};
    }
  }
  if (const FunctionDecl *function = pointedTo(callee))
    return {function, {}};
  IntrinsicCall intrinsicCall{expr, callee, {}};
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  const auto *memberCall = dyn_cast<CXXMemberCallExpr>(expr);
  if (memberCall && method && method->isImplicitObjectMemberFunction())
    intrinsicCall.arguments.push_back(memberCall->getImplicitObjectArgument());
  llvm::append_range(intrinsicCall.arguments, expr->arguments());
  if (std::optional<CallResult> result = intrinsic(intrinsicCall))
    return *result;

  if (mayBeConstant(callee, types, expr->getType()) || callee->getBuiltinID())
    if (std::optional<APValue> value = evaluateConstant(expr); value && !value->isLValue()) {
      if (types.isLeaf(expr->getType()))
        return {leafOf(*value, expr->getType()), {}};
      return {{}, fromConstant(*value, expr->getType(), expr->getExprLoc())};
    }
  if (isStandard(callee)) {
    if (expr->getNumArgs() == 1 && isIdentity(callee))
      return {{}, evaluateOperand(expr->getArg(0))};
    if (!replacementOf(callee->getName(), isOnDevice()).empty()) {
      refuseCall(callee, expr->getExprLoc());
      return {};
    }
  }
  if (method && method->isVirtual()) {
    report(DiagnosticKind::Virtual, expr->getExprLoc()) << ast.getRecordType(method->getParent());
    return {};
  }
  return runCall(expr, callee, memberCall, target);
}

/// An array of const elements takes one of others.
static bool isArrayAssignment(const CXXMethodDecl *method, const TypeMap &types) {
  return method->getOverloadedOperator() == OO_Equal && !method->getReturnType()->isVoidType() &&
         types.is(method->getFunctionObjectParameterType(), Known::Array) &&
         types.is(method->getParamDecl(0)->getType().getNonReferenceType(), Known::Array);
}

/// Runs a function of the user's, or one of the language's that is C++.
CallResult Importer::runCall(const CallExpr *expr, const FunctionDecl *callee, const CXXMemberCallExpr *memberCall,
                             Object *target) {
  const auto *method = dyn_cast<CXXMethodDecl>(callee);
  ArrayRef<const Expr *> arguments(expr->getArgs(), expr->getNumArgs());
  LValue self;
  if (memberCall) {
    const auto *member = cast<MemberExpr>(memberCall->getCallee()->IgnoreParens());
    self = member->isArrow() ? pointee(member->getBase()) : evaluateOperand(member->getBase());
    if (!self)
      return {};
  } else if (isa<CXXOperatorCallExpr>(expr) && method && !method->isExplicitObjectMemberFunction()) {
    self = evaluateOperand(arguments.front());
    arguments = arguments.drop_front();
    if (!self)
      return {};
  }
  if (self.object && self.object->isPoisoned) // What its functions would stumble over has been said.
    return {};
  bool isDefaultAssignment =
      method && method->isDefaulted() && (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator());
  if (isDefaultAssignment || (method && isArrayAssignment(method, types))) {
    LValue from = evaluateOperand(arguments.front());
    if (self.window.ref || from.window.ref) // An element that is only stored, an 8-bit float.
      report(DiagnosticKind::UnsupportedScalar, expr->getExprLoc())
          << arguments.front()->getType().getUnqualifiedType();
    assignMembers(self, from, expr->getExprLoc());
    return {{}, self};
  }
  SmallVector<Argument> bound;
  for (const Expr *argument : arguments)
    bound.push_back({argument, {}});
  return run(callee, self, bound, target, expr->getExprLoc());
}

/// The assignment that C++ gives every class.
void Importer::assignMembers(const LValue &to, const LValue &from, SourceLocation where) {
  if (!to.object || !from.object || to.object->isPoisoned || from.object->isPoisoned)
    return;
  if (types.isLeaf(to.object->type)) {
    write(to, read(from, to.object->type, where), to.object->type, where);
    return;
  }
  bool isUnion = !to.object->type->isArrayType() && to.object->type->isUnionType();
  if (to.object->spec || from.object->spec || to.object->barriers || to.object->allocations || isUnion) {
    report(DiagnosticKind::RefAssigned, where) << to.object->type;
    return;
  }
  for (auto [part, source] : llvm::zip(to.object->parts, from.object->parts))
    assignMembers(part->referent ? part->referent : LValue(part), source->referent ? source->referent : LValue(source),
                  where);
}

void Importer::bindParameter(Frame &callee, const ParmVarDecl *parameter, const Argument &argument) {
  QualType type = parameter->getType();
  SourceLocation where = parameter->getLocation();
  if (type->isReferenceType()) {
    callee.variables[parameter] = argument.expr ? evaluateOperand(argument.expr) : argument.lvalue;
    return;
  }
  Object *object = makeObject(type, isModified(parameter, callee.function), where);
  if (argument.expr)
    evaluateInto(argument.expr, *object);
  else
    copy(*object, argument.lvalue, argument.lvalue.object ? argument.lvalue.object->type : type, where);
  callee.variables[parameter] = object;
}

void Importer::enterClosure(Frame &callee, const LValue &self) {
  callee.self = self;
  const auto *method = dyn_cast<CXXMethodDecl>(callee.function);
  if (method && method->getParent()->isLambda())
    method->getParent()->getCaptureFields(callee.captures, callee.capturedThis);
}

CallResult Importer::run(const FunctionDecl *function, const LValue &self, ArrayRef<Argument> arguments, Object *target,
                         SourceLocation callSite) {
  constexpr unsigned deepest = 512;
  const FunctionDecl *definition = nullptr;
  if (!function->hasBody(definition)) {
    refuseCall(function, callSite);
    return {};
  }
  if (depth >= deepest) {
    if (!isAborted)
      report(DiagnosticKind::TooDeep, callSite) << function << int64_t(deepest);
    isAborted = true;
    return {};
  }
  Frame callee;
  callee.function = definition;
  callee.caller = frame;
  callee.callSite = callSite;
  callee.isInHeader = ast.getSourceManager().isInSystemHeader(definition->getLocation());
  const auto *method = dyn_cast<CXXMethodDecl>(definition);
  bool isLambda = method && method->getParent()->isLambda();
  if (isLambda && frame->isInHeader) { // A body that the language calls is code of the place where it stands.
    const Frame *user = frame;
    while (user->isInHeader && user->caller)
      user = user->caller;
    callee.callLocation = user->callLocation;
  } else {
    callee.callLocation = locate(callSite);
  }
  // A function that names its object, [](this auto self), has it, and its captures, in its first parameter.
  bool namesObject = method && method->isExplicitObjectMemberFunction();
  SmallVector<Argument> bound(arguments);
  if (namesObject && self)
    bound.insert(bound.begin(), Argument{nullptr, self});
  for (auto [parameter, argument] : llvm::zip(definition->parameters(), bound))
    bindParameter(callee, parameter, argument);
  enterClosure(callee, namesObject ? callee.variables.lookup(definition->getParamDecl(0)) : self);

  QualType type = definition->getReturnType();
  if (!type->isVoidType() && !type->isReferenceType())
    callee.result = types.isLeaf(type) ? makeObject(type, false, callSite)
                    : target           ? target
                                       : temporary(type, callSite);
  return runBody(callee, callSite);
}

CallResult Importer::runBody(Frame &callee, SourceLocation callSite) {
  Frame *caller = std::exchange(frame, &callee);
  ++depth;
  callee.returns = beginExit();
  Object *constructed = nullptr;
  bool madeMutable = false;
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(callee.function)) {
    constructed = callee.self.object;
    const auto *body = dyn_cast_or_null<CompoundStmt>(constructor->getBody());
    madeMutable = body && !body->body_empty() && !constructed->isMutable;
    if (madeMutable)
      makeMutable(*constructed, callSite);
    runInitializers(constructor, *constructed);
  }
  bool wasMutable = callee.result && callee.result->isMutable;
  run(callee.function->getBody());
  if (madeMutable)
    freeze(*constructed, callSite);
  if (callee.result && callee.result->isMutable && !wasMutable)
    freeze(*callee.result, callSite);
  --depth;
  frame = caller;
  if (callee.function->getReturnType()->isReferenceType())
    return {{}, callee.resultLValue};
  if (!callee.result)
    return {};
  if (!types.isLeaf(callee.result->type))
    return {{}, callee.result};
  if (callee.result->isPoisoned)
    return {};
  return {callee.result->leaf, {}};
}

} // namespace tegula::frontend
