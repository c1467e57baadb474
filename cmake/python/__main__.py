# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse

import tegula

parser = argparse.ArgumentParser(prog="python3 -m tegula", description="Prints where this package has its files.")
group = parser.add_mutually_exclusive_group(required=True)
for option, value, text in [
    ("--prefix", tegula.prefix, "the folder that has bin, include, lib and share"),
    ("--cmake-dir", tegula.cmake_dir, "for find_package(tegula): -Dtegula_DIR=<this>"),
    ("--include-dir", tegula.include_dir, "the folder of tegula/runtime.h"),
    ("--version", tegula.__version__, "Tegula's version"),
]:
    group.add_argument(option, dest="value", action="store_const", const=value, help=text)
print(parser.parse_args().value)
