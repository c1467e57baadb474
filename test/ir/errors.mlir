// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One message per branch of the verifiers.
// RUN: tegula-opt --split-input-file --verify-diagnostics %s

// expected-error @below {{an array has rank 0 to 6, not 7}}
tile.entry @f(%x: !tile.array<f32, 7>) attributes {qualified_name = "f"} { tile.return }
// -----
// expected-error @below {{an array cannot hold elements of type 'i7': it takes 'i1', 'i8', }}
tile.entry @f(%x: !tile.array<i7, 1>) attributes {qualified_name = "f"} { tile.return }
// -----
// expected-error @below {{there is no stored-only element type called f32}}
tile.entry @f(%x: !tile.array<!tile.stored<f32>, 1>) attributes {qualified_name = "f"} { tile.return }
// -----
// expected-error @below {{an array cannot hold elements of type 'f8E5M2FNUZ': it takes}}
tile.entry @f(%x: !tile.array<f8E5M2FNUZ, 1>) attributes {qualified_name = "f"} { tile.return }
// -----
// expected-error @below {{an array cannot hold elements of type 'f8E5M2FNUZ': it takes}}
tile.kernel @k(%x: !tile.ref<f8E5M2FNUZ, [4]>) attributes {threads = 32 : i64, group = 1 : i64} { tile.return }
// -----
// expected-error @below {{the extent of a window must be positive}}
tile.kernel @k(%x: !tile.ref<f32, [0]>) attributes {threads = 32 : i64, group = 1 : i64} { tile.return }
// -----
// expected-error @below {{an alignment must be a power of two, not 12}}
tile.kernel @k(%x: !tile.ref<f32, [4], align 12>) attributes {threads = 32 : i64, group = 1 : i64} { tile.return }
// -----
// expected-error @below {{'even' is relative to an alignment, and there is none}}
tile.kernel @k(%x: !tile.ref<f32, [4], align 0 even>) attributes {threads = 32 : i64, group = 1 : i64} { tile.return }
// -----
// expected-error @below {{takes arrays and scalars of 1 to 64 bits, not 'tensor<4xf32>'}}
tile.entry @f(%x: tensor<4xf32>) attributes {qualified_name = "f"} { tile.return }
// -----
// expected-error @below {{takes arrays and scalars of 1 to 64 bits, not 'f8E5M2FNUZ'}}
tile.entry @f(%x: f8E5M2FNUZ) attributes {qualified_name = "f"} { tile.return }
// -----
// expected-error @below {{takes arrays and scalars of 1 to 64 bits, not 'i128'}}
tile.entry @f(%x: i128) attributes {qualified_name = "f"} { tile.return }
// -----
// expected-error @below {{takes refs, scalars and tensor maps, not 'f8E5M2FNUZ'}}
tile.kernel @k(%x: f8E5M2FNUZ) attributes {threads = 32 : i64, group = 1 : i64} { tile.return }
// -----
tile.entry @f() attributes {qualified_name = "f"} {
  // expected-error @below {{computes a value of type 'f8E5M2FNUZ': floats are f16, bf16, f32 and f64}}
  %0 = arith.constant 1.0 : f8E5M2FNUZ
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{computes a value of type 'tensor<4xf8E5M2FNUZ>': floats are f16, bf16, f32 and f64}}
  %0 = arith.constant dense<1.0> : tensor<4xf8E5M2FNUZ>
  tile.return
}
// -----
// expected-error @below {{names 1 of 0 results}}
tile.entry @f() attributes {qualified_name = "f", result_names = ["a"]} { tile.return }
// -----
// expected-error @below {{takes refs, scalars and tensor maps, not '!tile.array<f32, 1>'}}
tile.kernel @k(%x: !tile.array<f32, 1>) attributes {threads = 32 : i64, group = 1 : i64} { tile.return }
// -----
// expected-error @below {{runs in CTAs of 1 to 1024 threads, not 2048}}
tile.kernel @k() attributes {threads = 2048 : i64, group = 1 : i64} { tile.return }
// -----
// expected-error @below {{has thread groups of 48 threads: a power of two that divides 96}}
tile.kernel @k() attributes {threads = 96 : i64, group = 48 : i64} { tile.return }
// -----
tile.entry @f(%n: i64) -> i64 attributes {qualified_name = "f"} {
  // expected-error @below {{must have one operand for each result of its function, of the same type}}
  tile.return
}
// -----
tile.entry @f(%n: i64) attributes {qualified_name = "f"} {
  // expected-error @below {{has 1 dims for an array of rank 2}}
  %0 = tile.empty(%n) : !tile.array<f32, 2>
  tile.return
}
// -----
tile.entry @f(%n: i64) attributes {qualified_name = "f"} {
  // expected-error @below {{makes an array that can be written}}
  %0 = tile.empty(%n) : !tile.array<f32, 1, const>
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 2, const>) attributes {qualified_name = "f"} {
  // expected-error @below {{makes one row of '!tile.array<f32, 2, const>', not '!tile.array<f32, 1>'}}
  %0 = tile.flatten %x : !tile.array<f32, 2, const> -> !tile.array<f32, 1>
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1, const>) attributes {qualified_name = "f"} {
  // expected-error @below {{writes the const array 0}}
  tile.launch "f_0" grid() args(out %a = %x : !tile.array<f32, 1, const>) { tile.yield }
  tile.return
}
// -----
tile.entry @f(%x: !tile.array<f32, 1>) attributes {qualified_name = "f"} {
  // expected-error @below {{uses argument 0 as scalar}}
  tile.launch "f_0" grid() args(scalar %a = %x : !tile.array<f32, 1>) { tile.yield }
  tile.return
}
// -----
tile.entry @f(%n: i64) attributes {qualified_name = "f"} {
  // expected-error @below {{has a grid of 7 axes, at most 6 are supported}}
  tile.launch "f_0" grid(%n, %n, %n, %n, %n, %n, %n) args() { tile.yield }
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?]>) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{asks for dimension 1 of rank 1}}
  %0 = tile.dim %x, 1 : !tile.ref<f32, [?]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?]>, %i: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{names 2 dimensions of a source of rank 1}}
  %0 = tile.slice %x[window %i, whole] : !tile.ref<f32, [?]> -> !tile.ref<f32, [4?, ?]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?]>, %i: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{keeps 1 dimensions, its result has rank 0}}
  %0 = tile.slice %x[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, []>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?]>, %i: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{has 1 offsets and 0 sizes where it needs 1 and 1}}
  %0 = tile.slice %x[window %i] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?]>) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{keeps dimension 0 whole, but its result has another extent there}}
  %0 = tile.slice %x[whole] : !tile.ref<f32, [?]> -> !tile.ref<f32, [4]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?]>, %i: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{does not convert elements}}
  %0 = tile.slice %x[window %i] : !tile.ref<f32, [?]> -> !tile.ref<i32, [4?]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?, ?]>, %i: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{does not convert elements}}
  %0 = tile.strided_slice %x axis 0 from %i step %i : !tile.ref<f32, [?, ?]> -> !tile.ref<i32, [4?, ?]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?, ?]>, %i: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{has one of its 2 dimensions at a step, and keeps all}}
  %0 = tile.strided_slice %x axis 2 from %i step %i : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4?, ?]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?, ?]>, %i: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{has one of its 2 dimensions at a step, and keeps all}}
  %0 = tile.strided_slice %x axis 0 from %i step %i : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4?]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?, ?]>, %i: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{keeps dimension 1 whole, but its result has another extent there}}
  %0 = tile.strided_slice %x axis 0 from %i step %i : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4?, 8?]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?, ?]>, %i: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{must have a size if the bound of its result is dynamic, and none otherwise, and the bound must not be exact}}
  %0 = tile.strided_slice %x axis 0 from %i step %i : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?, ?]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?, ?]>, %i: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{must have a size if the bound of its result is dynamic, and none otherwise, and the bound must not be exact}}
  %0 = tile.strided_slice %x axis 0 from %i step %i : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4, ?]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [?, ?]>, %i: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{promises no alignment}}
  %0 = tile.strided_slice %x axis 0 from %i step %i : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4?, ?], align 16>
  tile.return
}
// -----
tile.kernel @k(%i: i64) attributes {threads = 128 : i64, group = 128 : i64} {
  %s = tile.alloc : !tile.ref<f32, [64], smem>
  // expected-error @below {{is a window of an array, not of shared memory}}
  %0 = tile.strided_slice %s axis 0 from %i step %i : !tile.ref<f32, [64], smem> -> !tile.ref<f32, [4?]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8?]>) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{has a tile of type 'tensor<4xf32>', the window holds 'tensor<8xf32>'}}
  %0 = tile.load %x : !tile.ref<f32, [8?]> -> tensor<4xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8?]>, %b: i1, %f: f32) attributes {threads = 32 : i64, group = 1 : i64} {
  %m = tile.full %b : i1 -> tensor<4xi1>
  %o = tile.full %f : f32 -> tensor<8xf32>
  // expected-error @below {{has a mask of type 'tensor<4xi1>' for 'tensor<8xf32>'}}
  %0 = tile.load %x mask %m : tensor<4xi1> other %o : tensor<8xf32> : !tile.ref<f32, [8?]> -> tensor<8xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8?]>, %b: i1, %f: f32) attributes {threads = 32 : i64, group = 1 : i64} {
  %m = tile.full %b : i1 -> tensor<8xi1>
  %o = tile.full %f : f32 -> tensor<4xf32>
  // expected-error @below {{has 'tensor<4xf32>' in place of 'tensor<8xf32>'}}
  %0 = tile.load %x mask %m : tensor<8xi1> other %o : tensor<4xf32> : !tile.ref<f32, [8?]> -> tensor<8xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8?]>, %f: f32) attributes {threads = 32 : i64, group = 1 : i64} {
  %o = tile.full %f : f32 -> tensor<8xf32>
  // expected-error @below {{has a mask of type 'tensor<8xf32>' for 'tensor<8xf32>'}}
  tile.store %o, %x mask %o : tensor<8xf32> : tensor<8xf32>, !tile.ref<f32, [8?]>
  tile.return
}
// -----
tile.kernel @k(%f: f32) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{makes a tile of 'ui8' from 'f32'}}
  %0 = tile.full %f : f32 -> tensor<4xui8>
  tile.return
}
// -----
tile.kernel @k(%f: f32, %n: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{has 1 extents for 2 run-time dimensions}}
  %0 = tile.full %f extents(%n) : f32 -> tensor<?x?xf32>
  tile.return
}
// -----
tile.kernel @k(%f: f32, %n: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  %0 = tile.full %f : f32 -> tensor<4x4xf32>
  // expected-error @below {{has 1 extents, of 2 dimensions}}
  %1 = tile.conform %0 extents(%n) : tensor<4x4xf32>
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{counts along axis 1 of rank 1}}
  %0 = tile.iota 1 : tensor<4xi32>
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{cannot have the dtype bool: compare numbers}}
  %0 = tile.iota 0 : tensor<4xi1>
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 32 : i64, group = 1 : i64} {
  %0 = tile.iota 0 : tensor<4xi32>
  // expected-error @below {{takes a tile of rank 0, not 'tensor<4xi32>'}}
  %1 = tile.extract %0 : tensor<4xi32> -> i32
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 32 : i64, group = 1 : i64} {
  %0 = tile.iota 0 : tensor<4xi32>
  // expected-error @below {{cannot repeat dimension 0 of 'tensor<4xi32>': only a static 1 broadcasts}}
  %1 = tile.broadcast %0 [0] : tensor<4xi32> -> tensor<8xi32>
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 32 : i64, group = 1 : i64} {
  %0 = tile.iota 0 : tensor<4x4xi32>
  // expected-error @below {{places dimension 1 at 0, not ascending within rank 2}}
  %1 = tile.broadcast %0 [1, 0] : tensor<4x4xi32> -> tensor<4x4xi32>
  tile.return
}
// -----
tile.kernel @k(%i: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{has 2 {} and 1 operands}}
  tile.debug_print "{} {}", %i : i64
  tile.return
}
// -----
tile.kernel @k() attributes {threads = 32 : i64, group = 1 : i64} {
  %0 = tile.iota 0 : tensor<4xi32>
  // expected-error @below {{tensor of float values}}
  %1 = tile.exp %0 : tensor<4xi32>
  tile.return
}

// -----

tile.kernel @k(%x: !tile.ref<f32, [4, 8]>) attributes {threads = 32 : i64, group = 32 : i64, cluster = 2 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [4, 8]> -> tensor<4x8xf32>
  // expected-error @+1 {{'tile.reduce' op combines the elements of the CTAs of a cluster into one element, not 'tensor<4xf32>'}}
  %1 = tile.reduce sum %0 [1] cluster : tensor<4x8xf32> -> tensor<4xf32>
  tile.return
}

// -----

tile.kernel @k(%x: !tile.ref<f32, [4, 8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [4, 8]> -> tensor<4x8xf32>
  // expected-error @+1 {{'tile.reduce' op leaves partial results only of a sum of floats, without extents, in one CTA}}
  %1 = tile.reduce max %0 [1] partial : tensor<4x8xf32> -> tensor<4xf32>
  tile.return
}

// -----

tile.kernel @k(%x: !tile.ref<f32, [4, 8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [4, 8]> -> tensor<4x8xf32>
  // expected-error @+1 {{'tile.reduce' op leaves partial results in lanes that hold copies of the result, which the layouts do not give: 'tensor<4xf32>' of 'tensor<4x8xf32>'}}
  %1 = tile.reduce sum %0 [1] partial : tensor<4x8xf32> -> tensor<4xf32>
  tile.return
}

// -----

// Two warps have parts of a row.
#tile = #tile.layout<blocked<[1, 1], lanes [1, 32], warps [1, 2]>>
#row = #tile.layout<blocked<[1], lanes [1] x32, warps [1] x2>>
tile.kernel @k(%x: !tile.ref<f32, [4, 64]>) attributes {threads = 64 : i64, group = 64 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [4, 64]> -> tensor<4x64xf32, #tile>
  // expected-error @+1 {{which the layouts do not give}}
  %1 = tile.reduce sum %0 [1] partial : tensor<4x64xf32, #tile> -> tensor<4xf32, #row>
  tile.return
}

// -----

tile.kernel @k(%x: !tile.ref<f32, [8], smem>, %b: i1, %f: f32) attributes {threads = 128 : i64, group = 128 : i64} {
  %m = tile.full %b : i1 -> tensor<8xi1>
  %v = tile.full %f : f32 -> tensor<8xf32>
  // expected-error @below {{has a mask, which accesses to shared memory do not support}}
  tile.store %v, %x mask %m : tensor<8xi1> : tensor<8xf32>, !tile.ref<f32, [8], smem>
  tile.return
}

// -----

tile.kernel @k(%x: !tile.ref<f32, [4, 8]>, %n: i64) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [4, 8]> -> tensor<4x8xf32>
  // expected-error @below {{has 1 extents for 2 axes of 'tensor<4x8xf32>': one for each axis, of a static tile}}
  %1 = tile.reduce sum %0 [0, 1] extents(%n) : tensor<4x8xf32> -> tensor<f32>
  tile.return
}

// -----

tile.entry @f(%x: !tile.array<f32, 2>, %n: i64) attributes {qualified_name = "f"} {
  tile.launch "f" grid() args(inout %a = %x : !tile.array<f32, 2>, scalar %m = %n : i64) {
    %0 = tile.load %a : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    // expected-error @below {{has an extent along a K that is not static: 'tensor<?x?xf32>'}}
    %1 = tile.dot %0, %0 extent(%m) : tensor<?x?xf32>, tensor<?x?xf32> -> tensor<?x?xf32>
    tile.yield
  }
  tile.return
}

// -----

tile.entry @f(%x: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "f"} {
  tile.launch "f" grid() args(inout %a = %x : !tile.array<f32, 1>, scalar %m = %n : i64) {
    %0 = arith.constant 0 : i64
    %w = tile.slice %a[window %0] : !tile.ref<f32, [?]> -> !tile.ref<f32, [8?]>
    %1 = tile.load %w : !tile.ref<f32, [8?]> -> tensor<8xf32>
    // expected-error @below {{must not have an extent in a program, whose tiles have extents of their own: load a smaller window}}
    %2 = tile.reduce sum %1 [0] extents(%m) : tensor<8xf32> -> tensor<f32>
    tile.yield
  }
  tile.return
}

// -----
// expected-error@+1 {{expected 'align' or a memory space, not 'tmem'}}
tile.kernel @k(%x: !tile.ref<f32, [4], tmem>) attributes {threads = 32 : i64, group = 1 : i64} { tile.return }

// -----

tile.entry @f(%x: !tile.array<f32, 1>, %c: i1) attributes {qualified_name = "f"} {
  %n = tile.dim %x, 0 : !tile.array<f32, 1>
  // expected-error @below {{has 2 {} and 1 numbers}}
  tile.check %c, "{} of {}" (%n)
  tile.return
}

// -----
// expected-error@+1 {{'tile.entry' op has no default for argument 1, which follows one with a default}}
tile.entry @f(%n: i64 {tile.default = 4 : i64}, %m: i64) attributes {qualified_name = "f"} { tile.return }

// -----
// expected-error@+1 {{'tile.entry' op has a default for argument 0 that is no 'f32'}}
tile.entry @f(%x: f32 {tile.default = 4 : i64}) attributes {qualified_name = "f"} { tile.return }

// -----

tile.kernel @k(%x: !tile.ref<f64, [8, 8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f64, [8, 8]> -> tensor<8x8xf64>
  // expected-error @below {{takes operands of f32 as tf32, not of 'f64'}}
  %1 = tile.dot %0, %0 precision tf32 : tensor<8x8xf64>, tensor<8x8xf64> -> tensor<8x8xf64>
  tile.return
}

// -----

tile.kernel @k(%x: !tile.ref<f8E4M3FN, [8, 8]>, %y: !tile.ref<f8E5M2, [8, 8]>, %z: !tile.ref<f16, [8, 8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f8E4M3FN, [8, 8]> -> tensor<8x8xf8E4M3FN>
  %1 = tile.load %y : !tile.ref<f8E5M2, [8, 8]> -> tensor<8x8xf8E5M2>
  %2 = tile.load %z : !tile.ref<f16, [8, 8]> -> tensor<8x8xf16>
  %3 = tile.dot %0, %1 : tensor<8x8xf8E4M3FN>, tensor<8x8xf8E5M2> -> tensor<8x8xf32>
  // expected-error @below {{multiplies 'f8E4M3FN' with 'f16'}}
  %4 = tile.dot %0, %2 : tensor<8x8xf8E4M3FN>, tensor<8x8xf16> -> tensor<8x8xf32>
  tile.return
}

// -----

tile.kernel @k(%x: !tile.ref<f8E4M3FN, [8, 8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f8E4M3FN, [8, 8]> -> tensor<8x8xf8E4M3FN>
  // expected-error @below {{operand #0 must be variadic of ranked tensor of bool or number values}}
  %1 = tile.reduce max %0 [1] : tensor<8x8xf8E4M3FN> -> tensor<8xf8E4M3FN>
  tile.return
}

// -----

tile.kernel @k(%x: !tile.ref<f8E4M3FN, [8, 8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f8E4M3FN, [8, 8]> -> tensor<8x8xf8E4M3FN>
  // expected-error @below {{operand #0 must be ranked tensor of bool or number values}}
  %1 = tile.lt %0, %0 : tensor<8x8xf8E4M3FN> -> tensor<8x8xi1>
  tile.return
}

// -----

tile.kernel @k(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @below {{makes 'ui16' of 'f32': of one width, and no bool}}
  %1 = tile.bitcast %0 : tensor<8xf32> -> tensor<8xui16>
  tile.return
}

// -----

tile.kernel @k(%x: !tile.ref<i1, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<i1, [8]> -> tensor<8xi1>
  // expected-error @below {{makes 'i1' of 'i1': of one width, and no bool}}
  %1 = tile.bitcast %0 : tensor<8xi1> -> tensor<8xi1>
  tile.return
}

// -----

tile.kernel @k(%x: !tile.ref<f32, [8]>, %b: !tile.ref<ui32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  %1 = tile.load %b : !tile.ref<ui32, [8]> -> tensor<8xui32>
  // expected-error @below {{rounds to f16, bf16 and floats of 8 bits, not to 'f64'}}
  %2 = tile.stochastic_cast %0, %1 : tensor<8xf32>, tensor<8xui32> -> tensor<8xf64>
  tile.return
}
