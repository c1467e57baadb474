// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the threads of a tg::kernel do what: a timeline of a launch.
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
// Compiled with tegulac --profile, each scope is an event of its thread. The program that calls the entry writes all
// events of its launches as a file, which ui.perfetto.dev and chrome://tracing show: by tegula::write_trace(path), or
// at its end to the file that the environment variable TEGULA_TRACE names. There, a multiprocessor is a process, and a
// thread of a block a track. Scopes in tg::warp_map are events of the warp that comes by, which has a track, too.
#pragma once

#include "elements.h"

#ifdef __clang__
#pragma clang system_header
#endif

namespace tegula {

/// An event from here to the end of the scope, of the thread that comes by, in tg::warp_map of the warp: a local
/// variable, named by a literal. Times of a thread are those of its first warp, also where other warps, copies and
/// products are not done. Scopes nest.
/// Cost: none, unless it is compiled with --profile. Then, at either end, a lane reads the clock and stores 16 bytes to
/// global memory; the launch allocates 32 bytes for each event that a thread may have, --profile=N of them (256 if it
/// is not said), and as many for each of its warps where these have scopes, and what comes after is only counted; and
/// the call waits for the launch, so that it cannot be captured in a CUDA graph. On the CPU, where threads take turns,
/// times are those of the program that runs them.
struct [[maybe_unused]] profile_scope {
  const char *name;
  consteval profile_scope(const char *literal) : name(literal) {}
};

} // namespace tegula
