#!/usr/bin/env python3
"""What the interface promises of every public function, by the lists that `make headers` makes:
  tests/interface.py [LIST...]

A function has at most 9 arguments.  What can refuse begins with the handle, or with what says where a call runs.  What gives a
size or a number of bytes returns a status, and ends with `size_t *bytes`.  Plans and states have types of their own.
LIST: other lists than the three that `make headers` makes in build/names (NAMES in the environment).
The last line is `N passed, N failed, 0 skipped`.
"""

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTS = [f"rooms/{name}.h" for name in ("list", "opencl_list", "cuda_list")]  # of build/names, or of NAMES
MOST = 9
# Of these the first argument says where a call runs, or is what is opened, closed or asked.
PLACES = ("const convk_cl_queue *on", "convk_cuda_stream *on", "convk_cl *cl", "const convk_cl *cl")
# Their int is a number of something.
NO_STATUS = ("convk_shell_functions",)


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
    given = sys.argv[1:]
    made = ROOT / os.environ.get("NAMES", "build/names")
    passed = failed = 0
    for name, returns, arguments in functions(given or [made / name for name in LISTS]):
        why = wrong(name, returns, arguments)
        if why is None:
            passed += 1
        else:
            failed += 1
            print(f"FAIL {name}: {why}")
    if not given and passed + failed < 200:
        failed += 1
        print(f"FAIL {passed + failed} functions in the lists: there are more")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
