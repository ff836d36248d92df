"""Particles with pair interactions: energies of walkers, and variational Monte Carlo."""

from __future__ import annotations

import threading
import time
from typing import Any, Callable, Literal, NamedTuple, Sequence, Union, overload

import numpy as np

from ._core import (
    NULL,
    Handle,
    Held,
    Progress,
    address,
    check,
    choice,
    contiguous,
    elementwise,
    expect,
    ffi,
    from_c,
    keep_exception,
    kind_of,
    lib,
    parts,
    pitches,
    raise_kept,
    result,
    said,
    unmasked,
    unused,
)

Moves = Literal["single", "all"]
Want = Literal["all", "ln_psi", "potential", "gradient", "laplacian", "kinetic"]
Wants = Union[Want, Sequence[Want]]
STATE = object()  # as an argument of C: the state of a run, its address and length
MOVES = {"single": lib.CONVK_VMC_MOVE_SINGLE, "all": lib.CONVK_VMC_MOVE_ALL}
WANT = {
    "all": 0,
    "ln_psi": lib.CONVK_PAIR_LN_PSI,
    "potential": lib.CONVK_PAIR_POTENTIAL_ENERGY,
    "gradient": lib.CONVK_PAIR_GRADIENT,
    "laplacian": lib.CONVK_PAIR_LAPLACIAN,
    "kinetic": lib.CONVK_PAIR_KINETIC,
}

#: What pair_energy finds of a walker; what was not asked for is 0.  derivative: of ln_psi, by p5, p2, p0, p1.
pair_result = np.dtype(
    [(name, float) for name in ("ln_psi", "potential", "gradient_squared", "laplacian", "kinetic")] + [("derivative", float, 4)]
)
#: What pair_move finds of a walker: the change of ln Psi, and its gradient at the particle before and after.
pair_move_result = np.dtype([("ln_psi", float), ("before", float, 3), ("after", float, 3)])
assert pair_result.itemsize == ffi.sizeof("convk_pair_result") and pair_move_result.itemsize == ffi.sizeof(
    "convk_pair_move_result"
)


class PairPotential(Held):
    """A pair potential, from hfdb(), hfdhe2(), lm2m2(), lennard_jones() or table_potential()."""

    def __init__(self, c: Any, keep: np.ndarray | None = None) -> None:
        self._c, self._keep = c, keep


def hfdb() -> PairPotential:
    """HFD-B(HE) (Aziz, McCourt, Wong 1987), in K and Angstrom."""
    return PairPotential(lib.convk_pair_hfdb())


def hfdhe2() -> PairPotential:
    """HFDHE2 (Aziz et al. 1979), in K and Angstrom."""
    return PairPotential(lib.convk_pair_hfdhe2())


def lm2m2() -> PairPotential:
    """LM2M2 (Aziz, Slaman 1991), in K and Angstrom."""
    return PairPotential(lib.convk_pair_lm2m2())


def lennard_jones(epsilon: float = 10.22, sigma: float = 2.556) -> PairPotential:
    """4 epsilon ((sigma / r)^12 - (sigma / r)^6); the defaults are helium's, in K and Angstrom."""
    return PairPotential(lib.convk_pair_lennard_jones(epsilon, sigma))


def table_potential(first: float, spacing: float, values: np.ndarray) -> PairPotential:
    """Cubic interpolation of values[k] at first + k * spacing; values: contiguous float64 array, which is used as it is."""
    contiguous(expect(values, "values", "f64", ndim=1), "values")
    return PairPotential(lib.convk_pair_table(first, spacing, len(values), address(values)), values)


class PairSystem(Held):
    """Identical particles.

    Parameters
    ----------
    particles : how many, at least 2
    trial : p5, p2, p0, p1 of ln Psi = sum over pairs of -p5 / r^5 - p2 / r^2 - p0 ln r - p1 r; may be set later
    potential : PairPotential or None
    box : three periods x, y, z of a periodic box; None: open space
    cutoff : pairs at and beyond it count as nothing; 0: none, or half the shortest period
    hbar2_2m : hbar^2 / (2 m); 0: that of helium-4, 6.059648 K Angstrom^2
    """

    potential: PairPotential | None

    def __init__(
        self,
        particles: int,
        *,
        trial: Sequence[float] = (0, 0, 0, 0),
        potential: PairPotential | None = None,
        box: Sequence[float] | None = None,
        cutoff: float = 0,
        hbar2_2m: float = 0,
    ) -> None:
        self._c = ffi.new(
            "convk_pair_system *",
            {"particles": particles, "box": list((0, 0, 0) if box is None else box), "cutoff": cutoff, "hbar2_2m": hbar2_2m},
        )
        self.potential = potential
        if potential is not None:
            self._c.potential = potential._c
        self.trial = trial

    @property
    def particles(self) -> int:
        """How many."""
        return self._c.particles

    @property
    def trial(self) -> tuple[float, ...]:
        """p5, p2, p0, p1 of the trial function."""
        return tuple(getattr(self._c.trial, p) for p in ("p5", "p2", "p0", "p1"))

    @trial.setter
    def trial(self, value: Sequence[float]) -> None:
        self._c.trial = tuple(value)


class Estimate(NamedTuple):
    """The mean of a quantity per walker, its standard error, its variance, the autocorrelation time in measurements, and the
    length of the blocks that tell the error."""

    mean: float
    error: float
    variance: float
    autocorrelation: float
    block: float


class VmcResult(NamedTuple):
    """What a run has found so far; energies in the unit of the potential."""

    sweeps: int
    measurements: int
    step: float
    acceptance: float
    energy: Estimate
    potential: Estimate
    kinetic: Estimate
    kinetic_gradient: Estimate
    kinetic_laplacian: Estimate
    drift: float
    pairs: float


class Vmc(Held):
    """A variational Monte Carlo run, which goes on where it was: see Hardware.vmc().  Threads that share it take turns."""

    system: PairSystem
    walkers: int
    dtype: np.dtype[Any]

    def __init__(
        self,
        hardware: Handle,
        system: PairSystem,
        walkers: int,
        *,
        seed: int = 1,
        moves: Moves = "single",
        drift: bool = False,
        step: float = 0,
        acceptance: float = 0,
        equilibration: int = 128,
        interval: int = 0,
        positions: np.ndarray | None = None,
        dtype: Any = np.float64,
    ) -> None:
        self._hw, self.system, self.walkers, self.dtype = hardware, system, walkers, np.dtype(dtype)
        self._kind = kind_of(np.empty(0, dtype), "an array of this dtype")
        self._c = ffi.new(
            "convk_vmc *",
            {
                "system": system._c[0],
                "walkers": walkers,
                "seed": seed,
                "moves": choice(moves, "moves", MOVES),
                "drift": bool(drift),
                "step": step,
                "acceptance": acceptance,
                "equilibration": equilibration,
                "interval": interval,
            },
        )
        if positions is not None:
            contiguous(expect(positions, "positions", self._kind, (walkers, 3, system.particles)), "positions")
        size = ffi.new("size_t *")
        self._one = threading.RLock()  # the state is read or written by one thread at a time
        self._check("vmc_state_size", self._c, size)
        self._state = np.zeros(size[0], np.uint8)
        self._check("vmc_begin", self._c, NULL if positions is None else address(positions), STATE)

    def _do(self, name, *arguments):
        return getattr(lib, f"convk_{name}_{self._kind}")(*arguments)

    def _check(self, name, *arguments):
        with self._hw._turn, self._one:
            handle = self._hw._copy()
            status = self._do(name, handle, *self._with_state(arguments))
        check(status, said(handle.message) if status else "")

    def _with_state(self, arguments):
        """The arguments with the state's address and length in place of STATE."""
        for argument in arguments:
            yield from (address(self._state, "void"), len(self._state)) if argument is STATE else (argument,)

    def run(
        self, sweeps: int, *, look: Callable[[int, VmcResult], Any] | None = None, progress: bool = False
    ) -> VmcResult:
        """Goes on by so many sweeps; an exception (Ctrl-C) leaves a state that may go on.  Returns the VmcResult so far.

        Parameters
        ----------
        sweeps : how many
        look : called as look(done, result) some ten times a second; a true value ends
        progress : a line on stderr says how far it is, by tqdm where it is there
        """
        each, done = 1, 0
        with Progress(progress, sweeps, "sweeps") as line:
            while True:  # in parts of some 50 ms, between which signals are handled
                begin, count = time.perf_counter(), min(each, sweeps - done)
                self._check("vmc_run", self._c, count, STATE, NULL, 0)
                done += count
                line.add(count)
                if done >= sweeps or (look and look(done, self.result())):
                    return self.result()
                seconds = time.perf_counter() - begin
                each = 2 * each if seconds < 0.025 else max(1, each // 2) if seconds > 0.1 else each

    def result(self) -> VmcResult:
        """What the run has found so far: VmcResult."""
        c = ffi.new("convk_vmc_result *")
        self._check("vmc_results", STATE, c)
        return from_c(VmcResult, c)

    @property
    def state(self) -> bytes:
        """The run as bytes, a checkpoint; a run of the same system, walkers and method takes it and goes on from there."""
        with self._one:
            return self._state.tobytes()

    @state.setter
    def state(self, value: bytes) -> None:
        state = np.frombuffer(value, np.uint8).copy()
        self._check("vmc_check", self._c, address(state, "void"), len(state))
        with self._one:
            self._state = state

    def positions(self, out: np.ndarray | None = None) -> np.ndarray:
        """The walkers as they are: array (walkers, 3, particles)."""
        out = result(out, "out", self._kind, (self.walkers, 3, self.system.particles))
        self._check("vmc_positions", self._c, STATE, address(contiguous(out, "out")))
        return out

    def density(self, edges: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """Particles per volume in shells about each walker's centre of mass, at distances edges[k] .. edges[k + 1]: the mean
        over the walkers as they are.  out: float64 array, one shorter than edges."""
        r = self.positions()
        distance = np.sqrt(((r - r.mean(axis=2, keepdims=True)) ** 2).sum(axis=1))
        edges = np.asarray(unmasked(edges, "edges"), float)
        out = result(out, "out", "f64", (len(edges) - 1,))
        return np.divide(np.histogram(distance, edges)[0], self.walkers * 4 / 3 * np.pi * np.diff(edges**3), out=out)

    def minimise(
        self,
        *,
        iterations: int = 0,
        sweeps: int = 0,
        final_sweeps: int = 0,
        fixed: Sequence[bool] = (False, False, False, False),
        rate: float = 0,
        regularisation: float = 0,
        look: Callable[[int, tuple[float, ...], VmcResult], Any] | None = None,
        progress: bool = False,
    ) -> VmcResult:
        """Lowers the energy over the parameters of the trial function, then runs longer with the best.

        Parameters
        ----------
        iterations, sweeps, final_sweeps, rate, regularisation : 0: the library's defaults (40 iterations of 500 sweeps)
        fixed : which of p5, p2, p0, p1 stay as they are
        look : called as look(iteration, trial, result) after each iteration; a true value ends
        progress : a line on stderr says how many iterations are done, by tqdm where it is there

        Returns
        -------
        VmcResult of the final run.  system.trial, which the run shares, is then what was found.
        """

        def called(ctx, iteration, vmc, result):
            trial = tuple(getattr(vmc.system.trial, p) for p in ("p5", "p2", "p0", "p1"))
            line.add(1)
            return bool(look(iteration, trial, from_c(VmcResult, result))) if look else 0

        callback = ffi.callback(
            "int(void *, size_t, const convk_vmc *, const convk_vmc_result *)", called, onerror=keep_exception
        )
        options = ffi.new(
            "convk_vmc_minimise_options *",
            {
                "iterations": iterations,
                "sweeps": sweeps,
                "final_sweeps": final_sweeps,
                "fixed": [bool(f) for f in fixed],
                "rate": rate,
                "regularisation": regularisation,
                "look": callback,
            },
        )
        c = ffi.new("convk_vmc_result *")
        line = Progress(progress, iterations or 40, "iterations")
        try:
            with line, self._hw._turn, self._one:
                arguments = self._with_state((self._hw._in_tasks(), self._c, options, STATE, c, NULL, 0))
                status = self._do("vmc_minimise", *arguments)
        finally:
            self.system._c.trial = self._c.system.trial
        raise_kept()
        check(status)
        return from_c(VmcResult, c)


class Pairs(Handle):
    """The calls on walkers: coordinates r are arrays (walkers, 3, particles), particles contiguous."""

    def pair_potential(self, potential: PairPotential, r: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
        """V at distances r, an array of any shape without gaps.  out: an array as r, or r itself."""
        kind, addresses, (out,) = elementwise(r, "r", out)
        self._call("pair_potential", kind, ffi.new("convk_pair_potential *", potential._c), r.size, *addresses)
        return out

    @overload
    def pair_energy(
        self, system: PairSystem, r: np.ndarray, *, want: Wants = ..., gradient: Literal[False] | None = ...,
        out: np.ndarray | None = ...,
    ) -> np.ndarray: ...
    @overload
    def pair_energy(
        self, system: PairSystem, r: np.ndarray, *, want: Wants = ..., gradient: np.ndarray | Literal[True],
        out: np.ndarray | None = ...,
    ) -> tuple[np.ndarray, np.ndarray]: ...
    def pair_energy(
        self,
        system: PairSystem,
        r: np.ndarray,
        *,
        want: Wants = "all",
        gradient: np.ndarray | bool | None = None,
        out: np.ndarray | None = None,
    ) -> np.ndarray | tuple[np.ndarray, np.ndarray]:
        """ln Psi, potential and kinetic energy of walkers in one pass over the pairs.

        Parameters
        ----------
        system : PairSystem
        r : float32 or float64 array (walkers, 3, particles)
        want : "all", or one or several of "ln_psi", "potential", "gradient", "laplacian", "kinetic", also joined by "|"
        gradient : True, or an array with the layout of r, for grad ln Psi of all particles
        out : array (walkers,) of convk.pair_result

        Returns
        -------
        out, or (out, gradient)
        """
        kind, (stride, pitch) = self._walkers(system, r)
        bits = 0
        for name in want.split("|") if isinstance(want, str) else want:
            bits |= choice(name.strip(), "want", WANT)
        out = _records(out, pair_result, len(r))
        gradient = unused(r) if gradient is True else None if gradient is False else gradient
        if gradient is not None:
            expect(gradient, "gradient", kind, r.shape, write=True)
            if pitches(gradient, "gradient", 2) != (stride, pitch):
                raise ValueError(f"gradient has the strides {gradient.strides}, but it must have those of r, {r.strides}")
        for first, count in parts(len(r), max(64, 4e7 // max(1, system.particles) ** 2)):
            walkers = ffi.new("convk_pair_walkers *", (count, pitch, stride))
            self._call(
                "pair_energy",
                kind,
                system._c,
                walkers,
                bits,
                address(r) + first * stride,
                address(out, "convk_pair_result") + first,
                NULL if gradient is None else address(gradient) + first * stride,
                NULL,
                0,
            )
        return out if gradient is None else (out, gradient)

    def pair_move(
        self, system: PairSystem, particle: int, r: np.ndarray, to: np.ndarray, *, out: np.ndarray | None = None
    ) -> np.ndarray:
        """What would change if one particle of each walker moved.

        Parameters
        ----------
        system, r : as pair_energy
        particle : its number, the same in all walkers
        to : array (walkers, 3), contiguous: where to
        out : array (walkers,) of convk.pair_move_result
        """
        kind, (stride, pitch) = self._walkers(system, r)
        contiguous(expect(to, "to", kind, (len(r), 3)), "to")
        out = _records(out, pair_move_result, len(r))
        self._call(
            "pair_move",
            kind,
            system._c,
            ffi.new("convk_pair_walkers *", (len(r), pitch, stride)),
            particle,
            address(r),
            address(to),
            address(out, "convk_pair_move_result"),
        )
        return out

    def pair_accept(
        self,
        system: PairSystem,
        particle: int,
        r: np.ndarray,
        to: np.ndarray,
        *,
        accept: np.ndarray | None = None,
        gradient: np.ndarray | None = None,
    ) -> None:
        """Moves one particle: r changes, so there is no out=.

        Parameters
        ----------
        system, particle, r, to : as pair_move
        accept : array (walkers,) of bool: only where it is true; None: in all
        gradient : array with the layout of r, which is brought up to date, or None
        """
        kind, (stride, pitch) = self._walkers(system, r)
        expect(r, "r", kind, write=True)
        contiguous(expect(to, "to", kind, (len(r), 3)), "to")
        if accept is not None:
            if not isinstance(accept, np.ndarray) or accept.dtype != np.bool_ or accept.shape != (len(r),):
                raise TypeError(f"accept is not an array ({len(r)},) of bool")
            contiguous(accept, "accept")
        if gradient is not None:
            expect(gradient, "gradient", kind, r.shape, write=True)
            if pitches(gradient, "gradient", 2) != (stride, pitch):
                raise ValueError(f"gradient has the strides {gradient.strides}, but it must have those of r, {r.strides}")
        self._call(
            "pair_accept",
            kind,
            system._c,
            ffi.new("convk_pair_walkers *", (len(r), pitch, stride)),
            particle,
            address(to),
            NULL if accept is None else address(accept, "unsigned char"),
            address(r),
            NULL if gradient is None else address(gradient),
        )

    def vmc(
        self,
        system: PairSystem,
        walkers: int,
        *,
        seed: int = 1,
        moves: Moves = "single",
        drift: bool = False,
        step: float = 0,
        acceptance: float = 0,
        equilibration: int = 128,
        interval: int = 0,
        positions: np.ndarray | None = None,
        dtype: Any = np.float64,
    ) -> Vmc:
        """Begins a variational Monte Carlo run.

        Of helium in K and Angstrom, PairSystem(n, trial=(2700, 0, 0.3, 0.01), potential=convk.hfdb()) is where to begin, for a
        droplet of some ten to a hundred atoms (p5 keeps atoms apart, p0 and p1 keep them together); minimise() finds the rest.

        Parameters
        ----------
        system : PairSystem
        walkers : how many
        seed : of the random numbers; a run has the same bits for any threads and cuts
        moves : "single": particles move one after another; "all": all at once
        drift : moves follow the quantum force
        step : half the edge of the cube of moves; 0: a first guess
        acceptance : what the step is tuned to during equilibration; 0: 0.5; negative: the step stays
        equilibration : sweeps before the first that is measured
        interval : sweeps from one measurement to the next; 0: 1
        positions : array (walkers, 3, particles) to begin with; None: near the sites of a lattice
        dtype : float64, or float32 for coordinates and pair terms

        Returns
        -------
        Vmc
        """
        return Vmc(
            self,
            system,
            walkers,
            seed=seed,
            moves=moves,
            drift=drift,
            step=step,
            acceptance=acceptance,
            equilibration=equilibration,
            interval=interval,
            positions=positions,
            dtype=dtype,
        )

    @staticmethod
    def _walkers(system, r):
        kind = kind_of(r, "r")
        if r.ndim != 3 or r.shape[1:] != (3, system.particles):
            raise ValueError(f"r has the shape {r.shape}, not (walkers, 3, {system.particles})")
        return kind, pitches(r, "r", 2)


def _records(out, dtype, n):
    """`out` when it is such an array, or a new one."""
    if out is None:
        return np.empty(n, dtype)
    if not isinstance(out, np.ndarray) or out.dtype != dtype:
        raise TypeError("out is not an array of convk.pair_result or convk.pair_move_result, as the call wants")
    if out.shape != (n,) or not out.flags.writeable:
        raise ValueError(f"out has the shape {out.shape} or is read-only, and must be ({n},) and writeable")
    return contiguous(out, "out")
