"""Type hints, as mypy --strict reads them: names of boundaries, modes and the like are literal, and no result is Any."""

import os
import re
import subprocess
import sys
from pathlib import Path

from conftest import need

import convk

HERE = Path(__file__).parent


def test_marker():
    assert (Path(convk.__file__).parent / "py.typed").exists()


def test_mypy(tmp_path):
    need("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", f"--cache-dir={tmp_path}"]
        + [str(HERE / name) for name in ("typed_good.py", "typed_bad.py")],
        env={**os.environ, "MYPYPATH": str(Path(convk.__file__).parents[1])},
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    lines = re.findall(r"typed_(\w+)\.py:(\d+): (error|note): (.*)", done.stdout)
    source = {name: (HERE / f"typed_{name}.py").read_text().splitlines() for name in ("good", "bad")}
    assert not [line for line in lines if line[0] == "good" and line[2] == "error"], done.stdout
    found = {int(number) for name, number, kind, _ in lines if name == "bad" and kind == "error"}
    assert found == {i for i, line in enumerate(source["bad"], 1) if "# wrong" in line}, done.stdout
    revealed = [text for name, _, kind, text in lines if name == "good" and text.startswith("Revealed type")]
    assert len(revealed) == sum("reveal_type" in line for line in source["good"])
    assert not [text for text in revealed if re.search(r"\bAny\b", without_arrays(text))], revealed


def without_arrays(text):
    """Without what NumPy does not know of the shapes and types of arrays."""
    inner = r"[^\[\]]*"
    once = rf"(?:{inner}\[{inner}\])*{inner}"
    return re.sub(rf"numpy\.ndarray\[(?:{inner}\[{once}\])*{inner}\]", "array", text)
