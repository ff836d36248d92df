#!/bin/sh
# trimesh and VTK read a PLY file whose triangles come in strips, as those of Stanford's scans do, as points without faces, and say nothing.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install trimesh==5.2.0 numpy==2.4.3 vtk==9.7.2 || exit 77
python=$folder/venv/bin/python
echo "version: $("$python" --version), trimesh==5.2.0 numpy==2.4.3 vtk==9.7.2"
echo 'expected: a tetrahedron whose element tristrips is "0 2 1 3 0 2 -1" has the 4 triangles that it has by its element face, or is refused'
cat >strips.py <<'END'
import trimesh
import vtk

points = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement "
corners = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
of = {"face": ("face 4\nproperty list uchar int vertex_indices", "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"),
      "tristrips": ("tristrips 1\nproperty list int int vertex_indices", "7 0 2 1 3 0 2 -1\n")}
for name, (element, body) in of.items():
    with open("a.ply", "w") as f:
        f.write(points + element + "\nend_header\n" + corners + body)
    loaded = trimesh.load("a.ply")
    reader = vtk.vtkPLYReader()
    reader.SetFileName("a.ply")
    reader.Update()
    shape = reader.GetOutput()
    print(f"{name}: trimesh {type(loaded).__name__}, load_mesh {len(trimesh.load_mesh('a.ply').faces)} faces;",
          f"VTK {shape.GetNumberOfPolys()} polygons, {shape.GetNumberOfStrips()} strips")
END
"$python" strips.py >seen.txt 2>/dev/null
cat seen.txt
cat >was.txt <<'END'
face: trimesh Trimesh, load_mesh 4 faces; VTK 4 polygons, 0 strips
tristrips: trimesh PointCloud, load_mesh 0 faces; VTK 0 polygons, 0 strips
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
