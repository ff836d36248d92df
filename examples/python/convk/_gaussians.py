"""Gaussians on points: grid potentials, orbitals, densities."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple, Sequence, Union, get_args

import numpy as np

from ._core import (
    C_TYPES,
    NULL,
    Handle,
    address,
    check,
    choice,
    expect,
    ffi,
    kind_of,
    lib,
    parts,
    pitches,
    result,
    size_of,
    triple,
    vector,
)

Numbers = Union[Sequence[float], np.ndarray]
Functions = Literal["cartesian", "spherical", "cartesian_molden", "spherical_molden", "spherical_pyscf"]
FUNCTIONS = {name: getattr(lib, "CONVK_SHELL_" + name.upper()) for name in get_args(Functions)}
Layout = Literal["points", "exponents"]
LAYOUTS = {"points": lib.CONVK_GRIDPOT_POINTS_CONTIGUOUS, "exponents": lib.CONVK_GRIDPOT_EXPONENTS_CONTIGUOUS}


class Shell(NamedTuple):
    """A shell of contracted Gaussians: sum_p coefficients[p] exp(-exponents[p] r^2) times the functions of l = 0 .. 4.

    center: three lengths, in the unit of the points; exponents in their inverse square.
    functions: "cartesian" (xx xy xz yy yz zz), "spherical" (m = -l .. l, so p: y z x), "cartesian_molden", "spherical_molden",
    "spherical_pyscf" (m = -l .. l, but p: x y z).
    normalise: the coefficients are those of normalised primitives, as basis sets give them; False: they multiply the
    exponentials as they stand."""

    center: Numbers
    l: int  # noqa: E741, as everybody calls it
    exponents: Numbers
    coefficients: Numbers
    functions: Functions = "spherical"
    normalise: bool = True


class Basis:
    """Shells in a row, with the number of their functions."""

    functions: int

    def __init__(self, shells: Sequence[Shell]) -> None:
        shells = [Shell(*shell) for shell in shells]
        self._c = ffi.new("convk_shell[]", len(shells))
        self._keep: list[Any] = []
        for i, (c, shell) in enumerate(zip(self._c, shells)):
            exponents, coefficients = (
                ffi.new("double[]", [float(x) for x in numbers]) for numbers in (shell.exponents, shell.coefficients)
            )
            if len(exponents) != len(coefficients):
                raise ValueError(f"shells[{i}] has {len(exponents)} exponents, but {len(coefficients)} coefficients")
            self._keep += exponents, coefficients
            c.center[0:3] = [float(x) for x in shell.center]
            c.l, c.functions = shell.l, choice(shell.functions, "functions", FUNCTIONS)
            c.primitives, c.exponents, c.coefficients = len(exponents), exponents, coefficients
        self.functions = size_of("shells_functions", len(shells), self._c)
        for i, shell in enumerate(shells):
            if shell.normalise:
                exponents, coefficients = self._keep[2 * i : 2 * i + 2]
                status = lib.convk_shell_normalise(NULL, shell.l, len(exponents), exponents, coefficients, coefficients)
                check(status, f": the norm of shells[{i}]")

    @classmethod
    def from_pyscf(cls, mol: Any) -> Basis:
        """The functions of a molecule of PySCF (pyscf.gto.Mole), in its order and with its norms: the rows of mo_coeff.T are
        coefficients of orbitals.  Lengths are in bohr, as mol.atom_coords() and the coordinates of its grids are.

        There p functions are x, y, z, also where d and further ones are spherical; s, p and all spherical functions are
        normalised on the sphere, which the factor undoes, and Cartesian ones from d on are not."""
        shells = []
        for b in range(mol.nbas):
            l, exponents = int(mol.bas_angular(b)), np.asarray(mol.bas_exp(b), float)  # noqa: E741
            on_sphere = l < 2 or not mol.cart
            factor = math.sqrt(math.prod(range(1, 2 * l + 2, 2)) / (4 * math.pi)) if on_sphere else 1.0
            # of primitives: 1 / norm^2 is the integral of r^(2 l + 2) exp(-2 a r^2)
            norms = factor * np.sqrt(2 * (2 * exponents) ** (l + 1.5) / math.gamma(l + 1.5))
            for contraction in np.asarray(mol.bas_ctr_coeff(b), float).T:  # same exponents: they share their exponentials
                functions: Functions = "cartesian" if mol.cart else "spherical_pyscf"
                shells.append(Shell(mol.bas_coord(b), l, exponents, norms * contraction, functions, normalise=False))
        return cls(shells)

    def __len__(self) -> int:
        return len(self._c)


def _points(kind, points, first, count):
    """Some of (n, 3) points of any strides as C's struct."""
    item, (along, across) = points.itemsize, points.strides
    if points.shape[0] > 1 and (along <= 0 or along % item):
        raise ValueError(
            f"points has a stride of {along} bytes along axis 0, and no positive multiple of {item}: "
            "pass np.ascontiguousarray(points)"
        )
    stride = along // item if points.shape[0] > 1 else 1
    begin = points.__array_interface__["data"][0] + first * along
    x, y, z = (ffi.cast(C_TYPES[kind] + " *", begin + axis * across) for axis in range(3))
    return ffi.new(f"convk_points_{kind} *", (count, x, y, z, stride))


def _rows(array, name, kind, shape, write=False):
    """An array of contiguous rows, at any distance: its address and distance."""
    expect(array, name, kind, shape, write)
    return address(array), pitches(array, name, 1)[0]


class Gaussians(Handle):
    """The calls on points, arrays (n, 3) of any strides: an array xyz of three rows goes in as xyz.T."""

    def gridpot(
        self,
        points: np.ndarray,
        alpha: np.ndarray,
        *,
        center: Numbers | None = None,
        layout: Layout = "points",
        compensated: bool = False,
        cutoff: float = 0,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """exp(alpha_j |point_i - center|^2), the Gaussian grid potential.

        Parameters
        ----------
        points : float32 or float64 array (n, 3)
        alpha : array (m,) of the same type; negative for a Gaussian that decays, in inverse squares of the points' unit
        center : three numbers; None: the origin
        layout : "points": the result is (m, n); "exponents": (n, m)
        compensated : squared distances keep what rounding loses
        cutoff : exponentials below it count as 0
        out : array of the result's shape, rows contiguous
        """
        kind, n = self._kind(points), len(points)
        m = len(expect(alpha, "alpha", kind, ndim=1))
        chosen = choice(layout, "layout", LAYOUTS)
        by_points = chosen == lib.CONVK_GRIDPOT_POINTS_CONTIGUOUS
        out = result(out, "out", kind, (m, n) if by_points else (n, m))
        to, ld = _rows(out, "out", kind, out.shape, write=True)
        options = ffi.new("convk_gaussian_options *", (chosen, bool(compensated), cutoff))
        apart = ld or (n if by_points else m)
        self._gridpot("gridpot", kind, points, alpha, center, None, options, to, 1 if by_points else apart, apart)
        return out

    def gridpot_sum(
        self,
        points: np.ndarray,
        alpha: np.ndarray,
        c: np.ndarray,
        *,
        center: Numbers | None = None,
        compensated: bool = False,
        cutoff: float = 0,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Sums over the exponents without the matrix: sum_j c[s, j] exp(alpha_j |point_i - center|^2).

        Parameters
        ----------
        points, alpha, center, compensated, cutoff : as gridpot
        c : array (nsums, m), rows contiguous
        out : array (nsums, n), rows contiguous
        """
        kind, n = self._kind(points), len(points)
        m = len(expect(alpha, "alpha", kind, ndim=1))
        expect(c, "c", kind, ndim=2)
        of, ldc = _rows(c, "c", kind, (len(c), m))
        out = result(out, "out", kind, (len(c), n))
        to, ld = _rows(out, "out", kind, out.shape, write=True)
        options = ffi.new("convk_gaussian_options *", (0, bool(compensated), cutoff))
        self._gridpot("gridpot_sum", kind, points, alpha, center, (len(c), of, ldc), options, to, 1, ld or n)
        return out

    def _gridpot(self, name, kind, points, alpha, center, sums, options, to, per_point, ld):
        """A call in parts, each per_point elements further on in the result for each of its points."""
        middle, exponents = triple(center, "center", C_TYPES[kind]), vector(alpha, "alpha", kind)
        nsums, coefficients, ldc = sums or (0, NULL, 0)
        gaussians = ffi.new(
            f"convk_gaussians_{kind} *",
            (list(middle) if middle else (0, 0, 0), len(alpha), exponents, nsums, coefficients, ldc),
        )
        for first, count in parts(len(points), 2e7 // max(1, len(alpha))):
            here = _points(kind, points, first, count)
            self._call(name, kind, here, gaussians, options, to + first * per_point, ld)

    def orbitals(
        self,
        points: np.ndarray,
        basis: Basis,
        coefficients: np.ndarray | None = None,
        *,
        cutoff: float = 0,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Molecular orbitals on points.

        Parameters
        ----------
        points : float32 or float64 array (n, 3)
        basis : Basis
        coefficients : array (norbitals, basis.functions); None: the functions themselves.  Of any strides, as PySCF's
            mo_coeff.T: what has no contiguous rows is copied
        cutoff : a primitive counts as 0 where its exponential is below it
        out : array (norbitals, n), rows contiguous
        """
        return self._orbitals("orbitals", 1, points, basis, coefficients, cutoff, out)

    def orbitals_vgl(
        self,
        points: np.ndarray,
        basis: Basis,
        coefficients: np.ndarray | None = None,
        *,
        cutoff: float = 0,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Values, gradients and Laplacians of orbitals: (5, norbitals, n) with value, d/dx, d/dy, d/dz, Laplacian.

        Parameters as orbitals; out: array (5, norbitals, n), rows contiguous.
        """
        return self._orbitals("orbitals_vgl", 5, points, basis, coefficients, cutoff, out)

    def _orbitals(self, name, kinds, points, basis, coefficients, cutoff, out):
        kind, n = self._kind(points), len(points)
        rows, kept, ldc = self._coefficients(kind, basis, coefficients)
        out = result(out, "out", kind, (rows, n) if kinds == 1 else (kinds, rows, n))
        arrays = [out] if kinds == 1 else list(out)
        to = [_rows(array, "out", kind, (rows, n), write=True) for array in arrays]
        last = to[0][1] or n
        self._on_points(name, kind, points, basis, (rows, kept, ldc), NULL, cutoff, [pointer for pointer, _ in to], last)
        return out

    def _on_points(self, name, kind, points, basis, matrix, weights, cutoff, to, last):
        """A call of a basis in parts, each further on in the results by its points."""
        rows, kept, ldc = matrix
        of = NULL if kept is None else address(kept)
        options = ffi.new("convk_gaussian_options *", (0, 0, cutoff))
        shells = ffi.new(f"convk_orbital_set_{kind} *", (len(basis), basis._c, rows, of, ldc, weights, NULL))
        for first, count in parts(len(points), 4e6 // (basis.functions + rows + 1)):
            here, results = _points(kind, points, first, count), [pointer + first for pointer in to]
            if len(results) > 1:
                out = ffi.new(f"convk_vgl_{kind} *", (*results, last))
                self._call(name, kind, here, shells, options, out, NULL, 0)
            else:
                self._call(name, kind, here, shells, options, *results, *(() if last is None else (last,)), NULL, 0)

    def density(
        self,
        points: np.ndarray,
        basis: Basis,
        coefficients: np.ndarray | None,
        occupations: np.ndarray,
        *,
        cutoff: float = 0,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """The density sum_o occupations[o] orbital_o(point)^2, without the orbitals in memory.

        Parameters
        ----------
        points, basis, coefficients, cutoff : as orbitals
        occupations : array (norbitals,)
        out : array (n,)
        """
        kind, n = self._kind(points), len(points)
        rows, kept, ldc = self._coefficients(kind, basis, coefficients)
        out = result(out, "out", kind, (n,))
        to, weights = vector(out, "out", kind, n, write=True), vector(occupations, "occupations", kind, rows)
        self._on_points("density", kind, points, basis, (rows, kept, ldc), weights, cutoff, (to,), None)
        return out

    @staticmethod
    def _kind(points):
        kind = kind_of(points, "points")
        if points.ndim != 2 or points.shape[1] != 3:
            raise ValueError(f"points has the shape {points.shape}, not (n, 3): three rows go in as points.T")
        return kind

    @staticmethod
    def _coefficients(kind, basis, coefficients):
        if coefficients is None:
            return basis.functions, None, 0
        expect(coefficients, "coefficients", kind, (len(coefficients), basis.functions))
        along, across = coefficients.strides
        item = coefficients.itemsize
        rows_lie_so = along > 0 and along % item == 0 and (across == item or basis.functions == 1)
        kept = coefficients if rows_lie_so and coefficients.size else np.ascontiguousarray(coefficients)
        return len(kept), kept, pitches(kept, "coefficients", 1)[0]
