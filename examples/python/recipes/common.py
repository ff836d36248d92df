"""What the recipes share: options, times in turns with the peer, the table, lines of JSON.

Import it before numpy and the peer: it tells their libraries how many threads to use, which they ask only once."""

import argparse
import importlib
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

shared = argparse.ArgumentParser(add_help=False)
shared.add_argument("--threads", type=int, default=1, metavar="N", help="of both sides (1)")
shared.add_argument("--hw", metavar="NAME", help="scalar, sse2, avx, avx2, avx512 or neon; without it the best")
shared.add_argument("--json", metavar="FILE", help="append a line for each comparison")
shared.add_argument("--quick", action="store_true", help="small sizes, timed once: for tests")
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = str(shared.parse_known_args()[0].threads)

import numpy as np  # noqa: E402

SAMPLE = 0.02  # seconds, at least, so that the steps of the clock do not count
DATA = pathlib.Path(__file__).resolve().parents[2] / "data"


def options(doc, *own):
    """The options; own: pairs of a name and the keywords of add_argument."""
    parser = argparse.ArgumentParser(description=doc, parents=[shared], formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, keywords in own:
        parser.add_argument(name, **keywords)
    return parser.parse_args()


class Table:
    """Comparisons with peers. A difference is the largest one, over the largest value of the peer."""

    def __init__(self, options):
        self.options, self.wrong = options, 0
        print("| what | ours | peer | ratio | largest difference |\n|---|---|---|---|---|", flush=True)

    def row(self, what, ours, peer, ratio, error, limit):
        bad = not error <= limit  # that of a NaN, too
        self.wrong += bad
        print(f"| {what} | {ours} | {peer} | {ratio} | {error:.1e}{f': MORE THAN {limit:.1e}' if bad else ''} |", flush=True)

    def compare(self, operation, kind, size, peer, ours, theirs, work, unit, limit, headline=None):
        """Calls both, compares their results (arrays or tuples of arrays), and times them in turns.

        work: of a call, in units times seconds; headline: what the call replaces, for a short table of the most important lines
        """
        error = difference(ours(), theirs())
        rate, peer_rate = (work / seconds for seconds in in_turns(ours, theirs, 1 if self.options.quick else 7))
        ratio = rate / peer_rate
        self.row(f"{operation}, {kind}, {size}", f"{rate:.4g} {unit}", f"{peer}: {peer_rate:.4g} {unit}", f"{ratio:.2f}", error,
                 limit)
        if self.options.json:
            line = dict(operation=operation, type=kind, peer=peer, threads=self.options.threads, size=size, rate=rate,
                        peer_rate=peer_rate, unit=unit, ratio=ratio, max_error=error)
            if headline:
                line.update(instead=headline, use=f"`hw.{operation}` in Python")
            with open(self.options.json, "a", encoding="utf-8") as file:
                print(json.dumps(line), file=file)

    def check(self, what, reference, error, limit):
        """A result that is not timed."""
        self.row(what, "", reference, "", error, limit)

    def missing(self, what, package):
        print(f"| {what} | | not here: pip install {package} | | |", flush=True)

    def end(self):
        """Ends the program: with 1 where results differ."""
        sys.exit(f"{self.wrong} results differ by more than they may" if self.wrong else 0)


def installed(table, what, package):
    """A peer's module, or None, which the table says."""
    try:
        return importlib.import_module(package)
    except ImportError:
        table.missing(what, package)
    return None


def sasmodels_kernel(name, q):
    """I(q) of one of SasModels' models, or of the file of a plug-in: a function of its parameters."""
    os.environ.setdefault("SAS_DLL_PATH", tempfile.mkdtemp())  # where it compiles its models
    os.environ.setdefault("SAS_OPENCL", "none")
    core, direct = (importlib.import_module(f"sasmodels.{part}") for part in ("core", "direct_model"))
    model = core.load_model(str(name), dtype="double").make_kernel([q])
    return lambda **parameters: direct.call_kernel(model, dict(parameters, scale=1, background=0))


def difference(ours, theirs):
    if isinstance(ours, tuple):
        return max(difference(*pair) for pair in zip(ours, theirs))
    if np.shape(ours) != np.shape(theirs):
        raise ValueError(f"shapes {np.shape(ours)} and {np.shape(theirs)}")
    return float(np.max(np.abs(ours - theirs)) / np.max(np.abs(theirs)))


def in_turns(ours, theirs, count):
    """Median seconds of a call of each."""
    calls = [(function, max(1, round(SAMPLE / seconds(function, 1)))) for function in (ours, theirs)]
    samples = [[seconds(*call) for call in calls] for _ in range(count)]
    return [statistics.median(of_one) for of_one in zip(*samples)]


def seconds(function, calls):
    begin = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - begin) / calls
