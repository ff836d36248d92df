enum {
  CONVK_CUDA_FORMFACTOR_THREADS_ = 128,
  CONVK_CUDA_FORMFACTOR_TILE_ = 32, /* triangles that a warp has in shared memory */
  CONVK_CUDA_FORMFACTOR_FIELDS_ = 12
};

/* How the work is cut: estimates. */
#ifndef CONVK_CUDA_FORMFACTOR_PARTIAL_
#define CONVK_CUDA_FORMFACTOR_PARTIAL_ ((size_t)1 << 25) /* bytes of a list's partial sums that are made before they are added up */
#endif
#ifndef CONVK_CUDA_FORMFACTOR_TABLES_
#define CONVK_CUDA_FORMFACTOR_TABLES_ \
  ((size_t)1 << 27) /* of a grid's phases, and twice those of its sums: a launch that ends evenly */
#endif
#ifndef CONVK_CUDA_FORMFACTOR_ENOUGH_
#define CONVK_CUDA_FORMFACTOR_ENOUGH_ ((size_t)1024) /* tiles that fill a device alone: 4 on each of 128 multiprocessors, twice */
#endif

/* Vector i of q: x, y, z, and the imaginary parts of z, x and y, whose arrays may be NULL. */
template <class T>
static __device__ __forceinline__ void convk_cuda_formfactor_vector_(const T *const from[6], size_t i, double q[6]) {
  CONVK_CUDA_UNROLL_
  for (int d = 0; d < 6; d++) q[d] = d < 3 || from[d] ? (double)from[d][i] : 0;
}

template <class T> struct convk_cuda_formfactor_prepare_args_ {
  const T *q[6];
  T *given; /* what form_given makes of them: arrays of nq; and then the order that each needs */
  size_t nq;
  int order; /* of all, or CONVK_FORMFACTOR_FITTED_ */
  convk_formfactor_body_ body;
};

template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_prepare_(const convk_cuda_formfactor_prepare_args_<T> a) {
  for (size_t i = blockIdx.x * (size_t)CONVK_CUDA_FORMFACTOR_THREADS_ + threadIdx.x; i < a.nq;
       i += gridDim.x * (size_t)CONVK_CUDA_FORMFACTOR_THREADS_) {
    double q[6], norm;
    T given[CONVK_FORMFACTOR_GIVEN_];
    convk_cuda_formfactor_vector_(a.q, i, q);
    convk_cuda_formfactor_given_(q, given, &norm);
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < CONVK_FORMFACTOR_GIVEN_; k++) a.given[(size_t)k * a.nq + i] = given[k];
    T order = (T)a.order;
    if (a.order == CONVK_FORMFACTOR_FITTED_) convk_cuda_formfactor_order_(&a.body, norm, &order);
    a.given[CONVK_FORMFACTOR_GIVEN_ * a.nq + i] = order;
  }
}

template <class T> struct convk_cuda_formfactor_total_args_ {
  const T *q[6];
  convk_formfactor_body_ body;
  const T *partial; /* of segment s: nq real parts at 2 s nq, then nq imaginary parts */
  double *sums;     /* of the segments before; `fresh`: there were none */
  T *f;             /* NULL: not yet */
  size_t nq, segments;
  int fresh;
};

/* Adds the sums of segments one after another; the last call makes F of them. */
template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_total_(const convk_cuda_formfactor_total_args_<T> a) {
  for (size_t i = blockIdx.x * (size_t)CONVK_CUDA_FORMFACTOR_THREADS_ + threadIdx.x; i < a.nq;
       i += gridDim.x * (size_t)CONVK_CUDA_FORMFACTOR_THREADS_) {
    const double re = convk_cuda_total_of_(a.partial + i, 2 * a.nq, a.segments, a.fresh ? 0 : a.sums[i]);
    const double im = convk_cuda_total_of_(a.partial + a.nq + i, 2 * a.nq, a.segments, a.fresh ? 0 : a.sums[a.nq + i]);
    if (a.f) {
      double q[6], norm;
      T given[CONVK_FORMFACTOR_GIVEN_];
      convk_cuda_formfactor_vector_(a.q, i, q);
      convk_cuda_formfactor_given_(q, given, &norm);
      convk_cuda_formfactor_list_value_(&a.body, q, norm, re, im, a.f + 2 * i);
    } else {
      a.sums[i] = re;
      a.sums[a.nq + i] = im;
    }
  }
}

/* ---- a list of q ---- */

template <class T> struct convk_cuda_formfactor_list_args_ {
  const T *mesh[CONVK_CUDA_FORMFACTOR_FIELDS_];
  size_t n, nq, tiles, tasks;
  const T *given;
  T *partial;
};

/* A warp takes a segment of triangles for 32 V vectors of q.  Its lanes bring 32 triangles at a time to shared memory, the next
   ones during the arithmetic, and each reads all of them for its own q; as in convk.h, whose comments say what is summed. */
template <class T, int V, int IMAG, int ORDER>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_FORMFACTOR_THREADS_, IMAG &&ORDER < 0 && CONVK_CUDA_ARCH_ >= 1000 ? 2 : 0)
    convk_cuda_formfactor_list_(const convk_cuda_formfactor_list_args_<T> a) {
  const int tile = CONVK_CUDA_FORMFACTOR_TILE_, warps = CONVK_CUDA_FORMFACTOR_THREADS_ / 32, fields = ORDER ? 12 : 6;
  const int ahead = ORDER || IMAG ? 4 : 8; /* triangles of one turn of the loop */
  __shared__ __align__(16) T shared[warps * fields * tile];
  const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
  T(*const m)[tile] = (T(*)[tile])(shared + warp * fields * tile);
  for (size_t task = blockIdx.x * (size_t)warps + (size_t)warp; task < a.tasks; task += gridDim.x * (size_t)warps) {
    const size_t segment = convk_cuda_divide_(task, a.tiles), q0 = (task - segment * a.tiles) * (32 * V) + (size_t)lane;
    const size_t begin = segment * CONVK_FORMFACTOR_TRIANGLES_, left = a.n - begin;
    const size_t end = begin + (left < CONVK_FORMFACTOR_TRIANGLES_ ? left : CONVK_FORMFACTOR_TRIANGLES_);
    T given[V][CONVK_FORMFACTOR_GIVEN_], re[V], im[V], re_z[V], im_z[V], next[fields];
    int order[V];
    CONVK_CUDA_UNROLL_
    for (int v = 0; v < V; v++) {
      const size_t i = q0 + (size_t)(32 * v) < a.nq ? q0 + (size_t)(32 * v) : a.nq - 1;
      CONVK_CUDA_UNROLL_
      for (int d = 0; d < CONVK_FORMFACTOR_GIVEN_; d++)
        given[v][d] = d < 6 || (IMAG && (ORDER || d == 6)) ? a.given[(size_t)d * a.nq + i] : (T)0;
      order[v] = ORDER == CONVK_FORMFACTOR_FITTED_ ? (int)a.given[CONVK_FORMFACTOR_GIVEN_ * a.nq + i] : ORDER;
      re[v] = im[v] = re_z[v] = im_z[v] = 0;
    }
    auto load = [&](size_t from) { /* triangles without area beyond the end */
                                   CONVK_CUDA_UNROLL_
                                   for (int k = 0; k < fields; k++)
                                     next[k] = from + (size_t)lane < end ? a.mesh[k][from + (size_t)lane] : (T)0;
    };
    load(begin);
    for (size_t t = begin; t < end; t += (size_t)tile) {
      const int count = (convk_cuda_least_(end - t, tile) + ahead - 1) / ahead * ahead;
      CONVK_CUDA_WARP_SYNC_();
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < fields; k++) m[k][lane] = next[k];
      CONVK_CUDA_WARP_SYNC_();
      load(t + (size_t)tile);
      for (int j0 = 0; j0 < count; j0 += ahead) CONVK_CUDA_UNROLL_
      for (int j = j0; j < j0 + ahead; j++) CONVK_CUDA_UNROLL_
      for (int v = 0; v < V; v++) {
        const T area[3] = {m[0][j], m[1][j], m[2][j]}, at[3] = {m[3][j], m[4][j], m[5][j]};
        const int k = ORDER ? 6 : 0, l = ORDER ? 9 : 0;
        const T u[3] = {m[k][j], m[k + 1][j], m[k + 2][j]}, w[3] = {m[l][j], m[l + 1][j], m[l + 2][j]};
        convk_cuda_formfactor_triangle_(ORDER != 0, order[v], given[v], area, at, u, w, IMAG, &re[v], &im[v], &re_z[v], &im_z[v]);
      }
    }
    CONVK_CUDA_UNROLL_
    for (int v = 0; v < V; v++)
      if (q0 + (size_t)(32 * v) < a.nq) {
        if (IMAG) {
          const T along_z = a.given[7 * a.nq + q0 + (size_t)(32 * v)];
          re[v] = convk_cuda_fma_(-along_z, re_z[v], re[v]);
          im[v] = convk_cuda_fma_(along_z, im_z[v], im[v]);
        }
        a.partial[2 * segment * a.nq + q0 + (size_t)(32 * v)] = re[v];
        a.partial[(2 * segment + 1) * a.nq + q0 + (size_t)(32 * v)] = im[v];
      }
  }
}

/* ---- a tensor grid of q ---- */

enum {
  CONVK_CUDA_FORMFACTOR_GRID_THREADS_ = 64,
  CONVK_CUDA_FORMFACTOR_LANES_ = 64, /* of a tile, on the axis that convk.h gives to lanes; or twice as many */
  CONVK_CUDA_FORMFACTOR_Q_ = 2048,   /* lanes times rows of a tile, rows being pairs of values on the two other axes */
  CONVK_CUDA_FORMFACTOR_SIDE_ = 12,  /* room for the numbers of a triangle: area and corners, by the axes of the grid */
  CONVK_CUDA_FORMFACTOR_RANGE_ = (int)CONVK_FORMFACTOR_RANGE_
};

template <class T> struct convk_cuda_formfactor_phase_args_ {
  convk_formfactor_axes_ axes;
  const T *q[4];                        /* on the axes, and the imaginary parts of z or NULL */
  const T *area[3], *at[3], *corner[6]; /* corners: with fourth order */
  /* Tables for the matrix product, in which `room` triangles have places.  phase: for each tile of lanes and each triangle the
     real parts of E, then the imaginary parts; row: for each value on the axis and each triangle both parts of E - 1; side:
     CONVK_CUDA_FORMFACTOR_SIDE_ numbers of each triangle. */
  T *phase, *row[2], *side;
  T *moment;                                      /* 6 n[0] for each block */
  size_t n, room, lanes, pitch, blocks, parts[3]; /* triangles; lanes of a tile, and of all tiles; blocks; parts of each axis */
};

/* A thread takes one value on an axis and one block of triangles; those of lanes also sum up moments.  Triangles are filled up
   to whole blocks by some without area, lanes by the last. */
template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_phase_(const convk_cuda_formfactor_phase_args_<T> a) {
  enum { PAIRS = 8 / sizeof(T) }; /* of numbers, in 16 bytes */
  const size_t parts = a.parts[0] + a.parts[1] + a.parts[2];
  for (size_t task = blockIdx.x; task < parts * a.blocks; task += gridDim.x) {
    const size_t block = convk_cuda_divide_(task, parts), part = task - block * parts;
    const int d = part < a.parts[0] ? 0 : part < a.parts[0] + a.parts[1] ? 1 : 2;
    const size_t first = d == 0 ? 0 : d == 1 ? a.parts[0] : a.parts[0] + a.parts[1];
    const size_t i = (part - first) * CONVK_CUDA_FORMFACTOR_THREADS_ + threadIdx.x, n = a.axes.n[d], own = i < n ? i : n - 1;
    const int damped = d == a.axes.z;
    if (!part && threadIdx.x < CONVK_FORMFACTOR_BLOCK_) {
      const size_t t = block * CONVK_FORMFACTOR_BLOCK_ + threadIdx.x;
      T *const side = a.side + CONVK_CUDA_FORMFACTOR_SIDE_ * t;
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < 3; k++) side[k] = t < a.n ? a.area[k][t] : (T)0;
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < 6; k++) side[3 + k] = t < a.n && a.corner[k] ? a.corner[k][t] : (T)0;
      CONVK_CUDA_UNROLL_
      for (int k = 9; k < CONVK_CUDA_FORMFACTOR_SIDE_; k++) side[k] = 0; /* read by whole vectors, and dropped */
    }
    if (i >= (d ? n : a.pitch)) continue;
    const size_t tile = convk_cuda_divide_(i, a.lanes);
    T *const to = d ? a.row[d - 1] + 2 * a.room * i : a.phase + 2 * a.lanes * a.room * tile + (i - tile * a.lanes);
    T turns, decay, re[3] = {0, 0, 0}, im[3] = {0, 0, 0};
    convk_cuda_formfactor_rate_((double)a.q[d][own], damped ? (double)a.q[3][own] : 0, &turns, &decay);
    for (size_t t0 = block * CONVK_FORMFACTOR_BLOCK_; t0 < (block + 1) * CONVK_FORMFACTOR_BLOCK_; t0 += PAIRS) {
      T made[2 * PAIRS];
      CONVK_CUDA_UNROLL_
      for (int u = 0; u < PAIRS; u++) {
        const size_t t = t0 + (size_t)u;
        const T at = t < a.n ? a.at[d][t] : (T)0;
        T s, c, p, b;
        convk_cuda_formfactor_half_turn_(convk_cuda_formfactor_product_left_(turns, at), &s, &c);
        convk_cuda_formfactor_damp_(damped, damped ? convk_cuda_formfactor_half_loss_(convk_cuda_mul_(decay, at)) : (T)0, s, c, &p, &b);
        made[2 * u] = convk_cuda_sub_(d ? (T)0 : (T)1, convk_cuda_add_(p, p));
        made[2 * u + 1] = convk_cuda_add_(b, b);
        if (d || t >= a.n) continue;
        CONVK_CUDA_UNROLL_
        for (int k = 0; k < 3; k++) {
          const T area = a.area[k][t];
          re[k] = convk_cuda_fma_(area, p, re[k]);
          im[k] = convk_cuda_fma_(area, b, im[k]);
        }
      }
      if (d) {
        convk_cuda_put_(to + 2 * t0, made);
        continue;
      }
      CONVK_CUDA_UNROLL_
      for (int u = 0; u < 2 * PAIRS; u++) to[(2 * t0 + (size_t)u) * a.lanes] = made[u];
    }
    if (d || i >= n) continue;
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < 3; k++) {
      a.moment[(6 * block + 2 * (size_t)k) * n + i] = re[k];
      a.moment[(6 * block + 2 * (size_t)k + 1) * n + i] = im[k];
    }
  }
}

template <class T> struct convk_cuda_formfactor_moment_args_ {
  const T *moment;
  double *sums;
  size_t n, blocks;
  int fresh;
};

/* Adds the moments of blocks to those before; n of them. */
template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_moment_(const convk_cuda_formfactor_moment_args_<T> a) {
  for (size_t i = blockIdx.x * (size_t)CONVK_CUDA_FORMFACTOR_THREADS_ + threadIdx.x; i < a.n;
       i += gridDim.x * (size_t)CONVK_CUDA_FORMFACTOR_THREADS_)
    a.sums[i] = convk_cuda_total_of_(a.moment + i, a.n, a.blocks, a.fresh ? 0 : a.sums[i]);
}

template <class T> struct convk_cuda_formfactor_grid_args_ {
  convk_formfactor_axes_ axes;
  const T *q[4];                  /* on the axes, and the imaginary parts of z or NULL */
  const T *phase, *row[2], *side; /* as convk_cuda_formfactor_phase_ made them */
  T unit, per;                    /* of lengths on the lanes' axis, and its inverse */
  double *sums; /* of range r, at 2 nq r: nq real parts, nq imaginary parts; `direct`: of all, which more are added to */
  size_t n, room, tiles_x, tiles, ranges;
  int direct, fresh; /* fresh: nothing is there yet */
};

/* Bytes of a number for each of the triangles that are in shared memory at a time: as many as leave room for two blocks in the
   100 KB of small multiprocessors, but in wide tiles, where threads need so many to have one each. */
#define CONVK_CUDA_FORMFACTOR_STEP_(LANES, FOURTH) ((FOURTH) && (LANES) == CONVK_CUDA_FORMFACTOR_LANES_ ? 16 : 32)

/* Bytes of shared memory that convk_cuda_formfactor_grid_ asks for: sums of a tile, then phases and factors for two steps. */
static size_t convk_cuda_formfactor_grid_bytes_(size_t lanes, int fourth) {
  const size_t q = CONVK_CUDA_FORMFACTOR_Q_, step = CONVK_CUDA_FORMFACTOR_STEP_(lanes, fourth);
  return 2 * sizeof(double) * q + 4 * step * (lanes + (fourth ? 4 : 2) * (q / lanes));
}

/* How convk_cuda_formfactor_grid_ shares a tile of Q = 2048 values of q out to its 64 threads: each has ROWS = 4 rows by V = 8 lanes.
     LANES  rows   threads   thread (tx, ty) has
        64    32    8 x 8    f32: lanes 4 tx .. 4 tx + 3 and the same + 32; rows ty, ty + 8, ty + 16, ty + 24
       128    16   16 x 4    f32: the same, + 64; rows ty, ty + 4, ty + 8, ty + 12
   f64 has two lanes at four places.  Between the rows of a thread, and between every 16 bytes of its lanes, lie those of other
   threads: so neighbours read neighbouring banks. */
template <class TYPE, int TILE_LANES, int FOURTH> struct convk_cuda_formfactor_shape_ {
  typedef TYPE T;
  enum {
    LANES = TILE_LANES,
    WIDE = 16 / sizeof(T),  /* numbers that are moved at a time */
    COUNT = FOURTH ? 4 : 2, /* complex factors of E_lane */
    SIDE = FOURTH ? 9 : 3,  /* numbers of a triangle that they are made of */
    THREADS = CONVK_CUDA_FORMFACTOR_GRID_THREADS_,
    STEP = CONVK_CUDA_FORMFACTOR_STEP_(LANES, FOURTH) / sizeof(T), /* triangles in shared memory at a time */
    ALL = CONVK_CUDA_FORMFACTOR_Q_ / LANES,                        /* rows */
    MADE = STEP * ALL / THREADS,                             /* of a row, for so many triangles a thread makes the factors */
    PHASES = STEP * 2 * LANES,                               /* numbers of one step in shared memory */
    TERMS = STEP * 2 * COUNT * ALL,
    V = 8,
    ROWS = CONVK_CUDA_FORMFACTOR_Q_ / THREADS / V,
    MOST = sizeof(T) == 4 ? 4 : COUNT / 2, /* triangles of a turn of the product's loop: what registers have room for */
    PART = MOST < STEP ? MOST : STEP / 2
  };
};

/* What all threads know of the tile under way; registers have no room for it. */
template <class S> struct convk_cuda_formfactor_here_ {
  typename S::T lane_q[S::LANES];
  const typename S::T *lane_at; /* where the table of the lanes' phases begins */
  unsigned row_at[2][S::ALL];   /* each row's places on its two axes */
  size_t lane0, row0, task;
};

/* Begins a tile.  Rows and lanes beyond the last are the last again, and dropped. */
template <class S, class T>
static __device__ __forceinline__ void convk_cuda_formfactor_grid_begin_(const convk_cuda_formfactor_grid_args_<T> &a, size_t task,
                                                                   size_t tile, convk_cuda_formfactor_here_<S> *here) {
  const unsigned thread = threadIdx.x;
  const size_t tile_y = convk_cuda_divide_(tile, a.tiles_x), tile_x = tile - tile_y * a.tiles_x;
  const size_t lane0 = tile_x * (size_t)S::LANES, row0 = tile_y * (size_t)S::ALL;
  if (!thread) {
    here->lane_at = a.phase + tile_x * (2 * S::LANES) * a.room;
    here->lane0 = lane0;
    here->row0 = row0;
    here->task = task;
  }
  if (thread < S::ALL) {
    const size_t row = row0 + thread < a.axes.rows ? row0 + thread : a.axes.rows - 1;
    const size_t k = convk_cuda_divide_(row, a.axes.n[1]);
    here->row_at[0][thread] = (unsigned)(row - k * a.axes.n[1]);
    here->row_at[1][thread] = (unsigned)k;
  }
  for (unsigned i = thread; i < S::LANES; i += S::THREADS) {
    const size_t lane = lane0 + i;
    here->lane_q[i] = convk_cuda_mul_(a.q[0][lane < a.axes.n[0] ? lane : a.axes.n[0] - 1], a.unit);
  }
}

/* Brings the phases of the lanes to `phase`, for the triangles of a step from t on, and makes the factors of the rows in
   `term`: a thread those of one row for MADE triangles.  `term` is [triangle][16 bytes of factors][row]: with WIDE = 4 and two
   complex factors re0 im0 re1 im1 stand together, those of the next row beside them. */
template <class S, class T>
static __device__ __forceinline__ void convk_cuda_formfactor_grid_make_(const convk_cuda_formfactor_grid_args_<T> &a,
                                                                  const convk_cuda_formfactor_here_<S> &here, unsigned t, T *phase,
                                                                  T *term) {
  enum { WIDE = S::WIDE, COUNT = S::COUNT, ALL = S::ALL };
  const unsigned thread = threadIdx.x, mine = thread % ALL, part = thread / ALL * S::MADE; /* row, and first triangle */
  const T *const from = here.lane_at + (t * (2 * S::LANES) + thread * WIDE);
  const size_t j = here.row_at[0][mine], k = here.row_at[1][mine];
  const T *const first = a.row[0] + 2 * (j * a.room + t + part), *const second = a.row[1] + 2 * (k * a.room + t + part);
  const T *const side = a.side + CONVK_CUDA_FORMFACTOR_SIDE_ * (t + part);
  const T own[4] = {a.q[1][j], a.q[2][k], a.axes.z == 1 ? a.q[3][j] : (T)0, a.axes.z == 2 ? a.q[3][k] : (T)0};
  CONVK_CUDA_UNROLL_
  for (int p = 0; p < S::PHASES; p += S::THREADS * WIDE) convk_cuda_bring_(phase + p + thread * WIDE, from + p);
  CONVK_CUDA_UNROLL_
  for (int i = 0; i < S::MADE; i += WIDE / 2) {
    T e[WIDE], f[WIDE];
    convk_cuda_get_(e, first + 2 * i);
    convk_cuda_get_(f, second + 2 * i);
    CONVK_CUDA_UNROLL_
    for (int u = 0; u < WIDE / 2; u++) {
      T made[2 * COUNT], numbers[CONVK_CUDA_FORMFACTOR_SIDE_];
      CONVK_CUDA_UNROLL_
      for (int n = 0; n < S::SIDE; n += WIDE) convk_cuda_get_(numbers + n, side + CONVK_CUDA_FORMFACTOR_SIDE_ * (i + u) + n);
      convk_cuda_formfactor_terms_(own, own + 2, numbers, numbers + 3, a.per, e[2 * u], e[2 * u + 1], f[2 * u], f[2 * u + 1],
                             COUNT > 2, made);
      CONVK_CUDA_UNROLL_
      for (int n = 0; n < 2 * COUNT; n += WIDE)
        convk_cuda_put_(term + 2 * COUNT * ALL * part + mine * WIDE + (2 * COUNT * (i + u) + n) * ALL, made + n);
    }
  }
}

/* The matrix product of a tile for the triangles of a step: a thread's rows, by factors in `term`, times its lanes of E. */
template <class S, class T>
static __device__ __forceinline__ void convk_cuda_formfactor_product_(const T *lane_q, const T *phase, const T *term, T (*re)[S::V],
                                                                T (*im)[S::V]) {
  enum { WIDE = S::WIDE, COUNT = S::COUNT, ALL = S::ALL, LANES = S::LANES, V = S::V, ROWS = S::ROWS, PART = S::PART };
  T q[V];
  CONVK_CUDA_UNROLL_
  for (int v = 0; v < V; v += WIDE) convk_cuda_get_(q + v, lane_q + LANES / V * v);
  CONVK_CUDA_UNROLL_BY_(1)
  for (int s0 = 0; s0 < S::STEP; s0 += PART, phase += PART * 2 * LANES, term += PART * 2 * COUNT * ALL) CONVK_CUDA_UNROLL_
  for (int s = 0; s < PART; s++) {
    T er[V], ei[V];
    CONVK_CUDA_UNROLL_
    for (int v = 0; v < V; v += WIDE) {
      convk_cuda_get_(er + v, phase + 2 * s * LANES + LANES / V * v);
      convk_cuda_get_(ei + v, phase + (2 * s + 1) * LANES + LANES / V * v);
    }
    CONVK_CUDA_UNROLL_
    for (int r = 0; r < ROWS; r++) {
      T made[2 * COUNT];
      CONVK_CUDA_UNROLL_
      for (int n = 0; n < 2 * COUNT; n += WIDE)
        convk_cuda_get_(made + n, term + (2 * COUNT * s + n) * ALL + r * (ALL / ROWS) * WIDE);
      CONVK_CUDA_UNROLL_
      for (int v = 0; v < V; v++) convk_cuda_formfactor_multiply_(q[v], made, COUNT, er[v], ei[v], &re[r][v], &im[r][v]);
    }
  }
}

/* Adds a thread's sums of a block of triangles to its doubles, and sets them to 0; `fresh`: sets both to 0. */
template <class S, class T>
static __device__ __forceinline__ void convk_cuda_formfactor_grid_add_(double *sum, int fresh, T (*re)[S::V], T (*im)[S::V]) {
  CONVK_CUDA_UNROLL_
  for (int r = 0; r < S::ROWS; r++) CONVK_CUDA_UNROLL_
  for (int v = 0; v < S::V; v++) {
    double both[2] = {0, 0};
    if (!fresh) {
      convk_cuda_get_(both, sum + 2 * S::THREADS * (S::V * r + v));
      both[0] = convk_cuda_add_(both[0], (double)re[r][v]);
      both[1] = convk_cuda_add_(both[1], (double)im[r][v]);
    }
    convk_cuda_put_(sum + 2 * S::THREADS * (S::V * r + v), both);
    re[r][v] = im[r][v] = 0;
  }
}

/* Writes a thread's doubles, or adds them to what is there. */
template <class S, class T>
static __device__ __forceinline__ void convk_cuda_formfactor_grid_end_(const convk_cuda_formfactor_grid_args_<T> &a,
                                                                 const convk_cuda_formfactor_here_<S> &here, const double *sum,
                                                                 int add, double *to) {
  enum { WIDE = S::WIDE, V = S::V };
  const unsigned tx = threadIdx.x % (S::LANES / V), ty = threadIdx.x / (S::LANES / V);
  CONVK_CUDA_UNROLL_BY_(1)
  for (int r = 0; r < S::ROWS; r++) CONVK_CUDA_UNROLL_BY_(1)
  for (int v = 0; v < V; v++) {
    const size_t lane = here.lane0 + tx * WIDE + (size_t)(S::LANES / V * (v / WIDE * WIDE) + v % WIDE);
    const size_t row = here.row0 + ty + (size_t)(r * (S::ALL / S::ROWS)), at = row * a.axes.n[0] + lane;
    double both[2];
    if (row >= a.axes.rows || lane >= a.axes.n[0]) continue;
    convk_cuda_get_(both, sum + 2 * S::THREADS * (V * r + v));
    to[at] = add ? convk_cuda_add_(to[at], both[0]) : both[0];
    to[a.axes.nq + at] = add ? convk_cuda_add_(to[a.axes.nq + at], both[1]) : both[1];
  }
}

/* A tile of the grid for one range of triangles, or `direct` for all of them.  While the threads multiply the triangles of one
   step, phases and factors of the next come to the other half of shared memory:
     t:     begin - STEP     begin              begin + STEP       ...
     make   step 0           step 1             step 2
     sum                     product of step 0  product of step 1
   6 multiply-adds for each of a triangle and a q, with fourth order 10.  Blocks of triangles are summed in T, and these sums in
   doubles, which lie in shared memory, because they change only once in a block. */
template <class T, int LANES, int FOURTH>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_FORMFACTOR_GRID_THREADS_, 4)
    convk_cuda_formfactor_grid_(const convk_cuda_formfactor_grid_args_<T> a) {
  typedef convk_cuda_formfactor_shape_<T, LANES, FOURTH> S;
  enum { WIDE = S::WIDE, STEP = S::STEP, PHASES = S::PHASES, TERMS = S::TERMS };
  CONVK_CUDA_SHARED_(shared);
  __shared__ __align__(16) convk_cuda_formfactor_here_<S> here;
  double *const sum = (double *)shared + 2 * threadIdx.x; /* of a thread: every 2 THREADS of them */
  T *const phase = (T *)((double *)shared + 2 * CONVK_CUDA_FORMFACTOR_Q_), *const term = phase + 2 * PHASES;
  const unsigned tx = threadIdx.x % (LANES / S::V), ty = threadIdx.x / (LANES / S::V);
  const size_t tasks = a.direct ? a.tiles : a.tiles * a.ranges;
  for (size_t task = blockIdx.x; task < tasks; task = here.task + gridDim.x) {
    const size_t range0 = a.direct ? 0 : convk_cuda_divide_(task, a.tiles);
    __syncthreads();
    convk_cuda_formfactor_grid_begin_<S>(a, task, task - range0 * a.tiles, &here); /* read after the first barrier below */
    for (int begin = (int)range0 * CONVK_CUDA_FORMFACTOR_RANGE_, more = 1; more; begin += CONVK_CUDA_FORMFACTOR_RANGE_) {
      const int end = begin + convk_cuda_least_(a.n - (size_t)begin, CONVK_CUDA_FORMFACTOR_RANGE_);
      T re[S::ROWS][S::V], im[S::ROWS][S::V];
      convk_cuda_formfactor_grid_add_<S>(sum, 1, re, im);
      CONVK_CUDA_UNROLL_BY_(1)
      for (int t = begin - STEP; t < end; t += STEP) {
        const unsigned now = (unsigned)t / STEP % 2;
        convk_cuda_brought_();
        __syncthreads();
        if (t + STEP < end)
          convk_cuda_formfactor_grid_make_<S>(a, here, (unsigned)(t + STEP), phase + (now ^ 1) * PHASES, term + (now ^ 1) * TERMS);
        if (t < begin) continue;
        convk_cuda_formfactor_product_<S>(here.lane_q + tx * WIDE, phase + now * PHASES + tx * WIDE, term + now * TERMS + ty * WIDE,
                                    re, im);
        if ((t + STEP) % (int)CONVK_FORMFACTOR_BLOCK_ == 0 || t + STEP >= end) convk_cuda_formfactor_grid_add_<S>(sum, 0, re, im);
      }
      convk_cuda_formfactor_grid_end_<S>(a, here, sum, a.direct && (begin || !a.fresh),
                                   a.sums + (a.direct ? 0 : 2 * a.axes.nq * (size_t)(begin / CONVK_CUDA_FORMFACTOR_RANGE_)));
      more = a.direct && (size_t)begin + CONVK_CUDA_FORMFACTOR_RANGE_ < a.n;
    }
  }
}

template <class T> struct convk_cuda_formfactor_grid_total_args_ {
  convk_formfactor_axes_ axes;
  const T *q[4]; /* on the axes, and the imaginary parts of z or NULL */
  convk_formfactor_body_ body;
  const double *partial, *moment;
  double *sums;
  T *f; /* NULL: not yet */
  size_t ranges;
  int fresh;
};

/* Adds the sums of ranges one after another; the last call adds what the moments tell, and makes F. */
template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_grid_total_(const convk_cuda_formfactor_grid_total_args_<T> a) {
  for (size_t i = blockIdx.x * (size_t)CONVK_CUDA_FORMFACTOR_THREADS_ + threadIdx.x; i < a.axes.nq;
       i += gridDim.x * (size_t)CONVK_CUDA_FORMFACTOR_THREADS_) {
    double re = convk_cuda_total_of_(a.partial + i, 2 * a.axes.nq, a.ranges, a.fresh ? 0 : a.sums[i]);
    double im = convk_cuda_total_of_(a.partial + a.axes.nq + i, 2 * a.axes.nq, a.ranges, a.fresh ? 0 : a.sums[a.axes.nq + i]);
    if (!a.f) {
      a.sums[i] = re;
      a.sums[a.axes.nq + i] = im;
      continue;
    }
    const size_t row = convk_cuda_divide_(i, a.axes.n[0]), k = convk_cuda_divide_(row, a.axes.n[1]);
    const size_t at[3] = {i - row * a.axes.n[0], row - k * a.axes.n[1], k};
    double q[4], moment[6];
    CONVK_CUDA_UNROLL_
    for (int d = 0; d < 6; d++) moment[d] = a.moment[(size_t)d * a.axes.n[0] + at[0]];
    CONVK_CUDA_UNROLL_
    for (int d = 0; d < 3; d++) q[d] = (double)a.q[d][at[d]];
    q[3] = a.axes.z < 3 ? (double)a.q[3][a.axes.z == 1 ? at[1] : at[2]] : 0; /* z has no lanes then */
    convk_cuda_formfactor_grid_value_(&a.body, a.axes.axis, a.axes.z, q, moment, re, im,
                                a.f + 2 * (at[0] * a.axes.stride[0] + at[1] * a.axes.stride[1] + at[2] * a.axes.stride[2]));
  }
}
