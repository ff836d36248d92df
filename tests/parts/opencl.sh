# Other OpenCLs than PoCL: Oclgrind, an interpreter that looks for races, and Intel's runtime for processors.  Sourced by run.sh.
features+=' oclgrind opencl-intel'
rm -f build/test/golden_watched

wrap=-Wl,--wrap=clBuildProgram,--wrap=clEnqueueNDRangeKernel,--wrap=clCreateBuffer
# golden.c with what tests/opencl_options.c and opencl_watch.c do, made once: whoever comes second waits.
watched() {
  local objects
  (
    flock 9
    [ ! -x $out/golden_watched ] || exit 0
    objects=$(opencl_objects) || exit
    # shellcheck disable=SC2086
    libraries=-lOpenCL golden_of $out/golden_watched "$objects" $quick_cc $cl tests/opencl_options.c tests/opencl_watch.c $wrap
  ) 9>$out/golden_watched.lock
}
# A program that only declares the library, with OpenCL: declared PROGRAM FLAGS AND SOURCES...
declared() {
  # shellcheck disable=SC2046
  $quick_cc -std=gnu99 $warn -O0 -I. $cl -DCONVK_DECLARE "${@:2}" tests/opencl_options.c tests/opencl_watch.c $(opencl_objects) $wrap \
    -o "$1" -lOpenCL -lm -pthread
}

# Every kernel of the sources was enqueued, and transforms in each of their ways.
every_kernel() { # FILE OF KERNELS, FILE OF OPTIONS
  local name missing='' shape='(__attribute__\(\([^;{]*\)\)\) *|SHAPE +)?'
  for name in $(cat src/*/*kernel.cl | tr '\n' ' ' | grep -oE "\bkernel +${shape}void +[a-z0-9_]+" | grep -oE '[a-z0-9_]+$'); do
    grep -qx "$name" "$1" || missing+=" $name"
  done
  for name in $(grep -ohE 'FFT_(WHOLE|COLUMNS|LINES|BACK)\b' src/fft/kernel.cl | sort -u); do
    grep -q -- "-D$name " "$2" || missing+=" $name"
  done
  [ -z "$missing" ] || { echo "not run:$missing"; return 1; }
}

# Under Oclgrind, as a GPU: the golden bits, and nothing to say.  Its optimiser gives wrong bits; a little of clang's does not.  What a
# call only writes does not decide on what it writes: new buffers are full of NaN.
interpreted() { # NAME, PROGRAM, AND ITS ARGUMENTS
  local log=$out/oclgrind_$1.txt short=yes
  [ -z "$long" ] || short=
  rm -f $log
  CONVK_OPENCL_FILL=${fill:-255} CONVK_OPENCL_MORE=-cl-opt-disable CONVK_OPENCL_SHORT=$short CONVK_REQUIRE=opencl-gpu \
    run oclgrind --data-races --max-errors 1000000 --log $log "${@:2}" --hw opencl-gpu || return 1
  [ ! -s $log ] || { head -n 30 $log; return 1; }
}

part_oclgrind() {
  need oclgrind oclgrind oclgrind
  there oclgrind convk_cl.h
  watched || skip oclgrind 'Debian packages opencl-headers ocl-icd-opencl-dev'
  local f fill='' kernels=$out/oclgrind_kernels.txt options=$out/oclgrind_options.txt
  rm -f $kernels $options
  export CONVK_OPENCL_KERNELS=$kernels CONVK_OPENCL_OPTIONS=$options
  try 'small cases' interpreted small $out/golden_watched --small
  # 16x9 and 8x9 where they do not fit into local memory
  try 'transforms in parts' interpreted parts $out/golden_watched --small --filter x9 --local-bytes 1024
  declared $out/segments tests/test_sum_there.c
  try 'segments in device memory' interpreted segments $out/segments segments
  try 'every kernel' every_kernel $kernels $options
  try 'transforms of any size' interpreted any_size $out/golden_watched --filter 'fftconv2d_f64 fft-8x9 ' --local-bytes 1024 --any-size
  times
  [ -n "$long" ] || { total; return; }
  try 'small transforms of any size' interpreted any_size $out/golden_watched --any-size --small --filter fft
  for f in 49x50 21x512 64x35; do
    try "fft-$f, of any size" interpreted fft-$f $out/golden_watched --any-size --filter "fftconv2d_f64 fft-$f "
  done
  for fill in 0 193; do # of which 193 is -6e8
    try "small cases in buffers of bytes $fill" interpreted small $out/golden_watched --small
  done
  total
}

# Intel's runtime is not free: it is fetched as Python packages, unpacked below build/, and never part of what convk ships.
intel_runtime() { # sets OCL_ICD_VENDORS and LD_LIBRARY_PATH
  local there=build/intel_opencl lib
  flock build/intel_opencl.lock bash -c "
    [ -f $there/unpacked ] && exit
    mkdir -p $there/wheels
    ls $there/wheels/intel_opencl_rt*.whl >/dev/null 2>&1 ||
      timeout 500 python3 -m pip download -q --no-deps -d $there/wheels -r tests/opencl_intel.txt || exit
    for w in $there/wheels/*.whl; do python3 -m zipfile -e \$w $there || exit; done
    touch $there/unpacked" >$out/intel_fetch.txt 2>&1
  lib=$(ls $PWD/$there/intel_opencl_rt*/data/lib/libintelocl.so 2>/dev/null) && [ -f $there/unpacked ] ||
    skip opencl-intel "Python packages $(tr '\n' ' ' <tests/opencl_intel.txt)(python3 -m pip download): $(tail -n 1 $out/intel_fetch.txt)"
  mkdir -p $there/vendors
  echo "$lib" >$there/vendors/intel.icd
  export OCL_ICD_VENDORS=$PWD/$there/vendors LD_LIBRARY_PATH
  LD_LIBRARY_PATH=$(printf '%s:' $PWD/$there/*/data/lib)
}

part_opencl_intel() {
  there opencl-intel convk_cl.h
  watched || skip opencl-intel 'Debian packages opencl-headers ocl-icd-opencl-dev'
  intel_runtime
  local short=(--quick) any='fft2d_c64 7x8-forward ' # those of convolutions, and in parts, take it long
  [ -n "$long" ] || short+=(--filter _f64 --hw opencl-gpu)
  [ -z "$long" ] || short=() any=fft
  export CONVK_REQUIRE=opencl,opencl-gpu
  # as a GPU, whose ways Oclgrind runs without an optimiser; PoCL runs those of a processor
  try 'golden bits' run $out/golden_watched "${short[@]}"
  try 'sums that an optimiser may reorder' run $out/golden_watched --filter _f64\ epilogue-density-dot-potential-energy-alone
  try 'transforms of any size' run $out/golden_watched --any-size --filter "$any" --hw opencl-gpu
  times
  total
}

# Arrays on a device, by programs that declare the library: by OpenCL, not optimised, and by CUDA.  test_unset.c: a first call of sweeps
# of walkers does not depend on what it only writes (of calls on host arrays Oclgrind tells that).
part_opencl_unset() {
  opencl unset
  local name single
  export CONVK_OPENCL_MORE=-cl-opt-disable
  for name in unset pairs_there box_there sum_there gaussian_there distances_there amplitudes_there fft_there; do
    single=$([ $name != gaussian_there ] || echo -DSINGLE)
    # shellcheck disable=SC2086
    try "$name, OpenCL: it is made" declared $out/$name $single -DOPENCL_GROUPS_Y=5 tests/test_$name.c # lines of groups take several launches
    try "$name, OpenCL" run $out/$name ${long:+all}
    if command -v "$CXX" >/dev/null; then
      try "$name, CUDA: it is made" emulated $out/${name}_cuda tests/test_$name.c
      try "$name, CUDA" run $out/${name}_cuda ${long:+all}
    else
      without cuda-emulated "$name, CUDA" 'Debian package g++'
    fi
  done
  try 'planes far apart: it is made' declared $out/pitches_opencl tests/test_pitches.c
  try 'planes far apart' env HW=opencl timeout 600 $out/pitches_opencl
  total
}

part_barriers_opencl() {
  need oclgrind oclgrind oclgrind
  python3 tests/barriers_opencl.py
}
