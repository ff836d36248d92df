/* SPDX-License-Identifier: MIT
   Tests of the Hamiltonian in wavelets and of orbitals as segments.  Included by test_sepconv.c after test_dwt.c, whose reference
   of wavelets serves here, too. */

/* ------------------------------------------------------------------------------- one interface to both precisions -- */

typedef struct ham_terms {
  double spacing[3], shift;
  const void *potential;
  double k[3];
} ham_terms;

#define HAM_CALLS(TYPE, COMPLEX, T) \
  static int ham_call_##TYPE(convk *hw, const convk_hamiltonian_shape *shape, const ham_terms *any, const void *in, void *out, \
                             convk_hamiltonian_energies *energies, void *work, size_t work_size) { \
    convk_hamiltonian_terms_##TYPE terms; \
    memset(&terms, 0, sizeof terms); \
    if (any) { \
      memcpy(terms.spacing, any->spacing, sizeof terms.spacing); \
      memcpy(terms.k, any->k, sizeof terms.k); \
      terms.shift = (T)any->shift; \
      terms.potential = (const T *)any->potential; \
    } \
    if (ham_complex) { \
      CALLED(convk_hamiltonian_apply_##COMPLEX(hw, shape, any ? &terms : NULL, (const T *)in, (T *)out, energies, work, \
                                               work_size)) \
    } \
    CALLED(convk_hamiltonian_apply_##TYPE(hw, shape, any ? &terms : NULL, (const T *)in, (T *)out, energies, work, work_size)) \
  } \
  static void ham_sides_##TYPE(const convk_grid3 *g, int join, void *numbers, void *re, void *im) { \
    T *const n = (T *)numbers, *const part[2] = {(T *)re, (T *)im}; /* numbers in this grid, packed parts */ \
    size_t i, p; \
    for (i = 0; i < g->nx * g->ny * g->nz; i++) \
      for (p = 0; p < 2; p++) \
        if (join) n[2 * ham_at(g, i) + p] = part[p][i]; \
        else part[p][i] = n[2 * ham_at(g, i) + p]; \
  } \
  static int ham_parts_k_##TYPE(convk *hw, const convk_dwt3d_shape *w, const convk_hamiltonian_shape *s, const ham_terms *any, \
                                void *in, void *out, void **t, convk_hamiltonian_energies *e) { /* and at points k */ \
    const convk_wavelet_##TYPE wavelet = convk_wavelet_taps_##TYPE(CONVK_WAVELET_DAUBECHIES16); \
    convk_sepconv3d_shape there, back; \
    convk_sepconv_epilogue_##TYPE epilogue; \
    convk_sumconv3d_shape sum; \
    convk_sumconv_terms_##TYPE terms; \
    convk_sumconv_sums sums; \
    convk_dwt3d_shape packed = *w; \
    T taps[2][3][CONVK_DERIVATIVE_TAPS]; \
    double energy[2] = {0, 0}; \
    int d, p, status = 0; \
    memset(&there, 0, sizeof there); \
    memset(&epilogue, 0, sizeof epilogue); \
    memset(&sum, 0, sizeof sum); \
    memset(&terms, 0, sizeof terms); \
    memset(&packed.coarse, 0, sizeof packed.coarse); \
    there.in = sum.in = w->fine; \
    there.out = s->values; \
    back = there; \
    back.in = there.out; \
    back.out = there.in; \
    for (d = 0; d < 3; d++) { \
      const double h = any->spacing[d], k = any->k[d]; \
      there.boundary[d] = dwt_is_free(s->boundary[d]) ? CONVK_BOUNDARY_GROW : s->boundary[d]; \
      back.boundary[d] = dwt_is_free(s->boundary[d]) ? CONVK_BOUNDARY_SHRINK : s->boundary[d]; \
      sum.boundary[d] = dwt_is_free(s->boundary[d]) ? CONVK_BOUNDARY_ZERO : s->boundary[d]; \
      if (h == 0) continue; \
      status |= convk_derivative_filter_##TYPE(hw, 2, 0, -0.5 / (h * h), taps[0][d], &terms.filter[d]); \
      taps[0][d][14] = (T)((double)taps[0][d][14] + 0.5 * (k * k)); \
      if (k != 0) status |= convk_derivative_filter_##TYPE(hw, 1, 0, -k / h, taps[1][d], &terms.imag[d]); \
    } \
    terms.shift = (T)any->shift; \
    epilogue.potential = (const T *)any->potential; \
    ham_sides_##TYPE(&s->wavelets, 0, in, t[0], t[1]); \
    for (p = 0; p < 2; p++) { \
      epilogue.energy = &energy[p]; \
      status |= convk_idwt3d_##TYPE(hw, &packed, &wavelet, (const T *)t[p], (T *)t[2 + p], NULL, 0); \
      if (!any->potential) continue; \
      status |= convk_magicfilter3d_##TYPE(hw, &there, CONVK_FORWARD, &epilogue, (const T *)t[2 + p], (T *)t[4], NULL, 0); \
      status |= convk_magicfilter3d_##TYPE(hw, &back, CONVK_INVERSE, NULL, (const T *)t[4], (T *)t[p], NULL, 0); \
    } \
    if (any->potential) { \
      ham_sides_##TYPE(&w->fine, 1, t[6], t[0], t[1]); \
      terms.add = (const T *)t[6]; \
      terms.add_factor = 1; \
    } \
    ham_sides_##TYPE(&w->fine, 1, t[5], t[2], t[3]); \
    status |= convk_sumconv3d_##COMPLEX(hw, &sum, &terms, (const T *)t[5], (T *)t[6], &sums, NULL, 0); \
    ham_sides_##TYPE(&w->fine, 0, t[6], t[0], t[1]); \
    for (p = 0; p < 2; p++) status |= convk_dwt3d_##TYPE(hw, &packed, &wavelet, (const T *)t[p], (T *)t[2 + p], NULL, 0); \
    ham_sides_##TYPE(&s->wavelets, 1, out, t[2], t[3]); \
    memcpy(e->kinetic, sums.axis, sizeof e->kinetic); \
    e->potential = energy[0] + energy[1]; \
    return status; \
  } \
  static int seg_call_##TYPE(convk *hw, int compress, const convk_compressed_shape *shape, const void *in, void *out) { \
    if (compress) { \
      CALLED(convk_wavelet_compress_##TYPE(hw, shape, (const T *)in, (T *)out)) \
    } \
    CALLED(convk_wavelet_uncompress_##TYPE(hw, shape, (const T *)in, (T *)out)) \
  } \
  static int ham_parts_##TYPE(convk *hw, const convk_dwt3d_shape *w, const convk_hamiltonian_shape *s, const ham_terms *any, \
                              const void *in, void *out, void *t0, void *t1, void *t2, double *energy, \
                              convk_sumconv_sums *sums) { /* the same by the calls that it is made of */ \
    const convk_wavelet_##TYPE wavelet = convk_wavelet_taps_##TYPE(CONVK_WAVELET_DAUBECHIES16); \
    convk_sepconv3d_shape there, back; \
    convk_sepconv_epilogue_##TYPE epilogue; \
    convk_sumconv3d_shape sum; \
    convk_sumconv_terms_##TYPE terms; \
    T taps[3][CONVK_DERIVATIVE_TAPS]; \
    int d, status = 0; \
    memset(&there, 0, sizeof there); \
    memset(&epilogue, 0, sizeof epilogue); \
    memset(&sum, 0, sizeof sum); \
    memset(&terms, 0, sizeof terms); \
    there.in = sum.in = w->fine; \
    there.out = s->values; \
    back = there; \
    back.in = there.out; \
    back.out = there.in; \
    for (d = 0; d < 3; d++) { \
      const double h = any->spacing[d]; \
      there.boundary[d] = dwt_is_free(s->boundary[d]) ? CONVK_BOUNDARY_GROW : s->boundary[d]; \
      back.boundary[d] = dwt_is_free(s->boundary[d]) ? CONVK_BOUNDARY_SHRINK : s->boundary[d]; \
      sum.boundary[d] = dwt_is_free(s->boundary[d]) ? CONVK_BOUNDARY_ZERO : s->boundary[d]; \
      if (h != 0) status |= convk_derivative_filter_##TYPE(hw, 2, 0, -0.5 / (h * h), taps[d], &terms.filter[d]); \
    } \
    terms.shift = (T)any->shift; \
    epilogue.potential = (const T *)any->potential; \
    epilogue.energy = energy; \
    status |= convk_idwt3d_##TYPE(hw, w, &wavelet, (const T *)in, (T *)t0, NULL, 0); \
    if (any->potential) { \
      status |= convk_magicfilter3d_##TYPE(hw, &there, CONVK_FORWARD, &epilogue, (const T *)t0, (T *)t1, NULL, 0); \
      status |= convk_magicfilter3d_##TYPE(hw, &back, CONVK_INVERSE, NULL, (const T *)t1, (T *)t2, NULL, 0); \
      terms.add = (const T *)t2; \
      terms.add_factor = 1; \
    } \
    status |= convk_sumconv3d_##TYPE(hw, &sum, &terms, (const T *)t0, (T *)t2, sums, NULL, 0); \
    return status | convk_dwt3d_##TYPE(hw, w, &wavelet, (const T *)t2, (T *)out, NULL, 0); \
  }

static int ham_complex; /* whether ham_call and ham_work are about complex numbers */

static size_t ham_at(const convk_grid3 *g, size_t i) {
  return i % g->nx + i / g->nx % g->ny * g->pitch_y + i / g->nx / g->ny * g->pitch_z;
}

HAM_CALLS(f32, c32, float)
HAM_CALLS(f64, c64, double)

static int ham_call(int type, convk *hw, const convk_hamiltonian_shape *shape, const ham_terms *terms, const void *in,
                    void *out, convk_hamiltonian_energies *energies, void *work, size_t work_size) {
  return (type ? ham_call_f64 : ham_call_f32)(hw, shape, terms, in, out, energies, work, work_size);
}
static int ham_work(int type, convk *hw, const convk_hamiltonian_shape *shape, size_t *bytes) {
  if (ham_complex)
    return (type ? convk_hamiltonian_apply_work_size_c64 : convk_hamiltonian_apply_work_size_c32)(hw, shape, bytes);
  return (type ? convk_hamiltonian_apply_work_size_f64 : convk_hamiltonian_apply_work_size_f32)(hw, shape, bytes);
}
static int ham_resolve(int type, convk *hw, const convk_hamiltonian_shape *shape, convk_hamiltonian_shape *resolved) {
  return (type ? convk_hamiltonian_resolve_f64 : convk_hamiltonian_resolve_f32)(hw, shape, resolved);
}
static int seg_call(int type, convk *hw, int compress, const convk_compressed_shape *shape, const void *in, void *out) {
  return (type ? seg_call_f64 : seg_call_f32)(hw, compress, shape, in, out);
}

/* ------------------------------------------------------------------------------------------------ the reference -- */

/* One axis of a packed array of n points, which becomes one of m: correlation with taps from lo on; output 0 is at input `origin`. */
static long double *ham_axis(const long double *x, size_t n[3], int d, size_t m, long origin, int periodic, int lo, int ntaps,
                             const long double *taps) {
  const size_t before = d == 0 ? 1 : d == 1 ? n[0] : n[0] * n[1], behind = n[0] * n[1] * n[2] / before / n[d];
  long double *y = (long double *)need(before * m * behind * sizeof *y);
  const long size = (long)n[d];
  size_t b, i, a;
  int l;
  for (b = 0; b < behind; b++)
    for (i = 0; i < m; i++)
      for (a = 0; a < before; a++) {
        long double sum = 0;
        for (l = 0; l < ntaps; l++) {
          long at = (long)i + origin + lo + l;
          if (periodic) at = (at % size + size) % size;
          if (at >= 0 && at < size) sum += taps[l] * x[a + before * ((size_t)at + n[d] * b)];
        }
        y[a + before * (i + m * b)] = sum;
      }
  n[d] = m;
  return y;
}

/* H psi of packed psi and V (or NULL), and energies. */
static long double *ham_reference(int type, const convk_dwt3d_shape *w, const convk_hamiltonian_shape *s,
                                  const ham_terms *terms, const long double *psi, const long double *v,
                                  long double energies[4]) {
  const any_wavelet d16 = dwt_taps(type, CONVK_WAVELET_DAUBECHIES16);
  const size_t f = w->fine.nx * w->fine.ny * w->fine.nz, c = w->coarse.nx * w->coarse.ny * w->coarse.nz;
  const any_filter magic = sepconv_types[type].taps(CONVK_FORWARD);
  double taps[CONVK_DERIVATIVE_TAPS];
  convk_filter_f64 filter;
  unsigned char *const used = (unsigned char *)need(f + c);
  long double mf[2][16], d2[29], *const x = dwt_reference(type, &d16, w, 1, psi, used);
  long double *const y = (long double *)need(f * sizeof *y), *result;
  size_t i;
  int k, d;
  for (i = 0; i < f; i++) y[i] = (long double)terms->shift * x[i];
  for (d = 0; d < 4; d++) energies[d] = 0;
  for (d = 0; d < 3; d++) {
    const long double h = terms->spacing[d];
    size_t n[3];
    long double *t;
    if (terms->spacing[d] == 0) continue;
    (void)convk_derivative_filter_f64(NULL, 2, 0, 1, taps, &filter);
    for (k = 0; k < 29; k++) d2[k] = -0.5L / (h * h) * taps[k];
    n[0] = w->fine.nx;
    n[1] = w->fine.ny;
    n[2] = w->fine.nz;
    t = ham_axis(x, n, d, n[d], 0, s->boundary[d] == CONVK_BOUNDARY_PERIODIC, -14, 29, d2);
    for (i = 0; i < f; i++) {
      energies[d] += x[i] * t[i];
      y[i] += t[i];
    }
    free(t);
  }
  for (k = 0; k < 16; k++) {
    mf[0][k] = get(type, magic.taps, (size_t)k);
    mf[1][15 - k] = mf[0][k];
  }
  if (v) {
    size_t n[3];
    long double *now = (long double *)need(f * sizeof *now);
    memcpy(now, x, f * sizeof *now);
    n[0] = w->fine.nx;
    n[1] = w->fine.ny;
    n[2] = w->fine.nz;
    for (k = 0; k < 2; k++) {
      for (d = 0; d < 3; d++) {
        const int grows = dwt_is_free(s->boundary[d]);
        long double *const next = ham_axis(now, n, d, grows ? (k ? n[d] - 15 : n[d] + 15) : n[d], grows ? (k ? 7 : -7) : 0,
                                           s->boundary[d] == CONVK_BOUNDARY_PERIODIC, k ? -7 : -8, 16, mf[k]);
        free(now);
        now = next;
      }
      for (i = 0; !k && i < n[0] * n[1] * n[2]; i++) {
        energies[3] += now[i] * now[i] * v[i];
        now[i] *= v[i];
      }
    }
    for (i = 0; i < f; i++) y[i] += now[i];
    free(now);
  }
  result = dwt_reference(type, &d16, w, 0, y, used);
  free(x);
  free(y);
  free(used);
  return result;
}

/* ------------------------------------------------------------------------------------------------------- shapes -- */

/* A resolved shape of `half` points of s on each axis, and that of its wavelets. */
static convk_hamiltonian_shape ham_shape(int type, const size_t half[3], const int boundary[3], size_t vectors, int padded,
                                         convk_dwt3d_shape *w) {
  const any_wavelet d16 = dwt_taps(type, CONVK_WAVELET_DAUBECHIES16);
  convk_hamiltonian_shape s, full;
  memset(&s, 0, sizeof s);
  memset(&full, 0, sizeof full);
  memcpy(s.boundary, boundary, sizeof s.boundary);
  s.wavelets.nx = 2 * half[0];
  s.wavelets.ny = 2 * half[1];
  s.wavelets.nz = 2 * half[2];
  s.vectors = vectors;
  if (padded) {
    s.wavelets.pitch_y = 2 * half[0] + 1;
    s.wavelets.pitch_z = s.wavelets.pitch_y * 2 * half[1] + 3;
  }
  if (ham_resolve(type, NULL, &s, &full)) fail("no shape");
  *w = dwt_shape(type, &d16, half, boundary, 1, 0);
  if (padded) {
    full.values.pitch_y += 2;
    full.values.pitch_z = full.values.pitch_y * full.values.ny + 1;
    full.in_stride += 5;
    full.out_stride += padded > 1 ? 5 : 2;
  }
  return full;
}

static void ham_describe(const convk_hamiltonian_shape *s) {
  describe("hamiltonian_apply %lux%lux%lu boundaries %d%d%d vectors %lu", (unsigned long)s->wavelets.nx,
           (unsigned long)s->wavelets.ny, (unsigned long)s->wavelets.nz, s->boundary[0], s->boundary[1], s->boundary[2],
           (unsigned long)s->vectors);
}

/* One shape on every processor, in so many ways each. */
static void ham_case(int type, const convk_hamiltonian_shape *s, const convk_dwt3d_shape *w, ham_terms terms, int in_place,
                     const execution *ways, size_t count, uint64_t *rng) {
  const convk_grid3 *const g = &s->wavelets;
  const size_t size = type ? sizeof(double) : sizeof(float), c = g->nx * g->ny * g->nz,
               r = s->values.nx * s->values.ny * s->values.nz;
  const size_t span_in = (s->vectors - 1) * s->in_stride + dwt_span(g),
               span_out = (s->vectors - 1) * s->out_stride + dwt_span(g);
  const size_t each = c * size, total = s->vectors * (each + sizeof(convk_hamiltonian_energies));
  const int with_v = terms.potential != NULL;
  guard psi = guard_new(span_in * size, (int)random_below(rng, 2), random_below(rng, 3) * size);
  guard v = guard_new(dwt_span(&s->values) * size, (int)random_below(rng, 2), 0);
  unsigned char *const bits = (unsigned char *)need(total);
  long double *x = (long double *)need(c * sizeof *x), *pot = (long double *)need(r * sizeof *pot), **want, (*energy)[4];
  double limit = fabs(terms.shift);
  size_t i, k, number = 0, way;
  class_results known;
  variant *hw_variant;
  memset(&known, 0, sizeof known);
  want = (long double **)need(s->vectors * sizeof *want);
  energy = (long double(*)[4])need(s->vectors * sizeof *energy);
  for (i = 0; i < dwt_span(&s->values); i++) put(type, v.data, i, (double)NAN);
  for (i = 0; i < r; i++) {
    put(type, v.data, ham_at(&s->values, i), random_unit(rng));
    pot[i] = get(type, v.data, ham_at(&s->values, i));
  }
  terms.potential = with_v ? v.data : NULL;
  for (i = 0; i < 3; i++)
    if (terms.spacing[i] != 0) limit += 5 / (terms.spacing[i] * terms.spacing[i]);
  limit = (limit + with_v) * (type ? 2e-14 : 1e-5) * slack();
  for (i = 0; i < span_in; i++) put(type, psi.data, i, (double)NAN);
  for (k = 0; k < s->vectors; k++) {
    for (i = 0; i < c; i++) {
      put(type, psi.data, k * s->in_stride + ham_at(g, i), random_unit(rng));
      x[i] = get(type, psi.data, k * s->in_stride + ham_at(g, i));
    }
    want[k] = ham_reference(type, w, s, &terms, x, with_v ? pot : NULL, energy[k]);
  }
  while ((hw_variant = next_variant(&number, c)) != NULL) {
    if (dwt_leaves(hw_variant)) continue;
    for (way = 0; way < (hw_variant->device ? 1 : count); way++) { /* most of the ways are about processors */
      hook h = hook_new(ways[way].hook, ways[way].threads, random64(rng));
      convk copy, *hw = handle_for(hw_variant, &copy, &ways[way], &h);
      const long live = heap.live;
      const int sums = (int)((way + number) % 3 != 0);
      guard out = guard_new(span_out * size, (int)random_below(rng, 2), random_below(rng, 20) * size);
      guard e = guard_new(s->vectors * sizeof(convk_hamiltonian_energies), AT_END, 0);
      convk_hamiltonian_energies *const energies = (convk_hamiltonian_energies *)(void *)e.data;
      size_t bytes = 0;
      double worst = 0;
      workspace work;
      ham_describe(s);
      execution_describe(&ways[way]);
      begin_case();
      check_status(ham_work(type, hw, s, &bytes), live);
      work = workspace_new(ways[way].work, bytes, rng);
      if (in_place) memcpy(out.data, psi.data, span_in * size);
      check_status(
          ham_call(type, hw, s, &terms, in_place ? out.data : psi.data, out.data, sums ? energies : NULL, work.work, work.size),
          live);
      workspace_end(&work);
      if (!guard_intact(&psi) || !guard_intact(&out) || !guard_intact(&v) || !guard_intact(&e))
        fail("memory around an array was written");
      for (k = 0; k < s->vectors; k++) {
        for (i = 0; i < c; i++) {
          const size_t at = k * s->out_stride + ham_at(g, i);
          const double error = (double)fabsl(get(type, out.data, at) - want[k][i]);
          memcpy(bits + k * each + i * size, out.data + at * size, size);
          if (!(error <= worst)) worst = error;
        }
        if (sums) {
          const double scale = limit * (double)c, *const got = energies[k].kinetic;
          for (i = 0; i < 4; i++)
            if (!(fabsl((i < 3 ? got[i] : energies[k].potential) - energy[k][i]) <= scale))
              fail("energy %lu of vector %lu is %.17g, not %.17Lg", (unsigned long)i, (unsigned long)k,
                   i < 3 ? got[i] : energies[k].potential, energy[k][i]);
        } else if (!all_fill(e.data, e.data + e.bytes)) fail("energies were written");
      }
      for (i = 0; !in_place && i < span_out; i++) { /* between rows, planes and vectors */
        const size_t in_vector = i % s->out_stride, z = in_vector / g->pitch_z, y = in_vector % g->pitch_z / g->pitch_y;
        if (z < g->nz && y < g->ny && in_vector % g->pitch_z % g->pitch_y < g->nx) continue;
        if (!all_fill(out.data + i * size, out.data + (i + 1) * size)) fail("padding was written");
      }
      if (!same_as_class(&known, hw_variant, bits, s->vectors * each) && !(worst <= limit))
        fail("error %.3g, more than %.3g", worst, limit);
      guard_free(&out);
      guard_free(&e);
      end_case();
    }
  }
  class_results_end(&known);
  guard_free(&psi);
  guard_free(&v);
  for (k = 0; k < s->vectors; k++) free(want[k]);
  free(want);
  free(energy);
  free(bits);
  free(x);
  free(pot);
}

static void ham_shapes(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c;
  for (c = 0; c < (suite.quick ? 8u : 32u); c++) {
    static const ham_terms kinds[] = {{{0.4, 0.5, 0.3}, 0, "", {0, 0, 0}},
                                      {{0.4, 0, 0.6}, -0.7, "", {0, 0, 0}},
                                      {{0, 0, 0}, 0, "", {0, 0, 0}},
                                      {{0.4, 0.5, 0.3}, 0.25, NULL, {0, 0, 0}},
                                      {{0, 0, 0}, 0, NULL, {0, 0, 0}}};
    convk_dwt3d_shape w;
    convk_hamiltonian_shape s;
    execution ways[2];
    size_t half[3];
    int boundary[3], d;
    const int in_place = c % 4 == 2;
    for (d = 0; d < 3; d++) {
      half[d] = c < 4 ? 1 + c : 1 + random_below(&rng, 9);
      boundary[d] = dwt_boundaries[c < 8 ? (c / 2 + (size_t)d * (c % 2)) % 4 : random_below(&rng, 4)];
    }
    for (d = 0; d < 2; d++) {
      ways[d] = any_execution(&rng);
      if (d) ways[d].threads = 2; /* which have more than one orbital each */
      if (d && ways[d].hook == HOOK_NONE) ways[d].hook = HOOK_SHUFFLED;
    }
    s = ham_shape(type, half, boundary, 1 + c % 5, (int)(c % 2) + in_place * 2, &w);
    ham_case(type, &s, &w, kinds[c < 2 ? c : random_below(&rng, COUNT_OF(kinds))], in_place, ways, 2, &rng);
  }
}

/* The bits of the calls that it is made of; <a|H b> = <H a|b>; <psi|H psi> is the sum of energies. */
static void ham_identities(int type) {
  const size_t size = type ? sizeof(double) : sizeof(float), half[3] = {9, 7, 8};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  int b;
  for (b = 0; b < 3; b++) {
    const int boundary[3] = {b ? CONVK_BOUNDARY_GROW : 0, 0, b > 1 ? CONVK_BOUNDARY_ZERO : 0};
    convk_dwt3d_shape w;
    const convk_hamiltonian_shape s = ham_shape(type, half, boundary, 1, 0, &w);
    const size_t c = dwt_span(&s.wavelets), f = dwt_span(&w.fine), r = dwt_span(&s.values);
    void *const a = need(c * size), *const x = need(c * size), *const ha = need(c * size), *const hx = need(c * size),
                *const parts = need(c * size), *const v = need(r * size);
    void *const t0 = need(f * size), *const t1 = need(r * size), *const t2 = need(f * size);
    ham_terms terms = {{0.35, 0.4, 0.5}, 0.3, NULL, {0, 0, 0}};
    size_t number = 0, i;
    variant *hw;
    for (i = 0; i < c; i++) {
      put(type, a, i, random_unit(&rng));
      put(type, x, i, random_unit(&rng));
    }
    for (i = 0; i < r; i++) put(type, v, i, random_unit(&rng));
    terms.potential = v;
    while ((hw = next_variant(&number, c)) != NULL) {
      convk_hamiltonian_energies e;
      convk_sumconv_sums sums;
      double energy = 0, sum, scale;
      if (hw->device) continue;
      ham_describe(&s);
      begin_case();
      want_status(ham_call(type, &hw->hw, &s, &terms, a, ha, NULL, NULL, 0), CONVK_OK);
      want_status(ham_call(type, &hw->hw, &s, &terms, x, hx, &e, NULL, 0), CONVK_OK);
      want_status((type ? ham_parts_f64 : ham_parts_f32)(&hw->hw, &w, &s, &terms, x, parts, t0, t1, t2, &energy, &sums),
                  CONVK_OK);
      if (memcmp(parts, hx, c * size)) fail("other bits than the calls that it is made of");
      if (memcmp(e.kinetic, sums.axis, sizeof e.kinetic) || memcmp(&e.potential, &energy, sizeof energy))
        fail("other energies than the calls that it is made of");
      scale = (type ? 1e-14 : 1e-5) * sqrt(dwt_dot(type, hx, hx, c) * dwt_dot(type, a, a, c));
      sum = dwt_dot(type, a, hx, c);
      if (!(fabs(sum - dwt_dot(type, ha, x, c)) <= scale)) fail("<a|H x> is %.17g, not %.17g", sum, dwt_dot(type, ha, x, c));
      sum = e.kinetic[0] + e.kinetic[1] + e.kinetic[2] + e.potential + terms.shift * dwt_dot(type, t0, t0, f);
      if (!(fabs(sum - dwt_dot(type, x, hx, c)) <= 4 * scale))
        fail("<x|H x> is %.17g, not %.17g", dwt_dot(type, x, hx, c), sum);
      end_case();
    }
    free(a), free(x), free(ha), free(hx), free(parts), free(v), free(t0), free(t1), free(t2);
  }
}

/* A plane wave on a periodic grid and a constant potential: psi stays what it is, times a number that long double has. */
static void ham_waves(int type) {
  static const int k[][3] = {{0, 0, 0}, {1, 0, 2}, {3, 2, 1}, {5, 7, 4}};
  const size_t size = type ? sizeof(double) : sizeof(float), half[3] = {10, 8, 9};
  const int boundary[3] = {0, 0, 0};
  const double v0 = 0.75;
  const any_wavelet d16 = dwt_taps(type, CONVK_WAVELET_DAUBECHIES16);
  const any_filter magic = sepconv_types[type].taps(CONVK_FORWARD);
  convk_dwt3d_shape w;
  const convk_hamiltonian_shape s = ham_shape(type, half, boundary, 1, 0, &w);
  const size_t c = dwt_span(&s.wavelets), n[3] = {s.wavelets.nx, s.wavelets.ny, s.wavelets.nz};
  void *const x0 = need(c * size), *const psi = need(c * size), *const h = need(c * size), *const v = need(c * size);
  const ham_terms terms = {{0.5, 0.6, 0.7}, 0, v, {0, 0, 0}};
  double taps[CONVK_DERIVATIVE_TAPS];
  convk_filter_f64 filter;
  size_t q, i, number;
  (void)convk_derivative_filter_f64(NULL, 2, 0, 1, taps, &filter);
  for (i = 0; i < c; i++) put(type, v, i, v0);
  for (q = 0; q < COUNT_OF(k); q++) {
    long double value = v0, kinetic = 0;
    variant *hw;
    int d, l;
    for (d = 0; d < 3; d++) {
      const long double theta = 2 * acosl(-1) * k[q][d] / (long double)n[d], step = terms.spacing[d];
      long double re = 0, im = 0, d2 = 0;
      for (l = 0; l < 16; l++) {
        re += get(type, magic.taps, (size_t)l) * cosl(theta * (magic.lo + l));
        im += get(type, magic.taps, (size_t)l) * sinl(theta * (magic.lo + l));
      }
      for (l = -14; l <= 14; l++) d2 += taps[l + 14] * cosl(theta * l);
      value *= re * re + im * im;
      kinetic += -0.5L * d2 / (step * step);
    }
    for (i = 0; i < c; i++)
      put(type, x0, i,
          (double)cosl(2 * acosl(-1) *
                       ((long double)(i % n[0]) * k[q][0] / (long double)n[0] +
                        (long double)(i / n[0] % n[1]) * k[q][1] / (long double)n[1] +
                        (long double)(i / n[0] / n[1]) * k[q][2] / (long double)n[2])));
    for (number = 0; (hw = next_variant(&number, c)) != NULL;) {
      double worst = 0;
      if (hw->device) continue;
      describe("wave %d %d %d", k[q][0], k[q][1], k[q][2]);
      begin_case();
      want_status(dwt_call(type, &hw->hw, DWT_ANALYSIS, &w, &d16, x0, psi, NULL, 0), CONVK_OK);
      want_status(ham_call(type, &hw->hw, &s, &terms, psi, h, NULL, NULL, 0), CONVK_OK);
      for (i = 0; i < c; i++) worst = fmax(worst, (double)fabsl(get(type, h, i) - (value + kinetic) * get(type, psi, i)));
      if (!(worst <= (type ? 6e-13 : 3e-4))) fail("error %g", worst);
      end_case();
    }
  }
  free(x0), free(psi), free(h), free(v);
}

/* The product of complex numbers in two arrays of vectors that lie so far apart, of one of them: <a|b>. */
static void ham_product(int type, const convk_grid3 *g, const void *a, size_t at_a, const void *b, size_t at_b, double sum[2]) {
  size_t i;
  sum[0] = sum[1] = 0;
  for (i = 0; i < g->nx * g->ny * g->nz; i++) {
    const size_t p = 2 * (at_a + ham_at(g, i)), q = 2 * (at_b + ham_at(g, i));
    const double re = get(type, a, p), im = get(type, a, p + 1), x = get(type, b, q), y = get(type, b, q + 1);
    sum[0] += re * x + im * y;
    sum[1] += re * y - im * x;
  }
}

/* Complex numbers at points k: the bits of the calls that it is made of, and <a|H b> = <H a|b>. */
static void ham_points_k_case(int type, const convk_hamiltonian_shape *s, const convk_dwt3d_shape *w, const ham_terms *terms,
                              int in_place, const execution *way, uint64_t *rng) {
  const convk_grid3 *const g = &s->wavelets;
  const size_t size = type ? sizeof(double) : sizeof(float), number_size = 2 * size, one = dwt_span(g);
  const size_t spans[2] = {(s->vectors - 1) * s->in_stride + one, (s->vectors - 1) * s->out_stride + one};
  const size_t f = dwt_span(&w->fine), r = dwt_span(&s->values), most = f > r ? f : r;
  convk_hamiltonian_energies known[8];
  guard psi = guard_new(spans[0] * number_size, (int)random_below(rng, 2), random_below(rng, 3) * size);
  void *const want = need(spans[1] * number_size), *t[7];
  size_t i, v, number = 0;
  variant *each;
  for (i = 0; i < 7; i++) t[i] = need((i < 5 ? 1 : 2) * most * size);
  for (i = 0; i < 2 * spans[0]; i++) put(type, psi.data, i, random_unit(rng));
  while ((each = next_variant(&number, f)) != NULL) {
    hook h = hook_new(way->hook, way->threads, random64(rng));
    convk copy, *hw = handle_for(each, &copy, way, &h);
    const long live = heap.live;
    guard out = guard_new(spans[1] * number_size, (int)random_below(rng, 2), random_below(rng, 20) * size);
    guard e = guard_new(s->vectors * sizeof(convk_hamiltonian_energies), AT_END, 0);
    convk_hamiltonian_energies *const energies = (convk_hamiltonian_energies *)(void *)e.data;
    size_t bytes = 0;
    double ab[2], ba[2], norm[2], scale;
    workspace work;
    if (dwt_leaves(each)) {
      guard_free(&out);
      guard_free(&e);
      continue;
    }
    memcpy(want, out.data, spans[1] * number_size);
    if (in_place) memcpy(want, psi.data, spans[0] * number_size);
    for (v = 0; v < s->vectors; v++)
      want_status((type ? ham_parts_k_f64 : ham_parts_k_f32)(&each->hw, w, s, terms, psi.data + v * s->in_stride * number_size,
                                                             (char *)want + v * s->out_stride * number_size, t, &known[v]),
                  CONVK_OK);
    ham_describe(s);
    execution_describe(way);
    begin_case();
    check_status(ham_work(type, hw, s, &bytes), live);
    work = workspace_new(way->work, bytes, rng);
    if (in_place) memcpy(out.data, psi.data, spans[0] * number_size);
    check_status(ham_call(type, hw, s, terms, in_place ? out.data : psi.data, out.data, number % 2 ? energies : NULL, work.work,
                          work.size),
                 live);
    workspace_end(&work);
    if (!guard_intact(&psi) || !guard_intact(&out) || !guard_intact(&e)) fail("memory around an array was written");
    if (memcmp(out.data, want, spans[1] * number_size)) fail("other bits than the calls that it is made of");
    for (v = 0; v < s->vectors && number % 2; v++)
      if (memcmp(&energies[v], &known[v], sizeof known[v])) fail("other energies than the calls that it is made of");
    v = s->vectors - 1;
    ham_product(type, g, psi.data, 0, out.data, v * s->out_stride, ab);
    ham_product(type, g, psi.data, v * s->in_stride, out.data, 0, ba);
    ham_product(type, g, out.data, 0, out.data, 0, norm);
    scale = (type ? 1e-14 : 1e-5) * sqrt(norm[0] * (double)(2 * one));
    if (!(fabs(ab[0] - ba[0]) <= scale && fabs(ab[1] + ba[1]) <= scale)) fail("not Hermitian");
    guard_free(&out);
    guard_free(&e);
    end_case();
  }
  for (i = 0; i < 7; i++) free(t[i]);
  free(want);
  guard_free(&psi);
}

static void ham_points_k(int type) {
  static const double points[][3] = {{0.3, -0.7, 1.1}, {0, 0, 0}, {0, 2, 0}, {-0.4, 0, 0.1}};
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c;
  ham_complex = 1;
  for (c = 0; c < (suite.quick ? 6u : 24u); c++) {
    const size_t half[3] = {1 + random_below(&rng, 6), 1 + random_below(&rng, 5), 1 + random_below(&rng, 5)};
    const execution way = any_execution(&rng);
    const int in_place = c % 3 == 2;
    ham_terms terms = {{0.5, 0.4, c % 4 == 3 ? 0 : 0.6}, c % 2 ? -0.3 : 0, NULL, {0, 0, 0}};
    convk_dwt3d_shape w;
    convk_hamiltonian_shape s;
    int boundary[3], d;
    void *v;
    size_t r, i;
    for (d = 0; d < 3; d++) {
      boundary[d] = c ? dwt_boundaries[random_below(&rng, 4)] : CONVK_BOUNDARY_PERIODIC;
      terms.k[d] = points[c % 4][d];
    }
    s = ham_shape(type, half, boundary, 1 + c % 4, (int)(c % 2) + in_place * 2, &w);
    r = dwt_span(&s.values);
    v = need(r * (type ? sizeof(double) : sizeof(float)));
    for (i = 0; i < r; i++) put(type, v, i, random_unit(&rng));
    if (c % 3 != 1) terms.potential = v;
    ham_points_k_case(type, &s, &w, &terms, in_place, &way, &rng);
    free(v);
  }
  ham_complex = 0;
}

/* A plane wave psi at k: the symbols of both derivatives, which tell (q + k)^2 / 2 where q is small. */
static void ham_waves_k(int type) {
  static const int wave[][3] = {{0, 0, 0}, {1, 0, -1}, {3, -2, 1}};
  const size_t size = type ? sizeof(double) : sizeof(float), half[3] = {10, 8, 9};
  const double k[3] = {0.3, -0.5, 0.2}, pi = 3.14159265358979323846;
  const int boundary[3] = {0, 0, 0};
  const any_wavelet d16 = dwt_taps(type, CONVK_WAVELET_DAUBECHIES16);
  convk_dwt3d_shape w;
  const convk_hamiltonian_shape s = ham_shape(type, half, boundary, 1, 0, &w);
  const size_t c = dwt_span(&s.wavelets), n[3] = {s.wavelets.nx, s.wavelets.ny, s.wavelets.nz};
  void *const psi = need(2 * c * size), *const h = need(2 * c * size), *const x = need(c * size), *const y = need(c * size);
  const ham_terms terms = {{0.5, 0.6, 0.7}, 0.25, NULL, {0.3, -0.5, 0.2}};
  double taps[2][CONVK_DERIVATIVE_TAPS];
  convk_filter_f64 filter;
  size_t q, i, number;
  int d, l, part;
  (void)convk_derivative_filter_f64(NULL, 1, 0, 1, taps[0], &filter);
  (void)convk_derivative_filter_f64(NULL, 2, 0, 1, taps[1], &filter);
  for (q = 0; q < COUNT_OF(wave); q++) {
    double value = terms.shift, exact = terms.shift, axis[3];
    variant *each;
    for (d = 0; d < 3; d++) {
      const double theta = 2 * pi * wave[q][d] / (double)n[d], step = terms.spacing[d];
      double d1 = 0, d2 = 0;
      for (l = -14; l <= 14; l++) {
        d1 += taps[0][l + 14] * sin(theta * l);
        d2 += taps[1][l + 14] * cos(theta * l);
      }
      axis[d] = -0.5 * d2 / (step * step) + k[d] * d1 / step + 0.5 * k[d] * k[d];
      value += axis[d];
      exact += 0.5 * (theta / step + k[d]) * (theta / step + k[d]);
    }
    for (number = 0; (each = next_variant(&number, c)) != NULL;) {
      convk_hamiltonian_energies e;
      double worst = 0;
      if (dwt_leaves(each)) continue;
      describe("wave %d %d %d at a point k", wave[q][0], wave[q][1], wave[q][2]);
      begin_case();
      for (part = 0; part < 2; part++) {
        for (i = 0; i < c; i++) {
          const double angle =
              2 * pi *
              ((double)(i % n[0]) * wave[q][0] / (double)n[0] + (double)(i / n[0] % n[1]) * wave[q][1] / (double)n[1] +
               (double)(i / n[0] / n[1]) * wave[q][2] / (double)n[2]);
          put(type, x, i, part ? sin(angle) : cos(angle));
        }
        want_status(dwt_call(type, &each->hw, DWT_ANALYSIS, &w, &d16, x, y, NULL, 0), CONVK_OK);
        for (i = 0; i < c; i++) put(type, psi, 2 * i + (size_t)part, get(type, y, i));
      }
      ham_complex = 1;
      want_status(ham_call(type, &each->hw, &s, &terms, psi, h, &e, NULL, 0), CONVK_OK);
      ham_complex = 0;
      for (i = 0; i < 2 * c; i++) worst = fmax(worst, fabs(get(type, h, i) - value * get(type, psi, i)));
      if (!(worst <= (type ? 6e-13 : 3e-4))) fail("error %g", worst);
      if (fabs(value - exact) > (q < 2 ? 1e-6 : 0.3) * exact) fail("the wave has %g, not %g", value, exact);
      for (d = 0; d < 3; d++)
        if (!(fabs(e.kinetic[d] - axis[d] * (double)c) <= (type ? 1e-10 : 1e-2) * (double)c)) fail("energy %g", e.kinetic[d]);
      end_case();
    }
  }
  free(psi), free(h), free(x), free(y);
}

/* The ground state of a harmonic oscillator, whose energy is 3 / 2, on a free grid: psi by quadrature of the Gaussian. */
static void ham_oscillator(int type) {
  const size_t size = sizeof(double), half[3] = {30, 30, 30};
  const int boundary[3] = {CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_GROW, CONVK_BOUNDARY_GROW};
  const any_wavelet d16 = dwt_taps(1, CONVK_WAVELET_DAUBECHIES16);
  const any_filter inverse = sepconv_types[1].taps(CONVK_INVERSE);
  const double step = 0.2;
  convk_dwt3d_shape w;
  const convk_hamiltonian_shape s = ham_shape(1, half, boundary, 1, 0, &w);
  const size_t c = dwt_span(&s.wavelets), f = dwt_span(&w.fine), r = dwt_span(&s.values), n = s.values.nx, m = w.fine.nx;
  double *const v = (double *)need(r * size), *const x0 = (double *)need(f * size), *const psi = (double *)need(c * size),
                *const h = (double *)need(c * size), *const line = (double *)need(n * size);
  ham_terms terms = {{step, step, step}, 0, NULL, {0, 0, 0}};
  size_t i, j, number = 0;
  variant *hw;
  int seen = 0; /* once: other variants have the same bits, or nearly */
  (void)type;
  for (i = 0; i < n; i++) line[i] = ((double)i - (double)(n - 1) / 2) * step;
  for (i = 0; i < r; i++)
    v[i] = (line[i % n] * line[i % n] + line[i / n % n] * line[i / n % n] + line[i / n / n] * line[i / n / n]) / 2;
  for (i = 0; i < n; i++) line[i] = exp(-line[i] * line[i] / 2);
  for (i = 0; i < m; i++) { /* coefficient i sits at value i + 7 */
    double sum = 0;
    for (j = 0; j < 16; j++) sum += ((const double *)inverse.taps)[j] * line[i + 7 + j - 7];
    psi[i] = sum;
  }
  memcpy(line, psi, m * size);
  for (i = 0; i < f; i++) x0[i] = line[i % m] * line[i / m % m] * line[i / m / m];
  terms.potential = v;
  while ((hw = next_variant(&number, c)) != NULL) {
    convk_hamiltonian_energies e;
    double norm;
    if (hw->device || !hw->fused || seen++) continue;
    describe("harmonic oscillator");
    begin_case();
    want_status(dwt_call(1, &hw->hw, DWT_ANALYSIS, &w, &d16, x0, psi, NULL, 0), CONVK_OK);
    want_status(ham_call(1, &hw->hw, &s, &terms, psi, h, &e, NULL, 0), CONVK_OK);
    norm = dwt_dot(1, psi, psi, c);
    if (!(fabs(dwt_dot(1, psi, h, c) / norm - 1.5) < 1e-10)) fail("the energy is %.15g", dwt_dot(1, psi, h, c) / norm);
    if (!(fabs(e.potential / norm - 0.75) < 1e-6)) fail("the potential energy is %.15g", e.potential / norm);
    for (i = 0; i < 3; i++)
      if (!(fabs(e.kinetic[i] / norm - 0.25) < 1e-6)) fail("a kinetic energy is %.15g", e.kinetic[i] / norm);
    end_case();
  }
  free(v), free(x0), free(psi), free(h), free(line);
}

/* ------------------------------------------------------------------------------------------------------ refusals -- */

static void ham_refused(int type, convk *hw, const convk_hamiltonian_shape *s, const ham_terms *t, void *in, void *out, void *e,
                        void *work, size_t work_size, int wanted, const char *text) {
  const size_t size = type ? sizeof(double) : sizeof(float);
  unsigned char before[8000];
  const long total = heap.total;
  describe("%s", text);
  begin_case();
  if (out) memset(out, 77, 500 * size);
  memset(before, 77, sizeof before);
  want_status(ham_call(type, hw, s, t, in, out, (convk_hamiltonian_energies *)e, work, work_size), wanted);
  want_checked_first(wanted, total);
  want_said(hw->message, wanted, text);
  if (out && memcmp(out, before, 500 * size)) fail("the output was written");
  end_case();
}

static void ham_errors_of(int type, int numbers) {
  const size_t size = type ? sizeof(double) : sizeof(float), half[3] = {4, 3, 2};
  void *const in = need(40000 * size), *const out = need(40000 * size), *const v = need(40000 * size), *const work = need(1000);
  const int boundary[3] = {0, 0, 0};
  size_t number = 0, bytes;
  variant *each;
  memset(in, 0, 40000 * size);
  memset(v, 0, 40000 * size);
  ham_complex = numbers;
  while ((each = next_variant(&number, 1)) != NULL) {
    convk *const hw = &each->hw;
    convk_dwt3d_shape w;
    const convk_hamiltonian_shape good = ham_shape(type, half, boundary, 1, 0, &w);
    const ham_terms fine = {{0.4, 0.5, 0.6}, 1, v, {0, 0, 0}};
    convk_hamiltonian_shape s = good;
    ham_terms t = fine;
#define REFUSED(status, text) ham_refused(type, hw, &s, &t, in, out, NULL, NULL, 0, status, text)
    ham_refused(type, hw, NULL, &t, in, out, NULL, NULL, 0, CONVK_ERR_NULL, "shape is NULL");
    ham_refused(type, hw, &s, NULL, in, out, NULL, NULL, 0, CONVK_ERR_NULL, "terms is NULL");
    ham_refused(type, hw, &s, &t, NULL, out, NULL, NULL, 0, CONVK_ERR_NULL, "in is NULL");
    ham_refused(type, hw, &s, &t, in, NULL, NULL, NULL, 0, CONVK_ERR_NULL, "out is NULL");
    ham_refused(type, hw, &s, &t, in, (char *)in + 8, NULL, NULL, 0, CONVK_ERR_OVERLAP, "in overlaps out");
    ham_refused(type, hw, &s, &t, in, v, NULL, NULL, 0, CONVK_ERR_OVERLAP, "terms->potential overlaps out");
    ham_refused(type, hw, &s, &t, in, (char *)v + 8, NULL, NULL, 0, CONVK_ERR_OVERLAP, "terms->potential overlaps out");
    ham_refused(type, hw, &s, &t, in, out, out, NULL, 0, CONVK_ERR_OVERLAP, "energies");
    ham_refused(type, hw, &s, &t, in, out, v, NULL, 0, CONVK_ERR_OVERLAP, "terms->potential overlaps energies");
    s.vectors = 2; /* the second one's energies */
    ham_refused(type, hw, &s, &t, (char *)in + sizeof(convk_hamiltonian_energies), out, in, NULL, 0, CONVK_ERR_OVERLAP,
                "in overlaps energies");
    s = good;
    if (!each->device) { /* which ignore it */
      ham_refused(type, hw, &s, &t, in, (char *)out + 8, NULL, out, 1000, CONVK_ERR_OVERLAP, "out overlaps work");
      ham_refused(type, hw, &s, &t, in, out, NULL, in, 1000, CONVK_ERR_OVERLAP, "in overlaps work");
      ham_refused(type, hw, &s, &t, in, out, NULL, out, 1000, CONVK_ERR_OVERLAP, "work");
      ham_refused(type, hw, &s, &t, in, out, NULL, work, 1000, CONVK_ERR_WORK, "work_size is 1000");
    }
    s.wavelets.ny = 5;
    s.wavelets.pitch_z = 0;
    REFUSED(CONVK_ERR_ODD, "shape->wavelets has 5 points along axis 1");
    s = good;
    memset(&s.wavelets, 0, sizeof s.wavelets);
    s.values.nz = 7;
    REFUSED(CONVK_ERR_ODD, "shape->values has 7 points along axis 2");
    s.values.nz = 1;
    REFUSED(CONVK_ERR_ODD, "shape->values has 1 points along axis 2");
    s.values.nz = 7;
    s.boundary[2] = CONVK_BOUNDARY_GROW;
    REFUSED(CONVK_ERR_SHRINK, "shape->values has 7 points along axis 2");
    s.values.nz = 30;
    REFUSED(CONVK_ERR_SHRINK, "shape->values has 30 points along axis 2");
    s.values.nz = 32;
    REFUSED(CONVK_ERR_ODD, "shape->values has 32 points along axis 2");
    s = good;
    s.values.nx = 10;
    s.values.pitch_y = s.values.pitch_z = 0;
    REFUSED(CONVK_ERR_SIZE, "shape->values must have 8 points along axis 0");
    s = good;
    s.boundary[1] = CONVK_BOUNDARY_SHRINK;
    REFUSED(CONVK_ERR_SIZE, "shape->values must have 35 points along axis 1");
    memset(&s.wavelets, 0, sizeof s.wavelets);
    memset(&s.values, 0, sizeof s.values);
    REFUSED(CONVK_ERR_SIZE, "no sizes");
    s = good;
    s.values.ny = 0;
    REFUSED(CONVK_ERR_SIZE, "shape->values.ny is 0");
    s = good;
    s.wavelets.pitch_y = 7;
    REFUSED(CONVK_ERR_PITCH, "shape->wavelets.pitch_y");
    s = good;
    s.boundary[0] = 9;
    REFUSED(CONVK_ERR_BOUNDARY, "shape->boundary[0] is 9");
    s = good;
    s.vectors = 2;
    s.out_stride = 191;
    REFUSED(CONVK_ERR_PITCH, "shape->out_stride is 191");
    describe("one vector is not apart from another");
    begin_case();
    s.vectors = 1;
    want_status(ham_call(type, hw, &s, &t, in, out, NULL, NULL, 0), CONVK_OK);
    end_case();
    s.out_stride = 0;
    s.vectors = SIZE_MAX / 100;
    REFUSED(CONVK_ERR_OVERFLOW, "vectors");
    s.vectors = 2;
    s.in_stride = SIZE_MAX / 32;
    REFUSED(CONVK_ERR_OVERFLOW, "vectors");
    s.in_stride = 0;
    s.out_stride = SIZE_MAX / 32;
    REFUSED(CONVK_ERR_OVERFLOW, "vectors");
    s = good;
    t.spacing[1] = (double)NAN;
    REFUSED(CONVK_ERR_NONFINITE, "terms->spacing[1] is not finite");
    t.spacing[1] = 1e-160;
    REFUSED(CONVK_ERR_NONFINITE, "terms->spacing[1] is so small");
    t.spacing[1] = 1e-20;
    if (!type) REFUSED(CONVK_ERR_NONFINITE, "terms->spacing[1] is so small");
    t = fine;
    t.shift = (double)INFINITY;
    REFUSED(CONVK_ERR_NONFINITE, "terms->shift");
    t = fine;
    t.k[2] = (double)NAN;
    REFUSED(CONVK_ERR_NONFINITE, "terms->k[2] is not finite");
    t.k[2] = 1e200;
    if (numbers) REFUSED(CONVK_ERR_NONFINITE, "terms->k[2] is so large");
    else REFUSED(CONVK_ERR_OPTION, "terms->k is for complex calls");
    t.k[2] = 1e30;
    if (numbers && !type) REFUSED(CONVK_ERR_NONFINITE, "terms->k[2] is so large");
    t.k[2] = 1e150;
    t.spacing[2] = 1e-200;
    REFUSED(numbers ? CONVK_ERR_NONFINITE : CONVK_ERR_OPTION, numbers ? "terms->spacing[2]" : "terms->k");
    describe("work_size");
    begin_case();
    bytes = 12345;
    want_status(ham_work(type, hw, NULL, &bytes), CONVK_ERR_NULL);
    want_status(ham_work(type, hw, &good, NULL), CONVK_ERR_NULL);
    want_status(ham_resolve(type, hw, &good, NULL), CONVK_ERR_NULL);
    s.wavelets.nx = HUGE_;
    s.wavelets.pitch_y = s.wavelets.pitch_z = 0;
    want_status(ham_work(type, hw, &s, &bytes), CONVK_ERR_OVERFLOW);
    if (bytes != 12345) fail("bytes was written");
    end_case();
#undef REFUSED
  }
  ham_complex = 0;
  free(in), free(out), free(v), free(work);
}
static void ham_errors(int type) {
  ham_errors_of(type, 0);
  ham_errors_of(type, 1);
}

/* The work of a grid is enough for all that are smaller, and for fewer vectors, on as many threads. */
static void ham_work_monotone(int type) {
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  const size_t size = type ? sizeof(double) : sizeof(float);
  size_t c;
  for (c = 0; c < (suite.quick ? 60u : 1000u); c++) {
    execution e = any_execution(&rng);
    hook k = hook_new(HOOK_REVERSED, e.threads, 1);
    size_t half[3], less[3], number = 0, bytes = 0, smaller = 0, vectors = 1 + random_below(&rng, 9);
    int boundary[3], d;
    convk copy, *hw;
    convk_dwt3d_shape w;
    convk_hamiltonian_shape s, t;
    variant *v = next_variant(&number, 1);
    while (v && v->device) v = next_variant(&number, 1);
    if (!v) return;
    for (d = 0; d < 3; d++) {
      half[d] = 1 + random_below(&rng, random_below(&rng, 3) ? 8 : 100);
      less[d] = 1 + random_below(&rng, half[d]);
      boundary[d] = dwt_boundaries[random_below(&rng, 3)];
    }
    s = ham_shape(type, half, boundary, vectors, 0, &w);
    t = ham_shape(type, less, boundary, 1 + random_below(&rng, vectors), 0, &w);
    hw = handle_for(v, &copy, &e, &k);
    if (random_below(&rng, 2)) hw->tuning.l3_bytes = (size_t)1 << (17 + random_below(&rng, 8));
    ham_describe(&s);
    begin_case();
    ham_complex = (int)(c % 2);
    want_status(ham_work(type, hw, &s, &bytes), CONVK_OK);
    want_status(ham_work(type, hw, &t, &smaller), CONVK_OK);
    if (smaller > bytes) fail("%lu bytes, and %lu for less", (unsigned long)bytes, (unsigned long)smaller);
    if (t.values.nx * t.values.ny * t.values.nz * t.vectors < 60000 && c % 3 == 0) {
      const ham_terms terms = {{1, 1, 1}, 0, NULL, {0, ham_complex, 0}};
      const size_t n = t.vectors * dwt_span(&t.wavelets) * (ham_complex ? 2 : 1);
      void *const in = calloc(n, size), *const out = need(n * size), *const work = need(bytes);
      convk_hamiltonian_energies *const energies = (convk_hamiltonian_energies *)need(t.vectors * sizeof *energies);
      want_status(ham_call(type, hw, &t, &terms, in, out, energies, work, bytes), CONVK_OK);
      free(in), free(out), free(work), free(energies);
    }
    ham_complex = 0;
    end_case();
  }
}

/* ------------------------------------------------------------------------------------------------------ segments -- */

/* Some segments of a grid of so many points; *points is how many they have. */
static convk_segments seg_any(size_t total, int with_place, size_t **memory, size_t *points, uint64_t *rng) {
  convk_segments s;
  size_t *const ends = (size_t *)need(3 * (total + 1) * sizeof *ends), *const place = ends + 2 * (total + 1), at = 0, i = 0;
  const size_t longest = 1 + random_below(rng, random_below(rng, 2) ? 5 : 60);
  size_t next = at, k = 0, n;
  memset(&s, 0, sizeof s);
  *points = 0;
  for (n = i + random_below(rng, longest); n < total;) {
    size_t last = n + random_below(rng, longest);
    if (last >= total) last = total - 1;
    if (with_place) next += random_below(rng, 3);
    ends[2 * k] = n;
    ends[2 * k + 1] = last;
    place[k++] = next;
    next += last - n + 1;
    n = last + 1 + random_below(rng, longest);
  }
  s.count = k;
  s.ends = ends;
  s.place = with_place ? place : NULL;
  s.points = with_place || random_below(rng, 2) ? next + random_below(rng, 4) : 0;
  *points = s.points ? s.points : next;
  *memory = ends;
  return s;
}

static void seg_random(int type) {
  const size_t size = type ? sizeof(double) : sizeof(float);
  uint64_t rng = random_seed(suite.test) + (uint64_t)type;
  size_t c;
  for (c = 0; c < (suite.quick ? 16u : 120u); c++) {
    const int large = c == 5, padded = (int)(c % 2);
    const size_t half[3] = {large ? 64 : 1 + random_below(&rng, 20), large ? 40 : 1 + random_below(&rng, 6),
                            large ? 61 : 1 + random_below(&rng, 6)};
    const size_t total = half[0] * half[1] * half[2];
    size_t *memory[2], points[2], one, span[2], number = 0, i, k, v, segment;
    convk_compressed_shape s;
    convk_grid3 g;
    unsigned char *want;
    guard in[2];
    variant *each;
    memset(&s, 0, sizeof s);
    s.dense.nx = 2 * half[0];
    s.dense.ny = 2 * half[1];
    s.dense.nz = 2 * half[2];
    if (padded) {
      s.dense.pitch_y = s.dense.nx + 1;
      s.dense.pitch_z = s.dense.ny * s.dense.pitch_y + 2;
    }
    g = s.dense;
    if (!padded) g.pitch_y = g.nx, g.pitch_z = g.nx * g.ny;
    s.coarse = seg_any(total, (int)random_below(&rng, 2), &memory[0], &points[0], &rng);
    s.fine = seg_any(total, (int)random_below(&rng, 2), &memory[1], &points[1], &rng);
    if (c == 7) {
      memset(&s.fine, 0, sizeof s.fine);
      points[1] = 0;
    }
    s.vectors = large ? 1 : 1 + c % 3;
    one = points[0] + 7 * points[1];
    if (padded) s.compressed_stride = one + 3, s.dense_stride = g.nz * g.pitch_z + 5;
    span[0] = (s.vectors - 1) * (padded ? s.compressed_stride : one) + one;
    span[1] = (s.vectors - 1) * (padded ? s.dense_stride : g.nz * g.pitch_z) + dwt_span(&g);
    for (i = 0; i < 2; i++) {
      in[i] = guard_new(span[i] * size, (int)random_below(&rng, 2), random_below(&rng, 5) * size);
      for (k = 0; k < span[i]; k++) put(type, in[i].data, k, random_unit(&rng));
    }
    want = (unsigned char *)need((span[0] + span[1]) * size);
    for (i = 0; i < 2; i++) { /* plain loops: i = 0 uncompress, 1 compress */
      unsigned char *const to = want + (i ? span[1] : 0) * size;
      memset(to, FILL_, span[!i] * size);
      for (v = 0; v < s.vectors; v++) {
        const size_t packed = v * (padded ? s.compressed_stride : one),
                     dense = v * (padded ? s.dense_stride : g.nz * g.pitch_z);
        for (k = 0; !i && k < g.nx * g.ny * g.nz; k++) put(type, to, dense + ham_at(&g, k), 0);
        for (k = 0; k < 2; k++) {
          const convk_segments *const list = k ? &s.fine : &s.coarse;
          size_t at = 0, p;
          for (segment = 0; segment < list->count; segment++) {
            if (list->place) at = list->place[segment];
            for (p = list->ends[2 * segment]; p <= list->ends[2 * segment + 1]; p++, at++) {
              size_t b;
              for (b = k; b < (k ? 8u : 1u); b++) {
                const size_t x = p % half[0] + (b & 1) * half[0], y = p / half[0] % half[1] + (b >> 1 & 1) * half[1],
                             z = p / half[0] / half[1] + (b >> 2) * half[2];
                const size_t from = packed + (k ? points[0] + 7 * at + b - 1 : at),
                             there = dense + x + y * g.pitch_y + z * g.pitch_z;
                if (i) put(type, to, from, get(type, in[1].data, there));
                else put(type, to, there, get(type, in[0].data, from));
              }
            }
          }
        }
      }
    }
    while ((each = next_variant(&number, total)) != NULL) {
      execution way = any_execution(&rng);
      hook h = hook_new(way.hook, way.threads, random64(&rng));
      convk copy, *hw;
      hw = handle_for(each, &copy, &way, &h);
      for (i = 0; i < 2; i++) {
        guard out = guard_new(span[!i] * size, (int)random_below(&rng, 2), random_below(&rng, 20) * size);
        describe("%s %lux%lux%lu vectors %lu segments %lu %lu", i ? "wavelet_compress" : "wavelet_uncompress",
                 (unsigned long)g.nx, (unsigned long)g.ny, (unsigned long)g.nz, (unsigned long)s.vectors,
                 (unsigned long)s.coarse.count, (unsigned long)s.fine.count);
        execution_describe(&way);
        begin_case();
        check_status(seg_call(type, hw, (int)i, &s, in[i].data, out.data), heap.live);
        if (!guard_intact(&in[0]) || !guard_intact(&in[1]) || !guard_intact(&out)) fail("memory around an array was written");
        if (memcmp(out.data, want + (i ? span[1] : 0) * size, span[!i] * size)) fail("other numbers, or padding was written");
        guard_free(&out);
        end_case();
      }
    }
    for (i = 0; i < 2; i++) {
      guard_free(&in[i]);
      free(memory[i]);
    }
    free(want);
  }
}

static void seg_errors(int type) {
  const size_t size = type ? sizeof(double) : sizeof(float);
  void *const in = need(4000 * size), *const out = need(4000 * size);
  unsigned char before[4000];
  size_t number = 0;
  variant *each;
  memset(in, 0, 4000 * size);
  memset(before, 77, sizeof before);
  while ((each = next_variant(&number, 1)) != NULL) {
    convk *const hw = &each->hw;
    int compress;
    for (compress = 0; compress < 2; compress++) {
      const size_t ends[6] = {0, 3, 5, 5, 9, 23}, place[3] = {0, 4, 5};
      size_t bad[6], moved[3];
      convk_compressed_shape good, s;
      memset(&good, 0, sizeof good);
      good.dense.nx = 8;
      good.dense.ny = 6;
      good.dense.nz = 4;
      good.coarse.count = good.fine.count = 3;
      good.coarse.ends = good.fine.ends = ends;
      good.fine.place = place;
      good.fine.points = 20;
      s = good;
      memcpy(bad, ends, sizeof bad);
      memcpy(moved, place, sizeof moved);
#define REFUSED_AT(shape, from, to, status, text) \
  describe("%s: %s", compress ? "wavelet_compress" : "wavelet_uncompress", text); \
  begin_case(); \
  memset(out, 77, 4000 * size); \
  want_status(seg_call(type, hw, compress, shape, from, to), status); \
  want_said(hw->message, status, text); \
  if (memcmp(out, before, sizeof before)) fail("the output was written"); \
  end_case();
#define REFUSED(status, text) REFUSED_AT(&s, in, out, status, text)
      REFUSED_AT(NULL, in, out, CONVK_ERR_NULL, "shape is NULL")
      REFUSED_AT(&s, NULL, out, CONVK_ERR_NULL, compress ? "dense is NULL" : "compressed is NULL")
      REFUSED_AT(&s, in, NULL, CONVK_ERR_NULL, compress ? "compressed is NULL" : "dense is NULL")
      REFUSED_AT(&s, out, out, CONVK_ERR_OVERLAP, "overlaps")
      REFUSED_AT(&s, (char *)out + 8, out, CONVK_ERR_OVERLAP, "overlaps")
      REFUSED_AT(&s, out, (char *)out + 8, CONVK_ERR_OVERLAP, "overlaps")
      s.dense.nx = 7;
      REFUSED(CONVK_ERR_ODD, "shape->dense has 7 x 6 x 4")
      s = good;
      s.dense.nz = 3;
      REFUSED(CONVK_ERR_ODD, "shape->dense has 8 x 6 x 3")
      s = good;
      s.dense.ny = 5;
      REFUSED(CONVK_ERR_ODD, "shape->dense has 8 x 5 x 4")
      s.dense.ny = 0;
      REFUSED(CONVK_ERR_SIZE, "shape->dense.ny is 0")
      s = good;
      s.dense.pitch_y = 7;
      REFUSED(CONVK_ERR_PITCH, "shape->dense.pitch_y")
      s = good;
      s.fine.ends = NULL;
      REFUSED(CONVK_ERR_NULL, "shape->fine.ends is NULL")
      s = good;
      s.coarse.ends = bad;
      bad[5] = 24;
      REFUSED(CONVK_ERR_SEGMENT, "segment 2 of shape->coarse")
      bad[5] = 8;
      REFUSED(CONVK_ERR_SEGMENT, "segment 2 of shape->coarse")
      bad[5] = 23;
      bad[2] = 3;
      REFUSED(CONVK_ERR_SEGMENT_ORDER, "segment 1 of shape->coarse begins before segment 0 ends")
      s = good;
      s.fine.points = 19;
      REFUSED(CONVK_ERR_SEGMENT_PLACE, "segment 2 of shape->fine lies behind its 19 points")
      s.fine.points = 21;
      s.fine.place = moved;
      moved[1] = 3;
      REFUSED(CONVK_ERR_SEGMENT_PLACE, "the place of segment 1 of shape->fine is less than 4")
      moved[1] = SIZE_MAX;
      REFUSED(CONVK_ERR_SEGMENT_PLACE, "segment 1 of shape->fine")
      s.fine.points = 0;
      moved[1] = SIZE_MAX / 32;
      moved[2] = SIZE_MAX / 16;
      REFUSED(CONVK_ERR_SEGMENT_PLACE, "segment 1 of shape->fine")
      s = good;
      s.coarse.points = SIZE_MAX / 4;
      REFUSED(CONVK_ERR_OVERFLOW, "shape->coarse.points")
      s = good;
      s.vectors = 2;
      s.compressed_stride = 159;
      REFUSED(CONVK_ERR_PITCH, "shape->compressed_stride is 159, less than the 160")
      s.compressed_stride = 0;
      s.dense_stride = 191;
      REFUSED(CONVK_ERR_PITCH, "shape->dense_stride is 191")
      s.dense_stride = 0;
      s.vectors = SIZE_MAX / 1000;
      REFUSED(CONVK_ERR_OVERFLOW, "vectors")
      s.vectors = 2;
      s.compressed_stride = SIZE_MAX / 8;
      REFUSED(CONVK_ERR_OVERFLOW, "vectors")
      describe("one vector is not apart from another");
      begin_case();
      s.vectors = 0;
      s.compressed_stride = s.dense_stride = 1;
      want_status(seg_call(type, hw, compress, &s, in, out), CONVK_OK);
      end_case();
      s.vectors = 2;
      s.compressed_stride = 0;
      s.dense_stride = SIZE_MAX / 8;
      REFUSED(CONVK_ERR_OVERFLOW, "vectors")
#undef REFUSED
#undef REFUSED_AT
    }
  }
  free(in), free(out);
}

static const test hamiltonian_tests[] = {
    {"hamiltonian_apply", "shapes", ham_shapes, 1},     {"hamiltonian_apply", "identities", ham_identities, 1},
    {"hamiltonian_apply", "waves", ham_waves, 1},       {"hamiltonian_apply", "oscillator", ham_oscillator, 0},
    {"hamiltonian_apply", "errors", ham_errors, 1},     {"hamiltonian_apply", "work_monotone", ham_work_monotone, 1},
    {"hamiltonian_apply", "points_k", ham_points_k, 1}, {"hamiltonian_apply", "waves_k", ham_waves_k, 1},
    {"wavelet_compress", "random", seg_random, 1},      {"wavelet_compress", "errors", seg_errors, 1},
};
TEST_LIST(hamiltonian)
