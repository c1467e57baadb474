# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the ```cpp blocks of a page into one kernel file, whose errors stand at the page's lines: extract.py PAGE OUTPUT"""
import pathlib
import sys

from code_blocks import blocks


if __name__ == "__main__":
    page, output = (pathlib.Path(argument) for argument in sys.argv[1:])
    output.write_text("".join(f'#line {line} "{page}"\n{text}\n' for line, _, text in blocks(page)))
