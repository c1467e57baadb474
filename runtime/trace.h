// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the launches of this process did when, as far as they were compiled to note it.

#ifndef TEGULA_RUNTIME_TRACE_H
#define TEGULA_RUNTIME_TRACE_H

#include "tegula/trace.h"

#include <initializer_list>
#include <string>

namespace tegula::runtime {

/// Keeps what the threads of a launch have noted: a row of `width` words for each of `threads`, of which a block has so
/// many.
void keep_trace(const char *launch, const std::int64_t *rows, std::int64_t threads, std::int64_t width,
                std::initializer_list<const char *> scopes, int threads_of_block, bool is_cpu);

} // namespace tegula::runtime

#endif // TEGULA_RUNTIME_TRACE_H
