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
