// What the passes of the explicit level refuse, at the user's line.
// RUN: tegula-opt %s --split-input-file --verify-diagnostics --tile-outline --tile-assign-shared --tile-tensor-maps

// More than a block can have; what takes how much.
tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  // expected-error @+1 {{a CTA of this kernel needs 294944 bytes of shared memory, but can have at most 232448 on sm_90a: use smaller tiles or fewer pipeline stages}}
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    // expected-note @+1 {{163840 bytes at 0: without a name}}
    %ring = tile.alloc : !tile.ref<f32, [5, 64, 128], smem>
    // expected-note @+1 {{131072 bytes at 163840: without a name}}
    %t = tile.alloc : !tile.ref<f32, [4, 64, 128], smem>
    // expected-note @+1 {{32 bytes: without a name}}
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<4>
    tile.yield
  }
  tile.return
}

// -----

// A column: its elements do not lie next to each other.
tile.entry @case(%x: !tile.array<bf16, 2>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(inout %x0 = %x : !tile.array<bf16, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %s = tile.alloc : !tile.ref<bf16, [64], smem>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %w = tile.slice %x0[window %i, element %i] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [64?]>
    // expected-error @+1 {{a copy must extend along the last dimension of the array, or of its transposed view, and of the shared memory, along which elements are contiguous}}
    tile.copy_to_shared %w, %s, %b[%c0] : !tile.ref<bf16, [64?]>, !tile.ref<bf16, [64], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// Rows that TMA cannot count in units of 16 bytes.
tile.entry @case(%x: !tile.array<bf16, 2>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(inout %x0 = %x : !tile.array<bf16, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %s = tile.alloc : !tile.ref<bf16, [8, 12], smem>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %w = tile.slice %x0[window %i, window %i] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [8?, 12?]>
    // expected-error @+2 {{rows of 24 bytes cannot be copied by TMA, which copies multiples of 16 bytes}}
    // expected-note @+1 {{make the rows of the window and of its shared memory 16 elements long, tg::ds<16>(start), whose elements out of bounds are filled, and ignore those that you do not need; or load the window to a tile, which takes rows of any size}}
    tile.copy_to_shared %w, %s, %b[%c0] : !tile.ref<bf16, [8?, 12?]>, !tile.ref<bf16, [8, 12], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// Half of a row begins where no box can.
tile.entry @case(%x: !tile.array<bf16, 1>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(inout %x0 = %x : !tile.array<bf16, 1>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64, cluster = array<i64: 2>} {
    %c0 = arith.constant 0 : i64
    %s = tile.alloc : !tile.ref<bf16, [264], smem>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %w = tile.slice %x0[window %i] : !tile.ref<bf16, [?]> -> !tile.ref<bf16, [264?]>
    // expected-error @+1 {{a multicast over 2 CTAs splits the window into 2 equal parts, which must begin at multiples of 128 bytes of shared memory: no dimension of this window of 264 can be split like that; make one of them larger, or copy without .collective_axes}}
    tile.copy_to_shared %w, %s, %b[%c0] multicast [0] : !tile.ref<bf16, [264?]>, !tile.ref<bf16, [264], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// A part of a panel.
tile.entry @case(%x: !tile.array<bf16, 2>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(inout %x0 = %x : !tile.array<bf16, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %s = tile.alloc : !tile.ref<bf16, [8, 64], smem swizzle 128>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %w = tile.slice %x0[window %i, window %i] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [8?, 32?]>
    %p = tile.slice %s[whole, window %c0] : !tile.ref<bf16, [8, 64], smem swizzle 128> -> !tile.ref<bf16, [8, 32], smem swizzle 128>
    // expected-error @+1 {{rows of 32 elements are not a multiple of 64, the width of the panels of this shared memory}}
    tile.copy_to_shared %w, %p, %b[%c0] : !tile.ref<bf16, [8?, 32?]>, !tile.ref<bf16, [8, 32], smem swizzle 128>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// Twelve rows for two blocks: no whole groups of 8.
tile.entry @case(%x: !tile.array<bf16, 2>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(inout %x0 = %x : !tile.array<bf16, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64, cluster = array<i64: 2>} {
    %c0 = arith.constant 0 : i64
    %s = tile.alloc : !tile.ref<bf16, [24, 64], smem>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %w = tile.slice %x0[window %i, window %i] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [24?, 64?]>
    // expected-error @+1 {{a multicast over 2 CTAs splits the window into 2 equal parts, which must begin at multiples of 1024 bytes of shared memory, 8 rows, or a panel: no dimension of this window of 24 x 64 can be split like that; make one of them larger, or copy without .collective_axes}}
    tile.copy_to_shared %w, %s, %b[%c0] multicast [0] : !tile.ref<bf16, [24?, 64?]>, !tile.ref<bf16, [24, 64], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// A part of a panel, of more dimensions.
tile.entry @case(%x: !tile.array<f32, 3>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(inout %x0 = %x : !tile.array<f32, 3>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %s = tile.alloc : !tile.ref<f32, [128, 16], smem>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %p = tile.slice %s[whole, window %c0] : !tile.ref<f32, [128, 16], smem> -> !tile.ref<f32, [128, 4], smem>
    %w = tile.slice %x0[element %i, window %i, window %i] : !tile.ref<f32, [?, ?, ?]> -> !tile.ref<f32, [128?, 4?]>
    // expected-error @+1 {{rows of 4 elements are not a multiple of 16, the width of the panels of this shared memory}}
    tile.copy_to_shared %w, %p, %b[%c0] : !tile.ref<f32, [128?, 4?]>, !tile.ref<f32, [128, 4], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// A stage of 64 bytes.
tile.entry @case(%x: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(inout %x0 = %x : !tile.array<f32, 1>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %s = tile.alloc : !tile.ref<f32, [3, 16], smem>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %w = tile.slice %x0[window %c0] : !tile.ref<f32, [?]> -> !tile.ref<f32, [16?]>
    %p = tile.slice %s[element %i, whole] : !tile.ref<f32, [3, 16], smem> -> !tile.ref<f32, [16], smem>
    // expected-error @+1 {{TMA copies begin at multiples of 128 bytes of shared memory, but this ref is known to begin only at a multiple of 64 bytes: copy larger parts of shared memory}}
    tile.copy_to_shared %w, %p, %b[%c0] : !tile.ref<f32, [16?]>, !tile.ref<f32, [16], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// Of scopes in a row, the largest counts; the rest says how long it is there.
tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  // expected-error @+1 {{a CTA of this kernel needs 262144 bytes of shared memory, but can have at most 232448 on sm_90a}}
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    // expected-note @+1 {{65536 bytes at 0: without a name, until line}}
    %a = tile.alloc : !tile.ref<f32, [16384], smem>
    tile.free %a : !tile.ref<f32, [16384], smem>
    // expected-note @+1 {{262144 bytes at 0: without a name}}
    %b = tile.alloc : !tile.ref<f32, [65536], smem>
    tile.yield
  }
  tile.return
}

// -----

// TMA counts five dimensions.
tile.entry @case(%x: !tile.array<f32, 6>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(inout %x0 = %x : !tile.array<f32, 6>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %s = tile.alloc : !tile.ref<f32, [64], smem>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %w = tile.slice %x0[element %i, element %i, element %i, element %i, element %i, window %c0] : !tile.ref<f32, [?, ?, ?, ?, ?, ?]> -> !tile.ref<f32, [64?]>
    // expected-error @+1 {{TMA copies from and to arrays of 1 to 5 dimensions, but this one has 6: pass it with some of them merged}}
    tile.copy_to_shared %w, %s, %b[%c0] : !tile.ref<f32, [64?]>, !tile.ref<f32, [64], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// Rows longer than a box, too many for one after the other.
tile.entry @case(%x: !tile.array<bf16, 2>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(inout %x0 = %x : !tile.array<bf16, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %s = tile.alloc : !tile.ref<bf16, [64, 520], smem>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %w = tile.slice %x0[window %i, window %i] : !tile.ref<bf16, [?, ?]> -> !tile.ref<bf16, [64?, 520?]>
    // expected-error @+1 {{this copy of 64 x 520 elements takes 192 TMA copies, which are dense in shared memory and move at most 256 elements along a dimension; 64 are issued at most: copy less at a time, or make the shared memory a multiple of 8 rows of a multiple of 32 bytes, which is copied by panels}}
    tile.copy_to_shared %w, %s, %b[%c0] : !tile.ref<bf16, [64?, 520?]>, !tile.ref<bf16, [64, 520], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// Columns of rows that are not padded: the second row of the window begins between units.
tile.entry @case(%x: !tile.array<f32, 2>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(inout %x0 = %x : !tile.array<f32, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %s = tile.alloc : !tile.ref<f32, [3, 40], smem>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %w = tile.slice %x0[window %i, window %i] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [3?, 32?]>
    %p = tile.slice %s[whole, window %c0] : !tile.ref<f32, [3, 40], smem> -> !tile.ref<f32, [3, 32], smem>
    // expected-error @+1 {{this copy is split into several TMA copies, one of which begins 160 bytes after the first in shared memory, not at a multiple of 128: give the shared memory the shape of the window}}
    tile.copy_to_shared %w, %p, %b[%c0] : !tile.ref<f32, [3?, 32?]>, !tile.ref<f32, [3, 32], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// A prefetch of a window whose size only the program knows.
tile.entry @case(%x: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(in %a = %x : !tile.array<f32, 1>, scalar %m = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %w = tile.slice %a[window %c0 size %m] : !tile.ref<f32, [?]> -> !tile.ref<f32, [?]>
    // expected-error @+1 {{a prefetch takes a window of static extents: x.at(tg::ds<64>(start))}}
    tile.prefetch %w : !tile.ref<f32, [?]>
    tile.yield
  }
  tile.return
}

// -----

// A row that does not begin where units of 16 bytes do.
tile.entry @case(%x: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(inout %x0 = %x : !tile.array<f32, 1>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %s = tile.alloc : !tile.ref<f32, [8, 6], smem>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %w = tile.slice %x0[window %c0] : !tile.ref<f32, [?]> -> !tile.ref<f32, [4?]>
    %p = tile.slice %s[element %i, window %c0] : !tile.ref<f32, [8, 6], smem> -> !tile.ref<f32, [4], smem>
    // expected-error @+1 {{a contiguous copy begins at multiples of 16 bytes of shared memory, but this ref is known to begin only at a multiple of 8 bytes: copy larger parts of shared memory}}
    tile.bulk_load %w, %p, %b[%c0] : !tile.ref<f32, [4?]>, !tile.ref<f32, [4], smem>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// A run of a row that a swizzle takes apart.
tile.entry @case(%x: !tile.array<f32, 1>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(inout %x0 = %x : !tile.array<f32, 1>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    // expected-error @+1 {{shared memory of contiguous copies, {.oob_mode = tg::oob_fill::promise_in_bounds}, cannot be swizzled: omit .transforms, or the promise}}
    %s = tile.alloc : !tile.ref<f32, [8, 32], smem swizzle 128>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %w = tile.slice %x0[window %c0] : !tile.ref<f32, [?]> -> !tile.ref<f32, [32?]>
    %p = tile.slice %s[element %i, whole] : !tile.ref<f32, [8, 32], smem swizzle 128> -> !tile.ref<f32, [32], smem swizzle 128>
    tile.bulk_load %w, %p, %b[%c0] : !tile.ref<f32, [32?]>, !tile.ref<f32, [32], smem swizzle 128>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}

// -----

// Views that swizzled panels forbid, and those of windows whose rows lie apart.
tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %s = tile.alloc : !tile.ref<f32, [16, 64], smem swizzle 128>
    %split = tile.reshape_ref %s : !tile.ref<f32, [16, 64], smem swizzle 128> -> !tile.ref<f32, [16, 2, 2, 16], smem swizzle 128>
    // expected-error @+1 {{tg::reshape_ref of 16 x 64 to 1024 merges or splits rows that are not contiguous: this shared memory has panels of 128 bytes; to forbid them, pin {.transforms = {tg::swizzle(16)}}}}
    %flat = tile.reshape_ref %s : !tile.ref<f32, [16, 64], smem swizzle 128> -> !tile.ref<f32, [1024], smem swizzle 128>
    tile.yield
  }
  tile.return
}

// -----

tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %s = tile.alloc : !tile.ref<f32, [16, 96], smem swizzle 128>
    // expected-error @+1 {{tg::reshape_ref of 16 x 96 to 16 x 2 x 48 merges or splits rows that are not contiguous: this shared memory has panels of 128 bytes}}
    %cut = tile.reshape_ref %s : !tile.ref<f32, [16, 96], smem swizzle 128> -> !tile.ref<f32, [16, 2, 48], smem swizzle 128>
    tile.yield
  }
  tile.return
}

// -----

tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %s = tile.alloc : !tile.ref<f32, [16, 64], smem>
    %w = tile.slice %s[whole, window %i] : !tile.ref<f32, [16, 64], smem> -> !tile.ref<f32, [16, 32], smem>
    // expected-error @+1 {{tg::reshape_ref of 16 x 32 to 512 merges or splits rows that are not contiguous: reshape the whole ref, and take a window of the result}}
    %flat = tile.reshape_ref %w : !tile.ref<f32, [16, 32], smem> -> !tile.ref<f32, [512], smem>
    tile.yield
  }
  tile.return
}

// -----

// Elements that begin between those of the wider type.
tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %s = tile.alloc : !tile.ref<f16, [16, 64], smem>
    %w = tile.slice %s[whole, window %i] : !tile.ref<f16, [16, 64], smem> -> !tile.ref<f16, [16, 32], smem>
    // expected-error @+1 {{tg::bitcast_ref to elements of 4 bytes requires rows that lie along the last dimension and begin at multiples of that: the rows of this ref begin at multiples of 2 bytes, 16 x 32 elements of 2}}
    %words = tile.bitcast_ref %w : !tile.ref<f16, [16, 32], smem> -> !tile.ref<f32, [16, 16], smem>
    tile.yield
  }
  tile.return
}

// -----

tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %s = tile.alloc : !tile.ref<f16, [16, 62], smem>
    %w = tile.slice %s[whole, window %i] : !tile.ref<f16, [16, 62], smem> -> !tile.ref<f16, [16, 4], smem>
    // expected-error @+1 {{tg::bitcast_ref to elements of 8 bytes requires rows that lie along the last dimension and begin at multiples of that}}
    %words = tile.bitcast_ref %w : !tile.ref<f16, [16, 4], smem> -> !tile.ref<f64, [16, 1], smem>
    tile.yield
  }
  tile.return
}

// -----

// Parts of which two are in one panel and two in the next.
tile.entry @case(%n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %s = tile.alloc : !tile.ref<f32, [16, 64], smem swizzle 128>
    // expected-error @+1 {{tg::reshape_ref of 16 x 64 to 16 x 4 x 16 merges or splits rows that are not contiguous: this shared memory has panels of 128 bytes}}
    %parts = tile.reshape_ref %s : !tile.ref<f32, [16, 64], smem swizzle 128> -> !tile.ref<f32, [16, 4, 16], smem swizzle 128>
    tile.yield
  }
  tile.return
}

// -----

// A view whose rows are not those that a swizzle permutes is not copied.
tile.entry @case(%x: !tile.array<f32, 2>, %n: i64) attributes {qualified_name = "case"} {
  tile.launch "case_0" grid() args(inout %x0 = %x : !tile.array<f32, 2>, scalar %i = %n : i64) attributes {warpgroups = 1 : i64} {
    %c0 = arith.constant 0 : i64
    %s = tile.alloc : !tile.ref<f32, [16, 32], smem swizzle 128>
    %b = tile.alloc_barriers arrivals 1 : !tile.barriers<1>
    %v = tile.reshape_ref %s : !tile.ref<f32, [16, 32], smem swizzle 128> -> !tile.ref<f32, [8, 64], smem swizzle 128>
    %w = tile.slice %x0[window %i, window %i] : !tile.ref<f32, [?, ?]> -> !tile.ref<f32, [8?, 64?]>
    // expected-error @+1 {{TMA cannot copy a view that changes the rows of swizzled shared memory: keep the last dimension, or pin {.transforms = {tg::swizzle(16)}}}}
    tile.copy_to_shared %w, %v, %b[%c0] : !tile.ref<f32, [8?, 64?]>, !tile.ref<f32, [8, 64], smem swizzle 128>, !tile.barriers<1>
    tile.yield
  }
  tile.return
}
