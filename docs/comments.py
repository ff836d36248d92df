"""Comments as reStructuredText: their paragraphs, tables and formulas are told apart by indentation alone.

A line begins a row of a table where two blanks or more stand between a name and what is said of it; lines that are indented
further belong to the row, or are a formula or code, which stays as it is."""

import re
import textwrap

LABELS = "Errors|Threads|Accuracy|Work|In place|Source|Special values|Traffic|Equilibration|Parts|Tiles"
LABEL = rf"(?:{LABELS})(?:(?:,| of| for)(?:[^.:]|\.(?! )){{0,60}})?: "
ROW = re.compile(r"^(\S.{0,62}?\S|\S) {2,}(\S.*)$")
HEADING = re.compile(r"^   ([A-Z][A-Z, -]+[A-Z])(?=$|:|  | \()[: ]*(.*)$")


def lines_of(comment):
    """The lines of a comment without its marks, the first one indented like the others."""
    text = re.sub(r"^/\*", "  ", re.sub(r"\s*\*/$", "", comment))
    return [line.rstrip() for line in text.split("\n")]


def indent(line):
    return len(line) - len(line.lstrip())


def row(line):
    m = ROW.match(line)
    if not m or re.search(r"[.,:?!]$|[^1-9];$", m.group(1)) or m.group(2).startswith(("//", "= ")):
        return None
    if re.search(r"=.*[^;]$", m.group(1)) or len(m.group(1).split()) > 6 and "," not in m.group(1):
        return None
    return m


def directive(name, arguments, text="", options=""):
    """arguments: one in a line"""
    return "\n      ".join([f".. {name}::", *arguments]) + "\n" + textwrap.indent(f"{options}\n\n{text}", "   ") + "\n"


def table(rows):
    if len({len(row) for row in rows}) > 1:  # no columns that all rows have
        rows = [[name, ", ".join(said)] for name, *said in rows]
    cells = "".join("* - " + "\n  - ".join(row) + "\n" for row in rows)
    return directive("list-table", [], cells, ":widths: auto\n:stub-columns: 1")


class Writer:
    """link: from text to reStructuredText with links; defines: those that a manual describes, which are taken from it"""

    def __init__(self, link):
        self.link = link
        self.defines = set()

    def convert(self, lines, base=3):
        """What lines say whose text is indented by base."""
        lines = [line[base:] if indent(line) >= base else line.lstrip() for line in lines]
        out, paragraph, rows, i = [], [], [], 0

        def flush():
            if paragraph:
                out.extend(self.paragraph(paragraph[:]))
                paragraph.clear()
            if rows:
                out.append(self.table([(name, " ".join(s.strip() for s in said)) for name, said in rows]))
                rows.clear()

        carried, column = "", 0  # column: where what is said begins, in the row that begins it first
        while i < len(lines):
            line = lines[i]
            m = row(line) if not line.startswith(" ") else None
            if not line:
                flush()
            elif line.startswith(" "):
                if rows and indent(line) >= column - 1:
                    rows[-1][1].append(line)
                else:
                    block = [line]
                    while i + 1 < len(lines) and (
                        lines[i + 1].startswith(" ") or not lines[i + 1] and i + 2 < len(lines) and lines[i + 2].startswith(" ")
                    ):
                        i += 1
                        block.append(lines[i])
                    flush()
                    out.append(self.block(block))
            elif m:
                if paragraph:
                    flush()
                column = min(column, m.start(2)) if rows else m.start(2)
                rows.append((carried + m.group(1), [m.group(2)]))
                carried = ""
            elif re.match(r"^\w+(, \w+)+,$", line) and i + 1 < len(lines) and row(lines[i + 1]):
                carried = line + " "  # more names than fit in a line
            elif rows and re.match(r"^\w+(, \w+)*$", line[: column - 1]) and re.match(r" \S", line[column - 1 :]):
                rows.append((line[: column - 1], [line[column:]]))
            else:
                if rows:
                    flush()
                paragraph.append(line)
            i += 1
        flush()
        return "\n\n".join(out) + "\n"

    def block(self, lines):
        """What is indented: a table, or formulas and code."""
        depth = min(indent(line) for line in lines if line)
        first = lines[0][depth:]
        if not first.startswith(" ") and row(first):
            return self.convert(lines, depth)
        return directive("parsed-literal", [], self.link("\n".join(line[depth:] for line in lines)))

    def paragraph(self, lines):
        """Flowing text; a line that ends early, after a sentence, ends a paragraph."""
        parts, current = [], ""
        for i, line in enumerate(lines):
            current += (" " if current else "") + line
            after = lines[i + 1] if i + 1 < len(lines) else ""
            early = len(line) + len(after.split(" ")[0]) < 100
            if not after or re.search(r"[.:)]$", line) and (early or re.match(LABEL, after)) and not after[0].islower():
                parts += re.split(rf"(?<=[.)])  (?={LABEL})|(?<=[.);]) (?=CONVK_\w+: )", current)
                current = ""
        return [self.labelled(part) for part in parts]

    def labelled(self, text):
        define = re.match(r"(CONVK_\w+): (.*)", text)
        if define and define.group(1) in self.defines:
            return self.table([define.groups()])
        m = re.match(rf"({LABEL})(.*)$", text)
        if not m:
            return self.link(text)
        said = re.sub("^NULL", "CONVK_ERR_NULL", m.group(2)) if m.group(1) == "Errors: " else m.group(2)
        return f":{self.link(m.group(1)[:-2])}: {self.link(said)}"

    def table(self, rows):
        out, cells = [], []
        for name, said in rows:
            mine = [n for n in re.split(", ", name) if re.match(r"\w*", n).group() in self.defines]
            if mine:
                self.defines -= {re.match(r"\w*", n).group() for n in mine}
                out.append(directive("c:macro", mine, self.link(said)))
            else:
                cells.append([name, *re.split("(?<=[^ .:;,]) {2,}", said)])
        if cells:
            out.append(table([[self.link(c) for c in row] for row in cells]))
        return "\n".join(out)

    def manual(self, comment):
        """Sections of a manual: (heading, text); the first has none."""
        sections = [("", [])]
        for line in lines_of(comment):
            m = HEADING.match(line)
            if m:
                beside = m.group(2).startswith("(")
                heading = m.group(1) + (" " + m.group(2) if beside else "")
                sections.append((heading, ["     " + m.group(2)] if m.group(2) and not beside else []))
            else:
                sections[-1][1].append(line)
        return [(heading, self.convert(lines, 5 if heading else 3)) for heading, lines in sections]
