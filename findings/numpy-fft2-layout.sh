#!/bin/sh
# fft2 of NumPy 1 returns an array whose columns, not rows, are contiguous, and of float32 a complex128; NumPy 2 does neither.
. "$(dirname "$0")/common.sh"
echo 'expected: of an array in C order an array in C order, as most functions of NumPy give; code that hands its address to C reads the
  transpose otherwise. The type is in the notes of NumPy 2, the order of memory is not'
cat >layout.py <<'END'
import numpy as np

r = np.fft.fft2(np.ones((4, 5), np.float32))
print(f"NumPy {np.__version__[0]}: {r.dtype}, {'C' if r.flags.c_contiguous else 'Fortran' if r.flags.f_contiguous else 'no'} order")
END
python_with numpy==1.26.4
"$python" layout.py >seen.txt
rm -rf venv
python_with numpy==2.2.6
"$python" layout.py >>seen.txt
verdict 'NumPy 1: complex128, Fortran order
NumPy 2: complex64, C order'
