# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which instruction multiplies what elements on which architecture, whatever way round the factors lie.

    product_matrix.py SOURCE     SOURCE has entries nn, nt, tn and tt, for -DLEFT= -DRIGHT= -DSUM= -DPRECISION=

Fails for each kernel for tensor cores that has another instruction than the table says, and where there is none of what should be.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

#       elements: left, right, sum, precision
TYPES = {
    "f16": ("tg::f16", "tg::f16", "float", "ieee"),
    "bf16": ("tg::bf16", "tg::bf16", "float", "ieee"),
    "tf32": ("float", "float", "float", "tf32"),
    "s8": ("tg::s8", "tg::s8", "tg::s32", "ieee"),
    "u8": ("tg::u8", "tg::u8", "tg::s32", "ieee"),
    "e4m3": ("tg::e4m3", "tg::e4m3", "float", "ieee"),
    "e5m2": ("tg::e5m2", "tg::e5m2", "float", "ieee"),
    "e4m3.e5m2": ("tg::e4m3", "tg::e5m2", "float", "ieee"),
    "f64": ("double", "double", "double", "ieee"),
}
OF_16_BITS = {name: f"mma.sync.aligned.m16n8k16.row.col.f32.{name}.{name}.f32" for name in ("f16", "bf16")}
OF_INTEGERS = {name: f"mma.sync.aligned.m16n8k32.row.col.s32.{name}.{name}.s32" for name in ("s8", "u8")}
FLOATS_OF_8_BITS = {"e4m3": "e4m3.e4m3", "e5m2": "e5m2.e5m2", "e4m3.e5m2": "e4m3.e5m2"}
AMPERE = {**OF_16_BITS, **OF_INTEGERS, "tf32": "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
          "f64": "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64",
          # As f16, which 8-bit floats become.
          **{name: OF_16_BITS["f16"] for name in FLOATS_OF_8_BITS}}
ADA = {**AMPERE, **{name: f"mma.sync.aligned.m16n8k32.row.col.f32.{pair}.f32" for name, pair in FLOATS_OF_8_BITS.items()}}
LATER = {**ADA, "f64": "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64"}
# PTX ISA, mma.sync and wgmma.mma_async. sm_75 multiplies f16 alone, 8 deep.
INSTRUCTIONS = {
    "sm_75": {name: "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32" for name in ("f16", *FLOATS_OF_8_BITS)},
    "sm_80": AMPERE,
    "sm_89": ADA,
    "sm_90a": {"f16": "k16.f32.f16.f16", "bf16": "k16.f32.bf16.bf16", "tf32": "k8.f32.tf32.tf32", "s8": "k32.s32.s8.s8", "u8": "k32.s32.u8.u8",
               **{name: f"k32.f32.{pair}" for name, pair in FLOATS_OF_8_BITS.items()}, "f64": LATER["f64"]},
    "sm_100a": LATER,
    "sm_120a": LATER,
}


def kernels(ptx):
    """The text of each kernel by its name."""
    parts = re.split(r"^\.visible \.entry (\w+)\(", ptx, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def faults(source, name):
    left, right, total, precision = TYPES[name]
    with tempfile.TemporaryDirectory() as directory:
        base = pathlib.Path(directory, "products")
        command = ["tegulac", "--emit=ptx", f"--arch={','.join(INSTRUCTIONS)}", f"-DLEFT={left}", f"-DRIGHT={right}", f"-DSUM={total}",
                   f"-DPRECISION={precision}", source, "-o", base]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode:
            return [f"{name}: {run.stderr}"]
        return [fault for arch in INSTRUCTIONS for fault in faults_of(pathlib.Path(f"{base}.{arch}.ptx").read_text(), arch, name)]


def faults_of(ptx, arch, name):
    wanted = INSTRUCTIONS[arch].get(name)
    is_wgmma = arch == "sm_90a" and wanted.startswith("k")
    found = []
    of_entries = {entry: [] for entry in ("nn", "nt", "tn", "tt")}
    for kernel, text in kernels(ptx).items():
        instructions = set(re.findall(r"(?:mma\.sync|wgmma\.mma_async)[.\w]*", text))
        of_entries[kernel[:2]] += instructions
        # Arrays that TMA cannot copy are for mma.sync on Hopper, too.
        here = LATER[name] if arch == "sm_90a" and kernel.endswith("_any") else wanted
        unit = rf"wgmma\.mma_async\.sync\.aligned\.m64n\d+{here}" if is_wgmma and here == wanted else re.escape(here or "nothing")
        found += [f"{arch} {kernel} of {name} has {each}, not {here}" for each in instructions if not re.fullmatch(unit, each)]
        # How 16-bit factors lie: the descriptors' transposition, and ldmatrix's.
        if is_wgmma and name in OF_16_BITS and "wgmma.mma_async" in text:
            flags = {"n": ("0", "1"), "t": ("1", "0")}
            ending = f", 1, 1, {flags[kernel[0]][0]}, {flags[kernel[1]][1]};"
            found += [f"{arch} {kernel} of {name}: {line.strip()[-30:]}" for line in text.split("\n") if "wgmma.mma_async" in line and not line.endswith(ending)]
    for entry, instructions in of_entries.items():
        if bool(instructions) != bool(wanted):
            found.append(f"{arch} {entry} of {name} has {'instructions' if instructions else 'no instruction'} of tensor cores")
    return found


def main(source):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [fault for of_name in pool.map(lambda name: faults(source, name), TYPES) for fault in of_name]
    print("\n".join(found) or f"{len(TYPES) * len(INSTRUCTIONS)} types and architectures as the table says")
    return bool(found)


sys.exit(main(sys.argv[1]))
