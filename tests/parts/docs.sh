# The reference: sourced by run.sh.
features+=' sphinx chromium'

part_docs() {
  need sphinx sphinx-build 'python3-sphinx furo python3-myst-parser'
  local made=$out/docs/made headers=$out/docs/headers said=$out/docs/said.txt page name
  rm -rf $out/docs
  mkdir -p $headers
  reference() { python3 docs/reference.py "$@" >$said 2>&1; }
  there() { # PAGE, TEXTS
    local page=$made/$1.html text
    shift
    for text; do grep -qF -e "$text" $page || return; done
  }
  fault() { # HOW TO CHANGE WHICH HEADER
    cp $headers/$2 $headers/before
    sed -i "$1" $headers/$2
    ! cmp -s $headers/before $headers/$2
  }
  private() { grep -ohE '\bconvk_[a-z0-9_]*_\b($|[^&_a-z0-9<])' $made/*.html; }
  cpp_lines() { # what the head of convk.hpp shows
    local head=$out/docs/head.cpp lines
    lines() { sed -n '/^[^/]/q; s|^//   \(.*[;}].*\)|\1|p' examples/adapters/convk.hpp | grep -F ';' | sed -n "$1"; }
    {
      printf '#include <vector>\n#include "examples/adapters/convk.hpp"\nvoid one(std::size_t n) {\n'
      lines 1,4p
      printf '}\nconst char *two(std::vector<double> &x, std::vector<double> &y) {\n'
      lines 5,7p
      printf 'return 0;\n}\n'
    } >$head
    grep -q 'hw->exp' $head && "$CXX" -std=c++17 $warn -Werror -fsyntax-only -DCONVK_F64 -DCONVK_WITH_SEPCONV -DCONVK_WITH_VMATH -I. $head
  }
  [ -z "$long" ] || try 'the reference is made' reference $made
  # Otherwise one run, because Sphinx takes seconds, of headers whose comments name what there is not: it makes all pages, and says
  # nothing else.
  cp convk*.h $headers
  try 'a change of a function named' fault 's/see convk_first_touch/see convk_last_touch/' convk.h
  try 'a change of a parameter named' fault 's/tuning.sepconv_rows is/tuning.sepconv_row is/' convk.h
  try 'a change of a section named' fault 's/see MODES/see MOODS/' convk.h
  try 'a change of a type' fault 's/convk_strerror(int status)/convk_strerror(convk_status status)/' convk.h
  try 'comments that name what there is not' eval '! reference $made $headers'
  for name in convk_last_touch convk_tuning.sepconv_row moods convk_status; do
    try "$name is not there" grep -q "reference target not found: $name\$" $said
  done
  try 'everything else is there' eval '! grep -vE "target not found: (convk_last_touch|convk_tuning.sepconv_row|moods|convk_status)\$" $said'
  try 'no private names' [ -z "$(private)" ]
  try 'nothing is loaded from elsewhere' [ -z "$(grep -hoE '(src="|<link [^>]*href=")(https?:)?//[^"]*' $made/*.html)" ]
  for name in $(sed -n 's/^   \([A-Z][A-Z, -]*[A-Z]\)\( (.*\)\{0,1\}$/\1/p' src/core/manual.h | tr 'A-Z ' 'a-z-' | tr -d ,); do
    try "the manual's section $name" there index "id=\"$name\""
  done
  for name in $(sed -n 's/^  op([a-z]*, REAL, \([a-z0-9_]*\), .*/\1/p' src/*/api.h); do
    page=$(basename "$(dirname "$(grep -l "^  op([a-z]*, REAL, $name, " src/*/api.h)")")
    try "$name in f32 and f64" there $page "id=\"c.convk_${name}_f32\"" "id=\"c.convk_${name}_f64\""
  done
  try 'complex convolutions' there fft 'id="c.convk_fftconv2d_c64"'
  try 'calls on arrays of CUDA devices' there pairs 'id="c.convk_cuda_vmc_sweeps_f32"'
  try 'calls on buffers of OpenCL' there gaussian 'id="c.convk_cl_gridpot_f64"'
  try 'a function that is a macro' there handle 'id="c.convk_open"'
  try 'a define' there index 'id="c.CONVK_WITH_FFT"'
  try 'a table of arguments' there filters '<th class="stub"><p>filter</p></th>'
  try 'formulas keep their lines' there stencil '<pre class="literal-block">B(x,y,z) = centre A(x,y,z) + x_minus A(x-1,y,z)'
  try 'a link' there filters 'href="status.html#c.CONVK_ERR_THREADS"'
  try 'fields of a struct' there handle 'id="c.convk.name"' '&quot;avx2&quot;, &quot;opencl&quot;, ...'
  try 'tuning parameters' there tuning 'id="c.convk_tuning.stencil_planes"'
  try 'status codes' there status 'id="c.CONVK_ERR_RIM"'
  try 'examples' there examples '<section id="heat-c">'
  for name in $(sed -n '/^__all__/,/^]/s/^ *"\(\w*\)",$/\1/p' examples/python/convk/__init__.py); do
    try "Python's $name" there python "id=\"convk.$name\""
  done
  try 'a method of Python' there python 'id="convk.Hardware.magicfilter3d"' 'id="convk.Vmc.run"'
  try 'methods of C++' there cpp 'hw.exp(n,' 'hw.fft2d_prepare&lt;double&gt;(rows,' 'hw.vmc_work_size&lt;double&gt;(vmc)' 'cvk::quiet_handle'
  if command -v "$CXX" >/dev/null; then try 'lines of C++' cpp_lines; fi
  try 'many processes' there processes '<section id="slurm">'
  try 'all operations' there operations '<section id="words">'
  try 'questions' there questions '<section id="how-do-i-use-two-threads">' 'href="building.html#what-compiling-costs"'
  try 'a name of a page leads to the reference' there which 'href="vmath.html#c.convk_exp_f64"'
  shown() { python3 docs/code.py >$out/docs/code.c && $CC -std=c99 $warn -fsyntax-only -Wno-unused -I. $out/docs/code.c; }
  try 'the C of the pages' shown

  # What has no comment is named in one run, before there is a page.
  cp convk*.h $headers
  rm -rf $out/docs/package && cp -r examples/python $out/docs/package
  : >$out/docs/bare.txt
  bare() { # NAMES, HOW TO CHANGE WHICH HEADER
    # shellcheck disable=SC2086
    printf 'no comment: %s\n' $1 >>$out/docs/bare.txt
    fault "$2" $3
  }
  undocumented() { # NAME, HOW TO CHANGE THE PACKAGE
    echo "no docstring: $1" >>$out/docs/bare.txt
    sed -i "$2" $out/docs/package/convk/*.py
  }
  try 'a function without a comment' bare convk_bare_f64 '/^\/\* The text of a status code/i CONVK_API_ int convk_bare_f64(int n);\n' convk.h
  try 'an operation' bare 'convk_exp_f32 convk_exp_f64' '/^\/\* y\[i\] = exp(x\[i\]) for/,/\*\/$/d' convk.h
  try 'a struct' bare convk_cl_array '/^\/\* An array within a buffer/d' convk_cl.h
  try 'a constant' bare CONVK_BARE '/^\/\* What a filter may have/i enum { CONVK_BARE = 1 };\n' convk.h
  try 'a define that the manual does not have' bare CONVK_UNTOLD '$a #ifdef CONVK_UNTOLD\n#endif' convk_cuda.h
  try 'a tuning parameter' bare hw.tuning.gaussian_points '/^\/\* points in a block of gridpot/d' convk.h
  try 'a function of Python' undocumented convk.open '/^    """Opens a variant/,/^    """$/d'
  try 'a method of Python' undocumented convk.Hardware.close '/"""Ends the use of the handle/d'
  try 'what has no comment' eval '! reference $out/docs/faulty $headers $out/docs/package && [ ! -e $out/docs/faulty ]'
  try 'is named, and nothing else' diff <(sort $said) <(sort $out/docs/bare.txt)
  total
}

# In a browser: the script of the search is run, and where its results lead is looked at.
part_docs_search() {
  need sphinx sphinx-build 'python3-sphinx furo python3-myst-parser'
  need chromium chromium chromium
  local made=$out/docs_search
  python3 docs/reference.py $made
  results() { # WORDS
    timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/$made/profile" --virtual-time-budget=5000 \
      --dump-dom "file://$PWD/$made/search.html?q=$1" 2>/dev/null >$made/dom.txt
    grep -oE '<li[^>]*><a href="[^"]*"' $made/dom.txt | sed 's/.*href="//; s/?[^#"]*//'
  }
  found() { results "$1" | head -3 | grep -qxF "$2\""; } # WORDS, WHERE ONE OF THE FIRST RESULTS LEADS
  try 'a name' found convk_sincos_f64 vmath.html#c.convk_sincos_f64
  try 'a name without its type' found magicfilter3d filters.html#magicfilter3d
  try 'a part of a name' found conv2d_prepare fft.html#c.convk_fftconv2d_prepare_f64
  try 'words of a text' found taps+fewer status.html
  try 'what there is not' eval '[ -z "$(results abacus)" ] && grep -q "did not match any documents" $made/dom.txt'
  rm -rf $made/profile
  total
}

# A fragment is put between declarations and an empty main.
snippet() { # NAME: a program from standard input
  cat >"$out/$1.c"
  [ -s "$out/$1.c" ] || { echo 'nothing found'; return 1; }
  grep -q '\<main *(' "$out/$1.c" || echo 'int main(void) { return 0; }' >>"$out/$1.c"
  $CC -std=c99 $warn $CFLAGS $lean -I. "$out/$1.c" -o "$out/$1" -lm
  run "$out/$1"
}

part_manual() { sed -n '/^ *IN TEN LINES/,/^ *cc /{/IN TEN LINES/d;/^ *cc /d;p;}' convk.h | snippet manual; }

part_readme() {
  there readme README.md
  # the first C block with a main, or else the first
  awk '/^```c$/ { inside = 1; text = ""; next }
       /^```/ && inside { inside = 0; if (first == "") first = text; if (text ~ /main *\(/) { found = text; exit } }
       inside { text = text $0 "\n" }
       END { printf "%s", found != "" ? found : first }' README.md | snippet readme
}
