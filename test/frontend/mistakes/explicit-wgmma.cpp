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
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:10: error: an accumulator cannot be copied: capture it by reference, [&], or read it, acc[tg::all]
    auto copy = acc;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:22: error: an accumulator cannot be copied: capture it by reference, [&], or read it, acc[tg::all]
    auto captured = [=] { tg::wgmma(acc, a.at(0), c); };
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:30: error: the number of rows of an accumulator is not a multiple of 64: write tg::acc<float, 64, N>
    tg::acc<float, 100, 256> rows;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:29: error: the number of columns of an accumulator is not a multiple of 8 up to 512: write tg::acc<float, 64, 256>
    tg::acc<float, 64, 520> columns;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:32: error: wgmma does not accumulate in this element type: use float, f16 or s32
    tg::acc<tg::bf16, 64, 256> element;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: a and b differ in K: a is M x K and b is K x N
    tg::wgmma(acc, a.at(0), b.at(0));
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: the count of operations in flight is out of range: N is 0 to 7
    tg::wgmma_accumulator_load<8>(acc);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: wgmma_accumulator_load<N>(acc) takes a tg::acc, or a part of one
    tg::wgmma_accumulator_load<0>(a);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: an operand of wgmma is not a matrix of two dimensions: select a stage of a ring by .at(stage)
    tg::wgmma(acc, a, c);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: an operand of wgmma(acc, a, b) has the wrong kind: acc is a tg::acc, a is in shared memory or a tile, and b is in shared memory
    tg::wgmma(acc, x.at(tg::ds<128>(0), tg::ds<64>(0)), c);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:30: error: the number of columns of an s32 accumulator is not supported: write a multiple of 16, or 8 or 24
    tg::acc<tg::s32, 64, 40> integers;
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: wgmma does not multiply these element types: it takes f16, bf16 or float with the same type, 8-bit floats with 8-bit floats, and s8 or u8 with s8 or u8
    tg::wgmma(acc, a.at(0), floats);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: the accumulator has the wrong element type: float or f16 for f16 and 8-bit floats, float for bf16 and float, s32 for s8 and u8
    tg::wgmma(narrow, a.at(0), c);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: the accumulator's shape does not fit: a is M x K and b is K x N, so acc is M x N
    tg::wgmma(acc, a.at(0, tg::ds<64>(0)), c);
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: K is not a multiple of 32 bytes: use a multiple of 8 elements of float, 16 of f16 or bf16, 32 of 8 bits
    tg::wgmma(acc, thin, c.at(tg::ds<8>(0)));
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:5: error: tg::wgmma has no option .acumulate: did you mean .accumulate?
    tg::wgmma(acc, a.at(0), c, {.acumulate = n > 0});
    // CHECK: explicit-wgmma.cpp:[[@LINE+1]]:9: error: the count of operations in flight is out of range: N is 0 to 7
    tg::wgmma_wait<8>();
  });
}
