#!/usr/bin/env python3
"""How fast NEON kernels should be, without a machine that has it: calls traced by qemu, and their instructions in LLVM's models.

    audit_neon.py [--cpu NAME,...] [--filter TEXT,...] [--compiler gcc,clang] [--json FILE] [--table JSON] [--hot N]

A call of each operation (neon_calls.c) runs in qemu-aarch64, by the words of NEON and as portable C, both compiled with -O3: there
compilers vectorise what they can.  Windows of the instructions that it really went through, in their order, drivers and ends of loops
included, go through llvm-mca's model of a processor, which gives cycles.  From these come
  cycles    of the whole call
  share     of the peak of multiply-adds: operations on reals (a multiply-add is two) over what the pipes could do
  busy      instructions on vectors and reals over what these pipes could take: what is left is a bound that words cannot move
  speed     cycles of the portable call over those of NEON's
The model knows no caches, and no branch that was guessed wrongly: all of this is predicted, nothing measured.
--hot shows the blocks that take most of its instructions, and llvm-mca's view of what holds them up."""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
OUT = ROOT / "build" / "audit_neon"
TYPES = {"f32": ("float", 4), "f64": ("double", 2)}  # in C; lanes
OPERATIONS = ["magicfilter3d", "stencil7", "exp", "log", "sincos", "gridpot_sum", "orbitals", "formfactor", "formfactor_grid", "fftconv2d",
              "pair_energy"]
COMPILERS = {"gcc": ["aarch64-linux-gnu-gcc"], "clang": ["clang", "--target=aarch64-linux-gnu"]}
# Pipes for vectors, each a multiply-add of 128 bits a cycle, by the vendors' guides to optimisation (and for Apple by measurements of
# others); LLVM's name for the processor where that is another: it has the model of an older one.
PROCESSORS = {"neoverse-v1": 4, "neoverse-v2": 4, "neoverse-n1": 2, "apple-m1": 4}
WINDOWS, WINDOW = 8, 4000  # parts of a trace, of so many instructions


def fail(text):
    sys.exit(f"audit_neon.py: {text}")


def tool(*names):
    """The first of these that is here, newest first."""
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    fail(f"there is no {names[0]}: Debian packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user llvm-19")


def run(*command):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        fail(f"{' '.join(map(str, command))}\n{done.stderr[-2000:]}")
    return done.stdout


def compiled(compiler, kind):
    program = OUT / f"calls_{compiler}_{kind}"
    newest = max(p.stat().st_mtime for p in [*ROOT.glob("convk*.h"), HERE / "neon_calls.c"])
    if not program.exists() or program.stat().st_mtime < newest:
        run(*COMPILERS[compiler], "-std=gnu99", "-O3", "-static", "-w", f"-I{ROOT}", f"-DNUMBER={TYPES[kind][0]}", f"-DNAMED={kind}",
            f"-DCONVK_{kind.upper()}", "-DCONVK_WITH_ALL", HERE / "neon_calls.c", "-o", program)
    return program


def disassembled(program):
    """{address: instruction}, in the assembler's words, with no place to jump to: the trace says where it went; and {address: function}."""
    text, functions, function = {}, {}, ""
    for line in run(tool("llvm-objdump-19", "llvm-objdump"), "-d", "--no-show-raw-insn", program).splitlines():
        label = re.match(r"[0-9a-f]+ <(.*)>:", line)
        if label:
            function = label[1]
        found = re.match(r"\s*([0-9a-f]+):\s+(.*\S)", line)
        if found:
            address = int(found[1], 16)
            what = re.sub(r"\s*(//|<).*", "", found[2]).replace("\t", " ")
            what = re.sub(r"^(b|bl|b\.\w+|cbn?z|tbn?z|adrp?) (.*?)0x[0-9a-f]+$", r"\1 \g<2>#0", what)
            text[address], functions[address] = what, function
    return text, functions


def traced(program, operation, hardware):
    """Lists of addresses of straight pieces, in the order in which the call went through them."""
    log = OUT / f"{program.name}_{operation}_{hardware}.log"
    run(tool("qemu-aarch64"), "-d", "in_asm,exec,nochain", "-D", log, program, operation, hardware)
    symbols = {name: int(address, 16) for address, _, name in
               (line.split() for line in run(tool("llvm-nm-19", "llvm-nm"), program).splitlines() if len(line.split()) == 3)}
    pieces, inside, order, last, reads = {}, False, [], None, False
    with open(log, encoding="ascii", errors="replace") as lines:
        for line in lines:
            if line.startswith("Trace"):
                at = int(line.split("/")[1], 16)
                if at == symbols["audit_begin"]:
                    inside = True
                elif at == symbols["audit_end"]:
                    inside = False
                elif inside:
                    order.append(at)
            elif line.startswith("IN:"):
                last = None
            elif line.startswith("0x"):
                address = int(line[:10], 16)
                if last is None:
                    last = pieces[address] = []
                last.append(address)
    log.unlink()
    return [pieces[at] for at in order]


REALS = re.compile(r"^(fn?m(?:ul|la|ls|add|sub)|fadd|fsub|fdiv|fsqrt|faddp)\b(.*)")


def operations(instruction):
    """On reals, and whether the instruction is of a vector pipe."""
    name, _, rest = instruction.partition(" ")
    vector = bool(re.search(r"\bv\d+\.|\b[qdsbh]\d+\b", rest)) and not re.match(r"(ld|st|prf)", name)
    if not REALS.match(instruction):
        return 0, vector
    lanes = re.search(r"v\d+\.(\d+)[sd]", rest)
    return (int(lanes[1]) if lanes else 1) * (2 if re.match(r"fn?m(la|ls|add|sub)", name) else 1), vector


def cycles(cpu, instructions, *options):
    """llvm-mca's word on these instructions, once."""
    file = OUT / f"window_{os.getpid()}.s"
    file.write_text("\n".join(instructions) + "\n")
    return run(tool("llvm-mca-19", "llvm-mca"), "-mtriple=aarch64", f"-mcpu={cpu}", "-iterations=1", "-call-latency=1",
               "-instruction-info=0", "-resource-pressure=0", *options, file)


def predicted(cpu, kind, run_through):
    """Of instructions in their order: their number, operations on reals, cycles, and the shares of the peak and of the pipes' time."""
    total = len(run_through)
    counted = collections.Counter(run_through)
    flops = sum(operations(i)[0] * n for i, n in counted.items())
    vectors = sum(n for i, n in counted.items() if operations(i)[1])
    step = max(total // WINDOWS, WINDOW)
    windows = [run_through[at:at + WINDOW] for at in range(0, total - WINDOW + 1, step)] or [run_through]
    spent = sum(int(re.search(r"Total Cycles:\s+(\d+)", cycles(cpu, w))[1]) for w in windows)
    spent *= total / sum(map(len, windows))
    pipes = PROCESSORS[cpu]
    return {"instructions": total, "cycles": round(spent), "flops": flops, "share": round(flops / (spent * pipes * 2 * TYPES[kind][1]), 3),
            "busy": round(vectors / (spent * pipes), 3)}


def hot(cpu, kind, text, functions, pieces, show):
    """The functions and pieces that take most instructions, and what holds up the hottest pieces."""
    of = collections.defaultdict(list)
    for piece in pieces:
        of[functions[piece[0]]].extend(text[a] for a in piece)
    for function in sorted(of, key=lambda f: -len(of[f]))[:6]:
        print(function, predicted(cpu, kind, of[function]))
    counted = collections.Counter(tuple(p) for p in pieces)
    total = sum(len(p) * n for p, n in counted.items())
    print(f"{total} instructions")
    shown = sorted(counted, key=lambda p: -len(p) * counted[p])[:12]
    for p in shown:
        print(f"{100 * len(p) * counted[p] / total:5.1f}% {counted[p]:8} x {len(p):4}  {functions[p[0]]}")
    for p in shown[:show]:
        print(f"\n{functions[p[0]]}")
        print("\n".join("   " + text[a] for a in p))
        print(cycles(cpu, [text[a] for a in p] * 20, "-bottleneck-analysis"))


def write(file, results):
    """All numbers, with those that the file has of other calls."""
    path = pathlib.Path(file)
    rows = {key(r): r for r in [*(json.loads(path.read_text(encoding="utf-8")) if path.exists() else []), *results]}
    path.write_text("[\n" + ",\n".join(json.dumps(rows[k]) for k in sorted(rows)) + "\n]\n", encoding="utf-8")


def key(row):
    return tuple(row[k] for k in ("operation", "type", "compiler", "cpu", "hw"))


def table(rows):
    """A line for each operation, type and processor: of each compiler the share of the peak, the pipes' time, and the speed."""
    rows = [r for r in rows if r["hw"] == "neon"]
    lines = ["| operation | type | processor | gcc: share of peak | pipes busy | over portable | clang: share of peak | pipes busy | over portable |",
             "|---|---|---|---|---|---|---|---|---|"]
    for operation in OPERATIONS:
        for kind in TYPES:
            for cpu in PROCESSORS:
                of = {r["compiler"]: r for r in rows if (r["operation"], r["type"], r["cpu"]) == (operation, kind, cpu)}
                if of:
                    cells = [f"{of[c]['share']:.2f} | {of[c]['busy']:.2f} | {of[c].get('speed', 0):.1f}" if c in of else " | | " for c in COMPILERS]
                    lines.append(f"| `{operation}` | {kind} | {cpu} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu", default=",".join(PROCESSORS))
    parser.add_argument("--filter", default="", metavar="TEXT,...", help="operations and types that have one of these in 'operation type'")
    parser.add_argument("--compiler", default="gcc,clang")
    parser.add_argument("--hw", default="scalar,neon")
    parser.add_argument("--json", help="writes all numbers")
    parser.add_argument("--table", metavar="JSON", help="only prints the table of such a file")
    parser.add_argument("--hot", type=int, default=0, metavar="N", help="shows the blocks that take most instructions, and N of them whole")
    args = parser.parse_args()
    if args.table:
        print(table(json.loads(pathlib.Path(args.table).read_text(encoding="utf-8"))), end="")
        return
    OUT.mkdir(parents=True, exist_ok=True)
    results = []
    for compiler in args.compiler.split(","):
        for kind in TYPES:
            wanted = [o for o in OPERATIONS if any(f in f"{o} {kind}" for f in args.filter.split(","))]
            if not wanted:
                continue
            program = compiled(compiler, kind)
            text, functions = disassembled(program)
            for operation in wanted:
                found = {}
                for hardware in args.hw.split(","):
                    pieces = traced(program, operation, hardware)
                    if args.hot:
                        hot(args.cpu.split(",")[0], kind, text, functions, pieces, args.hot)
                    for cpu in args.cpu.split(","):
                        found[hardware, cpu] = predicted(cpu, kind, [text[a] for piece in pieces for a in piece])
                for cpu in args.cpu.split(","):
                    for hardware in args.hw.split(","):
                        row = {"operation": operation, "type": kind, "compiler": compiler, "cpu": cpu, "hw": hardware,
                               **found[hardware, cpu]}
                        if hardware == "neon" and ("scalar", cpu) in found:
                            row["speed"] = round(found["scalar", cpu]["cycles"] / row["cycles"], 2)
                        results.append(row)
                        print(" ".join(f"{k}={v}" for k, v in row.items()), flush=True)
    if args.json:
        write(args.json, results)


if __name__ == "__main__":
    main()
