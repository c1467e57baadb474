# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""swap_code.py FILE: exchanges two entries of kept code, as an archive that mixes up files might: key by key."""
import sys

data = open(sys.argv[1], "rb").read()
head, rest = data.split(b"\n", 1)
entries = []
while rest:
    line, rest = rest.split(b"\n", 1)
    key, checksum, size = line.split(b" ")
    entries.append((key, checksum, rest[: int(size)]))
    rest = rest[int(size) :]
# Of one kind: cubins begin with what they are of.
cubins = [i for i, entry in enumerate(entries) if entry[2].startswith(b"cubin ")]
a, b = cubins[:2]
keys = [entry[0] for entry in entries]
keys[a], keys[b] = keys[b], keys[a]
with open(sys.argv[1], "wb") as out:
    out.write(head + b"\n")
    for key, (_, checksum, code) in zip(keys, entries):
        out.write(key + b" " + checksum + b" " + str(len(code)).encode() + b"\n" + code)
