"""Functions of every element of an array."""

from __future__ import annotations

from typing import Any, Sequence, Tuple, Union, overload

import numpy as np

from ._core import Handle, elementwise

Numbers = Union[np.ndarray, Sequence[Any]]
Pair = Tuple[np.ndarray, np.ndarray]


class Functions(Handle):
    """The calls on elements: float32 and float64 arrays of any shape whose elements lie without gaps, in C's order, Fortran's
    or any other, which results share; at most 1 ulp.  Lists and numbers are taken as float64, and numbers give numbers."""

    @overload
    def exp(self, x: float, out: None = None) -> float: ...
    @overload
    def exp(self, x: Numbers, out: np.ndarray | None = None) -> np.ndarray: ...
    def exp(self, x: Numbers | float, out: np.ndarray | None = None) -> np.ndarray | float:
        """exp(x), to 1 ulp.  out: an array as x, or x itself."""
        return self._map("exp", x, out)[0]

    @overload
    def expm1(self, x: float, out: None = None) -> float: ...
    @overload
    def expm1(self, x: Numbers, out: np.ndarray | None = None) -> np.ndarray: ...
    def expm1(self, x: Numbers | float, out: np.ndarray | None = None) -> np.ndarray | float:
        """exp(x) - 1, without loss of digits where x is small, to 0.95 ulp.  out: an array as x, or x itself."""
        return self._map("expm1", x, out)[0]

    @overload
    def log(self, x: float, out: None = None) -> float: ...
    @overload
    def log(self, x: Numbers, out: np.ndarray | None = None) -> np.ndarray: ...
    def log(self, x: Numbers | float, out: np.ndarray | None = None) -> np.ndarray | float:
        """The natural logarithm, to 1 ulp: NaN below 0, -inf of 0.  out: an array as x, or x itself."""
        return self._map("log", x, out)[0]

    @overload
    def sincos(self, x: float, out: None = None) -> tuple[float, float]: ...
    @overload
    def sincos(self, x: Numbers, out: Pair | None = None) -> Pair: ...
    def sincos(self, x: Numbers | float, out: Pair | None = None) -> Pair | tuple[float, float]:
        """(sin(x), cos(x)), to 0.85 ulp for every x.  out: two arrays as x, one of which may be x itself."""
        if out is None:
            return self._map("sincos", x, None, None)
        if isinstance(out, np.ndarray) or len(out) != 2:
            raise TypeError("out is not a pair of arrays, one for sin(x) and one for cos(x): pass out=(s, c)")
        return self._map("sincos", x, *out)

    def _map(self, name, x, *outs):
        number = np.isscalar(x)
        if number or isinstance(x, (list, tuple)):
            x = np.asarray(x, None if isinstance(x, np.floating) else np.float64)
        kind, addresses, outs = elementwise(x, "x", *outs)
        self._call(name, kind, x.size, *addresses)
        return tuple(out[()] for out in outs) if number else outs
