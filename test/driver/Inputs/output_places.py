# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""output_places.py KERNEL FOLDER: what tegulac -o does to what is there already."""
import os
import pathlib
import stat
import subprocess
import sys
import threading

kernel, folder = sys.argv[1], pathlib.Path(sys.argv[2])


def compile_to(output, **options):
    return subprocess.run(["tegulac", kernel, "--emit=tile", "-o", output], stderr=subprocess.PIPE, text=True,
                          timeout=60, **options)


def expect(is_so, what):
    if not is_so:
        sys.exit(f"not so: {what}")


def mode_of(path):
    return stat.S_IMODE(os.stat(path).st_mode)


text = subprocess.run(["tegulac", kernel, "--emit=tile", "-o", "-"], stdout=subprocess.PIPE, text=True).stdout
expect("tile.entry" in text, "there is text to write")

# /dev/stdout, by whichever of its names, is what the shell opened: a file to append to, a pipe.
for name in "/dev/stdout", "/proc/self/fd/1", "/dev/fd/1":
    links = os.readlink("/dev/stdout")
    file = folder / "appended"
    file.write_text("before\n")
    with open(file, "a") as out:
        expect(compile_to(name, stdout=out).returncode == 0, f"{name} is written to")
    expect(file.read_text() == "before\n" + text, f"{name} is appended to")
    expect(os.readlink("/dev/stdout") == links, f"the link is there behind -o {name}")
    expect(compile_to(name, stdout=subprocess.PIPE).returncode == 0, f"{name} may be a pipe")

# A pipe with a name.
os.mkfifo(folder / "pipe")
read = []
reader = threading.Thread(target=lambda: read.append((folder / "pipe").read_text()))
reader.start()
expect(compile_to(folder / "pipe").returncode == 0, "a pipe is written to")
reader.join()
expect(read == [text] and stat.S_ISFIFO(os.stat(folder / "pipe").st_mode), "a pipe stays one")

# Links stay, and what they lead to is replaced, or made.
for target in "there", "new":
    link = folder / f"link-to-{target}"
    (folder / "there").write_text("old")
    link.symlink_to(target)
    expect(compile_to(link).returncode == 0, "a link is followed")
    expect(link.is_symlink() and (folder / target).read_text() == text, f"the link to {target} stays")
(folder / "circle").symlink_to("circle")
expect("cannot write" in compile_to(folder / "circle").stderr, "links that lead to each other are an error")

# Modes: of a new file the umask's, of another one its own.
os.umask(0o027)
expect(compile_to(folder / "masked").returncode == 0 and mode_of(folder / "masked") == 0o640, "a umask counts")
for mode in 0o600, 0o755, 0o664:
    os.chmod(folder / "masked", mode)
    expect(compile_to(folder / "masked").returncode == 0 and mode_of(folder / "masked") == mode, f"mode {mode:o} stays")

# A file that the caller may not write to is not replaced; root may write to any.
(folder / "kept").write_text("kept")
os.chmod(folder / "kept", 0o400)
result = compile_to(folder / "kept")
if os.geteuid() == 0:
    expect(result.returncode == 0 and (folder / "kept").read_text() == text, "root writes")
else:
    expect(result.returncode == 3 and "kept: Permission denied" in result.stderr, "a read-only file is an error")
    expect((folder / "kept").read_text() == "kept", "a read-only file keeps its contents")
expect(mode_of(folder / "kept") == 0o400, "a read-only file stays one")

# The folder's name is no pattern.
(folder / "feature%2Fbranch").mkdir()
output = folder / "feature%2Fbranch" / "k%%%.mlir"
expect(compile_to(output).returncode == 0 and output.read_text() == text, "a % in a name is one")

expect(not list(folder.rglob("*.tmp")), "nothing is left behind")
