// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// Semaphores that are not the launch's, or not one of them.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::s64 n) {
  tg::kernel({.grid = {{"m", n}}}, [=] {
    // CHECK: explicit-semaphores.cpp:[[@LINE+1]]:22: error: a semaphore cannot be a plain variable, because it belongs to the launch: auto s = tg::get_global<tg::semaphore<4>>()
    tg::semaphore<4> mine;
    auto s = tg::get_global<tg::semaphore<2, 3>>();
    // CHECK: explicit-semaphores.cpp:[[@LINE+1]]:24: error: this is an array of semaphores: name one of them, semaphores.at(i)
    tg::semaphore_wait(s);
    // CHECK: explicit-semaphores.cpp:[[@LINE+1]]:9: error: get_global does not allocate this type, only semaphores: tg::get_global<tg::semaphore<4>>()
    tg::get_global<tg::barrier<2>>();
    // CHECK: explicit-semaphores.cpp:[[@LINE+1]]:21: error: an extent of an array of semaphores is not a positive constant: write tg::semaphore<4> (here 0)
    auto none = tg::get_global<tg::semaphore<0>>();
    // CHECK: explicit-semaphores.cpp:[[@LINE+1]]:28: error: the number of indices differs from the rank of the array of semaphores: give one index per dimension, turn.at(m)
    tg::semaphore_signal(s.at(1));
    // CHECK: explicit-semaphores.cpp:[[@LINE+1]]:28: error: a semaphore is selected by integers only: turn.at(m)
    tg::semaphore_signal(s.at(tg::all, 1));
  });
}
