// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the codes behind messages mean, as they are written there.
// DEFINE: %{status} = %python %S/Inputs/status.py
// RUN: tegulac --explain tegula-pointer | FileCheck %s --check-prefix=ERROR
// RUN: tegulac --explain '[tegula-pointer]' | FileCheck %s --check-prefix=ERROR
// RUN: tegulac --explain pointer | FileCheck %s --check-prefix=ERROR
// ERROR: [tegula-pointer]
// ERROR: kernels have no pointers
// ERROR: Refused:
// ERROR: Accepted:
// RUN: tegulac --explain -Wspill | FileCheck %s --check-prefix=WARNING
// WARNING: [-Wspill]
// WARNING: local memory
// RUN: tegulac --explain tegula-check-reads | FileCheck %s --check-prefix=PASS
// PASS: [tegula-check-reads]
// RUN: tegulac --explain warnings | FileCheck %s --check-prefix=ALL
// ALL: -Wlaunch-versions: {{.*}}
// ALL: -Wundefined-output: {{.*}}
// RUN: tegulac --explain errors | FileCheck %s --check-prefix=ERRORS
// ERRORS: pointer
// RUN: %{status} 2 tegulac --explain pointr 2>&1 | FileCheck %s --check-prefix=NEAR
// NEAR: tegulac: error: no message has the code 'pointr'; did you mean pointer?
// RUN: %{status} 2 tegulac --explain xyzzy 2>&1 | FileCheck %s --check-prefix=FAR
// FAR: tegulac: error: no message has the code 'xyzzy'; --explain errors and --explain warnings list all
