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
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:10: error: an accumulator has one name: capture it by reference, [&], or read it, acc[tg::all]
    auto copy = acc;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:22: error: an accumulator has one name: capture it by reference, [&], or read it, acc[tg::all]
    auto captured = [=] { tg::wgmma(acc, a.at(0), c); };
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:30: error: an accumulator has a multiple of 64 rows
    tg::acc<float, 100, 256> rows;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:29: error: an accumulator has a multiple of 8 columns, at most 256
    tg::acc<float, 64, 264> columns;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:32: error: products accumulate in float, or of f16 in f16
    tg::acc<tg::bf16, 64, 256> element;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: a is M x K and b is K x N, but they differ in K
    tg::wgmma(acc, a.at(0), b.at(0));
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: wgmma multiplies matrices, of two dimensions: a ring of them is narrowed by .at(stage)
    tg::wgmma(acc, a, c);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: wgmma(acc, a, b) takes a tg::acc, a in shared memory or a tile, and b in shared memory
    tg::wgmma(acc, x.at(tg::ds<128>(0), tg::ds<64>(0)), c);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: wgmma multiplies matrices of the same elements
    tg::wgmma(acc, a.at(0), floats);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: a is M x K and b is K x N, so acc is M x N
    tg::wgmma(acc, a.at(0, tg::ds<64>(0)), c);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: K is a multiple of 32 bytes: of 16 elements of f16 or bf16, of 32 of e4m3
    tg::wgmma(acc, thin, c.at(tg::ds<8>(0)));
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:5: error: tg::wgmma has no option .acumulate: did you mean .accumulate?
    tg::wgmma(acc, a.at(0), c, {.acumulate = n > 0});
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: 0 to 7 products may be in flight
    tg::wgmma_wait<8>();
  });
}
