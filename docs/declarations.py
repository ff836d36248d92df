"""What the headers declare and say of it: the compiler expands them, and comments stay beside what they describe."""

import os
import re
import subprocess
import tempfile

TYPES = ("f32", "f64", "c32", "c64")
VARIANTS = ("scalar", "sse2", "avx", "avx2", "avx512", "neon", "opencl", "cuda")
MODULES = ("SSE", "AVX", "CL", "CUDA")
HEADERS = ("convk.h", *(f"convk_{m.lower()}.h" for m in MODULES))
# Names that look public and are not a user's: the words of passes and kernels, and hooks of the tests' emulator.
INTERNAL = "CONVK_T CONVK_D CONVK_V CONVK_LANES CONVK_CUDA_EMULATOR CONVK_EMULATOR_UNROLLS".split()


def base(name):
    """convk_exp for convk_exp_f64; a name without a type is its own."""
    return re.sub(rf"_({'|'.join(TYPES)})$", "", name)


def public(name):
    return re.match(r"(?i)convk(_|$)", name) and not name.endswith("_") and name not in INTERNAL


class Entry:
    """Declarations under one comment.  code: name -> text, of prototypes and types; constants: (name, value, comment)"""

    def __init__(self, kind, room, comment):
        self.kind, self.room, self.comment = kind, room, comment
        self.code, self.constants = {}, []

    def names(self):
        return list(self.code) + [c[0] for c in self.constants]

    def bases(self):
        return list(dict.fromkeys(base(n) for n in self.names()))


class Headers:
    def __init__(self, root):
        self.text = {}
        for header in HEADERS:
            with open(os.path.join(root, header), encoding="utf-8") as f:
                self.text[header] = f.read()
        self.entries, self.operations, self.tuning = [], set(), {}
        self.by_base = {}
        self.opaque = None
        self.read(self.expand(root))
        both = "".join(self.text.values())
        self.status = {n: (int(v), t) for n, v, t in re.findall(r'item\((CONVK_\w+), (-?\d+), "([^"]*)"\)', both)}
        asked = re.findall(r"(?:ifdef|ifndef|defined) *\(?(CONVK_\w+)", both)
        self.defines = sorted({n for n in asked if public(n) and ("macro", n) not in self.by_base})

    def expand(self, root):
        """What the compiler makes of the declarations, with comments and #define lines.  Headers of others are empty: what they
        declare is not ours.  For one x86 on all machines, so that the pages are the same."""
        with tempfile.TemporaryDirectory() as stubs:
            for h in re.findall(r"#include <([^>]*)>", "".join(self.text.values())):
                os.makedirs(os.path.dirname(os.path.join(stubs, h)), exist_ok=True)
                open(os.path.join(stubs, h), "w", encoding="utf-8").close()
            flags = ["-E", "-dD", "-C", "-nostdinc", "-D__x86_64__", "-I" + stubs, "-I" + os.path.abspath(root), "-xc", "-"]
            unit = "".join(f"#define CONVK_{m}\n" for m in ("DECLARE", *MODULES)) + '#include "convk.h"\n'
            command = [*os.environ.get("CC", "cc").split(), *flags]
            made = subprocess.run(command, input=unit, stdout=subprocess.PIPE, text=True, check=True, cwd=stubs)
        return made.stdout[made.stdout.index("/* ---- src/") :]

    def read(self, text):
        at, room, comment, used = 0, "", "", False
        while True:
            space = re.compile(r"\s*").match(text, at)
            if used and space.group().count("\n") > 1:
                comment = ""  # a blank line ends what a comment is about
            at = space.end()
            if at == len(text):
                break
            if text.startswith("/*", at):
                end = text.index("*/", at) + 2
                said = text[at:end]
                banner = re.match(r"/\* ---- src/(\S+) ---- \*/", said)
                if banner:
                    room, comment, used = banner.group(1), "", False
                elif not re.match(r"/\* [-=]{4}", said):
                    comment, used = said, False
            elif text[at] == "#":
                end = text.find("\n", at)
                line = text[at:end].rstrip()
                if line.startswith("#define "):
                    self.define(line, room, comment)
                    used = True
                elif used and not line.startswith("#undef"):
                    comment = ""  # the mark of a line stands for many blank ones
            else:
                end = self.end_of_declaration(text, at)
                self.declaration(text[at:end], room, comment)
                used = True
            at = end

    def manual(self, header):
        """The comment that a header begins with."""
        text = self.text[header]
        at = text.index("/* SPDX")
        return text[at : text.index("*/", at) + 2]

    @staticmethod
    def end_of_declaration(text, at):
        depth = 0
        for m in re.compile(r'/\*.*?\*/|"[^"]*"|[{}();]', re.S).finditer(text, at):
            depth += (m.group() in "{(") - (m.group() in "})") if len(m.group()) == 1 else 0
            if m.group() == ";" and depth == 0:
                return m.end()
        raise SystemExit(f"no end of the declaration {text[at : at + 60]!r}")

    def define(self, line, room, comment):
        name, rest = re.match(r"#define (\w+)(.*)", line).groups()
        if rest.startswith(f" {name}_is_now_"):  # the error that an old name makes
            return
        if re.match(r" CONVK_\w*_\(\w+\)$", rest) and name.islower():  # what a pass calls a function of its precision
            return
        tuning = re.findall(r"parameter\(\w+, *(\w+), *\w+\)", rest)
        if name.endswith("_OPERATIONS_"):
            self.operations |= {"convk_" + operation for operation in re.findall(r"\bop\(\w+, *\w+, *\w+, *(\w+),", rest)}
        elif name.endswith("_TUNING_") and tuning:
            parts = plain(comment).split("; ") if len(tuning) > 1 else [plain(comment)]
            for i, parameter in enumerate(tuning):
                self.tuning[parameter] = (parts[i] if len(parts) == len(tuning) else "", room)
        elif public(name):
            self.add("macro", room, comment, name, re.sub(r"\s+", " ", line))

    def declaration(self, text, room, comment):
        text = re.sub(r"__attribute__\(\(visibility\(\"hidden\"\)\)\) ", "", text).strip()
        struct = re.match(r"(?:typedef )?struct (\w+) \{(.*)\}", text, re.S)
        opaque = re.match(r"typedef struct (\w+) \1;", text)
        if text.startswith("enum {"):
            self.enum(text, room, comment)
        elif struct:
            self.add("type", room, comment, struct.group(1), text)
        elif opaque and opaque.group(1) != "convk":  # of several in a row the first has the comment
            self.opaque = comment or self.opaque
            self.add("type", room, self.opaque, opaque.group(1), text)
        else:
            flat = re.sub(r"\s+", " ", text)
            function = re.search(r"\b(convk\w*) ?\(", flat)
            if not function or not public(function.group(1)):
                return
            name = function.group(1)
            if re.search(rf"_({'|'.join(TYPES)})_({'|'.join(VARIANTS)})$", name):
                return  # an operation again, by the name of a variant
            if flat.startswith("typedef"):
                self.add("hook", room, comment, name, flat)
            else:
                self.add("function", room, comment, name, flat)

    def enum(self, text, room, comment):
        body = text[text.index("{") + 1 : text.rindex("}")]
        value = -1
        for name, given, said in re.findall(r"(\w+)(?: = ([^,/]+?))?\s*(?:,|(?=/\*)|$)[ \t]*(/\*.*?\*/)?", body, re.S):
            value = given.strip() if given else int(value) + 1 if str(value).lstrip("-").isdigit() else ""
            if public(name):
                self.add("constant", room, comment, name, (value, said))

    def add(self, kind, room, comment, name, code):
        if not public(name):
            return
        known = self.by_base.get((kind, base(name)))
        if known:
            entry = known
        else:
            last = self.entries[-1] if self.entries else None
            if last and comment and (last.kind, last.room, last.comment) == (kind, room, comment):
                entry = last
            else:
                entry = Entry(kind, room, comment)
                self.entries.append(entry)
            self.by_base[kind, base(name)] = entry
        if kind == "constant":
            if name not in [c[0] for c in entry.constants]:
                entry.constants.append((name, *code))
        else:
            entry.code[name] = code


def plain(comment):
    """A comment on one line, without its marks."""
    return re.sub(r"\s+", " ", re.sub(r"^/\*|\*/$", "", comment.strip())).strip()
