#!/usr/bin/env python3
"""Tables of what bench_cuda and host_arrays measured on a device: device_report.py results/MACHINE.json >results/MACHINE.md"""
import json
import pathlib
import sys


def number(x):
    return f"{x:.0f}" if x >= 1000 else f"{x:.3g}"


def rows(lines, host):
    """Those of arrays on the device, or of the host: they go in and out over the bus."""
    for e in lines:
        if "operation" not in e or ("pinned" in e["operation"] or "pageable" in e["operation"]) != host:
            continue
        share = f"{e['fraction']:.2f}" if e.get("fraction") else "-"
        predicted = f"{e['of_predicted']:.2f}" if e.get("of_predicted") else "-"
        error = f"{e['max_error']:.1e}" if e.get("max_error") else "0" if "max_error" in e else "-"
        cells = [e["operation"], e["type"], e["size"], f"{number(e['rate'])} {e['unit']}", share]
        yield "| " + " | ".join(cells + ([] if host else [predicted, error])) + " |"


def main():
    lines = [json.loads(s) for s in pathlib.Path(sys.argv[1]).read_text().splitlines()]
    name = lines[0]["machine"]
    print(f"# {name}\n")
    print("Made by `tests/bench/device_report.py` from the file beside it.  Medians of the device's own events; the ceiling is what the")
    print("device did in the same rounds: a copy or a fill of as many bytes, or multiply-adds as many as the formula has.  Predictions")
    print("are those of [CUDA.md](CUDA.md), from machine code, without waiting; small batches and few walkers wait for their launch.\n")
    print("| call on device arrays | type | size | rate | of the ceiling | of the prediction | error |\n|---|---|---|---|---|---|---|")
    print("\n".join(rows(lines, False)))
    print("\nHost arrays: bytes in and out over the time of the call, beside twice those of the longer one of two plain copies, in and out.")
    print("Pinned arrays come, are worked on and go back at the same time; others are copied by the driver, in and out in turn.\n")
    print("| call on host arrays | type | size | rate | of the longer copy |\n|---|---|---|---|---|")
    print("\n".join(rows(lines, True)))


if __name__ == "__main__":
    main()
