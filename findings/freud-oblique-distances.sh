#!/bin/sh
# freud's periodic distances in an oblique box are not those to the nearest image, though its manual says that wrapping is the minimum image
# convention: each fractional coordinate is wrapped by itself, which gives another image.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install freud-analysis==3.4.0 numpy==2.4.6 ase==3.29.0 || exit 77
python=$folder/venv/bin/python
echo "version: $("$python" --version), freud-analysis==3.4.0 numpy==2.4.6 ase==3.29.0"
echo 'expected: in a hexagonal cell of edge 10 with an angle of 60 degrees, the distance of two points is that of the nearest of all periodic
  images, as ASE has it and as trying 125 images finds it'
cat >distances.py <<'END'
import itertools

import ase
import freud
import numpy as np

edge = 10
box = freud.box.Box.from_box_lengths_and_angles(edge, edge, edge, np.pi / 2, np.pi / 2, np.pi / 3)
cell = np.array([[edge, 0, 0], [edge / 2, edge * np.sqrt(3) / 2, 0], [0, 0, edge]])
fractions = (np.array(list(itertools.product(range(14), repeat=2))) + 0.5) / 14
points = np.pad(fractions, ((0, 0), (0, 1))) @ cell
origin = np.zeros((1, 3))
found = box.compute_all_distances(origin, points)[0]
images = np.array(list(itertools.product(range(-2, 3), repeat=3))) @ cell
nearest = np.linalg.norm(points[:, None] + images, axis=-1).min(1)
atoms = ase.Atoms(f"H{len(points) + 1}", np.concatenate([origin, points]), cell=cell, pbc=True)
ases = atoms.get_distances(0, range(1, len(atoms)), mic=True)
longer = found > nearest + 1e-3
print(f"{len(points)} points: too long in freud {longer.sum()}, in ASE {(ases > nearest + 1e-3).sum()}")
near = nearest < edge * np.sqrt(3) / 4
print(f"of {near.sum()} that are nearer than half of the least height of the cell: too long in freud {(longer & near).sum()}")
worst = np.argmax(found - nearest)
print(f"the worst, at fractions {fractions[worst].round(3)}: freud {found[worst]:.3f}, nearest {nearest[worst]:.3f}")
END
"$python" distances.py >seen.txt
cat seen.txt
cat >was.txt <<'END'
196 points: too long in freud 32, in ASE 0
of 130 that are nearer than half of the least height of the cell: too long in freud 0
the worst, at fractions [0.536 0.536]: freud 8.042, nearest 5.038
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was: right for distances below half of the least height of the cell, 4.33; beyond it up to 1.6 times too long'
