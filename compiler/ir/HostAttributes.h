// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops of the host are marked with.
#pragma once

namespace tegula::tile {

/// On arithmetic: of unsigned integers, whose sums, products and conversions are modulo a power of two. All other
/// arithmetic of the host is checked for overflow.
inline constexpr char wraps[] = "tile.wraps";

/// On an entry that returns a struct: the doc comment of that, and an array with those of its members, which are empty
/// where there is none.
inline constexpr char resultDoc[] = "tile.result_doc", resultMemberDocs[] = "tile.result_member_docs";

} // namespace tegula::tile
