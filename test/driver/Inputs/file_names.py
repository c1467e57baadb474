# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a kernel file under odd names; has g++ read what is generated, and make and ninja the dependency files."""
import os
import shutil
import subprocess
import sys

source, folder, include = sys.argv[1:]
os.chdir(folder)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def compiled(name, output, *options):
    shutil.copyfile(source, name)
    return run("tegulac", name, "--arch", "sm_80", "-o", output, *options)


def expect(condition, what, *said):
    if not condition:
        sys.exit(f"{what}: " + "".join(f"{each.stdout}{each.stderr}" for each in said))


# What is in a name is in comments and strings, and leaves both where they end.
for name in ['a"q.cpp', "a\nint x = y;\n.cpp", "a\\.cpp", "a*q??.cpp", "a%20b.cpp", "größe.cpp"]:
    made = compiled(name, "plain", "--lineinfo")
    expect(made.returncode == 0, f"tegulac {name!r}", made)
    checked = run("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{include}", "-fsyntax-only", "plain.cpp")
    expect(checked.returncode == 0, f"g++ of {name!r}", checked)

# A stub is included by its name.
for output in ['a"q', "a\nq"]:
    made = compiled("k.cpp", output)
    expect(made.returncode == 2, f"-o {output!r}", made)
    expect("no source can include a header called" in made.stderr, f"-o {output!r}", made)
    expect("give -o another name, without quotes and line breaks" in made.stderr, f"-o {output!r}", made)

# Both read the name as it is.
for name in ["two words.cpp", "a#b.cpp", "a$b.cpp", "a:b.cpp", "a%b.cpp", "a\\b.cpp", "a(b).cpp"]:
    for left_over in ("out.d", "out.cpp", "out.h", ".ninja_deps", ".ninja_log"):
        if os.path.exists(left_over):
            os.remove(left_over)
    made = compiled(name, "out", "-MD", "-MF", "out.d")
    expect(made.returncode == 0, f"-MD of {name!r}", made)
    expect(os.path.exists("out.d"), f"-MD of {name!r}", made)
    os.utime("out.cpp", (0, 0))
    with open("Makefile", "w") as file:
        file.write("all: out.cpp\nout.cpp:\n\techo made\ninclude out.d\n")
    if shutil.which("make"):
        again = run("make", "-n")
        expect(again.returncode == 0 and "echo made" in again.stdout, f"make of {name!r}", again)
    with open("build.ninja", "w") as file:
        file.write("rule r\n  command = cp out.d out.dd && touch out.cpp\n  depfile = out.dd\n  deps = gcc\nbuild out.cpp: r\n")
    built = run("ninja")
    deps = run("ninja", "-t", "deps", "out.cpp")
    expect(built.returncode == 0 and f"\n    {name}\n" in deps.stdout, f"ninja of {name!r}", built, deps)

for name in ["a;b.cpp", "a\nb.cpp", "a\tb.cpp", "a|b.cpp", "a\\ b.cpp"]:
    made = compiled(name, "out", "-MD")
    expect(made.returncode == 2, f"-MD of {name!r}", made)
    expect("error: no dependency file can name " in made.stderr, f"-MD of {name!r}", made)
    expect("make and ninja cannot write this name: rename that file, or remove -MD" in made.stderr,
           f"-MD of {name!r}", made)
