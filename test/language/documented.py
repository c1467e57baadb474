# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails unless the language's public headers say of all that they declare what it does and what it costs: documented.py ROOT [HEADER...]"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "cmake"))
import reference  # noqa: E402


def tells_cost(lines):
    return any(re.match(r"\s*Cost: \w", line) for line in lines)


def is_named(name, comment):
    """Operators by their symbols; functions of a family by a word of it, as in atomic_and, or, xor."""
    word = name.removeprefix("operator").split("::")[-1].strip()
    pattern = rf"\b{re.escape(word)}\b" if word.isidentifier() else re.escape(word)
    return re.search(pattern, "\n".join(comment)) is not None


def complaints_of(header):
    costs = tells_cost(reference.description(header.read_text()))
    previous = None
    for d in reference.declarations(header):
        where = f"{header.name}:{d.line}: {d.name}"
        is_function = d.kind == "function"
        if not d.comment and (is_function or d.kind == "type" and not d.text.startswith("using")):
            yield f"{where} has no comment"
        elif is_function:
            if not d.is_own and d.name != previous and not is_named(d.name, d.comment):
                yield f"{where} shares the comment of {previous}, which does not name it: name it there, or write another comment"
            if not costs and not tells_cost(d.comment):
                yield f"{where} has no line `Cost: ...`, nor has its header's comment"
        for member in d.members:
            # Constructors and conversions are what their type is.
            if member.kind != "function" or member.name in (d.name, f"~{d.name}") or re.match(r"operator \w", member.name):
                continue
            where = f"{header.name}:{member.line}: {d.name}::{member.name}"
            if not member.comment:
                yield f"{where} has no comment"
            elif not costs and not tells_cost(member.comment) and not tells_cost(d.comment):
                yield f"{where} has no line `Cost: ...`, nor has its type's comment"
        previous = d.name
    if not any(header.name in headers for _, headers, _ in reference.groups()):
        yield f'{header.name}: is missing in include/tegula/README.md\'s table'


headers = [pathlib.Path(argument) for argument in sys.argv[2:]] or reference.public_headers()
complaints = [complaint for header in headers for complaint in complaints_of(header)]
count = sum(len({d.name for d in reference.declarations(header) if d.kind == "function"}) for header in headers)
print(*complaints, f"{count} functions, {len(complaints)} complaints", sep="\n")
sys.exit(bool(complaints))
