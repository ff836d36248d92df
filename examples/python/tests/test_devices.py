"""Calls on host arrays that a device computes: needs a build with CONVK_DEVICES=opencl and a device, such as PoCL's."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import eps

import convk


def test_devices_are_named():
    found = convk.devices()
    assert set(found) <= {"opencl", "cuda"}
    for name in {"opencl", "cuda"} - set(found):
        with pytest.raises(convk.Error, match="not compiled in|no such|device|driver"):
            convk.open(name)


@pytest.fixture(scope="module")
def device():
    if "opencl" not in convk.devices():
        if "opencl" in os.environ.get("CONVK_REQUIRE", "").split(","):
            pytest.fail("there is no OpenCL: CONVK_DEVICES=opencl when the package is built, and a device")
        pytest.skip("opencl: a package built with CONVK_DEVICES=opencl, and a device")
    with convk.open("opencl") as handle:
        yield handle


@pytest.fixture(scope="module")
def fused():
    if "avx2" not in convk.hardware():
        pytest.skip("avx2, which computes with fused multiply-add as devices do")
    with convk.open("avx2", threads=1) as handle:
        yield handle


def test_handle(device):
    assert device.name == "opencl" and device.machine and "opencl" in repr(device)
    with convk.open("opencl:0") as other:
        assert other.name == "opencl"
    with pytest.raises(convk.Error, match="no such OpenCL device"):
        convk.open("opencl:no such name")
    closed = convk.open("opencl")
    closed.close()
    closed.close()
    with pytest.raises(convk.Error, match="handle is not open"):
        closed.exp(np.ones(3))


def calls(rng, real):
    """What is called, by name."""
    grid, field = (rng.standard_normal((6, 7, 21)).astype(real) for _ in range(2))
    points, q = rng.standard_normal((40, 3)).astype(real), rng.standard_normal((3, 70)).astype(real)
    mesh = convk.Mesh.polyhedron("octahedron", 2, dtype=real)
    basis = convk.Basis([convk.Shell((0.1 * l, 0, 0), l, (0.8,), (1.0,)) for l in range(3)])
    even, wave = (rng.standard_normal((2, 4, 6, 10)).astype(real) for _ in range(2))
    bloch = (even + 1j * wave).astype(np.result_type(real, np.complex64))
    interval = {"degree": 4, "low": 1.0, "high": 30.0, "lowest": -1.0}
    return {
        "laplacian": lambda hw: hw.laplacian(even, 0.4, 6, boundary=("zero", "periodic", "grow")),
        "hamiltonian": lambda hw: hw.hamiltonian(bloch, wave[0], 0.4, 0, k=(0.1, 0.2, 0), phases=(0.3, 0, 1)),
        "chebyshev": lambda hw: hw.chebyshev(even, wave[0], 0.4, 8, **interval),
        "chebyshev of complex": lambda hw: hw.chebyshev(bloch, wave[0], 0.4, 8, k=0.2, **interval),
        "dwt": lambda hw: hw.dwt(even[0], "sym4"),
        "idwt": lambda hw: hw.idwt(even[0], boundary="grow"),
        "hamiltonian_wavelets": lambda hw: hw.hamiltonian_wavelets(even, wave[0], 0.4, shift=0.5),
        "hamiltonian_wavelets at k": lambda hw: hw.hamiltonian_wavelets(bloch, wave[0], 0.4, k=(0.5, 0, 1)),
        "energies": lambda hw: hw.hamiltonian_wavelets(even, wave[0], 0.4, energies=True)[1].kinetic,
        "exp": lambda hw: hw.exp(grid),
        "sincos": lambda hw: np.stack(hw.sincos(grid)),
        "magicfilter3d": lambda hw: hw.magicfilter3d(grid),
        "potential_apply": lambda hw: hw.potential_apply(grid, field)[0],
        "stencil7": lambda hw: hw.stencil7(grid.copy(), (0.4, 0.1), steps=5, boundary="fixed"),
        "strides": lambda hw: hw.magicfilter3d(grid[:, 1:-1, 2:20]),
        "orbitals": lambda hw: hw.orbitals(points, basis, np.eye(9, dtype=real)),
        "formfactor": lambda hw: hw.formfactor(mesh, *q, form="exact"),
        "formfactor_powder": lambda hw: hw.formfactor_powder(
            convk.Assembly([mesh], np.zeros(1, convk.placement)), q[0], *convk.sphere_quadrature(6, True, real), form="exact"),
        "convolve2d": lambda hw: hw.convolve2d(grid, field[0, :3, :3], "same"),
    }


def test_bits_are_those_of_processors(device, fused, rng, real):
    step = 1 if os.environ.get("TEST_LONG") else 3  # PoCL takes long for each program
    for name, call in list(calls(rng, real).items())[real is np.float64 :: step]:
        got, wanted = call(device), call(fused)
        if name.startswith("formfactor"):  # faces that share edges are summed in another order on devices
            assert np.max(np.abs(got - wanted)) <= 16 * eps(real) * np.max(np.abs(wanted)), name
        else:
            assert np.array_equal(got, wanted), name


def test_errors_name_the_argument(device):
    with pytest.raises(convk.Error, match="NaN|finite|pitch|coefficient|centre"):
        device.stencil7(np.ones((4, 4, 4)), (np.nan, 0.1))


def test_python_threads_take_turns(device, fused):
    fields = [np.random.default_rng(i).standard_normal((24, 24, 40)) for i in range(4)]
    wanted = [fused.magicfilter3d(field) for field in fields]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(12):
            for got, right in zip(pool.map(device.magicfilter3d, fields), wanted):
                assert np.array_equal(got, right)


def test_monte_carlo_on_a_device(device):
    system = convk.PairSystem(6, trial=(3000.0, 0.0, 0.5, 0.0), potential=convk.hfdhe2())
    run = device.vmc(system, 4, seed=3)
    first = run.run(8)
    assert np.isfinite(run.positions()).all() and first is not None
