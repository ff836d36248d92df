"""What is wrong in each of these lines is found by mypy --strict before the program runs (test_types.py)."""

import numpy as np

import convk

hw = convk.open()
x = np.zeros((8, 8, 8))
hw.sepconv3d(x, convk.magicfilter_taps(), boundary="fixd")  # wrong
hw.magicfilter3d(x, boundary="fixed")  # wrong: not of filters
hw.magicfilter3d(x, boundary=("periodic", "periodc", "zero"))  # wrong
hw.potential_apply(x, x, boundary="growing")  # wrong
hw.conv1d_transpose(x[0], convk.magicfilter_taps(), boundary=("zero", "zero", "zero"))  # wrong: one axis
hw.stencil7(x, (0.4, 0.1), boundary="fixd")  # wrong
hw.stencil7(x, (0.4, 0.1), boundary="grow")  # wrong: not of stencils
hw.laplacian(x, boundary="fixed")  # wrong: not of filters
hw.hamiltonian(x, sums=True).sum()  # wrong: a pair
hw.dwt(x, "daubechies4")  # wrong
convk.Shell((0, 0, 0), 1, (1.0,), (1.0,), "spheric")  # wrong
hw.gridpot(x[0], x[0, 0], layout="exponent")  # wrong
hw.formfactor(convk.Mesh(x[0], x[0]), x[0, 0], x[0, 0], x[0, 0], form="closd")  # wrong
hw.formfactor(convk.Mesh(x[0], x[0]), x[0, 0], x[0, 0], x[0, 0], order=6)  # wrong
convk.FFTConv2D((8, 8), x[0], "sam")  # wrong
hw.convolve2d(x, x[0], "circular")  # wrong: wants a plan
hw.pair_energy(convk.PairSystem(3), x, want="kinetics")  # wrong
hw.vmc(convk.PairSystem(3), 8, moves="sinlge")  # wrong
hw.tune("stencil7_f64", (24, 24, 32), boundary="fixd")  # wrong
hw.magicfilter3d(x, dot=True).sum()  # wrong: a pair
hw.sincos(x, out=x)  # wrong: wants two arrays
