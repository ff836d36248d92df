#!/bin/sh
# PoCL drops the condition of a loop behind two barriers where a `continue` before them, which all work-items of a group take at once, skips
# a turn: work-items for which the condition is false go through the loop, too.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v python3 >/dev/null || { echo 'skipped: there is no python3'; exit 77; }
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install pyopencl==2025.2.7 pocl-binary-distribution==3.0 numpy==2.4.6 ||
  { echo 'skipped: PyPI cannot be reached, or has no PoCL for this machine'; exit 77; }
OCL_ICD_VENDORS=$(echo "$folder"/venv/lib/python3*/site-packages/pyopencl/.libs)
export OCL_ICD_VENDORS POCL_CACHE_DIR="$folder/cache" PYOPENCL_NO_CACHE=1
echo "expected: 16 items of a group add up 16 ones in each turn that is not skipped, the first ten alone: 32 with one of three turns
  skipped, or 48, and 0 from the eleventh on; each barrier is met by all items of the group or by none"
cat >turns.py <<'END'
import numpy as np
import pyopencl as cl

SOURCE = """
kernel void add(global int *out, local int *tile) {
  const int me = get_local_id(0);
  int sum = 0;
  for (int t = 0; t < 3; t++) {
    SKIP
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[me] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me < 10)
      for (int i = 0; i < 16; i++) sum += tile[i];
  }
  out[me] = sum;
}
"""
platform = cl.get_platforms()[0]
print("version:", platform.version.split("  ")[0])
context = cl.Context([platform.get_devices()[0]])
queue = cl.CommandQueue(context)
for skip in "", "if (t == 1) continue;":
    program = cl.Program(context, SOURCE.replace("SKIP", skip)).build(options=["-cl-std=CL1.2"])
    out = np.zeros(16, np.int32)
    on_device = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, out.nbytes)
    program.add(queue, (16,), (16,), on_device, cl.LocalMemory(out.nbytes))
    cl.enqueue_copy(queue, out, on_device)
    print(skip or "no turn is skipped", *out)
END
timeout 300 venv/bin/python -W ignore turns.py >seen.txt
cat seen.txt
cat >was.txt <<'END'
version: OpenCL 3.0 PoCL 3.0-rc2
no turn is skipped 48 48 48 48 48 48 48 48 48 48 0 0 0 0 0 0
if (t == 1) continue; 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32 32
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was: with the continue, items 10 to 15 add up, too'
