// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the launches of this process did when, as far as they were compiled to note it.

#ifndef TEGULA_RUNTIME_TRACE_H
#define TEGULA_RUNTIME_TRACE_H

#include "tegula/trace.h"

#include <initializer_list>
#include <string>

namespace tegula::runtime {

/// What the threads of a launch have noted: `count` rows of `width` words; each thread has `of_thread` of them, its own
/// first.
struct trace_rows {
  const std::int64_t *first;
  std::int64_t count, width;
  int of_thread;
};

/// Keeps it. A block has so many threads.
void keep_trace(const char *launch, const trace_rows &rows, std::initializer_list<const char *> scopes,
                int threads_of_block, bool is_cpu);

} // namespace tegula::runtime

#endif // TEGULA_RUNTIME_TRACE_H
