#include "device/preamble.cl"
#include "words/opencl.cl"
#include "sums/arguments.h"

/* Point *i of an axis that goes on beyond its ends: where it is in the array, and how many periods below; 0: nowhere. */
int source(const convk_sums_axis_device_ *axis, long *i, long *up) {
  const long n = (long)axis->n;
  *up = 0;
  if (*i >= 0 && *i < n) return 1;
  if (!axis->periodic) return 0;
  *up = *i >= 0 ? *i / n : -((n - 1 - *i) / n);
  *i -= *up * n;
  return 1;
}

#if PHASES
/* p times what the array is multiplied by so many periods up. */
void turn(const convk_sums_axis_device_ *axis, long up, double *p) {
  const double re = as_double(axis->phase[0]), im = up < 0 ? -as_double(axis->phase[1]) : as_double(axis->phase[1]);
  long k = up < 0 ? -up : up;
  if (!axis->turns) return;
  for (; k > 0; k--) {
    const double was = p[0];
    p[0] = was * re - p[1] * im;
    p[1] = was * im + p[1] * re;
  }
}
#endif

/* A filter along axis f from point i on, at points j and k of the others: the sum over taps in ascending order, which begins
   with 0 where `zero` says so, and else with the first product. */
void along(const convk_sums_axis_device_ *f, const convk_sums_axis_device_ *g, const convk_sums_axis_device_ *h, long i, long j,
           long k, int kind, int zero, global const T *in, constant const T *taps, T *sum) {
  const int ntaps = (int)f->ntaps[kind];
  long up_g, up_h, up;
  int t, s;
  for (s = 0; s < STEP; s++) sum[s] = 0;
  if (!source(g, &j, &up_g) || !source(h, &k, &up_h)) return;
  in += ((ulong)j * g->pitch + (ulong)k * h->pitch) * STEP;
  i += f->lo[kind];
  if (i >= 0 && i + ntaps <= (long)f->n && !up_g && !up_h) { /* most points: no end in sight */
    in += (ulong)i * f->pitch * STEP;
    for (t = 0; t < ntaps; t++, in += f->pitch * STEP)
      for (s = 0; s < STEP; s++) sum[s] = t || zero ? fma(taps[t], in[s], sum[s]) : taps[t] * in[s];
    return;
  }
  for (t = 0; t < ntaps; t++) {
    long at = i + t;
    T v[STEP];
    for (s = 0; s < STEP; s++) v[s] = 0;
    if (source(f, &at, &up)) {
      for (s = 0; s < STEP; s++) v[s] = in[(ulong)at * f->pitch * STEP + (ulong)s];
#if PHASES
      if ((up && f->turns) || (up_g && g->turns) || (up_h && h->turns)) {
        double p[2] = {1, 0};
        T re, im, a = v[0], b = v[STEP - 1];
        turn(g, up_g, p);
        turn(h, up_h, p);
        turn(f, up, p);
        re = (T)p[0];
        im = (T)p[1];
        v[0] = fma(-im, b, re * a);
        v[STEP - 1] = fma(im, a, re * b);
      }
#endif
    }
    for (s = 0; s < STEP; s++) sum[s] = t || zero ? fma(taps[t], v[s], sum[s]) : taps[t] * v[s];
  }
}

#ifdef SUMCONV_ALONG
/* One filter alone, into a packed array: half of a mixed term.  Of axes y and z those that may wrap come in this order. */
kernel void sumconv_along(const CONVK_ARGUMENTS_(sums) args, global const T *in, constant T *taps, global T *out, ulong first) {
  const ulong item = get_global_id(0), mx = args.x.m, y = item / mx, x = item - y * mx, z = get_group_id(1) + first;
  const long i = (long)x + args.x.origin, j = (long)y + args.y.origin, k = (long)z + args.z.origin;
  T sum[STEP];
  int s;
  if (y >= args.y.m) return;
  in += args.in_at;
  taps += args.along * MAX_TAPS;
  if (args.along == 0) along(&args.x, &args.y, &args.z, i, j, k, 0, 1, in, taps, sum);
  else if (args.along == 1) along(&args.y, &args.x, &args.z, j, i, k, 0, 0, in, taps, sum);
  else along(&args.z, &args.x, &args.y, k, i, j, 0, 0, in, taps, sum);
  for (s = 0; s < STEP; s++) out[args.out_at + ((z * args.y.m + y) * mx + x) * STEP + (ulong)s] = sum[s];
}
#endif

#ifdef SUMCONV_POINTS
/* A point: of the input, of each filter and those times i, of each mixed term, and of the result. */
typedef struct point {
  T x[STEP], f[3][STEP], g[3][STEP], m[3][STEP], y[STEP];
} point;

void make(const CONVK_ARGUMENTS_(sums) * args, global const T *in, constant const T *taps, constant const T *imag,
          global const T *mixed, global const T *potential, global const T *add, ulong vector, ulong x, ulong y, ulong z,
          point *p) {
  const long i = (long)x + args->x.origin, j = (long)y + args->y.origin, k = (long)z + args->z.origin;
  const ulong at = x + y * args->potential_y + z * args->potential_z;
  const ulong add_at = x + y * args->add_y + z * args->add_z + vector * args->add_v, all = args->x.m * args->y.m * args->z.m;
  const ulong packed = (z * args->y.m + y) * args->x.m + x;
  const int inside = i >= 0 && i < (long)args->x.n && j >= 0 && j < (long)args->y.n && k >= 0 && k < (long)args->z.n;
  const uint has = args->has;
  int d, s;
  in += args->in_at + vector * args->in_v * STEP;
  along(&args->x, &args->y, &args->z, i, j, k, 0, 1, in, taps, p->f[0]);
  along(&args->y, &args->x, &args->z, j, i, k, 0, 0, in, taps + MAX_TAPS, p->f[1]);
  along(&args->z, &args->x, &args->y, k, i, j, 0, 0, in, taps + 2 * MAX_TAPS, p->f[2]);
  if (has & CONVK_SUMS_HAS_IMAG_) {
    along(&args->x, &args->y, &args->z, i, j, k, 1, 1, in, imag, p->g[0]);
    along(&args->y, &args->x, &args->z, j, i, k, 1, 0, in, imag + MAX_TAPS, p->g[1]);
    along(&args->z, &args->x, &args->y, k, i, j, 1, 0, in, imag + 2 * MAX_TAPS, p->g[2]);
  }
  for (s = 0; s < STEP; s++) {
    p->x[s] = inside ? in[((ulong)i + (ulong)j * args->y.pitch + (ulong)k * args->z.pitch) * STEP + (ulong)s] : (T)0;
    p->y[s] = p->f[0][s];
    if (args->y.ntaps[0]) p->y[s] = p->y[s] + p->f[1][s];
    if (args->z.ntaps[0]) p->y[s] = p->y[s] + p->f[2][s];
    for (d = 0; d < 3; d++)
      if (has & (CONVK_SUMS_HAS_MIXED_ << d)) {
        p->m[d][s] = mixed[args->mixed_at + ((ulong)d * all + packed) * STEP + (ulong)s];
        p->y[s] = fma(args->mixed[d], p->m[d][s], p->y[s]);
      }
  }
  if (has & CONVK_SUMS_HAS_IMAG_) {
    const T re = p->g[0][0] + p->g[1][0] + p->g[2][0];
    const T im = p->g[0][STEP - 1] + p->g[1][STEP - 1] + p->g[2][STEP - 1];
    p->y[0] = p->y[0] + ((T)0 - im);
    p->y[STEP - 1] = p->y[STEP - 1] + re;
  }
  for (s = 0; s < STEP; s++) {
    if (has & CONVK_SUMS_HAS_X_) {
      const T v =
          has & CONVK_SUMS_HAS_V_ ? fma(args->potential_factor, potential[args->potential_at + at], args->shift) : args->shift;
      p->y[s] = fma(v, p->x[s], p->y[s]);
    }
    if (has & CONVK_SUMS_HAS_ADD_) p->y[s] = fma(args->add_factor, add[args->add_at + add_at * STEP + (ulong)s], p->y[s]);
  }
}

void put(const CONVK_ARGUMENTS_(sums) * args, global T *out, ulong vector, ulong x, ulong y, ulong z, const T *v) {
  int s;
  out += args->out_at + (x + y * args->out_y + z * args->out_z + vector * args->out_v) * STEP;
  for (s = 0; s < STEP; s++) out[s] = v[s];
}

#ifndef SUMS
kernel void sumconv_points(const CONVK_ARGUMENTS_(sums) args, global const T *in, constant T *taps, constant T *imag,
                           global const T *mixed, global const T *potential, global const T *add, global T *out, ulong first) {
  const ulong item = get_global_id(0), y = item / args.x.m, x = item - y * args.x.m;
  const ulong line = get_group_id(1) + first, vector = line / args.z.m, z = line - vector * args.z.m;
  point p;
  if (y >= args.y.m) return;
  make(&args, in, taps, imag, mixed, potential, add, vector, x, y, z, &p);
  put(&args, out, vector, x, y, z, p.y);
}
#else
#define LANES (16 / STEP) /* items of a row: each has the lanes of the processors' sums that its numbers go to */

/* Adds what a point gives to the sums of a row. */
void gather(const CONVK_ARGUMENTS_(sums) * args, const point *p, global const T *potential, ulong at, double (*sum)[STEP]) {
  const uint ntaps[3][2] = {
      {args->x.ntaps[0], args->x.ntaps[1]}, {args->y.ntaps[0], args->y.ntaps[1]}, {args->z.ntaps[0], args->z.ntaps[1]}};
  int d, s;
  for (s = 0; s < STEP; s++) {
    const double x = (double)p->x[s], y = (double)p->y[s];
    const T other = s ? p->x[0] : (T)0 - p->x[STEP - 1]; /* of i x */
    sum[0][s] = fma(x, y, sum[0][s]);
    if (STEP == 2) sum[1][s] = fma((double)other, y, sum[1][s]);
    if (args->has & CONVK_SUMS_HAS_V_) sum[2][s] = fma((double)(potential[args->potential_at + at] * p->x[s]), x, sum[2][s]);
    sum[3][s] = fma(y, y, sum[3][s]);
    for (d = 0; d < 3; d++) {
      if (ntaps[d][0]) sum[4 + d][s] = fma(x, (double)p->f[d][s], sum[4 + d][s]);
      if (ntaps[d][1] && args->has & CONVK_SUMS_HAS_IMAG_)
        sum[7 + d][s] = fma((double)other, (double)p->g[d][s], sum[7 + d][s]);
      if (args->has & (CONVK_SUMS_HAS_MIXED_ << d)) sum[10 + d][s] = fma(x, (double)p->m[d][s], sum[10 + d][s]);
    }
  }
}

/* The sum of the lanes of a row. */
double tree(local const double *from) {
  double s[16];
  int h, k;
  for (k = 0; k < 16; k++) s[k] = from[k];
  for (h = 8; h; h /= 2)
    for (k = 0; k < h; k++) s[k] = CONVK_SUM_(double, s[k], s[k + h]);
  return s[0];
}

/* The same with sums: a row has LANES items, or where a group has fewer these in turns.  `join` has room for the parts of all
   lanes, and for their trees. */
kernel void sumconv_points(const CONVK_ARGUMENTS_(sums) args, global const T *in, constant T *taps, constant T *imag,
                           global const T *mixed, global const T *potential, global const T *add, global T *out,
                           global double *rows, local double *join, ulong first) {
  const int items = (int)get_local_size(0), members = items < LANES ? items : LANES, lines = items / members;
  const int item = (int)get_local_id(0), own = item / members, all = lines * LANES;
  const ulong line = get_group_id(1) + first, vector = line / args.z.m, z = line - vector * args.z.m;
  const ulong y = get_group_id(0) * (ulong)lines + (ulong)own;
  local double *total = join + CONVK_SUMS_PARTS_ * all * STEP + own * CONVK_SUMS_PARTS_;
  int k, s, lane;
  for (lane = item % members; lane < LANES; lane += members) {
    double sum[CONVK_SUMS_PARTS_][STEP];
    ulong x;
    for (k = 0; k < CONVK_SUMS_PARTS_; k++)
      for (s = 0; s < STEP; s++) sum[k][s] = 0;
    for (x = (ulong)lane; x < args.x.m && y < args.y.m; x += LANES) {
      point p;
      make(&args, in, taps, imag, mixed, potential, add, vector, x, y, z, &p);
      gather(&args, &p, potential, x + y * args.potential_y + z * args.potential_z, sum);
      if (args.has & CONVK_SUMS_HAS_OUT_) put(&args, out, vector, x, y, z, p.y);
    }
    for (k = 0; k < CONVK_SUMS_PARTS_; k++)
      for (s = 0; s < STEP; s++) join[(k * all + own * LANES + lane) * STEP + s] = sum[k][s];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (k = item % members; k < CONVK_SUMS_PARTS_; k += members) total[k] = tree(join + (k * all + own * LANES) * STEP);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (y >= args.y.m) return;
  for (k = item % members; k < 8; k += members) {
    double v = k < 7 ? total[k] : 0;
    if (k >= 4 && k < 7 && args.has & CONVK_SUMS_HAS_IMAG_) v = v - total[k + 3];
    for (s = 0; k == 7 && s < 3; s++)
      if (args.has & (CONVK_SUMS_HAS_MIXED_ << s)) v = v + (double)args.mixed[s] * total[10 + s];
    rows[args.rows_at + ((vector * 8 + (ulong)k) * args.z.m + z) * args.y.m + y] = v;
  }
}
#endif
#endif

#ifdef SUMCONV_TILES
#define ROWS 4   /* of a tile that an item has */
#define PLANES 4 /* for which filters along z go at once */

/* Input k of `count` sums of ntaps taps, which begin one after another. */
void spread(T *sum, const int count, constant const T *taps, int ntaps, int k, T v) {
  int t;
  for (t = 0; t < count; t++) {
    if (k == t) sum[t] = taps[0] * v;
    else if (k > t && k < t + ntaps) sum[t] = fma(taps[k - t], v, sum[t]);
  }
}

/* One plane of a tile with what filters of x and y see around it. */
void fill(const CONVK_ARGUMENTS_(sums) * args, global const T *in, ulong first, long y0, long z, int columns, int rows,
          int pitch, local T *tile) {
  const int items = (int)get_local_size(0);
  const int inside = z >= 0 && z < (long)args->z.n;
  int i;
  for (i = (int)get_local_id(0); i < columns * rows; i += items) {
    const int r = i / columns, c = i - r * columns;
    const ulong e = first + (ulong)c;
    long x = (long)(e / STEP) + args->x.lo[0] + args->x.origin, y = y0 + r + args->y.lo[0] + args->y.origin, up;
    T v = 0;
    if (inside && source(&args->x, &x, &up) && source(&args->y, &y, &up))
      v = in[((ulong)x + (ulong)y * args->y.pitch + (ulong)z * args->z.pitch) * STEP + e % STEP];
    tile[r * pitch + c] = v;
  }
}

/* Filters along z of an item's rows, for some planes: of points of the input from (x, y, z) on. */
void columns_of(const CONVK_ARGUMENTS_(sums) * args, global const T *in, constant const T *taps, long x, long y, long z,
                ulong s, T (*sum)[PLANES]) {
  const int ntaps = (int)args->z.ntaps[0];
  int k, r, t;
  for (r = 0; r < ROWS; r++) {
    for (t = 0; t < PLANES; t++) sum[r][t] = 0;
    if (!ntaps || x < 0 || x >= (long)args->x.n || y + r < 0 || y + r >= (long)args->y.n) continue;
    for (k = 0; k < ntaps + PLANES - 1; k++) {
      long at = z + args->z.lo[0] + k, up;
      T v = 0;
      if (source(&args->z, &at, &up))
        v = in[((ulong)x + (ulong)(y + r) * args->y.pitch + (ulong)at * args->z.pitch) * STEP + s];
      spread(sum[r], PLANES, taps, ntaps, k, v);
    }
  }
}

/* Calls without sums, phases and filters times i, whose filters of x and y have their point within reach.  A group goes through
   a chunk of z with a tile of `columns` numbers along x, and ROWS rows for each of its other items: for some planes at once
   filters along z come from memory, then plane by plane those of x and y from local memory. */
kernel void sumconv_tiles(const CONVK_ARGUMENTS_(sums) args, global const T *in, constant T *taps, global const T *mixed,
                          global const T *potential, global const T *add, global T *out, local T *tile, ulong first) {
  const int width = (int)args.columns, lx = (int)get_local_id(0) % width, row = (int)get_local_id(0) / width * ROWS;
  const int height = (int)get_local_size(0) / width * ROWS, ntx = (int)args.x.ntaps[0], nty = (int)args.y.ntaps[0];
  const int columns = width + (ntx ? ntx - 1 : 0) * STEP, rows = height + (nty ? nty - 1 : 0), pitch = columns | 1;
  const int lo_x = (int)args.x.lo[0] * STEP, lo_y = (int)args.y.lo[0];
  const ulong tile_y = get_group_id(0) / args.tiles_x, tile_x = get_group_id(0) - tile_y * args.tiles_x;
  const ulong line = get_group_id(1) + first, vector = line / args.chunks, begin = (line - vector * args.chunks) * args.chunk;
  const ulong end = args.z.m - begin < args.chunk ? args.z.m : begin + args.chunk;
  const ulong e = tile_x * (ulong)width + (ulong)lx, x = e / STEP, s = e % STEP, y = tile_y * (ulong)height + (ulong)row;
  local const T *const side = tile + (row - lo_y) * pitch + lx, *const above = tile + row * pitch + lx - lo_x;
  T along_z[ROWS][PLANES];
  ulong z;
  int d, k, r, t;
  in += args.in_at + vector * args.in_v * STEP;
  for (z = begin; z < end; z++) {
    const ulong plane = x + z * args.out_z;
    T sum[ROWS], along_y[ROWS], p[ROWS];
    long at = (long)z + args.z.origin;
    if ((z - begin) % PLANES == 0)
      columns_of(&args, in, taps + 2 * MAX_TAPS, (long)x + args.x.origin, (long)y + args.y.origin, at, s, along_z);
    fill(&args, in, tile_x * (ulong)width, (long)(tile_y * (ulong)height), at, columns, rows, pitch, tile);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (r = 0; r < ROWS; r++) {
      sum[r] = along_y[r] = 0;
      p[r] = side[r * pitch - lo_x];
    }
    for (k = 0; k < ntx; k++)
      for (r = 0; r < ROWS; r++) sum[r] = fma(taps[k], side[r * pitch + k * STEP], sum[r]);
    for (k = 0; nty && k < nty + ROWS - 1; k++) spread(along_y, ROWS, taps + MAX_TAPS, nty, k, above[k * pitch]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (r = 0; r < ROWS; r++) {
      const ulong own = plane + (y + (ulong)r) * args.out_y;
      const ulong potential_at = args.potential_at + x + (y + (ulong)r) * args.potential_y + z * args.potential_z;
      const ulong add_at = x + (y + (ulong)r) * args.add_y + z * args.add_z + vector * args.add_v;
      const ulong all = args.x.m * args.y.m * args.z.m;
      T v = sum[r];
      if (nty) v = v + along_y[r];
      if (args.z.ntaps[0]) v = v + along_z[r][0];
      for (t = 0; t + 1 < PLANES; t++) along_z[r][t] = along_z[r][t + 1];
      if (x >= args.x.m || y + (ulong)r >= args.y.m) continue;
      for (d = 0; d < 3; d++)
        if (args.has & (CONVK_SUMS_HAS_MIXED_ << d))
          v = fma(args.mixed[d],
                  mixed[args.mixed_at + ((ulong)d * all + (z * args.y.m + y + (ulong)r) * args.x.m + x) * STEP + s], v);
      if (args.has & CONVK_SUMS_HAS_X_)
        v = fma(args.has & CONVK_SUMS_HAS_V_ ? fma(args.potential_factor, potential[potential_at], args.shift) : args.shift,
                p[r], v);
      if (args.has & CONVK_SUMS_HAS_ADD_) v = fma(args.add_factor, add[args.add_at + add_at * STEP + s], v);
      out[args.out_at + (own + vector * args.out_v) * STEP + s] = v;
    }
  }
}
#endif
