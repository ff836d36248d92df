#!/bin/sh
# NumPy loses a Ctrl-C that comes while it describes an array of structs: __array_interface__ runs Python code, and clears whatever that
# raises. A loop that asks for addresses of such arrays goes on as if nobody had pressed the keys.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
command -v python3 >/dev/null || { echo 'skipped: there is no python3'; exit 77; }
python3 -m venv venv
venv/bin/pip -q --disable-pip-version-check install numpy==2.4.6 || { echo 'skipped: PyPI cannot be reached, or has no such NumPy'; exit 77; }
echo "version: $(venv/bin/python --version), numpy==2.4.6"
echo 'expected: KeyboardInterrupt, which the handler of SIGINT raises, comes out of whatever Python code runs when the signal comes'
cat >interrupt.py <<'END'
import signal
import sys

import numpy as np

signal.signal(signal.SIGINT, signal.default_int_handler)
array = np.zeros(3, [("energy", float), ("error", float)])


def tries(name, call):
    """The signal comes when a function of NumPy's internal module begins."""
    sent = []

    def profile(frame, event, arg):
        if event == "call" and not sent and frame.f_code.co_filename.endswith("_internal.py"):
            sent.append(frame.f_code.co_name)
            signal.raise_signal(signal.SIGINT)

    sys.setprofile(profile)
    try:
        call()
        seen = "lost"
    except KeyboardInterrupt:
        seen = "raised"
    finally:
        sys.setprofile(None)
    print(f"{name}: the signal came in {sent[0] if sent else 'nothing'}, KeyboardInterrupt was {seen}")


tries("array.ctypes.data", lambda: array.ctypes.data)
tries("array.__array_interface__", lambda: array.__array_interface__)
END
venv/bin/python interrupt.py >seen.txt
cat seen.txt
cat >was.txt <<'END'
array.ctypes.data: the signal came in __init__, KeyboardInterrupt was raised
array.__array_interface__: the signal came in _array_descr, KeyboardInterrupt was lost
END
diff was.txt seen.txt || { echo 'this has changed'; exit 1; }
echo 'as it was: __array_interface__ loses it'
