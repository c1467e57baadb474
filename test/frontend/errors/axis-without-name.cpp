// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// An axis has a name, and a size.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::s64 n) {
  // CHECK: axis-without-name.cpp:[[@LINE+1]]:14: error: an axis of a kernel has a name and a size of 0 or more, without gaps, {.grid = {{\{\{}}"m", m}, {"n", n}}}: axis 0 of .grid has no name [tegula-axis-without-name]
  tg::kernel({.grid = {{"", n}}}, [=] {});
  // CHECK: axis-without-name.cpp:[[@LINE+1]]:14: error: an axis of a kernel has a name and a size of 0 or more, without gaps, {.grid = {{\{\{}}"m", m}, {"n", n}}}: axis 1 of .grid follows a gap [tegula-axis-without-name]
  tg::kernel({.grid = {.second = {"n", n}}}, [=] {});
  // CHECK: axis-without-name.cpp:[[@LINE+1]]:14: error: an axis of a kernel has a name and a size of 0 or more, without gaps, {.grid = {{\{\{}}"m", m}, {"n", n}}}: axis 0 of .grid has no size [tegula-axis-without-name]
  tg::kernel({.grid = {{"m"}}}, [=] {});
}
