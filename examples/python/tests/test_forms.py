import copy
import pickle

import numpy as np
import pytest
from conftest import eps, padded

import convk

# a brick of edges 1, 2, 3 about the origin, as vertices and faces
CORNERS = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-1, 1) for z in (-1.5, 1.5)])
FACES = [
    [0, 1, 3],
    [0, 3, 2],
    [4, 6, 7],
    [4, 7, 5],
    [0, 4, 5],
    [0, 5, 1],
    [2, 3, 7],
    [2, 7, 6],
    [0, 2, 6],
    [0, 6, 4],
    [1, 5, 7],
    [1, 7, 3],
]


def brick(qx, qy, qz):
    return 6 * np.sinc(qx / (2 * np.pi)) * np.sinc(qy / np.pi) * np.sinc(3 * qz / (2 * np.pi))


def complex_brick(qx, qy, qz):
    def factor(q, half):
        return 2 * half * np.sin(q * half) / (q * half)

    return factor(qx, 0.5) * factor(qy, 1) * factor(qz, 1.5)


@pytest.fixture
def q(rng, real):
    return rng.uniform(-6, 6, (3, 200)).astype(real)


@pytest.fixture
def mesh(real):
    return convk.Mesh(CORNERS, FACES, real)


def test_mesh(mesh, real):
    assert len(mesh) == 12 and mesh.dtype == real and mesh.vertices.shape == (3, 8)
    found = mesh.measure()
    assert (
        found.volume == pytest.approx(6)
        and found.area == pytest.approx(22)
        and found.closed
        and found.edge == pytest.approx(13**0.5)
    )
    report = mesh.check()
    assert (report.edges, report.border, report.closed, report.manifold) == (18, 0, True, True)
    again = convk.Mesh.from_triangles(CORNERS[FACES], real)
    assert again.vertices.shape == (3, 8) and again.check() == report
    assert convk.Mesh(CORNERS, FACES[1:], real).check().border == 3
    assert mesh.error(0.1) > mesh.error(0.1, 4) > 0
    with pytest.raises(convk.Error, match="order is 3"):
        mesh.error(0.1, 3)
    with pytest.raises(ValueError, match="from 0 to 7"):
        convk.Mesh(CORNERS, [[0, 1, 8]])
    with pytest.raises(ValueError, match="vertices has the shape"):
        convk.Mesh(CORNERS.T, FACES)


def test_list(hw, mesh, q, real):
    got = hw.formfactor(mesh, *q, form="exact")
    assert got.dtype == np.result_type(real, np.complex64) and np.abs(got - brick(*q.astype(float))).max() < 6 * 30 * eps(real)
    assert np.abs(hw.formfactor(mesh, *q) - got).max() < 6e-3
    out = np.empty_like(got)
    assert hw.formfactor(mesh, *q, form="exact", out=out) is out and np.array_equal(out, got)
    small = (q / 100).astype(real)
    assert np.abs(hw.formfactor(mesh, *small, order=16) - brick(*small.astype(float))).max() < 6 * 30 * eps(real)


def test_complex_q(hw, mesh, q, rng, real):
    imag = rng.uniform(0, 0.5, q.shape).astype(real)
    got = hw.formfactor(mesh, *q, qx_imag=imag[0], qy_imag=imag[1], qz_imag=imag[2], form="exact")
    assert np.abs(got - complex_brick(*(q.astype(float) + 1j * imag))).max() < 50 * 30 * eps(real)


def test_grid(hw, mesh, q, real):
    qx, qy, qz = q[0, :11].copy(), q[1, :7].copy(), q[2, :5].copy()
    z, y, x = np.meshgrid(qz, qy, qx, indexing="ij")
    out = padded(np.zeros((5, 7, 11), np.result_type(real, np.complex64)))
    assert hw.formfactor_grid(mesh, qx, qy, qz, form="exact", out=out) is out
    assert np.abs(out - brick(*(a.astype(float) for a in (x, y, z)))).max() < 6 * 30 * eps(real)
    assert np.isnan(out.base[:, :, -1]).all()
    small = [(a / 100).astype(real) for a in (qx, qy, qz)]
    want = brick(*(a.astype(float) / 100 for a in (x, y, z)))
    assert np.abs(hw.formfactor_grid(mesh, *small, order=2) - want).max() < 1e-4
    imag = np.full(5, 0.2, real)
    assert np.abs(
        hw.formfactor_grid(mesh, qx, qy, qz, qz_imag=imag, form="exact") - complex_brick(x.astype(float), y, z + 0.2j)
    ).max() < 20 * 30 * eps(real)


def test_assembly(hw, mesh, q, real):
    at = np.zeros(3, convk.placement)
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    at["weight"] = 1, 2, 0.5j
    at["position"][1] = 3, -1, 2
    at["rotation"][1] = turn
    at["scale"][2] = 0.5
    x, y, z = q.astype(float)
    each = [brick(x, y, z), 2 * brick(*(turn.T @ q)) * np.exp(1j * (3 * x - y + 2 * z)), 0.5j * brick(x / 2, y / 2, z / 2) / 8]
    got, intensity = hw.formfactor_assembly(convk.Assembly([mesh], at), *q, form="exact")
    assert np.abs(got - sum(each)).max() < 20 * 30 * eps(real)
    assert np.abs(intensity - sum(abs(f) ** 2 for f in each)).max() < 400 * 30 * eps(real)
    assert hw.formfactor(mesh.rotate(turn), *q, form="exact") == pytest.approx(brick(*(turn.T @ q)), abs=6 * 30 * eps(real))


def test_powder(hw, mesh, rng, real):
    at = np.zeros(1, convk.placement)
    at["weight"] = 1
    n = rng.standard_normal((3, 50))
    n = (n / np.sqrt((n**2).sum(0))).astype(real)
    weights, q = np.full(50, 0.02, real), np.linspace(0, 3, 20).astype(real)
    want = (weights * abs(brick(*(n[:, None].astype(float) * q[:, None]))) ** 2).sum(1)
    got = hw.formfactor_powder(convk.Assembly([mesh], at), q, n, weights, form="exact")
    assert np.abs(got - want).max() < 40 * 30 * eps(real)


def test_ready_meshes(hw, q, real):
    g = (1 + 5**0.5) / 2
    ready = {
        "box": (convk.Mesh.box(1, 2, 3, dtype=real), 6),
        "pyramid": (convk.Mesh.pyramid(3, 2, 4, dtype=real), 8),
        "frustum": (convk.Mesh.pyramid(3, 2, 4, 0.5, dtype=real), 14),
        "prism": (convk.Mesh.prism(4, 2, 5, dtype=real), 20),
        "cylinder": (convk.Mesh.cylinder(2, 3, 1000, dtype=real), 12 * np.pi),
        "cone": (convk.Mesh.cylinder(2, 3, 1000, top=0, dtype=real), 4 * np.pi),
        "sphere": (convk.Mesh.sphere(2, 60, dtype=real), 32 / 3 * np.pi),
        "ellipsoid": (convk.Mesh.ellipsoid(2, 1, 3, 60, dtype=real), 8 * np.pi),
        "tetrahedron": (convk.Mesh.polyhedron("tetrahedron", 1, dtype=real), 2**-0.5 / 6),
        "cube": (convk.Mesh.polyhedron("cube", 2, dtype=real), 8),
        "octahedron": (convk.Mesh.polyhedron("octahedron", 1, dtype=real), 2**0.5 / 3),
        "cuboctahedron": (convk.Mesh.polyhedron("octahedron", 2, 1, dtype=real), 5 / 3 * 2**0.5),
        "dodecahedron": (convk.Mesh.polyhedron("dodecahedron", 1, dtype=real), (15 + 7 * 5**0.5) / 4),
        "icosahedron": (convk.Mesh.polyhedron("icosahedron", 1, dtype=real), 5 / 6 * g * g),
    }
    for name, (mesh, volume) in ready.items():
        report = mesh.check()
        assert mesh.dtype == real and report.manifold and not report.unused and not report.degenerate, name
        assert report.volume == pytest.approx(volume, rel=2e-4), name
    assert np.abs(hw.formfactor(ready["box"][0], *q, form="exact") - brick(*q.astype(float))).max() < 6 * 30 * eps(real)
    assert convk.Mesh.sphere(1).dtype == np.float64 and len(convk.Mesh.sphere(1, 3)) == 180
    with pytest.raises(convk.Error, match="b is not positive"):
        convk.Mesh.box(1, 0, 1)
    with pytest.raises(ValueError, match="kind is 'ball'"):
        convk.Mesh.polyhedron("ball", 1)
    with pytest.raises(TypeError, match="int32"):
        convk.Mesh.box(1, 1, 1, dtype=np.int32)


def test_directions(hw, real):
    n, weights = convk.sphere_quadrature(30, dtype=real)
    assert n.shape == (16 * 31, 3) and n.dtype == weights.dtype == real and weights.sum() == pytest.approx(1)
    assert (weights[:, None, None] * n[:, :, None] * n[:, None, :]).sum(0) == pytest.approx(np.eye(3) / 3, abs=10 * eps(real))
    half, twice = convk.sphere_quadrature(30, half=True, dtype=real)
    q = np.array([0, 0.5, 2], real)
    one = convk.Assembly([convk.Mesh.box(1, 2, 3, dtype=real)], np.zeros(1, convk.placement))  # no weight: 1
    got = hw.formfactor_powder(one, q, n, weights, form="exact")
    assert got[0] == pytest.approx(36) and got == pytest.approx(hw.formfactor_powder(one, q, half, twice, form="exact"))
    spiral = convk.sphere_spiral(2000, dtype=real)
    assert spiral.shape == (2000, 3) and np.abs(spiral.mean(0)).max() < 1e-3
    assert hw.formfactor_powder(one, q, spiral, form="exact") == pytest.approx(got, rel=2e-3)
    assert convk.sphere_spiral(10, half=True)[:, 2].min() > 0
    with pytest.raises(convk.Error, match="degree is 16385"):
        convk.sphere_quadrature(16385)
    with pytest.raises(ValueError, match="directions has the shape"):
        hw.formfactor_powder(one, q, np.zeros((5, 2), real))
    with pytest.raises(ValueError, match="weights has the shape"):
        hw.formfactor_powder(one, q, n, weights[1:])


def test_dwba(hw, mesh, q, rng, real):
    at = np.zeros(1, convk.placement)
    at["weight"] = 1
    x, y, k_in = q
    k_out = rng.uniform(0, 3, 200).astype(real)
    waves = {
        name: (rng.standard_normal(200) + 1j * rng.standard_normal(200)).astype(np.result_type(real, np.complex64))
        for name in ("t_in", "t_out", "r_in", "r_out")
    }
    t_in, t_out, r_in, r_out = waves.values()
    i, o = k_in.astype(float), k_out.astype(float)
    want = (
        t_in * t_out * brick(x, y, o - i)
        + t_in * r_out * brick(x, y, -o - i)
        + r_in * t_out * brick(x, y, o + i)
        + r_in * r_out * brick(x, y, -o + i)
    )
    got = hw.formfactor_dwba(convk.Assembly([mesh], at), x, y, k_in, k_out, form="exact", **waves)
    assert np.abs(got - want).max() < 100 * 30 * eps(real)


def test_errors(hw, mesh, q):
    with pytest.raises(ValueError, match="qy has the shape"):
        hw.formfactor(mesh, q[0], q[1, :5], q[2])
    with pytest.raises(ValueError, match="qx is not contiguous"):
        hw.formfactor(mesh, q.T.copy()[:, 0], q[1], q[2])
    with pytest.raises(TypeError, match="qx is of complex"):
        hw.formfactor(mesh, q[0] + 0j, q[1], q[2])
    with pytest.raises(ValueError, match="form is 'Exact'"):
        hw.formfactor(mesh, *q, form="Exact")
    with pytest.raises(convk.Error, match="mesh is open"):
        hw.formfactor(convk.Mesh(CORNERS, FACES[1:], mesh.dtype), *q, form="closed")
    with pytest.raises(TypeError, match="convk.placement"):
        convk.Assembly([mesh], np.zeros(3))
    at = np.zeros(1, convk.placement)
    at["mesh"] = 1
    with pytest.raises(convk.Error, match=r"placement\[0\].mesh is 1"):
        hw.formfactor_assembly(convk.Assembly([mesh], at), *q)


# ---- files ----

TETRAHEDRON = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
OFF_FACES = "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"
PLY = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
FILES = {
    "a.off": "OFF\n4 4 6\n" + TETRAHEDRON + OFF_FACES,
    "oneline.off": "OFF 4 4 6\n" + TETRAHEDRON + OFF_FACES,
    "glued.off": "OFF4 4 6\n" + TETRAHEDRON + OFF_FACES,
    "normals.off": "NOFF\n4 4 6\n" + TETRAHEDRON.replace("\n", " 0 0 1\n") + OFF_FACES,
    "colours.off": "COFF\n4 4\n" + TETRAHEDRON.replace("\n", " 255 0 0 255\n") + OFF_FACES,
    "mark.off": "\ufeffOFF\n4 4 6\n" + TETRAHEDRON + OFF_FACES,
    "a.ply": PLY + "element face 4\nproperty list uchar int vertex_indices\nend_header\n" + TETRAHEDRON + OFF_FACES,
    "strips.ply": PLY
    + "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
    + TETRAHEDRON
    + "8 0 2 1 3 0 2 -1 0\n",
    "a.obj": "v " + TETRAHEDRON.strip().replace("\n", "\nv ") + "\nf 1 3 2\nf 1/1 2/1 4/1\nf -4 -1 -2\nf 2 3 4\n",
    "a.stl": "SOLID T\n"
    + "".join(
        f"FACET NORMAL 0 0 0\nOUTER LOOP\nVERTEX {a}\nVERTEX {b}\nVERTEX {c}\nENDLOOP\nENDFACET\n"
        for a, b, c in (
            ("0 0 0", "0 1 0", "1 0 0"),
            ("0 0 0", "1 0 0", "0 0 1"),
            ("0 0 0", "0 0 1", "0 1 0"),
            ("1 0 0", "0 1 0", "0 0 1"),
        )
    )
    + "END SOLID T\n",
    "named as another.stl": "OFF\n4 4 6\n" + TETRAHEDRON + OFF_FACES,
}


@pytest.mark.parametrize("name", FILES)
def test_files(tmp_path, name):
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    mesh = convk.Mesh.from_file(tmp_path / name)
    measures = mesh.measure()
    assert len(mesh) == 4 and mesh.vertices.shape == (3, 4) and measures.closed and abs(measures.volume - 1 / 6) < 1e-15
    assert mesh.check().manifold and mesh.dtype == np.float64
    assert convk.Mesh.from_file(str(tmp_path / name), np.float32).dtype == np.float32


def test_binary_files(tmp_path):
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    (tmp_path / "a.off").write_text(FILES["a.off"])
    mesh = convk.Mesh.from_file(tmp_path / "a.off")
    facets = np.zeros(4, record)
    facets["corners"] = mesh.vertices.T[mesh.faces]
    for count, tail in ((4, b""), (4, b"\n"), (0, b"")):
        (tmp_path / "b.stl").write_bytes(b"solid".ljust(80) + count.to_bytes(4, "little") + facets.tobytes() + tail)
        assert abs(convk.Mesh.from_file(tmp_path / "b.stl").measure().volume - 1 / 6) < 1e-7


def test_files_that_are_none(tmp_path):
    for text, message in (
        ("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "line 6: a face names a vertex that is not there"),
        ("ply\nformat ascii 1.0\nelement vertex 1\nend_header\n0\n", "line 5: vertices come once"),
        ("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", "line 5: the file ends before a coordinate"),
        ("neither\n" * 30, "no binary STL"),
        ("", "no binary STL"),
    ):
        (tmp_path / "bad").write_text(text)
        with pytest.raises(ValueError, match=f"bad: .*{message}"):
            convk.Mesh.from_file(tmp_path / "bad")
    with pytest.raises(FileNotFoundError):
        convk.Mesh.from_file(tmp_path / "none.stl")


def test_no_faces_are_not_closed():
    mesh = convk.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int))
    assert not mesh.measure().closed and not mesh.check().closed and mesh.measure().volume == 0


def test_copies():
    mesh = convk.Mesh.box(1, 2, 3, np.float32)
    for other in (pickle.loads(pickle.dumps(mesh)), copy.copy(mesh), copy.deepcopy(mesh)):
        assert other.measure() == mesh.measure() and other.dtype == np.float32
    assembly = pickle.loads(pickle.dumps(convk.Assembly([mesh], np.zeros(2, convk.placement))))
    assert len(assembly.placements) == 2 and assembly.meshes[0].measure() == mesh.measure()
