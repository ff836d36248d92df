/* SPDX-License-Identifier: MIT
   Of test_chebyshev.c what exists for both precisions: T, OWN(name), REAL(name) and COMPLEX(name) of the library. */

typedef struct OWN(there_cheb) {
  convk_sumconv3d_shape shape;
  REAL(sumconv_terms) terms;
  convk_chebyshev filter;
  T taps[3][3][CONVK_FILTER_MAX_TAPS];
} OWN(there_cheb);

static int OWN(there_cheb_call)(int step, convk *hw, const OWN(there_cheb) * c, const void *in, void *out, void *work,
                                size_t work_size) {
  if (step == 1) {
    CALLED(REAL(chebyshev3d)(hw, &c->shape, &c->terms, &c->filter, (const T *)in, (T *)out, work, work_size))
  }
  CALLED(COMPLEX(chebyshev3d)(hw, &c->shape, &c->terms, &c->filter, (const T *)in, (T *)out, work, work_size))
}
static int OWN(there_cheb_work)(int step, convk *hw, const OWN(there_cheb) * c, size_t *bytes) {
  return step == 1 ? REAL(chebyshev3d_work_size)(hw, &c->shape, &c->terms, &c->filter, bytes)
                   : COMPLEX(chebyshev3d_work_size)(hw, &c->shape, &c->terms, &c->filter, bytes);
}

/* Terms of some kind, boundaries, degree. */
static void OWN(there_cheb_any)(int step, OWN(there_cheb) * c, uint64_t *rng) {
  const int reach = random_below(rng, 4) ? 4 : 20, mixed = !random_below(rng, 4);
  int d, k;
  size_t i;
  memset(c, 0, sizeof *c);
  for (d = 0; d < 3; d++) {
    c->shape.boundary[d] = random_below(rng, 2) ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_ZERO;
    for (k = 0; k < 3; k++)
      for (i = 0; i < CONVK_FILTER_MAX_TAPS; i++) c->taps[k][d][i] = (T)random_unit(rng);
    if (!random_below(rng, 5)) continue;
    c->terms.filter[d].lo = -(int)random_below(rng, (size_t)reach);
    c->terms.filter[d].up = (int)random_below(rng, (size_t)reach);
    c->terms.filter[d].taps = c->taps[0][d];
    if (step == 2 && !random_below(rng, 3)) c->terms.imag[d] = c->terms.filter[d], c->terms.imag[d].taps = c->taps[1][d];
    if (step == 2 && c->shape.boundary[d] == CONVK_BOUNDARY_PERIODIC && random_below(rng, 2))
      c->terms.phase[d][0] = 0.6, c->terms.phase[d][1] = -0.8;
  }
  for (d = 0; mixed && d < 3; d++) {
    c->terms.first[d].lo = -1;
    c->terms.first[d].up = d;
    c->terms.first[d].taps = c->taps[2][d];
    c->terms.mixed[d] = (T)random_unit(rng);
  }
  c->terms.potential_factor = (T)0.75;
  if (random_below(rng, 2)) c->terms.shift = (T)-1.25;
  c->filter.degree = 1 + (int)random_below(rng, 6);
  c->filter.low = -0.5;
  c->filter.high = 40;
  c->filter.lowest = -3.25;
}

/* The recurrence by calls of sumconv3d on a handle, in arrays that all lie as `out`. */
static int OWN(there_cheb_recurrence)(int step, convk *hw, const OWN(there_cheb) * c, const T *in, T *out, size_t all) {
  const convk_chebyshev *const f = &c->filter;
  const double centre = (f->high + f->low) / 2, e = (f->high - f->low) / 2, first = e / (f->lowest - centre);
  const size_t s = (size_t)step;
  OWN(there_cheb) now = *c;
  T *array[3];
  double sigma = first;
  size_t v, i, j, k;
  int n, d, kind, status = CONVK_OK;
  now.shape.in = now.shape.out;
  now.shape.in_stride = now.shape.out_stride;
  for (n = 0; n < 3; n++) array[n] = (T *)calloc(all * s, sizeof(T));
  for (v = 0; v < now.shape.vectors; v++)
    for (k = 0; k < now.shape.in.nz; k++)
      for (j = 0; j < now.shape.in.ny; j++)
        for (i = 0; i < s * now.shape.in.nx; i++)
          array[0][(v * c->shape.out_stride + k * c->shape.out.pitch_z + j * c->shape.out.pitch_y) * s + i] =
              in[(v * c->shape.in_stride + k * c->shape.in.pitch_z + j * c->shape.in.pitch_y) * s + i];
  for (n = 0; n < f->degree && !status; n++) {
    const double next = n ? 1 / (2 / first - sigma) : sigma, factor = n ? 2 * next / e : first / e;
    const T *const x = array[n % 3];
    T *const y = array[(n + 1) % 3];
    now.terms = c->terms;
    for (kind = 0; kind < 2; kind++)
      for (d = 0; d < 3; d++)
        for (i = 0; i < CONVK_FILTER_MAX_TAPS; i++) now.taps[kind][d][i] = (T)(factor * (double)c->taps[kind][d][i]);
    for (d = 0; d < 3; d++) {
      if (now.terms.filter[d].taps) now.terms.filter[d].taps = now.taps[0][d];
      if (now.terms.imag[d].taps) now.terms.imag[d].taps = now.taps[1][d];
      now.terms.mixed[d] = (T)(factor * (double)c->terms.mixed[d]);
    }
    now.terms.potential_factor = (T)(factor * (double)c->terms.potential_factor);
    now.terms.shift = (T)(factor * ((double)c->terms.shift - centre));
    now.terms.add = n ? array[(n + 2) % 3] : NULL;
    now.terms.add_factor = (T)(n ? -(sigma * next) : 0);
    sigma = next;
    status = step == 1 ? REAL(sumconv3d)(hw, &now.shape, &now.terms, x, y, NULL, NULL, 0)
                       : COMPLEX(sumconv3d)(hw, &now.shape, &now.terms, x, y, NULL, NULL, 0);
  }
  for (v = 0; v < now.shape.vectors && !status; v++)
    for (k = 0; k < now.shape.in.nz; k++)
      for (j = 0; j < now.shape.in.ny; j++) {
        const size_t at = (v * c->shape.out_stride + k * c->shape.out.pitch_z + j * c->shape.out.pitch_y) * s;
        memcpy(out + at, array[f->degree % 3] + at, s * now.shape.in.nx * sizeof(T));
      }
  for (n = 0; n < 3; n++) free(array[n]);
  return status;
}

/* The bits of the recurrence, whatever the threads and where arrays lie; padding and what is around stays. */
static void OWN(there_cheb_case)(int step, uint64_t *rng) {
  OWN(there_cheb) c;
  const size_t s = (size_t)step;
  size_t span[2], i, number = 0;
  guard in, out, potential;
  variant *each;
  T *known;
  OWN(there_cheb_any)(step, &c, rng);
  c.shape.in.nx = 1 + random_below(rng, 30);
  c.shape.in.ny = 1 + random_below(rng, 12);
  c.shape.in.nz = 1 + random_below(rng, 12);
  c.shape.out = c.shape.in;
  c.shape.in.pitch_y = c.shape.in.nx + random_below(rng, 3);
  c.shape.in.pitch_z = c.shape.in.pitch_y * c.shape.in.ny + random_below(rng, 3);
  c.shape.out.pitch_y = c.shape.out.nx + random_below(rng, 3);
  c.shape.out.pitch_z = c.shape.out.pitch_y * c.shape.out.ny + random_below(rng, 3);
  c.shape.vectors = 1 + random_below(rng, 3);
  c.shape.in_stride = c.shape.in.pitch_z * c.shape.in.nz;
  c.shape.out_stride = c.shape.out.pitch_z * c.shape.out.nz + random_below(rng, 5);
  span[0] = (c.shape.vectors - 1) * c.shape.in_stride + dwt_span(&c.shape.in);
  span[1] = (c.shape.vectors - 1) * c.shape.out_stride + dwt_span(&c.shape.out);
  in = guard_new(span[0] * s * sizeof(T), (int)random_below(rng, 2), random_below(rng, 3) * sizeof(T));
  potential = guard_new(dwt_span(&c.shape.out) * sizeof(T), (int)random_below(rng, 2), 0);
  for (i = 0; i < span[0] * s; i++) ((T *)(void *)in.data)[i] = (T)random_unit(rng);
  for (i = 0; i < dwt_span(&c.shape.out); i++) ((T *)(void *)potential.data)[i] = (T)random_unit(rng);
  if (random_below(rng, 3)) c.terms.potential = (const T *)(void *)potential.data;
  known = (T *)need(span[1] * s * sizeof(T));
  while ((each = next_variant(&number, span[1])) != NULL) {
    execution way = any_execution(rng);
    hook h = hook_new(way.hook, way.threads, random64(rng));
    convk copy, *hw = handle_for(each, &copy, &way, &h);
    size_t bytes = 0;
    workspace work;
    if (dwt_leaves(each)) continue;
    out = guard_new(span[1] * s * sizeof(T), (int)random_below(rng, 2), random_below(rng, 20) * sizeof(T));
    memcpy(known, out.data, span[1] * s * sizeof(T)); /* padding */
    describe("chebyshev3d %s %lux%lux%lu degree %d boundaries %d%d%d vectors %lu", step == 1 ? "real" : "complex",
             (unsigned long)c.shape.in.nx, (unsigned long)c.shape.in.ny, (unsigned long)c.shape.in.nz, c.filter.degree,
             c.shape.boundary[0], c.shape.boundary[1], c.shape.boundary[2], (unsigned long)c.shape.vectors);
    execution_describe(&way);
    begin_case();
    want_status(OWN(there_cheb_recurrence)(step, &each->hw, &c, (const T *)(void *)in.data, known, span[1]), CONVK_OK);
    want_status(OWN(there_cheb_work)(step, hw, &c, &bytes), CONVK_OK);
    work = workspace_new(way.work, bytes, rng);
    want_status(OWN(there_cheb_call)(step, hw, &c, in.data, out.data, work.work, work.size), CONVK_OK);
    workspace_end(&work);
    if (!guard_intact(&in) || !guard_intact(&out) || !guard_intact(&potential)) fail("memory around an array was written");
    if (memcmp(out.data, known, span[1] * s * sizeof(T)))
      fail("other bits than those of the recurrence, or padding was written");
    guard_free(&out);
    end_case();
  }
  free(known);
  guard_free(&in);
  guard_free(&potential);
}

static void OWN(there_cheb_errors)(int step) {
  size_t number = 0;
  variant *each;
  while ((each = next_variant(&number, 0)) != NULL) {
    convk *const hw = &each->hw;
    T in[2 * 64], out[2 * 64], before[2 * 64];
    OWN(there_cheb) good, c;
    uint64_t rng = 1;
    size_t i, bytes = 12345;
    for (i = 0; i < COUNT_OF(in); i++) in[i] = out[i] = before[i] = (T)1.5;
    OWN(there_cheb_any)(1, &good, &rng);
    good.shape.in.nx = good.shape.in.ny = good.shape.in.nz = 4;
    good.filter.degree = 2;
#define REFUSED(wanted, text, ...) \
  do { \
    c = good; \
    __VA_ARGS__; \
    describe("chebyshev3d: %s", text); \
    begin_case(); \
    want_status(OWN(there_cheb_call)(step, hw, &c, in, out, NULL, 0), wanted); \
    want_said(hw->message, wanted, text); \
    if (memcmp(out, before, sizeof before)) fail("the output was written"); \
    end_case(); \
  } while (0)
    REFUSED(CONVK_ERR_SIZE, "shape->in.ny is 0", c.shape.in.ny = 0);
    REFUSED(CONVK_ERR_OPTION, "terms->add is set", c.terms.add = before);
    REFUSED(CONVK_ERR_OPTION, "filter->degree is -3", c.filter.degree = -3);
    REFUSED(CONVK_ERR_OPTION, "filter->low is not below", c.filter.low = 40);
    REFUSED(CONVK_ERR_OPTION, "filter->lowest is not below", c.filter.lowest = 1);
    REFUSED(CONVK_ERR_NONFINITE, "filter->low", c.filter.low = (double)NAN);
    REFUSED(CONVK_ERR_NONFINITE, "filter->lowest", c.filter.lowest = -HUGE_VAL);
    REFUSED(CONVK_ERR_NONFINITE, "too far apart", c.filter.lowest = -1e308; c.filter.high = 1.7e308; c.filter.low = -9e307);
    REFUSED(CONVK_ERR_NONFINITE, "terms->shift", c.terms.shift = (T)HUGE_VAL);
    REFUSED(CONVK_ERR_BOUNDARY, "shape->boundary[1]", c.shape.boundary[1] = CONVK_BOUNDARY_GROW);
    REFUSED(CONVK_ERR_OVERFLOW, "vectors", c.shape.vectors = (size_t)-1 / 200);
#undef REFUSED
    describe("work_size");
    begin_case();
    want_status(OWN(there_cheb_work)(step, hw, &good, NULL), CONVK_ERR_NULL);
    c = good;
    c.filter.degree = 0;
    want_status(OWN(there_cheb_work)(step, hw, &c, &bytes), CONVK_ERR_OPTION);
    if (bytes != 12345) fail("bytes was written");
    end_case();
  }
}
