#!/usr/bin/env python3
"""Makes the Python package for all systems on this one: packaging/wheels.py [--folder FOLDER] [TARGET...]

Makes in FOLDER (build/wheels) an archive of the sources, and from it a wheel for each target; `sdist` as target: the archive
alone.  The compiler is zig, which has the C library of each system; it comes with the other tools from PyPI into FOLDER/tools.
A wheel holds one module for Python 3.9 and all later ones.  auditwheel and abi3audit look at each.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ["ziglang==0.17.*", "setuptools>=84", "cffi>=2", "auditwheel>=6.2", "abi3audit"]
MOST = 8 << 20  # bytes of a wheel
# name: what zig calls it, the tag of the wheel, what Python calls it
TARGETS = {
    "manylinux-x86_64": ("x86_64-linux-gnu.2.17", "manylinux2014_x86_64", "linux-x86_64"),
    "manylinux-aarch64": ("aarch64-linux-gnu.2.17", "manylinux2014_aarch64", "linux-aarch64"),
    "musllinux-x86_64": ("x86_64-linux-musl", "musllinux_1_2_x86_64", "linux-x86_64"),
    "musllinux-aarch64": ("aarch64-linux-musl", "musllinux_1_2_aarch64", "linux-aarch64"),
    "macos-x86_64": ("x86_64-macos.10.13", "macosx_10_13_x86_64", "macosx-10.13-x86_64"),
    "macos-arm64": ("aarch64-macos.11.0", "macosx_11_0_arm64", "macosx-11.0-arm64"),
    "windows-x86_64": ("x86_64-windows-gnu", "win_amd64", "win-amd64"),
}
# What Python's headers ask of a machine, by what the compiler knows of it; those of this machine say it of this one alone.
PYCONFIG = """
#define SIZEOF_SHORT __SIZEOF_SHORT__
#define SIZEOF_INT __SIZEOF_INT__
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_LONG_LONG __SIZEOF_LONG_LONG__
#define SIZEOF_FLOAT __SIZEOF_FLOAT__
#define SIZEOF_DOUBLE __SIZEOF_DOUBLE__
#define SIZEOF_VOID_P __SIZEOF_POINTER__
#define SIZEOF_SIZE_T __SIZEOF_SIZE_T__
#define SIZEOF_WCHAR_T __SIZEOF_WCHAR_T__
#define SIZEOF_TIME_T 8
#define SIZEOF_PID_T 4
#define HAVE_STDDEF_H 1
#define HAVE_STDINT_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_LONG_LONG 1
#define HAVE_SSIZE_T 1
#define HAVE_UINTPTR_T 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_WCHAR_H 1
#define WITH_THREAD 1
#ifdef _WIN32
#define MS_WINDOWS 1
#define MS_WIN64 1
#define HAVE_DECLSPEC_DLL 1
#define Py_ENABLE_SHARED 1
#else
#define HAVE_UNISTD_H 1
#endif
"""


def run(*command, **options):
    """A command, of whose output only a failure shows something."""
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        sys.exit(f"{done.stdout}\n{' '.join(map(str, command))}: status {done.returncode}")
    return done.stdout


def tools(folder):
    """Python of an environment with the tools."""
    python = folder / "bin/python"
    done = folder / "done"
    if not done.exists() or done.read_text() != " ".join(TOOLS):
        venv.create(folder, clear=True, with_pip=True)
        run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *TOOLS)
        done.write_text(" ".join(TOOLS))
    return python


def archive(folder, python):
    """The archive of the sources, made outside of the tree."""
    source = folder / "source"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(ROOT / "examples/python", source, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    for old in folder.glob("convk-*.tar.gz"):
        old.unlink()
    environment = {**os.environ, "CONVK_HEADERS": str(ROOT)}
    run(python, "setup.py", "-q", "sdist", "-d", folder.resolve(), cwd=source, env=environment)
    shutil.rmtree(source)
    return next(folder.glob("convk-*.tar.gz"))


def python_headers(folder):
    """This Python's headers, with what they ask of a machine."""
    include = folder / "include"
    found = Path(sysconfig.get_path("include"))
    if not (found / "Python.h").exists():
        sys.exit(f"there is no Python.h in {found}: Debian package python3-dev")
    shutil.rmtree(include, ignore_errors=True)
    shutil.copytree(found, include, ignore=shutil.ignore_patterns("pyconfig*.h"))
    (include / "pyconfig.h").write_text(PYCONFIG)
    return include


def python_library(folder, python):
    """What a module for Windows is linked with: the names of the stable interface that python3.dll has."""
    names = run(
        python,
        "-c",
        "from abi3info import DATAS, FUNCTIONS\n"
        "for names, kind in (FUNCTIONS, ''), (DATAS, ' DATA'):\n"
        "    for symbol, about in names.items():\n"
        "        if (about.added.major, about.added.minor) <= (3, 9) and about.ifdef in (None, 'MS_WINDOWS'):\n"
        "            print(symbol.name + kind)",
    )
    (folder / "python3.def").write_text(f"LIBRARY python3.dll\nEXPORTS\n{names}")
    library = folder / "python3.lib"
    made = ["-m", "i386:x86-64", "-D", "python3.dll", "-d", folder / "python3.def", "-l", library]
    run(python, "-m", "ziglang", "dlltool", *made)
    return library


def musl_library(folder, compiler, machine):
    """A module names its C library as systems with musl do, libc.musl-<machine>.so.1; zig's own would be libc.so."""
    library, empty = folder / "libc.so", folder / "empty.c"
    empty.write_text("")
    run(*shlex.split(compiler), "-shared", "-nostdlib", f"-Wl,-soname,libc.musl-{machine}.so.1", empty, "-o", library)
    return library


def settings(name, folder, python, include):
    """The environment in which setuptools builds for another system: Python's own description of that one."""
    zig, _, platform = TARGETS[name]
    compiler = f"{python} -m ziglang cc -target {zig} -I{include}"
    link = f"{compiler} -shared -s"
    if "windows" in name:
        link += f" {python_library(folder, python)}"
    elif "macos" in name:
        link += " -undefined dynamic_lookup"
    elif "musl" in name:
        link += f" -nostdlib -Wl,--no-as-needed {musl_library(folder, compiler, zig.split('-')[0])}"
    suffix = ".pyd" if "windows" in name else ".cpython-39.so"  # setuptools makes .abi3.so of the latter
    module = "_sysconfigdata_convk"
    variables = {
        "AR": f"{python} -m ziglang ar",
        "ARFLAGS": "rcs",
        "CC": compiler,
        "CXX": compiler,
        "CFLAGS": "-fno-sanitize=all",
        "CCSHARED": "" if "windows" in name else "-fPIC",
        "EXT_SUFFIX": suffix,
        "SHLIB_SUFFIX": ".so",
        "LDSHARED": link,
        "LDCXXSHARED": link,
    }
    (folder / f"{module}.py").write_text(f"build_time_vars = {variables!r}\n")
    unset = ("CC", "CXX", "CFLAGS", "CPPFLAGS", "LDFLAGS", "LDSHARED", "CONVK_HEADERS", "CONVK_THREADS", "ARCHFLAGS")
    return {
        **{key: value for key, value in os.environ.items() if key not in unset},
        "PYTHONPATH": str(folder),
        "_PYTHON_SYSCONFIGDATA_NAME": module,
        "_PYTHON_HOST_PLATFORM": platform,
        "CONVK_THREADS": "system",
    }


def check(name, wheel, python):
    """What others say of a wheel."""
    size = wheel.stat().st_size
    if size > MOST:
        sys.exit(f"{wheel.name} has {size} bytes, more than {MOST}")
    with zipfile.ZipFile(wheel) as packed:
        files = packed.namelist()
    for wanted in (r"convk/_convk\.(abi3\.so|pyd)", r"convk/py\.typed", r".*\.dist-info/licenses/LICENSE"):
        if not any(re.fullmatch(wanted, file) for file in files):
            sys.exit(f"{wheel.name} has no {wanted}")
    said = run(python, "-m", "abi3audit", "--strict", "--report", wheel)
    if '"is_abi3": true' not in said:
        sys.exit(f"{wheel.name}: abi3audit says\n{said}")
    tag = TARGETS[name][1]
    if "linux" in tag:
        tag = tag.replace("manylinux2014", "manylinux_2_17")
        said = run(python, "-m", "auditwheel", "show", wheel)
        found = re.search(r'platform tag:\s+"(\w+linux_\d+_\d+_\w+)"', said)
        if not found or library(found[1])[:2] != library(tag)[:2] or library(found[1]) > library(tag):
            sys.exit(f"{wheel.name}: auditwheel says\n{said}")
    print(f"{wheel}  {size / 1e6:.2f} MB", flush=True)


def library(tag):
    """Of a tag: the C library, its version, the machine."""
    name, major, minor, machine = re.fullmatch(r"(\w+linux)_(\d+)_(\d+)_(\w+)", tag).groups()
    return name, machine, int(major), int(minor)


def build(name, folder, python, include, sources):
    work = folder / name
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    with tarfile.open(sources) as packed:
        packed.extractall(work)
    source = next(work.glob("convk-*"))
    tag = TARGETS[name][1]
    command = ["setup.py", "-q", "bdist_wheel", "--plat-name", tag, "-d", work]
    run(python, *command, cwd=source, env=settings(name, work, python, include))
    for old in folder.glob(f"convk-*-{tag}.whl"):
        old.unlink()
    made = next(work.glob("*.whl"))
    wheel = made.replace(folder / made.name)
    check(name, wheel, python)
    shutil.rmtree(work)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=ROOT / "build/wheels")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"sdist, {', '.join(TARGETS)}")
    options = parser.parse_args()
    unknown = set(options.targets) - set(TARGETS) - {"sdist"}
    if unknown:
        parser.error(f"no target {', '.join(unknown)}; there are: sdist, {', '.join(TARGETS)}")
    folder = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if options.targets == ["sdist"]:
        print(archive(folder, sys.executable))
        return
    include = python_headers(folder)
    python = tools(folder / "tools")
    sources = archive(folder, python)
    print(sources)
    for name in options.targets or TARGETS:
        if name != "sdist":
            build(name, folder, python, include, sources)


if __name__ == "__main__":
    main()
