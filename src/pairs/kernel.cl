#include "device/preamble.cl"
#ifdef LANES
#define CONVK_LANES LANES
#endif
#include "words/opencl.cl"
#include "elementary/coefficients.h"

#include "pairs/opencl_arguments.h"
/* The constants of a system, as in convk.h. */
typedef struct {
  T period[3], inverse[3], limit, w[4], distant[4], near_by, damp, per_rm, a, alpha, beta, d;
  T bump_height, bump_middle, bump_scale;
} TERMS;
/* What every kernel takes; what is not there is not looked at. */
#define ARGUMENTS \
  const convk_pairs_arguments_ args, const TERMS terms, global const double *values, global T *r, global T *to, \
      global T *gradient, global double *result, global double *work, global const uchar *accept, global double *ln_psi, \
      global uint *accepted, global double *drift
/* As the enum of convk.h. */
#define CONVK_PAIR_LN_PSI 1
#define CONVK_PAIR_POTENTIAL_ENERGY 2
#define CONVK_PAIR_GRADIENT 4
#define CONVK_PAIR_LAPLACIAN 8
#define CONVK_PAIR_KINETIC 12
#define RECORD 10 /* the sums of pairs, the logarithm of the product, the square of the gradient */
#define FOLDED 4  /* of them that pair_rows adds up at a time */

#define CONVK_PLAIN_RARE_
#define convk_to_bits_(x) as_ulong(x)
#define convk_from_bits_(bits) as_double(bits)
#include "core/root.h"

double log_of(double x);
#define CONVK_NUMBER_ CONVK_ELEMENT_
#define CONVK_NUMBER_APART_ CONVK_ELEMENT_
#define CONVK_NUMBER_FAR_ global
#define CONVK_ROLLED_
#define CONVK_LESS_EQUAL_(a, b) ((a) <= (b))
#define CONVK_TIMES_(a, b) ((a) * (b))
#define CONVK_PLUS_(a, b) CONVK_SUM_(double, a, b)
#define CONVK_TIMES_PLUS_(a, b, c) CONVK_SUM_(double, c, (a) * (b))
#define CONVK_OVER_(a, b) ((a) / (b))
#define CONVK_SIXTH_(x) ((x) / 6)
#define CONVK_ROOT_OF_(x) convk_sqrt_(x)
#define CONVK_LOG_OF_(x) log_of(x)
#define CONVK_EXP_OF_(x) exp(x)
#include "pairs/numbers.h"

double log_of(double x) { /* as convk_log_ */
  double k = 0;
  convk_split_(&x, &k);
  return convk_log_ratio_(x, 1, k);
}

/* Sums of `values` arrays s[k ITEMS ..], each over the `members` items, in the first one's place, for it to read. */
void fold(local double *s, const int values, uint at, uint members, int busy) {
  const uint item = (uint)get_local_id(0);
  uint width = members;
  int k;
  while (width > 1) {
    const uint rest = (width + 1) / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (busy && at + rest < width)
      for (k = 0; k < values; k++) s[k * ITEMS + item] = CONVK_SUM_(double, s[k * ITEMS + item], s[k * ITEMS + item + rest]);
    width = rest;
  }
}

#if defined PAIR_ROWS || defined PAIR_VALUES || defined PAIR_MOVE || defined PAIR_ACCEPT || defined VMC_SINGLE
/* V: T or, on processors, LANES of them. */
typedef CONVK_V V;
typedef CONVK_LANED_(CONVK_EITHER_(uint, ulong)) UV;
typedef CONVK_LANED_(CONVK_EITHER_(int, long)) IV;
typedef CONVK_PASTE3_(T, 4, ) T4;
#if LANES > 1
#define EQUAL(a, b, x, y) select(y, x, (a) == (b))
#define NEARER(a, b, x, y) CONVK_LESS_(a, b, x, y)
#else
#define EQUAL(a, b, x, y) ((a) == (b) ? (x) : (y))
#if F64 /* of what is not negative; integers leave the units of doubles to their work */
#define BELOW(a, b) (as_ulong(a) < as_ulong(b))
#else
#define BELOW(a, b) ((a) < (b))
#endif
#define NEARER(a, b, x, y) (BELOW(a, b) ? (x) : (y))
#endif
#define WHOLE(u) CONVK_LANED_(CONVK_EITHER_(as_int, as_long))(u)
#define BIAS CONVK_EITHER_(127, 1023)
#define CHUNK CONVK_EITHER_(4, 8) /* so many squares of distances have a product that fits the type */
#define FURTHEST CONVK_EITHER_(1.099511627776e12f, 1.2676506002282294e30) /* CONVK_PAIRS_BIG_: the square of 2^20 or 2^50 */
#define HFD 1
#define TABLE 3

#define GIVEN const TERMS *c, const convk_pairs_arguments_ *e, global const double *values
#define GIVE c, e, values
/* Else constants would go through memory. */
#define INLINED __attribute__((always_inline))
#define BEGIN \
  const TERMS *c = &terms; \
  const convk_pairs_arguments_ *e = &args; \
  (void)c; \
  (void)e

#undef CONVK_ADD_ /* what it adds are sums over pairs */
#define CONVK_ADD_(a, b) CONVK_SUM_(V, a, b)
#define CONVK_PAIRS_TERMS_ TERMS
#include "pairs/element.h"

#if KIND == HFD
/* exp(x) of x <= 0; 0 within any error beyond the smallest normal numbers. */
#if F64
constant T exp_q[] = CONVK_EXP_f64_;
#else
constant T exp_q[] = CONVK_EXP_f32_;
#endif
V pair_exp(V x) {
  const V shift = CONVK_SET_(CONVK_EITHER_(12582912.f + 127, 6755399441055744. + 1023));
  V t, k, r, p = CONVK_SET_(exp_q[sizeof exp_q / sizeof *exp_q - 1]);
  int i;
  x = CONVK_LESS_(x, CONVK_SET_(CONVK_EITHER_(-87, -708)), CONVK_SET_(CONVK_EITHER_(-87, -708)), x);
  t = fma(x, CONVK_SET_(CONVK_EITHER_(1.442695f, 1.4426950408889634)), shift);
  k = t - shift;
  r = fma(k, CONVK_SET_(CONVK_EITHER_(-0.69314575f, -0.6931471805598903)), x);
  r = fma(k, CONVK_SET_(CONVK_EITHER_(-1.4286068e-06f, -5.497923018708371e-14)), r);
#pragma unroll
  for (i = sizeof exp_q / sizeof *exp_q - 2; i >= 0; i--) p = fma(r, p, CONVK_SET_(exp_q[i]));
  p = fma(r, fma(r, p, CONVK_SET_(1)), CONVK_SET_(1));
  return p * CONVK_REAL_(CONVK_INT_(t) << CONVK_FRACTION_);
}
#endif

#define NEAR (KIND == HFD || KIND == TABLE)
/* The powers of 1 / r of a potential. */
V pair_powers(const TERMS *c, V s) {
#if KIND == TABLE
  return CONVK_SET_(0);
#else
  return s * s * s * convk_pairs_powers_(c, s);
#endif
}

#if NEAR
/* All of a potential within the distance where it has more than powers.  r2: square, t: reciprocal of the distance. */
INLINED V pair_near(GIVEN, V r2, V t, V powers) {
#if KIND == TABLE
  const V r = r2 * t;
#if LANES == 1
  return (T)convk_pairs_table_(values, e->entries, e->first, e->per_spacing, (double)r);
#else
  T v[LANES];
  int i;
  CONVK_STORE_(v, r);
  for (i = 0; i < LANES; i++) v[i] = (T)convk_pairs_table_(values, e->entries, e->first, e->per_spacing, (double)v[i]);
  return CONVK_LOAD_(v);
#endif
#else
  const V x = r2 * t * c->per_rm, y = fma(CONVK_SET_(c->d), t, CONVK_SET_(-1));
  const V damp = NEARER(r2, CONVK_SET_(c->damp), pair_exp(-(y * y)), CONVK_SET_(1));
  V sum = c->a * pair_exp(x * fma(x, CONVK_SET_(c->beta), CONVK_SET_(-c->alpha)));
#if BUMP
  sum = convk_pairs_bump_(c, (x - c->bump_middle) * c->bump_scale, sum);
#endif
  return fma(powers, damp, sum);
#endif
}
#endif

V pair_square(const V *d) {
  const V r2 = convk_pairs_norm_(d);
  return NEARER(r2, CONVK_SET_(CONVK_PAIRS_LEAST_), CONVK_SET_(CONVK_PAIRS_LEAST_), r2);
}

/* What is between two particles, or the nearest image. */
void pair_between(const TERMS *c, const V *from, const V *to, V *d) {
  int k;
  for (k = 0; k < 3; k++) d[k] = from[k] - to[k];
#if PERIODIC
  convk_pairs_image_(c, d);
#endif
}

/* What a pair adds to the sums of convk.h but the potential; u' / r is returned.  limit: of squares. */
INLINED V pair_step(const TERMS *c, V r2, V limit, const int masked, const int want, V *sum, V *product, V *reciprocal) {
  V t = convk_pairs_rsqrt_(r2), q = r2;
  if (masked) {
    t = NEARER(r2, limit, t, CONVK_SET_(0));
    q = NEARER(r2, limit, r2, CONVK_SET_(1));
#if CUT
    sum[7] += NEARER(r2, limit, CONVK_SET_(1), CONVK_SET_(0));
#endif
  }
  *reciprocal = t;
  return convk_pairs_trial_(c, q, t, want, sum, product);
}

/* Puts the exponent of a product aside. */
void pair_mantissa(V *product, IV *exponent) {
  const UV b = CONVK_INT_(*product);
  *exponent += WHOLE(b >> CONVK_FRACTION_) - BIAS;
  *product =
      CONVK_REAL_((b & (UV)(((CONVK_UNSIGNED_)1 << CONVK_FRACTION_) - 1)) | (UV)((CONVK_UNSIGNED_)BIAS << CONVK_FRACTION_));
}

double lane_sum(V v) {
  T lane[LANES];
  double sum = 0;
  int i;
  CONVK_STORE_(lane, v);
  for (i = 0; i < LANES; i++) sum = CONVK_SUM_(double, sum, lane[i]);
  return sum;
}

/* Products of lanes with their exponents into one. */
void lane_product(V product, IV exponent, double *mantissa, double *power) {
  T v[LANES];
  CONVK_EITHER_(int, long) k[LANES];
  int i;
  CONVK_STORE_(v, product);
  CONVK_STORE_(k, exponent);
  for (i = 0; i < LANES; i++) {
    *mantissa *= (double)v[i];
    *power += (double)k[i];
    convk_split_(mantissa, power);
  }
}

/* So many elements from number i on; what lies beyond n is that at n - 1. */
V pair_load(global const T *x, uint i, uint n) {
#if LANES == 1
  return x[i < n ? i : n - 1];
#else
  T v[LANES];
  int k;
  if (i + LANES <= n) return CONVK_LOAD_(x + i);
  for (k = 0; k < LANES; k++) v[k] = x[i + k < n ? i + k : n - 1];
  return CONVK_LOAD_(v);
#endif
}
IV lane_numbers(uint i) {
#if LANES == 1
  return (IV)i;
#else
  CONVK_EITHER_(int, long) v[LANES];
  int k;
  for (k = 0; k < LANES; k++) v[k] = (CONVK_EITHER_(int, long))(i + k);
  return CONVK_LOAD_(v);
#endif
}

#endif

#ifdef PAIR_ROWS
#define SEGMENT 32 /* others: a bit of a word for each of them that is near */
#if LANES == 1     /* others k are at hand in local memory, else where the walker is */
#define PLACE local const T4 *p
#define PARTICLE(k) p[k]
#define SOURCE(k) tile + own *members + (k)
#else
#define PLACE global const T *p, ulong pitch
#define PARTICLE(k) (T4)(p[k], p[pitch + (k)], p[2 * pitch + (k)], 0)
#define SOURCE(k) from + base + (k), pitch
#endif

/* Rows and one of the others.  limit: squares of distances from which on it counts as nothing.  Gives whether its
   exponentials are due: on a GPU they come later. */
INLINED int pair_one(GIVEN, const V *at, T4 q, V limit, const int masked, V *sum, V *force, V *product) {
  const V other[3] = {CONVK_SET_(q.x), CONVK_SET_(q.y), CONVK_SET_(q.z)};
  V t, d[3], r2;
  int close = 0;
  pair_between(c, at, other, d);
  r2 = pair_square(d);
#if WANT & CONVK_PAIR_GRADIENT
  {
    const V w = pair_step(c, r2, limit, masked, WANT, sum, product, &t);
    int k;
    for (k = 0; k < 3; k++) force[k] = fma(w, d[k], force[k]);
  }
#else
  (void)pair_step(c, r2, limit, masked, WANT, sum, product, &t);
#endif
#if WANT & CONVK_PAIR_POTENTIAL_ENERGY
  {
    V powers = pair_powers(c, t * t);
#if NEAR
    V near_by = CONVK_SET_(c->near_by);
    if (masked) near_by = NEARER(near_by, limit, near_by, limit);
#if LANES == 1
    close = BELOW(r2, near_by);
    powers = close ? 0 : powers;
#else
    if (any(r2 < near_by)) powers = CONVK_LESS_(r2, near_by, pair_near(GIVE, r2, t, powers), powers);
#endif
#endif
    sum[6] = CONVK_SUM_(V, sum[6], powers);
  }
#endif
  return close;
}

/* Rows and up to SEGMENT others.  own: which of these the rows are; row_limit: the limit of the rows; all: there are SEGMENT
   others, and they all count.  On a GPU those near by come together at the end: the loop that all go through has no
   branches. */
INLINED void pair_segment(GIVEN, const V *at, IV own, V row_limit, PLACE, int count, int all, V *sum, V *force, V *product,
                          IV *exponent) {
  uint close = 0;
  int k, i;
  if (all)
    for (k = 0; k < SEGMENT; k += CHUNK) {
#if LANES == 1
#pragma unroll
#endif
      for (i = 0; i < CHUNK; i++)
        close |= (uint)pair_one(GIVE, at, PARTICLE(k + i), row_limit, 0, sum, force, product) << (k + i);
      if (WANT & CONVK_PAIR_LN_PSI) pair_mantissa(product, exponent);
    }
  else
    for (k = 0; k < count; k++) {
      const V limit = EQUAL(own, (IV)k, CONVK_SET_(0), row_limit);
      close |= (uint)pair_one(GIVE, at, PARTICLE(k), limit, 1, sum, force, product) << k;
      if ((WANT & CONVK_PAIR_LN_PSI) && (k % CHUNK == CHUNK - 1 || k == count - 1)) pair_mantissa(product, exponent);
    }
#if LANES == 1 && NEAR && (WANT & CONVK_PAIR_POTENTIAL_ENERGY)
  while (close) {
    T4 q;
    T r2, t, other[3], d[3];
    k = 31 - (int)clz(close);
    close ^= 1u << k;
    q = PARTICLE(k);
    other[0] = q.x;
    other[1] = q.y;
    other[2] = q.z;
    pair_between(c, at, other, d);
    r2 = pair_square(d);
    t = convk_pairs_rsqrt_(r2);
    sum[6] = CONVK_SUM_(V, sum[6], pair_near(GIVE, r2, t, pair_powers(c, t * t)));
  }
#else
  (void)close;
#endif
}

/* Sums of the type are added to doubles. */
void pair_flush(V *sum, V *force, double *total, double (*pull)[LANES]) {
  T lane[LANES];
  int d, i;
  for (d = 0; d < 8; d++) {
    total[d] = CONVK_SUM_(double, total[d], lane_sum(sum[d]));
    sum[d] = 0;
  }
  for (d = 0; d < 3; d++) {
    CONVK_STORE_(lane, force[d]);
    for (i = 0; i < LANES; i++) pull[d][i] = CONVK_SUM_(double, pull[d][i], lane[i]);
    force[d] = 0;
  }
}

/* Adds up the values of `members` items into a record: some at a time, so that more groups share local memory. */
void pair_record(const double *total, local double *folded, uint at, uint members, int busy, global double *record) {
  const uint item = (uint)get_local_id(0);
  int d, done;
#pragma unroll
  for (done = 0; done < RECORD; done += FOLDED) {
    const int values = RECORD - done < FOLDED ? RECORD - done : FOLDED;
    barrier(CLK_LOCAL_MEM_FENCE); /* nobody needs what lies there any more */
    CONVK_EACH_(d, FOLDED)
      if (d < values) folded[d * ITEMS + item] = total[done + d];
    fold(folded, values, at, members, busy);
    for (d = 0; d < values && busy && !at; d++) record[done + d] = folded[d * ITEMS + item];
  }
}

/* Particles of a block as rows against a slice of all others.  A group has ITEMS * LANES * POINTS rows of one walker, or
   `pack` whole walkers.  work: records of walkers, slices, blocks; with args.forces their [3][n].  gradient, with
   args.gradients: where there is one slice. */
CONVK_GROUP_KERNEL_ pair_rows(ARGUMENTS) {
#if LANES == 1
  local T4 tile[ITEMS * FOLDED * sizeof(double) / sizeof(T4)]; /* and in the end sums, in the same place: more groups fit */
  local double *folded = (local double *)tile;
#else
  local double folded[FOLDED * ITEMS];
#endif
  const uint n = args.n, pack = args.pack, blocks = args.blocks, slices = args.slices, length = args.length;
  const ulong walkers = args.walkers, pitch = args.pitch, stride = args.stride;
  const uint item = (uint)get_local_id(0), members = pack > 1 ? n : ITEMS, at = item % members;
  const uint own = min(item / members, pack - 1), group = (uint)get_group_id(0);
  const uint block = group % blocks, slice = group / blocks % slices;
  const ulong walker = (ulong)(group / blocks / slices) * pack + own;
  const int busy = item / members < pack && walker < walkers;
  const uint begin = slice * length, end = min(begin + length, n), share = LANES == 1 ? members : length;
  global const T *from = r + args.r + min(walker, walkers - 1) * stride;
  double total[RECORD], square = 0, mantissa = 1, power = 0;
  int d, i, p;
  BEGIN;
  for (d = 0; d < 8; d++) total[d] = 0;
  for (p = 0; p < POINTS; p++) {
    const uint first = (block * POINTS + p) * (ITEMS * LANES), row = first + at * LANES;
    V place[3], row_limit, sum[8], force[3], product = CONVK_SET_(1);
    T lane[LANES];
    double pull[3][LANES];
    IV exponent = 0;
    uint base, k;
    const int apart = !CUT && pack == 1 && first + ITEMS * LANES <= n;
    if (POINTS > 1 && first >= n) break;
    for (d = 0; d < 3; d++) place[d] = pair_load(from + d * pitch, row, n);
    for (d = 0; d < LANES; d++) lane[d] = busy && row + d < n ? c->limit : 0;
    row_limit = CONVK_LOAD_(lane);
    for (d = 0; d < 8; d++) sum[d] = 0;
    for (d = 0; d < 3; d++) {
      force[d] = 0;
      for (i = 0; i < LANES; i++) pull[d][i] = 0;
    }
    for (base = begin; base < end; base += share) {
      const uint count = min(share, end - base);
#if LANES == 1
      barrier(CLK_LOCAL_MEM_FENCE);
      if (at < count) tile[item] = (T4)(from[base + at], from[pitch + base + at], from[2 * pitch + base + at], 0);
      barrier(CLK_LOCAL_MEM_FENCE);
#endif
      for (k = 0; k < count; k += SEGMENT) {
        const uint j = base + k;
        const int all = apart && k + SEGMENT <= count && (j + SEGMENT <= first || j >= first + ITEMS * LANES);
        pair_segment(GIVE, place, lane_numbers(row - j), row_limit, SOURCE(k), (int)min((uint)SEGMENT, count - k), all, sum,
                     force, &product, &exponent);
        if (!F64 && ((k & SEGMENT) || k + SEGMENT >= count)) pair_flush(sum, force, total, pull);
      }
    }
    if (F64) pair_flush(sum, force, total, pull);
    if (WANT & CONVK_PAIR_LN_PSI) lane_product(product, exponent, &mantissa, &power);
#if WANT & CONVK_PAIR_GRADIENT
    for (d = 0; d < 3; d++)
      for (i = 0; i < LANES; i++) {
        square = CONVK_SUM_(double, square, pull[d][i] * pull[d][i]);
        if (!busy || row + i >= n) continue;
        if (args.forces) work[args.force + ((walker * slices + slice) * 3 + d) * n + row + i] = pull[d][i];
        if (args.gradients) gradient[args.gradient + walker * stride + d * pitch + row + i] = (T)pull[d][i];
      }
#endif
  }
  total[8] = convk_log_ratio_(mantissa, 1, power);
  total[9] = square;
  pair_record(total, folded, at, members, busy, work + args.part + ((walker * slices + slice) * blocks + block) * RECORD);
}
#endif

#ifdef PAIR_FORCES
/* Adds up the slices, in their order, in the place of the first; and squares of a block of particles. */
CONVK_GROUP_KERNEL_ pair_forces(ARGUMENTS) {
  local double folded[ITEMS];
  const uint n = args.n, slices = args.slices, blocks = args.squares;
  const uint item = (uint)get_local_id(0), group = (uint)get_group_id(0), i = group % blocks * ITEMS + item;
  const ulong walker = group / blocks;
  double square = 0;
  uint k;
  int d;
  for (d = 0; d < 3 && i < n; d++) {
    global double *from = work + args.force + (walker * slices * 3 + d) * n + i;
    double g = from[0];
    for (k = 1; k < slices; k++) g = CONVK_SUM_(double, g, from[(ulong)k * 3 * n]);
    from[0] = g;
    square = CONVK_SUM_(double, square, g *g);
    if (args.gradients) gradient[args.gradient + walker * args.stride + d * args.pitch + i] = (T)g;
  }
  folded[item] = square;
  fold(folded, 1, item, ITEMS, 1);
  if (!item) work[args.square + walker * blocks + group % blocks] = folded[0];
}
#endif

#ifdef PAIR_FINISH
/* What the sums over all ordered pairs mean: twice those of convk.h.  `members` items have a walker; squares: how many
   there are, 0: they are in the records. */
CONVK_GROUP_KERNEL_ pair_finish(ARGUMENTS) {
  local double folded[RECORD * ITEMS];
  const uint item = (uint)get_local_id(0), members = args.members, records = args.records, squares = args.squares;
  const uint at = item % members;
  const ulong walker = (ulong)get_group_id(0) * (ITEMS / members) + item / members;
  const int busy = walker < args.walkers;
  double s[RECORD];
  uint i;
  int d;
  for (d = 0; d < RECORD; d++) s[d] = 0;
  for (i = at; i < records && busy; i += members)
    for (d = 0; d < RECORD; d++) s[d] = CONVK_SUM_(double, s[d], work[args.part + (walker * records + i) * RECORD + d]);
  if (squares) s[9] = 0;
  for (i = at; i < squares && busy; i += members) s[9] = CONVK_SUM_(double, s[9], work[args.square + walker * squares + i]);
  for (d = 0; d < RECORD; d++) folded[d * ITEMS + item] = s[d];
  fold(folded, RECORD, at, members, busy);
  if (busy && !at) {
    double laplacian, numbers[9];
    for (d = 0; d < RECORD; d++) s[d] = folded[d * ITEMS + item] * (d < 9 ? 0.5 : 1);
    laplacian = 20 * args.p[0] * s[3] + 2 * args.p[1] * s[4] + args.p[2] * s[1] + 2 * args.p[3] * s[5];
    convk_pairs_meaning_(args.p, args.edge, args.hbar2_2m, (int)args.want, s, s[8], laplacian, s[9], numbers);
    for (d = 0; d < 9; d++) result[args.result + walker * 9 + d] = numbers[d];
  }
}
#endif

#ifdef PAIR_VALUES
/* V at distances. */
CONVK_GROUP_KERNEL_ pair_values(ARGUMENTS) {
  ulong i = get_global_id(0) * (ulong)(POINTS * LANES);
  int p, k;
  BEGIN;
  for (p = 0; p < POINTS && i < args.count; p++, i += LANES) {
    const int left = (int)min((ulong)LANES, args.count - i);
    const V d[3] = {pair_load(r + args.r + i, 0, (uint)left), CONVK_SET_(0), CONVK_SET_(0)}, square = pair_square(d);
    const V r2 = CONVK_MIN_(CONVK_SET_(FURTHEST), square), t = convk_pairs_rsqrt_(r2);
#if KIND == TABLE
    V value = EQUAL(r2, r2, CONVK_SET_(0), r2); /* 0, but of a NaN NaN */
#else
    V value = pair_powers(c, t * t);
#endif
    T lane[LANES];
#if NEAR
#if LANES == 1
    if (BELOW(r2, c->near_by)) value = pair_near(GIVE, r2, t, value);
#else
    if (any(r2 < CONVK_SET_(c->near_by))) value = CONVK_LESS_(r2, CONVK_SET_(c->near_by), pair_near(GIVE, r2, t, value), value);
#endif
#endif
    CONVK_STORE_(lane, value);
    for (k = 0; k < left; k++) to[args.to + i + k] = lane[k];
  }
}
#endif

#if defined PAIR_MOVE || defined PAIR_ACCEPT || defined VMC_SINGLE
/* What an item's share of all others makes of a particle at two places: sums after less before, gradients before and
   after, the product before and after. */
typedef struct {
  double sum[4], force[6], mantissa[2], power[2];
} CHANGE;

/* first: 0, or 1 for the second place alone.  gradient: of PAIR_ACCEPT, which brings the others' up to date. */
INLINED void pair_change(GIVEN, uint n, uint particle, global const T *x, ulong pitch, const T *places, const int want,
                         const int first, global T *gradient, CHANGE *to) {
  V sum[2][8], force[2][3], product[2];
  IV exponent[2];
  uint i, turn = 0;
  int d, m;
  for (d = 0; d < 4; d++) to->sum[d] = 0;
  for (d = 0; d < 6; d++) to->force[d] = 0;
  for (m = 0; m < 2; m++) {
    to->mantissa[m] = 1;
    to->power[m] = 0;
    product[m] = CONVK_SET_(1);
    exponent[m] = 0;
    for (d = 0; d < 8; d++) sum[m][d] = 0;
    for (d = 0; d < 3; d++) force[m][d] = 0;
  }
  for (i = (uint)get_local_id(0) * LANES; i < n; i += ITEMS * LANES) {
    const V q[3] = {pair_load(x, i, n), pair_load(x + pitch, i, n), pair_load(x + 2 * pitch, i, n)};
    V change[3] = {0, 0, 0}, limit;
    T lane[LANES];
    for (d = 0; d < LANES; d++) lane[d] = i + d < n && i + d != particle ? c->limit : 0;
    limit = CONVK_LOAD_(lane);
    for (m = first; m < 2; m++) {
      const V at[3] = {CONVK_SET_(places[3 * m]), CONVK_SET_(places[3 * m + 1]), CONVK_SET_(places[3 * m + 2])};
      V u[3], t, w;
      pair_between(c, at, q, u);
      w = pair_step(c, pair_square(u), limit, 1, want, sum[m], &product[m], &t);
      if (!(want & CONVK_PAIR_GRADIENT)) continue;
      for (d = 0; d < 3; d++) {
        force[m][d] = fma(w, u[d], force[m][d]);
        change[d] = m ? fma(-w, u[d], change[d]) : w * u[d];
      }
    }
#ifdef PAIR_ACCEPT
    for (d = 0; d < 3; d++) {
      T v[LANES];
      CONVK_STORE_(v, change[d]);
      for (m = 0; m < LANES; m++)
        if (i + m < n && i + m != particle) gradient[d * pitch + i + m] += v[m];
    }
#endif
    turn++;
    if (turn % CHUNK == 0) {
      pair_mantissa(&product[0], &exponent[0]);
      pair_mantissa(&product[1], &exponent[1]);
    }
    if (turn % 32 && i + ITEMS * LANES < n) continue;
    for (d = 0; d < 3; d++) to->sum[d] = CONVK_SUM_(double, to->sum[d], lane_sum(sum[1][d] - sum[0][d]));
    to->sum[3] = CONVK_SUM_(double, to->sum[3], lane_sum(sum[1][7] - sum[0][7]));
    for (m = 0; m < 2; m++) {
      for (d = 0; d < 3; d++) {
        to->force[3 * m + d] = CONVK_SUM_(double, to->force[3 * m + d], lane_sum(force[m][d]));
        force[m][d] = 0;
      }
      for (d = 0; d < 8; d++) sum[m][d] = 0;
    }
  }
  for (m = 0; m < 2; m++) {
    pair_mantissa(&product[m], &exponent[m]);
    lane_product(product[m], exponent[m], &to->mantissa[m], &to->power[m]);
  }
}

#ifndef VMC_SINGLE
/* Where a particle is, and where it may go. */
void pair_places(global const T *x, ulong pitch, uint particle, global const T *to, T *places) {
  int d;
  for (d = 0; d < 3; d++) {
    places[d] = x[d * pitch + particle];
    places[3 + d] = to[d];
  }
}
#endif

/* An item's share of ln Psi after less before. */
INLINED double change_of(const convk_pairs_arguments_ *e, const CHANGE *s) {
  double change = -(e->p[0] * s->sum[0] + e->p[1] * s->sum[1] + e->p[3] * s->sum[2]) - e->shift * s->sum[3];
#if LOGARITHM
  change -= 0.5 * e->p[2] * convk_log_ratio_(s->mantissa[1], s->mantissa[0], s->power[1] - s->power[0]);
#endif
  return change;
}
#endif

#ifdef PAIR_MOVE
/* A group has a walker. */
CONVK_GROUP_KERNEL_ pair_move(ARGUMENTS) {
  local double folded[7 * ITEMS];
  const uint item = (uint)get_local_id(0), n = args.n, particle = args.particle;
  const ulong walker = get_group_id(0), pitch = args.pitch;
  global const T *x = r + args.r + walker * args.stride;
  CHANGE s;
  T places[6];
  int d;
  BEGIN;
  pair_places(x, pitch, particle, to + args.to + walker * 3, places);
  pair_change(GIVE, n, particle, x, pitch, places, CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT, 0, 0, &s);
  folded[item] = change_of(e, &s);
  for (d = 0; d < 6; d++) folded[(1 + d) * ITEMS + item] = s.force[d];
  fold(folded, 7, item, ITEMS, 1);
  if (!item)
    for (d = 0; d < 7; d++) result[args.result + walker * 7 + d] = folded[d * ITEMS];
}
#endif

#ifdef PAIR_ACCEPT
/* gradient (gradients) is laid out as r. */
CONVK_GROUP_KERNEL_ pair_accept(ARGUMENTS) {
  local double folded[3 * ITEMS];
  const uint item = (uint)get_local_id(0), n = args.n, particle = args.particle;
  const ulong walker = get_group_id(0), pitch = args.pitch;
  global T *x = r + args.r + walker * args.stride, *slope = gradient + args.gradient + walker * args.stride;
  const int taken = !args.chosen || accept[args.accept + walker];
  T places[6];
  int d;
  BEGIN;
  pair_places(x, pitch, particle, to + args.to + walker * 3, places);
  for (d = 0; d < 3; d++) folded[d * ITEMS + item] = 0;
  if (taken && args.gradients) {
    CHANGE s;
    pair_change(GIVE, n, particle, x, pitch, places, CONVK_PAIR_GRADIENT, 0, slope, &s);
    for (d = 0; d < 3; d++) folded[d * ITEMS + item] = s.force[3 + d];
  }
  barrier(CLK_GLOBAL_MEM_FENCE); /* all have seen where the particle was; fold waits for what is local */
  fold(folded, 3, item, ITEMS, 1);
  for (d = 0; d < 3 && !item && taken; d++) {
    if (args.gradients) slope[d * pitch + particle] = (T)folded[d * ITEMS];
    x[d * pitch + particle] = places[3 + d];
  }
}
#endif

#ifdef VMC_SINGLE
/* Whole sweeps of a walker by a group: one particle after another. */
CONVK_GROUP_KERNEL_ vmc_single(ARGUMENTS) {
  local double folded[(DRIFT ? 7 : 1) * ITEMS], random[4 * ITEMS];
  local int taken;
  const uint item = (uint)get_local_id(0), walker = (uint)get_group_id(0), number = args.first_walker + walker, n = args.n;
  const double step = args.step;
  global T *x = r + args.r + (ulong)walker * 3 * n;
  double followed = ln_psi[args.ln_psi + walker];
  ulong sweep = args.sweep;
  uint first, k, done, count = 0;
  CHANGE s;
  int d;
  BEGIN;
  for (done = 0; done < args.sweeps; done++, sweep++)
    for (first = 0; first < n; first += ITEMS) {
      if (first + item < n) {
        double u[4];
        convk_random_(args.seed, sweep, first + item, number, CONVK_RANDOM_MOVE_, u);
        if (DRIFT) convk_normal_(args.seed, sweep, first + item, number, u);
        for (d = 0; d < 4; d++) random[4 * item + d] = u[d];
      }
      barrier(CLK_LOCAL_MEM_FENCE); /* coordinates are fenced below, after each of at least two particles */
      for (k = first; k < n && k < first + ITEMS; k++) {
        local const double *u = random + 4 * (k - first);
        T places[6];
        double number[3], before[3] = {0, 0, 0}, move[3], way[3];
        for (d = 0; d < 3; d++) places[d] = places[3 + d] = x[(ulong)d * n + k];
#if DRIFT
        pair_change(GIVE, n, k, x, n, places, CONVK_PAIR_GRADIENT, 1, 0, &s);
        for (d = 0; d < 3; d++) folded[(4 + d) * ITEMS + item] = s.force[3 + d];
        fold(folded + 4 * ITEMS, 3, item, ITEMS, 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (d = 0; d < 3; d++) before[d] = folded[(4 + d) * ITEMS];
#endif
        for (d = 0; d < 3; d++) number[d] = u[d];
        convk_vmc_move_(DRIFT, step, before, number, move);
        for (d = 0; d < 3; d++) {
          places[3 + d] = (T)((double)places[d] + move[d]);
          way[d] = (double)places[3 + d] - (double)places[d];
        }
        pair_change(GIVE, n, k, x, n, places, DRIFT ? CONVK_PAIR_LN_PSI | CONVK_PAIR_GRADIENT : CONVK_PAIR_LN_PSI, 0, 0, &s);
        folded[item] = change_of(e, &s);
        for (d = 0; d < 3 && DRIFT; d++) folded[(1 + d) * ITEMS + item] = s.force[3 + d];
        fold(folded, DRIFT ? 4 : 1, item, ITEMS, 1);
        if (!item) {
          double chance = 2 * folded[0];
#if DRIFT
          double after[3];
          for (d = 0; d < 3; d++) after[d] = folded[(1 + d) * ITEMS];
          chance += convk_vmc_return_(step, way, before, after);
#endif
          taken = convk_vmc_accepts_(chance, u[3]);
          if (taken) followed = CONVK_SUM_(double, followed, folded[0]);
          count += taken;
        }
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (taken && item == k / LANES % ITEMS)
          for (d = 0; d < 3; d++) x[(ulong)d * n + k] = places[3 + d];
      }
    }
  if (!item) {
    ln_psi[args.ln_psi + walker] = followed;
    accepted[args.accepted + walker] += count;
  }
}
#endif

#ifdef VMC_PROPOSE
/* Where all particles would go. */
kernel void vmc_propose(ARGUMENTS) {
  const uint n = args.n;
  const ulong i = get_global_id(0), walker = i / n, k = i % n;
  global T *there = (global T *)(work + args.moved) + walker * 3 * n + k;
  double u[4], force[3] = {0, 0, 0}, move[3];
  int d;
  if (walker >= args.walkers) return;
  r += args.r + walker * 3 * n + k;
  for (d = 0; d < 3 && DRIFT; d++) force[d] = work[args.force + walker * args.force_stride + (ulong)d * n + k];
  if (DRIFT) convk_normal_(args.seed, args.sweep, (uint)k, args.first_walker + (uint)walker, u);
  else convk_random_(args.seed, args.sweep, (uint)k, args.first_walker + (uint)walker, CONVK_RANDOM_MOVE_, u);
  convk_vmc_move_(DRIFT, args.step, force, u, move);
  for (d = 0; d < 3; d++) there[(ulong)d * n] = (T)((double)r[(ulong)d * n] + move[d]);
}
#endif

#ifdef VMC_DECIDE
/* Whether a walker goes there. */
CONVK_GROUP_KERNEL_ vmc_decide(ARGUMENTS) {
  local double folded[ITEMS];
  local int taken;
  const uint item = (uint)get_local_id(0), walker = (uint)get_group_id(0), n = args.n;
  global const T *there = (global const T *)(work + args.moved) + (ulong)walker * 3 * n;
  global T *x = r + args.r + (ulong)walker * 3 * n;
  double sum = 0;
  ulong k;
#if DRIFT
  for (k = item; k < n; k += ITEMS) {
    double way[3], before[3], after[3];
    int d;
    for (d = 0; d < 3; d++) {
      const ulong i = walker * args.force_stride + (ulong)d * n + k;
      way[d] = (double)there[(ulong)d * n + k] - (double)x[(ulong)d * n + k];
      before[d] = work[args.force + i];
      after[d] = work[args.after + i];
    }
    sum = CONVK_SUM_(double, sum, convk_vmc_return_(args.step, way, before, after));
  }
#endif
  folded[item] = sum;
  fold(folded, 1, item, ITEMS, 1);
  if (!item) {
    const double after = work[args.moved_result + (ulong)walker * 9];
    double u[4];
    convk_random_(args.seed, args.sweep, n, args.first_walker + walker, CONVK_RANDOM_ACCEPT_, u);
    taken = convk_vmc_accepts_(2 * (after - ln_psi[args.ln_psi + walker]) + folded[0], u[3]);
    if (taken) {
      ln_psi[args.ln_psi + walker] = after;
      accepted[args.accepted + walker]++;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); /* `taken` is there, and all have seen where the walker was */
  for (k = item; k < 3 * (ulong)n && taken; k += ITEMS) x[k] = there[k];
}
#endif

#ifdef VMC_BEGIN
/* Clears what is counted (`clear`), and brings walkers back (`back`) as convk.h. */
CONVK_GROUP_KERNEL_ vmc_begin(ARGUMENTS) {
  local double folded[3 * ITEMS];
  const uint item = (uint)get_local_id(0), n = args.n;
  const ulong walker = get_group_id(0);
  global T *x = r + args.r + walker * 3 * n;
  uint k;
  int d;
  if (!item && args.clear) {
    accepted[args.accepted + walker] = 0;
    drift[args.drift + walker] = 0;
  }
  if (!args.back) return;
  for (d = 0; d < 3 && args.periodic; d++) {
    const double period = d == 0 ? args.box[0] : d == 1 ? args.box[1] : args.box[2];
    for (k = item; k < n; k += ITEMS) x[(ulong)d * n + k] = (T)convk_vmc_inside_((double)x[(ulong)d * n + k], period);
  }
  for (d = 0; d < 3; d++) {
    double sum = 0;
    for (k = item; k < n; k += ITEMS) sum = CONVK_SUM_(double, sum, x[(ulong)d * n + k]);
    folded[d * ITEMS + item] = sum;
  }
  fold(folded, 3, item, ITEMS, 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (d = 0; d < 3 && !args.periodic; d++) {
    const double off = convk_vmc_off_(folded[d * ITEMS] / (double)n);
    for (k = item; k < n; k += ITEMS) x[(ulong)d * n + k] = (T)((double)x[(ulong)d * n + k] - off);
  }
}
#endif

#ifdef VMC_RENEW
/* ln Psi is computed anew: how far off it was, where it was `set`. */
kernel void vmc_renew(ARGUMENTS) {
  const ulong w = get_global_id(0);
  double anew, off = 0;
  if (w >= args.walkers) return;
  anew = result[args.result + w * 9];
  if (args.set) off = fabs(ln_psi[args.ln_psi + w] - anew);
  if (isfinite(off) && off > drift[args.drift + w]) drift[args.drift + w] = off;
  ln_psi[args.ln_psi + w] = anew;
}
#endif
