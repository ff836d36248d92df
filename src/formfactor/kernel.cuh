enum {
  CONVK_CUDA_FORMFACTOR_THREADS_ = 128,
  CONVK_CUDA_FORMFACTOR_TILE_ = 32, /* triangles that a warp has in shared memory */
  CONVK_CUDA_FORMFACTOR_FIELDS_ = 12
};

/* How the work is cut, estimates: bytes of a list's partial sums that are made before they are added up; bytes of a grid's
   phases, and twice those of its sums, for a launch that ends evenly; tiles that fill a device alone, 4 on each of 128
   multiprocessors, twice. */
#ifndef CONVK_CUDA_FORMFACTOR_PARTIAL_
#define CONVK_CUDA_FORMFACTOR_PARTIAL_ ((size_t)1 << 25)
#endif
#define CONVK_CUDA_FORMFACTOR_TABLES_ ((size_t)1 << 27)
#define CONVK_CUDA_FORMFACTOR_ENOUGH_ ((size_t)1024)

/* Vector i of q: x, y, z, and the imaginary parts of z, x and y, whose arrays may be NULL. */
template <class real_>
CONVK_CUDA_INLINE_ void convk_cuda_formfactor_vector_(const real_ *const from[6], size_t i, double q[6]) {
  CONVK_CUDA_EACH_(d, 6) q[d] = d < 3 || from[d] ? (double)from[d][i] : 0;
}

template <class real_> struct convk_cuda_formfactor_prepare_args_ {
  const real_ *q[6];
  real_ *scaled; /* what form_scaled makes of them: arrays of nq; and then the order that each needs */
  size_t nq;
  int order; /* of all, or CONVK_FORMFACTOR_FITTED_ */
  convk_formfactor_body_ body;
};

template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_prepare_(const convk_cuda_formfactor_prepare_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.nq, CONVK_CUDA_FORMFACTOR_THREADS_) {
    double q[6], norm;
    real_ scaled[CONVK_FORMFACTOR_SCALED_];
    convk_cuda_formfactor_vector_(a.q, i, q);
    convk_cuda_formfactor_scaled_(q, scaled, &norm);
    CONVK_CUDA_EACH_(k, CONVK_FORMFACTOR_SCALED_) a.scaled[(size_t)k * a.nq + i] = scaled[k];
    real_ order = (real_)a.order;
    if (a.order == CONVK_FORMFACTOR_FITTED_) convk_cuda_formfactor_order_(&a.body, norm, &order);
    a.scaled[CONVK_FORMFACTOR_SCALED_ * a.nq + i] = order;
  }
}

template <class real_> struct convk_cuda_formfactor_total_args_ {
  const real_ *q[6];
  convk_formfactor_body_ body;
  const real_ *partial; /* of segment s: nq real parts at 2 s nq, then nq imaginary parts */
  double *sums;         /* of the segments before; `fresh`: there were none */
  real_ *f;             /* NULL: not yet */
  size_t nq, segments;
  int fresh;
};

/* Adds the sums of segments one after another; the last call makes F of them. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_total_(const convk_cuda_formfactor_total_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.nq, CONVK_CUDA_FORMFACTOR_THREADS_) {
    const double re = convk_cuda_total_of_(a.partial + i, 2 * a.nq, a.segments, a.fresh ? 0 : a.sums[i]);
    const double im = convk_cuda_total_of_(a.partial + a.nq + i, 2 * a.nq, a.segments, a.fresh ? 0 : a.sums[a.nq + i]);
    if (a.f) {
      double q[6], norm;
      real_ scaled[CONVK_FORMFACTOR_SCALED_];
      convk_cuda_formfactor_vector_(a.q, i, q);
      convk_cuda_formfactor_scaled_(q, scaled, &norm);
      convk_cuda_formfactor_list_value_(&a.body, q, norm, re, im, a.f + 2 * i);
    } else {
      a.sums[i] = re;
      a.sums[a.nq + i] = im;
    }
  }
}

/* ---- a list of q ---- */

template <class real_> struct convk_cuda_formfactor_list_args_ {
  const real_ *mesh[CONVK_CUDA_FORMFACTOR_FIELDS_];
  size_t n, nq, tiles, tasks;
  const real_ *scaled;
  real_ *partial;
};

/* A warp takes a segment of triangles for 32 each_ vectors of q.  Its lanes bring 32 triangles at a time to shared memory, the
   next ones during the arithmetic, and each reads all of them for its own q; as in convk.h, whose comments say what is
   summed. */
template <class real_, int each_, int imag_, int order_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_FORMFACTOR_THREADS_,
                                          order_ < 0 && imag_ && CONVK_CUDA_ARCH_ >= 1000 ? 2 : 0)
    convk_cuda_formfactor_list_(const convk_cuda_formfactor_list_args_<real_> a) {
  const int tile = CONVK_CUDA_FORMFACTOR_TILE_, warps = CONVK_CUDA_FORMFACTOR_THREADS_ / 32, fields = order_ ? 12 : 6;
  const int ahead = order_ || imag_ ? 4 : 8; /* triangles of one turn of the loop */
  __shared__ __align__(16) real_ shared[warps * fields * tile];
  const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
  real_(*const m)[tile] = (real_(*)[tile])(shared + warp * fields * tile);
  for (size_t task = blockIdx.x * (size_t)warps + (size_t)warp; task < a.tasks; task += gridDim.x * (size_t)warps) {
    const size_t segment = convk_cuda_divide_(task, a.tiles), q0 = (task - segment * a.tiles) * (32 * each_) + (size_t)lane;
    const size_t begin = segment * CONVK_FORMFACTOR_TRIANGLES_, left = a.n - begin;
    const size_t end = begin + (left < CONVK_FORMFACTOR_TRIANGLES_ ? left : CONVK_FORMFACTOR_TRIANGLES_);
    real_ scaled[each_][CONVK_FORMFACTOR_SCALED_], re[each_], im[each_], re_z[each_], im_z[each_], next[fields];
    int order[each_];
    CONVK_CUDA_EACH_(v, each_) {
      const size_t i = q0 + (size_t)(32 * v) < a.nq ? q0 + (size_t)(32 * v) : a.nq - 1;
      CONVK_CUDA_EACH_(d, CONVK_FORMFACTOR_SCALED_)
        scaled[v][d] = d < 6 || (imag_ && (order_ || d == 6)) ? a.scaled[(size_t)d * a.nq + i] : (real_)0;
      order[v] = order_ == CONVK_FORMFACTOR_FITTED_ ? (int)a.scaled[CONVK_FORMFACTOR_SCALED_ * a.nq + i] : order_;
      re[v] = im[v] = re_z[v] = im_z[v] = 0;
    }
    auto load = [&](size_t from) { /* triangles without area beyond the end */
                                   CONVK_CUDA_EACH_(k, fields)
                                     next[k] = from + (size_t)lane < end ? a.mesh[k][from + (size_t)lane] : (real_)0;
    };
    load(begin);
    for (size_t t = begin; t < end; t += (size_t)tile) {
      const int count = (convk_cuda_least_(end - t, tile) + ahead - 1) / ahead * ahead;
      CONVK_CUDA_WARP_SYNC_();
      CONVK_CUDA_EACH_(k, fields) m[k][lane] = next[k];
      CONVK_CUDA_WARP_SYNC_();
      load(t + (size_t)tile);
      for (int j0 = 0; j0 < count; j0 += ahead) CONVK_CUDA_UNROLL_
      for (int j = j0; j < j0 + ahead; j++)
        CONVK_CUDA_EACH_(v, each_) {
          const real_ area[3] = {m[0][j], m[1][j], m[2][j]}, at[3] = {m[3][j], m[4][j], m[5][j]};
          const int k = order_ ? 6 : 0, l = order_ ? 9 : 0;
          const real_ u[3] = {m[k][j], m[k + 1][j], m[k + 2][j]}, w[3] = {m[l][j], m[l + 1][j], m[l + 2][j]};
          convk_cuda_formfactor_triangle_(order_ != 0, order[v], scaled[v], area, at, u, w, imag_, &re[v], &im[v], &re_z[v],
                                          &im_z[v]);
        }
    }
    CONVK_CUDA_EACH_(v, each_)
      if (q0 + (size_t)(32 * v) < a.nq) {
        if (imag_) {
          const real_ along_z = a.scaled[7 * a.nq + q0 + (size_t)(32 * v)];
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

template <class real_> struct convk_cuda_formfactor_phase_args_ {
  convk_formfactor_axes_ axes;
  const real_ *q[4];                        /* on the axes, and the imaginary parts of z or NULL */
  const real_ *area[3], *at[3], *corner[6]; /* corners: with fourth order */
  /* Tables for the matrix product, in which `room` triangles have places.  phase: for each tile of lanes and each triangle the
     real parts of E, then the imaginary parts; row: for each value on the axis and each triangle both parts of E - 1; side:
     CONVK_CUDA_FORMFACTOR_SIDE_ numbers of each triangle. */
  real_ *phase, *row[2], *side;
  real_ *moment;                                  /* 6 n[0] for each block */
  size_t n, room, lanes, pitch, blocks, parts[3]; /* triangles; lanes of a tile, and of all tiles; blocks; parts of each axis */
};

/* A thread takes one value on an axis and one block of triangles; those of lanes also sum up moments.  Triangles are filled up
   to whole blocks by some without area, lanes by the last. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_phase_(const convk_cuda_formfactor_phase_args_<real_> a) {
  enum { pairs_ = 8 / sizeof(real_) }; /* of numbers, in 16 bytes */
  const size_t parts = a.parts[0] + a.parts[1] + a.parts[2];
  for (size_t task = blockIdx.x; task < parts * a.blocks; task += gridDim.x) {
    const size_t block = convk_cuda_divide_(task, parts), part = task - block * parts;
    const int d = part < a.parts[0] ? 0 : part < a.parts[0] + a.parts[1] ? 1 : 2;
    const size_t first = d == 0 ? 0 : d == 1 ? a.parts[0] : a.parts[0] + a.parts[1];
    const size_t i = (part - first) * CONVK_CUDA_FORMFACTOR_THREADS_ + threadIdx.x, n = a.axes.n[d], own = i < n ? i : n - 1;
    const int damped = d == a.axes.z;
    if (!part && threadIdx.x < CONVK_FORMFACTOR_BLOCK_) {
      const size_t t = block * CONVK_FORMFACTOR_BLOCK_ + threadIdx.x;
      real_ *const side = a.side + CONVK_CUDA_FORMFACTOR_SIDE_ * t;
      CONVK_CUDA_EACH_(k, 3) side[k] = t < a.n ? a.area[k][t] : (real_)0;
      CONVK_CUDA_EACH_(k, 6) side[3 + k] = t < a.n && a.corner[k] ? a.corner[k][t] : (real_)0;
      CONVK_CUDA_UNROLL_
      for (int k = 9; k < CONVK_CUDA_FORMFACTOR_SIDE_; k++) side[k] = 0; /* read by whole vectors, and dropped */
    }
    if (i >= (d ? n : a.pitch)) continue;
    const size_t tile = convk_cuda_divide_(i, a.lanes);
    real_ *const to = d ? a.row[d - 1] + 2 * a.room * i : a.phase + 2 * a.lanes * a.room * tile + (i - tile * a.lanes);
    real_ turns, decay, re[3] = {0, 0, 0}, im[3] = {0, 0, 0};
    convk_cuda_formfactor_rate_((double)a.q[d][own], damped ? (double)a.q[3][own] : 0, &turns, &decay);
    for (size_t t0 = block * CONVK_FORMFACTOR_BLOCK_; t0 < (block + 1) * CONVK_FORMFACTOR_BLOCK_; t0 += pairs_) {
      real_ factors[2 * pairs_];
      CONVK_CUDA_EACH_(u, pairs_) {
        const size_t t = t0 + (size_t)u;
        const real_ at = t < a.n ? a.at[d][t] : (real_)0;
        real_ s, c, p, b;
        convk_cuda_half_turn_(convk_cuda_turn_product_left_(turns, at), &s, &c);
        convk_cuda_formfactor_damp_(damped, damped ? convk_cuda_formfactor_half_loss_(convk_cuda_mul_(decay, at)) : (real_)0, s,
                                    c, &p, &b);
        factors[2 * u] = convk_cuda_sub_(d ? (real_)0 : (real_)1, convk_cuda_add_(p, p));
        factors[2 * u + 1] = convk_cuda_add_(b, b);
        if (d || t >= a.n) continue;
        CONVK_CUDA_EACH_(k, 3) {
          const real_ area = a.area[k][t];
          re[k] = convk_cuda_fma_(area, p, re[k]);
          im[k] = convk_cuda_fma_(area, b, im[k]);
        }
      }
      if (d) {
        convk_cuda_put_(to + 2 * t0, factors);
        continue;
      }
      CONVK_CUDA_EACH_(u, 2 * pairs_) to[(2 * t0 + (size_t)u) * a.lanes] = factors[u];
    }
    if (d || i >= n) continue;
    CONVK_CUDA_EACH_(k, 3) {
      a.moment[(6 * block + 2 * (size_t)k) * n + i] = re[k];
      a.moment[(6 * block + 2 * (size_t)k + 1) * n + i] = im[k];
    }
  }
}

template <class real_> struct convk_cuda_formfactor_moment_args_ {
  const real_ *moment;
  double *sums;
  size_t n, blocks;
  int fresh;
};

/* Adds the moments of blocks to those before; n of them. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_moment_(const convk_cuda_formfactor_moment_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.n, CONVK_CUDA_FORMFACTOR_THREADS_)
    a.sums[i] = convk_cuda_total_of_(a.moment + i, a.n, a.blocks, a.fresh ? 0 : a.sums[i]);
}

template <class real_> struct convk_cuda_formfactor_grid_args_ {
  convk_formfactor_axes_ axes;
  const real_ *q[4];                  /* on the axes, and the imaginary parts of z or NULL */
  const real_ *phase, *row[2], *side; /* as convk_cuda_formfactor_phase_ made them */
  real_ unit, per;                    /* of lengths on the lanes' axis, and its inverse */
  double *sums; /* of range r, at 2 nq r: nq real parts, nq imaginary parts; `direct`: of all, which more are added to */
  size_t n, room, tiles_x, tiles, ranges;
  int direct, fresh; /* fresh: nothing is there yet */
};

/* Bytes of a number for each of the triangles that are in shared memory at a time: as many as leave room for two blocks in the
   100 KB of small multiprocessors, but in wide tiles, where threads need so many to have one each. */
#define CONVK_CUDA_FORMFACTOR_STEP_(lanes_, fourth_) ((fourth_) && (lanes_) == CONVK_CUDA_FORMFACTOR_LANES_ ? 16 : 32)

/* Bytes of shared memory that convk_cuda_formfactor_grid_ asks for: sums of a tile, then phases and factors for two steps. */
static size_t convk_cuda_formfactor_grid_bytes_(size_t lanes, int fourth) {
  const size_t q = CONVK_CUDA_FORMFACTOR_Q_, step = CONVK_CUDA_FORMFACTOR_STEP_(lanes, fourth);
  return 2 * sizeof(double) * q + 4 * step * (lanes + (fourth ? 4 : 2) * (q / lanes));
}

/* How convk_cuda_formfactor_grid_ shares a tile of Q = 2048 values of q out to its 64 threads: each has rows_ = 4 rows by
   each_ = 8 lanes.
     lanes_  rows   threads   thread (tx, ty) has
        64    32    8 x 8    f32: lanes 4 tx .. 4 tx + 3 and the same + 32; rows ty, ty + 8, ty + 16, ty + 24
       128    16   16 x 4    f32: the same, + 64; rows ty, ty + 4, ty + 8, ty + 12
   f64 has two lanes at four places.  Between the rows of a thread, and between every 16 bytes of its lanes, lie those of other
   threads: so neighbours read neighbouring banks. */
template <class type_, int tile_lanes_, int fourth_> struct convk_cuda_formfactor_shape_ {
  typedef type_ real_;
  enum {
    lanes_ = tile_lanes_,
    wide_ = 16 / sizeof(real_), /* numbers that are moved at a time */
    count_ = fourth_ ? 4 : 2,   /* complex factors of E_lane */
    side_ = fourth_ ? 9 : 3,    /* numbers of a triangle that they are made of */
    threads_ = CONVK_CUDA_FORMFACTOR_GRID_THREADS_,
    step_ = CONVK_CUDA_FORMFACTOR_STEP_(lanes_, fourth_) / sizeof(real_), /* triangles in shared memory at a time */
    all_ = CONVK_CUDA_FORMFACTOR_Q_ / lanes_,                             /* rows */
    per_thread_ = step_ * all_ / threads_, /* of a row, for so many triangles a thread makes the factors */
    phases_ = step_ * 2 * lanes_,          /* numbers of one step in shared memory */
    terms_ = step_ * 2 * count_ * all_,
    each_ = 8,
    rows_ = CONVK_CUDA_FORMFACTOR_Q_ / threads_ / each_,
    max_turn_ = sizeof(real_) == 4 ? 4 : count_ / 2, /* triangles of a turn of the product's loop, for which registers do */
    part_ = max_turn_ < step_ ? max_turn_ : step_ / 2
  };
};

/* What all threads know of the tile under way; registers have no room for it. */
template <class shape_> struct convk_cuda_formfactor_here_ {
  typename shape_::real_ lane_q[shape_::lanes_];
  const typename shape_::real_ *lane_at; /* where the table of the lanes' phases begins */
  unsigned row_at[2][shape_::all_];      /* each row's places on its two axes */
  size_t lane0, row0, task;
};

/* Begins a tile.  Rows and lanes beyond the last are the last again, and dropped. */
template <class shape_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_formfactor_grid_begin_(const convk_cuda_formfactor_grid_args_<real_> &a, size_t task,
                                                          size_t tile, convk_cuda_formfactor_here_<shape_> *here) {
  const unsigned thread = threadIdx.x;
  const size_t tile_y = convk_cuda_divide_(tile, a.tiles_x), tile_x = tile - tile_y * a.tiles_x;
  const size_t lane0 = tile_x * (size_t)shape_::lanes_, row0 = tile_y * (size_t)shape_::all_;
  if (!thread) {
    here->lane_at = a.phase + tile_x * (2 * shape_::lanes_) * a.room;
    here->lane0 = lane0;
    here->row0 = row0;
    here->task = task;
  }
  if (thread < shape_::all_) {
    const size_t row = row0 + thread < a.axes.rows ? row0 + thread : a.axes.rows - 1;
    const size_t k = convk_cuda_divide_(row, a.axes.n[1]);
    here->row_at[0][thread] = (unsigned)(row - k * a.axes.n[1]);
    here->row_at[1][thread] = (unsigned)k;
  }
  for (unsigned i = thread; i < shape_::lanes_; i += shape_::threads_) {
    const size_t lane = lane0 + i;
    here->lane_q[i] = convk_cuda_mul_(a.q[0][lane < a.axes.n[0] ? lane : a.axes.n[0] - 1], a.unit);
  }
}

/* Brings the phases of the lanes to `phase`, for the triangles of a step from t on, and makes the factors of the rows in
   `term`: a thread those of one row for made_ triangles.  `term` is [triangle][16 bytes of factors][row]: with wide_ = 4 and
   two complex factors re0 im0 re1 im1 stand together, those of the next row beside them. */
template <class shape_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_formfactor_grid_make_(const convk_cuda_formfactor_grid_args_<real_> &a,
                                                         const convk_cuda_formfactor_here_<shape_> &here, unsigned t,
                                                         real_ *phase, real_ *term) {
  enum { wide_ = shape_::wide_, count_ = shape_::count_, all_ = shape_::all_ };
  const unsigned thread = threadIdx.x, mine = thread % all_,
                 part = thread / all_ * shape_::per_thread_; /* row, and first triangle */
  const real_ *const from = here.lane_at + (t * (2 * shape_::lanes_) + thread * wide_);
  const size_t j = here.row_at[0][mine], k = here.row_at[1][mine];
  const real_ *const first = a.row[0] + 2 * (j * a.room + t + part), *const second = a.row[1] + 2 * (k * a.room + t + part);
  const real_ *const side = a.side + CONVK_CUDA_FORMFACTOR_SIDE_ * (t + part);
  const real_ own[4] = {a.q[1][j], a.q[2][k], a.axes.z == 1 ? a.q[3][j] : (real_)0, a.axes.z == 2 ? a.q[3][k] : (real_)0};
  CONVK_CUDA_UNROLL_
  for (int p = 0; p < shape_::phases_; p += shape_::threads_ * wide_) convk_cuda_bring_(phase + p + thread * wide_, from + p);
  CONVK_CUDA_UNROLL_
  for (int i = 0; i < shape_::per_thread_; i += wide_ / 2) {
    real_ e[wide_], f[wide_];
    convk_cuda_get_(e, first + 2 * i);
    convk_cuda_get_(f, second + 2 * i);
    CONVK_CUDA_EACH_(u, wide_ / 2) {
      real_ terms[2 * count_], numbers[CONVK_CUDA_FORMFACTOR_SIDE_];
      CONVK_CUDA_UNROLL_
      for (int n = 0; n < shape_::side_; n += wide_)
        convk_cuda_get_(numbers + n, side + CONVK_CUDA_FORMFACTOR_SIDE_ * (i + u) + n);
      convk_cuda_formfactor_terms_(own, own + 2, numbers, numbers + 3, a.per, e[2 * u], e[2 * u + 1], f[2 * u], f[2 * u + 1],
                                   count_ > 2, terms);
      CONVK_CUDA_UNROLL_
      for (int n = 0; n < 2 * count_; n += wide_)
        convk_cuda_put_(term + 2 * count_ * all_ * part + mine * wide_ + (2 * count_ * (i + u) + n) * all_, terms + n);
    }
  }
}

/* The matrix product of a tile for the triangles of a step: a thread's rows, by factors in `term`, times its lanes of E. */
template <class shape_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_formfactor_product_(const real_ *lane_q, const real_ *phase, const real_ *term,
                                                       real_ (*re)[shape_::each_], real_ (*im)[shape_::each_]) {
  enum {
    wide_ = shape_::wide_,
    count_ = shape_::count_,
    all_ = shape_::all_,
    lanes_ = shape_::lanes_,
    each_ = shape_::each_,
    rows_ = shape_::rows_,
    part_ = shape_::part_
  };
  real_ q[each_];
  CONVK_CUDA_UNROLL_
  for (int v = 0; v < each_; v += wide_) convk_cuda_get_(q + v, lane_q + lanes_ / each_ * v);
  CONVK_CUDA_UNROLL_BY_(1)
  for (int s0 = 0; s0 < shape_::step_; s0 += part_, phase += part_ * 2 * lanes_, term += part_ * 2 * count_ * all_)
    CONVK_CUDA_EACH_(s, part_) {
      real_ er[each_], ei[each_];
      CONVK_CUDA_UNROLL_
      for (int v = 0; v < each_; v += wide_) {
        convk_cuda_get_(er + v, phase + 2 * s * lanes_ + lanes_ / each_ * v);
        convk_cuda_get_(ei + v, phase + (2 * s + 1) * lanes_ + lanes_ / each_ * v);
      }
      CONVK_CUDA_EACH_(r, rows_) {
        real_ terms[2 * count_];
        CONVK_CUDA_UNROLL_
        for (int n = 0; n < 2 * count_; n += wide_)
          convk_cuda_get_(terms + n, term + (2 * count_ * s + n) * all_ + r * (all_ / rows_) * wide_);
        CONVK_CUDA_EACH_(v, each_) convk_cuda_formfactor_multiply_(q[v], terms, count_, er[v], ei[v], &re[r][v], &im[r][v]);
      }
    }
}

/* Adds a thread's sums of a block of triangles to its doubles, and sets them to 0; `fresh`: sets both to 0. */
template <class shape_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_formfactor_grid_add_(double *sum, int fresh, real_ (*re)[shape_::each_],
                                                        real_ (*im)[shape_::each_]) {
  CONVK_CUDA_EACH_(r, shape_::rows_)
    CONVK_CUDA_EACH_(v, shape_::each_) {
      double both[2] = {0, 0};
      if (!fresh) {
        convk_cuda_get_(both, sum + 2 * shape_::threads_ * (shape_::each_ * r + v));
        both[0] = convk_cuda_add_(both[0], (double)re[r][v]);
        both[1] = convk_cuda_add_(both[1], (double)im[r][v]);
      }
      convk_cuda_put_(sum + 2 * shape_::threads_ * (shape_::each_ * r + v), both);
      re[r][v] = im[r][v] = 0;
    }
}

/* Writes a thread's doubles, or adds them to what is there. */
template <class shape_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_formfactor_grid_end_(const convk_cuda_formfactor_grid_args_<real_> &a,
                                                        const convk_cuda_formfactor_here_<shape_> &here, const double *sum,
                                                        int add, double *to) {
  enum { wide_ = shape_::wide_, each_ = shape_::each_ };
  const unsigned tx = threadIdx.x % (shape_::lanes_ / each_), ty = threadIdx.x / (shape_::lanes_ / each_);
  CONVK_CUDA_UNROLL_BY_(1)
  for (int r = 0; r < shape_::rows_; r++) CONVK_CUDA_UNROLL_BY_(1)
  for (int v = 0; v < each_; v++) {
    const size_t lane = here.lane0 + tx * wide_ + (size_t)(shape_::lanes_ / each_ * (v / wide_ * wide_) + v % wide_);
    const size_t row = here.row0 + ty + (size_t)(r * (shape_::all_ / shape_::rows_)), at = row * a.axes.n[0] + lane;
    double both[2];
    if (row >= a.axes.rows || lane >= a.axes.n[0]) continue;
    convk_cuda_get_(both, sum + 2 * shape_::threads_ * (each_ * r + v));
    to[at] = add ? convk_cuda_add_(to[at], both[0]) : both[0];
    to[a.axes.nq + at] = add ? convk_cuda_add_(to[a.axes.nq + at], both[1]) : both[1];
  }
}

/* A tile of the grid for one range of triangles, or `direct` for all of them.  While the threads multiply the triangles of one
   step, phases and factors of the next come to the other half of shared memory:
     t:     begin - step_     begin              begin + step_       ...
     make   step 0           step 1             step 2
     sum                     product of step 0  product of step 1
   6 multiply-adds for each of a triangle and a q, with fourth order 10.  Blocks of triangles are summed in T, and these sums in
   doubles, which lie in shared memory, because they change only once in a block. */
template <class real_, int lanes_, int fourth_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_FORMFACTOR_GRID_THREADS_, 4)
    convk_cuda_formfactor_grid_(const convk_cuda_formfactor_grid_args_<real_> a) {
  typedef convk_cuda_formfactor_shape_<real_, lanes_, fourth_> shape_;
  enum { wide_ = shape_::wide_, step_ = shape_::step_, phases_ = shape_::phases_, terms_ = shape_::terms_ };
  CONVK_CUDA_SHARED_(shared);
  __shared__ __align__(16) convk_cuda_formfactor_here_<shape_> here;
  double *const sum = (double *)shared + 2 * threadIdx.x; /* of a thread: every 2 threads_ of them */
  real_ *const phase = (real_ *)((double *)shared + 2 * CONVK_CUDA_FORMFACTOR_Q_), *const term = phase + 2 * phases_;
  const unsigned tx = threadIdx.x % (lanes_ / shape_::each_), ty = threadIdx.x / (lanes_ / shape_::each_);
  const size_t tasks = a.direct ? a.tiles : a.tiles * a.ranges;
  for (size_t task = blockIdx.x; task < tasks; task = here.task + gridDim.x) {
    const size_t range0 = a.direct ? 0 : convk_cuda_divide_(task, a.tiles);
    __syncthreads();
    convk_cuda_formfactor_grid_begin_<shape_>(a, task, task - range0 * a.tiles, &here); /* read after the first barrier below */
    for (int begin = (int)range0 * CONVK_CUDA_FORMFACTOR_RANGE_, more = 1; more; begin += CONVK_CUDA_FORMFACTOR_RANGE_) {
      const int end = begin + convk_cuda_least_(a.n - (size_t)begin, CONVK_CUDA_FORMFACTOR_RANGE_);
      real_ re[shape_::rows_][shape_::each_], im[shape_::rows_][shape_::each_];
      convk_cuda_formfactor_grid_add_<shape_>(sum, 1, re, im);
      CONVK_CUDA_UNROLL_BY_(1)
      for (int t = begin - step_; t < end; t += step_) {
        const unsigned now = (unsigned)t / step_ % 2;
        convk_cuda_copies_wait_();
        __syncthreads();
        if (t + step_ < end)
          convk_cuda_formfactor_grid_make_<shape_>(a, here, (unsigned)(t + step_), phase + (now ^ 1) * phases_,
                                                   term + (now ^ 1) * terms_);
        if (t < begin) continue;
        convk_cuda_formfactor_product_<shape_>(here.lane_q + tx * wide_, phase + now * phases_ + tx * wide_,
                                               term + now * terms_ + ty * wide_, re, im);
        if ((t + step_) % (int)CONVK_FORMFACTOR_BLOCK_ == 0 || t + step_ >= end)
          convk_cuda_formfactor_grid_add_<shape_>(sum, 0, re, im);
      }
      convk_cuda_formfactor_grid_end_<shape_>(
          a, here, sum, a.direct && (begin || !a.fresh),
          a.sums + (a.direct ? 0 : 2 * a.axes.nq * (size_t)(begin / CONVK_CUDA_FORMFACTOR_RANGE_)));
      more = a.direct && (size_t)begin + CONVK_CUDA_FORMFACTOR_RANGE_ < a.n;
    }
  }
}

template <class real_> struct convk_cuda_formfactor_grid_total_args_ {
  convk_formfactor_axes_ axes;
  const real_ *q[4]; /* on the axes, and the imaginary parts of z or NULL */
  convk_formfactor_body_ body;
  const double *partial, *moment;
  double *sums;
  real_ *f; /* NULL: not yet */
  size_t ranges;
  int fresh;
};

/* Adds the sums of ranges one after another; the last call adds what the moments tell, and makes F. */
template <class real_>
static __global__ void __launch_bounds__(CONVK_CUDA_FORMFACTOR_THREADS_)
    convk_cuda_formfactor_grid_total_(const convk_cuda_formfactor_grid_total_args_<real_> a) {
  CONVK_CUDA_EVERY_(i, a.axes.nq, CONVK_CUDA_FORMFACTOR_THREADS_) {
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
    CONVK_CUDA_EACH_(d, 6) moment[d] = a.moment[(size_t)d * a.axes.n[0] + at[0]];
    CONVK_CUDA_EACH_(d, 3) q[d] = (double)a.q[d][at[d]];
    q[3] = a.axes.z < 3 ? (double)a.q[3][a.axes.z == 1 ? at[1] : at[2]] : 0; /* z has no lanes then */
    convk_cuda_formfactor_grid_value_(&a.body, a.axes.axis, a.axes.z, q, moment, re, im,
                                      a.f +
                                          2 * (at[0] * a.axes.stride[0] + at[1] * a.axes.stride[1] + at[2] * a.axes.stride[2]));
  }
}
