// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mark of what is for one thread makes no code, in a module that was written by hand either.
// RUN: tegulac --emit=cpu %s -o %t.h
// RUN: tegulac --emit=ptx --arch=sm_90a %s -o - | FileCheck %s
// CHECK: .visible .entry marked_0(
tile.entry @marked(%n: i64) attributes {qualified_name = "marked"} {
  tile.launch "marked_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 2 : i64} {
    %c0 = arith.constant 0 : i64
    %thread = tile.thread_index
    %first = arith.cmpi eq, %c0, %thread : i64
    scf.if %first {
      tile.one_thread
    }
    tile.yield
  }
  tile.return
}
