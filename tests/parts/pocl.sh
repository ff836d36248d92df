# OpenCL: PoCL, the host side, and what clang makes of kernels for others: sourced by run.sh.

# Every filter makes a program, and PoCL takes its time to build it: brief, and not optimised, which golden_opencl is.
part_opencl() {
  opencl harness
  local more=-cl-opt-disable less='--skip fft.sizes,fft.large,fft.small,fft.batches,pair_energy.wants,pair_energy.sizes,vmc.parts.,vmc.bits,formfactor.exact_series,tune.devices'
  less+=,fft.threads,formfactor.exact_automatic,formfactor.exact_solids,formfactor.forms,pair_energy.scales,pair_energy.coincident
  less+=,vmc.model,vmc.averages,vmc.density,vmc.alone,tune.search_there,tuned_read.,sepconv3d.work_monotone,dwt3d.work_monotone,stencil7.work_size.,orbitals_grid.chain
  # many programs of numbers alone, which golden bits have, too; tunings and statistics, which CUDA has; and what the host alone does
  [ -z "$long" ] || more='' less=''
  $CC -w tests/opencl_options.c $(opencl_objects --harness --units -O0) -Wl,--wrap=clBuildProgram -o $out/opencl -lOpenCL -lm -pthread
  rm -f $out/options.txt
  CONVK_OPENCL_OPTIONS=$out/options.txt CONVK_OPENCL_MORE=$more CONVK_REQUIRE=$(among opencl) run $out/opencl $brief --hw opencl $less
  opencl_text
}
# Every source with every set of options that was built, by a compiler with all its warnings.
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
  done < <(sort -u $out/options.txt)
  [ $tried -gt 50 ] || try 'options were written down' false
  total
}

# PoCL builds a program for every filter, size and option: one case of 24 here, of one type; opencl_intel has the other.
part_golden_opencl() {
  opencl golden
  libraries=-lOpenCL golden_of $out/golden_opencl "$(opencl_objects)" $CC $cl
  # shellcheck disable=SC2046
  golden $out/golden_opencl --quick $([ -n "$long" ] || echo --filter _f32)
  try 'in parts of few bytes' golden $out/golden_opencl --hw opencl --quick --device-bytes 60000 --filter _f32
}

# Devices whose groups are small, kernels whose groups are smaller, 3 groups along y, and no more local memory than there is: the same bits.
# (Sums over pairs have an order of the device's.)
part_opencl_limits() {
  opencl limits
  local f some=-DCONVK_F64
  local wrap=-Wl,--wrap=clGetDeviceInfo,--wrap=clGetKernelWorkGroupInfo,--wrap=clEnqueueNDRangeKernel,--wrap=clSetKernelArg
  [ -z "$long" ] || some=
  for f in SEPCONV STENCIL VMATH GAUSSIAN FORMFACTOR; do some+=" -DCONVK_WITH_$f"; done
  libraries=-lOpenCL golden_of $out/opencl_limits "$(opencl_objects)" $CC $cl $some -DOPENCL_LIMITS_GROUPS_Y=3 tests/opencl_limits.c \
    tests/opencl_options.c $wrap,--wrap=clBuildProgram
  [ -n "$long" ] || export CONVK_OPENCL_MORE=-cl-opt-disable # limits are asked for by the host
  export CONVK_OPENCL_GROUPS_Y=3 CONVK_OPENCL_LOCAL=32768 # which is what tests/golden.c says of it
  for f in '64 64' '128 32' '1 1'; do
    read -r device kernel <<<"$f"
    try "groups of $device, and $kernel of a kernel" \
      env CONVK_OPENCL_ITEMS=$device CONVK_OPENCL_KERNEL_ITEMS=$kernel CONVK_REQUIRE= timeout --foreground 1500 $out/opencl_limits --quick --hw opencl-gpu
  done
  total
}

# The host side on devices that are not here, which run nothing; and programs that are saved and shared on one that is.
part_opencl_host() {
  there opencl convk_cl.h
  echo '#include <CL/cl.h>' | $CC -E - >/dev/null 2>&1 || skip opencl 'Debian package opencl-headers'
  $CC -std=gnu99 $warn $CFLAGS -O1 -I. tests/test_opencl_host.c tests/bench/audit/opencl_device.c -o $out/opencl_host -lm
  run $out/opencl_host
}
part_opencl_programs() {
  opencl programs
  $CC ${c99/$cpu/} $CFLAGS -O1 $cl tests/test_opencl_programs.c -Wl,--wrap=clCreateProgramWithSource -o $out/opencl_programs -lOpenCL -lm -pthread
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
