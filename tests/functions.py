#!/usr/bin/env python3
"""The functions of src/, as a scan of its own finds them, beside those that Universal Ctags lists; and what keeps them easy to find.

   tests/functions.py [--src DIRECTORY]     from the top of the repository; src/.ctags.d says what .cl and .cuh are

A function counts where it begins at file scope.  Checked are:
   tags       Universal Ctags lists each under its own name, and nothing else as a function
   length     80 lines at most, without the comment above
   makers     what makes names, CONVK_KERNEL_(..) and so on, stands where names are made alone
   places     a name convk_.._ is defined in one file for processors, one for OpenCL, one for CUDA, one for both devices; there
              perhaps several times, for what the preprocessor or the compiler chooses from
The last line is `N passed, N failed, N skipped`."""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

MOST_LINES = 80
ENDS = ".h", ".c", ".cl", ".cuh"
MAKERS = re.compile(r"\bCONVK_(KERNEL|PRIVATE|TYPED|HARDWARE|COMPLEX|VARIANT)_\(")
# Where names are made: these rooms, the rooms that `make headers` writes and their maker, and the #define lines of the spines.
MAKING_ROOMS = ("words", "core")
MAKING_FILES = ("names.c",)
MAKING_LINE = re.compile(r"#define CONVK_\w+_\(name\) CONVK_\w+_\(")
ATTRIBUTES = "__attribute__", "__launch_bounds__", "CONVK_CUDA_BOUNDS_", "__align__"  # with parentheses behind them

Function = collections.namedtuple("Function", "file name first last")
Token = collections.namedtuple("Token", "text line")


def blank(found):
    return re.sub(r"[^\n]", " ", found[0])


def directive(found):
    """Of the preprocessor's lines those stay that choose between texts, as one word: #if, #else, #endif."""
    word = {"if": "#if", "ifdef": "#if", "ifndef": "#if", "else": "#else", "elif": "#else", "endif": "#endif"}.get(found[1], "")
    return word + "\n" * found[0].count("\n")


def tokens(text):
    """Words and signs of a text in C, without comments and literals."""
    text = re.sub(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", blank, text, flags=re.S)
    text = re.sub(r"^[ \t]*#[ \t]*(\w+)(?:[^\n]*\\\n)*[^\n]*", directive, text, flags=re.M)
    line, at = 1, 0
    for found in re.finditer(r"#?\w+|\S", text):
        line += text.count("\n", at, found.start())
        at = found.start()
        yield Token(found[0], line)


def closing(words, i):
    """Where the bracket that opens at i is closed."""
    opens, closes = words[i], {"(": ")", "<": ">"}[words[i]]
    depth = 0
    for k in range(i, len(words)):
        depth += (words[k] == opens) - (words[k] == closes)
        if depth == 0:
            return k
    return len(words) - 1


def without(words, before, opens):
    """The words without those that `before` has and the brackets behind them."""
    left, i = [], 0
    while i < len(words):
        if words[i] in before and words[i + 1 : i + 2] == [opens]:
            i = closing(words, i + 1) + 1
        else:
            left.append(words[i])
            i += 1
    return left


def name_of(words):
    """The function that has these words before its body, or None: the name before the last parentheses."""
    words, i = without(without(words, ATTRIBUTES, "("), ("template",), "<"), 0
    while "(" in words[i:]:
        i = words.index("(", i)
        end = closing(words, i)
        if end == len(words) - 1 and words[i - 1] == ")":  # MAKER_(which)(int): without a name of its own
            return "".join(words[words.index("(") - 1 : i])
        if end == len(words) - 1 and re.fullmatch(r"[A-Za-z_]\w*", words[i - 1]):
            return words[i - 1] if "=" not in words[:i] else None
        if words[i + 1 : i + 2] == ["*"] and words[i + 3 : i + 4] == ["("]:  # void (*which(int))(float) returns a pointer
            return words[i + 2]
        i = end + 1
    return None


def functions(file):
    """Those of a file, and whether its braces match."""
    found, head, depth, name, chosen = [], [], 0, None, []
    for token in tokens(file.read_text(encoding="utf-8")):
        if token.text == "#if":
            chosen.append(depth)
        elif token.text == "#else":  # another text for what stands since #if
            if depth != chosen[-1]:
                depth, head = chosen[-1], []
        elif token.text == "#endif":
            chosen.pop()
        elif token.text == "{":
            words = [t.text for t in head]
            if depth == 0 and words[-1:] == ["extern"]:  # extern "C" {
                head = []
                continue
            if depth == 0:
                name, first = name_of(words), head[0].line if head else token.line
            depth += 1
        elif token.text == "}":
            depth = max(0, depth - 1)  # of extern "C"
            if depth == 0:
                if name:
                    found.append(Function(file, name, first, token.line))
                name, head = None, []
        elif depth == 0:
            head = [] if token.text == ";" else head + [token]
    return found, depth == 0


def tagged(files, src):
    """(file, name) of what Universal Ctags lists as functions at file scope, with no option but where it writes."""
    names = [str(f.relative_to(src)) for f in files]
    out = subprocess.run(["ctags", "-f", "-", *names], cwd=src, check=True, capture_output=True, text=True).stdout
    lines = (line.split("\t") for line in out.splitlines() if not line.startswith("!"))
    member = re.compile("(struct|class|union|function):")
    return {(str(src / fields[1]), fields[0]) for fields in lines if "f" in fields[3:] and not any(map(member.match, fields[3:]))}


def makers(files, src):
    for file in files:
        if file.parent.name in MAKING_ROOMS or file.name in MAKING_FILES:
            continue
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if MAKERS.search(line) and not (file.parent == src and MAKING_LINE.match(line)):
                yield f"{file}:{number}: makes a name: {line.strip()}"


def machine(file):
    """For whom a file is."""
    for machine, said in ("CUDA", ("cuda", "cuh")), ("OpenCL", ("opencl", ".cl")), ("devices", ("host.h", "device.h", "device_api.h", "words_")):
        if any(word in file.name for word in said):
            return machine
    return "processors"


def places(every):
    """Names that several files define; words have one for each instruction set."""
    where = collections.defaultdict(dict)
    for f in every:
        if re.fullmatch(r"convk_\w*_", f.name) and f.file.parent.name != "words":
            where[machine(f.file), f.name][f.file] = f.first
    for (who, name), found in where.items():
        if len(found) > 1:
            yield f"{name}, {who}: in {', '.join(f'{file}:{line}' for file, line in found.items())}"


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--src", default="src", type=pathlib.Path)
    src = arguments.parse_args().src
    files = sorted(f for f in [*src.glob("*"), *src.glob("*/*")] if f.suffix in ENDS)
    scanned = [(f, *functions(f)) for f in files]
    every = [function for _, found, _ in scanned for function in found]
    wrong = [f"{f}: braces do not match outside of comments" for f, _, matched in scanned if not matched]
    names, tags = {(str(f.file), f.name) for f in every}, tagged(files, src)
    wrong += [f"{f.file}:{f.first}: ctags does not list {f.name}" for f in every if (str(f.file), f.name) not in tags]
    wrong += [f"{file}: ctags lists {name}, which is no function" for file, name in sorted(tags - names)]
    wrong += [f"{f.file}:{f.first}: {f.name} has {f.last - f.first + 1} lines" for f in every if f.last - f.first >= MOST_LINES]
    wrong += [*makers(files, src), *places(every)]
    for line in wrong:
        print(f"FAIL {line}")
    print(f"{len(every) - min(len(wrong), len(every))} passed, {len(wrong)} failed, 0 skipped")
    return len(wrong) > 0 or not every


if __name__ == "__main__":
    sys.exit(main())
