# What arrays a call takes: none that overlap where one is written, and no number that is wrong (tests/test_overlap.c), and grids whose planes lie far apart
# (tests/test_pitches.c).  Sourced by run.sh.

part_overlap() {
  need python python3 python3
  decided
  local objects
  MADE=$out/overlap_made NAMES=$out/overlap_names src/headers.sh --check >$out/overlap_differs.txt || true
  python3 tests/overlap.py $out/overlap_names/rooms/list.h >$out/overlap.h
  objects=$(harness_objects harness "$(harness_flags)")
  # shellcheck disable=SC2086
  $CC -std=gnu99 -O1 $warn -I. -I$out -DCONVK_DECLARE tests/test_overlap.c $objects -o $out/overlap -lm -pthread
  run $out/overlap tests/refusals.txt
}

# Planes of grids lie 4 GiB apart.
part_pitches() {
  decided
  local objects hw
  objects=$(harness_objects harness "$(harness_flags)")
  # shellcheck disable=SC2086
  $CC -std=gnu99 -O1 $warn -I. -DCONVK_DECLARE tests/test_pitches.c $objects -o $out/pitches -lm -pthread
  try 'pitches' run $out/pitches
  if drawn $out/draws; then
    for hw in avx2 avx512; do try "drawn calls, $hw, threads, work" run $out/draws --hw $hw --compare $out/draws.bin; done
  fi
  total
}
