"""What the machine code of CUDA kernels says: instructions by class, innermost loops, resources, and the bounds that follow.

    compiled(source, arch, options)    kernels of a source file, as nvcc makes them for arch, "90"
    kernel.loops                       its innermost loops; loop.count["fma"], loop.cycles(MACHINES["90"])"""
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

# Devices.  called: what the driver's name has that other models of this architecture do not; then multiprocessors, GHz when
# boosted, and bytes of device memory per second, by NVIDIA's papers on the architectures (A100, H100, Blackwell, GA102, Ada, RTX
# Blackwell) and its data sheets (H200, B200, L40S).  Then what a multiprocessor holds at once (warps, blocks, registers, bytes of
# shared memory), and its results in a clock: tables of the CUDA C++ programming guide, on compute capabilities and on throughputs;
# multiply-adds of doubles in the matrix unit by the papers.
Machine = collections.namedtuple("Machine", "name called multiprocessors clock memory warps blocks registers shared pipes")
PIPES = {"issue": 128, "f32": 128, "f64": 64, "matrix": 128, "integer": 64, "special": 16, "shared": 32}
SMALL = dict(PIPES, f64=2, matrix=2)
DEVICES = {  # of an architecture; kernels are those of the first
    "80": [Machine("A100", "A100-SXM4-80GB", 108, 1.41, 2.0e12, 64, 32, 65536, 164 << 10, dict(PIPES, f32=64, f64=32, matrix=64))],
    "86": [Machine("RTX 3090", "RTX 3090", 82, 1.695, 0.936e12, 48, 16, 65536, 100 << 10, SMALL)],
    "89": [Machine("L40S", "L40S", 142, 2.52, 0.864e12, 48, 24, 65536, 100 << 10, SMALL)],
    "90": [Machine("H200", "H200", 132, 1.98, 4.8e12, 64, 32, 65536, 228 << 10, PIPES),
           Machine("H100", "H100 80GB HBM3", 132, 1.98, 3.35e12, 64, 32, 65536, 228 << 10, PIPES)],
    "100": [Machine("B200", "B200", 148, 1.965, 8.0e12, 64, 32, 65536, 228 << 10, dict(PIPES, matrix=64))],
    "120": [Machine("RTX 5090", "RTX 5090", 170, 2.407, 1.792e12, 48, 24, 65536, 100 << 10, SMALL)],
}
MACHINES = {arch: devices[0] for arch, devices in DEVICES.items()}
RESERVED = 1024  # bytes of shared memory of every block that it does not have

# Classes of instructions, by the name before the first dot, and the unit that each keeps busy beside the scheduler.
CLASSES = {
    "fma": "FFMA DFMA",
    "matrix": "DMMA",
    "arithmetic": "FADD FMUL DADD DMUL MUFU",
    "compare": "DSETP DMNMX FSETP FMNMX FSEL FCHK",
    "convert": "F2F F2I I2F I2FP F2FP FRND",
    "shared load": "LDS LDSM",
    "shared store": "STS ATOMS",
    "global load": "LDG LD LDGSTS",
    "global store": "STG ST RED ATOM ATOMG",
    "local": "LDL STL",
    "constant": "LDC ULDC LDCU",
    "shuffle": "SHFL VOTE VOTEU REDUX MATCH",
    "branch": "BRA BRX BSSY BSYNC BREAK CALL RET EXIT WARPSYNC NOP YIELD ENDCOLLECTIVE",
    "barrier": "BAR DEPBAR LDGDEPBAR ARRIVES SYNCS MEMBAR ERRBAR CGAERRBAR CCTL",
}
USEFUL = "FFMA DFMA DMMA FADD FMUL DADD DMUL LDS STS LDG STG LDGSTS".split()  # what decides which way is the ordinary one
CLASS = {name: kind for kind, names in CLASSES.items() for name in names.split()}
UNIT = {"FFMA": "f32", "FADD": "f32", "FMUL": "f32", "DFMA": "f64", "DADD": "f64", "DMUL": "f64", "DSETP": "f64", "DMNMX": "f64",
        "MUFU": "special", "F2F": "special", "F2I": "special", "I2F": "special", "FRND": "special", "POPC": "special"}
NOT_INTEGER = "HFMA2 MOV CS2R S2R S2UR R2UR R2P P2R NOP".split()  # moves, by units that nobody waits for
INSTRUCTION = re.compile(r"^\s+/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\d+\s+|@!?U?PT\s+)?([A-Z][A-Z0-9_]*)(\S*)\s*([^;]*);")

Instruction = collections.namedtuple("Instruction", "name modifiers operands predicated target")


def width(instruction):
    """Numbers of 4 bytes that a lane loads or stores at once."""
    found = re.search(r"\.(64|128)\b", instruction.modifiers)
    return int(found.group(1)) // 32 if found else 1


class Loop:
    """Instructions of an innermost loop, or of a kernel without one."""

    def __init__(self, instructions):
        self.size = len(instructions)
        self.count = collections.Counter()
        self.width = collections.Counter()  # "shared load 16": of a class, by bytes of a lane
        self.unit = collections.Counter()
        self.name = collections.Counter(i.name for i in instructions)
        for i in instructions:
            kind = CLASS.get(i.name, "integer")
            self.count[kind] += 1
            if " " in kind:
                self.width[f"{kind} {4 * width(i)}"] += 1
            unit = UNIT.get(i.name)
            if not unit and kind in ("integer", "compare", "convert") and i.name not in NOT_INTEGER and i.name[0] != "U":
                unit = "integer"
            if i.name == "DMMA":  # multiply-adds of a lane
                m, n, k = re.findall(r"\d+", i.modifiers) if "x" in i.modifiers else i.modifiers[1:4]
                self.unit["matrix"] += int(m) * int(n) * int(k) // 32
            if unit:
                self.unit[unit] += 1

    def arithmetic(self):
        return self.count["fma"] + self.unit["matrix"] + self.count["arithmetic"]

    def cycles(self, machine):
        """Clocks of a multiprocessor for one turn of a warp, by what keeps it busy.  Loads of shared memory: one wavefront for
        each 4 bytes of a lane, the most without conflicts; shuffles take the same way."""
        lanes = {"issue": self.size, **self.unit}
        result = {unit: 32 * lanes.get(unit, 0) / machine.pipes[unit] for unit in ("issue", "f32", "f64", "matrix", "integer", "special")}
        shared = 0
        for kind in ("shared load", "shared store"):
            for bytes_ in (4, 8, 16):
                shared += self.width[f"{kind} {bytes_}"] * bytes_ / 4
        result["shared"] = shared + self.name["SHFL"]
        return result


class Kernel:
    def __init__(self, symbol, name):
        self.symbol, self.name = symbol, name
        self.registers = self.shared = self.stack = self.spills = self.threads = 0
        self.dynamic = []  # bytes of shared memory that launches ask for
        self.instructions, self.loops, self.all = 0, [], None

    def resident(self, machine):
        """Warps of one multiprocessor, of the launch that asks for most shared memory."""
        warps = -(-max(self.threads, 1) // 32)
        blocks = min(machine.warps // warps, machine.blocks)
        registers = -(-self.registers * 32 // 256) * 256 * warps
        if registers:
            blocks = min(blocks, machine.registers // registers)
        return min(blocks, machine.shared // (self.shared + max(self.dynamic, default=0) + RESERVED)) * warps


def tool(name):
    """nvcc, ptxas or nvdisasm: on the path, at CUDA's usual place, or in a Python package of this interpreter."""
    here = [os.environ.get("PATH", ""), "/usr/local/cuda/bin"]
    here += [os.path.join(p, "nvidia", "cu13", "bin") for p in sys.path]
    found = shutil.which(name, path=os.pathsep.join(here))
    if not found:
        sys.exit(f"{name} is not found: it comes with CUDA, or with the Python package nvidia-cuda-{name.replace('ptxas', 'nvcc')}")
    return found


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def plain(name):
    """A kernel's name without its arguments."""
    return re.sub(r"^void |\(.*", "", name)


def parse(lines):
    """Instructions of one function, with the offsets of labels."""
    code, labels = [], {}
    for line in lines:
        found = INSTRUCTION.match(line)
        if found:
            offset, name, modifiers, operands = found.groups()
            target = re.findall(r"(\.L_x_\d+)", operands) if name in ("BRA", "BRX") else []
            code.append(Instruction(name, modifiers, operands, "@" in line, target))
        elif line.startswith(".L"):
            labels[line.split(":")[0]] = len(code)
    return code, labels


def ways(code, labels):
    """Lists of instructions: of each innermost natural loop, and of one way through all of the code.  A loop with products of
    the matrix unit counts as innermost with what loops of other kinds inside it do in a turn."""
    starts = {0} | set(labels.values())
    for i, instruction in enumerate(code):
        if instruction.name in ("BRA", "BRX", "EXIT", "RET"):
            starts.add(i + 1)
    starts = sorted(s for s in starts if s < len(code))
    block_of = {start: b for b, start in enumerate(starts)}
    ends = starts[1:] + [len(code)]
    after = []
    for b, end in enumerate(ends):
        last = code[end - 1]
        to = {block_of[labels[t]] for t in last.target if labels.get(t) in block_of}
        always = not last.predicated and not ("P" in last.operands.split("`")[0] and last.name == "BRA")
        if not (last.name in ("BRA", "BRX", "EXIT", "RET") and always) and b + 1 < len(ends):
            to.add(b + 1)
        after.append(to)
    # dominators, in reverse postorder
    order, seen, stack = [], {0}, [(0, iter(after[0]))] if after else []
    while stack:
        b, rest = stack[-1]
        for c in rest:
            if c not in seen:
                seen.add(c)
                stack.append((c, iter(after[c])))
                break
        else:
            order.append(b)
            stack.pop()
    order.reverse()
    rank = {b: i for i, b in enumerate(order)}
    before = collections.defaultdict(list)
    for b in order:
        for c in after[b]:
            before[c].append(b)
    dominator = {0: 0}
    changed = True
    while changed:
        changed = False
        for b in order[1:]:
            new = None
            for p in before[b]:
                if p not in dominator:
                    continue
                while new is not None and new != p:
                    if rank[new] > rank[p]:
                        new = dominator[new]
                    else:
                        p = dominator[p]
                new = p if new is None else new
            if dominator.get(b) != new:
                dominator[b], changed = new, True

    def dominates(a, b):
        while rank[b] > rank[a]:
            b = dominator[b]
        return a == b

    bodies = collections.defaultdict(set)  # of a header
    for b in order:
        for h in after[b]:
            if dominates(h, b):
                body, todo = {h}, [b]
                while todo:
                    c = todo.pop()
                    if c not in body:
                        body.add(c)
                        todo += before[c]
                bodies[h] |= body
    def busiest(first, body, last):
        """Blocks of one way from `first` to where last(block) holds: where it forks, the way with most arithmetic and bytes of
        memory, then the shortest; of loops inside, one turn."""
        best = {}
        for b in sorted(body, key=lambda block: -rank[block]):
            rest = [best[c] for c in after[b] if c in best and rank[c] > rank[b]]
            if not rest and not last(b):
                continue
            work = code[starts[b] : ends[b]]
            useful = sum(width(i) for i in work if i.name in USEFUL)
            ahead = max(rest, key=lambda r: r[:2]) if rest else (0, 0, [])
            if last(b) and ahead[0] == 0:
                ahead = (0, 0, [])
            best[b] = (useful + ahead[0], ahead[1] - len(work), [b] + ahead[2])
        blocks = best[first][2] if first in best else sorted(body)
        return [code[i] for b in blocks for i in range(starts[b], ends[b])]

    matrix = {h for h, body in bodies.items() if any(i.name == "DMMA" for b in body for i in code[starts[b] : ends[b]])}
    loops = [busiest(h, body, lambda b, h=h: h in after[b]) for h, body in bodies.items()
             if not any(other != h and other in body for other in (matrix if h in matrix else bodies))]
    whole = busiest(0, set(order), lambda b: code[ends[b] - 1].name == "EXIT")
    return [loop for loop in loops if len(loop) > 1], whole


def compiled(source, arch, options=()):
    """The kernels of a source file, by name."""
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = os.path.join(folder, "x.ptx"), os.path.join(folder, "x.cubin")
        run(tool("nvcc"), "-std=c++17", "-O3", "-ptx", f"-arch=compute_{arch}", *options, source, "-o", ptx)
        report = run(tool("ptxas"), "-v", f"-arch=sm_{arch}", ptx, "-o", cubin)
        text = run(tool("nvdisasm"), "-c", cubin)
        threads = dict(re.findall(r"\.entry (\w+)\([^{]*?\.maxntid (\d+)", open(ptx).read()))
    names = re.findall(r"Compiling entry function '(\w+)'", report)
    kernels = {n: Kernel(n, plain(p)) for n, p in zip(names, run("c++filt", *names).split("\n"))}
    symbol = None
    for line in report.split("\n"):
        found = re.search(r"(?:Compiling entry function|Function properties for) '?(\w+)", line)
        if found:
            symbol = found.group(1)
        kernel = kernels.get(symbol)
        if not kernel:
            continue
        found = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line)
        if found:
            kernel.stack, kernel.spills = int(found.group(1)), int(found.group(2)) + int(found.group(3))
        found = re.search(r"Used (\d+) registers", line)
        if found:
            kernel.registers = int(found.group(1))
            found = re.search(r"(\d+) bytes smem", line)
            kernel.shared = int(found.group(1)) if found else 0
    for part in re.split(r"\n\t\.section\t", text)[1:]:
        kernel = kernels.get(re.match(r"\.text\.(\w+)", part).group(1)) if part.startswith(".text.") else None
        if kernel:
            code, labels = parse(part.split("\n"))
            kernel.threads = int(threads.get(kernel.symbol, 0))
            kernel.instructions = len(code)
            loops, whole = ways(code, labels)
            kernel.all = Loop(whole)
            kernel.loops = sorted(map(Loop, loops), key=lambda loop: -loop.arithmetic())
    return {kernel.name: kernel for kernel in kernels.values()}
