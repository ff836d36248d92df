/* What gpu.cu and gpu_opencl.c compute on a device: two chains of calls, all in f32, which every device has, and the same on the
 * processor, to compare with.
 *   density    the electrons of a water molecule in a periodic box   orbitals squared, on a grid of n^3 points (gaussian)
 *              as an instrument of limited resolution sees them      convolution with a Gaussian on each axis  (sepconv)
 *              while the molecule vibrates                           diffusion, by steps of the stencil        (stencil)
 *   particle   a sphere of triangles in an X-ray beam                amplitudes F(qx, qy, 0) on a detector     (formfactor)
 *              and how thick it is, seen along the beam              their Fourier transform                   (fft)
 * Before this text come convk.h and the program's name as PROGRAM. */
#ifndef CHAINS_H
#define CHAINS_H

#include "molecule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define BOX 16.0   /* bohr, around the molecule */
#define TAPS 9     /* of the Gaussian, */
#define WIDTH 1.2f /* in points: its standard deviation */
#define STEPS 32   /* an even number: the state ends where it began */
#define RADIUS 10  /* nm, of the sphere */
#define PARTS 8    /* of an edge of the icosahedron that it is made of */
#define VIEW 40.0  /* nm, side of the detector's field of view */
#define AGREES \
  1e-5 /* of the largest value: what results may differ by. Processors without fused multiply-add round otherwise */

static const int periodic[3] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_PERIODIC};

/* The calls of both chains, in order. */
enum { CALL_DENSITY, CALL_FILTER, CALL_STEPS, CALL_AMPLITUDES, CALL_TRANSFORM, CALLS };

typedef struct chains {
  /* the density */
  size_t n, points;
  convk_grid3 grid;
  convk_sepconv3d_shape filtered; /* periodic, to the same grid */
  molecule water;
  size_t orbitals;
  float *coefficients, *occupations; /* of the orbitals that hold electrons */
  convk_orbital_set_f32 set;
  float *xyz; /* all x, then all y, then all z */
  float taps[TAPS];
  convk_filter_f32 filter[3];
  convk_stencil7_coefficients_f32 step;
  convk_stencil7_shape torus;
  /* the particle */
  size_t side, pixels;
  convk_grid3 detector;
  convk_mesh_f32 mesh;
  convk_mesh_measures measures;
  float *triangles;           /* the arrays of the mesh: 6 numbers for each triangle */
  float *q;                   /* qx of all columns, then qy of all rows, then qz: one number, 0 */
  convk_fft2d_plan_c32 *plan; /* of the transform */
  convk_batch2d one;          /* item */
  double work[CALLS];         /* what rates count */
} chains;

static const struct {
  const char *name, *unit;
} calls[CALLS] = {{"density:", "Gpoint/s"},
                  {"filter:", "GFlop/s"},
                  {"steps:", "GLUP/s"},
                  {"amplitudes:", "Gpair/s"},
                  {"transform:", "GFlop/s"}};

/* ---- what goes in ---- */

static inline void open_density(chains *c, size_t n) {
  cube_file box;
  char message[256], path[512];
  double *xyz, sum = 0;
  int d, k;
  c->n = n;
  c->points = n * n * n;
  c->grid.nx = c->grid.ny = c->grid.nz = n;
  c->filtered.in = c->grid;
  example_data(WATER, path);
  require(!molden_read(&c->water.file, path, message, sizeof message), path, message);
  make_shells(&c->water, path, NULL);
  choose_orbitals(&c->water, "homo");
  c->orbitals = c->water.rows[DENSITY].count;
  c->coefficients = narrow(c->water.rows[DENSITY].coefficients, c->orbitals * c->water.file.nfunctions);
  c->occupations = narrow(c->water.rows[DENSITY].occupations, c->orbitals);
  memset(&c->set, 0, sizeof c->set);
  c->set.nshells = c->water.file.nshells;
  c->set.shells = c->water.shells;
  c->set.norbitals = c->orbitals;
  c->set.coefficients = c->coefficients;
  c->set.occupations = c->occupations;
  memset(&box, 0, sizeof box);
  for (d = 0; d < 3; d++) {
    box.n[d] = n;
    box.axis[d][d] = BOX / (double)n;
    /* the oxygen atom is in the middle, and the points in the middles of cells */
    box.origin[d] = c->water.file.atoms[0].position[d] + 0.5 * (box.axis[d][d] - BOX);
  }
  xyz = grid_points(&box, 0, n * n);
  c->xyz = narrow(xyz, 3 * c->points);
  free(xyz);
  for (k = 0; k < TAPS; k++) {
    const float x = (float)(k - TAPS / 2) / WIDTH;
    c->taps[k] = expf(-x * x / 2);
    sum += (double)c->taps[k];
  }
  for (k = 0; k < TAPS; k++) {
    c->taps[k] = (float)((double)c->taps[k] / sum); /* no electron gets lost */
  }
  for (d = 0; d < 3; d++) {
    c->filter[d].lo = -(TAPS / 2);
    c->filter[d].up = TAPS / 2;
    c->filter[d].taps = c->taps;
  }
  c->step = convk_stencil7_isotropic_f32(0.25f, 0.125f);
  c->torus.grid = c->grid;
  memcpy(c->torus.boundary, periodic, sizeof c->torus.boundary);
  c->work[CALL_DENSITY] = (double)c->points;
  c->work[CALL_FILTER] = 6.0 * TAPS * (double)c->points;
  c->work[CALL_STEPS] = (double)STEPS * (double)c->points;
}

static inline void open_particle(chains *c, size_t n) {
  convk_indexed_mesh_f32 surface = {0, 0, NULL, NULL, NULL, NULL};
  size_t size, i;
  for (c->side = 16; c->side < n; c->side *= 2) {
    continue; /* a power of two */
  }
  c->pixels = c->side * c->side;
  c->detector.nx = c->detector.ny = c->side;
  c->detector.nz = 1;
  require_ok(convk_mesh_sphere_f32(NULL, RADIUS, PARTS, &surface), "mesh_sphere"); /* how large it is */
  surface.x = (float *)memory(3 * surface.vertices, sizeof *surface.x);
  surface.y = surface.x + surface.vertices;
  surface.z = surface.y + surface.vertices;
  surface.face = (uint32_t *)memory(3 * surface.faces, sizeof *surface.face);
  require_ok(convk_mesh_sphere_f32(NULL, RADIUS, PARTS, &surface), "mesh_sphere");
  c->triangles = (float *)memory(6 * surface.faces, sizeof *c->triangles);
  require_ok(convk_mesh_assign_f32(NULL, surface.faces, 0, c->triangles, &c->mesh), "mesh_assign");
  c->mesh.indexed = &surface;
  require_ok(convk_mesh_from_faces_f32(NULL, &c->mesh), "mesh_from_faces");
  require_ok(convk_mesh_measure_f32(NULL, &c->mesh, &c->measures), "mesh_measure");
  c->mesh.indexed = NULL; /* its arrays are enough */
  free(surface.x);
  free(surface.face);
  c->q = (float *)memory(2 * c->side + 1, sizeof *c->q);
  for (i = 0; i < c->side; i++) { /* in the order of a transform: 0, 1, ..., then the negative ones up to -1 */
    const double k = i < c->side / 2 ? (double)i : (double)i - (double)c->side;
    c->q[i] = c->q[c->side + i] = (float)(2 * PI * k / VIEW);
  }
  require_ok(convk_fft2d_plan_size_c32(NULL, c->side, c->side, &size), "size of the transform's plan");
  c->plan = (convk_fft2d_plan_c32 *)memory(size, 1);
  require_ok(convk_fft2d_prepare_c32(NULL, c->side, c->side, c->plan, size), "plan of the transform");
  c->one.items = 1;
  c->work[CALL_AMPLITUDES] = (double)c->pixels * (double)c->mesh.n;
  c->work[CALL_TRANSFORM] = 5 * (double)c->pixels * log2((double)c->pixels);
}

static inline void open_chains(chains *c, size_t n) {
  memset(c, 0, sizeof *c);
  open_density(c, n);
  open_particle(c, n);
  printf("density:      %lu^3 points, %lu orbitals, %d taps, %d steps\n", (unsigned long)n, (unsigned long)c->orbitals, TAPS,
         STEPS);
  printf("particle:     %lu triangles, %lu^2 pixels\n", (unsigned long)c->mesh.n, (unsigned long)c->side);
}

static inline void close_chains(chains *c) {
  molecule_free(&c->water);
  free(c->coefficients);
  free(c->occupations);
  free(c->xyz);
  free(c->triangles);
  free(c->q);
  free(c->plan);
}

/* ---- what comes out ---- */

/* Best times in milliseconds: of each call, of each chain by itself, and of both at once. */
typedef struct chain_times {
  double call[CALLS], alone[2], together;
} chain_times;

static inline chain_times no_times(void) {
  chain_times t;
  int i;
  t.alone[0] = t.alone[1] = t.together = HUGE_VAL;
  for (i = 0; i < CALLS; i++) {
    t.call[i] = HUGE_VAL;
  }
  return t;
}

static inline void print_times(const chains *c, const chain_times *t) {
  int i;
  for (i = 0; i < CALLS; i++) {
    printf("%-13s %10.4f ms %10.4g %s\n", calls[i].name, t->call[i], 1e-6 * c->work[i] / t->call[i], calls[i].unit);
  }
  printf("one by one:   %10.4f ms, of which %.4f ms the first chain\n", t->alone[0] + t->alone[1], t->alone[0]);
  printf("at once:      %10.4f ms\n", t->together);
}

/* What the chains end with, on the host: the density of all points, and the thickness, a complex number for each pixel. */
typedef struct chain_results {
  float *density, *thickness;
} chain_results;

static inline chain_results open_results(const chains *c) {
  chain_results r;
  r.density = (float *)memory(c->points, sizeof *r.density);
  r.thickness = (float *)memory(2 * c->pixels, sizeof *r.thickness);
  return r;
}

static inline void close_results(chain_results *r) {
  free(r->density);
  free(r->thickness);
}

/* Chains that run at the same time do not disturb each other. */
static inline void check_same(const chains *c, const chain_results *alone, const chain_results *together) {
  require(!memcmp(alone->density, together->density, c->points * sizeof *alone->density) &&
              !memcmp(alone->thickness, together->thickness, 2 * c->pixels * sizeof *alone->thickness),
          "at once", "other results than one after the other");
  puts("              with the same bits as one by one");
}

/* The largest difference from what is wanted, over the largest value; infinity where something is no number. */
static inline double difference(const float *got, const float *wanted, size_t count) {
  double worst = 0, largest = 0;
  size_t i;
  for (i = 0; i < count; i++) {
    const double off = fabs((double)got[i] - (double)wanted[i]);
    worst = off <= worst ? worst : off < HUGE_VAL ? off : HUGE_VAL;
    largest = fmax(largest, fabs((double)wanted[i]));
  }
  return worst > 0 ? worst / largest : 0;
}

/* Compares a device's results with the processor's, and says what they mean. */
static inline void check_chains(const chains *c, const chain_results *r) {
  const double cell = pow(BOX / (double)c->n, 3), area = VIEW * VIEW;
  float *first = (float *)memory(c->points, sizeof *first), *second = (float *)memory(c->points, sizeof *second), *end;
  float *amplitudes = (float *)memory(2 * c->pixels, sizeof *amplitudes);
  const convk_points_f32 points = {c->points, c->xyz, c->xyz + c->points, c->xyz + 2 * c->points, 0};
  const convk_q_f32 axes = {0, c->q, c->q + c->side, c->q + 2 * c->side, NULL, NULL, NULL};
  double sum = 0, off[2];
  size_t i;
  convk cpu;
  require_ok(convk_open(&cpu, NULL), "the processor");
  require_ok(convk_density_f32(&cpu, &points, &c->set, NULL, first, NULL, 0), "density");
  require_ok(convk_sepconv3d_f32(&cpu, &c->filtered, c->filter, NULL, first, second, NULL, 0), "filter");
  require_ok(convk_stencil7_f32(&cpu, &c->torus, &c->step, STEPS, second, first, &end, NULL, 0), "steps");
  require_ok(convk_formfactor_grid_f32(&cpu, &c->mesh, &c->detector, &axes, NULL, amplitudes, NULL, 0), "amplitudes");
  require_ok(convk_fft2d_c32(&cpu, c->plan, CONVK_FORWARD, &c->one, amplitudes, amplitudes, NULL, 0), "transform");
  off[0] = difference(r->density, end, c->points);
  off[1] = difference(r->thickness, amplitudes, 2 * c->pixels);
  for (i = 0; i < c->points; i++) {
    sum += (double)r->density[i];
  }
  printf("electrons:    %.6g of %g in the box; a coarse grid does not resolve the cores\n", sum * cell, electrons(&c->water));
  printf("thickness:    %.2f nm in the middle of a sphere of %d nm\n", (double)r->thickness[0] / area, 2 * RADIUS);
  printf("check:        largest difference from %s %.1e and %.1e, at most %.0e wanted\n", cpu.name, off[0], off[1], AGREES);
  convk_close(&cpu);
  free(first);
  free(second);
  free(amplitudes);
  require(off[0] <= AGREES && off[1] <= AGREES, "check", "the device's results are not those of the processor");
}

#endif
