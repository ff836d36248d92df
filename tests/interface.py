#!/usr/bin/env python3
"""What the interface promises of every public function, by the lists that `make headers` makes:
  tests/interface.py [--all] [LIST...]

A function has at most 9 arguments.  What can refuse begins with the handle, or with what says where a call runs.  What gives a
size or a number of bytes returns a status, and ends with `size_t *bytes`.  Plans and states have types of their own.
tests/interface.apart names functions that are not so yet, a line each; --all: as if there were none.
LIST: other lists than the three of src/.
The last line is `N passed, N failed, 0 skipped`.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTS = ("src/core/list.h", "src/device/opencl_list.h", "src/device/cuda_list.h")
APART = ROOT / "tests/interface.apart"
MOST = 9
# Of these the first argument says where a call runs, or is what is opened, closed or asked.
PLACES = ("const convk_cl_queue *on", "convk_cuda_stream *on", "convk_cl *cl", "const convk_cl *cl")
# Their int is no status, or they say nothing of arguments.
NO_STATUS = ("convk_strerror",)


def split(text):
    """At commas outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip() not in ("", "void")]


def functions(lists):
    """(name, what it returns, arguments) of all."""
    for name in lists:
        text = Path(name).read_text(encoding="utf-8")
        for returns, function, arguments in re.findall(r"^     (?!struct)(.*?)(convk_\w+)\((.*)\);$", text, re.M):
            yield function, returns.strip(), split(arguments)


def wrong(name, returns, arguments):
    """What is not as promised, or None."""
    base = re.sub(r"_[fc](32|64)$", "", name)
    if len(arguments) > MOST:
        return f"{len(arguments)} arguments, more than {MOST}"
    if re.search(r"_(size|bytes)$", base) and (returns != "int" or not arguments or arguments[-1] != "size_t *bytes"):
        return "a size is no status with size_t *bytes at the end"
    if returns == "int" and name not in NO_STATUS and not (arguments and arguments[0] in ("convk *hw", *PLACES)):
        return f"a status, and the first argument is {arguments[0] if arguments else 'none'}"
    if any(re.search(r"\bvoid \*(const )?(plan|state|from|to)$", a) for a in arguments):
        return "a plan or a state without a type"
    return None


def main():
    given = [name for name in sys.argv[1:] if name != "--all"]
    apart = set() if "--all" in sys.argv[1:] or given or not APART.exists() else set(APART.read_text(encoding="utf-8").split())
    passed = failed = 0
    seen = set()
    for name, returns, arguments in functions(given or [ROOT / name for name in LISTS]):
        why = wrong(name, returns, arguments)
        seen.add(name)
        if why is None or name in apart:
            passed += 1
        else:
            failed += 1
            print(f"FAIL {name}: {why}")
        if why is None and name in apart:
            print(f"note: {name} need not be in tests/interface.apart")
    for name in sorted(apart - seen):
        print(f"note: {name} of tests/interface.apart is no function")
    if not given and passed + failed < 200:
        failed += 1
        print(f"FAIL {passed + failed} functions in the lists: there are more")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
