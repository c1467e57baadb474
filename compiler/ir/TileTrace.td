// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The explicit level: when threads do what (tegula/trace.h says how they note it). Part of TileOps.td.

#ifndef TEGULA_IR_TILETRACE_TD
#define TEGULA_IR_TILETRACE_TD

def Tile_TraceOp : Tile_Op<"trace", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a new array in which the threads of a launch note begins and ends of scopes, up to `events` in a row";
  let description = "Of s64, all 0: a row is a header, and two words an event (`include/tegula/trace.h`).";
  let arguments = (ins I64:$rows, I64Attr:$events);
  let results = (outs Tile_ArrayType:$result);
  let assemblyFormat = "$rows `,` $events attr-dict `:` type($result)";
}

def Tile_TraceReportOp : Tile_Op<"trace_report"> {
  let summary = "waits for a launch, and keeps what its threads have noted";
  let description = [{
    A scope is called by its number in `scopes`; a block has so many `threads`, and a thread so many `rows`: 1, or
    `rows_with_warps` (`include/tegula/trace.h`).
  }];
  let arguments = (ins Tile_ArrayType:$trace, StrAttr:$launch, StrArrayAttr:$scopes, I64Attr:$threads, I64Attr:$rows);
  let assemblyFormat = "$trace $launch $scopes `threads` $threads `rows` $rows attr-dict `:` type($trace)";
}

/// What a thread notes, in its own row, or a warp in `tile.warp_map`.
class Tile_NotesTrace<string name, list<Trait> traits = []> :
    Tile_Op<name, !listconcat(traits, [MemoryEffects<[MemRead, MemWrite]>])>;

def Tile_TraceThreadOp : Tile_NotesTrace<"trace_thread"> {
  let summary = "notes when the thread begins, or when it ends, and how many events it and its warps have had";
  let arguments = (ins Tile_RefType:$trace, UnitAttr:$end);
  let assemblyFormat = "(`end` $end^)? $trace attr-dict `:` type($trace)";
}

def Tile_TraceEventOp : Tile_NotesTrace<"trace_event", [Tile_OfWarps]> {
  let summary = "notes that a scope begins or ends here, as the next event of the thread or the warp";
  let description = "Events from number `events` on are left out.";
  let arguments = (ins Tile_RefType:$trace, I64Attr:$scope, I64Attr:$events, UnitAttr:$end);
  let assemblyFormat = "(`end` $end^)? $scope `of` $events `,` $trace attr-dict `:` type($trace)";
}

#endif // TEGULA_IR_TILETRACE_TD
