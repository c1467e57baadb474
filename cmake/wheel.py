#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wheel.py [--fast] PREFIX FOLDER: packs the installation PREFIX as a wheel in FOLDER, and prints its name.

The installation becomes the Python package `tegula`, with cmake/python beside its bin. Needs nothing but Python 3.8.
--fast compresses little.
"""

import argparse
import base64
import hashlib
import pathlib
import re
import stat
import struct
import sys
import zipfile

REQUIRES = ["nvidia-cuda-nvcc>=13.0", "nvidia-nvvm>=13.0"]  # ptxas, libdevice
MACHINES = {62: "x86_64", 183: "aarch64"}  # e_machine of ELF

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--fast", action="store_true")
parser.add_argument("prefix", type=pathlib.Path)
parser.add_argument("folder", type=pathlib.Path)
arguments = parser.parse_args()
prefix = arguments.prefix.resolve()
sources = pathlib.Path(__file__).resolve().parent / "python"

program = prefix / "bin" / "tegulac"
configs = list(prefix.glob("lib*/**/tegulaConfigVersion.cmake"))
if not program.is_file() or len(configs) != 1:
    sys.exit(f"error: {prefix} is no installation of Tegula with its compiler")
cmake_dir = configs[0].parent
version = re.search(r'PACKAGE_VERSION "([^"]+)"', configs[0].read_text()).group(1)

# The C library that tegulac needs: the newest version of a symbol that it names.
binary = program.read_bytes()
machine = MACHINES[struct.unpack_from("<H", binary, 18)[0]]
glibc = max(int(minor) for minor in re.findall(rb"\0GLIBC_2\.(\d+)(?=\0)", binary))
tag = f"py3-none-manylinux_2_{glibc}_{machine}"

info = f"tegula-{version}.dist-info"
documents = prefix / "share" / "doc" / "tegula"
name = arguments.folder / f"tegula-{version}-{tag}.whl"
records = []


def requirements():
    yield from (f"Requires-Dist: {package}" for package in REQUIRES)
    yield "Provides-Extra: sass"
    yield 'Requires-Dist: nvidia-cuda-nvdisasm>=13.0; extra == "sass"'


def write(wheel, path, data, is_program=False):
    entry = zipfile.ZipInfo(path)  # Of 1980: the same installation gives the same wheel.
    mode = 0o755 if is_program else 0o644
    entry.external_attr = (stat.S_IFREG | mode) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    wheel.writestr(entry, data, compresslevel=1 if arguments.fast else 6)
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    records.append(f"{path},sha256={digest},{len(data)}")


arguments.folder.mkdir(parents=True, exist_ok=True)
with zipfile.ZipFile(name, "w") as wheel:
    for file in sorted(prefix.rglob("*")):
        if file.is_file():
            write(wheel, f"tegula/{file.relative_to(prefix).as_posix()}", file.read_bytes(), file.stat().st_mode & 0o111 != 0)
    for file in sorted(sources.glob("*.py")):
        text = file.read_text().replace("@VERSION@", version).replace("@CMAKE_DIR@", cmake_dir.relative_to(prefix).as_posix())
        write(wheel, f"tegula/{file.name}", text.encode())
    metadata = [
        "Metadata-Version: 2.1",
        "Name: tegula",
        f"Version: {version}",
        "Summary: Ahead-of-time compiler for GPU tile kernels in C++",
        "Author: Tegula maintainers",
        "License: Apache-2.0 WITH LLVM-exception",
        "Requires-Python: >=3.8",
        *requirements(),
        "Description-Content-Type: text/markdown",
        "",
        (documents / "README.md").read_text(),
    ]
    write(wheel, f"{info}/METADATA", "\n".join(metadata).encode())
    write(wheel, f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: tegula-wheel\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    write(wheel, f"{info}/entry_points.txt", b"[console_scripts]\ntegulac = tegula:tegulac\n")
    write(wheel, f"{info}/licenses/LICENSE", (documents / "LICENSE").read_bytes())
    records.append(f"{info}/RECORD,,")
    write(wheel, f"{info}/RECORD", ("\n".join(records) + "\n").encode())
print(name)
