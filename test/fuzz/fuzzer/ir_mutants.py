# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes of tile IR as text: what nobody prints, and tegulac is given all the same."""
import glob
import os
import re

NUMBERS = [
    "0", "1", "-1", "2", "3", "7", "8", "31", "32", "33", "64", "100", "127", "128", "255", "256", "1000", "4096",
    "65536", "1048576", "2147483647", "-2147483648", "4294967296", "9223372036854775807", "-9223372036854775808",
    "18446744073709551616", "0x7FC00000", "1.5", "?",
]
TYPES = [
    "i1", "i8", "i16", "i32", "i64", "i128", "i7", "ui8", "ui32", "ui64", "si32", "f16", "bf16", "f32", "f64",
    "f128", "f8E4M3FN", "f8E5M2", "index", "none", "!tile.stored<s4>", "tensor<4xf32>", "tensor<4x8xf16>",
    "tensor<f32>", "tensor<?xf32>", "tensor<0xf32>", "tensor<*xf32>", "vector<4xf32>", "!llvm.ptr",
    "!tile.ref<f32, [4]>", "!tile.ref<f32, []>", "!tile.array<f32, 1>", "!tile.array<f32, 0>", "tuple<>",
    "complex<f32>", "memref<4xf32>",
]
SIZES = ["0x", "1x", "2x", "3x", "16x", "100x", "1024x", "4096x", "?x", "2147483648x", "9223372036854775807x", "", "4x4x"]
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|%[\w$.#:]+|@[\w$.]+|\^\w+|![\w.]+|-?\d[\w.]*(?:[+-]\d+)?|'
                   r'[A-Za-z_][\w.$]*|->|//[^\n]*|\s+|.', re.DOTALL)
OP = re.compile(r"(tile|scf|arith|math|cf|func|llvm)\.\w")
NUMBER = re.compile(r"-?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)$")
TYPE = re.compile(r"(?:[us]?i\d+|b?f\d+\w*|index|tensor|memref|vector)$")
BRACKETS = r"\{[^{}\n]*\}|<[^<>\n]*>|\[[^\[\]\n]*\]|\([^()\n]*\)"
WORDS = re.compile(r"[a-z_]+$")


def modules_of(path):
    """The modules of a test: what `// -----` divides."""
    with open(path) as file:
        text = file.read()
    result = []
    for part in re.split(r"^// -----.*\n", text, flags=re.MULTILINE):
        lines = [line for line in part.split("\n") if not line.lstrip().startswith("//")]
        if any("tile." in line or "func" in line for line in lines):
            result.append("\n".join(lines).strip("\n") + "\n")
    return result


def all_modules(root):
    result = []
    for path in sorted(glob.glob(os.path.join(root, "test", "**", "*.mlir"), recursive=True)):
        name = os.path.relpath(path, os.path.join(root, "test"))[:-len(".mlir")].replace(os.sep, ".")
        result += [(f"{name}.{number}", text) for number, text in enumerate(modules_of(path))]
    return result


def split(text):
    return TOKEN.findall(text)


class Mutator:
    def __init__(self, modules):
        every = [token for _, text in modules for token in split(text)]
        self.ops = sorted({token for token in every if OP.match(token)})
        self.words = sorted({token for token in every if WORDS.match(token)})
        self.lines = sorted({line for _, text in modules for line in text.split("\n")
                             if line.startswith("  ") and not line.endswith("{")})
        self.changes = [(10, self.number), (6, self.type), (6, self.value), (4, self.op), (4, self.word),
                        (5, self.drop_line), (4, self.repeat_line), (3, self.swap_lines), (4, self.foreign_line),
                        (4, self.attribute), (4, self.token), (1, self.truncate), (4, self.shape), (2, self.swap),
                        (2, self.clause)]

    def mutant(self, rng, text):
        count = 1
        while count < 5 and rng.random() < 0.4:
            count += 1
        weights = [weight for weight, _ in self.changes]
        attempts = 0
        while count and attempts < 50:
            attempts += 1
            changed = rng.choices(self.changes, weights)[0][1](rng, text)
            if changed is not None and changed != text:
                text, count = changed, count - 1
        return text

    @staticmethod
    def replaced(rng, text, wanted, texts):
        tokens = split(text)
        places = [i for i, token in enumerate(tokens) if wanted(token)]
        if not places:
            return None
        tokens[rng.choice(places)] = rng.choice(texts(tokens) if callable(texts) else texts)
        return "".join(tokens)

    def number(self, rng, text):
        return self.replaced(rng, text, NUMBER.match, NUMBERS)

    def type(self, rng, text):
        return self.replaced(rng, text, lambda t: TYPE.match(t) or t.startswith("!"),
                             lambda tokens: TYPES + [t for t in tokens if TYPE.match(t)])

    def shape(self, rng, text):
        """A number within `tensor<4x8xf32>`, which is no token."""
        places = [m for m in re.finditer(r"(?<=[<x])(\d+)x", text)]
        if not places:
            return None
        match = rng.choice(places)
        new = rng.choice(SIZES)
        return text[:match.start()] + new + text[match.end():]

    def value(self, rng, text):
        return self.replaced(rng, text, lambda t: t.startswith("%"), lambda tokens: [t for t in tokens if t.startswith("%")])

    def op(self, rng, text):
        return self.replaced(rng, text, OP.match, self.ops)

    def word(self, rng, text):
        return self.replaced(rng, text, WORDS.match, self.words)

    @staticmethod
    def ranges(rng, lines):
        first = rng.randrange(len(lines))
        return first, first + 1 if rng.random() < 0.8 else rng.randint(first + 1, len(lines))

    def drop_line(self, rng, text):
        lines = text.split("\n")
        first, end = self.ranges(rng, lines)
        return "\n".join(lines[:first] + lines[end:])

    def repeat_line(self, rng, text):
        lines = text.split("\n")
        first, end = self.ranges(rng, lines)
        return "\n".join(lines[:end] + lines[first:])

    def swap_lines(self, rng, text):
        lines = text.split("\n")
        i, k = rng.randrange(len(lines)), rng.randrange(len(lines))
        lines[i], lines[k] = lines[k], lines[i]
        return "\n".join(lines)

    def foreign_line(self, rng, text):
        lines = text.split("\n")
        at = rng.randrange(len(lines) + 1)
        return "\n".join(lines[:at] + [rng.choice(self.lines)] + lines[at:])

    def attribute(self, rng, text):
        """Drops an attribute, or all in a pair of braces or angle brackets."""
        places = list(re.finditer(r"[\w.]+ = [^,{}\n]+, |, [\w.]+ = [^,{}\n]+|" + BRACKETS, text))
        if not places:
            return None
        match = rng.choice(places)
        return text[:match.start()] + text[match.end():]

    def clause(self, rng, text):
        """Repeats what stands in a pair of brackets, or puts it elsewhere."""
        places = list(re.finditer(BRACKETS, text))
        if len(places) < 2:
            return None
        source, target = rng.choice(places), rng.choice(places)
        return text[:target.start()] + source.group() + text[target.end():]

    def token(self, rng, text):
        tokens = split(text)
        places = [i for i, token in enumerate(tokens) if token.strip()]
        if not places:
            return None
        i = rng.choice(places)
        tokens[i:i + 1] = [] if rng.random() < 0.6 else [tokens[i], " ", tokens[i]]
        return "".join(tokens)

    def swap(self, rng, text):
        """Two tokens of a line."""
        lines = text.split("\n")
        k = rng.randrange(len(lines))
        tokens = split(lines[k])
        places = [i for i, token in enumerate(tokens) if re.match(r"[\w%!\"]", token)]
        if len(places) < 2:
            return None
        i, j = rng.sample(places, 2)
        tokens[i], tokens[j] = tokens[j], tokens[i]
        return "\n".join(lines[:k] + ["".join(tokens)] + lines[k + 1:])

    def truncate(self, rng, text):
        return text[:rng.randrange(len(text))] if text else None
