# Packages as their users meet them: sourced by run.sh.
features+=' git meson conan yaml'

package() { # NAME: an empty folder $p, and what the parts share
  p=$PWD/build/package/$1 top=$PWD
  rm -rf "$p"
  mkdir -p "$p"
  # CMake, Meson and Conan read them: what is tested are defines and paths, so one module will do; defining a family twice must not warn
  own_cc=$CC own_cxx=$CXX # clang has OpenMP by a package of its own
  export CC=$quick_cc CXX=$quick_cxx CFLAGS="-O0 -Werror ${lean#-O?}" CMAKE_GENERATOR='Unix Makefiles'
  export CXXFLAGS="$CFLAGS -Wno-deprecated" # clang's word for a file in C that is compiled as C++
  families=$(named_families | tr A-Z a-z | paste -sd\;)
  languages=C
  if command -v "$CXX" >/dev/null; then languages='C CXX'; else without c++ 'C++' 'Debian package g++'; fi
  # the hardware that every way in must give: the last one that this machine opens by name
  printf '%s\n' '#define CONVK_WITH_VMATH' '#define CONVK_F64' '#define CONVK_SIMD' '#include "convk.h"' \
    'int main(int argc, char **argv) { convk hw; return argc < 2 || convk_open(&hw, argv[1]); }' >"$p/opens.c"
  $CC -std=c99 $CFLAGS -I. "$p/opens.c" -o "$p/opens" -lm || { echo 'the headers do not compile'; exit 1; }
  for best in avx2 neon scalar; do ! "$p/opens" $best || break; done
}
gives() { # HARDWARE COMMAND...: the program runs on it, and is right
  "${@:2}" >"$p/said.txt" 2>&1 && cat "$p/said.txt" && grep -q "^consumer: convk [0-9]*, $1: success" "$p/said.txt" || {
    cat "$p/said.txt"
    echo "not $1"
    false
  }
}
quiet() { # COMMAND...: what it says is shown where it fails
  "$@" >"$p/said.txt" 2>&1 || { cat "$p/said.txt"; false; }
}
consumes() { # OPTIONS...: tests/consumer by CMake, with ${wants:-} from the package, on the hardware ${hw:-$best}
  rm -rf "$p/consumer"
  CFLAGS+=" ${wants:-}" CXXFLAGS+=" ${wants:-}" quiet cmake -S tests/consumer -B "$p/consumer" "$@" && quiet cmake --build "$p/consumer" && gives "${hw:-$best}" "$p/consumer/consumer"
}
refuses() { # TEXT COMMAND...: the command fails and says so
  ! "${@:2}" >"$p/said.txt" 2>&1 && tr -s ' \n' ' ' <"$p/said.txt" | grep -oF "$1" || { cat "$p/said.txt"; false; }
}
by_pkg_config() { # FOLDER PACKAGE OPTIONS...
  local flags
  flags=$(PKG_CONFIG_PATH=$1 pkg-config --cflags --libs "${@:3}" "$2") || return 1
  # shellcheck disable=SC2086
  $CC -std=c99 $CFLAGS ${wants:-} tests/consumer/consumer.c -o "$p/pc" $flags && gives "${hw:-$best}" "$p/pc"
}
pkg_config() { # NAME ARGUMENTS...
  if command -v pkg-config >/dev/null; then
    try "$1" by_pkg_config "${@:2}"
  else
    without pkg-config "$1" 'Debian package pkg-config'
  fi
}
tree() { # its files: what git knows of, where this is its repository
  if [ -e .git ]; then git ls-files -co --exclude-standard; else find . -path ./build -prune -o -type f -print; fi |
    while read -r f; do [ ! -f "$f" ] || echo "$f"; done
}
commit() { # FOLDER: a repository of one commit, the tree as it is
  need git git git
  mkdir -p "$1"
  tree | tar cf - -T - | tar xf - -C "$1"
  git -C "$1" init -q
  git -C "$1" add -A
  git -C "$1" -c user.name=tests -c user.email=tests@localhost commit -qm 'The tree as it is'
}

# What packages define does nothing where there are no such modules: another processor, another compiler.
package_elsewhere() {
  local flags="-DCONVK_SIMD= -I. tests/consumer/consumer.c"
  # shellcheck disable=SC2086
  if command -v aarch64-linux-gnu-gcc >/dev/null && command -v qemu-aarch64 >/dev/null; then
    try 'aarch64' aarch64-linux-gnu-gcc -std=c99 $CFLAGS -static $flags -o "$p/aarch64" -lm
    try 'aarch64: NEON' gives neon qemu-aarch64 "$p/aarch64"
  fi
  # shellcheck disable=SC2086
  if command -v tcc >/dev/null; then
    try 'tcc' tcc $flags -o "$p/tcc" -lm
    try 'tcc: portable C' gives scalar "$p/tcc"
  fi
}

part_package() {
  need cmake cmake cmake
  package headers
  try 'make install' make -s install PREFIX="$p/prefix"
  (cd "$p/prefix" && find . -type f | sort) >"$p/files.txt"
  { printf './include/%s\n' convk*.h convk.hpp && printf './share/convk/%s\n' convk.f90 convk_fortran.c && printf './share/%s\n' cmake/convk/convk-{config,config-version,targets}.cmake pkgconfig/convk{,-plain}.pc; } | sort >"$p/wanted.txt"
  try 'what is installed' diff "$p/wanted.txt" "$p/files.txt"
  mv "$p/prefix" "$p/moved" # packages may be moved
  local l moved=-DCMAKE_PREFIX_PATH=$p/moved defines=-DCONSUMER_DEFINES
  beside() { # COMPILER FLAGS...: the headers are where the compiler looks
    "$@" $CFLAGS -I. tests/consumer/consumer.c -o "$p/beside" -lm && gives "${hw:-$best}" "$p/beside"
  }
  hw=scalar try 'the header, and no module named' beside $CC -std=c99
  try 'headers, C' beside $CC -std=c99 $defines
  [ "$languages" = C ] || try 'headers, C++' beside "$CXX" -std=c++11 -x c++ $defines
  # each way in, in one language: by components and by the target of all, with and without what the program itself defines
  wants=-DCONSUMER_WANTS_FAMILY try 'find_package, a component' consumes "$moved" -DCONSUMER_COMPONENTS=sepconv
  wants="-DCONSUMER_WANTS_FAMILY $defines" try 'and the program defines the same' consumes "$moved" -DCONSUMER_LANGUAGE="${languages##* }" -DCONSUMER_COMPONENTS=sepconv
  try 'add_subdirectory' consumes -DCONVK_SOURCE="$top"
  if [ "$languages" != C ]; then
    try 'convk::hpp' consumes "$moved" -DCONSUMER_LANGUAGE=CXX -DCONSUMER_SOURCE=consumer.cpp -DCONSUMER_COMPONENTS='hpp;sepconv'
    try 'convk::hpp, add_subdirectory' consumes -DCONVK_SOURCE="$top" -DCONSUMER_LANGUAGE=CXX -DCONSUMER_SOURCE=consumer.cpp -DCONSUMER_TARGET=convk::hpp
  fi
  if command -v gfortran >/dev/null; then
    try 'Fortran' consumes "$moved" -DCONSUMER_LANGUAGE=Fortran -DCONSUMER_COMPONENTS=sepconv
    try 'Fortran, add_subdirectory' consumes -DCONVK_SOURCE="$top" -DCONSUMER_LANGUAGE=Fortran -DCONSUMER_TARGET=convk::sepconv
  else
    without fortran 'convk.f90 from a package' 'Debian package gfortran'
  fi
  hw=scalar try 'convk::plain' consumes "$moved" -DCONSUMER_TARGET=convk::plain
  pkg_config 'pkg-config' "$p/moved/share/pkgconfig" convk
  hw=scalar pkg_config 'pkg-config, plain' "$p/moved/share/pkgconfig" convk-plain
  package_elsewhere
  commit "$p/clone"
  wants=-DCONSUMER_WANTS_FAMILY try 'FetchContent' consumes -DCONVK_GIT="file://$p/clone" -DCONSUMER_COMPONENTS=sepconv
  try 'FetchContent installs nothing' eval "cmake --install $p/consumer --prefix $p/nothing >/dev/null && [ ! -e $p/nothing ]"
  try 'all components' quiet cmake -S tests/consumer -B "$p/all" "$moved" -DCONSUMER_COMPONENTS="$families"
  for l in ${families//;/ }; do
    try "convk::$l" grep -q -e "-DCONVK_WITH_${l^^}=" "$p/all/CMakeFiles/consumer.dir/flags.make"
  done
  try 'an unknown component' refuses "no component abacus; there are: $families" cmake -S tests/consumer -B "$p/unknown" "$moved" -DCONSUMER_COMPONENTS='fft;abacus'
  try 'no library' refuses 'without -DCONVK_COMPILED=ON' cmake -S tests/consumer -B "$p/none" "$moved" -DCONSUMER_COMPONENTS=compiled
  total
}

# The compiled library: one family in one precision.
part_package_library() {
  need cmake cmake cmake
  package library
  local lib found file wants=-DCONSUMER_WANTS_COMPILED
  lib=lib/$($own_cc -print-multiarch 2>/dev/null) # where Debian has libraries
  local made=(cmake -S . -DCONVK_COMPILED=ON -DCONVK_FAMILIES=sepconv -DCONVK_PRECISIONS=f64 -DCMAKE_BUILD_TYPE=Debug)
  # a static one with OpenMP, which asks its users for OpenMP of C, and a shared one without, for C++
  library_of() { # KIND LANGUAGE OPTIONS...
    try "$1: configure" quiet "${made[@]}" -B "$p/$1" "${@:3}" -DCMAKE_INSTALL_LIBDIR="$lib" -DCMAKE_INSTALL_PREFIX="$p/prefix"
    try "$1: build" quiet cmake --build "$p/$1" --target install
    mv "$p/prefix" "$p/moved_$1"
    found=(-DCMAKE_PREFIX_PATH="$p/moved_$1")
    try "$1: find_package, $2" consumes "${found[@]}" -DCONSUMER_LANGUAGE="$2" -DCONSUMER_COMPONENTS=compiled
    LD_LIBRARY_PATH=$p/moved_$1/$lib pkg_config "$1: pkg-config" "$p/moved_$1/$lib/pkgconfig" convk-compiled
  }
  CC=$own_cc library_of static C -DBUILD_SHARED_LIBS=OFF -DCONVK_OPENMP=ON
  library_of shared "${languages##* }" -DBUILD_SHARED_LIBS=ON -DCONVK_OPENMP=OFF
  file=$(echo "$p"/moved_shared/$lib/libconvk.so.*.*.*)
  try 'OpenMP: in the library that shall have it' eval "nm '$p/moved_static/$lib/libconvk.a' | grep 'U GOMP_parallel' && ! nm -D '$file' | grep GOMP"
  try 'static: hidden from others' eval "! readelf -Ws '$p/moved_static/$lib/libconvk.a' | grep 'GLOBAL DEFAULT *[0-9]'"
  nm -D --defined-only "$file" >"$p/symbols.txt"
  try 'shared: functions are visible' grep -q ' T convk_magicfilter3d_f64$' "$p/symbols.txt"
  try 'shared: nothing else is' eval "! grep -v ' T convk_' '$p/symbols.txt'"
  try 'shared: programs look for its major and minor version' eval "readelf -d '$file' | grep -E 'SONAME.*\[libconvk\.so\.[0-9]+\.[0-9]+\]$'"
  wants+=' -DCONSUMER_WANTS_FAMILY'
  try 'made by the program' consumes -DCONVK_SOURCE="$top" -DBUILD_SHARED_LIBS=ON -DCONSUMER_LANGUAGE="${languages##* }" -DCONSUMER_COMPONENTS=compiled
  try 'of one family alone' eval "nm -D '$p/consumer/convk/libconvk.so' >'$p/symbols.txt' && grep ' T convk_open_' '$p/symbols.txt' && ! grep ' T convk_exp' '$p/symbols.txt'"
  if command -v x86_64-w64-mingw32-gcc >/dev/null; then
    x86_64-w64-mingw32-gcc -O0 -DCONVK_SHARED -DCONVK_WITH_SEPCONV -DCONVK_F64 -I. -c packaging/convk.c -o "$p/dll.o"
    x86_64-w64-mingw32-gcc -O0 -DCONVK_SHARED -DCONVK_DECLARE -I. -c tests/consumer/consumer.c -o "$p/exe.o"
    try 'a DLL exports' grep -ao 'export:"convk_magicfilter3d_f64"' "$p/dll.o"
    try 'a program imports' eval "nm '$p/exe.o' | grep 'U __imp_convk_magicfilter3d_f64$'"
  fi
  try 'a family that it does not hold' refuses 'made without fft; it holds: sepconv' \
    cmake -S tests/consumer -B "$p/without" "${found[@]}" -DCONSUMER_COMPONENTS='fft;compiled'
  try 'an unknown family' refuses 'there is no family abacus' "${made[@]}" -B "$p/unknown" -DCONVK_FAMILIES='fft;abacus'
  try 'an unknown precision' refuses 'there is no precision f16' "${made[@]}" -B "$p/unknown" -DCONVK_PRECISIONS=f16
  total
}

part_package_meson() {
  need meson meson meson
  package meson
  mkdir -p "$p/program/subprojects"
  cp tests/consumer/meson.build tests/consumer/consumer.c "$p/program"
  commit "$p/clone"
  printf '[wrap-git]\nurl = file://%s\nrevision = HEAD\n' "$p/clone" >"$p/program/subprojects/convk.wrap"
  built() { # NAME OPTIONS...: CFLAGS go into the program alone
    (cd "$p/program" && CFLAGS+=" ${wants:-}" quiet meson setup "$p/$1" "${@:2}") && quiet meson compile -C "$p/$1" && gives $best "$p/$1/consumer"
  }
  try 'a subproject that is fetched' built headers
  try 'the plain one is made' quiet meson compile -C "$p/headers" plain
  try 'the plain one' gives scalar "$p/headers/plain"
  try 'nothing is installed' eval "DESTDIR=$p/nothing meson install -C $p/headers >/dev/null && [ ! -e $p/nothing ]"
  local kind few='-Dconvk:families=sepconv -Dconvk:precisions=f64' wants='-DCONSUMER_WANTS_FAMILY -DCONSUMER_WANTS_COMPILED'
  for kind in static shared; do
    # shellcheck disable=SC2086
    try "the library, $kind" built $kind $few -Dconvk:compiled=true -Dconvk:default_library=$kind
  done
  try 'static: hidden from others' eval "! nm -D '$p/static/consumer' | grep ' T convk_'"
  try 'shared: its name has the version' eval "readelf -d '$p/shared/consumer' | grep 'NEEDED.*libconvk\.so\.[0-9]*\.[0-9]*\]'"
  try 'all families' quiet meson setup "$p/every" . -Dfamilies="${families//;/,}" --prefix "$p/prefix"
  try 'installed' quiet meson install -C "$p/every"
  try 'five headers' diff <(echo convk*.h) <(cd "$p/prefix/include" && echo convk*.h)
  wants='' pkg_config 'pkg-config' "$p/prefix/share/pkgconfig" convk
  wants='' hw=scalar pkg_config 'pkg-config, plain' "$p/prefix/share/pkgconfig" convk-plain
  CC=$own_cc try 'the library installed' eval "quiet meson setup '$p/installed' . -Dcompiled=true -Dfamilies=sepconv -Dprecisions=f64 -Dlibdir=lib \
    -Dopenmp=true --prefix '$p/prefix' && quiet meson install -C '$p/installed'"
  LD_LIBRARY_PATH=$p/prefix/lib pkg_config 'pkg-config of the library' "$p/prefix/lib/pkgconfig" convk-compiled
  try 'an unknown family' refuses abacus meson setup "$p/unknown" . -Dfamilies=abacus
  total
}

part_package_conan() {
  need cmake cmake cmake
  command -v conan >/dev/null || skip conan 'Python package conan'
  package conan
  export CONAN_HOME=$p/home
  [ "$CC" = clang ] || unset CC CXX # it knows gcc and clang by name
  quiet conan profile detect
  created() { # TEXT OPTIONS...: and what the program says
    conan create packaging/conan -s build_type=Debug -c tools.cmake.cmake_layout:test_folder="$p/test" "${@:2}" >"$p/said.txt" 2>&1 &&
      grep "^consumer: convk [0-9]*, $best: success" "$p/said.txt" && grep -qF -e "$1" "$p/said.txt" || { cat "$p/said.txt"; false; }
  }
  try 'headers' created 'CONSUMER_COMPONENTS="sepconv"'
  try 'what other tools than CMake get' grep -r --include=convk.pc '^Cflags:.* -DCONVK_SIMD=' "$p/test"
  try 'one package for all machines' eval "conan list 'convk/*:*' --format=json | grep -q da39a3ee5e6b4b0d3255bfef95601890afd80709" # of no settings
  try 'a shared library' created 'CONSUMER_COMPONENTS="sepconv;compiled"' -o 'convk/*:header_only=False' -o 'convk/*:shared=True' \
    -o 'convk/*:families=sepconv' -o 'convk/*:precisions=f64'
  try 'the tree is as it was' [ ! -e packaging/conan/test_package/build ]
  total
}

# Without vcpkg, Spack, conda and Compiler Explorer: their files, by stand-ins for what these offer.
part_package_recipes() {
  need cmake cmake cmake
  need cmake python3 python3
  package recipes
  local port=packaging/vcpkg/convk recipe=packaging/spack/spack_repo/convk/packages/convk/package.py feature options
  try 'vcpkg.json' quiet python3 -m json.tool $port/vcpkg.json
  cat >"$p/vcpkg.cmake" <<'END'
cmake_minimum_required(VERSION 3.19)
set(PORT convk)
macro(vcpkg_check_features)
  cmake_parse_arguments(check "" "OUT_FEATURE_OPTIONS" "FEATURES" ${ARGN})
  list(GET check_FEATURES 0 name)
  list(GET check_FEATURES 1 option)
  if(name IN_LIST FEATURES)
    set(${check_OUT_FEATURE_OPTIONS} -D${option}=ON)
  else()
    set(${check_OUT_FEATURE_OPTIONS} -D${option}=OFF)
  endif()
endmacro()
function(run)
  execute_process(COMMAND ${CMAKE_COMMAND} ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
function(vcpkg_cmake_configure)
  cmake_parse_arguments(arg "" "SOURCE_PATH" "OPTIONS" ${ARGN})
  run(-S ${arg_SOURCE_PATH} -B ${WORK}/build -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} -DCMAKE_INSTALL_LIBDIR=lib
    -DCONVK_FAMILIES=vmath -DCONVK_PRECISIONS=f64 -DCMAKE_BUILD_TYPE=Debug ${arg_OPTIONS})
endfunction()
function(vcpkg_cmake_install)
  run(--build ${WORK}/build --target install)
endfunction()
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(arg "" "CONFIG_PATH" "" ${ARGN})
  set(new ${CURRENT_PACKAGES_DIR}/share/${PORT})
  file(GLOB files ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/*)
  file(COPY ${files} DESTINATION ${new}) # beside what the package has there already
  file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH})
  file(READ ${new}/convk-targets.cmake text) # the prefix is one folder nearer
  string(REGEX REPLACE "(\nget_filename_component.[^\n]+)(\nget_filename_component.[^\n]+)(\nif.)" "\\1\\3" text "${text}")
  file(WRITE ${new}/convk-targets.cmake "${text}")
endfunction()
function(vcpkg_fixup_pkgconfig)
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(arg "" "" "FILE_LIST" ${ARGN})
  configure_file(${arg_FILE_LIST} ${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright COPYONLY)
endfunction()
include(${CURRENT_PORT_DIR}/portfile.cmake)
END
  for feature in core compiled; do
    try "vcpkg: $feature" quiet cmake -DFEATURES="core;$feature" -DWORK="$p/$feature" -DCURRENT_PORT_DIR="$top/$port" \
      -DCURRENT_PACKAGES_DIR="$p/$feature/package" -P "$p/vcpkg.cmake"
    try "vcpkg: $feature, its files" ls "$p/$feature"/package/{include/convk.h,share/convk/{convk-config.cmake,copyright,usage}}
  done
  try 'vcpkg: a program' consumes -DCMAKE_PREFIX_PATH="$p/core/package" -DCONSUMER_COMPONENTS=sepconv
  try 'vcpkg: headers alone' [ ! -e "$p/core/package/lib" ]
  try 'vcpkg: the library' ls "$p/compiled/package/lib/libconvk.a"

  # Spack's recipe is a class body of directives
  cat >"$p/spack.py" <<'END'
import re
import runpy
import sys
import types
from pathlib import Path


class CMakePackage:
    def define_from_variant(self, option, variant):
        assert variant in said["variant"], variant
        return f"-D{option}={'ON' if said['variant'][variant]['default'] else 'OFF'}"


said = {}
package = types.ModuleType("spack.package")
for name in ("license", "version", "variant", "depends_on"):
    setattr(package, name, lambda what, *more, name=name, **options: said.setdefault(name, {}).update({what: options}))
cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
cmake.CMakePackage = CMakePackage
for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["spack.package"] = package
sys.modules[cmake.__name__] = cmake

recipe = runpy.run_path(sys.argv[1])["Convk"]
assert recipe.__doc__ and "MIT" in said["license"] and "main" in said["version"]
assert Path(recipe.git[len("file://"):], "convk.h").is_file(), recipe.git
options = re.findall(r"^ *option\((\w+)", Path("CMakeLists.txt").read_text(), re.M) + ["BUILD_SHARED_LIBS"]
asked = recipe().cmake_args()
assert len(asked) == len(said["variant"]) and {a[2:].split("=")[0] for a in asked} <= set(options), asked
print(*asked, sep="\n")
END
  try 'Spack' eval "python3 -B '$p/spack.py' $recipe >'$p/spack.txt'"
  mapfile -t options <"$p/spack.txt"
  try 'Spack: it configures' quiet cmake -S . -B "$p/spack" "${options[@]}" -DCMAKE_INSTALL_PREFIX="$p/spack_prefix"
  try 'Spack: it installs' quiet cmake --install "$p/spack"
  try 'Spack: a program' consumes -DCMAKE_PREFIX_PATH="$p/spack_prefix" -DCONSUMER_COMPONENTS=sepconv
  try 'Spack, the repository' grep -q '^  namespace: convk$' ${recipe%/packages/*}/repo.yaml
  if python3 -c 'import yaml' 2>/dev/null; then package_yaml; else without yaml 'conda, Compiler Explorer' 'Debian package python3-yaml'; fi
  total
}
# conda's commands in an empty prefix, and the headers of a release where Compiler Explorer puts them.
package_yaml() {
  local l compiler hw=scalar conda=$p/conda
  mkdir -p "$conda/work" "$conda/check" "$conda/bin"
  cat >"$conda/read.py" <<'END'
import ast, io, re, sys, tarfile
import yaml
from pathlib import Path
sys.path.insert(0, "packaging")
from release import tarball

work = Path(sys.argv[1])
recipe = yaml.safe_load(Path("packaging/conda/recipe.yaml").read_text())
assert Path("packaging/conda", recipe["source"][0]["else"]["path"], "convk.h").is_file()
headers, module = recipe["outputs"]
contents, program = headers["tests"]
parts = {"build": headers["build"]["script"], "files": contents["package_contents"]["files"], "source": program["files"]["source"],
         "test": program["script"], "module": module["build"]["script"] + module["tests"][1]["script"]}
for name, lines in parts.items():
    (work / f"conda/{name}").write_text("\n".join(lines) + "\n")
project = Path("examples/python/pyproject.toml").read_text()
for key, of in {"requires": "host", "dependencies": "run"}.items():
    wanted = {one.replace(">=", " >=") for one in ast.literal_eval(re.search(rf"^{key} = (\[.*\])", project, re.M)[1])}
    assert all(one in module["requirements"][of] for one in wanted | {"python"}), (wanted, module["requirements"])

entry = yaml.safe_load(Path("packaging/compiler_explorer/libraries.yaml").read_text())["libraries"]["c++"]["convk"]
[version] = entry["targets"]
place, unpacked = (work / entry[key].replace("{{name}}", version) for key in ("dir", "untar_dir"))
tarfile.open(fileobj=io.BytesIO(tarball(f"convk-{version}", 0)), mode=f"r:{entry['compression']}").extractall(work)
place.parent.mkdir(parents=True)
unpacked.rename(place)
assert (place / entry["check_file"]).is_file(), entry
lines = Path("packaging/compiler_explorer/libs.properties").read_text().splitlines()
said = {key.removeprefix("libs.convk."): value for key, _, value in (line.partition("=") for line in lines if not line.startswith("#"))}
assert said["name"] == "convk" and said["versions"] == version.replace(".", ""), said
print(said[f"versions.{said['versions']}.path"].replace("/opt/compiler-explorer", str(work)))
END
  try 'conda, Compiler Explorer: what is asked for' eval "python3 -B '$conda/read.py' '$p' >'$p/path.txt'"
  tree | tar cf - -T - | tar xf - -C "$conda/work"
  try 'conda: headers' eval "(cd '$conda/work' && PREFIX='$conda/prefix' quiet bash -e ../build)"
  try 'conda: its files' diff <(sort "$conda/files") <(cd "$conda/prefix" && find . -type f | sed 's|^\./||' | sort)
  try 'conda: a program' eval "tar cf - -T '$conda/source' | tar xf - -C '$conda/check' && (cd '$conda/check' && PREFIX='$conda/prefix' gives $best bash -e ../test)"
  printf '#!/bin/sh\ncase $1 in -m) [ "$2" = pip ] && [ -f "$4/pyproject.toml" ];; *) python3 -c "import sys; compile(*sys.argv[1:])" "$2" -c exec;; esac\n' >"$conda/bin/python"
  chmod +x "$conda/bin/python"
  try 'conda: the Python package' eval "(cd '$conda/work' && PATH='$conda/bin:$PATH' PYTHON=python bash -e ../module)"
  [ $best != avx2 ] || hw=avx2
  for l in $languages; do
    if [ "$l" = C ]; then compiler="$own_cc -std=c99 -O2"; else compiler="$own_cxx -std=c++11 -O0 -x c++"; fi
    try "Compiler Explorer, $l: in ten seconds" eval "(ulimit -t 10 && $compiler -Wall -Wextra -Werror -I '$(cat "$p/path.txt")' packaging/compiler_explorer/example.c -o '$p/explored')"
    try "Compiler Explorer, $l: the program" eval "'$p/explored' | grep -x '$hw: success, 0.000710'"
  done
  try 'Compiler Explorer: one family, type and instruction set' eval "! nm '$p/explored' | grep -o 'convk_bind_.*_f.*' | grep -vx 'convk_bind_stencil_f64_\(avx2\|scalar\)_'"
}

# The files of a release.
part_dist() {
  need git python3 python3
  package dist
  commit "$p/one"
  git clone -q "$p/one" "$p/two"
  try 'it is made' quiet "$p/one/packaging/release.py" "$p/first"
  (umask 077 && find "$p/two" -name '*.h' -exec touch -d '2001-02-03' {} + && TZ=Asia/Tokyo "$p/two/packaging/release.py" "$p/second" >/dev/null)
  try 'the same bytes once more' diff -r "$p/first" "$p/second"
  try 'checksums' eval "(cd '$p/first' && sha256sum --quiet -c SHA256SUMS && [ \$(wc -l <SHA256SUMS) = 21 ])"
  local f folder
  folder=convk-$(sed -n '/^## \[[0-9]/{s/^## \[\(.*\)\].*/\1/p;q}' CHANGELOG.md)
  printf "$folder/%s\n" LICENSE README.md convk{,_avx,_cl,_cuda,_neon,_sse}.h >"$p/wanted.txt"
  for f in tar.gz zip; do
    mkdir "$p/$f"
    python3 -c 'import shutil, sys; shutil.unpack_archive(*sys.argv[1:])' "$p/first/$folder.$f" "$p/$f"
    try "$f: what is in it" diff "$p/wanted.txt" <(cd "$p/$f" && find . -type f | sed 's|^\./||' | sort)
    try "$f: as it is here" eval "for h in LICENSE convk*.h; do cmp \$h '$p/$f/$folder'/\$h || exit 1; done"
  done
  try 'nobody owns it' eval "! tar tvf '$p/first/$folder.tar.gz' --numeric-owner | grep -v '^-rw-r--r-- 0/0 '"
  # the ten lines of its manual
  sed -n '/^ *IN TEN LINES/,/^ *cc /{/IN TEN LINES/d;/^ *cc /d;p;}' "$p/tar.gz/$folder/convk.h" >"$p/lines.c"
  try 'its ten lines' eval "grep -q convk_open '$p/lines.c' && (cd '$p' && $CC -std=c99 $CFLAGS -I '$p/tar.gz/$folder' -c lines.c -o lines.o)"
  mkdir "$p/source"
  tar xf "$p/first/$folder-source.tar.gz" -C "$p/source"
  for f in conda/recipe.yaml compiler_explorer/libraries.yaml; do
    try "$f: its file" [ -f "$p/first/$(sed -n "/ url: /{s#.*/##;s#'##;s#\${{ version }}\|{{name}}#${folder#convk-}#g;p}" packaging/$f)" ]
  done
  try 'the sources' diff -r --exclude=.git --exclude=build "$p/one" "$p/source/$folder"

  # everything that it refuses, at once
  echo >>"$p/two/README.md"
  touch "$p/two/new"
  echo >>"$p/two/convk_cl.h"
  sed -i 's/VERSION_PATCH [0-9]*/VERSION_PATCH 77/' "$p/two/src/core/configuration.h"
  sed -i 's|address: "|&https://example.org|;s|url=|&https://example.org|' "$p"/two/packaging/{conda/recipe.yaml,compiler_explorer/lib*}
  ! "$p/two/packaging/release.py" "$p/none" 2>"$p/versions.txt"
  try 'it is not made' [ ! -e "$p/none" ]
  for f in 'not committed:  M README.md' 'not committed: ?? new' 'convk_cl.h is not what src/ makes: make headers'; do
    try "$f" grep -xF "$f" "$p/versions.txt"
  done
  for f in recipe.yaml libraries.yaml libs.properties; do
    try "the address in $f" grep "$f names the address https://example.org, and .* none$" "$p/versions.txt"
  done
  for f in meson.build vcpkg.json package.py recipe.yaml libraries.yaml libs.properties CHANGELOG.md CITATION.cff codemeta.json; do
    try "a version in $f" grep "$f names version [0-9.]*, and .*\.77$" "$p/versions.txt"
  done
  total
}
