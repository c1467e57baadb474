# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the code which a page shows is that of its files: shown.py PAGE PATTERN

Each ```cpp block of the page names a file beside the page, ```cpp step01_add.cpp, which has the block's text. Each file
beside the page whose name matches the pattern is shown.
"""
import pathlib
import sys

from code_blocks import blocks


def complaints(page, pattern):
    shown = set()
    for line, name, text in blocks(page):
        file = page.parent / name
        shown.add(name)
        if not name:
            yield f"{page}:{line}: the block names no file: write ```cpp FILE"
        elif not file.is_file():
            yield f"{page}:{line}: there is no file {file}"
        elif text not in file.read_text():
            yield f"{page}:{line}: {name} does not have this text: copy the file's"
    for file in sorted(page.parent.glob(pattern)):
        if file.name not in shown:
            yield f"{page}: no block shows {file.name}"


if __name__ == "__main__":
    found = list(complaints(pathlib.Path(sys.argv[1]), sys.argv[2]))
    for complaint in found:
        print(complaint)
    sys.exit(1 if found else 0)
