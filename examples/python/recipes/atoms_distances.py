"""Distances of atoms: g(r) of a periodic box, and what a particle scatters in all orientations, beside loops of NumPy, freud,
AUSAXS (the library of SasView 6) and DebyeCalculator.

    python atoms_distances.py [--threads N] [--json FILE]

Peers that are missing are named. Atoms are random points, 0.625 to a cubic angstrom, and a protein of alpha helices."""

import common  # first: it sets the number of threads
import numpy as np

import convk

LIMIT = 1e-6  # of NumPy, which has no bins
SINGLE = 5e-3  # of peers in single precision, or with wide bins


def points(n):
    side = (n / 0.625) ** (1 / 3)
    return np.random.default_rng(1).uniform(0, side, (n, 3)), side


def protein(rows, residues=28):
    """N, CA, C, O, CB of a square of alpha helices, every other one upside down: radius, angle and height of examples/distances.c."""
    atom = np.array([(1.566, -26.65, -0.916), (2.291, 0, 0), (1.68, 26.9, 1.058), (1.934, 20.68, 2.247), (3.341, 16.68, -0.771)])
    step = np.arange(residues)[:, None]
    angle = np.radians(100 * step + atom[:, 1])
    helix = np.stack((atom[:, 0] * np.cos(angle), atom[:, 0] * np.sin(angle), 1.5 * step + atom[:, 2]), -1).reshape(-1, 3)
    helix -= helix.mean(0)
    return np.concatenate([
        helix * ((1, 1, 1), (1, -1, -1))[(i + j) % 2] + (9.6 * i, 9.6 * j, 0) for i in range(rows) for j in range(rows)
    ])


def rows_of_numpy(positions, side, edges):
    """Pairs by their nearest images, a row at a time."""
    count = np.zeros(len(edges) - 1)
    for i in range(1, len(positions)):
        d = positions[:i] - positions[i]
        d -= side * np.rint(d / side)
        count += np.histogram(np.sqrt((d * d).sum(1)), edges)[0]
    return count


def debye_of_numpy(positions, q):
    total = np.full(len(q), float(len(positions)))
    for i in range(1, len(positions)):
        r = np.sqrt(((positions[:i] - positions[i]) ** 2).sum(1))
        total += 2 * np.sinc(q[:, None] * r / np.pi).sum(1)
    return total


def scattering(hw, positions, q, moments, width=0.01):
    """I(q) of atoms that scatter 1: a histogram, and Debye's sum over its bins."""
    bins = int(np.linalg.norm(np.ptp(positions, axis=0)) / width) + 2
    return hw.debye(hw.pair_histogram(positions, width, bins, moments=moments), q)


def of_boxes(table, hw, n):
    positions, side = points(n)
    cell, freud = side * np.eye(3), common.installed(table, f"g(r) of {n} atoms", "freud")
    if freud:
        freud.parallel.set_num_threads(table.options.threads)
        box, centred = freud.box.Box.cube(side), (positions - side / 2).astype(np.float32)
    for share, bins in ((0.25, 100), (0.49, 1000)):
        most, size = share * side, f"{n} atoms, {bins} bins to {share} of the box"
        pairs = n * (n - 1) / 2 * 4 * np.pi / 3 * share**3 / 1e9

        def ours():
            return hw.pair_histogram(positions, most / bins, bins, cell=cell, moments=0).count[0].astype(float)

        if n <= 2000:
            edges = most / bins * np.arange(bins + 1)
            table.compare(
                "pair_histogram",
                "f64",
                size,
                "NumPy histogram",
                ours,
                lambda: rows_of_numpy(positions, side, edges),
                pairs,
                "G pairs/s",
                LIMIT,
            )
        if freud:
            rdf = freud.density.RDF(bins=bins, r_max=most)
            # pairs up to each edge: its distances in single precision put some into the next bin
            table.compare(
                "pair_histogram",
                "f64",
                size,
                "freud RDF",
                lambda: np.cumsum(ours()),
                lambda: np.cumsum(np.asarray(rdf.compute((box, centred)).bin_counts, float)) / 2,
                pairs,
                "G pairs/s",
                SINGLE,
                f"freud's `RDF` of {size}" if n > 5000 else None,
            )


def beside_ausaxs(table, hw, positions, name):
    """AUSAXS with form factors of 1; what it returns is over its first value."""
    n, small = len(positions), np.linspace(0.01, 0.5, 100)
    pairs, ausaxs = n * (n - 1) / 2 / 1e9, common.installed(table, f"I(q) of {name}", "pyausaxs")
    if ausaxs:
        ausaxs.settings.general(threads=table.options.threads, verbose=False)
        axes, weights = [np.ascontiguousarray(axis) for axis in positions.T], np.ones(n)
        shipped = ausaxs.settings.get("bin_width")

        def theirs():
            value = np.asarray(ausaxs.sasview.debye_no_ff(small, *axes, weights), float)
            return value / value[0]

        for width, moments, what in (
            (None, 1, "bins as shipped, one moment here"),
            (0.01, 2, "its bins 0.01, two moments here"),
        ):
            ausaxs.settings.histogram(bin_width=width or shipped)

            def ours(moments=moments):
                value = scattering(hw, positions, small, moments)
                return value / value[0]

            table.compare(
                "debye",
                "f64",
                f"{name}, 100 q to 0.5, {what}",
                "AUSAXS",
                ours,
                theirs,
                pairs,
                "G pairs/s",
                SINGLE,
                f"AUSAXS' `debye_no_ff`, I(q) of {name}, {what}" if n > 5000 else None,
            )
        ausaxs.settings.histogram(bin_width=shipped)


def of_particles(table, hw, n):
    positions, _ = points(n)
    pairs, small, wide = n * (n - 1) / 2 / 1e9, np.linspace(0.01, 0.5, 100), 0.5 + 0.05 * np.arange(580)
    if n <= 2000:
        table.compare(
            "debye",
            "f64",
            f"{n} atoms, 100 q to 0.5",
            "NumPy sinc",
            lambda: scattering(hw, positions, small, 2),
            lambda: debye_of_numpy(positions, small),
            pairs,
            "G pairs/s",
            LIMIT,
        )
    beside_ausaxs(table, hw, positions, f"{n} atoms")
    calculator = common.installed(table, f"I(q) of {n} atoms, 580 q", "debyecalculator")
    if calculator and n <= 5000:
        torch = common.installed(table, "", "torch")
        torch.set_num_threads(table.options.threads)
        calc = calculator.DebyeCalculator(
            device="cpu",
            dtype=torch.float64,
            radiation_type="neutron",
            biso=0.0,
            qmin=0.5,
            qmax=29.5,
            qstep=0.05,
            num_threads=table.options.threads,
        )

        def shaped(value):  # its lengths of neutrons, and its halves
            return value / value.max()

        table.compare(
            "debye",
            "f64",
            f"{n} atoms, 580 q to 29.5",
            "DebyeCalculator",
            lambda: shaped(scattering(hw, positions, wide, 2)),
            lambda: shaped(np.asarray(calc.iq((["Au"] * n, positions))[1], float).ravel()[:580]),
            pairs,
            "G pairs/s",
            5e-2,
            f"DebyeCalculator's I(q) of {n} atoms, 580 q" if n == 5000 else None,
        )


def main():
    options = common.options(__doc__)
    table = common.Table(options)
    with convk.open(options.hw, threads=options.threads) as hw:
        for n in (300,) if options.quick else (2000, 5000, 20000):
            of_boxes(table, hw, n)
            of_particles(table, hw, n)
        helices = protein(2 if options.quick else 6)
        beside_ausaxs(table, hw, helices, f"a protein of {len(helices)} atoms")
    table.end()


if __name__ == "__main__":
    main()
