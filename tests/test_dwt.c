/* SPDX-License-Identifier: MIT
   Tests of wavelet transforms: dwt3d, idwt3d, s1_to_r, r_to_s1.  Included by test_sepconv.c. */

/* ----------------------------------------------------------------------------- one interface to both precisions -- */

typedef struct any_wavelet {
  int lo, up;
  const void *low, *high;
} any_wavelet;

enum { DWT_ANALYSIS, DWT_SYNTHESIS, DWT_R_TO_S1, DWT_S1_TO_R, DWT_KINDS };
static const char *const dwt_names[DWT_KINDS] = {"dwt3d", "idwt3d", "r_to_s1", "s1_to_r"};

#define DWT_CALLS(TYPE, T) \
  static int dwt_call_##TYPE(convk *hw, int kind, const convk_dwt3d_shape *shape, const any_wavelet *any, const void *in, \
                             void *out, void *work, size_t work_size) { \
    convk_wavelet_##TYPE w; \
    const convk_wavelet_##TYPE *const wavelet = any ? &w : NULL; \
    const T *const from = (const T *)in; \
    T *const to = (T *)out; \
    memset(&w, 0, sizeof w); \
    if (any) w.lo = any->lo, w.up = any->up, w.low = (const T *)any->low, w.high = (const T *)any->high; \
    if (kind == DWT_ANALYSIS) { \
      CALLED(convk_dwt3d_##TYPE(hw, shape, wavelet, from, to, work, work_size)) \
    } \
    if (kind == DWT_SYNTHESIS) { \
      CALLED(convk_idwt3d_##TYPE(hw, shape, wavelet, from, to, work, work_size)) \
    } \
    if (kind == DWT_R_TO_S1) { \
      CALLED(convk_r_to_s1_##TYPE(hw, shape, from, to, work, work_size)) \
    } \
    CALLED(convk_s1_to_r_##TYPE(hw, shape, from, to, work, work_size)) \
  } \
  static int dwt_work_##TYPE(convk *hw, int kind, const convk_dwt3d_shape *shape, const any_wavelet *any, size_t *bytes) { \
    convk_wavelet_##TYPE w; \
    const convk_wavelet_##TYPE *const wavelet = any ? &w : NULL; \
    memset(&w, 0, sizeof w); \
    if (any) w.lo = any->lo, w.up = any->up; \
    return kind == DWT_ANALYSIS    ? convk_dwt3d_work_size_##TYPE(hw, shape, wavelet, bytes) \
           : kind == DWT_SYNTHESIS ? convk_idwt3d_work_size_##TYPE(hw, shape, wavelet, bytes) \
           : kind == DWT_R_TO_S1   ? convk_r_to_s1_work_size_##TYPE(hw, shape, bytes) \
                                   : convk_s1_to_r_work_size_##TYPE(hw, shape, bytes); \
  } \
  static int dwt_resolve_##TYPE(convk *hw, const convk_dwt3d_shape *shape, const any_wavelet *any, \
                                convk_dwt3d_shape *resolved) { \
    convk_wavelet_##TYPE w; \
    memset(&w, 0, sizeof w); \
    if (any) w.lo = any->lo, w.up = any->up; \
    return convk_dwt3d_resolve_##TYPE(hw, shape, any ? &w : NULL, resolved); \
  } \
  static any_wavelet dwt_taps_##TYPE(int which) { \
    const convk_wavelet_##TYPE w = convk_wavelet_taps_##TYPE(which); \
    any_wavelet any; \
    any.lo = w.lo; \
    any.up = w.up; \
    any.low = w.low; \
    any.high = w.high; \
    return any; \
  }
DWT_CALLS(f32, float)
DWT_CALLS(f64, double)

static int dwt_call(int type, convk *hw, int kind, const convk_dwt3d_shape *shape, const any_wavelet *w, const void *in,
                    void *out, void *work, size_t work_size) {
  return (type ? dwt_call_f64 : dwt_call_f32)(hw, kind, shape, w, in, out, work, work_size);
}
static int dwt_work(int type, convk *hw, int kind, const convk_dwt3d_shape *shape, const any_wavelet *w, size_t *bytes) {
  return (type ? dwt_work_f64 : dwt_work_f32)(hw, kind, shape, w, bytes);
}
static int dwt_resolve(int type, convk *hw, const convk_dwt3d_shape *shape, const any_wavelet *w, convk_dwt3d_shape *resolved) {
  return (type ? dwt_resolve_f64 : dwt_resolve_f32)(hw, shape, w, resolved);
}
static any_wavelet dwt_taps(int type, int which) { return type ? dwt_taps_f64(which) : dwt_taps_f32(which); }

/* ------------------------------------------------------------------------------------------------ the reference -- */

static size_t *dwt_sizes(convk_grid3 *grid, size_t n[3]) {
  n[0] = grid->nx;
  n[1] = grid->ny;
  n[2] = grid->nz;
  return n;
}
static size_t dwt_span(const convk_grid3 *g) { return (g->nz - 1) * g->pitch_z + (g->ny - 1) * g->pitch_y + g->nx; }
static int dwt_is_free(int boundary) { return boundary == CONVK_BOUNDARY_GROW || boundary == CONVK_BOUNDARY_SHRINK; }

/* One line of a transform by its formula, added up term by term; of analysis `half` of s, then of d. */
static void dwt_line(int type, const any_wavelet *w, int boundary, int synthesis, size_t half, size_t fine,
                     const long double *in, size_t in_step, long double *out, size_t out_step) {
  const long n = (long)fine, base = dwt_is_free(boundary) ? w->lo : 0;
  size_t i;
  int l;
  for (i = 0; i < (synthesis ? fine : 2 * half); i++) out[i * out_step] = 0;
  for (i = 0; i < half; i++)
    for (l = w->lo; l <= w->up; l++) {
      const long double s = get(type, w->low, (size_t)(l - w->lo)), d = get(type, w->high, (size_t)(l - w->lo));
      long m = 2 * (long)i + l - base;
      if (boundary == CONVK_BOUNDARY_PERIODIC) m = (m % n + n) % n;
      if (m < 0 || m >= n) continue;
      if (synthesis) {
        out[(size_t)m * out_step] += s * in[i * in_step] + d * in[(half + i) * in_step];
      } else {
        out[i * out_step] += s * in[(size_t)m * in_step];
        out[(half + i) * out_step] += d * in[(size_t)m * in_step];
      }
    }
}

/* One level between packed arrays. */
static long double *dwt_level(int type, const any_wavelet *w, const int boundary[3], int synthesis, const size_t half[3],
                              const size_t fine[3], const long double *x) {
  size_t n[3], d, i, j;
  long double *from = NULL;
  for (d = 0; d < 3; d++) n[d] = synthesis ? 2 * half[d] : fine[d];
  for (d = 0; d < 3; d++) {
    const size_t a = (d + 1) % 3, b = (d + 2) % 3, step_in[3] = {1, n[0], n[0] * n[1]};
    size_t step_out[3];
    long double *to;
    n[d] = synthesis ? fine[d] : 2 * half[d];
    step_out[0] = 1;
    step_out[1] = n[0];
    step_out[2] = n[0] * n[1];
    to = (long double *)need(n[0] * n[1] * n[2] * sizeof *to);
    for (i = 0; i < n[a]; i++)
      for (j = 0; j < n[b]; j++)
        dwt_line(type, w, boundary[d], synthesis, half[d], fine[d], (from ? from : x) + i * step_in[a] + j * step_in[b],
                 step_in[d], to + i * step_out[a] + j * step_out[b], step_out[d]);
    free(from);
    from = to;
  }
  return from;
}

/* All levels of a resolved shape, in place of nothing: a packed array of the output; *used says which of it is written. */
static long double *dwt_reference(int type, const any_wavelet *w, const convk_dwt3d_shape *shape, int synthesis,
                                  const long double *x, unsigned char *used) {
  convk_grid3 fine_grid = shape->fine, coarse_grid = shape->coarse;
  size_t fine[3], whole[3], half[9][3], k, z, y, i;
  long double *now = NULL, *out;
  int level, d, levels = shape->levels;
  dwt_sizes(&fine_grid, fine);
  dwt_sizes(&coarse_grid, whole);
  for (d = 0; d < 3; d++) half[0][d] = whole[d] / 2;
  for (level = 1; level < levels; level++)
    for (d = 0; d < 3; d++)
      half[level][d] = (half[level - 1][d] - (dwt_is_free(shape->boundary[d]) ? (size_t)(w->up - w->lo - 1) : 0)) / 2;
  if (!synthesis) {
    out = (long double *)need(whole[0] * whole[1] * whole[2] * sizeof *out);
    memset(used, 0, whole[0] * whole[1] * whole[2]);
  } else {
    out = NULL;
    memset(used, 1, fine[0] * fine[1] * fine[2]);
  }
  for (k = 0; k < (size_t)levels; k++) {
    const int l = synthesis ? levels - 1 - (int)k : (int)k;
    const size_t *const h = half[l], *const f = l ? half[l - 1] : fine;
    const size_t n[3] = {2 * h[0], 2 * h[1], 2 * h[2]};
    long double *next;
    if (synthesis) {
      long double *in = (long double *)need(n[0] * n[1] * n[2] * sizeof *in);
      for (z = 0; z < n[2]; z++)
        for (y = 0; y < n[1]; y++)
          for (i = 0; i < n[0]; i++)
            in[i + n[0] * (y + n[1] * z)] =
                now && i < h[0] && y < h[1] && z < h[2] ? now[i + h[0] * (y + h[1] * z)] : x[i + whole[0] * (y + whole[1] * z)];
      next = dwt_level(type, w, shape->boundary, 1, h, f, in);
      free(in);
      free(now);
      now = next;
      continue;
    }
    next = dwt_level(type, w, shape->boundary, 0, h, f, now ? now : x);
    free(now);
    now = (long double *)need(h[0] * h[1] * h[2] * sizeof *now);
    for (z = 0; z < n[2]; z++)
      for (y = 0; y < n[1]; y++)
        for (i = 0; i < n[0]; i++) {
          const size_t to = i + whole[0] * (y + whole[1] * z);
          const int low = i < h[0] && y < h[1] && z < h[2];
          const long double value = next[i + n[0] * (y + n[1] * z)];
          if (low) now[i + h[0] * (y + h[1] * z)] = value;
          out[to] = value;
          used[to] = !low || k + 1 == (size_t)levels;
        }
    free(next);
  }
  if (synthesis) return now;
  free(now);
  return out;
}

/* ---------------------------------------------------------------------------------------------- shapes and bits -- */

/* The absolute sum of taps that meet a point: what rounding grows with. */
static double dwt_norm(int type, const any_wavelet *w) {
  double sum[2] = {0, 0};
  int k;
  for (k = 0; k <= w->up - w->lo; k++) {
    sum[0] += fabs(get(type, w->low, (size_t)k));
    sum[1] += fabs(get(type, w->high, (size_t)k));
  }
  return sum[0] + sum[1] > 1 ? sum[0] + sum[1] : 1;
}

static void dwt_describe(const convk_dwt3d_shape *s, const any_wavelet *w, int kind) {
  describe("%s %lux%lux%lu boundaries %d%d%d levels %d taps %d..%d", dwt_names[kind], (unsigned long)s->fine.nx,
           (unsigned long)s->fine.ny, (unsigned long)s->fine.nz, s->boundary[0], s->boundary[1], s->boundary[2], s->levels,
           w->lo, w->up);
}

/* Whether a case leaves out a device which compiles kernels for it. */
static int dwt_turn;
static int dwt_leaves(const variant *v) { return suite.quick && v->thin && dwt_turn % (int)v->thin; }

/* One transform of a resolved shape on every hardware, in so many ways each, against the reference, with the same bits. */
static void dwt_case(int type, int kind, const convk_dwt3d_shape *s, const any_wavelet *w, const execution *ways, size_t count,
                     uint64_t *rng) {
  const int synthesis = kind & 1;
  const convk_grid3 *const gi = synthesis ? &s->coarse : &s->fine, *const go = synthesis ? &s->fine : &s->coarse;
  const size_t size = type ? sizeof(double) : sizeof(float), packed = gi->nx * gi->ny * gi->nz,
               results = go->nx * go->ny * go->nz;
  const double limit = (type ? 4e-16 : 2.2e-7) * pow(dwt_norm(type, w), 3) * s->levels * (kind > 1 ? 2 : 1) * slack();
  unsigned char *const used = (unsigned char *)need(results), *const bits = (unsigned char *)need(results * size);
  long double *x = (long double *)need(packed * sizeof *x), *want;
  guard in = guard_new(dwt_span(gi) * size, (int)random_below(rng, 2), random_below(rng, 3) * size), out;
  size_t i, y, z, number = 0, way;
  class_results known;
  variant *v;
  memset(&known, 0, sizeof known);
  dwt_turn++;
  for (i = 0; i < dwt_span(gi); i++) put(type, in.data, i, (double)NAN);
  for (z = 0; z < gi->nz; z++)
    for (y = 0; y < gi->ny; y++)
      for (i = 0; i < gi->nx; i++) {
        const size_t at = i + gi->pitch_y * y + gi->pitch_z * z;
        put(type, in.data, at, random_unit(rng));
        x[i + gi->nx * (y + gi->ny * z)] = get(type, in.data, at);
      }
  want = dwt_reference(type, w, s, synthesis, x, used);
  while ((v = next_variant(&number, packed)) != NULL) {
    if (dwt_leaves(v)) continue;
    for (way = 0; way < (v->device ? 1 : count); way++) { /* most of the ways are about processors */
      hook k = hook_new(ways[way].hook, ways[way].threads, random64(rng));
      convk copy, *hw = handle_for(v, &copy, &ways[way], &k);
      const long live = heap.live;
      size_t bytes = 0;
      double worst = 0;
      workspace work;
      dwt_describe(s, w, kind);
      execution_describe(&ways[way]);
      begin_case();
      check_status(dwt_work(type, hw, kind, s, w, &bytes), live);
      work = workspace_new(ways[way].work, bytes, rng);
      out = guard_new(dwt_span(go) * size, (int)random_below(rng, 2), random_below(rng, 20) * size);
      check_status(dwt_call(type, hw, kind, s, w, in.data, out.data, work.work, work.size), live);
      workspace_end(&work);
      if (!guard_intact(&in) || !guard_intact(&out)) fail("memory around an array was written");
      for (z = 0; z < go->nz; z++)
        for (y = 0; y < go->ny; y++)
          for (i = 0; i < go->pitch_y; i++) {
            const size_t at = i + go->pitch_y * y + go->pitch_z * z, p = i + go->nx * (y + go->ny * z);
            if (i >= go->nx || !used[p]) {
              if (at < dwt_span(go) && !all_fill(out.data + at * size, out.data + (at + 1) * size))
                fail("what is not used was written");
              if (i < go->nx) memset(bits + p * size, 0, size);
            } else {
              const double error = (double)fabsl(get(type, out.data, at) - want[p]);
              memcpy(bits + p * size, out.data + at * size, size);
              if (!(error <= worst)) worst = error;
            }
          }
      if (!same_as_class(&known, v, bits, results * size) && !(worst <= limit))
        fail("error %.3g, more than %.3g", worst, limit);
      guard_free(&out);
      end_case();
    }
  }
  class_results_end(&known);
  guard_free(&in);
  free(used);
  free(bits);
  free(x);
  free(want);
}

/* A shape of `half` points of s along each axis, or where that is too little for its levels, of as few as it takes; odd pitches. */
static convk_dwt3d_shape dwt_shape(int type, const any_wavelet *w, const size_t half[3], const int boundary[3], int levels,
                                   int padded) {
  convk_dwt3d_shape s, full;
  size_t n[3];
  int d, level;
  memset(&s, 0, sizeof s);
  memset(&full, 0, sizeof full);
  for (d = 0; d < 3; d++) {
    const size_t more = dwt_is_free(boundary[d]) ? (size_t)(w->up - w->lo - 1) : 0;
    n[d] = half[d] >> (levels - 1);
    if (!n[d]) n[d] = 1;
    for (level = 1; level < levels; level++) n[d] = 2 * n[d] + more;
    n[d] *= 2;
    s.boundary[d] = boundary[d];
  }
  s.coarse.nx = n[0];
  s.coarse.ny = n[1];
  s.coarse.nz = n[2];
  s.levels = levels;
  if (padded) {
    s.coarse.pitch_y = n[0] + 3;
    s.coarse.pitch_z = s.coarse.pitch_y * n[1] + 1;
  }
  if (dwt_resolve(type, NULL, &s, w, &full)) fail("no shape");
  if (padded) {
    full.fine.pitch_y += 1;
    full.fine.pitch_z = full.fine.pitch_y * full.fine.ny + 2;
  }
  return full;
}

static const int dwt_boundaries[] = {CONVK_BOUNDARY_PERIODIC, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_ZERO, CONVK_BOUNDARY_SHRINK};

static void dwt_shapes(int type) {
  static const size_t halves[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 31, 33};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, cases = suite.quick ? 36 : 400;
  for (c = 0; c < cases; c++) {
    double taps[2][64];
    any_wavelet w = dwt_taps(type, (int)(c % 3));
    execution ways[2];
    convk_dwt3d_shape s;
    size_t half[3];
    int boundary[3], d, kind = c % 3 == 2 ? DWT_R_TO_S1 : DWT_ANALYSIS, levels = 1;
    guard low, high;
    memset(&low, 0, sizeof low);
    memset(&high, 0, sizeof high);
    for (d = 0; d < 3; d++) {
      half[d] = c < 8 ? 1 + c : halves[random_below(&rng, random_below(&rng, 6) ? 8 : COUNT_OF(halves))];
      boundary[d] = dwt_boundaries[c < 12 ? c / 3 : random_below(&rng, 4)];
    }
    if (random_below(&rng, 3) == 0) { /* any pair, of which the taps lie before a page that is not there */
      const size_t size = type ? sizeof(double) : sizeof(float);
      int n = random_below(&rng, 4) ? random_int(&rng, 2, 20) : random_int(&rng, 2, 64), k;
      w.lo = random_below(&rng, 8) ? random_int(&rng, -n, 4) : random_int(&rng, -200, 200);
      w.up = w.lo + n - 1;
      low = guard_new((size_t)n * size, AT_END, 0);
      high = guard_new((size_t)n * size, AT_END, 0);
      for (k = 0; k < n; k++) {
        taps[0][k] = random_unit(&rng) / n;
        taps[1][k] = random_unit(&rng) / n;
        put(type, low.data, (size_t)k, taps[0][k]);
        put(type, high.data, (size_t)k, taps[1][k]);
      }
      w.low = low.data;
      w.high = high.data;
      kind = DWT_ANALYSIS;
    }
    if (kind == DWT_ANALYSIS && w.up - w.lo < 20 && random_below(&rng, 3) == 0) levels = random_int(&rng, 2, 3);
    if (levels > 1) half[random_below(&rng, 3)] = 4;
    if (levels > 1 && suite.quick)
      boundary[c % 3] = boundary[(c + 1) % 3] = CONVK_BOUNDARY_PERIODIC; /* others make arrays large */
    s = dwt_shape(type, &w, half, boundary, levels, (int)random_below(&rng, 2));
    for (d = 0; d < 2; d++) ways[d] = any_execution(&rng);
    dwt_case(type, kind, &s, &w, ways, 2, &rng);
    dwt_case(type, kind + 1, &s, &w, ways, 2, &rng);
    if (low.map) guard_free(&low);
    if (high.map) guard_free(&high);
  }
}

/* Filters that lie far off, either way. */
static void dwt_far(int type) {
  static const int reaches[][2] = {{-190, -175}, {150, 163}, {-1024, -1009}, {1010, 1024}, {-40, 23}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, k;
  for (c = 0; c < COUNT_OF(reaches) * 4; c++) {
    const int boundary[3] = {dwt_boundaries[c % 4], dwt_boundaries[c / 4 % 4], CONVK_BOUNDARY_ZERO};
    const size_t half[3] = {100, 5, 4};
    execution way = any_execution(&rng);
    double taps[2][64];
    any_wavelet w;
    convk_dwt3d_shape s;
    w.lo = reaches[c / 4][0];
    w.up = reaches[c / 4][1];
    w.low = taps[0];
    w.high = taps[1];
    for (k = 0; k < 64; k++) {
      put(type, taps[0], k, random_unit(&rng) / 16);
      put(type, taps[1], k, random_unit(&rng) / 16);
    }
    s = dwt_shape(type, &w, half, boundary, 1, 1);
    dwt_case(type, DWT_ANALYSIS, &s, &w, &way, 1, &rng);
    dwt_case(type, DWT_SYNTHESIS, &s, &w, &way, 1, &rng);
  }
}

/* Larger ones, cut in every way. */
static void dwt_cuts(int type) {
  static const size_t halves[][3] = {{36, 20, 12}, {5, 3, 60}, {17, 33, 9}, {64, 8, 8}};
  static const size_t rows[] = {0, 1, 8, 24, 1000};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c;
  for (c = 0; c < (suite.quick ? 4 : COUNT_OF(halves) * 3); c++) {
    const any_wavelet w = dwt_taps(type, c % 2 ? CONVK_WAVELET_VALUES : CONVK_WAVELET_DAUBECHIES16);
    const int boundary[3] = {dwt_boundaries[c % 3], dwt_boundaries[(c + c / 3) % 3], dwt_boundaries[(c + 1) % 3]};
    const convk_dwt3d_shape s = dwt_shape(type, &w, halves[c % COUNT_OF(halves)], boundary, 1, (int)(c / 2 % 2));
    const int kind = c % 2 ? DWT_R_TO_S1 : DWT_ANALYSIS;
    execution ways[10];
    const size_t count = suite.quick ? COUNT_OF(rows) : COUNT_OF(ways);
    size_t i;
    for (i = 0; i < count; i++) {
      ways[i] = any_execution(&rng);
      ways[i].rows = rows[i % COUNT_OF(rows)];
      ways[i].threads = 1 + (int)i / 2;
      if (ways[i].threads > 1 && !ways[i].hook) ways[i].hook = HOOK_SHUFFLED;
    }
    dwt_case(type, kind, &s, &w, ways, (int)count, &rng);
    dwt_case(type, kind + 1, &s, &w, ways, (int)count, &rng);
  }
}

/* --------------------------------------------------------------------------------------------------- identities -- */

/* Taps: orthonormal, with vanishing moments; the pair of values is the magic filter and the wavelet in one. */
static void dwt_filters(int type) {
  static const int moments[2] = {8, 4};
  const double unit = type ? 2.3e-16 : 1.2e-7;
  const any_filter magic = sepconv_types[type].taps(CONVK_FORWARD);
  const any_wavelet none = dwt_taps(type, 3), d16 = dwt_taps(type, CONVK_WAVELET_DAUBECHIES16),
                    values = dwt_taps(type, CONVK_WAVELET_VALUES);
  int which, k, m, f, l;
  CHECK(!none.low && !none.high && !dwt_taps(type, -1).low);
  for (which = 0; which < 2; which++) {
    const any_wavelet w = dwt_taps(type, which);
    const int n = w.up - w.lo + 1;
    describe("pair %d", which);
    begin_case();
    if (n != (which ? 8 : 16) || w.lo != -(n / 2 - 1)) fail("%d taps from %d", n, w.lo);
    for (m = 0; m < n / 2; m++) {
      long double ss = 0, dd = 0, sd = 0;
      for (k = 0; k + 2 * m < n; k++) {
        ss += (long double)get(type, w.low, (size_t)k) * get(type, w.low, (size_t)(k + 2 * m));
        dd += (long double)get(type, w.high, (size_t)k) * get(type, w.high, (size_t)(k + 2 * m));
        sd += (long double)get(type, w.low, (size_t)k) * get(type, w.high, (size_t)(k + 2 * m));
      }
      if (fabsl(ss - !m) > 2 * unit || fabsl(dd - !m) > 2 * unit || fabsl(sd) > 2 * unit) fail("not orthonormal at %d", m);
    }
    for (m = 0; m < moments[which]; m++) {
      long double sum = 0, size = 0;
      for (k = 0; k < n; k++) {
        const long double term = get(type, w.high, (size_t)k) * powl(w.lo + k, m);
        sum += term;
        size += fabsl(term);
      }
      if (fabsl(sum) > unit * size * 2) fail("moment %d is %Lg of %Lg", m, sum, size);
    }
    for (l = w.lo; l <= w.up; l++)
      if (get(type, w.high, (size_t)(l - w.lo)) != (l % 2 ? -1 : 1) * get(type, w.low, (size_t)(1 - l - w.lo)))
        fail("tap %d", l);
    end_case();
  }
  describe("values");
  begin_case();
  if (values.lo != d16.lo - magic.up || values.up != d16.up - magic.lo) fail("%d..%d", values.lo, values.up);
  for (f = 0; f < 2; f++)
    for (l = values.lo; l <= values.up; l++) {
      const void *const taps = f ? d16.high : d16.low;
      long double sum = 0;
      for (k = magic.lo; k <= magic.up; k++)
        if (l + k >= d16.lo && l + k <= d16.up)
          sum += (long double)get(type, magic.taps, (size_t)(k - magic.lo)) * get(type, taps, (size_t)(l + k - d16.lo));
      if (fabsl(sum - get(type, f ? values.high : values.low, (size_t)(l - values.lo))) > unit)
        fail("tap %d of filter %d", l, f);
    }
  end_case();
}

static double dwt_dot(int type, const void *a, const void *b, size_t n) {
  long double sum = 0;
  while (n--) sum += (long double)get(type, a, n) * get(type, b, n);
  return (double)sum;
}

/* There and back, norms, adjoints, and two passes in one, on packed grids. */
static void dwt_identities(int type) {
  const double unit = type ? 1.2e-16 : 6e-8;
  const size_t size = type ? sizeof(double) : sizeof(float);
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c, i;
  for (c = 0; c < (suite.quick ? 12u : 48u); c++) {
    const int which = (int)(c % 2), b = c / 2 % 3 == 0 ? 0 : c / 2 % 3 == 1 ? 1 : -1;
    const int boundary[3] = {b < 0 ? 1 : b, b < 0 ? 0 : b, b < 0 ? 2 * 0 : b};
    const any_wavelet w = dwt_taps(type, which), fused = dwt_taps(type, CONVK_WAVELET_VALUES);
    const size_t half[3] = {1 + random_below(&rng, 20), 1 + random_below(&rng, 14), 1 + random_below(&rng, 14)};
    const convk_dwt3d_shape s = dwt_shape(type, &w, half, boundary, c % 4 == 3 ? 2 : 1, 0);
    const convk_dwt3d_shape r = dwt_shape(type, &fused, half, boundary, 1, 0), one = dwt_shape(type, &w, half, boundary, 1, 0);
    const size_t nf = dwt_span(&s.fine), nc = dwt_span(&s.coarse), nr = dwt_span(&r.fine), n1 = dwt_span(&r.coarse),
                 n0 = dwt_span(&one.fine);
    const size_t most = (nf > nr ? nf : nr) + nc + n0;
    void *const x = need(most * size), *const y = need(most * size), *const back = need(most * size),
                *const other = need(most * size);
    size_t number = 0;
    variant *v;
    dwt_turn++;
    while ((v = next_variant(&number, nf)) != NULL) {
      double a, a2, worst = 0;
      if (dwt_leaves(v)) continue;
      dwt_describe(&s, &w, DWT_SYNTHESIS);
      begin_case();
      memset(y, 0, most * size); /* coefficients that are not used */
      for (i = 0; i < nf; i++) put(type, x, i, random_unit(&rng));
      want_status(dwt_call(type, &v->hw, DWT_ANALYSIS, &s, &w, x, y, NULL, 0), CONVK_OK);
      want_status(dwt_call(type, &v->hw, DWT_SYNTHESIS, &s, &w, y, back, NULL, 0), CONVK_OK);
      a = dwt_dot(type, x, x, nf);
      a2 = dwt_dot(type, y, y, nc);
      if (boundary[0] == CONVK_BOUNDARY_PERIODIC && boundary[1] == CONVK_BOUNDARY_PERIODIC) {
        for (i = 0; i < nf; i++) worst = fmax(worst, fabs(get(type, x, i) - get(type, back, i)));
        if (worst > 24 * unit) fail("there and back errs by %g", worst);
        if (fabs(a - a2) > 16 * unit * a) fail("the norm %g became %g", a, a2);
      }
      if (fabs(dwt_dot(type, x, back, nf) - a2) > 40 * unit * (a + a2))
        fail("<x, back> is %g, not %g", dwt_dot(type, x, back, nf), a2);
      /* the other way round: coefficients first, which free ends keep */
      for (i = 0; i < n1; i++) put(type, y, i, random_unit(&rng));
      want_status(dwt_call(type, &v->hw, DWT_SYNTHESIS, &one, &w, y, x, NULL, 0), CONVK_OK);
      want_status(dwt_call(type, &v->hw, DWT_ANALYSIS, &one, &w, x, back, NULL, 0), CONVK_OK);
      for (i = 0, worst = 0; i < n1; i++) worst = fmax(worst, fabs(get(type, y, i) - get(type, back, i)));
      if (worst > 24 * unit) fail("coefficients there and back err by %g", worst);
      end_case();
      if (which) continue;
      dwt_describe(&r, &fused, DWT_S1_TO_R);
      begin_case();
      {
        convk_sepconv3d_shape m;
        any_filter f[3];
        memset(&m, 0, sizeof m);
        f[0] = f[1] = f[2] = sepconv_types[type].taps(CONVK_FORWARD);
        want_status(dwt_call(type, &v->hw, DWT_S1_TO_R, &r, NULL, y, back, NULL, 0), CONVK_OK);
        want_status(sepconv_types[type].sepconv3d(&v->hw, &one.fine, &r.fine, f, boundary, NULL, x, other, NULL, 0), CONVK_OK);
        for (i = 0, worst = 0; i < nr; i++) worst = fmax(worst, fabs(get(type, other, i) - get(type, back, i)));
        if (worst > (type ? 4e-15 : 2e-6)) fail("composed and fused differ by %g", worst);
        for (i = 0; i < nr; i++) put(type, x, i, random_unit(&rng));
        a = dwt_dot(type, x, back, nr);
        want_status(dwt_call(type, &v->hw, DWT_R_TO_S1, &r, NULL, x, other, NULL, 0), CONVK_OK);
        a2 = dwt_dot(type, y, other, n1);
        if (fabs(a - a2) > 60 * unit * (dwt_dot(type, x, x, nr) + dwt_dot(type, y, y, n1))) fail("adjoint: %g, not %g", a, a2);
      }
      end_case();
    }
    free(x);
    free(y);
    free(back);
    free(other);
  }
}

/* NaN and infinity reach what their taps reach, and no further. */
static void dwt_special(int type) {
  const any_wavelet w = dwt_taps(type, CONVK_WAVELET_VALUES);
  const size_t half[3] = {20, 9, 9}, size = type ? sizeof(double) : sizeof(float);
  const int boundary[3] = {1, 1, 1};
  const convk_dwt3d_shape s = dwt_shape(type, &w, half, boundary, 1, 0);
  const size_t nc = dwt_span(&s.coarse), nf = dwt_span(&s.fine);
  void *const x = need(nc * size), *const y = need(nf * size);
  size_t number = 0, px, py, pz;
  variant *v;
  while ((v = next_variant(&number, nf)) != NULL) {
    describe("a NaN at s[7], s[3], d[4]");
    begin_case();
    memset(x, 0, nc * size);
    put(type, x, 7 + 40 * (3 + 18 * (9 + 4)), (double)NAN);
    want_status(dwt_call(type, &v->hw, DWT_S1_TO_R, &s, NULL, x, y, NULL, 0), CONVK_OK);
    for (pz = 0; pz < s.fine.nz; pz++)
      for (py = 0; py < s.fine.ny; py++)
        for (px = 0; px < s.fine.nx; px++) {
          const double got = get(type, y, px + s.fine.nx * (py + s.fine.ny * pz));
          const int reached = px >= 14 && px <= 14 + 30 && py >= 6 && py <= 6 + 30 && pz >= 8 && pz <= 8 + 30;
          if (reached != (got != got))
            fail("point %lu %lu %lu is %g", (unsigned long)px, (unsigned long)py, (unsigned long)pz, got);
        }
    end_case();
  }
  free(x);
  free(y);
}

/* -------------------------------------------------------------------------------------------------- refusals, sizes -- */

static void dwt_refused(int type, convk *hw, int kind, const convk_dwt3d_shape *s, const any_wavelet *w, void *in, void *out,
                        void *work, size_t work_size, int wanted, const char *text) {
  const size_t size = type ? sizeof(double) : sizeof(float);
  unsigned char before[12000];
  const long total = heap.total;
  int status;
  describe("%s: %s", dwt_names[kind], text);
  begin_case();
  if (out) memset(out, 77, 1000 * size);
  memset(before, 77, sizeof before);
  status = dwt_call(type, hw, kind, s, w, in, out, work, work_size);
  want_status(status, wanted);
  want_checked_first(wanted, total);
  if (hw && wanted != CONVK_ERR_HANDLE) want_said(hw->message, wanted, text);
  if (out && memcmp(out, before, 1000 * size)) fail("the output was written");
  end_case();
}

static void dwt_errors(int type) {
  const size_t size = type ? sizeof(double) : sizeof(float);
  void *const in = need(6000 * size), *const out = need(6000 * size), *const work = need(1000);
  const int boundary[3] = {0, 0, 0};
  const size_t half[3] = {4, 3, 2};
  size_t number = 0, bytes;
  variant *v;
  memset(in, 0, 6000 * size);
  while ((v = next_variant(&number, 1)) != NULL) {
    int kind;
    for (kind = 0; kind < DWT_KINDS; kind++) {
      const int values = kind > 1, synthesis = kind & 1;
      any_wavelet w = dwt_taps(type, values ? CONVK_WAVELET_VALUES : CONVK_WAVELET_DAUBECHIES16), bad = w;
      const convk_dwt3d_shape good = dwt_shape(type, &w, half, boundary, 1, 0);
      convk_dwt3d_shape s = good;
      convk *const hw = &v->hw;
      double none[64];
      char last[24];
#define REFUSED(status, text) dwt_refused(type, hw, kind, &s, &bad, in, out, NULL, 0, status, text)
      dwt_refused(type, hw, kind, NULL, &w, in, out, NULL, 0, CONVK_ERR_NULL, "shape");
      dwt_refused(type, hw, kind, &s, &w, NULL, out, NULL, 0, CONVK_ERR_NULL,
                  values      ? (synthesis ? "coarse" : "values")
                  : synthesis ? "coarse"
                              : "fine");
      dwt_refused(type, hw, kind, &s, &w, in, NULL, NULL, 0, CONVK_ERR_NULL,
                  values      ? (synthesis ? "values" : "coarse")
                  : synthesis ? "fine"
                              : "coarse");
      dwt_refused(type, hw, kind, &s, &w, in, (char *)in + 8, NULL, 0, CONVK_ERR_OVERLAP, "overlaps");
      dwt_refused(type, hw, kind, &s, &w, (char *)out + 8, out, NULL, 0, CONVK_ERR_OVERLAP, "overlaps");
      if (!v->device) { /* which ignore it */
        dwt_refused(type, hw, kind, &s, &w, in, (char *)out + 8, out, 1000, CONVK_ERR_OVERLAP, "work");
        dwt_refused(type, hw, kind, &s, &w, in, out, in, 1000, CONVK_ERR_OVERLAP, "work");
        dwt_refused(type, hw, kind, &s, &w, in, out, out, 1000, CONVK_ERR_OVERLAP, "work");
        dwt_refused(type, hw, kind, &s, &w, in, out, work, 1000, CONVK_ERR_WORK, "work_size is 1000");
      }
      s.fine.nx = 7;
      s.fine.pitch_y = s.fine.pitch_z = s.coarse.nx = s.coarse.ny = s.coarse.nz = 0;
      REFUSED(CONVK_ERR_ODD, "shape->fine has 7 points along axis 0");
      s = good;
      s.fine.nx = s.fine.ny = s.fine.nz = 0;
      s.coarse.nz = 5;
      REFUSED(CONVK_ERR_ODD, "shape->coarse has 5 points along axis 2");
      s = good;
      s.coarse.ny = 8;
      s.coarse.pitch_z = 0;
      REFUSED(CONVK_ERR_SIZE, "shape->coarse must have 6 points along axis 1");
      s = good;
      s.coarse.ny = 0;
      REFUSED(CONVK_ERR_SIZE, "shape->coarse.ny is 0");
      memset(&s.fine, 0, sizeof s.fine);
      memset(&s.coarse, 0, sizeof s.coarse);
      REFUSED(CONVK_ERR_SIZE, "no sizes");
      s = good;
      s.fine.pitch_y = 7;
      REFUSED(CONVK_ERR_PITCH, "shape->fine.pitch_y");
      s = good;
      s.boundary[1] = 4;
      REFUSED(CONVK_ERR_BOUNDARY, "shape->boundary[1] is 4");
      s = good;
      s.boundary[2] = CONVK_BOUNDARY_SHRINK;
      memset(&s.coarse, 0, sizeof s.coarse);
      REFUSED(CONVK_ERR_SHRINK, "shape->boundary[2]");
      s = good;
      s.levels = 2;
      REFUSED(CONVK_ERR_LEVELS, values ? "values have one" : "axis 1 can be halved 1 times");
      s.coarse.ny = s.fine.ny = 4;
      s.coarse.pitch_z = s.fine.pitch_z = 0;
      if (values) REFUSED(CONVK_ERR_LEVELS, "values have one");
      s.levels = 3;
      REFUSED(CONVK_ERR_LEVELS, "shape->levels");
      s = good;
      s.levels = -1;
      REFUSED(CONVK_ERR_LEVELS, "shape->levels is -1");
      s.levels = 1000;
      REFUSED(CONVK_ERR_LEVELS, "shape->levels is 1000");
      s = good;
      if (values) continue;
      dwt_refused(type, hw, kind, &s, NULL, in, out, NULL, 0, CONVK_ERR_NULL, "wavelet is NULL");
      bad = dwt_taps(type, 17);
      REFUSED(CONVK_ERR_NULL, "wavelet->low is NULL");
      bad = w;
      bad.low = NULL;
      REFUSED(CONVK_ERR_NULL, "wavelet->low is NULL");
      bad = w;
      bad.high = NULL;
      REFUSED(CONVK_ERR_NULL, "wavelet->high is NULL");
      bad = w;
      bad.up = bad.lo;
      REFUSED(CONVK_ERR_TAPS, "not 2 to 64 taps");
      bad.up = bad.lo + 64;
      REFUSED(CONVK_ERR_TAPS, "not 2 to 64 taps");
      bad.lo = -1025;
      bad.up = -1020;
      REFUSED(CONVK_ERR_TAPS, "too far off");
      bad = w;
      memset(none, 0, sizeof none);
      put(type, none, 5, (double)INFINITY);
      bad.high = none;
      REFUSED(CONVK_ERR_NONFINITE, "tap 5");
      bad.high = w.high;
      bad.low = none;
      REFUSED(CONVK_ERR_NONFINITE, "tap 5");
      put(type, none, 5, 0);
      put(type, none, (size_t)(w.up - w.lo), (double)INFINITY);
      snprintf(last, sizeof last, "tap %d of", w.up - w.lo);
      REFUSED(CONVK_ERR_NONFINITE, last);
      bytes = 12345;
      describe("work_size");
      begin_case();
      want_status(dwt_work(type, hw, kind, &s, NULL, &bytes), CONVK_ERR_NULL);
      want_status(dwt_work(type, hw, kind, NULL, &w, &bytes), CONVK_ERR_NULL);
      want_status(dwt_work(type, hw, kind, &s, &w, NULL), CONVK_ERR_NULL);
      want_status(dwt_resolve(type, hw, &s, &w, NULL), CONVK_ERR_NULL);
      want_status(dwt_resolve(type, hw, &s, NULL, &s), CONVK_ERR_NULL);
      s.coarse.nx = HUGE_;
      s.coarse.pitch_y = s.coarse.pitch_z = 0;
      want_status(dwt_work(type, hw, kind, &s, &w, &bytes), CONVK_ERR_OVERFLOW);
      if (bytes != 12345) fail("bytes was written");
      end_case();
#undef REFUSED
    }
  }
  free(in);
  free(out);
  free(work);
}

/* Only the tiles of an entry are too large to be counted: the handle says so nevertheless. */
static void dwt_work_entry(int type) {
  size_t number = 0;
  variant *v;
  while ((v = next_variant(&number, 1)) != NULL) {
    int kind;
    for (kind = 0; kind < 2 && !v->device; kind++) { /* which do not go by them */
      const any_wavelet w = dwt_taps(type, CONVK_WAVELET_DAUBECHIES16);
      convk copy = v->hw;
      convk_dwt3d_shape s;
      convk_tuned entry;
      size_t bytes = 0;
      memset(&s, 0, sizeof s);
      s.fine.nx = (((size_t)-1 >> 18) + 1) * (type ? 1 : 2);
      s.fine.ny = 1024;
      s.fine.nz = 2;
      copy.parallel.run = NULL;
      describe("%s: no entry", dwt_names[kind]);
      begin_case();
      want_status(dwt_work(type, &copy, kind, &s, &w, &bytes), CONVK_OK);
      end_case();
      memset(&entry, 0, sizeof entry);
      strcpy(entry.operation, kind ? "idwt3d" : "dwt3d");
      strcpy(entry.type, types[type].name);
      strcpy(entry.hw, copy.name);
      strcpy(entry.machine, copy.machine);
      entry.threads = 1;
      entry.nx = entry.ny = entry.nz = 64;
      entry.length = 16;
      entry.choice[CONVK_TUNE_ROWS] = 1 << 20;
      copy.tuned = &entry;
      copy.ntuned = 1;
      describe("%s: all rows", dwt_names[kind]);
      begin_case();
      want_status(dwt_work(type, &copy, kind, &s, &w, &bytes), CONVK_ERR_OVERFLOW);
      want_said(copy.message, CONVK_ERR_OVERFLOW, "shape needs more work");
      end_case();
    }
  }
}

/* The work of a grid is enough for all that are smaller, on as many threads. */
static void dwt_work_monotone(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c;
  for (c = 0; c < (suite.quick ? 300u : 3000u); c++) {
    const int kind = (int)random_below(&rng, DWT_KINDS), levels = kind > 1 ? 1 : random_int(&rng, 1, 3);
    const any_wavelet w = dwt_taps(type, kind > 1 ? CONVK_WAVELET_VALUES : (int)random_below(&rng, 2));
    execution e = any_execution(&rng);
    hook k = hook_new(HOOK_REVERSED, e.threads, 1);
    size_t half[3], less[3], number = 0, bytes = 0, smaller = 0;
    int boundary[3], d;
    convk copy, *hw;
    convk_dwt3d_shape s, t;
    variant *v = next_variant(&number, 1);
    while (v && v->device) v = next_variant(&number, 1);
    if (!v) return;
    for (d = 0; d < 3; d++) {
      half[d] = 1 + random_below(&rng, random_below(&rng, 3) ? 40 : 200);
      less[d] = 1 + random_below(&rng, half[d]);
      boundary[d] = dwt_boundaries[random_below(&rng, 3)];
    }
    s = dwt_shape(type, &w, half, boundary, levels, 0);
    t = dwt_shape(type, &w, less, boundary, levels, 0);
    hw = handle_for(v, &copy, &e, &k);
    dwt_describe(&s, &w, kind);
    describe_more(" to %lux%lux%lu", (unsigned long)t.fine.nx, (unsigned long)t.fine.ny, (unsigned long)t.fine.nz);
    begin_case();
    want_status(dwt_work(type, hw, kind, &s, &w, &bytes), CONVK_OK);
    want_status(dwt_work(type, hw, kind, &t, &w, &smaller), CONVK_OK);
    if (t.fine.nx <= s.fine.nx && t.fine.ny <= s.fine.ny && t.fine.nz <= s.fine.nz && smaller > bytes)
      fail("%lu bytes, and %lu for less", (unsigned long)bytes, (unsigned long)smaller);
    if (t.fine.nx * t.fine.ny * t.fine.nz < 60000 && c % 5 == 0) { /* what a call asks for is less */
      const size_t size = type ? sizeof(double) : sizeof(float), n = dwt_span(&t.fine) + dwt_span(&t.coarse);
      void *const in = calloc(n, size), *const out = need(n * size), *const work = need(bytes);
      want_status(dwt_call(type, hw, kind, &t, &w, in, out, work, bytes), CONVK_OK);
      free(in);
      free(out);
      free(work);
    }
    end_case();
  }
}

static const test dwt_tests[] = {
    {"wavelet_taps", "values", dwt_filters, 1},
    {"dwt3d", "shapes", dwt_shapes, TYPED_LONG},
    {"dwt3d", "cuts", dwt_cuts, 1},
    {"dwt3d", "far", dwt_far, 1},
    {"dwt3d", "identities", dwt_identities, 1},
    {"s1_to_r", "special", dwt_special, 1},
    {"dwt3d", "errors", dwt_errors, 1},
    {"dwt3d", "work_entry", dwt_work_entry, 1},
    {"dwt3d", "work_monotone", dwt_work_monotone, 1},
};
TEST_LIST(dwt)
