"""What an installed package computes: its version, the best hardware, and for each operation a hash of its bits.

Hardware of one class, which multiplies and then adds or does both at once, has the same bits everywhere and with any number of
threads: that is looked at here.  From one system to another the lines of the classes that both have are compared.
"""

import hashlib
import sys

import numpy as np

import convk


FUSED = ("avx2", "avx512", "neon")


def numbers(*shape):
    """Numbers between -0.5 and 0.5 that need no function of the system."""
    count = int(np.prod(shape))
    integers = (np.arange(1, count + 1, dtype=np.uint64) * 2654435761) % 2**32
    return (integers / 2.0**32 - 0.5).reshape(shape)


def results(hw, real):
    grid = numbers(12, 14, 37).astype(real)
    points = numbers(101, 3).astype(real)
    mesh = convk.Mesh(np.eye(4, 3, dtype=real), [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    q = numbers(3, 40).astype(real)
    system = convk.PairSystem(5, trial=(2700, 0, 0.3, 0.01), potential=convk.hfdb())
    yield "magicfilter3d", hw.magicfilter3d(grid)
    yield "stencil7", hw.stencil7(grid.copy(), (0.4, 0.1), steps=5)
    x = numbers(2, 6, 8, 10).astype(real)
    z, v = x + real(0) * np.complex64(1j), abs(x[1])
    interval = {"degree": 5, "low": 1.0, "high": 40.0, "lowest": -1.0, "boundary": ("zero", "periodic", "periodic")}
    yield "laplacian", hw.laplacian(x, 0.5, 6)
    yield "hamiltonian", hw.hamiltonian(z, v, 0.5, 0, k=(0.25, 0, 0.5))
    yield "chebyshev", hw.chebyshev(x, v, 0.5, **interval)
    yield "chebyshev complex", hw.chebyshev(z, v, 0.5, k=(0.25, 0, 0.5), **interval)
    yield "dwt", hw.dwt(x[0], "sym4")
    yield "idwt", hw.idwt(x[0], boundary="grow")
    y, energies = hw.hamiltonian_wavelets(x, v, 0.5, energies=True)
    yield "hamiltonian_wavelets", y
    yield "hamiltonian_wavelets complex", hw.hamiltonian_wavelets(z, v, 0.5, k=(0.25, 0, 0.5))
    yield "hamiltonian_wavelets energies", np.column_stack([energies.kinetic, energies.potential])
    for name in ("exp", "expm1"):
        yield name, getattr(hw, name)(grid * 10)
    yield "log", hw.log(abs(grid) + real(0.001))
    yield "sincos", np.array(hw.sincos(grid * 10))
    yield "gridpot", hw.gridpot(points, -abs(numbers(9)).astype(real))
    yield "formfactor", hw.formfactor(mesh, *q)
    yield "fft2d", hw.fft2d(numbers(2, 16, 24).astype(real) + real(0) * np.complex64(1j))
    yield "convolve2d", hw.convolve2d(grid[0].copy(), np.full((5, 5), 0.04, real), "same")
    run = hw.vmc(system, 9, seed=3, equilibration=2, dtype=real)
    run.run(4)
    yield "vmc", run.positions()


def main():
    found = {}
    for name in convk.hardware():
        for threads in (1, 3):
            with convk.open(name, threads=threads) as hw:
                for real in (np.float32, np.float64):
                    for operation, array in results(hw, real):
                        hashed = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]
                        line = f"{operation} {np.dtype(real).name} {'fused' if name in FUSED else 'muladd'}"
                        if found.setdefault(line, hashed) != hashed:
                            sys.exit(f"{line}: other bits by {name} with {threads} threads")
    with convk.open() as hw:
        print(f"convk {convk.__version__}, best {hw.name}, of {' '.join(convk.hardware())}")
    for line, hashed in found.items():
        print(line, hashed)


if __name__ == "__main__":
    main()
