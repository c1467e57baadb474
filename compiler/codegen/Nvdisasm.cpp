// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Codegen.h"

#include "codegen/Process.h"
#include "codegen/TemporaryFile.h"

namespace tegula::codegen {

llvm::Expected<std::string> disassemble(llvm::StringRef cubin, llvm::StringRef nvdisasm) {
  static constexpr char help[] = "install nvdisasm of a CUDA toolkit (PyPI: nvidia-cuda-nvdisasm), or name it in "
                                 "TEGULA_NVDISASM";
  if (nvdisasm.empty())
    return llvm::createStringError(std::string("--emit=sass needs nvdisasm: ") + help);
  TemporaryFile input("cubin"), log("txt");
  for (TemporaryFile *file : {&input, &log})
    if (std::error_code error = file->getError())
      return llvm::createStringError("no temporary file for nvdisasm: " + error.message() +
                                     ": name a folder for such files in TMPDIR");
  if (std::error_code error = input.write(cubin))
    return llvm::createStringError("'" + input.getPath() +
                                   "', the input of nvdisasm, cannot be written: " + error.message());
  std::string why;
  int status = runProgram({nvdisasm, "-g", "-c", input.getPath()}, log.getPath(), why);
  std::string text = log.read();
  if (status == neverRan)
    return llvm::createStringError("nvdisasm ('" + nvdisasm + "') cannot be run: " + why + "; " + help);
  if (status != 0)
    return llvm::createStringError("nvdisasm ('" + nvdisasm + "') failed: " + (why.empty() ? text : why));
  return text;
}

} // namespace tegula::codegen
