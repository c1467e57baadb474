# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an expression of the language means, in numpy: written from the language's headers, and from nothing that tegulac does.

A tile's type says its sizes; how much is there is its extents. A dimension has one of three kinds of extent:

  told      that of a block, of an array or of a scalar: a symbol, of which each program has its own value
  whole     all of the size, as what is loaded with a mask has
  made      of tiles out of nothing (making.h): all of the size when alone, and the extent of what it is combined with

Two told extents meet where their symbols are the same. Of made tiles, what takes elements one by one and what scans forward
is made, too: as much of it as is wanted is the same whenever it is cut. What takes elements from the end, in another order
or in another number is whole.
"""
import itertools
from dataclasses import dataclass

import numpy

ANY = -1  # a size that is known at run time

DTYPES = {"s32": numpy.int32, "s64": numpy.int64, "s16": numpy.int16, "u8": numpy.uint8, "u32": numpy.uint32, "f32": numpy.float32,
          "bool": numpy.bool_}
SPELLED = {"s32": "int", "s64": "tg::s64", "s16": "tg::s16", "u8": "tg::u8", "u32": "tg::u32", "f32": "float", "bool": "bool"}


def is_float(element):
    return element == "f32"


def limits(element):
    """The lowest and the highest value."""
    if is_float(element):
        return -numpy.inf, numpy.inf
    return numpy.iinfo(DTYPES[element]).min, numpy.iinfo(DTYPES[element]).max


def literal(element, value):
    if element == "bool":
        return "true" if value else "false"
    return f"{float(value)!r}f" if is_float(element) else str(value)


# ---- Extents ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Dim:
    size: int
    symbol: tuple = None  # None: made


def whole(size):
    return Dim(size, ("whole", size))


def is_one(dim):
    return dim.size == 1


def extent(symbol, extents):
    """Of a symbol, where those of blocks, arrays and scalars are given."""
    kind = symbol[0]
    if kind == "whole":
        return symbol[1]
    if kind == "add":
        return extent(symbol[1], extents) + symbol[2]
    if kind == "times":
        return extent(symbol[1], extents) * symbol[2]
    if kind == "both":
        return extent(symbol[1], extents) + extent(symbol[2], extents)
    if kind == "part":
        return max(0, min(symbol[3], extent(symbol[1], extents) - symbol[2]))
    return extents[symbol]


def extent_of(dim, extents):
    return dim.size if dim.symbol is None else extent(dim.symbol, extents)


def join(a, b):
    """The dimension of two that are combined; None if they cannot be."""
    if is_one(a) or is_one(b):
        return b if is_one(a) else a
    if a.symbol is None or b.symbol is None:
        made, other = (a, b) if a.symbol is None else (b, a)
        if other.size != made.size and other.symbol != ("whole", made.size):
            return None
        return Dim(made.size, other.symbol)
    if a.symbol != b.symbol:
        return None
    return a if b.size == ANY else b


def broadcast(a, b):
    """Aligned at the last dimension; None if the tiles cannot be combined."""
    rank = max(len(a), len(b))
    padded = [(whole(1),) * (rank - len(dims)) + tuple(dims) for dims in (a, b)]
    joined = tuple(join(x, y) for x, y in zip(*padded))
    return None if None in joined else joined


def assigned(value, variable):
    """The dimensions of a variable that is assigned a value; None if it cannot be."""
    if len(value) > len(variable):
        return None
    behind = variable[len(variable) - len(value):]
    if any(is_one(v) and not is_one(d) for d, v in zip(value, behind)):
        return None
    joined = broadcast(value, variable)
    if joined is None:
        return None
    return tuple(Dim(v.size, j.symbol) for v, j in zip(variable, joined))


def fit(value, dims, target, point):
    """As much of a value as what it is combined with has."""
    shape = [extent_of(dim, point.extents) for dim in target]
    offset = len(target) - len(dims)
    cut = tuple(slice(None) if is_one(dim) else slice(0, shape[offset + i]) for i, dim in enumerate(dims))
    return numpy.broadcast_to(value[cut], shape)


# ---- Expressions -----------------------------------------------------------------------------------------------------------


class Node:
    """Of an element type and of dimensions, none of a scalar. `most` bounds magnitudes of floats, which are multiples of
    2^-`bits`; `bits` is None where they are rounded. `cost` counts what is computed for an element, where all is computed anew."""

    most, bits, cost = 0, 0, 1

    def __init__(self, element, dims, *kids, **at):
        self.element, self.dims, self.kids, self.at = element, tuple(dims), list(kids), at
        for kid in kids:
            self.most, self.cost = max(self.most, kid.most), self.cost + kid.cost
            self.bits = None if self.bits is None or kid.bits is None else max(self.bits, kid.bits)

    @property
    def dtype(self):
        return DTYPES[self.element]

    def bounded(self, most, bits):
        self.most, self.bits = most, bits
        return self

    def text(self):
        return self.write(*(kid.text() for kid in self.kids))

    def value(self, point):
        with numpy.errstate(all="ignore"):
            return numpy.asarray(self.compute(point, *(kid.value(point) for kid in self.kids)), dtype=self.dtype)

    def fitted(self, point, values):
        """Of kids that are combined element by element."""
        return [fit(value, kid.dims, self.dims, point) for kid, value in zip(self.kids, values)]

    def shape(self, point):
        return [extent_of(dim, point.extents) for dim in self.dims]


class Variable(Node):
    def write(self):
        return self.at["name"]

    def compute(self, point):
        return point.variables[self.at["name"]]


class Constant(Node):
    def write(self):
        return literal(self.element, self.at["number"])

    def compute(self, point):
        return self.at["number"]


class Scalar(Node):
    """A parameter of the entry, a counter of a loop, the number of a program: any integer with a name."""

    def write(self):
        return self.at["spelled"]

    def compute(self, point):
        return point.scalars[self.at["name"]]


class DimOf(Node):
    """`place` is what has the dimension: a block, or a variable."""

    def write(self):
        text = f"{self.at['place']}.dim({self.at['axis']})"
        return text if self.element == "s64" else f"static_cast<{SPELLED[self.element]}>({text})"

    def compute(self, point):
        return extent_of(self.at["of"], point.extents)


class Load(Node):
    def write(self):
        return self.at["block"] + self.pick("[tg::all]", "[]" if not self.dims else "[tg::all]")

    def pick(self, first, second):
        return first if self.dims else second

    def compute(self, point):
        return point.blocks[self.at["block"]].copy()


class MaskedLoad(Node):
    """The whole block: where the mask, its kid, holds and there are elements; elsewhere another number."""

    def write(self, *mask):
        return f"tg::load({self.at['block']}, {mask[0] if mask else 'true'}, {literal(self.element, self.at['other'])})"

    def compute(self, point, *mask):
        block = point.blocks[self.at["block"]]
        result = numpy.full(self.shape(point), self.at["other"], self.dtype)
        inside = tuple(slice(0, n) for n in block.shape)
        holds = fit(mask[0], self.kids[0].dims, self.dims, point)[inside] if mask else numpy.full(block.shape, True)
        result[inside][holds] = block[holds]
        return result


class Gather(Node):
    """Elements, or rows, of an array of which the program has all."""

    def write(self, index):
        return f"{self.at['block']}[{index}]"

    def compute(self, point, index):
        return point.blocks[self.at["block"]][index]


class Made(Node):
    """full, zeros or iota, of static extents, or of run-time ones: their kids."""

    def write(self, *extents):
        kind, element = self.at["kind"], SPELLED[self.element]
        sizes = "" if extents else "".join(f", {dim.size}" for dim in self.dims)
        number = [literal(self.element, self.at["number"])] if kind == "full" else []
        if kind == "iota" and (len(self.dims) > 1 or self.at.get("long")):
            return f"tg::broadcasted_iota<{element}, {self.at['axis']}{sizes}>({', '.join(extents)})"
        return f"tg::{kind}<{element}{sizes}>({', '.join(number + list(extents))})"

    def compute(self, point, *extents):
        return made(self, self.shape(point))


def made(node, shape):
    if node.at["kind"] != "iota":
        return numpy.full(shape, node.at["number"] if node.at["kind"] == "full" else 0, node.dtype)
    axis = node.at["axis"]
    steps = numpy.arange(shape[axis]).astype(node.dtype).reshape([-1] + [1] * (len(shape) - axis - 1))
    return numpy.broadcast_to(steps, shape)


class Like(Node):
    """The same in the shape of another tile."""

    def write(self, model):
        kind = self.at["kind"]
        if kind == "iota":
            return f"tg::iota_like<{SPELLED[self.element]}, {self.at['axis']}>({model})"
        return f"tg::{kind}_like({model}{', ' + literal(self.element, self.at['number']) if kind == 'full' else ''})"

    def compute(self, point, model):
        return made(self, model.shape)


BINARY = {"+": numpy.add, "-": numpy.subtract, "*": numpy.multiply, "&": numpy.bitwise_and, "|": numpy.bitwise_or, "^": numpy.bitwise_xor,
          "%": numpy.fmod, "<": numpy.less, "<=": numpy.less_equal, ">": numpy.greater, ">=": numpy.greater_equal, "==": numpy.equal,
          "!=": numpy.not_equal, "minimum": numpy.minimum, "maximum": numpy.maximum}


class Binary(Node):
    def write(self, a, b):
        name = self.at["op"]
        return f"tg::{name}({a}, {b})" if name.isalpha() else f"({a} {name} {b})"

    def compute(self, point, a, b):
        a, b = self.fitted(point, (a, b))
        common = DTYPES[next((kid.element for kid in self.kids if kid.dims), self.kids[0].element)]
        return BINARY[self.at["op"]](a.astype(common), b.astype(common))


class Unary(Node):
    def write(self, a):
        return {"-": f"(-{a})", "!": f"(!{a})"}.get(self.at["op"]) or f"tg::{self.at['op']}({a})"

    def compute(self, point, a):
        return {"-": numpy.negative, "!": numpy.logical_not, "abs": numpy.abs, "floor": numpy.floor}[self.at["op"]](a)


class Clamp(Node):
    """Between two scalars."""

    def write(self, a, low, high):
        return f"tg::clamp({a}, {low}, {high})"

    def compute(self, point, a, low, high):
        return numpy.minimum(numpy.maximum(a, low.astype(a.dtype)), high.astype(a.dtype))


class Where(Node):
    def write(self, condition, a, b):
        return f"tg::where({condition}, {a}, {b})"

    def compute(self, point, condition, a, b):
        return numpy.where(*self.fitted(point, (condition, a, b)))


class Cast(Node):
    def write(self, a):
        return f"tg::astype<{SPELLED[self.element]}>({a})"

    def compute(self, point, a):
        return a.astype(self.dtype)


# ---- Reductions and scans --------------------------------------------------------------------------------------------------

# Associative functions of two scalars, and what they leave alone. The last two tell their operands apart.
COMBINERS = {"xor": ("a ^ b", lambda a, b: a ^ b), "or": ("a | b", lambda a, b: a | b), "most": ("a > b ? a : b", lambda a, b: a if a > b else b),
             "last": ("b != 0 ? b : a", lambda a, b: b if b != 0 else a), "first": ("a != 0 ? a : b", lambda a, b: a if a != 0 else b)}


def lambda_of(kind):
    return f"[](auto a, auto b) {{ return {COMBINERS[kind][0]}; }}"


def identity(kind, element):
    """And how it is written."""
    if kind == "most":
        low = limits(element)[0]
        return low, "-tg::inf" if is_float(element) else f"tg::{element}({low + 1} - 1)" if low else f"tg::{element}(0)"
    return 0, f"tg::{element}(0)" if element not in ("s32", "f32") else literal(element, 0)


def combined(kind, values, element):
    """Of a list of scalars."""
    result = DTYPES[element](identity(kind, element)[0])
    for value in values:
        result = COMBINERS[kind][1](result, value)
    return result


class Scan(Node):
    """`axis`, `backward`, and a kind: cumsum, cumprod, cummax, cummin or a combiner."""

    def write(self, a):
        kind, axis, order = self.at["kind"], self.at["axis"], ", tg::reverse" if self.at["backward"] else ""
        if kind in COMBINERS:
            return f"tg::associative_scan<{axis}>({a}, {identity(kind, self.element)[1]}, {lambda_of(kind)}{order})"
        return f"tg::{kind}<{axis}>({a}{order})"

    def compute(self, point, a):
        axis, kind = self.at["axis"] % a.ndim, self.at["kind"]
        ordered = numpy.flip(a, axis) if self.at["backward"] else a
        if kind in COMBINERS:
            def along(row):
                return numpy.array(list(itertools.accumulate(row, COMBINERS[kind][1])), self.dtype)
            result = numpy.apply_along_axis(along, axis, ordered) if a.size else ordered
        elif kind in ("cummax", "cummin"):
            result = {"cummax": numpy.maximum, "cummin": numpy.minimum}[kind].accumulate(ordered, axis) if a.size else ordered
        else:
            result = {"cumsum": numpy.cumsum, "cumprod": numpy.cumprod}[kind](ordered, axis, dtype=self.dtype)
        return numpy.flip(result, axis) if self.at["backward"] else result


class Reduce(Node):
    """`axes`: none for all of them. Kinds: sum, prod, max, min, argmax, argmin, mean, any_of, all_of, or a combiner."""

    def write(self, a):
        kind, axes = self.at["kind"], "".join(f"<{', '.join(map(str, self.at['axes']))}>" if self.at["axes"] else "")
        keep = ", tg::keepdims" if self.at["keep"] else ""
        if kind in COMBINERS:
            return f"tg::reduce{axes}({a}, {identity(kind, self.element)[1]}, {lambda_of(kind)}{keep})"
        return f"tg::{kind}{axes}({a}{keep})"

    def compute(self, point, a):
        axes = [axis % a.ndim for axis in self.at["axes"]] or list(range(a.ndim))
        rest = [axis for axis in range(a.ndim) if axis not in axes]
        rows = a.transpose(rest + axes).reshape([a.shape[axis] for axis in rest] + [-1 if a.size else 0])
        result = self.reduced(rows, self.kids[0].element)
        return result.reshape([1 if i in axes else n for i, n in enumerate(a.shape)]) if self.at["keep"] else result

    def reduced(self, rows, element):
        kind, shape, low_high = self.at["kind"], rows.shape[:-1], limits(element) if element != "bool" else None
        if kind in COMBINERS:
            flat = [combined(kind, row, element) for row in rows.reshape(-1, rows.shape[-1])] if rows.size else []
            return numpy.array(flat or [identity(kind, element)[0]] * int(numpy.prod(shape)), rows.dtype).reshape(shape)
        if kind in ("argmax", "argmin"):
            if rows.shape[-1] == 0:
                return numpy.full(shape, limits(self.element)[1])
            return {"argmax": numpy.argmax, "argmin": numpy.argmin}[kind](rows, -1)
        if kind == "mean":
            return numpy.sum(rows, -1, dtype=numpy.float64).astype(numpy.float32) / numpy.float32(rows.shape[-1])
        if kind in ("sum", "prod"):
            wide = numpy.float64 if is_float(element) else rows.dtype
            return {"sum": numpy.sum, "prod": numpy.prod}[kind](rows, -1, dtype=wide)
        if kind in ("max", "min"):
            if rows.shape[-1] == 0:
                return numpy.full(shape, low_high[kind == "min"])
            return {"max": numpy.max, "min": numpy.min}[kind](rows, -1)
        return {"any_of": numpy.any, "all_of": numpy.all}[kind](rows, -1)


# ---- Other shapes ----------------------------------------------------------------------------------------------------------


class Move(Node):
    """flip, roll by the second kid, sort, argsort, repeat and pad along an axis; transpose; new dimensions of 1."""

    def write(self, a, *more):
        at, kind = self.at, self.at["kind"]
        arguments = {"roll": more, "sort": ["tg::descending"] * at.get("descending", 0), "argsort": ["tg::descending"] * at.get("descending", 0),
                     "pad": [literal(self.element, at.get("number", 0))]}.get(kind, ())
        brackets = {"repeat": f"{at.get('axis')}, {at.get('times')}", "pad": f"{at.get('axis')}, {at.get('before')}, {at.get('behind')}",
                    "tiled": ", ".join(str(at.get("times") if i == at.get("axis") else 1) for i in range(len(self.dims))),
                    "transpose": ", ".join(map(str, at.get("axes", ())))}.get(kind, str(at.get("axis")))
        return f"tg::{kind}<{brackets}>({', '.join([a, *arguments])})"

    def compute(self, point, a, *more):
        at, kind = self.at, self.at["kind"]
        if kind == "transpose":
            return a.transpose(at["axes"])
        if kind == "expand_dims":
            return numpy.expand_dims(a, at["axis"])
        axis = at["axis"] % a.ndim
        if kind == "flip":
            return numpy.flip(a, axis)
        if kind == "roll":
            return numpy.roll(a, int(more[0]), axis)
        if kind in ("sort", "argsort"):
            key = a.astype(numpy.float64 if is_float(self.kids[0].element) else numpy.int64)
            order = numpy.argsort(-key if at["descending"] else key, axis, kind="stable")
            return order if kind == "argsort" else numpy.take_along_axis(a, order, axis)
        if kind == "repeat":
            return numpy.repeat(a, at["times"], axis)
        if kind == "tiled":
            return numpy.tile(a, [at["times"] if i == axis else 1 for i in range(a.ndim)])
        return numpy.pad(a, [(at["before"], at["behind"]) if i == axis else (0, 0) for i in range(a.ndim)], constant_values=at["number"])


class Index(Node):
    """In brackets: an entry for each dimension, "all", "newaxis", ("at", number) or ("ds", size, start)."""

    def write(self, a):
        spelled = {"all": lambda: "tg::all", "newaxis": lambda: "tg::newaxis"}
        parts = [spelled[part]() if isinstance(part, str) else str(part[1]) if part[0] == "at" else f"tg::ds<{part[1]}>({part[2]})"
                 for part in self.at["parts"]]
        return f"{a}[{', '.join(parts)}]"

    def compute(self, point, a):
        return a[tuple({"all": slice(None), "newaxis": None}[part] if isinstance(part, str) else part[1] if part[0] == "at"
                       else slice(part[2], part[2] + part[1]) for part in self.at["parts"])]


class Concatenate(Node):
    def write(self, *kids):
        return f"tg::concatenate<{self.at['axis']}>({', '.join(kids)})"

    def compute(self, point, *kids):
        axis, parts = self.at["axis"], []
        for kid, value in zip(self.kids, kids):
            target = [kid.dims[i] if i == axis else dim for i, dim in enumerate(self.dims)]
            parts.append(fit(value, kid.dims, target, point))
        return numpy.concatenate(parts, axis)


class Take(Node):
    """take<axis>(x, indices)."""

    def write(self, a, indices):
        return f"tg::take<{self.at['axis']}>({a}, {indices})"

    def compute(self, point, a, indices):
        return numpy.take(a, indices, self.at["axis"])


class TakeAlong(Node):
    def write(self, a, indices):
        return f"tg::take_along_axis<{self.at['axis']}>({a}, {indices})"

    def compute(self, point, a, indices):
        return numpy.take_along_axis(a, indices.astype(numpy.int64), self.at["axis"])


class Reshape(Node):
    def write(self, a):
        return f"tg::reshape<{', '.join(str(dim.size) for dim in self.dims)}>({a})"

    def compute(self, point, a):
        return a.reshape([dim.size for dim in self.dims])


class BroadcastTo(Node):
    """To static extents, or to run-time ones: kids behind the tile."""

    def write(self, a, *extents):
        sizes = "" if extents else f"<{', '.join(str(dim.size) for dim in self.dims)}>"
        return f"tg::broadcast_to{sizes}({', '.join([a, *extents])})"

    def compute(self, point, a, *extents):
        return fit(a, self.kids[0].dims, self.dims, point)


class Dot(Node):
    def write(self, a, b):
        return f"tg::dot({a}, {b})"

    def compute(self, point, a, b):
        # Made tiles have as much of the depth as the other factor has.
        depth = min(a.shape[1], b.shape[0])
        wide = numpy.float64 if is_float(self.element) else self.dtype
        return numpy.matmul(a[:, :depth].astype(wide), b[:depth].astype(wide))
