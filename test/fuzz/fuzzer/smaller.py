# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a program of models.py smaller that goes wrong. Every step leaves a sound program, whose results the model says anew."""
import copy
import re

from . import known, statements
from .statements import Assign, For, If, Let, Store

MOST_ROUNDS, AT_ONCE = 20, 40


def bodies(body):
    """All lists of statements, the inner ones first."""
    for statement in body:
        for inner in ("then", "other", "body"):
            yield from bodies(getattr(statement, inner, ()) or ())
    yield body


def edits(program):
    """What would make the program smaller, each a function that does it."""
    first = {}
    for body in bodies(program.body):
        for statement in body:
            if isinstance(statement, Let):
                first[statement.name] = statement.node.dims
    everything = "\n".join(statements.text(program.body, 0))
    found = []
    for body in bodies(program.body):
        for i, statement in enumerate(body):
            found += of_statement(body, i, statement, first, everything)
    for body in bodies(program.body):
        for statement in body:
            for at in ("node", "mask", "condition"):
                node = getattr(statement, at, None)
                if node is not None:
                    found += of_node(lambda new, s=statement, at=at: setattr(s, at, new), node)
    return found


def of_statement(body, i, statement, first, everything):
    def replace(by):
        def do():
            body[i:i + 1] = by
        return do
    if isinstance(statement, Store):
        return [replace([])]
    if isinstance(statement, Let):
        uses = len(re.findall(rf"\b{statement.name}\b", everything))
        return [replace([])] if uses == 1 else []
    if isinstance(statement, Assign):
        return [replace([])] if first.get(statement.name) == statement.dims else []
    keeps = not statement.joins
    if isinstance(statement, If):
        return [replace(part) for part in ([], statement.then, statement.other) if keeps and not any(isinstance(s, Let) for s in part)]
    uses = len(re.findall(rf"\b{statement.counter}\b", "\n".join(statements.text(statement.body, 0))))
    return [replace([])] * keeps + ([replace(statement.body)] if keeps and not uses else [])


def of_node(put, node):
    found = []
    for kid in node.kids:
        if kid.element == node.element and kid.dims == node.dims:
            found.append(lambda kid=kid: put(kid))
    for i, kid in enumerate(node.kids):
        def put_kid(new, i=i):
            node.kids[i] = new
        found += of_node(put_kid, kid)
    return found


def tidy(program):
    """Without arrays and parameters that nobody uses."""
    text = "\n".join(statements.text(program.body, 0))
    for array in list(program.arrays):
        rest = [other for other in program.arrays if other is not array]
        is_seen = all(any(axis in other.axes for other in rest) for axis in program.grid)
        if is_seen and not re.search(rf"\b{array.name}\b", text):
            program.arrays.remove(array)
    for name in list(program.parameters):
        if not re.search(rf"\b{name}\b", text):
            del program.parameters[name]


def candidates(program, name):
    for k in range(len(edits(program))):
        smaller = copy.deepcopy(program)
        edits(smaller)[k]()
        tidy(smaller)
        smaller.name = f"{name}_{k}"
        if not any(isinstance(s, Store) for body in bodies(smaller.body) for s in body):
            continue
        try:
            yield known.Case(smaller)
        except Exception:  # What is left is not sound: a variable that is not there.
            continue


def shrink(program, fails):
    """The smallest case that is found; `fails` runs a list of cases and gives the names of those that still fail."""
    best, name = known.Case(program), program.name
    for _ in range(MOST_ROUNDS):
        smaller = sorted(candidates(best.program, name), key=lambda case: len(case.text))
        chosen = None
        for start in range(0, len(smaller), AT_ONCE):
            batch = smaller[start:start + AT_ONCE]
            failed = fails(batch)
            chosen = next((case for case in batch if case.name in failed), None)
            if chosen:
                break
        if chosen is None:
            break
        best = chosen
    best.program.name = name
    return known.Case(best.program)
