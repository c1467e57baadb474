// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What PyTorch is told of the shapes of results while extents are symbols.
// RUN: tegulac --emit=torch --torch-namespace=my_ops %s -o - | FileCheck %s
#include <tegula/tegula.h>
namespace tg = tegula;

// Arithmetic with extents and scalars; checks, but those that always hold. A scalar that only the launch uses is not used here.
//
// CHECK: std::tuple<at::Tensor, at::Tensor> blocks_shapes(const at::Tensor &x, {{\[\[}}maybe_unused]] std::int64_t n,
// CHECK-NEXT: {{\[\[}}maybe_unused]] double scale,
// CHECK-NEXT: const std::optional<at::Tensor> &shift) {
// CHECK-NEXT: if (!pytorch::is_symbolic(x, shift))
// CHECK-NEXT:   return blocks_operator(x, n, scale, shift);
// CHECK-NEXT: pytorch::call call("my_ops::blocks", x);
// CHECK-NEXT: call.expect<float, 1>("x", x);
// CHECK-NEXT: call.expect<float, 1>("shift", shift);
// CHECK-NEXT: call.check(c10::SymBool(scale > 0.0F), "a scale is positive");
// CHECK-NEXT: call.check((pytorch::is_present(shift).sym_not() | pytorch::extent(shift, 0).sym_eq(pytorch::extent(x, 0))),
// CHECK-NEXT:            "shift is as x is");
// CHECK-NEXT: call.check((c10::SymInt(n) * c10::SymInt(8)).sym_ge(pytorch::extent(x, 0)),
// CHECK-NEXT:            "the grid leaves part of result.o unwritten: {{.*}}", {(c10::SymInt(n) * c10::SymInt(8)), pytorch::extent(x, 0)});
// CHECK-NEXT: return {call.shaped<float>({pytorch::extent(x, 0)}),
// CHECK-NEXT:         call.shaped<std::int32_t>({((pytorch::extent(x, 0) + c10::SymInt(63)) / c10::SymInt(64)),
// CHECK-NEXT:         (c10::SymInt(n) * c10::SymInt(2)).max((pytorch::is_present(shift).guard_bool(__FILE__, __LINE__) ? pytorch::extent(x, 0) : c10::SymInt(n)))})};
struct Blocks {
  tg::array<float, 1> o;
  tg::array<int, 2> other;
};
TEGULA_KERNEL Blocks blocks(tg::array<const float, 1> x, tg::s64 n, float scale, tg::array<const float, 1> shift = {}) {
  tg::check(scale > 0.0f, "a scale is positive");
  tg::check(x.dim(0) <= x.dim(0), "this always holds");
  tg::check(!shift || shift.dim(0) == x.dim(0), "shift is as x is");
  Blocks result{tg::empty_like(x), tg::empty<int>(tg::cdiv(x.dim(0), 64), tg::maximum(n * 2, shift ? x.dim(0) : n))};
  tg::pallas_call({.grid = {n}}, [=](auto x, auto o) { o[tg::all] = x[tg::all] * scale; }, tg::in<8>(x, [](auto i) { return tg::index(i); }),
                  tg::out<8>(result.o, [](auto i) { return tg::index(i); }));
  tg::pallas_call([](auto other) { other[tg::all, tg::all] = 0; }, tg::out(result.other));
  return result;
}

// An extent that is divided by another one has no form, nor does one that a loop makes: PyTorch compiles a graph for each size.
//
// CHECK-NOT: parts_shapes
// CHECK-NOT: chosen_shapes
// CHECK: TORCH_LIBRARY_IMPL(my_ops, Meta, library) {
// CHECK-NEXT: library.impl("blocks", TORCH_FN(blocks_shapes));
// CHECK-NEXT: library.impl("parts", TORCH_FN(parts_operator));
// CHECK-NEXT: library.impl("chosen", TORCH_FN(chosen_operator));
TEGULA_KERNEL tg::array<float, 1> parts(tg::array<const float, 1> x, tg::array<const float, 1> y) {
  auto o = tg::empty<float>(x.dim(0) / y.dim(0));
  tg::pallas_call([](auto o) { o[tg::all] = 0.0f; }, tg::out(o));
  return o;
}
TEGULA_KERNEL tg::array<float, 1> chosen(tg::array<const float, 1> x) {
  tg::s64 n = x.dim(0);
  while (n > 100)
    n /= 2;
  auto o = tg::empty<float>(n);
  tg::pallas_call([](auto o) { o[tg::all] = 0.0f; }, tg::out(o));
  return o;
}
