"""Measured choices of block sizes."""

from __future__ import annotations

from typing import Sequence

from ._core import BOUNDARIES, NULL, AnyBoundaries, Handle, check, ffi, lib, per_axis, said


class Tuning(Handle):
    """Tuning; it changes speed, never a result."""

    @property
    def tuned(self) -> str:
        """The tuned choices in use, as lines of text.  May be set to such text: lines of other machines are left out."""
        length, now = ffi.new("size_t *"), self._copy()
        check(lib.convk_tuned_write(NULL, now.tuned, now.ntuned, NULL, 0, length))
        text = ffi.new("char[]", length[0] + 1)
        check(lib.convk_tuned_write(NULL, now.tuned, now.ntuned, text, length[0] + 1, length))
        return ffi.string(text).decode()

    @tuned.setter
    def tuned(self, text: str) -> None:
        lines = text.encode()
        entries, count = ffi.new("convk_tuned[]", lines.count(b"\n") + 1), ffi.new("size_t *")
        check(lib.convk_tuned_read(self._copy(), lines, len(lines), entries, len(entries), count, NULL))
        with self._settled:
            self._tuned.append(entries)  # the former ones live on: another thread's call may be reading them
            self._c.tuned, self._c.ntuned = entries, count[0]

    def tune(
        self,
        operation: str,
        shape: Sequence[int],
        budget: float = 1.0,
        *,
        boundary: AnyBoundaries = "periodic",
        steps: int = 0,
        taps: int = 0,
        triangles: int = 0,
    ) -> str:
        """Measures what is best for one operation on this machine or device and these threads, and uses it.

        Parameters
        ----------
        operation : "stencil7_f64", "sepconv3d_f32", "sumconv3d_c64", "dwt3d_f64", "idwt3d_f64", "gridpot_f64",
            "gridpot_sum_f64", "orbitals_f64", "formfactor_f32", "formfactor_grid_f32", "fftconv2d_c32",
            "fft2d_c64", "pair_energy_f64", ...
        shape : sizes in NumPy's order: (nz, ny, nx); (sums, exponents, points); (orbitals, functions, points); (q, triangles);
            (items, rows, columns) of the FFT; (walkers, particles)
        budget : about how many seconds it may take
        boundary : of grids
        steps, taps, triangles : of a stencil (0: 1), a filter (0: 16, of sumconv3d 9), a grid of q (0: 4096)

        Returns
        -------
        The choice as a line of text, which is in self.tuned too: keep it and set self.tuned to it next time.
        """
        sizes = [*reversed(shape), 1, 1][:3]
        c = ffi.new(
            "convk_tune_shape *",
            {
                "grid": (*sizes, 0, 0),
                "boundary": list(per_axis(boundary, "boundary", BOUNDARIES)),
                "steps": steps,
                "taps": taps,
                "triangles": triangles,
            },
        )
        entry, text, length = ffi.new("convk_tuned *"), ffi.new("char[]", 1000), ffi.new("size_t *")
        with self._turn:
            handle = self._copy()
            status = lib.convk_tune(handle, operation.encode(), c, 1e3 * budget, entry)
        check(status, said(handle.message) if status else "")
        check(lib.convk_tuned_write(NULL, entry, 1, text, 1000, length))
        line = ffi.string(text).decode()
        with self._settled:  # no line of another thread is lost
            self.tuned = self.tuned + line
        return line
