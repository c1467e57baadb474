// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Driver.h"
#include "support/Stack.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

int main(int argc, char **argv) {
#ifdef __GLIBC__ // A short run gives no memory back, and asks for it in few large chunks: a tenth of the time
                 // otherwise.
  mallopt(M_TOP_PAD, 8 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
#endif
  tegula::driver::ParsedOptions parsed = tegula::driver::parseOptions(argc, argv);
  if (!parsed.options)
    return parsed.exitCode;
  tegula::runOnLargeStack([&] { tegula::driver::runAndExit(*parsed.options); });
}
