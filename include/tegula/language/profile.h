// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiling of a tg::kernel: a timeline of what each warpgroup does.
//
//   tg::kernel({.grid = {{"m", tiles}}, .threads = {"wg", 2}}, [=] {
//     ...
//     for (tg::s64 k = 0; k < steps; ++k) {
//       tg::profile_scope step("step");
//       { tg::profile_scope waiting("wait"); tg::barrier_wait(full.at(k % 4)); }
//       ...
//     }
//   });
//
// Compiled with tegulac --profile, each scope is an event of its warpgroup. The program that calls the entry writes all
// events of its launches to a file, which ui.perfetto.dev and chrome://tracing show: by tegula::write_trace(path), or
// at its end to the file that the environment variable TEGULA_TRACE names. In the trace, an SM is a process, and a
// warpgroup of a CTA a track. Scopes in tg::warp_map are events of the warp that executes them, which has its own
// track.
#pragma once

#include "elements.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// An event from here to the end of the scope, of the warpgroup that executes it, in tg::warp_map of the warp: a local
/// variable, named by a string literal. A warpgroup's times are those of its first warp, even if other warps, copies
/// and products have not finished. Scopes nest.
/// Cost: none without --profile. With it, at either end one CUDA thread reads the clock and stores 16 bytes to global
/// memory; the launch allocates 32 bytes for each event that a warpgroup may record, --profile=N of them (256 by
/// default), and as many for each of its warps where these have scopes; further events are only counted. The call waits
/// for the launch, so it cannot be captured in a CUDA graph. On the CPU, where warpgroups take turns, times are those
/// of the host thread that runs them.
struct [[maybe_unused]] profile_scope {
  const char *name;
  consteval profile_scope(const char *literal) : name(literal) {}
};

} // namespace tegula
