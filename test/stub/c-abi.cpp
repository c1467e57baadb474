// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries as C functions over DLPack tensors: the header, the functions behind it, and a C program that calls them.
// RUN: rm -rf %t && mkdir -p %t && tegulac --c-abi --arch sm_90a %s -o %t/kernels
// RUN: FileCheck %s --check-prefix=HEADER --input-file %t/kernels.c.h
// RUN: FileCheck %s --input-file %t/kernels.c.cpp
// RUN: cp %S/Inputs/c_abi.c %t/main.c && %cc -I%t -c %t/main.c -o %t/main.o
// RUN: %cxx -fvisibility=hidden -I%t %t/kernels.cpp %t/kernels.c.cpp %t/main.o %link -o %t/main
// RUN: %t/main | FileCheck %s --check-prefix=OUT
// The header is one of C++, too, before and after the stub's.
// RUN: echo '#include "kernels.c.h"' > %t/first.cpp && echo '#include "kernels.h"' >> %t/first.cpp
// RUN: echo '#include "tegula/dlpack.h"' > %t/last.cpp && echo '#include "kernels.c.h"' >> %t/last.cpp
// RUN: %cxx -pedantic -I%t -fsyntax-only %t/first.cpp %t/last.cpp
// RUN: tegulac --c-abi=my_ --arch sm_90a %s -o %t/named && FileCheck %s --check-prefix=NAMED --input-file %t/named.c.h
// NAMED: int my_negate(const DLTensor *x, void *stream, DLManagedTensorVersioned **result);
// NAMED: const char *my_last_error(void);
// RUN: not tegulac --c-abi=my-ops %s -o %t/no 2>&1 | FileCheck %s --check-prefix=PREFIX
// PREFIX: tegulac: error: --c-abi takes what C names may begin with, letters, digits and '_', and 'my-ops' is not that
// RUN: not tegulac --c-abi --emit=cpu %s -o - 2>&1 | FileCheck %s --check-prefix=EMIT
// EMIT: tegulac: error: --c-abi is for stubs: leave it out, or --emit
// RUN: not tegulac --c-abi=my_ %s %s -o %t/ 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: tegulac: error: --c-abi=<prefix> is for one kernel file, since functions of several would have one name: leave the prefix out, then each file has that of its name
#include <tegula/tegula.h>
namespace tg = tegula;

// HEADER: // Made by tegulac from {{.*}}c-abi.cpp. Do not edit: changes are lost.
// HEADER: #include "tegula/dlpack_c.h"
// HEADER-EMPTY:
// HEADER-NEXT: #ifdef __cplusplus
// HEADER-NEXT: extern "C" {
// HEADER-NEXT: #endif
// CHECK: #include "kernels.c.h"
// CHECK-EMPTY:
// CHECK-NEXT: #include "kernels.h"
// CHECK-EMPTY:
// CHECK-NEXT: #include "tegula/c_abi.h"

// An input, and an output that is allocated.
//
// HEADER: /// -x.
// HEADER-NEXT: ///
// HEADER-NEXT: /// negate(x: const f32[1]) -> result: f32[1]
// HEADER-NEXT: int kernels_negate(const DLTensor *x, void *stream, DLManagedTensorVersioned **result);
// CHECK: TEGULA_EXPORT int kernels_negate(const DLTensor *x, void *stream, DLManagedTensorVersioned **result) {
// CHECK-NEXT:   return tegula::c_abi::run("kernels_negate", {x}, stream, {result}, [&](const tegula::c_abi::call &call) {
// CHECK-NEXT:     tegula::c_abi::give(result, ::negate(call.array<const float, 1>("x", x), call.stream()));
// CHECK-NEXT:   });
// CHECK-NEXT: }
/// -x.
TEGULA_KERNEL tg::array<float, 1> negate(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = -x[tg::all]; }, tg::in(x), tg::out(o));
  return o;
}

// In place, with scalars of all kinds: no result. Names of C get another one.
//
// HEADER: /// update(x: f32[1], restrict_: const f32[1], n: s32, scale: f32 = 1e-05, on: bool = True, wide: s64 = -3, bound: f32 = inf, half: f16 = 0.5, most: u64 = 18446744073709551615)
// HEADER-NEXT: int kernels_update(DLTensor *x, const DLTensor *restrict_, int32_t n, float scale, bool on, int64_t wide, float bound,
// HEADER-NEXT:                    float half, uint64_t most, void *stream);
// CHECK: ::update(call.array<float, 1>("x", x), call.array<const float, 1>("restrict_", restrict_), n, scale, on, wide,
// CHECK-NEXT: bound, static_cast<tegula::f16>(half), most, call.stream());
TEGULA_KERNEL void update(tg::array<float, 1> x, tg::array<const float, 1> restrict, int n, float scale = 1e-5f,
                          bool on = true, tg::s64 wide = -3, float bound = tg::inf, tg::f16 half = tg::f16(0.5f),
                          tg::u64 most = -1) {
  tg::check(x.dim(0) == restrict.dim(0), "x and restrict differ");
  tg::check(most > 2, "most is too small");
  const float shift = on ? static_cast<float>(n + wide) + static_cast<float>(half) : 0.0f;
  tg::pallas_call(
      [=](auto x, auto y) { x[tg::all] = tg::minimum(x[tg::all] + y[tg::all] * scale + shift, bound); }, tg::inout(x),
      tg::in(restrict));
}

// Several results, and an optional array. One function of two types.
//
// HEADER: /// both(x: const f32[2]|bf16[2], shift: const f32[1]|bf16[1]?) -> sum: f32[1]|bf16[1], greatest: f32[1]|bf16[1], rows: s32
// HEADER-NEXT: int kernels_both(const DLTensor *x, const DLTensor *shift, void *stream, DLManagedTensorVersioned **sum,
// HEADER-NEXT:                  DLManagedTensorVersioned **greatest, int32_t *rows);
// CHECK: return tegula::c_abi::run("kernels_both", {x, shift}, stream, {sum, greatest},
// CHECK: if (tegula::c_abi::fits<float, 2>(x) && tegula::c_abi::fits<float, 1>(shift)) {
// CHECK-NEXT: auto results =
// CHECK-NEXT: ::both(call.array<const float, 2>("x", x), call.optional<const float, 1>("shift", shift), call.stream());
// CHECK-NEXT: tegula::c_abi::give(sum, std::move(results.sum));
// CHECK-NEXT: tegula::c_abi::give(greatest, std::move(results.greatest));
// CHECK-NEXT: tegula::c_abi::give(rows, results.rows);
// CHECK-NEXT: return;
// CHECK: if (tegula::c_abi::fits<tegula::bf16, 2>(x) && tegula::c_abi::fits<tegula::bf16, 1>(shift)) {
// CHECK: call.refuse({
template <class T> struct Both {
  tg::array<T, 1> sum, greatest;
  int rows;
};
template <class T> TEGULA_KERNEL Both<T> both(tg::array<const T, 2> x, tg::array<const T, 1> shift = {}) {
  tg::check(!shift || shift.dim(0) == x.dim(0), "shift has an entry per row");
  Both<T> o{tg::empty<T>(x.dim(0)), tg::empty<T>(x.dim(0)), 2};
  tg::pallas_call(
      [](auto x, auto shift, auto sum, auto greatest) {
        auto v = x[tg::all, tg::all];
        if (shift)
          v = v + shift[tg::all, tg::newaxis];
        sum[tg::all] = tg::sum<1>(v);
        greatest[tg::all] = tg::max<1>(v);
      },
      tg::in(x), tg::in(shift), tg::out(o.sum), tg::out(o.greatest));
  return o;
}
TEGULA_INSTANTIATE("both", both<float>);
TEGULA_INSTANTIATE("both", both<tg::bf16>);

// Namespaces are part of the name. Other parameters: an overload.
//
// HEADER: int kernels_inner_negate(const DLTensor *x, void *stream, DLManagedTensorVersioned **result);
// HEADER: int kernels_inner_negate_x_by(const DLTensor *x, double by, void *stream, DLManagedTensorVersioned **result);
// CHECK: ::inner::negate(call.array<const double, 1>("x", x), by, call.stream())
namespace inner {
TEGULA_KERNEL tg::array<tg::u8, 1> negate(tg::array<const tg::u8, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = -x[tg::all]; }, tg::in(x), tg::out(o));
  return o;
}
TEGULA_KERNEL tg::array<double, 1> negate(tg::array<const double, 1> x, double by) {
  auto o = tg::empty_like(x);
  tg::pallas_call([=](auto x, auto o) { o[tg::all] = -x[tg::all] * by; }, tg::in(x), tg::out(o));
  return o;
}
} // namespace inner

// A scalar is a result, too.
//
// HEADER: /// half(x: const f16[1]) -> result: f32
// HEADER-NEXT: int kernels_half(const DLTensor *x, void *stream, float *result);
// CHECK: return tegula::c_abi::run("kernels_half", {x}, stream, {}, [&](const tegula::c_abi::call &call) {
// CHECK-NEXT: tegula::c_abi::give(result, ::half(call.array<const tegula::f16, 1>("x", x), call.stream()));
TEGULA_KERNEL float half(tg::array<const tg::f16, 1> x) { return 0.5f * static_cast<float>(x.dim(0)); }

// Lists of arrays.
//
// HEADER: /// step(p: f32[1]*, g: const f32[1]*, rate: f32)
// HEADER-NEXT: int kernels_step(DLTensor *const *p, int64_t p_count, const DLTensor *const *g, int64_t g_count, float rate,
// HEADER-NEXT:                  void *stream);
// CHECK: {tegula::c_abi::first_of(tegula::c_abi::list{p, p_count}),
// CHECK-NEXT: tegula::c_abi::first_of(tegula::c_abi::list{g, g_count})}
// CHECK: ::step(call.arrays<float, 1>("p", tegula::c_abi::list{p, p_count}),
// CHECK: call.arrays<const float, 1>("g", tegula::c_abi::list{g, g_count}), rate, call.stream());
TEGULA_KERNEL void step(tg::arrays<float, 1> p, tg::arrays<const float, 1> g, float rate) {
  tg::check(p.size() == g.size() && p.dim(1) == g.dim(1), "p and g differ");
  tg::pallas_call({.grid = {p.size()}}, [=](auto p, auto g) { p[tg::program_id(0)] -= rate * g[tg::program_id(0)]; },
                  tg::inout(p), tg::in(g));
}

// No array says the device. Elements of 4 bits are two to a byte.
//
// HEADER: /// nibbles(n: s64, device: device) -> result: u4[1]
// HEADER-NEXT: int kernels_nibbles(int64_t n, DLDevice device, void *stream, DLManagedTensorVersioned **result);
// CHECK: return tegula::c_abi::run("kernels_nibbles", device, stream, {result}, [&](const tegula::c_abi::call &call) {
// CHECK-NEXT: tegula::c_abi::give(result, ::nibbles(n, call.device(), call.stream()));
TEGULA_KERNEL tg::array<tg::u4, 1> nibbles(tg::s64 n) {
  auto o = tg::empty<tg::u4>(n);
  tg::pallas_call([](auto o) { o[tg::all] = tg::astype<tg::u4>(tg::iota<int>(o.dim(0))); }, tg::out(o));
  return o;
}

// HEADER: const char *kernels_last_error(void);
// HEADER: const char *kernels_signatures(void);
// HEADER: DLManagedTensor *kernels_unversioned(DLManagedTensorVersioned *tensor);
// HEADER: int kernels_synchronize(DLDevice device, void *stream);
// HEADER-EMPTY:
// HEADER-NEXT: #ifdef __cplusplus
// HEADER-NEXT: }
// HEADER-NEXT: #endif
// CHECK: TEGULA_EXPORT const char *kernels_signatures() {
// CHECK-NEXT: return
// CHECK-NEXT: "negate(x: const f32[1]) -> result: f32[1]\n"
// CHECK: "nibbles(n: s64, device: device) -> result: u4[1]\n";

// OUT: negate: -1 -2 -3 -4
// OUT: update: 4 5 6 6
// OUT: sums: 3 7, greatest: 2 4, rows: 2
// OUT: with shift: 13 27
// OUT: negate of bytes: 255 254 253 252
// OUT: negate by: -0.5
// OUT: half: 2
// OUT: step: 0.5 1.5 and 3 4
// OUT: nibbles: 10 32 54
// OUT: error: negate: 'x' has the negative stride -1 in dimension 0: strides must not be negative, copy it in the order of its memory
// OUT: error: kernels_both: there is no kernel for (x: float64 of 2 dimensions), only for (x: float32 of 2 dimensions, shift: float32 of 1 dimension); (x: bfloat16 of 2 dimensions, shift: bfloat16 of 1 dimension)
// OUT: error: kernels_negate: 'x' is NULL, and the array is not optional: give a tensor
// OUT: signatures: negate(x: const f32[1]) -> result: f32[1]
