# OpenCL: PoCL, the host side, and what clang makes of kernels for others: sourced by run.sh.

# What differs from CUDA, whose host side is the same text: shapes beside the edges of groups and tiles, arrays on the device, parts of
# work, handles.  What kernels compute golden bits have, too.  Every program takes PoCL its time: not optimised, which golden_opencl is.
part_opencl() {
  opencl harness
  local more=-cl-opt-disable special=-DOPENCL_SPECIAL=64 # one program for any size of transforms takes longer than these
  local few=(--filter open.names,open.memory,core.,.shapes,.special,resident,cuts,concurrent,control,energy.few,moves,accepts)
  [ -z "$long" ] || more='' special='' few=()
  $CC -w $special tests/opencl_options.c $(opencl_objects --harness --units -O0) -Wl,--wrap=clBuildProgram -o $out/opencl -lOpenCL -lm -pthread
  rm -f $out/options.txt
  CONVK_OPENCL_OPTIONS=$out/options.txt CONVK_OPENCL_MORE=$more CONVK_REQUIRE=$(among opencl) run $out/opencl $brief --hw opencl "${few[@]}"
  opencl_text
}
# Every source with every set of options that was built, but for other numbers than 0 and 1, by a compiler with all its warnings.
opencl_text() {
  local file options
  if ! command -v clang >/dev/null; then
    without clang 'OpenCL kernels by clang' 'Debian package clang'
    total
    return
  fi
  while read -r file options; do
    options=${options/-cl-fp32-correctly-rounded-divide-sqrt/}
    try "$file $options" clang -x cl -cl-std=CL1.2 -Wall -Werror -fsyntax-only -Isrc $options src/"$file"
  done < <(awk '{ key = $0; gsub(/=(0x[0-9a-f]+|[2-9]|[1-9][0-9]+)/, "=N", key) } !seen[key]++' $out/options.txt)
  [ $tried -gt 50 ] || try 'options were written down' false
  total
}

# PoCL builds a program for every filter, size and option: one case of 24 here, of one type, on a processor; opencl_intel has the other, on
# what says that it is a GPU.
part_golden_opencl() {
  opencl golden
  watched
  # shellcheck disable=SC2046
  golden $out/golden_watched --quick $([ -n "$long" ] || echo --hw opencl --filter _f32)
  try 'in parts of few bytes' golden $out/golden_watched --hw opencl --quick --device-bytes 60000 --filter _f32
}

# A device whose groups are small, kernels whose groups are smaller, 3 groups along y, and no more local memory than there is: the same
# bits.  (Sums over pairs have an order of the device's.  Groups of one item a processor has.)
part_opencl_limits() {
  opencl limits
  local f some=-DCONVK_F64
  local wrap=-Wl,--wrap=clGetDeviceInfo,--wrap=clGetKernelWorkGroupInfo,--wrap=clEnqueueNDRangeKernel,--wrap=clSetKernelArg
  [ -z "$long" ] || some=
  for f in SEPCONV STENCIL VMATH GAUSSIAN FORMFACTOR AMPLITUDES; do some+=" -DCONVK_WITH_$f"; done
  libraries=-lOpenCL golden_of $out/opencl_limits "$(opencl_objects)" $quick_cc $cl $some -DOPENCL_LIMITS_GROUPS_Y=3 tests/opencl_limits.c \
    tests/opencl_options.c $wrap,--wrap=clBuildProgram
  [ -n "$long" ] || export CONVK_OPENCL_MORE=-cl-opt-disable # limits are asked for by the host
  export CONVK_OPENCL_GROUPS_Y=3 CONVK_OPENCL_LOCAL=32768 # which is what tests/golden.c says of it
  for f in '128 32' ${long:+'64 64' '1 1'}; do
    read -r device kernel <<<"$f"
    try "groups of $device, and $kernel of a kernel" \
      env CONVK_OPENCL_ITEMS=$device CONVK_OPENCL_KERNEL_ITEMS=$kernel CONVK_REQUIRE= \
      timeout --foreground 1500 $out/opencl_limits --quick --hw opencl-gpu
  done
  total
}

# The host side on devices that are not here, which run nothing; and programs that are saved and shared on one that is.
part_opencl_host() {
  there opencl convk_cl.h
  echo '#include <CL/cl.h>' | $CC -E - >/dev/null 2>&1 || skip opencl 'Debian package opencl-headers'
  $quick_cc -std=gnu99 $warn -O0 -I. tests/test_opencl_host.c tests/bench/audit/opencl_device.c -o $out/opencl_host -lm
  run $out/opencl_host
}
part_opencl_programs() {
  opencl programs
  $quick_cc ${c99/$cpu/} -O0 $cl tests/test_opencl_programs.c -Wl,--wrap=clCreateProgramWithSource -o $out/opencl_programs -lOpenCL -lm -pthread
  POCL_CACHE_DIR=$out/opencl_programs.cache run $out/opencl_programs
}

# What clang makes of the OpenCL kernels for AMD's processors: nothing in memory that belongs in registers, and no more of those than
# there were.
part_audit_opencl() {
  there opencl convk_cl.h
  need clang clang clang
  need clang python3 python3
  [[ $(clang --print-targets) == *amdgcn* ]] || skip clang 'a clang that has the target amdgcn'
  [[ $(clang --version) == *'version 14.'* ]] || skip clang 'clang 14, as in Debian 12: others count other registers'
  $CC -include CL/cl.h -DCL_TARGET_OPENCL_VERSION=120 -fsyntax-only -x c /dev/null || skip opencl 'Debian package opencl-headers'
  local one='T=double'
  [ -z "$long" ] || one=
  python3 tests/bench/audit/audit_opencl.py --target gfx90a --filter "$one" --jobs 1 --compare tests/bench/audit/opencl.json
}
