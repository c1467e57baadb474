// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where kernels come from, and what their outputs are called: several files, the standard input, pipes, no -o.
// RUN: rm -rf %t && mkdir -p %t/out && cd %t && cp %s one.cpp && sed 's/negated/negated_too/' %s > two.cpp
// DEFINE: %{status} = %python %S/Inputs/status.py
//
// RUN: tegulac --arch sm_80 one.cpp two.cpp -o out/ && ls out > names && FileCheck %s --check-prefix=OUT < names
// OUT: one.cpp
// OUT-NEXT: one.h
// OUT-NEXT: two.cpp
// OUT-NEXT: two.h
// RUN: %cxx -I%include -c out/one.cpp -o one.o && %cxx -I%include -c out/two.cpp -o two.o
// RUN: %{status} 2 tegulac one.cpp two.cpp -o out/both 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: tegulac: error: several kernel files have several outputs: give -o a folder, as in -o out/
// RUN: %{status} 2 tegulac one.cpp two.cpp -o out/ -MD -MF all.d 2>&1 | FileCheck %s --check-prefix=RULES
// RULES: tegulac: error: -MF and -MT are for one kernel file: leave them out, then each dependency file is beside its output
// One that fails hinders none of the others.
// RUN: echo 'int x = "";' > bad.cpp && rm out/* && %{status} 1 tegulac --arch sm_80 bad.cpp two.cpp -o out/ 2> log
// RUN: ls out | FileCheck %s --check-prefix=REST
// REST: two.cpp
//
// Without -o, a stub's names differ from those of a kernel file, and go to the working directory.
// RUN: mkdir here && cd here && tegulac --arch sm_80 ../one.cpp -MMD -MP && ls > names && FileCheck %s --check-prefix=HERE < names
// HERE: names
// HERE-NEXT: one.tegula.cpp
// HERE-NEXT: one.tegula.d
// HERE-NEXT: one.tegula.h
// RUN: FileCheck %s --check-prefix=RULE --match-full-lines < one.tegula.d
// RULE: one.tegula.cpp: \
// RULE-NEXT:  ../one.cpp
// RULE-NOT: {{.}}
// What tegulac has written, it writes again; what somebody else has, never.
// RUN: tegulac --arch sm_80 ../one.cpp
// RUN: echo 'int mine;' > one.tegula.h && %{status} 2 tegulac --arch sm_80 ../one.cpp 2>&1 | FileCheck %s --check-prefix=MINE
// RUN: grep mine one.tegula.h
// MINE: tegulac: error: the output would replace one.tegula.h, which tegulac did not write: give -o another name, or remove that file
//
// RUN: cat %s | tegulac --arch sm_80 - -o from_stdin && FileCheck %s --check-prefix=HEADER < from_stdin.h
// RUN: bash -c 'tegulac --arch sm_80 <(cat %s) -o from_pipe' && FileCheck %s --check-prefix=HEADER < from_pipe.h
// HEADER: tegula::buffer<float, 1> negated(
// RUN: %{status} 2 tegulac - < %s 2>&1 | FileCheck %s --check-prefix=UNNAMED
// UNNAMED: tegulac: error: kernels that come from the standard input have no name for their stub: give -o a name, as in -o kernels
// Messages show lines of what was piped.
// RUN: sed 's/-x.*all.;/-y;/' %s | not tegulac - -o from_stdin 2>&1 | FileCheck %s --check-prefix=LINE
// LINE: <stdin>:[[@LINE+6]]:{{.*}}: error: use of undeclared identifier 'y'
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL tg::array<float, 1> negated(tg::array<const float, 1> x) {
  auto o = tg::empty_like(x);
  tg::pallas_call([](auto x, auto o) { o[tg::all] = -x[tg::all]; }, tg::in(x), tg::out(o));
  return o;
}
