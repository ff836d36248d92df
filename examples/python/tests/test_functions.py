import numpy as np
import pytest
from conftest import eps, padded

import convk


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


def test_numbers_and_lists(hw):
    assert isinstance(hw.exp(1.0), float) and hw.exp(1) == hw.exp(np.ones(1))[0]
    assert isinstance(hw.log(np.float32(2)), np.float32)
    s, c = hw.sincos(0.5)
    assert isinstance(s, float) and s * s + c * c == pytest.approx(1)
    got = hw.expm1([[0, 1], [2, 3]])
    assert got.dtype == np.float64 and np.array_equal(got, hw.expm1(np.array([[0.0, 1], [2, 3]])))
    assert hw.exp([]).shape == (0,)
    for call in (hw.exp, hw.expm1, hw.log):
        assert call((1.0, 2.0)).shape == (2,)


@pytest.mark.parametrize("name", ["exp", "expm1", "log", "sincos"])
def test_orders_of_memory(hw, real, rng, name):
    x = rng.random((5, 6, 7)).astype(real)
    call = getattr(hw, name)
    for given in (np.asfortranarray(x), x.transpose(1, 2, 0), x.transpose(2, 0, 1), x.T, x[:1].T):
        got, want = call(given), call(np.ascontiguousarray(given))
        assert np.array_equal(got, want)
        for one in got if name == "sincos" else [got]:
            assert one.strides == given.strides or 1 in given.shape
        out = [np.empty_like(given) for _ in range(2 if name == "sincos" else 1)]
        back = call(given, out=tuple(out) if name == "sincos" else out[0])
        assert np.array_equal(out if name == "sincos" else out[0], want) and (back is out[0] or back[0] is out[0])
    with pytest.raises(ValueError, match="x has gaps"):
        call(padded(x))
    with pytest.raises(ValueError, match="x has gaps"):
        call(x[::-1])
    with pytest.raises(ValueError, match="out has the strides"):
        call(np.asfortranarray(x), out=(np.empty_like(x),) * 2 if name == "sincos" else np.empty_like(x))


def test_pair_potential_of_any_order(hw, rng):
    r = rng.random((4, 5)) + 2
    assert np.array_equal(hw.pair_potential(convk.hfdb(), r.T), hw.pair_potential(convk.hfdb(), r).T)


def test_out_of_sincos(hw):
    x = np.ones(3)
    for wrong in (x, (x,), (x, x, x), [x]):
        with pytest.raises(TypeError, match=r"out is not a pair of arrays.*pass out=\(s, c\)"):
            hw.sincos(x, out=wrong)
    with pytest.raises(TypeError, match="out is list, not a NumPy array"):
        hw.exp(x, out=[1.0, 2, 3])
