// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One message per branch of the verifiers of reductions by combiners.
// RUN: tegula-opt --split-input-file --verify-diagnostics %s

tile.kernel @custom_without_combiner(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @+1 {{'tile.reduce' op needs a combiner and identities}}
  %1 = tile.reduce custom %0 [0] : tensor<8xf32> -> tensor<f32>
  tile.return
}

// -----

tile.kernel @combiner_of_a_name(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @+1 {{'tile.reduce' op has a combiner of its own, by its name}}
  %1 = tile.reduce sum %0 [0] identities [0.0 : f32] : tensor<8xf32> -> tensor<f32>
  tile.return
}

// -----

tile.kernel @sum_of_two(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @+1 {{'tile.reduce' op combines one source, not 2}}
  %1, %2 = tile.reduce sum %0, %0 [0] : tensor<8xf32>, tensor<8xf32> -> tensor<f32>, tensor<f32>
  tile.return
}

// -----

tile.kernel @results_lack(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @+1 {{'tile.reduce' op has 2 sources and 1 results: their numbers must be equal}}
  %1 = tile.reduce sum %0, %0 [0] : tensor<8xf32>, tensor<8xf32> -> tensor<f32>
  tile.return
}

// -----

tile.kernel @shapes_differ(%x: !tile.ref<f32, [8]>, %y: !tile.ref<f32, [4]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  %1 = tile.load %y : !tile.ref<f32, [4]> -> tensor<4xf32>
  // expected-error @+1 {{'tile.reduce' op combines tiles of one shape, not 'tensor<8xf32>' and 'tensor<4xf32>'}}
  %2, %3 = tile.reduce custom %0, %1 [0] identities [0.0 : f32, 0.0 : f32] {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    tile.combined %a, %b : f32, f32
  } : tensor<8xf32>, tensor<4xf32> -> tensor<f32>, tensor<f32>
  tile.return
}

// -----

tile.kernel @identity_of_another_type(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @+1 {{'tile.reduce' op has an identity that is no scalar of its source's: 0 : i32}}
  %1 = tile.reduce custom %0 [0] identities [0 : i32] {
  ^bb0(%a: f32, %b: f32):
    tile.combined %a : f32
  } : tensor<8xf32> -> tensor<f32>
  tile.return
}

// -----

tile.kernel @combiner_of_one(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @+1 {{'tile.reduce' op has a combiner whose arguments are not the elements of two tuples}}
  %1 = tile.reduce custom %0 [0] identities [0.0 : f32] {
  ^bb0(%a: f32):
    tile.combined %a : f32
  } : tensor<8xf32> -> tensor<f32>
  tile.return
}

// -----

tile.kernel @combiner_of_another_type(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @+1 {{'tile.reduce' op has a combiner that does not end with tile.combined of a tuple}}
  %1 = tile.reduce custom %0 [0] identities [0.0 : f32] {
  ^bb0(%a: f32, %b: f32):
    %less = arith.cmpf olt, %a, %b : f32
    tile.combined %less : i1
  } : tensor<8xf32> -> tensor<f32>
  tile.return
}

// -----

tile.kernel @half_a_tuple(%x: !tile.ref<f32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  // expected-error @+1 {{'tile.combine' op has 1 operands for 1 results: two tuples}}
  %1 = tile.combine %0 {
  ^bb0(%a: f32, %b: f32):
    tile.combined %a : f32
  } : tensor<8xf32> -> tensor<8xf32>
  tile.return
}

// -----

tile.kernel @unlike_tuples(%x: !tile.ref<f32, [8]>, %y: !tile.ref<i32, [8]>) attributes {threads = 32 : i64, group = 32 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [8]> -> tensor<8xf32>
  %1 = tile.load %y : !tile.ref<i32, [8]> -> tensor<8xi32>
  // expected-error @+1 {{'tile.combine' op combines tiles of one shape, tuple with tuple}}
  %2 = tile.combine %0, %1 {
  ^bb0(%a: f32, %b: f32):
    tile.combined %a : f32
  } : tensor<8xf32>, tensor<8xi32> -> tensor<8xf32>
  tile.return
}
