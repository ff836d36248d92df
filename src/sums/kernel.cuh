/* ---- sums of filters ---- */

enum { CONVK_CUDA_SUMS_THREADS_ = 256 };

template <class real_> struct convk_cuda_sums_args_ : convk_sums_arguments_<real_> {
  const real_ *in, *products, *potential, *add; /* products: mixed terms, packed, one after another */
  real_ *out;
  double *rows; /* of each vector 8 sums, of each of them rows, y after y: z fastest; NULL: none */
  convk_cuda_taps_<real_> taps[3], imag[3];
};

template <class real_> struct convk_cuda_along_args_ : convk_sums_arguments_<real_> {
  const real_ *in;
  real_ *out;
  convk_cuda_taps_<real_> taps;
};

/* Point i of an axis that goes on beyond its ends: where it is in the array, and how many periods below; or nowhere. */
CONVK_CUDA_INLINE_ bool convk_cuda_sums_source_(const convk_sums_axis_device_ &axis, int64_t &i, int64_t &up) {
  const int64_t n = (int64_t)axis.n;
  up = 0;
  if (i >= 0 && i < n) return true;
  if (!axis.periodic) return false;
  up = i >= 0 ? i / n : -((n - 1 - i) / n);
  i -= up * n;
  return true;
}

/* p times what the array is multiplied by so many periods up. */
CONVK_CUDA_INLINE_ void convk_cuda_sums_turn_(const convk_sums_axis_device_ &axis, int64_t up, double *p) {
  const double re = convk_cuda_real_(axis.phase[0]), along = convk_cuda_real_(axis.phase[1]), im = up < 0 ? -along : along;
  if (!axis.turns) return;
  for (int64_t k = up < 0 ? -up : up; k > 0; k--) {
    const double was = p[0];
    p[0] = convk_cuda_sub_(convk_cuda_mul_(was, re), convk_cuda_mul_(p[1], im));
    p[1] = convk_cuda_add_(convk_cuda_mul_(was, im), convk_cuda_mul_(p[1], re));
  }
}

/* A filter along axis f from point i on, at points j and k of the others: the sum over taps in ascending order, which begins
   with 0 where `zero` says so, and else with the first product. */
template <int step_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_sums_along_(const convk_sums_axis_device_ &f, const convk_sums_axis_device_ &g,
                                               const convk_sums_axis_device_ &h, int64_t i, int64_t j, int64_t k, int kind,
                                               bool zero, const real_ *in, const real_ *taps, real_ *sum) {
  const int ntaps = (int)f.ntaps[kind];
  int64_t up_g, up_h, up;
  CONVK_CUDA_EACH_(s, step_) sum[s] = 0;
  if (!convk_cuda_sums_source_(g, j, up_g) || !convk_cuda_sums_source_(h, k, up_h)) return;
  in += ((uint64_t)j * g.pitch + (uint64_t)k * h.pitch) * step_;
  i += f.lo[kind];
  if (i >= 0 && i + ntaps <= (int64_t)f.n && !up_g && !up_h) { /* most points: no end in sight */
    in += (uint64_t)i * f.pitch * step_;
    CONVK_CUDA_UNROLL_BY_(4)
    for (int t = 0; t < ntaps; t++, in += f.pitch * step_) {
      CONVK_CUDA_EACH_(s, step_) sum[s] = t || zero ? convk_cuda_fma_(taps[t], in[s], sum[s]) : convk_cuda_mul_(taps[t], in[s]);
    }
    return;
  }
  CONVK_CUDA_UNROLL_BY_(1)
  for (int t = 0; t < ntaps; t++) {
    int64_t at = i + t;
    real_ v[step_];
    if (convk_cuda_sums_source_(f, at, up)) {
      CONVK_CUDA_EACH_(s, step_) v[s] = in[(uint64_t)at * f.pitch * step_ + (unsigned)s];
      if (step_ == 2 && ((up && f.turns) || (up_g && g.turns) || (up_h && h.turns))) {
        const real_ a = v[0], b = v[step_ - 1];
        double p[2] = {1, 0};
        convk_cuda_sums_turn_(g, up_g, p);
        convk_cuda_sums_turn_(h, up_h, p);
        convk_cuda_sums_turn_(f, up, p);
        const real_ re = (real_)p[0], im = (real_)p[1];
        v[0] = convk_cuda_fma_(-im, b, convk_cuda_mul_(re, a));
        v[step_ - 1] = convk_cuda_fma_(im, a, convk_cuda_mul_(re, b));
      }
    } else {
      CONVK_CUDA_EACH_(s, step_) v[s] = 0;
    }
    CONVK_CUDA_EACH_(s, step_) sum[s] = t || zero ? convk_cuda_fma_(taps[t], v[s], sum[s]) : convk_cuda_mul_(taps[t], v[s]);
  }
}

/* One filter alone, into a packed array: half of a mixed term.  Of axes y and z those that may wrap come in this order. */
template <class real_, int step_>
static __global__ void __launch_bounds__(CONVK_CUDA_SUMS_THREADS_)
    convk_cuda_sums_single_(const convk_cuda_along_args_<real_> a) {
  const size_t points = a.x.m * a.y.m * a.z.m;
  CONVK_CUDA_EVERY_(t, points, CONVK_CUDA_SUMS_THREADS_) {
    const size_t row = convk_cuda_divide_(t, a.x.m), z = convk_cuda_divide_(row, a.y.m);
    const int64_t i = (int64_t)(t - row * a.x.m) + a.x.origin, j = (int64_t)(row - z * a.y.m) + a.y.origin;
    const int64_t k = (int64_t)z + a.z.origin;
    real_ sum[step_];
    if (a.along == 0) convk_cuda_sums_along_<step_>(a.x, a.y, a.z, i, j, k, 0, true, a.in, a.taps.value, sum);
    else if (a.along == 1) convk_cuda_sums_along_<step_>(a.y, a.x, a.z, j, i, k, 0, false, a.in, a.taps.value, sum);
    else convk_cuda_sums_along_<step_>(a.z, a.x, a.y, k, i, j, 0, false, a.in, a.taps.value, sum);
    CONVK_CUDA_EACH_(s, step_) a.out[t * step_ + (unsigned)s] = sum[s];
  }
}

/* A point: of the input, of each filter and those times i, of each mixed term, and of the result. */
template <class real_, int step_> struct convk_cuda_sums_point_ {
  real_ x[step_], f[3][step_], g[3][step_], m[3][step_], y[step_];
};

/* What comes last to a number of the result: (b V + c) x, and d z. */
template <int step_, class real_>
CONVK_CUDA_INLINE_ real_ convk_cuda_sums_rest_(const convk_cuda_sums_args_<real_> &a, size_t at, size_t add_at, int s, real_ x,
                                               real_ y) {
  if (a.has & CONVK_SUMS_HAS_X_) {
    real_ v = a.shift;
    if (a.has & CONVK_SUMS_HAS_V_) v = convk_cuda_fma_(a.potential_factor, a.potential[at], v);
    y = convk_cuda_fma_(v, x, y);
  }
  if (a.has & CONVK_SUMS_HAS_ADD_) y = convk_cuda_fma_(a.add_factor, a.add[add_at * step_ + (unsigned)s], y);
  return y;
}

/* What comes to the filters of a point, p.y being their sum.  Places: `at` of the potential, add_at of what is added, `packed`
   of a packed array, in elements. */
template <int step_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_sums_add_(const convk_cuda_sums_args_<real_> &a, size_t at, size_t add_at, size_t packed,
                                             convk_cuda_sums_point_<real_, step_> &p) {
  const size_t all = a.x.m * a.y.m * a.z.m;
  CONVK_CUDA_EACH_(d, 3)
    if (a.has & (CONVK_SUMS_HAS_MIXED_ << d)) {
      CONVK_CUDA_EACH_(s, step_) {
        p.m[d][s] = a.products[((unsigned)d * all + packed) * step_ + (unsigned)s];
        p.y[s] = convk_cuda_fma_(a.mixed[d], p.m[d][s], p.y[s]);
      }
    }
  if (a.has & CONVK_SUMS_HAS_IMAG_) {
    const real_ re = convk_cuda_add_(convk_cuda_add_(p.g[0][0], p.g[1][0]), p.g[2][0]);
    const real_ im = convk_cuda_add_(convk_cuda_add_(p.g[0][step_ - 1], p.g[1][step_ - 1]), p.g[2][step_ - 1]);
    p.y[0] = convk_cuda_add_(p.y[0], convk_cuda_sub_((real_)0, im));
    p.y[step_ - 1] = convk_cuda_add_(p.y[step_ - 1], re);
  }
  CONVK_CUDA_EACH_(s, step_) p.y[s] = convk_cuda_sums_rest_<step_>(a, at, add_at, s, p.x[s], p.y[s]);
}

template <int step_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_sums_make_(const convk_cuda_sums_args_<real_> &a, size_t vector, size_t x, size_t y,
                                              size_t z, convk_cuda_sums_point_<real_, step_> &p) {
  const int64_t i = (int64_t)x + a.x.origin, j = (int64_t)y + a.y.origin, k = (int64_t)z + a.z.origin;
  const bool inside = (uint64_t)i < a.x.n && (uint64_t)j < a.y.n && (uint64_t)k < a.z.n;
  const real_ *in = a.in + vector * a.in_v * step_;
  convk_cuda_sums_along_<step_>(a.x, a.y, a.z, i, j, k, 0, true, in, a.taps[0].value, p.f[0]);
  convk_cuda_sums_along_<step_>(a.y, a.x, a.z, j, i, k, 0, false, in, a.taps[1].value, p.f[1]);
  convk_cuda_sums_along_<step_>(a.z, a.x, a.y, k, i, j, 0, false, in, a.taps[2].value, p.f[2]);
  if (step_ == 2 && a.has & CONVK_SUMS_HAS_IMAG_) {
    convk_cuda_sums_along_<step_>(a.x, a.y, a.z, i, j, k, 1, true, in, a.imag[0].value, p.g[0]);
    convk_cuda_sums_along_<step_>(a.y, a.x, a.z, j, i, k, 1, false, in, a.imag[1].value, p.g[1]);
    convk_cuda_sums_along_<step_>(a.z, a.x, a.y, k, i, j, 1, false, in, a.imag[2].value, p.g[2]);
  }
  CONVK_CUDA_EACH_(s, step_) {
    p.x[s] = inside ? in[((uint64_t)i + (uint64_t)j * a.y.pitch + (uint64_t)k * a.z.pitch) * step_ + (unsigned)s] : (real_)0;
    p.y[s] = p.f[0][s];
    if (a.y.ntaps[0]) p.y[s] = convk_cuda_add_(p.y[s], p.f[1][s]);
    if (a.z.ntaps[0]) p.y[s] = convk_cuda_add_(p.y[s], p.f[2][s]);
  }
  convk_cuda_sums_add_<step_>(a, x + y * a.potential_y + z * a.potential_z, x + y * a.add_y + z * a.add_z + vector * a.add_v,
                              (z * a.y.m + y) * a.x.m + x, p);
}

template <int step_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_sums_put_(const convk_cuda_sums_args_<real_> &a, size_t vector, size_t at,
                                             const convk_cuda_sums_point_<real_, step_> &p) {
  CONVK_CUDA_EACH_(s, step_) a.out[(at + vector * a.out_v) * step_ + (unsigned)s] = p.y[s];
}

/* Any call without sums: a thread has a point. */
template <class real_, int step_>
static __global__ void __launch_bounds__(CONVK_CUDA_SUMS_THREADS_)
    convk_cuda_sums_points_(const convk_cuda_sums_args_<real_> a) {
  const size_t points = a.x.m * a.y.m * a.z.m * a.vectors;
  CONVK_CUDA_EVERY_(t, points, CONVK_CUDA_SUMS_THREADS_) {
    const size_t row = convk_cuda_divide_(t, a.x.m), plane = convk_cuda_divide_(row, a.y.m);
    const size_t vector = convk_cuda_divide_(plane, a.z.m), x = t - row * a.x.m, y = row - plane * a.y.m;
    const size_t z = plane - vector * a.z.m;
    convk_cuda_sums_point_<real_, step_> p;
    convk_cuda_sums_make_<step_>(a, vector, x, y, z, p);
    convk_cuda_sums_put_<step_>(a, vector, x + y * a.out_y + z * a.out_z, p);
  }
}

/* ---- tiles ---- */

enum {
  CONVK_CUDA_SUMS_ROWS_ = 4,   /* of a tile that a thread has, and points side by side in a row */
  CONVK_CUDA_SUMS_PLANES_ = 8, /* for which filters along z go at once */
  CONVK_CUDA_SUMS_WARPS_ = 8
};
/* Numbers of a tile along x, and its rows: of 1024 numbers, four to a thread. */
#define CONVK_CUDA_SUMS_WIDTH_(step_) (32 * (step_))
#define CONVK_CUDA_SUMS_HEIGHT_(step_) (32 / (step_))
/* Pitches are odd: eight rows at once meet different banks. */
#define CONVK_CUDA_SUMS_PITCH_(step_, more) ((CONVK_CUDA_SUMS_WIDTH_(step_) + (more) * (step_)) | 1)

/* One plane of a tile with what filters of x and y see around it, but for its corners.  x0, y0: the first point, in the input's
   coordinates; a warp takes every eighth row, and loads four of them before it stores one. */
template <int step_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_sums_fill_(const convk_cuda_sums_args_<real_> &a, const real_ *in, int64_t x0, int64_t y0,
                                              int64_t z, int more_x, int more_y, real_ *tile) {
  const int width = CONVK_CUDA_SUMS_WIDTH_(step_), height = CONVK_CUDA_SUMS_HEIGHT_(step_), ahead = 4;
  const int pitch = CONVK_CUDA_SUMS_PITCH_(step_, more_x), rows = height + more_y, columns = width + more_x * step_;
  const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, lo_x = (int)a.x.lo[0], lo_y = (int)a.y.lo[0];
  int64_t up;
  const bool inside = convk_cuda_sums_source_(a.z, z, up);
  if (inside) in += (uint64_t)z * a.z.pitch * step_;
  CONVK_CUDA_UNROLL_BY_(1)
  for (int c = lane; c < columns; c += 32) {
    const bool centre = (unsigned)(c + lo_x * step_) < (unsigned)width;
    const int first = centre ? 0 : -lo_y, end = centre ? rows : height - lo_y;
    int64_t x = x0 + lo_x + c / step_;
    const bool along = inside && convk_cuda_sums_source_(a.x, x, up);
    CONVK_CUDA_UNROLL_BY_(1)
    for (int r = first + warp; r < end; r += ahead * CONVK_CUDA_SUMS_WARPS_) {
      real_ v[ahead];
      CONVK_CUDA_EACH_(u, ahead) {
        const int row = r + u * CONVK_CUDA_SUMS_WARPS_;
        int64_t y = y0 + lo_y + row;
        v[u] = along && row < end && convk_cuda_sums_source_(a.y, y, up)
                   ? in[((uint64_t)y * a.y.pitch + (uint64_t)x) * step_ + (unsigned)(c % step_)]
                   : (real_)0;
      }
      CONVK_CUDA_EACH_(u, ahead)
        if (r + u * CONVK_CUDA_SUMS_WARPS_ < end) tile[(r + u * CONVK_CUDA_SUMS_WARPS_) * pitch + c] = v[u];
    }
  }
}

/* Filters along z of a thread's rows, for some planes: of points of the input from (x, y, z) on, downwards. */
template <int step_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_sums_columns_(const convk_cuda_sums_args_<real_> &a, const real_ *in, int64_t x, int64_t y,
                                                 int64_t z, int s, real_ (*sum)[CONVK_CUDA_SUMS_PLANES_]) {
  const bool along = (uint64_t)x < a.x.n;
  const size_t stride = a.z.pitch * step_;
  const int ntaps = (int)a.z.ntaps[0];
  convk_axis_device_ axis;
  axis.n = a.z.n;
  axis.periodic = a.z.periodic;
  z += a.z.lo[0];
  CONVK_CUDA_EACH_(r, CONVK_CUDA_SUMS_ROWS_) {
    CONVK_CUDA_EACH_(k, CONVK_CUDA_SUMS_PLANES_) sum[r][k] = 0;
    if (!along || (uint64_t)(y + r) >= a.y.n || !ntaps) continue;
    const real_ *line = in + ((uint64_t)(y + r) * a.y.pitch + (uint64_t)x) * step_ + (unsigned)s;
    if (z >= 0 && z + CONVK_CUDA_SUMS_PLANES_ - 1 + ntaps <= (int64_t)a.z.n)
      convk_cuda_group_<0, CONVK_CUDA_SUMS_PLANES_>(a.taps[2].value, ntaps, convk_cuda_inner_points_<real_>(line, stride, z),
                                                    sum[r]);
    else
      convk_cuda_group_<0, CONVK_CUDA_SUMS_PLANES_>(a.taps[2].value, ntaps,
                                                    convk_cuda_any_points_<real_>(axis, line, stride, z), sum[r]);
  }
}

/* Filters along x of four numbers that lie step_ apart: these begin with 0. */
template <int step_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_sums_side_(const real_ *taps, int ntaps, const real_ *own, real_ *sum) {
  real_ x[CONVK_CUDA_SUMS_ROWS_];
  CONVK_CUDA_EACH_(g, CONVK_CUDA_SUMS_ROWS_) {
    sum[g] = 0;
    x[g] = g ? own[(g - 1) * step_] : (real_)0;
  }
  for (int k = 0; k < ntaps; k++) {
    CONVK_CUDA_UNROLL_
    for (int g = 0; g + 1 < CONVK_CUDA_SUMS_ROWS_; g++) x[g] = x[g + 1];
    x[CONVK_CUDA_SUMS_ROWS_ - 1] = own[(CONVK_CUDA_SUMS_ROWS_ - 1 + k) * step_];
    CONVK_CUDA_EACH_(g, CONVK_CUDA_SUMS_ROWS_) sum[g] = convk_cuda_fma_(taps[k], x[g], sum[g]);
  }
}

/* Calls without sums, phases and filters times i, whose filters of x and y have their point within reach.  A block goes through
   a chunk of z with a tile of x and y.  For some planes at once its threads take the filter along z from memory, where most is
   met in the cache; then plane by plane the tile comes to shared memory, and a thread takes x of four numbers side by side, and
   y of four rows of a column, where it also finishes, so that results of x change hands through `joined`. */
template <class real_, int step_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_SUMS_THREADS_, 2)
    convk_cuda_sums_tiles_(const convk_cuda_sums_args_<real_> a) {
  const int width = CONVK_CUDA_SUMS_WIDTH_(step_), height = CONVK_CUDA_SUMS_HEIGHT_(step_), mine = CONVK_CUDA_SUMS_ROWS_;
  const int ntx = (int)a.x.ntaps[0], nty = (int)a.y.ntaps[0], more_x = ntx ? ntx - 1 : 0, more_y = nty ? nty - 1 : 0;
  const int pitch = CONVK_CUDA_SUMS_PITCH_(step_, more_x), lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32;
  const int column = warp % step_ * 32 + lane, row = warp / step_ * mine, s = column % step_; /* of y, z and results */
  const int side = 8 * (lane / 8 + (step_ - 1) * 4 * (warp / 4)) + (step_ == 1 ? 4 * (warp / 4) : warp / 2 % 2); /* of x */
  const int side_row = 8 * (warp % (4 / step_)) + lane % 8;
  CONVK_CUDA_SHARED_(shared);
  real_ *const tile = (real_ *)(void *)shared, *const joined = tile + pitch * (height + more_y);
  const real_ *const own = tile + (row - (int)a.y.lo[0]) * pitch + column - (int)a.x.lo[0] * step_; /* the points themselves */
  const size_t per_plane = a.tiles_x * a.tiles_y, per_vector = per_plane * a.chunks;
  for (size_t t = blockIdx.x; t < per_vector * a.vectors; t += gridDim.x) {
    const size_t vector = convk_cuda_divide_(t, per_vector), in_vector = t - vector * per_vector;
    const size_t chunk = convk_cuda_divide_(in_vector, per_plane), in_plane = in_vector - chunk * per_plane;
    const size_t tile_y = convk_cuda_divide_(in_plane, a.tiles_x), tile_x = in_plane - tile_y * a.tiles_x;
    const size_t begin = chunk * a.chunk, end = a.z.m - begin < a.chunk ? a.z.m : begin + a.chunk;
    const size_t x = tile_x * (width / step_) + (unsigned)(column / step_), y = tile_y * height + (unsigned)row;
    const int64_t x0 = (int64_t)(tile_x * (width / step_)) + a.x.origin, y0 = (int64_t)(tile_y * height) + a.y.origin;
    const int left = x < a.x.m && y < a.y.m ? convk_cuda_least_(a.y.m - y, mine) : 0;
    const real_ *const in = a.in + vector * a.in_v * step_;
    real_ along_z[CONVK_CUDA_SUMS_ROWS_][CONVK_CUDA_SUMS_PLANES_];
    CONVK_CUDA_UNROLL_BY_(1)
    for (size_t z = begin; z < end; z++) {
      if ((z - begin) % CONVK_CUDA_SUMS_PLANES_ == 0)
        convk_cuda_sums_columns_<step_>(a, in, (int64_t)x + a.x.origin, y0 + row, (int64_t)z + a.z.origin, s, along_z);
      convk_cuda_sums_fill_<step_>(a, in, x0, y0, (int64_t)z + a.z.origin, more_x, more_y, tile);
      __syncthreads();
      real_ sum[CONVK_CUDA_SUMS_ROWS_], along_y[CONVK_CUDA_SUMS_ROWS_], point[CONVK_CUDA_SUMS_ROWS_];
      const real_ *const from = tile + (side_row - (int)a.y.lo[0]) * pitch + side, *const above = own + (int)a.y.lo[0] * pitch;
      convk_cuda_sums_side_<step_>(a.taps[0].value, ntx, from, sum);
      CONVK_CUDA_EACH_(g, mine) {
        joined[side_row * (width + 1) + side + g * step_] = sum[g];
        point[g] = own[g * pitch];
        along_y[g] = 0;
      }
      if (nty)
        convk_cuda_group_<0, CONVK_CUDA_SUMS_ROWS_>(
            a.taps[1].value, nty, [&](int k) { return above[k * pitch]; }, along_y);
      __syncthreads();
      size_t packed = (z * a.y.m + y) * a.x.m + x, potential_at = x + y * a.potential_y + z * a.potential_z;
      size_t at = x + y * a.out_y + z * a.out_z + vector * a.out_v, add_at = x + y * a.add_y + z * a.add_z + vector * a.add_v;
      CONVK_CUDA_EACH_(g, mine) {
        real_ v = joined[(row + g) * (width + 1) + column];
        if (nty) v = convk_cuda_add_(v, along_y[g]);
        if (a.z.ntaps[0]) v = convk_cuda_add_(v, along_z[g][0]);
        CONVK_CUDA_UNROLL_
        for (int k = 0; k + 1 < CONVK_CUDA_SUMS_PLANES_; k++) along_z[g][k] = along_z[g][k + 1];
        if (g < left) {
          CONVK_CUDA_EACH_(d, 3)
            if (a.has & (CONVK_SUMS_HAS_MIXED_ << d))
              v = convk_cuda_fma_(a.mixed[d], a.products[((unsigned)d * a.x.m * a.y.m * a.z.m + packed) * step_ + (unsigned)s],
                                  v);
          a.out[at * step_ + (unsigned)s] = convk_cuda_sums_rest_<step_>(a, potential_at, add_at, s, point[g], v);
        }
        packed += a.x.m; /* row by row: indices of all rows would not fit the registers */
        at += a.out_y;
        potential_at += a.potential_y;
        add_at += a.add_y;
      }
    }
  }
}

/* ---- columns: filters of one length about their point, on a grid that keeps its size ---- */

enum { CONVK_CUDA_SUMS_COLUMNS_ = 32 }; /* numbers of a block along x */
/* Its rows: a thread of long filters wants more registers. */
#define CONVK_CUDA_SUMS_LINES_(reach) ((reach) <= 4 ? 16 : 12)

/* Where the points that a filter sees are, from point i of n >= reach_: `at` of them, and bit k if there is point k.  They are
   found once, as registers allow, or at each use. */
template <int reach_> struct convk_cuda_sums_seen_ {
  enum { taps_ = 2 * reach_ + 1, kept_ = reach_ <= 4 };
  int n, i, at[taps_];
  unsigned has;
  bool periodic;

  __device__ __forceinline__ convk_cuda_sums_seen_(const convk_sums_axis_device_ &axis, int point)
      : n((int)axis.n), i(point), has(0), periodic(axis.periodic != 0) {
    CONVK_CUDA_EACH_(k, taps_) {
      at[k] = kept_ ? find(k) : 0;
      if (kept_) has |= (unsigned)found(k) << k;
    }
  }
  __device__ __forceinline__ int find(int k) const {
    const int d = k - reach_;
    return i + d < 0 ? d + n : i + d < n ? d : d - n;
  }
  __device__ __forceinline__ bool found(int k) const { return periodic || (unsigned)(i + k - reach_) < (unsigned)n; }
  __device__ __forceinline__ int place(int k) const { return kept_ ? at[k] : find(k); }
  __device__ __forceinline__ bool there(int k) const { return kept_ ? has >> k & 1 : found(k); }
  __device__ __forceinline__ bool all(int from, int to) const { return from >= reach_ && to + reach_ < n; }
};

/* A sum, and with each tap behind the first one a multiplication and addition more. */
template <int taps_, class real_, class Load>
CONVK_CUDA_INLINE_ real_ convk_cuda_sums_chain_(const real_ *taps, real_ sum, Load v) {
  CONVK_CUDA_EACH_(k, taps_ - 1) sum = convk_cuda_fma_(taps[k + 1], v(k + 1), sum);
  return sum;
}

/* A column of numbers that a thread goes down.  What the filter of z sees is in registers, which move on by a plane; one point
   more is on its way.  What those of x and y see is in the cache, since other threads had it for z. */
template <class real_, int step_, int reach_> struct convk_cuda_sums_column_ {
  enum { taps_ = 2 * reach_ + 1 };
  const real_ *first; /* its number of plane 0 */
  size_t vector;
  int s; /* which number of its element */
  convk_cuda_sums_seen_<reach_> x, y;

  __device__ __forceinline__ real_ point(const convk_cuda_sums_args_<real_> &a, int z) const {
    const int nz = (int)a.z.n;
    if ((unsigned)z >= (unsigned)nz) {
      if (!a.z.periodic) return (real_)0;
      z += z < 0 ? nz : -nz;
    }
    return first[(size_t)z * a.z.pitch * step_];
  }
  /* Planes begin ... end - 1.  inner_: filters of x and y see no end of their axis. */
  template <bool inner_> __device__ __forceinline__ void go(const convk_cuda_sums_args_<real_> &a, int begin, int end) const {
    const ptrdiff_t pitch = (ptrdiff_t)a.y.pitch * step_;
    const real_ *here = first + (size_t)begin * a.z.pitch * step_;
    real_ *to = a.out + ((size_t)x.i + (size_t)y.i * a.out_y + (size_t)begin * a.out_z + vector * a.out_v) * step_ + s;
    real_ window[taps_ + 1];
    CONVK_CUDA_EACH_(k, taps_) window[k] = point(a, begin - reach_ + k);
    for (int z = begin; z < end; z++) {
      const auto along_x = [&](int k) {
        return k == reach_  ? window[reach_]
               : inner_     ? here[(k - reach_) * step_]
               : x.there(k) ? here[x.place(k) * step_]
                            : (real_)0;
      };
      const auto along_y = [&](int k) {
        return k == reach_  ? window[reach_]
               : inner_     ? here[(k - reach_) * pitch]
               : y.there(k) ? here[y.place(k) * pitch]
                            : (real_)0;
      };
      const auto along_z = [&](int k) { return window[k]; };
      window[taps_] = z + 1 < end ? point(a, z + reach_ + 1) : (real_)0;
      real_ v = convk_cuda_fma_(a.taps[0].value[0], along_x(0), (real_)0);
      v = convk_cuda_sums_chain_<taps_>(a.taps[0].value, v, along_x);
      const real_ first_y = convk_cuda_mul_(a.taps[1].value[0], along_y(0));
      v = convk_cuda_add_(v, convk_cuda_sums_chain_<taps_>(a.taps[1].value, first_y, along_y));
      const real_ first_z = convk_cuda_mul_(a.taps[2].value[0], along_z(0));
      v = convk_cuda_add_(v, convk_cuda_sums_chain_<taps_>(a.taps[2].value, first_z, along_z));
      if (a.has & (CONVK_SUMS_HAS_X_ | CONVK_SUMS_HAS_ADD_))
        v = convk_cuda_sums_rest_<step_>(a, (size_t)x.i + (size_t)y.i * a.potential_y + (size_t)z * a.potential_z,
                                         (size_t)x.i + (size_t)y.i * a.add_y + (size_t)z * a.add_z + vector * a.add_v, s,
                                         window[reach_], v);
      *to = v;
      here += a.z.pitch * step_;
      to += a.out_z * step_;
      CONVK_CUDA_EACH_(k, taps_) window[k] = window[k + 1];
    }
  }
};

template <class real_, int step_, int reach_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_SUMS_COLUMNS_ *CONVK_CUDA_SUMS_LINES_(reach_), 1)
    convk_cuda_sums_columns_of_(const convk_cuda_sums_args_<real_> a) {
  const size_t per_plane = a.tiles_x * a.tiles_y, per_vector = per_plane * a.chunks;
  const int columns = CONVK_CUDA_SUMS_COLUMNS_;
  for (size_t t = blockIdx.x; t < per_vector * a.vectors; t += gridDim.x) {
    const size_t vector = convk_cuda_divide_(t, per_vector), in_vector = t - vector * per_vector;
    const size_t chunk = convk_cuda_divide_(in_vector, per_plane), in_plane = in_vector - chunk * per_plane;
    const size_t tile_y = convk_cuda_divide_(in_plane, a.tiles_x), tile_x = in_plane - tile_y * a.tiles_x;
    const int begin = (int)(chunk * a.chunk), nz = (int)a.z.n;
    const int end = nz - begin < (int)a.chunk ? nz : begin + (int)a.chunk;
    const int i = (int)tile_x * columns, lane = (int)threadIdx.x % columns;
    const int x = (i + lane) / step_, y = (int)tile_y * CONVK_CUDA_SUMS_LINES_(reach_) + (int)threadIdx.x / columns;
    if (x >= (int)a.x.n || y >= (int)a.y.n) continue;
    const convk_cuda_sums_column_<real_, step_, reach_> c = {a.in + (vector * a.in_v + (size_t)y * a.y.pitch) * step_ +
                                                                 (size_t)(i + lane),
                                                             vector,
                                                             (i + lane) % step_,
                                                             {a.x, x},
                                                             {a.y, y}};
    /* one way for all of a warp */
    if (c.x.all(i / step_, (i + columns - 1) / step_) && c.y.all(y, y)) c.template go<true>(a, begin, end);
    else c.template go<false>(a, begin, end);
  }
}

/* ---- sums ---- */

/* Adds what a point gives to the sums of a row: see CONVK_SUMS_PARTS_. */
template <int step_, class real_>
CONVK_CUDA_INLINE_ void convk_cuda_sums_gather_(const convk_cuda_sums_args_<real_> &a, size_t at,
                                                const convk_cuda_sums_point_<real_, step_> &p, double (*sum)[step_]) {
  const convk_sums_axis_device_ *const axis[3] = {&a.x, &a.y, &a.z};
  CONVK_CUDA_EACH_(s, step_) {
    const double x = (double)p.x[s], y = (double)p.y[s];
    const double other = (double)(s ? p.x[0] : convk_cuda_sub_((real_)0, p.x[step_ - 1])); /* of i x */
    sum[0][s] = convk_cuda_fma_(x, y, sum[0][s]);
    if (step_ == 2) sum[1][s] = convk_cuda_fma_(other, y, sum[1][s]);
    if (a.has & CONVK_SUMS_HAS_V_) sum[2][s] = convk_cuda_fma_((double)convk_cuda_mul_(a.potential[at], p.x[s]), x, sum[2][s]);
    sum[3][s] = convk_cuda_fma_(y, y, sum[3][s]);
    CONVK_CUDA_EACH_(d, 3) {
      if (axis[d]->ntaps[0]) sum[4 + d][s] = convk_cuda_fma_(x, (double)p.f[d][s], sum[4 + d][s]);
      if (step_ == 2 && a.has & CONVK_SUMS_HAS_IMAG_ && axis[d]->ntaps[1])
        sum[7 + d][s] = convk_cuda_fma_(other, (double)p.g[d][s], sum[7 + d][s]);
      if (a.has & (CONVK_SUMS_HAS_MIXED_ << d)) sum[10 + d][s] = convk_cuda_fma_(x, (double)p.m[d][s], sum[10 + d][s]);
    }
  }
}

/* The same with sums: a row has 16 / step_ threads, each with those of the processors' lanes that its numbers go to, and they
   join them by the same tree. */
template <class real_, int step_>
static __global__ void CONVK_CUDA_BOUNDS_(CONVK_CUDA_SUMS_THREADS_, 1)
    convk_cuda_sums_rows_(const convk_cuda_sums_args_<real_> a) {
  const unsigned lanes = 16 / step_, lane = threadIdx.x % lanes;
  const size_t rows = a.y.m * a.z.m * a.vectors, block = CONVK_CUDA_SUMS_THREADS_ / lanes;
  for (size_t first = (size_t)blockIdx.x * block; first < rows; first += (size_t)gridDim.x * block) {
    const size_t row = first + threadIdx.x / lanes, plane = convk_cuda_divide_(row, a.y.m);
    const size_t vector = convk_cuda_divide_(plane, a.z.m), y = row - plane * a.y.m, z = plane - vector * a.z.m;
    double sum[CONVK_SUMS_PARTS_][step_], part[CONVK_SUMS_PARTS_];
    CONVK_CUDA_EACH_(k, CONVK_SUMS_PARTS_) {
      CONVK_CUDA_EACH_(s, step_) sum[k][s] = 0;
    }
    CONVK_CUDA_UNROLL_BY_(1)
    for (size_t x = row < rows ? lane : a.x.m; x < a.x.m; x += lanes) {
      const size_t at = x + y * a.out_y + z * a.out_z, potential_at = x + y * a.potential_y + z * a.potential_z;
      convk_cuda_sums_point_<real_, step_> p;
      convk_cuda_sums_make_<step_>(a, vector, x, y, z, p);
      convk_cuda_sums_gather_<step_>(a, potential_at, p, sum);
      if (a.has & CONVK_SUMS_HAS_OUT_) convk_cuda_sums_put_<step_>(a, vector, at, p);
    }
    CONVK_CUDA_EACH_(k, CONVK_SUMS_PARTS_) {
      CONVK_CUDA_UNROLL_
      for (unsigned h = lanes / 2; h; h /= 2) {
        CONVK_CUDA_EACH_(s, step_) sum[k][s] = convk_cuda_add_(sum[k][s], CONVK_CUDA_SHUFFLE_DOWN_(sum[k][s], h, lanes));
      }
      part[k] = step_ == 2 ? convk_cuda_add_(sum[k][0], sum[k][step_ - 1]) : sum[k][0];
    }
    if (row >= rows || lane) continue;
    double mixed = 0;
    CONVK_CUDA_EACH_(d, 3)
      if (a.has & (CONVK_SUMS_HAS_MIXED_ << d))
        mixed = convk_cuda_add_(mixed, convk_cuda_mul_((double)a.mixed[d], part[10 + d]));
    CONVK_CUDA_EACH_(k, 8) {
      double v = k < 7 ? part[k] : mixed;
      if (k >= 4 && k < 7 && a.has & CONVK_SUMS_HAS_IMAG_) v = convk_cuda_sub_(v, part[k + 3]);
      a.rows[((vector * 8 + (unsigned)k) * a.y.m + y) * a.z.m + z] = v;
    }
  }
}

/* Rows of a plane, then planes, each in sequence, of so many sums: a block for each. */
struct convk_cuda_sums_total_args_ {
  const double *rows;
  double *planes, *total;
  size_t count, ny, nz;
};
template <class Args> /* a template, so that units that do not start it hold no copy */
static __global__ void __launch_bounds__(CONVK_CUDA_SUMS_THREADS_) convk_cuda_sums_total_(const Args a) {
  for (size_t k = blockIdx.x; k < a.count; k += gridDim.x) {
    for (size_t z = threadIdx.x; z < a.nz; z += CONVK_CUDA_SUMS_THREADS_)
      a.planes[k * a.nz + z] = convk_cuda_total_of_(a.rows + k * a.ny * a.nz + z, a.nz, a.ny, 0.0);
    __syncthreads();
    if (threadIdx.x == 0) a.total[k] = convk_cuda_total_of_(a.planes + k * a.nz, 1, a.nz, 0.0);
  }
}
