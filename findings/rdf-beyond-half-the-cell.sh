#!/bin/sh
# MDAnalysis and MDTraj count each pair once beyond half of the cell, too, without a word: g(r) falls to 0 where the crystal goes on.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install MDAnalysis==2.11.0 mdtraj==1.11.1 numpy==2.4.6 || exit 77
python=$folder/venv/bin/python
echo "version: $("$python" --version), MDAnalysis==2.11.0 mdtraj==1.11.1 numpy==2.4.6"
echo 'expected: neighbours of an atom of a simple cubic lattice of spacing 1 at distances 1, sqrt 2, ... by the shells of the infinite crystal, as
  the periodic cell says, or an error or a warning where the range goes beyond half of the cell of 4 spacings'
cat >shells.py <<'END'
import itertools
import warnings

import mdtraj
import MDAnalysis
import numpy as np
from MDAnalysis.analysis.rdf import InterRDF

warnings.filterwarnings("error", category=UserWarning)
edge, low, high, bins = 4, 0.25, 4.25, 8
points = np.array(list(itertools.product(range(edge), repeat=3)), dtype=np.float32)
n = len(points)
far = range(-5, 6)
r = np.sqrt([x * x + y * y + z * z for x in far for y in far for z in far])
crystal, edges = np.histogram(r, bins, (low, high))

u = MDAnalysis.Universe.empty(n, trajectory=True)
u.atoms.positions = points
u.dimensions = [edge, edge, edge, 90, 90, 90]
found = InterRDF(u.atoms, u.atoms, nbins=bins, range=(low, high), norm="none").run().results.count / n

top = mdtraj.Topology()
residue = top.add_residue("A", top.add_chain())
for _ in range(n):
    top.add_atom("Ar", mdtraj.element.argon, residue)
t = mdtraj.Trajectory(points[None], top, unitcell_lengths=[[edge] * 3], unitcell_angles=[[90] * 3])
g = mdtraj.compute_rdf(t, top.select_pairs("all", "all"), r_range=(low, high), n_bins=bins)[1]
shells = 4 / 3 * np.pi * np.diff(edges**3)
also = g * shells * (n - 1) / edge**3
print("from to crystal MDAnalysis MDTraj")
for k in range(bins):
    print(f"{edges[k]:.2f} {edges[k + 1]:.2f} {crystal[k]} {found[k]:g} {also[k]:.4g}")
END
"$python" shells.py >seen.txt
cat seen.txt
cat >was.txt <<'END'
from to crystal MDAnalysis MDTraj
0.25 0.75 0 0 0
0.75 1.25 6 6 6
1.25 1.75 20 20 20
1.75 2.25 30 15 15
2.25 2.75 24 12 12
2.75 3.25 66 9 9
3.25 3.75 104 1 1
3.75 4.25 90 0 0
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was: right up to half of the cell, 2; beyond it the nearest image alone is counted, and normalised by the whole shell'
