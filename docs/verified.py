#!/usr/bin/env python3
"""Makes docs/VERIFIED.md: which operation was compared bit by bit where.

   docs/verified.py [FOLDER]     from the top of the repository, after `make test` or `make test-long`

FOLDER (build/log) has what programs of golden bits saw, PART.saw: lines `OPERATION TYPE VARIANT`, one for each comparison that held.
docs/verified.txt has what was run by hand on machines that tests do not have, each with its date."""

import collections
import datetime
import pathlib
import sys

# Column, the parts of tests/run.sh that it counts, and the variants, or all.
WITNESSES = [
    ("portable C", ("bits", "harness", "golden"), ("scalar",)),
    ("SSE2", ("bits", "golden"), ("sse2",)),
    ("AVX", ("bits", "golden"), ("avx",)),
    ("AVX2", ("bits", "golden"), ("avx2",)),
    ("AVX-512", ("bits", "golden"), ("avx512",)),
    ("NEON, qemu", ("golden_aarch64",), ("neon",)),
    ("PoCL", ("golden_opencl", "opencl_limits"), ()),
    ("Intel's OpenCL", ("opencl_intel",), ()),
    ("Oclgrind, races", ("oclgrind",), ()),
    ("CUDA emulator, races and schedules", ("cuda_races", "cuda_schedules"), ()),
]
BY_HAND = pathlib.Path("docs/verified.txt")
OUT = pathlib.Path("docs/VERIFIED.md")
HEAD = """\
# What was verified where

Made by `docs/verified.py` on {date} from a run of `{run}`. A number says how many comparisons with `tests/golden.txt` held, of
results of an operation with the bits that every machine has to give; empty: none was made. Both precisions, real and complex data
count together. What else the tests ask (accuracy against references in higher precision, refused arguments, memory, threads)
`tests/parts.txt` lists; that each barrier of a device kernel is needed `tests/barriers_cuda.py` and `tests/barriers_opencl.py` show.

"""


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/log")
    seen = collections.Counter()
    for file in folder.glob("*.saw"):
        for line in file.read_text().splitlines():
            operation, _, variant = line.split()
            seen[file.stem, operation, variant] += 1
    if not seen:
        sys.exit(f"{folder} has no PART.saw: run tests first")
    operations = sorted({operation for _, operation, _ in seen})
    columns = []
    for name, parts, variants in WITNESSES:
        counts = [sum(n for (part, o, variant), n in seen.items() if part in parts and o == operation and (not variants or variant in variants))
                  for operation in operations]  # fmt: skip
        if any(counts):
            columns.append((name, counts))
    run = "make test-long" if (folder / "cuda_schedules.saw").exists() else "make test"
    text = HEAD.format(date=datetime.date.today(), run=run)
    text += f"| operation | {' | '.join(name for name, _ in columns)} |\n|---|{'---|' * len(columns)}\n"
    for row, operation in enumerate(operations):
        text += f"| `{operation}` | {' | '.join(str(counts[row] or '') for _, counts in columns)} |\n"
    OUT.write_text(text + "\n" + BY_HAND.read_text())
    print(OUT)


if __name__ == "__main__":
    main()
