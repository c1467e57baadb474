// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// A range is a C array.
#include <tegula/tegula.h>
#include <initializer_list>
namespace tg = tegula;

struct counter {
  struct iterator {
    int at;
    int operator*() const { return at; }
    iterator &operator++() { return ++at, *this; }
    bool operator!=(const iterator &other) const { return at != other.at; }
  };
  int n;
  iterator begin() const { return {0}; }
  iterator end() const { return {n}; }
};
TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::pallas_call(
      [=](auto x, auto o) {
        // CHECK: range-for.cpp:[[@LINE+1]]:22: error: a range-for in a kernel iterates over a C array or a std::array, not over 'counter': count with for (int i = 0; ...) [tegula-range-for]
        for (int i : counter{n})
          o[i] = x[i];
        // CHECK: range-for.cpp:[[@LINE+1]]:28: error: a range-for in a kernel iterates over a C array or a std::array, not over 'std::initializer_list<float>': name the array, const float values[] = {1, 2}, and iterate over it [tegula-range-for]
        for (float value : {1.0f, 2.0f})
          o[0] = value;
      },
      tg::in(x), tg::out(o));
}
