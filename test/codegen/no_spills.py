# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""no_spills.py SAMPLES BUILT: fails if ptxas spills registers of a kernel of a sample, and names it. Kernels and architectures are those of the
samples' CMakeLists.txt. What was compiled when the samples were BUILT is not compiled again, if it is of the same kernels."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

kernels, spilling = 0, []
for project in sorted(pathlib.Path(sys.argv[1]).glob("*/CMakeLists.txt")):
    for call in re.findall(r"tegula_add_kernels\(([^)]*)\)", project.read_text()):
        name = call.split()[0]
        sources, archs = (words.split() for words in re.search(r"SOURCES (.*) ARCHS ((?:sm_\w+\s*)+)", call, re.DOTALL).groups())
        for source in sources:
            built = pathlib.Path(sys.argv[2], project.parent.name, f"{name}.tegula", name, pathlib.Path(source).stem + ".cubins")
            with tempfile.TemporaryDirectory() as directory:
                output = pathlib.Path(directory, "resources")
                if built.exists():
                    shutil.copyfile(built, f"{output}.cubins")
                command = ["tegulac", "--emit=resources", "--reuse-cubins", *(f"--arch={arch}" for arch in archs), project.parent / source, "-o", output]
                subprocess.run(command, check=True)
                report = output.read_text()
            lines = re.findall(r"^(\w+) (\w+): registers (\d+), stack (\d+), spills (\d+)$", report, re.MULTILINE)
            missing = [arch for arch in archs if arch not in (line[0] for line in lines)]
            if missing or len(lines) != len(report.splitlines()):
                sys.exit(f"{project.parent / source}: no report for {missing}, or one that is not understood:\n{report}")
            kernels += len(lines)
            spilling += [f"{source}: {name} on {arch}" for arch, name, _, _, spills in lines if int(spills)]
for kernel in spilling:
    print(f"{kernel} spills")
print(f"{kernels} kernels, {len(spilling)} spill")
sys.exit(bool(spilling))
