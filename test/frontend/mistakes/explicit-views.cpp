// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What views of places, and stores to other blocks, take.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o) {
  tg::kernel({.cluster = {{"c", 2}}}, [=] {
    tg::smem<float, 64> s;
    tg::smem<tg::f16, 63> odd;
    tg::smem<bool, 64> flags;
    tg::barrier arrived;
    const auto t = x[0, tg::ds<64>(0)];
    // CHECK-DAG: explicit-views.cpp:[[@LINE+1]]:{{[0-9]+}}: error: tg::cluster_ref takes shared memory of this CTA: a tg::smem, or a window of one
    tg::cluster_ref(o.at(0, tg::ds<64>(0)), {"c", 1});
    // CHECK-DAG: explicit-views.cpp:[[@LINE+1]]:{{[0-9]+}}: error: tg::cluster_ref takes shared memory of this CTA: a tg::smem, or a window of one
    tg::cluster_ref(tg::cluster_ref(s, {"c", 1}), {"c", 0});
    // CHECK-DAG: explicit-views.cpp:[[@LINE+1]]:{{[0-9]+}}: error: copy_gmem_to_smem takes an array, or a window of one, and then shared memory
    tg::copy_gmem_to_smem(x.at(0, tg::ds<64>(0)), tg::cluster_ref(s, {"c", 1}), arrived);
    // CHECK-DAG: explicit-views.cpp:[[@LINE+1]]:{{[0-9]+}}: error: tg::async_store_smem takes this CTA's own view of the shared memory, and the other CTA as its last argument: async_store_smem(tile, window, barrier, {"axis", index})
    tg::async_store_smem(t, tg::cluster_ref(s, {"c", 1}), arrived, {"c", 1});
    // CHECK-DAG: explicit-views.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a ref is a place, not a value: load it, ref[tg::all]
    tg::async_store_smem(x.at(0, tg::ds<64>(0)), s, arrived, {"c", 1});
    // CHECK-DAG: explicit-views.cpp:[[@LINE+1]]:{{[0-9]+}}: error: async_store_smem takes a tile, not a number: make one, tg::full<float, 64>(x)
    tg::async_store_smem(1.0f, s, arrived, {"c", 1});
    // CHECK-DAG: explicit-views.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the element types differ, and async_store_smem does not convert: write tg::astype<...>(value)
    tg::async_store_smem(tg::iota<int, 64>(), s, arrived, {"c", 1});
    // CHECK-DAG: explicit-views.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the tile and the shared memory that it is stored to differ in extents: take a window by .at(...)
    tg::async_store_smem(t, s.at(tg::ds<32>(0)), arrived, {"c", 1});
    // CHECK-DAG: explicit-views.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the shape of reshape_ref has another number of elements than the ref: their products must be equal
    tg::reshape_ref<8, 9>(s);
    // CHECK-DAG: explicit-views.cpp:[[@LINE+1]]:{{[0-9]+}}: error: reshape_ref takes a ref of static extents: take a window first, x.at(tg::ds<64>(start))
    tg::reshape_ref<64>(o);
    // CHECK-DAG: explicit-views.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the bytes of the last dimension are not a multiple of the new element's size: take a window whose rows are, x.at(...)
    tg::bitcast_ref<float>(odd);
    // CHECK-DAG: explicit-views.cpp:[[@LINE+1]]:{{[0-9]+}}: error: bitcast_ref does not take bools or elements of 4 bits: convert between elements of whole bytes
    tg::bitcast_ref<tg::u8>(flags);
  });
}
