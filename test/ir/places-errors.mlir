// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops where they cannot stand, axes that are not there, numbers out of range: of IR that was read.
// RUN: tegula-opt --split-input-file --verify-diagnostics %s

tile.entry @f(%x: !tile.array<f32, 1>) attributes {qualified_name = "f"} {
  tile.launch "f_0" grid() args(inout %r = %x : !tile.array<f32, 1>) {
    // expected-error @below {{asks for axis 0 of a grid of 0 axes}}
    %i = tile.program_id 0
    tile.yield
  }
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "f"} {
  tile.launch "f_0" grid(%n) args(inout %r = %x : !tile.array<f32, 1>) {
    // expected-error @below {{asks for axis 7 of a grid of 1 axes}}
    %i = tile.num_programs 7
    tile.yield
  }
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1>) attributes {qualified_name = "f"} {
  tile.launch "f_0" grid() args(inout %r = %x : !tile.array<f32, 1>) attributes {cluster = array<i64: 2>, warpgroups = 1 : i64} {
    // expected-error @below {{asks for axis 1 of a cluster of 1 axes}}
    %i = tile.cluster_index 1
    tile.yield
  }
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1>) attributes {qualified_name = "f"} {
  tile.launch "f_0" grid() args(inout %r = %x : !tile.array<f32, 1>) attributes {cluster = array<i64: 2>, warpgroups = 1 : i64} {
    // expected-error @below {{asks for axis 3 of a cluster of 1 axes}}
    %b = tile.alloc_barriers arrivals 1 cluster [3] : <1>
    tile.yield
  }
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1>) attributes {qualified_name = "f"} {
  // expected-error @below {{has -9223372036854775808 warpgroups, not 1 to 8}}
  tile.launch "f_0" grid() args(inout %r = %x : !tile.array<f32, 1>) attributes {warpgroups = -9223372036854775808 : i64} {
    tile.yield
  }
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1>) attributes {qualified_name = "f"} {
  // expected-error @below {{has 9 warpgroups, not 1 to 8}}
  tile.launch "f_0" grid() args(inout %r = %x : !tile.array<f32, 1>) attributes {warpgroups = 9 : i64} {
    tile.yield
  }
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1>) attributes {qualified_name = "f"} {
  // expected-error @below {{has a cluster of [4, 5] CTAs, not of 1 to 16}}
  tile.launch "f_0" grid() args(inout %r = %x : !tile.array<f32, 1>) attributes {cluster = array<i64: 4, 5>, warpgroups = 1 : i64} {
    tile.yield
  }
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1>) attributes {qualified_name = "f"} {
  // expected-error @below {{is allowed only in the body of a launch, not in host code}}
  %i = tile.program_id 0
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1>) attributes {qualified_name = "f"} {
  tile.launch "f_0" grid() args(inout %r = %x : !tile.array<f32, 1>) {
    %true = arith.constant true
    // expected-error @below {{is allowed only in host code, not in the body of a launch}}
    tile.check %true, "never"
    tile.yield
  }
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1>) attributes {qualified_name = "f"} {
  tile.launch "f_0" grid() args(inout %r = %x : !tile.array<f32, 1>) {
    // expected-error @below {{is allowed only in kernels, not in the body of a launch}}
    %g = tile.thread_group
    tile.yield
  }
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1>) attributes {qualified_name = "f"} {
  tile.launch "f_0" grid() args(inout %r = %x : !tile.array<f32, 1>) {
    // expected-error @below {{is allowed only in launches with warpgroups, those of the explicit level}}
    %t = tile.thread_index
    tile.yield
  }
  tile.return
}
// -----
tile.entry @f(%x: i64) attributes {qualified_name = "f"} {
  // expected-error @below {{makes a value of type 'index': there are numbers of 1 to 64 bits, and tiles of at most 2^40 elements}}
  %i = arith.constant 1 : index
  tile.return
}
// -----
tile.entry @f(%x: i64) attributes {qualified_name = "f"} {
  // expected-error @below {{makes a value of type 'i7': there are numbers}}
  %i = arith.trunci %x : i64 to i7
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1>, %a: f32) attributes {qualified_name = "f"} {
  tile.launch "f_0" grid() args(inout %r = %x : !tile.array<f32, 1>, scalar %b = %a : f32) {
    // expected-error @below {{makes a value of type 'tensor<2147483648x4294967296xf32>': there are numbers}}
    %t = tile.full %b : f32 -> tensor<2147483648x4294967296xf32>
    tile.yield
  }
  tile.return
}
// -----
tile.entry @f(%x: f32) attributes {qualified_name = "f"} {
  // expected-error @below {{is not allowed in an entry}}
  %y = arith.remf %x, %x : f32
  tile.return
}
// -----
tile.entry @f(%x: f32) attributes {qualified_name = "f"} {
  // expected-error @below {{is not allowed in an entry}}
  %y = math.sin %x : f32
  tile.return
}
// -----
// expected-error @below {{is a function of a module, with a body of one block}}
tile.entry @f(%x: f32) attributes {qualified_name = "f"}
// -----
tile.entry @f(%n: i64) attributes {qualified_name = "f"} {
  tile.launch "f_0" grid() args() {
    tile.yield
  } plan () {
    %one = arith.constant 1 : i64
    // expected-error @below {{calls a kernel that does not exist: @g}}
    tile.launch_kernel @g blocks(%one) ()
    tile.yield
  }
  tile.return
}
// -----
tile.entry @f(%n: i64) attributes {qualified_name = "f"} {
  tile.launch "f_0" grid() args(scalar %m = %n : i64) {
    tile.yield
  } plan (%k) {
    // expected-error @below {{passes operands that kernel @g does not take}}
    tile.launch_kernel @g blocks(%k) (%k) : i64
    tile.yield
  }
  tile.return
}
tile.kernel @g(%x: i32) attributes {threads = 32 : i64, group = 1 : i64} { tile.return }
// -----
// expected-error @below {{has no body}}
tile.kernel @g(%x: i32) attributes {threads = 32 : i64, group = 1 : i64}
// -----
tile.kernel @g(%x: i32) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{is not allowed in a kernel}}
  %i = tile.program_id 0
  tile.return
}
// -----
// expected-error @below {{has a cluster of [0] CTAs, not of 1 to 16}}
tile.kernel @g(%x: i32) attributes {threads = 32 : i64, group = 1 : i64, cluster = 0 : i64} { tile.return }
// -----
// expected-error @below {{takes -1 bytes of shared memory, not 0 to 262144}}
tile.kernel @g(%x: i32) attributes {threads = 32 : i64, group = 1 : i64, shared_bytes = -1 : i64} { tile.return }
// -----
// expected-error @below {{has 3 consumers among 2 thread groups}}
tile.kernel @g(%x: i32) attributes {threads = 256 : i64, group = 128 : i64, consumers = 3 : i64} { tile.return }
