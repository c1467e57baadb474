# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tegulac prints of kernels is read back as the same.

    round_trip.py STAGE,STAGE... SOURCE...     each at these stages, which are tile IR

The text of --emit=tile, parsed and printed again, is the same but for the names of values, which are the source's; once more, it is
the same to the letter. Of later stages, whose passes do not run twice, tegula-opt reads and prints.
"""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile


def without_names(text):
    """`%x, %y = ` becomes `% = `, as `%0:2 = ` does: several results have one name where they have none of their own."""
    text = re.sub(r"%[\w$.-]+(?:[:#]\d+)?", "%", text)
    return re.sub(r"^(\s*)%(?:, %)* = ", r"\1% = ", text, flags=re.MULTILINE)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise ValueError(f"{' '.join(command)}: {done.stderr[:500]}")


def text_of(path):
    with open(path) as file:
        return file.read()


def check(source, stage, folder):
    first, second, third = (os.path.join(folder, f"{os.path.basename(source)}.{stage}.{number}.mlir") for number in (1, 2, 3))
    run("tegulac", f"--emit={stage}", "--arch=sm_90a", source, "-o", first)
    for before, after in ((first, second), (second, third)):
        command = ["tegulac", "--emit=tile"] if stage == "tile" else ["tegula-opt"]
        run(*command, before, "-o", after)
    if without_names(text_of(first)) != without_names(text_of(second)):
        raise ValueError(f"{source}: {stage} is read back as something else")
    if text_of(second) != text_of(third):
        raise ValueError(f"{source}: {stage} is printed differently the second time")


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        sources = [source for source in sys.argv[2:] if not source.endswith("_test.cpp")]
        for work in [pool.submit(check, source, stage, folder) for source in sources for stage in sys.argv[1].split(",")]:
            try:
                work.result()
            except ValueError as error:
                failed += 1
                print(error)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
