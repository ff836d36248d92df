"""Builds convk/_convk: the headers as a Python module.

One implementation unit per family, compiled side by side; what cffi reads is made from the headers by the preprocessor.
"""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cffi import FFI
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

here = Path(__file__).resolve().parent
headers = Path(os.environ.get("CONVK_HEADERS", here.parents[1])).resolve()
families = ["FORMFACTOR", "FFT", "VMC", "GAUSSIAN", "SEPCONV", "STENCIL", "VMATH"]
modules = "#define CONVK_SSE\n#define CONVK_AVX\n"

# What the package adds to the headers; hook.c has the rest.
glue = """
int convk_py_run(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg);
unsigned long convk_py_main_thread;
const char *convk_py_threads(void);
"""
callback = """
#define CONVK_VERSION ...
extern "Python+C" int convk_py_look(void);
"""


def version():
    text = (headers / "convk.h").read_text()
    return ".".join(re.search(rf"#define CONVK_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def declarations(family):
    """What the headers declare for one family ("ALL": for all), as plain C without the system's headers."""
    define = "" if family == "ALL" else f"#define CONVK_WITH_{family}\n"
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    run = subprocess.run(
        [*compiler, "-E", f"-I{headers}", "-x", "c", "-"],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
        input=f'{define}#define CONVK_DECLARE\n#include "convk.h"\n',
    )
    text, ours = [], False
    for line in run.stdout.splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            ours = os.path.basename(marker[1]) == "convk.h"
        elif ours and not line.startswith("#"):
            text.append(line)
    return re.sub(r"__attribute__\s*\(\(.*?\)\)(?=\s|;)", "", "\n".join(text))


def prototypes(text):
    """The functions in such a text: {name: declaration}."""
    found = re.finditer(r"^\s*((?:const )?\w+ \*?(convk_\w+)\([^;{}]*\);)", text, re.M)
    return {match[2]: match[1] for match in found}


def cdef(text):
    """What cffi is to read: types, constants and the public functions that dispatch through a handle."""
    for name, declaration in prototypes(text).items():
        if name.endswith(("_", "_scalar")):
            text = text.replace(declaration, "")
    return text


def write(file, text):
    """Leaves a file alone that holds this text, so that nothing is compiled again for it."""
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def sources(folder):
    """Writes the C files of the module into `folder`: a unit for each family, and what joins them."""
    folder.mkdir(parents=True, exist_ok=True)
    every = [set(prototypes(declarations(family))) for family in families]
    # Each unit has its own copy of what all units define; only the first copy keeps its names.
    shared = sorted(set.intersection(*every) | {"convk_sse_modules_", "convk_avx_modules_"})
    files, opens, tunes = [], [], []
    for family in families:
        name = family.lower()
        rename = "".join(f"#define {symbol} {symbol}_{name}\n" for symbol in shared) if family != families[0] else ""
        file = folder / f"{name}.c"
        write(
            file,
            f"""{rename}#define CONVK_WITH_{family}
#define CONVK_IMPLEMENT
{modules}#include "convk.h"
int convk_py_open_{name}(convk *hw, const char *spec) {{ return convk_open(hw, spec); }}
int convk_py_tune_{name}(const convk *hw, const char *operation, const convk_tune_shape *shape, double ms,
                         convk_tuned *entry) {{
  return convk_tune(hw, operation, shape, ms, entry);
}}
""",
        )
        files.append(file)
        opens.append(f"int convk_py_open_{name}(convk *hw, const char *spec);\n")
        tunes.append(
            f"int convk_py_tune_{name}(const convk *hw, const char *operation, const convk_tune_shape *shape, "
            "double ms, convk_tuned *entry);\n"
        )
    ffi = FFI()
    ffi.cdef(cdef(declarations("ALL")) + glue + "".join(opens + tunes) + callback)
    ffi.set_source(
        "convk._convk",
        '#define CONVK_DECLARE\n#include "convk.h"\n' + glue.replace("unsigned", "extern unsigned") + "".join(opens + tunes),
    )
    ffi.emit_c_code(str(folder / "_convk.c"))
    return [str(file) for file in [*files, folder / "_convk.c", here / "hook.c"]]


class BuildExt(build_ext):
    def build_extension(self, ext):
        start = time.perf_counter()
        self.say(f"convk {version()} from {headers}: reading the headers")
        ext.sources = sources(Path(self.build_temp))
        if self.openmp():
            ext.extra_compile_args.append("-fopenmp")
            ext.extra_link_args.append("-fopenmp")
        ext.depends = [str(path) for path in [*headers.glob("convk*.h"), here / "setup.py"]]
        serial = self.compiler.compile

        def compile_one(source, **options):
            begin = time.perf_counter()
            objects = serial([source], **options)
            self.say(f"  compiled {os.path.basename(source)} in {time.perf_counter() - begin:.1f} s")
            return objects

        def compile_all(sources, **options):
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                return sum(pool.map(lambda source: compile_one(source, **options), sources), [])

        self.compiler.compile = compile_all
        try:
            super().build_extension(ext)
        finally:
            self.compiler.compile = serial
        self.say(f"built in {time.perf_counter() - start:.1f} s")

    def openmp(self):
        """Whether the compiler has OpenMP: a program with it compiles and links."""
        asked = os.environ.get("CONVK_THREADS", "openmp")
        if asked != "openmp":
            self.say(f"threads: {asked} (CONVK_THREADS)")
            return False
        probe = Path(self.build_temp) / "probe.c"
        probe.write_text("#include <omp.h>\nint convk_probe(void) { return omp_get_max_threads(); }\n")
        try:
            objects = self.compiler.compile([str(probe)], extra_postargs=["-fopenmp"])
            self.compiler.link_shared_object(objects, str(probe.with_suffix(".so")), extra_postargs=["-fopenmp"])
        except Exception:  # of whatever kind the compiler's class has
            self.say("threads: no OpenMP here, threads of the system instead")
            return False
        self.say("threads: OpenMP")
        return True

    @staticmethod
    def say(text):
        print(text, file=sys.stderr, flush=True)


setup(
    version=version(),
    cmdclass={"build_ext": BuildExt},
    ext_modules=[Extension("convk._convk", [], include_dirs=[str(headers)], extra_compile_args=["-O2", "-g0"])],
)
