#if CONVK_HAS_FFT_
/* ---- squares of 16, 32 and 64 points: a thread holds a whole line in registers ---- */

enum { CONVK_CUDA_FFT_CONVOLVE_, CONVK_CUDA_FFT_FORWARD_, CONVK_CUDA_FFT_INVERSE_ };

/* A square of R0 R1 points.  HALF: 1: only the first half of all rows and columns are there, 2: are wanted.
   Blocks take EACH items at most, one thread per line. */
template <class T, int R0, int R1, int REAL, int WAY, int HALF, int EACH> struct convk_cuda_fft_square_ {
  enum {
    side = R0 * R1,
    radix0 = R0,
    radix1 = R1,
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
    /* of a multiprocessor, as many as find registers without spilling any */
    blocks = (registers == 32                          ? 768
              : registers == 64                        ? sizeof(T) == 8 && CONVK_CUDA_ARCH_ >= 1200 ? 384 : 512
              : sizeof(T) == 4 && (!REAL || HALF == 3) ? CONVK_CUDA_ARCH_ >= 1200 ? 256 : 384
                                                       : 256) /
             threads
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

/* A copy into shared memory that goes on while the thread does other things, where the device can, until convk_cuda_brought_. */
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

/* The first pass over a line there; the last pass of a transform, over block b of points; the same back, where the passes are those
   there with real and imaginary parts exchanged. */
template <class S, class T> static __device__ __forceinline__ void convk_cuda_fft_begin_(T *re, T *im) {
  CONVK_CUDA_UNROLL_
  for (int j = 0; j < S::radix1; j++) convk_cuda_fft_short_<S::radix0, S::half_in>(re + j, im + j, S::radix1, -1);
}
template <class S, class T> static __device__ __forceinline__ void convk_cuda_fft_inner_(T *re, T *im, int b) {
  if (S::radix1 > 1) convk_cuda_fft_short_<S::radix1, 0>(re + b * S::radix1, im + b * S::radix1, 1, b * (64 / S::side));
}
template <class S, class T> static __device__ __forceinline__ void convk_cuda_fft_turn_round_(T *re, T *im, int b) {
  if (S::radix1 > 1) convk_cuda_fft_short_<S::radix1, 0>(im + b * S::radix1, re + b * S::radix1, 1, -1);
}
template <class S, class T> static __device__ __forceinline__ void convk_cuda_fft_finish_(T *re, T *im) {
  CONVK_CUDA_UNROLL_
  for (int j = 0; j < S::radix1; j++)
    convk_cuda_fft_short_<S::radix0, 0>(im + j, re + j, S::radix1, S::radix1 > 1 ? j * (64 / S::side) : -1);
}

/* Where frequency k of a line lies. */
template <class S> static __device__ __forceinline__ int convk_cuda_fft_at_(int k) {
  return S::radix1 > 1 ? k % S::radix0 * S::radix1 + k / S::radix0 : k;
}

/* Fields of a block's items between memory and shared memory, lanes side by side from a border of 32 bytes on.  Elements are pairs of
   reals, or reals where memory has those only. */
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
   There is room for all points that may be there, so that threads ask for none of them whether it is. */
template <class T, class S>
static __global__ void __launch_bounds__(S::threads, S::blocks) convk_cuda_fft_squares_(const convk_cuda_fft_args_<T> a) {
  typedef typename convk_cuda_fft_type_<T>::pair pair;
  const int side = S::side, blocks = S::side / S::radix1, way = S::way;
  const unsigned t = threadIdx.x;
  const size_t first = a.begin + (size_t)blockIdx.x * a.each.by;
  const unsigned items = (unsigned)convk_cuda_least_(a.items - first, (int)a.each.by);
  const pair zero = {0, 0};
  CONVK_CUDA_SHARED_(shared);
  const T **const factors = (const T **)(void *)shared;
  pair *const numbers = (pair *)(void *)shared + a.at_a;
  T xr[side], xi[side];
  convk_cuda_fft_take_<S>(a, first, items, numbers);
  if (!way && t < items) {
    const size_t item = first + t, kernel = a.kernel ? a.kernel[item] : convk_cuda_divide_(item, a.items_per_kernel);
    factors[t] = a.spectra + a.spectrum * kernel;
  }
  convk_cuda_brought_();
  __syncthreads();

  /* the columns of fields along y */
  const unsigned in_at = convk_cuda_fft_over_(t, a.in_each), in_column = t - in_at * a.in_each.by;
  if (in_at < items) {
    pair *const field = numbers + in_at * a.in_item + in_column;
    const char *from = (const char *)field;
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned n = a.rows; n < S::in; n++) field[n * a.in_each.by] = zero;
    CONVK_CUDA_UNROLL_
    for (int n = 0; n < S::in; n++, from += a.in_row) {
      const pair v = *(const pair *)(const void *)from;
      xr[n] = way == CONVK_CUDA_FFT_INVERSE_ ? v.y : v.x;
      xi[n] = way == CONVK_CUDA_FFT_INVERSE_ ? v.x : v.y;
    }
    convk_cuda_fft_begin_<S>(xr, xi);
    CONVK_CUDA_UNROLL_
    for (int b = 0; b < blocks; b++) convk_cuda_fft_inner_<S>(xr, xi, b);
  }
  __syncthreads();
  if (in_at < items) {
    pair *const to = numbers + in_at * a.item + in_column * S::pitch;
    const int two = 2 * in_column + 1 < a.columns;
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < S::lines; k++) {
      const int z = convk_cuda_fft_at_<S>(k), m = convk_cuda_fft_at_<S>((side - k) % side);
      pair v = {xr[z], xi[z]};
      if (S::real) {
        convk_cuda_fft_split_(xr[z], xi[z], xr[m], xi[m], 1, &v.x, &v.y);
        if (two) to[S::odd + k] = v;
        convk_cuda_fft_split_(xr[z], xi[z], xr[m], xi[m], 0, &v.x, &v.y);
      }
      to[k] = v;
    }
  }
  __syncthreads();

  /* lines along x */
  const unsigned line_at = t / S::lines, line = t % S::lines;
  if (line_at < items) {
    pair *const own = numbers + line_at * a.item + line;
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned n = a.columns; n < S::in; n++) own[n / 2 * S::next + n % 2 * S::odd] = zero;
    CONVK_CUDA_UNROLL_
    for (int n = 0; n < S::in; n++) {
      const pair v = own[n / 2 * S::next + n % 2 * S::odd];
      xr[n] = v.x;
      xi[n] = v.y;
    }
    convk_cuda_fft_begin_<S>(xr, xi);
    const T *const factor = way ? NULL : factors[line_at] + line;
    CONVK_CUDA_UNROLL_
    for (int b = 0; b < blocks; b++) {
      convk_cuda_fft_inner_<S>(xr, xi, b);
      CONVK_CUDA_UNROLL_
      for (int n = b * S::radix1; n < (b + 1) * S::radix1; n++) {
        const T *const f = factor + n * 2 * S::spectrum;
        if (!way) convk_cuda_fft_times_(__ldg(f), __ldg(f + S::spectrum), &xr[n], &xi[n]);
      }
      if (!way) convk_cuda_fft_turn_round_<S>(xr, xi, b);
    }
    if (!way) convk_cuda_fft_finish_<S>(xr, xi);
    CONVK_CUDA_UNROLL_
    for (int n = 0; n < S::out; n++) {
      const pair v = {xr[n], xi[n]};
      if (!way) own[n / 2 * S::next + n % 2 * S::odd] = v;
    }
  }
  __syncthreads();

  /* the columns of results back along y */
  const unsigned out_at = convk_cuda_fft_over_(t, a.out_each), out_column = t - out_at * a.out_each.by;
  if (!way && out_at < items) {
    const pair *const from = numbers + out_at * a.item + out_column * S::pitch;
    T zr, zi;
    const int two = 2 * out_column + 1 < a.out_columns;
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < S::lines; k++) {
      const int z = convk_cuda_fft_at_<S>(k), m = convk_cuda_fft_at_<S>((side - k) % side);
      const pair v = from[k];
      pair w = {0, 0};
      if (S::real) {
        if (two) w = from[S::odd + k];
        convk_cuda_fft_merge_(v.x, v.y, w.x, w.y, &zr, &zi, &xr[m], &xi[m]);
      }
      xr[z] = S::real ? zr : v.x;
      xi[z] = S::real ? zi : v.y;
    }
    CONVK_CUDA_UNROLL_
    for (int b = 0; b < blocks; b++) convk_cuda_fft_turn_round_<S>(xr, xi, b);
    convk_cuda_fft_finish_<S>(xr, xi);
  }
  if (!way) __syncthreads();
  if (way ? line_at < items : out_at < items) {
    char *to = (char *)(numbers + (way ? line_at * a.out_item + line * (side | 1) : out_at * a.out_item + out_column));
    CONVK_CUDA_UNROLL_
    for (int n = 0; n < S::out; n++, to += a.out_row) {
      const int k = way ? convk_cuda_fft_at_<S>(n) : n;
      pair v = {xr[k], xi[k]};
      if (way == CONVK_CUDA_FFT_INVERSE_) {
        v.x = convk_cuda_mul_(xi[k], a.scale);
        v.y = convk_cuda_mul_(xr[k], a.scale);
      }
      *(pair *)(void *)to = v;
    }
  }
  __syncthreads();
  convk_cuda_fft_give_<S>(a, first, items, numbers);
}
#endif
