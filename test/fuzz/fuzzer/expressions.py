# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random scalars and tiles of a wanted type and shape."""
from .ir import BOOL, ELEMENTS, ONE, S64, STORED, Axis, Place, Scalar, Tile, tile_type
from .shapes import Shapes, Spec

UNARY = {
    "bool": ["logical_not"],
    "signed": ["neg", "abs", "square", "bit_not", "clz", "ctz", "popcount", "bit_reverse"],
    "unsigned": ["neg", "abs", "square", "bit_not", "clz", "ctz", "popcount", "bit_reverse"],
    "float": ["neg", "abs", "square", "sqrt", "floor", "ceil", "trunc", "round", "rint"],
}
INTEGER = ["add", "sub", "mul", "div", "rem", "maximum", "minimum", "bit_and", "bit_or", "bit_xor", "shift_left", "shift_right",
           "floor_divide", "floor_mod", "mul_hi", "add_sat", "sub_sat"]
BINARY = {
    "bool": ["bit_and", "bit_or", "bit_xor", "logical_and", "logical_or"],
    "signed": INTEGER,
    "unsigned": INTEGER,
    "float": ["add", "sub", "mul", "div", "maximum", "minimum", "fmax", "fmin", "fmod", "floor_divide", "floor_mod"],
}
EQUALITIES, ORDERS = ["eq", "ne"], ["lt", "le", "gt", "ge"]
# What a GPU computes within a few units in the last place; everything else has one right answer.
APPROXIMATE = ["exp", "exp2", "expm1", "log", "log2", "log1p", "sin", "cos", "atan", "tanh", "logistic", "rsqrt"]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -7.25, 1e-5, 100.0, 65504.0, float("inf"), float("-inf"), float("nan")]
INTEGERS = [0, 1, 2, 3, 5, 7, 31, 64, 127, 128, -1, -2, -128, 1 << 15, (1 << 31) - 1, -(1 << 31), (1 << 63) - 1, -(1 << 63)]


class Expressions(Shapes):
    def __init__(self, random, name):
        super().__init__(random, name)
        self.fuel = 0  # ops that may still be spent
        self.elements = list(ELEMENTS.values())
        self.units = 0  # in the last place by which results may be off
        self.most_arrays = 9

    def element(self, *kinds):
        fitting = [e for e in self.elements if not kinds or e.kind in kinds]
        return self.pick(fitting or [e for e in ELEMENTS.values() if e.kind in kinds])

    # ---- Scalars -------------------------------------------------------------------------------------------------------

    def value(self, element):
        """A number that an element can be."""
        if element.kind == "bool":
            return self.pick([0, 1])
        if element.kind == "float":
            value = self.pick(FLOATS) if self.chance(0.6) else self.random.uniform(-50, 50)
            return 3e38 if element.name == "bf16" and value == 65504.0 else value
        return self.pick(INTEGERS) if self.chance(0.5) else self.random.randint(0, 100)

    def data(self, element):
        """A scalar read from an array."""
        specs = self.scalar_specs()
        arrays = [a for a in self.arrays if not a.is_written and a.element is element and not (self.units and a.earlier)]
        array = self.pick(arrays) if arrays and self.chance(0.6) else None
        if array:
            specs = self.embed((), array)
        if not array or specs is None:
            specs = self.scalar_specs()
            array = self.new_array(element, [spec.host for spec in specs])
        ref, kind = self.ref(array, specs)
        tile = self.text.fresh("t")
        self.text.line(f"{tile} = tile.load {ref} : {kind} -> tensor<{element.tile}>")
        return self.extract(Tile(tile, (), element))

    def scalar_specs(self):
        specs = []
        while len(specs) < 6 and self.chance(0.4):
            specs += self.specs_for(())
        return specs[:6]

    def extract(self, tile):
        scalar = Scalar(self.text.fresh(), tile.element)
        self.text.line(f"{scalar.name} = tile.extract {tile.name} : {tile.type} -> {tile.element.scalar}")
        return scalar

    def scalar(self, element, depth=1):
        kind = self.weighted(constant=3, argument=2, data=2, index=2, computed=3 if depth else 0, tile=1 if depth else 0)
        if kind == "constant":
            return self.emit(element, (f"arith.constant {self.literal(element)}",))
        if kind == "argument" and len(self.scalar_arguments) < 8:
            return self.argument(element, self.value(element))
        if kind == "data" and len(self.arrays) < self.most_arrays:
            return self.data(element)
        if kind == "index":
            return self.from_index(element)
        if kind == "tile":
            return self.tile_scalar(element)
        return self.computed(element, depth) if depth else self.emit(element, (f"arith.constant {self.literal(element)}",))

    def tile_scalar(self, element):
        return self.extract(self.tile((), element, 1))

    def literal(self, element):
        text = element.constant(self.value(element))
        return text if element.kind == "bool" else f"{text} : {element.scalar}"

    def from_index(self, element):
        index = self.pick(self.text.visible("scalars") or [self.constant(3)])
        if element.kind == "bool":
            predicate = self.pick(["eq", "ne", "slt", "sle", "sgt", "sge"])
            other = self.constant(self.random.randint(index.low, index.high))
            return self.emit(BOOL, (f"arith.cmpi {predicate}, {{0}}, {{1}} : i64", index, other))
        if element.kind == "float":
            return self.emit(element, (f"arith.sitofp {{0}} : i64 to {element.scalar}", index))
        if element.bits == 64:
            return index if element is S64 else Scalar(index.name, element)
        return self.emit(element, (f"arith.trunci {{0}} : i64 to {element.scalar}", index))

    def computed(self, element, depth):
        """By one op of arith that is defined for all operands."""
        spelled = element.scalar
        if element.kind == "bool":
            other = self.element("signed", "unsigned", "float")
            a, b = self.scalar(other, depth - 1), self.scalar(other, depth - 1)
            if other.kind == "float":
                predicate = self.pick(["oeq", "olt", "ole", "ogt", "oge", "une", "ult", "uno", "ord", "one"])
                return self.emit(BOOL, (f"arith.cmpf {predicate}, {{0}}, {{1}} : {other.scalar}", a, b))
            sign = "s" if other.kind == "signed" else "u"
            predicate = self.pick(["eq", "ne"] + [sign + order for order in ORDERS])
            return self.emit(BOOL, (f"arith.cmpi {predicate}, {{0}}, {{1}} : {other.scalar}", a, b))
        a, b = self.scalar(element, depth - 1), self.scalar(element, depth - 1)
        if self.chance(0.2):
            condition = self.scalar(BOOL, depth - 1)
            return self.emit(element, (f"arith.select {{0}}, {{1}}, {{2}} : {spelled}", condition, a, b))
        if element.kind == "float":
            op = self.pick(["addf", "subf", "mulf", "divf", "maximumf", "minimumf"])
        else:
            sign = "s" if element.kind == "signed" else "u"
            op = self.pick(["addi", "subi", "muli", "andi", "ori", "xori", f"min{sign}i", f"max{sign}i", "div", "rem", "shift"])
            if op in ("div", "rem"):
                op, b = op + sign + "i", self.emit(element, (f"arith.constant {self.pick([1, 2, 3, 7, 100])} : {spelled}",))
            elif op == "shift":
                op = self.pick(["shli", "shr" + sign + "i"])
                b = self.emit(element, (f"arith.constant {self.random.randrange(element.bits)} : {spelled}",))
        return self.emit(element, (f"arith.{op} {{0}}, {{1}} : {spelled}", a, b))

    # ---- Tiles ---------------------------------------------------------------------------------------------------------

    def op(self, name, operands, axes, element, types):
        """A line that makes a tile."""
        return self.op_of(f"{name} {', '.join(tile.name for tile in operands)}", operands, axes, element, types)

    def op_of(self, text, operands, axes, element, types):
        made = Tile(self.text.fresh("t"), tuple(axes), element)
        made.pinned = next((tile.pinned for tile in operands if tile.pinned), None)
        if operands and all(tile.axes == made.axes for tile in operands):
            made.open = frozenset.intersection(*[tile.open for tile in operands])
        self.text.line(f"{made.name} = tile.{text} : {types}")
        self.text.scope.tiles.append(made)
        self.fuel -= 1
        return made

    def tile(self, axes, element, depth, natural=None, may_be_open=False):
        """A tile of these extents. `natural`: the domain in which it is wanted at its own place, element for element."""
        made = self.any_tile(tuple(axes), element, depth, natural)
        if made.open and not may_be_open:
            other = self.leaf(made.axes, element, natural)
            made = self.op(self.pick(BINARY[element.kind]), [made, other], made.axes, element, made.type)
        return made

    def operands(self, count, axes, element, depth, natural):
        """Of an elementwise op: one of them may have no extents of its own."""
        made = [self.tile(axes, element, depth, natural) for _ in range(count - 1)]
        made.append(self.tile(axes, element, depth, natural, may_be_open=True))
        return made if self.chance(0.5) else made[::-1]

    def any_tile(self, axes, element, depth, natural):
        known = [t for t in self.text.visible("tiles")
                 if t.axes == axes and t.element is element and not t.open and (not t.pinned or t.pinned is natural)]
        if known and self.chance(0.25):
            return self.pick(known)
        if depth <= 0 or self.fuel <= 0:
            return self.leaf(axes, element, natural)
        if self.chance(0.08):
            return self.made(axes, element)
        kind = self.weighted(**self.kinds(axes, element, depth, natural))
        return getattr(self, kind)(axes, element, depth - 1, natural) if kind != "leaf" else self.leaf(axes, element, natural)

    def kinds(self, axes, element, depth, natural):
        """How a tile may be made, and how often."""
        controls = self.may_carry(axes, natural)
        has_room = len(self.arrays) < self.most_arrays
        is_whole = all(axis.kind != "window" or not axis.is_static for axis in axes)
        return dict(elementwise=10, where=2, cast=2, broadcast=3, bounded=0.5, subtile=2 if axes or depth > 1 else 0.5, leaf=2,
                    control=1.5 if controls else 0, masked=2 if is_whole and has_room else 0, gathered=1 if axes and has_room else 0, taken=0.7 if axes else 0,
                    converted=0.8 if has_room and element.kind == "float" else 0,
                    same_bits=0.5 if element.kind not in ("bool", "float") else 0,
                    stochastic=0.5 if element.name in ("f16", "bf16") else 0)

    def may_carry(self, axes, natural):
        return natural is not None and axes == natural.axes and self.loops < 2

    def elementwise(self, axes, element, depth, natural):
        if element.kind == "bool" and self.chance(0.7):
            other = self.element()
            a, b = self.operands(2, axes, other, depth, natural)
            op = self.pick(EQUALITIES if other.kind == "bool" else EQUALITIES + ORDERS)
            return self.op(op, [a, b], axes, element, f"{a.type} -> {tile_type(axes, element)}")
        if self.chance(0.3):
            a = self.tile(axes, element, depth, natural)
            return self.op(self.pick(UNARY[element.kind]), [a], axes, element, a.type)
        if element.kind == "float" and self.chance(0.1):
            operands = self.operands(3, axes, element, depth, natural)
            return self.op("fma", operands, axes, element, operands[0].type)
        a, b = self.operands(2, axes, element, depth, natural)
        return self.op(self.pick(BINARY[element.kind]), [a, b], axes, element, a.type)

    def where(self, axes, element, depth, natural):
        condition = self.tile(axes, BOOL, depth, natural)
        a, b = self.operands(2, axes, element, depth, natural)
        return self.op("where", [condition, a, b], axes, element, f"{condition.type}, {a.type}")

    def cast(self, axes, element, depth, natural):
        a = self.tile(axes, self.element(), depth, natural)
        return self.op("cast", [a], axes, element, f"{a.type} -> {tile_type(axes, element)}")

    def converted(self, axes, element, depth, natural):
        """What an array holds that nothing computes with. Rows of packed elements are read as a whole."""
        specs = self.specs_for(axes)
        is_row = bool(axes) and specs[-1].axis is not None and specs[-1].axis.kind == "whole"
        bits = 4 if is_row and self.chance(0.6) else 8
        stored = self.pick([e for e in STORED.values() if e.bits == bits])
        array = self.new_array(stored, [spec.host for spec in specs], is_seen_as_is=stored.bits < 8)
        a = self.load(array, specs, axes)
        self.text.scope.tiles.pop()
        return self.op("cast", [a], axes, element, f"{a.type} -> {tile_type(axes, element)}")

    def same_bits(self, axes, element, depth, natural):
        """Those of an integer of the other sign: of NaN, a GPU may have others."""
        other = next(e for e in ELEMENTS.values() if e.bits == element.bits and e.kind not in (element.kind, "float"))
        a = self.tile(axes, other, depth, natural)
        return self.op("bitcast", [a], axes, element, f"{a.type} -> {tile_type(axes, element)}")

    def stochastic(self, axes, element, depth, natural):
        a, b = self.tile(axes, ELEMENTS["f32"], depth, natural), self.tile(axes, ELEMENTS["u32"], depth, natural)
        return self.op("stochastic_cast", [a, b], axes, element, f"{a.type}, {b.type} -> {tile_type(axes, element)}")

    def broadcast(self, axes, element, depth, natural, make=None):
        """`make`: what makes the source of these axes, if not `tile`."""
        kept = [i for i in range(len(axes)) if self.chance(0.6)]
        trailing = kept == list(range(len(axes) - len(kept), len(axes)))
        source = [ONE if axes[i].bound != 1 and self.chance(0.25) else axes[i] for i in kept]
        inner = natural if trailing else None
        a = make(source, inner) if make else self.tile(source, element, depth, inner)
        made = self.op_of(f"broadcast {a.name} {kept}", [a], axes, element, f"{a.type} -> {tile_type(axes, element)}")
        made.tame = a.tame
        told = {i for i, axis in zip(kept, source) if axis is axes[i]}
        made.open = frozenset(i for i, axis in enumerate(axes) if not axis.is_static and i not in told)
        return made

    def bounded(self, axes, element, depth, natural):
        """A tile whose extents are static, then known at run time alone, and static again."""
        a = self.tile(axes, element, depth, natural)
        loose = [axis.is_static and axis.kind == "exact" and axis.bound > 1 and self.chance(0.8) for axis in axes]
        if not any(loose):
            return a
        dims = list(range(len(axes)))
        sizes = "".join(("?" if is_loose else axis.tile) + "x" for axis, is_loose in zip(axes, loose))
        name, kind = self.text.fresh("t"), f"tensor<{sizes}{element.tile}>"
        self.text.line(f"{name} = tile.broadcast {a.name} {dims} : {a.type} -> {kind}")
        made = self.op_of(f"broadcast {name} {dims}", [a], axes, element, f"{kind} -> {a.type}")
        made.tame = a.tame
        return made

    def subtile(self, axes, element, depth, natural):
        """A part of a larger tile: of one with known extents, or of one that fits wherever it is put."""
        if axes and all(axis.is_static for axis in axes) and self.chance(0.4):
            return self.part_of_free(axes, element, depth)
        source, texts, may_end_before = [], [], False
        for axis in axes:
            if axis.kind == "window" and not axis.step and self.chance(0.8):
                source.append(axis.parent)
                size = "" if axis.is_static else f" size {axis.size.name}"
                texts.append(f"window {axis.start.name}{size}")
                end = axis.start.high + (axis.bound if axis.is_static else axis.size.high)
                may_end_before |= axis.parent.is_static and end > axis.parent.bound
            else:
                source.append(axis)
                texts.append("whole")
        while len(source) < 6 and (len(texts) == texts.count("whole") or self.chance(0.15)):
            axis = self.any_axis()
            at = self.random.randint(0, len(source))
            source.insert(at, axis)
            texts.insert(at, f"element {self.index(0, axis.least - 1).name}")
        if "window" not in " ".join(texts) and "element" not in " ".join(texts):
            return self.leaf(axes, element, None)
        a = self.tile(source, element, depth)
        if may_end_before:  # A tile that conforms, such as a gather at an iota, would have to be larger than its type.
            a = self.op(self.pick(BINARY[element.kind]), [a, self.leaf(source, element, is_loaded=True)], source, element, a.type)
        return self.op_of(f"subtile {a.name}[{', '.join(texts)}]", [a], axes, element,
                          f"{a.type} -> {tile_type(axes, element)}")

    def any_axis(self):
        """Some axis with at least one element in every program."""
        hosts = [host for host in self.hosts if 0 < host.value <= 64]
        if hosts and self.chance(0.6):
            return self.whole(self.pick(hosts))
        return self.exactly(self.pick([1, 2, 3, 4, 8, 13]))

    def part_of_free(self, axes, element, depth):
        source, texts = [], []
        for axis in axes:
            size = axis.bound + self.pick([0, 1, 5, axis.bound])
            source.append(Axis("free", 0, 0, size=size))
            texts.append(f"window {self.index(0, size - axis.bound).name}")
        a = self.free_tile(source, element, depth)
        return self.op_of(f"subtile {a.name}[{', '.join(texts)}]", [a], axes, element,
                          f"{a.type} -> {tile_type(axes, element)}")

    def free_tile(self, axes, element, depth):
        if depth <= 0 or self.chance(0.5):
            return self.made(axes, element)
        a, b = self.free_tile(axes, element, depth - 1), self.free_tile(axes, element, depth - 1)
        return self.op(self.pick(BINARY[element.kind]), [a, b], axes, element, a.type)

    # ---- Leaves --------------------------------------------------------------------------------------------------------

    def leaf(self, axes, element, natural=None, is_loaded=False):
        own = [(array, specs) for array, specs in (natural.roots if natural and axes == natural.axes else [])
               if array.element is element]
        if own and not self.units and self.chance(0.4):
            array, specs = self.pick(own)
            array.is_read = True
            tile = self.load(array, specs, axes)
            tile.pinned = natural
            return tile
        is_told = all(axis.is_static or self.known_extent(axis) for axis in axes)
        if is_told and not is_loaded and (self.chance(0.3) or len(self.arrays) >= self.most_arrays):
            return self.made(axes, element, closed=True)
        arrays = [array for array in self.arrays if not array.is_written and array.element is element]
        if self.units:  # What an earlier launch wrote is off already.
            arrays = [array for array in arrays if not array.earlier]
        self.random.shuffle(arrays)
        if len(self.arrays) >= self.most_arrays or self.chance(0.4):
            for array in arrays[:3]:
                specs = self.embed(axes, array)
                if specs is not None:
                    return self.load(array, specs, axes)
        specs = self.specs_for(axes)
        return self.load(self.new_array(element, [spec.host for spec in specs]), specs, axes)

    def load(self, array, specs, axes):
        ref, kind = self.ref(array, specs)
        return self.op_of(f"load {ref}", [], axes, array.element, f"{kind} -> {tile_type(axes, array.element)}")

    def masked(self, axes, element, depth, natural):
        """A load under a mask: static windows are whole, wherever they extend past the ends of their array."""
        specs, before = self.specs_for(axes), []
        for i, spec in enumerate([spec for spec in specs if spec.axis]):
            if spec.axis.kind == "exact" and spec.axis.is_static and self.chance(0.7):
                size = spec.axis.size
                spec.host = self.host(self.random.randint(0, 2 * size))
                start = self.index(-size - 1 if self.chance(0.4) else 0, spec.host.value + 1)
                spec.axis = self.window(self.whole(spec.host), start, size)
                before += [(i, start)] if start.low < 0 else []
        array = self.new_array(element, [spec.host for spec in specs])
        mask, other = self.tile(axes, BOOL, depth, natural), self.tile(axes, element, depth, natural)
        for i, start in before:
            mask = self.op("logical_and", [mask, self.is_in_array(axes, i, start)], axes, BOOL, mask.type)
        ref, kind = self.ref(array, specs)
        return self.op_of(f"load {ref} mask {mask.name} : {mask.type} other {other.name} : {other.type}", [mask, other], axes,
                          element, f"{kind} -> {other.type}")

    def indices(self, axes, below, depth):
        """A tile of numbers below a number, of any unsigned type: from data, or counted along an axis that is no longer."""
        element = self.pick([ELEMENTS["u32"], ELEMENTS["u64"]])
        kind = tile_type(axes, element)
        short = [i for i, axis in enumerate(axes) if axis.is_static and axis.bound <= below]
        known = [self.known_extent(axis) for axis in axes if not axis.is_static]
        if short and all(known) and self.chance(0.3):
            extents = f" extents({', '.join(scalar.name for scalar in known)})" if known else ""
            return self.op_of(f"iota {self.pick(short)}{extents}", [], axes, element, kind)
        tile = self.tile(axes, element, depth)
        limit = self.emit(element, (f"arith.constant {below} : {element.scalar}",))
        full = self.op_of(f"full {limit.name}", [], axes, element, f"{element.scalar} -> {kind}")
        full.open = frozenset(i for i, axis in enumerate(axes) if not axis.is_static)
        return self.op("rem", [tile, full], axes, element, kind)

    def indexed(self, axes):
        """Axes that tiles of indices have, neighbours, and what stands before and behind."""
        first = self.random.randrange(len(axes))
        last = self.random.randint(first, len(axes) - 1) + 1
        return axes[first:last], axes[:first], axes[last:]

    def place(self, axes, element, depth, updated=False):
        """A place at tiles of indices, of a new array: where accesses of these axes go."""
        inner, before, behind = self.indexed(axes)
        specs = self.specs_for(before + behind)
        hosts = [self.some_host(self.random.randint(1, 9)) for _ in range(self.pick([1, 1, 2]))]
        if len(specs) + len(hosts) > 6:
            return None
        for host in hosts:
            specs.insert(self.random.randint(0, len(specs)), Spec(host, self.whole(host)))
        left = [spec for spec in specs if spec.axis]
        dims = [i for i, spec in enumerate(left) if spec.host in hosts and spec.axis.kind == "whole"]
        if len(dims) != len(hosts):  # The same array dimension is iterated, too.
            return None
        array = self.new_array(element, [spec.host for spec in specs], written=updated)
        array.is_read |= updated
        tiles = [self.indices(inner, left[i].host.value, depth) for i in dims]
        indices = f"{', '.join(t.name for t in tiles)} : {', '.join(t.type for t in tiles)}"
        return Place(*self.ref(array, specs), indices, dims, len(before))

    def gathered(self, axes, element, depth, natural):
        """Elements of an array at one or two tiles of indices."""
        place = self.place(axes, element, depth)
        if not place:
            return self.leaf(axes, element, natural)
        under = ""
        if all(axis.kind != "window" or not axis.is_static for axis in axes) and self.chance(0.3):
            mask, other = self.tile(axes, BOOL, depth), self.tile(axes, element, depth)
            under = f" mask {mask.name} : {mask.type} other {other.name} : {other.type}"
        return self.op_of(f"gather {place.ref}[{place.indices}] {place.dims} at {place.position}{under}", [], axes, element,
                          f"{place.type} -> {tile_type(axes, element)}")

    def taken(self, axes, element, depth, natural):
        """Elements of a tile at indices along one of its axes."""
        inner, before, behind = self.indexed(axes)
        axis = self.any_axis()
        if len(before) + len(behind) == 6 or axis.least > 64:
            return self.leaf(axes, element, natural)
        kept = before + behind
        at = self.random.randint(0, len(kept))
        index = self.indices(inner, axis.least, depth)
        source = self.tile(kept[:at] + (axis,) + kept[at:], element, depth)
        return self.op_of(f"take {source.name}[{index.name} : {index.type}] [{at}] at {len(before)}", [], axes, element,
                          f"{source.type} -> {tile_type(axes, element)}")

    def is_in_array(self, axes, i, start):
        """Whether an element of a window does not lie before the array, along axis i."""
        kind, is_open = tile_type(axes, S64), frozenset(n for n, axis in enumerate(axes) if not axis.is_static)
        index = self.op_of(f"iota {i} offset({start.name})", [], axes, S64, kind)
        zero = self.op_of(f"full {self.constant(0).name}", [], axes, S64, f"i64 -> {kind}")
        index.open = zero.open = is_open
        return self.op("ge", [index, zero], axes, BOOL, f"{kind} -> {tile_type(axes, BOOL)}")

    def made(self, axes, element, closed=False):
        """full or iota, of extents that are known or that it takes from what it meets."""
        kind = tile_type(axes, element)
        known = [self.known_extent(axis) for axis in axes if not axis.is_static]
        is_closed = all(known) and (closed or self.chance(0.8))
        extents = f" extents({', '.join(scalar.name for scalar in known)})" if known and is_closed else ""
        if axes and element.kind != "bool" and self.chance(0.45):
            offset = f" offset({self.index(0, 1000).name})" if self.chance(0.3) else ""
            tile = self.op_of(f"iota {self.random.randrange(len(axes))}{offset}{extents}", [], axes, element, kind)
        else:
            scalar = self.scalar(element)
            tile = self.op_of(f"full {scalar.name}{extents}", [], axes, element, f"{element.scalar} -> {kind}")
        tile.open = frozenset() if is_closed else frozenset(i for i, axis in enumerate(axes) if not axis.is_static)
        return tile

    def known_extent(self, axis):
        if axis.kind == "whole":
            return self.dim(axis.host)
        return axis.size if axis.kind == "exact" else None
