"""Gaussians on points and grids: grid potentials, orbitals, densities."""

from __future__ import annotations

import math
import os
import warnings
from typing import Any, Literal, NamedTuple, Sequence, Tuple, Union, get_args

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
    of_c,
    parts,
    pitches,
    read_file,
    result,
    size_of,
    triple,
    unmasked,
    vector,
)

Numbers = Union[Sequence[float], np.ndarray]
Functions = Literal["cartesian", "spherical", "cartesian_molden", "spherical_molden", "spherical_pyscf"]
FUNCTIONS = {name: getattr(lib, "CONVK_SHELL_" + name.upper()) for name in get_args(Functions)}
Dialect = Literal["format", "exponentials", "orca", "turbomole", "cfour", "psi4"]
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
    """Shells in a row, with the number of their functions.

    Parameters
    ----------
    shells : Shells
    lattice : of a periodic cell: its vectors along which the functions repeat, three or fewer; None: functions of a molecule.
        Calls on points refuse such a basis, and boxes must have these periods
    """

    functions: int
    lattice: np.ndarray | None

    def __init__(self, shells: Sequence[Shell], lattice: Sequence[Numbers] | None = None) -> None:
        shells = [Shell(*shell) for shell in shells]
        self._shells = shells
        self.lattice = None if lattice is None or not len(lattice) else np.array(lattice, float).reshape(-1, 3)
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

    def __reduce__(self):
        return type(self), (self._shells, self.lattice)

    @classmethod
    def from_molden(cls, path: str | os.PathLike[str], coefficients: Dialect | None = None) -> Molden:
        """The functions and orbitals of a molden file: Molden, whose `basis` and `coefficients` calls take.

        Programs do not agree on what coefficients mean.  What makes the orbitals orthonormal is taken, of the format itself
        and of the ways of ORCA, xTB, NWChem, Psi4, Turbomole, CFOUR and cclib; where it is not the format itself, a warning
        says what, as `meaning` does, and so it does of coefficients of few digits, with which orbitals nearly are.  What
        cannot be read is a ValueError that names the file, the line and what is wanted.

        Parameters
        ----------
        path : the file
        coefficients : what they mean whatever orbitals say, also where these are not orthonormal: "format", "exponentials",
            "orca", "turbomole", "cfour" or "psi4"
        """
        c = ffi.new("molden_file *")
        mean = (
            NULL
            if coefficients is None
            else ffi.new("char[]", choice(coefficients, "coefficients", get_args(Dialect)).encode())
        )
        try:
            read_file(lambda path, *message: lib.molden_read_settled(c, path, mean, *message), path)
            atoms, orbitals = c.atoms[0 : c.natoms], c.orbitals[0 : c.norbitals]
            shells = []
            for shell in c.shells[0 : c.nshells]:
                exponents, contraction = (
                    of_c(numbers + shell.first, shell.primitives, float).tolist() for numbers in (c.exponents, c.contraction)
                )
                functions: Functions = "spherical_molden" if shell.spherical else "cartesian_molden"
                shells.append(Shell(list(c.atoms[shell.atom].position), shell.l, exponents, contraction, functions))
            meaning = ffi.string(c.meaning).decode()
            found = Molden(
                cls(shells),
                of_c(c.coefficients, c.norbitals * c.nfunctions, float).reshape(c.norbitals, c.nfunctions),
                np.array([o.energy for o in orbitals]),
                np.array([o.occupation for o in orbitals]),
                np.array([bool(o.beta) for o in orbitals]),
                tuple(ffi.string(o.symmetry).decode(errors="replace") for o in orbitals),
                np.array([a.number for a in atoms]),
                np.array([a.charge for a in atoms]),
                np.array([list(a.position) for a in atoms]),
                meaning,
            )
            if c.rewritten:
                warnings.warn(f"{os.fspath(path)}: read as {meaning}", stacklevel=2)
            return found
        finally:
            lib.molden_free(c)

    @classmethod
    def from_pyscf(cls, mol: Any) -> Basis:
        """The functions of a molecule or cell of PySCF (pyscf.gto.Mole, pyscf.pbc.gto.Cell), in its order and with its norms:
        the rows of mo_coeff.T are coefficients of orbitals.  Lengths are in bohr, as mol.atom_coords() and the coordinates of
        its grids are. Functions of a cell are sums over images, which calls on grids have: Box.of_cell(cell, shape) is its
        box.

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
        return cls(shells, _lattice(mol))

    def __len__(self) -> int:
        return len(self._c)


class Molden(NamedTuple):
    """What a molden file holds: the basis, the orbitals as rows of coefficients with their energies (hartree), occupations,
    whether their spin is beta, and symmetries; of the atoms their numbers, charges without what pseudopotentials replace, and
    positions (bohr); and what the file's coefficients were found to mean."""

    basis: Basis
    coefficients: np.ndarray
    energies: np.ndarray
    occupations: np.ndarray
    beta: np.ndarray
    symmetries: Tuple[str, ...]
    numbers: np.ndarray
    charges: np.ndarray
    positions: np.ndarray
    meaning: str

    @property
    def homo(self) -> int:
        """The last of the highest orbitals that hold electrons."""
        held = np.flatnonzero(self.occupations >= 0.5)
        if not len(held):
            raise ValueError("no orbital holds electrons")
        return int(held[np.flatnonzero(self.energies[held] >= self.energies[held].max())[-1]])


def _lattice(mol):
    """The vectors along which functions of a cell of PySCF repeat; None of a molecule.  Those of slabs do so across them, too,
    unless their vacuum is infinite."""
    if not hasattr(mol, "lattice_vectors"):
        return None
    dimension = int(getattr(mol, "dimension", 3))
    if dimension == 2 and getattr(mol, "low_dim_ft_type", None) != "inf_vacuum":
        dimension = 3
    return np.asarray(mol.lattice_vectors(), float)[:dimension]


def _points(kind, points, first, count):
    """Some of (n, 3) points of any strides as C's struct."""
    item, (along, across) = points.itemsize, points.strides
    if points.shape[0] > 1 and (along <= 0 or along % item):
        raise ValueError(
            f"points has a stride of {along} bytes along axis 0, and no positive multiple of {item}: "
            "pass np.ascontiguousarray(points)"
        )
    stride = along // item if points.shape[0] > 1 else 1
    begin = points.ctypes.data + first * along
    x, y, z = (ffi.cast(C_TYPES[kind] + " *", begin + axis * across) for axis in range(3))
    return ffi.new(f"convk_points_{kind} *", (count, x, y, z, stride))


def _rows(array, name, kind, shape, write=False):
    """An array of contiguous rows, at any distance: its address and distance."""
    expect(array, name, kind, shape, write)
    return address(array), pitches(array, name, 1)[0]


class Box(NamedTuple):
    """A regular grid in space: point (k, j, i) of an array (nz, ny, nx) lies at origin + (i, j, k) times steps.

    shape: (nz, ny, nx).  origin, steps and periods have the order x, y, z, as points have.  steps: three numbers along x, y
    and z, or three vectors, the first one from i to i + 1, that do not lie in a plane.  periods: 0: none, else Gaussians
    repeat along this step at distances of so much, at least a step."""

    shape: Sequence[int]
    steps: Numbers | Sequence[Numbers]
    origin: Numbers = (0.0, 0.0, 0.0)
    periods: Numbers = (0.0, 0.0, 0.0)

    @classmethod
    def xyz(
        cls,
        points: Sequence[int],
        steps: Numbers | Sequence[Numbers],
        origin: Numbers = (0.0, 0.0, 0.0),
        periods: Numbers = (0.0, 0.0, 0.0),
    ) -> Box:
        """The same with one order of axes, x, y, z, for all: points = (nx, ny, nz).  Results are arrays (nz, ny, nx)."""
        return cls(tuple(points)[::-1], steps, origin, periods)

    @classmethod
    def of_cell(cls, cell: Any, shape: Sequence[int], origin: Numbers = (0.0, 0.0, 0.0)) -> Box:
        """The grid of a cell of PySCF, with its periods: shape (nz, ny, nx) points, x along the first vector of its lattice,
        so the steps are a[0] / nx, a[1] / ny, a[2] / nz."""
        vectors, lattice = np.asarray(cell.lattice_vectors(), float), _lattice(cell)
        steps = vectors / np.array(tuple(shape)[::-1])[:, None]
        periods = [float(np.linalg.norm(v)) if d < len(lattice) else 0.0 for d, v in enumerate(vectors)]
        return cls(tuple(shape), steps, origin, periods)


def _box(box, pitch_y=0, pitch_z=0):
    """A box as C's struct, of arrays with these pitches."""
    box = Box(*box)
    if len(box.shape) != 3 or min(box.shape) < 0:
        raise ValueError(f"the box has the shape {tuple(box.shape)}, not (nz, ny, nx)")
    c = ffi.new("convk_gaussian_box *")
    for axis, (origin, step, period) in enumerate(zip(box.origin, box.steps, box.periods)):
        c.origin[axis], c.period[axis] = origin, period
        along = (c.step_x, c.step_y, c.step_z)[axis]
        if np.ndim(step):
            if len(step) != 3:
                raise ValueError(f"steps[{axis}] has {len(step)} numbers, not 3")
            along[0], along[1], along[2] = step
        else:
            along[axis] = step
    nz, ny, nx = box.shape
    c.grid = (nx, ny, nz, pitch_y, pitch_z)
    return c


def _open(basis):
    """A basis whose functions are those of a molecule, as calls on points want."""
    if basis.lattice is not None:
        raise ValueError(
            "the basis is that of a periodic cell, and points have no images: take a call on grids with Box.of_cell()"
        )
    return basis


def _periodic(basis, box):
    """Of a cell's basis the box must have the periods."""
    if basis.lattice is None:
        return basis
    steps = [np.eye(3)[d] * step if np.ndim(step) == 0 else np.asarray(step, float) for d, step in enumerate(box.steps)]
    found = [step / np.linalg.norm(step) * period for step, period in zip(steps, box.periods) if period]
    close = 1e-6 * np.linalg.norm(basis.lattice, axis=1).max()
    wanted = list(basis.lattice)
    for way in found:
        rest = [w for w in wanted if min(np.abs(w - way).max(), np.abs(w + way).max()) > close]
        if len(rest) == len(wanted):
            break
        wanted = rest
    if wanted or len(found) != len(basis.lattice):
        raise ValueError(
            f"the basis is that of a cell with the lattice {basis.lattice.tolist()}, and the box has the periods "
            f"{[way.tolist() for way in found]}: take Box.of_cell()"
        )
    return basis


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
        coefficients : array (norbitals, basis.functions), or (basis.functions,) of one orbital; None: the functions
            themselves.  Of any strides, as PySCF's mo_coeff.T: what has no contiguous rows is copied
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
        rows, kept, ldc = self._coefficients(kind, _open(basis), coefficients)
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
        rows, kept, ldc = self._coefficients(kind, _open(basis), coefficients)
        out = result(out, "out", kind, (n,))
        to, weights = vector(out, "out", kind, n, write=True), vector(occupations, "occupations", kind, rows)
        self._on_points("density", kind, points, basis, (rows, kept, ldc), weights, cutoff, (to,), None)
        return out

    def orbitals_grid(
        self,
        basis: Basis,
        coefficients: np.ndarray | None,
        box: Box,
        *,
        dtype: Any = None,
        k: Numbers | None = None,
        cutoff: float = 0,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Molecular orbitals on a regular grid, many times as fast as on its points one by one.

        Parameters
        ----------
        basis, coefficients : as orbitals
        box : Box
        dtype : float32 or float64, where neither coefficients nor out say it; None: float64
        k : three inverse lengths along the steps of the box: the result is complex, the sum over all images, of which one n
            periods along axis d has the factor exp(1j n k[d] box.periods[d]); coefficients may be complex, too
        cutoff : a primitive counts as nothing where its exponential is below it; at least 3.6e-12 (float32), 3.4e-21 (float64)
        out : array (norbitals, nz, ny, nx), rows contiguous
        """
        if k is None:
            return self._on_grid("orbitals_grid", 1, basis, coefficients, box, dtype, cutoff, out)
        box = Box(*box)
        if dtype is None and coefficients is None and out is not None:
            dtype = out.real.dtype
        shells, bloch, kind, rows, kept = self._at_k(_periodic(basis, box), coefficients, k, dtype, None)
        shape = (rows, *box.shape)
        own = np.dtype(np.complex64 if kind == "f32" else np.complex128)
        out = np.empty(shape, own) if out is None else out
        if out.dtype != own or out.shape != shape or not out.flags.c_contiguous or not out.flags.writeable:
            raise ValueError(f"out is not a writeable array of {own.name} of the shape {shape} without gaps")
        options = ffi.new("convk_gaussian_options *", (0, 0, cutoff))
        to = address(out.view(out.real.dtype))
        self._call("orbitals_grid_k", kind, _box(box), shells, bloch, options, to, 0, NULL, 0)
        return out

    def density_grid_k(
        self,
        basis: Basis,
        coefficients: np.ndarray | None,
        occupations: np.ndarray,
        box: Box,
        k: Numbers,
        *,
        cutoff: float = 0,
        add: bool = False,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """The density of orbitals at a point k, without these in memory: (nz, ny, nx), sum of occupation |phi_k|^2.

        Parameters
        ----------
        basis, coefficients, box, k, cutoff : as orbitals_grid
        occupations : array (norbitals,)
        add : to what out holds, so that points k sum up
        out : array (nz, ny, nx), rows contiguous
        """
        box = Box(*box)
        if add and out is None:
            raise ValueError("add needs out")
        shells, bloch, kind, _, kept = self._at_k(_periodic(basis, box), coefficients, k, None, occupations)
        shape = tuple(box.shape)
        out = result(out, "out", kind, shape)
        expect(out, "out", kind, shape, write=True)
        pitch_z, pitch_y = pitches(out, "out", 2)
        options = ffi.new("convk_gaussian_options *", (0, 0, cutoff))
        self._call("density_grid_k", kind, _box(box, pitch_y, pitch_z), shells, bloch, options, address(out), int(add), NULL, 0)
        return out

    def _at_k(self, basis, coefficients, k, dtype, occupations):
        """A set and a point k as C's structs, what they are of, and the arrays that they point to."""
        if len(k) != 3:
            raise ValueError(f"k has {len(k)} numbers, not 3")
        real = imaginary = None
        if coefficients is not None:
            coefficients = np.atleast_2d(unmasked(coefficients, "coefficients"))
            real = np.ascontiguousarray(coefficients.real)
            imaginary = np.ascontiguousarray(coefficients.imag) if np.iscomplexobj(coefficients) else None
        kind = kind_of(occupations, "occupations") if occupations is not None else self._grid_kind(real, dtype, None)
        rows, real, ldc = self._coefficients(kind, basis, real)
        of, other = (NULL if a is None else address(a) for a in (real, imaginary))
        weights = NULL if occupations is None else vector(occupations, "occupations", kind, rows)
        shells = ffi.new(f"convk_orbital_set_{kind} *", (len(basis), basis._c, rows, of, ldc, weights, NULL))
        bloch = ffi.new(f"convk_bloch_{kind} *", (list(k), other))
        return shells, bloch, kind, rows, (real, imaginary)

    def orbitals_grid_vgl(
        self,
        basis: Basis,
        coefficients: np.ndarray | None,
        box: Box,
        *,
        dtype: Any = None,
        cutoff: float = 0,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Values, gradients and Laplacians of orbitals on a regular grid: (5, norbitals, nz, ny, nx).

        Parameters as orbitals_grid; out: array (5, norbitals, nz, ny, nx), rows contiguous.
        """
        return self._on_grid("orbitals_grid_vgl", 5, basis, coefficients, box, dtype, cutoff, out)

    def _on_grid(self, name, kinds, basis, coefficients, box, dtype, cutoff, out):
        box = Box(*box)
        kind = self._grid_kind(coefficients, dtype, out)
        rows, kept, ldc = self._coefficients(kind, _periodic(basis, box), coefficients)
        shape = (rows, *box.shape)
        out = result(out, "out", kind, shape if kinds == 1 else (kinds, *shape))
        arrays = [out] if kinds == 1 else list(out)
        for array in arrays:
            expect(array, "out", kind, shape, write=True)
        ld, pitch_z, pitch_y = pitches(arrays[0], "out", 3)
        to = [address(array) for array in arrays]
        of = NULL if kept is None else address(kept)
        options = ffi.new("convk_gaussian_options *", (0, 0, cutoff))
        shells = ffi.new(f"convk_orbital_set_{kind} *", (len(basis), basis._c, rows, of, ldc, NULL, NULL))
        where = _box(box, pitch_y, pitch_z)
        if kinds == 1:
            self._call(name, kind, where, shells, options, to[0], ld, NULL, 0)
        else:
            self._call(name, kind, where, shells, options, ffi.new(f"convk_vgl_{kind} *", (*to, ld)), NULL, 0)
        return out

    def density_grid(
        self,
        basis: Basis,
        coefficients: np.ndarray | None,
        occupations: np.ndarray,
        box: Box,
        *,
        derivatives: bool = False,
        cutoff: float = 0,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """The density of orbitals on a regular grid, without these in memory: (nz, ny, nx).

        Parameters
        ----------
        basis, coefficients, box, cutoff : as orbitals_grid
        occupations : array (norbitals,)
        derivatives : the result is (5, nz, ny, nx): density, d/dx, d/dy, d/dz, and the density of kinetic energy tau
        out : array of the result's shape, rows contiguous
        """
        box = Box(*box)
        kind = kind_of(occupations, "occupations")
        rows, kept, ldc = self._coefficients(kind, _periodic(basis, box), coefficients)
        shape = tuple(box.shape)
        out = result(out, "out", kind, (5, *shape) if derivatives else shape)
        arrays = list(out) if derivatives else [out]
        for array in arrays:
            expect(array, "out", kind, shape, write=True)
        pitch_z, pitch_y = pitches(arrays[0], "out", 2)
        to = [address(array) for array in arrays] + [NULL] * (5 - len(arrays))
        of = NULL if kept is None else address(kept)
        options = ffi.new("convk_gaussian_options *", (0, 0, cutoff))
        weights = vector(occupations, "occupations", kind, rows)
        shells = ffi.new(f"convk_orbital_set_{kind} *", (len(basis), basis._c, rows, of, ldc, weights, NULL))
        parts_ = ffi.new(f"convk_density_parts_{kind} *", to)
        self._call("density_grid", kind, _box(box, pitch_y, pitch_z), shells, options, parts_, NULL, 0)
        return out

    def gridpot_grid(
        self,
        alpha: np.ndarray,
        c: np.ndarray,
        box: Box,
        *,
        center: Numbers | None = None,
        cutoff: float = 0,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Sums of Gaussians about one center on a regular grid: sum_j c[s, j] exp(alpha_j r^2), (nsums, nz, ny, nx).

        Parameters
        ----------
        alpha : array (m,), negative, in inverse squares of the box's unit
        c : array (nsums, m), rows contiguous
        center : three numbers; None: the origin of coordinates
        box, cutoff : as orbitals_grid
        out : array (nsums, nz, ny, nx), rows contiguous
        """
        box = Box(*box)
        kind = kind_of(alpha, "alpha")
        m = len(expect(alpha, "alpha", kind, ndim=1))
        expect(c, "c", kind, ndim=2)
        of, ldc = _rows(c, "c", kind, (len(c), m))
        out = result(out, "out", kind, (len(c), *box.shape))
        expect(out, "out", kind, (len(c), *box.shape), write=True)
        ld, pitch_z, pitch_y = pitches(out, "out", 3)
        middle = triple(center, "center", C_TYPES[kind])
        gaussians = ffi.new(
            f"convk_gaussians_{kind} *",
            (list(middle) if middle else (0, 0, 0), m, vector(alpha, "alpha", kind), len(c), of, ldc),
        )
        options = ffi.new("convk_gaussian_options *", (0, 0, cutoff))
        self._call("gridpot_grid", kind, _box(box, pitch_y, pitch_z), gaussians, options, address(out), ld, NULL, 0)
        return out

    @staticmethod
    def _grid_kind(coefficients, dtype, out):
        if coefficients is not None:
            return kind_of(coefficients, "coefficients")
        return kind_of(np.empty(0, dtype or np.float64) if out is None else out, "dtype" if out is None else "out")

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
        kind_of(coefficients, "coefficients", (kind,))
        coefficients = np.atleast_2d(coefficients)  # one orbital
        expect(coefficients, "coefficients", kind, (len(coefficients), basis.functions))
        along, across = coefficients.strides
        item = coefficients.itemsize
        rows_lie_so = along > 0 and along % item == 0 and (across == item or basis.functions == 1)
        kept = coefficients if rows_lie_so and coefficients.size else np.ascontiguousarray(coefficients)
        return len(kept), kept, pitches(kept, "coefficients", 1)[0]


def cubegen(
    mol: Any,
    outfile: str | os.PathLike[str],
    coefficients: np.ndarray,
    occupations: np.ndarray | None = None,
    *,
    nx: int = 80,
    ny: int = 80,
    nz: int = 80,
    resolution: float | None = None,
    margin: float = 3.0,
    k: Numbers | None = None,
    hw: Gaussians | None = None,
) -> np.ndarray:
    """Writes a cube file as PySCF's cubegen does, of one orbital, or with occupations of the density of several.

    Parameters
    ----------
    mol : pyscf.gto.Mole, or what has its methods; pyscf.pbc.gto.Cell, whose box is that of the file, with functions summed
        over all images; or Molden, of Basis.from_molden
    outfile : the file's name
    coefficients : array (functions,) of the orbital: mo_coeff[:, 3]; with occupations (norbitals, functions): mo_coeff.T
    occupations : array (norbitals,)
    nx, ny, nz, resolution, margin : as PySCF's: points of the axes, or bohr between them; bohr around the nuclei of a
        molecule.  Axes of a cell are its vectors, in steps of an nx-th, ny-th and nz-th
    k : of a cell: the point as PySCF has it, x, y and z in 1/bohr, where the density of complex orbitals is written; None: the
        origin
    hw : an open handle; None: one of its own

    Returns the values, an array (nx, ny, nz).
    """
    from . import open as open_

    numbers, charges, nuclei = _atoms(mol)
    basis = mol.basis if isinstance(mol, Molden) else Basis.from_pyscf(mol)
    cell = hasattr(mol, "lattice_vectors")
    if k is not None and not cell:
        raise ValueError("k is a point of a periodic cell, and this is a molecule")
    if k is not None and occupations is None:
        raise ValueError(
            "an orbital at a point k is complex, and values of a cube file are real: write its density, with occupations"
        )
    if np.iscomplexobj(coefficients) and k is None:
        raise TypeError("coefficients are complex, which orbitals at the origin are not: pass k, or their real parts")
    center = nuclei.min(axis=0) + np.ptp(nuclei, axis=0) / 2
    vectors = np.asarray(mol.lattice_vectors(), float) if cell else np.diag(np.ptp(nuclei, axis=0) + 2 * margin)
    if resolution is not None:
        nx, ny, nz = (int(math.ceil(side / resolution)) for side in np.linalg.norm(vectors, axis=1))
    n = np.array((nx, ny, nz))
    if cell:
        box = Box.of_cell(mol, (nz, ny, nx), center - vectors.sum(axis=0) / 2)
    else:
        box = Box((nz, ny, nx), np.diag(vectors) / np.maximum(n - 1, 1), nuclei.min(axis=0) - margin)
    steps = np.asarray(box.steps) if cell else np.diag(box.steps)
    own = hw if hw is not None else open_()
    if occupations is None:
        values = own.orbitals_grid(
            basis, np.ascontiguousarray(unmasked(coefficients, "coefficients"), float).reshape(1, -1), box
        )[0]
        title = "Orbital value in real space (1/Bohr^3)"
    else:
        weights = np.ascontiguousarray(unmasked(occupations, "occupations"), float)
        if k is None:
            values = own.density_grid(basis, coefficients, weights, box)
        else:
            along = vectors @ np.asarray(k, float) / np.linalg.norm(vectors, axis=1)
            values = own.density_grid_k(basis, coefficients, weights, box, along)
        title = "Electron density in real space (e/Bohr^3)"
    field = values.transpose(2, 1, 0)
    with open(outfile, "w") as f:
        f.write(f"{title}\nconvk\n")
        f.write(f"{len(nuclei):5d}" + "%12.6f%12.6f%12.6f\n" % tuple(box.origin))
        for axis in range(3):
            f.write(f"{n[axis]:5d}" + "%12.6f%12.6f%12.6f\n" % tuple(steps[axis]))
        for number, charge, at in zip(numbers, charges, nuclei):
            f.write("%5d%12.6f" % (number, charge) + "%12.6f%12.6f%12.6f\n" % tuple(at))
        row = "".join("%13.5E" * min(6, nz - first) + "\n" for first in range(0, nz, 6))
        f.writelines(row % tuple(column) for column in np.ascontiguousarray(field).reshape(-1, nz).tolist())
    return field


def _atoms(mol):
    """Numbers of the elements, charges without what pseudopotentials replace, and positions."""
    if isinstance(mol, Molden):
        return mol.numbers, mol.charges, mol.positions
    charges, nuclei = mol.atom_charges(), np.asarray(mol.atom_coords(), float)
    core = getattr(mol, "atom_nelec_core", lambda i: 0)
    return [int(round(float(charge))) + int(core(i)) for i, charge in enumerate(charges)], charges, nuclei
