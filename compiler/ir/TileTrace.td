// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The explicit level: when threads do what (tegula/trace.h says how they note it). Part of TileOps.td.

#ifndef TEGULA_IR_TILETRACE_TD
#define TEGULA_IR_TILETRACE_TD

def Tile_TraceOp : Tile_Op<"trace", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a new array in which each thread of a launch notes up to `events` begins and ends of scopes";
  let description = "A row of s64 for each of `threads`, all 0: a header, and two words an event (`include/tegula/trace.h`).";
  let arguments = (ins I64:$threads, I64Attr:$events);
  let results = (outs Tile_ArrayType:$result);
  let assemblyFormat = "$threads `,` $events attr-dict `:` type($result)";
}

def Tile_TraceReportOp : Tile_Op<"trace_report"> {
  let summary = "waits for a launch, and keeps what its threads have noted";
  let description = "A scope is called by its number in `scopes`; a block has so many `threads`.";
  let arguments = (ins Tile_ArrayType:$trace, StrAttr:$launch, StrArrayAttr:$scopes, I64Attr:$threads);
  let assemblyFormat = "$trace $launch $scopes `threads` $threads attr-dict `:` type($trace)";
}

/// What a thread notes, in its own row.
class Tile_NotesTrace<string name> : Tile_Op<name, [MemoryEffects<[MemRead, MemWrite]>]>;

def Tile_TraceThreadOp : Tile_NotesTrace<"trace_thread"> {
  let summary = "notes when the thread begins, or, with the number of its events, when it ends";
  let arguments = (ins Tile_RefType:$trace, Optional<I32>:$count);
  let assemblyFormat = "$trace (`end` $count^)? attr-dict `:` type($trace)";
}

def Tile_TraceEventOp : Tile_NotesTrace<"trace_event"> {
  let summary = "notes that a scope begins or ends here, as event `number` of the thread";
  let description = "Events from number `events` on are left out.";
  let arguments = (ins Tile_RefType:$trace, I32:$number, I64Attr:$scope, I64Attr:$events, UnitAttr:$end);
  let assemblyFormat = "(`end` $end^)? $scope `,` $trace `[` $number `of` $events `]` attr-dict `:` type($trace)";
}

#endif // TEGULA_IR_TILETRACE_TD
