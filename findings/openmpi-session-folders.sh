#!/bin/sh
# Of Open MPI's launchers that begin and end side by side on one machine some fail: they share a folder, which the last one removes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
case $(uname -m) in x86_64) ;; *) { echo 'skipped: this is about x86-64'; exit 77; } ;; esac
# Debian 12's packages, unpacked here
apt-get download -qq openmpi-bin=4.1.4-3+b1 libopenmpi3=4.1.4-3+b1 openmpi-common=4.1.4-3 libpmix2=4.2.2-1+deb12u1 libhwloc15=2.9.0-1 \
  libevent-core-2.1-7=2.1.12-stable-8+deb12u1 libevent-pthreads-2.1-7=2.1.12-stable-8+deb12u1 ||
  { echo 'skipped: apt-get cannot download these versions'; exit 77; }
for package in ./*.deb; do dpkg -x "$package" .; done
libraries=$folder/usr/lib/x86_64-linux-gnu
export OPAL_PREFIX="$folder/usr" PMIX_INSTALL_PREFIX="$libraries/pmix2" OMPI_MCA_mca_base_component_path="$libraries/openmpi/lib/openmpi3"
export LD_LIBRARY_PATH="$libraries:$libraries/openmpi/lib:$libraries/pmix2/lib" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpirun=$folder/usr/bin/mpirun.openmpi
"$mpirun" --oversubscribe -n 1 true || { echo 'skipped: these packages want more of a system'; exit 77; }
echo "version: $("$mpirun" --version | head -n 1), Debian 4.1.4-3+b1"
echo 'expected: programs that have nothing to do with each other start always, in whatever folder sessions lie'
# The launchers meet at that folder on a busy machine alone: two loops for each processor, which end by themselves.
for _ in $(seq $((2 * $(nproc)))); do timeout 90 sh -c 'while :; do :; done' & busy="${busy:-} $!"; done
trap 'kill $busy 2>/dev/null; rm -rf "$folder"' EXIT
side_by_side() { # WHOSE: four rows of 40 launches; each row has the folder $folder/WHOSE, or one of its own
  for row in 1 2 3 4; do
    (
      export TMPDIR="$folder/$1"
      [ "$1" = shared ] || TMPDIR=$folder/$row
      mkdir -p "$TMPDIR"
      for _ in $(seq 40); do "$mpirun" --oversubscribe -n 1 true 2>>"$folder/$1.txt" || echo failed >>"$folder/$1.count"; done
    ) &
    rows="${rows:-} $!"
  done
  wait $rows
  rows=
  touch "$folder/$1.count"
  echo "$1: $(wc -l <"$folder/$1.count") of 160 failed"
}
side_by_side shared
grep -A 3 -m 1 'call to mkdir' "$folder/shared.txt" || true
side_by_side own
[ -s "$folder/shared.count" ] && [ ! -s "$folder/own.count" ] || { echo 'this has changed'; exit 1; }
echo 'as it was: mkdir finds the folder there that another launcher makes, or not there any more; TMPDIR gives each row one of its own'
