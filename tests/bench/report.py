#!/usr/bin/env python3
"""From the results of `bench --json` to the picture that README.md shows, and to the tables of results/README.md.

    report.py tests/bench/results/MACHINE.json [OTHER.json...]     (needs matplotlib)

The table of other programs, and the picture, have the first two files; the long tables are of all.  Of a file of `bench_cuda` the
pairs count there, and all lines in PAPERS.md; files named python-MACHINE.json are those of the Python recipes, and files named
busy-MACHINE.json fill in PAPERS.md what that machine's own file lacks.  Rewrites what stands between the marks <!-- results --> and
<!-- /results --> in results/NOTES.md, and the files README.md, which begins with these notes, PAPERS.md and speed.svg."""
import json
import pathlib
import re
import sys

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "convk"  # the same names of parts each time
import matplotlib.pyplot as plt

import papers

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAIN = "128x126x130"
TINY = ("8x8x8", "10x10x10", "16x16", "16", "2", "12x16")  # sizes of calls on almost nothing
HARDWARE = ("scalar", "sse2", "avx", "avx2", "avx512")
WORDS = {"amd": "AMD", "epyc": "EPYC", "zen4": "(Zen 4)", "zen5": "(Zen 5)", "intel": "Intel", "xeon": "Xeon", "avx512": ""}


def load(path):
    lines = [json.loads(text) for text in open(path)]
    return lines[0], lines[1:]


def find(lines, **wanted):
    for line in lines:
        if all(line.get(key) == value for key, value in wanted.items()):
            return line
    return None


def row(what, line, key="ratio", form=None):
    if line is None or key not in line:
        return f"| {what} | not measured | |"
    form = form or ("{:.3f}" if line[key] < 1 else "{:.2f}")
    return f"| {what} | {form.format(line[key])} | {digits(line['rate'])} {line['unit']} |"


def inverse(what, line, key):
    """A time over another one, of a line that has rates over rates."""
    return row(what, line and dict(line, **{key: 1 / line[key]}), key)


def digits(x):
    return f"{x:.3g}" if x < 1000 else f"{x:.0f}"


def filter_rows(lines, threads):
    one = dict(operation="magicfilter3d", threads=1, size=MAIN)
    rows = ["| magic filter, f64, 128x126x130 unless said | measured | rate |", "|---|---|---|"]
    for hw in ("avx512", "avx2", "sse2"):
        rows.append(row(f"{hw}, one core, over its multiply-add peak", find(lines, type="f64", hw=hw, **one), "fraction"))
    rows.append(row("f32, avx512, one core, over its multiply-add peak", find(lines, type="f32", hw="avx512", **one), "fraction"))
    rows.append(row(f"{threads} threads over one",
                    find(lines, operation="magicfilter3d", type="f64", hw="avx512", threads=threads, size=MAIN)))
    rows.append(row("over the best plain loops of gcc and clang", find(lines, type="f64", hw="avx512", **one)))
    rows.append(row(f"512x512x256, {threads} threads, over min(peak, copy bandwidth x 96 flop / 32 B)",
                    find(lines, operation="magicfilter3d", type="f64", hw="avx512", threads=threads, size="512x512x256"), "fraction"))
    rows.append(row("32x32x32, one core, over the peak",
                    find(lines, operation="magicfilter3d", type="f64", hw="avx512", threads=1, size="32x32x32"), "fraction"))
    for type_ in ("f64", "f32"):
        worst = max((line["max_error"] for line in lines
                     if line["operation"].startswith("magicfilter3d") and line["type"] == type_ and "max_error" in line
                     and not line["hw"].startswith("naive")), default=None)
        if worst is not None:
            rows.append(f"| error against long double, {type_}, data in [-1, 1] | {worst:.1e} | |")
    return rows


def stencil_rows(lines, threads):
    def at(operation, size, t, **more):
        return find(lines, operation=operation, type="f64", hw="avx512", threads=t, size=size, **more)

    naive = "over plain loops of gcc, single sweeps"
    bound = "over min(copy bandwidth / 16 B, threads x rate in cache)"
    rows = ["| 7-point stencil, f64, avx512 | measured | rate |", "|---|---|---|",
            row(f"48^3, one thread, {naive}", at("stencil7", "48x48x48", 1)),
            row(f"256^3, one thread, {naive}", at("stencil7", "256x256x256", 1)),
            row(f"256^3, {threads} threads, {bound}", at("stencil7", "256x256x256", threads), "fraction"),
            row(f"512x512x256, {threads} threads, {bound}", at("stencil7", "512x512x256", threads), "fraction"),
            row(f"64 steps at 256^3, one thread, {naive}", at("stencil7_steps", "256x256x256", 1)),
            row(f"64 steps at 256^3, {threads} threads, {naive}", at("stencil7_steps", "256x256x256", threads)),
            row(f"64 steps at 512x512x256, {threads} threads, {naive}", at("stencil7_steps", "512x512x256", threads))]
    tuned = [line for line in lines if line["operation"].startswith("stencil7_tuned")]
    if tuned:
        worst = min(tuned, key=lambda line: line["ratio"])
        rows.append(f"| defaults over tuned, the worst of {len(tuned)} shapes ({worst['size']}) | {worst['ratio']:.2f} | |")
    return rows


SWITCHES = (("register block of 1 plane", "registers that hold results of one plane"),
            ("register block of 2 planes", "registers that hold results of two planes"),
            ("core block of 16 rows", "core blocks of 16 rows"), ("core block of 64 rows", "core blocks of 64 rows"),
            ("core block of all rows", "no core blocks: all rows"),
            ("thread block: threads side by side in y", "thread blocks side by side in y"),
            ("no prefetch", "no prefetch"), ("prefetch 64 elements", "a prefetch of 64 elements"), ("no cache bypass", "no cache bypass"),
            ("no SIMD", "no SIMD"), ("no padding", "rows that are not padded"), ("4K pages", "pages of 4 KiB"),
            ("24 steps: no queue of planes", "24 steps: no circular queues of planes, single sweeps"),
            ("24 steps: queue of 2 steps", "24 steps: queues for 2 steps in a pass"),
            ("24 steps: queue of 4 steps", "24 steps: queues for 4 steps in a pass"),
            ("24 steps: no cache bypass", "24 steps: no cache bypass"))


def switch_rows(lines):
    """What each optimisation of the stencil brings: the defaults over the same without it."""
    found = {(line["operation"].partition(": ")[2], line["size"]): line["ratio"] for line in lines
             if line["operation"].startswith("stencil7_switch: ") and "ratio" in line}
    sizes = list(dict.fromkeys(size for _, size in found))
    rows = ["| 7-point stencil, f64, avx512, all threads: the defaults over | " + " | ".join(sizes) + " |", "|---|" + "---|" * len(sizes)]
    for name, what in SWITCHES:
        if any((name, size) in found for size in sizes):
            rows.append(f"| {what} | " + " | ".join(f"{1 / found[name, size]:.2f}" if (name, size) in found else "" for size in sizes) + " |")
    name = "first touch by the threads"  # which the defaults leave to the caller
    if any((name, size) in found for size in sizes):
        rows.append("| memory touched first by the threads that use it, over the defaults | "
                    + " | ".join(f"{found[name, size]:.2f}" if (name, size) in found else "" for size in sizes) + " |")
    return rows if found else []


def family_rows(title, lines, wanted):
    """Rows as (what, keys of the line, statistic)."""
    rows = [f"| {title} | measured | rate |", "|---|---|---|"]
    for what, keys, statistic in wanted:
        rows.append(row(what, find(lines, **{"hw": "avx512", "type": "f32", "threads": 1, **keys}), statistic))
    return rows


def errors(lines, operations, unit="", types=("f32", "f64")):
    """The largest error of the library's own lines of these operations, for each type."""
    found = []
    for type_ in types:
        worst = max((line["max_error"] for line in lines if line["operation"] in operations and line["type"] == type_
                     and line["hw"] in HARDWARE and "max_error" in line), default=None)
        if worst is not None:
            found.append(f"{type_} {worst:.2g}{unit}")
    return ", ".join(found)


def vmath_rows(lines):
    wanted = []
    for operation in ("exp", "expm1", "log", "sincos"):
        for type_ in ("f32", "f64"):
            wanted.append((f"{operation}, {type_}, over SLEEF's function of 1 ulp",
                           dict(operation=operation, type=type_, size="4096", peer="sleef avx512"), "ratio"))
    rows = family_rows("vector mathematics, avx512, one core, in cache", lines, wanted)
    worst = errors(lines, ("exp", "expm1", "log", "sincos"), " ulp")
    return rows + [f"| error against long double, all variants | {worst} | |"] if worst else rows


def gaussian_rows(lines, threads):
    large = dict(size="262144x640")
    bound = "over min(writes past the caches, threads x rate in cache)"
    wanted = []
    for operation, order in (("gridpot", "points contiguous"), ("gridpot: exponents", "exponents contiguous")):
        wanted += [(f"grid potential, {order}, {threads} threads, {bound}", dict(operation=operation, threads=threads, **large), "fraction"),
                 (f"grid potential, {order}, one core, over a libmvec loop", dict(operation=operation, peer="libmvec", **large), "ratio"),
                 (f"grid potential, {order}, one core, over SLEEF with non-temporal stores",
                  dict(operation=operation, peer="sleef u10 avx512", **large), "ratio")]
    wanted += [("sums over the exponents, one core, over storing them", dict(operation="gridpot_sum", **large), "ratio"),
             ("the same, 4 sums", dict(operation="gridpot_sum: 4 sums", **large), "ratio")]
    for type_ in ("f32", "f64"):
        wanted.append((f"6 orbitals of water, 24 functions, 80^3 points, {type_}, {threads} threads, G function values/s",
                     dict(operation="orbitals", type=type_, threads=threads, size="80x80x80"), "rate"))
        wanted.append((f"the same over loops that call libmvec, {type_}",
                     dict(operation="orbitals", type=type_, threads=threads, size="80x80x80"), "ratio"))
        wanted.append((f"the same, exponentials below 1e-10 left out, {type_}",
                     dict(operation="orbitals: cutoff 1e-10", type=type_, threads=threads, size="80x80x80"), "rate"))
        for operation, what in (("orbitals_vgl", "with gradients and Laplacians"), ("density", "density of these orbitals")):
            wanted.append((f"{what}, {type_}, {threads} threads, G function values/s",
                         dict(operation=operation, type=type_, threads=threads, size="80x80x80"), "rate"))
    rows = family_rows("Gaussians, f32 unless said, avx512, 262,144 points x 640 exponents unless said", lines, wanted)
    for what, operations in (("sums against long double, relative to those of magnitudes", ("gridpot_sum", "gridpot_sum: 4 sums")),
                             ("orbitals against long double, relative to the largest", ("orbitals", "orbitals_vgl", "density"))):
        worst = errors(lines, operations)
        if worst:
            rows.append(f"| error of {what} | {worst} | |")
    return rows


def grid_rows(lines):
    """Orbitals on regular grids."""
    water, wanted = "80x80x80 6-31G", []

    def at(operation, size=water, **more):
        return dict(operation=operation, type="f64", size=size, **more)

    for operation, what in (("orbitals_grid: 1", "1 orbital"), ("orbitals_grid", "5 orbitals"), ("density_grid", "density of 5 orbitals")):
        for size, basis in ((water, "6-31G"), ("80x80x80 cc-pVDZ", "cc-pVDZ")):
            wanted.append((f"water, {basis}, {what}, over the list of these points, G function values/s", at(operation, size), "ratio"))
    rows = family_rows("Gaussians on a grid of 80^3 points, f64, avx512, one core", lines, wanted)
    for basis in ("6-31G", "cc-pVDZ"):
        line = find(lines, hw="avx512", threads=1, **at("density_grid: ms", f"80x80x80 {basis}"))
        if line:
            rows.append(f"| water, {basis}, density of 5 orbitals, milliseconds | {line['rate']:.2f} | |")
    for operation, what in (("orbitals_grid: periodic, 1", "1 orbital"), ("orbitals_grid: periodic", "5 orbitals")):
        rows.append(inverse(f"periodic along all axes, 6-31G, {what}: time over that of the open box",
                            find(lines, hw="avx512", threads=1, **at(operation)), "ratio"))
    for operation, what in (("orbitals_grid: boxes, writes", "boxes, and then writes of all points past the caches"),
                            ("orbitals_grid: boxes", "boxes"), ("orbitals_grid: balls", "balls")):
        rows.append(inverse(f"chain of 50 water, 6-31G, 1 orbital, 0.2 bohr: time over that of multiply-adds in the tables' {what}",
                            find(lines, hw="avx512", threads=1, **at(operation, "chain of 50 water")), "fraction"))
    for operation, what in (("orbitals_grid: boxes", "boxes"), ("orbitals_grid: balls", "balls")):
        rows.append(row(f"376 orbitals of hexane, cc-pVTZ, 64^3: multiply-adds in the tables' {what}, over the peak",
                        find(lines, hw="avx512", threads=1, **at(operation, "hexane 64x64x64")), "fraction"))
    for operation, what in (("orbitals_grid: hexagonal", "6 orbitals, def2-SVP, hexagonal cells, over the list"),
                            ("orbitals_grid: triclinic", "the same, triclinic cells"),
                            ("orbitals_grid: triclinic, 1", "1 orbital, triclinic cells, over the list"),
                            ("orbitals_grid_k", "6 complex orbitals at a point k, periodic, over real ones in an open box")):
        rows.append(row(what, find(lines, hw="avx512", threads=1, **at(operation, "80x80x80"))))
    worst = errors(lines, ("orbitals_grid", "orbitals_grid: 1", "orbitals_grid_vgl", "density_grid", "orbitals_grid: boxes, writes"))
    return rows + [f"| error against long double, relative to the largest | {worst} | |"] if worst else rows


def hamiltonian_rows(lines, threads):
    """Sums of filters, wavelets, and what is made of them."""
    def at(operation, size, type_="f64", hw="avx512", count=1, **more):
        return find(lines, operation=operation, type=type_, hw=hw, threads=count, size=size, **more)

    peak, loops = "over the multiply-add peak", "over the best plain loops of gcc and clang"
    rows = ["| f64, avx512, one core, unless said | measured | rate |", "|---|---|---|"]
    for what, operation in (("BigDFT's kinetic operator (29 taps an axis, 45 flops)", "sumconv3d: kinetic"),
                            ("wavelet transform", "dwt3d"), ("the same, inverse", "idwt3d"),
                            ("synthesis and magic filter", "s1_to_r")):
        rows.append(row(f"{what}, {MAIN}, {peak}", at(operation, MAIN), "fraction"))
        rows.append(row("the same by avx2", at(operation, MAIN, hw="avx2"), "fraction"))
        rows.append(row("the same in f32", at(operation, MAIN, "f32"), "fraction"))
        if operation == "s1_to_r":
            rows.append(row("256^3, over idwt3d and then magicfilter3d", at(operation, "256x256x256")))
        else:
            rows.append(row(f"{MAIN}, {loops}", at(operation, MAIN)))
    rows.append(row(f"Laplacian of order 8, 48^3, {loops}", at("sumconv3d: laplacian", "48x48x48")))
    rows.append(row("the same in f32", at("sumconv3d: laplacian", "48x48x48", "f32")))
    rows.append(row(f"Laplacian of order 8, 256^3, {threads} threads, over copying as many points",
                    at("sumconv3d: laplacian", "256x256x256", count=threads), "fraction"))
    rows.append(row(f"Chebyshev filter of degree 8, Laplacian of order 8, 256^3, {threads} threads, over eight calls",
                    at("chebyshev3d", "256x256x256", count=threads)))
    parts = "s1_to_r, r_to_s1, idwt3d, sumconv3d, dwt3d"
    for count in (1, threads):
        rows.append(row(f"Hamiltonian in wavelets, 128^3, {count} {'threads' if count > 1 else 'thread'}, over {parts}",
                        at("hamiltonian_apply", "128x128x128", count=count, peer=parts)))
    worst = errors(lines, ("sumconv3d: kinetic", "sumconv3d: laplacian"), types=("f32", "f64"))
    return rows + ([f"| error against long double, of the sum of magnitudes of taps | {worst} | |"] if worst else [])


def formfactor_rows(lines, threads):
    listed = dict(size="6600x4096")
    wanted = [("list of 4096 q, over the plain loop by gcc", dict(operation="formfactor", peer="naive loop", **listed), "ratio"),
            ("list of 4096 q, over the loop split for libmvec", dict(operation="formfactor", peer="libmvec", **listed), "ratio"),
            ("list of 4096 q, over a loop with SLEEF's sincos of 3.5 ulp",
             dict(operation="formfactor", peer="sleef u35 avx512", **listed), "ratio"),
            ("complex qz, all imaginary parts different, over real q", dict(operation="formfactor: complex qz", **listed), "ratio"),
            ("complex qz, one imaginary part per 128 q, over real q", dict(operation="formfactor: complex rows", **listed), "ratio")]
    for size in ("128x64x32", "64x64x64"):
        wanted += [(f"grid {size}, 6 multiply-adds per triangle and q, over the peak",
                  dict(operation="formfactor_grid", size=size), "fraction"),
                 (f"grid {size}, over the list", dict(operation="formfactor_grid", size=size), "ratio")]
    wanted.append(("grid 128x64x32 of fourth order, over the plain grid",
                 dict(operation="formfactor_grid: fourth order", size="128x64x32"), "ratio"))
    for most in (10, 40):
        for type_ in ("f32", "f64"):
            for rule in ("exact", "default"):
                wanted.append((f"{rule}, 19998 triangles with faces, \\|q\\| R < {most}, {type_}, over centroids",
                             dict(operation=f"formfactor: {rule}", type=type_, size=f"19998x512 q R < {most}"), "ratio"))
    for type_ in ("f32", "f64"):
        wanted.append((f"exact, a box of 12 triangles, {type_}, over centroids",
                     dict(operation="formfactor: exact", type=type_, size="12x4096 q R < 40"), "ratio"))
    wanted.append((f"grid 128x64x32, {threads} threads, G triangle-q/s",
                 dict(operation="formfactor_grid", size="128x64x32", threads=threads), "rate"))
    rows = family_rows("form factor of 6600 triangles, f32, avx512, one core unless said", lines, wanted)
    worst = errors(lines, ("formfactor", "formfactor: complex qz", "formfactor: complex rows", "formfactor_grid"))
    return rows + [f"| error against long double, relative to the largest F | {worst} | |"] if worst else rows


def fft_line(lines, m, **more):
    return find(lines, **{"operation": "fftconv2d", "type": "c32", "hw": "avx512", "threads": 1, "size": f"{m}x{m}", "peer": "fftw", **more})


def fft_rows(lines, threads):
    main = (16, 32, 64, 128)
    rows = ["| 2D convolutions by FFT of m x m, field and result m / 2 - 1, c32, avx512, one core unless said | measured | rate |",
            "|---|---|---|"]
    for m in main:
        rows.append(row(f"{m} x {m}, over the best way with FFTW", fft_line(lines, m)))
    for m in main:
        rows.append(row(f"{m} x {m}, 10 m^2 log2 m^2 + 6 m^2 flops, over the multiply-add peak", fft_line(lines, m), "fraction"))
    for m in main:
        rows.append(row(f"{m} x {m}, {threads} threads over one", fft_line(lines, m, threads=threads, peer="one thread")))

    def several(what, sizes, **more):
        found = [line for line in (fft_line(lines, m, **more) for m in sizes) if line]
        if found:
            rows.append(f"| {', '.join(line['size'].split('x')[0] for line in found)}: {what} "
                        f"| {' / '.join(format(line['ratio'], '.2f') for line in found)} "
                        f"| {' / '.join(digits(line['rate']) for line in found)} {found[0]['unit']} |")

    for type_ in ("c64", "f32", "f64"):
        several(f"{type_}, over the best way with FFTW", main, type=type_)
    several("over the best way with FFTW", (48, 60, 80, 96, 100, 120))
    for type_ in ("c32", "c64", "f32", "f64"):
        several(f"{type_}, over the best way with MKL", main, type=type_, peer="mkl")
    for lanes in ("columns", "items"):
        several(f"lanes are {lanes}, over the default", main, operation=f"fftconv2d_switch: {lanes}", peer="default")
    several("fft2d, forward, over FFTW", main, operation="fft2d")
    several("fft2d, forward, over MKL", main, operation="fft2d", peer="mkl")
    for types in (("c32", "f32"), ("c64", "f64")):
        worst = errors(lines, ("fftconv2d", "fft2d"), types=types)
        if worst:
            rows.append(f"| relative L2 error against sums in long double | {worst} | |")
    return rows


def vmc_line(lines, size, **more):
    return find(lines, **{"operation": "pair_energy", "type": "f64", "threads": 1, "size": str(size), **more})


def vmc_best(lines):
    """The widest variant of the run, whose name stands in the table's head."""
    return next((hw for hw in reversed(HARDWARE) if vmc_line(lines, 1024, hw=hw)), "avx512")


def vmc_rows(lines, threads, gpu=None):
    sizes, best = (512, 1024, 2048, 4096), vmc_best(lines)

    def own(size, **more):
        return vmc_line(lines, size, **{"hw": best, **more})

    def cycles(type_):
        return own(1024, operation="pair_energy: cycles", type=type_)

    def sweep(size, **more):
        return own(size, operation="vmc_sweep", **more)

    rows = [f"| pairs of a helium cluster, HFD-B, {best}, f64, 1024 atoms, one core unless said | measured | rate |",
            "|---|---|---|",
            row("over a loop over pairs, gcc -O3 -march=native", own(1024, peer="naive")),
            row("the same with -ffast-math", own(1024, peer="naive fast-math")),
            row("cycles per pair, at most", cycles("f64"), "rate", "{:.1f}"),
            row("cycles per pair, mixed", cycles("f32"), "rate", "{:.1f}"),
            row("4096 atoms over 512", own(4096, peer="N = 512")),
            row("mixed (f32 pair terms, f64 sums) over f64", own(1024, type="f32", peer="f64")),
            row(f"{threads} threads over one", own(1024, threads=threads, peer="one thread")),
            row(f"64 walkers of 20 atoms, {threads} threads over one", own("64x20", threads=threads, peer="one thread")),
            row("sweep of single-particle moves over recomputing all pairs for each move, N/6 and N/3",
                sweep(1024, peer="all pairs per move"), form="{:.0f}"),
            row("60 flops per pair, exponentials left out, over the multiply-add peak", own(1024), "fraction")]
    device = gpu and find(gpu[1], operation="pair_energy", type="f64", size="4096")
    rate = f"{device['rate'] * {'G': 1, 'M': 1e-3}[device['unit'][0]]:.1f}" if device else "not measured"
    rows.append(f"| GPU{f' ({gpu[0]})' if device else ''}, 4096 atoms, G pairs/s | {rate} | |")
    for type_, what in (("f64", "f64"), ("f32", "mixed")):
        found = [own(n, type=type_) for n in sizes]
        if all(found):
            rows.append(f"| {what}: 512, 1024, 2048, 4096 atoms | | {' / '.join(digits(line['rate']) for line in found)} M pairs/s |")
    found = [line for line in (own("64x20"), own("64x20", type="f32")) if line]
    if found:
        rows.append(f"| 64 walkers of 20 atoms: f64, mixed | | {' / '.join(digits(line['rate']) for line in found)} M pairs/s |")
    for size, what in ((1024, "1024 atoms"), ("64x20", "64 walkers of 20 atoms")):
        found = [line for line in (sweep(size), sweep(size, type="f32")) if line]
        if found:
            rows.append(f"| single-particle moves, {what}: f64, mixed | | {' / '.join(digits(line['rate']) for line in found)} k moves/s |")
    for what, operation in (("against long double, relative to sums of magnitudes", "pair_energy"),
                            ("drift of ln Psi in some hundred sweeps, relative to it", "vmc_sweep")):
        worst = errors(lines, (operation,))
        if worst:
            rows.append(f"| error {what} | {worst} | |" if operation == "pair_energy" else f"| {what} | {worst} | |")
    return rows


def extreme_rows(lines):
    """Data that decay below the smallest normal number, and calls on almost nothing."""
    rows = ["| avx512, one core | measured | rate |", "|---|---|---|"]
    for line in lines:
        tiny = " one item" in line["size"] if line["operation"].startswith("fft") else line["size"] in TINY
        if line["hw"] == "avx512" and line["threads"] == 1 and (" decaying" in line["size"] or tiny) and "ratio" in line:
            rows.append(row(f"{line['operation']}, {line['type']}, {line['size']}, over {line['peer']}", line))
    return rows if len(rows) > 2 else []


FAMILIES = (("Magic filter", "magicfilter3d", filter_rows), ("7-point stencil", "stencil7", stencil_rows),
            ("Vector mathematics", "exp", lambda lines, threads: vmath_rows(lines)), ("Gaussians", "gridpot", gaussian_rows),
            ("Gaussians on regular grids", "orbitals_grid: periodic", lambda lines, threads: grid_rows(lines)),
            ("Hamiltonians on grids", "sumconv3d: kinetic", hamiltonian_rows),
            ("Form factor", "formfactor", formfactor_rows), ("2D convolutions by FFT", "fftconv2d", fft_rows),
            ("Variational Monte Carlo", "pair_energy", vmc_rows))


def name_of(path):
    """amd-epyc-zen5-2cores.json: AMD EPYC (Zen 5)"""
    return " ".join(filter(None, (WORDS.get(word, word) for word in pathlib.Path(path).stem.split("-")[:-1])))


def section(name, machine, lines):
    """All tables of one machine."""
    rows = [f"## {name}, {machine['threads']} cores, gcc {machine['compiler']}, arrays on {machine['pages']} pages", ""] + slower(lines)
    for title, operation, make in FAMILIES:
        if find(lines, operation=operation):
            gpu = (machine.get("gpu"),) if operation == "pair_energy" else ()
            rows += [f"### {title}", ""] + make(lines, machine["threads"], *gpu) + [""]
            switches = switch_rows(lines) if operation == "stencil7" else []
            rows += ["What each optimisation of the stencil brings:", ""] + switches + [""] if switches else []
    extremes = extreme_rows(lines)
    return rows + (["### Subnormals, and tiny calls", ""] + extremes + [""] if extremes else [])


# What a user has today, what to call instead, and where that was measured: for each row the best of the alternatives counts.
# The rows with a short name are bars of the picture.
INSTEAD = (
    ("magic filter", "plain loops of a 3D magic filter, f64, `-Ofast`", "`convk_magicfilter3d_f64`",
     dict(operation="magicfilter3d", type="f64", size=MAIN), ("naive",)),
    ("64 stencil steps, two threads", "64 plain sweeps of a 7-point stencil, f64, 512x512x256, two threads", "`convk_stencil7_f64`",
     dict(operation="stencil7_steps", type="f64", size="512x512x256", threads=2), ("naive",)),
    ("orbitals of water on a grid", "loops over Gaussians and points with libmvec, 6 orbitals of water, f64", "`convk_orbitals_f64`",
     dict(operation="orbitals", type="f64", size="80x80x80"), ("libmvec",)),
    ("Gaussian potential, points × exponents", "loops over points and exponents with libmvec or SLEEF, f32", "`convk_gridpot_f32`",
     dict(operation="gridpot", type="f32", size="262144x640"), ("libmvec", "sleef")),
    ("X-ray form factor, triangles × q", "a sum over triangles with sincos of libmvec or SLEEF, f32", "`convk_formfactor_f32`",
     dict(operation="formfactor", type="f32", size="6600x4096"), ("naive", "libmvec", "sleef")),
    ("2D convolutions", "a loop over a batch of 2D convolutions, FFTW or MKL, real f32, 64x64", "`convk_fftconv2d_f32`",
     dict(operation="fftconv2d", type="f32", size="64x64"), ("fftw", "mkl")),
    ("pairs of helium atoms", "loops over pairs of 1024 particles, f64, `-ffast-math`", "`convk_pair_energy_f64`",
     dict(operation="pair_energy", type="f64", size="1024"), ("naive",)),
    ("exp of arrays", "`exp` of arrays by libmvec (4 ulp) or SLEEF (1 ulp), f64", "`convk_exp_f64`",
     dict(operation="exp", type="f64", size="4096"), ("libmvec", "sleef")),
    ("", "FFTW or MKL for 2D transforms alone, c32, 64x64", "`convk_fft2d_c32`; where below 1, FFTW or MKL",
     dict(operation="fft2d", type="c32", size="64x64"), ("fftw", "mkl")),
)
OTHERS = ("naive", "libmvec", "sleef", "fftw", "mkl")


def foreign(line, peers=OTHERS):
    """Is the peer of this line another program, not this library in another way?"""
    return line.get("peer", "").startswith(peers)


def best(lines, keys, peers):
    """The line with the smallest ratio to these alternatives; None: not measured."""
    wanted = {"hw": "avx512", "threads": 1, **keys}
    return min((line for line in lines if foreign(line, peers) and "ratio" in line
                and all(line.get(key) == value for key, value in wanted.items())), key=lambda line: line["ratio"], default=None)


def over_best(lines, keys, peers):
    line = best(lines, keys, peers)
    return line and line["ratio"]


def times(ratio):
    return "" if ratio is None else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def instead(machines, python):
    """What a user has today, what to call instead, and how many times as fast that is on each machine."""
    names = [name for name, _, _ in machines]
    rows = ["| instead of | use | " + " | ".join(names) + " |", "|---|---|" + "---|" * len(names)]
    for _, has, use, keys, peers in INSTEAD:
        rows.append(f"| {has} | {use} | " + " | ".join(times(over_best(lines, keys, peers)) for _, _, lines in machines) + " |")
    measured = {}  # what is instead of what, by machine
    for line in python:
        if "instead" in line:
            measured.setdefault((line["instead"], line["use"]), {}).setdefault(line["machine"], line["ratio"])
    for (has, use), ratios in measured.items():
        rows.append(f"| {has} | {use} | " + " | ".join(times(ratios.get(name)) for name in names) + " |")
    return rows


def slower(lines):
    """Where another program is faster."""
    rows = [f"| {line['operation']} | {line['type']} | {line['size']} | {line['peer']} | {line['ratio']:.2f} |"
            for line in lines if line["hw"] == "avx512" and foreign(line) and line.get("ratio", 1) < 1]
    return ["### Slower than the alternative", "", "| operation, avx512 | type | size | alternative | measured |", "|---|---|---|---|---|"] + rows + [""] if rows else []


# The families of the picture by their operations, for the worst case of each, and what these are called there.
WORST = (("magicfilter3d", "sepconv", "sumconv", "dwt"), ("stencil7",), ("gridpot", "orbitals", "density"), ("formfactor",), ("fft",),
         ("pair_energy", "vmc"), ("exp", "log", "sincos"))
CALLED = {"stencil7": "a stencil step", "orbitals": "orbitals at a few points", "formfactor": "X-ray form factor, triangles × q",
          "fft2d": "2D FFT alone", "fftconv2d": "2D convolutions", "pair_energy": "pairs of helium atoms"}
PEERS = {"naive": "C loops", "libmvec": "libmvec", "sleef": "SLEEF", "fftw": "FFTW", "mkl": "MKL"}


def worst(machines, family):
    """Name and keys of the case where this family does worst, if another program is faster there."""
    found = [line for _, _, lines in machines for line in lines if line["operation"].startswith(family)
             and line["hw"] == "avx512" and foreign(line) and line.get("ratio", 1) < 1]
    for line in sorted(found, key=lambda line: line["ratio"])[:1]:
        yield CALLED.get(line["operation"], line["operation"]), {key: line[key] for key in ("operation", "type", "size", "threads")}, OTHERS


def picture(machines, path):
    """Bars of speed over the best alternative, on a logarithmic axis: one case of each family, and the worst ones."""
    cases = [(name, keys, peers) for name, _, _, keys, peers in INSTEAD if name]
    cases += [case for family in WORST for case in worst(machines, family)]
    bars = [(f"{name}\n{keys['type']}, {keys['size'].replace('x', ' × ')}", [best(lines, keys, peers) for _, _, lines in machines])
            for name, keys, peers in cases]
    bars.sort(key=lambda bar: bar[1][0]["ratio"] if bar[1][0] else 0)
    figure, axes = plt.subplots(figsize=(8, 0.4 * len(bars) + 1.1), layout="constrained")
    height = 0.8 / len(machines)
    for k, ((name, machine, _), faster, slower) in enumerate(zip(machines, ("#1f5fa8", "#7fb0e0"), ("#b2182b", "#f09a7f"))):
        name = f"{name}, convk {machine.get('version', '?')}"
        for colour, label, side in ((faster, name, 1), (slower, "where it is slower", -1)):
            found = [(i + (len(machines) / 2 - k - 0.5) * height, lines[k]) for i, (_, lines) in enumerate(bars)
                     if lines[k] and (lines[k]["ratio"] - 1) * side > 0]
            axes.barh([y for y, _ in found], [line["ratio"] - 1 for _, line in found], 0.92 * height, left=1, color=colour, label=label)
            for y, line in found:
                axes.annotate(f"{times(line['ratio'])} × {PEERS[line['peer'].split()[0]]}", (max(1, line["ratio"]), y), (4, 0),
                              textcoords="offset points", va="center_baseline", fontsize=8)
    ratios = [line["ratio"] for _, lines in bars for line in lines if line]
    axes.set_xscale("log")
    axes.set_xticks((0.1, 0.2, 0.5, 1, 2, 5, 10), ("0.1", "0.2", "0.5", "1", "2", "5", "10"))
    axes.set_xlim(0.75 * min(ratios), 2.3 * max(ratios))
    axes.minorticks_off()
    axes.set_ylim(-0.6, len(bars) - 0.4)
    axes.set_yticks(range(len(bars)), [name for name, _ in bars], fontsize=8.5, linespacing=1.2)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#dddddd", lw=0.8)
    axes.axvline(1, color="#262626", lw=1.2)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.set_xlabel("slower  ←  times as fast as the alternative that is named, logarithmic  →  faster", fontsize=9)
    figure.suptitle("How many times as fast as the best alternative, and where it does worst", fontsize=11, weight="bold")
    axes.legend(fontsize=9, loc="upper left", frameon=False, alignment="left", title_fontsize=9,
                title="AVX-512, one core unless said,\non virtual machines. C loops: those\nof gcc or clang, at their best flags")
    figure.savefig(path, metadata={"Date": None})


def main():
    machines, gpu, python, busy = [], None, [], {}
    for path in sys.argv[1:]:
        machine, lines = load(path)
        if "compiler" not in machine:  # of the Python recipes, whose lines have no head
            name = name_of(path.replace("python-", ""))
            python += [dict(line, machine=name) for line in [machine] + lines]
        elif pathlib.Path(path).name.startswith("busy-"):
            busy[name_of(path.replace("busy-", ""))] = lines
        elif machine["compiler"] == "nvcc":  # of `bench_cuda`
            gpu = machine["machine"], lines + (gpu[1] if gpu and gpu[0] == machine["machine"] else [])
        else:
            machines.append((name_of(path), machine, lines))
    machines[0][1]["gpu"] = gpu
    results = ROOT / "tests/bench/results"
    text = "\n".join(instead(machines[:2], python)) + "\n"
    notes = (results / "NOTES.md").read_text()
    notes = re.sub(r"(<!-- results -->\n).*?(<!-- /results -->)", lambda m: m[1] + text + m[2], notes, flags=re.S)
    (results / "NOTES.md").write_text(notes)
    (results / "README.md").write_text(notes + "\n" + "\n".join(line for entry in machines for line in section(*entry)).rstrip() + "\n")
    beside = [(name, machine, lines, busy.get(name, ())) for name, machine, lines in machines[:2]]
    notes = ["measured while other programs had the machine and most of its memory's bandwidth, the best of some runs: it does this at "
             "least"] if busy else []
    (results / "PAPERS.md").write_text(papers.report(beside, gpu, notes))
    picture(machines[:2], results / "speed.svg")


if __name__ == "__main__":
    main()
