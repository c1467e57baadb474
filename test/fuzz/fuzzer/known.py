# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles and runs the programs of models.py, and compares what they leave behind with what the model says."""
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field

from . import campaign, cases, models

# What tegulac may say of a program that is sound: limits that the language's headers tell (shapes.h, sorting.h).
REFUSALS = campaign.REFUSALS + ("which exchanges it in shared memory as a whole, with room for ",)
MOST_SECONDS = 120
HEAD = "#include <tegula/tegula.h>\nnamespace tg = tegula;\n"


class Case:
    """A program in C++, its inputs, its results."""

    def __init__(self, program):
        self.program, self.name = program, program.name
        self.text, self.description = program.text(), program.description()
        before, after = program.run()
        self.before, self.after = (b"".join(array.tobytes() for array in arrays) for arrays in (before, after))


def case_of(name):
    """By its name, m<seed>_<number>."""
    return Case(models.Program(name.replace("_", "/"), name))


def generate(seed, count, first=0):
    return [case_of(f"m{seed}_{i}") for i in range(first, first + count)]


def write_data(batch, path):
    """What arrays hold, before and after: a file; the descriptions, which are given, tell where."""
    at = 0
    with open(path, "wb") as file:
        for case in batch:
            case.description["data"] = [at, at + len(case.before)]
            file.write(case.before + case.after)
            at += len(case.before) + len(case.after)
    return [case.description for case in batch]


def write_source(batch, path):
    """The entries in one file: which lines are whose."""
    lines, owners = HEAD.count("\n"), []
    with open(path, "w") as file:
        file.write(HEAD)
        for case in batch:
            owners += [(lines + 1, case)]
            lines += case.text.count("\n")
            file.write(case.text)
    return owners


def compile_source(tools, batch, source, output, options):
    """Runs tegulac on what it takes: the others, by name, with its words. What it says of no entry is found by halves."""
    words = {}
    while batch:
        owners = write_source(batch, source)
        try:
            done = subprocess.run([os.path.join(tools.build, "bin", "tegulac"), *options, "-o", output, source], capture_output=True, text=True,
                                  timeout=MOST_SECONDS, preexec_fn=campaign.limit_memory)
        except subprocess.TimeoutExpired:
            done = None
        if done and done.returncode == 0:
            return batch, words
        said = {}
        if done and done.returncode == 1 and "internal error" not in done.stderr:
            for line, message in re.findall(rf"^{re.escape(source)}:(\d+):\d+: (?:fatal )?(error: .*)$", done.stderr, re.MULTILINE):
                case = [case for start, case in owners if start <= int(line)][-1:]
                if case:
                    said.setdefault(case[0].name, message)
        if said:
            words.update(said)
            batch = [case for case in batch if case.name not in said]
            continue
        if len(batch) == 1:
            words[batch[0].name] = f"exit status {done.returncode}: {done.stderr.strip()[-1000:]}" if done else f"not done after {MOST_SECONDS} s"
            return [], words
        kept = []
        for half in (batch[:len(batch) // 2], batch[len(batch) // 2:]):
            part, more = compile_source(tools, half, source, output, options)
            kept += part
            words.update(more)
        batch = kept
    return batch, words


@dataclass
class Outcome:
    passed: int = 0
    refused: dict = field(default_factory=dict)  # name -> message
    failed: dict = field(default_factory=dict)

    def say(self, words):
        """What tegulac says of programs."""
        for name, message in words.items():
            is_refusal = any(text in message for text in REFUSALS)
            (self.refused if is_refusal else self.failed)[name] = message


def run_batch(tools, batch, folder, jobs, forms=("whole", "split"), is_enough=lambda outcome: False):
    """Runs programs on the CPU: as they are written, and in the form that splitting makes of them. Nothing is run any more
    where what the compiler says is enough."""
    outcome = Outcome()
    os.makedirs(folder, exist_ok=True)
    base = os.path.join(folder, "batch")
    batch, words = compile_source(tools, batch, base + ".cpp", base + ".mlir", ["--emit=tile"])
    outcome.say(words)
    if is_enough(outcome):
        return outcome
    batch = print_forms(tools, batch, base, outcome)
    if not batch or is_enough(outcome):
        return outcome
    descriptions = write_data(batch, base + ".data")
    with open(base + ".table.cpp", "w") as file:
        file.write(cases.table(descriptions, [f"batch.{form}.h" for form in forms], forms[0], forms[-1], data=base + ".data"))
    objects, words = campaign.compile_all(tools, [f"{base}.{part}.cpp" for part in (*forms, "table")], jobs)
    if words:
        return halves(tools, batch, folder, jobs, forms, outcome, words)
    program = base + ".run"
    linked = subprocess.run([tools.cxx, *tools.flags, *objects, campaign.harness_object(tools, folder), tools.runtime, "-pthread", "-ldl", "-o", program],
                            capture_output=True, text=True)
    if linked.returncode:
        raise SystemExit(linked.stderr)
    run_program(program, outcome)
    outcome.passed += sum(case.name not in outcome.failed for case in batch)
    return outcome


def print_forms(tools, batch, base, outcome):
    """The programs that have both forms, of those in BASE.mlir."""
    if not batch:
        return batch
    with open(base + ".mlir") as file:
        head, *entries = re.split(r"^(?=  tile\.entry @)", re.sub(r"tile\.entry @fuzz\.(\w+)\.?\(", r"tile.entry @\1(", file.read()), flags=re.MULTILINE)
    entries[-1] = entries[-1].rstrip()[:-1]  # The module's brace.
    owners = [re.match(r"  tile\.entry @(\w+)\(", entry).group(1) for entry in entries]
    wanted = {case.name for case in batch}
    said = print_entries(tools, base, head, [pair for pair in zip(owners, entries) if pair[0] in wanted])
    outcome.say(said)
    return [case for case in batch if case.name not in said]


def print_entries(tools, base, head, entries):
    """Prints what can be printed; words about the others, by name. A crash that says no line is found by halves."""
    said = {}
    while entries:
        with open(base + ".mlir", "w") as file:
            file.write(head + "".join(text for _, text in entries) + "}\n")
        try:
            done = subprocess.run([tools.printer, base + ".mlir", base], capture_output=True, text=True, timeout=MOST_SECONDS,
                                  preexec_fn=campaign.limit_memory)
            words = f"exit status {done.returncode}: {done.stderr.strip()[:1000]}" if done.returncode else ""
        except subprocess.TimeoutExpired:
            words = f"splitting is not done after {MOST_SECONDS} s"
        if not words:
            said.update(dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line))
            return said
        place = re.search(r"batch\.mlir:(\d+):\d+: error: (.*)", words)
        if place:
            line, owner = head.count("\n"), None
            for name, text in entries:
                owner = name if line < int(place.group(1)) else owner
                line += text.count("\n")
            said[owner] = "error: " + place.group(2)
            entries = [pair for pair in entries if pair[0] != owner]
        elif len(entries) == 1:
            said[entries[0][0]] = words
            return said
        else:
            for half in (entries[:len(entries) // 2], entries[len(entries) // 2:]):
                said.update(print_entries(tools, base, head, half))
            entries = [pair for pair in entries if pair[0] not in said]
    return said


def halves(tools, batch, folder, jobs, forms, outcome, words):
    """C++ that does not compile is found by halves."""
    if len(batch) == 1:
        outcome.failed[batch[0].name] = "the C++ does not compile: " + words[-1000:]
        return outcome
    for half in (batch[:len(batch) // 2], batch[len(batch) // 2:]):
        part = run_batch(tools, half, folder, jobs, forms)
        outcome.passed += part.passed
        outcome.refused.update(part.refused)
        outcome.failed.update(part.failed)
    return outcome


def run_program(program, outcome):
    after = []
    while True:
        ran = subprocess.run([program, *after], capture_output=True, text=True)
        for name, message in re.findall(r"^DIFFER (\S+): (.*)$", ran.stdout, re.MULTILINE):
            outcome.failed[name] = message
        if ran.returncode in (0, 1):
            return
        last = re.findall(r"^RUN (\S+)$", ran.stdout, re.MULTILINE)[-1]
        outcome.failed[last] = f"exit status {ran.returncode}: {ran.stderr.strip()[-1000:]}"
        after = ["--after", last]


def kind_of(message):
    """What goes wrong, less its numbers."""
    return re.sub(r"\d[\w.+-]*", "N", message.split("\n", 1)[0])[:60]


def failing(tools, folder, args, wanted):
    """A function that gives the names of the cases that go wrong in this way."""
    def alike(outcome):
        return {name for name, why in outcome.failed.items() if kind_of(why) == wanted}

    def run(batch):
        # What the compiler says needs no run; what it does not say, no compiler's words.
        is_said = not wanted.startswith(("on the ", "split, on "))
        return alike(run_batch(tools, batch, folder, args.jobs, args.forms, lambda outcome: is_said and bool(alike(outcome))))
    return run


def campaign_of(tools, args):
    """Runs programs by batches, says what goes wrong, and leaves the smallest ones that do. Gives the exit status."""
    from . import smaller
    folder = campaign.folder_for(args.seed)
    passed, refused, failed = 0, 0, 0
    for first in range(args.first, args.first + args.count, args.batch):
        batch = generate(args.seed, min(args.batch, args.first + args.count - first), first)
        outcome = run_batch(tools, batch, os.path.join(folder, "batch"), args.jobs, args.forms)
        passed, refused, failed = passed + outcome.passed, refused + len(outcome.refused), failed + len(outcome.failed)
        for name, message in outcome.refused.items():
            print(f"refused {name}: {message}")
        for name, message in outcome.failed.items():
            print(f"differ {name}: {message}", flush=True)
            case = next(case for case in batch if case.name == name)
            if args.shrink > 0:
                args.shrink -= 1

                case = smaller.shrink(case.program, failing(tools, os.path.join(folder, "shrink"), args, kind_of(message)))
            path = os.path.join(args.keep, name + ".cpp")
            with open(path, "w") as file:
                file.write(HEAD + case.text)
            print(f"    {path}; repeat it: test/fuzz/run --level models --seed {args.seed} --first {name.split('_')[1]} --count 1")
        sys.stdout.flush()
    campaign.remove(folder)
    print(f"{passed} agree with the model, {failed} do not, {refused} refused")
    return 1 if failed or passed == 0 or refused > args.refused * args.count else 0
