import importlib
import os

import numpy as np
import pytest

import convk


@pytest.fixture(scope="session")
def hw():
    with convk.open(threads=2) as handle:
        yield handle


@pytest.fixture(params=[np.float32, np.float64], ids=["f32", "f64"])
def real(request):
    return request.param


@pytest.fixture(params=[np.complex64, np.complex128], ids=["c32", "c64"])
def cplx(request):
    return request.param


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def need(module):
    """A module of another project: without it the test is skipped, unless CONVK_REQUIRE names its project."""
    if module.split(".")[0] in os.environ.get("CONVK_REQUIRE", "").split(","):
        return importlib.import_module(module)
    return pytest.importorskip(module)


def eps(dtype):
    return float(np.finfo(dtype).eps)


@pytest.fixture
def in_parts(monkeypatch):
    """Calls cut what they do into parts of three, as they do for what takes long."""

    def small(total, each):
        return [(i, min(3, total - i)) for i in range(0, total, 3)] or [(0, 0)]

    def switch():
        for name in ("_gaussians", "_grids", "_pairs", "_transforms"):
            monkeypatch.setattr(importlib.import_module("convk." + name), "parts", small)

    return switch


def padded(array, pad=3):
    """The same numbers with gaps between rows and planes."""
    whole = np.full(tuple(n + pad for n in array.shape), np.nan, array.dtype)
    view = whole[tuple(slice(n) for n in array.shape)]
    view[...] = array
    return view
