#!/bin/sh
# cclib writes molden files of spherical d functions without [5D], so that readers take them for Cartesian ones.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install cclib==1.8.1 pyscf==2.14.0 numpy==2.2.6 scipy==1.15.3
python=$folder/venv/bin/python
echo "version: $("$python" --version), cclib==1.8.1 pyscf==2.14.0 numpy==2.2.6 scipy==1.15.3"
echo 'expected: without [5D] a molden file has six Cartesian functions for each d shell; a file with five coefficients for it says
  [5D], and PySCF, whose own molden files say so, reads it back'
cat >spherical.py <<'END'
import re

import numpy as np
from cclib.io import ccwrite
from cclib.parser.data import ccData
from pyscf import gto, scf
from pyscf.tools import molden

mol = gto.M(atom="O 0 0 0; H 0 0 1; H 0 0.9 -0.3", basis="cc-pvdz", verbose=0)
field = scf.RHF(mol).run()
molden.from_scf(field, "pyscf.molden")
shells = [[] for _ in range(mol.natm)]
for b in range(mol.nbas):
    for c in range(mol.bas_nctr(b)):
        primitives = list(zip(mol.bas_exp(b).tolist(), mol._libcint_ctr_coeff(b)[:, c].tolist()))
        shells[mol.bas_atom(b)].append(("SPD"[mol.bas_angular(b)], primitives))
data = ccData({
    "atomnos": mol.atom_charges(), "natom": mol.natm, "atomcoords": mol.atom_coords(unit="Ang")[np.newaxis], "charge": 0, "mult": 1,
    "gbasis": shells, "nbasis": mol.nao, "nmo": mol.nao, "mocoeffs": [field.mo_coeff.T], "moenergies": [field.mo_energy * 27.2114],
    "mosyms": [["A"] * mol.nao], "homos": np.array([4]), "aonames": [label.replace(" ", "_") for label in mol.ao_labels()],
    "metadata": {"package": "PySCF"},
})  # fmt: skip
with open("cclib.molden", "w") as f:
    f.write(ccwrite(data, outputtype="molden", returnstr=True))
print(f"{mol.nao} functions; as many with Cartesian ones would be {mol.nao_cart()}")
for name in ("pyscf", "cclib"):
    says = "[5D]" if re.search(r"^\[5D", open(name + ".molden").read(), re.I | re.M) else "no [5D]"
    try:
        read = molden.load(name + ".molden")
        print(f"{name}: {says}; PySCF reads {read[0].nao} functions")
    except IndexError:
        print(f"{name}: {says}; PySCF finds coefficients missing")
END
"$python" spherical.py >seen.txt 2>/dev/null
cat seen.txt
cat >was.txt <<'END'
24 functions; as many with Cartesian ones would be 25
pyscf: [5D]; PySCF reads 24 functions
cclib: no [5D]; PySCF finds coefficients missing
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
