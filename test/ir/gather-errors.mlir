// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One message per branch of the verifiers.
// RUN: tegula-opt --split-input-file --verify-diagnostics %s

tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %i = tile.iota 0 : tensor<4xi32>
  // expected-error @below {{'tile.gather' op has 1 tiles of indices for 2 dimensions}}
  %0 = tile.gather %x[%i : tensor<4xi32>] [0, 1] at 0 : !tile.ref<f32, [8, 64]> -> tensor<4xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %i = tile.iota 0 : tensor<4xi32>
  // expected-error @below {{'tile.gather' op indexes dimension 2, not ascending within rank 2}}
  %0 = tile.gather %x[%i : tensor<4xi32>] [2] at 0 : !tile.ref<f32, [8, 64]> -> tensor<4xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %i = tile.iota 0 : tensor<4xi32>
  // expected-error @below {{'tile.gather' op indexes dimension 1, not ascending within rank 2}}
  %0 = tile.gather %x[%i, %i : tensor<4xi32>, tensor<4xi32>] [1, 1] at 0 : !tile.ref<f32, [8, 64]> -> tensor<4xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %i = tile.iota 0 : tensor<4xi32>
  // expected-error @below {{'tile.gather' op puts the dimensions of its indices at 2 among 1}}
  %0 = tile.gather %x[%i : tensor<4xi32>] [0] at 2 : !tile.ref<f32, [8, 64]> -> tensor<4x64xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %i = tile.iota 0 : tensor<4xi32>
  %j = tile.iota 0 : tensor<5xi32>
  // expected-error @below {{'tile.gather' op has tiles of indices of different shapes}}
  %0 = tile.gather %x[%i, %j : tensor<4xi32>, tensor<5xi32>] [0, 1] at 0 : !tile.ref<f32, [8, 64]> -> tensor<4xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8, 64]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %i = tile.iota 0 : tensor<4xi32>
  // expected-error @below {{'tile.gather' op has a tile of type 'tensor<64x4xf32>', the ref holds 'tensor<4x64xf32>'}}
  %0 = tile.gather %x[%i : tensor<4xi32>] [0] at 0 : !tile.ref<f32, [8, 64]> -> tensor<64x4xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{'tile.gather' op has no indices}}
  %0 = "tile.gather"(%x) <{dims = array<i64>, position = 0 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!tile.ref<f32, [8]>) -> tensor<8xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %i = tile.iota 0 : tensor<4xi32>
  %m = tile.eq %i, %i : tensor<4xi32> -> tensor<4xi1>
  // expected-error @below {{'tile.gather' op must have a mask and the value where it is false, or neither}}
  %0 = "tile.gather"(%x, %i, %m) <{dims = array<i64: 0>, position = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (!tile.ref<f32, [8]>, tensor<4xi32>, tensor<4xi1>) -> tensor<4xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %i = tile.iota 0 : tensor<4xi32>
  %m = tile.eq %i, %i : tensor<4xi32> -> tensor<4xi1>
  // expected-error @below {{'tile.gather' op has 'tensor<4xi32>' in place of 'tensor<4xf32>'}}
  %0 = tile.gather %x[%i : tensor<4xi32>] [0] at 0 mask %m : tensor<4xi1> other %i : tensor<4xi32> : !tile.ref<f32, [8]> -> tensor<4xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %i = tile.iota 0 : tensor<4xi32>
  %f = tile.cast %i : tensor<4xi32> -> tensor<4xf32>
  // expected-error @below {{'tile.scatter' op has a mask of type 'tensor<4xi32>' for 'tensor<4xf32>'}}
  tile.scatter %f, %x[%i : tensor<4xi32>] [0] at 0 mask %i : tensor<4xi32> : tensor<4xf32>, !tile.ref<f32, [8]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>, %v: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %v : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @below {{'tile.scatter' op has no indices}}
  "tile.scatter"(%t, %x) <{dims = array<i64>, position = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<8xf32>, !tile.ref<f32, [8]>) -> ()
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @below {{'tile.take' op has no indices}}
  %0 = "tile.take"(%t) <{dims = array<i64>, position = 0 : i64}> : (tensor<8xf32>) -> tensor<8xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<i16, [8]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<i16, [8]> -> tensor<8xi16>
  // expected-error @below {{'tile.atomic' op updates elements of type 'i16': integers have 32 or 64 bits}}
  %0 = tile.atomic add %t, %x [] at 0 : tensor<8xi16>, !tile.ref<i16, [8]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @below {{'tile.atomic' op combines bits of 'f32'}}
  %0 = tile.atomic xor %t, %x [] at 0 : tensor<8xf32>, !tile.ref<f32, [8]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @below {{'tile.atomic' op must have a value to compare with if it is a cas, and only then}}
  %0 = tile.atomic cas %t, %x [] at 0 : tensor<8xf32>, !tile.ref<f32, [8]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>, %y: !tile.ref<f32, [4]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  %u = tile.load %y : !tile.ref<f32, [4]> -> tensor<4xf32>
  // expected-error @below {{'tile.atomic' op compares 'tensor<8xf32>' with 'tensor<4xf32>'}}
  %0 = tile.atomic cas %t, %x [] at 0 compare %u : tensor<4xf32> : tensor<8xf32>, !tile.ref<f32, [8]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %s = tile.alloc : !tile.ref<f32, [8], smem>
  %i = tile.iota 0 : tensor<4xi32>
  // expected-error @below {{'tile.gather' op indexes shared memory}}
  %0 = tile.gather %s[%i : tensor<4xi32>] [0] at 0 : !tile.ref<f32, [8], smem> -> tensor<4xf32>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<i32, [8]>) attributes {threads = 32 : i64, group = 1 : i64} {
  // expected-error @below {{'tile.private_open' op combines updates, but of those by exch only one remains}}
  tile.private_open exch %x in 1024 : !tile.ref<i32, [8]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<i32, [8]>, %i: i64) attributes {threads = 32 : i64, group = 1 : i64} {
  %w = tile.slice %x[window %i] : !tile.ref<i32, [8]> -> !tile.ref<i32, [4?]>
  // expected-error @below {{'tile.private_open' op copies an array, an argument of the kernel}}
  tile.private_open add %w in 1024 : !tile.ref<i32, [4?]>
  tile.return
}
// -----
tile.kernel @k(%x: !tile.ref<i32, [8]>, %y: !tile.ref<i32, [8]>) attributes {threads = 32 : i64, group = 1 : i64} {
  %t = tile.load %y : !tile.ref<i32, [8]> -> tensor<8xi32>
  // expected-error @below {{'tile.atomic' op cannot return the old value: a private copy combines updates}}
  %0 = tile.atomic add %t, %x [] at 0 privately : tensor<8xi32>, !tile.ref<i32, [8]>
  tile.store %0, %y : tensor<8xi32>, !tile.ref<i32, [8]>
  tile.return
}
