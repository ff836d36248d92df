#!/usr/bin/env python3
"""Fits the numbers of convk_fft_cost_ (src/fft/shape.h), by which plans choose the size of their transforms.

    fft_costs.py [--times FILE]     FILE: lines that tests/bench/fft_costs.c printed before, else it is compiled and run

The time of a convolution of m x m points is taken for

    m (point m + sum over passes i of m / r_i (group[r_i] + (i > 0) twiddle (r_i - 1)))

for all sizes from 6 to 128 in f32 and c32.  Each variant's times are divided by what the present table says of them on average;
then relative errors are made least, in the sum of squares, with the weights below and without numbers below zero.  Printed are the
numbers, in units of the present table, and for both tables how much longer the sizes that they choose take than the fastest ones.
The fit is worth nothing on a machine that does other things meanwhile.  A new table changes results of plans that choose a size."""
import argparse
import math
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WEIGHTS = {"avx512": 6, "avx2": 3, "sse2": 1, "scalar": 1}
RADICES = (2, 3, 4, 5, 7, 8, 16)
EVEN = ((), (2,), (4,), (8,), (16,), (8, 4), (8, 8), (16, 8), (16, 16), (8, 8, 8), (16, 8, 8))


def passes(n):
    """As convk_fft_passes_: an even radix first, others last, odd ones between."""
    power = (n & -n).bit_length() - 1
    n >>= power
    odd = []
    for r in (7, 5, 3):
        while n % r == 0:
            n //= r
            odd.append(r)
    return (*EVEN[power][:1], *odd, *EVEN[power][1:]) if n == 1 else None


def terms(m):
    """What the point, the twiddle and the group of each radix are multiplied by."""
    row = {"point": m * m, "twiddle": 0, **{r: 0 for r in RADICES}}
    for i, r in enumerate(passes(m)):
        row[r] += m * m // r
        row["twiddle"] += (i > 0) * m * m // r * (r - 1)
    return row


def cost(table, m):
    return sum(table[name] * times for name, times in terms(m).items())


def present():
    """The table as it stands in the source."""
    text = (ROOT / "src/fft/shape.h").read_text()
    text = text[text.index("size_t convk_fft_cost_("):]
    group = [int(x) for x in re.search(r"group\[17\] = \{([^}]*)\}", text).group(1).split(",")]
    table = {name: int(re.search(rf"\b{name} = (\d+)", text).group(1)) for name in ("point", "twiddle")}
    return {**table, **{r: group[r] for r in RADICES}}


def measured():
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/fft_costs"
        command = f"cc -std=gnu99 -O2 -ffp-contract=off -I{ROOT} {ROOT}/tests/bench/fft_costs.c -o {program} -lm"
        subprocess.run(command.split(), check=True)
        return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def fitted(times, old):
    """Numbers not below zero that make the sum of weighted squares of (model / time - 1) least: one at a time, until none moves."""
    rows = []
    for (variant, _), sizes in times.items():
        ratio = math.exp(sum(math.log(t / cost(old, m)) for m, t in sizes.items()) / len(sizes))
        weight = WEIGHTS[variant] / len(sizes)
        rows += [(weight, {name: x * ratio / t for name, x in terms(m).items()}) for m, t in sizes.items()]
    table = dict(old)
    names = list(table)
    for _ in range(20000):
        moved = 0
        for name in names:
            slope = sum(w * row[name] * (1 - sum(table[k] * row[k] for k in names)) for w, row in rows)
            curve = sum(w * row[name] ** 2 for w, row in rows)
            new = max(0, table[name] + slope / curve) if curve else 0
            moved = max(moved, abs(new - table[name]))
            table[name] = new
        if moved < 1e-3:
            break
    return table


def longer(times, table):
    """By variant and type: the time of the size chosen over that of the fastest, for every number of points that is needed."""
    result = {}
    for key, sizes in times.items():
        ratios = []
        for need in range(min(sizes), max(sizes) + 1):
            choice = [m for m in sizes if m >= need]
            ratios.append(sizes[min(choice, key=lambda m: cost(table, m))] / min(sizes[m] for m in choice))
        result[key] = sum(ratios) / len(ratios)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=pathlib.Path)
    options = parser.parse_args()
    times = {}
    for line in (options.times.read_text() if options.times else measured()).splitlines():
        variant, kind, size, time = line.split()
        times.setdefault((variant, kind), {})[int(size)] = float(time)
    old = present()
    new = fitted(times, old)
    print("number   stands   fits")
    for name, value in new.items():
        print(f"{name!s:8} {old[name]:6} {value:6.0f}")
    print("chosen over fastest: as it stands, as it fits")
    before, after = longer(times, old), longer(times, new)
    for key, ratio in before.items():
        print(f"{' '.join(key):12} {ratio:.3f} {after[key]:.3f}")


if __name__ == "__main__":
    main()
