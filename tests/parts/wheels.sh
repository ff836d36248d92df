# The Python package as its users get it: sourced by run.sh.
features+=' pypi'

# Environments that are empty but for pip, and commands in them without a compiler in PATH.
empty() { # FOLDER [PYTHON]
  rm -rf "$1"
  "${2:-$python}" -m venv "$1"
}
alone() { # FOLDER COMMAND...
  PATH=$PWD/$1/bin "${@:2}"
}
bits() { # FOLDER [FILE]: what the package in it computes, into FILE
  (cd / && "$OLDPWD/$1/bin/python" "$OLDPWD/tests/python_bits.py") >"${2:-$1.bits}"
}
best() { # the hardware that a handle of the C library takes, of the variants that the package has
  printf '#include "convk.h"\n#include <stdio.h>\nint main(void) { convk hw; return convk_open(&hw, 0) || puts(hw.name) < 0; }\n' >$d/best.c
  # shellcheck disable=SC2086
  $CC $cpu $([ -n "$long" ] || echo "${lean#-O?}") -DCONVK_WITH_VMATH -DCONVK_F64 -O0 -I. $d/best.c -o $d/best -lm && $d/best
}

part_wheels() {
  local d=$out/wheels sdist wheel file
  mkdir -p $d
  python_package
  sdist=$(echo $out/python_wheel/convk-*.tar.gz) wheel=$(echo $out/python_wheel/convk-*.whl)
  # shellcheck disable=SC2086
  hook() { $CC $c99 -O1 -Werror "$@" tests/test_python_hook.c -o $d/hook && run $d/hook; }
  try 'threads of the system' hook -pthread
  local openmp=''
  ! echo '#include <omp.h>' | $CC -fopenmp -x c -fsyntax-only - 2>/dev/null || openmp=yes
  [ -z "$openmp" ] || try 'threads of OpenMP' hook -fopenmp

  try 'the same licence' cmp LICENSE examples/python/LICENSE
  try 'the name of the wheel' grep -E "/convk-$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' CHANGELOG.md | head -1)-cp39-abi3-linux_$(uname -m)\.whl$" <<<"$wheel"
  rm -rf $d/files
  "$python" -m zipfile -e $wheel $d/files
  for file in convk/_convk.abi3.so convk/py.typed convk-*.dist-info/licenses/LICENSE; do
    # shellcheck disable=SC2086
    try "$file" ls $d/files/$file
  done
  for file in 'License-Expression: MIT' 'License-File: LICENSE' 'Requires-Python: >=3.9' '# convk for Python' 'Description-Content-Type: text/markdown'; do
    try "$file" grep -xF -e "$file" $d/files/convk-*.dist-info/METADATA
  done
  try 'no name but that of the module' eval "! nm -D --defined-only $d/files/convk/_convk.abi3.so | grep -v ' T PyInit__convk$'"

  export PIP_NO_COMPILE=1
  empty $d/installed
  refused() { ! (unset CC && alone $d/installed pip install -q --no-deps $sdist) >$d/refused.txt 2>&1 && grep 'convk is made from C, and there is no compiler' $d/refused.txt; }
  if ! $d/installed/bin/pip download -q --no-deps -d $d/pypi 'setuptools>=77' >$d/pypi.txt 2>&1; then
    ! required pypi || try 'PyPI is required' false
    echo "PyPI is not reached: $(tail -n 1 $d/pypi.txt)"
    total
    return
  fi
  try 'without a compiler: a sentence' refused
  try 'and no traceback' eval "! grep Traceback $d/refused.txt"
  try 'the wheel, where no compiler is' alone $d/installed pip install -q $wheel
  try 'the wheel computes' bits $d/installed $d/wheel.bits
  shown() { # the lines of the package's docstring, where the hardware that they name may be missing
    (cd / && "$OLDPWD/$d/installed/bin/python" -c 'import re, numpy, convk
lines = re.findall("^    (.*)$", convk.__doc__, re.M)
psi = numpy.ones((4, 5, 16))
assert len(lines) > 1
exec("\n".join(lines).replace("\"avx512\"", "None"))')
  }
  try 'lines of the docstring' shown
  try 'the best hardware' grep "best $(best)," $d/wheel.bits
  # in its place portable C, by what the archive makes of it, with the threads of OpenMP
  try 'the archive of the sources' env CFLAGS='-O0 -DCONVK_NO_SSE2 -DCONVK_NO_AVX -DCONVK_NO_AVX2 -DCONVK_NO_AVX512' \
    $d/installed/bin/pip -v install --force-reinstall --no-deps $sdist >$d/archive.txt 2>&1
  [ -z "$openmp" ] || try 'with threads of OpenMP' grep 'threads: OpenMP' $d/archive.txt
  try 'the archive computes' bits $d/installed $d/archive.bits
  try 'the same bits' diff <(grep ' muladd ' $d/wheel.bits) <(tail -n +2 $d/archive.bits)
  total
}

# Python for aarch64 with the wheel and what it needs, in build/aarch64: Debian's packages, unpacked.
python_aarch64() { # WHEEL
  local r=$PWD/build/aarch64 version
  mkdir -p $r/apt/{lists,archives}/partial
  touch $r/apt/status
  local apt="apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State=$r/apt -o Dir::State::status=$r/apt/status -o Dir::Cache=$r/apt"
  if [ ! -x $r/system/usr/bin/python3 ]; then
    $apt update && $apt install -y --no-install-recommends --download-only python3 libgcc-s1 libstdc++6 || return
    for file in $r/apt/archives/*.deb; do dpkg -x "$file" $r/system; done
  fi
  rm -rf $r/site
  version=$(qemu-aarch64 -L $r/system $r/system/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  local tags=''
  for file in manylinux2014 manylinux_2_17 manylinux_2_27 manylinux_2_28; do tags+=" --platform ${file}_aarch64"; done
  # shellcheck disable=SC2086
  $d/tools/bin/pip install -q --target $r/site $tags --python-version "$version" --implementation cp --abi "cp${version/./}" --abi abi3 \
    --only-binary=:all: "$1" && PYTHONPATH=$r/site run qemu-aarch64 -L $r/system $r/system/usr/bin/python3 tests/python_bits.py >$d/aarch64.bits
}

# Where no Python runs, the loader of a system finds all that a module wants, with variables in place of what Python has.
loads_musl() { # MODULE
  {
    readelf -Ws --dyn-syms "$1" | awk '$7 == "UND" && $8 ~ /^_?Py/ { print "__attribute__((visibility(\"default\"))) int " $8 ";" }'
    printf '#include <dlfcn.h>\n#include <stdio.h>\nint main(int n, char **a) { void *m = dlopen(a[n - 1], RTLD_NOW);\n'
    printf 'puts(m && dlsym(m, "PyInit__convk") ? "loaded" : dlerror()); return !m; }\n'
  } >$d/musl.c
  $d/tools/bin/python -m ziglang cc -target x86_64-linux-musl -dynamic -rdynamic -O1 -w $d/musl.c -o $d/musl && $musl $d/musl "$PWD/$1" | grep -x loaded
}
loads_windows() { # MODULE
  local gcc=x86_64-w64-mingw32-gcc w=$d/windows
  mkdir -p $w
  cp "$1" $w/
  x86_64-w64-mingw32-objdump -p "$1" | awk '/DLL Name:/ { ours = /python3.dll/ } ours && $3 ~ /^_?Py/ { print "__declspec(dllexport) int " $3 ";" }' >$w/python3.c
  printf '#include <windows.h>\n#include <stdio.h>\nint main(int n, char **a) { HMODULE m = LoadLibraryA(a[n - 1]);\n' >$w/load.c
  printf 'puts(m && GetProcAddress(m, "PyInit__convk") ? "loaded" : "not loaded"); return !m; }\n' >>$w/load.c
  $gcc -shared $w/python3.c -o $w/python3.dll && $gcc -w $w/load.c -o $w/load.exe || return
  export WINEPREFIX=$PWD/$w/wine WINEDEBUG=-all DISPLAY=
  timeout 300 wine wineboot -i >/dev/null 2>&1
  (cd $w && wine load.exe _convk.pyd) | tr -d '\r' >$w/said.txt
  wineserver -k || true
  grep -x loaded $w/said.txt
}

# The wheels of all systems, and the package on those of them that run here.
part_wheels_all() {
  local d=$out/wheels_all p n=0 file wheel system
  mkdir -p $d
  python_package
  "$python" -m venv $d/probe && $d/probe/bin/pip download -q --no-deps -d $d/pypi 'setuptools>=77' || skip pypi 'PyPI is not reached'
  try 'make wheels' make -s wheels WHEELS=$d
  [ $wrong = 0 ] || total
  wheel() { echo $d/convk-*"$1".whl; }
  for system in manylinux2014_{x86_64,aarch64} musllinux_1_2_{x86_64,aarch64} macosx_11_0_arm64 macosx_10_13_x86_64 win_amd64; do
    try "$system" ls "$(wheel $system)"
    rm -rf $d/$system
    "$python" -m zipfile -e "$(wheel $system)" $d/$system
  done
  # two Pythons or more, the oldest first
  rm -rf $d/cp3* $d/first.bits
  for p in "$HOME"/.pyenv/versions/*/bin/python3 /usr/bin/python3* python3; do
    file=$("$p" -c 'import ensurepip, sys; assert sys.version_info >= (3, 9); print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
    [ ! -e $d/cp$file ] || continue
    n=$((n + 1))
    empty $d/cp$file "$p"
    try "$file, without a compiler" alone $d/cp$file pip install -q "$(wheel manylinux2014_x86_64)"
    try "$file computes" bits $d/cp$file
    [ -f $d/first.bits ] || cp $d/cp$file.bits $d/first.bits
    try "$file, the same bits" diff $d/first.bits $d/cp$file.bits
  done
  try 'two Pythons' [ $n -ge 2 ]
  if command -v qemu-aarch64 >/dev/null; then
    try 'aarch64 computes' python_aarch64 "$(wheel manylinux2014_aarch64)"
    try 'aarch64, the same bits' diff <(sed 1d $d/first.bits) <(sed 1d $d/aarch64.bits)
  fi
  try 'musl, its C library alone' eval "readelf -d $d/musllinux_1_2_x86_64/convk/_convk.abi3.so | grep -c NEEDED | grep -x 1"
  local musl=/lib/ld-musl-x86_64.so.1
  if [ -x $musl ]; then
    try 'musl, it loads' loads_musl $d/musllinux_1_2_x86_64/convk/_convk.abi3.so
  else
    echo 'musl: Debian package musl'
  fi
  if command -v x86_64-w64-mingw32-objdump >/dev/null; then
    x86_64-w64-mingw32-objdump -p $d/win_amd64/convk/_convk.pyd >$d/win_amd64.txt
    try 'Windows: its module' grep -w PyInit__convk $d/win_amd64.txt
    try 'Windows: of what it imports' eval "! grep 'DLL Name' $d/win_amd64.txt | grep -viE 'python3\.dll|kernel32\.dll|api-ms-win-crt-'"
    if command -v wine >/dev/null; then try 'Windows: it loads' loads_windows $d/win_amd64/convk/_convk.pyd; fi
  fi
  total
}
