# Helium on many processes, against examples/helium.c: sourced by run.sh.

part_mpi_helium() {
  mpi helium -O1
  local d=$out/mpi_helium h=$programs/helium serial=build/helium picture=ppm n at
  local eight='8 --walkers 13 --equilibrate 96 --seed 5' long='24 --walkers 32 --equilibrate 96 --sweeps 8000'
  mkdir -p $d
  rm -f $d/*
  made_helium
  export OMP_NUM_THREADS=1
  alone() { run $serial "${@:2}" --output "$1" >"$1.out"; }                # PREFIX ARGUMENTS...
  ranks() { # RANKS PREFIX ARGUMENTS...
    run $mpirun -n "$1" $h "${@:3}" --output "$2" >"$2.out" 2>"$2.err" || { cat "$2.err"; false; }
  }
  # all that is printed but for names, times and the table of ranks; the table, and the picture
  printed() { grep -v '^hardware\|^time\|^table\|^atoms\|^picture\|^sweeps\|^ ' "$1.out"; }
  same() { # PREFIX PREFIX
    diff <(printed "$1") <(printed "$2") && grep -q '^energy:' "$1.out" && cmp "$1.txt" "$2.txt" && cmp "$1.xyz" "$2.xyz" && cmp "$1.$picture" "$2.$picture"
  }
  like() { # RANKS ARGUMENTS...: the same as the serial program
    alone $d/alone "${@:2}" && ranks "$1" $d/ranks "${@:2}" && same $d/alone $d/ranks
  }

  alone $d/whole $eight --sweeps 200
  [ ! -e $d/whole.png ] || picture=png
  for n in 1 4; do
    try "$n ranks" eval "ranks $n $d/ranks $eight --sweeps 200 && same $d/whole $d/ranks && grep -q 'ranks: $n,' $d/ranks.out"
  done
  differs() { ranks 2 $d/ranks ${eight/5/6} --sweeps 200 && ! same $d/whole $d/ranks >/dev/null; }
  try 'another seed, other bits' differs
  try 'mixed' like 3 $eight --sweeps 100 --precision mixed
  try 'all atoms, with the force' like 3 $eight --sweeps 100 --moves all --drift
  try 'a box' like 3 32 --box 0.0218 --potential lj --walkers 8 --equilibrate 64 --sweeps 80
  try 'minimise' like 3 3 --walkers 16 --sweeps 400 --equilibrate 96 --minimise
  try 'minimise, mixed' like 2 3 --walkers 3 --sweeps 100 --equilibrate 96 --minimise --precision mixed
  awk 'BEGIN { for (k = 150; k <= 2000; k++) printf "%.2f %.12g\n", k / 100, 40.88 * ((255.6 / k)^12 - (255.6 / k)^6) }' >$d/lj.table
  try 'a table' like 2 $eight --sweeps 32 --potential $d/lj.table
  try 'idle ranks' like 4 ${eight/13/3} --sweeps 100
  try 'which are named' grep -q 'idle ranks: 1$' $d/ranks.out
  try 'idle ranks, one walker' like 3 ${eight/13/1} --sweeps 64 --minimise

  # ---- checkpoints ----
  ranks 3 $d/half $eight --sweeps 90 --checkpoint $d/of_3
  alone $d/half $eight --sweeps 90 --checkpoint $d/of_serial
  ranks 1 $d/half $eight --sweeps 90 --checkpoint $d/of_1
  ranks 4 $d/idle ${eight/13/3} --sweeps 30 --checkpoint $d/of_idle
  alone $d/three ${eight/13/3} --sweeps 100
  try 'one part, one file' cmp $d/of_serial $d/of_1
  resumed() { # FROM RANKS, 0: serial
    cp $d/$1 $d/point
    if [ "$2" = 0 ]; then alone $d/rest --resume $d/point --sweeps 200; else ranks "$2" $d/rest --resume $d/point --sweeps 200; fi &&
      same $d/whole $d/rest && [ ! -e $d/point.new ]
  }
  for n in 0 2 4; do try "3 ranks, resumed by $n" resumed of_3 $n; done
  try 'and by one more' resumed point 2
  try "serial, resumed by 3" resumed of_serial 3
  try 'with idle ranks' eval "ranks 2 $d/rest --resume $d/of_idle --sweeps 60 && ranks 5 $d/rest --resume $d/of_idle --sweeps 100 && same $d/three $d/rest"
  try 'a table, resumed' eval "ranks 2 $d/half $eight --sweeps 16 --potential $d/lj.table --checkpoint $d/point &&
    ranks 3 $d/rest --resume $d/point --sweeps 32 && alone $d/alone $eight --sweeps 32 --potential $d/lj.table && same $d/alone $d/rest"

  # ---- signals ----
  pids() { # PREFIX: the ranks
    local p
    for p in $(pgrep -f -- "--output $1\$"); do [ "$(readlink /proc/$p/exe)" != "$(readlink -f $h)" ] || echo $p; done
  }
  begins() { # PREFIX CHECKPOINT: waits for a checkpoint of a run that goes on
    local k
    for ((k = 0; k < 200; k++)); do
      if [ -e "$2" ]; then
        [ -e "$1.first" ] || cp "$2" "$1.first"
        cmp -s "$2" "$1.first" || return 0
      fi
      sleep 0.05
    done
    return 1
  }
  killed() {
    local job victims
    ranks 3 $d/killed $long --checkpoint $d/point --every 0.1 &
    job=$!
    begins $d/killed $d/point || { wait $job; return 1; }
    victims=($(pids $d/killed))
    [ ${#victims[@]} = 3 ] || echo "ranks: ${victims[*]}"
    kill -9 ${victims[1]}
    ! wait $job && ! grep -q '^energy:' $d/killed.out && ranks 2 $d/rest --resume $d/point && same $d/long $d/rest
  }
  rm -f $d/point
  alone $d/long $long
  try 'a rank is killed' killed
  ended() { # SIGNAL
    local job victims
    rm -f $d/point $d/*.first
    ranks 2 $d/ended 24 --walkers 32 --equilibrate 0 --sweeps 100000000 --checkpoint $d/point --every 0.1 &
    job=$!
    begins $d/ended $d/point || { wait $job; return 1; }
    victims=($(pids $d/ended))
    kill "-$1" ${victims[1]}
    wait $job && grep -q '^stopped: .* by a signal' $d/ended.out && grep -q '^energy:' $d/ended.out
  }
  for n in TERM USR1; do try "SIG$n" ended $n; done
  try 'resumed after it' ranks 2 $d/later --resume $d/point --time 0.1
  try 'the time is over' grep -q '^stopped: .* time' $d/later.out

  # ---- what is said, and what is refused ----
  rm -f $d/table.json
  said() {
    ranks 2 $d/ranks $eight --sweeps 1600 --time 60 --progress --json $d/table.json &&
      grep -q '"program":"helium","ranks":2,.*"unit":"Gpairs/s"' $d/table.json && grep -q '^ *2 .* %' $d/ranks.out
  }
  try 'the table of ranks' said
  refused() { # WHY ARGUMENTS...
    local status=0
    run $mpirun -n 3 $h --output $d/refused "${@:2}" >/dev/null 2>$d/refused || status=$?
    grep '^helium' $d/refused
    [ $status != 0 ] && [ "$(grep -c '^helium' $d/refused)" = 1 ] && grep -q "^helium: .*$1" $d/refused && [ ! -e $d/refused.txt ]
  }
  size=$(stat -c %s $d/of_3)
  head -c 5000 $d/of_3 >$d/cut
  head -c 50 $d/of_3 >$d/stump
  cat $d/of_3 $d/cut >$d/long_one
  for at in 60 90000 $((size - 9)); do
    cp $d/of_3 $d/flipped
    printf "$(tail -c +$((at + 1)) $d/of_3 | head -c 1 | od -An -tu1 | awk '{ printf "\\%03o", ($1 + 64) % 256 }')" |
      dd of=$d/flipped bs=1 seek="$at" conv=notrunc status=none
    try "byte $at damaged" refused 'damaged\|version' --resume $d/flipped
  done
  try 'a cut checkpoint' refused 'cut off' --resume $d/cut
  try 'a stump' refused 'cut off' --resume $d/stump
  try 'a long checkpoint' refused 'longer' --resume $d/long_one
  try 'another file' refused 'no checkpoint of helium' --resume tests/run.sh
  try 'no file' refused 'cannot be read' --resume $d/nothing
  try 'no place' refused 'cannot be written' 8 --checkpoint $d/nothing/there
  try 'of another size' refused 'of 8 atoms' 9 --resume $d/of_3
  try 'another seed' refused 'the checkpoint says' --resume $d/of_3 --seed 6
  try 'nothing' refused usage
  try 'an unknown option' refused 'no such option' 8 --walker 3
  try 'three parameters' refused 'four numbers' 8 --trial 120,0,0.1
  try 'atoms that fly apart' refused 'hold the atoms together' 8 --minimise --trial 120,0,0,0
  try 'unknown hardware' refused 'unknown hardware' 8 --hw abacus
  no_device() { # more ranks than there are devices, or none, or a program without them: any rank may be the first to say so
    local status=0
    run $mpirun -n 3 $h 8 --hw cuda --output $d/refused >/dev/null 2>$d/refused || status=$?
    grep '^helium' $d/refused
    [ $status != 0 ] && grep -q '^helium: rank [0-2] of 3, on .*: cuda:[0-2]: ' $d/refused && [ ! -e $d/refused.txt ]
  }
  try 'no device' no_device
  total
}
