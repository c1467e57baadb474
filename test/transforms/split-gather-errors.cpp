// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: tegulac --emit=tile-split -o /dev/null %s
// RUN: tegulac --emit=tile -o - %s | not tegula-opt --tile-sink-takes --tile-split=stages=false 2>&1 | FileCheck %s
// Indices and updates that thread groups cannot share: in stages they need not.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void in_place(tg::array<int, 1> x, tg::array<const int, 1> idx) {
  tg::check(x.dim(0) == idx.dim(0), "x and idx differ in length");
  // CHECK: error: this store may overwrite what the program reads elsewhere in the array, and its blocks are too large for one thread group to keep the order
  tg::pallas_call([=](auto x, auto idx) { x[tg::all] = x[idx[tg::all]]; }, tg::inout(x), tg::in(idx));
}

TEGULA_KERNEL void old_elsewhere(tg::array<int, 1> x, tg::array<int, 1> o, tg::array<const int, 1> idx) {
  tg::pallas_call(
      [=](auto x, auto idx, auto o) {
        // CHECK: error: what this update finds is wanted at other elements than it updates, and its blocks are too large for one thread group to keep them
        // CHECK: note: store its result to an array, and read that in a later launch; or use static blocks of at most 8192 elements
        const auto old = tg::atomic_add(x.at(idx[tg::all]), 1);
        o[tg::iota<int, 8>()] = tg::sum(old);
      },
      tg::inout(x), tg::in(idx), tg::inout(o));
}

TEGULA_KERNEL void large_whole(tg::array<const float, 2> x, tg::array<const int, 1> idx, tg::array<float, 1> o) {
  tg::check(o.dim(0) == idx.dim(0), "o and idx differ in length");
  tg::pallas_call(
      // CHECK: error: elements are taken here of a tile that is made as a whole, and all of it may be more than a thread group can hold
      // CHECK: note: this tile
      // CHECK: note: use static blocks of at most 8192 elements, or store the tile to an array and index that in a later launch
      [=](auto x, auto idx, auto o) { o[tg::all] = tg::sum<1>(x[tg::all])[idx[tg::all]]; }, tg::in(x), tg::in(idx),
      tg::inout(o));
}

TEGULA_KERNEL void repeated(tg::array<int, 1> x, tg::array<const int, 2> idx) {
  tg::pallas_call(
      [=](auto x, auto idx) {
        for (tg::s64 k = 0; k < idx.dim(0); ++k)
          // CHECK: error: the windows that this store writes may overlap from one iteration to the next, and its blocks are too large for one thread group to keep the order
          x[idx[k, tg::all]] = tg::astype<int>(k);
      },
      tg::inout(x), tg::in(idx));
}
