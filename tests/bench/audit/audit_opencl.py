#!/usr/bin/env python3
"""What compilers for GPUs make of the OpenCL kernels: registers, memory of spills, waves that fit, size of the code.

    audit_opencl.py [--target NAME,...] [--filter TEXT] [--json FILE] [--compare FILE] [--every]

Which kernels: tests/golden.c runs on an OpenCL library that computes nothing (opencl_device.c), as on a large device and as on one
that is small for its work, and every launch is noted with its build options.  Of kinds that differ in sizes alone, a few are
compiled, or all with --every.

Targets: names of AMD processors, and sm_90 and so on, for which clang makes PTX and ptxas counts; those that the compilers here do not
know are left out.  --json writes a table.  --compare compares with one: a kernel must not spill to memory, nor use more than 1.1 times
the registers there.

Registers are of a work-item (VGPR and AGPR together on gfx90a, whose files are one) and of a wave (SGPR).  Spills: VGPRs and SGPRs that
went elsewhere; scratch: bytes of memory per work-item, which hold VGPRs without a place, and arrays that are indexed at run time."""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
OUT = ROOT / "build" / "audit"
CLANG = os.environ.get("CLANG", "clang")
FIELDS = ["vgpr", "agpr", "sgpr", "lds", "scratch", "vgpr_spills", "sgpr_spills", "waves", "code"]
FIELDS_PTX = ["registers", "lds", "scratch", "spills"]
COMMON = ["-x", "cl", "-cl-std=CL1.2", "-O3", "-cl-no-stdinc", "-include", "opencl-c-base.h", "-include", str(HERE / "opencl_builtins.h"),
          f"-I{ROOT / 'src'}"]
# As AMD's compiler for OpenCL: everything is inlined.
AMD = ["-target", "amdgcn-amd-amdhsa", "-nogpulib", "-fvisibility=hidden", "-Xclang", "-fdenormal-fp-math-f32=ieee", "-mllvm",
       "-amdgpu-early-inline-all=true", "-mllvm", "-amdgpu-function-calls=false"]
NVIDIA = ["-target", "nvptx64-nvidia-nvcl", "-Xclang", "-target-cpu", "-Xclang", "sm_80", "-Xclang", "-target-feature", "-Xclang", "+ptx70"]


def fail(text):
    sys.exit(f"audit_opencl.py: {text}")


def launches():
    """(file, kernel, options, items, local bytes in arguments) of all launches, sorted, each kernel once."""
    OUT.mkdir(parents=True, exist_ok=True)
    few, many, notes = OUT / "few", OUT / "many", OUT / "kernels.txt"
    for program, special in (few, 32), (many, 1000):  # how many programs for one size there may be, before general ones
        subprocess.run([os.environ.get("CC", "cc"), "-std=gnu99", "-O0", "-I.", "-DCONVK_CL", "-DCONVK_TEST_OWN_LIMITS",
                        f"-DCONVK_CL_SPECIAL_={special}", "-DCL_TARGET_OPENCL_VERSION=120", "tests/golden.c",
                        str(HERE / "opencl_device.c"), "-o", str(program), "-lm"], cwd=ROOT, check=True)
    notes.unlink(missing_ok=True)
    for program, units in (few, "104"), (few, "0"), (many, "104"):
        subprocess.run([str(program), "--hw", "opencl"], cwd=ROOT, stdout=subprocess.DEVNULL,
                       env={**os.environ, "CONVK_OPENCL_UNITS": units, "CONVK_OPENCL_KERNELS": str(notes), "CONVK_REQUIRE": ""})
    found = {}
    for line in set(notes.read_text().splitlines()):
        file, kernel, items, local, options = line.split(" ", 4)
        name = file, kernel, re.sub(r" *-cl-\S+| +$", "", options)
        found[name] = max(found.get(name, (0, 0)), (int(local), int(items)))
    return [(*name, items, local) for name, (local, items) in sorted(found.items())]


def few(all_launches):
    """Of launches whose options differ in sizes alone, three."""
    kinds = {}
    for launch in all_launches:
        sizes = r"NY|NX|RADICES\w*|HALF|OUT_\w*|SIZE|ROWS|COLUMNS" if launch[1] == "fft" else r"TAPS_.|TILE_.|PERIODIC_.|ITEMS"
        kinds.setdefault((launch[1], re.sub(rf"-D({sizes})=\S+", "", launch[2])), []).append(launch)
    return sorted({k[i] for k in kinds.values() for i in (0, len(k) // 2, len(k) - 1)})


def number(pattern, text, default=0):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else default


def waves(target, vgpr, lds, items, otherwise):
    """Of a SIMD, by registers and local memory; clang's own count, without local memory, for processors of other kinds."""
    if target not in ("gfx90a", "gfx940", "gfx941", "gfx942"):
        return otherwise
    by_registers = 512 // (8 * math.ceil(max(vgpr, 1) / 8))
    by_lds = 65536 // lds * math.ceil(items / 64) / 4 if lds else 8
    fits = min(8, by_registers, by_lds)
    return int(fits) if fits == int(fits) else fits


def amd(text, kernel, target, items, local):
    whole = text[text.index(f"\n{kernel}:"):]
    count = lambda name: number(rf"\.{name}: *(\d+)", text)
    agpr = number(r"; NumAgprs: (\d+)", whole)
    vgpr, lds = count("vgpr_count"), count("group_segment_fixed_size") + local
    return [vgpr, agpr, count("sgpr_count"), lds, count("private_segment_fixed_size"), count("vgpr_spill_count"),
            count("sgpr_spill_count"), waves(target, vgpr, lds, items, number(r"; Occupancy: (\d+)", whole)),
            number(r"; codeLenInByte = (\d+)", whole)]


def nvidia(text, kernel, local):
    text = text[text.index(f"'{kernel}'"):]
    return [number(r"Used (\d+) registers", text), number(r"(\d+) bytes smem", text) + local, number(r"(\d+) bytes stack frame", text),
            number(r"(\d+) bytes spill stores", text)]


def build(launch, target, directory):
    file, kernel, options, items, local = launch
    out = tempfile.NamedTemporaryFile(dir=directory, suffix=".s", delete=False).name
    machine = NVIDIA if target.startswith("sm_") else AMD + [f"-mcpu={target}"]
    done = subprocess.run([CLANG, *COMMON, *machine, *options.split(), "-S", str(ROOT / "src" / file), "-o", out], capture_output=True, text=True)
    if done.returncode == 0 and not target.startswith("sm_"):
        result = amd(pathlib.Path(out).read_text(), kernel, target, items, local)
    elif done.returncode == 0:
        done = subprocess.run(["ptxas", f"-arch={target}", "-v", out, "-o", os.devnull], capture_output=True, text=True)
        result = nvidia(done.stderr, kernel, local) if done.returncode == 0 else None
    pathlib.Path(out).unlink(missing_ok=True)
    if done.returncode:
        fail(f"{file} {kernel} {options}, {target}:\n{done.stderr}")
    return result


def known(target):
    """Whether the compilers that are here can do it."""
    if target.startswith("sm_"):
        return shutil.which("ptxas") is not None and "nvptx64" in targets()
    return "amdgcn" in targets() and target in subprocess.run(
        [CLANG, "-target", "amdgcn-amd-amdhsa", "-nogpulib", "--print-supported-cpus"], capture_output=True, text=True).stderr.split()


def targets():
    return subprocess.run([CLANG, "--print-targets"], capture_output=True, text=True).stdout.split()


def fields(target):
    return FIELDS_PTX if target.startswith("sm_") else FIELDS


def worse(name, target, now, before):
    now, before = (dict(zip(fields(target), v)) for v in (now, before or []))
    for what in "scratch", "spills", "vgpr_spills":
        if now.get(what, 0) > before.get(what, 0):
            yield f"{name}, {target}: {what} {now[what]}"
    for what in "vgpr", "registers":
        if now.get(what, 0) > 1.1 * before.get(what, math.inf):
            yield f"{name}, {target}: {what} {now[what]}, and {before[what]} in the table"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--target", default="gfx90a,gfx942,gfx1030,sm_90", help="processors, with commas between them")
    arguments.add_argument("--filter", default="", help="only lines that contain this text")
    arguments.add_argument("--every", action="store_true", help="all sizes")
    arguments.add_argument("--json", help="the table that is written")
    arguments.add_argument("--compare", help="the table to compare with")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilers at a time")
    given = arguments.parse_args()
    machines = [t for t in given.target.split(",") if known(t)]
    if not machines:
        fail(f"{CLANG} knows none of {given.target}")
    chosen = launches()
    if not given.every:
        chosen = few(chosen)
    chosen = [c for c in chosen if given.filter in " ".join(c[1:3])]
    rows = {}
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        work = [(c, t, pool.submit(build, c, t, directory)) for c in chosen for t in machines]
        try:
            for c, t, w in work:
                rows.setdefault(" ".join(c[1:3]), {})[t] = w.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    for t in machines:
        print(f"{t}: " + " ".join(f"{f:>8}" for f in fields(t)) + "  kernel and options")
        for name, row in rows.items():
            print(" " * (len(t) + 2) + " ".join(f"{v:>{max(8, len(f))}}" for f, v in zip(fields(t), row[t])) + "  " + name)
    if given.json:
        lines = [f" {json.dumps(name)}: {json.dumps(row)}" for name, row in rows.items()]
        table = {"compiler": subprocess.run([CLANG, "--version"], capture_output=True, text=True).stdout.splitlines()[0],
                 "fields": {t: fields(t) for t in machines}}
        head = json.dumps(table)[1:-1]
        pathlib.Path(given.json).write_text("{" + head + ', "kernels": {\n' + ",\n".join(lines) + "\n}}\n")
    if given.compare:
        table = json.loads(pathlib.Path(given.compare).read_text())["kernels"]
        found = [w for name, row in rows.items() for t, now in row.items() for w in worse(name, t, now, table.get(name, {}).get(t))]
        unknown = [name for name in rows if name not in table]
        print("\n".join(f"not in the table: {name}" for name in unknown))
        if 4 * len(unknown) > len(rows):
            found.append(f"the table is old: audit_opencl.py --json {given.compare}")
        for w in found:
            print(f"FAIL {w}")
        print(f"{len(rows) * len(machines) - len(found)} passed, {len(found)} failed, 0 skipped")
        sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
