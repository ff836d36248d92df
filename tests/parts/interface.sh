# What every public function keeps to: tests/interface.py.  Sourced by run.sh.

part_interface() {
  need python python3 python3
  MADE=$out/interface NAMES=$out/interface_names src/headers.sh --check >$out/interface_differs.txt || true
  NAMES=$out/interface_names python3 tests/interface.py || true # a line of its own says how many passed
  planted_call() { # WHAT IT SAYS, DECLARATION
    printf '     %s\n' "$2" >$out/interface.txt
    ! python3 tests/interface.py $out/interface.txt >$out/interface_said.txt || return 1
    grep -qE "^FAIL convk_planted.*: $1" $out/interface_said.txt
  }
  local a='convk *hw, int a, int b, int c, int d, int e, int f, int g, int h'
  try 'planted: 10 arguments' planted_call '10 arguments' "void convk_planted_f64($a, const int i[2]);"
  try '9 arguments' eval '! planted_call . "int convk_planted($a);"'
  try 'planted: a size' planted_call 'a size' 'size_t convk_planted_work_size_f64(convk *hw, size_t n);'
  try 'planted: a size that comes first' planted_call 'a size' 'int convk_planted_work_size_c32(convk *hw, size_t *bytes, size_t n);'
  try 'planted: no handle' planted_call 'a status' 'int convk_planted_f32(size_t n);'
  try 'planted: nothing at all' planted_call 'a status' 'int convk_planted(void);'
  try 'planted: a plan' planted_call 'a plan' 'int convk_planted_c64(convk *hw, const void *plan);'
  try 'what is as it should be' eval '! planted_call . "int convk_planted_plan_bytes(convk *hw, const convk_plan_f64 *plan, size_t *bytes);"'
  total
}
