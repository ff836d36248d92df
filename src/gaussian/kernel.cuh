#if CONVK_HAS_GAUSSIAN_
/* Choices: the audit of machine code (tests/bench/audit) sees that nothing spills; they were not tuned further. */
enum {
  CONVK_CUDA_GAUSSIAN_THREADS_ = 128,
  CONVK_CUDA_GAUSSIAN_EACH_ = 4,  /* elements of a thread in a row of gridpot */
  CONVK_CUDA_GAUSSIAN_ROWS_ = 64, /* of a block of gridpot, and exponents of gridpot_sum in shared memory */
  CONVK_CUDA_GAUSSIAN_SUMS_ = 8,  /* most sums of a thread */
  CONVK_CUDA_GAUSSIAN_POINTS_ = 2 /* and its points, unless they are tuned: 1, 2 or 4 */
};

template <class T> struct convk_cuda_gaussian_type_; /* group and shell, as convk.h has them for this precision */

/* Points of the caller, with a stride of at least 1, and a center in two parts. */
template <class T> struct convk_cuda_points_ {
  const T *x, *y, *z;
  size_t n, stride;
  T center[6];
};

/* An exponent in two parts, and the squared distance from which on a result stays what it is; aligned, for wide loads. */
template <class T> struct __align__(16) convk_cuda_exponent_ { T a, b, top; };

/* As convk_gaussian_exponent_ of convk.h in the fused class, bit for bit. */
template <class T> static __device__ __forceinline__ convk_cuda_exponent_<T> convk_cuda_exponent_of_(T alpha) {
  const double l0 = 1.4426950216293335, l1 = 1.92596298909109e-08, l2 = 2.0355273740931033e-17, a = (double)alpha;
  const double large = sizeof(T) == sizeof(float) ? 156 : 1100, most = (double)CONVK_GREATEST_;
  const double lowest = (sizeof(T) == sizeof(float) ? 126 : 1022) - 0.0001220703125, limit = alpha < 0 ? lowest : large;
  const double a0 = convk_cuda_real_(convk_cuda_bits_(a) & ~(uint64_t)0 << 27), a1 = convk_cuda_add_(a, -a0);
  const double low = convk_cuda_add_(convk_cuda_add_(convk_cuda_mul_(a0, l1), convk_cuda_mul_(a1, l0)),
                                     convk_cuda_add_(convk_cuda_mul_(a1, l1), convk_cuda_mul_(a, l2)));
  double hi = convk_cuda_add_(convk_cuda_mul_(a0, l0), low),
         lo = convk_cuda_add_(convk_cuda_add_(convk_cuda_mul_(a0, l0), -hi), low), size;
  convk_cuda_exponent_<T> e;
  size = hi < 0 ? -hi : hi;
  if (!(size <= most)) {
    hi = hi < 0 ? -most : most;
    lo = 0;
    size = most;
  }
  e.a = (T)hi;
  e.b = (T)convk_cuda_add_(convk_cuda_add_(hi, -(double)e.a), lo);
  if (CONVK_GAUSSIAN_LEAST_ > e.b && -CONVK_GAUSSIAN_LEAST_ < e.b) e.b = 0;
  e.top = size > convk_cuda_divided_(limit, most) ? (T)convk_cuda_divided_(limit, size) : CONVK_GREATEST_;
  return e;
}

/* The squared distance of point i from the center; v: the differences; lo: what it lost. */
template <class T>
static __device__ __forceinline__ T convk_cuda_distance_(const convk_cuda_points_<T> &p, size_t i, int compensated, T v[3],
                                                         T *lo) {
  v[0] = p.x[i * p.stride];
  v[1] = p.y[i * p.stride];
  v[2] = p.z[i * p.stride];
  return convk_cuda_gaussian_distance_(v, p.center, compensated, lo);
}

/* ---- the grid potential ---- */

template <class T> struct convk_cuda_gridpot_args_ {
  convk_cuda_points_<T> points;
  const T *alpha, *c;
  T *out, cut;
  size_t m, ld, nsums, ldc;
  size_t columns, rows, tiles_x, tasks; /* what is contiguous, and what is not; tiles */
};

/* A block takes 512 contiguous elements of 64 rows: POINTS, whose exponents it keeps in shared memory, or exponents, and then
   the squared distances of 64 points.  ALIGNED: rows begin at multiples of 16 bytes, and a thread stores so many at once. */
template <class T, int POINTS, int ALIGNED, int COMPENSATED>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_gridpot_(const convk_cuda_gridpot_args_<T> a) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_, each = CONVK_CUDA_GAUSSIAN_EACH_, rows = CONVK_CUDA_GAUSSIAN_ROWS_;
  const int pack = 16 / (int)sizeof(T);
  __shared__ T shared[3][rows];
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t tile_y = convk_cuda_divide_(task, a.tiles_x), row0 = tile_y * (size_t)rows;
    const size_t column0 = (task - tile_y * a.tiles_x) * (size_t)(threads * each);
    const int count = convk_cuda_least_(a.rows - row0, rows);
    convk_cuda_exponent_<T> e[each];
    T s[each], lo[each], v[3];
    size_t column[each];
    __syncthreads();
    if ((int)threadIdx.x < count) {
      if (POINTS) {
        const convk_cuda_exponent_<T> mine = convk_cuda_exponent_of_(a.alpha[row0 + threadIdx.x]);
        shared[0][threadIdx.x] = mine.a;
        shared[1][threadIdx.x] = mine.b;
        shared[2][threadIdx.x] = mine.top;
      } else {
        T lost;
        shared[0][threadIdx.x] = convk_cuda_distance_(a.points, row0 + threadIdx.x, COMPENSATED, v, &lost);
        shared[1][threadIdx.x] = lost;
      }
    }
    CONVK_CUDA_UNROLL_
    for (int u = 0; u < each; u++) {
      size_t from;
      column[u] = column0 + (size_t)(ALIGNED ? (int)threadIdx.x * pack + u % pack + u / pack * pack * threads
                                             : (int)threadIdx.x + u * threads);
      from = column[u] < a.columns ? column[u] : a.columns - 1;
      if (POINTS) s[u] = convk_cuda_distance_(a.points, from, COMPENSATED, v, &lo[u]);
      else e[u] = convk_cuda_exponent_of_(a.alpha[from]);
    }
    __syncthreads();
    for (int r = 0; r < count; r++) {
      T *const out = a.out + (row0 + (size_t)r) * a.ld;
      T g[each];
      CONVK_CUDA_UNROLL_
      for (int u = 0; u < each; u++) {
        if (POINTS) {
          e[u].a = shared[0][r];
          e[u].b = shared[1][r];
          e[u].top = shared[2][r];
        } else {
          s[u] = shared[0][r];
          lo[u] = shared[1][r];
        }
        g[u] = convk_cuda_gaussian_(e[u].a, e[u].b, e[u].top, s[u], lo[u], a.cut, COMPENSATED);
      }
      CONVK_CUDA_UNROLL_
      for (int u = 0; u < each; u += ALIGNED ? pack : 1) {
        if (ALIGNED && column[u] + (size_t)pack <= a.columns) {
          convk_cuda_put_whole_(out + column[u], g + (ALIGNED ? u : 0));
        } else {
          CONVK_CUDA_UNROLL_
          for (int k = 0; k < (ALIGNED ? pack : 1); k++)
            if (column[u] + (size_t)k < a.columns) out[column[u] + (size_t)k] = g[ALIGNED ? u + k : u];
        }
      }
    }
  }
}

/* A thread takes EACH points and up to SUMS sums; exponents and coefficients come through shared memory. */
template <class T, int SUMS, int COMPENSATED, int EACH>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_gridpot_sum_(const convk_cuda_gridpot_args_<T> a) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_, each = EACH, most = CONVK_CUDA_GAUSSIAN_ROWS_;
  __shared__ convk_cuda_exponent_<T> shared[most];
  __shared__ __align__(16) T c[most][SUMS];
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t group = convk_cuda_divide_(task, a.tiles_x), sum0 = group * SUMS;
    const size_t first = (task - group * a.tiles_x) * (size_t)(threads * each) + threadIdx.x;
    const int sums = convk_cuda_least_(a.nsums - sum0, SUMS);
    T s[each], lo[each], sum[each][SUMS], v[3];
    CONVK_CUDA_UNROLL_
    for (int u = 0; u < each; u++) {
      const size_t i = first + (size_t)(u * threads);
      s[u] = convk_cuda_distance_(a.points, i < a.points.n ? i : a.points.n - 1, COMPENSATED, v, &lo[u]);
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < SUMS; k++) sum[u][k] = 0;
    }
    for (size_t j0 = 0; j0 < a.m; j0 += (size_t)most) {
      const int count = convk_cuda_least_(a.m - j0, most);
      __syncthreads();
      if ((int)threadIdx.x < count) shared[threadIdx.x] = convk_cuda_exponent_of_(a.alpha[j0 + threadIdx.x]);
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < SUMS; k += threads / most) { /* along the exponents */
        const int j = (int)(threadIdx.x % most), r = k + (int)(threadIdx.x / most);
        if (r < SUMS) c[j][r] = j < count && r < sums ? a.c[(sum0 + (size_t)r) * a.ldc + j0 + (size_t)j] : (T)0;
      }
      __syncthreads();
      for (int j = 0; j < count; j++) {
        const convk_cuda_exponent_<T> e = shared[j];
        CONVK_CUDA_UNROLL_
        for (int u = 0; u < each; u++) {
          const T g = convk_cuda_gaussian_(e.a, e.b, e.top, s[u], lo[u], a.cut, COMPENSATED);
          CONVK_CUDA_UNROLL_
          for (int k = 0; k < SUMS; k++) sum[u][k] = convk_cuda_fma_(c[j][k], g, sum[u][k]);
        }
      }
    }
    CONVK_CUDA_UNROLL_
    for (int u = 0; u < each; u++) {
      const size_t i = first + (size_t)(u * threads);
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < SUMS; k++)
        if (i < a.points.n && k < sums) a.out[(sum0 + (size_t)k) * a.ld + i] = convk_cuda_add_(sum[u][k], (T)0); /* no -0 */
    }
  }
}

/* Which kernel a call starts. */
template <class T> using convk_cuda_gridpot_kernel_ = void (*)(const convk_cuda_gridpot_args_<T>);

template <class T, int POINTS, int COMPENSATED> static convk_cuda_gridpot_kernel_<T> convk_cuda_gridpot_aligned_(int aligned) {
  return aligned ? convk_cuda_gridpot_<T, POINTS, 1, COMPENSATED> : convk_cuda_gridpot_<T, POINTS, 0, COMPENSATED>;
}
template <class T> static convk_cuda_gridpot_kernel_<T> convk_cuda_gridpot_of_(int compensated, int points, int aligned) {
  if (points)
    return compensated ? convk_cuda_gridpot_aligned_<T, 1, 1>(aligned) : convk_cuda_gridpot_aligned_<T, 1, 0>(aligned);
  return compensated ? convk_cuda_gridpot_aligned_<T, 0, 1>(aligned) : convk_cuda_gridpot_aligned_<T, 0, 0>(aligned);
}
template <class T, int SUMS> static convk_cuda_gridpot_kernel_<T> convk_cuda_gridpot_sums_(int compensated) {
  return compensated ? convk_cuda_gridpot_sum_<T, SUMS, 1, CONVK_CUDA_GAUSSIAN_POINTS_>
                     : convk_cuda_gridpot_sum_<T, SUMS, 0, CONVK_CUDA_GAUSSIAN_POINTS_>;
}
/* Other numbers of points are only there for many sums without compensation, where the registers of a thread decide: one
   leaves room for twice the warps, four halve the loads of coefficients.  They are four kernels more to compile. */
CONVK_LOCAL_ size_t convk_cuda_gridpot_points_(int compensated, size_t sums, long tuned) {
  if (compensated || sums <= 4 || !tuned) return CONVK_CUDA_GAUSSIAN_POINTS_;
  return tuned == 1 ? 1 : tuned < 4 ? CONVK_CUDA_GAUSSIAN_POINTS_ : 4;
}
template <class T>
static convk_cuda_gridpot_kernel_<T> convk_cuda_gridpot_sum_of_(int compensated, size_t sums, size_t points) {
  if (points == 1) return convk_cuda_gridpot_sum_<T, 8, 0, 1>;
  if (points == 4) return convk_cuda_gridpot_sum_<T, 8, 0, 4>;
  if (sums > 4) return convk_cuda_gridpot_sums_<T, 8>(compensated);
  if (sums > 2) return convk_cuda_gridpot_sums_<T, 4>(compensated);
  return sums > 1 ? convk_cuda_gridpot_sums_<T, 2>(compensated) : convk_cuda_gridpot_sums_<T, 1>(compensated);
}

/* ---- orbitals ---- */

enum {
  CONVK_CUDA_ORBITALS_PRIMITIVES_ = 32,                                        /* in shared memory at a time */
  CONVK_CUDA_ORBITALS_COLUMNS_ = CONVK_GAUSSIAN_MOST_ * CONVK_GAUSSIAN_SHELLS_ /* most monomials of a group of shells */
};

/* The tables of a plan, in device memory. */
template <class T> struct convk_cuda_orbitals_args_ {
  convk_cuda_points_<T> points;
  const typename convk_cuda_gaussian_type_<T>::group *groups;
  const typename convk_cuda_gaussian_type_<T>::shell *shells;
  const T *exponents, *radial, *matrix;
  const T *weights;
  T *out[5], cut, below, inverse, least;
  size_t ngroups, primitives, columns, norbitals, ld, tiles, tasks;
};

/* The functions x^a y^b z^c R of a shell, and with KINDS = 5 their gradients and Laplacians: f(q, values) for each. */
template <int L, int KINDS, class T, class Each>
static __device__ __forceinline__ void convk_cuda_shell_(const T v[3], T s, const T *radial, Each f) {
  const int all = CONVK_DEGREE_(L + 1);
  T m[all], slope[all], bend[all], value[5];
  convk_cuda_gaussian_monomials_of_(L, v, radial[0], m);
  if (KINDS > 1) {
    const T w = convk_cuda_mul_(s, radial[KINDS > 1 ? 2 : 0]), d = radial[KINDS > 1 ? 1 : 0];
    convk_cuda_gaussian_monomials_of_(L, v, d, slope);
    convk_cuda_gaussian_monomials_of_(L, v, convk_cuda_fma_((T)(2 * L + 3), d, w), bend);
  }
  CONVK_CUDA_UNROLL_
  for (int i = 0; i <= L; i++) CONVK_CUDA_UNROLL_
  for (int j = 0; j <= i; j++) {
    convk_cuda_gaussian_values_(L, KINDS, i, j, v, m, slope, bend, value);
    f(i * (i + 1) / 2 + j, value);
  }
}

/* Radial functions of a group of shells at squared distance s, sums over its primitives, which come through shared memory; of
   PARTS for each shell: R, and with derivatives R' / r and (R' / r)' / r.  0 where no primitive counts. */
template <class T, int PARTS>
static __device__ __forceinline__ int convk_cuda_radials_(const convk_cuda_orbitals_args_<T> &a, size_t g, T s,
                                                          const T *factors, convk_cuda_exponent_<T> *exponent,
                                                          T (*factor)[PARTS * CONVK_GAUSSIAN_SHELLS_], T (*radial)[PARTS]) {
  const unsigned threads = CONVK_CUDA_GAUSSIAN_THREADS_, strip = CONVK_CUDA_ORBITALS_PRIMITIVES_;
  const unsigned all = PARTS * CONVK_GAUSSIAN_SHELLS_, used = PARTS * (unsigned)a.groups[g].shells, mine = threadIdx.x % strip;
  const size_t primitives = a.groups[g].primitives, first = a.groups[g].primitive;
  int any = 0;
  CONVK_CUDA_UNROLL_
  for (unsigned k = 0; k < all; k++) radial[k / PARTS][k % PARTS] = 0;
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
      factor[mine][r] = mine < count && r < used ? factors[(size_t)(PARTS > 1 ? r : 3 * r) * primitives + from] : (T)0;
    }
    __syncthreads();
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned p = 0; p < count; p += 2) { /* two together; those below the limit are exactly 0 */
      T value[2];
      if (convk_cuda_mul_(exponent[p].a, s) < a.below && convk_cuda_mul_(exponent[p + 1].a, s) < a.below) continue;
      CONVK_CUDA_UNROLL_
      for (unsigned k = 0; k < 2; k++)
        value[k] = convk_cuda_gaussian_(exponent[p + k].a, exponent[p + k].b, exponent[p + k].top, s, (T)0, a.cut, 0);
      any = 1;
      CONVK_CUDA_UNROLL_
      for (unsigned k = 0; k < 2 * all; k++) {
        T &sum = radial[k % all / PARTS][k % PARTS];
        sum = convk_cuda_fma_(factor[p + k / all][k % all], value[k / all], sum);
      }
    }
  }
  CONVK_CUDA_UNROLL_
  for (unsigned k = 0; k < all; k++) radial[k / PARTS][k % PARTS] = convk_cuda_add_(radial[k / PARTS][k % PARTS], (T)0);
  return any;
}

/* Coefficients of all monomials of a group, MOST orbitals from o0 on, to shared memory.  All threads are done with those of the
   group before: convk_cuda_radials_, which comes first, waits for them. */
template <int MOST, class T>
static __device__ __forceinline__ void convk_cuda_columns_(const convk_cuda_orbitals_args_<T> &a, size_t column0, int columns,
                                                           size_t o0, int orbitals, T (*c)[MOST]) {
  const int o = (int)(threadIdx.x % MOST);
  const T *const from = a.matrix + (o0 + (size_t)(o < orbitals ? o : 0)) * a.columns + column0;
  for (int q = (int)(threadIdx.x / MOST); q < columns; q += CONVK_CUDA_GAUSSIAN_THREADS_ / MOST)
    c[q][o] = o < orbitals ? from[q] : (T)0;
  __syncthreads();
}

/* The functions of all shells of a group at one point.  With orbitals (MOST > 0) they are added to the sums of these, times the
   coefficients c of their monomials; else they are themselves the results of point i, unless that is outside. */
template <int KINDS, int MOST, int PARTS, class T>
static __device__ __forceinline__ void convk_cuda_gaussian_group_(const convk_cuda_orbitals_args_<T> &a, size_t shell0,
                                                                  int shells, const T v[3], T s, const T (*radial)[PARTS],
                                                                  const T (*c)[MOST ? MOST : 1], size_t i, int inside,
                                                                  T (*sum)[MOST ? MOST : 1]) {
  const int most = MOST ? MOST : 1, together = CONVK_GAUSSIAN_SHELLS_;
  CONVK_CUDA_UNROLL_
  for (int k = 0; k < together; k++) {
    if (k >= shells) continue;
    const typename convk_cuda_gaussian_type_<T>::shell &shell = a.shells[shell0 + (size_t)k];
    const size_t q0 = shell.column - a.shells[shell0].column;
    const T *matrix = a.matrix + shell.matrix;
    T values[MOST ? 1 : 15][KINDS];
    auto each = [&](int q, const T *value) {
      CONVK_CUDA_UNROLL_
      for (int kind = 0; kind < KINDS; kind++) {
        if (!MOST) values[MOST ? 0 : q][kind] = value[kind];
        CONVK_CUDA_UNROLL_
        for (int o = 0; o < MOST; o++)
          sum[kind][o < most ? o : 0] =
              convk_cuda_fma_(c[q0 + (size_t)q][o < most ? o : 0], value[kind], sum[kind][o < most ? o : 0]);
      }
    };
    auto rows = [&](int monomials) {
      for (size_t f = 0; f < shell.functions && !MOST; f++) CONVK_CUDA_UNROLL_
      for (int kind = 0; kind < KINDS; kind++) {
        T w = 0;
        CONVK_CUDA_UNROLL_
        for (int q = 0; q < monomials; q++)
          w = convk_cuda_fma_(matrix[f * (size_t)monomials + (size_t)q], values[MOST ? 0 : q][kind], w);
        if (inside) a.out[kind][(shell.function + f) * a.ld + i] = convk_cuda_gaussian_settled_(w, a.inverse, a.least);
      }
    };
    switch (shell.l) {
      case 0: convk_cuda_shell_<0, KINDS>(v, s, radial[k], each), rows(1); break;
      case 1: convk_cuda_shell_<1, KINDS>(v, s, radial[k], each), rows(3); break;
      case 2: convk_cuda_shell_<2, KINDS>(v, s, radial[k], each), rows(6); break;
      case 3: convk_cuda_shell_<3, KINDS>(v, s, radial[k], each), rows(10); break;
      default: convk_cuda_shell_<4, KINDS>(v, s, radial[k], each), rows(15); break;
    }
  }
}

/* Blocks of a multiprocessor, at least; 0: as the compiler likes.  From sm_100 on ptxas spills without such a number: it says
   how many registers a thread may have. */
#define CONVK_CUDA_ORBITALS_BLOCKS_(T, KINDS, MOST) \
  ((MOST) == 0 ? (KINDS) > 1 ? 16 / (int)sizeof(T) : 0 : CONVK_CUDA_ARCH_ >= 1000 ? sizeof(T) == 8 ? 3 : 6 : 0)

/* A thread takes a point and up to MOST orbitals (all of them, one lot after another, for a DENSITY), or with MOST = 0 the
   functions themselves.  Groups of shells with the same exponentials come through shared memory: exponents and factors, then
   coefficients of all their monomials. */
template <class T, int KINDS, int MOST, int DENSITY>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, CONVK_CUDA_ORBITALS_BLOCKS_(T, KINDS, MOST))
    convk_cuda_orbitals_(const convk_cuda_orbitals_args_<T> a) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_, strip = CONVK_CUDA_ORBITALS_PRIMITIVES_, most = MOST ? MOST : 1;
  const int parts = KINDS > 1 ? 3 : 1, together = CONVK_GAUSSIAN_SHELLS_; /* radial functions of a shell, shells of a group */
  __shared__ convk_cuda_exponent_<T> exponent[strip];
  __shared__ T factor[strip][parts * together];
  __shared__ __align__(16) T c[CONVK_CUDA_ORBITALS_COLUMNS_][most];
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t lot = convk_cuda_divide_(task, a.tiles), i = (task - lot * a.tiles) * (size_t)threads + threadIdx.x;
    const size_t point = i < a.points.n ? i : a.points.n - 1;
    const int inside = i < a.points.n;
    T density = 0;
    for (size_t o0 = lot * (size_t)most; o0 < (MOST ? a.norbitals : lot + 1); o0 += DENSITY ? (size_t)most : a.norbitals + 1) {
      const int orbitals = convk_cuda_least_(a.norbitals - o0, most);
      const T *factors = a.radial;
      T v[3] = {0, 0, 0}, s = 0, lost, sum[KINDS][most];
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < KINDS * most; k++) sum[k / most][k % most] = 0;
      for (size_t g = 0; g < a.ngroups; g++) {
        const int shells = (int)a.groups[g].shells;
        const size_t primitives = a.groups[g].primitives, shell0 = a.groups[g].shell;
        T radial[together][parts];
        int any;
        if (a.groups[g].moved) {
          convk_cuda_points_<T> p = a.points;
          CONVK_CUDA_UNROLL_
          for (int k = 0; k < 6; k++) p.center[k] = a.groups[g].center[k];
          s = convk_cuda_distance_(p, point, 0, v, &lost);
        }
        any = convk_cuda_radials_<T, parts>(a, g, s, factors, exponent, factor, radial);
        if (MOST) {
          const typename convk_cuda_gaussian_type_<T>::shell &last = a.shells[shell0 + (size_t)shells - 1];
          const size_t column0 = a.shells[shell0].column, columns = last.column + last.columns - column0;
          convk_cuda_columns_<most>(a, column0, (int)columns, o0, orbitals, c);
          if (!CONVK_CUDA_ANY_(any)) {
            factors += 3 * (size_t)shells * primitives;
            continue;
          }
        }
        convk_cuda_gaussian_group_<KINDS, MOST, parts, T>(a, shell0, shells, v, s, radial, c, i, inside, sum);
        factors += 3 * (size_t)shells * primitives;
      }
      CONVK_CUDA_UNROLL_
      for (int o = 0; o < MOST; o++) CONVK_CUDA_UNROLL_
      for (int kind = 0; kind < KINDS; kind++) {
        const T value = convk_cuda_gaussian_settled_(sum[kind][o < most ? o : 0], a.inverse, a.least);
        if (!inside || o >= orbitals) continue;
        if (DENSITY) density = convk_cuda_gaussian_add_square_(a.weights[o0 + (size_t)o], value, density);
        else a.out[kind][(o0 + (size_t)o) * a.ld + i] = value;
      }
    }
    if (DENSITY && inside) a.out[0][i] = density;
  }
}

/* Orbitals of a thread, whose sums stay in registers: 5 x 4 with derivatives, else 8 or 16. */
CONVK_LOCAL_ size_t convk_cuda_orbitals_most_(size_t kinds, size_t norbitals) { return kinds > 1 ? 4 : norbitals > 8 ? 16 : 8; }

/* Which kernel a call starts; given: with coefficients. */
template <class T> using convk_cuda_orbitals_kernel_ = void (*)(const convk_cuda_orbitals_args_<T>);

template <class T>
static convk_cuda_orbitals_kernel_<T> convk_cuda_orbitals_of_(size_t kinds, int density, int given, size_t most) {
  if (density) return most > 8 ? convk_cuda_orbitals_<T, 1, 16, 1> : convk_cuda_orbitals_<T, 1, 8, 1>;
  if (kinds > 1) return given ? convk_cuda_orbitals_<T, 5, 4, 0> : convk_cuda_orbitals_<T, 5, 0, 0>;
  if (!given) return convk_cuda_orbitals_<T, 1, 0, 0>;
  return most > 8 ? convk_cuda_orbitals_<T, 1, 16, 0> : convk_cuda_orbitals_<T, 1, 8, 0>;
}

/* ---- Gaussians on grids ---- */

/* Choices: 16 threads along x, so that the two lines of a warp share what they read of shared memory; a thread's tile is as
   large as registers allow, since its sums are what the multiply-add peak needs: see tests/bench/audit. */
enum {
  CONVK_CUDA_GRIDS_ACROSS_ = 16,
  CONVK_CUDA_GRIDS_LINES_ = CONVK_CUDA_GAUSSIAN_THREADS_ / CONVK_CUDA_GRIDS_ACROSS_,
  CONVK_CUDA_GRIDS_QUEUE_ = 16, /* tables in shared memory at a time */
  CONVK_CUDA_GRIDS_LOOK_ = 64   /* of which it has what they are: 4 times as many, as that takes four reads in turn */
};

template <class T> struct convk_cuda_grids_args_ {
  convk_grids_arguments_<T> of;
  unsigned char *work;
  T *out[5];
  size_t count,
      tasks; /* of the kernels that make tables: parts of a line, of those that make orbitals: of a place; of all: blocks */
};

/* Bytes from the host, as arguments: nothing else of it is needed. */
enum { CONVK_CUDA_PUT_WORDS_ = 448 }; /* of 4 KB that arguments may take */
struct convk_cuda_put_args_ {
  uint64_t *to;
  uint64_t count, words[CONVK_CUDA_PUT_WORDS_];
};
static __global__ void convk_cuda_put_words_(const convk_cuda_put_args_ a) {
  for (unsigned i = threadIdx.x; i < a.count; i += blockDim.x) a.to[i] = a.words[i];
}

/* Tables of a group along an axis, a thread for a point: sums over images of the center.  KINDS 2: with phases. */
template <class T, int KINDS>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_tables_(const convk_cuda_grids_args_<T> a) {
  const double most = (double)CONVK_GREATEST_ / 4;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t line = convk_cuda_divide_(task, a.count);
    const convk_grids_axis_there_ &axis = ((const convk_grids_axis_there_ *)(const void *)(a.work + a.of.axes))[line];
    const size_t at = (task - line * a.count) * CONVK_CUDA_GAUSSIAN_THREADS_ + threadIdx.x;
    const uint64_t i = axis.low + at;
    T *const to = (T *)(void *)(a.work + a.of.values) + axis.table + at;
    const int phased = KINDS == 2 && axis.size;
    T row[KINDS][CONVK_SHELL_MAX_L + 1], size = 0;
    if (at >= axis.count) continue;
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < KINDS * (CONVK_SHELL_MAX_L + 1); k++) row[k % KINDS][k / KINDS] = 0;
    for (double image = axis.image; image <= axis.last; image += 1) {
      double lo, u, rest, square;
      uint64_t low, end;
      T s, e;
      const double hi = convk_cuda_grids_image_(axis.start, axis.lost, image, axis.period, &lo);
      convk_cuda_grids_range_(hi, axis.step, axis.radius, axis.n, &low, &end);
      if (i < low || i >= end) continue;
      square = convk_cuda_grids_square_of_(hi, lo, axis.step, (double)i, most, &u, &rest);
      s = (T)square;
      e = convk_cuda_gaussian_((T)axis.a, (T)axis.b, (T)axis.top, s,
                               (T)convk_cuda_add_(convk_cuda_add_(square, -(double)s), rest), a.of.cut, 1);
      if (phased) {
        double cosine, sine;
        convk_cuda_grids_phase_(axis.turn, axis.turn_lo, image, &cosine, &sine);
        convk_cuda_bloch_rows_of_((int)axis.rows - 1, u, e, cosine, sine, row[0], row[KINDS == 2 ? 1 : 0]);
        size = convk_cuda_add_(size, e);
        continue;
      }
      CONVK_CUDA_UNROLL_
      for (int kind = 0; kind < (KINDS == 2 ? 1 : KINDS); kind++)
        convk_cuda_grids_rows_of_(kind, (int)axis.rows - 1, axis.exponent, u, e, row[kind]);
    }
    if (phased) to[axis.size] = size;
    CONVK_CUDA_UNROLL_
    for (int kind = 0; kind < KINDS; kind++) CONVK_CUDA_UNROLL_
    for (int k = 0; k <= CONVK_SHELL_MAX_L; k++)
      if ((uint64_t)k < axis.rows && (KINDS != 2 || !kind || phased))
        to[((uint64_t)kind * axis.rows + (uint64_t)k) * axis.count] = row[kind][k];
  }
}

/* The largest exponential of each tile of an axis of a group: a thread for a tile. */
template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_most_(const convk_cuda_grids_args_<T> a) {
  T *const values = (T *)(void *)(a.work + a.of.values);
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t line = convk_cuda_divide_(task, a.count);
    const convk_grids_axis_there_ &axis = ((const convk_grids_axis_there_ *)(const void *)(a.work + a.of.axes))[line];
    const size_t tile = (task - line * a.count) * CONVK_CUDA_GAUSSIAN_THREADS_ + threadIdx.x;
    uint64_t i = tile * axis.tile, end = i + axis.tile;
    T most = 0;
    if (tile >= axis.tiles) continue;
    if (i < axis.low) i = axis.low;
    if (end > axis.low + axis.count) end = axis.low + axis.count;
    for (; i < end; i++) most = convk_cuda_max_(most, values[axis.table + axis.size + (i - axis.low)]);
    values[axis.most + tile] = most;
  }
}

/* The tables of groups that are alive in a tile, in order: a block for a tile. */
template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_GAUSSIAN_THREADS_)
    convk_cuda_grids_lists_(const convk_cuda_grids_args_<T> a) {
  const unsigned threads = CONVK_CUDA_GAUSSIAN_THREADS_, item = threadIdx.x;
  __shared__ unsigned counts[CONVK_CUDA_GAUSSIAN_THREADS_];
  const T *const values = (const T *)(const void *)(a.work + a.of.values);
  for (size_t tile = blockIdx.x; tile < a.tasks; tile += gridDim.x) {
    const size_t line = convk_cuda_divide_(tile, a.of.tiles[0]), x = tile - line * a.of.tiles[0];
    const size_t z = convk_cuda_divide_(line, a.of.tiles[1]), y = line - z * a.of.tiles[1];
    uint32_t *const list = (uint32_t *)(void *)(a.work + a.of.lists) + tile * a.of.ntables;
    unsigned all = 0;
    for (size_t g0 = 0; g0 < a.of.groups; g0 += threads) {
      const size_t g = g0 + item < a.of.groups ? g0 + item : a.of.groups - 1;
      const convk_grids_axis_there_ *const axis = (const convk_grids_axis_there_ *)(const void *)(a.work + a.of.axes) + 3 * g;
      const T ez = convk_cuda_mul_(values[axis[2].most + z], values[axis[0].most + x]);
      const int alive = g0 + item < a.of.groups && convk_cuda_mul_(values[axis[1].most + y], ez) >= a.of.cut;
      unsigned before = 0;
      __syncthreads();
      counts[item] = alive ? (unsigned)axis->rows : 0;
      __syncthreads();
      for (unsigned k = 0; k < item; k++) before += counts[k];
      for (unsigned k = 0; alive && k < axis->rows; k++) list[all + before + k] = (uint32_t)axis->first + k;
      for (unsigned k = 0; k < threads; k++) all += counts[k];
    }
    if (item == 0) ((uint32_t *)(void *)(a.work + a.of.counts))[tile] = all;
  }
}

/* What a block makes: in which plane and tile, of a lot, from which point, row and orbital on, and how many. */
struct convk_cuda_grids_place_ {
  uint64_t tile[3], at[3], list, orbital; /* at: the first point and row, and the plane */
  int nx, ny, orbitals;
  const convk_grids_lot_there_ *lot;
};

/* Tables in shared memory: their part along x, their terms summed along z, and the weights that rows give them.  A thread makes
   ROWS rows of an orbital (ABREAST 1) or a row of as many orbitals (ABREAST is ROWS), whose weights lie side by side, at a
   multiple of 16 bytes. */
template <class T, int EACH, int ROWS, int ABREAST> struct __align__(16) convk_cuda_grids_room_ {
  enum {
    width = CONVK_CUDA_GRIDS_ACROSS_ * EACH,
    pack = 16 / (int)sizeof(T),
    pitch = (ROWS + pack - 1) / pack * pack,
    each = ROWS / ABREAST, /* rows of a thread, and of a block */
    rows = CONVK_CUDA_GRIDS_LINES_ * each,
    powers = CONVK_SHELL_MAX_L + 1,
    lanes = ABREAST > 1 ? 8 : 1 /* threads that make sums of a table */
  };
  T panel[CONVK_CUDA_GRIDS_QUEUE_][width], weights[CONVK_CUDA_GRIDS_QUEUE_][CONVK_CUDA_GRIDS_LINES_ * pitch];
  T v[CONVK_CUDA_GRIDS_QUEUE_][powers * ABREAST], w[CONVK_CUDA_GRIDS_QUEUE_][powers * ABREAST];
  T ez[CONVK_CUDA_GRIDS_LOOK_];
  convk_grids_near_ table[CONVK_CUDA_GRIDS_LOOK_];
};

/* Where task `task` is: parts of tiles along x, kinds of results, lots; then parts along y, planes.  0: nothing is there. */
template <class T>
static __device__ __forceinline__ int convk_cuda_grids_place_of_(const convk_grids_arguments_<T> &of, size_t task, int width,
                                                                  unsigned char *work, unsigned *kind,
                                                                  convk_cuda_grids_place_ *place) {
  const size_t groups = of.strips_x * of.kinds * of.nlots, line = convk_cuda_divide_(task, groups),
               group = task - line * groups;
  const size_t rest = convk_cuda_divide_(group, of.strips_x), strip = group - rest * of.strips_x;
  const size_t above = convk_cuda_divide_(line, of.strips_y), part = line - above * of.strips_y;
  const size_t each_x = convk_cuda_divide_(of.strips_x, of.tiles[0]), each_y = convk_cuda_divide_(of.strips_y, of.tiles[1]);
  const size_t lot = convk_cuda_divide_(rest, of.kinds);
  size_t end;
  *kind = (unsigned)(rest - lot * of.kinds);
  place->lot = (const convk_grids_lot_there_ *)(const void *)(work + of.lots) + lot;
  place->at[2] = of.first_plane + above;
  place->tile[0] = convk_cuda_divide_(strip, each_x);
  place->tile[1] = convk_cuda_divide_(part, each_y);
  place->tile[2] = convk_cuda_divide_(place->at[2], of.tile[2]);
  place->list = (place->tile[2] * of.tiles[1] + place->tile[1]) * of.tiles[0] + place->tile[0];
  place->at[0] = place->tile[0] * of.tile[0] + (strip - place->tile[0] * each_x) * (size_t)width;
  place->at[1] = place->tile[1] * of.tile[1] + (part - place->tile[1] * each_y) * of.rows_y;
  end = (place->tile[0] + 1) * of.tile[0] < of.n[0] ? (place->tile[0] + 1) * of.tile[0] : of.n[0];
  if (place->at[0] >= end) return 0;
  place->nx = convk_cuda_least_(end - place->at[0], width);
  end = (place->tile[1] + 1) * of.tile[1] < of.n[1] ? (place->tile[1] + 1) * of.tile[1] : of.n[1];
  if (place->at[1] >= end) return 0;
  place->ny = convk_cuda_least_(end - place->at[1], (int)of.rows_y);
  return 1;
}

/* What up to LOOK tables of the place are, from q0 on. */
template <class T, int EACH, int ROWS, int ABREAST>
static __device__ __forceinline__ void
convk_cuda_grids_look_up_(const convk_grids_arguments_<T> &of, const unsigned char *work,
                           const convk_cuda_grids_place_ &place, size_t q0, int some, int weight, int along,
                           convk_cuda_grids_room_<T, EACH, ROWS, ABREAST> &room) {
  const int item = (int)threadIdx.x;
  const T *const values = (const T *)(const void *)(work + of.values);
  __syncthreads();
  if (item < some) {
    const uint32_t *const list = (const uint32_t *)(const void *)(work + of.lists) + place.list * of.ntables;
    const size_t number = of.listed ? list[q0 + (size_t)item] : place.lot->first + q0 + (size_t)item;
    convk_grids_near_ e;
    T ez;
    convk_cuda_grids_look_((const convk_grids_table_there_ *)(const void *)(work + of.tables) + number,
                            (const convk_grids_axis_there_ *)(const void *)(work + of.axes), values, place.tile, place.at,
                            place.nx, place.ny, of.cut, weight, along, &e, &ez);
    room.table[item] = e;
    room.ez[item] = ez;
  }
}

/* Weights of `some` tables, of which `table` and ez tell: sums along z, which serve all rows, then those along y.  WAVE: of
   Bloch sums. */
template <class T, int EACH, int ROWS, int ABREAST, int WAVE>
static __device__ __forceinline__ void
convk_cuda_grids_weigh_(const convk_grids_arguments_<T> &of, const convk_cuda_grids_place_ &place, const T *values,
                         const T *terms, int some, int weight, const convk_grids_near_ *table, const T *ez,
                         convk_cuda_grids_room_<T, EACH, ROWS, ABREAST> &room) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_, item = (int)threadIdx.x, both = WAVE || weight == 3;
  for (int k = item; k < some * room.lanes; k += threads) {
    const int i = k % room.lanes, q = k / room.lanes;
    const convk_grids_near_ &e = table[q];
    const T *const own = terms + ((place.orbital + (uint64_t)i) * place.lot->apart + e.terms);
    if (!e.alive || i >= ABREAST) continue;
    CONVK_CUDA_UNROLL_
    for (int b = 0; b < room.powers; b++) {
      T v = 0, w = 0;
      if (b > e.degree) break;
      if (i < place.orbitals) convk_cuda_grids_along_z_(&e, values, own, WAVE ? of.imag : 0, b, &v, &w);
      room.v[q][b * ABREAST + i] = v;
      if (both) room.w[q][b * ABREAST + i] = w;
    }
  }
  __syncthreads();
  for (int k = item; k < some * room.rows; k += threads) {
    const int q = k / room.rows, row = k % room.rows;
    const convk_grids_near_ &e = table[q];
    T sum[ABREAST];
    if (!e.alive) continue;
    CONVK_CUDA_UNROLL_
    for (int i = 0; i < ABREAST; i++) sum[i] = 0;
    if (row < place.ny && convk_cuda_grids_counts_(&e, values, row, ez[q], of.cut)) {
      CONVK_CUDA_UNROLL_
      for (int b = 0; b < room.powers; b++) {
        if (b > e.degree) break;
        CONVK_CUDA_UNROLL_
        for (int i = 0; i < ABREAST; i++) {
          const T v = room.v[q][b * ABREAST + i], w = both ? room.w[q][b * ABREAST + i] : (T)0;
          if (WAVE) convk_cuda_bloch_add_row_(&e, values, row, b, v, w, weight, &sum[i]);
          else convk_cuda_grids_add_row_(&e, values, row, b, v, w, &sum[i]);
        }
      }
    }
    CONVK_CUDA_UNROLL_
    for (int i = 0; i < ABREAST; i++)
      room.weights[q][row / room.each * room.pitch + row % room.each + i] = WAVE && weight == 6 ? -sum[i] : sum[i];
  }
}

/* What shared memory has of up to QUEUE tables. */
template <class T, int EACH, int ROWS, int ABREAST, int WAVE>
static __device__ __forceinline__ void convk_cuda_grids_fill_(const convk_grids_arguments_<T> &of, const unsigned char *work,
                                                               const convk_cuda_grids_place_ &place, const T *terms, int some,
                                                               int weight, const convk_grids_near_ *table, const T *ez,
                                                               convk_cuda_grids_room_<T, EACH, ROWS, ABREAST> &room) {
  const int across = CONVK_CUDA_GRIDS_ACROSS_, lines = CONVK_CUDA_GRIDS_LINES_, x = (int)threadIdx.x % across;
  const T *const values = (const T *)(const void *)(work + of.values);
  __syncthreads();
  CONVK_CUDA_UNROLL_BY_(2)
  for (int q = (int)threadIdx.x / across; q < some; q += lines) {
    const convk_grids_near_ &e = table[q];
    const int begin = e.x_begin - x, end = e.x_end - x;
    const T *const from = values + (e.x + (uint64_t)x);
    if (!e.alive) continue;
    CONVK_CUDA_UNROLL_
    for (int u = 0; u < EACH; u++)
      room.panel[q][x + u * across] = u * across >= begin && u * across < end ? from[u * across] : (T)0;
  }
  convk_cuda_grids_weigh_<T, EACH, ROWS, ABREAST, WAVE>(of, place, values, terms, some, weight, table, ez, room);
  __syncthreads();
}

/* Adds all tables of the place to sums of a thread.  terms: of the lot; weight, along: see convk_grids_look_. */
template <class T, int EACH, int ROWS, int ABREAST, int WAVE>
static __device__ __forceinline__ void
convk_cuda_grids_product_(const convk_grids_arguments_<T> &of, const unsigned char *work,
                           const convk_cuda_grids_place_ &place, const T *terms, int weight, int along,
                           convk_cuda_grids_room_<T, EACH, ROWS, ABREAST> &room, T (*sum)[EACH]) {
  const int across = CONVK_CUDA_GRIDS_ACROSS_, lx = (int)threadIdx.x % across, ly = (int)threadIdx.x / across;
  const int queue = CONVK_CUDA_GRIDS_QUEUE_, look = CONVK_CUDA_GRIDS_LOOK_;
  const size_t count = of.listed ? ((const uint32_t *)(const void *)(work + of.counts))[place.list] : (size_t)place.lot->count;
  for (size_t q0 = 0; q0 < count; q0 += queue) {
    const int some = convk_cuda_least_(count - q0, queue), from = (int)(q0 % look);
    const convk_grids_near_ *const table = room.table + from;
    if (from == 0) convk_cuda_grids_look_up_(of, work, place, q0, convk_cuda_least_(count - q0, look), weight, along, room);
    convk_cuda_grids_fill_<T, EACH, ROWS, ABREAST, WAVE>(of, work, place, terms, some, weight, table, room.ez + from, room);
    CONVK_CUDA_UNROLL_BY_(1)
    for (int q = 0; q < some; q++) {
      T v[EACH], w[ROWS];
      if (!table[q].alive) continue;
      CONVK_CUDA_UNROLL_
      for (int u = 0; u < EACH; u++) v[u] = room.panel[q][lx + u * across];
      CONVK_CUDA_UNROLL_
      for (int p = 0; p + room.pack <= ROWS; p += room.pack) convk_cuda_get_(w + p, &room.weights[q][ly * room.pitch + p]);
      CONVK_CUDA_UNROLL_
      for (int p = ROWS / room.pack * room.pack; p < ROWS; p++) w[p] = room.weights[q][ly * room.pitch + p];
      CONVK_CUDA_UNROLL_
      for (int p = 0; p < ROWS; p++) CONVK_CUDA_UNROLL_
      for (int u = 0; u < EACH; u++) sum[p][u] = convk_cuda_fma_(w[p], v[u], sum[p][u]);
    }
  }
}

/* Sums of a thread go to rows of a result, whose numbers are APART from each other. */
template <class T, int EACH, int ROWS, int ABREAST, int APART>
static __device__ __forceinline__ void convk_cuda_grids_store_(const convk_grids_arguments_<T> &of,
                                                                const convk_cuda_grids_place_ &place, const T (*sum)[EACH],
                                                                T *out) {
  const int across = CONVK_CUDA_GRIDS_ACROSS_, lx = (int)threadIdx.x % across, ly = (int)threadIdx.x / across;
  out += APART * ((place.at[2] - of.first_plane) * of.pitch_z + place.at[0] + (uint64_t)lx);
  CONVK_CUDA_UNROLL_
  for (int p = 0; p < ROWS; p++) {
    const int o = p % ABREAST, row = ly * (ROWS / ABREAST) + p / ABREAST;
    T *const to =
        out + APART * ((place.lot->row + place.orbital + (uint64_t)o) * of.ld + (place.at[1] + (uint64_t)row) * of.pitch_y);
    CONVK_CUDA_UNROLL_
    for (int u = 0; u < EACH; u++)
      if (row < place.ny && o < place.orbitals && lx + u * across < place.nx) to[APART * u * across] = sum[p][u];
  }
}

template <class T, int EACH, int ROWS> static __device__ __forceinline__ void convk_cuda_grids_clear_(T (*sum)[EACH]) {
  CONVK_CUDA_UNROLL_
  for (int i = 0; i < ROWS * EACH; i++) sum[i / EACH][i % EACH] = 0;
}

/* Blocks of a multiprocessor are named, as else ptxas holds some of these kernels to so few registers that it spills a few. */

/* Where block `task` is, of `parts` of a place with different orbitals; 0: nothing is there. */
template <class T>
static __device__ __forceinline__ int convk_cuda_grids_part_of_(const convk_cuda_grids_args_<T> &a, size_t task, int width,
                                                                 int abreast, unsigned *kind, convk_cuda_grids_place_ *place) {
  const size_t group = convk_cuda_divide_(task, a.count);
  place->orbital = (task - group * a.count) * (size_t)abreast;
  if (!convk_cuda_grids_place_of_(a.of, group, width, a.work, kind, place) || place->orbital >= place->lot->rows) return 0;
  place->orbitals = convk_cuda_least_(place->lot->rows - place->orbital, abreast);
  return 1;
}

/* Results on a grid: a block makes points along x of rows of ABREAST orbitals of a lot. */
template <class T, int EACH, int ROWS, int ABREAST>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, sizeof(T) == 4 ? 4
                                                                        : EACH > 5     ? 2
                                                                                       : 3)
    convk_cuda_ongrid_(const convk_cuda_grids_args_<T> a) {
  __shared__ convk_cuda_grids_room_<T, EACH, ROWS, ABREAST> room;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    convk_cuda_grids_place_ place;
    unsigned kind;
    if (!convk_cuda_grids_part_of_(a, task, room.width, ABREAST, &kind, &place)) continue; /* all threads */
    const T *const terms = (const T *)(const void *)(a.work + a.of.terms) + place.lot->terms;
    T sum[ROWS][EACH];
    convk_cuda_grids_clear_<T, EACH, ROWS>(sum);
    CONVK_CUDA_UNROLL_BY_(1)
    for (unsigned half = 0; half < (kind == 4 ? 2u : 1u); half++) /* of a Laplacian that of x, then those of y and z */
      convk_cuda_grids_product_<T, EACH, ROWS, ABREAST, 0>(a.of, a.work, place, terms,
                                                            kind == 4  ? 3 * (int)half
                                                            : kind > 1 ? (int)kind - 1
                                                                       : 0,
                                                            kind == 4 ? 2 - 2 * (int)half : kind == 1, room, sum);
    convk_cuda_grids_store_<T, EACH, ROWS, ABREAST, 1>(a.of, place, sum,
                                                        kind == 0   ? a.out[0]
                                                        : kind == 1 ? a.out[1]
                                                        : kind == 2 ? a.out[2]
                                                        : kind == 3 ? a.out[3]
                                                                    : a.out[4]);
  }
}

/* Sums of orbitals o, o + 1, ... become their densities, in this order. */
template <class T, int EACH, int ROWS, int ABREAST>
static __device__ __forceinline__ void convk_cuda_grids_square_(const T *weights, int orbitals, const T (*sum)[EACH],
                                                                 T (*total)[EACH]) {
  CONVK_CUDA_UNROLL_
  for (int p = 0; p < ROWS; p++) {
    if (p % ABREAST >= orbitals) continue;
    CONVK_CUDA_UNROLL_
    for (int u = 0; u < EACH; u++)
      total[p / ABREAST][u] = convk_cuda_gaussian_add_square_(weights[p % ABREAST], sum[p][u], total[p / ABREAST][u]);
  }
}

/* A density on a grid, in registers over all orbitals, ABREAST at a time. */
template <class T, int EACH, int ROWS, int ABREAST>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, sizeof(T) == 4                        ? 4
                                                                        : (ROWS + ROWS / ABREAST) * EACH > 40 ? 2
                                                                                                              : 3)
    convk_cuda_grids_density_(const convk_cuda_grids_args_<T> a) {
  __shared__ convk_cuda_grids_room_<T, EACH, ROWS, ABREAST> room;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    convk_cuda_grids_place_ place;
    unsigned kind;
    T total[ROWS / ABREAST][EACH];
    if (!convk_cuda_grids_place_of_(a.of, task, room.width, a.work, &kind, &place)) continue; /* all threads */
    convk_cuda_grids_clear_<T, EACH, ROWS / ABREAST>(total);
    for (place.orbital = 0; place.orbital < a.of.norbitals; place.orbital += ABREAST) {
      T sum[ROWS][EACH];
      place.orbitals = convk_cuda_least_(a.of.norbitals - place.orbital, ABREAST);
      convk_cuda_grids_clear_<T, EACH, ROWS>(sum);
      convk_cuda_grids_product_<T, EACH, ROWS, ABREAST, 0>(a.of, a.work, place, (const T *)(const void *)(a.work + a.of.terms),
                                                            0, 0, room, sum);
      convk_cuda_grids_square_<T, EACH, ROWS, ABREAST>((const T *)(const void *)(a.work + a.of.weights) + place.orbital,
                                                        place.orbitals, sum, total);
    }
    place.orbital = 0;
    place.orbitals = 1;
    convk_cuda_grids_store_<T, EACH, ROWS / ABREAST, 1, 1>(a.of, place, total, a.out[0]);
  }
}

/* The same with what derivatives give, an orbital after the other. */
template <class T, int EACH, int ROWS>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, 2 + (sizeof(T) == 4))
    convk_cuda_grids_slopes_(const convk_cuda_grids_args_<T> a) {
  __shared__ convk_cuda_grids_room_<T, EACH, ROWS, 1> room;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    convk_cuda_grids_place_ place;
    unsigned kind;
    T total[5][ROWS][EACH];
    if (!convk_cuda_grids_place_of_(a.of, task, room.width, a.work, &kind, &place)) continue; /* all threads */
    place.orbitals = 1;
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < 5; k++) convk_cuda_grids_clear_<T, EACH, ROWS>(total[k]);
    for (place.orbital = 0; place.orbital < a.of.norbitals; place.orbital++) {
      const T weight = ((const T *)(const void *)(a.work + a.of.weights))[place.orbital];
      T value[ROWS][EACH], squares[ROWS][EACH];
      CONVK_CUDA_UNROLL_BY_(1)
      for (int d = 0; d < 4; d++) { /* itself, then its slopes */
        T sum[ROWS][EACH];
        convk_cuda_grids_clear_<T, EACH, ROWS>(sum);
        convk_cuda_grids_product_<T, EACH, ROWS, 1, 0>(a.of, a.work, place, (const T *)(const void *)(a.work + a.of.terms),
                                                        d > 1 ? d - 1 : 0, d == 1, room, sum);
        CONVK_CUDA_UNROLL_
        for (int i = 0; i < ROWS * EACH; i++) {
          const int p = i / EACH, u = i % EACH;
          if (d == 0) {
            total[0][p][u] = convk_cuda_gaussian_add_square_(weight, sum[p][u], total[0][p][u]);
            value[p][u] = sum[p][u];
            squares[p][u] = 0;
          } else {
            const T twice = convk_cuda_mul_(convk_cuda_add_(weight, weight), convk_cuda_gaussian_large_(value[p][u]));
            T slope = total[1][p][u];
            if (d == 2) slope = total[2][p][u];
            if (d == 3) slope = total[3][p][u];
            convk_cuda_grids_add_slope_(twice, sum[p][u], &slope, &squares[p][u]);
            if (d == 1) total[1][p][u] = slope;
            else if (d == 2) total[2][p][u] = slope;
            else total[3][p][u] = slope;
          }
        }
      }
      CONVK_CUDA_UNROLL_
      for (int i = 0; i < ROWS * EACH; i++) {
        T &tau = total[4][i / EACH][i % EACH];
        tau = convk_cuda_fma_(convk_cuda_mul_((T)0.5, weight), squares[i / EACH][i % EACH], tau);
      }
    }
    place.orbital = 0;
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < 5; k++)
      if (a.of.wanted >> k & 1) convk_cuda_grids_store_<T, EACH, ROWS, 1, 1>(a.of, place, total[k], a.out[k]);
  }
}

/* The real or (part 1) the imaginary part of Bloch sums: over real parts of tables along x, then over imaginary ones. */
template <class T, int EACH, int ROWS>
static __device__ __forceinline__ void
convk_cuda_bloch_product_(const convk_grids_arguments_<T> &of, const unsigned char *work,
                           const convk_cuda_grids_place_ &place, const T *terms, int part,
                           convk_cuda_grids_room_<T, EACH, ROWS, 1> &room, T (*sum)[EACH]) {
  CONVK_CUDA_UNROLL_BY_(1)
  for (int along = 0; along < (of.wave & 2 ? 2 : 1); along++)
    if (part == along || of.wave & 4) /* of weights the real part, or there are imaginary ones */
      convk_cuda_grids_product_<T, EACH, ROWS, 1, 1>(of, work, place, terms,
                                                      part == along ? 4
                                                      : along       ? 6
                                                                    : 5,
                                                      along, room, sum);
}

/* Bloch sums on a grid: real parts and imaginary ones are two kinds of results. */
template <class T, int EACH, int ROWS>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, sizeof(T) == 4 ? 4 : 3)
    convk_cuda_onwave_(const convk_cuda_grids_args_<T> a) {
  __shared__ convk_cuda_grids_room_<T, EACH, ROWS, 1> room;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    convk_cuda_grids_place_ place;
    unsigned kind;
    if (!convk_cuda_grids_part_of_(a, task, room.width, 1, &kind, &place)) continue; /* all threads */
    const T *const terms = (const T *)(const void *)(a.work + a.of.terms) + place.lot->terms;
    T sum[ROWS][EACH];
    convk_cuda_grids_clear_<T, EACH, ROWS>(sum);
    convk_cuda_bloch_product_<T, EACH, ROWS>(a.of, a.work, place, terms, (int)kind, room, sum);
    convk_cuda_grids_store_<T, EACH, ROWS, 1, 2>(a.of, place, sum, a.out[0] + kind);
  }
}

/* What stands in the rows of a density. */
template <class T, int EACH, int ROWS>
static __device__ __forceinline__ void convk_cuda_bloch_load_(const convk_grids_arguments_<T> &of,
                                                               const convk_cuda_grids_place_ &place, const T *from,
                                                               T (*sum)[EACH]) {
  const int across = CONVK_CUDA_GRIDS_ACROSS_, lx = (int)threadIdx.x % across, ly = (int)threadIdx.x / across;
  from += (place.at[2] - of.first_plane) * of.pitch_z + place.at[0] + (uint64_t)lx;
  CONVK_CUDA_UNROLL_
  for (int i = 0; i < ROWS * EACH; i++) {
    const int c = ly * ROWS + i / EACH, x = i % EACH * across;
    if (c < place.ny && lx + x < place.nx)
      sum[i / EACH][i % EACH] = from[(place.at[1] + (uint64_t)c) * of.pitch_y + (uint64_t)x];
  }
}

/* Their density, sums in registers over all orbitals. */
template <class T, int EACH, int ROWS>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, sizeof(T) == 4 ? 4 : 3)
    convk_cuda_bloch_density_(const convk_cuda_grids_args_<T> a) {
  __shared__ convk_cuda_grids_room_<T, EACH, ROWS, 1> room;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    convk_cuda_grids_place_ place;
    unsigned kind;
    T total[ROWS][EACH];
    if (!convk_cuda_grids_place_of_(a.of, task, room.width, a.work, &kind, &place)) continue; /* all threads */
    place.orbitals = 1;
    convk_cuda_grids_clear_<T, EACH, ROWS>(total);
    if (a.of.wave & 8) convk_cuda_bloch_load_<T, EACH, ROWS>(a.of, place, a.out[0], total);
    for (place.orbital = 0; place.orbital < a.of.norbitals; place.orbital++) {
      CONVK_CUDA_UNROLL_BY_(1)
      for (int part = 0; part < 2; part++) {
        T sum[ROWS][EACH];
        convk_cuda_grids_clear_<T, EACH, ROWS>(sum);
        convk_cuda_bloch_product_<T, EACH, ROWS>(a.of, a.work, place, (const T *)(const void *)(a.work + a.of.terms), part,
                                                  room, sum);
        convk_cuda_grids_square_<T, EACH, ROWS, 1>((const T *)(const void *)(a.work + a.of.weights) + place.orbital, 1, sum,
                                                    total);
      }
    }
    place.orbital = 0;
    convk_cuda_grids_store_<T, EACH, ROWS, 1, 1>(a.of, place, total, a.out[0]);
  }
}

/* ---- general cells: a thread makes a point, of WIDE orbitals; images come through shared memory ---- */

template <class T> struct convk_cuda_cells_room_ {
  double at[CONVK_CUDA_GAUSSIAN_THREADS_][6];                                    /* see convk_cells_moved_ */
  uint64_t own[CONVK_CUDA_GAUSSIAN_THREADS_], end[CONVK_CUDA_GAUSSIAN_THREADS_]; /* images of groups, and all up to them */
  T phase[CONVK_CUDA_GAUSSIAN_THREADS_][2];
  int alive[CONVK_CUDA_GAUSSIAN_THREADS_]; /* the number of its group among those in `own`, or -1 */
};

/* Where a block is: its first point and row, its plane, how many points and rows there are; the block's first point and the
   thread's from the first one of the box. */
struct convk_cuda_cells_place_ {
  uint64_t first[3];
  int nx, ny;
  double from[3], hi[3], lo[3];
};

template <class T>
static __device__ __forceinline__ void convk_cuda_cells_place_of_(const convk_cuda_grids_args_<T> &a, size_t task,
                                                                   convk_cuda_cells_place_ *place) {
  const int across = CONVK_CUDA_GRIDS_ACROSS_, x = (int)threadIdx.x % across, y = (int)threadIdx.x / across;
  const convk_cells_there_ *const cell = (const convk_cells_there_ *)(const void *)(a.work + a.of.cell);
  const size_t line = convk_cuda_divide_(task, a.of.strips_x), plane = convk_cuda_divide_(line, a.of.strips_y);
  double lost[3];
  place->first[0] = (task - line * a.of.strips_x) * (size_t)across;
  place->first[1] = (line - plane * a.of.strips_y) * (size_t)CONVK_CUDA_GRIDS_LINES_;
  place->first[2] = a.of.first_plane + plane;
  place->nx = convk_cuda_least_(a.of.n[0] - place->first[0], across);
  place->ny = convk_cuda_least_(a.of.n[1] - place->first[1], CONVK_CUDA_GRIDS_LINES_);
  convk_cuda_cells_point_(cell, (double)place->first[0], (double)place->first[1], (double)place->first[2], place->from, lost);
  convk_cuda_cells_point_(cell, (double)(place->first[0] + (uint64_t)x), (double)(place->first[1] + (uint64_t)y),
                           (double)place->first[2], place->hi, place->lo);
}

/* Images of groups from g0 on, a thread for each group: how many may count in the block, if orbitals of its block have any of
   the group. */
template <class T>
static __device__ __forceinline__ void convk_cuda_cells_count_(const convk_cuda_grids_args_<T> &a,
                                                                const convk_cuda_cells_place_ &place, size_t block, size_t g0,
                                                                convk_cuda_cells_room_<T> &room) {
  const size_t g = g0 + threadIdx.x;
  const convk_cells_there_ *const cell = (const convk_cells_there_ *)(const void *)(a.work + a.of.cell);
  uint64_t end = 0;
  room.own[threadIdx.x] = 0;
  if (g < a.of.groups && a.work[a.of.used + block * a.of.groups + g]) {
    convk_cells_reach_there_ reach;
    convk_cuda_cells_reach_of_(cell, (const convk_cells_group_there_ *)(const void *)(a.work + a.of.axes) + g, place.from,
                                place.nx, place.ny, &reach);
    room.own[threadIdx.x] = reach.count[0] * reach.count[1] * reach.count[2];
  }
  __syncthreads();
  for (unsigned i = 0; i <= threadIdx.x; i++) end += room.own[i];
  room.end[threadIdx.x] = end;
  __syncthreads();
}

/* Number q of these images: a thread looks at it. */
template <class T, int WAVE>
static __device__ __forceinline__ void convk_cuda_cells_look_(const convk_cuda_grids_args_<T> &a,
                                                               const convk_cuda_cells_place_ &place, size_t g0, uint64_t q,
                                                               convk_cuda_cells_room_<T> &room) {
  const int item = (int)threadIdx.x;
  const convk_cells_there_ *const cell = (const convk_cells_there_ *)(const void *)(a.work + a.of.cell);
  const convk_cells_group_there_ *group = (const convk_cells_group_there_ *)(const void *)(a.work + a.of.axes) + g0;
  convk_cells_reach_there_ reach;
  double n[3], at[6], cosine = 1, sine = 0;
  int low = 0, high = CONVK_CUDA_GAUSSIAN_THREADS_ - 1;
  room.alive[item] = -1;
  if (q >= room.end[high]) return;
  while (low < high) { /* the first group that ends behind q */
    const int middle = (low + high) / 2;
    if (room.end[middle] > q) high = middle;
    else low = middle + 1;
  }
  group += low;
  convk_cuda_cells_reach_of_(cell, group, place.from, place.nx, place.ny, &reach);
  if (!convk_cuda_cells_number_(cell, &reach, q - (room.end[low] - room.own[low]), n)) return;
  convk_cuda_cells_moved_(cell, group, n, at);
  for (int d = 0; d < 6; d++) room.at[item][d] = at[d];
  if (WAVE) convk_cuda_cells_phase_there_(cell, n, &cosine, &sine);
  room.phase[item][0] = (T)cosine;
  room.phase[item][1] = (T)sine;
  room.alive[item] = low;
}

/* Sums of a block of orbitals over all groups and images, in their order. */
template <class T, int KINDS, int WIDE>
static __device__ __forceinline__ void convk_cuda_cells_sum_(const convk_cuda_grids_args_<T> &a,
                                                              const convk_cuda_cells_place_ &place, size_t block,
                                                              convk_cuda_cells_room_<T> &room, T *sum) {
  const int threads = CONVK_CUDA_GAUSSIAN_THREADS_;
  const T *const terms = (const T *)(const void *)(a.work + a.of.terms) + block * a.of.ntables * WIDE;
  CONVK_CUDA_UNROLL_
  for (int i = 0; i < KINDS * WIDE; i++) sum[i] = 0;
  for (size_t g0 = 0; g0 < a.of.groups; g0 += threads) {
    const convk_cells_group_there_ *const group = (const convk_cells_group_there_ *)(const void *)(a.work + a.of.axes) + g0;
    convk_cuda_cells_count_(a, place, block, g0, room);
    const uint64_t all = room.end[threads - 1];
    for (uint64_t q0 = 0; q0 < all; q0 += threads) {
      const int some = convk_cuda_least_(all - q0, threads);
      convk_cuda_cells_look_<T, KINDS == 2>(a, place, g0, q0 + threadIdx.x, room);
      __syncthreads();
      CONVK_CUDA_UNROLL_BY_(1)
      for (int q = 0; q < some; q++)
        if (room.alive[q] >= 0)
          convk_cuda_cells_image_of_there_(KINDS, WIDE, group + room.alive[q], terms, a.of.imag, a.of.cut, place.hi, place.lo,
                                            room.at[q], room.phase[q][0], room.phase[q][1], sum);
      __syncthreads();
    }
  }
}

/* Results on a grid of a general cell: a block makes points of rows of a plane, of WIDE orbitals or of a density. */
template <class T, int KINDS, int WIDE, int DENSITY>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_GAUSSIAN_THREADS_, (sizeof(T) == 4 ? 4 : 3) - (KINDS == 5))
    convk_cuda_oncell_(const convk_cuda_grids_args_<T> a) {
  __shared__ convk_cuda_cells_room_<T> room;
  const int x = (int)threadIdx.x % CONVK_CUDA_GRIDS_ACROSS_, y = (int)threadIdx.x / CONVK_CUDA_GRIDS_ACROSS_;
  for (size_t task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const size_t o = convk_cuda_divide_(task, a.count); /* the block of orbitals */
    convk_cuda_cells_place_ place;
    T sum[KINDS * WIDE], total[5] = {0, 0, 0, 0, 0};
    convk_cuda_cells_place_of_(a, task - o * a.count, &place);
    const int inside = x < place.nx && y < place.ny;
    const size_t at = (size_t)((place.first[2] - a.of.first_plane) * a.of.pitch_z +
                               (place.first[1] + (uint64_t)y) * a.of.pitch_y + place.first[0] + (uint64_t)x);
    if (DENSITY) {
      const T *const weights = (const T *)(const void *)(a.work + a.of.weights);
      if (inside && a.of.wave & 8) total[0] = a.out[0][at];
      for (size_t block = 0; block * WIDE < a.of.norbitals; block++) {
        convk_cuda_cells_sum_<T, KINDS, WIDE>(a, place, block, room, sum);
        convk_cuda_cells_density_of_(KINDS, WIDE, weights + block * WIDE, a.of.norbitals - block * WIDE, sum, total);
      }
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < (KINDS == 5 ? 5 : 1); k++)
        if (inside && a.of.wanted >> k & 1) a.out[k][at] = total[k];
      continue;
    }
    convk_cuda_cells_sum_<T, KINDS, WIDE>(a, place, o, room, sum);
    CONVK_CUDA_UNROLL_
    for (int i = 0; i < WIDE; i++) {
      const size_t row = o * WIDE + (size_t)i;
      if (!inside || row >= a.of.norbitals) continue;
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < KINDS; k++) {
        if (KINDS == 2) a.out[0][2 * (row * a.of.ld + at) + (size_t)k] = sum[k * WIDE + i];
        else a.out[k][row * a.of.ld + at] = sum[k * WIDE + i];
      }
    }
  }
}

/* Which kernel a call starts, with how many points and rows of a thread. */
template <class T> using convk_cuda_grids_kernel_ = void (*)(const convk_cuda_grids_args_<T>);

template <class T, int EACH> static convk_cuda_grids_kernel_<T> convk_cuda_grids_rows_(int density, size_t abreast) {
  if (density)
    return abreast == 1   ? convk_cuda_grids_density_<T, EACH, 3, 1>
           : abreast == 8 ? convk_cuda_grids_density_<T, EACH, 8, 8>
                          : convk_cuda_grids_density_<T, EACH, 6, 6>;
  return abreast == 1   ? convk_cuda_ongrid_<T, EACH, 6, 1>
         : abreast == 8 ? convk_cuda_ongrid_<T, EACH, 8, 8>
                        : convk_cuda_ongrid_<T, EACH, 6, 6>;
}
template <class T> static convk_cuda_grids_kernel_<T> convk_cuda_grids_of_(int density, size_t each, size_t abreast) {
  if (density > 1) return convk_cuda_grids_slopes_<T, 3, 2>;
  if (each == 4) return convk_cuda_grids_rows_<T, 4>(density, abreast);
  return each == 5 ? convk_cuda_grids_rows_<T, 5>(density, abreast) : convk_cuda_grids_rows_<T, 6>(density, abreast);
}

/* Of general cells, by kinds of sums and orbitals of a block, of which there is one or as many as convk_cells_wide_ tells. */
template <class T> static convk_cuda_grids_kernel_<T> convk_cuda_cells_of_(unsigned kinds, unsigned wide, int density) {
  if (kinds == 1 && wide == 1) return density ? convk_cuda_oncell_<T, 1, 1, 1> : convk_cuda_oncell_<T, 1, 1, 0>;
  if (kinds == 1) return density ? convk_cuda_oncell_<T, 1, 8, 1> : convk_cuda_oncell_<T, 1, 8, 0>;
  if (kinds == 2 && wide == 1) return density ? convk_cuda_oncell_<T, 2, 1, 1> : convk_cuda_oncell_<T, 2, 1, 0>;
  if (kinds == 2) return density ? convk_cuda_oncell_<T, 2, 4, 1> : convk_cuda_oncell_<T, 2, 4, 0>;
  if (wide == 1) return density ? convk_cuda_oncell_<T, 5, 1, 1> : convk_cuda_oncell_<T, 5, 1, 0>;
  return density ? convk_cuda_oncell_<T, 5, 4, 1> : convk_cuda_oncell_<T, 5, 4, 0>;
}

/* Of Bloch sums: of 4 rows, of a density 3. */
template <class T> static convk_cuda_grids_kernel_<T> convk_cuda_bloch_of_(int density, size_t each) {
  if (density)
    return each == 4   ? convk_cuda_bloch_density_<T, 4, 3>
           : each == 5 ? convk_cuda_bloch_density_<T, 5, 3>
                       : convk_cuda_bloch_density_<T, 6, 3>;
  return each == 4 ? convk_cuda_onwave_<T, 4, 4> : each == 5 ? convk_cuda_onwave_<T, 5, 4> : convk_cuda_onwave_<T, 6, 4>;
}

/* Rows of results that have their tables in common, at most; blocks make some of them. */
CONVK_LOCAL_ size_t convk_cuda_grids_lot_(size_t rows, size_t groups) {
  const size_t most = 24; /* of which 6 and 8 are factors */
  (void)groups;
  return rows < most ? rows : most;
}

/* How a tile is cut: points of a thread, orbitals abreast, parts of the tile along both axes. */
struct convk_cuda_grids_cut_ {
  size_t each, abreast, parts_x, parts_y;
};

/* A tile of x points and y rows. orbitals: those whose sums run over the same tables; 3 and more go side by side, as their
   rows share what a weight needs along y; 6 or 8 at a time, so that fewest are idle. wave: of Bloch sums. */
CONVK_LOCAL_ convk_cuda_grids_cut_ convk_cuda_grids_cut_of_(int density, int wave, size_t x, size_t y, size_t orbitals) {
  static const size_t rows[2][3] = {{6, 3, 2}, {4, 3, 0}}; /* of a thread with one orbital */
  const size_t across = CONVK_CUDA_GRIDS_ACROSS_, lines = CONVK_CUDA_GRIDS_LINES_;
  convk_cuda_grids_cut_ cut = {density > 1 ? 3u : 4u, 1, 1, 1};
  while (density < 2 && cut.each < 6 && across * cut.each < x) cut.each++;
  if (!wave && density < 2 && orbitals > 2) cut.abreast = (orbitals + 5) / 6 * 6 < (orbitals + 7) / 8 * 8 ? 6 : 8;
  cut.parts_x = (x + across * cut.each - 1) / (across * cut.each);
  cut.parts_y =
      cut.abreast > 1 ? (y + lines - 1) / lines : (y + lines * rows[wave][density] - 1) / (lines * rows[wave][density]);
  return cut;
}
#endif
