"""2D convolutions of batches by FFT, and 2D transforms."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from ._core import (
    COMPLEX,
    NULL,
    TYPES,
    Handle,
    Held,
    Memory,
    address,
    choice,
    expect,
    ffi,
    kind_of,
    lib,
    parts,
    pitches,
    plain,
    result,
    size_of,
)

ConvolutionMode = Literal["full", "same", "valid"]
Mode = Literal["full", "same", "valid", "circular", "window"]
MODES = {
    "full": lib.CONVK_FFT_FULL,
    "same": lib.CONVK_FFT_SAME,
    "valid": lib.CONVK_FFT_VALID,
    "circular": lib.CONVK_FFT_CIRCULAR,
    "window": lib.CONVK_FFT_WINDOW,
}


class FFTConv2D(Held):
    """A plan of fftconv2d: kernels, transformed once.  It serves any handle and any threads.

    Parameters
    ----------
    shape : (rows, columns) of a field
    kernels : array (kernels, rows, columns), or (rows, columns) for one, of the dtype of the fields: float32, float64,
        complex64 or complex128
    mode : "full", "same", "valid" as in scipy.signal.convolve; "circular"; "window": `out_shape` results of the full ones, from
        `origin` on
    correlation : the kernels are conjugated and reversed.  The transpose of mode "same" is the correlation of mode "window" from
        origin (rows // 2, columns // 2) of a kernel on; for odd sizes that is "same"
    origin, out_shape : of "circular" and "window"
    fft_shape : of the transforms, or the period of "circular"; None: chosen

    Attributes: out_shape and fft_shape as they are used, kernels (how many), dtype.
    """

    shape: tuple[int, int]
    out_shape: tuple[int, int]
    fft_shape: tuple[int, int]
    kernels: int
    dtype: np.dtype[Any]

    def __init__(
        self,
        shape: tuple[int, int],
        kernels: np.ndarray,
        mode: Mode = "full",
        *,
        correlation: bool = False,
        origin: tuple[int, int] = (0, 0),
        out_shape: tuple[int, int] | None = None,
        fft_shape: tuple[int, int] | None = None,
    ) -> None:
        kind = kind_of(kernels, "kernels", (*TYPES.values(),))
        stack = kernels if kernels.ndim == 3 else kernels[np.newaxis]
        if stack.ndim != 3:
            raise ValueError(f"kernels has {kernels.ndim} axes, not 2 or 3: (kernels, rows, columns)")
        stride, pitch = pitches(stack, "kernels", 2)
        c = ffi.new(
            "convk_fftconv2d_shape *",
            {
                "rows": shape[0],
                "columns": shape[1],
                "kernel_rows": stack.shape[1],
                "kernel_columns": stack.shape[2],
                "mode": choice(mode, "mode", MODES),
                "correlation": bool(correlation),
                "origin_row": origin[0],
                "origin_column": origin[1],
            },
        )
        c.out_rows, c.out_columns = (0, 0) if out_shape is None else out_shape
        c.fft_rows, c.fft_columns = (0, 0) if fft_shape is None else fft_shape
        full = ffi.new("convk_fftconv2d_shape *")
        plain("fftconv2d_resolve", c, full)
        size = size_of(f"fftconv2d_plan_size_{kind}", c, len(stack))
        self._memory = Memory(f"convk_fftconv2d_plan_{kind}", size)
        plain(f"fftconv2d_prepare_{kind}", c, len(stack), address(stack), pitch, stride, self._memory.c, size)
        self._know(full, len(stack), kernels.dtype)

    @classmethod
    def from_spectrum(
        cls,
        shape: tuple[int, int],
        spectrum: np.ndarray,
        dtype: Any = None,
        *,
        mode: Mode = "circular",
        kernel_shape: tuple[int, int] = (1, 1),
        correlation: bool = False,
        origin: tuple[int, int] = (0, 0),
        out_shape: tuple[int, int] | None = None,
    ) -> FFTConv2D:
        """A plan from transforms of kernels, as propagators and transfer functions are given: fftconv2d then is, where
        circular, ifft2(fft2(fields) * spectrum).

        Parameters
        ----------
        shape : (rows, columns) of a field; where circular, that of the transforms, too
        spectrum : complex array (kernels, rows, columns), or (rows, columns) for one, in the order of np.fft.fft2; its shape is
            fft_shape.  It is copied where it is not contiguous, as what fft2 of NumPy 1 returns
        dtype : of the fields; None: that of spectrum.  Of real fields, of its real type, kernels must be real: of them only
            rows up to the middle one are read
        mode, correlation, origin, out_shape : as of FFTConv2D
        kernel_shape : of the kernels that were transformed, where not circular
        """
        complex_kind = kind_of(spectrum, "spectrum", COMPLEX)
        dtype = spectrum.dtype if dtype is None else np.dtype(dtype)
        kind = TYPES.get(dtype)
        if kind not in (complex_kind, {"c32": "f32", "c64": "f64"}[complex_kind]):
            raise TypeError(f"fields of {dtype} do not go with a spectrum of {spectrum.dtype}")
        stack = np.ascontiguousarray(spectrum if spectrum.ndim == 3 else spectrum[np.newaxis])
        if stack.ndim != 3:
            raise ValueError(f"spectrum has {spectrum.ndim} axes, not 2 or 3: (kernels, rows, columns)")
        stride, pitch = pitches(stack, "spectrum", 2)
        circular = mode == "circular"
        c = ffi.new(
            "convk_fftconv2d_shape *",
            {
                "rows": shape[0],
                "columns": shape[1],
                "kernel_rows": kernel_shape[0],
                "kernel_columns": kernel_shape[1],
                "mode": choice(mode, "mode", MODES),
                "correlation": bool(correlation),
                "origin_row": origin[0],
                "origin_column": origin[1],
                "fft_rows": stack.shape[1],
                "fft_columns": stack.shape[2],
            },
        )
        if circular and tuple(shape) != stack.shape[1:]:
            raise ValueError(
                f"spectrum has the shape {stack.shape[1:]}, not that of the fields, {tuple(shape)}, as mode='circular' wants"
            )
        c.out_rows, c.out_columns = (0, 0) if out_shape is None else out_shape
        full = ffi.new("convk_fftconv2d_shape *")
        plain("fftconv2d_resolve", c, full)
        size = size_of(f"fftconv2d_plan_size_{kind}", c, len(stack))
        plan = cls.__new__(cls)
        plan._memory = Memory(f"convk_fftconv2d_plan_{kind}", size)
        plain(f"fftconv2d_prepare_spectrum_{kind}", c, len(stack), address(stack), pitch, stride, plan._memory.c, size)
        plan._know(full, len(stack), dtype)
        return plan

    def _know(self, full, kernels, dtype):
        self.shape, self.kernels, self.dtype = (full.rows, full.columns), kernels, dtype
        self.out_shape, self.fft_shape = (full.out_rows, full.out_columns), (full.fft_rows, full.fft_columns)


class FFT2D(Held):
    """A plan of fft2d for fields of `shape` (rows, columns), products of 2, 3, 5, 7 up to 1024."""

    shape: tuple[int, int]
    dtype: np.dtype[Any]

    def __init__(self, shape: tuple[int, int], dtype: Any = np.complex128) -> None:
        self.shape, self.dtype = (shape[0], shape[1]), np.dtype(dtype)
        kind = kind_of(np.empty(0, dtype), "an array of this dtype", COMPLEX)
        size = size_of(f"fft2d_plan_size_{kind}", *self.shape)
        self._memory = Memory(f"convk_fft2d_plan_{kind}", size)
        plain(f"fft2d_prepare_{kind}", *self.shape, self._memory.c, size)


class Transforms(Handle):
    """The calls on batches of 2D fields: arrays (items, rows, columns), or (rows, columns) for one; columns contiguous."""

    def fftconv2d(
        self, plan: FFTConv2D, fields: np.ndarray, *, kernel: np.ndarray | None = None, out: np.ndarray | None = None
    ) -> np.ndarray:
        """Convolutions of many fields with the kernels of a plan.

        Parameters
        ----------
        plan : FFTConv2D
        fields : array (items, *plan.shape) or of plan.shape, of the plan's dtype
        kernel : array (items,) of uintp: which of the plan's kernels an item takes; None: item i takes i * kernels // items
        out : array (items, *plan.out_shape) or of plan.out_shape
        """
        if not isinstance(plan, FFTConv2D):
            raise TypeError(f"plan is {type(plan).__name__}, not FFTConv2D")
        kind = TYPES[plan.dtype]
        one = expect(fields, "fields", kind).ndim == 2
        items = 1 if one else len(fields)
        expect(fields, "fields", kind, plan.shape if one else (items, *plan.shape))
        out = result(out, "out", kind, plan.out_shape if one else (items, *plan.out_shape))
        index = NULL
        if kernel is None:
            if items % plan.kernels:
                raise ValueError(f"{items} fields cannot be dealt out evenly to {plan.kernels} kernels: pass kernel=")
            if plan.kernels > 1:
                kernel = np.arange(items, dtype=np.uintp) // max(1, items // plan.kernels)
        if kernel is not None:
            if not isinstance(kernel, np.ndarray) or kernel.dtype != np.uintp:
                raise TypeError("kernel is not an array of numpy.uintp: pass kernel.astype(numpy.uintp)")
            if kernel.shape != (items,):
                raise ValueError(f"kernel has the shape {kernel.shape}, not {(items,)}")
            pitches(kernel, "kernel", 0)
            index = address(kernel, "size_t")
        self._batch("fftconv2d", kind, plan, (), fields, out, index)
        return out

    def convolve2d(
        self,
        fields: np.ndarray,
        kernels: np.ndarray,
        mode: ConvolutionMode = "full",
        *,
        correlation: bool = False,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Convolutions as one call, in the terms of scipy.signal.convolve: a plan is made and thrown away.

        Parameters
        ----------
        fields : array (items, rows, columns) or (rows, columns); float32, float64, complex64 or complex128
        kernels : array (rows, columns) for all fields, or (kernels, rows, columns): with as many fields for each
        mode : "full", "same", "valid"
        correlation : the kernels are conjugated and reversed
        out : array of the result's shape
        """
        return self.fftconv2d(FFTConv2D(fields.shape[-2:], kernels, mode, correlation=correlation), fields, out=out)

    def fft2d(
        self, fields: np.ndarray, *, inverse: bool = False, plan: FFT2D | None = None, out: np.ndarray | None = None
    ) -> np.ndarray:
        """Discrete Fourier transforms as numpy.fft.fft2 and ifft2.

        Parameters
        ----------
        fields : complex64 or complex128 array (items, rows, columns) or (rows, columns)
        inverse : exp(+...), divided by rows * columns
        plan : FFT2D; None: one is made
        out : array as fields
        """
        kind = kind_of(fields, "fields", COMPLEX)
        plan = FFT2D(fields.shape[-2:], fields.dtype) if plan is None else plan
        one = fields.ndim == 2
        expect(fields, "fields", TYPES[plan.dtype], plan.shape if one else (len(fields), *plan.shape))
        out = result(out, "out", kind, fields.shape)
        self._batch("fft2d", kind, plan, (lib.CONVK_INVERSE if inverse else lib.CONVK_FORWARD,), fields, out, NULL)
        return out

    def _batch(self, name, kind, plan, direction, fields, out, index):
        if fields.ndim == 2:
            fields, out = fields[np.newaxis], out[np.newaxis]
        in_stride, in_pitch = pitches(fields, "fields", 2)
        out_stride, out_pitch = pitches(out, "out", 2)
        words = 2 if kind in COMPLEX else 1
        to, of = address(out), address(fields)
        each = 2e7 // max(1, fields.shape[1] * fields.shape[2])
        for first, count in parts(len(fields), max(256, each)):
            batch = ffi.new("convk_batch2d *", (count, in_pitch, in_stride, out_pitch, out_stride, index, 0))
            self._call(
                name,
                kind,
                plan._memory.c,
                *direction,
                batch,
                of + first * in_stride * words,
                to + first * out_stride * words,
                NULL,
                0,
            )
            index = NULL if index == NULL else index + count
