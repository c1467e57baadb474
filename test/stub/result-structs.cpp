// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs that entries return: of one member, with their comments, and of a header that two kernel files share, whose
// generated headers a program includes both.
// RUN: rm -rf %t && split-file %s %t
// RUN: tegulac %t/one.cpp --arch sm_80 -o %t/of_one && tegulac %t/two.cpp --arch sm_80 -o %t/of_two
// RUN: FileCheck %s --input-file %t/of_one.h
// RUN: %cxx -I%t %t/main.cpp %t/of_one.cpp %t/of_two.cpp %link -o %t/run && %t/run
//
// The compiler tells structs of one name that differ.
// RUN: tegulac %t/three.cpp --arch sm_80 -o %t/of_three
// RUN: not %cxx -I%t -fsyntax-only %t/differs.cpp 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: error: redefinition of {{.*}}Stats

// CHECK:      namespace shapes {
// CHECK:      #ifndef [[GUARD:TEGULA_STRUCT_shapes_Stats_[0-9a-f]+]]
// CHECK-NEXT: #define [[GUARD]]
// CHECK-NEXT: /// What is known of an array.
// CHECK-NEXT: struct Stats {
// CHECK-NEXT:   tegula::buffer<float, 1> sum;
// CHECK-NEXT:   /// How many elements
// CHECK-NEXT:   /// there are.
// CHECK-NEXT:   std::int64_t _count;
// CHECK-NEXT: };
// CHECK-NEXT: #endif
// CHECK:      /// Adds them up.
// CHECK-NEXT: {{\[\[}}nodiscard]] Stats total(
// CHECK:      struct One {
// CHECK-NEXT:   std::int64_t value;
// CHECK-NEXT: };
// CHECK:      {{\[\[}}nodiscard]] One one(
// CHECK:      struct OneArray {
// CHECK-NEXT:   tegula::buffer<float, 1> value;
// CHECK-NEXT: };
// CHECK:      {{\[\[}}nodiscard]] OneArray one_array(

//--- shared.h
#include <tegula/tegula.h>
namespace tg = tegula;
namespace shapes {
/// What is known of an array.
struct Stats {
  tg::array<float, 1> sum;
  /// How many elements
  /// there are.
  tg::s64 _count;
};
inline Stats computed(tg::array<const float, 1> x) {
  auto sum = tg::empty<float>(1);
  tg::pallas_call([](auto x, auto sum) { sum[0] = tg::sum(x[tg::all]); }, tg::in(x), tg::out(sum));
  return {sum, x.dim(0)};
}
} // namespace shapes
//--- one.cpp
#include "shared.h"
namespace shapes {
/// Adds them up.
TEGULA_KERNEL Stats total(tg::array<const float, 1> x) { return computed(x); }
} // namespace shapes
struct One {
  tg::s64 value;
};
TEGULA_KERNEL One one(tg::s64 n) { return {n + 1}; }
struct OneArray {
  tg::array<float, 1> value;
};
TEGULA_KERNEL OneArray one_array(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = x[tg::all] + 1; }, tg::in(x), tg::out(o));
  return {o};
}
//--- two.cpp
#include "shared.h"
namespace shapes {
TEGULA_KERNEL Stats total_again(tg::array<const float, 1> x) { return computed(x); }
} // namespace shapes
//--- three.cpp
#include <tegula/tegula.h>
namespace tg = tegula;
namespace shapes {
struct Stats {
  tg::s64 other;
};
TEGULA_KERNEL Stats other(tg::s64 n) { return {n}; }
} // namespace shapes
//--- differs.cpp
#include "of_one.h"
#include "of_three.h"
//--- main.cpp
#include "of_one.h"
#include "of_two.h"
int main() {
  float data[] = {1, 2, 3};
  const tegula::array<const float, 1> x(data, {3});
  shapes::Stats stats = shapes::total(x);
  stats = shapes::total_again(x);
  const bool isRight = stats.sum(0) == 6 && stats._count == 3 && one(4).value == 5 && one_array(x).value(2) == 4;
  return isRight ? 0 : 1;
}
