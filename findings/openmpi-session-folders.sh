#!/bin/sh
# Of Open MPI's launchers that begin and end side by side on one machine some fail: they share a folder, which the last one removes.
set -eu
command -v mpirun >/dev/null && mpirun --version | grep -q 'Open MPI) 4\.' || { echo "Debian package openmpi-bin, with an Open MPI 4"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "version: $(mpirun --version | head -n 1)"
echo 'expected: programs that have nothing to do with each other start always, in whatever folder sessions lie'
side_by_side() { # WHOSE: four rows of 40 launches; each row has the folder $folder/WHOSE, or one of its own
  for row in 1 2 3 4; do
    (
      export TMPDIR="$folder/$1"
      [ "$1" = shared ] || TMPDIR=$folder/$row
      mkdir -p "$TMPDIR"
      for _ in $(seq 40); do mpirun --oversubscribe -n 1 true 2>>"$folder/$1.txt" || echo failed >>"$folder/$1.count"; done
    ) &
  done
  wait
  touch "$folder/$1.count"
  echo "$1: $(wc -l <"$folder/$1.count") of 160 failed"
}
side_by_side shared
grep -A 3 -m 1 'call to mkdir' "$folder/shared.txt" || true
side_by_side own
[ -s "$folder/shared.count" ] && [ ! -s "$folder/own.count" ] || { echo 'this has changed'; exit 1; }
echo 'as it was: mkdir finds the folder there that another launcher makes, or not there any more; TMPDIR gives each row one of its own'
