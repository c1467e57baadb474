// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Driver.h"

int main(int argc, char **argv) {
  tegula::driver::ParsedOptions parsed = tegula::driver::parseOptions(argc, argv);
  return parsed.options ? tegula::driver::run(*parsed.options) : parsed.exitCode;
}
