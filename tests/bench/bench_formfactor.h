/* X-ray form factors of a sphere of 6600 triangles, in triangle-q pairs per second.  Lists of real q against the loop of the
   formula, the same split for libmvec, and SLEEF's sine and cosine of at most 3.5 ulp with triangles in the lanes; complex qz
   against real q on the same hardware; grids against 6 multiply-adds (12 flops) per pair at the measured peak, and against the
   list of their first plane; with fourth order against 10 of them, and against the grid without it; a sphere of 19998 triangles with
   faces, and a box of 12, by series and exactly, against centroids.  Errors of F are relative to the largest |F| of the sample. */
#define FORMFACTOR_PEER(from) \
  extern void from##_formfactor_f32(size_t, const float *const *, size_t, const float *const *, float *) \
      __attribute__((weak)); \
  extern void from##_formfactor_f64(size_t, const double *const *, size_t, const double *const *, double *) \
      __attribute__((weak));
FORMFACTOR_PEER(naive)
FORMFACTOR_PEER(split)
FORMFACTOR_PEER(sleef)

typedef void formfactor_f32(size_t, const float *const *, size_t, const float *const *, float *);
typedef void formfactor_f64(size_t, const double *const *, size_t, const double *const *, double *);
static const struct {
  const char *name;
  formfactor_f32 *call32;
  formfactor_f64 *call64;
} formfactor_peers[] = {{"naive loop", naive_formfactor_f32, naive_formfactor_f64},
                        {"libmvec", split_formfactor_f32, split_formfactor_f64},
                        {"sleef u35 avx512", sleef_formfactor_f32, sleef_formfactor_f64}};

enum {
  FORM_LIST,
  FORM_COMPLEX,
  FORM_ROWS,
  FORM_GRID,
  FORM_FOURTH,
  FORM_GRID_COMPLEX,
  FORM_PEER,
  FORM_RULES = FORM_PEER + 3, /* series, then those of form_rules */
  FORM_LATITUDES = 56,
  FORM_MERIDIANS = 60,
  FORM_MANY_LATITUDES = 193, /* 91776 triangles, of which HipGISAXS was timed on 91753 */
  FORM_MANY_MERIDIANS = 239,
  FORM_ROW = 128
};
#define FORM_BYTES ((size_t)64 << 20) /* of all arrays and the work */
static const char *const form_names[] = {"formfactor",      "formfactor: complex qz",        "formfactor: complex rows",
                                         "formfactor_grid", "formfactor_grid: fourth order", "formfactor_grid: complex qz"};

static const struct {
  const char *name;
  int form, order;
} form_rules[] = {{"formfactor", CONVK_FORM_CLOSED, 0},
                  {"formfactor: order 4", CONVK_FORM_CLOSED, 4},
                  {"formfactor: order 8", CONVK_FORM_CLOSED, 8},
                  {"formfactor: default", CONVK_FORM_AUTO, 0},
                  {"formfactor: exact", CONVK_FORM_EXACT, 0}};
enum { FORM_RULE_COUNT = sizeof form_rules / sizeof *form_rules };

typedef struct form_case {
  int f32, latitudes, meridians;
  size_t triangles, nq; /* of the list */
  convk_grid3 grid;     /* nx 0: none */
  char *memory;
  size_t bytes, work_size;
  const void *faces;                                /* of the mesh, or NULL */
  void *mesh, *q[3], *imag[2], *axis[3], *f, *work; /* imag: all different, and one per FORM_ROW of q */
} form_case;

/* A sphere of radius 10, latitudes by meridians, seen from outside anticlockwise. */
static size_t form_sphere(int f32, int latitudes, int meridians, void *corners) {
  size_t count = 0;
  for (int i = 0; i < latitudes; i++)
    for (int k = 0; k < meridians; k++)
      for (int half = 0; half < 2; half++) {
        const int at[2][3][2] = {{{i, k}, {i + 1, k}, {i + 1, k + 1}}, {{i, k}, {i + 1, k + 1}, {i, k + 1}}};
        if (half == 0 ? i == latitudes - 1 : i == 0) continue; /* a point at the pole */
        for (int v = 0; v < 3; v++) {
          const int row = at[half][v][0], column = at[half][v][1] % meridians;
          const double theta = 3.14159265358979324 * row / latitudes, phi = 6.28318530717958648 * column / meridians;
          const double side = row % latitudes ? 10 * sin(theta) : 0;
          put_real(corners, f32, 9 * count + 3 * (size_t)v, side * cos(phi));
          put_real(corners, f32, 9 * count + 3 * (size_t)v + 1, side * sin(phi));
          put_real(corners, f32, 9 * count + 3 * (size_t)v + 2, 10 * cos(theta));
        }
        count++;
      }
  return count;
}

static void *form_array(form_case *c, size_t n) {
  void *p = c->memory + c->bytes;
  c->bytes += (n * (c->f32 ? 4 : 8) + 4095) / 4096 * 4096 + 192; /* apart in the page */
  return p;
}

#define FORM_MESH(type, T) \
  static convk_mesh_##type form_mesh_##type(const form_case *c) { \
    convk_mesh_##type mesh; \
    convk_mesh_assign_##type(NULL, c->triangles, 1, (T *)c->mesh, &mesh); \
    mesh.indexed = (const convk_indexed_mesh_##type *)c->faces; \
    return mesh; \
  }
FORM_MESH(f32, float)
FORM_MESH(f64, double)

/* A list of nq vectors, or, with nq = 0, a grid and as a list its first plane in z. */
static form_case form_arrays(int f32, int latitudes, int meridians, size_t nq, size_t nx, size_t ny, size_t nz) {
  const size_t triangles = (size_t)(2 * meridians * (latitudes - 1));
  const size_t n[3] = {nx, ny, nz};
  void *corners = large_array(9 * triangles * sizeof(double));
  form_case c;
  memset(&c, 0, sizeof c);
  c.f32 = f32;
  c.triangles = triangles;
  c.nq = nq ? nq : nx * ny;
  c.memory = (char *)large_array(FORM_BYTES);
  c.mesh = form_array(&c, 12 * triangles);
  if (form_sphere(f32, latitudes, meridians, corners) != triangles) exit(1);
  if (f32) {
    const convk_mesh_f32 mesh = form_mesh_f32(&c);
    convk_mesh_from_triangles_f32(NULL, (float *)corners, &mesh);
  } else {
    const convk_mesh_f64 mesh = form_mesh_f64(&c);
    convk_mesh_from_triangles_f64(NULL, (double *)corners, &mesh);
  }
  munmap(corners, 9 * triangles * sizeof(double));
  for (size_t d = 0; d < 3; d++) {
    c.q[d] = form_array(&c, c.nq);
    c.axis[d] = form_array(&c, n[d] + 1);
    for (size_t i = 0; i < n[d]; i++) put_real(c.axis[d], f32, i, ((double)i + 0.5 * (double)(d + 1)) / (double)n[d] - 0.4);
  }
  for (size_t i = 0; i < c.nq; i++)
    for (size_t d = 0; d < 3; d++) {
      if (!nq) put_real(c.q[d], f32, i, (double)real_at(c.axis[d], f32, d == 0 ? i % nx : d == 1 ? i / nx : 0));
      else put_real(c.q[d], f32, i, d == 2 ? 0.01 + (double)(i / FORM_ROW) / 40 : 2 * spread(2 * i + d) - 1);
    }
  for (size_t k = 0; k < 2; k++) {
    c.imag[k] = form_array(&c, c.nq > nz ? c.nq : nz);
    for (size_t i = 0; i < c.nq || i < nz; i++) put_real(c.imag[k], f32, i, 0.02 + 0.05 * spread(k ? i / FORM_ROW : i));
  }
  c.grid.nx = nx;
  c.grid.ny = ny;
  c.grid.nz = nz;
  c.f = form_array(&c, 2 * (nq ? nq : nx * ny * nz));
  c.work = form_array(&c, 0);
  c.work_size = FORM_BYTES - c.bytes;
  return c;
}

#define FORM_CALL(type, T, call) \
  static int form_call_##type(racer *p, const form_case *c) { \
    const convk_mesh_##type mesh = form_mesh_##type(c); \
    convk_formfactor_options options; \
    convk_q_##type list; \
    const T *const fields[6] = {mesh.ax, mesh.ay, mesh.az, mesh.x, mesh.y, mesh.z}; \
    const T *const q[3] = {(const T *)c->q[0], (const T *)c->q[1], (const T *)c->q[2]}; \
    memset(&options, 0, sizeof options); \
    options.form = p->operation >= FORM_RULES ? form_rules[p->operation - FORM_RULES].form : CONVK_FORM_CLOSED; \
    options.order = p->operation >= FORM_RULES    ? form_rules[p->operation - FORM_RULES].order \
                    : p->operation == FORM_FOURTH ? 2 \
                                                  : 0; \
    if (p->operation >= FORM_PEER && p->operation < FORM_RULES) { \
      formfactor_peers[p->operation - FORM_PEER].call(c->nq, q, c->triangles, fields, (T *)c->f); \
      return 0; \
    } \
    memset(&list, 0, sizeof list); \
    if (p->operation >= FORM_GRID && p->operation < FORM_PEER) { \
      list.x = (const T *)c->axis[0]; \
      list.y = (const T *)c->axis[1]; \
      list.z = (const T *)c->axis[2]; \
      if (p->operation == FORM_GRID_COMPLEX) list.z_imag = (const T *)c->imag[0]; \
      return convk_formfactor_grid_##type(&p->hw, &mesh, &c->grid, &list, &options, (T *)c->f, c->work, c->work_size); \
    } \
    list.n = c->nq; \
    list.x = q[0]; \
    list.y = q[1]; \
    list.z = q[2]; \
    if (p->operation == FORM_COMPLEX || p->operation == FORM_ROWS) \
      list.z_imag = (const T *)c->imag[p->operation - FORM_COMPLEX]; \
    return convk_formfactor_##type(&p->hw, &mesh, &list, &options, (T *)c->f); \
  }
FORM_CALL(f32, float, call32)
FORM_CALL(f64, double, call64)

static void form_call(racer *p) {
  const form_case *c = (const form_case *)p->of;
  racer_failed("formfactor", p, c->f32 ? form_call_f32(p, c) : form_call_f64(p, c));
}

static double form_peak(racer *p) { return peak_of(p->name, ((const form_case *)p->of)->f32, p->threads) / 12; }

static double form_peak_fourth(racer *p) { return form_peak(p) * 12 / 20; }

static double form_error(racer *p) {
  const form_case *c = (const form_case *)p->of;
  const int fourth = p->operation == FORM_FOURTH, grid = p->operation >= FORM_GRID && p->operation < FORM_PEER;
  const void *imaginary = p->operation == FORM_COMPLEX || p->operation == FORM_ROWS ? c->imag[p->operation - FORM_COMPLEX]
                          : p->operation == FORM_GRID_COMPLEX                       ? c->imag[0]
                                                                                    : NULL;
  const size_t nx = c->grid.nx, nxy = nx * c->grid.ny, count = grid ? nxy * c->grid.nz : c->nq;
  long double worst = 0, most = 0;
  p->call(p);
  for (size_t k = 0; k < 20; k++) {
    const size_t i = (k * 2654435761u >> 5) % count;
    const size_t at[3] = {grid ? i % nx : 0, grid ? i / nx % c->grid.ny : 0, grid ? i / nxy : 0};
    long double q[3], square = 0, re = 0, im = 0, decay, a, b;
    for (int d = 0; d < 3; d++) {
      q[d] = real_at(grid ? c->axis[d] : c->q[d], c->f32, grid ? at[d] : i);
      square += q[d] * q[d];
    }
    decay = imaginary ? real_at(imaginary, c->f32, grid ? at[2] : i) : 0;
    square += decay * decay;
    for (size_t t = 0; t < c->triangles; t++) {
      long double phase = 0, along = 0, across, size, corner[2] = {0, 0}, factor = 1;
      for (size_t d = 0; d < 3; d++) {
        along += q[d] * real_at(c->mesh, c->f32, d * c->triangles + t);
        phase += q[d] * real_at(c->mesh, c->f32, (d + 3) * c->triangles + t);
        for (size_t i = 0; i < 2; i++) corner[i] += q[d] * real_at(c->mesh, c->f32, (d + 6 + 3 * i) * c->triangles + t);
      }
      if (fourth) factor -= (corner[0] * (corner[0] + corner[1]) + corner[1] * corner[1]) / 12;
      across = -decay * real_at(c->mesh, c->f32, 2 * c->triangles + t);
      size = expl(-decay * real_at(c->mesh, c->f32, 5 * c->triangles + t));
      a = factor * size * cosl(phase) - 1; /* the mesh is closed */
      b = factor * size * sinl(phase);
      re += along * a - across * b;
      im += along * b + across * a;
    }
    a = im / square - real_at(c->f, c->f32, 2 * i);
    b = -re / square - real_at(c->f, c->f32, 2 * i + 1);
    a = sqrtl(a * a + b * b);
    b = sqrtl(re * re + im * im) / square;
    if (a > worst) worst = a;
    if (b > most) most = b;
  }
  return (double)(worst / most);
}

/* A list of nq, or with nq = 0 a grid, whose list is then its first plane; many: of the mesh of 91776 triangles. */
static void form_group(int f32, size_t nq, size_t nx, size_t ny, size_t nz, int threads, int best, int many) {
  const int latitudes = many ? FORM_MANY_LATITUDES : FORM_LATITUDES, meridians = many ? FORM_MANY_MERIDIANS : FORM_MERIDIANS;
  racer *p = (racer *)calloc(GAUSSIAN_MOST, sizeof *p), *all;
  form_case c;
  char size[48];
  int count = 0, own, hws;
  if (nq) snprintf(size, sizeof size, "%dx%zu", 2 * meridians * (latitudes - 1), nq);
  else if (many) snprintf(size, sizeof size, "%dx%zux%zux%zu", 2 * meridians * (latitudes - 1), nx, ny, nz);
  else snprintf(size, sizeof size, "%zux%zux%zu", nx, ny, nz);
  hws = stencil_skipped(nq ? "formfactor: complex" : "formfactor_grid", size) ? 0 : racers_open(p, threads, best);
  if (!hws) {
    free(p);
    return;
  }
  all = (racer *)calloc(GAUSSIAN_MOST, sizeof *all);
  c = form_arrays(f32, latitudes, meridians, nq, nx, ny, nz);
  for (int kind = FORM_LIST; kind < FORM_PEER; kind++)
    for (int i = 0; i < hws && (kind == FORM_LIST || (kind < FORM_GRID) == (nq > 0)); i++, count++) {
      all[count] = p[i];
      all[count].operation = kind;
      all[count].ceiling = kind == FORM_GRID ? form_peak : kind == FORM_FOURTH ? form_peak_fourth : NULL;
    }
  own = count;
  for (int k = 0; k < 3 && nq && threads == 1; k++)
    if (formfactor_peers[k].call32) {
      snprintf(all[count].name, sizeof all->name, "%s", formfactor_peers[k].name);
      all[count].operation = FORM_PEER + k;
      all[count++].threads = 1;
    }
  for (int i = 0; i < count; i++) {
    all[i].of = &c;
    all[i].call = form_call;
    all[i].units = (double)c.triangles * (double)(i < own && all[i].operation >= FORM_GRID ? nx * ny * nz : c.nq);
  }
  racers_run(all, count);
  for (int i = nq ? 0 : hws; i < own; i++) {
    racer *q = &all[i];
    const double error = form_error(q);
    int lines = 0;
    if (q->operation != FORM_LIST) {
      static const char *const others[] = {NULL, "real q", "real q", "formfactor", "formfactor_grid", "formfactor_grid"};
      racer_line(q, form_names[q->operation], f32, size, "G/s", others[q->operation],
                 all[i % hws + (q->operation > FORM_GRID ? hws : 0)].rate[0], error);
      continue;
    }
    for (int k = own; k < count; k++) /* SLEEF is for the best */
      if (all[k].name[0] != 's' || i == hws - 1) {
        racer_line(q, form_names[0], f32, size, "G/s", all[k].name, all[k].rate[0], error);
        lines++;
      }
    if (!lines) racer_line(q, form_names[0], f32, size, "G/s", NULL, 0, error);
  }
  for (int i = own; i < count; i++) racer_line(&all[i], form_names[0], f32, size, "G/s", NULL, 0, form_error(&all[i]));
  for (int i = 0; i < hws; i++) convk_close(&p[i].hw);
  munmap(c.memory, FORM_BYTES);
  free(all);
  free(p);
}

/* 12 triangles and 16 q against the plain loop; and imaginary parts of q whose exponentials reach almost from the smallest number to
   the largest that the type allows, against ordinary ones. */
static void form_extremes(int f32, int tiny) {
  racer p[GAUSSIAN_MOST], *all;
  form_case c;
  char size[48];
  int hws, count;
  memset(p, 0, sizeof p);
  snprintf(size, sizeof size, tiny ? "12x16" : "6600x256 decaying");
  hws = stencil_skipped(tiny ? "formfactor" : form_names[FORM_COMPLEX], size) ? 0 : racers_open(p, 1, 0);
  if (!hws) return;
  c = tiny ? form_arrays(f32, 3, 3, 16, 0, 0, 0) : form_arrays(f32, FORM_LATITUDES, FORM_MERIDIANS, 256, 0, 0, 0);
  for (size_t i = 0; i < c.nq && !tiny; i++) put_real(c.imag[1], f32, i, (f32 ? 7.3 : 69) * (0.01 + 0.99 * spread(i)));
  all = (racer *)calloc(GAUSSIAN_MOST, sizeof *all);
  for (count = 0; count < (tiny ? hws + 1 : 2 * hws); count++) {
    racer *q = &all[count];
    if (count < hws) *q = p[count];
    else if (!tiny) *q = p[count - hws];
    else snprintf(q->name, sizeof q->name, "%s", formfactor_peers[0].name);
    q->operation = count < hws ? (tiny ? FORM_LIST : FORM_COMPLEX) : (tiny ? FORM_PEER : FORM_ROWS);
    q->threads = 1;
    q->of = &c;
    q->call = form_call;
    q->units = (double)c.triangles * (double)c.nq;
  }
  racers_run(all, count);
  for (int i = 0; i < hws; i++) {
    racer *q = &all[tiny ? i : hws + i], *other = &all[tiny ? hws : i];
    racer_line(q, form_names[tiny ? FORM_LIST : FORM_COMPLEX], f32, size, "G/s", tiny ? other->name : "ordinary data",
               other->rate[0], form_error(q));
  }
  for (int i = 0; i < hws; i++) convk_close(&p[i].hw);
  munmap(c.memory, FORM_BYTES);
  free(all);
}

/* Faces of what form_arrays made, and back again, so that both agree to the last bit. */
#define FORM_FACES(type, T) \
  static void form_faces_##type(form_case *c, convk_indexed_mesh_##type *faces) { \
    const size_t n = c->triangles; \
    T *corners = (T *)large_array(9 * n * sizeof(T)), *axis = (T *)malloc(9 * n * sizeof(T)); \
    convk_mesh_##type mesh; \
    form_sphere(c->f32, c->latitudes, c->meridians, corners); \
    memset(faces, 0, sizeof *faces); \
    faces->faces = n; \
    faces->x = axis; \
    faces->y = axis + 3 * n; \
    faces->z = axis + 6 * n; \
    faces->face = (uint32_t *)malloc(3 * n * sizeof(uint32_t)); \
    if (convk_mesh_join_##type(NULL, corners, faces, NULL, 0)) exit(1); \
    c->faces = faces; \
    mesh = form_mesh_##type(c); \
    if (convk_mesh_from_faces_##type(NULL, &mesh)) exit(1); \
    munmap(corners, 9 * n * sizeof(T)); \
  }
FORM_FACES(f32, float)
FORM_FACES(f64, double)

/* Rules by the side of each other: all |q| below `most` over the radius of 10. */
static void form_rules_group(int f32, int latitudes, int meridians, size_t nq, double most) {
  racer p[GAUSSIAN_MOST], *all;
  convk_indexed_mesh_f32 faces32;
  convk_indexed_mesh_f64 faces64;
  form_case c;
  char size[48];
  int hws, count;
  memset(p, 0, sizeof p);
  snprintf(size, sizeof size, "%dx%zu q R < %g", 2 * meridians * (latitudes - 1), nq, most);
  hws = stencil_skipped("formfactor: exact", size) ? 0 : racers_open(p, 1, 0);
  if (!hws) return;
  c = form_arrays(f32, latitudes, meridians, nq, 0, 0, 0);
  c.latitudes = latitudes;
  c.meridians = meridians;
  if (f32) form_faces_f32(&c, &faces32);
  else form_faces_f64(&c, &faces64);
  for (size_t i = 0; i < nq; i++)
    for (size_t d = 0; d < 3; d++) put_real(c.q[d], f32, i, most / 17.4 * (2 * spread(3 * i + d) - 1));
  all = (racer *)calloc(GAUSSIAN_MOST * FORM_RULE_COUNT, sizeof *all);
  for (count = 0; count < hws * FORM_RULE_COUNT; count++) {
    all[count] = p[count % hws];
    all[count].operation = FORM_RULES + count / hws;
    all[count].of = &c;
    all[count].call = form_call;
    all[count].units = (double)c.triangles * (double)c.nq;
  }
  racers_run(all, count);
  for (int i = hws; i < count; i++)
    racer_line(&all[i], form_rules[i / hws].name, f32, size, "G/s", "formfactor", all[i % hws].rate[0], 0);
  for (int i = 0; i < hws; i++) convk_close(&p[i].hw);
  if (f32) free(faces32.x), free(faces32.face);
  else free(faces64.x), free(faces64.face);
  munmap(c.memory, FORM_BYTES);
  free(all);
}

static void formfactor(void) {
  const int all = opt.threads;
  for (int f32 = 1; f32 >= 0; f32--) {
    form_group(f32, 256, 0, 0, 0, 1, 0, 0);
    form_group(f32, 0, 32, 16, 4, 1, 0, 0);
    form_extremes(f32, 0);
    form_extremes(f32, 1);
    form_rules_group(f32, 100, 101, 512, 10);
    form_rules_group(f32, 3, 3, 4096, 40); /* 12 triangles */
    if (opt.quick) continue;
    form_rules_group(f32, 100, 101, 512, 40);
    form_rules_group(f32, 100, 101, 512, 200);
    form_group(f32, 4096, 0, 0, 0, 1, 1, 0);
    form_group(f32, 0, 128, 64, 32, 1, 1, 0);
    form_group(f32, 0, 64, 64, 64, 1, 1, 0);
    if (all > 1) {
      form_group(f32, 4096, 0, 0, 0, all, 1, 0);
      form_group(f32, 0, 128, 64, 32, all, 1, 0);
    }
    if (f32) { /* a sample of the q of such runs, which took 2 and 8 million */
      form_group(f32, 4096, 0, 0, 0, all, 1, 1);
      form_group(f32, 0, 128, 64, 8, all, 1, 1);
    }
  }
}
