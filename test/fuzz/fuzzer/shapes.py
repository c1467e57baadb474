# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Extents, windows and domains: where programs read and write, in range and without meeting one another."""
from dataclasses import dataclass

from .ir import ONE, S64, Array, Axis, Domain, HostDim, Scalar, Text, ref_type

BLOCKS = [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 32, 33, 64, 100, 128, 200, 256, 1000, 1024, 2048, 4096, 8192, 10000, 16384]
DIMS = [1, 2, 3, 5, 7, 8, 16, 17, 31, 63, 64, 65, 100, 127, 128, 129, 257, 1000, 1024, 1025, 2047, 3000, 4099, 5000, 8192, 10007,
        20000]


def clamp(value, low, high):
    return max(low, min(value, high))


@dataclass(eq=False)
class Spec:
    """What a slice does with one dimension of an array: an axis of the result, or one element."""

    host: HostDim
    axis: Axis = None
    start: Scalar = None  # of an exact axis, or the element


class Shapes:
    def __init__(self, random, name):
        self.random, self.name = random, name
        self.text = Text()
        self.arrays, self.arguments, self.hosts = [], [], []  # arguments: scalars of the launch
        self.scalar_arguments = {}  # name in the entry -> (element, value)
        self.exact = {}  # size -> Axis: exact extents are equal by their size alone
        self.grid, self.grid_sources = [], []  # of the launch that is being written
        self.loops = 0  # around what is being written
        self.transposing = 0  # how often arrays are seen transposed
        self.squares = 0  # how often two dimensions of a domain are one

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, choices):
        return self.random.choice(choices)

    def weighted(self, **weights):
        return self.random.choices(list(weights), list(weights.values()))[0]

    # ---- Index scalars: 64 bits, in a known range --------------------------------------------------------------------

    def emit(self, element, recipe, low=None, high=None, again=0.2):
        """A scalar computed by `recipe`: a text in which {0}, {1}... stand for scalars. Computed again now and then."""
        text, operands = recipe[0], recipe[1:]
        line = text.format(*[operand.name for operand in operands])
        key = (line, element, low is None)
        known = self.text.memo(key)
        if known and not self.chance(again):
            return known
        scalar = Scalar(self.text.fresh(), element, low, high, recipe=recipe)
        self.text.line(f"{scalar.name} = {line}")
        self.text.scope.memo[key] = scalar
        if low is not None:
            self.text.scope.scalars.append(scalar)
        return scalar

    def again(self, scalar):
        """The same number, computed once more now and then. Not in a loop: what it computes may lie at another place each time."""
        if scalar.recipe and self.loops == 0 and self.chance(0.15):
            return self.emit(scalar.element, scalar.recipe, scalar.low, scalar.high, again=1)
        return scalar

    def constant(self, value):
        return self.emit(S64, (f"arith.constant {value} : i64",), value, value)

    def program_id(self, axis):
        return self.emit(S64, (f"tile.program_id {axis}",), 0, max(0, self.grid[axis] - 1))

    def num_programs(self, axis):
        return self.emit(S64, (f"tile.num_programs {axis}",), self.grid[axis], self.grid[axis])

    def sum(self, a, b):
        return self.emit(S64, ("arith.addi {0}, {1} : i64", a, b), a.low + b.low, a.high + b.high)

    def product(self, a, factor):
        """`a` is not negative, `factor` is a constant or an argument."""
        operands = (a, factor) if self.chance(0.7) else (factor, a)
        return self.emit(S64, ("arith.muli {0}, {1} : i64", *operands), a.low * factor.low, a.high * factor.high)

    def argument(self, element, value):
        """A scalar argument of the entry, passed to the launch."""
        name = f"n{len(self.scalar_arguments)}"
        self.scalar_arguments[name] = (element, value)
        known = isinstance(value, int) and element is S64
        scalar = Scalar(f"%s_{name}", element, value if known else None, value if known else None)
        self.arguments.append((scalar, name))
        if known:
            self.text.scopes[0].scalars.append(scalar)
        return scalar

    def number(self, value):
        """A given number, in one of the ways that a program can have it."""
        return self.constant(value) if self.chance(0.6) else self.argument(S64, value)

    def dim(self, host):
        """The size of an array, read from a ref."""
        members = [(array, i) for array in self.arrays for i, dim in enumerate(array.dims) if dim is host]
        if not members:
            return None
        array, i = self.pick(members)
        return self.emit(S64, (f"tile.dim {array.inside}, {i} : {array.ref}",), host.value, host.value)

    def index(self, low, high):
        """Some scalar between low and high."""
        if low == high or self.chance(0.3):
            return self.number(self.random.randint(low, high)) if low < high else self.constant(low)
        fitting = [s for s in self.text.visible("scalars") if s.high - s.low <= high - low and s.high > s.low]
        if fitting and self.chance(0.7):
            scalar = self.pick(fitting)
            shift = self.random.randint(low - scalar.low, high - scalar.high)
            return scalar if shift == 0 else self.sum(scalar, self.constant(shift))
        if self.chance(0.4):
            data = self.data(S64)
            count = self.constant(high - low + 1)
            rest = self.emit(S64, ("arith.remui {0}, {1} : i64", data, count), 0, high - low)
            return rest if low == 0 else self.sum(rest, self.constant(low))
        return self.constant(self.random.randint(low, high))

    # ---- Axes ----------------------------------------------------------------------------------------------------------

    def host(self, value):
        host = HostDim(value)
        if self.chance(0.1):
            host.constant = True
        elif self.chance(0.1):
            host.scalar = f"n{len(self.scalar_arguments)}"
            self.scalar_arguments[host.scalar] = (S64, value)
        self.hosts.append(host)
        return host

    def some_host(self, least):
        """A dimension of at least `least` elements."""
        fitting = [host for host in self.hosts if least <= host.value <= least + 50]
        return self.pick(fitting) if fitting and self.chance(0.4) else self.host(least + self.pick([0, 0, 1, 3, 20]))

    def whole(self, host):
        key = ("whole", host)
        known = self.text.memo(key)
        if not known:
            known = self.text.scopes[0].memo[key] = Axis("whole", host.value, host.value, host=host)
        return known

    def window(self, parent, start, size, step=None):
        key = ("window", parent, start, size, step)
        known = self.text.memo(key)
        if not known:
            value, by = size if isinstance(size, int) else size.low, step.low if step else 1
            known = Axis("window", clamp(-((start.high - parent.least) // by), 0, value),
                         clamp(-((start.low - parent.most) // by), 0, value), parent=parent, start=start, size=size, step=step)
            self.text.scope.memo[key] = known
        return known

    def exactly(self, size):
        """An extent of `size` for certain: an int or a scalar of one value."""
        if isinstance(size, int) and size == 1:
            return ONE
        value = size if isinstance(size, int) else size.low
        return self.exact.setdefault(size, Axis("exact", value, value, size=size))

    def sizes(self, limit):
        return [size for size in BLOCKS if size <= max(1, limit)]

    def owned_axis(self, k, limit):
        """An axis that program k of a grid axis has to itself, as a Spec, and whether all of the array is covered."""
        programs = max(1, self.grid[k])
        size = self.pick(self.sizes(limit))
        kind = self.weighted(window=5, run_time=2, exact=2, exact_run_time=0.5, nested=1, interleaved=0.7)
        if kind == "interleaved":
            return self.interleaved_axis(k, size)
        factor = self.constant(size) if kind in ("window", "exact", "nested") else self.number(size)
        if self.chance(0.85):
            start = self.product(self.program_id(k), factor)
        else:
            last = self.emit(S64, ("arith.subi {0}, {1} : i64", self.num_programs(k), self.constant(1)))
            mirrored = self.emit(S64, ("arith.subi {0}, {1} : i64", last, self.program_id(k)), 0, programs - 1)
            start = self.product(mirrored, factor)
        reach = programs * size
        if kind.startswith("exact"):
            host = self.host(reach + self.pick([0, 0, 1, 7]))
            return Spec(host, self.exactly(size if kind == "exact" else factor), start), host.value == reach
        value = self.pick([reach, reach, reach - self.random.randrange(size), self.random.randint(0, reach), reach + 3, 0])
        host = self.host(value)
        if value < reach and (size == 1 or host.constant):
            # Blocks of an array that is known to consist of whole ones: none begins beyond its end.
            host.value, host.scalar = reach, None
        axis = self.window(self.whole(host), start, size if kind != "run_time" else factor)
        if kind == "nested" and size > 1:
            inner = self.random.randint(1, size)
            return Spec(host, self.window(axis, self.number(self.random.randint(0, size - 1)), inner)), False
        if kind == "window" and host.value > 0 and -(-host.value // size) == programs:
            self.grid_sources[k].append((host, size))
        return Spec(host, axis), host.value <= reach

    def interleaved_axis(self, k, size):
        """As owned_axis: program k has every so many-th element, of as many as there are programs."""
        programs = max(1, self.grid[k])
        step = self.constant(programs) if self.chance(0.5) else self.num_programs(k)
        host = self.host(max(0, programs * size - self.pick([0, 0, 1, programs])))
        if self.grid[k] == 0:
            step = self.constant(1)
        elements = size if self.chance(0.7) else self.number(size)
        return Spec(host, self.window(self.whole(host), self.program_id(k), elements, step)), True

    def free_axis(self, limit):
        """An axis that no grid axis goes along."""
        kind = self.weighted(whole=6, window=2, run_time=1, exact=2, exact_run_time=0.5, strided=0.7)
        if kind == "whole":
            fitting = [dim for dim in DIMS if dim <= max(1, limit)]
            known = [host for host in self.hosts if host.value <= limit]
            host = self.pick(known) if known and self.chance(0.3) else self.host(0 if self.chance(0.03) else self.pick(fitting))
            return Spec(host, self.whole(host)), True
        size = self.pick(self.sizes(limit))
        if kind.startswith("exact"):
            host = self.some_host(size)
            start = self.index(0, host.value - size)
            return Spec(host, self.exactly(size if kind == "exact" else self.number(size)), start), False
        if kind == "strided":
            step = self.pick([1, 2, 2, 3, 4, 8])
            host = self.host(self.random.randint(0, step * size + 3))
            start = self.constant(self.random.randrange(step)) if self.chance(0.7) else self.index(0, max(0, host.value - 1))
            return Spec(host, self.window(self.whole(host), start, self.pick([size, size, self.number(size)]), self.number(step))), False
        host = self.host(self.random.randint(0, 2 * size))
        start = self.index(0, max(0, host.value - 1)) if self.chance(0.9) or size == 1 else self.constant(host.value + 1)
        return Spec(host, self.window(self.whole(host), start, size if kind == "window" else self.number(size))), False

    def owned_element(self, k):
        host = self.host(max(1, self.grid[k]) + self.pick([0, 0, 1, 2]))
        return Spec(host, start=self.program_id(k)), host.value == self.grid[k]

    def new_domain(self, limit, rank=None):
        """A shape to write, cut so that every program has a part of its own."""
        if rank is None:
            rank = self.random.choices([0, 1, 2, 3, 4, 5, 6], [1, 6, 6, 3, 0.5, 0.2, 0.2])[0]
        owners = list(range(len(self.grid)))
        self.random.shuffle(owners)
        rank = min(rank, 6 - len(owners))
        on_axes = dict(zip(self.random.sample(range(rank), min(rank, len(owners))), owners))
        if rank and self.chance(0.25):
            on_axes.pop(self.pick(sorted(on_axes)), None) if on_axes else None
        specs, covers, rest, free = [], True, limit, None
        for i in range(rank):
            share = rest if i == rank - 1 else max(1, int(rest ** (0.5 if self.squares else self.random.random())))
            if i in on_axes:
                spec, all_of_it = self.owned_axis(on_axes[i], share)
            elif free and free[0].axis.most <= share and self.chance(self.squares):
                spec, all_of_it = Spec(free[0].host, free[0].axis, free[0].start), free[1]
            else:
                spec, all_of_it = free = self.free_axis(share)
            rest //= max(1, spec.axis.most)
            specs.append(spec)
            covers &= all_of_it
        for k in owners:
            if k not in on_axes.values():
                spec, all_of_it = self.owned_element(k)
                specs.insert(self.random.randint(0, len(specs)), spec)
                covers &= all_of_it
        if len(specs) < 6 and self.chance(0.1):
            host = self.some_host(1)
            specs.insert(self.random.randint(0, len(specs)), Spec(host, start=self.index(0, host.value - 1)))
            covers = False
        domain = Domain(tuple(spec.axis for spec in specs if spec.axis), None, specs, covers=covers)
        self.text.scope.domains.append(domain)
        return domain

    # ---- Arrays and their windows ------------------------------------------------------------------------------------

    def new_array(self, element, hosts, written=False, is_seen_as_is=False):
        """`hosts`: its dimensions as the launch sees them, which may be a transposed view, unless `is_seen_as_is`."""
        name = f"x{len(self.arrays)}"
        array = Array(name, f"%{name}", element, list(hosts), is_written=written)
        if len(hosts) > 1 and not is_seen_as_is and self.chance(self.transposing):
            array.order = tuple(self.random.sample(range(len(hosts)), len(hosts)))
            for i, host in zip(array.order, hosts):
                array.dims[i] = host
        self.arrays.append(array)
        return array

    def view(self, array):
        """An array with its dimensions in the order of `new_array`."""
        if not array.order:
            return array.inside
        key = ("view", array)
        known = self.text.memo(key)
        if not known:
            known = self.text.scope.memo[key] = self.text.fresh("w")
            self.text.line(f"{known} = tile.transpose {array.inside} {list(array.order)} : {array.ref} -> {array.ref}")
        return known

    def ref(self, array, specs):
        """The window of an array that the specs describe, by one slice or several."""
        steps = []
        for spec in specs:
            if spec.axis is None:
                steps.append([("element", spec.start, None, None)])
            elif spec.axis.kind == "exact":
                steps.append([("exact", spec.start, spec.axis.size, spec.axis.ref)])
            else:
                steps.append([(axis.step or "window", axis.start, axis.size, axis.ref) for axis in spec.axis.chain()])
        name, dims = self.view(array), ["?"] * len(steps)
        while any(steps):
            first = next(i for i, pending in enumerate(steps) if pending)
            heads = [pending[0][0] for pending in steps if pending]
            if isinstance(heads[0], Scalar) and not (array.is_written and "exact" in heads):
                name, dims = self.strided(array, name, dims, first, *steps[first].pop(0))
                continue
            in_bounds = heads[0] == "exact" if not array.is_written else "exact" in heads
            texts, after, rest = [], [], []
            for i, pending in enumerate(steps):
                fits = pending and pending[0][0] in ("element", "exact" if in_bounds else "window")
                # An array that is written is cut the same way each time: its windows are compared slice by slice.
                if not fits or (i != first and not array.is_written and self.chance(0.2)):
                    texts.append("whole")
                    after.append(dims[i])
                    rest.append(pending)
                    continue
                kind, start, size, spelled = pending[0]
                if kind == "element":
                    texts.append(f"element {self.again(start).name}")
                    continue
                window = f"window {self.again(start).name}"
                texts.append(window if isinstance(size, int) else f"{window} size {self.again(size).name}")
                after.append(spelled)
                rest.append(pending[1:])
            made = self.text.fresh("w")
            flag = " {in_bounds}" if in_bounds else ""
            self.text.line(f"{made} = tile.slice {name}[{', '.join(texts)}]{flag} : {ref_type(dims, array.element)} -> "
                           f"{ref_type(after, array.element)}")
            name, dims, steps = made, after, rest
        return name, ref_type(dims, array.element)

    def strided(self, array, name, dims, at, step, start, size, spelled):
        """The window of one dimension of a ref by a step, and its dims."""
        made, after = self.text.fresh("w"), dims[:at] + [spelled] + dims[at + 1:]
        sized = "" if isinstance(size, int) else f" size {self.again(size).name}"
        self.text.line(f"{made} = tile.strided_slice {name} axis {at} from {self.again(start).name} step {self.again(step).name}{sized} : "
                       f"{ref_type(dims, array.element)} -> {ref_type(after, array.element)}")
        return made, after

    def embed(self, axes, array):
        """Specs that find the axes among an array's dimensions, or None."""
        specs, dims, spare = [], [array.dims[i] for i in array.order or range(len(array.dims))], len(array.dims) - len(axes)
        if spare < 0:
            return None
        wanted = list(axes)
        for i, host in enumerate(dims):
            axis = wanted[0] if wanted else None
            fits = axis and (axis.host is host if axis.kind == "whole" else axis.root.host is host) \
                if axis and axis.kind != "exact" else axis and host.value >= axis.least
            if fits and not (spare and self.chance(0.3)):
                start = self.index(0, host.value - axis.least) if axis.kind == "exact" else None
                specs.append(Spec(host, axis, start))
                wanted.pop(0)
            elif spare and host.value > 0:
                specs.append(Spec(host, start=self.index(0, host.value - 1)))
                spare -= 1
            else:
                return None
        return None if wanted else specs

    def specs_for(self, axes):
        """Specs of a new array in which the axes can be found."""
        specs = []
        for axis in axes:
            if axis.kind == "exact":
                host = self.some_host(axis.least * self.pick([1, 1, 2]))
                specs.append(Spec(host, axis, self.index(0, host.value - axis.least)))
            else:
                specs.append(Spec(axis.root.host, axis))
        while len(specs) < 6 and self.chance(0.15):
            host = self.some_host(self.random.randint(1, 4))
            specs.insert(self.random.randint(0, len(specs)), Spec(host, start=self.index(0, host.value - 1)))
        return specs
