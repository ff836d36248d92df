#!/usr/bin/env python3
"""How the programs of examples/mpi scale: measured on this machine, and on a simulated cluster.

    scaling.py measure MACHINE.json     1 and 2 ranks of one thread, in turns, and the serial examples (make mpi heat helium first)
    scaling.py simulate CLUSTER.json    up to 1024 ranks by SimGrid's smpicc and smpirun, kernels by the rates in MACHINE.json
    scaling.py report                   results/SCALING.md and results/scaling.svg (needs matplotlib)

In the environment: MPIRUN ("mpirun"), MACHINE (the file of rates for `simulate`), RUNS (how many runs a median is of, 5)."""
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RESULTS = HERE / "results"
RUNS = int(os.environ.get("RUNS", "5"))
OUT = ROOT / "build" / "scaling"

# name: program, and its arguments for so many ranks (strong scaling has the same for all)
WEAK = {
    "heat, one layer a step": ("heat", lambda n: ["--block", "256", "--steps", "48", "--halo", "1"]),
    "heat, 4 steps per halo": ("heat", lambda n: ["--block", "256", "--steps", "48", "--halo", "4"]),
    "heat, 8 steps per halo": ("heat", lambda n: ["--block", "256", "--steps", "48", "--halo", "8"]),
    "filter, magic, by grid, blocks of 128^3": ("filter", lambda n: ["--block", "128", "--orbitals", "4", "--repeat", "5"]),
    "filter, magic, by grid, blocks of 256^3": ("filter", lambda n: ["--block", "256", "--orbitals", "2", "--repeat", "3"]),
    "filter, potential, by grid, blocks of 128^3": ("filter", lambda n: ["--operation", "potential", "--block", "128", "--orbitals", "4",
                                                                         "--repeat", "5"]),
    "filter, potential, by grid, blocks of 256^3": ("filter", lambda n: ["--operation", "potential", "--block", "256", "--orbitals", "2",
                                                                         "--repeat", "2"]),
    "filter, magic, by orbitals": ("filter", lambda n: ["--block", "128", "--orbitals", "4", "--repeat", "5", "--by", "orbitals"]),
    "gisaxs, f32": ("gisaxs", lambda n: ["cylinder", "--grid", f"1024x{1024 * n}"]),
    "gisaxs, f64": ("gisaxs", lambda n: ["cylinder", "--type", "f64", "--grid", f"512x{1024 * n}"]),
    "helium, 20 atoms": ("helium", lambda n: ["20", "--walkers", str(64 * n), "--sweeps", "1000", "--equilibrate", "64"]),
    "helium, 112 atoms": ("helium", lambda n: ["112", "--walkers", str(16 * n), "--sweeps", "150", "--equilibrate", "64"]),
}
STRONG = {
    "heat, 8 steps per halo, 256^3": ("heat", ["--n", "256", "--steps", "96", "--halo", "8"]),
    "filter, magic, by grid, 256x128x128": ("filter", ["--n", "256x128x128", "--orbitals", "4", "--repeat", "5"]),
    "gisaxs, f32, 1024x1024": ("gisaxs", ["cylinder", "--grid", "1024x1024"]),
    "helium, 112 atoms, 32 walkers": ("helium", ["112", "--walkers", "32", "--sweeps", "150", "--equilibrate", "64"]),
}
# program, arguments, and what a serial example prints of the same: a rate and its factor to the program's giga-units
SERIAL = {
    "heat": (["--n", "256", "--steps", "96"], ["--n", "256", "--steps", "96", "--out", str(OUT / "heat")], r"one call:.* ([0-9.e+]+) GLUP/s", 1),
    "helium": (["112", "--walkers", "32", "--sweeps", "150", "--equilibrate", "64"],
               ["112", "--walkers", "32", "--sweeps", "150", "--equilibrate", "64", "--threads", "1", "--output", str(OUT / "helium")],
               r"time:.* ([0-9.e+]+) M pairs/s", 1e-3),
    "gisaxs": (["box", "--grid", "1024x1024"], ["box", "--grid", "1024x1024", "--out", str(OUT / "gisaxs.ppm")],
               r"formfactor_grid .* ([0-9.e+]+) G triangle-q/s", 1),
}


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def table_of(command, extra):
    """The line that --json writes."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "line.json"
        run(command + ["--json", str(file)] + extra)
        return json.loads(file.read_text())


def on_ranks(program, n, arguments):
    extra = ["--threads", "1"] + (["--output", str(OUT / "helium")] if program == "helium" else [])
    mpirun = os.environ.get("MPIRUN", "mpirun").split()
    return table_of(mpirun + ["-n", str(n), f"build/mpi/{program}"] + arguments, extra)


def middle(lines):
    return sorted(lines, key=lambda line: line["rate"])[len(lines) // 2]


def measure(path):
    OUT.mkdir(parents=True, exist_ok=True)
    results = []
    for kind, cases in (("weak", WEAK), ("strong", STRONG)):
        for name, (program, arguments) in cases.items():
            runs = {1: [], 2: []}
            for _ in range(RUNS):
                for n in runs:
                    runs[n].append(on_ranks(program, n, arguments(n) if kind == "weak" else arguments))
            for n in runs:
                results.append(dict(case=name, kind=kind, **middle(runs[n])))
            print(f"{kind:7}{name:40} {results[-1]['rate'] / results[-2]['rate']:.3f}", flush=True)
    for program, (arguments, alone, form, factor) in SERIAL.items():
        serial, one = [], []
        for _ in range(RUNS):
            serial.append(factor * float(re.search(form, run([f"build/{program}"] + alone)).group(1)))
            one.append(on_ranks(program, 1, arguments)["rate"])
        results.append(dict(case=program, kind="serial", rate=statistics.median(serial), one_rank=statistics.median(one)))
        print(f"serial {program:40} {results[-1]['one_rank'] / results[-1]['rate']:.3f}", flush=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in results))


# ---- a simulated cluster ----

RANKS = (1, 4, 16, 64, 256, 1024)


def simulated_cases(machine):
    """name, kind, program, cluster, arguments for n ranks; kernels by the rate of two busy cores"""
    rate = {line["case"]: line["rate"] / line["ranks"] for line in machine if line["kind"] == "weak" and line["ranks"] == 2}
    for halo, case in ((1, "heat, one layer a step"), (4, "heat, 4 steps per halo")):
        r = rate[case] * 1e9
        steps = str(2 * halo)
        yield case, "weak", "heat", "platform", lambda n, h=halo, r=r, s=steps: ["--block", "256", "--steps", s, "--halo", str(h),
                                                                              "--simulate", f"{r:.6g}"]
        yield case + ", 1024^3", "strong", "heat", "platform", lambda n, h=halo, r=r, s=steps: ["--n", "1024", "--steps", s, "--halo", str(h),
                                                                                       "--simulate", f"{r:.6g}"]
    r = rate["helium, 112 atoms"] * 1e9
    yield "helium, 112 atoms, 4096 walkers", "strong", "helium", "platform", lambda n, r=r: [
        "112", "--walkers", "4096", "--sweeps", "160", "--equilibrate", "0", "--simulate", f"{r:.6g}"]
    yield "helium, 112 atoms, 16 walkers a rank", "weak", "helium", "platform", lambda n, r=r: [
        "112", "--walkers", str(16 * n), "--sweeps", "160", "--equilibrate", "0", "--simulate", f"{r:.6g}"]
    r = rate["gisaxs, f32"] * 1e9
    for pixels, grid in (("2M", "2000x1000"), ("8M", "4000x2000")):
        yield f"gisaxs, {pixels} q, 7.5M triangles", "strong", "gisaxs", "platform", lambda n, g=grid, r=r: [
            "--grid", g, "--triangles", "7514364", "--simulate", f"{r:.6g}"]
        # a K20X: 2167 GFLOP/s of 42 flops a pair (Table I of the paper)
        yield f"gisaxs, {pixels} q, 7.5M triangles, Titan's GPUs", "strong", "gisaxs", "titan", lambda n, g=grid: [
            "--grid", g, "--triangles", "7514364", "--simulate", "5.16e10"]


def simulate(path):
    OUT.mkdir(parents=True, exist_ok=True)
    machine_file = pathlib.Path(os.environ.get("MACHINE", RESULTS / "scaling-intel-xeon-2cores.json"))
    machine = [json.loads(line) for line in machine_file.read_text().splitlines()]
    (OUT / "platform.hosts").write_text("".join(f"node-{k}:64\n" for k in range(16)))
    (OUT / "titan.hosts").write_text("".join(f"node-{k}:1\n" for k in range(1024)))
    for program in ("heat", "gisaxs", "helium"):
        run(["smpicc", "-std=c99", "-O2", "-I.", f"examples/mpi/{program}.c", "-o", str(OUT / program), "-lm"])
    results = []
    for name, kind, program, cluster, arguments in simulated_cases(machine):
        for n in RANKS:
            command = ["smpirun", "-np", str(n), "-platform", str(HERE / "cluster" / f"{cluster}.xml"), "-hostfile", str(OUT / f"{cluster}.hosts"),
                       str(OUT / program), "--log=root.thres:critical"]
            results.append(dict(case=name, kind=kind, cluster=cluster, **table_of(command + arguments(n), [])))
            first = [line for line in results if line["case"] == name and line["kind"] == kind][0]
            print(f"{kind:7}{name:50} {n:5} {results[-1]['rate'] / first['rate'] / n:.3f}", flush=True)
            path.write_text("".join(json.dumps(line) + "\n" for line in results))


# ---- the page and the picture ----


def groups(lines):
    found = {}
    for line in lines:
        found.setdefault((line["kind"], line["case"]), []).append(line)
    return found


def report():
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "convk"  # the same file for the same figures
    import matplotlib.pyplot as plt

    text = [(HERE / "cluster" / "NOTES.md").read_text()]
    for file in sorted(RESULTS.glob("scaling-*cores.json")):
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        text += [f"## Measured: {file.stem[len('scaling-'):]}\n",
                 "One thread a rank. Weak: twice the work on two ranks; strong: the same. Ideal: 2. One rank of `heat` with several steps per halo "
                 "has no halo, and makes all steps in one call.\n",
                 "| | one rank | two ranks | two over one | communication |", "|---|---|---|---|---|"]
        for (kind, case), pair in groups(lines).items():
            if kind != "serial":
                text.append(f"| {kind}: {case} | {pair[0]['rate']:.3g} {pair[0]['unit']} | {pair[1]['rate']:.3g} | "
                            f"{pair[1]['rate'] / pair[0]['rate']:.2f} | {100 * pair[1]['communication']:.1f} % |")
        text += ["", "| one rank over the serial example | |", "|---|---|"]
        text += [f"| {line['case']} | {line['one_rank'] / line['rate']:.3f} |" for line in lines if line["kind"] == "serial"]
        text.append("")
    lines = [json.loads(line) for line in (RESULTS / "scaling-simulated.json").read_text().splitlines()]
    text += ["## Simulated\n", "Efficiency: the rate of n ranks over n times that of one.\n",
             "| | " + " | ".join(str(n) for n in RANKS) + " ranks | communication at the last |", "|---|" + "---|" * (len(RANKS) + 1)]
    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), sharey=True)
    for (kind, case), row in groups(lines).items():
        efficiency = [line["rate"] / row[0]["rate"] / line["ranks"] for line in row]
        text.append(f"| {kind}: {case} | " + " | ".join(f"{e:.3f}" for e in efficiency) + f" | {100 * row[-1]['communication']:.1f} % |")
        ax = axes[1 if kind == "strong" else 0]
        ax.plot([line["ranks"] for line in row], efficiency, marker="o", markersize=4, label=case)
    for ax, title in zip(axes, ("weak scaling", "strong scaling")):
        ax.set_xscale("log", base=2)
        ax.set_xticks(RANKS, [str(n) for n in RANKS])
        ax.set_ylim(0, 1.05)
        ax.set_xlabel("ranks")
        ax.set_title(title)
        ax.grid(True, alpha=0.3)
        ax.legend(fontsize=7, loc="lower left")
    axes[0].set_ylabel("efficiency, simulated")
    figure.tight_layout()
    figure.savefig(RESULTS / "scaling.svg", metadata={"Date": None})
    (RESULTS / "SCALING.md").write_text("\n".join(text) + "\n")


if len(sys.argv) == 3 and sys.argv[1] in ("measure", "simulate"):
    {"measure": measure, "simulate": simulate}[sys.argv[1]](pathlib.Path(sys.argv[2]))
elif len(sys.argv) == 2 and sys.argv[1] == "report":
    report()
else:
    sys.exit(__doc__)
