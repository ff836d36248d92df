#!/bin/sh
# VTK reads a cube file of two orbitals as one grid that mixes both, and names no error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install vtk==9.7.2 numpy==2.2.6
python=$folder/venv/bin/python
echo "version: $("$python" --version), vtk==9.7.2 numpy==2.2.6"
echo 'expected: a cube with a negative number of atoms names its orbitals in a line of their own, here 5 and 6, and has a value of each at
  every point. A reader gives two grids, or the first; orbital 5 is 0, 1, 2 ... here, orbital 6 is 100, 101, 102 ...'
cat >cube.py <<'END'
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOChemistry import vtkGaussianCubeReader, vtkGaussianCubeReader2


def cube(orbitals):
    lines = ["made by hand", "values in order", "-1 0.0 0.0 0.0", "2 0.5 0.0 0.0", "3 0.0 0.5 0.0", "4 0.0 0.0 0.5", "1 1.0 0.5 0.5 0.5"]
    lines.append(f"{len(orbitals)} " + " ".join(str(5 + m) for m in orbitals))
    for row in range(6):  # z is the fastest axis, then come the orbitals
        lines.append(" ".join(f"{100 * m + 4 * row + z:.5E}" for z in range(4) for m in orbitals))
    return "\n".join(lines) + "\n"


for orbitals in ([0], [0, 1]):
    with open("a.cube", "w") as f:
        f.write(cube(orbitals))
    for reader in (vtkGaussianCubeReader(), vtkGaussianCubeReader2()):
        reader.SetFileName("a.cube")
        reader.Update()
        grid = reader.GetGridOutput()
        values = vtk_to_numpy(grid.GetPointData().GetArray(0)).reshape(4, 3, 2)[:, 0, 0]
        print(f"{len(orbitals)} in the file, {reader.GetClassName()}: {grid.GetPointData().GetNumberOfArrays()} grid, along z {values.tolist()}")
END
"$python" cube.py >seen.txt
cat seen.txt
cat >was.txt <<'END'
1 in the file, vtkGaussianCubeReader: 1 grid, along z [0.0, 1.0, 2.0, 3.0]
1 in the file, vtkGaussianCubeReader2: 1 grid, along z [0.0, 1.0, 2.0, 3.0]
2 in the file, vtkGaussianCubeReader: 1 grid, along z [0.0, 100.0, 1.0, 101.0]
2 in the file, vtkGaussianCubeReader2: 1 grid, along z [0.0, 100.0, 1.0, 101.0]
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
