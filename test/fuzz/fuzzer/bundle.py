# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs random programs, compiled for a GPU, into a folder that runs elsewhere: test/fuzz/bundle-run.sh says how."""
import concurrent.futures
import gzip
import importlib
import os
import shutil
import subprocess
import time

from . import campaign, cases
from .programs import generate

ARCH = "sm_90a"
CHUNK = {"tiles": 240, "explicit": 100, "products": 60, "chains": 40, "models": 100}  # programs that are generated for a batch; splitting refuses some
# Operations of a program's kernels. ptxas takes longer than all the rest for the few programs that have most of them:
# one batch in eight takes those, too.
MOST, MOST_LARGE = 1200, 4000


# Of programs in C++, each a module; that of models needs numpy.
WRITERS = ["explicit", "products", "chains", "models"]


def writer(kind):
    return importlib.import_module("." + kind, __package__)


class Failure(Exception):
    pass


def call(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        raise Failure(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr.strip()[-3000:]}")
    return done.stdout


def programs_of(tools, seed, kind, number, crashed):
    """The entries of a batch, as text, and the suffix of their file."""
    first, size = number * CHUNK[kind], CHUNK[kind]
    if kind in WRITERS:
        return writer(kind).generate(seed, size, first), ".cpp"
    most = MOST_LARGE if number % 8 == 7 else MOST
    return campaign.accepted(tools.printer, generate(seed, size, first, as_driver=True), most, crashed), ".mlir"


def compile_entries(tools, base, text, suffix):
    """Makes the stub BASE.cpp of the entries, less those that tegulac refuses: their messages, by name."""
    source = base + ".kernels" + suffix
    with open(source, "w") as file:
        file.write(text)
    command = [os.path.join(tools.build, "bin", "tegulac"), "--arch", ARCH, "-o", base, source]
    entries = cases.split(text)
    if not entries:
        return "", {}
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=campaign.limit_memory)
    if done.returncode == 0:
        return text, {}
    if len(entries) == 1:
        return "", {entries[0][0]["name"]: done.stderr.strip()[-3000:]}
    head, middle = text[:text.index(cases.CASE)], len(entries) // 2
    kept, refused = head, {}
    for half in (entries[:middle], entries[middle:]):
        part, words = compile_entries(tools, base, head + "".join(text for _, text in half), suffix)
        kept += part[len(head):]
        refused.update(words)
    if len(refused) == len(entries):
        return "", refused
    again, more = compile_entries(tools, base, kept, suffix)
    return again, {**refused, **more}


def build_batch(tools, folder, seed, kind, number, harness):
    """Builds a batch, if it is not there yet: how many programs it has, what tegulac refused, and what
    it crashed on."""
    name = f"{kind}_{number:03}"
    packed, count = os.path.join(folder, "programs", name + ".gz"), os.path.join(folder, "programs", name + ".count")
    if os.path.exists(count):
        with open(count) as file:
            return name, int(file.read()), {}, {}
    work = os.path.join(work_of(folder), name)
    os.makedirs(work, exist_ok=True)
    base = os.path.join(work, name)
    crashed = {}
    text, suffix = programs_of(tools, seed, kind, number, crashed)
    text, refused = compile_entries(tools, base, text, suffix)
    descriptions = [description for description, _ in cases.split(text)] if text else []
    if descriptions:
        data = None
        if kind == "models":
            data = base + ".data"
            known = importlib.import_module(".known", __package__)
            descriptions = known.write_data([known.case_of(d["name"]) for d in descriptions], data)
        with open(base + ".table.cpp", "w") as file:
            file.write(cases.table(descriptions, [name + ".h"], "fuzz", "fuzz", device="gpu", data=data))
        objects, words = campaign.compile_all(tools, [base + ".cpp", base + ".table.cpp"], 1)
        if words:
            raise Failure(words[-3000:])
        call([tools.cxx, *objects, harness, tools.runtime, "-Wl,--gc-sections", "-s", "-pthread", "-ldl", "-o", base])
        pack(base, packed)
        with open(os.path.join(work, "source"), "w") as file:
            file.write(text)
        pack(os.path.join(work, "source"), os.path.join(folder, "sources", name + ".gz"))
    with open(count, "w") as file:
        file.write(f"{len(descriptions)}\n")
    shutil.rmtree(work)
    return name, len(descriptions), refused, crashed


def work_of(folder):
    """Beside the folder, which thus holds nothing but what runs, at any time."""
    return folder + ".work"


def pack(source, target):
    with open(source, "rb") as plain, gzip.GzipFile(target + ".part", "wb", 9, mtime=0) as packed:
        shutil.copyfileobj(plain, packed)
    os.replace(target + ".part", target)


def build(tools, folder, seed, count, shares, jobs):
    """Fills the folder with at least `count` programs, with the shares of the kinds in C++; what it has already is not
    built again. Gives how many programs there are, the refusals, and what the compiler crashed on."""
    for part in ("programs", "sources", "lib"):
        os.makedirs(os.path.join(folder, part), exist_ok=True)
    shutil.rmtree(work_of(folder), ignore_errors=True)
    os.makedirs(work_of(folder))
    for name in ("libstdc++.so.6", "libgcc_s.so.1"):
        library = call([tools.cxx, "-print-file-name=" + name]).strip()
        call(["strip", "-o", os.path.join(folder, "lib", name), os.path.realpath(library)])
    shutil.copy(os.path.join(campaign.HERE, "bundle-run.sh"), os.path.join(folder, "run"))
    harness = campaign.harness_object(tools, os.path.join(work_of(folder), "any"))
    start, refused, crashed, built = time.time(), {}, {}, dict.fromkeys(CHUNK, 0)
    wanted = {kind: round(count * share) for kind, share in shares.items()}
    wanted["tiles"] = count - sum(wanted.values())
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running, numbers = {}, dict.fromkeys(CHUNK, 0)

        def expected(kind):
            mean = built[kind] / max(1, numbers[kind] - sum(k == kind for k in running.values()))
            return built[kind] + mean * sum(k == kind for k in running.values())

        while True:
            while len(running) < jobs:
                kind = next((kind for kind in ("models", "chains", "products", "explicit", "tiles") if expected(kind) < wanted[kind]), None)
                if kind is None:
                    break
                running[pool.submit(build_batch, tools, folder, seed, kind, numbers[kind], harness)] = kind
                numbers[kind] += 1
            if not running:
                break
            done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                kind = running.pop(future)
                name, size, words, crashes = future.result()
                built[kind] += size
                refused.update(words)
                crashed.update(crashes)
                print(f"{time.time() - start:6.0f} s  {name}: {size} programs, {sum(built.values())} in all", flush=True)
                for program, message in words.items():
                    print(f"refused {program}: {message}", flush=True)
    shutil.rmtree(work_of(folder))
    return sum(built.values()), refused, crashed

