"""The X-ray form factor of an STL file beside a sum in NumPy, and of a polyhedron beside BornAgain.

    python formfactor_stl.py [FILE.stl] [--threads N] [--json FILE]

Checked with the formula of the sphere, BornAgain's box and SasModels' powder of boxes."""

import common  # first: it sets the number of threads
import numpy as np

import convk


def read_stl(path):
    """Corners (n, 3, 3) of a binary or ASCII file."""
    data = open(path, "rb").read()
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    if len(data) >= 84 and len(data) == 84 + record.itemsize * int.from_bytes(data[80:84], "little"):
        return np.frombuffer(data, record, offset=84)["corners"].astype(float)
    words = (line.split() for line in data.decode().splitlines())
    return np.array([line[1:] for line in words if line[:1] == ["vertex"]], float).reshape(-1, 3, 3)


def numpy_sum(corners, q):
    """F(q) = -i / q^2 sum of (q.a) (exp(i q.r) - 1) over triangles, a being their vector areas and r their centroids."""
    a = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2
    r = corners.mean(axis=1, dtype=corners.dtype)
    f = np.empty(q.shape[1], np.result_type(q, 1j))
    for i in range(0, len(f), 16):  # few at a time stay in the cache
        some = q[:, i:i + 16].T
        phase, weight = some @ r.T, some @ a.T
        f[i:i + 16] = np.einsum("qt,qt->q", weight, np.sin(phase)) + 1j * np.einsum("qt,qt->q", weight, 1 - np.cos(phase))
    return f / np.einsum("iq,iq->q", q, q)


def octahedron(edge):
    """On a corner at the origin: BornAgain's PlatonicOctahedron."""
    h = edge / np.sqrt(2)
    ring = np.array([(1, 1, 0), (-1, 1, 0), (-1, -1, 0), (1, -1, 0)]) * edge / 2 + (0, 0, h)
    sides = [(ring[k - 1], ring[k]) for k in range(4)]
    return np.array([(a, b, (0, 0, 2 * h)) for a, b in sides] + [(b, a, (0, 0, 0)) for a, b in sides])


def bornagain_list(bornagain, body, q):
    return np.array([body.formfactorAtBottom(bornagain.C3(*one)) for one in q.T.tolist()])


def sphere(radius, q):
    """Over its volume."""
    x = radius * np.sqrt((q**2).sum(axis=0))
    return 3 * (np.sin(x) - x * np.cos(x)) / x**3


def main():
    options = common.options(__doc__, ("file", {"nargs": "?", "default": common.DATA / "cylinder.stl", "help": "closed"}))
    table = common.Table(options)
    random = np.random.default_rng(1)
    with convk.open(options.hw, threads=options.threads) as hw:
        corners = read_stl(options.file)
        n = 64 if options.quick else 1024
        for kind, limit in (("f64", 1e-13), ("f32", 1e-5)):
            triangles = corners.astype("f8" if kind == "f64" else "f4")
            mesh = convk.Mesh.from_triangles(triangles)
            q = (random.standard_normal((3, n)) * 0.5).astype(mesh.dtype)
            size = f"{len(corners)} triangles, {n} q"
            table.compare("formfactor", kind, size, "NumPy", lambda: hw.formfactor(mesh, *q, form="closed"),
                          lambda: numpy_sum(triangles, q), len(corners) * n / 1e9, "pairs/ns", limit,
                          kind == "f32" and f"a sum over {len(corners)} triangles in NumPy, f32")
        q = random.standard_normal((3, n))
        ball = convk.Mesh.from_triangles(read_stl(common.DATA / "sphere.stl"))
        f = hw.formfactor(ball, *q, form="exact") / ball.measure().volume  # which is a little less than that of the sphere
        table.check("sphere.stl", "formula of the sphere", np.max(np.abs(f - sphere(10, q))), 1e-3)
        box = convk.Mesh.from_triangles(read_stl(common.DATA / "box.stl"))
        bornagain = common.installed(table, "octahedron, box.stl", "bornagain")
        if bornagain:
            mesh, body = convk.Mesh.from_triangles(octahedron(8)), bornagain.PlatonicOctahedron(8)
            table.compare("formfactor", "f64", f"octahedron, exact, {n} q", "BornAgain",
                          lambda: hw.formfactor(mesh, *q, form="exact"), lambda: bornagain_list(bornagain, body, q), n / 1e6,
                          "M q/s", 1e-12, "BornAgain's octahedron, a call for each q, f64")
            table.check("box.stl, exact", "BornAgain Box", common.difference(
                hw.formfactor(box, *q, form="exact"), bornagain_list(bornagain, bornagain.Box(12, 18, 24), q)), 1e-10)
        if common.installed(table, "powder of box.stl", "sasmodels"):
            q = np.linspace(0.01, 0.5, 16)
            one = convk.Assembly([box], np.zeros(1, convk.placement))
            powder = hw.formfactor_powder(one, q, *convk.sphere_quadrature(40, half=True), form="exact")  # q d is 16
            volume = box.measure().volume
            theirs = common.sasmodels_kernel("parallelepiped", q)(length_a=12, length_b=18, length_c=24, sld=1, sld_solvent=0)
            table.check("powder of box.stl", "SasModels parallelepiped",
                        common.difference(powder / volume * 1e-4, theirs), 1e-10)
    table.end()


if __name__ == "__main__":
    main()
