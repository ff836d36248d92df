"""Calls as a program with types has them: mypy --strict finds nothing wrong here, and knows each result (test_types.py)."""

from typing import Any, List, Tuple

import numpy as np

import convk

Array = np.ndarray[Any, np.dtype[Any]]
hw = convk.open("avx2", threads=2)
x: Array = np.zeros((8, 8, 8))
points: Array = np.zeros((5, 3))
taps = convk.magicfilter_taps()
names: Tuple[str, ...] = convk.hardware()
reveal_type(hw.sepconv3d(x, taps, boundary="periodic"))
reveal_type(hw.sepconv3d(x, taps, boundary=("periodic", "zero", "grow"), dot=True))
reveal_type(hw.magicfilter3d(x, boundary="grow"))
reveal_type(hw.magicfilter3d(x, energy=True, dot=True))
reveal_type(hw.potential_apply(x, x, boundary="zero"))
reveal_type(hw.conv1d_transpose(x[0], taps, boundary="shrink"))
reveal_type(hw.laplacian(x, (0.3, 0.3, 0.4), 12, boundary=("periodic", "zero", "grow")))
reveal_type(hw.hamiltonian(x, x, 0.3, k=(0, 0, 0.5), add=x))
reveal_type(hw.hamiltonian(x, sums=True))
reveal_type(hw.hamiltonian(x, sums=True)[1].axis)
reveal_type(hw.dwt(x, "sym4", 2, boundary="shrink"))
reveal_type(hw.idwt(x, convk.Wavelet(x[0, 0], x[0, 0], -3)))
reveal_type(hw.stencil7(x, (0.4, 0.1), boundary=("fixed", "periodic", "fixed")))
reveal_type(hw.stencil7_box(x, x, (0.4, 0.1), (1, 1, 1), (2, 2, 2), boundary="fixed"))
reveal_type(hw.exp(x, out=x))
reveal_type(hw.exp(1.0))
reveal_type(hw.log([1.0, 2.0]))
reveal_type(hw.sincos(x))
reveal_type(hw.sincos(0.5))
shells: List[convk.Shell] = [convk.Shell(points[0], 1, points[1], (1.0, 2.0, 3.0), "spherical_pyscf")]
basis = convk.Basis(shells)
reveal_type(basis.functions)
reveal_type(convk.Basis.from_pyscf(None))
reveal_type(hw.gridpot(points, x[0, 0], layout="exponents"))
reveal_type(hw.orbitals(points, basis))
reveal_type(hw.density(points, basis, None, x[0, 0]))
mesh = convk.Mesh(np.zeros((3, 3)), np.zeros((1, 3), int))
reveal_type(mesh.vertices)
reveal_type(mesh.measure().volume)
reveal_type(hw.formfactor(mesh, x[0, 0], x[0, 0], x[0, 0], form="exact"))
reveal_type(hw.formfactor_grid(mesh, x[0, 0], x[0, 0], x[0, 0], form="open", order=4))
plan = convk.FFTConv2D((8, 8), x[0], "circular")
reveal_type(plan.out_shape)
reveal_type(hw.fftconv2d(plan, x))
reveal_type(hw.convolve2d(x, x[0], "same"))
reveal_type(hw.fft2d(x.astype(complex)))
system = convk.PairSystem(3, trial=(2700, 0, 0.3, 0.01), potential=convk.hfdb())
reveal_type(system.trial)
reveal_type(hw.pair_energy(system, x, want=("potential", "kinetic")))
reveal_type(hw.pair_energy(system, x, want="kinetic", gradient=True))
run = hw.vmc(system, 8, moves="all")
reveal_type(run.run(10).energy.mean)
reveal_type(run.density(x[0, 0]))
reveal_type(hw.tune("stencil7_f64", (24, 24, 32), boundary="fixed"))
try:
    hw.exp(x)
except convk.Error as error:
    reveal_type(error.status)
