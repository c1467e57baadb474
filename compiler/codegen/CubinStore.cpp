// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/CubinStore.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"

namespace tegula::codegen {

static constexpr llvm::StringLiteral head = "tegula cubins 1\n";

/// The hash of several texts, whose ends count.
static std::string hash(llvm::ArrayRef<llvm::StringRef> texts) {
  llvm::BLAKE3 hasher;
  for (llvm::StringRef text : texts) {
    hasher.update(std::to_string(text.size()) + " ");
    hasher.update(text);
  }
  return llvm::toHex(hasher.final(), /*LowerCase=*/true);
}

std::string cubinKey(const AssemblyJob &job, llvm::StringRef ptxas) {
  llvm::sys::fs::file_status program;
  if (llvm::sys::fs::status(ptxas, program))
    return {};
  std::string size = std::to_string(program.getSize()),
              time = std::to_string(program.getLastModificationTime().time_since_epoch().count());
  return hash({job.ptx, job.target->name, ptxas, size, time});
}

/// `<key> <checksum> <size>` in a line, and the image after it.
CubinStore::CubinStore(llvm::StringRef text) {
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
    images[fields[0]] = rest.take_front(size).str();
    text = rest.drop_front(size);
  }
}

const std::string *CubinStore::find(llvm::StringRef key) const {
  auto found = images.find(key);
  return found == images.end() ? nullptr : &found->second;
}

std::string CubinStore::text() const {
  llvm::SmallVector<llvm::StringRef> keys(images.keys());
  llvm::sort(keys);
  std::string result(head);
  for (llvm::StringRef key : keys) {
    const std::string &image = images.find(key)->second;
    result += (key + " " + hash(llvm::StringRef(image)) + " " + std::to_string(image.size()) + "\n").str();
    result += image;
  }
  return result;
}

} // namespace tegula::codegen
