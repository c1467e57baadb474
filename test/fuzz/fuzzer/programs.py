# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs: control flow and stores around the expressions, and the entry that launches them."""
import json
import random
from dataclasses import dataclass

from .contractions import LONG
from .expressions import APPROXIMATE
from .ir import BOOL, ELEMENTS, S64, Domain, Scalar, Text, Tile, tile_type
from .orders import Orders
from .shapes import Spec


MOST_MEMORY = 1 << 21  # elements of an array


@dataclass
class Launch:
    """What is known of one when it is written."""

    lines: list
    arguments: list
    grid: list
    grid_sources: list
    accesses: dict  # of the arrays there are


class Program(Orders):
    """An entry and its launches."""

    def __init__(self, seed, name, is_small):
        super().__init__(random.Random(seed), name)
        self.is_small = is_small
        if self.chance(0.5):
            self.elements = self.random.sample(self.elements, 3)
        self.transposing = self.pick([0, 0, 0.2])
        self.squares = self.pick([0, 0, 0.6])
        self.launches = []
        for n in range(self.random.choices([1, 2, 3], [6, 1, 0.3])[0]):
            self.launch(n)

    def launch(self, n):
        count = self.text.count  # No name is in two launches, which makes programs easier to change.
        self.text, self.arguments, self.exact = Text(), [], {}
        self.text.count = count
        if n:
            self.most_arrays += 3
        self.contracts = self.pick([0, 1, 1, 2])
        self.counts_all = self.chance(0.25)
        self.orders, self.is_backward = self.pick([0, 0, 1, 2]) if self.contracts else 0, self.chance(0.4)
        if n == 0 and self.chance(0.12):  # What others make of it would be off by more.
            self.units = 4
            self.elements += [ELEMENTS[name] for name in ("f16", "bf16", "f32", "f64")]
        self.limit = self.pick([20, 60, 300, 2000] if self.is_small else [60, 500, 4000, 30000])
        self.work = self.pick([500, 5000, 50000] if self.is_small else [2000, 30000, 400000])
        self.long = None
        self.roots = 0
        self.choose_grid()
        self.is_elementwise = False
        if self.orders and self.chance(0.25):
            self.choose_rows()
        elif self.contracts and not self.grid and self.chance(0.3):
            self.choose_long()
        for _ in range(self.random.choices([1, 2, 3, 4], [5, 4, 2, 1])[0] if not self.long else self.pick([1, 2])):
            self.statement(nesting=0)
        if not self.roots:
            self.root(self.new_domain(self.limit), nesting=0)
        for array in self.arrays:
            # An output that one program has alone and leaves partly unwritten is an error on the CPU.
            array.is_read |= array.is_written and not array.is_filled and all(size <= 1 for size in self.grid)
            array.earlier.append(array.access)
        self.launches.append(Launch(self.text.lines, self.arguments, self.grid, self.grid_sources, {a: a.access for a in self.arrays}))
        for array in self.arrays:
            array.is_read = array.is_written = array.is_filled = False

    def choose_long(self):
        """One program makes numbers of all of a long array."""
        self.long = self.host(self.pick(LONG))
        self.limit, self.work = 500, 1 << 18
        self.transposing = 0

    def choose_grid(self):
        rank = self.random.choices([0, 1, 2, 3], [3, 4, 2, 1])[0]
        most = {0: 1, 1: 40, 2: 8, 3: 4}[rank]
        self.grid = [0 if self.chance(0.01) else self.random.randint(1, most) for _ in range(rank)]
        self.grid_sources = [[] for _ in self.grid]
        programs = 1
        for size in self.grid:
            programs *= max(1, size)
        self.limit = max(1, self.limit // programs)

    # ---- Statements ----------------------------------------------------------------------------------------------------

    def statement(self, nesting):
        kind = self.weighted(root=8, branch=1.5 if nesting < 2 else 0, loop=1 if nesting < 2 else 0,
                             stepped=1.2 if nesting == 0 else 0)
        if self.long or self.is_elementwise:
            kind = "root"  # The rest is paid for by other programs.
        if kind == "branch":
            self.text.open(f"scf.if {self.scalar(BOOL, 2).name} {{")
            self.statement(nesting + 1)
            if self.chance(0.5):
                self.text.reopen("} else {")
                self.statement(nesting + 1)
            self.text.close()
        elif kind == "loop":
            if not self.text.visible("domains"):
                self.new_domain(self.limit)  # Windows that a loop computes may lie at another place each time.
            self.for_loop([], lambda _: self.statement(nesting + 1))
        elif kind == "stepped":
            self.stepped_loop()
        else:
            known = self.text.visible("domains")
            domain = self.pick(known) if known and (self.loops or self.is_elementwise or self.chance(0.6)) else self.new_domain(self.limit)
            if not (self.chance(0.15) and self.update(domain)):
                self.root(domain, nesting)

    def root(self, domain, nesting):
        """Computes a tile and stores it."""
        again = domain.roots and self.chance(0.15)
        if again:
            array, specs = self.pick(domain.roots)
        else:
            specs = [Spec(spec.host, spec.axis, spec.start) for spec in domain.slices]
            array = self.new_array(self.element(), [spec.host for spec in specs], written=True)
            domain.roots.append((array, specs))
            array.is_result = domain.covers and nesting == 0 and self.chance(0.3) and all(self.grid)
        self.fuel = 24 if not self.long else 10
        self.current = domain
        if self.long and self.chance(0.8):
            value = self.total(domain.axes, array.element, domain)
        else:
            value = self.stored(domain, array.element)
        if self.units and array.element.kind == "float" and self.chance(0.8):
            if self.may_contract(domain.axes, domain) and self.contracts and self.chance(0.4):
                value = self.sum_of_powers(domain.axes, array.element)
            else:
                value = self.op(self.pick(APPROXIMATE), [value], domain.axes, array.element, value.type)
                self.text.scope.tiles.pop()  # Its neighbours in exact code would be off by more.
        under = ""
        if self.chance(0.2):
            mask = self.stored(domain, BOOL)
            under = f" mask {mask.name} : {mask.type}"
            array.is_read = True
        array.is_filled |= domain.covers and nesting == 0
        ref, kind = self.ref(array, specs)
        self.text.line(f"tile.store {value.name}, {ref}{under} : {value.type}, {kind}")
        self.roots += 1
        if len(domain.axes) > 1 and not self.units and self.contracts and self.may_contract(domain.axes, domain) and self.chance(0.15):
            self.store_transposed(domain, array.element, ref, kind)

    def update(self, domain):
        """Updates an array of integers atomically, at tiles of indices or without them. The order does not matter."""
        if not domain.axes or self.long or self.is_elementwise or self.units or len(self.arrays) >= self.most_arrays:
            return False
        self.fuel, self.current = 12, domain
        element = self.pick([ELEMENTS[name] for name in ("s32", "s64", "u32", "u64")])
        place = self.place(domain.axes, element, 1, updated=True)
        if not place:
            return False
        value, under = self.tile(domain.axes, element, 2, domain), ""
        if self.chance(0.3):
            mask = self.tile(domain.axes, BOOL, 1, domain)
            under = f" mask {mask.name} : {mask.type}"
        indices = f" indices({place.indices})" if place.dims else ""
        kind = self.pick(["add", "max", "min", "and", "or", "xor"])
        self.text.line(f"tile.atomic {kind} {value.name}, {place.ref}{indices} {place.dims} at {place.position}{under} : "
                       f"{value.type}, {place.type}")
        self.roots += 1
        return True

    def store_transposed(self, domain, element, ref, kind):
        """Stores to the same ref again, a tile that is loaded along other dimensions: its layout is another one."""
        is_branch = self.chance(0.5)
        if is_branch:
            self.text.open(f"scf.if {self.scalar(BOOL, 1).name} {{")
        value = self.permute(domain.axes, element, 0, domain)
        self.text.line(f"tile.store {value.name}, {ref} : {value.type}, {kind}")
        if is_branch:
            self.text.close()

    def stored(self, domain, element):
        """A tile for a domain: it may be whole where the window extends past the end of its array."""
        axes, natural = domain.axes, domain
        if self.chance(0.2) and any(axis.kind == "window" and axis.is_static for axis in axes):
            axes = tuple(self.exactly(axis.size) if axis.kind == "window" and axis.is_static else axis for axis in axes)
            natural = None
        return self.tile(axes, element, self.random.randint(1, 4), natural, may_be_open=True)

    def sum_of_powers(self, axes, element):
        """As in a softmax. What is added up is positive, so that little is lost in any order."""
        source = list(axes)
        at = self.random.randint(0, len(source))
        source.insert(at, self.more(source))
        tile = self.tame(source, element, 1, 8)
        power = self.op(self.pick(["exp", "exp2"]), [tile], source, element, tile.type)
        made = self.op_of(f"reduce sum {power.name} [{at}]", [power], axes, element, f"{power.type} -> {tile_type(axes, element)}")
        del self.text.scope.tiles[-2:]
        self.units = max(self.units, 16 + source[at].most // 8)
        return made

    # ---- Control flow --------------------------------------------------------------------------------------------------

    def for_loop(self, inits, body, high=None, step=1, trips=5):
        """A loop that carries tiles; `body` is given the index and gives what goes round."""
        if high is None:
            high = self.random.choices([0, 1, 2, 3, 5], [2, 2, 4, 4, 2])[0]
        bounds = [self.constant(0), self.number(high), self.constant(step)]
        index = Scalar(self.text.fresh("i"), S64, 0, max(0, high - 1))
        carried = [Tile(self.text.fresh("a"), tile.axes, tile.element) for tile in inits]
        arguments, result = "", self.text.fresh("r") if inits else None
        if inits:
            pairs = ", ".join(f"{a.name} = {tile.name}" for a, tile in zip(carried, inits))
            arguments = f" iter_args({pairs}) -> ({', '.join(tile.type for tile in inits)})"
        head = f"scf.for {index.name} = {bounds[0].name} to {bounds[1].name} step {bounds[2].name}{arguments} : i64 {{"
        self.text.open(f"{result}:{len(inits)} = {head}" if inits else head)
        self.loops += 1
        self.trips *= max(1, trips)
        self.text.scope.scalars.append(index)
        made = body((index, carried))
        if inits:
            self.text.line(f"scf.yield {', '.join(t.name for t in made)} : {', '.join(t.type for t in made)}")
        self.loops -= 1
        self.trips //= max(1, trips)
        self.text.close()
        return [Tile(f"{result}#{i}", tile.axes, tile.element) for i, tile in enumerate(inits)]

    def control(self, axes, element, depth, natural):
        """A tile that comes out of a branch or a loop."""
        # A tile of one element could be a part of any domain, and so what goes into it must be readable in all of them.
        inner = None if all(axis.bound == 1 for axis in axes) else natural
        if self.chance(0.45):
            return self.branch(axes, element, depth, natural, inner)
        # What conforms is as large as what goes round, also where the loop does nothing.
        conforms = self.chance(0.3) and all(axis.is_static or self.known_extent(axis) for axis in axes)
        inits = [self.made(axes, element, closed=True) if conforms else self.tile(axes, element, depth, inner)]
        if self.chance(0.2):
            inits.append(self.tile(axes, self.element(), 0, inner))

        def body(inside):
            _, carried = inside
            for tile in carried:
                tile.pinned = natural
            self.text.scope.tiles += carried
            made = []
            for tile in carried:
                other = self.tile(axes, tile.element, depth, inner)
                made.append(self.combined(tile, other, axes))
            return made[::-1] if len({tile.element for tile in made}) == 1 and self.chance(0.3) else made

        results = self.while_loop(inits, body) if self.chance(0.25) else self.for_loop(inits, body)
        return self.pinned(results, natural)[0]

    def combined(self, a, b, axes):
        op = self.pick(["bit_xor", "logical_or"] if a.element is BOOL else ["add", "sub", "maximum", "mul"])
        return self.op(op, [a, b], axes, a.element, a.type)

    def pinned(self, results, natural):
        for tile in results:
            tile.pinned = natural
        self.text.scope.tiles += results
        return results

    def branch(self, axes, element, depth, natural, inner):
        elements = [element] + ([self.element()] if self.chance(0.2) else [])
        types = ", ".join(Tile("", axes, e).type for e in elements)
        result = self.text.fresh("r")
        self.text.open(f"{result}:{len(elements)} = scf.if {self.scalar(BOOL, 2).name} -> ({types}) {{")
        for side in range(2):
            if side:
                self.text.reopen("} else {")
            made = [self.tile(axes, e, depth, inner) for e in elements]
            self.text.line(f"scf.yield {', '.join(tile.name for tile in made)} : {types}")
        self.text.close()
        return self.pinned([Tile(f"{result}#{i}", axes, e) for i, e in enumerate(elements)], natural)[0]

    def while_loop(self, inits, body):
        """Counts as a for loop does, if some condition holds."""
        count, zero, one = self.number(self.random.randint(0, 4)), self.constant(0), self.constant(1)
        go_on = self.scalar(BOOL, 1)
        types = ", ".join(["i64"] + [tile.type for tile in inits])
        before, after = [[Tile(self.text.fresh("a"), t.axes, t.element) for t in inits] for _ in range(2)]
        i, k = self.text.fresh("i"), Scalar(self.text.fresh("i"), S64, 0, 3)
        result = self.text.fresh("r")
        starts = ", ".join([f"{i} = {zero.name}"] + [f"{a.name} = {t.name}" for a, t in zip(before, inits)])
        self.text.open(f"{result}:{len(inits) + 1} = scf.while ({starts}) : ({types}) -> ({types}) {{")
        self.loops += 1
        more, last = self.text.fresh(), self.text.fresh()
        self.text.line(f"{more} = arith.cmpi slt, {i}, {count.name} : i64")
        self.text.line(f"{last} = arith.andi {more}, {go_on.name} : i1")
        self.text.line(f"scf.condition({last}) {', '.join([i] + [t.name for t in before])} : {types}")
        self.text.reopen("} do {")
        self.text.line(f"^bb0({', '.join([f'{k.name}: i64'] + [f'{t.name}: {t.type}' for t in after])}):")
        self.text.scope.scalars.append(k)
        made = body((k, after))
        next_name = self.text.fresh()
        self.text.line(f"{next_name} = arith.addi {k.name}, {one.name} : i64")
        self.text.line(f"scf.yield {', '.join([next_name] + [t.name for t in made])} : {types}")
        self.loops -= 1
        self.text.close()
        return [Tile(f"{result}#{n + 1}", tile.axes, tile.element) for n, tile in enumerate(inits)]

    def stepped_loop(self):
        """A loop that writes one window or row after the other."""
        domain = self.new_domain(self.limit)
        candidates = [i for i, spec in enumerate(domain.slices) if spec.axis and spec.axis.kind != "exact" and spec.axis.most > 0]
        if not candidates:
            return self.root(domain, nesting=1)
        at = self.pick(candidates)
        outer = domain.slices[at].axis
        trips = self.pick([1, 2, 3, 4])
        size = max(1, -(-outer.most // trips))
        step = size + self.pick([0, 0, 0, 1, 5])

        def body(inside):
            index, _ = inside
            inner = self.window(outer, index, size)
            specs = [Spec(s.host, inner if i == at else s.axis, s.start) for i, s in enumerate(domain.slices)]
            axes = tuple(spec.axis for spec in specs if spec.axis)
            stepped = Domain(axes, None, specs, carries=domain.carries, most=domain.most)
            self.text.scope.domains.append(stepped)
            for _ in range(self.pick([1, 1, 2])):
                self.root(stepped, nesting=1)

        return self.for_loop([], body, high=outer.most, step=step)

    # ---- The entry -----------------------------------------------------------------------------------------------------

    def write(self):
        """The case's description as a comment, then the entry."""
        arrays = self.arrays
        for host in self.hosts:
            host.members = [(a, i) for a in arrays for i, dim in enumerate(a.dims) if dim is host]
        self.choose_results()
        arguments = [a for a in arrays if not a.is_result]
        aligned = self.chance(0.5)
        for array in arguments:
            array.layout = self.layout(array, aligned)
        self.host_lines = []
        numbers = self.compare_hosts()
        heads = [self.grid_operands(n, launch, numbers) for n, launch in enumerate(self.launches)]
        scalars = [(name, *self.scalar_arguments[name]) for name in self.scalar_arguments]
        parameters = [f"%{a.name}_: {a.type} {{tile.name = \"{a.name}\"}}" for a in arguments]
        parameters += [f"%{n}: {e.scalar} {{tile.name = \"{n}\", tile.type = \"{e.name}\"}}" for n, e, _ in scalars]
        results = [a for a in arrays if a.is_result]
        lines = ["// CASE " + json.dumps(self.description(arguments, scalars, results))]
        arrow = f" -> ({', '.join(a.type for a in results)})" if results else ""
        lines.append(f"tile.entry @{self.name}({', '.join(parameters)}){arrow} attributes {{qualified_name = \"fuzz::{self.name}\"}} {{")
        lines += ["  " + line for line in self.host_lines]
        for n, (launch, head) in enumerate(zip(self.launches, heads)):
            passed = [f"{access} {a.inside} = %{a.name}_ : {a.type}" for a, access in launch.accesses.items()]
            passed += [f"scalar {s.name} = %{name} : {s.element.scalar}" for s, name in launch.arguments]
            self.random.shuffle(passed)
            lines.append(f"  tile.launch \"{self.name}_{n}\" grid({', '.join(head)}) args({', '.join(passed)}) {{")
            lines += launch.lines + ["    tile.yield", "  }"]
        returned = ", ".join(f"%{a.name}_" for a in results)
        lines += [f"  tile.return {returned} : {', '.join(a.type for a in results)}" if results else "  tile.return", "}"]
        return "\n".join(lines) + "\n"

    def choose_results(self):
        """Results are fresh memory: written in full, never read, and of dims that the arguments tell."""
        for array in self.arrays:
            array.is_result &= array.earlier[0] == "out" and any(not a.is_result and a is not array for a in self.arrays)
        for array in self.arrays:
            told = all(host.constant or host.scalar or any(not a.is_result for a, _ in host.members) for host in array.dims)
            array.is_result &= told

    def compare_hosts(self):
        """Host code: the numbers of the hosts, checks that compare them, the results."""
        lines, numbers = self.host_lines, {}
        for n, host in enumerate(self.hosts):
            members = [(a, i) for a, i in host.members if not a.is_result]
            for m, (array, i) in enumerate(members):
                lines.append(f"%d{n}_{m} = tile.dim %{array.name}_, {i} : {array.type}")
            dims = [f"%d{n}_{m}" for m in range(len(members))]
            if host.constant:
                lines.append(f"%d{n} = arith.constant {host.value} : i64")
                dims.insert(0, f"%d{n}")
            elif host.scalar:
                dims.insert(0, f"%{host.scalar}")
            numbers[host] = dims[0] if dims else None
            for m, other in enumerate(dims[1:]):
                pair = (dims[0], other) if self.chance(0.5) else (other, dims[0])
                lines.append(f"%e{n}_{m} = arith.cmpi eq, {pair[0]}, {pair[1]} : i64")
                lines.append(f"tile.check %e{n}_{m}, \"dims differ\"")
        for array in self.arrays:
            if array.is_result:
                dims = ", ".join(numbers[host] for host in array.dims)
                lines.append(f"%{array.name}_ = tile.empty({dims}) : {array.type}")
        return numbers

    def grid_operands(self, n, launch, numbers):
        lines, operands = self.host_lines, []
        for k, size in enumerate(launch.grid):
            operands.append(f"%g{n}_{k}")
            sources = [(host, block) for host, block in launch.grid_sources[k] if numbers.get(host)]
            if sources and self.chance(0.7):
                host, block = self.pick(sources)
                lines.append(f"%b{n}_{k} = arith.constant {block} : i64")
                lines.append(f"%g{n}_{k} = arith.ceildivsi {numbers[host]}, %b{n}_{k} : i64")
            elif self.chance(0.4):
                self.scalar_arguments[f"g{n}_{k}"] = (S64, size)
            else:
                lines.append(f"%g{n}_{k} = arith.constant {size} : i64")
        return operands

    # ---- The case ------------------------------------------------------------------------------------------------------

    def layout(self, array, aligned):
        """Strides and offset in elements, and how many the memory holds. `aligned`: accesses of 16 bytes are possible."""
        dims = [host.value for host in array.dims]
        unit = max(1, 16 // array.element.bytes)
        order = list(range(len(dims)))
        is_packed = array.element.bits == 4
        if is_packed:  # Rows take whole bytes.
            unit = 32 if aligned else 2
        kind = "rows" if aligned or is_packed else self.weighted(dense=4, rows=1, padded=1.5, spread=1, permuted=1.5, shifted=1, repeated=0.5)
        if kind == "permuted":
            self.random.shuffle(order)
        strides, step = [0] * len(dims), 2 if kind == "spread" else 1
        for n, i in enumerate(reversed(order)):
            strides[i] = step
            step *= max(1, dims[i])
            if n == 0 and kind == "rows":
                step = -(-step // unit) * unit
            elif kind == "padded":
                step += self.random.randint(0, 3)
        if kind == "repeated" and array.accesses == "in" and dims:
            strides[self.random.randrange(len(dims))] = 0
        offset = self.random.randint(1, 5) if kind == "shifted" else 0
        size = offset + 1 + sum((dim - 1) * stride for dim, stride in zip(dims, strides)) if 0 not in dims else offset
        return {"strides": strides, "offset": offset, "size": size}

    def description(self, arguments, scalars, results):
        return {
            "name": self.name,
            "units": self.units,
            "arrays": [{"type": a.element.name, "dims": [host.value for host in a.dims], "access": a.accesses, "tame": a.is_tame,
                        **a.layout} for a in arguments],
            "scalars": [{"type": e.name, "value": repr(value)} for _, e, value in scalars],
            "results": [{"type": a.element.name, "dims": [host.value for host in a.dims]} for a in results],
        }


def affordable(seed, name, is_small):
    """A program whose arrays fit into little memory: most do."""
    while True:
        program = Program(seed, name, is_small)
        text = program.write()
        if all(a.layout["size"] <= MOST_MEMORY for a in program.arrays if a.layout):
            return text
        seed += "+"


def generate(seed, count, first=0, as_driver=False):
    """One module with `count` entries. An entry depends on the seed and its number alone. What is called s... is to be
    cut into small sub-tiles: there are many of them then where there is little to compute. With `as_driver` none is."""
    parts = ["// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n// Random programs: seed %d.\n" % seed]
    for i in range(first, first + count):
        is_small = i % 6 != 0
        name = f"{'s' if is_small and not as_driver else 'p'}{seed}_{i}"
        parts.append(affordable(f"{seed}/{i}", name, is_small))
    return "\n".join(parts)
