# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""signals.py KERNEL FOLDER: a signal while ptxas runs ends ptxas, too, and leaves no files behind."""
import os
import pathlib
import signal
import subprocess
import sys
import time

kernel, folder = sys.argv[1], pathlib.Path(sys.argv[2])
(folder / "tmp").mkdir()
# Never ends by itself. Its output comes late: nobody may find that either.
ptxas = folder / "ptxas"
ptxas.write_text(f"#!{sys.executable}\nimport os, signal, time\n"
                 f"open('{folder}/id.new', 'w').write(str(os.getpid()))\n"
                 f"os.rename('{folder}/id.new', '{folder}/id')\n"
                 "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)\n")
ptxas.chmod(0o755)


def wait_until(is_so, what):
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.1)
    sys.exit(f"not so within a minute: {what}")


def runs(program):
    try:
        return open(f"/proc/{program}/stat").read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def compile_until_ptxas_runs(**ignored):
    def set_signals():  # Whatever the caller ignores.
        for which in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
            signal.signal(which, ignored.get(which.name, signal.SIG_DFL))

    (folder / "id").unlink(missing_ok=True)
    compiler = subprocess.Popen(["tegulac", kernel, "--arch=sm_80", "-o", folder / "k", "--ptxas", ptxas],
                                env={**os.environ, "TMPDIR": str(folder / "tmp")}, stderr=subprocess.PIPE, preexec_fn=set_signals)
    wait_until((folder / "id").exists, "ptxas runs")
    return compiler, int((folder / "id").read_text())


for which in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
    compiler, assembler = compile_until_ptxas_runs()
    os.kill(compiler.pid, which)
    status = compiler.wait(60)
    if status != -which:
        sys.exit(f"tegulac ended with {status}, not by {which!r}")
    if compiler.stderr.read():
        sys.exit("a run that is told to end has nothing to say")
    wait_until(lambda: not runs(assembler), "ptxas has ended")
    left = [str(path) for path in (folder / "tmp").iterdir()] + [str(path) for path in folder.glob("k*")]
    if left:
        sys.exit(f"left behind by {which!r}: {left}")

# What nohup ignores stays ignored.
compiler, assembler = compile_until_ptxas_runs(SIGHUP=signal.SIG_IGN)
os.kill(compiler.pid, signal.SIGHUP)
time.sleep(0.5)
if compiler.poll() is not None or not runs(assembler):
    sys.exit("SIGHUP was to be ignored")
compiler.terminate()
compiler.wait(60)
