# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Campaigns of mutants: makes each, compiles it, and keeps those that end badly."""
import collections
import concurrent.futures
import glob
import os
import random
import subprocess
import threading

from . import ir_mutants, mutants, sources, verdicts

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Where kernels are, and how often a mutant is one of theirs, beside the others of the list.
KERNELS = [("test/kernels/*.cpp", 6), ("samples/*/*.cpp", 2), ("test/frontend/*.cpp", 2), ("test/frontend/*/*.cpp", 1),
           ("test/checks/*.cpp", 1), ("test/stub/*.cpp", 1), ("test/transforms/*.cpp", 1), ("test/codegen/*.cpp", 1)]
STAGES = ["tile", "tile-split", "tile-layout"]


class Cpp:
    """Mutants of C++ kernels."""
    suffix = ".cpp"

    def __init__(self, options):
        self.options = options
        self.groups = []
        for pattern, weight in KERNELS:
            bases = []
            for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
                if not path.endswith("_test.cpp"):
                    bases += sources.bases_of(path)
            self.groups.append((weight, bases))
        self.mutator = mutants.Mutator([base for _, bases in self.groups for base in bases])

    def choose(self, rng):
        weights = [weight for weight, _ in self.groups]
        return rng.choice(rng.choices([bases for _, bases in self.groups], weights)[0])

    def make(self, rng):
        """The name of what is changed, its text, and what else the command line says."""
        base = self.choose(rng)
        text = self.mutator.mutant(rng, base)
        return base.name, text, [f"-I{base.folder}"]

    def compile(self, rng, path, text, flags):
        tegulac = os.path.join(self.options.build, "bin", "tegulac")
        output = path[:-len(self.suffix)]
        lines = text.count("\n") + 1
        emit = rng.choices(["ptx", "cpu"], [7, 3])[0]
        arch = rng.choice(["sm_90a", "sm_90a", "sm_80", "sm_75", "sm_100a"])
        command = [tegulac, f"--emit={emit}", f"--arch={arch}", *flags, path, "-o", output + ".out"]
        status, said, seconds = verdicts.run(command, self.options.folder)
        verdict = verdicts.judge(status, said, path, lines)
        verdict.seconds = seconds
        if verdict.kind == "accepted" and rng.random() < self.options.syntax:
            verdict = self.compile_stub(path, lines, flags, arch, output + ".stub") or verdict
        return verdict, said

    def compile_stub(self, path, lines, flags, arch, output):
        """Whether a C++ compiler takes what tegulac writes."""
        tegulac = os.path.join(self.options.build, "bin", "tegulac")
        command = [tegulac, f"--arch={arch}", *flags, path, "-o", output]
        status, said, _ = verdicts.run(command, self.options.folder)
        verdict = verdicts.judge(status, said, path, lines)
        if verdict.kind != "accepted":
            return verdict
        command = [self.options.cxx, "-std=c++17", "-fsyntax-only", "-w", f"-I{ROOT}/include", output + ".cpp"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return verdicts.Verdict("generated", done.stderr[done.stderr.find("error: "):][:200])
        return None


class Ir:
    """Mutants of tile IR: of the tests', and of what tegulac prints of kernels at several stages."""
    suffix = ".mlir"

    def __init__(self, options):
        self.options = options
        self.modules = ir_mutants.all_modules(ROOT)
        self.kernels = Cpp(options)
        self.mutator = ir_mutants.Mutator(self.modules)
        self.printed = {}

    def make(self, rng):
        name, text = rng.choice(self.modules)
        if rng.random() < 0.5:
            base = self.kernels.choose(rng)
            stage = rng.choice(STAGES)
            name, text = f"{base.name}.{stage}", self.print(base, stage) or text
        return name, self.mutator.mutant(rng, text), []

    def print(self, base, stage):
        key = base.name, stage
        if key not in self.printed:
            path = os.path.join(self.options.folder, f"{base.name}.{threading.get_ident()}.cpp")
            with open(path, "w") as file:
                file.write(sources.text_of(base.tokens))
            tegulac = os.path.join(self.options.build, "bin", "tegulac")
            command = [tegulac, f"--emit={stage}", "--arch=sm_90a", f"-I{base.folder}", path, "-o", "-"]
            done = subprocess.run(command, capture_output=True, text=True)
            os.remove(path)
            self.printed[key] = done.stdout if done.returncode == 0 else ""
        return self.printed[key]

    def compile(self, rng, path, text, flags):
        how = rng.choice(["ptx", "ptx", "cpu", "stub", "opt", "split"])
        tools = os.path.join(self.options.build, "bin")
        if how in ("opt", "split"):
            command = [os.path.join(tools, "tegula-opt"), path] + (["--tile-split"] if how == "split" else [])
        else:
            output = path[:-len(self.suffix)] + ".out"
            command = [os.path.join(tools, "tegulac"), f"--emit={how}", "--arch=sm_90a", path, "-o", output]
        status, said, seconds = verdicts.run(command, self.options.folder)
        verdict = verdicts.judge(status, said, path, text.count("\n") + 1, is_ir=True)
        verdict.seconds = seconds
        return verdict, " ".join(command) + "\n" + said


KINDS = {"cpp": Cpp, "mlir": Ir}


def run(kind, options):
    """How mutants ended: counts of verdicts, and, by signature, those that ended badly."""
    maker = KINDS[kind](options)
    counts, failures, lock = collections.Counter(), collections.defaultdict(list), threading.Lock()

    def one(number):
        rng = random.Random(f"{kind} {options.seed} {number}")
        base, text, flags = maker.make(rng)
        path = os.path.join(options.folder, f"m{number}{maker.suffix}")
        with open(path, "w") as file:
            file.write(text)
        verdict, said = maker.compile(rng, path, text, flags)
        with lock:
            counts[verdict.kind] += 1
            if options.verbose:
                print(f"{number} {base} {verdict.seconds:.2f} s {verdict.kind}: {verdict.message[:160]}", flush=True)
            if verdict.is_failure:
                failures[verdict.signature].append(number)
                if len(failures[verdict.signature]) <= options.most:
                    keep(number, base, text, verdict, said)
        for left in glob.glob(os.path.join(options.folder, f"m{number}.*")):
            os.remove(left)

    def keep(number, base, text, verdict, said):
        name = f"{kind}-{options.seed}-{number}"
        with open(os.path.join(options.keep, name + maker.suffix), "w") as file:
            file.write(text)
        with open(os.path.join(options.keep, name + ".said"), "w") as file:
            file.write(f"{base}\n{verdict.signature}\n{said}")
        print(f"{name} ({base}) {verdict.signature}", flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in pool.map(one, range(options.first, options.first + options.count)):
            pass
    return counts, failures
