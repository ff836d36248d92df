"""Cube files of PySCF's molecules: an orbital and the density of water and of benzene, beside pyscf.tools.cubegen.

    python pyscf_cubegen.py [--threads N] [--json FILE]

Another program needs convk.cubegen() only: its arguments are those of cubegen.orbital and, with occupations, cubegen.density."""

import os
import tempfile

import common  # first: it sets the number of threads
import numpy as np
from pyscf import dft, lib
from pyscf.tools import cubegen
from pyscf_orbitals import LIMIT, in_blocks, molecule

import convk


def box_of(cube):
    """The grid of PySCF's cubegen, whose arrays have the axes x, y, z."""
    sides = np.array((cube.nx, cube.ny, cube.nz))
    return convk.Box.xyz(sides, np.diag(cube.box) / (sides - 1), cube.boxorig)


def differing(ours, theirs, natoms):
    """The share of lines in which two cube files differ, but for that which says who wrote it, and for those of atoms: PySCF
    2.14 writes no charges there."""
    with open(ours, encoding="utf-8") as a, open(theirs, encoding="utf-8") as b:
        lines, others = a.read().splitlines(), b.read().splitlines()
    if len(lines) != len(others):
        return 1.0
    del lines[6:6 + natoms], others[6:6 + natoms], lines[1], others[1]
    return sum(one != other for one, other in zip(lines, others)) / len(lines)


def compare(table, hw, name, folder):
    mol, orbitals, field = molecule(name, False)
    n = 12 if table.options.quick else 80
    basis = convk.Basis.from_pyscf(mol)
    cube = cubegen.Cube(mol, n, n, n)
    box, points = box_of(cube), cube.get_coords()
    homo, occupied, matrix = orbitals[-1:], np.full(len(orbitals), 2.0), field.make_rdm1()
    size, gtos = f"{name}, cc-pVDZ, {n}^3 points", "GTOval_sph"
    files = [os.path.join(folder, who) for who in ("ours.cube", "theirs.cube")]

    def orbital(block):
        return homo @ mol.eval_gto(gtos, block).T

    def density(block):  # of orbitals, as numint has it: cubegen's, of a density matrix, takes longer
        return dft.numint.eval_rho2(mol, mol.eval_gto(gtos, block), field.mo_coeff, field.mo_occ)

    for operation, peer, what, ours, theirs in (
            ("orbitals_grid", "eval_gto", "orbital",
             lambda: hw.orbitals_grid(basis, homo, box)[0].T, lambda: in_blocks((1,), points, orbital).reshape(n, n, n)),
            ("density_grid", "eval_rho2", f"density of {len(orbitals)} orbitals",
             lambda: hw.density_grid(basis, orbitals, occupied, box).T, lambda: in_blocks((), points, density).reshape(n, n, n)),
            ("cubegen", "cubegen", "file of an orbital",
             lambda: convk.cubegen(mol, files[0], homo[0], nx=n, ny=n, nz=n, hw=hw),
             lambda: cubegen.orbital(mol, files[1], homo[0], nx=n, ny=n, nz=n)),
            ("cubegen", "cubegen", "file of the density",
             lambda: convk.cubegen(mol, files[0], orbitals, occupied, nx=n, ny=n, nz=n, hw=hw),
             lambda: cubegen.density(mol, files[1], matrix, nx=n, ny=n, nz=n))):
        headline = f"PySCF's `{peer}`, as its cubegen does: {what} of {size}, f64"
        table.compare(operation, "f64", f"{size}, {what}", f"PySCF {peer}", ours, theirs, n**3 / 1e6, "M/s", LIMIT,
                      headline if name == "water" and operation != "cubegen" else None)
        if operation == "cubegen":
            table.check(f"{name}, {what}: share of lines that differ", "PySCF cubegen", differing(*files, mol.natm), 1e-2)


def main():
    options = common.options(__doc__)
    lib.num_threads(options.threads)
    table = common.Table(options)
    with convk.open(options.hw, threads=options.threads) as hw, tempfile.TemporaryDirectory() as folder:
        for name in ("water", "benzene"):
            compare(table, hw, name, folder)
    table.end()


if __name__ == "__main__":
    main()
