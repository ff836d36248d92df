#!/usr/bin/env python3
"""Is each barrier of the CUDA kernels needed, and would its loss be noticed?

   tests/barriers_cuda.py [--filter TEXT]         from the top of the repository; needs clang and addr2line

Leaves out every __syncthreads, __syncwarp, __threadfence, shuffle, vote, atomic operation and wait for copies of src/, one at a
time, in the emulator (CONVK_EMULATOR_REMOVE of tests/cuda_emulator.h), and says what notices it:

   race     two accesses without an order, or a read of what nobody has written (tests/cuda_races.h)
   barrier  threads that wait at different places, or for ever
   bits     other results than those of tests/golden.txt
   -        it orders nothing, and EXPLAINED says what it is for
   nothing  then it is redundant, or a case is missing in tests/golden.c: the exit status is 1

Fewer cases come first, then all, then other schedules of the threads.  Masks are not left out one by one, since all are full ones,
which is checked here."""

import argparse
import pathlib
import os
import re
import subprocess
import sys

ORDERING = re.compile(r"\b(__syncthreads|__syncwarp|__threadfence|__shfl\w*_sync|__any_sync|__all_sync|__ballot_sync|atomic[A-Z]\w*"
                      r"|CONVK_CUDA_SHUFFLE_\w+_|CONVK_CUDA_ANY_|CONVK_CUDA_WARP_SYNC_|convk_emulated_copies_wait"
                      r"|CONVK_BARRIER_|CONVK_ATOMIC_ADD_|CONVK_ADD_LONG_)\s*\(")
MASKED = re.compile(r"\b__(?:shfl\w*|any|all|ballot)_sync\(\s*(\w+)|\b__syncwarp\(\s*(\w+)")
FULL_MASK = "0xffffffffu"
FAMILIES = {"filters": "SEPCONV", "wavelets": "SEPCONV", "sums": "SEPCONV", "stencil": "STENCIL", "vmath": "VMATH",
            "gaussian": "GAUSSIAN", "grids": "GAUSSIAN", "formfactor": "FORMFACTOR", "distances": "DISTANCES",
            "amplitudes": "AMPLITUDES", "fft": "FFT", "pairs": "VMC"}
SHARED = ["FORMFACTOR", "FFT"]  # who uses what src/device has
SECONDS = 300
EXPLAINED = {("src/gaussian/kernel.cuh", "CONVK_CUDA_ANY_"): "a warp skips a group of shells together; each lane alone may skip it, too",
             ("src/distances/device_kernels.h", "CONVK_ADD_LONG_"):
             "blocks take units from a queue and add to the same histograms; here they run one after another, and the first takes all"}
# Options of the golden program, and a schedule of the threads: the first that notices ends the search.
TRIES = [(["--quick"], "random,seed=1,preempt=16", {}), ([], "random,seed=2,preempt=16", {}),
         (["--filter", "fft"], "random,seed=2,preempt=16", {"CONVK_EMULATOR_SHARED": "8192"}), ([], "greedy,reversed", {}),
         ([], "random,shuffled,seed=3,preempt=4", {}), ([], "greedy", {})]
BLOCKS = {"F64": [], "F32": ["-DCONVK_CUDA_MAX_BLOCKS_=%d", "-DCONVK_CUDA_GRIDS_SUMS_=2048"]}  # few blocks take several turns each
FEW = {"AMPLITUDES": 1}  # of a launch, else 3


def places():
    """(file, line, what) of everything that orders threads, and the masks that are not full."""
    found, masks = [], []
    words = pathlib.Path("src/words/cuda.h")
    kernels = [*pathlib.Path("src").glob("*/*.cuh"), *pathlib.Path("src").glob("*/device_kernels.h")]
    for file in sorted([*kernels, *pathlib.Path("src/device").glob("cuda*.h"), words]):
        text = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment.group().count("\n"), file.read_text(), flags=re.S)
        for number, code in enumerate(text.splitlines(), 1):
            own = file != words and not code.startswith("#define ")  # what a word stands for is left out where a kernel has the word
            found += [(str(file), number, m.group(1)) for m in ORDERING.finditer(code) if own]
            masks += [f"{file}:{number}" for m in MASKED.finditer(code) if (m.group(1) or m.group(2)) not in (FULL_MASK, None)]
    return found, masks


def build(family, real):
    made = {**os.environ, "MADE": "build/barriers_made", "NAMES": "build/barriers_names"}  # for the spines as they stand
    subprocess.run(["src/headers.sh", "--check"], env=made, stdout=subprocess.DEVNULL, check=False)
    program = f"build/barriers_{family}_{real}"
    subprocess.run(["tests/count.sh", "--races", program, "tests/golden.c", "-Isrc", "-Ibuild/barriers_names", "-I.", "-DCONVK_CUDA",
                    "-DCONVK_TEST_CUDA_EMULATED", f"-DCONVK_WITH_{family}", f"-DCONVK_{real}", *(f.replace("%d", str(FEW.get(family, 3))) for f in BLOCKS[real])], check=True)
    return program


def notices(program, options, schedule, more, place):
    """What the program notices, or None."""
    environment = {"CONVK_EMULATOR_SCHEDULE": schedule, "CONVK_EMULATOR_REMOVE": place, "PATH": "/usr/bin:/bin", **more}
    try:
        run = subprocess.run([program, *options], env=environment, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "barrier"
    text = run.stdout + run.stderr
    if "cuda races:" in text:
        return "race"
    if "cuda emulator:" in text:
        return "barrier"
    return "bits" if run.returncode else None


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--filter", default="", help="places whose name contains this")
    chosen = options.parse_args().filter
    found, masks = places()
    for place in masks:
        print(f"a mask that is not full: {place}")
    programs = {}
    unnoticed, counted = [], {}
    for file, line, what in found:
        place = f"{file}:{line}"
        if chosen not in place:
            continue
        room = file.split("/")[1]
        families = [FAMILIES[room]] if room in FAMILIES else SHARED
        by = None
        for real in ("F64", "F32"):
            for family in families:
                if (family, real) not in programs:
                    programs[family, real] = build(family, real)
                    if notices(programs[family, real], [], "greedy", {}, "nothing:0"):
                        sys.exit(f"{programs[family, real]} fails with nothing left out")
                for arguments, schedule, more in TRIES:
                    by = by or notices(programs[family, real], arguments, schedule, more, place)
        by = by or ("-" if (file, what) in EXPLAINED else None)
        counted[by or "nothing"] = counted.get(by or "nothing", 0) + 1
        if not by:
            unnoticed.append(place)
        print(f"{place:40} {what:28} {by or 'nothing'}", flush=True)
    for (file, what), reason in EXPLAINED.items():
        print(f"{file} {what}: {reason}")
    print(", ".join(f"{by} {count}" for by, count in sorted(counted.items())))
    total = sum(counted.values())
    print(f"{total - len(unnoticed)} passed, {len(unnoticed) + len(masks)} failed, 0 skipped")
    return bool(unnoticed or masks or not total)


if __name__ == "__main__":
    sys.exit(main())
