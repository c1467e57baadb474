# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every elementwise op has all its parts: a meaning on the CPU, a spelling in the language, a lowering.

usage: elementwise_complete.py <source tree>
"""
import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
records = re.findall(
    r'def Tile_\w+Op : Tile_(Unary|Binary|Compare|Elementwise)Op<"(\w+)"(?:, Tile_(\w+))?',
    (source / "compiler/ir/TileElementwise.td").read_text())
meanings = "".join(path.read_text() for path in (source / "include/tegula/cpu").glob("*.h"))
language = "".join(path.read_text() for path in (source / "include/tegula").glob("language/*.h"))

# Ops that C++ spells as an operator, and the one that is called otherwise.
spellings = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%", "bit_and": "&", "bit_or": "|", "bit_xor": "^",
    "shift_left": "<<", "shift_right": ">>", "logical_and": "&&", "logical_or": "||", "eq": "==", "ne": "!=", "lt": "<",
    "le": "<=", "gt": ">", "ge": ">=", "neg": "-", "bit_not": "~", "logical_not": "!", "cast": "astype",
}
element = {"Number": "f32", "Float": "f32", "Int": "i32", "Integral": "i32", "Bool": "i1", "Computed": "f32", "": "f32"}

missing = []
body = []
for kind, name, types in records:
    if not re.search(rf"\b{name}\(", meanings):
        missing.append(f"{name}: no cpu::{name} in include/tegula/cpu")
    spelling = spellings.get(name, name)
    if not re.search(rf"\b{spelling}\b" if spelling.isidentifier() else re.escape(spelling), language):
        missing.append(f"{name}: no {spelling} in include/tegula/language")
    tile = f"tensor<64x{element[types]}>"
    if name == "where":
        op = "tile.where %i1, %f32, %f32 : tensor<64xi1>, tensor<64xf32>"
    elif name == "cast":
        op = "tile.cast %f32 : tensor<64xf32> -> tensor<64xi32>"
    elif kind == "Compare":
        op = f"tile.{name} %{element[types]}, %{element[types]} : {tile} -> tensor<64xi1>"
    elif kind == "Binary":
        op = f"tile.{name} %{element[types]}, %{element[types]} : {tile}"
    else:
        op = f"tile.{name} %{element[types]} : {tile}"
    body.append((name, op))

assert len(records) > 30, "the records of TileElementwise.td are written in another way than this script reads"
for name, op in body:
    result = {"where": "f32", "cast": "i32"}.get(name) or re.search(r"x(\w+)>$", op).group(1)
    kernel = f"""
tile.kernel @k(%a: !tile.ref<f32, [?]>, %b: !tile.ref<i32, [?]>, %c: !tile.ref<i1, [?]>, %o: !tile.ref<{result}, [?]>)
    attributes {{threads = 64 : i64, group = 64 : i64}} {{
  %z = arith.constant 0 : i64
  %aw = tile.slice %a[window %z] {{in_bounds}} : !tile.ref<f32, [?]> -> !tile.ref<f32, [64]>
  %bw = tile.slice %b[window %z] {{in_bounds}} : !tile.ref<i32, [?]> -> !tile.ref<i32, [64]>
  %cw = tile.slice %c[window %z] {{in_bounds}} : !tile.ref<i1, [?]> -> !tile.ref<i1, [64]>
  %ow = tile.slice %o[window %z] {{in_bounds}} : !tile.ref<{result}, [?]> -> !tile.ref<{result}, [64]>
  %f32 = tile.load %aw : !tile.ref<f32, [64]> -> tensor<64xf32>
  %i32 = tile.load %bw : !tile.ref<i32, [64]> -> tensor<64xi32>
  %i1 = tile.load %cw : !tile.ref<i1, [64]> -> tensor<64xi1>
  %r = {op}
  tile.store %r, %ow : tensor<64x{result}>, !tile.ref<{result}, [64]>
  tile.return
}}
"""
    run = subprocess.run(["tegula-opt", "--tile-assign-layouts", "--tile-lower-to-llvm", "-"], input=kernel, text=True,
                         capture_output=True)
    if run.returncode != 0:
        missing.append(f"{name}: no lowering: {run.stderr.splitlines()[0] if run.stderr else ''}")

print("\n".join(missing) or f"all {len(records)} ops are complete")
sys.exit(bool(missing))
