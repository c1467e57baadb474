// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Atomics.h"
#include "codegen/Codegen.h"
#include "codegen/Float8.h"
#include "codegen/Libdevice.h"
#include "codegen/Mma.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

#include <array>
#include <optional>

// Initialising one target by name, not all of them, is a matter of start-up time.
extern "C" void LLVMInitializeNVPTXTargetInfo();
extern "C" void LLVMInitializeNVPTXTarget();
extern "C" void LLVMInitializeNVPTXTargetMC();
extern "C" void LLVMInitializeNVPTXAsmPrinter();

namespace tegula::codegen {

static constexpr llvm::StringLiteral triple = "nvptx64-nvidia-cuda";

static std::unique_ptr<llvm::TargetMachine> createMachine(const Target &target) {
  [[maybe_unused]] static const bool initialized = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    // CodeGenPrepare looks at all of a function again after each change, which takes time with the square of its
    // length: from so many blocks on, only at what has changed.
    if (llvm::cl::Option *blocks = llvm::cl::getRegisteredOptions().lookup("cgpp-huge-func"))
      blocks->addOccurrence(0, "cgpp-huge-func", "100");
    return true;
  }();
  std::string error;
  const llvm::Target *nvptx = llvm::TargetRegistry::lookupTarget(triple.str(), error);
  if (!nvptx)
    return nullptr;
  llvm::TargetOptions options;
  // Every operation of the language rounds: a product and a sum never become a fused multiply-add.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(nvptx->createTargetMachine(triple, target.llvmCpu, target.llvmFeatures,
                                                                         options, llvm::Reloc::PIC_, std::nullopt,
                                                                         llvm::CodeGenOptLevel::Default));
}

static llvm::Error noNvptx() {
  return llvm::createStringError("this build of LLVM cannot generate code for NVIDIA GPUs (target nvptx64 is missing)");
}

// What pays for straight code and plain loops: no interprocedural work, no vectorisation, no unrolling. Inlining is for
// libdevice. Global value numbering and a second round leave the machine code as it is, and would double the time.
static constexpr llvm::StringLiteral pipeline = "always-inline,globaldce,"
                                                "function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,"
                                                "loop-mssa(licm),adce)";

llvm::Error link(llvm::Module &module, const Target &target, llvm::StringRef libdevice) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  if (!machine)
    return noNvptx();
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  return linkLibdevice(module, libdevice);
}

/// Chips before sm_80 compare no bf16, and LLVM cannot select what would: maxima and minima are taken in f32, as the
/// last step, for LLVM would find out that the types could be narrower.
static void widenExtrema(llvm::Module &module) {
  llvm::SmallVector<llvm::IntrinsicInst *> extrema;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      bool isExtremum = call && llvm::is_contained({llvm::Intrinsic::maximum, llvm::Intrinsic::minimum,
                                                    llvm::Intrinsic::maxnum, llvm::Intrinsic::minnum},
                                                   call->getIntrinsicID());
      if (isExtremum && call->getType()->getScalarType()->isBFloatTy())
        extrema.push_back(call);
    }
  for (llvm::IntrinsicInst *call : extrema) {
    llvm::IRBuilder<> builder(call);
    llvm::Type *wide = call->getType()->getWithNewType(builder.getFloatTy());
    llvm::Value *extremum =
        builder.CreateBinaryIntrinsic(call->getIntrinsicID(), builder.CreateFPExt(call->getArgOperand(0), wide),
                                      builder.CreateFPExt(call->getArgOperand(1), wide));
    call->replaceAllUsesWith(builder.CreateFPTrunc(extremum, call->getType()));
    call->eraseFromParent();
  }
}

/// Nor do they multiply and add bf16: LLVM would round to f32 first. Between both directed roundings to f32, which
/// differ where the result is inexact, that towards zero with its last bit set rounds as the exact result does.
static void widenFma(llvm::Module &module) {
  llvm::SmallVector<llvm::IntrinsicInst *> calls;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::fma && call->getType()->getScalarType()->isBFloatTy())
        calls.push_back(call);
  for (llvm::IntrinsicInst *call : calls) {
    llvm::IRBuilder<> builder(call);
    auto fuse = [&](std::array<llvm::Value *, 3> wide) {
      auto rounded = [&](llvm::Intrinsic::ID id) { return builder.CreateIntrinsic(id, {}, wide); };
      llvm::Value *cut = rounded(llvm::Intrinsic::nvvm_fma_rz_f);
      llvm::Value *inexact =
          builder.CreateFCmpONE(rounded(llvm::Intrinsic::nvvm_fma_rm_f), rounded(llvm::Intrinsic::nvvm_fma_rp_f));
      llvm::Value *bits = builder.CreateBitCast(cut, builder.getInt32Ty());
      bits = builder.CreateOr(bits, builder.CreateZExt(inexact, builder.getInt32Ty()));
      return builder.CreateFPTrunc(builder.CreateBitCast(bits, builder.getFloatTy()), builder.getBFloatTy());
    };
    auto operandsAt = [&](std::optional<unsigned> lane) {
      std::array<llvm::Value *, 3> wide;
      for (unsigned i = 0; i < 3; ++i) {
        llvm::Value *operand = call->getArgOperand(i);
        wide[i] =
            builder.CreateFPExt(lane ? builder.CreateExtractElement(operand, *lane) : operand, builder.getFloatTy());
      }
      return wide;
    };
    llvm::Value *result = nullptr;
    if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(call->getType())) {
      result = llvm::PoisonValue::get(vector);
      for (unsigned lane = 0; lane < vector->getNumElements(); ++lane)
        result = builder.CreateInsertElement(result, fuse(operandsAt(lane)), lane);
    } else {
      result = fuse(operandsAt(std::nullopt));
    }
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
  }
}

/// ptxas takes what abs makes for not negative, and shifts |-2^15| right without its sign. As the larger of x and -x,
/// the least integer is its own: that is the last step, for LLVM would make an abs of it again.
static void expandAbs(llvm::Module &module) {
  llvm::SmallVector<llvm::IntrinsicInst *> calls;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::abs)
        calls.push_back(call);
  for (llvm::IntrinsicInst *call : calls) {
    llvm::IRBuilder<> builder(call);
    llvm::Value *x = call->getArgOperand(0);
    call->replaceAllUsesWith(builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, builder.CreateNeg(x)));
    call->eraseFromParent();
  }
}

// ---- Long functions -------------------------------------------------------------------------------------------------

/// The instructions that inlined functions may add to a kernel: the time of ptxas grows with the square of a kernel's
/// length, and is seconds from about twice as many on. Normal numbers, and up to some 20 functions for each element of
/// a thread, stay below, and spend no registers and no time on calls.
static constexpr size_t mostInlined = 16384;
/// Shorter functions gain nothing by calls, nor do a few of them.
static constexpr size_t leastCalled = 24, fewestCalls = 8;

namespace {
/// How many instructions a function is with all that it calls.
class InlinedSize {
public:
  size_t of(const llvm::Function &function) {
    if (auto known = sizes.find(&function); known != sizes.end())
      return known->second;
    size_t size = function.getInstructionCount();
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (const llvm::Function *callee = inlinedBy(instruction))
        size += of(*callee);
    return sizes[&function] = size;
  }

  /// The function that takes the place of its call; null of all else.
  static llvm::Function *inlinedBy(const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    bool isInlined = callee && !callee->isDeclaration() && callee->hasFnAttribute(llvm::Attribute::AlwaysInline);
    return isInlined ? callee : nullptr;
  }

private:
  llvm::DenseMap<const llvm::Function *, size_t> sizes;
};
} // namespace

/// Kernels that would become too long by functions of libdevice call the long ones of these.
static void callLongFunctions(llvm::Module &module) {
  InlinedSize size;
  for (llvm::Function &kernel : module) {
    if (kernel.isDeclaration() || kernel.hasLocalLinkage())
      continue;
    llvm::MapVector<llvm::Function *, llvm::SmallVector<llvm::CallInst *>> calls;
    size_t inlined = 0;
    for (llvm::Instruction &instruction : llvm::instructions(kernel))
      if (llvm::Function *callee = InlinedSize::inlinedBy(instruction)) {
        inlined += size.of(*callee);
        if (callee->getName().starts_with("__nv_") && size.of(*callee) >= leastCalled)
          calls[callee].push_back(llvm::cast<llvm::CallInst>(&instruction));
      }
    if (inlined <= mostInlined)
      continue;
    for (auto &[callee, those] : calls)
      if (those.size() >= fewestCalls)
        for (llvm::CallInst *call : those)
          call->addFnAttr(llvm::Attribute::NoInline);
  }
}

/// The function that computes a quotient or a square root of scalars, as an instruction of the kernel would.
static llvm::Function *roundedFunction(llvm::Module &module, bool isRoot, llvm::Type *type) {
  std::string name = std::string(isRoot ? "tegula_sqrt_" : "tegula_divide_") + (type->isDoubleTy() ? "f64" : "f32");
  if (llvm::Function *known = module.getFunction(name))
    return known;
  llvm::SmallVector<llvm::Type *, 2> parameters(isRoot ? 1 : 2, type);
  auto *function = llvm::Function::Create(llvm::FunctionType::get(type, parameters, false),
                                          llvm::Function::InternalLinkage, name, module);
  function->addFnAttr(llvm::Attribute::NoInline);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", function));
  llvm::Value *x = function->getArg(0);
  builder.CreateRet(isRoot ? builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x)
                           : builder.CreateFDiv(x, function->getArg(1)));
  return function;
}

/// The operands of a division or a square root; none of other instructions. What constants divide is a product, as far
/// as that is exact.
static llvm::SmallVector<llvm::Value *, 2> operandsToRound(llvm::Instruction &instruction) {
  llvm::Type *type = instruction.getType()->getScalarType();
  if (!type->isFloatTy() && !type->isDoubleTy())
    return {};
  if (instruction.getOpcode() == llvm::Instruction::FDiv && !llvm::isa<llvm::Constant>(instruction.getOperand(1)))
    return {instruction.getOperand(0), instruction.getOperand(1)};
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call && call->getIntrinsicID() == llvm::Intrinsic::sqrt)
    return {call->getArgOperand(0)};
  return {};
}

/// Divisions and square roots of kernels that have very many become calls.
static void callDivisions(llvm::Module &module) {
  llvm::SmallVector<llvm::Instruction *> divisions;
  for (llvm::Function &kernel : module)
    if (kernel.hasFnAttribute(callsDivisionsAttribute))
      for (llvm::Instruction &instruction : llvm::instructions(kernel))
        if (!operandsToRound(instruction).empty())
          divisions.push_back(&instruction);
  for (llvm::Instruction *division : divisions) {
    llvm::SmallVector<llvm::Value *, 2> operands = operandsToRound(*division); // Calls by now, of those before.
    llvm::IRBuilder<> builder(division);
    llvm::Function *function = roundedFunction(module, operands.size() == 1, division->getType()->getScalarType());
    llvm::Value *results = nullptr;
    if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(division->getType())) {
      results = llvm::PoisonValue::get(vector);
      for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
        llvm::SmallVector<llvm::Value *, 2> scalars;
        for (llvm::Value *operand : operands)
          scalars.push_back(builder.CreateExtractElement(operand, lane));
        results = builder.CreateInsertElement(results, builder.CreateCall(function, scalars), lane);
      }
    } else {
      results = builder.CreateCall(function, operands);
    }
    division->replaceAllUsesWith(results);
    division->eraseFromParent();
  }
}

llvm::Error optimize(llvm::Module &module, const Target &target) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  if (!machine)
    return noNvptx();
  defineFloat8Casts(module, target);
  defineUpdates(module, target);
  defineProducts(module, target);
  callLongFunctions(module);
  callDivisions(module);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine.get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  if (llvm::Error error = builder.parsePassPipeline(passes, pipeline))
    return error;
  passes.run(module, modules);
  expandAbs(module);
  if (!target.hasHalfExtrema) {
    widenExtrema(module);
    widenFma(module);
  }
  return llvm::Error::success();
}

namespace {
/// Leaves out those of LLVM's passes for NVPTX that take a fifth of its time and gain nothing: ptxas does its work
/// again from the start, and its machine code is as short without them. Accesses have their width from layouts already.
class LeanPasses : public llvm::legacy::PassManagerBase {
public:
  explicit LeanPasses(llvm::legacy::PassManagerBase &kept) : kept(kept) {}

  void add(llvm::Pass *pass) override {
    llvm::StringRef name = pass->getPassName();
    met.insert(name);
    comesAfterLoops |= name == loops;
    bool isRepeated = name == repeated && !comesAfterLoops;
    if (isRepeated || llvm::is_contained(leftOut, name))
      delete pass; // Pass managers own what they are given.
    else
      kept.add(pass);
  }

  /// What it looks for and was not given.
  std::vector<std::string> unknown() const {
    std::vector<std::string> names;
    auto add = [&](llvm::StringRef name) {
      if (!met.contains(name))
        names.push_back(name.str());
    };
    llvm::for_each(leftOut, add);
    add(repeated);
    add(loops);
    return names;
  }

private:
  /// `repeated` runs three times, of which the last one, after `loops`, is enough.
  static constexpr llvm::StringLiteral repeated = "Early CSE", loops = "Loop Strength Reduction";
  static constexpr llvm::StringLiteral leftOut[] = {
      // on LLVM IR
      "SROA", "Speculatively execute instructions", "Straight line strength reduction", "Nary reassociation",
      "GPU Load and Store Vectorizer",
      // on machine instructions
      "Early Tail Duplication", "Optimize machine instruction PHIs", "Machine code sinking", "Peephole Optimizations",
      "Machine Instruction Scheduler", "Control Flow Optimizer", "Branch Probability Basic Block Placement"};

  llvm::legacy::PassManagerBase &kept;
  llvm::StringSet<> met;
  bool comesAfterLoops = false;
};
} // namespace

/// What LLVM's addPassesToEmitFile adds, but for what is left out. `unknown`: of that, what LLVM does not have.
static bool addCodegen(llvm::LLVMTargetMachine &machine, llvm::legacy::PassManagerBase &passes,
                       llvm::raw_pwrite_stream &out, std::vector<std::string> *unknown = nullptr) {
  auto *info = new llvm::MachineModuleInfoWrapperPass(&machine);
  LeanPasses lean(passes);
  llvm::TargetPassConfig *config = machine.createPassConfig(lean);
  config->setDisableVerify(true);
  passes.add(config);
  passes.add(info);
  if (config->addISelPasses())
    return false;
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile, info->getMMI().getContext()))
    return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  if (unknown)
    *unknown = lean.unknown();
  return true;
}

std::vector<std::string> unknownPassesLeftOut(const Target &target) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  llvm::legacy::PassManager passes;
  llvm::raw_null_ostream nowhere;
  std::vector<std::string> unknown;
  if (!machine || !addCodegen(static_cast<llvm::LLVMTargetMachine &>(*machine), passes, nowhere, &unknown))
    return {"no code generator for " + std::string(target.name)};
  return unknown;
}

/// Instructions that ptxas 13.0 compiles to something else, in others that do the same. It is done to the text, for
/// LLVM would make the same instructions of them again, and makes negations of its own. What goes wrong:
///   * a negation is lost on its way into the inner of two maxima or minima that become one VIMNMX3 (sm_90, sm_100):
///     max(max(a, -b), c) is max(a, b, c);
///   * a negation in 16 bits is one in 32 to what widens, shifts right or compares it: -(-2^15) is 2^15;
///   * the immediate of a packed addition of which only one half is used is 0 (sm_90).
/// `line` is one that LLVM prints, `\tneg.s32 \t%r2, %r1;`. Empty: it stays as it is.
static std::string replaced(llvm::StringRef line) {
  llvm::StringRef text = line.ltrim();
  if (!text.starts_with("neg.s") && !text.starts_with("add.s16x2"))
    return {};
  auto [name, operands] = text.split('\t');
  llvm::SmallVector<llvm::StringRef> args;
  operands.trim().rtrim(';').split(args, ", ");
  name = name.trim();
  if (args.size() == 2 && (name == "neg.s16" || name == "neg.s32")) {
    llvm::StringRef bits = name.take_back(2);
    return llvm::formatv("\tnot.b{0} \t{1}, {2};\n\tadd.s{0} \t{1}, {1}, 1;", bits, args[0], args[1]);
  }
  if (args.size() == 3 && name == "add.s16x2")
    return llvm::formatv("\t{{ .reg .b16 %a<4>; mov.b32 {{%a0, %a1}, {1}; mov.b32 {{%a2, %a3}, {2}; "
                         "add.s16 %a0, %a0, %a2; add.s16 %a1, %a1, %a3; mov.b32 {0}, {{%a0, %a1}; }",
                         args[0], args[1], args[2]);
  return {};
}

/// Every kernel waits for the grids before it until all that they have written is there: the time between two kernels
/// of a stream shrinks. It stands in front of all else, for the order of loads that LLVM and ptxas may move is theirs.
/// A kernel of many blocks lets the next grid's be placed as soon as its last ones have begun, which fill the
/// multiprocessors that it leaves. The blocks of few would find the most room where it has none, and be several on one
/// multiprocessor (test/benchmark/RESULTS.md): they are placed when it ends. (PTX ISA, griddepcontrol.)
static constexpr llvm::StringLiteral waitForGrids = "\tgriddepcontrol.wait;\n";
static constexpr llvm::StringLiteral launchDependents = R"(	{
	.reg .pred %are_many;
	.reg .b32 %blocks, %of_cluster;
	mov.u32 %blocks, %nctaid.x;
	mov.u32 %of_cluster, %nctaid.y;
	mul.lo.u32 %blocks, %blocks, %of_cluster;
	setp.gt.u32 %are_many, %blocks, 1024;
	@%are_many griddepcontrol.launch_dependents;
	}
)";

namespace {
/// Goes through what LLVM prints line by line, and knows which lines are inline assembly: these may hold anything.
class Lines {
public:
  explicit Lines(llvm::StringRef ptx) : rest(ptx) {}

  /// False at the end.
  bool next() {
    if (rest.empty())
      return false;
    std::tie(line, rest) = rest.split('\n');
    llvm::StringRef text = line.ltrim();
    isMark = text == "// begin inline asm" || text == "// end inline asm";
    if (isMark)
      isInline = text.starts_with("// begin");
    return true;
  }
  bool endsFunction() const { return !isInline && line == "}"; }

  llvm::StringRef line, rest;
  bool isInline = false;
  /// Whether the line says where a chunk of inline assembly begins or ends.
  bool isMark = false;
};
} // namespace

/// The text of a kernel behind its first line, at which `head` stands.
static llvm::StringRef kernelBehind(Lines head) {
  llvm::StringRef text = head.rest;
  while (head.next() && !head.endsFunction()) {
  }
  return text.drop_back(head.rest.size());
}

/// Whether a line of a kernel declares, or says nothing.
static bool isHead(llvm::StringRef line) {
  llvm::StringRef text = line.trim();
  return text.empty() || text == "{" || text.starts_with("//") || text.starts_with(".");
}

/// What LLVM prints, as ptxas is to have it: without the marks where each chunk of inline assembly begins and ends,
/// which are a twelfth of the lines, of no use to readers.
static std::string forPtxas(llvm::StringRef ptx, const Target &target) {
  std::string result;
  result.reserve(ptx.size());
  bool isOutside = true, waits = false, launches = false;
  for (Lines at(ptx); at.next();) {
    llvm::StringRef text = at.line.ltrim();
    if (!at.isInline && text.starts_with(".visible .entry ")) {
      // What the program says itself it says instead.
      llvm::StringRef kernel = kernelBehind(at);
      waits = target.hasGridDependencies() && !kernel.contains("griddepcontrol.wait;");
      launches = target.hasGridDependencies() && !kernel.contains("griddepcontrol.launch_dependents;");
    }
    if (!at.isInline)
      isOutside = at.line == "{" ? false : isOutside || at.endsFunction();
    if ((waits || launches) && !isOutside && (at.isMark || !isHead(at.line))) {
      if (waits)
        result += waitForGrids;
      if (launches)
        result += launchDependents;
      waits = launches = false;
    }
    bool isDependency = text.starts_with("griddepcontrol.");
    if (at.isMark || (isDependency && !target.hasGridDependencies()))
      continue;
    // A program's own instructions stay as they are.
    std::string other = at.isInline ? std::string() : replaced(at.line);
    result += other.empty() ? at.line : llvm::StringRef(other);
    result += '\n';
  }
  return result;
}

llvm::Expected<std::string> emitPtx(llvm::Module &module, const Target &target) {
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  if (!machine)
    return noNvptx();
  llvm::SmallString<0> ptx;
  {
    llvm::raw_svector_ostream stream(ptx);
    llvm::legacy::PassManager passes;
    if (!addCodegen(static_cast<llvm::LLVMTargetMachine &>(*machine), passes, stream))
      return noNvptx();
    passes.run(module);
  }
  return reheadPtx(forPtxas(ptx, target), target);
}

std::string reheadPtx(llvm::StringRef ptx, const Target &target) {
  if (target.ptxVersion.empty())
    return ptx.str();
  std::string result;
  result.reserve(ptx.size() + 16);
  bool inHead = true;
  for (llvm::StringRef rest = ptx; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    if (inHead && line.starts_with(".version"))
      result += ".version " + std::string(target.ptxVersion);
    else if (inHead && line.starts_with(".target")) {
      result += ".target " + std::string(target.name) + line.substr(line.find(',')).str();
      inHead = false;
    } else
      result += line;
    result += '\n';
    rest = after;
  }
  return result;
}

} // namespace tegula::codegen
