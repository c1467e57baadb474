# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of the benchmarks, which only a GPU runs, are split as they would be for one.

    benchmarks.py TEGULAC SOURCE_FOLDER FOLDER
"""
import glob
import os
import subprocess
import sys

tegulac, source, own = sys.argv[1:]
os.makedirs(own, exist_ok=True)
folder = os.path.join(source, "test", "benchmark")
paths = sorted(glob.glob(os.path.join(folder, "*_kernels.cpp")))
for name in ("split_k", "variant"):  # Headers, of which the build makes one source for each set of kernels.
    path = os.path.join(own, name + "_kernels.cpp")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'#define TEGULA_VARIANTS {name}\n#include "{name}_kernels.h"\n')
    paths.append(path)
for path in paths:
    command = [tegulac, "--emit=tile-split", "--arch=sm_90a", "--arch=sm_80", "-I", folder, "-I", os.path.join(source, "samples"), path, "-o", os.devnull]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode or run.stderr:
        print(f"{path}: exit status {run.returncode}: {run.stderr}")
print(f"{len(paths)} files")
