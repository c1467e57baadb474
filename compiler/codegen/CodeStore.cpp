// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/CodeStore.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace tegula::codegen {

static constexpr llvm::StringLiteral head = "tegula code 4\n";

/// The hash of several texts, whose ends count.
static std::string hash(llvm::ArrayRef<llvm::StringRef> texts) {
  llvm::BLAKE3 hasher;
  for (llvm::StringRef text : texts) {
    hasher.update(std::to_string(text.size()) + " ");
    hasher.update(text);
  }
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

std::string kernelsKey(const LinkedKernels &kernels, const Target &target) {
  llvm::StringRef bitcode(kernels.bitcode.data(), kernels.bitcode.size());
  return hash({"kernels", bitcode, target.name, target.llvmCpu, target.llvmFeatures, target.ptxVersion,
               LLVM_VERSION_STRING, TEGULA_CODEGEN_IDENTITY});
}

std::string cubinKey(const AssemblyJob &job, llvm::StringRef ptxas) {
  llvm::sys::fs::file_status program;
  if (llvm::sys::fs::status(ptxas, program))
    return {};
  std::string size = std::to_string(program.getSize()),
              time = std::to_string(program.getLastModificationTime().time_since_epoch().count());
  return hash({job.ptx, job.target->name, ptxas, size, time, TEGULA_ASSEMBLY_IDENTITY});
}

/// `kernel <name> <registers> <stack> <stores> <loads>` and `remark <code> <message>` in lines, then the image.
static std::string packOne(const Cubin &cubin) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (const KernelResources &kernel : cubin.kernels)
    stream << "kernel " << kernel.name << ' ' << kernel.registers << ' ' << kernel.stackBytes << ' '
           << kernel.spillStoreBytes << ' ' << kernel.spillLoadBytes << '\n';
  for (const AssemblerRemark &remark : cubin.remarks)
    stream << "remark " << remark.code << ' ' << remark.message << '\n';
  stream << "image\n" << cubin.image;
  return text;
}

static std::optional<Cubin> unpackOne(llvm::StringRef text) {
  Cubin cubin;
  while (!text.consume_front("image\n")) {
    auto [line, rest] = text.split('\n');
    text = rest;
    if (line.consume_front("remark ")) {
      auto [code, message] = line.split(' ');
      cubin.remarks.push_back({code.str(), message.str()});
      continue;
    }
    llvm::SmallVector<llvm::StringRef> fields;
    line.split(fields, ' ');
    if (fields.size() != 6 || fields[0] != "kernel")
      return std::nullopt;
    KernelResources kernel;
    kernel.name = fields[1].str();
    if (fields[2].getAsInteger(10, kernel.registers) || fields[3].getAsInteger(10, kernel.stackBytes) ||
        fields[4].getAsInteger(10, kernel.spillStoreBytes) || fields[5].getAsInteger(10, kernel.spillLoadBytes))
      return std::nullopt;
    cubin.kernels.push_back(std::move(kernel));
  }
  cubin.image = text.str();
  return cubin;
}

/// `cubin <size>` in a line, and the cubin after it.
std::string pack(const Cubins &cubins) {
  std::string text;
  for (const Cubin &cubin : cubins) {
    std::string one = packOne(cubin);
    text += "cubin " + std::to_string(one.size()) + "\n" + one;
  }
  return text;
}

Cubins unpackCubins(llvm::StringRef text) {
  Cubins cubins;
  while (!text.empty()) {
    size_t size = 0;
    if (!text.consume_front("cubin ") || text.consumeInteger(10, size) || !text.consume_front("\n") ||
        size > text.size())
      return {};
    std::optional<Cubin> one = unpackOne(text.take_front(size));
    if (!one)
      return {};
    cubins.push_back(std::move(*one));
    text = text.drop_front(size);
  }
  return cubins;
}

/// The checksum covers the key: code is not that of another one.
static std::string checksum(llvm::StringRef key, llvm::StringRef code) { return hash({key, code}); }

/// `<key> <checksum> <size>` in a line, and the code after it.
CodeStore::CodeStore(llvm::StringRef text) {
  if (!text.consume_front(head))
    return;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    llvm::SmallVector<llvm::StringRef> fields;
    line.split(fields, ' ');
    size_t size = 0;
    if (fields.size() != 3 || fields[2].getAsInteger(10, size) || size > rest.size() ||
        checksum(fields[0], rest.take_front(size)) != fields[1])
      return;
    entries[fields[0]] = rest.take_front(size).str();
    text = rest.drop_front(size);
  }
}

const std::string *CodeStore::find(llvm::StringRef key) const {
  auto found = entries.find(key);
  return found == entries.end() ? nullptr : &found->second;
}

std::string CodeStore::text() const {
  llvm::SmallVector<llvm::StringRef> keys(entries.keys());
  llvm::sort(keys);
  std::string result(head);
  for (llvm::StringRef key : keys) {
    const std::string &code = entries.find(key)->second;
    result += (key + " " + checksum(key, code) + " " + std::to_string(code.size()) + "\n").str();
    result += code;
  }
  return result;
}

} // namespace tegula::codegen
