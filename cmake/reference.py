# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the public headers as their users do: what is declared, and what is said of it.

    reference.py FILE      prints what Doxygen is to see of a header, or of a page; the table of include/tegula/README.md groups the headers

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
    members: list  # of a type: declarations


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
    head = re.sub(r"\b(?:constexpr|consteval|inline|noexcept)\b", "", head)
    concepts = r"\b(?:detail::\w+|\w+_like|\w+_ref|scalar|value)"
    head = re.sub(concepts + r"(\s*\.\.\.)?(?=\s+\w+\s*[,>=])", r"class\1", head)
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
    for kind, pattern in (("type", r"(?:struct|class|enum class|enum|union)\s+(?:\[\[\w+\]\]\s+)?(\w+)"), ("type", r"using\s+(\w+)\s*="),
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


def is_hidden(head, whole, inside):
    """What only tegulac, or only a compiler, is told."""
    if head.startswith(("static_assert", "friend", "extern")) or "TEGULA_REFUSED" in head or "= delete" in whole:
        return True
    if inside:  # Values are copied and assigned as those of any type; a default constructor is worth showing.
        return "operator=" in head or "= default" in whole and "()" not in whole or "static constexpr detail::" in head
    one_line = re.sub(r"\s+", " ", head)
    is_guide = re.match(r"template <[^>]*> \w+\(", head) and "->" in whole
    is_specialised = re.search(r"(?:struct|class) \w+ ?<", one_line)
    is_out_of_class = re.search(r">::\w+\(", head)
    return bool(is_guide or is_specialised or is_out_of_class)


def shown_as(name, kind, head, rest):
    """(the declaration without its body, the members of a type)."""
    shown = simplified(re.sub(r"//[^\n]*", "", head))
    if kind == "function":
        closed = matching(shown, re.search(rf"(?<!\w){re.escape(name)}\s*\(", shown).end() - 1)
        is_const = re.match(r"\s*const\b", shown[closed:])
        return shown[:closed] + (" const;" if is_const else ";"), []
    if kind != "type" or not rest.startswith("{"):
        return simplified(re.sub(r"//[^\n]*", "", head + rest)), []
    body = rest[1:rest.rindex("}")]
    if re.search(r"\benum\b", head):
        return shown + " {" + body.replace("\0", "") + "};", []
    members = scan(body, inside=True)
    lines = [written(m.comment if m.is_own else []) + m.text for m in members]
    return shown + " {\npublic:\n" + "\n".join(lines) + "\n};", members


def moved(declarations, lines, space=""):
    """As they stand in a text around theirs."""
    for d in declarations:
        d.line += lines
        d.name = space + d.name
        moved(d.members, lines)
    return declarations


def scan(text, inside=False):
    """The declarations of a scope, of all named scopes but detail and abi."""
    result, comment, family, i, is_public = [], [], [], 0, True
    while i < len(text):
        line_end = text.find("\n", i)
        line_end = len(text) if line_end < 0 else line_end
        line = text[i:line_end].strip()
        if not line or line == "\0" or line.startswith("//"):
            if not line:
                comment, family = [], []
            if line.startswith("///"):
                comment = comment + [line[3:]]
            i = line_end + 1
            continue
        i = text.index(line, i)
        if access := re.match(r"(public|private|protected):", line):
            is_public, i = access[1] == "public", i + access.end()
            continue
        if space := re.match(r"namespace ([\w:]+)\s*\{", text[i:]):
            begin, end = i + space.end(), matching(text, i + space.end() - 1)
            if space[1] not in ("detail", "abi", "tegula::detail"):
                prefix = "" if space[1] == "tegula" else f"{space[1]}::"
                result += moved(scan(text[begin:end - 1]), text.count("\n", 0, begin), prefix)
            i, comment, family = end, [], []
            continue
        begin, (head_end, end) = i, end_of_declaration(text, i)
        head, rest = text[begin:head_end], text[head_end:end]
        behind = text.find("\n", end)
        i = behind + 1 if behind >= 0 and not text[end:behind].strip() else end
        if not is_public or is_hidden(head, head + rest, inside):
            continue
        name, kind = name_of(head)
        if kind == "type" and rest.strip() == ";" and "using" not in head and not comment:  # declared ahead
            continue
        family = comment or family
        shown, members = shown_as(name, kind, head, rest)
        # Members are placed by the text behind the head's brace.
        moved(members, text.count("\n", 0, head_end))
        result.append(Declaration(name, kind, shown, family, text.count("\n", 0, begin) + 1, bool(comment), members))
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
    return moved(scan(expand(code)), before)


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
        if item:
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
    """The rows of the table in include/tegula/README.md: [(title, headers, text)]."""
    text = (ROOT / "include/tegula/README.md").read_text()
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
        if d.kind == "concept":
            continue
        space = d.name.rpartition("::")[0] if not d.name.startswith("operator") else ""
        shown = f"/// @ingroup {name}\n{written(d.comment)}{d.text}"
        result.append(f"namespace {space} {{\n{shown}\n}}" if space else shown)
    return "\n".join(result + ["}"])


# ----- Pages -----

def page_name(path):
    """README.md is the page of its folder; that of the tree is the main page."""
    parts = path.resolve().relative_to(ROOT).with_suffix("").parts if path.resolve().is_relative_to(ROOT) else (path.stem,)
    return "page_" + re.sub(r"\W", "_", "_".join(part for part in parts if part != "README")) if parts != ("README",) else "index"


def linked(text, path):
    """A line of Markdown in Doxygen's words."""
    def link(found):
        title, target = escaped(found[1]), found[2]
        if target.startswith("http"):
            return f'<a href="{target}">{title}</a>'
        file = (path.parent / target.split("#")[0]).resolve()
        file = file / "README.md" if file.is_dir() else file
        if file.suffix == ".md" and file.exists() and target[0] != "#":
            name = page_name(file)
            return f'<a href="{name}.html">{title}</a>'
        return title

    result, at = "", 0
    for found in re.finditer(r"(?<!!)\[([^]]*)\]\(([^)\s]*)\)", text):
        result += escaped(text[at:found.start()]) + link(found)
        at = found.end()
    return re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", result + escaped(text[at:]))


def table(rows, path):
    cells = [[cell.strip().replace("\0", "|") for cell in row.replace("\\|", "\0").strip().strip("|").split("|")] for row in rows]
    lines = ["<table>"]
    for i, row in enumerate(cells):
        if i == 1 or (i == 0 and not any(row)):  # the rule; a head without words
            continue
        kind = "th" if i == 0 else "td"
        lines.append("<tr>" + "".join(f"<{kind}>{linked(cell, path)}</{kind}>" for cell in row) + "</tr>")
    return [*lines, "</table>"]


def shown_page(path):
    lines, result, name = path.read_text().split("\n"), [], page_name(path)
    title = next(line[2:] for line in lines if line.startswith("# "))
    result.append(f"/** @mainpage {title}" if name == "index" else f"/** @page {name} {escaped(title)}")
    i, sections = 0, 0
    while i < len(lines):
        line = lines[i]
        if fence := re.match(r"```(\w*)", line):
            end = next(j for j in range(i + 1, len(lines)) if lines[j].startswith("```"))
            language = "{.cpp}" if fence[1] in ("cpp", "cuda") else "{.py}" if fence[1] == "python" else "{.unparsed}"
            result += [f"@code{language}", *(text.replace("*/", "* /") for text in lines[i + 1:end]), "@endcode"]
            i = end + 1
            continue
        if line.startswith("|"):
            end = next((j for j in range(i, len(lines)) if not lines[j].startswith("|")), len(lines))
            result += table(lines[i:end], path)
            i = end
            continue
        if heading := re.match(r"(##+) (.*)", line):
            sections += 1
            kind = {2: "section", 3: "subsection"}.get(len(heading[1]), "subsubsection")
            result += ["", f"@{kind} {name}_{sections} {escaped(heading[2])}"]
        elif not line.startswith(("# ", "![")):
            result.append(linked(line, path))
        i += 1
    return "\n".join([*result, "*/"])


def shown(path):
    if path == ROOT / "include/tegula/README.md":
        return shown_groups() + "\n" + shown_page(path)
    if path.suffix == ".md":
        return shown_page(path)
    if path.name == "tegula.h":
        return "\n".join(["/** @page language_header What tegula.h says", "", *paragraphs(description(path.read_text())), "*/"])
    return shown_header(path)


if __name__ == "__main__":
    print(shown(pathlib.Path(sys.argv[1]).resolve()))
