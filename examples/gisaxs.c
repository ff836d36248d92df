/* Small-angle X-ray scattering of a particle: the form factor F(q) of a triangulated surface on the pixels of a detector, and a
 * picture of the pattern |F|^2.
 *   gisaxs [FILE.stl | FILE.off | FILE.ply | FILE.obj | sphere | cylinder | box | SHAPE] [--grid NYxNZ] [--qmax Q] [--absorption IM]
 *          [--rotate [y|z]DEGREES] [--exact] [--list] [--hw NAME] [--type f32|f64] [--out FILE] [--data FILE]
 *   gisaxs --assembly FILE [--incoherent] [--grid ...] [--qmax Q] [--absorption IM] [--hw NAME] [--out FILE] [--data FILE]
 *   gisaxs --layers FILE [PARTICLE | --assembly FILE] [--incidence DEGREES] [--wavelength NM] [--grid ...] [--qmax Q] ...
 *   gisaxs --layers FILE --reflectivity [--wavelength NM] [--grid 2xN] [--qmax Q] [--data FILE]
 * The beam comes along x, so that qx = 0 on a flat detector at small angles; pixels lie in -Q..Q along qy and qz. At grazing
 * incidence (GISAXS) a film absorbs, and qz has an imaginary part. A turned particle is a turned mesh: q keeps its tensor grid.
 * A SHAPE is one of shapes.h, as box:12x18x24, pyramid:10x6x4 or octahedron:12x4. --exact integrates over each triangle
 * exactly, so that a flat face needs no more than two or so; beside it stand the errors of one point in each triangle and of
 * the fourth order, on a finer mesh of the same body. An assembly is a list of particles, see assembly.h: their waves
 * interfere, or with --incoherent their intensities add up; it is computed exactly, in f64. With --layers the particles,
 * lengths in nm, lie in a film of layers, see layers.h: the distorted-wave Born approximation of four terms, exactly and in
 * f64, whose waves in the particles' layer come from the file. qz of a pixel is then k (sin of the angle of incidence + sin of
 * that of exit), and below the horizon, qz < k sin of the angle of incidence, there is nothing. --reflectivity: that of the
 * layers alone, at N values of qz up to Q. --data writes |F / volume|^2, for lengths in nm, or the reflectivity, as
 * data_file.h says. Run it from the root of the repository, or name a file or a shape. */
#define _POSIX_C_SOURCE 200112L /* for a clock that only moves forward */

#define CONVK_WITH_FORMFACTOR /* the other families are left out: they take their time to compile */
#define CONVK_SIMD
#include "convk.h"

#define PROGRAM "gisaxs"
#include "options.h"
#include "assembly.h"
#include "layers.h"
#include "scattering.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE \
  "gisaxs [FILE.stl | FILE.off | FILE.ply | FILE.obj | SHAPE] [OPTION...], or gisaxs --assembly FILE [OPTION...], either " \
  "with --layers " \
  "FILE; " \
  "gisaxs --help lists shapes and options"

/* ---- shapes whose form factor is known, also for complex q ---- */

static double complex sinc(double complex x) { return cabs(x) < 1e-4 ? 1 - x * x / 6 : csin(x) / x; }

/* Where sine and cosine cancel, their series: its first neglected term is below 1e-14. */
static double complex sphere(double radius, const double complex q[3]) {
  const double complex xx = radius * radius * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), x = csqrt(xx);
  if (cabs(xx) < 0.1) {
    return 1 - xx / 10 * (1 - xx / 28 * (1 - xx / 54 * (1 - xx / 88)));
  }
  return 3 * (csin(x) - x * ccos(x)) / (x * xx);
}

/* 2 J1(x) / x is the mean of 2 sin^2 t cos(x cos t) over a period, and a mean over more than |x| equal steps is exact to
 * rounding: what it leaves out are Bessel functions of orders far above |x|. */
static double complex cylinder(double radius, double height, const double complex q[3]) {
  const double complex x = radius * csqrt(q[0] * q[0] + q[1] * q[1]);
  const int steps = 24 + (int)(1.5 * cabs(x));
  double complex sum = 0;
  int k;
  for (k = 0; k < steps; k++) {
    const double t = PI * k / steps;
    sum += 2 * sin(t) * sin(t) * ccos(x * cos(t));
  }
  return sum / steps * sinc(height / 2 * q[2]);
}

static double complex box(const double side[3], const double complex q[3]) {
  return sinc(side[0] / 2 * q[0]) * sinc(side[1] / 2 * q[1]) * sinc(side[2] / 2 * q[2]);
}

/* A sphere, cylinder or box whose middle is (0, 0, up). */
typedef struct known_form {
  const char *what;
  shape is;
  double up, volume;
  double left_out; /* of the volume, by flat triangles */
} known_form;

/* F(q) / volume. */
static double complex form_of(const known_form *known, const double complex q[3]) {
  const double *size = known->is.number;
  const double complex f = known->is.kind == SHAPE_SPHERE     ? sphere(size[0], q)
                           : known->is.kind == SHAPE_CYLINDER ? cylinder(size[0], size[1], q)
                                                              : box(size, q);
  return f * cexp(I * q[2] * known->up);
}

/* Whether it is a form that is known. */
static int know(known_form *known, const char *what, const shape *is) {
  const double *size = is->number;
  known->what = what;
  known->is = *is;
  known->up = known->left_out = 0;
  known->volume = is->kind == SHAPE_SPHERE     ? 4 * PI / 3 * size[0] * size[0] * size[0]
                  : is->kind == SHAPE_CYLINDER ? PI * size[0] * size[0] * size[1]
                                               : size[0] * size[1] * size[2];
  return is->kind == SHAPE_SPHERE || is->kind == SHAPE_CYLINDER || is->kind == SHAPE_BOX;
}

/* The files of examples/data. Equilateral triangles of area h^2 / 2 with their corners on the surface
 * leave out h^2 sqrt(3) / 4 R^2 of the volume of a sphere, a third of that of a cylinder. */
static const struct {
  const char *what;
  double up, left_out; /* of the volume, over h^2 */
} files[] = {{"sphere:10", 0, 0.433 / 100}, {"cylinder:5x16", 0, 0.144 / 25}, {"box:12x18x24", 12, 0}}; /* of `bodies` */

/* That of the name without folders and .stl. */
static int known_file(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  const size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".stl") == 0 ? body_named(name, length - 4) : -1;
}

/* ---- the particle and the detector ---- */

typedef struct experiment {
  convk hw;
  int single;             /* the precision of the calls: f32, else f64 */
  particle given, points; /* as it is; and in triangles so small that a point in each will do, which may be the same */
  convk_mesh_measures measures;
  double rotation[9]; /* in rows */
  double qmax, absorption;
  size_t ny, nz;
  double *qy, *qz; /* as the calls get them */
} experiment;

/* count numbers in the precision of the calls: number i is x[i / each % period]. */
static void *in_precision(const experiment *e, size_t count, const double *x, size_t each, size_t period) {
  void *copy = memory(count, e->single ? sizeof(float) : sizeof(double));
  size_t i;
  for (i = 0; i < count; i++) {
    const double value = x[i / each % period];
    if (e->single) {
      ((float *)copy)[i] = (float)value;
    } else {
      ((double *)copy)[i] = value;
    }
  }
  return copy;
}

static void read_mesh(experiment *e, const char *path, const shape *named) {
  load(&e->given, path, named);
  describe(&e->given, path, &e->measures);
  if (named) {
    refine(&e->points, path, named, e->qmax, e->measures.area);
  } else {
    e->points = e->given;
  }
}

static void rotate(experiment *e, const char *text) {
  const int axis = *text == 'z' ? 2 : 1, a = (axis + 1) % 3, b = (axis + 2) % 3;
  const char *number = text + (*text == 'y' || *text == 'z');
  char *end;
  const double degrees = strtod(number, &end);
  double *r = e->rotation;
  require_option(!*end && end != number && fabs(degrees) <= 360, "--rotate",
                 "an angle in -360..360 is wanted, y or z before it");
  r[4 * axis] = 1;
  r[4 * a] = r[4 * b] = cos(PI / 180 * degrees);
  r[3 * b + a] = sin(PI / 180 * degrees);
  r[3 * a + b] = -r[3 * b + a];
  require_ok(convk_mesh_rotate_f64(NULL, &e->given.mesh, r, &e->given.mesh), "mesh_rotate");
  if (e->points.storage != e->given.storage) {
    require_ok(convk_mesh_rotate_f64(NULL, &e->points.mesh, r, &e->points.mesh), "mesh_rotate");
  }
  if (degrees < 0 || degrees > 0) {
    printf("              turned by %g degrees about %c\n", degrees, "xyz"[axis]);
  }
}

/* ---- the calls ---- */

enum { BY_GRID, BY_LIST, FOURTH_ORDER, EXACT, CALLS };
static const char *const call_names[CALLS] = {"formfactor_grid", "formfactor", "fourth order", "exact"};

static const particle *particle_for(const experiment *e, int how) { return how == EXACT ? &e->given : &e->points; }

static convk_formfactor_options options_for(const experiment *e, int how) {
  convk_formfactor_options options;
  memset(&options, 0, sizeof options);
  options.form = how == EXACT ? CONVK_FORM_EXACT : e->measures.closed ? CONVK_FORM_CLOSED : CONVK_FORM_OPEN;
  options.order = how == FOURTH_ORDER ? 2 : 0;
  return options;
}

static int call_f32(experiment *e, int how, float *mesh_numbers, float *const q[4], float *f) {
  const convk_formfactor_options options = options_for(e, how);
  const convk_grid3 grid = {1, e->ny, e->nz, 0, 0};
  convk_mesh_f32 mesh;
  const convk_q_f32 vectors = {e->ny * e->nz, q[0], q[1], q[2], NULL, NULL, q[3]};
  const int status = convk_mesh_assign_f32(&e->hw, particle_for(e, how)->mesh.n, 1, mesh_numbers, &mesh);
  return status           ? status
         : how == BY_GRID ? convk_formfactor_grid_f32(&e->hw, &mesh, &grid, &vectors, &options, f, NULL, 0)
                          : convk_formfactor_f32(&e->hw, &mesh, &vectors, &options, f);
}

static int call_f64(experiment *e, int how, double *const q[4], double *f) {
  const convk_formfactor_options options = options_for(e, how);
  const convk_grid3 grid = {1, e->ny, e->nz, 0, 0};
  const convk_mesh_f64 *mesh = &particle_for(e, how)->mesh;
  const convk_q_f64 vectors = {e->ny * e->nz, q[0], q[1], q[2], NULL, NULL, q[3]};
  return how == BY_GRID ? convk_formfactor_grid_f64(&e->hw, mesh, &grid, &vectors, &options, f, NULL, 0)
                        : convk_formfactor_f64(&e->hw, mesh, &vectors, &options, f);
}

/* F at every pixel, [nz][ny]. The call is repeated for a while: the best time counts. A list names every q of the grid. */
static double complex *scatter(experiment *e, int how) {
  const size_t pixels = e->ny * e->nz;
  const particle *p = particle_for(e, how);
  const int list = how != BY_GRID;
  const double zero = 0, begin = seconds();
  double complex *f = (double complex *)memory(pixels, sizeof *f);
  void *out = memory(2 * pixels, e->single ? sizeof(float) : sizeof(double));
  void *mesh = in_precision(e, 12 * p->mesh.n, p->storage, 1, 12 * p->mesh.n);
  void *q[4] = {NULL, NULL, NULL, NULL};
  double best = DBL_MAX;
  size_t i;
  q[0] = in_precision(e, list ? pixels : 1, &zero, 1, 1);
  q[1] = in_precision(e, list ? pixels : e->ny, e->qy, 1, e->ny);
  q[2] = in_precision(e, list ? pixels : e->nz, e->qz, list ? e->ny : 1, e->nz);
  if (e->absorption > 0) {
    q[3] = in_precision(e, list ? pixels : e->nz, &e->absorption, 1, 1);
  }
  do {
    float *const q32[4] = {(float *)q[0], (float *)q[1], (float *)q[2], (float *)q[3]};
    double *const q64[4] = {(double *)q[0], (double *)q[1], (double *)q[2], (double *)q[3]};
    const double start = seconds();
    require_ok(e->single ? call_f32(e, how, (float *)mesh, q32, (float *)out) : call_f64(e, how, q64, (double *)out),
               call_names[how]);
    best = fmin(best, seconds() - start);
  } while (seconds() - begin < SECONDS);
  for (i = 0; i < pixels; i++) {
    f[i] = e->single ? (double)((float *)out)[2 * i] + I * (double)((float *)out)[2 * i + 1]
                     : ((double *)out)[2 * i] + I * ((double *)out)[2 * i + 1];
  }
  for (i = 0; i < 4; i++) {
    free(q[i]);
  }
  free(mesh);
  free(out);
  printf("%-16s %9.4g s, %.3f G triangle-q/s\n", call_names[how], best, 1e-9 * (double)p->mesh.n * (double)pixels / best);
  return f;
}

/* ---- assemblies ---- */

/* Particles of a file, for calls on assemblies. */
typedef struct crowd {
  assembly_file file;
  particle *kinds;
  convk_mesh_f64 *meshes;
  convk_assembly_f64 assembly;
} crowd;

/* measures.volume becomes that of all particles. */
static void read_crowd(experiment *e, crowd *c, const char *file) {
  assembly_file *a = &c->file;
  char message[256], path[512];
  size_t i;
  require(!assembly_read(a, file, message, sizeof message), file, message);
  c->kinds = (particle *)memory(a->names, sizeof *c->kinds);
  c->meshes = (convk_mesh_f64 *)memory(a->names, sizeof *c->meshes);
  for (i = 0; i < a->names; i++) {
    shape named;
    const int is_shape = find(a->name[i], path, &named);
    load(&c->kinds[i], path, is_shape ? &named : NULL);
    c->meshes[i] = c->kinds[i].mesh;
  }
  e->measures.volume = 0;
  for (i = 0; i < a->particles; i++) {
    const convk_placement *at = &a->placement[i];
    const double scale = at->scale > 0 ? at->scale : 1;
    convk_mesh_measures m;
    require_ok(convk_mesh_measure_f64(NULL, &c->meshes[at->mesh], &m), a->name[at->mesh]);
    e->measures.volume += hypot(at->weight[0], at->weight[1]) * scale * scale * scale * fabs(m.volume);
  }
  require(e->measures.volume > 0, file, "it encloses no volume");
  c->assembly.meshes = a->names;
  c->assembly.mesh = c->meshes;
  c->assembly.placements = a->particles;
  c->assembly.placement = a->placement;
}

static void crowd_free(crowd *c) {
  size_t i;
  for (i = 0; i < c->file.names; i++) {
    particle_free(&c->kinds[i]);
  }
  assembly_free(&c->file);
  free(c->kinds);
  free(c->meshes);
}

/* F at every pixel, or with `incoherent` the root of the intensity. */
static double complex *scatter_assembly(experiment *e, const crowd *c, int incoherent) {
  const size_t pixels = e->ny * e->nz;
  double complex *f = (double complex *)memory(pixels, sizeof *f);
  double *q = (double *)memory(4 * pixels, sizeof *q), *out = (double *)memory(2 * pixels, sizeof *out), start;
  convk_formfactor_options options;
  convk_q_f64 vectors;
  size_t i;
  for (i = 0; i < pixels; i++) {
    q[i] = 0;
    q[pixels + i] = e->qy[i % e->ny];
    q[2 * pixels + i] = e->qz[i / e->ny];
    q[3 * pixels + i] = e->absorption;
  }
  memset(&options, 0, sizeof options);
  options.form = CONVK_FORM_EXACT;
  start = seconds();
  vectors.n = pixels;
  vectors.x = q;
  vectors.y = q + pixels;
  vectors.z = q + 2 * pixels;
  vectors.x_imag = vectors.y_imag = NULL;
  vectors.z_imag = e->absorption > 0 ? q + 3 * pixels : NULL;
  require_ok(convk_formfactor_assembly_f64(&e->hw, &c->assembly, &vectors, &options, incoherent ? NULL : out,
                                           incoherent ? out : NULL, NULL, 0),
             "formfactor_assembly");
  printf("assembly:     %lu particles of %lu kinds, volume %.6g, %s: %.4g s\n", (unsigned long)c->file.particles,
         (unsigned long)c->file.names, e->measures.volume, incoherent ? "incoherent" : "coherent", seconds() - start);
  for (i = 0; i < pixels; i++) {
    f[i] = incoherent ? sqrt(out[i]) : out[2 * i] + I * out[2 * i + 1];
  }
  free(q);
  free(out);
  return f;
}

/* ---- layers ---- */

typedef struct film {
  layers_file layers;
  double k, incidence; /* 2 pi / wavelength; kz of the incident wave in the top medium, going down */
} film;

static void read_film(film *of, const char *file, const char *wavelength, const char *degrees) {
  char message[256];
  const layers_file *l = &of->layers;
  size_t j;
  require(!layers_read(&of->layers, file, message, sizeof message), file, message);
  of->k = 2 * PI / number(wavelength, "--wavelength", 1e-6, 1e6);
  of->incidence = (1 - l->layer[0].delta) * of->k * sin(PI / 180 * number(degrees, "--incidence", 1e-6, 90));
  printf("layers:       %lu of %s\n", (unsigned long)l->count, file);
  for (j = 1; j < l->count; j++) {
    const double steeper = l->layer[j].delta - l->layer[0].delta;
    printf("              %lu: ", (unsigned long)j);
    if (j + 1 < l->count) {
      printf("%g nm", l->layer[j].thickness);
    } else {
      printf("substrate");
    }
    printf(", delta %g, beta %g, roughness %g nm", l->layer[j].delta, l->layer[j].beta, l->layer[j].roughness);
    if (steeper > 0) {
      printf(", critical angle %.4g degrees", 180 / PI * acos((1 - l->layer[j].delta) / (1 - l->layer[0].delta)));
    }
    putchar('\n');
  }
}

/* The distorted-wave Born approximation at every pixel, 0 below the horizon. The call's waves are exp(-i k.r), those of
 * layers.h exp(i k.r): so q and kz get the other sign. */
static double complex *scatter_layers(experiment *e, const film *in, const convk_assembly_f64 *particles) {
  const size_t pixels = e->ny * e->nz, at = in->layers.in;
  double complex *const work = (double complex *)memory(2 * in->layers.count, sizeof *work);
  double complex *const f = (double complex *)memory(pixels, sizeof *f);
  double *const list = (double *)memory(16 * pixels, sizeof *list), *const out = list + 14 * pixels, start = seconds();
  convk_formfactor_options options;
  layer_wave down, up;
  convk_dwba_f64 waves;
  size_t i, n = 0;
  layers_wave(&in->layers, in->k, in->incidence, at, in->layers.up, work, &down);
  for (i = 0; i < pixels; i++) {
    const double exit = e->qz[i / e->ny] - in->incidence;
    if (exit > 0) {
      if (!n || i % e->ny == 0) {
        layers_wave(&in->layers, in->k, exit, at, in->layers.up, work, &up);
      }
      list[pixels + n] = -e->qy[i % e->ny]; /* behind qx = 0 */
      list[2 * pixels + n] = creal(down.kz);
      list[3 * pixels + n] = cimag(down.kz);
      list[4 * pixels + n] = -creal(up.kz);
      list[5 * pixels + n] = -cimag(up.kz);
      memcpy(list + 6 * pixels + 2 * n, &down.t, sizeof down.t);
      memcpy(list + 8 * pixels + 2 * n, &up.t, sizeof up.t);
      memcpy(list + 10 * pixels + 2 * n, &down.r, sizeof down.r);
      memcpy(list + 12 * pixels + 2 * n, &up.r, sizeof up.r);
      n++;
    }
  }
  memset(&waves, 0, sizeof waves);
  waves.n = n;
  waves.qx = list;
  waves.qy = list + pixels;
  waves.kz_in = list + 2 * pixels;
  waves.kz_in_imag = list + 3 * pixels;
  waves.kz_out = list + 4 * pixels;
  waves.kz_out_imag = list + 5 * pixels;
  waves.t_in = list + 6 * pixels;
  waves.t_out = list + 8 * pixels;
  waves.r_in = list + 10 * pixels;
  waves.r_out = list + 12 * pixels;
  memset(&options, 0, sizeof options);
  options.form = CONVK_FORM_EXACT;
  require_ok(convk_formfactor_dwba_f64(&e->hw, particles, &waves, &options, out, NULL, 0), "formfactor_dwba");
  for (i = 0; i < n; i++) { /* pixels above the horizon are the last ones */
    f[pixels - n + i] = out[2 * i] + I * out[2 * i + 1];
  }
  printf("in layer %lu:   |T| = %.4g, |R| = %.4g of the incident wave, %lu pixels above the horizon, %.4g s\n",
         (unsigned long)at, cabs(down.t), cabs(down.r), (unsigned long)n, seconds() - start);
  free(work);
  free(list);
  return f;
}

/* The reflectivity at n values of qz. */
static void reflect(const film *of, double qmax, size_t n, const char *data) {
  double complex *const work = (double complex *)memory(2 * of->layers.count, sizeof *work);
  double *const rows = (double *)memory(3 * n, sizeof *rows);
  size_t i;
  require_option(qmax <= 2 * (1 - of->layers.layer[0].delta) * of->k, "--qmax", "more than a right angle of incidence");
  puts("       qz 1/nm       degrees  reflectivity");
  for (i = 0; i < n; i++) {
    double *row = rows + 3 * i;
    row[0] = qmax * (double)(i + 1) / (double)n;
    row[1] = 180 / PI * asin(fmin(row[0] / (2 * (1 - of->layers.layer[0].delta) * of->k), 1));
    row[2] = pow(cabs(layers_wave(&of->layers, of->k, row[0] / 2, 0, 0, work, NULL)), 2);
    if (i % (n / 16 + 1) == n / 16) {
      printf("%14.6g%14.6g%14.6g\n", row[0], row[1], row[2]);
    }
  }
  if (data) {
    const data_file d = data_open(data, "gisaxs");
    data_note(&d, "wavelength", "%g nm", 2 * PI / of->k);
    data_block(&d, "reflectivity", "qz [1/nm], incidence [degrees], R [1]");
    for (i = 0; i < n; i++) {
      data_row(&d, 3, rows + 3 * i);
    }
    data_close(&d, "data:");
  }
  free(work);
  free(rows);
}

/* ---- how exact ---- */

/* The largest |f - g| that there is, over the volume; not a number if there is one. */
static double largest_difference(const experiment *e, const double complex *f, const double complex *g) {
  double worst = 0;
  size_t i;
  for (i = 0; i < e->ny * e->nz; i++) {
    const double d = cabs(f[i] - g[i]);
    worst = d > worst || d != d ? d : worst;
  }
  return worst / fabs(e->measures.volume);
}

/* What is known of the shape at every pixel: the body is turned by R, so that F is that of the unturned one at R^T q. */
static double complex *known_values(const experiment *e, const known_form *known) {
  double complex *f = (double complex *)memory(e->ny * e->nz, sizeof *f);
  size_t i;
  for (i = 0; i < e->ny * e->nz; i++) {
    const double complex q[2] = {e->qy[i % e->ny], e->qz[i / e->ny] + I * in_type(e->single, e->absorption)};
    double complex turned[3];
    int d;
    for (d = 0; d < 3; d++) {
      turned[d] = e->rotation[3 + d] * q[0] + e->rotation[6 + d] * q[1];
    }
    f[i] = known->volume * form_of(known, turned);
  }
  return f;
}

/* The mean of |exp(i q.r)| over the surface: absorption magnifies one side of the particle, and its errors. */
static double magnified(const experiment *e) {
  const convk_mesh_f64 *m = &e->points.mesh;
  double sum = 0;
  size_t t;
  for (t = 0; t < m->n; t++) {
    sum += sqrt(m->ax[t] * m->ax[t] + m->ay[t] * m->ay[t] + m->az[t] * m->az[t]) * exp(-e->absorption * m->z[t]);
  }
  return sum / e->measures.area;
}
static double rounding(const experiment *e) { return (e->single ? 2e-5 : 1e-11) * magnified(e); }

/* Prints the errors of what was called, and fails where they are more than is known of one point in each triangle, about
 * 0.02 (q h)^2 |F|, twice that where edges were halved, whose triangles are less even, of flat triangles, and of rounding.
 * Where no formula is known, the exact sum says what is right. */
static void compare(const experiment *e, const known_form *known, double complex *const f[CALLS]) {
  const int halved = e->points.storage != e->given.storage;
  const double hh = 2 * e->measures.area / (double)e->points.mesh.n;
  const double faceting = known ? known->left_out * magnified(e) : 0;
  const int coarse = hh * (2 * e->qmax * e->qmax + e->absorption * e->absorption) > 9;
  double complex *g = known ? known_values(e, known) : f[EXACT];
  double error[CALLS], limit[CALLS], quadrature = 0;
  size_t i;
  int how;
  for (i = 0; i < e->ny * e->nz; i++) {
    const double y = e->qy[i % e->ny], z = e->qz[i / e->ny], qq = y * y + z * z + e->absorption * e->absorption;
    quadrature = fmax(quadrature, (halved ? 0.04 : 0.02) * qq * hh * cabs(g[i]) / fabs(e->measures.volume));
  }
  if (known) {
    printf("known form:   %s, volume %.6g\n", known->what, known->volume);
  } else {
    puts("known form:   none; the exact sum is what others are compared with");
  }
  printf("%-14s%16s%16s%16s\n", "errors", "of the volume", "expected up to", "triangles");
  for (how = 0; how < CALLS; how++) {
    const int any = coarse && how != EXACT; /* too few points for such q: nothing is expected */
    if (!f[how]) {
      continue;
    }
    error[how] = largest_difference(e, f[how], g);
    limit[how] = (how == EXACT ? 0 : how == FOURTH_ORDER ? 0.05 * quadrature : quadrature) + 1.5 * faceting + rounding(e);
    printf("  %-12s%16.1e", how == BY_GRID ? "one point" : how == BY_LIST ? "list" : call_names[how], error[how]);
    if (any) {
      printf("%16s", "-");
    } else {
      printf("%16.1e", limit[how]);
    }
    printf("%16lu\n", (unsigned long)particle_for(e, how)->mesh.n);
    limit[how] = any || (!known && !halved) ? HUGE_VAL : limit[how];
  }
  for (how = 0; how < CALLS; how++) {
    require(!f[how] || error[how] <= limit[how], call_names[how], "more error than expected");
  }
  if (known) {
    free(g);
  }
}

static void show(const experiment *e, const double complex *f, const char *what, const char *path, const char *data) {
  double *t = (double *)memory(e->ny * e->nz, sizeof *t);
  size_t i;
  for (i = 0; i < e->ny * e->nz; i++) {
    t[i] = pow(cabs(f[i]) / e->measures.volume, 2);
  }
  draw(e->ny, e->nz, t, path);
  if (data) {
    keep(e->ny, e->nz, e->qmax, e->absorption, t, what, data);
  }
  free(t);
}

/* ---- what is asked for ---- */

/* An assembly, or where that is NULL one particle; in layers, or where these are NULL in vacuum. */
static void many(experiment *e, const film *in, const char *assembly, const char *file, const char *turn, int incoherent,
                 const char *picture, const char *data) {
  convk_assembly_f64 one;
  convk_placement middle;
  char path[512], title[600];
  double complex *f;
  crowd c;
  require_option(!in || in->layers.particles, "--layers", "a layer is wanted that has particles in it");
  if (assembly) {
    read_crowd(e, &c, assembly);
    f = in ? scatter_layers(e, in, &c.assembly) : scatter_assembly(e, &c, incoherent);
    crowd_free(&c);
  } else {
    shape named;
    const int is_shape = find(file, path, &named);
    load(&e->given, path, is_shape ? &named : NULL);
    describe(&e->given, path, &e->measures);
    e->points = e->given;
    rotate(e, turn);
    memset(&middle, 0, sizeof middle);
    one.meshes = one.placements = 1;
    one.mesh = &e->given.mesh;
    one.placement = &middle;
    f = scatter_layers(e, in, &one);
    particle_free(&e->given);
  }
  snprintf(title, sizeof title, in ? "%.500s in layers" : "%.500s", assembly ? assembly : file);
  show(e, f, title, picture, data);
  free(f);
}

int main(int argc, char **argv) {
  const char *file = NULL, *assembly = NULL, *size = "255x255", *qmax = "2", *absorption = "0", *turn = "0", *spec = NULL,
             *type = "f32";
  const char *picture = "gisaxs" PICTURE_SUFFIX, *data = NULL, *layers = NULL, *wavelength = "0.154", *incidence = "0.2";
  char path[512];
  known_form form;
  const known_form *known = NULL;
  shape named;
  double complex *f[CALLS] = {NULL, NULL, NULL, NULL};
  double difference;
  experiment e;
  int list = 0, exact = 0, incoherent = 0, reflectivity = 0, is_shape, number_of_file, how;
  film in;
  const option options[] = {
      {"--assembly", &assembly, NULL, "FILE", "many particles, as examples/assembly.h says"},
      {"--incoherent", NULL, &incoherent, NULL, "with --assembly: intensities add up, not waves"},
      {"--layers", &layers, NULL, "FILE", "a film that holds the particles, as examples/layers.h says"},
      {"--incidence", &incidence, NULL, "DEGREES", "with --layers: between the beam and the film"},
      {"--wavelength", &wavelength, NULL, "NM", "with --layers: of the beam in vacuum"},
      {"--reflectivity", NULL, &reflectivity, NULL, "with --layers: that of the film alone, up to --qmax"},
      {"--grid", &size, NULL, "NYxNZ", "pixels of the detector"},
      {"--qmax", &qmax, NULL, "Q", "|qy| and |qz| at its edges"},
      {"--absorption", &absorption, NULL, "IM", "imaginary part of qz"},
      {"--rotate", &turn, NULL, "[y|z]DEGREES", "turns the particle about an axis"},
      {"--exact", NULL, &exact, NULL, "integrates over each triangle exactly, and shows the errors of others"},
      {"--list", NULL, &list, NULL, "also by a list of q, which has to give the same"},
      {"--type", &type, NULL, "TYPE", "f32 or f64"},
      {"--out", &picture, NULL, "FILE", "a picture of |F / volume|^2"},
      DATA_OPTION(data),
      HARDWARE_OPTION(spec),
      END_OF_OPTIONS};

  memset(&e, 0, sizeof e);
  read_options(argc, argv, options, &file, USAGE, shape_list());
  read_pixels(size, "--grid", 8000, &e.ny, &e.nz);
  require_option(!assembly || (!file && !list && !exact && strcmp(turn, "0") == 0), "--assembly",
                 "no other particle, --list, --exact or --rotate go with it");
  require_option(assembly || !incoherent, "--incoherent", "goes with --assembly");
  require_option(layers || !reflectivity, "--reflectivity", "goes with --layers");
  require_option(!layers || (!list && !exact && !incoherent && strcmp(absorption, "0") == 0), "--layers",
                 "all is exact and coherent there, and the file says what absorbs");
  file = file ? file : "cylinder";
  e.qmax = number(qmax, "--qmax", 1e-30, 1e30);
  e.absorption = number(absorption, "--absorption", 0, 1e30);
  e.single = !word(type, "--type", "f32", "f64") && !assembly && !layers;
  open_hardware(&e.hw, spec, NULL);
  printf("hardware:     %s, %s\n", e.hw.name, e.single ? "f32" : "f64");
  e.qy = axis_of_detector(e.single, e.qmax, e.ny);
  e.qz = axis_of_detector(e.single, e.qmax, e.nz);
  if (layers) {
    read_film(&in, layers, wavelength, incidence);
  }
  if (reflectivity) {
    reflect(&in, e.qmax, e.nz, data);
  } else if (layers || assembly) {
    many(&e, layers ? &in : NULL, assembly, file, turn, incoherent, picture, data);
  }
  if (layers) {
    layers_free(&in.layers);
  }
  if (layers || assembly) {
    free(e.qy);
    free(e.qz);
    convk_close(&e.hw);
    return 0;
  }
  is_shape = find(file, path, &named);
  read_mesh(&e, path, is_shape ? &named : NULL);
  number_of_file = is_shape ? -1 : known_file(path);
  if (is_shape && know(&form, file, &named)) {
    known = &form;
    form.left_out = fabs(1 - e.measures.volume / form.volume);
  } else if (number_of_file >= 0) {
    require(!shape_parse(&named, files[number_of_file].what, NULL, 0) && know(&form, files[number_of_file].what, &named), path,
            "no shape");
    form.up = files[number_of_file].up;
    form.left_out = files[number_of_file].left_out * 2 * e.measures.area / (double)e.given.mesh.n;
    known = fabs(e.measures.volume / form.volume - 1) > 0.05 ? NULL : &form; /* another shape of that name */
  }
  rotate(&e, turn);
  printf("detector:     %lu x %lu pixels, qx = 0, |qy| and |qz| < %g, Im qz = %g\n", (unsigned long)e.ny, (unsigned long)e.nz,
         e.qmax, e.absorption);

  f[BY_GRID] = scatter(&e, BY_GRID);
  if (list) {
    f[BY_LIST] = scatter(&e, BY_LIST);
  }
  if (list || exact) {
    f[FOURTH_ORDER] = scatter(&e, FOURTH_ORDER);
  }
  if (exact) {
    f[EXACT] = scatter(&e, EXACT);
  }
  if (list) {
    difference = largest_difference(&e, f[BY_GRID], f[BY_LIST]);
    printf("                 list and grid differ by up to %.1e of the volume\n", difference);
    require(difference <= rounding(&e), "list and grid", "more than rounding lies between them");
  }
  if (known || exact) {
    compare(&e, known, f);
  }
  show(&e, f[exact ? EXACT : BY_GRID], file, picture, data);
  for (how = 0; how < CALLS; how++) {
    free(f[how]);
  }
  free(e.qy);
  free(e.qz);
  if (is_shape) { /* which is made twice */
    particle_free(&e.points);
  }
  particle_free(&e.given);
  convk_close(&e.hw);
  return 0;
}
