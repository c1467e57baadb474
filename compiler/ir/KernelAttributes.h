// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes say of kernels, and of the launches that they are made of, by discardable attributes. What is said of
// products alone is in ProductOptions.h.
#pragma once

namespace tegula::tile {

// ---- On kernels -----------------------------------------------------------------------------------------------------

/// How many CTAs a multiprocessor is to hold at a time: ptxas plans its registers for that (.minnctapersm), and for
/// fewer if it then spills.
inline constexpr char ctasPerMultiprocessor[] = "tile.ctas_per_multiprocessor";
/// Clusters share rows: how many of them each is to have, about.
inline constexpr char rowsOfCluster[] = "tile.rows_of_cluster";
/// CTAs prefetch to L2 what others will load, some megabytes further along the rows of arrays.
inline constexpr char prefetchesWindows[] = "tile.prefetches_windows";
/// A window that begins within an access is taken from the aligned accesses around it, of which the rows of its array
/// consist; neighbouring windows load these, too.
inline constexpr char loadsAround[] = "tile.loads_around";
/// Chips run the kernel whose mma.sync sums 8 elements of f16 and no more.
inline constexpr char isForShortMma[] = "tile.is_for_short_mma";
/// On an argument: copies write to the array, through tensor maps.
inline constexpr char writtenByCopies[] = "tile.written_by_copies";

// ---- On loads -------------------------------------------------------------------------------------------------------

/// Dimensions of the result that conform (analysis/Extents.h): the load is of a tile that was kept in scratch memory
/// and had no extent of its own there.
inline constexpr char conformingDims[] = "tile.conforming_dims";

// ---- On launches of the explicit level, and the kernels made of them ------------------------------------------------

/// How many registers a lane begins with at most.
inline constexpr char maxRegisters[] = "tile.max_registers";
/// Accesses of shared memory are ordered by the program alone.
inline constexpr char noAutoBarriers[] = "tile.no_auto_barriers";
/// Blocks wait for any others, so all of them run at once; for those with lower numbers alone.
inline constexpr char residentAtOnce[] = "tile.resident_at_once", waitsForEarlier[] = "tile.waits_for_earlier";
/// Threads note when they do what, and nothing of the grid before runs meanwhile. How many rows each has for it, an
/// i64.
inline constexpr char isTraced[] = "tile.traced";
/// Blocks take the points of the grid as steps: there need not be more of them than run at once.
inline constexpr char takesSteps[] = "tile.takes_steps";

} // namespace tegula::tile
