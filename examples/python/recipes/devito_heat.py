"""The heat equation beside Devito, which writes, compiles and tunes C code for the equation.

    python devito_heat.py [--threads N] [--json FILE]
"""

import common  # first: it sets the number of threads
import numpy as np
from numpy_heat import C0, C1, ours

import convk


def stepper(n, dtype, threads):
    """Steps with fixed ends: a function of the field and the number of steps."""
    import devito

    devito.configuration["log-level"] = "ERROR"
    devito.configuration["language"] = "openmp" if threads > 1 else "C"
    grid = devito.Grid((n, n, n), dtype=dtype)
    u = devito.TimeFunction(name="u", grid=grid, space_order=2)
    near = sum(u.shift(d, by * d.spacing) for d in grid.dimensions for by in (-1, 1))
    step = devito.Operator(devito.Eq(u.forward, C0 * u + C1 * near, subdomain=grid.interior))

    step.apply(time_m=0, time_M=63, autotune="aggressive")  # once, it tries blocks of many shapes and keeps the best

    def run(field, steps):
        u.data[:] = field  # both times, since the ends are never written
        step.apply(time_m=0, time_M=steps - 1, autotune="off")
        return np.array(u.data[steps % 2])

    return run


def main():
    options = common.options(__doc__)
    table = common.Table(options)
    cases = ((20, 6),) if options.quick else ((128, 64), (256, 64))
    random = np.random.default_rng(1)
    with convk.open(options.hw, threads=options.threads) as hw:
        for dtype, kind, limit in ((np.float64, "f64", 1e-14), (np.float32, "f32", 5e-6)):
            for n, steps in cases:
                what = f"{n}^3, {steps} steps, fixed ends"
                try:
                    run = stepper(n, dtype, options.threads)
                except ImportError:
                    table.missing(f"stencil7, {kind}, {what}", "devito")
                    continue
                u = random.random((n, n, n), dtype)
                table.compare("stencil7", kind, what, "Devito", lambda: ours(hw, u, steps, "fixed"), lambda: run(u, steps),
                              steps * u.size / 1e9, "points/ns", limit,
                              kind == "f64" and f"a 7-point stencil by Devito, f64, {n}^3, {steps} steps")
    table.end()


if __name__ == "__main__":
    main()
