#!/bin/sh
# After an operator of Devito has run, the calling thread of Python flushes subnormal numbers to zero, in NumPy too.
. "$(dirname "$0")/common.sh"
case $(uname -m) in x86_64) ;; *) skip 'this is about MXCSR of x86-64' ;; esac
command -v gcc >/dev/null || skip 'there is no gcc, which Devito calls'
python_with devito==4.8.23 numpy==2.4.3 sympy==1.14.0
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
verdict 'before: 5e-311
with the operator built: 5e-311
once it has run: 0.0'
