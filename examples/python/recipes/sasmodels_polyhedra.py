"""The plug-in model convk_polyhedron.py beside SasModels' own polyhedra: I(q) averaged over orientations, 200 values of q.

    python sasmodels_polyhedra.py [--threads N] [--json FILE]

Times are those of the models as SasView calls them. Behind them stand the largest errors of each at any q, relative to I(q)
there, against our average by far more directions. Checked with the formula of a box, also where SasModels is missing."""

import importlib.util
import os
import pathlib
import tempfile

import common  # first: it sets the number of threads
import numpy as np

import convk

PLUGIN = pathlib.Path(__file__).with_name("convk_polyhedron.py")
CONTRAST = {"sld": 4, "sld_solvent": 1}  # 1e-6/Angstrom^2
RADIUS = 100  # of circles around tetrahedra, in Angstrom
EDGE = RADIUS * 4 / 6**0.5
# The plug-in's body and parameters; SasModels' model, its parameters, and how it averages.
PRISM = 50 * 2 * np.sin(np.pi / 5) / np.sinc(2 / 5) ** 0.5  # the edge of a pentagon by its mean radius
MODELS = [
    ("convk.Mesh.polyhedron('tetrahedron', 1)", {"size": EDGE}, "tetrahedron", {"radius": RADIUS}, "Python"),
    ("convk.Mesh.polyhedron('tetrahedron', 1, 0.2)", {"size": EDGE}, "truncated_tetrahedron",
     {"radius": RADIUS, "truncation": 0.2}, "Python"),
    ("convk.Mesh.prism(5, 1, 1)", {"size": PRISM, "stretch_z": 150 / PRISM}, "prism",
     {"n_sides": 5, "radius_average": 50, "length": 150}, "Python"),
    ("convk.Mesh.polyhedron('octahedron', 1, 0.3)", {"size": 80 * 2**0.5}, "truncated_octahedron",
     {"radius_a": 80, "truncation": 0.3}, "C"),
    ("convk.Mesh.box(1, 1, 1)", {"size": 60, "stretch_y": 1.5, "stretch_z": 2}, "parallelepiped",
     {"length_a": 60, "length_b": 90, "length_c": 120}, "C")]


def plugin_of(body, folder, name):
    """A copy for this body, as a user makes one."""
    text = PLUGIN.read_text(encoding="utf-8")
    mine = 'return convk.Mesh.polyhedron("octahedron", 1)\n'
    if mine not in text:
        raise ValueError(f"{PLUGIN.name} has another body")
    path = pathlib.Path(folder, f"{name}.py")
    path.write_text(text.replace(mine, f"return {body}\n"), encoding="utf-8")
    return path


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fine(hw, body, q, size=1, stretch_y=1, stretch_z=1):
    """The same I(q) by many more directions than either takes, over half the sphere whatever the symmetry."""
    mesh = eval(body, {"convk": convk})
    mesh = convk.Mesh(mesh.vertices.T * (size, size * stretch_y, size * stretch_z), mesh.faces)
    volume, points = mesh.measure().volume, mesh.vertices.T
    extent = np.linalg.norm(points.max(axis=0) - points.min(axis=0))
    rule = convk.sphere_quadrature(int(q.max() * extent) + 30, half=True)
    powder = hw.formfactor_powder(convk.Assembly([mesh], np.zeros(1, convk.placement)), q, *rule, form="exact")
    return 1e-4 * (CONTRAST["sld"] - CONTRAST["sld_solvent"]) ** 2 * powder / volume


def box_formula(q, a, b, c):
    """Of a powder of boxes, per volume, by Gauss points of an eighth of the sphere."""
    height, weight = np.polynomial.legendre.leggauss(64)
    z, phi = (height + 1) / 2, (height + 1) * np.pi / 4
    x, y = np.sqrt(1 - z**2)[:, None] * np.cos(phi), np.sqrt(1 - z**2)[:, None] * np.sin(phi)
    of = q[:, None, None] / (2 * np.pi)
    f = np.sinc(of * a * x) * np.sinc(of * b * y) * np.sinc(of * c * z[:, None])
    return 1e-4 * 9 * a * b * c * np.einsum("qij,i,j->q", f**2, weight / 2, weight / 2)


def worst(intensity, reference):
    return np.max(np.abs(intensity / reference - 1))


def main():
    options = common.options(__doc__)
    os.environ["CONVK_THREADS"] = str(options.threads)
    os.environ.update({"CONVK_HW": options.hw} if options.hw else {})
    table = common.Table(options)
    with convk.open(options.hw, threads=options.threads) as hw, tempfile.TemporaryDirectory() as folder:
        q = np.geomspace(1e-3, 0.5, 20 if options.quick else 200)
        body, sizes, *_ = MODELS[-1]
        model = load(plugin_of(body, folder, "plain_box"))
        intensity = model.Iq(q, *CONTRAST.values(), *sizes.values()) / model.form_volume(*sizes.values())
        table.check("the plug-in's box", "formula", worst(intensity, box_formula(q, 60, 90, 120)), 1e-4)
        if common.installed(table, "I(q) of polyhedra", "sasmodels"):
            for body, sizes, name, parameters, kind in MODELS:
                model = common.sasmodels_kernel(plugin_of(body, folder, f"convk_{name}"), q)
                peer, reference = common.sasmodels_kernel(name, q), fine(hw, body, q, **sizes)
                table.compare("formfactor_powder", "f64", f"{name}, {len(q)} q", f"SasModels ({kind})",
                              lambda m=model, s=sizes: m(**CONTRAST, **s), lambda p=peer, s=parameters: p(**CONTRAST, **s),
                              1e-3 * len(q), "k I(q)/s", 1e-5)
                table.check(f"error of our {name}", "many directions", worst(model(**CONTRAST, **sizes), reference), 1e-4)
                error = worst(peer(**CONTRAST, **parameters), reference)
                print(f"| error of SasModels' {name} | | many directions | | {error:.1e} |")
            body, sizes, name, parameters, kind = MODELS[0]
            many = {"pd": 0.1, "pd_n": 35, "pd_nsigma": 3}
            few = q[::8] if len(q) > 20 else q
            ours = common.sasmodels_kernel(plugin_of(body, folder, f"convk_{name}"), few)
            peer = common.sasmodels_kernel(name, few)
            table.compare("formfactor_powder", "f64", f"{name}, 35 sizes, {len(few)} q", f"SasModels ({kind})",
                          lambda: ours(**CONTRAST, **sizes, **{f"size_{k}": v for k, v in many.items()}),
                          lambda: peer(**CONTRAST, **parameters, **{f"radius_{k}": v for k, v in many.items()}),
                          35e-3 * len(few), "k I(q)/s", 1e-5)
            tiny = np.array([1e-9, 1e-7, 1e-5])
            limit = 1e-4 * 9 * EDGE**3 / 72**0.5
            intensity = common.sasmodels_kernel(plugin_of(body, folder, f"convk_{name}"), tiny)(**CONTRAST, **sizes)
            table.check("our tetrahedron, q of 1e-9 to 1e-5", "volume", worst(intensity, limit), 1e-5)
            error = worst(common.sasmodels_kernel(name, tiny)(**CONTRAST, **parameters), limit)
            print(f"| SasModels' tetrahedron, q of 1e-9 to 1e-5 | | volume | | {error:.1e} |")
    table.end()


if __name__ == "__main__":
    main()
