"""The data files of the examples in a folder: what they hold, what readers say of bad ones, and what plot.py draws.
    gallery.py FOLDER    with NAME.txt and NAME.out of each example; the last line is `N passed, N failed, 0 skipped`"""
import contextlib
import io
import pathlib
import re
import sys
import tempfile
import traceback

import numpy as np
from PIL import Image

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "examples" / "plot"))
import data_file  # noqa: E402
import plot  # noqa: E402

folder = pathlib.Path(sys.argv[1])


def printed(name, pattern):
    """The numbers that a program printed."""
    found = re.search(pattern, (folder / f"{name}.out").read_text())
    assert found, pattern
    return [float(word) for word in found.groups()]


def close(a, b, tolerance):
    worst = np.abs(np.asarray(a) - np.asarray(b)).max()
    assert worst <= tolerance, f"{worst} > {tolerance}"


def distances(rows):
    return sorted(np.linalg.norm(rows[i, :3] - rows[j, :3]) for i in range(len(rows)) for j in range(i))


def demo(data):
    x, y, values = data.block("plane").map("values")
    at, of, peak = printed("demo", r"plane (\d+) of (\d+) across z; blue .*, red \+([\d.]+)")
    close(abs(values).max(), peak, 0.0006)
    assert data.note("plane") == f"{at:.0f} of {of:.0f} across z" and (len(x), len(y)) == (40, 48)
    close(np.diff(x), 0.36, 1e-5)
    atoms = data.block("atoms").rows
    close(atoms[:, 3], [8, 1, 1], 0)
    cube = np.loadtxt("examples/data/water_homo.cube", skiprows=6, max_rows=3)
    close(distances(atoms), distances(cube[:, 2:]), 1e-5)
    cell = (values**2).sum() * 0.36**2
    assert 0.1 < cell < 1 and 0.5 < np.corrcoef(values.ravel(), data.block("plane").column("coefficients"))[0, 1] < 0.9999


def heat(data):
    x, y, start = data.block("step 0").map("T in the plane of x")
    close(x, np.linspace(0, 1, 33), 1e-6)
    u, v = np.meshgrid(x[1:-1] - 0.5, y[1:-1] - 0.5)  # the wire, in the plane x = 16/32
    turns = v / 0.5 - np.arctan2(u, 0) / (2 * np.pi)
    away = (turns - np.floor(turns + 0.5)) * 0.5 * np.cos(np.arctan(0.5 / (2 * np.pi * 0.25)))
    close(start[1:-1, 1:-1], np.hypot(abs(u) - 0.25, away) < 0.06, 0)
    close(start[[0, -1]], 0, 0)
    rows = re.findall(r"^ +(\d+) +([\d.]+) +[\d.]+ %", (folder / "heat.out").read_text(), re.M)
    assert [f"step {r[0]}" for r in rows] == list(data.blocks)
    peaks = [max(b.column(f"T in the plane of {p}").max() for p in "xz") for b in data.blocks.values()]
    assert all(0.5 * float(r[1]) < peak < float(r[1]) + 1e-4 for r, peak in zip(rows, peaks)), peaks
    both = data.block("step 0").map("T in the plane of z")[2]
    close(both.sum(axis=1), both[::-1].sum(axis=1), 3)  # symmetric about y = 1/2, but for the wire's own ends
    close(data.quantity("time step")[0], 0.125 / 32**2, 1e-9)


def orbital(data):
    psi, rho = (data.block("planes").column(c) for c in ("orbital", "density in the plane of the molecule"))
    close(abs(psi).max(), *printed("orbital", r"red \+([\d.]+)"), 0.0006)
    close(rho.max(), *printed("orbital", r"or less, white ([\d.]+),"), 0.6)
    close(data.quantity("energy")[0], *printed("orbital", r"energy (\S+) hartree"), 1e-9)
    text = pathlib.Path("examples/data/water_631g.molden").read_text().splitlines()
    molden = np.array([line.split()[3:6] for line in text[text.index("[Atoms] (AU)") + 1:][:3]], float)
    for name in ("orbital", "density"):
        close(distances(data.block(f"atoms by the {name}'s plane").rows), distances(molden), 1e-5)
    x, y, rho = data.block("planes").map("density in the plane of the molecule")
    for across, up, off, number in data.block("atoms by the density's plane").rows:
        i, j = np.argmin(abs(x - across)), np.argmin(abs(y - up))
        assert abs(off) < 1e-3 and rho[j, i] > (100 if number == 8 else 0.3), "the density is not where the atoms are"


def flake(data):
    atoms = data.block("atoms").rows
    carbons, hydrogens = printed("flake", r"(\d+) carbon and (\d+) hydrogen")
    close([(atoms[:, 3] == 6).sum(), (atoms[:, 3] == 1).sum()], [carbons, hydrogens], 0)
    assert (carbons, hydrogens) == (24, 12)
    near = [d for d in distances(atoms) if d < 3]
    assert len(near) == 30 + 12  # bonds
    close(near, [1.09 / 0.52917721] * 12 + [1.42 / 0.52917721] * 30, 1e-5)
    close(*printed("flake", r"orbital: .* norm ([\d.]+)"), 1, 0.003)
    close(*printed("flake", r"density: .* sum ([\d.]+)"), 24, 0.05)
    x, y, psi = data.block("plane").map("orbital")
    rho = data.block("plane").map("density")[2]
    assert (rho > 2 * psi**2 - 1e-12).all()
    close(abs(psi), abs(psi[:, ::-1]), 1e-6)  # even or odd
    close(rho, rho[::-1, ::-1], 1e-6)
    for across, up, _, number in atoms:
        value = rho[np.argmin(abs(y - up)), np.argmin(abs(x - across))] / rho.max()
        assert value > 0.5 if number == 6 else value < 0.2


def salt(data):
    edge, _ = data.quantity("edge")
    close(edge, 5.64 / 0.52917721, 1e-5)
    close(*printed("salt", r"sum ([\d.]+)"), 64, 0.5)
    x, y, face = data.block("face").map("density")
    along, z, across = data.block("across").map("density")
    close([len(x) * (x[1] - x[0]), len(z) * (z[1] - z[0])], [edge, edge], 1e-4)
    close(face, face.T, 1e-6)
    close(face[1:, 1:], face[:0:-1, :0:-1], 1e-6)  # by the period alone
    close(across[0], np.diag(face), 1e-6)
    half, r = len(x) // 2, 1.9  # bohr: outside of both cores
    sodium, chlorine = (np.interp(r, x, row) for row in (face[0], np.roll(face[0], half)))
    assert chlorine > 3 * sodium > 0.01


def gisaxs(data):
    qy, qz, values = data.block("pattern").map("|F/V|^2")
    assert values.shape == (31, 24) and data.note("particle") == "box:12x18x24"
    wanted = np.sinc(9 * qy / np.pi)[None, :] ** 2 * np.sinc(12 * qz / np.pi)[:, None] ** 2
    close(values, wanted, 1e-6)


# particles.txt and film.txt of parts/gallery.sh: two boxes, in the second of four layers.
BOXES = (((12, 8, 6), (0, 0, 0)), ((4, 5, 4), (1, 9, 3)))
FILM = np.array([(0, 0, 0, 0), (30, 2.4e-6, 3e-7, 0.4), (12, 2e-5, 1.5e-6, 0.6), (0, 7.6e-6, 1.7e-7, 0.3)])
K = 2 * np.pi / 0.154


def waves(kz_top, up):
    """Amplitudes of all layers at once, as a system of equations: what is reflected, and kz, T and R in layer 1."""
    n = 1 - FILM[:, 1] + 1j * FILM[:, 2]
    kz = np.sqrt(kz_top**2 + K**2 * (n**2 - 1))
    last = len(FILM) - 1
    a, b = np.zeros((2 * last, 2 * last), complex), np.zeros(2 * last, complex)
    t, r = {0: None, **{j: 2 * j - 1 for j in range(1, last + 1)}}, {0: 0, **{j: 2 * j for j in range(1, last)}}  # at upper borders
    for j in range(last):
        d = FILM[j, 0] if j else 0
        p, m = ((kz[j] + sign * kz[j + 1]) / (2 * kz[j]) * np.exp(-(kz[j] - sign * kz[j + 1]) ** 2 * FILM[j + 1, 3] ** 2 / 2)
                for sign in (1, -1))
        for row, (first, second) in ((2 * j, (p, m)), (2 * j + 1, (m, p))):
            a[row, t[j + 1]] = first
            if j + 1 < last:
                a[row, r[j + 1]] = second
        if j:
            a[2 * j, t[j]] = -np.exp(1j * kz[j] * d)
        else:
            b[0] = 1
        a[2 * j + 1, r[j]] = -np.exp(-1j * kz[j] * d)
    found = np.linalg.solve(a, b)
    depth = FILM[1, 0] - up
    return found[0], kz[1], found[t[1]] * np.exp(1j * kz[1] * depth), found[r[1]] * np.exp(-1j * kz[1] * depth)


def layers(data):
    qy, qz, values = data.block("pattern").map("|F/V|^2")
    incident = K * np.sin(np.radians(0.25))
    volume = sum(np.prod(side) for side, _ in BOXES)

    def form(y, z):  # of exp(-i q.r)
        return sum(np.prod(side) * np.exp(-1j * (y * at[1] + z * at[2])) * np.sinc(y * side[1] / 2 / np.pi)
                   * np.sin(z * side[2] / 2) / (z * side[2] / 2) for side, at in BOXES)

    _, k_in, t_in, r_in = waves(incident, 5)
    for z, row in zip(qz, values):
        if z < incident:
            assert not row.any()
            continue
        _, k_out, t_out, r_out = waves(z - incident, 5)
        wanted = (t_in * t_out * form(qy, k_out + k_in) + t_in * r_out * form(qy, k_in - k_out)
                  + r_in * t_out * form(qy, k_out - k_in) + r_in * r_out * form(qy, -k_out - k_in))
        close(abs(wanted / volume) ** 2, row, 1e-5 * row.max())


def reflectivity(data):
    block = data.block("reflectivity")
    qz, angle, found = (block.column(c) for c in ("qz", "incidence", "R"))
    close(2 * K * np.sin(np.radians(angle)), qz, 1e-5)
    wanted = np.array([abs(waves(q / 2, 0)[0]) ** 2 for q in 2 * np.arange(1, len(qz) + 1) / len(qz)])
    close(found / wanted, 1, 1e-6)


def diffraction(data):
    x, y, light = data.block("cell").map("|E|^2 behind them")
    close([light.min(), light.max()], printed("diffraction", r"from ([\d.]+) \(black\) to ([\d.]+) \(white\), power"), 0.006)
    height = data.block("cell").map("height of the pillars")[2]
    assert height.max() == 1 and height.min() == 0 and 0.1 < (height > 0).mean() < 0.5
    orders = data.block("orders")
    shown, = printed("diffraction", r"orders (\d+) propagate")
    assert orders.column("propagates").sum() == shown
    close(orders.column("power").sum(), 1, 0.05)
    mx, my, power = orders.map("power")
    assert (list(mx), list(my)) == (list(range(-3, 4)),) * 2 and power.argmax() == 24
    close(data.quantity("tilt of the light")[0], 10, 1e-9)


def blur(data):
    x, y, before = data.block("picture").map("before")
    after = data.block("picture").map("after")[2]
    assert list(x) == list(range(120)) and list(y) == list(range(90))
    close(after, np.asarray(Image.open(folder / "blur.pgm")) / 255, 0.5001 / 255)
    assert after.std() < 0.97 * before.std()
    weights = data.block("kernel").column("weight")
    close(weights.sum(), 1, 1e-5)
    u, v, weights = data.block("kernel").map("weight")
    half = np.interp(1, u[u >= 0], weights[list(v).index(0), u >= 0])  # 2 pixels wide: at 1 half of the middle
    close(half, weights.max() / 2, 1e-6 * weights.max())


def helium(data):
    close(data.quantity("energy per atom")[0], *printed("helium", r"energy: +(\S+)"), 0.006)
    close(data.quantity("radius")[0], *printed("helium", r"radius: +(\S+)"), 0.006)
    r, atoms, pairs = (data.block("densities").column(c) for c in ("r", "atoms", "pairs"))
    shell = 4 * np.pi / 3 * ((r + r[0]) ** 3 - (r - r[0]) ** 3)
    close([(atoms * shell).sum(), (pairs * shell).sum()], [6, 5], 0.03)
    lines = (folder / "helium.xyz").read_text().splitlines()
    where = np.array([line.split()[1:] for line in lines[2:]], float)
    assert lines[0] == "6" and where.shape == (6, 3) and all(line.startswith("He ") for line in lines[2:])
    close(where.mean(axis=0), 0, 1e-4)
    liquid = data_file.read(folder / "liquid.txt")
    assert list(liquid.blocks) == ["pairs"] and liquid.block("pairs").column("g")[:10].max() < 0.1
    assert (folder / "liquid.xyz").read_text().splitlines()[1].startswith('Lattice="11.3')


def hamiltonian(data):
    states = [data.block("states").map(str(i)) for i in range(1, 6)]
    x, y, s = states[0]
    close(x, -x[::-1], 1e-6)
    u, v = np.meshgrid(x, y)
    gauss = np.exp(-(u**2 + v**2) / 2)
    for (_, _, psi), wanted in zip(states, (gauss, u * gauss, v * gauss, (2 * u**2 - 1) * gauss, u * v * gauss)):
        wanted = wanted / abs(wanted).max()
        close(abs((psi * wanted).sum()) / np.linalg.norm(psi) / np.linalg.norm(wanted), 1, 0.01)
    block = data.block("convergence")
    h = block.column("spacing")
    for name, order in (("wavelets", 13.87), ("order 2", 2), ("order 4", 3.98), ("order 8", 7.92), ("order 12", 11.8)):
        error = block.column(name)
        close(np.log(error[-2] / error[-1]) / np.log(h[-2] / h[-1]), order, 0.1)
    block = data.block("bands")
    k, wave = block.column("k"), 2 * np.pi / 6
    close(k, np.linspace(-np.pi / 6, np.pi / 6, len(k)), 1e-6)
    for i in range(len(k)):
        matrix = np.diag((k[i] + wave * np.arange(-9, 10)) ** 2 / 2) + 0.25 * (np.eye(19, k=1) + np.eye(19, k=-1))
        exact = np.linalg.eigvalsh(matrix)[:3]
        close(block.rows[i, 1:4], exact, 1e-6)
        close(block.rows[i, 4:], exact, 1e-6)


def debye(data):
    block = data.block("intensity")
    atoms, edge = int(data.note("atoms")), data.quantity("edge")[0]
    q, s = block.column("q"), block.column("S")
    most = int(12 / edge * 2) + 1
    steps = np.arange(-most, most + 1)
    points = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), -1).reshape(-1, 3)
    points = points[points.sum(1) % 2 == 0] * edge / 2
    points = points[(points**2).sum(1) <= 144]
    assert atoms == len(points)
    apart = np.sqrt(((points[:, None] - points[None]) ** 2).sum(2))[np.triu_indices(atoms, 1)]
    for i in (3, 100, 350):
        x = q[i] * apart
        close(s[i], 1 + 2 * np.exp(-0.6 * q[i] ** 2 / (8 * np.pi**2)) * (np.sin(x) / x).sum() / atoms, 1e-5 * max(1, s[i]))
    r, g = data.block("pairs").column("r"), data.block("pairs").column("G")
    near = (r > 2) & (r < 3.4)
    close(r[near][np.argmax(g[near])], edge / np.sqrt(2), 0.02)


def ice(data):
    edge, molecules = data.quantity("edge")[0], int(data.note("molecules"))
    block = data.block("ice")
    r = block.column("r")
    width = r[1] - r[0]
    shell = 4 * np.pi / 3 * ((r + width / 2) ** 3 - (r - width / 2) ** 3) / edge**3
    close((block.column("O-O") * shell)[r < 3.48].sum() * molecules, printed("ice", r"neighbours of a molecule: ([\d.]+)")[0], 0.002)
    close((block.column("O-H") * shell)[r < 1.02].sum() * 2 * molecules, 2, 1e-3)
    close((block.column("H-H")[r > 8]).mean(), 1, 0.02)
    assert r[-1] > 1.49 * edge


def protein(data):
    residues = int(data.note("residues"))
    intensity, pairs = data.block("protein"), data.block("pairs")
    electrons = residues * (3 * 5.9992 + 6.9946 + 7.9994)
    close(intensity.column("I")[0] / electrons**2, 1, 1e-6)
    close(pairs.column("P").sum() * 0.5, 5 * residues * (5 * residues - 1) / 2, 0.5)
    close(data.quantity("radius")[0], printed("protein", r"([\d.]+) by I\(q\)")[0], 0.2)


def drawn(kind, name):
    """A picture of the size that is wanted, with text and colours on white."""
    path = folder / f"{name}.png"
    call(folder / f"{name}.txt", path)
    with Image.open(path) as image:
        pixels = np.asarray(image.convert("RGB"))
        assert image.mode == "P" and path.stat().st_size < 120000
    assert pixels.shape == (600, 800, 3), pixels.shape
    white = (pixels == 255).all(axis=2).mean()
    assert 0.2 < white < 0.95, white
    least = {"blur": 20, "helium": 20, "reflectivity": 20}.get(kind, 60)
    assert len(np.unique(pixels @ (65536, 256, 1))) > least


def loads(name):
    """As others read it: all rows, without a reader of its own."""
    rows = np.loadtxt(folder / f"{name}.txt")
    assert len(rows) == sum(len(b.rows) for b in data_file.read(folder / f"{name}.txt").blocks.values())
    text = (folder / f"{name}.txt").read_text()
    assert text.count("\n\n\n# block: ") == text.count("# block: ")  # "index" of gnuplot


def call(*arguments):
    sys.argv = ["plot.py", *map(str, arguments)]
    plot.main()


def refused(text, why):
    """One line that says so, and no picture."""
    with tempfile.TemporaryDirectory() as place:
        bad, out = pathlib.Path(place, "bad.txt"), pathlib.Path(place, "bad.png")
        if text is not None:
            bad.write_bytes(text if isinstance(text, bytes) else text.encode())
        with contextlib.redirect_stderr(io.StringIO()):
            try:
                call(bad, out)
            except SystemExit as end:
                said = str(end.code)
            else:
                said = "nothing"
        assert re.fullmatch(r"plot\.py: .*bad\.txt.*", said) and why in said and not out.exists(), said


tests = []
for function in (demo, heat, orbital, flake, salt, gisaxs, layers, reflectivity, diffraction, blur, helium, hamiltonian, debye, ice, protein):
    name = function.__name__
    tests += [(name, lambda f=function, n=name: f(data_file.read(folder / f"{n}.txt"))),
              (f"{name} for numpy.loadtxt", lambda n=name: loads(n)), (f"{name} drawn", lambda n=name: drawn(n, n))]
tests.append(("the liquid drawn", lambda: drawn("helium", "liquid")))

head, pattern = "# example: gisaxs\n# particle: x\n", "# block: pattern\n# columns: qy [1/nm], qz [1/nm], |F/V|^2 [1]\n"
for name, text, why in (
    ("no file", None, "No such file"),
    ("an empty file", "", "line 1: '# example: NAME' is wanted"),
    ("another text", "hello\n", "line 1: '# example: NAME' is wanted"),
    ("bytes", b"\x89PNG\r\n\x1a\n", "this is no text"),
    ("an unknown example", "# example: toast\n", "nobody draws 'toast'"),
    ("no block", head, "there is no block 'pattern'"),
    ("an empty block", head + pattern, "block pattern is empty"),
    ("no columns", head + "1 2 3\n", "line 3: a row before"),
    ("columns without units", head + pattern.replace(" [1/nm]", "") + "1 2 3\n", "columns are wanted as"),
    ("other columns", head + pattern.replace("|F/V|", "|F|") + "1 2 3\n", "no column '|F/V|^2'"),
    ("a short row", head + pattern + "1 1 1\n2 1\n", "line 6: 3 numbers are wanted, not '2 1'"),
    ("two columns", head + pattern + "1 1\n2 1\n", "line 5: 3 numbers are wanted"),
    ("no number", head + pattern + "1 1 1\n2 x 1\n", "line 6: 3 numbers are wanted, not '2 x 1'"),
    ("a cut map", head + pattern + "1 1 1\n2 1 1\n1 2 1\n", "no complete map"),
    ("a crooked map", head + pattern + "1 1 1\n2 1 1\n1 2 1\n3 2 1\n", "no complete map"),
    ("a line without a name", head + "# particle\n", "line 3: '# name: value' is wanted"),
    ("no note", "# example: gisaxs\n" + pattern + "1 1 1\n2 1 1\n1 2 1\n2 2 1\n", "there is no line '# particle: ...'"),
    ("half a quantity", "# example: helium\n# energy per atom: warm\n", "a number is wanted, not 'warm'"),
):
    tests.append((name, lambda t=text, w=why: refused(t, w)))

wrong = 0
for name, test in tests:
    try:
        test()
        print("ok", name)
    except Exception:
        wrong += 1
        print(f"FAILED {name}\n{traceback.format_exc()}")
print(f"{len(tests) - wrong} passed, {wrong} failed, 0 skipped")
sys.exit(wrong > 0)
