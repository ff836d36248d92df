#include "device/preamble.cl"
#include "words/opencl.cl"
#include "elementary/exponential.h"
#include "gaussian/element.h"
#include "gaussian/point.h"

#define POINTS_OF \
  global const T *px, ulong x_offset, global const T *py, ulong y_offset, global const T *pz, ulong z_offset, ulong stride, \
      ulong n
#define CENTER T c0, T c1, T c2
/* line0: the number, among all groups along y, of the first one of this launch. */

/* A squared distance, and what it lost where COMPENSATED. */
T squared(T x, T y, T z, CENTER, T *lo) {
  const T center[6] = {c0, c1, c2, 0, 0, 0};
  T v[3] = {x, y, z};
  return convk_gaussian_distance_(v, center, COMPENSATED, lo);
}

#ifdef GRIDPOT
/* A group has ITEMS times POINTS columns, which lie side by side in memory, and up to ROWS rows.  Columns are points
   and rows exponents, or with EXPONENTS the other way round. */
CONVK_GROUP_KERNEL_ gridpot(POINTS_OF, CENTER, global const T *table, ulong m, T cut, global T *g, ulong g_offset, ulong ld,
                            ulong line0) {
  local T row[3][ROWS];
  const int item = (int)get_local_id(0);
  const ulong first = (ulong)get_group_id(0) * (ITEMS * POINTS) + item, row0 = (line0 + get_group_id(1)) * ROWS;
  T column[3][POINTS];
  int p, r, rows;
  px += x_offset;
  py += y_offset;
  pz += z_offset;
#if EXPONENTS
  rows = (int)min((ulong)ROWS, n - row0);
  for (r = item; r < rows; r += ITEMS) {
    const ulong i = (row0 + r) * stride;
    T lo;
    row[0][r] = squared(px[i], py[i], pz[i], c0, c1, c2, &lo);
    row[1][r] = lo;
  }
  for (p = 0; p < POINTS; p++) {
    const ulong j = min(first + p * ITEMS, m - 1);
    column[0][p] = table[j];
    column[1][p] = table[m + j];
    column[2][p] = table[2 * m + j];
  }
#define COLUMNS m
#else
  rows = (int)min((ulong)ROWS, m - row0);
  for (r = item; r < rows; r += ITEMS) {
    row[0][r] = table[row0 + r];
    row[1][r] = table[m + row0 + r];
    row[2][r] = table[2 * m + row0 + r];
  }
  for (p = 0; p < POINTS; p++) {
    const ulong i = min(first + p * ITEMS, n - 1) * stride;
    column[0][p] = squared(px[i], py[i], pz[i], c0, c1, c2, &column[1][p]);
  }
#define COLUMNS n
#endif
  g += g_offset + row0 * ld + first;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (r = 0; r < rows; r++, g += ld) {
    const T r0 = row[0][r], r1 = row[1][r];
#if !EXPONENTS
    const T r2 = row[2][r];
#endif
    for (p = 0; p < POINTS; p++) {
#if EXPONENTS
      const T value = convk_gaussian_(column[0][p], column[1][p], column[2][p], r0, r1, cut, COMPENSATED);
#else
      const T value = convk_gaussian_(r0, r1, r2, column[0][p], column[1][p], cut, COMPENSATED);
#endif
      if (first + p * ITEMS < COLUMNS) g[p * ITEMS] = value;
    }
  }
}
#endif

#ifdef GRIDPOT_SUM
/* SUMS sums of ITEMS times POINTS points, in registers; exponents and coefficients come through local memory.  In
   `table` the coefficients follow the exponents, SUMS for one exponent after another. */
CONVK_GROUP_KERNEL_ gridpot_sum(POINTS_OF, CENTER, global const T *table, ulong m, T cut, ulong nsums, global T *sums,
                                ulong sums_offset, ulong ld, ulong line0) {
  local T tile[ROWS * (3 + SUMS)];
  const int item = (int)get_local_id(0);
  const ulong first = (ulong)get_group_id(0) * (ITEMS * POINTS) + item, sum0 = (line0 + get_group_id(1)) * SUMS;
  global const T *c = table + 3 * m + sum0 * m;
  T s[POINTS], lo[POINTS], sum[SUMS][POINTS];
  ulong j;
  int k, p, r;
  for (p = 0; p < POINTS; p++) {
    const ulong i = min(first + p * ITEMS, n - 1) * stride;
    s[p] = squared(px[x_offset + i], py[y_offset + i], pz[z_offset + i], c0, c1, c2, &lo[p]);
    for (k = 0; k < SUMS; k++) sum[k][p] = 0;
  }
  for (j = 0; j < m; j += ROWS) {
    const int rows = (int)min((ulong)ROWS, m - j);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (r = item; r < rows; r += ITEMS) {
      local T *v = tile + r * (3 + SUMS);
      v[0] = table[j + r];
      v[1] = table[m + j + r];
      v[2] = table[2 * m + j + r];
      for (k = 0; k < SUMS; k++) v[3 + k] = c[(j + r) * SUMS + k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (r = 0; r < rows; r++) {
      local const T *v = tile + r * (3 + SUMS);
      for (p = 0; p < POINTS; p++) {
        const T e = convk_gaussian_(v[0], v[1], v[2], s[p], lo[p], cut, COMPENSATED);
        CONVK_EACH_(k, SUMS) sum[k][p] = fma(v[3 + k], e, sum[k][p]);
      }
    }
  }
  sums += sums_offset + sum0 * ld + first;
  CONVK_EACH_(k, SUMS)
    for (p = 0; p < POINTS; p++)
      if (sum0 + k < nsums && first + p * ITEMS < n) sums[k * ld + p * ITEMS] = sum[k][p] + 0;
}
#endif

#ifdef ORBITALS
/* Coefficients of up to STAGE columns, ROWS for each, wait for the points of all items.  Of one item they are its own. */
#if ITEMS > 1
#define NEAR local
#define WAIT barrier(CLK_LOCAL_MEM_FENCE)
#else
#define NEAR private
#define WAIT
#endif
#define SUMS (KINDS * ROWS * POINTS)

/* One point and one shell: radial parts R, R' / r and (R' / r)' / r.  Sums of ROWS orbitals by kind. */
CONVK_ELEMENT_ void shell(const int l, const T *v, T s, T r, T d, T e, NEAR const T *c, T *sum) {
  T m[CONVK_DEGREE_(MAX_L + 1)], slope[CONVK_DEGREE_(MAX_L + 1)], bend[CONVK_DEGREE_(MAX_L + 1)], value[KINDS];
  int i, j, k, o, q;
  convk_gaussian_monomials_of_(l, v, r, m);
  if (KINDS > 1) {
    convk_gaussian_monomials_of_(l, v, d, slope);
    convk_gaussian_monomials_of_(l, v, fma((T)(2 * l + 3), d, s * e), bend);
  }
#pragma unroll
  for (i = 0; i <= MAX_L; i++)
#pragma unroll
    for (j = 0; j <= i; j++) {
      if (i > l) continue;
      q = i * (i + 1) / 2 + j;
      convk_gaussian_values_(l, KINDS, i, j, v, m, slope, bend, value);
      CONVK_EACH_(k, KINDS)
        CONVK_EACH_(o, ROWS) {
          T *to = sum + (k * ROWS + o) * POINTS;
          *to = fma(c[q * ROWS + o], value[k], *to);
        }
    }
}

/* Squared distances of the points from a center, with their differences v, and the radial functions of `shells` shells around
   it, sums over `count` primitives. */
CONVK_ELEMENT_ void radials(const T *x, const T *y, const T *z, global const T *center, global const T *a, ulong primitives,
                            global const T *factor, int shells, int count, T cut, T (*v)[POINTS], T *s,
                            T (*radial)[3][POINTS]) {
  const T at[6] = {center[0], center[1], center[2], center[3], center[4], center[5]};
  int i, j, k, p;
  for (p = 0; p < POINTS; p++) {
    T d[3] = {x[p], y[p], z[p]}, lo;
    s[p] = convk_gaussian_distance_(d, at, 0, &lo);
    for (k = 0; k < 3; k++) v[k][p] = d[k];
    for (k = 0; k < 4; k++)
      for (j = 0; j < 3; j++) radial[k][j][p] = 0;
  }
  for (i = 0; i < count; i++, a++)
    for (p = 0; p < POINTS; p++) {
      const T e = convk_gaussian_(a[0], a[primitives], a[2 * primitives], s[p], 0, cut, 0);
      CONVK_EACH_(k, 4)
        if (k < shells)
          CONVK_EACH_(j, (KINDS > 1 ? 3 : 1)) radial[k][j][p] = fma(factor[(3 * k + j) * count + i], e, radial[k][j][p]);
    }
}

/* A shell of each point: the first of the radial functions. */
#define SHELL(L) \
  case L: \
    for (p = 0; p < POINTS; p++) { \
      const T d[3] = {v[0][p], v[1][p], v[2][p]}; \
      shell(L, d, s[p], radial[0][p] + 0, radial[1][p] + 0, radial[2][p] + 0, c, sum + p); \
    } \
    break;
CONVK_ELEMENT_ void add(int l, T (*v)[POINTS], const T *s, T (*radial)[POINTS], NEAR const T *c, T *sum) {
  int p;
  switch (l) {
    SHELL(0)
#if MAX_L > 0
    SHELL(1)
#endif
#if MAX_L > 1
    SHELL(2)
#endif
#if MAX_L > 2
    SHELL(3)
#endif
#if MAX_L > 3
    SHELL(4)
#endif
  }
}

#if DENSITY
/* Adds the weighted squares of ROWS orbitals. */
CONVK_ELEMENT_ void squares(const T *sum, T inverse, T least, global const T *weight, ulong row, ulong norbitals, T *total) {
  int k, p;
  for (k = 0; k < ROWS; k++)
    if (row + k < norbitals)
      for (p = 0; p < POINTS; p++) {
        const T value = convk_gaussian_settled_(sum[k * POINTS + p], inverse, least);
        total[p] = convk_gaussian_add_square_(weight[row + k], value, total[p]);
      }
}
#else
/* ROWS sums of the points of an item, from orbital `row` on, to rows of a result. */
CONVK_ELEMENT_ void store(global T *out, const T *sum, T inverse, T least, ulong row, ulong norbitals, ulong first, ulong n,
                          ulong ld) {
  int k, p;
  CONVK_EACH_(k, ROWS)
    for (p = 0; p < POINTS; p++)
      if (row + k < norbitals && first + p * ITEMS < n)
        out[(row + k) * ld + first + p * ITEMS] = convk_gaussian_settled_(sum[k * POINTS + p], inverse, least);
}
#endif

/* A shell is done: the radial functions of the next one come to the front. */
CONVK_ELEMENT_ void advance(T (*radial)[3][POINTS]) {
  int j, k, p;
  for (p = 0; p < POINTS; p++)
    CONVK_EACH_(k, 3)
      CONVK_EACH_(j, 3) radial[k][j][p] = radial[k + 1][j][p];
}

/* The tables of a plan: see convk_orbital_group_ and convk_orbital_shell_ of convk.h. */
typedef struct convk_group {
  T center[6];
  ulong shells, shell, primitives, primitive, radial, moved;
} convk_group;
typedef struct convk_shell {
  ulong l, functions, function, columns, column, matrix;
} convk_shell;

#if GIVEN
/* Coefficients of ROWS orbitals for as many of the `left` columns as there is room for; `rows` orbitals are there. */
CONVK_ELEMENT_ int stage(NEAR T *staging, global const T *c, ulong left, ulong columns, ulong rows) {
  const int staged = (int)min(left, (ulong)STAGE);
  int o, q;
  WAIT;
  for (o = 0; o < ROWS; o++)
    for (q = (int)get_local_id(0); q < staged; q += ITEMS) staging[q * ROWS + o] = o < rows ? c[o * columns + q] : 0;
  WAIT;
  return staged;
}
#else
/* The functions of a shell in its monomials, where they are among the ROWS functions from `row` on. */
CONVK_ELEMENT_ void stage(NEAR T *staging, global const T *matrix, global const convk_shell *s, ulong row) {
  const int width = (int)s->columns;
  int o, q;
  WAIT;
  for (o = 0; o < ROWS; o++) {
    const ulong f = row + o - s->function; /* wraps around before the first */
    for (q = (int)get_local_id(0); q < width; q += ITEMS)
      staging[q * ROWS + o] = f < s->functions ? matrix[s->matrix + f * width + q] : 0;
  }
  WAIT;
}

/* The first group that has a function from `row` on. */
CONVK_ELEMENT_ ulong first_group(global const convk_group *groups, global const convk_shell *shells, ulong ngroups, ulong row) {
  ulong low = 0, high = ngroups;
  while (low < high) {
    const ulong middle = (low + high) / 2;
    global const convk_shell *last = shells + groups[middle].shell + groups[middle].shells - 1;
    if (last->function + last->functions <= row) low = middle + 1;
    else high = middle;
  }
  return low;
}
#endif

/* A coordinate of the points of an item; copies of the last point stand for those beyond it. */
CONVK_ELEMENT_ void coordinates(global const T *from, ulong stride, ulong first, ulong n, T *x) {
  int p;
  for (p = 0; p < POINTS; p++) x[p] = from[min(first + p * ITEMS, n - 1) * stride];
}

/* Orbitals of ITEMS times POINTS points, ROWS of them at a time, or with DENSITY the sum of their weighted squares.  Without
   GIVEN they are the functions of shells, and only the shells that have some of the ROWS are looked at. */
CONVK_GROUP_KERNEL_ orbitals(POINTS_OF, global const uchar *plan, ulong groups_at, ulong shells_at, ulong exponents_at,
                             ulong radial_at, ulong matrix_at, ulong weights_at, ulong ngroups, ulong primitives, ulong columns,
                             T cut, T inverse, T least, ulong norbitals, ulong blocks, global T *out0, ulong out0_offset,
#if KINDS > 1
                             global T *out1, ulong out1_offset, global T *out2, ulong out2_offset, global T *out3,
                             ulong out3_offset, global T *out4, ulong out4_offset,
#endif
                             ulong ld, ulong line0) {
  NEAR T staging[STAGE * ROWS];
  global const convk_group *groups = (global const convk_group *)(plan + groups_at);
  global const convk_shell *shells = (global const convk_shell *)(plan + shells_at);
  global const T *exponents = (global const T *)(plan + exponents_at), *factors = (global const T *)(plan + radial_at);
  global const T *matrix = (global const T *)(plan + matrix_at);
  const ulong first = (ulong)get_group_id(0) * (ITEMS * POINTS) + get_local_id(0);
  T x[POINTS], y[POINTS], z[POINTS], v[3][POINTS], s[POINTS], radial[4][3][POINTS], sum[SUMS];
  ulong block, begin = line0 + get_group_id(1), end = begin + 1, g;
  int i;
#if DENSITY
  T total[POINTS] = {0};
  begin = 0, end = blocks;
#endif
  coordinates(px + x_offset, stride, first, n, x);
  coordinates(py + y_offset, stride, first, n, y);
  coordinates(pz + z_offset, stride, first, n, z);
  for (block = begin; block < end; block++) {
    const ulong row = block * ROWS;
#if GIVEN
    ulong column = 0;
    int staged = 0, used = 0;
    g = 0;
#else
    g = first_group(groups, shells, ngroups, row);
#endif
    for (i = 0; i < SUMS; i++) sum[i] = 0;
    for (; g < ngroups; g++) {
      global const convk_group *group = groups + g;
      global const convk_shell *of = shells + group->shell;
      const int count = (int)group->primitives, together = (int)group->shells;
#if !GIVEN
      if (of->function >= row + ROWS) break;
#endif
      radials(x, y, z, group->center, exponents + group->primitive, primitives, factors + group->radial, together, count, cut,
              v, s, radial);
      for (i = 0; i < together; i++, of++) {
        const int l = (int)of->l;
#if GIVEN
        const int width = (l + 1) * (l + 2) / 2;
        if (used + width > staged) {
          staged = stage(staging, matrix + row * columns + column, columns - column, columns, norbitals - row);
          used = 0;
        }
        add(l, v, s, radial[0], staging + used * ROWS, sum);
        used += width;
        column += width;
#else
        stage(staging, matrix, of, row);
        add(l, v, s, radial[0], staging, sum);
#endif
        advance(radial);
      }
    }
#if DENSITY
    squares(sum, inverse, least, (global const T *)(plan + weights_at), row, norbitals, total);
#endif
  }
#if DENSITY
  for (i = 0; i < POINTS; i++)
    if (first + i * ITEMS < n) out0[out0_offset + first + i * ITEMS] = total[i];
#else
  begin *= ROWS;
  store(out0 + out0_offset, sum, inverse, least, begin, norbitals, first, n, ld);
#if KINDS > 1
  store(out1 + out1_offset, sum + ROWS * POINTS, inverse, least, begin, norbitals, first, n, ld);
  store(out2 + out2_offset, sum + 2 * ROWS * POINTS, inverse, least, begin, norbitals, first, n, ld);
  store(out3 + out3_offset, sum + 3 * ROWS * POINTS, inverse, least, begin, norbitals, first, n, ld);
  store(out4 + out4_offset, sum + 4 * ROWS * POINTS, inverse, least, begin, norbitals, first, n, ld);
#endif
#endif
}
#endif
