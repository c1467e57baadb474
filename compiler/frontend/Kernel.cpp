// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tg::kernel: its named axes, and what a program asks about them.
#include "frontend/Importer.h"
#include "support/Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace tegula::frontend {

// ---- Options --------------------------------------------------------------------------------------------------------

Object *Importer::option(const LValue &options, StringRef name) {
  if (!options.object || options.object->isPoisoned)
    return nullptr;
  const CXXRecordDecl *record = options.object->type->getAsCXXRecordDecl();
  for (const FieldDecl *field : record->fields())
    if (field->getName() == name)
      return options.object->parts[record->getNumBases() + field->getFieldIndex()];
  return nullptr;
}

std::optional<int64_t> Importer::constantOption(const LValue &options, StringRef name, SourceLocation where) {
  Object *field = option(options, name);
  Leaf value = field ? read(field, field->type, where) : Leaf();
  if (value && !value.integer())
    report(DiagnosticKind::ArgumentNotConstant, where) << ("." + name).str();
  return constantInt(value);
}

/// The text of a tg::axis; empty if it has none.
static StringRef textOf(const Object *axis) {
  const StringLiteral *text = axis && !axis->parts.empty() ? axis->parts.front()->leaf.text() : nullptr;
  return text ? text->getString() : StringRef();
}

const LaunchAxis *Importer::axisOf(Object *name, SourceLocation where) {
  StringRef text = textOf(name);
  std::string known;
  for (const LaunchAxis &axis : launch->axes) {
    if (axis.name == text)
      return &axis;
    known += (known.empty() ? "\"" : ", \"") + axis.name + "\"";
  }
  if (name && !name->isPoisoned)
    report(DiagnosticKind::NoSuchAxisName, where) << text << (known.empty() ? "none" : known);
  return nullptr;
}

bool Importer::axesOf(Object *names, SourceLocation where, SmallVectorImpl<const LaunchAxis *> &found) {
  if (!names || names->isPoisoned)
    return false;
  for (Object *name : names->parts) {
    if (textOf(name).empty())
      continue;
    found.push_back(axisOf(name, where));
    if (!found.back())
      return false;
  }
  return true;
}

bool Importer::clusterAxesOf(Object *names, SourceLocation where, SmallVectorImpl<int64_t> &found) {
  SmallVector<const LaunchAxis *> axes;
  if (!isExplicit()) { // Blocks of tg::pallas_call: whoever takes them refuses options.
    for (Object *name : names ? ArrayRef(names->parts) : ArrayRef<Object *>())
      if (!textOf(name).empty())
        found.push_back(0);
    return names;
  }
  if (!axesOf(names, where, axes))
    return false;
  for (const LaunchAxis *axis : axes) {
    if (axis->kind != LaunchAxis::Cluster) {
      report(DiagnosticKind::NotAClusterAxis, where) << axis->name;
      return false;
    }
    if (axis->size > 1)
      found.push_back(axis->number);
  }
  llvm::sort(found);
  return true;
}

bool Importer::namedAxes(Object *axes, LaunchAxis::Kind kind, SourceLocation where, Launch &launch,
                         SmallVectorImpl<Leaf> &sizes) {
  if (!axes || axes->isPoisoned)
    return false;
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  // A grid has several axes; the threads are one.
  bool isOne = axes->parts.size() == 2;
  bool hasEnded = false;
  for (auto [i, axis] : llvm::enumerate(isOne ? ArrayRef(axes) : ArrayRef(axes->parts))) {
    StringRef name = textOf(axis->parts[0]);
    Leaf size = read(axis->parts[1], s64, where);
    if (!size)
      return false;
    bool isAbsent = name.empty() && constantInt(size) == absentSize;
    if (!isAbsent && (hasEnded || name.empty() || (size.integer() && size.integer()->isNegative()))) {
      std::string fault = hasEnded       ? "follows a gap"
                          : name.empty() ? "has no name"
                          : constantInt(size) == absentSize
                              ? "has no size"
                              : "\"" + name.str() + "\" has the size " + std::to_string(*constantInt(size));
      StringRef option = kind == LaunchAxis::Grid ? "grid" : kind == LaunchAxis::Cluster ? "cluster" : "threads";
      report(DiagnosticKind::AxisWithoutName, where) << int64_t(i) << option << fault;
      return false;
    }
    hasEnded |= isAbsent;
    if (isAbsent)
      continue;
    if (llvm::any_of(launch.axes, [&](const LaunchAxis &other) { return other.name == name; })) {
      report(DiagnosticKind::AxisTwice, where) << name;
      return false;
    }
    launch.axes.push_back({name.str(), kind, static_cast<int64_t>(sizes.size()), constantInt(size).value_or(-1)});
    sizes.push_back(size);
  }
  return true;
}

bool Importer::registersOption(const LValue &options, SourceLocation where, Launch &launch) {
  std::optional<int64_t> registers = constantOption(options, "max_registers", where);
  launch.maxRegisters = registers.value_or(0);
  bool isValid = launch.maxRegisters == 0 ||
                 (launch.maxRegisters >= 24 && launch.maxRegisters <= 248 && launch.maxRegisters % 8 == 0);
  if (!isValid)
    report(DiagnosticKind::MaxRegisters, where) << launch.maxRegisters;
  return registers && isValid;
}

bool Importer::kernelOptions(const Expr *expr, Launch &launch, mlir::SmallVectorImpl<mlir::Value> &grid) {
  LValue options = evaluateOperand(expr);
  SourceLocation where = expr->getExprLoc();
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  SmallVector<Leaf> gridSizes, clusterSizes, threads;
  if (!namedAxes(option(options, "grid"), LaunchAxis::Grid, where, launch, gridSizes) ||
      !namedAxes(option(options, "cluster"), LaunchAxis::Cluster, where, launch, clusterSizes) ||
      !namedAxes(option(options, "threads"), LaunchAxis::Thread, where, launch, threads) ||
      !approxMathOption(options, where, launch) || !registersOption(options, where, launch))
    return false;
  std::optional<int64_t> hasNoAutoBarriers = constantOption(options, "unsafe_no_auto_barriers", where);
  if (!hasNoAutoBarriers)
    return false;
  launch.hasNoAutoBarriers = *hasNoAutoBarriers != 0;
  std::optional<int64_t> waiting = constantOption(options, "waiting_for", where);
  if (!waiting)
    return false;
  launch.waitsForEarlier = *waiting != 0; // tg::any_block is the first enumerator.
  for (const Leaf &size : gridSizes)
    grid.push_back(indexOf(size, s64, where));
  int64_t blocks = 1;
  for (const Leaf &size : clusterSizes) {
    launch.cluster.push_back(constantInt(size).value_or(0));
    blocks *= launch.cluster.back();
  }
  bool isRunTime = llvm::any_of(clusterSizes, [](const Leaf &size) { return !size.isConstant(); });
  if (blocks < 1 || blocks > 16 || clusterSizes.size() > 3) {
    std::string axes = std::to_string(clusterSizes.size()) + (clusterSizes.size() == 1 ? " axis" : " axes");
    report(DiagnosticKind::ClusterSize, where)
        << (isRunTime ? "a run-time size" : axes + " and " + std::to_string(blocks) + " CTAs");
    return false;
  }
  if (!threads.empty())
    launch.threads = constantInt(threads.front()).value_or(0);
  if (launch.threads < 1 || launch.threads > 8) {
    report(DiagnosticKind::ThreadCount, where)
        << (threads.front().isConstant() ? std::to_string(launch.threads) : "a run-time value");
    return false;
  }
  if (int64_t most = registersOfLane(launch.threads); launch.maxRegisters > most) {
    report(DiagnosticKind::BlockRegisters, where) << launch.maxRegisters << launch.threads << most;
    return false;
  }
  return true;
}

CallResult Importer::kernel(const IntrinsicCall &call) {
  if (!batches.sizes().empty()) {
    report(DiagnosticKind::VmapExplicit, call.where());
    return {};
  }
  ArrayRef<const Expr *> arguments = call.arguments;
  Launch current;
  current.isExplicit = true;
  mlir::SmallVector<mlir::Value> grid;
  bool isValid = true;
  if (types.is(arguments.front()->getType(), Known::KernelOptions)) {
    isValid = kernelOptions(arguments.front(), current, grid);
    arguments = arguments.drop_front();
  }
  const Expr *bodyExpr = arguments.front();
  Object *body = temporary(bodyExpr);
  const CallExpr *inner = bodyCall(call.callee->getBody());
  const FunctionDecl *function = inner ? inner->getDirectCallee() : body->leaf.function();
  if (!isValid || body->isPoisoned || !function)
    return {};
  llvm::SmallPtrSet<const Spec *, 4> absent;
  importVersions({}, current, absent, call.where(), [&](Launch &version) {
    importLaunch(call, version, grid, [&] {
      InLanguage scope(*this, call.callee, call.where());
      run(function, body, {}, nullptr, call.where());
    });
  });
  return {};
}

// ---- Where a program stands -----------------------------------------------------------------------------------------

Leaf Importer::indexAlong(const LaunchAxis &axis, mlir::Location where) {
  if (axis.kind == LaunchAxis::Grid)
    return Leaf(builder.create<tile::ProgramIdOp>(where, builder.getI64Type(), axis.number));
  if (axis.size == 1)
    return Leaf::number(0);
  if (axis.kind == LaunchAxis::Cluster)
    return Leaf(builder.create<tile::ClusterIndexOp>(where, builder.getI64Type(), axis.number));
  return Leaf(builder.create<tile::ThreadIndexOp>(where, builder.getI64Type()));
}

Leaf Importer::sizeOf(const LaunchAxis &axis, mlir::Location where) {
  if (axis.kind != LaunchAxis::Grid || axis.size >= 0)
    return Leaf::number(axis.size);
  return Leaf(builder.create<tile::NumProgramsOp>(where, builder.getI64Type(), axis.number));
}

std::pair<Leaf, Leaf> Importer::rankAlong(ArrayRef<const LaunchAxis *> axes, SourceLocation where) {
  QualType s64 = ast.getIntTypeForBitwidth(64, /*Signed=*/true);
  mlir::Location at = locate(where);
  Leaf index = Leaf::number(0), size = Leaf::number(1);
  for (const LaunchAxis *axis : axes) {
    Leaf here = indexAlong(*axis, at), many = sizeOf(*axis, at);
    bool isFirst = axis == axes.front();
    index = isFirst ? here : binary(BO_Add, binary(BO_Mul, index, s64, many, s64, where), s64, here, s64, where);
    size = isFirst ? many : binary(BO_Mul, size, s64, many, s64, where);
  }
  return {index, size};
}

CallResult Importer::axisIndex(const IntrinsicCall &call) {
  SmallVector<const LaunchAxis *> axes;
  bool isIndex = call.callee->getName() == "axis_index";
  for (const Expr *argument : call.arguments) {
    LValue name = evaluateOperand(argument);
    axes.push_back(name.object ? axisOf(name.object, argument->getExprLoc()) : nullptr);
    if (!axes.back())
      return {};
    if (isIndex && axes.back()->kind == LaunchAxis::Grid)
      usesGridPosition(argument->getExprLoc());
  }
  auto [index, size] = rankAlong(axes, call.where());
  return {isIndex ? index : size, {}};
}

/// The first template argument.
static int64_t countOf(const FunctionDecl *function) {
  return function->getTemplateSpecializationArgs()->get(0).getAsIntegral().getSExtValue();
}

CallResult Importer::setMaxRegisters(const IntrinsicCall &call) {
  std::optional<int64_t> change = constantArgument(call.arguments[0], "the direction of tg::set_max_registers");
  if (change) // tg::increase is the first enumerator.
    builder.create<tile::SetMaxRegistersOp>(locate(call.where()), countOf(call.callee), /*increase=*/*change == 0);
  return {};
}

CallResult Importer::gridDependency(const IntrinsicCall &call) {
  if (call.callee->getName() == "griddepcontrol_wait")
    builder.create<tile::WaitForGridsOp>(locate(call.where()));
  else
    builder.create<tile::LaunchDependentsOp>(locate(call.where()));
  return {};
}

} // namespace tegula::frontend
