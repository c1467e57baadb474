// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How arguments are written, and what misspelt ones are told.
// DEFINE: %{status} = %python %S/Inputs/status.py
// RUN: rm -rf %t && mkdir %t && cd %t
//
// RUN: echo '-DNAME=f @more' > args && echo '--emit=ptx --arch "sm_80"' > more && tegulac %s @args -o - | FileCheck %s --check-prefix=PTX
// PTX: .target sm_80
// PTX: .entry f_0
// RUN: %{status} 2 tegulac %s @nowhere 2>&1 | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: tegulac: error: the file of arguments, 'nowhere', cannot be read
//
// RUN: tegulac %s -DNAME=f --emit=ptx --arch sm_80,sm_90a -o k && ls > names && FileCheck %s --check-prefix=TWO < names
// TWO: k.sm_80.ptx
// TWO: k.sm_90a.ptx
// RUN: tegulac %s -DNAME=f --emit=ptx --arch all -o all && ls > names && FileCheck %s --check-prefix=ALL < names
// ALL: all.sm_120a.ptx
// ALL: all.sm_75.ptx
// RUN: %{status} 2 tegulac %s --arch sm_80,sm_1 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: tegulac: error: unknown architecture 'sm_1'; known are
//
// RUN: tegulac %s -DNAME=f -g --emit=ptx --arch sm_80 -o - | FileCheck %s --check-prefix=LINES
// LINES: .loc
//
// RUN: %{status} 2 tegulac %s --emmit=ptx 2>&1 | FileCheck %s --check-prefix=NEAR
// NEAR: tegulac: error: there is no option '--emmit=ptx'; did you mean --emit?
// RUN: %{status} 2 tegulac %s -MDD 2>&1 | FileCheck %s --check-prefix=DASH
// DASH: tegulac: error: there is no option '-MDD'; did you mean -MD?
// RUN: %{status} 2 tegulac %s --frobnicate 2>&1 | FileCheck %s --check-prefix=FAR --match-full-lines
// FAR: tegulac: error: there is no option '--frobnicate'
// RUN: %{status} 2 tegulac 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: tegulac: error: there is no kernel file: tegulac kernels.cpp -o out/kernels; tegulac --help lists the options
// RUN: %{status} 2 tegulac %s --emit=elf 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: tegulac: error: --emit: elf not in
//
// RUN: tegulac --completion bash > complete && bash -c '. ./complete; COMP_WORDS=(tegulac --ar); COMP_CWORD=1; _tegulac; echo ${COMPREPLY[@]}' | FileCheck %s --check-prefix=OPTION --match-full-lines
// OPTION: --arch
// RUN: bash -c '. ./complete; COMP_WORDS=(tegulac --arch sm_9); COMP_CWORD=2; _tegulac; echo ${COMPREPLY[@]}' | FileCheck %s --check-prefix=NAME --match-full-lines
// NAME: sm_90a
// RUN: bash -c '. ./complete; COMP_WORDS=(tegulac -Wno-und); COMP_CWORD=1; _tegulac; echo ${COMPREPLY[@]}' | FileCheck %s --check-prefix=GROUP --match-full-lines
// GROUP: -Wno-undefined-output
// RUN: tegulac --completion zsh | FileCheck %s --check-prefix=ZSH
// ZSH: bashcompinit
// RUN: tegulac --completion fish | FileCheck %s --check-prefix=FISH
// FISH: complete -c tegulac {{.*}}-l arch -x -a '{{.*}}sm_90a
//
// RUN: tegulac --support-matrix | FileCheck %s --check-prefix=MATRIX
// MATRIX: sm_75 {{.*}}| sm_90a |
// MATRIX: `tg::wgmma` {{( *\| -)+ *\| yes +\| - }}
#include <tegula/tegula.h>
namespace tg = tegula;

TEGULA_KERNEL void NAME(tg::array<float, 1> o) {
  tg::pallas_call([](auto o) { o[tg::all] = 1; }, tg::out(o));
}
