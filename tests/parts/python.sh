# The Python package: sourced by run.sh.
features+=' python scipy pyscf'
parts+=' python'

part_python() {
  local python found='' to=build/python seen m
  for python in ${PYTHON:-} python3 /usr/bin/python3; do # one that has all, or the last
    "$python" -c 'import numpy, cffi, pytest, setuptools, pip; assert setuptools.__version__ >= "70.1" or __import__("wheel")' \
      2>$out/python.txt && found=yes && break
  done
  [ $found ] || skip python "Debian packages python3-{pip,wheel,setuptools,cffi,numpy,pytest}: $(tail -n 1 $out/python.txt)"
  for m in scipy pyscf; do "$python" -c "import $m" 2>/dev/null || echo "without $m"; done
  try 'pip install' "$python" -m pip -v install --no-build-isolation --no-deps --no-index --upgrade --target $to ./examples/python \
    >$out/python.txt 2>&1 || tail -n 30 $out/python.txt
  try 'the build says what it does' grep -E 'threads: (OpenMP|no OpenMP)' $out/python.txt
  seen=$out/python_tests.txt
  CONVK_REQUIRE=$(among scipy pyscf) PYTHONPATH=$to run "$python" -m pytest -q -rs -p no:cacheprovider examples/python/tests >$seen 2>&1 ||
    cat $seen
  tail -n 3 $seen
  # what pytest counts, and the two above
  awk -v more=$((tried - wrong)) -v bad=$wrong '{ for (i = 2; i <= NF; i++) n[$i] = $(i - 1) } END {
    bad += n["failed"] + n["failed,"] + n["error"] + n["error,"] + n["errors"] + n["errors,"]
    print n["passed"] + n["passed,"] + more " passed, " bad + 0 " failed, " n["skipped"] + n["skipped,"] " skipped"
    exit bad || !(n["passed"] + n["passed,"]) }' <(tail -n 1 $seen)
}
