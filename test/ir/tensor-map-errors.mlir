// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One message per rule for tensor maps, and for asking whether one can be made.
// RUN: tegula-opt --split-input-file --verify-diagnostics %s

tile.entry @f(%a: !tile.array<bf16, 2>, %b: !tile.array<f32, 5>, %c: !tile.array<i1, 1>) attributes {qualified_name = "f"} {
  %0 = tile.tensor_map %a box [256, 64] swizzle 128 : !tile.array<bf16, 2>
  %1 = tile.tensor_map %a box [1, 16] swizzle 32 : !tile.array<bf16, 2>
  %2 = tile.tensor_map %b box [1, 1, 1, 1, 16] swizzle 64 : !tile.array<f32, 5>
  %3 = tile.tensor_map %b box [1, 1, 1, 8, 12] swizzle 16 : !tile.array<f32, 5>
  %4 = tile.tensor_map %c box [256] swizzle 16 : !tile.array<i1, 1>
  %5 = tile.tensor_map %b permutation [4, 0, 1, 3, 2] box [1, 1, 1, 8, 4] swizzle 16 : !tile.array<f32, 5>
  %6 = tile.can_map %a permutation [1, 0] box [256, 64] swizzle 128 : !tile.array<bf16, 2>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<f32, 6>) attributes {qualified_name = "f"} {
  // expected-error @below {{maps an array of rank 1 to 5, not 6}}
  %0 = tile.tensor_map %a box [1, 1, 1, 1, 1, 4] swizzle 16 : !tile.array<f32, 6>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<f32, 0>) attributes {qualified_name = "f"} {
  // expected-error @below {{maps an array of rank 1 to 5, not 0}}
  %0 = tile.tensor_map %a box [] swizzle 16 : !tile.array<f32, 0>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<f32, 2>) attributes {qualified_name = "f"} {
  // expected-error @below {{has a box of 1 dimensions for an array of rank 2}}
  %0 = tile.tensor_map %a box [4] swizzle 16 : !tile.array<f32, 2>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<f32, 2>) attributes {qualified_name = "f"} {
  // expected-error @below {{has a box of 257 elements in dimension 0, not of 1 to 256}}
  %0 = tile.tensor_map %a box [257, 4] swizzle 16 : !tile.array<f32, 2>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<f32, 2>) attributes {qualified_name = "f"} {
  // expected-error @below {{has a box of 0 elements in dimension 1, not of 1 to 256}}
  %0 = tile.tensor_map %a box [4, 0] swizzle 16 : !tile.array<f32, 2>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<f32, 2>) attributes {qualified_name = "f"} {
  // expected-error @below {{has a swizzle of 16, 32, 64 or 128 bytes, not 48}}
  %0 = tile.tensor_map %a box [4, 12] swizzle 48 : !tile.array<f32, 2>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<f32, 2>) attributes {qualified_name = "f"} {
  // expected-error @below {{has a box 24 bytes wide, not a multiple of 16}}
  %0 = tile.tensor_map %a box [4, 6] swizzle 16 : !tile.array<f32, 2>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<bf16, 2>) attributes {qualified_name = "f"} {
  // expected-error @below {{has a box 256 bytes wide, not 128}}
  %0 = tile.tensor_map %a box [64, 128] swizzle 128 : !tile.array<bf16, 2>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<f32, 2>) attributes {qualified_name = "f"} {
  // expected-error @below {{is clipped along a dimension of 8 rows or a multiple of them, which is not the innermost one}}
  %0 = tile.tensor_map %a box [12, 4] swizzle 16 clipped 0 : !tile.array<f32, 2>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<f32, 2>) attributes {qualified_name = "f"} {
  // expected-error @below {{is clipped along a dimension of 8 rows or a multiple of them, which is not the innermost one}}
  %0 = tile.tensor_map %a box [8, 8] swizzle 16 clipped 1 : !tile.array<f32, 2>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<f32, 2>) attributes {qualified_name = "f"} {
  // expected-error @below {{has the permutation [0, 0], which does not name each dimension of an array of rank 2 once}}
  %0 = tile.tensor_map %a permutation [0, 0] box [4, 4] swizzle 16 : !tile.array<f32, 2>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<f32, 2>) attributes {qualified_name = "f"} {
  // expected-error @below {{has the permutation [1, 2, 0], which does not name each dimension of an array of rank 2 once}}
  %0 = tile.tensor_map %a permutation [1, 2, 0] box [4, 4] swizzle 16 : !tile.array<f32, 2>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<f32, 2>) attributes {qualified_name = "f"} {
  // expected-error @below {{has the permutation [1], which does not name each dimension of an array of rank 2 once}}
  %0 = tile.can_map %a permutation [1] box [4, 4] swizzle 16 : !tile.array<f32, 2>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<f32, 6>) attributes {qualified_name = "f"} {
  // expected-error @below {{'tile.can_map' op maps an array of rank 1 to 5, not 6}}
  %0 = tile.can_map %a box [1, 1, 1, 1, 1, 4] swizzle 16 : !tile.array<f32, 6>
  tile.return
}
// -----
tile.entry @f(%a: !tile.array<bf16, 2>) attributes {qualified_name = "f"} {
  // expected-error @below {{'tile.can_map' op has a box 256 bytes wide, not 128}}
  %0 = tile.can_map %a box [64, 128] swizzle 128 : !tile.array<bf16, 2>
  tile.return
}
