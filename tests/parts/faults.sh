# Small faults, switched on one at a time, which tests must notice: tests/faults.py.  Sourced by run.sh.

part_faults_table() { # is each of them still an expression of the sources?
  need c++ "$CXX" g++
  need python python3 python3
  local on=cpu,opencl,cuda
  if ! echo '#include <CL/cl.h>' | $CC -E - >/dev/null 2>&1; then
    without opencl 'the faults of OpenCL' 'Debian package opencl-headers'
    on=cpu,cuda
  fi
  python3 tests/faults.py --compile --on $on
}

part_faults() {
  need c++ "$CXX" g++
  need clang clang++ clang
  need python python3 python3
  python3 tests/faults.py --on cpu,cuda
}

part_faults_opencl() {
  opencl faults
  need python python3 python3
  python3 tests/faults.py --on opencl,host
}
