#!/bin/bash
# The first half hour on a machine with an NVIDIA GPU, as one command, the most valuable first:
#   tests/gpu_first.sh [--dry-run] [--minutes N] [--limit SECONDS] [--steps NAME,...] [--again] OUT
# Wanted are nvcc with a compiler for the host, bash, awk and coreutils; make, Python and a network are not.  What else is found is
# used: compute-sanitizer, ncu, cuFFT, OpenCL.  Nothing of the GPU's settings is touched.
# All together takes at most 25 minutes (--minutes), and no step more than its own limit, or --limit.  In OUT: summary.txt, a line for
# each step as soon as it is over; a log for each step; results.json, what was measured; build/, what compilers said.  Programs stay in
# build/gpu_first and are made again when sources are newer or with --again, so that a second call with other --steps goes on at once.
# A step that fails or is killed takes nothing from those after it.  Status 0: no step failed.
#   machine   the GPU, its driver, and nvcc
#   golden    bits of all families, of both types, as tests/golden.txt has them
#   whole     every element of large arrays, beside those of the processor (tests/whole_arrays.cpp)
#   sanitize  compute-sanitizer: races, memory, barriers, values never set; first each on a fault that it has to notice
#   bench     rates beside those that are predicted from machine code (tests/bench/bench_cuda.cu, a program a family)
#   rivals    calls beside what users would take instead, where Python has PyTorch (tests/bench/rivals_cuda.py)
#   calls     graphs, streams, threads, events that are not ready (tests/test_cuda_calls.cpp, examples/gpu.cu)
#   host      host arrays, pageable and pinned (tests/bench/host_arrays.cu)
#   ncu       what the warps of the longest kernel of each call wait for
#   cufft     fftconv2d beside cuFFT: in the environment CUFFT=PREFIX says where, if not beside nvcc
#   opencl    the bits of all families by NVIDIA's OpenCL
#   harness   the test program on the device, with what time is left
# --dry-run: the same steps on programs of the tests' emulator, of few families and small sizes, without a GPU.
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C PATH=$PATH:/usr/local/cuda/bin CONVK_RACES=no # the emulator does not see all accesses of float
unset CONVK_HW CONVK_REQUIRE
here=tests/gpu_first.sh
all='machine golden whole sanitize bench rivals calls host ncu cufft opencl harness'
usage() { sed -n '3s/^# *//p' $here && exit 2; }

# ---- arguments, and what the steps know of them ----

if [ -z "${gpu_first_step:-}" ]; then
  export dry='' again='' minutes=25 longest=100000 steps=$all out=''
  while [ $# -gt 0 ]; do
    case $1 in
      --dry-run) dry=1 ;;
      --again) again=yes ;;
      --minutes) minutes=${2:-} && shift ;;
      --limit) longest=${2:-} && shift ;;
      --steps) steps=${2:-} && steps=${steps//,/ } && shift ;;
      -*) usage ;;
      *) [ -z "$out" ] && out=$1 || usage ;;
    esac
    shift || usage
  done
  [[ -n $out && $minutes =~ ^[1-9][0-9]{0,3}$ && $longest =~ ^[1-9][0-9]{0,5}$ && -n $steps ]] || usage
  for s in $steps; do [[ " $all " == *" $s "* ]] || { echo "no step $s; there are: $all" >&2 && exit 2; }; done
  mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
  export deadline=$((SECONDS + 60 * minutes))
  export build=build/gpu_first hw=cuda jobs
  jobs=$(nproc 2>/dev/null || echo 2)
  # a compiler of CUDA takes up to 3 GB
  memory=$(awk '/^MemAvailable/ { print int($2 / 3e6) }' /proc/meminfo 2>/dev/null)
  [ -z "$memory" ] || ((memory >= jobs)) || jobs=$((memory > 0 ? memory : 1))
  export families='sepconv stencil vmath gaussian formfactor fft vmc' types='f64 f32'
  [ -z "$dry" ] || build=build/test/gpu_first hw=cuda-emulated families='sepconv stencil vmath' types=f64 jobs=${JOBS:-$jobs}
  families=${GPU_FIRST_FAMILIES:-$families} # others are left out
  mkdir -p $build "$out/build"
fi

# ---- programs ----

# The names of all that the chosen steps want, in the order in which they are compiled.
programs() {
  local f t s
  for s in $steps; do
    case $s in
      golden) for f in $families; do for t in $types; do echo "golden_${f}_$t"; done; done ;;
      whole) for f in $families; do echo "whole_$f"; done ;;
      sanitize) # the programs of `golden`, and a planted fault
        [ -n "$dry" ] || echo planted
        for f in $families; do for t in $types; do echo "golden_${f}_$t"; done; done
        ;;
      bench | ncu) for f in $families; do echo "bench_$f"; done ;;
      rivals) if [ -n "$dry" ]; then echo rivals_stencil; elif has_torch; then printf 'rivals_%s\n' sepconv stencil gaussian fft formfactor distances; fi ;;
      calls) printf '%s\n' calls example ;;
      host | harness) [ -n "$dry" ] && [ "$s" = harness ] || echo $s ;;
      cufft) [ -n "$dry" ] || echo bench_cufft ;;
      opencl) [ -n "$dry" ] || for f in $families; do case $f in formfactor | vmc) echo "wholecl_$f" ;; *) echo "opencl_$f" ;; esac; done ;;
    esac
  done | awk '!seen[$0]++'
}

has_torch() { python3 -c 'import importlib.util, sys; sys.exit(not importlib.util.find_spec("torch"))' 2>/dev/null; }

# Folders of a header and a library, NAME.h and libNAME.so: PREFIXES are looked through.
find_library() { # NAME HEADER PREFIX...
  local p d l
  for p in "${@:3}"; do
    [ -n "$p" ] || continue
    for d in "$p/include" "$p/targets/x86_64-linux/include"; do
      [ -f "$d/$2" ] || continue
      for l in "$p"/lib64/lib"$1".so* "$p"/lib/lib"$1".so* "$p"/targets/x86_64-linux/lib/lib"$1".so* "$p"/lib/*-linux-gnu/lib"$1".so*; do
        [ -f "$l" ] && echo "-I$d $l -Xlinker -rpath=$(dirname "$l")" && return 0
      done
    done
  done
  return 1
}
cuda_prefix() { local n && n=$(command -v nvcc) && n=$(readlink -f "$n") && dirname "$(dirname "$n")"; }
cufft_flags() {
  local packages=''
  packages=$(python3 -c 'import nvidia; print(*nvidia.__path__)' 2>/dev/null)
  # shellcheck disable=SC2086
  find_library cufft cufft.h "${CUFFT:-}" "$(cuda_prefix)" $(for p in $packages; do printf '%s\n' "$p"/*; done) /usr
}

# How a program is compiled, to $build/NAME.new.
compile() { # NAME
  local name=$1 new=$build/$1.new family=${1#*_} device
  family=${family%_f[36][24]}
  device=$(nvcc_flags)
  family=-DCONVK_WITH_$(echo "$family" | tr '[:lower:]' '[:upper:]')
  local type=-DCONVK_${name##*_}
  type=$(echo "$type" | tr '[:lower:]' '[:upper:]')
  # shellcheck disable=SC2086
  case $name${dry:+ dry} in
    golden_*\ dry) tests/emulated.sh $new $family $type -DCONVK_TEST_CUDA_EMULATED tests/golden.c ;;
    whole_*\ dry) # beside AVX2, which the others do not have
      "${CXX:-g++}" -x c++ -std=c++11 -ffp-contract=off -O0 -I. -DCONVK_CUDA -DCONVK_TEST_CUDA_EMULATED -pthread $family -DCONVK_NO_AVX \
        -DCONVK_NO_AVX512 tests/whole_arrays.cpp -o $new
      ;;
    calls\ dry) tests/emulated.sh $new -Wno-unused-function tests/test_cuda_calls.cpp ;;
    example\ dry) tests/emulated.sh $new -include tests/cuda_emulator.h examples/gpu.cu ;;
    bench_*\ dry) tests/emulated.sh $new $family tests/bench/bench_cuda.cu ;;
    rivals_*\ dry) "${CXX:-g++}" -x c++ -std=c++11 -ffp-contract=off -O0 -shared -fPIC -I. -DCONVK_CUDA -DCONVK_TEST_CUDA_EMULATED $family tests/bench/rivals_cuda.cu -pthread -o $new ;;
    host\ dry) tests/emulated.sh $new -Wno-unused-function tests/bench/host_arrays.cu ;;
    golden_*) nvcc -x cu $device -Xcompiler -ffp-contract=off -I. -DCONVK_CUDA $family $type tests/golden.c -o $new ;;
    whole_*) # all processors, where the compiler has OpenMP
      nvcc -x cu $device -Xcompiler -ffp-contract=off,-fopenmp -DCONVK_OPENMP -DCONVK_CUDA -I. $family tests/whole_arrays.cpp -o $new ||
        nvcc -x cu $device -Xcompiler -ffp-contract=off -DCONVK_CUDA -I. $family tests/whole_arrays.cpp -o $new
      ;;
    planted) nvcc $device -lineinfo tests/planted.cu -o $new ;;
    bench_cufft) nvcc $device -I. -DCONVK_WITH_FFT -DCONVK_BENCH_CUFFT tests/bench/bench_cuda.cu $(cufft_flags) -o $new ;;
    bench_*) nvcc $device -lineinfo -I. $family tests/bench/bench_cuda.cu -o $new ;;
    rivals_*) nvcc $device -shared -Xcompiler -fPIC -I. $family tests/bench/rivals_cuda.cu -o $new ;;
    calls) nvcc -x cu $device -Xcompiler -ffp-contract=off -I. tests/test_cuda_calls.cpp -o $new ;;
    host) nvcc $device -I. tests/bench/host_arrays.cu -o $new ;;
    example) nvcc $device -I. examples/gpu.cu -o $new ;;
    harness) nvcc -x cu $device -Xcompiler -ffp-contract=off -I. -DCONVK_CUDA tests/whole.c -o $new ;;
    wholecl_*)
      "${CXX:-c++}" -std=c++11 -ffp-contract=off -O2 -I. -DCONVK_CL -DCL_TARGET_OPENCL_VERSION=120 $family tests/whole_arrays.cpp $(opencl_flags) \
        -o $new
      ;;
    opencl_*) "${CC:-cc}" -std=c99 -ffp-contract=off -O1 -I. -DCONVK_CL -DCL_TARGET_OPENCL_VERSION=120 $family tests/golden.c $(opencl_flags) -o $new -lm ;;
  esac
}
# For the GPU of this machine, or for one of compute capability 9.0.
nvcc_flags() {
  local arch
  arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1 | tr -cd 0-9)
  printf -- '-O3 -arch=sm_%s' "${arch:-90}"
  [[ $(nvcc --help 2>/dev/null) != *--split-compile* ]] || printf ' --split-compile=%d' "$(((jobs + 3) / 4))"
}
opencl_flags() { # the headers come with CUDA or with Debian's opencl-headers
  local l
  find_library OpenCL CL/cl.h "$(cuda_prefix)" /usr | sed 's/-Xlinker -rpath=/-Wl,-rpath=/' && return
  for l in /usr/lib*/libOpenCL.so.1 /usr/lib/*-linux-gnu/libOpenCL.so.1; do [ -f "$l" ] && echo "$l" && return; done
  echo -lOpenCL
}

# One program of those that are compiled side by side; what it gave is in $build/NAME.status.
make_program() { # NAME
  local status=0
  if [ -z "$again" ] && [ -x "$build/$1" ] && [ -z "$(find convk*.h tests examples -newer "$build/$1" \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cpp' \) | head -n 1)" ]; then
    echo 'as it was' >"$out/build/$1.txt"
  else
    rm -f "$build/$1"
    timeout -k 5 $((longest < 600 ? longest : 600)) bash $here --compile "$1" >"$out/build/$1.txt" 2>&1
    status=$?
    [ $status != 0 ] || mv "$build/$1.new" "$build/$1"
  fi
  echo $status >"$build/$1.status.new"
  mv "$build/$1.status.new" "$build/$1.status"
}

# ---- words of steps ----

what() { echo "$*" >"$out/$step.what"; } # what the summary says of a step: the last one stays
skip() { what "$*" && exit 77; }

# Waits for a program; false if it could not be compiled.
built() { # NAME
  local status=''
  until [ -f "$build/$1.status" ]; do sleep 0.2; done
  read -r status <"$build/$1.status"
  [ "$status" = 0 ] || { echo "no program $1: status $status of its compiler, see $out/build/$1.txt" && return 1; }
}

# The lines `N passed, N failed, N skipped` of the logs of many programs, added up.
sums() { # NAME...
  local n
  for n in "$@"; do tail -n 1 "$out/$step/$n.txt" 2>/dev/null; done |
    awk '/passed, .* failed, .* skipped$/ { p += $1; f += $3; s += $5; n++ } END { printf "%d passed, %d failed, %d skipped, of %d programs", p, f, s, n }'
}
# Runs programs side by side as they are compiled: each NAME's log is $out/STEP/NAME.txt, bounded by SECONDS.
each() { # SECONDS NAMES ARGUMENTS...
  local seconds=$1 names=$2 n failed=0 pids=() pid
  shift 2
  mkdir -p "$out/$step"
  for n in $names; do
    {
      built "$n" >"$out/$step/$n.txt" && timeout -k 5 "$seconds" "$build/$n" "${@//@/$n}" >"$out/$step/$n.txt" 2>&1
    } &
    pids+=($!)
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    what "$(sums $names)"
  done
  for pid in "${pids[@]}"; do
    wait "$pid" || failed=$((failed + 1))
    what "$(sums $names)"
  done
  for n in $names; do grep -E '^FAIL|^no program' "$out/$step/$n.txt" | sed "s/^/$n: /"; done
  [ $failed = 0 ] || what "$(sums $names), $failed ended badly"
  [ $failed = 0 ]
}
of_families() { # PREFIX [SUFFIXES]: their programs
  local f t
  for f in $families; do
    if [ $# = 1 ]; then echo "$1_$f"; else for t in $2; do echo "$1_${f}_$t"; done; fi
  done
}
quick() { [ -z "$dry" ] || echo "$1"; } # an argument of dry runs alone

# ---- the steps ----

step_machine() {
  uname -srm
  grep -m 1 'model name' /proc/cpuinfo
  echo "$(nproc) processors, $(awk '/^MemTotal/ { print int($2 / 1e6) }' /proc/meminfo) GB"
  grep -m 1 -oE 'avx512f|avx2' /proc/cpuinfo | head -n 1 || echo 'neither AVX2 nor AVX-512: whole arrays cannot be compared'
  local tool found='' gpu='' compiler=''
  for tool in nvcc compute-sanitizer ncu g++ python3 clinfo; do
    command -v $tool >/dev/null && found+=" $tool" || echo "there is no $tool"
  done
  [ -n "$dry" ] || cufft_flags || echo 'there is no cuFFT'
  if command -v nvidia-smi >/dev/null; then
    nvidia-smi
    gpu=$(nvidia-smi --query-gpu=name,compute_cap,driver_version,memory.total --format=csv,noheader | head -n 1)
  fi
  compiler=$(nvcc --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/nvcc \1/p')
  what "${gpu:-no GPU that nvidia-smi shows}; ${compiler:-no nvcc}; $(nproc) processors; found:$found"
  [ -n "$dry" ] || { [ -n "$gpu" ] && [ -n "$compiler" ]; }
}

step_golden() { CONVK_REQUIRE=$hw each $((dry ? 60 : 240)) "$(of_families golden "$types")" --hw $hw $(quick --quick); }

step_whole() {
  local status=0
  each $((dry ? 60 : 240)) "$(of_families whole)" $(quick --small) --json "$out/whole/@.json" || status=$?
  cat "$out"/whole/*.json >"$out/whole.json" 2>/dev/null
  return $status
}

# A tool on one program: what it found goes to $out/sanitize/TOOL_NAME.txt.
sanitize() { # TOOL LOG PROGRAM ARGUMENTS...
  timeout -k 5 $((dry ? 20 : 150)) compute-sanitizer --tool "$1" --log-file "$out/sanitize/$2.txt" "$build/$3" "${@:4}" \
    >"$out/sanitize/$2.out" 2>&1
  echo $? >"$out/sanitize/$2.status"
}
# Errors or hazards that a log counts; a dash where it has no such line.
found() { # LOG
  sed -nE 's/.*RACECHECK SUMMARY: ([0-9]+) hazard.*/\1/p; s/.*ERROR SUMMARY: ([0-9]+) error.*/\1/p' "$out/sanitize/$1.txt" 2>/dev/null |
    awk '{ n += $1 } END { print NR ? n : "-" }'
}
sanitized() { # TOOL PROGRAMS: what all logs of a tool say
  local n
  for n in $2; do [ -f "$out/sanitize/$1_$n.status" ] && echo "$(found "$1_$n") $(cat "$out/sanitize/$1_$n.status")"; done |
    awk -v tool="$1" -v noticed="$(found "$1_planted")" '$1 == "-" || $2 == 124 || $2 == 137 { bad++; next } { ok++; n += $1 }
      END { printf "%s %d found by %d runs%s%s", tool, n, ok, bad ? ", " bad " without result" : "",
            noticed == "-" || noticed == 0 ? ", blind" : "" }'
}
step_sanitize() {
  command -v compute-sanitizer >/dev/null || skip 'there is no compute-sanitizer'
  local tool tools='racecheck memcheck synccheck initcheck' p names some=--quick t text bad=0
  names=$(of_families golden "$types")
  mkdir -p "$out/sanitize"
  rm -f "$out"/sanitize/*
  for tool in $tools; do # a fault each
    if [ -n "$dry" ]; then sanitize $tool ${tool}_planted planted # which no tool there is runs
    elif built planted; then sanitize $tool ${tool}_planted planted $tool; fi
  done
  for tool in $tools; do
    for p in $names; do
      built "$p" || continue
      [[ $(grep -c -- --small tests/golden.c) = 0 ]] || some=--small # tiny arrays, every kernel
      while [ "$(jobs -rp | wc -l)" -ge $(((jobs + 1) / 2)) ]; do wait -n; done
      sanitize $tool "${tool}_$p" "$p" --hw $hw $some &
    done
    wait
    text=$(for t in $tools; do sanitized $t "$names" && echo; done | awk '!/ by 0 runs/' | paste -sd ';')
    what "${text//;/; }"
  done
  for tool in $tools; do [[ $(sanitized $tool "$names") =~ ^$tool\ 0\ found\ by\ [1-9][0-9]*\ runs$ ]] || bad=1; done
  return $bad
}

# Lines of benchmarks for each PROGRAM:FILTER, with JSON; one that hangs takes nothing from others.
measured() { # SECONDS PROGRAMS:FILTERS ARGUMENTS...
  local each f status=0 j="$out/$step.json"
  mkdir -p "$out/$step"
  rm -f "$out/$step"/*.json "$j"
  for each in $2; do
    f=${each#*:}
    built "${each%:*}" && timeout -k 5 "$1" "$build/${each%:*}" $(quick --quick) --filter "$f" --json "$out/$step/$f.json" "${@:3}" || status=1
    { head -q -n 1 "$out/$step"/*.json | head -n 1 && tail -q -n +2 "$out/$step"/*.json; } | awk '!seen[$0]++' >"$j"
  done
  return $status
}
number() { grep -c "\"$1\"" "$2" 2>/dev/null || true; } # lines with this key
# Where the values of a key lie: "0.41 to 0.98".
range() { # KEY FILE
  grep -oE "\"$1\":[0-9.e+-]+" "$2" 2>/dev/null | cut -d: -f2 | sort -g | awk '{ v[NR] = $1 } END { if (NR) printf "%.2f to %.2f, half above %.2f", v[1], v[NR], v[int((NR + 1) / 2)] }'
}
# The operations of each family, as PROGRAM:FILTER.
operations() {
  local f o all
  for f in $families; do
    case $f in
      sepconv) all='ceiling magicfilter3d dwt3d sumconv3d chebyshev3d hamiltonian_apply' ;;
      stencil) all=stencil7 ;;
      vmath) all='exp sincos' ;;
      gaussian) all='gridpot orbitals_grid density_grid' ;;
      formfactor) all=formfactor ;;
      fft) all=fftconv2d ;;
      vmc) all='pair_energy vmc_sweep' ;;
    esac
    for o in $all; do echo "bench_$f:$o"; done
  done
}
step_bench() {
  local status=0
  measured $((dry ? 60 : 90)) "$(operations)" --predicted tests/bench/audit/cuda.json || status=1
  what "$(number rate "$out/bench.json") rates, $(number of_predicted "$out/bench.json") beside predictions: $(range of_predicted "$out/bench.json")"
  return $status
}

# In a dry run, which has no PyTorch, a library's numbers.
step_rivals() {
  local status=0 n
  if [ -n "$dry" ]; then
    command -v python3 >/dev/null || skip 'there is no Python'
    built rivals_stencil || return 1
    what "$(python3 tests/bench/rivals_cuda.py --check "$build/rivals_stencil" 2>&1 || echo failed >&2)"
    grep 'as they should be' "$out/$step.what"
    return
  fi
  has_torch || skip 'there is no PyTorch for python3'
  for n in sepconv stencil gaussian fft formfactor; do built "rivals_$n" || status=1; done
  python3 tests/bench/rivals_cuda.py "$out/rivals.json" --libraries $build --seconds 150 || status=1
  what "$(number rate "$out/rivals.json") times, calls over their best rivals: $(range ratio "$out/rivals.json")"
  return $status
}

step_calls() {
  local status=0
  built calls && { timeout -k 5 $((dry ? 120 : 90)) $build/calls >"$out/calls.txt" 2>&1 || status=1; } || status=1
  grep -v '^ok' "$out/calls.txt"
  built example && { timeout -k 5 60 $build/example --n $((dry ? 18 : 128)) $([ -n "$dry" ] || echo --graph) >"$out/example.txt" 2>&1 || status=1; } || status=1
  cat "$out/example.txt"
  what "$(grep -c '^ok' "$out/calls.txt") passed, $(grep -c '^FAIL' "$out/calls.txt") failed; the example: $(grep -c 'with the same bits' "$out/example.txt") times the same bits"
  return $status
}

step_host() {
  local status=0 o operations='exp magicfilter3d fftconv2d dwt3d sumconv3d chebyshev3d hamiltonian_apply orbitals_grid stencil7'
  [ -z "$dry" ] || operations='exp magicfilter3d sumconv3d stencil7'
  measured 60 "$(for o in $operations; do echo "host:$o"; done)" || status=1
  what "$(number rate "$out/host.json") rates, over their copies: $(range fraction "$out/host.json")"
  return $status
}

# What warps wait for: of each call the longest of some launches of the family's kernels, and the first three reasons.  Names of
# kernels are patterns, since those of a family change.
step_ncu() {
  command -v ncu >/dev/null || skip 'there is no ncu'
  local each program filter pattern r metrics=gpu__time_duration.sum done=0 wanted=0 j="$out/ncu.json" log
  local reasons='barrier branch_resolve dispatch_stall drain imc_miss lg_throttle long_scoreboard math_pipe_throttle membar mio_throttle
    no_instruction not_selected short_scoreboard sleeping tex_throttle wait'
  for r in $reasons; do metrics+=,smsp__average_warps_issue_stalled_${r}_per_issue_active.ratio; done
  mkdir -p "$out/ncu"
  rm -f "$j"
  for each in sepconv:magicfilter3d:xy_ sepconv:magicfilter3d:z_ sepconv:dwt3d:wavelets_ sepconv:sumconv3d:sums_ sepconv:chebyshev3d:sums_ \
    sepconv:hamiltonian_apply: stencil:stencil7:sweep_ stencil:stencil7_steps:stencil_ gaussian:gridpot_sum:gridpot_sum_ gaussian:orbitals_grid:grid \
    gaussian:density_grid:grid formfactor:formfactor:formfactor_list_ formfactor:formfactor_grid:formfactor_grid_ fft:fftconv2d:fft_ \
    vmc:pair_energy:pairs_; do
    program=bench_${each%%:*} filter=${each#*:} pattern=convk_cuda_${each##*:} filter=${filter%:*}
    [[ " $families " == *" ${each%%:*} "* ]] || continue
    wanted=$((wanted + 1)) log=$out/ncu/$pattern$filter.csv
    built "$program" || continue
    # the clocks are left alone; the first launches warm up
    timeout -k 5 $((dry ? 20 : 40)) ncu --csv --print-units base --clock-control none --metrics "$metrics" --kernel-name "regex:$pattern" \
      --launch-skip 3 --launch-count 12 --kill yes "$build/$program" $(quick --quick) --filter "$filter" >"$log" 2>&1
    awk -F'","' '/"Metric Value"/ { for (i = 1; i <= NF; i++) if ($i ~ /Kernel Name/) column = i }
      /gpu__time_duration|issue_stalled_/ { gsub(/[",]/, "", $NF); gsub(/"/, "", $1) }
      /gpu__time_duration/ && $NF + 0 > most + 0 { most = $NF; longest = $1; kernel = $column; sub(/[(<].*/, "", kernel); sub(/^void /, "", kernel) }
      /issue_stalled_/ { name = $(NF - 2); sub(/.*issue_stalled_/, "", name); sub(/_per_issue.*/, "", name); value[$1, name] = $NF }
      END { for (k in value) { split(k, at, SUBSEP); if (at[1] == longest) print value[k], at[2], kernel } }' "$log" |
      sort -gr | head -n 3 >"$out/ncu/last"
    if [ -s "$out/ncu/last" ]; then done=$((done + 1)); else echo "nothing for $pattern: $(tail -n 1 "$log")"; fi
    awk -v call="$filter" '{ printf "{\"call\":\"%s\",\"kernel\":\"%s\",\"waits_for\":\"%s\",\"warps\":%s}\n", call, $3, $2, $1 }' "$out/ncu/last" |
      tee -a "$j"
    what "$done of $wanted calls; the first: $(awk -F'"' '!seen[$4]++ { printf "%s%s %s", n++ ? ", " : "", $4, $12 }' "$j")"
  done
  [ $done = $wanted ]
}

step_cufft() {
  [ -z "$dry" ] || skip 'a dry run has no cuFFT'
  cufft_flags >/dev/null || skip 'there is no cuFFT: CUFFT=PREFIX says where'
  built bench_cufft || return 1
  local status=0
  measured 90 bench_cufft:fftconv2d || status=1
  what "$(number ratio "$out/cufft.json") rates over cuFFT's: $(range ratio "$out/cufft.json")"
  return $status
}

# The driver's OpenCL, also where the loader has not been told of it.  Bits of what all devices share; form factors and pairs, which
# take the device's own roots and sums, are compared with the processor's within their bounds.
step_opencl() {
  [ -z "$dry" ] || skip 'the tests of OpenCL have parts of their own'
  local library status=0
  library=$(ldconfig -p 2>/dev/null | sed -n 's/.*libnvidia-opencl.*=> //p' | head -n 1)
  [ -n "$library" ] || skip "there is no OpenCL of NVIDIA's"
  mkdir -p "$out/opencl/vendors"
  echo "$library" >"$out/opencl/vendors/nvidia.icd"
  export OCL_ICD_VENDORS=$out/opencl/vendors OCL_ICD_FILENAMES=$library
  CONVK_REQUIRE=opencl each 100 "$(of_families opencl | grep -vE 'formfactor|vmc')" --hw opencl || status=1
  each 100 "$(of_families wholecl | grep -E 'formfactor|vmc')" --hw opencl || status=1
  what "$(sums $(of_families opencl | grep -vE 'formfactor|vmc') $(of_families wholecl | grep -E 'formfactor|vmc'))"
  return $status
}

step_harness() {
  [ -z "$dry" ] || skip 'the tests in the emulator have parts of their own'
  built harness || return 1
  local status=0
  timeout -k 5 240 $build/harness --brief --hw cuda >"$out/harness.txt" 2>&1 || status=$?
  grep -E '^FAIL' "$out/harness.txt" | head -n 40
  what "$(tail -n 1 "$out/harness.txt")"
  return $status
}

# Seconds that a step may take.
limit_of() {
  case $1 in
    machine) echo 30 ;;
    golden | whole) echo 300 ;;
    sanitize) echo 420 ;;
    bench) echo 400 ;;
    host | rivals | ncu) echo 300 ;;
    *) echo 240 ;;
  esac
}

case ${gpu_first_step:-} in
  '') ;;
  *)
    export step=$gpu_first_step
    case ${1:-} in
      --compile) compile "$2" ;;
      --make) make_program "$2" ;;
      *)
        (set -u && "step_$step")
        echo $? >"$out/$step.status.new"
        mv "$out/$step.status.new" "$out/$step.status"
        ;;
    esac
    exit
    ;;
esac

# ---- all of them ----

# All processes of a session: programs that are bounded by themselves have groups of their own.
session() { awk -v sid="$1" '{ pid = $1; sub(/.*\) /, ""); if ($4 == sid) print pid }' /proc/[0-9]*/stat 2>/dev/null; }
end_session() { # PID of its first process
  local signal pids
  for signal in TERM KILL; do
    pids=$(session "$1")
    # shellcheck disable=SC2086
    [ -z "$pids" ] || kill -$signal $pids 2>/dev/null
    [ $signal = KILL ] || [ -z "$pids" ] || sleep 1
  done
}

# Runs a step and gives its line: `step status seconds what`.
running=''
run_step() { # NAME
  local name=$1 left=$((deadline - SECONDS)) begun=$SECONDS limit word
  limit=$(limit_of "$name")
  ((limit <= longest)) || limit=$longest
  ((limit <= left)) || limit=$left
  rm -f "$out/$name.status" "$out/$name.what"
  if ((limit < 2)); then
    word='not begun'
    echo 'no time was left' >"$out/$name.what"
  else
    gpu_first_step=$name setsid bash $here >"$out/$name.log" 2>&1 &
    running=$!
    until [ -f "$out/$name.status" ] || ((SECONDS >= begun + limit)); do sleep 0.1; done
    case $(cat "$out/$name.status" 2>/dev/null || echo none) in
      0) word=ok ;;
      77) word=skipped ;;
      none) word=KILLED ;;
      *) word=FAILED ;;
    esac
    end_session $running # what a driver does not let go of stays behind
    running=''
  fi
  [ "$word" = ok ] || [ "$word" = skipped ] || bad=$((bad + 1))
  [ "$word" != KILLED ] || echo "after $limit s: $(cat "$out/$name.what" 2>/dev/null || echo 'nothing was done')" >"$out/$name.what"
  printf '%-9s %-9s %4d s  %s\n' "$name" "$word" $((SECONDS - begun)) "$(cat "$out/$name.what" 2>/dev/null || tail -n 1 "$out/$name.log")" |
    cut -c1-230 | tee "$out/$name.line" | tee -a "$out/summary.txt"
}

# All that was measured in one file, as bench_cuda writes it: the machine, then a line each.
results() {
  local f
  for f in bench host cufft; do cat "$out/$f.json" 2>/dev/null; done | awk '/"machine"/ { if (n++) next } { print }' >"$out/results.json"
}

bad=0
echo "---- ${dry:+dry run, }$(date -u '+%Y-%m-%d %H:%M:%S') UTC, at most $minutes minutes" | tee -a "$out/summary.txt"
names=$(programs)
for n in $names; do rm -f "$build/$n.status"; done
compilers=''
if [ -n "$names" ]; then
  gpu_first_step=compile setsid xargs -P "$jobs" -n 1 bash $here --make <<<"$names" &
  compilers=$!
fi
ends() {
  [ -z "$compilers" ] || end_session "$compilers"
  [ -z "$running" ] || end_session "$running"
}
trap 'ends; exit 130' INT TERM
for s in $steps; do
  run_step "$s"
  results
done
ends

{ # what fits a screen: the last line of each step, and rates beside predictions, the least first
  echo '==== each step as it went last, and the rates that are least of what is predicted ===='
  for s in $all; do cat "$out/$s.line" 2>/dev/null; done
  sed -nE 's/.*"operation":"([^"]*)","type":"([^"]*)".*"size":"([^"]*)","rate":([^,]*),"unit":"([^"]*)".*"of_predicted":([0-9.e+-]*).*/\6 \1 \2 \3 \4 \5/p' \
    "$out/results.json" | sort -g | head -n 12 | awk '{ printf "  %-16s %-4s %-22s %9.4g %-8s %5.2f of predicted\n", $2, $3, $4, $5, $6, $1 }'
} | tee -a "$out/summary.txt"
[ $bad = 0 ]
