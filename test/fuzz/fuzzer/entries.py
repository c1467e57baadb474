# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random entries in C++, whatever they compute: their arguments, their text."""
import json
import random

from .cases import CASE
from .ir import ELEMENTS

FLOATS_OF_8_BITS = ["e4m3", "e5m2"]
BYTES = {**{name: element.bytes for name, element in ELEMENTS.items()}, **{name: 1 for name in FLOATS_OF_8_BITS}}


def spell(element):
    return "tg::" + element if element != "bool" else "bool"


class Entry:
    def __init__(self, seed, name):
        self.random, self.name = random.Random(seed), name
        self.arrays, self.scalars, self.lines = [], [], []
        self.depth, self.count = 2, 0
        self.hands_over = False

    # ---- Choices and text ----------------------------------------------------------------------------------------------

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, choices):
        return self.random.choice(choices)

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def open(self, text):
        self.line(text)
        self.depth += 1

    def close(self, text="}"):
        self.depth -= 1
        self.line(text)

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    # ---- Arguments -----------------------------------------------------------------------------------------------------

    def array(self, element, dims, access="in", spare=True):
        """An array that TMA takes: rows begin at multiples of 16 bytes."""
        name, unit = f"x{len(self.arrays)}", 16 // BYTES[element]
        strides, step = [0] * len(dims), 1
        for n, i in enumerate(reversed(range(len(dims)))):
            strides[i] = step
            step *= max(1, dims[i])
            if n == 0 and len(dims) > 1:
                step = -(-step // unit) * unit + (unit * self.random.randint(0, 2) if spare and self.chance(0.3) else 0)
        size = 1 + sum((dim - 1) * stride for dim, stride in zip(dims, strides))
        is_tame = element in FLOATS_OF_8_BITS or ELEMENTS[element].kind == "float"
        self.arrays.append({"type": element, "dims": list(dims), "access": access, "tame": is_tame, "strides": strides, "offset": 0,
                            "size": size})
        return name

    def scalar(self, value):
        name = f"n{len(self.scalars)}"
        self.scalars.append({"type": "s64", "value": str(value)})
        return name

    def number(self, value):
        """A number that tegulac knows, or not."""
        return self.scalar(value) if self.chance(0.4) else str(value)

    # ---- The entry -----------------------------------------------------------------------------------------------------

    def write(self):
        case = {"name": self.name, "units": 0, "arrays": self.arrays, "scalars": self.scalars, "results": [], "hands_over": self.hands_over}
        parameters = [f"tg::array<{'const ' if a['access'] == 'in' else ''}{spell(a['type'])}, {len(a['dims'])}> x{i}"
                      for i, a in enumerate(self.arrays)]
        parameters += [f"tg::s64 n{i}" for i in range(len(self.scalars))]
        head = f"TEGULA_KERNEL void {self.name}({', '.join(parameters)}) {{"
        return "\n".join([CASE + json.dumps(case), "namespace fuzz {", head, *self.lines, "}", "} // namespace fuzz", ""])


def write_file(what, kind, letter, seed, count, first):
    """A C++ file of `count` entries. An entry depends on the seed and its number alone."""
    parts = [f"// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n// Random programs {what}: seed {seed}.\n"
             "#include <tegula/tegula.h>\nnamespace tg = tegula;\n"]
    return "\n".join(parts + [kind(f"{letter}{seed}/{i}", f"{letter}{seed}_{i}").write() for i in range(first, first + count)])
