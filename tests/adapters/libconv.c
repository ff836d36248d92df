/* The calls of libconv.h against the formula, in long doubles: all operations, boundaries and dimensions, with and without padding,
 * several arrays, factors and dot products. */
#include "../../examples/adapters/libconv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const long double mf[16] = {8.4334247333529341094733325815816e-7L,        -0.1290557201342060969516786758559028e-4L,
                                   0.8762984476210559564689161894116397e-4L,     -0.30158038132690463167163703826169879e-3L,
                                   0.174723713672993903449447812749852942e-2L,   -0.942047030201080385922711540948195075e-2L,
                                   0.2373821463724942397566389712597274535e-1L,  0.6126258958312079821953805969111734845e-1L,
                                   0.9940415697834003993178616712570731L,        -0.6048952891969835160028346363993374e-1L,
                                   -0.2103025160930381434955489412839065067e-1L, 0.1337263414854794752733423467013220997e-1L,
                                   -0.344128144493493857280881509686821861e-2L,  0.49443227688689919192282259476750972e-3L,
                                   -0.5185986881173432922848639136911487e-4L,    2.72734492911979659657715313017228e-6L};
static const long double d1[15] = {0,
                                   0.8834460460908270942785856L,
                                   -0.3032593514765938346887962L,
                                   0.1063640682894442760934532L,
                                   -0.03129014783948023634381564L,
                                   0.006958379116450707495020408L,
                                   -0.001031530213375445369097965L,
                                   7.667706908380351933901775e-5L,
                                   2.451992111053665419191564e-7L,
                                   3.993810456408053712133667e-8L,
                                   -7.207948238588481597101904e-8L,
                                   -9.697184925637300947553069e-10L,
                                   -7.252206916665149851135592e-13L,
                                   1.240078536096648534547439e-14L,
                                   -1.585464751677102510097179e-19L};

static const long double d2[15] = {-3.553692289913190194129680937424076L,      2.219146593891116389879454640457705L,
                                   -0.6156141465570069496314853948700762L,     0.2371780582153805636239247475762232L,
                                   -0.8226639997421233409876635206316682e-1L,  0.2207029188482255523789911295638968e-1L,
                                   -0.4097656893426338238993270511883155e-2L,  0.4516792028750223534948003763975850e-3L,
                                   -0.2398228524507599670405555359023135e-4L,  0.2090423495292036595792288944736098e-5L,
                                   -0.3723076304736927584879149697304409e-6L,  -0.1058570554967414703734941322870243e-7L,
                                   -0.5813879830282540547959250667464887e-10L, 0.2708004936263194382698566890376476e-12L,
                                   -0.6924474940639200152025730585882116e-17L};

static int passed, failed;

static void check(const char *what, int32_t op, int32_t bc, int32_t d, int32_t idim, long double error, long double bound) {
  if (error <= bound) {
    passed++;
  } else {
    failed++;
    printf("FAILED %s, operation %d, bc %d, dimension %d of %d: %.2Le above %.2Le\n", what, (int)op, (int)bc, (int)idim, (int)d,
           error, bound);
  }
}

static long double tap(int32_t op, int l) {
  if (op == SYM8_MF) return l >= -8 && l <= 7 ? mf[l + 8] : 0;
  if (op == SYM8_IMF) return l >= -7 && l <= 8 ? mf[8 - l] : 0;
  if (l < -14 || l > 14) return 0;
  return op == SYM8_D2 ? d2[abs(l)] : l < 0 ? -d1[-l] : d1[l];
}

static double number(void) {
  static uint32_t state = 12345;
  state = state * 1664525u + 1013904223u;
  return (double)(state >> 8) / (1 << 23) - 1;
}

static int inside(const int32_t *at, const int32_t *n, int32_t d) {
  int32_t i;
  for (i = 0; i < d; i++)
    if (at[i] < 0 || at[i] >= n[i]) return 0;
  return 1;
}

static size_t place(const int32_t *at, const int32_t *leading, int32_t d) {
  size_t p = 0;
  int32_t i;
  for (i = d; i-- > 0;) p = p * (size_t)leading[i] + (size_t)at[i];
  return p;
}

enum { MOST = 60000 };
static double x[MOST], y[MOST + 64], before[MOST];
static float xs[MOST], ys[MOST];

static void one(int32_t op, int32_t bc, int32_t d, int32_t idim, const int32_t *n, int32_t pad, int32_t narr, double a,
                double a_x, double a_y, int with_dot) {
  const int lo = op == SYM8_MF ? -8 : op == SYM8_IMF ? -7 : -14, up = op == SYM8_MF ? 7 : op == SYM8_IMF ? 8 : 14;
  const int32_t first = bc == LIBCONV_GROW ? -up : bc == LIBCONV_SHRINK ? -lo : 0;
  const double one_ = 1, zero = 0;
  const float fa = (float)a, fa_x = (float)a_x, fa_y = (float)a_y;
  int32_t nx[4], ny[4], out[4], i, k, at[4], dims[4] = {-1, -1, -1, -1};
  size_t sx = 1, sy = 1, j;
  long double worst = 0, worst_s = 0, sum = 0, untouched = 0;
  const int size = op == SYM8_D2 ? 4 : 1; /* of its taps */
  double dot = 0;
  float dot_s = 0;
  memcpy(out, n, 4 * sizeof *n);
  d_s0s0_1d_dims_(&op, &d, &idim, n, &bc, &one_, &zero, &zero, dims);
  out[idim] = n[idim] + (bc == LIBCONV_GROW ? up - lo : bc == LIBCONV_SHRINK ? lo - up : 0);
  if (dims[idim] != out[idim]) check("dims", op, bc, d, idim, 1, 0);
  if (out[idim] < 1) return;
  for (i = 0; i < d; i++) {
    nx[i] = n[i];
    ny[i] = out[i];
  }
  nx[idim] += pad;
  ny[idim] += 2 * pad;
  for (i = 0; i < d; i++) sx *= (size_t)nx[i], sy *= (size_t)ny[i];
  if (sx * (size_t)narr > MOST || sy * (size_t)narr > MOST) abort();
  for (j = 0; j < sx * (size_t)narr; j++) xs[j] = (float)(x[j] = number());
  for (j = 0; j < sy * (size_t)narr; j++) ys[j] = (float)(before[j] = y[j] = number());
  if (a_y == 0) /* what is not read may be anything */
    for (j = 0; j < sy * (size_t)narr; j++) ys[j] = (float)(before[j] = y[j] = NAN);
  if (with_dot) {
    d_s0s0_dot_1d_(&op, &d, &idim, n, &bc, nx, ny, &narr, x, y, &a, &a_x, &a_y, &dot);
    s_s0s0_dot_1d_(&op, &d, &idim, n, &bc, nx, ny, &narr, xs, ys, &fa, &fa_x, &fa_y, &dot_s);
  } else if (op == SYM8_MF) {
    d_s0s0_1d_sym8_md(d, idim, n, bc, nx, ny, narr, x, y, a, a_x, a_y);
    s_s0s0_1d_(&op, &d, &idim, n, &bc, nx, ny, &narr, xs, ys, &fa, &fa_x, &fa_y);
  } else {
    d_s0s0_1d_(&op, &d, &idim, n, &bc, nx, ny, &narr, x, y, &a, &a_x, &a_y);
    s_s0s0_1d_(&op, &d, &idim, n, &bc, nx, ny, &narr, xs, ys, &fa, &fa_x, &fa_y);
  }
  for (k = 0; k < narr; k++)
    for (j = 0; j < sy; j++) {
      const size_t p = (size_t)k * sy + j;
      size_t rest = j;
      long double r = 0, expected, here = 0;
      int32_t l;
      for (i = 0; i < d; i++) {
        at[i] = (int32_t)(rest % (size_t)ny[i]);
        rest /= (size_t)ny[i];
      }
      if (!inside(at, out, d)) { /* padding */
        untouched += isnan(before[p]) ? !isnan(y[p]) : y[p] != before[p];
        continue;
      }
      at[idim] += first;
      if (inside(at, n, d)) here = x[(size_t)k * sx + place(at, nx, d)];
      at[idim] += lo;
      for (l = lo; l <= up; l++, at[idim]++) {
        const int32_t kept = at[idim];
        if (bc == LIBCONV_PERIODIC) at[idim] = (kept % n[idim] + n[idim]) % n[idim];
        if (inside(at, n, d)) r += tap(op, l) * x[(size_t)k * sx + place(at, nx, d)];
        at[idim] = kept;
      }
      sum += here * a * r;
      expected = a * r + a_x * here + (a_y == 0 ? 0 : a_y * before[p]);
      worst = fmaxl(worst, fabsl(y[p] - expected));
      worst_s = fmaxl(worst_s, fabsl(ys[p] - expected));
      if (isnan(y[p]) || isnan(ys[p])) worst = 1;
    }
  check("doubles", op, bc, d, idim, worst, 1e-14L * size);
  check("floats", op, bc, d, idim, worst_s, 4e-6L * size);
  check("padding", op, bc, d, idim, untouched, 0);
  if (with_dot) {
    check("dot product", op, bc, d, idim, fabsl(dot - sum), 1e-14L * size * sx * narr);
    check("dot product of floats", op, bc, d, idim, fabsl(dot_s - sum), 2e-6L * size * sx * narr);
  }
}

/* ---- wavelets ---- */

/* The low pass of Daubechies-16, least asymmetric, from -8 on; the high pass is that backwards, every other one times -1. */
static const long double lp[16] = {
    -0.003382415951005002595457699235919135128243L,  -0.0005421323318000106893478369440173478588246L,
    0.03169508781152599143142570752391597485718L,    0.007607487324976608191921008012192383923495L,
    -0.1432942383512726628440955443992739699342L,    -0.06127335906781107784304676907365841265563L,
    0.4813596512590533915895685802649845258386L,     0.7771857516996280286243335666392108091213L,
    0.3644418948361789367595594323842960136511L,     -0.05194583810788180073571072906256342852964L,
    -0.02721902991710348632196412421624687935352L,   0.04913717967373028678691098815516544290155L,
    0.003808752013894489463071922223049694342708L,   -0.01495225833706219911849029822472598879079L,
    -0.0003029205147241330812639124399571849886852L, 0.001889950332767689184274432603245581173346L};
static long double wavelet_tap(int32_t op, int high, int l) {
  const int values = op == SYM8_RTOS1 || op == SYM8_S1TOR;
  long double sum = 0;
  int k;
  for (k = values ? -8 : 0; k <= (values ? 7 : 0); k++) { /* with the magic filter: sum over k of mf[k] w[l + k] */
    const int i = l + k + 8;
    if (i < 0 || i > 15) continue;
    sum += (values ? tap(SYM8_MF, k) : 1) * (high ? (i % 2 ? 1 : -1) * lp[15 - i] : lp[i]);
  }
  return sum;
}

static void wavelet(int32_t op, int32_t bc, int32_t d, int32_t idim, const int32_t *half, int32_t pad, int32_t narr, double a,
                    double a_y) {
  const int synthesis = op == SYM8_IDWT || op == SYM8_S1TOR, values = op == SYM8_RTOS1 || op == SYM8_S1TOR;
  const int lo = values ? -15 : -8, up = values ? 15 : 7, h = half[idim],
            free_ends = bc == LIBCONV_GROW || bc == LIBCONV_SHRINK;
  const int32_t fine = 2 * h + (free_ends ? up - lo - 1 : 0), first = free_ends ? lo : 0;
  const float fa = (float)a, fa_y = (float)a_y;
  int32_t n[4], nx[4], ny[4], dims[4] = {-1, -1, -1, -1}, i, k, m, cost = 0;
  size_t left = 1, right = 1, sx, sy, j, q;
  long double worst = 0, worst_s = 0, untouched = 0;
  for (i = 0; i < d; i++) n[i] = nx[i] = ny[i] = i == idim ? (synthesis ? 2 * h : fine) : half[i];
  m = synthesis ? fine : 2 * h;
  nx[idim] += pad;
  ny[idim] = m + 2 * pad;
  for (i = 0; i < idim; i++) left *= (size_t)half[i];
  for (i = idim + 1; i < d; i++) right *= (size_t)half[i];
  sx = left * right * (size_t)nx[idim];
  sy = left * right * (size_t)ny[idim];
  if (sx * (size_t)narr > MOST || sy * (size_t)narr > MOST) abort();
  for (j = 0; j < sx * (size_t)narr; j++) xs[j] = (float)(x[j] = number());
  for (j = 0; j < sy * (size_t)narr; j++) ys[j] = (float)(before[j] = y[j] = a_y == 0 ? (double)NAN : number());
  for (j = 0; j < 64; j++) y[sy * (size_t)narr + j] = 7; /* behind it */
  if (synthesis) {
    d_s1s0_1d_dims_(&op, &d, &idim, n, &bc, &a, &a_y, dims);
    d_s1s0_1d_cost_(&op, &d, &idim, n, &bc, nx, ny, &narr, &a, &a_y, &cost);
    if (values) d_s1s0_1d_(&op, &d, &idim, n, &bc, nx, ny, &narr, x, y, &a, &a_y);
    else d_s1s0_1d_sym8(d, idim, n, bc, nx, ny, narr, x, y, a, a_y);
    s_s1s0_1d_(&op, &d, &idim, n, &bc, nx, ny, &narr, xs, ys, &fa, &fa_y);
  } else {
    d_s0s1_1d_dims_(&op, &d, &idim, n, &bc, &a, &a_y, dims);
    d_s0s1_1d_cost_(&op, &d, &idim, n, &bc, nx, ny, &narr, &a, &a_y, &cost);
    if (values) d_s0s1_1d_(&op, &d, &idim, n, &bc, nx, ny, &narr, x, y, &a, &a_y);
    else d_s0s1_1d_sym8(d, idim, n, bc, nx, ny, narr, x, y, a, a_y);
    s_s0s1_1d_(&op, &d, &idim, n, &bc, nx, ny, &narr, xs, ys, &fa, &fa_y);
  }
  for (j = 0; j < sy * (size_t)narr; j++) {
    const size_t column = j % left, row = j / left / (size_t)ny[idim];
    const int32_t at = (int32_t)(j / left % (size_t)ny[idim]);
    const double *const line = x + row * left * (size_t)nx[idim] + column;
    long double sum = 0;
    if (at >= m) { /* padding */
      untouched += isnan(before[j]) ? !isnan(y[j]) : y[j] != before[j];
      continue;
    }
    for (i = 0; i < (synthesis ? h : 1); i++)
      for (k = lo; k <= up; k++) {
        int32_t point = 2 * (synthesis ? i : at % h) + k - first;
        if (bc == LIBCONV_PERIODIC) point = (point % fine + fine) % fine;
        if (point < 0 || point >= fine) continue;
        if (!synthesis) sum += wavelet_tap(op, at >= h, k) * line[(size_t)point * left];
        else if (point == at)
          for (q = 0; q < 2; q++) sum += wavelet_tap(op, (int)q, k) * line[((size_t)i + q * (size_t)h) * left];
      }
    sum = a * sum + (a_y == 0 ? 0 : a_y * before[j]);
    worst = fmaxl(worst, fabsl(y[j] - sum));
    worst_s = fmaxl(worst_s, fabsl(ys[j] - sum));
    if (isnan(y[j]) || isnan(ys[j])) worst = 1;
  }
  for (j = 0; j < 64; j++) untouched += y[sy * (size_t)narr + j] != 7;
  check("doubles of wavelets", op, bc, d, idim, worst, 1e-14L);
  check("floats of wavelets", op, bc, d, idim, worst_s, 4e-6L);
  check("padding of wavelets", op, bc, d, idim, untouched, 0);
  check("dims of wavelets", op, bc, d, idim, dims[idim] != m, 0);
  check("cost of wavelets", op, bc, d, idim, cost != (int32_t)(2 * (up - lo + 1) * 2 * h * narr) * (int32_t)(left * right), 0);
}

/* Analysis undoes synthesis, with free ends as well. */
static void undone(int32_t bc) {
  const int32_t n = 24, d = 1, back = bc == LIBCONV_GROW ? LIBCONV_SHRINK : bc, m = bc == LIBCONV_GROW ? n + 14 : n;
  long double worst = 0;
  int i;
  for (i = 0; i < n; i++) x[i] = number();
  d_s1s0_1d_sym8(d, 0, &n, bc, &n, &m, 1, x, y, 1, 0);
  d_s0s1_1d_sym8(d, 0, &m, back, &m, &n, 1, y, before, 1, 0);
  for (i = 0; i < n; i++) worst = fmaxl(worst, fabs(before[i] - x[i]));
  check("analysis undoes synthesis", SYM8_DWT, bc, 1, 0, worst, 1e-14L);
}

static void wavelets(void) {
  static const int32_t operations[4] = {SYM8_DWT, SYM8_RTOS1, SYM8_IDWT, SYM8_S1TOR};
  static const int32_t sizes[4][4] = {{11, 1, 1, 1}, {5, 12, 1, 1}, {13, 3, 4, 1}, {2, 5, 10, 3}};
  int32_t op, bc, d, idim;
  for (op = 0; op < 4; op++)
    for (bc = 0; bc < 3; bc++) {
      const int32_t ends = bc == 0 ? LIBCONV_PERIODIC : bc == 1 ? LIBCONV_FREE : op < 2 ? LIBCONV_SHRINK : LIBCONV_GROW;
      for (d = 1; d <= 4; d++)
        for (idim = 0; idim < d; idim++) {
          wavelet(operations[op], ends, d, idim, sizes[d - 1], 0, 1, 1, 0);
          wavelet(operations[op], ends, d, idim, sizes[d - 1], 3, 2, -0.5, 1);
          wavelet(operations[op], ends, d, idim, sizes[d - 1], 1, 3, 0.75, 0.5);
        }
    }
  undone(LIBCONV_PERIODIC);
  undone(LIBCONV_GROW);
}

/* D2 without its table: even, and exact for polynomials up to degree 15. */
static void derivatives(void) {
  static double p[64], q[64], dot;
  const int32_t n = 61, ny = 33, d = 1, shrink = LIBCONV_SHRINK, other = LIBCONV_FREE;
  int degree, i;
  for (degree = 0; degree <= 15; degree++) {
    long double worst = 0;
    for (i = 0; i < n; i++) p[i] = (double)powl((i - 30) / 30.0L, degree);
    memset(q, 0, sizeof q);
    d_s0s0_1d_(&(const int32_t){SYM8_D2}, &d, &(const int32_t){0}, &n, &shrink, &n, &ny, &d, p, q, &(const double){900},
               &(const double){0}, &(const double){0});
    for (i = 0; i < ny; i++) {
      const long double t = (i - 16) / 30.0L;
      const long double want = degree < 2 ? 0 : degree * (degree - 1) * powl(t, degree - 2);
      worst = fmaxl(worst, fabsl(q[i] - want));
    }
    check("second derivative of a polynomial", SYM8_D2, degree, 1, 0, worst, 2e-12L);
  }
  memset(p, 0, sizeof p);
  p[30] = 1;
  d_s0s0_1d_sym8_d2_dotin(1, 0, &n, other, &n, &n, 1, p, q, 1, 0, 0, &dot);
  check("D2 of an impulse", SYM8_D2, other, 1, 0, fabsl(q[30] + 3.553692289913190194129681L) + fabsl(dot - q[30]), 1e-15L);
  for (i = 1; i < 30; i++)
    check("D2 is even", SYM8_D2, i, 1, 0, fabs(q[30 - i] - q[30 + i]) + (i > 14 ? fabs(q[30 + i]) : 0), 0);
  d_s0s0_1d_sym8_d1_dotin(1, 0, &n, other, &n, &n, 1, p, q, 1, 0, 0, &dot);
  check("D1 of an impulse", SYM8_D1, other, 1, 0, fabsl(q[29] - d1[1]) + fabs(dot), 1e-15L);
  d_s0s0_1d_sym8_imd(1, 0, &n, other, &n, &n, 1, p, q, 1, 0, 0);
  check("IMF of an impulse", SYM8_IMF, other, 1, 0, fabsl(q[37] - tap(SYM8_IMF, -7)), 1e-20L);
}

int main(void) {
  static const int32_t operations[4] = {SYM8_MF, SYM8_IMF, SYM8_D1, SYM8_D2};
  static const int32_t boundaries[4] = {LIBCONV_PERIODIC, LIBCONV_GROW, LIBCONV_SHRINK, LIBCONV_FREE};
  static const double factors[4][3] = {{1, 0, 0}, {-0.5, 0, 1}, {2, 0.25, 0}, {0.75, -0.5, 0.5}};
  static const int32_t sizes[4][4] = {{37, 1, 1, 1}, {5, 33, 1, 1}, {31, 3, 4, 1}, {2, 5, 34, 3}};
  int32_t op, bc, d, idim, f, cost;
  for (op = 0; op < 4; op++)
    for (bc = 0; bc < 4; bc++)
      for (d = 1; d <= 4; d++)
        for (idim = 0; idim < d; idim++)
          for (f = 0; f < 4; f++) {
            const int dot = op >= 2 && boundaries[bc] != LIBCONV_SHRINK;
            one(operations[op], boundaries[bc], d, idim, sizes[d - 1], 0, 1, factors[f][0], factors[f][1], factors[f][2], dot);
            one(operations[op], boundaries[bc], d, idim, sizes[d - 1], 3, 2, factors[f][0], factors[f][1], factors[f][2], dot);
          }
  derivatives();
  wavelets();
  d = 4;
  op = SYM8_MF;
  bc = LIBCONV_PERIODIC;
  idim = 1;
  f = 2; /* arrays */
  d_s0s0_1d_cost_(&op, &d, &idim, sizes[3], &bc, sizes[3], sizes[3], &f, factors[0], factors[0], factors[0], &cost);
  check("cost", op, bc, d, idim, cost != 2 * 16 * 2 * 5 * 34 * 3 * 2, 0);
  printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
