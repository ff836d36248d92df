"""Laplacians of high order beside Devito, which writes and compiles C code for the equation.

Its code has coefficients of nine digits: so near are the results in f64.

    python devito_laplace.py [--threads N] [--json FILE]
"""

import common  # first: it sets the number of threads
import numpy as np

import convk

SPACING = 0.5


def operator(n, order, dtype, threads):
    """The Laplacian with zeros beyond the ends, Devito's halo: a function of the field."""
    import devito

    devito.configuration["log-level"] = "ERROR"
    devito.configuration["language"] = "openmp" if threads > 1 else "C"
    grid = devito.Grid((n, n, n), extent=((n - 1) * SPACING,) * 3, dtype=dtype)
    u, w = (devito.Function(name=name, grid=grid, space_order=order) for name in "uw")
    apply = devito.Operator(devito.Eq(w, u.laplace))

    def run(field):
        u.data[:] = field
        return lambda: (apply.apply(), np.asarray(w.data))[1]

    return run


def main():
    options = common.options(__doc__)
    table = common.Table(options)
    cases = ((16, 8),) if options.quick else ((128, 4), (128, 8), (128, 12), (256, 8))
    random = np.random.default_rng(1)
    with convk.open(options.hw, threads=options.threads) as hw:
        for dtype, kind, limit in ((np.float64, "f64", 1e-8), (np.float32, "f32", 5e-6)):
            for n, order in cases:
                what = f"order {order}, {n}^3, zero ends"
                try:
                    run = operator(n, order, dtype, options.threads)
                except ImportError:
                    table.missing(f"laplacian, {kind}, {what}", "devito")
                    continue
                x = random.random((n, n, n), dtype)
                out = np.empty_like(x)
                table.compare("laplacian", kind, what, "Devito",
                              lambda: hw.laplacian(x, SPACING, order, boundary="zero", out=out), run(x), x.size / 1e9,
                              "points/ns", limit,
                              kind == "f64" and order == 8 and f"a Laplacian of order 8 by Devito, f64, {n}^3")
    table.end()


if __name__ == "__main__":
    main()
