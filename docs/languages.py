"""Pages of the other languages: the Python package from its docstrings and signatures, the C++ header from its comments."""

import ast
import os
import re
import textwrap

from comments import directive, table

SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.M)


def title(text, line):
    return f"{text}\n{line * len(text)}\n\n"


def escape(text):
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def example(comment_or_file, fence):
    """The first block of code between such fences."""
    found = re.search(rf"^```{fence}\n(.*?)^```$", comment_or_file, re.M | re.S)
    return directive("code-block", [fence], found[1])


class Python:
    """The package as its sources say it, which need not be built for that."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "convk")
        self.trees = {}
        for file in sorted(os.listdir(self.folder)):
            if file.endswith(".py"):
                with open(os.path.join(self.folder, file), encoding="utf-8") as f:
                    self.trees[file[:-3]] = ast.parse(f.read())
        with open(os.path.join(folder, "README.md"), encoding="utf-8") as f:
            self.readme = f.read()
        self.init = self.trees["__init__"]
        self.public = next(
            ast.literal_eval(n.value)
            for n in self.init.body
            if isinstance(n, ast.Assign) and n.targets[0].id == "__all__"  # a list of texts
        )
        self.nodes = {}  # name -> where it is defined
        for tree in self.trees.values():
            for n in tree.body:
                if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name):
                    self.nodes.setdefault(n.targets[0].id, n)
                elif isinstance(n, (ast.ClassDef, ast.FunctionDef)):
                    self.nodes.setdefault(n.name, n)
        hardware = self.nodes["Hardware"]
        self.bases = [self.nodes[b.id] for b in hardware.bases]
        self.handle = self.nodes["Handle"]
        self.methods = {m.name for c in [hardware, self.handle, *self.bases] for m in self.members(c)}
        self.bare = []

    @staticmethod
    def members(node):
        return [m for m in node.body if isinstance(m, ast.FunctionDef) and not m.name.startswith("_")]

    def link(self, text):
        """Text, in which calls and classes of the package are links."""

        def found(m):
            name, call = m[1], m[2]
            if name in self.public and (call or name[0].isupper()):
                return rf"\ :py:obj:`{escape(m[0])} <convk.{name}>`\ "
            if name in self.methods and call:
                return rf"\ :py:obj:`{escape(m[0])} <convk.Hardware.{name}>`\ "
            return escape(m[0])

        out, at = "", 0
        for m in re.finditer(r"(?<![\w.])(?:convk\.|hw\.|Hardware\.)?(\w+)(\(\))?", text):
            out, at = out + escape(text[at : m.start()]) + found(m), m.end()
        return out + escape(text[at:])

    def flowing(self, text):
        """Paragraphs, and what is indented as code."""
        out = []
        for part in re.split(r"\n\s*\n", text.strip("\n")):
            if all(line.startswith("    ") for line in part.split("\n")):
                out.append(directive("code-block", ["python"], textwrap.dedent(part)))
            else:
                out.append(self.link(" ".join(line.strip() for line in part.split("\n"))))
        return "\n\n".join(out)

    def said(self, node, name):
        text = ast.get_docstring(node) or ""
        if not text:
            self.bare.append(f"no docstring: convk.{name}")
        first, *sections = SECTION.split(text)
        out = [self.flowing(first)]
        for heading, body in zip(sections[::2], sections[1::2]):
            rows = re.split(r"\n(?=\S)", body.strip("\n"))
            if all(" : " in row.split("\n")[0] for row in rows):
                cells = [[escape(n), self.link(re.sub(r"\s+", " ", s))] for n, s in (row.split(" : ", 1) for row in rows)]
                out.append(f"**{heading}**\n\n" + table(cells))
            else:
                out.append(f"**{heading}**: " + self.flowing(body))
        return "\n\n".join(out)

    @staticmethod
    def signature(function, method):
        arguments = ast.parse(ast.unparse(function)).body[0].args  # a copy
        if method:
            (arguments.posonlyargs or arguments.args).pop(0)
        returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
        return f"({ast.unparse(arguments)}){returns}"

    @staticmethod
    def decorated(node, name):
        return any(name == (d.id if isinstance(d, ast.Name) else getattr(d, "attr", "")) for d in node.decorator_list)

    def functions(self, nodes, prefix):
        """Functions, methods and properties, of which several definitions may have one name: overloads, setters."""
        named, out = {}, []
        for n in nodes:
            named.setdefault(n.name, []).append(n)
        for name, group in named.items():
            if self.decorated(group[0], "property"):
                kind = [f":type: {ast.unparse(group[0].returns)}"] if group[0].returns else []
                out.append(directive("py:property", [prefix + name], self.said(group[0], prefix + name), "\n".join(kind)))
                continue
            static = [w for w in ("classmethod", "staticmethod") if self.decorated(group[0], w)]
            method = bool(prefix) and "staticmethod" not in static
            shown = [n for n in group if self.decorated(n, "overload")] or group[-1:]
            lines = [f"{prefix}{name}{self.signature(n, method)}" for n in shown]
            documented = next((n for n in reversed(group) if ast.get_docstring(n)), group[-1])
            options = "".join(f":{word}:\n" for word in static)
            text = self.said(documented, prefix + name)
            out.append(directive("py:method" if prefix else "py:function", lines, text, options))
        return "\n".join(out)

    def type(self, name):
        node = self.nodes[name]
        fields = [n for n in node.body if isinstance(n, ast.AnnAssign) and not n.target.id.startswith("_")]
        begins = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
        bases = [b.id for b in node.bases if isinstance(b, ast.Name)]
        shown = ""
        if "NamedTuple" in bases or not begins and fields:
            shown = "(" + ", ".join(ast.unparse(n) for n in fields) + ")"
        elif begins and begins[0].args.args[-1].annotation:  # else it comes from a function
            shown = self.signature(begins[0], True).split(" -> ")[0]
        inside = self.functions(self.members(node), name + ".")
        return directive("py:class", [name + shown], self.said(node, name) + "\n\n" + inside.replace("\n\n\n", "\n\n"))

    def data(self, name):
        """A constant, with the comment before it."""
        for module in self.trees:
            with open(os.path.join(self.folder, module + ".py"), encoding="utf-8") as f:
                found = re.search(rf"((?:^#: .*\n)+){name}\b.*=", f.read(), re.M)
            if found:
                return directive("py:data", [name], self.flowing(re.sub("^#: ", "", found[1], flags=re.M)))
        self.bare.append(f"no docstring: convk.{name}")
        return ""

    def page(self):
        out = [".. py:module:: convk\n", self.flowing(ast.get_docstring(self.init))]
        out.append("A program with several of the calls:\n\n" + example(self.readme, "python"))
        functions = [self.nodes[n] for n in self.public if isinstance(self.nodes.get(n), ast.FunctionDef)]
        out.append(title("Functions", "-") + self.functions(functions, ""))
        hardware = self.nodes["Hardware"]
        out.append(title("Handles", "-") + directive("py:class", ["Hardware"], self.said(hardware, "Hardware")))
        own = self.members(self.handle) + self.members(hardware)
        out.append(directive("py:currentmodule", ["convk"]) + self.functions(own, "Hardware."))
        for node in self.bases:
            out.append(title(f"Hardware: {node.name.lower()}", "-") + self.flowing(ast.get_docstring(node) or "") + "\n")
            out.append(self.functions(self.members(node), "Hardware."))
        types = [n for n in self.public if isinstance(self.nodes.get(n), ast.ClassDef) and n != "Hardware"]
        out.append(title("Types", "-") + "\n".join(self.type(n) for n in types))
        data = [n for n in self.public if isinstance(self.nodes.get(n), ast.Assign)]
        out.append("\n".join(self.data(n) for n in data))
        return "\n\n".join(out)


class Cpp:
    """The C++ header: its head, what it defines, and its methods as the C functions that they call."""

    def __init__(self, folder, reference):
        with open(os.path.join(folder, "convk.hpp"), encoding="utf-8") as f:
            self.text = f.read()
        with open(os.path.join(folder, "README.md"), encoding="utf-8") as f:
            self.readme = f.read()
        self.ref = reference

    def head(self):
        """Lines of code begin with three blanks behind the marks, and have a call, a type or an include."""
        out, code = [], []
        lines = re.match(r"(?://[^\n]*\n)+", self.text)[0].splitlines()

        def flush():
            if code:
                out.append(directive("code-block", ["cpp"], "\n".join(code)))
                code.clear()

        prose = []
        for line in lines + ["//"]:
            line = line[3:]
            if line.startswith("  ") and re.search(r"[;{}]", line):
                if prose:
                    out.append(self.ref.write.convert(["   " + t for t in prose]))
                    prose.clear()
                code.append(line[2:])
            else:
                flush()
                if line:
                    prose.append(line)
        out.append(self.ref.write.convert(["   " + t for t in prose]))
        return "\n\n".join(out)

    def types(self):
        """What namespace cvk defines for its users, each with the comment on its line."""
        text = re.sub(r"^namespace detail \{.*?^\} // namespace detail$", "", self.text, flags=re.M | re.S)
        found = re.findall(
            r"^(template <class V> )?(?:struct|class) (?:\[\[nodiscard\]\] )?(\w+)[^\n{]*\{ // ([^\n]*)$"
            r"|^(template <class \w+> )struct (\w+) : memory \{ // ([^\n]*)$",
            text,
            re.M,
        )
        rows = [[f"``cvk::{a[1] or a[4]}``", self.ref.link(a[2] or a[5])] for a in found]
        named = re.findall(r"^using (\w+) = (basic_handle[^;]*);", text, re.M)
        rows += [[f"``cvk::{name}``", f"``{what}``"] for name, what in named]
        return table(rows)

    def operations(self, families):
        listed = set(re.findall(r"CVK_(?:PLAN_)?METHOD_\((\w+)", self.text))
        sized = set(re.findall(r"\bsize\((\w+)\)", self.text))
        own = {}  # methods with arguments of their own: how they are called
        method = r"template <(class \w+)[^\n]*>[^\n]*\n? *(result|none)(?:<.*>)?\s+(\w+)\(([^{}\n]*)\)\s+const \{"
        for first, returns, name, parameters in re.findall(method, self.text):
            kind = "<double>" if first == "class T" and returns == "result" else ""  # else it follows from the arguments
            own[name] = f"hw.{name}{kind}(" + ", ".join(re.findall(r"(\w+)(?=,|$)", parameters)) + ")"
        out = []
        for page, (heading, _) in families.items():
            rows = []
            for e in self.ref.h.entries:
                if e.page != page:
                    continue
                for name in e.bases():
                    short = name[len("convk_") :]
                    code = e.code.get(name + "_f64") or e.code.get(name + "_c64")
                    if code and short in own:
                        rows.append([f"``{own[short]}``", self.ref.link(name)])
                    elif code and (e.kind == "operation" or short in listed | sized):
                        given = re.sub(r"\s+", " ", code[code.index("(") + 1 : code.rindex(")")])
                        names = [re.search(r"(\w+)(?:\[\w*\])?$", p)[1] for p in given.split(",")]
                        names = [n for n in names if n != "hw" and (short not in sized or n != "bytes")]
                        call = f"hw.{short}{'<double>' if short in sized else ''}({', '.join(names)})"
                        rows.append([f"``{call}``", self.ref.link(name)])
            if rows:
                out.append(f"**{heading}**\n\n" + table(rows))
        return "\n\n".join(out)

    def page(self, families):
        return "\n\n".join(
            [
                "The file ``examples/adapters/convk.hpp``, to copy beside the headers.",
                self.head(),
                title("A program", "-") + example(self.readme, "cpp"),
                title("Types", "-") + self.types(),
                title("Methods", "-") + "Of a handle ``hw``; what each does says the page of the C function.",
                self.operations(families),
            ]
        )
