# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails unless all that pages name exists: named_in_pages.py ROOT [PAGE...]"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "cmake"))
import reference  # noqa: E402


def names_of(headers):
    """What is declared, with the enumerators of enumerations."""
    names = set()
    for header in headers:
        for d in reference.declarations(header):
            names.add(d.name)
            if d.text.startswith("enum class"):
                names |= {f"{d.name}::{value}" for value in re.findall(r"\w+", d.text[d.text.index("{"):])}
            elif d.kind == "type":  # its static members
                for listed in re.findall(r"static (?:(?:const|constexpr) )?\w+ ([\w, ]+)[;(]", d.text):
                    names |= {f"{d.name}::{member}" for member in re.findall(r"\w+", listed)}
            elif d.kind == "constant":  # several may stand in one declaration
                names |= set(re.findall(r"(\w+) =", d.text))
    return names


def fields_of(headers):
    return {field for header in headers for d in reference.declarations(header) if d.kind == "type"
            for field in re.findall(r"(\w+)(?: = [^;]*|\[\w+\][^;]*)?;", d.text)}


language, host = names_of(reference.public_headers()), names_of(reference.RUNTIME)
fields = fields_of(reference.public_headers())
readme = (root / "README.md").read_text()


def is_declared(name, names):
    """tg::precision::tf32, tg::random::key, tegula::device::gpu: a declaration, or a member of one."""
    return name in names or "::" in name and name.split("::")[0] in host & names


def complaints_of(page, seen):
    test = root / "test/pages" / f"{page.stem}_test.cpp"
    calls = test.read_text() if test.exists() else ""
    for number, line in enumerate(page.read_text().split("\n"), 1):
        where = f"{page.name}:{number}"
        for name in re.findall(r"\btg::(\w+(?:::\w+)*)", line):
            seen.add(name)
            if not is_declared(name, language):
                yield f"{where}: tg::{name} is not declared in include/tegula/language/"
        for name in re.findall(r"\btegula::(\w+(?:::\w+)*)", line):
            seen.add(name)
            if not is_declared(name, host):
                yield f"{where}: tegula::{name} is not declared in the host library's headers"
        for field in re.findall(r"(?:[{(,`]|^)\s*\.(\w+)(?: =|`)", line):
            if field not in fields:
                yield f"{where}: no struct of the language has a field .{field}"
        for target in re.findall(r"\[[^]]+\]\(([\w./-]+)(?:#[\w-]+)?\)", line):
            if not (root / "samples" / target).exists():
                yield f"{where}: there is no file {target}"
        if line.startswith("TEGULA_KERNEL"):
            entry = re.search(r"(\w+)\(", line)[1]
        elif line.startswith("TEGULA_INSTANTIATE"):
            entry = re.search(r'"(\w+)"', line)[1]
        else:
            continue
        if not re.search(rf"\b{entry}\b", calls) and not is_template(page, number):
            yield f"{where}: {test.name} does not call {entry}"
    if f"samples/{page.name}" not in readme:
        yield f"{page.name}: README.md does not link it"


def is_template(page, number):
    return page.read_text().split("\n")[number - 2].startswith("template")


pages = [pathlib.Path(argument) for argument in sys.argv[2:]] or sorted((root / "samples").glob("*.md"))
seen = set()
complaints = [complaint for page in pages for complaint in complaints_of(page, seen)]
print(*complaints, f"{len(pages)} pages, {len(seen)} names, {len(complaints)} complaints", sep="\n")
sys.exit(bool(complaints))
