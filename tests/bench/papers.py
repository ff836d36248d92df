"""The figures of five papers beside those of results files, for report.py: papers.json has what the papers say and which line of a
benchmark is the same case.

A row: case, on (the paper's hardware), kind ("device": of a GPU), rate, unit, peak (of its hardware, or null), each (what a unit of
the rate takes of the peak: bytes, flops; 1 if left out; ours_each: here), share (where the paper's own count differs).
   ours     keys of a line of `bench`, or a list of alternatives, the best first; threads may be "all"; times (to the paper's unit),
            value ("ratio" or "per joule" instead of the rate), flops (of a unit, for the share alone)
   over     what our peak is: flops (multiply-adds in registers), copy (bandwidth of copies), line (its own ceiling), threads
   device   the same of `bench_cuda`, of the first of the sizes that there is, else as predicted; over: flops or memory, by the
            device's papers, or line; to: the line of a processor that it is divided by
   why      reasons of dashes, and note, remarks: for processors, device or share"""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "audit"))
import machine_code  # noqa: E402

DASH = "–"
GPU = "H100"  # whose rates are predicted where none is measured


def digits(x):
    return f"{x:.3g}" if abs(x) < 1000 else f"{x:.0f}"


def matching(lines, keys, sizes=None):
    """The first line with these keys, of the first size that there is."""
    for size in sizes or [keys.get("size")]:
        for line in lines:
            if all(line.get(key) == value for key, value in dict(keys, size=size).items()):
                return line
    return None


class Machine:
    """One of processors: its lines, and those of another run, which fill in what they lack."""

    def __init__(self, name, head, lines, more=()):
        self.name, self.threads, self.lines, self.more = name, head["threads"], lines, more

    def line(self, ours):
        """The line of one of the alternatives, the lines around it, the mark of another run, and the alternative."""
        alternatives = ours if isinstance(ours, list) else [ours]
        for lines, mark in ((self.lines, ""), (self.more, "*")):
            for one in alternatives:
                keys = {key: one[key] for key in ("operation", "type", "hw", "threads", "size", "peer") if key in one}
                if keys["threads"] == "all":
                    keys["threads"] = self.threads
                found = matching(lines, keys)
                if found:
                    return found, lines, mark, one
        return None, None, "", None

    def peak(self, over, line, lines):
        """Of all threads that a line has, in GFlop/s or GB/s, from the same run if that measured it."""
        if over in ("threads", "line"):
            return line["threads" if over == "threads" else "ceiling"]
        for where in (lines, self.lines):
            if over == "copy":
                found = matching(where, {"operation": "ceiling_copy", "threads": line["threads"], "size": "256MiB"})
                if found:
                    return found["rate"]
            type_ = "f32" if line["type"] in ("f32", "c32") else "f64"
            keys = {"operation": "magicfilter3d", "type": type_, "hw": line["hw"], "threads": line["threads"], "size": "128x126x130"}
            found = over == "flops" and matching(where, keys)
            if found:
                return found["ceiling"]
        return None

    def value(self, row):
        """What is here, the share of the peak, both over the paper's, and the mark of another run; None: there is none."""
        line, lines, mark, ours = self.line(row["ours"]) if row.get("ours") else (None, None, "", None)
        if line is None:
            return None
        kind = ours.get("value")
        if kind == "ratio":
            x = line["ratio"]
        elif kind == "per joule":
            x = ours.get("times", 1) / line["joules"] if "joules" in line else None
        else:
            x = line["rate"] * ours.get("times", 1)
        peak = self.peak(row["over"], line, lines) if "over" in row else None
        return x and shares(row, ours, x, peak, row.get("ours_each", row.get("each", 1))) + (mark,)


def shares(row, ours, x, peak, each):
    """(x, share of the peak or None, x / peak over the paper's or None, x over the paper's)"""
    per_peak = x * each / peak if peak else None
    share = x * ours["flops"] / peak if peak and "flops" in ours else None if "share" in row else per_peak
    theirs = row["rate"] * row.get("each", 1) / row["peak"] if row["peak"] else None
    return x, share, per_peak / theirs if per_peak and theirs else None, x / row["rate"]


class Device:
    """A GPU: lines of bench_cuda, or None, and what is predicted."""

    def __init__(self, measured=None):
        self.measured = measured[1] if measured else []
        entry = next((m for machines in machine_code.DEVICES.values() for m in machines if measured and m.called in measured[0]), None)
        self.entry = entry or next(m for machines in machine_code.DEVICES.values() for m in machines if m.name == GPU)
        if measured and not entry:
            self.measured = []  # of a device whose peaks are not known
        self.name = "NVIDIA " + self.entry.name
        text = (HERE / "audit/cuda.json").read_text().splitlines()
        self.predicted = [line for line in map(json.loads, text) if line.get("device") == self.entry.called and "operation" in line]

    def peak(self, over, type_):
        m = self.entry
        if over == "memory":
            return m.memory * 1e-9
        return 2e-9 * m.multiprocessors * m.pipes["f32" if type_ in ("f32", "c32") else "f64"] * m.clock * 1e9

    def value(self, row, processor):
        """As Machine.value; the mark says what is predicted."""
        ours = row.get("device")
        if not ours:
            return None
        keys = {"operation": ours["operation"], "type": ours["type"]}
        line, mark = matching(self.measured, keys, ours["sizes"]), ""
        if line is None:
            line, mark = matching(self.predicted, keys, ours["sizes"] + ["*"]), " predicted"
        if line is None:
            return None
        x = line["rate"] * ours.get("times", 1)
        # a line's ceiling is of updates, 16 bytes each
        peak = line["ceiling"] * 16 if ours["over"] == "line" else self.peak(ours["over"], ours["type"])
        each = ours.get("each", row.get("ours_each", row.get("each", 1)))
        if "to" in ours:  # a processor's rate and peak
            base, lines, _, _ = processor.line(ours["to"])
            if base is None:
                return None
            x, peak, each = x / base["rate"], peak / processor.peak("flops", base, lines), 1
        return shares(row, ours, x, peak, each) + (mark,)


def cell(value, row):
    if value is None:
        return DASH
    x, share, _, _, mark = value
    unit = "" if row["unit"] == "times" else " " + row["unit"]
    return f"{digits(x)}{unit}" + (f", {share:.2f}" if share else "") + mark


def over_theirs(values, which):
    found = [DASH if not value or not value[which] else f"{value[which]:.2f}" if value[which] < 10 else digits(value[which]) for value in values]
    return DASH if set(found) == {DASH} else " / ".join(found)


def table(paper, machines, device):
    rows = ["| case | hardware of the paper | figure, share | " + " | ".join(m.name for m in machines) + f" | {device.name} "
            "| share over share | rate over rate |", "|---|---|---|" + "---|" * (len(machines) + 3)]
    notes = []

    def with_reason(text, why, needed):
        if not why or (needed and text != DASH):
            return text
        if why not in notes:
            notes.append(why)
        return f"{text} ({notes.index(why) + 1})"

    for row in paper["rows"]:
        why, note = row.get("why", {}), row.get("note", {})
        of_device = row.get("kind") == "device"
        ours = [m.value(row) for m in machines]
        gpu = device.value(row, machines[0])
        compared = [gpu] if of_device else ours
        share = row["share"] if "share" in row else row["rate"] * row.get("each", 1) / row["peak"] if row["peak"] else None
        figure = digits(row["rate"]) + ("" if row["unit"] == "times" else " " + row["unit"]) + (f", {share:.2f}" if share else "")
        here = [with_reason(cell(value, row), why.get("processors", "not measured on this machine"), True) for value in ours]
        there = with_reason(cell(gpu, row), why.get("device", "not measured"), True)
        there = with_reason(there, gpu and note.get("device"), False)
        fair = with_reason(over_theirs(compared, 2), why.get("share", "nothing to compare"), True)
        rate = with_reason(over_theirs(compared, 3), "nothing to compare", True)
        rows.append("| " + " | ".join([row["case"], row["on"], figure] + here + [there, fair, rate]) + " |")
    return rows + [""] + [f"- ({i + 1}) {note}." for i, note in enumerate(notes)]


def report(machines, measured, notes):
    """PAPERS.md: machines as (name, head, lines, lines of another run), measured as (name of a GPU, lines) or None, and what the marks of
    other runs mean."""
    device = Device(measured)
    machines = [Machine(*machine) for machine in machines]
    text = ["# Beside the papers", "",
            "Made by `tests/bench/report.py` from the results beside it and `tests/bench/papers.json`, which has what the papers say. Each",
            "cell is a figure and its share of the peak that the paper's sentence names. **Share over share** is the fair comparison, ours",
            "divided by the paper's: what is made of the hardware at hand, whatever its age (where counts of flops differ, rates for each",
            "flop of the peak). **Rate over rate** is only what a user of either sees; the machines here are virtual, of "
            f"{machines[0].threads} cores each. With",
            "two numbers, they are of the processors in the order of their columns; rows of GPUs compare GPUs.",
            "", (f"What is not measured on the {device.name}" if device.measured else f"**No figure of a GPU is measured yet**: what the {device.name} does")
            + " is predicted from machine code", "(CUDA.md); a device does at most this."]
    text += [f"\n`*` {note}" for note in notes]
    for paper in json.loads((HERE / "papers.json").read_text()):
        text += ["", "## " + paper["paper"], "", paper["compared"], ""] + table(paper, machines, device)
    return "\n".join(text).rstrip() + "\n"
