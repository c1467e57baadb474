// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What the tensor cores of warps, and cp.async, cannot do, C++ sees.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const tg::bf16, 2> x, tg::array<const tg::bf16, 3> cube, tg::s64 n) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 4, 64, 64> ring;
    tg::smem<tg::bf16, 64, 64> a, b;
    tg::smem<tg::bf16, 64, 8> thin;
    tg::smem<tg::bf16, 64, 4> narrow;
    tg::smem<float, 64, 64> floats;
    const auto acc = tg::zeros<float, 64, 64>();
    const auto left = a[tg::all], right = b[tg::all];
    // CHECK: explicit-mma.cpp:[[@LINE+1]]:9: error: an operand of mma(acc, a, b) is not a tile of two dimensions: read a and b from shared memory, a_smem[tg::all]
    tg::mma(acc, a, right);
    // CHECK: explicit-mma.cpp:[[@LINE+1]]:9: error: mma does not multiply these element types: it takes f16, bf16, float or double with the same type, 8-bit floats with 8-bit floats, and s8 or u8 with s8 or u8
    tg::mma(acc, left, floats[tg::all]);
    // CHECK: explicit-mma.cpp:[[@LINE+1]]:9: error: acc has the wrong element type: s32 for s8 and u8, double for double, float for all others
    tg::mma(tg::zeros<tg::f16, 64, 64>(), left, right);
    // CHECK: explicit-mma.cpp:[[@LINE+1]]:9: error: the shapes do not fit: a is M x K and b is K x N, so acc is M x N
    tg::mma(tg::zeros<float, 64, 32>(), left, right);
    // CHECK: explicit-mma.cpp:[[@LINE+1]]:9: error: four warps cannot share acc in blocks of 16 rows and 8 columns: its rows and columns must be multiples of 64 and 8, of 32 and 16, or of 16 and 32
    tg::mma(tg::zeros<float, 16, 16>(), tg::zeros<tg::bf16, 16, 64>(), tg::zeros<tg::bf16, 64, 16>());
    // CHECK: explicit-mma.cpp:[[@LINE+1]]:9: error: K does not fill an instruction: use a multiple of 8 elements of float or double, 16 of f16 or bf16, 32 of 8 bits
    tg::mma(acc, thin[tg::all], tg::zeros<tg::bf16, 8, 64>());
    const auto all = tg::ds<64>(0);
    // CHECK: explicit-mma.cpp:[[@LINE+1]]:9: error: cp_async takes an array, or a window of one, and then shared memory
    tg::cp_async(a, b);
    // CHECK: explicit-mma.cpp:[[@LINE+1]]:9: error: the source and the target of a copy differ in extents: take a window of one by .at(...)
    tg::cp_async(x.at(all, tg::ds<32>(0)), a);
    // CHECK: explicit-mma.cpp:[[@LINE+1]]:9: error: the element types of the source and the target differ, and a copy does not convert: give both the same type
    tg::cp_async(x.at(all, all), floats);
    // CHECK: explicit-mma.cpp:[[@LINE+1]]:9: error: an operand of cp_async is not a matrix of two dimensions: select a stage of a ring by .at(stage)
    tg::cp_async(cube.at(tg::ds<4>(0), all, all), ring);
    // CHECK: explicit-mma.cpp:[[@LINE+1]]:9: error: the rows that cp_async copies are not a multiple of 16 bytes: use more columns
    tg::cp_async(x.at(all, tg::ds<4>(0)), narrow);
    // CHECK: explicit-mma.cpp:[[@LINE+1]]:5: error: tg::cp_async has no option .predicat: did you mean .predicate?
    tg::cp_async(x.at(all, all), a, {.predicat = n > 0});
    // CHECK: explicit-mma.cpp:[[@LINE+1]]:9: error: the count of cp_async_wait<N> is negative: N is the number of groups that may be in flight
    tg::cp_async_wait<-1>();
  });
}
