// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What the tensor core cannot do, C++ sees.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const tg::bf16, 2> x, tg::s64 n) {
  tg::kernel([=] {
    tg::smem<tg::bf16, 4, 128, 64> a;
    tg::smem<tg::bf16, 4, 128, 256> b;
    tg::smem<tg::bf16, 64, 256> c;
    tg::smem<float, 64, 256> floats;
    tg::smem<tg::bf16, 128, 8> thin;
    tg::acc<float, 128, 256> acc;
    tg::acc<tg::f16, 128, 256> narrow;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:10: error: an accumulator has one name: capture it by reference, [&], or read it, acc[tg::all]
    auto copy = acc;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:22: error: an accumulator has one name: capture it by reference, [&], or read it, acc[tg::all]
    auto captured = [=] { tg::wgmma(acc, a.at(0), c); };
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:30: error: an accumulator has a multiple of 64 rows
    tg::acc<float, 100, 256> rows;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:29: error: an accumulator has a multiple of 8 columns, at most 512
    tg::acc<float, 64, 520> columns;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:32: error: products accumulate in float, f16 or s32
    tg::acc<tg::bf16, 64, 256> element;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: a is M x K and b is K x N, but they differ in K
    tg::wgmma(acc, a.at(0), b.at(0));
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: 0 to 7 products may be in flight
    tg::wgmma_accumulator_load<8>(acc);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: wgmma_accumulator_load<N>(acc) reads a tg::acc
    tg::wgmma_accumulator_load<0>(a);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: wgmma multiplies matrices, of two dimensions: a ring of them is narrowed by .at(stage)
    tg::wgmma(acc, a, c);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: wgmma(acc, a, b) takes a tg::acc, a in shared memory or a tile, and b in shared memory
    tg::wgmma(acc, x.at(tg::ds<128>(0), tg::ds<64>(0)), c);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:30: error: an accumulator of s32 has a multiple of 16 columns, or 8 or 24
    tg::acc<tg::s32, 64, 40> integers;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: wgmma multiplies f16, bf16 or float by the same elements, 8-bit floats by 8-bit floats, and s8 or u8 by s8 or u8
    tg::wgmma(acc, a.at(0), floats);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: products of f16 and of 8-bit floats accumulate in float or f16, those of bf16 and of float in float, those of s8 and u8 in s32
    tg::wgmma(narrow, a.at(0), c);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: a is M x K and b is K x N, so acc is M x N
    tg::wgmma(acc, a.at(0, tg::ds<64>(0)), c);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: K is a multiple of 32 bytes: of 8 elements of float, 16 of f16 or bf16, 32 of 8 bits
    tg::wgmma(acc, thin, c.at(tg::ds<8>(0)));
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:5: error: tg::wgmma has no option .acumulate: did you mean .accumulate?
    tg::wgmma(acc, a.at(0), c, {.acumulate = n > 0});
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: 0 to 7 products may be in flight
    tg::wgmma_wait<8>();
  });
}
