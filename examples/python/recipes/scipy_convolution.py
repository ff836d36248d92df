"""Batches of 2D convolutions beside scipy.signal.

    python scipy_convolution.py [--threads N] [--json FILE]
"""

import common  # first: it sets the number of threads
import numpy as np
import scipy.fft
from scipy.signal import fftconvolve, oaconvolve

import convk

# SciPy's function, mode, type, fields, rows and columns of a field and of the kernel
CASES = (
    (fftconvolve, "full", "f32", 256, (32, 32), (32, 32)),
    (fftconvolve, "full", "c32", 256, (32, 32), (32, 32)),
    (fftconvolve, "same", "f32", 128, (64, 64), (9, 9)),
    (fftconvolve, "same", "f64", 128, (64, 64), (9, 9)),
    (fftconvolve, "valid", "f32", 32, (128, 96), (15, 17)),
    (fftconvolve, "valid", "c64", 16, (128, 96), (15, 17)),
    (oaconvolve, "same", "f32", 128, (64, 64), (9, 9)),
    (oaconvolve, "same", "f32", 1, (1024, 768), (31, 31)),
    (oaconvolve, "full", "f64", 1, (1024, 768), (31, 31)),
)
TYPES = {"f32": np.float32, "f64": np.float64, "c32": np.complex64, "c64": np.complex128}


def numbers(random, shape, dtype):
    x = random.standard_normal((2, *shape))
    return (x[0] + 1j * x[1] if np.issubdtype(dtype, np.complexfloating) else x[0]).astype(dtype)


def main():
    options = common.options(__doc__)
    table = common.Table(options)
    random = np.random.default_rng(1)
    with convk.open(options.hw, threads=options.threads) as hw, scipy.fft.set_workers(options.threads):
        for function, mode, kind, items, shape, kernel_shape in CASES:
            if options.quick:
                items = min(items, 8)
            dtype = TYPES[kind]
            fields, kernel = numbers(random, (items, *shape), dtype), numbers(random, kernel_shape, dtype)
            plan = convk.FFTConv2D(shape, kernel, mode)
            out = np.empty((items, *plan.out_shape), dtype)
            size = f"{mode}, {items} of {shape[0]}x{shape[1]} with {kernel_shape[0]}x{kernel_shape[1]}"
            name = f"scipy.signal.{function.__name__}"
            table.compare("fftconv2d", kind, size, name, lambda: hw.fftconv2d(plan, fields, out=out),
                          lambda: function(fields, kernel[None], mode, axes=(-2, -1)), fields.size / 1e6, "M points/s",
                          3e-6 if kind in ("f32", "c32") else 1e-14,
                          (function, mode, kind) == (fftconvolve, "same", "f32") and f"`{name}`, {kind}, {size}")
    table.end()


if __name__ == "__main__":
    main()
