#!/usr/bin/env python3
"""Draws the data file of an example, with axes, units and scales:
    plot.py DATA OUT.png    DATA by --data FILE of the example; of helium PREFIX.txt, beside PREFIX.xyz
Python 3.9 with NumPy and matplotlib (Debian: python3-matplotlib). OUT.svg and OUT.pdf go, too."""
import os
import sys

import matplotlib

matplotlib.use("agg")
import data_file  # noqa: E402
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.colors import LogNorm  # noqa: E402
from PIL import Image  # noqa: E402

# 800 x 550 pixels, to be shown half as large.
SIZE, DPI = (4.0, 2.75), 200
INK, PALE, BLUE, ORANGE = "#262626", "#9a9a9a", "#0072b2", "#d55e00"  # the colours: Okabe and Ito's
plt.rcParams.update({
    "font.size": 7.5, "axes.titlesize": 7.5, "axes.titlepad": 4, "axes.labelpad": 2, "axes.linewidth": 0.6,
    "axes.edgecolor": INK, "axes.labelcolor": INK, "text.color": INK, "xtick.color": INK, "ytick.color": INK,
    "xtick.major.width": 0.6, "ytick.major.width": 0.6, "xtick.major.size": 2.5, "ytick.major.size": 2.5,
    "xtick.minor.size": 0, "ytick.minor.size": 0, "xtick.major.pad": 2, "ytick.major.pad": 2,
    "lines.linewidth": 1.2, "mathtext.fontset": "dejavusans", "figure.facecolor": "white", "savefig.facecolor": "white"})


# ---- what all pictures share ----

def panel(figure, left, bottom, width, height, title=None):
    """Axes by their place in inches, since labels need room that is known."""
    axes = figure.add_axes((left / SIZE[0], bottom / SIZE[1], width / SIZE[0], height / SIZE[1]))
    if title:
        axes.set_title(title)
    return axes


def show(axes, x, y, values, **how):
    """A map whose points are the middles of its pixels."""
    dx, dy = (x[1] - x[0]) / 2, (y[1] - y[0]) / 2
    return axes.imshow(values, origin="lower", extent=(x[0] - dx, x[-1] + dx, y[0] - dy, y[-1] + dy), **how)


def ticks(axes, most=5):
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(plt.MaxNLocator(most, steps=(1, 2, 5, 10)))


def bar(figure, image, left, bottom, width, height, label, **how):
    axes = panel(figure, left, bottom, width, height)
    scale = figure.colorbar(image, cax=axes, orientation="horizontal" if width > height else "vertical", **how)
    scale.outline.set_linewidth(0.6)
    scale.set_label(label)
    return scale


def atoms(axes, block):
    """Discs where they are, or rings where they lie off the plane."""
    for across, up, off, number in block.rows:
        there = abs(off) < 0.3
        axes.plot(across, up, "o", ms=4.2 if number > 1 else 3, mew=0.8, mec=INK, mfc=INK if there else "none")


def signed(axes, x, y, values, peak):
    """Blue, white, red, with lines at halves, quarters and so on of the largest value, since tails are long."""
    image = show(axes, x, y, values, cmap="RdBu_r", vmin=-peak, vmax=peak, interpolation="bicubic")
    levels = peak / 2 ** np.arange(6, 0, -1)
    style = {"colors": INK, "linewidths": 0.35, "alpha": 0.6}
    axes.contour(x, y, values, levels, **style)
    axes.contour(x, y, values, -levels[::-1], linestyles="solid", **style)
    return image


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
    names = data.note("axes").split()
    parts = ((0.46, values, "orbital $\\psi$", "$\\psi$ (bohr$^{-3/2}$)"),
             (2.26, change, "filter coefficients $-\\,\\psi$", "difference (bohr$^{-3/2}$)"))
    near = data.block("atoms").rows[:, :2].mean(axis=0)
    half = 0.3 * min(x[-1] - x[0], y[-1] - y[0])
    for left, what, title, label in parts:
        axes = panel(figure, left, 0.86, 1.62, 1.62, title)
        image = signed(axes, x, y, what, abs(what).max())
        atoms(axes, data.block("atoms"))
        axes.set_xlabel(f"${names[0]}$ (bohr)")
        axes.set(xlim=(near[0] - half, near[0] + half), ylim=(near[1] - half, near[1] + half))
        ticks(axes)
        bar(figure, image, left + 0.1, 0.36, 1.42, 0.09, label, ticks=plt.MaxNLocator(3, symmetric=True))
        if left < 1:
            axes.set_ylabel(f"${names[1]}$ (bohr)")
        else:
            axes.set_yticklabels([])


def heat(figure, data):
    step, _ = data.quantity("time step")
    names = sorted((name for name in data.blocks if name.startswith("step ")), key=lambda name: int(name[5:]))
    for i, name in enumerate(names if len(names) < 3 else (names[0], names[len(names) // 2], names[-1])):
        for row, plane in enumerate("xz"):
            x, y, values = data.block(name).map(f"T in the plane of {plane}")
            axes = panel(figure, 0.42 + 1.0 * i, 1.47 - 1.06 * row, 0.94, 0.98)
            image = show(axes, x, y, values, cmap="inferno", vmin=0, vmax=1, interpolation="bilinear")
            axes.set(xticks=(0, 0.5, 1), yticks=(0, 0.5, 1))
            axes.set_xticklabels(["0", "½", "1" if i == 2 else ""] if row else [])
            axes.set_yticklabels(["0", "½", "1"] if i == 0 else [])
            if row == 0:
                time = float(name[5:]) * step
                axes.set_title("$t = 0$" if time == 0 else f"${1e3 * time:.2g}\\times 10^{{-3}}\\,L^2/D$")
            if row == 1 and i == 1:
                axes.set_xlabel("$y/L$ above, $x/L$ below")
            if i == 0:
                axes.set_ylabel("$z/L$" if plane == "x" else "$y/L$", labelpad=4)
                axes.text(0.04, 0.05, f"${plane} = L/2$", color="white", fontsize=6.5)
    bar(figure, image, 3.46, 0.41, 0.09, 2.04, "", ticks=(0, 0.5, 1)).ax.set_title("$T$")


def orbital(figure, data):
    planes = data.block("planes")
    x, y, psi = planes.map("orbital")
    rho = planes.map("density in the plane of the molecule")[2]
    peak = abs(psi).max()
    left = panel(figure, 0.46, 0.86, 1.62, 1.62, f"orbital {data.note('orbital')}")
    image = signed(left, x, y, psi, peak)
    atoms(left, data.block("atoms by the orbital's plane"))
    bar(figure, image, 0.56, 0.36, 1.42, 0.09, "$\\psi$ (bohr$^{-3/2}$)", ticks=plt.MaxNLocator(3))
    right = panel(figure, 2.26, 0.86, 1.62, 1.62, "electron density")
    image = show(right, x, y, rho, cmap="viridis", norm=LogNorm(1e-4, 10))
    right.contour(x, y, rho, 10.0 ** np.arange(-4, 1), colors="white", linewidths=0.35)
    atoms(right, data.block("atoms by the density's plane"))
    bar(figure, image, 2.36, 0.36, 1.42, 0.09, "$\\rho$ (bohr$^{-3}$)", extend="both", ticks=10.0 ** np.arange(-4, 2))
    if data.note("coefficients") != "the format says":
        figure.text(0.5, 0.01, f"read as {data.note('coefficients')}", fontsize=5, ha="center")
    for axes in (left, right):
        axes.set_xlabel("across (bohr)")
        ticks(axes)
    left.set_ylabel("up (bohr)")
    right.set_yticklabels([])


def flake(figure, data):
    plane, where = data.block("plane"), data.block("atoms").rows
    x, y, psi = plane.map("orbital")
    rho = plane.map("density")[2]
    height, _ = data.quantity("height")
    half = min(x[-1], y[-1], abs(where[:, :2]).max() + 3)
    most = 0.6 * abs(psi).max()  # the edge has the largest values
    parts = ((0.46, "highest occupied orbital", psi, "$\\psi$ (bohr$^{-3/2}$)", INK,
              {"cmap": "RdBu_r", "vmin": -most, "vmax": most}),
             (2.26, "density of $\\pi$ electrons", rho, "$\\rho$ (bohr$^{-3}$)", "white", {"cmap": "magma", "vmin": 0}))
    for left, title, values, label, colour, colours in parts:
        axes = panel(figure, left, 0.86, 1.62, 1.62, title)
        image = show(axes, x, y, values, interpolation="bicubic", **colours)
        bonds(axes, where[:, :3], 2.9, color=colour, lw=0.35, alpha=0.5)
        axes.set(xlim=(-half, half), ylim=(-half, half), xlabel="$x$ (bohr)")
        ticks(axes)
        bar(figure, image, left + 0.1, 0.36, 1.42, 0.09, label, extend="both" if left < 1 else "neither",
            ticks=plt.MaxNLocator(3, symmetric=left < 1))
        axes.text(0.96 * half, -0.96 * half, f"{height:g} bohr above", ha="right", va="bottom", color=colour, fontsize=6)
        if left < 1:
            axes.set_ylabel("$y$ (bohr)")
        else:
            axes.set_yticklabels([])


def salt(figure, data):
    edge, _ = data.quantity("edge")
    parts = ((0.46, "face", edge, "in a face of the cube", "$x$ (bohr)"),
             (2.26, "across", edge / 2**0.5, "through its diagonal", "diagonal of a face (bohr)"))
    for left, block, apart, title, label in parts:
        x, y, rho = data.block(block).map("density")
        axes = panel(figure, left, 0.86, 1.62, 1.62, title)
        rho = np.tile(rho, (3, 3))  # what repeats
        u, v = (np.arange(n) * (t[1] - t[0]) for n, t in zip(rho.shape[::-1], (x, y)))
        image = show(axes, u, v, rho, cmap="viridis", norm=LogNorm(1e-4, 1), interpolation="bicubic")
        axes.contour(u, v, rho, 10.0 ** np.arange(-4, 1, 0.5), colors="white", linewidths=0.35)
        for name, place in (("Na$^+$", (apart, edge)), ("Cl$^-$", (apart, edge / 2))):
            axes.text(*place, name, ha="center", va="center", fontsize=6,
                      bbox={"boxstyle": "round,pad=0.15", "fc": "white", "alpha": 0.75, "lw": 0})
        axes.set(xlim=(0, 2 * edge), ylim=(0, 2 * edge), xlabel=label)
        ticks(axes)
        bar(figure, image, left + 0.1, 0.36, 1.42, 0.09, "$\\rho$ (bohr$^{-3}$)", extend="both", ticks=10.0 ** np.arange(-4, 1))
        if left < 1:
            axes.set_ylabel("$y$ left, $z$ right (bohr)")
        else:
            axes.set_yticklabels([])


def gisaxs(figure, data):
    if "reflectivity" in data.blocks:
        qz, value = (data.block("reflectivity").column(name) for name in ("qz", "R"))
        axes = panel(figure, 0.62, 0.38, 3.2, 2.2)
        axes.semilogy(qz, value, color=BLUE)
        axes.fill_between(qz, value, value.min(), color=BLUE, alpha=0.15, linewidth=0)
        axes.set(xlabel="$q_z$ (nm$^{-1}$)", ylabel="reflectivity", xlim=(0, qz[-1]))
        return
    qy, qz, values = data.block("pattern").map("|F/V|^2")
    seen = values.any(axis=1)  # below the horizon of a film there is nothing
    qz, values = qz[seen], values[seen]
    axes = panel(figure, 0.62, 0.38, 2.12, 2.12, data.note("particle"))
    high = values.max()
    low = max(np.quantile(values, 0.02), 1e-9 * high)
    image = show(axes, qy, qz, values, cmap="inferno", norm=LogNorm(low, high), interpolation="bilinear")
    axes.set(xlabel="$q_y$ (nm$^{-1}$)", ylabel="$q_z$ (nm$^{-1}$)")
    ticks(axes)
    bar(figure, image, 2.9, 0.38, 0.11, 2.12, "$|F(\\mathbf{q})/V|^2$")


def diffraction(figure, data):
    x, y, light = data.block("cell").map("|E|^2 behind them")
    height = data.block("cell").map("height of the pillars")[2]
    orders = data.block("orders")
    left = panel(figure, 0.38, 0.86, 1.62, 1.62, "light behind the pillars")
    image = show(left, x, y, light, cmap="inferno")
    left.contour(x, y, height, (0.02, 0.98), colors="white", linewidths=(0.6, 0.4), linestyles="solid")
    left.set(xlabel="$x/\\lambda$", ylabel="$y/\\lambda$")
    bar(figure, image, 0.48, 0.36, 1.42, 0.09, "$|E|^2$ (incident light: 1)", ticks=plt.MaxNLocator(4))
    mx, my, power = orders.map("power")
    there = orders.map("propagates")[2] > 0
    right = panel(figure, 2.3, 0.86, 1.62, 1.62, "diffracted orders")
    right.set_facecolor("#e4e4e4")
    image = show(right, mx, my, np.where(there, power, np.nan), cmap="inferno", norm=LogNorm(power.max() * 1e-8, power.max()))
    right.set(xlabel="order along $x$, and along $y$")
    ticks(left)
    ticks(right)
    bar(figure, image, 2.4, 0.36, 1.42, 0.09, "share of the power", extend="min", ticks=10.0 ** np.arange(-8, 1, 2))


def blur(figure, data):
    block = data.block("picture")
    x, y, before = block.map("before")
    after = block.map("after")[2]
    width, _ = data.quantity("width at half height")
    side = min(len(x), len(y))
    row = side // 2 + side // 8
    below = panel(figure, 0.36, 0.36, 3.5, 0.46)
    parts = ((0.36, before, "before", BLUE),
             (2.24, after, f"after: {data.note('kernel').capitalize()}, {width:g} pixels wide", ORANGE))
    for left, what, title, colour in parts:
        axes = panel(figure, left, 0.91, 1.62, 1.62, title)
        axes.imshow(what[:side, :side], cmap="gray", vmin=0, vmax=1)
        axes.axhline(row, color=colour, lw=1)
        axes.set(xticks=(), yticks=())
        below.plot(x[:side], what[row, :side], color=colour, lw=0.9)
    below.set(xlim=(0, side - 1), ylim=(-0.05, 1.1), yticks=(0, 1), xlabel="pixel along the line", ylabel="grey")
    for place in ("top", "right"):
        below.spines[place].set_visible(False)


def hamiltonian(figure, data):
    states = data.block("states")
    for i in range(5):
        x, y, psi = states.map(str(i + 1))
        axes = panel(figure, 0.4 + 0.72 * i, 1.78, 0.68, 0.68, f"${(1.5, 2.5, 2.5, 3.5, 3.5)[i]}$ hartree")
        show(axes, x, y, psi, cmap="RdBu_r", vmin=-1, vmax=1, interpolation="bicubic")
        axes.set(xlim=(-4, 4), ylim=(-4, 4), xticks=(), yticks=())
    block = data.block("convergence")
    axes = panel(figure, 0.5, 0.36, 1.4, 1.22)
    orders = [name for name in block.columns[1:] if name != "wavelets"]
    for i, name in enumerate(orders):
        axes.loglog(block.column("spacing"), block.column(name), color=plt.cm.Blues(0.35 + 0.13 * i), lw=0.9)
    axes.loglog(block.column("spacing"), block.column("wavelets"), color=ORANGE)
    axes.set(xlabel="spacing (bohr)", xticks=(0.15, 0.3, 0.6), yticks=(1e-12, 1e-8, 1e-4), xlim=(0.14, 0.85), ylim=(1e-13, 1.5))
    axes.set_ylabel("error (hartree)", labelpad=1)
    axes.xaxis.set_minor_formatter(plt.NullFormatter())
    axes.set_xticklabels(["0.15", "0.3", "0.6"])
    axes.text(0.33, 2e-11, "wavelets", color=ORANGE, fontsize=6.5)
    axes.text(0.155, 0.1, "order 2, 4, 6, 8, 12", color=BLUE, fontsize=6.5)
    block = data.block("bands")
    axes = panel(figure, 2.42, 0.36, 1.5, 1.22)
    for i in (1, 2, 3):
        axes.plot(block.column("k"), block.column(f"exact {i}"), color=PALE)
        axes.plot(block.column("k"), block.column(f"band {i}"), "o", color=BLUE, ms=1.6)
    edge = block.column("k")[-1]
    axes.set(xlim=(-edge, edge), xticks=(-edge, 0, edge), xlabel="$k$", ylabel="bands (hartree)")
    axes.set_xticklabels(["$-\\pi/a$", "0", "$\\pi/a$"])


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


def helium(figure, data):
    energy, _ = data.quantity("energy per atom")
    liquid, _ = data.quantity("density of the liquid")
    where = os.path.splitext(data.path)[0] + ".xyz"
    walker = os.path.exists(where)
    axes = panel(figure, 0.44, 0.38, 1.95 if walker else 3.3, 2.1)
    if "pairs" in data.blocks:
        curves, unit, level, name = (("g", BLUE, "pairs"),), 1, 1, "$g(r)$"
    else:
        curves, unit, level, name = (("atoms", BLUE, "from the centre"), ("pairs", ORANGE, "from an atom")), 100, liquid, \
            "density (10$^{-2}$ Å$^{-3}$)"
    block = next(iter(data.blocks.values()))
    r = block.column("r")
    for column, colour, label in curves:
        value, error = unit * block.column(column), unit * block.column("error of " + column)
        sure = np.isfinite(error) & ((error < 0.12 * value) | (r > 2))  # the innermost shells have few atoms
        axes.fill_between(r[sure], (value - error)[sure], (value + error)[sure], color=colour, alpha=0.25, lw=0)
        axes.plot(r[sure], value[sure], color=colour, label=label)
    axes.axhline(unit * level, color=PALE, lw=0.8, ls=(0, (4, 3)), zorder=0)
    axes.text(0.97 * r[-1], unit * level, "liquid", ha="right", va="bottom", color="#707070")
    axes.set(xlim=(0, r[-1] + r[0]), xlabel="distance $r$ (Å)", ylabel=name)
    axes.set_ylim(0, axes.get_ylim()[1] + 0.1 * unit * level)
    axes.legend(frameon=False, loc="center right", handlelength=1.2)
    axes.set_title(f"{data.note('atoms')} atoms: ${energy:.3g}$ K per atom")
    if walker:
        balls(panel(figure, 2.47, 0.72, 1.5, 1.5, "one configuration"), np.loadtxt(where, skiprows=2, usecols=(1, 2, 3), ndmin=2))


KINDS = {f.__name__: f for f in (demo, heat, orbital, flake, salt, gisaxs, diffraction, blur, helium, hamiltonian)}


def save(figure, path):
    """A PNG has a palette, of as many colours as keep it below 60 kB; Pillow comes with matplotlib."""
    figure.savefig(path, dpi=DPI)
    if path.endswith(".png"):
        with Image.open(path) as image:
            full = image.convert("RGB")
        for colours in (256, 128, 64, 32):
            full.quantize(colours, method=Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE).save(path, optimize=True)
            if os.path.getsize(path) < 60000:
                break


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: plot.py DATA OUT.png")
    try:
        data = data_file.read(sys.argv[1])
        kind = data.note("example")
        if kind not in KINDS:
            raise data_file.Wrong(f"{sys.argv[1]}: nobody draws '{kind}'; known: {', '.join(KINDS)}")
        figure = plt.figure(figsize=SIZE)
        KINDS[kind](figure, data)
        save(figure, sys.argv[2])
    except (OSError, ValueError) as error:
        sys.exit(f"plot.py: {error}")


if __name__ == "__main__":
    main()
