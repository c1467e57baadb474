// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several products of a program: one ring for their factors, if one loop sums them.
// RUN: tegulac -Rsplit --arch=sm_90a --emit=tile-expanded %s -o %t 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t
#include <tegula/tegula.h>
namespace tg = tegula;

using matrix = tg::array<const tg::bf16, 2>;

// The loops of two products of whole rows become one, which reads x once: 128 rows of it, and 128 columns of each of
// the others. What comes of the first product alone stands behind.
// REMARKS: tensor cores, in sub-tiles of 128 by 128 (two_0_tensor)
// CHECK-LABEL: tile.kernel @two_0_tensor(
// CHECK: tile.alloc : <bf16, [4, 128, 64], smem>
// CHECK: tile.alloc : <bf16, [4, 64, 128], smem>
// CHECK: tile.alloc : <bf16, [4, 64, 128], smem>
// CHECK-NOT: tile.alloc :
// CHECK: tile.alloc_barriers arrivals 3 : <4>
// CHECK-COUNT-3: tile.copy_to_shared
// CHECK-NOT: tile.copy_to_shared
// CHECK: tile.barrier_wait
// CHECK: %[[FIRST:.*]] = tile.wgmma %{{.*}}, %[[ROWS:.*]], %{{.*}} -> tensor<64x128xf32>
// CHECK: %[[SECOND:.*]] = tile.wgmma %{{.*}}, %[[ROWS]], %{{.*}} -> tensor<64x128xf32>
// Those of the step before are done.
// CHECK: tile.wgmma_wait 2
// CHECK: tile.wgmma_wait 0
// CHECK: tile.exp
// CHECK-LABEL: tile.kernel @two_0_tensor_small(
TEGULA_KERNEL void two(matrix x, matrix w, matrix v, tg::array<float, 2> o) {
  tg::check(x.dim(1) == w.dim(0) && x.dim(1) == v.dim(0), "the inner dimensions differ");
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == w.dim(1) && o.dim(1) == v.dim(1), "o does not fit");
  tg::pallas_call(
      [](auto x, auto w, auto v, auto o) {
        const auto gate = tg::exp(tg::dot(x[tg::all], w[tg::all]));
        o[tg::all] = gate * tg::dot(x[tg::all], v[tg::all]);
      },
      tg::in(x), tg::in(w), tg::in(v), tg::out(o));
}

// Two products of one sum have all of its registers.
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (one_sum_0_tensor)
TEGULA_KERNEL void one_sum(matrix a, matrix b, matrix c, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && a.dim(1) == c.dim(0), "the inner dimensions differ");
  tg::check(o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1) && o.dim(1) == c.dim(1), "o does not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 128), tg::cdiv(o.dim(1), 256)}},
      [](auto a, auto b, auto c, auto o) {
        auto sum = tg::zeros<float, 128, 256>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], c[tg::ds<64>(64 * k), tg::all]);
        }
        o[tg::all] = sum;
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 256>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<tg::whole, 256>(c, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 256>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

// A store between two loops is behind both, if nothing reads its array; else the loops stay apart.
// REMARKS: tensor cores, in sub-tiles of 128 by 128 (results_0_tensor)
TEGULA_KERNEL void results(matrix x, matrix w, matrix v, tg::array<float, 2> o, tg::array<float, 2> p) {
  tg::check(x.dim(1) == w.dim(0) && x.dim(1) == v.dim(0) && p.dim(0) == o.dim(0), "the inner dimensions differ");
  tg::check(o.dim(0) == x.dim(0) && o.dim(1) == w.dim(1) && o.dim(1) == v.dim(1) && p.dim(1) == o.dim(1), "o or p");
  tg::pallas_call(
      [](auto x, auto w, auto v, auto o, auto p) {
        const auto rows = x[tg::all];
        o[tg::all] = tg::dot(rows, w[tg::all]);
        p[tg::all] = tg::dot(rows, v[tg::all]);
      },
      tg::in(x), tg::in(w), tg::in(v), tg::out(o), tg::out(p));
}

// A product of a product is summed by a loop of its own.
// REMARKS: all calls: not on tensor cores: the program has several products, which are not summed by one loop
TEGULA_KERNEL void of_product(matrix a, matrix b, tg::array<const tg::bf16, 2> c, tg::array<float, 2> o) {
  tg::check(a.dim(1) == 64 && b.dim(0) == 64 && b.dim(1) == 64 && c.dim(0) == 64, "the inner dimensions differ");
  tg::check(o.dim(0) == a.dim(0) && o.dim(1) == c.dim(1), "o does not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 128), tg::cdiv(o.dim(1), 64)}},
      [](auto a, auto b, auto c, auto o) {
        const auto product = tg::astype<tg::bf16>(tg::dot(a[tg::all], b[tg::all]));
        o[tg::all] = tg::dot(product, c[tg::all]);
      },
      tg::in<128, 64>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<64, 64>(b, [](auto, auto) { return tg::index(0, 0); }),
      tg::in<64, 64>(c, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 64>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

// Rows of static length are whole in a sub-tile: what is made of a row is stored beside the product.
// REMARKS: tensor cores, in sub-tiles of 128 by 256 (row_sums_0_tensor)
// CHECK-LABEL: tile.kernel @row_sums_0_tensor(
// CHECK: tile.wgmma_wait 0
// CHECK-COUNT-4: tile.copy_to_global
// CHECK: tile.reduce sum {{.*}} tensor<64x256xf32> -> tensor<64xf32>
// CHECK: tile.store {{.*}} : tensor<64xf32>
template <int N> TEGULA_KERNEL void sums(matrix a, matrix b, tg::array<tg::bf16, 2> o, tg::array<float, 2> sums) {
  tg::check(a.dim(1) == b.dim(0), "the inner dimensions differ");
  tg::check(o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1) && sums.dim(0) == o.dim(0), "o does not fit");
  tg::check(sums.dim(1) == tg::cdiv(o.dim(1), N), "sums does not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 128), tg::cdiv(o.dim(1), N)}},
      [](auto a, auto b, auto o, auto sums) {
        const auto product = tg::dot(a[tg::all], b[tg::all]);
        o[tg::all] = tg::astype<tg::bf16>(product);
        sums[tg::all] = tg::sum<1>(product);
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, N>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, N>(o, [](auto i, auto j) { return tg::index(i, j); }),
      tg::out<128, tg::squeezed>(sums, [](auto i, auto j) { return tg::index(i, j); }));
}
TEGULA_INSTANTIATE("row_sums", sums<256>);
// REMARKS: not on tensor cores: the program stores results of other shapes beside the product, which are not made of whole sub-tiles: of static rows of at most 256 elements
TEGULA_INSTANTIATE("long_row_sums", sums<512>);

// Two consumers would both do what has no rows of the product.
// REMARKS: not on tensor cores: beside the product, the program stores a tile that is not made of it, such as a constant: do that in a launch of its own
TEGULA_KERNEL void and_doubled(matrix a, matrix b, tg::array<float, 2> o, tg::array<float, 2> counts) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::check(counts.dim(0) == tg::cdiv(o.dim(0), 128) && counts.dim(1) == 100, "counts does not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 128)}},
      [](auto a, auto b, auto o, auto counts) {
        o[tg::all] = tg::dot(a[tg::all], b[tg::all]);
        counts[tg::all] = counts[tg::all] * 2;
      },
      tg::in<128, tg::whole>(a, [](auto i) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(b, [](auto) { return tg::index(0, 0); }),
      tg::out<128, 128>(o, [](auto i) { return tg::index(i, 0); }),
      tg::inout<tg::squeezed, 100>(counts, [](auto i) { return tg::index(i, 0); }));
}

// Two steps of four factors have room beside narrower sums; what has none at all is not for TMA. For mma.sync, steps
// are cut.
// REMARKS: tensor cores, in sub-tiles of 128 by 64 (long_steps_0_tensor)
// REMARKS: all calls: not by wgmma: the factors of the steps that are kept take more shared memory than there is
// REMARKS: tensor cores (mma.sync), in sub-tiles of 128 by 64 (too_long_steps_0_tensor_dense)
template <class T> TEGULA_KERNEL void long_steps(matrix a, matrix b, matrix c, matrix d, matrix e, matrix f, tg::array<T, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && c.dim(1) == d.dim(0) && e.dim(1) == f.dim(0), "the inner dimensions differ");
  tg::check(o.dim(0) == a.dim(0) && o.dim(0) == c.dim(0) && o.dim(0) == e.dim(0), "o does not fit");
  tg::check(o.dim(1) == b.dim(1) && o.dim(1) == d.dim(1) && o.dim(1) == f.dim(1), "o does not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 128), tg::cdiv(o.dim(1), 128)}},
      [](auto a, auto b, auto c, auto d, auto e, auto f, auto o) {
        auto sum = tg::zeros<float, 128, 128>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 128); ++k) {
          sum += tg::dot(a[tg::all, tg::ds<128>(128 * k)], b[tg::ds<128>(128 * k), tg::all]);
          sum += tg::dot(c[tg::all, tg::ds<128>(128 * k)], d[tg::ds<128>(128 * k), tg::all]);
          if constexpr (__is_same(T, float))
            sum += tg::dot(e[tg::all, tg::ds<128>(128 * k)], f[tg::ds<128>(128 * k), tg::all]);
        }
        o[tg::all] = tg::astype<T>(sum);
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<128, tg::whole>(c, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(d, [](auto, auto j) { return tg::index(0, j); }),
      tg::in<128, tg::whole>(e, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(f, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
TEGULA_INSTANTIATE("long_steps", long_steps<tg::bf16>);
TEGULA_INSTANTIATE("too_long_steps", long_steps<float>);

// Steps that are known to be full are whole windows.
// REMARKS: tensor cores, in sub-tiles of 128 by 128 (full_steps_0_tensor)
TEGULA_KERNEL void full_steps(matrix a, matrix b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && a.dim(1) % 64 == 0, "the inner dimensions are no multiples of 64");
  tg::check(o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "o does not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(o.dim(0), 128), tg::cdiv(o.dim(1), 128)}},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<float, 128, 128>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k)
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * k)], b[tg::ds<64>(64 * k), tg::all]);
        o[tg::all] = sum;
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
}

// Steps that a number of 32 bits counts begin at multiples of 16 bytes, too.
template <bool Shifts> TEGULA_KERNEL void counted(matrix a, matrix b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 128)}},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<float, 128, 128>();
        for (int k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
          const auto start = Shifts ? k << 6 : 64 * k;
          sum += tg::dot(a[tg::all, tg::ds<64>(start)], b[tg::ds<64>(start), tg::all]);
        }
        o[tg::all] = sum;
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
// REMARKS: tensor cores, in sub-tiles of 128 by 128 (counted_by_int_0_tensor)
TEGULA_INSTANTIATE("counted_by_int", counted<false>);
// REMARKS: tensor cores, in sub-tiles of 128 by 128 (counted_by_shifts_0_tensor)
TEGULA_INSTANTIATE("counted_by_shifts", counted<true>);

// What steps are made of is looked at once: by every way from the end to it, that would take years.
// REMARKS: tensor cores, in sub-tiles of 128 by 128 (shared_terms_0_tensor)
TEGULA_KERNEL void shared_terms(matrix a, matrix b, tg::array<float, 2> o) {
  tg::check(a.dim(1) == b.dim(0) && o.dim(0) == a.dim(0) && o.dim(1) == b.dim(1), "a, b and o do not fit");
  tg::pallas_call(
      {.grid = {tg::cdiv(a.dim(0), 128), tg::cdiv(b.dim(1), 128)}},
      [](auto a, auto b, auto o) {
        auto sum = tg::zeros<float, 128, 128>();
        for (tg::s64 k = 0; k < tg::cdiv(a.dim(1), 64); ++k) {
          auto step = k;
#pragma unroll
          for (int i = 0; i < 60; ++i)
            step = step + (step ^ i);
          sum += tg::dot(a[tg::all, tg::ds<64>(64 * (step & 3))], b[tg::ds<64>(64 * (step & 3)), tg::all]);
        }
        o[tg::all] = sum;
      },
      tg::in<128, tg::whole>(a, [](auto i, auto) { return tg::index(i, 0); }),
      tg::in<tg::whole, 128>(b, [](auto, auto j) { return tg::index(0, j); }),
      tg::out<128, 128>(o, [](auto i, auto j) { return tg::index(i, j); }));
}
