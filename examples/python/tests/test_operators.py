import math
from fractions import Fraction

import numpy as np
import pytest
from conftest import eps, padded

import convk

TYPES = [np.float32, np.float64, np.complex64, np.complex128]
ENDS = {"periodic": 0, "zero": 0, "grow": 1, "shrink": -1}


def differences(derivative, order):
    """Coefficients from -r to r: for second derivatives 2 (-1)^(k + 1) (r!)^2 / (k^2 (r - k)! (r + k)!), for first ones k / 2 times that."""
    r = order // 2
    f = math.factorial
    above = [Fraction(2 * (-1) ** (k + 1) * f(r) ** 2, k * k * f(r - k) * f(r + k)) for k in range(1, r + 1)]
    if derivative == 1:
        above = [c * k / 2 for k, c in enumerate(above, 1)]
        return np.array([float(c) for c in [-c for c in above[::-1]] + [0] + above])
    return np.array([float(c) for c in above[::-1] + [-2 * sum(above)] + above])


def along(x, taps, axis, boundary, phase=1.0):
    """sum over l = -r..r of taps[l + r] x[i + l], in float64."""
    r, n = len(taps) // 2, x.shape[axis]
    more = ENDS[boundary] * r
    x = np.moveaxis(x, axis, -1)
    y = np.zeros(x.shape[:-1] + (n + 2 * more,), np.result_type(x, float))
    for i in range(-more, n + more):
        for t, tap in enumerate(taps):
            j = i + t - r
            if boundary == "periodic":
                y[..., i + more] += tap * x[..., j % n] * phase ** (j // n)
            elif 0 <= j < n:
                y[..., i + more] += tap * x[..., j]
    return np.moveaxis(y, -1, axis)


def numbers(rng, shape, dtype):
    x = rng.standard_normal(shape)
    return (x + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def near(got, want, dtype, factor=60):
    assert got.dtype == dtype and got.shape == want.shape
    assert np.abs(got - want).max() < factor * eps(dtype) * np.abs(want).max()


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("order", [2, 8, 12])
def test_laplacian(hw, rng, dtype, order):
    x = numbers(rng, (7, 9, 22), dtype)
    ends, h = ("periodic", "zero", "periodic"), (0.5, 0.4, 0.25)
    taps = differences(2, order)
    want = 3 * sum(along(x, taps / h[i] ** 2, i, ends[i]) for i in range(3))
    near(hw.laplacian(x, h, order, boundary=ends, factor=3), want, dtype)
    out = padded(np.zeros_like(x))
    assert hw.laplacian(padded(x), h, order, boundary=ends, factor=3, out=out) is out
    near(out, want, dtype)


def test_laplacian_of_other_sizes(hw, rng):
    x = rng.standard_normal((6, 11, 12))
    y = hw.laplacian(x, order=4, boundary=("grow", "shrink", "zero"))
    assert y.shape == (10, 7, 12)
    taps = differences(2, 4)
    cut = x[:, 2:-2]
    want = np.zeros(y.shape)
    want[2:-2] += along(x, taps, 1, "shrink") + along(cut, taps, 2, "zero")
    want += along(cut, taps, 0, "grow")
    near(y, want, np.float64)


def test_wavelets_on_a_plane_wave(hw):
    n = 32
    theta = 2 * np.pi * 2 / n
    x = np.exp(1j * theta * np.arange(n)) * np.ones((3, 4, 1))
    near(hw.laplacian(x, 0.5, 0), -((theta / 0.5) ** 2) * x, np.complex128, 1e9)  # nearly: order 14


@pytest.mark.parametrize("dtype", TYPES)
def test_hamiltonian(hw, rng, dtype):
    x, z = (numbers(rng, (2, 6, 7, 20), dtype) for _ in range(2))
    real = np.zeros(0, dtype).real.dtype
    v = rng.standard_normal((6, 7, 20)).astype(real)
    taps = differences(2, 6) / 0.3**2
    kinetic = [-0.7 * along(x, taps, i + 1, "zero") for i in range(3)]
    want = sum(kinetic) + (v + 0.25) * x - 2 * z
    y, sums = hw.hamiltonian(
        x, v, 0.3, 6, kinetic=-0.7, shift=0.25, boundary="zero", add=z, add_factor=-2, sums=True
    )
    near(y, want, dtype)
    for i in range(2):
        tol = 200 * eps(dtype) * np.abs(y).max() * x[0].size
        assert abs(sums.dot[i] - np.vdot(x[i], y[i])) < tol
        assert abs(sums.potential[i] - (v * abs(x[i]) ** 2).sum()) < tol
        assert abs(sums.norm[i] - np.vdot(y[i], y[i]).real) < tol * np.abs(y).max()
        assert sums.axis.shape == (2, 3) and abs(sums.axis[i] - [np.vdot(x[i], t[i]).real for t in kinetic]).max() < tol
    one, each = hw.hamiltonian(x[1], v, 0.3, 6, kinetic=-0.7, shift=0.25, boundary="zero", add=z[1], add_factor=-2, sums=True)
    assert np.array_equal(one, y[1]) and each.dot == sums.dot[1] and each.potential == sums.potential[1]
    there = z.copy()
    assert hw.hamiltonian(x, v, 0.3, 6, kinetic=-0.7, shift=0.25, boundary="zero", add=there, add_factor=-2, out=there) is there
    assert np.array_equal(there, y)


def test_gaps(hw, cplx, rng):
    """Vectors, planes and rows at any distances, those of x unlike those of the result."""
    x, z = numbers(rng, (3, 4, 5, 8), cplx), numbers(rng, (3, 4, 5, 8), cplx)
    v = rng.standard_normal((4, 5, 8)).astype(x.real.dtype)
    want = hw.hamiltonian(x, v, add=z)
    out, there = padded(np.zeros_like(x), 2), padded(z, 2)
    assert hw.hamiltonian(padded(x), padded(v, 2), add=there, out=out) is out
    assert np.array_equal(out, want) and np.isnan(out.base[..., -1]).all() and np.isnan(out.base[-1]).all()


@pytest.mark.parametrize("order", [0, 8])
def test_points_k(hw, cplx, rng, order):
    """The operator at k beside that without k, and phases, on plane waves whose product with exp(i k r) they are."""
    n, h, k = 16, 0.3, (0.0, -0.4, 0.9)
    x = numbers(rng, (4, n, n), cplx)
    y = hw.hamiltonian(x, None, h, order, k=k)
    if order:  # exact, by the symbols of both filters
        f = np.fft.fftn(x.astype(np.complex128))
        symbol = np.zeros(x.shape, complex)
        for axis, m in enumerate(x.shape):
            t = 2 * np.pi * np.arange(m) / m
            d1 = sum(c * np.exp(1j * t * l) for l, c in zip(range(-4, 5), differences(1, 8)))
            d2 = sum(c * np.exp(1j * t * l) for l, c in zip(range(-4, 5), differences(2, 8)))
            s = -0.5 * (d2 / h**2 + 2j * k[axis] * d1 / h - k[axis] ** 2)
            symbol += s.reshape([-1 if i == axis else 1 for i in range(3)])
        near(y, np.fft.ifftn(symbol * f), cplx, 200)
    hermitian = np.vdot(x, y)
    assert abs(hermitian.imag) < 500 * eps(cplx) * abs(hermitian)


def damped(apply, x, degree, low, high, lowest):
    """The filter by its three terms, in float64."""
    c, e = (high + low) / 2, (high - low) / 2
    before, now, t = x, (apply(x) - c * x) / e, [1, (lowest - c) / e]
    for _ in range(degree - 1):
        before, now = now, 2 * (apply(now) - c * now) / e - before
        t.append(2 * t[1] * t[-1] - t[-2])
    return now / t[degree]


@pytest.mark.parametrize("degree", [1, 2, 5])
@pytest.mark.parametrize("dtype", TYPES)
def test_chebyshev(hw, rng, dtype, degree):
    x = numbers(rng, (2, 5, 6, 8), dtype)
    v = rng.standard_normal((5, 6, 8)).astype(x.real.dtype)
    h, k, wide = (0.9, 0.8, 0.7), (0.3, -0.5, 0.1), np.result_type(x, np.float64)
    ends, more = ("zero", "periodic", "periodic"), {"kinetic": -0.6, "shift": 0.3}
    if np.iscomplexobj(x):
        ends = "periodic"
        more.update(k=k, phases=(0.2, 0.4, -1))
    interval = {"low": 1.5, "high": 14.0, "lowest": -1.0}

    def apply(y):
        return hw.hamiltonian(y, v.astype(float), h, 4, boundary=ends, **more)

    want = damped(apply, x.astype(wide), degree, **interval)
    y = hw.chebyshev(x, v, h, 4, degree=degree, boundary=ends, **interval, **more)
    near(y, want, dtype, 300)
    assert np.array_equal(hw.chebyshev(x[1], v, h, 4, degree=degree, boundary=ends, **interval, **more), y[1])
    out = padded(np.zeros_like(x), 2)
    assert hw.chebyshev(padded(x), padded(v, 2), h, 4, degree=degree, boundary=ends, out=out, **interval, **more) is out
    assert np.array_equal(out, y) and np.isnan(out.base[..., -1]).all()


def test_chebyshev_on_a_plane_wave(hw):
    """Its eigenvalue is that of the Hamiltonian, put into the polynomial."""
    n, h = 12, 0.5
    x = np.exp(2j * np.pi * np.arange(n) / n) * np.ones((4, 4, 1))
    energy = np.vdot(x, hw.hamiltonian(x, None, h, 6)).real / np.vdot(x, x).real
    y = hw.chebyshev(x, None, h, 6, degree=9, low=2.0, high=30.0, lowest=0.1)
    t = np.polynomial.chebyshev.Chebyshev.basis(9)
    near(y, t((energy - 16) / 14) / t((0.1 - 16) / 14) * x, np.complex128, 1e4)


def in_wavelets(hw, x, v, h, shift, ends, k=None):
    """The calls that hamiltonian_wavelets is made of, and their energies."""
    kinds = {"grow": ("grow", "shrink", "zero")}
    grow, shrink, zero = ([kinds.get(e, (e, e, e))[i] for e in ends] for i in range(3))

    def filtered(a, **more):
        if not np.iscomplexobj(a):
            return hw.magicfilter3d(a, **more)
        return hw.magicfilter3d(a.real.copy(), **more) + 1j * hw.magicfilter3d(a.imag.copy(), **more)

    fine = hw.idwt(x, boundary=grow)
    values = filtered(fine, boundary=grow)
    found = (abs(values) ** 2 * v).sum(dtype=float)
    add = filtered(values * v, inverse=True, boundary=shrink).astype(x.dtype)
    y, sums = hw.hamiltonian(fine, None, h, 0, shift=shift, boundary=zero, add=add, k=k, sums=True)
    axis = sums.axis if k is None else sums.axis + np.array(k) ** 2 / 2 * np.vdot(fine, fine).real
    return hw.dwt(y, boundary=shrink), axis, found


@pytest.mark.parametrize("ends", [("periodic",) * 3, ("grow", "zero", "periodic"), ("grow",) * 3])
def test_hamiltonian_wavelets(hw, real, rng, ends):
    x = rng.standard_normal((2, 4, 6, 10)).astype(real)
    shape = [n + 29 * (e == "grow") for n, e in zip(x.shape[1:], ends)]
    v, h = rng.standard_normal(shape).astype(real), (0.5, 0.4, 0.3)
    y, energies = hw.hamiltonian_wavelets(x, v, h, shift=-0.5, boundary=ends, energies=True)
    assert energies.kinetic.shape == (2, 3) and energies.potential.shape == (2,)
    for i in range(2):
        want, axis, potential = in_wavelets(hw, x[i], v, h, -0.5, ends)
        near(y[i], want, real)
        assert energies.kinetic[i] == pytest.approx(axis, rel=1e3 * eps(real))
        assert energies.potential[i] == pytest.approx(potential, rel=1e3 * eps(real), abs=1e3 * eps(real))
    one, each = hw.hamiltonian_wavelets(x[1], v, h, shift=-0.5, boundary=ends, energies=True)
    assert np.array_equal(one, y[1]) and each.potential == energies.potential[1]
    assert np.array_equal(each.kinetic, energies.kinetic[1])
    gaps, there = padded(x, 2), padded(np.zeros_like(x), 2)
    assert hw.hamiltonian_wavelets(gaps, padded(v), h, shift=-0.5, boundary=ends, out=there) is there
    assert np.array_equal(there, y) and np.isnan(there.base[..., -1]).all()
    here = x.copy()
    assert hw.hamiltonian_wavelets(here, v, h, shift=-0.5, boundary=ends, out=here) is here and np.array_equal(here, y)


@pytest.mark.parametrize("k", [None, (0.3, 0, -0.8)])
def test_complex_hamiltonian_wavelets(hw, cplx, rng, k):
    x, ends, h = numbers(rng, (2, 4, 6, 10), cplx), ("grow", "periodic", "zero"), (0.5, 0.4, 0.3)
    v = rng.standard_normal((33, 6, 10)).astype(x.real.dtype)
    y, energies = hw.hamiltonian_wavelets(x, v, h, shift=0.3, k=k, boundary=ends, energies=True)
    for i in range(2):
        want, axis, potential = in_wavelets(hw, x[i], v, h, 0.3, ends, k)
        near(y[i], want, cplx, 200)
        assert energies.kinetic[i] == pytest.approx(axis, rel=1e3 * eps(cplx))
        assert energies.potential[i] == pytest.approx(potential, rel=1e3 * eps(cplx), abs=1e3 * eps(cplx))
    assert abs(np.vdot(x[0], y[0]).imag) < 1e3 * eps(cplx) * abs(np.vdot(x[0], y[0]))
    out = padded(np.zeros_like(x), 2)
    assert hw.hamiltonian_wavelets(padded(x, 2), padded(v), h, shift=0.3, k=k, boundary=ends, out=out) is out
    assert np.array_equal(out, y)


def test_hamiltonian_wavelets_of_some_terms(hw, real, rng):
    x = rng.standard_normal((4, 4, 4)).astype(real)
    near(hw.hamiltonian_wavelets(x, spacing=0, shift=2), 2 * x, real)
    y, energies = hw.hamiltonian_wavelets(x, spacing=(0, 0, 0.5), energies=True)
    assert energies.potential == 0 and not energies.kinetic[:2].any()
    assert energies.kinetic[2] == pytest.approx(np.vdot(x, y), rel=100 * eps(real))


def test_phases(hw, cplx, rng):
    x = numbers(rng, (5, 6, 9), cplx)
    angles = (0.3, -1.1, 2.0)
    want = sum(along(x, differences(2, 4), i, "periodic", np.exp(1j * angles[i])) for i in range(3))
    near(hw.laplacian(x, order=4, phases=angles), want, cplx)


def analysis(x, low, high, lo, axis):
    x = np.moveaxis(x, axis, -1)
    n = x.shape[-1]
    parts = [
        [sum(f[t] * x[..., (2 * i + lo + t) % n] for t in range(len(f))) for i in range(n // 2)] for f in (low, high)
    ]
    return np.moveaxis(np.stack(parts[0] + parts[1], -1), -1, axis)


def test_dwt(hw, real, rng):
    x = rng.standard_normal((4, 6, 24)).astype(real)
    low = np.array([0.4829629131445341, 0.8365163037378077, 0.2241438680420134, -0.1294095225512603])  # Daubechies-4
    high = (low[::-1] * [1, -1, 1, -1]).copy()
    pair = convk.Wavelet(low.astype(real), high.astype(real), -1)
    want = x.astype(float)
    for axis in range(3):
        want = analysis(want, low, high, -1, axis)
    y = hw.dwt(x, pair)
    near(y, want, real)
    near(hw.idwt(y, pair), x, real)


@pytest.mark.parametrize("wavelet", ["daubechies16", "sym4"])
def test_wavelets_undone(hw, real, rng, wavelet):
    x = rng.standard_normal((16, 24, 32)).astype(real)
    two = hw.dwt(x, wavelet, 2)
    near(hw.idwt(two, wavelet, 2), x, real)
    assert np.linalg.norm(two) == pytest.approx(np.linalg.norm(x), rel=30 * eps(real))
    low = np.ascontiguousarray(hw.dwt(x, wavelet)[:8, :12, :16])
    assert np.array_equal(two[:8, :12, :16], hw.dwt(low, wavelet))
    free = hw.idwt(x, wavelet, boundary=("grow", "periodic", "grow"))
    more = {"daubechies16": 14, "sym4": 6}[wavelet]
    assert free.shape == (16 + more, 24, 32 + more)
    near(hw.dwt(free, wavelet, boundary=("shrink", "periodic", "shrink")), x, real)
    out = padded(np.zeros_like(x))
    assert hw.dwt(padded(x), wavelet, 2, out=out) is out and np.array_equal(out, two)


def test_complex_wavelets(hw, cplx, rng):
    x = numbers(rng, (8, 10, 12), cplx)
    y, out = hw.dwt(x, "sym4"), padded(np.zeros_like(x))
    assert np.array_equal(y.real, hw.dwt(x.real.copy(), "sym4")) and np.array_equal(y.imag, hw.dwt(x.imag.copy(), "sym4"))
    assert hw.idwt(y, "sym4", out=out) is out
    near(out, x, cplx)


def test_values(hw, rng):
    s = rng.standard_normal((16, 16, 16))
    near(hw.idwt(s, "values"), hw.magicfilter3d(hw.idwt(s)), np.float64)


def test_bad_arguments(hw):
    x = np.zeros((6, 6, 6))
    for call, says in (
        (lambda: hw.laplacian(x, order=3), "order is 3"),
        (lambda: hw.laplacian(x, 0), "spacing is 0"),
        (lambda: hw.laplacian(x, (1, 2)), "three for the axes"),
        (lambda: hw.laplacian(x, phases=1), "complex"),
        (lambda: hw.laplacian(x[0]), "no shape"),
        (lambda: hw.laplacian(np.zeros((0, 6, 6, 6))), "no vectors"),
        (lambda: hw.laplacian(x, out=x[:5].copy()), "shape"),
        (lambda: hw.laplacian(x, out=x), "overlap"),
        (lambda: hw.laplacian(x, boundary="fixed"), "boundary"),
        (lambda: hw.hamiltonian(x, k=1), "complex"),
        (lambda: hw.hamiltonian(x, padded(x)), "between rows"),
        (lambda: hw.hamiltonian(x, x[:5].copy()), "shape"),
        (lambda: hw.hamiltonian(x, add=padded(x)), "between rows"),
        (lambda: hw.chebyshev(x, degree=0, low=1, high=2, lowest=0), "degree"),
        (lambda: hw.chebyshev(x, degree=2, low=1, high=2, lowest=1), "lowest"),
        (lambda: hw.chebyshev(x, degree=2, low=1, high=2, lowest=0, boundary="grow"), "boundary"),
        (lambda: hw.chebyshev(x, degree=2, low=1, high=2, lowest=0, k=1), "complex"),
        (lambda: hw.chebyshev(x, padded(x), degree=2, low=1, high=2, lowest=0), "between rows"),
        (lambda: hw.chebyshev(x, degree=2, low=1, high=2, lowest=0, out=x), "overlap"),
        (lambda: hw.hamiltonian_wavelets(x[:5].copy()), "even"),
        (lambda: hw.hamiltonian_wavelets(x, x[:5].copy()), "shape"),
        (lambda: hw.hamiltonian_wavelets(x, x, boundary="grow"), "shape"),
        (lambda: hw.hamiltonian_wavelets(x, out=padded(x)), "between rows"),
        (lambda: hw.hamiltonian_wavelets(x, spacing=1e-200), "overflow"),
        (lambda: hw.hamiltonian_wavelets(x, boundary="fixed"), "boundary"),
        (lambda: hw.hamiltonian_wavelets(x, k=1), "complex"),
        (lambda: hw.dwt(x, "haar"), "wavelet"),
        (lambda: hw.dwt(x[:5].copy()), "odd"),
        (lambda: hw.dwt(x, levels=0), "levels"),
        (lambda: hw.dwt(x, levels=2), "level|odd"),
        (lambda: hw.dwt(x, convk.Wavelet(np.ones(4), np.ones(3), 0)), "as many"),
    ):
        with pytest.raises((ValueError, convk.Error), match=says):
            call()
    with pytest.raises(TypeError):
        hw.laplacian(x.astype(int))
