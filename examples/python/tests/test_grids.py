import numpy as np
import pytest
from conftest import eps, padded

import convk


def along(x, taps, lo, axis, boundary):
    """The formula of one axis: y[i] = sum of taps[l - lo] x[i + l]."""
    x, taps = np.moveaxis(np.asarray(x, float), axis, -1), np.asarray(taps, float)
    n, up = x.shape[-1], lo + len(taps) - 1
    first, count = {"periodic": (0, n), "zero": (0, n), "grow": (-up, n + len(taps) - 1), "shrink": (-lo, n - len(taps) + 1)}[
        boundary
    ]
    y = np.zeros((*x.shape[:-1], count))
    for k in range(count):
        for l, tap in enumerate(taps, lo):  # noqa: E741
            i = first + k + l
            if boundary == "periodic":
                y[..., k] += tap * x[..., i % n]
            elif 0 <= i < n:
                y[..., k] += tap * x[..., i]
    return np.moveaxis(y, -1, axis)


def separable(x, filters, boundary):
    for axis in range(3):
        x = along(x, *filters[axis], axis, boundary[axis])
    return x


@pytest.mark.parametrize(
    "boundary", [("periodic", "grow", "shrink"), ("zero", "periodic", "grow"), ("shrink", "zero", "periodic")]
)
def test_sepconv3d(hw, real, rng, boundary):
    x = rng.standard_normal((9, 12, 17)).astype(real)
    filters = [convk.Filter(rng.standard_normal(n).astype(real), lo) for n, lo in ((3, -1), (4, -3), (7, 1))]
    want = separable(x, filters, boundary)
    got = hw.sepconv3d(x, filters, boundary=boundary)
    assert got.dtype == real and np.abs(got - want).max() < 40 * eps(real) * np.abs(want).max()
    out = padded(np.zeros_like(got))
    assert hw.sepconv3d(padded(x), filters, boundary=boundary, out=out) is out
    assert np.array_equal(out, got) and np.isnan(out.base[:, :, -1]).all()


def test_one_filter_for_all(hw, rng):
    x, one = rng.standard_normal((6, 7, 8)), convk.Filter(rng.standard_normal(3), 0)
    assert np.array_equal(hw.sepconv3d(x, one), hw.sepconv3d(x, [one, one, one]))


@pytest.mark.parametrize("inverse", [False, True])
def test_magicfilter3d(hw, real, rng, inverse):
    x = rng.standard_normal((16, 18, 20)).astype(real)
    taps = convk.magicfilter_taps(inverse, real)
    assert taps.lo == (-7 if inverse else -8) and abs(float(taps.taps.sum()) - 1) < 1e-6
    want = separable(x, [taps] * 3, ["periodic"] * 3)
    assert np.abs(hw.magicfilter3d(x, inverse=inverse) - want).max() < 40 * eps(real)
    grown = hw.magicfilter3d(x, inverse=inverse, boundary=("periodic", "periodic", "grow"))
    assert grown.shape == (16, 18, 35)


def test_epilogue(hw, real, rng):
    x, v, rho, y = (rng.standard_normal((8, 9, 10)).astype(real) for _ in range(4))
    r = hw.magicfilter3d(x)
    density, out = rho.copy(), y.copy()
    got, dot, energy = hw.magicfilter3d(
        x, potential=v, density=density, density_factor=2, update=(3, -0.5), dot=True, energy=True, out=out
    )
    tol = 30 * eps(real)
    assert got is out and np.allclose(got, 3 * (v * r) - y / 2, rtol=tol, atol=tol)
    assert np.allclose(density, rho + 2 * r**2, rtol=tol, atol=tol)
    assert dot == pytest.approx((x * r).sum(), rel=1e-3 if real == np.float32 else 1e-11)
    assert energy == pytest.approx((r * v * r).sum(), rel=1e-3 if real == np.float32 else 1e-11)
    alone, dot = hw.magicfilter3d(x, dot=True)
    assert np.array_equal(alone, r)
    with pytest.raises(ValueError, match="strides"):
        hw.magicfilter3d(x, potential=padded(v))
    with pytest.raises(ValueError, match="out="):
        hw.magicfilter3d(x, update=(1, 1))


@pytest.mark.parametrize("boundary", ["periodic", ("grow", "periodic", "grow")])
def test_potential_apply(hw, real, rng, boundary):
    psi = rng.standard_normal((8, 10, 12)).astype(real)
    ends = [boundary] * 3 if isinstance(boundary, str) else boundary
    values = separable(psi, [convk.magicfilter_taps(False, np.float64)] * 3, ends)
    v = rng.standard_normal(values.shape).astype(real)
    back = ["shrink" if end == "grow" else end for end in ends]
    want = separable(v * values, [convk.magicfilter_taps(True, np.float64)] * 3, back)
    got, energy = hw.potential_apply(psi, v, boundary=boundary)
    assert np.abs(got - want).max() < 60 * eps(real)
    assert energy == pytest.approx((values * v * values).sum(), rel=1e-4 if real == np.float32 else 1e-12)
    here = psi.copy()
    assert hw.potential_apply(here, v, boundary=boundary, out=here)[0] is here and np.array_equal(here, got)


@pytest.mark.parametrize("boundary", ["periodic", "grow", "shrink", "zero"])
def test_conv1d_transpose(hw, real, rng, boundary):
    x, one = rng.standard_normal((13, 21)).astype(real), convk.Filter(rng.standard_normal(5).astype(real), -3)
    want = along(x, *one, 1, boundary).T
    got = hw.conv1d_transpose(padded(x), one, boundary=boundary)
    assert got.shape == want.shape and np.abs(got - want).max() < 20 * eps(real) * np.abs(want).max()


def step(a, c, boundary):
    """One sweep: c is centre, z-, z+, y-, y+, x-, x+."""
    a = np.asarray(a, float)
    b = c[0] * a
    for axis in range(3):
        b += c[1 + 2 * axis] * np.roll(a, 1, axis) + c[2 + 2 * axis] * np.roll(a, -1, axis)
    for axis, end in enumerate(boundary):
        if end == "fixed":
            for i in (0, -1):
                at = [slice(None)] * 3
                at[axis] = i
                b[tuple(at)] = a[tuple(at)]
    return b


@pytest.mark.parametrize("steps", [0, 1, 2, 7])
@pytest.mark.parametrize("boundary", [("periodic",) * 3, ("fixed", "periodic", "fixed")])
def test_stencil7(hw, real, rng, steps, boundary):
    a = rng.standard_normal((11, 12, 13)).astype(real)
    c = (0.3, 0.05, 0.1, 0.15, 0.2, -0.1, 0.12)
    want = a
    for _ in range(steps):
        want = step(want, c, boundary)
    state = padded(a)
    other = padded(a)
    got = hw.stencil7(state, c, steps, boundary=boundary, b=other)
    assert got is (other if steps % 2 else state) and np.abs(got - want).max() < 30 * eps(real)
    assert np.array_equal(hw.stencil7(a.copy(), c, steps, boundary=boundary), got)


def test_stencil7_box(hw, rng):
    a = rng.standard_normal((6, 7, 8))
    b = np.zeros_like(a)
    hw.stencil7_box(a, b, (0.4, 0.1), (1, 2, 3), (4, 3, 2))
    box = (slice(1, 5), slice(2, 5), slice(3, 5))
    assert np.abs(b[box] - step(a, [0.4] + [0.1] * 6, ["periodic"] * 3)[box]).max() < 1e-15
    b[box] = 0
    assert not b.any()


def test_rim(hw, rng):
    a = rng.standard_normal((6, 7, 8))
    with pytest.raises(convk.Error, match="fixed points of the two arrays differ"):
        hw.stencil7(a, (0.4, 0.1), 3, boundary="fixed", b=np.zeros_like(a))


def test_empty_padded(hw, rng):
    a = convk.empty_padded((3, 64, 64))
    assert a.shape == (3, 64, 64) and a.strides[2] == 8 and a.strides[1] > 512 and a.strides[0] >= 64 * a.strides[1]
    a[...] = rng.standard_normal(a.shape)
    assert np.array_equal(hw.magicfilter3d(a), hw.magicfilter3d(np.ascontiguousarray(a)))
