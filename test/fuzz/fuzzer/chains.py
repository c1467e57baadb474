# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random loops of two products, of which the second one is made of the first one, as in attention, in C++.

All is exact, in any order: scores are small integers, of which exp2 makes powers of two. A result is rounded once, when it is stored.
"""
from .entries import Entry, spell, write_file

QUERIES, KEYS, HEADS = [16, 40, 64, 100, 128, 192, 256], [16, 32, 48, 64, 64, 80, 128], [16, 32, 64, 64, 128]
# What tensor cores take otherwise, or not at all.
ODD_KEYS, ODD_HEADS = [8, 24, 40], [8, 24, 40, 72]


class Chain(Entry):
    """o = sum over keys of f(q k) v, for several heads."""

    def __init__(self, seed, name):
        super().__init__(seed, name)
        self.depth = 1
        self.element = self.pick(["f16", "bf16"])
        self.queries = self.pick(QUERIES)
        self.keys = self.pick(ODD_KEYS if self.chance(0.08) else KEYS)
        self.head, self.width = (self.pick(ODD_HEADS if self.chance(0.08) else HEADS) for _ in range(2))
        if self.chance(0.6):
            self.width = self.head
        self.m, self.n = self.length(), self.length()
        self.heads = self.pick([1, 1, 2, 4])
        self.shared = self.pick([i for i in (1, 2, 4) if self.heads % i == 0])  # query heads that share a key head
        self.has_greatest = self.chance(0.7)
        self.reduces = self.pick(["sum", "sum", "sum", "squares", "max", "min", "none"])
        self.mask = self.pick(["none", "none", "causal", "window", "below", "multiples"])
        # Another reduction of the same tile, behind or in front of the first one.
        self.second = self.pick(["max", "min"]) if self.reduces != "none" and self.chance(0.25) else None
        self.bias = self.row = None
        self.has_row = self.chance(0.3)  # a number for each key, which scores, weights or a mask take
        self.adds_scores = self.head == self.width and self.chance(0.2)  # two products in one accumulator
        self.counts = self.pick(["keys", "keys", "keys", "s64", "int", "unsigned"])  # keys, or blocks of them
        self.is_approximate = not self.has_greatest and self.chance(0.2)  # where nothing is
        self.outline()

    def length(self):
        if self.chance(0.08):
            return self.random.randint(0, 3)
        return self.random.randint(1, 24) * 8 if self.chance(0.5) else self.random.randint(1, 200)

    # ---- The step ------------------------------------------------------------------------------------------------------

    def scores(self):
        """The first product, and what is done with it until it is small again."""
        keys = self.pick(["tg::transpose(k[step])", "tg::transpose_ref(k)[tg::all, step]"])
        product = f"tg::dot(queries, {keys})"
        lines = []
        if self.bias and self.chance(0.5):
            product = self.pick([f"{product} + bias[tg::all, step]", f"bias[tg::all, step] + {product}"])
            lines.append(f"auto scores = {product};")
        else:
            lines.append(f"auto scores = {product};")
            if self.bias:
                lines.append("scores = scores * 2.0f + bias[tg::all, step];")
        if self.adds_scores:
            lines.append("scores = scores + tg::dot(queries, tg::transpose(v[step]));")
        if self.row and self.row_of == "scores":
            lines.append(f"scores = scores {self.pick('+*')} row[step][tg::newaxis, tg::all];")
        if self.chance(0.3):
            lines.append(f"scores = {self.pick(['scores * 2.0f', 'scores - 1.0f', 'tg::abs(scores)', '-scores'])};")
        return lines + ["scores = tg::minimum(tg::maximum(scores, -3.0f), 3.0f);"]

    def masks(self):
        own = []
        if self.row and self.row_of == "masks":
            own = ["scores = tg::where(row[step][tg::newaxis, tg::all] > 0.0f, scores, -5.0f);"]
        if self.mask == "none":
            return own
        column, row = "key[tg::newaxis, tg::all]", "query[tg::all, tg::newaxis]"
        condition = {"causal": f"{column} <= {row}", "below": f"{row} < {column}",
                     "window": f"({column} <= {row} + {self.right}) & ({column} >= {row} - {self.left})",
                     "multiples": f"{column} * 2 != {row}"}[self.mask]
        other = self.pick(["-tg::inf", "-5.0f"])
        choice = f"{other}, scores" if self.mask == "below" or self.chance(0.2) else f"scores, {other}"
        return own + [f"const auto key = tg::iota<int, {self.keys}>() + static_cast<int>(i);",
                f"scores = tg::where({condition}, {choice});"]

    def step(self):
        lines = self.scores() + self.masks()
        if self.has_greatest:
            lines += ["const auto next = tg::maximum(greatest, tg::max<1>(scores));",
                      "const auto taken = tg::where(next == -tg::inf, 0.0f, next);",
                      "const auto correction = tg::exp2(greatest - taken);",
                      "const auto weights = tg::exp2(scores - taken[tg::all, tg::newaxis]);"]
        else:
            choices = ["tg::maximum(scores, 0)", "tg::where(scores > 0.0f, scores, 1.0f)"] + ["tg::exp2(scores)"] * (not self.is_approximate)
            lines.append(f"const auto weights = {self.pick(choices)};")
        total = {"sum": "total{} + tg::sum<1>(weights)", "squares": "total + tg::sum<1>(weights * weights)",
                 "max": "tg::maximum(total, tg::max<1>(weights))", "min": "tg::minimum(total, tg::min<1>(weights))"}
        corrected = " * correction" if self.has_greatest else ""
        if self.reduces != "none":
            lines.append(f"total = {total[self.reduces].format(corrected)};")
        if self.second:
            lines.insert(-1 if self.chance(0.3) else len(lines), f"extreme = tg::{self.second}imum(extreme, tg::{self.second}<1>(weights));")
        before = "sum * correction[tg::all, tg::newaxis]" if self.has_greatest else "sum"
        left = "weights * row[step][tg::newaxis, tg::all]" if self.row and self.row_of == "weights" else "weights"
        added = f"tg::dot(tg::astype<{spell(self.element)}>({left}), v[step])"
        lines.append(f"sum = {before} + {added};" if self.has_greatest or self.chance(0.5) else f"sum += {added};")
        return lines + (["greatest = next;"] if self.has_greatest else [])

    # ---- The launch ----------------------------------------------------------------------------------------------------

    def bounds(self):
        """Of the loop: which keys there may be something to do for."""
        if self.mask == "causal" and self.chance(0.7):
            return "0", f"tg::minimum(n, first + {self.queries})"
        if self.mask == "window" and self.chance(0.7):
            return (f"tg::maximum(first - {self.left}, 0) / {self.keys} * {self.keys}",
                    f"tg::minimum(n, first + {self.queries} + {self.right})")
        return "0", self.pick(["n", "n", "tg::minimum(n, tg::program_id(1) * 64)"])

    def outline(self):
        by_head = self.chance(0.5)  # (head, length, columns), or (length, head, columns)

        def matrix(length, heads, columns, access="in", element=self.element):
            dims = (heads, length, columns) if by_head else (length, heads, columns)
            return self.array(element, dims, access)

        self.q = matrix(self.m, self.heads, self.head)
        self.k = matrix(self.n, self.heads // self.shared, self.head)
        self.v = matrix(self.n, self.heads // self.shared, self.width)
        if self.chance(0.25):
            self.bias = self.array("f32", (self.m, self.n))
        if self.has_row:
            self.row, self.row_of = self.array("f32", (self.n,)), self.pick(["scores", "masks", "weights"])
        self.o = matrix(self.m, self.heads, self.width, "out", self.pick([self.element, "f32"]))
        self.total = self.array("f32", (self.heads, self.m), "out") if self.reduces != "none" else None
        self.left, self.right = self.number(self.random.randint(0, 70)), self.number(self.random.randint(0, 70))
        if self.mask == "window":
            if self.chance(0.15):  # No limit, of which sums wrap.
                self.right = "2147483600"
            self.left, self.right = (f"static_cast<int>({number})" if number.startswith("n") else number
                                     for number in (self.left, self.right))
        length, head = (1, 0) if by_head else (0, 1)
        self.line(f'tg::check({self.q}.dim(2) == {self.head} && {self.k}.dim(2) == {self.head}, "other heads");')
        self.line(f'tg::check({self.v}.dim(2) == {self.width} && {self.o}.dim(2) == {self.width}, "other heads");')
        self.line(f'tg::check({self.q}.dim({length}) == {self.o}.dim({length}) && {self.q}.dim({head}) == {self.o}.dim({head}), "o");')
        self.line(f'tg::check({self.k}.dim({length}) == {self.v}.dim({length}) && {self.k}.dim({head}) == {self.v}.dim({head}), "v");')
        if self.bias:
            self.line(f'tg::check({self.bias}.dim(0) == {self.q}.dim({length}) && {self.bias}.dim(1) == {self.k}.dim({length}), "bias");')
        if self.row:
            self.line(f'tg::check({self.row}.dim(0) == {self.k}.dim({length}), "row");')
        if self.total:
            self.line(f'tg::check({self.total}.dim(0) == {self.q}.dim({head}) && {self.total}.dim(1) == {self.q}.dim({length}), "total");')
        self.open("tg::pallas_call(")
        self.line(f"{{.grid = {{{self.q}.dim({head}), tg::cdiv({self.q}.dim({length}), {self.queries})}}{', .approx_math = true' * self.is_approximate}}},")
        names = ["q", "k", "v"] + ["bias"] * bool(self.bias) + ["row"] * bool(self.row) + ["o"] + ["totals"] * bool(self.total)
        self.open(f"[=]({', '.join('auto ' + name for name in names)}) {{")
        self.body()
        self.close("},")
        part = "h" if self.shared == 1 else f"h / {self.shared}"

        def spec(kind, array, extent, columns, place, at):
            extents, where = ["tg::squeezed", extent], [place, at]
            if not by_head:
                extents, where = extents[::-1], where[::-1]
            parameters = f"auto h, auto{' i' if at == 'i' else ''}"
            return f"tg::{kind}<{', '.join(map(str, extents + [columns]))}>({array}, [=]({parameters}) {{ return tg::index({', '.join(where)}, 0); }})"

        specs = [spec("in", self.q, self.queries, self.head, "h", "i"), spec("in", self.k, "tg::whole", self.head, part, "0"),
                 spec("in", self.v, "tg::whole", self.width, part, "0")]
        if self.bias:
            specs.append(f"tg::in<{self.queries}, tg::whole>({self.bias}, [=](auto, auto i) {{ return tg::index(i, 0); }})")
        if self.row:
            specs.append(f"tg::in({self.row})")
        specs.append(spec("out", self.o, self.queries, self.width, "h", "i"))
        if self.total:
            specs.append(f"tg::out<tg::squeezed, {self.queries}>({self.total}, [=](auto h, auto i) {{ return tg::index(h, i); }})")
        for text in specs[:-1]:
            self.line(text + ",")
        self.line(specs[-1] + ");")
        self.depth -= 1

    def body(self):
        self.line(f"const auto first = tg::program_id(1) * {self.queries}, n = k.dim(0);")
        if self.mask != "none":
            self.line(f"const auto query = tg::iota<int, {self.queries}>() + static_cast<int>(first);")
        if self.chance(0.3):
            ways = ["{} + {}", "tg::astype<" + spell(self.element) + ">(tg::astype<float>({}) * 2.0f)", "tg::maximum({}, 0)"]
            # A reduction in front of the loop, through shared memory.
            row = "tg::max<1>(tg::astype<float>({}))[tg::all, tg::newaxis]"
            ways.append("tg::astype<" + spell(self.element) + ">(tg::astype<float>({}) * tg::where(" + row + " > 1.0f, 2.0f, 1.0f))")
            self.line(f"const auto queries = {self.pick(ways).replace('{}', 'q[tg::all]')};")
        else:
            self.line("const auto queries = q[tg::all];")
        if self.has_greatest:
            self.line(f"auto greatest = tg::full<float, {self.queries}>(-tg::inf);")
        if self.reduces != "none":
            start = {"min": "tg::inf", "max": "-tg::inf"}.get(self.reduces, "0.0f")
            self.line(f"auto total = tg::full<float, {self.queries}>({start});")
        if self.second:
            self.line(f"auto extreme = tg::full<float, {self.queries}>(1.0f);")
        self.line(f"auto sum = tg::zeros<float, {self.queries}, {self.width}>();")
        begin, end = self.bounds()
        self.line(f"const tg::s64 begin = {begin}, end = {end};")
        if self.counts == "keys":
            self.open(f"for (tg::s64 i = begin; i < end; i += {self.keys}) {{")
        else:  # Loops begin at blocks.
            counter = {"s64": "tg::s64", "int": "int", "unsigned": "unsigned"}[self.counts]
            bound = f"tg::maximum(tg::cdiv(end, {self.keys}), 0)"
            self.open(f"for ({counter} block = static_cast<{counter}>(begin / {self.keys}); block < static_cast<{counter}>({bound}); ++block) {{")
            self.line(f"const auto i = tg::s64{{block}} * {self.keys};")
        self.line(f"const auto step = tg::ds<{self.keys}>(i);")
        for line in self.step():
            self.line(line)
        self.close()
        value = "sum"
        if self.reduces in ("sum", "max") and not self.is_approximate and self.chance(0.4):
            value = "(sum * tg::where(total > 0.0f, 1.0f / total, 0.0f)[tg::all, tg::newaxis])"
        result = next(a["type"] for i, a in enumerate(self.arrays) if f"x{i}" == self.o)
        self.line(f"o[tg::all] = {value if result == 'f32' else f'tg::astype<{spell(result)}>({value})'};")
        if self.total:
            self.line(f"totals[tg::all] = total{' + extreme' if self.second else ''};")


def generate(seed, count, first=0):
    return write_file("of chained products", Chain, "a", seed, count, first)
