// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose identities need no look while programs run on the CPU.
#pragma once

namespace tegula::tile {

/// A discardable attribute of reductions and scans: a function of the language combines, whose identity changes nothing
/// that counts.
inline constexpr char isOfLanguage[] = "tile.of_language";

} // namespace tegula::tile
