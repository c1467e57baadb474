// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every code of the frontend's messages is explained, and the examples give what the page says of them.
// RUN: tegulac --explain page > %t.md
// RUN: %python %S/Inputs/explanations.py %t.md %source/compiler/frontend/diagnostics/Diagnostics.def
