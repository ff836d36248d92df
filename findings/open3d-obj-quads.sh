#!/bin/sh
# Open3D leaves the quadrilaterals of an OBJ file out, so that a closed surface comes back open.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install open3d-cpu==0.20.0 numpy==2.2.6
python=$folder/venv/bin/python
echo "version: $("$python" --version), open3d-cpu==0.20.0 numpy==2.2.6"
echo 'expected: a pyramid with a square base is closed; its five faces are six triangles, and its volume is 1/3. A reader of triangles
  cuts the base in two, or refuses the file'
cat >pyramid.obj <<'END'
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0.5 0.5 1
f 1 4 3 2
f 1 2 5
f 2 3 5
f 3 4 5
f 4 1 5
END
cat >read.py <<'END'
import open3d

mesh = open3d.io.read_triangle_mesh("pyramid.obj")
print(f"{len(mesh.vertices)} vertices, {len(mesh.triangles)} triangles, {'closed' if mesh.is_watertight() else 'open'}")
END
"$python" read.py 2>/dev/null | grep vertices >seen.txt
cat seen.txt
cat >was.txt <<'END'
5 vertices, 4 triangles, open
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
