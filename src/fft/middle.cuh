/* ---- squares of 40 to 128 points: a thread holds one group of a line's points, or two, in registers ---- */

/* A square of radix0_ radix1_ points in shared memory, where all passes after the first find it:

     complex   point k of column n at n unit + k
     real      point k of pair n at n unit + k; once split, line k of column 2 n at n unit + k, of 2 n + 1 at n unit + odd + k

   Lanes go across columns along y, and along columns for passes along x: `unit` is odd, so neither way has bank conflicts. */
template <class real_, int radix0_, int radix1_, int is_real_, int transforms_> struct convk_cuda_fft_middle_ {
  enum {
    side = radix0_ * radix1_,
    radix0 = radix0_,
    radix1 = radix1_,
    real = is_real_,
    transforms = transforms_,
    in_order = 0,
    lines = is_real_ ? side / 2 + 1 : side,
    unit = is_real_ ? 2 * lines | 1 : side | 1,
    odd = is_real_ ? lines : unit,     /* complex numbers from an even column to the next, */
    next = is_real_ ? unit : 2 * unit, /* and to the one after that */
    tile = is_real_ ? side / 2 * unit : side * unit,
    spectrum = (lines + CONVK_FFT_PAD_ - 1) / CONVK_FFT_PAD_ * CONVK_FFT_PAD_,
    bytes = tile * 2 * sizeof(real_),
    each = bytes < 40960 ? 40960 / bytes : 1, /* items of a block, at most */
    alone = bytes > 76800,                    /* a multiprocessor has room for one such square, of others for three blocks */
    threads = alone           ? (is_real_ && sizeof(real_) == 8 ? 256 : 512)
              : radix0_ == 16 ? 192
                              : 256, /* and none spills registers */
    blocks = alone                ? 1
             : sizeof(real_) == 8 ? 2
                                  : 3,
    wide = threads / (radix0_ / 2) /* pairs of columns that are split, or joined, at a time */
  };
};

/* Where points of a line in columns n, n + step_, n + 2 step_ ... are. */
template <class square_, int step_, class pair_> struct convk_cuda_fft_row_ {
  pair_ *even, *odd;
  __device__ __forceinline__ convk_cuda_fft_row_(pair_ *line, unsigned n)
      : even(line + n / 2 * square_::next + n % 2 * square_::odd),
        odd(line + (n + step_) / 2 * square_::next + (n + step_) % 2 * square_::odd) {}
  __device__ __forceinline__ pair_ *at(int q) const { return (q % 2 ? odd : even) + q / 2 * (step_ * square_::next); }
};
/* The same along y, of one column. */
template <int step_, class pair_> struct convk_cuda_fft_file_ {
  pair_ *first;
  __device__ __forceinline__ explicit convk_cuda_fft_file_(pair_ *point) : first(point) {}
  __device__ __forceinline__ pair_ *at(int q) const { return first + q * step_; }
};

/* Points of a group there, of which the first `count` are not zeros, and from there. */
template <int radix_, class places_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_fetch_(const places_ &from, int count, real_ *xr, real_ *xi) {
  CONVK_CUDA_EACH_(q, radix_) {
    xr[q] = xi[q] = 0;
    if (q < count) convk_cuda_fft_get_(&from.at(q)->x, CONVK_CUDA_FFT_PAIRS_, &xr[q], &xi[q]);
  }
}
template <int radix_, class places_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_leave_(const places_ &to, int count, const real_ *xr, const real_ *xi) {
  CONVK_CUDA_EACH_(q, radix_)
    if (q < count) convk_cuda_fft_put_(&to.at(q)->x, CONVK_CUDA_FFT_PAIRS_, xr[q], xi[q]);
}

/* The first pass along y, from the field. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_y_(const convk_cuda_fft_args_<real_> &a, size_t first, unsigned items,
                                                 pair_ *tile) {
  enum { radix = square_::radix0, part = square_::radix1 };
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < part * a.in_all.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, a.in_all, a.in_each);
    real_ xr[radix], xi[radix];
    if (t.item >= items) continue;
    convk_cuda_fft_read_<square_, radix, 0>(a, first + t.item, t.row, part, t.column, xr, xi);
    CONVK_CUDA_EACH_(q, radix) {
      const real_ re = xr[q];
      if (!square_::transforms || !a.swap) continue;
      xr[q] = xi[q];
      xi[q] = re;
    }
    convk_cuda_fft_step_<radix>(a.axis[0].half_in, (const real_ *)NULL, xr, xi);
    convk_cuda_fft_leave_<radix>(
        convk_cuda_fft_file_<part, pair_>(tile + t.item * square_::tile + t.column * square_::unit + t.row), radix, xr, xi);
  }
}

/* The last one back, into the result. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_y_back_(const convk_cuda_fft_args_<real_> &a, size_t first, unsigned items,
                                                      pair_ *tile) {
  enum { radix = square_::radix0, part = square_::radix1 };
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < part * a.out_all.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, a.out_all, a.out_each);
    real_ xr[radix], xi[radix];
    if (t.item >= items) continue;
    convk_cuda_fft_fetch_<radix>(
        convk_cuda_fft_file_<part, pair_>(tile + t.item * square_::tile + t.column * square_::unit + t.row), radix, xr, xi);
    convk_cuda_fft_step_<radix>(0, a.tables + a.axis[0].inverse[0] + 2 * t.row * (radix - 1), xi, xr);
    convk_cuda_fft_write_<square_, radix, 0>(a, first + t.item, t.row, part, t.column, xr, xi);
  }
}

/* The last pass there or the first one back along y, of complex columns. */
template <class square_, int back_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_columns_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_by_ &all,
                                                       const convk_cuda_fft_by_ &each, unsigned items, pair_ *tile) {
  enum { radix = square_::radix1 };
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < square_::radix0 * all.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, all, each);
    const convk_cuda_fft_file_<1, pair_> here(tile + t.item * square_::tile + t.column * square_::unit + t.row * radix);
    real_ xr[radix], xi[radix];
    if (t.item >= items) continue;
    convk_cuda_fft_fetch_<radix>(here, radix, xr, xi);
    if (back_) convk_cuda_fft_step_<radix>(0, (const real_ *)NULL, xi, xr);
    else convk_cuda_fft_step_<radix>(0, a.tables + a.axis[0].forward[1] + 2 * t.row * (radix - 1), xr, xi);
    convk_cuda_fft_leave_<radix>(here, radix, xr, xi);
  }
}

/* Of a pair of real columns a thread has two blocks in the last pass, j and `other`, so that it can split the pair in registers:
   frequency j + radix0 q is opposite to radix0 - j + radix0 (radix1 - 1 - q), which block radix0 - j has; thread 0 takes blocks 0
   and radix0 / 2, whose opposite frequencies are their own.  The lines of a column are the frequencies up to side / 2: the first
   `low` ones of block j, then the first of `other`; and that in the middle, which thread 0 has beside them. */
template <class square_, class pair_> struct convk_cuda_fft_two_ {
  enum { radix = square_::radix1, low = (radix + 1) / 2, middle = radix % 2 ? radix + radix / 2 : radix / 2 };
  unsigned j, other, item, column;
  int is;
  pair_ *at;
  __device__ __forceinline__ convk_cuda_fft_two_(unsigned begin, unsigned items, const convk_cuda_fft_by_ &each, pair_ *tile) {
    const unsigned unit = begin + threadIdx.x % square_::wide;
    j = threadIdx.x / square_::wide;
    other = j ? square_::radix0 - j : square_::radix0 / 2;
    item = convk_cuda_fft_over_(unit, each);
    column = 2 * (unit - item * each.by);
    is = item < items;
    at = tile + item * square_::tile + column / 2 * square_::unit;
  }
  __device__ __forceinline__ pair_ *block(int second) const { return at + (second ? other : j) * radix; }
  /* Line q, the point that has its frequency, and the one that has the opposite frequency: in this block or in the other one. */
  __device__ __forceinline__ pair_ *line(int q) const {
    return q < low ? at + j + q * square_::radix0 : at + other + (q - low) * square_::radix0;
  }
  __device__ __forceinline__ int point(int q) const { return q < low ? q : radix + q - low; }
  __device__ __forceinline__ int near(int q) const { return q < low ? (radix - q) % radix : 2 * radix - 1 - (q - low); }
  __device__ __forceinline__ int far(int q) const { return q < low ? 2 * radix - 1 - q : radix - 1 - (q - low); }
};

template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_split_(const convk_cuda_fft_args_<real_> &a, unsigned items, pair_ *tile) {
  typedef convk_cuda_fft_two_<square_, pair_> pieces;
  enum { radix = square_::radix1, middle = pieces::middle };
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned begin = 0; begin < a.in_all.by; begin += square_::wide) {
    const pieces two(begin, items, a.in_each, tile);
    const int both = two.column + 1 < a.columns;
    const real_ *const roots = a.tables + a.axis[0].forward[1];
    real_ xr[2 * radix], xi[2 * radix];
    if (two.is) {
      CONVK_CUDA_EACH_(b, 2) {
        convk_cuda_fft_fetch_<radix>(convk_cuda_fft_file_<1, pair_>(two.block(b)), radix, xr + b * radix, xi + b * radix);
        convk_cuda_fft_step_<radix>(0, roots + 2 * (b ? two.other : two.j) * (radix - 1), xr + b * radix, xi + b * radix);
      }
    }
    __syncthreads();
    if (!two.is) continue;
    CONVK_CUDA_EACH_(q, radix + 1) {
      const int last = q == radix, z = last ? (int)middle : two.point(q), near = last ? z : two.near(q),
                far = last ? z : two.far(q);
      pair_ *const to = last ? two.at + square_::side / 2 : two.line(q);
      const real_ mr = two.j ? xr[far] : xr[near], mi = two.j ? xi[far] : xi[near];
      pair_ v;
      if (last && two.j) continue;
      convk_cuda_fft_split_(xr[z], xi[z], mr, mi, 0, &v.x, &v.y);
      to[0] = v;
      convk_cuda_fft_split_(xr[z], xi[z], mr, mi, 1, &v.x, &v.y);
      if (both) to[square_::odd] = v;
    }
  }
}

/* The same back.  A line's points of two columns, or of one, give the pair's points of its frequency and of the opposite one. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_both_(const pair_ *line, int both, real_ *zr, real_ *zi, real_ *mr, real_ *mi) {
  const pair_ v = line[0];
  pair_ w = {0, 0};
  if (both) w = line[square_::odd];
  convk_cuda_fft_merge_(v.x, v.y, w.x, w.y, zr, zi, mr, mi);
}
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_join_(const convk_cuda_fft_args_<real_> &a, unsigned items, pair_ *tile) {
  typedef convk_cuda_fft_two_<square_, pair_> pieces;
  enum { radix = square_::radix1, middle = pieces::middle };
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned begin = 0; begin < a.out_all.by; begin += square_::wide) {
    const pieces two(begin, items, a.out_each, tile);
    const int both = two.column + 1 < a.out_columns;
    real_ xr[2 * radix], xi[2 * radix], mr, mi;
    if (two.is) {
      if (two.j) {
        CONVK_CUDA_EACH_(q, radix)
          convk_cuda_fft_both_<square_>(two.line(q), both, &xr[two.point(q)], &xi[two.point(q)], &xr[two.far(q)],
                                        &xi[two.far(q)]);
      } else {
        CONVK_CUDA_EACH_(q, radix) {
          const int z = two.point(q), m = two.near(q);
          convk_cuda_fft_both_<square_>(two.line(q), both, &xr[z], &xi[z], m == z ? &mr : &xr[m], m == z ? &mi : &xi[m]);
        }
        convk_cuda_fft_both_<square_>(two.at + square_::side / 2, both, &xr[middle], &xi[middle], &mr, &mi);
      }
      CONVK_CUDA_EACH_(b, 2) convk_cuda_fft_step_<radix>(0, (const real_ *)NULL, xi + b * radix, xr + b * radix);
    }
    __syncthreads();
    if (!two.is) continue;
    CONVK_CUDA_EACH_(b, 2)
      convk_cuda_fft_leave_<radix>(convk_cuda_fft_file_<1, pair_>(two.block(b)), radix, xr + b * radix, xi + b * radix);
  }
}

/* Along x: lines there, times their factors, and back to where they were; those of a transform only there. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_x_(const convk_cuda_fft_args_<real_> &a, unsigned items, pair_ *tile,
                                                 const real_ *const *factors) {
  enum { radix0 = square_::radix0, radix1 = square_::radix1 };
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < radix1 * a.width.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, a.width, a.lines);
    const convk_cuda_fft_row_<square_, radix1, pair_> here(tile + t.item * square_::tile + t.column, t.row);
    real_ xr[radix0], xi[radix0];
    if (t.item >= items) continue;
    convk_cuda_fft_fetch_<radix0>(here, convk_cuda_fft_count_(t.row, radix1, a.columns), xr, xi);
    convk_cuda_fft_step_<radix0>(a.axis[1].half_in, (const real_ *)NULL, xr, xi);
    convk_cuda_fft_leave_<radix0>(here, radix0, xr, xi);
  }
  __syncthreads();
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < radix0 * a.width.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, a.width, a.lines);
    const convk_cuda_fft_row_<square_, 1, pair_> here(tile + t.item * square_::tile + t.column, t.row * radix1);
    real_ xr[radix1], xi[radix1];
    if (t.item >= items) continue;
    convk_cuda_fft_fetch_<radix1>(here, radix1, xr, xi);
    convk_cuda_fft_step_<radix1>(0, a.tables + a.axis[1].forward[1] + 2 * t.row * (radix1 - 1), xr, xi);
    if (!square_::transforms) {
      const real_ *const f = factors[t.item] + t.column + (size_t)t.row * (radix1 * 2 * square_::spectrum);
      CONVK_CUDA_EACH_(q, radix1)
        convk_cuda_fft_times_(__ldg(f + q * 2 * square_::spectrum), __ldg(f + (2 * q + 1) * square_::spectrum), &xr[q], &xi[q]);
      convk_cuda_fft_step_<radix1>(0, (const real_ *)NULL, xi, xr);
    }
    convk_cuda_fft_leave_<radix1>(here, radix1, xr, xi);
  }
  __syncthreads();
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < radix1 * a.width.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, a.width, a.lines);
    const convk_cuda_fft_row_<square_, radix1, pair_> here(tile + t.item * square_::tile + t.column, t.row);
    real_ xr[radix0], xi[radix0];
    if (t.item >= items || square_::transforms) continue;
    convk_cuda_fft_fetch_<radix0>(here, radix0, xr, xi);
    convk_cuda_fft_step_<radix0>(0, a.tables + a.axis[1].inverse[0] + 2 * t.row * (radix0 - 1), xi, xr);
    convk_cuda_fft_leave_<radix0>(here, convk_cuda_fft_count_(t.row, radix1, a.out_columns), xr, xi);
  }
}

template <class real_, class square_>
static __global__ void CONVK_CUDA_BOUNDS_(square_::threads, square_::blocks)
    convk_cuda_fft_middles_(const convk_cuda_fft_args_<real_> a) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  const unsigned t = threadIdx.x;
  const size_t first = a.begin + (size_t)blockIdx.x * a.each.by;
  const unsigned items = (unsigned)convk_cuda_least_(a.items - first, (int)a.each.by);
  CONVK_CUDA_SHARED_(shared);
  const real_ **const factors = (const real_ **)(void *)shared;
  pair *const tile = (pair *)(void *)shared + a.at_a;
  if (!square_::transforms && t < items) factors[t] = convk_cuda_fft_factors_(a, first + t);
  convk_cuda_fft_middle_y_<square_>(a, first, items, tile);
  __syncthreads();
  if (square_::real) convk_cuda_fft_middle_split_<square_>(a, items, tile);
  else convk_cuda_fft_middle_columns_<square_, 0>(a, a.in_all, a.in_each, items, tile);
  __syncthreads();
  convk_cuda_fft_middle_x_<square_>(a, items, tile, factors);
  if (square_::transforms) {
    convk_cuda_fft_give_<square_>(a, first, items, tile);
    return;
  }
  __syncthreads();
  if (square_::real) convk_cuda_fft_middle_join_<square_>(a, items, tile);
  else convk_cuda_fft_middle_columns_<square_, 1>(a, a.out_all, a.out_each, items, tile);
  __syncthreads();
  convk_cuda_fft_middle_y_back_<square_>(a, first, items, tile);
}
