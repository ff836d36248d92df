#!/usr/bin/env python3
"""Looks at every link of made HTML, and at what its search leads to.
docs/links.py FOLDER"""

import glob
import json
import os
import re
import sys
from html.parser import HTMLParser


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links = [], []
        with open(path, encoding="utf-8") as f:
            self.feed(f.read())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if attrs.get("id"):
            self.ids.append(attrs["id"])
        elif tag == "a" and attrs.get("name"):
            self.ids.append(attrs["name"])
        self.links += [attrs[a] for a in ("href", "src") if attrs.get(a)]


def faults(folder):
    pages = {os.path.relpath(p, folder): Page(p) for p in glob.glob(os.path.join(folder, "*.html"))}
    found = [] if "index.html" in pages else ["there is no index.html"]
    wanted = [(p, link) for p, page in pages.items() for link in page.links]
    with open(os.path.join(folder, "names.js"), encoding="utf-8") as f:
        text = f.read()
    wanted += [("search", where) for _, where, _ in json.loads(text[text.index("[") : text.rindex("]") + 1])]
    for p, page in pages.items():
        found += [f"{p}: twice #{i}" for i in sorted({i for i in page.ids if page.ids.count(i) > 1})]
    for p, link in wanted:
        if re.match(r"(https?|mailto|javascript):", link):
            continue
        path, _, anchor = link.partition("#")
        path = path or p
        if not os.path.exists(os.path.join(folder, path)):
            found.append(f"{p}: no file {link}")
        elif anchor and (path not in pages or anchor not in pages[path].ids):
            found.append(f"{p}: no anchor {link}")
    return sorted(set(found))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    wrong = faults(sys.argv[1])
    print("\n".join(wrong) if wrong else "every link leads somewhere")
    sys.exit(bool(wrong))
