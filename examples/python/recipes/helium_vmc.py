"""A drop of helium by variational Monte Carlo: a progress bar, a plot that grows, and its energies beside NumPy's.

    python helium_vmc.py [--atoms N --trial P5,P2,P0,P1] [--sweeps M] [--no-plot] [--output FILE.png] [--threads N]

Ctrl-C ends the run with what there is."""

import common  # first: it sets the number of threads
import matplotlib
import numpy as np
from tqdm import tqdm

import convk

WALKERS, EVERY = 64, 16  # sweeps from one point of the plot to the next
HBAR2_2M = 6.059648  # K A^2, of helium-4
EDGES = np.linspace(0, 14, 57)  # A, of the shells of the density


class Plot:
    """The energy of the walkers from sweep to sweep, and the density about their centre."""

    def __init__(self, atoms, windowless):
        if windowless:
            matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        self.pause = plt.pause
        self.figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
        self.live = self.figure.canvas.required_interactive_framework is not None
        left.set(xlabel="sweep", ylabel="energy per atom (K)", title=f"{atoms} helium atoms")
        right.set(xlabel="distance from the centre (Å)", ylabel="density (atoms/Å³)", xlim=(0, EDGES[-1]))
        self.axes = left, right
        self.trace, = left.plot([], [], lw=0.8)
        self.mean = left.axhline(np.nan, color="0.4", lw=0.8, ls="--")
        self.density, = right.plot([], [])

    def draw(self, sweeps, energies, mean, density):
        self.trace.set_data(sweeps, energies)
        self.mean.set_ydata([mean, mean])
        self.density.set_data((EDGES[1:] + EDGES[:-1]) / 2, density)
        for axes in self.axes:
            axes.relim()
            axes.autoscale_view()

    def show(self):
        if self.live:
            self.pause(0.001)


def run(hw, vmc, options, plot):
    """Goes on until the sweeps are done or the user has seen enough; whether it was the user."""
    atoms = options.atoms
    sweeps, energies, density, samples = [], [], np.zeros(len(EDGES) - 1), 0
    try:
        with tqdm(total=options.sweeps, unit=" sweeps") as bar:
            while bar.n < options.sweeps:
                count = min(EVERY, options.sweeps - bar.n)
                result = vmc.run(count)
                sweeps.append(result.sweeps)
                walkers = hw.pair_energy(vmc.system, vmc.positions(), want="potential|kinetic")
                energies.append(np.mean(walkers["potential"] + walkers["kinetic"]) / atoms)
                if result.measurements:
                    density += vmc.density(EDGES)
                    samples += 1
                plot.draw(sweeps, energies, result.energy.mean / atoms if samples else np.nan, density / max(samples, 1))
                plot.show()
                bar.update(count)
                bar.set_postfix_str(f"E/N = {result.energy.mean / atoms:.4f} K" if samples else "equilibration")
    except KeyboardInterrupt:
        return True
    finally:
        plot.figure.savefig(options.output, dpi=110)
    return False


def numpy_energy(r, trial):
    """The local energies of walkers; r: (walkers, 3, atoms)."""
    p5, p2, p0, p1 = trial
    d = r[:, :, :, None] - r[:, :, None, :]
    s = np.sqrt(np.einsum("wcij,wcij->wij", d, d))
    np.einsum("wii->wi", s)[:] = np.inf  # an atom and itself
    slope = (5 * p5 / s**6 + 2 * p2 / s**3 - p0 / s - p1) / s  # u' / r
    curve = -30 * p5 / s**7 - 6 * p2 / s**4 + p0 / s**2  # u''
    gradient = np.einsum("wcij,wij->wci", d, slope)
    kinetic = -HBAR2_2M * (np.sum(curve + 2 * slope, axis=(1, 2)) + np.sum(gradient**2, axis=(1, 2)))
    return kinetic + np.sum(hfdb(s), axis=(1, 2)) / 2


def hfdb(r):
    """The pair potential HFD-B(HE) in K (R. A. Aziz, F. R. W. McCourt, C. C. K. Wong, Mol. Phys. 61, 1487, 1987)."""
    x = r / 2.963
    damping = np.exp(-np.maximum(1.4826 / x - 1, 0) ** 2)
    return 10.948 * (184431.01 * np.exp(-10.43329537 * x - 2.27965105 * x**2)
                     - damping * (1.36745214 / x**6 + 0.42123807 / x**8 + 0.17473318 / x**10))


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
        vmc = hw.vmc(system, WALKERS, equilibration=128)
        interrupted = run(hw, vmc, options, Plot(options.atoms, options.no_plot))
        result = vmc.result()
        print(f"\n{result.sweeps} sweeps, energy {result.energy.mean:.3f} +- {result.energy.error:.3f} K, {options.output}\n")
        if interrupted:
            return
        table = common.Table(options)
        laplacians, gradients = result.kinetic, result.kinetic_gradient
        table.check("mean kinetic energy by Laplacians", "by gradients", abs(laplacians.mean / gradients.mean - 1),
                    5 * np.hypot(laplacians.error, gradients.error) / gradients.mean)
        r = vmc.positions()
        pairs = options.atoms * (options.atoms - 1) // 2 * WALKERS

        def ours():
            energies = hw.pair_energy(system, r, want="potential|kinetic")
            return energies["potential"] + energies["kinetic"]

        size = f"{WALKERS} walkers of {options.atoms} atoms"
        table.compare("pair_energy", "f64", size, "NumPy", ours, lambda: numpy_energy(r, trial), pairs / 1e6, "M pairs/s",
                      1e-12, f"NumPy, energies of {size} of helium, f64")
        table.end()


if __name__ == "__main__":
    main()
