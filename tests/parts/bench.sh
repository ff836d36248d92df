# Benchmarks: sourced by run.sh.

part_bench() {
  there bench tests/bench/bench.c
  decided
  local f objects hw=scalar,avx2
  objects=$(harness_objects harness "$(harness_flags)")
  flock build/lock make -s build/bench CC="$quick_cc" CFLAGS="-O1 -DCONVK_DECLARE $objects"
  run build/bench --quick --filter stencil7
  run build/bench --quick --hw $hw --filter 32x32 --json $out/bench.json # of filters, wavelets and convolutions
  for f in sincos gridpot orbitals_grid formfactor_grid 12x16 12x4096 36x; do run build/bench --quick --hw $hw --filter $f; done
  grep -q '^{.*"operation".*}$' $out/bench.json
  bench_energy
}

# Joules, of counters that only look like those of Linux: they begin again, a part of a package and the whole machine do not count,
# and one that stands still says nothing.
bench_energy() {
  local d=$out/powercap z
  rm -rf $d && mkdir -p $d
  put() { mkdir -p "$d/$1" && printf '%s\n' "$2" >"$d/$1/$3"; } # ENTRY VALUE FILE
  for z in 'intel-rapl:0 package-0' 'intel-rapl:1 package-1' 'intel-rapl:0:0 core' 'intel-rapl:2 psys' 'intel-rapl-mmio:0 package-0'; do
    put "${z% *}" "${z#* }" name && put "${z% *}" 900 energy_uj && put "${z% *}" 1000 max_energy_range_uj
  done
  rm "$d/intel-rapl:0:0/name" # what has no name is a package, if it is one by its place
  put intel-rapl:3 package-3 name
  cat >$out/energy.c <<'END'
#include "tests/bench/energy.h"
static void put(const char *directory, const char *entry, int value) {
  char path[512];
  FILE *f;
  snprintf(path, sizeof path, "%s/%s/energy_uj", directory, entry);
  f = fopen(path, "w");
  if (f) fprintf(f, "%d\n", value), fclose(f);
}
int main(int argc, char **argv) {
  static const double want[] = {0, 250e-6, 450e-6, 450e-6};
  static const int first[] = {900, 950, 100, 100}, second[] = {900, 100, 150, 150};
  (void)argc;
  energy_open(argv[1]);
  if (energy.packages != 2) return 2;
  for (int i = 0; i < 4; i++) {
    put(argv[1], "intel-rapl:0", first[i]);
    put(argv[1], "intel-rapl:1", second[i]);
    put(argv[1], "intel-rapl:2", 17 * i); /* counts for nothing */
    put(argv[1], "intel-rapl:0:0", 17 * i);
    const double got = energy_now();
    if (got < want[i] - 1e-9 || got > want[i] + 1e-9) return 10 + i;
  }
  return 0;
}
END
  $CC -std=gnu11 $warn -I. $out/energy.c -o $out/energy && run $out/energy $d
  run build/bench --quick --hw scalar --filter 16x16 --energy $d --json $out/still.json >$out/still.txt
  ! grep -q joules $out/still.json && ! grep -q ' J per ' $out/still.txt
  rm -f $out/enough
  (i=0; while [ ! -e $out/enough ] && [ $i -lt 6000 ]; do i=$((i + 1)) && echo $((i * 7 % 1000)) >$d/next && mv $d/next $d/intel-rapl:0/energy_uj && sleep 0.005; done) &
  local pid=$!
  run build/bench --quick --hw scalar --filter 16x16 --energy $d --json $out/joules.json >$out/joules.txt
  touch $out/enough
  wait $pid
  grep -q '"conv1d_transpose",.*"joules":[0-9.e-]*}$' $out/joules.json && grep -q ' J per GFlop$' $out/joules.txt
}

# Lines of a benchmark of devices, as text and as JSON, and the rates that were predicted.
part_bench_opencl() {
  opencl bench
  need c++ "$CXX" g++
  local b=$out/bench_opencl
  $CC -std=c99 -c tests/opencl_options.c -o $out/bench_options.o
  # shellcheck disable=SC2046
  $quick_cxx -std=c++11 $warn -O0 -DCONVK_AVX_H_ -DCONVK_DECLARE -I. -x c++ tests/bench/bench_opencl.cpp -x none $out/bench_options.o \
    $(opencl_objects) -Wl,--wrap=clBuildProgram -o $b -lOpenCL -lm -pthread
  export CONVK_OPENCL_MORE=-cl-opt-disable # the rates do not count
  {
    echo '{"operation": "stencil7", "type": "f64", "size": "*", "rate": 1e-9, "unit": "GLUP/s"}'
    echo '{"operation":"stencil7","type":"f64","size":"33x18x6","rate":1e9,"unit":"GLUP/s"}'
    echo '{"operation":"stencil7","type":"f32","size":"1x1x1","rate":1,"unit":"GLUP/s"}'
    echo '{"operation":"sincos","type":"f32","size":"*","rate":2,"unit":"G/s"}'
    echo '{"operation":"exp","type":"f32","size":"*","rate":1,"unit":"s"}'
    echo '{"arch":"90","operation":"gridpot","type":"f32","size":"*","rate":1,"unit":"Gexp/s"}'
    echo 'not a line'
  } >$out/predicted.json
  try 'all lines' run $b --quick --json $b.json --predicted $out/predicted.json
  run $b --quick --filter stencil7 --predicted $out/predicted.json >$b.txt
  try 'predicted of this size' grep -q '^stencil7 .*f64 .*of predicted 1e+09' $b.txt
  try 'predicted of another size or operation' eval "[ \$(grep -c predicted $b.txt) = 1 ]"
  try 'predicted of any size' grep -q '"sincos","type":"f32".*"predicted":2,' $b.json
  try 'predicted in another unit' eval "! grep '\"exp\",.*predicted' $b.json"
  try 'predicted of another device' eval "! grep '\"gridpot\",.*predicted' $b.json"
  try 'a filter' eval "! grep -v stencil7 $b.txt | grep error"
  for l in magicfilter3d stencil7 stencil7_steps stencil7_in_host exp sincos gridpot gridpot_sum formfactor formfactor_grid pair_energy vmc_sweep; do
    try "$l" grep -q "^{\"operation\":\"$l\",\"type\":\"f32\",\"hw\":\"opencl\".*\"fraction\":.*\"max_error\":.*}\$" $b.json
  done
  try 'fftconv2d' eval "[ \$(grep -c '^{.operation.:.fftconv2d' $b.json) = 8 ]"
  try 'ceilings' eval "[ \$(grep -c '^{.operation.:.ceiling_' $b.json) = 6 ]"
  if command -v python3 >/dev/null; then
    try 'JSON' python3 -c 'import json, sys; print(len([json.loads(line) for line in open(sys.argv[1])]))' $b.json
  fi
  try 'no such device' eval "! $b --quick --device 1000"
  try 'an unknown option' eval "! $b --fast"
  try 'no such file' eval "! $b --quick --predicted $out/nothing"
  total
}
