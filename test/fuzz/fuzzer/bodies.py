# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random statements for the programs of models.py, and the stores of their results."""
from . import model
from .model import (ANY, Binary, Clamp, Constant, Dim, DimOf, Index, Made, Move, Scalar, Take, Variable, assigned, broadcast, is_float,
                    whole)
from .statements import Assign, For, If, Let, Store
from .tiles import Tiles


class Bodies(Tiles):
    """What Program has: axes, arrays, scope."""

    def statements(self, count, depth):
        body, outer = [], list(self.scope)
        for _ in range(count):
            kind = self.weighted(let=5, variable=2 + self.assigns, assign=2 * self.assigns, branch=self.assigns if depth else 0,
                                 loop=0.7 * self.assigns if depth else 0, scalar=1)
            made = getattr(self, "state_" + kind)(depth)
            body += made or []
        if depth < 2:
            self.scope = [v for v in self.scope if any(v.at["name"] == o.at["name"] for o in outer)]
        return body

    def declare(self, node, is_mutable):
        name = self.fresh("t")
        v = Variable(node.element, node.dims, name=name, is_mutable=is_mutable).bounded(node.most, node.bits)
        v.cost = node.cost
        self.scope.append(v)
        return Let(name, node, is_mutable)

    def state_let(self, depth):
        node = self.tile(3)
        return [self.declare(node, False)] if self.fits(node) else None

    def state_variable(self, depth):
        node = self.tile(2, lambda n: n.element != "bool")
        return [self.declare(node, True)] if self.fits(node) else None

    def state_scalar(self, depth):
        a = self.tile(2, lambda n: n.element != "bool")
        node = a and self.reduce(a, [], False)
        return [self.declare(node, False)] if self.fits(node) else None

    def state_assign(self, depth):
        choices = [v for v in self.scope if v.at.get("is_mutable") and v.dims]
        if not choices:
            return self.state_variable(depth)
        return self.assign(self.pick(choices))

    def assign(self, v):
        operator, node = "", self.for_variable(v)
        if self.chance(0.3) and not self.in_loop:
            operator = self.pick(["+", "-", "*"])
            bounds = None
            node = self.cast(node, v.element)
            if is_float(v.element):
                node = self.tamed(node, 8, 2)
                bounds = self.bounds(operator, v, node)
                if bounds is None:
                    operator = ""
        if self.in_loop and is_float(v.element):
            node = self.tamed(node, v.most, v.bits if v.bits is not None else 0)
        dims = assigned(node.dims, v.dims)
        if dims is None or not self.fits(node) or (self.in_loop and dims != v.dims):
            return None
        if operator and is_float(v.element):
            most, bits = bounds
        else:
            most, bits = node.most, node.bits
        if self.in_loop:
            most, bits = max(most, v.most), None if bits is None or v.bits is None else max(bits, v.bits)
        return self.set(v, dims, node, operator, most, bits)

    def set(self, v, dims, node, operator, most, bits):
        at = next(i for i, other in enumerate(self.scope) if other.at["name"] == v.at["name"])
        changed = Variable(v.element, dims, **v.at).bounded(most, bits)
        changed.cost = max(node.cost, v.cost if operator else 0) + 1
        self.scope[at] = changed
        return [Assign(v.at["name"], dims, node, operator)]

    def for_variable(self, v):
        """What a variable is assigned: made tiles more than others, tiles that are broadcast to it."""
        kind = self.weighted(made=5, one=1.5, number=1, computed=5, own=4)
        node = None
        if kind == "made" and all(dim.size != ANY for dim in v.dims):
            node = self.made_of(v.element, v.dims[self.random.choice([0, 0, len(v.dims) - 1]):], False)
        elif kind == "one":
            node = Made(v.element, (whole(1),), kind="full", axis=0, number=self.some_number(v.element).at["number"], long=False).bounded(5, 1)
        elif kind == "own":  # Of what it is.
            own = self.use(v)
            i = self.random.randrange(len(v.dims))
            node = self.pick([lambda: Move(v.element, v.dims, own, kind="flip", axis=i), lambda: self.roll(own, i, self.number("s32", 1)),
                              lambda: self.scan(own, i), lambda: self.binary("+", own, self.beside(own, 1)), lambda: self.like(own)])()
            node = node and self.cast(node, v.element)
        elif kind == "computed":
            node = self.tile(2, lambda n: assigned(n.dims, v.dims) and (not self.in_loop or assigned(n.dims, v.dims) == v.dims))
            node = node and self.cast(node, v.element)
        if node is None or assigned(node.dims, v.dims) is None:
            node = self.some_number(v.element)
        return node

    def truth(self):
        """A condition of the program, not of the compiler."""
        known = self.variables(lambda v: not v.dims and v.element == "s32")
        choices = [self.parameter(name) for name in self.parameters] + known
        if self.grid:
            i = self.random.randrange(len(self.grid))
            choices.append(Scalar("s64", (), name=f"program {i}", spelled=f"tg::program_id({i})"))
        choices += [DimOf("s64", (), place=a.name, axis=0, of=a.dims[0]) for a in self.arrays if a.access in ("in", "inout") and a.dims and
                    a.dims[0].symbol and a.dims[0].symbol[0] == "axis"]
        if not choices:
            self.parameters["n0"] = self.random.randint(1, 5)
            choices.append(self.parameter("n0"))
        left = self.pick(choices)
        return Binary("bool", (), left, Constant(left.element, (), number=self.pick([0, 1, 2, 3, 13, 64])), op=self.pick(["<", ">", "==", ">="]))

    def state_branch(self, depth):
        condition, before = self.truth(), list(self.scope)
        then = self.inner(depth)
        first, self.scope = self.scope, list(before)
        other = self.inner(depth) if self.chance(0.7) else []
        second, joins, scope = self.scope, [], []
        for old, a, b in zip(before, first, second):
            dims = old.dims if a.dims == b.dims == old.dims else tuple(x if x.symbol is not None else y for x, y in zip(a.dims, b.dims))
            if dims != a.dims or dims != b.dims:
                joins.append((old.at["name"], dims))
            v = Variable(old.element, dims, **old.at).bounded(max(a.most, b.most), None if a.bits is None or b.bits is None else max(a.bits, b.bits))
            v.cost = a.cost + b.cost if a.cost != old.cost or b.cost != old.cost else old.cost
            scope.append(v)
            if any(x.symbol is not None and y.symbol is not None and x.symbol != y.symbol for x, y in zip(a.dims, b.dims)):
                self.scope = before
                return None
        self.scope = scope
        return [If(condition, then, other, joins)] if then or other else None

    def inner(self, depth):
        """A few assignments, and what they need."""
        body, mutable = [], [v for v in self.scope if v.at.get("is_mutable") and v.dims]
        outer = [v.at["name"] for v in self.scope]
        if depth > 1 and self.chance(0.3):
            body += self.statements(1, depth - 1)
        for _ in range(self.random.randint(1, 2)):
            if mutable:
                name = self.pick(mutable).at["name"]
                body += self.assign(next(v for v in self.scope if v.at["name"] == name)) or []
        self.scope = [v for v in self.scope if v.at["name"] in outer]
        return body

    def state_loop(self, depth):
        mutable = [v for v in self.scope if v.at.get("is_mutable") and v.dims]
        if not mutable:
            return self.state_variable(depth)
        is_static, joins, before = self.chance(0.3), [], list(self.scope)
        # What is assigned inside has its extents from the beginning.
        first = []
        if not is_static and self.chance(0.5):
            v = self.pick(mutable)
            told = self.tile(1, lambda n: assigned(n.dims, v.dims) not in (None, v.dims))
            told = told and self.tamed(self.cast(told, v.element), max(v.most, 8), 2)
            if self.fits(told):
                dims = assigned(told.dims, v.dims)
                joins.append((v.at["name"], dims))
                first = self.set(v, dims, told, "", max(v.most, told.most), None if v.bits is None or told.bits is None else max(v.bits, told.bits))
        counter = self.fresh("i")
        self.open_counters = (*self.open_counters, counter)
        self.in_loop += 1
        body = first + self.inner(depth - 1)
        self.in_loop -= 1
        self.open_counters = self.open_counters[:-1]
        if not body:
            self.scope = before
            return None
        count = self.number("s32", self.random.randint(1, 3)) if is_static or not self.parameters or self.chance(0.3) else \
            self.parameter(self.pick(list(self.parameters)))
        for v in self.scope:
            v.cost = v.cost + 1
        return [For(counter, count, body, joins, is_static)]

    # ---- What is stored ------------------------------------------------------------------------------------------------

    def store_results(self):
        variables = [v for v in self.scope if v.at.get("is_mutable") and v.dims]
        for v in self.random.sample(variables, min(3, len(variables))):
            if self.chance(0.75):
                self.store_scalars(self.use(v))
        for _ in range(self.random.randint(1, 3)):
            getattr(self, "store_" + self.weighted(block=5, scalars=4, front=4, masked=1))()
        if not any(array.access in ("out", "partial_out") for array in self.arrays):
            self.store_scalars()

    def output(self, element, axes, access="out"):
        array = self.array(element, axes, access)
        array.before = self.poison(array)
        return array

    def poison(self, array):
        import numpy
        bits = numpy.full(array.lengths, 0x5b, model.DTYPES[array.element])
        return bits

    def store_block(self):
        """A block of the launch's dimensions."""
        axes = list(self.axes)
        if self.chance(0.3):
            self.random.shuffle(axes)
        dims = tuple(axis.dim() for axis in axes if axis.mode != "row")
        node = self.tile(3, lambda n: n.element != "bool" and assigned(n.dims, dims) == dims) if dims else None
        if node is None:
            loads = [self.load(a) for a in self.arrays if a.access == "in" and assigned(a.dims, dims) == dims]
            loads += self.variables(lambda v: v.dims and v.element != "bool" and assigned(v.dims, dims) == dims)
            if not loads:
                return
            node = self.pick(loads)
            if node.dims and self.chance(0.7):
                other = self.binary("+", node, self.beside(node, 2))
                node = other if self.fits(other) and assigned(other.dims, dims) == dims else node
        array = self.output(node.element, axes)
        self.body.append(Store(array.name, "all" if array.dims else "[]", node))

    def store_masked(self):
        axes = list(self.axes)
        dims = tuple(axis.dim() for axis in axes if axis.mode != "row")
        choices = self.variables(lambda v: v.dims and v.element != "bool" and assigned(v.dims, dims) == dims)
        choices += [self.load(a) for a in self.arrays if a.access == "in" and a.dims and assigned(a.dims, dims) == dims]
        if not choices or not dims:
            return
        node = self.pick(choices)
        mask = self.condition(node, 1)
        array = self.output(node.element, axes, "partial_out")
        self.body.append(Store(array.name, "all", node, mask=mask))

    def store_scalars(self, tile=None):
        """Numbers of a program; of a tile, if it is given."""
        for _ in range(1 if tile else self.random.randint(1, 2)):
            a = tile or self.tile(3, lambda n: n.element != "bool") or self.leaf()
            if tile and self.chance(0.4):
                i = self.random.randrange(len(a.dims))
                b = self.pick([lambda: Move(a.element, a.dims, a, kind="flip", axis=i), lambda: self.scan(a, i), lambda: self.like(a),
                               lambda: self.binary("*", a, self.cast(self.like(a), a.element)), lambda: self.roll(a, i, self.number("s32", 2))])()
                a = b if self.fits(b) and b.element != "bool" else a
            node = self.reduce(a, [], False)
            if self.chance(0.25) and all(self.least(dim) > 0 for dim in a.dims) and a.element != "bool":
                node = Index(a.element, (), a, parts=[("at", 0)] * len(a.dims))
            if not self.fits(node):
                continue
            array = self.output(node.element, [*self.row_axes(), 2])
            self.body.append(Store(array.name, "at", node, at=0))
            dims = [DimOf("s32", (), place=v.at["name"], axis=i, of=d) for v in self.scope for i, d in enumerate(v.dims)]
            known = self.variables(lambda v: not v.dims and v.element == node.element)
            second = self.pick(dims) if dims and node.element == "s32" else self.pick(known) if known else self.some_number(node.element)
            self.body.append(Store(array.name, "at", second, at=1))

    def row_axes(self):
        """For each axis of the grid, the program's own place."""
        from .models import Axis
        rows = []
        for axis in self.grid:
            row = Axis(f"g{axis.grid}", axis.programs, "row", 1)
            row.grid = axis.grid
            rows.append(row)
        return rows

    def store_front(self):
        """All of a tile, whatever its extents are."""
        node = self.tile(3, lambda n: n.element != "bool" and all(self.least(d) > 0 for d in n.dims))
        if not self.fits(node) or self.size(node.dims) * len(self.places) > 6000:
            return
        if not isinstance(node, Variable):
            self.body.append(self.declare(node, False))
            node = self.use(self.scope[-1])
        for axis, dim in enumerate(node.dims):
            if dim.symbol is not None and dim.symbol[0] != "whole":
                node = self.filled(node, axis, dim)
        if not self.fits(node):
            return
        array = self.output(node.element, [*self.row_axes(), *(self.most(dim) for dim in node.dims)], "partial_out")
        self.body.append(Store(array.name, "front", node))

    def filled(self, node, axis, dim):
        """All that there is along an axis, then the last element again: so many as a static tile has."""
        size = dim.size if dim.size != ANY else self.most(dim)
        if not isinstance(node, Variable):
            self.body.append(self.declare(node, False))
            node = self.use(self.scope[-1])
        last = Binary("s32", (), DimOf("s32", (), place=node.at["name"], axis=axis, of=dim), self.number("s32", 1), op="-")
        places = Made("s32", (Dim(size),), kind="iota", axis=0, number=0, long=False)
        index = Clamp("s32", places.dims, places, self.number("s32", 0), last)
        return Take(node.element, self.replaced(node, axis, Dim(size)), node, index, axis=axis)
