#!/bin/sh
# trimesh reads an OFF file that has a comment below its first lines without a word, and loses or shifts vertices and faces.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install trimesh==5.2.0 numpy==2.2.6
python=$folder/venv/bin/python
echo "version: $("$python" --version), trimesh==5.2.0 numpy==2.2.6"
echo 'expected: "#" begins a comment, to the end of the line, anywhere in an OFF file; a tetrahedron has 4 vertices and 4 faces with
  comments and without, or else the reader refuses the file'
cat >comments.py <<'END'
import io

import trimesh

vertices = ["0 0 0", "1 0 0", "0 1 0", "0 0 1"]
faces = ["3 0 2 1", "3 0 1 3", "3 0 3 2", "3 1 2 3"]
cases = {
    "no comment": ["OFF", "4 4 6", *vertices, *faces],
    "on the first line": ["OFF # a tetrahedron", "4 4 6", *vertices, *faces],
    "behind the counts": ["OFF", "4 4 6 # vertices, faces, edges", *vertices, *faces],
    "on a line between vertices and faces": ["OFF", "4 4 6", *vertices, "# faces", *faces],
}
for name, lines in cases.items():
    mesh = trimesh.load(io.BytesIO("\n".join(lines + [""]).encode()), file_type="off", process=False)
    print(f"{name}: {len(mesh.faces)} faces, first vertex {mesh.vertices[0].astype(int).tolist()}")
END
"$python" comments.py >seen.txt 2>/dev/null
cat seen.txt
cat >was.txt <<'END'
no comment: 4 faces, first vertex [0, 0, 0]
on the first line: 4 faces, first vertex [0, 0, 0]
behind the counts: 3 faces, first vertex [4, 4, 6]
on a line between vertices and faces: 0 faces, first vertex [0, 0, 0]
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
