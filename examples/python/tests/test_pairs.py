import sys
import types

import numpy as np
import pytest
from conftest import padded

import convk

TRIAL = (2500.0, 3.0, 2.0, 0.05)
P, H = 3, 6.059648  # hbar^2 / (2 m) of helium-4


def formula(r, trial, v):
    """ln Psi, V, gradients and Laplacian of one walker, r of shape (3, n)."""
    p5, p2, p0, p1 = trial
    d = r[:, :, None] - r[:, None, :]
    s = np.sqrt((d**2).sum(0)) + np.eye(r.shape[1])
    off = ~np.eye(r.shape[1], dtype=bool)
    u = -p5 / s**5 - p2 / s**2 - p0 * np.log(s) - p1 * s
    du = 5 * p5 / s**6 + 2 * p2 / s**3 - p0 / s - p1
    d2u = -30 * p5 / s**7 - 6 * p2 / s**4 + p0 / s**2
    gradient = (np.where(off, du / s, 0) * d).sum(2)
    return u[off].sum() / 2, v(s)[off].sum() / 2, gradient, (d2u + 2 * du / s)[off].sum()


@pytest.fixture
def walkers(rng, real):
    lattice = np.array([[i // 4, i // 2 % 2, i % 2] for i in range(6)]).T * 4.0
    return (lattice + rng.uniform(-0.5, 0.5, (9, 3, 6))).astype(real)


@pytest.fixture
def system():
    return convk.PairSystem(6, trial=TRIAL, potential=convk.lennard_jones())


def lj(s):
    return 4 * 10.22 * ((2.556 / s) ** 12 - (2.556 / s) ** 6)


def test_potentials(hw, real):
    r = np.linspace(2.4, 12, 500).astype(real)
    tol = 1e-4 if real == np.float32 else 1e-12
    assert np.allclose(hw.pair_potential(convk.lennard_jones(), r), lj(r.astype(float)), rtol=tol, atol=tol)
    for well, depth in ((convk.hfdb(), -10.948), (convk.hfdhe2(), -10.8), (convk.lm2m2(), -10.97)):
        assert hw.pair_potential(well, np.array([2.9673], real))[0] == pytest.approx(depth, abs=0.03)
    table = convk.table_potential(1.0, 0.01, lj(1 + 0.01 * np.arange(2000)))
    assert np.allclose(hw.pair_potential(table, r), lj(r.astype(float)), atol=1e-3)


def test_pair_energy(hw, walkers, system, real):
    got, gradient = hw.pair_energy(system, walkers, gradient=True)
    tol = 1e-4 if real == np.float32 else 1e-12
    for w, r in enumerate(walkers.astype(float)):
        ln_psi, potential, g, laplacian = formula(r, TRIAL, lj)
        assert got["ln_psi"][w] == pytest.approx(ln_psi, rel=tol)
        assert got["potential"][w] == pytest.approx(potential, rel=tol)
        assert gradient[w] == pytest.approx(g, rel=tol, abs=tol)
        assert got["laplacian"][w] == pytest.approx(laplacian, rel=tol)
        assert got["gradient_squared"][w] == pytest.approx((g**2).sum(), rel=tol)
        assert got["kinetic"][w] == pytest.approx(-H * (laplacian + (g**2).sum()), rel=10 * tol)
    strided, out = padded(walkers), np.zeros(9, convk.pair_result)
    space = padded(np.zeros_like(walkers))
    found, g = hw.pair_energy(system, strided, gradient=space, out=out)
    assert found is out and g is space and np.array_equal(out, got) and np.array_equal(g, gradient)
    assert np.isnan(g.base[:, :, -1]).all()
    some = hw.pair_energy(system, walkers, want="ln_psi|potential")
    assert np.array_equal(hw.pair_energy(system, walkers, want=("ln_psi", "potential")), some)
    assert np.array_equal(some["ln_psi"], got["ln_psi"]) and not some["kinetic"].any()


def test_box(hw, rng):
    r = rng.uniform(0, 20, (1, 3, 2))
    box = convk.PairSystem(2, potential=convk.lennard_jones(), box=(20, 20, 20))
    moved = r + np.array([20.0, -20, 40])[None, :, None] * np.array([0, 1.0])
    assert hw.pair_energy(box, moved)["potential"] == pytest.approx(hw.pair_energy(box, r)["potential"], rel=1e-9)


def test_moves(hw, walkers, system, rng, real):
    before, gradient = hw.pair_energy(system, walkers, gradient=True)
    to = (walkers[:, :, 2] + rng.uniform(-0.3, 0.3, (9, 3))).astype(real)
    change = hw.pair_move(system, 2, walkers, to)
    accept = np.arange(9) % 2 == 0
    r = walkers.copy()
    hw.pair_accept(system, 2, r, to, accept=accept, gradient=gradient)
    assert np.array_equal(r[accept, :, 2], to[accept]) and np.array_equal(r[~accept], walkers[~accept])
    after, again = hw.pair_energy(system, r, gradient=True)
    tol = 1e-3 if real == np.float32 else 1e-10
    assert np.allclose((after["ln_psi"] - before["ln_psi"])[accept], change["ln_psi"][accept], atol=10 * tol)
    assert np.allclose(gradient, again, atol=tol) and np.allclose(change["after"][accept], again[accept][:, :, 2], atol=tol)
    with pytest.raises(convk.Error):
        hw.pair_move(system, 6, walkers, to)


@pytest.fixture
def trimer():
    return convk.PairSystem(3, trial=(2700, 0, 0.3, 0.01), potential=convk.hfdb())


def test_vmc(hw, trimer, real):
    whole = hw.vmc(trimer, 32, seed=5, dtype=real)
    result = whole.run(900)
    assert result.sweeps == 900 and result.measurements == 772 and 0.3 < result.acceptance < 0.7
    assert result.energy.mean == pytest.approx(result.potential.mean + result.kinetic.mean, rel=1e-6, abs=1e-9)
    assert -0.2 < result.energy.mean < 0.2 and 0 < result.energy.error < 0.05
    first = hw.vmc(trimer, 32, seed=5, dtype=real)
    first.run(333)
    checkpoint = first.state
    assert isinstance(checkpoint, bytes)
    with convk.open(hw.name, threads=3) as other:
        second = other.vmc(trimer, 32, seed=5, dtype=real)
        second.state = checkpoint
        assert second.run(567) == result and second.state == whole.state
    r = whole.positions()
    assert r.shape == (32, 3, 3) and r.dtype == real
    edges = np.linspace(0, 400, 50)
    assert (whole.density(edges) * 4 / 3 * np.pi * np.diff(edges**3)).sum() == pytest.approx(3)
    out = np.zeros(len(edges) - 1)
    assert whole.density(edges, out=out) is out and np.array_equal(out, whole.density(edges))
    again = hw.vmc(trimer, 32, seed=5, dtype=real, positions=r)
    assert np.array_equal(again.positions(), r)
    with pytest.raises(convk.Error, match="damaged"):
        whole.state = checkpoint[:-5]
    with pytest.raises(convk.Error, match="another system"):
        hw.vmc(trimer, 32, seed=6, dtype=real).state = checkpoint
    assert whole.result() == result


def test_minimise(hw, trimer):
    trimer.trial = 2700, 0, 0.3, 0.1  # much too small
    run, seen = hw.vmc(trimer, 32, seed=2), []
    before = run.run(400).energy.mean

    def look(iteration, trial, result):
        seen.append((iteration, trial, result.energy.mean))
        return iteration == 5

    result = run.minimise(iterations=9, sweeps=100, final_sweeps=500, fixed=(False, True, False, False), look=look)
    assert [s[0] for s in seen] == [0, 1, 2, 3, 4, 5] and seen[0][1] == (2700, 0, 0.3, 0.1)
    assert trimer.trial[1] == 0 and trimer.trial != seen[0][1] and result.energy.mean < before

    def wrong(*args):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run.minimise(iterations=3, sweeps=50, final_sweeps=50, look=wrong)


def test_errors(hw, walkers, system, real):
    with pytest.raises(ValueError, match=r"not \(walkers, 3, 6\)"):
        hw.pair_energy(system, walkers[:, :, :5])
    with pytest.raises(ValueError, match="want is 'force'"):
        hw.pair_energy(system, walkers, want="force")
    with pytest.raises(ValueError, match="strides"):
        hw.pair_energy(system, walkers, gradient=padded(walkers))
    with pytest.raises(convk.Error, match="one particle"):
        hw.pair_energy(convk.PairSystem(1), walkers[:, :, :1].copy())
    with pytest.raises(TypeError, match="trial|number|float|real"):
        convk.PairSystem(3, trial=("a", 0, 0, 0))


def test_progress(hw, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)  # without it
    system = convk.PairSystem(3, trial=(2700, 0, 0.3, 0.01), potential=convk.hfdb())
    run, seen = hw.vmc(system, 8), []
    run.run(50, progress=True)
    assert "50 of 50 sweeps" in capsys.readouterr().err
    run.minimise(iterations=2, sweeps=10, final_sweeps=10, progress=True)
    assert "2 of 2 iterations" in capsys.readouterr().err
    run.run(10**9, look=lambda done, found: seen.append((done, found)) or done >= 20)
    assert seen[-1][0] >= 20 and seen[-1][1].sweeps >= 20
    bars = []

    class Bar:
        def __init__(self, total, unit, file):
            bars.append([total, unit, 0])

        def update(self, count):
            bars[-1][2] += count

        def close(self):
            bars.append("closed")

    monkeypatch.setitem(sys.modules, "tqdm", types.SimpleNamespace(tqdm=Bar))
    run.run(30, progress=True)
    assert bars == [[30, " sweeps", 30], "closed"] and not capsys.readouterr().err
