/* ---- small squares: a thread holds a whole line in registers ---- */

/* A square of radix0_ radix1_ points.  half_: 1: only the first half of all rows and columns are there, 2: are wanted. */
template <class real_, int radix0_, int radix1_, int is_real_, int transforms_, int half_> struct convk_cuda_fft_square_ {
  enum {
    side = radix0_ * radix1_,
    radix0 = radix0_,
    radix1 = radix1_,
    parts = radix0_, /* of radix1 points each, after the first pass */
    real = is_real_,
    transforms = transforms_,
    half_in = half_ & 1,
    in = half_ & 1 ? side / 2 : side, /* points that may be there, and be wanted, */
    out = half_ & 2 ? side / 2 : side,
    in_least = half_ & 1 ? 1 : side / 2 + 1, /* and so many that are, whatever the plan */
    out_least = 1,
    lines = is_real_ ? side / 2 + 1 : side,
    pitch = lines | 1,          /* complex numbers from column to column of lines, of real ones to the next but one */
    in_order = 1,               /* frequencies of a transform in shared memory */
    tile = in > out ? in : out, /* columns */
    odd = is_real_ ? tile / 2 * pitch : pitch, /* complex numbers from an even column to the next, */
    next = is_real_ ? pitch : 2 * pitch,       /* and to the one after that */
    spectrum = (lines + CONVK_FFT_PAD_ - 1) / CONVK_FFT_PAD_ * CONVK_FFT_PAD_,
    /* Items of a block, at most: as many as 128 threads have lines for, one thread per line, in 64 KB. */
    bytes = tile * pitch * 2 * sizeof(real_),
    each = 128 / lines < 65536 / bytes ? 128 / lines : 65536 / bytes,
    threads = (each * lines + 31) / 32 * 32,
    registers = 2 * side * sizeof(real_) / 4, /* of a line */
    /* Threads of a multiprocessor: as many as the compiler finds registers for without spilling any (see audit_cuda.py). */
    light = sizeof(real_) == 4,
    late = CONVK_CUDA_ARCH_ >= 1200, /* where the same text takes more of them */
    together = registers <= 32   ? 768
               : registers <= 64 ? (sizeof(real_) == 8 && late ? 384 : 512)
                                 : (light && !late ? 384 : 256),
    blocks = together / threads
  };
};

/* exp(-2 pi i turn / side) to 1.1 ulp, as plans have it: 12, 20 and 28 points share tables with 48, 40 and 56. */
template <int side_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_root_of_(int turn, real_ *re, real_ *im) {
  const double cosine[4][9] = {
      {1, 0.99518472667219693, 0.98078528040323043, 0.95694033573220882, 0.92387953251128674, 0.88192126434835505,
       0.83146961230254524, 0.77301045336273699, 0.70710678118654746},
      {1, 0.99144486137381038, 0.96592582628906831, 0.92387953251128674, 0.8660254037844386, 0.79335334029123517,
       0.70710678118654746, 0, 0},
      {1, 0.98768834059513777, 0.95105651629515353, 0.8910065241883679, 0.80901699437494745, 0.70710678118654746, 0, 0, 0},
      {1, 0.9937122098932426, 0.97492791218182362, 0.94388333030836757, 0.90096886790241915, 0.84672419922828412,
       0.7818314824680298, 0.70710678118654746, 0}};
  const double sine[4][9] = {
      {0, 0.098017140329560604, 0.19509032201612828, 0.29028467725446239, 0.38268343236508978, 0.47139673682599764,
       0.55557023301960218, 0.63439328416364549, 0.70710678118654757},
      {0, 0.1305261922200516, 0.25881904510252074, 0.38268343236508978, 0.5, 0.60876142900872066, 0.70710678118654757, 0, 0},
      {0, 0.15643446504023087, 0.30901699437494745, 0.4539904997395468, 0.58778525229247314, 0.70710678118654757, 0, 0, 0},
      {0, 0.11196447610330786, 0.22252093395631439, 0.3302790619551671, 0.43388373911755812, 0.53203207651533657,
       0.62348980185873348, 0.70710678118654757, 0}};
  const int table = side_ % 3 == 0 ? 1 : side_ % 5 == 0 ? 2 : side_ % 7 == 0 ? 3 : 0;
  const int all = table == 1 ? 48 : table == 2 ? 40 : table == 3 ? 56 : 64, eighth = all / 8, at = turn * (all / side_);
  const int octant = at / eighth, a = octant % 2 ? eighth - at % eighth : at % eighth, other = (octant + 1) / 2 % 2;
  const real_ c = (real_)(other ? sine[table][a] : cosine[table][a]), s = (real_)(other ? cosine[table][a] : sine[table][a]);
  *re = (octant + 2) / 4 % 2 ? -c : c;
  *im = octant / 4 % 2 ? s : -s;
}

/* A pass of radix_ over points of a line, `step` apart; their twiddles are powers of exp(-2 pi i turn / side) unless turn < 0.
   half_: points radix_ / 2 .. are zeros. */
template <class square_, int radix_, int half_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_short_(real_ *re, real_ *im, int step, int turn) {
  const int side = square_::side, h = radix_ % 2 ? radix_ : radix_ / 2;
  real_ xr[radix_], xi[radix_], wr, wi;
  CONVK_CUDA_EACH_(q, (half_ ? h : radix_)) {
    xr[q] = re[q * step];
    xi[q] = im[q * step];
  }
  CONVK_CUDA_UNROLL_
  for (int q = 1; q < h; q++) {
    if (half_ || turn < 0) continue;
    convk_cuda_fft_root_of_<side>(q * turn % side, &wr, &wi);
    convk_cuda_fft_times_(0, wr, wi, &xr[q], &xi[q]);
  }
  CONVK_CUDA_UNROLL_
  for (int q = h; q < radix_; q++) {
    if (half_) {
      xr[q] = xr[q - h];
      xi[q] = xi[q - h];
    } else if (turn >= 0) {
      convk_cuda_fft_root_of_<side>(q * turn % side, &wr, &wi);
      convk_cuda_fft_butterfly_(0, wr, wi, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
    } else {
      convk_cuda_fft_butterfly_1_(0, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
    }
  }
  convk_cuda_fft_radix_rest_(radix_, xr, xi);
  CONVK_CUDA_EACH_(q, radix_) {
    re[q * step] = xr[q];
    im[q * step] = xi[q];
  }
}

/* The first pass over a line there, */
template <class square_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_begin_(real_ *re, real_ *im) {
  CONVK_CUDA_EACH_(j, square_::radix1)
    convk_cuda_fft_short_<square_, square_::radix0, square_::half_in>(re + j, im + j, square_::radix1, -1);
}
/* and the last one, over block b of its points. */
template <class square_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_inner_(real_ *re, real_ *im, int b) {
  if (square_::radix1 > 1)
    convk_cuda_fft_short_<square_, square_::radix1, 0>(re + b * square_::radix1, im + b * square_::radix1, 1, b);
}
/* The same passes back, with real and imaginary parts exchanged: the first one over block b, */
template <class square_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_turn_round_(real_ *re, real_ *im, int b) {
  if (square_::radix1 > 1)
    convk_cuda_fft_short_<square_, square_::radix1, 0>(im + b * square_::radix1, re + b * square_::radix1, 1, -1);
}
/* and the last one over the line. */
template <class square_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_finish_(real_ *re, real_ *im) {
  CONVK_CUDA_EACH_(j, square_::radix1)
    convk_cuda_fft_short_<square_, square_::radix0, 0>(im + j, re + j, square_::radix1, square_::radix1 > 1 ? j : -1);
}

/* Where frequency k of a line lies: of 8 x 4 points frequency 1 is the first of block 1, at 4, and 8 the second of block 0. */
template <class square_> CONVK_CUDA_INLINE_ int convk_cuda_fft_at_(int k) {
  return square_::radix1 > 1 ? k % square_::radix0 * square_::radix1 + k / square_::radix0 : k;
}
/* Where line k's point of a column lies: a plan has spectra of complex kernels in the order of points, those of real kernels
   in the order of frequencies, and so are results of transforms. */
template <class square_> CONVK_CUDA_INLINE_ int convk_cuda_fft_line_(int k) {
  return square_::real || square_::transforms ? convk_cuda_fft_at_<square_>(k) : k;
}

/* Between columns along y and lines along x points pass through shared memory, where point k of a line's column n lies at

     complex   n pitch + k
     real      n / 2 pitch + n % 2 odd + k: the even columns, then the odd ones, as for 8 points (5 lines, pitch 5, odd 20):
                 0        5        10       15       20       25       30       35
                 column 0 column 2 column 4 column 6 column 1 column 3 column 5 column 7

   Thread c writes columns 2 c and 2 c + 1 of real numbers, one after the other: its neighbour writes `pitch` complex numbers
   further on, an odd number, in other banks.  Were the columns in order, it would be 2 pitch, and two threads met in a bank. */

/* Which column or line a thread has, and of which of the block's items; items that are not there have none. */
struct convk_cuda_fft_own_ {
  unsigned item, line;
};
CONVK_CUDA_INLINE_ convk_cuda_fft_own_ convk_cuda_fft_own_of_(unsigned thread, const convk_cuda_fft_by_ &each) {
  convk_cuda_fft_own_ own;
  own.item = convk_cuda_fft_over_(thread, each);
  own.line = thread - own.item * each.by;
  return own;
}

/* From a field to its column's frequencies along y, in registers. */
template <class square_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_square_y_(const convk_cuda_fft_args_<real_> &a, size_t first,
                                                 const convk_cuda_fft_own_ &own, real_ *xr, real_ *xi) {
  convk_cuda_fft_read_<square_, square_::in, square_::in_least>(a, first + own.item, 0, 1, own.line, xr, xi);
  convk_cuda_fft_begin_<square_>(xr, xi);
  CONVK_CUDA_EACH_(b, square_::parts) convk_cuda_fft_inner_<square_>(xr, xi, b);
}

/* From a column's frequencies to a point of each line; of real numbers, two columns were one. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_square_lines_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_own_ &own,
                                                     pair_ *numbers, const real_ *xr, const real_ *xi) {
  pair_ *const to = numbers + own.item * a.item + own.line * square_::pitch;
  const int two = 2 * own.line + 1 < a.columns;
  CONVK_CUDA_EACH_(k, square_::lines) {
    const int z = convk_cuda_fft_line_<square_>(k), m = convk_cuda_fft_at_<square_>((square_::side - k) % square_::side);
    pair_ v = {xr[z], xi[z]};
    if (square_::real) {
      convk_cuda_fft_split_(xr[z], xi[z], xr[m], xi[m], 1, &v.x, &v.y);
      if (two) to[square_::odd + k] = v;
      convk_cuda_fft_split_(xr[z], xi[z], xr[m], xi[m], 0, &v.x, &v.y);
    }
    to[k] = v;
  }
}

/* A line along x; of a convolution times its factors, and back to where it was, of a transform its frequencies in order. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_square_x_(const convk_cuda_fft_args_<real_> &a, pair_ *line, const real_ *factor,
                                                 real_ *xr, real_ *xi) {
  const int convolves = !square_::transforms;
  CONVK_CUDA_EACH_(n, square_::in) {
    pair_ v = {0, 0};
    if (n < square_::in_least || n < (int)a.columns) v = line[n / 2 * square_::next + n % 2 * square_::odd];
    xr[n] = v.x;
    xi[n] = v.y;
  }
  convk_cuda_fft_begin_<square_>(xr, xi);
  CONVK_CUDA_EACH_(b, square_::parts) {
    convk_cuda_fft_inner_<square_>(xr, xi, b);
    CONVK_CUDA_UNROLL_
    for (int n = b * square_::radix1; n < (b + 1) * square_::radix1; n++) {
      const real_ *const f = factor + n * 2 * square_::spectrum;
      if (convolves) convk_cuda_fft_times_(0, __ldg(f), __ldg(f + square_::spectrum), &xr[n], &xi[n]);
    }
    if (convolves) convk_cuda_fft_turn_round_<square_>(xr, xi, b);
  }
  if (convolves) convk_cuda_fft_finish_<square_>(xr, xi);
  CONVK_CUDA_EACH_(n, square_::out) {
    const int k = convolves ? n : convk_cuda_fft_at_<square_>(n);
    const pair_ v = {xr[k], xi[k]};
    if (n < square_::out_least || n < (int)a.out_columns) line[n / 2 * square_::next + n % 2 * square_::odd] = v;
  }
}

/* From a point of each line to a column of results, in registers. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_square_back_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_own_ &own,
                                                    const pair_ *numbers, real_ *xr, real_ *xi) {
  const pair_ *const from = numbers + own.item * a.item + own.line * square_::pitch;
  const int two = 2 * own.line + 1 < a.out_columns;
  real_ zr, zi;
  CONVK_CUDA_EACH_(k, square_::lines) {
    const int z = convk_cuda_fft_line_<square_>(k), m = convk_cuda_fft_at_<square_>((square_::side - k) % square_::side);
    const pair_ v = from[k];
    pair_ w = {0, 0};
    if (square_::real) {
      if (two) w = from[square_::odd + k];
      convk_cuda_fft_merge_(v.x, v.y, w.x, w.y, &zr, &zi, &xr[m], &xi[m]);
    }
    xr[z] = square_::real ? zr : v.x;
    xi[z] = square_::real ? zi : v.y;
  }
  CONVK_CUDA_EACH_(b, square_::parts) convk_cuda_fft_turn_round_<square_>(xr, xi, b);
  convk_cuda_fft_finish_<square_>(xr, xi);
}

template <class real_, class square_>
static __global__ void CONVK_CUDA_BOUNDS_(square_::threads, square_::blocks)
    convk_cuda_fft_squares_(const convk_cuda_fft_args_<real_> a) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  const int transforms = square_::transforms;
  const unsigned t = threadIdx.x;
  const size_t first = a.begin + (size_t)blockIdx.x * a.each.by;
  const unsigned items = (unsigned)convk_cuda_least_(a.items - first, (int)a.each.by);
  CONVK_CUDA_SHARED_(shared);
  const real_ **const factors = (const real_ **)(void *)shared;
  pair *const numbers = (pair *)(void *)shared + a.at_a;
  real_ xr[square_::side], xi[square_::side];
  if (!transforms && t < items) factors[t] = convk_cuda_fft_factors_(a, first + t);

  const convk_cuda_fft_own_ in = convk_cuda_fft_own_of_(t, a.in_each);
  if (in.item < items) {
    convk_cuda_fft_square_y_<square_>(a, first, in, xr, xi);
    convk_cuda_fft_square_lines_<square_>(a, in, numbers, xr, xi);
  }
  __syncthreads();

  const unsigned line_at = t / square_::lines, line = t % square_::lines;
  if (line_at < items)
    convk_cuda_fft_square_x_<square_>(a, numbers + line_at * a.item + line, transforms ? NULL : factors[line_at] + line, xr,
                                      xi);
  __syncthreads();

  const convk_cuda_fft_own_ out = convk_cuda_fft_own_of_(t, a.out_each);
  if (transforms) {
    convk_cuda_fft_give_<square_>(a, first, items, numbers);
  } else if (out.item < items) {
    convk_cuda_fft_square_back_<square_>(a, out, numbers, xr, xi);
    convk_cuda_fft_write_<square_, square_::out, square_::out_least>(a, first + out.item, 0, 1, out.line, xr, xi);
  }
}
