# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans and sorted tiles.

What is scanned is exact in any grouping, as what is reduced is: integers wrap, floats are added up and multiplied where
they are tame, and compared otherwise. A thread group sorts rows of static extents that it holds.
"""
from .contractions import Contractions
from .ir import BOOL, ELEMENTS, EXACT, S32, Domain, Tile, tile_type
from .shapes import Spec

# Rows that thread groups share, and such as one of them has: about a part, and about what it holds.
ROWS = [100, 127, 128, 129, 257, 1000, 4095, 4096, 4097, 8191, 8193, 12288, 12301, 20000, 50001]
MOST_SORTED, MOST_EXCHANGED = 8192, 48 << 10  # elements of a row, and bytes of it
# Associative functions that tell their operands apart: (types of the tuple, identities, combiner), by the scalar's type,
# the op that combines values and what that leaves alone.
AFFINE = ("{{ ^bb0(%a: {s}, %b: {s}, %c: {s}, %d: {s}): %m = arith.muli %a, %c : {s} %n = arith.muli %b, %c : {s} "
          "%o = arith.addi %n, %d : {s} tile.combined %m, %o : {s}, {s} }}")
SEGMENTED = ("{{ ^bb0(%f: i1, %a: {s}, %g: i1, %b: {s}): %h = arith.ori %f, %g : i1 %m = {op} %a, %b : {s} "
             "%o = arith.select %g, %b, %m : {s} tile.combined %h, %o : i1, {s} }}")


class Orders(Contractions):
    def __init__(self, random, name):
        super().__init__(random, name)
        self.orders = 0  # how often
        self.is_backward = False  # the direction of a launch's scans, which loops over chunks go along

    # ---- Few long rows -------------------------------------------------------------------------------------------------

    def choose_rows(self):
        """All programs of the launch scan a row of run-time extent, or some, and do nothing but elementwise ops beside that."""
        self.is_elementwise = True
        self.transposing = 0
        self.orders = max(self.orders, 1)
        self.elements = [element for element in self.elements if element is not BOOL] or [S32]
        rows = self.pick([1, 1, 2, 3])
        specs = [self.owned_element(k)[0] for k in range(len(self.grid))]
        if rows > 1:
            host = self.host(rows)
            specs.insert(self.random.randint(0, len(specs)), Spec(host, self.whole(host)))
        programs = rows
        for size in self.grid:
            programs *= max(1, size)
        host = self.host(self.pick([length for length in ROWS if length * programs <= 200000]))
        specs.append(Spec(host, self.whole(host)))
        domain = Domain(tuple(spec.axis for spec in specs if spec.axis), None, specs, carries=False)
        domain.covers = all(spec.axis or spec.host.value == size for spec, size in zip(specs, self.grid)) and rows == 1
        self.text.scope.domains.append(domain)

    def may_contract(self, axes, natural):
        return not self.is_elementwise and super().may_contract(axes, natural)

    def data(self, element):
        if self.is_elementwise:
            return self.emit(element, (f"arith.constant {self.literal(element)}",))
        return super().data(element)

    def tile_scalar(self, element):
        return self.data(element) if self.is_elementwise else super().tile_scalar(element)

    # ---- Choices -------------------------------------------------------------------------------------------------------

    def kinds(self, axes, element, depth, natural):
        if self.is_elementwise:
            is_row = natural is not None and axes == natural.axes and element is not BOOL
            return dict(elementwise=8, where=2, cast=2, broadcast=2, leaf=2, scan=8 if is_row else 0,
                        masked=1 if len(self.arrays) < self.most_arrays else 0)
        weights = super().kinds(axes, element, depth, natural)
        if self.orders and axes and not self.long and self.may_contract(axes, natural):
            weights.update(scan=2 * self.orders if element is not BOOL else 0, of_scan=self.orders if element is not BOOL else 0,
                           sort=self.orders if self.sortable(axes, element) else 0)
        return weights

    def operand(self, axes, element, depth, natural):
        """What is put into order: also of the array that is stored to, where a thread group has all of its row."""
        is_here = natural is not None and axes == natural.axes and (natural.is_small or not natural.carries)
        return self.tile(axes, element, depth, natural if is_here and self.chance(0.6) else None)

    def several(self, text, operands, axes, types):
        """A line that makes as many tiles as it takes, of the same types."""
        name, made = self.text.fresh("t"), []
        names = [name] if len(operands) == 1 else [f"{name}#{i}" for i in range(len(operands))]
        for each, tile in zip(names, operands):
            made.append(Tile(each, tuple(axes), tile.element))
            made[-1].pinned = next((t.pinned for t in operands if t.pinned), None)
        self.text.line(f"{name}{f':{len(made)}' if len(made) > 1 else ''} = tile.{text} : {types} -> {types}")
        self.text.scope.tiles += made
        self.fuel -= 2
        return made

    # ---- Scans ---------------------------------------------------------------------------------------------------------

    def scan(self, axes, element, depth, natural):
        at = len(axes) - 1 if self.is_elementwise or self.chance(0.6) else self.random.randrange(len(axes))
        made = self.scanned(axes, at, element, depth, natural)
        if self.chance(0.25):  # A scan of a scan, along the same axis.
            made = self.scanned(axes, at, element, depth, natural, made)
        return made

    def of_scan(self, axes, element, depth, natural):
        """A reduction of a scan: along its axis or along another one."""
        if len(axes) == 6:
            return self.scan(axes, element, depth, natural)
        source, place = list(axes), self.random.randint(0, len(axes))
        source.insert(place, self.more(source))
        at = place if self.chance(0.7) else self.random.randrange(len(source))
        return self.reduced(source, [place], element, depth, self.scanned(source, at, element, depth, None))

    def scanned(self, axes, at, element, depth, natural, tile=None):
        """A scan along one of the axes of a tile of these; of the tile, if it is given."""
        backward = " reverse" if self.is_backward else ""
        if not tile and self.chance(0.25):
            return self.scanned_tuple(axes, at, element, depth, natural, backward)
        kind, count, bound = self.weighted(sum=4, prod=1, max=1.5, min=1), max(1, axes[at].most), None
        if element.kind == "float" and kind in ("sum", "prod"):
            limit = EXACT["f64" if element.name == "f64" else "f32"] // count  # f16 and bf16 are added up in f32.
            if limit < 4 or tile and (kind == "prod" or tile.tame is None or tile.tame > limit):
                kind = "max"
            elif kind == "prod":
                tile = self.factors(axes, element, depth, count)
            else:
                tile = tile or self.tame(axes, element, depth, min(limit, 1 << self.random.randint(2, 20)))
                bound = tile.tame * count
        tile = tile or self.operand(axes, element, depth, natural)
        made = self.several(f"scan {kind} {tile.name} [{at}]{backward}", [tile], axes, tile.type)[0]
        if kind in ("max", "min"):
            made.tame = tile.tame
        elif bound is not None and bound <= EXACT[element.name]:
            made.tame = bound
        return made

    def scanned_tuple(self, axes, at, element, depth, natural, backward):
        """By a function of two tuples: compositions of affine maps, or what begins anew at flags."""
        s, is_float = element.scalar, element.kind == "float"
        if is_float or self.chance(0.5):
            least = float("-inf") if is_float else 0
            first, of_first = self.tile(axes, BOOL, depth), "false"
            of_second, combiner = element.constant(least), SEGMENTED.format(s=s, op="arith.maximumf" if is_float else "arith.addi")
        else:
            first, of_first = self.tile(axes, element, depth), f"1 : {s}"
            of_second, combiner = "0", AFFINE.format(s=s)
        second = self.operand(axes, element, depth, natural)
        return self.several(f"scan custom {first.name}, {second.name} [{at}]{backward} identities [{of_first}, {of_second} : {s}] {combiner}",
                            [first, second], axes, f"{first.type}, {second.type}")[1]

    # ---- Sorting -------------------------------------------------------------------------------------------------------

    def sortable(self, axes, element):
        """The axes along which tiles of such elements, and their indices, can be sorted."""
        most = min(MOST_SORTED, self.current.most if self.current and self.current.most else 256)
        rows = [(i, 1 << (axis.bound - 1).bit_length()) for i, axis in enumerate(axes) if axis.is_static and axis.bound > 0]
        return [i for i, length in rows if length <= most and length * (8 + max(4, element.bytes)) <= MOST_EXCHANGED]

    def sort(self, axes, element, depth, natural):
        """A tile as a key, alone or beside others; or in the order of one or two others."""
        along = self.sortable(axes, element)
        if not along:
            return self.leaf(axes, element, natural)
        at, sources = self.pick(along), []
        is_key = element is not BOOL and self.chance(0.5)
        if not is_key:
            key = self.pick([e for e in ELEMENTS.values() if e is not BOOL and e.bytes <= 4])
            sources.append(self.tile(axes, key, depth))
        keys = 1
        if self.chance(0.25):  # Many are equal.
            some, short = self.tile(axes, ELEMENTS["u8"], depth), self.constant_tile(axes, ELEMENTS["u8"], 3)
            sources.insert(0, self.op("bit_and", [some, short], axes, some.element, some.type))
            keys = len(sources) + is_key
        sources.append(self.operand(axes, element, depth, natural))
        known = [self.known_extent(axis) for axis in axes if not axis.is_static]
        if all(known) and self.chance(0.4):
            extents = f" extents({', '.join(scalar.name for scalar in known)})" if known else ""
            sources.append(self.op_of(f"iota {at}{extents}", [], axes, S32, tile_type(axes, S32)))
        order = " descending" if self.chance(0.4) else ""
        names, types = ", ".join(tile.name for tile in sources), ", ".join(tile.type for tile in sources)
        made = self.several(f"sort {names} along {at} by {keys}{order}", sources, axes, types)
        for result, source in zip(made, sources):
            result.tame = source.tame
        return next(result for result in made if result.element is element) if is_key else made[-1 if made[-1].element is element else -2]
