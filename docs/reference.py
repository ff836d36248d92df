#!/usr/bin/env python3
"""Makes the reference of the headers: comments become reStructuredText, of which Sphinx makes pages to browse and search.
  docs/reference.py OUT [ROOT [PACKAGE]]    ROOT: where the headers are, PACKAGE: the folder of the Python package
Fails, and names them, where public names have no comment or comments name what there is not."""

import glob
import os
import re
import shutil
import subprocess
import sys

from comments import Writer, directive, lines_of, table
from declarations import VARIANTS, Headers, base, plain
from languages import Cpp, Python

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(HERE)

# page: (title, what it is)
FAMILIES = {
    "filters": ("Separable convolution", "Three filters of 1 to 64 taps along x, y and z, among them BigDFT's, in one call."),
    "wavelets": ("Wavelets", "Wavelet transforms in three dimensions, and orbitals as lists of segments."),
    "sums": ("Sums of filters", "Kinetic energies and Hamiltonians by finite differences, and Chebyshev filters of them."),
    "hamiltonian": ("Hamiltonian in wavelets", "The local Hamiltonian of BigDFT on orbitals in Daubechies wavelets, as one call."),
    "stencil": ("7-point stencil", "Many time steps of a 7-point stencil per pass over memory."),
    "vmath": ("Functions of arrays", "The functions exp, expm1, log and sincos of whole arrays, to 1 ulp."),
    "gaussian": ("Gaussians on points", "Grid potentials, molecular orbitals with gradients and Laplacians, and densities."),
    "grids": ("Gaussians on grids", "Orbitals and densities of molecules and crystals on regular grids, at points k, too."),
    "formfactor": ("X-ray form factors", "Form factors of triangulated shapes, of many particles, and in films."),
    "distances": ("Distances of atoms", "Histograms of distances with exact counts, and Debye's scattering from them."),
    "amplitudes": ("Amplitudes of atoms", "What atoms scatter into directions: lists and grids of q, reciprocal nodes."),
    "fft": ("2D convolutions by FFT", "Many small 2D convolutions, or large ones by tiles, and 2D transforms, as one call."),
    "pairs": ("Variational Monte Carlo", "Pair sums and variational Monte Carlo of helium clusters and liquids."),
}
LIBRARY = {
    "handle": ("Handle, grids and memory", "What all families share: opening the hardware, grids, threads, memory."),
    "tuning": ("Tuning", "Block sizes: by hand, or measured by convk_tune and kept as text."),
    "status": ("Status codes", "What functions return: 0, or one of these. convk_strerror gives the text."),
}
DEVICES = {"opencl": ("OpenCL", ""), "cuda": ("CUDA", "")}
LANGUAGES = {"python": ("Python", ""), "cpp": ("C++", "")}
MORE = {"examples": ("Examples", ""), "processes": ("", "")}
PAGES = {"which": ("", ""), "from_your_code": ("", ""), "questions": ("", ""), "operations": ("", ""), "building": ("", "")}  # docs/pages
TREES = {"Start": PAGES, "Families": FAMILIES, "Library": LIBRARY, "Devices": DEVICES, "Languages": LANGUAGES, "More": MORE}
TITLES = {"index": "Manual", **{p: t for tree in TREES.values() for p, (t, _) in tree.items()}}


def page_of(room):
    folder, name = room.split("/")
    if "opencl" in name:
        return "opencl"
    if "cuda" in name:
        return "cuda"
    return "status" if name == "status.h" else {"core": "handle", "tuner": "tuning", "atoms": "distances"}.get(folder, folder)


# In a comment: code; public names, whole or without convk_; parameters of tuning; sections of the manual; status codes.
NAMES = re.compile(
    r"`([^`]+)`|(?<![\w/.#\"-])(?:convk_\w+(?:<type>)?|CONVK_\w+|(?:hw->|hw\.)?tuning\.\w+|[a-z]\w*_\w+|[a-z]+\d\w*"
    r"|(?<=see )[A-Z][A-Z, ]+[A-Z]|[A-Z][A-Z_0-9]{2,})(?![\w.*]*\.h\b)"
)
# In a struct: a declaration or several on one line, and the comment behind them.
FIELDS = re.compile(
    r"\s*((?:[^;/(]|\([^()]*(?:\([^()]*\)[^()]*)*\)|/(?!\*))+;)((?:[^\S\n]*[^\S\n;/]+[^;/]*;)*)[ \t]*(/\*.*?\*/)?", re.S
)


def slug(title):
    return re.sub(r"[ ,]+", "-", title.lower())


def escape(text):
    return re.sub(r"([\\*`|_<])", r"\\\1", text).replace("::", r":\:")


def title(text, line):
    return f"{text}\n{line * len(text)}\n\n"


class Reference:
    def __init__(self, root):
        self.h = Headers(root)
        self.target = {}  # name -> what Sphinx knows it as
        self.manuals = {}  # name -> the page whose manual has it
        self.write = Writer(self.link)
        for e in self.h.entries:
            if e.kind == "function" and self.h.operations.intersection(e.bases()):
                e.kind = "operation"
            if e.kind == "macro" and re.match(rf"/\* \w[\w *]+\b{e.names()[0]}\(.*\)\n", e.comment):  # a function, as it says
                e.kind, first, e.comment = "function", *e.comment[3:].split("\n", 1)
                e.code = {e.names()[0]: first}
            e.page = page_of(e.room)
            if e.kind != "hook":
                for name in e.names():
                    self.target[name] = name
                    if e.kind in ("operation", "function") or base(name) not in self.target:
                        self.target[base(name)] = name
        bare = [n for e in self.h.entries if e.kind == "macro" and not e.comment for n in e.code]
        for header in self.h.text:
            for define in self.h.defines + bare:
                if re.search(rf"\b{define}\b", self.h.manual(header)):
                    self.manuals.setdefault(define, {"convk_cl.h": "opencl", "convk_cuda.h": "cuda"}.get(header, "index"))
                    self.target[define] = define

    def undocumented(self):
        bare = [n for e in self.h.entries if not e.comment for n in e.code]
        bare += [n for e in self.h.entries if not e.comment for n, _, said in e.constants if not said]
        bare = [n for n in bare + self.h.defines if n not in self.h.status and n not in self.manuals]
        return bare + [f"hw.tuning.{p}" for p, (said, _) in self.h.tuning.items() if not said]

    # ---- comments ----

    def link(self, text):
        """Text with its names as links, which Sphinx checks."""
        out, at = "", 0
        for m in NAMES.finditer(text):
            out += escape(text[at : m.start()])
            found = self.find(m.group(1) or m.group(), text[: m.start()].endswith("see "))
            word = f":any:`{escape(m.group(1) or m.group())} <{found}>`" if found else f"``{m.group(1)}``" if m.group(1) else ""
            at = m.end()  # an escaped blank ends a role, but would take the end of a line along
            out += rf"\ {word}" + r"\ " * (text[at : at + 1] not in ("", "\n")) if word else escape(m.group())
        return r"\ " + out + escape(text[at:])

    def find(self, word, section):
        """What Sphinx knows a word as that names something, or seems to."""
        name = re.sub(r"_?<type>", "", word)
        if re.match(r"(hw->|hw\.)?tuning\.", name):
            return "convk_tuning." + name.rsplit(".", 1)[-1]
        if section and name.isupper() and not name.startswith("CONVK_"):
            return slug(name)
        if name.lower().startswith("convk_") and not name.endswith("_"):
            name = re.sub(rf"_({'|'.join(VARIANTS)})$", "", name)
            return self.target.get(name, name)
        if name.isupper():
            return "CONVK_ERR_" + name if "CONVK_ERR_" + name in self.h.status and name != "NULL" else None
        return self.target.get("convk_" + name) if re.search(r"[_\d]", name) else None

    # ---- entries ----

    def entry(self, e):
        names = e.bases()
        said = self.write.convert(lines_of(e.comment)) if e.comment else ""
        out = title(", ".join(re.sub("^convk_", "", n) for n in names[:4]) + (" ..." if len(names) > 4 else ""), "~")
        if e.kind == "constant":
            values = [directive("c:enumerator", [f"{n} = {v}"], self.link(plain(s))) for n, v, s in e.constants]
            return "\n".join([out + said, *values])
        if e.kind == "type":
            return out + directive("c:struct", sorted(e.code), said + "\n\n" + self.members(e))
        if e.kind == "macro":
            shown = [re.sub(r"#define (\w+(\([^)]*\))?).*", r"\1", c) for c in e.code.values()]
            return out + directive("c:macro", shown, "\n\n".join(f"``{c}``" for c in e.code.values()) + "\n\n" + said)
        order = sorted(e.code, key=lambda n: (names.index(base(n)), n))
        return out + directive("c:function", [e.code[n].rstrip(";") for n in order], said)

    def members(self, e):
        """The fields of a struct; of two types of numbers those of f64."""
        name, code = max(e.code.items())
        out, fields = [], []
        if e.bases() != ["convk_ops"] and "{" in code:
            if name == "convk_tuning":  # comments that stand with the families
                for parameter, (said, _) in self.h.tuning.items():
                    code = code.replace(f" {parameter};", f" {parameter}; /* {said} */")
            fields = FIELDS.findall(code[code.index("{") + 1 : code.rindex("}")])
        for first, more, said in fields:
            shown = []
            texts = [first[:-1]] if "(" in first else re.findall(r"[^; ][^;]*", first + more)
            for text in (re.sub(r"\s+", " ", t).strip() for t in texts):
                kind, declared = re.match(r"((?:const |unsigned |struct )*\w+ )(.*)", text).groups()
                shown += [kind + d for d in (declared.split(", ") if "(" not in text else [declared])]
            shown = [t for t in shown if not re.search(r"\w_ \*?\w", t)]
            out += [directive("c:member", shown, self.link(plain(said)))] if shown else []
        if len(e.code) > 1 and out:
            sums = ", but for sums" if "double" in min(e.code.items())[1] else ""
            out.insert(0, f"Shown with ``double``; {min(e.code)} has ``float`` there{sums}.\n")
        return "\n".join(out)

    # ---- pages ----

    def markdown(self, path, to):
        """A page in Markdown: pictures go along, names of C become links, and so do links between pages; other files are named."""
        with open(path, encoding="utf-8") as f:
            text = f.read()

        def picture(m):
            shutil.copy(os.path.join(os.path.dirname(path), m.group(2)), os.path.dirname(to))
            return f"![{m.group(1)}]({os.path.basename(m.group(2))})"

        def name(m):
            found = self.find(m.group(1), False)
            known = found in self.target.values() or m.group(1).startswith("convk_")  # Sphinx names those that are not there
            return f"{{any}}`{m.group(1)} <{found}>`" if known else m.group()

        parts = re.split(r"(^```.*?^```$)", text, flags=re.S | re.M)  # code stays as it is
        for i in range(0, len(parts), 2):
            parts[i] = re.sub(r"!\[([^\]]*)\]\(([^)]*)\)", picture, parts[i])
            parts[i] = re.sub(r"(?<!!)\[([^\]]*)\]\((?!http|\w+\.md[#)])(?:\.\./)*([^)]*)\)", r"\1 (`\2`)", parts[i])
            if os.path.dirname(path) == os.path.join(HERE, "pages"):
                parts[i] = re.sub(r"`(convk_\w+|CONVK_\w+)`", name, parts[i])
        with open(to, "w", encoding="utf-8") as f:
            f.write("".join(parts))

    def body(self, page):
        mine = [e for e in self.h.entries if e.page == page and e.kind != "hook" and e.names()[0] not in self.manuals]
        if page in DEVICES:
            out = [self.manual("convk_cl.h" if page == "opencl" else "convk_cuda.h", page)]
            folders = [f for f in ["device", *FAMILIES] if any(e.room.startswith(f + "/") for e in mine)]
            groups = [(TITLES.get(f, "Context and arrays"), [e for e in mine if e.room.startswith(f + "/")]) for f in folders]
        else:
            out = [self.link({**FAMILIES, **LIBRARY}[page][1])]
            kinds = {"Operations": ["operation"], "Functions": ["function"], "Types": ["type"]}
            kinds["Constants and macros"] = ["constant", "macro"]
            groups = [(name, [e for e in mine if e.kind in kind]) for name, kind in kinds.items()]
        for name, entries in groups:
            if entries:
                out.append(title(name, "-"))
            if entries and name == "Operations":
                variants = escape(f"{entries[0].names()[-1]}_" + ", ".join(VARIANTS))
                out.append(f"By the name of a variant too (handle or NULL): {variants}; see :ref:`choosing-the-hardware`.")
            out += [self.entry(e) for e in entries]
        return "\n\n".join(out)

    def status(self):
        codes = sorted(self.h.status.items(), key=lambda s: -s[1][0])
        values = [directive("c:enumerator", [f"{n} = {v}"], escape(t)) for n, (v, t) in codes]
        return "\n".join([self.link(LIBRARY["status"][1]) + "\n", *values])

    def manual(self, header, page):
        out = ""
        self.write.defines = {n for n, p in self.manuals.items() if p == page}
        for heading, text in self.write.manual(self.h.manual(header)):
            if heading:
                name = heading.split(" (")[0]
                out += f".. _{slug(name)}:\n\n" if page == "index" else ""
                out += title(name.capitalize() + heading[len(name) :], "-")
            out += re.sub(r"SPDX-License-Identifier: MIT (convk\S* - )?", "", text) + "\n"
        self.write.defines = set()
        return out

    def index(self):
        families = table([[f":doc:`{t} <{p}>`", s] for p, (t, s) in FAMILIES.items()])
        first, rest = re.match(r"(.*?)(\.\. _.*)", self.manual("convk.h", "index"), re.S).groups()
        trees = [directive("toctree", [], "\n".join(t), f":hidden:\n:caption: {c}") for c, t in TREES.items()]
        return "\n".join([first, families, *trees, rest])

    def examples(self):
        with open(os.path.join(SOURCE, "Makefile"), encoding="utf-8") as f:
            targets = set(re.findall(r"^([\w-]+):", f.read(), re.M))
        out = "Programs to run and to copy from; each is one file of ``examples/``.\n\n"
        for path in sorted(glob.glob(os.path.join(SOURCE, "examples", "*.*"))):
            with open(path, encoding="utf-8") as f:
                head = re.match(r"/\*.*?\*/|(?:(?://|!)[^\n]*\n)+", f.read(), re.S)
            name, kind = os.path.splitext(os.path.basename(path))
            if head and kind in (".c", ".cpp", ".cu", ".f90"):
                said = re.sub(r"^(?: \*|//|!)", "  ", re.sub(r"\s*\*/$", "", re.sub(r"^/\*", "  ", head.group())), flags=re.M)
                make = name.replace("_", "-")
                out += title(name + kind, "-") + (f"``make {make}``\n\n" if make in targets else "")
                out += self.write.convert(said.splitlines()) + "\n"
        return out


def make(out, root, package=None):
    ref = Reference(root)
    python = Python(package or os.path.join(SOURCE, "examples/python"))
    pages = {"index": ref.index(), "status": ref.status(), "examples": ref.examples(), "python": python.page()}
    pages["cpp"] = Cpp(os.path.join(SOURCE, "examples/adapters"), ref).page(FAMILIES)
    faults = [f"no comment: {n}" for n in ref.undocumented()] + python.bare
    if faults:
        sys.exit("\n".join(faults))
    pages.update({p: ref.body(p) for p in [*FAMILIES, *DEVICES, "handle", "tuning"]})
    shutil.rmtree(out, ignore_errors=True)
    sources = os.path.join(out, "sources")  # stay where Sphinx finds faults in them
    os.makedirs(sources)
    for page, text in pages.items():
        with open(os.path.join(sources, page + ".rst"), "w", encoding="utf-8") as f:
            f.write(title(TITLES[page], "=") + text)
    ref.markdown(os.path.join(SOURCE, "examples/mpi/README.md"), os.path.join(sources, "processes.md"))
    for page in PAGES:
        ref.markdown(os.path.join(HERE, "pages", page + ".md"), os.path.join(sources, page + ".md"))
    version = ".".join(re.search(rf"VERSION_{p} (\d+)", ref.h.text["convk.h"]).group(1) for p in ("MAJOR", "MINOR", "PATCH"))
    command = ["sphinx-build", "-qW", "--keep-going", "-c", HERE, "-D", f"html_title=convk {version}"]
    if subprocess.run([*command, "-d", os.path.join(sources, "read"), sources, out], check=False).returncode:
        sys.exit(1)
    shutil.rmtree(sources)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    make(os.path.abspath(sys.argv[1]), *(sys.argv[2:] or [SOURCE]))
