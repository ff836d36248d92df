/* A block takes one item or several small ones through all of it: fields are read once, and results written once.
   Small squares (fft/squares.cuh): a thread holds a whole line in registers, first a column of the field, then a line along x,
   then a column of the result.  Lines meet in shared memory only in between, and twiddles are constants.
   Larger squares of two passes (fft/middle.cuh): a thread holds a group of points in registers.  Columns lie in shared memory
   one after another, and all passes but the first and the last find and leave points where they are.
   Other sizes (fft/kernel.cuh): between passes points lie in shared memory, columns one after another, an odd number of
   elements apart; lanes go across columns along y, and along columns for passes along x, so that neither has bank conflicts.
   Lines along x are as long as the FFT, and columns are only as many as there are in the field or the result: lines go through
   a small buffer in groups of about 32.
   Items too large for shared memory: the same three parts, each one launch over columns or lines, with the columns in work. */
/* Bytes of shared memory that a block may have, if less than what the device offers. */
#ifndef CONVK_CUDA_FFT_SHARED_
#define CONVK_CUDA_FFT_SHARED_ ((size_t)1 << 30)
#endif
/* Bytes of work that items share which are too large for shared memory: as many go at a time.  No measurement of it is
   recorded, nor of the numbers below where nothing else is said. */
#define CONVK_CUDA_FFT_WORK_ ((size_t)1 << 26)

enum {
  CONVK_CUDA_FFT_Y_ = 1, /* parts of the way that a launch takes */
  CONVK_CUDA_FFT_X_ = 2,
  CONVK_CUDA_FFT_BACK_ = 4,
  CONVK_CUDA_FFT_ALL_ = 7,
  CONVK_CUDA_FFT_THREADS_ = 256,  /* of kernels for any size */
  CONVK_CUDA_FFT_LINES_ = 32,     /* of a group, about: a warp of lanes */
  CONVK_CUDA_FFT_POINTS_ = 16,    /* points along x of a thread, about, from which follows how many items a block has */
  CONVK_CUDA_FFT_ITEMS_ = 64,     /* of a block, at most */
  CONVK_CUDA_FFT_EASY_ = 49152,   /* bytes of shared memory that every device offers: more items only up to this */
  CONVK_CUDA_FFT_HALF_ = 98304,   /* bytes of which a multiprocessor of compute capability 9.0 has room for two blocks */
  CONVK_CUDA_FFT_SWAP_LOADS_ = 1, /* real and imaginary parts change places */
  CONVK_CUDA_FFT_SWAP_STORES_ = 2,
  CONVK_CUDA_FFT_PAIRS_ = 0, /* two elements are loaded or stored as one; one by one; the second is not there */
  CONVK_CUDA_FFT_SINGLY_ = 1,
  CONVK_CUDA_FFT_FIRST_ = 2
};

template <class real_> struct convk_cuda_fft_type_;
template <> struct convk_cuda_fft_type_<float> { typedef float2 pair; };
template <> struct convk_cuda_fft_type_<double> { typedef double2 pair; };

/* ---- one pass of a radix over one group of points, in registers ---- */

template <class real_> struct convk_cuda_fft_group_ {
  const real_ *src; /* point 0: its real part, then its imaginary part */
  real_ *dst;
  size_t from, to;       /* elements to the next point */
  int have, want;        /* points that there are, the others being zeros, and that are stored */
  int half;              /* points radix / 2 .. are zeros */
  int swap, load, store; /* CONVK_CUDA_FFT_SWAP_LOADS_ ..., CONVK_CUDA_FFT_PAIRS_ ... */
  const real_ *twiddle;  /* of points 1 .. radix - 1, or NULL */
};

template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_get_(const real_ *at, int way, real_ *re, real_ *im) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  if (way == CONVK_CUDA_FFT_PAIRS_) {
    const pair v = *(const pair *)(const void *)at;
    *re = v.x;
    *im = v.y;
  } else {
    *re = at[0];
    *im = way == CONVK_CUDA_FFT_FIRST_ ? (real_)0 : at[1];
  }
}

template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_put_(real_ *at, int way, real_ re, real_ im) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  if (way == CONVK_CUDA_FFT_PAIRS_) {
    pair v;
    v.x = re;
    v.y = im;
    *(pair *)(void *)at = v;
  } else {
    at[0] = re;
    if (way != CONVK_CUDA_FFT_FIRST_) at[1] = im;
  }
}

template <class real_>
CONVK_CUDA_INLINE_ typename convk_cuda_fft_type_<real_>::pair convk_cuda_fft_root_(const real_ *w, int q) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  return __ldg((const pair *)(const void *)w + (q - 1));
}

/* The points times their twiddles, if there are any, after the first step.  half: points radix_ / 2 .. are zeros. */
template <int radix_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_first_(int half, const real_ *twiddle, real_ *xr, real_ *xi) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  const int h = radix_ % 2 ? radix_ : radix_ / 2;
  if (radix_ % 2 == 0 && half) {
    CONVK_CUDA_UNROLL_
    for (int q = h; q < radix_; q++) {
      xr[q] = xr[q - h];
      xi[q] = xi[q - h];
    }
  } else if (twiddle) {
    CONVK_CUDA_UNROLL_
    for (int q = 1; q < h; q++) {
      const pair w = convk_cuda_fft_root_(twiddle, q);
      convk_cuda_fft_times_(0, w.x, w.y, &xr[q], &xi[q]);
    }
    CONVK_CUDA_UNROLL_
    for (int q = h; q < radix_; q++) {
      const pair w = convk_cuda_fft_root_(twiddle, q);
      convk_cuda_fft_butterfly_(0, w.x, w.y, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
    }
  } else {
    CONVK_CUDA_UNROLL_
    for (int q = h; q < radix_; q++) convk_cuda_fft_butterfly_1_(0, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
  }
}

/* A pass of a group in registers; of passes back with real and imaginary parts exchanged. */
template <int radix_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_step_(int half, const real_ *twiddle, real_ *xr, real_ *xi) {
  convk_cuda_fft_first_<radix_>(half, twiddle, xr, xi);
  convk_cuda_fft_radix_rest_(radix_, xr, xi);
}

template <int radix_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_load_(const convk_cuda_fft_group_<real_> &p, real_ *xr, real_ *xi) {
  CONVK_CUDA_EACH_(q, radix_) {
    real_ re = 0, im = 0;
    if (q < p.have) convk_cuda_fft_get_(p.src + (size_t)q * p.from, p.load, &re, &im);
    xr[q] = p.swap & CONVK_CUDA_FFT_SWAP_LOADS_ ? im : re;
    xi[q] = p.swap & CONVK_CUDA_FFT_SWAP_LOADS_ ? re : im;
  }
}

template <int radix_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_store_(const convk_cuda_fft_group_<real_> &p, const real_ *xr, const real_ *xi) {
  CONVK_CUDA_EACH_(q, radix_) {
    const real_ re = p.swap & CONVK_CUDA_FFT_SWAP_STORES_ ? xi[q] : xr[q];
    const real_ im = p.swap & CONVK_CUDA_FFT_SWAP_STORES_ ? xr[q] : xi[q];
    if (q < p.want) convk_cuda_fft_put_(p.dst + (size_t)q * p.to, p.store, re, im);
  }
}

template <int radix_, class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_pass_(const convk_cuda_fft_group_<real_> &p) {
  real_ xr[radix_], xi[radix_];
  convk_cuda_fft_load_<radix_>(p, xr, xi);
  convk_cuda_fft_step_<radix_>(p.half, p.twiddle, xr, xi);
  convk_cuda_fft_store_<radix_>(p, xr, xi);
}

/* The last pass there, the factors, and the first pass back; factor: of point 0, `step` elements before that of point 1, its
   imaginary part `imag` elements after the real part. */
template <int radix_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_turn_(const convk_cuda_fft_group_<real_> &p, const real_ *factor, size_t step,
                                             size_t imag) {
  real_ xr[radix_], xi[radix_];
  convk_cuda_fft_load_<radix_>(p, xr, xi);
  convk_cuda_fft_step_<radix_>(p.half, p.twiddle, xr, xi);
  CONVK_CUDA_EACH_(q, radix_) {
    const real_ *at = factor + (size_t)q * step;
    convk_cuda_fft_times_(0, __ldg(at), __ldg(at + imag), &xr[q], &xi[q]);
  }
  convk_cuda_fft_step_<radix_>(0, (const real_ *)NULL, xi, xr);
  convk_cuda_fft_store_<radix_>(p, xr, xi);
}

/* ---- any size ---- */

/* x / by for x by < 2^32. */
struct convk_cuda_fft_by_ {
  unsigned by, magic;
};
CONVK_CUDA_INLINE_ unsigned convk_cuda_fft_over_(unsigned x, const convk_cuda_fft_by_ &d) {
  return d.by == 1 ? x : (unsigned)((uint64_t)x * d.magic >> 32);
}

struct convk_cuda_fft_axis_ {
  unsigned n;
  int passes, half_in;
  unsigned radix[CONVK_FFT_PASSES_], forward[CONVK_FFT_PASSES_], inverse[CONVK_FFT_PASSES_];
  convk_cuda_fft_by_ part[CONVK_FFT_PASSES_]; /* points of a block's part */
};

template <class real_> struct convk_cuda_fft_args_ {
  const real_ *in, *tables, *spectra;
  real_ *out, *outside; /* outside: the columns, where not in shared memory */
  const uint32_t *position[2];
  const size_t *kernel; /* of items, or NULL: item / items_per_kernel */
  size_t begin, items;  /* the first of a launch, and all */
  size_t items_per_kernel, spectrum, in_pitch, in_stride, out_pitch, out_stride; /* elements of real_ */
  size_t groups; /* tasks of blocks: items / each, or items times chunks */
  convk_cuda_fft_axis_ axis[2];
  unsigned rows, columns, out_rows, out_columns, pitch; /* pitch: of a line of the spectra */
  unsigned chunks;                                      /* of an item, where blocks take only a part of it; else 1 */
  unsigned tile, pairs;                                 /* columns of an item in memory, and pairs of real ones */
  unsigned pitch_a, pitch_b; /* complex numbers from column to column: along y, and along x (the same unless real) */
  unsigned step;             /* from point to point of lines under way */
  unsigned at_a, at_b, at_t; /* complex numbers in shared memory: before the columns along y, along x; the lines under way */
  convk_cuda_fft_by_ each, lines, width;                 /* items of a block, lines of an item, lines of a group */
  convk_cuda_fft_by_ in_all, in_each, out_all, out_each; /* columns along y of a block's items, and of one */
  unsigned item;                                         /* complex numbers from item to item in shared memory, of squares */
  int in_place; /* lines are under way where they are: all columns of the FFT are there */
  int stage, real, swap, load, store;
  real_ scale;
};

template <int radix_, class real_>
static __device__ CONVK_CUDA_NOINLINE_ void convk_cuda_fft_pass_of_(const real_ *src, real_ *dst, size_t from, size_t to,
                                                                    int have, int want, int half, int swap, int load, int store,
                                                                    const real_ *twiddle) {
  const convk_cuda_fft_group_<real_> p = {src, dst, from, to, have, want, half, swap, load, store, twiddle};
  convk_cuda_fft_pass_<radix_>(p);
}
template <int radix_, class real_>
static __device__ CONVK_CUDA_NOINLINE_ void convk_cuda_fft_turn_of_(const real_ *src, real_ *dst, size_t from, size_t to,
                                                                    int have, int want, int half, const real_ *twiddle,
                                                                    const real_ *factor, size_t step, size_t imag) {
  const convk_cuda_fft_group_<real_> p = {src, dst, from, to, have, want, half, 0, 0, 0, twiddle};
  convk_cuda_fft_turn_<radix_>(p, factor, step, imag);
}

/* Any size; passes are functions that all places call. */
#define CONVK_CUDA_FFT_OF_RADIX_(radix, call) \
  switch (radix) { \
    case 1: call(1); break; \
    case 2: call(2); break; \
    case 3: call(3); break; \
    case 4: call(4); break; \
    case 5: call(5); break; \
    case 7: call(7); break; \
    case 8: call(8); break; \
    default: call(16); \
  }
template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_fft_pass_any_(unsigned radix, const convk_cuda_fft_group_<real_> &p) {
#define CONVK_CUDA_FFT_PASS_(radix) \
  convk_cuda_fft_pass_of_<radix>(p.src, p.dst, p.from, p.to, p.have, p.want, p.half, p.swap, p.load, p.store, p.twiddle)
  CONVK_CUDA_FFT_OF_RADIX_(radix, CONVK_CUDA_FFT_PASS_)
}
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_turn_any_(unsigned radix, const convk_cuda_fft_group_<real_> &p, const real_ *factor,
                                                 size_t step, size_t imag) {
#define CONVK_CUDA_FFT_TURN_(radix) \
  convk_cuda_fft_turn_of_<radix>(p.src, p.dst, p.from, p.to, p.have, p.want, p.half, p.twiddle, factor, step, imag)
  CONVK_CUDA_FFT_OF_RADIX_(radix, CONVK_CUDA_FFT_TURN_)
}
#undef CONVK_CUDA_FFT_OF_RADIX_
#undef CONVK_CUDA_FFT_PASS_
#undef CONVK_CUDA_FFT_TURN_

/* ---- the way of a block ---- */

/* What a thread does next: a row, which is a group of points or a frequency, of a column of an item.  Tasks have the columns of
   all items in turn. */
struct convk_cuda_fft_task_ {
  unsigned row, item, column;
};
CONVK_CUDA_INLINE_ convk_cuda_fft_task_ convk_cuda_fft_task_of_(unsigned number, const convk_cuda_fft_by_ &all,
                                                                const convk_cuda_fft_by_ &each) {
  convk_cuda_fft_task_ task;
  task.row = convk_cuda_fft_over_(number, all);
  task.item = convk_cuda_fft_over_(number - task.row * all.by, each);
  task.column = number - task.row * all.by - task.item * each.by;
  return task;
}

template <class real_> struct convk_cuda_fft_block_ {
  size_t first;           /* item */
  unsigned items, column; /* how many, and the first column along y, of complex numbers */
  unsigned line, end;     /* lines along x of all items */
  real_ *a, *b, *t;
  const real_ **factor; /* of every item: its kernel's spectrum */
};

/* The spectrum of an item's kernel. */
template <class real_>
CONVK_CUDA_INLINE_ const real_ *convk_cuda_fft_factors_(const convk_cuda_fft_args_<real_> &a, size_t item) {
  return a.spectra + a.spectrum * (a.kernel ? a.kernel[item] : convk_cuda_divide_(item, a.items_per_kernel));
}

/* A group of pass i: all but where it comes from and goes to.  at: the block of points there, the point of a block's part back.
   The first pass there has no twiddles, nor has the first one back. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_group_of_(const convk_cuda_fft_args_<real_> &a, int d, int i, int back, unsigned at,
                                                 convk_cuda_fft_group_<real_> *p) {
  const unsigned r = a.axis[d].radix[i];
  const int turned = back ? a.axis[d].part[i].by > 1 : i > 0;
  p->have = p->want = (int)r;
  p->half = !back && i == 0 && a.axis[d].half_in;
  p->swap = back ? CONVK_CUDA_FFT_SWAP_LOADS_ | CONVK_CUDA_FFT_SWAP_STORES_ : 0;
  p->load = p->store = CONVK_CUDA_FFT_PAIRS_;
  p->twiddle = turned ? a.tables + (back ? a.axis[d].inverse[i] : a.axis[d].forward[i]) + 2 * at * (r - 1) : NULL;
}

/* Columns of complex numbers, or pairs of columns. */
template <class real_>
CONVK_CUDA_INLINE_ unsigned convk_cuda_fft_columns_(const convk_cuda_fft_args_<real_> &a, unsigned columns) {
  return a.real ? (columns + 1) / 2 : columns;
}

/* Along y, from the field into a, or back from a into the result; other passes stay in a. */
template <int back_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_y_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_block_<real_> &block) {
  const convk_cuda_fft_by_ &all = back_ ? a.out_all : a.in_all, &each = back_ ? a.out_each : a.in_each;
  const unsigned columns = back_ ? a.out_columns : a.columns, rows = back_ ? a.out_rows : a.rows;
  const unsigned count = convk_cuda_fft_columns_(a, columns), tile = a.real ? a.pairs : a.tile, n = a.axis[0].n;
  for (int pass = 0; pass < a.axis[0].passes; pass++) {
    const int i = back_ ? a.axis[0].passes - 1 - pass : pass;
    const unsigned radix = a.axis[0].radix[i], part = a.axis[0].part[i].by;
    for (unsigned k = threadIdx.x; k < n / radix * all.by; k += CONVK_CUDA_FFT_THREADS_) {
      const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(k, all, each);
      const unsigned column = block.column + t.column, b = convk_cuda_fft_over_(t.row, a.axis[0].part[i]);
      convk_cuda_fft_group_<real_> p;
      if (t.item >= block.items || column >= count) continue;
      convk_cuda_fft_group_of_(a, 0, i, back_, back_ ? t.row - b * part : b, &p);
      p.dst = block.a + 2 * ((t.item * tile + t.column) * a.pitch_a + b * part * (radix - 1) + t.row);
      p.src = p.dst;
      p.from = p.to = 2 * part;
      if (i == 0) {
        const int points = t.row < rows ? (int)convk_cuda_fft_over_(rows - t.row + part - 1, a.axis[0].part[0]) : 0;
        const int single = a.real && 2 * column + 1 == columns;
        if (back_) {
          p.dst = a.out + (block.first + t.item) * a.out_stride + t.row * a.out_pitch + 2 * (size_t)column;
          p.to = part * a.out_pitch;
          p.want = points;
          p.store = single ? (int)CONVK_CUDA_FFT_FIRST_ : a.store;
        } else {
          p.src = a.in + (block.first + t.item) * a.in_stride + t.row * a.in_pitch + 2 * (size_t)column;
          p.from = part * a.in_pitch;
          p.have = points;
          p.swap = a.swap;
          p.load = single ? (int)CONVK_CUDA_FFT_FIRST_ : a.load;
        }
      }
      convk_cuda_fft_pass_any_(radix, p);
    }
    __syncthreads();
  }
}

/* Two real columns that were transformed as one, apart: from pairs of columns in a to columns in b; and back.  z and m: where
   frequencies k and -k of the pair are. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_unpack_(const convk_cuda_fft_args_<real_> &a,
                                               const convk_cuda_fft_block_<real_> &block) {
  for (unsigned task = threadIdx.x; task < a.lines.by * a.in_all.by; task += CONVK_CUDA_FFT_THREADS_) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(task, a.in_all, a.in_each);
    const unsigned k = t.row, to = 2 * (block.column + t.column);
    if (t.item >= block.items || to >= a.columns) continue;
    const real_ *column = block.a + 2 * (size_t)((t.item * a.pairs + t.column) * a.pitch_a);
    const real_ *z = column + 2 * __ldg(a.position[0] + k), *m = column + 2 * __ldg(a.position[0] + (k ? a.axis[0].n - k : 0));
    real_ *b = block.b + 2 * ((size_t)(t.item * a.tile + to) * a.pitch_b + k);
    real_ zr, zi, mr, mi, re, im;
    convk_cuda_fft_get_(z, CONVK_CUDA_FFT_PAIRS_, &zr, &zi);
    convk_cuda_fft_get_(m, CONVK_CUDA_FFT_PAIRS_, &mr, &mi);
    convk_cuda_fft_split_(zr, zi, mr, mi, 0, &re, &im);
    convk_cuda_fft_put_(b, CONVK_CUDA_FFT_PAIRS_, re, im);
    if (to + 1 >= a.columns) continue;
    convk_cuda_fft_split_(zr, zi, mr, mi, 1, &re, &im);
    convk_cuda_fft_put_(b + 2 * a.pitch_b, CONVK_CUDA_FFT_PAIRS_, re, im);
  }
  __syncthreads();
}

template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_pack_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_block_<real_> &block) {
  for (unsigned task = threadIdx.x; task < a.lines.by * a.out_all.by; task += CONVK_CUDA_FFT_THREADS_) {
    const convk_cuda_fft_task_ t = convk_cuda_fft_task_of_(task, a.out_all, a.out_each);
    const unsigned k = t.row, from = 2 * (block.column + t.column);
    if (t.item >= block.items || from >= a.out_columns) continue;
    real_ *column = block.a + 2 * (size_t)((t.item * a.pairs + t.column) * a.pitch_a);
    real_ *z = column + 2 * __ldg(a.position[0] + k), *m = column + 2 * __ldg(a.position[0] + (k ? a.axis[0].n - k : 0));
    const real_ *b = block.b + 2 * ((size_t)(t.item * a.tile + from) * a.pitch_b + k);
    real_ ar, ai, br = 0, bi = 0, zr, zi, mr, mi;
    convk_cuda_fft_get_(b, CONVK_CUDA_FFT_PAIRS_, &ar, &ai);
    if (from + 1 < a.out_columns) convk_cuda_fft_get_(b + 2 * a.pitch_b, CONVK_CUDA_FFT_PAIRS_, &br, &bi);
    convk_cuda_fft_merge_(ar, ai, br, bi, &zr, &zi, &mr, &mi);
    convk_cuda_fft_put_(m, CONVK_CUDA_FFT_PAIRS_, mr, mi);
    convk_cuda_fft_put_(z, CONVK_CUDA_FFT_PAIRS_, zr, zi); /* stays where one */
  }
  __syncthreads();
}

/* Columns between a and far memory; those of a transform in natural order of frequencies. */
template <class real_, int transform_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_move_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_block_<real_> &block,
                                             unsigned columns, const convk_cuda_fft_by_ &each, int back) {
  for (unsigned v = 0; v < each.by && block.column + v < columns; v++)
    for (unsigned k = threadIdx.x; k < a.axis[0].n; k += CONVK_CUDA_FFT_THREADS_) {
      real_ *inside = block.a + 2 * (size_t)(v * a.pitch_a + (transform_ ? __ldg(a.position[0] + k) : k));
      real_ *outside = block.b + 2 * ((size_t)(block.column + v) * a.pitch_b + k), *from = back ? outside : inside;
      real_ re, im;
      convk_cuda_fft_get_(from, CONVK_CUDA_FFT_PAIRS_, &re, &im);
      convk_cuda_fft_put_(back ? inside : outside, CONVK_CUDA_FFT_PAIRS_, re, im);
    }
  __syncthreads();
}

/* A number of a transform into its result. */
template <class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_hand_(const convk_cuda_fft_args_<real_> &a, size_t item, unsigned row, unsigned column,
                                             const pair_ &v) {
  real_ *const to = a.out + item * a.out_stride + row * a.out_pitch + 2 * column;
  if (a.swap) convk_cuda_fft_put_(to, a.store, convk_cuda_mul_(v.y, a.scale), convk_cuda_mul_(v.x, a.scale));
  else convk_cuda_fft_put_(to, a.store, v.x, v.y);
}

/* Along x: lines of b there, times their factors, and back; those of a transform only there, and into the result. */
template <class real_, int transform_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_x_(const convk_cuda_fft_args_<real_> &a, const convk_cuda_fft_block_<real_> &block) {
  const int in_place = a.in_place, last = a.axis[1].passes - 1;
  const unsigned n = a.axis[1].n, tile = a.tile * a.pitch_b, step = a.step;
  const unsigned width = a.width.by;
  real_ *const way = in_place ? block.b : block.t; /* lines under way */
  for (unsigned begin = block.line; begin < block.end; begin += width) {
    for (int i = 0; i <= last; i++) { /* there */
      const unsigned part = a.axis[1].part[i].by;
      if (i > 0) __syncthreads();
      for (unsigned task = threadIdx.x; task < n / a.axis[1].radix[i] * width; task += CONVK_CUDA_FFT_THREADS_) {
        const unsigned g = convk_cuda_fft_over_(task, a.width), l = begin + task - g * width,
                       b = convk_cuda_fft_over_(g, a.axis[1].part[i]);
        if (l >= block.end) continue;
        const unsigned item = convk_cuda_fft_over_(l, a.lines), k = l - item * a.lines.by,
                       first = b * part * (a.axis[1].radix[i] - 1) + g;
        real_ *const here = way + 2 * (size_t)(first * step + (in_place ? item * tile + k : l - begin));
        real_ *const target = block.b + 2 * ((size_t)item * tile + (size_t)first * a.pitch_b + k);
        convk_cuda_fft_group_<real_> p;
        convk_cuda_fft_group_of_(a, 1, i, 0, b, &p);
        p.src = i ? here : target;
        p.from = 2 * (i ? (size_t)part * step : (size_t)part * a.pitch_b);
        p.dst = here;
        p.to = 2 * (size_t)part * step;
        if (i == 0) p.have = first < a.columns ? (int)convk_cuda_fft_over_(a.columns - first + part - 1, a.axis[1].part[0]) : 0;
        if (transform_ || i < last) {
          convk_cuda_fft_pass_any_(a.axis[1].radix[i], p);
          continue;
        }
        if (last == 0) { /* back at once */
          p.dst = target;
          p.to = p.from;
          p.want = (int)a.out_columns;
        }
        convk_cuda_fft_turn_any_(a.axis[1].radix[last], p, block.factor[item] + k + (size_t)first * (2 * a.pitch),
                                 2 * (size_t)a.pitch, a.pitch);
      }
    }
    __syncthreads();
    for (int i = last - 1; i >= 0 && !transform_; i--) {
      const unsigned part = a.axis[1].part[i].by;
      for (unsigned task = threadIdx.x; task < n / a.axis[1].radix[i] * width; task += CONVK_CUDA_FFT_THREADS_) {
        const unsigned g = convk_cuda_fft_over_(task, a.width), l = begin + task - g * width,
                       b = convk_cuda_fft_over_(g, a.axis[1].part[i]);
        if (l >= block.end) continue;
        const unsigned item = convk_cuda_fft_over_(l, a.lines), k = l - item * a.lines.by,
                       first = b * part * (a.axis[1].radix[i] - 1) + g;
        real_ *const here = way + 2 * (size_t)(first * step + (in_place ? item * tile + k : l - begin));
        convk_cuda_fft_group_<real_> p;
        convk_cuda_fft_group_of_(a, 1, i, 1, g - b * part, &p);
        p.src = here;
        p.from = p.to = 2 * (size_t)part * step;
        p.dst = here;
        if (i == 0) {
          p.dst = block.b + 2 * ((size_t)item * tile + (size_t)first * a.pitch_b + k);
          p.to = 2 * (size_t)part * a.pitch_b;
          p.want = first < a.out_columns ? (int)convk_cuda_fft_over_(a.out_columns - first + part - 1, a.axis[1].part[0]) : 0;
        }
        convk_cuda_fft_pass_any_(a.axis[1].radix[i], p);
      }
      __syncthreads();
    }
    if (transform_) {
      for (unsigned l = begin + threadIdx.x / 32; l < block.end && l - begin < width; l += CONVK_CUDA_FFT_THREADS_ / 32) {
        const unsigned item = convk_cuda_fft_over_(l, a.lines), row = l - item * a.lines.by;
        const real_ *line = way + 2 * (size_t)(in_place ? item * tile + __ldg(a.position[0] + row) : l - begin);
        for (unsigned c = threadIdx.x % 32; c < n; c += 32) {
          typename convk_cuda_fft_type_<real_>::pair v;
          convk_cuda_fft_get_(line + 2 * (size_t)__ldg(a.position[1] + c) * step, CONVK_CUDA_FFT_PAIRS_, &v.x, &v.y);
          convk_cuda_fft_hand_(a, block.first + item, row, c, v);
        }
      }
      __syncthreads();
    }
  }
}

/* What a block does of a launch. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_block_of_(const convk_cuda_fft_args_<real_> &a, size_t group, unsigned char *shared,
                                                 convk_cuda_fft_block_<real_> *block) {
  typedef typename convk_cuda_fft_type_<real_>::pair pair;
  pair *const numbers = (pair *)(void *)shared;
  const int stage = a.stage;
  const size_t unit = convk_cuda_divide_(group, a.chunks);
  const unsigned chunk = (unsigned)(group - unit * a.chunks);
  block->first = a.begin + unit * a.each.by;
  block->items = (unsigned)convk_cuda_least_(a.items - block->first, (int)a.each.by);
  block->column = stage == CONVK_CUDA_FFT_Y_ ? chunk * a.in_each.by : stage == CONVK_CUDA_FFT_BACK_ ? chunk * a.out_each.by : 0;
  block->line = stage == CONVK_CUDA_FFT_X_ ? chunk * a.width.by : 0;
  block->end = block->items * a.lines.by;
  if (stage == CONVK_CUDA_FFT_X_ && block->end - block->line > a.width.by) block->end = block->line + a.width.by;
  block->a = &numbers[a.at_a].x;
  block->b = stage == CONVK_CUDA_FFT_ALL_ ? &numbers[a.at_b].x : a.outside + 2 * unit * ((size_t)a.tile * a.pitch_b);
  block->t = &numbers[a.at_t].x;
  block->factor = (const real_ **)(void *)shared;
}

/* At least so many blocks of a multiprocessor that nothing is spilt from registers. */
template <class real_, int transform_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_FFT_THREADS_, sizeof(real_) == 4 ? 2 : 1)
    convk_cuda_fft_(const convk_cuda_fft_args_<real_> a) {
  CONVK_CUDA_SHARED_(shared);
  const int stage = a.stage;
  for (size_t group = blockIdx.x; group < a.groups; group += gridDim.x) {
    convk_cuda_fft_block_<real_> block;
    convk_cuda_fft_block_of_(a, group, shared, &block);
    if (!transform_ && threadIdx.x < block.items)
      block.factor[threadIdx.x] = convk_cuda_fft_factors_(a, block.first + threadIdx.x);
    if (stage & CONVK_CUDA_FFT_Y_) {
      convk_cuda_fft_y_<0>(a, block);
      if (a.real) convk_cuda_fft_unpack_(a, block);
      else if (stage != CONVK_CUDA_FFT_ALL_) convk_cuda_fft_move_<real_, transform_>(a, block, a.columns, a.in_each, 0);
    }
    if (stage == CONVK_CUDA_FFT_X_) __syncthreads();
    if (stage & CONVK_CUDA_FFT_X_) convk_cuda_fft_x_<real_, transform_>(a, block);
    if (!transform_ && (stage & CONVK_CUDA_FFT_BACK_)) {
      if (a.real) convk_cuda_fft_pack_(a, block);
      else if (stage != CONVK_CUDA_FFT_ALL_) convk_cuda_fft_move_<real_, transform_>(a, block, a.out_columns, a.out_each, 1);
      convk_cuda_fft_y_<1>(a, block);
    }
  }
}

/* ---- fields and results of squares ---- */

/* How many of points n, n + step, ... lie before `end`. */
CONVK_CUDA_INLINE_ int convk_cuda_fft_count_(unsigned n, unsigned step, unsigned end) {
  return n < end ? (int)((end - n + step - 1) / step) : 0;
}

/* Points of a column of an item, or of a pair of real ones, from memory: rows n, n + step, ..., at least `least_` of them, and
   zeros beyond the field; of an inverse transform with real and imaginary parts exchanged.  Lanes go across columns. */
template <class square_, int points_, int least_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_read_(const convk_cuda_fft_args_<real_> &a, size_t item, unsigned n, unsigned step,
                                             unsigned column, real_ *xr, real_ *xi) {
  const int count = convk_cuda_fft_count_(n, step, a.rows);
  const int way = square_::real && 2 * column + 1 == a.columns ? (int)CONVK_CUDA_FFT_FIRST_ : a.load;
  const real_ *from = a.in + item * a.in_stride + n * a.in_pitch + 2 * column;
  CONVK_CUDA_EACH_(k, points_) xr[k] = xi[k] = 0;
  if (way == CONVK_CUDA_FFT_PAIRS_) {
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < points_; k++, from += step * a.in_pitch)
      if (k < least_ || k < count) convk_cuda_fft_get_(from, CONVK_CUDA_FFT_PAIRS_, &xr[k], &xi[k]);
  } else {
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < points_; k++, from += step * a.in_pitch)
      if (k < least_ || k < count) convk_cuda_fft_get_(from, way, &xr[k], &xi[k]);
  }
  CONVK_CUDA_EACH_(k, points_) {
    const real_ re = xr[k];
    if (!square_::transforms || !a.swap) continue;
    xr[k] = xi[k];
    xi[k] = re;
  }
}

/* The same into a result. */
template <class square_, int points_, int least_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_write_(const convk_cuda_fft_args_<real_> &a, size_t item, unsigned n, unsigned step,
                                              unsigned column, const real_ *xr, const real_ *xi) {
  const int count = convk_cuda_fft_count_(n, step, a.out_rows);
  const int way = square_::real && 2 * column + 1 == a.out_columns ? (int)CONVK_CUDA_FFT_FIRST_ : a.store;
  real_ *to = a.out + item * a.out_stride + n * a.out_pitch + 2 * column;
  if (way == CONVK_CUDA_FFT_PAIRS_) {
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < points_; k++, to += step * a.out_pitch)
      if (k < least_ || k < count) convk_cuda_fft_put_(to, CONVK_CUDA_FFT_PAIRS_, xr[k], xi[k]);
  } else {
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < points_; k++, to += step * a.out_pitch)
      if (k < least_ || k < count) convk_cuda_fft_put_(to, way, xr[k], xi[k]);
  }
}

/* A transform from shared memory, in natural order of frequencies: those of neighbours are there radix0 apart. */
template <class square_, class real_, class pair_>
CONVK_CUDA_INLINE_ void convk_cuda_fft_give_(const convk_cuda_fft_args_<real_> &a, size_t first, unsigned items,
                                             const pair_ *numbers) {
  enum { side = square_::side, radix0 = square_::in_order ? 1 : square_::radix0, radix1 = side / radix0 };
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned k = threadIdx.x; k < items * (side * side); k += square_::threads) {
    const unsigned y = k / side % side, x = k % side, item = k / (side * side);
    convk_cuda_fft_hand_(a, first + item, y % radix1 * radix0 + y / radix1, x % radix1 * radix0 + x / radix1,
                         numbers[item * a.item + x * square_::odd + y]);
  }
}

#include "fft/squares.cuh"
#include "fft/middle.cuh"
#include "fft/cuda_cut.h"
