"""Compute kernels of nanoscience codes on NumPy arrays: the C headers of convk as a Python package.

    hw = convk.open("avx512", threads=2)      # None: the best of this machine
    values = hw.magicfilter3d(psi)            # psi of shape (nz, ny, nx); float32 or float64

Axes are in NumPy's order throughout: grids are (nz, ny, nx), and what is given per axis is (z, y, x), or one for all three.
The dtype of the arrays picks the call.  Calls take out= and return it, or make a new array; those that work on what they are
given do not: stencil7 and stencil7_box (a and b), pair_accept (r).  Nothing is copied but coefficients of orbitals whose rows
have gaps, positions of atoms, and complex arrays of dwt and idwt: other arrays whose strides the C calls do not take are a ValueError.  The
interpreter lock is released during calls, and Ctrl-C ends them.
"""

from __future__ import annotations

from ._amplitudes import Amplitudes, amplitudes
from ._core import DEVICES as _DEVICES
from ._core import Error
from ._core import ffi as _ffi
from ._core import lib as _lib
from ._distances import Distances, Scatterer, Scattering, debye, pdf, rdf
from ._forms import Assembly, FormFactors, Mesh, MeshMeasures, MeshReport, placement
from ._functions import Functions
from ._gaussians import Basis, Box, Gaussians, Molden, Shell, cubegen
from ._grids import Filter, Grids, empty_padded, magicfilter_taps
from ._operators import HamiltonianEnergies, HamiltonianSums, Operators, Wavelet
from ._pairs import (
    Estimate,
    PairPotential,
    Pairs,
    PairSystem,
    Vmc,
    VmcResult,
    hfdb,
    hfdhe2,
    lennard_jones,
    lm2m2,
    pair_move_result,
    pair_result,
    table_potential,
)
from ._shapes import sphere_quadrature, sphere_spiral
from ._transforms import FFT2D, FFTConv2D, Transforms
from ._tuning import Tuning

__all__ = [
    "Assembly",
    "Basis",
    "Box",
    "Distances",
    "Error",
    "Estimate",
    "FFT2D",
    "FFTConv2D",
    "Filter",
    "HamiltonianEnergies",
    "HamiltonianSums",
    "Hardware",
    "Mesh",
    "MeshMeasures",
    "MeshReport",
    "Molden",
    "PairPotential",
    "PairSystem",
    "Scatterer",
    "Shell",
    "Vmc",
    "VmcResult",
    "Wavelet",
    "amplitudes",
    "cubegen",
    "debye",
    "devices",
    "empty_padded",
    "hardware",
    "hfdb",
    "hfdhe2",
    "lennard_jones",
    "lm2m2",
    "magicfilter_taps",
    "open",
    "pair_move_result",
    "pair_result",
    "pdf",
    "placement",
    "rdf",
    "sphere_quadrature",
    "sphere_spiral",
    "table_potential",
]
__version__ = f"{_lib.CONVK_VERSION // 10000}.{_lib.CONVK_VERSION // 100 % 100}.{_lib.CONVK_VERSION % 100}"


class Hardware(Grids, Operators, Functions, Gaussians, FormFactors, Scattering, Amplitudes, Transforms, Pairs, Tuning):
    """An open handle; see open().  A context manager, which any number of Python threads may call at once."""


def open(hardware: str | None = None, threads: int | None = None) -> Hardware:
    """Opens a variant of the kernels.

    Parameters
    ----------
    hardware : "scalar", "sse2", "avx", "avx2", "avx512", "neon"; None: the best of these that this machine runs; where the
        package was built for devices, "opencl" or "cuda", with a number or a part of a name as "opencl:1", "opencl:h200"
    threads : of every call; None: as many as this process has processors
    """
    return Hardware(hardware, threads)


def devices() -> tuple[str, ...]:
    """Of "opencl" and "cuda" those that open() takes here: the package was built for them, and the machine has a device."""
    found = []
    for name in _DEVICES:
        try:
            Hardware(name).close()
            found.append(name)
        except Error:
            pass
    return tuple(found)


def hardware() -> tuple[str, ...]:
    """The names of processors' variants that open() takes on this machine, the best last."""
    return tuple(
        name
        for name in ("scalar", "sse2", "avx", "avx2", "avx512", "neon")
        if _lib.convk_py_open(_ffi.new("convk *"), name.encode()) == _lib.CONVK_OK
    )
