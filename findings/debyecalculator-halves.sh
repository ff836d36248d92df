#!/bin/sh
# DebyeCalculator's intensities and pair distribution functions are half of those of Debye's formula: it counts each pair once, and halves what
# an atom scatters alone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
# with PyTorch, some gigabytes
venv/bin/pip -q --disable-pip-version-check install debyecalculator==1.1.1 torch==2.5.1 numpy==1.26.4 || exit 77
python=$folder/venv/bin/python
echo "version: $("$python" --version), debyecalculator==1.1.1 torch==2.5.1 numpy==1.26.4"
echo 'expected: one atom of scattering length b scatters b^2, and two of them 4 b^2 at q = 0 (the sum over ordered pairs, an atom with itself included);
  the integral of r G(r) over the first peak of a crystal is the number of nearest neighbours, to some per cent'
cat >halves.py <<'END'
import itertools

import numpy as np
from debyecalculator import DebyeCalculator

calculator = DebyeCalculator(device="cpu", radiation_type="neutron", biso=0.0, qmin=0.0, qmax=30.0, qstep=0.02,
                             rmin=0.0, rmax=6.0, rstep=0.01, lorch_mod=False, qdamp=0.0)
b = 7.63  # fm, of gold
for n in (1, 2):
    positions = np.array([(3.0 * i, 0.0, 0.0) for i in range(n)])
    _, intensity = calculator.iq((["Au"] * n, positions))
    print(f"I(0) of {n} over b^2 {n}^2: {float(np.ravel(intensity)[0]) / (n * b) ** 2:.2f}")
edge, radius = 4.0786, 18.0
steps = range(-10, 11)
ball = np.array([(i, j, k) for i, j, k in itertools.product(steps, repeat=3) if (i + j + k) % 2 == 0]) * edge / 2
ball = ball[(ball**2).sum(1) < radius**2]
distance = np.linalg.norm(ball[:, None] - ball[None], axis=2)
r, g = (np.ravel(values) for values in calculator.gr((["Au"] * len(ball), ball)))
peak = (r > 2.4) & (r < 3.4)
print(f"neighbours in G(r): {np.sum(r[peak] * g[peak]) * 0.01:.1f}")
print(f"neighbours in the ball: {((distance > 2.4) & (distance < 3.4)).sum() / len(ball):.1f}")
END
"$python" halves.py >seen.txt 2>errors.txt || { cat errors.txt; exit 1; }
cat seen.txt
cat >was.txt <<'END'
I(0) of 1 over b^2 1^2: 0.50
I(0) of 2 over b^2 2^2: 0.50
neighbours in G(r): 5.4
neighbours in the ball: 10.6
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
