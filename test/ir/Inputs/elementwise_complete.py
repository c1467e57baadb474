# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every elementwise op has all its parts: a meaning on the CPU, a spelling in the language, and for every type that it
takes a lowering.

usage: elementwise_complete.py <source tree>
"""
import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
records = re.findall(
    r'def Tile_\w+Op : Tile_(Unary|Binary|Ternary|Compare|Conversion|Elementwise)Op<"(\w+)"(?:, (\d+))?(?:, (?:Tile_)?(\w+))?',
    (source / "compiler/ir/TileElementwise.td").read_text())
meanings = "".join(path.read_text() for path in (source / "include/tegula/cpu").glob("*.h"))
language = "".join(path.read_text() for path in (source / "include/tegula").glob("language/*.h"))

# Ops that C++ spells as an operator, and those that are called otherwise.
spellings = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%", "bit_and": "&", "bit_or": "|", "bit_xor": "^",
    "shift_left": "<<", "shift_right": ">>", "logical_and": "&&", "logical_or": "||", "eq": "==", "ne": "!=", "lt": "<",
    "le": "<=", "gt": ">", "ge": ">=", "neg": "-", "bit_not": "~", "logical_not": "!", "cast": "astype",
    "stochastic_cast": "astype",
}
# A function of C's library that the CPU has under its name.
made_by_macro = r"\bTEGULA_FUNCTION(?:_OF_TWO)?\({}\)"
signed, unsigned, floats = ["i8", "i16", "i32", "i64"], ["ui8", "ui16", "ui32", "ui64"], ["f16", "bf16", "f32", "f64"]
elements = {
    "Float": floats, "Int": signed + unsigned, "Number": signed + unsigned + floats, "Bool": ["i1"], "F32": ["f32"],
    "Integral": ["i1"] + signed + unsigned, "Computed": signed + unsigned + floats,
}
# From what to what, for ops that say it in words.
conversions = {
    "cast": [("f32", "i32")],
    "bitcast": [("f32", "ui32"), ("i64", "f64"), ("bf16", "i16"), ("ui8", "f8E4M3FN"), ("f8E5M2", "i8"),
                ("!tile.stored<e8m0>", "i8"), ("!tile.stored<u4>", "!tile.stored<s4>")],
    "stochastic_cast": [("f32", to) for to in ("f16", "bf16", "f8E4M3FN", "f8E5M2")],
}

missing, kernels = [], []
for kind, name, weight, types in records:
    if not re.search(rf"\b{name}\(", meanings) and not re.search(made_by_macro.format(name), meanings):
        missing.append(f"{name}: no cpu::{name} in include/tegula/cpu")
    spelling = spellings.get(name, name)
    if not re.search(rf"\b{spelling}\b" if spelling.isidentifier() else re.escape(spelling), language):
        missing.append(f"{name}: no {spelling} in include/tegula/language")
    if kind != "Compare" and not weight:
        missing.append(f"{name}: no weight in its record")

    def tile(element):
        return f"tensor<64x{element}>"

    if name in conversions:
        forms = [(start, to, f"tile.{name} %x{', %w' if name == 'stochastic_cast' else ''} : {tile(start)}"
                  f"{', ' + tile('ui32') if name == 'stochastic_cast' else ''} -> {tile(to)}") for start, to in conversions[name]]
    elif name == "where":
        forms = [(e, e, f"tile.where %c, %x, %x : {tile('i1')}, {tile(e)}") for e in ["i1"] + signed + unsigned + floats]
    elif kind == "Compare":
        forms = [(e, "i1", f"tile.{name} %x, %x : {tile(e)} -> {tile('i1')}") for e in elements[types]]
    else:
        operands = ", ".join(["%x"] * {"Unary": 1, "Binary": 2, "Ternary": 3}[kind])
        forms = [(e, e, f"tile.{name} {operands} : {tile(e)}") for e in elements[types]]
    for start, to, op in forms:
        kernels.append(f"""
tile.kernel @{name}_{re.sub('[^a-zA-Z0-9]', '', start)}(%a: !tile.ref<{start}, [?]>, %b: !tile.ref<ui32, [?]>, %m: !tile.ref<i1, [?]>, %o: !tile.ref<{to}, [?]>)
    attributes {{threads = 64 : i64, group = 64 : i64}} {{
  %z = arith.constant 0 : i64
  %aw = tile.slice %a[window %z] {{in_bounds}} : !tile.ref<{start}, [?]> -> !tile.ref<{start}, [64]>
  %bw = tile.slice %b[window %z] {{in_bounds}} : !tile.ref<ui32, [?]> -> !tile.ref<ui32, [64]>
  %mw = tile.slice %m[window %z] {{in_bounds}} : !tile.ref<i1, [?]> -> !tile.ref<i1, [64]>
  %ow = tile.slice %o[window %z] {{in_bounds}} : !tile.ref<{to}, [?]> -> !tile.ref<{to}, [64]>
  %x = tile.load %aw : !tile.ref<{start}, [64]> -> {tile(start)}
  %w = tile.load %bw : !tile.ref<ui32, [64]> -> {tile('ui32')}
  %c = tile.load %mw : !tile.ref<i1, [64]> -> {tile('i1')}
  %r = {op}
  tile.store %r, %ow : {tile(to)}, !tile.ref<{to}, [64]>
  tile.return
}}
""")

assert len(records) > 70, "the records of TileElementwise.td are written in another way than this script reads"
run = subprocess.run(["tegula-opt", "--split-input-file", "--tile-assign-layouts", "--tile-lower-to-llvm", "-"],
                     input="// -----\n".join(kernels), text=True, capture_output=True)
missing += [line for line in run.stderr.splitlines() if "error:" in line]
if run.returncode != 0 and not missing:
    missing.append(run.stderr)

print("\n".join(missing) or f"all {len(records)} ops are complete, in {len(kernels)} forms")
sys.exit(bool(missing))
