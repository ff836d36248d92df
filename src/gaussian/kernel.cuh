/* Choices: the audit of machine code (tests/bench/audit) sees that nothing spills; they were not tuned further. */
enum {
  CONVK_CUDA_GAUSSIAN_THREADS_ = 128,
  CONVK_CUDA_GAUSSIAN_EACH_ = 4,  /* elements of a thread in a row of gridpot */
  CONVK_CUDA_GAUSSIAN_ROWS_ = 64, /* of a block of gridpot, and exponents of gridpot_sum in shared memory */
  CONVK_CUDA_GAUSSIAN_SUMS_ = 8,  /* most sums of a thread */
  CONVK_CUDA_GAUSSIAN_POINTS_ = 2 /* and its points, unless they are tuned: 1, 2 or 4 */
};

template <class real_> struct convk_cuda_gaussian_type_; /* group and shell, as convk.h has them for this precision */

/* Points of the caller, with a stride of at least 1, and a center in two parts. */
template <class real_> struct convk_cuda_points_ {
  const real_ *x, *y, *z;
  size_t n, stride;
  real_ center[6];
};

/* An exponent in two parts, and the squared distance from which on a result stays what it is; aligned, for wide loads. */
template <class real_> struct __align__(16) convk_cuda_exponent_ { real_ a, b, top; };

/* As convk_gaussian_exponent_ of convk.h in the fused class, bit for bit. */
template <class real_> CONVK_CUDA_INLINE_ convk_cuda_exponent_<real_> convk_cuda_exponent_of_(real_ alpha) {
  const double l0 = 1.4426950216293335, l1 = 1.92596298909109e-08, l2 = 2.0355273740931033e-17, a = (double)alpha;
  const double large = sizeof(real_) == sizeof(float) ? 156 : 1100, ceiling = (double)CONVK_GREATEST_;
  const double lowest = (sizeof(real_) == sizeof(float) ? 126 : 1022) - 0.0001220703125, limit = alpha < 0 ? lowest : large;
  const double a0 = convk_cuda_real_(convk_cuda_bits_(a) & ~(uint64_t)0 << 27), a1 = convk_cuda_add_(a, -a0);
  const double low = convk_cuda_add_(convk_cuda_add_(convk_cuda_mul_(a0, l1), convk_cuda_mul_(a1, l0)),
                                     convk_cuda_add_(convk_cuda_mul_(a1, l1), convk_cuda_mul_(a, l2)));
  double hi = convk_cuda_add_(convk_cuda_mul_(a0, l0), low),
         lo = convk_cuda_add_(convk_cuda_add_(convk_cuda_mul_(a0, l0), -hi), low), size;
  convk_cuda_exponent_<real_> e;
  size = hi < 0 ? -hi : hi;
  if (!(size <= ceiling)) {
    hi = hi < 0 ? -ceiling : ceiling;
    lo = 0;
    size = ceiling;
  }
  e.a = (real_)hi;
  e.b = (real_)convk_cuda_add_(convk_cuda_add_(hi, -(double)e.a), lo);
  if (CONVK_GAUSSIAN_LEAST_ > e.b && -CONVK_GAUSSIAN_LEAST_ < e.b) e.b = 0;
  e.top = size > convk_cuda_divided_(limit, ceiling) ? (real_)convk_cuda_divided_(limit, size) : CONVK_GREATEST_;
  return e;
}

/* The squared distance of point i from the center; v: the differences; lo: what it lost. */
template <class real_>
CONVK_CUDA_INLINE_ real_ convk_cuda_distance_(const convk_cuda_points_<real_> &p, size_t i, int compensated, real_ v[3],
                                              real_ *lo) {
  v[0] = p.x[i * p.stride];
  v[1] = p.y[i * p.stride];
  v[2] = p.z[i * p.stride];
  return convk_cuda_gaussian_distance_(v, p.center, compensated, lo);
}

/* ---- the grid potential ---- */

template <class real_> struct convk_cuda_gridpot_args_ {
  convk_cuda_points_<real_> points;
  const real_ *alpha, *c;
  real_ *out, cut;
  size_t m, ld, nsums, ldc;
  size_t columns, rows, tiles_x, tasks; /* what is contiguous, and what is not; tiles */
};

/* A block takes 512 contiguous elements of 64 rows: points_, whose exponents it keeps in shared memory, or exponents, and then
   the squared distances of 64 points.  aligned_: rows begin at multiples of 16 bytes, and a thread stores so many at once. */
template <class real_, int points_, int aligned_, int compensated_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_gridpot_(const convk_cuda_gridpot_args_<real_> a) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_, each = CONVK_CUDA_GAUSSIAN_EACH_, rows = CONVK_CUDA_GAUSSIAN_ROWS_;
  const int pack = 16 / (int)sizeof(real_);
  __shared__ real_ shared[3][rows];
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t tile_y = convk_cuda_divide_(task, a.tiles_x), row0 = tile_y * (size_t)rows;
    const size_t column0 = (task - tile_y * a.tiles_x) * (size_t)(threads * each);
    const int count = convk_cuda_least_(a.rows - row0, rows);
    convk_cuda_exponent_<real_> e[each];
    real_ s[each], lo[each], v[3];
    size_t column[each];
    __syncthreads();
    if ((int)threadIdx.x < count) {
      if (points_) {
        const convk_cuda_exponent_<real_> mine = convk_cuda_exponent_of_(a.alpha[row0 + threadIdx.x]);
        shared[0][threadIdx.x] = mine.a;
        shared[1][threadIdx.x] = mine.b;
        shared[2][threadIdx.x] = mine.top;
      } else {
        real_ lost;
        shared[0][threadIdx.x] = convk_cuda_distance_(a.points, row0 + threadIdx.x, compensated_, v, &lost);
        shared[1][threadIdx.x] = lost;
      }
    }
    CONVK_CUDA_EACH_(u, each) {
      size_t from;
      column[u] = column0 + (size_t)(aligned_ ? (int)threadIdx.x * pack + u % pack + u / pack * pack * threads
                                              : (int)threadIdx.x + u * threads);
      from = column[u] < a.columns ? column[u] : a.columns - 1;
      if (points_) s[u] = convk_cuda_distance_(a.points, from, compensated_, v, &lo[u]);
      else e[u] = convk_cuda_exponent_of_(a.alpha[from]);
    }
    __syncthreads();
    for (int r = 0; r < count; r++) {
      real_ *const out = a.out + (row0 + (size_t)r) * a.ld;
      real_ g[each];
      CONVK_CUDA_EACH_(u, each) {
        if (points_) {
          e[u].a = shared[0][r];
          e[u].b = shared[1][r];
          e[u].top = shared[2][r];
        } else {
          s[u] = shared[0][r];
          lo[u] = shared[1][r];
        }
        g[u] = convk_cuda_gaussian_(e[u].a, e[u].b, e[u].top, s[u], lo[u], a.cut, compensated_);
      }
      CONVK_CUDA_UNROLL_
      for (int u = 0; u < each; u += aligned_ ? pack : 1) {
        if (aligned_ && column[u] + (size_t)pack <= a.columns) {
          convk_cuda_put_whole_(out + column[u], g + (aligned_ ? u : 0));
        } else {
          CONVK_CUDA_EACH_(k, (aligned_ ? pack : 1))
            if (column[u] + (size_t)k < a.columns) out[column[u] + (size_t)k] = g[aligned_ ? u + k : u];
        }
      }
    }
  }
}

/* A thread takes each_ points and up to sums_ sums; exponents and coefficients come through shared memory. */
template <class real_, int sums_, int compensated_, int each_>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_gridpot_sum_(const convk_cuda_gridpot_args_<real_> a) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_, each = each_, rows = CONVK_CUDA_GAUSSIAN_ROWS_;
  __shared__ convk_cuda_exponent_<real_> shared[rows];
  __shared__ __align__(16) real_ c[rows][sums_];
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t group = convk_cuda_divide_(task, a.tiles_x), sum0 = group * sums_;
    const size_t first = (task - group * a.tiles_x) * (size_t)(threads * each) + threadIdx.x;
    const int sums = convk_cuda_least_(a.nsums - sum0, sums_);
    real_ s[each], lo[each], sum[each][sums_], v[3];
    CONVK_CUDA_EACH_(u, each) {
      const size_t i = first + (size_t)(u * threads);
      s[u] = convk_cuda_distance_(a.points, i < a.points.n ? i : a.points.n - 1, compensated_, v, &lo[u]);
      CONVK_CUDA_EACH_(k, sums_) sum[u][k] = 0;
    }
    for (size_t j0 = 0; j0 < a.m; j0 += (size_t)rows) {
      const int count = convk_cuda_least_(a.m - j0, rows);
      __syncthreads();
      if ((int)threadIdx.x < count) shared[threadIdx.x] = convk_cuda_exponent_of_(a.alpha[j0 + threadIdx.x]);
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < sums_; k += threads / rows) { /* along the exponents */
        const int j = (int)(threadIdx.x % rows), r = k + (int)(threadIdx.x / rows);
        if (r < sums_) c[j][r] = j < count && r < sums ? a.c[(sum0 + (size_t)r) * a.ldc + j0 + (size_t)j] : (real_)0;
      }
      __syncthreads();
      for (int j = 0; j < count; j++) {
        const convk_cuda_exponent_<real_> e = shared[j];
        CONVK_CUDA_EACH_(u, each) {
          const real_ g = convk_cuda_gaussian_(e.a, e.b, e.top, s[u], lo[u], a.cut, compensated_);
          CONVK_CUDA_EACH_(k, sums_) sum[u][k] = convk_cuda_fma_(c[j][k], g, sum[u][k]);
        }
      }
    }
    CONVK_CUDA_EACH_(u, each) {
      const size_t i = first + (size_t)(u * threads);
      CONVK_CUDA_EACH_(k, sums_)
        if (i < a.points.n && k < sums) a.out[(sum0 + (size_t)k) * a.ld + i] = convk_cuda_add_(sum[u][k], (real_)0); /* no -0 */
    }
  }
}

/* Which kernel a call starts. */
template <class real_> using convk_cuda_gridpot_kernel_ = void (*)(const convk_cuda_gridpot_args_<real_>);

template <class real_, int points_, int compensated_>
static convk_cuda_gridpot_kernel_<real_> convk_cuda_gridpot_aligned_(int aligned) {
  return aligned ? convk_cuda_gridpot_<real_, points_, 1, compensated_> : convk_cuda_gridpot_<real_, points_, 0, compensated_>;
}
template <class real_>
static convk_cuda_gridpot_kernel_<real_> convk_cuda_gridpot_of_(int compensated, int points, int aligned) {
  if (points)
    return compensated ? convk_cuda_gridpot_aligned_<real_, 1, 1>(aligned) : convk_cuda_gridpot_aligned_<real_, 1, 0>(aligned);
  return compensated ? convk_cuda_gridpot_aligned_<real_, 0, 1>(aligned) : convk_cuda_gridpot_aligned_<real_, 0, 0>(aligned);
}
template <class real_, int sums_> static convk_cuda_gridpot_kernel_<real_> convk_cuda_gridpot_sums_(int compensated) {
  return compensated ? convk_cuda_gridpot_sum_<real_, sums_, 1, CONVK_CUDA_GAUSSIAN_POINTS_>
                     : convk_cuda_gridpot_sum_<real_, sums_, 0, CONVK_CUDA_GAUSSIAN_POINTS_>;
}
/* Other numbers of points are only there for many sums without compensation, where the registers of a thread decide: one
   leaves room for twice the warps, four halve the loads of coefficients.  They are four kernels more to compile. */
CONVK_LOCAL_ size_t convk_cuda_gridpot_points_(int compensated, size_t sums, long tuned) {
  if (compensated || sums <= 4 || !tuned) return CONVK_CUDA_GAUSSIAN_POINTS_;
  return tuned == 1 ? 1 : tuned < 4 ? CONVK_CUDA_GAUSSIAN_POINTS_ : 4;
}
template <class real_>
static convk_cuda_gridpot_kernel_<real_> convk_cuda_gridpot_sum_of_(int compensated, size_t sums, size_t points) {
  if (points == 1) return convk_cuda_gridpot_sum_<real_, 8, 0, 1>;
  if (points == 4) return convk_cuda_gridpot_sum_<real_, 8, 0, 4>;
  if (sums > 4) return convk_cuda_gridpot_sums_<real_, 8>(compensated);
  if (sums > 2) return convk_cuda_gridpot_sums_<real_, 4>(compensated);
  return sums > 1 ? convk_cuda_gridpot_sums_<real_, 2>(compensated) : convk_cuda_gridpot_sums_<real_, 1>(compensated);
}

/* ---- orbitals ---- */

enum {
  CONVK_CUDA_ORBITALS_PRIMITIVES_ = 32,                                         /* in shared memory at a time */
  CONVK_CUDA_ORBITALS_COLUMNS_ = CONVK_GAUSSIAN_UPPER_ * CONVK_GAUSSIAN_SHELLS_ /* most monomials of a group of shells */
};

/* The tables of a plan, in device memory. */
template <class real_> struct convk_cuda_orbitals_args_ {
  convk_cuda_points_<real_> points;
  const typename convk_cuda_gaussian_type_<real_>::group *groups;
  const typename convk_cuda_gaussian_type_<real_>::shell *shells;
  const real_ *exponents, *radial, *matrix;
  const real_ *weights;
  real_ *out[5], cut, below, inverse, least;
  size_t ngroups, primitives, columns, norbitals, ld, tiles, tasks;
};

/* The functions x^a y^b z^c R of a shell, and with kinds_ = 5 their gradients and Laplacians: f(q, values) for each. */
template <int degree_, int kinds_, class real_, class Each>
CONVK_CUDA_INLINE_ void convk_cuda_shell_(const real_ v[3], real_ s, const real_ *radial, Each f) {
  const int all = CONVK_DEGREE_(degree_ + 1);
  real_ m[all], slope[all], bend[all], value[5];
  convk_cuda_gaussian_monomials_of_(degree_, v, radial[0], m);
  if (kinds_ > 1) {
    const real_ w = convk_cuda_mul_(s, radial[kinds_ > 1 ? 2 : 0]), d = radial[kinds_ > 1 ? 1 : 0];
    convk_cuda_gaussian_monomials_of_(degree_, v, d, slope);
    convk_cuda_gaussian_monomials_of_(degree_, v, convk_cuda_fma_((real_)(2 * degree_ + 3), d, w), bend);
  }
  CONVK_CUDA_UNROLL_
  for (int i = 0; i <= degree_; i++) CONVK_CUDA_UNROLL_
  for (int j = 0; j <= i; j++) {
    convk_cuda_gaussian_values_(degree_, kinds_, i, j, v, m, slope, bend, value);
    f(i * (i + 1) / 2 + j, value);
  }
}

/* Radial functions of a group of shells at squared distance s, sums over its primitives, which come through shared memory; of
   parts_ for each shell: R, and with derivatives R' / r and (R' / r)' / r.  0 where no primitive counts. */
template <class real_, int parts_>
CONVK_CUDA_INLINE_ int convk_cuda_radials_(const convk_cuda_orbitals_args_<real_> &a, size_t g, real_ s, const real_ *factors,
                                           convk_cuda_exponent_<real_> *exponent,
                                           real_ (*factor)[parts_ * CONVK_GAUSSIAN_SHELLS_], real_ (*radial)[parts_]) {
  const unsigned threads = CONVK_CUDA_GAUSSIAN_THREADS_, strip = CONVK_CUDA_ORBITALS_PRIMITIVES_;
  const unsigned all = parts_ * CONVK_GAUSSIAN_SHELLS_, used = parts_ * (unsigned)a.groups[g].shells,
                 mine = threadIdx.x % strip;
  const size_t primitives = a.groups[g].primitives, first = a.groups[g].primitive;
  int any = 0;
  CONVK_CUDA_UNROLL_
  for (unsigned k = 0; k < all; k++) radial[k / parts_][k % parts_] = 0;
  for (size_t p0 = 0; p0 < primitives; p0 += (size_t)strip) {
    const unsigned count = (unsigned)convk_cuda_least_(primitives - p0, (int)strip);
    const size_t from = p0 + (mine < count ? mine : count - 1); /* what fills up pairs has factors of 0 */
    __syncthreads();
    if (threadIdx.x < strip) {
      exponent[mine].a = a.exponents[first + from];
      exponent[mine].b = a.exponents[a.primitives + first + from];
      exponent[mine].top = a.exponents[2 * a.primitives + first + from];
    }
    CONVK_CUDA_UNROLL_
    for (unsigned k = 0; k < all; k += threads / strip) {
      const unsigned r = k + threadIdx.x / strip; /* without derivatives, only each third row of factors counts */
      factor[mine][r] = mine < count && r < used ? factors[(size_t)(parts_ > 1 ? r : 3 * r) * primitives + from] : (real_)0;
    }
    __syncthreads();
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned p = 0; p < count; p += 2) { /* two together; those below the limit are exactly 0 */
      real_ value[2];
      if (convk_cuda_mul_(exponent[p].a, s) < a.below && convk_cuda_mul_(exponent[p + 1].a, s) < a.below) continue;
      CONVK_CUDA_UNROLL_
      for (unsigned k = 0; k < 2; k++)
        value[k] = convk_cuda_gaussian_(exponent[p + k].a, exponent[p + k].b, exponent[p + k].top, s, (real_)0, a.cut, 0);
      any = 1;
      CONVK_CUDA_UNROLL_
      for (unsigned k = 0; k < 2 * all; k++) {
        real_ &sum = radial[k % all / parts_][k % parts_];
        sum = convk_cuda_fma_(factor[p + k / all][k % all], value[k / all], sum);
      }
    }
  }
  CONVK_CUDA_UNROLL_
  for (unsigned k = 0; k < all; k++) radial[k / parts_][k % parts_] = convk_cuda_add_(radial[k / parts_][k % parts_], (real_)0);
  return any;
}

/* Coefficients of all monomials of a group, block_ orbitals from o0 on, to shared memory.  All threads are done with those of
   the group before: convk_cuda_radials_, which comes first, waits for them. */
template <int block_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_columns_(const convk_cuda_orbitals_args_<real_> &a, size_t column0, int columns, size_t o0,
                                            int orbitals, real_ (*c)[block_]) {
  const int o = (int)(threadIdx.x % block_);
  const real_ *const from = a.matrix + (o0 + (size_t)(o < orbitals ? o : 0)) * a.columns + column0;
  for (int q = (int)(threadIdx.x / block_); q < columns; q += CONVK_CUDA_GAUSSIAN_THREADS_ / block_)
    c[q][o] = o < orbitals ? from[q] : (real_)0;
  __syncthreads();
}

/* The functions of all shells of a group at one point.  With orbitals (block_ > 0) they are added to the sums of these, times
   the coefficients c of their monomials; else they are themselves the results of point i, unless that is outside. */
template <int kinds_, int block_, int parts_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_gaussian_group_(const convk_cuda_orbitals_args_<real_> &a, size_t shell0, int shells,
                                                   const real_ v[3], real_ s, const real_ (*radial)[parts_],
                                                   const real_ (*c)[block_ ? block_ : 1], size_t i, int inside,
                                                   real_ (*sum)[block_ ? block_ : 1]) {
  const int block = block_ ? block_ : 1, together = CONVK_GAUSSIAN_SHELLS_;
  CONVK_CUDA_EACH_(k, together) {
    if (k >= shells) continue;
    const typename convk_cuda_gaussian_type_<real_>::shell &shell = a.shells[shell0 + (size_t)k];
    const size_t q0 = shell.column - a.shells[shell0].column;
    const real_ *matrix = a.matrix + shell.matrix;
    real_ values[block_ ? 1 : 15][kinds_];
    auto each = [&](int q, const real_ *value) {
      CONVK_CUDA_EACH_(kind, kinds_) {
        if (!block_) values[block_ ? 0 : q][kind] = value[kind];
        CONVK_CUDA_EACH_(o, block_)
          sum[kind][o < block ? o : 0] =
              convk_cuda_fma_(c[q0 + (size_t)q][o < block ? o : 0], value[kind], sum[kind][o < block ? o : 0]);
      }
    };
    auto rows = [&](int monomials) {
      for (size_t f = 0; f < shell.functions && !block_; f++)
        CONVK_CUDA_EACH_(kind, kinds_) {
          real_ w = 0;
          CONVK_CUDA_EACH_(q, monomials)
            w = convk_cuda_fma_(matrix[f * (size_t)monomials + (size_t)q], values[block_ ? 0 : q][kind], w);
          if (inside) a.out[kind][(shell.function + f) * a.ld + i] = convk_cuda_gaussian_settled_(w, a.inverse, a.least);
        }
    };
    switch (shell.l) {
      case 0: convk_cuda_shell_<0, kinds_>(v, s, radial[k], each), rows(1); break;
      case 1: convk_cuda_shell_<1, kinds_>(v, s, radial[k], each), rows(3); break;
      case 2: convk_cuda_shell_<2, kinds_>(v, s, radial[k], each), rows(6); break;
      case 3: convk_cuda_shell_<3, kinds_>(v, s, radial[k], each), rows(10); break;
      default: convk_cuda_shell_<4, kinds_>(v, s, radial[k], each), rows(15); break;
    }
  }
}

/* Blocks of a multiprocessor, at least; 0: as the compiler likes.  From sm_100 on ptxas spills without such a number. */
#define CONVK_CUDA_ORBITALS_BLOCKS_(real_, kinds_, block_) \
  ((block_) == 0 ? (kinds_) > 1 ? 16 / (int)sizeof(real_) : 0 : CONVK_CUDA_ARCH_ >= 1000 ? sizeof(real_) == 8 ? 3 : 6 : 0)

/* A thread takes a point and up to block_ orbitals (all of them, one lot after another, for a density_), or with most_ = 0 the
   functions themselves.  Groups of shells with the same exponentials come through shared memory: exponents and factors, then
   coefficients of all their monomials. */
template <class real_, int kinds_, int block_, int density_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, CONVK_CUDA_ORBITALS_BLOCKS_(real_, kinds_, block_))
    convk_cuda_orbitals_(const convk_cuda_orbitals_args_<real_> a) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_, strip = CONVK_CUDA_ORBITALS_PRIMITIVES_, block = block_ ? block_ : 1;
  const int parts = kinds_ > 1 ? 3 : 1, together = CONVK_GAUSSIAN_SHELLS_; /* radial functions of a shell, shells of a group */
  __shared__ convk_cuda_exponent_<real_> exponent[strip];
  __shared__ real_ factor[strip][parts * together];
  __shared__ __align__(16) real_ c[CONVK_CUDA_ORBITALS_COLUMNS_][block];
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t lot = convk_cuda_divide_(task, a.tiles), i = (task - lot * a.tiles) * (size_t)threads + threadIdx.x;
    const size_t point = i < a.points.n ? i : a.points.n - 1;
    const int inside = i < a.points.n;
    real_ density = 0;
    for (size_t o0 = lot * (size_t)block; o0 < (block_ ? a.norbitals : lot + 1);
         o0 += density_ ? (size_t)block : a.norbitals + 1) {
      const int orbitals = convk_cuda_least_(a.norbitals - o0, block);
      const real_ *factors = a.radial;
      real_ v[3] = {0, 0, 0}, s = 0, lost, sum[kinds_][block];
      CONVK_CUDA_EACH_(k, kinds_ * block) sum[k / block][k % block] = 0;
      for (size_t g = 0; g < a.ngroups; g++) {
        const int shells = (int)a.groups[g].shells;
        const size_t primitives = a.groups[g].primitives, shell0 = a.groups[g].shell;
        real_ radial[together][parts];
        int any;
        if (a.groups[g].moved) {
          convk_cuda_points_<real_> p = a.points;
          CONVK_CUDA_EACH_(k, 6) p.center[k] = a.groups[g].center[k];
          s = convk_cuda_distance_(p, point, 0, v, &lost);
        }
        any = convk_cuda_radials_<real_, parts>(a, g, s, factors, exponent, factor, radial);
        if (block_) {
          const typename convk_cuda_gaussian_type_<real_>::shell &last = a.shells[shell0 + (size_t)shells - 1];
          const size_t column0 = a.shells[shell0].column, columns = last.column + last.columns - column0;
          convk_cuda_columns_<block>(a, column0, (int)columns, o0, orbitals, c);
          if (!CONVK_CUDA_ANY_(any)) {
            factors += 3 * (size_t)shells * primitives;
            continue;
          }
        }
        convk_cuda_gaussian_group_<kinds_, block_, parts, real_>(a, shell0, shells, v, s, radial, c, i, inside, sum);
        factors += 3 * (size_t)shells * primitives;
      }
      CONVK_CUDA_EACH_(o, block_)
        CONVK_CUDA_EACH_(kind, kinds_) {
          const real_ value = convk_cuda_gaussian_settled_(sum[kind][o < block ? o : 0], a.inverse, a.least);
          if (!inside || o >= orbitals) continue;
          if (density_) density = convk_cuda_gaussian_add_square_(a.weights[o0 + (size_t)o], value, density);
          else a.out[kind][(o0 + (size_t)o) * a.ld + i] = value;
        }
    }
    if (density_ && inside) a.out[0][i] = density;
  }
}

/* Orbitals of a thread, whose sums stay in registers: 5 x 4 with derivatives, else 8 or 16. */
CONVK_LOCAL_ size_t convk_cuda_orbitals_block_(size_t kinds, size_t norbitals) {
  return kinds > 1 ? 4 : norbitals > 8 ? 16 : 8;
}

/* Which kernel a call starts; combined: with coefficients. */
template <class real_> using convk_cuda_orbitals_kernel_ = void (*)(const convk_cuda_orbitals_args_<real_>);

template <class real_>
static convk_cuda_orbitals_kernel_<real_> convk_cuda_orbitals_of_(size_t kinds, int density, int combined, size_t block) {
  if (density) return block > 8 ? convk_cuda_orbitals_<real_, 1, 16, 1> : convk_cuda_orbitals_<real_, 1, 8, 1>;
  if (kinds > 1) return combined ? convk_cuda_orbitals_<real_, 5, 4, 0> : convk_cuda_orbitals_<real_, 5, 0, 0>;
  if (!combined) return convk_cuda_orbitals_<real_, 1, 0, 0>;
  return block > 8 ? convk_cuda_orbitals_<real_, 1, 16, 0> : convk_cuda_orbitals_<real_, 1, 8, 0>;
}
