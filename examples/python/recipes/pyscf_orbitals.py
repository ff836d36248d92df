"""Molecular orbitals of PySCF on a grid: values, gradients, Laplacians and the density, beside eval_gto and numint.

    python pyscf_orbitals.py [--threads N] [--json FILE]

Another program needs convk.Basis.from_pyscf() only."""

import math

import common  # first: it sets the number of threads
import numpy as np
from pyscf import dft, gto, lib, scf

import convk

BLOCK = 2000  # points at a time, so that PySCF's functions stay in the cache
LIMIT = 1e-12


def molecule(name, cart):
    """PySCF's molecule, the coefficients of its occupied orbitals in rows, and the mean field."""
    atoms = "O 0 0 0.1173; H 0 0.7572 -0.4692; H 0 -0.7572 -0.4692"
    if name == "benzene":
        ring = [(math.cos(k * math.pi / 3), math.sin(k * math.pi / 3)) for k in range(6)]
        atoms = [(element, (r * x, r * y, 0)) for element, r in (("C", 1.39), ("H", 2.48)) for x, y in ring]
    mol = gto.M(atom=atoms, basis="cc-pvdz", cart=cart, verbose=0)
    field = scf.RHF(mol).run()
    return mol, field.mo_coeff[:, field.mo_occ > 0].T, field


def grid(mol, n):
    """n^3 points, up to 4 bohr beyond the atoms."""
    atoms = mol.atom_coords()
    axes = np.linspace(atoms.min(0) - 4, atoms.max(0) + 4, n).T
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def in_blocks(shape, points, function):
    """PySCF's way with many points: function(block) fills out[..., block]."""
    out = np.empty((*shape, len(points)))
    for i in range(0, len(points), BLOCK):
        out[..., i:i + BLOCK] = function(points[i:i + BLOCK])
    return out


def compare(table, hw, name, cart):
    quick = table.options.quick
    mol, orbitals, field = molecule(name, cart)
    points = grid(mol, 12 if quick else 40 if name == "water" else 32)
    basis = convk.Basis.from_pyscf(mol)
    gtos = "GTOval_cart" if cart else "GTOval_sph"

    def values(block):
        return orbitals @ mol.eval_gto(gtos, block).T

    def derivatives(block):  # PySCF has all second derivatives or none
        ao = mol.eval_gto(gtos + "_deriv2", block)
        return np.stack([orbitals @ part.T for part in (*ao[:4], ao[4] + ao[7] + ao[9])])

    def gradients(block):
        return np.stack([orbitals @ part.T for part in mol.eval_gto(gtos + "_deriv1", block)])

    grids = dft.gen_grid.Grids(mol)
    grids.coords, grids.weights = points, np.ones(len(points))
    grids.non0tab = grids.make_mask(mol, points)
    matrix, numint = field.make_rdm1(), dft.numint.NumInt()
    occupied = np.full(len(orbitals), 2.0)
    n = len(orbitals)
    size = f"{name}, {'Cartesian' if cart else 'spherical'}, {len(points)} points"
    for operation, what, peer, count, ours, theirs, headline in (
            ("orbitals", f"{mol.nao} functions", "eval_gto", mol.nao,
             lambda: hw.orbitals(points, basis), lambda: mol.eval_gto(gtos, points).T, None),
            ("orbitals", f"{n} orbitals", "eval_gto", n,
             lambda: hw.orbitals(points, basis, orbitals), lambda: in_blocks((n,), points, values),
             "`eval_gto` times coefficients"),
            ("orbitals_vgl", f"gradients of {n} orbitals", "eval_gto deriv1", n,
             lambda: hw.orbitals_vgl(points, basis, orbitals)[:4], lambda: in_blocks((4, n), points, gradients), None),
            ("orbitals_vgl", f"Laplacians of {n} orbitals", "eval_gto deriv2", n,
             lambda: hw.orbitals_vgl(points, basis, orbitals), lambda: in_blocks((5, n), points, derivatives), None),
            ("density", f"density of {n} orbitals", "numint get_rho", 1,
             lambda: hw.density(points, basis, orbitals, occupied), lambda: numint.get_rho(mol, matrix, grids), None)):
        table.compare(operation, "f64", f"{size}, {what}", f"PySCF {peer}", ours, theirs, count * len(points) / 1e6, "M/s",
                      LIMIT, headline and name == "benzene" and f"PySCF's {headline}: {what} of benzene, cc-pVDZ, f64")


def main():
    options = common.options(__doc__)
    lib.num_threads(options.threads)
    table = common.Table(options)
    with convk.open(options.hw, threads=options.threads) as hw:
        for name, cart in (("water", False), ("water", True), ("benzene", False))[:2 if options.quick else 3]:
            compare(table, hw, name, cart)
        for cart in (False, True):  # shells of all kinds
            mol = gto.M(atom="C 0.1 0.2 0.3", basis="cc-pvqz", cart=cart, verbose=0)
            points = grid(mol, 8)
            functions = hw.orbitals(points, convk.Basis.from_pyscf(mol))
            table.check(f"carbon, functions to g, {'Cartesian' if cart else 'spherical'}", "PySCF eval_gto",
                        common.difference(functions, mol.eval_gto("GTOval", points).T), LIMIT)
    table.end()


if __name__ == "__main__":
    main()
