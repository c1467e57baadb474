# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs of the explicit level, in C++: copies by TMA, shared memory, warpgroups, barriers, pipelines, wgmma.

A program is free of races and of what a GPU and the CPU may round differently: warpgroups touch what is theirs, or meet at a
barrier first; what is summed or multiplied by the tensor cores are integers so small that every order gives the same number.
A sum of nothing but -0 may be either zero, for targets begin with 0 or with an element: programs add 0 to it.
Accesses to arrays lie inside; copies by TMA reach over the edges, too.
"""
from dataclasses import dataclass

from .entries import BYTES, Entry, spell, write_file
from .ir import ELEMENTS, EXACT

TAME = 4  # the magnitude of what arrays of floats hold
SHARED = 160 << 10  # bytes of a program
TILE = 4096  # bytes of a tile of one warpgroup: ptxas takes long for more
ROWS = [1, 2, 3, 5, 7, 8, 12, 16, 24, 32, 40, 64, 127, 128]
COMPUTED = [name for name in ELEMENTS]
FACTORS = ["f16", "bf16", "bf16", "e4m3"]


@dataclass
class Buffer:
    """Shared memory of the block, or a tile."""

    name: str
    shape: tuple
    bound: int = None  # of the magnitude, where it is known: integers of at most that
    is_dirty: bool = False  # written by this warpgroup, not yet committed


class Kernel(Entry):
    """One entry with one launch."""

    def __init__(self, seed, name):
        super().__init__(seed, name)
        self.bytes = 0
        self.programs = self.pick([1, 1, 2, 3, 7])
        self.threads, self.element = 1, self.pick(COMPUTED)
        kind = self.random.choices(["staged", "exchange", "pipeline", "specialized", "product"], [5, 2.5, 2, 1.5, 3])[0]
        self.barriers = []
        # Warpgroups hand each other what they wrote by barriers at which one lane arrives for all (harness.h).
        self.hands_over = kind == "exchange"
        getattr(self, kind)()

    # ---- Shapes --------------------------------------------------------------------------------------------------------

    def columns(self, element, most=1 << 20):
        unit = 16 // BYTES[element]
        fitting = [unit * k for k in (1, 2, 3, 4, 5, 8, 12, 16, 20) if unit * k <= most and unit * k <= 256]
        return self.pick(fitting or [unit])

    def shape(self, element, parts=1):
        """Of a tile that is one of so many of its size."""
        most = TILE // BYTES[element] // parts
        rows = self.pick([rows for rows in ROWS if rows * 16 // BYTES[element] <= most])
        return rows, self.columns(element, most // rows)

    def may_allocate(self, element, shape):
        size = BYTES[element]
        for extent in shape:
            size *= extent
        return self.bytes + size + 1024 <= SHARED

    def allocate(self, element, shape, stem="s"):
        """Arranged as tegulac finds best; a matrix that no tensor core reads, in any way that TMA knows, too."""
        name, size = self.fresh(stem), BYTES[element]
        for extent in shape:
            size *= extent
        self.bytes += -(-size // 1024) * 1024
        pinned = ""
        row = shape[-1] * BYTES[element]
        if len(shape) == 2 and stem == "s" and self.chance(0.3):
            widths = [16] + [width for width in (32, 64, 128) if row % width == 0 and shape[0] % 8 == 0]
            pinned = f"{{.transforms = {{tg::swizzle({self.pick(widths)})}}}}"
        self.line(f"tg::smem<{spell(element)}, {', '.join(map(str, shape))}> {name}{pinned};")
        return Buffer(name, tuple(shape))

    # ---- Expressions ---------------------------------------------------------------------------------------------------

    def fresh_bound(self, element):
        return TAME if ELEMENTS[element].kind == "float" else None

    def expression(self, operands, element, depth=2):
        """Of tiles of one shape, (text, bound) each: its text and bound."""
        if depth == 0 or self.chance(0.15):
            return self.pick(operands)
        kind = ELEMENTS[element].kind
        a, a_bound = self.expression(operands, element, depth - 1)
        b, b_bound = self.expression(operands, element, depth - 1)
        if kind == "bool":
            return self.pick([f"({a} && {b})", f"({a} || {b})", f"({a} ^ {b})", f"!{a}", f"({a} == {b})"]), None
        if kind != "float":
            if self.chance(0.03):
                return f"({a} / {b})", None
            text = self.pick([f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"tg::maximum({a}, {b})", f"tg::minimum({a}, {b})",
                              f"({a} & {b})", f"({a} | {b})", f"({a} ^ {b})", f"(-{a})", f"({a} + {self.random.randint(0, 99)})",
                              f"tg::where({a} < {b}, {a}, {b})", f"({a} >> 1)"])
            return text, None
        known = a_bound is not None and b_bound is not None
        if not known and self.chance(0.5):
            return self.pick([f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} / {b})"]), None
        most = max(a_bound, b_bound) if known else None
        options = [(f"tg::maximum({a}, {b})", most), (f"tg::minimum({a}, {b})", most), (f"(-{a})", a_bound), (f"tg::abs({a})", a_bound),
                   (f"tg::where({a} < {b}, {b}, {a})", most)]
        if known and a_bound + b_bound <= EXACT[element]:
            options += [(f"({a} + {b})", a_bound + b_bound), (f"({a} - {b})", a_bound + b_bound)]
        if known and a_bound * b_bound <= EXACT[element]:
            options += [(f"({a} * {b})", a_bound * b_bound)]
        if self.chance(0.05):
            options = [(f"({a} / 3)", None), (f"tg::sqrt(tg::abs({a}))", None)]
        return self.pick(options)

    def reduction(self, text, shape, bound, element):
        """A tile that keeps its dimensions, one of them as 1."""
        axis = self.pick([0, 1])
        kinds = ["any_of", "all_of"] if element == "bool" else ["max", "min"]
        if element != "bool" and ELEMENTS[element].kind != "float":
            kinds += ["sum", "sum", "prod"]
        elif bound is not None and bound * shape[axis] <= min(EXACT[element], EXACT["f32"]):
            kinds += ["sum"] * 3
        kind = self.pick(kinds)
        reduced = f"tg::{kind}<{axis}>({text}, tg::keepdims)"
        if kind == "sum" and ELEMENTS[element].kind == "float":
            reduced = f"({reduced} + 0)"
        return reduced, bound * shape[axis] if kind == "sum" and bound is not None else bound

    # ---- One warpgroup, statement by statement -------------------------------------------------------------------------

    def staged(self):
        element = self.element
        rows, columns = shape = self.shape(element)
        if self.chance(0.3):  # Square, where rows may be columns.
            rows, columns = shape = (columns, columns) if columns * columns * BYTES[element] <= TILE else shape
        height = self.programs * rows
        self.open_kernel()
        across = rows * BYTES[element] % 16 == 0
        self.window, self.height = shape, height
        self.buffers = [self.allocate(element, shape) for _ in range(self.pick([1, 2, 2, 3]))]
        self.turned = [self.allocate(element, (columns, rows)) for _ in range(self.pick([0, 1, 1]))] if across or self.chance(0.3) else []
        self.line("tg::barrier here;")
        self.sources, self.targets = [], []
        for buffer in self.buffers:
            self.load(buffer)
        for buffer in self.turned:
            self.transposed(buffer, self.pick(self.buffers))
        self.statements(self.random.randint(2, 7))
        for buffer in self.buffers:
            self.store(buffer)
        for buffer in self.turned:
            target = self.array(element, (self.programs * columns, rows + (0 if across else 16)), "out")
            self.line(f"{target}[tg::ds<{columns}>(p * {columns}), tg::ds<{rows}>(0)] = {buffer.name}[tg::all];")
        self.close_kernel()

    def statements(self, count, nesting=0):
        for _ in range(count):
            kind = self.random.choices(["compute", "part", "row", "reduced", "load", "store", "again", "transposed", "loop", "branch", "carried"],
                                       [4, 3, 1, 3, 2, 2, 2, 4 if self.turned else 0, 1.5 * (nesting < 2), 1 * (nesting < 2), 1])[0]
            if kind == "compute":
                self.compute(self.pick(self.buffers))
            elif kind in ("part", "row", "reduced", "carried"):
                getattr(self, kind)()
            elif kind == "load":
                self.load(self.pick(self.buffers))
            elif kind == "store":
                self.store(self.pick(self.buffers))
            elif kind == "again":
                self.again()
            elif kind == "transposed":
                pair = [self.pick(self.turned), self.pick(self.buffers)]
                self.random.shuffle(pair)
                self.transposed(*pair)
            else:
                head = f"for (tg::s64 i = 0; i < {self.number(self.random.randint(0, 3))}; ++i) {{"
                if kind == "branch":
                    head = f"if ({self.scalar(self.random.randint(0, 3))} > {self.pick(['p', '1'])}) {{"
                before = {id(b): b.bound for b in self.buffers + self.turned}
                if kind == "loop":  # What goes round may grow.
                    for buffer in self.buffers + self.turned:
                        buffer.bound = None
                self.open(head)
                self.statements(self.random.randint(1, 3), nesting + 1)
                self.close()
                for buffer in self.buffers + self.turned:
                    if buffer.bound != before[id(buffer)]:
                        buffer.bound = None

    def operands(self, shape):
        known = self.buffers + self.turned if shape[0] == shape[1] else self.buffers if shape == self.window else self.turned
        return [(f"{b.name}[tg::all]", b.bound) for b in known if b.shape == shape]

    def wrote(self, buffer, bound):
        buffer.bound, buffer.is_dirty = bound, True

    def commit(self):
        """Before a copy: what the warpgroup wrote is seen by it, or overwritten."""
        self.line("tg::commit_smem();")

    def compute(self, buffer):
        text, bound = self.expression(self.operands(buffer.shape), self.element)
        self.line(f"{buffer.name}[tg::all] = {text};")
        self.wrote(buffer, bound)

    def transposed(self, target, source):
        text = self.pick([f"tg::transpose_ref({source.name})[tg::all]", f"tg::transpose({source.name}[tg::all])"])
        self.line(f"{target.name}[tg::all] = {text};")
        self.wrote(target, source.bound)

    def part(self):
        """Parts that begin anywhere, also between the units of a swizzle."""
        a, b = self.pick(self.buffers), self.pick(self.buffers)
        rows, columns = self.random.randint(1, self.window[0]), self.random.randint(1, self.window[1])

        def place():
            return (f"[tg::ds<{rows}>({self.number(self.random.randint(0, self.window[0] - rows))}), "
                    f"tg::ds<{columns}>({self.random.randint(0, self.window[1] - columns)})]")

        known = [(a.name + place(), a.bound), (b.name + place(), b.bound)]
        text, bound = self.expression(known, self.element, 1)
        self.line(f"{a.name}{place()} = {text};")
        self.wrote(a, max(bound, a.bound) if bound is not None and a.bound is not None else None)

    def row(self):
        a, b = self.pick(self.buffers), self.pick(self.buffers)
        index = [self.number(self.random.randrange(self.window[0])) for _ in range(3)]
        text, bound = self.expression([(f"{a.name}[{index[0]}]", a.bound), (f"{b.name}[{index[1]}]", b.bound)], self.element, 1)
        self.line(f"{b.name}[{index[2]}] = {text};")
        self.wrote(b, max(bound, b.bound) if bound is not None and b.bound is not None else None)

    def reduced(self):
        a, b = self.pick(self.buffers), self.pick(self.buffers)
        text, bound = self.reduction(f"{a.name}[tg::all]", a.shape, a.bound, self.element)
        name = self.fresh("r")
        self.line(f"const auto {name} = {text};")
        total = b.bound + bound if bound is not None and b.bound is not None else None
        op = self.pick(["^", "&&"]) if self.element == "bool" else self.pick(["+", "-"])
        self.line(f"{b.name}[tg::all] = {b.name}[tg::all] {op} {name};")
        self.wrote(b, total if total is not None and total <= EXACT.get(self.element, 0) else None)

    def carried(self):
        """A tile that a loop carries in registers."""
        a, b = self.pick(self.buffers), self.pick(self.buffers)
        name = self.fresh("t")
        trips = self.random.randint(0, 3)
        self.line(f"auto {name} = {a.name}[tg::all];")
        op = "^" if ELEMENTS[self.element].kind != "float" else "+"
        self.open(f"for (tg::s64 k = 0; k < {self.number(trips)}; ++k) {{")
        self.line(f"{name} = {name} {op} {b.name}[tg::all];")
        if self.chance(0.4):
            self.line(f"{b.name}[tg::all] = {name};")
            b.bound = None
        self.close()
        self.line(f"{a.name}[tg::all] = {name};")
        self.wrote(a, None)

    def may_copy(self):
        """A window of more than 256 elements takes several copies, which begin at multiples of 128 bytes of shared memory."""
        rows, columns = self.window
        return columns <= 256 or rows == 1 and columns * BYTES[self.element] % 128 == 0

    def load(self, buffer):
        """By TMA, over all edges, or by the warpgroup itself."""
        rows, columns = self.window
        unit = 16 // BYTES[self.element]
        if self.may_copy() and self.chance(0.65):
            cut, hang = self.pick([0, 0, 1, rows // 2]), self.pick([0, 0, unit])
            name = self.array(self.element, (max(1, self.height - cut), max(unit, columns - hang) + self.pick([0, 0, 4 * unit])))
            row, column = self.pick([0, 0, -1, 1, rows]), self.pick([0, 0, unit, -unit])
            self.commit()
            self.line(f"tg::copy_gmem_to_smem({name}.at(tg::ds<{rows}>(p * {rows} + {self.number(row)}), tg::ds<{columns}>({column})), "
                      f"{buffer.name}, here);")
            self.line("tg::barrier_wait(here);")
        else:
            row, column = self.random.randint(0, 3), self.random.randint(0, 3)
            name = self.array(self.element, (self.height + row, columns + column))
            self.line(f"{buffer.name}[tg::all] = {name}[tg::ds<{rows}>(p * {rows} + {self.number(row)}), tg::ds<{columns}>({column})];")
        buffer.bound = self.fresh_bound(self.element)

    def store(self, buffer):
        """By TMA, over the last edges, or by the warpgroup; what has left may be read back."""
        rows, columns = self.window
        unit = 16 // BYTES[self.element]
        by_tma, reads = self.may_copy() and self.chance(0.65), self.chance(0.6)
        cut = 0 if reads or not by_tma else self.pick([0, 0, 1])
        hang = 0 if reads or not by_tma or columns == unit else self.pick([0, 0, unit])
        dims = (max(1, self.height - cut), columns - hang + self.pick([0, unit]))
        if by_tma:
            target = self.array(self.element, dims, self.pick(["out", "inout"]))
            self.commit()
            self.line(f"tg::copy_smem_to_gmem({buffer.name}, {target}.at(tg::ds<{rows}>(p * {rows}), tg::ds<{columns}>(0)));")
            self.line("tg::wait_smem_to_gmem<0>();")
        else:
            target = self.array(self.element, (dims[0], columns), self.pick(["out", "inout"]))
            self.line(f"{target}[tg::ds<{rows}>(p * {rows}), tg::ds<{columns}>(0)] = {buffer.name}[tg::all];")
        if reads:
            self.targets.append((target, buffer.bound))

    def again(self):
        """Reads back what a copy or the warpgroup wrote to an array: whole, in part, or transposed."""
        if not self.targets:
            return self.store(self.pick(self.buffers))
        target, bound = self.pick(self.targets)
        rows, columns = self.window
        place = f"{target}[tg::ds<{rows}>(p * {rows}), tg::ds<{columns}>(0)]"
        buffer = self.pick(self.buffers)
        if rows == columns and self.chance(0.5):
            self.line(f"{place} = tg::transpose({place});")
        elif self.chance(0.5):
            text, bound = self.expression([(place, bound), (f"{buffer.name}[tg::all]", buffer.bound)], self.element, 1)
            self.line(f"{place} = {text};")
            self.targets = [(t, None if t == target else b) for t, b in self.targets]
        else:
            self.line(f"{buffer.name}[tg::all] = {place};")
            self.wrote(buffer, bound)

    # ---- Several warpgroups --------------------------------------------------------------------------------------------

    def exchange(self):
        """Each warpgroup has a slot, and reads those of the others between two barriers."""
        element, threads = self.element, self.pick([2, 2, 3, 4])
        rows, columns = self.shape(element, 2)
        if self.chance(0.4) and columns * columns * BYTES[element] <= TILE:
            rows = columns
        self.threads = threads
        source = self.array(element, (self.programs * threads * rows, columns))
        target = self.array(element, (self.programs * threads * rows, columns), "out")
        self.open_kernel()
        self.line('const auto wg = tg::axis_index("wg");')
        # Copies begin at multiples of 128 bytes of shared memory.
        by_tma = rows * columns * BYTES[element] % 128 == 0
        slots = self.allocate(element, (threads, rows, columns))
        self.line(f"tg::barrier written{{.num_arrivals = {threads}}}, read{{.num_arrivals = {threads}}};")
        place = f"tg::ds<{rows}>((p * {threads} + wg) * {rows}), tg::ds<{columns}>(0)"
        kind = self.pick(["each", "one", "none"]) if by_tma else "none"
        if kind == "each":
            self.line(f"tg::barrier<{threads}> full;")
            self.line(f"tg::copy_gmem_to_smem({source}.at({place}), {slots.name}.at(wg), full.at(wg));")
            self.line("tg::barrier_wait(full.at(wg));")
        elif kind == "one":
            self.line(f"tg::barrier full{{.num_arrivals = {threads}}};")
            self.open("if (wg == 0) {")
            for i in range(threads):
                where = f"tg::ds<{rows}>((p * {threads} + {i}) * {rows}), tg::ds<{columns}>(0)"
                self.line(f"tg::copy_gmem_to_smem({source}.at({where}), {slots.name}.at({i}), full);")
            self.close()
            self.line("tg::barrier_wait(full);")
        else:
            self.line(f"{slots.name}[wg] = {source}[{place}];")
        self.open(f"for (tg::s64 i = 0; i < {self.number(self.random.randint(1, 3))}; ++i) {{")
        self.line("tg::barrier_arrive(written);")
        self.line("tg::barrier_wait(written);")
        others = []
        for d in range(threads):
            slot = f"{slots.name}[(wg + {d}) % {threads}]"
            if rows == columns and self.chance(0.5):
                slot = f"tg::transpose_ref({slots.name}.at((wg + {d}) % {threads}))[tg::all]"
            others.append((slot, None))
        text, _ = self.expression(others, element)
        self.line(f"const auto made = {text};")
        self.line("tg::barrier_arrive(read);")
        self.line("tg::barrier_wait(read);")
        self.line(f"{slots.name}[wg] = made;")
        self.close()
        if by_tma and self.chance(0.6):
            self.commit()
            self.line(f"tg::copy_smem_to_gmem({slots.name}.at(wg), {target}.at({place}));")
            self.line("tg::wait_smem_to_gmem<0>();")
            if rows == columns:
                self.line(f"{target}[{place}] = tg::transpose({target}[{place}]);")
        else:
            self.line(f"{target}[{place}] = {slots.name}[wg];")
        self.close_kernel()

    # ---- Pipelines -----------------------------------------------------------------------------------------------------

    def blocks(self, axes, count):
        """Inputs of a pipeline of blocks of one shape, over a grid of 1 or 2 axes."""
        element = self.element
        rows, columns = self.shape(element, 2)
        rows = self.aligned(rows, columns)
        steps = [self.pick([1, 2, 3, 5]) for _ in range(axes)]
        unit = 16 // BYTES[element]
        height = max(1, steps[0] * rows - self.pick([0, 0, 1]))
        width = steps[1] * columns if axes == 2 else columns
        width = max(unit, width - self.pick([0, 0, unit]))
        names = [self.array(element, (height, width)) for _ in range(count)]
        return rows, columns, steps, (height, width), names

    def aligned(self, rows, columns):
        """So many rows or more that a ring's slots begin at multiples of 128 bytes."""
        while rows * columns * BYTES[self.element] % 128:
            rows += 1
        return rows

    def stages(self, shape, operands):
        """How many steps have buffers, and for how long inputs stay."""
        size = shape[0] * shape[1] * BYTES[self.element] * operands
        depth = self.pick([d for d in (1, 2, 2, 3, 4) if d * (size + 1024 * operands) <= SHARED])
        return depth, self.random.randint(0, depth - 1)

    def pipeline(self):
        self.programs = 1
        axes, count = self.pick([1, 1, 2]), self.pick([1, 2, 3])
        rows, columns, steps, dims, names = self.blocks(axes, count)
        depth, delay = self.stages((rows, columns), count + 1)
        indices = ["i", "j"][:axes]
        taken = ", ".join(f"auto {i}" for i in indices)
        index = "i, j" if axes == 2 else "i, 0"
        carries = self.chance(0.4)
        target = self.array(self.element, dims, "out")
        last = self.array(self.element, (rows, columns), "out") if carries else None
        self.open_kernel()
        if carries:
            self.line(f"auto carried = tg::zeros<{spell(self.element)}, {rows}, {columns}>();" if self.element != "bool" else
                      f"auto carried = tg::full<bool, {rows}, {columns}>(false);")
        blocks = [f"b{k}" for k in range(count)]
        self.open("tg::emit_pipeline(")
        limits = [f"tg::cdiv({names[0]}.dim({a}), {(rows, columns)[a]})" if self.chance(0.6) else str(steps[a]) for a in range(axes)]
        self.line(f"{{.grid = {{{', '.join(limits)}}}, .max_concurrent_steps = {depth}, .delay_release = {delay}}},")
        self.open(f"[&]({taken}, {', '.join('auto ' + b for b in blocks)}, auto to) {{")
        text, _ = self.expression([(f"{b}[tg::all]", self.fresh_bound(self.element)) for b in blocks], self.element)
        if carries:
            op = "^" if ELEMENTS[self.element].kind != "float" else "+"
            self.line(f"carried = carried {op} {text};")
            text = "carried"
        self.line(f"to[tg::all] = {text};")
        self.close("},")
        for name in names:
            self.line(f"tg::in<{rows}, {columns}>({name}, []({taken}) {{ return tg::index({index}); }}),")
        self.line(f"tg::out<{rows}, {columns}>({target}, []({taken}) {{ return tg::index({index}); }}));")
        self.depth -= 1
        if carries:
            self.line(f"{last}[tg::ds<{rows}>(0), tg::ds<{columns}>(0)] = carried;")
        self.close_kernel()

    def specialized(self):
        """One warpgroup copies ahead, the others compute on parts of each block."""
        self.programs = self.pick([1, 2, 3])
        element, compute = self.element, self.pick([1, 1, 2, 3])
        columns = self.columns(element, 256)
        part = self.aligned(self.pick([1, 2, 4, 8, 16]) if columns <= 64 else 1, columns)
        rows = part * compute
        steps, count = self.pick([1, 2, 3, 6]), self.pick([1, 2])
        depth, delay = self.stages((rows, columns), count + 1)
        self.threads = compute + 1
        names = [self.array(element, (steps * rows - self.pick([0, 1]) if steps * rows > 1 else 1, self.programs * columns))
                 for _ in range(count)]
        dims = self.arrays[0]["dims"]
        sends = compute == 1 and self.chance(0.6)
        last = self.array(element, (rows, self.programs * columns), "out")
        target = self.array(element, dims, "out") if sends else None
        self.open_kernel()
        self.open("tg::emit_pipeline_warp_specialized(")
        registers = self.pick([0, 24, 40])
        self.line(f"{{.grid = {{{steps if self.chance(0.4) else f'tg::cdiv({names[0]}.dim(0), {rows})'}}}, .wg_axis = \"wg\", "
                  f".num_compute_wgs = {compute}, .memory_registers = {registers}, .max_concurrent_steps = {depth}, .delay_release = {delay}}},")
        self.open("[&](auto pipeline) {")
        self.line('const auto wg = tg::axis_index("wg");')
        shape = f"{part}, {columns}"
        zero = f"tg::full<bool, {shape}>(false)" if element == "bool" else f"tg::zeros<{spell(element)}, {shape}>()"
        self.line(f"auto sum = {zero};")
        blocks = [f"b{k}" for k in range(count)]
        self.open(f"pipeline([&](auto, {', '.join('auto ' + b for b in blocks + (['to'] if sends else []))}) {{")
        mine = [(f"{b}[tg::ds<{part}>(wg * {part})]", self.fresh_bound(element)) for b in blocks]
        text, _ = self.expression(mine, element)
        op = "^" if ELEMENTS[element].kind != "float" else "+"
        self.line(f"sum = sum {op} {text};")
        if sends:
            self.line("to[tg::all] = sum;")
        self.close("});")
        self.line(f"{last}[tg::ds<{part}>(wg * {part}), tg::ds<{columns}>(p * {columns})] = sum;")
        self.close("},")
        specs = [f"tg::in<{rows}, {columns}>({name}, [=](auto k) {{ return tg::index(k, p); }})" for name in names]
        if sends:
            specs.append(f"tg::out<{rows}, {columns}>({target}, [=](auto k) {{ return tg::index(k, p); }})")
        for spec in specs[:-1]:
            self.line(spec + ",")
        self.line(specs[-1] + ");")
        self.depth -= 1
        self.close_kernel()

    # ---- Products ------------------------------------------------------------------------------------------------------

    def product(self):
        """Sums of products by wgmma, of operands that are copied step by step."""
        factor = self.pick(FACTORS)
        is_byte = factor == "e4m3"
        least = 32 if is_byte else 16
        threads, high = self.pick([1, 1, 2]), self.pick([1, 1, 2])
        rows = 64 * high
        columns = 8 * self.random.randint(1, 32 // high if high > 1 else 32)
        depth = least * self.pick([1, 2, 3, 4, 6, 8])
        turns_a, turns_b = (False, True) if is_byte else (self.chance(0.3), self.chance(0.4))
        m = rows * threads
        # TMA counts in 16 bytes, and a ring's slots begin at multiples of 128 bytes.
        # What the tensor cores read has rows of 32 bytes or more.
        unit = 32 // BYTES[factor]
        if not turns_b and columns % unit:
            columns = -(-columns // unit) * unit
        most = 128 // least if is_byte else 8
        steps = self.random.randint(1, max(1, min(3, most * least // depth)))
        half = factor == "f16" and steps * depth * TAME * TAME <= EXACT["f16"] and self.chance(0.4)
        result = "f16" if half else "f32"
        self.threads, self.programs = threads, self.pick([1, 2])
        a_block, b_block = ((depth, m) if turns_a else (m, depth)), ((columns, depth) if turns_b else (depth, columns))
        while 2 * BYTES[factor] * (a_block[0] * a_block[1] + b_block[0] * b_block[1]) > SHARED:
            depth = max(least, depth // 2 // least * least)
            a_block, b_block = ((depth, m) if turns_a else (m, depth)), ((columns, depth) if turns_b else (depth, columns))
        a = self.array(factor, (steps * depth, self.programs * m) if turns_a else (self.programs * m, steps * depth))
        b = self.array(factor, (columns, steps * depth) if turns_b else (steps * depth, columns))
        begins = self.chance(0.3)
        c = self.array(result, (self.programs * m, columns)) if begins else None
        o = self.array(result, (self.programs * m, columns), "out")
        self.open_kernel()
        self.line('const auto wg = tg::axis_index("wg");' if threads > 1 else "const tg::s64 wg = 0;")
        x, y = self.allocate(factor, a_block, "a"), self.allocate(factor, b_block, "b")
        copier = threads > 1
        self.line(f"tg::barrier full{{.num_arrivals = 2}}, read{{.num_arrivals = {threads}}};")
        mine = f"tg::ds<{rows}>(p * {m} + wg * {rows}), tg::ds<{columns}>(0)"
        self.line(f"tg::acc<{spell(result)}, {rows}, {columns}> acc" + (f"({c}[{mine}]);" if begins else ";"))
        self.open(f"for (tg::s64 k = 0; k < {self.number(steps)}; ++k) {{")
        if copier:
            self.open("if (wg == 0) {")
        a_place = f"tg::ds<{a_block[0]}>(k * {depth}), tg::ds<{m}>(p * {m})" if turns_a else f"tg::ds<{m}>(p * {m}), tg::ds<{depth}>(k * {depth})"
        b_place = f"tg::ds<{columns}>(0), tg::ds<{depth}>(k * {depth})" if turns_b else f"tg::ds<{depth}>(k * {depth}), tg::ds<{columns}>(0)"
        self.line(f"tg::copy_gmem_to_smem({a}.at({a_place}), {x.name}, full);")
        self.line(f"tg::copy_gmem_to_smem({b}.at({b_place}), {y.name}, full);")
        if copier:
            self.close()
        self.line("tg::barrier_wait(full);")
        part = x.name
        if threads > 1:
            part = f"{x.name}.at(tg::all, tg::ds<{rows}>(wg * {rows}))" if turns_a else f"{x.name}.at(tg::ds<{rows}>(wg * {rows}))"
        left = f"tg::transpose_ref({part})" if turns_a else part
        if not turns_a and not is_byte and threads == 1 and self.chance(0.25):
            left = f"{x.name}[tg::all]" + self.pick(["", " + 1", " * 2"])
            if left.endswith(" 2") or left.endswith(" 1"):
                half_bound = (TAME * 2) * TAME * steps * depth
                left = left if result == "f32" or half_bound <= EXACT["f16"] else f"{x.name}[tg::all]"
        right = f"tg::transpose_ref({y.name})" if turns_b else y.name
        options = self.pick(["", "", f", {{.accumulate = k > {self.random.randint(-1, 1)}}}"])
        self.line(f"tg::wgmma(acc, {left}, {right}{options});")
        if self.chance(0.2):
            self.line(f"tg::wgmma(acc, {part if not turns_a else f'tg::transpose_ref({part})'}, {right});")
        self.line("tg::wgmma_wait<0>();")
        if copier:
            self.line("tg::barrier_arrive(read);")
            self.line("tg::barrier_wait(read);")
        if self.chance(0.15) and result == "f32":
            self.line("acc[tg::all] = -acc[tg::all];")
        self.close()
        text = self.pick(["acc[tg::all]", "acc[tg::all]", "tg::maximum(acc[tg::all], 0)"])
        size = m * columns * BYTES[result]
        if columns * BYTES[result] % 16 == 0 and rows * columns * BYTES[result] % 128 == 0 and self.bytes + size <= SHARED and self.chance(0.5):
            out = self.allocate(result, (threads, rows, columns), "o")
            self.line(f"{out.name}[wg] = {text};")
            self.commit()
            self.line(f"tg::copy_smem_to_gmem({out.name}.at(wg), {o}.at({mine}));")
            self.line("tg::wait_smem_to_gmem<0>();")
            if self.chance(0.4):
                self.line(f"{o}[{mine}] = {o}[{mine}] + 1;")
        else:
            self.line(f"{o}[{mine}] = {text};")
        self.close_kernel()

    # ---- The entry -----------------------------------------------------------------------------------------------------

    def open_kernel(self):
        threads = f', .threads = {{"wg", {self.threads}}}' if self.threads > 1 else ""
        self.depth = 1
        self.open(f'tg::kernel({{.grid = {{{{"p", {self.number(self.programs)}}}}}{threads}}}, [=] {{')
        self.line('const auto p = tg::axis_index("p");')

    def close_kernel(self):
        self.close("});")


def generate(seed, count, first=0):
    return write_file("of the explicit level", Kernel, "e", seed, count, first)
