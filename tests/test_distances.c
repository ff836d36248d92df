/* SPDX-License-Identifier: MIT
   Tests of histograms of distances and of Debye's sum. */
#include "test.h"
#include "atoms.h"

/* ------------------------------------------------------------------------------------------ one interface to both types -- */

static int histogram_with(convk *hw, const atoms_case *c, const atoms_arrays *g, const convk_part *part,
                          const convk_distances *to, void *work, size_t work_size) {
  const surroundings s = before_call();
  int status;
  if (c->type) {
    const convk_atoms_f64 a = atoms_f64(c, g);
    status = convk_pair_histogram_f64(hw, &a, c->cell, part, to, work, work_size);
  } else {
    const convk_atoms_f32 a = atoms_f32(c, g);
    status = convk_pair_histogram_f32(hw, &a, c->cell, part, to, work, work_size);
  }
  after_call(s, hw->ours.inside.device != NULL);
  return status;
}
static size_t histogram_work(convk *hw, const atoms_case *c, const convk_distances *to) {
  atoms_arrays g;
  size_t bytes = 0;
  int status;
  memset(&g, 0, sizeof g);
  if (c->weight) g.weight.data = (unsigned char *)&g;
  if (c->type) {
    const convk_atoms_f64 a = atoms_f64(c, &g);
    status = convk_pair_histogram_work_size_f64(hw, &a, to, &bytes);
  } else {
    const convk_atoms_f32 a = atoms_f32(c, &g);
    status = convk_pair_histogram_work_size_f32(hw, &a, to, &bytes);
  }
  if (status) fail("work size: status %d", status);
  return bytes;
}

/* A histogram and its memory. */
typedef struct histogram {
  convk_distances d;
  guard count, first, second, sum, beyond;
} histogram;

static histogram histogram_new(size_t bins, double width, size_t kinds, int moments, int weights, size_t shift) {
  const size_t n = convk_distances_pairs(kinds) * bins;
  histogram h;
  memset(&h, 0, sizeof h);
  h.d.bins = bins;
  h.d.width = width;
  h.d.kinds = kinds;
  h.d.moments = moments;
  if (weights) {
    h.sum = guard_new(n * (size_t)(moments + 1) * sizeof(double), AT_END, shift);
    memset(h.sum.data, 0, h.sum.bytes);
    h.d.sum = (double *)(void *)h.sum.data;
    return h;
  }
  h.count = guard_new(n * sizeof(uint64_t), AT_END, shift);
  h.first = guard_new(n * sizeof(uint64_t), AT_END, shift);
  h.second = guard_new(2 * n * sizeof(uint64_t), AT_END, shift);
  h.beyond = guard_new(convk_distances_pairs(kinds) * sizeof(uint64_t), AT_END, shift);
  memset(h.count.data, 0, h.count.bytes);
  memset(h.first.data, 0, h.first.bytes);
  memset(h.second.data, 0, h.second.bytes);
  memset(h.beyond.data, 0, h.beyond.bytes);
  h.d.count = (uint64_t *)(void *)h.count.data;
  if (moments) h.d.moment[0] = (uint64_t *)(void *)h.first.data;
  if (moments > 1) h.d.moment[1] = (uint64_t *)(void *)h.second.data;
  h.d.beyond = (uint64_t *)(void *)h.beyond.data;
  return h;
}
static void histogram_free(histogram *h) {
  guard *const all[5] = {&h->count, &h->first, &h->second, &h->sum, &h->beyond};
  size_t i;
  for (i = 0; i < 5; i++) {
    if (!all[i]->map) continue;
    if (!guard_intact(all[i])) fail("something beside an array was written");
    guard_free(all[i]);
  }
}
static uint64_t word(const guard *g, size_t i) {
  uint64_t x;
  memcpy(&x, g->data + i * sizeof x, sizeof x);
  return x;
}
static void add_word(const guard *g, size_t i, uint64_t value) {
  value += word(g, i);
  memcpy(g->data + i * sizeof value, &value, sizeof value);
}

/* Whether two histograms have the same bits; `beyond` too, if both have it. */
static int histogram_same(const histogram *a, const histogram *b) {
  return (a->sum.map ? !memcmp(a->sum.data, b->sum.data, a->sum.bytes)
                     : !memcmp(a->count.data, b->count.data, a->count.bytes) &&
                           !memcmp(a->first.data, b->first.data, a->first.bytes) &&
                           !memcmp(a->second.data, b->second.data, a->second.bytes) &&
                           (!a->d.beyond || !b->d.beyond || !memcmp(a->beyond.data, b->beyond.data, a->beyond.bytes)));
}

/* ------------------------------------------------------------------------------------------------------------ reference -- */

/* The definition, by all images there may be.  What compilers contract must not matter: each product is kept. */
static double product(double a, double b) {
  volatile double p = a * b;
  return p;
}
static void reference_pair(const atoms_case *a, size_t i, size_t j, const double *shift, histogram *h) {
  const double place = 1048576;
  const uint32_t ki = a->kind ? a->kind[i % a->stride] : 0, kj = a->kind ? a->kind[j % a->stride] : 0;
  const size_t low = ki < kj ? ki : kj, high = ki < kj ? kj : ki, n = a->kinds ? a->kinds : 1;
  const size_t pair = low * (2 * n - low - 1) / 2 + high;
  double square = 0;
  volatile double scaled;
  uint64_t x, k, f;
  int d;
  for (d = 0; d < 3; d++) {
    const double e = (a->x[d][i] - a->x[d][j]) - shift[d];
    square += product(e, e);
  }
  scaled = sqrt(square) * (place / h->d.width);
  if (scaled > 2e15) scaled = 2e15;
  x = (uint64_t)nearbyint(scaled);
  k = x >> 20;
  f = x & 0xfffff;
  if (k >= h->d.bins) {
    if (h->d.beyond) add_word(&h->beyond, pair, 1);
    return;
  }
  k += pair * h->d.bins;
  if (a->weight) {
    const double w = product(a->weight[i % a->stride], a->weight[j % a->stride]);
    double all[3];
    int m;
    all[0] = w;
    all[1] = product(w, (double)f);
    all[2] = product(all[1], (double)f);
    for (m = 0; m <= h->d.moments; m++) h->d.sum[k * (size_t)(h->d.moments + 1) + (size_t)m] += all[m];
    return;
  }
  add_word(&h->count, k, 1);
  if (h->d.moments) add_word(&h->first, k, f);
  if (h->d.moments < 2) return;
  add_word(&h->second, 2 * k, f * f);
  if (word(&h->second, 2 * k) < f * f) add_word(&h->second, 2 * k + 1, 1);
}
static void reference_histogram(const atoms_case *a, const int most[3], histogram *h) {
  static const double none[3] = {0, 0, 0};
  int n[3], images[3], d;
  size_t f, i, j;
  for (d = 0; d < 3 && a->cell; d++) {
    const double *const v = d == 0 ? a->cell->a : d == 1 ? a->cell->b : a->cell->c;
    images[d] = v[0] != 0 || v[1] != 0 || v[2] != 0 ? most[d] : 0;
  }
  for (f = 0; f < a->frames; f++)
    for (i = f * a->stride; i < f * a->stride + a->n; i++) {
      if (!a->cell) {
        for (j = f * a->stride; j < i; j++) reference_pair(a, i, j, none, h);
        continue;
      }
      for (n[0] = -images[0]; n[0] <= images[0]; n[0]++)
        for (n[1] = -images[1]; n[1] <= images[1]; n[1]++)
          for (n[2] = -images[2]; n[2] <= images[2]; n[2]++) {
            const int sign = n[0] ? n[0] : n[1] ? n[1] : n[2];
            double shift[3];
            for (d = 0; d < 3; d++)
              shift[d] = product(n[0], a->cell->a[d]) + product(n[1], a->cell->b[d]) + product(n[2], a->cell->c[d]);
            for (j = f * a->stride; j < i + (sign > 0); j++) reference_pair(a, i, j, shift, h);
          }
    }
  if (a->cell && h->d.beyond) memset(h->beyond.data, 0, h->beyond.bytes);
}

/* ------------------------------------------------------------------------------------------------------- all processors -- */

/* The next variant that has histograms without weights, of so many pairs; 0: the next processor. */
static variant *distances_next(size_t *i, size_t pairs) {
  variant *v;
  while ((v = next_variant(i, pairs)) != NULL)
    if (!v->device || pairs) return v;
  return NULL;
}

/* Counts a case by every variant, with and without work, threads and parts; the counts must be those of `want`. */
static void histogram_compare(const atoms_case *a, const histogram *want) {
  static const size_t shifts[3] = {0, 1, 5};
  const size_t pairs = a->weight ? 0 : a->n * a->n * a->frames * (a->cell ? 4 : 1) + 1;
  size_t number = 0, turn = 0;
  variant *v;
  while ((v = distances_next(&number, pairs)) != NULL) {
    const int weights = a->weight != NULL;
    const size_t parts = weights ? 1 : 1 + turn % 3, threads = 1 + turn % 3 * 3, shift = shifts[turn % 3];
    histogram h = histogram_new(want->d.bins, want->d.width, want->d.kinds, want->d.moments, weights, shift);
    hook k = hook_new(threads > 4 ? HOOK_SHUFFLED : HOOK_THREADS, (int)threads, 7);
    atoms_arrays g = arrays_of(a, shift);
    convk hw = v->hw;
    convk_part part;
    guard work;
    size_t bytes;
    begin_case();
    hw.parallel.threads = (int)threads;
    hw.parallel.run = threads > 1 ? hook_run : NULL;
    hw.parallel.ctx = &k;
    bytes = histogram_work(&hw, a, &h.d);
    work = guard_new(bytes, turn % 2 ? AT_END : AT_START, shift);
    for (part.index = 0, part.count = parts; part.index < parts; part.index++) {
      const int own = turn % 4 == 3;
      const int status = histogram_with(&hw, a, &g, parts > 1 ? &part : NULL, &h.d, own ? NULL : work.data, own ? 0 : bytes);
      if (status) fail("status %d: %s", status, hw.message);
    }
    if (!histogram_same(&h, want)) {
      size_t i;
      for (i = 0; i < h.count.bytes / 8 && word(&h.count, i) == word(&want->count, i);) i++;
      fail("other counts or moments: bin %zu of %zu has %llu, not %llu", i, h.count.bytes / 8,
           i < h.count.bytes / 8 ? (unsigned long long)word(&h.count, i) : 0,
           i < h.count.bytes / 8 ? (unsigned long long)word(&want->count, i) : 0);
    }
    if (!guard_intact(&work)) fail("something beside work was written");
    guard_free(&work);
    arrays_free(&g);
    histogram_free(&h);
    end_case();
    turn++;
  }
}

/* Random atoms of some kinds in open cells, with any cut-off. */
static void histogram_random(int type) {
  static const size_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 129, 333, 700};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t i;
  for (i = 0; i < COUNT_OF(sizes); i++) {
    const size_t kinds = i % 4 == 3 ? 5 : i % 3 == 1 ? 2 : 1, frames = i % 5 == 2 ? 3 : 1;
    const int moments = (int)(i % 3), few = i % 2 == 1;
    const double width = few ? 0.03 : 0.013;
    const size_t bins = few ? 50 : 1400; /* some lie beyond */
    atoms_case a = atoms_new(type, sizes[i], frames, kinds, 0);
    histogram want = histogram_new(bins, width, kinds, moments, 0, 0);
    describe("%zu atoms, %zu frames, %zu kinds, moments %d, bins %zu", sizes[i], frames, kinds, moments, bins);
    atoms_random(&a, 10, &rng);
    reference_histogram(&a, NULL, &want);
    histogram_compare(&a, &want);
    histogram_free(&want);
    atoms_free(&a);
  }
}

/* Periodic cells: of one, two and three vectors, oblique ones, with images far beyond half of it, atoms beside the cell. */
static void histogram_periodic(int type) {
  static const convk_cell cells[] = {
      {{8, 0, 0}, {0, 9, 0}, {0, 0, 10}},  {{8, 0, 0}, {3, 9, 0}, {-2, 1, 10}},      {{0, 0, 0}, {0, 9, 0}, {0, 0, 0}},
      {{8, 1, 0}, {0, 0, 0}, {0, -1, 10}}, {{2, 0, 0}, {0, 2.5, 0}, {0.5, 0.25, 3}}, {{8, 0, 0}, {-7, 9, 0}, {40, 9, 10}},
      {{0, 0, 3}, {0, 3.5, 0}, {0, 0, 0}},
  };
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t i;
  for (i = 0; i < COUNT_OF(cells); i++) {
    const int small = i == 4 || i == 6, images[3] = {small    ? 6
                                                     : i == 5 ? 7
                                                              : 2,
                                                     small    ? 5
                                                     : i == 5 ? 7
                                                              : 2,
                                                     small    ? 4
                                                     : i == 5 ? 3
                                                              : 2};
    const size_t n = small ? 23 : i == 5 ? 40 : 160, kinds = 1 + i % 2, bins = 64;
    const double width = (small ? 6.0 : i % 2 ? 3.1 : 9.0) / 64;
    atoms_case a = atoms_new(type, n, 1, kinds, 0);
    histogram want = histogram_new(bins, width, kinds, (int)(i % 3), 0, 0);
    size_t j;
    int d;
    describe("cell %zu", i);
    atoms_random(&a, 2, &rng);
    a.cell = &cells[i];
    for (j = 0; j < n; j++) { /* all over the cell; of floats, which roundings leave within */
      const double f[3] = {a.x[0][j] / 2, a.x[1][j] / 2, a.x[2][j] / 2};
      for (d = 0; d < 3; d++) {
        const double open = cells[i].a[d] == 0 && cells[i].b[d] == 0 && cells[i].c[d] == 0;
        a.x[d][j] = of_type(type, (f[0] * 0.999 + 0.0005) * cells[i].a[d] + (f[1] * 0.999 + 0.0005) * cells[i].b[d] +
                                      (f[2] * 0.999 + 0.0005) * cells[i].c[d] + open * (3 * f[d] - 1));
      }
    }
    reference_histogram(&a, images, &want);
    histogram_compare(&a, &want);
    if (i < 2) { /* whole vectors, which are exact, take atoms out of the cell */
      for (j = 0; j < n; j += 3)
        for (d = 0; d < 3; d++) {
          a.x[d][j] = floor(a.x[d][j] * 65536) / 65536;
          a.x[d][j] += 3 * cells[i].a[d] - 2 * cells[i].c[d];
        }
      histogram_free(&want);
      want = histogram_new(bins, width, kinds, (int)(i % 3), 0, 0);
      describe("cell %zu, atoms beside it", i);
      for (j = 0; j < n; j += 3)
        for (d = 0; d < 3; d++) a.x[d][j] -= 3 * cells[i].a[d] - 2 * cells[i].c[d];
      reference_histogram(&a, images, &want);
      for (j = 0; j < n; j += 3)
        for (d = 0; d < 3; d++) a.x[d][j] += 3 * cells[i].a[d] - 2 * cells[i].c[d];
      histogram_compare(&a, &want);
    }
    histogram_free(&want);
    atoms_free(&a);
  }
}

/* Many atoms, few of which are near each other: cells.  Kinds, open and periodic. */
static void histogram_cells(int type) {
  static const convk_cell box = {{20, 0, 0}, {0, 21, 0}, {0, 2, 22}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int i;
  for (i = 0; i < 4; i++) {
    const size_t n = 1600, kinds = i % 2 ? 1 : 3, bins = 40;
    const int images[3] = {1, 1, 1};
    atoms_case a = atoms_new(type, n, 1, kinds, 0);
    histogram want = histogram_new(bins, 0.05, kinds, 2, 0, 0);
    describe("%s cells, %zu kinds", i < 2 ? "open" : "periodic", kinds);
    atoms_random(&a, 19.9, &rng);
    if (i >= 2) a.cell = &box;
    reference_histogram(&a, images, &want);
    histogram_compare(&a, &want);
    histogram_free(&want);
    atoms_free(&a);
  }
}

/* Sums of real weights: of one vector of lanes as of another, and near those of another order. */
static void histogram_weights(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int moments;
  for (moments = 0; moments < 3; moments++) {
    const size_t n = 600, bins = 300, kinds = 1 + (size_t)moments;
    atoms_case a = atoms_new(type, n, 1, kinds, 1);
    histogram want = histogram_new(bins, 0.05, kinds, moments, 1, 0), got = histogram_new(bins, 0.05, kinds, moments, 1, 0);
    atoms_arrays g;
    size_t i, number = 0;
    double worst = 0;
    variant *v;
    describe("moments %d", moments);
    atoms_random(&a, 10, &rng);
    reference_histogram(&a, NULL, &want);
    g = arrays_of(&a, 0);
    v = distances_next(&number, 0);
    begin_case();
    if (v && histogram_with(&v->hw, &a, &g, NULL, &got.d, NULL, 0)) fail("status");
    for (i = 0; v && i < got.sum.bytes / sizeof(double); i++) {
      const double scale = i % (size_t)(moments + 1) == 0 ? 1 : i % (size_t)(moments + 1) == 1 ? 1048576. : 1048576. * 1048576;
      const double error = fabs(get(1, got.sum.data, i) - get(1, want.sum.data, i)) / scale;
      if (error > worst) worst = error;
    }
    if (!(worst < 1e-11)) fail("sums differ by %g", worst);
    end_case();
    if (v) histogram_compare(&a, &got);
    arrays_free(&g);
    histogram_free(&want);
    histogram_free(&got);
    atoms_free(&a);
  }
}

/* Counts that are known: a simple cubic lattice, whose distances are roots of integers; the second moment by Huygens' identity. */
static void histogram_lattice(int type) {
  enum { SIDE = 7, BINS = 1400 };
  const double width = 1.0 / 128;
  histogram want = histogram_new(BINS, width, 1, 0, 0, 0);
  atoms_case a = atoms_new(type, SIDE * SIDE * SIDE, 1, 1, 0);
  int d[3], j, m;
  size_t i, number = 0;
  variant *v;
  describe("cubic lattice");
  for (i = 0; i < a.n; i++) {
    a.x[0][i] = (double)(i % SIDE);
    a.x[1][i] = (double)(i / SIDE % SIDE);
    a.x[2][i] = (double)(i / SIDE / SIDE);
  }
  for (d[0] = -SIDE + 1; d[0] < SIDE; d[0]++)
    for (d[1] = -SIDE + 1; d[1] < SIDE; d[1]++)
      for (d[2] = -SIDE + 1; d[2] < SIDE; d[2]++) {
        uint64_t pairs = 1;
        long double x = 0;
        for (j = 0; j < 3; j++) {
          pairs *= (uint64_t)(SIDE - abs(d[j]));
          x += (long double)d[j] * d[j];
        }
        x = sqrtl(x) * 128 * 1048576;
        if (d[0] > 0 || (d[0] == 0 && (d[1] > 0 || (d[1] == 0 && d[2] > 0))))
          add_word(&want.count, (size_t)((uint64_t)(x + 0.5L) >> 20), pairs);
      }
  histogram_compare(&a, &want);
  histogram_free(&want);
  /* sum of (k + f)^2 over all pairs = N sum of squares about the center */
  while ((v = distances_next(&number, a.n * a.n)) != NULL)
    for (m = 0; m < 2; m++) {
      uint64_t rng = 5;
      histogram h = histogram_new(BINS, width, 1, 2, 0, 0);
      atoms_arrays g;
      long double first = 0, second = 0, exact = 0, center[3] = {0, 0, 0}, lengths = 0;
      begin_case();
      describe("moments of %s points", m ? "random" : "lattice");
      if (m) atoms_random(&a, 5, &rng);
      g = arrays_of(&a, 0);
      if (histogram_with(&v->hw, &a, &g, NULL, &h.d, NULL, 0)) fail("status");
      for (i = 0; i < BINS; i++) {
        const long double n = (long double)word(&h.count, i), f = (long double)word(&h.first, i) / 1048576;
        const long double s =
            ((long double)word(&h.second, 2 * i) + 18446744073709551616.0L * (long double)word(&h.second, 2 * i + 1)) /
            1048576 / 1048576;
        first += (n * (long double)i + f) * (long double)width;
        second += (n * (long double)i * (long double)i + 2 * (long double)i * f + s) * (long double)width * (long double)width;
      }
      for (i = 0; i < a.n; i++)
        for (j = 0; j < 3; j++) center[j] += (long double)a.x[j][i] / (long double)a.n;
      for (i = 0; i < a.n; i++)
        for (j = 0; j < 3; j++) {
          const long double e = (long double)a.x[j][i] - center[j];
          exact += (long double)a.n * e * e;
        }
      for (i = 0; i < a.n; i++) {
        size_t k;
        for (k = 0; k < i; k++) {
          const long double x = (long double)a.x[0][i] - (long double)a.x[0][k],
                            y = (long double)a.x[1][i] - (long double)a.x[1][k];
          const long double z = (long double)a.x[2][i] - (long double)a.x[2][k];
          lengths += sqrtl(x * x + y * y + z * z);
        }
      }
      if (!(fabsl(first / lengths - 1) < 1e-9L)) fail("sum of distances %.15Lg, not %.15Lg", first, lengths);
      if (!(fabsl(second / exact - 1) < 1e-9L)) fail("sum of squares %.15Lg, not %.15Lg", second, exact);
      arrays_free(&g);
      histogram_free(&h);
      end_case();
      atoms_free(&a);
      a = atoms_new(type, SIDE * SIDE * SIDE, 1, 1, 0);
      for (i = 0; i < a.n; i++) {
        a.x[0][i] = (double)(i % SIDE);
        a.x[1][i] = (double)(i / SIDE % SIDE);
        a.x[2][i] = (double)(i / SIDE / SIDE);
      }
    }
  atoms_free(&a);
}

/* Shells of a face-centered cubic crystal, at a sqrt(n / 2): one cell with its images, 3^3 cells, and a skewed basis of one cell. */
static void histogram_crystal(int type) {
  static const uint64_t shells[] = {12, 6, 24, 12, 24, 8, 48, 6, 36, 24, 24, 24, 72};
  static const double at[4][3] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
  static const convk_cell cells[3] = {{{4, 0, 0}, {0, 4, 0}, {0, 0, 4}},
                                      {{12, 0, 0}, {0, 12, 0}, {0, 0, 12}},
                                      {{4, 4, 0}, {-12, 4, 4}, {8, -4, -4}}}; /* which has the same volume, 64 */
  int c;
  for (c = 0; c < 3; c++) {
    const size_t side = c == 1 ? 3 : 1;
    histogram want = histogram_new(1050, 0.01, 1, 0, 0, 0);
    atoms_case a = atoms_new(type, 4 * side * side * side, 1, 1, 0);
    size_t i;
    int d;
    describe("crystal, cell %d", c);
    for (i = 0; i < a.n; i++) {
      const size_t cell[3] = {i / 4 % side, i / 4 / side % side, i / 4 / side / side};
      for (d = 0; d < 3; d++) a.x[d][i] = 4 * ((double)cell[d] + at[i % 4][d]);
    }
    a.cell = &cells[c];
    for (i = 0; i < COUNT_OF(shells); i++) {
      const long double r = 4 * sqrtl((long double)(i + 1) / 2) / 0.01L;
      add_word(&want.count, (size_t)((uint64_t)(r * 1048576 + 0.5L) >> 20), shells[i] * a.n / 2);
    }
    want.d.bins = (size_t)(4 * sqrt(13.5 / 2) / 0.01); /* nothing of the 14th shell, which is none: 14 = 2 7 has no 3 squares */
    {
      histogram cut = histogram_new(want.d.bins, 0.01, 1, 0, 0, 0);
      memcpy(cut.count.data, want.count.data, cut.count.bytes);
      histogram_compare(&a, &cut);
      histogram_free(&cut);
    }
    want.d.bins = 1050;
    histogram_free(&want);
    atoms_free(&a);
  }
}

/* One bin that takes more pairs than its words, with sums of squares beyond 64 bits; adding to what is there. */
static void histogram_full(int type) {
  size_t number = 0;
  variant *v;
  while ((v = distances_next(&number, 1)) != NULL) {
    const size_t n = v->device ? 400 : ONE_OF(3000, 6000); /* words of devices hold 4,096 pairs */
    histogram h = histogram_new(2, 1, 1, 2, 0, 0);
    atoms_case a = atoms_new(type, n, 1, 1, 0);
    const uint64_t half = n / 2, apart = half * half, all = (uint64_t)n * (n - 1) / 2, f = 1048575, low = UINT64_C(0) - 1000;
    uint64_t want[2], k;
    atoms_arrays g;
    size_t i;
    begin_case();
    describe("%zu atoms in one bin", n);
    for (i = 0; i < n; i++) {
      a.x[0][i] = i % 2 ? 1 - 1.0 / 1048576 : 0;
      a.x[1][i] = a.x[2][i] = 0;
    }
    g = arrays_of(&a, 0);
    add_word(&h.second, 0, low);
    add_word(&h.count, 0, 5);
    if (histogram_with(&v->hw, &a, &g, NULL, &h.d, NULL, 0)) fail("status");
    want[0] = low;
    want[1] = 0;
    for (k = 0; k < apart; k++) {
      want[0] += f * f;
      want[1] += want[0] < f * f;
    }
    if (word(&h.count, 0) != all + 5 || word(&h.count, 1)) fail("counts");
    if (word(&h.first, 0) != apart * f || word(&h.first, 1)) fail("first moments");
    if (word(&h.second, 0) != want[0] || word(&h.second, 1) != want[1] || word(&h.second, 2)) fail("second moments");
    arrays_free(&g);
    histogram_free(&h);
    atoms_free(&a);
    end_case();
  }
}

/* Whatever sizes, kinds, frames, cells in any direction, cut-offs and moments. */
static void histogram_fuzz(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int turn;
  for (turn = 0; turn < (suite.quick ? 12 : 100); turn++) {
    const size_t n = random_below(&rng, 90), kinds = 1 + random_below(&rng, 6), frames = 1 + random_below(&rng, 3);
    const size_t bins = 1 + random_below(&rng, 200);
    const int moments = random_int(&rng, 0, 2), axes = random_int(&rng, 0, 3);
    const double reach = 0.2 + 3.5 * (random_unit(&rng) + 1);
    atoms_case a = atoms_new(type, n, frames, kinds, 0);
    histogram want = histogram_new(bins, reach / (double)bins, kinds, moments, 0, 0);
    int images[3] = {0, 0, 0}, k, d;
    convk_cell cell;
    double(*const v[3])[3] = {&cell.a, &cell.b, &cell.c};
    memset(&cell, 0, sizeof cell);
    atoms_random(&a, 4, &rng);
    for (k = 0; k < 3; k++) /* nearly diagonal, so that few images are enough, in any order; of whole eighths */
      for (d = 0; d < 3 && k < axes; d++)
        (*v[(k + turn) % 3])[d] = d == (k + turn) % 3 ? 4.25 : 0.125 * random_int(&rng, -6, 6);
    for (k = 0; k < 3; k++) images[k] = axes ? (int)(reach / 2.2) + 2 : 0;
    if (axes) a.cell = &cell;
    for (k = 0; k < (int)(frames * a.stride) && axes; k++) { /* into the cell, from a cube of 4 */
      double r[3] = {0, 0, 0};
      int e;
      for (d = 0; d < 3; d++)
        for (e = 0; e < 3; e++)
          r[e] += (0.01 + 0.245 * a.x[d][k]) * ((*v[d])[0] != 0 || (*v[d])[1] != 0 || (*v[d])[2] != 0 ? (*v[d])[e]
                                                : d == e                                              ? 4
                                                                                                      : 0);
      for (d = 0; d < 3; d++) a.x[d][k] = of_type(type, r[d]);
    }
    describe("case %d: %zu atoms, %zu kinds, %zu frames, %zu bins to %g, %d moments, %d vectors", turn, n, kinds, frames, bins,
             reach, moments, axes);
    reference_histogram(&a, images, &want);
    histogram_compare(&a, &want);
    histogram_free(&want);
    atoms_free(&a);
  }
}

/* n atoms anywhere in a cube of side 10, not periodic, in many bins. */
static void histogram_many_bins(int type, size_t n, size_t kinds, size_t bins, double width) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  histogram want = histogram_new(bins, width, kinds, 2, 0, 0);
  atoms_case a = atoms_new(type, n, 1, kinds, 0);
  describe("%zu bins, %zu kinds", bins, kinds);
  atoms_random(&a, 10, &rng);
  reference_histogram(&a, NULL, &want);
  histogram_compare(&a, &want);
  histogram_free(&want);
  atoms_free(&a);
}

/* Bins so fine that the last places of a distance count: compilers that fuse a product with a sum would show. */
static void histogram_fine(int type) { histogram_many_bins(type, 500, 1, 1 << 20, 17.4 / (1 << 20)); }

/* More words than a thread has at a time: pairs of kinds come one after another. */
static void histogram_flights(int type) { histogram_many_bins(type, 60, 3, 50000, 2e-4); }

/* Places half between two integers, of distances at which AVX-512's roots that are not rounded are the next number. */
static void histogram_halves(int type) {
  static const double halves[6] = {1612955341.5, 3871915817.5, 2167110835.5, 381034414.5, 3104872065.5, 217828772.5};
  histogram want = histogram_new(4096, 0.015625, 1, 2, 0, 0);
  atoms_case a = atoms_new(type, 30, 1, 1, 0);
  size_t i;
  describe("places between two");
  for (i = 0; i < a.n; i++) {
    a.x[0][i] = of_type(type, i < 24 ? 0 : halves[i - 24] / (1 << 26)); /* all lanes of some vectors have the same */
    a.x[1][i] = a.x[2][i] = 0;
  }
  reference_histogram(&a, NULL, &want);
  histogram_compare(&a, &want);
  histogram_free(&want);
  atoms_free(&a);
}

/* Counts alone.  Of any row of four a few distances lie within some roundings of floats of an edge: the others are about the
   middle of their bins.  Coordinates near and far from the origin, very small and very large ones; atoms in cells of their
   own. */
static void histogram_edges(int type) {
  static const struct {
    double width, offset, scale;
    size_t bins;
    int periodic;
  } cases[] = {{0.01, 0, 1, 3000, 0},     {0.0078125, 0, 1, 9000, 0}, {0.001, 0, 1, 18000, 0},    {0.01, 3000.25, 1, 2500, 0},
               {0.01, 37.1, 1, 120, 1},   {0.01, 18.3, 1, 60, 1},     {0.004, 0, 1e-20, 3000, 0}, {0.004, 0, 1e-8, 3000, 0},
               {0.004, 0, 1e10, 3000, 0}, {0.004, 0, 1e17, 3000, 0},  {0.25, 0, 1, 100, 0},       {0.01, 37.1, 1, 2500, 1}};
  static const convk_cell cell = {{37.1, 0, 0}, {0, 36.3, 0}, {0, 0, 35.9}};
  enum { N = 260 };
  double given[3][N];
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t i, j;
  for (i = 0; i < 4 * COUNT_OF(cases); i++) {
    const int c = (int)(i / 4), images[3] = {1, 1, 1};
    const double scale = cases[c].scale, width = cases[c].width * scale;
    atoms_case a = atoms_new(type, N, 1, 2, 0);
    histogram want = histogram_new(cases[c].bins, width, 2, 0, 0, 0);
    int d;
    describe("case %d, %zu bins", c, cases[c].bins);
    for (j = 0; j < N; j++) {
      const size_t row = j % 4;
      double r = (double)random_below(&rng, cases[c].bins + 5), u[3], size = 0;
      if (j % 32 == 1) r = 1 + 4e-7 * random_unit(&rng); /* half a quantum below the first edge */
      else r += j % 32 < 4 ? 3e-7 * r * random_unit(&rng) : 0.5 + 0.2 * random_unit(&rng);
      for (d = 0; d < 3; d++) {
        u[d] = random_unit(&rng);
        size += u[d] * u[d];
      }
      a.kind[j] = j >= 4;
      for (d = 0; d < 3; d++)
        a.x[d][j] = of_type(type, j < 4 ? scale * (cases[c].offset + 0.7 * u[d]) : a.x[d][row] + r * width * u[d] / sqrt(size));
    }
    for (j = 0; j < N && cases[c].periodic; j++) /* within the cell, in doubles */
      for (d = 0; d < 3; d++) {
        const double edge = d == 0 ? cell.a[0] : d == 1 ? cell.b[1] : cell.c[2];
        given[d][j] = a.x[d][j] = of_type(type, a.x[d][j] + (double)(j % 3) * edge);
        a.x[d][j] -= product(floor(a.x[d][j] / edge), edge);
      }
    if (cases[c].periodic) a.cell = &cell;
    reference_histogram(&a, images, &want);
    for (d = 0; d < 3 && cases[c].periodic; d++) memcpy(a.x[d], given[d], sizeof given[d]);
    histogram_compare(&a, &want);
    histogram_free(&want);
    atoms_free(&a);
  }
}

/* The order of atoms, threads and a rank's parts change no bit; nor do frames one by one. */
static void histogram_order(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const size_t n = 1500, frames = 3;
  atoms_case a = atoms_new(type, n, frames, 2, 0);
  histogram want = histogram_new(900, 0.02, 2, 2, 0, 0), one = histogram_new(900, 0.02, 2, 2, 0, 0);
  size_t number = 0, f, i;
  variant *v = distances_next(&number, 0);
  atoms_arrays g;
  int d;
  atoms_random(&a, 20, &rng);
  g = arrays_of(&a, 0);
  begin_case();
  describe("frames one by one");
  for (f = 0; f < frames && v; f++) {
    atoms_case b = a;
    b.frames = 1;
    for (d = 0; d < 3; d++) b.x[d] = a.x[d] + f * a.stride;
    arrays_free(&g);
    g = arrays_of(&b, 0);
    if (histogram_with(&v->hw, &b, &g, NULL, &want.d, NULL, 0)) fail("status");
  }
  arrays_free(&g);
  end_case();
  if (v) histogram_compare(&a, &want);
  for (f = 0; f < frames; f++)
    for (i = 0; i < n / 2; i++)
      for (d = 0; d < 3; d++) {
        double *const row = a.x[d] + f * a.stride, t = row[i];
        row[i] = row[n - 1 - i];
        row[n - 1 - i] = t;
      }
  for (i = 0; i < n / 2; i++) {
    const uint32_t t = a.kind[i];
    a.kind[i] = a.kind[n - 1 - i];
    a.kind[n - 1 - i] = t;
  }
  describe("atoms reversed");
  if (v) histogram_compare(&a, &want);
  histogram_free(&want);
  histogram_free(&one);
  atoms_free(&a);
}

/* ---------------------------------------------------------------------------------------------------------- Debye's sum -- */

static int direct_with(convk *hw, const atoms_case *c, const atoms_arrays *g, const convk_scatterer *kinds, size_t nq,
                       const void *q, void *intensity, void *work, size_t work_size) {
  const surroundings s = before_call();
  int status;
  if (c->type) {
    const convk_atoms_f64 a = atoms_f64(c, g);
    status = convk_debye_direct_f64(hw, &a, c->kinds, kinds, nq, (const double *)q, (double *)intensity, work, work_size);
  } else {
    const convk_atoms_f32 a = atoms_f32(c, g);
    status = convk_debye_direct_f32(hw, &a, c->kinds, kinds, nq, (const float *)q, (float *)intensity, work, work_size);
  }
  after_call(s, hw->ours.inside.device != NULL);
  return status;
}
static size_t direct_work(convk *hw, const atoms_case *c, size_t nq) {
  atoms_arrays g;
  size_t bytes = 0;
  int status;
  memset(&g, 0, sizeof g);
  if (c->weight) g.weight.data = (unsigned char *)&g;
  if (c->type) {
    const convk_atoms_f64 a = atoms_f64(c, &g);
    status = convk_debye_direct_work_size_f64(hw, &a, c->kinds, nq, &bytes);
  } else {
    const convk_atoms_f32 a = atoms_f32(c, &g);
    status = convk_debye_direct_work_size_f32(hw, &a, c->kinds, nq, &bytes);
  }
  if (status) fail("work size: status %d", status);
  return bytes;
}
static int debye_with(convk *hw, int type, const convk_distances *from, const convk_scatterer *kinds, const double *self,
                      size_t nq, const void *q, void *intensity, void *bound) {
  const surroundings s = before_call();
  const int status = type ? convk_debye_f64(hw, from, kinds, self, nq, (const double *)q, (double *)intensity, (double *)bound)
                          : convk_debye_f32(hw, from, kinds, self, nq, (const float *)q, (float *)intensity, (float *)bound);
  after_call(s, hw->ours.inside.device != NULL);
  return status;
}

/* The intensity, and in *size the sum of the magnitudes of its terms at q = 0. */
static long double reference_debye(const atoms_case *a, const convk_scatterer *kinds, double q, long double *size) {
  long double sum = 0;
  size_t frame, i, j;
  *size = 0;
  for (frame = 0; frame < a->frames; frame++)
    for (i = 0; i < a->n; i++)
      for (j = 0; j <= i; j++) {
        const size_t p = frame * a->stride + i, r = frame * a->stride + j;
        const long double w = a->weight ? (long double)a->weight[i] * (long double)a->weight[j] : 1;
        long double f[3], g[3], x = 0, term;
        int d;
        reference_scatterer(kinds ? kinds + (a->kind ? a->kind[i] : 0) : NULL, q, f);
        reference_scatterer(kinds ? kinds + (a->kind ? a->kind[j] : 0) : NULL, q, g);
        for (d = 0; d < 3; d++) {
          const long double e = (long double)a->x[d][p] - (long double)a->x[d][r];
          x += e * e;
        }
        x = sqrtl(x) * fabsl((long double)q);
        term = w * (f[0] * g[0] + f[1] * g[1]) * (i == j ? 1 : 2 * f[2] * g[2]);
        *size += fabsl(term);
        sum += term * (x > 1e-9L ? sinl(x) / x : 1 - x * x / 6);
      }
  return sum;
}

static const double debye_qs[] = {0,   -0.5, 1e-200, 1e-30, 1e-8, 1e-4, 0.001, 0.01, 0.05, 0.1, 0.3,
                                  0.5, 0.75, 1,      1.5,   2,    -3,   4.5,   6,    7.5,  9,   11,
                                  13,  15,   17,     19.5,  22.5, 25,   28,    30,   3.3,  5.1, 8.25};

/* Of a few atoms, by pairs and from histograms: against the sum in long double, with the bits of the class, whatever threads. */
static void debye_random(int type) {
  enum { NQ = 70 };
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int number;
  for (number = 0; number < (suite.level == LEVEL_BRIEF ? 6 : 8); number++) {
    const size_t n = number == 0   ? 0
                     : number == 1 ? 1
                     : number == 2 ? 2
                                   : 37 + 11 * (size_t)number,
                 frames = number == 4 ? 2 : 1;
    const int weights = number % 3 == 2, single = number == 3;
    const convk_scatterer *const kinds = single ? NULL : debye_kinds;
    atoms_case a = atoms_new(type, n, frames, single ? 1 : 3, weights);
    atoms_arrays g;
    guard q, self;
    long double exact[NQ], size[NQ];
    class_results results[4];
    double of_kind[3] = {0, 0, 0};
    size_t i, turn = 0;
    variant *v;
    int way;
    memset(results, 0, sizeof results);
    atoms_random(&a, 6, &rng);
    if (n > 30) /* at the same place, and nearly */
      for (i = 0; i < 3; i++) {
        a.x[i][5] = a.x[i][4];
        a.x[i][7] = of_type(type, a.x[i][6] + 1e-4);
      }
    q = guard_new(NQ * types[type].size, AT_END, 3);
    for (i = 0; i < NQ; i++) put(type, q.data, i, i < COUNT_OF(debye_qs) ? debye_qs[i] : (double)(i % 9) * 3.1);
    for (i = 0; i < NQ; i++) exact[i] = reference_debye(&a, kinds, get(type, q.data, i), &size[i]);
    for (i = 0; i < n; i++) of_kind[a.kind ? a.kind[i] : 0] += (double)frames * (weights ? a.weight[i] * a.weight[i] : 1);
    self = guard_new(sizeof of_kind, AT_END, 0);
    memcpy(self.data, of_kind, sizeof of_kind);
    g = arrays_of(&a, 3);
    {
      size_t next = 0;
      while ((v = distances_next(&next, 0)) != NULL)
        for (way = 0; way < 4; way++) { /* by pairs, and from 0, 1, 2 moments */
          const size_t shift = turn % 3;
          guard out = guard_new(NQ * types[type].size, AT_END, shift),
                bounds = guard_new(NQ * types[type].size, AT_START, shift);
          hook k = hook_new(turn % 2 ? HOOK_SHUFFLED : HOOK_THREADS, 3, 11);
          convk hw = v->hw;
          double worst = 0;
          int status;
          begin_case();
          describe("%zu atoms, %s", n, way ? way == 1 ? "counts" : way == 2 ? "a moment" : "two moments" : "pairs");
          hw.parallel.run = turn % 3 ? hook_run : NULL;
          hw.parallel.threads = 3;
          hw.parallel.ctx = &k;
          if (!way) {
            const size_t bytes = direct_work(&hw, &a, NQ);
            guard work = guard_new(bytes, AT_END, shift);
            status = direct_with(&hw, &a, &g, kinds, NQ, q.data, out.data, turn % 4 ? work.data : NULL, turn % 4 ? bytes : 0);
            if (!guard_intact(&work)) fail("something beside work was written");
            guard_free(&work);
          } else {
            histogram h = histogram_new(1500, 0.01, single ? 1 : 3, way - 1, weights, shift);
            status = histogram_with(&v->hw, &a, &g, NULL, &h.d, NULL, 0);
            if (!status)
              status = debye_with(&hw, type, &h.d, kinds, (const double *)(const void *)self.data, NQ, q.data, out.data,
                                  weights ? NULL : bounds.data);
            histogram_free(&h);
          }
          if (status) fail("status %d: %s", status, hw.message);
          else if (!same_as_class(&results[way], v, out.data, NQ * types[type].size))
            for (i = 0; i < NQ; i++) {
              const double x = fabs(get(type, q.data, i)) * 0.01 / 2; /* q h */
              const double left = way == 0 ? 0 : way == 1 ? x / 2 : way == 2 ? x * x / 6 : x * x * x / 24;
              const double rounding = (type ? 1e-15 * (40 + 10 * fabs(get(type, q.data, i))) : 4e-7) + (way ? 1e-8 * x : 0);
              /* of both signs, the mean of a bin is no help */
              const double limit = (double)size[i] * ((weights ? 4 : 1) * 2 * left + rounding);
              const double error = (double)fabsl((long double)get(type, out.data, i) - exact[i]);
              if (size[i] > 0 && error / (double)size[i] > worst) worst = error / (double)size[i];
              if (!(error <= limit))
                fail("q %g: %.17g, not %.17Lg: %g above %g", get(type, q.data, i), get(type, out.data, i), exact[i], error,
                     limit);
              if (way && !weights && !(error <= get(type, bounds.data, i) * 1.000001 + (double)size[i] * rounding))
                fail("q %g: the error %g is above its bound %g", get(type, q.data, i), error, get(type, bounds.data, i));
              if (way && !weights && get(type, bounds.data, i) > (double)size[i] * (8 * left + rounding + 2e-6 * x))
                fail("q %g: the bound %g is too large", get(type, q.data, i), get(type, bounds.data, i));
            }
          if (!guard_intact(&out) || !guard_intact(&bounds)) fail("something beside an array was written");
          guard_free(&out);
          guard_free(&bounds);
          end_case();
          turn++;
        }
    }
    for (way = 0; way < 4; way++) class_results_end(&results[way]);
    guard_free(&q);
    guard_free(&self);
    arrays_free(&g);
    atoms_free(&a);
  }
}

/* A bin with distances at both of its ends, most of them at one, errs nearly as much as its bound says, at some q. */
static void debye_bound(int type) {
  enum { NQ = 40 };
  size_t number = 0;
  variant *v;
  while ((v = next_variant(&number, 1)) != NULL) {
    int moments;
    for (moments = 0; moments < 3; moments++) {
      const uint64_t most = 90, one = 10, f = 1048575;
      const double width = 0.25;
      histogram h = histogram_new(30, width, 1, moments, 0, 0);
      double q[NQ], out[NQ], bound[NQ], best = 0; /* of either type */
      size_t i;
      begin_case();
      describe("moments %d", moments);
      add_word(&h.count, 20, most + one);
      add_word(&h.first, 20, one * f);
      add_word(&h.second, 40, one * f * f);
      for (i = 0; i < NQ; i++) put(type, q, i, 0.1 * (double)(i + 1));
      if (debye_with(&v->hw, type, &h.d, NULL, NULL, NQ, q, out, bound)) fail("status: %s", v->hw.message);
      for (i = 0; i < NQ; i++) {
        const long double x = (long double)get(type, q, i) * 20 * (long double)width;
        const long double y = (long double)get(type, q, i) * (20 + (long double)f / 1048576) * (long double)width;
        const long double exact = 2 * ((long double)most * sinl(x) / x + (long double)one * sinl(y) / y);
        const double error = (double)fabsl((long double)get(type, out, i) - exact), limit = get(type, bound, i);
        if (!(error <= limit * 1.000001 + (type ? 1e-13 : 1e-4)))
          fail("q %g: error %g, bound %g", get(type, q, i), error, limit);
        if (error / limit > best && error > (type ? 1e-10 : 1e-3)) best = error / limit;
      }
      if (!(best > 0.12)) fail("errors are %g of the bound at most", best);
      histogram_free(&h);
      end_case();
    }
  }
}

/* The first bin, whose distances may be 0, and some others: what their moments say of sin x / x. */
static void debye_bins(int type) {
  enum { NQ = 30, BINS = 300 };
  static const size_t filled[4] = {0, 1, 2, BINS - 1}; /* two shares and more of a group of 256 */
  size_t number = 0;
  variant *v;
  while ((v = next_variant(&number, 1)) != NULL) {
    int moments, place;
    for (moments = 0; moments < 3; moments++)
      for (place = 0; place < 3; place++) { /* the last: weights of both signs, whose mean lies beyond the bin */
        const int weights = place == 2, edge = place == 1 && moments;
        const uint64_t f = edge ? 1048575 : 524288, apart = edge && moments > 1 ? 100000 : 0;
        histogram h = histogram_new(BINS, 1, 1, moments, weights, 0);
        const double unit = 1048576, sums[3] = {0.5, 1.5 * unit, 2 * unit * unit};
        long double a[3] = {0, 0, 0}, m = (long double)f / 1048576;
        double q[NQ], out[NQ]; /* of either type */
        size_t i, b;
        int k;
        begin_case();
        describe("moments %d, place %d", moments, place);
        a[0] = weights ? 0.5L : 4;
        if (weights && moments) a[1] = 1.5L - 0.25L;
        a[2] = 2 * ((long double)apart / 1048576) * ((long double)apart / 1048576);
        if (weights && moments > 1) a[2] = (2 - 1.5L + 0.125L) / 2;
        for (b = 0; b < COUNT_OF(filled); b++) {
          for (k = 0; weights && k <= moments; k++)
            memcpy(h.sum.data + (filled[b] * (size_t)(moments + 1) + (size_t)k) * sizeof *sums, &sums[k], sizeof *sums);
          if (weights) continue;
          add_word(&h.count, filled[b], 4);
          add_word(&h.first, filled[b], 4 * f);
          add_word(&h.second, 2 * filled[b], 4 * (f * f + apart * apart));
        }
        for (i = 0; i < NQ; i++) put(type, q, i, (i % 2 ? -0.1 : 0.1) * (double)i);
        if (debye_with(&v->hw, type, &h.d, NULL, NULL, NQ, q, out, NULL)) fail("status: %s", v->hw.message);
        for (i = 0; i < NQ; i++) {
          const long double at = (long double)fabs(get(type, q, i));
          long double exact = 0;
          for (b = 0; b < COUNT_OF(filled); b++) {
            const long double x = at * (m + (long double)filled[b]), g = i ? sinl(x) / x : 1;
            const long double first = i ? (cosl(x) - g) / x : 0, second = i ? -g - 2 * (cosl(x) - g) / (x * x) : 0;
            exact += 2 * (a[0] * g + at * a[1] * first + at * at * a[2] * second);
          }
          if (!(fabsl((long double)get(type, out, i) - exact) < (type ? 1e-12L : 1e-5L)))
            fail("q %g: %.17g, not %.17Lg", get(type, q, i), get(type, out, i), exact);
        }
        histogram_free(&h);
        end_case();
      }
  }
}

/* Devices refuse real weights where they count; sums over histograms of these are looked at elsewhere. */
static void debye_devices(int type) {
  size_t number = 0;
  variant *v;
  while ((v = next_variant(&number, 1)) != NULL) {
    histogram h;
    atoms_case a;
    atoms_arrays g;
    uint64_t rng = 9;
    if (!v->device) continue;
    begin_case();
    describe("weights");
    a = atoms_new(type, 50, 1, 1, 1);
    h = histogram_new(900, 0.02, 1, 2, 1, 0);
    atoms_random(&a, 8, &rng);
    g = arrays_of(&a, 0);
    if (histogram_with(&v->hw, &a, &g, NULL, &h.d, NULL, 0) != CONVK_ERR_UNSUPPORTED) fail("weights");
    arrays_free(&g);
    histogram_free(&h);
    atoms_free(&a);
    end_case();
  }
}

/* How good mean and variance are: bins of 0.01, q to 0.5, a thousand points: 1e-9 of I; a lattice: of I(0). */
static void debye_accuracy(int type) {
  enum { NQ = 6 };
  static const double qs[NQ] = {0.05, 0.1, 0.2, 0.307, 0.4, 0.5};
  int lattice;
  for (lattice = 0; lattice < 2; lattice++) {
    const size_t n = 1000;
    uint64_t rng = 17;
    atoms_case a = atoms_new(1, n, 1, 1, 0);
    histogram h = histogram_new(4000, 0.01, 1, 2, 0, 0);
    atoms_arrays g;
    double out[NQ];
    const double self = (double)n;
    size_t i, number = 0;
    variant *v = distances_next(&number, 0);
    if (!type || !v) {
      histogram_free(&h);
      atoms_free(&a);
      continue;
    }
    begin_case();
    describe("%s", lattice ? "lattice" : "random points");
    atoms_random(&a, 15, &rng);
    for (i = 0; i < n && lattice; i++) {
      a.x[0][i] = 1.1 * (double)(i % 10);
      a.x[1][i] = 1.1 * (double)(i / 10 % 10);
      a.x[2][i] = 1.1 * (double)(i / 100);
    }
    g = arrays_of(&a, 0);
    if (histogram_with(&v->hw, &a, &g, NULL, &h.d, NULL, 0) || debye_with(&v->hw, 1, &h.d, NULL, &self, NQ, qs, out, NULL))
      fail("status");
    for (i = 0; i < NQ; i += suite.quick ? 2 : 1) {
      long double size;
      const long double exact = reference_debye(&a, NULL, qs[i], &size);
      const double error = (double)fabsl(((long double)out[i] - exact) / (lattice ? size : exact));
      if (!(error < (lattice ? 1e-10 : 1e-9))) fail("q %g: error %g", qs[i], error);
    }
    arrays_free(&g);
    histogram_free(&h);
    atoms_free(&a);
    end_case();
  }
}

/* --------------------------------------------------------------------------------------------------------------- errors -- */

/* A call with one thing wrong: its status, its message, and that nothing was written. */
enum { WRONG_HISTOGRAM, WRONG_DEBYE, WRONG_DIRECT };
typedef struct wrong_case {
  const char *says;
  int operation, status;
} wrong_case;

static void distances_errors(int type) {
  static const wrong_case cases[] = {
      {"atoms is NULL", WRONG_HISTOGRAM, CONVK_ERR_NULL}, /* 0 */
      {"distances is NULL", WRONG_HISTOGRAM, CONVK_ERR_NULL},
      {"atoms->x is NULL", WRONG_HISTOGRAM, CONVK_ERR_NULL},
      {"atoms->z is NULL", WRONG_DIRECT, CONVK_ERR_NULL},
      {"distances->count is NULL", WRONG_HISTOGRAM, CONVK_ERR_NULL},
      {"distances->moment[0] is NULL", WRONG_HISTOGRAM, CONVK_ERR_NULL}, /* 5 */
      {"distances->moment[1] is NULL", WRONG_DEBYE, CONVK_ERR_NULL},
      {"distances->bins is 0", WRONG_HISTOGRAM, CONVK_ERR_SIZE},
      {"distances->bins is above", WRONG_HISTOGRAM, CONVK_ERR_OVERFLOW},
      {"distances->width is not positive", WRONG_HISTOGRAM, CONVK_ERR_NONFINITE},
      {"distances->width is not positive", WRONG_DEBYE, CONVK_ERR_NONFINITE}, /* 10 */
      {"distances->width is below", WRONG_HISTOGRAM, CONVK_ERR_RANGE},
      {"distances->moments is 3", WRONG_HISTOGRAM, CONVK_ERR_OPTION},
      {"distances->moments is -1", WRONG_DEBYE, CONVK_ERR_OPTION},
      {"distances->sum is given without atoms->weight", WRONG_HISTOGRAM, CONVK_ERR_OPTION},
      {"atoms->weight is given without distances->sum", WRONG_HISTOGRAM, CONVK_ERR_OPTION}, /* 15 */
      {"part->index is 2", WRONG_HISTOGRAM, CONVK_ERR_OPTION},
      {"cell->b is not finite", WRONG_HISTOGRAM, CONVK_ERR_NONFINITE},
      {"cell->c is longer", WRONG_HISTOGRAM, CONVK_ERR_RANGE},
      {"one line or in one plane", WRONG_HISTOGRAM, CONVK_ERR_CELL},
      {"images of cell", WRONG_HISTOGRAM, CONVK_ERR_RANGE}, /* 20 */
      {"vectors of cell beside it", WRONG_HISTOGRAM, CONVK_ERR_RANGE},
      {"atoms->kind[9] is 2", WRONG_HISTOGRAM, CONVK_ERR_KIND},
      {"atoms->kind[9] is 2", WRONG_DIRECT, CONVK_ERR_KIND},
      {"atoms->y[9] is not finite", WRONG_HISTOGRAM, CONVK_ERR_COORDINATE},
      {"atoms->z[0] is not finite", WRONG_DIRECT, CONVK_ERR_COORDINATE}, /* 25 */
      {"atoms->weight[3] is not finite", WRONG_DIRECT, CONVK_ERR_NONFINITE},
      {"atoms->n or frames is too large", WRONG_HISTOGRAM, CONVK_ERR_OVERFLOW},
      {"atoms->stride is 9", WRONG_HISTOGRAM, CONVK_ERR_SIZE},
      {"distances->count overlaps", WRONG_HISTOGRAM, CONVK_ERR_OVERLAP},
      {"overlaps work", WRONG_HISTOGRAM, CONVK_ERR_OVERLAP}, /* 30 */
      {"overlaps atoms->x", WRONG_HISTOGRAM, CONVK_ERR_OVERLAP},
      {"work_size is", WRONG_HISTOGRAM, CONVK_ERR_WORK},
      {"work_size is", WRONG_DIRECT, CONVK_ERR_WORK},
      {"kinds[1].terms is 7", WRONG_DEBYE, CONVK_ERR_OPTION},
      {"kinds[1] has a number", WRONG_DIRECT, CONVK_ERR_NONFINITE}, /* 35 */
      {"self[0] is not finite", WRONG_DEBYE, CONVK_ERR_NONFINITE},
      {"q[4] is not finite", WRONG_DEBYE, CONVK_ERR_NONFINITE},
      {"q[4] is too large", WRONG_DIRECT, CONVK_ERR_RANGE},
      {"q is NULL", WRONG_DEBYE, CONVK_ERR_NULL},
      {"intensity is NULL", WRONG_DIRECT, CONVK_ERR_NULL}, /* 40 */
      {"q overlaps intensity", WRONG_DEBYE, CONVK_ERR_OVERLAP},
      {"intensity overlaps bound", WRONG_DEBYE, CONVK_ERR_OVERLAP},
      {"bound is given", WRONG_DEBYE, CONVK_ERR_OPTION},
      {"distances is NULL", WRONG_DEBYE, CONVK_ERR_NULL},
      {"distances->kinds is above", WRONG_HISTOGRAM, CONVK_ERR_OVERFLOW}, /* 45 */
      {"nq is too large", WRONG_DEBYE, CONVK_ERR_OVERFLOW},
      {"nkinds is above", WRONG_DIRECT, CONVK_ERR_OVERFLOW},
      {"pairs of all frames", WRONG_HISTOGRAM, CONVK_ERR_OVERFLOW},
      {"1e140", WRONG_HISTOGRAM, CONVK_ERR_RANGE},
      {"overlaps distances->beyond", WRONG_HISTOGRAM, CONVK_ERR_OVERLAP}, /* 50 */
      {"distances->bins, for all pairs", WRONG_HISTOGRAM, CONVK_ERR_OVERFLOW},
      {"need more work", WRONG_HISTOGRAM, CONVK_ERR_OVERFLOW},
      {"q[4] is too large", WRONG_DIRECT, CONVK_ERR_RANGE}, /* for the second frame's distances alone */
  };
  enum { N = 10, NQ = 5, BINS = 30 };
  uint64_t rng = random_seed(suite.test);
  size_t number = 0;
  variant *v;
  while ((v = next_variant(&number, 1)) != NULL) {
    int wrong;
    for (wrong = 0; wrong < (int)COUNT_OF(cases); wrong++) {
      const wrong_case *const c = &cases[wrong];
      const int weighted = wrong == 15 || wrong == 26;
      const int sums = wrong == 14 || wrong == 43;
      const size_t size = types[type].size;
      atoms_case a = atoms_new(type, N, wrong == 53 ? 2 : 1, 2, weighted);
      histogram h = histogram_new(BINS, 0.5, 2, wrong == 6 ? 2 : 1, sums, 0);
      convk_scatterer kinds[2];
      double self[2] = {5, 5};
      convk_cell cell = {{9, 0, 0}, {0, 9, 0}, {0, 0, 9}};
      convk_part part = {0, 2};
      guard q = guard_new(NQ * size, AT_END, 0), out = guard_new(NQ * size, AT_END, 0), bound = guard_new(NQ * size, AT_END, 0);
      guard work = guard_new(1 << 17, AT_END, 0);
      void *at_q = q.data, *at_out = out.data, *at_bound = bound.data, *at_work = work.data;
      size_t work_size = 1 << 17, nq = NQ, nkinds = 2, i;
      convk_atoms_f32 f;
      convk_atoms_f64 d;
      convk hw = v->hw;
      const convk_distances *from = &h.d;
      atoms_arrays g;
      int status, no_atoms = 0, want = c->status;
      begin_case();
      describe("wrong %d: %s", wrong, c->says);
      memset(&kinds, 0, sizeof kinds);
      atoms_random(&a, 8, &rng);
      for (i = 0; i < N; i++) a.kind[i] = (uint32_t)(i % 2);
      for (i = 0; i < NQ; i++) put(type, q.data, i, (double)i);
      g = arrays_of(&a, 0);
      if (wrong == 22 || wrong == 23) {
        const uint32_t two = 2;
        memcpy(g.kind.data + 9 * sizeof two, &two, sizeof two);
      }
      if (wrong == 24) put(type, g.x[1].data, 9, NAN);
      if (wrong == 25) put(type, g.x[2].data, 0, -HUGE_VAL);
      if (wrong == 26) put(type, g.weight.data, 3, HUGE_VAL);
      if (wrong == 21) put(type, g.x[0].data, 5, 1e12);
      if (wrong == 53) put(type, g.x[1].data, a.stride + 5, 1e10);
      f = atoms_f32(&a, &g);
      d = atoms_f64(&a, &g);
#define WRONG_ATOMS(p) \
  if (wrong == 2) p.x = NULL; \
  if (wrong == 3) p.z = NULL; \
  if (wrong == 27) p.n = (size_t)1 << 31; \
  if (wrong == 48) p.n = ((size_t)1 << 31) - 1, p.frames = 8; \
  if (wrong == 28) p.frames = 2, p.stride = 9;
      WRONG_ATOMS(f)
      WRONG_ATOMS(d)
      switch (wrong) {
        case 0: no_atoms = 1; break;
        case 1:
        case 44: from = NULL; break;
        case 4: h.d.count = NULL; break;
        case 5: h.d.moment[0] = NULL; break;
        case 6: h.d.moment[1] = NULL; break;
        case 7: h.d.bins = 0; break;
        case 8: h.d.bins = (size_t)1 << 31; break;
        case 9: h.d.width = -1; break;
        case 10: h.d.width = NAN; break;
        case 11: h.d.width = 1e-150; break;
        case 12: h.d.moments = 3; break;
        case 13: h.d.moments = -1; break;
        case 16: part.index = 2; break;
        case 17: cell.b[2] = HUGE_VAL; break;
        case 18: cell.c[1] = 1e150; break;
        case 19: cell.c[2] = 0, cell.c[0] = cell.c[1] = 1; break;
        case 20: cell.a[0] = cell.b[1] = cell.c[2] = 0.2; break;
        case 29: h.d.moment[0] = h.d.count; break;
        case 30: at_work = h.count.data; break;
        case 31: at_work = g.x[0].data, work_size = 8; break;
        case 32:
        case 33: work_size = 100; break;
        case 34: kinds[1].terms = 7; break;
        case 35: kinds[1].thermal = NAN; break;
        case 36: self[0] = HUGE_VAL; break;
        case 37: put(type, q.data, 4, NAN); break;
        case 38: put(type, q.data, 4, 1e20); break;
        case 53: put(type, q.data, 4, 1e8); break;
        case 39: at_q = NULL; break;
        case 40: at_out = NULL; break;
        case 41: at_out = q.data + size; break;
        case 42: at_bound = out.data; break;
        case 45: h.d.kinds = 65536; break;
        case 46: nq = (size_t)-1 / 2; break;
        case 47: nkinds = 65536; break;
        case 49: h.d.width = 1e139; break;
        case 50: h.d.beyond = (uint64_t *)(void *)h.first.data; break;
        case 51: h.d.kinds = 65535, h.d.bins = (size_t)1 << 30; break;
        case 52: h.d.kinds = 1, h.d.bins = 0x7fffff00, hw.parallel.threads = 0x7fffffff, hw.parallel.run = hook_run; break;
        default: break;
      }
      if (v->device && wrong == 52) h.d.kinds = 65535; /* threads are not looked at: too many bins, as before */
      if (wrong == 49) {
        if (type) put(type, g.x[1].data, 2, 1e150);
        else h.d.width = 1e141;
      }
      if (v->device && c->operation == WRONG_DIRECT) want = CONVK_ERR_UNSUPPORTED;
      if (v->device && wrong == 32) want = CONVK_OK; /* work is not looked at */
      {
        const surroundings s = before_call();
        const convk_distances *const to = from;
        if (c->operation == WRONG_HISTOGRAM)
          status = type ? convk_pair_histogram_f64(&hw, no_atoms ? NULL : &d, &cell, &part, to, at_work, work_size)
                        : convk_pair_histogram_f32(&hw, no_atoms ? NULL : &f, &cell, &part, to, at_work, work_size);
        else if (c->operation == WRONG_DEBYE)
          status = type ? convk_debye_f64(&hw, from, kinds, self, nq, (double *)at_q, (double *)at_out, (double *)at_bound)
                        : convk_debye_f32(&hw, from, kinds, self, nq, (float *)at_q, (float *)at_out, (float *)at_bound);
        else
          status =
              type ? convk_debye_direct_f64(&hw, &d, nkinds, kinds, nq, (double *)at_q, (double *)at_out, at_work, work_size)
                   : convk_debye_direct_f32(&hw, &f, nkinds, kinds, nq, (float *)at_q, (float *)at_out, at_work, work_size);
        after_call(s, v->device);
      }
      if (status != want) fail("status %d, not %d; %s", status, want, hw.message);
      if (want && !strstr(hw.message, want == CONVK_ERR_UNSUPPORTED ? "devices have no"
                                      : v->device && wrong == 52    ? "distances->bins, for all"
                                                                    : c->says))
        fail("says \"%s\"", hw.message);
      if (!all_fill(out.data, out.data + NQ * size) || !all_fill(bound.data, bound.data + NQ * size))
        fail("results were written");
      for (i = 0; i < h.count.bytes / 8 && !sums && want; i++)
        if (word(&h.count, i) || word(&h.first, i)) fail("counts were written");
      guard_free(&q);
      guard_free(&out);
      guard_free(&bound);
      guard_free(&work);
      arrays_free(&g);
      histogram_free(&h);
      atoms_free(&a);
      end_case();
    }
  }
}

/* Queries, threads that fail, allocations that fail, no atoms and no q. */
static void distances_little(int type) {
  size_t number = 0;
  variant *v;
  while ((v = distances_next(&number, 0)) != NULL) {
    atoms_case a = atoms_new(type, 100, 1, 1, 0);
    histogram h = histogram_new(10, 1, 1, 1, 0, 0);
    uint64_t rng = 3;
    atoms_arrays g;
    hook k = hook_new(HOOK_FAILS, 3, 1);
    convk hw = v->hw;
    convk_atoms_f64 none;
    size_t bytes, more;
    double q = 1, out = 0;
    float single = 1, result = 0;
    begin_case();
    describe("little things");
    atoms_random(&a, 5, &rng);
    g = arrays_of(&a, 0);
    heap.until_failure = 0;
    if (histogram_with(&hw, &a, &g, NULL, &h.d, NULL, 0) != CONVK_ERR_MEMORY) fail("an allocation that fails");
    if (direct_with(&hw, &a, &g, NULL, 1, type ? (void *)&q : (void *)&single, type ? (void *)&out : (void *)&result, NULL,
                    0) != CONVK_ERR_MEMORY)
      fail("an allocation that fails");
    heap.until_failure = -1;
    hw.parallel.threads = 3;
    hw.parallel.run = hook_run;
    hw.parallel.ctx = &k;
    if (histogram_with(&hw, &a, &g, NULL, &h.d, NULL, 0) != CONVK_ERR_THREADS) fail("a hook that fails");
    hw.parallel.run = NULL;
    bytes = histogram_work(&hw, &a, &h.d);
    for (a.n = 0; a.n < 100; a.n += 7) {
      more = histogram_work(&hw, &a, &h.d);
      if (more > bytes) fail("%zu atoms need more work than 100", a.n);
    }
    for (a.n = 0; a.n < 3000; a.n += 47) { /* in each order fewer of one need no more */
      size_t before = 0, b;
      for (a.kinds = 1; a.kinds < 9; a.kinds++) {
        h.d.kinds = a.kinds;
        for (b = 1, more = 0; b < 200000; b = b * 3 + 1) {
          h.d.bins = b;
          if (histogram_work(&hw, &a, &h.d) < more)
            fail("%zu atoms, %zu kinds: fewer than %zu bins need more work", a.n, a.kinds, b);
          more = histogram_work(&hw, &a, &h.d);
        }
        if (more < before) fail("%zu atoms: fewer than %zu kinds need more work", a.n, a.kinds);
        before = more;
      }
    }
    a.kinds = 1;
    h.d.kinds = 1;
    h.d.bins = 10;
    memset(&none, 0, sizeof none);
    if (type && convk_pair_histogram_f64(&hw, &none, NULL, NULL, &h.d, NULL, 0)) fail("no atoms");
    if (type && convk_debye_direct_f64(&hw, &none, 0, NULL, 1, &q, &out, NULL, 0)) fail("no atoms");
    if (type && (out < 0 || out > 0)) fail("no atoms give %g", out);
    if (debye_with(&hw, type, &h.d, NULL, NULL, 0, NULL, NULL, NULL)) fail("no q");
    if (convk_distances_pairs(0) != 1 || convk_distances_pairs(3) != 6 || convk_distances_pairs(4) != 10)
      fail("pairs of kinds");
    a.n = 100;
    arrays_free(&g);
    histogram_free(&h);
    atoms_free(&a);
    end_case();
  }
}

static const test distances_tests[] = {
    {"pair_histogram", "random", histogram_random, TYPED},
    {"pair_histogram", "periodic", histogram_periodic, TYPED},
    {"pair_histogram", "cells", histogram_cells, TYPED},
    {"pair_histogram", "weights", histogram_weights, TYPED},
    {"pair_histogram", "lattice", histogram_lattice, TYPED},
    {"pair_histogram", "crystal", histogram_crystal, TYPED},
    {"pair_histogram", "full", histogram_full, TYPED},
    {"pair_histogram", "edges", histogram_edges, TYPED},
    {"pair_histogram", "order", histogram_order, TYPED},
    {"pair_histogram", "fine", histogram_fine, TYPED},
    {"pair_histogram", "flights", histogram_flights, TYPED},
    {"pair_histogram", "halves", histogram_halves, TYPED},
    {"pair_histogram", "fuzz", histogram_fuzz, TYPED},
    {"pair_histogram", "errors", distances_errors, TYPED},
    {"pair_histogram", "little", distances_little, TYPED},
    {"debye", "random", debye_random, TYPED},
    {"debye", "accuracy", debye_accuracy, TYPED},
    {"debye", "devices", debye_devices, TYPED},
    {"debye", "bound", debye_bound, TYPED},
    {"debye", "bins", debye_bins, TYPED},
};
TEST_LIST(distances)
