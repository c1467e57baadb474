# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a program that fails smaller. Every step leaves a sound program: extents still meet, sums are still exact."""
import json
import re

from .cases import CASE

HEAD = re.compile(r"^\s*(?:%(\w+):\d+ = )?scf\.(if|for|while)\b.*\{$")
DEFINES = re.compile(r"^\s*(%\w+)(?::\d+)? = (?!scf\.|.*\{$)")
# Ops whose operands of the result's type have its extents, and are as tame.
ALIKE = re.compile(r"^\s*(%\w+) = tile\.(\w+) (%.*) : (.*)$")
UNLIKE = {"dot", "permute", "subtile", "broadcast", "slice", "bit_and", "transpose", "load", "reduce", "extract", "full", "dim"}


def ends(lines, start):
    """Where the regions of the op at `start` end: the lines `} else {` and `}`."""
    indent = len(lines[start]) - len(lines[start].lstrip())
    marks = []
    for i in range(start + 1, len(lines)):
        if lines[i].startswith(" " * indent + "}"):
            marks.append(i)
            if not lines[i].endswith("{"):
                return marks
    raise ValueError("no end")


def is_root(line):
    return "tile.store" in line or "tile.atomic" in line


def without_unused(lines):
    """Drops what nobody uses."""
    while True:
        text = "\n".join(lines)
        uses = {}
        for name in re.findall(r"%\w+", text):
            uses[name] = uses.get(name, 0) + 1
        kept, i = [], 0
        while i < len(lines):
            define, head = DEFINES.match(lines[i]), HEAD.match(lines[i])
            last = ends(lines, i)[-1] if head else i
            stores = any(is_root(line) for line in lines[i:last])
            is_used = head and head.group(1) and uses["%" + head.group(1)] > 1
            if (head and not stores and not is_used) or (define and uses[define.group(1)] == 1 and "tile.empty" not in lines[i]):
                i = last + 1
            else:
                kept.append(lines[i])
                i += 1
        if len(kept) == len(lines):
            return lines
        lines = kept


def renamed(lines, names):
    def name_of(match):
        return names.get(match.group(0), match.group(0))

    return [re.sub(r"%\w+#\d+|%\w+", name_of, line) for line in lines]


def yielded(line):
    return re.findall(r"%\w+(?:#\d+)?", line.split(" : ")[0])


def inlined(lines, start):
    """One side of a branch instead of it; a loop's body once, or none of it."""
    head, marks = HEAD.match(lines[start]), ends(lines, start)
    result, kind = head.group(1), head.group(2)
    if kind == "while":
        return
    regions = [lines[a + 1:b] for a, b in zip([start] + marks, marks)]
    before, after = lines[:start], lines[marks[-1] + 1:]
    inits = re.findall(r"(%\w+) = (%\w+(?:#\d+)?)", lines[start].split("iter_args")[1]) if "iter_args" in lines[start] else []
    if kind == "for":
        none = {f"%{result}#{i}": init for i, (_, init) in enumerate(inits)}
        yield before + renamed(after, none)
        index = re.match(r".*scf\.for (%\w+) =", lines[start]).group(1)
        regions = [[f"    {index} = arith.constant 0 : i64"] + renamed(regions[0], dict(inits))]
    for region in regions:
        if not result:
            yield before + region + after
        elif region[-1].strip().startswith("scf.yield"):
            names = {f"%{result}#{i}": name for i, name in enumerate(yielded(region[-1]))}
            yield before + region[:-1] + renamed(after, names)


def smaller(lines):
    """Programs that are one step smaller."""
    for i, line in enumerate(lines):
        if is_root(line) and sum(map(is_root, lines)) > 1:
            yield lines[:i] + lines[i + 1:]
    for i, line in enumerate(lines):
        if HEAD.match(line):
            yield from inlined(lines, i)
        match = ALIKE.match(line)
        if match and match.group(2) not in UNLIKE:
            result, types = match.group(1), match.group(4)
            operands = re.findall(r"%\w+(?:#\d+)?", match.group(3))
            if match.group(2) == "where":
                operands = operands[1:]
            elif " -> " in types:
                continue
            for operand in dict.fromkeys(operands):
                yield lines[:i] + renamed(lines[i + 1:], {result: operand})


def kind_of(message):
    return " ".join(message.split()[:1])


def shrink(entry, run, rounds=40, at_once=24):
    """`run` gives what fails of a batch: name -> message. Variants of the entry are tried many at a time."""
    description, text = entry
    name = description["name"]
    found = run([entry])
    if name not in found:
        return text
    kind, lines = kind_of(found[name]), text.splitlines()
    start = 0
    for _ in range(rounds):
        candidates = [without_unused(c) for c in smaller(lines)]
        candidates = sorted(candidates, key=len)
        batch = candidates[start:start + at_once]
        if not batch:
            break
        entries = []
        for i, candidate in enumerate(batch):
            variant = dict(description, name=f"{name}__{i}")
            body = re.sub(rf"\b{name}\b|\b{name}(?=_\d+\")", variant["name"], "\n".join(candidate[1:]))
            entries.append((variant, CASE + json.dumps(variant) + "\n" + body + "\n"))
        failed = run(entries)
        best = next((c for i, c in enumerate(batch) if f"{name}__{i}" in failed and kind_of(failed[f"{name}__{i}"]) == kind), None)
        if best:
            lines, start = best, 0
        else:
            start += at_once
    return "\n".join(lines) + "\n"
