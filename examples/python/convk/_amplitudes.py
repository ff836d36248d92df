"""Amplitudes of atoms: what they scatter into directions."""

from __future__ import annotations

from typing import Any, Literal, Mapping, Sequence

import numpy as np

from ._core import NULL, Handle, address, ffi, result, unmasked, vector
from ._distances import Scatters, _atoms_of, _of_ase, _opened, _scatterers
from ._forms import COMPLEX_OF

#: What a call gives: F of each frame, sums of each frame and kind, or the mean of |F|^2 over all frames.
Output = Literal["frames", "kinds", "mean"]
_OUTPUTS = {"frames": 0, "kinds": 1, "mean": 2}


class Amplitudes(Handle):
    """The calls on positions and q."""

    def amplitudes(
        self,
        positions: np.ndarray,
        q: np.ndarray,
        scatters: Sequence[Scatters] | None = None,
        *,
        qz_imag: np.ndarray | None = None,
        kinds: np.ndarray | None = None,
        weights: np.ndarray | None = None,
        cell: np.ndarray | None = None,
        output: Output = "frames",
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """F(q) = sum over atoms of f w exp(i q.r), for a list of q.

        Parameters
        ----------
        positions : (n, 3), or (frames, n, 3); they are copied, axis by axis
        q : (nq, 3), of the same dtype, in the inverse unit; with a cell indices h, k, l; copied, axis by axis
        qz_imag : array (nq,), imaginary parts of the third component, as in an absorbing film, or None: exp(i q.r) has the factor
            exp(-qz_imag z)
        scatters : of each kind a Scatterer or a number; None: 1.  output="kinds" leaves them out
        kinds : integers (n,), the kind of each atom; None: all are 0
        weights : (n,), a real factor of each atom
        cell : three vectors (3, 3), whose reciprocal nodes q are; None: q is what it is
        output : "frames": F of each frame; "kinds": sums of each frame and kind; "mean": the mean of |F|^2 over all frames
        out : array of the result's shape

        Returns
        -------
        complex (nq,), or (frames, nq) of many; with "kinds" (kinds, nq) or (frames, kinds, nq); with "mean" real (nq,)
        """
        if np.ndim(q) != 2 or q.shape[1] != 3:
            raise ValueError(f"q has the shape {np.shape(q)}, not (nq, 3)")
        axes = np.ascontiguousarray(np.moveaxis(q, -1, 0))
        return self._amplitudes(positions, axes, None, scatters, kinds, weights, cell, output, out, qz_imag)

    def amplitudes_grid(
        self,
        positions: np.ndarray,
        qx: np.ndarray,
        qy: np.ndarray,
        qz: np.ndarray,
        scatters: Sequence[Scatters] | None = None,
        *,
        kinds: np.ndarray | None = None,
        weights: np.ndarray | None = None,
        cell: np.ndarray | None = None,
        output: Output = "frames",
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """The same on the tensor grid (qx[i], qy[j], qz[k]): arrays (..., nz, ny, nx), which are C-contiguous.

        Axes that have -q for every q, in reverse order and exactly, as np.arange(-n, n + 1) * step has, are four times as fast.
        """
        return self._amplitudes(positions, (qx, qy, qz), (len(qz), len(qy), len(qx)), scatters, kinds, weights, cell, output, out)

    def _amplitudes(self, positions, q, shape, scatters, kinds, weights, cell, output, out, imag=None):
        kind, atoms, n, nkinds = _atoms_of(positions, kinds, weights)
        if output not in _OUTPUTS:
            raise ValueError(f'output is {output!r}, none of "frames", "kinds", "mean"')
        if scatters is not None:
            nkinds = max(nkinds, len(scatters))
        points = (len(q[0]),) if shape is None else shape
        sets = () if output == "mean" or positions.ndim == 2 else (len(positions),)
        sets = (*sets, nkinds) if output == "kinds" else sets
        out = result(out, "out", kind if output == "mean" else COMPLEX_OF[kind], (*sets, *points))
        if not out.flags.c_contiguous:
            raise ValueError("out has gaps between its elements")
        x, y, z = (vector(v, name, kind) for v, name in zip(q, ("qx", "qy", "qz")))
        imag = vector(imag, "qz_imag", kind, len(q[0]))
        box = NULL
        if cell is not None:
            vectors = np.array(unmasked(cell, "cell"), float)
            if vectors.shape != (3, 3):
                raise ValueError(f"cell has the shape {vectors.shape}, not (3, 3)")
            box = ffi.new("convk_cell *", vectors.tolist())
        of = _scatterers(scatters, nkinds)
        options = ffi.new("convk_amplitude_options *", (_OUTPUTS[output], nkinds, of, box))
        waves = ffi.new(f"convk_q_{kind} *", (points[-1], x, y, z, NULL, NULL, imag))
        if not out.size or not n:
            out[...] = 0
            return out
        if shape is None:
            self._call_in_tasks("amplitudes", kind, atoms.c, waves, options, address(out), NULL, 0)
        else:
            grid = ffi.new("convk_grid3 *", (shape[2], shape[1], shape[0], 0, 0))
            self._call_in_tasks("amplitudes_grid", kind, atoms.c, grid, waves, options, address(out), NULL, 0)
        return out


def amplitudes(
    atoms: Any, q: np.ndarray, scatters: Mapping[str, Scatters] | None = None, *, hw: Amplitudes | None = None
) -> np.ndarray:
    """F(q) of ase.Atoms, as a particle in nothing: convk.amplitudes(atoms, q) with q of shape (nq, 3), in 1 / angstrom.

    scatters : a Scatterer or a number for each symbol; None: points of as many electrons as the atomic number says
    """
    symbols, positions, kinds = _of_ase(atoms)
    numbers = dict(zip(atoms.get_chemical_symbols(), map(int, atoms.get_atomic_numbers()))) if scatters is None else scatters
    with _opened(hw) as own:
        return own.amplitudes(
            positions, np.ascontiguousarray(q, float), [numbers[symbol] for symbol in symbols] or None, kinds=kinds
        )
