// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace benchmark {

/// Measures and prints the rows of the table in samples/hopper_matmul/choose.h, then what these choose.
/// anew, then what they choose.
void tune();

} // namespace benchmark
