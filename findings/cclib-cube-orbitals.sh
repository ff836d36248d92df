#!/bin/sh
# cclib takes the numbers of orbitals in a cube file for its first values, and rows of five values for atoms.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install cclib==1.8.1 numpy==2.2.6 scipy==1.15.3
python=$folder/venv/bin/python
echo "version: $("$python" --version), cclib==1.8.1 numpy==2.2.6 scipy==1.15.3"
echo 'expected: a cube of an orbital has a negative number of atoms, and behind them a line with how many orbitals there are and their
  numbers; then come the values, the first of them 0.5. As many rows have five values as the grid asks for'
cat >cube.py <<'END'
from cclib.method.volume import read_from_cube


def cube(along_z, orbital):
    n = (2, 2, along_z)
    lines = ["made by hand", "values in order", f"{-1 if orbital else 1:5d} 0.0 0.0 0.0"]
    lines += [f"{n[k]:5d} " + " ".join("0.3" if k == d else "0.0" for d in range(3)) for k in range(3)]
    lines += ["    1 1.0 0.1 0.1 0.1", *(["    1    7"] if orbital else [])]
    values = [0.5 + k for k in range(n[0] * n[1] * n[2])]
    for row in range(0, len(values), along_z):
        lines.append(" ".join(f"{v:.5E}" for v in values[row:row + along_z]))
    return "\n".join(lines) + "\n"


for name, text in (("density, rows of 4", cube(4, False)), ("orbital, rows of 4", cube(4, True)), ("density, rows of 5", cube(5, False))):
    with open("a.cube", "w") as f:
        f.write(text)
    try:
        data = read_from_cube("a.cube").data.ravel()
        print(f"{name}: first values {data[:3].tolist()}, last {data[-1]}")
    except IndexError:
        print(f"{name}: IndexError")
END
"$python" cube.py >seen.txt 2>/dev/null
cat seen.txt
cat >was.txt <<'END'
density, rows of 4: first values [0.5, 1.5, 2.5], last 15.5
orbital, rows of 4: first values [1.0, 7.0, 0.5], last 13.5
density, rows of 5: IndexError
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
