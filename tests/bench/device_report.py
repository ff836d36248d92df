#!/usr/bin/env python3
"""Tables of what bench_cuda and host_arrays measured on a device: device_report.py results/MACHINE.json >results/MACHINE.md
and of what rivals_cuda.py did there, if there is a file results/MACHINE-rivals.json."""
import json
import pathlib
import re
import sys

import rivals_cuda


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


def between(values):
    least, most = f"{min(values):.2f}", f"{max(values):.2f}"
    return least if least == most else f"{least} to {most}"


def rivals(lines):
    """A row for each call and type: its worst case, and how far its others go."""
    head, times, calls = lines[0], rivals_cuda.by_name(lines), {}
    for e in lines:
        if "ratio" in e or "share" in e and e.get("role") == "own":
            call, kind, case = e["case"].split(" ", 2)
            by, order = re.fullmatch(r"(?:convk)?,? ?(.*?)((?: ?order \S+)?)", e["by"]).groups()
            name = by if call == "wavelets" or by.startswith(call) else f"{call} {by}".strip()
            if case.endswith(" with V"):
                name, case = name + " with V", case.removesuffix(" with V")
            calls.setdefault((name, kind, "rival" in e), []).append((e.get("ratio", e.get("share")), f"{case} {order.strip()}".strip(), e))
    print(f"Beside rivals on {head['date']}, version {head['convk']}, in one process, in turns (the cases of `rivals_cuda.py`; PyTorch")
    print(f"{head['torch']}): of each call its worst case, and from what to what its cases go, over the best rival of each, or where there is")
    print("none over less than the whole, such as a copy.  Rivals that only do as much work give no error.\n")
    print("| call | type | worst case | ms | the best rival | ms | its error | over it | cases |\n|---|---|---|---|---|---|---|---|---|")
    for (name, kind, has_rival), cases in sorted(calls.items(), key=lambda c: (not c[0][2], min(c[1], key=lambda v: v[0])[0])):
        ratio, case, e = min(cases, key=lambda v: v[0])
        other = times[e["case"], e["rival" if has_rival else "bound"]]
        error = f"{other['error']:.1e}" if "error" in other else "-"
        who = other["by"] if has_rival else f"none; {other['by']}"
        cells = [name, kind, case, number(e["ms"]), who, number(other["ms"]), error, between([c[0] for c in cases]), str(len(cases))]
        print("| " + " | ".join(cells) + " |")
    print()


def main():
    path = pathlib.Path(sys.argv[1])
    lines = [json.loads(s) for s in path.read_text().splitlines()]
    beside = path.with_name(path.stem + "-rivals.json")
    name = lines[0]["machine"]
    print(f"# {name}\n")
    if beside.exists():
        rivals([json.loads(s) for s in beside.read_text().splitlines()])
    print("Made by `tests/bench/device_report.py` from the file beside it.  Medians of the device's own events; the ceiling is what the")
    print("device did in the same rounds: a copy or a fill of as many bytes, or multiply-adds as many as the formula has.  Predictions")
    print("are those of [CUDA.md](CUDA.md), from machine code, without waiting; small batches and few walkers wait for their launch.\n")
    print("| call on device arrays | type | size | rate | of the ceiling | of the prediction | error |\n|---|---|---|---|---|---|---|")
    print("\n".join(rows(lines, False)))
    print("\nHost arrays: bytes in and out over the time of the call, beside plain copies of as many.  Pinned arrays come, are worked on and")
    print("go back at the same time, so that the longer direction counts; others are copied by the driver, in and out in turn.\n")
    print("| call on host arrays | type | size | rate | of its copies |\n|---|---|---|---|---|")
    print("\n".join(rows(lines, True)))


if __name__ == "__main__":
    main()
