# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""explanations.py PAGE DIAGNOSTICS: checks the page of `tegulac --explain page`. Every code of DIAGNOSTICS, which is
Diagnostics.def, has a cause or an example; what is refused fails with its code and no other, what is warned about warns
with its group, and what is accepted compiles without a message."""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

PROLOGUE = "#include <tegula/tegula.h>\nnamespace tg = tegula;\n"
# A section is a heading, the message in one line, the cause in one line, and the examples.
TITLE = r"(?:Refused|Warned about|Accepted):\n"
SECTION = re.compile(rf"### (?P<mark>tegula-|-W)(?P<code>[\w-]+)\n\n.+\n"
                     rf"(?:\n(?!{TITLE})(?P<cause>.+)\n)?(?P<examples>(?:\n{TITLE}(?s:.*))?)")
EXAMPLE = re.compile(r"\n(Refused|Warned about|Accepted):\n\n```cpp\n(.*?)\n```\n", re.DOTALL)


def sections(page):
    """By code: the mark of its messages, its cause, and its examples by title."""
    result = {}
    for text in re.split(r"\n(?=##+ )", page):
        if found := SECTION.fullmatch(text):
            code, examples = found["code"], found["examples"]
            assert not EXAMPLE.sub("", examples), f"{code}: not only examples:\n{examples}"
            result[code] = (f"[{found['mark']}{code}]", found["cause"], dict(EXAMPLE.findall(examples)))
        else:
            assert not text.startswith("### "), f"no section of a code:\n{text}"
    return result


def compiled(code):
    run = subprocess.run(["tegulac", "--emit=tile", "-o", "-", "-"], input=PROLOGUE + code, stdout=subprocess.DEVNULL,
                         stderr=subprocess.PIPE, text=True, check=False)
    return run.returncode, run.stderr


def fault(code, mark, title, example):
    """What is wrong with an example, or nothing."""
    status, messages = compiled(example)
    reported = re.findall(r"(?:error|warning): .*", messages)
    if title == "Accepted":
        is_right = status == 0 and not reported
    else:
        is_right = reported and all(each.endswith(mark) for each in reported)
        is_right = is_right and status == (0 if title == "Warned about" else 1)
    return "" if is_right else f"{code}: {title}, but exit status {status}:\n{example}\n{messages}"


def main(page, diagnostics):
    explained = sections(pathlib.Path(page).read_text(encoding="utf-8"))
    definitions = pathlib.Path(diagnostics).read_text(encoding="utf-8")
    codes = re.findall(r'^TEGULA_DIAGNOSTIC\(\w+,\s*\w+,\s*"([\w-]+)"', definitions, re.MULTILINE)
    assert codes, f"{diagnostics} declares nothing"
    faults = [f"{code}: no cause and no example" for code in codes if not any(explained.get(code, ("",))[1:])]
    examples = [(code, mark, *example) for code, (mark, _, of_code) in explained.items() for example in of_code.items()]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        faults += filter(None, pool.map(lambda each: fault(*each), examples))
    return "\n".join(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) or 0)
