/* SPDX-License-Identifier: MIT
   Tests of the Chebyshev filter.  Included by test_sepconv.c, after those of sums of filters. */

#define CHEB_ARRAY(T, x) ((T *)(void *)(x))
#define CHEB_CALLS(TYPE, COMPLEX, T) \
  static int cheb_call_##TYPE(int step, convk *hw, const convk_sumconv3d_shape *shape, \
                              const convk_sumconv_terms_##TYPE *terms, const convk_chebyshev *filter, const void *in, \
                              void *out, void *work, size_t size) { \
    return step == 1 ? convk_chebyshev3d_##TYPE(hw, shape, terms, filter, (const T *)in, (T *)out, work, size) \
                     : convk_chebyshev3d_##COMPLEX(hw, shape, terms, filter, (const T *)in, (T *)out, work, size); \
  } \
  /* The recurrence, by calls: x in packed arrays of the input's shape, of which `x` has three. */ \
  static int cheb_steps_##TYPE(int step, convk *hw, const convk_sumconv3d_shape *shape, \
                               const convk_sumconv_terms_##TYPE *terms, const convk_chebyshev *filter, T *const *x, \
                               int *result) { \
    const double c = (filter->high + filter->low) / 2, e = (filter->high - filter->low) / 2; \
    const double first = e / (filter->lowest - c); \
    double sigma = first; \
    int k, d, j, status = CONVK_OK; \
    for (k = 0; k < filter->degree && !status; k++) { \
      const double was = sigma; \
      double s = first / e; \
      T taps[2][3][64]; \
      convk_sumconv_terms_##TYPE scaled = *terms; \
      if (k) { \
        sigma = 1 / (2 / first - was); \
        s = 2 * sigma / e; \
      } \
      for (d = 0; d < 3; d++) { \
        for (j = 0; terms->filter[d].taps && j <= terms->filter[d].up - terms->filter[d].lo; j++) \
          taps[0][d][j] = (T)(s * (double)terms->filter[d].taps[j]); \
        for (j = 0; terms->imag[d].taps && j <= terms->imag[d].up - terms->imag[d].lo; j++) \
          taps[1][d][j] = (T)(s * (double)terms->imag[d].taps[j]); \
        if (terms->filter[d].taps) scaled.filter[d].taps = taps[0][d]; \
        if (terms->imag[d].taps) scaled.imag[d].taps = taps[1][d]; \
        scaled.mixed[d] = (T)(s * (double)terms->mixed[d]); \
      } \
      scaled.potential_factor = (T)(s * (double)terms->potential_factor); \
      scaled.shift = (T)(s * ((double)terms->shift - c)); \
      scaled.add = k ? x[(k + 2) % 3] : NULL; \
      scaled.add_factor = k ? (T)(-(was * sigma)) : 0; \
      *result = (k + 1) % 3; \
      status = step == 1 ? convk_sumconv3d_##TYPE(hw, shape, &scaled, x[k % 3], x[*result], NULL, NULL, 0) \
                         : convk_sumconv3d_##COMPLEX(hw, shape, &scaled, x[k % 3], x[*result], NULL, NULL, 0); \
    } \
    return status; \
  }
CHEB_CALLS(f32, c32, float)
CHEB_CALLS(f64, c64, double)

/* One case on a variant: by calls in packed arrays; in one call in arrays with pitches between guard pages, with threads.
   sweeps: caches that hold nothing. */
static void cheb_case(variant *v, const sum_problem *p, int degree, int sweeps, uint64_t *rng) {
  const size_t size = types[p->type].size, step = (size_t)p->step, row = p->n[0] * step;
  const size_t pitch_y = p->n[0] + 3, pitch_z = pitch_y * p->n[1] + 2, stride = pitch_z * p->n[2], all = p->n[1] * p->n[2];
  const size_t span = (p->vectors * stride - stride + (p->n[2] - 1) * pitch_z + (p->n[1] - 1) * pitch_y + p->n[0]) * step;
  guard in = guard_new(span * size, AT_END, 0), out = guard_new(span * size, AT_END, 0), work;
  float taps_f32[3][3][64], *f32[3], *v_f32 = (float *)need(p->n[0] * all * sizeof(float));
  double taps_f64[3][3][64], *f64[3], *padded = reals(all * pitch_y + p->n[2] * 2);
  convk_sumconv_terms_f32 a;
  convk_sumconv_terms_f64 b;
  convk_sumconv3d_shape shape, wide;
  const convk_chebyshev filter = {degree, 1.5, 19, -2};
  size_t i, k, bytes = 0;
  int result = 0, status;
  convk hw = v->hw;
  hook k3;
  if (random_below(rng, 2)) { /* three tasks in any order, of tiles of few rows */
    memset(&k3, 0, sizeof k3);
    k3.kind = HOOK_SHUFFLED;
    k3.random = 1;
    hw.parallel.run = hook_run;
    hw.parallel.ctx = &k3;
    hw.parallel.threads = 3;
    hw.tuning.sepconv_rows = 1 + random_below(rng, sweeps ? 12 : 4);
  }
  if (sweeps) hw.tuning.l3_bytes = hw.tuning.l3_threads = 1;
  memset(&shape, 0, sizeof shape);
  shape.in.nx = p->n[0];
  shape.in.ny = p->n[1];
  shape.in.nz = p->n[2];
  shape.vectors = p->vectors;
  memcpy(shape.boundary, p->boundary, sizeof shape.boundary);
  wide = shape;
  wide.in.pitch_y = pitch_y;
  wide.in.pitch_z = pitch_z;
  wide.in_stride = wide.out_stride = stride;
  wide.out = wide.in;
  for (k = 0; k < 3; k++) {
    f32[k] = (float *)need(p->vectors * all * row * sizeof(float));
    f64[k] = reals(p->vectors * all * row);
  }
  for (i = 0; i < p->vectors * all * row; i++) {
    f64[0][i] = p->x[i];
    f32[0][i] = (float)p->x[i];
    put(p->type, in.data,
        ((i / row / all) * stride + (i / row / p->n[1] % p->n[2]) * pitch_z + (i / row % p->n[1]) * pitch_y) * step + i % row,
        p->x[i]);
  }
  for (i = 0; i < all * p->n[0]; i++) {
    const size_t at = i / p->n[0] / p->n[1] * pitch_z + i / p->n[0] % p->n[1] * pitch_y + i % p->n[0];
    v_f32[i] = (float)p->v[i];
    if (p->type) padded[at] = p->v[i];
    else ((float *)(void *)padded)[at] = (float)p->v[i];
  }
  sum_terms_f32(p, p->potential ? v_f32 : NULL, NULL, taps_f32, &a);
  sum_terms_f64(p, p->potential ? p->v : NULL, NULL, taps_f64, &b);
  describe("%lux%lux%lu degree %d, %lu vectors, boundaries %d %d %d, %d threads", (unsigned long)p->n[0],
           (unsigned long)p->n[1], (unsigned long)p->n[2], degree, (unsigned long)p->vectors, p->boundary[0], p->boundary[1],
           p->boundary[2], (int)hw.parallel.threads);
  begin_case();
  status = p->type ? cheb_steps_f64(p->step, &v->hw, &shape, &b, &filter, f64, &result)
                   : cheb_steps_f32(p->step, &v->hw, &shape, &a, &filter, f32, &result);
  want_status(status, CONVK_OK);
  if (p->potential) {
    a.potential = CHEB_ARRAY(float, padded);
    b.potential = padded;
  }
  if (p->type == 0)
    status = p->step == 1 ? convk_chebyshev3d_work_size_f32(&hw, &wide, &a, &filter, &bytes)
                          : convk_chebyshev3d_work_size_c32(&hw, &wide, &a, &filter, &bytes);
  else
    status = p->step == 1 ? convk_chebyshev3d_work_size_f64(&hw, &wide, &b, &filter, &bytes)
                          : convk_chebyshev3d_work_size_c64(&hw, &wide, &b, &filter, &bytes);
  want_status(status, CONVK_OK);
  work = guard_new(bytes, AT_END, 0);
  status = p->type ? cheb_call_f64(p->step, &hw, &wide, &b, &filter, in.data, out.data, work.data, bytes)
                   : cheb_call_f32(p->step, &hw, &wide, &a, &filter, in.data, out.data, work.data, bytes);
  want_status(status, CONVK_OK);
  for (i = 0; i < p->vectors * all * row; i++) {
    const size_t at =
        ((i / row / all) * stride + (i / row / p->n[1] % p->n[2]) * pitch_z + (i / row % p->n[1]) * pitch_y) * step + i % row;
    const double want = p->type ? f64[result][i] : (double)f32[result][i], got = get(p->type, out.data, at);
    if (memcmp(&want, &got, sizeof want)) {
      fail("element %lu: %.17g, not %.17g", (unsigned long)i, got, want);
      break;
    }
  }
  end_case();
  for (k = 0; k < 3; k++) {
    free(f32[k]);
    free(f64[k]);
  }
  free(v_f32);
  free(padded);
  guard_free(&in);
  guard_free(&out);
  guard_free(&work);
}

/* The recurrence by calls of sumconv3d, bit by bit: short filters and long ones, with i, mixed terms, phases. */
static void cheb_recurrence(int type) {
  uint64_t rng = random_seed("cheb_recurrence");
  int round, d;
  for (round = 0; round < ONE_OF(8, 12) + 4; round++) {
    sum_problem p;
    size_t number = 0;
    variant *v;
    memset(&p, 0, sizeof p);
    p.type = type;
    p.step = 1 + round % 2;
    p.vectors = 1 + random_below(&rng, 3);
    for (d = 0; d < 3; d++) {
      const int reach = round % 3 == 2 ? 14 : 4 - (int)random_below(&rng, 3);
      p.n[d] = 1 + random_below(&rng, d ? 9 : 40);
      p.boundary[d] = random_below(&rng, 2) ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_ZERO;
      sum_filter_set(&p, SUM_FILTER, d, -reach, 2 * reach + 1, &rng);
      if (p.step == 2 && round % 4 == 3) sum_filter_set(&p, SUM_IMAG, d, -1, 3, &rng);
      if (round % 4 == 2) {
        sum_filter_set(&p, SUM_FIRST, d, -1, 3, &rng);
        p.mixed[d] = 0.5;
      }
      if (p.step == 2 && p.boundary[d] == CONVK_BOUNDARY_PERIODIC) {
        p.phase[d][0] = 0.6;
        p.phase[d][1] = 0.8;
      }
    }
    p.potential = round % 3 != 1;
    p.potential_factor = 0.75;
    p.shift = round % 6 == 5 ? 10.25 : round % 5 == 4 ? 0 : 0.5; /* 10.25 is the filter's centre, so that V alone needs x */
    sum_finish(&p, DATA_UNIFORM, &rng);
    suite.type = p.step == 1 ? types[type].name : type ? "c64" : "c32";
    while ((v = next_variant(&number, 0)) != NULL)
      if (!v->device) cheb_case(v, &p, 1 + round % 6, 0, &rng);
    suite.type = types[type].name;
    sum_free(&p);
  }
}

/* The same where several steps are made in one sweep: grids of which slabs have as many rows as that wants, filters whose ends
   differ, some axes without, and sweeps of each number of steps. */
static void cheb_sweeps(int type) {
  uint64_t rng = random_seed("cheb_sweeps");
  int round, d;
  for (round = 0; round < ONE_OF(16, 40) + 8; round++) {
    const int reach = 1 + round % 4;
    sum_problem p;
    size_t number = 0;
    variant *v;
    memset(&p, 0, sizeof p);
    p.type = type;
    p.step = 1 + round / 4 % 2;
    p.vectors = 1 + random_below(&rng, 2);
    p.n[0] = 1 + random_below(&rng, 20);
    p.n[1] = (size_t)reach * (4 + random_below(&rng, 30)) + random_below(&rng, 4);
    p.n[2] = 1 + random_below(&rng, (size_t)reach * 10);
    for (d = 0; d < 3; d++) {
      const int lo = -(int)random_below(&rng, (size_t)reach + 1), up = (int)random_below(&rng, (size_t)reach + 1);
      p.boundary[d] = random_below(&rng, 2) ? CONVK_BOUNDARY_PERIODIC : CONVK_BOUNDARY_ZERO;
      if (d != round % 5) sum_filter_set(&p, SUM_FILTER, d, lo, up - lo + 1, &rng);
      if (p.step == 2 && p.boundary[d] == CONVK_BOUNDARY_PERIODIC && round % 3 == 0) {
        p.phase[d][0] = 0.6;
        p.phase[d][1] = 0.8;
      }
    }
    p.potential = round % 3 != 1;
    p.potential_factor = 0.75;
    p.shift = 0.5;
    sum_finish(&p, DATA_UNIFORM, &rng);
    suite.type = p.step == 1 ? types[type].name : type ? "c64" : "c32";
    while ((v = next_variant(&number, 0)) != NULL)
      if (!v->device) cheb_case(v, &p, 2 + (int)random_below(&rng, 8), 1, &rng);
    suite.type = types[type].name;
    sum_free(&p);
  }
}

/* Work that is enough for a grid is enough for all smaller ones, fewer vectors and taps, and lower degrees. */
static void cheb_sizes(int type) {
  uint64_t rng = random_seed("cheb_sizes");
  static double taps[40];
  int round, k, d;
  (void)type;
  taps[0] = 1;
  for (round = 0; round < (suite.quick ? 1000 : 4000); round++) {
    convk_sumconv3d_shape shape[2];
    convk_sumconv_terms_f64 terms[2];
    convk_chebyshev filter[2];
    const int reach = (int)random_below(&rng, 9);
    size_t bytes[2] = {0, 0}, most[3];
    int alone; /* the axis that alone is shorter, by a few points; 3: all is less */
    hook k3;
    convk hw;
    CHECK(convk_open(&hw, "scalar") == CONVK_OK);
    memset(&k3, 0, sizeof k3);
    hw.parallel.run = hook_run;
    hw.parallel.ctx = &k3;
    hw.parallel.threads = 1 + (int)random_below(&rng, 9);
    if (random_below(&rng, 4) == 0) hw.tuning.sepconv_rows = 1 + random_below(&rng, 50);
    for (d = 0; d < 3; d++) most[d] = 1 + random_below(&rng, d == 2 && round % 4 ? 4 : 300);
    alone = round % 3 ? (int)random_below(&rng, 3) : 3;
    memset(shape, 0, sizeof shape);
    memset(terms, 0, sizeof terms);
    memset(filter, 0, sizeof filter);
    for (k = 0; k < 2; k++) {
      size_t *const n[3] = {&shape[k].in.nx, &shape[k].in.ny, &shape[k].in.nz};
      const int less = k && alone == 3 ? (int)random_below(&rng, (uint64_t)reach + 1) : reach;
      for (d = 0; d < 3; d++) {
        *n[d] = most[d];
        if (k && alone == 3) *n[d] = 1 + random_below(&rng, most[d]);
        if (k && alone == d) *n[d] -= random_below(&rng, most[d] < 20 ? most[d] : 20);
        terms[k].filter[d].lo = -less;
        terms[k].filter[d].up = less;
        terms[k].filter[d].taps = taps;
      }
      shape[k].vectors = shape[0].vectors;
      filter[k].degree = filter[0].degree;
      if (!k || alone == 3) {
        shape[k].vectors = 1 + random_below(&rng, k ? shape[0].vectors : 6);
        filter[k].degree = 1 + (int)random_below(&rng, k ? (uint64_t)filter[0].degree : 9);
      }
    }
    describe("%lux%lux%lu, then %lux%lux%lu", (unsigned long)shape[0].in.nx, (unsigned long)shape[0].in.ny,
             (unsigned long)shape[0].in.nz, (unsigned long)shape[1].in.nx, (unsigned long)shape[1].in.ny,
             (unsigned long)shape[1].in.nz);
    begin_case();
    for (k = 0; k < 2; k++)
      CHECK((round % 2 ? convk_chebyshev3d_work_size_c64(&hw, &shape[k], &terms[k], &filter[k], &bytes[k])
                       : convk_chebyshev3d_work_size_f64(&hw, &shape[k], &terms[k], &filter[k], &bytes[k])) == CONVK_OK);
    if (bytes[1] > bytes[0]) fail("%lu bytes, then %lu", (unsigned long)bytes[0], (unsigned long)bytes[1]);
    end_case();
    convk_close(&hw);
  }
}

/* Plane waves on periodic grids, which the filter multiplies by T_m((lambda - c) / e) / T_m((lowest - c) / e). */
static void cheb_waves(int type) {
  const long double turn = 2 * 3.14159265358979323846264338327950288L;
  const convk_chebyshev filter = {8, 1, 14, -0.5};
  const size_t n[3] = {20, 9, 11}, all = n[0] * n[1] * n[2];
  uint64_t rng = random_seed("cheb_waves");
  const long double c = ((long double)filter.high + filter.low) / 2, e = ((long double)filter.high - filter.low) / 2;
  int round, d, k;
  for (round = 0; round < 3; round++) {
    float taps_f32[CONVK_DERIVATIVE_TAPS], *x_f32 = (float *)need(4 * all * sizeof(float));
    double taps_f64[CONVK_DERIVATIVE_TAPS], *x = reals(4 * all);
    convk_sumconv_terms_f32 a;
    convk_sumconv_terms_f64 b;
    convk_sumconv3d_shape shape;
    long double theta[3], value = 0, at[2], want[2][2] = {{1, 0}, {1, 0}};
    size_t q, number = 0;
    variant *v;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    memset(&shape, 0, sizeof shape);
    shape.in.nx = n[0];
    shape.in.ny = n[1];
    shape.in.nz = n[2];
    for (d = 0; d < 3; d++) {
      theta[d] = turn * (long double)(round ? random_below(&rng, n[d]) : 0) / (long double)n[d];
      if (!type) CHECK(convk_derivative_filter_f32(NULL, 2, 8, -0.5, taps_f32, &a.filter[d]) == CONVK_OK);
      CHECK(convk_derivative_filter_f64(NULL, 2, 8, -0.5, taps_f64, &b.filter[d]) == CONVK_OK);
      for (k = -4; k <= 4; k++) value += taps_f64[k + 4] * cosl(k * theta[d]);
    }
    at[0] = (value - c) / e;
    at[1] = ((long double)filter.lowest - c) / e;
    for (d = 0; d < 2; d++) { /* T(k+1) = 2 t T(k) - T(k-1) */
      want[d][1] = at[d];
      for (k = 1; k < filter.degree; k++) {
        const long double next = 2 * at[d] * want[d][1] - want[d][0];
        want[d][0] = want[d][1];
        want[d][1] = next;
      }
    }
    for (q = 0; q < all; q++) {
      const long double phi = theta[0] * (long double)(q % n[0]) + theta[1] * (long double)(q / n[0] % n[1]) +
                              theta[2] * (long double)(q / n[0] / n[1]);
      x[2 * q] = (double)cosl(phi);
      x[2 * q + 1] = (double)sinl(phi);
    }
    for (q = 0; q < 2 * all; q++) x_f32[q] = (float)x[q];
    while ((v = next_variant(&number, 0)) != NULL) {
      int status;
      if (v->device) continue;
      suite.type = type ? "c64" : "c32";
      describe("wave %d", round);
      begin_case();
      status = type ? convk_chebyshev3d_c64(&v->hw, &shape, &b, &filter, x, x + 2 * all, NULL, 0)
                    : convk_chebyshev3d_c32(&v->hw, &shape, &a, &filter, x_f32, x_f32 + 2 * all, NULL, 0);
      want_status(status, CONVK_OK);
      for (q = 0; q < 2 * all; q++) {
        const long double got = type ? (long double)x[2 * all + q] : (long double)x_f32[2 * all + q];
        if (!(fabsl(got - (long double)x[q] * want[0][1] / want[1][1]) <= 500 * (long double)types[type].unit)) break;
      }
      if (q < 2 * all) fail("element %lu, of %Lg", (unsigned long)q, want[0][1] / want[1][1]);
      end_case();
    }
    suite.type = types[type].name;
    free(x);
    free(x_f32);
  }
}

/* What is refused, with nothing written. */
static void cheb_errors(int type) {
  static double in[4 * 5 * 6], out[4 * 5 * 6], work[8], taps[3] = {1, -2, 1};
  size_t number = 0;
  variant *v;
  (void)type;
  while ((v = next_variant(&number, 0)) != NULL) {
    int bad;
    if (v->device) continue; /* has tests of its own */
    for (bad = 0; bad < 20; bad++) {
      static const int wanted[20] = {0,
                                     CONVK_ERR_NULL,
                                     CONVK_ERR_NULL,
                                     CONVK_ERR_NULL,
                                     CONVK_ERR_NULL,
                                     CONVK_ERR_NULL,
                                     CONVK_ERR_OPTION,
                                     CONVK_ERR_OPTION,
                                     CONVK_ERR_OPTION,
                                     CONVK_ERR_OPTION,
                                     CONVK_ERR_OPTION,
                                     CONVK_ERR_NONFINITE,
                                     CONVK_ERR_NONFINITE,
                                     CONVK_ERR_NONFINITE,
                                     CONVK_ERR_BOUNDARY,
                                     CONVK_ERR_OVERLAP,
                                     CONVK_ERR_WORK,
                                     CONVK_ERR_NONFINITE,
                                     CONVK_ERR_NONFINITE,
                                     CONVK_ERR_NONFINITE};
      static const char *const named[20] = {"",
                                            "shape is NULL",
                                            "terms is NULL",
                                            "filter is NULL",
                                            "in is NULL",
                                            "out is NULL",
                                            "terms->add",
                                            "degree is 0",
                                            "filter->low",
                                            "filter->lowest",
                                            "filter->low",
                                            "filter->low",
                                            "high is not",
                                            "far apart",
                                            "boundary[1]",
                                            "in overlaps out",
                                            "work_size",
                                            "infinite",
                                            "infinite",
                                            "far apart"};
      convk_sumconv3d_shape shape;
      convk_sumconv_terms_f64 terms;
      convk_chebyshev filter = {3, 1, 9, -1};
      size_t i;
      int d, status;
      memset(&shape, 0, sizeof shape);
      memset(&terms, 0, sizeof terms);
      memset(out, FILL_, sizeof out);
      shape.in.nx = 4;
      shape.in.ny = 5;
      shape.in.nz = 6;
      for (d = 0; d < 3; d++) {
        terms.filter[d].lo = -1;
        terms.filter[d].up = 1;
        terms.filter[d].taps = taps;
      }
      if (bad == 6) terms.add = out;
      if (bad == 7) filter.degree = 0;
      if (bad == 8) filter.high = 1;
      if (bad == 9) filter.lowest = 1;
      if (bad == 10) filter.low = 10;
      if (bad == 11) filter.low = (double)NAN;
      if (bad == 12) filter.high = (double)INFINITY;
      if (bad == 13) {
        filter.low = -1e308;
        filter.high = 1e308;
        filter.lowest = -1.5e308;
      }
      if (bad == 14) shape.boundary[1] = CONVK_BOUNDARY_GROW;
      if (bad == 17) {
        filter.low = 1e-308;
        filter.high = 2e-308;
        filter.lowest = 0;
        terms.shift = 1e10;
      }
      if (bad == 18) { /* in the second step, whose factor is twice as large */
        filter.low = 0;
        filter.high = 2;
        filter.lowest = -1e-9;
        terms.shift = 1.2e308;
      }
      if (bad == 19) { /* half of high - low is 0 beside lowest */
        filter.low = 0;
        filter.high = 1e-20;
        filter.lowest = -1.5e308;
      }
      describe("%s", named[bad]);
      begin_case();
      status = convk_chebyshev3d_f64(&v->hw, bad == 1 ? NULL : &shape, bad == 2 ? NULL : &terms, bad == 3 ? NULL : &filter,
                                     bad == 4    ? NULL
                                     : bad == 15 ? out + 3
                                                 : in,
                                     bad == 5 ? NULL : out, bad == 16 ? work : NULL, bad == 16 ? sizeof work : 0);
      want_status(status, wanted[bad]);
      if (bad && !strstr(v->hw.message, named[bad])) fail("it says %s", v->hw.message);
      for (i = 0; status && i < sizeof out; i++)
        if (((const unsigned char *)out)[i] != FILL_) break;
      if (status && i < sizeof out) fail("the output was written");
      end_case();
    }
  }
}

/* Sums of short filters: all axes at once, where no sums are asked for, has the bits of one axis after the other. */
static void sum_short(int type) {
  uint64_t rng = random_seed("sum_short");
  double *in = reals(2 * 2 * 9 * 9 * 9), *potential = reals(17 * 17 * 17), *out[2], taps[3][9];
  int round, d, k;
  (void)type;
  for (k = 0; k < 2; k++) out[k] = reals(2 * 2 * 17 * 17 * 17);
  for (k = 0; k < 2 * 2 * 9 * 9 * 9; k++) in[k] = random_unit(&rng) - 0.5;
  for (k = 0; k < 17 * 17 * 17; k++) potential[k] = random_unit(&rng) - 0.5;
  for (round = 0; round < 60; round++) {
    convk_sumconv3d_shape shape;
    convk_sumconv_terms_f64 terms;
    convk_sumconv_sums sums[2];
    size_t number = 0;
    variant *v;
    memset(&shape, 0, sizeof shape);
    memset(&terms, 0, sizeof terms);
    shape.in.nx = 1 + random_below(&rng, 9);
    shape.in.ny = 1 + random_below(&rng, 9);
    shape.in.nz = 1 + random_below(&rng, 9);
    shape.vectors = 1 + random_below(&rng, 2);
    for (d = 0; d < 3; d++) {
      static const int boundaries[4] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_SHRINK,
                                        CONVK_BOUNDARY_ZERO};
      shape.boundary[d] = boundaries[random_below(&rng, 4)];
      for (k = 0; k < 9; k++) taps[d][k] = random_unit(&rng) - 0.5;
      terms.filter[d].lo = -(int)random_below(&rng, 5);
      terms.filter[d].up = (int)random_below(&rng, 5);
      terms.filter[d].taps = random_below(&rng, 5) ? taps[d] : NULL;
      if (round >= 40 && (shape.boundary[d] == CONVK_BOUNDARY_PERIODIC || shape.boundary[d] == CONVK_BOUNDARY_ZERO)) {
        const int by = (int)random_below(&rng, 9) - 4; /* beside the point itself */
        terms.filter[d].lo += by;
        terms.filter[d].up += by;
      }
      if (round % 2 && shape.boundary[d] == CONVK_BOUNDARY_PERIODIC && random_below(&rng, 2)) {
        terms.phase[d][0] = 0.6;
        terms.phase[d][1] = 0.8;
      }
    }
    terms.potential = random_below(&rng, 2) ? potential : NULL;
    terms.potential_factor = 0.75;
    terms.shift = 0.25;
    while ((v = next_variant(&number, 0)) != NULL) {
      int status[2];
      if (v->device) continue;
      describe("%lux%lux%lu of %d numbers", (unsigned long)shape.in.nx, (unsigned long)shape.in.ny, (unsigned long)shape.in.nz,
               1 + round % 2);
      begin_case();
      for (k = 0; k < 2; k++) {
        memset(out[k], FILL_, 2 * 2 * 17 * 17 * 17 * sizeof(double));
        status[k] = round % 2 ? convk_sumconv3d_c64(&v->hw, &shape, &terms, in, out[k], k ? sums : NULL, NULL, 0)
                              : convk_sumconv3d_f64(&v->hw, &shape, &terms, in, out[k], k ? sums : NULL, NULL, 0);
      }
      if (status[0] != status[1]) fail("status %d and %d", status[0], status[1]);
      if (memcmp(out[0], out[1], 2 * 2 * 17 * 17 * 17 * sizeof(double))) fail("bits differ with sums");
      end_case();
    }
  }
  free(in);
  free(potential);
  for (k = 0; k < 2; k++) free(out[k]);
}
