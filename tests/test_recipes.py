"""The recipes of examples/python/recipes, with small sizes: needs the module convk."""

import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest

RECIPES = pathlib.Path(__file__).resolve().parents[1] / "examples/python/recipes"
PEERS = {"pyscf_orbitals": ["pyscf"], "pyscf_cubegen": ["pyscf"], "scipy_convolution": ["scipy"], "abtem_propagation": ["abtem"],
         "skimage_deconvolution": ["skimage"], "numpy_heat": [], "devito_heat": ["devito"], "gpaw_laplace": [], "devito_laplace": ["devito"], "formfactor_stl": [], "bornagain_shapes": ["bornagain", "scipy"],
         "sasmodels_polyhedra": ["sasmodels"], "atoms_distances": [], "helium_vmc": ["matplotlib", "tqdm"]}
LINES = {"pyscf_orbitals": 10, "pyscf_cubegen": 8, "scipy_convolution": 9,
         "abtem_propagation": 3, "skimage_deconvolution": 3, "numpy_heat": 6, "devito_heat": 2, "gpaw_laplace": 2,
         "devito_laplace": 2, "formfactor_stl": 2,
         "bornagain_shapes": 14, "sasmodels_polyhedra": 6, "atoms_distances": 3, "helium_vmc": 1}
REQUIRED = os.environ.get("CONVK_REQUIRE", "").split(",")  # modules whose absence is a failure
KEYS = {"operation", "type", "peer", "threads", "size", "rate", "peer_rate", "unit", "ratio", "max_error"}
# Runs a recipe, and once more with a method of ours that is wrong by a factor: in one process, since peers take long to be imported.
TWICE = """
import runpy, sys
recipe, method, factor, *options = sys.argv[1:]
sys.path.insert(0, recipe.rpartition("/")[0])
sys.argv[1:] = [*options, "--json", "lines.json"]
try:
    runpy.run_path(recipe, run_name="__main__")
except SystemExit as end:
    if end.code:
        raise
print("WRONG", flush=True)
import convk
right = getattr(convk.Hardware, method)
def wrong(*arguments, **more):
    result = right(*arguments, **more)
    part = result["kinetic"] if result.dtype.names else result
    part *= float(factor)
    return result
setattr(convk.Hardware, method, wrong)
sys.argv[1:] = options
runpy.run_path(recipe, run_name="__main__")
"""


def command(name, *options):
    for module in PEERS[name]:
        if module not in REQUIRED:
            pytest.importorskip(module)
    return [str(RECIPES / f"{name}.py"), "--quick", *map(str, options), *(["--no-plot"] if name == "helium_vmc" else [])]


def python(folder, *arguments, **environment):
    return subprocess.run([sys.executable, *arguments], cwd=folder, env={**os.environ, **environment}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=300)


def rows(output):
    return [line for line in output.splitlines() if line.startswith("| ")][1:]


@pytest.mark.parametrize("name, method, factor, flagged", [
    ("pyscf_orbitals", "orbitals", 1.00005, (6,)), ("pyscf_cubegen", "density_grid", 1.00005, (6,)), ("scipy_convolution", "fftconv2d", 1.00005, (9,)),
    ("abtem_propagation", "fftconv2d", 1.00005, (3,)), ("skimage_deconvolution", "fftconv2d", 1.00005, (3,)),
    ("numpy_heat", "stencil7", "nan", (6,)), ("devito_heat", "stencil7", "nan", (2,)),
    ("gpaw_laplace", "laplacian", 1.00005, (2, 4)), ("devito_laplace", "laplacian", 1.00005, (2,)),
    ("formfactor_stl", "formfactor", 1.00005, (2, 4)), ("bornagain_shapes", "formfactor", 1.00005, (14,)),
    ("sasmodels_polyhedra", "formfactor_powder", 1.00005, (7,)), ("atoms_distances", "debye", 1.00005, (1, 2)),
    ("helium_vmc", "pair_energy", 1.00005, (1,))])
def test_results_agree_and_what_is_wrong_is_noticed(name, method, factor, flagged, tmp_path):
    done = python(tmp_path, "-c", TWICE, *command(name)[:1], method, str(factor), *command(name)[1:])
    agree, _, wrong = done.stdout.partition("WRONG\n")
    assert wrong, done.stdout + done.stderr
    assert "MORE THAN" not in agree
    assert not any(f"pip install {module} " in agree for module in REQUIRED)
    lines = [json.loads(line) for line in (tmp_path / "lines.json").read_text().splitlines()]
    assert len(lines) >= LINES[name] and len(rows(agree)) >= len(lines)
    for line in lines:
        assert KEYS <= set(line) <= KEYS | {"instead", "use"}
        assert line["threads"] == 1 and line["rate"] > 0 and line["max_error"] < 1e-5
        assert line["ratio"] == pytest.approx(line["rate"] / line["peer_rate"])
    assert done.returncode == 1 and "differ by more than they may" in done.stderr, done.stderr
    assert wrong.count("MORE THAN") in flagged, done.stdout


def test_threads_of_both_sides(tmp_path):
    done = python(tmp_path, *command("numpy_heat", "--threads", 2, "--json", "lines.json"))
    assert done.returncode == 0, done.stderr
    assert {json.loads(line)["threads"] for line in (tmp_path / "lines.json").read_text().splitlines()} == {2}


def test_all_of_them_are_tried(tmp_path):
    done = python(tmp_path, RECIPES / "all.py", "--hw", "abacus")
    assert done.returncode == 1 and done.stderr.splitlines()[-1] == "failed: " + ", ".join(PEERS)


def test_peers_that_are_missing_are_named(tmp_path):
    for module in ("bornagain", "sasmodels", "devito", "gpaw"):
        (tmp_path / f"{module}.py").write_text("raise ImportError")
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    done = python(tmp_path, *command("formfactor_stl"), PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    assert "pip install bornagain" in done.stdout and "pip install sasmodels" in done.stdout
    for name, module in (("devito_heat", "devito"), ("devito_laplace", "devito"), ("gpaw_laplace", "gpaw"), ("bornagain_shapes", "bornagain"), ("sasmodels_polyhedra", "sasmodels")):
        if name == "bornagain_shapes" and not importlib.util.find_spec("scipy"):
            continue
        done = python(tmp_path, str(RECIPES / f"{name}.py"), "--quick", PYTHONPATH=path)
        assert done.returncode == 0 and f"pip install {module}" in done.stdout, done.stderr
    assert len(rows(done.stdout)) == 2 and "MORE THAN" not in done.stdout  # the plug-in's box beside its formula


def lines_of_adapters(host):
    text = (RECIPES.parents[1] / "adapters/README.md").read_text()
    return text.split(f"**{host}**", 1)[1].split("```python\n", 1)[1].split("```", 1)[0]


def test_lines_of_the_adapters_for_sasview():
    import numpy as np

    import convk

    names = {"np": np, "convk": convk}
    exec(lines_of_adapters("SasView"), names)
    q = np.array([1e-6, 0.2, 0.5])
    found, volume = names["Iq"](q, 4, 1), names["mesh"].measure().volume
    fine = convk.open().formfactor_powder(names["one"], q, *convk.sphere_quadrature(200), form="exact")
    assert found[0] == pytest.approx(9e-4 * volume**2) and np.allclose(found, 9e-4 * fine, rtol=1e-4)


def test_lines_of_the_adapters_for_pyscf():
    if "pyscf" not in REQUIRED:
        pytest.importorskip("pyscf")
    import numpy as np
    from pyscf import gto, scf
    from pyscf.dft import numint

    mol = gto.M(atom="O 0 0 0; H 0 0.8 0.6; H 0 -0.8 0.6", basis="6-31g", verbose=0)
    mf = scf.RHF(mol).run()
    coords = np.random.default_rng(1).standard_normal((50, 3))
    names = {"mol": mol, "mf": mf, "coords": coords}
    exec(lines_of_adapters("PySCF"), names)
    assert np.allclose(names["rho"], numint.eval_rho2(mol, numint.eval_ao(mol, coords), mf.mo_coeff, mf.mo_occ), atol=1e-10)


@pytest.fixture
def plugin():
    spec = importlib.util.spec_from_file_location("convk_polyhedron", RECIPES / "convk_polyhedron.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_wrong_powders_of_the_plugin_are_noticed(tmp_path):
    recipe = str(RECIPES / "sasmodels_polyhedra.py")
    (tmp_path / "sasmodels.py").write_text("raise ImportError")
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    done = python(tmp_path, "-c", TWICE, recipe, "formfactor_powder", "1.001", "--quick", PYTHONPATH=path)
    assert done.returncode == 1 and done.stdout.partition("WRONG\n")[2].count("MORE THAN") == 1, done.stdout + done.stderr


def test_bodies_of_the_plugin_from_files(plugin, tmp_path):
    corners = [(x, y, z) for z in (0, 2) for x, y in ((0, 0), (3, 0), (3, 1), (0, 1))]
    faces = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]

    def lines(*of):
        return "".join(" ".join(map(str, words)) + "\n" for words in of)

    (tmp_path / "a.off").write_text(lines(["OFF"], (8, 6, 12), *corners, *((4, *face) for face in faces)))
    (tmp_path / "a.obj").write_text(lines(["#", "a", "box"], *(("v", *c) for c in corners),
                                          *(("f", *(f"{i + 1}/{i + 1}" for i in face)) for face in faces[:3]),
                                          *(("f", *(i - 8 for i in face)) for face in faces[3:])))
    triangles = [(f[0], f[i - 1], f[i]) for f in faces for i in (2, 3)]
    (tmp_path / "a.stl").write_text("solid\n" + "".join(
        "facet normal 0 0 0 outer loop\n" + lines(*(("vertex", *corners[i]) for i in t)) + "endloop endfacet\n" for t in triangles)
        + "endsolid\n")
    for mesh in (plugin.from_faces(corners, faces), *(plugin.from_file(str(tmp_path / f"a.{end}")) for end in ("off", "obj", "stl"))):
        measures = mesh.measure()
        assert measures.closed and measures.volume == pytest.approx(6) and len(mesh) == 12
    (tmp_path / "bad.off").write_text(lines(["OFF"], (8, 6, 12), *corners, *((4, *face) for face in faces[:-1])))
    with pytest.raises(ValueError, match=r"bad\.off: line \d+: the file ends before the number of corners of a face"):
        plugin.from_file(str(tmp_path / "bad.off"))
    plugin.body = lambda: plugin.from_faces(corners, faces[:-1])
    with pytest.raises(ValueError, match="holes"):
        plugin.form_volume(1, 1, 1)


@pytest.mark.parametrize("make, order", [
    (lambda m: m.polyhedron("tetrahedron", 1), 8), (lambda m: m.polyhedron("icosahedron", 1), 10), (lambda m: m.box(1, 2, 3), 4),
    (lambda m: m.prism(6, 1, 1), 12), (lambda m: m.pyramid(1, 1, 1), 8),
    (lambda m: m([(0, 0, 0), (1, 0.2, 0), (0.1, 1.3, 0), (0.3, 0.4, 0.8)], [(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)]), 1)])
def test_symmetry_of_the_plugin_leaves_the_average(plugin, make, order):
    import numpy as np

    import convk

    plugin.body, plugin.BEYOND = lambda: make(convk.Mesh), 20
    one = plugin.shaped(1.0, 1.0)
    assert one.fold * (1 + one.mirror) == order
    q = np.geomspace(0.1, 40, 12)
    whole = plugin.hardware().formfactor_powder(one.one, q, *convk.sphere_quadrature(int(40 * one.extent) + 30), form="exact")
    assert np.max(np.abs(one.powder(q) / whole - 1)) < 1e-7


def test_stl_as_text(tmp_path):
    corner = "outer loop\nvertex {}\nvertex {}\nvertex {}\nendloop\nendfacet\n"
    tetrahedron = [("0 0 0", "0 1 0", "1 0 0"), ("0 0 0", "1 0 0", "0 0 1"), ("0 0 0", "0 0 1", "0 1 0"),
                   ("1 0 0", "0 1 0", "0 0 1")]
    text = "".join("facet normal 0 0 0\n" + corner.format(*triangle) for triangle in tetrahedron)
    (tmp_path / "a.stl").write_text(f"solid\n{text}endsolid\n")
    done = python(tmp_path, *command("formfactor_stl", "a.stl"))
    assert done.returncode == 0 and " 4 triangles" in done.stdout, done.stdout + done.stderr


def test_helium_draws_while_it_runs(tmp_path):
    (tmp_path / "display.py").write_text("""
from matplotlib.backends.backend_agg import FigureCanvasAgg
class FigureCanvas(FigureCanvasAgg):
    required_interactive_framework = "headless"
    def start_event_loop(self, timeout=0):
        print("drawn")
""")
    path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
    done = python(tmp_path, *command("helium_vmc", "--sweeps", 150)[:-1], PYTHONPATH=path, MPLBACKEND="module://display")
    assert done.returncode == 0 and done.stdout.count("drawn") >= 2, done.stdout + done.stderr
    assert (tmp_path / "helium.png").read_bytes().startswith(b"\x89PNG")


def test_helium_without_measurements(tmp_path):
    done = python(tmp_path, *command("helium_vmc", "--sweeps", 20))
    assert done.returncode == 0 and "energy none yet" in done.stdout, done.stderr
    assert (tmp_path / "helium.png").exists()


def test_helium_ends_with_what_there_is(tmp_path):
    arguments = command("helium_vmc", "--sweeps", 10**9, "--output", "here.png")
    run = subprocess.Popen([sys.executable, *arguments], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        seen = b""
        while b"E/N" not in seen:  # measurements have begun
            more = run.stderr.read1(100)
            assert more, seen
            seen += more
        run.send_signal(signal.SIGINT)
        output, errors = run.communicate(timeout=60)
    finally:
        run.kill()
    assert run.returncode == 0, errors
    assert b" sweeps, energy -" in output and b"|" not in output
    assert (tmp_path / "here.png").read_bytes().startswith(b"\x89PNG")
