"""The heat equation beside NumPy: many steps in one call, which passes over memory less often than once a step.

    python numpy_heat.py [--threads N] [--json FILE]
"""

import common  # first: it sets the number of threads
import numpy as np

import convk

C1 = 0.1  # D dt / h^2
C0 = 1 - 6 * C1


def ours(hw, u, steps, boundary):
    """The array that is returned is u or the copy: after an even number of steps u."""
    return hw.stencil7(u.copy(), (C0, C1), steps, boundary=boundary, b=u.copy())


def slices(u, steps):
    """Fixed ends, as one writes it."""
    a, b, m = u.copy(), u.copy(), slice(1, -1)
    for _ in range(steps):
        b[m, m, m] = C0 * a[m, m, m] + C1 * (
            a[:-2, m, m] + a[2:, m, m] + a[m, :-2, m] + a[m, 2:, m] + a[m, m, :-2] + a[m, m, 2:])
        a, b = b, a
    return a


def in_place(u, steps):
    """The same without temporary arrays, plane by plane, so that these stay in the cache: as fast as NumPy gets."""
    a, b, m = u.copy(), u.copy(), slice(1, -1)
    s = np.empty_like(u[0, m, m])
    for _ in range(steps):
        for z in range(1, len(u) - 1):
            np.add(a[z - 1, m, m], a[z + 1, m, m], out=s)
            for neighbour in (a[z, :-2, m], a[z, 2:, m], a[z, m, :-2], a[z, m, 2:]):
                s += neighbour
            s *= C1
            np.multiply(a[z, m, m], C0, out=b[z, m, m])
            b[z, m, m] += s
        a, b = b, a
    return a


def roll(u, steps):
    """Periodic ends."""
    for _ in range(steps):
        u = C0 * u + C1 * sum(np.roll(u, by, axis) for axis in range(3) for by in (-1, 1))
    return u


def main():
    options = common.options(__doc__)
    table = common.Table(options)
    n, steps = (20, 6) if options.quick else (128, 16)
    random = np.random.default_rng(1)
    with convk.open(options.hw, threads=options.threads) as hw:
        for dtype, limit in ((np.float64, 1e-14), (np.float32, 5e-6)):
            u = random.random((n, n, n), dtype)
            for peer, function, boundary in (("slices", slices, "fixed"), ("slices in place", in_place, "fixed"),
                                             ("np.roll", roll, "periodic")):
                kind = "f64" if dtype == np.float64 else "f32"
                table.compare("stencil7", kind, f"{n}^3, {steps} steps, {boundary} ends", f"NumPy {peer}",
                              lambda: ours(hw, u, steps, boundary), lambda: function(u, steps), steps * u.size / 1e9,
                              "points/ns", limit, kind == "f64" and peer != "slices" and f"a 7-point stencil by {peer} in NumPy, f64, {n}^3")
    table.end()


if __name__ == "__main__":
    main()
