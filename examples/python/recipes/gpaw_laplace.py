"""Laplacians of high order beside GPAW's finite-difference operators, and beside NumPy.

    python gpaw_laplace.py [--threads N] [--json FILE]

GPAW's operator walks a list of offsets and coefficients, and copies each array into one with ghost points first.
"""

import common  # first: it sets the number of threads
import numpy as np

import convk

# Points 0, 1 .. r of central differences of order 2 r.
COEFFICIENTS = {4: (-5 / 2, 4 / 3, -1 / 12), 8: (-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560),
                12: (-5369 / 1800, 12 / 7, -15 / 56, 10 / 189, -1 / 112, 2 / 1925, -1 / 16632)}
SPACING = 0.3


def gpaw_operator(n, order, dtype):
    """A function of psi and of the array for the result; psi[0][1][2] with GPAW's axes, periodic."""
    from gpaw.fd_operators import Laplace

    try:
        from gpaw.old.grid_descriptor import GridDescriptor
    except ImportError:
        from gpaw.grid_descriptor import GridDescriptor
    own = complex if np.dtype(dtype).kind == "c" else float
    operator = Laplace(GridDescriptor((n, n, n), (n * SPACING,) * 3), 1.0, order // 2, own)
    phases = np.ones((3, 2), complex) if own is complex else None
    return lambda psi, out: (operator.apply(psi, out, phases), out)[1]


def numpy_operator(n, order, dtype):
    """Sums of shifted arrays, without one for each term: psi with ghost points, which are filled first."""
    c, r = COEFFICIENTS[order], order // 2
    ghost, one = np.empty((n + 2 * r,) * 3, dtype), np.empty((n,) * 3, dtype)

    def at(axis, by):
        return ghost[tuple(slice(r + (by if i == axis else 0), r + n + (by if i == axis else 0)) for i in range(3))]

    def apply(psi, out):
        at(0, 0)[...] = psi
        for axis in range(3):
            inside = [slice(r, r + n)] * 3
            for to, of in ((slice(0, r), slice(n, n + r)), (slice(n + r, n + 2 * r), slice(r, 2 * r))):
                there, here = list(inside), list(inside)
                there[axis], here[axis] = to, of
                ghost[tuple(there)] = ghost[tuple(here)]
        np.multiply(at(0, 0), 3 * c[0] / SPACING**2, out=out)
        for axis in range(3):
            for by in range(1, r + 1):
                np.add(at(axis, by), at(axis, -by), out=one)
                np.multiply(one, c[by] / SPACING**2, out=one)
                out += one
        return out

    return apply


def main():
    options = common.options(__doc__)
    table = common.Table(options)
    cases = ((12, 8),) if options.quick else ((48, 8), (128, 4), (128, 8), (128, 12))
    random = np.random.default_rng(1)
    with convk.open(options.hw, threads=options.threads) as hw:
        for dtype, kind in ((np.float64, "f64"), (np.complex128, "c64")):
            for n, order in cases:
                psi = random.random((n, n, n)) + (1j * random.random((n, n, n)) if kind == "c64" else 0)
                ours, theirs = np.empty_like(psi), np.empty_like(psi)
                for peer, make in (("GPAW", gpaw_operator), ("NumPy", numpy_operator)):
                    what = f"order {order}, {n}^3, periodic"
                    try:
                        operator = make(n, order, dtype)
                    except ImportError:
                        table.missing(f"laplacian, {kind}, {what}", "gpaw")
                        continue
                    table.compare("laplacian", kind, what, peer, lambda: hw.laplacian(psi, SPACING, order, out=ours),
                                  lambda: operator(psi, theirs), psi.size / 1e9, "points/ns", 1e-13,
                                  kind == "f64" and order == 8 and f"a Laplacian of order 8 by {peer}, f64, {n}^3")
    table.end()


if __name__ == "__main__":
    main()
