// What lies outside an array is an error of the kernel, said at its line, through the functions that were inlined.
// RUN: tegulac --emit=cpu %s -o %t.h
// RUN: %cxx -include %t.h %S/Inputs/bounds.cpp %link -o %t.exe
// RUN: %t.exe | FileCheck %s --match-full-lines

// CHECK: element 3: kernels.cpp:7:9: index 3 is out of bounds of dimension 1 of x, which has 3 elements
// CHECK-NEXT: element -1: kernels.cpp:7:9: index -1 is out of bounds of dimension 1 of x, which has 3 elements
// CHECK-NEXT: element 2: nothing
tile.entry @element(%x: !tile.array<f32, 2> {tile.name = "x"}, %i: i64 {tile.name = "i"}) attributes {qualified_name = "element"} {
  tile.launch "element_0" grid() args(inout %r = %x : !tile.array<f32, 2>, scalar %at = %i : i64) {
    %zero = arith.constant 0.0 : f32
    %column = tile.slice %r[whole, element %at] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]> loc("kernels.cpp":7:9)
    %v = tile.full %zero : f32 -> tensor<?xf32>
    tile.store %v, %column : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// Line 3 of a helper, called on line 8 of another, called on line 20 of the kernel.
// CHECK-NEXT: window -2: helper.h:3:5: a slice of dimension 0 of x starts at -2, before the array: clamp the start, or mask the elements out of bounds (called from other.h:8:1, kernels.cpp:20:7)
// CHECK-NEXT: window 1: nothing
// CHECK-NEXT: window 5: nothing
tile.entry @window(%x: !tile.array<f32, 2> {tile.name = "x"}, %i: i64 {tile.name = "i"}) attributes {qualified_name = "window"} {
  tile.launch "window_0" grid() args(inout %r = %x : !tile.array<f32, 2>, scalar %at = %i : i64) {
    %zero = arith.constant 0.0 : f32
    %rows = tile.slice %r[window %at, whole] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [4?, ?]>
        loc(callsite("helper.h":3:5 at callsite("other.h":8:1 at "kernels.cpp":20:7)))
    %v = tile.full %zero : f32 -> tensor<4x?xf32>
    tile.store %v, %rows : tensor<4x?xf32>, !tile.ref<f32, [4?, ?]>
    tile.yield
  }
  tile.return
}

// A part of a tile has the same bounds.
// CHECK-NEXT: part 2: kernels.cpp:30:1: index 2 is out of bounds of dimension 0, which has 2 elements
// CHECK-NEXT: part 1: nothing
tile.entry @part(%x: !tile.array<f32, 2> {tile.name = "x"}, %i: i64 {tile.name = "i"}) attributes {qualified_name = "part"} {
  tile.launch "part_0" grid() args(inout %r = %x : !tile.array<f32, 2>, scalar %at = %i : i64) {
    %c0 = arith.constant 0 : i64
    %v = tile.load %r : !tile.ref<f32, [?, ?]> -> tensor<?x?xf32>
    %row = tile.subtile %v[element %at, whole] : tensor<?x?xf32> -> tensor<?xf32> loc("kernels.cpp":30:1)
    %first = tile.slice %r[element %c0, whole] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    tile.store %row, %first : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// A column that is not there is an error only if the mask wants some of it, which is none at -1.
// CHECK-NEXT: masked 3: kernels.cpp:40:9: index 3 is out of bounds of dimension 1 of x, which has 3 elements
// CHECK-NEXT: masked -1: nothing
// CHECK-NEXT: masked 2: nothing
tile.entry @masked(%x: !tile.array<f32, 2> {tile.name = "x"}, %i: i64 {tile.name = "i"}) attributes {qualified_name = "masked"} {
  tile.launch "masked_0" grid() args(inout %r = %x : !tile.array<f32, 2>, scalar %at = %i : i64) {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : i64
    %column = tile.slice %r[whole, element %at] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]> loc("kernels.cpp":40:9)
    %v = tile.full %zero : f32 -> tensor<?xf32>
    %rows = tile.iota 0 : tensor<?xi64>
    %index = tile.full %at : i64 -> tensor<?xi64>
    %0 = tile.le %rows, %index : tensor<?xi64> -> tensor<?xi1>
    %t = tile.load %column mask %0 : tensor<?xi1> other %v : tensor<?xf32> : !tile.ref<f32, [?]> -> tensor<?xf32>
    tile.store %t, %column mask %0 : tensor<?xi1> : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// A window that begins before the array is an error if the mask wants more than it has: here, all but the first element.
// CHECK-NEXT: halo -2: kernels.cpp:50:5: a slice of dimension 0 of x starts at -2, before the array: clamp the start, or mask the elements out of bounds
// CHECK-NEXT: halo -1: nothing
// CHECK-NEXT: halo 5: nothing
tile.entry @halo(%x: !tile.array<f32, 2> {tile.name = "x"}, %i: i64 {tile.name = "i"}) attributes {qualified_name = "halo"} {
  tile.launch "halo_0" grid() args(inout %r = %x : !tile.array<f32, 2>, scalar %at = %i : i64) {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : i64
    %column = tile.slice %r[whole, element %c0] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [?]>
    %rows = tile.slice %column[window %at] : !tile.ref<f32, [?]> -> !tile.ref<f32, [4?]> loc("kernels.cpp":50:5)
    %v = tile.full %zero : f32 -> tensor<4xf32>
    %0 = tile.iota 0 : tensor<4xi64>
    %1 = tile.full %c0 : i64 -> tensor<4xi64>
    %2 = tile.gt %0, %1 : tensor<4xi64> -> tensor<4xi1>
    %t = tile.load %rows mask %2 : tensor<4xi1> other %v : tensor<4xf32> : !tile.ref<f32, [4?]> -> tensor<4xf32>
    tile.store %t, %rows mask %2 : tensor<4xi1> : tensor<4xf32>, !tile.ref<f32, [4?]>
    tile.yield
  }
  tile.return
}
