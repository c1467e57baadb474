# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions, products, and loops that accumulate.

Floats are added and multiplied in an order that splitting changes. What is summed is therefore *tame*: integers so small
that every order gives the same number, exactly. Integers wrap, and the rest (max, min, any, all) may be of anything.
"""
from .expressions import BINARY, Expressions
from .ir import BOOL, ELEMENTS, EXACT, ONE, S32, Tile, ref_type, tile_type
from .shapes import BLOCKS, DIMS

TAME = 4  # of what tame arrays hold
LONG = [65535, 65536, 65537, 70001, 90001, 100003, 131073, 140001]  # about where one program's reductions take two phases
# What products of an element may be made of.
FACTORS = {"f32": ["f16", "bf16", "f32", "f32"], "f64": ["f64"], "s32": ["s8", "u8", "s16", "u16", "s32", "s32"], "s64": ["s64"],
           "u32": ["u32"], "u64": ["u64"]}


class Contractions(Expressions):
    def __init__(self, random, name):
        super().__init__(random, name)
        self.contracts = 0  # how often
        self.work = 0  # elements that may be combined, in all programs and iterations together
        self.trips = 1  # of the loops around what is being written
        self.current = None  # the domain that is being computed
        self.long = None  # a dimension that is too long for one thread group
        self.counts_all = False  # whether scalars may be made of many elements
        self.is_elementwise = False  # there is nothing but elementwise ops, and scans
        self.for_scalar = False  # what is being written is made for a scalar

    # ---- What may be where ---------------------------------------------------------------------------------------------

    def kinds(self, axes, element, depth, natural):
        weights = super().kinds(axes, element, depth, natural)
        if not self.contracts:
            return weights
        may = self.contracts if self.may_contract(axes, natural) else 0
        weights.update(reduce=2 * may, permute=0.6 * may if len(axes) > 1 else 0, dot=1.5 * may if len(axes) > 1 else 0)
        if natural is not None and axes == natural.axes and axes:
            weights.update(normalise=1.5 * may if natural.is_small or not natural.carries else 0,
                           statistics=0.7 * may if self.loops < 2 and (natural.is_small or not natural.carries) else 0,
                           aliased=may if natural.is_small and not self.units else 0)
        if self.may_carry(axes, natural) and element.name in FACTORS:
            weights.update(accumulate=1.5 * may)
        return weights

    def may_contract(self, axes, natural):
        """Whether something may be made of many elements here. Groups share a dimension only if all of that varies along
        it, and then alone a run-time one is carried round a loop."""
        if len(axes) == 6:  # What it is made of would have more dimensions than there are.
            return False
        if self.for_scalar or not self.current:
            return self.counts_all
        here = natural is self.current and axes == natural.axes
        return here or not self.current.carries or self.current.is_small

    def may_carry(self, axes, natural):
        return super().may_carry(axes, natural) and (natural.carries or natural.is_small) and not self.long

    def new_domain(self, limit, rank=None):
        domain = super().new_domain(limit, rank)
        domain.most = 256 if self.is_small else 8192
        domain.carries = not self.counts_all and self.chance(0.5)
        return domain

    def tile_scalar(self, element):
        before, self.for_scalar = self.for_scalar, True
        made = super().tile_scalar(element) if self.counts_all or not self.contracts else self.data(element)
        self.for_scalar = before
        return made

    def size(self, axes):
        elements = self.trips
        for axis in axes:
            elements *= max(1, axis.most)
        for programs in self.grid:
            elements *= max(1, programs)
        return elements

    def more(self, axes, most=1 << 20):
        """Another axis for what has these: one that can be paid for."""
        room = max(1, min(most, self.work // max(1, self.size(axes))))
        if self.long and not axes and self.chance(0.7):
            return self.whole(self.long)
        known = [axis for tile in self.text.visible("tiles") for axis in tile.axes
                 if axis.most <= room and axis.bound != 1 and axis.kind != "free"]
        if known and self.chance(0.3):
            return self.pick(known)
        return self.free_axis(room)[0].axis

    # ---- Tame tiles ----------------------------------------------------------------------------------------------------

    def tamed(self, tile, limit):
        tile.tame = limit
        return tile

    def tame(self, axes, element, depth, limit, natural=None, may_be_open=False):
        """A tile of floats that are integers of at most this magnitude."""
        axes, limit = tuple(axes), min(limit, EXACT[element.name])
        known = [t for t in self.text.visible("tiles") if t.axes == axes and t.element is element and not t.open
                 and t.tame is not None and t.tame <= limit and (not t.pinned or t.pinned is natural)]
        if known and self.chance(0.5):
            return self.pick(known)
        if limit < 1:
            return self.tamed(self.constant_tile(axes, element, 0), 0)
        kind = self.weighted(load=4 if limit >= TAME else 0, cast=3, sum=2 if depth > 0 and limit > 1 else 0,
                             where=1 if depth > 0 else 0, broadcast=1.5 if depth > 0 and axes else 0,
                             most=1 if depth > 0 else 0, permute=0.5 if depth > 0 and len(axes) > 1 and not self.is_elementwise else 0,
                             reduced=1.5 if depth > 0 and self.fuel > 0 else 0)
        made = getattr(self, "tame_" + kind)(axes, element, depth - 1, limit, natural)
        if made.open and not may_be_open:
            made = self.tamed(self.op("maximum", [made, self.tame_load(axes, element, 0, limit, natural)], axes, element, made.type),
                              max(made.tame, TAME))
        return made

    def constant_tile(self, axes, element, value):
        """Of the extents that it meets."""
        scalar = self.emit(element, (f"arith.constant {element.constant(value)} : {element.scalar}",))
        tile = self.op_of(f"full {scalar.name}", [], axes, element, f"{element.scalar} -> {tile_type(axes, element)}")
        tile.open = frozenset(i for i, axis in enumerate(axes) if not axis.is_static)
        return tile

    def tame_load(self, axes, element, depth, limit, natural):
        arrays = [a for a in self.arrays if a.is_tame and a.element is element]
        self.random.shuffle(arrays)
        if len(self.arrays) >= self.most_arrays or self.chance(0.4):
            for array in arrays[:3]:
                specs = self.embed(axes, array)
                if specs is not None:
                    return self.tamed(self.load(array, specs, axes), TAME)
        specs = self.specs_for(axes)
        array = self.new_array(element, [spec.host for spec in specs])
        array.is_tame = True
        return self.tamed(self.load(array, specs, axes), TAME)

    def tame_cast(self, axes, element, depth, limit, natural):
        """Some bits of any integers."""
        other = self.element("bool", "signed", "unsigned")
        tile = self.tile(axes, other, depth, natural)
        most = 1
        if other is not BOOL:
            most = self.pick([m for m in (1, 3, 7, 15, 63) if m <= limit])
            mask = self.constant_tile(axes, other, most)
            tile = self.op("bit_and", [tile, mask], axes, other, tile.type)
        return self.tamed(self.op("cast", [tile], axes, element, f"{tile.type} -> {tile_type(axes, element)}"), most)

    def tame_sum(self, axes, element, depth, limit, natural):
        a = self.tame(axes, element, depth, limit // 2, natural)
        b = self.tame(axes, element, depth, limit // 2, natural, may_be_open=True)
        return self.tamed(self.op(self.pick(["add", "sub"]), [a, b], axes, element, a.type), a.tame + b.tame)

    def tame_most(self, axes, element, depth, limit, natural):
        a = self.tame(axes, element, depth, limit, natural)
        b = self.tame(axes, element, depth, limit, natural, may_be_open=True)
        return self.tamed(self.op(self.pick(["maximum", "minimum"]), [a, b], axes, element, a.type), max(a.tame, b.tame))

    def tame_where(self, axes, element, depth, limit, natural):
        condition = self.tile(axes, BOOL, depth, natural)
        a, b = self.tame(axes, element, depth, limit, natural), self.tame(axes, element, depth, limit, natural)
        return self.tamed(self.op("where", [condition, a, b], axes, element, f"{condition.type}, {a.type}"), max(a.tame, b.tame))

    def tame_broadcast(self, axes, element, depth, limit, natural):
        return self.broadcast(axes, element, depth, natural, lambda source, inner: self.tame(source, element, depth, limit, inner))

    def tame_permute(self, axes, element, depth, limit, natural):
        return self.permute(axes, element, depth, natural, lambda source: self.tame(source, element, depth, limit))

    def tame_reduced(self, axes, element, depth, limit, natural):
        if not self.may_contract(axes, natural):
            return self.tame_cast(axes, element, depth, limit, natural)
        if len(axes) > 1 and element.name in FACTORS and self.chance(0.4):
            made = self.dot(axes, element, depth, natural)
        else:
            made = self.reduce(axes, element, depth, natural)
        if made.tame is not None and made.tame <= limit:
            return made
        one = self.constant_tile(axes, element, 1)
        compared = self.op("gt", [made, one], axes, BOOL, f"{made.type} -> {tile_type(axes, BOOL)}")
        return self.tamed(self.op("cast", [compared], axes, element, f"{compared.type} -> {tile_type(axes, element)}"), 1)

    # ---- Reductions ----------------------------------------------------------------------------------------------------

    def reduce(self, axes, element, depth, natural):
        """Over new axes among those that are wanted."""
        source, at = list(axes), []
        while len(source) < 6 and (not at or self.chance(0.25)):
            place = self.random.randint(0, len(source))
            at = [i + (i >= place) for i in at] + [place]
            source.insert(place, self.more(source))
        return self.reduced(source, sorted(at), element, depth)

    def reduced(self, source, over, element, depth, tile=None, kind=None):
        """A reduction over some axes of a tile of these; of the tile, if it is given. `kind`: of numbers."""
        axes = tuple(axis for i, axis in enumerate(source) if i not in over)
        count, bound = 1, None
        for i in over:
            count *= max(1, source[i].most)
        kind = self.pick(["any", "all"]) if element is BOOL else kind or self.weighted(sum=4, prod=1, max=1.5, min=1)
        if element.kind == "float" and kind in ("sum", "prod"):
            # f16 and bf16 are summed in f32.
            limit = EXACT["f64" if element.name == "f64" else "f32"] // count
            if tile and (tile.tame is None or tile.tame > limit or kind == "prod") or limit < TAME:
                kind = "max"
            elif kind == "prod":
                tile = self.factors(source, element, depth, count)
            else:
                tile = tile or self.tame(source, element, depth, min(limit, 1 << self.random.randint(2, 20)))
                bound = tile.tame * count
        tile = tile or self.tile(source, element, depth)
        if kind in ("max", "min") and (element.kind != "float" or tile.tame is not None) and self.chance(0.4):
            return self.extreme(source, over, element, tile, kind)
        made = self.op_of(f"reduce {kind} {tile.name} {list(over)}", [tile], axes, element, f"{tile.type} -> {tile_type(axes, element)}")
        if bound is not None and bound <= EXACT[element.name]:
            made.tame = bound
        elif kind in ("max", "min") and tile.tame is not None and all(source[i].least > 0 for i in over):
            made.tame = tile.tame  # Nothing has an infinite maximum.
        return made

    def extreme(self, source, over, element, tile, kind):
        """The greatest or least element and, of those that are equal, the first index along an axis: by a combiner of scalars."""
        axes = tuple(axis for i, axis in enumerate(source) if i not in over)
        indices = tile_type(source, S32)
        index = self.text.fresh("t")
        self.text.line(f"{index} = tile.iota {self.pick(over)} : {indices}")
        order = ("o" if element.kind == "float" else "s" if element.kind == "signed" else "u") + ("gt" if kind == "max" else "lt")
        compare, equal = ("arith.cmpf", "oeq") if element.kind == "float" else ("arith.cmpi", "eq")
        s = element.scalar
        ends = (float("-inf"), float("inf")) if element.kind == "float" else (element.least, element.greatest)
        identity = f"{element.constant(ends[kind != 'max'])} : {s}"
        combiner = (f"{{ ^bb0(%a: {s}, %i: i32, %b: {s}, %j: i32): %x = {compare} {order}, %a, %b : {s} %e = {compare} {equal}, %a, %b : {s} "
                    f"%l = arith.cmpi slt, %i, %j : i32 %f = arith.andi %e, %l : i1 %w = arith.ori %x, %f : i1 "
                    f"%v = arith.select %w, %a, %b : {s} %k = arith.select %w, %i, %j : i32 tile.combined %v, %k : {s}, i32 }}")
        both = self.text.fresh("t")
        self.text.line(f"{both}:2 = tile.reduce custom {tile.name}, {index} {list(over)} identities [{identity}, 2147483647 : i32] {combiner} "
                       f": {tile.type}, {indices} -> {tile_type(axes, element)}, {tile_type(axes, S32)}")
        results = []
        for number, of in enumerate((element, S32)):
            made = Tile(f"{both}#{number}", axes, of)
            made.pinned = tile.pinned
            self.text.scope.tiles.append(made)
            results.append(made)
        self.fuel -= 2
        if tile.tame is not None and all(source[i].least > 0 for i in over):
            results[0].tame = tile.tame
        return results[0]

    def factors(self, source, element, depth, count):
        """1, -1 and, if there are few, 2: products of these are exact."""
        condition = self.tile(source, BOOL, depth)
        a, b = self.constant_tile(source, element, 1), self.constant_tile(source, element, 2 if count <= 60 and self.chance(0.5) else -1)
        return self.op("where", [condition, a, b], source, element, f"{condition.type}, {a.type}")

    def normalise(self, axes, element, depth, natural):
        """A tile and what reductions of it say, as of a softmax."""
        may_be_here = natural is not None and self.chance(0.6)
        if element.kind == "float" and self.chance(0.6):
            tile = self.tame(axes, element, depth, 1 << 12, natural if may_be_here else None)
        else:
            tile = self.tile(axes, element, depth, natural if may_be_here else None)
        return self.with_reduced(tile, axes, element, depth)

    def with_reduced(self, tile, axes, element, depth):
        over = sorted(self.random.sample(range(len(axes)), self.random.randint(1, len(axes))))
        kept = [i for i in range(len(axes)) if i not in over]
        result = self.reduced(axes, over, element, depth, tile)
        if self.chance(0.3):  # Its dimensions are kept, as 1.
            ones = tuple(ONE if i in over else axis for i, axis in enumerate(axes))
            result = self.op_of(f"broadcast {result.name} {kept}", [result], ones, element, f"{result.type} -> {tile_type(ones, element)}")
            kept = list(range(len(axes)))
        wide = self.op_of(f"broadcast {result.name} {kept}", [result], axes, element, f"{result.type} -> {tile.type}")
        wide.open = frozenset(i for i in over if not axes[i].is_static)
        bound = tile.tame + result.tame if tile.tame is not None and result.tame is not None else None
        op = self.pick(["add", "sub"] if element is not BOOL else BINARY["bool"])
        made = self.op(op, [tile, wide], axes, element, tile.type)
        if bound is not None and bound <= EXACT[element.name]:
            made.tame = bound
        return made

    def aliased(self, axes, element, depth, natural):
        """Reads an array that the program writes in other parts than it writes: one thread group does it all, in order."""
        own = [(array, specs) for array, specs in natural.roots if array.element is element]
        if not own:
            return self.normalise(axes, element, depth, natural)
        array, specs = self.pick(own)
        array.is_read = True
        ref, kind = self.ref(array, specs)
        at = [i for i, axis in enumerate(axes) if axis.bound > 1 and axis.least > 0]
        if not at or self.chance(0.4):
            tile = self.op_of(f"load {ref}", [], axes, element, f"{kind} -> {tile_type(axes, element)}")
            tile.pinned = natural
            return self.with_reduced(tile, axes, element, depth)
        # Its transpose, where it is square: other threads stored what is read.
        same = [(j, i) for i in range(len(axes)) for j in range(i) if axes[i] is axes[j]]
        if same and self.chance(0.7):
            tile = self.op_of(f"load {ref}", [], axes, element, f"{kind} -> {tile_type(axes, element)}")
            tile.pinned = natural
            order = list(range(len(axes)))
            j, i = self.pick(same)
            order[i], order[j] = j, i
            return self.op_of(f"permute {tile.name} {order}", [tile], axes, element, f"{tile.type} -> {tile.type}")
        # A smaller window of it.
        i = self.pick(at)
        size = self.random.randint(1, axes[i].bound)
        start = self.constant(self.random.randint(0, axes[i].bound - size))
        exact = axes[i].kind == "exact"
        inner = self.exactly(size) if exact else self.window(axes[i], start, size)
        part = tuple(inner if k == i else axis for k, axis in enumerate(axes))
        texts = [f"window {start.name}" if k == i else "whole" for k in range(len(axes))]
        name = self.text.fresh("w")
        smaller = ref_type([axis.ref for axis in part], element)
        self.text.line(f"{name} = tile.slice {ref}[{', '.join(texts)}]{' {in_bounds}' if exact else ''} : {kind} -> {smaller}")
        tile = self.op_of(f"load {name}", [], part, element, f"{smaller} -> {tile_type(part, element)}")
        tile.pinned = natural
        result = self.reduced(part, [i], element, depth, tile)
        kept = [k for k in range(len(axes)) if k != i]
        return self.op_of(f"broadcast {result.name} {kept}", [result], axes, element, f"{result.type} -> {tile_type(axes, element)}")

    def total(self, axes, element, natural):
        """A number made of all of a long array, and what it says of another tile."""
        source = [self.whole(self.long)]
        if self.chance(0.3):
            source.insert(self.random.randint(0, 1), self.free_axis(4)[0].axis)
        kind = "sum" if self.chance(0.6) else None
        made = self.reduced(source, list(range(len(source))), element, 2, kind=kind)
        if not axes:
            return made
        other = self.tile(axes, element, 1, natural)
        wide = self.op_of(f"broadcast {made.name} []", [made], axes, element, f"{made.type} -> {other.type}")
        wide.open = frozenset(i for i, axis in enumerate(axes) if not axis.is_static)
        return self.combined(other, wide, axes)

    # ---- Products ------------------------------------------------------------------------------------------------------

    def permute(self, axes, element, depth, natural, make=None):
        order = self.random.sample(range(len(axes)), len(axes))
        source = [None] * len(axes)
        for i, dim in enumerate(order):
            source[dim] = axes[i]
        tile = make(source) if make else self.tile(source, element, depth)
        made = self.op_of(f"permute {tile.name} {order}", [tile], axes, element, f"{tile.type} -> {tile_type(axes, element)}")
        made.tame = tile.tame
        return made

    def side(self, axes, element, depth, limit):
        """One side of a product, perhaps transposed."""
        def make(source):
            if element.kind == "float":
                return self.tame(source, element, depth, limit)
            return self.tile(source, element, depth)

        if self.chance(0.3):
            swapped = list(axes[:-2]) + [axes[-1], axes[-2]]
            tile = make(swapped)
            order = list(range(len(axes) - 2)) + [len(axes) - 1, len(axes) - 2]
            made = self.op_of(f"permute {tile.name} {order}", [tile], axes, element, f"{tile.type} -> {tile_type(axes, element)}")
            made.tame = tile.tame
            return made
        return make(list(axes))

    def dot(self, axes, element, depth, natural):
        if element.name not in FACTORS:
            other = ELEMENTS[self.pick(["f32", "f32", "s32", "f64", "u32"])]
            tile = self.dot(axes, other, depth, natural)
            if element is BOOL:
                one = self.constant_tile(axes, other, 1)
                return self.op(self.pick(["gt", "eq", "le"]), [tile, one], axes, element, f"{tile.type} -> {tile_type(axes, element)}")
            return self.op("cast", [tile], axes, element, f"{tile.type} -> {tile_type(axes, element)}")
        return self.multiplied(axes, element, depth, natural, self.more(axes, 300))

    def multiplied(self, axes, element, depth, natural, along, sum=None):
        """`sum`: what it is added to, if that is given; else sometimes something is made for it."""
        source = ELEMENTS[self.pick(FACTORS[element.name])]
        batch, rows, columns = list(axes[:-2]), axes[-2], axes[-1]
        count = max(1, along.most)
        limit = 1
        while limit < 64 and (2 * limit) ** 2 * count <= EXACT["f32"] // 64:
            limit *= 2
        a = self.side(batch + [rows, along], source, depth, limit)
        b = self.side(batch + [along, columns], source, depth, limit)
        bound = None if element.kind != "float" else a.tame * b.tame * count
        if sum is None and self.chance(0.3):
            sum = (self.tile(axes, element, depth, natural) if bound is None else
                   self.tame(axes, element, depth, EXACT[element.name] - bound, natural))
        types = f"{a.type}, {b.type} -> {tile_type(axes, element)}"
        operands = [a, b] + ([sum] if sum else [])
        if sum and self.chance(0.5):
            made = self.op_of(f"dot {a.name}, {b.name} acc {sum.name} : {sum.type},", operands, axes, element, types)
        else:
            made = self.op_of(f"dot {a.name}, {b.name}", operands[:2], axes, element, types)
            if sum:
                self.text.scope.tiles.pop()  # Used once, a product is added to as it is made.
                made = self.op("add", [made, sum] if self.chance(0.5) else [sum, made], axes, element, made.type)
        made.pinned = next((tile.pinned for tile in operands if tile.pinned), None)
        if bound is not None:
            bound += sum.tame if sum else 0
            made.tame = bound if bound <= EXACT[element.name] else None
        return made

    # ---- Loops that accumulate -----------------------------------------------------------------------------------------

    def accumulate(self, axes, element, depth, natural):
        """Adds products, reductions or tiles to a sum, window after window."""
        inner = None if all(axis.bound == 1 for axis in axes) else natural
        if element.kind == "float":
            start = self.tame(axes, element, depth, 100, inner)
        else:
            start = self.tile(axes, element, depth, inner)
        if len(axes) > 1 and self.chance(0.7):
            host = self.host(self.pick([dim for dim in DIMS if dim <= max(1, min(300, self.work // max(1, self.size(axes))))] + [0, 3]))
            size = self.pick([block for block in BLOCKS if block <= max(1, host.value)])
            trips, walked = -(-host.value // size), dict(high=host.value, step=size)
        else:
            host, trips = None, self.pick([0, 1, 2, 3, 5])
            walked = dict(high=trips)

        def body(inside):
            index, (sum,) = inside
            sum.pinned, sum.tame = natural, start.tame if start.tame is None else EXACT[element.name] // 2
            if host:
                along = self.window(self.whole(host), index, size)
                made = self.multiplied(axes, element, depth, inner, along, sum)
            elif element.kind == "float":
                other = self.tame(axes, element, depth, 1 << 12, inner)
                made = self.tamed(self.op("add", [sum, other], axes, element, sum.type), other.tame)
            else:
                made = self.op("add", [sum, self.tile(axes, element, depth, inner)], axes, element, sum.type)
            return [made]

        result = self.pinned(self.for_loop([start], body, trips=trips, **walked), natural)[0]
        return result

    def statistics(self, axes, element, depth, natural):
        """A loop that carries what it has seen of every row, which all of the row is then compared with."""
        kept = sorted(self.random.sample(range(len(axes)), self.random.randint(0, len(axes))))
        rows = tuple(axes[i] for i in kept)
        start = self.tile(rows, element, 0)

        def body(inside):
            _, (seen,) = inside
            return [self.combined(seen, self.reduce(rows, element, depth, None), rows)]

        seen = self.for_loop([start], body)[0]
        wide = self.op_of(f"broadcast {seen.name} {kept}", [seen], axes, element, f"{seen.type} -> {tile_type(axes, element)}")
        wide.open = frozenset(i for i, axis in enumerate(axes) if not axis.is_static and i not in kept)
        wide.pinned = natural
        other = self.tile(axes, element, depth, natural)
        return self.combined(other, wide, axes)
