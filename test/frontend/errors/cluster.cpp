// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A cluster is of constant size.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::s64 n) {
  // CHECK: cluster.cpp:[[@LINE+1]]:14: error: a cluster has 1 to 3 axes and at most 16 CTAs, and its sizes must be compile-time constants, {.cluster = {{\{\{}}"cm", 2}, {"cn", 1}}}: this one has a run-time size [tegula-cluster]
  tg::kernel({.cluster = {{"m", n}}}, [=] {});
  // CHECK: cluster.cpp:[[@LINE+1]]:14: error: a cluster has 1 to 3 axes and at most 16 CTAs, and its sizes must be compile-time constants, {.cluster = {{\{\{}}"cm", 2}, {"cn", 1}}}: this one has 2 axes and 32 CTAs [tegula-cluster]
  tg::kernel({.cluster = {{"m", 8}, {"n", 4}}}, [=] {});
  // CHECK: cluster.cpp:[[@LINE+1]]:14: error: a cluster has 1 to 3 axes and at most 16 CTAs, and its sizes must be compile-time constants, {.cluster = {{\{\{}}"cm", 2}, {"cn", 1}}}: this one has 4 axes and 1 CTAs [tegula-cluster]
  tg::kernel({.cluster = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}}}, [=] {});
}
