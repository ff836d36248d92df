/* SPDX-License-Identifier: MIT
   No array that a call writes may overlap another one: every function of the library is called with every pair of its arrays of
   which one is written, which share an element at the end or at the beginning of the second (if the first is work, a byte), and
   must refuse that and leave all memory as it was; with arrays that only touch, which is right; and with sizes of which no array
   can be, each of which must be refused; and with each number and pointer of its arguments as it should not be, of which the status
   and the message are kept, and nothing is written where it is refused.  Which arrays and sizes these are says tests/overlap.py, from the declarations; here
   stands one good call of each.
     tests/overlap.py build/names/rooms/list.h >overlap.h && cc -I. -I(where overlap.h is) tests/test_overlap.c -lm
     a.out tests/refusals.txt, which is what a.out --print writes
   HW in the environment: of another processor or device.  The last line is `N passed, N failed, 0 skipped`. */
#define CONVK_F64
#define CONVK_F32
#include "families.h"
#include "convk.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct overlap_array {
  const char *name;
  size_t at; /* in the struct of arguments */
  int written;
} overlap_array;
#include "overlap.h"

enum { MOST = 48, MOST_BYTES = 4096, SPACE = 48 << 20, BEYOND = 1 << 20 };
static double space[SPACE / sizeof(double)], before[SPACE / sizeof(double)], now[SPACE / sizeof(double)];
static char *const base = (char *)space;
static size_t used, parts; /* parts: 2 numbers, where calls are of complex numbers */
static int complex_call;
static int device; /* has work of its own, and does not look at the caller's */
static unsigned long passed, failed;

typedef struct array {
  const char *name;
  void **pointer;
  int written;
  size_t at, bytes; /* in `space` */
} array;
static array arrays[MOST];
static size_t count;
static struct { size_t at, bytes; } taken[MOST];
static size_t taken_count;

/* Memory for an array; and of numbers that suit all functions. */
static void *take(size_t bytes) {
  taken[taken_count].at = used;
  taken[taken_count++].bytes = bytes;
  used += (bytes + 63) / 64 * 64;
  return base + taken[taken_count - 1].at;
}
static double *numbers(size_t n) {
  double *x = (double *)take(n * sizeof *x);
  size_t i;
  for (i = 0; i < n; i++) x[i] = 0.5 + 0.25 * (double)(i * 7 % 11) / 11;
  return x;
}
/* An array that an array of structs points to. */
static void inner(const char *name, const void *pointer) {
  union {
    const void *given;
    void **pointer;
  } u;
  u.given = pointer;
  arrays[count].name = name;
  arrays[count].pointer = u.pointer;
  arrays[count++].written = 0;
}
#define SET(name) static int overlap_##name##_set(convk *hw, overlap_##name##_arguments *a)
/* Bytes of work, from a function of this name, whose other arguments follow. */
#define OF_KIND(function, arguments) (complex_call ? function##_c64 arguments : function##_f64 arguments)
#define WORK(status) ((status) ? 1 : (a->work_size += !a->work_size * 64, a->work = take(a->work_size), 0))

static convk_grid3 cube(size_t n) {
  convk_grid3 grid = {0, 0, 0, 0, 0};
  grid.nx = grid.ny = grid.nz = n;
  return grid;
}
static convk_filter_f64 taps(size_t n) {
  convk_filter_f64 f;
  f.lo = -(int)(n / 2);
  f.up = f.lo + (int)n - 1;
  f.taps = numbers(n);
  return f;
}

/* ---- filters, wavelets, stencils ---- */

static void epilogue(convk_sepconv_epilogue_f64 *e) {
  e->potential = numbers(64);
  e->density = numbers(64);
  e->dot = numbers(1);
  e->energy = numbers(1);
}
SET(sepconv3d) {
  int d;
  a->shape.in = cube(4);
  for (d = 0; d < 3; d++) a->filter[d] = taps(3);
  epilogue(&a->epilogue);
  a->in = numbers(64);
  a->out = numbers(64);
  return WORK(convk_sepconv3d_work_size_f64(hw, &a->shape, a->filter, &a->epilogue, &a->work_size));
}
SET(magicfilter3d) {
  a->shape.in = cube(4);
  epilogue(&a->epilogue);
  a->in = numbers(64);
  a->out = numbers(64);
  return WORK(convk_magicfilter3d_work_size_f64(hw, &a->shape, a->direction, &a->epilogue, &a->work_size));
}
SET(potential_apply) {
  a->shape.in = cube(4);
  a->potential = numbers(64);
  a->psi = numbers(64);
  a->out = numbers(64);
  a->energy = numbers(1);
  return WORK(convk_potential_apply_work_size_f64(hw, &a->shape, &a->work_size));
}
SET(conv1d_transpose) {
  a->shape.n = 6;
  a->shape.ndat = 5;
  a->filter = taps(3);
  a->in = numbers(30);
  a->out = numbers(30);
  return WORK(convk_conv1d_transpose_work_size_f64(hw, &a->shape, &a->filter, &a->work_size));
}
static void wavelet(convk_wavelet_f64 *w) {
  w->lo = -1;
  w->up = 2;
  w->low = numbers(4);
  w->high = numbers(4);
}
SET(dwt3d) {
  a->shape.fine = cube(4);
  wavelet(&a->wavelet);
  a->fine = numbers(64);
  a->coarse = numbers(64);
  return WORK(convk_dwt3d_work_size_f64(hw, &a->shape, &a->wavelet, &a->work_size));
}
SET(idwt3d) {
  a->shape.fine = cube(4);
  wavelet(&a->wavelet);
  a->fine = numbers(64);
  a->coarse = numbers(64);
  return WORK(convk_idwt3d_work_size_f64(hw, &a->shape, &a->wavelet, &a->work_size));
}
SET(s1_to_r) {
  a->shape.fine = cube(4);
  a->values = numbers(64);
  a->coarse = numbers(64);
  return WORK(convk_s1_to_r_work_size_f64(hw, &a->shape, &a->work_size));
}
SET(r_to_s1) {
  a->shape.fine = cube(4);
  a->values = numbers(64);
  a->coarse = numbers(64);
  return WORK(convk_r_to_s1_work_size_f64(hw, &a->shape, &a->work_size));
}
static void segments(convk_segments *s) {
  static const size_t ends[4] = {0, 2, 5, 6}, place[2] = {0, 3};
  s->count = 2;
  s->ends = (const size_t *)memcpy(take(sizeof ends), ends, sizeof ends);
  s->place = (const size_t *)memcpy(take(sizeof place), place, sizeof place);
}
static void compressed(convk_compressed_shape *s) {
  s->dense = cube(4);
  segments(&s->coarse);
  segments(&s->fine);
}
SET(wavelet_uncompress) {
  (void)hw;
  compressed(&a->shape);
  a->compressed = numbers(40);
  a->dense = numbers(64);
  return 0;
}
SET(wavelet_compress) {
  (void)hw;
  compressed(&a->shape);
  a->compressed = numbers(40);
  a->dense = numbers(64);
  return 0;
}
static void terms(convk_sumconv_terms_f64 *t, int add) {
  int d;
  for (d = 0; d < 3; d++) {
    t->filter[d] = taps(3);
    t->first[d] = taps(3);
    if (complex_call) t->imag[d] = taps(3);
    t->mixed[d] = 0.5;
  }
  t->potential = numbers(64);
  t->potential_factor = 1;
  if (add) t->add = numbers(parts * 64);
  t->add_factor = add;
}
SET(sumconv3d) {
  a->shape.in = cube(4);
  terms(&a->terms, 1);
  a->in = numbers(parts * 64);
  a->out = numbers(parts * 64);
  a->sums = (convk_sumconv_sums *)take(sizeof *a->sums);
  return WORK(OF_KIND(convk_sumconv3d_work_size, (hw, &a->shape, &a->terms, &a->work_size)));
}
SET(chebyshev3d) {
  a->shape.in = cube(4);
  terms(&a->terms, 0);
  a->filter.degree = 3;
  a->filter.low = 1;
  a->filter.high = 2;
  a->in = numbers(parts * 64);
  a->out = numbers(parts * 64);
  return WORK(OF_KIND(convk_chebyshev3d_work_size, (hw, &a->shape, &a->terms, &a->filter, &a->work_size)));
}
SET(hamiltonian_apply) {
  int d;
  a->shape.wavelets = cube(4);
  for (d = 0; d < 3; d++) a->terms.spacing[d] = 1;
  a->terms.potential = numbers(64);
  a->in = numbers(parts * 64);
  a->out = numbers(parts * 64);
  a->energies = (convk_hamiltonian_energies *)take(sizeof *a->energies);
  return WORK(OF_KIND(convk_hamiltonian_apply_work_size, (hw, &a->shape, &a->work_size)));
}
SET(stencil7) {
  a->shape.grid = cube(4);
  a->coefficients = convk_stencil7_isotropic_f64(0.4, 0.1);
  a->steps = 3;
  a->a = numbers(64);
  a->b = numbers(64);
  a->result = (double **)take(sizeof *a->result);
  return WORK(convk_stencil7_work_size_f64(hw, &a->shape, a->steps, &a->work_size));
}
SET(stencil7_box) {
  a->shape.grid = cube(4);
  a->coefficients = convk_stencil7_isotropic_f64(0.4, 0.1);
  a->box.count[0] = a->box.count[1] = a->box.count[2] = 4;
  a->a = numbers(64);
  a->b = numbers(64);
  return WORK(convk_stencil7_work_size_f64(hw, &a->shape, 1, &a->work_size));
}

/* ---- functions of arrays, Gaussians ---- */

#define SET_MAP(name) \
  SET(name) { \
    (void)hw; \
    a->n = 9; \
    a->x = numbers(9); \
    a->y = numbers(9); \
    return 0; \
  }
SET_MAP(exp)
SET_MAP(expm1)
SET_MAP(log)
SET(sincos) {
  (void)hw;
  a->n = 9;
  a->x = numbers(9);
  a->s = numbers(9);
  a->c = numbers(9);
  return 0;
}
SET(shell_normalise) {
  (void)hw;
  a->primitives = 3;
  a->exponents = numbers(3);
  a->contraction = numbers(3);
  a->coefficients = numbers(3);
  return 0;
}
static void points(convk_points_f64 *p) {
  p->n = 9;
  p->x = numbers(9);
  p->y = numbers(9);
  p->z = numbers(9);
}
static void gaussians(convk_gaussians_f64 *g, int sums) {
  g->n = 3;
  g->alpha = numbers(3);
  if (sums) g->coefficients = numbers(6);
  g->nsums = sums ? 2 : 0;
}
static void negative(const double *x, size_t n) {
  double *to = space + (x - space);
  while (n--) to[n] = -to[n];
}
SET(gridpot) {
  (void)hw;
  points(&a->points);
  gaussians(&a->gaussians, 0);
  a->g = numbers(27);
  return 0;
}
SET(gridpot_sum) {
  (void)hw;
  points(&a->points);
  gaussians(&a->gaussians, 1);
  a->sums = numbers(18);
  return 0;
}
/* Two shells, of 4 functions, and 3 orbitals. */
static void orbital_set(convk_orbital_set_f64 *s, int occupied) {
  convk_shell *shells = (convk_shell *)take(2 * sizeof *shells);
  size_t i;
  memset(shells, 0, 2 * sizeof *shells);
  for (i = 0; i < 2; i++) {
    shells[i].l = (int)i;
    shells[i].primitives = 2;
    shells[i].exponents = numbers(2);
    shells[i].coefficients = numbers(2);
    inner("set.shells[].exponents", &shells[i].exponents);
    inner("set.shells[].coefficients", &shells[i].coefficients);
  }
  s->nshells = 2;
  s->shells = shells;
  s->norbitals = 3;
  s->coefficients = numbers(12);
  if (occupied) s->occupations = numbers(3);
}
SET(orbitals) {
  points(&a->points);
  orbital_set(&a->set, 0);
  a->value = numbers(27);
  return WORK(convk_orbitals_work_size_f64(hw, &a->set, &a->work_size));
}
static void vgl(convk_vgl_f64 *out, size_t n) {
  out->value = numbers(n);
  out->dx = numbers(n);
  out->dy = numbers(n);
  out->dz = numbers(n);
  out->laplacian = numbers(n);
}
SET(orbitals_vgl) {
  points(&a->points);
  orbital_set(&a->set, 0);
  vgl(&a->out, 27);
  return WORK(convk_orbitals_work_size_f64(hw, &a->set, &a->work_size));
}
SET(density) {
  points(&a->points);
  orbital_set(&a->set, 1);
  a->density = numbers(9);
  return WORK(convk_orbitals_work_size_f64(hw, &a->set, &a->work_size));
}
SET(orbitals_prepare) {
  orbital_set(&a->set, 1);
  if (convk_orbitals_plan_size_f64(hw, &a->set, &a->plan_size)) return 1;
  a->plan = take(a->plan_size);
  return 0;
}
static void box(convk_gaussian_box *b, int periodic) {
  int d;
  b->step_x[0] = b->step_y[1] = b->step_z[2] = 0.5;
  b->grid = cube(3);
  for (d = 0; d < 3 && periodic; d++) b->period[d] = 1.5;
}
SET(orbitals_grid) {
  box(&a->box, 0);
  orbital_set(&a->set, 0);
  a->value = numbers(81);
  return WORK(convk_orbitals_grid_work_size_f64(hw, &a->box, &a->set, &a->work_size));
}
SET(orbitals_grid_vgl) {
  box(&a->box, 0);
  orbital_set(&a->set, 0);
  vgl(&a->out, 81);
  return WORK(convk_orbitals_grid_work_size_f64(hw, &a->box, &a->set, &a->work_size));
}
SET(density_grid) {
  box(&a->box, 0);
  orbital_set(&a->set, 1);
  a->out.density = numbers(27);
  a->out.dx = numbers(27);
  a->out.dy = numbers(27);
  a->out.dz = numbers(27);
  a->out.tau = numbers(27);
  return WORK(convk_orbitals_grid_work_size_f64(hw, &a->box, &a->set, &a->work_size));
}
SET(gridpot_grid) {
  box(&a->box, 0);
  gaussians(&a->gaussians, 1);
  negative(a->gaussians.alpha, 3);
  a->sums = numbers(54);
  return WORK(convk_gridpot_grid_work_size_f64(hw, &a->box, &a->gaussians, &a->work_size));
}
SET(orbitals_grid_k) {
  box(&a->box, 1);
  orbital_set(&a->set, 0);
  a->bloch.imag = numbers(12);
  a->value = numbers(162);
  return WORK(convk_orbitals_grid_k_work_size_f64(hw, &a->box, &a->set, &a->work_size));
}
SET(density_grid_k) {
  box(&a->box, 1);
  orbital_set(&a->set, 1);
  a->bloch.imag = numbers(12);
  a->density = numbers(27);
  return WORK(convk_orbitals_grid_k_work_size_f64(hw, &a->box, &a->set, &a->work_size));
}

/* ---- form factors ---- */

/* A box that is indexed, for meshes of all forms. */
static void indexed_box(convk_indexed_mesh_f64 *m) {
  m->vertices = 8;
  m->faces = 12;
  m->x = numbers(8);
  m->y = numbers(8);
  m->z = numbers(8);
  m->face = (uint32_t *)take(36 * sizeof *m->face);
  if (convk_mesh_box_f64(NULL, 1, 2, 3, m)) exit(2);
}
static void mesh_arrays(convk_mesh_f64 *m) {
  double **const field[12] = {&m->ax, &m->ay, &m->az, &m->x, &m->y, &m->z, &m->ux, &m->uy, &m->uz, &m->wx, &m->wy, &m->wz};
  int i;
  m->n = 12;
  for (i = 0; i < 12; i++) *field[i] = numbers(12);
}
static void mesh(convk_mesh_f64 *m, const convk_indexed_mesh_f64 *indexed, int arrays_too) {
  convk_mesh_f64 from;
  memset(&from, 0, sizeof from);
  if (arrays_too) mesh_arrays(&from);
  from.n = 12;
  from.indexed = indexed;
  if (arrays_too && convk_mesh_from_faces_f64(NULL, &from)) exit(2);
  *m = from;
}
static void q_list(convk_q_f64 *q, size_t n) {
  q->n = n;
  q->x = numbers(n);
  q->y = numbers(n);
  q->z = numbers(n);
  q->z_imag = numbers(n);
}
/* ---- distances of atoms ---- */

static void atoms_of(convk_atoms_f64 *atoms) {
  uint32_t *kind = (uint32_t *)take(10 * sizeof *kind);
  size_t i;
  for (i = 0; i < 10; i++) kind[i] = (uint32_t)(i % 2);
  atoms->n = 10;
  atoms->frames = 2;
  atoms->x = numbers(20);
  atoms->y = numbers(20);
  atoms->z = numbers(20);
  atoms->kind = kind;
}
static uint64_t *zeros(size_t n) { return (uint64_t *)memset(take(n * sizeof(uint64_t)), 0, n * sizeof(uint64_t)); }
static void histogram_of(convk_distances *d, size_t kinds) {
  const size_t pairs = convk_distances_pairs(kinds);
  d->bins = 8;
  d->width = 0.125;
  d->kinds = kinds;
  d->moments = 2;
  d->count = zeros(8 * pairs);
  d->moment[0] = zeros(8 * pairs);
  d->moment[1] = zeros(16 * pairs);
}
SET(pair_histogram) {
  atoms_of(&a->atoms);
  histogram_of(&a->distances, 2);
  a->distances.beyond = zeros(3);
  return WORK(convk_pair_histogram_work_size_f64(hw, &a->atoms, &a->distances, &a->work_size));
}
SET(debye) {
  (void)hw;
  histogram_of(&a->distances, 1); /* as one scatterer lies in the arguments */
  a->self = numbers(1);
  a->nq = 7;
  a->q = numbers(7);
  a->intensity = numbers(7);
  a->bound = numbers(7);
  return 0;
}
SET(debye_direct) {
  atoms_of(&a->atoms);
  a->atoms.kind = NULL;
  a->nkinds = 1;
  a->nq = 7;
  a->q = numbers(7);
  a->intensity = numbers(7);
  return WORK(convk_debye_direct_work_size_f64(hw, &a->atoms, a->nkinds, a->nq, &a->work_size));
}

/* Of two kinds, in a box. */
static void amplitude_options(convk_amplitude_options *o) {
  static const convk_cell cell = {{4, 0, 0}, {0, 5, 0}, {0, 0, 6}};
  static const convk_scatterer kinds[2] = {{1, {2}, {3}, {1, 0}, 0.5}, {1, {1}, {2}, {0, 1}, 0}};
  o->kinds = 2;
  o->cell = (const convk_cell *)memcpy(take(sizeof cell), &cell, sizeof cell);
  o->scatterers = (const convk_scatterer *)memcpy(take(sizeof kinds), kinds, sizeof kinds);
}
SET(amplitudes) {
  atoms_of(&a->atoms);
  amplitude_options(&a->options);
  q_list(&a->q, 7);
  a->q.z_imag = NULL;
  a->f = numbers(28);
  return WORK(convk_amplitudes_work_size_f64(hw, &a->atoms, &a->options, &a->work_size));
}
SET(amplitudes_grid) {
  atoms_of(&a->atoms);
  amplitude_options(&a->options);
  q_list(&a->q, 3);
  a->q.z_imag = NULL;
  a->grid = cube(3);
  a->options.output = CONVK_AMPLITUDES_KINDS;
  a->f = numbers(216);
  return WORK(convk_amplitudes_grid_work_size_f64(hw, &a->atoms, &a->grid, &a->options, &a->work_size));
}

SET(formfactor) {
  (void)hw;
  indexed_box(&a->indexed);
  mesh(&a->mesh, &a->indexed, 1);
  q_list(&a->q, 7);
  a->q.x_imag = numbers(7);
  a->q.y_imag = numbers(7);
  a->f = numbers(14);
  return 0;
}
SET(formfactor_grid) {
  indexed_box(&a->indexed);
  mesh(&a->mesh, &a->indexed, 1);
  q_list(&a->q, 3);
  a->grid = cube(3);
  a->f = numbers(54);
  return WORK(convk_formfactor_grid_work_size_f64(hw, &a->grid, &a->q, &a->work_size));
}
SET(mesh_from_triangles) {
  (void)hw;
  a->corners = numbers(108);
  mesh_arrays(&a->mesh);
  return 0;
}
SET(mesh_from_faces) {
  (void)hw;
  indexed_box(&a->indexed);
  mesh(&a->mesh, &a->indexed, 1);
  return 0;
}
SET(mesh_join) {
  convk_indexed_mesh_f64 from;
  double *corners = numbers(108);
  indexed_box(&from);
  if (convk_mesh_corners_f64(NULL, &from, corners)) return 1;
  a->corners = corners;
  a->mesh.faces = 12;
  a->mesh.x = numbers(36); /* there may be as many vertices as corners */
  a->mesh.y = numbers(36);
  a->mesh.z = numbers(36);
  a->mesh.face = (uint32_t *)take(36 * sizeof *a->mesh.face);
  return WORK(convk_mesh_work_size(hw, 0, 12, &a->work_size));
}
SET(mesh_corners) {
  (void)hw;
  indexed_box(&a->mesh);
  a->corners = numbers(108);
  return 0;
}
SET(mesh_check) {
  indexed_box(&a->mesh);
  a->report = (convk_mesh_report *)take(sizeof *a->report);
  return WORK(convk_mesh_work_size(hw, 8, 12, &a->work_size));
}
SET(mesh_measure) {
  (void)hw;
  indexed_box(&a->indexed);
  mesh(&a->mesh, &a->indexed, 1);
  a->measures = (convk_mesh_measures *)take(sizeof *a->measures);
  return 0;
}
#define SET_SOLID(name, arguments) \
  SET(name) { \
    size_t nv = 0, nf = 0; \
    (void)hw; \
    arguments; \
    if (overlap_##name##_call(NULL, a, 0) != CONVK_ERR_SIZE && !a->mesh.vertices) return 1; \
    nv = a->mesh.vertices; \
    nf = a->mesh.faces; \
    a->mesh.x = numbers(nv); \
    a->mesh.y = numbers(nv); \
    a->mesh.z = numbers(nv); \
    a->mesh.face = (uint32_t *)take(3 * nf * sizeof *a->mesh.face); \
    return 0; \
  }
SET_SOLID(mesh_box, (a->a = 1, a->b = 2, a->c = 3))
SET_SOLID(mesh_pyramid, (a->a = 2, a->b = 2, a->height = 1, a->top = 1))
SET_SOLID(mesh_prism, (a->n = 5, a->edge = 1, a->height = 2))
SET_SOLID(mesh_cylinder, (a->n = 5, a->radius = 1, a->height = 2, a->top = 1))
SET_SOLID(mesh_sphere, (a->n = 2, a->radius = 1))
SET_SOLID(mesh_ellipsoid, (a->n = 2, a->rx = 1, a->ry = 2, a->rz = 3))
SET_SOLID(mesh_polyhedron, (a->kind = 0, a->edge = 1))
SET(mesh_rotate) {
  static const double turn[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
  (void)hw;
  mesh_arrays(&a->mesh);
  mesh_arrays(&a->out);
  a->rotation = (const double *)memcpy(take(sizeof turn), turn, sizeof turn);
  return 0;
}
static void assembly(convk_assembly_f64 *s, convk_indexed_mesh_f64 *indexed) {
  static const char *const names[12] = {"assembly.mesh[].ax", "assembly.mesh[].ay", "assembly.mesh[].az", "assembly.mesh[].x",
                                        "assembly.mesh[].y",  "assembly.mesh[].z",  "assembly.mesh[].ux", "assembly.mesh[].uy",
                                        "assembly.mesh[].uz", "assembly.mesh[].wx", "assembly.mesh[].wy", "assembly.mesh[].wz"};
  size_t i;
  convk_mesh_f64 *m = (convk_mesh_f64 *)take(sizeof *m);
  convk_placement *p = (convk_placement *)take(2 * sizeof *p);
  indexed_box(indexed);
  mesh(m, indexed, 1);
  memset(p, 0, 2 * sizeof *p);
  p[1].position[0] = 4;
  s->meshes = 1;
  s->placements = 2;
  s->mesh = m;
  s->placement = p;
  for (i = 0; i < 12; i++) inner(names[i], (char *)m + offsetof(convk_mesh_f64, ax) + i * sizeof(double *));
  inner("assembly.mesh[].indexed.x", &indexed->x);
  inner("assembly.mesh[].indexed.y", &indexed->y);
  inner("assembly.mesh[].indexed.z", &indexed->z);
  inner("assembly.mesh[].indexed.face", &indexed->face);
}
SET(formfactor_assembly) {
  assembly(&a->assembly, &a->indexed);
  q_list(&a->q, 7);
  a->f = numbers(14);
  a->intensity = numbers(7);
  return WORK(convk_formfactor_assembly_work_size_f64(hw, &a->assembly, 7, &a->work_size));
}
SET(sphere_quadrature) {
  (void)hw;
  a->degree = 4;
  if (convk_sphere_directions(NULL, a->degree, 0, &a->directions.n)) return 1;
  a->directions.x = numbers(a->directions.n);
  a->directions.y = numbers(a->directions.n);
  a->directions.z = numbers(a->directions.n);
  a->directions.weight = numbers(a->directions.n);
  return 0;
}
SET(sphere_spiral) {
  (void)hw;
  a->directions.n = 5;
  a->directions.x = numbers(5);
  a->directions.y = numbers(5);
  a->directions.z = numbers(5);
  a->directions.weight = numbers(5);
  return 0;
}
SET(formfactor_powder) {
  assembly(&a->assembly, &a->indexed);
  a->nq = 7;
  a->q = numbers(7);
  a->directions.n = 5;
  a->directions.x = numbers(5);
  a->directions.y = numbers(5);
  a->directions.z = numbers(5);
  a->directions.weight = numbers(5);
  a->intensity = numbers(7);
  return WORK(convk_formfactor_assembly_work_size_f64(hw, &a->assembly, 35, &a->work_size));
}
SET(formfactor_dwba) {
  assembly(&a->assembly, &a->indexed);
  a->waves.n = 7;
  a->waves.qx = numbers(7);
  a->waves.qy = numbers(7);
  a->waves.kz_in = numbers(7);
  a->waves.kz_in_imag = numbers(7);
  a->waves.kz_out = numbers(7);
  a->waves.kz_out_imag = numbers(7);
  a->waves.t_in = numbers(14);
  a->waves.t_out = numbers(14);
  a->waves.r_in = numbers(14);
  a->waves.r_out = numbers(14);
  a->f = numbers(14);
  return WORK(convk_formfactor_assembly_work_size_f64(hw, &a->assembly, 28, &a->work_size));
}

/* ---- transforms ---- */

static convk_fftconv2d_shape fft_shape(void) {
  convk_fftconv2d_shape s;
  memset(&s, 0, sizeof s);
  s.rows = s.columns = 4;
  s.kernel_rows = s.kernel_columns = 2;
  return s;
}
SET(fftconv2d_prepare) {
  a->shape = fft_shape();
  a->kernels = 2;
  a->kernel = numbers(parts * 8);
  if (OF_KIND(convk_fftconv2d_plan_size, (hw, &a->shape, 2, &a->plan_size))) return 1;
  a->plan = take(a->plan_size);
  return 0;
}
SET(fftconv2d_prepare_spectrum) {
  size_t rows;
  a->shape = fft_shape();
  if (convk_fftconv2d_resolve(hw, &a->shape, &a->shape)) return 1;
  a->shape.mode = CONVK_FFT_FULL;
  a->shape.out_rows = a->shape.out_columns = 0;
  a->shape.origin_row = a->shape.origin_column = 0;
  a->kernels = 2;
  rows = complex_call ? a->shape.fft_rows : a->shape.fft_rows / 2 + 1; /* that are read */
  a->spectrum = numbers(2 * (a->shape.fft_rows + rows) * a->shape.fft_columns);
  if (OF_KIND(convk_fftconv2d_plan_size, (hw, &a->shape, 2, &a->plan_size))) return 1;
  a->plan = take(a->plan_size);
  return 0;
}
SET(fftconv2d) {
  static const size_t which[3] = {1, 0, 1};
  const convk_fftconv2d_shape s = fft_shape();
  static double kernel[16];
  size_t bytes;
  void *plan;
  if (OF_KIND(convk_fftconv2d_plan_size, (hw, &s, 2, &bytes))) return 1;
  a->plan = plan = take(bytes);
  if (complex_call ? convk_fftconv2d_prepare_c64(hw, &s, 2, kernel, 0, 0, (convk_fftconv2d_plan_c64 *)plan, bytes)
                   : convk_fftconv2d_prepare_f64(hw, &s, 2, kernel, 0, 0, (convk_fftconv2d_plan_f64 *)plan, bytes))
    return 1;
  if (complex_call ? convk_fftconv2d_plan_bytes_c64(hw, (convk_fftconv2d_plan_c64 *)plan, &taken[taken_count - 1].bytes)
                   : convk_fftconv2d_plan_bytes_f64(hw, (convk_fftconv2d_plan_f64 *)plan, &taken[taken_count - 1].bytes))
    return 1;
  a->batch.items = 3;
  a->batch.kernel = (const size_t *)memcpy(take(sizeof which), which, sizeof which);
  a->in = numbers(parts * 48);
  a->out = numbers(parts * 75);
  return WORK(complex_call ? convk_fftconv2d_work_size_c64(hw, (const convk_fftconv2d_plan_c64 *)a->plan, 3, &a->work_size)
                           : convk_fftconv2d_work_size_f64(hw, (const convk_fftconv2d_plan_f64 *)a->plan, 3, &a->work_size));
}
SET(fft2d) {
  size_t bytes;
  void *plan;
  if (convk_fft2d_plan_size_c64(hw, 4, 6, &bytes)) return 1;
  a->plan = plan = take(bytes);
  if (convk_fft2d_prepare_c64(hw, 4, 6, (convk_fft2d_plan_c64 *)plan, bytes)) return 1;
  if (convk_fft2d_plan_bytes_c64(hw, (convk_fft2d_plan_c64 *)plan, &taken[taken_count - 1].bytes)) return 1;
  a->batch.items = 3;
  a->in = numbers(144);
  a->out = numbers(144);
  return WORK(convk_fft2d_work_size_c64(hw, (const convk_fft2d_plan_c64 *)a->plan, 3, &a->work_size));
}

/* ---- pairs ---- */

static convk_pair_system pairs(void) {
  convk_pair_system s;
  memset(&s, 0, sizeof s);
  s.particles = 5;
  s.potential = convk_pair_table(0.1, 0.1, 200, numbers(200));
  s.trial.p5 = 100;
  s.trial.p1 = 0.1;
  return s;
}
static double *places(size_t n) {
  double *r = numbers(n);
  size_t i;
  for (i = 0; i < n; i++) r[i] = 3.0 * (double)(i * 7 % 13);
  return r;
}
SET(pair_potential) {
  (void)hw;
  a->potential = convk_pair_table(0.1, 0.1, 200, numbers(200));
  a->n = 9;
  a->r = numbers(9);
  a->v = numbers(9);
  return 0;
}
SET(pair_energy) {
  a->system = pairs();
  a->walkers.walkers = 2;
  a->r = places(30);
  a->result = (convk_pair_result *)take(2 * sizeof *a->result);
  a->gradient = numbers(30);
  return WORK(convk_pair_energy_work_size_f64(hw, 5, 2, &a->work_size));
}
SET(pair_move) {
  (void)hw;
  a->system = pairs();
  a->walkers.walkers = 2;
  a->r = places(30);
  a->to = numbers(6);
  a->result = (convk_pair_move_result *)take(2 * sizeof *a->result);
  return 0;
}
SET(pair_accept) {
  (void)hw;
  a->system = pairs();
  a->walkers.walkers = 2;
  a->r = places(30);
  a->to = numbers(6);
  a->accept = (unsigned char *)memset(take(2), 1, 2);
  a->gradient = numbers(30);
  return 0;
}
static convk_vmc vmc(void) {
  convk_vmc v;
  memset(&v, 0, sizeof v);
  v.system = pairs();
  v.walkers = 2;
  v.step = 0.5;
  v.acceptance = -1;
  v.interval = 1;
  return v;
}
/* A state that has begun. */
static void *state(const convk_vmc *v, size_t *bytes) {
  void *s;
  if (convk_vmc_state_size_f64(NULL, v, bytes)) return NULL;
  s = take(*bytes);
  return convk_vmc_begin_f64(NULL, v, NULL, (convk_vmc_state_f64 *)s, *bytes) ? NULL : s;
}
SET(vmc_run) {
  a->vmc = vmc();
  a->sweeps = 2;
  a->state = state(&a->vmc, &a->state_size);
  return !a->state || WORK(convk_vmc_work_size_f64(hw, &a->vmc, &a->work_size));
}
SET(vmc_begin) {
  (void)hw;
  a->vmc = vmc();
  a->r = places(30);
  if (convk_vmc_state_size_f64(NULL, &a->vmc, &a->state_size)) return 1;
  a->state = take(a->state_size);
  return 0;
}
SET(vmc_positions) {
  (void)hw;
  a->vmc = vmc();
  a->state = state(&a->vmc, &a->state_size);
  a->r = numbers(30);
  return !a->state;
}
SET(vmc_results) {
  const convk_vmc v = vmc();
  (void)hw;
  a->state = state(&v, &a->state_size);
  a->result = (convk_vmc_result *)take(sizeof *a->result);
  return !a->state;
}
SET(vmc_take) {
  (void)hw;
  a->vmc = vmc();
  a->from = state(&a->vmc, &a->from_size);
  if (convk_vmc_state_size_f64(NULL, &a->vmc, &a->state_size)) return 1;
  a->state = take(a->state_size);
  a->taken = (size_t *)memset(take(sizeof *a->taken), 0, sizeof *a->taken);
  return !a->from;
}
SET(vmc_minimise) {
  a->vmc = vmc();
  a->options.iterations = 2;
  a->options.sweeps = 300;
  a->options.final_sweeps = 4;
  a->state = state(&a->vmc, &a->state_size);
  a->result = (convk_vmc_result *)take(sizeof *a->result);
  return !a->state || WORK(convk_vmc_work_size_f64(hw, &a->vmc, &a->work_size));
}

/* ---- every pair ---- */

static void say(const char *function, const array *w, const array *other, const char *what, int status, const convk *hw) {
  if (failed++ < 2000)
    printf("FAILED %s%s: %s, %s, %s: status %d %s\n", function, complex_call ? "_c64" : "_f64", w->name, other->name, what,
           status, hw->message);
}

/* Whether a message has the index in a name, as "filter[2].taps" has one. */
static int indexed(const char *message, const char *name) {
  const char *const at = strchr(name, '[');
  char index[4];
  if (!at || at[1] == ']') return 1;
  memcpy(index, at, 3);
  index[3] = 0;
  return strstr(message, index) != NULL;
}

typedef int calling(convk *hw, void *arguments, int complex);

/* What an array holds matters to the call. */
static int holds(const array *x) { return !x->written || !strcmp(x->name, "state") || !strcmp(x->name, "taken"); }

/* What `x` held before, to where it lies now. */
static void restore(const array *x, size_t at) { memcpy(base + at, (const char *)before + x->at, x->bytes); }

/* One call with `w` at another place of `space`. */
static void shifted(const char *function, calling *call, convk *hw, void *arguments, size_t bytes, array *w, const array *other,
                    size_t at, int overlap) {
  static char given[MOST_BYTES];
  const int first = holds(other) || !holds(w); /* then `other` lies on top */
  size_t i;
  int status, same = 1;
  memcpy(given, arguments, bytes);
  for (i = 0; i < count; i++) restore(&arrays[i], arrays[i].at);
  restore(w, at);
  if (first) restore(other, other->at);
  for (i = 0; i < count; i++) memcpy((char *)now + arrays[i].at, base + arrays[i].at, arrays[i].bytes);
  memcpy((char *)now + at, base + at, w->bytes);
  *w->pointer = base + at;
  status = call(hw, arguments, complex_call);
  for (i = 0; i < count && overlap; i++) /* other work may be anything */
    if (strcmp(arrays[i].name, "work") || &arrays[i] == w || &arrays[i] == other)
      same = same && !memcmp(base + arrays[i].at, (const char *)now + arrays[i].at, arrays[i].bytes);
  same = same && (!overlap || !memcmp(base + at, (const char *)now + at, w->bytes));
  memcpy(arguments, given, bytes);
  *w->pointer = base + w->at;
  if (status == CONVK_ERR_STATE && holds(w) && holds(other) && overlap) status = CONVK_ERR_OVERLAP; /* it is damaged */
  if (status != (overlap ? CONVK_ERR_OVERLAP : CONVK_OK)) say(function, w, other, overlap ? "overlap" : "touch", status, hw);
  else if (!same) say(function, w, other, "memory is not as it was", status, hw);
  else if (overlap && !(indexed(hw->message, w->name) && indexed(hw->message, other->name)))
    say(function, w, other, "another index is named", status, hw);
  else passed++;
}

static void every(const char *function, calling *call, convk *hw, void *arguments, size_t bytes, int set,
                  const overlap_array *list) {
  static char given[MOST_BYTES];
  size_t i, j, k, most = 0;
  int status;
  if (set) {
    printf("FAILED %s: no good call: %d %s\n", function, set, hw->message);
    failed++;
    return;
  }
  for (; list->name; list++) {
    void **pointer = (void **)(void *)((char *)arguments + list->at);
    if (!*pointer) continue;
    arrays[count].name = list->name;
    arrays[count].pointer = pointer;
    arrays[count++].written = list->written;
  }
  for (k = 0; k < taken_count; k++) most = most < taken[k].bytes ? taken[k].bytes : most;
  for (i = 0; i < count; i++) {
    for (k = 0; k < taken_count && base + taken[k].at != *arrays[i].pointer; k++) continue;
    if (k == taken_count) {
      printf("FAILED %s: where is %s?\n", function, arrays[i].name);
      failed++;
      return;
    }
    arrays[i].at = taken[k].at;
    arrays[i].bytes = taken[k].bytes;
  }
  /* so far apart that one of them may lie between two others */
  memcpy(before, space, used);
  most = (most + 127) / 64 * 64;
  if ((2 * count + 1) * most > SPACE) {
    printf("FAILED %s: too large\n", function);
    failed++;
    return;
  }
  used = most;
  memset(space, 0, (2 * count + 1) * most);
  for (i = 0; i < count; i++, used += 2 * most) {
    memcpy(base + used, (const char *)before + arrays[i].at, arrays[i].bytes);
    arrays[i].at = used;
  }
  { /* pointers that lie in arrays themselves move with these */
    for (i = 0; i < count; i++) {
      char *p = (char *)arrays[i].pointer;
      if (p >= base && p < base + SPACE)
        for (j = 0; j < count; j++) {
          for (k = 0; k < taken_count && base + taken[k].at != *arrays[j].pointer; k++) continue;
          if (k < taken_count && p >= base + taken[k].at && p < base + taken[k].at + taken[k].bytes) {
            arrays[i].pointer = (void **)(void *)(base + arrays[j].at + (size_t)(p - base) - taken[k].at);
            break;
          }
        }
    }
    for (i = 0; i < count; i++) *arrays[i].pointer = base + arrays[i].at;
  }
  memcpy(before, space, used);
  if (bytes > sizeof given) exit(2);
  memcpy(given, arguments, bytes);
  status = call(hw, arguments, complex_call);
  memcpy(arguments, given, bytes);
  if (status) {
    printf("FAILED %s%s: status %d %s\n", function, complex_call ? "_c64" : "_f64", status, hw->message);
    failed++;
    return;
  }
  for (i = 0; i < count; i++)
    for (j = 0; j < count && arrays[i].written; j++) {
      array *w = &arrays[i], *other = &arrays[j];
      const size_t end = other->at + other->bytes;
      const size_t unit = strcmp(w->name, "work") ? 8 : 1; /* work may begin at any byte */
      if (i == j || (device && (!strcmp(w->name, "work") || !strcmp(other->name, "work")))) continue;
      shifted(function, call, hw, arguments, bytes, w, other, (end - 1) / unit * unit, 1);
      shifted(function, call, hw, arguments, bytes, w, other, (other->at - w->bytes) / unit * unit + unit, 1);
      shifted(function, call, hw, arguments, bytes, w, other, (end + unit - 1) / unit * unit, 0);
      shifted(function, call, hw, arguments, bytes, w, other, (other->at - w->bytes) / unit * unit, 0);
    }
}

/* Of these nothing but the size is wrong, whatever lies behind the array. */
static int list_alone(const char *name) {
  return !strcmp(name, "shape.coarse.count") || !strcmp(name, "shape.fine.count") || !strcmp(name, "primitives");
}

/* Sizes of which no array can be: they are refused before anything is read that is not there. */
static void too_large(const char *function, calling *call, convk *hw, void *arguments, size_t bytes,
                      const overlap_array *list) {
  static const size_t sizes[4] = {(size_t)1 << 60, (size_t)1 << 61, (size_t)1 << 63, (size_t)-1};
  static char given[MOST_BYTES];
  size_t i, k;
  memcpy(given, arguments, bytes);
  for (; list->name; list++)
    for (k = 0; k < 4; k++) {
      int status, same = 1;
      for (i = 0; i < count; i++) restore(&arrays[i], arrays[i].at);
      memcpy((char *)arguments + list->at, &sizes[k], sizeof sizes[k]);
      status = call(hw, arguments, complex_call);
      memcpy(arguments, given, bytes);
      for (i = 0; i < count; i++)
        same = same && (!strcmp(arrays[i].name, "work") ||
                        !memcmp(base + arrays[i].at, (const char *)before + arrays[i].at, arrays[i].bytes));
      if (list_alone(list->name) && status != CONVK_ERR_OVERFLOW) same = 0;
      if (status && same) passed++;
      else if (failed++ < 2000)
        printf("FAILED %s%s: %s is %lu: status %d, memory is %sas it was\n", function, complex_call ? "_c64" : "_f64",
               list->name, (unsigned long)sizes[k], status, same ? "" : "not ");
    }
}

/* What a call says of one argument that somebody might have got wrong, without numbers, which are a machine's own, but for indices:
   tests/refusals.txt has a word of each. */
static char kept[1 << 16];
static int printing;
static const char *kept_words(const char *function) {
  char name[64];
  const char *p = kept;
  const int length = snprintf(name, sizeof name, "%s_%s:", function, complex_call ? "c64" : "f64");
  while (p && strncmp(p, name, (size_t)length)) p = strchr(p, '\n') ? strchr(p, '\n') + 1 : NULL;
  return p ? p + length : NULL;
}
static unsigned long said(unsigned long hash, int status, const char *message) {
  const char *c = message, *before_it = "";
  hash = ((hash ^ (unsigned long)(status + 1000)) * 16777619) & 0xffffffff;
  for (; *c; before_it = c++)
    if (*before_it == '[' || !(*c >= '0' && *c <= '9')) hash = ((hash ^ (unsigned char)*c) * 16777619) & 0xffffffff;
  return hash;
}
/* The value of a number in place of what it is, or the number of such values. */
static int spoil(void *number, int kind, int which) {
  static const int ints[] = {-1, 0, 1, 2, 3, INT_MAX, INT_MIN};
  static const double reals[] = {0, -1, -1e-3, 1e300, HUGE_VAL, NAN};
  size_t *const size = (size_t *)number;
  if (kind == 'n') *(int *)number = which + 1;
  if (kind == 'p') *(void **)number = NULL;
  if (kind == 'i') *(int *)number = ints[which];
  if (kind == 'd') *(double *)number = reals[which];
  if (strchr("swm", kind))
    *size = which == 0 ? 0 : which == 1 ? *size - 1 : which == 2 && kind != 'm' ? *size + 1 : (size_t)1 << 63;
  return kind == 'i' ? 7 : kind == 'd' ? 6 : kind == 's' ? 4 : kind == 'n' || kind == 'p' ? 1 : 3;
}
/* A handle that is not open, of another version, and whose threads cannot be, or do not run. */
enum { HANDLES = 5 };
static int not_run;
static int run_none(void *ctx, size_t ntasks, void (*task)(void *arg, size_t index), void *arg) {
  (void)ctx, (void)ntasks, (void)task, (void)arg;
  return 1;
}
static void spoil_handle(convk *hw, int which) {
  not_run = which == 3;
  if (which == 0) hw->size++;
  if (which == 1) hw->version += 1000000;
  if (which == 2) hw->parallel.threads = -1;
  if (which > 2) hw->parallel.threads = 3;
  if (which == 3) hw->parallel.run = run_none;
}
static void judge(const char *function, const char *name, const char **words, unsigned long hash, const char *text) {
  const unsigned long word = *words ? strtoul(*words, (char **)(void *)words, 16) : 0;
  if (printing) printf(" %08lx", hash);
  if (printing || word == hash) passed++;
  else if (failed++ < 2000)
    printf("FAILED %s%s: %s spoiled: not as tests/refusals.txt has it%s\n", function, complex_call ? "_c64" : "_f64", name,
           text);
}
/* Which number of the list is spoiled, or of an array that is read its first or last element, of all bits or none. */
static void refusals(const char *function, calling *call, convk *hw, void *arguments, size_t bytes, const overlap_array *list) {
  static char given[MOST_BYTES];
  const char *words = printing ? NULL : kept_words(function);
  size_t i, item, numbers_of = 0;
  memcpy(given, arguments, bytes);
  while (list[numbers_of].name) numbers_of++;
  memset(space, 0,
         used + BEYOND < sizeof space ? used + BEYOND : sizeof space); /* what lies behind arrays that are too short */
  if (printing) printf("%s_%s:", function, complex_call ? "c64" : "f64");
  for (item = 0; item <= numbers_of + count; item++) {
    const int handle = item == numbers_of + count;
    const array *const data = item < numbers_of || handle ? NULL : &arrays[item - numbers_of];
    const overlap_array *const one = item < numbers_of ? &list[item] : NULL;
    const char *const name = handle ? "hw" : data ? data->name : one->name;
    const convk good = *hw;
    char text[4000] = "";
    unsigned long hash = 2166136261;
    int k, n = handle ? HANDLES : data ? 4 : one->written == 'n' ? (int)strtol(name, NULL, 10) : spoil(given, one->written, 0);
    memcpy(given, arguments, bytes);
    if (data &&
        (!holds(data) || data->bytes < 8 || !strcmp(name, "state") || strstr(name, "shells") || strstr(name, "assembly.mesh")))
      continue;
    for (k = 0; k < n; k++) {
      int status, same = 1;
      for (i = 0; i < count; i++) restore(&arrays[i], arrays[i].at);
      if (handle) spoil_handle(hw, k);
      else if (data) memset(base + data->at + (k & 1 ? data->bytes - 8 : 0), k < 2 ? 255 : 0, 8);
      else (void)spoil((char *)arguments + one->at, one->written, k);
      memcpy(now, space, used);
      hw->message[0] = 0;
      status = call(hw, arguments, complex_call);
      memcpy(arguments, given, bytes);
      hash = said(hash, status, hw->message);
      hw->size = good.size;
      hw->version = good.version;
      hw->parallel = good.parallel;
      for (i = 0; i < count && status && !not_run; i++)
        same = same && (!strcmp(arrays[i].name, "work") ||
                        !memcmp(base + arrays[i].at, (const char *)now + arrays[i].at, arrays[i].bytes));
      hash = said(hash, same ? 0 : 999, "");
      snprintf(text + strlen(text), sizeof text - strlen(text), "; %d %s%s", status, hw->message,
               same ? "" : ", but memory is not as it was");
    }
    judge(function, name, &words, hash, text);
  }
  if (printing) printf("\n");
}

#define EVERY(name) \
  for (complex_call = 0; complex_call < 2; complex_call++) { \
    static overlap_##name##_arguments a; \
    const int kinds = overlap_##name##_kinds; \
    if (!(complex_call ? kinds > 1 : 1)) continue; \
    memset(&a, 0, sizeof a); \
    memset(space, 0, used + BEYOND < sizeof space ? used + BEYOND : sizeof space); \
    used = count = taken_count = 0; \
    parts = (size_t)complex_call + 1; \
    every(#name, overlap_##name##_call, &hw, &a, sizeof a, overlap_##name##_set(&hw, &a), overlap_##name##_arrays); \
    if (!printing) too_large(#name, overlap_##name##_call, &hw, &a, sizeof a, overlap_##name##_counts); \
    refusals(#name, overlap_##name##_call, &hw, &a, sizeof a, overlap_##name##_spoiled); \
  }

int main(int argc, char **argv) {
  convk hw;
  FILE *const file = argc > 1 ? fopen(argv[1], "r") : NULL;
  printing = argc > 1 && !strcmp(argv[1], "--print");
  if (file) kept[fread(kept, 1, sizeof kept - 1, file)] = 0;
  if (argc != 2 || (!printing && !kept[0])) {
    printf("usage: %s tests/refusals.txt | --print\n", argv[0]);
    return 1;
  }
  if (convk_open(&hw, getenv("HW"))) {
    printf("%s\n", hw.message);
    return 1;
  }
  device = !strncmp(hw.name, "opencl", 6) || !strncmp(hw.name, "cuda", 4);
  OVERLAP_CALLS(EVERY)
  convk_close(&hw);
  if (!printing) printf("%lu passed, %lu failed, 0 skipped\n", passed, failed);
  return failed > 0;
}
