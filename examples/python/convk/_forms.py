"""X-ray form factors of triangulated shapes."""

from __future__ import annotations

import os
from typing import Any, Literal, NamedTuple, Sequence, Tuple

import numpy as np

from ._core import (
    NULL,
    REAL,
    TYPES,
    Handle,
    address,
    choice,
    contiguous,
    expect,
    ffi,
    from_c,
    grid3,
    kind_of,
    lib,
    of_c,
    plain,
    read_file,
    result,
    unmasked,
    vector,
)
from ._shapes import ReadyMeshes, three_axes

Form = Literal["auto", "closed", "open", "exact"]
SeriesOrder = Literal[0, 2, 4, 8, 12, 16]
FORMS = {
    "auto": lib.CONVK_FORM_AUTO,
    "closed": lib.CONVK_FORM_CLOSED,
    "open": lib.CONVK_FORM_OPEN,
    "exact": lib.CONVK_FORM_EXACT,
}
COMPLEX_OF = {"f32": "c32", "f64": "c64"}

#: A particle of an assembly: a point v of mesh number `mesh` lies at scale * rotation @ v + position; scale 0 means 1, a
#: rotation of zeros none.  Begin with np.zeros(n, convk.placement); where all weights are 0 they are left out, and each is 1.
placement = np.dtype(
    [("mesh", np.uintp), ("position", float, 3), ("rotation", float, (3, 3)), ("scale", float), ("weight", complex)]
)
assert placement.itemsize == ffi.sizeof("convk_placement")


class MeshMeasures(NamedTuple):
    """What a mesh is; gap: the sum of vector areas, 0 where the mesh is closed; edge: the longest.  No faces are not closed."""

    area: float
    volume: float
    gap: Tuple[float, float, float]
    least: Tuple[float, float, float]
    most: Tuple[float, float, float]
    edge: float
    closed: bool


class MeshReport(NamedTuple):
    """What is found of edges and faces: edges at the border, turned (of faces inside out), crowded (of more than two faces);
    faces without area; vertices of no face."""

    edges: int
    border: int
    turned: int
    crowded: int
    degenerate: int
    unused: int
    area: float
    volume: float
    closed: bool
    manifold: bool


class Mesh(ReadyMeshes):
    """Triangles with shared vertices.  A mesh has memory of its own.  Mesh.box(...), Mesh.sphere(...) and others make ready ones,
    Mesh.from_file(path) reads one.

    Parameters
    ----------
    vertices : numbers (nv, 3)
    faces : integers (n, 3): three vertices of each face, anticlockwise as seen from outside
    dtype : float32 or float64, of the calls that take the mesh; None: that of vertices, or float64

    Attributes: vertices (3, nv) and faces (n, 3) as the calls use them, dtype.
    """

    vertices: np.ndarray
    faces: np.ndarray
    dtype: np.dtype[Any]

    def __init__(self, vertices: np.ndarray, faces: np.ndarray, dtype: Any = None) -> None:
        vertices, faces = np.asarray(unmasked(vertices, "vertices")), np.asarray(unmasked(faces, "faces"))
        if dtype is None:
            dtype = vertices.dtype if TYPES.get(vertices.dtype) in REAL else np.float64
        for array, name in ((vertices, "vertices"), (faces, "faces")):
            if array.ndim != 2 or array.shape[1] != 3:
                raise ValueError(f"{name} has the shape {array.shape}, not (n, 3)")
        if faces.size and not (faces.dtype.kind in "iu" and 0 <= faces.min() and faces.max() < len(vertices)):
            raise ValueError(f"faces are integers from 0 to {len(vertices) - 1}, the numbers of vertices")
        self._set(np.array(vertices.T, dtype, order="C"), np.array(faces, np.uint32, order="C"))

    @classmethod
    def from_triangles(cls, corners: np.ndarray, dtype: Any = None) -> Mesh:
        """Joins triangles, (n, 3, 3): corners with the same numbers are one vertex."""
        corners = np.asarray(unmasked(corners, "corners"))
        if dtype is None:
            dtype = corners.dtype if TYPES.get(corners.dtype) in REAL else np.float64
        if corners.ndim != 3 or corners.shape[1:] != (3, 3):
            raise ValueError(f"corners has the shape {corners.shape}, not (n, 3, 3)")
        corners = np.ascontiguousarray(corners, dtype)
        kind, n = kind_of(corners, "corners"), len(corners)
        vertices, faces = np.empty((3, max(1, 3 * n)), dtype), np.empty((n, 3), np.uint32)
        c = ffi.new(f"convk_indexed_mesh_{kind} *", (0, n, *map(address, vertices), address(faces, "uint32_t")))
        plain(f"mesh_join_{kind}", address(corners), c, NULL, 0)
        mesh = cls.__new__(cls)
        mesh._set(vertices[:, : c.vertices].copy(), faces)
        return mesh

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], dtype: Any = np.float64) -> Mesh:
        """Reads STL, OFF, PLY or OBJ, as text or binary, whatever the file's name; faces of more corners are cut into
        triangles, which is right where they are flat and convex.  What is not understood is a ValueError that names the file
        and the line."""
        m, stl = ffi.new("mesh_file *"), ffi.new("stl_file *")
        try:
            read_file(lambda path, *message: lib.convk_py_mesh_read(m, stl, path, *message), path)
            if stl.n:
                return cls.from_triangles(of_c(stl.corners, 9 * stl.n, float).reshape(-1, 3, 3), dtype)
            vertices = np.stack([of_c(axis, m.vertices, float) for axis in (m.x, m.y, m.z)], axis=1)
            return cls(vertices, of_c(m.face, 3 * m.faces, np.uint32).reshape(-1, 3), dtype)
        finally:
            lib.mesh_file_free(m)
            lib.stl_free(stl)

    def __reduce__(self):
        return type(self), (self.vertices.T, self.faces, self.dtype)

    def _set(self, vertices, faces):
        self.vertices, self.faces, self.dtype = vertices, faces, vertices.dtype
        self._kind = kind_of(vertices, "vertices")
        self._indexed = ffi.new(
            f"convk_indexed_mesh_{self._kind} *",
            (vertices.shape[1], len(faces), *map(address, vertices), address(faces, "uint32_t")),
        )
        self._c = ffi.new(f"convk_mesh_{self._kind} *", {"n": len(faces), "indexed": self._indexed})

    def __len__(self) -> int:
        return len(self.faces)

    def _measures(self):
        c = ffi.new("convk_mesh_measures *")
        plain(f"mesh_measure_{self._kind}", self._c, c)
        return c

    def measure(self) -> MeshMeasures:
        """Area, volume, extent, and whether the mesh is closed: MeshMeasures."""
        measures = from_c(MeshMeasures, self._measures())
        return measures if len(self) else measures._replace(closed=False)

    def check(self) -> MeshReport:
        """Looks at every edge and face: MeshReport."""
        c = ffi.new("convk_mesh_report *")
        plain(f"mesh_check_{self._kind}", self._indexed, c, NULL, 0)
        report = from_c(MeshReport, c)
        return report if len(self) else report._replace(closed=False)

    def rotate(self, rotation: np.ndarray) -> Mesh:
        """A new mesh whose vertices are rotation @ v."""
        return Mesh((np.asarray(rotation, float) @ self.vertices).T, self.faces, self.dtype)

    def error(self, q: float, order: SeriesOrder = 0) -> float:
        """A bound for what `order` (0, 2, 4, 8, 12, 16) leaves out of F at |q|, relative to F(0); of an open mesh to edge^3."""
        bound = ffi.new("double *")
        plain("formfactor_error", self._measures(), q, order, bound)
        return bound[0]


class Assembly:
    """Particles: meshes, and an array of `placement` that says where copies of them are.  Neither is copied."""

    def __reduce__(self):
        return type(self), (self.meshes, self.placements)

    def __init__(self, meshes: Sequence[Mesh], placements: np.ndarray) -> None:
        self.meshes, self.placements = list(meshes), placements
        kinds = {mesh._kind for mesh in self.meshes}
        if len(kinds) != 1:
            raise TypeError("an assembly wants meshes of one dtype, and one mesh at least")
        if not isinstance(placements, np.ndarray) or placements.dtype != placement or placements.ndim != 1:
            raise TypeError("placements is not an array of convk.placement of one axis")
        contiguous(placements, "placements")
        self._kind = kinds.pop()
        self._meshes = ffi.new(f"convk_mesh_{self._kind}[]", [mesh._c[0] for mesh in self.meshes])
        self._c = ffi.new(
            f"convk_assembly_{self._kind} *",
            (len(self.meshes), len(placements), self._meshes, address(placements, "convk_placement")),
        )


def _options(form, order):
    return ffi.new("convk_formfactor_options *", (choice(form, "form", FORMS), order))


def _list(kind, n, q, imag=(NULL, NULL, NULL)):
    """Vectors of q: pointers to their components, and to the imaginary parts of x, y and z."""
    return ffi.new(f"convk_q_{kind} *", (n, *q, *imag))


def _count(kind, qx):
    return len(expect(qx, "qx", kind, ndim=1))


class FormFactors(Handle):
    """The calls on meshes.  q is given as contiguous arrays of one axis, of the mesh's dtype, in the inverse of its unit."""

    def formfactor(
        self,
        mesh: Mesh,
        qx: np.ndarray,
        qy: np.ndarray,
        qz: np.ndarray,
        *,
        qx_imag: np.ndarray | None = None,
        qy_imag: np.ndarray | None = None,
        qz_imag: np.ndarray | None = None,
        form: Form = "auto",
        order: SeriesOrder = 0,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """F(q) = integral over the body of exp(i q.r), for a list of q.

        Parameters
        ----------
        mesh : Mesh
        qx, qy, qz : arrays (nq,) of mesh.dtype
        qx_imag, qy_imag, qz_imag : imaginary parts
        form : "auto" (to 1e-3 of F(0)), "exact" (every triangle, to rounding), "closed" and "open" (centroids)
        order : 2, 4, 8, 12, 16 of a series about each centroid, whose error falls faster with finer meshes; 0: as the form says
        out : complex array (nq,)
        """
        kind, nq = mesh._kind, _count(mesh._kind, qx)
        y, z, i_x, i_y, i_z = (
            vector(q, name, kind, nq)
            for q, name in ((qy, "qy"), (qz, "qz"), (qx_imag, "qx_imag"), (qy_imag, "qy_imag"), (qz_imag, "qz_imag"))
        )
        out = result(out, "out", COMPLEX_OF[kind], (nq,))
        q = _list(kind, nq, (vector(qx, "qx", kind), y, z), (i_x, i_y, i_z))
        return self._of_list("formfactor", mesh, (q,), (form, order), out, work=())

    def formfactor_grid(
        self,
        mesh: Mesh,
        qx: np.ndarray,
        qy: np.ndarray,
        qz: np.ndarray,
        *,
        qz_imag: np.ndarray | None = None,
        form: Form = "auto",
        order: SeriesOrder = 0,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """F on the tensor grid (qx[i], qy[j], qz[k] + i qz_imag[k]).

        Parameters
        ----------
        mesh, form, order : as formfactor, but that "auto" takes centroids
        qx, qy, qz : arrays (nx,), (ny,), (nz,) of mesh.dtype
        qz_imag : array (nz,) or None
        out : complex array (nz, ny, nx), x contiguous
        """
        kind = mesh._kind
        nx, ny, nz = (len(expect(q, name, kind, ndim=1)) for q, name in ((qx, "qx"), (qy, "qy"), (qz, "qz")))
        out = result(out, "out", COMPLEX_OF[kind], (nz, ny, nx))
        axes = (vector(q, name, kind) for q, name in ((qx, "qx"), (qy, "qy"), (qz, "qz")))
        self._call_in_tasks(
            "formfactor_grid",
            kind,
            mesh._c,
            grid3(out, "out"),
            _list(kind, 0, axes, (NULL, NULL, vector(qz_imag, "qz_imag", kind, nz))),
            _options(form, order),
            address(out),
            NULL,
            0,
        )
        return out

    def formfactor_assembly(
        self,
        assembly: Assembly,
        qx: np.ndarray,
        qy: np.ndarray,
        qz: np.ndarray,
        *,
        qz_imag: np.ndarray | None = None,
        form: Form = "auto",
        order: SeriesOrder = 0,
        out: np.ndarray | None = None,
        intensity: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Many particles: their coherent sum F(q), and the incoherent sum of |F_k(q)|^2.

        Parameters
        ----------
        assembly : Assembly
        qx, qy, qz, qz_imag, form, order : as formfactor
        out : complex array (nq,)
        intensity : array (nq,) of the meshes' dtype

        Returns
        -------
        (out, intensity)
        """
        kind, nq = assembly._kind, _count(assembly._kind, qx)
        out, intensity = result(out, "out", COMPLEX_OF[kind], (nq,)), result(intensity, "intensity", kind, (nq,))
        q = (vector(array, name, kind, nq) for array, name in ((qx, "qx"), (qy, "qy"), (qz, "qz")))
        vectors = (_list(kind, nq, q, (NULL, NULL, vector(qz_imag, "qz_imag", kind, nq))),)
        more = (address(contiguous(intensity, "intensity")),)
        self._of_list("formfactor_assembly", assembly, vectors, (form, order), out, more)
        return out, intensity

    def formfactor_powder(
        self,
        assembly: Assembly,
        q: np.ndarray,
        directions: np.ndarray,
        weights: np.ndarray | None = None,
        *,
        form: Form = "auto",
        order: SeriesOrder = 0,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """The average of |F|^2 over orientations: sum_j weights[j] |F(q directions[j])|^2.

        Parameters
        ----------
        assembly : Assembly
        q : array (nq,) of the meshes' dtype
        directions : array (n, 3) of unit vectors, or (3, n): of sphere_quadrature, which gives weights, too, or sphere_spiral
        weights : array (n,), whose sum is 1 (those of SciPy's lebedev_rule sum to 4 pi: divide them by it); None: all equal
        form, order : as formfactor
        out : array (nq,)
        """
        kind, nq = assembly._kind, _count(assembly._kind, q)
        axes = three_axes(directions, kind)
        n = len(axes[0])
        out = result(out, "out", kind, (nq,))
        around = ffi.new(f"convk_directions_{kind} *", (n, *map(address, axes), vector(weights, "weights", kind, n)))
        turned = nq, vector(q, "q", kind), around
        return self._of_list("formfactor_powder", assembly, turned, (form, order), out)

    def formfactor_dwba(
        self,
        assembly: Assembly,
        qx: np.ndarray,
        qy: np.ndarray,
        kz_in: np.ndarray,
        kz_out: np.ndarray,
        *,
        kz_in_imag: np.ndarray | None = None,
        kz_out_imag: np.ndarray | None = None,
        t_in: np.ndarray | None = None,
        t_out: np.ndarray | None = None,
        r_in: np.ndarray | None = None,
        r_out: np.ndarray | None = None,
        form: Form = "auto",
        order: SeriesOrder = 0,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Particles in a layer of a film, in the distorted-wave Born approximation with its four terms.

        Parameters
        ----------
        assembly : Assembly
        qx, qy : arrays (nq,) of the meshes' dtype
        kz_in, kz_out : arrays (nq,), z components of the wave vectors in the layer; kz_in < 0 goes down
        kz_in_imag, kz_out_imag : their imaginary parts, or None
        t_in, t_out, r_in, r_out : complex arrays (nq,), amplitudes of transmitted (None: 1) and reflected (None: 0) waves
        form, order : as formfactor
        out : complex array (nq,)
        """
        kind, nq = assembly._kind, _count(assembly._kind, qx)
        real = {"qx": qx, "qy": qy, "kz_in": kz_in, "kz_in_imag": kz_in_imag, "kz_out": kz_out, "kz_out_imag": kz_out_imag}
        waves = {name: vector(array, name, kind, nq) for name, array in real.items()}
        for name, array in {"t_in": t_in, "t_out": t_out, "r_in": r_in, "r_out": r_out}.items():
            waves[name] = vector(array, name, COMPLEX_OF[kind], nq)
        out = result(out, "out", COMPLEX_OF[kind], (nq,))
        film = (ffi.new(f"convk_dwba_{kind} *", {"n": nq, **waves}),)
        return self._of_list("formfactor_dwba", assembly, film, (form, order), out)

    def _of_list(self, name, of, q, options, out, more=(), work=(NULL, 0)):
        """A call of a mesh or an assembly for what is a list of q; more: further results."""
        results = address(contiguous(out, "out")), *more
        self._call_in_tasks(name, of._kind, of._c, *q, _options(*options), *results, *work)
        return out
