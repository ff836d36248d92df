#!/usr/bin/env python3
"""From the results of `bench --json` to the table and the picture of README.md, and the long tables of results/README.md.

    report.py tests/bench/results/MACHINE.json [OTHER.json...]     (needs matplotlib)

The picture is of the first file, the tables are of all; of a file of `bench_cuda` the pairs alone count.  Rewrites what stands
between the marks <!-- results --> and <!-- /results --> in README.md, and the files README.md and speed.svg beside the results."""
import json
import math
import pathlib
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

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
            ("Form factor", "formfactor", formfactor_rows), ("2D convolutions by FFT", "fftconv2d", fft_rows),
            ("Variational Monte Carlo", "pair_energy", vmc_rows))


def name_of(path):
    """amd-epyc-zen5-2cores.json: AMD EPYC (Zen 5)"""
    return " ".join(filter(None, (WORDS.get(word, word) for word in pathlib.Path(path).stem.split("-")[:-1])))


def section(name, machine, lines):
    """All tables of one machine."""
    rows = [f"## {name}, {machine['threads']} cores, gcc {machine['compiler']}, arrays on {machine['pages']} pages", ""]
    for title, operation, make in FAMILIES:
        if find(lines, operation=operation):
            gpu = (machine.get("gpu"),) if operation == "pair_energy" else ()
            rows += [f"### {title}", ""] + make(lines, machine["threads"], *gpu) + [""]
    extremes = extreme_rows(lines)
    return rows + (["### Subnormals, and tiny calls", ""] + extremes + [""] if extremes else [])


def summary(machines):
    """One row for each family, one column for each machine."""
    one, all_ = dict(threads=1), lambda machine: dict(threads=machine["threads"])
    wanted = (("magic filter 128x126x130, f64, over plain loops", dict(operation="magicfilter3d", type="f64", size=MAIN), one),
              ("64 stencil steps of 512x512x256, f64, two threads, over plain sweeps",
               dict(operation="stencil7_steps", type="f64", size="512x512x256"), all_),
              ("`exp`, f32, over SLEEF's of 1 ulp", dict(operation="exp", type="f32", size="4096", peer="sleef avx512"), one),
              ("grid potential, f32, over loops with libmvec", dict(operation="gridpot", type="f32", size="262144x640", peer="libmvec"), one),
              ("6 orbitals of water on 80^3 points, f32, over loops with libmvec",
               dict(operation="orbitals", type="f32", size="80x80x80", peer="libmvec"), one),
              ("form factor, list of q, f32, over a loop with SLEEF's sincos",
               dict(operation="formfactor", type="f32", size="6600x4096", peer="sleef u35 avx512"), one),
              ("form factor, grid of q, f32, over our list", dict(operation="formfactor_grid", type="f32", size="128x64x32"), one),
              ("2D convolutions of 64x64, c32, over FFTW", dict(operation="fftconv2d", type="c32", size="64x64", peer="fftw"), one),
              ("2D transforms of 64x64, c32, over FFTW", dict(operation="fft2d", type="c32", size="64x64", peer="fftw"), one),
              ("pairs of 1024 helium atoms, f64, over loops with -ffast-math",
               dict(operation="pair_energy", type="f64", size="1024", peer="naive fast-math"), one))
    rows = ["| avx512, one core unless said | " + " | ".join(name for name, _, _ in machines) + " |", "|---|" + "---|" * len(machines)]
    for what, keys, threads in wanted:
        cells = []
        for _, machine, lines in machines:
            line = find(lines, hw="avx512", **keys, **(threads(machine) if callable(threads) else threads))
            cells.append(f"{line['ratio']:.2f}" if line and "ratio" in line else "")
        rows.append(f"| {what} | " + " | ".join(cells) + " |")
    return rows


def new_families(lines, axes, colour):
    """Vector mathematics, Gaussians and form factors: f32, one core, each with its peers from the same run."""
    def of(operation, size, peer=None):
        wanted = dict(operation=operation, type="f32", hw="avx512", threads=1, size=size)
        return find(lines, **(dict(wanted, peer=peer) if peer else wanted))

    def add(entries, name, line, key, own):
        if line and key in line:
            entries.append((name, line[key], colour if own else "#999999"))

    panels = []
    entries = []
    for operation in ("exp", "expm1", "log", "sincos"):
        for peer in ("libmvec", "sleef avx512"):
            add(entries, f"{operation}, {peer.split()[0]}", of(operation, "4096", peer), "peer_rate", False)
        add(entries, f"{operation}, convk", of(operation, "4096"), "rate", True)
    panels.append(("vector mathematics, in cache, G elements/s", entries))
    entries, size = [], "262144x640"
    for operation, what in (("gridpot", ""), ("gridpot: exponents", ", by exponents")):
        for peer, name in (("libmvec", "libmvec"), ("sleef u10 avx512", "SLEEF, NT stores")):
            add(entries, name + what, of(operation, size, peer), "peer_rate", False)
        add(entries, "convk" + what, of(operation, size), "rate", True)
    add(entries, "convk, sums", of("gridpot_sum", size), "rate", True)
    panels.append(("Gaussian grid potential, 671 MB, G exp/s", entries))
    entries, size = [], "6600x4096"
    for peer, name in (("naive loop", "plain loop"), ("libmvec", "libmvec"), ("sleef u35 avx512", "SLEEF")):
        add(entries, name, of("formfactor", size, peer), "peer_rate", False)
    for operation, name in (("formfactor", "list"), ("formfactor: complex qz", "complex qz")):
        add(entries, "convk, " + name, of(operation, size), "rate", True)
    add(entries, "convk, grid", of("formfactor_grid", "128x64x32"), "rate", True)
    panels.append(("form factor, G triangle-q/s", entries))
    for panel, (title, entries) in zip(axes, panels):
        bars = panel.barh([e[0] for e in entries], [e[1] for e in entries], color=[e[2] for e in entries])
        panel.bar_label(bars, [f"{e[1]:.2g}" for e in entries], fontsize=7, padding=2)
        panel.set_title(title, fontsize=9)
        panel.tick_params(labelsize=7)
        panel.margins(x=0.12)


def fft_panels(lines, axes, colour):
    """2D convolutions: nominal flops of c32 at powers of two and at other sizes, and all types over FFTW."""
    for panel, sizes in zip(axes, ((16, 32, 64, 128), (48, 60, 80, 96, 100, 120))):
        for shift, name, key, peer, own in ((-0.27, "FFTW", "peer_rate", "fftw", "#999999"), (0, "MKL", "peer_rate", "mkl", "#c8c8c8"),
                                            (0.27, "convk", "rate", "fftw", colour)):
            found = [(i, m, fft_line(lines, m, peer=peer)) for i, m in enumerate(sizes)]
            found = [(i, line[key] * (20 * m * m * math.log2(m) + 6 * m * m) * 1e-6) for i, m, line in found if line]
            if found:
                bars = panel.bar([i + shift for i, _ in found], [y for _, y in found], 0.26, color=own, label=name)
                panel.bar_label(bars, [f"{y:.0f}" for _, y in found], fontsize=6.5)
                panel.legend(fontsize=7, ncol=3, loc="upper right")
        panel.set_xticks(range(len(sizes)), sizes)
        panel.set_title("2D convolutions of m x m, c32, nominal GFlop/s", fontsize=9)
        panel.tick_params(labelsize=7)
        panel.margins(y=0.3)
    for k, (type_, own) in enumerate((("c32", colour), ("f32", "#f2bd7c"), ("c64", "#1f5fa8"), ("f64", "#7fa8d6"))):
        found = [(i, fft_line(lines, m, type=type_)) for i, m in enumerate((16, 32, 64, 128))]
        found = [(i, line["ratio"]) for i, line in found if line]
        if found:
            bars = axes[2].bar([i + 0.2 * k - 0.3 for i, _ in found], [y for _, y in found], 0.19, color=own, label=type_)
            axes[2].bar_label(bars, [f"{y:.1f}" for _, y in found], fontsize=6.5)
            axes[2].legend(fontsize=6.5, ncol=4, loc="upper right")
    axes[2].set_xticks(range(4), (16, 32, 64, 128))
    axes[2].axhline(1, color="k", lw=0.8)
    axes[2].set_title("2D convolutions, over FFTW", fontsize=9)
    axes[2].tick_params(labelsize=7)
    axes[2].margins(y=0.3)


def vmc_panels(lines, axes, colours):
    """Pairs per second by size beside the loops, variants, and what a move costs."""
    sizes, best = (512, 1024, 2048, 4096), vmc_best(lines)
    for k, (name, key, own, wanted) in enumerate((("plain loop", "peer_rate", "#c8c8c8", dict(peer="naive")),
                                                  ("-ffast-math", "peer_rate", "#999999", dict(peer="naive fast-math")),
                                                  ("convk f64", "rate", colours["f64"], {}), ("mixed", "rate", colours["f32"], dict(type="f32")))):
        found = [(i, vmc_line(lines, n, hw=best, **wanted)) for i, n in enumerate(sizes)]
        found = [(i + 0.2 * k - 0.3, line[key]) for i, line in found if line]
        if found:
            bars = axes[0].bar([x for x, _ in found], [y for _, y in found], 0.19, color=own, label=name)
            axes[0].bar_label(bars, [f"{y:.0f}" for _, y in found], fontsize=6.5)
    axes[0].set_xticks(range(len(sizes)), sizes)
    axes[0].set_title(f"pairs of N helium atoms, {best}, M pairs/s", fontsize=9)
    axes[0].margins(y=0.35)
    axes[0].legend(fontsize=7, ncol=2, loc="upper left")
    for shift, type_, name in ((-0.2, "f64", "f64"), (0.2, "f32", "mixed")):
        found = [(i, vmc_line(lines, 1024, operation="pair_energy: cycles", hw=hw, type=type_)) for i, hw in enumerate(HARDWARE)]
        found = [(i + shift, line["rate"]) for i, line in found if line]
        if found:
            bars = axes[1].bar([x for x, _ in found], [y for _, y in found], 0.38, color=colours[type_], label=name)
            axes[1].bar_label(bars, [f"{y:.3g}" for _, y in found], fontsize=6.5)
            axes[1].legend(fontsize=7)
    axes[1].set_xticks(range(len(HARDWARE)), HARDWARE)
    axes[1].set_title("cycles per pair, N = 1024", fontsize=9)
    entries = []
    for type_, name in (("f64", "f64"), ("f32", "mixed")):
        one = vmc_line(lines, 1024, operation="vmc_sweep", hw=best, type=type_, peer="all pairs per move")
        many = vmc_line(lines, "64x20", operation="vmc_sweep", hw=best, type=type_)
        entries += [(f"{name}, 1024: all pairs per move", one and one["peer_rate"], "#999999"),
                    (f"{name}, 1024", one and one["rate"], colours[type_]), (f"{name}, 64 x 20", many and many["rate"], colours[type_])]
    entries = [e for e in entries if e[1]]
    bars = axes[2].barh([e[0] for e in entries], [e[1] for e in entries], color=[e[2] for e in entries])
    axes[2].bar_label(bars, [digits(e[1]) for e in entries], fontsize=7, padding=2)
    axes[2].set_xscale("log")
    axes[2].set_title("single-particle moves, thousands/s", fontsize=9)
    axes[2].margins(x=0.2)
    for panel in axes:
        panel.tick_params(labelsize=7)


def picture(of_machine, machine, lines, path):
    rows = 4 if any(line["operation"] == "pair_energy" for line in lines) else 3
    figure, ((left, right, third), below, fft, *last) = plt.subplots(rows, 3, figsize=(12, 8.2 * rows / 3), gridspec_kw={"width_ratios": [1.25, 1, 1]})
    colours = {"f64": "#1f5fa8", "f32": "#e08a1e"}
    names = ["scalar", "sse2", "avx", "avx2", "avx512"]
    for shift, type_ in ((-0.2, "f64"), (0.2, "f32")):
        for i, hw in enumerate(names):
            line = find(lines, operation="magicfilter3d", type=type_, hw=hw, threads=1, size=MAIN)
            if not line or "fraction" not in line:
                continue
            bar = left.bar(i + shift, line["fraction"], 0.38, color=colours[type_], label=type_ if i == 0 else None)
            left.bar_label(bar, [f"{line['rate']:.0f}\n{line['max_error']:.0e}"], fontsize=6.5)
    left.set_xticks(range(len(names)), names)
    left.set_ylim(0, 1.15)
    left.axhline(1, color="k", lw=0.8)
    left.set_title("of the core's multiply-add peak (GFlop/s, largest error)", fontsize=9)
    left.legend(fontsize=8, loc="upper left", ncol=2)
    peers = []
    for name in ("naive transposed gcc", "naive transposed clang", "naive loops clang", "naive loops gcc"):
        line = find(lines, operation="magicfilter3d", type="f64", hw=name, threads=1, size=MAIN)
        if line:
            peers.append((name.replace("naive ", "plain ").replace("loops", "loops,").replace("transposed", "transposed,"), line["rate"], "#999999"))
    for hw in ("sse2", "avx2", "avx512"):
        line = find(lines, operation="magicfilter3d", type="f64", hw=hw, threads=1, size=MAIN)
        if line:
            peers.append(("convk " + hw, line["rate"], colours["f64"]))
    bars = right.barh([p[0] for p in peers], [p[1] for p in peers], color=[p[2] for p in peers])
    right.bar_label(bars, [f"{p[1]:.0f}" for p in peers], fontsize=7, padding=2)
    right.set_title("f64, one core, GFlop/s", fontsize=9)
    right.tick_params(labelsize=7.5)
    right.margins(x=0.12)
    stencil = []
    for t in (1, machine["threads"]):
        one = dict(type="f64", threads=t, size="256x256x256")
        for name, line, colour in (("plain loops", find(lines, operation="stencil7", hw="naive loops gcc", **one), "#999999"),
                                   ("one sweep", find(lines, operation="stencil7", hw="avx512", **one), colours["f64"]),
                                   ("64 steps", find(lines, operation="stencil7_steps", hw="avx512", **one), "#0b3c6f")):
            if line:
                stencil.append((f"{name}, {t} thread{'s' if t > 1 else ''}", line["rate"], colour))
    bars = third.barh([p[0] for p in stencil], [p[1] for p in stencil], color=[p[2] for p in stencil])
    third.bar_label(bars, [f"{p[1]:.1f}" for p in stencil], fontsize=7, padding=2)
    third.set_title("7-point stencil, f64, 256^3, GLUP/s", fontsize=9)
    third.tick_params(labelsize=7.5)
    third.margins(x=0.12)
    left.set_title("magic filter: of the multiply-add peak (GFlop/s, error)", fontsize=9)
    right.set_title("magic filter: f64, one core, GFlop/s", fontsize=9)
    figure.suptitle(f"{of_machine}: 3D magic filter, periodic, {MAIN}; 7-point stencil; f32 Gaussians and form factors; FFT; pairs", fontsize=9.5)
    new_families(lines, below, colours["f32"])
    fft_panels(lines, fft, colours["f32"])
    for panels in last:
        vmc_panels(lines, panels, colours)
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main():
    machines, gpu = [], None
    for path in sys.argv[1:]:
        machine, lines = load(path)
        if machine["compiler"] == "nvcc":  # of `bench_cuda`
            gpu = machine["machine"], lines
        else:
            machines.append((name_of(path), machine, lines))
    machines[0][1]["gpu"] = gpu
    readme = ROOT / "README.md"
    text = "\n".join(summary(machines)) + "\n"
    readme.write_text(re.sub(r"(<!-- results -->\n).*?(<!-- /results -->)", lambda m: m[1] + text + m[2], readme.read_text(), flags=re.S))
    results = ROOT / "tests/bench/results"
    notes = (results / "NOTES.md").read_text()
    (results / "README.md").write_text(notes + "\n" + "\n".join(line for entry in machines for line in section(*entry)).rstrip() + "\n")
    picture(*machines[0], results / "speed.svg")


if __name__ == "__main__":
    main()
