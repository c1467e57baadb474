# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds batches of programs in both forms, runs them, and shrinks what differs."""
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

from . import cases, shrinking

# What splitting says of programs that it cannot keep in order or in registers: nothing else.
REFUSALS = ("this store may ", "the windows that this store writes may overlap", "this load may ",
            "another thread group may have overwritten what is read here",
            "the program overwrites this array before all of what is read here is used",
            "this dimension is sequential, chunk by chunk, and chunks of the array are overwritten before others are read",
            "what is read here is used in a loop that overwrites the array", "a branch makes this tile, and ",
            "a loop carries this tile, and ", "a thread group would compute this product in ",
            "elements are taken here of a tile that is made as a whole", "this scan runs along dimension ",
            "a thread group sorts all of dimension ")

# Of a compiler that is given a batch: some programs make very much code.
MOST_MEMORY, MOST_SECONDS = 2 << 30, 300

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(HERE))


def printer_of(build, other):
    return other or os.path.join(build, "test", "bin", "tegula-fuzz-print")


@dataclass
class Tools:
    build: str
    cxx: str
    flags: list
    printer: str = None

    def __post_init__(self):
        self.printer = printer_of(self.build, self.printer)
        self.runtime = os.path.join(self.build, "lib", "libtegula_runtime.a")

    def compile(self, source, output):
        return subprocess.Popen([self.cxx, "-std=c++17", *self.flags, f"-I{ROOT}/include", f"-I{HERE}", "-c", source, "-o", output],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@dataclass
class Outcome:
    passed: int = 0
    refused: dict = field(default_factory=dict)  # name -> message
    failed: dict = field(default_factory=dict)


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def accepted(printer, text, most=None, crashed=None):
    """The entries of a module that splitting does not refuse; whose kernels have at most so many operations. What takes
    too much memory or time to compile is left out, and said. What ends the compiler by a signal is a defect: its name and
    words go into `crashed`, or, without it, end the run."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "all.mlir")
        with open(path, "w") as file:
            file.write(text)
        command = [printer, path, path] + ([str(most)] if most else [])
        try:
            done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit_memory, timeout=MOST_SECONDS)
            words = None if done.returncode == 0 else f"exit status {done.returncode} {done.stderr.strip()[:300]}"
        except subprocess.TimeoutExpired:
            words = f"not done after {MOST_SECONDS} s"
    head, entries = text[:text.index(cases.CASE)], cases.split(text)
    if words is None:
        names = {line.split(": ", 1)[0] for line in done.stdout.splitlines()}
        return head + "".join(part for description, part in entries if description["name"] not in names)
    if len(entries) == 1:
        name = entries[0][0]["name"]
        if words.startswith("exit status -") and "bad_alloc" not in words:
            if crashed is None:
                raise RuntimeError(f"{name}: {words}")
            crashed[name] = words
        print(f"left out {entries[0][0]['name']}: {words}", file=sys.stderr, flush=True)
        return head
    middle = len(entries) // 2
    kept = [accepted(printer, head + "".join(part for _, part in half), most, crashed) for half in (entries[:middle], entries[middle:])]
    return kept[0] + kept[1][len(head):]


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
        (outcome.refused if message.startswith(REFUSALS) else outcome.failed)[name] = message
    kept = [description for description, _ in entries if description["name"] not in {**outcome.refused, **outcome.failed}]
    if not kept:
        return outcome
    with open(base + ".cpp", "w") as file:
        file.write(cases.table(kept, ["batch.whole.h", "batch.split.h"], "whole", "split"))
    objects, words = compile_all(tools, [base + part + ".cpp" for part in (".split", ".whole", "")], jobs)
    if words:
        bad = blamed(words, kept)
        if not bad:
            return apart(tools, entries, folder, seed, jobs, words)
        rest = run_batch(tools, [entry for entry in entries if entry[0]["name"] not in bad], folder, seed, jobs)
        rest.failed.update(bad)
        return rest
    harness = harness_object(tools, folder)
    program = base + ".run"
    linked = subprocess.run([tools.cxx, *tools.flags, *objects, harness, tools.runtime, "-pthread", "-ldl", "-o", program],
                            capture_output=True, text=True)
    if linked.returncode:
        raise SystemExit(linked.stderr)
    command = [program, "--seed", str(seed)]
    while True:
        ran = subprocess.run(command, capture_output=True, text=True)
        for name, message in re.findall(r"^DIFFER (\S+): (.*)$", ran.stdout, re.MULTILINE):
            outcome.failed[name] = message
        if ran.returncode in (0, 1):
            break
        last = re.findall(r"^RUN (\S+)$", ran.stdout, re.MULTILINE)[-1]
        outcome.failed[last] = f"exit status {ran.returncode}: {ran.stderr.strip()[-2000:]}"
        command = [program, "--seed", str(seed), "--after", last]
    outcome.passed = sum(description["name"] not in outcome.failed for description in kept)
    return outcome


def tiles_of(tools, entries, folder):
    """Entries in C++ as the IR that the frontend makes of them: what can be run in both forms, and what tegulac says of the others."""
    os.makedirs(folder, exist_ok=True)
    made, failed = [], {}
    for description, text in entries:
        base = os.path.join(folder, "entry")
        with open(base + ".cpp", "w") as file:
            file.write("#include <tegula/tegula.h>\nnamespace tg = tegula;\n" + text)
        words = tegulac(tools, base + ".cpp", base + ".mlir", "--emit", "tile")
        if words:
            failed[description["name"]] = words
            continue
        with open(base + ".mlir") as file:
            lines = [line for line in file.read().splitlines() if line not in ("module {", "}", "")]
        lines = [re.sub(r"tile\.entry @\S+?\(", f"tile.entry @{description['name']}(", line) for line in lines]
        made.append((description, cases.CASE + json.dumps(description) + "\n" + "\n".join(lines) + "\n"))
    return made, failed


def tegulac(tools, source, output, *options):
    """What is wrong; empty if nothing is."""
    done = subprocess.run([os.path.join(tools.build, "bin", "tegulac"), "--verify", *options, "-o", output, source], capture_output=True, text=True)
    return f"tegulac: exit status {done.returncode}: {done.stderr.strip()[-2000:]}" if done.returncode else ""


def compile_for_gpus(tools, entries, folder, archs):
    """What does not compile, what spills registers, and how many programs have a kernel for tensor cores on the first of the
    architectures."""
    failed, spilled, on_tensor_cores = {}, {}, 0
    base = os.path.join(folder, "entry")
    for description, text in entries:
        with open(base + ".cpp", "w") as file:
            file.write("#include <tegula/tegula.h>\nnamespace tg = tegula;\n" + text)
        for arch in archs:
            output = base + ".resources"
            words = tegulac(tools, base + ".cpp", output, "--emit", "resources", "--arch", arch)
            if not words:
                with open(output) as file:
                    resources = file.read()
                found = re.search(r"_tensor: .*spills [1-9]\d*", resources)
                if found:
                    spilled[description["name"]] = f"{arch} {found.group(0)}"
                on_tensor_cores += arch == archs[0] and "_tensor" in resources
            if words:
                failed.setdefault(description["name"], f"{arch}: {words}")
    return failed, spilled, on_tensor_cores


def blamed(words, descriptions):
    """Whose code the compiler complains about: name -> message."""
    bad = {}
    names = re.compile(r"^\S.*\b(" + "|".join(re.escape(d["name"]) for d in descriptions) + r")(?:\(|_\d+)")
    for path, line, message in re.findall(r"^(\S+\.cpp):(\d+):\d+: (?:fatal )?(error: .*)$", words, re.MULTILINE):
        with open(path) as file:
            before = file.read().splitlines()[:int(line)]
        owner = next((match.group(1) for match in map(names.search, reversed(before)) if match), None)
        if owner:
            bad.setdefault(owner, message)
    return bad


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


def shrink(tools, entry, folder, seed, jobs):
    """The text of a smaller entry that still fails."""
    return shrinking.shrink(entry, lambda entries: run_batch(tools, entries, folder, seed, jobs).failed)


def folder_for(campaign):
    return tempfile.mkdtemp(prefix=f"tegula-fuzz-{campaign}-")


def remove(folder):
    shutil.rmtree(folder, ignore_errors=True)
