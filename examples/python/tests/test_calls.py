"""What all calls share: memory, errors, threads, signals, lifetimes."""

import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from conftest import padded

import convk


def test_open():
    names = convk.hardware()
    assert names[0] == "scalar"
    for name in names:
        with convk.open(name, threads=1) as hw:
            assert hw.name == name and hw.threads == 1 and hw.machine and " " not in hw.machine
            assert np.allclose(hw.exp(np.ones(9)), np.e)
    best = convk.open()
    assert best.name == names[-1] and best.threads >= 1 and best.name in repr(best)
    with pytest.raises(convk.Error, match="unknown hardware name: 'abacus' is none of scalar") as error:
        convk.open("abacus")
    assert error.value.status == -14
    with pytest.raises(convk.Error, match="not compiled in"):
        convk.open("cuda")
    with pytest.raises(ValueError, match="threads is 0"):
        convk.open(threads=0)
    with pytest.raises(TypeError):
        convk.open(2)


def test_closed():
    with convk.open() as hw:
        pass
    hw.close()
    with pytest.raises(convk.Error, match="handle is not open"):
        hw.exp(np.ones(3))
    with pytest.raises(convk.Error, match="handle is not open"):
        hw.formfactor_grid(convk.Mesh(np.eye(3), [[0, 1, 2]]), *[np.ones(2)] * 3)


def test_readme():
    text = (Path(__file__).parents[1] / "README.md").read_text()
    exec(text.split("```python\n")[1].split("```")[0], {})
    for name in convk.__all__:
        assert isinstance(getattr(convk, name), np.dtype) or getattr(convk, name).__doc__, name  # some NumPy's have none
    for name in dir(convk.Hardware):
        assert name.startswith("_") or getattr(convk.Hardware, name).__doc__, name
        assert name.startswith("_") or f"`{name}`" in text or name in "name machine threads flush_subnormals close".split(), (
            name
        )


def test_version():
    text = (Path(__file__).parents[3] / "convk.h").read_text()
    assert f"CONVK_VERSION_MINOR {convk.__version__.split('.')[1]}\n" in text


# ---- memory ----


def test_addresses(hw, rng, monkeypatch):
    """The C calls get the addresses of the arrays themselves."""
    import convk._core
    import convk._grids

    seen = []

    def address(array, c_type=None):
        seen.append(array.__array_interface__["data"][0])
        return convk._core.address(array, c_type)

    monkeypatch.setattr(convk._grids, "address", address)
    x, out = padded(rng.standard_normal((6, 7, 8)))[1:], padded(np.zeros((5, 7, 8)))
    assert hw.magicfilter3d(x, out=out) is out
    assert x.ctypes.data in seen and out.ctypes.data in seen


def test_no_copies(hw):
    """Calls on 32 MB with out= take hardly any memory of NumPy's."""
    x = np.ones((2, 2**10, 2**10))
    out = np.zeros_like(x)
    points, values = np.zeros((2**18, 3)), np.zeros((4, 2**18))
    tracemalloc.start()
    hw.exp(x, out=out)
    hw.magicfilter3d(x, out=out)
    hw.stencil7(x, (0.4, 0.1), 2, b=out)
    hw.gridpot(points, -np.ones(4), out=values)
    hw.convolve2d(x, np.ones((3, 3)), "same", out=out)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**21


@pytest.mark.parametrize(
    "view, message",
    [
        (lambda x: x.T, "contiguous along axis 2"),
        (lambda x: x[:, :, ::2], "contiguous along axis 2"),
        (lambda x: x[::-1], "along axis 0, and no positive multiple"),
        (lambda x: np.broadcast_to(x[:1], x.shape), "stride of 0 bytes"),
        (lambda x: x[0], "2 axes, not 3"),
    ],
)
def test_strides(hw, view, message):
    with pytest.raises(ValueError, match=message):
        hw.magicfilter3d(view(np.ones((8, 8, 8))))


def test_strides_that_are_taken(hw, rng):
    big = rng.standard_normal((12, 20, 24))
    for view in (big[::2, 3:15, 5:21], big[2:, ::2, :8], big[:1], big[:, :1], big[3:4, 4:5, 6:7]):
        assert np.array_equal(hw.magicfilter3d(view), hw.magicfilter3d(view.copy()))
    odd = np.frombuffer(b"x" + big.tobytes() + b"x" * 7, np.uint8)[1:-7].view(np.float64).reshape(big.shape)
    assert odd.ctypes.data % 8 and np.array_equal(hw.magicfilter3d(odd), hw.magicfilter3d(big))


def test_dtypes(hw):
    for wrong in (
        np.ones((4, 4, 4), int),
        np.ones((4, 4, 4), ">f8"),
        np.ones((4, 4, 4), np.float16),
        np.ones((4, 4, 4), complex),
    ):
        with pytest.raises(TypeError, match="not float32 or float64"):
            hw.magicfilter3d(wrong)
    with pytest.raises(TypeError, match="not a NumPy array"):
        hw.magicfilter3d([[[1.0, 2.0]]])
    with pytest.raises(TypeError, match="x is of int64, not float32 or float64"):
        hw.exp(np.ones(3, np.int64))
    with pytest.raises(TypeError, match="out is of float32, not float64"):
        hw.exp(np.ones(3), out=np.ones(3, np.float32))


def test_out(hw):
    x = np.ones((8, 8, 8))
    with pytest.raises(ValueError, match="out has the shape"):
        hw.magicfilter3d(x, out=np.ones((8, 8, 9)))
    fixed = np.ones((8, 8, 8))
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        hw.magicfilter3d(x, out=fixed)
    assert np.array_equal(hw.magicfilter3d(fixed), hw.magicfilter3d(x))
    with pytest.raises(convk.Error, match="overlap") as error:
        hw.magicfilter3d(x, out=x)
    assert error.value.status == -10


def test_messages(hw):
    """What a call says of an error is its own, not that of another one before."""
    shells = convk.Basis([convk.Shell((0, 0, 0), 0, (1.0,), (1.0,))])
    with pytest.raises(convk.Error, match="exclude each other: options->cutoff is negative$"):
        hw.orbitals(np.zeros((4, 3)), shells, cutoff=-1)
    with pytest.raises(convk.Error, match="arrays overlap that must not: in overlaps out$"):
        hw.magicfilter3d(x := np.ones((8, 8, 8)), out=x)
    assert len(hw.exp(np.ones(3))) == 3


# ---- lifetimes ----


def test_lifetimes(hw, rng):
    def objects():
        system = convk.PairSystem(
            3, trial=(2700, 0, 0.3, 0.01), potential=convk.table_potential(2, 0.01, np.linspace(-1, 0, 500))
        )
        shells = convk.Basis([convk.Shell((0, 0, 0), 0, np.array([1.0]), np.array([1.0]))])
        mesh = convk.Mesh(np.eye(4, 3), [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
        at = np.zeros(1, convk.placement)
        at["weight"] = 1
        return system, shells, convk.Assembly([mesh], at), convk.FFTConv2D((8, 8), np.ones((2, 2))), convk.open().vmc(system, 4)

    def use(system, shells, assembly, plan, run):
        return (
            hw.pair_energy(system, np.arange(9.0).reshape(1, 3, 3))["potential"],
            hw.orbitals(np.ones((5, 3)), shells),
            hw.formfactor_assembly(assembly, *[np.ones(3)] * 3)[0],
            hw.fftconv2d(plan, np.ones((8, 8))),
            run.run(20).energy.mean,
        )

    kept = objects()
    want = use(*kept)
    kept = objects()
    gc.collect()
    rubbish = [np.full(n, 7e77) for n in range(1, 3000, 7)]
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(use(*kept), want)) and rubbish


# ---- threads ----


def results(hw):
    rng = np.random.default_rng(3)
    x, points = rng.standard_normal((48, 48, 64)), rng.standard_normal((40000, 3))
    q = rng.uniform(-3, 3, (3, 1500))
    mesh = convk.Mesh(np.eye(4, 3), [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])
    system = convk.PairSystem(8, trial=(2700, 0, 0.3, 0.01), potential=convk.hfdb())
    run = hw.vmc(system, 8, equilibration=10)
    run.run(40)
    return {
        "magicfilter3d": hw.magicfilter3d(x),
        "stencil7": hw.stencil7(x.copy(), (0.4, 0.1), 9),
        "hamiltonian": hw.hamiltonian(x + 1j, x, order=12, k=0.3, sums=True)[0],
        "dwt": hw.dwt(x, levels=2),
        "exp": hw.exp(x),
        "gridpot": hw.gridpot(points, -np.arange(1.0, 9)),
        "formfactor": hw.formfactor(mesh, *q, form="exact"),
        "convolve2d": hw.convolve2d(x, np.ones((3, 5))),
        "vmc": run.positions(),
    }


def test_same_bits():
    with convk.open(threads=1) as one, convk.open(threads=3) as three:
        want, got = results(one), results(three)
    for name in want:
        assert np.array_equal(want[name], got[name]), name


def test_parts(hw, in_parts):
    """What is cut so that signals are handled has the same bits."""
    rng = np.random.default_rng(3)
    points, alpha, c = padded(rng.standard_normal((31, 3))), -rng.random(4), rng.standard_normal((2, 4))
    basis = convk.Basis([convk.Shell((0, 0, 0), 1, (0.5,), (1,))])
    x, kernels, index = (
        rng.standard_normal((10, 16, 16)),
        rng.standard_normal((5, 3, 3)),
        rng.integers(0, 5, 10).astype(np.uintp),
    )
    plan = convk.FFTConv2D((16, 16), kernels)
    system, r = (
        convk.PairSystem(8, trial=(2700, 0, 0.3, 0.01), potential=convk.hfdb()),
        padded(rng.standard_normal((10, 3, 8)) * 5),
    )

    def calls():
        energies, gradient = hw.pair_energy(system, r, gradient=True)
        return [
            hw.gridpot(points, alpha, out=padded(np.zeros((4, 31)))),
            hw.gridpot(points, alpha, layout="exponents", out=padded(np.zeros((31, 4)))),
            hw.gridpot_sum(points, alpha, c),
            hw.orbitals(points, basis),
            hw.orbitals_vgl(points, basis),
            hw.density(points, basis, None, np.ones(3)),
            hw.stencil7(x.copy(), (0.4, 0.1), 23),
            hw.stencil7(x.copy(), (0.4, 0.1), 24),
            hw.fftconv2d(plan, x, kernel=index),
            hw.fft2d(x + 0j),
            energies.view(float),
            gradient,
        ]

    whole = calls()
    in_parts()
    for i, (got, want) in enumerate(zip(calls(), whole)):
        assert np.array_equal(got, want), i


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="no /proc")
def test_threads_are_used():
    """Three threads are three of the system's, while a call runs."""
    with convk.open(threads=1) as one, convk.open(threads=3) as three:
        mesh, q = work(one, 0.3)
        # A system that is busy may not let all of them begin before the call ends: then another call shows them.
        assert most_threads(one, mesh, q, 1) == 1
        assert most_threads(three, mesh, q, 3) == 3


def most_threads(hw, mesh, q, wanted):
    """How many threads calls have at the most, of several until it is as many as wanted."""
    most = 0
    for _ in range(10):
        thread = threading.Thread(target=hw.formfactor, args=(mesh, q, q, q))
        before = len(os.listdir("/proc/self/task"))
        thread.start()
        while thread.is_alive():
            most = max(most, len(os.listdir("/proc/self/task")) - before)
            time.sleep(0.001)
        if most >= wanted:
            break
    return most


def work(hw, seconds):
    """A call of about so many seconds, as one call of C: (mesh, q)."""
    t = np.linspace(0, 1, 2000)
    vertices = np.array([np.cos(40 * t), np.sin(40 * t), t]).T
    mesh = convk.Mesh(vertices, np.arange(1998)[:, None] + [0, 1, 2])
    q = np.linspace(0.1, 2, 400)
    begin = time.perf_counter()
    hw.formfactor(mesh, q, q, q)
    n = int(400 * seconds / (time.perf_counter() - begin)) + 1
    return mesh, np.linspace(0.1, 2, n)


def test_lock_is_released():
    """While one Python thread is in a call, another runs."""
    with convk.open(threads=1) as hw:
        mesh, q = work(hw, 0.4)
        span = []

        def call():
            span.append(time.perf_counter())
            hw.formfactor(mesh, q, q, q)
            span.append(time.perf_counter())

        thread, ticks = threading.Thread(target=call), []
        thread.start()
        while thread.is_alive():
            ticks.append(time.perf_counter())
            time.sleep(0.001)
        begin, end = span
        assert sum(begin + 0.2 * (end - begin) < t < begin + 0.8 * (end - begin) for t in ticks) > 5


def test_python_threads(hw):
    """Several Python threads use one handle at once."""
    want, found = results(hw), []
    threads = [threading.Thread(target=lambda: found.append(results(hw))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert all(np.array_equal(got[name], want[name]) for got in found for name in want)


@pytest.fixture
def at_once():
    """Runs functions in a thread each, which begin together and change often; what they return, or their exceptions."""

    def run(*functions):
        barrier, found = threading.Barrier(len(functions)), [None] * len(functions)

        def call(i):
            barrier.wait()
            try:
                found[i] = functions[i]()
            except Exception as error:
                found[i] = error

        threads = [threading.Thread(target=call, args=(i,)) for i in range(len(functions))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield run
    sys.setswitchinterval(interval)


def test_shared_by_threads(rng, at_once):
    """One handle, mesh, basis and plan for all threads, while others set what the handle is tuned to, and its threads."""
    hw = convk.open(threads=2)
    mesh = convk.Mesh(np.eye(4, 3), [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]])
    basis = convk.Basis([convk.Shell((0, 0, 0.1 * i), i % 3, [0.5, 1.5], [1, 0.3]) for i in range(6)])
    plan = convk.FFTConv2D((12, 20), rng.standard_normal((3, 3)))
    x, q, points = rng.standard_normal((12, 20)), rng.standard_normal((3, 50)), rng.standard_normal((70, 3))
    orbitals = rng.standard_normal((4, basis.functions))

    def values():
        found = [hw.formfactor(mesh, *q), hw.orbitals(points, basis, orbitals), hw.fftconv2d(plan, x)]
        return [*found, np.array(mesh.measure().area)]

    lines = "".join(sorted({hw.tune("stencil7_f64", (8, 8, n), 0.01) for n in (8, 16, 24)}))
    want, going = values(), [True]

    def repeat():
        good = all(np.array_equal(a, b) for _ in range(60) for a, b in zip(values(), want))
        going.clear()
        return good

    def settings():
        while going:
            for text in ("", lines):
                hw.tuned, hw.threads = text, 1 + bool(text)
                assert hw.tuned in ("", lines)
        return True

    assert at_once(repeat, repeat, settings, repeat, settings) == [True] * 5
    hw.tuned = ""
    tunes = [lambda n=n: [hw.tune("stencil7_f64", (8, k, n), 1e-3) for k in range(4, 20)] for n in (8, 16, 24, 32)]
    found = [line for lines in at_once(*tunes) for line in lines]
    assert sorted(hw.tuned.splitlines(True)) == sorted(found)


def test_run_shared_by_threads(at_once):
    """A Vmc does the sweeps of all threads, one after the other, and its state is whole at any time."""
    system = convk.PairSystem(8, trial=(2700, 0, 0.3, 0.01), potential=convk.hfdb())
    with convk.open(threads=1) as hw:
        want, got = hw.vmc(system, 8, equilibration=10), hw.vmc(system, 8, equilibration=10)
        want.run(90)

        def states():
            return {len(got.state) for _ in range(200)} == {len(got.state)}

        found = at_once(lambda: got.run(30), lambda: got.run(30), lambda: got.run(30), got.positions, states)
        assert not any(isinstance(f, Exception) for f in found)
        assert np.array_equal(got.positions(), want.positions()) and got.result() == want.result()


def test_closed_by_another_thread(rng, at_once):
    """Calls on their way end as they would, later ones are refused."""
    x = rng.standard_normal((32, 40, 48))
    with convk.open(threads=2) as hw:
        want = hw.stencil7(x.copy(), (0.4, 0.1), 5)
    for _ in range(20):
        hw = convk.open(threads=2)
        *found, _ = at_once(*[lambda hw=hw: hw.stencil7(x.copy(), (0.4, 0.1), 5)] * 3, hw.close)
        for f in found:
            assert np.array_equal(f, want) if isinstance(f, np.ndarray) else "handle is not open" in str(f)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork(hw):
    """A child of fork() has no threads but its own, and goes on working."""
    x = np.ones((48, 48, 64))
    want = hw.magicfilter3d(x)
    child = os.fork()
    if not child:
        signal.alarm(20)  # instead of waiting for threads that are not there
        os._exit(0 if np.array_equal(hw.magicfilter3d(x), want) else 1)
    assert os.waitpid(child, 0)[1] == 0


# ---- signals ----

LONG = {
    "vmc": "hw.vmc(convk.PairSystem(200, trial=(2700, 0, 0.3, 0.01), potential=convk.hfdb()), 50).run(10**9)",
    "minimise": "hw.vmc(convk.PairSystem(3, trial=(2700, 0, 0.3, 0.01), potential=convk.hfdb()), 64).minimise(sweeps=10**9)",
    "stencil7": "hw.stencil7(np.ones((64, 64, 64)), (0.4, 0.1), 10**9)",
    "formfactor": "hw.formfactor(mesh(20000), *[np.linspace(0, 1, 10**6)] * 3, order=16)",
    "formfactor_grid": "hw.formfactor_grid(mesh(1000), *[np.linspace(0, 1, 300)] * 3)",
    "gridpot_sum": "hw.gridpot_sum(np.ones((10**6, 3)), np.full(10**5, -1e-3), np.ones((3, 10**5)))",
}


@pytest.mark.parametrize("name, threads", [*((name, 2) for name in LONG), ("formfactor", 1)])
def test_interrupt(name, threads):
    """Ctrl-C ends a call that would take minutes."""
    program = f"""
import signal, sys, numpy as np, convk
signal.signal(signal.SIGINT, signal.default_int_handler)  # where it was ignored, as in background jobs
hw = convk.open(threads={threads})
mesh = lambda n: convk.Mesh(np.random.default_rng(1).random((n, 3)), np.arange(n - 2)[:, None] + [0, 1, 2])
print("ready", flush=True)
try:
    {LONG[name]}
except KeyboardInterrupt:
    print("interrupted", hw.exp(np.zeros(1))[0])
    raise
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.4)
        assert process.poll() is None, "ended by itself"
        begin = time.perf_counter()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        assert time.perf_counter() - begin < 5  # a second, and more where the machine has other work
    finally:
        process.kill()
        process.wait()
    assert out == "interrupted 1.0\n" and "KeyboardInterrupt" in err and process.returncode == -signal.SIGINT


def test_interrupt_in_numpy(hw):
    """Ctrl-C while NumPy's Python code looks at an array of structs comes out of the call."""

    def profile(frame, event, arg):
        if event == "call" and frame.f_code.co_filename.endswith("_internal.py"):
            raise KeyboardInterrupt

    r, system = np.arange(24.0).reshape(1, 3, 8) ** 1.5, convk.PairSystem(8, trial=(2700, 0, 0.3, 0.01))
    sys.setprofile(profile)
    try:
        with pytest.raises(KeyboardInterrupt):
            hw.pair_energy(system, r)
    finally:
        sys.setprofile(None)


def test_other_signals(hw):
    """Whatever a handler raises comes out of the call; a handler that returns does not end it."""

    class Late(Exception):
        pass

    def handler(number, frame):
        calls.append(number)
        if len(calls) == 2:
            raise Late

    calls = []
    mesh, q = work(hw, 10)
    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.2)
    try:
        with pytest.raises(Late):
            hw.formfactor(mesh, q, q, q)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(calls) >= 2
    assert np.isfinite(hw.formfactor(mesh, q[:5].copy(), q[:5].copy(), q[:5].copy())).all()


# ---- settings ----


def test_flush_subnormals():
    with convk.open(threads=1) as hw:
        x, one = np.full((4, 4, 4), 1e-310), convk.Filter(np.ones(1), 0)
        assert hw.sepconv3d(x, one)[0, 0, 0] == 1e-310
        hw.flush_subnormals = True
        assert hw.flush_subnormals and hw.sepconv3d(x, one)[0, 0, 0] == 0


def test_tune(rng):
    with convk.open(threads=2) as hw:
        assert hw.tuned == ""
        line = hw.tune("stencil7_f64", (24, 24, 32), 0.02)
        assert line.startswith("convk-tuned-1 stencil7 f64 " + hw.name) and hw.tuned == line
        assert "threads=2" in line and "size=32x24x24" in line
        second = hw.tune("fftconv2d_c32", (4, 32, 32), 0.02)
        assert hw.tuned == line + second
        a = rng.standard_normal((24, 24, 32))
        tuned = hw.stencil7(a.copy(), (0.4, 0.1), 5)
        hw.tuned = ""
        assert hw.tuned == "" and np.array_equal(hw.stencil7(a.copy(), (0.4, 0.1), 5), tuned)
        hw.tuned = "rubbish\n" + line
        assert hw.tuned == line
        with pytest.raises(convk.Error, match="'exp_f64'"):
            hw.tune("exp_f64", (24, 24, 32), 0.02)


def test_handles_are_not_copied(hw):
    plan = convk.FFTConv2D((8, 8), np.ones((3, 3)))
    run = hw.vmc(convk.PairSystem(2, trial=(2700, 0, 0.3, 0.01)), 2)
    for held in (hw, plan, convk.FFT2D((8, 8)), run, run.system, convk.hfdb()):
        for way in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match=f"a convk.{type(held).__name__} holds memory of this process"):
                way(held)
