"""Functions of every element of an array."""

from __future__ import annotations

import numpy as np

from ._core import Handle, address, contiguous, kind_of, result


class Functions(Handle):
    """The calls on elements: float32 and float64 arrays of any shape, contiguous; at most 1 ulp."""

    def exp(self, x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """exp(x), to 1 ulp.  out: an array as x, or x itself."""
        return self._map("exp", x, out)

    def expm1(self, x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """exp(x) - 1, without loss of digits where x is small, to 0.95 ulp.  out: an array as x, or x itself."""
        return self._map("expm1", x, out)

    def log(self, x: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """The natural logarithm, to 1 ulp: NaN below 0, -inf of 0.  out: an array as x, or x itself."""
        return self._map("log", x, out)

    def sincos(self, x: np.ndarray, out: tuple[np.ndarray, np.ndarray] | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(sin(x), cos(x)), to 0.85 ulp for every x.  out: two arrays as x, one of which may be x itself."""
        s, c = (None, None) if out is None else out
        return self._map("sincos", x, s, c)

    def _map(self, name, x, *outs):
        kind = kind_of(x, "x")
        contiguous(x, "x")
        outs = tuple(contiguous(result(out, "out", kind, x.shape), "out") for out in outs)
        self._call(name, kind, x.size, address(x), *map(address, outs))
        return outs if len(outs) > 1 else outs[0]
