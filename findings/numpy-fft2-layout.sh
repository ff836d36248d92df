#!/bin/sh
# fft2 of NumPy 1 returns an array whose columns, not rows, are contiguous, and of float32 a complex128; NumPy 2 does neither.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo 'expected: of an array in C order an array in C order, as most functions of NumPy give; code that hands its address to C reads the
  transpose otherwise. The type is in the notes of NumPy 2, the order of memory is not'
cat >layout.py <<'END'
import numpy as np

r = np.fft.fft2(np.ones((4, 5), np.float32))
print(f"NumPy {np.__version__[0]}: {r.dtype}, {'C' if r.flags.c_contiguous else 'Fortran' if r.flags.f_contiguous else 'no'} order")
END
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install numpy==1.26.4
python=$folder/venv/bin/python
echo "version: $("$python" --version), numpy==1.26.4"
"$python" layout.py >seen.txt
rm -rf venv
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install numpy==2.2.6
python=$folder/venv/bin/python
echo "version: $("$python" --version), numpy==2.2.6"
"$python" layout.py >>seen.txt
cat seen.txt
cat >was.txt <<'END'
NumPy 1: complex128, Fortran order
NumPy 2: complex64, C order
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
