/* A pair is seen once, from the end that has the other in the next half of all, cyclically; for the gradient also from the
   other.
   Up to 256 particles: threads are particles, several walkers fill a block, which does all; as far as shared memory reaches,
   the second end of a pair takes u' / r from the first.
   More: tiles of 64 rows and 64 columns; a block of four warps, which share the columns, takes a row of tiles, or a slice of
   it, and a second kernel adds up the slices.  Up to 16384 particles a tile's pairs give columns their gradients, too, which
   are written apart for each diagonal of tiles and added up with the slices; above that there is no room for them, and each
   pair is looked at from both ends.  Order and slices depend on the number of particles alone, and so do the bits.
   Moves of single particles: a block goes through whole sweeps of a walker, its threads through the others. */
enum {
  CONVK_CUDA_PAIRS_TILE_ = 64,
  CONVK_CUDA_PAIRS_THREADS_ = 128,
  CONVK_CUDA_PAIRS_ROWS_ = 2,    /* of a thread */
  CONVK_CUDA_PAIRS_SHARE_ = 16,  /* columns of a warp in a tile */
  CONVK_CUDA_PAIRS_SLICES_ = 16, /* of a row of tiles, at most; not fitted */
  CONVK_CUDA_PAIRS_ONCE_ = 256,  /* tiles of a walker, at most, whose pairs have gradients from one end: these take 57 MB */
  CONVK_CUDA_PAIRS_SMALL_ = 256, /* particles of a walker, and threads of a block with whole walkers */
  CONVK_CUDA_PAIRS_KEPT_ = 20,   /* doubles of u' / r of each: with coordinates 46 of 48 KB of shared memory */
  CONVK_CUDA_PAIRS_VALUES_ = 10, /* sums of pairs: 7, pairs, mantissa and exponent of the product */
  CONVK_CUDA_PAIRS_PRODUCT_ = 8, /* which of them is multiplied */
  CONVK_CUDA_PAIRS_FLOATS_ = 32, /* sums of f32 go on in f64 after so many pairs */
  CONVK_CUDA_PAIRS_ADD_ = 192,   /* threads that add up a tile's gradient: one for each coordinate */
  CONVK_CUDA_PAIRS_EACH_ = 256,  /* threads of kernels for one value each, and for one particle's move */
  CONVK_CUDA_VMC_THREADS_ = 512, /* of a walker's block, at most */
  CONVK_CUDA_VMC_NUMBERS_ = 128  /* particles whose random numbers are made together: 4 KB */
};

/* Bytes of partial sums: as many walkers go at a time.  64 MB; not fitted. */
#define CONVK_CUDA_PAIRS_WORK_ ((size_t)1 << 26)

/* What convk.h has once per precision, by type. */
template <class real_> struct convk_cuda_pairs_type_;
template <> struct convk_cuda_pairs_type_<float> { typedef convk_pairs_terms_f32_ terms; };
template <> struct convk_cuda_pairs_type_<double> { typedef convk_pairs_terms_f64_ terms; };

/* ---- pairs ---- */

/* The words of numbers.h; what it lacks is element.h's. */
#define CONVK_NUMBERS_ARE_FUSED_
#define CONVK_NUMBER_ CONVK_CUDA_INLINE_
#define CONVK_NUMBER_APART_ CONVK_CUDA_INLINE_
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_cuda_##name##_
#define CONVK_NUMBER_FAR_
#define CONVK_ROLLED_ CONVK_CUDA_UNROLL_BY_(1)
#define CONVK_TIMES_(a, b) convk_cuda_mul_(a, b)
#define CONVK_PLUS_(a, b) convk_cuda_add_(a, b)
#define CONVK_TIMES_PLUS_(a, b, c) convk_cuda_fma_(a, b, c)
#define CONVK_OVER_(a, b) convk_cuda_divided_(a, b)
#define CONVK_SIXTH_(x) convk_cuda_mul_(x, 1. / 6)
#define CONVK_ROOT_OF_(x) convk_cuda_root_(x)
#define CONVK_LOG_OF_(x) convk_cuda_vlog_(x)
#define CONVK_EXP_OF_(x) convk_cuda_vexp_(x)
#pragma push_macro("CONVK_UNROLL_")
#undef CONVK_UNROLL_
#define CONVK_UNROLL_ CONVK_CUDA_UNROLL_
#include "pairs/numbers.h"
#undef CONVK_BOTH_
#define CONVK_BOTH_(name) convk_##name##_
#pragma pop_macro("CONVK_UNROLL_")

/* The device's own 1 / sqrt, which has 20 digits in f64 and looks at no more of x, and 22 in f32. */
#ifdef CONVK_CUDA_EMULATOR
CONVK_CUDA_INLINE_ double convk_cuda_rsqrt_seed_(double x) {
  return convk_cuda_real_(
      (uint64_t)(convk_cuda_bits_(rsqrt(convk_cuda_real_((uint64_t)(convk_cuda_bits_(x) >> 32 << 32)))) >> 32 << 32));
}
CONVK_CUDA_INLINE_ float convk_cuda_rsqrt_seed_(float x) { return rsqrtf(x); }
#elif defined CONVK_HIP
CONVK_CUDA_INLINE_ double convk_cuda_rsqrt_seed_(double x) { return rsqrt(x); }
CONVK_CUDA_INLINE_ float convk_cuda_rsqrt_seed_(float x) { return rsqrtf(x); }
#else
CONVK_CUDA_INLINE_ double convk_cuda_rsqrt_seed_(double x) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}
CONVK_CUDA_INLINE_ float convk_cuda_rsqrt_seed_(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
#endif

/* 1 / sqrt(x) of ordinary x > 0, to an ulp. */
CONVK_CUDA_INLINE_ double convk_cuda_pairs_inverse_(double x) {
  const double y = convk_cuda_rsqrt_seed_(x), h = convk_cuda_fma_(-convk_cuda_mul_(x, y), y, 1.);
  return convk_cuda_fma_(convk_cuda_mul_(y, h), convk_cuda_fma_(h, 0.375, 0.5), y);
}
CONVK_CUDA_INLINE_ float convk_cuda_pairs_inverse_(float x) { return convk_cuda_rsqrt_seed_(x); }

/* The same again where r itself is needed, which exponentials make much of. */
CONVK_CUDA_INLINE_ double convk_cuda_pairs_nearer_(double, double y) { return y; }
CONVK_CUDA_INLINE_ float convk_cuda_pairs_nearer_(float x, float y) {
  const float h = convk_cuda_fma_(-convk_cuda_mul_(x, y), y, 1.f);
  return convk_cuda_fma_(convk_cuda_mul_(y, 0.5f), h, y);
}

/* At least the square of 1 / 256; and whether x >= 0 may be below y: by their upper halves, beside the units of doubles. */
CONVK_CUDA_INLINE_ double convk_cuda_pairs_at_least_(double x) {
  return (uint32_t)(convk_cuda_bits_(x) >> 32) < 0x3ef00000u ? CONVK_PAIRS_LEAST_ : x;
}
CONVK_CUDA_INLINE_ float convk_cuda_pairs_at_least_(float x) { return convk_cuda_max_((float)CONVK_PAIRS_LEAST_, x); }
CONVK_CUDA_INLINE_ int convk_cuda_pairs_below_(double x, double y) {
  return (uint32_t)(convk_cuda_bits_(x) >> 32) <= (uint32_t)(convk_cuda_bits_(y) >> 32);
}
CONVK_CUDA_INLINE_ int convk_cuda_pairs_below_(float x, float y) { return x < y; }

/* What a thread sums up: as convk_pairs_sums_, but the number of pairs apart. */
template <class real_> struct convk_cuda_pairs_sums_ {
  real_ sum[7], product; /* the product's exponent is put aside before it overflows */
  int exponent;
  unsigned pairs;
};

template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_pairs_clear_(convk_cuda_pairs_sums_<real_> &s) {
  CONVK_CUDA_EACH_(k, 7) s.sum[k] = 0;
  s.product = 1;
  s.exponent = 0;
  s.pairs = 0;
}

template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_pairs_mantissa_(real_ *product, int *exponent) {
  typedef typename convk_cuda_number_<real_>::bits number;
  const int fraction = convk_cuda_number_<real_>::fraction, bias = sizeof(real_) == sizeof(float) ? 127 : 1023;
  const number bits = convk_cuda_bits_(*product);
  *exponent += (int)(bits >> fraction) - bias;
  *product = convk_cuda_real_((number)((bits & (((number)1 << fraction) - 1)) | convk_cuda_bits_((real_)1)));
}

/* Sums in real_ that go on in doubles; in f64 they are these. */
template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_pairs_flush_(real_ *sum, double *total, int count) {
  CONVK_CUDA_EACH_(k, count) {
    total[k] = convk_cuda_add_(total[k], (double)sum[k]);
    sum[k] = 0;
  }
}

template <class real_> CONVK_CUDA_INLINE_ real_ convk_cuda_pairs_square_(const real_ *d) {
  return convk_cuda_pairs_at_least_(convk_cuda_pairs_norm_(d));
}

/* d = at - other, whose x, y and z are `pitch` apart; in a box of the nearest images. */
template <class real_, class constants_, class index_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_between_(const constants_ &c, const real_ *at, const real_ *other, index_ pitch,
                                                  real_ *d) {
  CONVK_CUDA_EACH_(k, 3) d[k] = convk_cuda_sub_(at[k], other[(index_)k * pitch]);
  if (c.periodic) convk_cuda_pairs_image_(&c, d);
}

/* What a pair of w = u' / r adds to a gradient. */
template <class real_> CONVK_CUDA_INLINE_ void convk_cuda_pairs_pull_(real_ w, const real_ *d, real_ *g) {
  CONVK_CUDA_EACH_(k, 3) g[k] = convk_cuda_fma_(w, d[k], g[k]);
}

/* One pair, whose r^2 and 1 / r are given: what it adds to sums, and w = u' / r.  full_: all that is wanted; else only w.
   masked_: pairs at and beyond `limit` (of r^2) count as nothing.  *near_by: V is left out, as it has more than powers. */
template <int full_, int masked_, class real_, class constants_>
CONVK_CUDA_INLINE_ real_ convk_cuda_pairs_step_(const constants_ &c, int want, real_ r2, real_ t, real_ limit,
                                                convk_cuda_pairs_sums_<real_> &sums, int *near_by) {
  real_ q = r2;
  int inside = 1;
  if (masked_) {
    inside = r2 < limit;
    t = inside ? t : (real_)0;
    q = inside ? r2 : (real_)1;
    if (full_) sums.pairs += (unsigned)inside;
  }
  *near_by = 0;
  if (full_ && (want & CONVK_PAIR_POTENTIAL_ENERGY)) {
    const real_ s = convk_cuda_mul_(t, t), s3 = convk_cuda_mul_(convk_cuda_mul_(s, s), s);
    *near_by = inside && convk_cuda_pairs_below_(r2, c.near_by);
    sums.sum[6] = convk_cuda_fma_(*near_by ? (real_)0 : s3, convk_cuda_pairs_powers_(&c, s), sums.sum[6]);
  }
  return convk_cuda_pairs_trial_(&c, q, t, full_ ? want : want & CONVK_PAIR_GRADIENT, sums.sum, &sums.product);
}

/* V of a pair, with what there is near by. */
template <class real_, class constants_>
CONVK_CUDA_INLINE_ real_ convk_cuda_pairs_value_(const constants_ &c, real_ r2, real_ inverse, real_ limit) {
  const real_ t = convk_cuda_pairs_nearer_(r2, inverse), r = convk_cuda_mul_(r2, t), s = convk_cuda_mul_(t, t);
  const real_ s3 = convk_cuda_mul_(convk_cuda_mul_(s, s), s);
  real_ powers = convk_cuda_pairs_powers_(&c, s), sum = 0;
  if (!(r2 < limit)) return 0;
  if (r2 < c.near_by) {
    if (c.kind == CONVK_POTENTIAL_TABLE) {
      sum = (real_)convk_cuda_pairs_table_(c.values, c.entries, c.first, c.per_spacing, (double)r);
    } else {
      const real_ x = convk_cuda_mul_(r, c.per_rm);
      if (r2 < c.damp) {
        const real_ y = convk_cuda_fma_(c.d, t, (real_)-1);
        powers = convk_cuda_mul_(powers, convk_cuda_vexp_(convk_cuda_mul_(y, -y)));
      }
      sum = convk_cuda_mul_(c.a, convk_cuda_vexp_(convk_cuda_mul_(x, convk_cuda_fma_(x, c.beta, -c.alpha))));
      if (c.bump) {
        const real_ z = convk_cuda_mul_(convk_cuda_sub_(x, c.bump_middle), c.bump_scale);
        if (convk_cuda_mul_(z, z) < (real_)0.25) sum = convk_cuda_pairs_bump_(&c, z, sum);
      }
    }
  }
  return convk_cuda_fma_(s3, powers, sum);
}

/* ---- results ---- */

/* The values of a thread, a task, a walker in turn: the seven sums, the number of pairs, the product and its exponent. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_put_(const double *total, const convk_cuda_pairs_sums_<real_> &s, double *to,
                                              unsigned pitch) {
  CONVK_CUDA_EACH_(k, 7) to[(unsigned)k * pitch] = total[k];
  to[7 * pitch] = (double)s.pairs;
  to[CONVK_CUDA_PAIRS_PRODUCT_ * pitch] = (double)s.product;
  to[9 * pitch] = (double)s.exponent;
}

/* Two values of a kind in one. */
CONVK_CUDA_INLINE_ double convk_cuda_pairs_join_(int value, double x, double y) {
  return value == CONVK_CUDA_PAIRS_PRODUCT_ ? convk_cuda_mul_(x, y) : convk_cuda_add_(x, y);
}

/* All `count` values of a kind in one, by a warp. */
template <class index_> CONVK_CUDA_INLINE_ double convk_cuda_pairs_row_sum_(int value, const double *row, index_ count) {
  const index_ lane = (index_)(threadIdx.x % 32);
  double sum = row[lane];
  for (index_ k = lane + 32; k < count; k += 32) sum = convk_cuda_pairs_join_(value, sum, row[k]);
  for (int k = 16; k > 0; k /= 2) sum = convk_cuda_pairs_join_(value, sum, CONVK_CUDA_SHUFFLE_XOR_(sum, k));
  return sum;
}

/* ln x 2^exponent of x > 0. */
CONVK_CUDA_INLINE_ double convk_cuda_pairs_log_(double x, double exponent) {
  return convk_cuda_fma_(exponent, CONVK_LN_2_, convk_cuda_vlog_(x));
}

/* What the sums over all pairs of a walker mean. */
template <class constants_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_finish_(const constants_ &c, int want, const double *v, double squares,
                                                 convk_pair_result *result) {
  const double laplacian =
      convk_cuda_fma_(convk_cuda_mul_(20, c.p[0]), v[3],
                      convk_cuda_fma_(convk_cuda_mul_(2, c.p[1]), v[4],
                                      convk_cuda_fma_(convk_cuda_mul_(2, c.p[3]), v[5], convk_cuda_mul_(c.p[2], v[1]))));
  double numbers[9];
  convk_cuda_pairs_meaning_(c.p, c.edge, c.hbar2_2m, want, v, want & CONVK_PAIR_LN_PSI ? convk_cuda_pairs_log_(v[8], v[9]) : 0,
                            laplacian, squares, numbers);
  CONVK_CUDA_EACH_(k, 9) ((double *)(void *)result)[k] = numbers[k];
}

template <class real_> struct convk_cuda_pairs_args_ {
  typename convk_cuda_pairs_type_<real_>::terms c;
  const real_ *r;
  size_t n, pitch, stride, walkers;
  int want;
  size_t places;                      /* of gradients in `partial`: slices, and then those that columns have of diagonals */
  size_t tiles, slices, tasks, parts; /* tasks: slices of all tiles and walkers; parts: blocks of a walker that add up */
  double *sums;                       /* of walker, tile and slice */
  double *partial;                    /* gradients of walker and slot, [3][tiles][64] */
  double *squares;                    /* of walker and tile */
  unsigned *arrived;                  /* blocks of a walker that are done */
  convk_pair_result *result;
  real_ *gradient; /* NULL, or laid out as r */
  double *force;   /* NULL, or [walkers][3][n] */
};

template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_keep_(const convk_cuda_pairs_args_<real_> &a, size_t w, size_t d, size_t i, double g) {
  if (a.gradient) a.gradient[w * a.stride + d * a.pitch + i] = (real_)g;
  if (a.force) a.force[(3 * w + d) * a.n + i] = g;
}

/* ---- walkers that fit into a block ---- */

/* A thread of convk_cuda_pairs_small_: particle i of the n of its walker, and what its pairs have summed up. */
template <class real_> struct convk_cuda_pairs_mine_ {
  unsigned i, n;
  unsigned kept; /* so many of the pairs with those before it are worked out at their end, and for it the gradient is left */
  real_ at[3], g[3];               /* where it is; its gradient since the last flush to g_total */
  double total[7], g_total[3];     /* sums and gradient until then */
  convk_cuda_pairs_sums_<real_> s; /* sums since the last flush to total */
};

/* Pairs with the particles after this one, cyclically: the first half for everything, the rest, if any, only for the gradient.
   Of 7 particles, say, number 5 meets 6, 0 and 1, and finds in shared memory what 2, 3 and 4 have left: u' / r of their pairs
   with it.  Were there room for one of three, it would meet 2 and 3, too, and take over from 4 alone.
   x: all coordinates of the block; weights: [kept][threads], where u' / r is left. */
template <int want_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_ahead_(const convk_cuda_pairs_args_<real_> &a,
                                                const real_ (*x)[CONVK_CUDA_PAIRS_SMALL_], real_ *weights,
                                                convk_cuda_pairs_mine_<real_> &p) {
  const unsigned threads = CONVK_CUDA_PAIRS_SMALL_, thread = threadIdx.x, n = p.n, i = p.i, half = n / 2;
  const int want = want_ < 0 ? a.want : want_, pulls = want & CONVK_PAIR_GRADIENT;
  const unsigned last = pulls ? n - 1 - p.kept : half;
  real_ *keep = weights + thread;
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned step = 1; step <= last; step++) {
    const unsigned to = i + step, j = thread - i + (to < n ? to : to - n);
    real_ d[3], r2, t, w2;
    int near_by;
    convk_cuda_pairs_between_(a.c, p.at, &x[0][j], threads, d);
    r2 = convk_cuda_pairs_square_(d);
    t = convk_cuda_pairs_inverse_(r2);
    if (step < half || (step == half && (n % 2 || i < half))) { /* the opposite one counts only from one end */
      w2 = convk_cuda_pairs_step_<1, 1>(a.c, want, r2, t, a.c.limit, p.s, &near_by);
      if (near_by) p.s.sum[6] = convk_cuda_add_(p.s.sum[6], convk_cuda_pairs_value_(a.c, r2, t, a.c.limit));
      if (sizeof(real_) == sizeof(double) ? step % 8 == 0 : step % 2 == 0)
        convk_cuda_pairs_mantissa_(&p.s.product, &p.s.exponent);
    } else {
      w2 = convk_cuda_pairs_step_<0, 1>(a.c, want, r2, t, a.c.limit, p.s, &near_by);
    }
    if (pulls) {
      if (step <= p.kept) *keep = w2;
      keep += threads;
      convk_cuda_pairs_pull_(w2, d, p.g);
    }
    if (sizeof(real_) == sizeof(float) && step % CONVK_CUDA_PAIRS_FLOATS_ == 0) {
      convk_cuda_pairs_flush_(p.s.sum, p.total, 7);
      convk_cuda_pairs_flush_(p.g, p.g_total, 3);
    }
  }
  convk_cuda_pairs_flush_(p.s.sum, p.total, 7);
  convk_cuda_pairs_mantissa_(&p.s.product, &p.s.exponent);
}

/* The gradient of pairs with those before this one, from the furthest on: u' / r is theirs. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_behind_(const convk_cuda_pairs_args_<real_> &a,
                                                 const real_ (*x)[CONVK_CUDA_PAIRS_SMALL_], const real_ *weights, unsigned kept,
                                                 convk_cuda_pairs_mine_<real_> &p) {
  const unsigned threads = CONVK_CUDA_PAIRS_SMALL_, thread = threadIdx.x, n = p.n, i = p.i;
  CONVK_CUDA_UNROLL_BY_(2)
  for (unsigned back = kept; back > 0; back--) {
    const unsigned j = thread - back + (i < back ? n : 0);
    const real_ w2 = weights[(back - 1) * threads + j];
    real_ d[3];
    convk_cuda_pairs_between_(a.c, p.at, &x[0][j], threads, d);
    convk_cuda_pairs_pull_(w2, d, p.g);
    if (sizeof(real_) == sizeof(float) && (n - back) % CONVK_CUDA_PAIRS_FLOATS_ == 0)
      convk_cuda_pairs_flush_(p.g, p.g_total, 3);
  }
}

/* Adds up what the threads of each walker have put into shared memory, and says what it means: of each walker and value first
   up to eight sums, of every eighth thread, then the sum of those. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_walkers_(const convk_cuda_pairs_args_<real_> &a, int want, size_t first,
                                                  double (*sums)[CONVK_CUDA_PAIRS_SMALL_]) {
  const unsigned threads = CONVK_CUDA_PAIRS_SMALL_, thread = threadIdx.x, n = (unsigned)a.n, each = threads / n;
  const unsigned parts = n < 8 ? n : 8;
  const int values = CONVK_CUDA_PAIRS_VALUES_;
  for (unsigned task = thread; task < each * parts * (unsigned)(values + 1); task += threads) {
    const unsigned rest = task / parts, part = task - rest * parts, value = rest / each, begin = (rest - value * each) * n;
    double sum = sums[value][begin + part];
    CONVK_CUDA_UNROLL_BY_(4)
    for (unsigned k = part + parts; k < n; k += parts) sum = convk_cuda_pairs_join_((int)value, sum, sums[value][begin + k]);
    sums[value][begin + part] = sum;
  }
  __syncthreads();
  for (unsigned task = thread; task < each * (unsigned)(values + 1); task += threads) {
    const unsigned value = task / each, begin = (task - value * each) * n;
    double sum = sums[value][begin];
    for (unsigned k = 1; k < parts; k++) sum = convk_cuda_pairs_join_((int)value, sum, sums[value][begin + k]);
    sums[value][begin] = sum;
  }
  __syncthreads();
  if (thread < each && first + thread < a.walkers) {
    double v[values + 1];
    CONVK_CUDA_EACH_(value, values + 1) v[value] = sums[value][thread * n];
    convk_cuda_pairs_finish_(a.c, want, v, v[values], a.result + first + thread);
  }
}

/* A thread is a particle; several walkers fill a block.  want_: known when compiled, or -1. */
template <class real_, int want_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_PAIRS_SMALL_, 2)
    convk_cuda_pairs_small_(const convk_cuda_pairs_args_<real_> a) {
  const unsigned threads = CONVK_CUDA_PAIRS_SMALL_, thread = threadIdx.x, n = (unsigned)a.n, each = threads / n;
  const int want = want_ < 0 ? a.want : want_, values = CONVK_CUDA_PAIRS_VALUES_;
  const unsigned own = thread / n, i = thread - own * n;
  const unsigned room = want_ < 0 || want_ & CONVK_PAIR_GRADIENT ? CONVK_CUDA_PAIRS_KEPT_ : values + 1;
  const unsigned max_kept = room * (unsigned)(sizeof(double) / sizeof(real_)), rest = n - 1 - n / 2;
  __shared__ real_ x[3][threads];
  __shared__ double sums[room][threads];
  real_ *const weights = (real_ *)(void *)&sums[0][0]; /* until sums are made */
  for (size_t first = blockIdx.x * (size_t)each; first < a.walkers; first += gridDim.x * (size_t)each) {
    const size_t w = first + own;
    const int active = own < each && w < a.walkers;
    double squares = 0;
    convk_cuda_pairs_mine_<real_> p;
    p.i = i;
    p.n = n;
    p.kept = rest < max_kept ? rest : max_kept;
    convk_cuda_pairs_clear_(p.s);
    CONVK_CUDA_EACH_(k, 7) p.total[k] = 0;
    CONVK_CUDA_EACH_(k, 3) {
      p.at[k] = active ? a.r[w * a.stride + (size_t)k * a.pitch + i] : (real_)0;
      x[k][thread] = p.at[k];
      p.g[k] = 0;
      p.g_total[k] = 0;
    }
    __syncthreads();
    if (active) convk_cuda_pairs_ahead_<want_>(a, x, weights, p);
    if (want & CONVK_PAIR_GRADIENT) {
      __syncthreads();
      convk_cuda_pairs_behind_(a, x, weights, active ? p.kept : 0, p);
      if (active) {
        convk_cuda_pairs_flush_(p.g, p.g_total, 3);
        CONVK_CUDA_EACH_(k, 3) {
          squares = convk_cuda_fma_(p.g_total[k], p.g_total[k], squares);
          convk_cuda_pairs_keep_(a, w, (size_t)k, i, p.g_total[k]);
        }
      }
      __syncthreads();
    }
    convk_cuda_pairs_put_(p.total, p.s, &sums[0][thread], threads);
    sums[values][thread] = squares;
    __syncthreads();
    convk_cuda_pairs_walkers_(a, want, first, sums); /* the next walkers' sums come behind two barriers */
  }
}

/* ---- larger walkers, by tiles ---- */

/* A warp's columns of a tile in which all pairs count: *near_by tells by bits whose V is left out. */
template <int full_, class real_, class constants_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_plain_(const constants_ &c, int want, const real_ (*at)[3], const real_ *column,
                                                convk_cuda_pairs_sums_<real_> &s, real_ (*g)[3], unsigned *near_by) {
  const int rows = CONVK_CUDA_PAIRS_ROWS_, per_load = 16 / (int)sizeof(real_), tile = CONVK_CUDA_PAIRS_TILE_;
  unsigned bits = 0;
  CONVK_CUDA_UNROLL_BY_(1)
  for (int j0 = 0; j0 < CONVK_CUDA_PAIRS_SHARE_; j0 += 4) {
    unsigned part = 0;
    CONVK_CUDA_UNROLL_
    for (int j1 = 0; j1 < 4; j1 += per_load) {
      real_ x[3][16 / sizeof(real_)];
      CONVK_CUDA_EACH_(k, 3) convk_cuda_get_(x[k], column + k * tile + j0 + j1);
      CONVK_CUDA_EACH_(j, per_load) {
        CONVK_CUDA_EACH_(r, rows) {
          real_ d[3], r2, w;
          int more;
          CONVK_CUDA_EACH_(k, 3) d[k] = convk_cuda_sub_(at[r][k], x[k][j]);
          r2 = convk_cuda_pairs_square_(d);
          w = convk_cuda_pairs_step_<full_, 0>(c, want, r2, convk_cuda_pairs_inverse_(r2), r2, s, &more);
          if (more) part |= 1u << ((j1 + j) * rows + r);
          if (want & CONVK_PAIR_GRADIENT) convk_cuda_pairs_pull_(w, d, g[r]);
        }
        if (full_ && sizeof(real_) == sizeof(float) && j % 2) convk_cuda_pairs_mantissa_(&s.product, &s.exponent);
      }
    }
    if (full_ && sizeof(real_) == sizeof(double)) convk_cuda_pairs_mantissa_(&s.product, &s.exponent);
    bits |= part << (j0 * rows);
  }
  *near_by = bits;
}

/* A warp's columns of another tile, each pair once: rows have their gradients in g, and columns at pull, [3][share] for each
   half of the warp.  Lanes go through the columns one behind another, so that no two of a half are at the same.  masked_: not
   all pairs count, but those of `mine`, bits of rows, and columns below `columns`. */
template <int masked_, class real_, class constants_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_both_(const constants_ &c, int want, const real_ (*at)[3], const real_ *column,
                                               unsigned mine, unsigned columns, convk_cuda_pairs_sums_<real_> &s, real_ (*g)[3],
                                               real_ *pull, unsigned *near_by) {
  const unsigned rows = CONVK_CUDA_PAIRS_ROWS_, share = CONVK_CUDA_PAIRS_SHARE_, tile = CONVK_CUDA_PAIRS_TILE_;
  const unsigned lane = threadIdx.x % 32;
  unsigned bits = 0;
  CONVK_CUDA_EACH_(k, 3) pull[(unsigned)k * share + lane % share] = 0; /* the column that this lane begins with */
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned e0 = 0; e0 < share; e0 += 2) {
    unsigned part = 0;
    CONVK_CUDA_UNROLL_
    for (unsigned e = 0; e < 2; e++) {
      const unsigned j = (lane + e0 + e) % share;
      real_ back[3] = {0, 0, 0};
      CONVK_CUDA_UNROLL_
      for (unsigned r = 0; r < rows; r++) {
        const real_ limit = !masked_ || (mine >> r & 1 && j < columns) ? c.limit : (real_)0;
        real_ d[3], r2, w;
        int more;
        CONVK_CUDA_EACH_(k, 3) d[k] = convk_cuda_sub_(at[r][k], column[(unsigned)k * tile + j]);
        if (masked_ && c.periodic) convk_cuda_pairs_image_(&c, d);
        r2 = convk_cuda_pairs_square_(d);
        w = convk_cuda_pairs_step_<1, masked_>(c, want, r2, convk_cuda_pairs_inverse_(r2), limit, s, &more);
        if (more) part |= 1u << (e * rows + r);
        CONVK_CUDA_EACH_(k, 3) {
          g[r][k] = convk_cuda_fma_(w, d[k], g[r][k]);
          back[k] = r ? convk_cuda_fma_(w, d[k], back[k]) : convk_cuda_fma_(w, d[k], pull[(unsigned)k * share + j]);
        }
      }
      CONVK_CUDA_EACH_(k, 3) pull[(unsigned)k * share + j] = back[k];
      CONVK_CUDA_WARP_SYNC_();
      if (sizeof(real_) == sizeof(float)) convk_cuda_pairs_mantissa_(&s.product, &s.exponent);
    }
    if (sizeof(real_) == sizeof(double)) convk_cuda_pairs_mantissa_(&s.product, &s.exponent);
    bits |= part << (e0 * rows);
  }
  *near_by = bits;
}

/* A thread of convk_cuda_pairs_tiles_ at one task: two rows, particles lane and lane + 32 of tile `mine` of a walker, against
   those columns of other tiles that its warp has, from `base` on.  Tile o of the task is number mine + o, cyclically. */
template <class real_> struct convk_cuda_pairs_task_ {
  unsigned lane, warp, base;
  unsigned w, mine, slice, nrows;
  int plain; /* whether all pairs with a full tile count */
  const real_ *from;
  real_ at[CONVK_CUDA_PAIRS_ROWS_][3];                 /* rows' places */
  real_ g[CONVK_CUDA_PAIRS_ROWS_][3];                  /* their gradients since the last flush to g_total */
  double total[7], g_total[CONVK_CUDA_PAIRS_ROWS_][3]; /* sums and gradients until then */
  convk_cuda_pairs_sums_<real_> s;                     /* sums since the last flush to total */
};

CONVK_CUDA_INLINE_ unsigned convk_cuda_pairs_other_(unsigned mine, unsigned o, unsigned tiles) {
  return mine + o < tiles ? mine + o : mine + o - tiles;
}

/* Which walker, tile and slice the task is, all sums 0, and the coordinates of two particles (0 beyond the last). */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_begin_(const convk_cuda_pairs_args_<real_> &a, unsigned task,
                                                convk_cuda_pairs_task_<real_> &p) {
  const unsigned tile = CONVK_CUDA_PAIRS_TILE_, rows = CONVK_CUDA_PAIRS_ROWS_;
  const unsigned tiles = (unsigned)a.tiles, slices = (unsigned)a.slices, rest = task / slices;
  p.lane = threadIdx.x % 32;
  p.warp = threadIdx.x / 32;
  p.base = p.warp * CONVK_CUDA_PAIRS_SHARE_;
  p.slice = task - rest * slices;
  p.w = rest / tiles;
  p.mine = rest - p.w * tiles;
  p.from = a.r + p.w * a.stride;
  p.nrows = (unsigned)convk_cuda_least_(a.n - p.mine * (size_t)tile, (int)tile);
  p.plain = !a.c.periodic && !(a.c.limit < CONVK_PAIRS_BIG_) && p.nrows == tile;
  convk_cuda_pairs_clear_(p.s);
  CONVK_CUDA_EACH_(k, 7) p.total[k] = 0;
  CONVK_CUDA_UNROLL_
  for (unsigned r = 0; r < rows; r++) {
    CONVK_CUDA_EACH_(k, 3) {
      const unsigned row = p.lane + 32 * r;
      p.at[r][k] = row < p.nrows ? p.from[(size_t)k * a.pitch + p.mine * (size_t)tile + (size_t)row] : (real_)0;
      p.g[r][k] = 0;
      p.g_total[r][k] = 0;
    }
  }
}

/* What this thread brings of a tile: up to two of its 3 x 64 coordinates. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_bring_(const convk_cuda_pairs_args_<real_> &a, const convk_cuda_pairs_task_<real_> &p,
                                                unsigned o, real_ *next) {
  const unsigned tile = CONVK_CUDA_PAIRS_TILE_, threads = CONVK_CUDA_PAIRS_THREADS_;
  const size_t first = convk_cuda_pairs_other_(p.mine, o, (unsigned)a.tiles) * (size_t)tile;
  CONVK_CUDA_EACH_(k, 2) {
    const unsigned v = threadIdx.x + (unsigned)k * threads, d = v / tile;
    const size_t j = first + (size_t)(v % tile);
    next[k] = d < 3 && j < a.n ? p.from[(size_t)d * a.pitch + j] : (real_)0;
  }
}

/* Another tile, each pair once: its columns' gradients go to a place of their own.  full: it is this tile's to look at, and not
   that of the other, which is opposite; else there are zeros to write. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_once_(const convk_cuda_pairs_args_<real_> &a, int want, unsigned o, unsigned other,
                                               unsigned ncolumns, int full, const real_ *column,
                                               real_ (*pulls)[3 * CONVK_CUDA_PAIRS_SHARE_], convk_cuda_pairs_task_<real_> &p,
                                               unsigned *near_by) {
  const unsigned tile = CONVK_CUDA_PAIRS_TILE_, share = CONVK_CUDA_PAIRS_SHARE_, lane = p.lane;
  double *const to = a.partial + (((p.w * a.places + a.slices + o - 1) * 3) * a.tiles + other) * (size_t)tile + p.base;
  real_ *const pull = pulls[lane / share];
  if (full && p.plain && ncolumns == tile)
    convk_cuda_pairs_both_<0>(a.c, want, p.at, column + p.base, 3u, tile, p.s, p.g, pull, near_by);
  else if (full)
    convk_cuda_pairs_both_<1>(a.c, want, p.at, column + p.base, (lane < p.nrows) + 2u * (lane + 32 < p.nrows),
                              ncolumns > p.base ? ncolumns - p.base : 0, p.s, p.g, pull, near_by);
  for (unsigned v = lane; v < 3 * share; v += 32)
    to[(v / share) * a.tiles * (size_t)tile + v % share] =
        full ? -convk_cuda_add_((double)pulls[0][v], (double)pulls[1][v]) : -0.0;
}

/* Where the e-th column of a warp is in a tile: there, or in a tile with itself (o = 0) behind the row, cyclically. */
template <class real_>
CONVK_CUDA_INLINE_ unsigned convk_cuda_pairs_column_(const convk_cuda_pairs_task_<real_> &p, unsigned o, unsigned r,
                                                     unsigned e) {
  return o == 0 ? (p.lane + 32 * r + p.base + e) % CONVK_CUDA_PAIRS_TILE_ : p.base + e;
}

/* A tile in which not all pairs count, or with itself: of that, half the pairs are for everything, and the other half, their
   other ends, for the gradient. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_masked_(const convk_cuda_pairs_args_<real_> &a, int want, unsigned o,
                                                 unsigned ncolumns, int full, const real_ *column,
                                                 convk_cuda_pairs_task_<real_> &p, unsigned *near_by) {
  const unsigned tile = CONVK_CUDA_PAIRS_TILE_, rows = CONVK_CUDA_PAIRS_ROWS_, base = p.base;
  const int itself = o == 0;
  CONVK_CUDA_UNROLL_BY_(1)
  for (unsigned e = 0; e < CONVK_CUDA_PAIRS_SHARE_; e++) {
    CONVK_CUDA_UNROLL_
    for (unsigned r = 0; r < rows; r++) {
      const unsigned j = convk_cuda_pairs_column_(p, o, r, e);
      const int counts = p.lane + 32 * r < p.nrows && j < ncolumns && !(itself && base + e == 0);
      const real_ limit = counts ? a.c.limit : (real_)0;
      real_ d[3], r2, t, w2;
      int more;
      convk_cuda_pairs_between_(a.c, p.at[r], column + j, tile, d);
      r2 = convk_cuda_pairs_square_(d);
      t = convk_cuda_pairs_inverse_(r2);
      if (itself ? base + e < tile / 2 + (r == 0) : full) {
        w2 = convk_cuda_pairs_step_<1, 1>(a.c, want, r2, t, limit, p.s, &more);
        if (more) *near_by |= 1u << (e * rows + r);
        if (want & CONVK_PAIR_LN_PSI) convk_cuda_pairs_mantissa_(&p.s.product, &p.s.exponent);
      } else {
        w2 = convk_cuda_pairs_step_<0, 1>(a.c, want, r2, t, limit, p.s, &more);
      }
      if (want & CONVK_PAIR_GRADIENT) convk_cuda_pairs_pull_(w2, d, p.g[r]);
    }
  }
}

/* V of the pairs that are near, which bits tell: lanes go through their own. */
template <int once_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_late_(const convk_cuda_pairs_args_<real_> &a, unsigned o, const real_ *column,
                                               unsigned near_by, convk_cuda_pairs_task_<real_> &p) {
  const unsigned rows = CONVK_CUDA_PAIRS_ROWS_;
  for (; near_by; near_by &= near_by - 1) {
    const unsigned bit = (unsigned)__popc((near_by & (0u - near_by)) - 1), r = bit % rows, e = bit / rows;
    const unsigned j = convk_cuda_pairs_column_(p, o, r, once_ && o ? (p.lane + e) % CONVK_CUDA_PAIRS_SHARE_ : e);
    real_ at[3], d[3], r2;
    CONVK_CUDA_EACH_(k, 3) at[k] = r ? p.at[1][k] : p.at[0][k];
    convk_cuda_pairs_between_(a.c, at, column + j, (unsigned)CONVK_CUDA_PAIRS_TILE_, d);
    r2 = convk_cuda_pairs_square_(d);
    p.s.sum[6] = convk_cuda_add_(p.s.sum[6], convk_cuda_pairs_value_(a.c, r2, convk_cuda_pairs_inverse_(r2), a.c.limit));
  }
}

/* The sums of a task, and its rows' gradients: of all threads, and of all warps. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_end_(const convk_cuda_pairs_args_<real_> &a, int want, unsigned task,
                                              double (*sums)[CONVK_CUDA_PAIRS_THREADS_], convk_cuda_pairs_task_<real_> &p) {
  const unsigned tile = CONVK_CUDA_PAIRS_TILE_, rows = CONVK_CUDA_PAIRS_ROWS_, threads = CONVK_CUDA_PAIRS_THREADS_;
  const unsigned values = CONVK_CUDA_PAIRS_VALUES_, thread = threadIdx.x;
  convk_cuda_pairs_flush_(p.s.sum, p.total, 7);
  convk_cuda_pairs_put_(p.total, p.s, &sums[0][thread], threads);
  __syncthreads();
  for (unsigned v = p.warp; v < values; v += threads / 32) {
    const double sum = convk_cuda_pairs_row_sum_((int)v, sums[v], threads);
    if (p.lane == 0) a.sums[task * (size_t)values + v] = sum;
  }
  if (want & CONVK_PAIR_GRADIENT) {
    double *const all = &sums[0][0];
    __syncthreads();
    CONVK_CUDA_UNROLL_
    for (unsigned r = 0; r < rows; r++) {
      convk_cuda_pairs_flush_(p.g[r], p.g_total[r], 3);
      CONVK_CUDA_EACH_(k, 3) all[(p.warp * 3 + (unsigned)k) * tile + p.lane + 32 * r] = p.g_total[r][k];
    }
    __syncthreads();
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned v = thread; v < 3 * tile; v += threads) {
      const size_t place = ((p.w * a.places + p.slice) * 3 + (size_t)(v / tile)) * a.tiles + p.mine;
      double sum = all[v];
      for (unsigned k = 1; k < threads / 32; k++) sum = convk_cuda_add_(sum, all[k * 3 * tile + v]);
      a.partial[place * (size_t)tile + (size_t)(v % tile)] = sum;
    }
  }
  if (p.mine == 0 && p.slice == 0 && thread == 0) a.arrived[p.w] = 0;
}

/* A block goes through tasks: a slice of a row of tiles each.  once_: gradients are worked out from one end of tiles' pairs. */
template <class real_, int want_, int once_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_PAIRS_THREADS_, want_ < 0 && sizeof(real_) == sizeof(double) ? 3 : 4)
    convk_cuda_pairs_tiles_(const convk_cuda_pairs_args_<real_> a) {
  const unsigned tile = CONVK_CUDA_PAIRS_TILE_, rows = CONVK_CUDA_PAIRS_ROWS_, threads = CONVK_CUDA_PAIRS_THREADS_;
  const unsigned thread = threadIdx.x, warp = thread / 32;
  const int want = want_ < 0 ? a.want : want_;
  __shared__ __align__(16) real_ column[3 * tile];
  __shared__ real_ pulls[once_ ? threads / 32 : 1][2][3 * CONVK_CUDA_PAIRS_SHARE_];
  __shared__ double sums[CONVK_CUDA_PAIRS_VALUES_][threads];
  for (unsigned task = blockIdx.x; task < a.tasks; task += gridDim.x) { /* some work for each: fewer than 2^31 */
    const unsigned tiles = (unsigned)a.tiles, slices = (unsigned)a.slices;
    const unsigned end = want & CONVK_PAIR_GRADIENT && !once_ ? tiles : tiles / 2 + 1;
    convk_cuda_pairs_task_<real_> p;
    real_ next[2];
    int flushed = 1;
    convk_cuda_pairs_begin_(a, task, p);
    convk_cuda_pairs_bring_(a, p, p.slice, next);
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned o = p.slice; o < end; o += slices) {
      const unsigned other = convk_cuda_pairs_other_(p.mine, o, tiles);
      const unsigned ncolumns = (unsigned)convk_cuda_least_(a.n - other * (size_t)tile, (int)tile);
      const int full = 2 * o < tiles || (2 * o == tiles && p.mine < other); /* the opposite one counts only from one end */
      unsigned near_by = 0;
      __syncthreads();
      CONVK_CUDA_EACH_(k, 2)
        if (thread + (unsigned)k * threads < 3 * tile) column[thread + (unsigned)k * threads] = next[k];
      __syncthreads();
      if (o + slices < end) convk_cuda_pairs_bring_(a, p, o + slices, next);
      if (!full && !(want & CONVK_PAIR_GRADIENT)) continue;
      if (once_ && o) {
        convk_cuda_pairs_once_(a, want, o, other, ncolumns, full, column, pulls[once_ ? warp : 0], p, &near_by);
        if (!full) continue;
      } else if (p.plain && o && ncolumns == tile) {
        if (full) convk_cuda_pairs_plain_<1>(a.c, want, p.at, column + p.base, p.s, p.g, &near_by);
        else if (want & CONVK_PAIR_GRADIENT) convk_cuda_pairs_plain_<0>(a.c, want, p.at, column + p.base, p.s, p.g, &near_by);
      } else {
        convk_cuda_pairs_masked_(a, want, o, ncolumns, full, column, p, &near_by);
      }
      if (want & CONVK_PAIR_POTENTIAL_ENERGY) convk_cuda_pairs_late_<once_>(a, o, column, near_by, p);
      flushed = !flushed;
      if (sizeof(real_) == sizeof(float) && flushed) {
        convk_cuda_pairs_flush_(p.s.sum, p.total, 7);
        CONVK_CUDA_UNROLL_
        for (unsigned r = 0; r < rows; r++) convk_cuda_pairs_flush_(p.g[r], p.g_total[r], 3);
      }
    }
    convk_cuda_pairs_end_(a, want, task, sums, p);
  }
}

/* Adds up the slices' gradients of a tile; of each walker the block that comes last adds up all sums, in order. */
template <class real_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_PAIRS_ADD_, CONVK_CUDA_ARCH_ < 900 ? 5 : 0)
    convk_cuda_pairs_add_(const convk_cuda_pairs_args_<real_> a) {
  const int tile = CONVK_CUDA_PAIRS_TILE_, threads = CONVK_CUDA_PAIRS_ADD_, values = CONVK_CUDA_PAIRS_VALUES_;
  const int thread = (int)threadIdx.x, lane = thread % 32, warp = thread / 32;
  __shared__ double sums[values + 1][threads];
  __shared__ int last;
  for (size_t task = blockIdx.x; task < a.walkers * a.parts; task += gridDim.x) {
    const size_t w = convk_cuda_divide_(task, a.parts), mine = task - w * a.parts;
    if (a.want & CONVK_PAIR_GRADIENT) {
      const size_t d = (size_t)(thread / tile), i = mine * (size_t)tile + (size_t)(thread % tile);
      const double *const from = a.partial + (w * a.places * 3 + d) * a.tiles * (size_t)tile + i;
      const double g = convk_cuda_total_of_(from, 3 * a.tiles * (size_t)tile, a.places, 0.);
      if (i < a.n) convk_cuda_pairs_keep_(a, w, d, i, g);
      sums[0][thread] = i < a.n ? convk_cuda_mul_(g, g) : 0;
      __syncthreads();
      if (warp == 0) {
        const double sum = convk_cuda_pairs_row_sum_(0, sums[0], threads);
        if (lane == 0) a.squares[task] = sum;
      }
    }
    if (thread == 0) {
      __threadfence();
      last = a.parts == 1 || atomicAdd(a.arrived + w, 1u) == (unsigned)a.parts - 1;
      __threadfence();
    }
    __syncthreads();
    if (last) { /* other blocks have written the squares: not from a cache of this one */
      const volatile double *const squares = a.squares + w * a.parts;
      const double *const from = a.sums + w * a.tiles * a.slices * (size_t)values;
      double v[values + 1] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
      int exponent = 0;
      for (size_t k = (size_t)thread; k < a.tiles * a.slices; k += (size_t)threads) {
        CONVK_CUDA_EACH_(value, values)
          v[value] = convk_cuda_pairs_join_(value, v[value], from[k * (size_t)values + (size_t)value]);
        convk_cuda_pairs_mantissa_(&v[CONVK_CUDA_PAIRS_PRODUCT_], &exponent);
      }
      v[9] = convk_cuda_add_(v[9], (double)exponent);
      if (a.want & CONVK_PAIR_GRADIENT)
        for (size_t k = (size_t)thread; k < a.parts; k += (size_t)threads) v[values] = convk_cuda_add_(v[values], squares[k]);
      CONVK_CUDA_EACH_(value, values + 1) sums[value][thread] = v[value];
      __syncthreads();
      for (int value = warp; value <= values; value += threads / 32) {
        const double sum = convk_cuda_pairs_row_sum_(value, sums[value], threads);
        if (lane == 0) sums[value][0] = sum; /* this warp has read it */
      }
      __syncthreads();
      if (thread == 0) {
        CONVK_CUDA_EACH_(value, values + 1) v[value] = sums[value][0];
        convk_cuda_pairs_finish_(a.c, a.want, v, v[values], a.result + w);
      }
    } /* what the next task overwrites comes behind barriers of its own */
  }
}

/* ---- V of distances ---- */

template <class real_> struct convk_cuda_pairs_values_args_ {
  typename convk_cuda_pairs_type_<real_>::terms c;
  const real_ *r;
  real_ *v;
  size_t n;
};

template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_PAIRS_EACH_)
    convk_cuda_pairs_values_(const convk_cuda_pairs_values_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.n, CONVK_CUDA_PAIRS_EACH_) {
    const real_ r = a.r[i], big = (real_)CONVK_PAIRS_BIG_, square = convk_cuda_pairs_at_least_(convk_cuda_mul_(r, r));
    const real_ r2 = square < big ? square : big;
    a.v[i] = r == r ? convk_cuda_pairs_value_(a.c, r2, convk_cuda_pairs_inverse_(r2), 2 * big) : r;
  }
}

/* ---- moves of one particle ---- */

/* What one particle at one place adds up over all others, in doubles. */
typedef struct convk_cuda_pairs_row_ {
  double sum[3], force[3], mantissa, exponent, pairs;
} convk_cuda_pairs_row_;

/* This thread's part of it, at places_ places: every `threads`-th of the others. */
template <int want_, int places_, class real_, class constants_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_rows_(const constants_ &c, const real_ *x, size_t pitch, unsigned n, unsigned own,
                                               const real_ (*at)[3], unsigned threads, convk_cuda_pairs_row_ *row) {
  convk_cuda_pairs_sums_<real_> s[places_];
  real_ g[places_][3];
  CONVK_CUDA_EACH_(m, places_) {
    CONVK_CUDA_EACH_(k, 3) row[m].sum[k] = row[m].force[k] = g[m][k] = 0;
    convk_cuda_pairs_clear_(s[m]);
  }
  for (unsigned begin = threadIdx.x; begin < n; begin += 32 * threads) {
    const unsigned end = n - begin < 32 * threads ? n : begin + 32 * threads;
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned j = begin; j < end; j += threads) {
      const real_ limit = j == own ? (real_)0 : c.limit, other[3] = {x[j], x[pitch + j], x[2 * pitch + j]};
      CONVK_CUDA_EACH_(m, places_) {
        real_ d[3], r2, w;
        int more;
        convk_cuda_pairs_between_(c, at[m], other, 1, d);
        r2 = convk_cuda_pairs_square_(d);
        w = convk_cuda_pairs_step_<1, 1>(c, want_, r2, convk_cuda_pairs_inverse_(r2), limit, s[m], &more);
        convk_cuda_pairs_mantissa_(&s[m].product, &s[m].exponent);
        if (want_ & CONVK_PAIR_GRADIENT) convk_cuda_pairs_pull_(w, d, g[m]);
      }
    }
    CONVK_CUDA_EACH_(m, places_) {
      convk_cuda_pairs_flush_(s[m].sum, row[m].sum, 3);
      if (want_ & CONVK_PAIR_GRADIENT) convk_cuda_pairs_flush_(g[m], row[m].force, 3);
    }
  }
  CONVK_CUDA_EACH_(m, places_) {
    row[m].mantissa = (double)s[m].product;
    row[m].exponent = (double)s[m].exponent;
    row[m].pairs = (double)s[m].pairs;
  }
}

/* This thread's part of ln Psi after less before. */
template <class constants_>
CONVK_CUDA_INLINE_ double convk_cuda_pairs_change_(const constants_ &c, const convk_cuda_pairs_row_ &before,
                                                   const convk_cuda_pairs_row_ &after) {
  double change = convk_cuda_mul_(-c.p[0], convk_cuda_add_(after.sum[0], -before.sum[0]));
  change = convk_cuda_fma_(-c.p[1], convk_cuda_add_(after.sum[1], -before.sum[1]), change);
  change = convk_cuda_fma_(-c.p[3], convk_cuda_add_(after.sum[2], -before.sum[2]), change);
  change = convk_cuda_fma_(-c.shift, convk_cuda_add_(after.pairs, -before.pairs), change);
  if (c.p[2] > 0 || c.p[2] < 0)
    change = convk_cuda_fma_(-0.5 * c.p[2],
                             convk_cuda_pairs_log_(convk_cuda_divided_(after.mantissa, before.mantissa),
                                                   convk_cuda_add_(after.exponent, -before.exponent)),
                             change);
  return change;
}

/* Sums over all threads, which all get the same bits; one barrier, since calls take the two halves of `both` in turn. */
template <int count_, int rows_, int warps_>
CONVK_CUDA_INLINE_ void convk_cuda_pairs_all_(double v[count_], double (*both)[rows_][warps_], int *which, unsigned threads) {
  double(*const part)[warps_] = both[*which];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  *which ^= 1;
  CONVK_CUDA_UNROLL_
  for (int k = 16; k > 0; k /= 2)
    CONVK_CUDA_EACH_(i, count_) v[i] = convk_cuda_add_(v[i], CONVK_CUDA_SHUFFLE_XOR_(v[i], k));
  if (threads == 32) {
    CONVK_CUDA_WARP_SYNC_();
    return;
  }
  CONVK_CUDA_EACH_(i, count_)
    if (lane == 0) part[i][warp] = v[i];
  __syncthreads();
  CONVK_CUDA_EACH_(i, count_) {
    v[i] = part[i][0];
    for (unsigned k = 1; k < threads / 32; k++) v[i] = convk_cuda_add_(v[i], part[i][k]);
  }
}

template <class real_> struct convk_cuda_pairs_move_args_ {
  typename convk_cuda_pairs_type_<real_>::terms c;
  real_ *r;
  const real_ *to;
  size_t n, pitch, stride, walkers, particle;
  convk_pair_move_result *result;
  const unsigned char *accept;
  real_ *gradient;
};

/* A block is a walker. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_PAIRS_EACH_)
    convk_cuda_pairs_move_(const convk_cuda_pairs_move_args_<real_> a) {
  __shared__ double part[2][7][CONVK_CUDA_PAIRS_EACH_ / 32];
  int which = 0;
  for (size_t w = blockIdx.x; w < a.walkers; w += gridDim.x) {
    const real_ *const x = a.r + w * a.stride;
    convk_cuda_pairs_row_ row[2];
    double v[7];
    real_ at[2][3];
    CONVK_CUDA_EACH_(k, 3) {
      at[0][k] = x[(size_t)k * a.pitch + a.particle];
      at[1][k] = a.to[3 * w + (size_t)k];
    }
    convk_cuda_pairs_rows_<CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT, 2>(a.c, x, a.pitch, (unsigned)a.n, (unsigned)a.particle, at,
                                                                       blockDim.x, row);
    v[0] = convk_cuda_pairs_change_(a.c, row[0], row[1]);
    CONVK_CUDA_EACH_(k, 3) {
      v[1 + k] = row[0].force[k];
      v[4 + k] = row[1].force[k];
    }
    convk_cuda_pairs_all_<7>(v, part, &which, blockDim.x);
    if (threadIdx.x == 0) {
      a.result[w].ln_psi = v[0];
      CONVK_CUDA_EACH_(k, 3) {
        a.result[w].before[k] = v[1 + k];
        a.result[w].after[k] = v[4 + k];
      }
    }
  }
}

template <class real_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_PAIRS_EACH_, CONVK_CUDA_ARCH_ >= 1000 ? 4 : 0)
    convk_cuda_pairs_accept_(const convk_cuda_pairs_move_args_<real_> a) {
  __shared__ double part[2][3][CONVK_CUDA_PAIRS_EACH_ / 32];
  int which = 0;
  for (size_t w = blockIdx.x; w < a.walkers; w += gridDim.x) {
    real_ *const x = a.r + w * a.stride;
    real_ *const gradient = a.gradient ? a.gradient + w * a.stride : NULL;
    double force[3] = {0, 0, 0};
    real_ at[2][3];
    if (a.accept && !a.accept[w]) continue;
    CONVK_CUDA_EACH_(k, 3) {
      at[0][k] = x[(size_t)k * a.pitch + a.particle];
      at[1][k] = a.to[3 * w + (size_t)k];
    }
    for (unsigned j = threadIdx.x; gradient && j < (unsigned)a.n; j += blockDim.x) {
      convk_cuda_pairs_sums_<real_> s;
      real_ change[3] = {0, 0, 0};
      convk_cuda_pairs_clear_(s);
      CONVK_CUDA_EACH_(m, 2) {
        real_ d[3], r2, w2;
        int more;
        convk_cuda_pairs_between_(a.c, at[m], x + j, a.pitch, d);
        r2 = convk_cuda_pairs_square_(d);
        w2 = convk_cuda_pairs_step_<0, 1>(a.c, CONVK_PAIR_GRADIENT, r2, convk_cuda_pairs_inverse_(r2),
                                          j == a.particle ? (real_)0 : a.c.limit, s, &more);
        CONVK_CUDA_EACH_(k, 3) {
          change[k] = convk_cuda_fma_(m ? -w2 : w2, d[k], change[k]);
          if (m) force[k] = convk_cuda_fma_((double)w2, (double)d[k], force[k]);
        }
      }
      CONVK_CUDA_EACH_(k, 3)
        if (j != a.particle) gradient[(size_t)k * a.pitch + j] = convk_cuda_add_(gradient[(size_t)k * a.pitch + j], change[k]);
    }
    convk_cuda_pairs_all_<3>(force, part, &which, blockDim.x); /* all threads have read the coordinates now */
    CONVK_CUDA_EACH_(k, 3)
      if (threadIdx.x == (unsigned)k) {
        x[(size_t)k * a.pitch + a.particle] = at[1][k];
        if (gradient) gradient[(size_t)k * a.pitch + a.particle] = (real_)force[k];
      }
  }
}

/* ---- sweeps ---- */

template <class real_> struct convk_cuda_vmc_args_ {
  typename convk_cuda_pairs_type_<real_>::terms c;
  size_t n, first, walkers; /* first: the number of walker 0 among all parts, for random numbers */
  uint64_t seed, sweep;     /* the first */
  size_t count;             /* sweeps */
  double step;
  int drifts, all; /* all: walkers are looked at anew, also those whose ln Psi is known */
  int unset;       /* nobody has written to ln_psi */
  int goes_on;     /* a later batch of a call: what was accepted and drifted counts on */
  real_ *r, *to;   /* [walkers][3][n] */
  double *ln_psi, *drift;
  uint32_t *accepted;
  const convk_pair_result *result;
  const double *before, *after; /* gradients, [walkers][3][n] */
};

/* Sweeps of one particle after another.  A block is a walker, its threads are the others.  A coordinate is written by the
   thread that reads it again for the others' moves; and read by all for its own, with a barrier in between. */
template <class real_, int drifts_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_VMC_THREADS_, drifts_ &&CONVK_CUDA_ARCH_ >= 1000 ? 1 : 0)
    convk_cuda_vmc_single_(const convk_cuda_vmc_args_<real_> a) {
  const unsigned batch = CONVK_CUDA_VMC_NUMBERS_, warps = CONVK_CUDA_VMC_THREADS_ / 32, threads = blockDim.x;
  __shared__ double part[2][4][warps];
  __shared__ double number[batch][4];
  int which = 0;
  for (size_t w = blockIdx.x; w < a.walkers; w += gridDim.x) {
    real_ *const x = a.r + w * 3 * a.n;
    double ln_psi = a.ln_psi[w];
    uint32_t accepted = 0;
    for (size_t sweep = 0; sweep < a.count; sweep++)
      for (size_t k0 = 0; k0 < a.n; k0 += batch) {
        const unsigned many = (unsigned)convk_cuda_least_(a.n - k0, (int)batch);
        __syncthreads();
        for (unsigned k = threadIdx.x; k < many; k += threads) {
          double u[4], normal[3];
          convk_cuda_random_(a.seed, a.sweep + sweep, k0 + k, a.first + w, CONVK_RANDOM_MOVE_, u);
          if (drifts_) convk_cuda_normal_(a.seed, a.sweep + sweep, k0 + k, a.first + w, normal);
          CONVK_CUDA_EACH_(d, 3)
            number[k][d] = convk_cuda_mul_(a.step, drifts_ ? normal[d] : convk_cuda_add_(convk_cuda_mul_(2, u[d]), -1));
          number[k][3] = u[3];
        }
        __syncthreads();
        for (unsigned k = 0; k < many; k++) {
          const unsigned own = (unsigned)k0 + k;
          convk_cuda_pairs_row_ row[2];
          double v[4], drift[3] = {0, 0, 0}, chance;
          real_ at[2][3];
          CONVK_CUDA_EACH_(d, 3) at[0][d] = x[(size_t)d * a.n + own];
          if (drifts_) {
            convk_cuda_pairs_rows_<CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT, 1>(a.c, x, a.n, (unsigned)a.n, own, at, threads,
                                                                               row);
            convk_cuda_pairs_all_<3>(row[0].force, part, &which, threads);
            convk_cuda_vmc_drift_(a.step, row[0].force, drift);
          }
          CONVK_CUDA_EACH_(d, 3)
            at[1][d] =
                (real_)convk_cuda_add_((double)at[0][d], drifts_ ? convk_cuda_add_(drift[d], number[k][d]) : number[k][d]);
          if (drifts_)
            convk_cuda_pairs_rows_<CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT, 1>(a.c, x, a.n, (unsigned)a.n, own, at + 1, threads,
                                                                               row + 1);
          else convk_cuda_pairs_rows_<CONVK_PAIR_LN_PSI, 2>(a.c, x, a.n, (unsigned)a.n, own, at, threads, row);
          v[0] = convk_cuda_pairs_change_(a.c, row[0], row[1]);
          CONVK_CUDA_EACH_(d, 3) v[1 + d] = row[1].force[d];
          convk_cuda_pairs_all_<drifts_ ? 4 : 1>(v, part, &which, threads);
          chance = convk_cuda_mul_(2, v[0]);
          if (drifts_) {
            double way[3];
            CONVK_CUDA_EACH_(d, 3) way[d] = convk_cuda_add_((double)at[1][d], -(double)at[0][d]);
            chance = convk_cuda_add_(chance, convk_cuda_vmc_return_(a.step, way, row[0].force, v + 1));
          }
          if (!convk_cuda_vmc_accepts_(chance, number[k][3])) continue;
          if ((own & (threads - 1)) == threadIdx.x) { /* threads are a power of 2 */
            CONVK_CUDA_EACH_(d, 3) x[(size_t)d * a.n + own] = at[1][d];
          }
          ln_psi = convk_cuda_add_(ln_psi, v[0]);
          accepted++;
        }
      }
    if (threadIdx.x == 0) {
      a.ln_psi[w] = ln_psi;
      a.accepted[w] += accepted;
    }
  }
}

CONVK_CUDA_INLINE_ int convk_cuda_vmc_known_(double ln_psi) { return (convk_cuda_bits_(ln_psi) >> 52 & 0x7ff) != 0x7ff; }

/* Brings clusters back by whole steps, and particles of a box into it: as in convk.h.  A block is a walker. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_PAIRS_EACH_) convk_cuda_vmc_recentre_(const convk_cuda_vmc_args_<real_> a) {
  __shared__ double part[2][3][CONVK_CUDA_PAIRS_EACH_ / 32];
  int which = 0;
  for (size_t w = blockIdx.x; w < a.walkers; w += gridDim.x) {
    real_ *const x = a.r + w * 3 * a.n;
    double mean[3] = {0, 0, 0};
    if (!a.all && convk_cuda_vmc_known_(a.ln_psi[w])) continue;
    CONVK_CUDA_EACH_(d, 3)
      for (unsigned k = threadIdx.x; k < (unsigned)a.n; k += blockDim.x)
        mean[d] = convk_cuda_add_(mean[d], (double)x[(size_t)d * a.n + k]);
    convk_cuda_pairs_all_<3>(mean, part, &which, blockDim.x);
    CONVK_CUDA_EACH_(d, 3) {
      const double off = convk_cuda_vmc_off_(convk_cuda_divided_(mean[d], (double)a.n));
      for (unsigned k = threadIdx.x; k < (unsigned)a.n; k += blockDim.x) {
        real_ *const at = x + (size_t)d * a.n + k;
        *at = (real_)(a.c.periodic ? convk_cuda_vmc_inside_((double)*at, (double)a.c.period[d])
                                   : convk_cuda_add_((double)*at, -off));
      }
    }
  }
}

/* ln Psi anew, in place of that followed by differences.  No result: only a beginning. */
template <class real_, int begins_>
static __global__ void __launch_bounds__(CONVK_CUDA_PAIRS_EACH_) convk_cuda_vmc_settle_(const convk_cuda_vmc_args_<real_> a) {
  CONVK_CUDA_EVERY_(w, a.walkers, CONVK_CUDA_PAIRS_EACH_) {
    double off = 0;
    if (begins_ && !a.goes_on) a.accepted[w] = 0;
    if (a.result && (!begins_ || a.all || !convk_cuda_vmc_known_(a.ln_psi[w]))) {
      if (!begins_ || !a.unset) off = convk_cuda_add_(a.ln_psi[w], -a.result[w].ln_psi);
      if (begins_ && !convk_cuda_vmc_known_(off)) off = 0;
      if (off < 0) off = -off;
      a.ln_psi[w] = a.result[w].ln_psi;
    }
    if ((begins_ && !a.goes_on) || off > a.drift[w]) a.drift[w] = off;
  }
}

/* Where all particles of a walker would go. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_PAIRS_EACH_) convk_cuda_vmc_propose_(const convk_cuda_vmc_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.walkers * a.n, CONVK_CUDA_PAIRS_EACH_) {
    const size_t w = convk_cuda_divide_(i, a.n), k = i - w * a.n;
    double u[4], force[3] = {0, 0, 0}, move[3];
    if (a.drifts) {
      CONVK_CUDA_EACH_(d, 3) force[d] = a.before[(3 * w + (size_t)d) * a.n + k];
      convk_cuda_normal_(a.seed, a.sweep, k, a.first + w, u);
    } else convk_cuda_random_(a.seed, a.sweep, k, a.first + w, CONVK_RANDOM_MOVE_, u);
    convk_cuda_vmc_move_(a.drifts, a.step, force, u, move);
    CONVK_CUDA_EACH_(d, 3) {
      const size_t at = (3 * w + (size_t)d) * a.n + k;
      a.to[at] = (real_)convk_cuda_add_((double)a.r[at], move[d]);
    }
  }
}

/* Whether they go, whose ln Psi there is in the result.  A block is a walker. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_PAIRS_EACH_) convk_cuda_vmc_accept_(const convk_cuda_vmc_args_<real_> a) {
  __shared__ double part[2][1][CONVK_CUDA_PAIRS_EACH_ / 32];
  int which = 0;
  for (size_t w = blockIdx.x; w < a.walkers; w += gridDim.x) {
    const double moved = a.result[w].ln_psi, here = a.ln_psi[w];
    double chance = 0, u[4];
    for (size_t k = threadIdx.x; a.drifts && k < a.n; k += blockDim.x) {
      double way[3], before[3], after[3];
      CONVK_CUDA_EACH_(d, 3) {
        const size_t at = (3 * w + (size_t)d) * a.n + k;
        way[d] = convk_cuda_add_((double)a.to[at], -(double)a.r[at]);
        before[d] = a.before[at];
        after[d] = a.after[at];
      }
      chance = convk_cuda_add_(chance, convk_cuda_vmc_return_(a.step, way, before, after));
    }
    convk_cuda_pairs_all_<1>(&chance, part, &which, blockDim.x); /* all threads have read ln Psi */
    chance = convk_cuda_fma_(2, convk_cuda_add_(moved, -here), chance);
    convk_cuda_random_(a.seed, a.sweep, a.n, a.first + w, CONVK_RANDOM_ACCEPT_, u);
    if (!convk_cuda_vmc_accepts_(chance, u[3])) continue;
    for (size_t k = threadIdx.x; k < 3 * a.n; k += blockDim.x) a.r[w * 3 * a.n + k] = a.to[w * 3 * a.n + k];
    if (threadIdx.x == 0) {
      a.ln_psi[w] = moved;
      a.accepted[w]++;
    }
  }
}
