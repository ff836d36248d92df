#!/bin/sh
# After an operator of Devito has run, the calling thread of Python flushes subnormal numbers to zero, in NumPy too.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
case $(uname -m) in x86_64) ;; *) { echo 'skipped: this is about MXCSR of x86-64'; exit 77; } ;; esac
command -v gcc >/dev/null || { echo 'skipped: there is no gcc, which Devito calls'; exit 77; }
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install devito==4.8.23 numpy==2.4.3 sympy==1.14.0
python=$folder/venv/bin/python
echo "version: $("$python" --version), devito==4.8.23 numpy==2.4.3 sympy==1.14.0"
echo 'expected: an operator changes its own arrays, and leaves the rounding and flushing of the thread that calls it as they were'
cat >flush.py <<'END'
import numpy as np
from devito import Eq, Grid, Operator, TimeFunction, configuration

configuration["log-level"] = "ERROR"


def halved():
    return (np.array([1e-310]) * 0.5)[0]


print("before:", halved())
u = TimeFunction(name="u", grid=Grid(shape=(16, 16)), space_order=2)
u.data[:] = 1
operator = Operator(Eq(u.forward, u.laplace))
print("with the operator built:", halved())
operator.apply(time_M=2, dt=0.1)
print("once it has run:", halved())
END
"$python" flush.py >seen.txt 2>/dev/null
cat seen.txt
cat >was.txt <<'END'
before: 5e-311
with the operator built: 5e-311
once it has run: 0.0
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was'
