/* SPDX-License-Identifier: MIT
   Atoms and scatterers, as the tests of several families have them. */
#ifndef CONVK_TESTS_ATOMS_H
#define CONVK_TESTS_ATOMS_H

/* Atoms in doubles, which are rounded to the type.  `shift`: bytes that arrays lie off their alignment. */
typedef struct atoms_case {
  int type;
  size_t n, frames, stride, kinds;
  double *x[3], *weight;
  uint32_t *kind;
  const convk_cell *cell;
} atoms_case;

static atoms_case atoms_new(int type, size_t n, size_t frames, size_t kinds, int weights) {
  atoms_case a;
  int d;
  memset(&a, 0, sizeof a);
  a.type = type;
  a.n = n;
  a.frames = frames;
  a.stride = n + (frames > 1 ? 3 : 0);
  a.kinds = kinds;
  for (d = 0; d < 3; d++) a.x[d] = reals(frames * a.stride);
  for (d = 0; d < 3; d++) memset(a.x[d], FILL_, frames * a.stride * sizeof(double));
  a.weight = weights ? reals(n) : NULL;
  a.kind = kinds > 1 ? (uint32_t *)need(n * sizeof(uint32_t)) : NULL;
  return a;
}
static void atoms_free(atoms_case *a) {
  int d;
  for (d = 0; d < 3; d++) free(a->x[d]);
  free(a->weight);
  free(a->kind);
}
static double of_type(int type, double x) { return type ? x : (double)(float)x; }
static void atoms_random(atoms_case *a, double side, uint64_t *rng) {
  size_t f, i;
  int d;
  for (f = 0; f < a->frames; f++)
    for (i = 0; i < a->n; i++)
      for (d = 0; d < 3; d++) a->x[d][f * a->stride + i] = of_type(a->type, side * (random_unit(rng) + 1) / 2);
  for (i = 0; i < a->n && a->kind; i++) a->kind[i] = (uint32_t)random_below(rng, a->kinds);
  for (i = 0; i < a->n && a->weight; i++) a->weight[i] = of_type(a->type, random_unit(rng) + 0.5);
}

/* Arrays as a call takes them. */
typedef struct atoms_arrays {
  guard x[3], weight, kind;
} atoms_arrays;

static guard guard_of(int type, const double *from, size_t n, size_t shift) {
  guard g = guard_new(n * types[type].size, AT_END, shift);
  size_t i;
  for (i = 0; i < n; i++) put(type, g.data, i, from[i]);
  return g;
}
static atoms_arrays arrays_of(const atoms_case *a, size_t shift) {
  const size_t n = a->n ? (a->frames - 1) * a->stride + a->n : 0;
  atoms_arrays g;
  int d;
  memset(&g, 0, sizeof g);
  for (d = 0; d < 3; d++) g.x[d] = guard_of(a->type, a->x[d], n, shift);
  if (a->weight) g.weight = guard_of(a->type, a->weight, a->n, shift);
  if (a->kind) {
    g.kind = guard_new(a->n * sizeof(uint32_t), AT_END, shift);
    memcpy(g.kind.data, a->kind, a->n * sizeof(uint32_t));
  }
  return g;
}
static void arrays_free(atoms_arrays *g) {
  int d;
  for (d = 0; d < 3; d++) guard_free(&g->x[d]);
  if (g->weight.map) guard_free(&g->weight);
  if (g->kind.map) guard_free(&g->kind);
}

#define ATOMS_OF(T) \
  a.n = c->n; \
  a.frames = c->frames; \
  a.stride = c->stride; \
  a.x = (const T *)(const void *)g->x[0].data; \
  a.y = (const T *)(const void *)g->x[1].data; \
  a.z = (const T *)(const void *)g->x[2].data; \
  a.kind = (const uint32_t *)(const void *)g->kind.data; \
  a.weight = (const T *)(const void *)g->weight.data;
static convk_atoms_f32 atoms_f32(const atoms_case *c, const atoms_arrays *g) {
  convk_atoms_f32 a;
  ATOMS_OF(float)
  return a;
}
static convk_atoms_f64 atoms_f64(const atoms_case *c, const atoms_arrays *g) {
  convk_atoms_f64 a;
  ATOMS_OF(double)
  return a;
}

static const convk_scatterer debye_kinds[3] = {
    {4, {2.31, 1.02, 1.5886, 0.865, 0, 0}, {20.8439, 10.2075, 0.5687, 51.6512, 0, 0}, {0.2156, 0}, 0.8}, /* carbon */
    {0, {0}, {0}, {3.7, -1.25}, 0},                                                                      /* a number */
    {2, {5, -2.5}, {11, -0.01}, {-1, 0.5}, 2},                                                           /* b < 0 */
};

/* f of a kind without its thermal factor, and that. */
static void reference_scatterer(const convk_scatterer *s, double q, long double f[3]) {
  const long double square = (long double)q * q / (16 * acosl(-1.0L) * acosl(-1.0L));
  int k;
  f[0] = s ? (long double)s->c[0] : 1;
  f[1] = s ? (long double)s->c[1] : 0;
  f[2] = s ? expl(-(long double)s->thermal * square) : 1;
  for (k = 0; s && k < s->terms; k++) f[0] += (long double)s->a[k] * expl(-(long double)s->b[k] * square);
}

#endif
