// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
tile.kernel @too_much(%x: !tile.ref<f32, [128, 128]>, %o: !tile.ref<f32, [128, 128]>) attributes {threads = 128 : i64, team = 128 : i64} {
  %0 = tile.load %x : !tile.ref<f32, [128, 128]> -> tensor<128x128xf32, #tile.layout<blocked<[1, 1], lanes [1, 32], warps [1, 4]>>>
  %1 = tile.relayout %0 : tensor<128x128xf32, #tile.layout<blocked<[1, 1], lanes [1, 32], warps [1, 4]>>> -> tensor<128x128xf32, #tile.layout<blocked<[1, 1], lanes [32, 1], warps [4, 1]>>>
  tile.store %1, %o : tensor<128x128xf32, #tile.layout<blocked<[1, 1], lanes [32, 1], warps [4, 1]>>>, !tile.ref<f32, [128, 128]>
  tile.return
}
