import numpy as np
import pytest
from conftest import eps


@pytest.mark.parametrize("name", ["exp", "expm1", "log"])
def test_one_result(hw, real, rng, name):
    x = (rng.standard_normal((3, 5, 1001)) * 3).astype(real)
    if name == "log":
        x = np.abs(x)
    want = getattr(np, name)(x.astype(np.longdouble))
    got = getattr(hw, name)(x)
    assert got.dtype == real and got.shape == x.shape
    assert np.abs(got / want - 1).max() < 1.5 * eps(real)
    here = x.copy()
    assert getattr(hw, name)(here, out=here) is here and np.array_equal(here, got)


def test_sincos(hw, real, rng):
    x = (rng.standard_normal(4099) * 100).astype(real)
    s, c = hw.sincos(x)
    assert np.abs(s - np.sin(x.astype(np.longdouble))).max() < eps(real)
    assert np.abs(c - np.cos(x.astype(np.longdouble))).max() < eps(real)
    out = np.empty_like(x), np.empty_like(x)
    assert hw.sincos(x, out=out)[0] is out[0] and np.array_equal(out[1], c)


def test_special(hw):
    x = np.array([0, -np.inf, np.inf, np.nan])
    assert np.array_equal(hw.exp(x), [1, 0, np.inf, np.nan], equal_nan=True)
    assert np.array_equal(hw.log(np.array([0.0, -1, 1])), [-np.inf, np.nan, 0], equal_nan=True)
    assert hw.exp(np.empty((0, 3))).shape == (0, 3) and hw.exp(np.array(1.0)) == pytest.approx(np.e)
