# The first half hour on a GPU, without one: sourced by run.sh.

# Tools that are not here, as the step needs them: they say what they would, or what STAND_IN tells them to.
gpu_first_tools() { # DIRECTORY
  mkdir -p "$1"
  cat >"$1/compute-sanitizer" <<'END'
#!/bin/bash
while [ $# -gt 0 ]; do
  case $1 in
    --tool) tool=$2 && shift ;;
    --log-file) log=$2 && shift ;;
    */planted) errors=1 ;;
  esac
  shift
done
case $STAND_IN in
  hang) echo $$ >>"$STAND_IN_PIDS"; sleep 600 ;;
  races) [ $tool = racecheck ] && errors=3 ;;
  blind) errors=0 ;;
esac
case $tool in
  racecheck) echo "========= RACECHECK SUMMARY: ${errors:-0} hazards displayed (${errors:-0} errors, 0 warnings)" >"$log" ;;
  *) echo "========= ERROR SUMMARY: ${errors:-0} errors" >"$log" ;;
esac
END
  cat >"$1/ncu" <<'END'
#!/bin/bash
echo '"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"'
launch() { # ID KERNEL NANOSECONDS REASON:WARPS...
  echo "\"$1\",\"1\",\"$2(args)\",\"gpu__time_duration.sum\",\"ns\",\"$3\""
  for r in "${@:4}"; do
    echo "\"$1\",\"1\",\"$2(args)\",\"smsp__average_warps_issue_stalled_${r%:*}_per_issue_active.ratio\",\"inst\",\"${r#*:}\""
  done
}
launch 0 brief 900 barrier:20.5
launch 1 long 2,500 wait:0.8 long_scoreboard:7.25 barrier:1.5 drain:0
launch 2 brief 901 barrier:20.5
END
  chmod +x "$1"/*
}

part_gpu_first() {
  need cuda-emulated "$CXX" g++
  local d=$out/first b=$out/gpu_first steps=machine,golden,whole,sanitize,bench,rivals,host,ncu,cufft,opencl,harness
  mkdir -p $d
  gpu_first_tools $d/tools
  export STAND_IN='' STAND_IN_PIDS=$d/pids JOBS=2 CXX=$quick_cxx
  rm -rf $d/out $d/pids $b
  local families=sepconv
  [ -z "$long" ] || families='' steps=${steps/bench,/bench,calls,}
  first() { # WHAT IT SAYS... -- ARGUMENTS...: its status is that of the script
    local status=0 wants=() w
    while [ "$1" != -- ]; do wants+=("$1") && shift; done
    PATH=$PWD/$d/tools:$PATH GPU_FIRST_FAMILIES=$families timeout 900 tests/gpu_first.sh --dry-run "${@:2}" $d/out >$d/said.txt 2>&1 || status=$?
    for w in "${wants[@]}"; do grep -qE "$w" $d/said.txt || { cat $d/said.txt && echo "no line $w" && return 9; }; done
    return $status
  }
  ends() { # STATUS WHAT IT SAYS... -- ARGUMENTS...
    local status=0
    first "${@:2}" || status=$?
    [ $status = "$1" ]
  }
  fails() { ends 1 "$@"; } # a step does, and what the script says of all is there
  plant() { # PROGRAM TEXT: a script in its place
    printf '#!/bin/bash\n%s\n' "$2" >$b/"$1.new"
    chmod +x $b/"$1.new" && mv $b/"$1.new" $b/"$1"
  }
  gone() { local p; for p in $(cat "$1"); do [ ! -d "/proc/$p" ] || { echo "process $p is left" && return 1; }; done; }

  try 'a dry run' first '^machine  *ok' '^golden  *ok .* [1-9][0-9]* passed, 0 failed, 0 skipped' '^whole  *ok .*[1-9][0-9]* passed, 0 failed' \
    '^sanitize  *ok .*racecheck 0 found by [1-9][0-9]* runs; memcheck 0 .*; synccheck 0 .*; initcheck 0 ' '^bench  *ok .*rates, ' \
    '^rivals  *(ok|skipped)' '^host  *ok .*rates, over' '^ncu  *ok .*[68] of [68] calls; .*: magicfilter3d long_scoreboard' '^cufft  *skipped' \
    -- --steps $steps
  try 'one screen' eval "[ \$(sed -n '/^====/,\$p' $d/said.txt | wc -l) -lt 25 ]"
  try 'rates' grep -q '^{"operation":"magicfilter3d_pinned",.*"fraction"' $d/out/results.json
  try 'the longest kernel' grep -q '"call":"hamiltonian_apply","kernel":"long","waits_for":"long_scoreboard","warps":7.25}' $d/out/ncu.json
  ! command -v python3 >/dev/null || try 'numbers of a library for rivals' grep -q '65536 numbers as they should be' $d/out/rivals.what
  try 'the machine once' eval "[ \$(grep -c '^{.machine' $d/out/results.json) = 1 ]"
  ! command -v python3 >/dev/null || try 'JSON' python3 -c 'import json, sys
for path in sys.argv[1:]: [json.loads(line) for line in open(path)]' $d/out/results.json $d/out/whole.json $d/out/ncu.json

  made() { [[ $(<$1.md) == "$(python3 tests/bench/device_report.py "$2")"* ]]; }
  ! command -v python3 >/dev/null || try 'H100.md is of its results' made tests/bench/results/H100 tests/bench/results/nvidia-h100-80gb.json

  STAND_IN=races try 'races' fails '^sanitize  *FAILED .*racecheck [39] found by [13] runs' -- --steps sanitize
  STAND_IN=blind try 'a blind tool' fails '^sanitize  *FAILED .*racecheck 0 found by [13] runs, blind;' -- --steps sanitize
  STAND_IN=hang try 'a tool that hangs' fails '^sanitize  *KILLED .*after 3 s' '^ncu  *ok' -- --steps sanitize,ncu --limit 3
  try 'it is ended' gone $d/pids
  plant whole_sepconv "echo \$\$ >$d/pids; echo 'ok before'; sleep 600"
  try 'a program that hangs' fails '^whole  *KILLED .*after 3 s' '^ncu  *ok' -- --steps whole,ncu --limit 3
  try 'it is ended, too' gone $d/pids
  try 'its log is kept' grep -q 'ok before' $d/out/whole/whole_sepconv.txt
  plant golden_sepconv_f64 'echo "FAIL exp_f64: other bits"; echo "4 passed, 1 failed, 0 skipped"; exit 1'
  try 'other bits' fails '^golden  *FAILED .*1 failed' '^ncu  *ok' -- --steps golden,ncu
  plant bench_sepconv 'kill -SEGV $$'
  try 'a crash' fails '^bench  *FAILED' '^host  *ok' -- --steps bench,host
  rm -f $b/golden_sepconv_f64 $b/whole_sepconv $b/bench_sepconv
  CXX=false try 'no compiler' fails '^golden  *FAILED .*1 ended badly' '^host  *ok' -- --steps golden,host
  try 'an unknown step' ends 2 'no step forge' -- --steps forge
  try 'no time' ends 2 'minutes N' -- --minutes 0
  if [ -n "$long" ] && command -v nvcc >/dev/null && ! nvidia-smi -L; then # by nvcc, though nothing runs
    GPU_FIRST_FAMILIES='sepconv vmath' tests/gpu_first.sh --steps golden,whole,calls,host,sanitize $d/nvcc >$d/nvcc.txt 2>&1 || true
    try 'by nvcc' eval "! grep -l . build/gpu_first/*.status | xargs grep -Lx 0 | grep ."
    try 'without a GPU' grep -q '^golden  *FAILED .* 0 passed' $d/nvcc.txt
  fi
  total
}
