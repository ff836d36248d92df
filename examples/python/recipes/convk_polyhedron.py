"""A plug-in model for SasView and sasmodels: I(q) of any polyhedron, averaged over orientations, exactly and fast.

Put this file into ~/.sasview/plugin_models, one copy under its own name for each body, and change `body` in it. SasView lists
it among the plug-in models; in Python: sasmodels.core.load_model("PATH/convk_polyhedron.py").

Lengths are in Angstrom, q in 1/Angstrom, scattering length densities in 1e-6/Angstrom^2, and I(q) = scale (sld - sld_solvent)^2
V <|F|^2> / V^2 + background in 1/cm, with F(0) = V, as of sasmodels' own shapes: scale is then the volume fraction."""

import os
from functools import lru_cache

import numpy as np

import convk

HW = os.environ.get("CONVK_HW")  # scalar, sse2, avx, avx2, avx512; the best of this machine
THREADS = int(os.environ.get("CONVK_THREADS", 1))
BEYOND = 5  # degrees of the quadrature beyond q d, d from end to end: 0 leaves errors of 1e-3, 5 of 1e-5, 10 of 1e-7


def body():
    """A closed surface, in units of the parameter `size`: an octahedron of edge 1. Or
    from_faces([(0, 0, 0), ...], [(0, 2, 1), ...])    corners; and faces, anticlockwise as seen from outside
    from_file("particle.stl")                         STL, OFF, PLY or OBJ
    convk.Mesh.prism(5, 1, 3)                         and others that convk.Mesh has"""
    return convk.Mesh.polyhedron("octahedron", 1)


name = os.path.splitext(os.path.basename(__file__))[0]
title = "Polyhedron by exact form factors"
description = "Any polyhedron, averaged over orientations by a quadrature as fine as q wants it."
category = "shape:polyhedron"
parameters = [
    ["sld", "1e-6/Ang^2", 4, [-np.inf, np.inf], "sld", "Scattering length density of the polyhedron"],
    ["sld_solvent", "1e-6/Ang^2", 1, [-np.inf, np.inf], "sld", "Scattering length density of the solvent"],
    ["size", "Ang", 100, [0, np.inf], "volume", "What is 1 in the body's coordinates"],
    ["stretch_y", "", 1, [0, np.inf], "volume", "Factor of the body along y"],
    ["stretch_z", "", 1, [0, np.inf], "volume", "Factor of the body along z"],
]


def form_volume(size, stretch_y, stretch_z):
    return size**3 * shaped(float(stretch_y), float(stretch_z)).volume


def Iq(q, sld, sld_solvent, size, stretch_y, stretch_z):
    """<F^2> in 1e-4 times the square of sld's unit, which sasmodels divides by the volume: 1e-12 / Angstrom is 1e-4 / cm."""
    powder = shaped(float(stretch_y), float(stretch_z)).powder(np.atleast_1d(q) * float(size))
    return 1e-4 * float(sld - sld_solvent) ** 2 * float(size) ** 6 * powder


Iq.vectorized = True

tests = [[{"scale": 1, "background": 0}, 1e-6, 100**3 * 2**0.5 / 3 * 9e-4]]


# ---- the body ----


def from_faces(corners, faces):
    """Flat, convex faces of three corners or more."""
    return convk.Mesh(np.array(corners, float), [(f[0], f[i - 1], f[i]) for f in faces for i in range(2, len(f))])


def from_file(path):
    """An error names the file, the line and what is wanted there."""
    return convk.Mesh.from_file(os.path.expanduser(path))


@lru_cache(1)
def hardware():
    return convk.open(HW, threads=THREADS)


@lru_cache(64)
def shaped(stretch_y, stretch_z):
    return Shaped(body(), np.array([1, stretch_y, stretch_z]))


class Shaped:
    """A body with its volume, and a quadrature over as little of the sphere as its symmetry leaves."""

    def __init__(self, mesh, stretch):
        points = mesh.vertices.T * stretch
        points = points - (points.min(axis=0) + points.max(axis=0)) / 2
        self.mesh = convk.Mesh(points, mesh.faces, np.float64)
        measures = self.mesh.measure()
        if not measures.closed:
            raise ValueError(f"{name}: the surface has holes, or faces that are inside out")
        self.volume = abs(measures.volume)
        self.extent = 2 * np.sqrt((points**2).sum(axis=1).max())
        self.one = convk.Assembly([self.mesh], np.zeros(1, convk.placement))
        self.rules = {}
        self.axes, self.fold, self.mirror = self.symmetry()

    def intensity(self, q):
        return np.abs(hardware().formfactor(self.mesh, *np.ascontiguousarray(q.T), form="exact")) ** 2

    def symmetry(self):
        """An axis of the highest order, as the last row of a rotation, whose first row lies in a mirror plane, if there is one.
        Tried are axes and planes through corners, middles of edges and faces; |F|^2 at some q before and after decides, so that
        a body that becomes its own inverse counts, too."""
        corners, faces = self.mesh.vertices.T, self.mesh.faces
        ways = np.eye(3)
        if len(faces) <= 200:
            of = corners[faces]
            normals = np.cross(of[:, 1] - of[:, 0], of[:, 2] - of[:, 0])
            ways = np.concatenate([ways, corners, *(of[:, i] + of[:, i - 1] for i in range(3)), normals])
        length = np.linalg.norm(ways, axis=1)
        ways = ways[length > 1e-6 * length.max()] / length[length > 1e-6 * length.max(), None]
        ways *= np.sign(ways[np.arange(len(ways)), np.argmax(np.abs(ways) > 1e-6, axis=1)])[:, None]
        ways = np.unique(ways.round(9), axis=0)
        q = np.random.default_rng(1).standard_normal((6, 3)) * 60 / self.extent  # where a fold of 24 is felt
        wanted = self.intensity(q)

        def same(turns):  # which of these orthogonal matrices leave |F|^2 as it is
            turned = self.intensity(np.einsum("tij,qj->tqi", turns, q).reshape(-1, 3)).reshape(len(turns), -1)
            return np.abs(turned - wanted).max(axis=1) < 1e-7 * wanted.max()

        best = np.eye(3), 1, False
        folds = np.arange(2, 25)
        for axis in ways:
            rows = frame(axis, ways)
            good = folds[same(np.stack([rows.T @ about_z(2 * np.pi / n) @ rows for n in folds]))]
            fold = int(good.max()) if len(good) else 1
            if fold > best[1] or not best[2]:
                planes = [frame(axis, [way]) for way in ways]
                flips = same(np.stack([r.T @ np.diag([1, -1, 1]) @ r for r in planes]))
                found = rows if not flips.any() else planes[int(np.argmax(flips))], fold, bool(flips.any())
                if fold * (1 + found[2]) > best[1] * (1 + best[2]):
                    best = found
        return best

    def rule(self, degree):
        """Directions and weights: Gauss points along the axis, equal steps around it."""
        if degree not in self.rules:
            height, across = np.polynomial.legendre.leggauss(degree // 2 * 2 + 2)
            up = height > 0
            steps = -(-(degree + 1) // self.fold)  # of 2 pi / fold
            if self.mirror:
                phi = (np.arange((steps + 1) // 2) + 0.5) * 2 * np.pi / (self.fold * steps)
                around = np.full(len(phi), 2.0 / steps)
                if steps % 2:  # the last one lies in another plane
                    around[-1] /= 2
            else:
                phi = np.arange(steps) * 2 * np.pi / (self.fold * steps)
                around = np.full(steps, 1.0 / steps)
            z, phi = np.meshgrid(height[up], phi, indexing="ij")
            rho = np.sqrt(1 - z**2)
            directions = np.stack([rho * np.cos(phi), rho * np.sin(phi), z], axis=-1).reshape(-1, 3) @ self.axes
            self.rules[degree] = np.asfortranarray(directions), np.outer(across[up], around).ravel()
        return self.rules[degree]

    def powder(self, q):
        """<|F|^2>: as many directions as each q wants, in steps of degrees."""
        degree = np.maximum(q * self.extent, 1) + BEYOND
        step = np.ceil(np.log(degree) / np.log(1.25))
        out = np.empty(len(q))
        for s in np.unique(step):
            some = step == s
            rule = self.rule(int(np.ceil(1.25**s)))
            out[some] = hardware().formfactor_powder(self.one, q[some], *rule, form="exact")
        return out


def frame(axis, ways):
    """A rotation whose last row is the axis, and whose first one lies in a plane with one of `ways`."""
    for way in [*ways, *np.eye(3)]:
        across = way - (way @ axis) * axis
        if np.linalg.norm(across) > 1e-6:
            break
    across /= np.linalg.norm(across)
    return np.stack([across, np.cross(axis, across), axis])


def about_z(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([(c, -s, 0), (s, c, 0), (0, 0, 1)])
