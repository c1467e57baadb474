# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernel files in an editor: clangd reads each one by the flags in a project's compile_commands.json, finds no error, and
shows the documentation of what the file uses: editors.py CLANGD FOLDER-OF-compile_commands.json"""
import json
import pathlib
import re
import subprocess
import sys

# What kernels use most: functions, templates, and what macros declare.
HOVERED = ["pallas_call", "in", "out", "inout", "load", "store", "sum", "cumsum", "exp", "dot", "iota", "check", "array", "all", "wgmma",
           "barrier_wait", "copy_gmem_to_smem", "emit_pipeline", "kernel", "smem", "acc", "where", "astype", "empty_like"]


class Server:
    """A language server on pipes (the Language Server Protocol's base protocol)."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.requests = 0
        self.diagnostics = {}

    def send(self, method, params, is_request=False):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if is_request:
            self.requests += 1
            message["id"] = self.requests
        text = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def receive(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            sys.exit("clangd has ended")
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        return message

    def request(self, method, params):
        self.send(method, params, is_request=True)
        while (message := self.receive()).get("id") != self.requests or "method" in message:
            pass
        return message.get("result")


def main():
    clangd, folder = sys.argv[1:3]
    commands = json.loads(pathlib.Path(folder, "compile_commands.json").read_text())
    files = sorted({pathlib.Path(command["file"]) for command in commands if "__TEGULA__" in command["command"]})
    if not files:
        sys.exit(f"{folder}/compile_commands.json has no kernel file")
    server = Server([clangd, f"--compile-commands-dir={folder}", "-j=2", "--background-index=false"])
    server.request("initialize", {"processId": None, "rootUri": None, "capabilities": {"textDocument": {"hover": {"contentFormat": ["plaintext"]}}}})
    server.send("initialized", {})
    failures, shown, missing = [], set(), {}
    for file in files:
        text, uri = file.read_text(), file.as_uri()
        server.send("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "cpp", "version": 1, "text": text}})
        while uri not in server.diagnostics:
            server.receive()
        failures += [f"{file}:{each['range']['start']['line'] + 1}: {each['message']}"
                     for each in server.diagnostics[uri] if each["severity"] == 1]
        lines = text.split("\n")
        for name in HOVERED:
            if name in shown:
                continue
            for number, line in enumerate(lines):
                found = re.search(rf"\btg::({name})\b", line.split("//")[0])
                if not found:
                    continue
                hover = server.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": number, "character": found.start(1)}})
                value = hover["contents"]["value"] if hover else ""
                # clangd shows the name, where it is from, its types, the documentation, and the declaration.
                prose = [each for each in value.split("// In ")[0].split("\n")[1:]
                         if each and not re.match(r"- |→|provided by|Parameters:|Type:|Value|Size|Align", each)]
                if prose:
                    shown.add(name)
                    missing.pop(name, None)
                else:
                    missing[name] = f"{file}:{number + 1}: nothing is shown for tg::{name}:\n{value}"
                break
        server.send("textDocument/didClose", {"textDocument": {"uri": uri}})
    failures += missing.values()
    print("\n".join(failures))
    print(f"{len(files)} kernel files, {len(shown)} names with documentation, {len(failures)} failures")
    sys.exit(1 if failures else 0)


main()
