"""Builds convk/_convk: the headers as a Python module.

A unit for each family and one for what they share, compiled side by side; what cffi reads is made from the headers by the
preprocessor.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cffi import FFI
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist
from setuptools.errors import SetupError

here = Path(__file__).resolve().parent
names = ["convk.h", "convk_sse.h", "convk_avx.h", "convk_neon.h"]
inside = here / "include"  # of an archive of the sources
reader_headers = ["cube.h", "file.h", "mesh.h", "molden.h", "molden_norms.h", "stl.h"]
headers = Path(os.environ.get("CONVK_HEADERS") or (inside if inside.exists() else here.parents[1])).resolve()
# The readers of files, which the examples share: beside this folder, or below the headers where it was copied elsewhere.
readers = next((path for path in (inside, here.parent) if (path / reader_headers[0]).exists()), headers / "examples")
# One module for this Python and all later ones, where Python has such an interface.
oldest = "39"
abi3 = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
families = ["FORMFACTOR", "FFT", "VMC", "DISTANCES", "AMPLITUDES", "GAUSSIAN", "SEPCONV", "STENCIL", "VMATH"]
modules = "#define CONVK_SIMD\n"
# What else open() shall take: CONVK_DEVICES=opencl,cuda.
device_headers = {"opencl": "convk_cl.h", "cuda": "convk_cuda.h"}
devices = [name for name in os.environ.get("CONVK_DEVICES", "").replace(",", " ").split() if name]

# What the package adds to the headers; hook.c has the rest.
glue = """
int convk_py_run(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg);
extern unsigned long convk_py_main_thread;
const char *convk_py_threads(void);
"""
# What of files.h the package calls; cffi asks the compiler for members that are left out here.
files = """
typedef struct { int number; double charge; double position[3]; ...; } molden_atom;
typedef struct { size_t atom; int l; int spherical; size_t primitives; size_t first; ...; } molden_shell;
typedef struct { char symmetry[...]; double energy; double occupation; int beta; ...; } molden_orbital;
typedef struct {
  size_t natoms, nshells, nprimitives, nfunctions, norbitals;
  molden_atom *atoms;
  molden_shell *shells;
  double *exponents;
  double *contraction;
  molden_orbital *orbitals;
  double *coefficients;
  int rewritten;
  char meaning[...];
  ...;
} molden_file;
int molden_read_settled(molden_file *m, const char *path, const char *as, char *message, size_t message_size);
void molden_free(molden_file *molden);
typedef struct { size_t vertices, faces; double *x, *y, *z; uint32_t *face; ...; } mesh_file;
typedef struct { size_t n; double *corners; ...; } stl_file;
int convk_py_mesh_read(mesh_file *m, stl_file *stl, const char *path, char *message, size_t message_size);
void mesh_file_free(mesh_file *m);
void stl_free(stl_file *stl);
"""
callback = """
#define CONVK_VERSION ...
extern "Python+C" int convk_py_look(void);
"""


class BuildError(SetupError):
    """What setuptools shows as one sentence."""


def version():
    unknown = [name for name in devices if name not in device_headers]
    if unknown:
        sys.exit(f"convk: CONVK_DEVICES names {unknown[0]}, and there are opencl and cuda")
    missing = [name for name in [*names, *(device_headers[name] for name in devices)] if not (headers / name).exists()]
    if missing:
        sys.exit(f"convk: there is no {missing[0]} in {headers}: set CONVK_HEADERS to the folder that has the headers")
    text = (headers / "convk.h").read_text(encoding="utf-8")
    return ".".join(re.search(rf"#define CONVK_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def declarations():
    """What the headers declare, as plain C without the system's headers."""
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    try:
        run = subprocess.run(
            [*compiler, "-E", f"-I{headers}", "-x", "c", "-"],
            stdout=subprocess.PIPE,
            check=True,
            text=True,
            input='#define CONVK_DECLARE\n#include "convk.h"\n',
        )
    except OSError:
        raise BuildError(
            f"convk is made from C, and there is no compiler {compiler[0]} here: install gcc or clang (Debian package gcc), "
            "or name one as CC"
        ) from None
    except subprocess.CalledProcessError:
        raise BuildError(f"{shlex.join(compiler)} does not read convk.h: convk wants gcc or clang, as CC") from None
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
    text = re.sub(r"^(typedef char \w+\[\s*sizeof|_Static_assert)[^;]*;", "", text, flags=re.M)  # what only checks sizes
    for name, declaration in prototypes(text).items():
        if name.endswith(("_", "_scalar")):
            text = text.replace(declaration, "")
    return text


def write(file, text):
    """Leaves a file alone that holds this text, so that nothing is compiled again for it."""
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def look_for_python():
    """The system's Python may come without its headers."""
    folders = {sysconfig.get_path("include"), sysconfig.get_path("platinclude")}
    if not any(Path(folder, "Python.h").exists() for folder in folders):
        raise BuildError(f"there is no Python.h in {', '.join(sorted(folders))}: Debian package python3-dev")


def sources(folder):
    """Writes the C files of the module into `folder`: a unit for each family, one for what they share, and cffi's."""
    folder.mkdir(parents=True, exist_ok=True)
    more = "".join({"opencl": "#define CONVK_CL\n", "cuda": "#define CONVK_CUDA\n"}[name] for name in devices)
    implement = f'#define CONVK_IMPLEMENT\n{modules}{more}#include "convk.h"\n'
    units = {family.lower(): f"#define CONVK_WITH_{family}\n#define CONVK_ONLY_FAMILIES\n{implement}" for family in families}
    opens = "int convk_py_open(convk *hw, const char *spec)"
    every = "".join(f"#define CONVK_WITH_{family}\n" for family in families)
    as_c = '#ifdef __cplusplus\nextern "C"\n#endif\n'  # for nvcc it is C++
    units["core"] = f"{every}#define CONVK_ONLY_CORE\n{implement}{as_c}{opens} {{ return convk_open(hw, spec); }}\n"
    for name, text in units.items():
        write(folder / f"{name}.c", text)
    ffi = FFI()
    ffi.cdef(cdef(declarations()) + glue + f"{opens};\n" + callback + files)
    ffi.set_source(
        "convk._convk",
        '#define CONVK_DECLARE\n#include "convk.h"\n#include "files.h"\n'
        + glue + f"{opens};\n",
    )
    ffi.emit_c_code(str(folder / "_convk.c"))
    return [str(file) for file in [*(folder / f"{name}.c" for name in units), folder / "_convk.c", here / "hook.c"]]


class BuildExt(build_ext):
    def build_extension(self, ext):
        start = time.perf_counter()
        look_for_python()
        self.say(f"convk {version()} from {headers}: reading the headers")
        ext.sources = sources(Path(self.build_temp))
        if self.openmp():
            ext.extra_compile_args.append("-fopenmp")
            ext.extra_link_args.append("-fopenmp")
        ext.extra_link_args += self.device_libraries()
        of_files = [here / "files.h", *(readers / name for name in reader_headers)]
        ext.depends = [str(path) for path in [*headers.glob("convk*.h"), here / "setup.py", *of_files]]
        serial = self.compiler.compile

        def compile_one(source, **options):
            begin = time.perf_counter()
            by_nvcc = "cuda" in devices and Path(source).stem in {*(family.lower() for family in families), "core"}
            objects = [self.nvcc(source)] if by_nvcc else serial([source], **options)
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

    def device_libraries(self):
        """What links the devices asked for; an error says what there is not."""
        found = []
        if "opencl" in devices:
            probe = Path(self.build_temp) / "probe_cl.c"
            probe.write_text("#define CL_TARGET_OPENCL_VERSION 120\n#include <CL/cl.h>\n"
                             "int convk_probe(void) { return clGetPlatformIDs(0, NULL, NULL); }\n")
            try:
                objects = self.compiler.compile([str(probe)])
                self.compiler.link_shared_object(objects, str(probe.with_suffix(".so")), extra_postargs=["-lOpenCL"])
            except Exception:  # of whatever kind the compiler's class has
                raise BuildError("CONVK_DEVICES has opencl, and there is no CL/cl.h or no libOpenCL: Debian packages "
                                 "opencl-headers and ocl-icd-opencl-dev") from None
            found.append("-lOpenCL")
        if "cuda" in devices:
            nvcc = shutil.which("nvcc")
            if not nvcc:
                raise BuildError("CONVK_DEVICES has cuda, and there is no nvcc in PATH: NVIDIA's CUDA toolkit")
            root = Path(nvcc).resolve().parents[1]
            found += [f"-L{root / place}" for place in ("lib64", "lib", "targets/x86_64-linux/lib") if (root / place).is_dir()]
            found += ["-lcudart_static", "-lstdc++", "-ldl", "-lrt", "-lpthread"]
        if devices:
            self.say(f"devices: {', '.join(devices)} (CONVK_DEVICES)")
        return found

    def nvcc(self, source):
        """The object of a unit that has CUDA kernels; CONVK_CUDA_ARCH is for nvcc's -arch, all of its own without it."""
        to = str(Path(self.build_temp) / f"{Path(source).stem}.cuda.o")
        host = "-fPIC,-fvisibility=hidden,-ffp-contract=off"
        arch = os.environ.get("CONVK_CUDA_ARCH", "all-major")
        flags = ["-x", "cu", "-O2", f"-arch={arch}", f"-I{headers}", "-Xcompiler", host]
        run = subprocess.run(["nvcc", *flags, "-c", source, "-o", to])
        if run.returncode:
            raise BuildError(f"nvcc does not compile {os.path.basename(source)}")
        return to

    @staticmethod
    def say(text):
        print(text, file=sys.stderr, flush=True)


class SDist(sdist):
    """An archive of the sources has the headers inside, which lie above this folder otherwise."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        folder = Path(base_dir, inside.name)
        folder.mkdir(exist_ok=True)
        for name in [*names, *device_headers.values()]:
            shutil.copyfile(headers / name, folder / name)
        for name in reader_headers:
            shutil.copyfile(readers / name, folder / name)


module = Extension(
    "convk._convk",
    [],
    include_dirs=[str(headers), str(here), str(readers)],
    define_macros=[("Py_LIMITED_API", f"0x03{int(oldest[1:]):02x}0000") if abi3 else ("_CFFI_NO_LIMITED_API", None)],
    # Python's own flags differ from system to system: these come after them, and the user's last
    extra_compile_args=["-O2", "-g0", "-fvisibility=hidden", *shlex.split(os.environ.get("CFLAGS", ""))],
    py_limited_api=abi3,
)
setup(
    version=version(),
    cmdclass={"build_ext": BuildExt, "sdist": SDist},
    ext_modules=[module],
    options={"bdist_wheel": {"py_limited_api": f"cp{oldest}"}} if abi3 else {},
)
