import numpy as np
import pytest
from test_distances import atoms_of

import convk


def reference(positions, q, f):
    return np.exp(1j * (np.asarray(q, float) @ np.asarray(positions, float).T)) @ np.asarray(f)


def test_list(hw, rng, real):
    positions, q = rng.uniform(-4, 4, (30, 3)).astype(real), rng.uniform(-3, 3, (50, 3)).astype(real)
    close = {"atol": 30 * (1e-5 if real == np.float32 else 1e-13), "rtol": 0}
    assert np.allclose(hw.amplitudes(positions, q), reference(positions, q, np.ones(30)), **close)
    kinds, weights = rng.integers(0, 2, 30), rng.uniform(0.5, 2, 30).astype(real)
    f = np.array([1.5 - 0.5j, 2])
    want = reference(positions, q, f[kinds] * weights)
    assert np.allclose(hw.amplitudes(positions, q, list(f), kinds=kinds, weights=weights), want, **close)
    frames = np.stack([positions, positions[::-1]])
    many = hw.amplitudes(frames, q)
    assert many.shape == (2, 50) and np.array_equal(many[0], hw.amplitudes(positions, q))
    parts = hw.amplitudes(frames, q, kinds=kinds, output="kinds")
    assert parts.shape == (2, 2, 50) and np.allclose(parts.sum(1), many, **close)
    mean = hw.amplitudes(frames, q, output="mean")
    assert mean.dtype == real and np.allclose(mean, (abs(many) ** 2).mean(0), rtol=1e-4, atol=1e-2)
    imag = rng.uniform(-0.3, 0.3, 50).astype(real)
    damped = (np.exp(1j * (q.astype(float) @ positions.T) - np.outer(imag, positions[:, 2]))).sum(1)
    assert np.allclose(hw.amplitudes(positions, q, qz_imag=imag), damped, **close)
    with pytest.raises(ValueError, match="qz_imag"):
        hw.amplitudes(positions, q, qz_imag=imag[1:])
    assert hw.amplitudes(positions[:0], q).tolist() == [0] * 50 and hw.amplitudes(positions, q[:0]).size == 0


def test_grid(hw, rng, real):
    positions = rng.uniform(-4, 4, (30, 3)).astype(real)
    close = {"atol": 30 * (1e-5 if real == np.float32 else 1e-13), "rtol": 0}
    for first in (-3, -2):  # with -q for every q, and without
        qx, qy, qz = (np.arange(first, n, dtype=real) * real(0.3) for n in (4, 4, 4))
        z, y, x = np.meshgrid(qz, qy, qx, indexing="ij")
        q = np.stack([x, y, z], -1)
        assert np.allclose(hw.amplitudes_grid(positions, qx, qy, qz), reference(positions, q, np.ones(30)), **close)
    cell = [[5, 1, 0], [0, 6, 0], [0, -1, 7]]
    h = np.arange(-2, 3).astype(real)
    nodes = hw.amplitudes_grid(positions, h, h, h, cell=cell)
    z, y, x = np.meshgrid(h, h, h, indexing="ij")
    q = np.stack([x, y, z], -1).astype(float) @ (2 * np.pi * np.linalg.inv(cell).T)
    assert np.allclose(nodes, reference(positions, q, np.ones(30)), **close)


def test_ase(hw):
    atoms = atoms_of(["Na", "Cl", "Cl"], np.array([[0, 0, 0], [2.8, 0, 0], [0, 1, 2.0]]))
    q = np.array([[0, 0, 0], [1, 2, 3.0]])
    assert np.allclose(convk.amplitudes(atoms, q, hw=hw), reference(atoms.positions, q, [11, 17, 17]))


def test_refusals(hw):
    positions, q = np.zeros((3, 3)), np.zeros((2, 3))
    with pytest.raises(ValueError, match="q has the shape"):
        hw.amplitudes(positions, q[:, :2])
    with pytest.raises(ValueError, match="output is"):
        hw.amplitudes(positions, q, output="all")
    with pytest.raises(ValueError, match="cell has the shape"):
        hw.amplitudes(positions, q, cell=np.eye(2))
    with pytest.raises(convk.Error, match="vector 0 of options->cell is zero"):
        hw.amplitudes(positions, q, cell=np.diag([0, 1, 1]))
