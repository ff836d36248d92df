#!/usr/bin/env python3
"""Would the tests notice a small mistake in src/?  Switches the faults of tests/faults.txt on, one at a time, and runs tests.

   tests/faults.py [--family NAME] [--on cpu,opencl,cuda,host] [--list | --compile] [--quick] [NAME...]     from the top

Each line of the table is a fault: its name, and a text of a file with `@good => bad@` in it.  Copies of the headers in build/faults
have `(convk_fault == N ? (bad) : (good))` there, so that each test program is compiled once, and only if a fault gets as far.
A fault is noticed when golden bits differ or a test of the harness fails (on PoCL and in the CUDA emulator for what belongs to
devices), crashes, or does not end; in kernels of CUDA also by tests/cuda_races.h, and of OpenCL by Oclgrind.
What survives is a gap of the tests: close it there.  `known: WHY` below a fault says why no test can see it.

In the environment: CC, CXX (if not there, Clang, which is quicker, for what belongs to devices), and JOBS, how many processes.
The last line is `N passed, N failed, N skipped`."""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading

TABLE = pathlib.Path("tests/faults.txt")
OUT = pathlib.Path("build/faults")
HEADERS = sorted(header.name for header in pathlib.Path().glob("convk*.h"))
SECONDS = 1500  # longer than any test program takes without a fault
CPU = "scalar,sse2,avx,avx2,avx512"

SEPCONV = "sepconv3d,sumconv3d,chebyshev3d,derivative,dwt3d,wavelet,s1_to_r,hamiltonian,magicfilter,conv1d,potential_apply,flush,tune.,tuned."
GAUSSIAN = "gridpot,orbitals,density,shells,gaussian,flush"
# What of the harness belongs to a room of src/ (parts of its tests' names), and the macro that compiles it alone in tests/golden.c.
ROOMS = {
    "filters": (SEPCONV, "SEPCONV"),
    "wavelets": (SEPCONV, "SEPCONV"),
    "sums": (SEPCONV, "SEPCONV"),
    "hamiltonian": (SEPCONV, "SEPCONV"),
    "stencil": ("stencil7,flush,tune.,tuned.", "STENCIL"),
    "vmath": ("vmath,flush", "VMATH"),
    "gaussian": (GAUSSIAN, "GAUSSIAN"),
    "grids": (GAUSSIAN, "GAUSSIAN"),
    "cells": (GAUSSIAN, "GAUSSIAN"),
    "elementary": ("vmath,flush,gridpot,pair_", "VMATH"),
    "formfactor": ("formfactor,mesh,flush", "FORMFACTOR"),
    "distances": ("pair_histogram,debye", "DISTANCES"),
    "amplitudes": ("amplitudes", "AMPLITUDES"),
    "atoms": ("pair_histogram,debye,amplitudes", "DISTANCES"),
    "turns": ("formfactor,amplitudes", "FORMFACTOR"),
    "fft": ("fft,flush", "FFT"),
    "pairs": ("pair_,vmc,core,flush", "VMC"),
    "tuner": ("tune", ""),
    "core": ("core,open,strerror,grid3,huge,touch,flush,stencil7,magicfilter,gridpot,vmc,fft", ""),
    "words": ("vmath,flush,gridpot,pair_", ""),
    "device": ("open,stencil7,vmath,gridpot,pair_,fft", "STENCIL"),
}
# Of these rooms the tests of the family alone begin with fewer.
FIRST = {"grids": "_grid", "sums": "sumconv3d,chebyshev3d,hamiltonian", "wavelets": "dwt3d,wavelet,s1_to_r,hamiltonian"}
# Of rooms that all families use, whose draws are looked at.
DRAWN = {"core": ["SEPCONV", "GAUSSIAN", "FFT"], "words": ["VMATH", "GAUSSIAN"], "elementary": ["VMATH", "GAUSSIAN"], "atoms": ["DISTANCES", "AMPLITUDES"],
         "turns": ["FORMFACTOR", "AMPLITUDES"], "device": ["STENCIL", "SEPCONV", "GAUSSIAN"]}
# The tests of what golden.c calls a family: their file, and the lists of tests in it.  A program of these alone compiles in a
# fraction of the time that the whole harness takes.
UNITS = {
    "SEPCONV": ("test_sepconv.c", "sepconv dwt hamiltonian chebyshev"),
    "STENCIL": ("test_stencil.c", "stencil"),
    "VMATH": ("test_vmath.c", "vmath"),
    "GAUSSIAN": ("test_gaussian.c", "gaussian"),
    "FORMFACTOR": ("test_formfactor.c", "formfactor many mesh formfactor_exact"),
    "DISTANCES": ("test_distances.c", "distances"),
    "AMPLITUDES": ("test_amplitudes.c", "amplitudes"),
    "FFT": ("test_fft.c", "fft"),
    "VMC": ("test_vmc.c", "vmc vmc_parts"),
}
# What tests the calls on data that is on a device already, by golden.c's families.
THERE = {"SEPCONV": "tests/test_sum_there.c", "STENCIL": "tests/test_box_there.c", "GAUSSIAN": "tests/test_gaussian_there.c",
         "FFT": "tests/test_fft_there.c", "VMC": "tests/test_pairs_there.c", "AMPLITUDES": "tests/test_amplitudes_there.c",
         "DISTANCES": "tests/test_distances_there.c"}
# Programs by name: compiler, flags, source, end of the command.  Those by the name `family` are of the tests of one.
C99 = "-std=gnu99 -D_GNU_SOURCE"
CL = "-DCONVK_CL -DCL_TARGET_OPENCL_VERSION=120"
CUDA = "-x c++ -std=c++11 -Wno-c++11-narrowing -DCONVK_CUDA -DCONVK_TEST_CUDA_EMULATED"
DRAWING = threading.Lock()
DRAWS = "-include tests/hooks.h -DCONVK_F64"
PROGRAMS = {
    "golden cpu": ("CC", f"{C99} -DCONVK_SSE -DCONVK_AVX -DCONVK_AVX_WITHOUT_AVX2", "tests/golden.c", "-lm"),
    "harness cpu": ("CC", f"{C99} -DCONVK_SSE -DCONVK_AVX -DCONVK_AVX_WITHOUT_AVX2", "tests/whole.c", "-lm -pthread"),
    "overlap cpu": ("CC", f"{C99} -I{OUT}", "tests/test_overlap.c", "-lm -pthread"),
    "pitches cpu": ("CC", C99, "tests/test_pitches.c", "-lm"),
    "shapes cpu": ("CC", C99, "tests/test_shapes.c", "-lm"),
    "golden opencl": ("CC", f"{C99} {CL}", "tests/golden.c", "-lOpenCL -lm"),
    "family opencl": ("CC", f"{C99} {CL}", "tests/whole.c", "-lOpenCL -lm -pthread"),
    "harness opencl": ("CC", f"{C99} {CL}", "tests/whole.c", "-lOpenCL -lm -pthread"),
    "pitches opencl": ("CC", f"{C99} {CL}", "tests/test_pitches.c", "-lOpenCL -lm"),
    "host opencl": ("CC", f'{C99} -DSOURCES="{OUT}/src"', "tests/test_opencl_host.c tests/bench/audit/opencl_device.c", "-lm"),
    "there opencl": ("CC", f"{C99} {CL} -DCONVK_CL_GROUPS_Y_=5", "", "-lOpenCL -lm"),
    "golden cuda": ("CXX", CUDA, "tests/golden.c", "-lm -pthread"),
    "family cuda": ("CXX", f"{CUDA} -O0", "tests/whole.c", "-lm -pthread"),
    "harness cuda": ("CXX", CUDA, "tests/whole.c", "-lm -pthread"),
    "calls cuda": ("CXX", f"{CUDA} -O0", "tests/test_cuda_calls.cpp", "-lm -pthread"),
    "draws cpu": ("CC", f"{C99} {DRAWS} -DCONVK_AVX -DCONVK_NO_AVX -DCONVK_NO_AVX512", "tests/draws.c tests/hooks.c", "-lm"),
    "draws opencl": ("CC", f"{C99} {DRAWS} {CL}", "tests/draws.c tests/hooks.c", "-lOpenCL -lm"),
    "draws cuda": ("CXX", f"{CUDA} {DRAWS}", "tests/draws.c tests/hooks.c", "-lm -pthread"),
    "races cuda": ("CLANG", f"{CUDA} -DCONVK_F64", "tests/golden.c", ""),
    "there cuda": ("CXX", CUDA, "", "-lm -pthread"),
}


class Fault:
    def __init__(self, number, name, file, on, text):
        self.number, self.name, self.file, self.on, self.text, self.known = number, name, file, on, text, None
        self.room = file.split("/")[0]
        self.room = self.room if self.room in ROOMS else "core"

    def place(self, source):
        """(begin, end, good, bad) of its one place in the file's text; blanks stand for any white space."""
        parts = re.split(r"(?<!\\)@", self.text)
        if len(parts) != 3 or " => " not in parts[1]:
            sys.exit(f"{TABLE}: {self.name}: one `@good => bad@` is wanted")
        good, bad = parts[1].split(" => ", 1)
        before, after = parts[0], parts[2]
        pattern = [r"\s+".join(map(re.escape, piece.strip().split())) for piece in (before, good, after)]
        blank = [r"\s*" if piece else "" for piece in (before, after)]
        found = list(re.finditer(f"{pattern[0]}{blank[0]}({pattern[1]}){blank[1]}{pattern[2]}", source))
        if len(found) != 1:
            sys.exit(f"{TABLE}: {self.name}: its text is {len(found)} times in src/{self.file}")
        return found[0].start(1), found[0].end(1), found[0].group(1), bad


def kind_of(file):
    if "cuda" in file or file.endswith(".cuh"):
        return "cuda"
    return "opencl" if file.endswith(".cl") or "opencl" in file or file.endswith(("host.h", "device.h")) else "cpu"


def table():
    """`= FILE [KIND]` begins the faults of a file; KIND, where it runs, comes from its name otherwise."""
    faults, file, on = [], None, None
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if words[0] == "=":
            file, on = words[1], words[2] if len(words) > 2 else kind_of(words[1])
        elif words[0] == "known:":
            faults[-1].known = " ".join(words[1:])
        else:
            faults.append(Fault(len(faults) + 1, words[0], file, on, line.strip()[len(words[0]):].strip()))
    names = [f.name for f in faults]
    for name in set(names):
        if names.count(name) > 1:
            sys.exit(f"{TABLE}: {name} is there twice")
    return faults


def write_headers(faults):
    """The headers with all faults, in OUT; files that stay as they were are not touched."""
    for source in sorted(pathlib.Path("src").glob("**/*")):
        if not source.is_file():
            continue
        name = str(source.relative_to("src"))
        text, places = source.read_text(), []
        for fault in faults:
            if fault.file == name:
                places.append((*fault.place(text), fault))
        places.sort(key=lambda p: p[0], reverse=True)
        for later, earlier in zip(places, places[1:]):
            if earlier[1] > later[0]:
                sys.exit(f"{TABLE}: {earlier[4].name} and {later[4].name} overlap")
        for begin, end, good, bad, fault in places:
            text = f"{text[:begin]}(convk_fault == {fault.number} ? ({bad}) : ({good})){text[end:]}"
        copy = OUT / "src" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if not copy.exists() or copy.read_text() != text:
            copy.write_text(text)
    made = {**os.environ, "MADE": str(OUT / "made"), "NAMES": str(OUT / "names")}
    subprocess.run(["src/headers.sh", "--check"], env=made, stdout=subprocess.DEVNULL, check=False)
    calls = subprocess.run([sys.executable, "tests/overlap.py", str(OUT / "names/rooms/list.h")], check=True, capture_output=True).stdout
    header = OUT / "overlap.h"
    if not header.exists() or header.read_bytes() != calls:
        header.write_bytes(calls)
    for header in HEADERS:
        joined = subprocess.run([str(OUT / "made/join"), str(OUT / "src"), str(OUT / "names"), header], check=True, capture_output=True).stdout
        path = OUT / header
        if not path.exists() or path.read_bytes() != joined:
            path.write_bytes(joined)


def compiler_of(name):
    variable = PROGRAMS[name][0]
    usual, quick = ("cc", "clang") if variable == "CC" else ("g++", "clang++")
    own = os.environ.get(variable) or (usual if name.endswith("cpu") or not shutil.which(quick) else quick)
    return own if variable != "CLANG" else quick  # which tests/count.sh takes


def build(name, family):
    """The program's path; made where what it comes from is newer."""
    _, flags, source, libraries = PROGRAMS[name]
    program = OUT / f"{name} {family}".strip().replace(" ", "_").lower()
    made_of = program.with_suffix(".d")  # the files, as the compiler names them
    files = re.findall(r"[^\s\\]+(?=[\s\\])", made_of.read_text()) if program.exists() and made_of.exists() else []
    files = [file for file in files if not file.endswith(":")]
    if not files or program.stat().st_mtime < max(pathlib.Path(f).stat().st_mtime for f in files):
        more = f"-DCONVK_WITH_{family}" if family else ""
        if name.startswith("family"):
            unit, lists = UNITS[family]
            more += f' -DTEST_UNIT="{unit}" -DTEST_LISTS(list)=list(own)' + "".join(f"list({one})" for one in lists.split())
        source = source or THERE[family]
        own = f"-w -include tests/faults.h -I{OUT} -I. {flags} {more}"
        command = f"{compiler_of(name)} -O1 -ffp-contract=off {own} {source} -o {program} {libraries}"
        if name.startswith("races"):
            command = f"tests/count.sh --races {program} {source} {own}"
        done = subprocess.run(command.split(), capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{command}\n{done.stderr[:4000]}")
        named = subprocess.run(f"{compiler_of(name)} -MM {own} {source}".split(), capture_output=True, text=True)
        made_of.write_text(named.stdout)
    return program


def drawn(family):
    """What devices are compared with: results of tests/draws.c on a processor, without a fault."""
    saved = OUT / f"draws_{family}.bin"
    with DRAWING:
        program = build("draws cpu", family)
        if not saved.exists() or saved.stat().st_mtime < program.stat().st_mtime:
            failed = failure(program, ["--save", str(saved)], {}, 0)
            if failed:
                sys.exit(f"{program}: {failed}")
    return ["--compare", str(saved), "--seconds", "30"]


def compared(family, label="avx2"):
    """Arguments of draws that are compared, which are asked for where it comes to that."""
    return lambda: ["--hw", label, *drawn(family)]


def compiles(kinds):
    """Are all faults expressions?  The first program of each kind of hardware is looked at by its compiler, in one type, without code."""
    failed = 0
    for kind in kinds:
        name = f"golden {kind}"
        _, flags, source, _ = PROGRAMS[name]
        command = f"{compiler_of(name)} {flags} -fsyntax-only -w -DCONVK_F64 -include tests/faults.h -I{OUT} -I. {source}"
        done = subprocess.run(command.split(), capture_output=True, text=True)
        if done.returncode:
            failed += 1
            print(f"FAILED {name}: {done.stderr[:1000]}")
    print(f"{len(kinds) - failed} passed, {failed} failed, 0 skipped")
    return bool(failed)


def steps(fault, quick):
    """What may notice it, the quick ones first: (program's name, its family, arguments, environment)."""
    every = all_steps(fault)
    if not quick or len(every) == 1:
        return every
    return every[:-1] if fault.on == "cpu" else every[:next(i for i, step in enumerate(every) if step[0].startswith("harness"))]


def all_steps(fault):
    filters, family = ROOMS[fault.room]
    if fault.on == "host":
        return [("host opencl", "", [], {})]
    if fault.on == "cpu":
        shapes = [("shapes cpu", "", [], {})] if fault.room == "formfactor" else []
        draws = []
        for one in filter(None, DRAWN.get(fault.room, [family])):  # the second with threads and work
            draws += [("draws cpu", one, ["--save", "/dev/null", "--draws", "300", "--list", "tests/draws.txt"], {}), ("draws cpu", one, compared(one), {})]
        return [("golden cpu", family, [], {}), *draws, ("overlap cpu", "", ["tests/refusals.txt"], {}), ("pitches cpu", "", [], {}), *shapes,
                ("harness cpu", "", ["--quick", "--hw", "scalar,avx2,avx512", "--filter", filters], {}),
                ("harness cpu", "", ["--hw", CPU, "--filter", filters], {})]
    label = "cuda-emulated" if fault.on == "cuda" else "opencl"
    families = [family, "GAUSSIAN"] if fault.room == "device" else [family]
    there = [(f"there {fault.on}", one, []) for one in families if one in THERE]
    brief = ["--brief", "--hw", label, "--filter", FIRST.get(fault.room, filters)]
    alone = [(f"family {fault.on}", family, brief)] if family else []
    if fault.on == "cuda":
        if fault.room == "device":  # batches whose items overlap
            alone.append(("family cuda", "FFT", ["--brief", "--hw", label, "--filter", "fft.errors"]))
        races = [("races cuda", family, [], {"CONVK_RACES": "yes"})] if fault.file.endswith(".cuh") else []
        # host arrays in parts; what streams get is run in an order of lots, which shows a wait that is missing
        lots = [("golden cuda", family, ["--device-bytes", "60000"], {"CONVK_EMULATOR_STREAMS": "1"})] if family else []
        draws = [("draws cuda", one, compared(one, label), {}) for one in DRAWN.get(fault.room, [family]) if one]
        return [("golden cuda", family, ["--small"], {}), *draws, *[(*step, {}) for step in there], ("golden cuda", family, [], {}), *lots,
                *[(*step, {}) for step in alone], *(races or [("calls cuda", "", [], {})]),
                ("harness cuda", "", ["--quick", "--filter", filters], {})]
    no_optimiser = {"CONVK_OPENCL_MORE": "-cl-opt-disable"}
    host = [] if fault.file.endswith(".cl") else [("host opencl", "", [], {})]  # its device runs no kernels
    few_bytes = ["--hw", "opencl", "--device-bytes", "60000"]  # host arrays go to the device in parts
    in_parts = [("golden opencl", family, few_bytes, no_optimiser)] if family else []
    draws = [("draws opencl", one, compared(one, label), no_optimiser) for one in DRAWN.get(fault.room, [family]) if one]
    # text that both devices share, with arrays on the device, too
    both = [("draws cuda", one, compared(one, "cuda-emulated"), {}) for one in DRAWN.get(fault.room, [family]) if one and host and "opencl" not in fault.file]
    first = ["--small", "--hw", "opencl", *(["--filter", "_grid"] if fault.room == "grids" else [])]  # compiles less
    under = {**no_optimiser, "UNDER": "oclgrind"}  # sees what lies beside local memory
    watched = [("golden opencl", family, ["--small", "--hw", "opencl-gpu"], under)] if family and shutil.which("oclgrind") else []
    return [("golden opencl", family, first, no_optimiser), ("golden opencl", family, ["--small"], no_optimiser),
            *draws, *both, *[(*step, no_optimiser) for step in there],
            ("golden opencl", family, ["--quick"], no_optimiser), *[(*step, no_optimiser) for step in alone],
            *host, *in_parts, *watched, ("harness opencl", "", ["--brief", "--hw", "opencl", "--filter", filters], no_optimiser),
            ("pitches opencl", "", [], {**no_optimiser, "HW": "opencl"}), ("golden opencl", family, [], no_optimiser)]


def failure(program, arguments, environment, number):
    """The first line that tells of a failure, or None."""
    environment = {**os.environ, **environment, "CONVK_FAULT": str(number), "LC_ALL": "C",
                   "POCL_CACHE_DIR": str(OUT.absolute() / "pocl")}
    environment.pop("CONVK_REQUIRE", None)
    under = environment.get("UNDER", "").split()
    process = subprocess.Popen([*under, str(program), *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace")
    late = []
    timer = threading.Timer(SECONDS, lambda: (late.append(1), process.kill()))
    timer.start()
    found, last = None, ""
    try:
        for line in process.stdout:
            last = line.strip() or last
            if re.match(r"FAIL|FAILED|cuda emulator:|Invalid (read|write) of", line):
                found = line.strip()
                process.kill()
                break
    finally:
        status = process.wait()
        timer.cancel()
    if late:
        return "it does not end"
    return found or (f"exit status {status}: {last}" if status else None)


def tests_of(line):
    """The test of the harness that a line of it names, for its filter."""
    found = re.match(r"FAIL (\S+) (\S+) .*?\[(\w+)\]:", line)
    return f"{found.group(1)}.{found.group(3)}" if found else None


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--family", help="faults of this folder of src/")
    options.add_argument("--on", default="cpu,opencl,cuda,host", help="faults of these kinds of hardware")
    options.add_argument("--list", action="store_true", help="names alone")
    options.add_argument("--compile", action="store_true", help="do all faults compile?")
    options.add_argument("--quick", action="store_true", help="less of each test program")
    options.add_argument("names", nargs="*")
    chosen = options.parse_args()
    everything = table()
    unknown = set(chosen.names) - {f.name for f in everything}
    if unknown:
        sys.exit(f"no fault {', '.join(sorted(unknown))}")
    faults = [f for f in everything if (not chosen.names or f.name in chosen.names) and chosen.family in (None, f.room)
              and f.on in chosen.on.split(",")]
    places = [f.place((pathlib.Path("src") / f.file).read_text()) for f in everything]
    if chosen.list:
        for fault, (_, _, good, bad) in zip(everything, places):
            if fault in faults:
                print(f"{fault.on:6} {fault.name:32} src/{fault.file}: {' '.join(good.split())} => {bad}")
        return False
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "pocl").mkdir(exist_ok=True)
    write_headers(everything)
    if chosen.compile:
        return compiles([kind for kind in ("cpu", "opencl", "cuda") if kind in chosen.on.split(",")])
    jobs = int(os.environ.get("JOBS", os.cpu_count() or 1))
    witnesses, lock = {}, threading.Lock()  # what noticed something, which must pass without a fault
    making = collections.defaultdict(threading.Lock)

    def program_of(name, family):
        with lock:
            one = making[name, family]
        with one:
            return build(name, family)

    def examine(fault):
        for name, family, arguments, environment in steps(fault, chosen.quick):
            arguments = arguments() if callable(arguments) else arguments
            line = failure(program_of(name, family), arguments, environment, fault.number)
            if line:
                with lock:
                    one = tests_of(line) if name.startswith(("family", "harness")) else None
                    if one:
                        arguments = [*arguments[:arguments.index("--filter") + 1], one]
                    witnesses[name, family, tuple(arguments)] = environment
                return f"{name}: {line}"
        return None

    unnoticed = known = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for fault, line in zip(faults, pool.map(examine, faults)):
            if not line:
                unnoticed, known = unnoticed + (not fault.known), known + bool(fault.known)
            print(f"{'noticed ' if line else 'known   ' if fault.known else 'SURVIVED'} {fault.name:32} "
                  f"{line[:150] if line else fault.known or 'src/' + fault.file + ': ' + fault.text}", flush=True)
        wrong = [w for w, line in pool.map(lambda w: (w, failure(program_of(w[0], w[1]), w[2], witnesses[w], 0)), list(witnesses)) if line]
    for name, family, arguments in wrong:
        print(f"fails without a fault: {name} {family} {' '.join(arguments)}")
    print(f"noticed {len(faults) - unnoticed - known} of {len(faults)}; {known} are known not to be, {unnoticed} survived")
    print(f"{len(faults) - unnoticed} passed, {unnoticed + len(wrong)} failed, 0 skipped")
    return bool(unnoticed or wrong or not faults)


if __name__ == "__main__":
    sys.exit(main())
