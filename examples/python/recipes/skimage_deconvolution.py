"""Richardson-Lucy deconvolution of images beside skimage.restoration.richardson_lucy.

    python skimage_deconvolution.py [--threads N] [--json FILE]

Each iteration convolves with the point spread function and correlates with it: two plans, made once, where SciPy's fftconvolve
transforms the function again each time. Of a function of even sizes the mode "same" of both lies half a pixel off in the same direction,
where they ought to undo one another; so the second plan names its window. scikit-image convolves with the mirror image in mode "same":
its iterations diverge for even sizes."""

import common  # first: it sets the number of threads
import numpy as np
from scipy.signal import fftconvolve

import convk

CASES = (("f32", (256, 256), (9, 9)), ("f64", (256, 256), (9, 9)), ("f32", (512, 384), (25, 25)))  # type, image, function
TYPES = {"f32": np.float32, "f64": np.float64}
ITERATIONS = 20


def plans_of(shape, psf):
    """To blur, and the transpose of that."""
    back = convk.FFTConv2D(shape, psf, "window", correlation=True, origin=tuple(n // 2 for n in psf.shape), out_shape=shape)
    return convk.FFTConv2D(shape, psf, "same"), back


def richardson_lucy(hw, plans, image, iterations):
    """What skimage does, clipped as there."""
    estimate = np.full_like(image, 0.5)
    blurred = np.empty_like(image)
    for _ in range(iterations):
        hw.fftconv2d(plans[0], estimate, out=blurred)
        blurred += 1e-12
        np.divide(image, blurred, out=blurred)
        estimate *= hw.fftconv2d(plans[1], blurred)
    return np.clip(estimate, -1, 1, out=estimate)


def main():
    options = common.options(__doc__)
    table = common.Table(options)
    with convk.open(options.hw, threads=options.threads) as hw:
        restoration = common.installed(table, "deconvolution", "skimage.restoration")
        random = np.random.default_rng(1)
        for kind, shape, function in CASES if restoration else ():
            if options.quick:
                shape = tuple(n // 4 for n in shape)
            y, x = (np.linspace(-2, 2, n) for n in function)
            psf = np.exp(-(y[:, None] ** 2) - x**2).astype(TYPES[kind])
            psf /= psf.sum()
            image = (0.5 + 0.4 * random.random(shape)).astype(TYPES[kind])
            plans = plans_of(shape, psf)
            size = f"{ITERATIONS} iterations of {shape[0]}x{shape[1]} with {function[0]}x{function[1]}"
            table.compare("fftconv2d", kind, size, "skimage richardson_lucy",
                          lambda: richardson_lucy(hw, plans, image, ITERATIONS),
                          lambda: restoration.richardson_lucy(image, psf, num_iter=ITERATIONS),
                          ITERATIONS * image.size / 1e6, "M points/s", 2e-5 if kind == "f32" else 1e-12,
                          kind == "f32" and function == (9, 9) and f"scikit-image's `richardson_lucy`, {kind}, {size}")
            blurred = hw.fftconv2d(plans[0], image), fftconvolve(image, psf, "same")  # iterations do not see a factor
            table.check(f"blurred, {kind}, {shape[0]}x{shape[1]}", "scipy.signal.fftconvolve", common.difference(*blurred),
                        2e-6 if kind == "f32" else 1e-14)
        sharp, psf = np.zeros((65, 65)), np.full((4, 4), 1 / 16)
        sharp[20:40, 25:30], sharp[45, 45] = 0.3, 1
        plans = plans_of(sharp.shape, psf)
        table.check("sharp again after 4x4, 100 iterations", "before it was blurred",
                    common.difference(richardson_lucy(hw, plans, hw.fftconv2d(plans[0], sharp), 100), sharp), 0.02)
    table.end()


if __name__ == "__main__":
    main()
