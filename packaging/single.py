#!/usr/bin/env python3
"""The headers of processors as one file: packaging/single.py [FOLDER]

Makes in FOLDER (build/single) convk_single.h, and convk_<family>_single.h with one family alone.  For those who copy one file, or paste it
above a program, as in Compiler Explorer.  convk.h includes itself, once per precision and instruction set: here each of these
passes stands as text, with the conditions that belong to passes, and in a file of one family those on families, decided.
Comments are kept where a room comes for the first time.
"""

import functools
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Macros whose value is followed through the text; passes define them right before an include, and undefine them at their end.
FOLLOWED = re.compile(r"CONVK_(PASS_|PASS_[A-Z]+_|IS_KERNEL_|LANES)$")
BANNER = re.compile(r"/\* ---- src/(\S+) ---- \*/")
LITERAL = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|/\*.*?\*/|//[^\n]*', re.S)

# Those of processors: modules that convk.h includes at its end, but for devices.
HEADERS = ["convk.h", *(name for name in re.findall(r'^#include "(convk_\w+\.h)"', (ROOT / "src/core/modules.h").read_text(encoding="utf-8"), re.M)
                        if name not in ("convk_cl.h", "convk_cuda.h"))]

HEAD = """\
/* SPDX-License-Identifier: MIT
   convk {version}{of} in one file, made of {headers}: include it, or paste it above a program.
   CONVK_PLAIN leaves out instruction sets; otherwise all of the processor are there.  The manual follows. */
"""
MODULES = """
#ifndef CONVK_PLAIN
#ifndef CONVK_SIMD
#define CONVK_SIMD
#endif
#endif
"""


def families():
    """Names as in CONVK_WITH_<FAMILY>, and of each the rooms that it compiles, and those whose operations a handle finds."""
    needs, compiles, finds = {}, {}, {}
    for line in (ROOT / "src/rooms.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        folder, define, needed, also = line.split()
        others = [other for other in needed.split(",") if other != "-"]
        needs[folder] = {folder}.union(*(needs[other.rstrip("+")] for other in others))
        for name in (define, also):
            if name != "-":
                compiles.setdefault(name.lower(), set()).update(needs[folder])
                finds.setdefault(name.lower(), set()).update({folder}, (other[:-1] for other in others if other.endswith("+")))
    return {name: (compiles[name], finds[name]) for name in compiles}, list(needs)


class Condition:
    """A condition of the preprocessor: True, False, or None where it depends on what a program defines."""

    def __init__(self, text, known):
        self.tokens = re.findall(r"\w+|&&|\|\||[=!<>]=|\S", LITERAL.sub(" ", text.replace("\\\n", " ")))
        self.known = known

    def value(self):
        result = self.either()
        if self.tokens:
            raise ValueError(f"a condition is not understood: {' '.join(self.tokens)}")
        return None if result is None else bool(result)

    def take(self, *wanted):
        return self.tokens.pop(0) if self.tokens and self.tokens[0] in wanted else None

    def either(self):
        result = self.both()
        while self.take("||"):
            other = self.both()
            result = True if result or other else None if None in (result, other) else False
        return result

    def both(self):
        result = self.compared()
        while self.take("&&"):
            other = self.compared()
            no = (result is not None and not result) or (other is not None and not other)
            result = False if no else None if None in (result, other) else True
        return result

    def compared(self):
        left = self.one()
        sign = self.take("==", "!=", "<", ">", "<=", ">=")
        if not sign:
            return left
        right = self.one()
        if None in (left, right):
            return None
        return {"==": left == right, "!=": left != right, "<": left < right, ">": left > right, "<=": left <= right,
                ">=": left >= right}[sign]  # fmt: skip

    def one(self):
        if self.take("!"):
            value = self.one()
            return None if value is None else not value
        if self.take("("):
            value = self.either()
            self.take(")")
            return value
        token = self.tokens.pop(0)
        if token == "defined":
            bracket = self.take("(")
            value = self.known.get(self.tokens.pop(0), (None,))
            if bracket:
                self.take(")")
            return None if value == (None,) else value is not None
        if token.isdigit():
            return int(token)
        value = self.known.get(token)
        if self.tokens and self.tokens[0] == "(":  # a call, as of __has_include: nothing that is known here
            depth = 0
            while self.tokens:
                depth += {"(": 1, ")": -1}.get(self.tokens.pop(0), 0)
                if not depth:
                    break
            return None
        return None if value is None else Condition(value, self.known).either() if isinstance(value, str) else value


def logical(text):
    """(line, whether it is a directive), a directive with the lines that continue it."""
    made, comment = [], False
    for line in text.splitlines(keepends=True):
        if made and made[-1][1] and (made[-1][0].endswith("\\\n") or comment):
            made[-1][0] += line
        else:
            made.append([line, not comment and bool(re.match(r"\s*#", line))])
        for mark in LITERAL.findall(line if not comment else "/*" + line):
            comment = False if mark.startswith("/*") else comment
        rest = LITERAL.sub("", line if not comment else "/*" + line)
        comment = "/*" in rest
    return made


@functools.lru_cache(None)
def lines_of(name):
    """Of a header's lines: (line, its directive or None, where the chain of conditions goes on that it begins or is in, or None)."""
    made, open_chains, next_of = [], [], {}
    for line, directive in logical((ROOT / name).read_text(encoding="utf-8")):
        word = re.match(r"\s*#\s*(\w+)\s*(.*)", line, re.S) if directive else None
        if word and word[1] in ("elif", "else", "endif"):
            next_of[open_chains.pop()] = len(made)
        if word and word[1] in ("if", "ifdef", "ifndef", "elif", "else"):
            open_chains.append(len(made))
        made.append((line, word))
    return [(line, word, next_of.get(at)) for at, (line, word) in enumerate(made)]


class Single:
    def __init__(self, family):
        self.family, (self.families, self.folders) = family, families()
        self.known = {"CONVK_PASS_": None}
        if family:
            compiles, finds = self.families[family]
            self.known.update({f"CONVK_HAS_{folder.upper()}_": int(folder in compiles) for folder in self.folders})
            self.known.update({f"CONVK_FINDS_{folder.upper()}_": int(folder in finds) for folder in self.folders})
        self.seen, self.chunks = set(), []

    def say(self, line):
        self.chunks[-1][1].append(line)

    def room(self, name):
        """Begins the text of a room, with its comments if it is new, and of a family that is here."""
        folder = name.split("/")[0]
        other = self.family and folder in self.folders and folder not in self.families[self.family][0]
        self.chunks.append((name not in self.seen and not other, []))
        self.seen.add(name)

    def header(self, name):
        chains = []  # of conditions: [whether text is taken, whether a branch was certain, whether a directive was written]
        lines, at = lines_of(name), 0
        while at < len(lines):
            line, word, beyond = lines[at]
            at += 1
            if word and word[1] in ("if", "ifdef", "ifndef", "elif", "else"):
                if word[1] not in ("elif", "else"):
                    chains.append([False, False, False])
                self.branch(chains[-1], line, True if word[1] == "else" else self.asked(word))
                if not chains[-1][0]:
                    at = beyond
            elif word and word[1] == "endif":
                if chains.pop()[2]:
                    self.say(line)
            else:
                self.line(line, word)

    def asked(self, word):
        text = {"ifdef": "defined ", "ifndef": "!defined "}.get(word[1], "") + word[2]
        return Condition(text, self.known).value()

    def branch(self, chain, line, value):
        """A branch of a chain: dropped, or taken, with a directive where it depends on a program."""
        _, certain, written = chain
        chain[0] = not certain and value is not False
        if not chain[0]:
            return
        chain[1] = value is True
        if value is True:
            if written:
                self.say("#else\n")
        else:
            begins = not written and re.match(r"\s*#\s*elif", line)  # what came before is dropped
            self.say(line.replace("elif", "if", 1) if begins else line)
            chain[2] = True

    def line(self, line, word):
        if not word:
            banner = BANNER.match(line) if line.startswith("/*") else None
            if banner:
                self.room(banner[1])
            self.say(line)
            return
        if word[1] == "include" and word[2].strip() == "CONVK_HEADER":
            if self.known["CONVK_PASS_"] is not None:
                self.header("convk.h")
            return
        module = re.match(r'\s*#include "(convk_\w+\.h)"', line)
        if module and module[1] in HEADERS:
            self.room(module[1])
            self.header(module[1])
            return
        if word[1] in ("define", "undef"):
            name, value = re.match(r"(\w+)\s*(.*)", LITERAL.sub(" ", word[2]), re.S).groups()
            if FOLLOWED.match(name) and line.split()[:2] != ["#undef", "CONVK_LANES"]:  # which may stay for another precision
                self.known[name] = (value.strip() or "1") if word[1] == "define" else None
        self.say(line)

    def made(self):
        version = ".".join(re.findall(r"^#define CONVK_VERSION_\w+ (\d+)$", (ROOT / "convk.h").read_text(encoding="utf-8"), re.M))
        self.chunks.append((True, [(ROOT / "src/core/licence.h").read_text(encoding="utf-8"), "\n", HEAD.format(version=version, headers=" and ".join([", ".join(HEADERS[:-1]), HEADERS[-1]]), of=f", {self.family} alone," if self.family else "")]))
        if self.family:
            mine = self.families[self.family][1]
            others = [f"defined CONVK_WITH_{name.upper()}" for name, (_, finds) in self.families.items() if not finds <= mine]
            self.say(f"\n#if {' || '.join(['defined CONVK_WITH_ALL', *others])}\n")
            self.say(f'#error "convk_{self.family}_single.h has no other family: take convk_single.h"\n#endif\n')
            self.say(f"#ifndef CONVK_WITH_{self.family.upper()}\n#define CONVK_WITH_{self.family.upper()}\n#endif\n")
        self.say(MODULES)
        self.seen.add("core/licence.h")  # it is the head of this file
        self.header("convk.h")
        return "".join("".join(lines) if new else stripped("".join(lines)) for new, lines in self.chunks)


@functools.lru_cache(None)
def stripped(text):
    """Without comments and blank lines."""
    text = LITERAL.sub(lambda m: m[0] if m[0][0] in "\"'" else " ", text)
    return re.sub(r"[ \t]+$|^[ \t]*\n", "", text, flags=re.M)


def singles():
    """Names of files, and their texts."""
    yield "convk_single.h", Single(None).made()
    for family in families()[0]:
        yield f"convk_{family}_single.h", Single(family).made()


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/single"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in singles():
        (folder / name).write_text(text, encoding="utf-8")
        print(folder / name)


if __name__ == "__main__":
    main()
