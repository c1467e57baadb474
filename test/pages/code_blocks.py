# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ```cpp blocks of a page."""
import sys


def blocks(page):
    """[(line of the page where the text begins, what follows ```cpp, the text)] of every block."""
    result, block = [], None
    for number, line in enumerate(page.read_text().split("\n"), 1):
        if block is None and line.startswith("```cpp"):
            block = (number + 1, line.removeprefix("```cpp").strip(), [])
        elif block is not None and line == "```":
            result.append((*block[:2], "\n".join(block[2])))
            block = None
        elif block is not None:
            block[2].append(line)
    if block is not None:
        sys.exit(f"{page}:{block[0] - 1}: nothing ends this block")
    return result
