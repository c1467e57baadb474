# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C++ kernels as tokens, and as small programs of one entry each: what mutants are made of."""
import os
import re
from dataclasses import dataclass

TOKEN = re.compile(r"""
    (?P<space>(?:\s|//[^\n]*|/\*.*?\*/)+)
  | (?P<directive>\#(?:[^\n\\]|\\.)*)
  | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.']) *)
  | (?P<name>(?:(?:tg|tegula|std)::)?[A-Za-z_]\w*)
  | (?P<sign>->|<<=|<=>|\+\+|--|&&|\|\||[<=>!+\-*/%&|^]=|<<|::|\.\.\.|.)
""".replace(r"[\w.']) *)", r"[\w.'])*)"), re.VERBOSE | re.DOTALL)

OPENS, CLOSES = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}


class Token(str):
    """The text of a token, and what stands in front of it: spaces, line ends, no comments."""
    __slots__ = ("before", "kind")

    def __new__(cls, text, before=" ", kind=None):
        self = super().__new__(cls, text)
        self.before = before
        self.kind = kind or next(iter(tokens_of(text))).kind
        return self

    def like(self, text):
        return Token(text, self.before)


def tokens_of(text):
    tokens, before, at = [], "", 0
    while at < len(text):
        match = TOKEN.match(text, at)
        at = match.end()
        kind = match.lastgroup
        if kind == "space":
            before += "\n" if "\n" in match.group() else " "
            continue
        tokens.append(Token(match.group(), before, kind))
        before = ""
    return tokens


def text_of(tokens):
    """Source text; what could become another token by what it meets is kept apart."""
    parts, last = [], ""
    for token in tokens:
        before = token.before
        if not before and last and (re.match(r"\w", token) and re.search(r"\w$", last) or token.kind == "directive"):
            before = "\n" if token.kind == "directive" else " "
        if last.startswith("#") and "\n" not in before:
            before = "\n"
        parts += [before, str(token)]
        last = str(token)
    return "".join(parts).strip("\n") + "\n"


def partners(tokens):
    """Where the bracket at an index has its other half, both ways. Angle brackets count behind a name that they touch."""
    found, stack = {}, []
    for i, token in enumerate(tokens):
        if token in OPENS:
            stack.append(i)
        elif token in CLOSES:
            while stack and tokens[stack[-1]] == "<":
                stack.pop()
            if stack and OPENS[tokens[stack[-1]]] == token:
                found[stack[-1]], found[i] = i, stack[-1]
                stack.pop()
        elif token == "<" and i and (tokens[i - 1].kind == "name") and (not token.before or tokens[i - 1] == "template"):
            stack.append(i)
        elif token == ">" and stack and tokens[stack[-1]] == "<":
            found[stack[-1]], found[i] = i, stack[-1]
            stack.pop()
        elif token in (";", "&&", "||"):
            while stack and tokens[stack[-1]] == "<":
                stack.pop()
    return found


def parts_between(tokens, found, start, end, separator=","):
    """The ranges between separators of one depth: [(first, behind the last)]."""
    parts, first, i = [], start, start
    while i < end:
        if i in found and found[i] > i:
            i = found[i]
        elif tokens[i] == separator:
            parts.append((first, i))
            first = i + 1
        i += 1
    if first < end or parts:
        parts.append((first, end))
    return parts


def statements(tokens, found, start, end):
    """The statements of a block, with what ends them."""
    result, first, i = [], start, start
    while i < end:
        ends = tokens[i] == ";"
        if i in found and found[i] > i:
            is_brace = tokens[i] == "{"
            i = found[i]
            after = tokens[i + 1] if i + 1 < end else ";"
            ends = is_brace and after not in (";", ",", ")", "(", ".", "else", "[", "while") and after.kind != "sign"
        if ends:
            result.append((first, i + 1))
            first = i + 1
        i += 1
    return result


def chunks(tokens):
    """The declarations of a file."""
    found = partners(tokens)
    result, first, i = [], 0, 0
    while i < len(tokens):
        token = tokens[i]
        if token.kind == "directive" and first == i:
            result.append(tokens[i:i + 1])
            first = i + 1
        elif i in found and found[i] > i:
            is_brace = token == "{"
            i = found[i]
            after = tokens[i + 1] if i + 1 < len(tokens) else ""
            if is_brace and after not in (";", ",", "(", "="):
                result.append(tokens[first:i + 1])
                first = i + 1
        elif token == ";":
            result.append(tokens[first:i + 1])
            first = i + 1
        i += 1
    return result


def declared(chunk):
    """The name that a declaration declares."""
    if chunk[0].kind == "directive":
        match = re.match(r"#\s*define\s+(\w+)", chunk[0])
        return match.group(1) if match else None
    found, i = partners(chunk), 0
    if chunk[0] == "TEGULA_INSTANTIATE":
        return None
    last = None
    while i < len(chunk):
        if chunk[i] in ("struct", "class", "enum", "union", "using", "concept", "namespace"):
            while i + 1 < len(chunk) and chunk[i + 1] in ("class", "struct", "namespace"):
                i += 1
            return str(chunk[i + 1])
        if chunk[i] in ("(", "=", "{", ";", "[") and last:
            return last
        if chunk[i] == "operator":
            return "operator"
        if chunk[i].kind == "name":
            last = str(chunk[i])
        if chunk[i] == "<" and i in found:
            i = found[i]
        i += 1
    return last


def names_in(tokens):
    return {part for token in tokens if token.kind in ("name", "directive") for part in re.findall(r"\w+", token)}


@dataclass
class Base:
    name: str
    folder: str  # of the file, whose headers it may include
    tokens: list


def bases_of(path):
    """A program for each entry of a file, with what the entry needs of the rest."""
    with open(path) as file:
        tokens = tokens_of(file.read())
    every = chunks(tokens)
    entries = [i for i, chunk in enumerate(every) if "TEGULA_KERNEL" in chunk]
    calls = [i for i, chunk in enumerate(every) if chunk[0] == "TEGULA_INSTANTIATE"]
    names = [declared(chunk) for chunk in every]
    result = []
    for entry in entries:
        mine = [i for i in calls if names[entry] in every[i]]
        if every[entry][0] == "template" and not mine:
            continue
        kept = {entry, *mine[:1]}
        needed = set().union(*(names_in(every[i]) for i in kept))
        changed = True
        while changed:
            changed = False
            for i, chunk in enumerate(every):
                if i in kept or i in calls:
                    continue
                always = chunk[0].startswith(("#include", "#pragma")) or names[i] in ("operator", "tg", "tegula") or \
                    (chunk[0] == "template" and "(" not in chunk) or chunk[0] == "using"
                if always or names[i] in needed:
                    kept.add(i)
                    needed |= names_in(chunk)
                    changed = True
        # Mutants lie in another folder, where the language is to be included first: precompiled, it takes no time.
        program = tokens_of("#include <tegula/tegula.h>\n")
        for i in sorted(kept):
            if "tegula/tegula.h" not in every[i][0]:
                program += every[i]
        result.append(Base(f"{os.path.splitext(os.path.basename(path))[0]}.{names[entry]}", os.path.dirname(path), program))
    return result
