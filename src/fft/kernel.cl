#include "device/preamble.cl"
#include "words/opencl.cl"
#define INLINE static __attribute__((always_inline, unused)) /* constants are to reach everything */
#undef CONVK_ELEMENT_
#define CONVK_ELEMENT_ INLINE
#include "fft/element.h"

#if F64
typedef double2 T2;
#else
typedef float2 T2;
#endif
#if REAL
typedef T V;
#else
typedef T2 V;
#endif

#include "fft/arguments.h"
typedef convk_fft_axis_device_ axis_of;
typedef convk_fft_device_ job_of;

#ifdef NY
#define SPECIAL
#else /* sizes at run time */
#define NY e->job->y.n
#define NX e->job->x.n
#define RADICES_Y e->job->y.radices
#define RADICES_X e->job->x.radices
#define HALF (e->job->x.halves << 2 | e->job->y.halves)
#define ROWS e->job->rows
#define COLUMNS e->job->columns
#define OUT_ROWS e->job->out_rows
#define OUT_COLUMNS e->job->out_columns
#define SIZE get_local_size(0)
#define RADICES 0x101be
#endif
#define HALF_Y (HALF)
#define HALF_X (HALF >> 2)
#define RADIX(radices, i) (((uint)(radices) >> 4 * (i)&15) + 1)
#define IF_AFTER(radices, i, k) ((i) < k ? RADIX(radices, k) : 1)
#define PART(radices, i) /* the product of later radices */ \
  (int)(IF_AFTER(radices, i, 1) * IF_AFTER(radices, i, 2) * IF_AFTER(radices, i, 3) * IF_AFTER(radices, i, 4) * \
        IF_AFTER(radices, i, 5) * IF_AFTER(radices, i, 6) * IF_AFTER(radices, i, 7))
#define MORE(radices, i) ((uint)(radices) >> 4 * (i) != 0)
#define PASSES(radices) \
  (1 + MORE(radices, 1) + MORE(radices, 2) + MORE(radices, 3) + MORE(radices, 4) + MORE(radices, 5) + MORE(radices, 6) + \
   MORE(radices, 7))
#define PASSES_Y PASSES(RADICES_Y)
#define PASSES_X PASSES(RADICES_X)

/* Frequencies of y that are transformed along x, and columns of complex numbers: two real ones are one. */
#if REAL
#define LINES (NY / 2 + 1)
#define IN_COLUMNS ((COLUMNS + 1) / 2)
#define END_COLUMNS ((OUT_COLUMNS + 1) / 2)
#else
#define LINES NY
#define IN_COLUMNS COLUMNS
#define END_COLUMNS OUT_COLUMNS
#endif

/* What a work-group has: `count` items, and in local memory a: lines along y, by columns, b: lines along x, by columns;
   complex numbers have them in one place.  Odd pitches keep neighbours in different banks.  Kernels that do a part of
   the work have one item, `many` of its columns or lines from `first` on, and `work` between them. */
typedef struct {
  const job_of *job;
  global const V *in;
  global V *out;
  global T2 *work;
  global const T2 *tables;
  global const T *spectra;
  global const uint *position_y, *position_x;
  local T2 *a, *b;
  local ulong *which; /* kernel of each item */
  uint count, first, many;
  T scale;
} group_of;
#define PITCH_A (NY | 1)
#ifdef FFT_LINES
#define PITCH_B (e->job->chunk | 1)
#elif REAL
#define PITCH_B (LINES | 1)
#else
#define PITCH_B PITCH_A
#endif
#define TILE_A (e->job->columns_a * PITCH_A)
#define TILE_B (e->job->columns_b * PITCH_B)
#define NONE (~(ulong)0)

/* Work of a group: line < lines, g < groups of points, item; neighbours have neighbouring lines. */
#define INDICES uint item, line, g
#if defined ONE_ITEM
#define MEET (void)0 /* nobody to wait for */
#define EACH(lines, groups) \
  for (item = 0; item < e->count; item++) \
    for (g = 0; g < (uint)(groups); g++) \
      for (line = 0; line < (uint)(lines); line++)
#else
#if TRANSFORM && defined FFT_LINES /* put_lines writes to `work` what others have read there */
#define MEET barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define MEET barrier(CLK_LOCAL_MEM_FENCE)
#endif
#define EACH(lines, groups) \
  for (uint u = get_local_id(0); line = u % (uint)(lines), g = u / (uint)(lines) % (uint)(groups), \
            item = u / (uint)(lines) / (uint)(groups), item < e->count; \
       u += (uint)SIZE)
#endif

/* f is inlined for each radix that there may be. */
#define CASE(R, f, ...) \
  if ((RADICES >> R & 1) && r == R) f(R, __VA_ARGS__);
#define BY_RADIX(f, ...) \
  CASE(1, f, __VA_ARGS__) \
  CASE(2, f, __VA_ARGS__) CASE(3, f, __VA_ARGS__) CASE(4, f, __VA_ARGS__) CASE(5, f, __VA_ARGS__) CASE(7, f, __VA_ARGS__) \
      CASE(8, f, __VA_ARGS__) CASE(16, f, __VA_ARGS__)

/* A transform of r points; halved: the upper half is zero.  All passes but the first have twiddles. */
INLINE void fft_points(const int r, const int halved, T *xr, T *xi, const int turn, global const T2 *w) {
  const int h = r % 2 ? r : r / 2;
  int q;
  if (turn)
#pragma unroll
    for (q = 1; q < 8; q++)
      if (q < h) convk_fft_times_(0, w[q - 1].x, w[q - 1].y, &xr[q], &xi[q]);
#pragma unroll
  for (q = 1; q < 16; q++) {
    if (q < h || q >= r) continue;
    if (halved) {
      xr[q] = xr[q - h];
      xi[q] = xi[q - h];
    } else if (turn) convk_fft_butterfly_(0, w[q - 1].x, w[q - 1].y, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
    else convk_fft_butterfly_1_(0, &xr[q - h], &xi[q - h], &xr[q], &xi[q]);
  }
  convk_fft_radix_rest_(r, xr, xi);
}

/* A point of the field. */
INLINE T2 field(const group_of *e, uint item, uint column, uint row) {
  const ulong at = item * e->job->in_stride + row * e->job->in_pitch;
  if (row >= ROWS) return (T2)(0, 0);
#if REAL
  return (T2)(e->in[at + 2 * column], 2 * column + 1 < COLUMNS ? e->in[at + 2 * column + 1] : 0);
#else
  return TRANSFORM && e->job->swap ? e->in[at + column].yx : e->in[at + column];
#endif
}

INLINE T2 unpack(T2 z, T2 m, int second) {
  T re, im;
  convk_fft_split_(z.x, z.y, m.x, m.y, second, &re, &im);
  return (T2)(re, im);
}

/* Where frequencies k and -k of line k lie. */
#define PLACES(k) const uint at_z = e->position_y[k], at_m = e->position_y[(k) ? NY - (k) : 0]

/* Point `column` of a line along x, before and after it. */
INLINE T2 enter_x(const group_of *e, uint item, uint column, uint line, uint at_z, uint at_m) {
  if (column >= COLUMNS) return (T2)(0, 0);
#ifdef FFT_LINES
  return e->work[(ulong)column * LINES + e->first + line];
#elif REAL
  const local T2 *p = e->a + item * TILE_A + column / 2 * PITCH_A;
  return unpack(p[at_z], p[at_m], column % 2);
#else
  return e->a[item * TILE_A + column * PITCH_A + line];
#endif
}

INLINE void leave_x(const group_of *e, uint item, uint column, uint line, T2 v) {
#ifdef FFT_LINES
  if (column < e->job->columns_b) e->work[(ulong)column * LINES + e->first + line] = v;
#else
  if (column < e->job->columns_b) e->b[item * TILE_B + column * PITCH_B + line] = v;
#endif
}

/* A point of the result. */
INLINE void leave_y(const group_of *e, uint item, uint column, uint row, T2 v) {
  const ulong at = item * e->job->out_stride + row * e->job->out_pitch;
  if (row >= OUT_ROWS || e->which[item] == NONE) return;
#if REAL
  e->out[at + 2 * column] = v.x;
  if (2 * column + 1 < OUT_COLUMNS) e->out[at + 2 * column + 1] = v.y;
#else
  e->out[at + column] = v;
#endif
}

/* r points times the spectrum, from point `at` of x on; then real and imaginary parts are exchanged. */
INLINE void turn_round(const int r, const group_of *e, uint item, uint at, uint line, T *xr, T *xi) {
  const ulong kernel_of = e->which[item] == NONE ? 0 : e->which[item];
  global const T *f = e->spectra + kernel_of * e->job->spectrum + 2 * at * e->job->pitch + e->first + line;
  int q;
  CONVK_EACH_(q, 16)
    if (q < r) {
      T t = xr[q];
      convk_fft_times_(0, f[2 * q * e->job->pitch], f[(2 * q + 1) * e->job->pitch], &t, &xi[q]);
      xr[q] = xi[q];
      xi[q] = t;
    }
}

/* Where the twiddles of pass i lie.  Nothing is indexed by what is not constant: that would copy the arguments to memory. */
INLINE uint twiddles_of(const job_of *job, int along_x, int back, int i) {
  uint at = 0;
  int k;
  CONVK_EACH_(k, 8) {
    const uint x = back ? job->x.inverse[k] : job->x.forward[k], y = back ? job->y.inverse[k] : job->y.forward[k];
    if (i == k) at = along_x ? x : y;
  }
  return at;
}

/* Passes of an item: along y there, along x there and back (the last there is the first back), along y back.  The way
   back is that there with real and imaginary parts exchanged. */
#define STEPS_X (TRANSFORM ? PASSES_X : 2 * PASSES_X - 1)
#define STEPS (PASSES_Y + STEPS_X + (TRANSFORM ? 0 : PASSES_Y))

INLINE void fft_step(const int n, const group_of *e) {
  const int along_x = n >= PASSES_Y && n < PASSES_Y + STEPS_X;
  const int k = along_x ? n - PASSES_Y : n < PASSES_Y ? n : n - STEPS_X; /* of this axis */
  const int last = (along_x ? PASSES_X : PASSES_Y) - 1, back = k > last, i = back ? 2 * last + !along_x - k : k;
  const int r = RADIX(along_x ? RADICES_X : RADICES_Y, i), part = PART(along_x ? RADICES_X : RADICES_Y, i);
  const int turns = TRANSFORM ? 0 : along_x && k == last, leaves = TRANSFORM ? 0 : (back | turns) && i == 0;
  const int halves = along_x ? HALF_X : HALF_Y, twiddles = back ? part > 1 : i > 0;
  const uint step = along_x ? PITCH_B : 1;
  global const T2 *w = e->tables + twiddles_of(e->job, along_x, back, i) / 2;
  INDICES;
  EACH(e->many, (along_x ? NX : NY) / r) {
    const uint block = g / part, j = g % part, at = block * r * part + j;
    local T2 *p = along_x ? e->b + item * TILE_B + line : e->a + item * TILE_A + line * PITCH_A;
    T xr[16], xi[16];
    int q, way;
#if REAL && defined FFT_WHOLE
    PLACES(along_x ? line : 0);
#else
    const uint at_z = 0, at_m = 0;
#endif
    CONVK_EACH_(q, 16)
      if (q < (k == 0 && halves & 1 ? r / 2 : r)) {
        const uint point = at + q * part;
        const T2 v = k         ? p[point * step]
                     : along_x ? enter_x(e, item, point, line, at_z, at_m)
                               : field(e, item, e->first + line, point);
        xr[q] = back ? v.y : v.x;
        xi[q] = back ? v.x : v.y;
      }
    for (way = 0; way <= turns; way++) {
      if (way) turn_round(r, e, item, at, line, xr, xi);
      BY_RADIX(fft_points, !way && k == 0 && halves & 1, xr, xi, !way && twiddles, w + (back ? j : block) * (r - 1))
    }
    CONVK_EACH_(q, 16)
      if (q < (leaves && halves & 2 ? r / 2 : r)) {
        const uint point = at + q * part;
        const T2 v = back | turns ? (T2)(xi[q], xr[q]) : (T2)(xr[q], xi[q]);
        if (!leaves) p[point * step] = v;
        else if (along_x) leave_x(e, item, point, line, v);
        else leave_y(e, item, e->first + line, point, v);
      }
  }
  MEET;
}

/* Passes first .. end - 1, inlined where sizes are constants. */
#ifdef SPECIAL
#define STEP(n, first, end) \
  if (n >= first && n < end) fft_step(n, e);
#define STEPS_FROM(first, end) \
  STEP(0, first, end) \
  STEP(1, first, end) STEP(2, first, end) STEP(3, first, end) STEP(4, first, end) STEP(5, first, end) STEP(6, first, end) \
      STEP(7, first, end) STEP(8, first, end) STEP(9, first, end) STEP(10, first, end) STEP(11, first, end) \
          STEP(12, first, end) STEP(13, first, end) STEP(14, first, end) STEP(15, first, end) STEP(16, first, end) \
              STEP(17, first, end) STEP(18, first, end) STEP(19, first, end) STEP(20, first, end) STEP(21, first, end) \
                  STEP(22, first, end) STEP(23, first, end) STEP(24, first, end) STEP(25, first, end) STEP(26, first, end) \
                      STEP(27, first, end) STEP(28, first, end) STEP(29, first, end) STEP(30, first, end)
#else
#define STEPS_FROM(first, end) \
  for (int n = first; n < end; n++) fft_step(n, e);
#endif

#if TRANSFORM && defined FFT_LINES
INLINE void put_lines(const group_of *e) {
  INDICES;
  EACH(e->many, NX) leave_x(e, item, g, line, e->b[item * TILE_B + line + g * PITCH_B]);
}
#endif

#if TRANSFORM && (defined FFT_WHOLE || defined FFT_BACK)
/* The result in natural order. */
INLINE void put_result(const group_of *e) {
  INDICES;
  EACH(e->many, NY) {
    const uint column = e->first + line;
#ifdef FFT_WHOLE
    T2 v = e->a[item * TILE_A + e->position_x[column] * PITCH_A + e->position_y[g]];
#else
    T2 v = e->a[line * PITCH_A + e->position_y[g]];
#endif
    if (e->job->swap) v = (T2)(v.y * e->scale, v.x * e->scale);
    e->out[item * e->job->out_stride + g * e->job->out_pitch + column] = v;
  }
}
#endif

#ifdef FFT_COLUMNS
/* Columns go to `work`. */
INLINE void put_columns(const group_of *e) {
  INDICES;
  EACH(LINES, e->many) {
    const local T2 *p = e->a + g * PITCH_A;
#if REAL
    global T2 *to = e->work + 2 * (ulong)(e->first + g) * LINES + line;
    PLACES(line);
    to[0] = unpack(p[at_z], p[at_m], 0);
    if (2 * (e->first + g) + 1 < COLUMNS) to[LINES] = unpack(p[at_z], p[at_m], 1);
#else
    e->work[(ulong)(e->first + g) * LINES + line] = p[line];
#endif
  }
}
#endif

#if defined FFT_BACK || (REAL && defined FFT_WHOLE)
/* Columns for the way back along y; of real ones frequencies k and -k of A + i B. */
INLINE void take_columns(const group_of *e) {
  INDICES;
  EACH(LINES, e->many) {
    local T2 *p = e->a + item * TILE_A + g * PITCH_A;
    const uint column = e->first + g;
#if REAL
    const int both = 2 * column + 1 < OUT_COLUMNS;
#ifdef FFT_WHOLE
    const local T2 *from = e->b + item * TILE_B + 2 * column * PITCH_B + line;
    const T2 a = from[0], b = both ? from[PITCH_B] : (T2)(0, 0);
#else
    global const T2 *from = e->work + 2 * (ulong)column * LINES + line;
    const T2 a = from[0], b = both ? from[LINES] : (T2)(0, 0);
#endif
    PLACES(line);
    T zr, zi, mr, mi;
    convk_fft_merge_(a.x, a.y, b.x, b.y, &zr, &zi, &mr, &mi);
    p[at_m] = (T2)(mr, mi);
    p[at_z] = (T2)(zr, zi);
#else
    p[line] = e->work[(ulong)(TRANSFORM ? e->position_x[column] : column) * LINES + line];
#endif
  }
}
#endif

#ifdef SPECIAL
#define SHAPE __attribute__((reqd_work_group_size(SIZE, 1, 1)))
#else
#define SHAPE
#endif
kernel SHAPE void fft(const job_of job, T scale, global const V *in, global V *out, global const T *tables,
                      global const T *spectra, global const uint *positions, global const ulong *index, global T2 *work,
                      local T2 *a, local T2 *b, local ulong *which) {
  group_of group, *e = &group;
#if !TRANSFORM
  uint i;
#endif
#ifdef FFT_WHOLE
  const ulong item = get_group_id(0) * (ulong)job.each;
  group.count = job.items - item < job.each ? (uint)(job.items - item) : job.each;
  group.first = 0;
#else
  const ulong item = get_group_id(0) / job.chunks;
  group.count = 1;
  group.first = (uint)(get_group_id(0) % job.chunks) * job.chunk;
#endif
  group.job = &job;
  group.in = in + job.in + item * job.in_stride;
  group.out = out + job.out + item * job.out_stride;
  group.tables = (global const T2 *)(tables + job.tables);
  group.spectra = spectra + job.spectra;
  group.position_y = positions + job.position_y;
  group.position_x = positions + job.position_x;
  group.a = a;
#if REAL || defined FFT_LINES
  group.b = b;
#else
  group.b = a;
#endif
  group.which = which;
  group.scale = scale;
  group.work = work + job.work + item * job.columns_b * LINES;
#if !TRANSFORM
  for (i = (uint)get_local_id(0); i < group.count; i += (uint)SIZE) {
    ulong k = 0;
    if (job.indexed) k = index[job.index + item + i];
    else if (job.kernels > 1) k = (job.number + item + i) / job.per_kernel;
    which[i] = k < job.kernels ? k : NONE;
  }
#endif
  MEET;
#ifdef FFT_WHOLE
  group.many = IN_COLUMNS;
  STEPS_FROM(0, PASSES_Y)
  group.many = LINES;
  STEPS_FROM(PASSES_Y, PASSES_Y + STEPS_X)
  group.many = END_COLUMNS;
#if REAL
  take_columns(e);
  MEET;
#endif
#if TRANSFORM
  put_result(e);
#else
  STEPS_FROM(PASSES_Y + STEPS_X, STEPS)
#endif
#elif defined FFT_COLUMNS
  group.many = IN_COLUMNS - group.first < job.chunk ? IN_COLUMNS - group.first : job.chunk;
  STEPS_FROM(0, PASSES_Y)
  put_columns(e);
#elif defined FFT_LINES
  group.many = LINES - group.first < job.chunk ? LINES - group.first : job.chunk;
  STEPS_FROM(PASSES_Y, PASSES_Y + STEPS_X)
#if TRANSFORM
  put_lines(e);
#endif
#else
  group.many = END_COLUMNS - group.first < job.chunk ? END_COLUMNS - group.first : job.chunk;
  take_columns(e);
  MEET;
#if TRANSFORM
  put_result(e);
#else
  STEPS_FROM(PASSES_Y + STEPS_X, STEPS)
#endif
#endif
}
