#if CONVK_HAS_SEPCONV_
/* ---- the Hamiltonian in wavelets on a device: the calls that it consists of, one after another ---- */

/* What a device does: hamiltonian_opencl_calls.h, hamiltonian_cuda.h.  Element k of an array; number k of the energies of
   vector v; `count` numbers to another place, by way of a third. */
CONVK_LOCAL_ CONVK_ARRAY_(const CONVK_T) convk_hamiltonian_of_(CONVK_ARRAY_(const CONVK_T) array, size_t k);
CONVK_LOCAL_ CONVK_ARRAY_(CONVK_T) convk_hamiltonian_to_(CONVK_ARRAY_(CONVK_T) array, size_t k);
CONVK_LOCAL_ CONVK_ARRAY_(double)
    convk_hamiltonian_energy_(CONVK_ARRAY_(convk_hamiltonian_energies) energies, size_t v, size_t k);
CONVK_LOCAL_ int convk_hamiltonian_pick_(CONVK_DEVICE_(call) *call, CONVK_ARRAY_(const double) from,
                                         CONVK_ARRAY_(double) between, CONVK_ARRAY_(double) to, size_t count);

/* All calls of a vector, checked.  In work memory: scaling coefficients; at `other` what V made of them, and then all of H; at
   `sums` those of sumconv3d; from `rest` on values and the work of each call. */
typedef struct convk_hamiltonian_there_ {
  convk_dwt_call_ wavelets;
  convk_dwt_parts_ dwt[2]; /* analysis, synthesis */
  convk_sepconv_call_ values[2];
  convk_sepconv_parts_ parts[2];
  convk_sumconv_call_ sum;
  convk_sumconv_room_ room;
  int potential, energies;
  size_t bytes, other, sums, rest, need; /* bytes: of values */
} convk_hamiltonian_there_;

CONVK_LOCAL_ int convk_hamiltonian_plan_(char *message, const convk_hamiltonian_job_ *job, int potential, int energies,
                                         convk_hamiltonian_there_ *h) {
  const convk_wavelet wavelet = convk_wavelet_taps(CONVK_WAVELET_DAUBECHIES16);
  const convk_grid3 *const fine = &job->sum.in;
  convk_sumconv_terms terms = job->terms;
  convk_potential_shapes_ shapes;
  size_t end = 0, at, need = 0, most = 0;
  int i, status;
  memset(h, 0, sizeof *h);
  memset(&shapes, 0, sizeof shapes);
  h->potential = potential;
  h->energies = energies;
  terms.add_factor = (CONVK_T)(potential != 0);
  shapes.there = job->there;
  shapes.back = job->back;
  shapes.bytes = h->bytes = job->there.out.nz * job->there.out.pitch_z * sizeof(CONVK_T);
  status = convk_reserve_(&end, fine->nz, fine->pitch_z, 1, sizeof(CONVK_T), &at);
  if (!status) status = convk_reserve_(&end, fine->nz, fine->pitch_z, 1, sizeof(CONVK_T), &h->other);
  if (!status) status = convk_reserve_(&end, 2, 1, 1, sizeof(convk_sumconv_sums), &h->sums);
  if (status) return convk_refuse_(message, status, "shape needs more work than can be counted in bytes");
  h->rest = end;
  status = convk_dwt_shapes_(message, &job->wavelets, wavelet.lo, wavelet.up, &h->wavelets);
  for (i = 0; i < 2 && !status; i++) {
    status = convk_dwt_parts_of_(message, &h->wavelets, &wavelet, i, &h->dwt[i]);
    if (h->dwt[i].need > most) most = h->dwt[i].need;
  }
  if (!status && potential) status = convk_potential_parts_(message, &shapes, energies, h->values, h->parts, &need);
  if (need > most) most = need;
  if (!status) status = convk_sumconv_grids_(message, &job->sum, &terms, 1, &h->sum.job);
  if (!status) status = convk_sumconv_numbers_(message, &terms, &h->sum.job);
  if (!status) status = convk_sumconv_room_of_(message, &h->sum.job, energies, &h->room);
  if (h->room.need > most) most = h->room.need;
  h->sum.add = potential;
  h->sum.out = 1;
  h->sum.sums = energies;
  h->need = end + most + 256;
  if (!status && (most > (size_t)-1 / 4 || end > (size_t)-1 / 4))
    status = convk_refuse_(message, CONVK_ERR_OVERFLOW, "shape needs more work than can be counted in bytes");
  return status;
}

/* One vector; v: its number among the energies. */
CONVK_LOCAL_ int convk_hamiltonian_start_(CONVK_DEVICE_(call) *call, const convk_hamiltonian_there_ *h,
                                          CONVK_ARRAY_(const CONVK_T) in, CONVK_ARRAY_(CONVK_T) out,
                                          CONVK_ARRAY_(const CONVK_T) potential,
                                          CONVK_ARRAY_(convk_hamiltonian_energies) energies, size_t v,
                                          CONVK_ARRAY_(void) base) {
  const size_t s = sizeof(CONVK_T), d = sizeof(double);
  const convk_wavelet wavelet = convk_wavelet_taps(CONVK_WAVELET_DAUBECHIES16);
  CONVK_ARRAY_(CONVK_T) fine = CONVK_DEVICE_(array_at)(base, 0, s);
  CONVK_ARRAY_(CONVK_T) other = CONVK_DEVICE_(array_at)(base, h->other, s);
  CONVK_ARRAY_(void) work = CONVK_DEVICE_(array_at)(base, h->rest, 1);
  convk_sumconv_call_ sum = h->sum;
  convk_sepconv_call_ c[2];
  int status = convk_dwt_levels_there_(call, &h->wavelets, &wavelet, 1, &h->dwt[1], in, fine, work);
  if (!status && h->potential) {
    memcpy(c, h->values, sizeof c);
    c[0].in = c[0].same = fine;
    c[0].e.potential = potential;
    if (h->energies) c[0].e.energy = convk_hamiltonian_energy_(energies, v, 3);
    c[1].out = other;
    status = convk_potential_run_(call, c, h->parts, h->bytes, work);
  }
  sum.at.in = fine;
  sum.at.add = sum.at.out = other;
  sum.at.sums = CONVK_DEVICE_(array_at)(base, h->sums, sizeof(convk_sumconv_sums));
  if (!status) status = convk_sumconv_start_(call, &sum, &h->room, work);
  if (!status) status = convk_dwt_levels_there_(call, &h->wavelets, &wavelet, 0, &h->dwt[0], other, out, work);
  if (status || !h->energies) return status;
  /* behind those of the axes is that of mixed terms, which is 0 */
  return convk_hamiltonian_pick_(call, CONVK_DEVICE_(array_at)(base, h->sums + offsetof(convk_sumconv_sums, axis), d),
                                 CONVK_DEVICE_(array_at)(base, h->sums + sizeof(convk_sumconv_sums), d),
                                 convk_hamiltonian_energy_(energies, v, 0), h->potential ? 3 : 4);
}

/* ---- device memory ---- */

CONVK_API_ int convk_hamiltonian_apply_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape,
                                                const CONVK_THERE_(hamiltonian_terms) * terms, CONVK_ARRAY_(const CONVK_T) in,
                                                CONVK_ARRAY_(CONVK_T) out, CONVK_ARRAY_(convk_hamiltonian_energies) energies,
                                                CONVK_ARRAY_(void) work, size_t work_size) {
  const size_t s = sizeof(CONVK_T), each = sizeof(convk_hamiltonian_energies);
  const int put = CONVK_PLACE_OPTIONAL_ | CONVK_PLACE_WRITTEN_, wanted = CONVK_DEVICE_(there)(energies);
  CONVK_ARRAY_(void) base = work;
  CONVK_DEVICE_(call) call;
  convk_hamiltonian_terms here;
  convk_hamiltonian_there_ h;
  convk_hamiltonian_job_ job;
  convk_place_ p[5];
  size_t v, ins, outs;
  int status = CONVK_DEVICE_(call_of)(on, s, (unsigned)wanted, &call);
  memset(&here, 0, sizeof here);
  if (terms) {
    memcpy(here.spacing, terms->spacing, sizeof here.spacing);
    here.shift = terms->shift;
  }
  if (!status) status = convk_hamiltonian_shape_(call.message, shape, &job);
  if (!status) status = convk_hamiltonian_terms_(call.message, terms ? &here : NULL, &job);
  if (status) return CONVK_DEVICE_(call_end)(&call, status);
  ins = (job.full.vectors - 1) * job.full.in_stride + job.span[0];
  outs = (job.full.vectors - 1) * job.full.out_stride + job.span[0];
  status =
      CONVK_DEVICE_(array_place)(&call, "terms->potential", terms->potential, job.span[1], s, CONVK_PLACE_OPTIONAL_, &p[0]);
  if (!status) status = CONVK_DEVICE_(array_place)(&call, "in", in, ins, s, CONVK_PLACE_IN_PLACE_, &p[1]);
  if (!status) status = CONVK_DEVICE_(array_place)(&call, "out", out, outs, s, CONVK_PLACE_WRITTEN_, &p[2]);
  if (!status) status = CONVK_DEVICE_(array_place)(&call, "energies", energies, job.full.vectors, each, put, &p[3]);
  if (!status) status = convk_places_check_(call.message, p, 4);
  if (!status) status = convk_hamiltonian_plan_(call.message, &job, CONVK_DEVICE_(there)(terms->potential), wanted, &h);
  if (!status) status = CONVK_DEVICE_(work_place)(&call, work, work_size, h.need, &p[4], &base);
  if (!status) status = convk_places_check_(call.message, p, 5);
  for (v = 0; v < job.full.vectors && !status; v++)
    status = convk_hamiltonian_start_(&call, &h, convk_hamiltonian_of_(in, v * job.full.in_stride),
                                      convk_hamiltonian_to_(out, v * job.full.out_stride), terms->potential, energies, v, base);
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_API_ int convk_hamiltonian_apply_work_size_resident(CONVK_ON_ *on, const convk_hamiltonian_shape *shape, size_t *bytes) {
  convk_hamiltonian_there_ h;
  convk_hamiltonian_job_ job;
  char *message;
  int status = CONVK_DEVICE_(query_of)(on, &message);
  if (!status) status = convk_need_(message, "bytes", bytes);
  if (!status) status = convk_hamiltonian_shape_(message, shape, &job);
  if (!status) status = convk_hamiltonian_plan_(message, &job, 1, 1, &h);
  if (!status) *bytes = h.need;
  return status;
}

/* ---- host arrays: a part is a vector ---- */

typedef struct convk_hamiltonian_arrays_ {
  convk_hamiltonian_there_ h;
  convk_grid3 grid;                          /* the caller's */
  size_t in_stride, out_stride, first, slot; /* bytes of a slot */
  const CONVK_T *in;
  CONVK_T *out;
  CONVK_DEVICE_(memory) at[CONVK_DEVICE_ARRAYS_];
} convk_hamiltonian_arrays_;

CONVK_LOCAL_ int convk_hamiltonian_copy_(CONVK_DEVICE_(host) *host, const convk_hamiltonian_arrays_ *a, int download,
                                         size_t slot, CONVK_T *array) {
  const size_t first[3] = {0, 0, 0}, count[3] = {a->grid.nx, a->grid.ny, a->grid.nz};
  return CONVK_DEVICE_(copy_box)(host, download, a->at[download ? CONVK_DEVICE_OUT_ : CONVK_DEVICE_IN_], slot * a->slot,
                                 &a->grid, first, count, sizeof(CONVK_T), (char *)(void *)array);
}

CONVK_LOCAL_ int convk_hamiltonian_bring_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_hamiltonian_arrays_ *const a = (const convk_hamiltonian_arrays_ *)arrays;
  return convk_hamiltonian_copy_(host, a, 0, slot, (CONVK_T *)(uintptr_t)(a->in + (a->first + part) * a->in_stride));
}

CONVK_LOCAL_ int convk_hamiltonian_work_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_hamiltonian_arrays_ *const a = (const convk_hamiltonian_arrays_ *)arrays;
  const size_t s = sizeof(CONVK_T);
  CONVK_DEVICE_(call) call = CONVK_DEVICE_(call_on)(host);
  CONVK_ARRAY_(const CONVK_T) in;
  CONVK_ARRAY_(CONVK_T) out;
  CONVK_ARRAY_(const CONVK_T) potential = CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_MORE_0_]);
  CONVK_ARRAY_(convk_hamiltonian_energies) energies = CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_MORE_2_]);
  int status;
  in = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_IN_]), slot * a->slot, s);
  out = CONVK_DEVICE_(array_at)(CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_OUT_]), slot * a->slot, s);
  status = convk_hamiltonian_start_(&call, &a->h, in, out, potential, energies, a->first + part,
                                    CONVK_DEVICE_(array_of)(a->at[CONVK_DEVICE_WORK_]));
  return CONVK_DEVICE_(call_end)(&call, status);
}

CONVK_LOCAL_ int convk_hamiltonian_back_(CONVK_DEVICE_(host) *host, void *arrays, size_t part, size_t slot) {
  const convk_hamiltonian_arrays_ *const a = (const convk_hamiltonian_arrays_ *)arrays;
  return convk_hamiltonian_copy_(host, a, 1, slot, a->out + (a->first + part) * a->out_stride);
}

/* Buffers, and in *parts how many vectors go at once: all, which overlap in three slots, or one after another. */
CONVK_LOCAL_ int convk_hamiltonian_buffers_(CONVK_DEVICE_(host) *host, convk_hamiltonian_arrays_ *a, size_t vectors,
                                            size_t values, size_t *parts) {
  const size_t energies = vectors * sizeof(convk_hamiltonian_energies), once = a->h.need + values + energies;
  size_t places = vectors > 1 ? CONVK_SLOTS_ : 1, room = 0;
  int status = vectors > 1 ? CONVK_DEVICE_(allowed)(host, &room) : CONVK_OK;
  if (places > 1 && (!CONVK_DEVICE_(beside)(host) || room < once || (room - once) / places < 2 * a->slot)) places = 1;
  *parts = places > 1 ? vectors : 1;
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_IN_, places * a->slot, &a->at[CONVK_DEVICE_IN_]);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_OUT_, places * a->slot, &a->at[CONVK_DEVICE_OUT_]);
  if (!status && a->h.potential)
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_0_, values, &a->at[CONVK_DEVICE_MORE_0_]);
  if (!status && a->h.energies)
    status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_MORE_2_, energies, &a->at[CONVK_DEVICE_MORE_2_]);
  if (!status) status = CONVK_DEVICE_(buffer)(host, CONVK_DEVICE_WORK_, a->h.need, &a->at[CONVK_DEVICE_WORK_]);
  return status;
}

CONVK_API_ int convk_hamiltonian_apply_device CONVK_OP_HAMILTONIAN_APPLY_(CONVK_OP_PARAMETERS_) {
  char *const message = convk_message_(hw);
  CONVK_DEVICE_(host) *host = NULL;
  convk_hamiltonian_arrays_ a;
  convk_hamiltonian_job_ job;
  convk_grid3 values;
  size_t vectors, parts = 1;
  int status = CONVK_DEVICE_(host_of)(hw, &host);
  (void)(work && work_size);
  memset(&a, 0, sizeof a);
  if (!status) status = convk_hamiltonian_check_(message, shape, terms, in, out, energies, NULL, 0, &job);
  if (!status) status = CONVK_DEVICE_(able)(host, sizeof(CONVK_T), (unsigned)(energies != NULL));
  if (status) return status;
  vectors = job.full.vectors;
  a.grid = job.full.wavelets;
  values = job.full.values;
  a.in_stride = job.full.in_stride;
  a.out_stride = job.full.out_stride;
  a.slot = a.grid.nx * a.grid.ny * a.grid.nz * sizeof(CONVK_T);
  a.in = in;
  a.out = out;
  job.wavelets.coarse = convk_packed_(&a.grid);
  job.there.out = job.back.in = convk_packed_(&values);
  status = convk_hamiltonian_plan_(message, &job, job.potential != NULL, energies != NULL, &a.h);
  if (!status) status = CONVK_DEVICE_(begin)(host);
  if (status) return status;
  status = convk_hamiltonian_buffers_(host, &a, vectors, values.nx * values.ny * values.nz * sizeof(CONVK_T), &parts);
  if (!status && a.h.potential)
    status =
        CONVK_DEVICE_(copy)(host, 0, a.at[CONVK_DEVICE_MORE_0_], &values, sizeof(CONVK_T), (void *)(uintptr_t)job.potential);
  for (; a.first < vectors && !status; a.first += parts)
    status =
        CONVK_DEVICE_(parts_run)(host, parts, convk_hamiltonian_bring_, convk_hamiltonian_work_, convk_hamiltonian_back_, &a);
  if (!status && energies)
    status = CONVK_DEVICE_(fetch)(host, a.at[CONVK_DEVICE_MORE_2_], 0, vectors * sizeof *energies, energies);
  return CONVK_DEVICE_(end)(host, status);
}
#endif
