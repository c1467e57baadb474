# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the ```cpp blocks of a page into one kernel file, whose errors stand at the page's lines: extract.py PAGE OUTPUT"""
import pathlib
import sys


def blocks(page):
    """[(line of the page, its text)] of every block."""
    result, block = [], None
    for number, line in enumerate(page.read_text().split("\n"), 1):
        if block is None and line == "```cpp":
            block = (number + 1, [])
        elif block is not None and line == "```":
            result.append((block[0], "\n".join(block[1])))
            block = None
        elif block is not None:
            block[1].append(line)
    if block is not None:
        sys.exit(f"{page}:{block[0] - 1}: nothing ends this block")
    return result


if __name__ == "__main__":
    page, output = (pathlib.Path(argument) for argument in sys.argv[1:])
    output.write_text("".join(f'#line {line} "{page}"\n{text}\n' for line, text in blocks(page)))
