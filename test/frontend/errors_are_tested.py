# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails unless every message of compiler/frontend/diagnostics/Diagnostics.def has a test that expects it, in a file of its name.

Internal errors have none: a program that gets one shows a defect, which is mended."""
import pathlib
import re
import sys

definitions, tests = (pathlib.Path(argument) for argument in sys.argv[1:])
names = re.findall(r'TEGULA_DIAGNOSTIC\((?:Error|Warning), \w+, "([a-z0-9-]+)",\s*"(?!internal error)', definitions.read_text())
missing = []
for name in names:
    test = tests / f"{name}.cpp"
    if not test.exists() or not re.search("(error|warning): ", test.read_text()) or not re.search(rf"\[(tegula-|-W){name}\]", test.read_text()):
        missing.append(name)
stray = sorted(test.stem for test in tests.glob("*.cpp") if test.stem not in names)
for name in missing:
    print(f"no test expects [tegula-{name}]: write {tests}/{name}.cpp")
for name in stray:
    print(f"{tests}/{name}.cpp is named after no message")
print(f"{len(names)} messages, {len(missing)} without a test")
sys.exit(bool(missing or stray))
