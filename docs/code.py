#!/usr/bin/env python3
"""Prints a unit of C with the lines of C that docs/pages show, a function for each block: the tests compile it.
docs/code.py     from the top of the repository"""

import glob
import re

HEAD = """\
#include <stdio.h>
#include <stdlib.h>
#define CONVK_DECLARE
#include "convk.h"
#undef CONVK_DECLARE
#undef CONVK_MALLOC
#undef CONVK_FREE
#undef CONVK_STRICT
int host_run(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg);
extern void *host_pool;
extern convk hw;
extern convk_stencil7_shape shape;
extern size_t n;
extern double h, *v, *psi, *h_psi, *x, *s, *c;
extern convk_orbital_set_f64 set;
extern convk_points_f64 electrons;
extern convk_vgl_f64 vgl;
extern int status;
"""


def main():
    print(HEAD)
    for path in sorted(glob.glob("docs/pages/*.md")):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        for block in re.finditer(r"^```c\n(.*?)^```$", text, re.S | re.M):
            line = text[: block.start(1)].count("\n") + 1
            name = f"{re.sub(r'[^a-z]', '_', path)}_{line}"
            print(f'void {name}(void);\nvoid {name}(void) {{\n#line {line} "{path}"\n{block[1]}}}')


if __name__ == "__main__":
    main()
