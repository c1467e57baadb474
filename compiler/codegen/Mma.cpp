// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Mma.h"

#include "codegen/Float8.h"
#include "support/Mma.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using llvm::Value;

namespace tegula::codegen {
namespace {

/// The registers of a product of 16 x 8 results.
struct Operands {
  llvm::SmallVector<Value *, 4> left, right, sums;
};

/// One mma.sync: the new sums.
llvm::SmallVector<Value *, 4> multiply(llvm::IRBuilder<> &b, const llvm::Twine &opcode, const Operands &operands) {
  size_t results = operands.sums.size();
  llvm::SmallVector<Value *> all;
  std::string constraints, lists;
  unsigned next = 0;
  auto constraintOf = [](Value *value) {
    llvm::Type *type = value->getType();
    return type->isDoubleTy() ? "d" : type->isFloatTy() ? "f" : "r";
  };
  auto list = [&](size_t count) {
    std::string text = "{";
    for (size_t i = 0; i < count; ++i)
      text += (i ? ", $" : "$") + std::to_string(next + i);
    next += count;
    return text + "}";
  };
  for (Value *sum : operands.sums)
    constraints += (constraints.empty() ? "=" : ",=") + std::string(constraintOf(sum));
  std::string sums = list(results);
  lists = sums;
  for (const auto *factor : {&operands.left, &operands.right}) {
    lists += ", " + list(factor->size());
    for (Value *value : *factor)
      constraints += "," + std::string(constraintOf(value));
    llvm::append_range(all, *factor);
  }
  for (size_t i = 0; i < results; ++i)
    constraints += "," + std::to_string(i);
  llvm::append_range(all, operands.sums);
  llvm::SmallVector<llvm::Type *> types(results, operands.sums.front()->getType());
  auto *type = llvm::FunctionType::get(llvm::StructType::get(b.getContext(), types),
                                       llvm::map_to_vector(all, [](Value *value) { return value->getType(); }), false);
  std::string text = ("mma.sync.aligned." + opcode + " " + lists + ", " + sums + ";").str();
  llvm::CallInst *call = b.CreateCall(llvm::InlineAsm::get(type, text, constraints, /*hasSideEffects=*/false), all);
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  call->setConvergent();
  llvm::SmallVector<Value *, 4> made;
  for (unsigned i = 0; i < results; ++i)
    made.push_back(b.CreateExtractValue(call, i));
  return made;
}

/// Before sm_90 an instruction has 8 rows, and sums 4 elements.
llvm::SmallVector<Value *, 4> multiplyDoubles(llvm::IRBuilder<> &b, const Target &target, Operands all) {
  if (target.hasTallDoubleMma())
    return multiply(b, "m16n8k8.row.col.f64.f64.f64.f64", all);
  llvm::SmallVector<Value *, 4> sums = all.sums;
  for (size_t depth = 0; depth < 2; ++depth)
    for (size_t rows = 0; rows < 2; ++rows) {
      Operands part{{all.left[2 * depth + rows]}, {all.right[depth]}, {sums[2 * rows], sums[2 * rows + 1]}};
      llvm::copy(multiply(b, "m8n8k4.row.col.f64.f64.f64.f64", part), sums.begin() + 2 * rows);
    }
  return sums;
}

/// Before sm_89 they become f16, which has all their values. What is summed with what is the same for any order of the
/// depth: the lower halves of the words, and then the upper ones.
llvm::SmallVector<Value *, 4> multiplyFloats8(llvm::IRBuilder<> &b, const Target &target, llvm::StringRef left,
                                              llvm::StringRef right, Operands all) {
  if (target.hasFloat8Mma())
    return multiply(b, "m16n8k32.row.col.f32." + left + "." + right + ".f32", all);
  for (unsigned half = 0; half < 2; ++half) {
    auto widened = [&](llvm::StringRef type, Value *word) {
      Value *pair = b.CreateTrunc(b.CreateLShr(word, 16 * half), b.getInt16Ty());
      return b.CreateBitCast(widenFloat8(b, type, pair), b.getInt32Ty());
    };
    Operands part;
    for (Value *word : all.left)
      part.left.push_back(widened(left, word));
    for (Value *word : all.right)
      part.right.push_back(widened(right, word));
    part.sums = all.sums;
    if (!target.archClass->hasShortMma()) {
      all.sums = multiply(b, "m16n8k16.row.col.f32.f16.f16.f32", part);
      continue;
    }
    for (unsigned quarter = 0; quarter < 2; ++quarter) {
      Operands shorter{{part.left[2 * quarter], part.left[2 * quarter + 1]}, {part.right[quarter]}, all.sums};
      all.sums = multiply(b, "m16n8k8.row.col.f32.f16.f16.f32", shorter);
    }
  }
  return all.sums;
}

void define(llvm::Function &function, const Target &target) {
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(function.getContext(), "", &function));
  Operands operands;
  for (llvm::Argument &argument : function.args())
    (argument.getArgNo() < 4   ? operands.left
     : argument.getArgNo() < 6 ? operands.right
                               : operands.sums)
        .push_back(&argument);
  auto [left, right] = function.getName().drop_front(mmaPrefix.size()).split('_');
  llvm::SmallVector<Value *, 4> sums =
      left == "f64" ? multiplyDoubles(b, target, operands) : multiplyFloats8(b, target, left, right, operands);
  Value *result = llvm::PoisonValue::get(function.getReturnType());
  for (auto [i, sum] : llvm::enumerate(sums))
    result = b.CreateInsertValue(result, sum, i);
  b.CreateRet(result);
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.addFnAttr(llvm::Attribute::AlwaysInline);
}

} // namespace

void defineProducts(llvm::Module &module, const Target &target) {
  for (llvm::Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with(mmaPrefix))
      define(function, target);
}

} // namespace tegula::codegen
