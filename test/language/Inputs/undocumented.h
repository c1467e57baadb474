// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header that breaks each rule once.
#pragma once

namespace tegula {

namespace detail {
int internal();
} // namespace detail

void bare(int x);

/// What it does.
void costless(int x);

/// What documented does.
/// Cost: none.
template <int N> int documented(int x);

int refused(int x) TEGULA_REFUSED("this overload is for nobody");

/// What second does.
/// Cost: none.
void second();
void third(int x);

struct options {
  int field = 0;
  options();
  int method() const;
};

} // namespace tegula
