"""Laplacians, Hamiltonians and wavelet transforms: grids of shape (nz, ny, nx), or several of them (vectors, nz, ny, nx)."""

from __future__ import annotations

from typing import Literal, NamedTuple, Sequence, Tuple, Union, overload

import numpy as np

from ._core import (
    C_TYPES,
    COMPLEX,
    NULL,
    REAL,
    TYPES,
    FilterBoundaries,
    Handle,
    address,
    check,
    choice,
    contiguous,
    expect,
    ffi,
    grid3,
    kind_of,
    lib,
    per_axis,
    pitches,
    plain,
    result,
)
from ._grids import FILTERED

WAVELETS = {
    "daubechies16": lib.CONVK_WAVELET_DAUBECHIES16,
    "sym4": lib.CONVK_WAVELET_SYM4,
    "values": lib.CONVK_WAVELET_VALUES,
}
WaveletName = Literal["daubechies16", "sym4", "values"]
PerAxis = Union[float, Sequence[float]]
SameBoundary = Literal["periodic", "zero"]
SameBoundaries = Union[SameBoundary, Sequence[SameBoundary]]


class Wavelet(NamedTuple):
    """Two filters of one axis for dwt and idwt: s[i] = sum over l of low[l - lo] x[2 i + l], d[i] likewise with high.

    low, high: as many numbers of the type of the arrays, 2 to 64; lo: the first l."""

    low: np.ndarray
    high: np.ndarray
    lo: int


class HamiltonianSums(NamedTuple):
    """Sums over the points, times no volume, of y = H x: numbers, or of several vectors arrays of them.

    dot <x|y>; potential <x|V|x>; norm <y|y>; axis <x|T|x> of the derivatives along z, y, x, the last axis of an array."""

    dot: Union[complex, np.ndarray]
    potential: Union[float, np.ndarray]
    norm: Union[float, np.ndarray]
    axis: np.ndarray


class HamiltonianEnergies(NamedTuple):
    """Energies, sums over the points, times no volume: numbers, or of several vectors arrays of them.

    kinetic <x|T|x> of the derivatives along z, y, x, the last axis of an array; potential <x|V|x>."""

    kinetic: np.ndarray
    potential: Union[float, np.ndarray]


Applied = Union[np.ndarray, Tuple[np.ndarray, HamiltonianSums]]
InWavelets = Union[np.ndarray, Tuple[np.ndarray, HamiltonianEnergies]]


def three(value, name):
    """One number, or three for z, y, x, in C's order x, y, z."""
    numbers = [float(value)] * 3 if np.ndim(value) == 0 else [float(n) for n in value]
    if len(numbers) != 3:
        raise ValueError(f"{name} is one number, or three for the axes z, y, x")
    return numbers[::-1]


def grids_of(array, name):
    """The grid, how many there are, and elements from one to the next."""
    if not isinstance(array, np.ndarray) or array.ndim not in (3, 4):
        raise ValueError(f"{name} is of no shape (nz, ny, nx) or (vectors, nz, ny, nx)")
    if array.ndim == 3:
        return grid3(array, name), 1, 0
    if array.shape[0] == 0:
        raise ValueError(f"{name} has no vectors, its shape is {array.shape}")
    return grid3(array[0], name), array.shape[0], pitches(array, name, 3)[0]


class _Terms:
    """C's terms of a sum of filters, and the arrays that they point to."""

    def __init__(self, kind):
        self.real = "f32" if kind in ("f32", "c32") else "f64"
        self.c = ffi.new(f"convk_sumconv_terms_{self.real} *")
        self.keep = []

    def derivative(self, into, axis, which, order, factor):
        taps = ffi.new(f"{C_TYPES[self.real]}[]", lib.CONVK_FILTER_MAX_TAPS)
        self.keep.append(taps)
        make = getattr(lib, f"convk_derivative_filter_{self.real}")
        place = ffi.addressof(getattr(self.c, into), axis)
        check(make(NULL, which, order, factor, taps, place), f": order is {order}: 2, 4 .. 16, or 0 for wavelets")

    def second(self, order, spacing, factor):
        if any(h == 0 for h in spacing):
            raise ValueError("spacing is 0 along an axis")
        for axis, h in enumerate(spacing):
            self.derivative("filter", axis, 2, order, factor / (h * h))

    def phases(self, angles):
        for axis, angle in enumerate(angles):
            self.c.phase[axis][0], self.c.phase[axis][1] = np.cos(angle), np.sin(angle)


class Operators(Handle):
    """The calls of real-space codes."""

    def laplacian(
        self,
        x: np.ndarray,
        spacing: PerAxis = 1.0,
        order: int = 8,
        *,
        boundary: FilterBoundaries = "periodic",
        factor: float = 1.0,
        phases: PerAxis | None = None,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """The Laplacian, in one pass over x.

        Parameters
        ----------
        x : float32, float64, complex64 or complex128 array (nz, ny, nx), or (vectors, nz, ny, nx)
            x contiguous, any strides else.
        spacing : of the points, or three for z, y, x
        order : 2, 4 .. 16 of central differences; 0: between Daubechies-16 scaling functions, as BigDFT has it
        boundary : "periodic", "zero", "grow" (n + order points), "shrink" (n - order); or three for z, y, x
        factor : by which the result is multiplied
        phases : of complex x, an angle or three for z, y, x: k times the length of the cell, x is exp(i angle) times as large
            a period further up
        out : array of the result's shape, not x
        """
        terms = _Terms(kind_of(x, "x", REAL + COMPLEX))
        terms.second(order, three(spacing, "spacing"), factor)
        return self._sumconv3d(x, terms, boundary, phases, None, None, out, False)[0]

    @overload
    def hamiltonian(
        self, x: np.ndarray, potential: np.ndarray | None = ..., spacing: PerAxis = ..., order: int = ..., *,
        kinetic: float = ..., shift: float = ..., k: PerAxis | None = ..., phases: PerAxis | None = ...,
        boundary: FilterBoundaries = ..., add: np.ndarray | None = ..., add_factor: float = ...,
        sums: Literal[False] = ..., out: np.ndarray | None = ...,
    ) -> np.ndarray: ...
    @overload
    def hamiltonian(
        self, x: np.ndarray, potential: np.ndarray | None = ..., spacing: PerAxis = ..., order: int = ..., *,
        kinetic: float = ..., shift: float = ..., k: PerAxis | None = ..., phases: PerAxis | None = ...,
        boundary: FilterBoundaries = ..., add: np.ndarray | None = ..., add_factor: float = ...,
        sums: Literal[True], out: np.ndarray | None = ...,
    ) -> Tuple[np.ndarray, HamiltonianSums]: ...
    @overload
    def hamiltonian(
        self, x: np.ndarray, potential: np.ndarray | None = ..., spacing: PerAxis = ..., order: int = ..., *,
        kinetic: float = ..., shift: float = ..., k: PerAxis | None = ..., phases: PerAxis | None = ...,
        boundary: FilterBoundaries = ..., add: np.ndarray | None = ..., add_factor: float = ...,
        sums: bool = ..., out: np.ndarray | None = ...,
    ) -> Applied: ...
    def hamiltonian(
        self,
        x: np.ndarray,
        potential: np.ndarray | None = None,
        spacing: PerAxis = 1.0,
        order: int = 8,
        *,
        kinetic: float = -0.5,
        shift: float = 0.0,
        k: PerAxis | None = None,
        phases: PerAxis | None = None,
        boundary: FilterBoundaries = "periodic",
        add: np.ndarray | None = None,
        add_factor: float = 1.0,
        sums: bool = False,
        out: np.ndarray | None = None,
    ) -> Applied:
        """y = kinetic Lap x + V x + shift x + add_factor add, in one pass over x: a Hamiltonian, or a step of a filter with it.

        Parameters
        ----------
        x, spacing, order, boundary, phases : as laplacian
        potential : V, real array (nz, ny, nx) of the result's strides, for all vectors
        kinetic : the factor of the Laplacian
        k : of complex x, a number or three for z, y, x: the Laplacian is that of exp(i k r) x, over exp(i k r)
        add : array as out; may be out
        sums : whether the sums <x|y>, <x|V|x> and others are wanted: a HamiltonianSums
        out : array of the result's shape, not x

        Returns
        -------
        out, or (out, sums)
        """
        terms = self._kinetic(x, spacing, order, kinetic, shift, k)
        terms.c.add_factor = add_factor
        y, found = self._sumconv3d(x, terms, boundary, phases, potential, add, out, sums)
        return (y, found) if found is not None else y

    def chebyshev(
        self,
        x: np.ndarray,
        potential: np.ndarray | None = None,
        spacing: PerAxis = 1.0,
        order: int = 8,
        *,
        degree: int,
        low: float,
        high: float,
        lowest: float,
        kinetic: float = -0.5,
        shift: float = 0.0,
        k: PerAxis | None = None,
        phases: PerAxis | None = None,
        boundary: SameBoundaries = "periodic",
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """T((H - c) / e) / T((lowest - c) / e) x, with the Chebyshev polynomial T of this degree, c = (high + low) / 2 and
        e = (high - low) / 2: states of H below `low` become large beside those between low and high.

        Parameters
        ----------
        x, potential, spacing, order, kinetic, shift, k, phases : H, as of hamiltonian
        degree : 1 or more; hamiltonian is called as often, in effect
        low, high : the energies between which states are damped; high: no state is above it
        lowest : below low: the energy whose state keeps its magnitude
        boundary : "periodic", "zero"; or three for z, y, x
        out : array as x, not x
        """
        terms = self._kinetic(x, spacing, order, kinetic, shift, k)
        shape, out, _ = self._sum_shape(x, terms, boundary, phases, potential, None, out)
        damped = ffi.new("convk_chebyshev *", {"degree": degree, "low": low, "high": high, "lowest": lowest})
        kind = kind_of(x, "x", REAL + COMPLEX)
        self._call_in_tasks("chebyshev3d", kind, shape, terms.c, damped, address(x), address(out), NULL, 0)
        return out

    @staticmethod
    def _kinetic(x, spacing, order, kinetic, shift, k):
        kind = kind_of(x, "x", REAL + COMPLEX)
        terms, h = _Terms(kind), three(spacing, "spacing")
        terms.second(order, h, kinetic)
        terms.c.shift = shift
        if k is not None:
            if kind in REAL:
                raise ValueError("k is for complex x")
            at = three(k, "k")
            for axis in range(3):
                terms.derivative("imag", axis, 1, order, 2 * kinetic * at[axis] / h[axis])
            terms.c.shift = shift - kinetic * sum(n * n for n in at)
        return terms

    def _sum_shape(self, x, terms, boundary, phases, potential, add, out):
        """C's shape, out and how many vectors; the arrays into the terms."""
        kind = kind_of(x, "x", REAL + COMPLEX)
        grid, vectors, stride = grids_of(x, "x")
        ends = list(per_axis(boundary, "boundary", FILTERED))
        if phases is not None:
            if kind in REAL:
                raise ValueError("phases are for complex x")
            terms.phases(three(phases, "phases"))
        shape = ffi.new("convk_sumconv3d_shape *", {"in": grid[0], "boundary": ends, "vectors": vectors, "in_stride": stride})
        to = ffi.new("convk_grid3 *")
        check(getattr(lib, f"convk_sumconv3d_out_grid_{terms.real}")(NULL, shape, terms.c, to))
        out = result(out, "out", kind, x.shape[:-3] + (to.nz, to.ny, to.nx))
        grid, _, stride = grids_of(out, "out")
        shape.out, shape.out_stride = grid[0], stride
        if potential is not None:
            expect(potential, "potential", terms.real, out.shape[-3:])
            self._like(potential, "potential", out[0] if out.ndim == 4 else out)
            terms.c.potential, terms.c.potential_factor = address(potential), 1
        if add is not None:
            expect(add, "add", kind, out.shape)
            self._like(add, "add", out)
            terms.c.add = address(add)
        return shape, out, vectors

    def _sumconv3d(self, x, terms, boundary, phases, potential, add, out, sums):
        kind = kind_of(x, "x", REAL + COMPLEX)
        shape, out, vectors = self._sum_shape(x, terms, boundary, phases, potential, add, out)
        found = ffi.new("convk_sumconv_sums[]", vectors) if sums else NULL
        self._call("sumconv3d", kind, shape, terms.c, address(x), address(out), found, NULL, 0)
        return out, self._sums(kind, found, x.ndim == 4) if sums else None

    @staticmethod
    def _like(array, name, out):
        wanted, got = (pitches(a, n, a.ndim - 1) for a, n in ((out, "out"), (array, name)))
        if wanted != got:
            raise ValueError(f"{name} has the strides {array.strides}, but it must have as many elements between rows as out")

    @staticmethod
    def _sums(kind, c, several):
        dot = np.array([complex(s.dot[0], s.dot[1]) for s in c])
        dot = dot if kind in COMPLEX else dot.real
        axis = np.array([list(s.axis)[::-1] for s in c])
        all_of = (dot, np.array([s.potential for s in c]), np.array([s.norm for s in c]), axis)
        return HamiltonianSums(*(a if several else a[0] for a in all_of))

    @overload
    def hamiltonian_wavelets(
        self, x: np.ndarray, potential: np.ndarray | None = ..., spacing: PerAxis = ..., *, shift: float = ...,
        k: PerAxis | None = ..., boundary: FilterBoundaries = ..., energies: Literal[False] = ..., out: np.ndarray | None = ...,
    ) -> np.ndarray: ...
    @overload
    def hamiltonian_wavelets(
        self, x: np.ndarray, potential: np.ndarray | None = ..., spacing: PerAxis = ..., *, shift: float = ...,
        k: PerAxis | None = ..., boundary: FilterBoundaries = ..., energies: Literal[True], out: np.ndarray | None = ...,
    ) -> Tuple[np.ndarray, HamiltonianEnergies]: ...
    @overload
    def hamiltonian_wavelets(
        self, x: np.ndarray, potential: np.ndarray | None = ..., spacing: PerAxis = ..., *, shift: float = ...,
        k: PerAxis | None = ..., boundary: FilterBoundaries = ..., energies: bool = ..., out: np.ndarray | None = ...,
    ) -> InWavelets: ...
    def hamiltonian_wavelets(
        self,
        x: np.ndarray,
        potential: np.ndarray | None = None,
        spacing: PerAxis = 1.0,
        *,
        shift: float = 0.0,
        k: PerAxis | None = None,
        boundary: FilterBoundaries = "periodic",
        energies: bool = False,
        out: np.ndarray | None = None,
    ) -> InWavelets:
        """H x of orbitals in Daubechies-16 wavelets, as BigDFT has it: idwt, -1/2 Lap with order 0, the magic filter to the
        values, V and the filter back, and dwt.

        Parameters
        ----------
        x : float32, float64, complex64 or complex128 array (nz, ny, nx) of even sizes, as dwt makes it, or
            (vectors, nz, ny, nx); x contiguous, any strides else
        potential : V at the values, real, for all vectors: array (nz, ny, nx), along free axes 29 points more
        spacing : of the points of the fine grid, or three for z, y, x; 0: no kinetic energy along the axis
        k : of complex x, a number or three for z, y, x: the Laplacian is that of exp(i k r) x, over exp(i k r)
        boundary : "periodic", "zero", or "grow", a free axis; or three for z, y, x
        energies : whether <x|T|x> and <x|V|x> are wanted: a HamiltonianEnergies
        out : array as x; may be x

        Returns
        -------
        out, or (out, energies)
        """
        kind = kind_of(x, "x", REAL + COMPLEX)
        real = "f32" if kind in ("f32", "c32") else "f64"
        if k is not None and kind in REAL:
            raise ValueError("k is for complex x")
        grid, vectors, stride = grids_of(x, "x")
        out = result(out, "out", kind, x.shape)
        if pitches(x, "x", x.ndim - 1)[-2:] != pitches(out, "out", out.ndim - 1)[-2:]:
            raise ValueError(f"out has the strides {out.strides}, but it must have as many elements between rows as x")
        ends = list(per_axis(boundary, "boundary", FILTERED))
        shape = ffi.new("convk_hamiltonian_shape *", {"wavelets": grid[0], "boundary": ends, "vectors": vectors})
        shape.in_stride, shape.out_stride = stride, grids_of(out, "out")[2]
        at = [0.0] * 3 if k is None else three(k, "k")
        terms = ffi.new(f"convk_hamiltonian_terms_{real} *", {"spacing": three(spacing, "spacing"), "shift": shift, "k": at})
        if potential is not None:
            full = ffi.new("convk_hamiltonian_shape *")
            plain(f"hamiltonian_resolve_{real}", shape, full)
            values = full.values
            shape.values = grid3(expect(potential, "potential", real, (values.nz, values.ny, values.nx)), "potential")[0]
            terms.potential = address(potential)
        found = ffi.new("convk_hamiltonian_energies[]", vectors) if energies else NULL
        self._call_in_tasks("hamiltonian_apply", kind, shape, terms, address(x), address(out), found, NULL, 0)
        if not energies:
            return out
        sums = HamiltonianEnergies(np.array([list(e.kinetic)[::-1] for e in found]), np.array([e.potential for e in found]))
        return out, sums if x.ndim == 4 else HamiltonianEnergies(*(a[0] for a in sums))

    def dwt(
        self,
        x: np.ndarray,
        wavelet: WaveletName | Wavelet = "daubechies16",
        levels: int = 1,
        *,
        boundary: FilterBoundaries = "periodic",
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Wavelet analysis on three axes: along each axis the scaling coefficients of half as many points, then the wavelets.

        Parameters
        ----------
        x : array (nz, ny, nx) of even sizes, x contiguous, any strides else; of complex ones both parts are copied, one by one
        wavelet : "daubechies16", "sym4"; "values": Daubechies-16 with its magic filter, from values at points; or a Wavelet
        levels : each further one is made of the scaling coefficients of the one before, at the beginning of the array
        boundary : "periodic", "zero", or "shrink": a free axis, taps - 2 points shorter; or three for z, y, x
        out : array of the result's shape, not x
        """
        return self._wavelet("dwt3d", "fine", "coarse", x, wavelet, levels, boundary, out)

    def idwt(
        self,
        x: np.ndarray,
        wavelet: WaveletName | Wavelet = "daubechies16",
        levels: int = 1,
        *,
        boundary: FilterBoundaries = "periodic",
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Wavelet synthesis, which undoes dwt with the same arguments; along a free axis, "grow", taps - 2 points more."""
        return self._wavelet("idwt3d", "coarse", "fine", x, wavelet, levels, boundary, out)

    def _wavelet(self, name, of, to, x, wavelet, levels, boundary, out):
        kind = kind_of(x, "x", REAL + COMPLEX)
        if kind in COMPLEX:
            parts = [self._wavelet(name, of, to, p.copy(), wavelet, levels, boundary, None) for p in (x.real, x.imag)]
            out = result(out, "out", kind, parts[0].shape)
            out.real, out.imag = parts
            return out
        keep = []
        if isinstance(wavelet, str):
            pair = getattr(lib, f"convk_wavelet_taps_{kind}")(choice(wavelet, "wavelet", WAVELETS))
        else:
            low, high, lo = wavelet
            dtype = next(t for t, n in TYPES.items() if n == kind)
            keep = [contiguous(expect(np.asarray(f), "a filter", kind, ndim=1), "a filter") for f in (low, high)]
            if len(keep[0]) != len(keep[1]):
                raise ValueError(f"the filters of a wavelet have {len(keep[0])} and {len(keep[1])} taps of {dtype}: as many")
            pair = (lo, lo + len(keep[0]) - 1, address(keep[0]), address(keep[1]))
        c = ffi.new(f"convk_wavelet_{kind} *", pair)
        ends = list(per_axis(boundary, "boundary", FILTERED))
        grid = grid3(x, "x")
        shape = ffi.new("convk_dwt3d_shape *", {of: grid[0], "boundary": ends, "levels": levels})
        if levels < 1:
            raise ValueError(f"levels is {levels}: at least 1")
        full = ffi.new("convk_dwt3d_shape *")
        check(getattr(lib, f"convk_dwt3d_resolve_{kind}")(NULL, shape, c, full))
        sizes = getattr(full, to)
        out = result(out, "out", kind, (sizes.nz, sizes.ny, sizes.nx))
        setattr(shape, to, grid3(out, "out")[0])
        self._call(name, kind, shape, c, address(x), address(out), NULL, 0)
        return out
