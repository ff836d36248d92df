#!/usr/bin/env python3
"""Whether every barrier of the OpenCL kernels is needed: removes one at a time, and of those that fence local and global memory
each fence, and runs the small golden cases of the family under Oclgrind until it reports a race, or bits differ.
   tests/barriers_opencl.py [FAMILY...]           prints a table `place | noticed by`; from the top of the repository
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import time

FAMILIES = {"filters": "SEPCONV", "wavelets": "SEPCONV", "sums": "SEPCONV", "stencil": "STENCIL", "gaussian": "GAUSSIAN",
            "grids": "GAUSSIAN", "formfactor": "FORMFACTOR", "distances": "DISTANCES", "amplitudes": "AMPLITUDES",
            "fft": "FFT", "pairs": "VMC"}
# More runs than that of the small cases, for what those do not reach: flags, environment, arguments, whether bits count.
MORE = {
    "fft": [(["-DCONVK_CL_SPECIAL_=%d" % special], {}, ["--small", *parts], True)
            for special in (32, 0) for parts in ([], ["--local-bytes", "1024"])]
           + [([], {}, ["--filter", "fftconv2d_c32 fft-1024x8 "], True)],
    # more images of a group than local memory has room for at a time
    "grids": [([], {}, ["--filter", "gridpot_grid_f32 hexagonal-periodic ", "--local-bytes", "2048"], True)],
    "pairs": [([], {"CONVK_OPENCL_ITEMS": "32"}, ["--small"], False)],  # groups of 32: sums have another order
    "amplitudes": [([], {"CONVK_OPENCL_GROUPS": "1"}, ["--small", "--filter", "list"], True)],  # a group with more than one task
}
FOLDER = "build/barriers"
SECONDS = 900  # of one run: all small cases of a family take less than two minutes
FENCES = "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"


def edits(text):
    """(place, text without it) of each barrier, and of MEET, WAIT and CONVK_BARRIER_, which are one in some rooms."""
    for found in re.finditer(r"\bbarrier\(([A-Z_| ]+)\)|(?<=[ \n])(?:MEET|WAIT|CONVK_BARRIER_\(\))(?=;)", text):
        line = text.count("\n", 0, found.start()) + 1
        before, after = text[: found.start()], text[found.end() :]
        defined = re.search(r"#define \w+(\(\))? $", before)  # the uses come one by one
        if not defined:
            yield "%d" % line, before + "(void)0" + after
        if found.group(1) and "|" in found.group(1):
            for fence in FENCES:
                yield "%d, only %s" % (line, fence), before + "barrier(" + fence + ")" + after


def compiled(family, flags):
    program = FOLDER + "/golden"
    with open(FOLDER + "/include/convk_cl.h", "w") as header:
        subprocess.run([FOLDER + "/made/join", FOLDER + "/src", FOLDER + "/names", "convk_cl.h"], stdout=header, check=True)
    subprocess.run(
        [os.environ.get("CC", "cc"), "-std=c99", "-D_GNU_SOURCE", "-ffp-contract=off", "-O0", "-I" + FOLDER + "/include", "-DCONVK_CL",
         "-DCL_TARGET_OPENCL_VERSION=120", "-DCONVK_WITH_" + FAMILIES[family], *flags,
         "tests/golden.c", "tests/opencl_options.c", "tests/opencl_limits.c",
         "-Wl,--wrap=clBuildProgram,--wrap=clGetDeviceInfo,--wrap=clGetKernelWorkGroupInfo,--wrap=clEnqueueNDRangeKernel",
         "-Wl,--wrap=clSetKernelArg",
         "-o", program, "-lOpenCL", "-lm"], check=True)
    return program


def noticed(family, flags, more, arguments, bits):
    """What a run of the small cases shows first: the race that Oclgrind sees, or that bits differ."""
    log, output = FOLDER + "/log.txt", FOLDER + "/output.txt"
    if os.path.exists(log):
        os.remove(log)
    with open(output, "w") as to:
        run = subprocess.Popen(
            ["oclgrind", "--data-races", "--max-errors", "1", "--log", os.path.abspath(log), compiled(family, flags), *arguments,
             "--hw", "opencl-gpu"], stdout=to, stderr=to,
            env=dict(os.environ, CONVK_OPENCL_MORE="-cl-opt-disable", CONVK_REQUIRE="opencl-gpu", **more))
        end = time.time() + SECONDS
        while run.poll() is None and not (os.path.exists(log) and os.path.getsize(log)) and time.time() < end:
            time.sleep(0.1)
        late = time.time() >= end
        if run.poll() is None:
            run.kill()
            run.wait()
    seen = open(log, errors="replace").read() if os.path.exists(log) else ""
    kernel = re.search(r"Kernel: (\w+)", seen)
    if kernel:
        return "Oclgrind, %s in %s" % (seen.strip().split(" at ")[0].split("\n")[0], kernel.group(1))
    if late:
        return "nobody within %d s" % SECONDS
    return "bits" if run.returncode and bits else None


def main():
    families = sys.argv[1:] or list(FAMILIES)
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER + "/include")
    made = {**os.environ, "MADE": FOLDER + "/made", "NAMES": FOLDER + "/names"}
    subprocess.run(["src/headers.sh", "--check"], env=made, stdout=subprocess.DEVNULL, check=False)
    for header in ("convk.h", "convk_sse.h", "convk_avx.h", "convk_neon.h", "convk_cuda.h"):
        shutil.copy(header, FOLDER + "/include")
    passed = failed = 0
    for family in families:
        shutil.rmtree(FOLDER + "/src", ignore_errors=True)
        shutil.copytree("src", FOLDER + "/src")
        room = FOLDER + "/src/" + family
        for path in sorted(glob.glob(room + "/*kernel.cl") + glob.glob(room + "/device_kernels.h")):
            original = open(path).read()
            for place, text in [("as it is", original), *edits(original)]:
                with open(path, "w") as to:
                    to.write(text)
                by = None
                for way in [([], {}, ["--small"], True), *MORE.get(family, [])]:
                    by = by or noticed(family, *way)
                good = (by is None) == (text == original)
                passed, failed = passed + good, failed + (not good)
                print("%s%s/%s:%s | %s" % ("" if good else "FAIL ", family, os.path.basename(path), place, by or "nobody"), flush=True)
            with open(path, "w") as to:
                to.write(original)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
