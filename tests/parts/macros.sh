# Macros of a program, such as -DGPU or -DBLOCK=8, must not change what the headers say: sourced by run.sh.

# Names in capitals that scientific codes, their makefiles and the headers that they include define.
their_macros='GPU CUDA CPU HIP OPENCL MPI OMP OPENMP ACC SIMD SSE SSE2 AVX AVX2 AVX512 NEON VECTOR THREADS HOST DEVICE KERNEL
  A B C D E F G H J K L M N O P Q R S T U V W X Y Z R0 R1 NX NY NZ DIM DIMS NDIM SIZE COUNT LENGTH MAX MIN ABS SWAP SQR PI EPS TOL
  BLOCK TILE CHUNK STEP STRIDE ROWS COLS COLUMNS WIDTH HEIGHT DEPTH LANES GROUP PARTS POINTS PAD HALF FULL ALL FEW MOST EACH NEXT
  REAL COMPLEX IMAG DOUBLE FLOAT SINGLE PRECISION F32 F64 TYPE KIND ORDER MODE FLAG DEBUG VERBOSE TRACE TIMING PROFILE TEST CHECK
  LOG EXP SIN COS LIST TABLE PAIR PAIRS SIDE EVEN ODD MORE LESS LATE BACK WAY WAVE TAPS TAIL SEGMENT SETS SLOTS SUMS STRIP
  SEPCONV STENCIL VMATH GAUSSIAN FORMFACTOR DISTANCES AMPLITUDES FFT VMC DENSITY ENERGY FORCE PLANES PREFETCH GCC CLANG INTEL STDC ON OFF DEFAULT'
# And those of <windows.h>, <complex.h>, Qt, X11 and old compilers.
their_macros+=' near far small huge hyper interface pascal cdecl stdcall byte boolean string uuid NEAR FAR PASCAL CDECL IN OUT OPTIONAL
  ERROR TRUE FALSE DELETE VOID CONST STRICT NO_ERROR DIFFERENCE CALLBACK WINAPI APIENTRY TEXT ABSOLUTE RELATIVE OPAQUE TRANSPARENT
  IGNORE INFINITE OVERFLOW UNDERFLOW DOMAIN ECHO I complex imaginary linux unix mips sun TWO_PI B0 Bool Status True False None Success
  Always YES NO Nil environ signals slots emit foreach forever min(a,b) max(a,b) abs(x) round(x) sq(x) bit(x) check(x) verify(x)
  require(x) major(x) minor(x)'

# Names in capitals without CONVK_ in texts, one a line, of files or of what the preprocessor made of them: there its line markers
# tell which text is ours.  Comments, strings, pragmas and messages do not count.
capitals() { # FILES...
  awk '
    FNR == 1 { comment = 0; ours = 1 }
    /^# [0-9]+ "/ { ours = $3 ~ /convk[a-z_]*\.h"/; next }
    !ours { next }
    {
      text = $0
      kept = ""
      while (text != "")
        if (comment) {
          comment = !(at = index(text, "*/"))
          text = comment ? "" : substr(text, at + 2)
          kept = kept " "
        } else if (match(text, /\/\*|\/\/|"([^"\\]|\\.)*"|'\''([^'\''\\]|\\.)+'\''/)) {
          kept = kept substr(text, 1, RSTART - 1) " "
          comment = substr(text, RSTART, 2) == "/*"
          text = substr(text, RSTART, 2) == "//" ? "" : substr(text, RSTART + RLENGTH)
        } else {
          kept = kept text
          text = ""
        }
      if (kept !~ /[A-Z]/ || kept ~ /^ *# *(include|error|warning|pragma) /) next
      gsub(/CONVK_PRAGMA_\((GCC|STDC FP_CONTRACT (OFF|DEFAULT)) ?/, "", kept)
      gsub(/[^A-Za-z0-9_]+/, " ", kept)
      count = split(kept, word, " ")
      for (i = 1; i <= count; i++) if (word[i] ~ /^[A-Z][A-Z0-9_]*$/ && word[i] !~ /^CONVK_/) seen[word[i]] = 1
    }
    END { for (name in seen) print name }' "$@" | sort
}
# What the headers of C, of the system, of OpenCL and of CUDA define.
of_systems='NULL PTRDIFF_MAX UINT32_C UINT64_C CLOCKS_PER_SEC CLOCK_MONOTONIC MADV_HUGEPAGE CL_[A-Z0-9_]* CUDARTAPI CUDART_VERSION'
none_of_ours() { # FILES...
  local names
  names=$(capitals "$@" | grep -vxE "${of_systems// /|}") || return 0
  echo "in capitals without CONVK_:" $names
  false
}
planted_name() { # TEXT
  printf '%b\n' "$1" >$out/macros/planted.h
  ! none_of_ours $out/macros/planted.h
}

part_macros() {
  decided
  local d=$out/macros h said='-fsyntax-only -w -I. -Itests' all=-DCONVK_WITH_ALL c=$CC cxx=$CXX
  mkdir -p $d
  if command -v clang++ >/dev/null; then c=clang cxx=clang++; fi # which read in half the time
  for h in convk*.h; do try "names in $h" none_of_ours $h; done
  try 'planted: an enumerator' planted_name 'enum { GPU = 1 };'
  try 'planted: one letter' planted_name 'template <class T> T convk_cuda_max_(T a, T b);'
  try 'planted: what a macro is made of' planted_name '#define CONVK_LIST_(op) /* all */ \\\n  op(a, "b", REAL)'
  try 'planted: a condition' planted_name '  #ifdef DEBUG'
  try 'planted: after comments' planted_name '/* a\n b */ int ROWS; // B'
  try 'what is no name' eval "! planted_name '/* ROWS\n ROWS */ char a = '\''\"'\'', *b = \"ROWS \\\\\" ROWS\", c = '\''A'\''; // ROWS\n#error ROWS\n#pragma GCC x\nint x = 0XFF;'"

  {
    printf '#include <%s>\n' stdarg.h stddef.h stdint.h stdio.h stdlib.h string.h time.h sys/mman.h sys/time.h
    echo '#if defined __x86_64__ || defined __i386__'
    echo '#include <immintrin.h>'
    echo '#endif'
    printf '#ifdef CONVK_%s\n#include "%s"\n#endif\n' CL CL/cl.h CUDA cuda_emulator.h
    # shellcheck disable=SC2086
    printf '%s\n' $their_macros | sed 's/\([^(]*\).*/#undef \1\n#define & 0 (/'
    printf '#ifndef CONVK_CUDA\n#define CONVK_SIMD\n#endif\n#include "convk.h"\n'
  } >$d/theirs.c
  cp $d/theirs.c $d/theirs.cpp
  # The text of both types is one, so each language has one of them; what ## makes is seen where macros are expanded.
  local host="$all -DCONVK_F64"
  if echo '#include <CL/cl.h>' | $c -x c -E - >/dev/null 2>&1; then host+=" $cl"; else without opencl 'the host side of OpenCL' 'Debian package opencl-headers'; fi
  expanded() { # LANGUAGE COMPILER FLAGS...
    printf '#ifndef CONVK_CUDA\n#define CONVK_SIMD\n#endif\n#include "convk.h"\n' >$d/ours.c
    "${@:2}" -w -I. -Itests -E -x "$1" $d/ours.c >$d/ours.txt && grep -q convk_open $d/ours.txt && none_of_ours $d/ours.txt
  }
  # shellcheck disable=SC2086
  {
    try 'names, expanded' expanded c $c -std=c99 $host
    try 'macros of a program' $c -std=c99 $said $host $d/theirs.c
    if command -v "$cxx" >/dev/null; then
      try 'names, expanded, CUDA' expanded c++ $cxx -std=c++11 $all -DCONVK_F32 -DCONVK_CUDA -include cuda_emulator.h
      try 'macros of a program, CUDA' $cxx -std=c++11 $said $all -DCONVK_F32 -DCONVK_CUDA $d/theirs.cpp
    else
      without c++ 'macros of a program, CUDA' 'Debian package g++'
    fi
  }
  total
}
