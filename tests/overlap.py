#!/usr/bin/env python3
"""Writes, of what convk.h declares, how tests/test_overlap.c calls every function with arrays that overlap:
  tests/overlap.py build/names/rooms/list.h > overlap.h

Of each function a struct of its arguments, lists of the pointers, sizes and numbers in it, and how it is called.  A struct that an argument
points to lies in the struct of arguments; every other pointer is an array, in structs, too.  It is written where the declaration
has no const, but for meshes and directions, which one type describes whether they are read or written."""

import re
import sys
from pathlib import Path

# These write nothing before they have read everything.
LAST = re.compile(r"_(size|bytes|resolve|out_grid|functions|error|prepare_complex)$")
# Of the library as a whole, and what devices, files and other tests are about.
ELSEWHERE = re.compile(r"convk_(first_touch|tune|tuned_\w+|mesh_assign|huge_\w+|close|open\w*|philox4x32|vmc_join|derivative_filter)$")
# Numbers that may be of any size: of memory of the caller, and those that no array grows with.
ANY = re.compile(r"(work_size|state_size|plan_size|from_size|sweeps|final_sweeps|iterations|interval|equilibration|steps|items_per_kernel|\w*stride)$")
# What a call does not look at, and room that it does not fill: of functions and arguments.
UNREAD = re.compile(
    r"pair_histogram part\.(index|count)|formfactor_grid q\.n|amplitudes_grid q\.n|gridpot gaussians\.(ldc|nsums)|sphere_quadrature directions\.n|mesh_(from_triangles|rotate) indexed\..*|"
    r"mesh_join mesh\.vertices|mesh_(box|pyramid|prism|cylinder|sphere|ellipsoid|polyhedron) mesh\.(vertices|faces)"
)
# Of these types all arrays are read, unless an argument of that name is what a function makes.
# Kinds of numbers in the lists: sizes, those that no array grows with, those of structs that point to arrays; and others.
OF_STRUCTS = re.compile(r"(nshells|meshes|placements|count|n?kinds)$")
NUMBERS = {"int": "i", "double": "d", "ptrdiff_t": "w", "size_t": "s"}
DESCRIBES = ("convk_mesh_f64", "convk_indexed_mesh_f64", "convk_directions_f64", "convk_distances")
MAKES = {("mesh_from_triangles", "mesh"), ("mesh_from_faces", "mesh"), ("mesh_rotate", "out"), ("mesh_join", "mesh")}
MAKES |= {("pair_histogram", "distances")}
MAKES |= {("sphere_quadrature", "directions"), ("sphere_spiral", "directions")}
MAKES |= {("mesh_" + solid, "mesh") for solid in "box pyramid prism cylinder sphere ellipsoid polyhedron".split()}


def number(kind, name):
    return NUMBERS[kind] if kind != "size_t" else "w" if ANY.match(name) else "m" if OF_STRUCTS.match(name) else "s"


def split(text, at=","):
    """At commas outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == at and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip() not in ("", "void")]


def members(text):
    """(const, type, stars, name, how many or 0) of all that a struct's text declares; functions are left out."""
    for declaration in split(text, ";"):
        if "(" in declaration:
            continue
        first, *others = split(declaration)
        const, kind, rest = re.fullmatch(r"(const )?((?:unsigned )?\w+) ?(.*)", first).groups()
        for one in [rest, *others]:
            stars, name, count = re.fullmatch(r"(\**) ?(\w+)(?:\[(\w+)\])?.*", one).groups()
            yield bool(const), kind, stars, name, count


def main():
    listed = Path(sys.argv[1]).read_text(encoding="utf-8")

    structs = {name: list(members(text)) for name, text in re.findall(r"^     struct (\w+) \{(.*)\};$", listed, re.M)}

    def points(kind):
        """Whether there are pointers in a type."""
        return kind in structs and any(stars or points(k) for _, k, stars, _, _ in structs[kind])

    def pointers(kind, path, read):
        """(path, whether it is written) of the arrays in a struct."""
        for const, k, stars, name, count in structs[kind]:
            here = f"{path}.{name}"
            each = [f"{here}[{i}]" for i in range(int(count))] if count else [here]
            if stars and k == "convk_indexed_mesh_f64":  # one mesh, which lies beside the arguments
                yield from pointers(k, "indexed", True)
            elif stars and k != "void":
                yield from ((e, not (const or read)) for e in each)
            elif not stars and points(k):
                for e in each:
                    yield from pointers(k, e, read)

    def sizes(kind, path):
        """The numbers of elements in a struct."""
        for _, k, stars, name, count in structs[kind]:
            each = [f"{path}.{name}[{i}]" for i in range(int(count))] if count else [f"{path}.{name}"]
            if stars and k == "convk_indexed_mesh_f64":
                yield from sizes(k, "indexed")
            elif not stars and k == "size_t" and not ANY.match(name):
                yield from each
            elif not stars and k in structs:
                for e in each:
                    yield from sizes(k, e)

    def numbers(kind, path):
        """(path, its kind) of all numbers of a struct, and of all arrays of numbers the first of each row."""
        for _, k, stars, name, count in structs[kind]:
            for e in [f"{path}.{name}[{i}]" for i in range(int(count))] if count else [f"{path}.{name}"]:
                if not stars and k in structs:
                    yield from numbers(k, e)
                elif not stars and k in NUMBERS:
                    yield e, number(k, name)

    calls = {}
    for returns, function, text in re.findall(r"^     (?!struct)(.*?)(convk_\w+)\((.*)\);$", listed, re.M):
        base, kind = re.fullmatch(r"(\w+?)(?:_([fc](?:32|64)))?", function).groups()
        if returns.strip() == "int" and kind not in ("f32", "c32") and not LAST.search(base) and not ELSEWHERE.match(base):
            calls.setdefault(base[len("convk_") :], []).append((function, kind, split(text)))
    print("/* Made by tests/overlap.py. */")
    made = []
    for base, variants in calls.items():
        fields, arrays, counts, spoiled, lines = ["convk_indexed_mesh_f64 indexed; int none;"], [], [], [], []
        for variant, (function, kind, arguments) in enumerate(variants):
            given = []
            for const, k, stars, name, count in (m for a in arguments for m in members(a)):
                structure = k in structs and (points(k) or const)
                opaque = k not in structs and k.startswith("convk_") and stars
                if k == "convk":
                    given.append("(a->none == 1 ? NULL : hw)")
                elif structure:
                    of = list(pointers(k, name, k in DESCRIBES and (base, name) not in MAKES))
                    field, value = f"{k} {name}{f'[{count}]' if count else ''};", f"{'' if count else '&'}a->{name}"
                    if count:
                        of = [(p.replace(name, f"{name}[{i}]", 1), w) for i in range(int(count)) for p, w in of]
                    value = f"(a->none == {len(given) + 1} ? NULL : {value})"
                    if k == "convk_assembly_f64":
                        of = [(p, False) for p, _ in of]
                elif stars or count:
                    of = [(name, not const)]
                    plain = "void" if opaque else k
                    field = f"{'const ' if const else ''}{plain} {stars or '*'}{name};"
                    value = f"({'const ' if const else ''}{k} *)a->{name}" if opaque else f"a->{name}"
                else:
                    of, field, value = [], f"{k} {name};", f"a->{name}"
                if k != "convk":
                    given.append(value)
                    if not variant:
                        fields.append(field)
                        arrays += of
                        for one in [f"{name}[{i}]" for i in range(int(count))] if count else [name]:
                            counts += sizes(k, one) if structure else [one] * (k == "size_t" and not stars and not ANY.match(name))
                            spoiled += numbers(k, one) if structure else [(one, number(k, name)) for _ in "1" if k in NUMBERS and not (stars or count)]
            lines.append(f"  {'if (complex) ' if kind and kind[0] == 'c' and len(variants) > 1 else ''}return {function}({', '.join(given)});")
        if len(arrays) < 2 or not any(w for _, w in arrays):
            continue
        made.append(base)
        name = f"overlap_{base}"
        print(f"typedef struct {name}_arguments {{ {' '.join(fields)} }} {name}_arguments;")
        print(f"static int {name}_call(convk *hw, void *arguments, int complex) {{")
        print(f"  {name}_arguments *a = ({name}_arguments *)arguments;\n  (void)complex;")
        print("\n".join(reversed(lines)) + "\n}")
        print(f"static const overlap_array {name}_arrays[] = {{")
        for path, written in arrays:
            print(f'  {{"{path}", offsetof({name}_arguments, {path}), {int(written)}}},')
        print(f"  {{NULL, 0, 0}}}};\nenum {{ {name}_kinds = {len(variants)} }};")
        print(f"static const overlap_array {name}_counts[] = {{")
        for path in counts:
            if not UNREAD.fullmatch(f"{base} {path}"):
                print(f'  {{"{path}", offsetof({name}_arguments, {path}), 0}},')
        print("  {NULL, 0, 0}};")
        print(f"static const overlap_array {name}_spoiled[] = {{")
        print(f"""  {{"{len(given)} arguments", offsetof({name}_arguments, none), 'n'}},""")
        for path, of_kind in spoiled + [(path, "p") for path, _ in arrays]:
            print(f"""  {{"{path}", offsetof({name}_arguments, {path}), '{of_kind}'}},""")
        print("  {NULL, 0, 0}};")
    print("#define OVERLAP_CALLS(call) \\\n  " + " \\\n  ".join(f"call({b})" for b in made))


if __name__ == "__main__":
    main()
