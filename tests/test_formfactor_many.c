/* SPDX-License-Identifier: MIT
   Tests of form factors of many particles: assemblies, powders, distorted waves.  Included by test_formfactor.c, whose
   bodies it places. */

/* ---------------------------------------------------------------------------------------------- one interface to both types -- */

enum { MANY_ASSEMBLY, MANY_POWDER, MANY_DWBA, MANY_KINDS };
static const char *const many_names[MANY_KINDS] = {"formfactor_assembly", "formfactor_powder", "formfactor_dwba"};

enum { MANY_MESHES = 4, MANY_ARRAYS = 10 };

typedef struct many_call {
  convk *hw;
  int operation, nothing; /* nothing: 1: no assembly, 2: no q, directions or waves */
  size_t meshes, placements, n[MANY_MESHES];
  void *field[MANY_MESHES][12];
  const convk_placement *placement;
  size_t nq, directions;
  /* qx qy qz qz_imag; q nx ny nz weight; qx qy kz_in its imaginary part kz_out its t_in t_out r_in r_out */
  const void *in[MANY_ARRAYS], *x_imag, *y_imag; /* the latter: which particles refuse */
  const convk_formfactor_options *options;
  void *f, *intensity, *work;
  size_t work_size;
} many_call;

#define MANY_CALL(TYPE, T) \
  static int many_call_##TYPE(const many_call *k) { \
    const surroundings s = before_call(); \
    convk_mesh_##TYPE mesh[MANY_MESHES]; \
    convk_assembly_##TYPE a, *given = k->nothing == 1 ? NULL : &a; \
    convk_dwba_##TYPE w; \
    convk_directions_##TYPE directions; \
    const void *const at[6] = {k->in[0], k->in[1], k->in[2], k->in[3], k->x_imag, k->y_imag}; \
    const convk_q_##TYPE q = form_q_##TYPE(k->nq, at); \
    const T *in[MANY_ARRAYS]; \
    size_t i; \
    int status; \
    for (i = 0; i < MANY_MESHES; i++) mesh[i] = form_mesh_##TYPE(k->n[i], k->field[i]); \
    for (i = 0; i < MANY_ARRAYS; i++) in[i] = (const T *)k->in[i]; \
    a.meshes = k->meshes; \
    a.placements = k->placements; \
    a.mesh = k->nothing == 3 ? NULL : mesh; \
    a.placement = k->placement; \
    directions.n = k->directions; \
    directions.x = (T *)(uintptr_t)in[1]; \
    directions.y = (T *)(uintptr_t)in[2]; \
    directions.z = (T *)(uintptr_t)in[3]; \
    directions.weight = (T *)(uintptr_t)in[4]; \
    w.n = k->nq; \
    w.qx = in[0]; \
    w.qy = in[1]; \
    w.kz_in = in[2]; \
    w.kz_in_imag = in[3]; \
    w.kz_out = in[4]; \
    w.kz_out_imag = in[5]; \
    w.t_in = in[6]; \
    w.t_out = in[7]; \
    w.r_in = in[8]; \
    w.r_out = in[9]; \
    if (k->operation == MANY_ASSEMBLY) \
      status = convk_formfactor_assembly_##TYPE(k->hw, given, k->nothing == 2 ? NULL : &q, k->options, (T *)k->f, \
                                                (T *)k->intensity, k->work, k->work_size); \
    else if (k->operation == MANY_POWDER) \
      status = convk_formfactor_powder_##TYPE(k->hw, given, k->nq, in[0], k->nothing == 2 ? NULL : &directions, k->options, \
                                              (T *)k->intensity, k->work, k->work_size); \
    else \
      status = convk_formfactor_dwba_##TYPE(k->hw, given, k->nothing == 2 ? NULL : &w, k->options, (T *)k->f, k->work, \
                                            k->work_size); \
    after_call(s, k->hw && k->hw->ours.inside.device); \
    return status; \
  } \
  static size_t many_work_##TYPE(size_t meshes, size_t placements, size_t count) { \
    convk_assembly_##TYPE a; \
    size_t bytes = 12345; \
    a.meshes = meshes; \
    a.placements = placements; \
    a.mesh = NULL; \
    a.placement = NULL; \
    if (convk_formfactor_assembly_work_size_##TYPE(form_handle(), &a, count, &bytes) == CONVK_OK) return bytes; \
    form_said(form_handle(), CONVK_ERR_OVERFLOW, "assembly->placements or assembly->meshes is too large"); \
    return bytes == 12345 ? SIZE_MAX : 0; \
  }
MANY_CALL(f32, float)
MANY_CALL(f64, double)

static const struct {
  int (*call)(const many_call *k);
  size_t (*work)(size_t meshes, size_t placements, size_t count);
} many_types[2] = {{many_call_f32, many_work_f32}, {many_call_f64, many_work_f64}};

/* ------------------------------------------------------------------------------------------------------------ reference -- */

typedef struct many_problem {
  int type, operation, imag, heavy, corners;
  size_t meshes, placements, nq, directions;
  const body *b[MANY_MESHES];
  int open[MANY_MESHES];
  convk_placement *placement;
  double *in[MANY_ARRAYS];
  size_t length[MANY_ARRAYS]; /* numbers; 0: NULL */
  double *want[2];            /* bits of the classes */
  long double *known;         /* of each entry what it is to be and bounds, five numbers; the last below 0: not known yet */
} many_problem;

/* F of a body at a complex q, and what its sum may be wrong by, in units of eps. */
static void many_body(const body *b, int open, const long double q[3], const long double p[3], long double f[2],
                      long double *bound) {
  long double square = 0, re = 0, im = 0, volume = 0, loose = 0;
  size_t t;
  int d;
  for (d = 0; d < 3; d++) square += q[d] * q[d] + p[d] * p[d];
  for (t = 0; t < b->n; t++) {
    long double phase = 0, decay = 0, g = 0, h = 0, area = 0, far = 0, e, er, ei, term;
    for (d = 0; d < 3; d++) {
      const long double a = b->field[d][t], r = b->field[3 + d][t];
      phase += q[d] * r;
      decay += p[d] * r;
      g += q[d] * a;
      h -= p[d] * a;
      volume += a * r / 3;
      area += a * a;
      far += r * r;
    }
    e = expl(-decay);
    er = e * cosl(phase) - (open ? 0 : 1);
    ei = e * sinl(phase);
    if (!open && fabsl(phase) + fabsl(decay) < 1e-6L) er = -decay + (decay * decay - phase * phase) / 2;
    re += g * er - h * ei;
    im += g * ei + h * er;
    term = square > 0 ? 2 * (1 + e) / sqrtl(square) : 0;
    if (!open && (square <= 0 || term > sqrtl(far))) term = sqrtl(far);
    loose += sqrtl(area) * term * (4 + fabsl(phase) + sqrtl(far * square));
  }
  f[0] = square > 0 ? im / square : volume; /* -i (re + i im) / |q|^2 */
  f[1] = square > 0 ? -re / square : 0;
  *bound = loose;
}

/* The weight of a particle: 1 where none has any. */
static void many_weight(const many_problem *p, size_t k, double weight[2]) {
  size_t i;
  memcpy(weight, p->placement[k].weight, 2 * sizeof *weight);
  for (i = 0; i < p->placements; i++)
    if (p->placement[i].weight[0] < 0 || p->placement[i].weight[0] > 0 || p->placement[i].weight[1] < 0 ||
        p->placement[i].weight[1] > 0)
      return;
  weight[0] = 1;
}

/* f and the incoherent sum of the assembly at q, and their bounds. */
static void many_exact(const many_problem *p, const double q[4], long double f[2], long double *square, long double bound[2]) {
  const long double eps = form_types[p->type].eps, slack_ = 4;
  size_t k;
  int d, j;
  f[0] = f[1] = *square = bound[0] = bound[1] = 0;
  for (k = 0; k < p->placements; k++) {
    const convk_placement *at = &p->placement[k];
    const body *b = p->b[at->mesh];
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, *R = identity, s = at->scale > 0 ? at->scale : 1;
    long double turned[3] = {0, 0, 0}, lost[3] = {0, 0, 0}, F[2], loose, phase = 0, far = 0, e, w, mine[2], size;
    double weight[2];
    many_weight(p, k, weight);
    for (d = 0; d < 9; d++)
      if (at->rotation[d] < 0 || at->rotation[d] > 0) R = at->rotation;
    for (d = 0; d < 3; d++) {
      for (j = 0; j < 3; j++) turned[d] += (long double)s * R[3 * j + d] * q[j];
      lost[d] = (long double)s * R[6 + d] * q[3];
      phase += (long double)q[d] * at->position[d];
      far += fabsl((long double)q[d] * at->position[d]);
    }
    many_body(b, p->open[at->mesh], turned, lost, F, &loose);
    e = expl(-(long double)q[3] * at->position[2]) * s * s * s;
    mine[0] = e * (weight[0] * cosl(phase) - weight[1] * sinl(phase));
    mine[1] = e * (weight[0] * sinl(phase) + weight[1] * cosl(phase));
    w = hypotl(weight[0], weight[1]);
    f[0] += mine[0] * F[0] - mine[1] * F[1];
    f[1] += mine[0] * F[1] + mine[1] * F[0];
    size = hypotl(F[0], F[1]);
    *square += w * w * e * e * size * size;
    if (e < s * s * s) e = s * s * s;
    bound[0] += slack_ * eps * w * e * (loose + size * (8 + far));
    bound[1] += slack_ * eps * w * w * e * e * (2 * size * loose + 8 * size * size) +
                slack_ * slack_ * eps * eps * w * w * e * e * loose * loose;
  }
}

static double many_in(const many_problem *p, int array, size_t i) { return p->length[array] ? p->in[array][i] : 0; }

/* The amplitude of term 0 ... 3, and its q. */
static void many_term(const many_problem *p, size_t i, int term, long double amplitude[2], double q[4]) {
  const int in = term & 2 ? 8 : 6, out = term & 1 ? 9 : 7;
  const double none[2] = {0, 0}, all[2] = {1, 0};
  const double *a = p->length[in] ? p->in[in] + 2 * i : term & 2 ? none : all;
  const double *b = p->length[out] ? p->in[out] + 2 * i : term & 1 ? none : all;
  const double si = term & 2 ? 1 : -1, so = term & 1 ? -1 : 1;
  amplitude[0] = (long double)a[0] * b[0] - (long double)a[1] * b[1];
  amplitude[1] = (long double)a[0] * b[1] + (long double)a[1] * b[0];
  q[0] = p->in[0][i];
  q[1] = p->in[1][i];
  q[2] = rounded_to(p->type, so * p->in[4][i] + si * p->in[2][i]);
  q[3] = rounded_to(p->type, so * many_in(p, 5, i) + si * many_in(p, 3, i));
}

/* What entry i of the results is to be: f, the intensity, and bounds of both. */
static void many_want(many_problem *p, size_t i, long double f[2], long double *square, long double bound[2]) {
  const long double eps = form_types[p->type].eps;
  long double part[2], one, loose[2], a[2], *known = p->known + 5 * i;
  double q[4] = {0, 0, 0, 0};
  size_t j;
  int d;
  f[0] = f[1] = *square = bound[0] = bound[1] = 0;
  if (known[4] >= 0) {
    memcpy(f, known, 2 * sizeof *f);
    *square = known[2];
    memcpy(bound, known + 3, 2 * sizeof *bound);
    return;
  }
  if (p->operation == MANY_ASSEMBLY) {
    for (d = 0; d < 4; d++) q[d] = many_in(p, d, i);
    many_exact(p, q, f, square, bound);
  } else if (p->operation == MANY_POWDER) {
    for (j = 0; j < p->directions; j++) {
      long double size, weight;
      for (d = 0; d < 3; d++) q[d] = rounded_to(p->type, p->in[0][i] * p->in[1 + d][j]);
      many_exact(p, q, part, &one, loose);
      size = hypotl(part[0], part[1]);
      weight = p->length[4] ? (long double)p->in[4][j] : 1 / (long double)p->directions;
      *square += weight * size * size;
      bound[1] += fabsl(weight) * (2 * size * loose[0] + loose[0] * loose[0]);
    }
  } else {
    for (d = 0; d < 4; d++) {
      many_term(p, i, d, a, q);
      many_exact(p, q, part, &one, loose);
      f[0] += a[0] * part[0] - a[1] * part[1];
      f[1] += a[0] * part[1] + a[1] * part[0];
      bound[0] += hypotl(a[0], a[1]) * loose[0];
    }
  }
  bound[0] += 2 * eps * (fabsl(f[0]) + fabsl(f[1]));
  bound[1] += 2 * eps * fabsl(*square);
  memcpy(known, f, 2 * sizeof *f);
  known[2] = *square;
  memcpy(known + 3, bound, 2 * sizeof *bound);
}

/* ------------------------------------------------------------------------------------------------------------- problems -- */

static int many_has_f(int operation) { return operation != MANY_POWDER; }
static int many_has_intensity(int operation) { return operation != MANY_DWBA; }

/* A rotation; upright: about z. */
static void many_rotation(double r[9], int upright, uint64_t *rng) {
  double x[4], square = 0;
  int i;
  do {
    for (square = i = 0; i < 4; i++) {
      x[i] = upright && (i == 1 || i == 2) ? 0 : random_unit(rng);
      square += x[i] * x[i];
    }
  } while (square < 0.01);
  for (i = 0; i < 4; i++) x[i] /= sqrt(square);
  r[0] = 1 - 2 * (x[2] * x[2] + x[3] * x[3]);
  r[1] = 2 * (x[1] * x[2] - x[0] * x[3]);
  r[2] = 2 * (x[1] * x[3] + x[0] * x[2]);
  r[3] = 2 * (x[1] * x[2] + x[0] * x[3]);
  r[4] = 1 - 2 * (x[1] * x[1] + x[3] * x[3]);
  r[5] = 2 * (x[2] * x[3] - x[0] * x[1]);
  r[6] = 2 * (x[1] * x[3] - x[0] * x[2]);
  r[7] = 2 * (x[2] * x[3] + x[0] * x[1]);
  r[8] = 1 - 2 * (x[1] * x[1] + x[2] * x[2]);
}

/* Numbers for an array; 0: none. */
static void many_fill(many_problem *p, int array, size_t n, double low, double high, uint64_t *rng) {
  size_t i;
  p->length[array] = n;
  p->in[array] = reals(n);
  for (i = 0; i < n; i++) p->in[array][i] = rounded_to(p->type, (low + high) / 2 + (high - low) / 2 * random_unit(rng));
}

static void many_start(many_problem *p, int type, int operation, const body *b, const int *open, size_t meshes,
                       size_t placements, size_t nq, int imag, int heavy, uint64_t *rng) {
  double turns[3][9];
  size_t i;
  int d, unweighted;
  memset(p, 0, sizeof *p);
  p->type = type;
  p->operation = operation;
  p->imag = imag;
  p->heavy = heavy;
  p->meshes = meshes;
  p->placements = placements;
  p->nq = nq;
  p->known = (long double *)need((5 * nq + 1) * sizeof *p->known);
  for (i = 0; i < nq; i++) p->known[5 * i + 4] = -1;
  for (i = 0; i < meshes; i++) {
    p->b[i] = &b[i];
    p->open[i] = open[i];
  }
  p->placement = (convk_placement *)need((placements + 1) * sizeof *p->placement);
  memset(p->placement, 0, (placements + 1) * sizeof *p->placement);
  for (d = 0; d < 3; d++) many_rotation(turns[d], imag, rng);
  unweighted = random_below(rng, 4) == 0;
  for (i = 0; i < placements; i++) {
    convk_placement *at = &p->placement[i];
    const size_t turn = random_below(rng, 5);
    at->mesh = random_below(rng, meshes);
    for (d = 0; d < 3; d++) at->position[d] = rounded_to(type, (d == 2 && imag ? 2 : 6) * random_unit(rng));
    if (turn < 3) memcpy(at->rotation, turns[turn], sizeof turns[turn]);
    else if (turn == 3) many_rotation(at->rotation, imag, rng);
    if (random_below(rng, 3) == 0) at->scale = random_below(rng, 2) ? 1.5 : 0.5 + fabs(random_unit(rng));
    at->weight[0] = rounded_to(type, random_unit(rng));
    at->weight[1] = heavy ? rounded_to(type, random_unit(rng)) : 0;
    if (unweighted || random_below(rng, 20) == 0) at->weight[0] = at->weight[1] = 0;
  }
  if (operation == MANY_ASSEMBLY) {
    for (d = 0; d < 3 + imag; d++) many_fill(p, d, nq, d < 3 ? -3 : -0.4, d < 3 ? 3 : 0.4, rng);
    for (d = 0; d < 3 + imag && nq > 3; d++) p->in[d][3] = 0;
  } else if (operation == MANY_POWDER) {
    p->directions = 1 + random_below(rng, 30);
    many_fill(p, 0, nq, 0, 3, rng);
    for (d = 1; d < 4; d++) many_fill(p, d, p->directions, -1, 1, rng);
    if (random_below(rng, 3)) many_fill(p, 4, p->directions, 0, 1, rng);
  } else {
    for (d = 0; d < 2; d++) many_fill(p, d, nq, -2, 2, rng);
    many_fill(p, 2, nq, -1, 0, rng);
    many_fill(p, 4, nq, 0, 1, rng);
    if (imag && random_below(rng, 4)) many_fill(p, 3, nq, 0, 0.2, rng);
    if (imag) many_fill(p, 5, nq, -0.2, 0, rng);
    for (d = 6; d < 10; d++)
      if (random_below(rng, 4)) many_fill(p, d, 2 * nq, -1, 1, rng);
    for (i = 0; i < nq; i++) { /* some vectors again, some waves that are not there */
      const size_t from = random_below(rng, 3) ? i : random_below(rng, i + 1);
      for (d = 0; d < 6; d++)
        if (p->length[d]) p->in[d][i] = p->in[d][from];
      d = 6 + (int)random_below(rng, 8);
      if (d < 10 && p->length[d]) p->in[d][2 * i] = p->in[d][2 * i + 1] = 0;
    }
  }
}

static void many_free(many_problem *p) {
  int d;
  for (d = 0; d < MANY_ARRAYS; d++) free(p->in[d]);
  for (d = 0; d < 2; d++) free(p->want[d]);
  free(p->placement);
  free(p->known);
}

/* The arrays of a call without guards. */
static many_call many_plain(const many_problem *p, convk *hw) {
  const size_t size = types[p->type].size;
  many_call k;
  size_t i, m;
  int d;
  memset(&k, 0, sizeof k);
  k.hw = hw;
  k.operation = p->operation;
  k.meshes = p->meshes;
  k.placements = p->placements;
  k.placement = p->placement;
  k.nq = p->nq;
  k.directions = p->directions;
  for (m = 0; m < p->meshes; m++) {
    k.n[m] = p->b[m]->n;
    for (d = 0; d < 12; d++) {
      k.field[m][d] = d < 6 || p->corners ? need(k.n[m] * size) : NULL;
      for (i = 0; i < k.n[m] && k.field[m][d]; i++) put(p->type, k.field[m][d], i, p->b[m]->field[d][i]);
    }
  }
  for (d = 0; d < MANY_ARRAYS; d++)
    if (p->length[d]) {
      void *x = need(p->length[d] * size);
      for (i = 0; i < p->length[d]; i++) put(p->type, x, i, p->in[d][i]);
      k.in[d] = x;
    }
  if (many_has_f(p->operation)) k.f = need(2 * p->nq * size);
  if (many_has_intensity(p->operation)) k.intensity = need(p->nq * size);
  if (k.f) memset(k.f, FILL_, 2 * p->nq * size);
  if (k.intensity) memset(k.intensity, FILL_, p->nq * size);
  return k;
}

static void many_plain_end(const many_problem *p, many_call *k) {
  size_t m;
  int d;
  for (m = 0; m < p->meshes; m++)
    for (d = 0; d < 12; d++) free(k->field[m][d]);
  for (d = 0; d < MANY_ARRAYS; d++)
    if (p->length[d]) free((void *)(uintptr_t)k->in[d]);
  free(k->f);
  free(k->intensity);
}

/* Calls one variant with guards around everything; results are compared with the reference and the class's bits. */
static void many_one(many_problem *p, variant *v, const execution *e, uint64_t seed) {
  const int type = p->type, operation = p->operation;
  const size_t size = types[type].size, terms = operation == MANY_DWBA ? 4 : operation == MANY_POWDER ? p->directions : 1;
  const long live = heap.live;
  uint64_t rng = seed;
  guard field[MANY_MESHES][12], in[MANY_ARRAYS], placement, f, intensity;
  many_call k;
  convk copy;
  hook h = hook_new(e->hook, e->threads, random64(&rng));
  workspace work;
  long double worst = 0;
  double *results = reals(3 * p->nq + 1);
  size_t i, m;
  int d, part;
  describe("%lu particles of %lu meshes, %lu q%s%s", (unsigned long)p->placements, (unsigned long)p->meshes,
           (unsigned long)p->nq, p->imag ? ", complex" : "", p->heavy ? ", complex weights" : "");
  execution_describe(e);
  begin_case();
  memset(&k, 0, sizeof k);
  for (m = 0; m < p->meshes; m++) {
    k.n[m] = p->b[m]->n;
    for (d = 0; d < 12; d++) {
      field[m][d] = gauss_array(type, p->b[m]->field[d], 1, k.n[m], 0, &rng);
      k.field[m][d] = d < 6 || p->corners ? field[m][d].data : NULL;
    }
  }
  for (d = 0; d < MANY_ARRAYS; d++) {
    in[d] = gauss_array(type, p->in[d], 1, p->length[d], 0, &rng);
    k.in[d] = p->length[d] || (d < 3 && random_below(&rng, 2)) ? in[d].data : NULL;
    if (!p->length[d] && p->nq) k.in[d] = NULL;
  }
  placement = guard_new(p->placements * sizeof *p->placement, AT_END, 0);
  memcpy(placement.data, p->placement, placement.bytes);
  k.placement = (const convk_placement *)(const void *)placement.data;
  f = guard_new(2 * p->nq * size, (int)random_below(&rng, 2), any_shift(size, &rng));
  intensity = guard_new(p->nq * size, (int)random_below(&rng, 2), any_shift(size, &rng));
  part = operation == MANY_ASSEMBLY ? (int)random_below(&rng, 3) : 0; /* both, f alone, intensity alone */
  if (many_has_f(operation) && part != 2) k.f = f.data;
  if (many_has_intensity(operation) && part != 1) k.intensity = intensity.data;
  k.operation = operation;
  k.meshes = p->meshes;
  k.placements = p->placements;
  k.nq = p->nq;
  k.directions = p->directions;
  k.hw = handle_for(v, &copy, e, &h);
  work = workspace_new(e->work, many_types[type].work(p->meshes, p->placements, terms * p->nq), &rng);
  k.work = work.work;
  k.work_size = work.size;
  check_status(many_types[type].call(&k), live);
  workspace_end(&work);
  for (i = 0; i < p->nq; i++) {
    double *got = results + 3 * i;
    for (d = 0; d < 3; d++)
      got[d] = d < 2 ? k.f ? get(type, f.data, 2 * i + (size_t)d) : 0 : k.intensity ? get(type, intensity.data, i) : 0;
    for (d = 0; d < 3 && p->want[v->fused] && !v->device; d++)
      if ((d < 2 ? k.f != NULL : k.intensity != NULL) && !same(p->want[v->fused][3 * i + (size_t)d], got[d]))
        fail("number %d of q %lu has other bits: %.17g, not %.17g", d, (unsigned long)i, got[d],
             p->want[v->fused][3 * i + (size_t)d]);
    if (i % (1 + p->nq / (suite.quick ? 12 : 30)) == 0) {
      long double is[2], square, bound[2], error = 0;
      many_want(p, i, is, &square, bound);
      if (k.f) error = fmaxl(fabsl(got[0] - is[0]), fabsl(got[1] - is[1])) / fmaxl(bound[0], 1e-300L);
      if (k.intensity) error = fmaxl(error, fabsl(got[2] - square) / fmaxl(bound[1], 1e-300L));
      if (error > worst) worst = error;
      if (!(error <= 1))
        fail("entry %lu is %.17g %+.17g i, %.17g, not %.17Lg %+.17Lg i, %.17Lg: %.3Lg of what is allowed", (unsigned long)i,
             got[0], got[1], got[2], is[0], is[1], square, error);
    }
  }
  if (!k.f && !all_fill(f.data, f.data + f.bytes)) fail("f was written");
  if (!k.intensity && !all_fill(intensity.data, intensity.data + intensity.bytes)) fail("the intensity was written");
  if (p->nq) error_note("allowed", (double)worst, 1, 0, 0, 0, p->nq);
  if (v->device) handle_for(v, &copy, &form_plain.e, NULL);
  for (m = 0; m < p->meshes; m++)
    for (d = 0; d < 12; d++) {
      for (i = 0; i < k.n[m]; i++)
        if (!same(get(type, field[m][d].data, i), p->b[m]->field[d][i])) fail("a mesh changed");
      gauss_array_end(&field[m][d], "a mesh");
    }
  for (d = 0; d < MANY_ARRAYS; d++) {
    for (i = 0; i < p->length[d]; i++)
      if (!same(get(type, in[d].data, i), p->in[d][i])) fail("an input changed");
    gauss_array_end(&in[d], "an input");
  }
  if (memcmp(placement.data, p->placement, placement.bytes)) fail("a placement changed");
  gauss_array_end(&placement, "the placements");
  gauss_array_end(&f, "f");
  gauss_array_end(&intensity, "the intensity");
  end_case();
  if (!p->want[v->fused] && !v->device && part == 0) p->want[v->fused] = results;
  else free(results);
}

/* Three bodies: of triangles anywhere, a box, a sphere. */
static void many_bodies(int type, body b[3], int open[3], uint64_t *rng) {
  const double c[3] = {0.2, -0.1, 0.3}, s[3] = {0.5, 0.75, 0.6};
  int i;
  for (i = 0; i < 3; i++) b[i] = body_new(type);
  body_scatter(&b[0], 37, 1, rng);
  body_box(&b[1], c, s, 3);
  body_sphere(&b[2], form_origin, 0.8, 5);
  for (i = 0; i < 3; i++) {
    body_finish(&b[i]);
    open[i] = i == 0;
  }
}

/* Sums of any size by all variants. */
static void many_sums(int type) {
  static const size_t particles[] = {0, 1, 2, 9, 40, 530}, lists[] = {0, 1, 33, 300};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  body b[3];
  int open[3], operation, turn;
  size_t s, i;
  many_bodies(type, b, open, &rng);
  for (operation = 0; operation < MANY_KINDS; operation++)
    for (s = 0; s < COUNT_OF(particles) * COUNT_OF(lists); s++)
      for (turn = 0; turn < 4; turn++) {
        const size_t n = particles[s % COUNT_OF(particles)], nq = lists[s / COUNT_OF(particles)];
        many_problem p;
        size_t number = 0;
        variant *v;
        if (suite.quick && (s + (size_t)turn + (size_t)operation) % 7) continue;
        if ((n > 100 || nq > 100) && turn != (int)(s % 4)) continue;
        if (suite.quick && n > 100 && nq > 100) continue;
        suite.operation = many_names[operation];
        many_start(&p, type, operation, b, open, 1 + random_below(&rng, 3), n, operation == MANY_POWDER && nq > 40 ? 40 : nq,
                   turn & 1 && operation != MANY_POWDER, turn >> 1, &rng);
        if ((s + (size_t)turn) % 3 == 0) /* all at the origin, where phases are 1 */
          for (i = 0; i < n; i++) memset(p.placement[i].position, 0, sizeof p.placement[i].position);
        while ((v = form_next(&number, type, FORM_LIST, 40 * nq * (n + 1) * 40)) != NULL) {
          const execution e = any_execution(&rng);
          many_one(&p, v, &e, random64(&rng));
        }
        many_free(&p);
      }
  for (s = 0; s < 3; s++) body_free(&b[s]);
}

/* ---------------------------------------------------------------------------------------------------------- known answers -- */

/* Every entry of so many is what it is to be. */
static void many_right(many_problem *p, const many_call *k, size_t each) {
  size_t i;
  for (i = 0; i < p->nq; i += each) {
    long double f[2], square, bound[2];
    many_want(p, i, f, &square, bound);
    if (k->f && (fabsl(get(p->type, k->f, 2 * i) - f[0]) > bound[0] || fabsl(get(p->type, k->f, 2 * i + 1) - f[1]) > bound[0]))
      fail("f %lu is wrong", (unsigned long)i);
    if (k->intensity && fabsl(get(p->type, k->intensity, i) - square) > bound[1])
      fail("intensity %lu is wrong", (unsigned long)i);
  }
}

/* A list that is longer than a chunk: the same bits as its parts, and as with threads. */
static void many_cuts(int type) {
  enum { NQ = 9000 };
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const size_t size = types[type].size;
  body b[3];
  int open[3], operation;
  size_t i;
  many_bodies(type, b, open, &rng);
  if (suite.quick) { /* twelve triangles */
    static const double c[3] = {0.2, -0.1, 0.3}, sides[3] = {0.5, 0.75, 0.6};
    body_free(&b[1]);
    b[1] = body_new(type);
    body_box(&b[1], c, sides, 1);
    body_finish(&b[1]);
  }
  for (operation = 0; operation < MANY_KINDS; operation++) {
    many_problem p;
    size_t number = 0;
    variant *v;
    suite.operation = many_names[operation];
    many_start(&p, type, operation, b + 1, open + 1, 1, 3, NQ, operation != MANY_POWDER, 1, &rng);
    while ((v = form_next(&number, type, FORM_LIST, (size_t)40 * NQ * 40)) != NULL) {
      const int step[MANY_KINDS][MANY_ARRAYS] = {{1, 1, 1, 1}, {1}, {1, 1, 1, 1, 1, 1, 2, 2, 2, 2}};
      many_call k, part;
      convk copy;
      hook h = hook_new(HOOK_SHUFFLED, 3, random64(&rng));
      const size_t first = 100 + random_below(&rng, 8500), count = 1 + random_below(&rng, 400);
      int d;
      if (v->device || (suite.quick && v->fused)) continue;
      describe("%lu from %lu on", (unsigned long)count, (unsigned long)first);
      begin_case();
      k = many_plain(&p, &v->hw);
      FORM_EXPECT(many_types[type].call(&k) == CONVK_OK);
      part = many_plain(&p, &v->hw);
      copy = v->hw;
      copy.parallel.threads = 3;
      copy.parallel.run = hook_run;
      copy.parallel.ctx = &h;
      part.hw = &copy;
      part.nq = count;
      for (d = 0; d < MANY_ARRAYS; d++)
        if (part.in[d]) part.in[d] = (const char *)part.in[d] + first * size * (size_t)step[operation][d];
      FORM_EXPECT(many_types[type].call(&part) == CONVK_OK);
      if (k.f && memcmp((char *)k.f + 2 * first * size, part.f, 2 * count * size)) fail("other bits of f");
      if (k.intensity && memcmp((char *)k.intensity + first * size, part.intensity, count * size))
        fail("other bits of intensity");
      many_right(&p, &k, 997); /* in all chunks */
      end_case();
      for (d = 0; d < MANY_ARRAYS; d++)
        if (part.in[d]) part.in[d] = (const char *)part.in[d] - first * size * (size_t)step[operation][d];
      many_plain_end(&p, &k);
      many_plain_end(&p, &part);
    }
    many_free(&p);
  }
  for (i = 0; i < 3; i++) body_free(&b[i]);
}

/* No particle has a coordinate above 0; and waves whose four terms are more vectors than a chunk has, where waves are not. */
static void many_few(int type) {
  static const size_t counts[] = {7, 2049, 3000};
  static const double c[3] = {0.2, -0.1, 0.3}, sides[3] = {0.5, 0.75, 0.6};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const int none[1] = {0};
  body b = body_new(type);
  int operation;
  size_t i, number;
  variant *v;
  body_box(&b, c, sides, 1);
  body_finish(&b);
  for (operation = 0; operation < MANY_KINDS; operation++)
    for (i = 0; i < (operation == MANY_DWBA ? COUNT_OF(counts) : 1); i++) {
      many_problem p;
      int d;
      suite.operation = many_names[operation];
      many_start(&p, type, operation, &b, none, 1, 2, counts[i], operation != MANY_POWDER, 1, &rng);
      for (d = 0; d < 6; d++)
        p.placement[d / 3].position[d % 3] = d == 1 || d == 2 ? 0 : -fabs(p.placement[d / 3].position[d % 3]);
      number = 0;
      while ((v = form_next(&number, type, FORM_LIST, 40 * 12 * counts[i])) != NULL) {
        many_call k = many_plain(&p, &v->hw);
        describe("%lu entries", (unsigned long)counts[i]);
        begin_case();
        FORM_EXPECT(many_types[type].call(&k) == CONVK_OK);
        many_right(&p, &k, 1 + counts[i] / 40);
        end_case();
        many_plain_end(&p, &k);
      }
      many_free(&p);
    }
  body_free(&b);
}

/* Rules for the sphere have the means of the even powers of z and x up to their degree, 1 / (power + 1). */
#define MANY_RULE(TYPE, T) \
  static void many_rule_##TYPE(size_t degree, int half, const double unit) { \
    convk_directions_##TYPE d; \
    size_t n = 0, i, power; \
    T *room; \
    FORM_EXPECT(convk_sphere_directions(form_handle(), degree, half, &n) == CONVK_OK); \
    room = (T *)need(4 * n * sizeof(T)); \
    d.n = n; \
    d.x = room; \
    d.y = room + n; \
    d.z = room + 2 * n; \
    d.weight = room + 3 * n; \
    FORM_EXPECT(convk_sphere_quadrature_##TYPE(form_handle(), degree, half, &d) == CONVK_OK); \
    for (power = 0; power <= degree; power += 2) { \
      double z = 0, x = 0; \
      for (i = 0; i < n; i++) { \
        z += (double)d.weight[i] * pow((double)d.z[i], (double)power); \
        x += (double)d.weight[i] * pow((double)d.x[i], (double)power); \
      } \
      if (!(fabs(z - 1 / (double)(power + 1)) <= 40 * unit)) fail("the mean of z^%lu is %g", (unsigned long)power, z); \
      if (!(fabs(x - 1 / (double)(power + 1)) <= 40 * unit)) fail("the mean of x^%lu is %g", (unsigned long)power, x); \
    } \
    free(room); \
  }
MANY_RULE(f32, float)
MANY_RULE(f64, double)

static void many_rules(int type) {
  size_t degree;
  suite.operation = "sphere_quadrature";
  suite.variant = NULL;
  for (degree = 0; degree < 26; degree++) {
    describe("degree %lu", (unsigned long)degree);
    begin_case();
    (type ? many_rule_f64 : many_rule_f32)(degree, (int)(degree / 2 % 2), types[type].unit);
    end_case();
  }
}

/* A rule for the sphere: Gauss-Legendre in cos(theta), even steps around. */
static void many_sphere(many_problem *p, int m) {
  const double pi = acos(-1.0);
  int i, j, k;
  p->directions = (size_t)(2 * m * m);
  for (i = 1; i < 5; i++) {
    p->length[i] = p->directions;
    p->in[i] = reals(p->directions);
  }
  for (i = 0; i < m; i++) {
    double x = cos(pi * (i + 0.75) / (m + 0.5)), slope = 1;
    for (k = 0; k < 50; k++) {
      double a = 1, b = x;
      for (j = 2; j <= m; j++) {
        const double c = ((2 * j - 1) * x * b - (j - 1) * a) / j;
        a = b;
        b = c;
      }
      slope = m * (x * b - a) / (x * x - 1);
      x -= b / slope;
    }
    for (j = 0; j < 2 * m; j++) {
      const size_t at = (size_t)(2 * m * i + j);
      p->in[1][at] = rounded_to(p->type, sqrt(1 - x * x) * cos(pi * j / m));
      p->in[2][at] = rounded_to(p->type, sqrt(1 - x * x) * sin(pi * j / m));
      p->in[3][at] = rounded_to(p->type, x);
      p->in[4][at] = rounded_to(p->type, 1 / ((1 - x * x) * slope * slope) / (2 * m));
    }
  }
}

/* Debye: of two small particles 2 F^2 (1 + sin(q R) / (q R)); of a fine sphere F^2 in every direction; of a box a finer rule. */
static void many_powders(int type) {
  enum { NQ = 12 };
  static const double c[3] = {0, 0, 0}, small[3] = {0.002, 0.002, 0.002}, sides[3] = {0.5, 0.9, 0.7};
  const double R = 3, eps = form_types[type].eps;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const int none[1] = {0};
  const size_t nq = suite.quick ? 4 : NQ;
  size_t number = 0, i;
  variant *v;
  suite.operation = many_names[MANY_POWDER];
  while ((v = form_next(&number, type, FORM_LIST, 40 * NQ * 1200 * 40)) != NULL) {
    int which, level;
    for (which = 0; which < 3; which++) {
      double result[2][NQ], volume;
      body b = body_new(type);
      describe("%s", which == 0 ? "two small boxes" : which == 1 ? "a sphere" : "a box");
      begin_case();
      if (which == 1) body_sphere(&b, c, 1, 24);
      else body_box(&b, c, which ? sides : small, !which ? 1 : suite.quick ? 4 : 10);
      body_finish(&b);
      volume = which == 0 ? 6.4e-8 : which == 1 ? 4 * acos(-1.0) / 3 : 8 * sides[0] * sides[1] * sides[2];
      for (level = 0; level < 2; level++) {
        many_problem p;
        many_call k;
        many_start(&p, type, MANY_POWDER, &b, none, 1, which ? 1 : 2, nq, 0, 0, &rng);
        for (i = 1; i < 5; i++) free(p.in[i]);
        many_sphere(&p, level ? 15 : 12);
        memset(p.placement, 0, 2 * sizeof *p.placement);
        for (i = 0; i < 2; i++) p.placement[i].weight[0] = 1;
        p.placement[1].position[0] = R * 0.48;
        p.placement[1].position[1] = R * 0.64;
        p.placement[1].position[2] = R * 0.6;
        for (i = 0; i < nq; i++) p.in[0][i] = rounded_to(type, 3.0 / (double)nq * (double)i);
        k = many_plain(&p, &v->hw);
        FORM_EXPECT(many_types[type].call(&k) == CONVK_OK);
        for (i = 0; i < nq; i++) {
          const double q = p.in[0][i], x = q * R;
          const double ball = q > 0 ? 3 * (sin(q) - q * cos(q)) / (q * q * q) : 1;
          const double want = which == 0 ? 2 * (1 + (x > 0 ? sin(x) / x : 1)) : ball * ball;
          const double got = get(type, k.intensity, i) / (volume * volume);
          result[level][i] = got;
          if (which < 2 && fabs(got - want) > (which ? 2e-2 : type ? 3e-5 : 1e-4)) fail("q %g: %.17g, not %.17g", q, got, want);
        }
        many_plain_end(&p, &k);
        many_free(&p);
      }
      for (i = 0; i < nq; i++)
        if (fabs(result[0][i] - result[1][i]) > 1e-9 + 100 * eps)
          fail("rules differ at %lu: %.17g and %.17g", (unsigned long)i, result[0][i], result[1][i]);
      end_case();
      body_free(&b);
    }
  }
}

/* Boxes turned any way in a film that absorbs, where every component of q is complex, by the exact form. */
static void many_tilted_boxes(int type) {
  enum { NQ = 40, BOXES = 7 };
  static const double c[3] = {0.1, 0.2, -0.3}, sides[3] = {0.5, 0.9, 0.7};
  /* about x alone, and half a turn with nothing above 0 */
  static const double special[2][9] = {{1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8}, {0, -1, 0, -1, 0, 0, 0, 0, -1}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const int none[1] = {0};
  body b = body_new(type);
  size_t number = 0, i, n;
  variant *v;
  body_box(&b, c, sides, 1);
  body_finish(&b);
  while ((v = form_next(&number, type, FORM_LIST, 40 * NQ * 12 * BOXES)) != NULL) {
    int operation;
    for (operation = 0; operation < MANY_KINDS; operation += MANY_DWBA) {
      convk_formfactor_options options;
      many_problem p;
      many_call k;
      suite.operation = many_names[operation];
      describe("turned boxes");
      begin_case();
      many_start(&p, type, operation, &b, none, 1, BOXES, NQ, 1, 1, &rng);
      p.corners = 1;
      for (n = 0; n < BOXES; n++) many_rotation(p.placement[n].rotation, n == 0, &rng);
      for (n = 0; n < COUNT_OF(special); n++) memcpy(p.placement[n + 1].rotation, special[n], sizeof special[n]);
      memset(&options, 0, sizeof options);
      options.form = CONVK_FORM_EXACT;
      k = many_plain(&p, &v->hw);
      k.options = &options;
      FORM_EXPECT(many_types[type].call(&k) == CONVK_OK);
      for (i = 0; i < NQ; i++) {
        double want[2] = {0, 0}, square = 0, size = 0;
        int term, d, j;
        for (term = 0; term < (operation ? 4 : 1); term++) {
          long double amplitude[2] = {1, 0};
          double q[4];
          for (d = 0; d < 4; d++) q[d] = many_in(&p, d, i);
          if (operation) many_term(&p, i, term, amplitude, q);
          for (n = 0; n < BOXES; n++) {
            const convk_placement *at = &p.placement[n];
            const double *R = at->rotation, s = at->scale > 0 ? at->scale : 1;
            double phase = 0, decay = q[3] * at->position[2], F[2] = {s * s * s, 0}, x[2], turn, re;
            double weight[2];
            for (d = 0; d < 3; d++) {
              const double lost = s * R[6 + d] * q[3];
              for (turn = j = 0; j < 3; j++) turn += s * R[3 * j + d] * q[j];
              phase += q[d] * at->position[d] + turn * c[d];
              decay += lost * c[d];
              form_edge(turn, lost, sides[d], x);
              re = F[0] * x[0] - F[1] * x[1];
              F[1] = F[0] * x[1] + F[1] * x[0];
              F[0] = re;
            }
            many_weight(&p, n, weight);
            x[0] = exp(-decay) * (weight[0] * cos(phase) - weight[1] * sin(phase));
            x[1] = exp(-decay) * (weight[0] * sin(phase) + weight[1] * cos(phase));
            re = F[0] * x[0] - F[1] * x[1];
            F[1] = F[0] * x[1] + F[1] * x[0];
            F[0] = re;
            square += F[0] * F[0] + F[1] * F[1];
            size += hypot((double)amplitude[0], (double)amplitude[1]) * fmax(1, exp(-decay)) * s * s * s;
            want[0] += (double)amplitude[0] * F[0] - (double)amplitude[1] * F[1];
            want[1] += (double)amplitude[0] * F[1] + (double)amplitude[1] * F[0];
          }
        }
        size *= 8 * sides[0] * sides[1] * sides[2] * 100 * form_types[type].eps;
        if (hypot(get(type, k.f, 2 * i) - want[0], get(type, k.f, 2 * i + 1) - want[1]) > size)
          fail("f %lu is %.17g %+.17g i, not %.17g %+.17g i", (unsigned long)i, get(type, k.f, 2 * i),
               get(type, k.f, 2 * i + 1), want[0], want[1]);
        if (!operation && fabs(get(type, k.intensity, i) - square) > 10 * size)
          fail("intensity %lu is %.17g, not %.17g", (unsigned long)i, get(type, k.intensity, i), square);
      }
      end_case();
      many_plain_end(&p, &k);
      many_free(&p);
    }
  }
  body_free(&b);
}

/* Four terms against four calls; each vector of q that has an amplitude once. */
static void many_terms(int type) {
  enum { NQ = 64 };
  static const double c[3] = {0, 0, -1}, sides[3] = {0.5, 0.9, 0.7};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const int none[1] = {0};
  const size_t size = types[type].size;
  body b = body_new(type);
  size_t number = 0, i;
  variant *v;
  body_box(&b, c, sides, 1);
  body_finish(&b);
  suite.operation = many_names[MANY_DWBA];
  while ((v = form_next(&number, type, FORM_LIST, 40 * NQ * 12 * 10)) != NULL) {
    static const int counts[6] = {256, 64, 128, 128, 0, 128};
    int which, d, term;
    for (which = 0; which < 6; which++) { /* all; without reflection; no r_in; no t_out; nothing; every vector twice */
      many_problem p;
      many_call k, one;
      double sum[2 * NQ], most = 0;
      convk copy = v->hw;
      describe("waves %d", which);
      begin_case();
      many_start(&p, type, MANY_DWBA, &b, none, 1, 3, NQ, 0, 1, &rng);
      for (d = 0; d < MANY_ARRAYS; d++) {
        if (p.length[d]) free(p.in[d]);
        many_fill(&p, d, d < 6 ? NQ : 2 * NQ, d == 2 || d == 5 ? -1 : 0, d == 2 || d == 5 ? 0 : 1, &rng);
      }
      for (d = 0; d < 6 && which == 5; d++)
        for (i = 0; i < NQ; i++) p.in[d][i] = p.in[d][i % (NQ / 2)];
      for (i = 0; i < 2 * NQ; i++) {
        if (which == 1 || which == 2 || which == 4) p.in[8][i] = 0;
        if (which == 1) p.in[9][i] = 0;
        if (which == 3 || which == 4) p.in[7][i] = 0;
        if (which == 4) p.in[6][i] = 0;
      }
      memset(p.placement, 0, 3 * sizeof *p.placement);
      for (i = 0; i < 3; i++) {
        p.placement[i].weight[0] = 1;
        p.placement[i].position[1] = (double)i;
        p.placement[i].position[2] = -1;
      }
      k = many_plain(&p, v->device ? &v->hw : &copy);
      if (!v->device) many_counting(&copy, type, 12); /* triangles of a box */
      FORM_EXPECT(many_types[type].call(&k) == CONVK_OK);
      if (!v->device && many_counted() != (size_t)counts[which])
        fail("%lu vectors, not %d", (unsigned long)many_counted(), counts[which]);
      memset(sum, 0, sizeof sum);
      p.operation = MANY_ASSEMBLY;
      one = many_plain(&p, &v->hw);
      for (d = 0; d < 4; d++) free((void *)(uintptr_t)one.in[d]);
      for (term = 0; term < 4; term++) {
        void *q[4];
        for (d = 0; d < 4; d++) one.in[d] = q[d] = need(NQ * size);
        for (i = 0; i < NQ; i++) {
          long double a[2];
          double at[4];
          many_term(&p, i, term, a, at);
          for (d = 0; d < 4; d++) put(type, q[d], i, at[d]);
        }
        FORM_EXPECT(many_types[type].call(&one) == CONVK_OK);
        for (i = 0; i < NQ; i++) {
          long double a[2];
          double at[4], re = get(type, one.f, 2 * i), im = get(type, one.f, 2 * i + 1);
          many_term(&p, i, term, a, at);
          sum[2 * i] += (double)a[0] * re - (double)a[1] * im;
          sum[2 * i + 1] += (double)a[0] * im + (double)a[1] * re;
        }
        for (d = 0; d < 4; d++) free(q[d]);
      }
      for (d = 0; d < 4; d++) one.in[d] = NULL;
      for (d = 4; d < MANY_ARRAYS; d++) free((void *)(uintptr_t)one.in[d]), one.in[d] = NULL;
      for (i = 0; i < 2 * NQ; i++) most = fmax(most, fabs(sum[i]));
      for (i = 0; i < 2 * NQ; i++)
        if (fabs(get(type, k.f, i) - sum[i]) > 8 * form_types[type].eps * most)
          fail("number %lu is %.17g, not %.17g", (unsigned long)i, get(type, k.f, i), sum[i]);
      end_case();
      many_plain_end(&p, &one);
      p.operation = MANY_DWBA;
      many_plain_end(&p, &k);
      many_free(&p);
    }
  }
  body_free(&b);
}

/* ---------------------------------------------------------------------------------------------------------------- errors -- */

/* One wrong thing at a time; nothing may be written. */
static void many_errors(int type) {
  enum { NQ = 6 };
  const size_t size = types[type].size;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  body b[3];
  int open[3], operation;
  size_t i;
  many_bodies(type, b, open, &rng);
  describe("sizes");
  suite.operation = many_names[MANY_ASSEMBLY];
  suite.variant = NULL;
  begin_case();
  FORM_REFUSED(type ? convk_formfactor_assembly_work_size_f64(form_handle(), NULL, 1, &i)
                    : convk_formfactor_assembly_work_size_f32(form_handle(), NULL, 1, &i),
               CONVK_ERR_NULL, "assembly is NULL");
  end_case();
  for (operation = 0; operation < MANY_KINDS; operation++) {
    size_t number = 0;
    variant *v;
    suite.operation = many_names[operation];
    while ((v = form_next(&number, type, FORM_LIST, 1)) != NULL) {
      int wrong;
      for (wrong = 0; wrong < 69; wrong++) {
        static const int needed[MANY_KINDS] = {3, 4, 5}, all[MANY_KINDS] = {4, 5, 10};
        static const char *const names[MANY_KINDS][10] = {
            {"q->x", "q->y", "q->z", "q->z_imag"},
            {"q", "directions->x", "directions->y", "directions->z", "directions->weight"},
            {"waves->qx", "waves->qy", "waves->kz_in", "waves->kz_in_imag", "waves->kz_out", "waves->kz_out_imag",
             "waves->t_in", "waves->t_out", "waves->r_in", "waves->r_out"}};
        const char *says = NULL;
        convk_formfactor_options options;
        convk copy = v->hw;
        many_problem p;
        many_call k;
        void *f, *intensity, *work = NULL;
        int d, want = CONVK_OK, status, may_write = 0, skip = 0;
        many_start(&p, type, operation, b, open, 3, 8, NQ, 1, 1, &rng);
        p.corners = wrong == 48;
        if (operation == MANY_DWBA)
          for (d = 0; d < MANY_ARRAYS; d++) {
            if (p.length[d]) free(p.in[d]);
            many_fill(&p, d, d < 6 ? NQ : 2 * NQ, -0.5, 0.5, &rng);
          }
        if (operation == MANY_POWDER) { /* with weights */
          free(p.in[4]);
          many_fill(&p, 4, p.directions, 0, 1, &rng);
        }
        for (i = 0; i < 8; i++) p.placement[i].mesh = i % 3;
        k = many_plain(&p, v->device ? &v->hw : &copy);
        f = k.f;
        intensity = k.intensity;
        memset(&options, 0, sizeof options);
        k.options = &options;
        k.work_size = many_types[type].work(3, 8,
                                            NQ * (operation == MANY_DWBA     ? 4
                                                  : operation == MANY_POWDER ? p.directions
                                                                             : 1));
        k.work = work = need(k.work_size);
        if (wrong < 10) {
          if (wrong >= needed[operation] && !(operation == MANY_DWBA && wrong == 4)) skip = 1;
          if (operation == MANY_DWBA && wrong == 3) skip = 1;
          if (!skip) {
            free((void *)(uintptr_t)k.in[wrong]);
            k.in[wrong] = NULL;
            says = names[operation][wrong];
            want = CONVK_ERR_NULL;
          }
        } else if (wrong < 20) {
          if (wrong - 10 >= all[operation]) skip = 1;
          else {
            put(type, (void *)(uintptr_t)k.in[wrong - 10], p.length[wrong - 10] - 1, wrong % 2 ? NAN : -HUGE_VAL);
            says = names[operation][wrong - 10];
            want = CONVK_ERR_NONFINITE;
          }
        } else if (wrong < 30) { /* results upon inputs */
          if (wrong - 20 >= all[operation]) skip = 1;
          else {
            char *at = (char *)(uintptr_t)k.in[wrong - 20] + (p.length[wrong - 20] - 1) * size;
            if (k.f && (!k.intensity || wrong % 2)) k.f = at;
            else k.intensity = at;
            says = "overlaps"; /* the array, or what lies behind it */
            want = CONVK_ERR_OVERLAP;
          }
        } else switch (wrong) {
            case 30:
              says = "assembly->placement[7].mesh is 3";
              p.placement[7].mesh = 3;
              want = CONVK_ERR_PLACEMENT;
              break;
            case 31:
              says = "assembly->placement[7].scale is negative";
              p.placement[7].scale = -0.5;
              want = CONVK_ERR_PLACEMENT;
              break;
            case 32:
              says = "assembly->placement[7].scale is not finite";
              p.placement[7].scale = NAN;
              want = CONVK_ERR_NONFINITE;
              break;
            case 33:
              says = "assembly->placement[7].weight is not finite";
              p.placement[7].weight[1] = HUGE_VAL;
              want = CONVK_ERR_NONFINITE;
              break;
            case 34:
              says = "assembly->placement[7].rotation is not finite";
              p.placement[7].rotation[8] = NAN;
              want = CONVK_ERR_NONFINITE;
              break;
            case 35:
              says = "assembly->placement[7].position is not finite";
              p.placement[7].position[2] = NAN;
              want = CONVK_ERR_COORDINATE;
              break;
            case 36:
              says = "assembly->placement[7].position is too large";
              p.placement[7].position[0] = type ? 1e154 : 1e19;
              want = CONVK_ERR_RANGE;
              break;
            case 37:
              says = "assembly->placement[7].weight is too large";
              p.placement[7].weight[0] = type ? 1e154 : 1e19;
              want = CONVK_ERR_RANGE;
              break;
            case 38:
              says = "the positions of assembly->placement";
              p.placement[7].position[0] = type ? 1e17 : 1e9;
              want = CONVK_ERR_RANGE;
              break;
            case 39:
              says = "assembly->mesh[1]";
              p.placement[7].scale = type ? 1e17 : 1e9;
              want = CONVK_ERR_RANGE;
              break;
            case 40:
              says = "assembly is NULL";
              k.nothing = 1;
              want = CONVK_ERR_NULL;
              break;
            case 41:
              says = "assembly->mesh is NULL";
              k.nothing = 3;
              want = CONVK_ERR_NULL;
              break;
            case 42:
              says = "assembly->placement is NULL";
              k.placement = NULL;
              want = CONVK_ERR_NULL;
              break;
            case 43:
              k.nothing = 2;
              says = operation == MANY_DWBA ? "waves is NULL" : operation == MANY_POWDER ? "directions is NULL" : "q is NULL";
              want = CONVK_ERR_NULL;
              break;
            case 44:
              k.f = k.intensity = NULL;
              says = operation == MANY_DWBA     ? "f is NULL"
                     : operation == MANY_POWDER ? "intensity is NULL"
                                                : "f and intensity are NULL";
              want = CONVK_ERR_NULL;
              break;
            case 45:
              says = "options->form is -1";
              options.form = -1;
              want = CONVK_ERR_OPTION;
              break;
            case 46:
              says = "options->form is CONVK_FORM_CLOSED, and assembly->mesh[";
              options.form = CONVK_FORM_CLOSED;
              want = CONVK_ERR_OPEN_MESH;
              break;
            case 47:
              says = "options->order is 3";
              options.order = 3;
              want = CONVK_ERR_OPTION;
              break;
            case 48:
              says = "assembly->mesh[1].wx is NULL";
              options.order = 2;
              free(k.field[1][9]);
              k.field[1][9] = NULL;
              free(k.field[1][10]);
              k.field[1][10] = NULL;
              want = CONVK_ERR_NULL;
              break;
            case 49:
              says = "assembly->mesh[2].y[1] is not finite";
              put(type, k.field[2][4], 1, NAN);
              want = CONVK_ERR_COORDINATE;
              break;
            case 50:
              says = "work_size is ";
              k.work_size--;
              want = CONVK_ERR_WORK;
              break;
            case 51:
              k.nq = (size_t)-1 / 2;
              says = operation == MANY_DWBA     ? "waves->n is too large"
                     : operation == MANY_POWDER ? "nq is too large"
                                                : "q->n is too large";
              want = CONVK_ERR_OVERFLOW;
              break;
            case 52:
              says = "assembly->placements or assembly->meshes is too large";
              k.placements = (size_t)-1 / 64;
              want = CONVK_ERR_OVERFLOW;
              break;
            case 53:
              says = "assembly->placements or assembly->meshes is too large";
              k.meshes = (size_t)-1 / 64;
              want = CONVK_ERR_OVERFLOW;
              break;
            case 54:
              if (v->device) skip = 1;
              copy.version += 100;
              want = CONVK_ERR_HANDLE;
              break;
            case 55:
              says = "overlaps assembly->mesh[2].z"; /* results upon meshes */
              if (k.f) k.f = k.field[2][5];
              else k.intensity = k.field[2][5];
              want = CONVK_ERR_OVERLAP;
              break;
            case 56:
              says = "overlaps assembly->placement";
              if (k.f) k.f = (char *)(void *)p.placement + sizeof *p.placement;
              else k.intensity = (char *)(void *)p.placement + sizeof *p.placement;
              want = CONVK_ERR_OVERLAP;
              break;
            case 57:
              says = "overlaps"; /* or something that lies behind it */
              if (operation) skip = 1;
              else k.intensity = (char *)k.f + (2 * NQ - 1) * size;
              want = CONVK_ERR_OVERLAP;
              break;
            case 58: /* of nothing all may be NULL */
              k.nq = 0;
              k.f = k.intensity = NULL;
              may_write = 1;
              break;
            case 59:
              if (operation) skip = 1;
              k.y_imag = k.in[0];
              says = "q->y_imag is given";
              want = CONVK_ERR_OPTION;
              break;
            case 60:
              says = "assembly->mesh["; /* complex in every component without corners */
              many_rotation(p.placement[7].rotation, 0, &rng);
              if (operation != MANY_POWDER) want = CONVK_ERR_NULL;
              break;
            case 61:
              options.form = CONVK_FORM_EXACT + 1;
              says = "options->form is ";
              want = CONVK_ERR_OPTION;
              break;
            case 62:
              options.form = CONVK_FORM_EXACT;
              options.order = 2;
              says = "options->order is 2, and CONVK_FORM_EXACT has none";
              want = CONVK_ERR_OPTION;
              break;
            case 63:
              p.placement[7].position[1] = type ? -1e154 : -1e19;
              says = "assembly->placement[7].position is too large";
              want = CONVK_ERR_RANGE;
              break;
            case 64:
              if (operation) skip = 1;
              k.x_imag = k.in[0];
              says = "q->x_imag is given";
              want = CONVK_ERR_OPTION;
              break;
            case 65: /* of both results the second one */
              if (k.intensity) k.intensity = k.field[2][5];
              else k.f = k.field[2][5];
              says = "overlaps assembly->mesh[2].z";
              want = CONVK_ERR_OVERLAP;
              break;
            case 66: /* the last element of a mesh's array, and what lies behind it */
              if (k.f) k.f = (char *)k.field[2][5] + (k.n[2] - 1) * size;
              else k.intensity = (char *)k.field[2][5] + (k.n[2] - 1) * size;
              says = "overlaps";
              want = CONVK_ERR_OVERLAP;
              break;
            case 67: /* the last element of a result */
              if (k.intensity) k.intensity = (char *)(uintptr_t)k.in[0] - (NQ - 1) * size;
              else k.f = (char *)(uintptr_t)k.in[0] - (2 * NQ - 1) * size;
              says = "overlaps";
              want = CONVK_ERR_OVERLAP;
              break;
            default: /* memory that is not there */
              k.work = NULL;
              heap.until_failure = 0;
              want = CONVK_ERR_MEMORY;
              break;
          }
        describe("wrong: %d", wrong);
        if (!skip) {
          begin_case();
          status = many_types[type].call(&k);
          heap.until_failure = -1;
          want_status(status, want);
          if (want && want != CONVK_ERR_HANDLE && want != CONVK_ERR_MEMORY && !says) fail("no argument is looked for");
          form_said(k.hw, status, says);
          if (want && f && !all_fill((unsigned char *)f, (unsigned char *)f + 2 * NQ * size)) fail("something was written");
          if (want && intensity && !all_fill((unsigned char *)intensity, (unsigned char *)intensity + NQ * size))
            fail("something was written");
          if (!want && !may_write && f && all_fill((unsigned char *)f, (unsigned char *)f + size)) fail("nothing was written");
          end_case();
        }
        k.f = f;
        k.intensity = intensity;
        many_plain_end(&p, &k);
        many_free(&p);
        free(work);
      }
    }
  }
  for (i = 0; i < 3; i++) body_free(&b[i]);
}

/* Phases that only the last chunk has are found before the first is written; what bounds would refuse, but no q, is computed; bytes of work. */
static void many_limits(int type) {
  enum { NQ = 9000 };
  static const double c[3] = {0, 0, 0}, sides[3] = {1, 1.0 / 1024, 1.0 / 1024};
  const double turns = ldexp(2 * acos(-1.0), type ? 50 : 21);
  const size_t size = types[type].size;
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const int none[1] = {0};
  body b = body_new(type);
  size_t number = 0, i, j;
  variant *v;
  body_box(&b, c, sides, 1);
  body_finish(&b);
  suite.operation = many_names[MANY_ASSEMBLY];
  while ((v = form_next(&number, type, FORM_LIST, (size_t)40 * NQ * 12)) != NULL) {
    int which;
    for (which = 0; which < 5; which++) {
      convk copy = v->hw;
      hook h = hook_new(HOOK_FAILS, 3, 1);
      many_problem p;
      many_call k;
      int status;
      if (which == 4 && v->device) continue;
      describe("limit %d", which);
      begin_case();
      many_start(&p, type, MANY_ASSEMBLY, &b, none, 1, 1, NQ, 0, 0, &rng);
      memset(p.placement, 0, sizeof *p.placement);
      p.placement->weight[0] = 1;
      p.placement->position[0] = which == 1;
      if (which >= 2) { /* turned by 45 degrees: along the diagonal q is sqrt(2) of its parts, across it nothing */
        const double h = sqrt(0.5), r[9] = {h, -h, 0, h, h, 0, 0, 0, 1};
        memcpy(p.placement->rotation, r, sizeof r);
      }
      if (which == 4) { /* nothing is wrong, but the thread hook */
        copy.parallel.threads = 3;
        copy.parallel.run = hook_run;
        copy.parallel.ctx = &h;
      } else if (which < 2) p.in[0][NQ - 1] = turns * (which ? 1.1 : 1.6); /* centroids lie at 2 / 3 */
      else p.in[0][NQ - 1] = turns * 1.2, p.in[1][NQ - 1] = (which == 2 ? -1 : 1) * turns * 1.2;
      p.in[0][NQ - 1] = rounded_to(type, p.in[0][NQ - 1]);
      p.in[1][NQ - 1] = rounded_to(type, p.in[1][NQ - 1]);
      k = many_plain(&p, v->device ? &v->hw : &copy);
      status = many_types[type].call(&k);
      want_status(status, which == 2 ? CONVK_OK : which == 4 ? CONVK_ERR_THREADS : CONVK_ERR_RANGE);
      if (status && !all_fill((unsigned char *)k.f, (unsigned char *)k.f + 2 * NQ * size)) fail("something was written");
      end_case();
      many_plain_end(&p, &k);
      many_free(&p);
    }
  }
  suite.variant = NULL;
  describe("bytes of work");
  begin_case();
  for (i = 0; i < 4; i++)
    for (j = 0; j < 3; j++) {
      const size_t counts[4] = {0, 1, 100000, (size_t)-1}, placements[3] = {0, 100, (size_t)-1 / 64};
      const size_t bytes = many_types[type].work(2, placements[j], counts[i]);
      if ((j == 2) != (bytes == (size_t)-1) || (j < 2 && bytes > 2100000)) fail("%lu bytes", (unsigned long)bytes);
    }
  FORM_EXPECT(many_types[type].work((size_t)-1 / 64, 1, 1) == (size_t)-1);
  end_case();
  body_free(&b);
}

/* One particle of one box at q alone: what comes of it. */
static void many_alone(int type, const body *b, const convk_placement *at, const double q[4], int intensity, int wanted) {
  const size_t size = types[type].size;
  const int none[1] = {0};
  uint64_t rng = 1;
  size_t number = 0;
  variant *v;
  suite.operation = many_names[MANY_ASSEMBLY];
  while ((v = form_next(&number, type, FORM_LIST, 200)) != NULL) {
    many_problem p;
    many_call k;
    void *f, *square;
    int d, status;
    begin_case();
    many_start(&p, type, MANY_ASSEMBLY, b, none, 1, 1, 1, 1, 0, &rng);
    p.corners = 1;
    *p.placement = *at;
    for (d = 0; d < 4; d++) p.in[d][0] = rounded_to(type, q[d]);
    k = many_plain(&p, &v->hw);
    f = k.f;
    square = k.intensity;
    if (!intensity) k.intensity = NULL;
    status = many_types[type].call(&k);
    want_status(status, wanted);
    k.intensity = square;
    if (status && !all_fill((unsigned char *)f, (unsigned char *)f + 2 * size)) fail("F was written");
    if (status && !all_fill((unsigned char *)square, (unsigned char *)square + size)) fail("the intensity was written");
    for (d = 0; d < 2 && !status; d++)
      if (!(fabs(get(type, f, (size_t)d)) < HUGE_VAL)) fail("F is not finite");
    if (!status && intensity && !(fabs(get(type, square, 0)) < HUGE_VAL)) fail("the intensity is not finite");
    end_case();
    many_plain_end(&p, &k);
    many_free(&p);
  }
}

/* A body on one side of its origin, turned: exponentials that overflow where it comes to lie are refused, and no others. */
static void many_ranges_of_bodies(int type) {
  static const double turns[][9] = {{0},                           /* none */
                                    {1, 0, 0, 0, -1, 0, 0, 0, -1}, /* upside down */
                                    {0, 0, 1, 0, 1, 0, -1, 0, 0},  /* x goes down */
                                    {1, 0, 0, 0, 0, -1, 0, 1, 0}}; /* y goes up */
  static const double half[3] = {0.25, 0.25, 0.25}, identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double far = 5, power = type ? 708 : 87;
  int axis, side, sign;
  size_t t;
  for (axis = 0; axis < 3; axis++)
    for (side = -1; side < 2; side += 2) {
      body b = body_new(type);
      double c[3] = {0, 0, 0};
      c[axis] = side * far;
      body_box(&b, c, half, 1);
      body_finish(&b);
      for (t = 0; t < COUNT_OF(turns); t++)
        for (sign = -1; sign < 2; sign += 2) {
          const double z = (t ? turns[t] : identity)[6 + axis] * side, q[4] = {0.25, 0, 0.5, sign * 1.05 * power / far};
          convk_placement at;
          memset(&at, 0, sizeof at);
          memcpy(at.rotation, turns[t], sizeof at.rotation);
          at.weight[0] = 1;
          describe("a body on axis %d, %d, turned by %lu, growth %d", axis, side, (unsigned long)t, sign);
          many_alone(type, &b, &at, q, 1, z * sign < 0 ? CONVK_ERR_RANGE : CONVK_OK);
        }
      body_free(&b);
    }
}

/* Sums over particles: phases on either side; weights that overflow together with exponentials, and only their squares. */
static void many_ranges_of_sums(int type) {
  static const double half[3] = {0.25, 0.25, 0.25}, zero[3] = {0, 0, 0};
  const double turns = ldexp(2 * acos(-1.0), type ? 50 : 21), weight = type ? 1e150 : 1e17, growth = type ? 10 : 5;
  body b = body_new(type);
  int side, sign, axis, k, squares;
  body_box(&b, zero, half, 1);
  body_finish(&b);
  for (side = -1; side < 2; side += 2)
    for (sign = -1; sign < 2; sign += 2) {
      for (axis = 0; axis < 3; axis++) {
        double q[4] = {0, 0, 0, 0};
        convk_placement at;
        memset(&at, 0, sizeof at);
        at.weight[0] = 1;
        at.position[axis] = 2 * side;
        q[axis] = sign * turns * 0.55;
        describe("a particle on axis %d, %d, phase %d", axis, side, sign);
        many_alone(type, &b, &at, q, 1, CONVK_ERR_RANGE);
        q[axis] = sign * turns * 0.45;
        many_alone(type, &b, &at, q, 1, CONVK_OK);
      }
      for (k = 0; k < 4; k++) /* either part of the weight, of either sign; its square fits, as does twice the exponent */
        for (axis = 1; axis < 4; axis++)
          for (squares = 0; squares < 2; squares++) {
            const double q[4] = {0.25, 0, 0, sign * growth * (axis == 3 ? 0.25 : axis)};
            convk_placement at;
            memset(&at, 0, sizeof at);
            at.weight[k % 2] = k < 2 ? weight : -weight;
            at.position[2] = side;
            describe("a weight of %g, %g and growth %g, %d%s", at.weight[0], at.weight[1], q[3], side,
                     squares ? ", squares" : "");
            many_alone(type, &b, &at, q, squares, squares && axis < 3 && side != sign ? CONVK_ERR_RANGE : CONVK_OK);
          }
    }
  body_free(&b);
}

static const test many_tests[] = {
    {"formfactor_many", "sums", many_sums, TYPED_LONG},
    {"formfactor_many", "cuts", many_cuts, 1},
    {"formfactor_many", "few", many_few, 1},
    {"formfactor_many", "rules", many_rules, 1},
    {"formfactor_many", "powders", many_powders, 1},
    {"formfactor_many", "terms", many_terms, 1},
    {"formfactor_many", "errors", many_errors, 1},
    {"formfactor_many", "limits", many_limits, 1},
    {"formfactor_many", "turned", many_tilted_boxes, 1},
    {"formfactor_many", "order", many_order, 0},
    {"formfactor_many", "bodies", many_ranges_of_bodies, 1},
    {"formfactor_many", "weights", many_ranges_of_sums, 1},
};
TEST_LIST(many)
