#!/usr/bin/env python3
"""Makes the tables of src/formfactor/coefficients.h and src/turns/coefficients.h again, and compares.

EVEN, ODD, SERIES and TAN are Taylor's coefficients, rounded to the type: they must come out to the last bit, but for one unit of
it in TAN_f64.  SIN, COS and EXP are polynomials p of least error (Remez): of sin(pi f) = f p and 2^r = 1 - r p relative, of
cos(pi f) = 1 + f^2 p absolute; then their coefficients are rounded.  For each of these this prints

  fitted      log2 of the largest error of the formula with this fit, before its coefficients are rounded
  committed   the same with the numbers of src/, which are rounded
  apart       the largest distance of a rounded coefficient from the committed one, in units of its last place

and fails where SIN or COS are more than 4 units apart, or the committed EXP errs by more than 2^1.5 times the fit.  Needs mpmath.

SIN and COS come out to the last bit, but for 3 units in the last coefficient of SIN_f64.  How EXP was fitted is not known: it is
worse than the fit by 2^1.3 (f32) and 2^0.3 (f64), and its last coefficients, which matter least, are others."""
import pathlib
import re
import sys

from mpmath import bernoulli, binomial, cos, factorial, log, lu_solve, matrix, mp, mpf, nint, pi, sin

mp.prec = 200
SRC = pathlib.Path(__file__).resolve().parents[2] / "src"
TEXT = "".join((SRC / room / "coefficients.h").read_text() for room in ("formfactor", "turns")).replace("\\\n", "")
DIGITS = {"f32": 24, "f64": 53}


def committed(name, kind):
    numbers = re.search(rf"CONVK_(?:FORMFACTOR|TURNS)_{name}_{kind}_\s*{{(.*?)}}", TEXT)[1].replace("f", "").split(",")
    return [rounded(mpf(x.strip()), kind) for x in numbers]


def last_place(x, kind):
    return mpf(2) ** (int(mp.floor(log(abs(x), 2))) - DIGITS[kind] + 1)


def rounded(x, kind):
    return nint(x / last_place(x, kind)) * last_place(x, kind)


def remez(target, weight, n, low, high):
    """The n coefficients of the polynomial with the least largest |weight (target - polynomial)| on low .. high."""
    grid = [(low + high) / 2 - (high - low) / 2 * cos(pi * k / (60 * n)) for k in range(60 * n + 1)]
    at = [(low + high) / 2 - (high - low) / 2 * cos(pi * (i + mpf(0.55)) / (n + 1)) for i in range(n + 1)]
    for _ in range(12):
        rows, right = matrix(n + 1), matrix(n + 1, 1)
        for i, x in enumerate(at):
            for k in range(n):
                rows[i, k] = weight(x) * x**k
            rows[i, n], right[i] = (-1) ** i, weight(x) * target(x)
        c = list(lu_solve(rows, right))[:n]
        error = [(weight(x) * (target(x) - sum(a * x**k for k, a in enumerate(c))), x) for x in grid]
        best = []  # of each run of one sign the largest
        for e in error:
            if best and (best[-1][0] >= 0) == (e[0] >= 0):
                best[-1] = max(best[-1], e, key=lambda t: abs(t[0]))
            else:
                best.append(e)
        while len(best) > n + 1:
            best.pop(0 if abs(best[0][0]) < abs(best[-1][0]) else -1)
        if len(best) < n + 1:
            return c
        at = [x for _, x in best]
    return c


def error(target, weight, c, low, high):
    points = [low + (high - low) * mpf(i) / 4000 for i in range(1, 4001)]
    return log(max(abs(weight(x) * (target(x) - sum(a * x**k for k, a in enumerate(c)))) for x in points), 2)


def series(k):
    """- i^k / (k + 2)! (2 pi)^k without the i of odd k."""
    return (-1 if k % 4 in (0, 1) else 1) * (2 * pi) ** k / factorial(k + 2)


def tangent(k):
    """Of w^(2 k - 1) in tan(pi w)."""
    return abs(bernoulli(2 * k)) * 4**k * (4**k - 1) / factorial(2 * k) * pi ** (2 * k - 1)


def exact(name, count):
    """form_series has sum over 2 i + 3 j = k of binomial(i + j, i) p^i (-s)^j: j = 0, 2, 4 are EVEN0 to 2, 1, 3, 5 ODD0 to 2."""
    if name == "SERIES":
        return [series(k) for k in range(2, 2 + count)]
    if name == "TAN":
        return [tangent(k) for k in range(1, 1 + count)]
    j = 2 * int(name[-1]) + (name[:3] == "ODD")
    first = 1 if j == 0 else 0
    return [(-1) ** j * binomial(i + j, i) * series(2 * i + 3 * j) for i in range(first, first + count)]


def half_sine(z):
    return sin(pi * z**0.5) / z**0.5 if z else pi


FITTED = {  # target, weight, range
    "SIN": (half_sine, lambda z: 1 / half_sine(z), 0, 0.25),
    "COS": (lambda z: (cos(pi * z**0.5) - 1) / z if z else -pi * pi / 2, lambda z: z, 0, 0.25),
    "EXP": (lambda r: (1 - mpf(2) ** r) / r if r else -log(2), lambda r: r / mpf(2) ** r, -0.5, 0.5),
}


def main():
    bad = 0
    for kind in DIGITS:
        for name in "EVEN0 EVEN1 EVEN2 ODD0 ODD1 ODD2 TAN SERIES".split():
            have = committed(name, kind)
            apart = max(abs(rounded(x, kind) - y) / last_place(y, kind) for x, y in zip(exact(name, len(have)), have))
            bad += apart > (name + kind == "TANf64")
            print(f"{name + '_' + kind:12} apart {float(apart):.3g}")
        for name, (target, weight, low, high) in FITTED.items():
            have = committed(name, kind)
            low, high = mpf(low), mpf(high)
            made = remez(target, weight, len(have), low, high)
            fitted, known = [error(target, weight, c, low, high) for c in (made, have)]
            apart = max(abs(rounded(a, kind) - b) / last_place(b, kind) for a, b in zip(made, have))
            bad += known > fitted + 1.5 if name == "EXP" else apart > 4
            print(f"{name + '_' + kind:12} fitted {float(fitted):7.2f}  committed {float(known):7.2f}  apart {float(apart):.3g}")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
