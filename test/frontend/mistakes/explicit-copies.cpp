// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// Copies are between global and shared memory, of like places.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<float, 2> o, tg::array<const float, 2> x) {
  tg::kernel([=] {
    tg::smem<float, 64, 64> s;
    tg::smem<int, 64, 64> t;
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:30: error: an extent of shared memory is not a positive constant: write tg::smem<float, 64, 64>
    tg::smem<float, tg::any> unknown;
    tg::barrier<2> done;
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:21: error: an array of barriers has 1 to 32 of them: declare several arrays
    tg::barrier<33> many;
    const auto window = o.at(tg::ds<64>(0), tg::ds<64>(0));
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:9: error: the source and the target of a copy differ in extents: take a window of one by .at(...)
    tg::copy_smem_to_gmem(s, o.at(tg::ds<64>(0), tg::ds<128>(0)));
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:9: error: the element types of the source and the target differ, and a copy does not convert: give both the same type
    tg::copy_smem_to_gmem(t, window);
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:9: error: copy_smem_to_gmem takes shared memory, and then an array or a window of one
    tg::copy_smem_to_gmem(window, s);
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:9: error: this place is read-only: it is a block of tg::in, an array of const elements, or a const variable
    tg::copy_smem_to_gmem(s, x.at(tg::ds<64>(0), tg::ds<64>(0)));
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:5: error: a copy from an array completes on a barrier, which is missing: copy_gmem_to_smem(source, target, barrier)
    tg::copy_gmem_to_smem(window, s);
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:9: error: copy_gmem_to_smem takes an array, or a window of one, and then shared memory
    tg::copy_gmem_to_smem(s, window, done.at(0));
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:22: error: this is an array of barriers: name one of them, barriers.at(i)
    tg::barrier_wait(done);
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:29: error: the number of indices differs from the rank of the array of barriers: give one index per dimension, full.at(i)
    tg::barrier_arrive(done.at(0, 1));
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:29: error: a barrier is selected by integers only: full.at(i)
    tg::barrier_arrive(done.at(tg::all));
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:12: error: there are more indices than dimensions; a ref or value of rank 0 takes none, x[]
    (void)s[0, 0, 0];
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:14: error: a ref is a place, not a value: load it, ref[tg::all]
    (void)(s + s);
    // CHECK: explicit-copies.cpp:[[@LINE+1]]:15: error: the axes are not a permutation: transpose_ref<1, 0>(x) names every dimension of x once
    (void)tg::transpose_ref<0, 0>(s);
  });
}
