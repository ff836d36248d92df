#include "device/preamble.cl"
#include "words/opencl.cl"

#include "turns/element.h"
#include "formfactor/element.h"
#include "formfactor/opencl_arguments.h"
#include "formfactor/triangle.h"

/* R: double where the device has it; SUM: one, or a float and what its roundings lost. */
#if FP64
typedef double R, SUM;
#define CONVK_ROF_(f32, f64) f64
#define CONVK_RBITS_(x) as_ulong(x)
#define CONVK_RREAL_(u) as_double(u)
#define TOTAL(s) (s)
SUM sum_of(SUM s, T v) { return CONVK_SUM_(double, s, v); }
#else
typedef float R;
typedef float2 SUM;
#define CONVK_ROF_(f32, f64) f32
#define CONVK_ROOT_(x) sqrt(x)
#define TOTAL(s) ((s).x + (s).y)
SUM sum_of(SUM s, T v) {
  const float t = CONVK_SUM_(float, s.x, v), b = CONVK_SUM_(float, t, -s.x);
  return (float2)(t, CONVK_SUM_(float, s.y, CONVK_SUM_(float, s.x - (t - b), v - b)));
}
#endif
#define CONVK_R R
typedef struct convk_formfactor_body_ {
  R volume, gap[3], extent, edge, limit;
  int closed, least;
} convk_formfactor_body_;
#include "formfactor/per_q.h"

/* What every kernel takes; arrays that are not there are not looked at.  unit: of lengths on the lanes' axis of a grid. */
#define ARGUMENTS \
  const convk_formfactor_arguments_ args, R volume, R gx, R gy, R gz, R extent, R edge, R limit, int closed, int least, \
      T unit, T per, global const T *ax, global const T *ay, global const T *az, global const T *x, global const T *y, \
      global const T *z, global const T *ux, global const T *uy, global const T *uz, global const T *wx, global const T *wy, \
      global const T *wz, global const T *qx, global const T *qy, global const T *qz, global const T *qi, global const T *qxi, \
      global const T *qyi, global SUM *sums, global T *f
#define BODY \
  { volume, {gx, gy, gz}, extent, edge, limit, closed, least }
#define FIELDS \
  { \
    ax + args.field[0], ay + args.field[1], az + args.field[2], x + args.field[3], y + args.field[4], z + args.field[5], \
        ux + args.field[6], uy + args.field[7], uz + args.field[8], wx + args.field[9], wy + args.field[10], \
        wz + args.field[11] \
  }
#define WORK (sums + args.work)
/* Element i of an array of q, and of imaginary parts that there may be. */
#define QX(i) qx[args.q[0] + (i)]
#define QY(i) qy[args.q[1] + (i)]
#define QZ(i) qz[args.q[2] + (i)]
#define QI(i) (IMAG & 1 ? qi[args.q[3] + (i)] : 0)
#define Q_OF(i) \
  { QX(i), QY(i), QZ(i), QI(i), IMAG & 2 ? qxi[args.q[4] + (i)] : 0, IMAG & 4 ? qyi[args.q[5] + (i)] : 0 }
#define NUMBERS (ORDER ? 12 : 6) /* of a triangle: area, centroid, corners */

#ifdef FORM_LIST
#define TILE 64                 /* triangles in local memory */
#define STRIDE (ORDER ? 12 : 8) /* numbers of one of them there */

/* Adds one triangle, whose numbers lie at v. */
void add_triangle(local const T *v, int order, const T *scaled, T *re, T *im, T *re_z, T *im_z) {
  const T area[3] = {v[0], v[1], v[2]}, at[3] = {v[3], v[4], v[5]};
#if ORDER
  const T u[3] = {v[6], v[7], v[8]}, w[3] = {v[9], v[10], v[11]};
  convk_formfactor_triangle_(1, order, scaled, area, at, u, w, IMAG != 0, re, im, re_z, im_z);
#else
  convk_formfactor_triangle_(0, 0, scaled, area, at, at, at, IMAG != 0, re, im, re_z, im_z);
#endif
}

/* Sums of blocks of triangles from `at` on: a group has a block, and ITEMS times POINTS vectors of q. */
CONVK_GROUP_KERNEL_ form_list(ARGUMENTS) {
  local T tile[TILE * STRIDE];
  global const T *const field[] = FIELDS;
  const ulong n = args.n, nq = args.nq;
  const int item = (int)get_local_id(0);
  const ulong begin = (ulong)get_group_id(0) * (ITEMS * POINTS) + item;
  const ulong start = args.at + (ulong)get_group_id(1) * BLOCK, end = min(start + BLOCK, n);
  const convk_formfactor_body_ body = BODY;
  T scaled[POINTS][13];
  int order[POINTS];
  T re[POINTS], im[POINTS], re_z[POINTS], im_z[POINTS];
  global T *partial;
  ulong base;
  int k, p;
#if POINTS <= 8
#pragma unroll
#endif
  for (p = 0; p < POINTS; p++) {
    const ulong i = min(begin + p * ITEMS, nq - 1);
    const R q[6] = Q_OF(i);
    R norm;
    convk_formfactor_scaled_(q, scaled[p], &norm);
    order[p] = ORDER;
    if (ORDER < 0) {
      T fitted;
      convk_formfactor_order_(&body, norm, &fitted);
      order[p] = (int)fitted;
    }
    re[p] = im[p] = re_z[p] = im_z[p] = 0;
  }
  for (base = start; base < end; base += TILE) {
    const int count = (int)min(end - base, (ulong)TILE);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (k = item; k < count; k += ITEMS) {
      local T *v = tile + k * STRIDE;
      CONVK_EACH_(p, NUMBERS) v[p] = field[p][base + k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (k = 0; k < count; k++) {
#if POINTS <= 8
#pragma unroll
#endif
      for (p = 0; p < POINTS; p++) add_triangle(tile + k * STRIDE, order[p], scaled[p], &re[p], &im[p], &re_z[p], &im_z[p]);
    }
  }
  partial = (global T *)(WORK + 2 * nq) + (ulong)get_group_id(1) * 2 * nq;
#if POINTS <= 8
#pragma unroll
#endif
  for (p = 0; p < POINTS; p++)
    if (begin + p * ITEMS < nq) {
      partial[begin + p * ITEMS] = fma(-scaled[p][7], re_z[p], re[p]);
      partial[nq + begin + p * ITEMS] = fma(scaled[p][7], im_z[p], im[p]);
    }
}
#endif

#ifdef FORM_ADD
/* The blocks' sums, in their order, are added up; after the last of them comes F. */
kernel void form_add(ARGUMENTS) {
  global SUM *const work = WORK;
  const ulong nq = args.nq, i = get_global_id(0);
  global const T *partial = (global const T *)(work + 2 * nq);
  SUM re = 0, im = 0;
  ulong k;
  if (i >= nq) return;
  if (!args.first) {
    re = work[i];
    im = work[nq + i];
  }
  for (k = 0; k < args.blocks; k++) {
    re = sum_of(re, partial[2 * k * nq + i]);
    im = sum_of(im, partial[(2 * k + 1) * nq + i]);
  }
  if (args.last) {
    const R q[6] = Q_OF(i);
    const convk_formfactor_body_ body = BODY;
    T value[2], scaled[13];
    R norm;
    convk_formfactor_scaled_(q, scaled, &norm);
    convk_formfactor_list_value_(&body, q, norm, TOTAL(re), TOTAL(im), value);
    f[args.f + 2 * i] = value[0];
    f[args.f + 2 * i + 1] = value[1];
  } else {
    work[i] = re;
    work[nq + i] = im;
  }
}
#endif

/* A tensor grid.  Values of q on all axes stand one after the other.  Work: sums, then moments, in doubles; from `table` on
   (in elements of the type) the phases of a batch of triangles, real and imaginary parts by triangle and value; from
   `partial` on sums of its blocks. */

#ifdef FORM_PHASE
/* (exp(i q.r) - 1) / 2 = -a + i b, from what is left of the turns and the exponent of the imaginary part. */
void half_phase(T left, T e, T *a, T *b) {
  T s, c;
  convk_half_turn_(left, &s, &c);
  convk_formfactor_damp_(IMAG != 0, IMAG ? convk_formfactor_half_loss_(e) : (T)0, s, c, a, b);
}

/* The phases of one block of triangles from `at` on: E of the lanes, E - 1 of the others, and the lanes' moments. */
CONVK_GROUP_KERNEL_ form_phase(ARGUMENTS) {
  global const T *const field[] = FIELDS;
  const ulong n = args.n, n0 = args.n0, n1 = args.n1, values = n0 + n1 + args.n2, block = get_group_id(1);
  const ulong begin = (ulong)get_group_id(0) * (ITEMS * POINTS) + get_local_id(0);
  global T *phase = (global T *)WORK + args.table + block * BLOCK * values * 2;
  global T *moment = (global T *)WORK + args.partial + block * 6 * n0;
  T turns[POINTS], decay[POINTS], m[6][POINTS];
  int axis[POINTS], p, t;
  for (p = 0; p < POINTS; p++) {
    const ulong v = min(begin + p * ITEMS, values - 1);
    const int d = v < n0 ? 0 : v < n0 + n1 ? 1 : 2;
    const ulong i = d == 0 ? v : d == 1 ? v - n0 : v - n0 - n1;
    const R q = d == 0 ? QX(i) : d == 1 ? QY(i) : QZ(i), imag = d == args.z ? QI(i) : 0;
    axis[p] = d;
    convk_formfactor_rate_(q, imag, &turns[p], &decay[p]);
    for (t = 0; t < 6; t++) m[t][p] = 0;
  }
  for (t = 0; t < BLOCK; t++, phase += 2 * values) {
    const ulong i = args.at + block * BLOCK + t;
    T a[6] = {0, 0, 0, 0, 0, 0}; /* area, centroid */
    CONVK_EACH_(p, 6)
      if (i < n) a[p] = field[p][i];
    for (p = 0; p < POINTS; p++) {
      const T c = axis[p] == 0 ? a[3] : axis[p] == 1 ? a[4] : a[5];
      T re, im;
      half_phase(convk_turn_product_left_(turns[p], c), decay[p] * c, &re, &im);
      m[0][p] = fma(a[0], re, m[0][p]);
      m[1][p] = fma(a[0], im, m[1][p]);
      m[2][p] = fma(a[1], re, m[2][p]);
      m[3][p] = fma(a[1], im, m[3][p]);
      m[4][p] = fma(a[2], re, m[4][p]);
      m[5][p] = fma(a[2], im, m[5][p]);
      if (begin + p * ITEMS < values) {
        phase[2 * (begin + p * ITEMS)] = (axis[p] == 0 ? (T)1 : (T)0) - (re + re);
        phase[2 * (begin + p * ITEMS) + 1] = im + im;
      }
    }
  }
  for (p = 0; p < POINTS; p++)
    if (begin + p * ITEMS < n0)
      for (t = 0; t < 6; t++) moment[t * n0 + begin + p * ITEMS] = m[t][p];
}
#endif

#ifdef FORM_GATHER
/* Adds sums of blocks, in their order, to `width` sums from `to` on. */
kernel void form_gather(ARGUMENTS) {
  const ulong width = args.width, i = get_global_id(0);
  global const T *from = (global const T *)WORK + args.partial;
  global SUM *to = WORK + args.to;
  SUM s = 0;
  ulong k;
  if (i >= width) return;
  if (!args.first) s = to[i];
  for (k = 0; k < args.blocks; k++) s = sum_of(s, from[k * width + i]);
  to[i] = s;
}
#endif

#ifdef FORM_PRODUCT
#define JOIN(a, b) CONVK_PASTE3_(a, b, )
typedef JOIN(T, LANES) V;
#define LOAD(p) JOIN(vload, LANES)(0, p)
#define STORE(v, p) JOIN(vstore, LANES)(v, 0, p)
#define ITEMS (ITEMS_X * ITEMS_Y)
#define TILE_LANES (ITEMS_X * COLUMNS * LANES)
#define TILE_ROWS (ITEMS_Y * ROWS)
/* Lane of a tile with which column c of an item begins: the columns of all items along x come in turn. */
#define LANE_OF(c) (((c)*ITEMS_X + (int)get_local_id(0)) * LANES)

#define FACTORS (ORDER ? 4 : 2) /* of E_lane, complex ones */

/* What a launch sums up: with SPLIT one block of triangles in the type, else all of a batch in doubles. */
#if SPLIT
typedef T TOTAL_T;
typedef V TOTAL_V;
#else
typedef double TOTAL_T;
typedef JOIN(double, LANES) TOTAL_V;
#endif

/* Of each row of a tile its places among the values of q, and q on its two axes with the imaginary parts; rows beyond the last
   are the last again. */
void find_rows(global const T *qy, global const T *qz, global const T *imag, int z_axis, ulong row0, ulong n0, ulong n1,
               ulong rows, int item, local ulong *row_at, local T *row_q) {
  int i;
  for (i = item; i < TILE_ROWS; i += ITEMS) {
    const ulong row = min(row0 + i, rows - 1), j = row % n1, l = row / n1;
    row_at[2 * i] = n0 + j;
    row_at[2 * i + 1] = n0 + n1 + l;
    row_q[4 * i] = qy[j];
    row_q[4 * i + 1] = qz[l];
    row_q[4 * i + 2] = z_axis == 1 ? imag[j] : 0;
    row_q[4 * i + 3] = z_axis == 2 ? imag[l] : 0;
  }
}

/* The factors of the rows of a tile for TRIANGLES triangles from `first` on, whose phases begin at v. */
void make_terms(global const T *const *field, T per, ulong first, ulong n, global const T *v, ulong values,
                local const ulong *row_at, local const T *row_q, int item, local T *terms) {
  int i, t;
  for (i = item; i < TRIANGLES * TILE_ROWS; i += ITEMS) {
    const int row = i % TILE_ROWS;
    const ulong triangle = first + i / TILE_ROWS;
    global const T *e = v + (i / TILE_ROWS * values + row_at[2 * row]) * 2;
    global const T *f = v + (i / TILE_ROWS * values + row_at[2 * row + 1]) * 2;
    const T q[2] = {row_q[4 * row], row_q[4 * row + 1]}, imag[2] = {row_q[4 * row + 2], row_q[4 * row + 3]};
    T side[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0}, term[2 * FACTORS];
    CONVK_EACH_(t, (ORDER ? 9 : 3))
      if (triangle < n) side[t] = field[t < 3 ? t : 3 + t][triangle];
    convk_formfactor_terms_(q, imag, side, side + 3, per, e[0], e[1], f[0], f[1], ORDER != 0, term);
    CONVK_EACH_(t, 2 * FACTORS) terms[2 * FACTORS * i + t] = term[t];
  }
}

/* E of the tile's lanes for TRIANGLES triangles, whose phases begin at v. */
void fetch_lanes(global const T *v, ulong values, ulong lane0, ulong n0, int item, local T *lane_re, local T *lane_im) {
  int i;
  for (i = item; i < TRIANGLES * TILE_LANES; i += ITEMS) {
    global const T *e = v + (i / TILE_LANES * values + min(lane0 + i % TILE_LANES, n0 - 1)) * 2;
    lane_re[i] = e[0];
    lane_im[i] = e[1];
  }
}

/* Adds E of LANES lanes, er + i ei, times the factors of ROWS rows, which begin at m. */
void multiply(V q, V er, V ei, local const T *m, V *re, V *im) {
  int i, r;
#pragma unroll
  for (r = 0; r < ROWS; r++, m += 2 * FACTORS) {
    V ur = (V)m[2 * FACTORS - 2], ui = (V)m[2 * FACTORS - 1];
#pragma unroll
    for (i = FACTORS - 2; i >= 0; i--) {
      ur = fma(q, ur, (V)m[2 * i]);
      ui = fma(q, ui, (V)m[2 * i + 1]);
    }
    re[r] = fma(-ui, ei, fma(ur, er, re[r]));
    im[r] = fma(ui, er, fma(ur, ei, im[r]));
  }
}

/* Writes sums of LANES lanes of a row to their places, if they are within the grid: real parts, then imaginary ones. */
void store_sums(TOTAL_V re, TOTAL_V im, ulong lane, ulong row, ulong n0, ulong rows, global TOTAL_T *to) {
  TOTAL_T s[2][LANES];
  int k, t;
  STORE(re, s[0]);
  STORE(im, s[1]);
  for (t = 0; t < 2; t++)
    for (k = 0; k < LANES; k++)
      if (row < rows && lane + k < n0) to[t * (n0 * rows) + row * n0 + lane + k] = s[t][k];
}

#if !SPLIT
/* Reads what it wrote of one of the parts; `first`: 0. */
TOTAL_V load_sums(global const double *from, int first, ulong lane, ulong row, ulong n0, ulong rows) {
  double s[LANES];
  int k;
  for (k = 0; k < LANES; k++) s[k] = 0;
  if (!first && row < rows)
    for (k = 0; k < LANES; k++)
      if (lane + k < n0) s[k] = from[row * n0 + lane + k];
  return LOAD(s);
}
#endif

/* The sum of the factors of each row times E of each lane, over the blocks of a batch of triangles; with SPLIT over one
   of them.  A group has a tile of rows by lanes, an item ROWS by COLUMNS vectors of LANES; phases and factors of
   TRIANGLES triangles stand in local memory. */
kernel __attribute__((reqd_work_group_size(ITEMS_X, ITEMS_Y, 1))) void form_product(ARGUMENTS) {
  local T lane_re[TRIANGLES * TILE_LANES], lane_im[TRIANGLES * TILE_LANES], terms[TRIANGLES * TILE_ROWS * 2 * FACTORS];
  local T row_q[TILE_ROWS * 4];
  local ulong row_at[TILE_ROWS * 2];
  const int lx = (int)get_local_id(0), ly = (int)get_local_id(1), item = ly * ITEMS_X + lx;
  const ulong lane0 = get_group_id(0) % args.tiles_x * TILE_LANES, row0 = get_group_id(0) / args.tiles_x * TILE_ROWS;
  const ulong n0 = args.n0, n1 = args.n1, rows = n1 * args.n2, values = n0 + n1 + args.n2;
  global SUM *const work = WORK;
  global const T *phase = (global const T *)work + args.table;
  global const T *const field[] = FIELDS;
#if SPLIT
  const ulong begin = get_group_id(1), end = begin + 1;
#else
  const ulong begin = 0, end = args.blocks;
  TOTAL_V total_re[COLUMNS][ROWS], total_im[COLUMNS][ROWS];
#endif
  V q[COLUMNS], re[COLUMNS][ROWS], im[COLUMNS][ROWS];
  T one[LANES];
  ulong b;
  int c, k, r, t;
  find_rows(&QY(0), &QZ(0), qi + args.q[3], IMAG ? args.z : 3, row0, n0, n1, rows, item, row_at, row_q);
  CONVK_EACH_(c, COLUMNS) {
    for (k = 0; k < LANES; k++) one[k] = QX(min(lane0 + LANE_OF(c) + k, n0 - 1));
    q[c] = LOAD(one) * unit;
  }
#if !SPLIT
  CONVK_EACH_(c, COLUMNS)
    CONVK_EACH_(r, ROWS) {
      total_re[c][r] = load_sums(work, args.first, lane0 + LANE_OF(c), row0 + ly * ROWS + r, n0, rows);
      total_im[c][r] = load_sums(work + n0 * rows, args.first, lane0 + LANE_OF(c), row0 + ly * ROWS + r, n0, rows);
    }
#endif
  for (b = begin; b < end; b++) {
    CONVK_EACH_(c, COLUMNS)
      CONVK_EACH_(r, ROWS) re[c][r] = im[c][r] = 0;
    for (k = 0; k < BLOCK; k += TRIANGLES) {
      global const T *v = phase + (b * BLOCK + k) * values * 2;
      barrier(CLK_LOCAL_MEM_FENCE);
      fetch_lanes(v, values, lane0, n0, item, lane_re, lane_im);
      make_terms(field, per, args.at + b * BLOCK + k, args.n, v, values, row_at, row_q, item, terms);
      barrier(CLK_LOCAL_MEM_FENCE);
      CONVK_EACH_(c, COLUMNS)
        for (t = 0; t < TRIANGLES; t++) {
          const int from = t * TILE_LANES + LANE_OF(c);
          multiply(q[c], LOAD(lane_re + from), LOAD(lane_im + from), terms + (t * TILE_ROWS + ly * ROWS) * 2 * FACTORS, re[c],
                   im[c]);
        }
    }
#if !SPLIT
    CONVK_EACH_(c, COLUMNS)
      CONVK_EACH_(r, ROWS) {
        total_re[c][r] = CONVK_SUM_(TOTAL_V, total_re[c][r], JOIN(convert_double, LANES)(re[c][r]));
        total_im[c][r] = CONVK_SUM_(TOTAL_V, total_im[c][r], JOIN(convert_double, LANES)(im[c][r]));
      }
#endif
  }
  CONVK_EACH_(c, COLUMNS)
    CONVK_EACH_(r, ROWS)
#if SPLIT
      store_sums(re[c][r], im[c][r], lane0 + LANE_OF(c), row0 + ly * ROWS + r, n0, rows,
                 (global T *)work + args.partial + begin * 2 * n0 * rows);
#else
      store_sums(total_re[c][r], total_im[c][r], lane0 + LANE_OF(c), row0 + ly * ROWS + r, n0, rows, work);
#endif
}
#endif

#ifdef FORM_GRID
/* F from the sums and the moments. */
kernel void form_grid(ARGUMENTS) {
  global const SUM *const work = WORK;
  const ulong n0 = args.n0, n1 = args.n1, nq = n0 * n1 * args.n2;
  const ulong i = get_global_id(0), l = i % n0, j = i / n0 % n1, k = i / n0 / n1;
  const convk_formfactor_body_ body = BODY;
  const int axis[3] = {args.axis[0], args.axis[1], args.axis[2]};
  R q[4], moment[6];
  T value[2];
  int d;
  if (i >= nq) return;
  q[0] = QX(l);
  q[1] = QY(j);
  q[2] = QZ(k);
  q[3] = args.z == 0 ? QI(l) : args.z == 1 ? QI(j) : args.z == 2 ? QI(k) : 0;
  for (d = 0; d < 6; d++) moment[d] = TOTAL(work[2 * nq + d * n0 + l]);
  convk_formfactor_grid_value_(&body, axis, args.z, q, moment, TOTAL(work[i]), TOTAL(work[nq + i]), value);
  f += args.f + 2 * (l * args.stride[0] + j * args.stride[1] + k * args.stride[2]);
  f[0] = value[0];
  f[1] = value[1];
}
#endif
