// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Atomics.h"

#include "support/Atomics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using llvm::Value;

namespace tegula::codegen {
namespace {

/// One red of some words (PTX ISA, "red": vectors from sm_90 on).
void reduce(llvm::IRBuilder<> &b, const llvm::Twine &type, Value *address, llvm::ArrayRef<Value *> words,
            Value *isWanted) {
  llvm::SmallVector<Value *> operands{address};
  std::string constraints = "l", list;
  for (auto [i, word] : llvm::enumerate(words)) {
    operands.push_back(word);
    constraints += word->getType()->isFloatTy() ? ",f" : word->getType()->isIntegerTy(16) ? ",h" : ",r";
    list += (i ? ", $" : "$") + std::to_string(i + 1);
  }
  operands.push_back(isWanted);
  constraints += ",b,~{memory}";
  std::string vector = words.size() > 1 ? "v" + std::to_string(words.size()) + "." : "";
  std::string text = "@$" + std::to_string(words.size() + 1) + " red.relaxed.gpu.global.add." +
                     (type.str() == "f32" ? vector + "f32" : "noftz." + vector + type.str()) + " [$0], " +
                     (words.size() > 1 ? "{" + list + "}" : list) + ";";
  auto *function = llvm::FunctionType::get(
      b.getVoidTy(), llvm::map_to_vector(operands, [](Value *value) { return value->getType(); }), false);
  b.CreateCall(llvm::InlineAsm::get(function, text, constraints, /*hasSideEffects=*/true), operands);
}

/// By compare-and-swap, element by element.
void updateInLoops(llvm::IRBuilder<> &b, llvm::Function &function, Value *address, llvm::ArrayRef<Value *> elements,
                   Value *isWanted) {
  auto *update = llvm::BasicBlock::Create(b.getContext(), "", &function);
  auto *end = llvm::BasicBlock::Create(b.getContext(), "", &function);
  b.CreateCondBr(isWanted, update, end);
  b.SetInsertPoint(update);
  for (auto [i, element] : llvm::enumerate(elements))
    b.CreateAtomicRMW(llvm::AtomicRMWInst::FAdd, b.CreateConstGEP1_64(element->getType(), address, i), element,
                      llvm::MaybeAlign(), llvm::AtomicOrdering::Monotonic);
  b.CreateBr(end);
  b.SetInsertPoint(end);
}

void defineUpdate(llvm::Function &function, const Target &target) {
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(function.getContext(), "", &function));
  Value *address = function.getArg(0), *value = function.getArg(1), *isWanted = function.getArg(2);
  auto [type, lanes] = function.getName().drop_front(redAddPrefix.size()).split('x');
  unsigned count = 0;
  lanes.getAsInteger(10, count);
  auto partsOf = [&](Value *vector, unsigned number) {
    llvm::SmallVector<Value *> parts;
    for (unsigned i = 0; i < number; ++i)
      parts.push_back(number > 1 ? b.CreateExtractElement(vector, i) : vector);
    return parts;
  };
  bool isHalf = type != "f32", hasVectors = target.number >= 90;
  if (type == "bf16" && !hasVectors) {
    updateInLoops(b, function, address, partsOf(value, count), isWanted);
  } else if (isHalf && count == 1) {
    reduce(b, type, address, b.CreateBitCast(value, b.getInt16Ty()), isWanted);
  } else {
    // Pairs of halves are words.
    unsigned number = isHalf ? count / 2 : count;
    llvm::SmallVector<Value *> words = partsOf(value, count);
    if (isHalf) {
      auto *packed =
          number > 1 ? llvm::cast<llvm::Type>(llvm::FixedVectorType::get(b.getInt32Ty(), number)) : b.getInt32Ty();
      words = partsOf(b.CreateBitCast(value, packed), number);
    }
    std::string name = isHalf ? (type + "x2").str() : "f32";
    if (hasVectors)
      reduce(b, name, address, words, isWanted);
    else
      for (auto [i, word] : llvm::enumerate(words))
        reduce(b, name, b.CreateConstGEP1_64(word->getType(), address, i), word, isWanted);
  }
  b.CreateRetVoid();
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
}

} // namespace

void defineUpdates(llvm::Module &module, const Target &target) {
  for (llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with(redAddPrefix))
      defineUpdate(function, target);
}

} // namespace tegula::codegen
