#!/bin/sh
# meshio ends the calling program, with SystemExit, where an OFF file has faces of four corners.
. "$(dirname "$0")/common.sh"
python_with meshio==5.3.5 numpy==2.2.6
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
verdict 'quad.off would have ended the program'
