# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the public headers as their users do: what is declared, and what is said of it.

    reference.py FILE      prints what Doxygen is to see of a header, or of README.md, whose table groups the headers

The headers are written for two readers, tegulac and people: bodies, constraints and refusals (TEGULA_REFUSED) are for the
former, and so is what is in namespace detail. For people there are a comment in front of a header's code, and one in front of each declaration or of
several that follow each other without an empty line. Such a family shares it.
"""
import dataclasses
import html
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LANGUAGE = ROOT / "include/tegula/language"
RUNTIME = [ROOT / "include/tegula" / name for name in ("array.h", "types.h", "runtime.h")]
CLOSING = {"(": ")", "{": "}", "[": "]"}


@dataclasses.dataclass
class Declaration:
    name: str
    kind: str  # function, type, concept, constant
    text: str  # without body, constraints and what is internal
    comment: list  # lines, of the family
    line: int
    is_own: bool  # the comment stands directly in front of it


def public_headers():
    """Those that declare something besides namespace detail."""
    return sorted(path for path in LANGUAGE.glob("*.h") if path.name != "version.h")


def matching(text, start):
    """Behind the bracket that closes the one at `start`."""
    depth, i = 0, start
    while i < len(text):
        c = text[i]
        if c == '"':
            i = re.compile(r'"(?:\\.|[^"\\])*"').match(text, i).end()
            continue
        if text.startswith("//", i):
            i = text.index("\n", i)
        elif c in "({[":
            depth += 1
        elif c in ")}]":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    raise ValueError(f"nothing closes {text[start:start + 40]!r}")


def matching_angle(text, start):
    depth, i = 0, start
    while True:
        if text[i] in "([{":
            i = matching(text, i)
            continue
        depth += {"<": 1, ">": -1}.get(text[i], 0)
        i += 1
        if depth == 0:
            return i


def arguments(text):
    """`a, (b, c), d` -> three of them."""
    result, i, start = [], 0, 0
    while i < len(text):
        if text[i] in "([{":
            i = matching(text, i)
            continue
        if text[i] == ",":
            result.append(text[start:i].strip())
            start = i + 1
        i += 1
    return result + [text[start:].strip()]


def expand(text):
    """Macros of the header that declare functions, written out on one line each; all other preprocessing goes."""
    macros, lines = {}, []
    source = iter(text.split("\n"))
    for line in source:
        if not re.match(r"\s*#", line):
            lines.append(line)
            continue
        taken = [line]
        while taken[-1].rstrip().endswith("\\"):
            taken.append(next(source))
        lines += [""] if line.startswith(("#ifdef", "#if ")) else ["\0"]
        lines += ["\0"] * (len(taken) - 1)
        whole = " ".join(part.rstrip(" \\").strip() for part in taken)
        definition = re.match(r"#define (\w+)(?:\(([\w, .]*)\))?\s+(.*)", whole)
        if definition and definition[1] != "TEGULA_REFUSED":
            parameters = [p.strip() for p in definition[2].split(",")] if definition[2] is not None else None
            macros[definition[1]] = (parameters, definition[3])

    def replaced(line):
        use = re.match(r"(\s*)(\w+)", line)
        if not use or use[2] not in macros:
            return line
        parameters, body = macros[use[2]]
        if parameters is None:
            return body
        if "(" not in line:
            return line
        values = dict(zip(parameters, arguments(line[line.index("(") + 1:line.rindex(")")])))
        body = re.sub(r"#(\w+)", lambda m: f'"{values[m[1]]}"' if m[1] in values else m[0], body)
        return re.sub(r"\b(?:%s)\b" % "|".join(map(re.escape, values)), lambda m: values[m[0]], body) if values else body

    return "\n".join(replaced(line) for line in lines)


def without_constraints(head):
    """Without `requires` and its condition."""
    while found := re.search(r"\brequires\s*", head):
        i = found.end()
        if head.startswith("requires", i):
            i += len("requires ")
        while i < len(head) and head[i] in " (&|":  # requires(a) and requires requires(V v) { ... }
            i = matching(head, i) if head[i] == "(" else i + 1
        if i < len(head) and head[i] == "{":
            i = matching(head, i)
        head = head[:found.start()] + " " + head[i:]
    return head


def simplified(head):
    """As a person would declare it."""
    head = without_constraints(head)
    head = re.sub(r"__remove_const\((\w+)\)", r"\1", head)
    head = re.sub(r"(?: : | = )detail::[^;{]*(?=;|$)", "", head)  # bases and initialisers
    head = re.sub(r"\b(?:constexpr|consteval|inline|explicit|noexcept|\[\[\w+\]\])\s*(?:\(\w+\))?", lambda m: "explicit "
                  if m[0].startswith("explicit") else "", head)
    head = re.sub(r"\b(?:detail::\w+|index_like|tile_like|ref_like|scalar|value|gmem_ref|smem_ref)(\s*\.\.\.)?(?=\s+\w+\s*[,>=])", r"class\1", head)
    head = re.sub(r"\bclass\s*\.\.\.(?=\w)", "class... ", head)
    while "detail::" in head:  # What is computed of the arguments' types.
        i = head.index("detail::")
        end = re.compile(r"(?:typename )?detail::[\w:]+").match(head, i).end()
        if head.startswith("<", end):
            end = matching_angle(head, end)
        end = re.compile(r"(?:::\w+)*").match(head, end).end()
        begin = i - len("typename ") if head[:i].endswith("typename ") else i
        head = head[:begin] + "auto" + head[end:]
    return re.sub(r"\s+", " ", head).strip()


def end_of_declaration(text, i):
    """(where the head ends, where the declaration ends)."""
    head_end = None
    while True:
        c = text[i]
        if c == ";":
            return head_end if head_end is not None else i, i + 1
        if c == "{" and not text[i - 1].isspace():  # of an expression
            i = matching(text, i)
        elif c == "{":
            behind = matching(text, i)
            is_type = re.match(r"\s*;", text[behind:])
            head_end = i if head_end is None else head_end
            if is_type:
                return head_end, behind + is_type.end()
            if re.match(r"\s*,", text[behind:]):  # an initialiser of a constructor
                i = behind
                continue
            return head_end, behind
        elif c in "([":
            i = matching(text, i)
        elif c == '"':
            i = re.compile(r'"(?:\\.|[^"\\])*"').match(text, i).end()
        else:
            i += 1


def name_of(head):
    bare = head
    while found := re.match(r"\s*(?:template\s*<)", bare):
        bare = bare[matching_angle(bare, found.end() - 1):]
        bare = without_constraints(bare) if bare.lstrip().startswith("requires") else bare
    bare = bare.strip()
    for kind, pattern in (("type", r"(?:struct|class|enum class|enum|union)\s+(\w+)"), ("type", r"using\s+(\w+)\s*="),
                          ("concept", r"concept\s+(\w+)")):
        if found := re.match(pattern, bare):
            return found[1], kind
    if found := re.search(r"(operator\s*(?:\(\)|\[\]|bool|[^\s\w(]+|array<[^>]*>|\w+))\s*\(", bare):
        return found[1], "function"
    while "<" in bare and (angle := bare.index("<")) < bare.find("("):
        bare = bare[:angle] + bare[matching_angle(bare, angle):]
    if found := re.match(r"[^=(]*?(~?\w+)\s*\(", bare):
        return found[1], "function"
    found = re.search(r"(\w+)\s*(?:=.*|\[.*)?$", bare.split("=")[0].split("{")[0].strip())
    return (found[1] if found else ""), "constant"


def members(body):
    """What a type shows, line by line: [(comment, text)]."""
    return [(d.comment if d.is_own else [], d.text) for d in scan(body, inside=True)]


def scan(text, inside=False):
    """The declarations of a scope, of all named scopes but detail and abi."""
    result, comment, i, is_public = [], [], 0, True
    family = []
    while i < len(text):
        line_end = text.find("\n", i)
        line_end = len(text) if line_end < 0 else line_end
        line = text[i:line_end]
        stripped = line.strip()
        if not stripped or stripped == "\0":
            if not stripped:
                comment, family = [], []
            i = line_end + 1
            continue
        if stripped.startswith("//"):
            if stripped.startswith("///"):
                comment = comment + [stripped[3:]]
            i = line_end + 1
            continue
        i += len(line) - len(line.lstrip())
        if access := re.match(r"(public|private|protected):", text[i:]):
            is_public, i = access[1] == "public", i + access.end()
            continue
        if space := re.match(r"namespace ([\w:]+)\s*\{", text[i:]):
            behind = matching(text, i + space.end() - 1)
            if space[1] not in ("detail", "abi", "tegula::detail"):
                within = text[i + space.end():behind - 1]
                first_line = text.count("\n", 0, i + space.end())
                for d in scan(within):
                    d.line += first_line
                    if space[1] != "tegula":
                        d.name = f"{space[1]}::{d.name}"
                    result.append(d)
            i, comment, family = behind, [], []
            continue
        head_end, end = end_of_declaration(text, i)
        head, line = text[i:head_end], text.count("\n", 0, i) + 1
        whole = text[i:end]
        rest = text[head_end:end]
        is_type = re.match(r"(?:template\s*<.*?>\s*)*(?:requires.*?\)\s*)?(?:struct|class|enum|union)\b", re.sub(r"\s+", " ", head))
        behind = text.find("\n", end)
        i = behind + 1 if behind >= 0 and not text[end:behind].strip() else end
        if head.startswith(("static_assert", "friend", "extern", "struct CU")) or not is_public or "TEGULA_REFUSED" in head or \
                "= default" in whole and "()" not in whole or "= delete" in whole or "operator=" in head and inside:
            continue
        if comment:
            family = comment
        is_specialised = is_type and re.search(r"(?:struct|class)\s+\w+\s*<", re.sub(r"\s+", " ", head))
        is_forward = is_type and rest.strip() == ";" and not comment
        is_elsewhere = re.search(r">::\w+\(", head) or "static constexpr detail::" in head or "->" in whole and is_type is None and "(" in head and rest == ";"
        if is_forward or is_specialised or is_elsewhere:
            comment = []
            continue
        name, kind = name_of(head)
        shown = simplified(re.sub(r"//[^\n]*", "", head))
        if kind == "function":
            parenthesis = shown.find("(", shown.index(name) + len(name)) if name in shown else shown.find("(")
            closed = matching(shown, parenthesis)
            tail = " const" if re.match(r"\s*const\b", shown[closed:]) else ""
            shown = shown[:closed] + tail + ";"
        elif kind == "type" and is_type and rest.startswith("{"):
            body = rest[1:rest.rindex("}")]
            if re.search(r"\benum\b", head):
                shown += " {" + body.replace("\0", "") + "};"
            else:
                shown += " {\npublic:\n" + "\n".join(written(c) + t for c, t in members(body)) + "\n};"
        else:
            shown = simplified(re.sub(r"//[^\n]*", "", whole))
        result.append(Declaration(name, kind, shown, family, line, bool(comment)))
        comment = []
    return result


def description(text):
    """The comment in front of the code."""
    lines = text[:text.index("#pragma once") if "#pragma once" in text else text.index("#ifndef")].strip().split("\n")
    return [line[2:] for line in lines[1:] if line.startswith("//")]


def declarations(path):
    text = path.read_text()
    code = text[text.index("#pragma once"):] if "#pragma once" in text else text
    before = text.count("\n", 0, len(text) - len(code))
    found = scan(expand(code))
    for d in found:
        d.line += before
    return found


# ----- What Doxygen is given -----

def escaped(line):
    line = re.sub(r"([\\@<>&#%$])", r"\\\1", line)
    return re.sub(r"`([^`]*)`", r"<tt>\1</tt>", line)


def paragraphs(lines):
    """Text as it is, with what is indented as code, lists as lists, and `Cost:` as a section."""
    result, code, in_list = [], [], False

    def flush():
        if code:
            language = "cpp" if any("tg::" in line or line.endswith(";") for line in code) else "unparsed"
            result.extend([f"@code{{.{language}}}", *code, "@endcode"])
            code.clear()

    for line in lines:
        item = re.match(r"\s{2,}\* (.*)", line)
        if item and not re.match(r"\s+\* of ", line):
            flush()
            in_list = True
            result.append("- " + escaped(item[1]))
        elif in_list and re.match(r"\s{4,}\S", line):
            result.append("  " + escaped(line.strip()))
        elif re.match(r"\s{3,}\S", line):
            in_list = False
            code.append(line[3:])
        elif code and not line.strip():
            code.append("")
        else:
            flush()
            if in_list and line.strip():
                in_list = False
                result.append("")
            cost = re.match(r"\s*Cost: (.*)", line)
            result.extend(["", "@par Cost", escaped(cost[1])] if cost else [escaped(line.strip())])
    flush()
    return result


def written(lines):
    return "".join(f"/// {line}\n" for line in paragraphs(lines)) if lines else ""


def groups():
    """The rows of the table in README.md: [(title, headers, text)]."""
    text = (ROOT / "README.md").read_text()
    table = text[text.index("in `include/tegula/language/`"):].split("\n\n")[0]
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.split("\n")[2:]]
    return [(title, re.findall(r"`(\w+\.h)`", headers), text) for title, headers, text in rows]


def identifier(title):
    return "group_" + re.sub(r"\W+", "_", title)


def shown_groups():
    result = []
    for title, headers, text in groups():
        result += [f"/** @defgroup {identifier(title)} {title[0].upper() + title[1:]}", escaped(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)), "*/"]
    result += ["/** @defgroup group_runtime The host library",
               "Arrays, buffers, streams and devices of the programs that call kernels; generated headers include it: tegula/runtime.h.", "*/"]
    return "\n".join(result)


def shown_header(path):
    text = path.read_text()
    is_language = path.parent == LANGUAGE
    parent = "group_runtime"
    if is_language:
        parent = next((identifier(title) for title, headers, _ in groups() if path.name in headers), None)
    name = f"header_{path.stem}"
    result = [f"/** @defgroup {name} {path.name}"] + ([f"@ingroup {parent}"] if parent else [])
    result += [""] + paragraphs(description(text)) + ["*/", f"namespace {'tg' if is_language else 'tegula'} {{"]
    for d in declarations(path):
        result += [f"/// @ingroup {name}", written(d.comment) + d.text] if d.kind != "concept" else []
    return "\n".join(result + ["}"])


def shown(path):
    if path.name == "README.md":
        return shown_groups()
    if path.name == "tegula.h":
        return "\n".join(["/** @mainpage The language", "", *paragraphs(description(path.read_text())), "*/"])
    return shown_header(path)


if __name__ == "__main__":
    print(shown(pathlib.Path(sys.argv[1]).resolve()))
