"""Comments as HTML: their paragraphs, tables and formulas are told apart by indentation alone.

A line begins a row of a table where two blanks or more stand between a name and what is said of it; lines that are indented
further belong to the row, or are a formula or code, which stays as it is."""

import html
import re

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


class Writer:
    """link: from escaped text to text with links"""

    def __init__(self, link):
        self.link = link

    def inline(self, text):
        text = self.link(html.escape(text, quote=False))
        return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)

    def convert(self, lines, base=3):
        """HTML of lines whose text is indented by base."""
        lines = [line[base:] if indent(line) >= base else line.lstrip() for line in lines]
        out, paragraph, rows, i = [], [], [], 0

        def flush():
            if paragraph:
                out.append(self.paragraph(paragraph[:]))
                paragraph.clear()
            if rows:
                out.append(self.table(rows[:]))
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
            elif (
                rows
                and len(line) > column
                and line[column - 1] == " "
                and line[column] != " "
                and re.match(r"^\w+(, \w+)*$", line[: column - 1])
            ):
                rows.append((line[: column - 1], [line[column:]]))
            else:
                if rows:
                    flush()
                paragraph.append(line)
            i += 1
        flush()
        return "\n".join(out)

    def block(self, lines):
        """What is indented: a table, or formulas and code."""
        depth = min(indent(line) for line in lines if line)
        first = lines[0][depth:]
        if not first.startswith(" ") and row(first):
            return self.convert(lines, depth)
        text = "\n".join(line[depth:] for line in lines)
        return f"<pre>{self.link(html.escape(text, quote=False))}</pre>"

    def paragraph(self, lines):
        """Flowing text; a line that ends early, after a sentence, ends a paragraph."""
        parts, current = [], ""
        for i, line in enumerate(lines):
            current += (" " if current else "") + line
            after = lines[i + 1] if i + 1 < len(lines) else ""
            early = len(line) + len(after.split(" ")[0]) < 100
            if not after or re.search(r"[.:)]$", line) and (early or re.match(LABEL, after)) and not after[0].islower():
                parts.append(current)
                current = ""
        split = []
        for part in parts:
            split += re.split(rf"(?<=[.)])  (?={LABEL})", part)
        return "\n".join(self.labelled(part) for part in split)

    def labelled(self, text):
        m = re.match(rf"({LABEL})(.*)$", text, re.S)
        if not m:
            return f"<p>{self.inline(text)}</p>"
        said = self.inline(m.group(2))
        if m.group(1) == "Errors: ":
            said = re.sub(r"^NULL\b", self.link("CONVK_ERR_NULL").replace(">CONVK_ERR_NULL<", ">NULL<"), said)
        label = m.group(1)[:-2] if re.fullmatch(rf"({LABELS}): ", m.group(1)) else m.group(1).strip()
        return f'<p class="fact"><b>{html.escape(label)}</b> {said}</p>'

    def table(self, rows):
        cells = []
        for name, said in rows:
            text = " ".join(said[0:1] + [s.strip() for s in said[1:]])
            columns = ' class="columns"' if re.search(r"\S {4,}\S", text) else ""
            name = self.link(html.escape(name, quote=False), True)
            cells.append(f"<tr><th>{name}</th><td{columns}>{self.inline(text)}</td></tr>")
        wide = " wide" if max(len(name) for name, _ in rows) > 30 else ""
        return f'<table class="rows{wide}">{"".join(cells)}</table>'

    def manual(self, comment):
        """Sections of a manual: (heading, HTML); the first has none."""
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


def markdown(path):
    """A README, of which only what ours have is known; links to other files of the repository become their names."""

    def inline(text):
        text = html.escape(text, quote=False)
        text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
        text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
        text = re.sub(r"\[([^\]]*)\]\((https?:[^)]*)\)", r'<a href="\2">\1</a>', text)
        return re.sub(r"\[([^\]]*)\]\((?:\.\./)*([^)]*)\)", r"\1 (<code>\2</code>)", text)

    with open(path, encoding="utf-8") as f:
        text = re.sub(r"^# .*\n", "", f.read())
    out = []
    for i, part in enumerate(re.split(r"^```.*\n", text, flags=re.M)):
        if i % 2:
            out.append(f"<pre>{html.escape(part.rstrip(), quote=False)}</pre>")
            continue
        for block in re.split(r"\n\s*\n", part.strip("\n")):
            lines = block.split("\n")
            if lines[0].startswith("#"):
                title = lines.pop(0).lstrip("# ")
                out.append(f'<h2 id="{title.lower().replace(" ", "-")}">{inline(title)}</h2>')
            if not lines or not lines[0].strip():
                continue
            if lines[0].startswith("|"):
                cells = [
                    [inline(c.strip()) for c in line.strip("|").split("|")]
                    for line in lines
                    if not re.match(r"^[|\s:-]+$", line)
                ]
                rows = ["".join(f"<{tag}>{c}</{tag}>" for c in row) for tag, row in zip(["th"] + ["td"] * len(cells), cells)]
                out.append('<table class="readme">' + "".join(f"<tr>{r}</tr>" for r in rows) + "</table>")
            elif lines[0].startswith("- "):
                items = re.split(r"\n(?=- )", "\n".join(lines))
                out.append("<ul>" + "".join(f"<li>{inline(item[2:])}</li>" for item in items) + "</ul>")
            else:
                out.append(f"<p>{inline(chr(10).join(lines))}</p>")
    return "\n".join(out)
