#!/usr/bin/env python3
"""Draws the data file of an example, with axes, units and scales:
    plot.py DATA OUT.png    DATA by --data FILE of the example; of helium PREFIX.txt, beside PREFIX.xyz
Python 3.9 with NumPy and matplotlib 3.6 (Debian: python3-matplotlib). OUT.svg and OUT.pdf go, too."""
import os
import re
import sys
from collections import Counter

import matplotlib

matplotlib.use("agg")
import data_file  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.colors import LogNorm  # noqa: E402
from matplotlib.patheffects import withStroke  # noqa: E402
from PIL import Image  # noqa: E402

# 800 x 600 pixels, to be shown 420 pixels wide: there text has 9 pixels at least, exponents too, and lines have one.
SIZE, DPI = (4.0, 3.0), 200
INK, PALE, BLUE, ORANGE = "#262626", "#9a9a9a", "#0072b2", "#d55e00"  # the colours: Okabe and Ito's
plt.rcParams.update({
    "font.size": 9, "axes.titlesize": 9, "figure.titlesize": 9.5, "figure.titleweight": "bold", "legend.fontsize": 8,
    "axes.titlepad": 4, "axes.labelpad": 2, "axes.linewidth": 0.8, "lines.linewidth": 1.4, "contour.linewidth": 0.75,
    "axes.edgecolor": INK, "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK,
    "xtick.major.size": 2.5, "ytick.major.size": 2.5, "xtick.minor.size": 0, "ytick.minor.size": 0, "xtick.major.pad": 2,
    "ytick.major.pad": 2, "legend.frameon": False, "legend.handlelength": 1.2, "mathtext.fontset": "dejavusans",
    "figure.constrained_layout.h_pad": 0.04, "figure.constrained_layout.w_pad": 0.04})
ELEMENTS = "? H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr".split()


# ---- what all pictures share ----

def show(axes, x, y, values, **how):
    """A map whose points are the middles of its pixels."""
    dx, dy = (x[1] - x[0]) / 2, (y[1] - y[0]) / 2
    return axes.imshow(values, origin="lower", extent=(x[0] - dx, x[-1] + dx, y[0] - dy, y[-1] + dy), **how)


def ticks(axes, most=5):
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(plt.MaxNLocator(most, steps=(1, 2, 5, 10)))


def bar(figure, image, axes, label, lines=None, location="bottom", **how):
    """What the colours mean, and the lines of a map."""
    scale = figure.colorbar(image, ax=axes, label=label, location=location, aspect=18, pad=0.03, **how)
    scale.outline.set_linewidth(0.8)
    if lines:
        scale.add_lines(lines)


def element(number):
    return ELEMENTS[int(number)] if number < len(ELEMENTS) else f"({number:g})"


def formula(block):
    """H2O: atoms by their numbers, carbon first."""
    count = sorted(Counter(map(element, block.column("number"))).items(), key=lambda pair: (pair[0] != "C", pair[0]))
    return "".join(name + (f"$_{{{n}}}$" if n > 1 else "") for name, n in count)


def atoms(axes, block):
    """Discs where they are, or rings where they lie off the plane."""
    for across, up, off, number in block.rows:
        axes.plot(across, up, "o", ms=3, mew=0.8, mec=INK, mfc=INK if abs(off) < 0.3 else "none")
        axes.annotate(element(number), (across, up), (3, 2), textcoords="offset points", fontsize=8,
                      path_effects=[withStroke(linewidth=1.5, foreground="white")])


def signed(axes, x, y, values, peak):
    """Blue, white, red, with lines at halves, quarters and so on of the largest value, since tails are long."""
    image = show(axes, x, y, values, cmap="RdBu_r", vmin=-peak, vmax=peak, interpolation="bicubic")
    levels = peak / 2 ** np.arange(5, 0, -1)
    lines = axes.contour(x, y, values, (*-levels[::-1], *levels), colors="#6a6a6a", linestyles="solid")
    return image, lines


def bonds(axes, where, longest, **how):
    """Lines between atoms that are near to one another."""
    for i, one in enumerate(where):
        for other in where[:i]:
            if np.linalg.norm(one - other) < longest:
                axes.plot(*zip(one[:2], other[:2]), **how)


# ---- one function for each example ----

def demo(figure, data):
    x, y, values = data.block("plane").map("values")
    change = data.block("plane").map("coefficients")[2] - values
    across, up = data.note("axes").split()
    near = data.block("atoms").rows[:, :2].mean(axis=0)
    half = 0.3 * min(x[-1] - x[0], y[-1] - y[0])
    figure.suptitle(f"{formula(data.block('atoms'))}: an orbital by the magic filter")
    parts = ((values, "values", "$\\psi$ (bohr$^{-3/2}$)"), (change, "coefficients $-$ values", "difference (bohr$^{-3/2}$)"))
    for axes, (what, title, label) in zip(figure.subplots(1, 2, sharey=True), parts):
        image, lines = signed(axes, x, y, what, abs(what).max())
        atoms(axes, data.block("atoms"))
        axes.set(xlim=(near[0] - half, near[0] + half), ylim=(near[1] - half, near[1] + half), title=title)
        axes.set(xlabel=f"${across}$ (bohr)", ylabel=f"${up}$ (bohr)")
        axes.label_outer()
        ticks(axes)
        bar(figure, image, axes, label, lines, ticks=plt.MaxNLocator(3, symmetric=True))


def heat(figure, data):
    step, _ = data.quantity("time step")
    names = sorted((name for name in data.blocks if name.startswith("step ")), key=lambda name: int(name[5:]))
    names = names if len(names) < 3 else (names[0], names[len(names) // 2], names[-1])
    figure.suptitle("A hot wire cools in a cold block")
    grid = figure.subplots(2, len(names), sharex=True, sharey=True, squeeze=False)
    for i, name in enumerate(names):
        grid[0, i].set_title(f"$t$ = {1e3 * float(name[5:]) * step:.2g}")
        for axes, plane, across, up in zip(grid[:, i], "xz", "yx", "zy"):
            image = show(axes, *data.block(name).map(f"T in the plane of {plane}"), cmap="inferno", vmin=0, vmax=1)
            axes.set(xticks=(0, 0.5, 1), yticks=(0, 0.5, 1), xticklabels="0½1", yticklabels="0½1", xlabel=f"${across}/L$")
            axes.tick_params(labelbottom=True)
            if i == 0:
                axes.set_ylabel(f"${up}/L$")
                axes.text(0.04, 0.05, f"${plane} = L/2$", color="white", fontsize=8)
    bar(figure, image, grid, "temperature (hot: 1, cold: 0)", location="right", ticks=(0, 0.5, 1))
    figure.supxlabel("edge $L$, diffusivity $D$, times $t$ in $10^{-3}\\,L^2/D$", fontsize=9)


def orbital(figure, data):
    planes = data.block("planes")
    x, y, psi = planes.map("orbital")
    rho = planes.map("density in the plane of the molecule")[2]
    by_orbital, by_density = (data.block(f"atoms by the {name}'s plane") for name in ("orbital", "density"))
    figure.suptitle(f"{formula(by_density)}: orbital {data.note('orbital')}, and all electrons")
    left, right = figure.subplots(1, 2, sharey=True)
    image, lines = signed(left, x, y, psi, abs(psi).max())
    atoms(left, by_orbital)
    bar(figure, image, left, "$\\psi$ (bohr$^{-3/2}$)", lines, ticks=plt.MaxNLocator(3))
    left.set(title="orbital", ylabel="up (bohr)")
    image = show(right, x, y, rho, cmap="viridis", norm=LogNorm(1e-4, 10))
    lines = right.contour(x, y, rho, 10.0 ** np.arange(-3, 1), colors="white")
    atoms(right, by_density)
    bar(figure, image, right, "$\\rho$ (bohr$^{-3}$)", lines, extend="both", ticks=10.0 ** np.arange(-4, 2, 2))
    right.set(title="density of electrons")
    for axes in (left, right):
        axes.set_xlabel("across (bohr)")
        ticks(axes)
    if data.note("coefficients") != "the format says":
        figure.supxlabel(f"read as {data.note('coefficients')}", fontsize=8)


def flake(figure, data):
    plane, where = data.block("plane"), data.block("atoms").rows
    x, y, psi = plane.map("orbital")
    rho = plane.map("density")[2]
    height, _ = data.quantity("height")
    half = min(x[-1], y[-1], abs(where[:, :2]).max() + 3)
    most = 0.6 * abs(psi).max()  # the edge has the largest values
    figure.suptitle(f"{formula(data.block('atoms'))}, a flake of graphene, {height:g} bohr above")
    parts = (("highest occupied orbital", psi, "$\\psi$ (bohr$^{-3/2}$)", INK, "both", {"cmap": "RdBu_r", "vmin": -most, "vmax": most}),
             ("density of $\\pi$ electrons", rho, "$\\rho$ (bohr$^{-3}$)", "white", "neither", {"cmap": "magma", "vmin": 0}))
    for axes, (title, values, label, colour, extend, colours) in zip(figure.subplots(1, 2, sharey=True), parts):
        image = show(axes, x, y, values, interpolation="bicubic", **colours)
        bonds(axes, where[:, :3], 2.9, color=colour, lw=0.7, alpha=0.5)
        axes.set(xlim=(-half, half), ylim=(-half, half), xlabel="$x$ (bohr)", ylabel="$y$ (bohr)", title=title)
        axes.label_outer()
        ticks(axes)
        bar(figure, image, axes, label, extend=extend, ticks=plt.MaxNLocator(3, symmetric=extend == "both"))


def salt(figure, data):
    edge, _ = data.quantity("edge")
    figure.suptitle("Density of electrons in salt")
    parts = (("face", edge, "in a face of the cube", "$x$ (bohr)", "$y$ (bohr)"),
             ("across", edge / 2**0.5, "through its diagonal", "along $x = y$ (bohr)", "$z$ (bohr)"))
    both = figure.subplots(1, 2)
    for axes, (block, apart, title, across, up) in zip(both, parts):
        x, y, rho = data.block(block).map("density")
        rho = np.tile(rho, (3, 3))  # what repeats
        u, v = (np.arange(n) * (t[1] - t[0]) for n, t in zip(rho.shape[::-1], (x, y)))
        image = show(axes, u, v, rho, cmap="viridis", norm=LogNorm(1e-4, 1), interpolation="bicubic")
        lines = axes.contour(u, v, rho, 10.0 ** np.arange(-3, 1), colors="white")
        for name, place in (("Na$^+$", (apart, edge)), ("Cl$^-$", (apart, edge / 2))):
            axes.text(*place, name, ha="center", va="center", bbox={"boxstyle": "round,pad=0.1", "fc": "white", "alpha": 0.75, "lw": 0})
        axes.set(xlim=(0, 2 * edge), ylim=(0, 2 * edge), xlabel=across, ylabel=up, title=title)
        ticks(axes)
    bar(figure, image, both, "$\\rho$ (bohr$^{-3}$)", lines, extend="both", ticks=10.0 ** np.arange(-4, 1))


def gisaxs(figure, data):
    axes = figure.subplots()
    if "reflectivity" in data.blocks:
        qz, value = (data.block("reflectivity").column(name) for name in ("qz", "R"))
        figure.suptitle("What a film reflects")
        axes.semilogy(qz, value, color=BLUE)
        axes.fill_between(qz, value, value.min(), color=BLUE, alpha=0.15, linewidth=0)
        axes.set(xlabel="$q_z$ (nm$^{-1}$)", ylabel="reflectivity (incident wave: 1)", xlim=(0, qz[-1]))
        return
    qy, qz, values = data.block("pattern").map("|F/V|^2")
    seen = values.any(axis=1)  # below the horizon of a film there is nothing
    qz, values = qz[seen], values[seen]
    particle = re.sub(r":([\d.x]+)", lambda size: f" {size[1].replace('x', ' × ')} nm", os.path.basename(data.note("particle")))
    figure.suptitle(f"X-ray scattering: {particle}")
    high = values.max()
    low = max(np.quantile(values, 0.02), 1e-9 * high)
    image = show(axes, qy, qz, values, cmap="inferno", norm=LogNorm(low, high), interpolation="bilinear")
    axes.set(xlabel="$q_y$ (nm$^{-1}$)", ylabel="$q_z$ (nm$^{-1}$)")
    ticks(axes)
    wide = np.ptp(qy) > 1.5 * np.ptp(qz)
    bar(figure, image, axes, "intensity $|F(\\mathbf{q})/V|^2$", extend="min", location="bottom" if wide else "right")


def diffraction(figure, data):
    x, y, light = data.block("cell").map("|E|^2 behind them")
    height = data.block("cell").map("height of the pillars")[2]
    orders = data.block("orders")
    figure.suptitle("Light behind a grating of pillars")
    left, right = figure.subplots(1, 2)
    image = show(left, x, y, light, cmap="inferno")
    left.contour(x, y, height, (0.02, 0.98), colors="white", linestyles="solid")
    left.text(0.5, 0.02, "circles: foot and top", color="white", fontsize=8, ha="center", transform=left.transAxes,
              path_effects=[withStroke(linewidth=2, foreground="black")])
    left.set(title="behind one cell", xlabel="$x/\\lambda$", ylabel="$y/\\lambda$")
    bar(figure, image, left, "$|E|^2$ (incident: 1)", ticks=plt.MaxNLocator(4, steps=(1, 2, 5, 10)))
    mx, my, power = orders.map("power")
    there = orders.map("propagates")[2] > 0
    right.set_facecolor("#e4e4e4")
    image = show(right, mx, my, np.where(there, power, np.nan), cmap="inferno", norm=LogNorm(power.max() * 1e-8, power.max()))
    right.text(0.5, 0.02, "grey: do not propagate", fontsize=7.5, ha="center", transform=right.transAxes,
               path_effects=[withStroke(linewidth=2, foreground="#e4e4e4")])
    right.set(title="diffracted orders", xlabel="order along $x$", ylabel="order along $y$")
    bar(figure, image, right, "power (incident: 1)", extend="min", ticks=10.0 ** np.arange(-8, 1, 2))
    ticks(left)
    ticks(right)


def blur(figure, data):
    block = data.block("picture")
    x, y, before = block.map("before")
    after = block.map("after")[2]
    width, _ = data.quantity("width at half height")
    side = min(len(x), len(y))
    row = side // 2 + side // 8
    figure.suptitle(f"A picture blurred: {data.note('kernel').capitalize()} kernel, {width:g} pixels wide")
    places = figure.subplot_mosaic([["before", "after"], ["grey", "grey"]], height_ratios=(3, 1))
    for name, what, colour in (("before", before, BLUE), ("after", after, ORANGE)):
        axes = places[name]
        axes.imshow(what[:side, :side], cmap="gray", vmin=0, vmax=1)
        axes.axhline(row, color=colour, lw=1.2)
        axes.set(title=name, xlabel="$x$ (pixel)")
        ticks(axes, 4)
        places["grey"].plot(x[:side], what[row, :side], color=colour, lw=1.2)
    places["before"].set_ylabel("$y$ (pixel)")
    places["grey"].set(xlim=(0, side - 1), ylim=(-0.05, 1.1), yticks=(0, 1), yticklabels=("black", "white"))
    places["grey"].set_xlabel(f"$x$ (pixel), at $y$ = {row}")
    places["grey"].spines[["top", "right"]].set_visible(False)


def hamiltonian(figure, data):
    figure.set_layout_engine("constrained")
    figure.suptitle("States of an electron by energy (hartree)")
    above, below = figure.subfigures(2, 1, height_ratios=(1, 1.6))
    states = data.block("states")
    row = above.subplots(1, 5, sharey=True)
    for i, (axes, energy) in enumerate(zip(row, (1.5, 2.5, 2.5, 3.5, 3.5))):
        image = show(axes, *states.map(str(i + 1)), cmap="RdBu_r", vmin=-1, vmax=1, interpolation="bicubic")
        axes.set(xlim=(-4, 4), ylim=(-4, 4), xticks=(-3, 0, 3), yticks=(-3, 0, 3), xlabel="$x$ (bohr)", title=f"{energy}")
    row[0].set_ylabel("$y$ (bohr)")
    bar(above, image, row, "$\\psi$ / largest", location="right", ticks=(-1, 0, 1))
    left, right = below.subplots(1, 2)
    block = data.block("convergence")
    orders = [name for name in block.columns[1:] if name != "wavelets"]
    left.plot([], [], " ", label="differences:")
    for i, name in enumerate(orders):
        left.loglog(block.column("spacing"), block.column(name), color=plt.cm.Blues(0.4 + 0.14 * i), lw=1.1, label=name)
    left.loglog(block.column("spacing"), block.column("wavelets"), color=ORANGE, label="wavelets", marker="o", ms=2.4, mew=0)
    left.plot([], [], color=PALE, lw=3, label="plane waves")
    left.set(xlabel="spacing (bohr)", xticks=(0.15, 0.3, 0.6), yticks=(1e-12, 1e-8, 1e-4), xlim=(0.14, 0.85), ylim=(1e-13, 1.5))
    left.set_ylabel("error (hartree)", labelpad=1)
    left.xaxis.set_minor_formatter(plt.NullFormatter())
    left.set_xticklabels(["0.15", "0.3", "0.6"])
    left.legend(loc="center left", bbox_to_anchor=(1, 0.5), labelspacing=0.25, borderpad=0.1)
    block = data.block("bands")
    for i in (1, 2, 3):
        right.plot(block.column("k"), block.column(f"exact {i}"), color=PALE, lw=3)
        right.plot(block.column("k"), block.column(f"band {i}"), "o", color=ORANGE, ms=2.4, mew=0)
    edge = block.column("k")[-1]
    right.set(xlim=(-edge, edge), xticks=(-edge, 0, edge), xlabel="wave number $k$", ylabel="bands (hartree)")
    right.set_xticklabels(["$-\\pi/a$", "0", "$\\pi/a$"])


def balls(axes, where, radius=1.28):
    """Atoms as lit balls, the hindmost first and palest."""
    reach = 1.03 * (abs(where).max() + 1.1 * radius)
    pixels = 360
    picture = np.ones((pixels, pixels, 3))
    at = np.linspace(-reach, reach, pixels)
    x, y = np.meshgrid(at, at)
    deep = max(np.ptp(where[:, 2]), 1.5 * reach)
    for atom in where[np.argsort(where[:, 2])]:
        u, v = (x - atom[0]) / radius, (y - atom[1]) / radius
        away = np.hypot(u, v)
        lit = np.maximum(0, -0.4 * u + 0.56 * v + 0.725 * np.sqrt(np.maximum(0, 1 - away**2)))
        colour = np.minimum(1, (0.34 + 0.66 * lit)[..., None] * np.array((0.3, 0.6, 0.88)) + 0.7 * lit[..., None] ** 24)
        colour += 0.72 * (where[:, 2].max() - atom[2]) / deep * (0.97 - colour)
        cover = np.clip(0.5 - (away - 1) * radius * pixels / (2 * reach), 0, 1)[..., None]
        picture += cover * (colour - picture)
    axes.imshow(picture, origin="lower", extent=(-reach, reach, -reach, reach), interpolation="antialiased")
    axes.set_axis_off()
    length = 10.0 ** np.floor(np.log10(reach)) * (5 if reach >= 5 * 10.0 ** np.floor(np.log10(reach)) else 2)
    axes.plot((-length / 2, length / 2), (-1.04 * reach, -1.04 * reach), color=INK, lw=1.2, clip_on=False)
    axes.text(0, -1.1 * reach, f"{length:g} Å", ha="center", va="top")


def debye(figure, data):
    figure.set_layout_engine("constrained")
    figure.suptitle(f"A gold nanoparticle of {data.note('atoms')} atoms")
    above, below = figure.subplots(2, 1)
    block = data.block("intensity")
    above.semilogy(block.column("q"), block.column("X-rays"), color=BLUE, lw=0.8)
    above.set(xlim=(0, 20), xlabel="$q$ (1/Å)", ylabel="$I(q)$, X-rays", yticks=(1e6, 1e8, 1e10), ylim=(1e5, 1e11))
    block = data.block("pairs")
    below.plot(block.column("r"), block.column("G"), color=ORANGE, lw=1)
    below.axhline(0, color=PALE, lw=0.8, zorder=0)
    below.set(xlim=(0, 15), xlabel="distance $r$ (Å)", ylabel="$G(r)$ (1/Å$^2$)")


def distances(figure, data):
    figure.set_layout_engine("constrained")
    if "ice" in data.blocks:
        edge, _ = data.quantity("edge")
        block = data.block("ice")
        figure.suptitle(f"Cubic ice, {data.note('molecules')} molecules")
        for axes, name, most in zip(figure.subplots(3, 1, sharex=True), ("O-O", "O-H", "H-H"), (4, 2.4, 2.4)):
            axes.plot(block.column("r"), block.column(name), color=BLUE, lw=0.7)
            axes.axhline(1, color=PALE, lw=0.8, zorder=0)
            for share in (0.5, 1):
                axes.axvline(share * edge, color=ORANGE, lw=0.8, ls=(0, (4, 3)))
            axes.text(0.99, 0.93, name.replace("-", "–"), transform=axes.transAxes, ha="right", va="top")
            axes.set(xlim=(0, 1.5 * edge), ylim=(0, most), ylabel="$g(r)$")
        axes.set_xlabel("distance $r$ (Å); dashed: half an edge, and all of it")
        return
    radius, _ = data.quantity("radius")
    figure.suptitle(f"Four helices, {data.note('residues')} residues")
    above, below = figure.subplots(2, 1)
    block = data.block("protein")
    q, intensity = block.column("q"), block.column("I")
    above.semilogy(q, intensity, color=BLUE)
    above.semilogy(q, intensity[0] * np.exp(-(q * radius)**2 / 3), color=PALE, lw=0.8, zorder=0)
    above.text(0.2, 0.3 * intensity[0], f"Guinier, {radius:.1f} Å", color="#606060")
    above.set(xlim=(0, q[-1]), xlabel="$q$ (1/Å)", ylabel="$I(q)$", ylim=(0.5 * intensity.min(), 2 * intensity[0]))
    block = data.block("pairs")
    below.plot(block.column("r"), block.column("P") / 1000, color=ORANGE, lw=1)
    below.set(xlim=(0, 60), ylim=(0, None), xlabel="distance $r$ (Å)", ylabel="$P(r)$ (10$^3$/Å)")


def helium(figure, data):
    energy, _ = data.quantity("energy per atom")
    liquid, _ = data.quantity("density of the liquid")
    where = os.path.splitext(data.path)[0] + ".xyz"
    walker = os.path.exists(where)
    axes, *beside = figure.subplots(1, 2 if walker else 1, squeeze=False, gridspec_kw={"width_ratios": (5, 4)[:1 + walker]})[0]
    if "pairs" in data.blocks:
        curves, unit, level, name = (("g", BLUE, "pairs"),), 1, 1, "$g(r)$"
    else:
        curves, unit, level, name = (("atoms", BLUE, "from the centre"), ("pairs", ORANGE, "from an atom")), 100, liquid, \
            "density (10$^{-2}$ Å$^{-3}$)"
    block = next(iter(data.blocks.values()))
    r = block.column("r")
    for column, colour, label in curves:
        value, error = unit * block.column(column), unit * block.column("error of " + column)
        sure = (error < 0.12 * value) | (r > 2)  # the innermost shells have few atoms
        axes.fill_between(r[sure], (value - error)[sure], (value + error)[sure], color=colour, alpha=0.25, lw=0)
        axes.plot(r[sure], value[sure], color=colour, label=label)
    axes.axhline(unit * level, color=PALE, lw=0.8, ls=(0, (4, 3)), zorder=0)
    axes.text(0.97 * r[-1], unit * level, "liquid", ha="right", va="bottom", color="#606060",
              path_effects=[withStroke(linewidth=2, foreground="white")])
    axes.set(xlim=(0, r[-1] + r[0]), xlabel="distance $r$ (Å)", ylabel=name)
    axes.set_ylim(0, axes.get_ylim()[1] + 0.1 * unit * level)
    axes.legend(loc="center right")
    figure.set_layout_engine("constrained")
    figure.suptitle(f"Helium, {data.note('atoms')} atoms: {energy:.3g} K per atom".replace("-", "−"))
    for place in beside:
        place.set_title("one configuration")
        balls(place, np.loadtxt(where, skiprows=2, usecols=(1, 2, 3), ndmin=2))


KINDS = {f.__name__: f for f in (demo, heat, orbital, flake, salt, gisaxs, diffraction, blur, helium, hamiltonian, debye, distances)}


def save(figure, path):
    """A PNG has a palette of 256 colours, which halves it; Pillow comes with matplotlib."""
    figure.savefig(path, dpi=DPI)
    if path.endswith(".png"):
        with Image.open(path) as image:
            few = image.convert("RGB").quantize(256, method=Image.Quantize.MEDIANCUT, kmeans=1, dither=Image.Dither.NONE)
        few.save(path, optimize=True)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: plot.py DATA OUT.png")
    try:
        data = data_file.read(sys.argv[1])
        kind = data.note("example")
        if kind not in KINDS:
            raise data_file.Wrong(f"{sys.argv[1]}: nobody draws '{kind}'; known: {', '.join(KINDS)}")
        figure = plt.figure(figsize=SIZE, layout="compressed")
        KINDS[kind](figure, data)
        save(figure, sys.argv[2])
    except (OSError, ValueError) as error:
        sys.exit(f"plot.py: {error}")


if __name__ == "__main__":
    main()
