// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each name of Mosaic GPU has its line on the page for those who come from there.
// RUN: %python %S/peer_names.py %source/samples/from_pallas.md | FileCheck %s
// CHECK: names, 0 missing
// RUN: not %python %S/peer_names.py %source/samples/from_triton.md | FileCheck %s --check-prefix=FOUND
// FOUND: does not say what GMEM is called here
