// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not tegulac --emit=tile %s 2>&1 | FileCheck %s --implicit-check-not=error:
// What becomes a name in the generated header: functions, namespaces, structs that are returned, and their members. Of
// each, one for every reason, and what is allowed.
#include <tegula/tegula.h>
namespace tg = tegula;

template <class T> TEGULA_KERNEL void f(T) {}
// CHECK: entry-name.cpp:[[@LINE+1]]:1: error: 'f-32' cannot be the name of a function in the generated header: names consist of letters, digits and _; rename it [tegula-entry-name]
TEGULA_INSTANTIATE("f-32", f<int>);
// CHECK: entry-name.cpp:[[@LINE+1]]:1: error: 'class' cannot be the name of a function in the generated header: it is a keyword of C++; rename it [tegula-entry-name]
TEGULA_INSTANTIATE("class", f<float>);
// CHECK: entry-name.cpp:[[@LINE+1]]:1: error: 'and' cannot be the name of a function in the generated header: it is a keyword of C++; rename it [tegula-entry-name]
TEGULA_INSTANTIATE("and", f<float>);
// CHECK: entry-name.cpp:[[@LINE+1]]:20: error: 'contract_assert' cannot be the name of a function in the generated header: it is a keyword of C++; rename it [tegula-entry-name]
TEGULA_KERNEL void contract_assert() {}

// CHECK: entry-name.cpp:[[@LINE+1]]:20: error: 'NULL' cannot be the name of a function in the generated header: it is a macro of headers that generated files include; rename it [tegula-entry-name]
TEGULA_KERNEL void NULL(int) {}
// CHECK: entry-name.cpp:[[@LINE+1]]:20: error: 'TEGULA_ABI_H' cannot be the name of a function in the generated header: it is a macro of
TEGULA_KERNEL void TEGULA_ABI_H(int) {}

// CHECK: entry-name.cpp:[[@LINE+1]]:20: error: 'a__b' cannot be the name of a function in the generated header: names that contain __, or begin with _ and a capital letter, are reserved for compilers and their libraries; rename it [tegula-entry-name]
TEGULA_KERNEL void a__b() {}
// CHECK: entry-name.cpp:[[@LINE+1]]:20: error: '_small' cannot be the name of a function in the generated header: outside of namespaces, names that begin with _ are reserved for compilers and their libraries; rename it [tegula-entry-name]
TEGULA_KERNEL void _small() {}

// CHECK: entry-name.cpp:[[@LINE+1]]:20: error: 'std' cannot be the name of a function in the generated header: generated files use the namespace of this name; rename it [tegula-entry-name]
TEGULA_KERNEL void std() {}
template <class T> TEGULA_KERNEL void g(T) {}
// CHECK: entry-name.cpp:[[@LINE+1]]:1: error: 'tegula' cannot be the name of a function in the generated header: generated files use the namespace of this name; rename it [tegula-entry-name]
TEGULA_INSTANTIATE("tegula", g<int>);
// CHECK: entry-name.cpp:[[@LINE+1]]:1: error: 'main' cannot be the name of a function in the generated header: it is the entry point of programs; rename it [tegula-entry-name]
TEGULA_INSTANTIATE("main", g<float>);
// CHECK: entry-name.cpp:[[@LINE+1]]:20: error: 'size_t' cannot be the name of a function in the generated header: the C library declares this name, and generated files need it (a namespace of your own avoids the conflict, too); rename it [tegula-entry-name]
TEGULA_KERNEL void size_t() {}

// Overloaded.
TEGULA_KERNEL void index() {}
// CHECK: entry-name.cpp:[[@LINE+1]]:11: error: 'log' cannot be the name of a namespace in the generated header: the C library declares this name
namespace log {
TEGULA_KERNEL void h() {}
} // namespace log
// CHECK: entry-name.cpp:[[@LINE+1]]:8: error: 'div' cannot be the name of a struct in the generated header: the C library declares this name
struct div {
  tg::s64 n;
};
TEGULA_KERNEL div of_div(tg::s64 n) { return {n}; }

namespace mine {
// CHECK: entry-name.cpp:[[@LINE+1]]:11: error: 'std' cannot be the name of a namespace in the generated header: generated files use the namespace of this name; rename it [tegula-entry-name]
namespace std {
TEGULA_KERNEL void h() {}
} // namespace std
// CHECK: entry-name.cpp:[[@LINE+1]]:11: error: 'EOF' cannot be the name of a namespace in the generated header: it is a macro of headers that generated files include; rename it [tegula-entry-name]
namespace EOF {
TEGULA_KERNEL void h() {}
} // namespace EOF

// CHECK: entry-name.cpp:[[@LINE+1]]:8: error: 'tegula' cannot be the name of a struct in the generated header: generated files use the namespace of this name; rename it [tegula-entry-name]
struct tegula {
  tg::s64 n;
};
TEGULA_KERNEL tegula of_struct(tg::s64 n) { return {n}; }

struct members {
  // CHECK: entry-name.cpp:[[@LINE+1]]:11: error: 'stdout' cannot be the name of a member in the generated header: it is a macro of headers that generated files include; rename it [tegula-entry-name]
  tg::s64 stdout;
};
TEGULA_KERNEL members of_members(tg::s64 n) { return {n}; }

struct allowed {
  tg::s64 main, size_t, _of, größe;
};
inline namespace v1 {
TEGULA_KERNEL allowed main(tg::s64 n) { return {n, n, n, n}; }
TEGULA_KERNEL allowed size_t(tg::s64 n) { return {n, n, n, n}; }
TEGULA_KERNEL allowed _of(tg::s64 n, tg::s64 errno) { return {n, n, errno, n}; }
} // namespace v1
} // namespace mine
