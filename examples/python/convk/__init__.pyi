"""The public interface of convk for Python.

Axes are in NumPy's order throughout: grids are (nz, ny, nx), and what is given per axis (boundary, filters, first, count) is
(z, y, x), or one thing for all three.  The dtype of the arrays picks the call: float32, float64, and of transforms complex64 and
complex128.  Every call takes out= and returns it; without, it makes a new array.  Nothing is copied.
"""
from typing import Any, Callable, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

Array = np.ndarray
Boundary = Union[str, Sequence[str]]  # "periodic", "grow", "shrink", "zero"; of stencils "periodic", "fixed"

__version__: str

class Error(RuntimeError):
    status: int   # the C code, e.g. convk.Error(...).status == -22; str(error) is the text

def open(hardware: Optional[str] = None, threads: Optional[int] = None) -> "Hardware": ...  # threads None: all processors
def hardware() -> Tuple[str, ...]: ...  # the names that open() takes on this machine, the best last

class Filter(NamedTuple):
    taps: Array   # y[i] = sum of taps[l - lo] x[i + l]
    lo: int

def magicfilter_taps(inverse: bool = False, dtype: Any = np.float64) -> Filter: ...
def empty_padded(shape: Tuple[int, int, int], dtype: Any = np.float64) -> Array: ...  # pitches that keep rows apart in caches

class Shell(NamedTuple):
    center: Sequence[float]
    l: int
    exponents: Sequence[float]
    coefficients: Sequence[float]
    order: str = "spherical"  # "cartesian", "spherical", "cartesian_molden", "spherical_molden"
    normalise: bool = True    # coefficients are of normalised primitives

class Basis:
    def __init__(self, shells: Sequence[Shell]) -> None: ...
    functions: int

class Mesh:
    """Triangles; holds its own memory.  dtype float32 or float64."""
    def __init__(self, vertices: Array, faces: Array, dtype: Any = None) -> None: ...  # (nv, 3), (n, 3) of integers
    @classmethod
    def from_triangles(cls, corners: Array, dtype: Any = None) -> "Mesh": ...          # (n, 3, 3): joins equal corners
    vertices: Array  # (3, nv)
    faces: Array     # (n, 3) of uint32
    dtype: Any
    def __len__(self) -> int: ...
    def measure(self) -> "MeshMeasures": ...   # area volume gap least most edge closed
    def check(self) -> "MeshReport": ...       # edges border turned crowded degenerate unused area volume closed manifold
    def rotate(self, rotation: Array) -> "Mesh": ...
    def error(self, q: float, order: int = 0) -> float: ...

class MeshMeasures(NamedTuple): ...
class MeshReport(NamedTuple): ...

class Assembly:
    """placements: array of convk.placement (fields mesh, position (3), rotation (3, 3), scale, weight)."""
    def __init__(self, meshes: Sequence[Mesh], placements: Array) -> None: ...

placement: np.dtype

class FFTConv2D:
    """A plan of convolutions: kernels (k, rows, columns) or (rows, columns), transformed once."""
    def __init__(self, shape: Tuple[int, int], kernels: Array, mode: str = "full", *, correlation: bool = False,
                 origin: Tuple[int, int] = (0, 0), out_shape: Optional[Tuple[int, int]] = None,
                 fft_shape: Optional[Tuple[int, int]] = None) -> None: ...  # mode: full, same, valid, circular, window
    out_shape: Tuple[int, int]
    fft_shape: Tuple[int, int]
    kernels: int
    dtype: Any

class FFT2D:
    def __init__(self, shape: Tuple[int, int], dtype: Any = np.complex128) -> None: ...

class PairPotential: ...
def hfdb() -> PairPotential: ...
def hfdhe2() -> PairPotential: ...
def lm2m2() -> PairPotential: ...
def lennard_jones(epsilon: float = 10.22, sigma: float = 2.556) -> PairPotential: ...
def table_potential(first: float, spacing: float, values: Array) -> PairPotential: ...

class PairSystem:
    def __init__(self, particles: int, *, trial: Sequence[float] = (0, 0, 0, 0), potential: Optional[PairPotential] = None,
                 box: Optional[Sequence[float]] = None, cutoff: float = 0, hbar2_2m: float = 0) -> None: ...
    # trial: p5, p2, p0, p1

class Estimate(NamedTuple):
    mean: float
    error: float
    variance: float
    autocorrelation: float
    block: float

class VmcResult(NamedTuple):
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

class Vmc:
    """A run.  Made by Hardware.vmc()."""
    system: PairSystem
    walkers: int
    def run(self, sweeps: int) -> VmcResult: ...
    def result(self) -> VmcResult: ...
    @property
    def state(self) -> bytes: ...       # a checkpoint; setting it goes on from there
    @state.setter
    def state(self, value: bytes) -> None: ...
    def positions(self, out: Optional[Array] = None) -> Array: ...  # (walkers, 3, particles)
    def density(self, edges: Array) -> Array: ...  # particles per volume in shells about the centre, of the walkers as they are
    def minimise(self, *, iterations: int = 0, sweeps: int = 0, final_sweeps: int = 0,
                 fixed: Sequence[bool] = (False, False, False, False), rate: float = 0, regularisation: float = 0,
                 look: Optional[Callable[[int, Tuple[float, ...], VmcResult], Any]] = None) -> VmcResult: ...
    # look(iteration, trial, result): a true value ends; afterwards self.system.trial is what was found

class Hardware:
    """An open handle: convk.open().  A context manager; any number of Python threads may call it at once."""
    name: str
    machine: str
    threads: int
    flush_subnormals: bool
    tuned: str            # lines of tuned choices; may be set
    def close(self) -> None: ...
    def __enter__(self) -> "Hardware": ...
    def __exit__(self, *exc: Any) -> None: ...

    # ---- separable convolutions: grids (nz, ny, nx), x contiguous
    # extras of the last pass: potential (multiplies), density (is added density_factor r^2), update=(a, b): out = a r + b out;
    # dot=True, energy=True: the call returns (out, dot), (out, energy) or (out, dot, energy)
    def sepconv3d(self, x: Array, filters: Union[Filter, Sequence[Filter]], *, boundary: Boundary = "periodic",
                  potential: Optional[Array] = None, density: Optional[Array] = None, density_factor: float = 1,
                  update: Optional[Tuple[float, float]] = None, dot: bool = False, energy: bool = False,
                  out: Optional[Array] = None) -> Any: ...
    def magicfilter3d(self, x: Array, *, inverse: bool = False, boundary: Boundary = "periodic",
                      potential: Optional[Array] = None, density: Optional[Array] = None, density_factor: float = 1,
                      update: Optional[Tuple[float, float]] = None, dot: bool = False, energy: bool = False,
                      out: Optional[Array] = None) -> Any: ...
    def potential_apply(self, psi: Array, potential: Array, *, boundary: Boundary = "periodic",
                        out: Optional[Array] = None) -> Tuple[Array, float]: ...
    def conv1d_transpose(self, x: Array, filter: Filter, *, boundary: str = "periodic",
                         out: Optional[Array] = None) -> Array: ...  # (ndat, n) to (n', ndat)

    # ---- stencil: coefficients (c0, c1) or seven: centre, z-, z+, y-, y+, x-, x+
    def stencil7(self, a: Array, coefficients: Sequence[float], steps: int = 1, *, boundary: Boundary = "periodic",
                 b: Optional[Array] = None) -> Array: ...
    # returns the array that holds the state: a or b (b None: a new one); the other one is scratch.  Fixed points stand in both.
    def stencil7_box(self, a: Array, b: Array, coefficients: Sequence[float], first: Sequence[int], count: Sequence[int], *,
                     boundary: Boundary = "periodic") -> Array: ...

    # ---- functions of arrays (C-contiguous); in place: out=x
    def exp(self, x: Array, out: Optional[Array] = None) -> Array: ...
    def expm1(self, x: Array, out: Optional[Array] = None) -> Array: ...
    def log(self, x: Array, out: Optional[Array] = None) -> Array: ...
    def sincos(self, x: Array, out: Optional[Tuple[Array, Array]] = None) -> Tuple[Array, Array]: ...

    # ---- Gaussians: points (n, 3) of any strides, so also xyz.T of three rows
    def gridpot(self, points: Array, alpha: Array, *, center: Optional[Sequence[float]] = None,
                order: str = "points", compensated: bool = False, cutoff: float = 0,
                out: Optional[Array] = None) -> Array: ...  # (m, n), or with order="exponents" (n, m)
    def gridpot_sum(self, points: Array, alpha: Array, c: Array, *, center: Optional[Sequence[float]] = None,
                    compensated: bool = False, cutoff: float = 0, out: Optional[Array] = None) -> Array: ...  # (nsums, n)
    def orbitals(self, points: Array, basis: Basis, coefficients: Optional[Array] = None, *, cutoff: float = 0,
                 out: Optional[Array] = None) -> Array: ...  # (norbitals, n); coefficients (norbitals, functions)
    def orbitals_vgl(self, points: Array, basis: Basis, coefficients: Optional[Array] = None, *, cutoff: float = 0,
                     out: Optional[Array] = None) -> Array: ...  # (5, norbitals, n): value, d/dx, d/dy, d/dz, Laplacian
    def density(self, points: Array, basis: Basis, coefficients: Optional[Array], occupations: Array, *, cutoff: float = 0,
                out: Optional[Array] = None) -> Array: ...  # (n,)

    # ---- form factors: qx, qy, qz contiguous, of the mesh's dtype; results complex
    def formfactor(self, mesh: Mesh, qx: Array, qy: Array, qz: Array, *, qx_imag: Optional[Array] = None,
                   qy_imag: Optional[Array] = None, qz_imag: Optional[Array] = None, form: str = "auto", fourth_order: bool = False,
                   order: int = 0, out: Optional[Array] = None) -> Array: ...  # form: auto, closed, open, exact
    def formfactor_grid(self, mesh: Mesh, qx: Array, qy: Array, qz: Array, *, qz_imag: Optional[Array] = None, form: str = "auto",
                        fourth_order: bool = False, order: int = 0, out: Optional[Array] = None) -> Array: ...  # (nz, ny, nx)
    def formfactor_assembly(self, assembly: Assembly, qx: Array, qy: Array, qz: Array, *, qz_imag: Optional[Array] = None,
                            form: str = "auto", fourth_order: bool = False, order: int = 0, out: Optional[Array] = None,
                            intensity: Optional[Array] = None) -> Tuple[Array, Array]: ...  # f, incoherent intensity
    def formfactor_powder(self, assembly: Assembly, q: Array, directions: Array, weights: Array, *, form: str = "auto",
                          fourth_order: bool = False, order: int = 0, out: Optional[Array] = None) -> Array: ...  # directions (3, n)
    def formfactor_dwba(self, assembly: Assembly, qx: Array, qy: Array, kz_in: Array, kz_out: Array, *,
                        kz_in_imag: Optional[Array] = None, kz_out_imag: Optional[Array] = None, t_in: Optional[Array] = None,
                        t_out: Optional[Array] = None, r_in: Optional[Array] = None, r_out: Optional[Array] = None, form: str = "auto",
                        fourth_order: bool = False, order: int = 0, out: Optional[Array] = None) -> Array: ...

    # ---- 2D transforms of batches: (items, rows, columns) or (rows, columns)
    def fftconv2d(self, plan: FFTConv2D, fields: Array, *, kernel: Optional[Array] = None,
                  out: Optional[Array] = None) -> Array: ...  # kernel: of each item, which of the plan's; None: dealt out evenly
    def convolve2d(self, fields: Array, kernels: Array, mode: str = "full", *, correlation: bool = False,
                   out: Optional[Array] = None) -> Array: ...
    def fft2d(self, fields: Array, *, inverse: bool = False, plan: Optional[FFT2D] = None, out: Optional[Array] = None) -> Array: ...

    # ---- pairs: coordinates r (walkers, 3, particles)
    def pair_potential(self, potential: PairPotential, r: Array, out: Optional[Array] = None) -> Array: ...
    def pair_energy(self, system: PairSystem, r: Array, *, want: str = "all", gradient: Union[None, bool, Array] = None,
                    out: Optional[Array] = None) -> Any: ...
    # want: "all" or names joined by "|": ln_psi, potential, gradient, laplacian, kinetic.  A structured array with the fields ln_psi,
    # potential, gradient_squared, laplacian, kinetic, derivative (4); with gradient=True or an array: (that, gradient)
    def pair_move(self, system: PairSystem, particle: int, r: Array, to: Array, *, out: Optional[Array] = None) -> Array: ...
    def pair_accept(self, system: PairSystem, particle: int, r: Array, to: Array, *, accept: Optional[Array] = None,
                    gradient: Optional[Array] = None) -> None: ...
    def vmc(self, system: PairSystem, walkers: int, *, seed: int = 1, moves: str = "single", drift: bool = False, step: float = 0,
            acceptance: float = 0, equilibration: int = 128, interval: int = 0, positions: Optional[Array] = None,
            dtype: Any = np.float64) -> Vmc: ...

    # ---- tuning
    def tune(self, operation: str, shape: Sequence[int], budget: float = 1.0, *, boundary: Boundary = "periodic", steps: int = 0,
             taps: int = 0, triangles: int = 0) -> str: ...  # seconds; adds the line to self.tuned and returns it
