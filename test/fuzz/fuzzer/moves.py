# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random chains of steps that each combine elements of the tile before with moved ones of it, in C++.

All is of integers that wrap, and so the same in any order. Tiles have run-time extents, or are static blocks.
"""
from .entries import Entry, write_file

BLOCKS = [1, 7, 16, 60, 64, 128, 100, 256, 1000, 1024, 4096]
SIDES = [1, 3, 8, 16, 30, 64]


class Moves(Entry):
    """o = f(...f(f(x))), of one tile or one for each program."""

    def __init__(self, seed, name):
        super().__init__(seed, name)
        self.depth = 1
        self.rank = self.pick([1, 1, 1, 2, 2, 3])
        self.is_static = self.chance(0.35)
        self.has_grid = self.chance(0.4)
        self.is_looped = self.chance(0.12)
        self.steps = self.pick([1, 2, 3, 4, 5, 6, 8, 12, 16])
        if self.is_static and self.steps > 6:
            self.steps = 6
        self.outline()

    def outline(self):
        sizes = BLOCKS if self.rank == 1 else SIDES
        if self.is_static:
            self.extents = [self.pick(sizes if self.rank < 3 else SIDES[:4]) for _ in range(self.rank)]
        else:
            most = {1: 700, 2: 40, 3: 12}[self.rank]
            self.extents = [self.random.randint(0 if self.chance(0.1) else 1, most) for _ in range(self.rank)]
        programs = [self.random.randint(1, 3)] if self.has_grid else []
        dims = programs + self.extents
        x, o = self.array("s32", dims), self.array("s32", dims, "out")
        y = self.array("s32", dims)
        for array in (o, y):
            self.line(f'tg::check({" && ".join(f"{x}.dim({i}) == {array}.dim({i})" for i in range(len(dims)))}, "sizes");')
        if self.is_static:
            first = len(programs)
            self.line(f'tg::check({" && ".join(f"{x}.dim({first + i}) == {size}" for i, size in enumerate(self.extents))}, "blocks");')
        self.open("tg::pallas_call(")
        if self.has_grid:
            self.line(f"{{.grid = {{{x}.dim(0)}}}},")
        self.open("[=](auto x, auto y, auto o) {")
        self.body()
        self.close("},")
        specs = []
        for kind, array in (("in", x), ("in", y), ("out", o)):
            if not self.is_static and not self.has_grid:
                specs.append(f"tg::{kind}({array})")
                continue
            block = ["tg::squeezed"] * len(programs) + [str(e) if self.is_static else "tg::whole" for e in self.extents]
            places = ["i"] * len(programs) + ["0"] * self.rank
            specs.append(f"tg::{kind}<{', '.join(block)}>({array}, [=]({'auto i' if programs else ''}) {{ return tg::index({', '.join(places)}); }})")
        self.line(", ".join(specs) + ");")
        self.depth -= 1

    # ---- Steps ---------------------------------------------------------------------------------------------------------

    def moved(self, tile):
        axis = self.random.randrange(self.rank)
        shift = self.pick(["1", "-1", "2", "-3", f"{1 << self.random.randint(0, 9)}", self.number(self.random.randint(-50, 50))])
        ways = [f"tg::roll<{axis}>({tile}, {shift})"] * 4 + [f"tg::flip<{axis}>({tile})"] * 2
        ways.append(f"tg::take<{axis}>({tile}, tg::flip<0>({self.index(tile, axis)}))")
        if self.rank == 1:
            ways += [f"tg::take<0>({tile}, {self.within(tile, 'y0', 0)})", f"tg::take<0>({tile}, {self.within(tile, tile, 0)})"]
        return self.pick(ways)

    def index(self, tile, axis):
        if self.is_static:
            return f"tg::iota<int, {self.extents[axis]}>()"
        return f"tg::iota<tg::s64>({tile}.dim({axis}))"

    def within(self, tile, by, axis):
        """Numbers that are places along an axis."""
        size = f"tg::maximum(static_cast<int>({tile}.dim({axis})), 1)"
        return f"tg::abs(({by}) % {size})"

    def step(self, tile):
        parts = [tile if self.chance(0.7) else self.moved(tile)]
        for _ in range(self.pick([1, 1, 1, 2, 2, 4])):
            part = self.moved(tile)
            if self.chance(0.3):
                part = f"{self.random.randint(2, 9)} * {part}"
            parts.append(part)
        if self.chance(0.2):
            parts.append("y0")
        text = parts[0]
        for part in parts[1:]:
            text = f"tg::maximum({text}, {part})" if self.chance(0.15) else f"({text} {self.pick('++-^')} {part})"
        return text

    def body(self):
        self.line("const auto y0 = y[tg::all];")
        tile = "t0"
        self.line(f"auto {tile} = x[tg::all];")
        if self.is_looped:
            self.open(f"for (tg::s64 k = 0; k < {self.number(self.random.randint(0, 3))}; ++k) {{")
            inner = tile
            for _ in range(min(self.steps, 4)):
                following = self.fresh("u")
                self.line(f"const auto {following} = {self.step(inner)};")
                inner = following
            self.line(f"{tile} = {inner};")
            self.close()
        else:
            for _ in range(self.steps):
                following = self.fresh("t")
                self.line(f"const auto {following} = {self.step(tile)};")
                tile = following
        if self.chance(0.15):
            axis = self.random.randrange(self.rank)
            tile = f"{self.pick(['tg::cumsum', 'tg::cummax'])}<{axis}>({tile})"
        self.line(f"o[tg::all] = {tile};")


def generate(seed, count, first=0):
    return write_file("of moved tiles", Moves, "m", seed, count, first)
