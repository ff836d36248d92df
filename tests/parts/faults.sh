# Small faults, switched on one at a time, which tests must notice: tests/faults.py.  Sourced by run.sh.

part_faults_table() { # is each of them still a place of the sources?
  need python python3 python3
  try 'the table fits the sources' python3 tests/faults.py --list
  total
}

part_faults() {
  need c++ "$CXX" g++
  need python python3 python3
  python3 tests/faults.py --on cpu,cuda
}

part_faults_opencl() {
  opencl faults
  need python python3 python3
  python3 tests/faults.py --on opencl,host
}
