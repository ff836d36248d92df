#!/usr/bin/env python3
"""The module of Fortran, examples/adapters/convk.f90, made of what convk.h declares: src/fortran.py [--check]

Functions and structs come from the list that src/headers.sh makes, constants and the tables of a handle from the preprocessor.
--check only names the file if it would be another.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULE = ROOT / "examples/adapters/convk.f90"
WIDTH = 128  # of a line
KINDS = {
    "int": "integer(c_int)",
    "long": "integer(c_long)",
    "size_t": "integer(c_size_t)",
    "ptrdiff_t": "integer(c_intptr_t)",
    "uint32_t": "integer(c_int32_t)",
    "uint64_t": "integer(c_int64_t)",
    "unsigned char": "integer(c_signed_char)",
    "float": "real(c_float)",
    "double": "real(c_double)",
    "char": "character(kind=c_char)",
}
COMPLEX = {"float": "complex(c_float_complex)", "double": "complex(c_double_complex)"}
# Pointers that C calls with arrays of structs; all others are to one.
ARRAYS = {"convk_shell": "shells", "convk_pair_result": "result", "convk_pair_move_result": "result", "convk_tuned": "entries", "convk_sumconv_sums": "sums"}
# Pointers to a single real number.
SINGLE = {"energy"}
# The structs that a program sees; others are opaque.
KNOWN = set()

HEAD = """\
! SPDX-License-Identifier: MIT
! convk for Fortran: all functions, structs and constants of convk.h, as made of its declarations by `make headers`.
!   cc -O2 -c convk_fortran.c                        (with convk.h and the modules of processors beside it, or -I)
!   gfortran -O2 convk.f90 program.f90 convk_fortran.o
! -DCONVK_WITH_SEPCONV -DCONVK_F64 for the first line compiles only what a program uses, in a few seconds; -fopenmp
! -DCONVK_OPENMP for the first, and -fopenmp for the second, give handles the threads of OpenMP.
!
!   use convk
!   type(convk_handle) :: hw
!   integer(c_int) :: status
!   status = convk_open(hw)                          ! the best hardware that this machine runs, or convk_open(hw, 'avx2')
!   status = convk_magicfilter3d_f64(hw, shape, CONVK_FORWARD, in=psi, out=values, work_size=0_c_size_t)
!   if (status /= CONVK_OK) print *, convk_message(status)
!   call convk_close(hw)
!
! Functions have the arguments of C in their order, by their names, and convk.h says what they do.  What is a pointer there may
! be left out, which is NULL: where the function needs it, it returns CONVK_ERR_NULL.  Arrays are passed as they are, of any
! rank, without copies where they are contiguous; an array a(nx, ny, nz) is a packed grid.  Where C has complex numbers so has
! Fortran.  Structs begin as zeros, which are their defaults.  Their pointers are type(c_ptr): c_loc(array) of an array with the
! attribute target.  The struct convk is the type convk_handle here, since the module has the name.
module convk
  use, intrinsic :: iso_c_binding
  implicit none
"""

WRAPPERS = """\

  interface
    function convk_fortran_open(hw, spec) bind(c) result(status)
      import
      type(convk_handle), intent(inout) :: hw
      character(kind=c_char), intent(in), optional :: spec(*)
      integer(c_int) :: status
    end function
    pure function convk_fortran_length(text) bind(c) result(length)
      import
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function
  end interface
  private :: convk_fortran_open, convk_fortran_length

contains

  ! Opens the hardware of this name, "avx2" say, or the best that is compiled in and that this machine runs.
  function convk_open(hw, spec) result(status)
    type(convk_handle), intent(inout) :: hw
    character(len=*), intent(in), optional :: spec
    integer(c_int) :: status
    if (present(spec)) then
      status = convk_fortran_open(hw, trim(spec)//c_null_char)
    else
      status = convk_fortran_open(hw)
    end if
  end function

  ! What a status says.
  function convk_message(status) result(text)
    integer(c_int), intent(in) :: status
    character(len=:), allocatable :: text
    character(kind=c_char), pointer :: source(:)
    type(c_ptr) :: address
    address = convk_strerror(status)
    call c_f_pointer(address, source, [convk_fortran_length(address)])
    text = convk_text(source)
  end function

  ! Text of C, which ends with a zero: convk_text(hw%name), convk_text(hw%message).
  pure function convk_text(source) result(text)
    character(kind=c_char), intent(in) :: source(:)
    character(len=:), allocatable :: text
    integer :: i, length
    length = 0
    do while (length < size(source))
      if (source(length + 1) == c_null_char) exit
      length = length + 1
    end do
    allocate (character(len=length) :: text)
    do i = 1, length
      text(i:i) = source(i)
    end do
  end function

end module
"""


def expanded():
    """convk.h as the preprocessor leaves its declarations."""
    command = [*shlex.split(os.environ.get("CC", "cc")), "-E", "-P", "-D__x86_64__", f"-I{ROOT}", "-x", "c", "-"]
    unit = '#define CONVK_DECLARE\n#define CONVK_WITH_ALL\n#include "convk.h"\n'
    return subprocess.run(command, input=unit, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT).stdout


def wrapped(line):
    """A statement on as many lines as it takes."""
    indent = re.match(" *", line)[0]
    made = []
    while len(line) > WIDTH:
        at = line.rindex(" ", 0, WIDTH - 2)
        made.append(line[:at] + " &")
        line = indent + "  " + line[at + 1 :]
    return "\n".join([*made, line])


def split(text, by):
    """At the separators outside of brackets."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "({[") - (c in ")}]")
        if c == by and not depth:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


def kind(c_type):
    if c_type in KINDS:
        return KINDS[c_type]
    if not re.fullmatch(r"convk\w*", c_type):
        sys.exit(f"fortran.py: what is {c_type} in Fortran?")
    return f"type({'convk_handle' if c_type == 'convk' else c_type})"


def constants(text):
    """The public enumerators, each with its value."""
    found = []
    for body in re.findall(r"\benum \{(.*?)\}", text, re.S):
        value = -1
        for item in split(body, ","):
            name, _, given = (part.strip() for part in item.partition("="))
            value = int(given) if re.fullmatch(r"-?\d+", given) else value + 1 if not given else None
            if name.startswith("CONVK_") and not name.endswith("_"):
                if value is None:
                    sys.exit(f"fortran.py: what is {item}?")
                found.append((name, value))
    return found


def macros():
    """Numbers that are macros, of the version and of what calls take."""
    text = (ROOT / "convk.h").read_text(encoding="utf-8")
    found = dict(re.findall(r"^#define (CONVK_(?:VERSION|SHELL_MAX)_\w*[A-Z]) (\d+)$", text, re.M))
    major, minor, patch = (int(found[f"CONVK_VERSION_{part}"]) for part in ("MAJOR", "MINOR", "PATCH"))
    return [*found.items(), ("CONVK_VERSION", 10000 * major + 100 * minor + patch)]


def pointers(declaration):
    """Without what is constant of pointers themselves: `double *const *x` is `double **x`."""
    return re.sub(r"\*\s*const\b\s*", "*", declaration)


def dimensions(sizes):
    """(4,3) of [3][4]: the last index of C is Fortran's first; (*) of []."""
    found = re.findall(r"\[(\w*)\]", sizes)
    return f"({','.join(size or '*' for size in reversed(found))})" if found else ""


def members(body):
    """(type, name, dimension) of each member of a struct, with type None for a pointer, and "()" for one to a function."""
    for declaration in split(body, ";"):
        function = re.match(r".*?\(\*(\w+)\)", declaration)
        if function:
            yield "()", function[1], ""
            continue
        c_type, names = re.match(r"((?:const |unsigned |struct )*\w+) ?(.*)", pointers(declaration)).groups()
        for name in split(names, ","):
            stars, plain, sizes = re.fullmatch(r"(\**)(\w+)((?:\[\w+\])*)", name).groups()
            yield None if stars else c_type.removeprefix("const "), plain, dimensions(sizes)


def struct(name, body):
    lines = [f"  type, bind(c) :: {'convk_handle' if name == 'convk' else name}"]
    for c_type, member, dimension in members(body):
        if c_type == "()":
            what, begin = "type(c_funptr)", " = c_null_funptr"
        elif c_type is None:
            what, begin = "type(c_ptr)", " = c_null_ptr"
        else:
            what = kind(c_type)
            begin = {"i": " = 0", "r": " = 0", "c": " = c_null_char", "t": ""}[what[0]]
        lines.append(wrapped(f"    {what} :: {member}{dimension}{begin}"))
    return "\n".join([*lines, "  end type"])


def parameter(declaration, function):
    """A dummy argument: its name and its declaration."""
    if "(*" in declaration:
        name = re.search(r"\(\*(\w+)\)", declaration)[1]
        return name, f"type(c_funptr), value :: {name}"
    parts = re.fullmatch(r"(const )?((?:unsigned )?\w+) ?(\**)(\w+)((?:\[\w*\])*)", pointers(declaration))
    if not parts:
        sys.exit(f"fortran.py: what is {declaration} of {function} in Fortran?")
    constant, c_type, stars, name, size = parts.groups()
    if not stars and not size:
        return name, f"{kind(c_type)}, value :: {name}"
    if name == "ctx":
        return name, f"type(c_ptr), value :: {name}"
    what, shape = None, "(*)"
    if stars == "**":
        what, shape = "type(c_ptr)", ""
    elif c_type == "void" or (c_type.startswith("convk_") and c_type not in KNOWN):
        what = "type(*)"  # also of plans and states, whose types are opaque
    elif c_type.startswith("convk"):
        what, shape = kind(c_type), "(*)" if ARRAYS.get(c_type) == name else ""
    elif c_type == "size_t" or name in SINGLE:
        what, shape = kind(c_type), ""
    elif c_type in COMPLEX and (re.search("_c(32|64)$", function) or (name == "f" and "formfactor" in function)):
        what = COMPLEX[c_type]
    else:
        what = kind(c_type)
    if size:
        shape = dimensions(size)
        if stars:  # an array of pointers
            what = "type(c_ptr)"
    return name, f"{what}, intent({'in' if constant else 'inout'}), optional :: {name}{shape}"


def interface(returns, name, parameters):
    dummies = [parameter(p, name) for p in split(parameters, ",")] if parameters != "void" else []
    arguments = ", ".join(d[0] for d in dummies)
    returns = returns.strip()
    lines = [f"    subroutine {name}({arguments}) bind(c)"]
    if returns != "void":
        lines = [f"    function {name}({arguments}) bind(c) result({'status' if returns == 'int' else 'it'})"]
    lines += ["      import", *(f"      {d[1]}" for d in dummies)]
    if returns.endswith("*"):
        lines.append("      type(c_ptr) :: it")
    elif returns != "void":
        lines.append(f"      {kind(returns)} :: {'status' if returns == 'int' else 'it'}")
    lines.append(f"    end {'subroutine' if returns == 'void' else 'function'}")
    return "\n".join(wrapped(line) for line in lines)


def list_of_functions():
    """The list of functions and structs, made anew in a folder of its own."""
    with tempfile.TemporaryDirectory() as made:
        environment = {**os.environ, "NAMES": f"{made}/names", "MADE": f"{made}/headers"}
        subprocess.run([ROOT / "src/headers.sh", "--check"], env=environment, stdout=subprocess.DEVNULL, check=False)
        return Path(made, "names/rooms/list.h").read_text(encoding="utf-8")


def module():
    text = expanded()
    listed = list_of_functions()
    made = [HEAD]
    for name, value in [*macros(), *constants(text)]:
        made.append(f"  integer(c_int), parameter :: {name} = {value}")
    structs = dict(re.findall(r"^     struct (\w+) \{ (.*) \};$", listed, re.M))
    KNOWN.update(structs)
    room = re.search(r"union convk_ours_ \{.*?void \*room\[(\d+)\];", text, re.S)[1]
    done = set()

    def define(name):  # what it holds comes first
        if name in done:
            return
        done.add(name)
        for c_type, _, _ in members(structs[name]):
            if c_type in structs:
                define(c_type)
        made.append("\n" + struct(name, structs[name]))

    made.append("\n  type, bind(c) :: convk_ours_ ! what is private in a handle")
    made.append(f"    type(c_ptr), private :: room({room}) = c_null_ptr\n  end type")
    for name in structs:
        define(name)
    for part in re.split(r"\n\n   (?=[a-z])", listed)[1:]:
        functions = re.findall(r"^     (?!struct)(.*?)(\w+)\((.*)\);$", part, re.M)
        if functions:
            made.append(f"\n  ! {part.splitlines()[0]}\n  interface")
            made += [interface(*function) for function in functions]
            made.append("  end interface")
    made.append(WRAPPERS)
    return "\n".join(made)


def main():
    text = module()
    constants = r"^ +(?:type, bind\(c\)|integer\(c_int\), parameter) :: (\w+)"
    names = re.findall(constants + r"|^    (?:function|subroutine) (\w+)", text, re.M)
    names = [(a or b).lower() for a, b in names] + ["convk"]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        sys.exit(f"fortran.py: one name for two things, since Fortran knows no capitals: {', '.join(twice)}")
    if MODULE.exists() and MODULE.read_text(encoding="utf-8") == text:
        return
    if "--check" in sys.argv[1:]:
        print(MODULE.relative_to(ROOT))
        sys.exit(1)
    MODULE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
