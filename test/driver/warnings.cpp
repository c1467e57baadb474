// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warnings of tegulac and of Clang name their group, and flags turn each off, or into an error.
// DEFINE: %{run} = tegulac --emit=tile %s -o %t
// RUN: %{run} -Wall 2>&1 | FileCheck %s --check-prefixes=TEGULA,CLANG
// RUN: %{run} -Wall -Wno-undefined-output 2>&1 | FileCheck %s --check-prefix=CLANG --implicit-check-not=undefined-output
// RUN: %{run} -Wall -w 2>&1 | count 0
// RUN: %{run} -Wall -Wno-undefined-output -Wno-unused-variable 2>&1 | count 0
// RUN: %{run} -w -Werror 2>&1 | count 0
//
// An error leaves nothing behind, and the status is that of errors in the kernels.
// DEFINE: %{status} = rm -f %t && %python %S/Inputs/status.py
// RUN: %{status} 1 %{run} -Werror 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not ls %t
// RUN: %{status} 1 %{run} -Werror=undefined-output 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: %{status} 1 %{run} -Wall -Werror -Wno-undefined-output 2>&1 | FileCheck %s --check-prefix=CLANG-ERROR
// RUN: %{status} 0 %{run} -Werror -Wno-error=undefined-output 2>&1 | FileCheck %s --check-prefix=TEGULA
// RUN: %{status} 0 %{run} -Wno-such-group 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// ERROR: warnings.cpp:[[@LINE+9]]:12: error: the entry returns this array{{.*}} [-Werror,-Wundefined-output]
// CLANG-ERROR: error: unused variable 'unused' [-Werror,-Wunused-variable]
// CLANG: warnings.cpp:[[@LINE+8]]:7: warning: unused variable 'unused' [-Wunused-variable]
// TEGULA: warnings.cpp:[[@LINE+6]]:12: warning: the entry returns this array{{.*}} [-Wundefined-output]
// UNKNOWN: tegulac: warning: unknown warning option '-Wno-such-group'
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<float, 1> f(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  int unused;
  return o;
}
