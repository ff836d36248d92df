/* ---- the Hamiltonian in wavelets on a device: the calls that it consists of, one after another ---- */

/* Both parts of complex numbers, in arrays of their own that lie `apart` elements apart, and back: see
   convk_hamiltonian_parts_ (hamiltonian.h). */
typedef struct convk_hamiltonian_sides_ {
  CONVK_ARRAY_(CONVK_T) parts;
  CONVK_ARRAY_(const CONVK_T) in;
  CONVK_ARRAY_(CONVK_T) numbers;
  convk_grid3 grid, whole;
  size_t apart;
  int join, add;
} convk_hamiltonian_sides_;

/* What a device does: hamiltonian_opencl_calls.h, hamiltonian_cuda.h.  `count` sums of `each` numbers go to another place, by
   way of a third. */
CONVK_LOCAL_ int convk_hamiltonian_split_(CONVK_DEVICE_(call) *call, const convk_hamiltonian_sides_ *s);
CONVK_LOCAL_ int convk_hamiltonian_pick_(CONVK_DEVICE_(call) *call, CONVK_ARRAY_(const double) from,
                                         CONVK_ARRAY_(double) between, CONVK_ARRAY_(double) to, size_t count, size_t each);

/* The kernel's arguments. */
CONVK_LOCAL_ void convk_hamiltonian_parts_of_(const convk_hamiltonian_sides_ *s, CONVK_ARGUMENTS_(parts) * a) {
  memset(a, 0, sizeof *a);
  a->nx = s->grid.nx;
  a->ny = s->grid.ny;
  a->nz = s->grid.nz;
  a->pitch_y = s->grid.pitch_y;
  a->pitch_z = s->grid.pitch_z;
  a->whole_y = s->whole.pitch_y;
  a->whole_z = s->whole.pitch_z;
  a->apart = s->apart;
  a->join = (uint32_t)s->join;
  a->add = (uint32_t)s->add;
}

/* All calls of a vector, checked.  In work memory: scaling coefficients; at `other` what V made of them, and then all of H; of
   complex numbers both parts of these, and at `joined` numbers, or parts of the wavelets' coefficients; at `sums` the
   energies of both parts, and room for their sum; from `rest` on values and the work of each call. */
typedef struct convk_hamiltonian_device_ {
  convk_wavelets_call_ wavelets;
  convk_wavelets_parts_ dwt[2]; /* analysis, synthesis */
  convk_filters_call_ values[2];
  convk_filters_parts_ parts[2];
  convk_sums_call_ sum;
  convk_sums_room_ room;
  int potential, energies;
  size_t step, apart, bytes, other, joined, sums, rest, need; /* bytes: of values */
  convk_grid3 whole;                                          /* of complex orbitals */
} convk_hamiltonian_device_;

CONVK_LOCAL_ int convk_hamiltonian_plan_(char *message, const convk_hamiltonian_job_ *job, int potential, int energies,
                                         convk_hamiltonian_device_ *h) {
  const convk_wavelet wavelet = convk_wavelet_taps(CONVK_WAVELET_DAUBECHIES16);
  convk_sumconv_terms terms = job->terms;
  convk_potential_shapes_ shapes;
  size_t end = 0, at, need = 0, max_need = 0;
  int i, status;
  memset(h, 0, sizeof *h);
  memset(&shapes, 0, sizeof shapes);
  h->potential = potential;
  h->energies = energies;
  terms.add_factor = (CONVK_T)(potential && job->step == 1);
  shapes.to_values = job->to_values;
  shapes.potential = job->full.values;
  shapes.back = job->back;
  shapes.bytes = h->bytes = job->to_values.out.nz * job->to_values.out.pitch_z * sizeof(CONVK_T);
  h->step = job->step;
  h->apart = job->apart;
  h->whole = job->full.wavelets;
  status = convk_reserve_(&end, h->step, job->apart, 1, sizeof(CONVK_T), &at);
  if (!status) status = convk_reserve_(&end, h->step, job->apart, 1, sizeof(CONVK_T), &h->other);
  if (!status) status = convk_reserve_(&end, h->step > 1 ? 2 : 0, job->apart, 1, sizeof(CONVK_T), &h->joined);
  if (!status) status = convk_reserve_(&end, 4, 1, 1, sizeof(double), &h->sums);
  if (status) return convk_refuse_(message, status, "shape needs more work than can be counted in bytes");
  h->rest = end;
  status = convk_wavelets_shapes_(message, &job->wavelets, wavelet.lo, wavelet.up, &h->wavelets);
  for (i = 0; i < 2 && !status; i++) {
    status = convk_wavelets_parts_of_(message, &h->wavelets, &wavelet, i, &h->dwt[i]);
    if (h->dwt[i].need > max_need) max_need = h->dwt[i].need;
  }
  if (!status && potential) status = convk_potential_parts_(message, &shapes, energies, h->values, h->parts, &need);
  if (need > max_need) max_need = need;
  if (!status) status = convk_sums_grids_(message, &job->sum, &terms, job->step, &h->sum.job);
  if (!status) status = convk_sums_numbers_(message, &terms, &h->sum.job);
  if (!status) status = convk_sums_room_of_(message, &h->sum.job, energies, &h->room);
  if (h->room.need > max_need) max_need = h->room.need;
  h->sum.add = potential && job->step == 1;
  h->sum.out = 1;
  h->sum.sums = energies;
  h->need = end + max_need + 256;
  if (!status && (max_need > (size_t)-1 / 4 || end > (size_t)-1 / 4))
    status = convk_refuse_(message, CONVK_ERR_OVERFLOW, "shape needs more work than can be counted in bytes");
  return status;
}

/* IMF V MF from one array to another; the energy to `energy`. */
CONVK_LOCAL_ int convk_hamiltonian_values_(CONVK_DEVICE_(call) *call, const convk_hamiltonian_device_ *h,
                                           CONVK_ARRAY_(CONVK_T) fine, CONVK_ARRAY_(CONVK_T) out,
                                           CONVK_ARRAY_(const CONVK_T) potential, CONVK_ARRAY_(double) energy,
                                           CONVK_ARRAY_(void) work) {
  convk_filters_call_ c[2];
  memcpy(c, h->values, sizeof c);
  c[0].in = c[0].same = fine;
  c[0].e.potential = potential;
  if (h->energies) c[0].e.energy = energy;
  c[1].out = out;
  return convk_potential_run_(call, c, h->parts, h->bytes, work);
}

/* Where the energies of axes go, from the sums of sumconv3d; behind them is that of mixed terms, which is 0. */
CONVK_LOCAL_ void convk_hamiltonian_axes_(const convk_hamiltonian_device_ *h, CONVK_ARRAY_(convk_hamiltonian_energies) energies,
                                          size_t v, convk_sums_call_ *sum) {
  const size_t all = sizeof(convk_hamiltonian_energies);
  if (!h->energies) return;
  sum->axes = h->potential ? 3 : 4;
  sum->at.energies = CONVK_DEVICE_(array_part)(energies, all, v * all, sizeof(double));
}

/* The energy of the potential from those of both parts of complex numbers. */
CONVK_LOCAL_ int convk_hamiltonian_fetch_energies_(CONVK_DEVICE_(call) *call, const convk_hamiltonian_device_ *h,
                                                   CONVK_ARRAY_(convk_hamiltonian_energies) energies, size_t v,
                                                   CONVK_ARRAY_(void) base) {
  const size_t d = sizeof(double), all = sizeof(convk_hamiltonian_energies);
  if (!h->energies || !h->potential || h->step == 1) return CONVK_OK;
  return convk_hamiltonian_pick_(call, CONVK_DEVICE_(array_at)(base, h->sums, d),
                                 CONVK_DEVICE_(array_at)(base, h->sums + 2 * d, d),
                                 CONVK_DEVICE_(array_part)(energies, all, v * all + 3 * d, d), 1, 2);
}

CONVK_LOCAL_ int convk_hamiltonian_start_real_(CONVK_DEVICE_(call) *call, const convk_hamiltonian_device_ *h,
                                               CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                               CONVK_ARRAY_(const CONVK_T) potential,
                                               CONVK_ARRAY_(convk_hamiltonian_energies) energies, size_t v,
                                               CONVK_ARRAY_(void) base) {
  const size_t s = sizeof(CONVK_T), d = sizeof(double), all = sizeof(convk_hamiltonian_energies);
  const convk_wavelet wavelet = convk_wavelet_taps(CONVK_WAVELET_DAUBECHIES16);
  CONVK_ARRAY_(CONVK_T) fine = CONVK_DEVICE_(array_at)(base, 0, s);
  CONVK_ARRAY_(CONVK_T) other = CONVK_DEVICE_(array_at)(base, h->other, s);
  CONVK_ARRAY_(void) work = CONVK_DEVICE_(array_at)(base, h->rest, 1);
  CONVK_ARRAY_(double) energy = CONVK_DEVICE_(array_part)(energies, all, v * all + 3 * d, d); /* behind three axes */
  convk_sums_call_ sum = h->sum;
  int status = convk_wavelets_levels_device_(call, &h->wavelets, &wavelet, 1, &h->dwt[1], in, fine, work);
  if (!status && h->potential) status = convk_hamiltonian_values_(call, h, fine, other, potential, energy, work);
  sum.at.in = fine;
  sum.at.add = sum.at.out = other;
  convk_hamiltonian_axes_(h, energies, v, &sum);
  if (!status) status = convk_sums_start_(call, &sum, &h->room, work);
  return status ? status : convk_wavelets_levels_device_(call, &h->wavelets, &wavelet, 0, &h->dwt[0], other, out, work);
}

/* As convk_hamiltonian_complex_ does it for processors. */
CONVK_LOCAL_ int convk_hamiltonian_start_complex_(CONVK_DEVICE_(call) *call, const convk_hamiltonian_device_ *h,
                                                  CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                  CONVK_ARRAY_(const CONVK_T) potential,
                                                  CONVK_ARRAY_(convk_hamiltonian_energies) energies, size_t v,
                                                  CONVK_ARRAY_(void) base) {
  const size_t s = sizeof(CONVK_T), d = sizeof(double), apart = h->apart * sizeof(CONVK_T);
  const convk_wavelet wavelet = convk_wavelet_taps(CONVK_WAVELET_DAUBECHIES16);
  CONVK_ARRAY_(void) work = CONVK_DEVICE_(array_at)(base, h->rest, 1);
  convk_sums_call_ sum = h->sum;
  convk_hamiltonian_sides_ coarse, fine;
  size_t i;
  int status;
  memset(&coarse, 0, sizeof coarse);
  coarse.parts = CONVK_DEVICE_(array_at)(base, h->joined, s);
  coarse.in = in;
  coarse.grid = h->wavelets.full.coarse;
  coarse.whole = h->whole;
  coarse.apart = h->apart;
  fine = coarse;
  fine.grid = fine.whole = h->wavelets.full.fine;
  status = convk_hamiltonian_split_(call, &coarse);
  for (i = 0; i < 2 && !status; i++) {
    CONVK_ARRAY_(CONVK_T) psi = CONVK_DEVICE_(array_at)(base, i * apart, s);
    CONVK_ARRAY_(const CONVK_T) half = CONVK_DEVICE_(array_at)(base, h->joined + i * apart, s);
    status = convk_wavelets_levels_device_(call, &h->wavelets, &wavelet, 1, &h->dwt[1], half, psi, work);
    if (!status && h->potential)
      status = convk_hamiltonian_values_(call, h, psi, CONVK_DEVICE_(array_at)(base, h->other + i * apart, s), potential,
                                         CONVK_DEVICE_(array_at)(base, h->sums + i * d, d), work);
  }
  fine.parts = CONVK_DEVICE_(array_at)(base, 0, s);
  fine.numbers = CONVK_DEVICE_(array_at)(base, h->joined, 2 * s);
  fine.join = 1;
  if (!status) status = convk_hamiltonian_split_(call, &fine);
  sum.at.in = CONVK_DEVICE_(array_at)(base, h->joined, 2 * s);
  sum.at.out = CONVK_DEVICE_(array_at)(base, 0, 2 * s);
  convk_hamiltonian_axes_(h, energies, v, &sum);
  if (!status) status = convk_sums_start_(call, &sum, &h->room, work);
  fine.parts = CONVK_DEVICE_(array_at)(base, h->other, s);
  fine.in = CONVK_DEVICE_(array_at)(base, 0, 2 * s);
  fine.join = 0;
  fine.add = h->potential;
  if (!status) status = convk_hamiltonian_split_(call, &fine);
  for (i = 0; i < 2 && !status; i++) {
    CONVK_ARRAY_(const CONVK_T) result = CONVK_DEVICE_(array_at)(base, h->other + i * apart, s);
    status = convk_wavelets_levels_device_(call, &h->wavelets, &wavelet, 0, &h->dwt[0], result,
                                           CONVK_DEVICE_(array_at)(base, h->joined + i * apart, s), work);
  }
  coarse.numbers = out;
  coarse.join = 1;
  return status ? status : convk_hamiltonian_split_(call, &coarse);
}

/* One vector; v: its number among the energies. */
CONVK_LOCAL_ int convk_hamiltonian_start_(CONVK_DEVICE_(call) *call, const convk_hamiltonian_device_ *h,
                                          CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                          CONVK_ARRAY_(const CONVK_T) potential,
                                          CONVK_ARRAY_(convk_hamiltonian_energies) energies, size_t v,
                                          CONVK_ARRAY_(void) base) {
  const int status = h->step == 1 ? convk_hamiltonian_start_real_(call, h, in, out, potential, energies, v, base)
                                  : convk_hamiltonian_start_complex_(call, h, in, out, potential, energies, v, base);
  return status ? status : convk_hamiltonian_fetch_energies_(call, h, energies, v, base);
}

/* ---- device memory ---- */

/* Both calls, and their queries, which have no arrays and count with a potential and energies; step: numbers of an element. */
CONVK_LOCAL_ int convk_hamiltonian_on_(CONVK_DEVICE_(frame) f, const convk_hamiltonian_shape *shape,
                                       const CONVK_DEVICE_STRUCT_(hamiltonian_terms) * terms, size_t step,
                                       CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                       CONVK_ARRAY_(convk_hamiltonian_energies) energies) {
  const size_t s = sizeof(CONVK_T), element = step * sizeof(CONVK_T), each = sizeof(convk_hamiltonian_energies);
  const int may = CONVK_PLACE_OPTIONAL_, wanted = f.query || CONVK_DEVICE_(is_set)(energies);
  CONVK_ARRAY_(const CONVK_T) potential = CONVK_DEVICE_(none)();
  convk_hamiltonian_terms here;
  convk_hamiltonian_device_ h;
  convk_hamiltonian_job_ job;
  size_t v, ins, outs;
  memset(&here, 0, sizeof here);
  h.need = 0;
  if (terms) {
    memcpy(here.spacing, terms->spacing, sizeof here.spacing);
    memcpy(here.k, terms->k, sizeof here.k);
    here.shift = terms->shift;
    potential = terms->potential;
  }
  if (!f.status) f.status = convk_hamiltonian_shape_(f.message, shape, step, &job);
  if (!f.status && !f.query) f.status = convk_hamiltonian_terms_(f.message, terms ? &here : NULL, &job);
  if (f.status) return CONVK_DEVICE_(frame_end)(&f);
  ins = (job.full.vectors - 1) * job.full.in_stride + job.span[0];
  outs = (job.full.vectors - 1) * job.full.out_stride + job.span[0];
  CONVK_DEVICE_(frame_place)(&f, "terms->potential", potential, job.span[1], s, may);
  CONVK_DEVICE_(frame_place)(&f, "in", in, ins, element, CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "out", out, outs, element, CONVK_PLACE_WRITTEN_ | CONVK_PLACE_IN_PLACE_);
  CONVK_DEVICE_(frame_place)(&f, "energies", energies, job.full.vectors, each, may | CONVK_PLACE_WRITTEN_);
  CONVK_DEVICE_(frame_apart)(&f);
  if (!f.status) f.status = convk_hamiltonian_plan_(f.message, &job, f.query || CONVK_DEVICE_(is_set)(potential), wanted, &h);
  if (!CONVK_DEVICE_(frame_work)(&f, h.need)) return CONVK_DEVICE_(frame_end)(&f);
  for (v = 0; v < job.full.vectors && !f.status; v++)
    f.status = convk_hamiltonian_start_(
        &f.call, &h, CONVK_DEVICE_(array_part)(in, element, v * job.full.in_stride * element, element),
        CONVK_DEVICE_(array_part)(out, element, v * job.full.out_stride * element, element), potential, energies, v, f.work);
  return CONVK_DEVICE_(frame_end)(&f);
}

CONVK_API_ int convk_hamiltonian_apply_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape,
                                                const CONVK_DEVICE_STRUCT_(hamiltonian_terms) * terms,
                                                CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                CONVK_ARRAY_(convk_hamiltonian_energies) energies, CONVK_ARRAY_(void) work,
                                                size_t work_size) {
  const unsigned doubles = (unsigned)CONVK_DEVICE_(is_set)(energies);
  return convk_hamiltonian_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), doubles, work, work_size), shape, terms, 1, in, out,
                               energies);
}
CONVK_API_ int convk_hamiltonian_apply_complex_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape,
                                                        const CONVK_DEVICE_STRUCT_(hamiltonian_terms) * terms,
                                                        CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                                        CONVK_ARRAY_(convk_hamiltonian_energies) energies,
                                                        CONVK_ARRAY_(void) work, size_t work_size) {
  const unsigned doubles = (unsigned)CONVK_DEVICE_(is_set)(energies);
  return convk_hamiltonian_on_(CONVK_DEVICE_(frame_of)(on, sizeof(CONVK_T), doubles, work, work_size), shape, terms, 2, in, out,
                               energies);
}
CONVK_API_ int convk_hamiltonian_apply_work_size_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape, size_t *bytes) {
  return convk_hamiltonian_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, NULL, 1, CONVK_DEVICE_(none)(),
                               CONVK_DEVICE_(none)(), CONVK_DEVICE_(none)());
}
CONVK_API_ int convk_hamiltonian_apply_work_size_complex_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape,
                                                                  size_t *bytes) {
  return convk_hamiltonian_on_(CONVK_DEVICE_(frame_query)(on, bytes), shape, NULL, 2, CONVK_DEVICE_(none)(),
                               CONVK_DEVICE_(none)(), CONVK_DEVICE_(none)());
}

/* ---- host arrays: a part is a vector ---- */

typedef struct convk_hamiltonian_arrays_ {
  CONVK_DEVICE_(vectors) v;
  convk_hamiltonian_device_ h;
} convk_hamiltonian_arrays_;

CONVK_LOCAL_ int convk_hamiltonian_work_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_hamiltonian_arrays_ *const a = (const convk_hamiltonian_arrays_ *)arrays;
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  const int status = convk_hamiltonian_start_(&call, &a->h, CONVK_DEVICE_(vectors_array)(&a->v, CONVK_VECTORS_IN_, slot),
                                              CONVK_DEVICE_(vectors_array)(&a->v, CONVK_VECTORS_OUT_, slot),
                                              CONVK_DEVICE_(array_of)(a->v.at[CONVK_DEVICE_MORE_0_]),
                                              CONVK_DEVICE_(array_of)(a->v.at[CONVK_DEVICE_MORE_2_]), a->v.first + part,
                                              CONVK_DEVICE_(array_of)(a->v.at[CONVK_DEVICE_WORK_]));
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_hamiltonian_host_(convk *hw, const convk_hamiltonian_shape *shape, const convk_hamiltonian_terms *terms,
                                         size_t step, const CONVK_T *in, CONVK_T *out, convk_hamiltonian_energies *energies) {
  char *const message = convk_message_(hw);
  const size_t element = step * sizeof(CONVK_T);
  CONVK_DEVICE_(host) *host = NULL;
  convk_hamiltonian_arrays_ a;
  convk_hamiltonian_job_ job;
  convk_grid3 wavelets, values;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  memset(&a, 0, sizeof a);
  if (!status) status = convk_hamiltonian_check_(message, shape, terms, step, in, out, energies, NULL, 0, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), (unsigned)(energies != NULL));
  if (status) return status;
  wavelets = job.full.wavelets;
  values = job.full.values;
  a.v.of[CONVK_VECTORS_IN_] = convk_staged_of_(CONVK_DEVICE_IN_, &wavelets, element, in, 1, 0);
  a.v.of[CONVK_VECTORS_OUT_] = convk_staged_of_(CONVK_DEVICE_OUT_, &wavelets, element, out, 0, 1);
  a.v.once = convk_staged_of_(CONVK_DEVICE_MORE_0_, &values, sizeof(CONVK_T), job.potential, 1, 0);
  a.v.stride[CONVK_VECTORS_IN_] = job.full.in_stride;
  a.v.stride[CONVK_VECTORS_OUT_] = job.full.out_stride;
  a.v.results = energies;
  a.v.result = sizeof *energies;
  a.v.vectors = job.full.vectors;
  job.full.wavelets = convk_packed_(&wavelets);
  if (step == 1) job.wavelets.coarse = job.full.wavelets;
  job.full.values = job.to_values.out = job.back.in = convk_packed_(&values);
  status = convk_hamiltonian_plan_(message, &job, job.potential != NULL, energies != NULL, &a.h);
  a.v.need = a.h.need;
  return status ? status : CONVK_DEVICE_(vectors_run)(host, &a.v, convk_hamiltonian_work_);
}

CONVK_API_ int convk_hamiltonian_apply_device(convk *hw, const convk_hamiltonian_shape *shape,
                                              const convk_hamiltonian_terms *terms, const CONVK_T *in, CONVK_T *out,
                                              convk_hamiltonian_energies *energies, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_hamiltonian_host_(hw, shape, terms, 1, in, out, energies);
}
CONVK_API_ int convk_hamiltonian_apply_complex_device(convk *hw, const convk_hamiltonian_shape *shape,
                                                      const convk_hamiltonian_terms *terms, const CONVK_T *in, CONVK_T *out,
                                                      convk_hamiltonian_energies *energies, void *work, size_t work_size) {
  (void)(work && work_size);
  return convk_hamiltonian_host_(hw, shape, terms, 2, in, out, energies);
}
