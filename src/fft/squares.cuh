/* ---- squares of 16, 32 and 64 points: a thread holds a whole line in registers ---- */

enum { CONVK_CUDA_FFT_CONVOLVE_, CONVK_CUDA_FFT_FORWARD_, CONVK_CUDA_FFT_INVERSE_ };

/* A square of R0 R1 points.  HALF: 1: only the first half of all rows and columns are there, 2: are wanted.
   Blocks take EACH items at most, one thread per line. */
template <class T, int R0, int R1, int REAL, int WAY, int HALF, int EACH> struct convk_cuda_fft_square_ {
  enum {
    side = R0 * R1,
    radix0 = R0,
    radix1 = R1,
    parts = R0, /* of radix1 points each, after the first pass */
    real = REAL,
    way = WAY,
    half_in = HALF & 1,
    in = HALF & 1 ? side / 2 : side, /* points that may be there, and be wanted */
    out = HALF & 2 ? side / 2 : side,
    lines = REAL ? side / 2 + 1 : side,
    pitch = lines | 1,          /* complex numbers from column to column of lines, of real ones to the next but one */
    tile = in > out ? in : out, /* columns */
    odd = REAL ? tile / 2 * pitch : pitch, /* complex numbers from an even column to the next, */
    next = REAL ? pitch : 2 * pitch,       /* and to the one after that */
    spectrum = (lines + CONVK_FFT_PAD_ - 1) / CONVK_FFT_PAD_ * CONVK_FFT_PAD_,
    each = EACH,
    threads = (EACH * lines + 31) / 32 * 32,
    registers = 2 * side * sizeof(T) / 4, /* of a line */
    /* Threads of a multiprocessor: as many as the compiler finds registers for without spilling any (see audit_cuda.py). */
    light = sizeof(T) == 4 && (!REAL || HALF == 3),
    late = CONVK_CUDA_ARCH_ >= 1200, /* where the same text takes more of them */
    together = registers == 32   ? 768
               : registers == 64 ? (sizeof(T) == 8 && late ? 384 : 512)
                                 : (light && !late ? 384 : 256),
    blocks = together / threads
  };
};

/* exp(-2 pi i turn / 64), as plans have it. */
template <class T> static __device__ __forceinline__ void convk_cuda_fft_root_of_(int turn, T *re, T *im) {
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
  const T c = (T)(other ? sine[a] : cosine[a]), s = (T)(other ? cosine[a] : sine[a]);
  *re = (eighth + 2) / 4 % 2 ? -c : c;
  *im = eighth / 4 % 2 ? s : -s;
}

/* A copy into shared memory, which goes on, where the device can, while the thread does other work, until
   convk_cuda_brought_. */
template <class E> static __device__ __forceinline__ void convk_cuda_fft_bring_(E *to, const E *from) {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
               "n"(sizeof(E))
               : "memory");
#elif defined CONVK_CUDA_EMULATOR
  convk_emulated_copy_async(to, from, sizeof(E));
#else
  *to = *from;
#endif
}

/* A pass of radix R over points of a line, `step` apart; their twiddles are powers of exp(-2 pi i turn / 64) unless turn < 0.
   HALF: points R / 2 .. are zeros. */
template <int R, int HALF, class T>
static __device__ __forceinline__ void convk_cuda_fft_short_(T *re, T *im, int step, int turn) {
  const int h = R / 2;
  T xr[R], xi[R], wr, wi;
  CONVK_CUDA_UNROLL_
  for (int q = 0; q < (HALF ? h : R); q++) {
    xr[q] = re[q * step];
    xi[q] = im[q * step];
  }
  CONVK_CUDA_UNROLL_
  for (int q = 1; q < h; q++) {
    if (HALF || turn < 0) continue;
    convk_cuda_fft_root_of_(q * turn % 64, &wr, &wi);
    convk_cuda_fft_times_(wr, wi, &xr[q], &xi[q]);
  }
  CONVK_CUDA_UNROLL_
  for (int q = h; q < R; q++) {
    if (HALF) {
      xr[q] = xr[q - h];
      xi[q] = xi[q - h];
    } else if (turn >= 0) {
      convk_cuda_fft_root_of_(q * turn % 64, &wr, &wi);
      convk_cuda_fft_join_(wr, wi, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
    } else {
      convk_cuda_fft_add_(&xr[q - h], &xi[q - h], &xr[q], &xi[q]);
    }
  }
  convk_cuda_fft_rest_(R, xr, xi);
  CONVK_CUDA_UNROLL_
  for (int q = 0; q < R; q++) {
    re[q * step] = xr[q];
    im[q * step] = xi[q];
  }
}

/* The first pass over a line there, */
template <class S, class T> static __device__ __forceinline__ void convk_cuda_fft_begin_(T *re, T *im) {
  CONVK_CUDA_UNROLL_
  for (int j = 0; j < S::radix1; j++) convk_cuda_fft_short_<S::radix0, S::half_in>(re + j, im + j, S::radix1, -1);
}
/* and the last one, over block b of its points. */
template <class S, class T> static __device__ __forceinline__ void convk_cuda_fft_inner_(T *re, T *im, int b) {
  if (S::radix1 > 1) convk_cuda_fft_short_<S::radix1, 0>(re + b * S::radix1, im + b * S::radix1, 1, b * (64 / S::side));
}
/* The same passes back, with real and imaginary parts exchanged: the first one over block b, */
template <class S, class T> static __device__ __forceinline__ void convk_cuda_fft_turn_round_(T *re, T *im, int b) {
  if (S::radix1 > 1) convk_cuda_fft_short_<S::radix1, 0>(im + b * S::radix1, re + b * S::radix1, 1, -1);
}
/* and the last one over the line. */
template <class S, class T> static __device__ __forceinline__ void convk_cuda_fft_finish_(T *re, T *im) {
  CONVK_CUDA_UNROLL_
  for (int j = 0; j < S::radix1; j++)
    convk_cuda_fft_short_<S::radix0, 0>(im + j, re + j, S::radix1, S::radix1 > 1 ? j * (64 / S::side) : -1);
}

/* Where frequency k of a line lies: of 8 x 4 points frequency 1 is the first of block 1, at 4, and 8 the second of block 0. */
template <class S> static __device__ __forceinline__ int convk_cuda_fft_at_(int k) {
  return S::radix1 > 1 ? k % S::radix0 * S::radix1 + k / S::radix0 : k;
}
/* Where line k's point of a column lies: a plan has spectra of complex kernels in the order of points, those of real kernels
   in the order of frequencies, and so are results of transforms. */
template <class S> static __device__ __forceinline__ int convk_cuda_fft_line_(int k) {
  const int way = S::way;
  return S::real || way != CONVK_CUDA_FFT_CONVOLVE_ ? convk_cuda_fft_at_<S>(k) : k;
}

/* Fields of a block's items between memory and shared memory, lanes side by side from a border of 32 bytes on.  Elements are
   pairs of reals, or reals where memory has those only. */
template <class S, int BACK, int PACKED, class E>
static __device__ __forceinline__ void convk_cuda_fft_copy_(const convk_cuda_fft_copy_way_ &way, unsigned items, E *outside,
                                                            E *here) {
  const int count = (int)(items * way.rows.by * way.columns.by);
  int i =
      (int)threadIdx.x - (int)((uintptr_t)outside / sizeof(E) % (32 / sizeof(E))); /* below 0: not there, as beyond the last */
  outside += i;
  here += i;
  CONVK_CUDA_UNROLL_BY_(1)
  for (; i < count; i += 4 * S::threads) {
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < 4; k++, outside += S::threads, here += S::threads) {
      const unsigned at = (unsigned)(i + k * S::threads);
      E *from = outside, *to = here;
      if (PACKED) {
        if (S::each > 1) to += (unsigned)((uint64_t)at * way.item >> 32) * way.pad_item;
      } else {
        const unsigned row = convk_cuda_fft_over_(at, way.columns), item = convk_cuda_fft_over_(row, way.rows);
        from += row * way.gap_row + item * way.gap_item;
        to += row * way.pad_row + item * way.pad_item;
      }
      if (at >= (unsigned)count) continue;
      if (BACK) *from = *to;
      else convk_cuda_fft_bring_(to, from);
    }
  }
}
template <class S, int BACK, class E>
static __device__ __forceinline__ void convk_cuda_fft_copies_(const convk_cuda_fft_copy_way_ &way, unsigned items, E *outside,
                                                              E *here) {
  if (way.item) convk_cuda_fft_copy_<S, BACK, 1>(way, items, outside, here);
  else convk_cuda_fft_copy_<S, BACK, 0>(way, items, outside, here);
}

template <class S, class T, class P>
static __device__ __forceinline__ void convk_cuda_fft_take_(const convk_cuda_fft_args_<T> &a, size_t first, unsigned items,
                                                            P *fields) {
  T *const from = const_cast<T *>(a.in) + first * a.in_stride;
  if (a.load == CONVK_CUDA_FFT_PAIRS_) convk_cuda_fft_copies_<S, 0>(a.take, items, (P *)(void *)from, fields);
  else convk_cuda_fft_copies_<S, 0>(a.take, items, from, &fields->x);
  if (S::real && a.columns % 2) /* the partner of the last column */
    for (unsigned k = threadIdx.x; k < items * a.rows; k += S::threads) {
      const unsigned item = convk_cuda_fft_over_(k, a.take.rows), row = k - item * a.rows;
      fields[item * a.in_item + (row + 1) * a.in_each.by - 1].y = 0;
    }
}
template <class S, class T, class P>
static __device__ __forceinline__ void convk_cuda_fft_give_(const convk_cuda_fft_args_<T> &a, size_t first, unsigned items,
                                                            P *fields) {
  T *const to = a.out + first * a.out_stride;
  if (a.store == CONVK_CUDA_FFT_PAIRS_) convk_cuda_fft_copies_<S, 1>(a.give, items, (P *)(void *)to, fields);
  else convk_cuda_fft_copies_<S, 1>(a.give, items, to, &fields->x);
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
static __device__ __forceinline__ convk_cuda_fft_own_ convk_cuda_fft_own_of_(unsigned thread, const convk_cuda_fft_by_ &each) {
  convk_cuda_fft_own_ own;
  own.item = convk_cuda_fft_over_(thread, each);
  own.line = thread - own.item * each.by;
  return own;
}

/* From a field to its column's frequencies along y, in registers. */
template <class S, class T, class P>
static __device__ __forceinline__ void convk_cuda_fft_square_y_(const convk_cuda_fft_args_<T> &a,
                                                                const convk_cuda_fft_own_ &own, P *numbers, T *xr, T *xi) {
  const int way = S::way;
  const P zero = {0, 0};
  P *const field = numbers + own.item * a.in_item + own.line;
  const char *from = (const char *)field;
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned n = a.rows; n < S::in; n++) field[n * a.in_each.by] = zero;
  CONVK_CUDA_UNROLL_
  for (int n = 0; n < S::in; n++, from += a.in_row) {
    const P v = *(const P *)(const void *)from;
    xr[n] = way == CONVK_CUDA_FFT_INVERSE_ ? v.y : v.x;
    xi[n] = way == CONVK_CUDA_FFT_INVERSE_ ? v.x : v.y;
  }
  convk_cuda_fft_begin_<S>(xr, xi);
  CONVK_CUDA_UNROLL_
  for (int b = 0; b < S::parts; b++) convk_cuda_fft_inner_<S>(xr, xi, b);
}

/* From a column's frequencies to a point of each line; of real numbers, two columns were one. */
template <class S, class T, class P>
static __device__ __forceinline__ void convk_cuda_fft_square_lines_(const convk_cuda_fft_args_<T> &a,
                                                                    const convk_cuda_fft_own_ &own, P *numbers, const T *xr,
                                                                    const T *xi) {
  P *const to = numbers + own.item * a.item + own.line * S::pitch;
  const int two = 2 * own.line + 1 < a.columns;
  CONVK_CUDA_UNROLL_
  for (int k = 0; k < S::lines; k++) {
    const int z = convk_cuda_fft_line_<S>(k), m = convk_cuda_fft_at_<S>((S::side - k) % S::side);
    P v = {xr[z], xi[z]};
    if (S::real) {
      convk_cuda_fft_split_(xr[z], xi[z], xr[m], xi[m], 1, &v.x, &v.y);
      if (two) to[S::odd + k] = v;
      convk_cuda_fft_split_(xr[z], xi[z], xr[m], xi[m], 0, &v.x, &v.y);
    }
    to[k] = v;
  }
}

/* A line along x; of a convolution times its factors, and back to where it was. */
template <class S, class T, class P>
static __device__ __forceinline__ void convk_cuda_fft_square_x_(const convk_cuda_fft_args_<T> &a, P *line, const T *factor,
                                                                T *xr, T *xi) {
  const int way = S::way, convolves = way == CONVK_CUDA_FFT_CONVOLVE_;
  const P zero = {0, 0};
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned n = a.columns; n < S::in; n++) line[n / 2 * S::next + n % 2 * S::odd] = zero;
  CONVK_CUDA_UNROLL_
  for (int n = 0; n < S::in; n++) {
    const P v = line[n / 2 * S::next + n % 2 * S::odd];
    xr[n] = v.x;
    xi[n] = v.y;
  }
  convk_cuda_fft_begin_<S>(xr, xi);
  CONVK_CUDA_UNROLL_
  for (int b = 0; b < S::parts; b++) {
    convk_cuda_fft_inner_<S>(xr, xi, b);
    CONVK_CUDA_UNROLL_
    for (int n = b * S::radix1; n < (b + 1) * S::radix1; n++) {
      const T *const f = factor + n * 2 * S::spectrum;
      if (convolves) convk_cuda_fft_times_(__ldg(f), __ldg(f + S::spectrum), &xr[n], &xi[n]);
    }
    if (convolves) convk_cuda_fft_turn_round_<S>(xr, xi, b);
  }
  if (convolves) convk_cuda_fft_finish_<S>(xr, xi);
  CONVK_CUDA_UNROLL_
  for (int n = 0; n < S::out; n++) {
    const P v = {xr[n], xi[n]};
    if (convolves) line[n / 2 * S::next + n % 2 * S::odd] = v;
  }
}

/* From a point of each line to a column of results, in registers. */
template <class S, class T, class P>
static __device__ __forceinline__ void
convk_cuda_fft_square_back_(const convk_cuda_fft_args_<T> &a, const convk_cuda_fft_own_ &own, const P *numbers, T *xr, T *xi) {
  const P *const from = numbers + own.item * a.item + own.line * S::pitch;
  const int two = 2 * own.line + 1 < a.out_columns;
  T zr, zi;
  CONVK_CUDA_UNROLL_
  for (int k = 0; k < S::lines; k++) {
    const int z = convk_cuda_fft_line_<S>(k), m = convk_cuda_fft_at_<S>((S::side - k) % S::side);
    const P v = from[k];
    P w = {0, 0};
    if (S::real) {
      if (two) w = from[S::odd + k];
      convk_cuda_fft_merge_(v.x, v.y, w.x, w.y, &zr, &zi, &xr[m], &xi[m]);
    }
    xr[z] = S::real ? zr : v.x;
    xi[z] = S::real ? zi : v.y;
  }
  CONVK_CUDA_UNROLL_
  for (int b = 0; b < S::parts; b++) convk_cuda_fft_turn_round_<S>(xr, xi, b);
  convk_cuda_fft_finish_<S>(xr, xi);
}

/* Results from registers to where they leave from: a column, or a line of a transform in natural order. */
template <class S, class T, class P>
static __device__ __forceinline__ void convk_cuda_fft_square_put_(const convk_cuda_fft_args_<T> &a, P *first, const T *xr,
                                                                  const T *xi) {
  const int way = S::way;
  char *to = (char *)first;
  CONVK_CUDA_UNROLL_
  for (int n = 0; n < S::out; n++, to += a.out_row) {
    const int k = way ? convk_cuda_fft_at_<S>(n) : n;
    P v = {xr[k], xi[k]};
    if (way == CONVK_CUDA_FFT_INVERSE_) {
      v.x = convk_cuda_mul_(xi[k], a.scale);
      v.y = convk_cuda_mul_(xr[k], a.scale);
    }
    *(P *)(void *)to = v;
  }
}

template <class T, class S>
static __global__ void CONVK_CUDA_BOUNDS_(S::threads, S::blocks) convk_cuda_fft_squares_(const convk_cuda_fft_args_<T> a) {
  typedef typename convk_cuda_fft_type_<T>::pair pair;
  const int way = S::way, transforms = way != CONVK_CUDA_FFT_CONVOLVE_;
  const unsigned t = threadIdx.x;
  const size_t first = a.begin + (size_t)blockIdx.x * a.each.by;
  const unsigned items = (unsigned)convk_cuda_least_(a.items - first, (int)a.each.by);
  CONVK_CUDA_SHARED_(shared);
  const T **const factors = (const T **)(void *)shared;
  pair *const numbers = (pair *)(void *)shared + a.at_a;
  T xr[S::side], xi[S::side];
  convk_cuda_fft_take_<S>(a, first, items, numbers);
  if (!transforms && t < items) {
    const size_t item = first + t, kernel = a.kernel ? a.kernel[item] : convk_cuda_divide_(item, a.items_per_kernel);
    factors[t] = a.spectra + a.spectrum * kernel;
  }
  convk_cuda_brought_();
  __syncthreads();

  const convk_cuda_fft_own_ in = convk_cuda_fft_own_of_(t, a.in_each);
  if (in.item < items) convk_cuda_fft_square_y_<S>(a, in, numbers, xr, xi);
  __syncthreads();
  if (in.item < items) convk_cuda_fft_square_lines_<S>(a, in, numbers, xr, xi);
  __syncthreads();

  const unsigned line_at = t / S::lines, line = t % S::lines;
  if (line_at < items)
    convk_cuda_fft_square_x_<S>(a, numbers + line_at * a.item + line, transforms ? NULL : factors[line_at] + line, xr, xi);
  __syncthreads();

  const convk_cuda_fft_own_ out = convk_cuda_fft_own_of_(t, a.out_each);
  if (!transforms && out.item < items) convk_cuda_fft_square_back_<S>(a, out, numbers, xr, xi);
  if (!transforms) __syncthreads();
  if (transforms ? line_at < items : out.item < items)
    convk_cuda_fft_square_put_<S>(
        a, numbers + (transforms ? line_at * a.out_item + line * (S::side | 1) : out.item * a.out_item + out.line), xr, xi);
  __syncthreads();
  convk_cuda_fft_give_<S>(a, first, items, numbers);
}
