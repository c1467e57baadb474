# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs as users write them, and what they leave behind by the model of model.py.

Small odd sizes against static blocks, tiles out of nothing, variables that are assigned again, broadcasts of run-time extents,
scans in both directions, chains of moved tiles. All is exact in any order: integers wrap, floats are small multiples of powers
of two where they are added up.
"""
import json
import random

import numpy

from . import model, statements
from .cases import CASE
from .model import ANY, Constant, Dim, DimOf, Load, Scalar, Variable, is_float, whole
from .bodies import Bodies

BLOCKS, SIZES = [1, 7, 16, 64, 100, 128], [1, 2, 7, 13, 16, 63, 64, 65, 100, 127, 128, 129, 200, 300]
MOST_ELEMENTS, MOST_PROGRAMS = 2600, 12  # of an array, of a launch
ELEMENTS = dict(s32=10, f32=6, s64=1, s16=1, u8=1, u32=1)


class Axis:
    """A dimension of arrays: how long it is, how programs cut it."""

    def __init__(self, name, length, mode, block):
        self.name, self.length, self.mode, self.block = name, length, mode, block
        self.grid = None  # which axis of the grid, if programs share it

    @property
    def programs(self):
        return self.length if self.mode == "row" else -(-self.length // self.block)

    def dim(self):
        if self.mode == "run_time":
            return Dim(ANY, ("axis", self.name))
        if self.mode == "exact":
            return whole(self.block)
        return Dim(self.block, ("axis", self.name))

    def part(self, place):
        """What a program at a place of the grid has."""
        if self.mode == "run_time":
            return slice(0, self.length)
        at = 0 if self.grid is None else place[self.grid]
        return at if self.mode == "row" else slice(min(self.length, at * self.block), min(self.length, (at + 1) * self.block))

    def extent(self, place):
        part = self.part(place)
        return part.stop - part.start


class Array:
    """A parameter, and the block of it that a program has. `axes` may hold integers: dimensions of fixed length."""

    def __init__(self, name, element, axes, access):
        self.name, self.element, self.axes, self.access = name, element, axes, access
        self.lengths = [axis if isinstance(axis, int) else axis.length for axis in axes]
        self.before = None  # what it holds before the call
        self.dims = tuple(Dim(ANY, ("whole", axis)) if isinstance(axis, int) else axis.dim()
                          for axis in axes if isinstance(axis, int) or axis.mode != "row")

    def is_whole(self):
        return all(isinstance(axis, int) or axis.mode == "run_time" for axis in self.axes)

    def block(self, memory, place):
        return memory[tuple(slice(None) if isinstance(axis, int) else axis.part(place) for axis in self.axes)]

    def spec(self, rank):
        """How the launch takes it."""
        if self.is_whole() and not self.needs_map():
            return f"tg::{self.access}({self.name})"
        extents, entries = [], []
        for axis in self.axes:
            is_run_time = isinstance(axis, int) or axis.mode == "run_time"
            extents.append("tg::whole" if is_run_time else "tg::squeezed" if axis.mode == "row" else str(axis.block))
            entries.append("0" if is_run_time or axis.grid is None else f"i{axis.grid}")
        parameters = ", ".join(f"auto{f' i{i}' if f'i{i}' in entries else ''}" for i in range(rank))
        return f"tg::{self.access}<{', '.join(extents)}>({self.name}, [=]({parameters}) {{ return tg::index({', '.join(entries)}); }})"

    def needs_map(self):
        return not self.axes


class Point:
    """A program of the grid: what it sees."""

    def __init__(self, place, extents, blocks, scalars):
        self.place, self.extents, self.blocks, self.scalars, self.variables = place, extents, blocks, scalars, {}


class Program(Bodies):
    def __init__(self, seed, name):
        self.random, self.name = random.Random(seed), name
        self.arrays, self.parameters, self.scope, self.body = [], {}, [], []
        self.count, self.fuel, self.in_loop = 0, self.random.randint(4, 14), 0
        self.choose_axes()
        self.choose_themes()
        self.choose_arrays()
        self.body = self.statements(self.random.randint(1, 5), 2)
        self.store_results()

    # ---- Choices -------------------------------------------------------------------------------------------------------

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, choices):
        return self.random.choice(choices)

    def weighted(self, **weights):
        return self.random.choices(list(weights), list(weights.values()))[0]

    def fresh(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def element(self):
        return self.weighted(**ELEMENTS)

    # ---- Arguments -----------------------------------------------------------------------------------------------------

    def choose_axes(self):
        self.axes, self.grid = [], []
        elements = programs = 1
        for i in range(self.weighted(**{"1": 11, "2": 8, "3": 1}) != "1" and self.pick([2, 2, 2, 3]) or 1):
            mode = self.weighted(edge=8, exact=2, run_time=4, row=2 if i else 0)
            most = max(1, min(MOST_ELEMENTS // elements, 300))
            length = self.pick([n for n in SIZES if n <= most])
            if mode == "run_time":
                block = None
            elif mode == "row":
                length, block = self.random.randint(1, max(1, min(5, MOST_PROGRAMS // programs, most))), 1
            else:
                # Made tiles are as large as the block, whatever is there of it.
                blocks = [b for b in BLOCKS if b * elements <= 2 * MOST_ELEMENTS and -(-length // b) * programs <= MOST_PROGRAMS]
                block = self.pick([b for b in blocks if b > 1] or blocks or [1])
                if not blocks:
                    length = 1
                if block == 1:  # Else there would be one element or none.
                    mode = "exact"
                if mode == "exact":
                    length = max(1, min(length // block, most // block)) * block
            axis = Axis(f"d{i}", length, mode, block)
            has_grid = mode == "row" or mode != "run_time" and (axis.programs > 1 or self.chance(0.4))
            if has_grid:
                axis.grid = len(self.grid)
                self.grid.append(axis)
                programs *= axis.programs
            elements *= block if mode in ("edge", "exact") else length if mode == "run_time" else 1
            self.axes.append(axis)
        self.random.shuffle(self.axes)
        self.places = list(numpy.ndindex(*[axis.programs for axis in self.grid]))

    def array(self, element, axes, access):
        array = Array(f"x{len(self.arrays)}", element, list(axes), access)
        self.arrays.append(array)
        return array

    def choose_arrays(self):
        rows = [axis for axis in self.axes if axis.mode != "row"]
        for i in range(self.random.randint(1, 3)):
            axes = list(self.axes)
            if i and len(rows) > 1 and self.chance(0.5):
                axes = self.random.sample(self.axes, self.random.randint(1, len(self.axes)))
            if self.in_two_places(axes) and self.chance(0.15):
                array = self.array(self.element(), axes, "inout")
            else:
                array = self.array(self.element(), axes, "in")
            array.before = self.data(array)
        self.table = None
        if self.chance(0.25):  # What is gathered from.
            self.table = self.array(self.element(), [self.pick([1, 7, 13, 100])], "in")
            self.table.before = self.data(self.table)
        for i in range(self.random.randint(0, 2)):
            self.parameters[f"n{i}"] = self.random.randint(1, 5)

    def in_two_places(self, axes):
        """Whether programs have blocks of their own."""
        return all(axis in axes for axis in self.grid)

    def data(self, array):
        source = numpy.random.RandomState(self.random.getrandbits(32))
        if is_float(array.element):
            return source.randint(-8, 9, array.lengths).astype(numpy.float32) / 2
        low, high = model.limits(array.element)
        if self.chance(0.1) and array.element != "s64":
            return source.randint(low, high, array.lengths, dtype=numpy.int64).astype(model.DTYPES[array.element])
        return source.randint(max(low, -9), 10, array.lengths).astype(model.DTYPES[array.element])

    def load(self, array):
        node = Load(array.element, array.dims, block=array.name)
        return node.bounded(4, 1) if is_float(array.element) and array.access == "in" else node.bounded(1 << 10, 6)

    # ---- What extents can be -------------------------------------------------------------------------------------------

    def extents(self, place):
        return {**{("axis", axis.name): axis.extent(place) for axis in self.axes if axis.mode != "row"},
                **{("scalar", name): value for name, value in self.parameters.items()}}

    def least(self, dim):
        return min(model.extent_of(dim, self.extents(place)) for place in self.places)

    def most(self, dim):
        return max(model.extent_of(dim, self.extents(place)) for place in self.places)

    def extents_spelled(self, dim):
        """Scalars that are a run-time extent."""
        found = [DimOf("s64", (), place=array.name, axis=i, of=d) for array in self.arrays if array.access != "partial_out"
                 for i, d in enumerate(array.dims) if d.symbol == dim.symbol]
        found += [DimOf("s64", (), place=v.at["name"], axis=i, of=d) for v in self.scope
                  for i, d in enumerate(v.dims) if d.symbol is not None and d.symbol == dim.symbol]
        if dim.symbol and dim.symbol[0] == "scalar":
            found.append(self.parameter(dim.symbol[1]))
        return found

    def parameter(self, name, element="s64"):
        return Scalar(element, (), name=name, spelled=name if element == "s64" else f"static_cast<int>({name})")

    # ---- The entry -----------------------------------------------------------------------------------------------------

    def checks(self):
        lines, seen = [], {}
        for array in self.arrays:
            for i, axis in enumerate(array.axes):
                here = f"{array.name}.dim({i})"
                if isinstance(axis, int):
                    lines.append(f'tg::check({here} == {axis}, "{here}");')
                elif axis.name in seen:
                    lines.append(f'tg::check({here} == {seen[axis.name]}, "{here}");')
                else:
                    seen[axis.name] = here
                    if axis.mode == "exact" and axis.grid is None:
                        lines.append(f'tg::check({here} == {axis.block}, "{here}");')
                    elif axis.mode == "exact" and axis.block > 1:
                        lines.append(f'tg::check({here} % {axis.block} == 0, "{here}");')
        return lines, seen

    def text(self):
        """The entry in C++."""
        written = [array for array in self.arrays]
        parameters = [f"tg::array<{'const ' if a.access == 'in' else ''}{model.SPELLED[a.element]}, {len(a.axes)}> {a.name}" for a in written]
        parameters += [f"tg::s64 {name}" for name in self.parameters]
        checks, seen = self.checks()
        lines = ["  " + line for line in checks] + ["  tg::pallas_call("]
        if self.grid:
            sizes = [seen[axis.name] if axis.block == 1 else f"tg::cdiv({seen[axis.name]}, {axis.block})" for axis in self.grid]
            lines.append(f"      {{.grid = {{{', '.join(sizes)}}}}},")
        lines.append(f"      [=]({', '.join('auto ' + a.name for a in written)}) {{")
        lines += statements.text(self.body, 4)
        lines.append("      },")
        specs = [array.spec(len(self.grid)) for array in written]
        lines += [f"      {spec}{');' if spec is specs[-1] else ','}" for spec in specs]
        head = f"TEGULA_KERNEL void {self.name}({', '.join(parameters)}) {{"
        return "\n".join([CASE + json.dumps(self.description()), "namespace fuzz {", head, *lines, "}", "} // namespace fuzz", ""])

    def description(self):
        arrays = []
        for array in self.arrays:
            strides, step = [], 1
            for length in reversed(array.lengths):
                strides.insert(0, step)
                step *= length
            access = {"partial_out": "inout"}.get(array.access, array.access)
            arrays.append({"type": array.element, "dims": array.lengths, "access": access, "tame": False, "strides": strides, "offset": 0, "size": step})
        scalars = [{"type": "s64", "value": str(value)} for value in self.parameters.values()]
        return {"name": self.name, "units": -1, "arrays": arrays, "scalars": scalars, "results": [], "hands_over": False}

    def run(self):
        """What the arrays hold before the call, and behind it by the model."""
        before = [array.before for array in self.arrays]
        after = [data.copy() for data in before]
        for place in self.places:
            blocks = {array.name: array.block(memory, place) for array, memory in zip(self.arrays, after)}
            scalars = {**self.parameters, **{f"program {i}": at for i, at in enumerate(place)}}
            point = Point(place, self.extents(place), blocks, scalars)
            statements.run(self.body, point)
        return before, after


def generate(seed, count, first=0):
    """A C++ file of `count` entries. An entry depends on the seed and its number alone."""
    parts = [f"// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n// Random programs with a model: seed {seed}.\n"
             "#include <tegula/tegula.h>\nnamespace tg = tegula;\n"]
    return "\n".join(parts + [Program(f"m{seed}/{i}", f"m{seed}_{i}").text() for i in range(first, first + count)])
