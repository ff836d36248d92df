# SPDX-License-Identifier: MIT
"""Runs a program of WebAssembly: wasm.py PROGRAM [ARGUMENT...], with PyPI's wasmtime."""

import sys

import wasmtime

engine = wasmtime.Engine()
wasi = wasmtime.WasiConfig()
wasi.argv = sys.argv[1:]
wasi.preopen_dir(".", ".")
wasi.inherit_stdout()
wasi.inherit_stderr()
store = wasmtime.Store(engine)
store.set_wasi(wasi)
linker = wasmtime.Linker(engine)
linker.define_wasi()
instance = linker.instantiate(store, wasmtime.Module.from_file(engine, sys.argv[1]))
try:
    instance.exports(store)["_start"](store)
except wasmtime.ExitTrap as end:
    sys.exit(end.code)
