/* Assemblies of small spheres, in pairs of a particle and a q per second: particles that are alike, of which each takes a phase,
   against a loop over their sines and cosines; and turned ones, of which each takes a form factor, against formfactor of as many
   vectors.  Errors are relative to the largest |f| of the sample. */
enum { MANY_ALIKE, MANY_TURNED, MANY_LIST, MANY_LOOP, MANY_KINDS, MANY_PARTICLES = 1000, MANY_Q = 4096 };
static const char *const many_names[] = {"formfactor_assembly", "formfactor_assembly: turned"};

typedef struct many_case {
  form_case body;
  convk_placement *placement; /* alike, then turned */
} many_case;

#define MANY_CALL(type, T) \
  static void many_loop_##type(const many_case *c, const T *x, const T *y, const T *z, T *f) { \
    for (size_t i = 0; i < c->body.nq; i++) { \
      double re = 0, im = 0; \
      for (size_t k = 0; k < MANY_PARTICLES; k++) { \
        const convk_placement *p = &c->placement[k]; \
        const double phase = (double)x[i] * p->position[0] + (double)y[i] * p->position[1] + (double)z[i] * p->position[2]; \
        re += p->weight[0] * cos(phase); \
        im += p->weight[0] * sin(phase); \
      } \
      f[2 * i] = (T)re; \
      f[2 * i + 1] = (T)im; \
    } \
  } \
  static int many_call_##type(racer *p, const many_case *c) { \
    const convk_mesh_##type mesh = form_mesh_##type(&c->body); \
    const T *const q[3] = {(const T *)c->body.q[0], (const T *)c->body.q[1], (const T *)c->body.q[2]}; \
    const convk_q_##type list = {c->body.nq, q[0], q[1], q[2], NULL, NULL, NULL}; \
    convk_assembly_##type a = {1, MANY_PARTICLES, &mesh, c->placement}; \
    int status = 0; \
    if (p->operation == MANY_LOOP) { \
      many_loop_##type(c, q[0], q[1], q[2], (T *)c->body.f); \
      return 0; \
    } \
    if (p->operation == MANY_TURNED) a.placement += MANY_PARTICLES; \
    for (int k = 0; k < MANY_PARTICLES && p->operation == MANY_LIST && !status; k++) \
      status = convk_formfactor_##type(&p->hw, &mesh, &list, NULL, (T *)c->body.f); \
    if (p->operation == MANY_LIST) return status; \
    return convk_formfactor_assembly_##type(&p->hw, &a, &list, NULL, (T *)c->body.f, NULL, c->body.work, c->body.work_size); \
  }
MANY_CALL(f32, float)
MANY_CALL(f64, double)

static void many_call(racer *p) {
  const many_case *c = (const many_case *)p->of;
  racer_failed(many_names[0], p, c->body.f32 ? many_call_f32(p, c) : many_call_f64(p, c));
}

/* Against the form factor of the same hardware and a sum of phases in long double. */
static double many_error(racer *p) {
  const many_case *c = (const many_case *)p->of;
  const size_t nq = c->body.nq;
  racer one = *p;
  long double *F = (long double *)calloc(2 * nq, sizeof *F);
  double worst = 0, most = 0;
  one.operation = MANY_LIST;
  many_call(&one);
  for (size_t i = 0; i < 2 * nq; i++) F[i] = real_at(c->body.f, c->body.f32, i);
  many_call(p);
  for (size_t i = 0; i < nq; i += nq / 32) {
    long double re = 0, im = 0;
    for (size_t k = 0; k < MANY_PARTICLES; k++) {
      long double phase = 0;
      for (size_t d = 0; d < 3; d++) phase += real_at(c->body.q[d], c->body.f32, i) * c->placement[k].position[d];
      re += c->placement[k].weight[0] * cosl(phase);
      im += c->placement[k].weight[0] * sinl(phase);
    }
    const double a = (double)(re * F[2 * i] - im * F[2 * i + 1] - real_at(c->body.f, c->body.f32, 2 * i));
    const double b = (double)(re * F[2 * i + 1] + im * F[2 * i] - real_at(c->body.f, c->body.f32, 2 * i + 1));
    worst = fmax(worst, hypot(a, b));
    most = fmax(most, (double)sqrtl((re * re + im * im) * (F[2 * i] * F[2 * i] + F[2 * i + 1] * F[2 * i + 1])));
  }
  free(F);
  return worst / most;
}

static void formfactor_many(void) {
  for (int f32 = 1; f32 >= 0; f32--) {
    racer *p = (racer *)calloc(GAUSSIAN_MOST, sizeof *p), *all = (racer *)calloc(GAUSSIAN_MOST, sizeof *all);
    const size_t nq = opt.quick ? 512 : MANY_Q;
    char size[48];
    many_case c;
    int hws, count = 0;
    snprintf(size, sizeof size, "36x%dx%zu", MANY_PARTICLES, nq);
    hws = stencil_skipped(many_names[0], size) ? 0 : racers_open(p, 1, 1);
    if (hws) {
      c.body = form_arrays(f32, 4, 6, nq, 0, 0, 0);
      c.placement = (convk_placement *)calloc(2 * MANY_PARTICLES, sizeof *c.placement);
      for (size_t k = 0; k < 2 * MANY_PARTICLES; k++) {
        const double a = 0.001 * (double)k, r[9] = {cos(a), -sin(a), 0, sin(a), cos(a), 0, 0, 0, 1};
        convk_placement *at = &c.placement[k];
        for (size_t d = 0; d < 3; d++)
          at->position[d] = f32 ? (double)(float)(200 * spread(3 * k + d)) : 200 * spread(3 * k + d);
        if (k >= MANY_PARTICLES) memcpy(at->rotation, r, sizeof r);
        at->weight[0] = 1;
      }
      for (int kind = 0; kind < MANY_KINDS; kind++, count++) {
        all[count] = p[0];
        all[count].operation = kind;
        all[count].of = &c;
        all[count].call = many_call;
        all[count].units = (double)MANY_PARTICLES * (double)nq;
      }
      racers_run(all, count);
      racer_line(&all[MANY_ALIKE], many_names[0], f32, size, "G/s", "naive loop", all[MANY_LOOP].rate[0],
                 many_error(&all[MANY_ALIKE]));
      racer_line(&all[MANY_TURNED], many_names[1], f32, size, "G/s", "formfactor", all[MANY_LIST].rate[0], 0);
      convk_close(&p[0].hw);
      munmap(c.body.memory, FORM_BYTES);
      free(c.placement);
    }
    free(all);
    free(p);
  }
}
