"""The form factors of BornAgain's polyhedra, from their corners alone, beside BornAgain's own.

    python bornagain_shapes.py [--threads N] [--json FILE]

q is complex along z, as in a film that absorbs. For bodies of your own replace the corners: any convex ones will do."""

import common  # first: it sets the number of threads
import numpy as np
from scipy.spatial import ConvexHull

import convk


def convex(corners):
    """The mesh around these points, its faces outward."""
    corners = np.asarray(corners, float)
    faces, middle = ConvexHull(corners).simplices.copy(), corners.mean(axis=0)
    a, b, c = (corners[faces[:, i]] for i in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), a - middle) < 0
    faces[inward] = faces[inward][:, ::-1]
    return convk.Mesh(corners, faces)


def ring(n, edge):
    """Corners of a regular polygon, the first one along x."""
    phi = 2 * np.pi * np.arange(n) / n
    return edge / (2 * np.sin(np.pi / n)) * np.stack([np.cos(phi), np.sin(phi)], axis=1)


def frustum(base, height, top=1.0):
    """From z = 0 to the height, where the base is `top` times as large."""
    return [(*xy, 0) for xy in base] + [(*xy, height) for xy in np.asarray(base) * top]


def rectangle(a, b):
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (a / 2, b / 2)


def shrunk(inner, height, alpha):
    """How large a frustum's top is, whose base has an inscribed circle with this radius."""
    return 1 - height / np.tan(alpha) / inner


def cut_cube(edge, removed, whole):
    """The cube on z = 0 without its corners; whole: and without its edges."""
    h, k = edge / 2, edge / 2 - removed
    one = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    parts = [(h, k, k), (k, h, k), (k, k, h)] if whole else [(h, h, k), (h, k, h), (k, h, h)]
    return np.concatenate([one * part for part in parts]) + (0, 0, h)


def on_a_face(kind, edge):
    """One of the regular bodies, on z = 0 with its middle on the z axis; an edge of the lowest face runs along y."""
    mesh = convk.Mesh.polyhedron(kind, edge)
    a, b, c = (mesh.vertices.T[mesh.faces[0, i]] for i in range(3))
    up = np.cross(c - a, b - a)  # into the body
    axes = np.stack([np.cross(b - a, up), b - a, up])
    points = mesh.vertices.T @ (axes / np.linalg.norm(axes, axis=1)[:, None]).T
    return points - (0, 0, points[:, 2].min())


def shapes(ba):
    """(name, BornAgain's body, corners), lengths in nm."""
    steep, slope = np.radians(65), np.radians(54.7356)
    yield "Box", ba.Box(9, 7, 5), frustum(rectangle(9, 7), 5)
    yield "Prism3", ba.Prism3(8, 5), frustum(ring(3, 8), 5)
    yield "Prism6", ba.Prism6(4, 5), frustum(ring(6, 4), 5)
    x, y = (1 - 2 * 4 / np.tan(steep) / side for side in (9, 7))
    yield "Pyramid2", ba.Pyramid2(9, 7, 4, steep), (
        [(*xy, 0) for xy in rectangle(9, 7)] + [(*xy, 4) for xy in rectangle(9 * x, 7 * y)])
    yield "Pyramid3", ba.Pyramid3(9, 3, steep), frustum(ring(3, 9), 3, shrunk(9 / 12**0.5, 3, steep))
    yield "Pyramid4", ba.Pyramid4(9, 4, slope), frustum(rectangle(9, 9), 4, shrunk(4.5, 4, slope))
    yield "Pyramid6", ba.Pyramid6(5, 4, steep), frustum(ring(6, 5), 4, shrunk(5 * 0.75**0.5, 4, steep))
    low, high = (shrunk(4, h, steep) for h in (3.0, 2.1))
    yield "Bipyramid4", ba.Bipyramid4(8, 3, 0.7, steep), (
        frustum(rectangle(8 * low, 8 * low), 3, 1 / low) + [(*xy, 5.1) for xy in rectangle(8 * high, 8 * high)])
    yield "TruncatedCube", ba.TruncatedCube(8, 1.5), cut_cube(8, 1.5, False)
    yield "CantellatedCube", ba.CantellatedCube(8, 1.5), cut_cube(8, 1.5, True)
    h = 8 / 2**0.5
    yield "PlatonicOctahedron", ba.PlatonicOctahedron(8), [(*xy, h) for xy in rectangle(8, 8)] + [(0, 0, 0), (0, 0, 2 * h)]
    yield "PlatonicTetrahedron", ba.PlatonicTetrahedron(8), on_a_face("tetrahedron", 8)
    yield "Dodecahedron", ba.Dodecahedron(4), on_a_face("dodecahedron", 4)
    yield "Icosahedron", ba.Icosahedron(5), on_a_face("icosahedron", 5)


def theirs(ba, body, q):
    return np.array([body.formfactorAtBottom(ba.C3(*one)) for one in q.T.tolist()])


def main():
    options = common.options(__doc__)
    table = common.Table(options)
    n = 64 if options.quick else 1024
    q = np.random.default_rng(2).standard_normal((3, n)).astype(complex)
    q[2] += 0.1j * np.linspace(0, 1, n)
    parts = [*np.ascontiguousarray(q.real), np.ascontiguousarray(q[2].imag)]
    with convk.open(options.hw, threads=options.threads) as hw:
        ba = common.installed(table, "polyhedra", "bornagain")
        for name, body, corners in shapes(ba) if ba else ():
            mesh = convex(corners)
            table.compare("formfactor", "f64", f"{name}, exact, {n} q", "BornAgain",
                          lambda m=mesh: hw.formfactor(m, *parts[:3], qz_imag=parts[3], form="exact"),
                          lambda b=body: theirs(ba, b, q), n / 1e6, "M q/s", 1e-11)
    table.end()


if __name__ == "__main__":
    main()
