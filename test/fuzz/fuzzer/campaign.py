# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds batches of programs in both forms, runs them, and shrinks what differs."""
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field

from . import cases

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(HERE))


@dataclass
class Tools:
    build: str
    cxx: str
    flags: list
    printer: str = None

    def __post_init__(self):
        self.printer = self.printer or os.path.join(self.build, "test", "bin", "tegula-fuzz-print")
        self.runtime = os.path.join(self.build, "lib", "libtegula_runtime.a")

    def compile(self, source, output):
        return subprocess.Popen([self.cxx, "-std=c++17", *self.flags, f"-I{ROOT}/include", f"-I{HERE}", "-c", source, "-o", output],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@dataclass
class Outcome:
    passed: int = 0
    refused: dict = field(default_factory=dict)  # name -> message
    failed: dict = field(default_factory=dict)


def compile_all(tools, sources, jobs):
    """The objects of the sources; the compiler's words if it fails."""
    running, objects = [], []
    waiting = list(sources)
    while waiting or running:
        while waiting and len(running) < jobs:
            source = waiting.pop(0)
            objects.append(source[:-4] + ".o")
            running.append(tools.compile(source, objects[-1]))
        process = running.pop(0)
        text, _ = process.communicate()
        if process.returncode:
            for other in running:
                other.wait()
            return None, text
    return objects, None


def run_batch(tools, entries, folder, seed, jobs):
    """Runs entries, which are (description, text) each."""
    outcome = Outcome()
    os.makedirs(folder, exist_ok=True)
    base = os.path.join(folder, "batch")
    with open(base + ".mlir", "w") as file:
        file.write("\n".join(text for _, text in entries))
    printed = subprocess.run([tools.printer, base + ".mlir", base], capture_output=True, text=True)
    if printed.returncode:
        return apart(tools, entries, folder, seed, jobs, printed.stderr or f"tegula-fuzz-print: exit status {printed.returncode}")
    for line in printed.stdout.splitlines():
        name, message = line.split(": ", 1)
        outcome.refused[name] = message
    kept = [description for description, _ in entries if description["name"] not in outcome.refused]
    if not kept:
        return outcome
    with open(base + ".cpp", "w") as file:
        file.write(cases.table(kept, ["batch.whole.h", "batch.split.h"], "whole", "split"))
    objects, words = compile_all(tools, [base + part + ".cpp" for part in (".split", ".whole", "")], jobs)
    if words:
        return apart(tools, entries, folder, seed, jobs, words)
    harness = harness_object(tools, folder)
    program = base + ".run"
    linked = subprocess.run([tools.cxx, *tools.flags, *objects, harness, tools.runtime, "-pthread", "-ldl", "-o", program],
                            capture_output=True, text=True)
    if linked.returncode:
        raise SystemExit(linked.stderr)
    ran = subprocess.run([program, "--seed", str(seed)], capture_output=True, text=True)
    for name, message in re.findall(r"^DIFFER (\S+): (.*)$", ran.stdout, re.MULTILINE):
        outcome.failed[name] = message
    if ran.returncode not in (0, 1):
        words = (ran.stderr or ran.stdout).strip()[-2000:]
        return apart(tools, entries, folder, seed, jobs, f"exit status {ran.returncode}: {words}")
    outcome.passed = len(kept) - len(outcome.failed)
    return outcome


def apart(tools, entries, folder, seed, jobs, words):
    """What breaks a batch as a whole is found by halves."""
    outcome = Outcome()
    if len(entries) == 1:
        outcome.failed[entries[0][0]["name"]] = words.strip()
        return outcome
    middle = len(entries) // 2
    for half in (entries[:middle], entries[middle:]):
        part = run_batch(tools, half, folder, seed, jobs)
        outcome.passed += part.passed
        outcome.refused.update(part.refused)
        outcome.failed.update(part.failed)
    return outcome


def harness_object(tools, folder):
    """The part that all batches share, compiled once a campaign."""
    output = os.path.join(os.path.dirname(folder), "harness.o")
    if not os.path.exists(output):
        process = tools.compile(os.path.join(HERE, "harness.cpp"), output)
        text, _ = process.communicate()
        if process.returncode:
            raise SystemExit(text)
    return output


# ---- Shrinking ---------------------------------------------------------------------------------------------------------

DEFINES = re.compile(r"^\s*(%\w+)(?::\d+)? = (?!scf\.|.*\{$)")


def without_unused(lines):
    """Drops lines whose values nobody uses, and branches and loops of which nothing is left."""
    while True:
        text = "\n".join(lines)
        uses = {}
        for name in re.findall(r"%\w+", text):
            uses[name] = uses.get(name, 0) + 1
        kept, i = [], 0
        while i < len(lines):
            match = DEFINES.match(lines[i])
            empty = re.match(r"^\s*scf\.(if|for) .*\{$", lines[i]) and i + 1 < len(lines) and lines[i + 1].strip() == "}"
            if empty:
                i += 2
            elif match and uses[match.group(1)] == 1:
                i += 1
            else:
                kept.append(lines[i])
                i += 1
        if len(kept) == len(lines):
            return lines
        lines = kept


def shrink(tools, entry, folder, seed, jobs, patience=40):
    """The entry with fewer stores that still fails."""
    description, text = entry
    name = description["name"]

    def fails(lines):
        return name in run_batch(tools, [(description, "\n".join(lines))], folder, seed, jobs).failed

    lines = text.splitlines()
    stores = [line for line in lines if "tile.store" in line]
    for store in stores:
        if patience == 0 or len([line for line in lines if "tile.store" in line]) == 1:
            break
        patience -= 1
        at = lines.index(store)
        smaller = without_unused(lines[:at] + lines[at + 1:])
        if fails(smaller):
            lines = smaller
    return "\n".join(lines) + "\n"


def folder_for(campaign):
    return tempfile.mkdtemp(prefix=f"tegula-fuzz-{campaign}-")


def remove(folder):
    shutil.rmtree(folder, ignore_errors=True)
