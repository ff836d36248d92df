# What the Makefile notices and says, by a compiler that only writes its command down: sourced by run.sh.

part_make() {
  local d=$PWD/$out/make tool
  rm -rf "$d"
  mkdir -p "$d/bin" "$d/tree"
  ln -s "$PWD"/{convk*.h,examples,tests} "$d/tree"
  cp Makefile "$d/tree"
  for tool in make mkdir cmp cat chmod; do ln -s "$(command -v $tool)" "$d/bin"; done # and no nvcc, mpicc, pkg-config, ...
  cat >"$d/bin/cc" <<'END'
#!/bin/sh
case "$* " in
  *CL/cl.h*) [ -e "$FOUND/opencl" ] ;;
  *'-x c '*) false ;;
  *)
    all="$0 $*"
    echo "$all" >>"$FOUND/log"
    while [ "$1" != -o ]; do shift; done
    printf '#!/bin/sh\ncat <<\\END\nmade by %s\nEND\n' "$all" >"$2"
    chmod +x "$2"
    ;;
esac
END
  chmod +x "$d/bin/cc"
  cp "$d/bin/cc" "$d/bin/other-cc"
  with() { # ARGUMENTS...: make in that tree
    (cd "$d/tree" && env -i PATH="$d/bin" FOUND="$d" LC_ALL=C make "$@") >"$d/out" 2>&1
  }
  says() { grep -e "$1" "$d/out" || { cat "$d/out" && false; }; }
  made_by() { with "${@:2}" && says "^made by .*$1"; } # WHAT ITS COMMAND HAS, ARGUMENTS...
  compiled() { [ "$(wc -l <"$d/log")" = "$1" ]; }
  refused() { # WHAT IT SAYS, ARGUMENTS...
    ! with "${@:2}" && says "$1"
  }
  try 'a first time' made_by 'O2 -I' demo CC=cc
  try 'nothing to do' with build/demo CC=cc
  try 'and nothing done' compiled 1
  touch "$d/opencl"
  try 'OpenCL appears' made_by '-DCONVK_CL .*-lOpenCL' demo HW=opencl CC=cc
  rm "$d/opencl"
  try 'OpenCL disappears' made_by 'O2 -I.*demo -lm' demo CC=cc
  printf '#!/bin/sh\necho -lpng\n' >"$d/bin/pkg-config"
  chmod +x "$d/bin/pkg-config"
  try 'libpng appears' made_by 'EXAMPLE_HAVE_PNG.*-lpng' demo CC=cc
  try 'other flags' made_by 'O3' demo CC=cc CFLAGS=-O3
  try 'flags with blanks' made_by 'DNAME=a b' demo CC=cc CFLAGS="-DNAME='a b'"
  try 'another compiler' made_by 'other-cc' demo CC=other-cc
  compiled 7 || try 'compiled as often as needed' false
  try 'another program' made_by 'heat.c' heat CC=other-cc
  try 'nothing to do again' with build/demo build/heat CC=other-cc
  try 'and nothing done again' compiled 8
  touch "$d/tree/Makefile"
  try 'another Makefile' made_by 'heat.c' heat CC=other-cc

  for target in 'demo HW=opencl' 'helium HW=opencl:1' gpu-opencl bench-opencl; do
    try "$target without OpenCL" refused 'opencl-headers ocl-icd-opencl-dev' $target CC=cc
  done
  try 'gpu without nvcc' refused 'build/gpu: there is no nvcc: Debian package nvidia-cuda-toolkit' gpu CC=cc
  try 'bench-cuda without nvcc' refused 'no nvcc: Debian package nvidia-cuda-toolkit' bench-cuda CC=cc
  try 'audit-cuda without nvcc' refused 'no nvcc: Debian package nvidia-cuda-toolkit' audit-cuda CC=cc
  try 'audit-opencl without clang' refused 'no clang: Debian package clang' audit-opencl CC=cc
  try 'count-cuda without clang++' refused 'no clang++: Debian package clang' count-cuda CC=cc
  try 'mpi without mpicc' refused 'no mpicc: Debian package libopenmpi-dev openmpi-bin, or libmpich-dev mpich' mpi CC=cc
  try 'bench without MKL' refused 'there is no MKL in /nowhere' bench MKL=/nowhere CC=cc
  total
}
