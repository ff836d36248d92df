"""Ready meshes, and directions over the sphere."""

from __future__ import annotations

from typing import Any, Type, TypeVar

import numpy as np

from ._core import address, choice, expect, ffi, kind_of, lib, plain, size_of

POLYHEDRA = {
    "tetrahedron": lib.CONVK_MESH_TETRAHEDRON,
    "cube": lib.CONVK_MESH_CUBE,
    "octahedron": lib.CONVK_MESH_OCTAHEDRON,
    "dodecahedron": lib.CONVK_MESH_DODECAHEDRON,
    "icosahedron": lib.CONVK_MESH_ICOSAHEDRON,
}

Ready = TypeVar("Ready", bound="ReadyMeshes")


class ReadyMeshes:
    """Closed surfaces, outward, about the origin; prisms, pyramids and cylinders along z.  Flat faces have as few triangles as
    they can.  dtype: float32 or float64."""

    def _set(self, vertices, faces):
        raise NotImplementedError

    @classmethod
    def _ready(cls: Type[Ready], dtype: Any, name: str, *arguments: Any) -> Ready:
        kind = kind_of(np.empty(0, dtype), "dtype")
        call = f"mesh_{name}_{kind}"
        c = ffi.new(f"convk_indexed_mesh_{kind} *")
        plain(call, *arguments, c)  # how large it is
        vertices, faces = np.empty((3, c.vertices), dtype), np.empty((c.faces, 3), np.uint32)
        c.x, c.y, c.z = map(address, vertices)
        c.face = address(faces, "uint32_t")
        plain(call, *arguments, c)
        mesh = cls.__new__(cls)
        mesh._set(vertices, faces)
        return mesh

    @classmethod
    def box(cls: Type[Ready], a: float, b: float, c: float, dtype: Any = np.float64) -> Ready:
        """With sides a, b and c along x, y and z."""
        return cls._ready(dtype, "box", a, b, c)

    @classmethod
    def pyramid(cls: Type[Ready], a: float, b: float, height: float, top: float = 0, dtype: Any = np.float64) -> Ready:
        """On a rectangle with sides a and b along x and y, cut off where it is `top` times as large as its base."""
        return cls._ready(dtype, "pyramid", a, b, height, top)

    @classmethod
    def prism(cls: Type[Ready], n: int, edge: float, height: float, dtype: Any = np.float64) -> Ready:
        """On a regular polygon of n edges."""
        return cls._ready(dtype, "prism", n, edge, height)

    @classmethod
    def cylinder(
        cls: Type[Ready], radius: float, height: float, n: int = 60, *, top: float | None = None, dtype: Any = np.float64
    ) -> Ready:
        """With polygons of n corners on its circles, so that of the volume (2 pi / n)**2 / 6 is missing; top: another radius
        there, 0 makes a cone."""
        return cls._ready(dtype, "cylinder", radius, height, radius if top is None else top, n)

    @classmethod
    def sphere(cls: Type[Ready], radius: float, n: int = 16, dtype: Any = np.float64) -> Ready:
        """An icosahedron whose edges are cut into n parts: 20 n**2 triangles with edges up to 1.31 radius / n, and 0.55 / n**2 of
        the volume is missing."""
        return cls._ready(dtype, "sphere", radius, n)

    @classmethod
    def ellipsoid(cls: Type[Ready], rx: float, ry: float, rz: float, n: int = 16, dtype: Any = np.float64) -> Ready:
        """A sphere stretched to these half axes along x, y and z."""
        return cls._ready(dtype, "ellipsoid", rx, ry, rz, n)

    @classmethod
    def polyhedron(cls: Type[Ready], kind: str, edge: float, cut: float = 0, dtype: Any = np.float64) -> Ready:
        """A regular "tetrahedron", "cube", "octahedron", "dodecahedron" or "icosahedron".

        Parameters
        ----------
        kind : its name
        edge : its length before corners are cut off
        cut : what is cut off of either end of each edge, up to edge / 2: of an octahedron edge / 3 leaves the truncated
            octahedron with equal edges, edge / 2 a cuboctahedron
        """
        return cls._ready(dtype, "polyhedron", choice(kind, "kind", POLYHEDRA), edge, cut)


def sphere_quadrature(degree: int, half: bool = False, dtype: Any = np.float64) -> tuple[np.ndarray, np.ndarray]:
    """Directions and weights whose sum is the mean over the sphere, exactly for spherical harmonics up to `degree`.

    The weights sum to 1; those of other rules may not: of scipy.integrate.lebedev_rule they sum to 4 pi, and its directions
    have the shape (3, n), which the calls take, too.

    Parameters
    ----------
    degree : for formfactor_powder of particles that measure d from end to end q d + 10 leaves 1e-5, q d + 20 hardly anything
    half : only directions with z >= 0, for functions that are the same at -n, as intensities of particles with real weights

    Returns
    -------
    (directions (n, 3), weights (n,)), as formfactor_powder takes them
    """
    n = size_of("sphere_directions", degree, half)
    directions, weights = np.empty((3, n), dtype), np.empty(n, dtype)
    kind = kind_of(weights, "dtype")
    to = ffi.new(f"convk_directions_{kind} *", (n, *map(address, directions), address(weights)))
    plain(f"sphere_quadrature_{kind}", degree, half, to)
    return directions.T, weights


def sphere_spiral(n: int, half: bool = False, dtype: Any = np.float64) -> np.ndarray:
    """n directions (n, 3) evenly over the sphere, of equal weight; half: over z >= 0."""
    directions = np.empty((3, n), dtype)
    kind = kind_of(directions, "dtype")
    plain(f"sphere_spiral_{kind}", half, ffi.new(f"convk_directions_{kind} *", (n, *map(address, directions))))
    return directions.T


def three_axes(directions, kind):
    """Directions (n, 3) as three arrays that C takes, copied where they are not contiguous; also (3, n)."""
    expect(directions, "directions", kind, ndim=2)
    if directions.shape[1] != 3 and directions.shape[0] == 3:
        directions = directions.T
    if directions.shape[1] != 3:
        raise ValueError(f"directions has the shape {directions.shape}, not (n, 3)")
    return [np.ascontiguousarray(axis) for axis in directions.T]
