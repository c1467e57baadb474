// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plan goes by the class of the code that the device runs. A cluster has as many CTAs as the plan says.
// RUN: tegulac --arch sm_90a --arch sm_80 --ptxas %ptxas -o %t %s && FileCheck %s --input-file %t.cpp
// RUN: %cxx -Wall -Wextra -Wconversion -Werror -c -o /dev/null -include %t.h %t.cpp

tile.entry @zero(%x: !tile.array<f32, 1>) attributes {qualified_name = "zero"} {
  // CHECK: if (call.is_class(tegula::of_{{[a-z_]+}}::images, {2 /*9.0a*/, 3 /*10.x*/})) {
  // CHECK: call.launch(tegula::of_{{[a-z_]+}}::zero_0_shared, {{[{]}}{{.*}}, 32, 4}, argument_0);
  // CHECK: call.launch(tegula::of_{{[a-z_]+}}::zero_0, {{[{]}}{{.*}}, 32}, argument_0);
  tile.launch "zero_0" grid() args(out %a = %x : !tile.array<f32, 1>) {
    %zero = arith.constant 0.0 : f32
    %t = tile.full %zero : f32 -> tensor<?xf32>
    tile.store %t, %a : tensor<?xf32>, !tile.ref<f32, [?]>
    tile.yield
  } plan (%p) {
    %one = arith.constant 1 : i64
    %four = arith.constant 4 : i64
    %has = tile.is_class ["9.0a", "10.x"]
    scf.if %has {
      tile.launch_kernel @zero_0_shared blocks(%four) cluster(%four) (%p) : !tile.array<f32, 1>
    } else {
      tile.launch_kernel @zero_0 blocks(%one) (%p) : !tile.array<f32, 1>
    }
    tile.yield
  }
  tile.return
}
tile.kernel @zero_0_shared(%a: !tile.ref<f32, [?]>) attributes {threads = 32 : i64, group = 32 : i64, cluster = 8 : i64, classes = ["9.0a", "10.x"]} {
  tile.return
}
tile.kernel @zero_0(%a: !tile.ref<f32, [?]>) attributes {threads = 32 : i64, group = 32 : i64} {
  tile.return
}
// CHECK: {90, 'a', abi::image_kind::cubin, {{.*}}, 2, true},
// CHECK: {80, 0, abi::image_kind::cubin, {{.*}}, 1, false},
// CHECK: abi::image_set<3> images(images_list);
// CHECK: abi::kernel zero_0_shared(images, "zero_0_shared", /*shared_bytes=*/0, /*cluster=*/8);
