#!/usr/bin/env python3
"""Fits the tables of src/elementary/coefficients.h and src/gaussian/coefficients.h again, and compares.

Each table holds the coefficients of a polynomial p in a formula for exp, log, sin or cos.  The fit is the p of least relative
error of the whole formula over the range of reduced arguments (Remez), rounded to the type coefficient by coefficient: the
first is rounded, the others are fitted again beside it, and so on; those of EXP2 are rounded at once.  For each table this prints

  fitted      log2 of the largest relative error of the formula with this fit
  committed   the same with the numbers of src/
  apart       the largest distance of a coefficient from the committed one, in units of its last place

and fails where a committed table is worse than the fit by more than 2^0.5.  Needs mpmath.

Two tables (EXP2_f32, COS_f32) come out to the last bit.  The others differ in their last coefficients, which matter least, and
have an error within 2^0.3 of the fit's.  How EXP2_f64 was fitted is not known: beside the rounded ln 2, coefficient by
coefficient, one finds 2^-57.8 instead of its 2^-55.7; a result is rounded to 2^-53.
"""
import argparse
import os
import re
import struct
import sys

from mpmath import mp, mpf, log, exp, sin, cos, pi, sqrt, lu_solve, matrix, atanh

mp.prec = 200
SRC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src")


def rounded(x, kind):
    """The nearest number of the type."""
    x = mpf(x)
    if x == 0:
        return x
    digits = 24 if kind == "f32" else 53
    exponent = int(mp.floor(mp.log(abs(x), 2)))
    unit = mpf(2) ** (exponent - digits + 1)
    return mp.nint(x / unit) * unit


def last_place(x, kind):
    return mpf(2) ** (int(mp.floor(mp.log(abs(x), 2))) - (23 if kind == "f32" else 52))


def remez(target, weight, count, low, high, turns=12, samples=60):
    """The polynomial of `count` coefficients with the least largest |weight(x) (target(x) - p(x))| on low .. high."""
    middle, half = (low + high) / 2, (high - low) / 2
    at = [middle - half * cos(pi * k / count) for k in range(count + 1)]
    at = [x + (half - abs(x - middle)) / 8 for x in at]  # none where the weight is 0
    for _ in range(turns):
        rows = matrix(count + 1)
        right = matrix(count + 1, 1)
        for i, x in enumerate(at):
            w = weight(x)
            for k in range(count):
                rows[i, k] = w * x**k
            rows[i, count] = (-1) ** i
            right[i] = w * target(x)
        solved = lu_solve(rows, right)
        c, level = [solved[k] for k in range(count)], abs(solved[count])

        def error(x):
            return weight(x) * (target(x) - sum(c[k] * x**k for k in range(count)))

        grid = [middle - half * cos(pi * k / (samples * count)) for k in range(samples * count + 1)]
        values = [error(x) for x in grid]
        extremes = []  # of each run of one sign the largest
        for x, e in zip(grid, values):
            if extremes and (extremes[-1][1] >= 0) == (e >= 0):
                if abs(e) > abs(extremes[-1][1]):
                    extremes[-1] = (x, e)
            else:
                extremes.append((x, e))
        while len(extremes) > count + 1:  # signs go on changing: an inner one goes with the smaller of its neighbours
            sizes = [abs(e) for _, e in extremes]
            least = sizes.index(min(sizes))
            if len(extremes) == count + 2 or least in (0, len(sizes) - 1):
                extremes.pop(0 if sizes[0] < sizes[-1] else -1)
            else:
                neighbour = least - 1 if sizes[least - 1] < sizes[least + 1] else least + 1
                extremes = [e for k, e in enumerate(extremes) if k not in (least, neighbour)]
        if len(extremes) < count + 1:
            break
        at = [x for x, _ in extremes]
        if max(abs(e) for _, e in extremes) < level * (1 + mpf(2) ** -20):
            break
    return c


def nonzero(x):
    return x if abs(x) > mpf(2) ** -40 else mpf(2) ** -40


class Table:
    """p in powers of `power`(argument), where formula = known + factor p is to be `exact`, for arguments from low to high."""

    def __init__(self, room, name, kind, exact, known, factor, low, high, fixed=(), at_once=False, used=None):
        self.room, self.name, self.kind = room, name, kind
        self.exact, self.known, self.factor = exact, known, factor
        self.low, self.high, self.fixed = mpf(low), mpf(high), list(fixed)
        self.at_once, self.used = at_once, used or known

    def fit(self, count):
        c = [mpf(v) for v in self.fixed]
        while len(c) < count:
            n = len(c)

            def target(x):
                x = nonzero(x)
                rest = (self.exact(x) - self.known(x)) / self.factor(x) - sum(v * x**k for k, v in enumerate(c))
                return rest / x**n

            def weight(x):
                x = nonzero(x)
                return abs(self.factor(x) * x**n / self.exact(x))  # its sign may change at 0, the error's need not

            best = remez(target, weight, count - n, self.low, self.high)
            c += [rounded(v, self.kind) for v in (best if self.at_once else best[:1])]
        return c

    def error(self, c):
        most, points = mpf(0), 2000
        for k in range(points + 1):
            x = nonzero(self.low + (self.high - self.low) * k / points)
            value = self.used(x) + self.factor(x) * sum(v * x**n for n, v in enumerate(c))
            most = max(most, abs(value / self.exact(x) - 1))
        return log(most, 2)


def committed(room, name, kind):
    text = open(os.path.join(SRC, room, "coefficients.h")).read().replace("\\\n", " ")
    found = re.search(r"#define CONVK_%s_%s_\s*\{([^}]*)\}" % (name, kind), text)
    if not found:
        sys.exit("no table %s %s in %s" % (name, kind, room))
    numbers = [float(v.strip().rstrip("f")) for v in found[1].split(",")]
    if kind == "f32":
        numbers = [struct.unpack("f", struct.pack("f", v))[0] for v in numbers]
    return [mpf(v) for v in numbers]


def tables():
    half_ln2 = log(2) / 2
    for kind in ("f32", "f64"):
        # 2^f = 1 + f (ln 2 + f p(f)), fitted as if ln 2 were exact; it is rounded where the formula is used
        ln2 = rounded(log(2), kind)
        yield Table("gaussian", "EXP2", kind, lambda f: mpf(2)**f, lambda f: 1 + f * log(2), lambda f: f * f, -0.5, 0.5,
                    at_once=True, used=lambda f, c=ln2: 1 + f * c)
        # e^r = 1 + r + r^2 q(r), which begins with 1 / 2
        yield Table("vmath", "EXP", kind, exp, lambda r: 1 + r, lambda r: r * r, -half_ln2, half_ln2, [0.5])
        # log((1 + s) / (1 - s)) = 2 s - s z p(z), z = s^2; s = f / (2 + f) for f = -1/4 .. 1/2: z up to 1/25
        yield Table("vmath", "LOG", kind, lambda z: 2 * atanh(sqrt(z)), lambda z: 2 * sqrt(z), lambda z: -sqrt(z) * z, 0,
                    mpf(1) / 25)
        # sin r = r + r z p(z) and cos r = 1 - z / 2 - z^2 p(z), z = r^2; in f32 n may be rounded wrong, and r be beyond pi / 4
        most = mpf(0.8) ** 2 if kind == "f32" else (pi / 4) ** 2
        yield Table("vmath", "SIN", kind, lambda z: sin(sqrt(z)), sqrt, lambda z: sqrt(z) * z, 0, most)
        yield Table("vmath", "COS", kind, lambda z: cos(sqrt(z)), lambda z: 1 - z / 2, lambda z: -z * z, 0, most)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filter", default="", help="only tables whose name has this text")
    parser.add_argument("--print", action="store_true", help="the fitted coefficients, too")
    given = parser.parse_args()
    bad = 0
    print("%-10s %9s %9s %9s" % ("table", "fitted", "committed", "apart"))
    for table in tables():
        name = "%s_%s" % (table.name, table.kind)
        if given.filter not in name:
            continue
        old = committed(table.room, table.name, table.kind)
        new = table.fit(len(old))
        apart = max(abs(a - b) / last_place(b, table.kind) for a, b in zip(new, old))
        fitted, known = table.error(new), table.error(old)
        bad += known > fitted + 0.5
        print("%-10s %9.2f %9.2f %9.0f" % (name, fitted, known, apart), flush=True)
        if given.print:
            for a, b in zip(new, old):
                print("   %25s %25s" % (mp.nstr(a, 17), mp.nstr(b, 17)))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
