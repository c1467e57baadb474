// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Entries are functions of named namespaces.
#include <tegula/tegula.h>
namespace tg = tegula;

struct library {
  // CHECK: entry-scope.cpp:[[@LINE+1]]:29: error: 'f' cannot be an entry: the generated header declares functions of named namespaces, not members [tegula-entry-scope]
  TEGULA_KERNEL static void f() {}
};
namespace {
// CHECK: entry-scope.cpp:[[@LINE+1]]:20: error: 'g' cannot be an entry: the generated header declares functions of named namespaces, not members [tegula-entry-scope]
TEGULA_KERNEL void g() {}
} // namespace
