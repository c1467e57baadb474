# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random products of the portable level, in C++, of what Hopper's tensor cores multiply.

Factors of floats are integers so small that sums in f32 are exact, in any order: a result is rounded once, on the CPU and on a GPU.
"""
from .entries import BYTES, FLOATS_OF_8_BITS, Entry, spell, write_file

ROWS, COLUMNS, STEPS = [16, 40, 64, 100, 128, 256], [8, 24, 32, 64, 96, 128, 200, 256, 384], [16, 32, 48, 64, 128]


class Product(Entry):
    """o = finish(a b), cut in one of many ways."""

    def __init__(self, seed, name):
        super().__init__(seed, name)
        self.depth = 1
        self.static_depth = None
        self.element = self.pick(["f16", "bf16", "s8", "u8", "f32", *FLOATS_OF_8_BITS])  # f32 as tf32
        self.right = self.pick(FLOATS_OF_8_BITS) if self.element in FLOATS_OF_8_BITS else self.element
        self.is_integer = self.element in ("s8", "u8")
        self.result = self.pick(["f32", "f32", "f16", "bf16"] + ["s32", "s32", "s32", "s8"] * self.is_integer)
        # Rows of elements of other than 16 bits lie along what is summed over, or the product is not for tensor cores.
        is_half = BYTES[self.element] == 2
        self.turns_a, self.turns_b = self.chance(0.3 if is_half else 0.1), self.chance(0.4 if is_half else 0.9)
        self.is_batched = self.chance(0.2)
        # Factors that are computed, of what is perhaps of another type.
        self.computes = {side: self.chance(0.2) for side in "ab"}
        self.held = {side: self.pick(["f32", "bf16", "s8"]) if computes and self.is_number() and self.chance(0.5) else element
                     for (side, computes), element in zip(self.computes.items(), (self.element, self.right))}
        # What only 16 bits have: a second product with a sum of its own.
        self.has_second = is_half and self.chance(0.25)
        self.m, self.n, self.k = (self.extent() for _ in range(3))
        getattr(self, self.random.choices(["steps", "rows", "parts", "whole"], [4, 3, 3, 1])[0])()

    def is_number(self):
        return self.element not in FLOATS_OF_8_BITS

    def extent(self):
        if self.chance(0.1):
            return self.random.randint(0, 9)
        return self.random.randint(1, 40) * 8 if self.chance(0.6) else self.random.randint(1, 320)

    # ---- Arrays --------------------------------------------------------------------------------------------------------

    def matrix(self, element, rows, columns, access="in"):
        batch = [3] if self.is_batched else []
        return self.array(element, (*batch, rows, columns), access)

    def declare(self, width=None):
        """The arrays; with static blocks of so many columns, perhaps one for the greatest element of each row of a block."""
        has_greatest = width and not self.is_batched and self.is_float_result() and self.chance(0.25)
        self.a = self.matrix(self.held["a"], *((self.k, self.m) if self.turns_a else (self.m, self.k)))
        self.b = self.matrix(self.held["b"], *((self.n, self.k) if self.turns_b else (self.k, self.n)))
        self.v = self.matrix(self.held["b"], *((self.n, self.k) if self.turns_b else (self.k, self.n))) if self.has_second else None
        self.bias = self.array("f32", (self.n,)) if self.is_float_result() and self.chance(0.3) else None
        self.c = self.matrix("f32", self.m, self.n) if self.is_float_result() and self.chance(0.3) else None
        self.o = self.matrix(self.result, self.m, self.n, "out")
        self.greatest = self.array("f32", (self.m, -(-self.n // width)), "out") if has_greatest else None
        rank = 3 if self.is_batched else 2
        left, right = rank - 2 if self.turns_a else rank - 1, rank - 1 if self.turns_b else rank - 2
        self.line(f'tg::check({self.a}.dim({left}) == {self.b}.dim({right}), "the depths differ");')
        rows, columns = f"{self.o}.dim({rank - 2})", f"{self.o}.dim({rank - 1})"
        of_a, of_b = rank - 1 if self.turns_a else rank - 2, rank - 2 if self.turns_b else rank - 1
        self.line(f'tg::check({self.a}.dim({of_a}) == {rows} && {self.b}.dim({of_b}) == {columns}, "the factors differ");')
        if self.v:
            self.line(f'tg::check({self.v}.dim({rank - 2}) == {self.b}.dim({rank - 2}), "the depths differ");')
            self.line(f'tg::check({self.v}.dim({rank - 1}) == {self.b}.dim({rank - 1}), "the factors differ");')
        if self.greatest:
            self.line(f'tg::check({self.greatest}.dim(0) == {rows}, "the greatest differ");')
            self.line(f'tg::check({self.greatest}.dim(1) == tg::cdiv({columns}, {width}), "the greatest differ");')
        if self.bias:
            self.line(f'tg::check({self.bias}.dim(0) == {columns}, "the bias differs");')
        if self.c:
            self.line(f'tg::check({self.c}.dim({rank - 2}) == {rows} && {self.c}.dim({rank - 1}) == {columns}, "c differs");')

    def is_float_result(self):
        return self.result not in ("s32", "s8")

    def finish(self, value):
        if self.is_integer and not self.is_float_result():
            if self.chance(0.3):
                value = f"tg::maximum({value}, {self.pick(['0', '-7'])})"
            if self.chance(0.2):
                value = f"({value} * 2)"
            return value if self.result == "s32" else f"tg::astype<{spell(self.result)}>({value})"
        if self.is_integer:
            value = f"tg::astype<float>({value})"
        if self.bias:
            value = f"({value} + bias[tg::newaxis, tg::all])"
        if self.chance(0.3):
            value = f"tg::maximum({value}, {self.pick(['0.0f', '1.0f'])})"
        if self.c:
            value = f"({value} + c[tg::all])"
        if self.chance(0.2):
            value = f"({value} * 2.0f)"
        return value if self.result == "f32" else f"tg::astype<{spell(self.result)}>({value})"

    def compute(self, side, factor):
        """Something for a factor that keeps it small and whole; of zeros it may make something else."""
        element = spell(self.element if side == "a" else self.right)
        if self.held[side] != self.element and self.is_number():
            return f"tg::astype<{element}>({factor})"
        ways = [f"tg::astype<{element}>(tg::astype<float>({factor}) + 1.0f)"]
        if self.is_number():
            ways += [f"({factor} + {factor})", f"tg::maximum({factor}, 0)", f"tg::where({factor} > 0, {factor}, 1)"]
        return self.pick(ways)

    def factors(self, along=None, right="b"):
        """What a product takes: tiles of the factors, and options; with `along`, the columns of the left one and the rows of the right one."""
        part = along or "tg::all"
        ways = []
        for name, turns, place in (("a", self.turns_a, f"{part}, tg::all" if self.turns_a else f"tg::all, {part}"),
                                   (right, self.turns_b, f"tg::all, {part}" if self.turns_b else f"{part}, tg::all")):
            place = place if along else "tg::all"
            plain = f"{name}[{place}]"
            if not turns:
                ways.append(plain)
            elif self.chance(0.5):
                ways.append(f"tg::transpose({plain})")
            else:
                turned = ", ".join(reversed(place.split(", "))) if along else place
                ways.append(f"tg::transpose_ref({name})[{turned}]")
        ways = [self.compute(side, way) if self.computes[side] else way for side, way in zip("ab", ways)]
        options = ["{.precision = tg::precision::tf32}"] if self.element == "f32" else []
        return ", ".join(ways + options)

    # ---- Programs ------------------------------------------------------------------------------------------------------

    def body(self, lines):
        there = (("v", self.v), ("bias", self.bias), ("c", self.c), ("o", self.o), ("greatest", self.greatest))
        names = ["a", "b"] + [name for name, array in there if array]
        self.open(f"[=]({', '.join('auto ' + name for name in names)}) {{")
        for line in lines:
            self.line(line)
        self.close("},")

    def launch(self, lines, rows, columns, grid):
        """Blocks of rows x columns, static numbers or names of run-time ones."""
        is_static = isinstance(rows, int)
        batch = ["3"] if self.is_batched else []
        self.open("tg::pallas_call(")
        if grid:
            self.line(f"{{.grid = {{{', '.join(batch + grid)}}}}},")
        self.body(lines)
        parameters = ["auto l"] * self.is_batched + ["auto i", "auto j"]

        def spec(kind, array, extents, index, is_last=False):
            if not grid:
                self.line(f"tg::{kind}({array}){');' if is_last else ','}")
                return
            squeezed = self.is_batched and len(extents) == 2
            extents = (["tg::squeezed"] if squeezed else []) + extents
            index = (["l"] if squeezed else []) + index
            used = [p if p.split()[1] in index else "auto" for p in parameters]
            where = f"[=]({', '.join(used)}) {{ return tg::index({', '.join(index)}); }}"
            text = f"tg::{kind}<{', '.join(map(str, extents))}>({array}, {where})" if is_static else \
                f"tg::{kind}({array}, {{{', '.join(map(str, extents))}}}, {where})"
            self.line(text + (");" if is_last else ","))

        whole = (self.static_depth or "tg::whole") if is_static else "depth"
        spec("in", self.a, [whole, rows] if self.turns_a else [rows, whole], ["0", "i"] if self.turns_a else ["i", "0"])
        spec("in", self.b, [columns, whole] if self.turns_b else [whole, columns], ["j", "0"] if self.turns_b else ["0", "j"])
        if self.v:
            spec("in", self.v, [columns, whole] if self.turns_b else [whole, columns], ["j", "0"] if self.turns_b else ["0", "j"])
        if self.bias:
            spec("in", self.bias, [columns], ["j"])
        if self.c:
            spec("in", self.c, [rows, columns], ["i", "j"])
        spec("out", self.o, [rows, columns], ["i", "j"], is_last=not self.greatest)
        if self.greatest:
            spec("out", self.greatest, [rows, "tg::squeezed"], ["i", "j"], is_last=True)
        self.depth -= 1

    def counts(self, rows, columns):
        rank = 3 if self.is_batched else 2
        return [f"tg::cdiv({self.o}.dim({rank - 2}), {rows})", f"tg::cdiv({self.o}.dim({rank - 1}), {columns})"]

    def results(self, product):
        """Stores of what is made of the products."""
        lines = [f"o[tg::all] = {self.finish(product)};"]
        number = f"tg::astype<float>({product})" if self.is_integer else product
        return lines + ([f"greatest[tg::all] = tg::max<1>({number});"] if self.greatest else [])

    def products(self):
        """The products of whole rows, and what they make together."""
        if not self.has_second:
            return [f"const auto product = tg::dot({self.factors()});"], "product"
        return [f"const auto product = tg::dot({self.factors()});",
                f"const auto second = tg::dot({self.factors(right='v')});"], self.pick(["(product + second)", "tg::maximum(product, second)"])

    def steps(self):
        """A loop over k."""
        rows, columns, step = self.pick(ROWS), self.pick(COLUMNS), self.pick(STEPS) * 2 // BYTES[self.element]
        self.declare(columns)
        depth = f"a.dim({0 if self.turns_a else 1})"
        names = ["sum"] + self.has_second * [self.pick(["sum", "second"])]
        zeros = f"tg::zeros<{'int' if self.is_integer else 'float'}, {rows}, {columns}>()"
        lines = [f"auto {name} = {zeros};" for name in dict.fromkeys(names)] + [f"for (tg::s64 k = 0; k < tg::cdiv({depth}, {step}); ++k) {{"]
        for name, right in zip(names, "bv"):
            lines.append(f"  {name} += tg::dot({self.factors(f'tg::ds<{step}>({step} * k)', right)});")
        self.launch(lines + ["}"] + self.results("(sum - second)" if "second" in names else "sum"), rows, columns, self.counts(rows, columns))

    def rows(self):
        """Whole rows by whole columns, perhaps of a static length."""
        rows, columns = self.pick(ROWS), self.pick(COLUMNS)
        self.declare(columns)
        if self.k and self.chance(0.3):
            self.static_depth = self.k
            self.line(f'tg::check({self.a}.dim({(1 - self.turns_a) + self.is_batched}) == {self.k}, "the depth is another one");')
        lines, product = self.products()
        self.launch(lines + self.results(product), rows, columns, self.counts(rows, columns))

    def parts(self):
        """Some blocks of run-time size."""
        self.is_batched = False
        self.declare()
        down, across = self.random.randint(1, 3), self.random.randint(1, 3)
        self.line(f"const auto rows = tg::cdiv({self.o}.dim(0), {down}), columns = tg::cdiv({self.o}.dim(1), {across});")
        self.line(f"const auto depth = {self.a}.dim({0 if self.turns_a else 1});")
        lines, product = self.products()
        self.launch(lines + self.results(product), "rows", "columns", [str(down), str(across)])

    def whole(self):
        """One program."""
        self.is_batched = False
        self.declare()
        lines, product = self.products()
        self.launch(lines + self.results(product), 0, 0, [])


def generate(seed, count, first=0):
    return write_file("of products", Product, "d", seed, count, first)
