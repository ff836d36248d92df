import copy
import pickle
import warnings
from pathlib import Path

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
    for center, l, exponents, coefficients, kind, normalise in basis():  # noqa: E741
        x, y, z = (np.asarray(points, float) - center).T
        r2 = x * x + y * y + z * z
        a, c = np.array(exponents), np.array(coefficients)
        if normalise:
            c = c * (2 * a / np.pi) ** 0.75 * (4 * a) ** (l / 2)
            c /= np.sqrt(
                (np.outer(coefficients, coefficients) * (2 * np.sqrt(np.outer(a, a)) / np.add.outer(a, a)) ** (l + 1.5)).sum()
            )
        radial = (c[:, None] * np.exp(-a[:, None] * r2)).sum(0)
        if kind == "cartesian":
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
        np.array_equal(hw.gridpot(given, alpha, center=center, layout="exponents", out=out).T, got)
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


@pytest.mark.parametrize(
    "turned",
    [
        lambda c: np.asfortranarray(c),
        lambda c: np.ascontiguousarray(c.T).T,
        lambda c: np.repeat(c, 2, axis=1)[:, ::2],
        lambda c: np.ascontiguousarray(c[::-1])[::-1],
        lambda c: np.repeat(c, 2, axis=0)[::2],
        lambda c: np.asfortranarray(np.vstack((c, c)))[:4],
    ],
    ids=["fortran", "transposed", "columns", "reversed", "rows", "part"],
)
def test_coefficients_of_any_strides(hw, real, rng, turned):
    points, shells = rng.standard_normal((97, 3)).astype(real), convk.Basis(basis())
    c, occupations = rng.standard_normal((4, 15)).astype(real), rng.random(4).astype(real)
    given = turned(c)
    assert np.array_equal(given, c)
    assert np.array_equal(hw.orbitals(points, shells, given), hw.orbitals(points, shells, c))
    assert np.array_equal(hw.orbitals_vgl(points, shells, given), hw.orbitals_vgl(points, shells, c))
    assert np.array_equal(hw.density(points, shells, given, occupations), hw.density(points, shells, c, occupations))


def test_order_of_pyscf(hw, rng):
    """Without PySCF: p functions are x y z, all others as "spherical" has them."""
    points = rng.standard_normal((50, 3))
    for l in range(5):  # noqa: E741
        got, want = (
            hw.orbitals(points, convk.Basis([convk.Shell((0, 0.1, 0), l, (0.7, 0.2), (0.5, 0.6), order)]))
            for order in ("spherical_pyscf", "spherical")
        )
        assert np.array_equal(got, want[[2, 0, 1]] if l == 1 else want), l


def readme():
    return (Path(__file__).parents[1] / "README.md").read_text()


def pyscf_water(basis, cart=False):
    gto = need("pyscf.gto")
    return gto.M(atom="O 0 0 0; H 0 0.757 0.587; H 0 -0.757 0.587", basis=basis, cart=cart, verbose=0)


@pytest.mark.parametrize("cart", [False, True], ids=["spherical", "cartesian"])
def test_pyscf(hw, cart):
    gto = need("pyscf.gto")
    points = np.random.default_rng(1).standard_normal((200, 3)) * 2
    every = gto.M(atom="C 0.1 0.2 0.3", basis="cc-pvqz", cart=cart, verbose=0)  # s to g, contracted with common exponents
    for mol in (pyscf_water("cc-pvdz", cart), every):
        basis = convk.Basis.from_pyscf(mol)
        assert basis.functions == mol.nao
        got = hw.orbitals_vgl(points, basis)
        want = mol.eval_gto("GTOval_cart_deriv2" if cart else "GTOval_sph_deriv2", points).transpose(0, 2, 1)
        size = np.abs(want[0]).max()
        assert np.abs(got[:4] - want[:4]).max() < 1e-12 * max(1, size)
        assert np.abs(got[4] - want[[4, 7, 9]].sum(0)).max() < 1e-10 * max(1, size)


@pytest.mark.parametrize("name", ["6-31g", "cc-pvdz"])
def test_electrons_of_pyscf(name, tmp_path, monkeypatch):
    """From a molecule to the electrons on PySCF's grid of Becke's: what the README shows."""
    mol, dft, scf = pyscf_water(name), need("pyscf.dft"), need("pyscf.scf")
    field, grid = scf.RHF(mol).run(), dft.gen_grid.Grids(mol)
    grid.build()
    shown = {"mol": mol, "grid": grid, "field": field, "convk": convk}
    program, on_box = (
        next(block for block in (b.split("```")[0] for b in readme().split("```python\n")) if word in block)
        for word in ("from_pyscf", "density_grid")
    )
    exec(program, shown)
    density = shown["density"]
    assert abs(grid.weights @ density - 10) < 1e-6
    want = dft.numint.NumInt().get_rho(mol, field.make_rdm1(), grid)
    assert np.abs(density - want).max() < 1e-11 * want.max()
    monkeypatch.chdir(tmp_path)
    exec(on_box, shown)
    line = np.array([(-6 + 0.12 * i, 0, 0.6) for i in range(96)])  # x runs fastest
    want = shown["hw"].density(line, shown["basis"], field.mo_coeff.T, field.mo_occ)
    assert np.abs(shown["density"][44, 36] - want).max() < 1e-13 * want.max()
    assert len((tmp_path / "homo.cube").read_text().splitlines()) == 9 + 80 * 80 * 14


def test_no_points(hw):
    assert hw.gridpot(np.empty((0, 3)), np.ones(2)).shape == (2, 0)
    assert hw.orbitals(np.empty((0, 3)), convk.Basis(basis())).shape == (15, 0)


def test_errors(hw):
    with pytest.raises(ValueError, match=r"points.T"):
        hw.gridpot(np.zeros((3, 10)), np.ones(2))
    with pytest.raises(ValueError, match="stride of -24"):
        hw.gridpot(np.zeros((10, 3))[::-1], np.ones(2))
    with pytest.raises(convk.Error, match="coordinate is not finite: points->x of point 0"):
        hw.gridpot(np.full((10, 3), np.nan), np.ones(2))
    with pytest.raises(ValueError, match="2 exponents, but 1 coefficients"):
        convk.Basis([convk.Shell((0, 0, 0), 0, (1, 2), (1,))])
    one = convk.Shell((0, 0, 0), 0, (1,), (1,))
    for message, wrong in {
        r"unknown option.*: shells\[1\].l is 7, and not from 0 to 4": one._replace(l=7),
        r"shells\[1\].exponents\[1\] is not positive": one._replace(exponents=(1, -2), coefficients=(1, 1)),
        r"shells\[1\].exponents\[0\] is not finite": one._replace(exponents=(np.inf,)),
        r"shells\[1\].center\[2\] is not finite": one._replace(center=(0, 0, np.nan)),
        r"shells\[1\].primitives is 0": one._replace(exponents=(), coefficients=()),
        r"not finite: the norm of shells\[1\]": one._replace(coefficients=(0,)),
    }.items():
        with pytest.raises(convk.Error, match=message):
            convk.Basis([one, wrong])
    with pytest.raises(ValueError, match="functions is 'spheric', not one of cartesian"):
        convk.Basis([one._replace(functions="spheric")])
    with pytest.raises(convk.Error, match="set->occupations\\[0\\] is not finite"):
        hw.density(np.zeros((10, 3)), convk.Basis([one]), None, np.array([np.nan]))
    with pytest.raises(convk.Error, match=r"options->cutoff is negative"):
        hw.orbitals(np.zeros((10, 3)), convk.Basis([one]), cutoff=-1)
    with pytest.raises(ValueError, match="coefficients has the shape"):
        hw.orbitals(np.zeros((10, 3)), convk.Basis(basis()), np.zeros((2, 3)))


@pytest.mark.parametrize("periods", [(0, 0, 0), (3.5, 0, 2.5)])
def test_on_grids(hw, real, rng, periods):
    box = convk.Box((5, 7, 9), (0.5, -0.4, 0.3), (-2, 1.5, -0.7), periods)
    assert convk.Box.xyz((9, 7, 5), (0.5, -0.4, 0.3), (-2, 1.5, -0.7), periods) == box
    k, j, i = (axis.ravel() for axis in np.indices(box.shape))
    points = (np.array(box.origin) + np.stack([i, j, k], 1) * box.steps).astype(real)
    many = [range(-9, 10) if period else [0] for period in periods]
    images = [(x * periods[0], y * periods[1], z * periods[2]) for x in many[0] for y in many[1] for z in many[2]]
    want = sum(functions(points + np.array(image)) for image in images)
    own = convk.Basis(basis())
    got = hw.orbitals_grid(own, None, box, dtype=real)
    assert got.shape == (len(want), 5, 7, 9) and got.dtype == real
    assert np.abs(got.reshape(want.shape) - want).max() < 60 * eps(real)
    c, occupations = rng.standard_normal((3, own.functions)).astype(real), rng.random(3).astype(real)
    out = padded(np.zeros((3, 5, 7, 9), real))
    orbitals = hw.orbitals_grid(own, c, box, out=out)
    assert np.abs(orbitals.reshape(3, -1) - c @ want).max() < 200 * eps(real) and np.isnan(out.base[..., -1]).all()
    five = hw.orbitals_grid_vgl(own, c, box)
    assert five.shape == (5, 3, 5, 7, 9) and np.abs(five[0] - orbitals).max() < 20 * eps(real)
    density = hw.density_grid(own, c, occupations, box)
    squares = np.einsum("o,ozyx->zyx", occupations, orbitals.astype(float) ** 2)
    assert np.abs(density - squares).max() < 100 * eps(real) * squares.max()
    parts = hw.density_grid(own, c, occupations, box, derivatives=True)
    gradient = 2 * np.einsum("o,ozyx,dozyx->dzyx", occupations, orbitals.astype(float), five[1:4].astype(float))
    tau = 0.5 * np.einsum("o,dozyx->zyx", occupations, five[1:4].astype(float) ** 2)
    assert np.abs(parts[0] - density).max() < 100 * eps(real) * squares.max()
    assert np.abs(parts[1:4] - gradient).max() < 200 * eps(real) * np.abs(gradient).max()
    assert np.abs(parts[4] - tau).max() < 200 * eps(real) * tau.max()


def test_gridpot_grid(hw, real, rng):
    box, center = convk.Box((3, 4, 5), (0.5, 0.4, 0.3)), (0.5, -0.25, 1)
    k, j, i = (axis.ravel() for axis in np.indices(box.shape))
    points, alpha = np.stack([i, j, k], 1) * box.steps, -0.1 - rng.random(7).astype(real)
    c = rng.standard_normal((2, 7)).astype(real)
    want = c.astype(float) @ np.exp(alpha[:, None].astype(float) * ((points - center) ** 2).sum(1))
    got = hw.gridpot_grid(alpha, c, box, center=center)
    assert got.shape == (2, 3, 4, 5) and np.abs(got.reshape(2, -1) - want).max() < 40 * eps(real)


def test_cells_and_points_k(hw, real, rng):
    steps = np.array([[0.5, 0.1, 0], [-0.2, 0.4, 0.1], [0, 0.1, 0.3]])
    periods, k = np.array([5.0, 6.0, 0.0]), (0.3, -0.2, 0.9)
    box = convk.Box((5, 7, 9), steps, (-2, -1.5, -0.7), periods)
    z, y, x = (axis.ravel() for axis in np.indices(box.shape))
    points = np.array(box.origin) + np.stack([x, y, z], 1) @ steps
    own = convk.Basis(basis())
    c, occupations = rng.standard_normal((3, own.functions)).astype(real), rng.random(3).astype(real)
    along = steps / np.linalg.norm(steps, axis=1)[:, None] * periods[:, None]
    images = [(a, b) for a in range(-5, 6) for b in range(-5, 6)]
    at = {image: functions(points - image[0] * along[0] - image[1] * along[1]) for image in images}
    got = hw.orbitals_grid(own, c, box)
    assert np.abs(got.reshape(3, -1) - c @ sum(at.values())).max() < 200 * eps(real)
    turned = {(a, b): np.exp(1j * (k[0] * a * periods[0] + k[1] * b * periods[1])) for a, b in images}
    both = c + 1j * rng.standard_normal(c.shape).astype(real)
    want = both @ sum(turned[image] * at[image] for image in images)
    got = hw.orbitals_grid(own, both, box, k=k)
    assert got.shape == (3, 5, 7, 9) and got.dtype == both.dtype
    assert np.abs(got.reshape(3, -1) - want).max() < 300 * eps(real)
    assert np.abs(hw.orbitals_grid(own, c, box, k=(0, 0, 0)).real - hw.orbitals_grid(own, c, box)).max() == 0
    density = hw.density_grid_k(own, both, occupations, box, k)
    squares = np.einsum("o,ozyx->zyx", occupations, np.abs(got.astype(complex)) ** 2)
    assert np.abs(density - squares).max() < 100 * eps(real) * squares.max()
    out = padded(np.zeros((5, 7, 9), real))
    out[:] = 1
    hw.density_grid_k(own, both, occupations, box, k, add=True, out=out)
    assert np.abs(out - squares - 1).max() < 100 * eps(real) * (1 + squares.max()) and np.isnan(out.base[..., -1]).all()
    with pytest.raises(ValueError, match="complex"):
        hw.orbitals_grid(own, both, box, k=k, out=np.zeros((3, 5, 7, 9), real))
    with pytest.raises(ValueError, match="add needs out"):
        hw.density_grid_k(own, both, occupations, box, k, add=True)
    with pytest.raises(convk.Error, match="lies in the plane"):
        hw.orbitals_grid(own, None, convk.Box((2, 3, 4), ((1, 0, 0), (1, 1, 0), (0, 1, 0))))


def test_boxes(hw):
    own = convk.Basis(basis())
    with pytest.raises(ValueError, match="nz, ny, nx"):
        hw.orbitals_grid(own, None, convk.Box((2, 3), (1, 1, 1)))
    with pytest.raises(convk.Error, match="step_y is zero"):
        hw.orbitals_grid(own, None, convk.Box((2, 3, 4), (1, 0, 1)))
    with pytest.raises(convk.Error, match="period.1. is shorter"):
        hw.orbitals_grid(own, None, convk.Box((2, 3, 4), (1, 1, 1), periods=(0, 0.5, 0)))


class TwoAtoms:
    """What cubegen asks of a molecule of PySCF."""

    nbas, cart = 2, False

    def atom_coords(self):
        return np.array([[0.0, 0.0, 0.0], [1.0, -0.5, 2.0]])

    def atom_charges(self):
        return [1, 8]

    def bas_angular(self, b):
        return b

    def bas_exp(self, b):
        return [0.5, 1.5]

    def bas_ctr_coeff(self, b):
        return [[0.25], [0.5]]

    def bas_coord(self, b):
        return self.atom_coords()[b]


def test_cubegen(hw, tmp_path):
    mol, c = TwoAtoms(), np.array([0.5, 1.0, -1.0, 0.25])
    field = convk.cubegen(mol, str(tmp_path / "o.cube"), c, nx=5, ny=6, nz=8, margin=1.5, hw=hw)
    lines = (tmp_path / "o.cube").read_text().splitlines()
    assert lines[2].split() == ["2", "-1.500000", "-2.000000", "-1.500000"]
    assert lines[3].split() == ["5", "1.000000", "0.000000", "0.000000"] and lines[5].split()[::3] == ["8", "0.714286"]
    assert lines[7].split() == ["8", "8.000000", "1.000000", "-0.500000", "2.000000"]
    values = np.array(" ".join(lines[8:]).split(), float).reshape(5, 6, 8)
    assert field.shape == values.shape and np.abs(values - field).max() < 1e-5 * np.abs(field).max()
    i, j, k = (axis.ravel() for axis in np.indices(field.shape))
    points = np.array([-1.5, -2, -1.5]) + np.stack([i, j, k], 1) * (1, 0.7, 5 / 7)
    want = hw.orbitals(points, convk.Basis.from_pyscf(mol), c[None])
    assert np.abs(field.ravel() - want[0]).max() < 1e-14
    rho = convk.cubegen(mol, str(tmp_path / "d.cube"), c[None], [2.0], resolution=0.9, margin=1, hw=hw)
    assert rho.shape == (4, 3, 5) and (rho >= 0).all() and len((tmp_path / "d.cube").read_text().splitlines()) == 8 + 12


# ---- files ----

DATA = Path(__file__).parents[2] / "data"
in_repository = pytest.mark.skipif(not DATA.exists(), reason="the data of the examples are not here")


@in_repository
@pytest.mark.parametrize(
    "name, electrons, meaning",
    [
        ("nwchem_water", 10, "the format says"),
        ("nwchem_water_norm", 10, "coefficients that multiply exponentials"),
        ("xtb_water", 8, "coefficients that multiply exponentials"),
        ("psi4_water_cartesian", 10, "Psi4's up to 1.3.2"),
        ("cclib_water", 10, "the format says; spherical functions in the order m = -l .. l"),
        ("openmolcas_water", 10, "the format says"),
        ("cp2k_water", 10, "the format says"),
        ("cp2k_water_digits", 10, "the format says; with so few digits orbitals are orthonormal to 8e-04"),
    ],
)
def test_molden_of_programs(hw, tmp_path, name, electrons, meaning):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        molden = convk.Basis.from_molden(DATA / "molden" / f"{name}.molden")
    said = [str(w.message) for w in caught if "read as" in str(w.message)]
    assert molden.meaning.startswith(meaning) and bool(said) == (name not in ("nwchem_water", "openmolcas_water", "cp2k_water"))
    assert all(molden.meaning in text for text in said)
    assert molden.numbers.tolist() == [8, 1, 1] and molden.charges.tolist() == [8, 1, 1] and molden.positions.shape == (3, 3)
    assert molden.occupations.sum() == electrons and molden.homo == electrons // 2 - 1 and not molden.beta.any()
    low, high = molden.positions.min(0) - 5, molden.positions.max(0) + 5
    n = np.ceil((high - low) / 0.15).astype(int)
    box = convk.Box(n[::-1], (0.15, 0.15, 0.15), low)
    orbitals = hw.orbitals_grid(
        molden.basis, molden.coefficients[1:6], box
    )  # without the core, which the grid does not resolve
    products = 0.15**3 * np.einsum("azyx,bzyx->ab", orbitals, orbitals)
    assert np.abs(products - np.eye(len(orbitals))).max() < 2e-3
    assert abs(products.trace() - len(orbitals)) < 5e-3  # electrons of these, if each held one
    field = convk.cubegen(molden, tmp_path / "homo.cube", molden.coefficients[molden.homo], nx=4, ny=5, nz=6, hw=hw)
    assert field.shape == (4, 5, 6) and (tmp_path / "homo.cube").read_text().splitlines()[6].split()[:2] == ["8", "8.000000"]


@in_repository
def test_molden_of_few_digits():
    """Four digits do not tell what Cartesian functions mean; the name of the meaning does."""
    path = DATA / "molden" / "cp2k_water_cartesian_digits.molden"
    with pytest.raises(ValueError, match=r"line 46: coefficients of so few digits fit several meanings: .* NDIGITS 9"):
        convk.Basis.from_molden(path)
    assert convk.Basis.from_molden(path, "format").occupations.sum() == 10


def test_molden_that_is_none(tmp_path):
    (tmp_path / "a.molden").write_text("[Molden Format]\n[Atoms] AU\nH 1 1 0 0 x\n")
    with pytest.raises(ValueError, match=r"a\.molden: "):
        convk.Basis.from_molden(tmp_path / "a.molden")
    with pytest.raises(FileNotFoundError):
        convk.Basis.from_molden(tmp_path / "none.molden")
    text = "[Molden Format]\n[Atoms] AU\nHe 1 2 0 0 0\n[GTO]\n1 0\ns 1 1\n1 1\n\n[MO]\nEne= 0\nSpin= Alpha\nOccup= 2\n1 0.5\n"
    (tmp_path / "b.molden").write_text(text)
    with pytest.raises(
        ValueError, match=r"b\.molden: line 9: orbitals that are orthonormal are wanted, orbital 1 has the norm 0.5"
    ):
        convk.Basis.from_molden(tmp_path / "b.molden")
    molden = convk.Basis.from_molden(tmp_path / "b.molden", "format")
    assert molden.coefficients.tolist() == [[0.5]] and molden.occupations.tolist() == [2]
    with pytest.raises(ValueError, match="not one of format, exponentials"):
        convk.Basis.from_molden(tmp_path / "b.molden", "gaussian")


@pytest.mark.parametrize("cart", [False, True])
@pytest.mark.parametrize("program", ["pyscf", "orca"])
def test_molden_beside_pyscf(hw, rng, tmp_path, cart, program):
    """Functions up to g in a molden file: their order and their signs, also as ORCA has them."""
    gto, molden = need("pyscf.gto"), need("pyscf.tools.molden")
    if cart and program == "orca":
        pytest.skip("ORCA has no Cartesian functions")
    mol = gto.M(atom="Ne 0 0 0; F 0.5 0.7 1.2", basis="cc-pvqz", charge=1, cart=cart, verbose=0)
    vectors = np.linalg.eigh(mol.intor("int1e_ovlp_cart" if cart else "int1e_ovlp_sph"))
    orbitals = (vectors[1] / np.sqrt(vectors[0]))[:, ::-1]
    path = tmp_path / "m.molden"
    molden.from_mo(mol, str(path), orbitals)
    if program == "orca":
        path.write_text(as_orca(path.read_text()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if program == "orca" else "error")
        found = convk.Basis.from_molden(path)
    assert found.meaning.startswith("ORCA's" if program == "orca" else "the format says")
    points = rng.uniform(-2, 3, (50, 3))
    got = hw.orbitals(points, found.basis, found.coefficients)
    want = (mol.eval_gto("GTOval_cart" if cart else "GTOval_sph", points) @ orbitals).T
    assert np.abs(got - want).max() < 1e-6 * np.abs(want).max()


def as_orca(text):
    """Coefficients times the norms of primitives, and signs of f and g functions with |m| = 3, 4, as orca_2mkl writes them."""
    lines, ls, l, left, in_gto, in_mo = [], [], 0, 0, False, False  # noqa: E741
    for line in text.splitlines():
        words = line.split()
        if line.startswith("["):
            in_gto, in_mo = line.lower().startswith("[gto]"), line.lower().startswith("[mo]")
        elif in_gto and words and words[0] in "spdfg":
            l, left = "spdfg".index(words[0]), int(words[1])  # noqa: E741
            ls.append(l)
        elif in_gto and left:
            a, c = map(float, words)
            norm = (2 * a / np.pi) ** 0.75 * (4 * a) ** (l / 2) / (3**0.5 if l == 4 else 1)
            line, left = f"{a!r} {c * norm!r}", left - 1
        elif in_mo and words and words[0].isdigit():
            signs = [s for which in ls for s in (1, 1, 1, 1, 1, -1, -1, -1, -1)[: 2 * which + 1]]
            line = f"{words[0]} {signs[int(words[0]) - 1] * float(words[1])!r}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def test_cells_beside_pyscf(hw, rng, tmp_path):
    """Cube files of cells: PySCF's lines, but for the one with its name and for charges, which it leaves out."""
    gto, cubegen = need("pyscf.pbc.gto"), need("pyscf.tools.cubegen")
    a = 1.7834 * (1 - np.eye(3))
    cells = [
        gto.M(atom="C 0 0 0; C .8917 .8917 .8917", a=a, basis="gth-szv", pseudo="gth-pade", verbose=0),
        gto.M(
            atom="He 0.2 0 0; H 1 1.1 0.3", a=[[3, 0.2, 0], [0.5, 3.5, 0.1], [0, 0.4, 4]], basis="6-31g**", spin=1, verbose=0
        ),
        gto.M(atom="He 0 0 0", a=[[3, 0.2, 0], [0.5, 3.5, 0], [0, 0, 9]], dimension=2, basis="6-31g", verbose=0),
    ]
    for cell in cells:
        n, files = {"nx": 6, "ny": 7, "nz": 8}, [str(tmp_path / name) for name in ("ours", "theirs")]
        one = rng.standard_normal(cell.nao)
        ours, theirs = convk.cubegen(cell, files[0], one, **n, hw=hw), cubegen.orbital(cell, files[1], one, **n)
        assert np.abs(ours - theirs).max() < 1e-10 * np.abs(theirs).max()
        lines, others = (Path(file).read_text().splitlines() for file in files)
        assert len(lines) == len(others) and lines[:1] + lines[2:6] == others[:1] + others[2:6]
        written = [np.array(" ".join(text[6 + cell.natm :]).split(), float) for text in (lines, others)]
        assert np.abs(written[0] - written[1]).max() < 1e-5 * np.abs(theirs).max()  # the last of six digits may differ
        for i in range(cell.natm):
            line, other = lines[6 + i], others[6 + i]
            assert line[:5] == other[:5] and line[17:] == other[17:] and float(line[5:17]) == cell.atom_charge(i)
        k = cell.get_abs_kpts([[0.1, 0.2, 0.3]])[0]
        both = rng.standard_normal((2, cell.nao)) + 1j * rng.standard_normal((2, cell.nao))
        density = convk.cubegen(cell, files[0], both, [2.0, 1.0], **n, k=k, hw=hw)
        want = np.abs(cell.eval_gto("PBCGTOval", cubegen.Cube(cell, **n).get_coords(), kpt=k) @ both.T) ** 2 @ [2, 1]
        assert np.abs(density.ravel() - want).max() < 1e-10 * want.max()
        basis = convk.Basis.from_pyscf(cell)
        for refused in (
            lambda: hw.orbitals(np.zeros((4, 3)), basis),
            lambda: hw.orbitals_vgl(np.zeros((4, 3)), basis),
            lambda: hw.density(np.zeros((4, 3)), basis, one[None], np.ones(1)),
            lambda: hw.orbitals_grid(basis, None, convk.Box((2, 2, 2), (1, 1, 1))),
            lambda: hw.density_grid(basis, one[None], np.ones(1), convk.Box((2, 2, 2), (1, 1, 1), periods=(3, 3, 3))),
            lambda: hw.density_grid_k(basis, one[None], np.ones(1), convk.Box((2, 2, 2), (1, 1, 1)), (0, 0, 0)),
        ):
            with pytest.raises(ValueError, match="periodic cell|cell with the lattice"):
                refused()
        with pytest.raises(ValueError, match="complex"):
            convk.cubegen(cell, files[0], one, k=k)
        with pytest.raises(TypeError, match="complex"):
            convk.cubegen(cell, files[0], both, [2.0, 1.0])


def test_elements_beside_pyscf(hw, tmp_path):
    gto, cubegen = need("pyscf.gto"), need("pyscf.tools.cubegen")
    mol = gto.M(atom="I 0 0 0; H 0 0 1.6", basis={"I": "lanl2dz", "H": "6-31g"}, ecp={"I": "lanl2dz"}, verbose=0)
    files = [tmp_path / name for name in ("ours", "theirs")]
    one = np.linspace(-1, 1, mol.nao)
    convk.cubegen(mol, files[0], one, nx=4, ny=4, nz=4, hw=hw)
    cubegen.orbital(mol, str(files[1]), one, nx=4, ny=4, nz=4)
    lines, others = (file.read_text().splitlines() for file in files)
    assert lines[6] == "   53    7.000000    0.000000    0.000000    0.000000" and lines[6][:5] == others[6][:5]
    assert lines[:1] + lines[2:6] + lines[8:] == others[:1] + others[2:6] + others[8:]
    with pytest.raises(ValueError, match="molecule"):
        convk.cubegen(mol, files[0], one[None], [2.0], k=(0, 0, 0.1))


def test_copies_and_masks(hw):
    own = convk.Basis(basis(), [(9, 0, 0), (0, 9, 0), (0, 0, 9)])
    for other in (pickle.loads(pickle.dumps(own)), copy.copy(own), copy.deepcopy(own)):
        assert other.functions == own.functions and np.array_equal(other.lattice, own.lattice)
    box = convk.Box((4, 4, 4), (0.5, 0.5, 0.5), periods=(9, 9, 9))
    c = np.ones(own.functions)
    one = hw.orbitals_grid(own, c, box)
    assert one.shape == (1, 4, 4, 4) and np.array_equal(one, hw.orbitals_grid(pickle.loads(pickle.dumps(own)), c[None], box))
    points = np.zeros((3, 3))
    assert hw.orbitals(points, convk.Basis(basis()), c).shape == (1, 3)
    assert hw.density(points, convk.Basis(basis()), c, np.ones(1)).shape == (3,)
    for masked in (
        lambda: hw.exp(np.ma.masked_array([1.0, 2.0], [False, True])),
        lambda: hw.orbitals(np.ma.masked_array(points, True), convk.Basis(basis())),
        lambda: hw.orbitals(points, convk.Basis(basis()), np.ma.masked_array(c, True)),
        lambda: hw.orbitals_grid(own, np.ma.masked_array(c, True), box, k=(0, 0, 0)),
        lambda: convk.Mesh(np.ma.masked_array(points, True), np.zeros((0, 3), int)),
        lambda: convk.cubegen(TwoAtoms(), "none", np.ma.masked_array(c, True)),
    ):
        with pytest.raises(TypeError, match="masked array"):
            masked()
