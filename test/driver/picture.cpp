// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// README's picture is what its script draws of RESULTS.md.
// RUN: %python %source/test/benchmark/picture.py %t && diff %t %source/test/benchmark/results.svg
