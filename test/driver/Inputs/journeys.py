# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the table of journeys in compiler/README.md with the sources: journeys.py ROOT"""
import os
import re
import sys

ROOMS = ("compiler", "include", "runtime")
SOURCES = (".cpp", ".h", ".td", ".def", ".cmake", ".txt")


def sources(root):
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, room)):
            for name in names:
                if name.endswith(SOURCES):
                    path = os.path.join(folder, name)
                    with open(path, encoding="utf-8") as file:
                        yield os.path.relpath(path, root), file.read()


def main(root):
    with open(os.path.join(root, "compiler", "README.md"), encoding="utf-8") as file:
        section = file.read().split("## Journeys")[1].split("\n## ")[0]
    texts = dict(sources(root))
    count = differ = 0
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 4 or not cells[2].isdigit():
            continue
        count += 1
        words, named = re.findall("`([^`]+)`", cells[1]), set(re.findall("`([^`]+)`", cells[3]))
        pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, words)) + r")\b")
        touched = {path for path, text in texts.items() if pattern.search(text)}
        for path in sorted(touched - named):
            print(f"{cells[0]}: {path} is not named")
        for path in sorted(named - touched):
            print(f"{cells[0]}: {path} has none of its words")
        if len(named) > int(cells[2]):
            print(f"{cells[0]}: {len(named)} files, more than {cells[2]}")
        differ += touched != named or len(named) > int(cells[2])
    print(f"{count} journeys, {differ} differ")


main(sys.argv[1])
