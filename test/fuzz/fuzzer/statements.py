# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements of the bodies of model programs: their text, what they do.

A variable keeps its extents: what is assigned conforms to them, or is broadcast. What a loop carries, and what a branch
assigns, has one extent, also where nothing is assigned: `joins` are variables that are made of fewer elements there.
"""
import numpy

from . import model
from .model import extent_of, fit


def text(body, depth):
    return [line for statement in body for line in statement.lines(depth)]


def run(body, point):
    for statement in body:
        statement.run(point)


def cut(joins, point):
    """Variables that have the extents from here on."""
    for name, dims in joins:
        value = point.variables[name]
        point.variables[name] = value[tuple(slice(0, extent_of(dim, point.extents)) for dim in dims)]


class Let:
    def __init__(self, name, node, is_mutable):
        self.name, self.node, self.is_mutable = name, node, is_mutable

    def lines(self, depth):
        return [f"{'  ' * depth}{'auto' if self.is_mutable else 'const auto'} {self.name} = {self.node.text()};"]

    def run(self, point):
        point.variables[self.name] = self.node.value(point)


class Assign:
    """`dims` are those of the variable afterwards; `operator` is empty, or that of +=."""

    def __init__(self, name, dims, node, operator=""):
        self.name, self.dims, self.node, self.operator = name, dims, node, operator

    def lines(self, depth):
        return [f"{'  ' * depth}{self.name} {self.operator}= {self.node.text()};"]

    def run(self, point):
        value = fit(self.node.value(point), self.node.dims, self.dims, point)
        if self.operator:
            before = fit(point.variables[self.name], self.dims, self.dims, point)
            with numpy.errstate(all="ignore"):
                value = model.BINARY[self.operator](before, value).astype(before.dtype)
        point.variables[self.name] = value


class Store:
    """To parts of a block: "all", "[]", "at" a number, or from 0 as many as a whole tile has."""

    def __init__(self, block, form, node, at=None, mask=None):
        self.block, self.form, self.node, self.at, self.mask = block, form, node, at, mask

    def place(self):
        if self.form == "front":
            parts = [f"tg::ds<{dim.size}>(0)" if dim.size != model.ANY else f"tg::ds(0, {dim.symbol[1]})" for dim in self.node.dims]
            return f"{self.block}[{', '.join(parts)}]"
        return self.block + {"all": "[tg::all]", "[]": "[]", "at": f"[{self.at}]"}[self.form]

    def lines(self, depth):
        if self.mask is not None:
            return [f"{'  ' * depth}tg::store({self.block}, {self.node.text()}, {self.mask.text()});"]
        return [f"{'  ' * depth}{self.place()} = {self.node.text()};"]

    def run(self, point):
        block, value = point.blocks[self.block], self.node.value(point)
        if self.form == "at":
            block = block[self.at:self.at + 1]
        elif self.form == "front":
            block = block[tuple(slice(0, n) for n in value.shape)]
        if self.mask is None and not value.ndim:
            block[...] = value
            return
        # A whole tile at an edge leaves what is inside.
        offset = block.ndim - value.ndim
        inside = tuple(slice(None) if n == 1 else slice(0, block.shape[offset + i]) for i, n in enumerate(value.shape))
        value = numpy.broadcast_to(value[inside], block.shape)
        if self.mask is None:
            block[...] = value
            return
        mask = self.mask.value(point)
        offset = block.ndim - mask.ndim
        mask = numpy.broadcast_to(mask[tuple(slice(0, block.shape[offset + i]) if n != 1 else slice(None) for i, n in enumerate(mask.shape))],
                                  block.shape)
        block[mask] = value[mask]


class If:
    def __init__(self, condition, then, other, joins):
        self.condition, self.then, self.other, self.joins = condition, then, other, joins

    def lines(self, depth):
        pad = "  " * depth
        lines = [f"{pad}if ({self.condition.text()}) {{", *text(self.then, depth + 1)]
        if self.other:
            lines += [pad + "} else {", *text(self.other, depth + 1)]
        return lines + [pad + "}"]

    def run(self, point):
        inner = self.then if bool(self.condition.value(point)) else self.other
        before = set(point.variables)
        run(inner, point)
        for name in set(point.variables) - before:
            del point.variables[name]
        cut(self.joins, point)


class For:
    """`count` steps, a node, of a counter; `is_static`: tg::static_for, of a constant."""

    def __init__(self, counter, count, body, joins, is_static=False):
        self.counter, self.count, self.body, self.joins, self.is_static = counter, count, body, joins, is_static

    def lines(self, depth):
        pad = "  " * depth
        if self.is_static:
            return [f"{pad}tg::static_for<{self.count.text()}>([&](auto {self.counter}) {{", *text(self.body, depth + 1), pad + "});"]
        return [f"{pad}for (int {self.counter} = 0; {self.counter} < {self.count.text()}; ++{self.counter}) {{", *text(self.body, depth + 1), pad + "}"]

    def run(self, point):
        cut(self.joins, point)
        for i in range(int(self.count.value(point))):
            before = set(point.variables)
            point.scalars[self.counter] = i
            run(self.body, point)
            for name in set(point.variables) - before:
                del point.variables[name]
