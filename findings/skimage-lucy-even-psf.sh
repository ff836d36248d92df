#!/bin/sh
# scikit-image's Richardson-Lucy deconvolution diverges where the point spread function has even sizes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install scikit-image==0.26.0 numpy==2.4.3 scipy==1.17.1 || exit 77
python=$folder/venv/bin/python
echo "version: $("$python" --version), scikit-image==0.26.0 numpy==2.4.3 scipy==1.17.1"
echo 'expected: an image that was blurred by a box and has no noise becomes sharper with each iteration, for boxes of 3, 4 and 5 points'
cat >lucy.py <<'END'
import numpy as np
from scipy.signal import convolve
from skimage.restoration import richardson_lucy

sharp = np.zeros((65, 65))
sharp[20:40, 25:30], sharp[45, 45] = 0.3, 1
for n in 3, 4, 5:
    psf = np.full((n, n), 1 / n**2)
    blurred = convolve(sharp, psf, "same")
    error = lambda image: np.sqrt(np.mean((image - sharp) ** 2))
    less = [error(richardson_lucy(blurred, psf, num_iter=k)) < error(blurred) for k in (10, 100)]
    largest = richardson_lucy(blurred, psf, num_iter=100, clip=False).max()
    print(f"{n}x{n}: nearer to the sharp image than the blurred one, after 10 iterations {less[0]}, after 100 {less[1]};",
          f"values, 1 at most, are above 100: {largest > 100}")
END
"$python" lucy.py >seen.txt
cat seen.txt
cat >was.txt <<'END'
3x3: nearer to the sharp image than the blurred one, after 10 iterations True, after 100 True; values, 1 at most, are above 100: False
4x4: nearer to the sharp image than the blurred one, after 10 iterations False, after 100 False; values, 1 at most, are above 100: True
5x5: nearer to the sharp image than the blurred one, after 10 iterations True, after 100 True; values, 1 at most, are above 100: False
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was: the mirrored function is convolved with in mode "same", which for even sizes is one pixel off the transpose of the blur'
