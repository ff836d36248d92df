"""Distances of atoms: histograms of pairs, g(r), and what atoms scatter in all orientations."""

from __future__ import annotations

import contextlib
from typing import Any, Literal, Mapping, NamedTuple, Sequence, Tuple, Union, overload

import numpy as np

from ._core import NULL, REAL, Handle, Held, address, ffi, kind_of, result, unmasked, vector

Moments = Literal[0, 1, 2]


class Scatterer(NamedTuple):
    """What an atom of a kind scatters: f(s) = (sum of a exp(-b s^2) + c) exp(-thermal s^2), s = q / (4 pi).

    X-rays: a, b, c of a table, b in square angstrom for q in 1 / angstrom; f' + i f'' are added to c.  Neutrons: the scattering
    length as c, no a and b.  At most six a and b.  thermal: B = 8 pi^2 <u^2> of an axis."""

    a: Sequence[float] = ()
    b: Sequence[float] = ()
    c: complex = 0
    thermal: float = 0


#: What Hardware.debye takes for a kind: a Scatterer, or the same number for all q.
Scatters = Union[Scatterer, complex]


class Distances(Held):
    """Histograms of distances, of all pairs of kinds a <= b: see Hardware.pair_histogram, which makes and fills them.

    Attributes
    ----------
    width : of a bin; a distance r is in the bin int(r / width)
    pairs : the kinds (a, b) of each histogram
    atoms : how many of each kind, in all frames; with weights the sums of their squares
    frames : how many there were
    count : (pairs, bins), integers: pairs of atoms, each once
    moment : (pairs, bins) and (pairs, bins, 2), integers: sums of f and of f^2 (its lower and upper 64 bits), f the place in
        the bin in units of 2^-20 of its width; as many of the two as `moments` says
    sum : (pairs, bins, moments + 1), with weights, in place of count and moment: sums of w, w f and w f^2; else None
    beyond : (pairs,), integers: pairs that are further apart than all bins; None in a periodic cell, or with weights
    """

    def __init__(self, bins: int, width: float, kinds: int = 1, moments: Moments = 2, weighted: bool = False) -> None:
        if min(bins, kinds) < 1 or moments not in (0, 1, 2):
            raise ValueError(
                f"{bins} bins, {kinds} kinds, {moments} moments: at least one bin and one kind, and 0 to 2 moments"
            )
        self.width, self.frames, self.moments = float(width), 0, moments
        self.pairs = [(a, b) for a in range(kinds) for b in range(a, kinds)]
        shape = (len(self.pairs), bins)
        self.atoms = np.zeros(kinds)
        self.count = None if weighted else np.zeros(shape, np.uint64)
        self.moment = tuple(np.zeros(s, np.uint64) for s in (shape, (*shape, 2))[: 0 if weighted else moments])
        self.sum = np.zeros((*shape, moments + 1)) if weighted else None
        self.beyond = None if weighted else np.zeros(len(self.pairs), np.uint64)

        def of(array: np.ndarray | None) -> Any:
            return NULL if array is None else address(array, "double" if weighted else "uint64_t")

        self._c = ffi.new(
            "convk_distances *",
            (bins, kinds, self.width, moments, of(self.count), [of(m) for m in self.moment], of(self.sum), of(self.beyond)),
        )

    @property
    def edges(self) -> np.ndarray:
        """The edges of the bins: one more than there are bins."""
        return self.width * np.arange(self._c.bins + 1)

    @property
    def mean(self) -> np.ndarray:
        """The mean distance of each bin, (pairs, bins); its middle where no pair is, or without moments."""
        bins = np.arange(self._c.bins)
        if not self.moments:
            return np.tile(self.width * (bins + 0.5), (len(self.pairs), 1))
        n, f = (self.sum[..., 0], self.sum[..., 1]) if self.sum is not None else (self.count, self.moment[0])
        place = np.full(np.shape(n), 0.5)
        np.divide(f, np.multiply(n, 2.0**20), out=place, where=n != 0)
        return self.width * (bins + place)

    def __iadd__(self, other: Distances) -> Distances:
        """Adds what another part, rank or run has counted of the same frames: `atoms` and `frames` stay as they are."""
        for own, others in zip(self._arrays(), other._arrays()):
            own += others
        if len(self.moment) == 2:  # what the lower 64 bits lost
            self.moment[1][..., 1] += self.moment[1][..., 0] < other.moment[1][..., 0]
        return self

    def _arrays(self):
        return [array for array in (self.count, *self.moment, self.sum, self.beyond) if array is not None]

    def rdf(self, volume: float) -> np.ndarray:
        """g(r) of each pair of kinds, (pairs, bins): pairs over those of atoms without order in this volume, N_a N_b of
        different kinds and N_a^2 / 2 of one; NaN for kinds without atoms."""
        shells = 4 / 3 * np.pi * np.diff(self.edges**3)
        n = self.atoms / max(1, self.frames)
        share = np.array([n[a] * n[b] / (2 if a == b else 1) for a, b in self.pairs])
        with np.errstate(invalid="ignore", divide="ignore"):
            return self._pairs() / (max(1, self.frames) * share[:, None] / volume * shells)

    def pdf(self, scatters: Sequence[complex] | None = None, density: float = 0) -> np.ndarray:
        """G(r) = R(r) / r - 4 pi r density, one number for each bin, at its middle.  R(r) width is the sum of f_a f_b over
        ordered pairs, over N <f>^2.

        Parameters
        ----------
        scatters : f of each kind, numbers; None: 1
        density : atoms per volume; 0: of a particle in nothing
        """
        f = np.ones(len(self.atoms)) if scatters is None else np.asarray(scatters)
        weight = np.array([2 * (f[a] * np.conj(f[b])).real for a, b in self.pairs])
        r = self.width * (np.arange(self._c.bins) + 0.5)
        mean = (self.atoms @ f) / self.atoms.sum()
        return weight @ self._pairs() / (self.width * self.atoms.sum() * abs(mean) ** 2 * r) - 4 * np.pi * r * density

    def _pairs(self):
        if self.count is None:
            raise ValueError("histograms of weights count no atoms: use kinds in place of weights")
        return self.count.astype(float)


class Scattering(Handle):
    """The calls on Distances."""

    def pair_histogram(
        self,
        positions: np.ndarray,
        width: float,
        bins: int,
        *,
        kinds: np.ndarray | None = None,
        weights: np.ndarray | None = None,
        cell: np.ndarray | None = None,
        moments: Moments = 2,
        part: Tuple[int, int] = (0, 1),
        out: Distances | None = None,
    ) -> Distances:
        """Counts the distances of all pairs of atoms, exactly: the same integers on all hardware, in any order of atoms.

        Parameters
        ----------
        positions : (n, 3), or (frames, n, 3); they are copied, axis by axis
        width, bins : of the histogram, which ends at their product
        kinds : integers (n,), the kind of each atom; None: all are 0
        weights : (n,), a real factor of each atom, of the dtype of positions
        cell : three vectors (3, 3) of a periodic cell, one of zeros where it is not periodic; None: open.  All images that the
            histogram reaches count, also beyond half the cell
        moments : sums of places in the bins: 0, 1 or 2; debye is the more accurate the more of them there are
        part : (index, count): one of `count` parts of the pairs, whose results add up
        out : Distances, to which the call adds

        Returns
        -------
        Distances
        """
        kind, atoms, n, nkinds = _atoms_of(positions, kinds, weights)
        frames = 1 if positions.ndim == 2 else len(positions)
        if out is not None:
            nkinds = max(nkinds, len(out.atoms))
        if out is None:
            out = Distances(bins, width, nkinds, moments, weights is not None)
        elif (out._c.bins, out.width, out.moments, len(out.atoms)) != (bins, width, moments, nkinds):
            raise ValueError("out has other bins, widths, moments or kinds")
        box = NULL
        if cell is not None:
            vectors = np.array(unmasked(cell, "cell"), float)
            if vectors.shape != (3, 3):
                raise ValueError(f"cell has the shape {vectors.shape}, not (3, 3)")
            box, out.beyond, out._c.beyond = ffi.new("convk_cell *", vectors.tolist()), None, NULL
        if frames and n:
            self._call_in_tasks("pair_histogram", kind, atoms.c, box, ffi.new("convk_part *", part), out._c, NULL, 0)
        if part[0] == 0:
            out.frames += frames
            squares = None if weights is None else np.asarray(weights, float) ** 2
            out.atoms += frames * np.bincount(np.zeros(n, int) if kinds is None else atoms.kinds, squares, nkinds)
        return out

    @overload
    def debye(
        self,
        distances: Distances,
        q: np.ndarray,
        scatters: Sequence[Scatters] | None = None,
        *,
        bound: Literal[False] = False,
        out: np.ndarray | None = None,
    ) -> np.ndarray: ...
    @overload
    def debye(
        self,
        distances: Distances,
        q: np.ndarray,
        scatters: Sequence[Scatters] | None = None,
        *,
        bound: Literal[True],
        out: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray]: ...
    def debye(
        self,
        distances: Distances,
        q: np.ndarray,
        scatters: Sequence[Scatters] | None = None,
        *,
        bound: bool = False,
        out: np.ndarray | None = None,
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """What the atoms of an open cell scatter, averaged over all orientations: Debye's formula, from their histograms.

        Parameters
        ----------
        distances : of pair_histogram; the sum of all its frames
        q : array of one axis, in the inverse unit of the width
        scatters : of each kind a Scatterer or a number; None: 1
        bound : whether to return a bound of what the bins leave out, too: (intensity, bound)
        """
        kind = kind_of(q, "q", REAL)
        x, nq = vector(q, "q", kind), len(q)
        out = result(out, "out", kind, (nq,))
        most = np.empty_like(out) if bound else None
        own = np.ascontiguousarray(distances.atoms)
        self._call_in_tasks(
            "debye",
            kind,
            distances._c,
            _scatterers(scatters, len(own)),
            address(own),
            nq,
            x,
            vector(out, "out", kind),
            vector(most, "bound", kind),
        )
        return (out, most) if bound else out

    def debye_direct(
        self,
        positions: np.ndarray,
        q: np.ndarray,
        scatters: Sequence[Scatters] | None = None,
        *,
        kinds: np.ndarray | None = None,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """The same of positions (n, 3), pair by pair and without bins: for few atoms, or to try debye."""
        if positions.ndim != 2:
            raise ValueError(f"positions has the shape {positions.shape}, not (n, 3)")
        kind, atoms, _, nkinds = _atoms_of(positions, kinds, None)
        x, nq = vector(q, "q", kind), len(q)
        out = result(out, "out", kind, (nq,))
        of = _scatterers(scatters, nkinds)
        self._call_in_tasks("debye_direct", kind, atoms.c, nkinds, of, nq, x, vector(out, "out", kind), NULL, 0)
        return out


class _Atoms:
    """The C struct of atoms, and the arrays that it points to."""

    def __init__(self, kind, positions, kinds, weights):
        n = positions.shape[-2]
        self.axes = np.ascontiguousarray(np.moveaxis(positions, -1, 0))
        self.kinds = None if kinds is None else np.ascontiguousarray(kinds, np.uint32)
        of = NULL if kinds is None else address(self.kinds, "uint32_t")
        frames = self.axes[0].size // max(n, 1)
        self.c = ffi.new(
            f"convk_atoms_{kind} *", (n, frames, n, *map(address, self.axes), of, vector(weights, "weights", kind, n))
        )


def _atoms_of(positions, kinds, weights):
    """The kind of numbers, _Atoms, and how many atoms and kinds there are."""
    kind = kind_of(positions, "positions", REAL)
    if positions.ndim not in (2, 3) or positions.shape[-1] != 3:
        raise ValueError(f"positions has the shape {positions.shape}, not (n, 3) or (frames, n, 3)")
    n = positions.shape[-2]
    if kinds is not None:
        kinds = np.asarray(unmasked(kinds, "kinds"))
        if kinds.shape != (n,) or kinds.dtype.kind not in "iu" or (n and not 0 <= kinds.min() <= kinds.max() < 1 << 16):
            raise ValueError(f"kinds is no array of {n} integers from 0 to 65535")
    return kind, _Atoms(kind, positions, kinds, weights), n, 1 if kinds is None else int(kinds.max(initial=0)) + 1


def _scatterers(scatters, kinds):
    if scatters is None:
        return NULL
    if len(scatters) != kinds:
        raise ValueError(f"scatters has {len(scatters)} members, and there are {kinds} kinds")
    c = ffi.new("convk_scatterer[]", kinds)
    for one, s in zip(c, scatters):
        s = s if isinstance(s, Scatterer) else Scatterer(c=s)
        if len(s.a) != len(s.b) or len(s.a) > 6:
            raise ValueError(f"a scatterer has {len(s.a)} a and {len(s.b)} b: as many, and at most 6")
        one.terms, one.thermal, value = len(s.a), s.thermal, complex(s.c)
        one.a[0 : len(s.a)], one.b[0 : len(s.b)], one.c = list(s.a), list(s.b), (value.real, value.imag)
    return c


# ---- of atoms as ASE has them: positions, get_atomic_numbers(), cell, pbc ----


def debye(
    atoms: Any,
    q: np.ndarray,
    scatters: Mapping[str, Scatters] | None = None,
    *,
    width: float = 0.01,
    hw: Scattering | None = None,
) -> np.ndarray:
    """The intensity that ase.Atoms scatter in all orientations, as a particle in nothing: convk.debye(atoms, q).

    Parameters
    ----------
    atoms : ase.Atoms, or what has its positions and get_chemical_symbols()
    q : array of one axis, in 1 / angstrom
    scatters : a Scatterer or a number for each symbol; None: points of as many electrons as the atomic number says
    width : of the bins; the error is largest where q width is
    hw : an open handle; None: one of its own
    """
    symbols, positions, kinds = _of_ase(atoms)
    numbers = dict(zip(atoms.get_chemical_symbols(), map(int, atoms.get_atomic_numbers()))) if scatters is None else scatters
    with _opened(hw) as own:
        extent = float(np.linalg.norm(np.ptp(positions, axis=0))) if len(positions) else 0.0
        found = own.pair_histogram(positions, width, int(extent / width) + 2, kinds=kinds)
        return own.debye(found, np.ascontiguousarray(q, float), [numbers[symbol] for symbol in symbols] or None)


def rdf(
    atoms: Any, r_max: float, bins: int = 200, *, hw: Scattering | None = None
) -> tuple[np.ndarray, dict[tuple[str, str], np.ndarray]]:
    """g(r) of ase.Atoms in a cell with three vectors, of each pair of elements: convk.rdf(atoms, 12.0).  All images to r_max
    count, also beyond half the cell.

    Returns the middles of the bins, and a dict of arrays for pairs of symbols.
    """
    symbols, found, volume = _counted(atoms, r_max, bins, hw)
    if not volume:
        raise ValueError("g(r) wants a cell that is periodic along all three vectors")
    r = found.width * (np.arange(bins) + 0.5)
    return r, {(symbols[a], symbols[b]): g for (a, b), g in zip(found.pairs, found.rdf(volume))}


def pdf(
    atoms: Any, r_max: float, bins: int = 1000, scatters: Mapping[str, complex] | None = None, *, hw: Scattering | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """G(r) of ase.Atoms: 4 pi r (rho(r) - rho_0), of a particle in nothing with rho_0 = 0, in a periodic cell with its density.

    scatters : a number for each symbol; None: atomic numbers.  Returns the middles of the bins, and G.
    """
    symbols, found, volume = _counted(atoms, r_max, bins, hw)
    numbers = dict(zip(atoms.get_chemical_symbols(), map(int, atoms.get_atomic_numbers()))) if scatters is None else scatters
    density = len(atoms) / volume if volume else 0.0
    return found.width * (np.arange(bins) + 0.5), found.pdf([numbers[symbol] for symbol in symbols], density)


def _of_ase(atoms):
    """Symbols of the elements, positions, and the kind of each atom: its place among these symbols."""
    symbols, kinds = np.unique(np.array(atoms.get_chemical_symbols(), dtype=str), return_inverse=True)
    return symbols.tolist(), np.array(atoms.positions, float).reshape(-1, 3), kinds


def _counted(atoms, r_max, bins, hw):
    symbols, positions, kinds = _of_ase(atoms)
    periodic = np.asarray(atoms.pbc, bool)
    cell = np.asarray(atoms.cell, float) * periodic[:, None] if periodic.any() else None
    with _opened(hw) as own:
        found = own.pair_histogram(positions, r_max / bins, bins, kinds=kinds, cell=cell, moments=0)
    return symbols, found, abs(float(np.linalg.det(atoms.cell))) if periodic.all() else 0.0


def _opened(hw):
    from . import open as open_

    return contextlib.nullcontext(hw) if hw is not None else open_()
