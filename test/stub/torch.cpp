// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries as PyTorch operators: schemas, and the functions behind them.
// RUN: tegulac --emit=torch --torch-namespace=my_ops %s -o - | FileCheck %s
// RUN: tegulac --emit=torch --torch-namespace=my_ops %s -o - | FileCheck %s --check-prefix=SCHEMA
// RUN: rm -rf %t && mkdir -p %t && tegulac --torch-namespace=my_ops --arch sm_90a %s -o %t/kernels
// RUN: FileCheck %s --check-prefix=SCHEMA --input-file %t/kernels.torch.cpp
// RUN: not tegulac --emit=torch --torch-namespace=my-ops %s -o - 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: tegulac: error: --torch-namespace takes a C++ name, which 'my-ops' is not
// RUN: not tegulac --torch-namespace=class %s -o %t/no 2>&1 | FileCheck %s --check-prefix=KEYWORD
// KEYWORD: tegulac: error: --torch-namespace takes a C++ name, which 'class' is not
// RUN: not tegulac --emit=cpu --torch-namespace=my_ops %s -o - 2>&1 | FileCheck %s --check-prefix=EMIT
// EMIT: tegulac: error: --torch-namespace is for stubs and for --emit=torch: leave it out, or --emit
#include <tegula/tegula.h>
namespace tg = tegula;

// CHECK: #include "torch.h"
// CHECK-EMPTY:
// CHECK-NEXT: #include "tegula/torch.h"
// SCHEMA: TORCH_LIBRARY_FRAGMENT(my_ops, library) {

// An input, and an output that is allocated.
//
// CHECK: at::Tensor negate_operator(const at::Tensor &x) {
// CHECK-NEXT:   pytorch::call call("my_ops::negate", x);
// CHECK-NEXT:   return call.give(::negate(call.array<const float, 1>("x", x), call.stream()));
// CHECK-NEXT: }
// SCHEMA-NEXT: // -x.
// SCHEMA-NEXT: library.def("negate(Tensor x) -> Tensor", pytorch::tags());
/// -x.
TEGULA_KERNEL tg::array<float, 1> negate(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = -x[tg::all]; }, tg::in(x), tg::out(o));
  return o;
}

// In place, with scalars: no result. Names that Python cannot take end in an underscore.
//
// CHECK: void update_operator(const at::Tensor &x, const at::Tensor &lambda, std::int64_t n, double scale, bool on,
// CHECK-NEXT:                 std::int64_t wide, std::optional<double> bound) {
// CHECK-NEXT:   pytorch::call call("my_ops::update", x);
// CHECK-NEXT:   ::update(call.array<float, 1>("x", x), call.array<const float, 1>("lambda_", lambda),
// CHECK-NEXT:            call.integer<std::int32_t>("n", n), static_cast<float>(scale), on, wide,
// CHECK-NEXT:            bound ? static_cast<float>(*bound) : std::numeric_limits<float>::infinity(), call.stream());
// CHECK-NEXT: }
// SCHEMA-NEXT: library.def("update(Tensor(a!) x, Tensor lambda_, int n, float scale=1e-05, bool on=True, int wide=-3, float? bound=None) -> ()", pytorch::tags());
TEGULA_KERNEL void update(tg::array<float, 1> x, tg::array<const float, 1> lambda, int n, float scale = 1e-5f,
                          bool on = true, tg::s64 wide = -3, float bound = tg::inf) {
  tg::check(x.dim(0) == lambda.dim(0), "x and lambda differ");
  const float shift = on ? static_cast<float>(n + wide) : 0.0f;
  tg::pallas_call(
      [=](auto x, auto lambda) { x[tg::all] = tg::minimum(x[tg::all] + lambda[tg::all] * scale + shift, bound); },
      tg::inout(x), tg::in(lambda));
}

// Several results, and an optional array. One operator of two types.
//
// CHECK: std::tuple<at::Tensor, at::Tensor> both_operator(const at::Tensor &x, const std::optional<at::Tensor> &shift) {
// CHECK-NEXT:   pytorch::call call("my_ops::both", x);
// CHECK-NEXT:   if (pytorch::fits<float, 2>(x) && pytorch::fits<float, 1>(shift)) {
// CHECK-NEXT:     auto results =
// CHECK-NEXT:         ::both(call.array<const float, 2>("x", x), call.array<const float, 1>("shift", shift), call.stream());
// CHECK-NEXT:     return {call.give(std::move(results.sum)), call.give(std::move(results.greatest))};
// CHECK-NEXT:   }
// CHECK-NEXT:   if (pytorch::fits<tegula::bf16, 2>(x) && pytorch::fits<tegula::bf16, 1>(shift)) {
// CHECK:        call.refuse({{[{][{]}}"x", x, {pytorch::kind_of<float, 2>, pytorch::kind_of<tegula::bf16, 2>}},
// CHECK-NEXT:                {"shift", shift, {pytorch::kind_of<float, 1>, pytorch::kind_of<tegula::bf16, 1>}}});
// CHECK-NEXT: }
// SCHEMA-NEXT: library.def("both(Tensor x, Tensor? shift=None) -> (Tensor sum, Tensor greatest)", pytorch::tags());
template <class T> struct Both {
  tg::array<T, 1> sum, greatest;
};
template <class T> TEGULA_KERNEL Both<T> both(tg::array<const T, 2> x, tg::array<const T, 1> shift = {}) {
  tg::check(!shift || shift.dim(0) == x.dim(0), "shift has an entry per row");
  Both<T> o{tg::empty<T>(x.dim(0)), tg::empty<T>(x.dim(0))};
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

// Other parameters: an overload. Namespaces are none of PyTorch's.
//
// CHECK: at::Tensor negate_operator_2(const at::Tensor &x, const at::Tensor &y) {
// CHECK-NEXT: pytorch::call call("my_ops::negate", x);
// CHECK-NEXT: return call.give(::inner::negate(call.array<const std::uint8_t, 1>("x", x), call.array<const std::uint8_t, 1>("y", y),
// CHECK-NEXT:                  call.stream()));
// SCHEMA-NEXT: library.def("negate.x_y(Tensor x, Tensor y) -> Tensor", pytorch::tags());
namespace inner {
TEGULA_KERNEL tg::array<tg::u8, 1> negate(tg::array<const tg::u8, 1> x, tg::array<const tg::u8, 1> y) {
  tg::check(x.dim(0) == y.dim(0), "x and y differ");
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto y, auto o) { o[tg::all] = x[tg::all] - y[tg::all]; }, tg::in(x), tg::in(y),
                  tg::out(o));
  return o;
}
} // namespace inner

// A scalar is a result, too.
//
// CHECK: double half_operator(const at::Tensor &x) {
// CHECK: return static_cast<double>(::half(call.array<const tegula::f16, 1>("x", x), call.stream()));
// SCHEMA-NEXT: library.def("half(Tensor x) -> float", pytorch::tags());
TEGULA_KERNEL float half(tg::array<const tg::f16, 1> x) { return 0.5f * static_cast<float>(x.dim(0)); }

// Several entries without a result.
//
// CHECK: void clear_operator(const at::Tensor &x) {
// CHECK-NEXT: pytorch::call call("my_ops::clear", x);
// CHECK-NEXT: if (pytorch::fits<float, 1>(x)) {
// CHECK-NEXT:   ::clear(call.array<float, 1>("x", x), call.stream());
// CHECK-NEXT:   return;
// CHECK-NEXT: }
// SCHEMA-NEXT: library.def("clear(Tensor(a!) x) -> ()", pytorch::tags());
TEGULA_KERNEL void clear(tg::array<float, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = 0.0f; }, tg::out(x));
}
TEGULA_KERNEL void clear(tg::array<double, 1> x) {
  tg::pallas_call([](auto x) { x[tg::all] = 0.0; }, tg::out(x));
}

// Lists of arrays. What is no list says the device.
//
// CHECK: void step_operator(at::TensorList p, at::TensorList g, const at::Tensor &rate) {
// CHECK-NEXT: pytorch::call call("my_ops::step", rate);
// CHECK-NEXT: ::step(call.arrays<float, 1>("p", p), call.arrays<const float, 1>("g", g), call.array<const float, 0>("rate", rate),
// CHECK-NEXT: call.stream());
// SCHEMA-NEXT: library.def("step(Tensor(a!)[] p, Tensor[] g, Tensor rate) -> ()", pytorch::tags());
TEGULA_KERNEL void step(tg::arrays<float, 1> p, tg::arrays<const float, 1> g, tg::array<const float, 0> rate) {
  tg::check(p.size() == g.size() && p.dim(1) == g.dim(1), "p and g differ");
  tg::pallas_call({.grid = {p.size()}},
                  [](auto p, auto g, auto rate) { p[tg::program_id(0)] -= tg::load(rate) * g[tg::program_id(0)]; },
                  tg::inout(p), tg::in(g), tg::in(rate));
}
// CHECK: void zero_operator(at::TensorList p) {
// CHECK-NEXT: pytorch::call call("my_ops::zero", p);
// CHECK-NEXT: if (pytorch::fits<float, 1>(p)) {
// CHECK:      call.refuse({{[{][{]}}"p", pytorch::first_of(p), {pytorch::kind_of<float, 1>, pytorch::kind_of<double, 1>{{[}][}][}]}});
// SCHEMA-NEXT: library.def("zero(Tensor(a!)[] p) -> ()", pytorch::tags());
template <class T> TEGULA_KERNEL void zero(tg::arrays<T, 1> p) {
  tg::pallas_call({.grid = {p.size()}}, [](auto p) { p[tg::program_id(0)] = tg::astype<T>(0); }, tg::inout(p));
}
TEGULA_INSTANTIATE("zero", zero<float>);
TEGULA_INSTANTIATE("zero", zero<double>);

// CHECK: void implement(::torch::Library &library) {
// CHECK-NEXT: library.impl("negate", TORCH_FN(negate_operator));
// CHECK-NEXT: library.impl("update", TORCH_FN(update_operator));
// CHECK-NEXT: library.impl("both", TORCH_FN(both_operator));
// CHECK-NEXT: library.impl("negate.x_y", TORCH_FN(negate_operator_2));
// CHECK-NEXT: library.impl("half", TORCH_FN(half_operator));
// CHECK-NEXT: library.impl("clear", TORCH_FN(clear_operator));
// CHECK-NEXT: library.impl("step", TORCH_FN(step_operator));
// CHECK-NEXT: library.impl("zero", TORCH_FN(zero_operator));
// SCHEMA-NEXT: }
// SCHEMA-NEXT: TORCH_LIBRARY_IMPL(my_ops, CPU, library) { implement(library); }
// SCHEMA-NEXT: TORCH_LIBRARY_IMPL(my_ops, CUDA, library) { implement(library); }
// SCHEMA-NEXT: TORCH_LIBRARY_IMPL(my_ops, Meta, library) {
// SCHEMA-NEXT: library.impl("negate", TORCH_FN(negate_shapes));
// SCHEMA-NEXT: library.impl("update", TORCH_FN(update_shapes));
// SCHEMA-NEXT: library.impl("both", TORCH_FN(both_shapes));
// SCHEMA-NEXT: library.impl("negate.x_y", TORCH_FN(negate_shapes_2));
// SCHEMA-NEXT: library.impl("half", TORCH_FN(half_operator));
// SCHEMA-NEXT: library.impl("clear", TORCH_FN(clear_shapes));
// SCHEMA-NEXT: library.impl("step", TORCH_FN(step_shapes));
// SCHEMA-NEXT: library.impl("zero", TORCH_FN(zero_shapes));
