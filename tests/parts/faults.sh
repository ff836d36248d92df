# Small faults, switched on one at a time, which tests must notice: tests/faults.py.  Sourced by run.sh.
[ -z "${TEST_LONG:-}" ] || parts+=' faults faults_opencl'

part_faults() {
  need c++ "$CXX" g++
  need c++ python3 python3
  python3 tests/faults.py --on cpu,cuda
}

part_faults_opencl() {
  opencl faults
  need opencl python3 python3
  python3 tests/faults.py --on opencl,host
}
