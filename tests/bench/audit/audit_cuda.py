#!/usr/bin/env python3
"""What the machine code of convk_cuda.h promises: registers, spills, hot loops and predicted rates of its kernels.

    audit_cuda.py [--arch 80,86,89,90,100,120] [--json FILE] [--table FILE] [--compare FILE] [--kernels] [--filter TEXT]
    audit_cuda.py --known            tests the audit on kernels whose machine code is known

Compiles every kernel, disassembles it, finds innermost loops, and counts their instructions by class.  The rate of a call is
predicted from the busiest unit in the hot loops of its kernels (scheduler, arithmetic, integer unit, special functions, shared
memory) and from the bytes that it moves, whichever is slower; latencies are not in it, so it bounds what a device can do.
  --json     one object per line: kernels with their counts, calls with their predicted rates
  --table    the same as a page for people
  --compare  fails where a kernel spills, or a rate lies more than 5 % below the one in that file
  --kernels  prints every kernel, not the predicted calls alone
The warps of a kernel that takes shared memory when it starts are known where shared_cuda.cu is built, for --json, --table and
--kernels.  Needs nvcc, ptxas and nvdisasm, and c++filt; for shared_cuda.cu g++ and nm.  Python's own library is enough."""
import argparse
import concurrent.futures
import datetime
import json
import pathlib
import re
import sys
import tempfile

import machine_code
from machine_code import DEVICES, MACHINES

MOST = 1.02  # a greater share of the least that a formula needs: the way that was found through a kernel is not the ordinary one

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]


class Part:
    """A hot loop on the way of a call.  `kernel`: its name as c++filt prints it.  A turn of the loop does as many units of work
    per lane as there are instructions `per` in it (a class, a name, "stored" for bytes of global stores, or "product" for
    multiply-adds of whichever unit makes most of them), over `each`.
    `times`: units of the loop for one unit of the call.  Hot is the loop with most arithmetic; `loops` has the places of others
    in that order, or "all" for all with any, or "none" for a kernel that goes through its code once: then `each` lanes take one
    unit."""

    def __init__(self, kernel, per, each, times=1.0, loops=(0,)):
        self.kernel, self.per, self.each, self.times, self.loops = kernel, per, each, times, loops

    def chosen(self, kernel):
        if self.loops == "none":
            return [kernel.all]
        loops = [loop for loop in kernel.loops if self.work(loop)]
        return loops if self.loops == "all" else [loops[place] for place in self.loops]

    def work(self, loop):
        if self.loops == "none":
            return 1 / self.each
        if self.per == "stored":
            return sum(loop.width[f"global store {b}"] * b for b in (4, 8, 16)) / self.each
        if self.per == "product":
            return (loop.count["fma"] if not loop.unit["matrix"] else loop.unit["matrix"]) / self.each
        return (loop.count[self.per] or loop.name[self.per]) / self.each

    def cycles(self, kernel, machine):
        """Clocks of a multiprocessor for one unit, by its parts."""
        total = {}
        for loop in self.chosen(kernel):
            for unit, clocks in loop.cycles(machine).items():
                total[unit] = total.get(unit, 0) + self.times * clocks / (32 * self.work(loop))
        return total


class Call:
    """A public operation: what one unit of it takes at least (instructions of the arithmetic unit, bytes), and moves."""

    def __init__(self, operation, type_, size, unit, scale, parts, arithmetic, least, moved):
        self.operation, self.type, self.size, self.unit, self.scale = operation, type_, size, unit, scale
        self.parts, self.arithmetic, self.least, self.moved = parts, arithmetic, least, moved

    def predict(self, kernels, machine):
        """Rate, ceiling, and what bounds it."""
        busy, arithmetic = {}, self.arithmetic
        unit = "f64" if self.type in ("f64", "c64") else "f32"
        for part in self.parts:
            clocks = part.cycles(kernels[part.kernel], machine)
            if self.arithmetic is None:
                arithmetic = (arithmetic or 0) + clocks[unit] * machine.pipes[unit]
            if clocks.get("matrix"):
                unit = "matrix"
            bound = max(clocks, key=clocks.get)
            busy[bound] = busy.get(bound, 0) + clocks[bound]
        compute = sum(busy.values())
        bandwidth = machine.memory / (machine.multiprocessors * machine.clock * 1e9)  # bytes in a clock of a multiprocessor
        memory = self.moved / bandwidth
        least = max(arithmetic / machine.pipes[unit], self.least / bandwidth)
        clocks = max(compute, memory)
        whole = machine.multiprocessors * machine.clock * 1e9 * self.scale
        return {
            "operation": self.operation, "type": self.type, "size": self.size, "rate": whole / clocks, "unit": self.unit,
            "ceiling": whole / least, "fraction": least / clocks,
            "bound": "memory" if memory > compute else max(busy, key=busy.get),
        }


def calls():
    """What is predicted.  Bytes moved count every sector that warps ask for, those of halos, too, but for tables that many blocks
    read, which stay in caches."""
    result = []
    for t, c, size in (("f32", "float", 4), ("f64", "double", 8)):
        def add(operation, shape, unit, scale, parts, arithmetic, least, moved=None):
            result.append(Call(operation, t, shape, unit, scale, parts, arithmetic, least, moved or least))

        # strips of 128 rows and chunks of 128 planes, each with 15 more; rows of 256 with 15 more, which begin anywhere
        halo = (256 + 15 + 3) / 256 * (128 + 15) / 128 + (128 + 15) / 128
        add("magicfilter3d", "512x512x256", "GFlop/s", 96e-9,
            [Part(f"convk_cuda_xy_<{c}, 16, 1>", "fma", 15, 288 / 256, "all"), Part(f"convk_cuda_z_<{c}, 16, 0>", "fma", 15)],
            48, 4 * size, (2 + halo) * size)
        exp_work, log_work = (12, 28) if size == 4 else (17, 34)
        add("exp", "*", "G/s", 1e-9, [Part(f"convk_cuda_map_<{c}, 0, 1>", "stored", size)], exp_work, 2 * size)
        add("sincos", "*", "G/s", 1e-9, [Part(f"convk_cuda_map_<{c}, 3, 1>", "stored", 2 * size)], log_work, 3 * size)
        add("gridpot", "*", "Gexp/s", 1e-9, [Part(f"convk_cuda_gridpot_<{c}, 1, 1, 0>", "fma", 9 if size == 4 else 14)],
            exp_work, size)
        for sums in (1, 8):
            add("gridpot_sum", f"262144x640x{sums}", "Gexp/s", 1e-9,
                [Part(f"convk_cuda_gridpot_sum_<{c}, {sums}, 0, 2>", "arithmetic", 3)], exp_work + sums, 0)
        # multiply-adds of 16 orbitals with 102 tables, without the weights where they are in loops of their own
        for name, kernel, stored in (("orbitals_grid", "convk_cuda_grid_<{}, 6>", size),
                                     ("density_grid", "convk_cuda_grids_density_<{}, 6>", 0)):
            add(name, "96x96x96x16x102", "Gma/s", 1e-9, [Part(kernel.format(c), "product", 1)], 1, stored / 102)
        # a pair of a list: 14 or 22 multiply-adds, and 9 other operations; of a grid: 6 multiply-adds
        add("formfactor", "*", "Gpair/s", 1e-9, [Part(f"convk_cuda_formfactor_list_<{c}, 4, 0, 0>", "arithmetic", 9)],
            23 if size == 4 else 31, 0)
        add("formfactor_grid", "*", "Gpair/s", 1e-9, [Part(f"convk_cuda_formfactor_grid_<{c}, 128, 0>", "fma", 6)], 6, 0)
        # an atom and a q of a list: 12 or 20 multiply-adds, and 7 other operations; of a grid without -q: 4 multiply-adds
        add("amplitudes", "*", "Gpair/s", 1e-9, [Part(f"convk_cuda_amplitudes_stage_<{c}, 4>", "arithmetic", 7)],
            19 if size == 4 else 27, 0)
        add("amplitudes_grid", "*", "Gpair/s", 1e-9, [Part(f"convk_cuda_amplitudes_stage_<{c}, 5>", "fma", 4)], 4, 0)
        # a sweep writes its tile of 128 x 32 points, and reads 3 % of halo above and below, two columns by whole sectors, and a few
        # planes twice; in four steps 24 x 56 points of 32 x 64, or 24 x 120 of 32 x 128, are written
        add("stencil7", "512x512x512", "GLUP/s", 1e-9, [Part(f"convk_cuda_sweep_<{c}, 1>", "stored", size)], 7, 2 * size, 2.14 * size)
        rows = 512 // size
        part = 24 / 32 * (rows - 8) / rows
        add("stencil7_steps", "512x512x512", "GLUP/s", 1e-9,
            [Part(f"convk_cuda_stencil_<{c}, 32, {rows}, 4, 1>", "stored", size / 4, 1 / part)],
            7, 2 * size / 4, (1 / part + 1) * size / 4)
        # fields of m / 2 - 1 points squared, and a spectrum, which 24 of them share
        for m, radices, lanes in ((16, "16, 1", 16), (32, "8, 4", 32), (64, "8, 8", 64)):
            if size == 4 or m < 64:
                field, spectrum = 2 * size * (m // 2 - 1) ** 2, 2 * size * m * m
                result.append(Call("fftconv2d", "c32" if size == 4 else "c64", f"{m}x{m}", "kconv/s", 1e-3,
                    [Part(f"convk_cuda_fft_squares_<{c}, convk_cuda_fft_square_<{c}, {radices}, 0, 0, 3> >", "", lanes,
                          loops="none")], None, 2 * field + spectrum / 24, 2 * field + spectrum / 24))
        # two rows and two columns in a turn, a root for each pair; the loop with most arithmetic is the one for boxes and cutoffs
        add("pair_energy", "1024", "Gpair/s", 1e-9, [Part(f"convk_cuda_pairs_tiles_<{c}, 15, 1>", "MUFU", 1, loops=[1])],
            31 if size == 4 else 36, 0)
    return result


def measure(arch, options):
    return machine_code.compiled(str(HERE / "kernels.cu"), arch, ["-I" + str(ROOT), *options])


def give_dynamic(found, wanted):
    """To kernels the bytes of shared memory that launches ask for, or none where nobody wants to know."""
    if not wanted:
        return
    with tempfile.TemporaryDirectory() as folder:
        program = folder + "/shared_cuda"
        machine_code.run("g++", "-x", "c++", "-std=c++11", "-O0", "-w", "-no-pie", "-I" + str(ROOT), str(HERE / "shared_cuda.cu"),
                         "-o", program)
        names = [line.split(" ", 2) for line in machine_code.run("nm", "-C", program).split("\n") if "void convk_cuda_" in line]
        names = {int(address, 16): machine_code.plain(name) for address, _, name in names}
        for arch, kernels in found.items():
            block = MACHINES[arch].shared - machine_code.RESERVED
            for line in machine_code.run(program, str(block)).split("\n")[:-1]:
                address, _, bytes_ = line.split()
                kernel = kernels.get(names[int(address, 16)])
                if kernel and int(bytes_):
                    kernel.dynamic.append(int(bytes_))


def compiler():
    return re.search(r"release (\S+),", machine_code.run(machine_code.tool("nvcc"), "--version")).group(1)


def known_to_nvcc(arch):
    return f"compute_{arch}" in machine_code.run(machine_code.tool("nvcc"), "--list-gpu-arch").split()


def row_of(kernel, arch):
    machine, loop = MACHINES[arch], kernel.loops[0] if kernel.loops else kernel.all
    clocks = loop.cycles(machine)
    return {
        "arch": arch, "kernel": kernel.name, "registers": kernel.registers, "shared": kernel.shared,
        **({"dynamic": max(kernel.dynamic)} if kernel.dynamic else {}), "spills": kernel.spills,
        "stack": kernel.stack, "threads": kernel.threads, "warps": kernel.resident(machine), "loop": loop.size,
        **{kind: loop.count[kind] for kind in [*machine_code.CLASSES, "integer"] if loop.count[kind]},
        "widths": {k: n for k, n in sorted(loop.width.items())}, "per_clock": round(loop.arithmetic() / max(clocks.values()), 4),
    }


def known():
    """Whether the audit sees what is in known.cu."""
    k = machine_code.compiled(str(HERE / "known.cu"), "90")
    machine, wrong = MACHINES["90"], []

    def expect(what, got, want):
        print(f"{'ok' if got == want else 'FAILED'} {what}: {got}" + ("" if got == want else f", not {want}"))
        wrong.extend([what] if got != want else [])

    for name, unit in (("known_multiply_add<float>", "f32"), ("known_multiply_add<double>", "f64")):
        kernel = k[name]
        expect(f"{name}: loops", len(kernel.loops), 1)
        loop = kernel.loops[0]
        expect(f"{name}: multiply-adds", loop.count["fma"], 64)
        expect(f"{name}: at most 4 other instructions", loop.size <= 68, True)
        expect(f"{name}: clocks of the arithmetic unit", loop.cycles(machine)[unit], 64 * 32 / machine.pipes[unit])
        expect(f"{name}: warps", kernel.resident(machine), 64)
        expect(f"{name}: spills", kernel.spills, 0)
    loop = k["known_copy"].loops[0]
    expect("known_copy: loads", dict(loop.width), {"global load 16": 4, "global store 16": 4})
    expect("known_copy: arithmetic", loop.arithmetic(), 0)
    loop = k["known_shared"].loops[0]
    expect("known_shared: loads", loop.width["shared load 4"], 16)
    expect("known_shared: wavefronts", loop.cycles(machine)["shared"], 16)
    expect("known_shared: bytes of shared memory", k["known_shared"].shared, 8192)
    expect("known_shared: loops", len(k["known_shared"].loops), 1)
    expect("known_spill: spills", k["known_spill"].spills > 0, True)
    expect("known_spill: local memory in its loop", k["known_spill"].loops[0].count["local"] > 0, True)
    expect("known_spill: registers", k["known_spill"].registers, 32)
    return 1 if wrong else 0


def compare(rows, file):
    """Messages of what is worse than what the file says."""
    def key(row):
        return tuple(row.get(name) for name in ("arch", "device", "kernel", "operation", "type", "size"))
    before = {key(row): row for row in map(json.loads, open(file))}
    made_by = before.pop(key({}))["nvcc"]
    worse = [f"sm_{r['arch']} {r['kernel']}: spills {r['spills']} bytes" for r in rows if r.get("spills")]
    if made_by != compiler():
        print(f"{file} is of nvcc {made_by}, this is {compiler()}: only spills are compared")
        return worse
    for row in rows:
        old = before.get(key(row))
        what = f"sm_{row['arch']} " + (row.get("kernel") or f"{row['device']} {row['operation']} {row['type']} {row['size']}")
        if not old:
            worse.append(f"{what}: is not in {file}")
            continue
        for name in ("rate", "per_clock"):
            if name in row and row[name] < 0.95 * old[name]:
                worse.append(f"{what}: {name} {row[name]:.4g}, before {old[name]:.4g}")
    return worse


def digits(x):
    return f"{x:.3g}" if x < 1000 else f"{x:.0f}"


def shared(row):
    return f"{row['shared']} + {row['dynamic']}" if "dynamic" in row else row["shared"]


def resources(kernels, archs):
    """Lines of a page: what those kernels that take most shared memory leave of each kind of multiprocessor."""
    text = ["| kernel | bytes of a block | " + " | ".join(f"sm_{a}" for a in archs) + " |", "|---|---|" + "---|" * len(archs)]
    for first in [r for r in kernels if r["arch"] == archs[0] and "formfactor_grid_<" in r["kernel"]]:
        same = [next(r for r in kernels if r["arch"] == a and r["kernel"] == first["kernel"]) for a in archs]
        text.append(f"| `{first['kernel'].replace('convk_cuda_', '')}` | {shared(first)} | "
                    + " | ".join(str(r["warps"] * 32 // r["threads"]) for r in same) + " |")
    return text


def table(rows):
    """The page of results."""
    calls_, kernels = [r for r in rows if "operation" in r], [r for r in rows if "kernel" in r]
    archs = sorted({r["arch"] for r in rows}, key=int)
    machines = [(a, m) for a in archs for m in DEVICES[a]]
    text = [HEAD.format(date=datetime.date.today(), nvcc=compiler(), machines=", ".join(f"{m.name}: sm_{a}" for a, m in machines)), ""]
    text += ["| call | type | " + " | ".join(m.name for _, m in machines) + " | unit | bound by |",
             "|---|---|" + "---|" * len(machines) + "---|---|"]
    for first in [r for r in calls_ if r["device"] == machines[0][1].called]:
        found = {r["device"]: r for r in calls_ if all(r[k] == first[k] for k in ("operation", "type", "size"))}
        same = [found.get(m.called) for _, m in machines]
        cells = " | ".join(f"{digits(r['rate'])} ({r['fraction']:.2f})" if r else "-" for r in same)
        bounds = {r["bound"] for r in same if r}
        text.append(f"| {first['operation']} {first['size']} | {first['type']} | {cells} | {first['unit']} | "
                    + (bounds.pop() if len(bounds) == 1 else ", ".join(r["bound"] if r else "-" for r in same)) + " |")
    text += ["", GRIDS_HEAD, "", *resources(kernels, archs), "", KERNELS_HEAD, "", "| kernel | registers | shared | warps | loop | multiply-adds | other arithmetic | shared loads, "
             "stores | global loads, stores | integer, address | the rest |", "|---|---|---|---|---|---|---|---|---|---|---|"]
    for r in [r for r in kernels if r["arch"] == "90"]:
        def widths(kind):
            found = [f"{n} x {k.split()[-1]} B" for k, n in r["widths"].items() if k.startswith(kind)]
            return ", ".join(found) or "0"
        counted = ("fma", "arithmetic", "shared load", "shared store", "global load", "global store", "integer")
        rest = r["loop"] - sum(r.get(k, 0) for k in counted)
        text.append(f"| `{r['kernel'].replace('convk_cuda_', '')}` | {r['registers']} | {shared(r)} | {r['warps']} | {r['loop']} | "
                    f"{r.get('fma', 0)} | {r.get('arithmetic', 0)} | {widths('shared load')}; {widths('shared store')} | "
                    f"{widths('global load')}; {widths('global store')} | {r.get('integer', 0)} | {rest} |")
    return "\n".join(text) + "\n"


HEAD = """# CUDA kernels by their machine code

Made by `make audit-cuda` on {date} from what nvcc {nvcc} makes of `convk_cuda.h`.  **Everything here is predicted**; [H100.md](H100.md)
has what one GPU measured.  A rate is what the busiest unit leaves: the scheduler (4 instructions of warps in a clock of a
multiprocessor), the arithmetic, integer and special units, shared memory, or the bytes that warps ask for over the device's
bandwidth.  Waiting is not in it, so that a device does at most this.  In brackets: the share of the least that the formula needs,
which is the arithmetic at the peak, or each array once through memory.
{machines}; where their figures are from stands in `tests/bench/audit/machine_code.py`.

What kernels do to memory is counted where they run in the tests' emulator: `make count-cuda`; and `make bench-cuda` prints these
rates beside those of a device: the rates of the one whose name it has, else of the first of its architecture, which it tells."""

KERNELS_HEAD = """The hot loop of each kernel for sm_90: the innermost one with most arithmetic.  Instructions of one turn of it, loads and stores
by their bytes in a lane; warps that a multiprocessor holds at once, of 64.  `shared`: bytes that a block of the kernel always has,
and the most that transforms and grids of form factors take more when `shared_cuda.cu` starts them.  Nothing spills on any of the
architectures above.  Of sums of filters it is a loop for points whose filters see an end."""

GRIDS_HEAD = """Blocks of a multiprocessor for grids of form factors, which take most of its shared memory: tiles of 64 or 128 lanes, with second
or fourth order."""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", default=",".join(DEVICES))
    parser.add_argument("--json")
    parser.add_argument("--table")
    parser.add_argument("--compare")
    parser.add_argument("--kernels", action="store_true")
    parser.add_argument("--filter", default="")
    parser.add_argument("--known", action="store_true")
    parser.add_argument("--define", action="append", default=[], help="for the compiler, such as CONVK_WITH_STENCIL")
    options = parser.parse_args()
    if options.known:
        return known()
    archs = [arch for arch in options.arch.split(",") if known_to_nvcc(arch)]
    for arch in set(options.arch.split(",")) - set(archs):
        print(f"nvcc {compiler()} does not know sm_{arch}")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = dict(zip(archs, pool.map(lambda arch: measure(arch, ["-D" + d for d in options.define]), archs)))
    give_dynamic(found, options.json or options.table or options.kernels)
    rows = []
    for arch, kernels in found.items():
        rows += [row_of(k, arch) for name, k in sorted(kernels.items()) if options.filter in name]
        for call in calls():
            if all(part.kernel in kernels for part in call.parts) and options.filter in call.operation + call.parts[0].kernel:
                told = [{"arch": arch, "device": m.called, **call.predict(kernels, m)} for m in DEVICES[arch]]
                rows += [row for row in told if row["fraction"] <= MOST]
    for row in rows:
        if "kernel" in row and (options.kernels or row["spills"]):
            print(f"sm_{row['arch']} {row['kernel']}: {row['registers']} registers, {row['warps']} warps, {row['spills']} spilled; loop "
                  f"{row['loop']}: " + ", ".join(f"{row[k]} {k}" for k in [*machine_code.CLASSES, 'integer'] if k in row) +
                  f"; {row['widths']}")
        elif "operation" in row:
            print(f"sm_{row['arch']} {row['device']} {row['operation']} {row['type']} {row['size']}: {row['rate']:.4g} {row['unit']}, "
                  f"{100 * row['fraction']:.0f} % of {row['ceiling']:.4g}, bound by {row['bound']}")
    if options.json:
        with open(options.json, "w") as file:
            file.writelines(json.dumps(row) + "\n" for row in [{"nvcc": compiler()}, *rows])
    if options.table:
        pathlib.Path(options.table).write_text(table(rows))
    worse = compare(rows, options.compare) if options.compare else []
    print("\n".join(worse))
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
