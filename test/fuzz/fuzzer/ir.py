# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What random programs are made of: element types, scalars with known ranges, extents, tiles, and the text around them."""
import struct
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Element:
    name: str  # in the language: "u8"
    tile: str  # in a tile's type: "ui8"
    scalar: str  # as a scalar: "i8"
    cpp: str
    kind: str  # "bool", "signed", "unsigned" or "float"
    bits: int

    @property
    def bytes(self):
        return max(1, self.bits // 8)

    @property
    def least(self):
        """Of an integer or a bool."""
        return -(1 << (self.bits - 1)) if self.kind == "signed" else 0

    @property
    def greatest(self):
        return (1 << (self.bits - (self.kind == "signed"))) - 1

    def constant(self, value):
        """The literal of arith.constant; floats by their bits."""
        if self.kind == "bool":
            return "true" if value else "false"
        if self.kind != "float":
            value &= (1 << self.bits) - 1
            return str(value - (1 << self.bits) if value >> (self.bits - 1) else value)
        return f"0x{float_bits(value, self):0{self.bits // 4}X}"


def float_bits(value, element):
    if element.name == "bf16":
        return struct.unpack("<I", struct.pack("<f", value))[0] >> 16
    code, integer = {"f16": "eH", "f32": "fI", "f64": "dQ"}[element.name]
    return struct.unpack("<" + integer, struct.pack("<" + code, value))[0]


ELEMENTS = {
    e.name: e
    for e in [
        Element("bool", "i1", "i1", "bool", "bool", 1),
        *[Element(f"s{n}", f"i{n}", f"i{n}", f"std::int{n}_t", "signed", n) for n in (8, 16, 32, 64)],
        *[Element(f"u{n}", f"ui{n}", f"i{n}", f"std::uint{n}_t", "unsigned", n) for n in (8, 16, 32, 64)],
        Element("f16", "f16", "f16", "tegula::f16", "float", 16),
        Element("bf16", "bf16", "bf16", "tegula::bf16", "float", 16),
        Element("f32", "f32", "f32", "float", "float", 32),
        Element("f64", "f64", "f64", "double", "float", 64),
    ]
}
# What arrays hold and nothing computes with: it is converted. Elements of 4 bits are packed, two to a byte.
STORED = {
    name: Element(name, spelled, spelled, f"tegula::{name}", "stored", bits)
    for name, spelled, bits in [("e4m3", "f8E4M3FN", 8), ("e5m2", "f8E5M2", 8), ("e8m0", "!tile.stored<e8m0>", 8),
                                ("s4", "!tile.stored<s4>", 4), ("u4", "!tile.stored<u4>", 4), ("e2m1", "!tile.stored<e2m1>", 4)]
}
BOOL, S32, S64 = ELEMENTS["bool"], ELEMENTS["s32"], ELEMENTS["s64"]
# The integers up to this are floats of the type, and so are their sums while those are as small.
EXACT = {"f16": 1 << 11, "bf16": 1 << 8, "f32": 1 << 24, "f64": 1 << 53}


@dataclass(eq=False)
class Scalar:
    """A scalar in scope. `low` and `high` bound it in every program, where they are known. `recipe` computes it."""

    name: str
    element: Element
    low: int = None
    high: int = None
    recipe: tuple = None


@dataclass(eq=False)
class HostDim:
    """One number on the host: the dims that have it are compared by tile.check, or made from it."""

    value: int
    constant: bool = False  # compared with the number itself
    scalar: str = None  # compared with a scalar argument
    members: list = field(default_factory=list)  # (array, dim)


@dataclass(eq=False)
class Axis:
    """The extent of a tile along a dimension. Two tiles fit together where they have the same Axis.

    whole:  all of a dimension of `host`.
    window: `size` elements (an int, or a Scalar) from `start` of `parent`, every `step`-th if there is one, cut off at its end.
    exact:  `size` elements which are all there.
    """

    kind: str
    least: int
    most: int
    host: HostDim = None
    parent: "Axis" = None
    start: Scalar = None
    size: object = None
    step: Scalar = None

    @property
    def bound(self):
        return self.size if isinstance(self.size, int) else None

    @property
    def is_static(self):
        return self.bound is not None

    @property
    def ref(self):
        """How a ref's type spells it."""
        if self.bound is None:
            return "?"
        return f"{self.bound}" if self.kind == "exact" else f"{self.bound}?"

    @property
    def tile(self):
        return "?" if self.bound is None else str(self.bound)

    @property
    def root(self):
        axis = self
        while axis.kind == "window":
            axis = axis.parent
        return axis

    def chain(self):
        """The windows from the array's dimension inwards."""
        return [] if self.kind != "window" else self.parent.chain() + [self]


ONE = Axis("exact", 1, 1, size=1)


def tile_type(axes, element):
    return "tensor<" + "".join(axis.tile + "x" for axis in axes) + element.tile + ">"


def ref_type(dims, element):
    return f"!tile.ref<{element.tile}, [{', '.join(dims)}]>"


@dataclass(eq=False)
class Tile:
    name: str
    axes: tuple
    element: Element
    # What control flow carries, and what is read from arrays that are written, exists as a thread group's part of one domain.
    pinned: object = None
    # Run-time dimensions that take the extent of what the tile is combined with.
    open: frozenset = frozenset()
    # Of floats: all are integers of at most this magnitude, and none is -0. Their sums are the same in any order.
    tame: int = None

    @property
    def type(self):
        return tile_type(self.axes, self.element)


@dataclass(eq=False)
class Array:
    name: str  # in the entry
    inside: str  # in the launch
    element: Element
    dims: list  # of HostDim
    is_read: bool = False
    is_written: bool = False
    is_filled: bool = False  # the launch stores to all of it
    is_result: bool = False
    is_tame: bool = False  # of small integers
    order: tuple = None  # the launch sees it transposed: its dimension i is this one of the array
    earlier: list = field(default_factory=list)  # what the launches that are written do with it
    layout: dict = None

    @property
    def access(self):
        """What the launch that is being written does with it."""
        return ("inout" if self.is_read else "out") if self.is_written else "in"

    @property
    def accesses(self):
        """What all launches together do with it."""
        kinds = set(self.earlier)
        return kinds.pop() if len(kinds) == 1 else "inout"

    @property
    def type(self):
        const = ", const" if self.accesses == "in" else ""
        return f"!tile.array<{self.element.tile}, {len(self.dims)}{const}>"

    @property
    def ref(self):
        return ref_type(["?"] * len(self.dims), self.element)


@dataclass(eq=False)
class Place:
    """A place of an array at tiles of indices."""

    ref: str
    type: str
    indices: str  # with their types
    dims: list  # the dimensions of the ref that have them
    position: int  # of their axes among those of an access


@dataclass(eq=False)
class Domain:
    """A shape that programs write, and how each keeps to its own part: per axis where its window starts."""

    axes: tuple
    element: Element
    slices: list  # per dimension of a root's array: ("axis", Axis, start or None) or ("element", Scalar, HostDim)
    roots: list = field(default_factory=list)  # (array, name of the ref)
    covers: bool = False
    # Of run-time extents a thread group has a part at a time: what it carries round a loop, or what is made of all of a row.
    carries: bool = True
    most: int = 0  # elements that a thread group holds

    @property
    def is_small(self):
        """One thread group has all of it."""
        elements = 1
        for axis in self.axes:
            elements *= 1 << (axis.bound - 1).bit_length() if axis.is_static else 1 << 20
        return elements <= self.most


class Scope:
    def __init__(self):
        self.scalars, self.tiles, self.domains, self.memo = [], [], [], {}


class Text:
    """Lines of a region, and the values that are visible in it."""

    def __init__(self):
        self.lines, self.scopes, self.count = [], [Scope()], 0

    def fresh(self, stem="v"):
        self.count += 1
        return f"%{stem}{self.count}"

    def line(self, text):
        self.lines.append("  " * (len(self.scopes) + 1) + text)

    def open(self, text):
        self.line(text)
        self.scopes.append(Scope())

    def reopen(self, text):
        self.scopes.pop()
        self.open(text)

    def close(self, text="}"):
        self.scopes.pop()
        self.line(text)

    @property
    def scope(self):
        return self.scopes[-1]

    def visible(self, what):
        return [value for scope in self.scopes for value in getattr(scope, what)]

    def memo(self, key):
        for scope in self.scopes:
            if key in scope.memo:
                return scope.memo[key]
        return None
