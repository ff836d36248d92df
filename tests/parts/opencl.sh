# Other OpenCLs than PoCL: Oclgrind, an interpreter that looks for races, and Intel's runtime for processors.  Sourced by run.sh.
features+=' oclgrind opencl-intel'
rm -f build/test/golden_watched build/test/golden_any_size

wrap=-Wl,--wrap=clBuildProgram,--wrap=clEnqueueNDRangeKernel,--wrap=clCreateBuffer
# golden.c with what tests/opencl_options.c and opencl_watch.c do, made once: whoever comes second waits.
watched() { # PROGRAM FLAGS
  local objects=''
  # shellcheck disable=SC2086
  (
    flock 9
    [ ! -x $out/$1 ] || exit 0
    if [ $# = 1 ]; then # with the library as other parts have it
      objects=$(opencl_objects) || exit
      libraries=-lOpenCL golden_of $out/$1 "$objects" $CC $cl tests/opencl_options.c tests/opencl_watch.c $wrap
    else
      $CC ${c99/$cpu/} -O0 $cl $2 tests/golden.c tests/opencl_options.c tests/opencl_watch.c $wrap -o $out/$1 -lOpenCL -lm
    fi
  ) 9>$out/$1.lock
}
# Programs of transforms that are made for any size.
any_size='-DCONVK_CL_SPECIAL_=0 -DCONVK_WITH_FFT -Wno-type-limits'

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

# Under Oclgrind, as a GPU: the golden bits, and nothing to say.  Its optimiser gives wrong bits.
interpreted() { # NAME, PROGRAM, AND ITS ARGUMENTS
  local log=$out/oclgrind_$1.txt
  rm -f $log
  CONVK_OPENCL_MORE=-cl-opt-disable CONVK_REQUIRE=opencl-gpu run oclgrind --data-races --max-errors 1000000 --log $log \
    "${@:2}" --hw opencl-gpu || return 1
  [ ! -s $log ] || { head -n 30 $log; return 1; }
}

part_oclgrind() {
  need oclgrind oclgrind oclgrind
  there oclgrind convk_cl.h
  watched golden_watched || skip oclgrind 'Debian packages opencl-headers ocl-icd-opencl-dev'
  local kernels=$out/oclgrind_kernels.txt options=$out/oclgrind_options.txt
  rm -f $kernels $options
  export CONVK_OPENCL_KERNELS=$kernels CONVK_OPENCL_OPTIONS=$options
  try 'small cases' interpreted small $out/golden_watched --small
  # shellcheck disable=SC2086
  $CC -std=c99 -D_GNU_SOURCE $warn -O1 -I. $cl -DCONVK_DECLARE tests/test_sum_there.c tests/opencl_options.c tests/opencl_watch.c $(opencl_objects) \
    $wrap -o $out/segments -lOpenCL -lm -pthread
  try 'segments in device memory' interpreted segments $out/segments segments
  try 'every kernel' every_kernel $kernels $options
  watched golden_any_size "$any_size"
  try 'transforms of any size' interpreted any_size $out/golden_any_size --filter 'fftconv2d_f64 fft-64x35 '
  times
  [ -n "$long" ] || { total; return; }
  try 'small transforms of any size' interpreted any_size $out/golden_any_size --small
  for f in 49x50 21x512; do
    try "fft-$f, of any size" interpreted fft-$f $out/golden_any_size --filter "fftconv2d_f64 fft-$f "
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
  watched golden_watched || skip opencl-intel 'Debian packages opencl-headers ocl-icd-opencl-dev'
  intel_runtime
  local short=--quick few='--filter fft-49x50'
  [ -n "$long" ] || short+=' --filter _f64'
  [ -z "$long" ] || short= few=
  export CONVK_REQUIRE=opencl,opencl-gpu
  # as a GPU, whose ways Oclgrind runs without an optimiser; PoCL runs those of a processor
  try 'golden bits' run $out/golden_watched $short $([ -n "$long" ] || echo --hw opencl-gpu)
  try 'sums that an optimiser may reorder' run $out/golden_watched --filter _f64\ epilogue-density-dot-potential-energy-alone
  watched golden_any_size "$any_size"
  try 'transforms of any size' run $out/golden_any_size $few --hw opencl-gpu
  times
  total
}

# What a call only writes does not decide on what it writes: all small cases with NaN (at length 0 and -6e8, too) in new buffers, and a
# first call of sweeps of walkers on arrays of a device.
part_opencl_unset() {
  opencl unset
  local fill
  watched golden_watched
  for fill in ${long:+0 193} 255; do
    try "small cases in buffers of bytes $fill" env CONVK_OPENCL_FILL=$fill CONVK_OPENCL_MORE=-cl-opt-disable CONVK_REQUIRE=opencl-gpu $out/golden_watched --small --hw opencl-gpu
  done
  # programs that declare the library, by OpenCL, not optimised, and by CUDA
  local name single
  export CONVK_OPENCL_MORE=-cl-opt-disable
  for name in unset pairs_there box_there sum_there gaussian_there; do
    single=$([ $name != gaussian_there ] || echo -DSINGLE)
    # shellcheck disable=SC2046,SC2086
    try "$name, OpenCL: it is made" $CC -std=c99 -D_GNU_SOURCE $warn -O1 -I. $cl -DCONVK_DECLARE $single tests/test_$name.c tests/opencl_options.c \
      $(opencl_objects) -Wl,--wrap=clBuildProgram -o $out/$name -lOpenCL -lm -pthread
    try "$name, OpenCL" run $out/$name
    if command -v "$CXX" >/dev/null; then
      try "$name, CUDA: it is made" emulated $out/${name}_cuda tests/test_$name.c
      try "$name, CUDA" run $out/${name}_cuda
    else
      without cuda-emulated "$name, CUDA" 'Debian package g++'
    fi
  done
  # shellcheck disable=SC2046,SC2086
  try 'planes far apart: it is made' $CC -std=gnu99 $warn -O1 -I. $cl -DCONVK_DECLARE tests/test_pitches.c tests/opencl_options.c \
    $(opencl_objects) -Wl,--wrap=clBuildProgram -o $out/pitches_opencl -lOpenCL -lm -pthread
  try 'planes far apart' env HW=opencl timeout 600 $out/pitches_opencl
  total
}

part_barriers_opencl() {
  need oclgrind oclgrind oclgrind
  python3 tests/barriers_opencl.py
}
