// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What a text names is there, and what it opens it closes: the code around it stays whole.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ");
  tg::pallas_call(
      [](auto x, auto o) {
        const auto one = [](float a) { return a; };
        const auto two = [](float a, float b) { return a + b; };
        const auto a = x[tg::all];
        // CHECK: inline-text.cpp:[[@LINE+1]]:37: error: the text of tg::inline_ptx names $2, and there is one operand, $1 [tegula-inline-text]
        (void)tg::inline_ptx<float>("add.f32 $0, $1, $2;", one, a);
        // CHECK: inline-text.cpp:[[@LINE+1]]:37: error: the text of tg::inline_ptx names $10, and there are 2 operands, $1 to $2 [tegula-inline-text]
        (void)tg::inline_ptx<float>("add.f32 $0, $1, $10;", two, a, a);
        // CHECK: inline-text.cpp:[[@LINE+1]]:37: error: the text of tg::inline_ptx does not name $0, its result [tegula-inline-text]
        (void)tg::inline_ptx<float>("abs.f32 $1, $1;", one, a);
        // CHECK: inline-text.cpp:[[@LINE+1]]:37: error: the text of tg::inline_ptx does not name $2: give what the instructions take alone [tegula-inline-text]
        (void)tg::inline_ptx<float>("abs.f32 $0, $1;", two, a, a);
        // CHECK: inline-text.cpp:[[@LINE+1]]:37: error: the text of tg::inline_ptx has a $ without a number: $0 is the result, $1, $2... are the operands, and $$ is a $ [tegula-inline-text]
        (void)tg::inline_ptx<float>("abs.f32 $0, ${1};", one, a);
        // CHECK: inline-text.cpp:[[@LINE+1]]:37: error: the text of tg::inline_ptx has a $ without a number: $0 is the result, $1, $2... are the operands, and $$ is a $ [tegula-inline-text]
        (void)tg::inline_ptx<float>("abs.f32 $0, $1; .pragma \"$1\";", one, a);
        // CHECK: inline-text.cpp:[[@LINE+1]]:37: error: the text of tg::inline_ptx has a '}' that closes nothing [tegula-inline-text]
        (void)tg::inline_ptx<float>("abs.f32 $0, $1; }", one, a);
        // CHECK: inline-text.cpp:[[@LINE+1]]:37: error: the text of tg::inline_ptx does not close a '{' [tegula-inline-text]
        (void)tg::inline_ptx<float>("{ { abs.f32 $0, $1; }", one, a);
        // CHECK: inline-text.cpp:[[@LINE+1]]:37: error: the text of tg::inline_ptx closes a '{' by a ')' [tegula-inline-text]
        (void)tg::inline_ptx<float>("{ abs.f32 $0, $1; )", one, a);
        // CHECK: inline-text.cpp:[[@LINE+1]]:37: error: the text of tg::inline_ptx does not close a comment, /* [tegula-inline-text]
        (void)tg::inline_ptx<float>("abs.f32 $0, $1; /* fast", one, a);
        // CHECK: inline-text.cpp:[[@LINE+1]]:37: error: the text of tg::inline_ptx does not close a string [tegula-inline-text]
        (void)tg::inline_ptx<float>("abs.f32 $0, $1; .pragma \"nounroll;", one, a);
        // CHECK: inline-text.cpp:[[@LINE+1]]:37: error: the text of tg::inline_ptx does not end with a semicolon [tegula-inline-text]
        (void)tg::inline_ptx<float>("abs.f32 $0, $1", one, a);
        // CHECK: inline-text.cpp:[[@LINE+1]]:37: error: the text of tg::inline_ptx does not name $0, its result [tegula-inline-text]
        (void)tg::inline_ptx<float>("", one, a);
        // What is in comments and strings counts for nothing.
        o[tg::all] = tg::inline_ptx<float>("{ // }\n /* $7 { */ .pragma \"}\"; abs.f32 $0, $1; } // done", one, a);
      },
      tg::in(x), tg::out(o));
}
