# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tegula, an ahead-of-time compiler for GPU tile kernels in C++: where this package has its files.

The program tegulac is on PATH where the package is installed. Builds ask for folders: python3 -m tegula --help.
"""

import os
import pathlib
import sys

__version__ = "@VERSION@"
#: The folder that has bin, include, lib and share.
prefix = pathlib.Path(__file__).resolve().parent
#: Of tegula/tegula.h and tegula/runtime.h.
include_dir = prefix / "include"
#: For find_package(tegula): -Dtegula_DIR=<this>.
cmake_dir = prefix / "@CMAKE_DIR@"


def tegulac():
    """Replaces this process by tegulac, with the same arguments."""
    program = str(prefix / "bin" / "tegulac")
    os.execv(program, [program, *sys.argv[1:]])
