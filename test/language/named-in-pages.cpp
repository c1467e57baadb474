// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the pages of samples/ name is there: names of the language and of the host library, fields of options, files; each kernel of a page is
// called by its test, and README.md links the page.
// RUN: %python %S/named_in_pages.py %source | FileCheck %s
// CHECK: 6 pages, {{[0-9]+}} names, 0 complaints
// What the script finds, of a page that breaks each rule.
// RUN: not %python %S/named_in_pages.py %source %S/Inputs/from_nowhere.md | FileCheck %s --check-prefix=FOUND
// FOUND: from_nowhere.md:3: tg::atomic_mul is not declared in include/tegula/language/
// FOUND-NEXT: from_nowhere.md:3: tegula::malloc is not declared in the host library's headers
// FOUND-NEXT: from_nowhere.md:3: no struct of the language has a field .num_warps
// FOUND-NEXT: from_nowhere.md:3: there is no file nowhere
// FOUND-NEXT: from_nowhere.md:7: from_nowhere_test.cpp does not call never_called
// FOUND-NEXT: from_nowhere.md: README.md does not link it
// FOUND-NEXT: 1 pages, {{[0-9]+}} names, 6 complaints
