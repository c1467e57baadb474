# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules of random programs as text: their entries, and the C++ table of how to call each."""
import json
import math
import re

from .ir import ELEMENTS, STORED

CASE = "// CASE "


def split(text):
    """The entries of a module, by name: [(description, text)]."""
    entries = []
    for part in re.split(r"^(?=// CASE )", text, flags=re.MULTILINE)[1:]:
        entries.append((json.loads(part[len(CASE):part.index("\n")]), part))
    return entries


def scalar(description):
    """A C++ expression of exactly the argument's value."""
    element = ELEMENTS[description["type"]]
    text = description["value"]
    if element.kind == "bool":
        return "true" if int(text) else "false"
    if element.kind != "float":
        value = int(text) & ((1 << element.bits) - 1)
        return f"static_cast<{element.cpp}>({value:#x}ULL)"
    value = float(text)
    if math.isnan(value):
        spelled = "std::numeric_limits<double>::quiet_NaN()"
    elif math.isinf(value):
        spelled = ("-" if value < 0 else "") + "std::numeric_limits<double>::infinity()"
    else:
        spelled = value.hex()
    return f"{element.cpp}({spelled})" if element.name != "f32" else f"static_cast<float>({spelled})"


def braces(values):
    return "{" + ", ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in values) + "}"


def case(description, first, second):
    """A function that calls one of two forms, and its line in the table."""
    name, arguments = description["name"], []
    for i, array in enumerate(description["arrays"]):
        element = {**ELEMENTS, **STORED}[array["type"]].cpp
        const = "const " if array["access"] == "in" else ""
        arguments.append(f"call.at<{const}{element}, {len(array['dims'])}>({i})")
    arguments += [scalar(s) for s in description["scalars"]]
    text = f"void {name}(fuzz::call &call, bool second) {{\n"
    invocation = f"(second ? {second}::{name} : {first}::{name})({', '.join(arguments + ['tegula::stream()'])})"
    results = description["results"]
    if len(results) == 1:
        text += f"  call.take({invocation});\n"
    elif results:
        text += f"  auto results = {invocation};\n" if first == second else ""
        if first != second:
            call = f"{name}({', '.join(arguments)})"
            text += f"  auto take = [&](const auto &results) {{\n"
            text += "".join(f"    call.take(results.result_{i});\n" for i in range(len(results))) + "  };\n"
            text += f"  second ? take({second}::{call}) : take({first}::{call});\n"
        else:
            text += "".join(f"  call.take(results.result_{i});\n" for i in range(len(results)))
    else:
        text += f"  {invocation};\n"
    text += "}\n"
    if first == second:
        text = text.replace("bool second)", "bool /*second*/)").replace(f"(second ? {second}::{name} : {first}::{name})", f"{first}::{name}")

    def dtype(of):
        return "tegula::dtype::" + ("boolean" if of["type"] == "bool" else of["type"])

    arrays = [braces([dtype(a), "false" if a["access"] == "out" else "true", "false" if a["access"] == "in" else "true", a["tame"],
                      braces(a["dims"]), braces(a["strides"]), a["offset"], a["size"]]) for a in description["arrays"]]
    hands_over = "true" if description.get("hands_over") else "false"
    made = [braces([dtype(r), braces(r["dims"])]) for r in results]
    known = "".join(f", fuzz_data + {at}" for at in description.get("data", ()))
    return text, f"    {{\"{name}\", {description['units']}, {braces(arrays)}, {braces(made)}, {hands_over}, {name}{known}}},\n"


def table(descriptions, headers, first, second, device="cpu", data=None):
    """The C++ file with main. `device`: where the second form runs if the command line does not say. `data`: a file with what
    arrays hold before and after calls, at the places that descriptions tell."""
    text = "".join(f"#include \"{header}\"\n" for header in headers)
    text += "#include \"harness.h\"\n\n#include <limits>\n\n"
    if data:
        text += f'asm(".section .rodata\\n.balign 64\\nfuzz_data: .incbin \\"{data}\\"\\n.text\\n");\nextern "C" const unsigned char fuzz_data[];\n\n'
    text += "namespace {\n\n"
    lines = ""
    for description in descriptions:
        function, line = case(description, first, second)
        text += function + "\n"
        lines += line
    text += f"const std::vector<fuzz::test_case> cases = {{\n{lines}}};\n\n}} // namespace\n\n"
    return text + "int main(int argc, char **argv) { return fuzz::main(cases, argc, argv, tegula::device::" + device + "()); }\n"
