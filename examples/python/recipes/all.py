"""All recipes, one after another: python all.py [--threads N] [--hw NAME] [--json FILE] [--quick]"""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RECIPES = {"pyscf_orbitals": [], "pyscf_cubegen": [], "scipy_convolution": [], "abtem_propagation": [],
           "skimage_deconvolution": [], "numpy_heat": [], "devito_heat": [],
           "gpaw_laplace": [], "devito_laplace": [],
           "formfactor_stl": [], "bornagain_shapes": [], "sasmodels_polyhedra": [], "atoms_distances": [], "helium_vmc": ["--no-plot"]}


def main():
    failed = []
    for name, options in RECIPES.items():
        print(f"\n## {name}\n", flush=True)
        if subprocess.call([sys.executable, HERE / f"{name}.py", *options, *sys.argv[1:]]):
            failed.append(name)
    sys.exit("failed: " + ", ".join(failed) if failed else 0)


if __name__ == "__main__":
    main()
