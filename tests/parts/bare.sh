# The two commands of README.md on a bare Debian, which has gcc, make and the C library: sourced by run.sh.
features+=' debootstrap'

# Sets root, a folder with this release of Debian and these packages, which is kept: whoever deletes build/FOLDER gets a new one.
debian() { # FOLDER RELEASE PACKAGES, with commas
  local mirror made=$PWD/build/$1
  need debootstrap debootstrap debootstrap
  root=$made/root
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' "Created-By: Packages" 2>/dev/null |
    awk -v r="$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" '$2 == r { print $1; exit }') || true
  unshare --mount --pid --fork chroot / true 2>/dev/null || skip debootstrap 'a system that lets root change its root'
  [ "$(cat "$made/made" 2>/dev/null)" != "$2 $3" ] || return 0
  rm -rf "$root" "$made/made"
  mkdir -p "$made"
  for _ in 1 2; do # where the network fails once
    ! debootstrap --variant=minbase "--include=$3" "$2" "$root" ${mirror:+"$mirror"} >"$made/log.txt" 2>&1 || break
    rm -rf "$root"
  done
  [ -x "$root/usr/bin/gcc" ] || skip debootstrap "a mirror of Debian: $(tail -n 1 "$made/log.txt")"
  echo "$2 $3" >"$made/made"
}

part_bare() {
  local root said=$out/bare.txt list
  debian bare "$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)" gcc,make,libc6-dev
  rm -rf "$root/src"
  mkdir "$root/src"
  tree | tar cf - -T - | tar xf - -C "$root/src"
  inside() { # COMMAND: in a world of its own, which ends with it; unshare itself ends by no other signal than KILL
    local status=0
    timeout --foreground -k 9 1500 unshare --mount --pid --fork --kill-child --mount-proc="$root/proc" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      HOME=/root TEST_SMOKE=1 CFLAGS=-O0 JOBS=1 chroot "$root" bash -c "cd /src && $1" >$said 2>&1 || status=$?
    sed 's/^/  /' $said # indented: its sums are not ours
    return $status
  }
  says() { grep -qE "$1" $said; }
  for f in g++ clang python3 git cmake pkg-config; do
    try "there is no $f" [ -z "$(ls "$root"/usr/{,local/}bin/$f 2>/dev/null)" ]
  done
  try 'make demo' inside 'make demo'
  try 'its picture' says '^picture: .*build/orbital.ppm'
  try 'make test' inside 'make test'
  try 'all parts' says '^[0-9]+ passed, 0 failed, [0-9]+ skipped'
  # what is skipped names packages of Debian, which debootstrap has left a list of
  list=$(ls "$root"/var/lib/apt/lists/*_main_binary-*_Packages | head -n 1)
  sed -n 's/^Package: //p' "$list" | sort >$out/bare_packages.txt
  try 'a list of packages' grep -qx g++ $out/bare_packages.txt
  try 'every skip names one' eval "! grep -E '^ *\|? *skipped' $said | grep -v 'Debian package'"
  # and so do those that are not met here, as the parts' text has them
  try 'names of packages' eval "bare_skips | cat $said - | bare_names >$out/bare_named.txt && [ \$(wc -l <$out/bare_named.txt) -gt 30 ]"
  try 'which there are' eval "! comm -23 $out/bare_named.txt $out/bare_packages.txt | grep ."
  total
}
# What the parts say where a tool is missing, but for what a variable names.
bare_skips() {
  local texts
  texts=$(ls tests/parts/*.sh tests/words.sh tests/compile.sh tests/modes.sh | grep -v bare.sh)
  # shellcheck disable=SC2086
  sed -nE "s/^ *need [^ ]+ [^ ]+ '?([^'\"\$]+)'?$/Debian package \1/p" $texts
  # shellcheck disable=SC2086
  grep -ohE "Debian packages? [^'\"\$]+" $texts | grep -v nvidia | sed 's/ to .*//'
}
# The packages that lines of standard input name, one a line; those that are not free are not in the list.
bare_names() {
  grep -oE 'Debian packages? .*' | sed -E 's/Debian packages? //; s/:.*//; s/[^ ]+ \(non-free\)//; s/ \([^()]*\)//g; s/, or Python.*//; s/, of PyPI.*//; s/[^a-z0-9+.{}, -]//g' |
    while read -r line; do eval "printf '%s\n' $line"; done | sed 's/,$//' | grep -vxE '|or|and' | sort -u # of python3-{pip,wheel}
}
