"""What all families share: the handle, errors, and how NumPy arrays become arguments of C calls."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import threading
import time
from typing import Any, Literal, Sequence, TypeVar, Union, get_type_hints

import numpy as np

from ._convk import ffi, lib

# Of what is filtered, what goes on in steps, and of both; one name, or three for z, y, x.
FilterBoundary = Literal["periodic", "grow", "shrink", "zero"]
StepBoundary = Literal["periodic", "fixed"]
AnyBoundary = Literal["periodic", "grow", "shrink", "zero", "fixed"]
FilterBoundaries = Union[FilterBoundary, Sequence[FilterBoundary]]
StepBoundaries = Union[StepBoundary, Sequence[StepBoundary]]
AnyBoundaries = Union[AnyBoundary, Sequence[AnyBoundary]]
Self = TypeVar("Self")
NULL = ffi.NULL
TYPES = {
    np.dtype(np.float32): "f32",
    np.dtype(np.float64): "f64",
    np.dtype(np.complex64): "c32",
    np.dtype(np.complex128): "c64",
}
C_TYPES = {"f32": "float", "f64": "double", "c32": "float", "c64": "double"}
REAL = ("f32", "f64")
COMPLEX = ("c32", "c64")
BOUNDARIES = {
    "periodic": lib.CONVK_BOUNDARY_PERIODIC,
    "grow": lib.CONVK_BOUNDARY_GROW,
    "shrink": lib.CONVK_BOUNDARY_SHRINK,
    "zero": lib.CONVK_BOUNDARY_ZERO,
    "fixed": lib.CONVK_BOUNDARY_FIXED,
}


class Error(RuntimeError):
    """A call of the library failed; `status` is the C code, the message its text."""

    status: int

    def __init__(self, status: int, detail: str = "") -> None:
        super().__init__(ffi.string(lib.convk_strerror(status)).decode() + detail)
        self.status = status


# ---- signals: the thread hook looks for them from Python's main thread, see hook.c ----

_raised = threading.local()


def keep_exception(kind, value, traceback):
    """Of what C calls: the exception waits until the C code is through, and 1 tells C to come to an end."""
    _raised.exception = value
    return 1


def raise_kept():
    """Raises what was kept."""
    exception = getattr(_raised, "exception", None)
    if exception is not None:
        _raised.exception = None
        raise exception


@ffi.def_extern(onerror=keep_exception)
def convk_py_look():
    for _ in range(2):  # the interpreter runs handlers of signals where a loop goes back
        pass
    return getattr(_raised, "exception", None) is not None


def _learn_main_thread():
    lib.convk_py_main_thread = threading.main_thread().ident


_learn_main_thread()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_learn_main_thread)


def check(status, detail=""):
    """Raises what a status stands for: the exception of a signal's handler, ValueError, MemoryError or Error."""
    raise_kept()
    if status == lib.CONVK_OK:
        return
    if status == lib.CONVK_ERR_MEMORY:
        raise MemoryError(ffi.string(lib.convk_strerror(status)).decode())
    raise Error(status, detail)


def said(c, otherwise=""):
    """What a handle or other text of C says of an error, to be put after the text of its status."""
    text = ffi.string(c).decode(errors="replace")
    return f": {text}" if text else otherwise


# ---- calls that belong to no handle of the user's ----


def _plain_handle():
    c = ffi.new("convk *")
    check(lib.convk_py_open(c, b"scalar"), said(c.message))
    return c


_PLAIN = _plain_handle()


def plain(name, *arguments):
    """Calls convk_<name> with a handle of its own, which has a message for what is refused."""
    handle = ffi.new("convk *", _PLAIN[0])
    status = getattr(lib, f"convk_{name}")(handle, *arguments)
    check(status, said(handle.message) if status else "")


def size_of(name, *arguments, handle=None):
    """Bytes that convk_<name> asks for: its last argument.  `handle` where the size depends on one."""
    count = ffi.new("size_t *")
    handle = ffi.new("convk *", (_PLAIN if handle is None else handle)[0])
    status = getattr(lib, f"convk_{name}")(handle, *arguments, count)
    check(status, said(handle.message) if status else "")
    return count[0]


class Memory:
    """Of a plan or a state: `bytes` is an array at a multiple of 64 bytes, `c` a pointer of this C type to it."""

    def __init__(self, c_type, size):
        memory = np.zeros(size + 64, np.uint8)
        self.bytes = memory[-memory.__array_interface__["data"][0] % 64 :][:size]
        self.c = address(self.bytes, c_type)

    def __len__(self):
        return len(self.bytes)


def struct(c_type, **members):
    """A C struct, zero but for what is given and not None.  Arrays are given by address(), and must outlive it."""
    return ffi.new(f"{c_type} *", {name: value for name, value in members.items() if value is not None})


class Held:
    """What holds memory of C, which another process or a copy cannot have."""

    def __reduce_ex__(self, protocol):
        raise TypeError(
            f"a convk.{type(self).__name__} holds memory of this process, and is neither copied nor pickled: "
            "make one where it is used"
        )


class Progress:
    """Says on stderr how much of a long run is done, where it is wanted: by tqdm, or in words."""

    def __init__(self, wanted, total, unit):
        self._total, self._unit, self._done, self._said, self._bar = total, unit, 0, 0.0, None
        self._wanted = bool(wanted)
        if self._wanted:
            with contextlib.suppress(ImportError):
                self._bar = importlib.import_module("tqdm").tqdm(total=total, unit=" " + unit, file=sys.stderr)

    def __enter__(self):
        return self

    def add(self, count):
        self._done += count
        if self._bar is not None:
            self._bar.update(count)
        elif self._wanted and (time.monotonic() - self._said > 0.5 or self._done >= self._total):
            self._said = time.monotonic()
            print(f"\r{self._done} of {self._total} {self._unit}", end="", file=sys.stderr, flush=True)

    def __exit__(self, *exc):
        if self._bar is not None:
            self._bar.close()
        elif self._wanted:
            print(file=sys.stderr)


# ---- files ----


def read_file(call, path, *arguments):
    """Calls a reader of C on a file, which names the line or the byte of what it does not understand."""
    with open(path, "rb"):  # whose errors say what is missing
        pass
    message = ffi.new("char[]", 600)
    if call(*arguments[:1], os.fsencode(path), *arguments[1:], message, len(message)):
        raise ValueError(f"{os.fspath(path)}: {ffi.string(message).decode(errors='replace')}")


def of_c(pointer, count, dtype):
    """A copy of so many numbers of C."""
    size = int(count) * np.dtype(dtype).itemsize
    return np.frombuffer(ffi.buffer(pointer, size), dtype).copy() if size else np.empty(0, dtype)


# ---- arguments ----


def unmasked(array, name):
    """Numbers, but no masked array: its masked elements would count."""
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array: pass {name}.filled(value), with what masked elements are to count as")
    return array


def kind_of(array, name, kinds=REAL):
    """ "f32", "f64", "c32" or "c64" of an array; TypeError for what is no array, or of another type."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name} is {type(array).__name__}, not a NumPy array")
    unmasked(array, name)
    kind = TYPES.get(array.dtype)
    if kind not in kinds:
        wanted = " or ".join(str(dtype) for dtype, k in TYPES.items() if k in kinds)
        raise TypeError(f"{name} is of {array.dtype}, not {wanted}: pass {name}.astype(...)")
    return kind


def expect(array, name, kind, shape=None, write=False, ndim=None):
    """Checks dtype, shape, and that an array that is written may be."""
    kind_of(array, name, (kind,))
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{name} has {array.ndim} axes, not {ndim}")
    if shape is not None and array.shape != tuple(shape):
        raise ValueError(f"{name} has the shape {array.shape}, not {tuple(shape)}")
    if write and not array.flags.writeable:
        raise ValueError(f"{name} is written to, but is read-only")
    return array


def address(array, c_type=None):
    """A C pointer to the first element; the array must outlive the call."""
    # not by __array_interface__: of arrays of structs it swallows a Ctrl-C that comes meanwhile
    return ffi.cast((c_type or C_TYPES[TYPES[array.dtype]]) + " *", array.ctypes.data)


def pitches(array, name, axes):
    """Strides of the first `axes` axes in elements, 0 where the axis has one point; the rest is contiguous.

    These are the layouts that C calls take: rows without gaps, at any distance.  Others are errors, not copies."""
    item = array.itemsize
    if not array.size:
        return (0,) * axes
    packed = item
    for axis in range(array.ndim - 1, axes - 1, -1):
        if array.shape[axis] > 1 and array.strides[axis] != packed:
            raise ValueError(
                f"{name} is not contiguous along axis {axis} (a stride of {array.strides[axis]} bytes, not {packed}): "
                f"pass np.ascontiguousarray({name})"
            )
        packed *= array.shape[axis]
    found = []
    for axis in range(axes):
        stride = array.strides[axis]
        if array.shape[axis] == 1:
            stride = 0
        elif stride <= 0 or stride % item:
            raise ValueError(
                f"{name} has a stride of {stride} bytes along axis {axis}, and no positive multiple of {item}: "
                f"pass np.ascontiguousarray({name})"
            )
        found.append(stride // item)
    return tuple(found)


def contiguous(array, name):
    pitches(array, name, 0)
    return array


def elementwise(x, name, *outs):
    """Of a call on elements in whatever order they lie: the kind, the addresses of x and of the results, and these: `outs` or,
    for None, new arrays with the layout of x."""
    kind, axes = kind_of(x, name), sorted(range(x.ndim), key=lambda axis: -x.strides[axis])
    if not x.transpose(axes).flags.c_contiguous:
        raise ValueError(f"{name} has gaps, its strides are {x.strides}: pass np.ascontiguousarray({name})")
    outs = tuple(np.empty_like(x, subok=False) if out is None else result(out, "out", kind, x.shape) for out in outs)
    for out in outs:
        if not out.transpose(axes).flags.c_contiguous:
            raise ValueError(f"out has the strides {out.strides}, but it must have those of {name}, {x.strides}")
    return kind, [address(array) for array in (x, *outs)], outs


def vector(array, name, kind, length=None, write=False):
    """A contiguous array of one axis, as a pointer; None is NULL."""
    if array is None:
        return NULL
    expect(array, name, kind, None if length is None else (length,), write, 1)
    return address(contiguous(array, name))


def grid3(array, name):
    """The convk_grid3 of an array of shape (nz, ny, nx)."""
    if array.ndim != 3:
        raise ValueError(f"{name} has {array.ndim} axes, not 3: (nz, ny, nx)")
    pitch_z, pitch_y = pitches(array, name, 2)
    nz, ny, nx = array.shape
    return ffi.new("convk_grid3 *", (nx, ny, nz, pitch_y, pitch_z))


def result(out, name, kind, shape):
    """`out` when it fits, or a new array."""
    if out is None:
        return np.empty(shape, next(dtype for dtype, k in TYPES.items() if k == kind))
    return expect(out, name, kind, shape, write=True)


def unused(array):
    """Memory for an array with the shape and the strides of this one."""
    span = sum((n - 1) * stride for n, stride in zip(array.shape, array.strides)) // array.itemsize + 1 if array.size else 0
    return np.lib.stride_tricks.as_strided(np.empty(span, array.dtype), array.shape, array.strides)


def from_c(kind, c):
    """A C struct as the NamedTuple `kind`, whose annotations say what each field is."""

    def convert(wanted, value):
        if hasattr(wanted, "_fields"):
            return from_c(wanted, value)
        return wanted(value) if isinstance(wanted, type) else tuple(value)

    return kind(*(convert(wanted, getattr(c, name)) for name, wanted in get_type_hints(kind).items()))


def per_axis(value, name, allowed):
    """One name, or three in the order z, y, x, as C's int[3] in the order x, y, z."""
    names = (value,) * 3 if isinstance(value, str) else tuple(value)
    if len(names) != 3:
        raise ValueError(f"{name} is one name, or three for the axes z, y, x")
    return ffi.new("int[3]", [choice(n, name, allowed) for n in reversed(names)])


def choice(value, name, allowed):
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}, not one of {', '.join(allowed)}")
    return allowed[value] if isinstance(allowed, dict) else value


def triple(value, name, c_type="double"):
    """Three numbers as C's array, or NULL for None."""
    if value is None:
        return NULL
    numbers = [float(x) for x in value]
    if len(numbers) != 3:
        raise ValueError(f"{name} has {len(numbers)} numbers, not 3")
    return ffi.new(f"{c_type}[3]", numbers)


# ---- the handle ----

DEVICES = ("opencl", "cuda")


class Handle(Held):
    """What Hardware is made of: see there."""

    def __init__(self, hardware=None, threads=None):
        if hardware is not None and not isinstance(hardware, str):
            raise TypeError("hardware is a name, or None for the best")
        threads = available_threads() if threads is None else int(threads)
        if threads < 1:
            raise ValueError(f"threads is {threads}: at least 1")
        self._c = ffi.new("convk *")
        spec = NULL if hardware is None else hardware.encode()
        status = lib.convk_py_open(self._c, spec)
        check(status, said(self._c.message, "" if hardware is None else f": {hardware!r}"))
        self._c.parallel.threads = threads
        self._c.parallel.run = ffi.addressof(lib, "convk_py_run")
        self._c.parallel.ctx = self._c
        self._tuned: list[Any] = []
        # the struct is copied by each call, and changed by few: one at a time
        self._settled = threading.RLock()
        # a device serves one call at a time, processors any number
        self._turn: Any = threading.RLock() if self.name in DEVICES else contextlib.nullcontext()

    @property
    def name(self) -> str:
        """Which variant runs: "avx2", ..., "opencl"."""
        return ffi.string(self._c.name).decode()

    @property
    def machine(self) -> str:
        """The own name of the processor or device."""
        return ffi.string(self._c.machine).decode()

    @property
    def threads(self) -> int:
        """Number of threads of a call; may be set."""
        return self._c.parallel.threads

    @threads.setter
    def threads(self, value: int) -> None:
        if value < 1:
            raise ValueError(f"threads is {value}: at least 1")
        self._c.parallel.threads = value

    @property
    def flush_subnormals(self) -> bool:
        """Whether numbers below the smallest normal one count as 0 within calls, which can be faster; may be set."""
        return bool(self._c.flush_subnormals)

    @flush_subnormals.setter
    def flush_subnormals(self, value: bool) -> None:
        self._c.flush_subnormals = bool(value)

    def close(self) -> None:
        """Ends the use of the handle, and of a device's memory; calls raise Error afterwards.  Harmless a second time."""
        with self._turn, self._settled:
            lib.convk_close(self._c)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __repr__(self):
        return f"<convk.Hardware {self.name or 'closed'}, {self.threads} threads>"

    def _copy(self):
        """A copy of the handle for each call, whose message is then its own, and which no other thread changes."""
        with self._settled:
            return ffi.new("convk *", self._c[0])

    def _call(self, name, kind, *arguments):
        self._call_as(self._copy, name, kind, arguments)

    def _call_as(self, copy, name, kind, arguments):
        with self._turn:
            handle = copy()  # in turn: a device's handle may have been closed meanwhile
            status = getattr(lib, f"convk_{name}_{kind}")(handle, *arguments)
        check(status, said(handle.message) if status else "")

    def _in_tasks(self):
        """A copy of the handle for what one thread would do without calling the hook.  Told of two threads, the library calls
        the hook, which looks for signals; it still uses as many threads as self._c says."""
        handle = self._copy()
        handle.parallel.threads = max(2, self.threads)
        return handle

    def _call_in_tasks(self, name, kind, *arguments):
        self._call_as(self._in_tasks, name, kind, arguments)


def parts(total, each):
    """(first, count) of parts of `total`, so that signals are handled between them; there is one part at least."""
    each = max(1, int(each))
    return [(first, min(each, total - first)) for first in range(0, total, each)] or [(0, 0)]


def available_threads():
    """Processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
