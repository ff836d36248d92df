# The reference: sourced by run.sh.
parts+=' docs docs_search'
features+=' docs chromium'

part_docs() {
  need docs python3 python3
  local made=$out/docs/made headers=$out/docs/headers page name
  rm -rf $out/docs
  mkdir -p $headers
  reference() { python3 docs/reference.py "$@" >$out/docs/said.txt 2>&1; }
  there() { grep -qF -e "$2" $made/$1.html; }
  faulty() { # WHAT IT SAYS, HOW TO CHANGE WHICH HEADER
    cp convk*.h $headers
    sed -i "$2" $headers/$3
    ! cmp -s $3 $headers/$3 && ! reference $out/docs/faulty $headers && grep -qxF -e "$1" $out/docs/said.txt && [ ! -e $out/docs/faulty ]
  }
  broken() { # WHAT IT SAYS, HOW TO CHANGE WHICH PAGE
    rm -rf $out/docs/broken
    cp -r $made $out/docs/broken
    sed -i "$2" $out/docs/broken/$3
    ! python3 docs/links.py $out/docs/broken >$out/docs/said.txt && grep -qxF -e "$1" $out/docs/said.txt
  }
  private() { grep -ohE '\bconvk_[a-z0-9_]*_\b($|[^&_a-z0-9<])' $made/*.html $made/names.js; }
  try 'the reference is made' reference $made || { cat $out/docs/said.txt; total; }
  try 'its links lead somewhere' python3 docs/links.py $made
  try 'no private names' [ -z "$(private)" ]
  for name in $(sed -n 's/^   \([A-Z][A-Z, -]*[A-Z]\)\( (.*\)\{0,1\}$/\1/p' src/core/manual.h | tr 'A-Z ' 'a-z-' | tr -d ,); do
    try "the manual's section $name" there index "<h2 id=\"$name\">"
  done
  for name in $(sed -n 's/^  op([a-z]*, REAL, \([a-z0-9_]*\), .*/\1/p' src/*/api.h); do
    page=$(basename "$(dirname "$(grep -l "^  op([a-z]*, REAL, $name, " src/*/api.h)")")
    try "$name in f32 and f64" there $page "<span id=\"convk_${name}_f32\">" && there $page "<span id=\"convk_${name}_f64\">"
  done
  try 'complex convolutions' there fft '<span id="convk_fftconv2d_c64">'
  try 'calls on arrays of CUDA devices' there cuda '<span id="convk_cuda_vmc_sweeps_f32">'
  try 'calls on buffers of OpenCL' there opencl '<span id="convk_cl_gridpot_f64">'
  try 'a table of arguments' there sepconv '<tr><th>out_grid</th><td>has the sizes that'
  try 'formulas keep their lines' there stencil '<pre>B(x,y,z) = centre A(x,y,z) + x_minus A(x-1,y,z)'
  try 'fields of a struct' there handle '<tr><th>char name[24];</th><td>"avx2", "opencl", ...</td></tr>'
  try 'tuning parameters' there tuning '<th id="stencil_planes">'
  try 'status codes' there status '<tr id="CONVK_ERR_RIM">'
  try 'examples' there examples '<h3 id="heat.c">'
  try 'the same again' reference $out/docs/again && diff -r $made $out/docs/again

  try 'a function without a comment' faulty 'no comment: convk_bare_f64' '/^\/\* The text of a status code/i CONVK_API_ int convk_bare_f64(int n);\n' convk.h
  try 'an operation without a comment' faulty 'no comment: convk_exp_f64' '/^\/\* y\[i\] = exp(x\[i\]) for/,/\*\/$/d' convk.h
  try 'a struct without a comment' faulty 'no comment: convk_cl_array' '/^\/\* An array within a buffer/d' convk_cl.h
  try 'a constant without a comment' faulty 'no comment: CONVK_BARE' '/^\/\* What a filter may have/i enum { CONVK_BARE = 1 };\n' convk.h
  try 'a define that the manual does not have' faulty 'no comment: CONVK_UNTOLD' '$a #ifdef CONVK_UNTOLD\n#endif' convk_cuda.h
  try 'a tuning parameter without a comment' faulty 'no comment: hw.tuning.gaussian_points' '/^\/\* points in a block of gridpot/d' convk.h
  try 'a comment that names what there is not' faulty 'a comment names what there is not: handle: convk_last_touch' 's/see convk_first_touch/see convk_last_touch/' convk.h
  try 'a parameter that there is not' faulty 'a comment names what there is not: sepconv: tuning.sepconv_row' 's/tuning.sepconv_rows is/tuning.sepconv_row is/' convk.h
  try 'a page that is not there' broken 'status.html: no file units.html' 's/href="tuning.html"/href="units.html"/' status.html
  try 'an anchor that is not there' broken 'sepconv.html: no anchor status.html#CONVK_ERR_TAP' 's/#CONVK_ERR_TAPS/#CONVK_ERR_TAP/' sepconv.html
  try 'an anchor that is there twice' broken 'status.html: twice #CONVK_OK' 's/CONVK_ERR_RIM/CONVK_OK/' status.html
  try 'a search that leads nowhere' broken 'search: no anchor vmath.html#convk_exq' 's/#convk_exp"/#convk_exq"/' names.js
  total
}

# In a browser: the script is run, and what it writes is looked at.
part_docs_search() {
  need chromium chromium chromium
  local made=$out/docs_search
  python3 docs/reference.py $made
  found() { # WORDS, WHERE THE FIRST RESULT LEADS
    timeout 60 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$PWD/$made/profile" --virtual-time-budget=2000 \
      --dump-dom "file://$PWD/$made/vmath.html?q=$1" 2>/dev/null >$made/dom.txt
    grep -oE '<ol><li( class="none")?>(<a href="[^"]*"|[a-z ]*)' $made/dom.txt | grep -qE "$2\"?$"
  }
  try 'a name' found convk_sincos_f64 'vmath.html#convk_sincos'
  try 'a part of a name' found conv2d_plan 'fft.html#convk_fftconv2d_plan'
  try 'words of a text' found 'taps%20fewer' 'status.html#CONVK_ERR_TAPS'
  try 'what there is not' found abacus 'nothing found'
  rm -rf $made/profile
  total
}
