/* SPDX-License-Identifier: MIT
   Tests of amplitudes of atoms, on lists of q and on tensor grids. */
#include "test.h"
#include "atoms.h"

/* ------------------------------------------------------------------------------------------ one interface to both types -- */

/* Vectors of q, or values on axes, in doubles of the type. */
typedef struct waves_case {
  size_t n[3];
  double *q[3], *imag;     /* imag: imaginary parts of q_z of a list, or NULL */
  const convk_grid3 *grid; /* NULL: a list */
} waves_case;

static waves_case waves_new(size_t nx, size_t ny, size_t nz) {
  waves_case w;
  int d;
  w.n[0] = nx;
  w.n[1] = ny;
  w.n[2] = nz;
  w.grid = NULL;
  w.imag = NULL;
  for (d = 0; d < 3; d++) w.q[d] = reals(w.n[d]);
  return w;
}
static void waves_free(waves_case *w) {
  int d;
  for (d = 0; d < 3; d++) free(w->q[d]);
  free(w->imag);
}
/* Random values, with -q for every q where bit d of `mirrored` is set; bits 3, 4: but for one of the first axis, beside its
   middle, or in it. */
static void waves_random(waves_case *w, int type, double most, int mirrored, uint64_t *rng) {
  size_t i;
  int d;
  for (d = 0; d < 3; d++) {
    for (i = 0; i < w->n[d]; i++) w->q[d][i] = of_type(type, most * random_unit(rng));
    for (i = 0; mirrored >> d & 1 && i < (w->n[d] + 1) / 2; i++)
      w->q[d][w->n[d] - 1 - i] = 2 * i + 1 == w->n[d] ? 0 : -w->q[d][i];
  }
  if (mirrored & 8) w->q[0][w->n[0] / 2 + 1] += 0.25;
  if (mirrored & 16) w->q[0][w->n[0] / 2] += 0.25;
}

#define AMPLITUDES_CALL(T, type) \
  static int amplitudes_##type(convk *hw, const atoms_case *c, const atoms_arrays *g, const waves_case *w, const guard *q, \
                               const convk_amplitude_options *o, void *f, void *work, size_t work_size) { \
    const convk_atoms_##type a = atoms_##type(c, g); \
    convk_q_##type v; \
    memset(&v, 0, sizeof v); \
    v.n = w->n[0]; \
    v.x = (const T *)(const void *)q[0].data; \
    v.y = (const T *)(const void *)q[1].data; \
    v.z = (const T *)(const void *)q[2].data; \
    if (w->imag) v.z_imag = (const T *)(const void *)q[3].data; \
    return w->grid ? convk_amplitudes_grid_##type(hw, &a, w->grid, &v, o, (T *)f, work, work_size) \
                   : convk_amplitudes_##type(hw, &a, &v, o, (T *)f, work, work_size); \
  } \
  static int amplitudes_work_##type(convk *hw, const atoms_case *c, const convk_grid3 *grid, const convk_amplitude_options *o, \
                                    size_t *bytes) { \
    convk_atoms_##type a; \
    memset(&a, 0, sizeof a); \
    a.n = c->n; \
    return grid ? convk_amplitudes_grid_work_size_##type(hw, &a, grid, o, bytes) \
                : convk_amplitudes_work_size_##type(hw, &a, o, bytes); \
  }
AMPLITUDES_CALL(float, f32)
AMPLITUDES_CALL(double, f64)

static int amplitudes_with(convk *hw, const atoms_case *c, const atoms_arrays *g, const waves_case *w, const guard *q,
                           const convk_amplitude_options *o, void *f, void *work, size_t work_size) {
  const surroundings s = before_call();
  const int status =
      c->type ? amplitudes_f64(hw, c, g, w, q, o, f, work, work_size) : amplitudes_f32(hw, c, g, w, q, o, f, work, work_size);
  after_call(s, hw->ours.inside.device != NULL);
  return status;
}
static size_t amplitudes_work(convk *hw, const atoms_case *c, const convk_grid3 *grid, const convk_amplitude_options *o) {
  size_t bytes = 0;
  const int status = c->type ? amplitudes_work_f64(hw, c, grid, o, &bytes) : amplitudes_work_f32(hw, c, grid, o, &bytes);
  if (status) fail("work size: status %d", status);
  return bytes;
}

/* Elements of f from one frame or kind to the next, and in all, complex but for the mean; where q number i is. */
static size_t amplitudes_apart(const waves_case *w) { return w->grid ? w->grid->nz * w->grid->pitch_z : w->n[0]; }
static size_t amplitudes_sets(const atoms_case *a, const convk_amplitude_options *o) {
  return o->output == CONVK_AMPLITUDES_MEAN ? 1 : o->output == CONVK_AMPLITUDES_KINDS ? a->frames * a->kinds : a->frames;
}
static size_t amplitudes_q(const waves_case *w, size_t i, double q[4]) {
  const size_t at[3] = {w->grid ? i % w->n[0] : i, w->grid ? i / w->n[0] % w->n[1] : i, w->grid ? i / w->n[0] / w->n[1] : i};
  int d;
  for (d = 0; d < 3; d++) q[d] = w->q[d][at[d]];
  q[3] = w->imag ? w->imag[i] : 0;
  return w->grid ? at[0] + at[1] * w->grid->pitch_y + at[2] * w->grid->pitch_z : i;
}

/* ------------------------------------------------------------------------------------------------------------ reference -- */

/* The node q = 2 pi (h a* + k b* + l c*). */
static void reference_node(const convk_cell *cell, const double index[3], long double q[3]) {
  const double *const v[3] = {cell->a, cell->b, cell->c};
  long double star[3][3], volume = 0;
  int k, d;
  for (k = 0; k < 3; k++)
    for (d = 0; d < 3; d++) {
      const double *const a = v[(k + 1) % 3], *const b = v[(k + 2) % 3];
      star[k][d] = (long double)a[(d + 1) % 3] * b[(d + 2) % 3] - (long double)a[(d + 2) % 3] * b[(d + 1) % 3];
    }
  for (d = 0; d < 3; d++) volume += v[0][d] * star[0][d];
  for (d = 0; d < 3; d++)
    for (q[d] = 0, k = 0; k < 3; k++) q[d] += 2 * acosl(-1.0L) * index[k] * star[k][d] / volume;
}

/* Sums of each kind in a frame, index[3] being the imaginary part of the third; the sum of magnitudes of all terms with scatterers in *size, and the greatest phase. */
enum { MOST_KINDS = 3 };
static void reference_amplitudes(const atoms_case *a, const convk_amplitude_options *o, size_t frame, const double index[4],
                                 long double f[MOST_KINDS + 1][2], long double *size, long double *phase) {
  const double along[3] = {0, 0, index[3]};
  long double q[3], lost[3] = {0, 0, index[3]}, scatters[MOST_KINDS][3], length = 0;
  size_t i, k;
  int d;
  for (d = 0; d < 3; d++) q[d] = index[d];
  if (o->cell) reference_node(o->cell, index, q);
  if (o->cell) reference_node(o->cell, along, lost);
  for (d = 0; d < 3; d++) length += q[d] * q[d];
  memset(f, 0, (MOST_KINDS + 1) * sizeof *f);
  *size = *phase = 0;
  for (k = 0; k < a->kinds; k++)
    reference_scatterer(o->scatterers ? o->scatterers + k : NULL, (double)sqrtl(length), scatters[k]);
  for (i = 0; i < a->n; i++) {
    const size_t p = frame * a->stride + i;
    const long double w = a->weight ? (long double)a->weight[i] : 1;
    long double x = 0, all = 0, e = 0;
    for (d = 0; d < 3; d++) {
      x += q[d] * a->x[d][p];
      e -= lost[d] * a->x[d][p];
      all += fabsl(q[d] * a->x[d][p]);
    }
    if (all + fabsl(e) > *phase) *phase = all + fabsl(e);
    e = expl(e);
    k = a->kind ? a->kind[i] : 0;
    f[k][0] += w * e * cosl(x);
    f[k][1] += w * e * sinl(x);
    *size += fabsl(w) * e * (o->output == CONVK_AMPLITUDES_KINDS ? 1 : hypotl(scatters[k][0], scatters[k][1]) * scatters[k][2]);
  }
  for (k = 0; k < a->kinds; k++) {
    f[MOST_KINDS][0] += (scatters[k][0] * f[k][0] - scatters[k][1] * f[k][1]) * scatters[k][2];
    f[MOST_KINDS][1] += (scatters[k][0] * f[k][1] + scatters[k][1] * f[k][0]) * scatters[k][2];
  }
}

/* Compares q number i of results with the reference; returns the worst error over the sum of magnitudes. */
static double amplitudes_at(const atoms_case *a, const waves_case *w, const convk_amplitude_options *o, const guard *f,
                            size_t i) {
  const size_t apart = amplitudes_apart(w);
  const double eps = a->type ? 2.3e-16 : 1.2e-7;
  long double sum[MOST_KINDS + 1][2], size, phase, mean = 0, limit = 0;
  double q[4], worst = 0;
  const size_t to = amplitudes_q(w, i, q);
  size_t frame, k;
  for (frame = 0; frame < a->frames; frame++) {
    reference_amplitudes(a, o, frame, q, sum, &size, &phase);
    for (k = 0; k < (o->output == CONVK_AMPLITUDES_KINDS ? a->kinds : 1) && o->output != CONVK_AMPLITUDES_MEAN; k++) {
      const size_t at = 2 * ((o->output == CONVK_AMPLITUDES_KINDS ? frame * a->kinds + k : frame) * apart + to);
      const long double *const want = sum[o->output == CONVK_AMPLITUDES_KINDS ? k : MOST_KINDS];
      const double re = get(a->type, f->data, at), im = get(a->type, f->data, at + 1);
      const double error = hypot((double)(re - want[0]), (double)(im - want[1])); /* hypotl is wrong under valgrind */
      limit = size * eps * (o->cell ? 12 + 6 * phase : 6 + 3 * phase);
      if (w->imag) limit += a->type ? 1e-300 : 1e-36; /* smaller numbers are zero */
      if (!(error <= (double)limit))
        fail("q %zu, frame %zu: %.17g %.17g, not %.17Lg %.17Lg; above %Lg", i, frame, re, im, want[0], want[1], limit);
      if (size > 0 && error / (double)size > worst) worst = error / (double)size;
    }
    mean += (sum[MOST_KINDS][0] * sum[MOST_KINDS][0] + sum[MOST_KINDS][1] * sum[MOST_KINDS][1]) / (long double)a->frames;
    if (size * size * eps * (12 + 12 * phase) > limit) limit = size * size * eps * (12 + 12 * phase);
  }
  if (o->output == CONVK_AMPLITUDES_MEAN && !(fabsl(get(a->type, f->data, to) - mean) <= limit))
    fail("q %zu: the mean is %.17g, not %.17Lg", i, get(a->type, f->data, to), mean);
  return worst;
}

/* Calls a case by every variant, with and without work and threads: bits of the class, some q against the reference, and
   nothing between rows.  Returns the worst error. */
static double amplitudes_compare(const atoms_case *a, const waves_case *w, const convk_amplitude_options *o, size_t looks,
                                 uint64_t *rng) {
  static const size_t shifts[3] = {0, 1, 5};
  const size_t parts = o->output == CONVK_AMPLITUDES_MEAN ? 1 : 2, apart = amplitudes_apart(w), sets = amplitudes_sets(a, o);
  const size_t nq = w->grid ? w->n[0] * w->n[1] * w->n[2] : w->n[0], all = parts * apart * sets;
  class_results results;
  double worst = 0;
  size_t number = 0, turn = random_below(rng, 4), i, k, d;
  variant *v;
  memset(&results, 0, sizeof results);
  while ((v = next_variant(&number, 1)) != NULL) {
    const size_t shift = shifts[turn % 3], threads = 1 + turn % 3 * 2;
    atoms_arrays g = arrays_of(a, shift);
    guard q[4], f = guard_new(all * types[a->type].size, AT_END, shift), work;
    hook h = hook_new(turn % 2 ? HOOK_SHUFFLED : HOOK_THREADS, (int)threads, 7);
    convk hw = v->hw;
    size_t bytes;
    int status;
    begin_case();
    for (d = 0; d < 3; d++) q[d] = guard_of(a->type, w->q[d], w->n[d], shift);
    if (w->imag) q[3] = guard_of(a->type, w->imag, w->n[2], shift);
    hw.parallel.threads = (int)threads;
    hw.parallel.run = threads > 1 ? hook_run : NULL;
    hw.parallel.ctx = &h;
    bytes = amplitudes_work(&hw, a, w->grid, o);
    work = guard_new(bytes, turn % 2 ? AT_END : AT_START, shift);
    status = amplitudes_with(&hw, a, &g, w, q, o, f.data, turn % 4 == 3 ? NULL : work.data, turn % 4 == 3 ? 0 : bytes);
    if (status) fail("status %d: %s", status, hw.message);
    else if (!same_as_class(&results, v, f.data, all * types[a->type].size)) {
      for (i = 0; i < looks && nq; i++) {
        const double error = amplitudes_at(a, w, o, &f, looks >= nq ? i % nq : random_below(rng, nq));
        if (error > worst) worst = error;
      }
      if (w->grid)
        for (k = 0; k < sets; k++)
          for (i = 0; i < apart; i++) {
            const size_t x = i % w->grid->pitch_z % w->grid->pitch_y, y = i % w->grid->pitch_z / w->grid->pitch_y;
            unsigned char *const at = f.data + (k * apart + i) * parts * types[a->type].size;
            if (all_fill(at, at + parts * types[a->type].size) != (x >= w->n[0] || y >= w->n[1]))
              fail("element %zu of set %zu: written or not", i, k);
          }
    }
    if (!guard_intact(&f) || !guard_intact(&work)) fail("something beside an array was written");
    guard_free(&f);
    guard_free(&work);
    for (d = 0; d < (w->imag ? 4 : 3); d++) guard_free(&q[d]);
    arrays_free(&g);
    end_case();
    turn++;
  }
  class_results_end(&results);
  return worst;
}

static const convk_cell amplitudes_cell = {{5, 0.5, 0}, {0.25, 6, 1}, {0, -0.75, 7}};

/* ---------------------------------------------------------------------------------------------------------------- tests -- */

/* Lists: any numbers of atoms, frames, kinds and q, which are real or have complex q_z: also such that damps all to nothing. */
static void amplitudes_random(int type) {
  static const size_t atoms[] = {0, 1, 2, 17, 128, 129, 300, 5}, qs[] = {5, 0, 1, 31, 33, 600, 7, 1100};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t i, k;
  for (i = 0; i < 2 * COUNT_OF(atoms); i++) {
    const size_t n = atoms[i / 2], nq = qs[i / 2];
    const size_t kinds = 1 + i % MOST_KINDS, frames = i % 4 == 3 ? 3 : 1;
    convk_amplitude_options o;
    atoms_case a = atoms_new(type, n, frames, kinds, i % 2 == 0);
    waves_case w = waves_new(nq, nq, nq);
    memset(&o, 0, sizeof o);
    o.output = (int)(i / 2 % 3);
    o.kinds = kinds;
    o.scatterers = i % 4 == 1 ? NULL : debye_kinds;
    o.cell = i % 3 == 2 ? &amplitudes_cell : NULL;
    describe("%zu atoms, %zu q, output %d", n, nq, o.output);
    atoms_random(&a, 8, &rng);
    waves_random(&w, type, 3, 0, &rng);
    if ((i + i / 4) % 2) { /* of each kind of case some */
      w.imag = reals(nq);
      for (k = 0; k < nq; k++) {
        const double imag = (double)(k % 5) * random_unit(&rng);
        w.imag[k] = of_type(type, o.cell ? 0.05 * imag : k % 5 == 4 ? 1e3 : 0.5 * imag);
      }
    }
    (void)amplitudes_compare(&a, &w, &o, 60, &rng);
    waves_free(&w);
    atoms_free(&a);
  }
}

/* Grids: with -q on all axes, one or none, of all shapes and pitches; those that are cut into tiles. */
static void amplitudes_grids(int type) {
  static const struct {
    size_t atoms, n[3];
    int mirrored;
  } cases[] = {{0, {3, 2, 1}, 7},   {1, {1, 1, 1}, 7},   {300, {9, 8, 7}, 7},  {40, {8, 6, 20}, 7},   {129, {20, 5, 6}, 1},
               {50, {6, 33, 4}, 2}, {60, {5, 4, 17}, 5}, {40, {15, 4, 3}, 1},  {128, {7, 5, 4}, 0},   {9, {300, 3, 2}, 0},
               {5, {2, 90, 60}, 0}, {3, {600, 2, 5}, 7}, {4, {24, 40, 50}, 7}, {33, {1, 1, 90}, 0},   {20, {1, 31, 30}, 7},
               {30, {9, 6, 5}, 15}, {30, {5, 20, 4}, 2}, {30, {20, 5, 6}, 9},  {140, {16, 16, 3}, 3}, {20, {9, 6, 5}, 23}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t i;
  for (i = 0; i < COUNT_OF(cases); i++) {
    const size_t kinds = 1 + i % MOST_KINDS, frames = i % 5 == 4 ? 2 : 1;
    const convk_grid3 g = {cases[i].n[0], cases[i].n[1], cases[i].n[2], cases[i].n[0] + i % 3,
                           (cases[i].n[0] + i % 3) * cases[i].n[1] + i % 2};
    convk_amplitude_options o;
    atoms_case a = atoms_new(type, cases[i].atoms, frames, kinds, i % 2 == 0);
    waves_case w = waves_new(g.nx, g.ny, g.nz);
    memset(&o, 0, sizeof o);
    o.output = (int)(i % 3);
    o.kinds = kinds;
    o.scatterers = i % 4 == 1 ? NULL : debye_kinds;
    o.cell = i % 5 == 2 ? &amplitudes_cell : NULL;
    describe("%zu atoms, %zu %zu %zu q, output %d", a.n, g.nx, g.ny, g.nz, o.output);
    atoms_random(&a, 8, &rng);
    waves_random(&w, type, 3, cases[i].mirrored, &rng);
    w.grid = &g;
    (void)amplitudes_compare(&a, &w, &o, 100, &rng);
    waves_free(&w);
    atoms_free(&a);
  }
}

/* Errors of doubles are 1e-15 of the sum of magnitudes where phases are some turns; a value on an axis that is not quite -q makes
   a grid general, which must not matter. */
static void amplitudes_accuracy(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int way;
  for (way = 0; way < 4; way++) {
    const convk_grid3 g = {9, 10, 17, 9, 90};
    convk_amplitude_options o;
    atoms_case a = atoms_new(type, 500, 1, 1, 0);
    waves_case w = waves_new(way ? g.nx : 200, way ? g.ny : 200, way ? g.nz : 200);
    double worst;
    memset(&o, 0, sizeof o);
    describe("%s", way == 0 ? "list" : way == 1 ? "general grid" : way == 2 ? "half" : "octants");
    atoms_random(&a, 6, &rng);
    waves_random(&w, type, 2, way < 2 ? 0 : way == 2 ? 4 : 7, &rng);
    if (way) w.grid = &g;
    worst = amplitudes_compare(&a, &w, &o, 150, &rng);
    begin_case();
    if (!(worst <= (type ? 1e-15 : 4e-7))) fail("errors are %g of the sum of magnitudes", worst);
    end_case();
    waves_free(&w);
    atoms_free(&a);
  }
}

/* By hand: two atoms; a lattice, whose sums are sin(n u / 2) / sin(u / 2) on each axis; coincident atoms; F(0). */
static void amplitudes_known(int type) {
  enum { NQ = 13, SIDE = 5 };
  size_t number = 0, i;
  variant *v;
  while ((v = next_variant(&number, 1)) != NULL) {
    convk_amplitude_options o;
    atoms_case a = atoms_new(type, SIDE * SIDE * SIDE, 1, 1, 0);
    waves_case w = waves_new(NQ, NQ, NQ);
    const convk_grid3 g = {NQ, NQ, NQ, 0, 0};
    atoms_arrays arrays;
    guard q[3], f = guard_new(2 * NQ * NQ * NQ * types[type].size, AT_END, 0);
    double one[NQ][2];
    int d, which;
    begin_case();
    describe("known sums");
    memset(&o, 0, sizeof o);
    for (d = 0; d < 3; d++)
      for (i = 0; i < NQ; i++) w.q[d][i] = of_type(type, ((double)i - 6) / 4);
    for (d = 0; d < 3; d++) q[d] = guard_of(type, w.q[d], NQ, 0);
    for (i = 0; i < NQ; i++) {
      const double u = w.q[0][i], s = u != 0 ? sin(SIDE * u / 2) / sin(u / 2) : SIDE;
      one[i][0] = s * cos((SIDE - 1) * u / 2);
      one[i][1] = s * sin((SIDE - 1) * u / 2);
    }
    for (i = 0; i < a.n; i++) {
      a.x[0][i] = (double)(i % SIDE);
      a.x[1][i] = (double)(i / SIDE % SIDE);
      a.x[2][i] = (double)(i / SIDE / SIDE);
    }
    arrays = arrays_of(&a, 0);
    for (which = 0; which < 2; which++) { /* the list is the diagonal of the grid */
      w.grid = which ? &g : NULL;
      if (amplitudes_with(&v->hw, &a, &arrays, &w, q, &o, f.data, NULL, 0)) fail("status: %s", v->hw.message);
      for (i = 0; i < (which ? NQ * NQ * NQ : NQ); i++) {
        const double *const x = one[which ? i % NQ : i], *const y = one[which ? i / NQ % NQ : i];
        const double *const z = one[which ? i / NQ / NQ : i];
        const double re = x[0] * y[0] - x[1] * y[1], im = x[0] * y[1] + x[1] * y[0];
        const double apart =
            hypot(get(type, f.data, 2 * i) - (re * z[0] - im * z[1]), get(type, f.data, 2 * i + 1) - (re * z[1] + im * z[0]));
        if (!(apart <= 125 * (type ? 4e-15 : 1.5e-6)))
          fail("lattice, q %zu of %s: %g apart", i, which ? "grid" : "list", apart);
      }
    }
    if (get(type, f.data, 2 * (6 * 13 * 13 + 6 * 13 + 6)) != 125 || get(type, f.data, 2 * (6 * 13 * 13 + 6 * 13 + 6) + 1) != 0)
      fail("F(0)");
    arrays_free(&arrays);
    for (i = 0; i < a.n; i++) a.x[0][i] = a.x[1][i] = 0, a.x[2][i] = 1.5;
    arrays = arrays_of(&a, 0);
    w.grid = NULL;
    if (amplitudes_with(&v->hw, &a, &arrays, &w, q, &o, f.data, NULL, 0)) fail("status");
    for (i = 0; i < NQ; i++)
      if (!(hypot(get(type, f.data, 2 * i) - 125 * cos(1.5 * w.q[2][i]),
                  get(type, f.data, 2 * i + 1) - 125 * sin(1.5 * w.q[2][i])) <= 125 * (type ? 8e-15 : 4e-6)))
        fail("coincident atoms, q %zu: %.17g %.17g, not %.17g %.17g", i, get(type, f.data, 2 * i), get(type, f.data, 2 * i + 1),
             125 * cos(1.5 * w.q[2][i]), 125 * sin(1.5 * w.q[2][i]));
    arrays_free(&arrays);
    a.n = 2;
    a.x[0][0] = a.x[2][0] = a.x[2][1] = 0;
    a.x[0][1] = 2;
    arrays = arrays_of(&a, 0);
    if (amplitudes_with(&v->hw, &a, &arrays, &w, q, &o, f.data, NULL, 0)) fail("status");
    for (i = 0; i < NQ; i++)
      if (!(hypot(get(type, f.data, 2 * i) - (1 + cos(2 * w.q[0][i])), get(type, f.data, 2 * i + 1) - sin(2 * w.q[0][i])) <=
            (type ? 2e-15 : 1e-6)))
        fail("two atoms, q %zu", i);
    arrays_free(&arrays);
    for (d = 0; d < 3; d++) guard_free(&q[d]);
    guard_free(&f);
    waves_free(&w);
    atoms_free(&a);
    end_case();
  }
}

/* The mean of |F|^2 over all directions is Debye's sum: Gauss' quadrature of cos(theta), equal steps of phi. */
static void amplitudes_powder(int type) {
  enum { N = 30, DEGREE = 40, NQ = DEGREE * 2 * DEGREE };
  uint64_t rng = random_seed(suite.test);
  const double q = 3;
  convk_amplitude_options o;
  atoms_case a = atoms_new(1, N, 1, 1, 1);
  waves_case w = waves_new(NQ, NQ, NQ);
  double *weight = reals(NQ), mean = 0, size = 0;
  guard at[3], f = guard_new(2 * NQ * sizeof(double), AT_END, 0);
  long double debye = 0;
  size_t i, j, number = 0;
  variant *v = next_variant(&number, 1);
  atoms_arrays arrays;
  int d;
  memset(&o, 0, sizeof o);
  atoms_random(&a, 5, &rng);
  arrays = arrays_of(&a, 0);
  for (i = 0; i < DEGREE; i++) { /* Newton's steps to a root of Legendre's polynomial */
    double x = cos(3.14159265358979 * ((double)i + 0.75) / (DEGREE + 0.5)), p = 0, slope = 1;
    int step, k;
    for (step = 0; step < 8; step++) {
      double before = 1;
      p = x;
      for (k = 2; k <= DEGREE; k++) {
        const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
        before = p;
        p = next;
      }
      slope = DEGREE * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    for (j = 0; j < 2 * DEGREE; j++) {
      const double phi = 3.14159265358979323846 * (double)j / DEGREE, r = sqrt(1 - x * x);
      w.q[0][i * 2 * DEGREE + j] = q * r * cos(phi);
      w.q[1][i * 2 * DEGREE + j] = q * r * sin(phi);
      w.q[2][i * 2 * DEGREE + j] = q * x;
      weight[i * 2 * DEGREE + j] = 1 / ((1 - x * x) * slope * slope) / (2 * DEGREE);
    }
  }
  for (d = 0; d < 3; d++) at[d] = guard_of(1, w.q[d], NQ, 0);
  begin_case();
  describe("a powder");
  if (v && type && amplitudes_with(&v->hw, &a, &arrays, &w, at, &o, f.data, NULL, 0)) fail("status");
  for (i = 0; i < NQ && v && type; i++) {
    const double re = get(1, f.data, 2 * i), im = get(1, f.data, 2 * i + 1);
    mean += weight[i] * (re * re + im * im);
  }
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++) {
      const long double x = a.x[0][i] - a.x[0][j], y = a.x[1][i] - a.x[1][j], z = a.x[2][i] - a.x[2][j];
      const long double r = q * sqrtl(x * x + y * y + z * z);
      debye += a.weight[i] * a.weight[j] * (r > 0 ? sinl(r) / r : 1);
      size += fabs(a.weight[i] * a.weight[j]);
    }
  if (v && type && !(fabs(mean - (double)debye) <= 1e-9 * size)) fail("the mean is %.15g, Debye's sum %.15Lg", mean, debye);
  end_case();
  for (d = 0; d < 3; d++) guard_free(&at[d]);
  guard_free(&f);
  free(weight);
  arrays_free(&arrays);
  waves_free(&w);
  atoms_free(&a);
}

/* Atoms in whole vectors of an oblique cell: phases are whole turns, even far away. */
static void amplitudes_nodes(int type) {
  size_t number = 0;
  variant *v;
  while ((v = next_variant(&number, 1)) != NULL) {
    const convk_cell cell = {{4, 0, 0}, {2, 8, 0}, {-2, 4, 16}};
    convk_amplitude_options o;
    atoms_case a = atoms_new(type, 60, 1, 1, 0);
    waves_case w = waves_new(5, 7, 3);
    const convk_grid3 g = {5, 7, 3, 0, 0};
    guard q[3], f = guard_new(2 * 105 * types[type].size, AT_END, 0);
    atoms_arrays arrays;
    size_t i;
    int d;
    begin_case();
    describe("reciprocal nodes");
    memset(&o, 0, sizeof o);
    o.cell = &cell;
    for (d = 0; d < 3; d++)
      for (i = 0; i < w.n[d]; i++) w.q[d][i] = (double)i - (double)(w.n[d] / 2);
    for (i = 0; i < 60; i++) {
      const double n[3] = {(double)(i % 7) * 10, (double)(i % 11) - 5, (double)(i % 13) * 3};
      for (d = 0; d < 3; d++) a.x[d][i] = n[0] * cell.a[d] + n[1] * cell.b[d] + n[2] * cell.c[d];
    }
    arrays = arrays_of(&a, 0);
    for (d = 0; d < 3; d++) q[d] = guard_of(type, w.q[d], w.n[d], 0);
    w.grid = &g;
    if (amplitudes_with(&v->hw, &a, &arrays, &w, q, &o, f.data, NULL, 0)) fail("status: %s", v->hw.message);
    for (i = 0; i < 105; i++)
      if (get(type, f.data, 2 * i) != 60 || get(type, f.data, 2 * i + 1) != 0)
        fail("node %zu: %g %g", i, get(type, f.data, 2 * i), get(type, f.data, 2 * i + 1));
    for (d = 0; d < 3; d++) guard_free(&q[d]);
    guard_free(&f);
    arrays_free(&arrays);
    waves_free(&w);
    atoms_free(&a);
    end_case();
  }
}

/* A call with one thing wrong: its status, its message, and that nothing was written. */
static void amplitudes_errors(int type) {
  static const struct {
    const char *says;
    int grid, status;
  } cases[] = {
      {"atoms is NULL", 0, CONVK_ERR_NULL}, /* 0 */
      {"q is NULL", 0, CONVK_ERR_NULL},
      {"f is NULL", 1, CONVK_ERR_NULL},
      {"q->y is NULL", 0, CONVK_ERR_NULL},
      {"atoms->z is NULL", 1, CONVK_ERR_NULL},
      {"options->output is 3", 0, CONVK_ERR_OPTION}, /* 5 */
      {"options->output is -1", 1, CONVK_ERR_OPTION},
      {"q->z_imag is given", 1, CONVK_ERR_OPTION},
      {"q->x_imag is given", 1, CONVK_ERR_OPTION},
      {"kinds[1].terms is 7", 1, CONVK_ERR_OPTION},
      {"kinds[1] has a number", 0, CONVK_ERR_NONFINITE}, /* 10 */
      {"q->z[2] is not finite", 1, CONVK_ERR_NONFINITE},
      {"atoms->weight[3] is not finite", 0, CONVK_ERR_NONFINITE},
      {"cell->b is not finite", 0, CONVK_ERR_NONFINITE},
      {"atoms->y[9] is not finite", 1, CONVK_ERR_COORDINATE},
      {"atoms->kind[9] is 2", 0, CONVK_ERR_KIND}, /* 15 */
      {"one line or in one plane", 0, CONVK_ERR_CELL},
      {"vector 1 of options->cell is zero", 1, CONVK_ERR_CELL},
      {"q is too large", 0, CONVK_ERR_RANGE},
      {"q is too large", 1, CONVK_ERR_RANGE},
      {"cell->c is longer", 0, CONVK_ERR_RANGE}, /* 20 */
      {"atoms->n or frames is too large", 0, CONVK_ERR_OVERFLOW},
      {"options->kinds is above", 1, CONVK_ERR_OVERFLOW},
      {"q, of all frames and kinds", 0, CONVK_ERR_OVERFLOW},
      {"atoms->stride is 9", 0, CONVK_ERR_SIZE},
      {"grid.ny is 0", 1, CONVK_ERR_SIZE}, /* 25 */
      {"grid.pitch_y is 2", 1, CONVK_ERR_PITCH},
      {"grid is NULL", 1, CONVK_ERR_NULL},
      {"q->x overlaps f", 0, CONVK_ERR_OVERLAP},
      {"atoms->x overlaps work", 1, CONVK_ERR_OVERLAP},
      {"f overlaps work", 0, CONVK_ERR_OVERLAP}, /* 30 */
      {"work_size is", 0, CONVK_ERR_WORK},
      {"work_size is", 1, CONVK_ERR_WORK},
      {"threads need more work", 1, CONVK_ERR_OVERFLOW},
      {"q->z_imag[1] is not finite", 0, CONVK_ERR_NONFINITE},
      {"q->z_imag is too large", 0, CONVK_ERR_RANGE}, /* 35 */
      {"q->z_imag is too large", 0, CONVK_ERR_RANGE}, /* sums alone */
      {"q->z_imag is too large", 0, CONVK_ERR_RANGE}, /* squares alone */
      {"q->z_imag overlaps f", 0, CONVK_ERR_OVERLAP},
  };
  enum { N = 10, NQ = 3, ROOM = 1 << 19 };
  uint64_t rng = random_seed(suite.test);
  size_t number = 0;
  variant *v;
  while ((v = next_variant(&number, 1)) != NULL) {
    int wrong;
    for (wrong = 0; wrong < (v->device ? 31 : (int)COUNT_OF(cases)); wrong++) { /* devices ignore work, and threads */
      const int by_grid = cases[wrong].grid;
      const size_t size = types[type].size;
      atoms_case a = atoms_new(type, N, 1, 2, 1);
      waves_case w = waves_new(NQ, NQ, NQ);
      convk_cell cell = amplitudes_cell;
      convk_scatterer kinds[2];
      convk_amplitude_options o;
      convk_grid3 g = {NQ, NQ, NQ, 0, 0};
      guard q[3], imag = guard_new(NQ * size, AT_END, 0), f = guard_new(2 * NQ * NQ * NQ * size, AT_END, 0),
                  work = guard_new(ROOM, AT_END, 0);
      void *at_f = f.data, *at_work = work.data;
      size_t work_size = ROOM, i;
      convk_atoms_f32 s;
      convk_atoms_f64 t;
      convk_q_f32 qs;
      convk_q_f64 qt;
      convk hw = v->hw;
      atoms_arrays arrays;
      int status, d, want = cases[wrong].status;
      begin_case();
      describe("wrong %d: %s", wrong, cases[wrong].says);
      memset(kinds, 0, sizeof kinds);
      memset(&o, 0, sizeof o);
      o.kinds = 2;
      o.scatterers = kinds;
      if (wrong == 13 || wrong == 16 || wrong == 17 || wrong == 20) o.cell = &cell;
      atoms_random(&a, 8, &rng);
      for (i = 0; i < N; i++) a.kind[i] = (uint32_t)(i % 2);
      waves_random(&w, type, 3, 0, &rng);
      if (wrong == 18 || wrong == 19) w.q[1][0] = type ? 1e16 : 1e7;
      arrays = arrays_of(&a, 0);
      for (d = 0; d < 3; d++) q[d] = guard_of(type, w.q[d], NQ, 0);
      for (i = 0; i < NQ; i++) put(type, imag.data, i, 0.1);
      if (wrong == 11) put(type, q[2].data, 2, NAN);
      if (wrong == 34) put(type, imag.data, 1, NAN);
      if (wrong >= 35) { /* exp(-Im q z) and sums of 10 such, but for their size; or the square of e^45 */
        put(type, arrays.x[2].data, 4, -8);
        put(type, imag.data, 2, wrong == 35 ? (type ? 89 : 12) : wrong == 36 ? (type ? 88.3 : 10.7) : type ? 50 : 6);
      }
      if (wrong == 37) o.output = CONVK_AMPLITUDES_MEAN;
      if (wrong == 12) put(type, arrays.weight.data, 3, HUGE_VAL);
      if (wrong == 14) put(type, arrays.x[1].data, 9, NAN);
      if (wrong == 15) {
        const uint32_t two = 2;
        memcpy(arrays.kind.data + 9 * sizeof two, &two, sizeof two);
      }
      s = atoms_f32(&a, &arrays);
      t = atoms_f64(&a, &arrays);
      memset(&qs, 0, sizeof qs);
      memset(&qt, 0, sizeof qt);
#define WRONG_OF(p, u, T) \
  u.n = NQ; \
  u.x = (const T *)(const void *)q[0].data; \
  u.y = (const T *)(const void *)q[1].data; \
  u.z = (const T *)(const void *)q[2].data; \
  if (wrong == 3) u.y = NULL; \
  if (wrong == 4) p.z = NULL; \
  if (wrong == 7) u.z_imag = u.x; \
  if (wrong == 8) u.x_imag = u.x; \
  if (wrong >= 34) u.z_imag = (const T *)(const void *)imag.data; \
  if (wrong == 21) p.n = (size_t)1 << 31; \
  if (wrong == 23) u.n = (size_t)-1 / 2; \
  if (wrong == 24) p.frames = 2, p.stride = 9;
      WRONG_OF(s, qs, float)
      WRONG_OF(t, qt, double)
      switch (wrong) {
        case 2: at_f = NULL; break;
        case 5: o.output = 3; break;
        case 6: o.output = -1; break;
        case 9: kinds[1].terms = 7; break;
        case 10: kinds[1].thermal = NAN; break;
        case 13: cell.b[2] = HUGE_VAL; break;
        case 16: memcpy(cell.c, cell.a, sizeof cell.c); break;
        case 17: memset(cell.b, 0, sizeof cell.b); break;
        case 20: cell.c[1] = 1e150; break;
        case 22: o.kinds = 65536; break;
        case 25: g.ny = 0; break;
        case 26: g.pitch_y = 2; break;
        case 28: at_f = q[0].data; break;
        case 38: at_f = imag.data; break;
        case 29: at_work = arrays.x[0].data, work_size = 8; break;
        case 30: at_work = f.data + size; break;
        case 31:
        case 32: work_size = 100; break;
        case 33:
          hw.parallel.threads = 0x7fffffff;
          hw.parallel.run = hook_run;
          if (sizeof(size_t) > 4) want = CONVK_ERR_WORK;
          break;
        default: break;
      }
      {
        const surroundings before = before_call();
        const convk_grid3 *const grid = wrong == 27 ? NULL : &g;
        if (by_grid)
          status = type ? convk_amplitudes_grid_f64(&hw, &t, grid, &qt, &o, (double *)at_f, at_work, work_size)
                        : convk_amplitudes_grid_f32(&hw, &s, grid, &qs, &o, (float *)at_f, at_work, work_size);
        else
          status = type ? convk_amplitudes_f64(&hw, wrong ? &t : NULL, wrong == 1 ? NULL : &qt, &o, (double *)at_f, at_work,
                                               work_size)
                        : convk_amplitudes_f32(&hw, wrong ? &s : NULL, wrong == 1 ? NULL : &qs, &o, (float *)at_f, at_work,
                                               work_size);
        after_call(before, v->device);
      }
      if (status != want) fail("status %d, not %d; %s", status, want, hw.message);
      if (!strstr(hw.message, wrong == 33 && want == CONVK_ERR_WORK ? "work_size is" : cases[wrong].says))
        fail("says \"%s\"", hw.message);
      if (!all_fill(f.data, f.data + 2 * NQ * NQ * NQ * size)) fail("results were written");
      for (d = 0; d < 3; d++) guard_free(&q[d]);
      guard_free(&imag);
      guard_free(&f);
      guard_free(&work);
      arrays_free(&arrays);
      waves_free(&w);
      atoms_free(&a);
      end_case();
    }
  }
}

/* Queries, threads and allocations that fail. */
static void amplitudes_little(int type) {
  size_t number = 0;
  variant *v;
  while ((v = next_variant(&number, 1)) != NULL) {
    atoms_case a = atoms_new(type, 100, 1, 1, 0);
    waves_case w = waves_new(3, 40, 30);
    convk_grid3 g = {3, 40, 30, 0, 0};
    convk_amplitude_options o;
    uint64_t rng = 3;
    guard q[3], f = guard_new(2 * 3600 * types[type].size, AT_END, 0);
    atoms_arrays arrays;
    hook k = hook_new(HOOK_FAILS, 3, 1);
    convk hw = v->hw;
    size_t i, bytes, before;
    int d;
    begin_case();
    describe("little things");
    memset(&o, 0, sizeof o);
    atoms_random(&a, 5, &rng);
    waves_random(&w, type, 3, 0, &rng);
    arrays = arrays_of(&a, 0);
    for (d = 0; d < 3; d++) q[d] = guard_of(type, w.q[d], w.n[d], 0);
    for (d = 0; d < 2 && !v->device; d++) {
      w.grid = d ? &g : NULL;
      w.n[0] = 3;
      heap.until_failure = 0;
      if (amplitudes_with(&hw, &a, &arrays, &w, q, &o, f.data, NULL, 0) != CONVK_ERR_MEMORY) fail("an allocation that fails");
      heap.until_failure = -1;
    }
    hw.parallel.threads = 3;
    hw.parallel.run = hook_run;
    hw.parallel.ctx = &k;
    if (!v->device && amplitudes_with(&hw, &a, &arrays, &w, q, &o, f.data, NULL, 0) != CONVK_ERR_THREADS)
      fail("a hook that fails");
    hw.parallel.run = NULL;
    for (before = 0, g.nz = 1; g.nz < 2000; g.nz = g.nz * 3 / 2 + 1) {
      bytes = amplitudes_work(&hw, &a, &g, &o);
      if (bytes < before) fail("%zu values need less work than fewer", g.nz);
      before = bytes;
    }
    for (before = 0, o.kinds = 1; o.kinds < 60000; o.kinds *= 3) {
      bytes = amplitudes_work(&hw, &a, NULL, &o);
      if (bytes < before) fail("%zu kinds need less work than fewer", o.kinds);
      before = bytes;
    }
    for (i = 0; i < 2; i++)
      if ((type ? amplitudes_work_f64(&hw, &a, i ? &g : NULL, NULL, NULL)
                : amplitudes_work_f32(&hw, &a, i ? &g : NULL, NULL, NULL)) != CONVK_ERR_NULL)
        fail("a query without bytes");
    for (d = 0; d < 3; d++) guard_free(&q[d]);
    guard_free(&f);
    arrays_free(&arrays);
    waves_free(&w);
    atoms_free(&a);
    end_case();
  }
}

static const test amplitudes_tests[] = {
    {"amplitudes", "random", amplitudes_random, TYPED},     {"amplitudes_grid", "random", amplitudes_grids, TYPED},
    {"amplitudes", "accuracy", amplitudes_accuracy, TYPED}, {"amplitudes", "known", amplitudes_known, TYPED},
    {"amplitudes", "powder", amplitudes_powder, TYPED},     {"amplitudes_grid", "nodes", amplitudes_nodes, TYPED},
    {"amplitudes", "errors", amplitudes_errors, TYPED},     {"amplitudes", "little", amplitudes_little, TYPED},
};
TEST_LIST(amplitudes)
