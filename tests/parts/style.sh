# The format of sources, what clang-tidy finds, and headers that are joined: sourced by run.sh.

# Other versions of clang-format break other lines.
part_format() {
  need clang-format clang-format clang-format
  clang-format --version | grep 'version 14\.' || skip clang-format 'clang-format 14, as in Debian 12'
  tests/style.sh format
}

part_lint() {
  need clang-tidy clang-tidy clang-tidy
  JOBS=1 tests/style.sh lint
}

# The headers at the top are what src/ makes.
part_headers() {
  local h differ
  differ=$(MADE=$out/headers NAMES=$out/headers_names src/headers.sh --check) || true
  for h in convk.h convk_*.h; do
    try "$h (if not: edit src/, then make headers)" eval "[ -s $out/headers/$h ] && ! grep -qxF $h <<<'$differ'"
  done
  for h in convk*.h; do try "$h has the licence at its head" licensed "$h"; done
  for h in 'int convk_density_f32(' 'int convk_density_f64(' 'int convk_fft2d_c64(' 'int convk_tune('; do
    try "convk.h has a prototype '$h'" grep -qF "CONVK_API_ $h" convk.h
  done
  try 'and a struct' grep -qF 'typedef struct convk_sepconv_epilogue_f64 {' convk.h
  try 'a line for a call on a queue' grep -qF '     int convk_cl_exp_f64(' convk_cl.h
  try 'and for one on a stream' grep -qF '     int convk_cuda_exp_f64(' convk_cuda.h
  total
}
