// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/CodeStore.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"

namespace tegula::codegen {

static constexpr llvm::StringLiteral head = "tegula code 1\n";

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
  return hash({job.ptx, job.target->name, ptxas, size, time});
}

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
        hash(rest.take_front(size)) != fields[1])
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
    result += (key + " " + hash(llvm::StringRef(code)) + " " + std::to_string(code.size()) + "\n").str();
    result += code;
  }
  return result;
}

} // namespace tegula::codegen
