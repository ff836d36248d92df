"""Reads the data files that the examples write with --data; ../data_file.h says what is in them.

    data = data_file.read("gisaxs.txt")
    data.notes["particle"], data.quantity("Im qz")        # text; a number and its unit
    x, y, values = data.blocks["pattern"].map("|F/V|^2")  # values[row][column] over the axes x and y
    r = data.blocks["densities"].column("r")              # of a table
"""
import re

import numpy


class Wrong(ValueError):
    """A file that is no data file, or lacks what is asked for; one line says where."""


class Block:
    def __init__(self, path, name, columns):
        self.path, self.name = path, name
        parts = [re.fullmatch(r"(.+?) \[([^\]]*)\]", c) for c in re.split(r", (?=[^\]]*\[)", columns)]
        if not all(parts):
            raise Wrong(f"{path}: block {name}: columns are wanted as 'name [unit], ...', not '{columns}'")
        self.columns = [p[1] for p in parts]
        self.units = dict(p.groups() for p in parts)
        self.lines = []  # numbers of lines, and rows as text; later `rows`

    def parse(self):
        width = len(self.columns)
        try:
            self.rows = numpy.loadtxt([text for _, text in self.lines], ndmin=2)
            if self.rows.shape[1] != width:
                raise ValueError
        except ValueError:
            for number, text in self.lines:
                try:
                    good = len([float(word) for word in text.split()]) == width
                except ValueError:
                    good = False
                if not good:
                    raise Wrong(f"{self.path}: line {number}: {width} numbers are wanted, not '{text[:60]}'") from None
            raise
        del self.lines

    def column(self, name):
        if name not in self.columns:
            raise Wrong(f"{self.path}: block {self.name} has no column '{name}', but {', '.join(self.columns)}")
        return self.rows[:, self.columns.index(name)]

    def map(self, name):
        """The axes of a map, and its values: values[j][i] at x[i], y[j]."""
        value, x, y = self.column(name), self.rows[:, 0], self.rows[:, 1]
        across = int(numpy.argmax(y != y[0])) or len(y)
        if len(y) % across or (x.reshape(-1, across) != x[:across]).any() or (y.reshape(-1, across).T != y[::across]).any():
            raise Wrong(f"{self.path}: block {self.name} is no complete map")
        return x[:across], y[::across], value.reshape(-1, across)


class Data:
    def __init__(self, path):
        self.path, self.notes, self.blocks = path, {}, {}

    def quantity(self, name):
        """A note that is a number with its unit, or the unit ''."""
        words = self.note(name).split(None, 1)
        try:
            return float(words[0]), "".join(words[1:])
        except (ValueError, IndexError):
            raise Wrong(f"{self.path}: {name}: a number is wanted, not '{self.notes[name]}'") from None

    def note(self, name):
        if name not in self.notes:
            raise Wrong(f"{self.path}: there is no line '# {name}: ...'")
        return self.notes[name]

    def block(self, name):
        if name not in self.blocks:
            raise Wrong(f"{self.path}: there is no block '{name}'")
        return self.blocks[name]


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except UnicodeDecodeError:
        raise Wrong(f"{path}: this is no text") from None
    if not lines or not lines[0].startswith("# example: "):
        raise Wrong(f"{path}: line 1: '# example: NAME' is wanted")
    data, block, name = Data(path), None, None
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            key, colon, value = line[1:].strip().partition(": ")
            if not colon:
                raise Wrong(f"{path}: line {number}: '# name: value' is wanted, not '{line[:60]}'")
            if key == "block":
                name, block = value, None
            elif key == "columns":
                block = data.blocks[name] = Block(path, name, value)
            else:
                data.notes[key] = value
        elif line.strip():
            if block is None:
                raise Wrong(f"{path}: line {number}: a row before '# columns: ...'")
            block.lines.append((number, line))
    for block in data.blocks.values():
        if not block.lines:
            raise Wrong(f"{path}: block {block.name} is empty")
        block.parse()
    return data
