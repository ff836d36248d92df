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
template <class layout_, int step_, class pair_> struct convk_cuda_fft_row_ {
  pair_ *even, *odd;
  __device__ __forceinline__ convk_cuda_fft_row_(pair_ *line, unsigned n)
      : even(line + n / 2 * layout_::next + n % 2 * layout_::odd),
        odd(line + (n + step_) / 2 * layout_::next + (n + step_) % 2 * layout_::odd) {}
  __device__ __forceinline__ pair_ *at(int q) const { return (q % 2 ? odd : even) + q / 2 * (step_ * layout_::next); }
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

/* The first pass along y, from the field, or the last one back, into the result. */
template <class square_, int back_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_y_(const convk_cuda_fft_args_<real_> &a,
                                                 const convk_cuda_fft_block_<real_> &block, pair_ *tile) {
  enum { radix = square_::radix0, part = square_::radix1 };
  const convk_cuda_fft_by_ &all = back_ ? a.out_all : a.in_all, &each = back_ ? a.out_each : a.in_each;
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < part * all.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, all, each);
    const unsigned column = block.column + t.column;
    real_ xr[radix], xi[radix];
    if (t.item >= block.items || column >= convk_cuda_fft_columns_(a, back_ ? a.out_columns : a.columns)) continue;
    const convk_cuda_fft_file_<part, pair_> here(tile + t.item * square_::tile + t.column * square_::unit + t.row);
    const size_t item = block.first + t.item;
    if (back_) {
      convk_cuda_fft_fetch_<radix>(here, radix, xr, xi);
      convk_cuda_fft_step_<radix>(0, a.tables + a.axis[0].inverse[0] + 2 * t.row * (radix - 1), xi, xr);
      convk_cuda_fft_write_<square_, radix, 0>(a, item, t.row, part, column, xr, xi);
    } else {
      convk_cuda_fft_read_<square_, radix, 0>(a, item, t.row, part, column, xr, xi);
      convk_cuda_fft_step_<radix>(a.axis[0].half_in, (const real_ *)NULL, xr, xi);
      convk_cuda_fft_leave_<radix>(here, radix, xr, xi);
    }
  }
}

/* The last pass there or the first one back along y, of complex columns. */
template <class square_, int back_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_columns_(const convk_cuda_fft_args_<real_> &a,
                                                       const convk_cuda_fft_block_<real_> &block, pair_ *tile) {
  enum { radix = square_::radix1 };
  const convk_cuda_fft_by_ &all = back_ ? a.out_all : a.in_all, &each = back_ ? a.out_each : a.in_each;
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < square_::radix0 * all.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, all, each);
    const convk_cuda_fft_file_<1, pair_> here(tile + t.item * square_::tile + t.column * square_::unit + t.row * radix);
    real_ xr[radix], xi[radix];
    if (t.item >= block.items || block.column + t.column >= (back_ ? a.out_columns : a.columns)) continue;
    convk_cuda_fft_fetch_<radix>(here, radix, xr, xi);
    if (back_) convk_cuda_fft_step_<radix>(0, (const real_ *)NULL, xi, xr);
    else convk_cuda_fft_step_<radix>(0, a.tables + a.axis[0].forward[1] + 2 * t.row * (radix - 1), xr, xi);
    convk_cuda_fft_leave_<radix>(here, radix, xr, xi);
  }
}

/* Of a pair of real columns a thread has two blocks in the last pass, j and `other`, so that it can split the pair in
   registers: frequency j + radix0 q is opposite to radix0 - j + radix0 (radix1 - 1 - q), which block radix0 - j has.  Thread 0
   takes blocks 0 and radix0 / 2, whose opposite frequencies are their own.  The lines of a column are the frequencies up to
   side / 2: the first `low` ones of block j, then the first of `other`, and that in the middle, which thread 0 has, too. */
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
  /* Line q, the point that has its frequency, and the one of the opposite frequency: in the same block or in the other one. */
  __device__ __forceinline__ pair_ *line(int q) const {
    return q < low ? at + j + q * square_::radix0 : at + other + (q - low) * square_::radix0;
  }
  __device__ __forceinline__ int point(int q) const { return q < low ? q : radix + q - low; }
  __device__ __forceinline__ int mirror(int q) const { return q < low ? (radix - q) % radix : 2 * radix - 1 - (q - low); }
  __device__ __forceinline__ int mirror_across(int q) const { return q < low ? 2 * radix - 1 - q : radix - 1 - (q - low); }
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
      const int last = q == radix, z = last ? (int)middle : two.point(q), here = last ? z : two.mirror(q),
                there = last ? z : two.mirror_across(q);
      pair_ *const to = last ? two.at + square_::side / 2 : two.line(q);
      const real_ mr = two.j ? xr[there] : xr[here], mi = two.j ? xi[there] : xi[here];
      pair_ v;
      if (last && two.j) continue;
      convk_cuda_fft_split_(xr[z], xi[z], mr, mi, 0, &v.x, &v.y);
      to[0] = v;
      convk_cuda_fft_split_(xr[z], xi[z], mr, mi, 1, &v.x, &v.y);
      if (both) to[square_::odd] = v;
    }
  }
}

/* The same back.  A line's points of two columns, or of one, give the points of its frequency and of the opposite one. */
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
          convk_cuda_fft_both_<square_>(two.line(q), both, &xr[two.point(q)], &xi[two.point(q)], &xr[two.mirror_across(q)],
                                        &xi[two.mirror_across(q)]);
      } else {
        CONVK_CUDA_EACH_(q, radix) {
          const int z = two.point(q), m = two.mirror(q);
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

/* The first pass along x there, from where lines come from, or the last one back, to where they go, as outer_ says; in the tile
   they are as layout_ says.  live: lines of all items. */
template <class square_, class outer_, class layout_, int back_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_end_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_by_ &each,
                                                   unsigned live, pair_ *outside, pair_ *tile) {
  enum { radix = square_::radix0, part = square_::radix1 };
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < part * a.width.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, a.width, each);
    const unsigned line = t.item * square_::tile + t.column;
    real_ xr[radix], xi[radix];
    if (t.item * each.by + t.column >= live) continue;
    const convk_cuda_fft_row_<outer_, part, pair_> outer(outside + line, t.row);
    const convk_cuda_fft_row_<layout_, part, pair_> inner(tile + line, t.row);
    const int points = convk_cuda_fft_count_(t.row, part, back_ ? a.out_columns : a.columns);
    if (back_) {
      convk_cuda_fft_fetch_<radix>(inner, radix, xr, xi);
      convk_cuda_fft_step_<radix>(0, a.tables + a.axis[1].inverse[0] + 2 * t.row * (radix - 1), xi, xr);
      convk_cuda_fft_leave_<radix>(outer, points, xr, xi);
    } else {
      convk_cuda_fft_fetch_<radix>(outer, points, xr, xi);
      convk_cuda_fft_step_<radix>(a.axis[1].half_in, (const real_ *)NULL, xr, xi);
      convk_cuda_fft_leave_<radix>(inner, radix, xr, xi);
    }
  }
}

/* Along x: lines there, times their factors, and back; those of a transform only there.  `each` lines of an item, the first
   `live` of all; from, to: where lines come from and go to, as outer_ says; in the tile as layout_ says. */
template <class square_, class outer_, class layout_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_middle_x_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_by_ &each,
                                                 const convk_cuda_fft_block_<real_> &block, pair_ *from, pair_ *tile,
                                                 pair_ *to) {
  enum { radix0 = square_::radix0, radix1 = square_::radix1 };
  const unsigned live = block.end - block.line;
  convk_cuda_fft_middle_end_<square_, outer_, layout_, 0>(a, each, live, from, tile);
  __syncthreads();
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < radix0 * a.width.by; k += square_::threads) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, a.width, each);
    const convk_cuda_fft_row_<layout_, 1, pair_> here(tile + t.item * square_::tile + t.column, t.row * radix1);
    real_ xr[radix1], xi[radix1];
    if (t.item * each.by + t.column >= live) continue;
    convk_cuda_fft_fetch_<radix1>(here, radix1, xr, xi);
    convk_cuda_fft_step_<radix1>(0, a.tables + a.axis[1].forward[1] + 2 * t.row * (radix1 - 1), xr, xi);
    if (!square_::transforms) {
      const real_ *const f = block.factor[t.item] + block.line + t.column + t.row * (radix1 * 2 * square_::spectrum);
      CONVK_CUDA_EACH_(q, radix1)
        convk_cuda_fft_times_(0, __ldg(f + q * 2 * square_::spectrum), __ldg(f + (2 * q + 1) * square_::spectrum), &xr[q],
                              &xi[q]);
      convk_cuda_fft_step_<radix1>(0, (const real_ *)NULL, xi, xr);
    }
    convk_cuda_fft_leave_<radix1>(here, radix1, xr, xi);
  }
  __syncthreads();
  if (!square_::transforms) convk_cuda_fft_middle_end_<square_, outer_, layout_, 1>(a, each, live, to, tile);
  __syncthreads();
}

template <class real_, class square_>
static __global__ void CONVK_CUDA_BOUNDS_(square_::threads, square_::blocks)
    convk_cuda_fft_middles_(const convk_cuda_fft_args_<real_> a) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  CONVK_CUDA_SHARED_(shared);
  pair *const tile = (pair *)(void *)shared + a.at_a;
  convk_cuda_fft_block_<real_> block;
  convk_cuda_fft_block_of_(a, blockIdx.x, shared, &block);
  if (!square_::transforms && threadIdx.x < block.items)
    block.factor[threadIdx.x] = convk_cuda_fft_factors_(a, block.first + threadIdx.x);
  convk_cuda_fft_middle_y_<square_, 0>(a, block, tile);
  __syncthreads();
  if (square_::real) convk_cuda_fft_middle_split_<square_>(a, block.items, tile);
  else convk_cuda_fft_middle_columns_<square_, 0>(a, block, tile);
  __syncthreads();
  convk_cuda_fft_middle_x_<square_, square_, square_>(a, a.lines, block, tile, tile, tile);
  if (square_::transforms) {
    convk_cuda_fft_give_<square_>(a, block.first, block.items, tile);
    return;
  }
  if (square_::real) convk_cuda_fft_middle_join_<square_>(a, block.items, tile);
  else convk_cuda_fft_middle_columns_<square_, 1>(a, block, tile);
  __syncthreads();
  convk_cuda_fft_middle_y_<square_, 1>(a, block, tile);
}

/* Complex squares without room for a whole item: columns, lines, and columns again, each in a launch of its own, with all of an
   item in memory in between. */
template <class real_, int radix0_, int radix1_, int transforms_>
struct convk_cuda_fft_middle_part_ : convk_cuda_fft_middle_<real_, radix0_, radix1_, 0, transforms_> {
  enum {
    threads = CONVK_CUDA_FFT_THREADS_,
    blocks = 2,
    odd = CONVK_CUDA_FFT_LINES_ | 1,
    next = 2 * odd
  }; /* of a group of lines */
};

template <class real_, int radix0_, int radix1_, int transforms_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_FFT_THREADS_, 2)
    convk_cuda_fft_middle_parts_(const convk_cuda_fft_args_<real_> a) {
  typedef convk_cuda_fft_middle_part_<real_, radix0_, radix1_, transforms_> part;
  typedef convk_cuda_fft_middle_<real_, radix0_, radix1_, 0, transforms_> whole;
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  enum { side = whole::side };
  CONVK_CUDA_SHARED_(shared);
  pair *const tile = (pair *)(void *)shared + a.at_a;
  for (size_t group = blockIdx.x; group < a.groups; group += gridDim.x) {
    convk_cuda_fft_block_<real_> block;
    convk_cuda_fft_block_of_(a, group, shared, &block);
    if (a.stage == CONVK_CUDA_FFT_Y_) {
      convk_cuda_fft_middle_y_<part, 0>(a, block, tile);
      __syncthreads();
      convk_cuda_fft_middle_columns_<part, 0>(a, block, tile);
      __syncthreads();
      convk_cuda_fft_move_<real_, transforms_>(a, block, a.columns, a.in_each, 0);
    } else if (a.stage == CONVK_CUDA_FFT_X_) {
      pair *const lines = (pair *)(void *)block.b + block.line;
      const int points = transforms_ ? (int)(block.end - block.line) * side : 0;
      if (threadIdx.x == 0 && !transforms_) block.factor[0] = convk_cuda_fft_factors_(a, block.first);
      convk_cuda_fft_middle_x_<part, whole, part>(a, a.width, block, lines, tile, lines);
      for (int k = (int)threadIdx.x; k < points; k += part::threads)
        convk_cuda_fft_hand_(a, block.first, block.line + (unsigned)k / side,
                             (unsigned)k % side % radix1_ * radix0_ + (unsigned)k % side / radix1_,
                             tile[(unsigned)k % side * part::odd + (unsigned)k / side]);
      __syncthreads();
    } else {
      convk_cuda_fft_move_<real_, transforms_>(a, block, a.out_columns, a.out_each, 1);
      convk_cuda_fft_middle_columns_<part, 1>(a, block, tile);
      __syncthreads();
      convk_cuda_fft_middle_y_<part, 1>(a, block, tile);
      __syncthreads();
    }
  }
}
