# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions for the programs of models.py, such as the language allows."""
from . import model
from .model import (ANY, Binary, BroadcastTo, Cast, Clamp, Concatenate, Constant, Dim, DimOf, Dot, Gather, Index, Like, Made, MaskedLoad,
                    Move, Reduce, Reshape, Scalar, Scan, Take, TakeAlong, Unary, Variable, Where, assigned, broadcast, is_float, is_one,
                    whole)

EXACT = 24  # bits of a float that sums and products may take
MOST_TILE, MOST_COST = 6000, 60  # elements of a tile; of what is computed anew for an element
SCANS = ["cumsum", "cumsum", "cumprod", "cummax", "cummin", "xor", "most", "last", "first"]
THEMES = {
    "made": dict(made=12, like=12), "scans": dict(scan=25), "moves": dict(flip=10, roll=14, chain=14), "shapes": dict(
        pad=8, concatenate=8, repeat=6, part=8, transpose=4, reshape=5, expand=4), "order": dict(sort=14, argsort=6), "broadcasts": dict(
        run_time_broadcast=22, static_broadcast=6), "gathers": dict(take=8, take_along=8, gather=10), "dots": dict(dot=18)}


class Tiles:
    """What Program has: axes, arrays, scope."""

    def choose_themes(self):
        self.kinds = dict(binary=14, where=4, unary=3, cast=3, made=4, like=4, scan=5, reduce=6, flip=2, roll=2, pad=1, concatenate=1, repeat=1,
                          part=2, transpose=1, reshape=1, expand=1, sort=1, argsort=0.5, run_time_broadcast=2, static_broadcast=1, take=1,
                          take_along=1, gather=1, dot=1, chain=0.5)
        for theme in self.random.sample(sorted(THEMES), self.random.randint(1, 3)):
            for kind, weight in THEMES[theme].items():
                self.kinds[kind] += weight
        self.assigns = self.pick([0.5, 3, 8])  # how much variables are assigned

    # ---- Limits --------------------------------------------------------------------------------------------------------

    def size(self, dims):
        """At most so many elements."""
        count = 1
        for dim in dims:
            count *= dim.size if dim.size != ANY else self.most(dim)
        return count

    def fits(self, node):
        return (node is not None and len(node.dims) <= 4 and self.size(node.dims) <= MOST_TILE and node.cost <= MOST_COST and
                (node.bits is None or not is_float(node.element) or node.most * 2 ** node.bits <= 2 ** EXACT))

    def tamed(self, node, most, bits):
        """Of a float, magnitudes and fractions are made so small."""
        if not is_float(node.element):
            return node
        if node.bits is None or node.bits > bits:
            node = Unary("f32", node.dims, node, op="floor").bounded(node.most + 1, 0)
        if node.most > most:
            node = Clamp("f32", node.dims, node, self.number("f32", -most), self.number("f32", most)).bounded(most, node.bits)
        return node

    def number(self, element, value):
        return Constant(element, (), number=value).bounded(abs(value), 1) if is_float(element) else Constant(element, (), number=value)

    def some_number(self, element):
        value = self.random.randint(0 if element[0] == "u" else -4, 5)
        return self.number(element, value if not is_float(element) or self.chance(0.5) else value / 2)

    # ---- Leaves --------------------------------------------------------------------------------------------------------

    def variables(self, is_wanted=lambda v: True):
        return [self.use(v) for v in self.scope if is_wanted(v)]

    def use(self, v):
        node = Variable(v.element, v.dims, name=v.at["name"]).bounded(v.most, v.bits)
        node.cost = v.cost
        return node

    def tile(self, depth, is_wanted=lambda node: True):
        """Some tile of which something holds; none if none is found."""
        for _ in range(6):
            node = self.some_tile(depth)
            if node is not None and node.dims and is_wanted(node):
                return node
        return None

    def some_tile(self, depth):
        tiles = self.variables(lambda v: v.dims)
        if tiles and self.chance(0.45):
            return self.pick(tiles)
        if depth <= 0 or self.chance(0.2):
            return self.leaf()
        kind = self.random.choices(list(self.kinds), list(self.kinds.values()))[0]
        node = getattr(self, "make_" + kind)(depth - 1)
        return node if self.fits(node) and node.dims else self.leaf()

    def leaf(self):
        kind = self.weighted(load=10, masked=1.5, made=2)
        arrays = [a for a in self.arrays if a.access in ("in", "inout") and a.dims]
        if kind == "made" or not arrays:
            return self.make_made(0)
        array = self.pick(arrays)
        blocks = [a for a in arrays if all(d.size != ANY for d in a.dims)]
        if kind == "masked" and blocks:
            array = self.pick(blocks)
            dims = tuple(whole(dim.size) for dim in array.dims)
            other = self.random.randint(0, 3)
            mask = []
            if self.chance(0.5):
                iota = Made("s32", (Dim(dims[-1].size),), kind="iota", axis=0)
                mask.append(Binary("bool", iota.dims, iota, self.number("s32", self.random.randint(0, dims[-1].size)), op=self.pick(["<", ">="])))
            node = MaskedLoad(array.element, dims, *mask, block=array.name, other=other)
            return node.bounded(1 << 10, 6) if array.access == "inout" else node.bounded(4, 1)
        return self.load(array)

    def run_time_extents(self, dims):
        """Scalars that are these extents, or None."""
        kids = []
        for dim in dims:
            choices = self.extents_spelled(dim)
            if dim.symbol is None or dim.symbol[0] == "whole":
                choices.append(self.number("s64", dim.size if dim.symbol is None else dim.symbol[1]))
            if not choices:
                return None
            kids.append(self.pick(choices))
        return kids

    def some_dim(self):
        """What the program has, or another size."""
        dims = [dim for array in self.arrays if array.access in ("in", "inout") for dim in array.dims]
        dims += [dim for v in self.scope for dim in v.dims]
        return self.pick(dims) if dims and self.chance(0.85) else whole(self.pick([1, 3, 7, 13, 16]))

    def make_made(self, depth):
        """Static, or of run-time extents: beside a block, of its size."""
        element, dims = self.element(), [self.some_dim() for _ in range(self.weighted(one=3, two=1) == "two" and 2 or 1)]
        arrays = [a for a in self.arrays if a.access in ("in", "inout") and a.dims]
        if arrays and self.chance(0.5):
            dims = list(self.pick(arrays).dims)
        while self.size(dims) > MOST_TILE:
            dims.pop()
        return self.made_of(element, dims, None)

    def made_of(self, element, dims, is_run_time):
        if not dims:
            return None
        if is_run_time is None:
            is_run_time = any(dim.size == ANY for dim in dims) or self.chance(0.2)
        kind = self.weighted(full=2, zeros=1, iota=3)
        at = dict(kind=kind, axis=self.random.randrange(len(dims)), number=self.some_number(element).at["number"], long=self.chance(0.2))
        kids = self.run_time_extents(dims) if is_run_time else []
        if kids is None:
            return None
        result = [Dim(ANY, dim.symbol or ("whole", dim.size)) for dim in dims] if is_run_time else [whole(1) if is_one(d) else Dim(d.size) for d in dims]
        if not is_run_time and any(dim.size == ANY for dim in dims):
            return None
        if element == "u8" and kind == "iota" and self.most(dims[at["axis"]]) > 256:
            return None
        node = Made(element, result, *kids, **at)
        return node.bounded(max(5, max(self.most(dim) for dim in result) if kind == "iota" else 0), 1)

    def make_like(self, depth):
        model_tile = self.tile(depth)
        return model_tile and self.like(model_tile)

    def like(self, tile):
        kind = self.weighted(full=3, zeros=1, iota=2)
        if tile.element == "bool" and kind != "iota":
            return None
        element = self.element() if kind == "iota" else tile.element
        axis = self.random.randrange(len(tile.dims))
        most = self.most(tile.dims[axis]) if kind == "iota" else 5
        if element == "u8" and kind == "iota" and most > 256:
            element = "s32"
        node = Like(element, tile.dims, tile, kind=kind, axis=axis, number=self.some_number(element).at["number"])
        node.cost = 1
        return node.bounded(most, 1)

    def scalar(self, element):
        """A number, or what is known at run time."""
        kind = self.weighted(number=6, parameter=1, dim=2, program=1, reduction=2, counter=1)
        if element == "s32":
            if kind == "parameter" and self.parameters:
                return self.parameter(self.pick(list(self.parameters)), "s32")
            if kind == "counter" and self.counters():
                return self.pick(self.counters())
            if kind == "program" and self.grid:
                i = self.random.randrange(len(self.grid))
                return Scalar("s32", (), name=f"program {i}", spelled=f"static_cast<int>(tg::program_id({i}))")
            if kind == "dim":
                dims = [DimOf("s32", (), place=v.at["name"], axis=i, of=d) for v in self.scope for i, d in enumerate(v.dims)]
                dims += [DimOf("s32", (), place=a.name, axis=i, of=d) for a in self.arrays if a.access in ("in", "inout") for i, d in enumerate(a.dims)]
                if dims:
                    return self.pick(dims)
        known = self.variables(lambda v: not v.dims and v.element == element)
        if kind == "reduction" and known:
            return self.pick(known)
        return self.some_number(element)

    def counters(self):
        return [Scalar("s32", (), name=name, spelled=name) for name in self.open_counters]

    open_counters = ()

    # ---- Element by element --------------------------------------------------------------------------------------------

    def beside(self, tile, depth):
        """Something that can be combined with a tile, of its element."""
        element = tile.element
        kind = self.weighted(scalar=3, known=5, made=4, like=3, computed=3)
        if kind == "scalar":
            return self.scalar(element)
        if kind == "known":
            nodes = [n for n in self.variables(lambda v: v.dims) + [self.load(a) for a in self.arrays if a.access in ("in", "inout")]
                     if broadcast(n.dims, tile.dims)]
            if nodes:
                return self.cast(self.pick(nodes), element)
        if kind == "computed":
            node = self.tile(depth, lambda n: broadcast(n.dims, tile.dims))
            if node is not None:
                return self.cast(node, element)
        if kind == "like":
            node = self.like(tile)
            if node is not None:
                return self.cast(node, element)
        dims = [dim for dim in tile.dims[self.random.randrange(len(tile.dims)):]]
        node = self.made_of(element, dims, None if self.chance(0.3) else False)
        return node if node is not None and broadcast(node.dims, tile.dims) else self.some_number(element)

    def cast(self, node, element):
        """To an element type, by a remainder where floats would not hold it."""
        if node.element == element:
            return node
        if not node.dims:
            return self.some_number(element)
        if element == "f32":
            if node.element == "bool":
                return Cast("f32", node.dims, node).bounded(1, 0)
            most = self.pick([3, 8, 100])
            return Cast("f32", node.dims, Binary(node.element, node.dims, node, self.number(node.element, most), op="%")).bounded(most, 0)
        if is_float(node.element):
            low = model.limits(element)[0]
            node = self.tamed(node, 100, 24)
            if low == 0:
                node = Unary("f32", node.dims, node, op="abs").bounded(node.most, node.bits)
        return Cast(element, node.dims, node)

    def numeric(self, depth, is_wanted=lambda node: True):
        """A tile of numbers."""
        node = self.tile(depth, is_wanted)
        return self.cast(node, self.pick(["s32", "f32"])) if node is not None and node.element == "bool" else node

    def make_binary(self, depth):
        a = self.numeric(depth)
        if a is None:
            return None
        b = self.beside(a, depth)
        op = self.weighted(**{"+": 5, "-": 3, "*": 3, "minimum": 1, "maximum": 1, "&": 0 if is_float(a.element) else 0.7,
                              "^": 0 if is_float(a.element) else 0.7})
        return self.binary(op, *((a, b) if self.chance(0.7) else (b, a)))

    def binary(self, op, a, b):
        dims = broadcast(a.dims, b.dims)
        if dims is None:
            return None
        element = a.element
        if is_float(element) and op in "+-*":
            exact = self.bounds(op, a, b)
            if exact is None and not self.chance(0.1):  # Rounded, otherwise: the same on each target.
                a, b = self.tamed(a, 16, 4), self.tamed(b, 16, 4)
                exact = self.bounds(op, a, b)
            return Binary(element, dims, a, b, op=op).bounded(*(exact or (a.most * b.most if op == "*" else a.most + b.most, None)))
        return Binary(element, dims, a, b, op=op)

    def bounds(self, op, a, b):
        if a.bits is None or b.bits is None:
            return None
        most, bits = (a.most * b.most, a.bits + b.bits) if op == "*" else (a.most + b.most, max(a.bits, b.bits))
        return (most, bits) if most * 2 ** bits <= 2 ** EXACT else None

    def condition(self, tile, depth):
        """A tile of bools that can be combined with a tile."""
        left = tile
        if self.chance(0.3):
            left = self.made_of("s32", [tile.dims[-1]], False) or tile
        elif tile.element == "bool":
            left = self.cast(tile, "s32")
        node = Binary("bool", left.dims, left, self.some_number(left.element), op=self.pick(["<", "<=", ">", ">=", "==", "!="]))
        return Unary("bool", node.dims, node, op="!") if self.chance(0.1) else node

    def make_where(self, depth):
        a = self.numeric(depth)
        if a is None:
            return None
        condition = self.condition(self.pick(self.variables(lambda v: v.dims and broadcast(v.dims, a.dims)) + [a]), depth)
        b = self.beside(a, depth)
        dims = broadcast(broadcast(condition.dims, a.dims) or (), b.dims) if broadcast(condition.dims, a.dims) else None
        if dims is None:
            return None
        a, b = (a, b) if self.chance(0.7) else (b, a)
        return Where(a.element, dims, condition, a, b)

    def make_unary(self, depth):
        a = self.numeric(depth)
        if a is None or a.element[0] == "u":
            return None
        return Unary(a.element, a.dims, a, op=self.pick(["-", "abs"]))

    def make_cast(self, depth):
        node = self.tile(depth)
        return node and self.cast(node, self.element())

    # ---- Reductions and scans ------------------------------------------------------------------------------------------

    def make_scan(self, depth):
        a = self.numeric(depth)
        if a is not None and self.chance(0.25):
            a = self.like(a) or a
        return a and self.scan(a, self.random.randrange(len(a.dims)))

    def scan(self, a, axis):
        kind = self.pick(SCANS)
        if is_float(a.element) and kind in ("cumprod", "xor"):
            kind = "cumsum"
        if kind == "xor" and a.element not in ("s32", "s64", "u32"):
            kind = "cummax"
        if kind in model.COMBINERS and self.size(a.dims) > 1500:
            kind = "cumsum"
        most = a.most
        if kind == "cumsum" and is_float(a.element):
            a = self.tamed(a, 32, 4)
            most = a.most * max(1, self.most(a.dims[axis]))
        return Scan(a.element, a.dims, a, kind=kind, axis=self.either(axis, a), backward=self.chance(0.5)).bounded(most, a.bits)

    def either(self, axis, tile):
        """Counted from the end, too."""
        return axis - len(tile.dims) if self.chance(0.2) else axis

    def make_reduce(self, depth, axes=None):
        a = self.tile(depth)
        if a is None:
            return None
        keep = self.chance(0.35)
        if len(a.dims) == 1 and not keep:
            return None
        return self.reduce(a, [self.random.randrange(len(a.dims))], keep)

    def reduce(self, a, axes, keep):
        """Along axes, or all of a tile, if there are none."""
        axes_gone = axes or range(len(a.dims))
        count = max(1, self.size([a.dims[i] for i in axes_gone]))
        dims = [whole(1) if i in axes_gone else dim for i, dim in enumerate(a.dims) if keep or i not in axes_gone]
        if a.element == "bool":
            return Reduce("bool", dims, a, kind=self.pick(["any_of", "all_of"]), axes=axes, keep=keep)
        kind = self.weighted(sum=6, max=2, min=2, argmax=2, argmin=1, mean=1, most=0.7, xor=0.7, prod=0.7)
        element, most, bits = a.element, a.most, a.bits
        if kind in ("argmax", "argmin"):
            element, most, bits = ("s32" if axes else "s64"), 0, 0
        elif kind == "mean" and (not is_float(element) or min(self.least(a.dims[i]) for i in axes_gone) == 0):
            kind = "sum"
        if kind == "xor" and element not in ("s32", "s64", "u32") or kind in ("most", "xor") and self.size(a.dims) > 1500:
            kind = "sum"
        if is_float(a.element) and kind in ("sum", "mean", "prod"):
            a = self.tamed(a, 16, 3)
            kind = "sum" if kind == "prod" else kind
            most, bits = (a.most * count, a.bits) if kind == "sum" else (a.most, None)
            if kind == "mean" and a.most * count * 2 ** a.bits > 2 ** EXACT:
                return None
        return Reduce(element, dims, a, kind=kind, axes=[self.either(i, a) for i in axes], keep=keep).bounded(most, bits)

    # ---- Other places, other shapes ------------------------------------------------------------------------------------

    def along(self, depth, is_wanted=lambda dim: True):
        """A tile and an axis of it."""
        a = self.tile(depth, lambda n: any(is_wanted(dim) for dim in n.dims))
        return (a, self.pick([i for i, dim in enumerate(a.dims) if is_wanted(dim)])) if a is not None else (None, 0)

    def make_flip(self, depth):
        a, axis = self.along(depth)
        return a and Move(a.element, a.dims, a, kind="flip", axis=self.either(axis, a))

    def make_roll(self, depth):
        a, axis = self.along(depth)
        if a is None:
            return None
        return self.roll(a, axis, self.scalar("s32") if self.chance(0.3) else self.number("s32", self.random.randint(-3, 5)))

    def roll(self, a, axis, by):
        node = Move(a.element, a.dims, a, by, kind="roll", axis=self.either(axis, a))
        return node.bounded(a.most, a.bits)

    def make_chain(self, depth):
        """Neighbours, weighed: 0.5f * t + 0.25f * (roll(t, 1) + roll(t, -1)), of a variable."""
        tiles = self.variables(lambda v: v.dims and v.element in ("f32", "s32"))
        if not tiles:
            return None
        t = self.pick(tiles)
        axis = self.random.randrange(len(t.dims))
        if is_float(t.element) and (t.bits is None or t.bits > 12 or t.most > 64):
            return None
        two = self.binary("+", self.roll(t, axis, self.number("s32", 1)), self.roll(t, axis, self.number("s32", -1)))
        if self.chance(0.3):
            two = self.binary("+", two, Move(t.element, t.dims, t, kind="flip", axis=axis))
        half, quarter = (0.5, 0.25) if is_float(t.element) else (2, 3)
        node = self.binary("+", self.times(half, t), self.times(quarter, two)) if two is not None else None
        return node

    def times(self, number, tile):
        node = Binary(tile.element, tile.dims, Constant(tile.element, (), number=number), tile, op="*")
        return node.bounded(tile.most * abs(number), tile.bits + 2) if is_float(tile.element) else node

    def make_sort(self, depth):
        a, axis = self.along(depth, lambda dim: dim.size != ANY)
        if a is None or a.element == "bool":
            return None
        return Move(a.element, a.dims, a, kind="sort", axis=self.either(axis, a), descending=self.chance(0.4))

    def make_argsort(self, depth):
        a, axis = self.along(depth, lambda dim: dim.size != ANY)
        if a is None or a.element == "bool":
            return None
        return Move("s32", a.dims, a, kind="argsort", axis=self.either(axis, a), descending=self.chance(0.4)).bounded(0, 0)

    def resized(self, dim, size, symbol):
        """A dimension with other elements beside, or several times."""
        if dim.symbol is None:
            return Dim(size)
        if dim.symbol[0] == "whole":
            size = extent_of_whole(symbol)
            return Dim(ANY if dim.size == ANY else size, ("whole", size))
        return Dim(ANY if dim.size == ANY else size, symbol)

    def replaced(self, a, axis, dim):
        return tuple(dim if i == axis else d for i, d in enumerate(a.dims))

    def make_pad(self, depth):
        a, axis = self.along(depth, lambda dim: self.least(dim) > 0)
        if a is None:
            return None
        before, behind = self.random.randint(0, 3), self.random.randint(0, 2)
        dim = a.dims[axis]
        dims = self.replaced(a, axis, self.resized(dim, dim.size + before + behind, ("add", dim.symbol or ("whole", dim.size), before + behind)))
        number = self.some_number(a.element).at["number"] if a.element != "bool" else True
        return Move(a.element, dims, a, kind="pad", axis=axis, before=before, behind=behind, number=number).bounded(max(a.most, 5), max(a.bits or 0, 1)
                                                                                                                    if a.bits is not None else None)

    def make_repeat(self, depth):
        a, axis = self.along(depth, lambda dim: self.least(dim) > 0)
        if a is None:
            return None
        times, dim = self.random.randint(2, 3), a.dims[axis]
        dims = self.replaced(a, axis, self.resized(dim, dim.size * times, ("times", dim.symbol or ("whole", dim.size), times)))
        return Move(a.element, dims, a, kind=self.pick(["repeat", "tiled"]), axis=axis, times=times)

    def make_concatenate(self, depth):
        a, axis = self.along(depth, lambda dim: self.least(dim) > 0)
        if a is None:
            return None
        others = lambda n: tuple(d for i, d in enumerate(n.dims) if i != axis)  # noqa: E731
        b = self.tile(depth, lambda n: len(n.dims) == len(a.dims) and n.element == a.element and others(n) == others(a) and
                      self.least(n.dims[axis]) > 0) or (self.like(a) if a.element != "bool" else a)
        if b is None or b.element != a.element:
            b = a
        x, y = a.dims[axis], b.dims[axis]
        symbol = ("both", x.symbol or ("whole", x.size), y.symbol or ("whole", y.size))
        if x.symbol is None and y.symbol is None:
            dim = Dim(x.size + y.size)
        elif all(d.symbol is None or d.symbol[0] == "whole" for d in (x, y)):
            total = extent_of_whole(symbol)
            dim = Dim(ANY if ANY in (x.size, y.size) else total, ("whole", total))
        else:
            dim = Dim(ANY if ANY in (x.size, y.size) else x.size + y.size, symbol)
        return Concatenate(a.element, self.replaced(a, axis, dim), a, b, axis=axis)

    def make_part(self, depth):
        """Some elements, from a static place on."""
        a, axis = self.along(depth, lambda dim: not is_one(dim) and (dim.size != ANY or self.least(dim) > 1))
        if a is None:
            return None
        dim = a.dims[axis]
        bound = dim.size if dim.size != ANY else self.least(dim)
        size = self.pick([n for n in (1, 2, 5, 7, 13, 16, 64, 100) if n < bound] or [1])
        start = self.random.randint(0, bound - size) if self.chance(0.7) else 0
        if dim.symbol is None:
            part = Dim(size)
        elif dim.symbol[0] == "whole" or self.least(dim) >= start + size:
            part = whole(size)
        else:
            part = Dim(size, ("part", dim.symbol, start, size))
        # That a part lies inside is not in its type: beside a static tile, it is refused.
        if dim.symbol is not None and dim.symbol[0] != "whole":
            part = Dim(size, ("part", dim.symbol, start, size))
            if size == 1:
                return None
        return Index(a.element, self.replaced(a, axis, part), a,
                     parts=["all"] * axis + [("ds", size, start)] + ["all"] * (len(a.dims) - axis - 1))

    def make_transpose(self, depth):
        a = self.tile(depth, lambda n: len(n.dims) > 1)
        if a is None:
            return None
        axes = list(range(len(a.dims)))
        self.random.shuffle(axes)
        return Move(a.element, [a.dims[i] for i in axes], a, kind="transpose", axes=axes)

    def make_reshape(self, depth):
        a = self.tile(depth, lambda n: all(d.size != ANY and (d.symbol is None or d.symbol[0] == "whole") for d in n.dims))
        if a is None:
            return None
        size = self.size(a.dims)
        first = self.pick([n for n in (1, 2, 4, 5, 7, 10, 16, 64) if size % n == 0])
        shape = [first, size // first] if self.chance(0.6) else [size]
        is_made = all(d.symbol is None for d in a.dims)
        return Reshape(a.element, [Dim(n) if is_made and n > 1 else whole(n) for n in shape], a)

    def make_expand(self, depth):
        a = self.tile(depth, lambda n: len(n.dims) < 3)
        if a is None:
            return None
        axis = self.random.randint(0, len(a.dims))
        dims = a.dims[:axis] + (whole(1),) + a.dims[axis:]
        if self.chance(0.5):
            return Move(a.element, dims, a, kind="expand_dims", axis=axis)
        return Index(a.element, dims, a, parts=["all"] * axis + ["newaxis"] + ["all"] * (len(a.dims) - axis))

    def make_run_time_broadcast(self, depth):
        """Along a new dimension, or one of 1, to extents known at run time."""
        a = self.tile(depth, lambda n: len(n.dims) <= 2)
        if a is None:
            return None
        wanted = []
        if self.chance(0.7):
            choices = [self.some_dim()] + [Dim(ANY, ("scalar", name)) for name in self.parameters] * 2
            wanted.append(self.pick(choices))
        for dim in a.dims:
            wanted.append(self.some_dim() if is_one(dim) else dim)
        if self.size(wanted) > MOST_TILE // 2 or any(d.symbol is None and d.size != 1 for d in a.dims):
            return None
        kids = self.run_time_extents(wanted)
        if kids is None:
            return None
        return BroadcastTo(a.element, [Dim(ANY, dim.symbol or ("whole", dim.size)) for dim in wanted], a, *kids)

    def make_static_broadcast(self, depth):
        a = self.tile(depth, lambda n: len(n.dims) <= 2 and all(d.size != ANY for d in n.dims))
        if a is None:
            return None
        dims = [whole(self.random.randint(2, 5)) if is_one(dim) else dim for dim in a.dims]
        dims = [Dim(d.size) if d.symbol and d.symbol[0] == "whole" and is_one(old) else d for d, old in zip(dims, a.dims)]
        if self.chance(0.6):
            dims.insert(0, Dim(self.random.randint(2, 5)))
        return BroadcastTo(a.element, dims, a)

    def indices(self, depth, dim, is_wanted=lambda node: True):
        """Ints that lie in a dimension."""
        least = self.least(dim)
        node = self.tile(depth, lambda n: n.element == "s32" and is_wanted(n))
        if least == 0 or node is None:
            return None
        high = self.number("s32", least - 1)
        return Clamp("s32", node.dims, node, self.number("s32", 0), high)

    def make_take(self, depth):
        a, axis = self.along(depth)
        index = a and self.indices(depth, a.dims[axis])
        if index is None or len(index.dims) > 1 and len(a.dims) > 1:
            return None
        return Take(a.element, a.dims[:axis] + index.dims + a.dims[axis + 1:], a, index, axis=axis)

    def make_take_along(self, depth):
        a, axis = self.along(depth)

        def is_wanted(n):
            return len(n.dims) == len(a.dims) and all(x == y and not is_one(x) for i, (x, y) in enumerate(zip(n.dims, a.dims)) if i != axis)
        index = a and self.indices(depth, a.dims[axis], is_wanted)
        if index is None:
            return None
        return TakeAlong(a.element, index.dims, a, index, axis=axis)

    def make_gather(self, depth):
        arrays = [a for a in self.arrays if a.access == "in" and a.is_whole() and len(a.axes) == 1]
        if not arrays:
            return None
        array = self.pick(arrays)
        index = self.indices(depth, Dim(ANY, ("whole", array.lengths[0])))
        node = index and Gather(array.element, index.dims, index, block=array.name)
        return node and node.bounded(4, 1)

    def make_dot(self, depth):
        a = self.numeric(depth, lambda n: len(n.dims) == 2)
        if a is None:
            return None
        k = a.dims[1]
        b = self.tile(depth, lambda n: len(n.dims) == 2 and n.element == a.element and not is_one(n.dims[0]) and not is_one(k) and
                      model.join(n.dims[0], k) is not None)
        if b is None and k.size != ANY:
            b = self.made_of(a.element, [k, whole(self.pick([3, 7, 16]))], False)
        if b is None or model.join(b.dims[0], k) is None or self.size(a.dims) * self.size(b.dims[1:]) > 40000:
            return None
        element = {"s16": "s32", "u8": "s32"}.get(a.element, a.element)
        a, b = self.tamed(a, 8, 2), self.tamed(b, 8, 2)
        return Dot(element, (a.dims[0], b.dims[1]), a, b).bounded(a.most * b.most * self.most(k), 4)


def extent_of_whole(symbol):
    return model.extent(symbol, {})
