#!/usr/bin/env python3
"""What the machine code of convk_cuda.h promises on AMD's GPUs: registers, spills and memory of its kernels, compiled by hipcc.

    audit_hip.py [--arch gfx90a] [--family SEPCONV,...] [--json FILE] [--compare FILE]

  --json     one object per line and kernel: vgpr (with AGPRs), sgpr, spills (of VGPRs, to memory), scratch and lds (bytes: memory
             of a thread that holds spills and arrays that are indexed at run time; shared memory of a block)
  --compare  fails where a kernel spills more, or takes more scratch, than in that file
Needs hipcc and the headers of HIP."""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
FAMILIES = ("SEPCONV", "STENCIL", "VMATH", "GAUSSIAN", "FORMFACTOR", "DISTANCES", "AMPLITUDES", "FFT", "VMC")
FIELDS = {"vgpr": "vgpr_count", "sgpr": "sgpr_count", "spills": "vgpr_spill_count", "scratch": "private_segment_fixed_size",
          "lds": "group_segment_fixed_size"}


def plain(names):
    """Names as people write them."""
    text = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    return [re.sub(r"^void |\(convk_.*$", "", line) for line in text.splitlines()]


def kernels(arch, family):
    with tempfile.TemporaryDirectory() as folder:
        unit, code = os.path.join(folder, "unit.hip"), os.path.join(folder, "unit.s")
        with open(unit, "w", encoding="utf-8") as f:
            f.write('#define CONVK_HIP\n#define CONVK_CUDA\n#include "convk.h"\n')
        command = ["hipcc", f"--offload-arch={arch}", "-O3", "-w", f"-DCONVK_WITH_{family}", f"-I{ROOT}", "--cuda-device-only"]
        subprocess.run([*command, "-S", unit, "-o", code], check=True)
        with open(code, encoding="utf-8") as f:
            metadata = f.read().partition("amdhsa.kernels:")[2]
    found = []
    for text in re.split(r"\n  - ", metadata)[1:]:
        name = re.search(r"^ +\.name: +(\S+)$", text, re.M)
        if name:
            values = {f: int(re.search(rf"\.{key}: +(\d+)", text)[1]) for f, key in FIELDS.items()}
            found.append((name[1], values))
    return [{"arch": arch, "family": family, "kernel": n, **v} for n, (_, v) in zip(plain([k for k, _ in found]), found)]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--arch", default="gfx90a")
    arguments.add_argument("--family", default=",".join(FAMILIES))
    arguments.add_argument("--json")
    arguments.add_argument("--compare")
    a = arguments.parse_args()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = [row for rows in pool.map(lambda f: kernels(a.arch, f), a.family.split(",")) for row in rows]
    for row in rows:
        print(f"{row['vgpr']:4} VGPR {row['spills']:4} spills {row['scratch']:5} B scratch {row['lds']:6} B LDS  {row['kernel']}")
    if a.json:
        with open(a.json, "w", encoding="utf-8") as f:
            f.writelines(json.dumps(row) + "\n" for row in rows)
    worse = 0
    if a.compare:
        with open(a.compare, encoding="utf-8") as f:
            before = {row["kernel"]: row for row in map(json.loads, f)}
        for row in rows:
            was = before.get(row["kernel"], {"spills": 0, "scratch": 0})
            for what in "spills", "scratch":
                if row[what] > was[what]:
                    print(f"{row['kernel']}: {what} {row[what]}, before {was[what]}")
                    worse += 1
    print(f"{len(rows)} kernels, {sum(row['spills'] > 0 for row in rows)} with spills, "
          f"{sum(row['scratch'] > 0 for row in rows)} with scratch memory")
    sys.exit(1 if worse or not rows else 0)


if __name__ == "__main__":
    main()
