"""Sphinx: how it shows the reference, whose text reference.py writes."""

import re

from sphinx.domains.c import CDomain

project = "convk"
extensions = ["myst_parser"]
myst_heading_anchors = 2  # of docs/pages
html_theme = "furo"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_copy_source = html_show_copyright = html_show_sphinx = False
toc_object_entries = False
smartquotes = False
highlight_language = "none"
nitpicky = True
nitpick_ignore_regex = [
    ("c:identifier", "(?!convk).*"),  # types of C, OpenCL and CUDA
    ("py:.*", "(?!convk[.]).*"),  # types of Python and NumPy, and names of types that are not public
]
python_maximum_signature_line_length = 100


class Names(CDomain):
    def get_objects(self):
        """What the search knows: of a name in f32 and f64 the latter; calls of devices come last."""
        known = {o[0]: o for o in super().get_objects() if o[2] != "functionParam"}
        for name, o in known.items():
            if not re.search("_[cf]32$", name) or name[:-2] + "64" not in known:
                yield (*o[:5], 2 if re.match("convk_(cl|cuda)_", name) else 1)


def setup(app):
    app.add_domain(Names, override=True)
