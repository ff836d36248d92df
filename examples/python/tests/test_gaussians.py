import numpy as np
import pytest
from conftest import eps, need, padded

import convk


def basis():
    return [
        convk.Shell((0.1, -0.2, 0.3), 0, (1.2, 0.3), (0.6, 0.5)),
        convk.Shell((0.4, 0.1, -0.3), 1, (0.8,), (1.0,)),
        convk.Shell((0.4, 0.1, -0.3), 2, (0.7,), (1.0,)),
        convk.Shell((0, 0, 0), 2, (0.5,), (2.0,), "cartesian", False),
    ]


def functions(points):
    """The functions of basis() from their definition."""
    found = []
    for center, l, exponents, coefficients, order, normalise in basis():  # noqa: E741
        x, y, z = (np.asarray(points, float) - center).T
        r2 = x * x + y * y + z * z
        a, c = np.array(exponents), np.array(coefficients)
        if normalise:
            c = c * (2 * a / np.pi) ** 0.75 * (4 * a) ** (l / 2)
            c /= np.sqrt(
                (np.outer(coefficients, coefficients) * (2 * np.sqrt(np.outer(a, a)) / np.add.outer(a, a)) ** (l + 1.5)).sum()
            )
        radial = (c[:, None] * np.exp(-a[:, None] * r2)).sum(0)
        if order == "cartesian":
            angular = [x * x, x * y, x * z, y * y, y * z, z * z]
        else:
            angular = [
                [np.ones_like(x)],
                [y, z, x],
                [x * y, y * z, (2 * z * z - x * x - y * y) / (2 * np.sqrt(3)), x * z, (x * x - y * y) / 2],
            ][l]
        found += [f * radial for f in angular]
    return np.array(found)


@pytest.mark.parametrize("layout", ["rows", "columns", "padded"])
def test_gridpot(hw, real, rng, layout):
    points, alpha = rng.standard_normal((301, 3)).astype(real), -rng.random(7).astype(real)
    given = {"rows": points, "columns": np.ascontiguousarray(points.T).T, "padded": padded(points)}[layout]
    center = (0.5, -0.25, 1)
    want = np.exp(alpha[:, None].astype(float) * ((points.astype(float) - center) ** 2).sum(1))
    got = hw.gridpot(given, alpha, center=center)
    assert got.shape == (7, 301) and np.abs(got - want).max() < 8 * eps(real)
    out = padded(np.zeros((301, 7), real))
    assert (
        np.array_equal(hw.gridpot(given, alpha, center=center, order="exponents", out=out).T, got)
        and np.isnan(out.base[:, -1]).all()
    )
    c = rng.standard_normal((2, 7)).astype(real)
    assert np.abs(hw.gridpot_sum(given, alpha, padded(c), center=center) - c @ want).max() < 40 * eps(real)
    assert np.abs(hw.gridpot(given, alpha, center=center, compensated=True) - want).max() < 4 * eps(real)
    cut = hw.gridpot(given, alpha, center=center, cutoff=0.1)
    assert (cut[want < 0.099] == 0).all() and np.array_equal(cut[want > 0.101], got[want > 0.101])


def test_orbitals(hw, real, rng):
    points, shells = rng.standard_normal((523, 3)).astype(real), convk.Basis(basis())
    assert shells.functions == 15
    chi = functions(points)
    tol = 100 * eps(real)
    assert np.abs(hw.orbitals(points, shells) - chi).max() < tol
    c = rng.standard_normal((4, 15)).astype(real)
    got = hw.orbitals(points, shells, padded(c))
    vgl = hw.orbitals_vgl(points, shells, c)
    occupations = rng.random(4).astype(real)
    density = hw.density(points, shells, c, occupations)
    c = c.astype(float)
    want = c @ chi
    assert got.shape == (4, 523) and np.abs(got - want).max() < tol
    assert np.abs(density - occupations @ want**2).max() < 10 * tol
    assert vgl.shape == (5, 4, 523) and np.abs(vgl[0] - want).max() < tol
    h = 1e-4
    for axis in range(3):
        d = np.zeros(3)
        d[axis] = h
        slope = (c @ functions(points + d) - c @ functions(points - d)) / (2 * h)
        assert np.abs(vgl[1 + axis] - slope).max() < (1e-4 if real == np.float32 else 1e-6)
    laplacian = sum(c @ functions(points + s * h * np.eye(3)[axis]) for axis in range(3) for s in (1, -1)) - 6 * c @ functions(
        points
    )
    assert np.abs(vgl[4] - laplacian / h**2).max() < (1e-3 if real == np.float32 else 2e-5)


def test_pyscf(hw):
    gto = need("pyscf.gto")
    mol = gto.M(atom="O 0 0 0; H 0 0.757 0.587; H 0 -0.757 0.587", basis="cc-pvdz", verbose=0)
    shells = [
        convk.Shell(mol.bas_coord(i), mol.bas_angular(i), mol.bas_exp(i), column)
        for i in range(mol.nbas)
        for column in mol.bas_ctr_coeff(i).T
    ]
    rows = []  # PySCF's p functions are x y z
    for shell in shells:
        rows += [len(rows) + m for m in ([2, 0, 1] if shell.l == 1 else range(2 * shell.l + 1))]
    points = np.random.default_rng(1).standard_normal((200, 3)) * 2
    got, want = (
        hw.orbitals_vgl(points, convk.Basis(shells))[:, rows],
        mol.eval_gto("GTOval_sph_deriv2", points).transpose(0, 2, 1),
    )
    assert np.abs(got[:4] - want[:4]).max() < 1e-12
    assert np.abs(got[4] - want[[4, 7, 9]].sum(0)).max() < 1e-10


def test_no_points(hw):
    assert hw.gridpot(np.empty((0, 3)), np.ones(2)).shape == (2, 0)
    assert hw.orbitals(np.empty((0, 3)), convk.Basis(basis())).shape == (15, 0)


def test_errors(hw):
    with pytest.raises(ValueError, match=r"points.T"):
        hw.gridpot(np.zeros((3, 10)), np.ones(2))
    with pytest.raises(ValueError, match="stride of -24"):
        hw.gridpot(np.zeros((10, 3))[::-1], np.ones(2))
    with pytest.raises(convk.Error, match="coordinate is not finite"):
        hw.gridpot(np.full((10, 3), np.nan), np.ones(2))
    with pytest.raises(ValueError, match="2 exponents, but 1 coefficients"):
        convk.Basis([convk.Shell((0, 0, 0), 0, (1, 2), (1,))])
    with pytest.raises(convk.Error):
        convk.Basis([convk.Shell((0, 0, 0), 7, (1,), (1,))])
    with pytest.raises(ValueError, match="coefficients has the shape"):
        hw.orbitals(np.zeros((10, 3)), convk.Basis(basis()), np.zeros((2, 3)))
