#!/bin/bash
# Joins src/ into the headers, and makes the rooms that list what they declare and what names have in passes:
#   src/headers.sh [--check]
#   --check   only names the files that src/ makes otherwise
# In the environment: CC, CFLAGS.  Needs a C compiler alone.
set -u
cd "$(dirname "$0")/.." || exit 1
made=${MADE:-build/headers}
lists='core/list.h device/opencl_list.h device/cuda_list.h'
headers=$(cd src && echo convk*.h)
operations=core/operation_types.h # where the lists of operations become prototypes
mkdir -p "$made/core" "$made/device" "$made/stubs/sys" "$made/stubs/CL" || exit 1
for tool in names join list; do
  # shellcheck disable=SC2086
  ${CC:-cc} -std=c99 ${CFLAGS:--O1} "src/$tool.c" -o "$made/$tool" || exit 1
done
differ=
place() { # MADE PLACE
  cmp -s "$1" "$2" && return
  if [ "${check:-}" ]; then
    echo "$2"
    differ=1
  else
    cp "$1" "$2"
  fi
}
[ "${1:-}" != --check ] || check=1

rooms='core sepconv stencil vmath gaussian formfactor fft pairs' # which have names
for r in $rooms; do
  mkdir -p "$made/$r"
  "$made/names" src "$r" begin >"$made/$r/names.h" && "$made/names" src "$r" end >"$made/$r/names_end.h" || exit 1
  place "$made/$r/names.h" "src/$r/names.h"
  place "$made/$r/names_end.h" "src/$r/names_end.h"
done

# The system's headers are empty here: what they declare is not ours.
for h in stdarg stddef stdint stdlib string time stdio sys/mman sys/time CL/cl cuda_runtime_api; do : >"$made/stubs/$h.h"; done

# Asks the preprocessor for what a header declares, under a title and with the rooms that it is about.
part() { # TITLE ROOMS HEADER FLAGS...
  printf '\nLIST %s\nROOMS %s\n' "$1" "$2"
  printf '#define CONVK_DECLARE\n#include "src/%s"\n' "$3" |
    ${CC:-cc} -E -nostdinc -I. -Isrc -I"$made/stubs" -D__x86_64__ "${@:4}" -x c - || exit 1
}
families='sepconv stencil vmath gaussian formfactor fft pairs'
define() { # FAMILY
  if [ "$1" = pairs ]; then echo -DCONVK_WITH_VMC; else echo "-DCONVK_WITH_$(tr '[:lower:]' '[:upper:]' <<<"$1")"; fi
}
title() { # FAMILY: and its define where the name is another
  if [ "$1" = pairs ]; then echo 'pairs, CONVK_WITH_VMC'; else echo "$1"; fi
}
# The operations of a family come from one list, so that each family is asked for alone.
functions() {
  local f
  part 'all families' 'core/ tuner/' convk.h -DCONVK_WITH_VMATH
  for f in $families; do part "$(title "$f")" "$operations $f/" convk.h "$(define "$f")"; done
  printf '\nLISTED\n'
}
calls() { # HEADER PREFIX
  local f
  part 'all families' "device/$2" "$1"
  for f in $families; do part "$(title "$f")" "$f/$2 $f/device_api.h $f/dwt_device_api.h $f/sum_device_api.h $f/cheb_device_api.h $f/hamiltonian_device_api.h" "$1"; done
  printf '\nLISTED\n'
}
room() { # FILE HEAD: of the list that comes in
  local body
  body=$("$made/list") && printf '/* %s\n%s\n*/\n' "$2" "$body" >"$made/$1" || exit 1
}

functions | room core/list.h "FUNCTIONS AND STRUCTS
   Every one that is declared below, on a line of its own: made by make headers, for those who search.  What each does stands in
   <family>/api.h and types.h, further below.  Operations also exist for one hardware, with its name at the end:
   convk_exp_f64_avx2.  One function is a macro: int convk_open(convk *hw, const char *spec)."
calls convk_cl.h opencl | room device/opencl_list.h "FUNCTIONS AND STRUCTS
   Every one that is declared below, on a line of its own: made by make headers, for those who search."
calls convk_cuda.h cuda | room device/cuda_list.h "FUNCTIONS AND STRUCTS
   Every one that is declared below, on a line of its own: made by make headers, for those who search."

for f in $lists; do place "$made/$f" "src/$f"; done
for f in $headers; do
  "$made/join" src "$f" >"$made/$f" || exit 1
  place "$made/$f" "$f"
done
[ -z "$differ" ]
