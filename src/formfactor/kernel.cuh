
enum {
  CONVK_CUDA_FORM_THREADS_ = 128,
  CONVK_CUDA_FORM_TILE_ = 32, /* triangles that a warp has in shared memory */
  CONVK_CUDA_FORM_FIELDS_ = 12
};

/* Triangles of one copy to the device, the next of which come while they are worked on; bytes of partial sums that are made
   before they are added up, and of phases, which stay in a large L2 cache; tiles of a grid that fill a device alone. */
#ifndef CONVK_CUDA_FORM_CHUNK_
#define CONVK_CUDA_FORM_CHUNK_ ((size_t)1 << 17)
#endif
#ifndef CONVK_CUDA_FORM_PARTIAL_
#define CONVK_CUDA_FORM_PARTIAL_ ((size_t)1 << 25)
#endif
#ifndef CONVK_CUDA_FORM_TABLES_
#define CONVK_CUDA_FORM_TABLES_ ((size_t)1 << 25)
#endif
#ifndef CONVK_CUDA_FORM_ENOUGH_
#define CONVK_CUDA_FORM_ENOUGH_ ((size_t)1024)
#endif

/* Vector i of q: x, y, z, and the imaginary parts of z, x and y, whose arrays may be NULL. */
template <class T> static __device__ __forceinline__ void convk_cuda_form_vector_(const T *const from[6], size_t i, double q[6]) {
  CONVK_CUDA_UNROLL_
  for (int d = 0; d < 6; d++) q[d] = d < 3 || from[d] ? (double)from[d][i] : 0;
}

template <class T> struct convk_cuda_form_prepare_args_ {
  const T *q[6];
  T *given; /* what form_given makes of them: arrays of nq; and then the order that each needs */
  size_t nq;
  int order; /* of all, or CONVK_FORM_FITTED_ */
  convk_form_body_ body;
};

template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_FORM_THREADS_)
    convk_cuda_form_prepare_(const convk_cuda_form_prepare_args_<T> a) {
  for (size_t i = blockIdx.x * (size_t)CONVK_CUDA_FORM_THREADS_ + threadIdx.x; i < a.nq;
       i += gridDim.x * (size_t)CONVK_CUDA_FORM_THREADS_) {
    double q[6], norm;
    T given[CONVK_FORM_GIVEN_];
    convk_cuda_form_vector_(a.q, i, q);
    convk_cuda_form_given_(q, given, &norm);
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < CONVK_FORM_GIVEN_; k++) a.given[(size_t)k * a.nq + i] = given[k];
    T order = (T)a.order;
    if (a.order == CONVK_FORM_FITTED_) convk_cuda_form_order_(&a.body, norm, &order);
    a.given[CONVK_FORM_GIVEN_ * a.nq + i] = order;
  }
}

template <class T> struct convk_cuda_form_total_args_ {
  const T *q[6];
  convk_form_body_ body;
  const T *partial; /* of segment s: nq real parts at 2 s nq, then nq imaginary parts */
  double *sums;     /* of the segments before; `fresh`: there were none */
  T *f;             /* NULL: not yet */
  size_t nq, segments;
  int fresh;
};

/* Adds the sums of segments one after another; the last call makes F of them. */
template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_FORM_THREADS_)
    convk_cuda_form_total_(const convk_cuda_form_total_args_<T> a) {
  for (size_t i = blockIdx.x * (size_t)CONVK_CUDA_FORM_THREADS_ + threadIdx.x; i < a.nq;
       i += gridDim.x * (size_t)CONVK_CUDA_FORM_THREADS_) {
    const double re = convk_cuda_total_of_(a.partial + i, 2 * a.nq, a.segments, a.fresh ? 0 : a.sums[i]);
    const double im = convk_cuda_total_of_(a.partial + a.nq + i, 2 * a.nq, a.segments, a.fresh ? 0 : a.sums[a.nq + i]);
    if (a.f) {
      double q[6], norm;
      T given[CONVK_FORM_GIVEN_];
      convk_cuda_form_vector_(a.q, i, q);
      convk_cuda_form_given_(q, given, &norm);
      convk_cuda_form_list_value_(&a.body, q, norm, re, im, a.f + 2 * i);
    } else {
      a.sums[i] = re;
      a.sums[a.nq + i] = im;
    }
  }
}

/* ---- a list of q ---- */

template <class T> struct convk_cuda_form_list_args_ {
  const T *mesh[CONVK_CUDA_FORM_FIELDS_];
  size_t n, nq, tiles, tasks;
  const T *given;
  T *partial;
};

/* A warp takes a segment of triangles for 32 V vectors of q.  Its lanes bring 32 triangles at a time to shared memory, the next
   ones during the arithmetic, and each reads all of them for its own q; as in convk.h, whose comments say what is summed. */
template <class T, int V, int IMAG, int ORDER>
static __global__ void __launch_bounds__(CONVK_CUDA_FORM_THREADS_) convk_cuda_form_list_(const convk_cuda_form_list_args_<T> a) {
  const int tile = CONVK_CUDA_FORM_TILE_, warps = CONVK_CUDA_FORM_THREADS_ / 32, fields = ORDER ? 12 : 6;
  __shared__ __align__(16) T shared[warps * fields * tile];
  const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
  T(*const m)[tile] = (T(*)[tile])(shared + warp * fields * tile);
  for (size_t task = blockIdx.x * (size_t)warps + (size_t)warp; task < a.tasks; task += gridDim.x * (size_t)warps) {
    const size_t segment = convk_cuda_divide_(task, a.tiles), q0 = (task - segment * a.tiles) * (32 * V) + (size_t)lane;
    const size_t begin = segment * CONVK_FORM_TRIANGLES_, left = a.n - begin;
    const size_t end = begin + (left < CONVK_FORM_TRIANGLES_ ? left : CONVK_FORM_TRIANGLES_);
    T given[V][CONVK_FORM_GIVEN_], re[V], im[V], re_z[V], im_z[V], next[fields];
    int order[V];
    CONVK_CUDA_UNROLL_
    for (int v = 0; v < V; v++) {
      const size_t i = q0 + (size_t)(32 * v) < a.nq ? q0 + (size_t)(32 * v) : a.nq - 1;
      CONVK_CUDA_UNROLL_
      for (int d = 0; d < CONVK_FORM_GIVEN_; d++)
        given[v][d] = d < 6 || (IMAG && (ORDER || d == 6)) ? a.given[(size_t)d * a.nq + i] : (T)0;
      order[v] = ORDER == CONVK_FORM_FITTED_ ? (int)a.given[CONVK_FORM_GIVEN_ * a.nq + i] : ORDER;
      re[v] = im[v] = re_z[v] = im_z[v] = 0;
    }
    auto load = [&](size_t from) { /* triangles without area beyond the end */
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < fields; k++) next[k] = from + (size_t)lane < end ? a.mesh[k][from + (size_t)lane] : (T)0;
    };
    load(begin);
    for (size_t t = begin; t < end; t += (size_t)tile) {
      const int count = (convk_cuda_least_(end - t, tile) + 3) / 4 * 4;
      __syncwarp();
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < fields; k++) m[k][lane] = next[k];
      __syncwarp();
      load(t + (size_t)tile);
      for (int j0 = 0; j0 < count; j0 += 4)
        CONVK_CUDA_UNROLL_
        for (int j = j0; j < j0 + 4; j++)
          CONVK_CUDA_UNROLL_
          for (int v = 0; v < V; v++) {
            const T area[3] = {m[0][j], m[1][j], m[2][j]}, at[3] = {m[3][j], m[4][j], m[5][j]};
            const int k = ORDER ? 6 : 0, l = ORDER ? 9 : 0;
            const T u[3] = {m[k][j], m[k + 1][j], m[k + 2][j]}, w[3] = {m[l][j], m[l + 1][j], m[l + 2][j]};
            convk_cuda_form_triangle_(ORDER != 0, order[v], given[v], area, at, u, w, IMAG, &re[v], &im[v], &re_z[v], &im_z[v]);
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
  CONVK_CUDA_FORM_GRID_THREADS_ = 256,
  CONVK_CUDA_FORM_LANES_ = 64,    /* of a tile, on the axis that convk.h gives to lanes: 2 of a thread */
  CONVK_CUDA_FORM_ROWS_ = 32,     /* and pairs of values on the two others: 4 of a thread */
  CONVK_CUDA_FORM_STEP_ = 16,     /* triangles in shared memory */
  CONVK_CUDA_FORM_RANGE_ = 1024   /* triangles whose sum is one double; a whole number of CONVK_FORM_BLOCK_ */
};

template <class T> struct convk_cuda_form_phase_args_ {
  convk_form_axes_ axes;
  const T *q[4]; /* on the axes, and the imaginary parts of z or NULL */
  const T *area[3], *at[3];
  T *phase, *row[2]; /* at 2 n t: real parts of E, or of E - 1, of n values for triangle t, then imaginary parts */
  T *moment;         /* 6 n[0] for each block */
  size_t n, blocks, parts[3]; /* triangles; their blocks; parts of each axis */
};

/* A thread takes one value on an axis and one block of triangles; those of lanes also sum up moments. */
template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_FORM_THREADS_)
    convk_cuda_form_phase_(const convk_cuda_form_phase_args_<T> a) {
  const size_t parts = a.parts[0] + a.parts[1] + a.parts[2];
  for (size_t task = blockIdx.x; task < parts * a.blocks; task += gridDim.x) {
    const size_t block = convk_cuda_divide_(task, parts), part = task - block * parts;
    const int d = part < a.parts[0] ? 0 : part < a.parts[0] + a.parts[1] ? 1 : 2;
    const size_t first = d == 0 ? 0 : d == 1 ? a.parts[0] : a.parts[0] + a.parts[1];
    const size_t i = (part - first) * CONVK_CUDA_FORM_THREADS_ + threadIdx.x, n = a.axes.n[d];
    const int damped = d == a.axes.z;
    if (i >= n) continue;
    T *const to = d == 0 ? a.phase : a.row[d - 1];
    T turns, decay, re[3] = {0, 0, 0}, im[3] = {0, 0, 0};
    convk_cuda_form_rate_((double)a.q[d][i], damped ? (double)a.q[3][i] : 0, &turns, &decay);
    for (size_t t = block * CONVK_FORM_BLOCK_; t < (block + 1) * CONVK_FORM_BLOCK_; t++) {
      const T at = t < a.n ? a.at[d][t] : (T)0;
      T s, c, p, b;
      convk_cuda_form_half_turn_(convk_cuda_form_product_left_(turns, at), &s, &c);
      convk_cuda_form_damp_(damped, damped ? convk_cuda_form_half_loss_(convk_cuda_mul_(decay, at)) : (T)0, s, c, &p, &b);
      to[2 * n * t + i] = convk_cuda_sub_(d ? (T)0 : (T)1, convk_cuda_add_(p, p));
      to[2 * n * t + n + i] = convk_cuda_add_(b, b);
      if (d || t >= a.n) continue;
      CONVK_CUDA_UNROLL_
      for (int k = 0; k < 3; k++) {
        const T area = a.area[k][t];
        re[k] = convk_cuda_fma_(area, p, re[k]);
        im[k] = convk_cuda_fma_(area, b, im[k]);
      }
    }
    CONVK_CUDA_UNROLL_
    for (int k = 0; k < 3; k++)
      if (!d) {
        a.moment[(6 * block + 2 * (size_t)k) * n + i] = re[k];
        a.moment[(6 * block + 2 * (size_t)k + 1) * n + i] = im[k];
      }
  }
}

template <class T> struct convk_cuda_form_moment_args_ {
  const T *moment;
  double *sums;
  size_t n, blocks;
  int fresh;
};

/* Adds the moments of blocks to those before; n of them. */
template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_FORM_THREADS_)
    convk_cuda_form_moment_(const convk_cuda_form_moment_args_<T> a) {
  for (size_t i = blockIdx.x * (size_t)CONVK_CUDA_FORM_THREADS_ + threadIdx.x; i < a.n;
       i += gridDim.x * (size_t)CONVK_CUDA_FORM_THREADS_)
    a.sums[i] = convk_cuda_total_of_(a.moment + i, a.n, a.blocks, a.fresh ? 0 : a.sums[i]);
}

template <class T> struct convk_cuda_form_grid_args_ {
  convk_form_axes_ axes;
  const T *q[4]; /* on the axes, and the imaginary parts of z or NULL */
  const T *area[3], *corner[6], *phase, *row[2]; /* corners: with fourth order */
  T unit, per;  /* of lengths on the lanes' axis, and its inverse */
  double *sums; /* of range r, at 2 nq r: nq real parts, nq imaginary parts; `direct`: of all, which more are added to */
  size_t n, tiles_x, tiles, ranges;
  int direct, fresh; /* fresh: nothing is there yet */
};

/* Adds the products of 4 rows from ty on with 2 lanes from tx on, with COUNT factors of a row. */
template <class T, int COUNT>
static __device__ __forceinline__ void convk_cuda_form_product_(const T *phase,
                                                                const T (*term)[2 * COUNT][CONVK_CUDA_FORM_ROWS_], int tx,
                                                                int ty, const T q[2], T (*re)[2], T (*im)[2]) {
  const int lanes = CONVK_CUDA_FORM_LANES_;
  CONVK_CUDA_UNROLL_BY_(2)
  for (int s = 0; s < CONVK_CUDA_FORM_STEP_; s++) {
    T er[2], ei[2];
    CONVK_CUDA_UNROLL_
    for (int v = 0; v < 2; v++) er[v] = phase[2 * s * lanes + tx + v], ei[v] = phase[(2 * s + 1) * lanes + tx + v];
    CONVK_CUDA_UNROLL_
    for (int r = 0; r < 4; r++) {
      T made[2 * COUNT];
      CONVK_CUDA_UNROLL_
      for (int n = 0; n < 2 * COUNT; n++) made[n] = term[s][n][ty + r];
      CONVK_CUDA_UNROLL_
      for (int v = 0; v < 2; v++) convk_cuda_form_multiply_(q[v], made, COUNT, er[v], ei[v], &re[r][v], &im[r][v]);
    }
  }
}

/* The matrix product of a tile.  Threads bring the phases of the lanes to shared memory, make the complex factors of each row
   there, and multiply 4 x 2 of them: 6 multiply-adds for each of a triangle and a q, with fourth order 10.  Blocks of triangles are
   summed in T, these in doubles. */
template <class T, int FOURTH>
static __global__ void __launch_bounds__(CONVK_CUDA_FORM_GRID_THREADS_, sizeof(T) == 4 ? 2 : 1)
    convk_cuda_form_grid_(const convk_cuda_form_grid_args_<T> a) {
  const int lanes = CONVK_CUDA_FORM_LANES_, rows = CONVK_CUDA_FORM_ROWS_, step = CONVK_CUDA_FORM_STEP_;
  const int count = FOURTH ? 4 : 2, threads = CONVK_CUDA_FORM_GRID_THREADS_;
  const int thread = (int)threadIdx.x, tx = thread % 32 * 2, ty = thread / 32 * 4;
  __shared__ __align__(16) T phase[step * 2 * lanes];
  __shared__ __align__(16) T term[step][2 * count][rows];
  const size_t tasks = a.direct ? a.tiles : a.tiles * a.ranges;
  const size_t n0 = a.axes.n[0], n1 = a.axes.n[1], n2 = a.axes.n[2];
  for (size_t task = blockIdx.x; task < tasks; task += gridDim.x) {
    const size_t range0 = a.direct ? 0 : convk_cuda_divide_(task, a.tiles), tile = task - range0 * a.tiles;
    const size_t tile_y = convk_cuda_divide_(tile, a.tiles_x), lane0 = (tile - tile_y * a.tiles_x) * (size_t)lanes;
    const size_t row0 = tile_y * (size_t)rows;
    /* of the row whose factors this thread makes; rows and lanes beyond the last are the last again, and dropped */
    const size_t mine = row0 + (size_t)(thread % rows) < a.axes.rows ? row0 + (size_t)(thread % rows) : a.axes.rows - 1;
    const size_t k = convk_cuda_divide_(mine, n1), j = mine - k * n1;
    const T row_q[2] = {a.q[1][j], a.q[2][k]};
    const T row_imag[2] = {a.axes.z == 1 ? a.q[3][j] : (T)0, a.axes.z == 2 ? a.q[3][k] : (T)0};
    T q[2];
    CONVK_CUDA_UNROLL_
    for (int v = 0; v < 2; v++) {
      const size_t lane = lane0 + (size_t)(tx + v);
      q[v] = convk_cuda_mul_(a.q[0][lane < n0 ? lane : n0 - 1], a.unit);
    }
    for (size_t range = range0; range < (a.direct ? a.ranges : range0 + 1); range++) {
      const size_t begin = range * CONVK_CUDA_FORM_RANGE_, left = a.n - begin;
      const size_t end = begin + (left < CONVK_CUDA_FORM_RANGE_ ? left : (size_t)CONVK_CUDA_FORM_RANGE_);
      /* what this thread brings: phases of one lane, and of its row, for every so many triangles */
      const size_t own = lane0 + (size_t)(thread % lanes) < n0 ? lane0 + (size_t)(thread % lanes) : n0 - 1;
      const T *from = a.phase + (2 * begin + (size_t)(thread / lanes)) * n0 + own;
      const T *first = a.row[0] + 2 * (begin + (size_t)(thread / rows)) * n1 + j;
      const T *second = a.row[1] + 2 * (begin + (size_t)(thread / rows)) * n2 + k;
      double sum[4][2][2];
      T re[4][2], im[4][2];
      CONVK_CUDA_UNROLL_
      for (int r = 0; r < 4; r++)
        CONVK_CUDA_UNROLL_
        for (int v = 0; v < 2; v++) re[r][v] = im[r][v] = 0, sum[r][v][0] = sum[r][v][1] = 0;
      for (size_t t0 = begin; t0 < end; t0 += (size_t)step) {
        __syncthreads();
        CONVK_CUDA_UNROLL_BY_(4)
        for (int k0 = 0; k0 < step * 2 * lanes; k0 += threads, from += (size_t)(threads / lanes) * n0)
          phase[k0 + thread] = *from;
        CONVK_CUDA_UNROLL_BY_(1)
        for (int k0 = 0; k0 < step; k0 += threads / rows) {
          const int s = k0 + thread / rows, r = thread % rows;
          const size_t t = t0 + (size_t)s;
          const T area[3] = {t < a.n ? a.area[0][t] : (T)0, t < a.n ? a.area[1][t] : (T)0, t < a.n ? a.area[2][t] : (T)0};
          T corner[6] = {0, 0, 0, 0, 0, 0}, made[2 * count];
          CONVK_CUDA_UNROLL_
          for (int n = 0; n < 6; n++)
            if (FOURTH && t < a.n) corner[n] = a.corner[n][t];
          convk_cuda_form_terms_(row_q, row_imag, area, corner, a.per, first[0], first[n1], second[0], second[n2], FOURTH, made);
          CONVK_CUDA_UNROLL_
          for (int n = 0; n < 2 * count; n++) term[s][n][r] = made[n];
          first += 2 * (size_t)(threads / rows) * n1;
          second += 2 * (size_t)(threads / rows) * n2;
        }
        __syncthreads();
        convk_cuda_form_product_<T, count>(phase, term, tx, ty, q, re, im);
        if ((t0 + (size_t)step) % CONVK_FORM_BLOCK_ && t0 + (size_t)step < end) continue;
        CONVK_CUDA_UNROLL_
        for (int r = 0; r < 4; r++)
          CONVK_CUDA_UNROLL_
          for (int v = 0; v < 2; v++) {
            sum[r][v][0] = __dadd_rn(sum[r][v][0], (double)re[r][v]);
            sum[r][v][1] = __dadd_rn(sum[r][v][1], (double)im[r][v]);
            re[r][v] = im[r][v] = 0;
          }
      }
      double *const to = a.sums + (a.direct ? 0 : 2 * a.axes.nq * range);
      const int add = a.direct && (range || !a.fresh);
      CONVK_CUDA_UNROLL_
      for (int r = 0; r < 4; r++)
        CONVK_CUDA_UNROLL_
        for (int v = 0; v < 2; v++) {
          const size_t row = row0 + (size_t)(ty + r), lane = lane0 + (size_t)(tx + v), at = row * n0 + lane;
          if (row >= a.axes.rows || lane >= n0) continue;
          to[at] = add ? __dadd_rn(to[at], sum[r][v][0]) : sum[r][v][0];
          to[a.axes.nq + at] = add ? __dadd_rn(to[a.axes.nq + at], sum[r][v][1]) : sum[r][v][1];
        }
    }
  }
}

template <class T> struct convk_cuda_form_grid_total_args_ {
  convk_form_axes_ axes;
  const T *q[4]; /* on the axes, and the imaginary parts of z or NULL */
  convk_form_body_ body;
  const double *partial, *moment;
  double *sums;
  T *f; /* NULL: not yet */
  size_t ranges;
  int fresh;
};

/* Adds the sums of ranges one after another; the last call adds what the moments tell, and makes F. */
template <class T>
static __global__ void __launch_bounds__(CONVK_CUDA_FORM_THREADS_)
    convk_cuda_form_grid_total_(const convk_cuda_form_grid_total_args_<T> a) {
  for (size_t i = blockIdx.x * (size_t)CONVK_CUDA_FORM_THREADS_ + threadIdx.x; i < a.axes.nq;
       i += gridDim.x * (size_t)CONVK_CUDA_FORM_THREADS_) {
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
    convk_cuda_form_grid_value_(&a.body, a.axes.axis, a.axes.z, q, moment, re, im,
                                a.f + 2 * (at[0] * a.axes.stride[0] + at[1] * a.axes.stride[1] + at[2] * a.axes.stride[2]));
  }
}
