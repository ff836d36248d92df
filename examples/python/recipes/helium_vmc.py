"""A drop of helium by variational Monte Carlo: a progress bar, a plot that grows, and its energies beside NumPy's.

    python helium_vmc.py [--atoms N --trial P5,P2,P0,P1] [--sweeps M] [--no-plot] [--output FILE.png] [--threads N]

Ctrl-C ends the run with what there is."""

import time

import common  # first: it sets the number of threads
import matplotlib
import numpy as np
from tqdm import tqdm

import convk

WALKERS, EQUILIBRATION, EVERY = 64, 128, 16  # sweeps before the first measurement, and from point to point of the plot
HBAR2_2M = 6.059648  # K A^2, of helium-4
EDGES = np.linspace(0, 14, 57)  # A, of the shells of the density


class Plot:
    """The energy of the walkers from sweep to sweep, and the density about their centre."""

    def __init__(self, atoms, windowless):
        if windowless:
            matplotlib.use("Agg")
        import matplotlib.pyplot as plt  # from here on there is a display, or Agg

        self.atoms, self.plt, self.drawn = atoms, plt, 0
        self.figure, self.axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
        self.live = self.figure.canvas.required_interactive_framework is not None
        left, right = self.axes
        left.set(xlabel="sweep", ylabel="energy per atom (K)")
        right.set(xlabel="distance from the centre (Å)", ylabel="density (atoms/Å³)", xlim=(0, EDGES[-1]))
        self.trace, = left.plot([], [], lw=0.8, label="walkers")
        self.mean = left.axhline(np.nan, color="0.2", lw=1, ls="--", label="mean")
        self.density, = right.plot([], [])
        left.legend(frameon=False)

    def draw(self, trace, result, density, last=False):
        """Five times a second, and at last."""
        if not last and not (self.live and time.monotonic() > self.drawn + 0.2):
            return
        self.trace.set_data(*trace)
        if result.measurements:
            self.mean.set_ydata([result.energy.mean / self.atoms] * 2)
            self.axes[0].set_title(f"{self.atoms} helium atoms, {result.energy.mean:.2f} ± {result.energy.error:.2f} K")
        self.density.set_data((EDGES[1:] + EDGES[:-1]) / 2, density)
        for axes in self.axes:
            axes.relim()
            axes.autoscale_view()
        if self.live:
            self.plt.pause(0.001)
            self.drawn = time.monotonic()


def run(hw, vmc, options, plot):
    """Goes on until the sweeps are done or the user has seen enough; whether it was the user."""
    trace, density, samples, result = ([], []), np.zeros(len(EDGES) - 1), 0, vmc.result()
    try:
        with tqdm(total=options.sweeps, unit=" sweeps") as bar:
            while bar.n < options.sweeps:
                result = vmc.run(min(EVERY, options.sweeps - bar.n))
                bar.update(result.sweeps - bar.n)
                now = np.mean(local_energies(hw, vmc.system, vmc.positions())) / options.atoms
                for values, value in zip(trace, (result.sweeps, now)):
                    values.append(value)
                if result.measurements:  # after equilibration
                    density += vmc.density(EDGES)
                    samples += 1
                    bar.set_postfix_str(f"E/N = {result.energy.mean / options.atoms:.4f} K", refresh=False)
                plot.draw(trace, result, density / max(samples, 1))
    except KeyboardInterrupt:
        return True
    finally:
        plot.draw(trace, result, density / max(samples, 1), last=True)
        plot.figure.savefig(options.output, dpi=110)
    return False


def local_energies(hw, system, r):
    energies = hw.pair_energy(system, r, want="potential|kinetic")
    return energies["potential"] + energies["kinetic"]


def numpy_energy(r, trial):
    """The local energies of walkers; r: (walkers, 3, atoms)."""
    p5, p2, p0, p1 = trial
    d = r[:, :, :, None] - r[:, :, None, :]
    s = np.sqrt(np.einsum("wcij,wcij->wij", d, d))
    np.einsum("wii->wi", s)[:] = np.inf  # an atom and itself
    v = 1 / s
    v2 = v * v
    core = p5 * v2 * v2 * v
    slope = (5 * core + 2 * p2 * v2 - p0) * v2 - p1 * v  # u' / r
    curve = (-30 * core - 6 * p2 * v2 + p0) * v2  # u''
    gradient = np.einsum("wcij,wij->wci", d, slope)
    kinetic = -HBAR2_2M * (np.sum(curve + 2 * slope, axis=(1, 2)) + np.sum(gradient**2, axis=(1, 2)))
    return kinetic + np.sum(hfdb(s), axis=(1, 2)) / 2


def hfdb(r):
    """The pair potential HFD-B(HE) in K (R. A. Aziz, F. R. W. McCourt, C. C. K. Wong, Mol. Phys. 61, 1487, 1987)."""
    x = r / 2.963
    v = 1 / x
    v2 = v * v
    damping = np.exp(-np.maximum(1.4826 * v - 1, 0) ** 2)
    return 10.948 * (184431.01 * np.exp((-10.43329537 - 2.27965105 * x) * x)
                     - damping * ((0.17473318 * v2 + 0.42123807) * v2 + 1.36745214) * v2 * v2 * v2)


def main():
    options = common.options(
        __doc__, ("--atoms", {"type": int, "default": 20, "metavar": "N", "help": "20"}),
        ("--trial", {"default": "125,0,0.09,0.03", "help": "ln Psi = sum of -P5/r^5 - P2/r^2 - P0 ln r - P1 r"}),
        ("--sweeps", {"type": int, "metavar": "M", "help": "8000"}), ("--output", {"default": "helium.png", "metavar": "FILE"}),
        ("--no-plot", {"action": "store_true", "help": "no window: the file alone"}))
    options.sweeps = options.sweeps or (400 if options.quick else 8000)
    trial = tuple(float(number) for number in options.trial.split(","))
    system = convk.PairSystem(options.atoms, trial=trial, potential=convk.hfdb(), hbar2_2m=HBAR2_2M)
    with convk.open(options.hw, threads=options.threads) as hw:
        vmc = hw.vmc(system, WALKERS, equilibration=EQUILIBRATION)
        plot = Plot(options.atoms, options.no_plot)
        interrupted = run(hw, vmc, options, plot)
        result = vmc.result()
        energy = f"{result.energy.mean:.3f} +- {result.energy.error:.3f} K"
        if not result.measurements:
            energy = f"none yet: equilibration takes {EQUILIBRATION} sweeps"
        print(f"\n{result.sweeps} sweeps, energy {energy}, {options.output}\n")
        if interrupted or not result.measurements:
            return
        table = common.Table(options)
        laplacians, gradients = result.kinetic, result.kinetic_gradient
        table.check("mean kinetic energy by Laplacians", "by gradients", abs(laplacians.mean / gradients.mean - 1),
                    5 * np.hypot(laplacians.error, gradients.error) / gradients.mean)
        r = vmc.positions()
        pairs = options.atoms * (options.atoms - 1) // 2 * WALKERS
        size = f"{WALKERS} walkers of {options.atoms} atoms"
        table.compare("pair_energy", "f64", size, "NumPy", lambda: local_energies(hw, system, r),
                      lambda: numpy_energy(r, trial), pairs / 1e6, "M pairs/s", 1e-12, f"energies of {size} in NumPy, f64")
        if plot.live:
            plot.plt.show()  # until it is closed
        table.end()


if __name__ == "__main__":
    main()
