// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=tegula.h
// What updates take.
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 2> o, tg::array<short, 1> narrow) {
  tg::pallas_call(
      [](auto x, auto o, auto narrow) {
        const auto t = tg::load(x.at(tg::ds<8>(0)), true, 0);
        // CHECK-DAG: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the element types differ, and an update does not convert: write tg::astype<...>(value)
        tg::atomic_add(o.at(0, tg::ds<8>(0)), tg::astype<double>(t));
        // CHECK-DAG: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the value does not broadcast to the shape of the ref
        tg::atomic_add(o.at(0, tg::ds<4>(0)), t);
        // CHECK-DAG: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: a mask must have bool elements: compare first, mask != 0
        tg::atomic_add(o.at(0, tg::ds<8>(0)), t, t);
        // CHECK-DAG: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: the mask does not broadcast to the shape of the ref
        tg::atomic_add(o.at(0, tg::ds<8>(0)), t, tg::iota<int, 4>() < 2);
        // CHECK-DAG: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an update takes a ref, not a loaded value: tg::atomic_max(o.at(i), value)
        tg::atomic_max(o[0, 0], 1);
        // CHECK-DAG: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this place is read-only
        tg::atomic_add(x.at(0), 1);
        // CHECK-DAG: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: this element type has no atomic updates: keep counts and sums in s32, u32, s64, u64, f16, bf16, f32 or f64
        tg::atomic_add(narrow.at(0), 1);
        // CHECK-DAG: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: bitwise atomic updates take integers of 32 or 64 bits only: use s32, u32, s64 or u64
        tg::atomic_or(o.at(0, 0), 1);
      },
      tg::in(x), tg::inout(o), tg::inout(narrow));
}

TEGULA_KERNEL void g(tg::array<float, 2> o) {
  tg::kernel([=] {
    tg::acc<float, 64, 64> sum;
    // CHECK-DAG: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: an accumulator cannot be updated atomically: update an array or shared memory
    tg::atomic_add(sum, 1.0f);
  });
}

TEGULA_KERNEL void h() {
  tg::kernel({.cluster = {{"c", 2}}}, [=] {
    tg::smem<tg::s64, 32> counts;
    tg::smem<double, 32> sums;
    tg::smem<tg::s64, 1> flags;
    tg::atomic_add(tg::cluster_ref(counts, {"c", 0}), 1);
    // CHECK-DAG: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: elements of 64 bits in another CTA's memory have integer adds only: update elements of 32 bits, this CTA's memory, or an array
    tg::atomic_max(tg::cluster_ref(counts, {"c", 0}), 1);
    // CHECK-DAG: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: elements of 64 bits in another CTA's memory have integer adds only: update elements of 32 bits, this CTA's memory, or an array
    tg::atomic_add(tg::cluster_ref(sums, {"c", 0}), 1.0);
    // CHECK-DAG: atomics.cpp:[[@LINE+1]]:{{[0-9]+}}: error: elements of 64 bits in another CTA's memory have integer adds only: update elements of 32 bits, this CTA's memory, or an array
    tg::atomic_cas(tg::cluster_ref(flags, {"c", 0}), 0, 1);
  });
}
