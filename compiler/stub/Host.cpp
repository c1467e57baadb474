// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stub/Host.h"

#include "analysis/Outputs.h"
#include "ir/Arrangement.h"
#include "ir/ControlFlow.h"
#include "ir/GridOps.h"
#include "ir/KernelAttributes.h"
#include "ir/Locations.h"
#include "ir/ProductOptions.h"
#include "stub/Types.h"
#include "support/Target.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::stub {

QualifiedName::QualifiedName(StringRef text) {
  SmallVector<StringRef> parts;
  std::string dotted = llvm::join(llvm::split(text, "::"), ".");
  StringRef(dotted).split(parts, '.', -1, /*KeepEmpty=*/false);
  name = parts.empty() ? "entry" : parts.pop_back_val().str();
  space = llvm::join(parts, "::");
}

// ---- Signatures -----------------------------------------------------------------------------------------------------

/// The C++ type of a scalar: `tile.type` says what the signless type does not.
static Type scalarType(Type type, std::optional<ArrayAttr> attributes, unsigned i) {
  auto name = attributes ? cast<DictionaryAttr>((*attributes)[i]).getAs<StringAttr>("tile.type") : StringAttr();
  if (name && name.getValue().starts_with("u") && type.isSignlessInteger() && !type.isInteger(1))
    return IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth(), IntegerType::Unsigned);
  return type;
}

Type parameterTypeOf(tile::EntryOp entry, unsigned i) {
  return scalarType(entry.getFunctionType().getInput(i), entry.getArgAttrs(), i);
}
Type resultTypeOf(tile::EntryOp entry, unsigned i) {
  return scalarType(entry.getFunctionType().getResult(i), entry.getResAttrs(), i);
}

/// Of a list, the rank is that of its arrays.
static std::string arrayArguments(tile::ArrayType type) {
  return "<" + typeName(type.getElementType(), type.getReadOnly()) + ", " +
         std::to_string(type.getRank() - int64_t(type.getIsTable())) + ">";
}

/// Where the struct of several results is defined: beside the entry unless it says otherwise.
static QualifiedName structOf(tile::EntryOp entry) {
  QualifiedName function(entry.getQualifiedName()), result(entry.getResultStruct().value_or(function.name + "_result"));
  if (result.space.empty())
    result.space = function.space;
  return result;
}

/// " = 4", or nothing: the default argument of a parameter.
static std::string defaultOf(tile::EntryOp entry, unsigned i) {
  if (entry.getArgAttr(i, "tile.optional"))
    return " = {}";
  Attribute value = entry.getArgAttr(i, "tile.default");
  if (!value)
    return "";
  return " = " + literal(value, parameterTypeOf(entry, i)).text;
}

Signature::Signature(tile::EntryOp entry)
    : name(entry.getQualifiedName()), resultStruct(structOf(entry)),
      returnsStruct(entry.getResultStruct() || entry.getFunctionType().getNumResults() > 1) {
  bool takesArrays = false;
  for (auto [i, type] : llvm::enumerate(entry.getFunctionType().getInputs())) {
    StringRef hint = tile::nameOf(entry.getArgument(i));
    parameters.push_back(names.unique(hint.empty() ? "argument_" + std::to_string(i) : hint.str()));
    if (auto array = dyn_cast<tile::ArrayType>(type))
      parameterTypes.push_back((array.getIsTable() ? "const tegula::arrays" : "const tegula::array") +
                               arrayArguments(array) + " &");
    else
      parameterTypes.push_back(typeName(parameterTypeOf(entry, i)) + " ");
    defaults.push_back(defaultOf(entry, i));
    takesArrays |= isa<tile::ArrayType>(type);
    isUnused.push_back(!isa<tile::ArrayType>(type) && entry.getArgument(i).use_empty());
  }
  if (!takesArrays)
    device = names.unique("device");
  stream = names.unique("stream");
  for (auto [i, type] : llvm::enumerate(entry.getFunctionType().getResults())) {
    if (auto array = dyn_cast<tile::ArrayType>(type))
      resultTypes.push_back("tegula::buffer" + arrayArguments(array));
    else
      resultTypes.push_back(typeName(resultTypeOf(entry, i)));
    auto named = entry.getResultNames();
    StringRef field = named ? cast<StringAttr>((*named)[i]).getValue() : "";
    resultNames.push_back(!named                ? "result_" + std::to_string(i)
                          : isIdentifier(field) ? field.str() // As the kernel file calls it.
                                                : identifier(field));
  }
}

std::string Signature::declaration(bool withDefaults) const {
  std::string text = isVoid() ? "void" : resultTypes.front();
  if (returnsStruct)
    text = resultStruct.space == name.space ? resultStruct.name : resultStruct.text();
  text += " " + name.name + "(";
  for (auto [type, parameter, value, unused] : llvm::zip(parameterTypes, parameters, defaults, isUnused))
    text += type + (withDefaults ? parameter + value : unused ? "/*" + parameter + "*/" : parameter) + ", ";
  std::string otherwise = withDefaults ? " = {}" : "";
  if (!device.empty())
    text += "tegula::device " + device + otherwise + ", ";
  return text + "const tegula::stream &" + stream + otherwise + ")";
}

// ---- Bodies ---------------------------------------------------------------------------------------------------------

namespace {
class HostPrinter : public BodyPrinter {
public:
  HostPrinter(Writer &out, Signature &signature, tile::EntryOp entry, const KernelNames &kernels, const GpuCode &gpu)
      : BodyPrinter(out, signature.names, Side::Host), signature(signature), entry(entry), kernels(kernels), gpu(gpu),
        callName(names.unique("call")) {}

  void print();

private:
  std::optional<Expr> leaf(Operation *op) override;
  void printStatement(Operation *op) override;
  void declareCarried(const std::string &name, Value variable, Value init) override;
  void bindCarried(Value value, const std::string &name) override;
  Expr carried(Value value, Value target) override;

  void printArguments();
  void printEmpty(tile::EmptyOp op);
  void printChoice(arith::SelectOp op);
  void printLaunch(tile::LaunchOp op);
  void printOverlapCheck(tile::LaunchOp op);
  void printCopyChecks(tile::LaunchOp op);
  void printPlan(tile::LaunchOp op, ArrayRef<Expr> grid, bool onCpu);
  void printKernelLaunch(tile::LaunchKernelOp op);
  void printReturn(tile::ReturnOp op);
  Expr isClass(tile::IsClassOp op);
  Expr residentClusters(tile::ResidentClustersOp op);
  template <class Op> Expr mapOf(Op op);
  /// What messages call an array.
  std::string messageName(Value array);
  SmallVector<Expr> typedAll(ValueRange values);

  Signature &signature;
  tile::EntryOp entry;
  const KernelNames &kernels;
  GpuCode gpu;
  std::string callName;
  /// Arrays that control flow carries, and what they are made of: the abi::variable that holds each.
  llvm::DenseMap<Value, std::string> variables;
  bool planRunsOnCpu = false;
};
} // namespace

std::optional<Expr> HostPrinter::leaf(Operation *op) {
  if (auto dim = dyn_cast<tile::DimOp>(op))
    return method(use(dim.getSource()), "dim", Expr(std::to_string(dim.getAxis())));
  if (auto map = dyn_cast<tile::TensorMapOp>(op))
    return mapOf(map);
  if (auto can = dyn_cast<tile::CanMapOp>(op))
    return call("abi::can_map", {mapOf(can)});
  if (auto is = dyn_cast<tile::IsClassOp>(op))
    return isClass(is);
  if (auto present = dyn_cast<tile::IsPresentOp>(op))
    return binary(method(use(present.getArray()), "data", ArrayRef<Expr>()), "!=", {"nullptr"});
  if (auto flatten = dyn_cast<tile::FlattenOp>(op))
    return call("abi::flat", {use(flatten.getArray())});
  if (isa<tile::MultiprocessorsOp>(op))
    return method({callName}, "multiprocessors", ArrayRef<Expr>());
  if (auto clusters = dyn_cast<tile::ResidentClustersOp>(op))
    return residentClusters(clusters);
  auto dense = dyn_cast<tile::DenseOp>(op);
  if (!dense || dense.getContiguous())
    return std::nullopt;
  SmallVector<Expr> arguments = {std::to_string(dense.getBytes())};
  for (Value array : dense.getArrays())
    arguments.push_back(use(array));
  return call("abi::dense", arguments);
}

Expr HostPrinter::residentClusters(tile::ResidentClustersOp op) {
  if (planRunsOnCpu) {
    unsupported(op);
    return {"1"};
  }
  auto kernel = SymbolTable::lookupNearestSymbolFrom<tile::KernelOp>(op, op.getKernelAttr());
  return method({callName}, "resident_clusters",
                {Expr(kernels.qualified(kernels.onGpu(op.getKernel()))), std::to_string(kernel.getThreads()),
                 use(op.getCluster())});
}

/// A plan for the CPU is one for a single class.
Expr HostPrinter::isClass(tile::IsClassOp op) {
  if (planRunsOnCpu) {
    unsupported(op);
    return {"false"};
  }
  SmallVector<Expr> numbers;
  for (StringRef name : op.getClasses().getAsValueRange<StringAttr>())
    numbers.emplace_back(std::to_string(numberOf(*findClass({name.data(), name.size()}))) + " /*" + name.str() + "*/");
  return method({callName}, "is_class",
                {Expr(kernels.qualified(gpu.images)), Expr("{" + commaSeparated(numbers) + "}")});
}

/// The use that a launch makes of an argument of its plan, or of what the plan allocates; none of other arrays.
static std::optional<tile::Access> accessInPlan(Value array) {
  if (auto empty = array.getDefiningOp<tile::EmptyOp>(); empty && empty->getParentOfType<tile::LaunchOp>())
    return tile::Access::Out;
  auto argument = dyn_cast<BlockArgument>(array);
  auto launch = argument ? dyn_cast<tile::LaunchOp>(argument.getOwner()->getParentOp()) : tile::LaunchOp();
  if (!launch)
    return std::nullopt;
  return launch.getAccessOf(argument.getArgNumber() - launch.getGrid().size());
}

/// The map that an op makes or asks for.
template <class Op> Expr HostPrinter::mapOf(Op op) {
  std::optional<tile::Access> access = accessInPlan(op.getArray());
  if (!access && !hasFailed()) { // Told once, though the map may be printed again.
    op.emitOpError("is of an argument of a launch's plan, which says whether the array is written");
    reportFailure();
  }
  bool isRead = access == tile::Access::In;
  Expr map = call(isRead ? "abi::read_map" : "abi::write_map",
                  {messageName(op.getArray()), use(op.getArray()), std::to_string(op.getSwizzle()), list(op.getBox())});
  if (op.getPermutation())
    map = call("abi::permuted", {map, list(*op.getPermutation())});
  if constexpr (std::is_same_v<Op, tile::TensorMapOp>) {
    if (op.getClipped())
      map = call("abi::clipped", {map, std::to_string(*op.getClipped()), std::to_string(tile::rowsOfAtom)});
    if (op.getOptional())
      map = call("abi::optional", {map});
    if (op.getNan())
      map = call("abi::nan_outside", {map});
    if (op.getAsUnsigned())
      map = call("abi::as_unsigned", {map});
  }
  return map;
}

SmallVector<Expr> HostPrinter::typedAll(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return useTyped(value); });
}

std::string HostPrinter::messageName(Value array) {
  StringRef name = tile::nameOf(array);
  return quoted(name.empty() ? "result" : name);
}

/// Whether control flow carries the array on, so that others may be the same.
static bool isCarriedOn(Value array) {
  return llvm::any_of(array.getUsers(), [](Operation *user) {
    return isa<RegionBranchOpInterface, RegionBranchTerminatorOpInterface, arith::SelectOp, tile::AsConstOp>(user) &&
           !isa<tile::ReturnOp>(user);
  });
}

static std::string variableType(Type array) { return "abi::variable" + arrayArguments(cast<tile::ArrayType>(array)); }

void HostPrinter::printEmpty(tile::EmptyOp op) {
  std::string name = names.forValue(op, "result");
  SmallVector<Expr> dims = llvm::map_to_vector(op.getDims(), [&](Value dim) { return use(dim); });
  std::string type = isCarriedOn(op) ? variableType(op.getType()) : "auto";
  out.line(type + " " + name + " = " + callName + (op.getZeroed() ? ".zeros" : ".empty") +
           arrayArguments(op.getType()) + "(" + messageName(op) + ", {" + commaSeparated(dims) + "});");
  if (isCarriedOn(op))
    bindCarried(op, name);
  else
    bind(op, name);
}

void HostPrinter::bindCarried(Value value, const std::string &name) {
  if (!isa<tile::ArrayType>(value.getType()))
    return BodyPrinter::bindCarried(value, name);
  variables[value] = name;
  bind(value, name + ".view()");
}

Expr HostPrinter::carried(Value value, Value target) {
  if (!isa<tile::ArrayType>(value.getType()))
    return BodyPrinter::carried(value, target);
  if (value.getDefiningOp<ub::PoisonOp>())
    return Expr(variableType(target.getType()) + "()");
  auto same = value.getDefiningOp<tile::AsConstOp>();
  if (auto variable = variables.find(same ? same.getArray() : value); same && variable != variables.end())
    return call(variableType(target.getType()), {Expr(variable->second)});
  auto variable = variables.find(value);
  return variable != variables.end() ? Expr(variable->second) : call(variableType(target.getType()), {use(value)});
}

void HostPrinter::declareCarried(const std::string &name, Value variable, Value init) {
  if (!isa<tile::ArrayType>(variable.getType()))
    return BodyPrinter::declareCarried(name, variable, init);
  out.line(variableType(variable.getType()) + " " + name + (init ? " = " + carried(init, variable).text : "") + ";");
}

void HostPrinter::printChoice(arith::SelectOp op) {
  std::string name = names.forValue(op, "chosen");
  Expr chosen =
      choice(use(op.getCondition()), carried(op.getTrueValue(), op), carried(op.getFalseValue(), op), op.getType());
  out.line("const " + variableType(op.getType()) + " " + name + " = " + chosen.text + ";");
  bindCarried(op, name);
}

/// Memory that the call has just allocated, and that no other array may be, overlaps nothing else.
static bool isFresh(Value array) {
  return array.getDefiningOp<tile::RecordOp>() || array.getDefiningOp<tile::TraceOp>() ||
         (array.getDefiningOp<tile::EmptyOp>() && !isCarriedOn(array));
}

void HostPrinter::printOverlapCheck(tile::LaunchOp op) {
  SmallVector<Expr> accesses;
  bool anyWritten = false, anyTable = false; // Whose arrays may overlap each other.
  for (auto [i, array] : llvm::enumerate(op.getArguments())) {
    if (!isa<tile::ArrayType>(array.getType()) || isFresh(array))
      continue;
    bool isWritten = op.getAccessOf(i) != tile::Access::In;
    anyWritten |= isWritten;
    anyTable |= cast<tile::ArrayType>(array.getType()).getIsTable();
    accesses.push_back(call(isWritten ? "abi::writes" : "abi::reads", {messageName(array), use(array)}));
  }
  if ((accesses.size() > 1 || anyTable) && anyWritten)
    out.line(callName + ".no_overlap({" + commaSeparated(accesses) + "});");
}

/// On the CPU, a launch takes the arrays, and views of them, of which a GPU makes tensor maps.
void HostPrinter::printCopyChecks(tile::LaunchOp op) {
  SmallVector<std::pair<unsigned, SmallVector<int64_t>>> copied;
  op.getBody().walk([&](tile::TmaOpInterface copy) {
    std::pair view(tile::arrayOf(copy.getWindow()).getArgNumber(), tile::copyOrderOf(copy.getWindow()));
    if (!llvm::is_contained(copied, view))
      copied.push_back(view);
  });
  for (const auto &[i, order] : copied) {
    Value array = op.getArguments()[i];
    bool isWritten = op.getAccessOf(i) != tile::Access::In; // As mapOf says.
    SmallVector<Expr> arguments = {Expr(messageName(array)), use(array),
                                   Expr(isWritten ? "/*is_written=*/true" : "/*is_written=*/false")};
    if (!llvm::is_sorted(order))
      arguments.push_back(list(order));
    out.line(method({callName}, "copied", arguments).text + ";");
  }
}

void HostPrinter::printPlan(tile::LaunchOp op, ArrayRef<Expr> grid, bool onCpu) {
  Block &plan = op.getPlan().front();
  for (auto [i, argument] : llvm::enumerate(plan.getArguments()))
    bind(argument, i < grid.size() ? grid[i] : use(op.getArguments()[i - grid.size()]));
  planRunsOnCpu = onCpu;
  llvm::DenseMap<Value, Expr> outside = bound; // A plan is printed twice, each time with variables of its own.
  printBlock(plan);
  bound = std::move(outside);
}

void HostPrinter::printLaunch(tile::LaunchOp op) {
  printOverlapCheck(op);
  bool hasPlan = !op.getPlan().empty();
  SmallVector<Expr> grid;
  for (Value size : op.getGrid()) {
    grid.push_back(use(size));
    if (ranges.of(size).hasNegative())
      grid.back() = call("abi::grid_size", {grid.back(), quoted(whereaboutsOf(op))});
    bool isSimple = grid.back().binds == Binds::Primary && !StringRef(grid.back().text).contains(' ');
    if (isSimple)
      continue;
    std::string name = names.unique("grid");
    out.line("const std::int64_t " + name + " = " + grid.back().text + ";");
    grid.back() = {name};
  }
  auto printOnCpu = [&] {
    if (op.isExplicit())
      printCopyChecks(op);
    if (gpu.splitOnCpu && hasPlan && !op.isExplicit())
      return printPlan(op, grid, /*onCpu=*/true);
    SmallVector<Expr> arguments(grid);
    for (Value argument : op.getArguments())
      arguments.push_back(use(argument));
    out.line(call(kernels.qualified(kernels.ofLaunch(op)), arguments).text + ";");
  };
  out.open("if (" + callName + ".on_cpu())");
  {
    Names::Block inner(names);
    printOnCpu();
  }
  out.reopen("else if (" + callName + ".on_gpu())");
  if (hasPlan && gpu.exists) {
    Names::Block inner(names);
    printPlan(op, grid, /*onCpu=*/false);
  } else {
    out.line(callName + ".fail(" +
             quoted("has code for the CPU only: give tegulac an --arch, or move the arrays to the CPU") + ");");
  }
  out.close();
}

void HostPrinter::printKernelLaunch(tile::LaunchKernelOp op) {
  SmallVector<Expr> arguments = typedAll(op.getArguments());
  if (planRunsOnCpu && op.getCluster())
    return unsupported(op); // Who splits for the CPU splits for a class without clusters.
  if (planRunsOnCpu) {
    arguments.insert(arguments.begin(), use(op.getBlocks()));
    out.line(call(kernels.qualified(kernels.onCpu(op.getKernel())), arguments).text + ";");
    return;
  }
  auto kernel = SymbolTable::lookupNearestSymbolFrom<tile::KernelOp>(op, op.getKernelAttr());
  bool overlaps = !kernel->hasAttr(beginsTogether);
  bool isResident = kernel->hasAttr(tile::residentAtOnce); // All blocks run beside nothing of the grid before.
  overlaps &= !isResident && !kernel->hasAttr(tile::isTraced);
  std::string cluster = op.getCluster() ? ", " + use(op.getCluster()).text : overlaps ? "" : ", 0";
  Expr shape("{" + use(op.getBlocks()).text + ", " + std::to_string(kernel.getThreads()) + cluster +
             (overlaps     ? ""
              : isResident ? ", false, /*is_resident=*/true"
                           : ", false") +
             "}");
  arguments.insert(arguments.begin(), {Expr(kernels.qualified(kernels.onGpu(op.getKernel()))), shape});
  out.line(method({callName}, "launch", arguments).text + ";");
}

void HostPrinter::printStatement(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tile::CheckOp check) {
        SmallVector<Expr> arguments{use(check.getCondition()), quoted(check.getMessage())};
        if (!check.getNumbers().empty())
          arguments.push_back(Expr(
              "{" + commaSeparated(llvm::map_to_vector(check.getNumbers(), [&](Value number) { return use(number); })) +
              "}"));
        out.line(method({callName}, "check", arguments).text + ";");
      })
      .Case([&](tile::EmptyOp empty) { printEmpty(empty); })
      .Case([&](tile::RecordOp record) {
        std::string name = names.unique("failed_checks");
        out.line("auto " + name + " = " +
                 method({callName}, "record", {use(record.getPrograms()), std::to_string(record.getWidth())}).text +
                 ";");
        bind(record, name);
      })
      .Case([&](tile::ReportOp report) {
        SmallVector<Expr> messages, grid;
        for (StringRef message : report.getMessages().getAsValueRange<StringAttr>())
          messages.push_back(quoted(message));
        for (Value size : report.getGrid())
          grid.push_back(use(size));
        out.line(method({callName}, "report",
                        {use(report.getRecord()), Expr("{" + commaSeparated(messages) + "}"),
                         Expr("{" + commaSeparated(grid) + "}")})
                     .text +
                 ";");
      })
      .Case([&](tile::TraceOp trace) {
        std::string name = names.unique("trace");
        out.line("auto " + name + " = " +
                 method({callName}, "trace", {use(trace.getRows()), std::to_string(trace.getEvents())}).text + ";");
        bind(trace, name);
      })
      .Case([&](tile::TraceReportOp report) {
        SmallVector<Expr> scopes;
        for (StringRef scope : report.getScopes().getAsValueRange<StringAttr>())
          scopes.push_back(quoted(scope));
        out.line(method({callName}, "keep_trace",
                        {use(report.getTrace()), quoted(report.getLaunch()), Expr("{" + commaSeparated(scopes) + "}"),
                         std::to_string(report.getThreads()), std::to_string(report.getRows())})
                     .text +
                 ";");
      })
      .Case([&](tile::LaunchOp launch) { printLaunch(launch); })
      .Case([&](tile::LaunchKernelOp launch) { printKernelLaunch(launch); })
      .Case<tile::TensorMapOp, tile::FlattenOp>([](auto) {}) // Its uses make it.
      .Case<ub::PoisonOp>([](auto) {})
      .Case([&](tile::AsConstOp same) { bind(same, use(same.getArray())); })
      .Case([&](arith::SelectOp select) {
        isa<tile::ArrayType>(select.getType()) ? printChoice(select) : unsupported(select);
      })
      .Default([&](Operation *other) { unsupported(other); });
}

void HostPrinter::printArguments() {
  const QualifiedName &name = signature.name;
  SmallVector<Expr> arguments = {quoted(name.text()), signature.stream};
  if (!signature.device.empty())
    arguments.push_back(signature.device);
  out.line(call("abi::call " + callName, arguments).text + ";");
  llvm::DenseMap<Value, std::pair<bool, bool>> accesses; // Whether any launch reads and writes it.
  entry.walk([&](tile::LaunchOp launch) {
    for (auto [i, array] : llvm::enumerate(launch.getArguments())) {
      if (!isa<tile::ArrayType>(array.getType()))
        continue;
      tile::Access access = launch.getAccessOf(i);
      for (Value origin : originsOf(array)) {
        accesses[origin].first |= access != tile::Access::Out;
        accesses[origin].second |= access != tile::Access::In;
      }
    }
  });
  for (auto [i, argument] : llvm::enumerate(entry.getArguments())) {
    const std::string &name = signature.parameters[i];
    if (auto type = dyn_cast<tile::ArrayType>(argument.getType())) {
      auto [reads, writes] = accesses.lookup(argument);
      std::string use = writes ? reads ? "inout" : "output" : "input";
      if (type.getIsTable()) {
        std::string list = names.unique(name + "_list");
        out.line("const auto " + list + " = " + callName + "." + use + "s(" + messageName(argument) + ", " + name +
                 ");");
        bind(argument, list);
        continue;
      }
      bool isOptional = static_cast<bool>(entry.getArgAttr(i, "tile.optional"));
      out.line((isOptional ? "if (" + name + ".data() != nullptr) " : "") + callName + "." + use + "(" +
               messageName(argument) + ", " + name + ");");
      bind(argument, name);
    } else {
      bind(argument, asScalar({name}, parameterTypeOf(entry, i)));
    }
  }
}

void HostPrinter::printReturn(tile::ReturnOp op) {
  SmallVector<Expr> results;
  llvm::DenseSet<Value> returned;
  for (auto [i, value] : llvm::enumerate(op.getOperands())) {
    if (!isa<tile::ArrayType>(value.getType())) {
      results.push_back(asElement(use(value), resultTypeOf(entry, i)));
      continue;
    }
    bool isMade = llvm::all_of(originsOf(value), [](Value origin) { return origin.getDefiningOp<tile::EmptyOp>(); });
    if (!isMade || !returned.insert(value).second) {
      emitError(op.getLoc(), "an entry must return arrays that it made by tg::empty or tg::empty_like, each once");
      return reportFailure();
    }
    if (auto variable = variables.find(value); variable != variables.end())
      results.push_back(method(Expr(variable->second), "take", Expr(callName)));
    else
      results.push_back(!signature.returnsStruct ? use(value) : call("std::move", use(value)));
  }
  if (!signature.returnsStruct && results.size() == 1)
    out.line("return " + results.front().text + ";");
  else if (!results.empty())
    out.line("return {" + commaSeparated(results) + "};");
}

void HostPrinter::print() {
  out.open(signature.declaration(/*withDefaults=*/false));
  out.line("namespace abi = tegula::abi;");
  size_t begin = out.position();
  printArguments();
  printBlock(entry.getBody().front());
  printReturn(cast<tile::ReturnOp>(entry.getBody().front().getTerminator()));
  if (out.mentionsSince(begin, "cpu::"))
    out.insert(begin, "  namespace cpu = tegula::cpu;");
  out.close();
}

LogicalResult printEntry(Writer &out, tile::EntryOp entry, const KernelNames &kernels, const GpuCode &gpu) {
  Signature signature(entry);
  HostPrinter printer(out, signature, entry, kernels, gpu);
  printer.print();
  return failure(printer.hasFailed());
}

} // namespace tegula::stub
