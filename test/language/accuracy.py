#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""accuracy.py SOURCE [HEADER]: whether the accuracy that math.h states, or HEADER, is what tests of kernels allow."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
header = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else source / "include/tegula/language/math.h"

stated = {}
for line in re.search(r"of f32; f64:\n((?://   .*\n)+)", header.read_text())[1].splitlines():
    for names, narrow, wide in re.findall(r"([a-z][\w, ]*?) +([\d/]+)(?:; (\d+)|(?= \())", line):
        for name in names.split(", "):
            stated[name] = (narrow, wide or narrow)

tested = {}
for test in ("functions_test.cpp", "special_functions_test.cpp"):
    text = (source / "test/kernels" / test).read_text()
    for name, narrow, wide in re.findall(r'\{"(\w+)", ([\d.]+), ([\d.]+),', text):
        tested[name] = tuple("1/2" if units == "0.5" else units for units in (narrow, wide))

exact = ["fma"]  # Compared bit by bit.
complaints = 0
for name, units in stated.items():
    if name not in exact and tested.get(name) != units:
        has = "{} and {}".format(*tested[name]) if name in tested else "nothing"
        print("{} is stated to be within {} and {} units, and tested for {}".format(name, *units, has))
        complaints += 1
print(f"{len(stated)} functions, {complaints} complaints")
