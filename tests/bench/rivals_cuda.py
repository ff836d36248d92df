#!/usr/bin/env python3
"""convk on arrays of an NVIDIA GPU beside what a user would take instead: kernels that somebody writes in an afternoon
(rivals_cuda.cu), products of matrices by cuBLAS, cuFFT and convolutions by PyTorch, torch.compile.  All in one process, in turns,
medians of CUDA events; at the end all calls over their best rivals, the worst first.
    rivals_cuda.py OUT.json [--seconds N] [--sections NAME,...] [--libraries DIRECTORY]
    rivals_cuda.py --check LIBRARY      numbers of a library of stencils, without PyTorch: in the tests' emulator
In OUT.json a line for the machine, then one for each measurement:
    case, by      what is done, and by whom
    role          own: a call of the library; rival; bound: less than the whole, such as a copy
    ms, spread    median of a call; largest less smallest over that
    rate, unit    work of a call over the median
    error         largest difference from the library's result over its largest number; none where a rival only does as much work
    ratio, rival  of own calls: the best rival's time over theirs, and who that is
    share, bound  the same of the largest bound
Wanted are PyTorch and nvcc, on PATH or as packages of pip."""
import argparse
import ctypes
import glob
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAMILIES = {"sepconv": "filters sums wavelets hamiltonian small compile", "stencil": "stencil compile", "gaussian": "grids",
            "fft": "convolutions", "formfactor": "formfactors", "distances": "distances"}  # and the sections that want them
TYPES = ("f64", "f32")

# ---- the libraries ----


class Task(ctypes.Structure):
    """struct task of rivals_cuda.cu."""
    _fields_ = [("n", ctypes.c_size_t * 8), ("x", ctypes.c_double * 8), ("a", ctypes.c_void_p * 8), ("work", ctypes.c_void_p),
                ("bytes", ctypes.c_size_t), ("need", ctypes.POINTER(ctypes.c_size_t))]


def address(a):
    return None if a is None else a.data_ptr() if hasattr(a, "data_ptr") else ctypes.addressof(a)


class Library:
    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        self.library.last_message.restype = ctypes.c_char_p

    def start(self, name, task):
        status = getattr(self.library, name)(ctypes.byref(task))
        if status:
            raise RuntimeError(f"{name}: {self.library.last_message(status).decode()}")

    def call(self, name, n=(), a=(), x=(), result=None, work=None):
        """A function that starts a call and gives `result`.  work(bytes): makes the memory that the call wants."""
        task, bytes_ = Task(), ctypes.c_size_t()
        task.n[:len(n)], task.x[:len(x)], task.a[:len(a)] = n, x, [address(p) for p in a]
        memory = None
        if work:
            task.need = ctypes.pointer(bytes_)
            self.start(name, task)
            memory = work(max(bytes_.value, 8))
            task.need, task.work, task.bytes = None, address(memory), bytes_.value

        def run(keep=(a, memory)):
            self.start(name, task)
            return result
        return run


def find_nvcc():
    """The compiler, and flags for headers and the runtime where they are those of pip."""
    if shutil.which("nvcc"):
        return ["nvcc"]
    for prefix in (p for at in sys.path for p in sorted(glob.glob(f"{at}/nvidia/cu1[2-9]"), reverse=True)):
        runtime = glob.glob(f"{prefix}/lib/libcudart.so.*")
        if runtime and os.path.exists(f"{prefix}/bin/nvcc"):
            return [f"{prefix}/bin/nvcc", f"-I{prefix}/include", "-cudart", "none", "-Xlinker", runtime[0]]
    sys.exit("rivals_cuda.py: there is no nvcc: neither on PATH nor as the packages nvidia-cuda-nvcc, nvidia-cuda-runtime and "
             "nvidia-cuda-cccl of pip")


class Libraries:
    """One of each family, made side by side where they are older than the headers; whoever wants one waits for it."""
    def __init__(self, directory, families, arch):
        directory.mkdir(parents=True, exist_ok=True)
        source = ROOT / "tests/bench/rivals_cuda.cu"
        newest = max(p.stat().st_mtime for p in [source, *ROOT.glob("convk*.h")])
        self.made, self.open = {}, {}
        for family in families:
            path = directory / f"rivals_{family}"
            if path.exists() and path.stat().st_mtime > newest:
                self.made[family] = path, None
                continue
            command = [*find_nvcc(), "-O3", f"-arch={arch}", "-shared", "-Xcompiler", "-fPIC", f"-I{ROOT}",
                       f"-DCONVK_WITH_{family.upper()}", str(source), "-o", str(path)]
            with open(path.with_suffix(".txt"), "w") as log:
                self.made[family] = path, subprocess.Popen(command, stdout=log, stderr=log)

    def __getitem__(self, family):
        if family not in self.open:
            path, compiler = self.made[family]
            if compiler and compiler.wait():
                raise RuntimeError(f"nvcc failed: see {path.with_suffix('.txt')}")
            self.open[family] = Library(path)
        return self.open[family]

    def end(self):
        for _, compiler in self.made.values():
            if compiler and compiler.poll() is None:
                compiler.kill()


def check(path):
    """A step of the stencil by the library and by the naive kernel, beside its formula: in doubles, periodic."""
    n, library = 32, Library(path)
    array = ctypes.c_double * n ** 3
    x, y, z = array(*((i * 2654435761 >> 7) % 20011 / 10005.5 - 1 for i in range(n ** 3))), array(), array()
    library.call("stencil7_f64", [n, 1], [x, y])()
    library.call("naive_stencil_f64", [n, 1], [x, z])()
    for k in range(n):
        for j in range(n):
            for i in range(n):
                at = [(i + a) % n + n * ((j + b) % n + n * ((k + c) % n))
                      for a, b, c in ((0, 0, 0), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))]
                want = 0.4 * x[at[0]] + 0.1 * sum(x[p] for p in at[1:])
                for got in (y, z):
                    if not abs(got[at[0]] - want) < 1e-15:
                        sys.exit(f"rivals_cuda.py: {i}, {j}, {k}: {y[at[0]]} and {z[at[0]]}, not {want}")
    print(f"{2 * n ** 3} numbers as they should be")


# ---- measuring ----


class Case:
    """own, rivals, bounds: by their names, functions that start `calls` calls and give their result, or None; units: of a call.
    view(result): what is compared."""
    def __init__(self, name, unit, units, own, rivals=None, bounds=None, calls=1, view=lambda result: result):
        self.name, self.unit, self.units, self.calls, self.view = name, unit, units * calls, calls, view
        self.by = {n: (role, f) for role, some in (("own", own), ("rival", rivals), ("bound", bounds)) for n, f in (some or {}).items()}


def milliseconds(run, calls):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(calls):
        run()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / calls


def digits(x):
    return float(f"{x:.5g}")


def difference(result, want):
    largest = want.abs().max().item()
    return digits((result - want).abs().max().item() / (largest or 1))


def measure(case, left):
    """The lines of a case.  Errors are those against the first own call, and of own ones none."""
    lines, times, calls, want = {}, {}, {}, None
    for name, (role, run) in case.by.items():
        lines[name] = {"case": case.name, "by": name, "role": role}
        try:
            result = run()
            torch.cuda.synchronize()
            if role == "own" and want is None:
                want = result
            elif role == "rival" and result is not None and want is not None:
                lines[name]["error"] = difference(case.view(result), case.view(want))
            calls[name] = max(1, min(50, int(8 / max(milliseconds(run, 1), 1e-3))))
            times[name] = []
        except Exception as e:  # a rival without memory takes nothing from others
            lines[name]["failed"] = (str(e).strip().splitlines() or [repr(e)])[-1][:160]
    for _ in range(5):
        for name in times:
            times[name].append(milliseconds(case.by[name][1], calls[name]))
        if left() < 3:
            break
    for name, t in times.items():
        t.sort()
        ms = t[len(t) // 2]
        lines[name].update(ms=digits(ms / case.calls), rate=digits(case.units / ms / 1e6), unit=case.unit,
                           spread=digits((t[-1] - t[0]) / ms))
    return compared(list(lines.values()))


def compared(lines):
    """Those of one case, own ones with their ratio to the best rival and their share of the largest bound."""
    for key, by, role, best in (("ratio", "rival", "rival", min), ("share", "bound", "bound", max)):
        others = [e for e in lines if e["role"] == role and "ms" in e]
        for e in lines:
            if others and e["role"] == "own" and "ms" in e:
                other = best(others, key=lambda o: o["ms"])
                e[key], e[by] = digits(other["ms"] / e["ms"]), other["by"]
    return lines


def by_name(lines):
    return {(e["case"], e["by"]): e for e in lines if "case" in e}


def worst_first(lines):
    """Own calls that have a rival: (ratio, line of the call, line of the rival)."""
    times = by_name(lines)
    return sorted(((e["ratio"], e, times[e["case"], e["rival"]]) for e in lines if "ratio" in e), key=lambda r: r[0])


def text(e):
    more = f"  {e['ratio']:6.2f} x {e['rival']}" if "ratio" in e else ""
    more += f"  {e['share']:.2f} of {e['bound']}" if "share" in e else ""
    more += f"  error {e['error']:.1e}" if "error" in e else ""
    rest = f"{e['ms']:10.4f} ms {e['rate']:10.2f} {e['unit']:8s}{more}" if "ms" in e else e.get("failed", "")
    return f"{e['case']:44s} {e['by']:34s} {rest}"


# ---- cases ----

torch = None
GPU = "cuda"


def real(t):
    return {"f": torch.float64 if t[1:] == "64" else torch.float32, "c": torch.complex128 if t[1:] == "64" else torch.complex64}[t[0]]


def random(t, *n):
    return torch.rand(*n, dtype=real(t), device=GPU) - 0.5


def there(bytes_):
    return torch.empty(bytes_, dtype=torch.uint8, device=GPU)


def timing(run):
    """Of work that is as much, but whose result is another."""
    return lambda: (run(), None)[1]


def graph_of(run, calls, library=None):
    """A CUDA graph of so many calls."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    try:
        if library:
            task = Task()
            task.a[0] = stream.cuda_stream
            library.start("use_stream", task)
        with torch.cuda.stream(stream):
            run()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            for _ in range(calls):
                run()
    finally:
        if library:
            library.start("use_stream", Task())
    return graph


def taps_of(library, t, which, order):
    """Taps, on the host, and the first and the last index."""
    taps, ends = torch.zeros(32, dtype=real(t)), (ctypes.c_int * 2)()
    library.call(f"taps_{t}", [which, order], [taps, ends])()
    return taps[:ends[1] - ends[0] + 1].clone(), ends[0], ends[1]


def circulant(taps, lo, n):
    """The periodic filter as a dense matrix."""
    m = torch.zeros(n, n, dtype=torch.float64)
    for k, tap in enumerate(taps.double()):
        for i in range(n):
            m[i, (i + lo + k) % n] += tap
    return m.to(taps.dtype).to(GPU)


def matrices(C, x, y, z):
    """C along all axes, one after another: into y."""
    n = x.shape[0]
    torch.matmul(x.view(-1, n), C.t(), out=y.view(-1, n))
    torch.matmul(C, y, out=z)
    torch.matmul(C, z.view(n, -1), out=y.view(n, -1))
    return y


def sum_of_matrices(C, x, y):
    """C along each axis, added up: into y."""
    n = x.shape[0]
    torch.matmul(x.view(-1, n), C.t(), out=y.view(-1, n))
    y.add_(torch.matmul(C, x))
    y.view(n, -1).addmm_(C, x.view(n, -1))
    return y


def ceilings(libraries):
    for t in TYPES:
        a = random(t, 1 << (26 if t == "f64" else 27))
        b = torch.empty_like(a)
        yield Case(f"copy {t} 512 MiB", "GB/s", 2 * a.nbytes, {}, bounds={"copy": lambda: b.copy_(a)})
        m, k = random(t, 8192, 8192), random(t, 8192, 8192)
        yield Case(f"matmul {t} 8192", "GFlop/s", 2 * 8192.0 ** 3, {}, bounds={"cuBLAS": lambda: m @ k})


def filters(libraries):
    pad, conv3d, library = torch.nn.functional.pad, torch.nn.functional.conv3d, libraries["sepconv"]
    for t in TYPES:
        for n in (256, 128, 64):
            x = random(t, n, n, n)
            y, y2, y3 = torch.empty_like(x), torch.empty_like(x), torch.empty_like(x)
            host, lo, up = taps_of(library, t, 0, 0)
            taps, C = host.to(GPU), circulant(host, lo, n)
            wave = torch.zeros(n, dtype=torch.float64)
            for i, v in enumerate(host.double()):
                wave[-(lo + i) % n] += v
            H = torch.fft.fft(wave.to(GPU)).to(real("c" + t[1:]))
            H3 = H[:, None, None] * H[None, :, None] * H[None, None, :n // 2 + 1]

            def conv():
                v = conv3d(pad(x[None, None], (-lo, up, 0, 0, 0, 0), mode="circular"), taps.view(1, 1, 1, 1, -1))
                v = conv3d(pad(v, (0, 0, -lo, up, 0, 0), mode="circular"), taps.view(1, 1, 1, -1, 1))
                return conv3d(pad(v, (0, 0, 0, 0, -lo, up), mode="circular"), taps.view(1, 1, -1, 1, 1))[0, 0]
            axes = [library.call(f"naive_filter_{t}", [n, n, n, axis], [taps, *arrays], result=y3)
                    for axis, arrays in enumerate(((x, y3), (y3, y2), (y2, y3)))]
            yield Case(f"magicfilter3d {t} {n}^3", "GFlop/s", 96.0 * n ** 3,
                       {"convk magicfilter3d": library.call(f"magicfilter3d_{t}", [n, n, n], [x, y], result=y, work=there)},
                       {"torch conv3d, three": conv, "three GEMMs by dense circulants": lambda: matrices(C, x, y2, y3),
                        "cuFFT, torch.fft.rfftn": lambda: torch.fft.irfftn(torch.fft.rfftn(x) * H3, s=x.shape),
                        "naive kernels, three": lambda: [f() for f in axes][2]}, {"copy": lambda: y2.copy_(x)})


def rolls(x, taps):
    """An even filter along all axes, by whole shifted arrays."""
    s = x * (3 * taps[len(taps) // 2])
    for d in range(3):
        for q in range(1, len(taps) // 2 + 1):
            s = s + taps[len(taps) // 2 + q] * (torch.roll(x, q, d) + torch.roll(x, -q, d))
    return s


def sums(libraries, compiled=False):
    library = libraries["sepconv"]
    for t, (nx, ny, nz) in ((t, n) for t in TYPES for n in ((256, 256, 256), (512, 512, 256))):
        x = random(t, nz, ny, nx)
        y, y2 = torch.empty_like(x), torch.empty_like(x)
        for order in (2, 8) if compiled else (2, 8, 16, 0):
            host, lo, _ = taps_of(library, t, 2, order)
            taps, listed, rivals = host.to(GPU), host.tolist(), {}
            if order:
                rivals["naive kernel"] = library.call(f"naive_laplacian_{t}", [nx, ny, nz, -lo], [taps, x, y2], result=y2)
            if nx == ny == nz and order == 8:
                k = [2 * math.pi * f(m, dtype=torch.float64, device=GPU) for m, f in
                     ((nz, torch.fft.fftfreq), (ny, torch.fft.fftfreq), (nx, torch.fft.rfftfreq))]
                K2 = -(k[0][:, None, None] ** 2 + k[1][None, :, None] ** 2 + k[2][None, None, :] ** 2).to(x.dtype)
                rivals["torch.roll, eager"] = lambda: rolls(x, listed)
                rivals["cuFFT Laplacian, rfftn irfftn"] = timing(lambda: torch.fft.irfftn(torch.fft.rfftn(x) * K2, s=x.shape))
            if nx == ny == nz and order in (8, 0):
                C = circulant(host, lo, nx)
                rivals["three GEMMs by dense circulants"] = lambda: sum_of_matrices(C, x, y2)
            if compiled:
                fused = torch.compile(lambda u: rolls(u, listed))
                rivals["torch.compile of rolls"] = lambda: fused(x)
            yield Case(f"sumconv3d {t} {nx}x{ny}x{nz} order {order or 'D2'}", "GLUP/s", float(nx * ny * nz),
                       {"convk sumconv3d": library.call(f"sumconv3d_{t}", [nx, ny, nz, 1, order], [x, y], result=y)}, rivals,
                       {"copy": lambda: y2.copy_(x)})


def stencil(libraries, compiled=False):
    pad, conv3d, library = torch.nn.functional.pad, torch.nn.functional.conv3d, libraries["stencil"]
    for t, n in ((t, n) for t in TYPES for n in (256, 512)):
        x = random(t, n, n, n)
        y, y2 = torch.empty_like(x), torch.empty_like(x)
        listed, w = [0.1, 0.4 / 3, 0.1], torch.zeros(1, 1, 3, 3, 3, dtype=x.dtype, device=GPU)
        w[0, 0, 1, 1, 1] = 0.4
        for d in ((0, 1, 1), (2, 1, 1), (1, 0, 1), (1, 2, 1), (1, 1, 0), (1, 1, 2)):
            w[(0, 0) + d] = 0.1
        rivals = {"kernel with shared memory": library.call(f"naive_stencil_{t}", [n, 1], [x, y2], result=y2)}
        if n == 256:
            rivals["torch.roll, eager"] = lambda: rolls(x, listed)
            rivals["torch conv3d 3x3x3"] = lambda: conv3d(pad(x[None, None], (1,) * 6, mode="circular"), w)[0, 0]
        if compiled:
            fused = torch.compile(lambda u: rolls(u, listed))
            rivals["torch.compile of rolls"] = lambda: fused(x)
        yield Case(f"stencil7 {t} {n}^3, a step", "GLUP/s", float(n) ** 3,
                   {"convk stencil7, one step": library.call(f"stencil7_{t}", [n, 1], [x, y], result=y)}, rivals,
                   {"copy": lambda: y2.copy_(x)})
        if not compiled:
            yield Case(f"stencil7 {t} {n}^3, 24 steps", "GLUP/s", 24.0 * n ** 3,
                       {"convk stencil7, 24 steps": library.call(f"stencil7_{t}", [n, 24], [x, y])},
                       {"kernel with shared memory, 24 times": library.call(f"naive_stencil_{t}", [n, 24], [x, y2])})


def compiled(libraries):
    yield from stencil(libraries, True)
    yield from sums(libraries, True)


def wavelets(libraries):
    pad, conv1d, library = torch.nn.functional.pad, torch.nn.functional.conv1d, libraries["sepconv"]
    for t, n in ((t, n) for t in TYPES for n in (256, 128)):
        x, M, pair = random(t, n, n, n), random(t, n, n), random(t, 2, 1, 16)
        y, y2, y3 = torch.empty_like(x), torch.empty_like(x), torch.empty_like(x)

        def strided():  # analysis with a stride of 2, an axis at a time, with transpositions between
            u = x
            for _ in range(3):
                u = conv1d(pad(u.reshape(-1, 1, n), (7, 8), mode="circular"), pair, stride=2).reshape(n, n, n).permute(2, 0, 1)
        yield Case(f"wavelets {t} {n}^3", "GFlop/s", 96.0 * n ** 3,
                   {f"convk {call}": library.call(f"{call}_{t}", [n, n, n], [x, y], work=there)
                    for call in ("dwt3d", "idwt3d", "s1_to_r", "r_to_s1")},
                   {"three GEMMs of n x n (timing only)": timing(lambda: matrices(M, x, y2, y3)),
                    "torch conv1d of stride 2 (timing only)": strided}, {"copy, twice": lambda: (y2.copy_(x), y3.copy_(x))})


def hamiltonian(libraries):
    library = libraries["sepconv"]
    for t, n in ((t, n) for t in TYPES for n in (256, 128)):
        M, v, free, points = random(t, n, n), random(t, n, n, n), random(t, n + 29, n + 29, n + 29), float(n) ** 3
        y2, y3 = torch.empty_like(v), torch.empty_like(v)
        for vectors in (1, 8):
            x, sizes = random(t, vectors, n, n, n), [n, n, n, vectors]
            y, z = torch.empty_like(x), torch.empty_like(x)
            energies = torch.zeros(4 * vectors, dtype=torch.float64, device=GPU)

            def nine():  # T_x + T_y + T_z, and to values, times V, and back, by dense matrices along the axes
                for one, out in zip(x, y):
                    sum_of_matrices(M, one, out)
                    matrices(M, matrices(M, one, y2, y3).mul_(v), z[0], y3)
                    out.add_(z[0])
            apply = [library.call(f"hamiltonian_apply_{t}", [*sizes, grow], [x, y, free if grow else v, e], work=there)
                     for grow, e in ((0, energies), (0, None), (1, energies))]
            copy = {"copy": lambda: z.copy_(x)}
            yield Case(f"hamiltonian {t} {n}^3 of {vectors}", "GFlop/s", 558 * vectors * points,
                       {"convk hamiltonian_apply": apply[1], "convk, with energies": apply[0],
                        **({"convk, free, with energies": apply[2]} if vectors == 1 else {})},
                       {"nine GEMMs of n x n (timing only)": nine}, copy)
            yield Case(f"chebyshev3d {t} {n}^3 of {vectors}, degree 8", "GLUP/s", 8 * vectors * points,
                       {f"convk, order {order}": library.call(f"chebyshev3d_{t}", [*sizes, order, 8], [x, y, v], work=there)
                        for order in (8, 2)}, bounds={"eight copies": lambda: [z.copy_(x) for _ in range(8)]})
            yield Case(f"sumconv3d {t} {n}^3 of {vectors} with V", "GLUP/s", vectors * points,
                       {f"convk, order {order or 'D2'}": library.call(f"sumconv3d_{t}", [*sizes, order], [x, y, v])
                        for order in (2, 8, 16, 0)}, bounds=copy)
        c = "c" + t[1:]
        x = random(c, n, n, n)
        y, z = torch.empty_like(x), torch.empty_like(x)
        yield Case(f"sumconv3d {c} {n}^3", "GLUP/s", points,
                   {f"convk, order {order or 'D2'}": library.call(f"sumconv3d_{c}", [n, n, n, 1, order], [x, y])
                    for order in (2, 8, 0)}, bounds={"copy": lambda: z.copy_(x)})
        yield Case(f"hamiltonian {c} {n}^3 at k", "GFlop/s", 2 * 558 * points,
                   {"convk, with energies": library.call(f"hamiltonian_apply_{c}", [n, n, n, 1], [x, y, v, energies], [0.25],
                                                         work=there)}, bounds={"copy": lambda: z.copy_(x)})


def small(libraries):
    """Calls one by one, with what the host takes for each (Python's ctypes, too), and fifty in a graph."""
    library = libraries["sepconv"]
    for n in (16, 32, 48, 64):
        x, v = random("f64", n, n, n), random("f64", n, n, n)
        y, e = torch.empty_like(x), torch.zeros(4, dtype=torch.float64, device=GPU)
        for name, run in (("sumconv3d order 8", library.call("sumconv3d_f64", [n, n, n, 1, 8], [x, y, v])),
                          ("magicfilter3d", library.call("magicfilter3d_f64", [n, n, n], [x, y], work=there)),
                          ("hamiltonian_apply", library.call("hamiltonian_apply_f64", [n, n, n, 1], [x, y, v, e], work=there))):
            run()
            torch.cuda.synchronize()
            begun = time.perf_counter()
            for _ in range(200):
                run()
            host = (time.perf_counter() - begun) / 200 * 1e3
            torch.cuda.synchronize()
            yield Case(f"{name} f64 {n}^3, the host's time {host:.4f} ms", "kcall/s", 1e-3, {"convk": run})
            yield Case(f"{name} f64 {n}^3, a call of 50 in a graph", "kcall/s", 1e-3,
                       {"convk": graph_of(run, 50, library).replay}, calls=50)


# The shells of an atom: powers of x, y and z of its ten functions, and their l.
POWERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (2, 0, 0), (1, 1, 0), (1, 0, 1), (0, 2, 0), (0, 1, 1), (0, 0, 2))


def grid(library, label, t, n, step, origin, atoms, exponents, orbitals, naive=False, slabs=0):
    """Orbitals and densities on a grid; the rival is one product of matrices, of which tables along the axes are made."""
    (nx, ny, nz), functions, points = n, 10 * len(atoms), float(n[0] * n[1] * n[2])
    host = torch.rand(orbitals, functions, dtype=real(t)) * 2 - 1
    at, exps = torch.tensor(atoms, dtype=torch.float64), torch.tensor(exponents, dtype=torch.float64)
    c, centres = host.to(GPU), at.to(real(t)).to(GPU)
    out = torch.zeros(2 * orbitals, nz, ny, nx, dtype=real(t), device=GPU)
    one, o2 = out[:orbitals], torch.empty(orbitals, nz, ny, nx, dtype=real(t), device=GPU)

    def table(d):  # all functions along an axis
        r = torch.arange(n[d], device=GPU, dtype=real(t)) * step + origin[d] - centres[:, d, None]
        return torch.stack([r ** p[d] * torch.exp(-exponents[sum(p)] * r * r) for p in POWERS], 1).reshape(-1, n[d])

    def factors(X, Y, Z, c=c):
        return ((c[:, None, :] * Z.t()[None]).reshape(orbitals * nz, -1), (Y[:, :, None] * X[:, None, :]).reshape(c.shape[1], -1))

    def product(A, B):
        torch.matmul(A, B, out=o2.view(orbitals * nz, ny * nx))
        return o2
    given = [table(d) for d in range(3)]
    ready = factors(*given)
    rivals = {"torch GEMM, all": lambda: product(*factors(*(table(d) for d in range(3)))),
              "torch GEMM, tables given": lambda: product(*factors(*given))}
    if slabs:  # with the atoms that reach them
        reach, parts = math.sqrt(37 / min(exponents)), []
        for a, b in ((i * nx // slabs, (i + 1) * nx // slabs) for i in range(slabs)):
            ids = [i for i, r in enumerate(atoms) if origin[0] + step * a - reach <= r[0] <= origin[0] + step * b + reach]
            parts.append((a, b, torch.tensor([10 * i + k for i in ids for k in range(10)], device=GPU)))

        def by_slabs():
            for a, b, f in parts:
                A, B = factors(given[0][f][:, a:b], given[1][f], given[2][f], c[:, f])
                o2[..., a:b] = torch.matmul(A, B).view(orbitals, nz, ny, b - a)
            return o2
        rivals["torch GEMM by slabs along x"] = by_slabs
    sizes, numbers = [nx, ny, nz, len(atoms), orbitals], [step, *origin]
    if naive:
        rivals["naive kernel, a thread a point"] = library.call(f"naive_orbitals_{t}", sizes, [o2, c, centres], [*numbers, *exponents],
                                                                result=o2)

    def own(kind, result=None):
        return {"convk": library.call(f"grid_{t}", [*sizes, kind], [out, host, at, exps], numbers, result=result, work=there)}
    unit, units = "Gma/s", points * orbitals * 6 * len(atoms)
    yield Case(f"orbitals_grid {t} {label}", unit, units, own(0, one), rivals, {"cuBLAS product alone": lambda: product(*ready)})

    def density():
        product(*factors(*given))
        return torch.sum(o2 * o2, 0).mul_(2)
    yield Case(f"density_grid {t} {label}", unit, units, own(4, out[0]), {"torch GEMM and squares": density})
    if naive:
        for kind, name in ((1, "periodic"), (3, "periodic, at k"), (2, "oblique")):
            yield Case(f"orbitals_grid {t} {label} {name}", unit, units, own(kind))


def grids(libraries):
    library = libraries["gaussian"]
    some = [[0.25 * (i * (d + 3) % 7) - 0.75 for d in range(3)] for i in range(17)]
    chain = [[2.5 * i, 0.5 * (i % 2), 0.3 * (i % 3)] for i in range(64)]
    ball = [[1.9 * (i % 4) - 3, 1.9 * (i // 4 % 4) - 3, 1.9 * (i // 16) - 3] for i in range(48)]
    for t in TYPES:
        yield from grid(library, "96^3 x16 x17 atoms", t, (96, 96, 96), 8 / 96, (-4, -4, -4), some, (0.3, 0.25, 0.2), 16, naive=True)
        yield from grid(library, "704x64x64 x32, 64 atoms, chain", t, (704, 64, 64), 0.25, (-8, -8, -8), chain, (0.17, 0.3, 0.8), 32,
                        slabs=8)
        yield from grid(library, "80^3 x1, 48 atoms, ball", t, (80, 80, 80), 0.2, (-8, -8, -8), ball, (0.4, 0.6, 1.1), 1)


def convolutions(libraries):
    library, side = libraries["fft"], 9
    for t in ("f32", "c64", "f64", "c32"):
        for n, m, items in ((n, m, items) for n, m in ((8, 16), (24, 32), (56, 64), (120, 128)) for items in (16, 128, 1024, 16384)):
            element = {"c": 2, "f": 1}[t[0]] * int(t[1:]) // 8
            if items * n * n * element > 2e9 or t in ("f64", "c32") and items not in (128, 16384):
                continue
            host, x = torch.randn(side, side, dtype=real(t)), torch.randn(items, n, n, dtype=real(t), device=GPU)
            y, y2, bytes_, plans = torch.empty_like(x), torch.empty_like(x), (ctypes.c_size_t * 1)(), []
            library.call(f"plan_{t}", [n, side], [host, bytes_],
                         work=lambda b: plans.append(torch.zeros(b, dtype=torch.uint8)) or plans[0])()
            plan = plans[0][:bytes_[0]].to(GPU)
            own = library.call(f"fftconv2d_{t}", [items], [x, y, plan, plans[0]], result=y, work=there)
            o, kernel = (side - 1) // 2, host.to(GPU)
            forth, back = (torch.fft.rfft2, torch.fft.irfft2) if t[0] == "f" else (torch.fft.fft2, torch.fft.ifft2)
            H = forth(kernel, s=(m, m))

            def fft():
                return back(forth(x, s=(m, m)) * H, s=(m, m))[:, o:o + n, o:o + n]
            rivals = {"cuFFT, torch.fft": fft}
            if t[0] == "f":
                flipped = torch.flip(kernel, (0, 1))[None, None].contiguous()
                rivals["torch conv2d"] = lambda: torch.nn.functional.conv2d(x[:, None], flipped, padding=o)[:, 0]
            name = f"fftconv2d {t} {n}x{n} kernel 9x9 of {items}"
            yield Case(name, "Gconv/s", float(items), {"convk fftconv2d": own}, rivals, {"copy": lambda: y2.copy_(x)})
            if items <= 1024:
                yield Case(f"{name}, in a graph of 10", "Gconv/s", float(items), {"convk fftconv2d": graph_of(own, 10, library).replay},
                           {"cuFFT, torch.fft": graph_of(fft, 10).replay}, calls=10)


def box_corners(k):
    """The surface of a cube, k x k x 2 triangles a face."""
    corners = []
    for d, side, i in ((d, side, i) for d in range(3) for side in range(2) for i in range(k * k)):
        for corner in ((0, 3, 1, 0, 2, 3), (0, 1, 3, 0, 3, 2))[side]:
            p = [0.0] * 3
            p[d], p[(d + 1) % 3], p[(d + 2) % 3] = side - 0.5, (i // k + corner % 2) / k - 0.5, (i % k + corner // 2) / k - 0.5
            corners.append(p)
    return torch.tensor(corners, dtype=torch.float64)


def formfactors(libraries):
    library = libraries["formfactor"]
    for t, n, k in (("f32", (128, 128, 64), 48), ("f64", (128, 128, 64), 32), ("f32", (256, 256, 1), 24), ("f64", (256, 256, 1), 24)):
        corners = box_corners(k)
        triangles, points, sizes = len(corners) // 3, n[0] * n[1] * n[2], [*n, len(corners) // 3]
        storage, measures, at = torch.zeros(6 * triangles, dtype=real(t)), torch.zeros(64, dtype=torch.float64), corners.to(real(t))
        library.call(f"mesh_{t}", [triangles], [at, storage, measures])()
        c = corners.view(-1, 3, 3)
        centroids = torch.cat([c.mean(1).t(), torch.linalg.cross(c[:, 1] - c[:, 0], c[:, 2] - c[:, 0]).t() / 2]).to(real(t)).to(GPU)
        axes = [0.3 * (d + 1) + 8.0 * torch.arange(m, dtype=torch.float64) / m for d, m in enumerate(n)]
        qz, qy, qx = torch.meshgrid(*axes[::-1], indexing="ij")
        q, every = torch.cat(axes).to(real(t)).to(GPU), torch.stack([qx.ravel(), qy.ravel(), qz.ravel()]).to(real(t)).to(GPU)
        f, mesh, centroids = random(t, 3, 2 * points), storage.to(GPU), centroids.contiguous()
        rivals = {"naive kernel, centroids, sincos": library.call(f"naive_form_{t}", sizes, [centroids, q, f[2]], result=f[2])}
        if t == "f32":
            rivals["naive kernel, centroids, __sinf"] = library.call("naive_form_rough_f32", sizes, [centroids, q, f[2]], result=f[2])
        yield Case(f"formfactor {t} {n[0]}x{n[1]}x{n[2]} x{triangles}", "Gpair/s", float(points) * triangles,
                   {"convk formfactor_grid": library.call(f"formfactor_grid_{t}", sizes, [mesh, q, f[0], measures], result=f[0],
                                                          work=there),
                    "convk formfactor, list": library.call(f"formfactor_{t}", sizes, [mesh, every, f[1], measures], work=there)},
                   rivals, view=lambda F: torch.view_as_complex(F.view(-1, 2)).abs())


def distances(libraries):
    """Histograms of points in a cube whose diagonal is the cut-off, and of a periodic one to half of its side.  Calls add to what
    earlier ones have counted, so that there is no error."""
    library = libraries["distances"]
    for t, n, width, moments, periodic in (("f32", 20000, 0.01, 0, 0), ("f32", 20000, 0.01, 1, 0), ("f64", 20000, 0.01, 1, 0),
                                           ("f64", 20000, 0.01, 2, 0), ("f32", 20000, 0.001, 1, 0), ("f32", 100000, 0.01, 1, 0),
                                           ("f32", 20000, 0.01, 0, 1), ("f32", 200000, 0.01, 0, 1)):
        side = 10.0 * (n / 1000) ** (1 / 3)  # a point in a unit of volume
        bins = int((side / 2 if periodic else side * math.sqrt(3)) / width) + 1
        x = torch.rand(3, n, dtype=real(t), device=GPU) * side
        counts = torch.zeros(4, bins, dtype=torch.int64, device=GPU)
        sizes, a = [n, bins, moments], [x, counts[0], counts[1], counts[2:]]
        rivals = {} if periodic else {"naive kernel, a thread an atom": library.call(f"naive_distances_{t}", sizes, a, [width])}
        pairs = n * (n - 1) / 2 * (math.pi / 6 if periodic else 1)
        yield Case(f"pair_histogram {t} {n} atoms, {bins} bins, {moments} moments{', periodic' if periodic else ''}", "Gpair/s", pairs,
                   {"convk": library.call(f"distances_{t}", sizes, a, [width, side if periodic else 0], work=there)}, rivals)


# ---- all of them ----

SECTIONS = {"ceilings": ceilings, "grids": grids, "hamiltonian": hamiltonian, "wavelets": wavelets, "filters": filters,
            "convolutions": convolutions, "sums": sums, "stencil": stencil, "small": small, "formfactors": formfactors,
            "distances": distances, "compile": compiled}


def main():
    global torch
    begun = time.monotonic()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", nargs="?", metavar="OUT.json")
    parser.add_argument("--seconds", type=float, default=600, help="then no other case is begun")
    parser.add_argument("--sections", default=",".join(SECTIONS), help="%(default)s")
    parser.add_argument("--libraries", type=pathlib.Path, default=ROOT / "build/rivals", help="their directory")
    parser.add_argument("--check", metavar="LIBRARY")
    options = parser.parse_args()
    sections = options.sections.split(",")
    if options.check:
        return check(options.check)
    if not options.out or not set(sections) <= set(SECTIONS):
        parser.error(f"wanted are OUT.json, and sections of {','.join(SECTIONS)}")
    try:
        import torch
    except ImportError:
        sys.exit("rivals_cuda.py: there is no PyTorch for this Python: pip install torch")
    if not torch.cuda.is_available():
        sys.exit("rivals_cuda.py: PyTorch finds no GPU")
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True

    def left():
        return options.seconds - (time.monotonic() - begun)
    arch = "sm_%d%d" % torch.cuda.get_device_capability()
    libraries = Libraries(options.libraries, [f for f, some in FAMILIES.items() if set(some.split()) & set(sections)], arch)
    version = re.findall(r"#define CONVK_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (ROOT / "convk.h").read_text())
    lines = [{"machine": torch.cuda.get_device_name(), "date": time.strftime("%Y-%m-%d"), "convk": ".".join(version),
              "torch": torch.__version__}]
    failed = 0
    with open(options.out, "w", buffering=1) as out:
        print(json.dumps(lines[0]), file=out)
        for section in sections:
            try:
                for case in SECTIONS[section](libraries):
                    if left() < 4:
                        break
                    for line in measure(case, left):
                        lines.append(line)
                        print(json.dumps(line), file=out)
                        print(text(line), flush=True)
            except Exception as e:  # others go on
                failed = 1
                print(f"rivals_cuda.py: {section}: {e}", file=sys.stderr, flush=True)
            torch.cuda.empty_cache()
            print(f"-- {section}: {left():.0f} s left", flush=True)
    libraries.end()
    print("\nover the best rival, the worst first")
    for ratio, own, rival in worst_first(lines):
        print(f"{ratio:6.2f} x  {own['case']:44s} {own['by']:28s} {own['ms']:9.4f} ms  {rival['ms']:9.4f} ms  {rival['by']}"
              + (f", error {rival['error']:.1e}" if "error" in rival else ""))
    return failed


if __name__ == "__main__":
    sys.exit(main())
