/* ---- squares of 16, 32 and 64 points: a thread holds a whole line in registers ---- */

enum { CONVK_CUDA_FFT_CONVOLVE_, CONVK_CUDA_FFT_FORWARD_, CONVK_CUDA_FFT_INVERSE_ };

/* A square of radix0_ radix1_ points.  half_: 1: only the first half of all rows and columns are there, 2: are wanted.
   Blocks take each_ items at most, one thread per line. */
template <class real_, int radix0_, int radix1_, int is_real_, int way_, int half_, int each_> struct convk_cuda_fft_square_ {
  enum {
    side = radix0_ * radix1_,
    radix0 = radix0_,
    radix1 = radix1_,
    parts = radix0_, /* of radix1 points each, after the first pass */
    real = is_real_,
    way = way_,
    half_in = half_ & 1,
    in = half_ & 1 ? side / 2 : side, /* points that may be there, and be wanted */
    out = half_ & 2 ? side / 2 : side,
    lines = is_real_ ? side / 2 + 1 : side,
    pitch = lines | 1,          /* complex numbers from column to column of lines, of real ones to the next but one */
    tile = in > out ? in : out, /* columns */
    odd = is_real_ ? tile / 2 * pitch : pitch, /* complex numbers from an even column to the next, */
    next = is_real_ ? pitch : 2 * pitch,       /* and to the one after that */
    spectrum = (lines + CONVK_FFT_PAD_ - 1) / CONVK_FFT_PAD_ * CONVK_FFT_PAD_,
    each = each_,
    threads = (each_ * lines + 31) / 32 * 32,
    registers = 2 * side * sizeof(real_) / 4, /* of a line */
    /* Threads of a multiprocessor: as many as the compiler finds registers for without spilling any (see audit_cuda.py). */
    light = sizeof(real_) == 4 && (!is_real_ || half_ == 3),
    late = CONVK_CUDA_ARCH_ >= 1200, /* where the same text takes more of them */
    together = registers == 32   ? 768
               : registers == 64 ? (sizeof(real_) == 8 && late ? 384 : 512)
                                 : (light && !late ? 384 : 256),
    blocks = together / threads
  };
};

/* exp(-2 pi i turn / 64), as plans have it. */
template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_root_of_(int turn, real_ *re, real_ *im) {
  const double cosine[9] = {1,
                            0.99518472667219693,
                            0.98078528040323043,
                            0.95694033573220882,
                            0.92387953251128674,
                            0.88192126434835505,
                            0.83146961230254524,
                            0.77301045336273699,
                            0.70710678118654746};
  const double sine[9] = {0,
                          0.098017140329560604,
                          0.19509032201612828,
                          0.29028467725446239,
                          0.38268343236508978,
                          0.47139673682599764,
                          0.55557023301960218,
                          0.63439328416364549,
                          0.70710678118654757};
  const int eighth = turn / 8, a = eighth % 2 ? 8 - turn % 8 : turn % 8, other = (eighth + 1) / 2 % 2;
  const real_ c = (real_)(other ? sine[a] : cosine[a]), s = (real_)(other ? cosine[a] : sine[a]);
  *re = (eighth + 2) / 4 % 2 ? -c : c;
  *im = eighth / 4 % 2 ? s : -s;
}

/* A copy into shared memory, which goes on, where the device can, while the thread does other work, until
   convk_cuda_copies_wait_. */
template <class element_> CONVK_CUDA_INLINE_ void convk_cuda_fft_bring_(element_ *to, const element_ *from) {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
               "n"(sizeof(element_))
               : "memory");
#elif defined CONVK_CUDA_EMULATOR
  convk_emulated_copy_async(to, from, sizeof(element_));
#else
  *to = *from;
#endif
}

/* A pass of radix_ over points of a line, `step` apart; their twiddles are powers of exp(-2 pi i turn / 64) unless turn < 0.
   half_: points radix_ / 2 .. are zeros. */
template <int radix_, int half_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_short_(real_ *re, real_ *im, int step, int turn) {
  const int h = radix_ / 2;
  real_ xr[radix_], xi[radix_], wr, wi;
  CONVK_CUDA_EACH_(q, (half_ ? h : radix_)) {
    xr[q] = re[q * step];
    xi[q] = im[q * step];
  }
  CONVK_CUDA_UNROLL_
  for (int q = 1; q < h; q++) {
    if (half_ || turn < 0) continue;
    convk_cuda_fft_root_of_(q * turn % 64, &wr, &wi);
    convk_cuda_fft_times_(wr, wi, &xr[q], &xi[q]);
  }
  CONVK_CUDA_UNROLL_
  for (int q = h; q < radix_; q++) {
    if (half_) {
      xr[q] = xr[q - h];
      xi[q] = xi[q - h];
    } else if (turn >= 0) {
      convk_cuda_fft_root_of_(q * turn % 64, &wr, &wi);
      convk_cuda_fft_butterfly_(wr, wi, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
    } else {
      convk_cuda_fft_butterfly_1_(&xr[q - h], &xi[q - h], &xr[q], &xi[q]);
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
    convk_cuda_fft_short_<square_::radix0, square_::half_in>(re + j, im + j, square_::radix1, -1);
}
/* and the last one, over block b of its points. */
template <class square_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_inner_(real_ *re, real_ *im, int b) {
  if (square_::radix1 > 1)
    convk_cuda_fft_short_<square_::radix1, 0>(re + b * square_::radix1, im + b * square_::radix1, 1, b * (64 / square_::side));
}
/* The same passes back, with real and imaginary parts exchanged: the first one over block b, */
template <class square_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_turn_round_(real_ *re, real_ *im, int b) {
  if (square_::radix1 > 1) convk_cuda_fft_short_<square_::radix1, 0>(im + b * square_::radix1, re + b * square_::radix1, 1, -1);
}
/* and the last one over the line. */
template <class square_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_finish_(real_ *re, real_ *im) {
  CONVK_CUDA_EACH_(j, square_::radix1)
    convk_cuda_fft_short_<square_::radix0, 0>(im + j, re + j, square_::radix1,
                                              square_::radix1 > 1 ? j * (64 / square_::side) : -1);
}

/* Where frequency k of a line lies: of 8 x 4 points frequency 1 is the first of block 1, at 4, and 8 the second of block 0. */
template <class square_> CONVK_CUDA_INLINE_ int convk_cuda_fft_at_(int k) {
  return square_::radix1 > 1 ? k % square_::radix0 * square_::radix1 + k / square_::radix0 : k;
}
/* Where line k's point of a column lies: a plan has spectra of complex kernels in the order of points, those of real kernels
   in the order of frequencies, and so are results of transforms. */
template <class square_> CONVK_CUDA_INLINE_ int convk_cuda_fft_line_(int k) {
  const int way = square_::way;
  return square_::real || way != CONVK_CUDA_FFT_CONVOLVE_ ? convk_cuda_fft_at_<square_>(k) : k;
}

/* Fields of a block's items between memory and shared memory, lanes side by side from a border of 32 bytes on.  Elements are
   pairs of reals, or reals where memory has those only. */
template <class square_, int back_, int packed_, class element_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_copy_(const convk_cuda_fft_copy_way_ &way, unsigned items, element_ *outside,
                                             element_ *here) {
  const int count = (int)(items * way.rows.by * way.columns.by);
  int i = (int)threadIdx.x -
          (int)((uintptr_t)outside / sizeof(element_) % (32 / sizeof(element_))); /* below 0: not there, as beyond the last */
  outside += i;
  here += i;
  CONVK_CUDA_UNROLL_BY_(1)
  for (; i < count; i += 4 * square_::threads) {
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < 4; k++, outside += square_::threads, here += square_::threads) {
      const unsigned at = (unsigned)(i + k * square_::threads);
      element_ *from = outside, *to = here;
      if (packed_) {
        if (square_::each > 1) to += (unsigned)((uint64_t)at * way.item >> 32) * way.pad_item;
      } else {
        const unsigned row = convk_cuda_fft_over_(at, way.columns), item = convk_cuda_fft_over_(row, way.rows);
        from += row * way.gap_row + item * way.gap_item;
        to += row * way.pad_row + item * way.pad_item;
      }
      if (at >= (unsigned)count) continue;
      if (back_) *from = *to;
      else convk_cuda_fft_bring_(to, from);
    }
  }
}
template <class square_, int back_, class element_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_copies_(const convk_cuda_fft_copy_way_ &way, unsigned items, element_ *outside,
                                               element_ *here) {
  if (way.item) convk_cuda_fft_copy_<square_, back_, 1>(way, items, outside, here);
  else convk_cuda_fft_copy_<square_, back_, 0>(way, items, outside, here);
}

template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_take_(const convk_cuda_fft_args_<real_> &a, size_t first, unsigned items,
                                             pair_ *fields) {
  real_ *const from = const_cast<real_ *>(a.in) + first * a.in_stride;
  if (a.load == CONVK_CUDA_FFT_PAIRS_) convk_cuda_fft_copies_<square_, 0>(a.take, items, (pair_ *)(void *)from, fields);
  else convk_cuda_fft_copies_<square_, 0>(a.take, items, from, &fields->x);
  if (square_::real && a.columns % 2) /* the partner of the last column */
    for (unsigned k = threadIdx.x; k < items * a.rows; k += square_::threads) {
      const unsigned item = convk_cuda_fft_over_(k, a.take.rows), row = k - item * a.rows;
      fields[item * a.in_item + (row + 1) * a.in_each.by - 1].y = 0;
    }
}
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_give_(const convk_cuda_fft_args_<real_> &a, size_t first, unsigned items,
                                             pair_ *fields) {
  real_ *const to = a.out + first * a.out_stride;
  if (a.store == CONVK_CUDA_FFT_PAIRS_) convk_cuda_fft_copies_<square_, 1>(a.give, items, (pair_ *)(void *)to, fields);
  else convk_cuda_fft_copies_<square_, 1>(a.give, items, to, &fields->x);
}

/* Points pass through the same shared memory as fields, as columns, as lines, and as fields again; other blocks work meanwhile.
   There is room for all points that may be there, so that threads ask for none of them whether it is.

   Lines under way lie by columns: point k of a line's column n, at

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
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_square_y_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_own_ &own,
                                                 pair_ *numbers, real_ *xr, real_ *xi) {
  const int way = square_::way;
  const pair_ zero = {0, 0};
  pair_ *const field = numbers + own.item * a.in_item + own.line;
  const char *from = (const char *)field;
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned n = a.rows; n < square_::in; n++) field[n * a.in_each.by] = zero;
  CONVK_CUDA_UNROLL_
  for (int n = 0; n < square_::in; n++, from += a.in_row) {
    const pair_ v = *(const pair_ *)(const void *)from;
    xr[n] = way == CONVK_CUDA_FFT_INVERSE_ ? v.y : v.x;
    xi[n] = way == CONVK_CUDA_FFT_INVERSE_ ? v.x : v.y;
  }
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

/* A line along x; of a convolution times its factors, and back to where it was. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_square_x_(const convk_cuda_fft_args_<real_> &a, pair_ *line, const real_ *factor,
                                                 real_ *xr, real_ *xi) {
  const int way = square_::way, convolves = way == CONVK_CUDA_FFT_CONVOLVE_;
  const pair_ zero = {0, 0};
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned n = a.columns; n < square_::in; n++) line[n / 2 * square_::next + n % 2 * square_::odd] = zero;
  CONVK_CUDA_EACH_(n, square_::in) {
    const pair_ v = line[n / 2 * square_::next + n % 2 * square_::odd];
    xr[n] = v.x;
    xi[n] = v.y;
  }
  convk_cuda_fft_begin_<square_>(xr, xi);
  CONVK_CUDA_EACH_(b, square_::parts) {
    convk_cuda_fft_inner_<square_>(xr, xi, b);
    CONVK_CUDA_UNROLL_
    for (int n = b * square_::radix1; n < (b + 1) * square_::radix1; n++) {
      const real_ *const f = factor + n * 2 * square_::spectrum;
      if (convolves) convk_cuda_fft_times_(__ldg(f), __ldg(f + square_::spectrum), &xr[n], &xi[n]);
    }
    if (convolves) convk_cuda_fft_turn_round_<square_>(xr, xi, b);
  }
  if (convolves) convk_cuda_fft_finish_<square_>(xr, xi);
  CONVK_CUDA_EACH_(n, square_::out) {
    const pair_ v = {xr[n], xi[n]};
    if (convolves) line[n / 2 * square_::next + n % 2 * square_::odd] = v;
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

/* Results from registers to where they leave from: a column, or a line of a transform in natural order. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_square_put_(const convk_cuda_fft_args_<real_> &a, pair_ *first, const real_ *xr,
                                                   const real_ *xi) {
  const int way = square_::way;
  char *to = (char *)first;
  CONVK_CUDA_UNROLL_
  for (int n = 0; n < square_::out; n++, to += a.out_row) {
    const int k = way ? convk_cuda_fft_at_<square_>(n) : n;
    pair_ v = {xr[k], xi[k]};
    if (way == CONVK_CUDA_FFT_INVERSE_) {
      v.x = convk_cuda_mul_(xi[k], a.scale);
      v.y = convk_cuda_mul_(xr[k], a.scale);
    }
    *(pair_ *)(void *)to = v;
  }
}

template <class real_, class square_>
static __global__ void CONVK_CUDA_BOUNDS_(square_::threads, square_::blocks)
    convk_cuda_fft_squares_(const convk_cuda_fft_args_<real_> a) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  const int way = square_::way, transforms = way != CONVK_CUDA_FFT_CONVOLVE_;
  const unsigned t = threadIdx.x;
  const size_t first = a.begin + (size_t)blockIdx.x * a.each.by;
  const unsigned items = (unsigned)convk_cuda_least_(a.items - first, (int)a.each.by);
  CONVK_CUDA_SHARED_(shared);
  const real_ **const factors = (const real_ **)(void *)shared;
  pair *const numbers = (pair *)(void *)shared + a.at_a;
  real_ xr[square_::side], xi[square_::side];
  convk_cuda_fft_take_<square_>(a, first, items, numbers);
  if (!transforms && t < items) {
    const size_t item = first + t, kernel = a.kernel ? a.kernel[item] : convk_cuda_divide_(item, a.items_per_kernel);
    factors[t] = a.spectra + a.spectrum * kernel;
  }
  convk_cuda_copies_wait_();
  __syncthreads();

  const convk_cuda_fft_own_ in = convk_cuda_fft_own_of_(t, a.in_each);
  if (in.item < items) convk_cuda_fft_square_y_<square_>(a, in, numbers, xr, xi);
  __syncthreads();
  if (in.item < items) convk_cuda_fft_square_lines_<square_>(a, in, numbers, xr, xi);
  __syncthreads();

  const unsigned line_at = t / square_::lines, line = t % square_::lines;
  if (line_at < items)
    convk_cuda_fft_square_x_<square_>(a, numbers + line_at * a.item + line, transforms ? NULL : factors[line_at] + line, xr,
                                      xi);
  __syncthreads();

  const convk_cuda_fft_own_ out = convk_cuda_fft_own_of_(t, a.out_each);
  if (!transforms && out.item < items) convk_cuda_fft_square_back_<square_>(a, out, numbers, xr, xi);
  if (!transforms) __syncthreads();
  if (transforms ? line_at < items : out.item < items)
    convk_cuda_fft_square_put_<square_>(
        a, numbers + (transforms ? line_at * a.out_item + line * (square_::side | 1) : out.item * a.out_item + out.line), xr,
        xi);
  __syncthreads();
  convk_cuda_fft_give_<square_>(a, first, items, numbers);
}
