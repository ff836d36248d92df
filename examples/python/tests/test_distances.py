import types

import numpy as np
import pytest

import convk


def distances(a, b=None):
    d = np.linalg.norm(a[:, None, :].astype(float) - (a if b is None else b)[None, :, :].astype(float), axis=2)
    return d[np.triu_indices(len(a), 1)] if b is None else d.ravel()


def intensity(positions, q, f):
    r = np.linalg.norm(positions[:, None, :] - positions[None, :, :], axis=2)
    return np.array([(np.outer(f, np.conj(f)).real * np.sinc(k * r / np.pi)).sum() for k in q])


class Atoms(types.SimpleNamespace):
    def __len__(self):
        return len(self.positions)


def atoms_of(symbols, positions, cell=((0, 0, 0),) * 3, pbc=False):
    """What of ase.Atoms is used."""
    numbers = {"Au": 79, "Cu": 29, "Na": 11, "Cl": 17}
    return Atoms(
        positions=positions,
        cell=np.array(cell),
        pbc=np.full(3, pbc),
        get_chemical_symbols=lambda: list(symbols),
        get_atomic_numbers=lambda: np.array([numbers[s] for s in symbols]),
    )


def test_counts(hw, rng, real):
    positions = rng.uniform(0, 4, (40, 3)).astype(real)
    kinds = rng.integers(0, 2, 40)
    d = hw.pair_histogram(positions, 0.25, 20, kinds=kinds)
    assert d.pairs == [(0, 0), (0, 1), (1, 1)] and d.frames == 1 and d.atoms.tolist() == np.bincount(kinds).tolist()
    edges = d.edges - 0.25 * 2.0**-21
    for p, (a, b) in enumerate(d.pairs):
        r = distances(positions[kinds == a], None if a == b else positions[kinds == b])
        assert d.count[p].tolist() == np.histogram(r, edges)[0].tolist()
        assert d.beyond[p] == (r >= edges[-1]).sum()
        sums = np.histogram(r, edges, weights=r)[0]
        assert np.allclose(d.mean[p] * d.count[p], sums, atol=1e-6 * 40)
    # in any layout, backwards, in parts, and frame by frame
    again = hw.pair_histogram(np.asfortranarray(positions[::-1]), 0.25, 20, kinds=kinds[::-1])
    inparts = [hw.pair_histogram(positions, 0.25, 20, kinds=kinds, part=(i, 3)) for i in range(3)]
    inparts[0] += inparts[1]
    inparts[0] += inparts[2]
    assert np.array_equal(inparts[0].atoms, d.atoms)
    joined = None
    for i in range(3):
        joined = hw.pair_histogram(positions, 0.25, 20, kinds=kinds, part=(i, 3), out=joined)
    assert joined.frames == 1 and np.array_equal(joined.atoms, d.atoms) and np.array_equal(joined.count, d.count)
    twice = hw.pair_histogram(np.stack([positions, positions]), 0.25, 20, kinds=kinds)
    hw.pair_histogram(positions, 0.25, 20, kinds=kinds, out=again)
    assert again.frames == twice.frames == 2 and np.array_equal(twice.atoms, again.atoms)
    carried, more = hw.pair_histogram(positions, 0.25, 20), hw.pair_histogram(positions, 0.25, 20)
    carried.moment[1][:] = 2**64 - 1, 0
    carried += more
    low, high = more.moment[1][0].T.tolist()
    assert carried.moment[1][0].tolist() == [[(n - 1) % 2**64, m + (n > 0)] for n, m in zip(low, high)]
    for name in ("count", "beyond"):
        assert np.array_equal(getattr(inparts[0], name), getattr(d, name))
        assert np.array_equal(getattr(twice, name), getattr(again, name))
    assert all(np.array_equal(x, y) for x, y in zip(inparts[0].moment, d.moment))


def test_weights(hw, rng, real):
    positions, w = rng.uniform(0, 2, (15, 3)).astype(real), rng.uniform(1, 2, 15).astype(real)
    d = hw.pair_histogram(positions, 0.5, 8, weights=w, moments=1)
    pairs = np.outer(w, w).astype(float)[np.triu_indices(15, 1)]
    assert d.sum[0, :, 0] == pytest.approx(np.histogram(distances(positions), d.edges, weights=pairs)[0])
    assert d.atoms[0] == pytest.approx((w.astype(float) ** 2).sum()) and d.count is None and d.beyond is None
    with pytest.raises(ValueError, match="weights count no atoms"):
        d.rdf(1.0)


def test_debye(hw, rng, real):
    positions, kinds = rng.uniform(0, 5, (30, 3)).astype(real), rng.integers(0, 2, 30)
    q = np.linspace(0, 3, 7).astype(real)
    kind = [convk.Scatterer((3.0, 1.5), (10.0, 2.0), 0.5 + 0.25j), 2.0]
    s2 = (q / (4 * np.pi)) ** 2
    found = hw.pair_histogram(positions, 0.01, 900, kinds=kinds)
    got, bound = hw.debye(found, q, kind, bound=True)
    direct = hw.debye_direct(positions, q, kind, kinds=kinds)
    wanted = []
    for one, square in zip(q, s2):
        f = np.array([3 * np.exp(-10 * square) + 1.5 * np.exp(-2 * square) + 0.5 + 0.25j, 2.0])[kinds]
        wanted.append(intensity(positions.astype(float), [one], f)[0])
    tol = 1e-5 if real == np.float32 else 1e-12
    assert direct == pytest.approx(wanted, rel=tol) and got == pytest.approx(wanted, rel=max(tol, 1e-7))
    assert (np.abs(got - wanted) <= bound + tol * got).all()
    assert hw.debye(found, q, out=got) is got and got[0] == pytest.approx(900)


def test_periodic(hw):
    # rock salt: shells at 1, sqrt(3) and sqrt(5) of the other kind, at sqrt(2), 2 and sqrt(6) of the own; all but the first
    # lie beyond half the cell
    corners = np.array([(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)], float)
    positions = np.concatenate([corners, (corners + (1, 0, 0)) % 2])
    atoms = atoms_of(["Na"] * 4 + ["Cl"] * 4, positions, 2 * np.eye(3), True)
    r, g = convk.rdf(atoms, 2.5, 50, hw=hw)
    shells = 4 / 3 * np.pi * np.diff((0.05 * np.arange(51)) ** 3)
    neighbours = g["Cl", "Na"] * shells * 4 / 8
    assert np.flatnonzero(neighbours).tolist() == [20, 34, 44] and neighbours[[20, 34, 44]] == pytest.approx([6, 8, 24])
    own = g["Na", "Na"] * shells * 4 / 8
    assert np.flatnonzero(own).tolist() == [28, 40, 48] and own[[28, 40, 48]] == pytest.approx([12, 6, 24]) and len(r) == 50
    r, big = convk.pdf(atoms, 2.5, 50, {"Na": 1, "Cl": 1}, hw=hw)
    assert big[20] == pytest.approx(6 / (0.05 * r[20]) - 4 * np.pi * r[20])
    with pytest.raises(ValueError, match="periodic along all three"):
        convk.rdf(atoms_of(["Na"], np.zeros((1, 3))), 2.0)


def test_of_ase(hw, rng):
    positions, q = rng.uniform(0, 6, (12, 3)), np.linspace(0.1, 2, 5)
    atoms = atoms_of(["Cu", "Au", "Au"] * 4, positions)
    f = np.array([29, 79, 79] * 4)
    assert convk.debye(atoms, q) == pytest.approx(intensity(positions, q, f), rel=1e-6)
    assert convk.debye(atoms, q, {"Cu": 1, "Au": convk.Scatterer(c=2)}, hw=hw) == pytest.approx(
        intensity(positions, q, np.array([1, 2, 2] * 4)), rel=1e-6
    )
    r, big = convk.pdf(atoms, 12.0, 400, hw=hw)
    total = (big * r).sum() * (r[1] - r[0]) * 12 * f.mean() ** 2
    assert total == pytest.approx(f.sum() ** 2 - (f**2).sum())
    assert convk.debye(atoms_of([], np.zeros((0, 3))), q, hw=hw).tolist() == [0] * 5


def test_refused(hw):
    positions = np.zeros((4, 3))
    for wrong in (dict(kinds=np.array([0, 1, -1, 0])), dict(kinds=np.zeros(3, int)), dict(cell=np.eye(2)), dict(moments=3)):
        with pytest.raises(ValueError):
            hw.pair_histogram(positions, 0.1, 5, **wrong)
    with pytest.raises(convk.Error, match="plane"):
        hw.pair_histogram(positions, 0.1, 5, cell=np.ones((3, 3)))
    with pytest.raises(ValueError, match="not \\(n, 3\\)"):
        hw.pair_histogram(positions.T, 0.1, 5)
    found = hw.pair_histogram(positions, 0.1, 5)
    with pytest.raises(ValueError, match="1 kinds"):
        hw.debye(found, np.ones(2), [1, 2])
    with pytest.raises(ValueError, match="other bins"):
        hw.pair_histogram(positions, 0.2, 5, out=found)
