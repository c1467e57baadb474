// What threads of a block cannot do together.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics --tile-check-threads | FileCheck %s

// One thread by its index, in one branch after another, and through a value that a branch gives.
// CHECK-LABEL: @alone
// CHECK-NOT: tile.one_thread
// CHECK: tile.wait_group 1
tile.entry @alone(%n: i64) attributes {qualified_name = "alone"} {
  tile.launch "alone_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 4 : i64} {
    %c1 = arith.constant 1 : i64
    %c2 = arith.constant 2 : i64
    %true = arith.constant true
    %false = arith.constant false
    %thread = tile.thread_index
    %low = arith.cmpi slt, %thread, %c2 : i64
    scf.if %low {
      %half = arith.remui %thread, %c2 : i64
      %odd = arith.cmpi eq, %half, %c1 : i64
      %goes = scf.if %odd -> i1 {
        tile.commit_group
        scf.yield %false : i1
      } else {
        scf.yield %true : i1
      }
      scf.if %goes {
        tile.one_thread
        tile.wait_group 1
      }
    }
    tile.yield
  }
  tile.return
}

// -----

// Asking what a condition is in a thread leaves it as it is: folding it would change its sides.
// CHECK-LABEL: @unchanged
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i64
// CHECK: arith.cmpi slt, %[[ZERO]], %{{.*}} : i64
tile.entry @unchanged(%n: i64) attributes {qualified_name = "unchanged"} {
  tile.launch "unchanged_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 2 : i64} {
    %c0 = arith.constant 0 : i64
    %thread = tile.thread_index
    %goes = arith.cmpi slt, %c0, %i : i64
    %first = arith.cmpi eq, %c0, %thread : i64
    scf.if %goes {
      scf.if %first {
        tile.one_thread
      }
    }
    tile.yield
  }
  tile.return
}

// -----

tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 2 : i64} {
    // expected-error @+1 {{several warpgroups of the CTA may reach this tg::emit_pipeline, which only one may run: call it in one of them, if (tg::axis_index(...) == 0), or use tg::emit_pipeline_warp_specialized}}
    tile.one_thread
    tile.yield
  }
  tile.return
}

// -----

// Which thread it is, is known at run time alone.
tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 2 : i64} {
    %thread = tile.thread_index
    %chosen = arith.cmpi eq, %thread, %i : i64
    scf.if %chosen {
      // expected-error @+1 {{several warpgroups of the CTA may reach this tg::emit_pipeline}}
      tile.one_thread
    }
    tile.yield
  }
  tile.return
}

// -----

// 3 x 168 registers: 40 + 232 + 232 is as much, 40 + 2 x 240 is more.
tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 3 : i64} {
    %c0 = arith.constant 0 : i64
    %thread = tile.thread_index
    %copies = arith.cmpi eq, %thread, %c0 : i64
    scf.if %copies {
      tile.set_max_registers 40
    } else {
      // expected-error @+1 {{the warpgroups of the CTA would have 40 + 240 + 240 registers per thread, but the CTA has 504 in all, 168 each at launch: an increase beyond that waits forever; let other warpgroups release more}}
      tile.set_max_registers increase 240
    }
    tile.yield
  }
  tile.return
}

// -----

tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 3 : i64} {
    %c0 = arith.constant 0 : i64
    %thread = tile.thread_index
    %copies = arith.cmpi eq, %thread, %c0 : i64
    scf.if %copies {
      tile.set_max_registers 40
    } else {
      tile.set_max_registers increase 232
    }
    tile.yield
  }
  tile.return
}

// -----

tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  %a = tile.empty zeroed() : !tile.array<i32, 0>
  tile.launch "case_0" grid() args(inout %s = %a : !tile.array<i32, 0>, scalar %i = %n : i64) attributes {warpgroups = 2 : i64} {
    %c0 = arith.constant 0 : i64
    %thread = tile.thread_index
    %first = arith.cmpi eq, %thread, %c0 : i64
    %goes = arith.cmpi slt, %c0, %i : i64
    tile.grid_barrier %s : !tile.ref<i32, []>
    scf.if %goes {
      tile.grid_barrier %s : !tile.ref<i32, []>
    }
    scf.if %first {
      // expected-error @+1 {{all warpgroups of all CTAs must reach tg::grid_barrier, but some warpgroups of the CTA never do: call it outside of the branch that only some take, or let those wait by tg::semaphore_wait}}
      tile.grid_barrier %s : !tile.ref<i32, []>
    }
    tile.yield
  }
  tile.return
}

// -----

// Lanes begin with 168 registers, or with as many as the launch says.
tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 3 : i64} {
    // expected-error @+1 {{an increase to 160 registers, but the threads of this warpgroup have 168 or more here: leave it out, or use tg::decrease}}
    tile.set_max_registers increase 160
    tile.yield
  }
  tile.return
}

// -----

tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 3 : i64, tile.max_registers = 64 : i64} {
    // expected-error @+1 {{a decrease to 72 registers, but the threads of this warpgroup have 64 or fewer here: leave it out, or use tg::increase}}
    tile.set_max_registers 72
    tile.yield
  }
  tile.return
}

// -----

// What a thread had before counts, also where it may have had more.
tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 2 : i64, tile.max_registers = 128 : i64} {
    %c0 = arith.constant 0 : i64
    %goes = arith.cmpi slt, %c0, %i : i64
    tile.set_max_registers 64
    scf.if %goes {
      tile.set_max_registers 40
    }
    tile.set_max_registers increase 96
    tile.set_max_registers 56
    // expected-error @+1 {{an increase to 32 registers, but the threads of this warpgroup have 40 or more here: leave it out, or use tg::decrease}}
    tile.set_max_registers increase 32
    tile.yield
  }
  tile.return
}

// -----

// A limit of the launch is what the roles share: 2 x 64.
tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 2 : i64, tile.max_registers = 64 : i64} {
    %c0 = arith.constant 0 : i64
    %thread = tile.thread_index
    %copies = arith.cmpi eq, %thread, %c0 : i64
    scf.if %copies {
      tile.set_max_registers 24
    } else {
      // expected-error @+1 {{the warpgroups of the CTA would have 24 + 112 registers per thread, but the CTA has 128 in all, 64 each at launch}}
      tile.set_max_registers increase 112
    }
    tile.yield
  }
  tile.return
}
