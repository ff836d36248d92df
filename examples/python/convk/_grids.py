"""Separable convolutions and the 7-point stencil: grids of shape (nz, ny, nx)."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Sequence, Tuple, Union, get_args, overload

import numpy as np

from ._core import (
    BOUNDARIES,
    NULL,
    FilterBoundaries,
    FilterBoundary,
    Handle,
    StepBoundaries,
    StepBoundary,
    address,
    check,
    choice,
    contiguous,
    expect,
    ffi,
    grid3,
    kind_of,
    lib,
    parts,
    per_axis,
    pitches,
    result,
    unused,
)

FILTERED = {name: BOUNDARIES[name] for name in get_args(FilterBoundary)}
STEPPED = {name: BOUNDARIES[name] for name in get_args(StepBoundary)}
Sum = Tuple[np.ndarray, float]
Sums = Tuple[np.ndarray, float, float]
Filtered = Union[np.ndarray, Sum, Sums]


class Filter(NamedTuple):
    """A filter of one axis: y[i] = sum over l of taps[l - lo] x[i + l], l = lo .. lo + len(taps) - 1.

    taps: 1 to 64 numbers of the type of the arrays that are filtered; lo: the first l."""

    taps: np.ndarray
    lo: int


def magicfilter_taps(inverse: bool = False, dtype: Any = np.float64) -> Filter:
    """The BigDFT magic filter (least asymmetric Daubechies-16) as a Filter of 16 taps; inverse: its transpose."""
    kind = kind_of(np.empty(0, dtype), "an array of this dtype")
    found = getattr(lib, f"convk_magicfilter_taps_{kind}")(lib.CONVK_INVERSE if inverse else lib.CONVK_FORWARD)
    return Filter(np.array(list(found.taps[0 : found.up - found.lo + 1]), dtype), found.lo)


def empty_padded(shape: tuple[int, int, int], dtype: Any = np.float64) -> np.ndarray:
    """A new array of this shape (nz, ny, nx) whose rows and planes keep out of each other's cache sets: x is contiguous, the
    strides of y and z are a little larger than they need be.  Worth it where nx is a power of two."""
    nz, ny, nx = shape
    dtype = np.dtype(dtype)
    grid = lib.convk_grid3_padded(nx, ny, nz, dtype.itemsize)
    whole = np.empty((nz, grid.pitch_z), dtype)
    return np.lib.stride_tricks.as_strided(
        whole, (nz, ny, nx), (whole.strides[0], grid.pitch_y * dtype.itemsize, dtype.itemsize)
    )


class _Epilogue:
    """What is done to a result on its way to memory, as keywords of sepconv3d and magicfilter3d."""

    def __init__(self, kind, shape, out, potential, density, density_factor, update, dot, energy):
        self.out = result(out, "out", kind, shape)
        if update is not None and out is None:
            raise ValueError("update= adds to what out= holds: pass out=")
        self.sums = [ffi.new("double *") if wanted else NULL for wanted in (dot, energy)]
        layout = [n for n in pitches(self.out, "out", 2)]
        for array, name, write in ((potential, "potential", False), (density, "density", True)):
            if array is not None:
                expect(array, name, kind, shape, write)
                if list(pitches(array, name, 2)) != layout:
                    raise ValueError(
                        f"{name} has the strides {array.strides}, but it must have those of out, {self.out.strides}"
                    )
        a, b = (0, 0) if update is None else update
        self.c = ffi.new(
            f"convk_sepconv_epilogue_{kind} *",
            {
                "potential": NULL if potential is None else address(potential),
                "density": NULL if density is None else address(density),
                "density_factor": density_factor,
                "dot": self.sums[0],
                "energy": self.sums[1],
                "update": update is not None,
                "a": a,
                "b": b,
            },
        )

    def answer(self):
        sums = [s[0] for s in self.sums if s != NULL]
        return (self.out, *sums) if sums else self.out


def _filters(kind, filters):
    """C's array of three filters in the order x, y, z, and what it points to."""
    if len(filters) == 2 and not isinstance(filters[0], tuple):
        filters = (filters,) * 3
    if len(filters) != 3 or not all(isinstance(f, (tuple, list)) and len(f) == 2 for f in filters):
        raise ValueError("filters is one Filter, (taps, lo), or three for the axes z, y, x")
    c, keep = ffi.new(f"convk_filter_{kind}[3]"), []
    for i, (taps, lo) in enumerate(reversed(filters)):
        taps = contiguous(expect(np.asarray(taps), "taps", kind, ndim=1), "taps")
        keep.append(taps)
        c[i] = {"lo": lo, "up": lo + len(taps) - 1, "taps": address(taps)}
    return c, keep


class Grids(Handle):
    """The calls on grids."""

    @overload
    def sepconv3d(
        self, x: np.ndarray, filters: Filter | Sequence[Filter], *, boundary: FilterBoundaries = ...,
        potential: np.ndarray | None = ..., density: np.ndarray | None = ..., density_factor: float = ...,
        update: tuple[float, float] | None = ..., dot: Literal[False] = ..., energy: Literal[False] = ...,
        out: np.ndarray | None = ...,
    ) -> np.ndarray: ...
    @overload
    def sepconv3d(
        self, x: np.ndarray, filters: Filter | Sequence[Filter], *, boundary: FilterBoundaries = ...,
        potential: np.ndarray | None = ..., density: np.ndarray | None = ..., density_factor: float = ...,
        update: tuple[float, float] | None = ..., dot: Literal[True], energy: Literal[False] = ...,
        out: np.ndarray | None = ...,
    ) -> Sum: ...
    @overload
    def sepconv3d(
        self, x: np.ndarray, filters: Filter | Sequence[Filter], *, boundary: FilterBoundaries = ...,
        potential: np.ndarray | None = ..., density: np.ndarray | None = ..., density_factor: float = ...,
        update: tuple[float, float] | None = ..., dot: Literal[False] = ..., energy: Literal[True],
        out: np.ndarray | None = ...,
    ) -> Sum: ...
    @overload
    def sepconv3d(
        self, x: np.ndarray, filters: Filter | Sequence[Filter], *, boundary: FilterBoundaries = ...,
        potential: np.ndarray | None = ..., density: np.ndarray | None = ..., density_factor: float = ...,
        update: tuple[float, float] | None = ..., dot: Literal[True], energy: Literal[True],
        out: np.ndarray | None = ...,
    ) -> Sums: ...
    @overload
    def sepconv3d(
        self, x: np.ndarray, filters: Filter | Sequence[Filter], *, boundary: FilterBoundaries = ...,
        potential: np.ndarray | None = ..., density: np.ndarray | None = ..., density_factor: float = ...,
        update: tuple[float, float] | None = ..., dot: bool = ..., energy: bool = ...,
        out: np.ndarray | None = ...,
    ) -> Filtered: ...
    def sepconv3d(
        self,
        x: np.ndarray,
        filters: Filter | Sequence[Filter],
        *,
        boundary: FilterBoundaries = "periodic",
        potential: np.ndarray | None = None,
        density: np.ndarray | None = None,
        density_factor: float = 1,
        update: tuple[float, float] | None = None,
        dot: bool = False,
        energy: bool = False,
        out: np.ndarray | None = None,
    ) -> Filtered:
        """Three filters, one along each axis.

        Parameters
        ----------
        x : float32 or float64 array (nz, ny, nx)
            x contiguous, any strides else.
        filters : Filter, or three of them for z, y, x
        boundary : "periodic", "grow" (n + taps - 1 points), "shrink" (n - taps + 1), "zero"; or three for z, y, x
        potential : array as out, multiplies the result (after density and dot)
        density : array as out, density += density_factor * result**2
        update : (a, b): out = a * result + b * out
        dot, energy : whether the sums of x * result, and of result * potential * result, are wanted
        out : array of the result's shape, not x

        Returns
        -------
        out, or (out, dot), (out, energy), (out, dot, energy)
        """
        return self._separable(
            "sepconv3d", x, filters, None, boundary, out, potential, density, density_factor, update, dot, energy
        )

    @overload
    def magicfilter3d(
        self, x: np.ndarray, *, inverse: bool = ..., boundary: FilterBoundaries = ...,
        potential: np.ndarray | None = ..., density: np.ndarray | None = ..., density_factor: float = ...,
        update: tuple[float, float] | None = ..., dot: Literal[False] = ..., energy: Literal[False] = ...,
        out: np.ndarray | None = ...,
    ) -> np.ndarray: ...
    @overload
    def magicfilter3d(
        self, x: np.ndarray, *, inverse: bool = ..., boundary: FilterBoundaries = ...,
        potential: np.ndarray | None = ..., density: np.ndarray | None = ..., density_factor: float = ...,
        update: tuple[float, float] | None = ..., dot: Literal[True], energy: Literal[False] = ...,
        out: np.ndarray | None = ...,
    ) -> Sum: ...
    @overload
    def magicfilter3d(
        self, x: np.ndarray, *, inverse: bool = ..., boundary: FilterBoundaries = ...,
        potential: np.ndarray | None = ..., density: np.ndarray | None = ..., density_factor: float = ...,
        update: tuple[float, float] | None = ..., dot: Literal[False] = ..., energy: Literal[True],
        out: np.ndarray | None = ...,
    ) -> Sum: ...
    @overload
    def magicfilter3d(
        self, x: np.ndarray, *, inverse: bool = ..., boundary: FilterBoundaries = ...,
        potential: np.ndarray | None = ..., density: np.ndarray | None = ..., density_factor: float = ...,
        update: tuple[float, float] | None = ..., dot: Literal[True], energy: Literal[True],
        out: np.ndarray | None = ...,
    ) -> Sums: ...
    @overload
    def magicfilter3d(
        self, x: np.ndarray, *, inverse: bool = ..., boundary: FilterBoundaries = ...,
        potential: np.ndarray | None = ..., density: np.ndarray | None = ..., density_factor: float = ...,
        update: tuple[float, float] | None = ..., dot: bool = ..., energy: bool = ...,
        out: np.ndarray | None = ...,
    ) -> Filtered: ...
    def magicfilter3d(
        self,
        x: np.ndarray,
        *,
        inverse: bool = False,
        boundary: FilterBoundaries = "periodic",
        potential: np.ndarray | None = None,
        density: np.ndarray | None = None,
        density_factor: float = 1,
        update: tuple[float, float] | None = None,
        dot: bool = False,
        energy: bool = False,
        out: np.ndarray | None = None,
    ) -> Filtered:
        """The BigDFT magic filter along each axis: scaling-function coefficients to point values; inverse: back.

        Parameters and results else as sepconv3d.
        """
        kind_of(x, "x")
        direction = lib.CONVK_INVERSE if inverse else lib.CONVK_FORWARD
        taps = magicfilter_taps(inverse, x.dtype)
        return self._separable(
            "magicfilter3d", x, taps, direction, boundary, out, potential, density, density_factor, update, dot, energy
        )

    def _separable(self, name, x, filters, direction, boundary, out, *epilogue):
        kind = kind_of(x, "x")
        c, keep = _filters(kind, filters)  # keep: for as long as the call takes
        ends = list(per_axis(boundary, "boundary", FILTERED))
        shape = ffi.new("convk_sepconv3d_shape *", {"in": grid3(x, "x")[0], "boundary": ends})
        to = ffi.new("convk_grid3 *")
        check(getattr(lib, f"convk_sepconv3d_out_grid_{kind}")(NULL, shape, c, to))
        last = _Epilogue(kind, (to.nz, to.ny, to.nx), out, *epilogue)
        shape.out = grid3(last.out, "out")[0]
        self._call(
            name, kind, shape, c if direction is None else direction, last.c, address(x), address(last.out), NULL, 0
        )
        return last.answer()

    def potential_apply(
        self, psi: np.ndarray, potential: np.ndarray, *, boundary: FilterBoundaries = "periodic", out: np.ndarray | None = None
    ) -> tuple[np.ndarray, float]:
        """A local potential on an orbital in scaling-function coefficients: IMF(V MF(psi)).

        Parameters
        ----------
        psi : array (nz, ny, nx)
        potential : array of the same type; 15 points more along axes with "grow"
        boundary : "periodic", "zero", or "grow" for a free axis; or three for z, y, x
        out : as psi; out=psi works in place

        Returns
        -------
        (out, energy) : energy is the sum over points of psi V psi, times no volume
        """
        kind, ends = kind_of(psi, "psi"), per_axis(boundary, "boundary", FILTERED)
        shape = tuple(n + 15 * (end == lib.CONVK_BOUNDARY_GROW) for n, end in zip(psi.shape, reversed(list(ends))))
        expect(potential, "potential", kind, shape)
        out = result(out, "out", kind, psi.shape)
        grid, energy = grid3(psi, "psi"), ffi.new("double *")
        if bytes(ffi.buffer(grid)) != bytes(ffi.buffer(grid3(out, "out"))):
            raise ValueError(f"out has the strides {out.strides}, but it must have those of psi, {psi.strides}")
        grids = ffi.new(
            "convk_sepconv3d_shape *", {"in": grid[0], "out": grid3(potential, "potential")[0], "boundary": list(ends)}
        )
        self._call("potential_apply", kind, grids, address(potential), address(psi), address(out), energy, NULL, 0)
        return out, energy[0]

    def conv1d_transpose(
        self, x: np.ndarray, filter: Filter, *, boundary: FilterBoundary = "periodic", out: np.ndarray | None = None
    ) -> np.ndarray:
        """One filter along the last axis, transposed: (ndat, n) to (n', ndat).

        Parameters
        ----------
        x : array (ndat, n), rows contiguous
        filter : Filter
        boundary : "periodic", "grow", "shrink", "zero"
        out : array (n', ndat), rows contiguous; n' is n, n + taps - 1 or n - taps + 1
        """
        kind = kind_of(x, "x")
        expect(x, "x", kind, ndim=2)
        c, keep = _filters(kind, Filter(*filter))
        end = choice(boundary, "boundary", FILTERED)
        more = len(keep[0]) - 1
        ndat, n = x.shape
        out = result(
            out,
            "out",
            kind,
            (n + {"grow": more, "shrink": -more}.get(boundary, 0), ndat) if boundary != "shrink" or n > more else (0, ndat),
        )
        shape = ffi.new("convk_conv1d_shape *", (n, ndat, pitches(x, "x", 1)[0], pitches(out, "out", 1)[0], end))
        self._call("conv1d_transpose", kind, shape, c, address(x), address(out), NULL, 0)
        return out

    def stencil7(
        self,
        a: np.ndarray,
        coefficients: Sequence[float],
        steps: int = 1,
        *,
        boundary: StepBoundaries = "periodic",
        b: np.ndarray | None = None,
    ) -> np.ndarray:
        """Jacobi sweeps of the 7-point stencil: each point becomes centre * itself + the weighted sum of its six neighbours.
        There is no out=, since a and b take turns.

        Parameters
        ----------
        a : array (nz, ny, nx), the state.  From two steps on its points change
        coefficients : (c0, c1), or seven: centre, z-, z+, y-, y+, x-, x+
        steps : number of sweeps
        boundary : "periodic", or "fixed": the first and the last point of the axis keep their values; or three for z, y, x
        b : array as a, memory for the next state; its fixed points are those of a.  None: a new array

        Returns
        -------
        The array that holds the state: a after an even number of steps, b after an odd one.  Points of the other are lost.
        """
        kind = kind_of(a, "a")
        expect(a, "a", kind, write=True, ndim=3)
        grid3(a, "a")
        if b is None:
            b = unused(a)
            b[...] = a
        shape, c = self._stencil(kind, a, b, coefficients, boundary)
        last = ffi.new(("float" if kind == "f32" else "double") + " **")
        if steps < 0:
            raise ValueError(f"steps is {steps}")
        # Several threads look for signals in each pass over memory; one thread does so after some of the deepest passes.
        for _, count in parts(steps, max(48 if self.threads > 1 else 16, 2e8 // max(1, a.size))):
            self._call("stencil7", kind, shape, c, count, address(a), address(b), last, NULL, 0)
            if last[0] != address(a):
                a, b = b, a
        return a

    def stencil7_box(
        self,
        a: np.ndarray,
        b: np.ndarray,
        coefficients: Sequence[float],
        first: Sequence[int],
        count: Sequence[int],
        *,
        boundary: StepBoundaries = "periodic",
    ) -> np.ndarray:
        """One step on a box of points only, from a to b: boxes that together make up the points that change give stencil7.

        Parameters
        ----------
        a, b, coefficients, boundary : as stencil7
        first, count : of the box, for z, y, x

        Returns
        -------
        b
        """
        kind = kind_of(a, "a")
        shape, c = self._stencil(kind, a, b, coefficients, boundary)
        box = ffi.new("convk_box3 *", {"first": list(reversed(first)), "count": list(reversed(count))})
        self._call("stencil7_box", kind, shape, c, box, address(a), address(b), NULL, 0)
        return b

    @staticmethod
    def _stencil(kind, a, b, coefficients, boundary):
        expect(b, "b", kind, a.shape, write=True)
        grid = grid3(a, "a")
        if bytes(ffi.buffer(grid)) != bytes(ffi.buffer(grid3(b, "b"))):
            raise ValueError(f"b has the strides {b.strides}, but it must have those of a, {a.strides}")
        weights = [float(w) for w in np.atleast_1d(coefficients)]
        if len(weights) == 2:
            weights = weights[:1] + weights[1:] * 6
        if len(weights) != 7:
            raise ValueError(f"coefficients are (c0, c1), or seven: centre, z-, z+, y-, y+, x-, x+; not {len(weights)}")
        centre, *z_y_x = weights
        c = ffi.new(f"convk_stencil7_coefficients_{kind} *", [centre, *z_y_x[4:], *z_y_x[2:4], *z_y_x[:2]])
        shape = ffi.new("convk_stencil7_shape *", {"grid": grid[0], "boundary": list(per_axis(boundary, "boundary", STEPPED))})
        return shape, c
