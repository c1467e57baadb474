# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a compiler on a file that may be nonsense, and judges how it ends."""
import os
import re
import resource
import subprocess
import tempfile
import threading
from dataclasses import dataclass

# Of the processor, not of the clock: other work on the machine makes no mutant slow.
MOST_SECONDS, MOST_MEMORY = 10, 4 << 30

DUMPS = re.compile(r"Assertion .* failed|LLVM ERROR[^\n]*|PLEASE submit a bug report|UNREACHABLE executed[^\n]*|Stack dump|"
                   r"terminate called[^\n]*|runtime error:[^\n]*|AddressSanitizer[^\n]*")
DEFECTS = re.compile(r"internal error[^\n]*|has no form in C\+\+|\[tegula-value-lost\]|ptxas (?:fatal|error)[^\n]*")
# What the compiler calls things inside of it, and no user has written.
INSIDE = re.compile(r"\btensor<|!tile\.|'(?:tile|scf|arith|cf|func|llvm|math|builtin)\.|\barith\.|\bscf\.|\boperand #|\bresult #|"
                    r"Invalid cast|\bregion #|\bmemref<|\bvector<\d|!llvm\.|failed to legalize|failed to verify|attribute '|"
                    r"\bSSA\b|-1 for each|\(null\)|<<<NULL")
ERROR = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<message>.*)$", re.MULTILINE)
NOTE = re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?P<column>\d+): note: ", re.MULTILINE)
ANY_ERROR = re.compile(r"^(?!\s).*\berror: .*$", re.MULTILINE)


@dataclass
class Verdict:
    kind: str  # "accepted", "refused", or what is wrong
    message: str = ""
    seconds: float = 0

    @property
    def is_failure(self):
        return self.kind not in ("accepted", "refused")

    @property
    def signature(self):
        """Alike for mutants that fail alike."""
        words = re.sub(r"\d+", "N", re.sub(r"'[^']*'", "'...'", self.message))
        return f"{self.kind}: {re.sub(r'0x[0-9a-fA-F]+', 'N', words)[:160]}"


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, folder):
    """The exit status, all that was said, and the processor's seconds."""
    with tempfile.TemporaryFile(dir=folder) as said:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said,
                                   preexec_fn=limit)
        watch = threading.Timer(30 * MOST_SECONDS, process.kill)
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return process.returncode, said.read().decode(errors="replace"), usage.ru_utime + usage.ru_stime


def frames(said):
    """Where it crashed, as far as the stack dump has names: those of this compiler."""
    names = re.findall(r"^ ?#\d+ 0x[0-9a-f]+ (.+?)(?: \(|$)", said, re.MULTILINE)
    own = [re.sub(r"\(.*", "", name) for name in names if "tegula" in name]
    return " < ".join((own or names)[:3])


def is_of_mlir(said):
    """Whether MLIR's own parser crashed: of an op of another dialect, or when it gave up. tegulac survives that, tegula-opt
    does not."""
    parsers = re.findall(r"MLIR Parser: custom op parser '([\w.]+)'", said)
    own = [name for name in re.findall(r"^ ?#\d+ 0x[0-9a-f]+ (.+?)(?: \(|$)", said, re.MULTILINE) if "tegula" in name]
    return bool(parsers) and not parsers[-1].startswith("tile.") or bool(ANY_ERROR.search(said)) and not own


def is_users(place, name, lines):
    """Whether it is in the file, or in a header of its author: in any but the language's."""
    if os.path.basename(place["file"]) == name:
        return 1 <= int(place["line"]) <= lines
    return place["file"].endswith(".h") and "/include/tegula/" not in place["file"]


def judge(status, said, path, lines, is_ir=False):
    name = os.path.basename(path)
    if status in (-24, 152) or status == -9: # SIGXCPU, or SIGKILL a second later
        return Verdict("timeout")
    if is_ir and status < 0 and is_of_mlir(said):
        return Verdict("refused", "crash of MLIR's parser")
    if status < 0 or status > 3 or DUMPS.search(said):
        dump = re.search(r"[^\n]*(?:Assertion .* failed|LLVM ERROR|UNREACHABLE|terminate called|what\(\))[^\n]*", said)
        words = dump.group() if dump else ""
        words = re.sub(r"^.*?/(\w+\.\w+):\d+: ", r"\1: ", words)
        return Verdict("crash", f"status {status} {words} {frames(said)}")
    if DEFECTS.search(said):
        return Verdict("defect", DEFECTS.search(said).group() + " | " + first_line(said, DEFECTS))
    if is_ir:
        if status == 0:
            return Verdict("accepted")
        found = ANY_ERROR.search(said)
        if not found or not found.group().split("error:", 1)[1].strip():
            return Verdict("no message", f"status {status}")
        return Verdict("refused", found.group())
    if INSIDE.search(without_source(said)):
        return Verdict("inside", INSIDE.search(without_source(said)).group() + " | " + first_line(without_source(said), INSIDE))
    if status == 0:
        return Verdict("accepted")
    if status != 1:
        return Verdict("status", f"{status} {said[:200]}")
    errors = list(ERROR.finditer(said))
    placed = [error for error in errors if is_users(error, name, lines)]
    if not ANY_ERROR.search(said):
        return Verdict("no message", said[:200])
    if any(not error["message"].strip() for error in errors):
        return Verdict("no message", said[:200])
    if not errors: # Clang has some without a place: in the arguments of macros, where a note tells the line.
        if any(is_users(note, name, lines) for note in NOTE.finditer(said)):
            return Verdict("refused", ANY_ERROR.search(said).group())
        return Verdict("no place", ANY_ERROR.search(said).group())
    if len(placed) < len(errors):
        other = next(error for error in errors if error not in placed)
        return Verdict("elsewhere", f"{os.path.basename(other['file'])} {other['message']}")
    return Verdict("refused", placed[0]["message"])


def without_source(said):
    """What a compiler says without the lines of source that it shows: those with a bar, and those above carets."""
    return "\n".join(line for line in said.split("\n") if not re.match(r"\s*\d* \|", line))


def first_line(said, pattern):
    return next((re.sub(r"^.*?(error|warning|note): ", r"\1: ", line) for line in said.split("\n") if pattern.search(line)), "")
