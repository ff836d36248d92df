#!/bin/sh
# meshio ends the calling program, with SystemExit, where an OFF file has faces of four corners.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install meshio==5.3.5 numpy==2.2.6
python=$folder/venv/bin/python
echo "version: $("$python" --version), meshio==5.3.5 numpy==2.2.6"
echo 'expected: faces of four corners are part of the format; a library that does not read them raises its ReadError, which
  `except Exception` catches'
cat >quad.py <<'END'
import meshio

with open("quad.off", "w") as f:
    f.write("OFF\n4 1 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n")
try:
    print("quad.off:", meshio.read("quad.off").cells)
except Exception as e:
    print("quad.off is an error,", type(e).__name__)
except SystemExit:
    print("quad.off would have ended the program")
END
"$python" quad.py 2>/dev/null | grep off >seen.txt
cat seen.txt
cat >was.txt <<'END'
quad.off would have ended the program
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
