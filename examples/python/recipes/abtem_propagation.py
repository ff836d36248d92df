"""Propagation of electron waves from slice to slice of a specimen, as multislice codes do it, beside abTEM.

    python abtem_propagation.py [--threads N] [--json FILE]

A propagator is given as what multiplies the transform of a wave: convk.FFTConv2D.from_spectrum makes a plan of it, and hw.fftconv2d
propagates a batch of waves in one call."""

import common  # first: it sets the number of threads
import numpy as np

import convk

CASES = ((64, (128, 128)), (32, (256, 256)), (8, (512, 512)))  # waves, and points of each
ENERGY, SAMPLING, THICKNESS = 200e3, 0.05, 2.0  # eV; Angstrom


def main():
    options = common.options(__doc__)
    table = common.Table(options)
    with convk.open(options.hw, threads=options.threads) as hw:
        abtem = common.installed(table, "propagation of waves", "abtem")
        if abtem:
            from abtem.core.axes import UnknownAxis
            from abtem.multislice import FresnelPropagator

            abtem.config.set({"device": "cpu"})
        random = np.random.default_rng(1)
        for items, shape in CASES if abtem else ():
            if options.quick:
                items, shape = 4, (64, 64)
            array = (random.standard_normal((items, *shape)) + 1j * random.standard_normal((items, *shape))).astype(np.complex64)
            waves = abtem.Waves(array, energy=ENERGY, sampling=SAMPLING, ensemble_axes_metadata=[UnknownAxis()])
            propagator = FresnelPropagator()
            spectrum = np.ascontiguousarray(propagator.get_array(waves, THICKNESS), np.complex64)
            plan, out = convk.FFTConv2D.from_spectrum(shape, spectrum), np.empty_like(array)
            size = f"{items} waves of {shape[0]}x{shape[1]}"
            table.compare("fftconv2d", "c32", size, "abTEM FresnelPropagator", lambda: hw.fftconv2d(plan, array, out=out),
                          lambda: propagator.propagate(waves, THICKNESS).array, array.size / 1e6, "M points/s", 3e-6,
                          items == 32 and f"abTEM's Fresnel propagator, c32, {size}")
    table.end()


if __name__ == "__main__":
    main()
