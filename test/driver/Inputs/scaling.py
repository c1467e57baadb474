# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of one kind, as short, twice as long, and very long: compiling takes no more than in proportion, and ends.

    scaling.py TEGULAC FOLDER

A kind is compiled at a length and at four times that, and the processor time of both, above that of a one-line program, is
compared. Linear growth takes it four times, quadratic growth sixteen times. The limit lies between, because on a busy
machine the same program takes up to twice as long, and the longer of two programs rarely meets a quiet moment.
"""
import os
import resource
import subprocess
import sys

LONGER, MOST_GROWTH, NOISE, TRIES = 4, 10, 0.2, 4

HEAD = "#include <tegula/tegula.h>\nnamespace tg = tegula;\n"
BLOCKS = """TEGULA_KERNEL void f(tg::array<const float, 1> x, tg::array<float, 1> o, int n) {
  tg::check(x.dim(0) == o.dim(0), "x and o differ in length");
  tg::pallas_call({.grid = {tg::cdiv(x.dim(0), 256)}}, [=](auto x, auto o) {
    %s
  }, tg::in<256>(x, [](auto i) { return tg::index(i); }), tg::out<256>(o, [](auto i) { return tg::index(i); }));
}
"""
ROWS = """TEGULA_KERNEL void f(tg::array<const float, 2> x, tg::array<float, 2> o, int n) {
  tg::check(x.dim(0) == o.dim(0) && x.dim(1) == o.dim(1), "x and o differ in shape");
  tg::pallas_call({.grid = {x.dim(0)}}, [=](auto x, auto o) {
    %s
  }, tg::in<tg::squeezed, tg::whole>(x, [](auto i) { return tg::index(i, 0); }),
     tg::out<tg::squeezed, tg::whole>(o, [](auto i) { return tg::index(i, 0); }));
}
"""


def lines(count, line):
    return "\n".join(line.replace("@", str(i)) for i in range(count))


def blocks(first, line, last):
    return lambda n: HEAD + BLOCKS % f"{first}\n{lines(n, line)}\n{last}"


def rows(first, line, last):
    return lambda n: HEAD + ROWS % f"{first}\n{lines(n, line)}\n{last}"


def helper_returns(n):
    return HEAD + "inline float h(int n) {\n" + lines(n, "if (n == @) return @.5f;") + "\nreturn 1.0f; }\n" + BLOCKS % "o[tg::all] = x[tg::all] * h(n);"


def brackets(n):
    return HEAD + BLOCKS % f"auto t = x[tg::all]; o[tg::all] = {'(t + ' * n}t{')' * n};"


def terms(n):
    return HEAD + BLOCKS % ("o[tg::all] = x[tg::all]" + lines(n, " + @.0f * x[tg::all]") + ";")


def else_ifs(n):
    return HEAD + BLOCKS % ("float s = 0;\n" + lines(n, "if (n == @) s = @.5f; else") + " s = 1;\no[tg::all] = x[tg::all] * s;")


KINDS = {
    "statements": blocks("auto v = x[tg::all];", "v = v * @.5f + x[tg::all];", "o[tg::all] = v;"),
    "static_for": lambda n: HEAD + BLOCKS % f"auto v = x[tg::all]; tg::static_for<{n}>([&](auto i) {{ v = v * float(i + 2) + x[tg::all]; }}); o[tg::all] = v;",
    "terms": terms,
    "brackets": brackets,
    "loops": blocks("auto v = x[tg::all];", "for (int i = 0; i < n; ++i) v = v * @.5f + 1.0f;", "o[tg::all] = v;"),
    "loops of rows": rows("auto v = x[tg::all];", "for (int i = 0; i < n; ++i) v = v * @.5f + 1.0f;", "o[tg::all] = v;"),
    "sums": rows("float s = 0;", "s += tg::sum(x[tg::all] * @.5f);", "o[tg::all] = x[tg::all] * s;"),
    "divisions": blocks("auto v = x[tg::all];", "v = x[tg::all] / (v + @.5f);", "o[tg::all] = v;"),
    "returns": blocks("", "if (n == @) return;", "o[tg::all] = x[tg::all];"),
    "returned values": helper_returns,
    "continues": blocks("auto v = x[tg::all]; for (int i = 0; i < n; ++i) {", "if (i == 3 * @) continue;", "v = v + 1.0f; }\no[tg::all] = v;"),
    "breaks": blocks("auto v = x[tg::all]; for (int i = 0; i < n; ++i) {", "v = v + @.0f; if (i == 3 * @) break;", "}\no[tg::all] = v;"),
    "cases": blocks("float s = 0; switch (n) {", "case @: s = @.5f; break;", "default: s = 1; }\no[tg::all] = x[tg::all] * s;"),
    "branches": blocks("float s = 0;", "if (n > @) s += @.5f;", "o[tg::all] = x[tg::all] * s;"),
    "branches of tiles": blocks("auto v = x[tg::all];", "if (n > @) v = v + @.5f;", "o[tg::all] = v;"),
    "else if": else_ifs,
}
# The longer program takes about a second.
GROWTH = [("statements", "cpu", 300), ("sums", "tile-split", 40), ("sums", "ptx", 30), ("loops", "tile-split", 120), ("divisions", "cubin", 40), ("returns", "cpu", 300), ("returned values", "cpu", 300),
          ("continues", "cpu", 300), ("cases", "cpu", 400)]
# These overflowed the stack, or took minutes.
LONG = [("statements", "cpu", 4000), ("static_for", "cpu", 3000), ("branches", "ptx", 1000), ("brackets", "cpu", 1000), ("continues", "cpu", 4000), ("cases", "cpu", 2000), ("else if", "tile", 500)]
# What is refused, and how.
REFUSED = [("brackets", 5000, "brackets nest up to 4096 deep, and a pack has up to 4096 elements: compute parts of this expression in variables or functions")]


class Compiler:
    def __init__(self, tegulac, folder):
        self.tegulac, self.folder, self.number = tegulac, folder, 0
        os.makedirs(folder, exist_ok=True)

    def run(self, kind, emit, length):
        """The seconds of the processor that it took, and what it said."""
        self.number += 1
        source = os.path.join(self.folder, f"k{self.number}.cpp")
        with open(source, "w", encoding="utf-8") as file:
            file.write(KINDS[kind](length))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.run([self.tegulac, f"--emit={emit}", "--arch=sm_90a", source, "-o", os.path.join(self.folder, "out")], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime - before.ru_utime, run.returncode, run.stderr

    def seconds(self, kind, emit, length):
        seconds, code, text = self.run(kind, emit, length)
        if code:
            raise SystemExit(f"{kind}, {length}, {emit}: exit status {code}: {text[:400]}")
        return seconds


def growth(compiler, kind, emit, length):
    """How many times as long LONGER times the length takes, and whether that is more than noise explains."""
    least = {size: float("inf") for size in (1, length, LONGER * length)}
    for _ in range(TRIES):
        for size in least:
            least[size] = min(least[size], compiler.seconds(kind, emit, size))
        short, long = least[length] - least[1], least[LONGER * length] - least[1]
        if long <= MOST_GROWTH * short + NOISE:
            return long / max(short, 0.01), False
    return long / max(short, 0.01), True


def main():
    compiler = Compiler(sys.argv[1], sys.argv[2])
    faults = 0
    for kind, emit, length in GROWTH:
        ratio, fault = growth(compiler, kind, emit, length)
        print(f"{kind}, {emit}: {LONGER * length} take {ratio:.1f} times the time of {length}{': a fault' if fault else ''}")
        faults += fault
    for kind, emit, length in LONG:
        compiler.seconds(kind, emit, length)
    for kind, length, message in REFUSED:
        _, code, text = compiler.run(kind, "tile", length)
        if code != 1 or message not in text:
            faults += 1
            print(f"{kind}, {length}: exit status {code}: {text[:400]}")
    print(f"{len(GROWTH)} kinds grow, {len(LONG)} are long, {faults} faults")


main()
