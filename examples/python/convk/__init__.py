"""Compute kernels of nanoscience codes on NumPy arrays: the C headers of convk as a Python package.

    hw = convk.open("avx512", threads=2)      # None: the best of this machine
    values = hw.magicfilter3d(psi)            # psi of shape (nz, ny, nx); float32 or float64

Axes are in NumPy's order throughout: grids are (nz, ny, nx), and what is given per axis is (z, y, x), or one thing for all three.
The dtype of the arrays picks the call.  Every call takes out= and returns it, or makes a new array.  Nothing is copied: arrays
whose strides the C calls do not take are a ValueError.  The interpreter lock is released during calls, and Ctrl-C ends them.
"""
from ._core import Error, ffi as _ffi, lib as _lib
from ._functions import Functions
from ._grids import Filter, Grids, empty_padded, magicfilter_taps

__all__ = ["Error", "Filter", "Hardware", "empty_padded", "hardware", "magicfilter_taps", "open"]
__version__ = f"{_lib.CONVK_VERSION // 10000}.{_lib.CONVK_VERSION // 100 % 100}.{_lib.CONVK_VERSION % 100}" \
    if hasattr(_lib, "CONVK_VERSION") else "0"


class Hardware(Grids, Functions):
    """An open handle; see open().  A context manager, which any number of Python threads may call at once."""


def open(hardware=None, threads=None):
    """Opens a variant of the kernels.

    Parameters
    ----------
    hardware : "scalar", "sse2", "avx", "avx2", "avx512"; None: the best that this machine runs
    threads : of every call; None: as many as this process has processors
    """
    return Hardware(hardware, threads)


def hardware():
    """The names that open() takes on this machine, the best last."""
    found = []
    for name in ("scalar", "sse2", "avx", "avx2", "avx512"):
        if _lib.convk_py_open_vmath(_ffi.new("convk *"), name.encode()) == _lib.CONVK_OK:
            found.append(name)
    return tuple(found)
