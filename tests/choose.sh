# Which parts there are, and which of them changed paths concern, as tests/parts.txt says: sourced by run.sh.
# shellcheck shell=bash disable=SC2053,SC2206 # patterns are meant

# The table: the parts in its order, when each runs, its patterns, those of sets put in.
parts_listed=()
declare -A when_of patterns_of
while read -r name rest; do
  case $name in
    '' | '#'*) continue ;;
    @*) ;;
    *) parts_listed+=("$name") when_of[$name]=${rest%% *} rest=${rest#"${rest%% *}"} ;;
  esac
  set -f
  for word in $rest; do
    case $word in
      @*) patterns_of[$name]+=" ${patterns_of[$word]:?tests/parts.txt has no set $word yet}" ;;
      *) patterns_of[$name]+=" $word" ;;
    esac
  done
  set +f
done <tests/parts.txt

# parts_of WHEN...: the parts that run then
parts_of() {
  local part
  for part in "${parts_listed[@]}"; do [[ " $* " != *" ${when_of[$part]} "* ]] || echo "$part"; done
}

# matches PATH PATTERNS: the last pattern that fits decides; those with a ! before them exclude.  A star stands for slashes, too.
matches() {
  local pattern found=1
  set -f
  for pattern in $2; do
    case $pattern in
      !*) [[ $1 != ${pattern#!} ]] || found=1 ;;
      *) [[ $1 != $pattern ]] || found=0 ;;
    esac
  done
  set +f
  return $found
}

# changed_paths REVISION: what differs from it, and files that git does not know yet
changed_paths() {
  git rev-parse -q --verify "$1^{commit}" >/dev/null || { echo "--changed: git knows no revision $1" >&2; return 1; }
  git diff --name-only --no-renames "$1" -- && git ls-files -o --exclude-standard
}

# touched PATH...: the parts that they concern; all of `make test` where one of them is in no part's list
touched() {
  local part path known=' ' found=''
  for part in $(parts_of make changed); do
    for path; do
      matches "$path" "${patterns_of[$part]}" || continue
      known+="$path "
      [ "${found##* }" = "$part" ] || found+=" $part"
    done
  done
  for path; do
    [[ $known == *" $path "* ]] || { parts_of make; return; }
  done
  [ -z "$found" ] || printf '%s\n' $found
}

# families_of PATH...: as CONVK_WITH_ names them, where what concerns processors is theirs alone; nothing where all are concerned
families_of() {
  local path families='' room
  for path; do
    if matches "$path" "${patterns_of[@one_family]}"; then
      case $path in src/*) room=${path#src/} ;; *) room=${path#tests/test_} ;; esac
      room=${room%%[/_.]*}
      case $room in
        pairs) room=vmc ;;
        mesh) room=formfactor ;;
        filters | wavelets | sums | hamiltonian) room=sepconv ;;
        grids | cells) room=gaussian ;;
        elementary | atoms | turns) return ;;
      esac
      families+=" ${room^^}"
    elif matches "$path" "${patterns_of[@all_families]}"; then
      return
    fi
  done
  # shellcheck disable=SC2086
  printf '%s\n' $families | sort -u
}
# operations_of FAMILY...: what the harness calls them, for its --filter
operations_of() {
  local family files
  for family; do
    files=$(ls tests/test_"${family,,}"*.c)
    [ "$family" != FORMFACTOR ] || files+=' tests/test_mesh.c'
    # shellcheck disable=SC2086
    grep -ohE '\{"[a-z0-9_]+", "[a-z0-9_]+", [a-z]' $files | cut -d'"' -f2
  done | sort -u | paste -sd,
}
