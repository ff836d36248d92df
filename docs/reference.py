#!/usr/bin/env python3
"""Makes the reference of the headers: HTML from their comments, with a search that needs no server.
  docs/reference.py OUT [ROOT]    ROOT: where the headers are
Fails, and names them, where public names have no comment, comments name what there is not, or links lead nowhere."""

import glob
import html
import json
import os
import re
import shutil
import sys

import links
from comments import Writer, lines_of, markdown
from declarations import VARIANTS, Headers, base, plain

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(HERE)

# page: (title, what it is)
FAMILIES = {
    "sepconv": (
        "Separable convolution",
        "Three filters of 1 to 64 taps along x, y and z, among them the magic filter of BigDFT, in one call.",
    ),
    "stencil": ("7-point stencil", "Many time steps of a 7-point stencil per pass over memory."),
    "vmath": ("Functions of arrays", "The functions exp, expm1, log and sincos of whole arrays, to 1 ulp."),
    "gaussian": (
        "Gaussians on points",
        "Grid potentials and their sums, molecular orbitals with gradients and Laplacians, and densities.",
    ),
    "formfactor": ("X-ray form factors", "Form factors of triangulated shapes, of many particles, and in films."),
    "fft": ("2D convolutions by FFT", "Many small 2D convolutions, or large ones by tiles, and 2D transforms, as one call."),
    "pairs": ("Variational Monte Carlo", "Pair sums and variational Monte Carlo of helium clusters and liquids."),
}
LIBRARY = {
    "handle": (
        "Handle, grids and memory",
        "What all families share: opening the hardware, grids, threads, memory, the version.",
    ),
    "tuning": ("Tuning", "Block sizes: by hand, or measured by convk_tune and kept as text."),
    "status": ("Status codes", "What functions return: 0, or one of these. convk_strerror gives the text."),
}
DEVICES = {"opencl": ("OpenCL", ""), "cuda": ("CUDA", "")}
MORE = {"examples": ("Examples", ""), "processes": ("Many processes (MPI)", "")}
TITLES = {"index": "Manual", **{p: t[0] for p, t in {**FAMILIES, **LIBRARY, **DEVICES, **MORE}.items()}}


def page_of(room):
    folder, name = room.split("/")
    if "opencl" in name:
        return "opencl"
    if "cuda" in name:
        return "cuda"
    return "status" if name == "status.h" else {"core": "handle", "tuner": "tuning"}.get(folder, folder)


# In a comment: public names, whole or without convk_; parameters of tuning; sections of the manual; status codes.
NAMES = re.compile(
    r"(?<![\w/.#\"-])(?:convk_\w+(?:&lt;type&gt;)?|CONVK_\w+|(?:hw-?&gt;|hw\.)?tuning\.\w+|[a-z]\w*_\w+|[a-z]+\d\w*"
    r"|(?<=see )[A-Z][A-Z, ]+[A-Z]|[A-Z][A-Z_0-9]{2,})(?![\w.*]*\.h\b)"
)
# In a struct: a declaration or several on one line, and the comment behind them.
FIELDS = re.compile(
    r"\s*((?:[^;/(]|\([^()]*(?:\([^()]*\)[^()]*)*\)|/(?!\*))+;)((?:[^\S\n]*[^\S\n;/]+[^;/]*;)*)[ \t]*(/\*.*?\*/)?", re.S
)


def slug(title):
    return re.sub(r"[ ,]+", "-", title.lower())


class Reference:
    def __init__(self, root):
        self.h = Headers(root)
        self.where = {}  # name -> page#anchor
        self.manuals = {}  # name -> the page whose manual has it
        self.wrong = []  # names that comments have and headers have not
        self.page = ""
        self.write = Writer(self.link)
        self.place()

    def place(self):
        for e in self.h.entries:
            for operation, (comment, room) in self.h.operations.items():
                if e.kind == "function" and operation in e.bases():
                    e.comment, e.room, e.kind = comment, room, "operation"
            e.page = page_of(e.room)
            for name in e.names() + (e.bases() if e.kind != "hook" else []):
                if e.kind in ("operation", "function") or name not in self.where:
                    self.where[name] = f"{e.page}.html#{self.anchor(e, name)}"
        for name in self.h.status:
            self.where[name] = f"status.html#{name}"
        for name in self.h.tuning:
            self.where["tuning." + name] = f"tuning.html#{name}"
        bare = [n for e in self.h.entries if e.kind == "macro" and not e.comment for n in e.code]
        for header in self.h.text:
            page = {"convk_cl.h": "opencl", "convk_cuda.h": "cuda"}.get(header, "index")
            manual = self.h.manual(header)
            for define in self.h.defines + bare:
                if re.search(rf"\b{define}\b", manual) and define not in self.manuals:
                    self.manuals[define] = page
                    self.where[define] = f"{page}.html#{define}"
        self.sections = set(re.findall(r"^   ([A-Z][A-Z, -]+[A-Z])$", self.h.manual("convk.h"), re.M))

    def anchor(self, entry, name):
        """A type may have the name of an operation."""
        return f"struct_{name}" if entry.kind == "type" and name in self.h.operations else name

    def begin(self, page):
        self.page = page
        self.anchors = {n for n, p in self.manuals.items() if p == page}  # of defines, which the manual is to set

    def undocumented(self):
        bare = [n for e in self.h.entries if not e.comment for n in e.code]
        bare += [n for e in self.h.entries if not e.comment for n, _, said in e.constants if not said]
        bare = [n for n in bare + self.h.defines if n not in self.h.status and n not in self.manuals]
        return bare + [f"hw.tuning.{p}" for p, (said, _) in self.h.tuning.items() if not said]

    def link(self, text, names=False):
        """Links in escaped text.  names: it is the left column of a table, where defines have their anchors."""

        def target(m):
            word = m.group()
            found = self.find(word)
            if not found:
                return word
            if word in self.anchors and (names or self.page != "index"):
                self.anchors.discard(word)
                return f'<span id="{word}"><code>{word}</code></span>'
            return f'<a href="{found}"><code>{word}</code></a>' if not names else f'<a href="{found}">{word}</a>'

        return NAMES.sub(target, text)

    def find(self, word):
        if re.match(r"(?:hw-?&gt;|hw\.)?tuning\.", word):
            name = "tuning." + word.rsplit(".", 1)[-1]
            if name not in self.where:
                return "tuning.html#convk_tuning" if name[7:] in self.fields("convk_tuning") else self.miss(word)
            return self.where[name]
        if word in self.sections and self.page != "status":
            return f"index.html#{slug(word)}"
        if re.fullmatch(r"[A-Z][A-Z_0-9]+", word) and not word.startswith("CONVK"):
            code = "CONVK_ERR_" + word
            return f"status.html#{code}" if code in self.h.status and self.page != "index" and word != "NULL" else None
        word = word.replace("&lt;type&gt;", "").rstrip("_") if "&lt;" in word else word
        if word in self.where:
            return self.where[word]
        if word.lower().startswith("convk"):
            known = re.sub(rf"_({'|'.join(VARIANTS)})$", "", word)
            return self.where[known] if known in self.where else None if word.endswith("_") else self.miss(word)
        return self.where.get("convk_" + word)

    def miss(self, word):
        self.wrong.append(f"{self.page}: {word}")

    def fields(self, name):
        code = "".join(c for e in self.h.entries for n, c in e.code.items() if n == name)
        return re.findall(r"(\w+)[,;\[]", code)

    # ---- entries ----

    def prototype(self, code):
        code = re.sub(r"(\w) \(", r"\1(", re.sub(r"\* +", "*", code)).rstrip(";")
        m = re.match(r"((?:typedef )?[\w ]+[ *]+)(\w+)\((.*)\)$", code)
        if not m:
            return self.types(code)
        head, parts, depth = m.group(1) + m.group(2) + "(", [""], 0
        for c in m.group(3):
            depth += (c == "(") - (c == ")")
            if c == "," and not depth:
                parts.append("")
            else:
                parts[-1] += c
        lines = [head]
        for i, part in enumerate(parts):
            part = part.strip() + ("," if i + 1 < len(parts) else ");")
            if len(lines[-1]) + len(part) < 96:
                lines[-1] += (" " if i and not lines[-1].endswith("    ") else "") + part
            else:
                lines.append("    " + part)
        return f'<span id="{m.group(2)}">{self.types(chr(10).join(lines), m.group(2))}</span>'

    def types(self, code, own=""):
        def one(m):
            name = m.group()
            if name == own:
                return f"<b>{name}</b>"
            e = next((e for e in self.h.entries if e.kind == "type" and name in e.code), None)
            return f'<a href="{e.page}.html#{self.anchor(e, name)}">{name}</a>' if e else name

        return re.sub(r"\bconvk\w*", one, html.escape(code, quote=False))

    def members(self, code):
        """The fields of a struct as rows of a table."""
        body = code[code.index("{") + 1 : code.rindex("}")]
        rows = []
        for first, more, said in FIELDS.findall(body):
            text = re.sub(r"\s+", " ", first + more).strip()
            shown = [t.strip() + ";" for t in text.split(";") if t.strip()] if "(" not in text else [text]
            shown = [t for t in shown if not re.search(r"\w_ \*?\w", t)]
            if shown:
                rows.append(("\n".join(shown), plain(said)))
        return rows

    def entry(self, e):
        names, out = e.bases(), []
        ids = [n for n in names + e.names() if n not in e.code or e.kind not in ("function", "operation")]
        marks = "".join(f'<a id="{self.anchor(e, n)}"></a>' for n in dict.fromkeys(ids))
        shown = e.names() if e.kind == "type" else names
        title = ", ".join(f"<span>{n}</span>" for n in shown[:6]) + (" ..." if len(shown) > 6 else "")
        out.append(f'<section class="entry {e.kind}">{marks}<h3>{title}</h3>')
        comment = lines_of(e.comment)
        code = []
        if e.kind in ("function", "operation"):
            code = [self.prototype(c) for _, c in sorted(e.code.items(), key=lambda c: names.index(base(c[0])))]
        if e.kind == "macro":
            code = [html.escape(c) for c in e.code.values()]
            if re.match(rf" *\w[\w *]+\b{names[0]}\(.*\)$", comment[0]):  # it says what it would be as a function
                code = [self.types(comment.pop(0).strip() + ";", names[0])]
        if code:
            out.append(f'<pre class="code">{chr(10).join(code)}</pre>')
        if e.comment:
            out.append(self.write.convert(comment))
        if e.kind == "type":
            out.append(self.struct(e))
        if e.constants:
            said = [re.sub(r"^/\*\s*|\s*\*/$", "", re.sub(r"\n *", " ", s)) for _, _, s in e.constants]
            rows = "".join(
                f'<tr><th>{n} = {v}</th><td class="columns">{self.write.inline(s)}</td></tr>'
                for (n, v, _), s in zip(e.constants, said)
            )
            out.append(f'<table class="members">{rows}</table>')
        return "\n".join(out) + "</section>"

    def struct(self, e):
        if e.bases() == ["convk_ops"]:
            return ""
        name, code = max(e.code.items())  # of f32 and f64 the latter
        if name == "convk_tuning":
            code = re.sub(rf"\w+ ({'|'.join(self.h.tuning)});", "", code)
        rows = "".join(
            f"<tr><th>{self.types(c)}</th><td>{self.write.inline(s)}</td></tr>"
            if s
            else f'<tr><th colspan="2">{self.types(c)}</th></tr>'
            for c, s in self.members(code)
        )
        other = [n for n in e.code if n != name]
        note = ""
        if other:
            sums = ", but for sums" if "double" in e.code[other[0]] else ""
            note = f"{other[0]} has <code>float</code> where it has <code>double</code>{sums}"
            note = f'<p class="note">{name} is shown; {note}.</p>'
        if name == "convk_tuning":
            rows += "".join(
                f'<tr><th id="{p}">{"ptrdiff_t" if "prefetch" in p else "size_t"} {p};</th><td>{self.write.inline(s)}</td></tr>'
                for p, (s, _) in self.h.tuning.items()
            )
        return f'<table class="members">{rows}</table>{note}'

    # ---- pages ----

    def contents(self, groups):
        lists = []
        for title, entries in groups:
            names = ", ".join(f'<a href="#{self.anchor(e, n)}">{n}</a>' for e in entries for n in e.bases()[:6])
            lists.append(f"<tr><th>{title}</th><td>{names}</td></tr>")
        return f'<table class="toc">{"".join(lists)}</table>'

    def body(self, page):
        self.begin(page)
        mine = [e for e in self.h.entries if e.page == page and e.kind != "hook" and e.names()[0] not in self.manuals]
        if page in DEVICES:
            header = "convk_cl.h" if page == "opencl" else "convk_cuda.h"
            lead, sections = re.match("(.*?)(<h2.*)", self.manual(header), re.S).groups()
            out = [lead]
            folders = list(dict.fromkeys(e.room.split("/")[0] for e in mine))
            order = [f for f in ["device"] + list(FAMILIES) if f in folders]
            groups = [
                (FAMILIES[f][0] if f in FAMILIES else "Context and arrays", [e for e in mine if e.room.startswith(f + "/")])
                for f in order
            ]
        else:
            kinds = (
                ("Operations", ("operation",)),
                ("Functions", ("function",)),
                ("Types", ("type",)),
                ("Constants and macros", ("constant", "macro")),
            )
            groups = [(title, [e for e in mine if e.kind in kind]) for title, kind in kinds]
            groups = [g for g in groups if g[1]]
            out = [f'<p class="lead">{self.write.inline({**FAMILIES, **LIBRARY}[page][1])}</p>']
        if page == "handle":
            groups[0][1].insert(0, next(e for e in mine if e.bases() == ["convk_open"]))
            groups[-1][1].remove(groups[0][1][0])
        out.append(self.contents(groups))
        if page in DEVICES:
            out.append(sections)
        for title, entries in groups:
            out.append(f'<h2 id="{slug(title)}">{title}</h2>')
            if title == "Operations":
                out.append(
                    '<p class="note">Each also by the name of a variant, with a handle or NULL: '
                    f"<code>{entries[0].names()[-1]}_</code>"
                    + ", ".join(f"<code>{v}</code>" for v in VARIANTS)
                    + '; see <a href="index.html#choosing-the-hardware">choosing the hardware</a>.</p>'
                )
            out += [self.entry(e) for e in entries]
        return "\n".join(out)

    def status(self):
        self.begin("status")
        rows = "".join(
            f'<tr id="{n}"><th>{n}</th><td class="number">{v}</td><td>{html.escape(t)}</td></tr>'
            for n, (v, t) in sorted(self.h.status.items(), key=lambda s: -s[1][0])
        )
        return f'<p class="lead">{self.write.inline(LIBRARY["status"][1])}</p><table class="members">{rows}</table>'

    def manual(self, header):
        out = []
        for heading, body in self.write.manual(self.h.manual(header)):
            if heading:
                title = heading.split(" (")[0].capitalize() + "".join(re.findall(r" \(.*", heading))
                anchor = slug(heading.split(" (")[0])
                out.append(f'<h2 id="{anchor}">{html.escape(title)}</h2>')
            else:
                body = re.sub(r"<p>SPDX[^<]*</p>", "", body.replace("SPDX-License-Identifier: MIT ", ""))
                body = re.sub(r"<p>(convk\S*) - (.*?)</p>", r'<p class="lead">\2</p>', body, count=1, flags=re.S)
            out.append(body)
        return "\n".join(out)

    def index(self):
        self.begin("index")
        cards = "".join(
            f'<a class="card" href="{p}.html"><b>{t}</b><span>{html.escape(s)}</span></a>' for p, (t, s) in FAMILIES.items()
        )
        text = self.manual("convk.h")
        at = text.index("<h2")
        return f'{text[:at]}<div class="cards">{cards}</div>{text[at:]}'

    def examples(self):
        self.begin("examples")
        with open(os.path.join(SOURCE, "Makefile"), encoding="utf-8") as f:
            targets = set(re.findall(r"^([\w-]+):", f.read(), re.M))
        out = ['<p class="lead">Programs to run and to copy from; each is one file of <code>examples/</code>.</p>']
        for path in sorted(glob.glob(os.path.join(SOURCE, "examples", "*"))):
            name, kind = os.path.splitext(os.path.basename(path))
            if kind not in (".c", ".cpp", ".cu", ".f90"):
                continue
            with open(path, encoding="utf-8") as f:
                head = re.match(r"/\*.*?\*/|(?:(?://|!)[^\n]*\n)+", f.read(), re.S)
            if not head:
                continue
            said = re.sub(r"^(?: \*|//|!)", "  ", re.sub(r"\s*\*/$", "", re.sub(r"^/\*", "  ", head.group())), flags=re.M)
            target = name.replace("_", "-")
            make = f'<code class="make">make {target}</code>' if target in targets else ""
            title = f'<h3 id="{name}{kind}"><span>{name}{kind}</span>{make}</h3>'
            out.append(f'<section class="entry">{title}{self.write.convert(said.splitlines())}</section>')
        return "\n".join(out)


def navigation(page):
    groups = (("", {"index": ""}), ("Families", FAMILIES), ("Library", LIBRARY), ("Devices", DEVICES), ("More", MORE))
    out = []
    for title, pages in groups:
        here = {page: ' class="here"'}
        items = "".join(f'<li><a href="{p}.html"{here.get(p, "")}>{TITLES[p]}</a></li>' for p in pages)
        out.append((f"<h4>{title}</h4>" if title else "") + f"<ul>{items}</ul>")
    return "".join(out)


def names(ref, bodies):
    """What the search knows: [name, where, what it is]."""
    found = {}
    for page, (title, what) in {**{"index": ("Manual", "")}, **FAMILIES, **LIBRARY, **DEVICES, **MORE}.items():
        found[title] = (f"{page}.html", what)
    for page in ("index", "opencl", "cuda", "processes"):
        for anchor, heading in re.findall(r'<h2 id="([^"]*)">(.*?)</h2>', bodies[page]):
            if heading not in found:
                found[heading] = (f"{page}.html#{anchor}", TITLES[page])
    for anchor, said in re.findall(r'<h3 id="([^"]*)">.*?</h3>\s*<p>([^<]*)', bodies["examples"]):
        found[anchor] = (f"examples.html#{anchor}", "example: " + html.unescape(re.split(r"[.:] ", said)[0]))
    for e in ref.h.entries:
        if e.kind != "hook":
            said = re.split(r"(?<=[a-z)])[.:;](?= |$)", re.sub(r"`", "", plain(e.comment)))[0][:110]
            for n in e.bases():
                if n in ref.where and ref.where[n].startswith(e.page):
                    found.setdefault(n, (ref.where[n], said))
    for n, (_, said) in ref.h.status.items():
        found[n] = (ref.where[n], said)
    for n, (said, _) in ref.h.tuning.items():
        found["tuning." + n] = (ref.where["tuning." + n], said)
    for n, page in ref.manuals.items():
        found[n] = (ref.where[n], "define: " + TITLES[page])
    return "const names = " + json.dumps([[n, *rest] for n, rest in found.items()], indent=0) + ";\n"


def make(out, root):
    ref = Reference(root)
    bodies = {
        "index": ref.index(),
        **{p: ref.body(p) for p in [*FAMILIES, *DEVICES, "handle", "tuning"]},
        "status": ref.status(),
        "examples": ref.examples(),
        "processes": markdown(os.path.join(SOURCE, "examples/mpi/README.md")),
    }
    faults = [f"no comment: {n}" for n in ref.undocumented()]
    faults += [f"a comment names what there is not: {w}" for w in dict.fromkeys(ref.wrong)]
    if faults:
        return faults
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    version = ".".join(re.search(rf"VERSION_{p} (\d+)", ref.h.text["convk.h"]).group(1) for p in ("MAJOR", "MINOR", "PATCH"))
    with open(os.path.join(HERE, "page.html"), encoding="utf-8") as f:
        frame = f.read()
    for page, body in bodies.items():
        marks = {"@TITLE@": TITLES[page], "@VERSION@": version, "@NAVIGATION@": navigation(page), "@BODY@": body}
        put(out, f"{page}.html", re.sub("@[A-Z]+@", lambda m, marks=marks: marks[m.group()], frame))
    put(out, "names.js", names(ref, bodies))
    for name in ("style.css", "search.js"):
        shutil.copy(os.path.join(HERE, name), out)
    return links.faults(out)


def put(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    found = make(os.path.abspath(sys.argv[1]), sys.argv[2] if len(sys.argv) == 3 else SOURCE)
    if found:
        print("\n".join(found))
        sys.exit(f"docs: {len(found)} faults")
