# The Python package: sourced by run.sh.
features+=' python scipy pyscf mypy'

# Sets python, and makes the package in build/test/python once, by an archive of the sources and a wheel, which lie in
# build/test/python_wheel: whoever comes second waits.
python_package() {
  local found='' made=$out/python.made
  for python in ${PYTHON:-} python3 /usr/bin/python3; do # one that has all, or the last
    "$python" -c 'import setuptools as s, numpy, cffi, pytest, pip, packaging.licenses; assert int(s.__version__.split(".")[0]) >= 77, "setuptools is older than 77"' \
      2>$out/python_probe.txt && found=yes && break
  done
  [ $found ] || skip python "Debian packages python3-{pip,cffi,numpy,pytest,setuptools}, of PyPI where these are older than setuptools 77 and packaging 24.2: $(tail -n 1 $out/python_probe.txt)"
  [ -n "$long" ] || local -x CFLAGS=${lean/-O1/-O0} # after the -O2 that users get: few variants, since calls are what counts
  local -x CONVK_DEVICES=
  ! (opencl python) >$out/python_opencl.txt || CONVK_DEVICES=opencl
  (
    flock 9
    [ "$(cat $made 2>/dev/null)" != "$start.$$" ] || exit 0 # made in this run
    rm -rf $made $out/python $out/python_wheel
    {
      "$python" packaging/wheels.py --folder $out/python_wheel sdist &&
        "$python" -m pip -v wheel --no-build-isolation --no-deps --no-index -w $out/python_wheel $out/python_wheel/convk-*.tar.gz &&
        "$python" -m pip install --no-deps --no-index --target $out/python $out/python_wheel/convk-*.whl
    } >$out/python_build.txt 2>&1 && echo "$start.$$" >$made
  ) 9>$out/python.lock || tail -n 30 $out/python_build.txt
  try 'the package builds' [ -f $made ]
}
# python_tests PLACE: what pytest counts there, and what was tried before.
python_tests() {
  local seen=$out/pytest_${1//\//_}.txt
  PYTHONPATH=$PWD/$out/python run "$python" -m pytest -q -rs -p no:cacheprovider "$1" >$seen 2>&1 || cat $seen
  tail -n 3 $seen
  awk -v more=$((tried - wrong)) -v bad=$wrong '{ for (i = 2; i <= NF; i++) n[$i] = $(i - 1) } END {
    bad += n["failed"] + n["failed,"] + n["error"] + n["error,"] + n["errors"] + n["errors,"]
    print n["passed"] + n["passed,"] + more " passed, " bad + 0 " failed, " n["skipped"] + n["skipped,"] " skipped"
    exit bad || !(n["passed"] + n["passed,"]) }' <(tail -n 1 $seen)
}

part_python() {
  python_package
  for m in scipy pyscf mypy; do "$python" -c "import $m" 2>/dev/null || echo "without $m"; done
  try 'the build says what it does' grep -E 'threads: (OpenMP|no OpenMP)' $out/python_build.txt
  refused() { # DEVICES WHAT IT SAYS
    ! CONVK_DEVICES=$1 "$python" -m pip -v install --no-build-isolation --no-deps --no-index --target $out/python_no $out/python_wheel/convk-*.tar.gz \
      >$out/python_refused.txt 2>&1 && grep "$2" $out/python_refused.txt
  }
  try 'a device that is none' refused abacus 'CONVK_DEVICES names abacus, and there are opencl and cuda'
  if ! grep -q '^ *devices: opencl' $out/python_build.txt; then
    printf '#include <CL/cl.h>\nint main(void) { return clFinish(0); }\n' | $CC -x c - -o $out/python_cl -lOpenCL 2>/dev/null ||
      try 'without OpenCL: a sentence' refused opencl 'Debian packages opencl-headers and ocl-icd-opencl-dev'
    without opencl 'the package with OpenCL' 'Debian packages opencl-headers, ocl-icd-opencl-dev, pocl-opencl-icd'
  fi
  CONVK_REQUIRE=$(among scipy pyscf mypy opencl) python_tests examples/python/tests
}
